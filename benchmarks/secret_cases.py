"""Secrets made up at run time from a seed, in the places people leave them, and what resembles them.

No credential is stored here: every token is drawn anew from its family's form, so nothing in the
repository is, was or looks like a key that opens something.
"""

import string
from collections.abc import Callable, Iterator
from random import Random
from typing import Final, NamedTuple

ALNUM: Final = string.ascii_letters + string.digits
WORD: Final = ALNUM + "_-"
BASE64: Final = ALNUM + "+/"
HEX: Final = string.digits + "abcdef"
UPPER: Final = string.ascii_uppercase + string.digits

Maker = Callable[[Random], str]


class Case(NamedTuple):
    """A text, and what in it is to be found: (family, secret); nothing in a look-alike."""

    text: str
    planted: tuple[tuple[str, str], ...]


def draw(rng: Random, chars: str, length: int) -> str:
    """Return `length` characters; none of the signs stands at an end."""
    body = [rng.choice(chars) for _ in range(length)]
    plain = [char for char in chars if char.isalnum()]
    body[0], body[-1] = rng.choice(plain), rng.choice(plain)
    return "".join(body)


def _prefixed(*forms: tuple[str, str, int]) -> Maker:
    def make(rng: Random) -> str:
        prefix, chars, length = rng.choice(forms)
        return prefix + draw(rng, chars, length)

    return make


def _openai(rng: Random) -> str:
    prefix = rng.choice(["", "proj-", "svcacct-", "admin-"])
    if not prefix:
        return f"sk-{draw(rng, ALNUM, 20)}T3BlbkFJ{draw(rng, ALNUM, 20)}"
    half = rng.choice([20, 74])
    return f"sk-{prefix}{draw(rng, WORD, half)}T3BlbkFJ{draw(rng, WORD, half)}"


def _anthropic(rng: Random) -> str:
    kind = rng.choice(["api03", "admin01", "oat01", "sid01"])
    return f"sk-ant-{kind}-{draw(rng, WORD, 93)}AA"


def _github(rng: Random) -> str:
    prefix = rng.choice(["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"])
    if prefix == "github_pat_":
        return f"{prefix}{draw(rng, ALNUM, 22)}_{draw(rng, ALNUM, 59)}"
    return prefix + draw(rng, ALNUM, 36)


def _gitlab(rng: Random) -> str:
    prefix = rng.choice(
        ["glpat-", "gldt-", "glrt-", "glptt-", "glft-", "glimt-", "glagent-", "gloas-", "glsoat-"]
        + ["glcbt-", "glffct-", "GR1348941", "routable"]
    )
    match prefix:
        case "routable":
            body = draw(rng, WORD, 27)
            return f"glpat-{body}.{draw(rng, HEX, 2)}.{draw(rng, ALNUM.lower(), 9)}"
        case "glcbt-":
            return f"glcbt-{draw(rng, HEX, 2)}_{draw(rng, WORD, 20)}"
        case "glptt-" | "glagent-":
            return prefix + draw(rng, WORD, 50)
        case "gloas-":
            return prefix + draw(rng, HEX, 64)
        case _:
            return prefix + draw(rng, WORD, 20)


def _slack(rng: Random) -> str:
    number = draw(rng, string.digits, 12)
    match rng.randrange(6):
        case 0:
            return f"xoxb-{number}-{draw(rng, string.digits, 13)}-{draw(rng, ALNUM, 24)}"
        case 1:
            return f"xoxp-{number}-{number[::-1]}-{draw(rng, string.digits, 13)}-{draw(rng, HEX, 32)}"
        case 2:
            return f"xapp-1-A{draw(rng, UPPER, 10)}-{number}-{draw(rng, HEX, 64)}"
        case 3:
            return f"xoxe.xoxp-1-{draw(rng, ALNUM, 160)}"
        case 4:
            return f"xoxs-{number}-{number}-{number}-{draw(rng, HEX, 10)}"
        case _:
            team, hook = draw(rng, UPPER, 10), draw(rng, UPPER, 10)
            return f"https://hooks.slack.com/services/T{team}/B{hook}/{draw(rng, ALNUM, 24)}"


def _google(rng: Random) -> str:
    match rng.randrange(4):
        case 0:
            return f"AIza{draw(rng, WORD, 35)}"
        case 1:
            return f"ya29.{draw(rng, WORD, 160)}"
        case 2:
            return f"GOCSPX-{draw(rng, WORD, 28)}"
        case _:
            return f"1//0{draw(rng, ALNUM, 1)}{draw(rng, WORD, 98)}"


def _azure_secret(rng: Random) -> str:
    return f"{draw(rng, ALNUM, 3)}8Q~{draw(rng, ALNUM + '_~.-', 34)}"


def _discord(rng: Random) -> str:
    if rng.random() < 0.3:
        number = draw(rng, string.digits, 18)
        return f"https://discord.com/api/webhooks/{number}/{draw(rng, WORD, 68)}"
    first = rng.choice("MNO") + draw(rng, ALNUM, 23)
    return f"{first}.{draw(rng, WORD, 6)}.{draw(rng, WORD, rng.choice([27, 38]))}"


def _telegram(rng: Random) -> str:
    return f"{draw(rng, '123456789', rng.choice([9, 10]))}:AA{draw(rng, WORD, 33)}"


def _jwt(rng: Random) -> str:
    head = rng.choice(["eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "eyJhbGciOiJSUzI1NiJ9"])
    size = rng.choice([43, 86, 342])
    return f"{head}.eyJ{draw(rng, WORD, rng.randrange(30, 200))}.{draw(rng, WORD, size)}"


def _pypi(rng: Random) -> str:
    return f"pypi-AgEIcHlwaS5vcmc{draw(rng, WORD, 150)}"


TOKENS: Final[dict[str, Maker]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "github": _github,
    "gitlab": _gitlab,
    "slack": _slack,
    "aws_id": _prefixed(("AKIA", UPPER, 16), ("ASIA", UPPER, 16)),
    "google": _google,
    "azure_secret": _azure_secret,
    "stripe": _prefixed(
        ("sk_live_", ALNUM, 24),
        ("sk_test_", ALNUM, 99),
        ("rk_live_", ALNUM, 24),
        ("whsec_", ALNUM, 32),
    ),
    "npm": _prefixed(("npm_", ALNUM, 36)),
    "pypi": _pypi,
    "huggingface": _prefixed(("hf_", ALNUM, 34)),
    "sendgrid": lambda rng: f"SG.{draw(rng, WORD, 22)}.{draw(rng, WORD, 43)}",
    "twilio": _prefixed(("SK", HEX, 32)),
    "discord": _discord,
    "telegram": _telegram,
    "jwt": _jwt,
}
"""Families whose tokens are known by their own form, wherever they stand."""

AROUND: Final = (
    "{}",
    "use {} for the build.",
    "API_KEY={}",
    '{{"key": "{}", "n": 1}}',
    "鍵は{}です。",
    "{}を失効させた",
    "`{}` was pushed by mistake",
    "2025-12-18T10:20:30Z ERROR key {} rejected",
    "curl -H 'Authorization: Bearer {}' https://example.com",
    "| prod | {} | 2025-12-18 |",
    "- {}\n- next",
    "(see {})",
    "旧：{}、新：未定",
    "https://example.com/x?key={}&page=2",
)

HIDDEN: Final[tuple[Callable[[str, Random], str], ...]] = (
    lambda token, _: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in token),
    lambda token, rng: _split(token, rng, "\u200b"),
    lambda token, rng: _split(token, rng, "\u00ad"),
    lambda token, rng: _split(token, rng, "\n"),
    lambda token, rng: _split(token, rng, "\n    "),
    lambda token, rng: _split(token, rng, "\u2060\u200f"),
)


def _split(token: str, rng: Random, by: str) -> str:
    """Return the token with something in its body, four signs from both ends or more."""
    place = rng.randrange(12, len(token) - 4)
    return f"{token[:place]}{by}{token[place:]}"


# Secrets that only their surroundings give away: (family, text with {} for it, how it is made).
_SECRET40: Final[Maker] = lambda rng: draw(rng, BASE64, 40)
_WORDY: Final[Maker] = lambda rng: (
    rng.choice(["hunter", "Tr0ub4dor", "correct-horse", "kaede", "S3cure!", "blue_whale"])
    + draw(rng, string.digits, rng.randrange(2, 5))
    + rng.choice(["", "!", "x", "Z#"])
)
_HEX32: Final[Maker] = lambda rng: draw(rng, HEX, 32)
_MIXED24: Final[Maker] = lambda rng: draw(rng, ALNUM, 24)
_BASIC: Final[Maker] = lambda rng: draw(rng, ALNUM, 22) + "=="
_LONG: Final[Maker] = lambda rng: "IQoJb3JpZ2luX2Vj" + draw(rng, BASE64, 300) + "=="

PLACED: Final[tuple[tuple[str, str, Maker], ...]] = (
    ("aws_secret", "aws_secret_access_key = {}", _SECRET40),
    ("aws_secret", "AWS_SECRET_ACCESS_KEY={}", _SECRET40),
    ("aws_secret", 'export AWS_SECRET_ACCESS_KEY="{}"', _SECRET40),
    ("aws_secret", '{{"SecretAccessKey": "{}"}}', _SECRET40),
    ("aws_secret", "secretAccessKey: '{}',", _SECRET40),
    ("aws_secret", "AWSシークレットアクセスキー：{}", _SECRET40),
    ("aws_session", "aws_session_token = {}", _LONG),
    ("aws_session", "AWS_SESSION_TOKEN={}", _LONG),
    ("aws_session", '"SessionToken": "{}",', _LONG),
    ("aws_session", "https://s3.amazonaws.com/x?X-Amz-Security-Token={}&X-Amz-Date=1", _LONG),
    ("azure_key", "AccountName=x;AccountKey={};EndpointSuffix=core.windows.net",
     lambda rng: draw(rng, BASE64, 86) + "=="),
    ("azure_key", "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKey={}",
     lambda rng: draw(rng, BASE64, 43) + "="),
    ("azure_key", "https://x.blob.core.windows.net/c?sv=2024-11-04&sp=r&sig={}&se=2026",
     lambda rng: draw(rng, ALNUM, 43) + "%3D"),
    ("azure_key", "AZURE_CLIENT_SECRET={}", _azure_secret),
    ("azure_key", "AZURE_OPENAI_API_KEY={}", _HEX32),
    ("twilio_token", "TWILIO_AUTH_TOKEN={}", _HEX32),
    ("twilio_token", "auth_token: {}", _HEX32),
    ("database_url", "postgres://app:{}@db.example.com:5432/app", _WORDY),
    ("database_url", "DATABASE_URL=postgresql+asyncpg://app:{}@db/app", _MIXED24),
    ("database_url", "mongodb+srv://admin:{}@cluster0.ab12c.mongodb.net/test", _WORDY),
    ("database_url", "redis://:{}@cache.example.com:6379/0", _MIXED24),
    ("database_url", "amqp://guest:{}@mq.example.com//", _WORDY),
    ("database_url", "mysql://root:{}@127.0.0.1:3306/shop に接続", _MIXED24),
    ("database_url", "jdbc:postgresql://db.example.com/app?user=app&password={}", _WORDY),
    ("database_url", "Server=db;Database=x;User Id=sa;Password={};", _WORDY),
    ("userinfo", "git clone https://deploy:{}@git.example.com/x.git", _MIXED24),
    ("userinfo", "https://x-access-token:{}@github.com/a/b", _MIXED24),
    ("userinfo", "proxy: http://yamada:{}@proxy.example.jp:8080", _WORDY),
    ("userinfo", "ftp://web:{}@ftp.example.com/のパス", _WORDY),
    ("password", "password={}", _WORDY),
    ("password", "password: {}", _WORDY),
    ("password", 'PASSWORD="{}"', _WORDY),
    ("password", "DB_PASS={}", _WORDY),
    ("password", "spring.datasource.password={}", _WORDY),
    ("password", "{{'user': 'x', 'password': '{}'}}", _WORDY),
    ("password", "<Password>{}</Password>", _WORDY),
    ("password", "my password is {} ok?", _WORDY),
    ("password", "user=x&password={}&next=/", _WORDY),
    ("password", "PGPASSWORD={} psql -h db", _WORDY),
    ("password", "sshpass -p {} ssh root@db", _WORDY),
    ("password", "mysql -u root -p{} shop", _WORDY),
    ("password", "パスワード：{}", _WORDY),
    ("password", "パスワードは{}です", _WORDY),
    ("password", "machine db.example.com login app password {}", _WORDY),
    ("password", "db.password\t{}", _WORDY),
    ("password", "password => '{}',", _WORDY),
    ("password", "requirepass {}", _WORDY),
    ("token", "token: {}", _MIXED24),
    ("token", "api_key = '{}'", _MIXED24),
    ("token", "apiKey: \"{}\",", _HEX32),
    ("token", "X-API-Key: {}", _MIXED24),
    ("token", "access_token={}&expires_in=3600", _MIXED24),
    ("token", "client_secret={}", _MIXED24),
    ("token", "SECRET_KEY = 'django-insecure-{}'", _MIXED24),
    ("token", "//registry.npmjs.org/:_authToken={}", _HEX32),
    ("token", "APIキーは{}です", _MIXED24),
    ("token", "アクセストークン：{}", _MIXED24),
    ("token", "--token {} --verbose", _MIXED24),
    ("token", "--api-key={}", _HEX32),
    ("token", "JWT_SECRET={}", _MIXED24),
    ("token", "encryption_key: {}", _HEX32),
    ("header", "Authorization: Bearer {}", _MIXED24),
    ("header", "authorization: bearer {}", _HEX32),
    ("header", "Authorization: Basic {}", _BASIC),
    ("header", "-H \"Authorization: token {}\"", _MIXED24),
    ("header", "Proxy-Authorization: Basic {}", _BASIC),
    ("header", "'Authorization': 'Bearer {}'", _MIXED24),
    ("header", "ヘッダーはAuthorization: Bearer {}です", _MIXED24),
    ("header", "PRIVATE-TOKEN: {}", _MIXED24),
    ("header", "Cookie: session_token={}; path=/", _HEX32),
    ("header", "curl -u admin:{} https://example.com", _WORDY),
)  # fmt: skip

KEY_KINDS: Final = ("RSA ", "EC ", "", "ENCRYPTED ", "OPENSSH ", "DSA ", "PGP")
KEY_FORMS: Final = ("{}", "key: |\n  {}", '{{"private_key": "{}"}}', "鍵：{}以上", "PEM={}")


def private_key(rng: Random, kind: str, *, escaped: bool) -> str:
    """Return a block in PEM, or on one line with its line breaks spelled out."""
    name = "PGP PRIVATE KEY BLOCK" if kind == "PGP" else f"{kind}PRIVATE KEY"
    body = "\n".join(draw(rng, BASE64, 64) for _ in range(rng.randrange(3, 9)))
    block = f"-----BEGIN {name}-----\n{body}\n{draw(rng, BASE64, 22)}==\n-----END {name}-----"
    return block.replace("\n", "\\n") if escaped else block


def secrets(seed: int = 1) -> Iterator[Case]:
    """Yield texts with one secret each: about 250, from every family."""
    rng = Random(seed)
    for family, make in TOKENS.items():
        for around in rng.sample(AROUND, 6):
            token = make(rng)
            yield Case(around.format(token), ((family, token),))
        for hide in rng.sample(HIDDEN, 3):
            token = hide(make(rng), rng)
            yield Case(f"前は{token} でした", ((family, token),))
    for family, around, make in PLACED:
        secret = make(rng)
        yield Case(around.format(secret), ((family, secret),))
    for kind in KEY_KINDS:
        for form in rng.sample(KEY_FORMS, 2):
            block = private_key(rng, kind, escaped="{{" in form)
            yield Case(form.format(block), (("private_key", block),))


_PREFIXES: Final = (
    "sk-", "sk-proj-", "sk-ant-api03-", "ghp_", "github_pat_", "glpat-", "xoxb-", "AKIA", "AIza",
    "ya29.", "sk_live_", "rk_test_", "whsec_", "npm_", "pypi-", "hf_", "SG.",
)  # fmt: skip
_MASKS: Final = (
    "...", "…", "xxxxxxxxxxxxxxxxxxxxxxxx", "************", "<your-key>", "YOUR_KEY_HERE", "$KEY",
)  # fmt: skip

WRITTEN: Final = (
    # About secrets, in code and in documents.
    "password: str", "password: SecretStr", "token: Optional[str] = None", "token: Token | None",
    "password=os.environ['DB_PASSWORD']", "password = getpass.getpass('Password: ')",
    "const token = process.env.API_TOKEN;", "api_key=settings.OPENAI_API_KEY",
    "token: ${{ secrets.GITHUB_TOKEN }}", "password: {{ vault_db_password }}", "password=$DB_PASSWORD",
    "password=%DB_PASSWORD%", "password=<password>", "token: <token>", "secretKeyRef: {name: app}",
    "PASSWORD=********", "password=[redacted]", "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN", "Authorization: Bearer ${TOKEN}", "Authorization: Basic <base64>",
    "the token expires in 3600 seconds", "token limit: 128000", "max_tokens=4096", "tokens: 1532",
    "password must have at least 12 characters", "password: required", "Password (optional):",
    "passwords are hashed with argon2id", "the password is case-sensitive", "no password needed",
    "forgot your password?", "secret santa 2025", "a secret between us", "the secret is out",
    "token ring network", "tokenizer: cl100k_base", "passed 12 of 15", "pass: 15, fail: 2",
    "bypass=true", "compass: north12", "keyboard: us101", "monkey=banana1", "key: value1",
    "primary key: user_id", "foreign_key=orders.id", "key=lambda x: x[1]", "cache_key=user:123:v2",
    "password_hash varchar(255)", "password_reset_token_expires_at", "secret_name: app-config-v2",
    "def login(user: str, password: str) -> Token:", "login(user=user, password=password)",
    "if token == expected_token:", "token = tokens[0]", "self.password = password",
    "return {'token': make_token(user)}", "password.validate(min=8)", "pwd=/home/user1",
    "API key: see the vault", "api_key: read from the keychain", "your API key here",
    "rotate the access key every 90 days", "sk-learn 1.5", "sk-estimator-doc-link", "sk-toggleable",
    "sk-container-id-1", "sk-SK", "task-abcdefghijkl", "disk-usage-2024", "risk-assessment-report",
    "mask-rcnn-resnet50-fpn", "desk-lamp-led-2700k", "flask-sqlalchemy-3.1.1", "ask-me-anything",
    # Numbers and names that are long and mean no harm.
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK0wmN/Cr3JXqmLW7u+g9pTh+wyqDHpSQEIQczXkVx9q me@host",
    "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU", "-----BEGIN PUBLIC KEY-----\nMIIB\n",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIE\n-----END CERTIFICATE-----",
    "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQENBFx\n-----END PGP PUBLIC KEY BLOCK-----",
    "arn:aws:iam::123456789012:role/deploy", "s3://bucket-2025/logs/2025/12/18/part-0001.parquet",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    "https://example.com:8080/path?x=@foo", "https://example.com/a:b@c", "http://localhost:3000/",
    "postgres://localhost:5432/app", "postgres://user:<password>@host/db", "ssh://git@host:22/x",
    "postgres://user:${DB_PASSWORD}@host/db", "redis://cache:6379/0", "image: app:1.2.3@sha256:abc",
    "eyJhbGciOiJIUzI1NiJ9 is a header only", "AKIA is how the ids begin", "hf_hub_download(repo_id)",
    "npm_config_registry=https://registry.npmjs.org/", "npm_lifecycle_event", "ghp_ is the prefix",
    "xoxb tokens are for bots", "SG.html", "SKU12345678", "SKILL.md", "whsec_ for webhooks",
    "github_pat_ is fine-grained", "glpat- is for people", "AIza keys are public by design",
    "pypi-server 2.0", "hf_transfer==0.1.8", "sk_live_ is for production", "ya29. is short-lived",
    "discord.com/api/webhooks/{id}/{token}", "https://hooks.slack.com/services/T.../B.../...",
    "123456:ABC-DEF1234", "10:AA is a ratio", "M.N.O", "Next.config.js", "Module.exports.default",
    "sig=none", "?sig=unsigned", "AccountKey=<key>", "SharedAccessKeyName=RootManageSharedAccessKey",
    "v2.local.payload", "Bearer authentication", "bearer of good news 2025", "basic auth over TLS 1.3",
)  # fmt: skip


def look_alikes(seed: int = 1) -> Iterator[Case]:
    """Yield texts that resemble secrets and hold none: placeholders, hashes, ids, code, prose."""
    rng = Random(seed)
    for prefix in _PREFIXES:
        for mask in _MASKS:
            yield Case(f"set KEY to {prefix}{mask} in .env", ())
    for text in WRITTEN:
        yield Case(text, ())
    for _ in range(4):
        sha = draw(rng, HEX, 40)
        yield Case(f"commit {sha}", ())
        yield Case(f"{sha[:7]} Merge branch 'main'", ())
        yield Case(f"sha256:{draw(rng, HEX, 64)}", ())
        yield Case(f'"integrity": "sha512-{draw(rng, BASE64, 86)}=="', ())
        yield Case(f"md5 {draw(rng, HEX, 32)}  file.tar.gz", ())
        yield Case(f"{sha[:8]}-{sha[8:12]}-4{sha[13:16]}-a{sha[17:20]}-{sha[20:32]}", ())
        yield Case(f"request id {draw(rng, UPPER, 26)}", ())
        yield Case(f"https://example.com/{draw(rng, ALNUM, 22)}", ())
        yield Case(f'ETag: "{draw(rng, HEX, 32)}"', ())
        yield Case(f"order {draw(rng, string.digits, 13)} from build {draw(rng, string.digits, 6)}", ())

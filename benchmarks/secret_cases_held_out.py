"""A second batch of secrets and look-alikes, written after the detectors and in other styles."""

from collections.abc import Iterator
from random import Random
from typing import Final

from benchmarks.secret_cases import (
    ALNUM,
    BASE64,
    HEX,
    TOKENS,
    UPPER,
    WORD,
    Case,
    Maker,
    draw,
    private_key,
)

_AROUND: Final = (
    "    - name: TOKEN\n      value: {}\n",
    "ENV KEY={} \\\n    PORT=8080",
    "> quoted: {}\n> thanks",
    "const k = \"{}\"; // TODO rotate",
    "<add key=\"k\" value=\"{}\" />",
    "Slackに{}って貼られてた",
    "[link](https://x.example.com/#t={})",
    "\t{}\t2025-12-18\tok",
    "key={}, other=1",
    "«{}»",
)
_PLAIN: Final[Maker] = lambda rng: draw(rng, ALNUM, 20)
_PASS: Final[Maker] = lambda rng: rng.choice(["Zebra", "qwerty", "p@nda", "Mt.Fuji", "x-ray"]) + draw(
    rng, "0123456789", 4
)
_HEX64: Final[Maker] = lambda rng: draw(rng, HEX, 64)

_PLACED: Final[tuple[tuple[str, str, Maker], ...]] = (
    ("aws_secret", "[default]\naws_access_key_id = x\naws_secret_access_key={}\n",
     lambda rng: draw(rng, BASE64, 40)),
    ("aws_secret", "AWS_SECRET_KEY: {}", lambda rng: draw(rng, BASE64, 40)),
    ("aws_secret", "'aws_secret_access_key' => '{}'", lambda rng: draw(rng, BASE64, 40)),
    ("azure_key", "DefaultEndpointsProtocol=https;AccountName=a;AccountKey={};BlobEndpoint=x",
     lambda rng: draw(rng, BASE64, 86) + "=="),
    ("azure_key", "azure_client_secret: \"{}\"", lambda rng: draw(rng, ALNUM, 36)),
    ("database_url", "SQLALCHEMY_DATABASE_URI = 'mysql+pymysql://u:{}@h/d'", _PASS),
    ("database_url", "spring.datasource.url=jdbc:mysql://h/d?user=u&password={}&ssl=true", _PASS),
    ("database_url", "psql \"host=h dbname=d user=u password={} sslmode=require\"", _PASS),
    ("database_url", "rediss://default:{}@x.upstash.io:6379", _PLAIN),
    ("userinfo", "wget https://bob:{}@files.example.com/a.zip", _PASS),
    ("userinfo", "pip install --index-url https://ci:{}@pypi.example.com/simple x", _PLAIN),
    ("password", "POSTGRES_PASSWORD: {}", _PASS),
    ("password", "      MYSQL_ROOT_PASSWORD: \"{}\"", _PASS),
    ("password", "smtp_password = '{}'", _PASS),
    ("password", "ansible_become_pass: {}", _PASS),
    ("password", "keystore.password={}", _PASS),
    ("password", "Username: bob\nPassword: {}\n", _PASS),
    ("password", "user/pass: bob/x, and the admin password is '{}'", _PASS),
    ("password", "pw: {}", _PASS),
    ("password", "net use z: \\\\nas\\x /user:bob password={}", _PASS),
    ("password", "redis-cli -h r --pass {}", _PASS),
    ("password", "passphrase = \"{}\"", _PASS),
    ("password", "bind_password: {}", _PASS),
    ("token", "X-Auth-Token: {}", _PLAIN),
    ("token", "NEXTAUTH_SECRET=\"{}\"", _PLAIN),
    ("token", "DJANGO_SECRET_KEY={}", _PLAIN),
    ("token", "\"apiKey\" : \"{}\"", _PLAIN),
    ("token", "webhook_secret: {}", _HEX64),
    ("token", "signing_key={}", _HEX64),
    ("token", "refresh_token={}", _PLAIN),
    ("token", "cloudflare api token: {}", lambda rng: draw(rng, WORD, 40)),
    ("token", "DD_API_KEY={}", lambda rng: draw(rng, HEX, 32)),
    ("token", "secret: {}", _HEX64),
    ("header", "fetch(u, {{headers: {{Authorization: `Bearer {}`}}}})", _PLAIN),
    ("header", "authorization=Bearer%20x; Authorization: Token {}", _PLAIN),
    ("header", "headers = {{\"x-api-key\": \"{}\"}}", _PLAIN),
    ("header", "Ocp-Apim-Subscription-Key: {}", lambda rng: draw(rng, HEX, 32)),
)  # fmt: skip


def secrets(seed: int = 2) -> Iterator[Case]:
    """Yield about 100 texts with a secret each."""
    rng = Random(seed)
    for family, make in TOKENS.items():
        for around in rng.sample(_AROUND, 3):
            token = make(rng)
            yield Case(around.format(token), ((family, token),))
        token = make(rng)
        half = rng.randrange(12, len(token) - 4)
        broken = f"{token[:half]}\r\n> {token[half:]}"
        yield Case(f"> {broken}\r\n> regards", ((family, broken),))
    for family, around, make in _PLACED:
        secret = make(rng)
        yield Case(around.format(secret), ((family, secret),))
    for kind in ("RSA ", "OPENSSH ", "EC "):
        block = private_key(rng, kind, escaped=False).replace("\n", "\n    ")
        yield Case(f"key = <<EOF\n    {block}\nEOF", (("private_key", block),))


_WRITTEN: Final = (
    "password: 'string'", "Password: ____________", "password = input('pw: ')", "PASSWORD=changeme?",
    "password: process.env.DB_PASSWORD!", "password: config.get('db.password')", "pass = fail = 0",
    "password: z.string().min(8)", "token: string;", "token?: string | undefined", "secret: bytes",
    "password := os.Getenv(\"PW\")", "secret, err := vault.Read(path)", "Token t = lexer.next();",
    "token.type == TokenType.IDENT", "for token in tokens:", "token_count: 1024", "token budget 8k",
    "api_key_name: prod-key-1", "api_key_id", "export API_KEY", "unset API_KEY", "API_KEY=${API_KEY:-}",
    "secret/data/app#password", "aws secretsmanager get-secret-value --secret-id prod/app/db",
    "kubectl create secret generic app-secret-v2", "secretName: tls-example-com", "op://vault/item/password",
    "ssm:/prod/db/password", "arn:aws:secretsmanager:us-east-1:123456789012:secret:app-AbCdEf",
    "password reset link sent", "reset password within 24h", "password strength: 4/5", "2FA token entry",
    "passport: required", "passenger: 12A", "passing tests: 120/120", "compass=N45W", "pinned: 2.1.0",
    "pin: GPIO17", "ping: 12ms", "spin=0.5", "keynote: 10:30", "keyframes: 24fps", "hotkey: ctrl+k",
    "turkey: 12kg", "monkey patch v2", "keyword: python3", "sort_key=created_at", "partition_key: pk#1",
    "public_key: see below", "authorization: required", "authorization code flow with PKCE", "bearer: true",
    "Basic plan: $12", "basic usage 101", "author: bob2024", "authority=example.com", "credential helper: osxkeychain",
    "credentials: include", "withCredentials: true", "SK-II", "SKU: SK1234567", "sk-learn==1.5.0", "hf_cache/",
    "hf_home=/data/hf", "npm_package_version", "pypi-mirror", "glpat prefix", "AIzawa", "ASIAN", "AKIAK",
    "SG.UN", "ya29", "eyJ", "eyJh.eyJz.x", "xoxo", "whsec", "GR1348941", "8Q~", "1//0", "key-value store",
    "jdbc:postgresql://localhost/app?user=app", "https://example.com/?a=b@c", "mailto:a?b=c", "ftp://host/path@2x",
    "e3b0c442-98fc-1c14-9afb-f4c8996fb924", "0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "W/\"686897696a7c876b7e\"",
    "arn:aws:s3:::my-bucket-2025", "gs://bucket/2025/12/18", "refs/heads/feature/ABC-123-login",
    "pkg:npm/%40angular/core@17.0.0", "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "build+20251218.abc1234",
    "CVE-2025-12345", "RFC 9110 section 11.6.2", "urn:uuid:550e8400-e29b-41d4-a716-446655440000",
)  # fmt: skip


def look_alikes(seed: int = 2) -> Iterator[Case]:
    """Yield about 130 texts that hold no secret."""
    rng = Random(seed)
    for text in _WRITTEN:
        yield Case(text, ())
    for _ in range(4):
        yield Case(f"docker pull app@sha256:{draw(rng, HEX, 64)}", ())
        yield Case(f"trace_id={draw(rng, HEX, 32)} span_id={draw(rng, HEX, 16)}", ())
        yield Case(f"index {draw(rng, HEX, 7)}..{draw(rng, HEX, 7)} 100644", ())
        yield Case(f"session started: {draw(rng, UPPER, 10)}", ())
        yield Case(f"blob:{draw(rng, BASE64, 44)}", ())
        yield Case(f"https://cdn.example.com/assets/app.{draw(rng, HEX, 8)}.js", ())
        yield Case(f"youtu.be/{draw(rng, WORD, 11)}", ())
        yield Case(f"drive.google.com/file/d/{draw(rng, WORD, 33)}/view", ())

"""Secrets made up at run time from a seed, in the places people leave them, and look-alikes.

No credential is stored here or in `cases/`: every token is drawn anew from its family's form, so
nothing in the repository is, was or looks like a key that opens something.
"""

import re
import string
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

CASES: Final = Path(__file__).parent / "cases"
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
        [
            "glpat-",
            "gldt-",
            "glrt-",
            "glptt-",
            "glft-",
            "glimt-",
            "glagent-",
            "gloas-",
            "glsoat-",
            "glcbt-",
            "glffct-",
            "GR1348941",
            "routable",
        ]
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
            return (
                f"xoxp-{number}-{number[::-1]}-{draw(rng, string.digits, 13)}-{draw(rng, HEX, 32)}"
            )
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

HIDDEN: Final[tuple[Callable[[str, Random], str], ...]] = (
    lambda token, _: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in token),
    lambda token, rng: _split(token, rng, "\u200b"),
    lambda token, rng: _split(token, rng, "\u00ad"),
    lambda token, rng: _split(token, rng, "\u0301"),
    lambda token, rng: _split(token, rng, "\n"),
    lambda token, rng: _split(token, rng, "\r\n> "),
    lambda token, rng: _split(token, rng, "\n    "),
    lambda token, rng: _split(token, rng, "\u2060\u200f"),
)
"""Ways in which a token stands in a text and is not its own plain form."""


def _split(token: str, rng: Random, by: str) -> str:
    """Return the token with something in its body, four signs from its end or more."""
    place = rng.randrange(12, len(token) - 4)
    return f"{token[:place]}{by}{token[place:]}"


def _words(rng: Random) -> str:
    word = rng.choice(["hunter", "Tr0ub4dor", "correct-horse", "kaede", "S3cure!", "blue_whale"])
    return word + draw(rng, string.digits, rng.randrange(2, 5)) + rng.choice(["", "!", "x", "Z#"])


def _nickname(rng: Random) -> str:
    word = rng.choice(["Zebra", "qwerty", "p@nda", "Mt.Fuji", "x-ray"])
    return word + draw(rng, string.digits, 4)


# Secrets that only their surroundings give away.
_SHAPES: Final[dict[str, Maker]] = {
    "words": _words,
    "nickname": _nickname,
    "session": lambda rng: f"IQoJb3JpZ2luX2Vj{draw(rng, BASE64, 300)}==",
    "azure_secret": _azure_secret,
}
_CHARS: Final = {"base64": BASE64, "alnum": ALNUM, "hex": HEX, "word": WORD}

KEY_KINDS: Final = ("RSA ", "EC ", "", "ENCRYPTED ", "OPENSSH ", "DSA ", "PGP")


def _shaped(shape: str, rng: Random) -> str:
    """Return a secret of a shape: a name, or characters, how many, and what stands at the end."""
    if shape in _SHAPES:
        return _SHAPES[shape](rng)
    chars, length, *end = shape.split(":")
    return draw(rng, _CHARS[chars], int(length)) + "".join(end)


def private_key(rng: Random, kind: str, *, escaped: bool) -> str:
    """Return a block in PEM, or on one line with its line breaks spelled out."""
    name = "PGP PRIVATE KEY BLOCK" if kind == "PGP" else f"{kind}PRIVATE KEY"
    body = "\n".join(draw(rng, BASE64, 64) for _ in range(rng.randrange(3, 9)))
    block = f"-----BEGIN {name}-----\n{body}\n{draw(rng, BASE64, 22)}==\n-----END {name}-----"
    return block.replace("\n", "\\n") if escaped else block


def lines(name: str) -> Iterator[str]:
    """Yield the lines of a file of cases as they stand: its escapes are for `unescaped`."""
    for line in (CASES / name).read_text("utf-8").splitlines():
        if line and not line.startswith("# "):
            yield line


def unescaped(line: str) -> str:
    """Return a line with its line breaks, tabs and characters that are not drawn."""
    known = {r"\n": "\n", r"\t": "\t", r"\\": "\\"}
    return re.sub(
        r"\\(?:[nt\\]|u[0-9a-f]{4})",
        lambda found: known.get(found.group()) or chr(int(found.group().removeprefix("\\u"), 16)),
        line,
    )


def secrets(batch: int, *, seed: int = 1) -> Iterator[Case]:
    """Yield the texts of a batch with a secret each, from every family."""
    rng = Random(seed + batch)
    table = [line.split("\t", 2) for line in lines(f"secrets_{batch}.txt")]
    around = [unescaped(text) for family, _, text in table if family == "any"]
    for family, make in TOKENS.items():
        for text in rng.sample(around, 6 if batch == 1 else 3):
            token = make(rng)
            yield Case(text.replace("{}", token), ((family, token),))
        for hide in rng.sample(HIDDEN, 3 if batch == 1 else 1):
            token = hide(make(rng), rng)
            yield Case(f"前は{token} でした", ((family, token),))
    for family, shape, text in table:
        if family != "any":
            secret = _shaped(shape, rng)
            yield Case(unescaped(text).replace("{}", secret), ((family, secret),))
    for kind in KEY_KINDS:
        for text, escaped in (("鍵：{}以上", False), ('{"private_key": "{}"}', True)):
            block = private_key(rng, kind, escaped=escaped)
            yield Case(text.replace("{}", block), (("private_key", block),))


_PREFIXES: Final = [
    "sk-",
    "sk-proj-",
    "sk-ant-api03-",
    "ghp_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "AKIA",
    "AIza",
    "ya29.",
    "sk_live_",
    "rk_test_",
    "whsec_",
    "npm_",
    "pypi-",
    "hf_",
    "SG.",
]
_MASKS: Final = [
    "...",
    "…",
    "xxxxxxxxxxxxxxxxxxxxxxxx",
    "************",
    "<your-key>",
    "YOUR_KEY_HERE",
    "$KEY",
]


def look_alikes(batch: int, *, seed: int = 1) -> Iterator[Case]:
    """Yield texts that resemble secrets and hold none: placeholders, hashes, ids, code, prose."""
    rng = Random(seed + batch)
    for line in lines(f"look_alikes_{batch}.txt"):
        yield Case(unescaped(line), ())
    if batch == 1:
        for prefix in _PREFIXES:
            for mask in _MASKS:
                yield Case(f"set KEY to {prefix}{mask} in .env", ())
    for _ in range(4 if batch == 1 else 2):
        sha = draw(rng, HEX, 40)
        yield Case(f"commit {sha}", ())
        yield Case(f"{sha[:7]} Merge branch 'main'", ())
        yield Case(f"app@sha256:{draw(rng, HEX, 64)}", ())
        yield Case(f'"integrity": "sha512-{draw(rng, BASE64, 86)}=="', ())
        yield Case(f"md5 {draw(rng, HEX, 32)}  file.tar.gz", ())
        yield Case(f"{sha[:8]}-{sha[8:12]}-4{sha[13:16]}-a{sha[17:20]}-{sha[20:32]}", ())
        yield Case(f"request id {draw(rng, UPPER, 26)}", ())
        yield Case(f"https://example.com/{draw(rng, ALNUM, 22)}", ())
        yield Case(f'ETag: "{draw(rng, HEX, 32)}"', ())
        number = draw(rng, string.digits, 13)
        yield Case(f"order {number} from build {draw(rng, string.digits, 6)}", ())
        yield Case(f"trace_id={draw(rng, HEX, 32)} span_id={draw(rng, HEX, 16)}", ())
        yield Case(f"drive.google.com/file/d/{draw(rng, WORD, 33)}/view", ())

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

from benchmarks.secret_tokens import (
    ALNUM,
    BASE64,
    HEX,
    TOKENS,
    UPPER,
    WORD,
    Maker,
    azure_secret,
    draw,
)

CASES: Final = Path(__file__).parent / "cases"


class Case(NamedTuple):
    """A text, and what in it is to be found: (family, secret); nothing in a look-alike."""

    text: str
    planted: tuple[tuple[str, str], ...]


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
    "azure_secret": azure_secret,
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

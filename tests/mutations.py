"""Policies gone wrong: what a hand, an editor or an attacker makes of a good one."""

import random
import re
from collections.abc import Callable
from typing import Final

Mutation = Callable[[random.Random, str], str]

_KEY: Final = re.compile(r"[A-Za-z_]+(?=:)")
_SCALAR: Final = re.compile(r"(?<=: )[^\s{\[#,}\]]+")
_QUOTE: Final = re.compile("[\"']")
_ODD: Final = ("\0", "\x1b", "\x7f", "\x85", "\u200b", "\u202e", "\u2028", "\ufeff", "\U000e0041")
_VALUES: Final = (
    "null", "true", "1", "-1", "1e400", ".nan", "[]", "{}", "[a, {b: c}]", "{a: {b: [1]}}", "''",
    "inf", "7days", "2025-12-18", "'*'", "0x10", "日本", "🙂", '"\\uD800"', "999999999999999999999",
)  # fmt: skip
_MARKS: Final = (
    "&a ",
    "*a",
    "!!str ",
    "!x ",
    "!<tag:a> ",
    "<<: ",
    "? ",
    "- ",
    "|\n",
    "> ",
    "%YAML 1.1\n",
    "---\n",
    "...\n",
    "@",
    "`",
    "\t",
    ": ",
    "#",
    "{{",
    "}}",
)


def _line(draw: random.Random, text: str) -> tuple[list[str], int]:
    lines = text.split("\n")
    return lines, draw.randrange(len(lines))


def _spot(draw: random.Random, text: str, pattern: re.Pattern[str]) -> tuple[int, int]:
    found = list(pattern.finditer(text))
    return draw.choice(found).span() if found else (0, 0)


def drop_line(draw: random.Random, text: str) -> str:
    lines, at = _line(draw, text)
    return "\n".join(lines[:at] + lines[at + 1 :])


def repeat_line(draw: random.Random, text: str) -> str:
    lines, at = _line(draw, text)
    return "\n".join([*lines[: at + 1], *lines[at:]])


def swap_lines(draw: random.Random, text: str) -> str:
    lines, at = _line(draw, text)
    other = draw.randrange(len(lines))
    lines[at], lines[other] = lines[other], lines[at]
    return "\n".join(lines)


def indent(draw: random.Random, text: str) -> str:
    lines, at = _line(draw, text)
    lines[at] = draw.choice([" ", "  ", "\t", "   ", "\u3000"]) + lines[at]
    return "\n".join(lines)


def outdent(draw: random.Random, text: str) -> str:
    lines, at = _line(draw, text)
    lines[at] = lines[at].removeprefix(" ")
    return "\n".join(lines)


def rename_key(draw: random.Random, text: str) -> str:
    start, end = _spot(draw, text, _KEY)
    key = text[start:end]
    cut = draw.randrange(len(key) + 1)
    new = draw.choice(
        [key[:cut] + key[cut + 1 :], key[:cut] + "x" + key[cut:], key.upper(), "鍵", "x"]
    )
    return text[:start] + new + text[end:]


def other_value(draw: random.Random, text: str) -> str:
    start, end = _spot(draw, text, _SCALAR)
    return text[:start] + draw.choice(_VALUES) + text[end:]


def flip_quote(draw: random.Random, text: str) -> str:
    start, end = _spot(draw, text, _QUOTE)
    return text[:start] + draw.choice(["", "'", '"', '\\"', "“"]) + text[end:]


def put_mark(draw: random.Random, text: str) -> str:
    at = draw.randrange(len(text) + 1)
    return text[:at] + draw.choice(_MARKS) + text[at:]


def put_odd(draw: random.Random, text: str) -> str:
    at = draw.randrange(len(text) + 1)
    return text[:at] + draw.choice(_ODD) + text[at:]


def mark_value(draw: random.Random, text: str) -> str:
    start, _ = _spot(draw, text, _SCALAR)
    return text[:start] + draw.choice(_MARKS[:5]) + text[start:]


def cut_short(draw: random.Random, text: str) -> str:
    return text[: draw.randrange(len(text) + 1)]


def move_piece(draw: random.Random, text: str) -> str:
    start = draw.randrange(len(text) + 1)
    piece = text[start : start + draw.randrange(40)]
    rest = text[:start] + text[start + len(piece) :]
    at = draw.randrange(len(rest) + 1)
    return rest[:at] + piece + rest[at:]


def spoil_byte(draw: random.Random, text: str) -> str:
    """Return the text with one byte of it changed, as a program that guesses would read it."""
    raw = bytearray(text.encode("utf-8", "surrogatepass"))
    if raw:
        raw[draw.randrange(len(raw))] = draw.randrange(256)
    return raw.decode("utf-8", "surrogateescape")


def new_key(draw: random.Random, text: str) -> str:
    lines, at = _line(draw, text)
    indent_of = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    lines.insert(
        at,
        f"{indent_of}{draw.choice(['x', '設定', 'allow', 'scopes', 'ttl'])}: {draw.choice(_VALUES)}",
    )
    return "\n".join(lines)


MUTATIONS: Final[tuple[Mutation, ...]] = (
    drop_line, repeat_line, swap_lines, indent, outdent, rename_key, other_value, flip_quote,
    put_mark, put_odd, mark_value, cut_short, move_piece, spoil_byte, new_key,
)  # fmt: skip


def mutated(draw: random.Random, text: str) -> tuple[str, str]:
    """Return a text with one to three things gone wrong, and the name of the first."""
    chosen = [draw.choice(MUTATIONS) for _ in range(draw.choice([1, 1, 1, 2, 3]))]
    for one in chosen:
        text = one(draw, text)
    return text, chosen[0].__name__

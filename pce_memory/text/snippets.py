"""Snippets that keep to a budget of bytes: each field cut, each item whole or not at all. Pure."""

import json
from collections.abc import Mapping, Sequence
from typing import Final

DOTS: Final = "..."
MAX_BUDGET: Final = 12_288
LONGEST: Final[Mapping[str, int]] = {"title": 160, "abst": 480, "claim": 320, "desc": 400}
SHORTEST: Final[Mapping[str, int]] = {"title": 80, "abst": 240, "claim": 160, "desc": 200}
OTHER: Final = "abst"
"""A field of another name is cut as an abstract is."""


def cut(text: str, limit: int) -> str:
    """Return at most so many characters; what was cut ends with three dots, which count.

    >>> cut("サーバーは東京にある。", 8), cut("abcdef", 3), cut("abc", 3)
    ('サーバーは...', 'abc', 'abc')
    """
    if len(text) <= limit:
        return text
    return text[: max(limit, 0)] if limit <= len(DOTS) else text[: limit - len(DOTS)] + DOTS


def limits(
    fields: Sequence[str], budget: int, asked: Mapping[str, int] | None = None
) -> Mapping[str, int]:
    """Return how many characters of each field are shown.

    What is asked is kept between the shortest and the longest of the field. Where all together
    are more than the budget leaves for one item, they shrink alike, to the shortest at most.
    """
    wanted = {name: _within(name, (asked or {}).get(name)) for name in fields}
    allowed = max(budget - (64 + 24 * len(fields)), 64)
    whole = sum(wanted.values())
    if whole <= allowed:
        return wanted
    return {name: max(shortest(name), limit * allowed // whole) for name, limit in wanted.items()}


def shortest(name: str) -> int:
    """Return how many characters of a field are shown at the least."""
    return SHORTEST.get(name, SHORTEST[OTHER])


def _within(name: str, asked: int | None) -> int:
    most = LONGEST.get(name, LONGEST[OTHER])
    return most if asked is None else min(most, max(shortest(name), asked))


def size_of(items: Sequence[Mapping[str, object]]) -> int:
    """Return how many bytes items are as a JSON list in UTF-8.

    >>> size_of([{"a": "あ"}])
    13
    """
    return len(_json(items))


def _json(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def fitting(items: Sequence[Mapping[str, object]], budget: int) -> int:
    """Return how many of the first items fit: the brackets and commas of the list count.

    >>> fitting([{"a": 1}, {"a": 2}], 16), fitting([{"a": 1}, {"a": 2}], 17)
    (1, 2)
    """
    used = 2
    for count, item in enumerate(items):
        used += len(_json(item)) + (1 if count else 0)
        if used > budget:
            return count
    return len(items)

"""Find where any of many patterns begins, with RE2: one pass, however many there are."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeAlias, cast

QuickSearch: TypeAlias = Callable[[str], Iterator[tuple[int, int]]]
_MEMORY = 64 << 20


class _Hit(Protocol):
    def span(self) -> tuple[int, int]: ...


class _Compiled(Protocol):
    def finditer(self, text: bytes) -> Iterator[_Hit]: ...


class _Engine(Protocol):
    """RE2, which has no types of its own, for patterns of bytes."""

    def compile(self, pattern: bytes, options: object) -> _Compiled: ...


def quick_search(patterns: Sequence[str]) -> QuickSearch:
    """Return a function that yields where the patterns match, from left to right.

    They are patterns of ASCII; any other character of a text is a question mark to them, so that
    a place in the bytes is the place in the text. RE2 is imported here, not with the module: a
    process that looks at no text has no need of it.

    >>> list(quick_search(["ab", "(?i)x[0-9]"])("ab é X1 ab"))
    [(0, 2), (5, 7), (8, 10)]
    """
    import re2  # noqa: PLC0415

    options = re2.Options()
    options.max_mem = _MEMORY
    options.log_errors = False
    joined = "|".join(f"(?:{pattern})" for pattern in patterns).encode("ascii")
    compiled = cast("_Engine", re2).compile(joined, options)

    def search(text: str) -> Iterator[tuple[int, int]]:
        return (hit.span() for hit in compiled.finditer(text.encode("ascii", "replace")))

    return search

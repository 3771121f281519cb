"""What stands between the engine and any tokenizer: terms that are texts come out, or a fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set as AbstractSet
from typing import TYPE_CHECKING, Final, cast

from returns.result import Failure, Result, Success

from pce_memory.adapters.foreign_names import named
from pce_memory.adapters.foreign_parts import an_object, part_of
from pce_memory.adapters.raised import RAISED
from pce_memory.deps.callables import TEXT, function_of
from pce_memory.errors import InvalidParameter, MemoryFault
from pce_memory.result import collect
from pce_memory.text.tokenizer import NgramTokenizer

if TYPE_CHECKING:
    from pce_memory.deps import Tokenizer

_METHODS: Final = ("terms", "query_terms", "needed_terms")
_UNFIT: Final = (str, bytes, Mapping, AbstractSet)
"""Of these can be read one by one what are no terms, or not the same ones in each process."""


class SafeTokenizer:
    """A tokenizer of the host's, whose id was read once.

    It is called deep inside, where no Result leads out: what it does wrong is raised as a
    `MemoryFault`, which the operations turn into the failure it carries. Of what it raised only
    the kind is told: the rest may quote the text.
    """

    def __init__(self, given: Tokenizer, name: str) -> None:
        self._given = given
        self.id = name

    def terms(self, text: str) -> list[str]:
        """Return the terms of a text, as often as they occur."""
        return _cut("terms", lambda: self._given.terms(text))

    def query_terms(self, text: str) -> list[str]:
        """Return the terms that a query asks for."""
        return _cut("query_terms", lambda: self._given.query_terms(text))

    def needed_terms(self, phrase: str) -> list[str]:
        """Return terms that are in every text that holds the phrase."""
        return _cut("needed_terms", lambda: self._given.needed_terms(phrase))


def _cut(method: str, ask: Callable[[], object]) -> list[str]:
    try:
        fault, found = _texts(ask())
    except RAISED as error:
        raise MemoryFault(_unfit(f"its {method} raised {type(error).__name__}")) from None
    if fault:
        raise MemoryFault(_unfit(f"its {method} gave {fault}; it gives a list of texts"))
    return found


def _texts(given: object) -> tuple[str, list[str]]:
    """Return what is wrong with terms, and the terms if nothing is."""
    kind = type(given).__name__
    if not isinstance(given, Iterable) or isinstance(given, _UNFIT):
        return f"a {kind}", []
    found = list(cast("Iterable[object]", given))
    for one in found:
        if not isinstance(one, str):
            return f"a term that is a {type(one).__name__}", []
    plain = [str(one) for one in found]
    try:
        _ = "".join(plain).encode()
    except UnicodeEncodeError:
        return "a term with half a character (a lone surrogate)", []
    return "", plain


def checked(given: object) -> Result[Tokenizer, InvalidParameter]:
    """Return any tokenizer made safe, or what it lacks."""
    if isinstance(given, SafeTokenizer) or type(given) is NgramTokenizer:
        return Success(given)
    return Result.do(
        _safe(given, name)
        for _ in an_object(given, "tokenizer")
        for _ in collect(_method(given, method) for method in _METHODS)
        for said in part_of(given, "id", "tokenizer")
        for name in named(said, "tokenizer", "id")
    )


def _method(given: object, method: str) -> Result[object, InvalidParameter]:
    return Result.do(
        found
        for own in part_of(given, method, "tokenizer")
        for found in (Success(own) if callable(own) else Failure(_lacks(given, method)))
        for _ in function_of("tokenizer", own, TEXT, called=f"its {method}")
    )


def _lacks(given: object, method: str) -> InvalidParameter:
    needs = f"a tokenizer has id, {', '.join(_METHODS)}"
    return _unfit(f"{type(given).__name__} has no {method}; {needs}")


def _safe(given: object, name: str) -> Tokenizer:
    return SafeTokenizer(cast("Tokenizer", given), name)


def _unfit(reason: str) -> InvalidParameter:
    return InvalidParameter("tokenizer", reason)

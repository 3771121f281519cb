"""Which things hold all of some terms, each in several texts: to forget what is about somebody."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from pce_memory.deps import CoreDeps

K = TypeVar("K", int, str)


def with_all(wanted: frozenset[str], held: Iterable[tuple[K, frozenset[str]]]) -> tuple[K, ...]:
    """Return the keys of what holds every term, in whichever of its texts, in order.

    >>> with_all(frozenset("ab"), [(2, frozenset("a")), (1, frozenset("ab")), (2, frozenset("b"))])
    (1, 2)
    """
    terms_by_key: dict[K, set[str]] = {}
    for key, terms in held:
        terms_by_key.setdefault(key, set()).update(terms)
    return tuple(sorted(key for key, terms in terms_by_key.items() if terms >= wanted))


def terms_held(
    deps: CoreDeps, wanted: frozenset[str], texts: Iterable[tuple[K, str]]
) -> Iterator[tuple[K, frozenset[str]]]:
    """Yield what holds which of the terms; a text that many have is looked at once."""
    terms_by_text: dict[str, frozenset[str]] = {}
    for key, text in texts:
        if text not in terms_by_text:
            terms_by_text[text] = wanted.intersection(deps.tokenizer.terms(text))
        if terms_by_text[text]:
            yield key, terms_by_text[text]

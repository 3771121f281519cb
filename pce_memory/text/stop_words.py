"""The words of a question that say how it asks, not what it asks about."""

from collections.abc import Sequence
from typing import Final

from pce_memory.text.tokens import query_terms, terms

_ENGLISH: Final = """
a about after all also am an and any are as at be because been before being both but by can could
did do does doing down during each few for from had has have having he her here hers him his how i
if in into is it its just me more most my no nor not of off on once only or other our out over own
please should so some such tell than that the their them then there these they this those through
to too under until up us was we were what when where which while who whom whose why will with would
you your
"""

STOP_TERMS: Final = frozenset(terms(_ENGLISH)) | frozenset(terms("何 誰"))
"""Terms, as the index has them, that a question may lose."""


def asked_terms(text: str) -> list[str]:
    """Return the terms of a question without those that only ask; all of them if none is left.

    Texts keep every term: their length counts in the ranking, and a quotation may be looked for.

    >>> asked_terms("What is the name of the cat?")
    ['name', 'cat']
    >>> asked_terms("who are you")
    ['who', 'ar', 'you']
    """
    return without_stop_terms(query_terms(text))


def without_stop_terms(found: Sequence[str]) -> list[str]:
    """Return the terms that do not only ask; all of them if none is left.

    >>> without_stop_terms(["who", "red"]), without_stop_terms(["who"])
    (['red'], ['who'])
    """
    return [term for term in found if term not in STOP_TERMS] or list(found)

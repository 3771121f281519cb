"""Which top_k would show a claim: tried once, for the first ranks do not depend on top_k."""

from collections.abc import Callable

from returns.result import Result, Success

from pce_memory.domain.explanation import SearchStanding
from pce_memory.domain.query import MOST_ITEMS, Query
from pce_memory.errors import CoreError
from pce_memory.retriever.standing import Told, enough


def with_enough(
    told: Told, query: Query, search: Callable[[Query], Result[Told, CoreError]]
) -> Result[SearchStanding, CoreError]:
    """Return how a claim stands, with the top_k that would show it where that is what it lacks.

    Its rank does not tell: of claims that stand level the ids decide, and some may be passed over.
    """
    last = told.checks[-1]
    if last.check != "top_k" or last.passed:
        return Success(told.standing)

    def with_change(most: Told) -> SearchStanding:
        change = (enough(most.standing.shown_at or MOST_ITEMS + 1),)
        return told.standing.model_copy(update={"change": change})

    return search(query.model_copy(update={"top_k": MOST_ITEMS})).map(with_change)

"""Which top_k would show a claim: tried, for with top_k the lanes grow too."""

from collections.abc import Callable

from returns.result import Failure, Result, Success

from pce_memory.domain.explanation import SearchStanding
from pce_memory.domain.query import Query
from pce_memory.errors import CoreError
from pce_memory.retriever.standing import MOST, Told, enough


def with_enough(
    told: Told, query: Query, search: Callable[[Query], Result[Told, CoreError]]
) -> Result[SearchStanding, CoreError]:
    """Return how a claim stands, with a top_k that was tried where that is what it lacks.

    With top_k the lanes grow, so more may come before it than there were.
    """
    last = told
    while last.checks[-1].check == "top_k" and not last.checks[-1].passed:
        # Of claims that stand level the rank does not say which is shown first: one more at least.
        wanted = max(last.standing.rank or 1, last.standing.top_k + 1)
        if wanted > MOST:
            break
        tried = search(query.model_copy(update={"top_k": wanted}))
        if isinstance(tried, Failure):
            return tried
        last = tried.unwrap()
    if last is told:
        return Success(told.standing)
    shown = last.standing.shown_at and last.standing.top_k
    change = (enough(shown or MOST + 1),)
    return Success(told.standing.model_copy(update={"change": change}))

"""The one place where whatever a reranker raises becomes a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from returns.result import Failure, Result, Success

from pce_memory.adapters.raised import RAISED, kind_of
from pce_memory.deps import RerankingFailed

if TYPE_CHECKING:
    from collections.abc import Callable

    from pce_memory.deps import WhyNot

T = TypeVar("T")


def attempt(
    work: Callable[[], T],
    provider: str,
    why: WhyNot,
    *,
    say: Callable[[BaseException], str] = kind_of,
) -> Result[T, RerankingFailed]:
    """Run a reranker's code; whatever it raises is returned as RerankingFailed."""
    try:
        return Success(work())
    except RAISED as fault:
        return Failure(RerankingFailed(provider, why, say(fault)))

"""The one place where whatever a reranker raises becomes a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from returns.result import Failure, Result, Success

from pce_memory.adapters.embedders.attempt import kind_of
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
    # Other people's code, from native libraries to a caller's own function: no list of names is
    # long enough, and it may call sys.exit. An interrupt passes.
    except (Exception, SystemExit, GeneratorExit) as fault:  # noqa: BLE001
        return Failure(RerankingFailed(provider, why, say(fault)))

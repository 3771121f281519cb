"""A reranker made of a function that takes a query and texts and returns scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from pce_memory.adapters.foreign_names import name_of_function
from pce_memory.adapters.foreign_parts import opened
from pce_memory.deps.callables import QUERY_AND_TEXTS, function_of
from pce_memory.errors import or_raise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from returns.result import Result

    from pce_memory.deps import Reranker, RerankingFailed


@dataclass(frozen=True, slots=True)
class _FunctionReranker:
    function: Callable[[str, list[str]], object]
    model_id: str
    probabilities: bool

    def score(self, query: str, texts: Sequence[str]) -> Result[Sequence[float], RerankingFailed]:
        # What the function raises or really gives is judged by SafeReranker, as of any reranker.
        given = opened(self.function(query, list(texts)))
        return cast("Result[Sequence[float], RerankingFailed]", given)


def from_callable(
    function: Callable[[str, list[str]], object],
    *,
    model_id: str | None = None,
    probabilities: bool = False,
) -> Reranker:
    """Return a reranker over `function`: a query and texts in, scores out, a list or an array.

    `model_id` is what activations record; without one it is the name of the function. Scores are
    logits unless they are said to be `probabilities`. What cannot be called with a query and a
    list of texts raises `MemoryFault`.
    """
    or_raise(function_of("function", function, QUERY_AND_TEXTS))
    return _FunctionReranker(function, model_id or name_of_function(function), probabilities)

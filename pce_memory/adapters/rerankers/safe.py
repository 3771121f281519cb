"""What stands between the engine and any reranker: clean texts in, probabilities out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set as AbstractSet
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final, cast

from returns.result import Failure, Result, Success

from pce_memory.adapters.foreign_names import named
from pce_memory.adapters.foreign_numbers import number_of, plainly
from pce_memory.adapters.foreign_parts import an_object, opened, part_of
from pce_memory.adapters.rerankers.attempt import attempt
from pce_memory.deps import RerankingFailed
from pce_memory.deps.callables import QUERY_AND_TEXTS, function_of
from pce_memory.errors import InvalidParameter
from pce_memory.scoring.rerank import sigmoid
from pce_memory.text.sanitize import sanitize

if TYPE_CHECKING:
    from collections.abc import Callable

    from pce_memory.deps import Reranker, WhyNot

MAX_CHARS: Final = 20_000
_ROUNDING: Final = 1e-6
"""A probability computed in single precision may stand so far outside [0, 1]."""


class SafeReranker:
    """Any reranker, made safe: it never raises, and gives probabilities or RerankingFailed.

    Texts are sanitised and cut to `max_chars`; a text that comes twice is handed on once. Logits
    become probabilities by the logistic function, which keeps their order. What the reranker
    itself says when it fails may quote what it was given, so only `why` is told of it. Safe to
    share between threads if the reranker is.
    """

    probabilities: Final = True

    def __init__(
        self,
        provider: Reranker,
        model_id: str,
        *,
        probabilities: bool = False,
        max_chars: int = MAX_CHARS,
    ) -> None:
        self._provider = provider
        self._given_probabilities = probabilities
        self._max_chars = max_chars
        self.model_id = model_id

    def score(self, query: str, texts: Sequence[str]) -> Result[Sequence[float], RerankingFailed]:
        """Return how probable it is that each text answers the query, in order."""
        clean = [self._clean(text) for text in texts]
        unique = list(dict.fromkeys(clean))
        if not unique:
            return Success(())

        def in_order(scores: Sequence[float]) -> Sequence[float]:
            known = dict(zip(unique, scores, strict=True))
            return [known[text] for text in clean]

        return self._scores(self._clean(query), unique).map(in_order)

    def _clean(self, text: str) -> str:
        return sanitize(text, max_chars=self._max_chars)

    def _scores(self, query: str, texts: list[str]) -> Result[Sequence[float], RerankingFailed]:
        name, count = self.model_id, len(texts)
        # The reranker gets a copy: what it does to its list must not change ours.
        asked: Callable[[], object] = partial(self._provider.score, query, list(texts))
        return Result.do(
            scores
            for given in attempt(asked, name, "raised")
            for found in opened(given).alt(self._failed_itself)
            for numbers in attempt(partial(_numbers, found, count), name, "no_numbers")
            for scores in self._judged(numbers, count)
        )

    def _failed_itself(self, error: object) -> RerankingFailed:
        reason = error.reason if isinstance(error, RerankingFailed) else ""
        return RerankingFailed(self.model_id, "failed", reason or "it gave a Failure")

    def _judged(
        self, numbers: Sequence[float], count: int
    ) -> Result[Sequence[float], RerankingFailed]:
        if len(numbers) != count:
            told = f"it gave {'more' if len(numbers) > count else len(numbers)} for {count} texts"
            return self._unusable("wrong_count", told)
        if not all(map(math.isfinite, numbers)):
            return self._unusable("not_finite", "a score is NaN or infinite")
        if not self._given_probabilities:
            return Success([sigmoid(one) for one in numbers])
        if not all(-_ROUNDING <= one <= 1.0 + _ROUNDING for one in numbers):
            return self._unusable("out_of_range", "a score is no probability")
        return Success([min(1.0, max(0.0, one)) for one in numbers])

    def _unusable(self, why: WhyNot, reason: str) -> Failure[RerankingFailed]:
        return Failure(RerankingFailed(self.model_id, why, reason))


def _numbers(given: object, count: int) -> list[float]:
    """Return the numbers of a list, an array or an iterator; of a long one, one too many."""
    if isinstance(given, (str, bytes, Mapping, AbstractSet)):
        raise TypeError("these are no numbers in an order")
    plain = plainly(given)
    return [number_of(one) for one in islice(cast("Iterable[object]", plain), count + 1)]


def checked(provider: Reranker) -> Result[SafeReranker, InvalidParameter]:
    """Return any reranker made safe, or what it lacks."""
    if isinstance(provider, SafeReranker):
        return Success(provider)
    name = type(provider).__name__
    return Result.do(
        SafeReranker(provider, model_id, probabilities=probabilities is True)
        for _ in an_object(provider, "reranker")
        for score in part_of(provider, "score", "reranker")
        for _ in (
            Success(None)
            if callable(score)
            else _invalid(
                f"{name} has no score; a reranker has model_id and score, or is callable"
            )
        )
        for _ in function_of("reranker", score, QUERY_AND_TEXTS, called="its score")
        for given in part_of(provider, "model_id", "reranker")
        for model_id in named(given, "reranker")
        for probabilities in part_of(provider, "probabilities", "reranker")
    )


def _invalid(reason: str) -> Failure[InvalidParameter]:
    return Failure(InvalidParameter("reranker", reason))

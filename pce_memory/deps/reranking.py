"""What a reranker is: a model of the host's that says how well texts answer a query."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Protocol, TypeAlias, runtime_checkable

from returns.result import Result

WhyNot: TypeAlias = Literal[
    "raised", "failed", "no_numbers", "wrong_count", "not_finite", "out_of_range"
]
"""Why there are no scores, in fixed words: they may stand in an event."""


@dataclass(frozen=True, slots=True)
class RerankingFailed:
    """A reranker gave no usable scores.

    It is no `CoreError`, for no operation fails by it: the search goes on without a reranker and
    leaves an event with `code` and `why`. `reason` is for who asks the reranker itself.
    """

    code: ClassVar[str] = "RERANKING_FAILED"
    provider: str
    why: WhyNot
    reason: str = field(default="", repr=False)

    @property
    def message(self) -> str:
        """Name the reranker and, where known, the reason."""
        return f"Reranking failed for provider {self.provider}: {self.reason or self.why}"


class Reranker(Protocol):
    """Says how well each of some texts answers a query, judging both together.

    `model_id` names the weights. The texts are those that the caller may see, redacted as they are
    shown; so is the query. Higher is better. The scores are taken for logits, which may be any
    finite numbers, unless the reranker is `Probabilistic`.
    """

    @property
    def model_id(self) -> str:
        """The name of the weights."""
        ...

    def score(self, query: str, texts: Sequence[str]) -> Result[Sequence[float], RerankingFailed]:
        """Return a score for each of the texts, in order."""
        ...


@runtime_checkable
class Probabilistic(Protocol):
    """What a Reranker may be too: if `probabilities` is true its scores are in [0, 1] already."""

    @property
    def probabilities(self) -> bool:
        """Whether the scores are probabilities, not logits."""
        ...


__all__ = ["Probabilistic", "Reranker", "RerankingFailed", "WhyNot"]

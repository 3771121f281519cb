"""What the search utilities take and give: ranked lists, weights, results, verdicts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeAlias, TypeVar

DeduplicationStrategy: TypeAlias = Literal["max_score", "sum_score", "first", "last"]
Direction: TypeAlias = Literal["asc", "desc"]
Language: TypeAlias = Literal["ja", "en"]
Relevance: TypeAlias = Literal["correct", "ambiguous", "incorrect"]


class HasScore(Protocol):
    """Whatever has a score."""

    @property
    def score(self) -> float:
        """How well it fits."""
        ...


class Scored(HasScore, Protocol):
    """Whatever has an id and a score."""

    @property
    def id(self) -> str:
        """Its name; what has the same id is the same."""
        ...


ScoredT = TypeVar("ScoredT", bound=HasScore)


@dataclass(frozen=True, slots=True)
class RankedItem:
    """What a strategy found, and at which rank, from 1."""

    id: str
    rank: int
    original_score: float | None = None


@dataclass(frozen=True, slots=True)
class RankedLists:
    """What each strategy found."""

    keyword: Sequence[RankedItem] = ()
    semantic: Sequence[RankedItem] = ()
    graph: Sequence[RankedItem] = ()


@dataclass(frozen=True, slots=True)
class SearchWeights:
    """What each strategy counts; together 1."""

    keyword: float = 0.35
    semantic: float = 0.35
    graph: float = 0.30


@dataclass(frozen=True, slots=True)
class ScoreBreakdown:
    """What each strategy gave to a score; 0 where it did not find it."""

    keyword: float = 0.0
    semantic: float = 0.0
    graph: float = 0.0


@dataclass(frozen=True, slots=True)
class RRFResult:
    """A fused result: its score is the sum of the breakdown."""

    id: str
    rrf_score: float
    score_breakdown: ScoreBreakdown


@dataclass(frozen=True, slots=True)
class MergeConfig:
    """How results are merged: at most `max_results`, of `min_score` or more; None is no bound."""

    deduplication_strategy: DeduplicationStrategy = "max_score"
    max_results: int | None = None
    min_score: float | None = None


@dataclass(frozen=True, slots=True)
class SortOptions(Generic[ScoredT]):
    """How results are sorted; `tie_breaker` compares those of one score, below 0 is first."""

    direction: Direction = "desc"
    tie_breaker: Callable[[ScoredT, ScoredT], float] | None = None


@dataclass(frozen=True, slots=True)
class QueryExpansionConfig:
    """How a query is expanded."""

    max_expansions: int = 5
    include_synonyms: bool = True
    include_related: bool = True
    language: Language = "en"


Synonyms: TypeAlias = Mapping[str, Sequence[str]]
"""What stands beside a term: `synonyms` and `related`, each a list of terms."""
Dictionary: TypeAlias = Mapping[str, Mapping[str, Synonyms]]
"""Terms by language."""


@dataclass(frozen=True, slots=True)
class ExpansionMetadata:
    """How many of each kind were returned."""

    synonym_count: int = 0
    related_count: int = 0


@dataclass(frozen=True, slots=True)
class ExpandedQuery:
    """A query and what it was expanded by: the query itself is not among it."""

    original: str
    expanded: tuple[str, ...] = ()
    metadata: ExpansionMetadata = ExpansionMetadata()


@dataclass(frozen=True, slots=True)
class CRAGScore:
    """Whether what was found answers: correct, ambiguous or incorrect.

    `needs_web_search` tells that an answer has to be looked for elsewhere; nothing here does so.
    `refined_query` is for whoever refines one.
    """

    relevance: Relevance
    confidence: float
    needs_web_search: bool
    refined_query: str | None = None

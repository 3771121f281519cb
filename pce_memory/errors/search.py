"""What the search utilities refuse: the design's codes, messages and details.

They are values of their own union, for the functions stand by themselves; within the engine
`as_core` makes one of `CoreError` of each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from pce_memory.errors.data import InvalidParameter, SearchFailed

if TYPE_CHECKING:
    from collections.abc import Mapping

Seen: TypeAlias = float | str
"""What an error shows of what should have been a number: the number, or in words what it is."""


@dataclass(frozen=True, slots=True)
class SearchUtilsError:
    """What every error of the search utilities has."""

    code: ClassVar[str] = "SEARCH_UTILS_ERROR"
    remedy: ClassVar[str] = "Report this."

    @property
    def message(self) -> str:
        """Say what was wanted."""
        raise AssertionError(f"{type(self).__name__} has no message")

    @property
    def details(self) -> Mapping[str, object]:
        """Return what was given."""
        return {}


@dataclass(frozen=True, slots=True)
class InvalidWeights(SearchUtilsError):
    """Weights that do not sum to 1, or one below 0."""

    code: ClassVar[str] = "INVALID_WEIGHTS"
    remedy: ClassVar[str] = "Give weights of 0 or more that sum to 1."
    weights: Mapping[str, Seen]

    @property
    def message(self) -> str:
        """Say what was wanted."""
        return "検索重みの合計は1.0である必要があります"

    @property
    def details(self) -> Mapping[str, object]:
        """Return the weights and their sum, where all are numbers."""
        numbers = [one for one in self.weights.values() if not isinstance(one, str)]
        total = sum(numbers) if len(numbers) == len(self.weights) else None
        return {"weights": dict(self.weights), "sum": total}


@dataclass(frozen=True, slots=True)
class EmptyRankedLists(SearchUtilsError):
    """No strategy found anything."""

    code: ClassVar[str] = "EMPTY_RANKED_LISTS"
    remedy: ClassVar[str] = "Fuse only where a strategy found something."

    @property
    def message(self) -> str:
        """Say what was wanted."""
        return "すべての検索戦略の結果が空です"


@dataclass(frozen=True, slots=True)
class InvalidKValue(SearchUtilsError):
    """An RRF constant below 1."""

    code: ClassVar[str] = "INVALID_K_VALUE"
    remedy: ClassVar[str] = "Give a k of 1 or more; 60 is usual."
    k: Seen

    @property
    def message(self) -> str:
        """Say what was wanted."""
        return "RRF定数kは1以上である必要があります"

    @property
    def details(self) -> Mapping[str, object]:
        """Return k."""
        return {"k": self.k}


@dataclass(frozen=True, slots=True)
class InvalidThreshold(SearchUtilsError):
    """A threshold outside 0 to 1."""

    code: ClassVar[str] = "INVALID_THRESHOLD"
    remedy: ClassVar[str] = "Give a threshold from 0 to 1."
    threshold: Seen

    @property
    def message(self) -> str:
        """Say what was wanted."""
        return "閾値は0.0〜1.0の範囲である必要があります"

    @property
    def details(self) -> Mapping[str, object]:
        """Return the threshold."""
        return {"threshold": self.threshold}


@dataclass(frozen=True, slots=True)
class InvalidScore(SearchUtilsError):
    """A score that is no finite number, or outside the range it has to be in."""

    code: ClassVar[str] = "INVALID_SCORE"
    remedy: ClassVar[str] = "Give finite scores within the range the function names."
    name: str
    score: Seen

    @property
    def message(self) -> str:
        """Say what was wanted."""
        return "スコアは定められた範囲の有限の数である必要があります"

    @property
    def details(self) -> Mapping[str, object]:
        """Return which score it was."""
        return {"name": self.name, "score": self.score}


SearchUtilityError: TypeAlias = (
    InvalidWeights | EmptyRankedLists | InvalidKValue | InvalidThreshold | InvalidScore
)


def as_core(
    error: SearchUtilityError | InvalidParameter, query: str = ""
) -> SearchFailed | InvalidParameter:
    """Return an error of the search utilities as one of `CoreError`: its code is the reason."""
    return error if isinstance(error, InvalidParameter) else SearchFailed(query, error.code)

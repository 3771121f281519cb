"""Why a claim is shown or not: every check by name, and how it stands in a search."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from pce_memory.domain.context import Scores
from pce_memory.domain.ids import ClaimIdField, PolicyVersionField
from pce_memory.domain.model import Finite, Model
from pce_memory.domain.stamped import Warned

Count: TypeAlias = Annotated[int, Field(ge=0)]
Rank: TypeAlias = Annotated[int, Field(ge=1)]
LaneName: TypeAlias = Literal["words", "meaning"]


class Check(Model):
    """One step on the way to a claim: what was asked, whether it was passed, and by what."""

    check: str
    passed: bool
    detail: str


class LaneStanding(Model):
    """How a claim stands in one lane, among the visible claims alone.

    `score` is BM25 by words, the cosine by meaning. `rank` counts from 1 among the `of` visible
    claims that the lane can compare; both are None where it is not one of them. The lane brings
    its best `within` as candidates.
    """

    lane: LaneName
    score: Finite | None
    rank: Rank | None
    of: Count
    within: Count

    @property
    def brings(self) -> bool:
        """Whether the lane brings the claim as a candidate."""
        return self.rank is not None and self.rank <= self.within


class SearchStanding(Model):
    """How a claim stands in one search.

    `scores` has every number behind its rank, `first` what the `threshold` is asked of, S·g;
    None where no lane brought it. `score` orders, `rank` is its place among the `relevant`
    claims, and `shown_at` its place in what is shown, None where it is not; at most `top_k` are.
    `change` says what would change that, a sentence each.
    """

    lanes: tuple[LaneStanding, ...]
    scores: Scores | None = None
    first: Finite | None = None
    threshold: Finite
    score: Finite | None = None
    rank: Rank | None = None
    relevant: Count
    shown_at: Rank | None = None
    top_k: Rank
    reason: str | None = None
    change: tuple[str, ...] = ()


class Explanation(Warned):
    """Why a claim is shown or not: every check, in the order they are made.

    `decided_by` is the check that hides it; None where it is shown. `redacted` counts what is
    taken out of its text, by kind or rule. `search` is there where a query was explained, unless
    the claim was hidden from it before anything was searched.
    """

    claim_id: ClaimIdField
    shown: bool
    decided_by: str | None
    checks: tuple[Check, ...]
    redacted: dict[str, int] = Field(default_factory=dict)
    policy_version: PolicyVersionField
    search: SearchStanding | None = None

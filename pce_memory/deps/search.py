"""What a search is given and what it gives: the mask, what is looked for, what is found."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

from returns.result import Result

from pce_memory.domain.vocabulary import ClaimKind, Scope
from pce_memory.errors import StoreError
from pce_memory.scoring.rerank import Population

Params: TypeAlias = Mapping[str, object]
Matrix: TypeAlias = Any
"""A numpy array of rows and columns."""
Arrays: TypeAlias = Mapping[str, Any]
"""Columns by name, each a numpy array."""
Vector: TypeAlias = Sequence[float]


@dataclass(frozen=True, slots=True)
class RowFilter:
    """A predicate over the columns of `visible_claims`, made of fixed text and parameters."""

    sql: str
    params: Params


EVERY_ROW: Final = RowFilter("true", {})
"""The predicate that every row meets."""


@dataclass(frozen=True, slots=True)
class Visibility:
    """The part of the claims a caller may see; every lane takes it before it counts.

    `alive_since` says for each scope after which moment a claim was seen last if it still lives.
    """

    scopes: tuple[Scope, ...]
    classes: tuple[str, ...]
    invariants: RowFilter
    now: float
    alive_since: Mapping[Scope, float]
    utility_half_life: float
    quality_half_life: float
    status: str = "active"
    twins: bool = False
    """Whether the file has equal claims of one speaker: of those that are visible one is shown."""
    filters: RowFilter = EVERY_ROW
    """What a caller looks for besides, among those that are shown."""

    @property
    def is_judged(self) -> bool:
        """Whether more than the columns of a claim decides: SQL has to judge the rows."""
        return self.invariants.sql != EVERY_ROW.sql or self.filters.sql != EVERY_ROW.sql


class VectorIndex(Protocol):
    """Where the vectors of claims live. Keys are the claims' `row_id`s."""

    @property
    def model(self) -> str:
        """The model whose vectors these are, as `model_of` names it."""
        ...

    def write(self, vectors: Sequence[tuple[int, Vector]]) -> Result[None, StoreError]:
        """Store vectors, or replace those that are there."""
        ...

    def add(self, vectors: Sequence[tuple[int, Vector]]) -> Result[None, StoreError]:
        """Store the vectors of claims that are new."""
        ...

    def of_texts(self, texts: Sequence[str]) -> Result[Mapping[str, Vector], StoreError]:
        """Return the vectors of those texts that are embedded for a claim already."""
        ...

    def prepare(self) -> Result[None, StoreError]:
        """Make the space that vectors of this model go to, if there is none yet."""
        ...

    def erase(self, row_ids: Sequence[int]) -> Result[None, StoreError]:
        """Remove the vectors of these claims, of every model."""
        ...

    def nearest(
        self, query: Vector, visible: Visibility, *, limit: int
    ) -> Result[Mapping[int, float], StoreError]:
        """Return the cosines of the `limit` visible claims nearest to `query`."""
        ...

    def cosines(
        self, query: Vector, row_ids: Sequence[int]
    ) -> Result[Mapping[int, float], StoreError]:
        """Return the cosines of the given rows to `query`; rows without a vector are absent."""
        ...


@dataclass(frozen=True, slots=True)
class Weighing:
    """What a claim weighs by where nothing is asked for: see `scoring.rerank`."""

    half_life_days: Callable[[ClaimKind, Scope], float]
    use_quality: bool


def _no_periods(_now: float) -> Sequence[tuple[float, float]]:
    return ()


@dataclass(frozen=True, slots=True)
class Wider:
    """A word that is asked for, and the words that stand for it, as hashes of their terms.

    `asked` are those of the terms asked for that are the word's; a claim holds one of `words` if
    it holds all its terms. That counts `weight` of what the asked word would count, below 1.
    """

    asked: tuple[int, ...]
    words: tuple[tuple[int, ...], ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Sought:
    """What a search looks for.

    `terms` are the hashes of the words asked for; `vector` is a unit vector, None where there is
    none to compare. A claim that holds every term of one of `excluded` is left out; one that holds
    every term of one of `phrases` is a candidate for it. `wider` has what stands for words asked
    for. `periods` returns the spans of time the query names, in UTC epoch seconds, when it is
    asked at a moment. `k_txt` and `k_vec` bound the lanes.
    """

    terms: tuple[int, ...]
    vector: Vector | None
    k_txt: int
    k_vec: int
    excluded: tuple[tuple[int, ...], ...] = ()
    phrases: tuple[tuple[int, ...], ...] = ()
    periods: Callable[[float], Sequence[tuple[float, float]]] = _no_periods
    wider: tuple[Wider, ...] = ()

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Every further group of terms whose postings a search reads."""
        words = (word for one in self.wider for word in one.words)
        return (*self.excluded, *self.phrases, *words)


@dataclass(frozen=True, slots=True)
class Found:
    """The candidates of a search, and the mean and deviation of the utilities of all visible.

    `columns` are numpy arrays, a row for a candidate:

    row_id, passage          its key; the key of the first claim that was said with it
    kind, scope              places in CLAIM_KINDS and SCOPES, counted from 1
    utility, quality         as of now
    confidence, created_at, recency_anchor
    bm25, cosine             NaN where it shares no word with the query, or has no vector
    bm25_whole               as bm25, if what stands for a word counted as much as the word
    window                   the share of the words asked for that stand in it or around it, 0 to 1
    whole                    how well the whole document fits that it is of; else as window
    period                   how well the time it was said at agrees with those named, 0 to 1
    quoted                   it holds every term of a phrase that is quoted
    by_words, by_meaning     the lane that found it; neither for what stands beside a hit
    asks, timed, answers     it is a question; names a time; what was said before it is a question
    """

    columns: Arrays
    utilities: Population
    visible: int


@dataclass(frozen=True, slots=True)
class Standing:
    """How one claim stands in the lanes of a search, among the visible claims; ranks from 1.

    `by_words` is its rank among the `sharing` that hold a word asked for, `by_meaning` among the
    `embedded` that have a vector; None where it is not one of them, and then so is its score.
    """

    bm25: float | None
    by_words: int | None
    sharing: int
    cosine: float | None
    by_meaning: int | None
    embedded: int
    is_left_out: bool


class SearchIndex(Protocol):
    """Finds candidates among the visible claims, by words and by meaning."""

    def follow(self) -> Result[None, StoreError]:
        """Take in what was committed; call it before a snapshot begins."""
        ...

    def search(self, sought: Sought, visible: Visibility) -> Result[Found, StoreError]:
        """Return the best candidates of both lanes, each with everything it matches by."""
        ...

    def nearest(
        self, vector: Vector, visible: Visibility, *, limit: int
    ) -> Result[Mapping[int, float], StoreError]:
        """Return the cosines of the `limit` visible claims nearest to a vector."""
        ...

    def nearest_by_source(
        self, vector: Vector, visible: Visibility, *, limit: int
    ) -> Result[Mapping[int, float], StoreError]:
        """Return the `limit` visible claims whose best observation is nearest to a vector.

        What an observation means is the mean of the vectors of its visible claims.
        """
        ...

    def standing(
        self, sought: Sought, visible: Visibility, row_id: int
    ) -> Result[Standing, StoreError]:
        """Return how a visible claim stands in both lanes, however far down."""
        ...

    def likeness(self, row_ids: Sequence[int]) -> Result[Matrix, StoreError]:
        """Return the cosine of each of these claims to each; NaN where one has no vector."""
        ...

    def everything(
        self, visible: Visibility, weighing: Weighing, limit: int
    ) -> Result[Found, StoreError]:
        """Return the `limit` visible claims that weigh most, and those that weigh the same."""
        ...

"""What the four functions may reach: the deps record and its ports."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeVar, Unpack, runtime_checkable

from returns.result import Result

from pce_memory.domain.arguments import ApplyFields
from pce_memory.domain.boundary import InvariantDefinition
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.ids import PolicyVersion
from pce_memory.domain.policy import Policy
from pce_memory.domain.policy_record import PolicyRecord
from pce_memory.domain.vocabulary import Scope
from pce_memory.errors import (
    CoreError,
    EmbeddingFailed,
    InvalidBoundary,
    PolicyMissing,
    StoreError,
)

Row: TypeAlias = Mapping[str, Any]
Params: TypeAlias = Mapping[str, object]
Vector: TypeAlias = Sequence[float]
T = TypeVar("T")
E = TypeVar("E")

Clock: TypeAlias = Callable[[], float]
"""Returns now, in UTC epoch seconds."""

Ids: TypeAlias = Callable[[str], str]
"""Returns a new id for a prefix such as `clm_`."""


Digest: TypeAlias = Callable[[str], str]
"""Returns the HMAC of a text under the file's own key: a short text cannot be guessed from it."""


class Database(Protocol):
    """One DuckDB file, seen as statements that return Results."""

    @property
    def read_only(self) -> bool:
        """Whether writes are refused."""
        ...

    def query(self, sql: str, params: Params | None = None) -> Result[Sequence[Row], StoreError]:
        """Run one statement and return its rows."""
        ...

    def execute(self, sql: str, params: Params | None = None) -> Result[None, StoreError]:
        """Run one statement for its effect."""
        ...

    def transaction(self, work: Callable[[], Result[T, E]]) -> Result[T, E | StoreError]:
        """Run `work`; commit on Success, roll back on Failure and on any exception.

        A transaction inside a transaction is part of the outer one.
        """
        ...

    def snapshot(self, work: Callable[[], Result[T, E]]) -> Result[T, E | StoreError]:
        """Run `work` so that all its reads see one state of the file, even read-only."""
        ...


class EmbeddingProvider(Protocol):
    """Turns texts into unit vectors of one dimension.

    `model_id` and `version` name the weights: vectors of equal names may be compared. `dimension`
    may load the model.
    """

    @property
    def model_id(self) -> str:
        """The name of the weights."""
        ...

    @property
    def version(self) -> str:
        """Which of the weights of that name."""
        ...

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        ...

    def embed(self, text: str) -> Result[Vector, EmbeddingFailed]:
        """Return the vector of one text."""
        ...

    def embed_batch(self, texts: Sequence[str]) -> Result[Sequence[Vector], EmbeddingFailed]:
        """Return the vectors of many texts, in order."""
        ...


@runtime_checkable
class QueryEmbedder(Protocol):
    """What an EmbeddingProvider may be too, if its model reads questions and texts differently.

    Such a model's `embed` and `embed_batch` are for the texts that are to be found.
    """

    def embed_query(self, text: str) -> Result[Vector, EmbeddingFailed]:
        """Return the vector of a question, to be compared with those of texts."""
        ...


class PolicyStore(Protocol):
    """The policies of this memory; the newest applied is in force."""

    def get_current(self) -> Result[Policy, PolicyMissing | StoreError]:
        """Return the policy in force."""
        ...

    def get_version(self, version: PolicyVersion) -> Result[Policy, PolicyMissing | StoreError]:
        """Return one policy that was applied."""
        ...

    def apply(
        self, yaml: str, name: str = "policy.yaml", **how: Unpack[ApplyFields]
    ) -> Result[PolicyVersion, CoreError]:
        """Parse a policy and put it in force."""
        ...

    def history(self) -> Result[tuple[PolicyRecord, ...], StoreError]:
        """Return every time that a policy was put in force, the newest first."""
        ...


class BoundaryInvariant(Protocol):
    """A compiled invariant. `applies_to` has `*` expanded to all scopes."""

    @property
    def name(self) -> str:
        """What the policy calls it."""
        ...

    @property
    def applies_to(self) -> tuple[Scope, ...]:
        """The scopes of the claims it judges."""
        ...

    def evaluate(self, claims: Sequence[AnyClaim]) -> Result[bool, CoreError]:
        """Return whether it holds for every claim it applies to."""
        ...


@dataclass(frozen=True, slots=True)
class RowFilter:
    """A predicate over the columns of `visible_claims`, made of fixed text and parameters."""

    sql: str
    params: Params


class InvariantEvaluator(Protocol):
    """Compiles invariant rules and judges claims by them."""

    def compile(
        self, definition: InvariantDefinition, context: Mapping[str, object] | None = None
    ) -> Result[BoundaryInvariant, InvalidBoundary]:
        """Compile one rule; `context` gives the identifiers that no claim carries."""
        ...

    def evaluate_all(
        self, invariants: Sequence[BoundaryInvariant], claims: Sequence[AnyClaim]
    ) -> Result[bool, CoreError]:
        """Return whether every invariant holds for every claim it applies to."""
        ...

    def row_filter(
        self,
        definitions: Sequence[InvariantDefinition],
        context: Mapping[str, object] | None = None,
    ) -> Result[RowFilter, InvalidBoundary]:
        """Return the same judgement as a predicate over the rows of claims."""
        ...


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


class VectorIndex(Protocol):
    """Where the vectors of claims live. Keys are the claims' `row_id`s."""

    def write(self, vectors: Sequence[tuple[int, Vector]]) -> Result[None, StoreError]:
        """Store vectors, or replace those that are there."""
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
class CoreDeps:
    """The Reader environment of the four functions. Built once, by `Memory`."""

    db: Database
    embedding: EmbeddingProvider
    policy_store: PolicyStore
    invariant_evaluator: InvariantEvaluator
    vector_index: VectorIndex
    clock: Clock
    ids: Ids
    digest: Digest


__all__ = [
    "BoundaryInvariant",
    "Clock",
    "CoreDeps",
    "Database",
    "Digest",
    "EmbeddingProvider",
    "Ids",
    "InvariantEvaluator",
    "Params",
    "PolicyStore",
    "QueryEmbedder",
    "Row",
    "RowFilter",
    "Vector",
    "VectorIndex",
    "Visibility",
]

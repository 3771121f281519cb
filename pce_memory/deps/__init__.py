"""What the four functions may reach: the deps record and its ports."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from functools import partial
from typing import Any, Final, Protocol, TypeAlias, TypeVar, Unpack

from returns.result import Result

from pce_memory.deps.embedding import Calibrated, EmbeddingProvider, QueryEmbedder, model_of
from pce_memory.deps.evaluating import BoundaryInvariant, InvariantEvaluator, RowJudge
from pce_memory.deps.guarding import (
    Guarded,
    GuardedDigest,
    GuardedGrown,
    guarded_clock,
    guarded_embedder,
    guarded_ids,
    is_ours,
)
from pce_memory.deps.held import HeldRuns
from pce_memory.deps.judging import QualityJudge
from pce_memory.deps.members import check_members, declared
from pce_memory.deps.reranking import Probabilistic, Reranker, RerankingFailed, WhyNot
from pce_memory.deps.search import (
    EVERY_ROW,
    Arrays,
    Found,
    Matrix,
    Params,
    RowFilter,
    SearchIndex,
    Sought,
    Standing,
    Vector,
    VectorIndex,
    Visibility,
    Weighing,
    Wider,
)
from pce_memory.deps.whole_database import SeedDatabase, whole_database
from pce_memory.deps.whole_policy_store import SeedPolicyStore, whole_policy_store
from pce_memory.domain.arguments import ApplyFields
from pce_memory.domain.ids import PolicyVersion
from pce_memory.domain.policy import Policy
from pce_memory.domain.policy_record import PolicyRecord
from pce_memory.errors import (
    CoreError,
    PolicyMissing,
    StoreError,
)
from pce_memory.text.codes import DEFAULTS, Normalizer
from pce_memory.text.expansion import Thesaurus
from pce_memory.text.tokenizer import Tokenizer

NOTHING_KNOWN: Final = partial(Thesaurus, {}, {})
Row: TypeAlias = Mapping[str, Any]
T = TypeVar("T")
E = TypeVar("E")

Clock: TypeAlias = Callable[[], float]
"""Returns now, in UTC epoch seconds."""

Ids: TypeAlias = Callable[[str], str]
"""Returns a new id for a prefix such as `clm_`."""

Digest: TypeAlias = Callable[[str], str]
"""Returns the HMAC of a text under the file's own key: a short text cannot be guessed from it."""

Grown: TypeAlias = Callable[[int], object]
"""Told how many postings a write added; may have them sorted, later and in another thread."""


@dataclass(frozen=True, slots=True)
class Version:
    """How often the index changed, claims were erased, it was made anew, a policy put in force."""

    changed: int = 0
    erased: int = 0
    remade: int = 0
    policies: int = 0


class Database(Protocol):
    """One DuckDB file, seen as statements that return Results."""

    @property
    def read_only(self) -> bool:
        """Whether writes are refused."""
        ...

    @property
    def version(self) -> Version | None:
        """What has been committed so far; None inside a transaction or a snapshot."""
        ...

    def query(self, sql: str, params: Params | None = None) -> Result[Sequence[Row], StoreError]:
        """Run one statement and return its rows."""
        ...

    def arrays(self, sql: str, params: Params | None = None) -> Result[Arrays, StoreError]:
        """Run one statement and return its columns as numpy arrays."""
        ...

    def execute(self, sql: str, params: Params | None = None) -> Result[None, StoreError]:
        """Run one statement for its effect."""
        ...

    def load(self, sql: str, columns: Arrays) -> Result[None, StoreError]:
        """Run one statement over columns of numbers, which stand in it as the relation `{given}`.

        A column is a numpy array; one of two dimensions, n x d, is an array of d floats a row.
        """
        ...

    def transaction(self, work: Callable[[], Result[T, E]]) -> Result[T, E | StoreError]:
        """Run `work`; commit on Success, roll back on Failure and on any exception.

        A transaction inside a transaction is part of the outer one.
        """
        ...

    def snapshot(self, work: Callable[[], Result[T, E]]) -> Result[T, E | StoreError]:
        """Run `work` so that all its reads see one state of the file, even read-only."""
        ...

    def aside(self, work: Callable[[], Result[T, E]]) -> Result[T, E | StoreError]:
        """Run long `work` in a transaction of its own, while others write; one at a time.

        It may be ended at any moment: it fails then, and what it did is rolled back. It must not
        write rows that others write, nor what a search reads.
        """
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


def nobody_sorts(postings: int) -> None:
    """Leave new postings to `maintain`."""


@dataclass(frozen=True, slots=True)
class CoreDeps:
    """The Reader environment of the four functions. Built once, by `Memory`.

    A host may put in ports of its own. Of `db` and `policy_store` the functions of the design
    suffice, and of `invariant_evaluator` too; a port that lacks what it cannot do without is
    refused by a `MemoryFault` that names all that is missing.
    """

    db: Database
    embedding: EmbeddingProvider
    policy_store: PolicyStore
    invariant_evaluator: InvariantEvaluator
    vector_index: VectorIndex
    search_index: SearchIndex
    tokenizer: Tokenizer
    clock: Clock
    ids: Ids
    digest: Digest
    grown: Grown = nobody_sorts
    reranker: Reranker | None = None
    judge: QualityJudge | None = None
    thesaurus: Callable[[], Thesaurus] = NOTHING_KNOWN
    code_normalizers: Mapping[str, Normalizer] = field(default_factory=lambda: DEFAULTS)
    timezone: tzinfo = UTC
    held: HeldRuns = field(default_factory=HeldRuns)

    def __post_init__(self) -> None:
        """Complete the ports that the design lets be smaller, and refuse what is lacking.

        What others put in is guarded: what it does wrong becomes an error with a name.
        """
        check_members(
            {
                name: (getattr(self, name), members)
                for name, members in MEMBERS.items()
                if name not in OPTIONAL or getattr(self, name) is not None
            }
        )
        for name, guard in _GUARDS.items():
            object.__setattr__(self, name, guard(getattr(self, name)))


def _unless_ours(guard: Callable[[Any], object]) -> Callable[[Any], object]:
    """Return a guard that leaves what is ours, or guarded, as it is."""
    return lambda port: port if isinstance(port, Guarded) or is_ours(port) else guard(port)


_GUARDS: Final[Mapping[str, Callable[[Any], object]]] = {
    "db": whole_database,
    "policy_store": whole_policy_store,
    "embedding": guarded_embedder,
    "clock": guarded_clock,
    "ids": guarded_ids,
    "digest": _unless_ours(GuardedDigest),
    "grown": _unless_ours(GuardedGrown),
}
_CALLED: Final = ("__call__",)
OPTIONAL: Final = ("reranker", "judge")
MEMBERS: Final[Mapping[str, Sequence[str]]] = {
    "db": declared(SeedDatabase),
    "embedding": declared(EmbeddingProvider),
    "policy_store": declared(SeedPolicyStore),
    "invariant_evaluator": declared(InvariantEvaluator),
    "vector_index": declared(VectorIndex),
    "search_index": declared(SearchIndex),
    "tokenizer": declared(Tokenizer),
    "clock": _CALLED,
    "ids": _CALLED,
    "digest": _CALLED,
    "grown": _CALLED,
    "reranker": declared(Reranker),
    "judge": declared(QualityJudge),
    "thesaurus": _CALLED,
    "code_normalizers": ("get", "items"),
    "timezone": ("utcoffset",),
    "held": ("rows", "ranks", "carriers", "clear"),
}
"""What each port has to have; what more a database or a store of policies needs is made up for."""


__all__ = [
    "EVERY_ROW",
    "MEMBERS",
    "Arrays",
    "BoundaryInvariant",
    "Calibrated",
    "Clock",
    "CoreDeps",
    "Database",
    "Digest",
    "EmbeddingProvider",
    "Found",
    "Grown",
    "HeldRuns",
    "Ids",
    "InvariantEvaluator",
    "Matrix",
    "Params",
    "PolicyStore",
    "Probabilistic",
    "QualityJudge",
    "QueryEmbedder",
    "Reranker",
    "RerankingFailed",
    "Row",
    "RowFilter",
    "RowJudge",
    "SearchIndex",
    "SeedDatabase",
    "SeedPolicyStore",
    "Sought",
    "Standing",
    "Tokenizer",
    "Vector",
    "VectorIndex",
    "Version",
    "Visibility",
    "Weighing",
    "WhyNot",
    "Wider",
    "model_of",
    "whole_database",
    "whole_policy_store",
]

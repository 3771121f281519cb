"""`Memory`: what an agent embeds. One local file, four functions, under a policy."""

import secrets
import time
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self, TypedDict, Unpack

from returns.result import Result

from pce_memory.deps import Clock, CoreDeps, EmbeddingProvider, Ids
from pce_memory.domain.arguments import (
    ActivateFields,
    DistillFields,
    FeedbackFields,
    ObserveFields,
)
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.context import (
    ActivationResult,
    ActiveContext,
    ActiveContextItem,
    ScoredClaim,
)
from pce_memory.domain.dictionary import Dictionary
from pce_memory.domain.extraction import ExtractionResult, IntegrationOptions, IntegrationResult
from pce_memory.domain.feedback import CriticUpdateResult, DecayResult, Feedback
from pce_memory.domain.ids import PolicyVersion
from pce_memory.domain.policy import Policy
from pce_memory.domain.provenance import Evidence
from pce_memory.domain.receipt import BatchResult, ObserveResult
from pce_memory.domain.vocabulary import FeedbackSignal, Scope
from pce_memory.engine.maintain import MaintenanceResult
from pce_memory.engine.many import Each, Item, Progress
from pce_memory.engine.module import CoreModule, create_core_module
from pce_memory.engine.ready import settled
from pce_memory.engine.reembed import reembed
from pce_memory.engine.results import DEFAULT_OPTIONS, Results
from pce_memory.errors import CoreError, or_raise

if TYPE_CHECKING:
    from pce_memory.opening import Opened

IN_RAM: Final = ":memory:"
DEFAULT_EMBEDDER: Final = "use-multilingual"


def new_id(prefix: str) -> str:
    """Return a fresh random id: the prefix and 16 hex digits.

    >>> len(new_id("clm_"))
    20
    """
    return prefix + secrets.token_hex(8)


class OpenFields(TypedDict, total=False):
    """How to open a memory.

    read_only: look, and change nothing. embedder: its name, or an object; use-multilingual.
    policy: the name of a packaged one, YAML text, or the path of a file to put in force.
    boundary: what calls work under that give none. memory_limit, threads: what DuckDB may use.
    allow_reembed: open a file of another embedding model, to run `reembed` on it.
    clock: returns now in UTC epoch seconds. ids: returns a new id for a prefix.
    dictionaries: what finds names and addresses, by kind; needed where the policy redacts them.
    """

    read_only: bool
    embedder: str | EmbeddingProvider
    policy: str | Path | None
    boundary: Boundary | None
    allow_reembed: bool
    memory_limit: str
    threads: int
    clock: Clock
    ids: Ids
    dictionaries: Mapping[str, Dictionary]


class MemoryResults(Results):
    """What a memory can do, each operation returning a Result; those on the file included."""

    def __init__(self, opened: "Opened", boundary: Boundary) -> None:
        super().__init__(opened.deps, boundary)
        self._opened = opened

    def reembed(
        self, *, progress: Callable[[int, int], object] | None = None
    ) -> Result[int, CoreError]:
        """Give every claim a vector of this embedder; a run broken off is taken up again."""
        work = partial(reembed, self._opened.deps, self._opened.index, progress=progress)
        return settled(work)

    def snapshot(self, path: str | Path, *, overwrite: bool = False) -> Result[Path, CoreError]:
        """Write a consistent copy of this memory to `path`, while it is in use."""
        from pce_memory.adapters.snapshot import write_snapshot  # noqa: PLC0415 - brings duckdb

        made = write_snapshot(self._opened.db, path, overwrite=overwrite)
        return made.map(lambda place: place)


class Memory:
    """A memory in one file. Its methods raise `MemoryFault`; those of `results` return Results.

    One Memory serves every thread of a process. A second process, or a second Memory on the same
    file, is refused: it can look at a copy made with `snapshot`.
    """

    def __init__(self, opened: "Opened", boundary: Boundary) -> None:
        self._opened = opened
        self.results = MemoryResults(opened, boundary)
        # A memory that nobody closes is closed when neither it nor its results are held any more,
        # or when the process ends.
        self._closer = weakref.finalize(opened, opened.db.close)

    @classmethod
    def open(cls, path: str | Path = IN_RAM, **how: Unpack[OpenFields]) -> Self:
        """Open the memory at `path`, or create it under the packaged default policy.

        What the keywords do, `OpenFields` says.
        """
        return or_raise(cls.try_open(path, **how))

    @classmethod
    def try_open(
        cls, path: str | Path = IN_RAM, **how: Unpack[OpenFields]
    ) -> Result[Self, CoreError]:
        """Open the memory at `path`, or return why it cannot be opened."""
        # DuckDB and numpy come in here, not with `import pce_memory`.
        from pce_memory.opening import open_memory, options_of  # noqa: PLC0415

        given = {"embedder": DEFAULT_EMBEDDER, "clock": time.time, "ids": new_id, **how}

        def opened() -> Result[Self, CoreError]:
            return Result.do(
                cls(found, options.boundary)
                for options in options_of(path, given)
                for found in open_memory(options)
            )

        return settled(opened)

    @property
    def deps(self) -> CoreDeps:
        """The deps record that the four functions run with."""
        return self._opened.deps

    @property
    def module(self) -> CoreModule:
        """The core module of the design over this memory."""
        return create_core_module(self.deps)

    @property
    def path(self) -> str:
        """The file, or `:memory:`."""
        return self._opened.db.path

    @property
    def read_only(self) -> bool:
        """Whether writes are refused."""
        return self._opened.db.read_only

    def observe(self, content: str, **fields: Unpack[ObserveFields]) -> ObserveResult:
        """Observe one thing: extract, judge every claim alone, keep what passes.

        Keywords: source_type, source_id, actor, tags, observed_at, idempotency_key, provenance,
        entities, relations, boundary; `domain.arguments.ObserveFields` explains them.
        """
        return or_raise(self.results.observe(content, **fields))

    def observe_many(
        self,
        items: Iterable[Item],
        *,
        boundary: Boundary | None = None,
        progress: Progress | None = None,
        each: Each | None = None,
    ) -> BatchResult:
        """Observe thousands, in batches of one transaction each.

        `progress` is told how many items are done, `each` the place and the outcome of every one.
        """
        return or_raise(
            self.results.observe_many(items, boundary=boundary, progress=progress, each=each)
        )

    def activate(self, query: str, **fields: Unpack[ActivateFields]) -> ActivationResult:
        """Return, and keep for a while, the claims that bear on a query.

        Keywords: scope, allow, top_k, include_meta, boundary; see `ActivateFields`.
        """
        return or_raise(self.results.activate(query, **fields))

    def search(
        self,
        query: str,
        scope: Sequence[Scope] | None = None,
        k: int = 12,
        *,
        boundary: Boundary | None = None,
    ) -> tuple[ScoredClaim, ...]:
        """Return ranked claims without an active context."""
        return or_raise(self.results.search(query, scope, k, boundary=boundary))

    def feedback(
        self, claim_id: str, signal: FeedbackSignal, **fields: Unpack[FeedbackFields]
    ) -> CriticUpdateResult:
        """Tell the critic what a claim was worth; a `feedback_id` makes a retry harmless.

        Keywords: score, duplicate_of, feedback_id, ts, boundary; see `FeedbackFields`.
        """
        return or_raise(self.results.feedback(claim_id, signal, **fields))

    def feedback_many(
        self, feedbacks: Sequence[Feedback], *, boundary: Boundary | None = None
    ) -> tuple[CriticUpdateResult, ...]:
        """Tell the critic many things, all or none."""
        return or_raise(self.results.feedback_many(feedbacks, boundary=boundary))

    def distill(self, text: str, **fields: Unpack[DistillFields]) -> IntegrationResult:
        """Make one claim of others, in the same or a slower scope.

        Keywords: claim_ids or active_context_id, provenance (required), scope, kind, note,
        boundary; see `DistillFields`.
        """
        return or_raise(self.results.distill(text, **fields))

    def integrate(
        self,
        claims: Sequence[AnyClaim] | ExtractionResult,
        *,
        options: IntegrationOptions = DEFAULT_OPTIONS,
        boundary: Boundary | None = None,
    ) -> IntegrationResult:
        """Write claims that were made elsewhere, all or none."""
        return or_raise(self.results.integrate(claims, options=options, boundary=boundary))

    def claim(self, claim_id: str, *, boundary: Boundary | None = None) -> AnyClaim:
        """Return a claim, or the one it was merged into, if the boundary shows it."""
        return or_raise(self.results.claim(claim_id, boundary=boundary))

    def evidence(self, claim_id: str, *, boundary: Boundary | None = None) -> tuple[Evidence, ...]:
        """Return why a claim is believed, if the boundary shows it."""
        return or_raise(self.results.evidence(claim_id, boundary=boundary))

    def context(
        self, active_context_id: str, *, boundary: Boundary | None = None
    ) -> tuple[ActiveContext, tuple[ActiveContextItem, ...]]:
        """Return an active context and the ranks of those of its items that the boundary shows."""
        return or_raise(self.results.context(active_context_id, boundary=boundary))

    def policy(self) -> Policy:
        """Return the policy in force."""
        return or_raise(self.results.policy())

    def apply_policy(self, yaml: str) -> PolicyVersion:
        """Put a policy in force."""
        return or_raise(self.results.apply_policy(yaml))

    def decay(self) -> DecayResult:
        """Write the decayed measures of every claim; rankings do not move."""
        return or_raise(self.results.decay())

    def maintain(self) -> MaintenanceResult:
        """Decay measures, scrub observations past their time, drop expired contexts."""
        return or_raise(self.results.maintain())

    def reembed(self, *, progress: Callable[[int, int], object] | None = None) -> int:
        """Give every claim a vector of this embedder; a run broken off is taken up again."""
        return or_raise(self.results.reembed(progress=progress))

    def reindex(self) -> int:
        """Make up for vectors that are missing since the embedder failed; return how many."""
        return self.reembed()

    def snapshot(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write a consistent copy of this memory to `path`, while it is in use."""
        return or_raise(self.results.snapshot(path, overwrite=overwrite))

    def close(self) -> None:
        """Write everything to the file and let go of it. Closing twice is fine."""
        _ = self._closer()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Memory({self.path!r})"

"""`Memory`: what an agent embeds. One local file, four functions, under a policy."""

import secrets
import time
import weakref
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self, Unpack

from returns.result import Failure, Result, Success

from pce_memory.adapters.interrupts import interruptible
from pce_memory.deps import CoreDeps
from pce_memory.domain.arguments import (
    ApplyFields,
    ForgetFields,
)
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.erasure import ForgetResult
from pce_memory.domain.health import Health, RepairResult
from pce_memory.domain.ids import PolicyVersion
from pce_memory.domain.impact import PolicyImpact
from pce_memory.engine.keeping import Keeping
from pce_memory.engine.module import CoreModule, create_core_module
from pce_memory.engine.open_fields import OpenFields
from pce_memory.engine.policies import applied_with
from pce_memory.engine.raising import Raising
from pce_memory.engine.ready import settled
from pce_memory.engine.reembed import Progress
from pce_memory.errors import CoreError, InvalidPolicy, or_raise
from pce_memory.result import fold

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


class MemoryResults(Keeping):
    """What a memory can do, each operation returning a Result; those on the file included."""

    def __init__(self, opened: "Opened", boundary: Boundary) -> None:
        super().__init__(opened.deps, boundary, opened.db, opened.index, opened.search)
        self._opened = opened

    def apply_policy(
        self, yaml: str | Path, name: str = "policy.yaml", **how: Unpack[ApplyFields]
    ) -> Result[PolicyVersion, CoreError]:
        """Put a policy in force: the name of a packaged one, YAML text, or the path of a file.

        Keywords: validate_only, dry_run, expected_version, approver, allow_downgrade, bases; see
        `ApplyFields`.
        """
        from pce_memory.opening.policies import text_to_apply  # noqa: PLC0415 - brings duckdb

        put = super().apply_policy
        return Result.do(
            version
            for found in text_to_apply(yaml, name)
            for version in put(found.text, found.name, **applied_with(found.bases, how))
        )

    def preview_policy(
        self, policy: str | Path, *, allow: Sequence[str] = (), ids: bool = False
    ) -> Result[PolicyImpact, CoreError]:
        """Return what would change on this file if a policy were put in force; nothing does.

        For the holders of each tag in `allow`, or of every tag that either policy names; with
        `ids`, which claims. Of documents nothing is told.
        """
        from pce_memory.opening.policies import policy_reading  # noqa: PLC0415

        return Result.do(
            impact
            for reading in policy_reading(policy)
            for read in (
                Failure(InvalidPolicy(reading.rendered()))
                if reading.policy is None
                else Success(reading.policy)
            )
            for impact in self.preview(read, allow=allow, ids=ids)
        )

    def forget(self, **wanted: Unpack[ForgetFields]) -> Result[ForgetResult, CoreError]:
        """Erase for good, and rewrite the file so that no freed block holds the bytes.

        Keywords: claim_id, observation_id, actor or query; dry_run, derived, compact, boundary;
        see `ForgetFields`. What is erased stays erased if the file cannot be rewritten: then
        `compacted` is False, and `compact` can be called again.
        """

        def rewritten(done: ForgetResult) -> ForgetResult:
            gone = done.claims or done.observations or done.documents or done.others
            if done.dry_run or not gone or not wanted.get("compact", True):
                return done
            made = fold(self.compact(), ok=bool, err=lambda _: False)
            return done.model_copy(update={"compacted": made})

        return super().forget(**wanted).map(rewritten)

    def compact(self) -> Result[bool, CoreError]:
        """Rewrite the file without what was erased and replaced; False for a memory in RAM."""
        from pce_memory.adapters.compaction import compact  # noqa: PLC0415 - brings duckdb

        return compact(self._opened.db).map(bool)

    def snapshot(self, path: str | Path, *, overwrite: bool = False) -> Result[Path, CoreError]:
        """Write a consistent copy of this memory to `path`, while it is in use."""
        from pce_memory.adapters.snapshot import write_snapshot  # noqa: PLC0415 - brings duckdb

        made = write_snapshot(self._opened.db, path, overwrite=overwrite)
        return made.map(lambda place: place)


class Memory(Raising):
    """A memory in one file. Its methods raise `MemoryFault`; those of `results` return Results.

    One Memory serves every thread of a process. A second process, or a second Memory on the same
    file, is refused: it can look at a copy made with `snapshot`.
    """

    def __init__(self, opened: "Opened", boundary: Boundary) -> None:
        self._opened = opened
        self.results = MemoryResults(opened, boundary)
        super().__init__(self.results)
        # A memory that nobody closes is closed when neither it nor its results are held any more,
        # or when the process ends.
        from pce_memory.opening import let_go  # noqa: PLC0415 - brings duckdb

        self._closer = weakref.finalize(opened, let_go, opened.search, opened.sorter, opened.db)

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
        # DuckDB and numpy come in here, not with `import pce_memory`. Half loaded, either crashes.
        with interruptible():
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

    def reembed(self, *, progress: Progress | None = None) -> int:
        """Give every claim a vector of this embedder; a run broken off is taken up again."""
        return or_raise(self.results.reembed(progress=progress))

    def reindex(self, *, progress: Progress | None = None) -> int:
        """Index every claim anew, by this tokenizer and policy; a run broken off is taken up."""
        return or_raise(self.results.reindex(progress=progress))

    def health(self, *, deep: bool = False) -> Health:
        """Return how this memory does: what it was made by and is used with, counts, the index.

        With `deep`, everything that is derived is compared with what it is derived from, which
        reads the whole file; the rows that do not agree are named by their ids.
        """
        return or_raise(self.results.health(deep=deep))

    def repair(self, *, dry_run: bool = True) -> RepairResult:
        """Say what `health(deep=True)` finds and what of it can be mended; mend it if not dry.

        What cannot be made of what is left is named as lost, and stays as it is.
        """
        return or_raise(self.results.repair(dry_run=dry_run))

    def apply_policy(
        self, yaml: str | Path, name: str = "policy.yaml", **how: Unpack[ApplyFields]
    ) -> PolicyVersion:
        """Put a policy in force: the name of a packaged one, YAML text, or the path of a file.

        Keywords: validate_only, dry_run, expected_version, approver, allow_downgrade, bases; see
        `ApplyFields`.
        """
        return or_raise(self.results.apply_policy(yaml, name, **how))

    def preview_policy(
        self, policy: str | Path, *, allow: Sequence[str] = (), ids: bool = False
    ) -> PolicyImpact:
        """Return what would change on this file if a policy were put in force; nothing does.

        For the holders of each tag in `allow`, or of every tag that either policy names; with
        `ids`, which claims. Of documents nothing is told.
        """
        return or_raise(self.results.preview_policy(policy, allow=allow, ids=ids))

    def compact(self) -> bool:
        """Rewrite the file without what was erased and replaced; False for a memory in RAM."""
        return or_raise(self.results.compact())

    def snapshot(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write a consistent copy of this memory to `path`, while it is in use."""
        return or_raise(self.results.snapshot(path, overwrite=overwrite))

    def close(self) -> None:
        """Write everything to the file and let go of it. Closing twice is fine."""
        with interruptible():  # what is spent by the call is not called again
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

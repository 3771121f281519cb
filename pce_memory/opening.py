"""Open a memory: connect, migrate, and build the deps record. The composition root's work."""

import re
from dataclasses import dataclass
from pathlib import Path

from returns.result import Failure, Result, Success

from pce_memory.adapters.duck import DuckDatabase, connect
from pce_memory.adapters.embedders import resolve_embedder
from pce_memory.adapters.policy_store import FilePolicyStore
from pce_memory.adapters.vectors import SqlVectorIndex
from pce_memory.deps import Clock, CoreDeps, EmbeddingProvider, Ids
from pce_memory.errors import CoreError, InvalidId, InvalidParameter, MemoryFault
from pce_memory.policy.invariants import RuleEvaluator
from pce_memory.resources import resource
from pce_memory.store import macros, meta, migrations


@dataclass(frozen=True, slots=True)
class Options:
    """How to open a memory."""

    path: str
    read_only: bool
    embedder: str | EmbeddingProvider
    policy: str | Path | None
    allow_reembed: bool
    memory_limit: str
    threads: int
    clock: Clock
    ids: Ids


@dataclass(frozen=True, slots=True)
class Opened:
    """An open file, its deps and its vectors."""

    db: DuckDatabase
    deps: CoreDeps
    index: SqlVectorIndex


def checked_ids(ids: Ids) -> Ids:
    """Return the id source, made to raise `MemoryFault` where it gives no id of ours."""

    def checked(prefix: str) -> str:
        made = ids(prefix)
        if not re.fullmatch(rf"{prefix}[A-Za-z0-9_-]{{1,64}}", made):
            raise MemoryFault(InvalidId(f"id that the id source gave for {prefix}", made))
        return made

    return checked


def open_memory(options: Options) -> Result[Opened, CoreError]:
    """Open or create the file and everything above it; on a failure the file is let go of."""
    return Result.do(
        opened
        for embedder in resolve_embedder(options.embedder)
        for db in connect(
            options.path,
            read_only=options.read_only,
            memory_limit=options.memory_limit,
            threads=options.threads,
        )
        for opened in _closing(db, _over(db, embedder, options))
    )


def _closing(db: DuckDatabase, opened: Result[Opened, CoreError]) -> Result[Opened, CoreError]:
    if isinstance(opened, Failure):
        db.close()
    return opened


def _over(
    db: DuckDatabase, embedder: EmbeddingProvider, options: Options
) -> Result[Opened, CoreError]:
    policies = FilePolicyStore(db, options.clock)
    index = SqlVectorIndex(db, embedder, options.clock)
    return Result.do(
        Opened(
            db,
            CoreDeps(
                db=db,
                embedding=embedder,
                policy_store=policies,
                invariant_evaluator=RuleEvaluator(),
                vector_index=index,
                clock=options.clock,
                ids=checked_ids(options.ids),
                digest=digest,
            ),
            index,
        )
        for _ in (_check(db) if options.read_only else _bring_up(db, options))
        for _ in (Success(None) if options.allow_reembed else index.check())
        for _ in _policy(policies, options)
        for digest in meta.file_digest(db)
    )


def _check(db: DuckDatabase) -> Result[None, CoreError]:
    return Result.do(None for _ in migrations.check(db) for _ in macros.check_macros(db))


def _bring_up(db: DuckDatabase, options: Options) -> Result[None, CoreError]:
    return Result.do(
        None
        for _ in migrations.migrate(db, now=options.clock())
        for _ in macros.apply_macros(db)
        for _ in meta.ensure_digest_key(db)
    )


def _policy(policies: FilePolicyStore, options: Options) -> Result[None, CoreError]:
    """Apply the policy that was asked for, or the packaged default where there is none yet."""
    if options.policy is not None:
        return Result.do(
            None for text, name in policy_text(options.policy) for _ in policies.apply(text, name)
        )
    if options.read_only or isinstance(policies.get_current(), Success):
        return policies.get_current().map(lambda _: None)
    default = (resource("policies") / "default.yaml").read_text("utf-8")
    return policies.apply(default, "default.yaml").map(lambda _: None)


PACKAGED = ("default", "dev", "team", "org")


def policy_text(policy: str | Path) -> Result[tuple[str, str], InvalidParameter]:
    """Return a policy's YAML and what to call it in faults.

    `policy` is the name of a packaged one, YAML text (it has a line break), or a file's path.
    """
    if isinstance(policy, str) and policy in PACKAGED:
        name = f"{policy}.yaml"
        return Success(((resource("policies") / name).read_text("utf-8"), name))
    if isinstance(policy, str) and "\n" in policy:
        return Success((policy, "policy.yaml"))
    try:
        return Success((Path(policy).read_text("utf-8"), str(policy)))
    except (OSError, ValueError) as error:
        names = ", ".join(PACKAGED)
        reason = f"no such file can be read ({type(error).__name__}), and it is none of {names}"
        return Failure(InvalidParameter("policy", reason))

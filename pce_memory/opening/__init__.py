"""Open a memory: connect, migrate, and build the deps record. The composition root's work."""

import warnings
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from returns.result import Result, Success

from pce_memory.adapters.commits import lacking
from pce_memory.adapters.connecting import connect
from pce_memory.adapters.duck import DuckDatabase
from pce_memory.adapters.embedders import resolve_embedder
from pce_memory.adapters.judges import resolve_judge
from pce_memory.adapters.on_demand import SearchOnDemand
from pce_memory.adapters.policy_store import FilePolicyStore, found_by
from pce_memory.adapters.rerankers import resolve_reranker
from pce_memory.adapters.sorting import BackgroundSorter
from pce_memory.adapters.tokenizers.naming import resolve_tokenizer
from pce_memory.adapters.vectors import SqlVectorIndex
from pce_memory.deps import Clock, CoreDeps, EmbeddingProvider, QualityJudge, Reranker, Tokenizer
from pce_memory.engine.policies import apply_policy
from pce_memory.errors import CoreError
from pce_memory.errors.warned import CommitsMissing
from pce_memory.opening.index import check_index
from pce_memory.opening.migrating import migrated
from pce_memory.opening.options import Options, options_of
from pce_memory.opening.policies import packaged
from pce_memory.opening.shape import check_before, check_shape
from pce_memory.policy.invariants import RuleEvaluator
from pce_memory.store import events, index_state, indexes, macros, meta, migrations, postings

__all__ = ["Opened", "Options", "let_go", "open_memory", "options_of"]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Opened:
    """An open file, its deps and its vectors; the file is let go of when nobody holds this."""

    db: DuckDatabase
    deps: CoreDeps
    index: SqlVectorIndex
    search: SearchOnDemand
    sorter: BackgroundSorter


class Models(NamedTuple):
    """What reads texts: made before the file is touched."""

    embedder: EmbeddingProvider
    tokenizer: Tokenizer
    reranker: Reranker | None
    judge: QualityJudge | None


def let_go(search: SearchOnDemand, sorter: BackgroundSorter, db: DuckDatabase) -> None:
    """End what runs in the background, and close the file."""
    sorter.close()
    search.close()
    db.close()


def open_memory(options: Options) -> Result[Opened, CoreError]:
    """Open or create the file and everything above it; on a failure the file is let go of."""
    _ = options.clock()  # a clock that fails makes no file
    return Result.do(
        opened
        for embedder in resolve_embedder(options.embedder)
        for tokenizer in resolve_tokenizer(options.tokenizer)
        for reranker in resolve_reranker(options.reranker)
        for judge in resolve_judge(options.judge)
        for db in connect(
            options.path,
            read_only=options.read_only,
            memory_limit=options.memory_limit,
            threads=options.threads,
        )
        for models in Success(Models(embedder, tokenizer, reranker, judge))
        for opened in _taken(db, models, options)
    )


def _taken(db: DuckDatabase, models: Models, options: Options) -> Result[Opened, CoreError]:
    """Build everything above a file; it is let go of on a failure, and where one interrupts."""
    try:
        opened: Result[Opened, CoreError] = Result.do(
            over
            for _ in _warned(db)  # before anything else can refuse the file
            for over in _over(db, models, options)
        )
    except BaseException:
        db.close(taken=False)
        raise
    if not isinstance(opened, Success):
        db.close(taken=False)
    return opened


def _warned(db: DuckDatabase) -> Result[None, CoreError]:
    """Warn of commits that were acknowledged and are not there."""
    if db.missing is not None:
        warnings.warn(CommitsMissing(lacking(db.missing, db.path)), stacklevel=2)
    return Success(None)


def _over(db: DuckDatabase, models: Models, options: Options) -> Result[Opened, CoreError]:
    index = SqlVectorIndex(db, models.embedder, options.clock)
    finder, sorter = SearchOnDemand(db, index, limit=options.mirror_memory), BackgroundSorter(db)
    return Result.do(
        Opened(db, told, index, finder, sorter)
        for _ in (_check(db, options.clock) if options.read_only else _bring_up(db, options))
        for _ in (Success(None) if options.allow_reembed else index.check())
        for digest in meta.file_digest(db)
        for deps in Success(
            CoreDeps(
                db=db,
                embedding=models.embedder,
                policy_store=FilePolicyStore(db, options.clock, options.dictionaries),
                invariant_evaluator=RuleEvaluator(),
                vector_index=index,
                search_index=finder,
                tokenizer=models.tokenizer,
                clock=options.clock,
                ids=options.ids,
                digest=digest,
                reranker=models.reranker,
                judge=models.judge,
                thesaurus=options.expansions,
                code_normalizers=options.code_normalizers,
                timezone=options.timezone,
            )
        )
        for _ in _policy(deps, options)
        for told in _indexed(deps, options, sorter)
    )


def _missing(deps: CoreDeps, db: DuckDatabase) -> Result[None, CoreError]:
    """Leave an event of commits that were acknowledged and are not there."""
    if db.missing is None:
        return Success(None)
    told = {"commits_missing": db.missing.commits, "log": "gone" if db.missing.whole else "cut"}
    return Result.do(
        None
        for policy in deps.policy_store.get_current()
        for _ in (
            Success(None)
            if db.read_only
            else events.record("opening", told, policy_version=policy.version)(deps)
        )
    )


def _indexed(
    deps: CoreDeps, options: Options, sorter: BackgroundSorter
) -> Result[CoreDeps, CoreError]:
    """Look at the index and the policy; return deps by which what is written gets sorted."""

    def grown(written: int) -> None:
        sorter.grown(written)

    def grown_otherwise(written: int) -> None:
        # From the first claim on that this tokenizer indexes, the index is of both.
        _ = index_state.also(deps.db, tokenizer=deps.tokenizer.id)
        sorter.grown(written)

    sorter.tells(partial(_not_sorted, deps))
    return Result.do(
        replace(deps, grown=grown if ours else grown_otherwise)
        for _ in _missing(deps, sorter.db)
        for policy in deps.policy_store.get_current()
        # Without it every text would be withheld, and what is observed would be lost.
        for _ in (Success(None) if options.read_only else found_by(policy))
        for ours in check_index(deps, policy, allow_reindex=options.allow_reindex)
    )


def _not_sorted(deps: CoreDeps, error: CoreError) -> Result[None, CoreError]:
    """Leave an event of postings that could not be sorted; a search finds the same without it."""
    return Result.do(
        None
        for policy in deps.policy_store.get_current()
        for _ in events.record("sort", {"error": error.code}, policy_version=policy.version)(deps)
    )


def _check(db: DuckDatabase, clock: Clock) -> Result[None, CoreError]:
    return Result.do(
        None
        for _ in migrations.check(db)
        for _ in check_shape(db, clock)
        for _ in macros.check_macros(db)
    )


def _bring_up(db: DuckDatabase, options: Options) -> Result[None, CoreError]:
    return Result.do(
        None
        for applied in check_before(db, options.clock)
        for _ in migrated(db, applied, now=options.clock())
        for _ in macros.apply_macros(db)
        for _ in check_shape(db, options.clock, new=not applied)
        for _ in (indexes.take_in_numbers(db) if db.replayed else Success(None))
        for _ in meta.ensure_digest_key(db)
        for _ in postings.drop_leftover(db)
    )


def _policy(deps: CoreDeps, options: Options) -> Result[None, CoreError]:
    """Apply the policy that was asked for, or the packaged default where there is none yet."""
    policy = options.policy
    if policy is not None:
        return apply_policy(policy.text, policy.name, bases=policy.bases)(deps).map(lambda _: None)
    current = deps.policy_store.get_current()
    if options.read_only or isinstance(current, Success):
        return current.map(lambda _: None)
    # A memory that is new begins under it: nothing was changed that an event would tell.
    default = packaged("default")
    return deps.policy_store.apply(default.text, default.name).map(lambda _: None)

"""Representatives: what somebody marked as typical of a category, kept as a run is."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.deps import Arrays, CoreDeps
from pce_memory.domain.ids import ClaimId
from pce_memory.domain.policy import seconds
from pce_memory.domain.representatives import Marking, Representatives, RepresentativesInput
from pce_memory.engine.fusion.opened import Opened, of_kind
from pce_memory.engine.ready import Ready
from pce_memory.errors import CoreError, InvalidParameter
from pce_memory.policy.boundary import narrowed_to
from pce_memory.result import collect, reader
from pce_memory.scoring.suggesting import target_profile_of
from pce_memory.store import audit, documents, events, run_foreign, runs
from pce_memory.store.audit import decided
from pce_memory.store.codes import Codes, Profile
from pce_memory.store.runs import DOCUMENTS, Run
from pce_memory.store.visibility import View, rows_called, view
from pce_memory.text.codes import Normalizer, base_of, normalize_code
from pce_memory.text.secrecy import storable

KIND: Final = "representatives"


@dataclass(frozen=True, slots=True)
class _Known:
    """What ids mean: keys by id and, of what a backend has, which run tells of it."""

    keys: Mapping[str, Sequence[int]]
    told_in: Mapping[int, int] = field(default_factory=dict[int, int])


@reader
def register(
    deps: CoreDeps, marking: Marking, ready: Ready, source: str | None
) -> Result[Representatives, CoreError]:
    """Keep what is typical of a category: all of it has to be there for the boundary."""
    return Result.do(
        done
        for _ in storable(ids=marking.ids, category=marking.category)
        for seen in view(ready.boundary, ready.policy)(deps)
        for known in _known(deps, marking.ids, seen, ready, source)
        for keys in _whole(marking.ids, known.keys)
        for run in Success(_run(deps, marking, ready, len(keys)))
        for done in deps.db.transaction(
            partial(_saved, deps, run, ready, seen, keys, known.told_in)
        )
    )


def _known(
    deps: CoreDeps, ids: Sequence[str], seen: View, ready: Ready, source: str | None
) -> Result[_Known, CoreError]:
    """Return what ids mean; those of a backend, as runs know it that the boundary reaches."""
    if source is None:
        return _keys(deps, ids, seen).map(_Known)
    named = {runs.foreign_key(source, one): one for one in ids}
    reach = narrowed_to(ready.boundary, seen.narrowed)
    return run_foreign.tellers(list(named), reach, ready.policy.version)(deps).map(
        lambda told_in: _Known({named[key]: [key] for key in told_in}, told_in)
    )


def _keys(
    deps: CoreDeps, ids: Sequence[str], seen: View
) -> Result[Mapping[str, Sequence[int]], CoreError]:
    """Return the keys of what is visible by its id or pub_id."""
    return Result.do(
        {**_of_documents(by_name), **_of_documents(by_id), **mine}
        for mine in _claims(deps, ids, seen)
        for by_id in documents.fetch(ids, seen.visible, fields=())(deps)
        for by_name in documents.fetch(ids, seen.visible, id_type="pub_id", fields=())(deps)
    )


def _claims(
    deps: CoreDeps, ids: Sequence[str], seen: View
) -> Result[Mapping[str, Sequence[int]], CoreError]:
    return Result.do(
        {str(one): [row] for one, row in rows.items()}
        for rows in rows_called([ClaimId(one) for one in ids], seen.visible)(deps)
    )


def _of_documents(
    found: Sequence[documents.StoredDocument],
) -> Mapping[str, Sequence[int]]:
    """Return a key by id: of several that have it the one that a publication is."""
    return {one.given: [DOCUMENTS | one.doc_key] for one in reversed(found)}


def _whole(
    ids: Sequence[str], known: Mapping[str, Sequence[int]]
) -> Result[tuple[int, ...], InvalidParameter]:
    missing = len(set(ids) - set(known))
    if missing:
        reason = f"{missing} of them are no claim and no document that the boundary shows"
        return Failure(InvalidParameter("ids", reason))
    return Success(tuple(dict.fromkeys(key for one in ids for key in known[one])))


def _run(deps: CoreDeps, marking: Marking, ready: Ready, count: int) -> Run:
    now = deps.clock()
    return Run(
        run_id=deps.ids(f"{KIND}-"),
        kind=KIND,
        params={"category": marking.category},
        policy_version=ready.policy.version,
        created_at=now,
        expires_at=now + seconds(ready.policy.fusion.run_ttl),
        documents=count,
    )


def _saved(
    deps: CoreDeps,
    run: Run,
    ready: Ready,
    seen: View,
    keys: Sequence[int],
    told_in: Mapping[int, int],
) -> Result[Representatives, CoreError]:
    decision = decided(
        "fusion.register_representatives",
        "allowed",
        ready.boundary,
        ready.policy,
        counts={KIND: len(keys)},
    )
    reach = narrowed_to(ready.boundary, seen.narrowed)
    return Result.do(
        Representatives(
            run_id=run.run_id,
            category=str(run.params["category"]),
            count=run.documents,
            expires_at=run.expires_at,
        )
        for _ in runs.insert(run, reach, _columns(keys))(deps)
        for _ in run_foreign.copy(told_in)(deps)
        for _ in events.record("run", {KIND: len(keys)}, policy_version=ready.policy.version)(deps)
        for _ in audit.record([decision])(deps)
    )


def _columns(keys: Sequence[int]) -> Arrays:
    import numpy as np  # noqa: PLC0415 - not at opening

    return {"key": np.array(keys, np.int64), "score": np.ones(len(keys))}


def categorized(
    given: Sequence[RepresentativesInput], found: Opened
) -> Result[tuple[RepresentativesInput, ...], CoreError]:
    """Return representatives with the category that each was registered under."""
    if len({one.run_id for one in given}) < len(given):
        return Failure(InvalidParameter("representatives", "some stand in it twice"))

    def one(some: RepresentativesInput) -> Result[RepresentativesInput, CoreError]:
        return Result.do(
            some.model_copy(update={"category": category})
            for run in of_kind(found.runs[some.run_id].run, KIND)
            for category in Success(str(run.params["category"]))
            for _ in _as_said(some, category)
        )

    return collect(one(some) for some in given)


def _as_said(some: RepresentativesInput, category: str) -> Result[None, InvalidParameter]:
    if some.category in {None, category}:
        return Success(None)
    reason = "some are said to be of a category that they were not registered under"
    return Failure(InvalidParameter("representatives", reason))


def typical_codes(some: Sequence[Codes], normalizers: Mapping[str, Normalizer]) -> Profile:
    """Return what codes are typical of documents: of each taxonomy the 15 that most carry.

    A code weighs the share it has of all of these, so that all of them together weigh 1.

    >>> typical_codes([{"tag": ["db", "ops"]}, {"tag": ["db"], "kind": ["fact"]}], {})
    {'tag': {'db': 0.6666666666666666, 'ops': 0.3333333333333333}}
    """
    counts: dict[str, Counter[str]] = {}
    for codes in some:
        named = {
            (base_of(name), normalize_code(name, code, normalizers))
            for name, found in codes.items()
            for code in found
        }
        for base, code in named:
            counts.setdefault(base, Counter())[code] += 1
    profile = target_profile_of(counts)
    whole = sum(counts[base][code] for base, kept in profile.codes.items() for code in kept)
    return {
        base: {code: counts[base][code] / whole for code in kept}
        for base, kept in profile.codes.items()
    }

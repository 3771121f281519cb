"""What is to be done with documents: which is there already, and as what each may be kept."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Visibility
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES
from pce_memory.errors import CoreError, StoreError
from pce_memory.integrator.known_documents import Known
from pce_memory.policy.documents import Kept, standing_for
from pce_memory.policy.judging import Invariants
from pce_memory.result import fold
from pce_memory.store import document_rows
from pce_memory.store.document_digests import digest_of, digests_of_content
from pce_memory.store.document_rows import Head
from pce_memory.store.visibility import view_if_any


@dataclass(frozen=True, slots=True)
class Rules:
    """What documents are judged by: a boundary, a policy, and the invariants of both."""

    boundary: Boundary
    policy: Policy
    invariants: Invariants


@dataclass(frozen=True, slots=True)
class Planned:
    """A document, its digest, the one that it is, those with ids of it, and why it may not be."""

    kept: Kept
    digest: str
    there: Head | None = None
    known: frozenset[int] = frozenset()
    refused: CoreError | None = None

    @property
    def is_same(self) -> bool:
        """Whether it is there as it is."""
        return self.there is not None and self.there.digest == self.digest

    @property
    def is_new(self) -> bool:
        """Whether it is to be written."""
        return self.refused is None and not self.is_same


class _Found(NamedTuple):
    """Those that a document may be, or why it may be none; and all that have an id of it."""

    candidates: Result[frozenset[int], CoreError]
    known: frozenset[int]


def plan(
    deps: CoreDeps, run: Sequence[Kept], rules: Rules
) -> Result[tuple[Planned, ...], CoreError]:
    """Return what is to be done with each, by what is there now and visible."""
    return Result.do(
        planned
        for seen in view_if_any(rules.boundary, rules.policy)(deps)
        for planned in _planned_by(deps, run, None if seen is None else seen.visible, rules)
    )


def _planned_by(
    deps: CoreDeps, run: Sequence[Kept], visible: Visibility | None, rules: Rules
) -> Result[tuple[Planned, ...], StoreError]:
    if visible is None:
        digests = [digest_of(deps, one.document) for one in run]
        return Success(tuple(Planned(*one) for one in zip(run, digests, strict=True)))
    values = {value for one in run for value in one.document.external_ids.values()}
    alike = [_digests(deps, one) for one in run]
    return Result.do(
        tuple(_planned(deps, one, of, heads, rules) for one, of in zip(run, found, strict=True))
        for called in document_rows.called(values, visible)(deps)
        for same in document_rows.of_digests({one for some in alike for one in some}, visible)(
            deps
        )
        for found in Success(_found(run, alike, Known(called), same))
        for heads in document_rows.heads(_keys(found))(deps)
    )


def apart(run: Sequence[Kept], keys: Iterable[Collection[object]]) -> Iterator[list[Kept]]:
    """Yield documents in parts, in order, in none of which two have a key in common.

    What the first of them does to what has it, the second has to find done.
    """
    part: list[Kept] = []
    taken: set[object] = set()
    for one, own in zip(run, keys, strict=True):
        if not taken.isdisjoint(own):
            yield part
            part, taken = [], set()
        part.append(one)
        taken.update(own)
    if part:
        yield part


def _digests(deps: CoreDeps, one: Kept) -> tuple[str, ...]:
    """Return the digests that tell a document without ids: in any class and scope."""
    if one.document.external_ids:
        return ()
    return digests_of_content(deps, one.document)


def _found(
    run: Sequence[Kept],
    alike: Sequence[tuple[str, ...]],
    known: Known,
    same: Mapping[str, frozenset[int]],
) -> list[_Found]:
    found: list[_Found] = []
    for one, digests in zip(run, alike, strict=True):
        ids = one.document.external_ids
        if ids:
            found.append(_Found(known.one_with(ids), known.having(ids)))
        else:
            keys = frozenset[int]().union(*(same.get(digest, ()) for digest in digests))
            found.append(_Found(Success(keys), keys))
    return found


def _keys(found: Sequence[_Found]) -> list[int]:
    return sorted({key for one in found for key in one.candidates.value_or(frozenset[int]())})


def _planned(
    deps: CoreDeps, one: Kept, of: _Found, heads: Mapping[int, Head], rules: Rules
) -> Planned:
    def standing(keys: frozenset[int]) -> Result[Planned, CoreError]:
        there = min((heads[key] for key in keys if key in heads), key=_order, default=None)
        others = [] if there is None else [there.standing]
        return standing_for(
            one, rules.boundary, rules.policy, rules.invariants, others=others, now=deps.clock()
        ).map(lambda kept: Planned(kept, digest_of(deps, kept.document), there, of.known))

    outcome: Result[Planned, CoreError] = Result.do(
        planned for keys in of.candidates for planned in standing(keys)
    )
    return fold(
        outcome,
        ok=lambda planned: planned,
        err=lambda error: Planned(one, "", None, of.known, error),
    )


def _order(head: Head) -> tuple[int, float, int]:
    """Order documents as `store.documents.fetch` does: the strictest class, then the oldest."""
    return -BOUNDARY_CLASSES.index(head.boundary_class), head.created_at, head.doc_key

"""Write documents: which of them are there already, and what changes.

Two documents are one if they share an external id and differ in none of a type that both have;
without external ids, if they hold the same. What a boundary does not show is, to its caller, not
there: a document that only somebody else sees is never changed, nor told of. So an id that a
hidden one has may be given to another, which is told as created, as a claim is; who sees both
finds the stricter, then the older. What is written again takes the place of the whole, but for
its class, which is only ever stricter, and its scope, which is only ever slower.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Vector, Visibility
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.ids import DocumentId
from pce_memory.domain.policy import Policy
from pce_memory.errors import CoreError, StoreError
from pce_memory.integrator.indexing import vectors_of
from pce_memory.policy.documents import Kept, standing_for
from pce_memory.policy.invariants import CompiledInvariant
from pce_memory.result import collect, fold, reader
from pce_memory.store import audit, document_rows, document_vectors
from pce_memory.store.audit import decided
from pce_memory.store.document_rows import Entry, Head
from pce_memory.store.visibility import View, view

Refused: TypeAlias = tuple[Kept, CoreError]


@dataclass(frozen=True, slots=True)
class Written:
    """How many documents a batch created, wrote anew, left as they were; and those refused."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    refused: tuple[Refused, ...] = ()

    @property
    def counts(self) -> Mapping[str, int]:
        """The numbers by name."""
        return {name: getattr(self, name) for name in ("created", "updated", "unchanged")}

    def __add__(self, other: "Written") -> "Written":
        """Return what both did."""
        sums = {name: count + other.counts[name] for name, count in self.counts.items()}
        return Written(**sums, refused=(*self.refused, *other.refused))


@dataclass(frozen=True, slots=True)
class Rules:
    """What documents are judged by: a boundary, a policy, and the invariants of both."""

    boundary: Boundary
    policy: Policy
    invariants: tuple[CompiledInvariant, ...]


@dataclass(frozen=True, slots=True)
class _Planned:
    """A document, the digest of it, those that it is one with, and why it may not be, if so."""

    kept: Kept
    digest: str
    there: tuple[Head, ...] = ()
    refused: CoreError | None = None

    @property
    def is_same(self) -> bool:
        """Whether it is there as it is."""
        return len(self.there) == 1 and self.there[0].digest == self.digest

    @property
    def is_new(self) -> bool:
        """Whether it is to be written."""
        return self.refused is None and not self.is_same


@reader
def write_documents(
    deps: CoreDeps, batch: Sequence[Kept], rules: Rules
) -> Result[Written, CoreError]:
    """Write documents; those of a batch that share an external id one after the other."""
    visible = fold(view(rules.boundary, rules.policy)(deps), ok=_mask, err=lambda _: None)
    return collect(_written(deps, run, visible, rules) for run in _runs(batch)).map(
        lambda done: sum(done, start=Written())
    )


def _mask(seen: View) -> Visibility | None:
    return seen.visible


def _runs(batch: Sequence[Kept]) -> Iterator[list[Kept]]:
    run: list[Kept] = []
    taken: set[object] = set()
    for one in batch:
        known = one.document.external_ids
        keys: set[object] = set(known.items()) or {one.document.model_dump_json()}
        if run and not taken.isdisjoint(keys):
            yield run
            run, taken = [], set()
        run.append(one)
        taken |= keys
    if run:
        yield run


def _written(
    deps: CoreDeps, run: Sequence[Kept], visible: Visibility | None, rules: Rules
) -> Result[Written, CoreError]:
    plan = partial(_plan, deps, run, visible, rules)

    def write(vectors: Mapping[str, Vector]) -> Result[Written, CoreError]:
        # Others may have written since: what is there is looked up again, inside.
        return Result.do(
            done
            for planned in plan()
            for done in _write(deps, planned, vectors, rules.policy)
            for told in Success(
                decided(
                    "add_documents", "allowed", rules.boundary, rules.policy, counts=done.counts
                )
            )
            for _ in audit.record([told])(deps)
        )

    return Result.do(
        done
        for planned in plan()
        for texts in Success([_embedded(one.kept, rules.policy) for one in planned if one.is_new])
        for vectors in vectors_of(deps, texts, rules.policy, at="add_documents", cached=False)
        for done in deps.db.transaction(partial(write, vectors))
    )


def _plan(
    deps: CoreDeps, run: Sequence[Kept], visible: Visibility | None, rules: Rules
) -> Result[tuple[_Planned, ...], StoreError]:
    digests = [document_rows.digest_of(deps, one.document) for one in run]
    if visible is None:
        return Success(tuple(_Planned(*one) for one in zip(run, digests, strict=True)))
    values = {value for one in run for value in one.document.external_ids.values()}
    nameless = [
        digest for one, digest in zip(run, digests, strict=True) if not one.document.external_ids
    ]
    return Result.do(
        tuple(
            _planned(deps, one, tuple(heads[key] for key in keys if key in heads), rules)
            for one, keys in zip(run, found, strict=True)
        )
        for called in document_rows.called(values, visible)(deps)
        for same in document_rows.of_digests(nameless, visible)(deps)
        for found in Success(_matched(run, digests, called, same))
        for heads in document_rows.heads(sorted({key for keys in found for key in keys}))(deps)
    )


def _planned(deps: CoreDeps, one: Kept, there: tuple[Head, ...], rules: Rules) -> _Planned:
    others = [head.standing for head in there]
    return fold(
        standing_for(one, rules.boundary, rules.policy, rules.invariants, others=others),
        ok=lambda kept: _Planned(kept, document_rows.digest_of(deps, kept.document), there),
        err=lambda error: _Planned(one, "", there, error),
    )


def _matched(
    run: Sequence[Kept],
    digests: Sequence[str],
    called: Mapping[int, Mapping[str, str]],
    same: Mapping[str, int],
) -> list[list[int]]:
    """Return the keys of the documents that each is one with, the oldest first."""
    holders: dict[tuple[str, str], list[int]] = {}
    for key in sorted(called):
        for pair in called[key].items():
            holders.setdefault(pair, []).append(key)
    found: list[list[int]] = []
    for one, digest in zip(run, digests, strict=True):
        known = one.document.external_ids
        if not known:
            found.append([same[digest]] if digest in same else [])
            continue
        keys = {key for pair in known.items() for key in holders.get(pair, ())}
        found.append(sorted(key for key in keys if _agree(known, called[key])))
    return found


def _agree(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    return all(other.get(kind, value) == value for kind, value in one.items())


def _embedded(one: Kept, policy: Policy) -> str:
    document = one.document
    return document_vectors.embedded_text(document.fields, document.boundary_class, policy)


def _write(
    deps: CoreDeps,
    planned: Sequence[_Planned],
    vectors: Mapping[str, Vector],
    policy: Policy,
) -> Result[Written, StoreError]:
    same = [one for one in planned if one.is_same]
    other = [one for one in planned if one.is_new]
    refused = tuple((one.kept, one.refused) for one in planned if one.refused is not None)
    gone = sorted({head.doc_key for one in other for head in one.there})
    updated = sum(bool(one.there) for one in other)
    return Result.do(
        Written(len(other) - updated, updated, len(same), refused)
        for _ in document_rows.renew([one.there[0].doc_key for one in same])(deps)
        for _ in document_rows.erase(gone)(deps)
        for keys in document_rows.next_keys(len(other))(deps)
        for entries in Success(
            [_entry(deps, one, key, policy) for one, key in zip(other, keys, strict=True)]
        )
        for _ in document_rows.insert(entries, policy)(deps)
        for _ in document_vectors.write(
            deps,
            {one.doc_key: vectors[one.embedded] for one in entries if one.embedded in vectors},
        )
        for _ in Success(deps.grown(0))
    )


def _entry(deps: CoreDeps, one: _Planned, doc_key: int, policy: Policy) -> Entry:
    first = min(one.there, key=lambda head: head.created_at, default=None)
    doc_id = DocumentId(deps.ids("doc_")) if first is None else first.id
    since = deps.clock() if first is None else first.created_at
    return Entry(doc_key, doc_id, since, one.digest, one.kept, _embedded(one.kept, policy))

"""Write documents: which of them are there already, and what changes.

Which document a given one is, its ids say (`integrator.known_documents`); without ids it is the
one that holds the same, in any class and scope. Of several it is the one that `publication` shows;
the others stay as they are. What a boundary does not show is, to its caller, not there: a document
that only somebody else sees is never changed, nor told of. So an id that a hidden one has may be
given to another, which is told as created, as a claim is; who sees both finds the stricter, then
the older. What is written again takes the place of the whole, but for its class, which is only
ever stricter, and its scope, which is only ever slower.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Vector
from pce_memory.domain.ids import DocumentId
from pce_memory.domain.policy import Policy
from pce_memory.errors import CoreError, StoreError
from pce_memory.integrator.indexing import vectors_of
from pce_memory.integrator.planned_documents import Planned, Rules, apart, plan
from pce_memory.policy.documents import Kept
from pce_memory.result import collect, reader
from pce_memory.store import audit, document_rows, document_vectors
from pce_memory.store.audit import decided
from pce_memory.store.document_digests import content_of
from pce_memory.store.document_rows import Entry

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


@reader
def write_documents(
    deps: CoreDeps, batch: Sequence[Kept], rules: Rules
) -> Result[Written, CoreError]:
    """Write documents; those of a batch that share an external id one after the other."""
    runs = apart(batch, map(_own_keys, batch))
    return collect(_written(deps, run, rules) for run in runs).map(
        lambda done: sum(done, start=Written())
    )


def _own_keys(one: Kept) -> Collection[object]:
    """Return the ids of a document; of one without, what it holds."""
    return one.document.external_ids.items() or (content_of(one.document),)


def _written(deps: CoreDeps, run: Sequence[Kept], rules: Rules) -> Result[Written, CoreError]:
    def each(planned: tuple[Planned, ...]) -> Result[Written, CoreError]:
        parts = list(apart(run, (one.known for one in planned)))
        if len(parts) == 1:
            # Others may write meanwhile: what is there is looked up again, inside.
            return _written_at_once(deps, planned, partial(plan, deps, run, rules), rules)
        return collect(_written(deps, part, rules) for part in parts).map(
            lambda done: sum(done, start=Written())
        )

    return Result.do(done for planned in plan(deps, run, rules) for done in each(planned))


def _written_at_once(
    deps: CoreDeps,
    planned: tuple[Planned, ...],
    again: Callable[[], Result[tuple[Planned, ...], CoreError]],
    rules: Rules,
) -> Result[Written, CoreError]:
    boundary, policy = rules.boundary, rules.policy

    def write(vectors: Mapping[str, Vector]) -> Result[Written, CoreError]:
        return Result.do(
            done
            for found in again()
            for done in _write(deps, found, vectors, policy)
            for told in Success(
                decided("add_documents", "allowed", boundary, policy, counts=done.counts)
            )
            for _ in audit.record([told])(deps)
        )

    texts = [_embedded(one.kept, policy) for one in planned if one.is_new]
    return Result.do(
        done
        for vectors in vectors_of(deps, texts, policy, at="add_documents", cached=False)
        for done in deps.db.transaction(partial(write, vectors))
    )


def _embedded(one: Kept, policy: Policy) -> str:
    document = one.document
    return document_vectors.embedded_text(document.fields, document.boundary_class, policy)


def _write(
    deps: CoreDeps,
    planned: Sequence[Planned],
    vectors: Mapping[str, Vector],
    policy: Policy,
) -> Result[Written, StoreError]:
    same = [one for one in planned if one.is_same]
    other = [one for one in planned if one.is_new]
    refused = tuple((one.kept, one.refused) for one in planned if one.refused is not None)
    gone = [one.there.doc_key for one in other if one.there is not None]
    return Result.do(
        Written(len(other) - len(gone), len(gone), len(same), refused)
        for _ in document_rows.renew([one.there.doc_key for one in same if one.there])(deps)
        for _ in document_rows.erase(sorted(gone))(deps)
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


def _entry(deps: CoreDeps, one: Planned, doc_key: int, policy: Policy) -> Entry:
    first = one.there
    doc_id = DocumentId(deps.ids("doc_")) if first is None else first.id
    since = deps.clock() if first is None else first.created_at
    return Entry(doc_key, doc_id, since, one.digest, one.kept, _embedded(one.kept, policy))

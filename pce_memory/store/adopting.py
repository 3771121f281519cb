"""What documents hold, where it stands under a key of nothing: whose it is, their digest tells."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Row
from pce_memory.errors import StoreError
from pce_memory.result import collect, reader
from pce_memory.store.checking_documents import Parts, document_of, parts_of
from pce_memory.store.document_digests import digest_of
from pce_memory.store.fitting import reads
from pce_memory.store.statements import statements

SQL: Final = statements("checking")
MOST: Final = 64
"""So many documents are compared with so many keys of nothing."""
_MOVES: Final = ("move_fields", "move_ids", "move_codes")


class Apart(NamedTuple):
    """A document, and the key of nothing that a part of what it holds stands under, or all."""

    id: str
    doc_key: int
    parts_key: int
    is_whole: bool


@reader
def apart(deps: CoreDeps, ids: Sequence[str]) -> Result[tuple[Apart, ...], StoreError]:
    """Return those of these documents that are whole with what stands under a key of nothing."""
    if not ids:
        return Success(())

    def wanted(lost: Sequence[int], heads: Sequence[Row], parts: Parts) -> tuple[Apart, ...]:
        each = (next(_homes(deps, head, lost, parts), None) for head in heads)
        known = {one.parts_key: one for one in each if one is not None}
        return tuple(known.values())

    return Result.do(
        wanted(lost, heads, parts)
        for rows in deps.db.query(SQL["parts_of_nothing"], {"limit": MOST})
        for lost in Success([int(row["id"]) for row in rows])
        for heads in (
            deps.db.query(SQL["heads_of_documents"], {"ids": list(ids[:MOST])})
            if lost
            else Success(())
        )
        for parts in parts_of(deps, [*lost, *(int(head["doc_key"]) for head in heads)])
    )


def _homes(deps: CoreDeps, head: Row, lost: Sequence[int], parts: Parts) -> Iterator[Apart]:
    own = int(head["doc_key"])
    for key in lost:
        for order in ((own, key), (key, own)):  # codes are in the order they were given in
            document = reads(head, partial(document_of, parts=parts, keys=order))
            if document is not None and digest_of(deps, document) == head["digest"]:
                yield Apart(str(head["id"]), own, key, is_whole=not _has_parts(parts, own))


def _has_parts(parts: Parts, key: int) -> bool:
    held: tuple[Mapping[int, Sequence[Row]], ...] = (parts.fields, parts.ids, parts.codes)
    return any(key in rows for rows in held)


@reader
def join(deps: CoreDeps, found: Sequence[Apart]) -> Result[None, StoreError]:
    """Put documents and what they hold under one key again; in a transaction.

    Where all of it stands under another key the document gets that one: its terms have it too.
    """

    def joined(one: Apart) -> Result[object, StoreError]:
        keys = {"doc_key": one.doc_key, "parts_key": one.parts_key}
        if one.is_whole:
            return deps.db.execute(SQL["move_document"], keys)
        return collect(deps.db.execute(SQL[name], keys) for name in _MOVES)

    return collect(map(joined, found)).map(lambda _: None)

"""Compare documents with what is derived of them, and with the digest of all that they hold."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from returns.result import Result

from pce_memory.deps import CoreDeps, Row
from pce_memory.domain.document import NewDocument, read_attributes
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.document_digests import digest_of
from pce_memory.store.document_rows import date_rows
from pce_memory.store.fitting import mapping_in, reads
from pce_memory.store.statements import rows_json, statements, with_rows

SQL: Final = statements("checking")
INSERT: Final = statements("document_rows")
MOST: Final = 1 << 40


class CheckedDocuments(NamedTuple):
    """Documents that were read: their last key, and those with which something is wrong."""

    last: int
    read: int
    unfit: tuple[str, ...]
    other_contents: tuple[str, ...]
    other_values: tuple[str, ...]


@reader
def documents_after(
    deps: CoreDeps, after: int, *, limit: int
) -> Result[CheckedDocuments | None, StoreError]:
    """Read the documents after a key; None where there are no more."""
    return Result.do(
        None if not heads else _checked(deps, heads, parts)
        for heads in deps.db.query(SQL["documents_between"], {"after": after, "limit": limit})
        for parts in _parts(deps, [int(row["doc_key"]) for row in heads])
    )


class _Parts(NamedTuple):
    fields: Mapping[int, Sequence[Row]]
    ids: Mapping[int, Sequence[Row]]
    codes: Mapping[int, Sequence[Row]]
    values: Mapping[int, Sequence[Row]]


def _parts(deps: CoreDeps, keys: Sequence[int]) -> Result[_Parts, StoreError]:
    def by_key(rows: Sequence[Row]) -> Mapping[int, Sequence[Row]]:
        grouped: dict[int, list[Row]] = {}
        for row in rows:
            grouped.setdefault(int(row["doc_key"]), []).append(row)
        return grouped

    return Result.do(
        _Parts(*map(by_key, (fields, ids, codes, values)))
        for fields in deps.db.query(with_rows(SQL["fields_of_documents"], keys))
        for ids in deps.db.query(with_rows(SQL["ids_of_documents"], keys))
        for codes in deps.db.query(with_rows(SQL["codes_of_documents"], keys))
        for values in deps.db.query(with_rows(SQL["values_of_documents"], keys))
    )


def _checked(deps: CoreDeps, heads: Sequence[Row], parts: _Parts) -> CheckedDocuments:
    unfit: list[str] = []
    contents: list[str] = []
    values: list[str] = []
    for head in heads:
        document = reads(head, lambda row: _document(row, parts))
        if document is None:
            unfit.append(str(head["id"]))
            continue
        if digest_of(deps, document) != head["digest"]:
            contents.append(str(head["id"]))
        if _values(document) != _stored_values(parts, int(head["doc_key"])):
            values.append(str(head["id"]))
    last = int(heads[-1]["doc_key"])
    return CheckedDocuments(last, len(heads), tuple(unfit), tuple(contents), tuple(values))


def _document(head: Row, parts: _Parts) -> NewDocument:
    key = int(head["doc_key"])
    codes: dict[str, list[str]] = {}
    for row in parts.codes.get(key, ()):
        codes.setdefault(row["taxonomy"], []).append(row["code"])
    return NewDocument(
        external_ids={row["type"]: row["value"] for row in parts.ids.get(key, ())},
        fields={row["name"]: row["text"] for row in parts.fields.get(key, ())},
        codes={name: tuple(some) for name, some in codes.items()},
        dates=dates_of(head),
        attributes=read_attributes(head["attributes"]),
        scope=head["scope"],
        boundary_class=head["boundary_class"],
    )


def dates_of(head: Row) -> Mapping[str, float]:
    """Return the dates of a document by name; none where they cannot be read."""
    dates = mapping_in(head["dates"])
    if dates is None:
        raise TypeError("dates")
    return {name: float(str(at)) for name, at in dates.items()}


def dates_of_documents(deps: CoreDeps) -> Result[None, StoreError]:
    """Write what all documents are found by as their dates anew; in a transaction."""

    def rows(heads: Sequence[Row]) -> str:
        return rows_json(
            row
            for head in heads
            for row in date_rows(int(head["doc_key"]), reads(head, dates_of) or {})
        )

    return Result.do(
        None
        for heads in deps.db.query(SQL["documents_between"], {"after": -1, "limit": MOST})
        for _ in deps.db.execute(SQL["erase_dates"])
        for _ in deps.db.execute(INSERT["insert_values"], {"rows": rows(heads)})
    )


def _values(document: NewDocument) -> tuple[int, int]:
    """Return by how many dates and by how many attributes a document is to be found."""
    attributes = document.attributes.values()
    return len(document.dates), sum(len(v) if isinstance(v, tuple) else 1 for v in attributes)


def _stored_values(parts: _Parts, key: int) -> tuple[int, int]:
    rows = parts.values.get(key, ())
    return (int(rows[0]["dates"]), int(rows[0]["attributes"])) if rows else (0, 0)

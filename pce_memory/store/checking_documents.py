"""Compare documents with what is derived of them, and with the digest of all that they hold."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Row
from pce_memory.domain.document import NewDocument, read_attributes
from pce_memory.domain.ids import DocumentId, parse_id
from pce_memory.domain.policy import Policy
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.document_digests import digest_of
from pce_memory.store.document_rows import attribute_rows, date_rows
from pce_memory.store.fitting import mapping_in, reads
from pce_memory.store.statements import rows_json, statements, with_rows

SQL: Final = statements("checking")
INSERT: Final = statements("document_rows")
MOST: Final = 1 << 40
BEFORE_ALL: Final = -(1 << 63)
"""Below every key there can be: somebody may have given a row one that is none of ours."""
_VALUE: Final = ("part", "name", "kind", "text", "number")


class CheckedDocuments(NamedTuple):
    """Documents that were read: their last key, and those with which something is wrong."""

    last: int
    read: int
    unfit: tuple[str, ...]
    other_contents: tuple[str, ...]
    other_values: tuple[str, ...]


class Shown(NamedTuple):
    """By which policy attributes are found, and whether those in the file are of just that one."""

    policy: Policy
    is_current: bool


@reader
def documents_after(
    deps: CoreDeps, after: int, shown: Shown, *, limit: int
) -> Result[CheckedDocuments | None, StoreError]:
    """Read the documents after a key; None where there are no more."""
    return Result.do(
        None if not heads else _checked(deps, heads, parts, shown)
        for heads in deps.db.query(SQL["documents_between"], {"after": after, "limit": limit})
        for parts in parts_of(deps, [int(row["doc_key"]) for row in heads])
    )


class Parts(NamedTuple):
    """What documents hold beside their rows, and what they are found by, by their keys."""

    fields: Mapping[int, Sequence[Row]]
    ids: Mapping[int, Sequence[Row]]
    codes: Mapping[int, Sequence[Row]]
    values: Mapping[int, Sequence[Row]]


def parts_of(deps: CoreDeps, keys: Sequence[int]) -> Result[Parts, StoreError]:
    """Return what stands under these keys."""

    def by_key(rows: Sequence[Row]) -> Mapping[int, Sequence[Row]]:
        grouped: dict[int, list[Row]] = {}
        for row in rows:
            grouped.setdefault(int(row["doc_key"]), []).append(row)
        return grouped

    return Result.do(
        Parts(*map(by_key, (fields, ids, codes, values)))
        for fields in deps.db.query(with_rows(SQL["fields_of_documents"], keys))
        for ids in deps.db.query(with_rows(SQL["ids_of_documents"], keys))
        for codes in deps.db.query(with_rows(SQL["codes_of_documents"], keys))
        for values in deps.db.query(with_rows(SQL["values_of_documents"], keys))
    )


def _checked(deps: CoreDeps, heads: Sequence[Row], parts: Parts, shown: Shown) -> CheckedDocuments:
    unfit: list[str] = []
    contents: list[str] = []
    values: list[str] = []
    for head in heads:
        key, name = int(head["doc_key"]), str(head["id"] or head["doc_key"])
        document = reads(head, partial(document_of, parts=parts, keys=[key]))
        if document is None:
            unfit.append(name)
            continue
        if digest_of(deps, document) != head["digest"]:
            contents.append(name)
        if not _is_found_by(document, key, parts.values.get(key, ()), shown):
            values.append(name)
    last = int(heads[-1]["doc_key"])
    return CheckedDocuments(last, len(heads), tuple(unfit), tuple(contents), tuple(values))


def document_of(head: Row, parts: Parts, keys: Sequence[int]) -> NewDocument:
    """Return a document of its row and of what stands under some keys, or raise."""
    is_id = isinstance(parse_id(DocumentId, head["id"]), Success)
    if not is_id or not head["timely"] or mapping_in(head["attributes"]) is None:
        raise ValueError(str(head["doc_key"]))
    codes: dict[str, list[str]] = {}
    for row in _under(parts.codes, keys):
        codes.setdefault(row["taxonomy"], []).append(row["code"])
    return NewDocument(
        external_ids={row["type"]: row["value"] for row in _under(parts.ids, keys)},
        fields={row["name"]: row["text"] for row in _under(parts.fields, keys)},
        codes={name: tuple(some) for name, some in codes.items()},
        dates=dates_of(head),
        attributes=read_attributes(head["attributes"]),
        scope=head["scope"],
        boundary_class=head["boundary_class"],
    )


def _under(rows: Mapping[int, Sequence[Row]], keys: Sequence[int]) -> Iterable[Row]:
    return (row for key in keys for row in rows.get(key, ()))


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
        for heads in deps.db.query(SQL["documents_between"], {"after": BEFORE_ALL, "limit": MOST})
        for _ in deps.db.execute(SQL["erase_dates"])
        for _ in deps.db.execute(INSERT["insert_values"], {"rows": rows(heads)})
    )


def _is_found_by(document: NewDocument, key: int, stored: Sequence[Row], shown: Shown) -> bool:
    """Return whether a document is found by its dates and attributes, and by nothing else."""
    dates = [*date_rows(key, document.dates)]
    told = (document.attributes, document.boundary_class, shown.policy)
    attributes = [*attribute_rows(key, *told)]
    if shown.is_current:
        return _counted(stored) == _counted([*dates, *attributes])
    others = [row for row in stored if row["part"] != "dates"]
    of_dates = [row for row in stored if row["part"] == "dates"]
    return _counted(of_dates) == _counted(dates) and len(others) == len(attributes)


def _counted(rows: Iterable[Mapping[str, object]]) -> Counter[str]:
    return Counter(repr([row[name] for name in _VALUE]) for row in rows)

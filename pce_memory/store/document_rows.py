"""The tables of documents: write whole documents, find those that are there already, erase."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import Arrays, CoreDeps, Row, Visibility
from pce_memory.domain.document import Attributes
from pce_memory.domain.ids import DocumentId
from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import BoundaryClass, Scope
from pce_memory.errors import StoreError
from pce_memory.policy.documents import Kept
from pce_memory.policy.indexed import indexed_text
from pce_memory.policy.outgoing import Clean
from pce_memory.result import collect, reader
from pce_memory.store import document_vectors
from pce_memory.store.document_names import cleaner_of_names, name_of
from pce_memory.store.documents import documents_masked
from pce_memory.store.search import posted
from pce_memory.store.statements import rows_json, statements, with_rows
from pce_memory.text.tokens import term_hash

SQL: Final = statements("document_rows")

_HANGING: Final = (
    "erase_ids",
    "erase_fields",
    "erase_codes",
    "erase_values",
    "erase_postings",
    "erase_documents",
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A document that is written: under which key and id, since when, and what is embedded."""

    doc_key: int
    id: DocumentId
    created_at: float
    digest: str
    kept: Kept
    embedded: str


@dataclass(frozen=True, slots=True)
class Head:
    """What is kept of a document when it is written anew."""

    doc_key: int
    id: DocumentId
    digest: str
    scope: Scope
    boundary_class: BoundaryClass
    created_at: float

    @property
    def standing(self) -> tuple[Scope, BoundaryClass]:
        """Its scope and its class."""
        return self.scope, self.boundary_class


@reader
def next_keys(deps: CoreDeps, count: int) -> Result[tuple[int, ...], StoreError]:
    """Return fresh keys."""
    return deps.db.query(SQL["next_doc_keys"], {"count": count}).map(
        lambda rows: tuple(int(row["doc_key"]) for row in rows)
    )


@reader
def called(
    deps: CoreDeps, values: Iterable[str], visible: Visibility
) -> Result[Mapping[int, Mapping[str, str]], StoreError]:
    """Return all ids, by type, of each visible document that has one of these, by its key."""
    sql, mask = documents_masked(SQL["known_ids"], visible)

    def read(rows: Sequence[Row]) -> Mapping[int, Mapping[str, str]]:
        found: dict[int, dict[str, str]] = {}
        for row in rows:
            found.setdefault(int(row["doc_key"]), {})[row["type"]] = row["value"]
        return found

    return deps.db.query(sql, {**mask, "values": sorted(set(values))}).map(read)


@reader
def of_digests(
    deps: CoreDeps, digests: Iterable[str], visible: Visibility
) -> Result[Mapping[str, frozenset[int]], StoreError]:
    """Return the visible documents that hold exactly what each digest is of."""
    wanted = sorted(set(digests))
    if not wanted:
        return Success({})
    sql, mask = documents_masked(SQL["known_digests"], visible)

    def read(rows: Sequence[Row]) -> Mapping[str, frozenset[int]]:
        found: dict[str, set[int]] = {}
        for row in rows:
            found.setdefault(str(row["digest"]), set()).add(int(row["doc_key"]))
        return {digest: frozenset(keys) for digest, keys in found.items()}

    return deps.db.query(sql, {**mask, "digests": wanted}).map(read)


@reader
def heads(deps: CoreDeps, doc_keys: Sequence[int]) -> Result[Mapping[int, Head], StoreError]:
    """Return what is kept of documents by their keys."""
    if not doc_keys:
        return Success({})
    return deps.db.query(with_rows(SQL["heads"], doc_keys)).map(
        lambda rows: {int(row["doc_key"]): Head(**row) for row in rows}
    )


@reader
def insert(deps: CoreDeps, entries: Sequence[Entry], policy: Policy) -> Result[None, StoreError]:
    """Write new documents and what they are found by, but their vectors; in a transaction."""
    if not entries:
        return Success(None)
    names = sorted({name for one in entries for name in one.kept.document.fields})
    tables = {
        "insert_ids": [row for one in entries for row in _ids(one)],
        "insert_codes": [row for one in entries for row in _codes(one)],
        "insert_values": [row for one in entries for row in _values(one, policy)],
    }
    now = deps.clock()
    clean = cleaner_of_names(policy)
    heads = rows_json(_head(one, clean) for one in entries)
    return Result.do(
        None
        for _ in deps.db.execute(SQL["new_field_names"], {"names": names})
        for rows in deps.db.query(SQL["field_numbers"])
        for numbers in Success({str(row["name"]): int(row["field_no"]) for row in rows})
        for _ in deps.db.execute(SQL["insert_documents"], {"rows": heads, "now": now})
        for _ in collect(
            deps.db.execute(SQL[name], {"rows": rows_json(some)})
            for name, some in tables.items()
            if some
        )
        for _ in _insert_fields(deps, entries, numbers, policy)
    )


@reader
def renew(deps: CoreDeps, doc_keys: Sequence[int]) -> Result[None, StoreError]:
    """Let the life of documents that were given again count from now."""
    if not doc_keys:
        return Success(None)
    return deps.db.execute(with_rows(SQL["renew"], doc_keys), {"now": deps.clock()})


@reader
def erase(deps: CoreDeps, doc_keys: Sequence[int]) -> Result[None, StoreError]:
    """Erase documents from every table; in a transaction."""
    if not doc_keys:
        return Success(None)
    return Result.do(
        None
        for _ in document_vectors.erase(deps, doc_keys)
        for _ in collect(deps.db.execute(with_rows(SQL[name], doc_keys)) for name in _HANGING)
    )


@reader
def erase_postings(deps: CoreDeps, doc_keys: Sequence[int]) -> Result[None, StoreError]:
    """Erase the terms of documents, to write them anew."""
    return deps.db.execute(with_rows(SQL["erase_postings"], doc_keys))


def _head(one: Entry, clean: Clean) -> Mapping[str, object]:
    document = one.kept.document
    return {
        "doc_key": one.doc_key,
        "id": one.id,
        "name": name_of(document.external_ids, one.id, clean),
        "scope": document.scope,
        "boundary_class": document.boundary_class,
        "dates": document.dates,
        "attributes": document.attributes,
        "digest": one.digest,
        "contains_pii": one.kept.flags.contains_pii,
        "contains_secret": one.kept.flags.contains_secret,
        "breaking_change": one.kept.flags.breaking_change,
        "text_length": one.kept.flags.text_length,
        "embedded": term_hash(one.embedded),
        "created_at": one.created_at,
    }


def _ids(one: Entry) -> Iterable[Mapping[str, object]]:
    for kind, value in one.kept.document.external_ids.items():
        yield {"doc_key": one.doc_key, "type": kind, "value": value}


def _codes(one: Entry) -> Iterable[Mapping[str, object]]:
    for taxonomy, codes in one.kept.document.codes.items():
        for code in codes:
            yield {"doc_key": one.doc_key, "taxonomy": taxonomy, "code": code}


def _values(one: Entry, policy: Policy) -> Iterable[Mapping[str, object]]:
    document = one.kept.document
    yield from date_rows(one.doc_key, document.dates)
    yield from attribute_rows(one.doc_key, document.attributes, document.boundary_class, policy)


def date_rows(doc_key: int, dates: Mapping[str, float]) -> Iterable[Mapping[str, object]]:
    """Yield what dates are found by."""
    return (_value(doc_key, "dates", name, moment) for name, moment in dates.items())


def attribute_rows(
    doc_key: int, attributes: Attributes, boundary_class: BoundaryClass, policy: Policy
) -> Iterable[Mapping[str, object]]:
    """Yield what attributes are found by: their texts as fields are indexed, as a class lets them.

    A filter over words that nobody is shown would answer whoever guesses them.
    """
    for name, value in attributes.items():
        for one in value if isinstance(value, tuple) else (value,):
            said = indexed_text(one, boundary_class, policy) if isinstance(one, str) else one
            yield _value(doc_key, "attributes", name, said)


@reader
def attributes_anew(
    deps: CoreDeps, doc_keys: Sequence[int], rows: Iterable[Mapping[str, object]]
) -> Result[None, StoreError]:
    """Write what the attributes of documents are found by anew; in a transaction."""
    return Result.do(
        None
        for _ in deps.db.execute(with_rows(SQL["erase_attributes"], doc_keys))
        for _ in deps.db.execute(SQL["insert_values"], {"rows": rows_json(rows)})
    )


def _value(doc_key: int, part: str, name: str, value: str | float) -> Mapping[str, object]:
    row: dict[str, object] = {"doc_key": doc_key, "part": part, "name": name}
    if isinstance(value, str):
        return {**row, "kind": "text", "text": value, "number": None}
    kind = "boolean" if isinstance(value, bool) else "number"
    return {**row, "kind": kind, "text": None, "number": float(value)}


def _insert_fields(
    deps: CoreDeps, entries: Sequence[Entry], numbers: Mapping[str, int], policy: Policy
) -> Result[None, StoreError]:
    words: dict[int, dict[int, list[str]]] = {}
    rows: list[Mapping[str, object]] = []
    for one in entries:
        document = one.kept.document
        for name, text in document.fields.items():
            found = indexed_text(text, document.boundary_class, policy)
            terms = list(deps.tokenizer.terms(found))
            words.setdefault(numbers[name], {})[one.doc_key] = terms
            key = {"doc_key": one.doc_key, "field_no": numbers[name]}
            rows.append({**key, "text": text, "length": len(terms)})
    return Result.do(
        None
        for _ in deps.db.execute(SQL["insert_fields"], {"rows": rows_json(rows)})
        for _ in insert_postings(deps, words)
    )


def insert_postings(
    deps: CoreDeps, words: Mapping[int, Mapping[int, Sequence[str]]]
) -> Result[None, StoreError]:
    """Index terms, by the number of the field and the key of the document."""
    columns = _columns(words)
    if not len(columns["doc_key"]):
        return Success(None)
    return deps.db.load(SQL["load_postings"], columns)


def _columns(words: Mapping[int, Mapping[int, Sequence[str]]]) -> Arrays:
    import numpy as np  # noqa: PLC0415 - not at opening

    parts = {field_no: posted(terms).arrays() for field_no, terms in words.items()}
    fields = [
        np.full(len(part["row_id"]), field_no, np.uint16) for field_no, part in parts.items()
    ]
    whole = {
        name: np.concatenate([part[name] for part in parts.values()])
        for name in ("term_hash", "row_id", "tf", "dl")
    }
    return {
        "field_no": np.concatenate(fields),
        "doc_key": whole["row_id"],
        **{name: whole[name] for name in ("term_hash", "tf", "dl")},
    }

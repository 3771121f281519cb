"""What documents are found by, made anew; and documents by key, whoever may see them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Row, Visibility
from pce_memory.domain.document import Attributes, read_attributes
from pce_memory.domain.erasure import ErasureReason
from pce_memory.domain.ids import DocumentId
from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import BoundaryClass
from pce_memory.errors import StoreError
from pce_memory.policy.indexed import indexed_text
from pce_memory.result import collect, reader
from pce_memory.store import document_names, document_rows, erasure, meta, runs
from pce_memory.store.document_vectors import Space, embedded_text
from pce_memory.store.documents import documents_masked
from pce_memory.store.statements import lives, rows_json, statements, template, with_rows
from pce_memory.text.tokens import term_hash

SQL: Final = statements("document_index")

FEWEST: Final = 50_000
"""So many terms in the order of their writing cost a search next to nothing."""
SHARE: Final = 0.2
"""So many more than at the last time make it worth sorting again."""
_SORTED: Final = "document_postings_sorted"


@dataclass(frozen=True, slots=True)
class Indexable:
    """A document as it is indexed: the numbers, names and texts of its fields."""

    doc_key: int
    boundary_class: BoundaryClass
    embedded: int
    fields: tuple[tuple[int, str, str], ...]
    attributes: Attributes

    def text(self, policy: Policy) -> str:
        """Return what of it is embedded."""
        named = {name: text for _, name, text in self.fields}
        return embedded_text(named, self.boundary_class, policy)


@reader
def after(
    deps: CoreDeps, doc_key: int, *, limit: int
) -> Result[tuple[Indexable, ...], StoreError]:
    """Return the first documents after a key, in the order of their keys."""
    rows = deps.db.query(SQL["documents_after"], {"after": doc_key, "limit": limit})
    return Result.do(found for heads in rows for found in _with_fields(deps, heads))


@reader
def without_vector(
    deps: CoreDeps, space: Space, *, limit: int
) -> Result[tuple[Indexable, ...], StoreError]:
    """Return the first documents that have no vector in a space."""
    rows = deps.db.query(space.written(SQL["without_vector"]), {"limit": limit})
    return Result.do(found for heads in rows for found in _with_fields(deps, heads))


@reader
def count_without_vector(deps: CoreDeps, space: Space | None) -> Result[int, StoreError]:
    """Return how many documents have no vector in a space; where there is none, how many are."""
    if space is None:
        return count()(deps)
    found = deps.db.query(space.written(SQL["count_without_vector"]))
    return found.map(lambda rows: int(rows[0]["n"]))


def _with_fields(
    deps: CoreDeps, heads: Sequence[Row]
) -> Result[tuple[Indexable, ...], StoreError]:
    keys = [int(row["doc_key"]) for row in heads]

    def whole(rows: Sequence[Row]) -> tuple[Indexable, ...]:
        fields: dict[int, list[tuple[int, str, str]]] = {}
        for row in rows:
            one = (int(row["field_no"]), str(row["name"]), str(row["text"]))
            fields.setdefault(int(row["doc_key"]), []).append(one)
        return tuple(
            Indexable(
                int(row["doc_key"]),
                row["boundary_class"],
                int(row["embedded"]),
                tuple(fields.get(int(row["doc_key"]), ())),
                read_attributes(row["attributes"]),
            )
            for row in heads
        )

    if not keys:
        return Success(())
    return deps.db.query(with_rows(SQL["fields_of"], keys)).map(whole)


@reader
def index_anew(
    deps: CoreDeps, batch: Sequence[Indexable], policy: Policy
) -> Result[None, StoreError]:
    """Write anew what documents are found and named by, and how many terms; in a transaction."""
    words: dict[int, dict[int, Sequence[str]]] = {}
    lengths: list[Mapping[str, object]] = []
    for one in batch:
        for field_no, _, text in one.fields:
            terms = deps.tokenizer.terms(indexed_text(text, one.boundary_class, policy))
            words.setdefault(field_no, {})[one.doc_key] = terms
            key = {"doc_key": one.doc_key, "field_no": field_no}
            lengths.append({**key, "length": len(terms)})
    keys = [one.doc_key for one in batch]
    return Result.do(
        None
        for _ in document_rows.erase_postings(keys)(deps)
        for _ in document_rows.insert_postings(deps, words)
        for _ in deps.db.execute(SQL["set_lengths"], {"rows": rows_json(lengths)})
        for _ in keys_anew(batch, policy)(deps)
    )


@reader
def keys_anew(
    deps: CoreDeps, batch: Sequence[Indexable], policy: Policy
) -> Result[None, StoreError]:
    """Write anew what documents are ordered and filtered by, as a policy shows it.

    In a transaction. A range over what is not shown any more would spell it, letter by letter.
    """
    keys = [one.doc_key for one in batch]
    rows = [
        row
        for one in batch
        for row in document_rows.attribute_rows(
            one.doc_key, one.attributes, one.boundary_class, policy
        )
    ]
    return Result.do(
        None
        for _ in document_names.anew(keys, policy)(deps)
        for _ in document_rows.attributes_anew(keys, rows)(deps)
    )


@reader
def set_embedded(deps: CoreDeps, texts: Mapping[int, str]) -> Result[None, StoreError]:
    """Write what the vectors of documents are of."""
    if not texts:
        return Success(None)
    rows = [{"doc_key": key, "embedded": term_hash(text)} for key, text in texts.items()]
    return deps.db.execute(SQL["set_embedded"], {"rows": rows_json(rows)})


@reader
def sort_if_many(deps: CoreDeps) -> Result[int, StoreError]:
    """Sort the terms of documents if many were written since; return how many were sorted, or 0.

    A search reads a term in one piece then. It is a transaction of its own, in which nothing is
    deleted: DuckDB cannot replay a log that deletes rows of a table it renames.
    """
    return Result.do(
        taken
        for rows in deps.db.query(SQL["count_postings"])
        for known in meta.get(deps.db, _SORTED)
        for now in Success(int(rows[0]["n"]))
        for taken in (
            deps.db.transaction(partial(_sorted, deps, now))
            if now > FEWEST
            and now > (1 + SHARE) * int(known if known is not None and known.isdecimal() else 0)
            else Success(0)
        )
    )


def _sorted(deps: CoreDeps, count: int) -> Result[int, StoreError]:
    return Result.do(
        count
        for _ in deps.db.execute(template("document_postings_next"))
        for _ in collect(
            deps.db.execute(SQL[name]) for name in ("fill_next", "drop_postings", "rename_next")
        )
        for _ in meta.put(deps.db, _SORTED, str(count))
    )


@reader
def count(deps: CoreDeps) -> Result[int, StoreError]:
    """Return how many documents there are."""
    return deps.db.query(SQL["count_all"]).map(lambda rows: int(rows[0]["n"]))


@reader
def erase_expired(deps: CoreDeps, policy: Policy, *, now: float) -> Result[int, StoreError]:
    """Erase the documents whose time is over under a policy; return how many those were."""
    return Result.do(
        len(gone)
        for rows in deps.db.query(SQL["expired"], lives(policy.scopes.alive_since(now)))
        for gone in erase(_keys(rows), why="expired")(deps)
    )


@reader
def by_id(deps: CoreDeps, doc_id: DocumentId) -> Result[tuple[int, ...], StoreError]:
    """Return the keys of the documents with an id, whoever may see them."""
    return deps.db.query(SQL["by_id"], {"id": doc_id}).map(_keys)


@reader
def visible_among(
    deps: CoreDeps, doc_keys: Sequence[int], visible: Visibility
) -> Result[tuple[int, ...], StoreError]:
    """Return which of these documents are visible."""
    sql, mask = documents_masked(with_rows(SQL["visible_among"], doc_keys), visible)
    return deps.db.query(sql, mask).map(_keys)


@reader
def ids(deps: CoreDeps, doc_keys: Sequence[int]) -> Result[tuple[DocumentId, ...], StoreError]:
    """Return the ids of documents, each once."""
    rows = deps.db.query(with_rows(SQL["ids_of_keys"], doc_keys))
    return rows.map(lambda found: tuple(dict.fromkeys(DocumentId(row["id"]) for row in found)))


@reader
def erase(
    deps: CoreDeps, doc_keys: Sequence[int], *, why: ErasureReason
) -> Result[tuple[DocumentId, ...], StoreError]:
    """Erase documents for good; of each text a digest stays. In a transaction."""
    if not doc_keys:
        return Success(())
    return Result.do(
        tuple(ids.values())
        for rows in deps.db.query(with_rows(SQL["ids_of_keys"], doc_keys))
        for ids in Success({int(row["doc_key"]): DocumentId(row["id"]) for row in rows})
        for texts in deps.db.query(with_rows(SQL["fields_of"], doc_keys))
        for _ in erasure.recorded(
            deps,
            "document",
            [(ids[int(row["doc_key"])], deps.digest(row["text"])) for row in texts],
            why,
        )
        for _ in runs.erase_listing([runs.DOCUMENTS | key for key in doc_keys])(deps)
        for _ in document_rows.erase(doc_keys)(deps)
        # What a field is called may say as much as its text.
        for _ in deps.db.execute(SQL["erase_field_names"])
    )


def _keys(rows: Sequence[Row]) -> tuple[int, ...]:
    return tuple(int(row["doc_key"]) for row in rows)

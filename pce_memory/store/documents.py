"""Search over documents: every statement takes the visible part first, then counts and ranks.

What is found comes best first; equal scores stand in the order of the names that documents go by.
A filter (`store.filters`) is part of the mask: `store.visibility.filtered(visible, rows)`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Params, Row, Vector, Visibility
from pce_memory.domain.document import Document, FeatureScope, Hit, Hits, Style
from pce_memory.domain.ids import DocumentId
from pce_memory.domain.policy import Policy
from pce_memory.errors import StoreError
from pce_memory.policy.indexed import indexed_text
from pce_memory.result import collect, reader
from pce_memory.store import document_vectors, run_documents
from pce_memory.store.embeddings import vector_text
from pce_memory.store.fitting import fitting
from pce_memory.store.statements import integers, masked, rows_json, statements, with_rows
from pce_memory.text.asked import Asked
from pce_memory.text.codes import aims_of, compared
from pce_memory.text.demanded import demanded_terms
from pce_memory.text.phrases import holds_phrase
from pce_memory.text.tokens import term_hash, term_hashes

SQL: Final = statements("documents")

FEATURES: Final[Mapping[FeatureScope, tuple[str, ...] | None]] = {
    "wide": None,
    "title_abst_claims": ("title", "abst", "claim"),
    "claims_only": ("claim",),
    "top_claim": ("top_claim", "claim"),
    "background_jp": ("background_jp", "background", "desc"),
}
"""The fields that a document must have one of to be compared in a feature scope; None: any."""

_OF_CLAIMS: Final = ("now", "utility_half_life", "quality_half_life")
"""Parameters of the mask that only the measures of claims need."""


@dataclass(frozen=True, slots=True)
class Words:
    """What a fulltext lane asks for.

    recall: any of the words. precision: every word, in some field, and every quoted phrase in one.
    What a query leaves out (`-word`) is left out in both. `boosts` are the fields that are looked
    at and what each counts; None is all fields alike.
    """

    asked: Asked
    limit: int
    style: Style = "recall"
    boosts: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document as it is stored, whole; `given` is the id it was asked for by."""

    doc_key: int
    given: str
    document: Document


def documents_masked(statement: str, visible: Visibility) -> tuple[str, Params]:
    """Return a statement over `documents_seen` with its mask, and the mask's parameters."""
    sql, params = masked(statement, replace(visible, twins=False))
    return sql, {name: value for name, value in params.items() if name not in _OF_CLAIMS}


@reader
def fulltext(
    deps: CoreDeps, words: Words, visible: Visibility, policy: Policy
) -> Result[Hits, StoreError]:
    """Return the documents that hold the words, by BM25 per field, summed by the boosts."""
    asked = words.asked
    if not asked.terms:
        return Success(Hits())
    hashes = {term_hash(term) for term in asked.terms}
    sql, mask = documents_masked(SQL["fulltext"].replace("{terms}", integers(hashes)), visible)
    boosts = words.boosts or {}
    fields = rows_json({"name": name, "boost": boost} for name, boost in boosts.items())
    precise = words.style == "precision"
    return Result.do(
        _hits(rows)
        for within in _holding_each(deps, asked.phrases if precise else (), words, visible, policy)
        for left_out in collect(
            _with_terms(deps, phrase, words, visible).map(_keys_of) for phrase in asked.excluded
        )
        for rows in deps.db.query(
            sql,
            {
                **mask,
                "fields": fields,
                "every": words.boosts is None,
                "demanded": list(term_hashes(demanded_terms(asked))) if precise else [],
                "within": None if within is None else sorted(within),
                "without": sorted(frozenset[int]().union(*left_out)),
                "limit": words.limit,
            },
        )
    )


@reader
def semantic(
    deps: CoreDeps,
    vector: Vector,
    visible: Visibility,
    *,
    limit: int,
    feature_scope: FeatureScope = "wide",
) -> Result[Hits, StoreError]:
    """Return the documents nearest to a vector, by cosine: an exact scan of the visible ones.

    A document has one vector: see `store.document_vectors.embedded_text`. A feature scope takes
    those documents only that have one of its fields.
    """
    names = FEATURES[feature_scope]
    params = {"every": names is None, "names": list(names or ()), "limit": limit}

    def found(space: document_vectors.Space | None) -> Result[Hits, StoreError]:
        if space is None:
            return Success(Hits())
        sql, mask = documents_masked(space.written(SQL["nearest"]), visible)
        return deps.db.query(sql, {**mask, **params, "query": vector_text(vector)}).map(_hits)

    return Result.do(hits for space in document_vectors.readable(deps) for hits in found(space))


@reader
def by_codes(
    deps: CoreDeps,
    weights: Mapping[str, Mapping[str, float]],
    visible: Visibility,
    *,
    limit: int,
) -> Result[Hits, StoreError]:
    """Return the documents that carry some of the codes, by the sum of the weights of these.

    `weights` has a weight for each code of each taxonomy; codes are hit as `text.codes` has it.
    """
    sql, mask = documents_masked(SQL["by_codes"], visible)
    norms = deps.code_normalizers
    return Result.do(
        _hits(rows)
        for stored in run_documents.known(compared(weights, norms))(deps)
        for codes in Success(rows_json(aims_of(weights, stored, norms)))
        for rows in deps.db.query(sql, {**mask, "codes": codes, "limit": limit})
    )


@reader
def count(deps: CoreDeps, visible: Visibility) -> Result[int, StoreError]:
    """Return how many documents are visible."""
    sql, mask = documents_masked(SQL["count_documents"], visible)
    return deps.db.query(sql, mask).map(lambda rows: int(rows[0]["n"]))


@reader
def fetch(
    deps: CoreDeps,
    ids: Sequence[str],
    visible: Visibility,
    *,
    id_type: str = "id",
    fields: Sequence[str] | None = None,
) -> Result[tuple[StoredDocument, ...], StoreError]:
    """Return the visible documents of these ids, in their order; those that are hidden are absent.

    Of several that have one id the strictest class stands first, then what was there first: nobody
    gets before what he does not see.

    `id_type`: `id`, or a type of external ids such as pub_id. `fields`: only these; None is all.
    Nothing is redacted yet.
    """
    sql, mask = documents_masked(SQL["visible_documents"], visible)
    some = {"every": fields is None, "names": list(fields or ())}

    def whole(rows: Sequence[Row]) -> Result[tuple[StoredDocument, ...], StoreError]:
        keys = [int(row["doc_key"]) for row in rows]
        return Result.do(
            tuple(fitting(rows, partial(_stored, texts=texts, named=named, codes=codes)))
            for texts in deps.db.query(with_rows(SQL["texts_of"], keys), some).map(_by_key)
            for named in deps.db.query(with_rows(SQL["ids_of"], keys)).map(_by_key)
            for codes in deps.db.query(with_rows(SQL["codes_of"], keys)).map(_by_key)
        )

    params = {**mask, "ids": list(dict.fromkeys(ids)), "type": id_type}
    return Result.do(found for rows in deps.db.query(sql, params) for found in whole(rows))


def _holding_each(
    deps: CoreDeps,
    phrases: Sequence[str],
    words: Words,
    visible: Visibility,
    policy: Policy,
) -> Result[frozenset[int] | None, StoreError]:
    """Return the documents that hold every phrase; None where there is none to hold."""
    if not phrases:
        return Success(None)
    each = collect(_holding(deps, phrase, words, visible, policy) for phrase in phrases)
    return each.map(lambda found: found[0].intersection(*found[1:]))


def _holding(
    deps: CoreDeps, phrase: str, words: Words, visible: Visibility, policy: Policy
) -> Result[frozenset[int], StoreError]:
    """Return the visible documents of which one field, as it is indexed, holds a phrase."""

    def holding(rows: Sequence[Row]) -> frozenset[int]:
        return _keys_of(
            row
            for row in rows
            if holds_phrase(indexed_text(row["text"], row["boundary_class"], policy), phrase)
        )

    # Of a phrase that no term stands for, any document that is found by a word may hold it.
    if deps.tokenizer.needed_terms(phrase):
        return _with_terms(deps, phrase, words, visible).map(holding)
    some = {term_hash(term) for term in words.asked.terms}
    return _fields(deps, "fields_of_some", some, words, visible).map(holding)


def _with_terms(
    deps: CoreDeps, phrase: str, words: Words, visible: Visibility
) -> Result[Sequence[Row], StoreError]:
    """Return the fields of visible documents that hold every word of a phrase.

    What `-"a phrase"` leaves out is judged by this alone, as it is of claims: wherever they stand.
    """
    hashes = {term_hash(term) for term in deps.tokenizer.needed_terms(phrase)}
    if not hashes:
        return Success(())
    return _fields(deps, "fields_with_terms", hashes, words, visible, count=len(hashes))


def _fields(
    deps: CoreDeps,
    name: str,
    hashes: AbstractSet[int],
    words: Words,
    visible: Visibility,
    **more: int,
) -> Result[Sequence[Row], StoreError]:
    sql, mask = documents_masked(SQL[name].replace("{terms}", integers(hashes)), visible)
    names = {"every": words.boosts is None, "names": list(words.boosts or ())}
    return deps.db.query(sql, {**mask, **names, **more})


def _keys_of(rows: Iterable[Row]) -> frozenset[int]:
    return frozenset(int(row["doc_key"]) for row in rows)


def _hits(rows: Sequence[Row]) -> Hits:
    items = tuple(Hit(DocumentId(row["id"]), float(row["score"])) for row in rows)
    return Hits(items, int(rows[0]["total"]) if rows else 0)


def _by_key(rows: Sequence[Row]) -> Mapping[int, Sequence[Row]]:
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(int(row["doc_key"]), []).append(row)
    return found


def _by_taxonomy(rows: Sequence[Row]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(row["taxonomy"], []).append(row["code"])
    return {taxonomy: tuple(codes) for taxonomy, codes in found.items()}


def _stored(
    row: Row,
    texts: Mapping[int, Sequence[Row]],
    named: Mapping[int, Sequence[Row]],
    codes: Mapping[int, Sequence[Row]],
) -> StoredDocument:
    key = int(row["doc_key"])
    document = Document(
        id=row["id"],
        external_ids={one["type"]: one["value"] for one in named.get(key, ())},
        fields={one["name"]: one["text"] for one in texts.get(key, ())},
        codes=_by_taxonomy(codes.get(key, ())),
        dates=json.loads(row["dates"]),
        attributes=json.loads(row["attributes"]),
        scope=row["scope"],
        boundary_class=row["boundary_class"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )
    return StoredDocument(key, row["given"], document)

"""Which documents hold some words, wherever they stand in them: to forget what is about somebody.

Ids, codes and attributes are no texts that a search looks in, but documents are forgotten by them.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Row
from pce_memory.domain.document import read_attributes
from pce_memory.errors import StoreError
from pce_memory.policy.outgoing import Clean
from pce_memory.result import reader
from pce_memory.store.statements import integers, statements, with_rows
from pce_memory.store.words_held import terms_held, with_all
from pce_memory.text.secrecy import strings_in
from pce_memory.text.tokens import term_hash

SQL: Final = statements("document_words")
ERASURE: Final = statements("erasure")
Texts: TypeAlias = Iterable[tuple[int, str]]
Held: TypeAlias = Iterable[tuple[int, frozenset[str]]]


@reader
def holding_all(
    deps: CoreDeps, terms: Sequence[str], clean: Clean, *, owner: bool
) -> Result[tuple[int, ...], StoreError]:
    """Return the keys of the documents that hold every one of the terms, whoever may see them.

    In whichever of their texts, ids, codes and attributes: for the owner as they were given, for
    others as `clean` lets them leave. Of what its parts are called only what names somebody
    counts, and only for the owner: `title` is no word of a document.
    """
    wanted = frozenset(terms)
    if not wanted:
        return Success(())
    return Result.do(
        with_all(wanted, [*indexed, *terms_held(deps, wanted, texts)])
        for indexed in _indexed(deps, wanted)
        for texts in _texts(deps, clean, owner=owner)
    )


@reader
def attributes_of(deps: CoreDeps, documents: Sequence[int]) -> Result[tuple[str, ...], StoreError]:
    """Return what in the attributes of documents is text, as it was given."""
    if not documents:
        return Success(())
    return deps.db.query(with_rows(ERASURE["attributes_of_documents"], documents)).map(
        lambda rows: tuple(
            text
            for row in rows
            for text in strings_in(dict(read_attributes(str(row["attributes"]))))
        )
    )


@reader
def texts_left(deps: CoreDeps) -> Result[tuple[str, ...], StoreError]:
    """Return what stands in documents and is not indexed: ids, codes, names, what is redacted."""
    return Result.do(
        tuple(
            dict.fromkeys(
                [
                    *(str(row["text"]) for row in (*beside, *redacted) if row["text"]),
                    *(text for _, text in _attributes(attributes, str)),
                ]
            )
        )
        for beside in deps.db.query(SQL["texts_beside"])
        for redacted in deps.db.query(SQL["redacted_texts"])
        for attributes in deps.db.query(SQL["attributes_beside"])
    )


def _indexed(deps: CoreDeps, wanted: frozenset[str]) -> Result[Held, StoreError]:
    by_hash = {term_hash(term): term for term in wanted}
    sql = SQL["terms_held"].replace("{terms}", integers(by_hash))
    return deps.db.query(sql).map(
        lambda rows: [
            (int(row["doc_key"]), frozenset({by_hash[int(row["term_hash"])]})) for row in rows
        ]
    )


def _texts(deps: CoreDeps, clean: Clean, *, owner: bool) -> Result[Texts, StoreError]:
    def leaving(text: str) -> str:
        return text if owner else clean(text)

    def whole(text: str) -> str:
        return text if owner or clean(text) == text else ""

    def naming(text: str) -> str:
        return text if clean(text) != text else ""

    nothing: Sequence[Row] = ()
    return Result.do(
        [
            *_of(redacted, str),
            *_of(ids, leaving),
            *_of(codes, whole),
            *_of(names, naming),
            *_attributes(attributes, leaving),
        ]
        for redacted in (deps.db.query(SQL["redacted_texts"]) if owner else Success(nothing))
        for names in (deps.db.query(SQL["names_beside"]) if owner else Success(nothing))
        for ids in deps.db.query(SQL["ids_beside"])
        for codes in deps.db.query(SQL["codes_beside"])
        for attributes in deps.db.query(SQL["attributes_beside"])
    )


def _of(rows: Sequence[Row], shown: Clean) -> Texts:
    known: dict[str, str] = {}
    for row in rows:
        text = str(row["text"])
        if text not in known:
            known[text] = shown(text)
        yield int(row["doc_key"]), known[text]


def _attributes(rows: Sequence[Mapping[str, object]], shown: Clean) -> Texts:
    for row in rows:
        values = list(read_attributes(str(row["attributes"])).values())
        for text in strings_in(values):
            yield int(str(row["doc_key"])), shown(text)

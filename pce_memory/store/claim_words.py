"""Which claims and observations hold some words, in their texts or in what stands beside them.

Tags, sources, provenance, quotations and names of entities are no texts that a search looks in,
but claims are forgotten by them.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Row
from pce_memory.domain.ids import ObservationId
from pce_memory.errors import StoreError
from pce_memory.policy.outgoing import Clean
from pce_memory.result import reader
from pce_memory.store.claims import literals
from pce_memory.store.statements import integers, statements, with_rows
from pce_memory.store.words_held import terms_held, with_all
from pce_memory.text.tokens import term_hash

SQL: Final = statements("claim_words")
Texts: TypeAlias = Sequence[tuple[int, str]]
Held: TypeAlias = Iterable[tuple[int, frozenset[str]]]
_NO_ROWS: Final[Sequence[Row]] = ()


@reader
def claims_holding_all(
    deps: CoreDeps, terms: Sequence[str], clean: Clean, *, owner: bool
) -> Result[tuple[int, ...], StoreError]:
    """Return the keys of the claims that hold every one of the terms, whoever may see them.

    In whichever of their texts, tags, evidence and names of entities: for the owner as they were
    given, for others as they are indexed and as `clean` lets them leave.
    """
    wanted = frozenset(terms)
    redacted = deps.db.query(SQL["redacted_texts"]) if owner else Success(_NO_ROWS)
    return Result.do(
        with_all(
            wanted,
            [
                *indexed,
                *terms_held(deps, wanted, _pairs(own_texts)),
                *_beside(deps, wanted, texts, None if owner else clean),
                *_beside(deps, wanted, tags, None if owner else whole_only(clean)),
            ],
        )
        for indexed in _indexed(deps, wanted)
        for own_texts in redacted
        for texts in _texts(deps, "texts_beside_claims")
        for tags in _texts(deps, "tags_of_claims")
    )


@reader
def observations_holding_all(
    deps: CoreDeps, terms: Sequence[str]
) -> Result[tuple[ObservationId, ...], StoreError]:
    """Return the observations that hold every one of the terms, as they were given."""
    wanted = frozenset(terms)
    return Result.do(
        tuple(map(ObservationId, with_all(wanted, terms_held(deps, wanted, texts))))
        for rows in _of_observations(deps)
        for texts in Success([(str(row["id"]), str(row["text"])) for row in rows])
    )


@reader
def texts_beside(
    deps: CoreDeps, row_ids: Sequence[int], ids: Sequence[ObservationId]
) -> Result[tuple[str, ...], StoreError]:
    """Return what stands beside the texts of these claims and observations."""
    return Result.do(
        tuple(dict.fromkeys([*(text for _, text in (*texts, *tags)), *observed]))
        for texts in _texts(deps, "texts_beside_claims", row_ids)
        for tags in _texts(deps, "tags_of_claims", row_ids)
        for rows in _of_observations(deps, ids)
        for observed in Success([str(row["text"]) for row in rows])
    )


@reader
def texts_left(deps: CoreDeps) -> Result[tuple[str, ...], StoreError]:
    """Return what claims and observations say that is not indexed."""
    return Result.do(
        tuple(
            dict.fromkeys(
                [
                    *(text for _, text in (*texts, *tags, *_pairs(redacted))),
                    *(str(row["text"]) for row in observed),
                ]
            )
        )
        for texts in _texts(deps, "texts_beside_claims")
        for tags in _texts(deps, "tags_of_claims")
        for redacted in deps.db.query(SQL["redacted_texts"])
        for observed in _of_observations(deps)
    )


def whole_only(clean: Clean) -> Clean:
    """Return what lets a text leave as it is or not at all."""
    return lambda text: text if clean(text) == text else ""


def _beside(
    deps: CoreDeps, wanted: frozenset[str], texts: Texts, leaving: Clean | None
) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield which claims hold which terms; only a text that holds any is cleaned."""
    held = terms_held(deps, wanted, texts)
    if leaving is None:
        yield from held
        return
    keys = {key for key, _ in held}
    told = [(key, leaving(text)) for key, text in texts if key in keys]
    yield from terms_held(deps, wanted, told)


def _indexed(deps: CoreDeps, wanted: frozenset[str]) -> Result[Held, StoreError]:
    term_by_hash = {term_hash(term): term for term in wanted}
    sql = SQL["indexed_terms"].replace("{terms}", integers(term_by_hash))
    return deps.db.query(sql).map(
        lambda rows: [
            (int(row["row_id"]), frozenset({term_by_hash[int(row["term_hash"])]})) for row in rows
        ]
    )


def _texts(
    deps: CoreDeps, name: str, row_ids: Sequence[int] | None = None
) -> Result[Texts, StoreError]:
    """Return what stands beside the texts of these claims, of every one if none is named."""
    sql = with_rows(SQL[name], row_ids or ())
    return deps.db.query(sql, {"every": row_ids is None}).map(_pairs)


def _pairs(rows: Sequence[Row]) -> Texts:
    return [(int(row["row_id"]), str(row["text"])) for row in rows]


def _of_observations(
    deps: CoreDeps, ids: Sequence[ObservationId] | None = None
) -> Result[Sequence[Row], StoreError]:
    def those(name: str) -> Result[Sequence[Row], StoreError]:
        sql = SQL[name].replace("{ids}", literals(ids or ()))
        return deps.db.query(sql, {"every": ids is None})

    return Result.do(
        [*texts, *tags]
        for texts in those("texts_of_observations")
        for tags in those("tags_of_observations")
    )

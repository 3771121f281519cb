"""Compare what is derived with what it is derived from: which rows do not agree."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Database, Row
from pce_memory.domain.health import Counts
from pce_memory.errors import StoreError
from pce_memory.result import collect, reader
from pce_memory.store import document_vectors
from pce_memory.store.claim_row import as_claim
from pce_memory.store.claims import literals
from pce_memory.store.evidence import as_evidence
from pce_memory.store.fitting import reads
from pce_memory.store.observations import as_observation
from pce_memory.store.statements import statements, with_rows
from pce_memory.text.content_hash import content_hash, near_key

SQL: Final = statements("checking")
UNFIT: Final = statements("unfit")
"""By table: the rows that hold what none of them may, and that answers leave out."""
_OF_ROWS: Final = (
    "claims_of_other_length",
    "terms_of_nothing",
    "claims_without_evidence",
    "evidence_of_nothing",
    "support_of_nothing",
    "mentions_of_nothing",
    "relations_of_nothing",
    "aliases_of_nothing",
    "superseded_by_nothing",
    "documents_of_other_length",
    "document_rows_of_nothing",
    "claims_of_no_key",
    "claims_not_followed",
    "claims_of_other_twins",
    "run_rows_of_nothing",
)
"""Statements that name the rows which do not agree with others."""
_ERASERS: Final = (
    "erase_evidence_of_nothing",
    "erase_support_of_nothing",
    "erase_mentions_of_nothing",
    "erase_relations_of_nothing",
    "erase_aliases_of_nothing",
)
_DIGEST: Final = "-"  # the digest of an observation is not read by its check


class Checked(NamedTuple):
    """Claims that were read: their last key, how many, and the ids of those with a fault.

    unfit: what cannot be read. other_words: of whose text the hash is another. broken: the keys of
    these. sound: the keys of all others. empty: of which of them no terms are indexed.
    """

    last: int
    read: int
    unfit: tuple[str, ...]
    other_words: tuple[str, ...]
    broken: tuple[int, ...]
    sound: tuple[int, ...]
    empty: tuple[int, ...]


def disagreeing(db: Database) -> Result[Mapping[str, tuple[str, ...]], StoreError]:
    """Return the rows that do not agree with others, by what is wrong with them."""
    wanted = {name: SQL[name] for name in _OF_ROWS}
    wanted |= {f"{table}_unfit": sql for table, sql in UNFIT.items()}

    def asked(name: str) -> Result[tuple[str, tuple[str, ...]], StoreError]:
        return _keys(db, wanted[name]).map(lambda keys: (name, keys))

    return collect(map(asked, wanted)).map(dict)


def _keys(db: Database, sql: str) -> Result[tuple[str, ...], StoreError]:
    return db.query(sql).map(lambda rows: tuple(str(row["id"]) for row in rows))


def claims_after(db: Database, after: int, *, limit: int) -> Result[Checked | None, StoreError]:
    """Read the claims after a key; None where there are no more."""
    return db.query(SQL["claims_between"], {"after": after, "limit": limit}).map(
        lambda rows: _checked(rows) if rows else None
    )


def _checked(rows: Sequence[Row]) -> Checked:
    unfit: list[str] = []
    other: list[str] = []
    broken: list[int] = []
    sound: list[int] = []
    for row in rows:
        same = row["content_hash"] == content_hash(row["text"])
        fits = same and reads(row, as_claim) is not None and bool(row["timely"])
        (sound if fits else broken).append(int(row["row_id"]))
        if not fits:
            (unfit if same else other).append(str(row["id"] or row["row_id"]))
    kept = frozenset(sound)
    empty = tuple(
        int(row["row_id"])
        for row in rows
        if row["token_count"] <= 0 and int(row["row_id"]) in kept
    )
    last = int(rows[-1]["row_id"])
    return Checked(last, len(rows), tuple(unfit), tuple(other), tuple(broken), tuple(sound), empty)


def unreadable(db: Database) -> Result[Mapping[str, tuple[str, ...]], StoreError]:
    """Return the evidence and the observations that do not fit their models."""
    whole = {"content_digest": _DIGEST, "content_length": 0, "store_mode": "redact"}
    return Result.do(
        {
            "evidence_unfit": tuple(str(r["id"]) for r in evidence if not reads(r, as_evidence)),
            "observations_unfit": tuple(
                str(row["id"]) for row in said if not reads({**row, **whole}, as_observation)
            ),
        }
        for evidence in db.query(SQL["evidence_rows"])
        for said in db.query(SQL["observation_rows"])
    )


@reader
def of_other_terms(
    deps: CoreDeps, wanted: Mapping[int, Sequence[int]]
) -> Result[tuple[str, ...], StoreError]:
    """Return those claims whose postings are not these terms."""
    if not wanted:
        return Success(())

    def differing(rows: Sequence[Row]) -> tuple[str, ...]:
        stored: dict[int, Counter[int]] = {key: Counter() for key in wanted}
        for row in rows:
            stored[int(row["row_id"])][int(row["term_hash"])] += int(row["tf"])
        return tuple(str(key) for key in wanted if stored[key] != Counter(wanted[key]))

    return deps.db.query(with_rows(SQL["terms_of_claims"], wanted)).map(differing)


@reader
def vectors(
    deps: CoreDeps, generations: Sequence[int]
) -> Result[Mapping[str, tuple[str, ...]], StoreError]:
    """Return the vectors that are of nothing, and those that are none, of claims and documents."""
    return Result.do(
        {
            name: tuple(
                key for known, keys in (*claims, *documents) if known == name for key in keys
            )
            for name in (
                "vectors_of_nothing",
                "vectors_unsound",
                "document_vectors_of_nothing",
                "document_vectors_unsound",
            )
        }
        for claims in _in_spaces(deps.db, generations, ("vectors_of_nothing", "vectors_unsound"))
        for tables in document_vectors.tables(deps)
        for documents in _in_spaces(
            deps.db,
            [space.generation for space in tables],
            ("document_vectors_of_nothing", "document_vectors_unsound"),
        )
    )


def _in_spaces(
    db: Database, generations: Sequence[int], names: Sequence[str]
) -> Result[Sequence[tuple[str, tuple[str, ...]]], StoreError]:
    def asked(name: str, generation: int) -> Result[tuple[str, tuple[str, ...]], StoreError]:
        return _keys(db, _in(SQL[name], generation)).map(lambda keys: (name, keys))

    return collect(asked(name, one) for name in names for one in generations)


def _in(sql: str, generation: int) -> str:
    return sql.replace("{generation}", str(int(generation)))


def counts(db: Database) -> Result[Counts, StoreError]:
    """Return how many rows there are of what hangs together."""
    return db.query(SQL["counts"]).map(lambda rows: Counts.model_validate(dict(rows[0])))


@reader
def texts_behind(
    deps: CoreDeps, row_ids: Sequence[int]
) -> Result[tuple[tuple[str, str, str], ...], StoreError]:
    """Return (claim id, content hash, content) of observations that claims rest on."""
    return deps.db.query(with_rows(SQL["texts_behind"], row_ids)).map(
        lambda rows: tuple((row["id"], row["content_hash"], row["content"]) for row in rows)
    )


@reader
def set_text(deps: CoreDeps, claim_id: str, text: str) -> Result[None, StoreError]:
    """Give a claim its text back."""
    params = {"id": claim_id, "text": text, "length": len(text), "near_key": near_key(text)}
    return deps.db.execute(SQL["set_text"], params)


@reader
def notes_anew(deps: CoreDeps, rows: Mapping[str, Sequence[str]]) -> Result[None, StoreError]:
    """Write what is noted of claims anew: which are equal, and the numbers of their changes."""
    wanted = {
        "claims_of_no_key": "number_claims",
        "claims_of_other_twins": "mark_all_twins",
        "claims_not_followed": "number_changes",
    }
    return collect(
        deps.db.execute(SQL[statement]) for kind, statement in wanted.items() if rows[kind]
    ).map(lambda _: None)


@reader
def origins(deps: CoreDeps, ids: Sequence[str]) -> Result[Sequence[Row], StoreError]:
    """Return the observations that claims were drawn from, with what evidence says of them."""
    return deps.db.query(SQL["origins_of_claims"].replace("{ids}", literals(ids)))


@reader
def erase_dangling(deps: CoreDeps, generations: Sequence[int]) -> Result[None, StoreError]:
    """Remove what hangs on rows that are not there, and unsound vectors; in a transaction."""
    return Result.do(
        None
        for _ in collect(deps.db.execute(SQL[name]) for name in _ERASERS)
        for _ in collect(
            deps.db.execute(_in(SQL["erase_vectors_of_nothing"], one)) for one in generations
        )
        for tables in document_vectors.tables(deps)
        for _ in collect(
            deps.db.execute(_in(SQL["erase_document_vectors_of_nothing"], space.generation))
            for space in tables
        )
    )

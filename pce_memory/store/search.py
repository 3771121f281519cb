"""Search over claims: every statement takes the visible part first, then counts and ranks."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import EVERY_ROW, Arrays, CoreDeps, Params, Row, Visibility
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.claims import rows_seen
from pce_memory.store.statements import (
    integers,
    masked,
    rows_json,
    statements,
    template,
    with_rows,
)
from pce_memory.text.tokens import term_hash, term_hashes

SQL: Final = statements("search")
MAX_TF: Final = 65_535
MANY: Final = 2_000
"""From so many postings on they go to DuckDB as columns, below as one text."""
MOST_PIECES: Final = 12
"""Up to so many terms each is read by itself; with more, planning costs more than reading."""


@reader
def lexical_hits(
    deps: CoreDeps,
    terms: Sequence[str],
    visible: Visibility,
    *,
    limit: int,
    also: Sequence[int] = (),
) -> Result[Mapping[int, float], StoreError]:
    """Return BM25 by row id: of the best `limit` visible claims, and of those in `also`."""
    if not terms:
        return Success({})
    sql, mask = masked(with_rows(SQL["lexical_hits"], also), visible)
    sql = sql.replace("{postings}", postings_of(terms))
    return deps.db.query(sql, {**mask, "limit": limit}).map(_numbers("score"))


@reader
def visible_rows(deps: CoreDeps, visible: Visibility) -> Result[tuple[int, ...], StoreError]:
    """Return the keys of every visible claim."""
    sql, params = masked(SQL["visible_rows"], visible)
    return deps.db.query(sql, params).map(lambda rows: tuple(int(row["row_id"]) for row in rows))


@reader
def utilities(
    deps: CoreDeps, visible: Visibility
) -> Result[tuple[tuple[float, int], ...], StoreError]:
    """Return (utility, how many visible claims have it), by utility."""
    sql, params = masked(SQL["utilities"], visible)
    return deps.db.query(sql, params).map(
        lambda rows: tuple((float(row["utility"]), int(row["n"])) for row in rows)
    )


@reader
def insert_postings(
    deps: CoreDeps, terms_by_row: Mapping[int, Sequence[str]]
) -> Result[None, StoreError]:
    """Index the terms of new claims."""
    postings = posted(terms_by_row)
    size = len(postings.row_id)
    if not size:
        return Success(None)
    done = (
        deps.db.load(SQL["load_postings"], postings.arrays())
        if size >= MANY
        else deps.db.execute(SQL["insert_postings"], {"rows": rows_json(postings.rows())})
    )
    return done.map(lambda _: _told(deps, size))


@dataclass(frozen=True, slots=True)
class Posted:
    """Postings as columns."""

    term_hash: list[int]
    row_id: list[int]
    tf: list[int]
    dl: list[int]

    def rows(self) -> Iterable[Row]:
        """Return them as rows."""
        names = ("term_hash", "row_id", "tf", "dl")
        columns = zip(self.term_hash, self.row_id, self.tf, self.dl, strict=True)
        return (dict(zip(names, one, strict=True)) for one in columns)

    def arrays(self) -> Arrays:
        """Return them as numpy arrays."""
        import numpy as np  # noqa: PLC0415 - not at opening

        return {
            "term_hash": np.array(self.term_hash, np.uint64),
            "row_id": np.array(self.row_id, np.int64),
            "tf": np.array(self.tf, np.uint16),
            "dl": np.array(self.dl, np.uint32),
        }


def posted(terms_by_row: Mapping[int, Sequence[str]]) -> Posted:
    """Return the terms of claims as postings."""
    counted = [(row_id, len(terms), Counter(terms)) for row_id, terms in terms_by_row.items()]
    hashes = {term: term_hash(term) for term in {one for _, _, some in counted for one in some}}
    return Posted(
        [hashes[term] for _, _, counts in counted for term in counts],
        [row_id for row_id, _, counts in counted for _ in counts],
        [min(times, MAX_TF) for _, _, counts in counted for times in counts.values()],
        [length for _, length, counts in counted for _ in counts],
    )


def _told(deps: CoreDeps, postings: int) -> None:
    _ = deps.grown(postings)


def postings_of(terms: Sequence[str]) -> str:
    """Return the statement that reads the postings of some terms; hashes stand in it, no text."""
    hashes = term_hashes(terms)
    parts = (
        [_with_terms(template("term"), [one]) for one in hashes]
        if len(hashes) <= MOST_PIECES
        else [_with_terms(template("terms_sorted"), hashes)]
    )
    return "union all\n".join([*parts, _with_terms(template("terms_fresh"), hashes)])


def _with_terms(statement: str, hashes: Sequence[int]) -> str:
    return statement.replace("{terms}", integers(hashes))


def rows_json_of_hashes(terms: Sequence[str]) -> str:
    """Return the distinct hashes of query terms as a JSON array."""
    return "[" + ",".join(map(str, term_hashes(terms))) + "]"


def _numbers(column: str) -> Callable[[Sequence[Row]], Mapping[int, float]]:
    def read(rows: Sequence[Row]) -> Mapping[int, float]:
        return {int(row["row_id"]): float(row[column]) for row in rows}

    return read


@reader
def shown_instead(
    deps: CoreDeps, row_ids: Sequence[int], visible: Visibility
) -> Result[Mapping[int, int], StoreError]:
    """Return which claim is shown for each of these that is permitted: itself, or its equal."""
    if not row_ids:
        return Success({})
    if not visible.twins:
        return visible_among(row_ids, visible)(deps).map(lambda rows: {row: row for row in rows})
    return deps.db.query(*of_equal_claims(integers(row_ids), visible)).map(
        lambda rows: {int(row["row_id"]): int(row["shown"]) for row in rows}
    )


def of_equal_claims(rows: str, visible: Visibility) -> tuple[str, Params]:
    """Return the statement that says what is shown for claims, by the inside of `in (...)`."""
    each = replace(visible, twins=False, filters=EVERY_ROW)
    return masked(SQL["shown_instead"].replace("{row_ids}", rows), each)


@reader
def visible_among(
    deps: CoreDeps, row_ids: Sequence[int], visible: Visibility
) -> Result[frozenset[int], StoreError]:
    """Return which of these claims are visible."""
    if not row_ids:
        return Success(frozenset())
    stored, judged = (with_rows(SQL[name], row_ids) for name in ("stored_among", "visible_among"))
    return rows_seen(stored, judged, visible, each=not visible.twins)(deps).map(
        lambda rows: frozenset(int(row["row_id"]) for row in rows)
    )

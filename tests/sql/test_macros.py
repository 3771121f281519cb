"""The formulas in SQL: time whatever the zone, decay, cosine, and BM25 against DuckDB's own."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from importlib.util import find_spec
from itertools import compress
from pathlib import Path
from typing import Final

import duckdb
import pytest
from hypothesis import example, given, settings, strategies as st

from pce_memory import BoundaryClass, Claim, Memory, Scope
from pce_memory.deps import RowFilter, Visibility
from pce_memory.domain.vocabulary import SCOPES
from pce_memory.store import postings, search
from pce_memory.store.macros import shipped_macros
from pce_memory.store.times import seconds_of
from pce_memory.text.content_hash import content_hash
from pce_memory.text.tokens import query_terms, term_hash, terms
from tests.conftest import START, wipe
from tests.strategies import claim_lists, sentences, storable

LAST_MOMENT: Final = 253_402_300_799.0
ZONES: Final = ("UTC", "Asia/Tokyo", "America/St_Johns", "Pacific/Kiritimati")
SECONDS: Final = st.floats(0, LAST_MOMENT, allow_nan=False)
DAY: Final = 86_400.0
OF_TABLES: Final = ("claims_at", "postings_of", "documents_seen", "codes_of_claims")


@pytest.fixture(scope="module")
def sql() -> Iterator[duckdb.DuckDBPyConnection]:
    """A bare DuckDB with the shipped macros and a table they may look at."""
    with closing(duckdb.connect()) as connection:
        script, _ = shipped_macros()
        connection.execute("create table claims (row_id bigint)")
        # What is about the real tables is left out; the rest stands alone.
        for statement in duckdb.extract_statements(script):
            if not any(name in statement.query for name in OF_TABLES):
                connection.execute(statement)
        yield connection


def one(connection: duckdb.DuckDBPyConnection, expression: str, **given: object) -> object:
    found = connection.execute(f"select {expression}", given).fetchone()
    assert found is not None
    return found[0]


class TestTime:
    @given(seconds=SECONDS)
    @example(LAST_MOMENT)
    @example(LAST_MOMENT - 1e-6)
    @example(1_750_000_000.123456)
    def test_a_time_as_it_is_read_is_what_epoch_says(
        self, sql: duckdb.DuckDBPyConnection, seconds: float
    ):
        found = sql.execute(
            "select epoch(utc($seconds)), utc($seconds)", {"seconds": seconds}
        ).fetchone()
        assert found is not None
        assert seconds_of(found[1]) == found[0]

    @pytest.mark.parametrize("zone", ZONES)
    @given(seconds=SECONDS)
    @example(0.0)
    @example(LAST_MOMENT)
    @example(1_750_000_000.123456)
    @example(1_711_850_400.5)  # when a clock was put forward somewhere
    def test_seconds_come_back(self, sql: duckdb.DuckDBPyConnection, zone: str, seconds: float):
        sql.execute(f"set TimeZone = '{zone}'")
        back = one(sql, "epoch(utc($seconds))", seconds=seconds)
        assert isinstance(back, float)
        assert abs(back - seconds) <= max(1e-6, math.ulp(seconds))

    @pytest.mark.parametrize("zone", ZONES)
    @given(seconds=st.integers(0, int(LAST_MOMENT)))
    def test_the_stored_time_is_utc(self, sql: duckdb.DuckDBPyConnection, zone: str, seconds: int):
        sql.execute(f"set TimeZone = '{zone}'")
        shown = one(sql, "utc($seconds)::varchar", seconds=float(seconds))
        assert shown == f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}".zfill(19)


class TestDecay:
    DECAYED = "decayed($measure, utc($since), $until, $half_life)"

    def decayed(
        self,
        sql: duckdb.DuckDBPyConnection,
        measure: float,
        since: float,
        until: float,
        half_life: float,
    ) -> float:
        given = {"measure": measure, "since": since, "until": until, "half_life": half_life}
        return float(str(one(sql, self.DECAYED, **given)))

    @given(
        measure=st.floats(-100, 100),
        half_life=st.floats(1, 1000),
        days=st.tuples(st.integers(0, 500), st.integers(0, 500)),
    )
    def test_it_composes(
        self,
        sql: duckdb.DuckDBPyConnection,
        measure: float,
        half_life: float,
        days: tuple[int, int],
    ):
        first, second = START + days[0] * DAY, START + sum(days) * DAY
        halfway = self.decayed(sql, measure, START, first, half_life)
        in_two = self.decayed(sql, halfway, first, second, half_life)
        at_once = self.decayed(sql, measure, START, second, half_life)
        assert in_two == pytest.approx(at_once, rel=1e-12, abs=1e-300)

    @given(measure=st.floats(-100, 100), days=st.floats(0, 500))
    def test_it_does_not_grow_back(
        self, sql: duckdb.DuckDBPyConnection, measure: float, days: float
    ):
        assert self.decayed(sql, measure, START, START - days * DAY, 30) == measure

    def test_it_halves_in_a_half_life(self, sql: duckdb.DuckDBPyConnection):
        assert self.decayed(sql, 0.8, START, START + 30 * DAY, 30) == 0.4

    def test_nothing_stays_nothing(self, sql: duckdb.DuckDBPyConnection):
        assert self.decayed(sql, 0.0, 0.0, LAST_MOMENT, 1e-9) == 0.0


class TestCosine:
    @given(
        pair=st.lists(
            st.tuples(st.floats(-1, 1, width=32), st.floats(-1, 1, width=32)),
            min_size=3,
            max_size=3,
        ).filter(lambda pair: all(math.hypot(*side) > 0.01 for side in zip(*pair, strict=True)))
    )
    def test_it_is_the_cosine(
        self, sql: duckdb.DuckDBPyConnection, pair: list[tuple[float, float]]
    ):
        a, b = ([float(x) for x in side] for side in zip(*pair, strict=True))
        expected = math.sumprod(a, b) if hasattr(math, "sumprod") else dot(a, b)
        got = one(sql, "cos_sim($a::varchar::float[3], $b::varchar::float[3])", a=str(a), b=str(b))
        assert got == pytest.approx(expected / math.hypot(*a) / math.hypot(*b), abs=1e-5)


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


@pytest.fixture(scope="module")
def fts() -> Iterator[duckdb.DuckDBPyConnection]:
    """A DuckDB with its own full-text search, from the file that its package carries."""
    spec = find_spec("duckdb_extension_fts")
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent / "extensions" / f"v{duckdb.__version__}"
    with closing(duckdb.connect()) as connection:
        connection.execute(f"load '{folder / 'fts.duckdb_extension'}'")
        yield connection


def as_words(some: Sequence[str]) -> str:
    """Return terms as words that no tokenizer takes apart: both sides see the same terms."""
    return " ".join(f"t{term_hash(term):016x}" for term in some)


def oracle(
    fts: duckdb.DuckDBPyConnection, claims: Mapping[int, Claim], asked: Sequence[str]
) -> dict[int, float]:
    """Return what `match_bm25` says over a table that holds these claims and no others."""
    if not claims:
        return {}
    fts.execute("create or replace table docs (row_id bigint, body varchar)")
    fts.executemany(
        "insert into docs values (?, ?)",
        [(row, as_words(terms(claim.text))) for row, claim in claims.items()],
    )
    fts.execute(
        "pragma create_fts_index('docs', 'row_id', 'body', stemmer = 'none', stopwords = 'none', "
        "ignore = '[^a-z0-9]+', strip_accents = 0, lower = 0, overwrite = 1)"
    )
    scored = fts.execute(
        "select row_id, fts_main_docs.match_bm25(row_id, $asked) as score from docs "
        "where score is not null",
        {"asked": as_words(asked)},
    )
    return {int(row): float(score) for row, score in scored.fetchall()}


def visibility(scopes: Sequence[Scope], classes: Sequence[BoundaryClass]) -> Visibility:
    return Visibility(
        scopes=tuple(scopes),
        classes=tuple(classes),
        invariants=RowFilter("true", {}),
        now=START,
        alive_since=dict.fromkeys(SCOPES, 0.0),
        utility_half_life=30.0,
        quality_half_life=120.0,
    )


def rows_of(memory: Memory) -> dict[str, int]:
    found = memory.deps.db.query("select id, row_id from claims").unwrap()
    return {str(row["id"]): int(row["row_id"]) for row in found}


class TestBm25:
    @settings(max_examples=20)
    @given(
        claims=st.tuples(
            claim_lists(
                text=st.one_of(sentences, sentences, st.just("… !"), storable.map(str.strip)),
                min_size=2,
                max_size=8,
            ).filter(lambda some: len({content_hash(one.text) for one in some}) == len(some)),
            st.integers(0, 8),
        ),
        query=st.one_of(sentences, storable),
        scopes=st.lists(st.booleans(), min_size=3, max_size=3),
        classes=st.sampled_from([("public",), ("internal",), ("public", "internal")]),
    )
    def test_it_is_match_bm25_over_the_visible_claims(
        self,
        memory: Memory,
        fts: duckdb.DuckDBPyConnection,
        claims: tuple[tuple[Claim, ...], int],
        query: str,
        scopes: list[bool],
        classes: tuple[BoundaryClass, ...],
    ):
        wipe(memory)
        every, sorted_first = claims
        memory.integrate(every[:sorted_first])
        _ = postings.sort(memory.deps.db)
        memory.integrate(every[sorted_first:])
        rows = rows_of(memory)
        shown = tuple(compress(SCOPES, scopes))
        seen = {
            rows[claim.id]: claim
            for claim in every
            if claim.scope in shown and claim.boundary_class in classes
        }
        asked = query_terms(query)
        visible = visibility(shown, classes)
        found = search.lexical_hits(asked, visible, limit=100)(memory.deps).unwrap()
        assert dict(found) == pytest.approx(oracle(fts, seen, asked), rel=1e-9, abs=1e-12)

    def test_many_terms_are_read_at_once(self, memory: Memory):
        memory.observe("The red lamp stands in the long corridor.")
        visible = visibility(SCOPES, ("public", "internal"))
        many = ["red", *map(str, range(2 * search.MOST_PIECES))]
        assert search.postings_of(many).count("from postings") == 2
        assert search.postings_of(many[:3]).count("from postings") == 4
        one, all_of_them = (
            search.lexical_hits(asked, visible, limit=2)(memory.deps).unwrap()
            for asked in (many[:1], many)
        )
        assert one == all_of_them

    def test_the_best_come_first_and_equal_ones_by_age(self, memory: Memory):
        for text in ("red red red", "red blue", "red green", "blue green"):
            memory.observe(f"The {text} lamp stands in the long corridor.")
        visible = visibility(SCOPES, ("public", "internal"))
        found = search.lexical_hits(["red"], visible, limit=2)(memory.deps).unwrap()
        rows = sorted(rows_of(memory).values())
        assert list(found) == rows[:2]
        also = search.lexical_hits(["red"], visible, limit=1, also=rows[2:])(memory.deps).unwrap()
        assert list(also) == [rows[0], rows[2]]

"""A file with rows in every table, edits of its columns, and all that may be asked of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import duckdb
from returns.result import Failure, Result

from pce_memory import Boundary, Claim, Entity, Memory, Relation
from pce_memory.deps.backend import BackendHit
from tests.conftest import START, CountingIds, FakeClock

ALL: Final = Boundary(
    scope=("session", "project", "principle"),
    allow=("answer:task", "tool:contact-lookup"),
    boundary_classes=("public", "internal", "pii"),
    actor="ada",
)
NARROW: Final = ALL.model_copy(update={"scope": ("session",), "boundary_classes": ("public",)})
HOW: Final[Mapping[str, Any]] = {"boundary": ALL}
DOCUMENTS: Final[Mapping[str, Any]] = {"collection": "documents"}
SAID: Final = (
    "Alice prefers dark mode in the editor.",
    "The red lamp stands in the office.",
    "アリスは会議を午前中に入れたがる。",
    "The gateway was deployed by Ken on 3 May?",
)
LAMPS: Final = (
    {
        "pub_id": "JP1",
        "title": "A red lamp",
        "abst": "It is a lamp of glass.",
        "fi_full": ["F21V3/00A"],
        "dates": {"filing": "20200102"},
        "attributes": {"pages": 12, "by": "Ken", "new": True},
    },
    {
        "pub_id": "JP2",
        "title": "A green door",
        "claim": "It opens.",
        "dates": {"filing": "20210304"},
    },
)
ACTOR: Final = {"id": "ent_ada", "type": "Actor", "name": "Alice", "attrs": {"of": "the team"}}
EDGE: Final = {"id": "rel_1", "src_id": "ent_ada", "dst_id": "ent_lamp", "type": "owns"}
GIVEN: Final = {
    "kind": "fact",
    "origin_observation_id": "obs_given",
    "created_at": START,
    "updated_at": START,
}


class Shelf:
    """A backend of its own documents."""

    def fulltext_search(self, _query: str, _filters: Any, _top_k: int) -> object:
        return [BackendHit("x", 1.0, {"title": "A lamp of theirs", "codes": {"fi": ["H01"]}})]

    def semantic_search(self, _text: str, _scope: str, _top_k: int) -> object:
        return self.fulltext_search("", (), 1)

    def get_document(self, _doc_id: str, _fields: Any) -> object:
        return None


class Known(NamedTuple):
    """Ids of what stands in the file."""

    claims: tuple[str, ...]
    context: str
    lane: str
    documents: str
    foreign: str
    blend: str
    mutated: str


def open_at(path: Path, **how: Any) -> Memory:
    """Open a file at the time it was made at."""
    ids = CountingIds()
    for _ in range(500):  # beyond the ids that stand in the file
        _ = ids("x_")
    settled: dict[str, Any] = {"embedder": "hashing", "clock": FakeClock(START + 60), "ids": ids}
    return Memory.open(path, **{**settled, **how})


def filled(path: Path) -> Known:
    """Make a file that has rows in every table; return what they are called."""
    with Memory.open(path, embedder="hashing", clock=FakeClock(), ids=CountingIds()) as memory:
        ada = Entity.model_validate(ACTOR)
        lamp = Entity.model_validate({"id": "ent_lamp", "type": "Concept", "name": "lamp"})
        edge = Relation.model_validate(EDGE)
        seen = [
            memory.observe(
                text,
                actor="ada",
                tags=["note"],
                source_id="room/1",
                source_type="chat",
                entities=[ada, lamp],
                relations=[edge],
                idempotency_key=f"key {n}",
                boundary=ALL,
            )
            for n, text in enumerate(SAID)
        ]
        ids = [one.claims[0].id for one in seen]
        memory.observe("Bob drinks tea.", actor="bob")
        memory.forget(actor="bob", compact=False)
        memory.observe("Nobody said it.")
        for name, text, scope, of_class, under in (
            ("clm_again", "Nobody said it.", "project", "internal", ALL),
            ("clm_queued", "The key of the house is blue.", "project", "pii", ALL),
            ("clm_wide", "The red lamp is old.", "project", "internal", ALL),
            ("clm_twin", "The red lamp is old.", "session", "public", NARROW),
        ):
            claim = {"id": name, "text": text, "scope": scope, "boundary_class": of_class}
            given = Claim.model_validate({**claim, **GIVEN})
            memory.integrate([given], boundary=under)
        memory.feedback(ids[0], "helpful", feedback_id="fb_1", boundary=ALL)
        memory.judge(ids[1], score=70.0, judgement_id="jdg_1", boundary=ALL)
        memory.feedback(ids[3], "duplicate", duplicate_of=ids[2], boundary=ALL)
        context = memory.activate("the red lamp", boundary=ALL).active_context.id
        memory.add_documents(LAMPS, boundary=ALL)
        fusion = memory.fusion
        lane = fusion.rrf_search_fulltext_raw("lamp editor", boundary=ALL)
        papers = fusion.rrf_search_semantic_raw("a lamp", boundary=ALL, **DOCUMENTS)
        over = fusion.over("shelf", Shelf())
        foreign = over.rrf_search_fulltext_raw("lamp", boundary=ALL)
        blend = over.rrf_blend_frontier(
            [lane, papers, foreign],
            facet_terms={"light": ["lamp", "glass"]},
            target_profile={"fi": {"F21V3/00A": 1.0}},
            boundary=ALL,
        )
        mutated = over.rrf_mutate_run(blend.run_id, {"rrf_k": 20}, boundary=ALL)
        fusion.register_representatives(["JP1"], "A", boundary=ALL)
        memory.maintain()
        memory.observe("The blue lamp is new.", actor="ada", boundary=ALL)
    runs = (lane.run_id, papers.run_id, foreign.run_id, blend.run_id, mutated.run_id)
    return Known(tuple(ids), str(context), *runs)


Ask = Callable[[], object]


def reading(memory: Memory, known: Known) -> Iterator[tuple[str, Ask]]:
    """Name what is asked of a file, each by what it is asked by."""
    results, how = memory.results, HOW
    over = results.fusion.over("shelf", Shelf())
    for query in ("red lamp", "アリスの会議", "", "Alice 3 May"):
        yield f"search {query!r}", partial(results.search, query, k=20, **how)
        yield (
            f"activate {query!r}",
            partial(results.activate, query, top_k=20, include_meta=True, **how),
        )
    yield "narrow", lambda: results.search("red lamp", k=20, boundary=NARROW)
    for n, one in enumerate(known.claims):
        yield f"claim {n}", partial(results.claim, one, **how)
        yield f"evidence {n}", partial(results.evidence, one, **how)
        yield f"why {n}", partial(results.explain, one)
        yield f"explain {n}", partial(results.explain, "red lamp", one, **how)
    yield "context", lambda: results.context(known.context, **how)
    for name in ("lane", "documents", "foreign", "blend", "mutated"):
        run = getattr(known, name)
        yield f"peek {name}", partial(over.peek_snippets, run, **how)
        yield f"provenance {name}", partial(over.get_provenance, run, **how)
        yield f"mutate {name}", partial(over.rrf_mutate_run, run, {"rrf_k": 9}, **how)
    for run, lane in ((known.lane, "fulltext"), (known.documents, "semantic")):
        given = {"run_id_lane": run, "lane": lane}
        yield (
            f"blend {lane}",
            partial(
                results.fusion.rrf_blend_frontier, [given], facet_terms={"a": ["lamp"]}, **how
            ),
        )
    for name in ("fulltext", "semantic", "original_dense", "graph"):
        ask = getattr(results.fusion, f"rrf_search_{name}_raw")
        yield name, partial(ask, "Alice lamp", **how)
        if name in ("fulltext", "semantic"):
            yield f"{name} of documents", partial(ask, "lamp", **DOCUMENTS, **how)
    yield (
        "codes",
        lambda: results.fusion.rrf_search_code_raw(
            {"fi_full": {"F21V3/00A": 1.0}}, **DOCUMENTS, **how
        ),
    )
    between = {"from": "2019-01-01", "to": "2022-01-01"}
    filters = [{"field": "dates.filing", "op": "range", "value": between}]
    yield (
        "filtered",
        lambda: results.fusion.rrf_search_fulltext_raw(
            "lamp door", filters=filters, sort="dates.filing", **DOCUMENTS, **how
        ),
    )
    for one in ("JP1", "JP2"):
        yield f"publication {one}", partial(results.publication, one, **how)
    yield "reviews", results.reviews.list
    yield "history", results.policy_history
    yield "erasures", lambda: results.erasures("Bob drinks tea.")
    whose: Sequence[Mapping[str, Any]] = (
        {"query": "lamp"},
        {"actor": "ada"},
        {"claim_id": known.claims[0]},
    )
    for wanted in whose:
        yield (
            f"forget {[*wanted]}",
            partial(results.forget, dry_run=True, **wanted, **how),
        )


def writing(memory: Memory, known: Known) -> Iterator[tuple[str, Ask]]:
    """Name what may be written to a file."""
    results, how = memory.results, HOW
    yield "observe", lambda: results.observe(SAID[0], actor="ada", **how)
    yield "again", lambda: results.observe(SAID[1], idempotency_key="key 1", actor="ada", **how)
    yield "replay", lambda: results.feedback(known.claims[0], "helpful", feedback_id="fb_1", **how)
    yield "judge", lambda: results.judge(known.claims[1], score=20.0, judgement_id="jdg_1", **how)
    yield "judged", lambda: results.judge(known.claims[1], score=20.0, **how)
    yield "feedback", lambda: results.feedback(known.claims[1], "outdated", **how)
    yield "audit", results.audit
    yield "add", lambda: results.add_documents([LAMPS[1]], **how)
    yield "decay", results.decay
    yield "maintain", results.maintain
    yield "approve", lambda: results.reviews.approve(_pending(memory), reviewer="carol")


def _pending(memory: Memory) -> str:
    reviews = memory.results.reviews.list().value_or(())
    return reviews[0].id if reviews else "rev_none"


def answer(ask: Ask) -> str:
    """Return what was answered, but for ids and times of what the question itself made."""
    told = ask()
    assert isinstance(told, Result)
    return repr(told.failure()) if isinstance(told, Failure) else repr(told.unwrap())


class Edit(NamedTuple):
    """One value that somebody puts in the place of another, in the first or last row of a table."""

    table: str
    column: str
    value: str
    row: str = "min"

    @property
    def sql(self) -> str:
        """Return the statement that makes the edit."""
        return (
            f'update "{self.table}" set "{self.column}" = {self.value} '
            f'where rowid = (select {self.row}(rowid) from "{self.table}")'
        )


NUMBERS: Final = ("null", "-1", "0")
OF_TYPES: Final[Mapping[str, tuple[str, ...]]] = {
    "VARCHAR": ("null", "''", "'junk'"),
    "JSON": ("null", "'3'", "'\"junk\"'", "'[]'", "'{}'", "'[[1]]'", "'null'"),
    "TIMESTAMP": ("null", "'infinity'", "'-infinity'"),
    "DOUBLE": ("null", "-1", "'nan'", "'infinity'"),
    "BOOLEAN": ("null", "true", "false"),
    **dict.fromkeys(("BIGINT", "INTEGER"), NUMBERS),
    **dict.fromkeys(("UBIGINT", "UINTEGER", "USMALLINT", "UTINYINT"), ("null", "0", "255")),
}
"""What each kind of column is set to; what it does not take is no edit."""


def edits(path: Path) -> list[Edit]:
    """Return every edit that is made of a file: every column of every table."""
    with duckdb.connect(str(path), read_only=True) as outside:
        columns = outside.execute(
            "select table_name, column_name, data_type, estimated_size from duckdb_columns() "
            "join duckdb_tables() using (table_name) where not duckdb_columns.internal "
            "order by table_name, column_index"
        ).fetchall()
    return [
        Edit(table, column, value, row)
        for table, column, kind, size in columns
        for value in OF_TYPES.get(kind, ("null",))
        for row in (("min", "max") if size > 1 else ("min",))
        if size
    ]


def is_made(path: Path, edit: Edit) -> bool:
    """Make an edit; return whether the table took it and it changed something."""
    with duckdb.connect(str(path)) as outside:
        read = f'select * from "{edit.table}" order by rowid'
        before = repr(outside.execute(read).fetchall())
        try:
            outside.execute(edit.sql)
        except duckdb.Error:
            return False
        return repr(outside.execute(read).fetchall()) != before

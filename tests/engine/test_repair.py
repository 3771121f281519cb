"""A file that somebody edited: the rest is served, the rows are named, and mended where they can be."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import duckdb
import pytest
from returns.result import Success

from pce_memory import Memory, Provenance
from pce_memory.domain.health import Defect
from pce_memory.store import events
from tests.conftest import rows

FILE: Final = "memory.duckdb"
TEXTS: Final = (
    "Alice prefers dark mode in the editor.",
    "Bob likes green tea in the morning.",
    "The gateway is deployed every day at nine.",
    "アリスは会議を午前中に入れたがる。",
    "The red lamp stands in the office.",
)
PAPERS: Final = (
    {
        "pub_id": "JP1",
        "title": "A lamp",
        "fi_full": ["F21V3/00A", "F21V1/00"],
        "dates": {"filing": "20200102"},
        "attributes": {"pages": 12, "tags": ["a", "b"]},
    },
    {"pub_id": "JP2", "title": "A red door", "claim": "It opens."},
)
OF_TWO: Final = "row_id = 2"

Open = Callable[..., Memory]
Break = Callable[[str], Memory]


@pytest.fixture
def broken(memory_at: Open, tmp_path: Path) -> Break:
    """Return a function that fills a file, edits it from outside, and opens it again."""

    def edited(sql: str) -> Memory:
        memory = memory_at(FILE)
        for text in TEXTS:
            memory.observe(text, actor="alice", tags=["note"])
        memory.add_documents(PAPERS)
        memory.close()
        with duckdb.connect(str(tmp_path / FILE)) as outside:
            outside.execute(sql)
        return memory_at(FILE)

    return edited


def found(memory: Memory, query: str) -> set[str]:
    return {item.claim.text for item in memory.search(query, k=20)}


def defects(memory: Memory) -> dict[str, Defect]:
    deep = memory.health(deep=True).deep
    assert deep is not None
    return {one.kind: one for one in deep.defects}


UNREADABLE: Final = {
    "text": "text = ''",
    "kind": "kind = 'nonsense'",
    "hash": "content_hash = 'zz'",
    "scope": "scope = 'galaxy'",
    "class": "boundary_class = 'cosmic'",
    "status": "status = 'zombie'",
    "id": "id = ''",
    "tags": "tags = '3'",
    "derived": "derived_from = '3'",
    "no number": "utility = 'nan'::double",
    "infinite measure": "quality = 'infinity'::double",
    "no time": "created_at = 'infinity'::timestamp",
    "no anchor": "recency_anchor = '-infinity'::timestamp",
    "no decay": "decayed_at = 'infinity'::timestamp",
    "no saying": "said_at = '-infinity'::timestamp",
}


@pytest.mark.parametrize("mirror", ["1GB", 0])
@pytest.mark.parametrize("edit", UNREADABLE.values(), ids=UNREADABLE.keys())
class TestARowThatCannotBeRead:
    def test_the_rest_is_served_and_the_row_is_named(
        self, broken: Break, memory_at: Open, edit: str, mirror: str | int
    ):
        memory = broken(f"update claims set {edit} where {OF_TWO}")
        memory.close()
        memory = memory_at(FILE, mirror_memory=mirror)
        wanted = {*TEXTS} - {TEXTS[1]}
        for query in ("dark mode tea lamp gateway 会議", ""):
            assert wanted <= found(memory, query) <= {*TEXTS}
            activation = memory.activate(query, top_k=20, include_meta=True)
            assert wanted <= {item.claim.text for item in activation.items}
        row = memory.deps.db.query(f"select id from claims where {OF_TWO}").unwrap()[0]
        known = [one for one in defects(memory).values() if one.table == "claims"]
        assert [one.rows for one in known] == [(row["id"] or "2",)]
        # No operation on the row raises anything but an error of ours.
        for call in (
            lambda: memory.results.claim(row["id"]),
            lambda: memory.results.evidence(row["id"]),
            lambda: memory.results.explain("tea", row["id"]),
            lambda: memory.results.feedback(row["id"], "helpful"),
            lambda: memory.results.observe("Carol drinks coffee."),
            lambda: memory.results.observe(TEXTS[1]),
            memory.results.maintain,
            memory.results.reindex,
        ):
            call()
        assert wanted <= found(memory, "")


class TestDerivedRows:
    @pytest.mark.parametrize(
        ("sql", "kind", "named"),
        [
            (f"update claims set text = '' where {OF_TWO}", "claims_of_other_words_known", None),
            (f"delete from postings_delta where {OF_TWO}", "claims_of_other_length", "2"),
            ("delete from postings_delta where row_id % 2 = 0", "claims_of_other_length", "2"),
            (f"update claims set token_count = -5 where {OF_TWO}", "claims_of_other_length", "2"),
            (
                "update postings_delta set term_hash = term_hash // 2 where row_id = 2",
                "claims_of_other_terms",
                "2",
            ),
            (
                "delete from postings_delta where row_id = 2; update claims set token_count = 0 where row_id = 2",
                "claims_of_other_terms",
                "2",
            ),
            (
                "insert into postings_delta select seq, 0, term_hash, 999, tf, dl from postings_delta where row_id = 2",
                "terms_of_nothing",
                "999",
            ),
            ("drop table vectors_1", "vector_tables_lost", "vectors_1"),
            (
                "drop table vectors_1; create table vectors_1 (row_id bigint primary key, embedding float[3])",
                "vector_tables_lost",
                "vectors_1",
            ),
            (f"delete from vectors_1 where {OF_TWO}", "claims_without_vector", "2"),
            (
                "insert into vectors_1 select 999, embedding from vectors_1 where row_id = 2",
                "vectors_of_nothing",
                "999",
            ),
            (
                "update vectors_1 set embedding = list_transform(embedding::float[], x -> 'nan'::float)::float[384] where row_id = 2",
                "vectors_unsound",
                "2",
            ),
            ("delete from vector_spaces", "claims_without_vector", None),
            (
                "delete from evidence where claim_id in (select id from claims where row_id = 2)",
                "claims_without_evidence",
                None,
            ),
            ("update evidence set claim_id = 'clm_x' where id = (select min(id) from evidence)",
             "evidence_of_nothing", None),
            ("insert into claim_entities select id, 'ent_x' from claims where row_id = 2",
             "mentions_of_nothing", None),
            ("insert into relations values ('rel_x', 'ent_x', 'ent_y', 'knows', null, null, now()::timestamp)",
             "relations_of_nothing", "rel_x"),
            ("insert into claim_aliases values ('clm_a', 'clm_x', now()::timestamp)",
             "aliases_of_nothing", "clm_a"),
            ("delete from document_postings", "documents_of_other_length", "1"),
            ("update document_fields set length = 77 where doc_key = 1", "documents_of_other_length", "1"),
            ("delete from document_values where part = 'dates'", "documents_of_other_values", None),
            ("delete from document_values where part = 'attributes'", "documents_of_other_values", None),
            ("insert into document_ids values (77, 'pub_id', 'JP77')", "document_rows_of_nothing", "77"),
            ("drop table document_vectors_1", "documents_without_vector", None),
            ("delete from document_vectors_1 where doc_key = 2", "documents_without_vector", "2"),
            (
                "drop table document_vectors_1; create table document_vectors_1 (doc_key bigint primary key, embedding float[3])",
                "documents_without_vector",
                None,
            ),
        ],
    )  # fmt: skip
    def test_they_are_named_and_mended(
        self, broken: Break, memory_at: Open, sql: str, kind: str, named: str | None
    ):
        memory = broken(sql)
        before = rows(memory, "events")
        assert found(memory, "dark mode tea lamp gateway 会議")
        known = defects(memory)
        assert kind in known
        assert known[kind].mend == "repair"
        if named is not None:
            assert named in known[kind].rows
        dry = memory.repair()
        assert (dry.dry_run, dry.found, dry.lost) == (True, tuple(known.values()), ())
        assert dry.mended == dry.found
        assert defects(memory) == known  # a dry run has changed nothing
        assert rows(memory, "events") == before
        done = memory.repair(dry_run=False)
        assert (done.found, done.mended, done.lost) == (dry.found, dry.found, ())
        assert defects(memory) == {}
        told = events.newest(topic="repair")(memory.deps).unwrap()
        assert told[0].payload["mended"] == {name: one.count for name, one in known.items()}
        assert memory.audit(tool="repair")[0].counts["lost"] == 0
        assert found(memory, "dark mode tea lamp gateway 会議") == {*TEXTS}
        assert found(memory, "Bob green tea") >= {TEXTS[1]}
        memory.close()
        again = memory_at(FILE)
        assert defects(again) == {}
        assert found(again, "") == {*TEXTS}

    def test_a_text_that_nothing_else_holds_is_lost_and_said_to_be(self, broken: Break):
        memory = broken(
            f"update claims set text = '' where {OF_TWO}; update observations set content = null"
        )
        row = str(memory.deps.db.query(f"select id from claims where {OF_TWO}").unwrap()[0]["id"])
        for _ in range(2):
            done = memory.repair(dry_run=False)
            assert [(one.kind, one.rows) for one in done.lost] == [
                ("claims_of_other_words", (row,))
            ]
        assert found(memory, "") == {*TEXTS} - {TEXTS[1]}

    @pytest.mark.parametrize(
        ("sql", "kind"),
        [
            ("delete from document_ids where value = 'JP1'", "documents_of_other_contents"),
            ("delete from document_codes where code = 'F21V1/00'", "documents_of_other_contents"),
            ("update document_fields set text = 'x' where doc_key = 1", "documents_of_other_contents"),
            ("delete from document_fields where doc_key = 1", "documents_unfit"),
            ("delete from document_field_names", "documents_unfit"),
            ("update documents set attributes = '3'", "documents_unfit"),
            ("update documents set dates = '[]'", "documents_unfit"),
            ("update documents set boundary_class = 'cosmic'", "documents_unfit"),
            ("update evidence set method = ''", "evidence_unfit"),
            ("update observations set boundary_class = 'cosmic'", "observations_unfit"),
            (f"update claims set superseded_by = 'clm_x', status = 'tombstone' where {OF_TWO}",
             "superseded_by_nothing"),
        ],
    )  # fmt: skip
    def test_what_is_lost_is_named_and_raises_nothing(self, broken: Break, sql: str, kind: str):
        memory = broken(sql)
        known = defects(memory)
        assert known[kind].mend == "lost"
        for call in (
            lambda: memory.results.search("lamp"),
            lambda: memory.results.publication("JP1"),
            lambda: memory.results.add_documents([{"pub_id": "JP1", "title": "A lampion"}]),
            lambda: memory.fusion.rrf_search_fulltext_raw("door", collection="documents"),
            lambda: memory.fusion.rrf_search_semantic_raw("door", collection="documents"),
            lambda: memory.results.repair(dry_run=False),
            memory.results.maintain,
        ):
            call()
        assert len(found(memory, "")) >= len(TEXTS) - 1

    @pytest.mark.parametrize("value", ["junk", "", "[1", "null"])
    def test_what_the_file_says_of_its_index_may_be_anything(self, broken: Break, value: str):
        memory = broken(
            f"update meta set value = '{value}' where key not in ('digest_key', 'macros_sha256')"
        )
        assert found(memory, "tea")
        memory.reindex()
        memory.repair(dry_run=False)
        assert memory.health().index == "ok"
        assert found(memory, "dark mode tea lamp gateway 会議") == {*TEXTS}


class TestASoundFile:
    def test_nothing_is_said_of_it(self, memory: Memory):
        said = [memory.observe(text, actor="alice", tags=["note"]) for text in TEXTS]
        memory.observe("Bob likes green tea in the mornings.", actor="bob")
        memory.observe(TEXTS[0], actor="bob")
        memory.observe("Carol met Dan on 3 March. They talked about the lamp.", actor="carol")
        memory.distill(
            "Alice and Bob have habits.",
            provenance=Provenance(at="2025-06-15T15:06:40Z"),
            claim_ids=[one.claims[0].id for one in said[:2]],
        )
        memory.add_documents([*PAPERS, {"title": "No id", "attributes": {"a": True, "b": 2.5}}])
        memory.add_documents([{**PAPERS[0], "title": "Another lamp"}])
        memory.feedback(said[1].claims[0].id, "duplicate", duplicate_of=said[0].claims[0].id)
        memory.forget(actor="bob", compact=False)
        memory.forget(claim_id=said[4].claims[0].id, compact=False)
        memory.maintain()
        deep = memory.health(deep=True).deep
        assert deep is not None
        assert deep.defects == ()
        assert deep.sampled == deep.counts.claims == rows(memory, "claims")
        assert deep.counts.documents == 3
        done = memory.repair(dry_run=False)
        assert (done.found, done.mended, done.lost) == ((), (), ())

    def test_it_may_be_read_only(self, memory_at: Open):
        memory_at(FILE).observe(TEXTS[0])
        memory_at(FILE + "x").close()
        memory = memory_at(FILE + "x", read_only=True)
        assert memory.repair().found == ()
        assert memory.results.repair(dry_run=False).failure().code == "READ_ONLY"

    @pytest.mark.parametrize("value", [1, None, "yes"])
    def test_a_flag_is_true_or_false(self, memory: Memory, value: Any):
        assert memory.results.health(deep=value).failure().code == "INVALID_PARAMETER"
        assert memory.results.repair(dry_run=value).failure().code == "INVALID_PARAMETER"
        assert isinstance(memory.results.health(deep=False), Success)

"""Documents beside claims: taken in by the thousand, found, shown, and forgotten."""

import json
import math
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from returns.result import Failure, Success

from pce_memory import Boundary, Memory, errors
from pce_memory.adapters.embedders import from_callable
from pce_memory.domain.document import NewDocument
from pce_memory.store import document_index, documents
from tests.conftest import FakeClock, rows, tables
from tests.documents import by_name, hits, scores, seen_by
from tests.policies import LASTING

LAMP = {
    "pub_id": "JP1A",
    "app_id": "A1",
    "title": "A lamp of glass",
    "abst": "The lamp is bright.",
    "claim": "A lamp that has a body of glass.",
    "fi_full": ["F21V3/00A", "F21V3/00B"],
    "dates": {"filing": "20200102"},
    "attributes": {"pages": 12, "granted": True, "countries": ["JP", "US"]},
}
IMAGE = {
    "pub_id": "JP2A",
    "title": "画像認識装置",
    "claim": "画像を認識するニューラルネットワークを備える装置。",
    "fi_norm": ["G06V10/82"],
    "ft": ["5L096"],
    "dates.filing": "1969-05-01",
}
SECRET = "AKIA" + "IOSFODNN7" + "ABCDEFG"
CARDS = Boundary(
    scope=("session", "project", "principle"),
    allow=("answer:task", "tool:contact-lookup"),
    boundary_classes=("public", "internal", "pii"),
)


def document_rows(memory: Memory) -> dict[str, int]:
    names = [name for name in tables(memory) if name.startswith("document")]
    return {name: rows(memory, name) for name in names if name != "document_field_names"}


class TestAdding:
    def test_both_are_found_in_their_languages(self, memory: Memory):
        assert memory.add_documents([LAMP, IMAGE]).created == 2
        assert by_name(memory, hits(memory, "glass lamps")) == ["JP1A"]
        assert by_name(memory, hits(memory, "画像認識")) == ["JP2A"]
        assert by_name(memory, hits(memory, "ニューラルネットワーク")) == ["JP2A"]

    def test_the_same_again_is_unchanged(self, memory: Memory):
        _ = memory.add_documents([LAMP, IMAGE])
        before = document_rows(memory)
        again = memory.add_documents([IMAGE, LAMP])
        assert (again.created, again.updated, again.unchanged) == (0, 0, 2)
        assert document_rows(memory) == before

    def test_another_text_under_a_known_id_takes_the_place_of_the_whole(self, memory: Memory):
        _ = memory.add_documents([LAMP])
        first = memory.publication("JP1A")
        done = memory.add_documents([{"app_id": "A1", "title": "A door"}])
        assert (done.created, done.updated) == (0, 1)
        now = memory.publication("A1", "app_id")
        assert (now.id, now.fields, now.codes) == (first.id, {"title": "A door"}, {})
        assert hits(memory, "lamp").total == 0
        assert document_rows(memory)["document_fields"] == 1

    def test_two_publications_of_one_application_are_two(self, memory: Memory):
        both = [{"pub_id": name, "app_id": "A1", "title": "A lamp"} for name in ("JP1A", "JP1B")]
        assert memory.add_documents(both).created == 2

    def test_an_id_that_comes_twice_in_a_call_counts_as_the_last_says(self, memory: Memory):
        done = memory.add_documents([LAMP, IMAGE, {"pub_id": "JP1A", "title": "A door"}])
        assert (done.created, done.updated) == (2, 1)
        assert memory.publication("JP1A").fields == {"title": "A door"}

    def test_without_ids_the_whole_text_tells(self, memory: Memory):
        text = {"title": "A lamp"}
        assert memory.add_documents([text, text]).created == 1
        assert memory.add_documents([text]).unchanged == 1

    def test_norms_are_made_of_full_codes(self, memory: Memory):
        _ = memory.add_documents([LAMP])
        codes = memory.publication("JP1A").codes
        assert codes["fi_norm"] == ("F21V3/00",)
        assert codes["fi_full"] == ("F21V3/00A", "F21V3/00B")

    def test_a_host_says_how_codes_are_compared(self, memory_at: Callable[..., Memory]):
        memory = memory_at(code_normalizers={"ipc": lambda code: code.split("/")[0]})
        _ = memory.add_documents([{"title": "A", "codes": {"ipc_full": ["F21V 3/00"]}}])
        found = documents.by_codes({"ipc_norm": {"F21V 3": 1.0}}, seen_by(memory), limit=5)
        assert found(memory.deps).unwrap().total == 1

    def test_a_hosts_function_that_fails_is_told_as_that(self, memory_at: Callable[..., Memory]):
        memory = memory_at(code_normalizers={"fi": lambda code: code[:0]})
        done = memory.results.add_documents([LAMP])
        assert "code_normalizers" in done.failure().message

    def test_progress_is_told(self, memory: Memory):
        told: list[int] = []
        many = [{"pub_id": f"P{n}", "title": f"lamp {n}"} for n in range(1_200)]
        assert memory.add_documents(iter(many), progress=told.append).created == 1_200
        assert told == [500, 1_000, 1_200]
        assert hits(memory, "lamp").total == 1_200


class TestWhatIsHandedOver:
    ROWS = ({"pub_id": "P1", "title": "lamp", "ft": "5L1"}, {"pub_id": "P2", "title": "door"})

    def test_columns(self, memory: Memory):
        columns = {
            "pub_id": ["P1", "P2"],
            "title": ["lamp", "door"],
            "ft": ["5L1", None],
            "attributes.weight": [1.5, math.nan],
        }
        assert memory.add_documents(columns).created == 2
        assert memory.publication("P1").attributes == {"weight": 1.5}
        assert memory.publication("P2").attributes == {}

    def test_nouns(self, memory: Memory):
        noun = NewDocument(fields={"title": "lamp"}, external_ids={"pub_id": "P1"})
        assert memory.add_documents([noun]).created == 1

    def test_jsonl_with_bad_lines(self, memory: Memory, tmp_path: Path):
        path = tmp_path / "documents.jsonl"
        lines = [
            json.dumps(IMAGE, ensure_ascii=False).encode(),
            b"",
            b'{"title": "lamp", "attributes": {"n": NaN}}',
            b"\xff\xfe",
            b"[1]",
            b"[" * 100_000,
            b'{"title": "lamp"',
            json.dumps(LAMP).encode(),
        ]
        path.write_bytes(b"\n".join(lines))
        done = memory.add_documents(path)
        assert done.created == 2
        told = [one.message for one in done.failed]
        assert len(told) == 5
        assert [message.split(":")[0] for message in told] == [
            f"Invalid line {number}" for number in (3, 4, 5, 6, 7)
        ]
        assert memory.add_documents(str(path)).unchanged == 2

    @pytest.mark.parametrize(
        "items", [3, None, b"x", {}, {"title": "one"}, {"a": [1], "b": [1, 2]}, "no such file"]
    )
    def test_what_is_none_of_these_is_refused(self, memory: Memory, items: Any):
        assert isinstance(memory.results.add_documents(items).failure(), errors.InvalidParameter)

    @pytest.mark.parametrize(
        "bad",
        [
            3,
            {"titel": "x"},
            {"title": ""},
            {"title": 3},
            {"title": "a\0b"},
            {"title": "\ud800"},
            {"title": "x", "attributes": {"n": math.inf}},
            {"title": "x", "dates": {"filing": "20230230"}},
            {"title": "x", "scope": "everywhere"},
            {"title": "x", "boundary_class": "secret"},
            {"title": "x", "boundary_class": "pii"},
            {"title": "x", "codes": {"ft": [""]}},
            {"title": "x", "pub_id": SECRET},
            {"title": "x" * 10_000_000},
            {3: "x", "title": "x"},
        ],
    )
    def test_a_document_at_fault_stops_no_other(self, memory: Memory, bad: Any):
        done = memory.add_documents([bad, LAMP])
        assert (done.created, [one.index for one in done.failed]) == (1, [0])
        assert SECRET not in str(done)

    def test_names_are_no_sql(self, memory: Memory):
        name = "x') or 1=1; drop table documents; --"
        done = memory.add_documents(
            [
                {
                    "fields": {name: "a lamp"},
                    "external_ids": {name: name},
                    "codes": {name: [name]},
                    "attributes": {name: name},
                    "dates": {name: 0},
                }
            ]
        )
        assert done.created == 1
        assert memory.publication(name, name).fields == {name: "a lamp"}
        assert hits(memory, "lamp", boosts={name: 2.0}).total == 1
        visible = seen_by(memory, None, {f"attributes.{name}": name, f"codes.{name}": name})
        assert documents.count(visible)(memory.deps).unwrap() == 1


class TestSecurity:
    def test_a_secret_is_taken_out_before_anything_is_stored(self, memory: Memory):
        done = memory.add_documents([{"pub_id": "P", "title": f"the key {SECRET} opens"}])
        assert (done.created, done.redacted) == (1, 1)
        assert memory.publication("P").fields["title"] == "the key [secret] opens"

    def test_or_refused_where_the_policy_says_so(self, memory_at: Callable[..., Memory]):
        memory = memory_at(policy=LASTING.replace("on_secret: redact", "on_secret: deny"))
        done = memory.add_documents([{"title": f"the key {SECRET}"}, LAMP])
        assert [one.code for one in done.failed] == ["BOUNDARY_DENIED"]

    def test_personal_data_is_taken_out_and_the_class_rises(self, memory: Memory):
        mail = {"pub_id": "P", "title": "write to a@example.com", "boundary_class": "public"}
        _ = memory.add_documents([mail])
        shown = memory.publication("P")
        assert (shown.fields["title"], shown.boundary_class) == ("write to [email]", "internal")
        assert hits(memory, "example").total == 0

    def test_what_is_said_to_be_pii_is_kept_and_redacted_on_its_way_out(self, lasting: Memory):
        mail = {"pub_id": "P", "title": "lamp of a@example.com", "boundary_class": "pii"}
        assert lasting.add_documents([mail], boundary=CARDS).created == 1
        stored = documents.fetch(["P"], seen_by(lasting, CARDS), id_type="pub_id")(lasting.deps)
        assert stored.unwrap()[0].document.fields["title"] == "lamp of a@example.com"
        shown = lasting.publication("P", boundary=CARDS)
        assert shown.fields["title"] == "lamp of [email]"
        assert hits(lasting, "example", seen_by(lasting, CARDS)).total == 0
        assert hits(lasting, "lamp", seen_by(lasting, CARDS)).total == 1

    def test_an_attribute_is_found_by_what_its_class_lets_be_shown(self, lasting: Memory):
        card = {
            "pub_id": "P",
            "title": "lamp",
            "attributes": {"by": ["a@example.com", "Aiko"], "pages": 3},
            "boundary_class": "pii",
        }
        assert lasting.add_documents([card], boundary=CARDS).created == 1

        def found(**wanted: Any) -> int:
            visible = seen_by(lasting, CARDS, wanted)
            return documents.count(visible)(lasting.deps).unwrap()

        for _ in range(2):
            assert found(**{"attributes.by": "a@example.com"}) == 0
            assert found(**{"attributes.by": "Aiko", "attributes.pages": 3}) == 1
            # What is indexed anew is indexed alike.
            lasting.deps.db.execute("update document_values set text = 'a@example.com'").unwrap()
            _ = lasting.reindex()

    def test_ids_codes_and_names_are_kept_and_leave_clean(self, memory: Memory):
        mail = "a@example.com"
        given = {
            "external_ids": {"pub_id": mail, "app_id": "A1", mail: "x"},
            "fields": {"title": "lamp", mail: "hall"},
            "codes": {"ft": [mail, "5L096"], mail: ["x"]},
            "dates": {mail: "20200102", "filing": "20200102"},
            "attributes": {mail: 1, "by": mail, "pages": 3},
            "boundary_class": "public",
        }
        assert memory.add_documents([given]).created == 1
        shown = memory.publication(mail)  # it is found by the id it was given
        assert mail not in shown.model_dump_json()
        assert shown.boundary_class == "internal"
        assert shown.external_ids == {"pub_id": "[email]", "app_id": "A1"}
        assert shown.fields == {"title": "lamp"}
        assert shown.codes == {"ft": ("5L096",)}
        assert (set(shown.dates), shown.attributes) == ({"filing"}, {"by": "[email]", "pages": 3})
        run = memory.fusion.rrf_search_fulltext_raw("lamp", collection="documents")
        result = memory.fusion.rrf_blend_frontier([run])
        page = memory.fusion.peek_snippets(run.run_id)
        assert mail not in result.model_dump_json() + page.model_dump_json()
        assert page.snippets[0].fields == shown.fields

    def test_one_that_names_nobody_stays_public(self, memory: Memory):
        _ = memory.add_documents([{**LAMP, "boundary_class": "public"}])
        assert memory.publication("JP1A").boundary_class == "public"

    def test_runs_show_a_document_as_a_publication_does(self, lasting: Memory):
        mail = {"pub_id": "P", "title": "lamp of a@example.com", "boundary_class": "pii"}
        assert lasting.add_documents([mail], boundary=CARDS).created == 1
        run = lasting.fusion.rrf_search_fulltext_raw(
            "lamp", collection="documents", boundary=CARDS
        )
        page = lasting.fusion.peek_snippets(run.run_id, boundary=CARDS)
        shown = lasting.publication("P", boundary=CARDS)
        assert page.snippets[0].fields == shown.fields == {"title": "lamp of [email]"}

    def test_hidden_and_absent_are_told_alike(self, lasting: Memory):
        hidden = {"pub_id": "P1", "title": "lamp", "boundary_class": "pii"}
        _ = lasting.add_documents([hidden], boundary=CARDS)
        one, other = (lasting.results.publication(name).failure() for name in ("P1", "P2"))
        assert one.message.replace("P1", "P2") == other.message
        assert isinstance(one, errors.UnknownDocument)
        assert (
            hits(lasting, "lamp").total,
            hits(lasting, "lamp", seen_by(lasting, CARDS)).total,
        ) == (0, 1)

    def test_nobody_writes_over_what_he_does_not_see(self, lasting: Memory):
        hidden = {"pub_id": "P", "title": "lamp", "boundary_class": "pii"}
        _ = lasting.add_documents([hidden], boundary=CARDS)
        assert lasting.add_documents([{"pub_id": "P", "title": "door"}]).created == 1
        assert hits(lasting, "lamp", seen_by(lasting, CARDS)).total == 1

    def test_an_invariant_holds_of_documents(self, memory: Memory):
        limits = Boundary.model_validate(
            {
                **memory.results.boundary.model_dump(),
                "invariants": [
                    {"name": "short", "applies_to": ["*"], "rule": "claim.text_length < 10"}
                ],
            }
        )
        done = memory.add_documents([LAMP, {"title": "short"}], boundary=limits)
        assert (done.created, [one.code for one in done.failed]) == (1, ["BOUNDARY_DENIED"])
        _ = memory.add_documents([LAMP])
        assert documents.count(seen_by(memory, limits))(memory.deps).unwrap() == 1

    def test_a_scope_that_passed_is_not_seen_and_is_swept(self, memory: Memory, clock: FakeClock):
        _ = memory.add_documents([{**LAMP, "scope": "session"}, IMAGE])
        clock.advance(days=8)
        assert hits(memory, "lamp").total == 0
        assert memory.maintain().documents_expired == 1
        assert rows(memory, "documents") == 1

    def test_given_again_it_lives_on(self, memory: Memory, clock: FakeClock):
        _ = memory.add_documents([{**LAMP, "scope": "session"}])
        clock.advance(days=5)
        assert memory.add_documents([{**LAMP, "scope": "session"}]).unchanged == 1
        clock.advance(days=5)
        assert hits(memory, "lamp").total == 1


class TestSearching:
    def test_precision_asks_for_every_word_and_every_phrase(self, memory: Memory):
        _ = memory.add_documents(
            [
                {"pub_id": "1", "title": "red lamp", "abst": "in the office"},
                {"pub_id": "2", "title": "red door", "abst": "a lamp in the office"},
                {"pub_id": "3", "title": "red"},
            ]
        )
        assert by_name(memory, hits(memory, "red lamp office", style="precision")) == ["1", "2"]
        assert by_name(memory, hits(memory, '"red lamp"', style="precision")) == ["1"]
        assert sorted(by_name(memory, hits(memory, "red lamp"))) == ["1", "2", "3"]
        assert by_name(memory, hits(memory, "red lamp -office")) == ["3"]

    @pytest.mark.parametrize(
        ("query", "left"),
        [
            ("lamp -room", ["door by a red lamp", "lamp"]),
            ('lamp -"red door"', ["lamp", "lamp in Room101"]),
        ],
    )
    def test_what_is_left_out_of_documents_is_left_out_of_claims(
        self, memory: Memory, query: str, left: list[str]
    ):
        said = ["lamp", "lamp in Room101", "door by a red lamp"]
        _ = memory.add_documents([{"pub_id": one, "title": one} for one in said])
        claims = [memory.observe(one).claims[0].id for one in said]
        named = dict(zip(claims, said, strict=True))
        assert sorted(by_name(memory, hits(memory, query))) == left
        activated = memory.activate(query, top_k=9).items
        assert sorted(named[one.claim.id] for one in activated) == left

    def test_a_phrase_in_japanese(self, memory: Memory):
        _ = memory.add_documents([IMAGE, {"pub_id": "9", "title": "認識した画像の装置"}])
        assert by_name(memory, hits(memory, "「画像認識」", style="precision")) == ["JP2A"]

    def test_boosts_say_which_fields_and_how_much(self, memory: Memory):
        _ = memory.add_documents(
            [
                {"pub_id": "1", "title": "lamp", "abst": "door"},
                {"pub_id": "2", "title": "door", "abst": "lamp"},
            ]
        )
        assert by_name(memory, hits(memory, "lamp", boosts={"title": 2.0, "abst": 1.0})) == [
            "1",
            "2",
        ]
        assert by_name(memory, hits(memory, "lamp", boosts={"title": 1.0, "abst": 2.0})) == [
            "2",
            "1",
        ]
        assert by_name(memory, hits(memory, "lamp", boosts={"abst": 1.0})) == ["2"]
        assert hits(memory, "lamp", boosts={}).total == 0

    def test_equal_scores_stand_in_the_order_of_names(self, memory: Memory):
        _ = memory.add_documents([{"pub_id": name, "title": "lamp"} for name in "cab"])
        assert by_name(memory, hits(memory, "lamp")) == ["a", "b", "c"]

    def test_meaning(self, memory: Memory):
        _ = memory.add_documents([LAMP, IMAGE])
        vector = memory.deps.embedding.embed("A lamp of glass").unwrap()

        def nearest(scope: Any) -> list[str]:
            found = documents.semantic(vector, seen_by(memory), limit=5, feature_scope=scope)
            return by_name(memory, found(memory.deps).unwrap())

        assert nearest("wide")[0] == nearest("claims_only")[0] == "JP1A"
        assert nearest("background_jp") == []

    def test_codes_are_weighed(self, memory: Memory):
        _ = memory.add_documents([LAMP, IMAGE])
        wanted = {"fi_norm": {"F21V3/00": 0.4, "G06V10/82": 0.3}, "ft": {"5L096": 0.2}}
        found = documents.by_codes(wanted, seen_by(memory), limit=1)(memory.deps).unwrap()
        assert scores(memory, found) == [("JP2A", pytest.approx(0.5)), 2]

    def test_filters_go_before_statistics(self, memory: Memory):
        others = [{"pub_id": f"X{n}", "title": "lamp", "ft": "other"} for n in range(5)]
        _ = memory.add_documents([{"pub_id": "1", "title": "lamp", "ft": "mine"}])
        alone = scores(memory, hits(memory, "lamp", seen_by(memory, None, {"ft": "mine"})))
        _ = memory.add_documents(others)
        assert scores(memory, hits(memory, "lamp", seen_by(memory, None, {"ft": "mine"}))) == alone

    def test_fetching_and_codes_by_id(self, memory: Memory):
        _ = memory.add_documents([LAMP, IMAGE])
        found = documents.fetch(["A1", "none"], seen_by(memory), id_type="app_id")(memory.deps)
        (one,) = found.unwrap()
        assert one.document.external_ids == {"pub_id": "JP1A", "app_id": "A1"}
        assert one.document.codes["fi_norm"] == ("F21V3/00",)

    def test_claims_are_not_moved_by_documents(self, memory: Memory):
        _ = memory.observe("Alice put the lamp on the desk.")
        before = [(item.claim.id, item.score) for item in memory.search("lamp")]
        _ = memory.add_documents([LAMP, IMAGE])
        assert [(item.claim.id, item.score) for item in memory.search("lamp")] == before


class TestShowing:
    def test_fields_are_chosen_and_cut(self, memory: Memory):
        _ = memory.add_documents([LAMP])
        shown = memory.get_publication("JP1A", fields=["title", "abst"], per_field_chars=10)
        assert shown.fields == {"title": "A lamp ...", "abst": "The lam..."}
        assert shown.cut == ("abst", "title")
        assert shown.dates == {"filing": 1577923200.0}
        assert shown.attributes == {"pages": 12, "granted": True, "countries": ("JP", "US")}

    def test_dates_before_1970(self, memory: Memory):
        _ = memory.add_documents([IMAGE])
        assert memory.publication("JP2A").dates["filing"] < 0

    @pytest.mark.parametrize("how", [{"id_type": ""}, {"per_field_chars": 0}, {"fields": ()}])
    def test_what_cannot_be_meant_is_refused(self, memory: Memory, how: Any):
        assert isinstance(memory.results.publication("P", **how), Failure)


class TestForgetting:
    def test_every_table_forgets(self, memory: Memory):
        _ = memory.add_documents([IMAGE])
        before = document_rows(memory)
        _ = memory.add_documents([LAMP])
        known = memory.publication("JP1A").id
        assert memory.forget(document_id=known, dry_run=True).documents == (known,)
        assert memory.forget(document_id=known).documents == (known,)
        assert document_rows(memory) == before
        assert memory.erasures("A lamp of glass")[0].subject == "document"
        assert isinstance(memory.results.forget(document_id=known), Failure)

    def test_what_holds_every_word_goes(self, lasting: Memory):
        mail = {"pub_id": "P", "title": "lamp of a@example.com", "boundary_class": "pii"}
        _ = lasting.observe("Alice bought a glass lamp.")
        _ = lasting.add_documents([mail], boundary=CARDS)
        _ = lasting.add_documents([LAMP, IMAGE])
        narrow = lasting.results.boundary
        assert lasting.forget(query="example", boundary=narrow).documents == ()
        gone = lasting.forget(query="glass bright lamp")
        assert (len(gone.documents), gone.claims) == (1, ())
        assert len(lasting.forget(query="example").documents) == 1
        assert document_rows(lasting)["documents"] == 1

    def test_names_of_fields_go_with_the_last_that_has_them(self, memory: Memory):
        _ = memory.add_documents([LAMP, {"pub_id": "P", "fields": {"of Alice Smith": "lamp"}}])
        _ = memory.forget(document_id=memory.publication("P").id)
        assert rows(memory, "document_field_names") == 3
        assert hits(memory, "lamp").total == 1

    def test_the_bytes_are_gone(self, memory_at: Callable[..., Memory]):
        memory = memory_at()
        _ = memory.add_documents([{"pub_id": "P", "title": "xylophonic quagmire"}, LAMP])
        assert memory.forget(document_id=memory.publication("P").id).compacted
        memory.close()
        assert b"xylophonic" not in Path(memory.path).read_bytes()

    def test_a_boundary_erases_only_what_it_shows(self, lasting: Memory):
        hidden = {"pub_id": "P", "title": "lamp", "boundary_class": "pii"}
        _ = lasting.add_documents([hidden], boundary=CARDS)
        known = lasting.publication("P", boundary=CARDS).id
        narrow = lasting.results.boundary
        told = lasting.results.forget(document_id=known, boundary=narrow).failure()
        assert isinstance(told, errors.UnknownDocument)
        assert lasting.forget(document_id=known, boundary=CARDS).documents == (known,)


class TestTheFile:
    def test_a_snapshot_and_a_compaction_carry_documents(
        self, memory_at: Callable[..., Memory], tmp_path: Path
    ):
        memory = memory_at()
        _ = memory.add_documents([LAMP, IMAGE])
        before = scores(memory, hits(memory, "lamp 画像"))
        _ = memory.compact()
        assert scores(memory, hits(memory, "lamp 画像")) == before
        _ = memory.snapshot(tmp_path / "copy.duckdb")
        copy = memory_at("copy.duckdb", read_only=True)
        assert scores(copy, hits(copy, "lamp 画像")) == before
        assert isinstance(copy.results.add_documents([LAMP]), Failure)

    def test_sorting_leaves_the_same_and_survives_a_crash(
        self, memory_at: Callable[..., Memory], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ):
        monkeypatch.setattr(document_index, "FEWEST", 10)
        memory = memory_at()
        _ = memory.add_documents([LAMP, IMAGE])
        before = scores(memory, hits(memory, "lamp 画像"))
        assert memory.maintain().postings_sorted == rows(memory, "document_postings")
        assert memory.maintain().postings_sorted == 0
        _ = memory.add_documents([{"pub_id": "JP1A", "title": "door"}])
        _ = memory.add_documents([LAMP])
        for end in ("", ".wal"):  # as a process that is killed leaves them
            _ = shutil.copy(f"{memory.path}{end}", tmp_path / f"killed.duckdb{end}")
        killed = memory_at("killed.duckdb")
        assert scores(killed, hits(killed, "lamp 画像")) == before

    def test_reindexing_leaves_the_same(self, memory: Memory):
        _ = memory.observe("Alice put the lamp on the desk.")
        _ = memory.add_documents([LAMP, IMAGE])
        before = scores(memory, hits(memory, "lamp 画像")), document_rows(memory)
        _ = memory.reindex()
        assert (scores(memory, hits(memory, "lamp 画像")), document_rows(memory)) == before

    def test_another_embedder_gives_documents_new_vectors(self, memory_at: Callable[..., Memory]):
        with memory_at() as memory:
            _ = memory.add_documents([LAMP, IMAGE])
        other = memory_at(embedder=Halved(), allow_reembed=True)
        vector = [1.0, 0.0, 0.0]
        assert documents.semantic(vector, seen_by(other), limit=5)(other.deps) == Success(((), 0))
        _ = other.reembed()
        found = documents.semantic(vector, seen_by(other), limit=5)(other.deps).unwrap()
        assert found.total == 2
        assert [name for name in tables(other) if name.startswith("document_vec")] == [
            "document_vectors_2"
        ]


class Halved:
    """An embedder of three dimensions."""

    model_id, version, dimension = "halved", "1", 3

    def embed(self, text: str) -> Success[list[float]]:
        return Success([0.6, 0.8, 0.0] if len(text) % 2 else [1.0, 0.0, 0.0])

    def embed_batch(self, texts: list[str]) -> Success[list[list[float]]]:
        return Success([self.embed(text).unwrap() for text in texts])


class TestHealth:
    def test_documents_are_counted_with_what_they_lack(self, memory_at: Callable[..., Memory]):
        memory = memory_at("m.duckdb")
        _ = memory.add_documents([LAMP, IMAGE])
        told = memory.health()
        assert (told.documents, told.documents_without_vector, told.reasons) == (2, 0, ())
        memory.close()
        other = from_callable(
            lambda texts: [[1.0, 0.0] for _ in texts], model_id="other", version="1", dimension=2
        )
        memory = memory_at("m.duckdb", embedder=other, allow_reembed=True)
        told = memory.health()
        assert (told.documents_without_vector, told.vectors) == (2, "reembed needed")
        assert told.reasons == ("vectors are of another embedder",)
        _ = memory.reembed()
        told = memory.health()
        assert (told.documents_without_vector, told.vectors, told.reasons) == (0, "ok", ())


class _Series:
    """What a column of pandas looks like: `iloc`, rows one by one, and no columns."""

    def __init__(self, values: list[object]) -> None:
        self.iloc = self._values = values

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[object]:
        return iter(self._values)


def test_a_single_column_is_no_table(memory: Memory) -> None:
    # Its slices have no records: it was taken for a table, and raised.
    done = memory.results.add_documents(_Series(["a lamp", 3])).unwrap()
    assert [one.code for one in done.failed] == ["INVALID_PARAMETER"] * 2
    assert memory.add_documents(_Series([{"pub_id": "JP1", "title": "Lamp"}])).failed == ()

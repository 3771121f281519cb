"""Which document a given one is: by the ids they share, by what they hold, and only one."""

import json
from typing import Any

import pytest

from pce_memory import Memory
from pce_memory.domain.document import NewDocument
from pce_memory.store.document_digests import digest_of, digests_of_content
from tests.conftest import FakeClock, rows
from tests.engine.test_document_owners import LOW, MIDDLE


def paper(title: str, level: str = "internal", **ids: str) -> dict[str, Any]:
    return {"external_ids": ids, "title": title, "boundary_class": level}


def counts(memory: Memory, *given: dict[str, Any], boundary: Any = MIDDLE) -> tuple[int, ...]:
    done = memory.add_documents(given, boundary=boundary)
    return done.created, done.updated, done.unchanged, len(done.failed)


def title(memory: Memory, name: str, id_type: str = "pub_id", boundary: Any = MIDDLE) -> str:
    return memory.publication(name, id_type, boundary=boundary).fields["title"]


CREATED, UPDATED, UNCHANGED, FAILED = (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)


class TestOnlyTheOneThatIsShown:
    """Who saw two of one id wrote over both: what another had added was gone."""

    def test_the_others_stay(self, lasting: Memory, clock: FakeClock):
        assert counts(lasting, paper("lamp internal v1", pub_id="I1")) == CREATED
        clock.advance(1)
        assert counts(lasting, paper("door", "public", pub_id="I1"), boundary=LOW) == CREATED
        again = paper("lamp INT v2", pub_id="I1")
        assert counts(lasting, again) == UPDATED
        assert title(lasting, "I1") == "lamp INT v2"
        assert title(lasting, "I1", boundary=LOW) == "door"
        assert counts(lasting, again) == UNCHANGED
        # The class only gets stricter, so this too is the one that is shown.
        assert counts(lasting, paper("lamp v3", "public", pub_id="I1")) == UPDATED
        assert title(lasting, "I1", boundary=LOW) == "door"
        assert rows(lasting, "documents") == 2

    def test_an_id_that_several_publications_have_is_of_the_shown(
        self, lasting: Memory, clock: FakeClock
    ):
        for name in ("JP1A", "JP1B"):
            assert counts(lasting, paper(name, pub_id=name, app_id="A")) == CREATED
            clock.advance(1)
        assert counts(lasting, paper("door", app_id="A")) == UPDATED
        assert title(lasting, "A", "app_id") == "door"
        assert title(lasting, "JP1B") == "JP1B"


class TestIdsThatChange:
    """A row whose app_id was put right became a second document, which nobody could reach."""

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ({"pub_id": "X", "app_id": "A"}, {"pub_id": "X", "app_id": "B"}),
            ({"pub_id": "X", "case": "A"}, {"pub_id": "X", "case": "B"}),
            ({"pub_id": "X"}, {"pub_id": "X", "app_id": "B"}),
            ({"app_id": "A", "exam_id": "1"}, {"app_id": "A", "exam_id": "2"}),
            ({"app_id": "A"}, {"app_id": "A", "pub_id": "X"}),
        ],
    )
    def test_the_first_id_that_is_known_decides(self, memory: Memory, before: Any, after: Any):
        assert counts(memory, paper("old", **before)) == CREATED
        assert counts(memory, paper("new", **after)) == UPDATED
        assert counts(memory, paper("new", **after)) == UNCHANGED
        for id_type, name in after.items():
            assert title(memory, name, id_type) == "new"
        assert rows(memory, "documents") == 1

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ({"pub_id": "X", "app_id": "A"}, {"pub_id": "Y", "app_id": "A"}),
            ({"app_id": "A", "exam_id": "1"}, {"app_id": "B", "exam_id": "1"}),
            ({"batch": "7", "number": "1"}, {"batch": "7", "number": "2"}),
        ],
    )
    def test_one_that_differs_in_what_decides_is_another(
        self, memory: Memory, one: Any, other: Any
    ):
        assert counts(memory, paper("one", **one), paper("two", **other)) == (2, 0, 0, 0)
        assert counts(memory, paper("1", **one), paper("2", **other)) == (0, 2, 0, 0)

    def test_a_publication_gets_the_application_of_another(self, memory: Memory):
        _ = counts(memory, paper("one", pub_id="X"), paper("two", pub_id="Y", app_id="B"))
        assert counts(memory, paper("one", pub_id="X", app_id="B")) == UPDATED
        assert rows(memory, "documents") == 2

    @pytest.mark.parametrize(
        ("one", "other", "both"),
        [
            (
                {"pub_id": "XX1", "app_id": "AA1"},
                {"pub_id": "YY2", "app_id": "BB2"},
                {"pub_id": "XX1", "app_id": "BB2"},
            ),
            ({"pub_id": "XX1"}, {"app_id": "BB2"}, {"pub_id": "XX1", "app_id": "BB2"}),
            ({"case": "XX1"}, {"item": "BB2"}, {"case": "XX1", "item": "BB2"}),
        ],
    )
    def test_ids_of_two_documents_are_refused(
        self, memory: Memory, one: Any, other: Any, both: Any
    ):
        assert counts(memory, paper("one", **one), paper("two", **other)) == (2, 0, 0, 0)
        done = memory.add_documents([paper("three", **both), paper("four", pub_id="Z")])
        assert (done.created, done.updated) == (1, 0)
        (failed,) = done.failed
        assert (failed.index, failed.code) == (0, "INVALID_PARAMETER")
        assert "of two documents" in failed.message
        assert not any(told in failed.message for told in ("XX1", "BB2", "AA1", "YY2", "three"))
        kept = ((one, "one"), (other, "two"))
        for ids, text in kept:
            for id_type, name in ids.items():
                assert title(memory, name, id_type) == text

    def test_a_hidden_document_refuses_nothing(self, lasting: Memory):
        _ = counts(lasting, paper("one", pub_id="Y", app_id="B"))
        assert (
            counts(lasting, paper("a", "public", pub_id="X", app_id="A"), boundary=LOW) == CREATED
        )
        assert (
            counts(lasting, paper("b", "public", pub_id="X", app_id="B"), boundary=LOW) == UPDATED
        )

    def test_in_one_call_as_in_several(self, memory: Memory):
        """Two rows that share no id, but one document that is there, were both written as it."""
        _ = counts(memory, paper("one", pub_id="X", app_id="A"))
        assert counts(memory, paper("two", pub_id="X"), paper("3", app_id="A")) == (1, 1, 0, 0)
        assert memory.publication("X").id != memory.publication("A", "app_id").id


class TestWithoutIds:
    """What was public stayed so beside the same text that was said to be internal."""

    @pytest.mark.parametrize("at_once", [False, True])
    def test_the_same_is_raised(self, lasting: Memory, at_once: bool):
        given = [paper("lamp", "public"), paper("lamp", "internal"), paper("lamp", "public")]
        if at_once:
            assert counts(lasting, *given) == (1, 1, 1, 0)
        else:
            assert [counts(lasting, one) for one in given] == [CREATED, UPDATED, UNCHANGED]
        stored = lasting.deps.db.query("select boundary_class from documents").unwrap()
        assert [row["boundary_class"] for row in stored] == ["internal"]

    def test_in_any_order_of_its_fields(self, memory: Memory):
        fields = {"title": "lamp", "abst": "door"}
        turned = dict(reversed(fields.items()))
        assert counts(memory, {"fields": fields}, {"fields": turned}) == (1, 0, 1, 0)

    def test_a_digest_is_of_the_whole_as_json_as_it_was(self, memory: Memory):
        """Files hold digests of before: another way to write them would write all anew."""
        given = NewDocument(
            fields={"title": 'é"x', "abst": "日本"},
            external_ids={"pub_id": "P"},
            dates={"d": "20200101"},  # type: ignore[dict-item]
            attributes={"b": (1, True, 2.5), "a": "z"},
        )
        whole = json.dumps(given.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)
        assert digest_of(memory.deps, given) == memory.deps.digest(whole)
        assert digest_of(memory.deps, given) in digests_of_content(memory.deps, given)

    def test_and_its_scope_is_slower(self, lasting: Memory):
        given = [
            {**paper("lamp"), "scope": scope} for scope in ("project", "principle", "session")
        ]
        assert [counts(lasting, one) for one in given] == [CREATED, UPDATED, UNCHANGED]
        assert rows(lasting, "documents") == 1

    def test_what_is_hidden_is_another(self, lasting: Memory):
        assert counts(lasting, paper("lamp")) == CREATED
        assert counts(lasting, paper("lamp", "public"), boundary=LOW) == CREATED
        assert counts(lasting, paper("lamp", "public"), boundary=LOW) == UNCHANGED
        assert counts(lasting, paper("lamp")) == UNCHANGED

"""Who may write over a document, whose an id is, and what a document is after it is written again."""

from typing import Any, Final

import pytest

from pce_memory import Boundary, Memory
from tests.conftest import FakeClock, rows
from tests.documents import hits, seen_by
from tests.engine.test_documents import CARDS

SCOPES: Final = ("session", "project", "principle")


def caller(*classes: str, scope: tuple[str, ...] = SCOPES, **more: Any) -> Boundary:
    return Boundary.model_validate(
        {
            "scope": scope,
            "allow": ["answer:task", "tool:contact-lookup"],
            "boundary_classes": classes,
            **more,
        }
    )


LOW: Final = caller("public")
MIDDLE: Final = caller("public", "internal")
BRIEF: Final = caller("public", "internal", scope=("session",))


class TestAnIdThatTwoHave:
    """Whether a publication was the one or the other was decided by the ids, which are random."""

    @pytest.mark.parametrize("id_type", ["pub_id", "app_id", "case"])
    @pytest.mark.parametrize("count", range(4))
    def test_who_sees_both_finds_the_one_that_the_other_did_not_see(
        self, lasting: Memory, clock: FakeClock, id_type: str, count: int
    ):
        def given(title: str, level: str) -> dict[str, object]:
            ids = {"external_ids": {id_type: "P"}}
            return {**ids, "title": title, "boundary_class": level}

        for number in range(count):  # the ids that follow are others
            _ = lasting.observe(f"The lamp of shelf {number} is green.")
        assert lasting.add_documents([given("lamp", "pii")], boundary=CARDS).created == 1
        clock.advance(1)
        told = lasting.add_documents([given("door", "public")], boundary=LOW)
        assert (told.created, told.failed) == (1, ())
        assert lasting.add_documents([given("gate", "public")], boundary=LOW).updated == 1

        def found(boundary: Boundary) -> str:
            return lasting.publication("P", id_type, boundary=boundary).fields["title"]

        assert (found(CARDS), found(LOW), found(MIDDLE)) == ("lamp", "gate", "gate")
        # It stays so where it is written again, by who sees one of them only.
        pii_only = caller("pii")
        assert lasting.add_documents([given("lamp 2", "pii")], boundary=pii_only).updated == 1
        assert (found(CARDS), found(LOW)) == ("lamp 2", "gate")

    def test_nor_is_an_id_taken_beforehand(self, lasting: Memory, clock: FakeClock):
        early = {"pub_id": "P", "app_id": "X", "title": "door", "boundary_class": "public"}
        _ = lasting.add_documents([early], boundary=LOW)
        clock.advance(1)
        late = {"pub_id": "P", "app_id": "A", "title": "lamp", "boundary_class": "internal"}
        assert lasting.add_documents([late], boundary=caller("internal")).created == 1
        assert lasting.publication("P", boundary=MIDDLE).fields["title"] == "lamp"
        assert lasting.publication("P", boundary=LOW).fields["title"] == "door"

    def test_of_one_class_it_is_the_older(self, lasting: Memory, clock: FakeClock):
        for scope in ("session", "principle"):
            paper = {"pub_id": "P", "title": scope, "scope": scope}
            done = lasting.add_documents([paper], boundary=caller("internal", scope=(scope,)))
            assert done.created == 1
            clock.advance(1)
        assert lasting.publication("P").fields["title"] == "session"
        newer = {"pub_id": "P", "title": "newer", "scope": "session"}
        assert lasting.add_documents([newer]).updated == 1
        assert lasting.publication("P").fields["title"] == "newer"
        assert rows(lasting, "documents") == 2

    def test_it_is_told_as_where_nobody_has_it(self, lasting: Memory):
        hidden = {"pub_id": "P1", "title": "lamp", "boundary_class": "pii"}
        _ = lasting.add_documents([hidden], boundary=CARDS)
        one, other = (
            lasting.add_documents([{"pub_id": name, "title": "lamp"}], boundary=MIDDLE)
            for name in ("P1", "P2")
        )
        assert one == other

    def test_a_representative_is_the_first_as_well(self, lasting: Memory, clock: FakeClock):
        for boundary, title in ((CARDS, "lamp"), (LOW, "door")):
            level = "pii" if boundary is CARDS else "public"
            paper = {"pub_id": "P", "title": title, "ft": title, "boundary_class": level}
            _ = lasting.add_documents([paper], boundary=boundary)
            clock.advance(1)
        typical = lasting.fusion.register_representatives(["P"], "A", boundary=CARDS)
        assert typical.count == 1
        known = lasting.fusion.get_provenance(typical.run_id, boundary=CARDS)
        assert known.code_freqs == {"ft": {"lamp": 1}}

    @pytest.mark.parametrize("hidden", [{"scope": "principle"}, {"boundary_class": "pii"}])
    def test_nobody_writes_over_what_is_outside_his_boundary(
        self, lasting: Memory, hidden: dict[str, str]
    ):
        _ = lasting.add_documents([{"pub_id": "P", "title": "lamp", **hidden}], boundary=CARDS)
        before = lasting.publication("P", boundary=CARDS)
        done = lasting.add_documents(
            [{"pub_id": "P", "title": "door", "scope": "session"}], boundary=BRIEF
        )
        assert (done.created, done.updated) == (1, 0)
        assert lasting.publication("P", boundary=CARDS) == before

    def test_nor_over_what_an_invariant_hides(self, lasting: Memory):
        short = caller(
            "public",
            "internal",
            invariants=[{"name": "s", "applies_to": ["*"], "rule": "claim.text_length < 10"}],
        )
        _ = lasting.add_documents([{"pub_id": "P", "title": "a lamp of glass"}], boundary=MIDDLE)
        assert (
            lasting.add_documents([{"pub_id": "P", "title": "door"}], boundary=short).created == 1
        )
        assert hits(lasting, "lamp").total == 1


class TestWrittenAgain:
    """A rewrite took the place of the whole, so who saw a document could make it public."""

    @pytest.mark.parametrize(
        ("there", "given", "after"),
        [
            (("project", "pii"), ("project", "public"), ("project", "pii")),
            (("project", "internal"), ("project", "public"), ("project", "internal")),
            (("project", "public"), ("project", "internal"), ("project", "internal")),
            (("principle", "internal"), ("session", "internal"), ("principle", "internal")),
            (("session", "pii"), ("principle", "public"), ("principle", "pii")),
        ],
    )
    def test_the_class_is_only_stricter_and_the_scope_only_slower(
        self, lasting: Memory, there: Any, given: Any, after: Any
    ):
        def paper(title: str, standing: tuple[str, str]) -> dict[str, object]:
            scope, level = standing
            return {"pub_id": "P", "title": title, "scope": scope, "boundary_class": level}

        _ = lasting.add_documents([paper("lamp", there)], boundary=CARDS)
        assert lasting.add_documents([paper("door", given)], boundary=CARDS).updated == 1
        shown = lasting.publication("P", boundary=CARDS)
        assert (shown.fields["title"], shown.scope, shown.boundary_class) == ("door", *after)
        assert rows(lasting, "documents") == 1
        visible = lasting.results.publication("P", boundary=LOW).value_or(None)
        assert (visible is None) == (after[1] != "public")
        # Given once more it is there as it is.
        again = lasting.add_documents([paper("door", given)], boundary=CARDS)
        assert (again.updated, again.unchanged) == (0, 1)

    def test_what_was_personal_stays_unfound(self, lasting: Memory):
        """What a document of class pii redacts is not indexed: no rewrite indexes it."""
        card = {"pub_id": "P", "title": "lamp", "boundary_class": "pii"}
        _ = lasting.add_documents([card], boundary=CARDS)
        again = {"pub_id": "P", "title": "lamp of a@example.com", "boundary_class": "public"}
        _ = lasting.add_documents([again], boundary=CARDS)
        shown = lasting.publication("P", boundary=CARDS)
        assert (shown.fields["title"], shown.boundary_class) == ("lamp of [email]", "pii")
        assert hits(lasting, "example", seen_by(lasting, CARDS)).total == 0

    def test_forgotten_first_it_may_be_anything(self, lasting: Memory):
        _ = lasting.add_documents([{"pub_id": "P", "title": "lamp"}], boundary=MIDDLE)
        _ = lasting.forget(document_id=lasting.publication("P").id)
        paper = {"pub_id": "P", "title": "lamp", "boundary_class": "public"}
        assert lasting.add_documents([paper], boundary=LOW).created == 1
        assert lasting.publication("P", boundary=LOW).boundary_class == "public"

    def test_one_that_may_not_stand_so_is_refused_and_stops_no_other(self, lasting: Memory):
        rule = 'claim.boundary_class == "public" || claim.text_length < 10'
        strict = caller(
            "public", "internal", invariants=[{"name": "s", "applies_to": ["*"], "rule": rule}]
        )
        _ = lasting.add_documents([{"pub_id": "P", "title": "lamp"}], boundary=strict)
        long = {"title": "a lamp of glass", "boundary_class": "public"}
        done = lasting.add_documents(
            [{"title": "a door of glass"}, {"pub_id": "P", **long}, {"pub_id": "Q", **long}],
            boundary=strict,
        )
        assert [(one.index, one.code) for one in done.failed] == [
            (0, "BOUNDARY_DENIED"),
            (1, "BOUNDARY_DENIED"),
        ]
        assert (done.created, done.updated) == (1, 0)
        assert lasting.publication("P").fields["title"] == "lamp"
        denied = lasting.audit(tool="add_documents", decision="denied")
        assert len(denied) == 2

    def test_in_one_call_as_in_two(self, lasting: Memory):
        card = {"pub_id": "P", "title": "lamp", "boundary_class": "pii"}
        done = lasting.add_documents(
            [card, {"pub_id": "P", "title": "door", "boundary_class": "public"}], boundary=CARDS
        )
        assert (done.created, done.updated) == (1, 1)
        assert lasting.publication("P", boundary=CARDS).boundary_class == "pii"

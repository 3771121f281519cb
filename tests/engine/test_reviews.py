"""Claims of a class under human review wait, invisible, until somebody decides."""

from threading import Barrier, Thread
from typing import Any

import pytest

from pce_memory import Memory
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import Claim
from pce_memory.domain.ids import ClaimId, ObservationId
from pce_memory.domain.vocabulary import BoundaryClass
from pce_memory.errors import MemoryFault
from tests.conftest import DAY, START, FakeClock, rows

ADDRESS = "Taro Yamada lives in the blue house behind the observatory."
CONTACTS = Boundary(
    scope=("session", "project", "principle"),
    allow=("answer:task", "tool:contact-lookup"),
    boundary_classes=("public", "internal", "pii"),
    actor="clerk",
)


def claim(
    number: int = 1, text: str = ADDRESS, boundary_class: BoundaryClass = "pii", **fields: Any
) -> Claim:
    return Claim(
        id=ClaimId(f"clm_{number}"),
        text=text,
        kind="fact",
        scope="project",
        boundary_class=boundary_class,
        origin_observation_id=ObservationId("obs_1"),
        created_at=START,
        updated_at=START,
        **fields,
    )


def texts(memory: Memory, boundary: Boundary | None = None) -> list[str]:
    return [item.claim.text for item in memory.activate("", boundary=boundary, top_k=100).items]


def test_it_waits_where_nobody_sees_it(memory: Memory) -> None:
    done = memory.integrate([claim()], boundary=CONTACTS)
    assert (done.queued, done.created) == (("clm_1",), ())
    assert texts(memory, CONTACTS) == []
    assert memory.results.claim("clm_1", boundary=CONTACTS).failure().code == "UNKNOWN_CLAIM"
    (review,) = memory.reviews.list()
    assert (review.claim_id, review.status, review.boundary_class) == ("clm_1", "pending", "pii")
    assert review.reason == "class pii needs a human review"
    assert review.deadline == START + DAY


def test_its_text_is_told_to_those_who_may_see_it_afterwards(memory: Memory) -> None:
    _ = memory.integrate([claim()], boundary=CONTACTS)
    assert memory.reviews.list()[0].text is None
    assert memory.reviews.list(boundary=CONTACTS)[0].text == ADDRESS
    narrow = CONTACTS.model_copy(update={"boundary_classes": ("public",)})
    assert memory.reviews.list(boundary=narrow) == ()


def test_approved_it_is_shown_as_any_other(memory: Memory) -> None:
    _ = memory.integrate([claim()], boundary=CONTACTS)
    review = memory.reviews.list()[0]
    decided = memory.reviews.approve(review.id, reviewer="carol", note="the client agreed")
    assert (decided.status, decided.reviewer, decided.note) == (
        "approved",
        "carol",
        "the client agreed",
    )
    assert texts(memory, CONTACTS) == [ADDRESS]
    assert texts(memory) == []
    assert memory.reviews.list() == ()
    again = memory.integrate([claim(2)], boundary=CONTACTS)
    assert (again.queued, again.unchanged) == ((), ("clm_1",))
    assert texts(memory, CONTACTS) == [ADDRESS]


def test_rejected_it_is_erased(memory: Memory) -> None:
    _ = memory.integrate([claim()], boundary=CONTACTS)
    review = memory.reviews.list()[0]
    decided = memory.reviews.reject(review.id, reviewer="carol")
    assert decided.status == "rejected"
    assert rows(memory, "claims") == rows(memory, "postings") == 0
    (erased,) = memory.erasures(ADDRESS)
    assert (erased.subject_id, erased.why) == ("clm_1", "rejected")


def test_a_decision_is_made_once(memory: Memory) -> None:
    _ = memory.integrate([claim()], boundary=CONTACTS)
    review = memory.reviews.list()[0]
    _ = memory.reviews.approve(review.id, reviewer="carol")
    refused = memory.results.reviews.reject(review.id, reviewer="dave").failure()
    assert refused.message == (
        "Invalid review_id: it was approved already; a decision is made once"
    )
    assert texts(memory, CONTACTS) == [ADDRESS]
    unknown = memory.results.reviews.approve("rev_9", reviewer="carol").failure()
    assert unknown.message == "Invalid review_id: no review has it; reviews.list names them"


@pytest.mark.parametrize(
    ("reviewer", "note"), [("", None), ("carol", "sk-proj-Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MDEyMzQ1")]
)
def test_who_decides_must_be_told_and_holds_no_secret(
    memory: Memory, reviewer: str, note: str | None
) -> None:
    _ = memory.integrate([claim()], boundary=CONTACTS)
    review = memory.reviews.list()[0]
    with pytest.raises(MemoryFault) as raised:
        _ = memory.reviews.approve(review.id, reviewer=reviewer, note=note)
    assert raised.value.error.code == "INVALID_PARAMETER"
    assert memory.reviews.list()[0].status == "pending"


def test_of_two_reviewers_at_once_one_decides(memory: Memory) -> None:
    _ = memory.integrate([claim()], boundary=CONTACTS)
    review = memory.reviews.list()[0]
    gate, said = Barrier(2), []

    def decide(name: str) -> None:
        _ = gate.wait()
        said.append(memory.results.reviews.approve(review.id, reviewer=name))

    threads = [Thread(target=decide, args=(name,)) for name in ("carol", "dave")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(type(one).__name__ for one in said) == ["Failure", "Success"]


def test_a_late_one_is_told_as_overdue(memory: Memory, clock: FakeClock) -> None:
    _ = memory.integrate([claim()], boundary=CONTACTS)
    clock.advance(days=1)
    assert not memory.reviews.list()[0].overdue
    clock.advance(1)
    assert memory.reviews.list()[0].overdue


def test_what_is_left_of_personal_data_waits_though_the_boundary_has_no_such_class(
    clock: FakeClock, ids
) -> None:
    policy = (
        'version: "1.0.0"\n'
        "boundary_classes:\n"
        '  public: {allow: ["*"]}\n'
        '  internal: {allow: ["answer:task"]}\n'
        '  pii: {allow: ["tool:contact-lookup"], redact: [email], escalation: human_review}\n'
        "  secret: {allow: []}\n"
    )
    with Memory.open(policy=policy, embedder="hashing", clock=clock, ids=ids) as memory:
        seen = memory.observe("Call the plumber at 090-1234-5678. He comes on Friday.")
        assert [one.text for one in seen.claims] == ["He comes on Friday."]
        assert len(seen.integration.queued) == 1
        assert seen.refused == ()
        assert memory.observe_many(["Call the baker at 080-1234-5678."]).queued == 1
        assert len(memory.reviews.list()) == 2
        assert texts(memory) == ["He comes on Friday."]
        refused = memory.module.extractor(
            seen.observation.model_copy(update={"content": "Call 090-1234-5678 now."}),
            memory.results.boundary,
        )
        assert refused.failure().code == "BOUNDARY_DENIED"


def test_a_class_raised_by_a_merge_goes_to_the_queue(memory: Memory) -> None:
    _ = memory.integrate([claim(boundary_class="internal")])
    assert texts(memory) == [ADDRESS]
    done = memory.integrate([claim(2)], boundary=CONTACTS)
    assert (done.queued, done.merged) == (("clm_1",), ())
    assert texts(memory) == texts(memory, CONTACTS) == []
    _ = memory.reviews.approve(memory.reviews.list()[0].id, reviewer="carol")
    assert texts(memory, CONTACTS) == [ADDRESS]
    assert texts(memory) == []


def test_a_class_that_is_denied_is_refused(clock: FakeClock, ids) -> None:
    policy = (
        'version: "1.0.0"\n'
        "boundary_classes:\n"
        '  public: {allow: ["*"]}\n'
        '  internal: {allow: ["answer:task"]}\n'
        '  pii: {allow: ["tool:contact-lookup"], escalation: deny}\n'
        "  secret: {allow: []}\n"
    )
    with Memory.open(policy=policy, embedder="hashing", clock=clock, ids=ids) as memory:
        refused = memory.results.integrate([claim()], boundary=CONTACTS).failure()
        assert refused.message == "Boundary denied: the policy keeps no claim of class pii (clm_1)"
        assert rows(memory, "claims") == rows(memory, "reviews") == 0

"""What a boundary hides is not there for its writes: a file with it and one without answer alike.

Two files, one with claims that the caller cannot see; the same writes go to both, and the answers
and all reads after them are equal, ids included.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import count
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st

from pce_memory import Boundary, Claim, Memory, Provenance
from pce_memory.domain.ids import ClaimId, ObservationId
from tests.conftest import DAY, START, FakeClock

Outcome = object
Step = Callable[[Memory], Outcome]

POLICY: Final = """version: "7.0.0"
scopes:
  session: {ttl: 7d}
  project: {ttl: 120d}
  principle: {ttl: inf}
boundary_classes:
  public: {allow: ["*"]}
  internal: {allow: ["*"]}
  pii: {allow: ["personal:read"], escalation: human_review}
  secret: {allow: []}
"""

OWNER: Final = Boundary(
    scope=("session", "project", "principle"),
    allow=("answer:task", "personal:read"),
    boundary_classes=("public", "internal", "pii"),
    actor="owner",
)
TEXTS: Final = (
    "Release day is Thursday.",
    "Alice keeps the only key to the archive.",
    "健二さんは窓側の席を好む。",
)
TAGGED: Final = "hidden:tag"
CALLERS: Final = {
    "another scope": Boundary(
        scope=("principle",), allow=("answer:task",), boundary_classes=("public", "internal")
    ),
    "another class": Boundary(
        scope=("session", "project", "principle"),
        allow=("answer:task",),
        boundary_classes=("public",),
    ),
    "a rule": Boundary(
        scope=("session", "project", "principle"),
        allow=("answer:task",),
        boundary_classes=("public", "internal"),
        invariants=(
            {"name": "none of these", "applies_to": ("*",), "rule": "claim.kind == 'fact'"},
        ),  # type: ignore[arg-type]
    ),
}


class OwnIds:
    """Ids that are counted apart: those of the owner are none of the caller's."""

    def __init__(self) -> None:
        self.mark = "a"
        self._counts = {"a": count(1), "b": count(1)}

    def __call__(self, prefix: str) -> str:
        return f"{prefix}{self.mark}{next(self._counts[self.mark]):08x}"


class Pair:
    """A file with what the owner wrote, and one without; the caller speaks to both."""

    def __init__(self, stack: ExitStack) -> None:
        self.clock = FakeClock()
        self.files: list[tuple[Memory, OwnIds]] = []
        for _ in range(2):
            ids = OwnIds()
            how: dict[str, Any] = {"embedder": "hashing", "clock": self.clock, "ids": ids}
            memory = stack.enter_context(Memory.open(":memory:", policy=POLICY, **how))
            self.files.append((memory, ids))

    def hide(self, work: Callable[[Memory], object]) -> None:
        """Write what the caller is not to see, into the first file alone."""
        memory, ids = self.files[0]
        ids.mark = "a"
        work(memory)

    def same(self, step: Step) -> object:
        """Take a step in both files, and assert that both answer alike."""
        answers: list[object] = []
        for memory, ids in self.files:
            ids.mark = "b"
            answers.append(plain(step(memory)))
        assert answers[0] == answers[1]
        return answers[0]


def plain(answer: Any) -> object:
    """Return an answer without what is of the file: digests under its own key."""
    if hasattr(answer, "model_dump"):
        return plain(answer.model_dump(mode="json"))
    if isinstance(answer, dict):
        return {
            name: plain(value)
            for name, value in answer.items()
            if name not in {"content_digest", "query_digest"}
        }
    if isinstance(answer, (list, tuple)):
        return [plain(one) for one in answer]
    if hasattr(answer, "failure") and hasattr(answer, "value_or"):
        return (
            ("failure", repr(answer)) if answer.value_or(None) is None else plain(answer.unwrap())
        )
    return answer


@pytest.fixture
def pair() -> Iterator[Pair]:
    with ExitStack() as stack:
        yield Pair(stack)


def claim(
    number: int, text: str, scope: str, *, cls: str = "internal", confidence: float = 0.5
) -> Claim:
    return Claim(
        id=ClaimId(f"clm_{number:04x}"),
        text=text,
        kind="task" if confidence > 0.9 else "fact",
        scope=scope,  # type: ignore[arg-type]
        boundary_class=cls,  # type: ignore[arg-type]
        confidence=confidence,
        tags=(TAGGED,) if confidence > 0.9 else (),
        origin_observation_id=ObservationId(f"obs_{number:04x}"),
        created_at=START,
        updated_at=START,
    )


def owner_writes(sort: str, pair: Pair) -> None:
    """Write the texts as claims of a sort that the caller of that sort does not see."""

    def work(memory: Memory) -> None:
        if sort == "another scope":
            for text in TEXTS:
                memory.observe(
                    text,
                    actor="owner",
                    source_id="owner/1",
                    tags=(TAGGED,),
                    boundary=OWNER,
                    idempotency_key=f"key {text}",
                )
                memory.observe(text, tags=(TAGGED,), boundary=OWNER)
            memory.integrate(
                [claim(n, text, "project") for n, text in enumerate(TEXTS)], boundary=OWNER
            )
        elif sort == "another class":
            memory.integrate(
                [claim(n, text, "principle") for n, text in enumerate(TEXTS)], boundary=OWNER
            )
        elif sort == "a rule":
            memory.integrate(
                [claim(n, text, "principle", confidence=0.95) for n, text in enumerate(TEXTS)],
                boundary=OWNER,
            )
        elif sort == "queued":
            memory.integrate(
                [claim(n, text, "principle", cls="pii") for n, text in enumerate(TEXTS)],
                boundary=OWNER,
            )
        elif sort == "expired":
            memory.integrate(
                [claim(n, text, "session") for n, text in enumerate(TEXTS)], boundary=OWNER
            )
        for feedback, found in enumerate(memory.search("key archive", boundary=OWNER)):
            one = found.claim.id
            memory.feedback(one, "helpful", feedback_id=f"fb_{feedback}", boundary=OWNER)
            memory.judge(one, score=80.0, judgement_id=f"jdg_{feedback}", boundary=OWNER)

    pair.hide(work)
    if sort == "expired":
        pair.clock.advance(days=8)


def caller_of(sort: str) -> Boundary:
    everything = OWNER.model_copy(
        update={"boundary_classes": ("public", "internal"), "allow": ("answer:task",)}
    )
    return CALLERS.get(sort, everything.model_copy(update={"actor": None}))


def written_scope(sort: str) -> str:
    return "principle" if sort == "another scope" else "project"


def steps_of(sort: str) -> list[Step]:
    mine = caller_of(sort)
    how: dict[str, Any] = {"boundary": mine}
    cls = "public" if sort == "another class" else "internal"
    scope = written_scope(sort)
    at = START + (8 * DAY if sort == "expired" else 0)

    def own(number: int, text: str) -> Claim:
        return claim(number, text, scope, cls=cls).model_copy(
            update={"created_at": at, "updated_at": at}
        )

    known = [own(n, text) for n, text in enumerate(TEXTS)]
    others = [own(n, f"Another text, number {n}.") for n in range(len(TEXTS))]
    return [
        lambda m: m.results.observe(TEXTS[0], idempotency_key=f"key {TEXTS[0]}", **how),
        lambda m: m.results.observe(TEXTS[1], actor="owner", **how),
        lambda m: m.results.observe_many([TEXTS[0], TEXTS[2], TEXTS[2]], **how),
        lambda m: m.results.integrate(known, **how),
        lambda m: m.results.integrate(known, **how),
        lambda m: m.results.integrate(others, **how),
        lambda m: m.results.integrate_many(known, **how),
        lambda m: m.results.integrate_many([own(9, TEXTS[0])], **how),
        lambda m: m.results.observe(TEXTS[0], idempotency_key=f"key {TEXTS[0]}", **how),
        lambda m: m.results.observe("A new one.", idempotency_key=f"key {TEXTS[0]}", **how),
        lambda m: m.results.distill(
            TEXTS[1],
            claim_ids=[known[0].id],
            provenance=Provenance(at="2025-06-15T15:06:40Z"),
            **how,
        ),
        lambda m: m.results.feedback(known[0].id, "harmful", feedback_id="fb_0", **how),
        lambda m: m.results.feedback(known[1].id, "helpful", feedback_id="fb_0", **how),
        lambda m: m.results.judge(known[0].id, score=20.0, judgement_id="jdg_0", **how),
        lambda m: m.results.judge(known[1].id, score=30.0, judgement_id="jdg_0", **how),
        lambda m: m.results.feedback(
            known[2].id, "duplicate", duplicate_of=known[0].id, feedback_id="fb_1", **how
        ),
    ]


def reads_of(sort: str) -> list[Step]:
    mine = caller_of(sort)
    how: dict[str, Any] = {"boundary": mine}
    ids = [f"clm_{n:04x}" for n in range(4)]
    return [
        *[
            lambda m, q=query: m.results.search(q, k=20, **how)
            for query in ("release Thursday", "archive key", "窓側の席", "owner", TAGGED, "")
        ],
        lambda m: m.results.activate("archive key", include_meta=True, **how),
        *[lambda m, one=one: m.results.claim(one, **how) for one in ids],
        *[lambda m, one=one: m.results.evidence(one, **how) for one in ids],
        *[lambda m, one=one: m.results.explain("archive", one, **how) for one in ids],
        lambda m: m.results.forget(claim_id=ids[0], dry_run=True, **how),
    ]


SORTS: Final = ("another scope", "another class", "a rule", "queued", "expired")


@pytest.mark.parametrize("sort", SORTS)
def test_each_write_answers_alike_and_so_do_the_reads_after_it(pair: Pair, sort: str) -> None:
    owner_writes(sort, pair)
    for read in reads_of(sort):
        pair.same(read)
    for step in steps_of(sort):
        pair.same(step)
    for read in reads_of(sort):
        pair.same(read)


@pytest.mark.parametrize("sort", SORTS)
def test_a_write_is_read_by_who_wrote_it(pair: Pair, sort: str) -> None:
    owner_writes(sort, pair)
    memory, ids = pair.files[0]
    ids.mark = "b"
    mine = caller_of(sort)
    for step in steps_of(sort)[3:4]:
        done: Any = step(memory)
        assert len(done.unwrap().created) == len(TEXTS)
    for number, text in enumerate(TEXTS):
        told = memory.claim(f"clm_{number:04x}", boundary=mine)
        assert (told.text, told.tags) == (text, ())
        assert told.id == f"clm_{number:04x}"


@pytest.mark.parametrize("sort", SORTS)
@given(order=st.lists(st.integers(0, 15), min_size=1, max_size=6))
def test_in_any_order(sort: str, order: Sequence[int]) -> None:
    with ExitStack() as stack:
        pair = Pair(stack)
        owner_writes(sort, pair)
        steps = steps_of(sort)
        for place in order:
            pair.same(steps[place])
        for read in reads_of(sort):
            pair.same(read)


def test_documents_answer_alike(pair: Pair) -> None:
    def given_document(scope: str, title: str) -> dict[str, object]:
        return {
            "external_ids": {"pub_id": "P1"},
            "fields": {"title": title},
            "scope": scope,
            "boundary_class": "internal",
        }

    mine = CALLERS["another scope"]
    release = "Release day is Thursday."
    pair.hide(lambda m: m.add_documents([given_document("project", release)], boundary=OWNER))
    for title in (release, release, "Release day is Monday."):
        one = given_document("principle", title)

        def add(m: Memory, document: dict[str, object] = one) -> object:
            return m.results.add_documents([document], boundary=mine)

        done = pair.same(add)
        assert "failed" in str(done)
        pair.same(lambda m: m.results.forget(document_id="P1", dry_run=True, boundary=mine))

"""The index is what it would be if it were made anew, after any history."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from pce_memory import Memory
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.vocabulary import SCOPES
from pce_memory.engine import reindex
from pce_memory.store import postings
from tests.conftest import CountingIds, FakeClock
from tests.engine.test_reviews import claim
from tests.index import assert_exact
from tests.policies import LASTING, REDACTING

ACTORS = st.sampled_from([None, "alice", "zebulon", "山田"])
WORDS = st.sampled_from(
    [
        "lamp",
        "door",
        "archive key",
        "サーバー",
        "解約API",
        "Zoë's mail",
        "a@example.com",
        "iPhone15",
        "👩🏽‍💻🚀",
        "…",
    ]
)
TEXTS = st.builds("The {} of room {} stands by the {}.".format, WORDS, st.integers(1, 4), WORDS)


class IndexMachine(RuleBasedStateMachine):
    """Whatever is done, in whatever order: half a sort, a close, a swap of the file between."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.clock, self.ids = FakeClock(), CountingIds()
        self.built: Any = None
        self.made = 0
        self.memory = self.opened()

    def opened(self) -> Memory:
        path = Path(self.folder.name) / "m.duckdb"
        return Memory.open(path, embedder="hashing", clock=self.clock, ids=self.ids)

    @rule(texts=st.lists(TEXTS, min_size=1, max_size=3), actor=ACTORS)
    def observe(self, texts: list[str], actor: str | None) -> None:
        self.clock.advance(1)
        for text in texts:
            self.memory.observe(text, actor=actor)

    @rule(actor=ACTORS.filter(bool), compact=st.booleans())
    def forget_somebody(self, actor: str, compact: bool) -> None:
        self.memory.forget(actor=actor, compact=compact)

    @rule(words=WORDS.filter(lambda one: one != "…"), derived=st.booleans())
    def forget_words(self, words: str, derived: bool) -> None:
        self.memory.forget(query=words, derived=derived, compact=False)

    @rule(text=TEXTS, boundary_class=st.sampled_from(["public", "internal", "pii"]))
    def integrate(self, text: str, boundary_class: Any) -> None:
        wide = Boundary(scope=SCOPES, allow=("*",), boundary_classes=("public", "internal", "pii"))
        self.clock.advance(1)
        self.made += 1
        given = claim(self.made, text, boundary_class)
        self.memory.integrate([given], boundary=wide)

    @rule()
    def sort(self) -> None:
        postings.sort(self.memory.deps.db).unwrap()
        self.built = None

    @rule()
    def begin_to_sort(self) -> None:
        db = self.memory.deps.db
        self.built = db.aside(lambda: postings._build(db)).unwrap()

    @precondition(lambda self: self.built is not None)
    @rule()
    def end_to_sort(self) -> None:
        db, built = self.memory.deps.db, self.built
        postings._take_over(db, built, tries=1).unwrap()
        self.built = None

    @rule(days=st.sampled_from([0.0, 1.0, 130.0]))
    def maintain(self, days: float) -> None:
        self.clock.advance(days=days)
        self.memory.maintain()

    @rule()
    def reindex(self) -> None:
        self.memory.reindex()
        self.built = None

    @rule()
    def begin_to_reindex(self) -> None:
        deps = self.memory.deps
        before = reindex._step(deps, vectors=True).unwrap()
        assert before is None or before.done >= 0

    @rule(policy=st.sampled_from([LASTING, REDACTING]))
    def another_policy(self, policy: str) -> None:
        self.memory.apply_policy(policy, allow_downgrade=True)
        self.memory.reindex()
        self.built = None

    @rule()
    def compact(self) -> None:
        self.memory.compact()

    @rule()
    def reopen(self) -> None:
        self.memory.close()
        self.built = None
        self.memory = self.opened()

    @invariant()
    def exact(self) -> None:
        assert_exact(self.memory)

    def teardown(self) -> None:
        self.memory.close()
        self.folder.cleanup()


IndexMachine.TestCase.settings = settings(max_examples=15, stateful_step_count=12)
TestIndex = IndexMachine.TestCase

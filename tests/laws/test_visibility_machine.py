"""Whatever is done to a memory, and in whatever order: it shows what the model says it may.

The model (tests/model.py) knows nothing of the engine. After each look, what is shown is compared
with what may be seen; no id and no text of a hidden claim stands anywhere in a result; what was
forgotten stands in no table; the review queue and the audit trail are those of the model.
"""

from __future__ import annotations

import json
import math
import sys
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any, Final

import yaml
from hypothesis import settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)
from pydantic import BaseModel
from returns.result import Failure, Result, Success

from pce_memory import Boundary, Claim, Memory, Provenance
from pce_memory.domain.vocabulary import CLAIM_KINDS
from tests.conftest import DAY, START, tables, wipe
from tests.model import (
    CLASSES,
    RULES,
    SCOPES,
    Known,
    Rule,
    Rulebook,
    Said,
    World,
    holds,
    slower,
    stricter,
)
from tests.strategies import callers, claim_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tests.conftest import FakeClock

NOUNS: Final = ("lantern", "ladder", "anchor", "kettle", "violin", "trumpet", "compass", "saddle")
SENTENCES: Final = (
    *(f"Kenji left the {noun} beside the old bridge." for noun in NOUNS[:5]),
    *(f"kenji left the {noun} beside the old bridge" for noun in NOUNS[:5]),
    f"Maria sold the {NOUNS[5]}.",
    f"Maria sold the {NOUNS[5]}s.",
    f"The {NOUNS[6]} went to maria@example.com last week.",
    f"The {NOUNS[7]} came from kenji@example.org last week.",
    "健二さんは窓側の席にいた。",
    "「健二さんは窓側の席にいた」",
    "東京のチームは三月に引っ越した。",
    "大阪のチームは三月に引っ越した。",
)
"""Facts, each with a noun of its own; some differ in case and punctuation only."""
ACTORS: Final = ("alice", "健二", None)
WIDE: Final = Boundary(
    scope=SCOPES,
    allow=("answer:task", "tool:search", "tool:contact-lookup", "ops"),
    boundary_classes=("public", "internal", "pii"),
)

_tags: Final = st.sampled_from(
    [(), ("*",), ("answer:task",), ("answer:task", "tool:*"), ("tool:contact-lookup",), ("t*",)]
)
_some_scopes: Final = st.sampled_from([("*",), ("session", "project"), ("principle",)])
_rules: Final[st.SearchStrategy[tuple[Rule, ...]]] = st.lists(
    st.tuples(_some_scopes, st.sampled_from(sorted(RULES))), max_size=2
).map(tuple)
_escalation: Final = st.sampled_from([None, None, "human_review", "deny"])
rulebooks: Final = st.builds(
    Rulebook,
    allow=st.fixed_dictionaries(
        {
            "public": st.sampled_from([("*",), ("answer:task",)]),
            "internal": _tags,
            "pii": _tags,
            "secret": st.sampled_from([(), ("*",)]),
        }
    ),
    escalation=st.fixed_dictionaries(
        {"public": st.none(), "internal": _escalation, "pii": _escalation, "secret": _escalation}
    ),
    days=st.fixed_dictionaries(
        {
            "session": st.sampled_from([2, 9]),
            "project": st.sampled_from([9, 40]),
            "principle": st.sampled_from([40, math.inf]),
        }
    ),
    rules=_rules,
    redacts_mail=st.booleans(),
)
FIRST: Final = Rulebook(
    allow={
        "public": ("*",),
        "internal": ("answer:task", "tool:*"),
        "pii": ("tool:*",),
        "secret": (),
    },
    escalation={"public": None, "internal": None, "pii": "human_review", "secret": "deny"},
    days={"session": 9, "project": 40, "principle": math.inf},
)
given_claims: Final = st.fixed_dictionaries(
    {
        "text": st.sampled_from(SENTENCES),
        "scope": st.sampled_from(SCOPES),
        "boundary_class": st.sampled_from(CLASSES[:3]),
        "kind": st.sampled_from(CLAIM_KINDS),
        "confidence": st.sampled_from([0.2, 0.5, 0.9]),
        "tags": st.sampled_from([(), ("ui",), ("api.breaking_change",)]),
        "age": st.sampled_from([0, 1, 8, 39]),
    }
)
narrowings: Final = st.fixed_dictionaries(
    {
        "scope": st.none() | st.sampled_from([("project",), ("session", "principle")]),
        "allow": st.none() | st.sampled_from([("answer:task",), ("tool:contact-lookup", "ops")]),
    }
)
some: Final = st.integers(0, 1_000)
"""Which of those that are there, counted around."""


class Machine(RuleBasedStateMachine):
    """One memory and one model, through the same things."""

    def __init__(self, memory: Memory, clock: FakeClock) -> None:
        super().__init__()
        self.memory, self.clock = memory, clock
        wipe(memory)
        for table in ("policies", "policy_history"):
            memory.deps.db.execute(f"truncate {table}").unwrap()
        clock.now = START
        self.versions = count(2)
        self.numbers = count(1)
        self.world = World(FIRST, START)
        self.contexts: list[tuple[str, float, Sequence[str], tuple[Any, ...]]] = []
        self.audit: list[tuple[float, str, frozenset[str], str, str | None]] = []
        self.gone: set[str] = set()
        self.lost: set[str] = set()
        first = yaml.safe_dump(FIRST.document())
        assert memory.deps.policy_store.apply(first) == Success(FIRST.version)

    # --- what the rules share

    def put_in_force(self, policy: Rulebook) -> None:
        policy = replace(policy, version=f"{next(self.versions)}.0.0")
        self.world.policy = policy
        assert self.memory.apply_policy(yaml.safe_dump(policy.document())) == policy.version
        self.told("policy.apply", "allowed")

    def told(self, tool: str, *decisions: str, who: str | None = None) -> None:
        """Remember what the audit has to hold."""
        row = (self.clock.now, tool, frozenset(decisions), self.world.policy.version, who)
        self.audit.append(row)

    def known(self, which: int, ids: Iterable[str] | None = None) -> Known | None:
        """Return one of the claims that are there."""
        there = sorted(self.world.claims if ids is None else ids)
        return self.world.claims[there[which % len(there)]] if there else None

    def refused(self, result: Result[Any, Any], *codes: str) -> None:
        """Check that a call was refused, and that the refusal names nothing of the memory."""
        assert isinstance(result, Failure), result
        error = result.failure()
        assert error.code in codes, error
        self.no_word_of([error.message, repr(dict(error.details)), error.remedy], set())

    def no_word_of(self, shown: object, seen: set[str], given: Iterable[str] = ()) -> None:
        """Check that no id and no text but those that are seen, or were given, is told."""
        text = without_sources(shown)
        own = set(given)
        for one in self.world.ever - seen - own:
            assert one not in text, f"{one} is told"
        visible = {self.world.claims[one].text for one in seen}
        for sentence in (
            *SENTENCES,
            *(said.replace("maria@example.com", "[email]") for said in SENTENCES),
        ):
            if (
                sentence not in visible
                and sentence not in own
                and not is_mailless(sentence, visible)
            ):
                assert sentence not in text, f"{sentence} is told"

    def is_new(self, text: str) -> bool:
        """Return whether no claim says this yet.

        What becomes of equal words, by whom they are said and who sees them, is not in the model:
        `test_hidden_writes_laws` and `test_integrator_laws` have it.
        """
        there = {self.world.policy.mailless(one.text) for one in self.world.claims.values()}
        return self.world.policy.mailless(text) not in there and text not in {
            one.text for one in self.world.claims.values()
        }

    def row_id_of(self, text: str) -> str:
        found = self.memory.deps.db.query(
            "select id from claims where text = $text", {"text": text}
        )
        return str(found.unwrap()[0]["id"])

    def as_known(self, said: dict[str, Any], number: int) -> Known:
        anchor = self.clock.now - said["age"] * DAY
        return Known(
            id=claim_id(number),
            text=said["text"],
            scope=said["scope"],
            cls=said["boundary_class"],
            kind=said["kind"],
            confidence=said["confidence"],
            anchor=anchor,
            tags=frozenset(said["tags"]),
            origin="obs_elsewhere",
            sources={("obs_elsewhere", None)},
        )

    # --- writing

    @initialize(
        given=st.lists(given_claims, min_size=6, max_size=12, unique_by=lambda one: one["text"]),
        said=st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3, unique=True),
    )
    def stock(self, given: list[dict[str, Any]], said: list[str]) -> None:
        self.integrate(given, WIDE)
        self.observe(said, WIDE, "alice")

    @rule(policy=rulebooks)
    def apply_policy(self, policy: Rulebook) -> None:
        self.put_in_force(policy)

    @rule(given=st.lists(given_claims, min_size=1, max_size=4), boundary=callers)
    def integrate(self, given: list[dict[str, Any]], boundary: Boundary) -> None:
        said = {one["text"]: one for one in given if self.is_new(one["text"])}
        if not (given := list(said.values())):
            return
        named = [self.as_known(one, next(self.numbers)) for one in given]
        judged = [self.world.judged(one, boundary) for one in named]
        claims = [as_claim(one, self.clock.now) for one in named]
        before = self.world.seen(self.world.reach(boundary))
        fit = [one for one in judged if one is not None]
        if len(fit) < len(judged) or self.world.breaks(fit, boundary):
            self.told("integrate", "denied", who=boundary.actor)
            result = self.memory.results.integrate(claims, boundary=boundary)
            assert isinstance(result, Failure)
            assert result.failure().code in {"BOUNDARY_DENIED", "INVALID_SCOPE"}
            self.no_word_of(repr(result.failure()), before, [one.id for one in named])
            return
        done = self.memory.integrate(claims, boundary=boundary)
        for one in fit:
            self.world.take(one)
        self.told("integrate", "queued" if done.queued else "allowed", who=boundary.actor)
        after = self.world.seen(self.world.reach(boundary))
        own = {*(one.id for one in named), *(one.text for one in named)}
        self.no_word_of(done, (before | after) & set(self.world.claims), own)

    @rule(
        sentences=st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=2, unique=True),
        boundary=callers,
        actor=st.sampled_from(ACTORS),
    )
    def observe(self, sentences: list[str], boundary: Boundary, actor: str | None) -> None:
        if not (sentences := [text for text in sentences if self.is_new(text)]):
            return
        drawn = [self.drawn(text, boundary) for text in sentences]
        judged = [self.world.judged(one, boundary, queue=True) for one in drawn]
        fit = [one for one in judged if one is not None]
        if self.world.breaks(fit, boundary):
            return
        before = self.world.seen(self.world.reach(boundary))
        result = self.memory.observe("\n".join(sentences), actor=actor, boundary=boundary)
        seen = result.observation
        self.world.said[seen.id] = Said(actor, str(seen.content), self.clock.now)
        for one in fit:
            one.origin, one.sources = seen.id, {(seen.id, actor)}
            if (there := self.world.standing(one.text)) is None:
                one.id = self.row_id_of(one.text)
            elif there.origin is None:
                there.origin = seen.id
            self.world.take(one)
        self.told("observe", "allowed", "redacted", "queued", "denied", who=boundary.actor)
        assert len(result.refused) == len(drawn) - len(fit)
        shown = self.world.reach(boundary)
        after = (before | self.world.seen(shown)) & set(self.world.claims)
        mine = {self.row_id_of(one.text) for one in fit}
        own = {*sentences, *(one.text for one in drawn), *mine}
        self.no_word_of(result, after, own)

    def drawn(self, text: str, boundary: Boundary) -> Known:
        kept = self.world.policy.mailless(text)
        order = [one for one in ("project", "session", "principle") if one in boundary.scope]
        return Known(
            id="",
            text=kept,
            scope=order[0],
            cls="pii" if "@" in kept else "internal",
            kind="fact",
            confidence=0.5,
            anchor=self.clock.now,
        )

    @rule(
        which=st.lists(some, min_size=1, max_size=3),
        text=st.sampled_from(SENTENCES),
        scope=st.none() | st.sampled_from(SCOPES),
        boundary=callers,
    )
    def distill(self, which: list[int], text: str, scope: Any, boundary: Boundary) -> None:
        reach = self.world.reach(boundary)
        seen = self.world.seen(reach)
        sources = [one for one in (self.known(place, seen) for place in which) if one is not None]
        if not sources or not self.is_new(text):
            return
        slowest, strictest = sources[0].scope, sources[0].cls
        for one in sources:
            slowest, strictest = slower(slowest, one.scope), stricter(strictest, one.cls)
        wanted = scope or slowest
        made = Known(
            id="",
            text=text,
            scope=wanted,
            cls=strictest,
            kind="fact",
            confidence=max(one.confidence for one in sources),
            anchor=self.clock.now,
            sources={(None, None)}.union(*(one.sources for one in sources)),
            made_of={one.id for one in sources},
        )
        judged = self.world.judged(made, boundary)
        result = self.memory.results.distill(
            text,
            claim_ids=[one.id for one in sources],
            scope=scope,
            provenance=Provenance(at="2025-06-15T15:06:40Z"),
            boundary=boundary,
        )
        if slower(wanted, slowest) != wanted:
            assert isinstance(result, Failure)
            assert result.failure().code == "INVALID_PARAMETER"
            return
        if judged is None or self.world.breaks([judged], boundary):
            assert isinstance(result, Failure)
            assert result.failure().code in {"BOUNDARY_DENIED", "INVALID_SCOPE"}
            self.told("distill", "denied", who=boundary.actor)
            return
        done = result.unwrap()
        if self.world.standing(text) is None:
            judged.id = self.row_id_of(text)
        self.world.take(judged)
        self.told("integrate", "queued" if done.queued else "allowed", who=boundary.actor)
        now = self.world.standing(text)
        after = seen | self.world.seen(reach)
        self.no_word_of(done, after, {text, *([now.id] if now else [])})

    # --- looking

    @rule(
        query=st.sampled_from(["", "", "", "lantern", "old bridge", "三月", "Maria"]),
        boundary=callers,
        narrow=narrowings,
    )
    def activate(self, query: str, boundary: Boundary, narrow: dict[str, Any]) -> None:
        reach = self.world.reach(boundary, **narrow)
        result = self.memory.results.activate(
            query, top_k=100, include_meta=True, boundary=boundary, **narrow
        )
        if reach is None:
            self.refused(result, "BOUNDARY_DENIED", "INVALID_SCOPE")
            self.told("activate", "denied", who=boundary.actor)
            return
        found = result.unwrap()
        seen = self.world.seen(reach)
        self.compare([item.claim.id for item in found.items], seen, query)
        self.no_word_of(found, seen)
        self.told("activate", "allowed", "redacted", who=boundary.actor)
        ids = [item.claim.id for item in found.items]
        made = (reach, self.world.policy.version, tuple(item.score for item in found.items))
        self.contexts.append((found.active_context.id, self.clock.now, ids, made))

    @rule(query=st.sampled_from(["", "violin", "席"]), boundary=callers)
    def search(self, query: str, boundary: Boundary) -> None:
        reach = self.world.reach(boundary)
        result = self.memory.results.search(query, k=100, boundary=boundary)
        if reach is None:
            self.refused(result, "BOUNDARY_DENIED", "INVALID_SCOPE")
            self.told("search", "denied", who=boundary.actor)
            return
        seen = self.world.seen(reach)
        self.compare([item.claim.id for item in result.unwrap()], seen, query)
        self.no_word_of(list(result.unwrap()), seen)
        self.told("search", "allowed", "redacted", who=boundary.actor)

    def compare(self, ids: Sequence[str], seen: set[str], query: str) -> None:
        assert len(ids) == len(set(ids))
        if query:
            assert set(ids) <= seen
        else:
            assert set(ids) == seen

    @precondition(lambda self: self.world.ever)
    @rule(which=some, boundary=callers)
    def claim(self, which: int, boundary: Boundary) -> None:
        ids = sorted(self.world.ever)
        asked = ids[which % len(ids)]
        one = self.world.claims.get(asked)
        while one is not None and one.into is not None:
            one = self.world.claims[one.into]
        reach = self.world.reach(boundary)
        for tool, look in (
            ("claim", self.memory.results.claim),
            ("evidence", self.memory.results.evidence),
        ):
            result: Result[Any, Any] = look(asked, boundary=boundary)
            if one is None or not self.world.shows(one, reach):
                assert isinstance(result, Failure)
                self.no_word_of(repr(result.failure()), set(), [asked])
                assert result.failure().code in {"UNKNOWN_CLAIM", "BOUNDARY_DENIED"}
                self.told(tool, "denied", who=boundary.actor)
                continue
            self.told(tool, "allowed", who=boundary.actor)
            if tool == "claim":
                assert (result.unwrap().id, result.unwrap().boundary_class) == (one.id, one.cls)
                self.no_word_of(result.unwrap(), {one.id})
            else:
                told = {item.observation_id for item in result.unwrap()}
                assert told == {source[0] for source in one.sources}

    @precondition(lambda self: self.contexts)
    @rule(which=some, boundary=callers)
    def recall(self, which: int, boundary: Boundary) -> None:
        ac_id, made_at, ids, made = self.contexts[which % len(self.contexts)]
        result = self.memory.results.context(ac_id, boundary=boundary)
        life = min(DAY, self.world.policy.days["session"] * DAY)
        reach, version, scores = made
        if isinstance(result, Failure) and result.failure().code == "SEARCH_FAILED":
            over = self.clock.now >= made_at + life
            assert over or ac_id in self.lost or not set(ids) <= set(self.world.claims)
            return
        now = self.world.reach(boundary)
        if now is None:
            self.refused(result, "BOUNDARY_DENIED", "INVALID_SCOPE")
            self.told("context", "denied", who=boundary.actor)
            return
        context, items = result.unwrap()
        seen = self.world.seen(now)
        assert [item.claim_id for item in items] == [one for one in ids if one in seen]
        assert [item.rank for item in items] == list(range(1, len(items) + 1))
        self.no_word_of([context, *items], seen)
        whole = (
            now.scopes >= reach.scopes
            and now.classes >= reach.classes
            and set(now.rules) <= set(reach.rules)
            and (not now.rules or now.context == reach.context)
            and version == self.world.policy.version
        )
        kept = dict(zip(ids, scores, strict=True))
        if not whole:
            assert all(item.score is None for item in items)
        else:
            assert all(item.score in {None, kept[item.claim_id]} for item in items)
        self.told("context", "allowed", who=boundary.actor)

    # --- judging

    @precondition(lambda self: self.world.claims)
    @rule(
        which=some,
        other=st.none() | some,
        signal=st.sampled_from(["helpful", "harmful", "outdated", "duplicate", "duplicate"]),
        boundary=callers,
    )
    def judge(self, which: int, other: int | None, signal: Any, boundary: Boundary) -> None:
        reach = self.world.reach(boundary)
        seen = self.world.seen(reach)
        one = self.known(which, seen) if which % 3 else self.known(which)
        kept = self.known(other, seen) if other is not None and signal == "duplicate" else None
        if one is None or one.into is not None or (kept is not None and kept.id == one.id):
            return
        result = self.memory.results.feedback(
            one.id, signal, duplicate_of=kept.id if kept else None, boundary=boundary
        )
        if one.id not in seen:
            assert isinstance(result, Failure)
            assert result.failure().code in {"UNKNOWN_CLAIM", "BOUNDARY_DENIED"}
            self.no_word_of(repr(result.failure()), set(), [one.id])
            self.told("feedback", "denied", who=boundary.actor)
            return
        if kept is not None and stricter(kept.cls, one.cls) != kept.cls:
            assert isinstance(result, Failure)
            assert result.failure().code == "INVALID_PARAMETER"
            return
        done = result.unwrap()
        self.told("feedback", "allowed", who=boundary.actor)
        self.no_word_of(done, seen)
        self.moved(one, signal, done.merged_into, kept)

    def moved(self, one: Known, signal: str, into: str | None, kept: Known | None) -> None:
        step = {"helpful": 0.05, "harmful": -0.1, "outdated": -0.2, "duplicate": 0.0}[signal]
        if into is not None:
            assert signal == "duplicate"
            assert kept is None or kept.id == into
            self.world.stand_for(one, self.world.claims[into])
            return
        assert kept is None
        one.confidence = min(1.0, max(0.0, one.confidence + step * 1.0))
        if signal == "helpful":
            one.anchor = max(one.anchor, self.clock.now)

    @rule(boundary=st.none() | callers)
    def queue(self, boundary: Boundary | None) -> None:
        listed = self.memory.reviews.list(boundary=boundary, limit=1_000)
        waiting = {one.id for one in self.world.claims.values() if one.status == "review"}
        told = {one.claim_id: one for one in listed}
        assert len(told) == len(listed)
        self.told("reviews.list", "allowed", who=boundary.actor if boundary else None)
        if boundary is None:
            assert set(told) == waiting
            return
        shown = self.world.seen(self.world.reach(boundary), "review")
        assert set(told) == shown
        assert all(one.text is not None for one in listed)
        self.no_word_of(listed, shown)

    @rule(which=some, approve=st.booleans())
    def review(self, which: int, approve: bool) -> None:
        listed = self.memory.reviews.list(limit=1_000)
        self.told("reviews.list", "allowed")
        if not listed:
            return
        one = listed[which % len(listed)]
        # What a policy forbids by now is not let in.
        if approve and not holds(self.world.claims[one.claim_id], self.world.policy.rules, {}):
            self.told("reviews.approve", "denied")
            denied = self.memory.results.reviews.approve(one.id, reviewer="kyoko")
            self.refused(denied, "BOUNDARY_DENIED")
            return
        act = self.memory.reviews.approve if approve else self.memory.reviews.reject
        self.told(
            f"reviews.{'approve' if approve else 'reject'}",
            "allowed" if approve else "denied",
            who="kyoko",
        )
        assert act(one.id, reviewer="kyoko", note="seen").status == (
            "approved" if approve else "rejected"
        )
        if approve:
            self.world.claims[one.claim_id].status = "active"
        else:
            self.world.scrub(self.world.behind([one.claim_id]), evidence=False)
            self.erased([one.claim_id])
        again = self.memory.results.reviews.approve(one.id, reviewer="kyoko")
        assert again.failure().code == "INVALID_PARAMETER"

    # --- forgetting

    def erased(self, ids: Iterable[str]) -> None:
        """Take claims out of the model, and see that nothing of them is left in the file."""
        for text in self.world.erase(ids):
            if self.world.standing(text) is None:
                self.gone.add(text)
        self.nothing_left()

    def nothing_left(self) -> None:
        """Check that no table holds a text that was erased and did not come back."""
        there = {one.text for one in self.world.claims.values()}
        left = {one for one in self.gone - there if not is_mailless(one, there)}
        for table in tables(self.memory):
            if table in {"observations", "policies"}:
                continue
            dump = repr(self.memory.deps.db.query(f'select * from "{table}"').unwrap())
            assert not [one for one in left if one in dump], table
        rows = self.memory.deps.db.query("select id, content from observations").unwrap()
        for row in rows:
            if self.world.said[row["id"]].content == "":
                assert row["content"] is None

    @precondition(lambda self: self.world.claims)
    @rule(
        which=some,
        form=st.sampled_from(["claim_id", "observation_id", "actor", "query"]),
        derived=st.booleans(),
        boundary=st.none() | callers,
    )
    def forget(self, which: int, form: str, derived: bool, boundary: Boundary | None) -> None:
        wanted, rows, said = self.wanted(which, form)
        if wanted is None:
            return
        shown = None if boundary is None else self.world.seen(self.world.reach(boundary))
        first = rows if shown is None else rows & shown
        result_of: Callable[..., Result[Any, Any]] = self.memory.results.forget
        how: dict[str, Any] = {form: wanted, "derived": derived, "boundary": boundary}
        if form == "claim_id" and not first:
            assert result_of(**how).failure().code == "UNKNOWN_CLAIM"
            self.told("forget", "denied", who=boundary.actor if boundary else None)
            return
        led = self.world.led_to(first)
        made = self.world.made_of(led) if derived else set()
        made = self.world.led_to(made if shown is None else made & shown) - led
        asked = self.world.wholly(said, shown)
        sources = self.world.behind(led)
        held = sources | self.world.saying(led | made)
        behind = self.world.wholly(held, shown, known=sources)
        plan = result_of(**how, dry_run=True).unwrap()
        self.told("forget", "allowed", who=boundary.actor if boundary else None)
        done = result_of(**how).unwrap()
        assert plan == done.model_copy(update={"dry_run": True})
        assert (set(done.claims), set(done.derived)) == (led | made, made)
        # The owner's words are looked for in observations too of which no claim is left.
        alone = set(done.observations) - asked - behind
        assert asked | behind <= set(done.observations)
        assert not alone or (form == "query" and boundary is None)
        assert all(wanted.casefold() in self.world.said[one].content.casefold() for one in alone)
        behind |= alone
        self.told("forget", "allowed", who=boundary.actor if boundary else None)
        self.lost |= {
            ac_id
            for ac_id, _, ids, _ in self.contexts
            if form == "actor" or self.world.backed(ids, asked)
        }
        self.world.scrub(asked, evidence=True)
        if form == "actor" and boundary is None:
            self.world.unsay("alice")
        self.world.scrub(behind, evidence=False)
        self.erased(led | made)

    def wanted(self, which: int, form: str) -> tuple[str | None, set[str], set[str]]:
        """Return what to forget, the claims that fall with it, and the observations it names."""
        one = self.known(which)
        observed = sorted(self.world.said)
        if form == "claim_id":
            while one is not None and one.into is not None:
                one = self.world.claims[one.into]
            return (one.id, {one.id}, set()) if one else (None, set(), set())
        if form == "observation_id":
            if not observed:
                return None, set(), set()
            name = observed[which % len(observed)]
            return name, self.world.resting_on([name]), {name}
        if form == "actor":
            return self.said_by("alice")
        noun = NOUNS[which % len(NOUNS)]
        return noun, {one.id for one in self.world.claims.values() if noun in one.text}, set()

    def said_by(self, actor: str) -> tuple[str | None, set[str], set[str]]:
        claims = self.world.claims.values()
        said = {name for name, one in self.world.said.items() if one.actor == actor}
        said |= {s[0] for one in claims for s in one.sources if s[1] == actor and s[0] is not None}
        alone = {
            one.id for one in claims if one.sources and all(s[1] == actor for s in one.sources)
        }
        return actor, alone | self.world.resting_on(said), said

    # --- time

    @rule(days=st.sampled_from([0.1, 1, 3, 12]))
    def wait(self, days: float) -> None:
        self.clock.advance(days=days)
        self.world.now = self.clock.now
        assert self.memory.decay().claims <= len(self.world.claims)

    @rule()
    def maintain(self) -> None:
        over = {
            one.id
            for one in self.world.claims.values()
            if one.into is None and not self.world.alive(one)
        }
        over = self.world.led_to(over)
        done = self.memory.maintain()
        assert done.claims_expired == len(over)
        for one in self.world.said.values():
            if one.at + 30 * DAY <= self.clock.now:
                one.actor, one.content = None, ""
        kept = [row for row in self.audit if row[0] >= self.clock.now - 365 * DAY]
        assert done.audit_swept == len(self.audit) - len(kept)
        self.audit = kept
        self.erased(over)

    # --- at the end

    def teardown(self) -> None:
        if sys.exc_info()[0] is not None:
            return  # a rule failed: what it says is what is wrong
        self.search("", WIDE)
        self.queue(None)
        self.nothing_left()
        self.same_claims()
        self.same_audit()

    def same_claims(self) -> None:
        rows = self.memory.deps.db.query(
            "select id, scope, boundary_class, status, superseded_by, epoch(recency_anchor) as anchor "
            "from claims order by id"
        ).unwrap()
        assert [tuple(row.values()) for row in rows] == [
            (one.id, one.scope, one.cls, one.status, one.into, one.anchor)
            for one in sorted(self.world.claims.values(), key=lambda one: one.id)
        ]

    def same_audit(self) -> None:
        told = self.memory.audit(limit=10_000)[::-1]
        assert [(one.tool, one.policy_version, one.who) for one in told] == [
            (row[1], row[3], row[4]) for row in self.audit
        ]
        assert all(one.decision in row[2] for one, row in zip(told, self.audit, strict=True))
        dump = "".join(one.model_dump_json() for one in told)
        assert not [sentence for sentence in SENTENCES if sentence in dump]


def as_claim(one: Known, now: float) -> Claim:
    return Claim.model_validate(
        {
            "id": one.id,
            "text": one.text,
            "kind": one.kind,
            "scope": one.scope,
            "boundary_class": one.cls,
            "confidence": one.confidence,
            "tags": tuple(sorted(one.tags)),
            "created_at": one.anchor,
            "updated_at": one.anchor,
            "recency_anchor": one.anchor,
            "origin_observation_id": one.origin,
        }
    )


def is_mailless(sentence: str, visible: Iterable[str]) -> bool:
    """Return whether a sentence is what is shown of one with an address in it."""
    return "[email]" in sentence and any("@" in one or "[email]" in one for one in visible)


def without_sources(shown: object) -> str:
    """Return everything a result tells, as JSON; but for `derived_from`, which names ids."""
    if isinstance(shown, str):
        return shown
    if isinstance(shown, BaseModel):
        return json.dumps(pruned(shown.model_dump(mode="json")), ensure_ascii=False)
    if isinstance(shown, (list, tuple)):
        return "\n".join(map(without_sources, shown))
    return repr(shown)


def pruned(value: object) -> object:
    if isinstance(value, dict):
        return {key: pruned(one) for key, one in value.items() if key != "derived_from"}
    return [pruned(one) for one in value] if isinstance(value, list) else value


def test_a_memory_shows_what_the_model_says(memory: Memory, clock: FakeClock) -> None:
    examples = settings().max_examples
    how = settings(max_examples=examples, stateful_step_count=30 if examples >= 40 else 12)
    machine: Any = lambda: Machine(memory, clock)  # noqa: E731 - what makes one is asked for
    run_state_machine_as_test(machine, settings=how)

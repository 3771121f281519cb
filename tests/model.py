"""An independent model of a memory: what it holds, and who may see what of it.

Plain Python, written from the words of the documents; nothing of the engine is imported but the
noun a caller comes with. Where the two differ, one of them is wrong.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from pce_memory import Boundary

SCOPES: Final = ("session", "project", "principle")
CLASSES: Final = ("public", "internal", "pii", "secret")
DAY: Final = 86_400.0

Source = tuple[str | None, str | None]
"""Where a claim was drawn from: the id of an observation, and who said it."""


@dataclass
class Known:
    """A claim, as the model knows it."""

    id: str
    text: str
    scope: str
    cls: str
    kind: str
    confidence: float
    anchor: float
    tags: frozenset[str] = frozenset()
    status: str = "active"
    origin: str | None = None
    sources: set[Source] = field(default_factory=set)
    made_of: set[str] = field(default_factory=set)
    into: str | None = None


@dataclass
class Said:
    """An observation: who said it, what its text still says, and when it came."""

    actor: str | None
    content: str
    at: float


RULES: Final[dict[str, Callable[[Known, Mapping[str, object]], bool]]] = {
    "api.breaking_change == false": lambda one, _: "api.breaking_change" not in one.tags,
    'claim.kind != "task"': lambda one, _: one.kind != "task",
    "claim.confidence >= 0.27": lambda one, _: one.confidence >= 0.27,
    'claim.text_length < 40 || claim.scope in ["principle"]': (
        lambda one, _: len(one.text) < 40 or one.scope == "principle"
    ),
    'network.egress != "prod" || claim.boundary_class == "public"': (
        lambda one, context: context.get("network.egress") != "prod" or one.cls == "public"
    ),
}
"""Rules by their text, and what each means."""

Rule = tuple[tuple[str, ...], str]
"""The scopes a rule applies to, and its text; `*` is every scope."""


@dataclass(frozen=True)
class Rulebook:
    """A policy: as much of it as decides who sees what."""

    allow: Mapping[str, tuple[str, ...]]
    escalation: Mapping[str, str | None]
    days: Mapping[str, float]
    rules: tuple[Rule, ...] = ()
    redacts_mail: bool = True
    version: str = "1.0.0"

    def document(self) -> dict[str, object]:
        """Return what its YAML says."""
        ttl = {
            one: "inf" if days == math.inf else f"{days:.0f}d" for one, days in self.days.items()
        }
        return {
            "version": self.version,
            "scopes": {one: {"ttl": ttl[one], "max_tokens": None} for one in SCOPES},
            "boundary_classes": {
                one: {
                    "allow": list(self.allow[one]),
                    "redact": ["email"] if one == "pii" and self.redacts_mail else None,
                    "escalation": self.escalation[one],
                }
                for one in CLASSES
            },
            "invariants": [
                {"name": f"rule_{place}", "applies_to": list(scopes), "rule": text}
                for place, (scopes, text) in enumerate(self.rules)
            ],
            "retrieval": {"threshold": 0.0},
        }

    def mailless(self, text: str) -> str:
        """Return what is kept of an observed sentence."""
        words = text.split(" ")
        mails = [word for word in words if "@" in word]
        return text.replace(mails[0], "[email]") if mails and self.redacts_mail else text


@dataclass(frozen=True)
class Reach:
    """What one look may reach."""

    scopes: frozenset[str]
    classes: frozenset[str]
    rules: tuple[Rule, ...]
    context: Mapping[str, object]


def opens(patterns: Sequence[str], tag: str) -> bool:
    """Return whether a list of a policy opens to a tag: `*` and a star at an end stand for more."""
    for pattern in patterns:
        if pattern == tag or (pattern.endswith("*") and tag.startswith(pattern.rstrip("*"))):
            return True
    return False


def holds(one: Known, rules: Iterable[Rule], context: Mapping[str, object]) -> bool:
    """Return whether every rule that applies to a claim holds of it."""
    return all(
        RULES[text](one, context) for scopes, text in rules if "*" in scopes or one.scope in scopes
    )


def stricter(one: str, other: str) -> str:
    return max(one, other, key=CLASSES.index)


def slower(one: str, other: str) -> str:
    return max(one, other, key=SCOPES.index)


class World:
    """Everything the model knows, and the policy in force."""

    def __init__(self, policy: Rulebook, now: float) -> None:
        self.policy = policy
        self.now = now
        self.claims: dict[str, Known] = {}
        self.ever: set[str] = set()
        self.said: dict[str, Said] = {}

    # --- who may see what

    def reach(
        self,
        boundary: Boundary,
        scope: Sequence[str] | None = None,
        allow: Sequence[str] | None = None,
    ) -> Reach | None:
        """Return what a look reaches; None where it is refused.

        What a caller says is taken to the letter: a star of his opens nothing. It may stand for
        the tags of a query, but under none of them is seen what he does not see himself.
        """
        scopes = set(boundary.scope) & set(SCOPES if scope is None else scope)
        seen = self.open_to(boundary, boundary.allow)
        wanted = boundary.allow if allow is None else allow
        tags = [tag for tag in wanted if opens(boundary.allow, tag)]
        classes = self.open_to(boundary, tags) & seen
        if not (scopes and classes):
            return None
        rules = (*self.policy.rules, *((one.applies_to, one.rule) for one in boundary.invariants))
        return Reach(frozenset(scopes), frozenset(classes), rules, dict(boundary.context))

    def open_to(self, boundary: Boundary, tags: Sequence[str]) -> set[str]:
        """Return the classes that the policy shows to one of these tags."""
        return {
            one
            for one in boundary.boundary_classes
            if one != "secret" and any(opens(self.policy.allow[one], tag) for tag in tags)
        }

    def alive(self, one: Known) -> bool:
        """Return whether a claim's time is not over."""
        return one.anchor > self.now - self.policy.days[one.scope] * DAY

    def shows(self, one: Known, reach: Reach | None, status: str = "active") -> bool:
        """Return whether a look sees a claim; with `review`: whether it would, once let in."""
        return (
            reach is not None
            and one.status == status
            and one.scope in reach.scopes
            and one.cls in reach.classes
            and self.alive(one)
            and holds(one, reach.rules, reach.context)
        )

    def seen(self, reach: Reach | None, status: str = "active") -> set[str]:
        """Return the ids of all that a look sees."""
        return {one.id for one in self.claims.values() if self.shows(one, reach, status)}

    # --- what is written

    def standing(self, text: str) -> Known | None:
        """Return the claim that stands for a text."""
        found = next((one for one in self.claims.values() if one.text == text), None)
        while found is not None and found.into is not None:
            found = self.claims[found.into]
        return found

    def judged(self, given: Known, boundary: Boundary, *, queue: bool = False) -> Known | None:
        """Return a new claim with its status; None where it may not come in."""
        classes = set(boundary.boundary_classes)
        if queue:
            classes |= {one for one in CLASSES if self.policy.escalation[one] == "human_review"}
        cls = stricter(given.cls, "pii") if "@" in given.text else given.cls
        one = replace(given, cls=cls)
        rules = (*self.policy.rules, *((it.applies_to, it.rule) for it in boundary.invariants))
        fine = (
            one.scope in boundary.scope
            and cls in classes
            and cls != "secret"
            and self.policy.escalation[cls] != "deny"
            and holds(one, rules, boundary.context)
        )
        waits = self.policy.escalation[cls] == "human_review"
        return replace(one, status="review" if waits else "active") if fine else None

    def merged(self, there: Known, given: Known) -> Known:
        """Return what a claim becomes when another with its text comes in."""
        cls = stricter(there.cls, given.cls)
        stays = there.status == "active" and (given.status == "active" or cls == there.cls)
        return replace(
            there,
            cls=cls,
            scope=slower(there.scope, given.scope),
            tags=there.tags | given.tags,
            confidence=max(there.confidence, given.confidence),
            anchor=max(there.anchor, given.anchor),
            sources=there.sources | given.sources,
            made_of=(there.made_of | given.made_of) - {there.id},
            status="active" if stays else "review",
        )

    def take(self, given: Known) -> None:
        """Write a claim that may come in."""
        there = self.standing(given.text)
        one = replace(given) if there is None else self.merged(there, given)
        self.claims[one.id] = one
        self.ever.add(one.id)

    def breaks(self, given: Sequence[Known], boundary: Boundary) -> bool:
        """Return whether claims, as they would stand, break a rule; a hidden one is not judged."""
        reach = self.reach(boundary)
        rules = (*self.policy.rules, *((it.applies_to, it.rule) for it in boundary.invariants))
        after: dict[str, Known] = {}
        for one in given:
            there = self.standing(one.text)
            if there is not None and not self.shows(there, reach):
                continue
            key = one.text if there is None else there.id
            before = after.get(key, there)
            after[key] = one if before is None else self.merged(before, one)
        return not all(holds(one, rules, boundary.context) for one in after.values())

    def stand_for(self, one: Known, other: Known) -> None:
        """Let another claim stand for one."""
        other.sources |= one.sources
        one.sources = set()
        one.status, one.into = "tombstone", other.id

    # --- what is erased

    def led_to(self, ids: Iterable[str]) -> set[str]:
        """Return claims, and all that they stand for."""
        found = set(ids)
        while more := {one.id for one in self.claims.values() if one.into in found} - found:
            found |= more
        return found

    def made_of(self, ids: Iterable[str]) -> set[str]:
        """Return the claims that were made of these, at any remove."""
        first = set(ids)
        found = set(first)
        while more := {one.id for one in self.claims.values() if one.made_of & found} - found:
            found |= more
        return found - first

    def resting_on(self, said: Iterable[str]) -> set[str]:
        """Return the claims that rest on these observations and on nothing else."""
        ids = set(said)
        return {
            one.id
            for one in self.claims.values()
            if (one.origin in ids or any(source[0] in ids for source in one.sources))
            and all(source[0] in ids for source in one.sources)
        }

    def behind(self, ids: Iterable[str]) -> set[str]:
        """Return the observations that claims were drawn from."""
        found: set[str] = set()
        for one in (self.claims[key] for key in ids):
            found |= {source[0] for source in one.sources if source[0] is not None}
            found |= {one.origin} if one.origin is not None else set()
        return found & set(self.said)

    def saying(self, ids: Iterable[str]) -> set[str]:
        """Return the observations that say what claims say, word for word."""
        texts = [self.claims[one].text for one in ids]
        return {
            name for name, one in self.said.items() if any(text in one.content for text in texts)
        }

    def wholly(
        self, said: Iterable[str], shown: set[str] | None, known: Collection[str] = ()
    ) -> set[str]:
        """Return those observations of which every claim that rests on them is shown.

        There has to be one, or it has to be known that one came of it.
        """
        resting = {
            name: [
                one.id
                for one in self.claims.values()
                if any(source[0] == name for source in one.sources)
            ]
            for name in said
        }
        return {
            name
            for name, ids in resting.items()
            if shown is None or (shown.issuperset(ids) if ids else name in known)
        }

    def erase(self, ids: Iterable[str]) -> set[str]:
        """Erase claims, with those they stand for; return their texts."""
        return {self.claims.pop(one).text for one in self.led_to(ids)}

    def scrub(self, said: Iterable[str], *, evidence: bool) -> None:
        """Forget what observations said; with `evidence`, also as a reason to believe claims."""
        for one in said:
            self.said[one] = replace(self.said[one], actor=None, content="")
            for claim in self.claims.values():
                if evidence:
                    claim.sources = {source for source in claim.sources if source[0] != one}

    def unsay(self, actor: str) -> None:
        """Forget that somebody said anything."""
        for claim in self.claims.values():
            claim.sources = {source for source in claim.sources if source[1] != actor}

    def backed(self, ids: Iterable[str], said: set[str]) -> bool:
        """Return whether one of these claims rests on one of these observations."""
        there = [self.claims[one] for one in ids if one in self.claims]
        return any(source[0] in said for one in there for source in one.sources)

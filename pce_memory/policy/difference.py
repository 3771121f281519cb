"""The difference of two policies in sentences: what changes for whom, and what that does."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, BoundaryClass
from pce_memory.policy.boundary import covers
from pce_memory.policy.faults import path_of, withheld
from pce_memory.policy.redaction import redacted_names
from pce_memory.policy.sentences import said
from pce_memory.policy.strictness import ANY, Change, Effect, changes
from pce_memory.text.redact import REDACTION_KINDS

ORDER: Final[tuple[Effect, ...]] = ("relaxes", "tightens", "neutral")


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs, in a sentence; `path` is the key it comes from."""

    effect: Effect
    path: str
    sentence: str


def differences(before: Policy, after: Policy) -> tuple[Difference, ...]:
    """Return all that differs, what relaxes first; nothing exactly if the policies are equal.

    Who sees a class is told of every tag that either policy names, and of `*`.
    """
    found = [
        Difference(effect, path_of(change.path), withheld(sentence))
        for change in changes(before, after)
        for effect, sentence in _sentences(change, before, after)
    ]
    seen = [
        Difference(effect, f"boundary_classes.{name}.allow", withheld(sentence))
        for name in BOUNDARY_CLASSES
        for effect, sentence in _sights(name, before, after)
    ]
    return tuple(sorted((*seen, *found), key=lambda one: ORDER.index(one.effect)))


def _sentences(change: Change, before: Policy, after: Policy) -> Iterator[tuple[Effect, str]]:
    path = change.path
    if path[0] == "boundary_classes" and path[-1] == "allow":
        # Who sees more or less is told tag by tag, in `_sights`.
        if change.effect == "neutral":
            yield change.effect, _named(change)
    elif path[0] == "boundary_classes" and path[-1] == "redact":
        yield _redacted(change, before, after)
    else:
        yield change.effect, said(change)


def _sights(name: BoundaryClass, before: Policy, after: Policy) -> Iterator[tuple[Effect, str]]:
    was, now = (one.boundary_classes.of(name).allow for one in (before, after))
    for tag in _tags(before, after):
        who = "* (anybody)" if tag == ANY else tag
        if name == "secret" and covers(was, tag) != covers(now, tag):
            word = "is now" if covers(now, tag) else "is no longer"
            effect: Effect = "relaxes" if covers(now, tag) else "tightens"
            yield effect, f"{who} {word} named for secret, which is never shown all the same"
        elif covers(now, tag) and not covers(was, tag):
            yield "relaxes", f"{who} now sees {name}"
        elif covers(was, tag) and not covers(now, tag):
            yield "tightens", f"{who} no longer sees {name}"


def _tags(*policies: Policy) -> tuple[str, ...]:
    named = (
        tag
        for policy in policies
        for name in BOUNDARY_CLASSES
        for tag in policy.boundary_classes.of(name).allow
    )
    return tuple(dict.fromkeys((ANY, *named)))


def _named(change: Change) -> str:
    name = change.path[1]
    if isinstance(change.before, str):
        return f"{name} no longer names {change.before}, which sees it all the same"
    if isinstance(change.after, str):
        return f"{name} now names {change.after}, which saw it before"
    return f"the tags of {name} stand in another order"


def _redacted(change: Change, before: Policy, after: Policy) -> tuple[Effect, str]:
    """Return what a name that comes or goes does; a class redacts what looser ones name too."""
    name: BoundaryClass = next(one for one in BOUNDARY_CLASSES if one == change.path[1])
    kind = change.before or change.after
    if not isinstance(kind, str):
        return change.effect, f"what is redacted in {name} is written otherwise, and is the same"
    stays = all(kind in redacted_names(one, name) for one in (before, after))
    # Text that a pattern of one's own finds is of the class that names it; a kind has its own.
    effect = "neutral" if stays and kind in REDACTION_KINDS else change.effect
    if stays and change.after:
        return effect, f"{name} now names {kind}, which was redacted in it before"
    if stays:
        return effect, f"{name} no longer names {kind}, which stays redacted in it"
    return effect, f"{kind} is {'now' if change.after else 'no longer'} redacted in {name}"

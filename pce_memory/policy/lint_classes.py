"""Warnings about classes: who may see them, and what becomes of new claims."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from pce_memory.domain.policy import ClassPolicy, Policy
from pce_memory.domain.vocabulary import BoundaryClass
from pce_memory.policy.boundary import covers
from pce_memory.policy.lint_kinds import (
    COVERED,
    INVERTED,
    NO_ESCALATION,
    ODD_TAG,
    SECRET_SHOWN,
    UNREAD,
    Warned,
)

_SHOWN: Final[tuple[BoundaryClass, ...]] = ("public", "internal", "pii")


def class_warnings(policy: Policy) -> Iterator[Warned]:
    """Yield what is to be said of each class, and of each beside the looser ones."""
    classes = policy.boundary_classes
    for name in _SHOWN:
        yield from _alone(name, classes.of(name))
    yield from _secret(classes.secret)
    for looser, name in pairwise(_SHOWN):
        yield from _more_open(name, classes.of(name).allow, looser, classes.of(looser).allow)


def _alone(name: BoundaryClass, section: ClassPolicy) -> Iterator[Warned]:
    loc = ("boundary_classes", name, "allow")
    if not section.allow and section.escalation != "deny":
        message = f"claims of class {name} are kept and shown to no one; "
        yield Warned(UNREAD, loc, message + "name a tag, or refuse them with escalation: deny")
    for index, tag in enumerate(section.allow):
        others = [one for at, one in enumerate(section.allow) if at != index]
        earlier = tag in section.allow[:index]
        if tag.strip() != tag:
            yield Warned(ODD_TAG, (*loc, index), "white space is part of this tag; take it out")
        elif earlier or _covering(others, tag) not in {None, tag}:
            by = _covering(others, tag)
            yield Warned(COVERED, (*loc, index), f"'{by}' in this list covers it already")


def _secret(section: ClassPolicy) -> Iterator[Warned]:
    loc = ("boundary_classes", "secret")
    if section.allow:
        yield Warned(SECRET_SHOWN, (*loc, "allow"), "a secret is never shown, whatever this says")
    if section.escalation == "human_review":
        message = "a claim of class secret is refused in any case, so nobody is asked to review it"
        yield Warned(NO_ESCALATION, (*loc, "escalation"), message)


def _more_open(
    name: BoundaryClass, tags: Sequence[str], looser: BoundaryClass, looser_tags: Sequence[str]
) -> Iterator[Warned]:
    for index, tag in enumerate(tags):
        if looser_tags and _covering(looser_tags, tag) is None:
            message = f"who comes with it sees {name}, and not {looser}, which is looser"
            also = ("boundary_classes", looser, "allow")
            yield Warned(INVERTED, ("boundary_classes", name, "allow", index), message, also=also)


def _covering(patterns: Sequence[str], tag: str) -> str | None:
    """Return the pattern that covers all that a tag of a policy covers."""
    if tag in patterns:
        return tag
    # A tag with a wildcard is covered by a shorter beginning; as a text it is like any other.
    return next((one for one in patterns if one.endswith("*") and covers([one], tag)), None)

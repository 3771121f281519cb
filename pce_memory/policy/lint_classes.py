"""Warnings about classes: who may see them, and what becomes of new claims."""

from collections.abc import Iterator, Sequence, Set as AbstractSet
from itertools import pairwise
from typing import Final

from pce_memory.domain.policy import ClassPolicy, Policy
from pce_memory.domain.vocabulary import BoundaryClass
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
    tags, seen = frozenset(section.allow), set[str]()
    for index, tag in enumerate(section.allow):
        covering = tag if tag in seen else _wider(tags, tag)
        if tag.strip() != tag:
            yield Warned(ODD_TAG, (*loc, index), "white space is part of this tag; take it out")
        elif covering:
            yield Warned(COVERED, (*loc, index), f"'{covering}' in this list covers it already")
        seen.add(tag)


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
    open_to = frozenset(looser_tags)
    for index, tag in enumerate(tags):
        if open_to and tag not in open_to and not _wider(open_to, tag):
            message = f"who comes with it sees {name}, and not {looser}, which is looser"
            also = ("boundary_classes", looser, "allow")
            yield Warned(INVERTED, ("boundary_classes", name, "allow", index), message, also=also)


def _wider(tags: AbstractSet[str], tag: str) -> str | None:
    """Return a tag with a wildcard, other than this one, that covers all that this one covers.

    >>> _wider({"tool:*", "x"}, "tool:a*"), _wider({"tool:*"}, "tool:*")
    ('tool:*', None)
    """
    beginnings = (f"{tag[:size]}*" for size in range(len(tag) + 1))
    return next((one for one in beginnings if one in tags and one != tag), None)

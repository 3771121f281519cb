"""The tags a policy knows, and what to say of one that it does not: most often a slip."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Final

from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES
from pce_memory.errors import shown

ANY: Final = "*"
MOST_NAMED: Final = 16
"""So many tags a sentence names."""


def known_tags(policy: Policy) -> tuple[str, ...]:
    """Return what classes are shown to, as it is written; a bare `*` is no tag, but any.

    The class secret is shown to nobody.
    """
    classes = (policy.boundary_classes.of(name) for name in BOUNDARY_CLASSES if name != "secret")
    named = (tag for one in classes for tag in one.allow if tag != ANY)
    return tuple(dict.fromkeys(named))


def known_sentence(policy: Policy) -> str:
    """Return the tags a policy knows, as a part of a sentence."""
    known = known_tags(policy)
    more = f" and {len(known) - MOST_NAMED} more" if len(known) > MOST_NAMED else ""
    if not known:
        return "the policy knows no tag by its name"
    return f"the policy knows {', '.join(known[:MOST_NAMED])}{more}"


def warned_tags(allow: Sequence[str], policy: Policy) -> tuple[str, ...]:
    """Return a sentence for each tag of a caller that no class is shown to by its name.

    Under a policy that knows no tag by its name there is none to mistake.
    """
    known = known_tags(policy)
    unknown = dict.fromkeys(tag for tag in allow if known and not _is_known(tag, known))
    return tuple(
        f"the policy shows no class to the tag {shown(tag)} by its name{nearest((tag,), policy)}; "
        f"{known_sentence(policy)}"
        for tag in unknown
    )


def slips_of(allow: Sequence[str], before: Policy, after: Policy) -> tuple[str, ...]:
    """Return a sentence for each tag that neither of two policies knows by its name.

    It is the one that a caller is told once the second is in force.
    """
    known = known_tags(before)
    unknown = [tag for tag in allow if tag != ANY and not _is_known(tag, known)]
    return warned_tags(unknown, after)


def nearest(tags: Sequence[str], policy: Policy) -> str:
    """Return the known tag that was probably meant by one of these, as the end of a sentence."""
    known = known_tags(policy)
    for tag in tags:
        if not _is_known(tag, known) and (near := next(_near(tag, known), None)):
            return f"; did you mean {near}?"
    return ""


def _is_known(tag: str, known: Sequence[str]) -> bool:
    return any(
        pattern == tag or (pattern.endswith(ANY) and tag.startswith(pattern[:-1]))
        for pattern in known
    )


def _near(tag: str, known: Sequence[str]) -> Iterator[str]:
    """Yield known tags that are much like this one; of a pattern its beginning is compared."""
    yield from get_close_matches(tag, [one for one in known if not one.endswith(ANY)], n=1)
    beginnings = {one[:-1]: one for one in known if one.endswith(ANY)}
    head, colon, _ = tag.partition(":")
    for near in get_close_matches(f"{head}{colon}", list(beginnings), n=1):
        yield beginnings[near]

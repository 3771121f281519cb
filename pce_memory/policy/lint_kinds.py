"""The kinds of warnings about a policy: a code and a name that stay, and what each one means."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from pce_memory.policy.faults import Loc


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of warning; the code and the name mean the same and never change."""

    code: str
    name: str
    about: str


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning about the value at a path, or about its key.

    `also` is the other value that it is about: it stands there where the first is not written.
    """

    kind: Kind
    loc: Loc
    message: str
    on_key: bool = False
    also: Loc | None = None


SHADOWED: Final = Kind("W101", "shadowed-pattern", "An earlier pattern finds all it could find.")
EXAMPLE: Final = Kind("W102", "example-not-found", "A pattern does not find its own example.")
UNUSED: Final = Kind("W103", "unused-pattern", "No class redacts by this pattern.")
NO_REDACTION: Final = Kind(
    "W104", "redaction-without-effect", "What is listed under redact changes nothing there."
)
ALWAYS: Final = Kind("W201", "rule-always-holds", "An invariant that every claim fulfils.")
NEVER: Final = Kind("W202", "rule-never-holds", "An invariant that denies everything.")
IMPLIED: Final = Kind("W203", "rule-implied", "Another invariant forbids all this one does.")
CONSTANT: Final = Kind("W204", "constant-part", "A comparison that never changes its answer.")
UNQUOTED: Final = Kind("W205", "unquoted-word", "A value that is read as a name.")
UNGIVEN: Final = Kind("W206", "name-nobody-gives", "A name that is probably misspelt.")
SCOPE_TWICE: Final = Kind("W207", "scope-repeated", "applies_to names a layer again.")
UNREAD: Final = Kind("W301", "class-nobody-reads", "A class is kept, and shown to no tag.")
SECRET_SHOWN: Final = Kind("W302", "secret-never-shown", "A secret is never shown to any tag.")
ODD_TAG: Final = Kind("W303", "tag-never-given", "A tag that no caller will come with.")
COVERED: Final = Kind("W304", "tag-covered", "Another tag of the list covers this one.")
INVERTED: Final = Kind(
    "W305", "stricter-class-more-open", "A tag may see a class, and not a looser one."
)
NO_ESCALATION: Final = Kind(
    "W306", "escalation-without-effect", "A secret is refused, never queued for review."
)
THRESHOLD: Final = Kind("W401", "threshold-out-of-reach", "No new claim can reach the threshold.")
COSINE: Final = Kind("W402", "cosine-out-of-reach", "No vector but an equal one is near enough.")
TOO_MANY: Final = Kind("W403", "more-items-than-candidates", "k_final is above k_txt + k_vec.")
NOISE: Final = Kind(
    "W404", "noise-threshold-unusual", "A threshold for noise that is not 2 to 5 points."
)
NO_STAGNATION: Final = Kind(
    "W405", "noise-above-progress", "What counts as a change counts as progress too."
)
DISORDER: Final = Kind("W501", "layers-out-of-order", "A slower layer dies sooner than a faster.")
NO_LIFE: Final = Kind("W502", "lives-no-time", "Something is gone the moment it is kept.")
LATE: Final = Kind("W503", "deadline-after-ttl", "A claim may be gone before its review is due.")
NO_HALF_LIFE: Final = Kind(
    "W504", "half-life-without-effect", "A half-life that a longer one always overrules."
)
TEST_FAILS: Final = Kind("W601", "test-fails", "A test of the policy comes out otherwise.")
TEST_TWICE: Final = Kind("W602", "test-name-twice", "Two tests have one name.")
UNTESTED: Final = Kind("W603", "no-tests", "A policy has rules of its own, and no tests.")
NO_RELAX: Final = Kind("W701", "unused-relax", "An entry of relax relaxes nothing.")
NO_IGNORE: Final = Kind("W901", "ignore-without-effect", "An ignore that silences nothing.")

KINDS: Final[tuple[Kind, ...]] = (
    SHADOWED, EXAMPLE, UNUSED, NO_REDACTION,
    ALWAYS, NEVER, IMPLIED, CONSTANT, UNQUOTED, UNGIVEN, SCOPE_TWICE,
    UNREAD, SECRET_SHOWN, ODD_TAG, COVERED, INVERTED, NO_ESCALATION,
    THRESHOLD, COSINE, TOO_MANY, NOISE, NO_STAGNATION,
    DISORDER, NO_LIFE, LATE, NO_HALF_LIFE,
    TEST_FAILS, TEST_TWICE, UNTESTED,
    NO_RELAX, NO_IGNORE,
)  # fmt: skip
"""All of them, by code."""

BY_WORD: Final[Mapping[str, Kind]] = MappingProxyType(
    {word: kind for kind in KINDS for word in (kind.code.lower(), kind.name)}
)
"""A kind by its code or its name, as an ignore writes it."""

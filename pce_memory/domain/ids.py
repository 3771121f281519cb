"""Branded ids: a nominal type for the checker, a pattern for pydantic, a parser for strings."""

import re
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Final, NewType, TypeAlias, TypeVar, cast

from pydantic import StringConstraints
from returns.result import Failure, Result, Success

from pce_memory.errors import InvalidId, InvalidPolicyVersion

ClaimId = NewType("ClaimId", str)
ObservationId = NewType("ObservationId", str)
ActiveContextId = NewType("ActiveContextId", str)
EntityId = NewType("EntityId", str)
RelationId = NewType("RelationId", str)
EvidenceId = NewType("EvidenceId", str)
FeedbackId = NewType("FeedbackId", str)
JudgementId = NewType("JudgementId", str)
ReviewId = NewType("ReviewId", str)
DocumentId = NewType("DocumentId", str)
PolicyVersion = NewType("PolicyVersion", str)

_TAIL: Final = r"[A-Za-z0-9_-]{1,64}"
SEMVER: Final = (
    r"^[0-9]+\.[0-9]+\.[0-9]+"
    r"(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?"
    r"(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$"
)

ClaimIdField: TypeAlias = Annotated[
    ClaimId, StringConstraints(pattern=rf"^clm_{_TAIL}(~[0-9]+)?$")
]
"""With a number where another claim, hidden from who gave the id, has the id itself: `called`."""
ObservationIdField: TypeAlias = Annotated[
    ObservationId, StringConstraints(pattern=rf"^obs_{_TAIL}$")
]
ActiveContextIdField: TypeAlias = Annotated[
    ActiveContextId, StringConstraints(pattern=rf"^ac_{_TAIL}$")
]
EntityIdField: TypeAlias = Annotated[EntityId, StringConstraints(pattern=rf"^ent_{_TAIL}$")]
RelationIdField: TypeAlias = Annotated[RelationId, StringConstraints(pattern=rf"^rel_{_TAIL}$")]
EvidenceIdField: TypeAlias = Annotated[EvidenceId, StringConstraints(pattern=rf"^evd_{_TAIL}$")]
FeedbackIdField: TypeAlias = Annotated[FeedbackId, StringConstraints(pattern=rf"^fb_{_TAIL}$")]
JudgementIdField: TypeAlias = Annotated[JudgementId, StringConstraints(pattern=rf"^jdg_{_TAIL}$")]
ReviewIdField: TypeAlias = Annotated[ReviewId, StringConstraints(pattern=rf"^rev_{_TAIL}$")]
DocumentIdField: TypeAlias = Annotated[DocumentId, StringConstraints(pattern=rf"^doc_{_TAIL}$")]
PolicyVersionField: TypeAlias = Annotated[
    PolicyVersion, StringConstraints(pattern=SEMVER, max_length=128)
]

I = TypeVar("I", bound=str)  # noqa: E741 - the id type, as T is any type

PREFIXES: Final[dict[str, str]] = {
    "ClaimId": "clm_",
    "ObservationId": "obs_",
    "ActiveContextId": "ac_",
    "EntityId": "ent_",
    "RelationId": "rel_",
    "EvidenceId": "evd_",
    "FeedbackId": "fb_",
    "JudgementId": "jdg_",
    "ReviewId": "rev_",
    "DocumentId": "doc_",
}


def parse_id(brand: Callable[[str], I], text: object) -> Result[I, InvalidId]:
    """Return `text` as an id of the given brand: its prefix and 1-64 of A-Z a-z 0-9 _ -.

    >>> parse_id(ClaimId, "clm_1")
    <Success: clm_1>
    >>> parse_id(ClaimId, "clm_").failure().message
    'Invalid ClaimId: clm_'
    """
    name = _name(brand)
    if isinstance(text, str) and re.fullmatch(PREFIXES[name] + _TAIL, text):
        return Success(brand(text))
    return Failure(InvalidId(name, text if isinstance(text, str) else type(text).__name__))


def ids_in(brand: Callable[[str], I], texts: Iterable[str]) -> tuple[I, ...]:
    """Return those texts that are ids of the given brand: in an edited file, not all may be.

    >>> ids_in(ClaimId, ["clm_a", "", "junk"])
    ('clm_a',)
    """
    parsed = (parse_id(brand, text) for text in texts)
    return tuple(one.unwrap() for one in parsed if isinstance(one, Success))


def called(row_id: I) -> I:
    """Return what a row is called outside: its id without the number that tells it from others.

    >>> called(ClaimId("clm_a~2")), called(EntityId("ent_a"))
    ('clm_a', 'ent_a')
    """
    return cast("I", row_id.partition("~")[0])


def given_out(ids: Iterable[ClaimId]) -> tuple[ClaimId, ...]:
    """Return each of the ids once that a caller can have: none of them has such a number.

    >>> given_out([ClaimId("clm_a~1"), ClaimId("clm_a"), ClaimId("clm_a")])
    ('clm_a',)
    """
    return tuple(claim_id for claim_id in dict.fromkeys(ids) if "~" not in claim_id)


def numbered(row_id: I, number: int) -> I:
    """Return the id of a row that is called as another one is, which has the id itself."""
    return cast("I", f"{row_id}~{number}")


def number_of(row_id: str) -> int:
    """Return the number that tells a row from others of its name; 0 for the one that has none.

    >>> number_of("ent_a~2"), number_of("ent_a")
    (2, 0)
    """
    number = row_id.partition("~")[2]
    return int(number) if number.isdecimal() else 0


def parse_policy_version(text: object) -> Result[PolicyVersion, InvalidPolicyVersion]:
    """Return `text` as a SemVer string.

    >>> parse_policy_version("1.0").failure().message
    'Invalid policy version: 1.0. Must be valid SemVer'
    """
    if isinstance(text, str) and len(text) <= 128 and re.fullmatch(SEMVER, text):  # noqa: PLR2004
        return Success(PolicyVersion(text))
    return Failure(InvalidPolicyVersion(text if isinstance(text, str) else type(text).__name__))


def _name(brand: Callable[[str], Any]) -> str:
    return brand.__name__

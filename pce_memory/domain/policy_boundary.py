"""The sections of a policy that say what lives how long, who may see it and what is replaced."""

import math
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, Self, TypeAlias, cast

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StringConstraints,
    model_validator,
)

from pce_memory.domain.boundary import AllowTag
from pce_memory.domain.model import Model
from pce_memory.domain.vocabulary import SCOPES, BoundaryClass, Scope

_SECONDS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_CENTURY: Final = 36_500 * 86_400.0


def seconds(ttl: str) -> float:
    """Return a duration in seconds; `inf` never ends.

    >>> seconds("90m"), seconds("2w"), seconds("inf")
    (5400.0, 1209600.0, inf)
    """
    return math.inf if ttl == "inf" else float(int(ttl[:-1]) * _SECONDS[ttl[-1]])


def _within_a_century(ttl: str) -> str:
    # Times past the year 9999 have no place in the store; a century from now always has.
    if seconds(ttl) > _CENTURY:
        raise ValueError("must be at most 36500d")
    return ttl


def _within_a_century_or_endless(ttl: str) -> str:
    if _CENTURY < seconds(ttl) < math.inf:
        raise ValueError("must be at most 36500d; write inf for no end")
    return ttl


Duration: TypeAlias = Annotated[
    str,
    StringConstraints(pattern=r"^[0-9]{1,9}[smhdw]$"),
    AfterValidator(_within_a_century),
    Field(examples=["24h", "90m", "7d", "2w"]),
]
"""A whole number and a unit: s, m, h, d or w."""

Ttl: TypeAlias = Annotated[
    str,
    StringConstraints(pattern=r"^([0-9]{1,9}[smhdw]|inf)$"),
    AfterValidator(_within_a_century_or_endless),
    Field(examples=["7d", "12h", "2w", "inf"]),
]
"""A duration, or `inf` for no end."""

Name: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=256)]

Life: TypeAlias = Annotated[
    Ttl, Field(description="How long a claim of it lives: 7d, 12h, 90m, 2w; inf for no end.")
]
MaxTokens: TypeAlias = Annotated[
    Annotated[int, Field(ge=1, le=10_000_000)] | None,
    Field(description="Most tokens an activation over it carries; null for no limit."),
]


class ScopePolicy(Model):
    """One layer of the memory: how long it lives, how much of it one activation carries."""

    ttl: Life
    max_tokens: MaxTokens


class SessionScope(ScopePolicy):
    """The fastest layer."""

    ttl: Life = "7d"
    max_tokens: MaxTokens = 20_000


class ProjectScope(ScopePolicy):
    """The middle layer."""

    ttl: Life = "120d"
    max_tokens: MaxTokens = 50_000


class PrincipleScope(ScopePolicy):
    """The slowest layer."""

    ttl: Life = "inf"
    max_tokens: MaxTokens = 100_000


class Scopes(Model):
    """The three layers, from the fastest to the slowest."""

    session: Annotated[SessionScope, Field(description="This conversation.")] = SessionScope()
    project: Annotated[ProjectScope, Field(description="This piece of work.")] = ProjectScope()
    principle: Annotated[PrincipleScope, Field(description="What always holds.")] = (
        PrincipleScope()
    )

    def alive_since(self, now: float) -> Mapping[Scope, float]:
        """Return for each scope the moment after which a claim was seen last if it lives at `now`.

        >>> Scopes().alive_since(604_800.0)["session"]
        0.0
        """
        return {scope: now - seconds(self.of(scope).ttl) for scope in SCOPES}

    def of(self, scope: Scope) -> ScopePolicy:
        """Return the settings of one layer."""
        layers: dict[Scope, ScopePolicy] = {
            "session": self.session,
            "project": self.project,
            "principle": self.principle,
        }
        return layers[scope]


class ClassPolicy(Model):
    """Who may see a class of claims, and what is taken out of its text first."""

    allow: Annotated[
        tuple[AllowTag, ...],
        Field(
            description="Tags that may see it: exact, `*`, or a prefix such as `tool:*`.",
            examples=[["answer:task", "tool:*"]],
        ),
    ]
    redact: Annotated[
        tuple[Name, ...] | None,
        Field(
            description="What is replaced in its text: built-in kinds, or your own rules.",
            examples=[["email", "phone", "credit_card", "iban", "my_number", "ip_address"]],
        ),
    ] = None
    escalation: Annotated[
        Literal["human_review", "deny"] | None,
        Field(
            description="What becomes of a new claim of the class: it waits for a human, or it is "
            "refused; null keeps it."
        ),
    ] = None


class BoundaryClasses(Model):
    """The four classes, from the loosest to the strictest; all are required."""

    public: Annotated[ClassPolicy, Field(description="What anybody may read.")]
    internal: Annotated[ClassPolicy, Field(description="What stays with the team.")]
    pii: Annotated[ClassPolicy, Field(description="What holds personal data.")]
    secret: Annotated[ClassPolicy, Field(description="What holds a key, token or password.")]

    def of(self, boundary_class: BoundaryClass) -> ClassPolicy:
        """Return the settings of one class."""
        classes: dict[BoundaryClass, ClassPolicy] = {
            "public": self.public,
            "internal": self.internal,
            "pii": self.pii,
            "secret": self.secret,
        }
        return classes[boundary_class]


class Review(Model):
    """How claims that wait for a human review are treated."""

    deadline: Annotated[
        Duration,
        Field(
            description="Until when a claim should be reviewed; a later one is told as overdue."
        ),
    ] = "24h"


class Retention(Model):
    """How long records of what happened are kept."""

    audit: Annotated[
        Ttl, Field(description="How long audit records are kept; inf keeps them for good.")
    ] = "365d"
    erasures: Annotated[
        Ttl,
        Field(
            description="How long digests of what was erased are kept; inf keeps them for good."
        ),
    ] = "365d"
    events: Annotated[
        Ttl, Field(description="How long events are kept; inf keeps them for good.")
    ] = "30d"
    most_events: Annotated[
        int, Field(ge=100, le=10_000_000, description="How many events are kept, the newest.")
    ] = 5_000


def _texts(given: object) -> object:
    items = cast("list[object]", given) if isinstance(given, list) else [given]
    if given is None:
        return None
    if not items or not all(isinstance(item, str) and item for item in items):
        raise ValueError("must be a text in quotes, or a list of them")
    return tuple(items)


def _one_or_many(schema: dict[str, Any]) -> None:
    """Let an editor take one text where the model keeps a list."""
    schema["anyOf"].insert(0, {"minLength": 1, "maxLength": 1000, "type": "string"})


Examples: TypeAlias = Annotated[
    tuple[Annotated[str, StringConstraints(min_length=1, max_length=1000)], ...],
    Field(min_length=1, max_length=100),
]
Word: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=128)]


class RedactRule(Model):
    """A pattern or a list of words, and what stands in its place."""

    name: Annotated[
        Name,
        Field(description="What it finds; a class may redact by this name.", examples=["ticket"]),
    ]
    find: Annotated[
        Annotated[str, Field(min_length=1)] | None,
        Field(
            description="A regular expression, as RE2 reads it.",
            examples=["CASE-[0-9]{6}"],
        ),
    ] = None
    words: Annotated[
        Annotated[tuple[Word, ...], Field(min_length=1, max_length=1000)] | None,
        Field(
            description="Words to find instead, in any case and width.", examples=[["山田太郎"]]
        ),
    ] = None
    replace: Annotated[
        str,
        Field(max_length=256, description="The text put in its place.", examples=["[case]"]),
    ]
    example: Annotated[
        Examples | None,
        BeforeValidator(_texts),
        Field(
            json_schema_extra=_one_or_many,
            description="A text, or a list of texts, that it must find; checked, never applied.",
            examples=["CASE-123456"],
        ),
    ] = None

    @model_validator(mode="after")
    def _one_way_to_find(self) -> Self:
        if (self.find is None) == (self.words is None):
            raise ValueError("a rule has either find or words")
        return self


class RedactPolicy(Model):
    """Rules under one name; of two that find the same, the first counts."""

    rules: Annotated[
        tuple[RedactRule, ...], Field(min_length=1, max_length=100, description="The rules.")
    ]


RedactPolicies: TypeAlias = Mapping[Name, RedactPolicy]

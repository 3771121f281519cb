"""The tests a policy carries: a payload, who asks for it, and what must become of it."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias, cast

from pydantic import BeforeValidator, Field, model_serializer, model_validator

from pce_memory.domain.boundary import AllowTag, ContextValue
from pce_memory.domain.model import Model
from pce_memory.domain.policy_boundary import Name
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, BoundaryClass, Scope

OUTCOMES: Final = ("allowed", "redacted", "denied")
_WORDS: Final = 'must be allowed, redacted, denied, {redacted: "text"} or {denied: "reason"}'

JsonSchema: TypeAlias = dict[str, Any]


def _told(given: object) -> object:
    if given is None or given is True or isinstance(given, str):
        return given
    raise ValueError("must be text in quotes, or true for any")


def _given(value: object) -> object:
    items = cast("list[object]", value) if isinstance(value, list) else [value]
    if all(isinstance(item, bool | int | float | str) for item in items):
        return tuple(items) if isinstance(value, list) else value
    raise ValueError("must be true, false, a number, a text, or a list of these")


def _words_too(schema: JsonSchema) -> None:
    """Let an editor offer the words beside the mapping."""
    reference = schema.pop("$ref")
    schema["anyOf"] = [{"enum": list(OUTCOMES), "type": "string"}, {"$ref": reference}]


Told: TypeAlias = Annotated[str | Literal[True] | None, BeforeValidator(_told)]
Given: TypeAlias = Annotated[ContextValue, BeforeValidator(_given)]


def _refuse_other_than_one(given: object, known: Mapping[str, object]) -> None:
    entries = cast("dict[str, object]", given) if isinstance(given, dict) else None
    # Of a key that is unknown, its own fault is told.
    if entries is not None and entries.keys() <= known.keys():
        told = [name for name, value in entries.items() if value is not None]
        if len(told) != 1:
            raise ValueError(_WORDS)


class Expectation(Model):
    """What must become of a payload: redacted to a text, or denied for a reason."""

    redacted: Annotated[
        Told,
        Field(
            description="It passes in this form; true for any form but its own.",
            examples=["連絡は [email] まで"],
        ),
    ] = None
    denied: Annotated[
        Told,
        Field(
            description="It is refused, and the reason holds this text; true for any reason.",
            examples=["I(B) violation: no_destructive_change"],
        ),
    ] = None

    @property
    def is_allowed(self) -> bool:
        """Whether the payload must pass as it is."""
        return self.redacted is None and self.denied is None

    @model_serializer
    def _as_written(self) -> str | dict[str, str]:
        """Return it as an author writes it, so that what is shown can be read again."""
        told = {"redacted": self.redacted, "denied": self.denied}
        texts = {name: text for name, text in told.items() if isinstance(text, str)}
        return texts or next((name for name, one in told.items() if one), "allowed")

    @model_validator(mode="before")
    @classmethod
    def _from_word(cls, given: object) -> object:
        if isinstance(given, str):
            if given not in OUTCOMES:
                raise ValueError(_WORDS)
            return {} if given == "allowed" else {given: True}
        _refuse_other_than_one(given, cls.model_fields)
        return given


class PolicyTest(Model):
    """One payload, judged as `memory.validate` would judge it."""

    name: Annotated[
        Name,
        Field(
            description="What the test shows; reports call it so.",
            examples=["an e-mail address is redacted", "鍵は通さない"],
        ),
    ]
    payload: Annotated[
        str,
        Field(
            max_length=20_000,
            description="The text that is judged; {{email}}, {{secret}} or {{secret:github}} "
            "stand for made-up ones.",
            examples=["連絡は x@example.com まで", "the key is {{secret:openai}}"],
        ),
    ]
    scope: Annotated[
        Scope | None, Field(description="The layer it goes to; null for all three.")
    ] = None
    declared: Annotated[
        BoundaryClass | None,
        Field(
            alias="class",
            description="The class the caller declares; what is found in it may be stricter.",
        ),
    ] = None
    allow: Annotated[
        tuple[AllowTag, ...],
        Field(
            min_length=1,
            description="The tags of the caller's boundary.",
            examples=[["answer:task"], ["tool:contact-lookup"]],
        ),
    ] = ("answer:task",)
    boundary_classes: Annotated[
        tuple[BoundaryClass, ...],
        Field(min_length=1, description="The classes of the caller's boundary."),
    ] = BOUNDARY_CLASSES
    context: Annotated[
        Mapping[str, Given],
        Field(
            description="What the caller's boundary says of names that no claim has.",
            examples=[{"dataset.origin": "prod"}],
            json_schema_extra={"default": {}},
        ),
    ] = Field(default_factory=dict)
    expect: Annotated[
        Expectation,
        Field(
            description="allowed: it passes as it is; redacted: in another form; denied: not.",
            json_schema_extra=_words_too,
        ),
    ]

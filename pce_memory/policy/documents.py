"""A document as it may be kept: redacted, in its class, and what rules ask of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from returns.result import Failure, Result, Success

from pce_memory.domain.boundary import Boundary
from pce_memory.domain.document import Attributes, AttributeValue, Document, NewDocument
from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import BoundaryClass, Scope, slower, stricter
from pce_memory.errors import BoundaryDenied, CoreError, InvalidParameter, InvalidScope
from pce_memory.policy.escalation import escalation_of
from pce_memory.policy.invariants import (
    ClaimFlags,
    JudgedText,
    breaking_change,
    judged_text,
    text_flags,
)
from pce_memory.policy.judging import Invariants
from pce_memory.policy.outgoing import redacted_out
from pce_memory.policy.redaction import detected_class, redact_for
from pce_memory.result import collect
from pce_memory.text.detect import SECRET_KINDS, detect
from pce_memory.text.keyed import name_of, without_secrets
from pce_memory.text.redact import SECRET, redact
from pce_memory.text.sanitize import find_unstorable
from pce_memory.text.secrecy import storable, strings_in


@dataclass(frozen=True, slots=True)
class Kept:
    """A document as it is to be stored, and what rules ask of its texts."""

    document: NewDocument
    flags: ClaimFlags
    redacted: bool

    def judged(self, now: float) -> JudgedText:
        """Return it as something that an evaluator judges: its fields in the order of names."""
        document = self.document
        return judged_text(
            "\n".join(text for _, text in sorted(document.fields.items())),
            self.flags,
            scope=document.scope,
            boundary_class=document.boundary_class,
            now=now,
        )


def kept(
    given: NewDocument,
    boundary: Boundary,
    policy: Policy,
    invariants: Invariants,
    *,
    now: float,
) -> Result[Kept, CoreError]:
    """Return a document as it may be stored, or why it may not.

    Secrets go, or the document is refused, as the policy says. Personal data stays only in one
    that is said to be of class pii; any other is kept without, as what is observed is, and is
    internal at the least. Its class is the stricter of what is said and what is found.
    """
    return Result.do(
        judged
        for _ in _sound(given, policy)
        for _ in _secrets(given, boundary, policy)
        for _ in _in_scope(given, boundary)
        for _ in _in_class(given.boundary_class, boundary, policy)
        for clean in Success(_redacted(given, policy))
        for _ in _in_class(clean.boundary_class, boundary, policy)
        for judged in Success(_flagged(given, clean))
        for _ in _held(judged.judged(now), boundary, invariants)
    )


def standing_for(
    one: Kept,
    boundary: Boundary,
    policy: Policy,
    invariants: Invariants,
    *,
    others: Sequence[tuple[Scope, BoundaryClass]],
    now: float,
) -> Result[Kept, CoreError]:
    """Return a document as it may stand for some that it takes the place of, or why it may not.

    As of claims that are merged, the class is only ever stricter and the scope only ever slower.
    The text is what was judged: what was taken out of it stays out.
    """
    document = one.document
    scope = reduce(slower, (scope for scope, _ in others), document.scope)
    level = reduce(stricter, (level for _, level in others), document.boundary_class)
    if (scope, level) == (document.scope, document.boundary_class):
        return Success(one)
    raised = document.model_copy(update={"scope": scope, "boundary_class": level})
    return Result.do(
        judged
        for _ in _in_scope(raised, boundary)
        for _ in _in_class(level, boundary, policy)
        for judged in Success(replace(one, document=raised))
        for _ in _held(judged.judged(now), boundary, invariants)
    )


def _sound(given: NewDocument, policy: Policy) -> Result[None, InvalidParameter]:
    limit = policy.extraction.max_bytes
    names = {"fields": tuple(given.fields), "dates": tuple(given.dates)}
    return Result.do(
        None
        for _ in collect(_text(name, text, limit) for name, text in given.fields.items())
        for _ in collect(_text("attributes", text, limit) for text in strings_in(given.attributes))
        for _ in storable(external_ids=given.external_ids, codes=given.codes, **names)
        for _ in storable(attributes=tuple(given.attributes))
    )


def _text(name: str, text: str, limit: int) -> Result[None, InvalidParameter]:
    place = f"fields.{name}" if name != "attributes" and name.isidentifier() else "fields"
    if (at := find_unstorable(text)) is not None:
        reason = f"it has a NUL or a lone surrogate at character {at}; take it out"
        return Failure(InvalidParameter(place, reason))
    if (size := len(text.encode())) > limit:
        reason = f"it is {size} bytes long; the policy allows {limit}; split it"
        return Failure(InvalidParameter(place, reason))
    return Success(None)


def _secrets(
    given: NewDocument, boundary: Boundary, policy: Policy
) -> Result[None, BoundaryDenied]:
    if policy.extraction.on_secret == "redact":  # noqa: S105 - a word of the policy
        return Success(None)
    alone = any(detect(text, SECRET_KINDS) for text in _texts(given))
    if alone or _without_secrets(given) != given:
        return Failure(BoundaryDenied(boundary, "the document holds a secret"))
    return Success(None)


def _texts(given: NewDocument) -> tuple[str, ...]:
    return (*given.fields.values(), *strings_in(list(given.attributes.values())))


def _in_scope(given: NewDocument, boundary: Boundary) -> Result[None, InvalidScope]:
    if given.scope in boundary.scope:
        return Success(None)
    return Failure(InvalidScope(given.scope, boundary.scope))


def _in_class(
    name: BoundaryClass, boundary: Boundary, policy: Policy
) -> Result[None, BoundaryDenied]:
    reason = None
    if name == "secret":
        reason = "class secret is never kept"
    elif name not in boundary.boundary_classes:
        reason = f"class {name} is outside the boundary"
    elif escalation_of(name, policy) == "deny":
        reason = f"the policy keeps nothing of class {name}"
    elif escalation_of(name, policy) == "human_review":
        reason = f"class {name} needs a human review, and for documents there is none"
    return Success(None) if reason is None else Failure(BoundaryDenied(boundary, reason))


def _without_secrets(given: NewDocument) -> NewDocument:
    """Return a document without the values that are secrets under their names."""

    def judged(name: str, value: AttributeValue) -> AttributeValue:
        if isinstance(value, float | bool):
            return value
        clean = without_secrets(name_of([name]), str(value))
        return value if clean == str(value) else clean

    return given.model_copy(
        update={
            "fields": {
                name: without_secrets(name_of([name]), text) for name, text in given.fields.items()
            },
            "attributes": {
                name: tuple(judged(name, one) for one in value)
                if isinstance(value, tuple)
                else judged(name, value)
                for name, value in given.attributes.items()
            },
        }
    )


def _redacted(original: NewDocument, policy: Policy) -> NewDocument:
    given = _without_secrets(original)
    if given.boundary_class == "pii":

        def clean(text: str) -> str:
            return redact(text, kinds={SECRET}).text
    else:

        def clean(text: str) -> str:
            return redact_for(text, policy, boundary_class="pii").text

    done = given.model_copy(
        update={
            "fields": {name: clean(text) for name, text in given.fields.items()},
            "attributes": attributes_cleaned(given.attributes, clean),
        }
    )
    found = given.boundary_class
    if _texts(done) != _texts(original):
        found = stricter(found, "internal")
    for text in _texts(done):
        found = stricter(found, detected_class(text, policy))
    if given.boundary_class == "public" and _names_somebody(given, clean):
        found = stricter(found, "internal")
    return done.model_copy(update={"boundary_class": found})


def _names_somebody(given: NewDocument, clean: Callable[[str], str]) -> bool:
    """Return whether a name, an id or a code holds personal data.

    They are kept as they are, for documents are found and forgotten by them.
    """
    names = list(strings_in([given.external_ids, given.codes]))
    names += [*given.fields, *given.dates, *given.attributes]
    whole = "\n".join(names)
    return clean(whole) != whole and any(clean(name) != name for name in names)


def attributes_cleaned(given: Attributes, clean: Callable[[str], str]) -> Attributes:
    """Return attributes with their texts cleaned."""

    def one(value: AttributeValue) -> AttributeValue:
        return clean(value) if isinstance(value, str) else value

    return {
        name: tuple(map(one, value)) if isinstance(value, tuple) else one(value)
        for name, value in given.items()
    }


def document_out(one: Document, policy: Policy, clean: Callable[[str], str]) -> Document:
    """Return a document as it leaves: fields without what its class redacts, the rest cleaned.

    `clean` is what takes personal data out of small texts for who looks. A name or a code is left
    out whole; an id is shown as the value of an attribute is.
    """

    def kept(name: str) -> bool:
        return clean(name) == name

    codes = {name: tuple(filter(kept, some)) for name, some in one.codes.items() if kept(name)}
    texts = {name: text for name, text in one.fields.items() if kept(name)}
    attributes = {name: value for name, value in one.attributes.items() if kept(name)}
    return one.model_copy(
        update={
            "external_ids": {
                name: clean(value) for name, value in one.external_ids.items() if kept(name)
            },
            "fields": {
                name: redacted_out(text, one.boundary_class, policy).text
                for name, text in texts.items()
            },
            "codes": {name: some for name, some in codes.items() if some},
            "dates": {name: moment for name, moment in one.dates.items() if kept(name)},
            "attributes": attributes_cleaned(attributes, clean),
        }
    )


def _flagged(given: NewDocument, clean: NewDocument) -> Kept:
    flags = [text_flags(text) for text in _texts(clean)]
    return Kept(
        document=clean,
        flags=ClaimFlags(
            contains_pii=any(pii for pii, _ in flags),
            contains_secret=any(secret for _, secret in flags),
            breaking_change=breaking_change(clean.codes.get("tag", ())),
            text_length=sum(len(text) for text in clean.fields.values()),
        ),
        redacted=_texts(given) != _texts(clean),
    )


def _held(
    judged: JudgedText, boundary: Boundary, invariants: Invariants
) -> Result[None, CoreError]:
    return Result.do(
        None
        for found in invariants.violations([judged])
        for _ in (Failure(BoundaryDenied(boundary, found[0].reason)) if found else Success(None))
    )

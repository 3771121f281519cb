"""What a caller may reach, and what may pass: queries narrow boundaries, payloads are judged."""

from collections.abc import Sequence
from dataclasses import dataclass

from returns.result import Failure, Result, Success

from pce_memory.domain.boundary import (
    Boundary,
    BoundaryValidationResult,
    InvariantDefinition,
)
from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import (
    BOUNDARY_CLASSES,
    SCOPES,
    BoundaryClass,
    Scope,
    stricter,
)
from pce_memory.errors import BoundaryDenied, CoreError, InvalidBoundary, InvalidScope, shown
from pce_memory.policy.judged_payload import RULES, Judge, PayloadCase, violated
from pce_memory.policy.judging import Invariants, invariants_of
from pce_memory.policy.redaction import detected_class, redact_for
from pce_memory.policy.tags import MOST_NAMED, known_sentence, nearest, warned_tags


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The part of the memory one query reaches."""

    scopes: tuple[Scope, ...]
    allow: tuple[str, ...]
    classes: tuple[BoundaryClass, ...]
    invariants: tuple[InvariantDefinition, ...]


def covers(patterns: Sequence[str], tag: str) -> bool:
    """Return whether a pattern covers a tag: the same, `*`, or a prefix such as `tool:*`.

    Only the patterns may have a wildcard; in a tag it is a letter like any other.

    >>> covers(["tool:*"], "tool:lookup"), covers(["tool:*"], "toolbox"), covers(["tool:x"], "*")
    (True, False, False)
    """
    return any(
        pattern in {"*", tag} or (pattern.endswith("*") and tag.startswith(pattern[:-1]))
        for pattern in patterns
    )


def visible_classes(
    boundary: Boundary, policy: Policy, allow: Sequence[str]
) -> tuple[BoundaryClass, ...]:
    """Return the boundary's classes that the policy shows to one of these tags; never secret."""
    return tuple(
        name
        for name in BOUNDARY_CLASSES
        if name in boundary.boundary_classes
        and name != "secret"
        and any(covers(policy.boundary_classes.of(name).allow, tag) for tag in allow)
    )


def all_invariants(boundary: Boundary, policy: Policy) -> tuple[InvariantDefinition, ...]:
    """Return the policy's invariants and the boundary's, each once."""
    return tuple(dict.fromkeys((*policy.invariants, *boundary.invariants)))


def well_formed(boundary: Boundary) -> Result[Boundary, InvalidBoundary]:
    """Return the boundary unless a part of it is empty."""
    if not boundary.scope:
        return Failure(InvalidBoundary("it has no scope"))
    if not boundary.boundary_classes:
        return Failure(InvalidBoundary("it has no boundary class"))
    return Success(boundary)


def narrowed_to(boundary: Boundary, narrowed: Narrowed) -> Boundary:
    """Return what a query reached: its boundary, narrowed."""
    return boundary.model_copy(
        update={
            "scope": narrowed.scopes,
            "allow": narrowed.allow,
            "boundary_classes": narrowed.classes,
            "invariants": narrowed.invariants,
        }
    )


def narrow(
    boundary: Boundary,
    policy: Policy,
    *,
    query_scope: Sequence[Scope] | None = None,
    query_allow: Sequence[str] | None = None,
) -> Result[Narrowed, InvalidScope | BoundaryDenied | InvalidBoundary]:
    """Return what a query reaches: scopes, tags and classes that its boundary has too."""
    return Result.do(
        Narrowed(scopes, allow, classes, all_invariants(usable, policy))
        for usable in well_formed(boundary)
        for scopes in _scopes(usable, query_scope)
        for allow in _allow(usable, policy, query_allow)
        for classes in _classes(usable, policy, allow)
    )


def _scopes(
    boundary: Boundary, wanted: Sequence[Scope] | None
) -> Result[tuple[Scope, ...], InvalidScope]:
    allowed: tuple[Scope, ...] = tuple(scope for scope in SCOPES if scope in boundary.scope)
    scopes: tuple[Scope, ...] = tuple(
        scope for scope in allowed if wanted is None or scope in wanted
    )
    if scopes:
        return Success(scopes)
    return Failure(InvalidScope(wanted[0] if wanted else "none", allowed))


def _allow(
    boundary: Boundary, policy: Policy, wanted: Sequence[str] | None
) -> Result[tuple[str, ...], BoundaryDenied]:
    tags = boundary.allow if wanted is None else tuple(wanted)
    allow = tuple(dict.fromkeys(tag for tag in tags if covers(boundary.allow, tag)))
    return Success(allow) if allow else _uncovered(boundary, policy, tags)


def _uncovered(boundary: Boundary, policy: Policy, tags: Sequence[str]) -> Failure[BoundaryDenied]:
    """Return the refusal of tags, with those that there are: a policy's tags are no secret."""
    held = ", ".join(map(shown, boundary.allow[:MOST_NAMED])) or "none"
    reason = f"the boundary covers no tag of the query{nearest(tags, policy)}; it has {held}"
    return Failure(BoundaryDenied(boundary, f"{reason}, and {known_sentence(policy)}"))


def tags_within(
    boundary: Boundary, policy: Policy, wanted: Sequence[str] | None
) -> Result[tuple[str, ...], BoundaryDenied]:
    """Return those tags of a query under which nothing is seen that the boundary does not see."""
    seen = set(visible_classes(boundary, policy, boundary.allow))

    def narrower(tag: str) -> bool:
        return seen.issuperset(visible_classes(boundary, policy, (tag,)))

    return Result.do(
        allow
        for covered in _allow(boundary, policy, wanted)
        for allow in Success(tuple(filter(narrower, covered)))
        for _ in (Success(None) if allow else _uncovered(boundary, policy, covered))
    )


def _classes(
    boundary: Boundary, policy: Policy, allow: tuple[str, ...]
) -> Result[tuple[BoundaryClass, ...], BoundaryDenied]:
    # A pattern of the boundary covers tags, but to the policy it is a tag of its own: what it does
    # not see itself, no tag under it sees either.
    seen = visible_classes(boundary, policy, boundary.allow)
    classes: tuple[BoundaryClass, ...] = tuple(
        name for name in visible_classes(boundary, policy, allow) if name in seen
    )
    if classes:
        return Success(classes)
    reason = f"the policy shows these tags no class of the boundary{nearest(allow, policy)}"
    return Failure(BoundaryDenied(boundary, f"{reason}; {known_sentence(policy)}"))


def validate(
    payload: str,
    boundary: Boundary,
    policy: Policy,
    *,
    boundary_class: str | None = None,
    scope: str | None = None,
    judge: Judge = RULES,
) -> Result[BoundaryValidationResult, CoreError]:
    """Judge a payload: deny goes before redact, and redact before allow.

    Its class is the stricter of what the caller says and what is found in it. A payload that is
    allowed with `redacted` may pass in that form only. `judge` judges it, as a fact of now.
    """
    return Result.do(
        judgement
        for usable in well_formed(boundary)
        for declared in _known_class(boundary_class)
        for scopes in _judged_scopes(usable, scope)
        for invariants in invariants_of(
            judge.evaluator, all_invariants(usable, policy), usable.context
        )
        for judgement in _judged(
            _Case(payload, usable, policy, declared, judge.clock()), scopes, invariants
        )
    )


def enforce(
    judgement: BoundaryValidationResult, boundary: Boundary
) -> Result[BoundaryValidationResult, BoundaryDenied]:
    """Turn a judgement that does not allow the payload into a failure."""
    if judgement.allowed:
        return Success(judgement)
    return Failure(BoundaryDenied(boundary, judgement.reason or "not allowed"))


@dataclass(frozen=True, slots=True)
class _Case:
    """A payload, and what it is judged by."""

    payload: str
    boundary: Boundary
    policy: Policy
    declared: BoundaryClass | None
    now: float


def _known_class(declared: str | None) -> Result[BoundaryClass | None, InvalidBoundary]:
    known: BoundaryClass | None = next((one for one in BOUNDARY_CLASSES if one == declared), None)
    if known is None and declared is not None:
        return Failure(InvalidBoundary(f"no class has the name {shown(declared)}"))
    return Success(known)


def _judged_scopes(
    boundary: Boundary, scope: str | None
) -> Result[tuple[Scope, ...], InvalidScope]:
    """Return where the payload goes: one scope, or any of the boundary's if none is named."""
    if scope is not None and scope not in SCOPES:
        return Failure(InvalidScope(scope, SCOPES))
    return Success(tuple(one for one in SCOPES if one in ((scope,) if scope else boundary.scope)))


def _judged(
    case: _Case, scopes: tuple[Scope, ...], invariants: Invariants
) -> Result[BoundaryValidationResult, CoreError]:
    version = case.policy.version
    if len(case.payload.encode(errors="replace")) > case.policy.extraction.max_bytes:
        # It is not searched for secrets, so nothing of it is shown either.
        long = "the payload is longer than extraction.max_bytes"
        return Success(
            BoundaryValidationResult(allowed=False, reason=long, policy_version=version)
        )
    loosest = min(case.boundary.boundary_classes, key=BOUNDARY_CLASSES.index)
    found = stricter(case.declared or loosest, detected_class(case.payload, case.policy))
    text = redact_for(case.payload, case.policy, boundary_class=found).text
    passing = _passing_class(case, found, text)

    def told(violated: str | None) -> BoundaryValidationResult:
        closed = None if passing else _closed(case, found)
        reason = _outside(case.boundary, scopes) or violated or closed
        return BoundaryValidationResult(
            allowed=reason is None,
            reason=reason,
            redacted=None if text == case.payload else text,
            policy_version=version,
        )

    asked = PayloadCase(text, case.boundary.context, scopes, passing or found, case.now)
    return violated(asked, invariants).map(told)


def _passing_class(case: _Case, found: BoundaryClass, text: str) -> BoundaryClass | None:
    """Return the class the text passes as, once redacted; None where it does not pass."""
    boundary, policy = case.boundary, case.policy
    if case.declared and case.declared not in boundary.boundary_classes:
        return None
    if found in visible_classes(boundary, policy, boundary.allow):
        return found
    # What redaction can satisfy is redacted, not denied: with nothing sensitive left, personal
    # data passes where internal text does. A declaration that nothing bears out stays.
    cleaned = text != case.payload and detected_class(text, policy) in {"public", "internal"}
    shown_internal = any(
        covers(policy.boundary_classes.internal.allow, tag) for tag in boundary.allow
    )
    if found != "pii" or not cleaned or not shown_internal:
        return None
    return next((one for one in ("internal", found) if one in boundary.boundary_classes), None)


def _outside(boundary: Boundary, scopes: tuple[Scope, ...]) -> str | None:
    strange = [scope for scope in scopes if scope not in boundary.scope]
    return f"scope {strange[0]} is outside the boundary" if strange else None


def _closed(case: _Case, found: BoundaryClass) -> str:
    if found not in case.boundary.boundary_classes:
        return f"class {found} is outside the boundary"
    if case.policy.boundary_classes.of(found).escalation == "human_review":
        return f"class {found} needs a human review"
    unknown = warned_tags(case.boundary.allow, case.policy) if found != "secret" else ()
    return "; ".join((f"the policy shows class {found} to no tag of the boundary", *unknown))

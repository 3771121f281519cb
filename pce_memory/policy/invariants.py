"""Invariants I(B): rules judged claim by claim, in Python or as a filter over rows."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.deps import BoundaryInvariant, RowFilter
from pce_memory.domain.boundary import InvariantDefinition
from pce_memory.domain.claim import AnyClaim, DerivedClaim
from pce_memory.domain.ids import ClaimId, ObservationId
from pce_memory.domain.vocabulary import SCOPES, BoundaryClass, Scope
from pce_memory.errors import CoreError, InvalidBoundary, shown
from pce_memory.policy.judging import MAX_INVARIANTS
from pce_memory.policy.rule_context import BREAKING, context_values
from pce_memory.policy.rule_sql import every, over_scopes, to_sql
from pce_memory.policy.rule_tree import Expression, Value
from pce_memory.policy.rule_values import holds
from pce_memory.policy.rules import RuleFault, parse_rule
from pce_memory.result import collect
from pce_memory.text.detect import PII_KINDS, SECRET_KINDS, detect

_BREAKING_WORDS: Final = re.compile(
    r"breaking[ _-]change|backwards?[ -]incompatible|破壊的な?変更|後方互換性(?:の|が)な",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ClaimFlags:
    """What rules ask of a claim's text and tags; the store keeps them as columns."""

    contains_pii: bool
    contains_secret: bool
    breaking_change: bool
    text_length: int


def claim_flags(claim: AnyClaim) -> ClaimFlags:
    """Return what the detectors find in a claim's text, and what its tags say."""
    if isinstance(claim, JudgedText):
        return claim.flags
    pii, secret = text_flags(claim.text)
    return ClaimFlags(pii, secret, breaking_change(claim.tags), len(claim.text))


def text_flags(text: str) -> tuple[bool, bool]:
    """Return whether a text holds personal data, and whether it holds a secret."""
    kinds = {match.kind for match in detect(text)}
    return not kinds.isdisjoint(PII_KINDS), not kinds.isdisjoint(SECRET_KINDS)


def breaking_change(tags: Sequence[str]) -> bool:
    """Return whether a tag says so: alone, or with `=true` or `:true`.

    >>> breaking_change([BREAKING]), breaking_change(["api.breaking_change=false"])
    (True, False)
    """
    said = {BREAKING, f"{BREAKING}=true", f"{BREAKING}:true"}
    return any(tag.lower() in said for tag in tags)


def claim_environment(claim: AnyClaim, context: Mapping[str, Value]) -> Mapping[str, Value]:
    """Return the value of every name a rule may use of this claim."""
    flags = claim_flags(claim)
    return {
        **context,
        "claim.kind": claim.kind,
        "claim.scope": claim.scope,
        "claim.boundary_class": claim.boundary_class,
        "claim.quality": float(claim.quality),
        "claim.confidence": float(claim.confidence),
        "claim.utility": float(claim.utility),
        "claim.text_length": float(flags.text_length),
        "prompt.contains_pii": flags.contains_pii,
        "prompt.contains_secret": flags.contains_secret,
        BREAKING: flags.breaking_change or context.get(BREAKING) is True,
    }


class JudgedText(DerivedClaim):
    """A text that is no claim, in the form of a fresh fact: evaluators judge claims only."""

    flags: ClaimFlags


def judged_text(
    text: str, flags: ClaimFlags, *, scope: Scope, boundary_class: BoundaryClass, now: float
) -> JudgedText:
    """Return a text as something to judge; it may be longer than a claim's, and blank."""
    return JudgedText.model_construct(
        id=ClaimId("clm_judged"),
        text=text,
        kind="fact",
        scope=scope,
        boundary_class=boundary_class,
        origin_observation_id=ObservationId("obs_judged"),
        derived_from=(),
        created_at=now,
        updated_at=now,
        flags=flags,
    )


def payload_flags(text: str, context: Mapping[str, object]) -> ClaimFlags:
    """Return what rules ask of a text that has no tags.

    Whether it breaks an API is what the context says, else whether it speaks of a breaking change.
    """
    pii, secret = text_flags(text)
    breaking = BREAKING not in context and speaks_of_breaking(text)
    return ClaimFlags(pii, secret, breaking, len(text))


def speaks_of_breaking(text: str) -> bool:
    """Return whether a text names a breaking change; one that denies it names it too.

    >>> speaks_of_breaking("APIに破壊的変更"), speaks_of_breaking("the API is as it was")
    (True, False)
    """
    return _BREAKING_WORDS.search(text) is not None


@dataclass(frozen=True, slots=True)
class CompiledInvariant:
    """A rule that compiled, with the context it is judged in."""

    name: str
    applies_to: tuple[Scope, ...]
    expression: Expression
    context: Mapping[str, Value]

    def evaluate(self, claims: Sequence[AnyClaim]) -> Result[bool, CoreError]:
        """Return whether it holds for every claim it applies to."""
        return Success(
            all(
                self.holds_in(claim_environment(claim, self.context))
                for claim in claims
                if claim.scope in self.applies_to
            )
        )

    def holds_in(self, environment: Mapping[str, Value]) -> bool:
        """Return whether it holds of one claim's values."""
        return holds(self.expression, environment)


class RuleEvaluator:
    """Compiles and judges rules; stateless, so one serves every memory."""

    def compile(
        self, definition: InvariantDefinition, context: Mapping[str, object] | None = None
    ) -> Result[BoundaryInvariant, InvalidBoundary]:
        """Compile one rule; `context` gives the identifiers that no claim carries."""
        return Result.do(
            invariant
            for values in context_values(context or {})
            for invariant in compile_invariant(definition, values)
        )

    def evaluate_all(
        self, invariants: Sequence[BoundaryInvariant], claims: Sequence[AnyClaim]
    ) -> Result[bool, CoreError]:
        """Return whether every invariant holds for every claim it applies to."""
        compiled = [one for one in invariants if isinstance(one, CompiledInvariant)]
        if len(compiled) == len(invariants) and _of_one_context(compiled):
            return Success(_all_hold(compiled, claims))
        return collect(invariant.evaluate(claims) for invariant in invariants).map(all)

    def row_filter(
        self,
        definitions: Sequence[InvariantDefinition],
        context: Mapping[str, object] | None = None,
    ) -> Result[RowFilter, InvalidBoundary]:
        """Return the same judgement as a predicate over the rows of claims."""
        return compile_all(definitions, context).map(
            lambda compiled: every(
                over_scopes(
                    to_sql(invariant.expression, invariant.context, f"inv_{number}"),
                    invariant.applies_to,
                )
                for number, invariant in enumerate(compiled)
            )
        )


def _of_one_context(compiled: Sequence[CompiledInvariant]) -> bool:
    return all(one.context == compiled[0].context for one in compiled)


def _all_hold(compiled: Sequence[CompiledInvariant], claims: Sequence[AnyClaim]) -> bool:
    """Return whether all hold for all, with one look at each claim."""
    return not compiled or all(
        invariant.holds_in(environment)
        for claim in claims
        for environment in (claim_environment(claim, compiled[0].context),)
        for invariant in compiled
        if claim.scope in invariant.applies_to
    )


def compile_all(
    definitions: Sequence[InvariantDefinition], context: Mapping[str, object] | None = None
) -> Result[tuple[CompiledInvariant, ...], InvalidBoundary]:
    """Compile rules that are judged in one context."""
    if len(definitions) > MAX_INVARIANTS:
        return Failure(InvalidBoundary(f"more than {MAX_INVARIANTS} invariants"))
    return Result.do(
        compiled
        for values in context_values(context or {})
        for compiled in collect(
            compile_invariant(definition, values) for definition in definitions
        )
    )


def compile_invariant(
    definition: InvariantDefinition, context: Mapping[str, Value]
) -> Result[CompiledInvariant, InvalidBoundary]:
    """Compile one rule, and check where it applies."""

    def named(reason: str) -> InvalidBoundary:
        return InvalidBoundary(f"invariant {definition.name}: {reason}")

    return Result.do(
        CompiledInvariant(definition.name, scopes, expression, context)
        for scopes in applying(definition.applies_to).alt(named)
        for expression in parse_rule(definition.rule).alt(_placed).alt(named)
    )


def _placed(fault: RuleFault) -> str:
    return f"column {fault.column}: {fault.message}"


def applying(names: Sequence[str]) -> Result[tuple[Scope, ...], str]:
    """Return the scopes that are meant; `*` is all of them.

    >>> applying(["principle", "session"]), applying(["*"])
    (<Success: ('session', 'principle')>, <Success: ('session', 'project', 'principle')>)
    """
    if not names:
        return Failure("applies_to is empty; name a scope, or *")
    if unknown := [name for name in names if name != "*" and name not in SCOPES]:
        return Failure(f"applies_to names no scope: {shown(unknown[0])}")
    return Success(tuple(scope for scope in SCOPES if scope in names or "*" in names))

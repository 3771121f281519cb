"""Run the tests a policy carries: each payload is judged as a caller's would be."""

from collections.abc import Sequence
from dataclasses import dataclass

from pce_memory.domain.boundary import Boundary, BoundaryValidationResult
from pce_memory.domain.policy import Policy
from pce_memory.domain.policy_tests import Expectation, PolicyTest
from pce_memory.domain.vocabulary import SCOPES
from pce_memory.policy.boundary import validate
from pce_memory.policy.fakes import with_fakes
from pce_memory.result import fold


@dataclass(frozen=True, slots=True)
class Trial:
    """A test that was run: its place in `tests`, what was to become of it, and what did."""

    index: int
    name: str
    passed: bool
    expected: str
    got: str


def run_tests(policy: Policy, wanted: str = "") -> tuple[Trial, ...]:
    """Return the outcome of every test whose name holds `wanted`, in any case of letters."""
    return tuple(
        run_test(policy, index, test)
        for index, test in enumerate(policy.tests)
        if wanted.casefold() in test.name.casefold()
    )


def run_test(policy: Policy, index: int, test: PolicyTest) -> Trial:
    """Return what becomes of one payload, beside what was expected."""
    payload = with_fakes(test.payload)
    boundary = Boundary(
        scope=SCOPES,
        allow=test.allow,
        boundary_classes=test.boundary_classes,
        context=test.context,
    )
    judged = validate(payload, boundary, policy, boundary_class=test.declared, scope=test.scope)
    passed, got = fold(
        judged,
        ok=lambda one: (_meets(one, test.expect), _outcome(one)),
        err=lambda error: (False, f"cannot be judged: {error.message}"),
    )
    return Trial(index, test.name, passed, _wanted(test.expect), got)


def failures(trials: Sequence[Trial]) -> tuple[Trial, ...]:
    """Return the tests that came out otherwise than expected."""
    return tuple(trial for trial in trials if not trial.passed)


def _meets(judged: BoundaryValidationResult, expect: Expectation) -> bool:
    if expect.denied is not None:
        told = expect.denied if isinstance(expect.denied, str) else ""
        return not judged.allowed and told in (judged.reason or "")
    if not judged.allowed:
        return False
    if expect.redacted is True:
        return judged.redacted is not None
    return judged.redacted == expect.redacted


def _wanted(expect: Expectation) -> str:
    if expect.is_allowed:
        return "allowed"
    is_denied = expect.denied is not None
    word, told = ("denied", expect.denied) if is_denied else ("redacted", expect.redacted)
    return f"{word}: {told}" if isinstance(told, str) else word


def _outcome(judged: BoundaryValidationResult) -> str:
    if not judged.allowed:
        return f"denied: {judged.reason}"
    return "allowed" if judged.redacted is None else f"redacted: {judged.redacted}"

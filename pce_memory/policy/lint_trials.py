"""Warnings about the tests of a policy: those that fail, and where there are none."""

from collections.abc import Iterator

from pce_memory.domain.policy import Policy
from pce_memory.policy.lint_kinds import TEST_FAILS, TEST_TWICE, UNTESTED, Warned
from pce_memory.policy.trial import failures, run_tests


def trial_warnings(policy: Policy, *, has_tests: bool) -> Iterator[Warned]:
    """Yield the tests that fail, and what is to be said of all of them."""
    for trial in failures(run_tests(policy)):
        message = f"the test fails: expected {trial.expected}; got {trial.got}"
        yield Warned(TEST_FAILS, ("tests", trial.index, "expect"), message)
    names: set[str] = set()
    for index, test in enumerate(policy.tests):
        if test.name in names:
            yield Warned(TEST_TWICE, ("tests", index, "name"), "another test has this name")
        names.add(test.name)
    own = (
        ("invariants", bool(policy.invariants)),
        ("redact_policies", bool(policy.redact_policies)),
    )
    first = next((section for section, has in own if has), None)
    if not policy.tests and (first or has_tests):
        message = "no test shows what the policy's own rules do; add tests:"
        yield Warned(UNTESTED, (first or "tests",), message, on_key=True)

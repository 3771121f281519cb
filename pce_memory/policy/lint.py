"""Warnings: what a policy may say, and what its author will hardly have meant."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from pce_memory.domain.policy import Policy
from pce_memory.policy.document import MAX_BYTES
from pce_memory.policy.faults import LINE_END, Loc, Located, Where, in_order, path_of
from pce_memory.policy.lint_classes import class_warnings
from pce_memory.policy.lint_comments import ignores_of, unused
from pce_memory.policy.lint_kinds import NO_RELAX, Warned
from pce_memory.policy.lint_redaction import redaction_warnings
from pce_memory.policy.lint_rules import rule_warnings
from pce_memory.policy.lint_trials import trial_warnings
from pce_memory.policy.lint_tuning import tuning_warnings
from pce_memory.policy.source import Reading
from pce_memory.text.detect import SECRET_KINDS, detect

POLICY_SECRETS: Final = SECRET_KINDS - {"password"}
"""What a policy must not hold; a password is guessed from the words beside it, as rules have."""


@dataclass(frozen=True, slots=True)
class Checked:
    """Everything there is to say of a policy: errors, or warnings and how many are silenced."""

    findings: tuple[Located, ...]
    silenced: int = 0

    @property
    def errors(self) -> tuple[Located, ...]:
        """What keeps the policy from being applied."""
        return tuple(one for one in self.findings if one.severity == "error")

    @property
    def warnings(self) -> tuple[Located, ...]:
        """What does not."""
        return tuple(one for one in self.findings if one.severity == "warning")


def check(reading: Reading) -> Checked:
    """Return every error of a policy, or, where there is none, every warning."""
    secrets = tuple(_secrets(reading))
    errors = in_order((*reading.faults, *secrets), reading.texts)
    if reading.policy is None or errors:
        return Checked(errors)
    found = all_warnings(reading.policy, has_tests=reading.has(("tests",)))
    warnings = [placed for one in found if (placed := _located(reading, one))]
    warnings += [replace(one, code=NO_RELAX.code) for one in reading.unused_relax]
    ignores = list(ignores_of(reading.root.document))
    left = [one for one in warnings if not any(ignore.silences(one) for ignore in ignores)]
    findings = in_order((*left, *unused(ignores, warnings)), reading.texts)
    return Checked(findings, len(warnings) - len(left))


def all_warnings(policy: Policy, *, has_tests: bool = False) -> Iterator[Warned]:
    """Yield what the rules of warning find in a policy; `has_tests` is whether it writes tests."""
    yield from chain(
        class_warnings(policy),
        rule_warnings(policy),
        redaction_warnings(policy),
        tuning_warnings(policy),
        trial_warnings(policy, has_tests=has_tests),
    )


def _located(reading: Reading, one: Warned) -> Located | None:
    """Return a warning with its place; None if that is in a policy that is extended.

    That one's own check tells it.
    """
    own = reading.root.document.name
    loc, also = (_written(reading, place) for place in (one.loc, one.also or one.loc))
    is_own = reading.has(loc) and reading.where(loc).file == own
    if not is_own and reading.has(also) and reading.where(also).file == own:
        loc = also
    where = reading.where(loc, key=one.on_key)
    if where.file != own:
        return None
    return Located(where, reading.path(loc), one.message, "warning", one.kind.code)


def _written(reading: Reading, loc: Loc) -> Loc:
    """Return a path as the file has it: what is a list in a policy may be a single value there."""
    return loc[:-1] if isinstance(loc[-1], int) and not reading.has(loc) else loc


def _secrets(reading: Reading) -> Iterator[Located]:
    """Yield each secret: a policy is stored as it is written, so one that has any is refused."""
    for file, text in reading.texts.items():
        if len(text) > MAX_BYTES:
            continue
        for match in detect(text, POLICY_SECRETS):
            ends = [found.end() for found in LINE_END.finditer(text, 0, match.start)]
            where = Where(file, len(ends) + 1, match.start - (ends or [0])[-1] + 1)
            message = "a secret is never stored; take it out, or write {{secret}} in a test"
            yield Located(where, path_of(()), message, "error", "secret")

"""Warnings: what a policy may say, and what its author will hardly have meant."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from pce_memory.domain.policy import Policy
from pce_memory.policy.document import MAX_BYTES, Document
from pce_memory.policy.faults import LINE_END, Located, Where, in_order, path_of
from pce_memory.policy.lint_classes import class_warnings
from pce_memory.policy.lint_comments import ignores_of, unused
from pce_memory.policy.lint_kinds import NO_RELAX, Warned
from pce_memory.policy.lint_redaction import redaction_warnings
from pce_memory.policy.lint_rules import rule_warnings
from pce_memory.policy.lint_trials import trial_warnings
from pce_memory.policy.lint_tuning import tuning_warnings
from pce_memory.policy.merged import Node
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
    warnings = [_located(reading, one) for one in found]
    warnings += [replace(one, code=NO_RELAX.code) for one in reading.unused_relax]
    ignores = [one for document in _documents(reading.root) for one in ignores_of(document)]
    left = [one for one in warnings if not any(ignore.silences(one) for ignore in ignores)]
    own = [one for one in ignores if one.where.file == reading.root.document.name]
    findings = in_order((*left, *unused(own, warnings)), reading.texts)
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


def _located(reading: Reading, one: Warned) -> Located:
    loc = one.loc
    if isinstance(loc[-1], int) and not reading.has(loc):
        loc = loc[:-1]  # what is a list in the policy may be a single value in the file
    where = reading.where(loc, key=one.on_key)
    return Located(where, reading.path(loc), one.message, "warning", one.kind.code)


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


def _documents(root: Node) -> list[Document]:
    """Return every file that a value of the policy stands in, its own first."""
    found: dict[str, Document] = {root.document.name: root.document}
    nodes = [root]
    while nodes:
        node = nodes.pop()
        _ = found.setdefault(node.document.name, node.document)
        nodes += [*node.entries.values(), *node.items]
    return list(found.values())

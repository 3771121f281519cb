"""Decide of rules whether they are constant, and whether one implies another, in bounded time."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from pce_memory.domain.vocabulary import Scope
from pce_memory.policy.invariants import CompiledInvariant
from pce_memory.policy.lint_domains import comparisons, points
from pce_memory.policy.rule_tree import Expression, identifiers
from pce_memory.policy.rule_values import holds

MOST_WORK: Final = 300_000
"""How many comparisons are judged for one policy, a second's worth; then nothing more is said."""

_MAKING_POINTS: Final = 40
"""What it costs to find out which values matter, in judged comparisons."""


@dataclass(slots=True)
class Reasoner:
    """Judges rules on all claims that matter to them, as long as there is work left to spend."""

    left: int = field(default=MOST_WORK)

    def constant(self, expression: Expression, scopes: Sequence[Scope]) -> bool | None:
        """Return whether a rule holds of every claim, or of none; None if of some or unknown.

        >>> from pce_memory.policy.rules import parse_rule
        >>> rule = parse_rule('claim.quality >= 0.5 || claim.quality < 0.5').unwrap()
        >>> Reasoner().constant(rule, ["project"])
        True
        """
        weight = _weight(expression)
        seen: set[bool] = set()
        all_points = points([expression], scopes) if self._spend(_MAKING_POINTS + weight) else None
        for point in all_points or ():
            seen.add(holds(expression, point))
            if len(seen) > 1 or not self._spend(weight):
                return None
        return seen.pop() if seen else None

    def implies(self, strong: CompiledInvariant, weak: CompiledInvariant) -> bool:
        """Return whether one rule surely forbids all that another one forbids."""
        if not set(weak.applies_to) <= set(strong.applies_to):
            return False
        if strong.expression == weak.expression:
            return True
        # What depends on a name that the other does not have can differ from it.
        if not identifiers(weak.expression) <= identifiers(strong.expression):
            return False
        return self._follows(strong.expression, weak.expression, weak.applies_to)

    def _follows(self, strong: Expression, weak: Expression, scopes: Sequence[Scope]) -> bool:
        weight = _weight(strong) + _weight(weak)
        enough = self._spend(_MAKING_POINTS + weight)
        all_points = points([strong, weak], scopes) if enough else None
        return all_points is not None and all(
            self._spend(weight) and (not holds(strong, point) or holds(weak, point))
            for point in all_points
        )

    def _spend(self, work: int) -> bool:
        self.left -= work
        return self.left >= 0


def _weight(expression: Expression) -> int:
    return sum(1 for _ in comparisons(expression)) + 1

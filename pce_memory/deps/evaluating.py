"""What judges claims by invariants: the one judge, on write and on read."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from returns.result import Result

from pce_memory.deps.search import RowFilter
from pce_memory.domain.boundary import InvariantDefinition
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.vocabulary import Scope
from pce_memory.errors import CoreError, InvalidBoundary


class BoundaryInvariant(Protocol):
    """A compiled invariant. `applies_to` has `*` expanded to all scopes."""

    @property
    def name(self) -> str:
        """What the policy calls it."""
        ...

    @property
    def applies_to(self) -> tuple[Scope, ...]:
        """The scopes of the claims it judges."""
        ...

    def evaluate(self, claims: Sequence[AnyClaim]) -> Result[bool, CoreError]:
        """Return whether it holds for every claim it applies to."""
        ...


class InvariantEvaluator(Protocol):
    """Compiles invariant rules and judges claims by them: the only judge, on write and on read.

    `compile` may take a second argument: the identifiers that no claim carries, with their values.
    """

    @property
    def compile(self) -> Callable[..., Result[BoundaryInvariant, InvalidBoundary]]:
        """Compile one rule, an InvariantDefinition."""
        ...

    def evaluate_all(
        self, invariants: Sequence[BoundaryInvariant], claims: Sequence[AnyClaim]
    ) -> Result[bool, CoreError]:
        """Return whether every invariant holds for every claim it applies to."""
        ...


class RowJudge(Protocol):
    """What an InvariantEvaluator may be too, if it can say its judgement in SQL.

    Of one that cannot, every claim that a read may reach is fetched and judged by itself.
    """

    def row_filter(
        self,
        definitions: Sequence[InvariantDefinition],
        context: Mapping[str, object] | None = None,
    ) -> Result[RowFilter, InvalidBoundary]:
        """Return the same judgement as a predicate over the rows of claims."""
        ...


__all__ = ["BoundaryInvariant", "InvariantEvaluator", "RowJudge"]

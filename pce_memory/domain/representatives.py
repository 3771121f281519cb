"""What somebody marked as typical of a category: which it is, and how a blend is given it."""

from typing import Annotated, Final, TypeAlias

from pydantic import Field

from pce_memory.domain.model import EpochSeconds, Model

MOST_MARKED: Final = 1_000
Category: TypeAlias = Annotated[str, Field(min_length=1, max_length=128)]
"""What representatives are typical of: a facet such as A, B or C, or any words."""
Id: TypeAlias = Annotated[str, Field(min_length=1, max_length=512)]


class Marking(Model):
    """Which claims and documents are typical of which category: by id, or by pub_id."""

    ids: Annotated[tuple[Id, ...], Field(min_length=1, max_length=MOST_MARKED)]
    category: Category


class RepresentativesInput(Model):
    """Representatives to blend by: those of a run; their category is that of the run."""

    run_id: Id
    category: Category | None = None


class Representatives(Model):
    """Claims and documents that somebody marked as typical of a category, for as long as a run.

    A blend that is given them lifts what is like them: see `FusionParams.representatives`.
    """

    run_id: Id
    category: Category
    count: Annotated[int, Field(ge=0)]
    expires_at: EpochSeconds

    @property
    def given(self) -> RepresentativesInput:
        """Return them as a blend takes them."""
        return RepresentativesInput(run_id=self.run_id, category=self.category)

"""What a caller asks."""

from typing import Annotated, Final

from pydantic import Field

from pce_memory.domain.model import Model
from pce_memory.domain.vocabulary import Scope

MOST_ITEMS: Final = 100
"""The largest top_k there is."""


class Query(Model):
    """A question under a boundary: `scope` and `allow` may only narrow it."""

    q: str
    scope: tuple[Scope, ...] | None = None
    allow: tuple[str, ...] | None = None
    top_k: Annotated[int, Field(ge=1, le=MOST_ITEMS)] | None = None
    include_meta: bool = False

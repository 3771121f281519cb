"""The section of a policy on whether what is found answers."""

from typing import Annotated, Literal

from pydantic import Field

from pce_memory.domain.model import Model


class Crag(Model):
    """Whether what was found answers, and what becomes of what does not."""

    enabled: Annotated[
        bool, Field(description="Whether an activation says if what it found answers.")
    ] = True
    on_ambiguous: Annotated[
        Literal["keep", "expand"],
        Field(description="An ambiguous answer is kept, or looked for once more in other words."),
    ] = "keep"
    on_incorrect: Annotated[
        Literal["flag", "drop"],
        Field(description="What does not answer is shown and flagged, or not shown."),
    ] = "flag"

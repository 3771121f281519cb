"""The base of every noun, and the number types they share."""

from collections.abc import Mapping
from typing import Annotated, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from returns.result import Failure, Result, Success

from pce_memory.errors import InvalidParameter

EpochSeconds: TypeAlias = Annotated[float, Field(ge=0, le=253_402_300_799)]
"""UTC seconds since 1970, fractions allowed, up to the end of year 9999."""

Unit: TypeAlias = Annotated[float, Field(ge=0, le=1)]
"""A number in [0, 1]."""

Finite: TypeAlias = Annotated[float, Field(allow_inf_nan=False)]
"""A number that is neither infinite nor NaN."""


class Model(BaseModel):
    """Base of every noun: frozen, closed to unknown fields, silent about its input in errors."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        hide_input_in_errors=True,
    )


M = TypeVar("M", bound=Model)


def parse(model: type[M], fields: Mapping[str, object]) -> Result[M, InvalidParameter]:
    """Return a noun built of `fields`, or the name of the first field at fault and why.

    >>> from pce_memory.domain.query import Query
    >>> parse(Query, {"q": "x", "top_k": 0}).failure().message
    'Invalid top_k: Input should be greater than or equal to 1'
    """
    try:
        return Success(model.model_validate(fields))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or model.__name__
        return Failure(InvalidParameter(place, first["msg"].removeprefix("Value error, ")))

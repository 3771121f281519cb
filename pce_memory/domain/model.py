"""The base of every noun, and the number types they share."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Final, TypeAlias, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from returns.result import Failure, Result, Success

from pce_memory.errors import InvalidParameter, shown

LAST_MOMENT: Final = 253_402_300_799.0
"""The end of the year 9999, the last time a memory can hold."""

DAY: Final = 86_400.0
"""A day in seconds."""

SKEW: Final = 300.0
"""How many seconds a time that somebody gives may be in the future: clocks differ."""

EpochSeconds: TypeAlias = Annotated[float, Field(ge=0, le=LAST_MOMENT)]
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
        return Failure(_fault(model, first["type"], first["loc"], first["msg"]))


_SAID: Final = {
    "tuple_type": "give a list of them, also where there is one",
    "extra_forbidden": "there is none of that name; the names are {names}",
    "model_type": "give a mapping of its fields",
}
"""What to say where pydantic speaks of Python's types."""


def _fault(
    model: type[Model], kind: str, loc: tuple[int | str, ...], told: str
) -> InvalidParameter:
    reason = _SAID.get(kind, told.removeprefix("Value error, "))
    if kind == "extra_forbidden":  # the name may be anything that somebody took for a mapping
        loc = loc[:-1]
    names = ", ".join(_inner(model, loc).model_fields)
    place = ".".join(_part(part) for part in loc) or "argument"
    return InvalidParameter(place, reason.replace("{names}", names))


def _inner(model: type[Model], loc: tuple[int | str, ...]) -> type[Model]:
    """Return the model that stands at a place within another, or the last on the way there."""
    for part in loc:
        field = model.model_fields.get(str(part))
        model = model if field is None else next(_models_in(field.annotation), model)
    return model


def _models_in(annotation: object) -> Iterator[type[Model]]:
    if isinstance(annotation, type) and issubclass(annotation, Model):
        yield annotation
    for one in get_args(annotation):
        yield from _models_in(one)


def _part(given: int | str) -> str:
    """Return a step to what is at fault; a key that a caller gave may be any text."""
    return "[key]" if given == "[key]" else shown(str(given))

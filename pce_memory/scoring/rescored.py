"""A result with another score, of whatever type a caller's results are."""

import copy
from collections.abc import Mapping
from dataclasses import is_dataclass, replace
from typing import TYPE_CHECKING, TypeVar, cast

from pydantic import BaseModel

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


def rescored(one: T, score: float) -> T:
    """Return a copy with this score; the original is left as it is."""
    if isinstance(one, Mapping):
        return cast("T", {**cast("Mapping[str, object]", one), "score": score})
    if isinstance(one, BaseModel):
        return one.model_copy(update={"score": score})
    if is_dataclass(one) and not isinstance(one, type):
        return cast("T", replace(one, score=score))  # pyright: ignore[reportUnknownVariableType]
    renewed: Callable[..., object] | None = getattr(one, "_replace", None)
    if renewed is not None:  # a named tuple
        return cast("T", renewed(score=score))
    other = copy.copy(one)
    object.__setattr__(other, "score", score)
    return other

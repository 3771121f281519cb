"""The rerankers that can be asked for by name, as a function, or as an object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from returns.result import Failure, Result, Success

from pce_memory.adapters.rerankers.cross_encoder import CrossEncoderReranker
from pce_memory.adapters.rerankers.function import from_callable
from pce_memory.adapters.rerankers.safe import SafeReranker, checked
from pce_memory.deps.callables import QUERY_AND_TEXTS, function_of
from pce_memory.errors import InvalidParameter, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from pce_memory.deps import Reranker

_SENTENCE_TRANSFORMERS: Final = "sentence-transformers"
_CHOICES: Final = f"{_SENTENCE_TRANSFORMERS}:PATH, the folder of a cross-encoder"


def resolve_reranker(spec: object = None) -> Result[SafeReranker | None, InvalidParameter]:
    """Return a reranker made safe: of a name, a function or an object; None for None.

    No model is loaded here. Of a folder it is seen that it is there, and what is in it, so that a
    slip of the pen is told at opening and not by a search that goes without.
    """
    if spec is None:
        return Success(None)
    if isinstance(spec, str):
        return Result.do(made for named in _named(spec) for made in checked(named))
    if callable(spec) and not isinstance(spec, type) and not hasattr(spec, "score"):
        function = cast("Callable[[str, list[str]], object]", spec)
        return Result.do(
            made
            for _ in function_of("reranker", spec, QUERY_AND_TEXTS)
            for made in checked(from_callable(function))
        )
    return checked(cast("Reranker", spec)).map(lambda made: made)


def _named(spec: str) -> Result[Reranker, InvalidParameter]:
    kind, _, path = spec.partition(":")
    if kind == _SENTENCE_TRANSFORMERS and path.strip():
        return Success(CrossEncoderReranker(path.strip()))
    return Failure(InvalidParameter("reranker", f"{shown(spec)} is not {_CHOICES}"))

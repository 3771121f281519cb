"""The embedders that can be asked for by name."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from returns.result import Failure, Result, Success

from pce_memory.adapters.embedders.e5 import E5Embedder
from pce_memory.adapters.embedders.hashing import HashingEmbedder
from pce_memory.adapters.embedders.multilingual import MultilingualEmbedder
from pce_memory.adapters.embedders.safe import SafeEmbedder, checked
from pce_memory.adapters.embedders.sentence_transformer import SentenceTransformerEmbedder
from pce_memory.errors import EmbeddingFailed, InvalidParameter, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from pce_memory.deps import EmbeddingProvider

DEFAULT: Final = "use-multilingual"
"""The embedder of a plain install."""

_SENTENCE_TRANSFORMERS: Final = "sentence-transformers"
_NAMED: Final[dict[str, Callable[[], EmbeddingProvider]]] = {
    DEFAULT: MultilingualEmbedder,
    "e5": E5Embedder,
    "hashing": HashingEmbedder,
}
_CHOICES: Final = f"{', '.join(_NAMED)} or {_SENTENCE_TRANSFORMERS}:NAME_OR_PATH"


def resolve_embedder(
    spec: str | EmbeddingProvider = DEFAULT,
) -> Result[SafeEmbedder, InvalidParameter | EmbeddingFailed]:
    """Return the embedder of a name, or an embedder object, made safe.

    Nothing but `sentence-transformers:` is loaded here: only that one must be asked its dimension.
    Of `e5`, whose packages are optional, it is seen that they are there.
    """
    if not isinstance(spec, str):
        return checked(spec)
    return Result.do(embedder for provider in _named(spec) for embedder in checked(provider))


def _named(spec: str) -> Result[EmbeddingProvider, InvalidParameter]:
    kind, _, model = spec.partition(":")
    if kind == _SENTENCE_TRANSFORMERS and model.strip():
        return Success(SentenceTransformerEmbedder(model.strip()))
    if spec in _NAMED:
        return Success(_NAMED[spec]())
    return Failure(InvalidParameter("embedder", f"{shown(spec)} is not {_CHOICES}{_hint(spec)}"))


def _hint(spec: str) -> str:
    # A bare model name, as the hub writes it, is most likely meant for sentence-transformers.
    if "/" in spec or spec.startswith(_SENTENCE_TRANSFORMERS):
        return f"; did you mean {_SENTENCE_TRANSFORMERS}:NAME_OR_PATH?"
    near = get_close_matches(spec.casefold(), _NAMED, n=1, cutoff=0.5)
    return f"; did you mean {near[0]}?" if near else ""

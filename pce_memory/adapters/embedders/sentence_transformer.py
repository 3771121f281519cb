"""Any SentenceTransformer model, by name or path; needs the extra sentence-transformers."""

from __future__ import annotations

from array import array
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn, Protocol, SupportsBytes, cast

from returns.result import Failure, Result

from pce_memory.adapters import torch_process
from pce_memory.adapters.embedders.attempt import Subject, attempt, told
from pce_memory.adapters.embedders.model_folder import (
    content_version,
    declared_dimension,
    load_fault,
)
from pce_memory.adapters.torch_process import FORKED, NO_FOLDER, OneModel
from pce_memory.errors import EmbeddingFailed, MemoryFault
from pce_memory.result import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pce_memory.deps import Vector

UNPINNED: Final = "unpinned"

_BATCH_SIZE: Final = 32


class _Rows(Protocol):
    def astype(self, dtype: str) -> Iterable[SupportsBytes]: ...


class _Model(Protocol):
    def encode(
        self,
        inputs: list[str],
        *,
        batch_size: int,
        show_progress_bar: bool,
        normalize_embeddings: bool,
    ) -> _Rows: ...


class SentenceTransformerEmbedder:
    """A SentenceTransformer model, loaded at the first text.

    `name_or_path` is a folder, or the hub's name of a model with an optional `@revision`. A folder
    is never looked up on the network; for a name, HF_HUB_OFFLINE and the hub's cache count.
    `version` and `dimension` raise MemoryFault where the model cannot tell them.
    """

    def __init__(self, name_or_path: str, *, device: str = "cpu") -> None:
        name, _, revision = name_or_path.partition("@")
        path = Path(name_or_path).expanduser()
        self._folder = path if path.is_dir() else None
        # A mistyped path must not be asked of the hub.
        self._folder_is_missing = not self._folder and name_or_path.startswith((".", "~", "/"))
        self._name = name
        self._revision = revision or None
        self._device = device
        self._held = OneModel[_Model]()
        # Where the folder stands is no part of the model; its content is, through the version.
        self.model_id = (
            f"sentence-transformers:{self._folder.resolve().name if self._folder else name}"
        )

    @property
    def version(self) -> str:
        """The digest of a folder's content; else the revision asked for, or `unpinned`."""
        return self._version

    @property
    def dimension(self) -> int:
        """The length of the vectors; asks the model, which loads it, only where it must."""
        return self._dimension

    @cached_property
    def _version(self) -> str:
        if self._folder is None:
            return self._revision or UNPINNED
        found = content_version(self._folder).alt(self._who("").failed)
        return fold(found, ok=str, err=_fault)

    @cached_property
    def _dimension(self) -> int:
        declared = declared_dimension(self._folder) if self._folder else None
        return declared or fold(self._loaded_dimension(), ok=int, err=_fault)

    def embed(self, text: str) -> Result[Vector, EmbeddingFailed]:
        """Return the vector of one text."""
        return self.embed_batch([text]).map(lambda vectors: vectors[0])

    def embed_batch(self, texts: Sequence[str]) -> Result[Sequence[Vector], EmbeddingFailed]:
        """Return the vectors of many texts, in order."""
        who = self._who(texts[0] if texts else "")
        return Result.do(
            vectors
            for model in self._get(who)
            for vectors in attempt(partial(_encode, model, list(texts)), who)
        )

    def warmup(self) -> Result[None, EmbeddingFailed]:
        """Load the model now (several seconds) instead of at the first text."""
        return self._get(self._who("")).map(lambda _: None)

    def _who(self, text: str) -> Subject:
        return Subject(text, self.model_id)

    def _get(self, who: Subject) -> Result[_Model, EmbeddingFailed]:
        # Asked before the lock: a thread of the parent may have held it at the fork.
        hangs = torch_process.torch_here.hangs
        if hangs or self._folder_is_missing:
            return Failure(who.failed(FORKED if hangs else NO_FOLDER))
        return self._held.get(lambda: attempt(self._load, who, say=load_fault))

    def _load(self) -> _Model:
        library = torch_process.sentence_transformers()
        with torch_process.no_progress_bars():
            model = library.SentenceTransformer(
                str(self._folder or self._name),
                device=self._device,
                local_files_only=self._folder is not None,
                revision=None if self._folder else self._revision,
            )
        return cast("_Model", model)

    def _loaded_dimension(self) -> Result[int, EmbeddingFailed]:
        who = self._who("")
        return Result.do(
            dimension
            for model in self._get(who)
            for dimension in attempt(partial(_ask_dimension, model), who, say=told)
        )


def _encode(model: _Model, texts: list[str]) -> Sequence[Vector]:
    rows = model.encode(
        texts, batch_size=_BATCH_SIZE, show_progress_bar=False, normalize_embeddings=True
    )
    return [array("f", bytes(row)) for row in rows.astype("float32")]


def _ask_dimension(model: object) -> int:
    # The older name warns in new versions, the newer one is missing in old ones.
    ask = getattr(model, "get_embedding_dimension", None) or getattr(
        model, "get_sentence_embedding_dimension", None
    )
    size = cast("Callable[[], object]", ask)()
    if not isinstance(size, int):
        raise TypeError("the model does not know its dimension")
    return size


def _fault(error: EmbeddingFailed) -> NoReturn:
    # A property has no room for a Result; `checked` turns this back into one.
    raise MemoryFault(error)

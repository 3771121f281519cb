"""An embedder that keeps its vectors in a folder, so that a second run computes none anew."""

import sqlite3
from array import array
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Final

from returns.result import Result, Success

from pce_memory.adapters.embedders import SafeEmbedder
from pce_memory.deps import Vector
from pce_memory.errors import EmbeddingFailed

AT_ONCE: Final = 500
QUESTION: Final = "?"
TEXT: Final = "="

Embed = Callable[[Sequence[str]], Result[Sequence[Vector], EmbeddingFailed]]


class KeptVectors:
    """An embedder behind a file of its vectors; those of questions stand apart."""

    def __init__(self, name: str, embedder: SafeEmbedder, folder: Path) -> None:
        self._of = embedder
        self.model_id, self.version = self._of.model_id, self._of.version
        self.dimension, self.unrelated = self._of.dimension, self._of.unrelated
        folder.mkdir(parents=True, exist_ok=True)
        self._kept = sqlite3.connect(folder / f"vectors-{name}.sqlite", check_same_thread=False)
        _ = self._kept.execute("pragma synchronous = off")
        _ = self._kept.execute(
            "create table if not exists kept (key blob primary key, vector blob) without rowid"
        )

    def embed(self, text: str) -> Result[Vector, EmbeddingFailed]:
        """Return the vector of one text."""
        return self.embed_batch([text]).map(lambda vectors: vectors[0])

    def embed_query(self, text: str) -> Result[Vector, EmbeddingFailed]:
        """Return the vector of a question."""
        ask = partial(_one_by_one, self._of.embed_query)
        return self._through(QUESTION, [text], ask).map(lambda vectors: vectors[0])

    def embed_batch(self, texts: Sequence[str]) -> Result[Sequence[Vector], EmbeddingFailed]:
        """Return the vectors of many texts, in order."""
        return self._through(TEXT, texts, self._of.embed_batch)

    def _through(
        self, mark: str, texts: Sequence[str], embed: Embed
    ) -> Result[Sequence[Vector], EmbeddingFailed]:
        keys = [self._key(mark, text) for text in texts]
        known = self._known(keys)
        lacking = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}

        def joined(new: Sequence[Vector]) -> list[Vector]:
            given = zip(lacking, new, strict=True)
            rows = {key: array("f", one).tobytes() for key, one in given}
            with self._kept:
                _ = self._kept.executemany(
                    "insert or ignore into kept values (?, ?)", list(rows.items())
                )
            every = known | {key: _vector(row) for key, row in rows.items()}
            return [every[key] for key in keys]

        made = embed(list(lacking.values())) if lacking else Success([])
        return made.map(joined)

    def _key(self, mark: str, text: str) -> bytes:
        named = f"{self.model_id}\0{self.version}\0{mark}\0{text}"
        return blake2b(named.encode("utf-8", "replace"), digest_size=16).digest()

    def _known(self, keys: Sequence[bytes]) -> dict[bytes, Vector]:
        found: dict[bytes, Vector] = {}
        for start in range(0, len(keys), AT_ONCE):
            some = keys[start : start + AT_ONCE]
            marks = ",".join("?" * len(some))
            rows = self._kept.execute(f"select * from kept where key in ({marks})", some)
            found |= {key: _vector(row) for key, row in rows}
        return found


def _vector(row: bytes) -> Vector:
    made = array("f")
    made.frombytes(row)
    return made


def _one_by_one(
    embed: Callable[[str], Result[Vector, EmbeddingFailed]], texts: Sequence[str]
) -> Result[Sequence[Vector], EmbeddingFailed]:
    return Success([embed(text).unwrap() for text in texts])

"""Texts to unit vectors: pieces, windows, batches of like length, one network."""

from __future__ import annotations

import importlib
import os
from array import array
from typing import TYPE_CHECKING, Final, Protocol, cast

import numpy as np

from pce_memory.adapters.embedders.e5.centre import centre
from pce_memory.adapters.embedders.e5.graph import IDS, MASK
from pce_memory.text.sanitize import sanitize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from pce_memory.deps import Vector

    Ids = list[int]

WINDOW: Final = 512
"""So many tokens the network takes at once, its own marks included."""

BATCH_SIZE: Final = 32
# More at once is slower: what is computed then no longer fits the processor's caches.
_BATCH_TOKENS: Final = 1_024
_MOST_THREADS: Final = 2
_BEGIN, _PADDING, _END = 0, 1, 2
_JOINER: Final = "\u200d"
_ERRORS_ONLY: Final = 3


class _Tokenizer(Protocol):
    def encode(self, text: str) -> Ids: ...


class _Output(Protocol):
    @property
    def shape(self) -> tuple[str, int]: ...


class _Session(Protocol):
    def get_outputs(self) -> Sequence[_Output]: ...

    def run(
        self, names: None, feed: Mapping[str, NDArray[np.generic]]
    ) -> Sequence[NDArray[np.float32]]: ...


class Encoder:
    """The network and its tokenizer; safe to share between threads, but not across a fork."""

    def __init__(self, model: Path | bytes, tokenizer: Path | bytes) -> None:
        self._session = _session(model)
        self._width = self._session.get_outputs()[0].shape[1]
        pieces = importlib.import_module("sentencepiece")
        given = tokenizer if isinstance(tokenizer, bytes) else tokenizer.read_bytes()
        made = pieces.SentencePieceProcessor(model_proto=given)
        self._tokenizer = cast("_Tokenizer", made)

    def encode(self, texts: Sequence[str], prefix: str) -> Sequence[Vector]:
        """Return the unit vector of each text, read with `prefix` before it, from the centre."""
        units = _unit(self.units(texts, prefix) - centre())
        return [array("f", unit.tobytes()) for unit in units]

    def units(self, texts: Sequence[str], prefix: str) -> NDArray[np.float32]:
        """Return the unit vectors as the network itself gives them: [texts, 384].

        A text that is longer than a window has the mean of its windows, each as long as it has
        tokens; nothing is cut off.
        """
        start = [_BEGIN, *self._tokenizer.encode(prefix)]
        windows = [
            (row, window)
            for row, text in enumerate(texts)
            for window in _windows(start, self._tokenizer.encode(_plain(text)))
        ]
        sums = np.zeros((len(texts), self._width), np.float32)
        for batch in _batches(windows):
            # A text may have several windows in one batch, which `+=` would count once.
            np.add.at(sums, [row for row, _ in batch], self._run([ids for _, ids in batch]))
        return _unit(sums)

    def _run(self, windows: Sequence[Ids]) -> NDArray[np.float32]:
        """Return the sums of the vectors of the windows' tokens: [windows, 384]."""
        shape = len(windows), max(map(len, windows))
        ids, mask = np.full(shape, _PADDING, np.int64), np.zeros(shape, np.int32)
        for row, window in enumerate(windows):
            ids[row, : len(window)] = window
            mask[row, : len(window)] = 1
        return self._session.run(None, {IDS: ids, MASK: mask})[0]


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths: NDArray[np.float32] = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / lengths


def _plain(text: str) -> str:
    # Its tokenizer was trained to see a space where emoji are joined; sentencepiece's rules have
    # since come to keep the joiner, which would be an unknown piece.
    return sanitize(text.replace(_JOINER, " "), max_chars=len(text))


def _windows(start: Ids, ids: Ids) -> Iterator[Ids]:
    """Yield the ids in parts that fit, each between the marks and after the prefix.

    >>> list(_windows([0, 41, 12], []))
    [[0, 41, 12, 2]]
    """
    room = WINDOW - len(start) - 1
    for at in range(0, max(len(ids), 1), room):
        yield [*start, *ids[at : at + room], _END]


def _batches(windows: Sequence[tuple[int, Ids]]) -> Iterator[Sequence[tuple[int, Ids]]]:
    """Yield the windows by length, so that little is padded: at most 32, and 1024 tokens.

    >>> [[row for row, _ in batch] for batch in _batches([(0, [1] * 512), (1, [1]), (2, [1])])]
    [[1, 2], [0]]
    >>> [len(batch) for batch in _batches([(0, [1] * 512)] * 9)]
    [2, 2, 2, 2, 1]
    """
    batch: list[tuple[int, Ids]] = []
    for row, window in sorted(windows, key=lambda one: len(one[1])):
        if len(batch) == BATCH_SIZE or (len(batch) + 1) * len(window) > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append((row, window))
    if batch:
        yield batch


def _threads(cores: int) -> int:
    """Return how many threads work on one text: two where that leaves half of the cores free.

    Where others need the cores, two are slower than one, and cost a third more.

    >>> [_threads(cores) for cores in (1, 2, 4, 64)]
    [1, 1, 2, 2]
    """
    return max(1, min(_MOST_THREADS, cores // 2))


def _session(model: Path | bytes) -> _Session:
    runtime = importlib.import_module("onnxruntime")
    # Some builds report their use over the network; what a memory holds is nobody's business.
    runtime.disable_telemetry_events()
    options = runtime.SessionOptions()
    options.intra_op_num_threads = _threads(os.cpu_count() or 1)
    options.inter_op_num_threads = 1
    options.log_severity_level = _ERRORS_ONLY
    # Threads that wait by spinning slow down whoever else needs the cores.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Of a path it maps the file; bytes it would hold for as long as it lives, beside its own copy.
    given = model if isinstance(model, bytes) else str(model)
    made = runtime.InferenceSession(given, options, providers=["CPUExecutionProvider"])
    return cast("_Session", made)

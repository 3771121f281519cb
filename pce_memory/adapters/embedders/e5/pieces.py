"""The vocabulary as a SentencePiece model, written in the format of protocol buffers.

The classes that sentencepiece generated for its format demand the very newest protobuf; the three
messages that are needed here are a tag, a length and bytes each.
"""

from __future__ import annotations

import importlib
import struct
from typing import TYPE_CHECKING, Final, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from pce_memory.adapters.embedders.e5.weights import Vocabulary

# What the model was trained with: NFKC, except that a full-width tilde stays, white space folded.
_NORMALISATION: Final = "nmt_nfkc"

# Fields of ModelProto, of its pieces, and of its TrainerSpec.
_PIECE, _TRAINER, _NORMALISER = 1, 2, 3
_TEXT, _SCORE, _TYPE = 1, 2, 3
_MODEL_TYPE, _UNKNOWN_ID, _BEGIN_ID, _END_ID, _PADDING_ID = 3, 40, 41, 42, 43

_UNIGRAM: Final = 1
_NORMAL, _UNKNOWN, _CONTROL = 1, 2, 3

_NUMBER, _BYTES, _FLOAT = 0, 2, 5
_MASK: Final = b"<mask>"
_SEVEN_BITS: Final = 7


class _Normaliser(Protocol):
    def serialized_normalizer_spec(self) -> bytes: ...


def tokenizer_bytes(vocabulary: Vocabulary) -> bytes:
    """Return a model that SentencePieceProcessor loads; its ids are those of the network."""
    pieces = zip(vocabulary.pieces, vocabulary.scores, strict=True)
    marks = {vocabulary.begin, vocabulary.end, vocabulary.padding}
    kinds = {**dict.fromkeys(marks, _CONTROL), vocabulary.unknown: _UNKNOWN}
    written = [
        _bytes(_PIECE, _piece(text, score, _CONTROL if text == _MASK else kinds.get(at, _NORMAL)))
        for at, (text, score) in enumerate(pieces)
    ]
    trainer = {
        _MODEL_TYPE: _UNIGRAM,
        _UNKNOWN_ID: vocabulary.unknown,
        _BEGIN_ID: vocabulary.begin,
        _END_ID: vocabulary.end,
        _PADDING_ID: vocabulary.padding,
    }
    written.append(_bytes(_TRAINER, b"".join(_number(*field) for field in trainer.items())))
    written.append(_bytes(_NORMALISER, _normaliser()))
    return b"".join(written)


def _piece(text: bytes, score: float, kind: int) -> bytes:
    said = _bytes(_TEXT, text) + _tag(_SCORE, _FLOAT) + struct.pack("<f", score)
    return said if kind == _NORMAL else said + _number(_TYPE, kind)


def _normaliser() -> bytes:
    library = importlib.import_module("sentencepiece")
    make = cast("Callable[..., _Normaliser]", library.SentencePieceNormalizer)
    made = make(
        rule_name=_NORMALISATION,
        add_dummy_prefix=True,
        escape_whitespaces=True,
        remove_extra_whitespaces=True,
    )
    return made.serialized_normalizer_spec()


def _bytes(field: int, content: bytes) -> bytes:
    return _tag(field, _BYTES) + _varint(len(content)) + content


def _number(field: int, value: int) -> bytes:
    return _tag(field, _NUMBER) + _varint(value)


def _tag(field: int, kind: int) -> bytes:
    return _varint(field << 3 | kind)


def _varint(value: int) -> bytes:
    r"""Return a whole number in groups of seven bits, the lowest first.

    >>> _varint(300)
    b'\xac\x02'
    """
    groups = bytearray()
    while value >> _SEVEN_BITS:
        groups.append(value & 0x7F | 0x80)
        value >>= _SEVEN_BITS
    groups.append(value)
    return bytes(groups)

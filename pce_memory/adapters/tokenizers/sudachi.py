"""Japanese by a dictionary: SudachiPy's short units in their normal form; needs the extra ja.

Words of other writing go the way of the tokenizer of a plain install. Of a run of Japanese its
content words are indexed, written one way (サーバ is サーバー, 引越し is 引っ越し), and every
kanji: what is said in other words shares those, and a quoted phrase is sure to be found by them.
"""

from __future__ import annotations

import importlib
from importlib.metadata import PackageNotFoundError, version
from threading import local
from typing import TYPE_CHECKING, Final, Protocol

from returns.result import Failure, Result, Success

from pce_memory.adapters.extras import install
from pce_memory.errors import InvalidParameter
from pce_memory.text.fold import caseless
from pce_memory.text.phrases import needed_of
from pce_memory.text.runs import KANJI, Run, runs
from pce_memory.text.tokens import TOKENIZER_ID, is_name, query_terms_of, terms_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

INSTALL: Final = install("ja")

_DICTIONARY: Final = "sudachidict-small"
_RULES: Final = "sudachi-a-norm-kanji-v1"
# Particles and endings are in every text, and written in many forms.
_FUNCTION: Final = frozenset({"助詞", "助動詞", "補助記号", "空白"})
_PIECE: Final = 8_000  # characters; it takes no text of more than 49,149 bytes


class _Morpheme(Protocol):
    def begin(self) -> int: ...
    def end(self) -> int: ...
    def normalized_form(self) -> str: ...
    def part_of_speech(self) -> Sequence[str]: ...


class _Cutter(Protocol):
    def tokenize(self, text: str) -> Sequence[_Morpheme]: ...


class _Dictionary(Protocol):
    def tokenizer(self, *, mode: object) -> _Cutter: ...


class SudachiTokenizer:
    """The tokenizer of a dictionary that is loaded; `sudachi` makes one.

    `needed_terms` of a phrase of kana alone are none.
    """

    def __init__(self, dictionary: _Dictionary, mode: object, dictionary_version: str) -> None:
        self.id = f"{_RULES}-{dictionary_version}+{TOKENIZER_ID}"
        self._dictionary = dictionary
        self._mode = mode
        # One cutter must not be used by two threads at once.
        self._own = local()

    def terms(self, text: str) -> list[str]:
        """Return the terms of a text, as often as they occur."""
        found: list[str] = []
        for run in runs(text):
            found += self._japanese(run) if run.kind == "cjk" else terms_of(run)
        return found

    def query_terms(self, text: str) -> list[str]:
        """Return the terms that a query asks for, each once."""
        found = list(runs(text))
        short = is_name(found)
        asked: dict[str, None] = {}
        only_endings: dict[str, None] = {}
        for run in found:
            if run.kind != "cjk":
                asked.update(dict.fromkeys(query_terms_of(run, is_name=short)))
                continue
            content, function = self._cut(run)
            asked.update(dict.fromkeys(content))
            if not content:
                only_endings.update(dict.fromkeys(function))
        return list(asked or only_endings)

    def needed_terms(self, phrase: str) -> tuple[str, ...]:
        """Return terms that are in every text that holds the phrase, each once."""
        return tuple(dict.fromkeys(term for run in runs(phrase) for term in _needed(run)))

    def _japanese(self, run: Run) -> list[str]:
        content, function = self._cut(run)
        return content or function

    def _cut(self, run: Run) -> tuple[list[str], list[str]]:
        """Return the terms of the content words and of all kanji, and those of the endings."""
        content: list[str] = []
        function: list[str] = []
        for start in range(0, len(run.text), _PIECE):
            piece = run.text[start : start + _PIECE]
            kinds = run.kinds[start : start + _PIECE]
            for one in self._cutter().tokenize(piece):
                begin, end = one.begin(), one.end()
                word = caseless(one.normalized_form()) or piece[begin:end]
                is_function = one.part_of_speech()[0] in _FUNCTION
                (function if is_function else content).append(word)
                kanji = _kanji(piece[begin:end], kinds[begin:end])
                if is_function or [word] != kanji:
                    content += kanji
        return content, function

    def _cutter(self) -> _Cutter:
        cutter: _Cutter | None = getattr(self._own, "cutter", None)
        if cutter is None:
            cutter = self._own.cutter = self._dictionary.tokenizer(mode=self._mode)
        return cutter


def sudachi() -> Result[SudachiTokenizer, InvalidParameter]:
    """Load the dictionary (about 0.05 s) and return its tokenizer."""
    try:
        library = importlib.import_module("sudachipy")
        mode = library.SplitMode.A
        loaded = SudachiTokenizer(library.Dictionary(dict="small"), mode, version(_DICTIONARY))
    except (ImportError, PackageNotFoundError) as fault:
        reason = f"sudachi needs its packages: {INSTALL} ({fault.name} is missing)"
        return Failure(InvalidParameter("tokenizer", reason))
    except Exception as fault:  # noqa: BLE001 - its own kind of error is known only once it is there
        reason = f"sudachi cannot load its dictionary ({type(fault).__name__}); {INSTALL} again"
        return Failure(InvalidParameter("tokenizer", reason))
    return Success(loaded)


def _needed(run: Run) -> Iterator[str]:
    if run.kind == "cjk":
        yield from _kanji(run.text, run.kinds)
    else:
        yield from needed_of(run)


def _kanji(text: str, kinds: str) -> list[str]:
    return [char for char, kind in zip(text, kinds, strict=True) if kind == KANJI]

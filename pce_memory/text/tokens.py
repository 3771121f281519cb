"""Cut text into the terms of the lexical index: words, stems, and n-grams where no spaces are.

Latin words       the word, stemmed if it is ASCII; with and without accents
CJK runs          every character, every pair, katakana words
other scripts     every character, every pair, the word (Thai has no spaces, Hangul has endings)

A text is indexed under `terms`; a query asks for `query_terms`, a subset that leaves out what
nearly every text has, so that any piece of a text finds it and kana endings do not drown it.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from pce_memory.text.fold import caseless
from pce_memory.text.stem import stem

TOKENIZER_ID: Final = "cjk-bigram-porter-v1"

_WORD_UP_TO: Final = 32  # a longer run of a script without spaces is a sentence, not a word
_LONG_KATAKANA: Final = 4  # from here on a final ー is optional: サーバ, サーバー
_MARKED_PAIR: Final = 2

# One letter for each kind of character; the patterns below read a text spelled in these.
_LATIN, _HIRAGANA, _KATAKANA, _KANJI, _OTHER, _MARK, _NONE = "ahkcom "
_RUNS: Final = re.compile("(?P<latin>a[am]*)|(?P<cjk>[hkc][hkcm]*)|(?P<other>o[om]*)")
_KATAKANA_WORD: Final = re.compile("kk[km]+")

_BLOCKS: Final = (
    (_HIRAGANA, 0x3041, 0x309F),
    (_KATAKANA, 0x30A1, 0x30FF),
    (_KATAKANA, 0x31F0, 0x31FF),
    (_KANJI, 0x2E80, 0x2FDF),
    (_KANJI, 0x3005, 0x3007),
    (_KANJI, 0x3021, 0x303C),
    (_KANJI, 0x3100, 0x312F),
    (_KANJI, 0x31A0, 0x31BF),
    (_KANJI, 0x3400, 0x4DBF),
    (_KANJI, 0x4E00, 0x9FFF),
    (_KANJI, 0xF900, 0xFAFF),
    (_KANJI, 0x20000, 0x3FFFF),
    (_LATIN, 0x0000, 0x02AF),
    (_LATIN, 0x1E00, 0x1EFF),
    (_LATIN, 0x2C60, 0x2C7F),
    (_LATIN, 0xA720, 0xA7FF),
    (_LATIN, 0xAB30, 0xAB6F),
)
# Marks of no script of their own: they stay with the letter before them.
_LOOSE_MARKS: Final = (
    (0x0300, 0x036F),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x20D0, 0x20FF),
    (0x3099, 0x309A),
    (0xFE20, 0xFE2F),
)


class _Term(NamedTuple):
    """A term, and whether a query asks for it."""

    text: str
    asked: bool


class _Kinds(dict[int, str]):
    """A translation table from characters to their kinds; learns each one once."""

    def __missing__(self, code: int) -> str:
        kind = self[code] = _kind(code)
        return kind


def _kind(code: int) -> str:
    category = unicodedata.category(chr(code))
    if category[0] == "M":
        loose = any(first <= code <= last for first, last in _LOOSE_MARKS)
        return _MARK if loose else _OTHER
    if category[0] not in "LN":
        return _NONE
    return next((kind for kind, first, last in _BLOCKS if first <= code <= last), _OTHER)


_KINDS: Final = _Kinds()


def terms(text: str) -> list[str]:
    """Return the terms `text` is indexed under, in order, as often as they occur.

    >>> terms("The runners' snake_case IDs: １２-ab")
    ['the', 'runner', 'snake', 'case', 'id', '12', 'ab']
    >>> terms("解約APIを呼ぶ")
    ['解', '約', '解約', 'api', 'を', '呼', 'ぶ', 'を呼', '呼ぶ']
    >>> terms("サーバー")
    ['サ', 'ー', 'バ', 'ー', 'サー', 'ーバ', 'バー', 'サーバ']
    >>> terms("café")
    ['café', 'cafe']
    """
    return [term.text for term in _all_terms(text)]


def query_terms(text: str) -> list[str]:
    """Return the terms a query asks for, each once: those of `terms` that tell texts apart.

    >>> query_terms("解約APIを呼ぶ")
    ['解', '約', '解約', 'api', '呼', 'を呼', '呼ぶ']
    >>> query_terms("ありがとう")
    ['あり', 'りが', 'がと', 'とう']
    >>> query_terms("の"), query_terms("москва")
    (['の'], ['мо', 'ос', 'ск', 'кв', 'ва', 'москва'])
    """
    return list(dict.fromkeys(term.text for term in _all_terms(text) if term.asked))


def term_hash(term: str) -> int:
    """Return the unsigned 64-bit number a term is stored under.

    >>> term_hash("memory")
    16762594610787515322
    """
    digest = hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def _all_terms(text: str) -> Iterator[_Term]:
    folded = caseless(text)
    kinds = folded.translate(_KINDS)
    for run in _RUNS.finditer(kinds):
        word = folded[run.start() : run.end()]
        if run.lastgroup == "latin":
            yield from _latin(word)
        elif run.lastgroup == "cjk":
            yield from _cjk(word, run.group())
        else:
            yield from _other(word)


def _latin(word: str) -> Iterator[_Term]:
    if word.isascii():
        yield _Term(stem(word), asked=True)
        return
    yield _Term(word, asked=True)
    apart = unicodedata.normalize("NFD", word)
    plain = "".join(char for char in apart if not unicodedata.combining(char))
    if plain != word:
        yield _Term(plain, asked=True)


def _cjk(run: str, kinds: str) -> Iterator[_Term]:
    alone = len(run) == 1
    all_hiragana = set(kinds) == {_HIRAGANA}
    for char, kind in zip(run, kinds, strict=True):
        yield _Term(char, asked=alone or kind == _KANJI)
    for (one, other), pair in zip(pairwise(run), pairwise(kinds), strict=True):
        yield _Term(one + other, asked=all_hiragana or pair != (_HIRAGANA, _HIRAGANA))
    for found in _KATAKANA_WORD.finditer(kinds):
        yield _Term(_without_final_bar(run[found.start() : found.end()]), asked=True)


def _without_final_bar(word: str) -> str:
    return word.removesuffix("ー") if len(word) >= _LONG_KATAKANA else word


def _other(run: str) -> Iterator[_Term]:
    for char in run:
        yield _Term(char, asked=len(run) == 1)
    for one, other in pairwise(run):
        yield _Term(one + other, asked=True)
    if _MARKED_PAIR < len(run) <= _WORD_UP_TO:
        yield _Term(run, asked=True)

"""Cut text into the terms of the lexical index: words, stems, and n-grams where no spaces are.

ASCII words       the stem of each part, and the wholes of words of programs (`identifiers`)
Latin words       the word, with and without accents
CJK runs          every character, every pair, katakana words
emoji             one for each sequence (`emoji`)
other scripts     every character, every pair, the word (Thai has no spaces, Hangul has endings)

A text is indexed under `terms`; a query asks for `query_terms`, a subset that leaves out what
nearly every text has, so that any piece of a text finds it and kana endings do not drown it.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from pce_memory.text.identifiers import ASCII_WORD, numbered, written
from pce_memory.text.kana import KATAKANA_WORD, word_key
from pce_memory.text.runs import HIRAGANA, KANJI, Run, beyond_ascii, runs, stretches
from pce_memory.text.stem import stem

TOKENIZER_ID: Final = "cjk-bigram-porter-v3"

_WORD_UP_TO: Final = 32  # a longer run of a script without spaces is a sentence, not a word
_MARKED_PAIR: Final = 2
_FEW: Final = 2  # a query of so many words asks for a name, a longer one is a question
_REMEMBERED: Final = 1 << 16
_REMEMBERED_UP_TO: Final = 32

_ALL_HIRAGANA: Final = re.compile("h+")


class _Words(dict[str, tuple[str, ...]]):
    """The terms of ASCII words. It remembers words of letters: no number, address or key."""

    def __missing__(self, word: str) -> tuple[str, ...]:
        if word.isdigit():
            return (word,)
        parts, wholes, loose, beside = written(word)
        terms = (*parts, *wholes, *loose, *beside)
        if len(word) <= _REMEMBERED_UP_TO and word.replace("-", "").isalpha():
            if len(self) >= _REMEMBERED:
                self.clear()
            self[word] = terms
        return terms


_WORDS: Final = _Words()


def terms(text: str) -> list[str]:
    """Return the terms `text` is indexed under, in order, as often as they occur.

    >>> terms("The runners' snake_case: １２-ab")
    ['the', 'runner', 'snake', 'case', 'snakecas', '=snakecase', '12', 'ab', '12ab']
    >>> terms("解約APIを呼ぶ")
    ['解', '約', '解約', 'api', 'を', '呼', 'ぶ', 'を呼', '呼ぶ']
    >>> terms("サーバー")
    ['サ', 'ー', 'バ', 'ー', 'サー', 'ーバ', 'バー', 'サーバ']
    >>> terms("café")
    ['café', 'cafe']
    """
    if text.isascii():
        return [term for word in ASCII_WORD.findall(text) for term in _WORDS[word]]
    found: list[str] = []
    for words, other in stretches(text):
        for word in words:
            found += _WORDS[word]
        for run in beyond_ascii(other):
            found += terms_of(run)
    return found


def query_terms(text: str) -> list[str]:
    """Return the terms a query asks for, each once: those of `terms` that tell texts apart.

    The whole of a word like well-known is asked for by a query of at most two words.

    >>> query_terms("解約APIを呼ぶ")
    ['解', '約', '解約', 'api', '呼', 'を呼', '呼ぶ']
    >>> query_terms("ありがとう")
    ['あり', 'りが', 'がと', 'とう']
    >>> query_terms("の"), query_terms("москва")
    (['の'], ['мо', 'ос', 'ск', 'кв', 'ва', 'москва'])
    >>> query_terms("dry-run"), query_terms("a dry-run again")
    (['dry', 'run', 'dryrun'], ['a', 'dry', 'run', 'again'])
    """
    found = list(runs(text))
    short = is_name(found)
    return list(
        dict.fromkeys(term for run in found for term in query_terms_of(run, is_name=short))
    )


def is_name(query: Sequence[Run]) -> bool:
    """Tell whether a query has so few words of ASCII that each asks for itself as a whole."""
    return sum(run.kind == "ascii" for run in query) <= _FEW


def terms_of(run: Run) -> Sequence[str]:
    """Return the terms one run is indexed under."""
    if run.kind == "ascii":
        return _WORDS[run.text]
    if run.kind == "emoji":
        return (run.text,)
    if run.kind == "cjk":
        return [*run.text, *map("".join, pairwise(run.text)), *_katakana_words(run)]
    return _latin(run.text) if run.kind == "latin" else _other(run.text)


def query_terms_of(run: Run, *, is_name: bool) -> Iterator[str]:
    """Yield the terms a query asks for because of one run of it."""
    if run.kind == "ascii":
        if run.text.isalpha():  # nothing in it is loose
            yield from _WORDS[run.text]
            return
        word = written(run.text)
        yield from (*word.parts, *word.wholes, *(word.loose if is_name else ()))
        # In a longer question a digit by itself is noise: of BRCA1 it asks for texts with a 1.
        if word.beside:
            yield from (term for term in word.beside if is_name or len(term) > 1)
    elif run.kind == "cjk":
        yield from _asked_cjk(run)
    elif run.kind == "emoji":
        yield run.text
    elif run.kind == "latin":
        yield from _latin(run.text)
    else:
        yield from run.text if len(run.text) == 1 else _other(run.text)[len(run.text) :]


def plain_latin(word: str) -> str:
    """Return the term of a caseless word without its accents; what is ASCII then is stemmed.

    >>> plain_latin("résumés") == stem("resumes"), plain_latin("łódź"), plain_latin("мир")
    (True, 'łodz', 'мир')
    """
    apart = unicodedata.normalize("NFD", word)
    plain = "".join(char for char in apart if not unicodedata.combining(char))
    return stem(plain) if plain.isascii() else plain


def term_hash(term: str) -> int:
    """Return the unsigned 64-bit number a term is stored under.

    >>> term_hash("memory")
    16762594610787515322
    """
    digest = hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def term_hashes(terms: Iterable[str]) -> tuple[int, ...]:
    """Return the numbers of some terms, each once, ascending.

    >>> term_hashes(["memory", "memory"])
    (16762594610787515322,)
    """
    return tuple(sorted({term_hash(term) for term in terms}))


def _asked_cjk(run: Run) -> Iterator[str]:
    text, kinds = run.text, run.kinds
    for char, kind in zip(text, kinds, strict=True):
        if kind == KANJI or len(text) == 1:
            yield char
    all_hiragana = _ALL_HIRAGANA.fullmatch(kinds)
    for (one, other), (kind, next_kind) in zip(pairwise(text), pairwise(kinds), strict=True):
        if all_hiragana or not kind == next_kind == HIRAGANA:
            yield one + other
    yield from _katakana_words(run)


def _katakana_words(run: Run) -> Iterator[str]:
    for found in KATAKANA_WORD.finditer(run.kinds):
        yield word_key(run.text[found.start() : found.end()])


def _latin(word: str) -> list[str]:
    plain = plain_latin(word)
    return list(dict.fromkeys((word, plain, *(() if word.isalpha() else numbered(plain)))))


def _other(run: str) -> list[str]:
    found = [*run, *map("".join, pairwise(run))]
    if _MARKED_PAIR < len(run) <= _WORD_UP_TO:
        found.append(run)
    return found

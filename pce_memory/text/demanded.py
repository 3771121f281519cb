"""What a text must hold that holds every word of a query: its words, not what joins them.

A query asks for more terms than it has words: particles with their neighbours, endings, spellings
of one word. A search for any of them gains by each; of a search for all of them they are no part.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from pce_memory.text.asked import Asked
from pce_memory.text.identifiers import units
from pce_memory.text.kana import without_final_bars
from pce_memory.text.phrases import loose_terms
from pce_memory.text.runs import HIRAGANA, KANJI, MARK, Run, runs
from pce_memory.text.tokens import plain_latin, terms_of

_PARTICLES: Final = frozenset("がをにへとでのはも")
# Chinese, where a query has no kana: of a short run they may be a part of a word (目的, 完了).
_CHINESE: Final = frozenset("的了吗呢吧是在把被和与这那嗎這與")
_LEAST_CHINESE: Final = 4
_JOSA: Final = re.compile(
    "(?<=[\uac00-\ud7a3]{2})"
    "(?:에서는|에서|에게서|에게|으로|로|까지|부터|처럼|보다|한테|은|는|이|가|을|를|에|의|도|와|과|만)$"
)
_HANGUL: Final = re.compile("[\uac00-\ud7a3]+")
# What stands behind an apostrophe, of which the index has a word: what's, don't, we'll.
_CLIPPED: Final = re.compile("[A-Za-z]['’](s|t|d|m|ll|re|ve)(?![A-Za-z])", re.IGNORECASE)
# What a dictionary gives of words that only carry an ending: している, にある, となる.
_LIGHT: Final = frozenset(
    ("為る", "居る", "有る", "成る", "無い", "事", "物", "為", "様", "居", "有")
)


def demanded_terms(asked: Asked) -> tuple[str, ...]:
    """Return those terms of a query that every text has that holds its words; all if none is left.

    >>> from pce_memory.text.asked import read_query
    >>> demanded_terms(read_query("会議が火曜日"))
    ('会', '議', '火', '曜', '日', '会議', '火曜', '曜日')
    >>> demanded_terms(read_query("サーバー管理")), demanded_terms(read_query("dry-run"))
    (('管', '理', 'サー', 'ーバ', '管理'), ('dry', 'run'))
    >>> demanded_terms(read_query("What's Ken's lamp")), demanded_terms(read_query("회의가"))
    (('ken', 'lamp'), ('회의',))
    """
    joining = {clipped[1].lower() for clipped in _CLIPPED.finditer(asked.text)} | _LIGHT
    needed: set[str] = set()
    loose: set[str] = set()
    written = list(runs(asked.text))
    has_kana = any(set(run.kinds) - {KANJI} for run in written if run.kind == "cjk")
    for run in written:
        words = set(_words_of(run, has_kana=has_kana))
        needed |= words
        loose |= {*terms_of(run), run.text} - words
    # What a tokenizer of the host's made of a run is not known here: it stays.
    free = joining | (loose - needed)
    return tuple(term for term in asked.terms if term not in free) or asked.terms


def _words_of(run: Run, *, has_kana: bool) -> Iterator[str]:
    """Yield the terms of one run that are words, or parts of words."""
    if run.kind == "ascii":
        yield from units(run.text)
    elif run.kind == "latin":
        yield plain_latin(run.text)
    elif run.kind == "cjk":
        yield from _cjk(run, has_kana=has_kana)
    elif run.kind == "emoji":
        yield run.text
    else:
        yield from _other(run.text)


def _cjk(run: Run, *, has_kana: bool) -> Iterator[str]:
    """Yield every kanji, and the pairs within one kind of writing that hold no particle."""
    text, kinds = without_final_bars(run.text, run.kinds)
    particles = _PARTICLES
    if not has_kana and len(text) >= _LEAST_CHINESE:
        particles = _CHINESE
    yield from (
        char
        for char, kind in zip(text, kinds, strict=True)
        if (kind == KANJI and char not in particles) or len(text) == 1
    )
    for (one, other), (kind, following) in zip(pairwise(text), pairwise(kinds), strict=True):
        is_word = kind == following or MARK in (kind, following)
        in_kana = kind == HIRAGANA or not has_kana
        if is_word and not (in_kana and {one, other} & particles):
            yield one + other


def _other(text: str) -> Iterator[str]:
    """Yield the pairs of a word without the particle at its end; Hangul has it without a space."""
    word = _JOSA.sub("", text) if _HANGUL.fullmatch(text) else text
    yield from loose_terms((text,), text)
    yield from map("".join, pairwise(word))

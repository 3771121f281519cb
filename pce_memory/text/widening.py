"""The words of a query that a thesaurus knows, each with the words that stand for it.

`expand_query` looks every stretch of a query up. A search is stricter, since a wrong word costs
more than a missing one: a word has to stand by itself, the longest takes what stands in it, and
English words are looked up without their endings.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal, NamedTuple

from pce_memory.domain.ranking import Language, QueryExpansionConfig, Synonyms
from pce_memory.text.expansion import MOST_UNITS, Thesaurus, folded_words
from pce_memory.text.stem import stem
from pce_memory.text.stop_words import STOP_TERMS

_UNITS: Final = re.compile(r"[a-z0-9](?:[a-z0-9_+#./-]*[a-z0-9_+#])?|\S")
_KANJI: Final = re.compile("[\u3005-\u3007\u3400-\u9fff\uf900-\ufaff]")
_KATAKANA: Final = re.compile("[\u30a1-\u30fa\u30fc-\u30ff]")
_HIRAGANA: Final = re.compile("[\u3041-\u3096]")
_JAPANESE: Final = re.compile(f"{_KANJI.pattern}|{_KATAKANA.pattern}|{_HIRAGANA.pattern}")
_ENGLISH: Final = re.compile("[a-z]")
_ENDINGS: Final = (
    ("ies", ("y",), 2),
    ("es", ("",), 3),
    ("s", ("",), 2),
    ("ing", ("", "e"), 3),
    ("ed", ("", "e"), 3),
)
"""An ending, what may stand in its place, and the fewest letters before it."""


@dataclass(frozen=True, slots=True)
class Widened:
    """A word as it stands in a query, and the words that stand for it, the best first."""

    asked: str
    words: tuple[str, ...]


class _Known(NamedTuple):
    """A stretch of a query that the thesaurus has an entry for."""

    asked: str
    entry: Synonyms


def widen(query: str, known: Thesaurus, how: QueryExpansionConfig) -> tuple[Widened, ...]:
    """Return the words of a query that are known, with at most `max_expansions` words in all.

    Synonyms come before related words, and no word comes that the query has. The query tells its
    languages: Japanese where it has kana or kanji, English where it has a letter.

    >>> words = {"bug": {"synonyms": ["defect"]}, "pull request": {"synonyms": ["PR"]}}
    >>> known = Thesaurus({"en": words}, {"en": 2})
    >>> for one in widen("Which bugs has this pull request?", known, QueryExpansionConfig()):
    ...     print(one)
    Widened(asked='pull request', words=('PR',))
    Widened(asked='bugs', words=('defect',))
    """
    text = folded_words(query)
    found = [one for language in languages(text) for one in _found(text, known, language)]
    seen = {text, *(one.asked for one in found), *_units_of(text)}
    words: dict[str, list[str]] = {}
    kinds: tuple[tuple[bool, Literal["synonyms", "related"]], ...] = (
        (how.include_synonyms, "synonyms"),
        (how.include_related, "related"),
    )
    fresh = (
        pair
        for wanted, kind in kinds
        if wanted
        for one in found
        for pair in _fresh(one, kind, seen)
    )
    for asked, word in islice(fresh, max(0, how.max_expansions)):
        words.setdefault(asked, []).append(word)
    return tuple(Widened(asked, tuple(some)) for asked, some in words.items())


def languages(text: str) -> tuple[Language, ...]:
    """Return the languages whose words are looked up, the one a text is written in first.

    >>> languages("締め切りはいつ"), languages("release の手順"), languages("due date")
    (('ja',), ('ja', 'en'), ('en',))
    """
    japanese: tuple[Language, ...] = ("ja",) if _JAPANESE.search(text) else ()
    return (*japanese, "en") if not japanese or _ENGLISH.search(text) else japanese


def _fresh(one: _Known, kind: str, seen: set[str]) -> Iterator[tuple[str, str]]:
    for word in one.entry.get(kind, ()):
        if (folded := folded_words(word)) not in seen:
            seen.add(folded)
            yield one.asked, word


def _found(text: str, known: Thesaurus, language: Language) -> Iterator[_Known]:
    """Yield the words of a text that are known, the longest first; none stands in another."""
    terms = known.terms.get(language, {})
    spans = [one.span() for one in islice(_UNITS.finditer(text), MOST_UNITS)]
    taken = [False] * len(spans)
    for size in range(min(known.longest.get(language, 0), len(spans)), 0, -1):
        for first in range(len(spans) - size + 1):
            start, end = spans[first][0], spans[first + size - 1][1]
            entry = _entry(terms, text[start:end])
            if entry is None or any(taken[first : first + size]):
                continue
            if _stands_alone(text, start, end):
                taken[first : first + size] = [True] * size
                yield _Known(text[start:end], entry)


def _entry(terms: Mapping[str, Synonyms], word: str) -> Synonyms | None:
    return next((terms[one] for one in _bases(word) if one in terms), None)


def _bases(word: str) -> Iterator[str]:
    """Yield a word, then what it may be a form of.

    >>> list(_bases("prs")), list(_bases("shipping"))
    (['prs', 'pr'], ['shipping', 'shipp', 'ship', 'shippe'])
    """
    yield word
    # "has" is no plural of an abbreviation.
    endings = () if stem(word) in STOP_TERMS else _ENDINGS
    for ending, instead, least in endings:
        bare = word.removesuffix(ending)
        if bare == word or len(bare) < least or not bare.replace(" ", "").isalpha():
            continue
        yield bare + instead[0]
        if len(instead) > 1:
            if bare[-1] == bare[-2]:
                yield bare[:-1]
            yield bare + instead[1]


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Return whether a stretch is a word of its own, and no piece of a longer one.

    Of kanji only a single one has to: longer words stand in compounds.

    >>> [_stands_alone(text, 1, 3) for text in ("コンテスト", "電車と", "再会議", "会くる")]
    [False, True, True, True]
    >>> _stands_alone("電車", 1, 2), _stands_alone("明日くる", 2, 4), _stands_alone("にくる", 1, 3)
    (False, True, False)
    """
    before, word, after = text[max(start - 1, 0) : start], text[start:end], text[end : end + 1]
    if _KATAKANA.match(word) and _KATAKANA.match(before):
        return False
    if _KATAKANA.match(word[-1]) and _KATAKANA.match(after):
        return False
    if all(map(_HIRAGANA.match, word)) and _HIRAGANA.match(before):
        return False
    alone = len(word) == 1 and _KANJI.match(word)
    return not (alone and (_KANJI.match(before) or _KANJI.match(after)))


def _units_of(text: str) -> Iterator[str]:
    return (one.group() for one in islice(_UNITS.finditer(text), MOST_UNITS))

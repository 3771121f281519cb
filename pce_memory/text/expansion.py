"""Synonyms and related words of a query, from a dictionary that is passed in (seed 000 §3.4)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from pce_memory.domain.ranking import (
    Dictionary,
    ExpandedQuery,
    ExpansionMetadata,
    QueryExpansionConfig,
    Synonyms,
)
from pce_memory.domain.records import or_value_error, record_of
from pce_memory.text.expansion_given import faults
from pce_memory.text.fold import caseless

MOST_UNITS: Final = 256
"""So many words, or characters of Japanese, of a query are looked up; the rest are not."""
_UNITS: Final = re.compile(r"[a-z0-9](?:[a-z0-9_+#./-]*[a-z0-9_+#])?|[^\W_]|\S")


@dataclass(frozen=True, slots=True)
class Thesaurus:
    """A dictionary ready to look queries up: folded terms by language, and the longest of each."""

    terms: Mapping[str, Mapping[str, Synonyms]]
    longest: Mapping[str, int]


def thesaurus(dictionary: Dictionary) -> Thesaurus:
    """Return a dictionary ready for use; of terms alike but for case or width the first counts."""
    terms: dict[str, dict[str, Synonyms]] = {}
    for language, entries in dictionary.items():
        folded = terms.setdefault(language, {})
        for term, entry in entries.items():
            _ = folded.setdefault(folded_words(term), entry)
    longest = {
        language: max((sum(1 for _ in _UNITS.finditer(one)) for one in folded), default=0)
        for language, folded in terms.items()
    }
    return Thesaurus(terms, longest)


def expand_query(
    query: str,
    config: QueryExpansionConfig | Mapping[str, object] | None = None,
    dictionary: Dictionary | Thesaurus | None = None,
) -> ExpandedQuery:
    """Return what a dictionary has for a query: synonyms first, then related words.

    The whole query is looked up, then what stands in it, the longest first; case and width do not
    matter. Each expansion comes once, none stands in the query already, and there are at most
    `max_expansions`. A language that the dictionary does not have expands nothing, and without a
    dictionary nothing is expanded: `load_expansions` has the packaged one. What is out of its type
    is a ValueError.

    >>> words = {"ja": {"機械学習": {"synonyms": ["ML", "machine learning"], "related": ["AI"]}}}
    >>> expand_query("機械学習", QueryExpansionConfig(language="ja"), words).expanded
    ('ML', 'machine learning', 'AI')
    """
    plain = QueryExpansionConfig()
    how = or_value_error(
        record_of("config", plain if config is None else config, QueryExpansionConfig)
    )
    ready = isinstance(dictionary, Thesaurus)
    wrong = next(faults(query, how, None if ready else dictionary), None)
    if wrong is not None:
        raise ValueError(wrong.message)
    known = dictionary if isinstance(dictionary, Thesaurus) else thesaurus(dictionary or {})
    # One of no type of a language is one that the dictionary does not have.
    language = how.language if isinstance(how.language, str) else ""  # pyright: ignore[reportUnnecessaryIsInstance]
    found = list(_entries(query, language, known))
    there, told = _in_a_row(query), set[str]()

    def fresh(kind: str, most: int) -> tuple[str, ...]:
        new = (one for one in _fresh(found, kind, told) if _in_a_row(one) not in there)
        return tuple(islice(new, max(0, most)))

    near = fresh("synonyms", how.max_expansions) if how.include_synonyms else ()
    far = fresh("related", how.max_expansions - len(near)) if how.include_related else ()
    return ExpandedQuery(query, near + far, ExpansionMetadata(len(near), len(far)))


def _fresh(entries: list[Synonyms], kind: str, seen: set[str]) -> Iterator[str]:
    for entry in entries:
        for word in entry.get(kind, ()):
            if (folded := folded_words(word)) not in seen:
                seen.add(folded)
                yield word


def _in_a_row(text: str) -> str:
    """Return the units of a text such that one stands in another if it is a part of this string.

    >>> _in_a_row("red lamp") in _in_a_row("a Red  lamp"), _in_a_row("red") in _in_a_row("hundred")
    (True, False)
    """
    return "".join(f"\n{one}\n" for one in _UNITS.findall(folded_words(text)))


def _entries(query: str, language: str, known: Thesaurus) -> Iterator[Synonyms]:
    """Yield the entries of the terms of a query, the longest term first, then as they stand."""
    terms = known.terms.get(language, {})
    text = folded_words(query)
    spans = [one.span() for one in islice(_UNITS.finditer(text), MOST_UNITS)]
    looked = {text}
    if text in terms:
        yield terms[text]
    for size in range(min(known.longest.get(language, 0), len(spans)), 0, -1):
        for first in range(len(spans) - size + 1):
            term = text[spans[first][0] : spans[first + size - 1][1]]
            if term in terms and term not in looked:
                looked.add(term)
                yield terms[term]


def folded_words(text: str) -> str:
    """Return a text as words are looked up: without case and width, single spaces between."""
    return " ".join(caseless(text).split())

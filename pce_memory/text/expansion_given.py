"""What callers hand to `expand_query`, looked at before it is used: it may be anything.

A term that somebody gave stands in no error, only of which kind what stands beside it is.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from pce_memory.domain.ranking import QueryExpansionConfig
from pce_memory.errors import InvalidParameter

_KINDS: Final = ("synonyms", "related")


def faults(query: object, config: object, dictionary: object) -> Iterator[InvalidParameter]:
    """Yield what is out of its type.

    >>> words = {"en": {"deploy": {"synonyms": "release"}}}
    >>> next(faults("deploy", QueryExpansionConfig(), words)).message
    'Invalid dictionary.synonyms: it is of type str; give a list of texts'
    """
    if not isinstance(query, str):
        yield _wrong("query", query, "a text")
    if isinstance(config, QueryExpansionConfig):
        yield from _of_config(config)
    else:
        yield _wrong("config", config, "a QueryExpansionConfig")
    if dictionary is not None:
        yield from _of_dictionary(dictionary)


def _of_config(config: QueryExpansionConfig) -> Iterator[InvalidParameter]:
    most = cast("object", config.max_expansions)
    if not isinstance(most, int) or isinstance(most, bool):
        yield _wrong("max_expansions", most, "a whole number")


def _of_dictionary(dictionary: object) -> Iterator[InvalidParameter]:
    if not isinstance(dictionary, Mapping):
        yield _wrong("dictionary", dictionary, "a mapping of languages to their terms")
        return
    for language, terms in cast("Mapping[object, object]", dictionary).items():
        if not isinstance(language, str):
            yield _wrong("dictionary", language, "the name of a language as a key")
        if not isinstance(terms, Mapping):
            yield _wrong("dictionary", terms, "a mapping of terms for a language")
            continue
        for term, entry in cast("Mapping[object, object]", terms).items():
            if not isinstance(term, str):
                yield _wrong("dictionary", term, "a text as a term")
            yield from _of_entry(entry)


def _of_entry(entry: object) -> Iterator[InvalidParameter]:
    if not isinstance(entry, Mapping):
        yield _wrong("dictionary", entry, "a mapping of synonyms and related for a term")
        return
    beside = cast("Mapping[str, object]", entry)
    for kind in _KINDS:
        words = beside.get(kind, ())
        # A text is a sequence too, of letters that stand for nothing.
        if not isinstance(words, Sequence) or isinstance(words, (str, bytes, bytearray)):
            yield _wrong(f"dictionary.{kind}", words, "a list of texts")
            continue
        for one in cast("Sequence[object]", words):
            if not isinstance(one, str):
                yield _wrong(f"dictionary.{kind}", one, "texts in a list")


def _wrong(name: str, given: object, wanted: str) -> InvalidParameter:
    found = "None" if given is None else f"of type {type(given).__name__}"
    return InvalidParameter(name, f"it is {found}; give {wanted}")

"""Read a dictionary of words that stand for each other from YAML, or every fault of its text.

    language: en
    groups:
      - {same: [deadline, due date], asked: [cut-off date], related: [schedule]}

Words of `same` stand for each other, those of `related` for each of them; words of `asked` are
looked up only. A word is looked up in one group of a file. A group of one word keeps what stands
in it from being looked up.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias, cast, get_args

from returns.result import Failure, Result, Success

from pce_memory.domain.ranking import Dictionary, Language, Synonyms
from pce_memory.policy.document import Document, read_document
from pce_memory.policy.faults import MAX_SHOWN, Loc, Located, in_order, path_of, told_at
from pce_memory.text.fold import caseless

MAX_BYTES: Final = 256 * 1024
MAX_CHARS: Final = 64
LANGUAGES: Final = get_args(Language)
_LISTS: Final = ("same", "asked", "related")
_PATH: Final = re.compile(
    r"^(?:language|groups(?:\[[0-9]+\](?:\.(?:same|asked|related)\b(?:\[[0-9]+\])?)?)?)?"
)
"""What a fault shows of a path: no key that a slip may have made of a word."""
_KEYS: Final = ("language", "groups")

_First: TypeAlias = dict[str, tuple[Loc, int]]
"""The group and the line that a word is looked up in first."""


def parse_thesaurus(text: str, name: str = "words.yaml") -> Result[Dictionary, tuple[str, ...]]:
    """Return the entries of a dictionary file, or all its faults as `file:line:column: path: why`.

    No fault shows a word of the file: these may be as private as what they are to find.

    >>> parse_thesaurus("{language: en, groups: [{same: [bug], asked: [defect]}]}").unwrap()["en"]
    {'bug': {'synonyms': [], 'related': []}, 'defect': {'synonyms': ['bug'], 'related': []}}
    >>> parse_thesaurus("language: fr").failure()
    ('words.yaml:1:1: groups: is missing', 'words.yaml:1:11: language: must be ja or en')
    """
    document = read_document(text, name, kind="dictionary", most=MAX_BYTES)
    faults = [*document.faults, *_faults(document)]
    if faults:
        return Failure(_told(faults, name))
    return Success(_dictionary(cast("Mapping[str, object]", document.data)))


def _told(faults: Sequence[Located], name: str) -> tuple[str, ...]:
    ordered = in_order(faults, [name])
    told = [
        f"{told_at(one.where)}: {_PATH.findall(one.path)[0] or '(document)'}: {one.message}"
        for one in ordered[:MAX_SHOWN]
    ]
    more = len(ordered) - len(told)
    return (*told, *([f"{name}: and {more} more faults"] if more else []))


def _faults(document: Document) -> Iterator[Located]:
    """Yield what the shape of a dictionary is not; nothing more of what could not be read."""
    if document.is_broken(()):
        return
    if not isinstance(document.data, Mapping):
        yield _fault(document, (), "must be a mapping of language and groups")
        return
    data = cast("Mapping[str, object]", document.data)
    yield from _unknown(document, (), data, _KEYS)
    for key in _KEYS:
        if key not in data:
            yield Located(document.where((), key=True), key, "is missing")
    if "language" in data and data["language"] not in LANGUAGES:
        yield _fault(document, ("language",), f"must be {' or '.join(LANGUAGES)}")
    groups = data.get("groups", [])
    if not isinstance(groups, list) or ("groups" in data and not groups):
        yield _fault(document, ("groups",), "must be a list of groups, one at least")
        return
    yield from _group_faults(document, cast("list[object]", groups))


def _group_faults(document: Document, groups: list[object]) -> Iterator[Located]:
    first: _First = {}
    for number, group in enumerate(groups):
        loc: Loc = ("groups", number)
        if document.is_broken(loc):
            continue
        if not isinstance(group, Mapping):
            yield _fault(document, loc, "must be a mapping with a list of same")
            continue
        lists = cast("Mapping[str, object]", group)
        yield from _unknown(document, loc, lists, _LISTS)
        if not lists.get("same"):
            yield _fault(document, loc, "needs a word in same")
        yield from _word_faults(document, loc, lists, first)


def _word_faults(
    document: Document, loc: Loc, lists: Mapping[str, object], first: _First
) -> Iterator[Located]:
    """Yield what is wrong with the words of a group."""
    here: dict[str, str] = {}
    for key in _LISTS:
        words = lists.get(key, [])
        if not isinstance(words, list):
            yield _fault(document, (*loc, key), "must be a list of words")
            continue
        for number, word in enumerate(cast("list[object]", words)):
            at = (*loc, key, number)
            if document.is_broken(at):
                continue
            reason = _wrong(word, key) or _again(str(word), key, here)
            if not reason and key != "related":
                own = loc, document.where(at).line
                other, line = first.setdefault(_folded(str(word)), own)
                if other != loc:
                    reason = f"this word stands in a group already, in line {line}"
            if reason:
                yield _fault(document, at, reason)


def _again(word: str, key: str, here: dict[str, str]) -> str:
    """Return why a word may not stand in a list of its group too; `here` has those that do.

    What is looked up only may be looked for as a related word.
    """
    before = here.get(_folded(word))
    here[_folded(word)] = key
    if before is None or (before, key) == ("asked", "related"):
        return ""
    return "this word stands in the group already"


def _wrong(word: object, key: str) -> str:
    if not isinstance(word, str):
        return "a word is text; write it in quotes"
    if not any(char.isalnum() for char in _folded(word)):
        return "a word has a letter or a digit"
    if len(word) > MAX_CHARS or "\n" in word:
        return f"a word has at most {MAX_CHARS} characters, all in one line"
    if key != "asked" and len(word.strip()) == 1 and not word.isascii():
        return "a single character stands in too many words; it is looked up only, in asked"
    return ""


def _unknown(
    document: Document, loc: Loc, given: Mapping[str, object], known: Sequence[str]
) -> Iterator[Located]:
    # The key is not named: in a slip of indentation it is a word.
    for key in given:
        if key not in known and not document.is_broken((*loc, key)):
            where = document.where((*loc, key), key=True)
            message = f"there is no such key; the keys are {', '.join(known)}"
            yield Located(where, path_of(loc), message)


def _fault(document: Document, loc: Loc, message: str) -> Located:
    return Located(document.where(loc), path_of(loc), message)


def _dictionary(data: Mapping[str, object]) -> Dictionary:
    entries: dict[str, Synonyms] = {}
    for group in cast("list[Mapping[str, list[str]]]", data["groups"]):
        same, related = group["same"], group.get("related", [])
        for word in same:
            others = [one for one in same if one != word]
            entries[word] = {"synonyms": others, "related": related}
        for word in group.get("asked", []):
            further = [one for one in related if _folded(one) != _folded(word)]
            entries[word] = {"synonyms": same, "related": further}
    return {str(data["language"]): entries}


def _folded(text: str) -> str:
    return " ".join(caseless(text).split())

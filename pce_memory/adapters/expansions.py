"""The words that stand for each other: those of policies/expansion, and a host's own files."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, cast

from returns.result import Failure, Result, Success

from pce_memory.adapters.policy_files import decoded
from pce_memory.adapters.regular_file import read_regular, told
from pce_memory.domain.ranking import Dictionary, Synonyms
from pce_memory.errors import InvalidParameter
from pce_memory.policy.thesaurus_file import LANGUAGES, MAX_BYTES, parse_thesaurus
from pce_memory.resources import resource
from pce_memory.text.expansion import Thesaurus, thesaurus

MOST_FILES: Final = 16


@cache
def packaged_words() -> Dictionary:
    """Return the packaged words of every language; they are read when they are first asked for."""
    folder = resource("policies") / "expansion"
    return {
        language: parse_thesaurus(
            (folder / f"{language}.yaml").read_text("utf-8"), f"{language}.yaml"
        ).unwrap()[language]
        for language in LANGUAGES
    }


class Expansions:
    """The packaged words below some of a host's; made when they are first asked for."""

    def __init__(self, given: Sequence[Dictionary] = ()) -> None:
        self._given = tuple(given)
        self._made: Thesaurus | None = None

    def __call__(self) -> Thesaurus:
        """Return all words; the entry of a word is the first that is given for it."""
        # Two threads may both make it: they make the same.
        if self._made is None:
            self._made = _merged((*self._given, packaged_words()))
        return self._made


def _merged(dictionaries: Sequence[Dictionary]) -> Thesaurus:
    # Words alike but for case or width are one: of these too the first counts.
    every: dict[str, dict[str, Synonyms]] = {}
    for dictionary in dictionaries:
        for language, entries in dictionary.items():
            known = every.setdefault(language, {})
            for word, entry in entries.items():
                _ = known.setdefault(word, entry)
    return thesaurus(every)


def words_of(path: str | Path) -> Result[Dictionary, str]:
    """Return the words of a file, or why there are none: every fault, a line each."""
    name = Path(path).name
    read = read_regular(path, most=MAX_BYTES + 4)
    return Result.do(
        words
        for data in read.alt(lambda fault: f"the file {name} cannot be read ({told(fault)})")
        for text in decoded(data, most=MAX_BYTES + 4).alt(lambda why: f"{name}: {why}")
        for words in parse_thesaurus(text, name).alt("\n".join)
    )


def load_expansions(*paths: str | Path) -> Result[Thesaurus, InvalidParameter]:
    """Return the words of files above the packaged ones, as `expand_query` takes a dictionary.

    >>> from pce_memory.text.expansion import expand_query
    >>> expand_query("a new database", dictionary=load_expansions().unwrap()).expanded
    ('DB', 'データベース')
    """
    given = cast("Sequence[object]", paths)
    if len(given) > MOST_FILES or not all(isinstance(one, (str, Path)) for one in given):
        return Failure(InvalidParameter("paths", f"give paths of at most {MOST_FILES} files"))
    return (
        expansions_of(paths)
        .map(lambda every: every())
        .alt(lambda why: InvalidParameter("paths", why))
    )


def expansions_of(paths: Sequence[str | Path]) -> Result[Expansions, str]:
    """Return the words of files above the packaged ones, or the faults of all the files."""
    read = [words_of(path) for path in paths]
    faults = [one.failure() for one in read if isinstance(one, Failure)]
    if faults:
        return Failure("\n".join(faults))
    return Success(Expansions([one.unwrap() for one in read]))

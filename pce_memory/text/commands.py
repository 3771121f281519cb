"""Find secrets in commands: a table as data of programs and the options they take one by.

A row has programs, words that have to be in the command, options and a form: how the secret
stands in what the option takes. `#n` is the n-th word behind the program, or behind the word
that is named, `#` any word, `<` what comes by a pipe. `-*b` is a flag among other letters.
"""

import csv
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from pce_memory.text.chosen import is_chosen
from pce_memory.text.fold import Span
from pce_memory.text.likeness import is_reference
from pce_memory.text.quick_search import QuickSearch, quick_search
from pce_memory.text.secret_names import Claim, claim_of

_GAP: Final = r"(?:[ \t]|\\\r?\n)"
_WORD: Final = re.compile(
    rf"""{_GAP}{{1,64}}(?P<word>(?:"(?:\\.|[^"\n\\])*+"|'[^'\n]*+'|\\[^\r\n]|[^\s"'|;&<>\\`]|["'])++)"""
)
_ECHOED: Final = re.compile(
    r"""(?<![\w-])(?:echo|printf)[ \t]{1,4}(?:-[neE]{1,3}[ \t]{1,4}|["']?%s"""
    r"""(?:\\n)?["']?[ \t]{1,4})?"""
    r"""(?P<word>"[^"\n|]{1,256}"|'[^'\n|]{1,256}'"""
    r"""|[^\s"'|;&<>$]{1,256})[ \t]{0,8}\|[ \t]{0,8}(?:\\\r?\n[ \t]{0,8})?"""
    r"""(?:sudo[ \t]{1,4}(?!-S))?\Z"""
)
_HERE: Final = re.compile(
    r"""[ \t]{0,8}<<<[ \t]{0,8}(?P<word>"[^"\n]{1,256}"|'[^'\n]{1,256}'|[^\s"'$]{1,256})"""
)
_BEFORE: Final = 320
_MOST_WORDS: Final = 64
_MOST_PROGRAMS: Final = 4
_PLAIN: Final = frozenset(
    re.findall(
        r"\S+",
        "pass passw password passwd pwd pw test token secret user username admin-password "
        "mypassword value key file env x y foo bar yes no on off all none stdin prompt",
    )
)
_NO_PLACE: Final = re.compile(r"-|/[A-Za-z]+(?::.*)?$")
_PAIR: Final = re.compile(r"[\w.-]{1,128}=")


class _Row(NamedTuple):
    """A row of the table made ready."""

    words: frozenset[str]
    options: tuple[str, ...]
    form: str


class _Command(NamedTuple):
    """The words behind a program, and the text they stand in."""

    text: str
    start: int
    end: int
    words: Sequence[Span]

    def word(self, place: int) -> str:
        start, end = _unquoted(self.text, self.words[place])
        return self.text[start:end]


def secrets_of_commands(text: str) -> Iterator[Span]:
    """Find what commands take as a secret.

    >>> command = "mysql -uroot -pPelican shop; docker login -u me -p 'blue pelican' x.example"
    >>> [command[a:b] for a, b in secrets_of_commands(command)]
    ['Pelican', 'blue pelican']
    """
    ended, programs = 0, 0
    command = _Command(text, 0, 0, ())
    for start, end in _search()(text):
        if start and (text[start - 1].isalnum() or text[start - 1] in "_-."):
            continue
        program = text[start:end].rstrip("\\ \t")
        if start >= ended:
            command, programs = _command(text, start, start + len(program)), 0
            ended = command.end
        programs += 1
        if programs <= _MOST_PROGRAMS:
            words = [word for word in command.words if word[0] >= start + len(program)]
            yield from _given(command._replace(start=start, words=words), program)


def _given(command: _Command, program: str) -> Iterator[Span]:
    words = [command.word(place) for place in range(len(command.words))]
    for row in _rows()[program]:
        if all(_has_word(word, words) for word in row.words):
            for option in row.options:
                for span in _FORMS_OF[option[0] if option[0] in "#<" else "-"](
                    command, words, option, row
                ):
                    yield from _secrets(command.text, span, row.form)


def _has_word(word: str, words: Sequence[str]) -> bool:
    if "*" not in word:
        return word in words
    return any(re.fullmatch(rf"-[A-Za-z]*{word[-1]}[A-Za-z]*", option) for option in words)


def _by_option(command: _Command, words: Sequence[str], option: str, row: _Row) -> Iterator[Span]:
    for place, word in enumerate(words):
        start, end = _unquoted(command.text, command.words[place])
        if row.form == "glued":
            if word.startswith(option) and len(word) > len(option) and word[len(option)] != "=":
                yield start + len(option), end
        elif word.startswith(f"{option}="):
            yield start + len(option) + 1, end
        elif word == option and row.form != "equals" and place + 1 < len(words):
            yield command.words[place + 1]


def _by_place(command: _Command, words: Sequence[str], option: str, _: _Row) -> Iterator[Span]:
    """Yield the n-th word behind the program or another word; without a number each."""
    number, behind = option[1:].partition(" ")[::2]
    first = 0
    if behind:
        first = next(
            (at + 1 for at, word in enumerate(words) if word.endswith(behind)), len(words)
        )
    places = [place for place in range(first, len(words)) if not _NO_PLACE.match(words[place])]
    if not number:
        yield from (command.words[place] for place in places)
    elif len(places) >= int(number):
        place = places[int(number) - 1]
        if not _PAIR.match(words[place]):
            yield command.words[place]


def _by_pipe(command: _Command, _said: Sequence[str], _option: str, _: _Row) -> Iterator[Span]:
    text = command.text
    echoed = _ECHOED.search(text, max(0, command.start - _BEFORE), command.start)
    here = _HERE.match(text, command.words[-1][1] if command.words else command.end)
    for piped in (echoed, here):
        if piped:
            yield piped.span("word")


_FORMS_OF: Final[Mapping[str, Callable[[_Command, Sequence[str], str, _Row], Iterator[Span]]]] = {
    "-": _by_option,
    "#": _by_place,
    "<": _by_pipe,
}


def _secrets(text: str, span: Span, form: str) -> Iterator[Span]:
    start, end = _unquoted(text, span)
    if form in {"assigned", "named"}:
        yield from _pairs(text, (start, end), named=form == "named")
        return
    if form.startswith("pair"):
        sign = text.find(form[-1], start, end)
        if sign < 0:
            return
        start = sign + 1
        if form[-1] == "/" and (host := text.find("@", start, end)) > 0:
            end = host
    elif form == "pass:":
        if text.startswith("pass:", start):
            start += len("pass:")
        elif re.match(r"(?:file|env|fd|stdin)\b", text[start:end]):
            return
    start, end = _unquoted(text, (start, end))
    if _is_given(text[start:end]):
        yield start, end


def _pairs(text: str, span: Span, *, named: bool) -> Iterator[Span]:
    """Yield the values of pairs such as a=b,c=d; those of names that say so, or all of them."""
    start, end = span
    for pair in _PAIR.finditer(text, start, end):
        if pair.start() > start and text[pair.start() - 1] not in " ,;'\"":
            continue
        stop = (
            next((at for at in range(pair.end(), end) if text[at] in ",; "), end) if named else end
        )
        value = _unquoted(text, (pair.end(), stop))
        claimed = not named or claim_of(pair.group()[:-1]) >= Claim.TOKEN
        if claimed and _is_given(text[slice(*value)]):
            yield value
        if not named:
            return


def _is_given(value: str) -> bool:
    return value.lower() not in _PLAIN and not is_reference(value) and is_chosen(value)


def _unquoted(text: str, span: Span) -> Span:
    start, end = span
    if end - start > 1 and text[start] in "\"'" and text[end - 1] == text[start]:
        return start + 1, end - 1
    return start, end


def _command(text: str, start: int, end: int) -> _Command:
    words: list[Span] = []
    while len(words) < _MOST_WORDS and (word := _WORD.match(text, end)):
        words.append(word.span("word"))
        end = word.end()
    return _Command(text, start, end, words)


@cache
def _rows() -> Mapping[str, Sequence[_Row]]:
    rows: defaultdict[str, list[_Row]] = defaultdict(list)
    table = (files("pce_memory.text") / "secret_commands.csv").read_text("utf-8")
    for programs, words, options, form in list(csv.reader(table.splitlines()))[1:]:
        # A place behind a word is one option.
        several = (options,) if options.startswith("#") else tuple(options.split())
        for program in programs.split():
            rows[program].append(_Row(frozenset(words.split()), several, form))
    return rows


def command_patterns() -> list[str]:
    """Return what commands are looked for by: patterns for `quick_search`."""
    return [rf"(?:{'|'.join(map(re.escape, sorted(_rows())))})[ \t\\]+"]


@cache
def _search() -> QuickSearch:
    return quick_search([*command_patterns(), "chpasswd"])

"""Find secrets under their names: in the rows under a header, in a statement, under a heading."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from pce_memory.text.chosen import is_chosen_in_quotes
from pce_memory.text.elements import is_in_its_place
from pce_memory.text.fold import Span
from pce_memory.text.likeness import is_strong
from pce_memory.text.quick_search import QuickSearch, quick_search
from pce_memory.text.secret_names import Claim, claim_of

_SIGNS: Final = ("|", ";", "\t", ",")
_MOST_CELLS: Final = 64
_LONGEST_HEADER: Final = 1024
_RULE: Final = re.compile(r"[ \t|:+=-]*")
_HEADER_CELL: Final = re.compile(r"[\w .()/#*`'-]{1,40}")
_ASCII_NAMES: Final = (
    r"(?i)(?:pass|passw[a-z]+|pw|pwd|secret|token|key|psk|credentials?|kennwort|senha"
    r"|contras[a-z]*)\b"
)
_UNWRITTEN: Final = ("パス", "暗証", "密码", "密碼", "비밀번호", "値")
_NAMES: Final = re.compile("パス|暗証|密码|密碼|비밀번호|[|][^|\n]{0,16}値")
_VALUES: Final = frozenset(
    [
        "value",
        "values",
        "値",
        "設定値",
        "内容",
        "current value",
        "setting",
        "wert",
        "valor",
        "valeur",
    ]
)
_INSERT: Final = re.compile(
    r"(?i)\b(?:INSERT|REPLACE)\s{1,4}(?:IGNORE\s{1,4})?INTO\s{1,4}[\w.`\"\[\]]{1,128}\s{0,4}\((?P<names>[^()\n]{1,1024})\)\s{0,8}VALUES\s{0,8}"
)
_TUPLE: Final = re.compile(
    r"\s{0,8},?\s{0,8}\((?P<values>(?:'(?:''|[^'\n])*+'|[^()'\n]){1,2048})\)"
)
_HEADING: Final = re.compile(
    r"(?P<hash>\#{1,6}[ \t]{1,4}|\*\*|__)?(?P<name>[^\s:#|*`][^\n:#|*`]{1,39}?)(?:\*\*"
    r"|__)?[ \t]*(?P<sign>[:：])?(?:\*\*|__)?[ \t]*"
    r"(?P<rule>\n[-=~]{3,64}[ \t]*)?(?:\r?\n[ \t]*){1,3}(?:```\w{0,10}[ \t]*\n[ \t]*|`|> ?)?"
    r"(?P<value>[!-~]{4,512})(?=`?[ \t]*(?:\r?\n|$))"
)


class _Table(NamedTuple):
    """What the header of a table says: the sign between cells, how many, and which are secret.

    `named` is where in each row the name of a secret stands, if the header has none itself.
    """

    sign: str
    cells: int
    claims: Mapping[int, Claim]
    named: tuple[int, int] | None = None


def secrets_of_columns(text: str) -> Iterator[Span]:
    r"""Find them.

    >>> text = "user,password\napp,pelican\n"
    >>> [text[a:b] for a, b in secrets_of_columns(text)]
    ['pelican']
    """
    ended = 0
    begins = [start for start, _ in _search()(text)]
    if any(name in text for name in _UNWRITTEN):
        begins = sorted([*begins, *(name.start() for name in _NAMES.finditer(text))])
    for begin in begins:
        start = text.rfind("\n", max(0, begin - _LONGEST_HEADER), begin) + 1
        if start < ended or begin - start >= _LONGEST_HEADER:
            continue
        end = _end_of_line(text, begin)
        ended = end + 1
        table = _header(text, start, end) if end - start <= _LONGEST_HEADER else None
        if table:
            ended, cells = _rows(text, end + 1, table)
            yield from cells
        elif heading := _HEADING.match(
            text, start + len(text[start:end]) - len(text[start:end].lstrip())
        ):
            yield from _under_heading(heading)
    for begin, _ in _inserts()(text):
        if insert := _INSERT.match(text, begin):
            yield from _inserted(text, insert)


def _end_of_line(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end


def _rows(text: str, start: int, table: _Table) -> tuple[int, list[Span]]:
    """Return where the rows of a table have ended, and which cells are secrets."""
    secrets: list[Span] = []
    while start < len(text):
        end = _end_of_line(text, start)
        if table.sign != "|" or not _RULE.fullmatch(text, start, end):
            cells = _cells(text, start, end, table.sign)
            if len(cells) != table.cells or not text[start:end].strip():
                break
            secrets += _secret_cells(text, cells, table)
        start = end + 1
    return start, secrets


def _secret_cells(text: str, cells: list[Span], table: _Table) -> Iterator[Span]:
    claims = table.claims
    if table.named:
        name = text[slice(*cells[table.named[0]])]
        claims = {table.named[1]: claim_of(name.replace(" ", "_"))}
    for place, claim in claims.items():
        value = text[slice(*cells[place])]
        if claim is Claim.PASSWORD:
            if is_chosen_in_quotes(value) and (" " not in value or is_strong(value)):
                yield cells[place]
        elif claim >= Claim.TOKEN and is_in_its_place(value, claim):
            yield cells[place]


def _header(text: str, start: int, end: int) -> _Table | None:
    line = text[start:end]
    sign = next((sign for sign in _SIGNS if sign in line), None)
    if sign is None:
        return None
    cells = _cells(text, start, end, sign)
    names = [text[slice(*cell)].strip("* ") for cell in cells]
    if not 1 < len(names) <= _MOST_CELLS or not all(map(_HEADER_CELL.fullmatch, names)):
        return None
    # The first column is that of the names.
    value = next(
        (place for place, name in enumerate(names) if place and name.lower() in _VALUES), 0
    )
    if value and sign == "|":
        return _Table(sign, len(cells), {}, (0, value))
    claims = {place: claim_of(name.replace(" ", "_")) for place, name in enumerate(names)}
    # Under `token` stands what a text is made of: only a name of two words is sure.
    sure = {
        place: claim
        for place, claim in claims.items()
        if claim > Claim.TOKEN or (claim is Claim.TOKEN and not names[place].isalpha())
    }
    return _Table(sign, len(cells), sure) if sure else None


def _cells(text: str, start: int, end: int, sign: str, quotes: str = '"') -> list[Span]:
    """Return where the cells of a line stand, without quotes and blanks."""
    start, end = _stripped(text, start, end) if sign != "\t" else (start, end)
    if sign == "|":
        start += text[start : start + 1] == "|"
        end -= end > start and text[end - 1] == "|"
    cells: list[Span] = []
    inside, begin = False, start
    for at in range(start, min(end, start + 2 * _LONGEST_HEADER)):
        if text[at] in quotes and sign != "|":
            inside = not inside
        elif text[at] == sign and not inside:
            cells.append(_unquoted(text, begin, at))
            begin = at + 1
    return [*cells, _unquoted(text, begin, end)]


def _stripped(text: str, start: int, end: int) -> Span:
    while start < end and text[start] in " \t":
        start += 1
    while end > start and text[end - 1] in " \t\r":
        end -= 1
    return start, end


def _unquoted(text: str, start: int, end: int) -> Span:
    start, end = _stripped(text, start, end)
    if end - start > 1 and text[start] in "\"`'" and text[end - 1] == text[start]:
        return start + 1, end - 1
    return start, end


def _under_heading(heading: re.Match[str]) -> Iterator[Span]:
    """Yield a single word under a heading, or under a name and a colon."""
    claim = claim_of(heading["name"].strip().replace(" ", "_"))
    value = heading["value"].strip("`")
    headed = heading["hash"] or heading["rule"] or heading["sign"]
    if not headed or claim < Claim.TOKEN or value.endswith(":") or not is_strong(value):
        return
    if is_in_its_place(value, claim):
        start = heading.start("value") + heading["value"].index(value)
        yield start, start + len(value)


def _inserted(text: str, insert: re.Match[str]) -> Iterator[Span]:
    """Yield the values that a statement of SQL puts into columns of secrets."""
    names = [text[slice(*cell)] for cell in _cells(text, *insert.span("names"), ",", "'")]
    claims = {place: claim_of(name.strip('`"[]')) for place, name in enumerate(names)}
    place = insert.end()
    while row := _TUPLE.match(text, place):
        place = row.end()
        cells = _cells(text, *row.span("values"), ",", "'")
        if len(cells) == len(names):
            yield from _secret_cells(text, cells, _Table(",", len(names), claims))


@cache
def _search() -> QuickSearch:
    return quick_search([_ASCII_NAMES, r"(?i)\|[^|\n]{0,16}value[ *]{0,4}\|"])


@cache
def _inserts() -> QuickSearch:
    return quick_search([r"(?i)\b(?:insert|replace)\s+(?:ignore\s+)?into\s"])

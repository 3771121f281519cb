"""Find tokens by the formats that vendors document: a table as data, read at its first use.

A form is literal text and `{alphabet:length}`; a length is `n`, `n-m` or `n-`. A check digit is
not tested: a token with a slip in it is still a secret. Forms that may be broken across lines or
need more than this are patterns in `secrets`.
"""

import csv
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from pce_memory.text.fold import Span
from pce_memory.text.quick_search import QuickSearch, quick_search
from pce_memory.text.randomness import is_random

ALPHABETS: Final[Mapping[str, str]] = {
    "digit": "0-9",
    "hex": "0-9A-Fa-f",
    "upper": "A-Z0-9",
    "lower": "a-z0-9",
    "label": "A-Za-z",
    "alnum": "A-Za-z0-9",
    "word": "A-Za-z0-9_-",
    "base64": "A-Za-z0-9+/=",
    "twitter": "A-Za-z0-9%",
    "typeform": "A-Za-z0-9_.=-",
}
_UUID: Final = "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"
_PART: Final = re.compile(r"\{(?P<alphabet>[a-z0-9]+):(?P<least>\d+)(?P<open>-(?P<most>\d*))?\}")
_EQUALS: Final = re.compile(r"=\{0-2\}")
_LONG_PREFIX: Final = 4
_MOST: Final = 4096
_PLACEHOLDER: Final = re.compile(r"([xX*0.])\1{7,}|(?i:your|example|replace|insert)")


class TokenFormat(NamedTuple):
    """A row of the table."""

    vendor: str
    form: str
    source: str


class _Row(NamedTuple):
    """A format made ready: what is looked for first, and how far before it a token may begin."""

    needle: str
    leads: range
    distinct: bool
    pattern: re.Pattern[str]


class _Engine(NamedTuple):
    """All rows: where one of them may be, those of each needle, and how long needles are."""

    search: QuickSearch
    rows: Mapping[str, Sequence[_Row]]
    sizes: Sequence[int]


@cache
def token_formats() -> tuple[TokenFormat, ...]:
    """Return the rows of the table.

    >>> {row.vendor for row in token_formats()} >= {"GitHub", "Stripe", "Yandex"}
    True
    """
    text = (files("pce_memory.text") / "token_formats.csv").read_text("utf-8")
    return tuple(TokenFormat(*row) for row in csv.reader(text.splitlines()[1:]))


def token_parts(form: str) -> Iterator[tuple[str, str, int, int]]:
    """Yield the parts of a form: literal text, alphabet, least and most characters.

    >>> list(token_parts("npm_{alnum:36}"))
    [('npm_', '', 0, 0), ('', 'alnum', 36, 36)]
    """
    place = 0
    form = _EQUALS.sub("", form)
    for part in _PART.finditer(form):
        if part.start() > place:
            yield form[place : part.start()], "", 0, 0
        least = int(part["least"])
        most = int(part["most"] or _MOST) if part["open"] else least
        yield "", part["alphabet"], least, most
        place = part.end()
    if place < len(form):
        yield form[place:], "", 0, 0


def table_tokens(text: str) -> Iterator[Span]:
    """Find the tokens of the table.

    >>> list(table_tokens("with sgp_" + "local_" + "0123456789abcdef0123" * 2 + " in it"))
    [(5, 55)]
    """
    search, rows, sizes = _engine(token_formats())
    for hit, _ in search(text):
        for size in sizes:
            for row in rows.get(text[hit : hit + size], ()):
                yield from _matched(row, text, hit)


def _matched(row: _Row, text: str, hit: int) -> Iterator[Span]:
    for lead in row.leads:
        found = row.pattern.match(text, hit - lead) if hit >= lead else None
        if found and _is_token(row, found.group()):
            yield found.span()
            return


def _is_token(row: _Row, token: str) -> bool:
    if _PLACEHOLDER.search(token):
        return False
    return row.distinct or is_random(token)


@cache
def _engine(formats: Sequence[TokenFormat]) -> _Engine:
    rows: defaultdict[str, list[_Row]] = defaultdict(list)
    needles: set[str] = set()
    for row in map(_row, (row.form for row in formats)):
        rows[row.needle].append(row)
        needles.add(re.escape(row.needle) + ("" if row.leads.start else "[A-Za-z0-9._-]{4}"))
    sizes = sorted({len(needle) for needle in rows})
    return _Engine(quick_search(sorted(needles)), rows, sizes)


def _row(form: str) -> _Row:
    parts = list(token_parts(form))
    place = 0 if parts[0][0] else max(range(len(parts)), key=lambda i: len(parts[i][0]))
    before = parts[:place]
    least = sum(len(literal) + few for literal, _, few, _ in before)
    most = sum(len(literal) + many for literal, _, _, many in before)
    needle, leads = parts[place][0], range(most, least - 1, -1)
    body = "".join(_compiled_part(*part) for part in parts)
    distinct = len(needle) >= _LONG_PREFIX
    extra = f"[{ALPHABETS[parts[-1][1]]}]*+" if distinct and parts[-1][1] in ALPHABETS else ""
    pattern = rf"(?<![A-Za-z0-9]){body}{extra}={{0,2}}(?![A-Za-z0-9_])"
    return _Row(needle, leads, distinct, re.compile(pattern))


def _compiled_part(literal: str, alphabet: str, least: int, most: int) -> str:
    if literal:
        return re.escape(literal)
    if alphabet == "uuid":
        return _UUID
    return f"[{ALPHABETS[alphabet]}]{{{least},{most}}}"

"""Find what a name is set to, or falls back to, in calls and templates.

`define('DB_PASSWORD', 'pelican')`, `getenv("DB_PASS", "pelican")`, `${DB_PASS:-pelican}`.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from pce_memory.text.elements import is_in_its_place
from pce_memory.text.fold import Span
from pce_memory.text.quick_search import QuickSearch, quick_search
from pce_memory.text.secret_names import Claim, claim_of

_CALLED: Final = (
    r"(?i:define|constant|get|set|put|add|env|property|properties|default|config|fetch)"
)
_CALL: Final = re.compile(
    r"""(?:[A-Za-z_]*)\(\s{0,4}(?P<mark>["'])(?P<name>[\w.-]{2,96})(?P=mark)\s{0,4},\s{0,16}"""
    r"""(?P<open>["'])(?P<value>[^"'\n]{3,512})(?P=open)\s{0,4}\)"""
)
_TEMPLATE: Final = re.compile(
    r"""\$\{(?P<name>[A-Za-z_][\w.-]{1,96}):[-=?]{0,1}(?P<value>[^{}\s$"'?]{3,256})\}"""
)
_FILTER: Final = re.compile(
    r"""(?P<name>[A-Za-z_][\w.\]['"]{1,96}?)\s{0,2}\|\s{0,2}(?:d|default)\(\s{0,2}"""
    r"""(?P<open>["'])(?P<value>[^"'\n]{3,256})(?P=open)"""
)
_REACH: Final = 128


def secrets_of_fallbacks(text: str) -> Iterator[Span]:
    """Find them.

    >>> texts = "x = os.environ.get('DB_PASS', 'pelican')", "${DB_PASS:-pelican}"
    >>> [text[start:end] for text in texts for start, end in secrets_of_fallbacks(text)]
    ['pelican', 'pelican']
    """
    for start, end in _search()(text):
        if text[start] == "$":
            assigned = _TEMPLATE.match(text, start)
        elif text[start] == "|":
            # What is filtered stands before the sign.
            assigned = _FILTER.search(text, max(0, start - _REACH), end + _REACH)
        else:
            assigned = _CALL.match(text, start)
        if assigned is None:
            continue
        claim = claim_of(assigned["name"])
        if claim > Claim.TOKEN and is_in_its_place(assigned["value"], claim):
            yield assigned.span("value")


def fallback_patterns() -> list[str]:
    """Return what they are looked for by: patterns for `quick_search`."""
    return [
        rf"{_CALLED}[A-Za-z_]*\(\s*[\"']",
        r"\$\{[A-Za-z_][\w.-]*:[^{}\s$\"'?]",
        r"\|\s?(?:d|default)\(\s?[\"']",
    ]


@cache
def _search() -> QuickSearch:
    return quick_search(fallback_patterns())

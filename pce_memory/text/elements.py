"""Find secrets whose names stand in another field of the same element.

`<name>password</name> <value>…</value>`, `{name: X_TOKEN, value: …}` in either order and over
several lines.
"""

import re
from collections.abc import Iterator
from typing import Final

from pce_memory.text.chosen import is_chosen_in_quotes, is_chosen_secret
from pce_memory.text.fold import Span
from pce_memory.text.placeholders import stands_for_a_value
from pce_memory.text.randomness import is_jumbled, is_random
from pce_memory.text.secret_names import Claim, claim_of

_NAMED: Final = re.compile(
    r"""(?<![\w-])(?P<tag><)?["']?(?i:parameter|env|setting|property|variable|option|header|secret)?(?P<word>[Nn]ame|[Kk]ey|NAME|KEY|[Ii]d)
    (?(tag)>|["']?\s{0,2}(?:[:=]|=>))\s{0,8}["']?(?P<name>[A-Za-z_][\w.-]{1,95})["']?(?=\s{0,8}[,<}\]\n/>\s;]|$)""",
    re.VERBOSE,
)
_VALUED: Final = re.compile(
    r"""(?<![\w-])(?P<tag><)?["']?(?i:parameter|env|setting|secret|default|string|plain|current|raw)?_?(?:[Vv]alue|VALUE|[Cc]ontent)
    (?(tag)>|["']?\s{0,2}(?:[:=]|=>))\s{0,8}
    (?:(?P<open>["'])(?P<quoted>[^"'\n]{1,512})(?P=open)|(?P<bare>[^\s"'<>,{}\[\]][^\s<>,}\]]{0,511}))""",
    re.VERBOSE,
)
_REACH: Final = 320
# Where one element ends and the next begins.
_EDGE: Final = re.compile(
    r"[{}]|\n[ \t]*-[ \t]|</?(?:property|entry|param|setting|add|variable|item|env"
    r"|parameter|input)\b"
)
_LEAST: Final = 8


def secrets_of_elements(text: str) -> Iterator[Span]:
    """Find them.

    >>> text = '{"value": "pelican", "name": "password"}'
    >>> [text[a:b] for a, b in secrets_of_elements(text)]
    ['pelican']
    """
    if "alue" not in text and "VALUE" not in text and "ontent" not in text:
        return
    for named in _NAMED.finditer(text):
        claim = claim_of(named["name"])
        if claim < Claim.TOKEN:
            continue
        value = _value_behind(text, named) or _value_before(text, named)
        kind = "quoted" if value and value["quoted"] else "bare"
        if value and is_in_its_place(value[kind], claim):
            yield value.span(kind)


def _value_behind(text: str, named: re.Match[str]) -> re.Match[str] | None:
    limit = min(len(text), named.end() + _REACH)
    edge = _EDGE.search(text, named.end(), limit)
    return _VALUED.search(text, named.end(), edge.start() if edge else limit)


def _value_before(text: str, named: re.Match[str]) -> re.Match[str] | None:
    start = max(0, named.start() - _REACH)
    for edge in _EDGE.finditer(text, start, named.start()):
        start = edge.end()
    before = tuple(_VALUED.finditer(text, start, named.start()))
    return before[-1] if before else None


def is_in_its_place(value: str, claim: Claim) -> bool:
    """Tell whether a value that stands in the place of a secret is one."""
    if stands_for_a_value(value):
        return False
    if claim is Claim.PASSWORD:
        return is_chosen_in_quotes(value)
    if claim is Claim.SECRET and is_chosen_secret(value):
        return True
    return " " not in value and (is_random(value, _LEAST) or is_jumbled(value))

"""Replace personal data and secrets by what they are: [email], [phone], [secret]."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from pce_memory.text.detect import ASKED_KINDS, PII_KINDS, SECRET_KINDS, Match, detect

Rule: TypeAlias = tuple[str, re.Pattern[str], str]
"""A user's rule: its name, what it finds, and what stands there afterwards, word for word."""

SECRET: Final = "secret"  # noqa: S105 (the name of the group, not a password)
REDACTION_KINDS: Final[frozenset[str]] = PII_KINDS | ASKED_KINDS | {SECRET}
"""The names a policy can list: each kind of personal data, and one for all secrets."""
USUAL_KINDS: Final[frozenset[str]] = REDACTION_KINDS - ASKED_KINDS
"""Those that are looked for everywhere."""

_PASSES: Final = 4
_BLANK: Final = "■"


class Redaction(NamedTuple):
    """A text without what was found in it; `matches` are places in the original."""

    text: str
    counts: Mapping[str, int]
    matches: tuple[Match, ...]


def redact(
    text: str,
    *,
    kinds: Collection[str] = USUAL_KINDS,
    rules: Sequence[Rule] = (),
) -> Redaction:
    r"""Return `text` without secrets, then without what the rules find, then without the rest.

    `kinds` are names of REDACTION_KINDS; another name is a ValueError, never skipped in silence.
    Afterwards `detect` finds nothing of these kinds. Counts go by name, rules included.

    >>> redact("連絡は x@example.com まで", kinds={"email"}).text
    '連絡は [email] まで'
    >>> redacted = redact("AKIAIOSFODNN7EXAMPLE, 090-1234-5678")
    >>> redacted.text, dict(redacted.counts)
    ('[secret], [phone]', {'secret': 1, 'phone': 1})
    >>> redact("see T-1", rules=[("ticket", re.compile(r"T-\d"), "[ticket]")]).text
    'see [ticket]'
    """
    wanted = _wanted(kinds)
    matches = detect(text, wanted)
    if not matches and not rules:
        return Redaction(text, MappingProxyType({}), ())
    counts: Counter[str] = Counter()
    first: Sequence[Match] | None = None
    # A secret wins over whatever it meets, so where none is among the finds, there is none.
    if not SECRET_KINDS.isdisjoint(match.kind for match in matches):
        text = _settled(text, wanted & SECRET_KINDS, counts)
    elif not rules:
        first = matches
    for name, pattern, replacement in rules:
        text, count = pattern.subn(_literal(replacement), text)
        counts[name] += count
    text = _settled(text, wanted, counts, first)
    return Redaction(text, MappingProxyType(dict(+counts)), matches)


def _wanted(kinds: Collection[str]) -> frozenset[str]:
    if unknown := set(kinds) - REDACTION_KINDS:
        raise ValueError(f"no detector for {', '.join(sorted(unknown))}")
    wanted = (PII_KINDS | ASKED_KINDS) & set(kinds)
    return wanted | SECRET_KINDS if SECRET in kinds else wanted


def _literal(replacement: str) -> Callable[[re.Match[str]], str]:
    return lambda _: replacement


def _settled(
    text: str,
    kinds: frozenset[str],
    counts: Counter[str],
    first: Sequence[Match] | None = None,
) -> str:
    """Replace until nothing is found: a replacement can bring two halves together.

    `first` is what is known to be found in the text as it comes.
    """
    if not kinds:
        return text
    for _ in range(_PASSES):
        found, first = (detect(text, kinds) if first is None else first), None
        if not found:
            return text
        counts.update(map(_name, found))
        text = _replaced(text, found)
    return _blanked(text, kinds)


def _blanked(text: str, kinds: frozenset[str]) -> str:
    """Blot out what names could not replace; a text that still resists is withheld whole."""
    for _ in range(_PASSES):
        found = detect(text, kinds)
        if not found:
            return text
        text = _replaced(text, found, by=_BLANK)
    return f"[{SECRET}]"


def _name(match: Match) -> str:
    return SECRET if match.kind in SECRET_KINDS else match.kind


def _replaced(text: str, found: Sequence[Match], *, by: str | None = None) -> str:
    parts: list[str] = []
    done = 0
    for match in found:
        parts += [text[done : match.start], by or f"[{_name(match)}]"]
        done = match.end
    return "".join([*parts, text[done:]])

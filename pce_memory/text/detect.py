"""Find personal data and secrets: where they stand, and of which kind they are."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from hashlib import blake2b
from secrets import token_bytes
from typing import Final, NamedTuple

from pce_memory.text.addresses import ADDRESSES
from pce_memory.text.concatenated import joined
from pce_memory.text.fold import Folded, Span, fold, readings
from pce_memory.text.personal import PERSONAL
from pce_memory.text.secrets import GENERAL_KINDS, SECRETS, may_hold_a_secret
from pce_memory.text.spans import without_overlaps

PII_KINDS: Final[frozenset[str]] = frozenset(PERSONAL)
SECRET_KINDS: Final[frozenset[str]] = frozenset(SECRETS)
ASKED_KINDS: Final[frozenset[str]] = frozenset(ADDRESSES)
"""What is looked for only where somebody asks for it by name."""

_FINDERS: Final = {**SECRETS, **PERSONAL, **ADDRESSES}
_ALWAYS: Final = SECRET_KINDS | PII_KINDS

# A text is looked through several times on its way in, and again each time it is shown. Only that
# nothing was found in it is remembered, and of the text a digest that tells nothing: the key is
# drawn anew in each process.
_KEY: Final = token_bytes(16)
_CLEAN: Final[dict[bytes, frozenset[str]]] = {}
MOST_CLEAN: Final = 65_536


class Match(NamedTuple):
    """Something found, and where: text[start:end]."""

    kind: str
    start: int
    end: int


def detect(text: str, kinds: Collection[str] | None = None) -> tuple[Match, ...]:
    """Return what is found of `kinds` (None: all but ASKED_KINDS), in order, without overlaps.

    Where two overlap, a secret goes before personal data, and the longer before the shorter; what
    sticks out of it goes with it.

    >>> detect("連絡は\u200bx@example.comまで、ｓk-proj-AbCd1234efgh5678")
    (Match(kind='email', start=4, end=17), Match(kind='openai', start=20, end=44))
    >>> detect("2025-12-18T10:20:30Z, task-abcdefghijkl, v1.2.3.4")
    ()
    """
    wanted = _ALWAYS if kinds is None else frozenset(_FINDERS.keys() & set(kinds))
    digest = blake2b(text.encode("utf-8", "surrogatepass"), key=_KEY, digest_size=16).digest()
    clean = _CLEAN.get(digest, frozenset())
    if wanted <= clean:
        return ()
    found = {match for reading in readings(text) for match in _found(reading, wanted)}
    if (pieces := joined(fold(text))) is not None:
        found |= set(_found(pieces, wanted & SECRET_KINDS))
    if not found:
        if len(_CLEAN) >= MOST_CLEAN:
            _CLEAN.clear()
        # Each kind is found by itself: where none of two groups is, none of both is.
        _CLEAN[digest] = clean | wanted
    return tuple(_joined(_without_hosts(found)))


def _found(reading: Folded, wanted: frozenset[str]) -> Iterator[Match]:
    secrets = wanted & SECRET_KINDS
    kinds = wanted if secrets and may_hold_a_secret(reading.text) else wanted - SECRET_KINDS
    for kind in kinds:
        for start, end in _FINDERS[kind](reading.text):
            if end > start:
                yield Match(kind, *reading.span(start, end))


def _joined(found: Iterable[Match]) -> list[Match]:
    return without_overlaps(
        found, rank=_rank, widen=lambda one, start, end: one._replace(start=start, end=end)
    )


def _without_hosts(found: Collection[Match]) -> Iterator[Match]:
    """Yield finds but the mailboxes that are a password and the host it is for."""
    secrets = _joined(one for one in found if one.kind in SECRET_KINDS)
    for one in found:
        place = bisect_right(secrets, one.start, key=lambda other: other.end)
        within = place < len(secrets) and secrets[place].start < one.end
        if one.kind != "email" or not within:
            yield one


def longest(spans: Iterable[Span]) -> list[Span]:
    """Return the spans in order and without overlaps; those that overlap become one.

    >>> longest([(0, 3), (2, 6), (0, 2), (8, 9)])
    [(0, 6), (8, 9)]
    """
    return [(one.start, one.end) for one in _joined({Match("", *span) for span in spans})]


def _rank(match: Match) -> tuple[bool, int, int, int, str]:
    general = GENERAL_KINDS.index(match.kind) if match.kind in GENERAL_KINDS else -1
    size = match.end - match.start
    return match.kind not in SECRET_KINDS, -size, match.start, general, match.kind

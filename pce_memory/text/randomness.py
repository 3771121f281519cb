"""Tell what was drawn at random from what somebody named: words, versions, paths, identifiers."""

import re
from typing import Final

_RUN: Final = re.compile("[A-Za-z0-9]+")
_UUID: Final = re.compile(
    r"(?<![0-9A-Fa-f])[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}(?![0-9A-Fa-f])"
)
# A digit between letters, a letter between digits; names have digits at their end.
_DIGIT_THEN_LETTER: Final = re.compile("[0-9](?=[A-Za-z])")
# A hump of camelCase has two letters at the least, so these do not come twice in a name.
_SHORT_HUMP: Final = re.compile("[a-z](?=[A-Z](?:[A-Z]?[a-z][A-Z0-9]|[0-9A-Z][a-z]))")
# In no word of a language that is written with these letters; in capitals they are initials.
_NO_WORD: Final = re.compile("[bcdfghjklmnpqrstvwxz]{5}|q[^u]|[jvx][bcdfghjkmpqtvwxz]")
_ORDINAL: Final = re.compile(
    r"[0-9]+(?:st|nd|rd|th|x|d|k|m|px|em|rem|ms|s|gb|mb|kb|bit|byte)\b|(?:[a-z]*[0-9]+){1,2}\b",
    re.IGNORECASE,
)
_DATE: Final = re.compile(
    r"(?:19|20)\d{2}[-/.]?(?:0\d|1[0-2])[-/.]?[0-3]\d(?:[T_ -]?[0-2]\d[:.]?[0-5]\d.*)?"
)
_LEAST: Final = 10
_SURE: Final = 2
_LEAST_DISTINCT: Final = 6
_LONG: Final = 20
# The begin of the alphabet is in lists of characters, and in nothing that was drawn.
_SEQUENCES: Final = ("abcdefghij", "zyxwvutsrq")
_COUNTED: Final = re.compile(r"([a-z]+)[0-9]+(?:\1[0-9]+){2,}[a-z]*")


def surprises(value: str) -> int:
    """Return how often a value goes on as no name does.

    >>> surprises("x7Kd02mQ9sLp"), surprises("myHttpClient2"), surprises("us-east-1")
    (4, 0, 0)
    """
    total = 0
    for run in _RUN.findall(value):
        if _ORDINAL.fullmatch(run):
            continue
        total += len(_DIGIT_THEN_LETTER.findall(run)) + len(_SHORT_HUMP.findall(run))
    return total


def is_uuid(value: str) -> bool:
    """Tell whether a value has a UUID in it.

    >>> is_uuid("01234567-89ab-cdef-0123-456789abcdef"), is_uuid("0123-4567")
    (True, False)
    """
    return _UUID.search(value) is not None


def is_random(value: str, least: int = _LEAST) -> bool:
    """Tell whether a value looks drawn at random, from letters and digits.

    >>> is_random("x7Kd02mQ9sLp"), is_random("AVEncVideoMaxKeyframeDistance")
    (True, False)
    """
    if len(value) < least or len(set(value)) < _LEAST_DISTINCT or _DATE.match(value):
        return False
    return surprises(value) >= _SURE and not is_sequence(value)


def is_jumbled(value: str) -> bool:
    """Tell whether a value of letters alone is no word, nor words put together.

    >>> is_jumbled("rkwqzjtpxmvdhgbnkqzt"), is_jumbled("administratorpassword")
    (True, False)
    """
    if len(value) < _LONG or not value.isalpha():
        return False
    humps = len(_SHORT_HUMP.findall(value))
    return humps >= _SURE or (value.islower() and len(_NO_WORD.findall(value)) >= _SURE)


def is_sequence(value: str) -> bool:
    """Tell whether a value goes through the alphabet, or counts one word: a list, not a secret.

    >>> [is_sequence(value) for value in ("0123456789abcdefghijkl", "w7w8w9w10", "x7Kd02mQ9sLp")]
    [True, True, False]
    """
    lowered = value.lower()
    return any(sequence in lowered for sequence in _SEQUENCES) or (
        _COUNTED.fullmatch(lowered) is not None
    )

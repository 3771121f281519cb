"""Look through whatever somebody hands over for what may not be stored."""

from collections.abc import Iterator, Mapping
from typing import cast

from pydantic import BaseModel
from returns.result import Failure, Result, Success

from pce_memory.errors import InvalidParameter
from pce_memory.text.detect import SECRET_KINDS, detect
from pce_memory.text.sanitize import find_unstorable


def strings_in(value: object) -> Iterator[str]:
    """Yield every string in a value: in models, mappings and sequences, keys included.

    >>> list(strings_in({"a": ["b", {"c": 1}]}))
    ['a', 'b', 'c']
    """
    if isinstance(value, str):
        yield value
    elif isinstance(value, BaseModel):
        # What a field is called is known; beside it stands what somebody said.
        for _, item in value:
            yield from strings_in(item)
    elif isinstance(value, Mapping):
        for key, item in cast("Mapping[object, object]", value).items():
            yield from strings_in(key)
            yield from strings_in(item)
    elif isinstance(value, (tuple, list, set, frozenset)):
        for item in cast("tuple[object, ...]", value):
            yield from strings_in(item)


def why_not_stored(value: object) -> str | None:
    r"""Return why no part of a value may be stored as it is, or None.

    >>> why_not_stored({"note": "fine"}) is None
    True
    >>> why_not_stored(["a\0b"])
    'it has a NUL or a lone surrogate; take it out'
    """
    # Very many things beside one observation say the same: each text is looked at once.
    for text in dict.fromkeys(strings_in(value)):
        if find_unstorable(text) is not None:
            return "it has a NUL or a lone surrogate; take it out"
        if detect(text, SECRET_KINDS):
            return "it holds a secret, which is never stored; take it out"
    return None


def storable(**named: object) -> Result[None, InvalidParameter]:
    r"""Return a failure that names the first value which may not be stored as it is.

    >>> storable(actor="alice", note="a\0b").failure().message
    'Invalid note: it has a NUL or a lone surrogate; take it out'
    """
    for name, value in named.items():
        if (reason := why_not_stored(value)) is not None:
            return Failure(InvalidParameter(name, reason))
    return Success(None)

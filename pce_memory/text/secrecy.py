"""Look through whatever somebody hands over for what may not be stored."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias, cast

from pydantic import BaseModel
from returns.result import Failure, Result, Success

from pce_memory.errors import InvalidParameter
from pce_memory.text.detect import SECRET_KINDS, detect
from pce_memory.text.keyed import is_secret_under, name_of
from pce_memory.text.sanitize import find_unstorable

Keyed: TypeAlias = tuple[str, str]
"""A text, and the name it has by the keys it stands under; no name is empty."""

_NAMES: Final = frozenset(["name", "key", "field", "label", "property", "parameter", "variable"])
_VALUES: Final = frozenset(
    ["value", "values", "val", "content", "data", "default", "include_values", "exclude_values"]
)
_PAIR: Final = 2


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


def keyed_strings(value: object, keys: tuple[str, ...] = ()) -> Iterator[Keyed]:
    """Yield every string in a value, and the digits of whole numbers that have a key, with names.

    >>> list(keyed_strings({"secrets": {"db": "x"}, "pin": 4821}))
    [('secrets', ''), ('db', ''), ('x', 'secrets.db'), ('pin', ''), ('4821', 'pin')]
    >>> list(keyed_strings({"name": "password", "value": "x"}))[-1]
    ('x', 'password')
    """
    if isinstance(value, str):
        yield value, name_of(keys)
    elif isinstance(value, int) and not isinstance(value, bool):
        if keys:
            yield str(value), name_of(keys)
    elif isinstance(value, BaseModel):
        fields: dict[str, object] = dict(value)
        named = _named(fields)
        for name, item in fields.items():
            yield from keyed_strings(item, _below(name, named, keys))
    elif isinstance(value, Mapping):
        yield from _of_mapping(cast("Mapping[object, object]", value), keys)
    elif isinstance(value, (tuple, list, set, frozenset)):
        yield from _of_sequence(list(cast("Sequence[object]", value)), keys)


def _of_mapping(value: Mapping[object, object], keys: tuple[str, ...]) -> Iterator[Keyed]:
    named = _named(value)
    for key, item in value.items():
        # What is weighed is said by its key.
        weighed = isinstance(item, float) or (keys and isinstance(item, int))
        yield from keyed_strings(key, keys if weighed else ())
        own = (*keys, key) if isinstance(key, str) else keys
        yield from keyed_strings(item, (*keys, named) if named and key in _VALUES else own)


def _of_sequence(items: Sequence[object], keys: tuple[str, ...]) -> Iterator[Keyed]:
    for item in items:
        yield from keyed_strings(item, keys)
    # A pair says a name and its value.
    if len(items) == _PAIR and all(isinstance(item, str) for item in items):
        first, second = cast("Sequence[str]", items)
        yield second, name_of([first])


def _named(fields: Mapping[object, object] | Mapping[str, object]) -> str:
    """Return what the value of an element is called by another field of it."""
    names = (item for key, item in fields.items() if key in _NAMES and isinstance(item, str))
    return next(names, "")


def _below(name: str, named: str, keys: tuple[str, ...]) -> tuple[str, ...]:
    return (*keys, named) if named and name in _VALUES else keys


def why_not_stored(value: object) -> str | None:
    r"""Return why no part of a value may be stored as it is, or None.

    >>> why_not_stored({"note": "fine"}) is None
    True
    >>> why_not_stored(["a\0b"])
    'it has a NUL or a lone surrogate; take it out'
    >>> why_not_stored({"db_password": "pelican"})
    'it holds a secret, which is never stored; take it out'
    """
    # Very many things beside one observation say the same: each text is looked at once.
    keyed = list(dict.fromkeys(keyed_strings(value)))
    for text in dict.fromkeys(text for text, _ in keyed):
        if find_unstorable(text) is not None:
            return "it has a NUL or a lone surrogate; take it out"
        if detect(text, SECRET_KINDS):
            return "it holds a secret, which is never stored; take it out"
    if any(name and is_secret_under(name, text) for text, name in keyed):
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

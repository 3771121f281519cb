"""What pydantic found, in the words of somebody who writes YAML."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from types import UnionType
from typing import Annotated, Any, Final, TypeAlias, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from pce_memory.domain.policy import Policy
from pce_memory.policy.faults import Loc

Hints: TypeAlias = Mapping[str, object]

_TYPES: Final = {
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_parsing_size": "is too large",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "model_type": "must be a mapping of keys and values",
    "model_attributes_type": "must be a mapping of keys and values",
    "dict_type": "must be a mapping of keys and values",
    "mapping_type": "must be a mapping of keys and values",
    "tuple_type": "must be a list",
    "string_type": "must be text",
}
_LIMITS: Final = {
    "greater_than": ("gt", "must be more than {}"),
    "greater_than_equal": ("ge", "must be at least {}"),
    "less_than": ("lt", "must be less than {}"),
    "less_than_equal": ("le", "must be at most {}"),
    "string_too_long": ("max_length", "must have at most {} characters"),
    "string_too_short": ("min_length", "must have at least {} character"),
    "too_long": ("max_length", "must have at most {} entries"),
    "too_short": ("min_length", "must have at least {} entry"),
    "literal_error": ("expected", "must be {}"),
}
ON_KEY: Final = frozenset({"missing", "extra_forbidden"})
"""Faults that belong to a key rather than to its value."""

SLIPS: Final = {
    "character '\\t'": "a tab cannot indent; use spaces",
    "mapping values are not allowed": (
        "a colon is not expected here; put text with a colon in quotes, or mend the indentation"
    ),
    "but found '<block": "this does not fit the indentation above it",
    "could not find expected ':'": "a colon is missing after the key before this",
    "escape character": "this escape is unknown; use single quotes, or write \\\\ for \\",
    "cannot start any token": "text that begins with this sign needs quotes",
}
"""What YAML's own parser says of common slips, in plainer words."""


def without_echoes(errors: Sequence[ErrorDetails]) -> list[ErrorDetails]:
    """Return the errors but those of lists that are too short only as an entry is at fault."""
    return [
        one
        for one in errors
        if one["type"] != "too_short"
        or not any(
            len(other["loc"]) > len(one["loc"]) and other["loc"][: len(one["loc"])] == one["loc"]
            for other in errors
        )
    ]


def worded(error: ErrorDetails, raw: str | None) -> str:
    """Return what is wrong; `raw` is the value as it stands in the file, if it is a plain one."""
    kind, loc = error["type"], error["loc"]
    hints: Hints = error.get("ctx", {})
    if kind in ON_KEY or loc[-1:] == ("[key]",):
        return _keyed(kind, loc, hints)
    if kind == "value_error":
        return str(hints.get("error", "is not allowed"))
    if kind == "string_pattern_mismatch":
        return _pattern(loc, hints)
    if kind in _TYPES:
        return _typed(kind, loc, raw)
    if kind in _LIMITS:
        hint, sentence = _LIMITS[kind]
        return sentence.format(_number(hints.get(hint))) + _near(kind, hints, raw)
    return error["msg"]


def _keyed(kind: str, loc: Loc, hints: Hints) -> str:
    if kind == "missing":
        return f"'{loc[-1]}' is missing here"
    if kind == "extra_forbidden":
        return "unknown key" + suggestion(str(loc[-1]), known_keys(loc[:-1]))
    if kind == "literal_error":
        return f"unknown key; must be {hints.get('expected')}"
    return "a key has 1 to 256 characters"


def suggestion(given: str, known: list[str]) -> str:
    """Return the known word that was probably meant, as the end of a sentence.

    >>> suggestion("sesion", ["session", "project"]), suggestion("x", ["session"])
    ("; did you mean 'session'?", '')
    """
    near = get_close_matches(given, known, n=1)
    return f"; did you mean '{near[0]}'?" if near else ""


def known_keys(loc: Loc) -> list[str]:
    """Return the keys that may stand at a path of a policy.

    >>> known_keys(("boundary_classes", "pii"))
    ['allow', 'redact', 'escalation']
    """
    at: Any = Policy
    for part in loc:
        at = _within(at, part)
    model = _model(at)
    return list(_fields(model)) if model else []


def _fields(model: type[BaseModel]) -> Mapping[str, FieldInfo]:
    """Return the fields of a model under the names that a file uses."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def _within(at: Any, part: str | int) -> Any:  # noqa: ANN401 - an annotation is any object
    model = _model(at)
    if model is None:
        rest = [one for one in get_args(_bare(at)) if one is not Ellipsis]
        return rest[-1] if rest else None
    field = _fields(model).get(str(part))
    return field.annotation if field else None


def _model(at: Any) -> type[BaseModel] | None:  # noqa: ANN401
    bare = _bare(at)
    return bare if isinstance(bare, type) and issubclass(bare, BaseModel) else None


def _bare(at: Any) -> Any:  # noqa: ANN401
    """Return an annotation without its remarks and without `| None`."""
    while get_origin(at) in {Annotated, Union, UnionType}:
        at = get_args(at)[0]
    return at


def _typed(kind: str, loc: Loc, raw: str | None) -> str:
    if loc == ("extends",):
        return "must be default, dev, team, org or a file such as ./base.yaml"
    empty = raw is not None and raw.lower() in {"", "~", "null"}
    if kind == "string_type" and raw and not empty:
        example = ', such as "1.0.0"' if loc == ("version",) else ""
        kind_read = "true or false" if raw.lower() in {"true", "false"} else "a number"
        return f"YAML reads {raw[:32]} as {kind_read}; write it in quotes{example}"
    before = "has no value here; it " if empty else ""
    bare = raw and raw[0] in "\"'" and kind.startswith(("int", "float", "finite", "bool"))
    after = ", without quotes" if bare else ""
    return before + _TYPES[kind] + after


def _pattern(loc: Loc, hints: Hints) -> str:
    if loc == ("version",):
        return 'must be SemVer in quotes: major.minor.patch, such as "1.0.0"'
    end = ", or inf" if "inf" in str(hints.get("pattern")) else ""
    return f"must be a whole number with s, m, h, d or w, such as 7d{end}"


def _near(kind: str, hints: Hints, raw: str | None) -> str:
    if kind != "literal_error" or not raw:
        return ""
    words = str(hints.get("expected", "")).replace(" or ", ", ").split(", ")
    return suggestion(raw.strip("\"'"), [word.strip("'") for word in words])


def _number(limit: object) -> object:
    return int(limit) if isinstance(limit, float) and limit.is_integer() else limit

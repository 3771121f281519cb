"""Read a policy from YAML: the policy, or every fault of the text with its place.

The events of the parser are read one by one, not its composed nodes: aliases, tags, second
documents and deep nesting are refused where they stand, and every value keeps its place. Plain
words are read as YAML 1.2 does: `yes`, `on`, `1:30` and dates are text.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Protocol

import yaml
from pydantic import ValidationError
from returns.result import Failure, Result, Success

from pce_memory.domain.policy import Policy
from pce_memory.errors import InvalidPolicy
from pce_memory.policy.checks import findings
from pce_memory.policy.faults import MAX_SHOWN, Fault, Loc, Place, path_of, rendered
from pce_memory.policy.scalars import offset, plain_value
from pce_memory.policy.wording import ON_KEY, SLIPS, worded

MAX_BYTES: Final = 128 * 1024
MAX_DEPTH: Final = 24

_LINE_END: Final = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
_UNREADABLE: Final = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)


def parse_policy(text: str, name: str = "policy.yaml") -> Result[Policy, InvalidPolicy]:
    """Return the policy a text says, or all its faults; `name` stands before every place."""
    text = text.removeprefix("\ufeff")
    lines = _LINE_END.split(text)
    faults = tuple(_unreadable(text, lines))
    if not faults:
        document = _Reader(text).read()
        try:
            # As JSON, because a list is a tuple there and a text is still no number.
            policy = Policy.model_validate_json(json.dumps(document.data), strict=True)
        except ValidationError as error:
            faults = (*document.faults, *_shape(document, error), *_meaning(document))
        else:
            faults = (*document.faults, *_meaning(document))
            if not faults:
                return Success(policy)
    return Failure(InvalidPolicy(rendered(faults, name=name, lines=lines)))


def policy_schema() -> dict[str, object]:
    """Return the JSON schema of a policy."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Policy.model_json_schema(),
        "title": "pce-memory policy",
    }


class _Mark(Protocol):
    """Where the parser was."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


@dataclass(frozen=True, slots=True)
class _Scalar:
    """A value: where it begins, and how it stands in the file unless it is a list or a mapping."""

    place: Place
    raw: str | None


@dataclass(slots=True)
class _Document:
    """The values of a file, the place of each key and value, and what YAML itself gets wrong."""

    data: object = None
    keys: dict[Loc, Place] = field(default_factory=dict)
    values: dict[Loc, _Scalar] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    broken: set[Loc] = field(default_factory=set)

    def nearest(self, loc: Loc) -> Loc:
        """Return the longest beginning of a path that stands in the file."""
        size = 0
        while size < len(loc) and loc[: size + 1] in self.values:
            size += 1
        return loc[:size]

    def is_broken(self, loc: Loc) -> bool:
        """Return whether a value, or one it stands in, was refused already."""
        return any(loc[:size] in self.broken for size in range(len(loc) + 1))


def _shape(document: _Document, error: ValidationError) -> Iterator[Fault]:
    items = error.errors(include_url=False, include_input=False)
    for item in items:
        # A list of which no entry is right counts as empty: its entries have faults of their own.
        within = (other["loc"][: len(item["loc"])] for other in items if other is not item)
        if item["type"] == "too_short" and item["loc"] in within:
            continue
        loc = document.nearest(item["loc"])
        on_key = item["type"] in ON_KEY or item["loc"][-1:] == ("[key]",)
        value = document.values[loc]
        if not document.is_broken(loc):
            place = document.keys.get(loc, value.place) if on_key else value.place
            yield Fault(place, path_of(loc), worded(item, value.raw))


def _meaning(document: _Document) -> Iterator[Fault]:
    for finding in findings(document.data):
        scalar = document.values[document.nearest(finding.loc)]
        if not document.is_broken(finding.loc):
            place, note = _inside(scalar, finding.column)
            yield Fault(place, path_of(finding.loc), finding.message + note)


def _inside(scalar: _Scalar, column: int) -> tuple[Place, str]:
    """Return the place of a column of a text; in a folded text, its beginning and a note."""
    place, raw = scalar.place, scalar.raw or ""
    if column == 1:
        return place, ""
    if _LINE_END.search(raw):
        return place, f" (at character {column} of this text)"
    return Place(place.line, place.column + offset(raw, column - 1)), ""


def _unreadable(text: str, lines: list[str]) -> Iterator[Fault]:
    if len(text.encode(errors="replace")) > MAX_BYTES:
        yield Fault(Place(0, 0), path_of(()), f"a policy has at most {MAX_BYTES // 1024} KiB")
        return
    found = (
        (number, match)
        for number, line in enumerate(lines)
        for match in _UNREADABLE.finditer(line)
    )
    for number, match in islice(found, MAX_SHOWN):
        message = f"a control or invisible character (U+{ord(match.group()):04X}) stands here"
        yield Fault(Place(number, match.start()), path_of(()), message)


class _Reader:
    """One pass over the events of a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._events: Iterator[yaml.Event] = iter(yaml.parse(text, Loader=yaml.SafeLoader))
        self._document = _Document()
        self._last = Place(0, 0)

    def read(self) -> _Document:
        """Return the first document; a second one is a fault."""
        document = self._document
        while event := self._next():
            if isinstance(event, yaml.DocumentStartEvent) and document.values:
                self._fault((), "a policy is one document; this begins another")
                break
            if isinstance(event, yaml.NodeEvent):
                document.data = self._value(event, ())
        _ = document.values.setdefault((), _Scalar(Place(0, 0), None))
        if document.data is None and not document.faults:
            self._last = Place(0, 0)
            self._refuse((), "the document is empty")
        return document

    def _next(self) -> yaml.Event | None:
        try:
            event = next(self._events, None)
        except yaml.MarkedYAMLError as error:
            self._last, message = _slip(error)
            self._refuse((), f"not YAML: {message}")
            return None
        except (yaml.YAMLError, ValueError, OverflowError):
            self._refuse((), "not YAML: what follows this cannot be read")
            return None
        if event:
            self._last = _place(event.start_mark)
        return event

    def _fault(self, loc: Loc, message: str) -> None:
        self._document.faults.append(Fault(self._last, path_of(loc), message))

    def _refuse(self, loc: Loc, message: str) -> None:
        """Add a fault, and let nothing more be said of the value."""
        self._fault(loc, message)
        self._document.broken.add(loc)

    def _value(self, event: yaml.Event, loc: Loc) -> object:
        _ = self._document.values.setdefault(loc, _Scalar(self._last, self._raw(event)))
        if isinstance(event, yaml.AliasEvent):
            self._refuse(loc, "an alias (*) is refused; write the value out")
        elif isinstance(event, yaml.NodeEvent) and event.anchor:
            self._fault(loc, "an anchor (&) is refused; write the value where it is used")
        if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) and event.tag:
            self._fault(loc, "a tag (!) is refused; write the plain value")
        if len(loc) >= MAX_DEPTH and isinstance(event, yaml.CollectionStartEvent):
            self._refuse((), f"values nest at most {MAX_DEPTH} deep")
            self._events = iter(())
        match event:
            case yaml.ScalarEvent():
                return self._scalar(event, loc)
            case yaml.MappingStartEvent():
                return self._mapping(loc)
            case yaml.SequenceStartEvent():
                return self._sequence(loc)
            case _:
                return None

    def _raw(self, event: yaml.Event) -> str | None:
        if not isinstance(event, yaml.ScalarEvent) or not event.start_mark or not event.end_mark:
            return None
        return self._text[event.start_mark.index : event.end_mark.index]

    def _scalar(self, event: yaml.ScalarEvent, loc: Loc) -> object:
        if _UNREADABLE.search(event.value):
            self._refuse(loc, "an escape writes a control or invisible character here")
            return ""
        return plain_value(event.value) if event.implicit[0] else event.value

    def _sequence(self, loc: Loc) -> list[object]:
        items: list[object] = []
        while (event := self._next()) and not isinstance(event, yaml.SequenceEndEvent):
            items.append(self._value(event, (*loc, len(items))))
        return items

    def _mapping(self, loc: Loc) -> dict[str, object]:
        entries: dict[str, object] = {}
        while (event := self._next()) and not isinstance(event, yaml.MappingEndEvent):
            place = self._last
            key = self._key(event, loc)
            at = (*loc, key)
            if key in entries:
                self._document.faults.append(Fault(place, path_of(at), "this key stands twice"))
            _ = self._document.keys.setdefault(at, place)
            value = self._next()
            if value is None:
                break
            _ = entries.setdefault(key, self._value(value, at))
        return entries

    def _key(self, event: yaml.Event, loc: Loc) -> str:
        if isinstance(event, yaml.ScalarEvent):
            key = self._scalar(event, loc)
            if isinstance(key, str) and key:
                return key
            message = "a key is text; write it in quotes" if event.value else "a key is empty"
            self._refuse((*loc, event.value), message)
            return event.value
        at = (*loc, "?")
        self._refuse(at, "a key is text, not a list, a mapping or an alias")
        _ = self._value(event, at)
        return "?"


def _place(mark: _Mark | None) -> Place:
    return Place(mark.line, mark.column) if mark else Place(0, 0)


def _slip(error: yaml.MarkedYAMLError) -> tuple[Place, str]:
    """Return the parser's words, or plainer ones for the slips that are made most."""
    begin, problem = _place(error.context_mark), str(error.problem)
    said = f"{error.context} {problem}"
    if "scanning a quoted scalar" in said:
        return begin, "this quote is not closed"
    if "expected ',' or" in said:
        said = f"a comma or a closing bracket is missing; one opened in line {begin.line + 1}"
    plain = (plain for words, plain in SLIPS.items() if words in said)
    return _place(error.problem_mark or error.context_mark), next(plain, said)

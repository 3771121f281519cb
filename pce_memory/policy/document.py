"""Read one YAML text: its values, the place of each, and what YAML itself gets wrong.

The events of the parser are read one by one, not its composed nodes: aliases, tags, second
documents and deep nesting are refused where they stand, and every value keeps its place. Plain
words are read as YAML 1.2 does: `yes`, `on`, `1:30` and dates are text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Protocol

import yaml

from pce_memory.policy.faults import LINE_END, MAX_SHOWN, Loc, Located, Where, path_of
from pce_memory.policy.scalars import offset, plain_value
from pce_memory.policy.wording import SLIPS

MAX_BYTES: Final = 128 * 1024
MAX_DEPTH: Final = 24

_UNREADABLE: Final = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A line and a column of a text, both from 0."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value: where it begins, and how it stands in the file unless it is a list or a mapping."""

    place: Place
    raw: str | None


@dataclass(slots=True)
class Document:
    """The values of a file, the place of each key and value, and what YAML itself gets wrong."""

    text: str
    name: str
    data: object = None
    keys: dict[Loc, Place] = field(default_factory=dict)
    values: dict[Loc, Scalar] = field(default_factory=dict)
    kind: str = "policy"
    faults: list[Located] = field(default_factory=list)
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

    def where(self, loc: Loc, *, key: bool = False, column: int = 1) -> Where:
        """Return where a value begins, or its key, or a character of its text, from 1."""
        near = self.nearest(loc)
        value = self.values[near]
        if key:
            return self.at(self.keys.get(near, value.place))
        if column == 1 or self.is_folded(near):
            return self.at(value.place)
        reach = offset(value.raw or "", column - 1)
        return self.at(Place(value.place.line, value.place.column + reach))

    def is_folded(self, loc: Loc) -> bool:
        """Return whether the text of a value takes more than one line."""
        return LINE_END.search(self.values[self.nearest(loc)].raw or "") is not None

    def at(self, place: Place) -> Where:
        """Return a place of this file."""
        return Where(self.name, place.line + 1, place.column + 1)

    def fault(self, place: Place, loc: Loc, message: str) -> None:
        """Add what is wrong with a value."""
        self.faults.append(Located(self.at(place), path_of(loc), message))


def read_document(
    text: str, name: str, *, kind: str = "policy", most: int = MAX_BYTES, stored: bool = False
) -> Document:
    """Return what a text says; one that is too long or unreadable is not read at all.

    `kind` is what the text is called in faults, `most` the bytes it may have. A `stored` text was
    read without a fault before, and is read faster.
    """
    # Of a text that is too long no more is kept than tells that it is, and shows its first line.
    document = Document(text.removeprefix("\ufeff")[: most + 1], name, kind=kind)
    for place, message in _unreadable(document, most):
        document.fault(place, (), message)
    if document.faults:
        document.values[()] = Scalar(Place(0, 0), None)
        document.broken.add(())
    else:
        _Reader(document, _events(document.text, stored=stored)).read()
    return document


def _unreadable(document: Document, most: int) -> Iterator[tuple[Place, str]]:
    text = document.text
    if len(text.encode(errors="replace")) > most:
        yield Place(0, 0), f"a {document.kind} has at most {most // 1024} KiB"
        return
    found = (
        (number, match)
        for number, line in enumerate(LINE_END.split(text))
        for match in _UNREADABLE.finditer(line)
    )
    for number, match in islice(found, MAX_SHOWN):
        message = f"a control or invisible character (U+{ord(match.group()):04X}) stands here"
        yield Place(number, match.start()), message


class _Mark(Protocol):
    """Where the parser was."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


class _Reader:
    """One pass over the events of a text."""

    def __init__(self, document: Document, events: Iterator[yaml.Event]) -> None:
        self._text = document.text
        self._events = events
        self._document = document
        self._last = Place(0, 0)

    def read(self) -> None:
        """Read the first document; a second one is a fault."""
        document = self._document
        while event := self._next():
            if isinstance(event, yaml.DocumentStartEvent) and document.values:
                self._fault((), f"a {document.kind} is one document; this begins another")
                break
            if isinstance(event, yaml.NodeEvent):
                document.data = self._value(event, ())
        _ = document.values.setdefault((), Scalar(Place(0, 0), None))
        if document.data is None and not document.faults:
            self._last = Place(0, 0)
            self._refuse((), "the document is empty")

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
        self._document.fault(self._last, loc, message)

    def _refuse(self, loc: Loc, message: str) -> None:
        """Add a fault, and let nothing more be said of the value."""
        self._fault(loc, message)
        self._document.broken.add(loc)

    def _value(self, event: yaml.Event, loc: Loc) -> object:
        _ = self._document.values.setdefault(loc, Scalar(self._last, self._raw(event)))
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
                self._document.fault(place, at, "this key stands twice")
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


def _events(text: str, *, stored: bool) -> Iterator[yaml.Event]:
    """Return the events of a text, a stored one's by libyaml, in a tenth of the time.

    libyaml takes a few texts that the parser in Python refuses (a tab at the end of a line), so a
    new text is read by the latter: what is accepted does not depend on how PyYAML was built.
    """
    if stored and yaml.__with_libyaml__:
        try:
            return iter(tuple(yaml.parse(text, Loader=yaml.CSafeLoader)))
        except (yaml.YAMLError, ValueError, OverflowError):
            pass  # The parser in Python says what is wrong, and where.
    return iter(yaml.parse(text, Loader=yaml.SafeLoader))


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

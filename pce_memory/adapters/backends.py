"""A search backend of the host's, behind the port: whatever it does wrong becomes a value."""

import json
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Protocol, TypeVar, cast

from returns.result import Failure, Result, Success

from pce_memory.adapters.foreign_numbers import number_of
from pce_memory.adapters.foreign_parts import opened
from pce_memory.adapters.raised import RAISED, kind_of
from pce_memory.deps.backend import BackendDocument, BackendHit
from pce_memory.domain.filters import Condition
from pce_memory.errors import BackendFailed, CoreError
from pce_memory.text.secrecy import why_not_stored

T = TypeVar("T")
LONGEST_ID = 512


class Searches(Protocol):
    """What is asked of a host's object. Hits may be `BackendHit`s or mappings of their fields.

    A method may return a Result, or the value itself; it may raise.
    """

    def fulltext_search(self, query: str, filters: Sequence[Condition], top_k: int) -> object:
        """Return documents by words, best first."""
        ...

    def semantic_search(self, text: str, feature_scope: str, top_k: int) -> object:
        """Return documents by meaning, best first."""
        ...

    def get_document(self, doc_id: str, fields: Sequence[str]) -> object:
        """Return the fields of a document, or None."""
        ...


class GivenBackend:
    """A host's object as a `SearchBackend`."""

    def __init__(self, name: str, given: Searches) -> None:
        self.name = name
        self._given = given

    def fulltext_search(
        self, query: str, filters: Sequence[Condition], top_k: int
    ) -> Result[Sequence[BackendHit], CoreError]:
        """Return at most so many documents by words, best first."""
        return self._hits(lambda: self._given.fulltext_search(query, filters, top_k))

    def semantic_search(
        self, text: str, feature_scope: str, top_k: int
    ) -> Result[Sequence[BackendHit], CoreError]:
        """Return at most so many documents by meaning, best first."""
        return self._hits(lambda: self._given.semantic_search(text, feature_scope, top_k))

    def get_document(
        self, doc_id: str, fields: Sequence[str]
    ) -> Result[BackendDocument | None, CoreError]:
        """Return these fields of a document; None where it has none."""
        return self._asked(
            lambda: self._given.get_document(doc_id, fields),
            lambda given: self._document(doc_id, given),
        )

    def _hits(self, ask: Callable[[], object]) -> Result[Sequence[BackendHit], CoreError]:
        return self._asked(ask, self._read).map(lambda hits: hits)

    def _asked(
        self, ask: Callable[[], object], read: Callable[[object], Result[T, BackendFailed]]
    ) -> Result[T, CoreError]:
        """Return what is read of a backend's answer; what is raised is told by its kind alone.

        Reading runs code of the host's too: its lists, mappings and numbers may be its own.
        """
        try:
            found = opened(ask()).alt(lambda _: self._failed("it returned a Failure"))
            return Result.do(done for given in found for done in read(given))
        except RAISED as error:
            return Failure(self._failed(kind_of(error)))

    def _failed(self, reason: str) -> BackendFailed:
        return BackendFailed(self.name, reason)

    def _read(self, given: object) -> Result[Sequence[BackendHit], BackendFailed]:
        if not isinstance(given, Sequence) or isinstance(given, (str, bytes)):
            return Failure(self._failed("it returned no list"))
        hits = [_hit(one) for one in cast("Sequence[object]", given)]
        if any(hit is None for hit in hits):
            reason = "a hit has no doc_id, no finite score, no plain metadata, or a secret"
            return Failure(self._failed(reason))
        return Success([hit for hit in hits if hit is not None])

    def _document(
        self, doc_id: str, given: object
    ) -> Result[BackendDocument | None, BackendFailed]:
        """Return the texts among the fields; they leave as they are, so none may hold a secret."""
        if given is None:
            return Success(None)
        fields = given.fields if isinstance(given, BackendDocument) else given
        if not isinstance(fields, Mapping):
            return Failure(self._failed("it returned no mapping of fields"))
        items = cast("Mapping[object, object]", fields).items()
        texts = {
            _plain(name): _plain(text)
            for name, text in items
            if isinstance(name, str) and isinstance(text, str)
        }
        if why_not_stored(texts) is not None:
            return Failure(self._failed("a document has a NUL, a lone surrogate or a secret"))
        return Success(BackendDocument(doc_id, texts))


def _hit(given: object) -> BackendHit | None:
    """Return a hit, of plain values, if it can be one and may be kept for as long as a run is."""
    doc_id, score, metadata = _parts(given)
    number = _number(score)
    if not isinstance(doc_id, str) or not 0 < len(doc_id) <= LONGEST_ID or number is None:
        return None
    kept = _as_json(metadata)
    if kept is None:
        return None
    hit = BackendHit(_plain(doc_id), number, kept)
    return hit if why_not_stored([hit.doc_id, hit.metadata]) is None else None


def _parts(given: object) -> tuple[object, object, object]:
    """Return doc_id, score and metadata of a hit: a host's own types promise nothing."""
    if isinstance(given, BackendHit):
        return given.doc_id, given.score, given.metadata
    if isinstance(given, Mapping):
        fields = cast("Mapping[str, object]", given)
        return fields.get("doc_id"), fields.get("score"), fields.get("metadata", {})
    return None, None, None


def _number(score: object) -> float | None:
    """Return a finite number, or None."""
    try:
        number = number_of(score)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if isfinite(number) else None


def _plain(text: str) -> str:
    """Return a text of a host's own type as one of Python's."""
    return str.__str__(text)


def _as_json(metadata: object) -> Mapping[str, object] | None:
    """Return a mapping as it will be read again from where it is kept, or None."""
    if not isinstance(metadata, Mapping):
        return None
    try:
        written = json.dumps(dict(cast("Mapping[str, object]", metadata)), allow_nan=False)
        return cast("Mapping[str, object]", json.loads(written))
    except (TypeError, ValueError, RecursionError):
        return None

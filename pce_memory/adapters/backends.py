"""A search backend of the host's, behind the port: whatever it does wrong becomes a value."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar, cast

from returns.result import Failure, Result, Success

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
        return Result.do(
            document
            for given in self._asked(lambda: self._given.get_document(doc_id, fields))
            for document in self._document(doc_id, given)
        )

    def _hits(self, ask: Callable[[], object]) -> Result[Sequence[BackendHit], CoreError]:
        return Result.do(hits for given in self._asked(ask) for hits in self._read(given))

    def _asked(self, ask: Callable[[], object]) -> Result[object, BackendFailed]:
        """Return what a backend returns; what it raises is told by its kind, never by its text."""
        try:
            given = ask()
        except RAISED as error:
            return Failure(self._failed(kind_of(error)))
        if isinstance(given, Failure):
            return Failure(self._failed("it returned a Failure"))
        if isinstance(given, Success):
            return Success(cast("Success[object]", given).unwrap())
        return Success(given)

    def _failed(self, reason: str) -> BackendFailed:
        return BackendFailed(self.name, reason)

    def _read(self, given: object) -> Result[Sequence[BackendHit], BackendFailed]:
        if not isinstance(given, Sequence) or isinstance(given, (str, bytes)):
            return Failure(self._failed("it returned no list"))
        hits = [_hit(one) for one in cast("Sequence[object]", given)]
        if any(hit is None for hit in hits):
            return Failure(self._failed("a hit has no doc_id, no finite score, or a secret"))
        return Success([hit for hit in hits if hit is not None])

    def _document(
        self, doc_id: str, given: object
    ) -> Result[BackendDocument | None, BackendFailed]:
        if given is None or isinstance(given, BackendDocument):
            return Success(given)
        if not isinstance(given, Mapping):
            return Failure(self._failed("it returned no mapping of fields"))
        fields = cast("Mapping[object, object]", given)
        texts = {str(name): text for name, text in fields.items() if isinstance(text, str)}
        return Success(BackendDocument(doc_id, texts))


def _hit(given: object) -> BackendHit | None:
    """Return a hit if it can be one, and may be kept for as long as a run is."""
    if isinstance(given, BackendHit):
        hit = given
    elif isinstance(given, Mapping):
        fields = cast("Mapping[str, object]", given)
        doc_id, score = fields.get("doc_id"), fields.get("score")
        metadata = fields.get("metadata", {})
        if not isinstance(doc_id, str) or not isinstance(score, (int, float)):
            return None
        if not isinstance(metadata, Mapping):
            return None
        hit = BackendHit(doc_id, float(score), cast("Mapping[str, object]", metadata))
    else:
        return None
    finite = hit.score - hit.score == 0.0
    sound = 0 < len(hit.doc_id) <= LONGEST_ID and finite
    kept = sound and _is_json(hit.metadata)
    return hit if kept and why_not_stored([hit.doc_id, hit.metadata]) is None else None


def _is_json(value: object) -> bool:
    try:
        _ = json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return False
    return True

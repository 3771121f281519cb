"""What a search backend is: this memory itself, or another system that the host brings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from returns.result import Result

from pce_memory.domain.filters import Condition
from pce_memory.errors import CoreError

Metadata: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class BackendHit:
    """One document that was found: higher is better.

    `metadata` may hold `pub_id`, `app_id` and `codes`, which is {taxonomy: [code, ...]}; also the
    texts `title`, `abst` and `claim`, by themselves or in `fields`: facets are looked for there.
    """

    doc_id: str
    score: float
    metadata: Metadata = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class BackendDocument:
    """The fields of a document that were asked for."""

    doc_id: str
    fields: Mapping[str, str]
    metadata: Metadata = field(default_factory=dict[str, object])


class SearchBackend(Protocol):
    """Where lanes look. What a backend of the host's returns, no boundary of ours has seen."""

    def fulltext_search(
        self, query: str, filters: Sequence[Condition], top_k: int
    ) -> Result[Sequence[BackendHit], CoreError]:
        """Return at most so many documents by words, best first."""
        ...

    def semantic_search(
        self, text: str, feature_scope: str, top_k: int
    ) -> Result[Sequence[BackendHit], CoreError]:
        """Return at most so many documents by meaning, best first."""
        ...

    def get_document(
        self, doc_id: str, fields: Sequence[str]
    ) -> Result[BackendDocument | None, CoreError]:
        """Return these fields of a document, all where none is named; None where it has none."""
        ...


__all__ = ["BackendDocument", "BackendHit", "Metadata", "SearchBackend"]

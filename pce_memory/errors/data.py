"""What the data, the arguments and the search refuse."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from pce_memory.errors.base import PCEError, shown

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class DuplicateClaim(PCEError):
    """A claim with this content is there, and the caller asked for duplicates to be refused."""

    tag: ClassVar[str] = "DuplicateClaimError"
    code: ClassVar[str] = "DUPLICATE"
    status: ClassVar[int] = 409
    remedy: ClassVar[str] = "Use the existing claim, or let duplicates merge."
    content_hash: str
    existing_id: str

    @property
    def message(self) -> str:
        """Name the hash."""
        return f"Duplicate claim with hash {self.content_hash}"


@dataclass(frozen=True, slots=True)
class UnknownClaim(PCEError):
    """No claim, live or merged, has this id."""

    tag: ClassVar[str] = "UnknownClaimError"
    code: ClassVar[str] = "UNKNOWN_CLAIM"
    status: ClassVar[int] = 404
    remedy: ClassVar[str] = "Use an id that observe, activate or search returned."
    claim_id: str

    @property
    def message(self) -> str:
        """Name the id."""
        return f"Claim {shown(self.claim_id)} not found"


@dataclass(frozen=True, slots=True)
class UnknownDocument(PCEError):
    """No document has this id, or none that the boundary shows."""

    tag: ClassVar[str] = "UnknownDocumentError"
    code: ClassVar[str] = "UNKNOWN_DOCUMENT"
    status: ClassVar[int] = 404
    remedy: ClassVar[str] = "Use an id that a search returned, or one it was added with."
    doc_id: str = field(repr=False)

    @property
    def message(self) -> str:
        """Say what may be shown of the id."""
        return f"Document {shown(self.doc_id)} not found"


@dataclass(frozen=True, slots=True)
class InvalidBoundary(PCEError):
    """A boundary that cannot be used: an empty part, or a rule that does not compile."""

    tag: ClassVar[str] = "InvalidBoundaryError"
    code: ClassVar[str] = "INVALID_BOUNDARY"
    status: ClassVar[int] = 422
    remedy: ClassVar[str] = "Give a boundary with scopes, classes and rules that compile."
    reason: str

    @property
    def message(self) -> str:
        """Name the reason."""
        return f"Invalid boundary: {self.reason}"


@dataclass(frozen=True, slots=True)
class InvalidId(PCEError):
    """A string that is not an id of the kind asked for."""

    tag: ClassVar[str] = "InvalidIdError"
    code: ClassVar[str] = "INVALID_ID"
    status: ClassVar[int] = 422
    remedy: ClassVar[str] = "An id is its prefix and 1 to 64 of A-Z a-z 0-9 _ and -."
    id_type: str
    provided: str = field(repr=False)

    @property
    def message(self) -> str:
        """Name the kind, and what may be shown of the string."""
        return f"Invalid {self.id_type}: {shown(self.provided)}"


@dataclass(frozen=True, slots=True)
class InvalidPolicyVersion(PCEError):
    """A policy version that is not SemVer."""

    tag: ClassVar[str] = "InvalidPolicyVersionError"
    code: ClassVar[str] = "INVALID_POLICY_VERSION"
    status: ClassVar[int] = 422
    remedy: ClassVar[str] = 'Write it as major.minor.patch in quotes, such as "1.0.0".'
    provided: str = field(repr=False)

    @property
    def message(self) -> str:
        """Say what may be shown of the string."""
        return f"Invalid policy version: {shown(self.provided)}. Must be valid SemVer"


@dataclass(frozen=True, slots=True)
class InvalidParameter(PCEError):
    """An argument that is out of its range, or of another kind."""

    tag: ClassVar[str] = "InvalidParameterError"
    code: ClassVar[str] = "INVALID_PARAMETER"
    status: ClassVar[int] = 422
    remedy: ClassVar[str] = "Give a value in the range the message names; nothing was changed."
    name: str
    reason: str

    @property
    def message(self) -> str:
        """Name the argument and what is wrong."""
        return f"Invalid {self.name}: {self.reason}"


@dataclass(frozen=True, slots=True)
class RunNotFound(PCEError):
    """No run that the caller may look at has this id: it expired, or is of another reach."""

    tag: ClassVar[str] = "RunNotFoundError"
    code: ClassVar[str] = "RUN_NOT_FOUND"
    status: ClassVar[int] = 404
    remedy: ClassVar[str] = (
        "Run the lanes again under this boundary and policy; runs live as long as fusion.run_ttl."
    )
    run_id: str

    @property
    def message(self) -> str:
        """Name the id."""
        return f"Run {shown(self.run_id)} not found"

    @property
    def details(self) -> Mapping[str, object]:
        """Return what may be shown of the id."""
        return {"run_id": shown(self.run_id)}


@dataclass(frozen=True, slots=True)
class BackendFailed(PCEError):
    """A search backend of the host's gave nothing that can be used."""

    tag: ClassVar[str] = "BackendError"
    code: ClassVar[str] = "BACKEND_ERROR"
    status: ClassVar[int] = 502
    remedy: ClassVar[str] = "Look at the backend itself; the memory is not at fault."
    backend: str
    reason: str

    @property
    def message(self) -> str:
        """Name the backend and what is wrong."""
        return f"The backend {shown(self.backend)} failed: {self.reason}"


@dataclass(frozen=True, slots=True)
class JudgeFailed(PCEError):
    """A judge of the host's gave nothing that can be used; what it said itself is not told."""

    tag: ClassVar[str] = "JudgeError"
    code: ClassVar[str] = "JUDGE_FAILED"
    status: ClassVar[int] = 502
    remedy: ClassVar[str] = "Look at the judge itself, or give a score; nothing was changed."
    judge: str
    reason: str

    @property
    def message(self) -> str:
        """Name the judge and what is wrong."""
        return f"The judge {shown(self.judge)} failed: {self.reason}"


@dataclass(frozen=True, slots=True)
class PortFailed(PCEError):
    """A part of the deps record that is the host's raised, or gave what it may not give."""

    tag: ClassVar[str] = "PortError"
    code: ClassVar[str] = "PORT_FAILED"
    status: ClassVar[int] = 502
    remedy: ClassVar[str] = "Look at the port itself; nothing was changed and nothing shown."
    port: str
    reason: str

    @property
    def message(self) -> str:
        """Name the port and what is wrong."""
        return f"The port {self.port} failed: {self.reason}"


@dataclass(frozen=True, slots=True)
class SearchFailed(PCEError):
    """The search could not be answered. `query` is kept for the caller and never shown."""

    tag: ClassVar[str] = "SearchFailedError"
    code: ClassVar[str] = "SEARCH_FAILED"
    status: ClassVar[int] = 500
    remedy: ClassVar[str] = "Shorten or repeat the query as the reason says."
    query: str = field(repr=False)
    reason: str

    @property
    def message(self) -> str:
        """Name the reason."""
        return f"Search failed: {self.reason}"


@dataclass(frozen=True, slots=True)
class EmbeddingFailed(PCEError):
    """The embedder gave no usable vector. `text` is kept for the caller and never shown."""

    tag: ClassVar[str] = "EmbeddingFailedError"
    code: ClassVar[str] = "EMBEDDING_FAILED"
    status: ClassVar[int] = 503
    remedy: ClassVar[str] = "Check that the embedder's package is installed and its model loads."
    text: str = field(repr=False)
    provider: str
    reason: str = ""

    @property
    def message(self) -> str:
        """Name the provider and, where known, the reason."""
        why = f": {self.reason}" if self.reason else ""
        return f"Embedding failed for provider {self.provider}{why}"


@dataclass(frozen=True, slots=True)
class EmbedderMismatch(PCEError):
    """The file was written with another embedding model or dimension."""

    tag: ClassVar[str] = "EmbedderMismatchError"
    code: ClassVar[str] = "EMBEDDER_MISMATCH"
    status: ClassVar[int] = 409
    remedy: ClassVar[str] = (
        "Open it with the embedder it was written with, or with allow_reembed=True to run "
        "memory.reembed()."
    )
    stored: str
    given: str

    @property
    def message(self) -> str:
        """Name both models and the way out."""
        return (
            f"This memory was written with the embedding model {self.stored}, not {self.given}; "
            "run reembed() to change it"
        )


@dataclass(frozen=True, slots=True)
class TokenizerMismatch(PCEError):
    """The file was indexed by another tokenizer, or by another version of it."""

    tag: ClassVar[str] = "TokenizerMismatchError"
    code: ClassVar[str] = "TOKENIZER_MISMATCH"
    status: ClassVar[int] = 409
    remedy: ClassVar[str] = (
        "Open it with the tokenizer it was indexed by, or for writing with allow_reindex=True to "
        "run memory.reindex()."
    )
    stored: str
    given: str

    @property
    def message(self) -> str:
        """Name both tokenizers and the way out."""
        return (
            f"This memory was indexed by the tokenizer {self.stored}, not {self.given}; "
            "run reindex() to change it"
        )

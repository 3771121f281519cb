"""What was erased, or would be: ids and counts, never text."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from pce_memory.domain.ids import ClaimIdField, DocumentIdField, ObservationIdField
from pce_memory.domain.model import EpochSeconds, Model
from pce_memory.domain.stamped import Stamped

ErasureReason: TypeAlias = Literal["forgotten", "expired", "rejected"]


class ForgetResult(Stamped):
    """What `forget` erased, or would erase under `dry_run`.

    claims: erased with their vectors, terms, evidence and cached embeddings; `derived` are those
    among them that were made of others. observations: keep a digest and a length, and say nothing
    any more. documents: erased with all they were found by. others: how many entities, edges,
    notes of reviews and runs lost words of a query; a dry run does not count runs.
    compacted: whether the file was rewritten, so that no freed block holds the bytes.
    """

    claims: tuple[ClaimIdField, ...] = ()
    derived: tuple[ClaimIdField, ...] = ()
    observations: tuple[ObservationIdField, ...] = ()
    documents: tuple[DocumentIdField, ...] = ()
    others: int = 0
    dry_run: bool = False
    compacted: bool = False


class Erasure(Model):
    """One thing that was erased for good; the digest is an HMAC under the file's key."""

    id: str
    subject: Literal["claim", "observation", "document"]
    subject_id: str
    digest: str
    why: ErasureReason
    erased_at: EpochSeconds


class Forgetting(Model):
    """What to forget: exactly one of these is given.

    claim_id: a claim, under any id it ever had. observation_id: what was observed, and the claims
    that rest on it alone. actor: all that somebody said. query: the claims and the documents that
    hold every word of it: a claim in its text, tags, evidence and names of entities, a document
    in its texts, ids, codes and attributes. For the owner also the observations, entities, edges
    and notes of reviews that do. document_id: one.
    """

    claim_id: ClaimIdField | None = None
    observation_id: ObservationIdField | None = None
    actor: Annotated[str, Field(strict=True, min_length=1, max_length=512)] | None = None
    document_id: DocumentIdField | None = None
    query: Annotated[str, Field(strict=True, min_length=1, max_length=16_384)] | None = None
    dry_run: Annotated[bool, Field(strict=True)] = False
    derived: Annotated[bool, Field(strict=True)] = True
    compact: Annotated[bool, Field(strict=True)] = True

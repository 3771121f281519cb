"""Find the text of a claim again in what was observed: the one that has its hash."""

from collections.abc import Iterable, Mapping

from pce_memory.domain.claim import MAX_CLAIM_CHARS
from pce_memory.text.content_hash import content_hash


def texts_found(behind: Iterable[tuple[str, str, str]]) -> Mapping[str, str]:
    """Return texts by claim id, of (claim id, content hash, what an observation says)."""
    from pce_memory.extractor.split import split  # noqa: PLC0415 - its patterns are many

    return {
        claim_id: segment.text
        for claim_id, digest, content in behind
        for segment in split(content, max_chars=MAX_CLAIM_CHARS)
        if content_hash(segment.text) == digest
    }

"""What is kept of an observation: its retention mode, its class, its end. Pure."""

from datetime import UTC, datetime

from pce_memory.domain.model import LAST_MOMENT
from pce_memory.domain.observation import Observation
from pce_memory.domain.policy import Policy, seconds
from pce_memory.domain.provenance import Provenance
from pce_memory.domain.vocabulary import BoundaryClass
from pce_memory.text.detect import PII_KINDS, detect
from pce_memory.text.redact import SECRET, redact


def as_kept(
    observation: Observation, content: str, redacted: str, *, digest: str, policy: Policy
) -> Observation:
    """Return the observation as it is stored: raw, redacted, or without its text.

    A secret is never stored: raw text with a secret in it is kept with the secret replaced.
    """
    mode = policy.extraction.store_mode
    text = None if mode == "digest_only" else redacted
    if mode == "raw":
        text = redact(content, kinds={SECRET}).text
    ends = observation.created_at + seconds(policy.extraction.observation_ttl)
    observed_at = (
        observation.created_at if observation.observed_at is None else observation.observed_at
    )
    return observation.model_copy(
        update={
            "content": text,
            "store_mode": mode,
            "boundary_class": _class_of(text),
            "content_digest": digest,
            "content_length": len(content),
            "observed_at": observed_at,
            "expires_at": observation.expires_at or (ends if ends < LAST_MOMENT else None),
            "provenance": observation.provenance or provenance_of(observation, at=observed_at),
        }
    )


def provenance_of(observation: Observation, *, at: float) -> Provenance:
    """Return the provenance of an observation that came with none.

    >>> provenance_of(
    ...     Observation(id="obs_1", source_type="chat", content="x", created_at=0), at=0.0
    ... ).at
    '1970-01-01T00:00:00+00:00'
    """
    moment = datetime.fromtimestamp(at, UTC).isoformat()
    url = observation.source_id if observation.source_type == "http" else None
    return Provenance(at=moment, actor=observation.actor, url=url)


def _class_of(text: str | None) -> BoundaryClass:
    return "pii" if text is not None and detect(text, PII_KINDS) else "internal"

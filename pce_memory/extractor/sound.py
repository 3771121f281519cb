"""Whether an observation can be taken: every refusal says why, and nothing is stored."""

from typing import TypeAlias

from returns.result import Failure, Result, Success

from pce_memory.domain.boundary import Boundary
from pce_memory.domain.observation import Observation
from pce_memory.domain.policy import Policy
from pce_memory.errors import BoundaryDenied, InvalidParameter
from pce_memory.text.detect import SECRET_KINDS, detect
from pce_memory.text.sanitize import find_unstorable
from pce_memory.text.secrecy import storable

Unsound: TypeAlias = InvalidParameter | BoundaryDenied


def sound(
    observation: Observation, boundary: Boundary, policy: Policy, *, now: float
) -> Result[str, Unsound]:
    """Return the content of an observation that can be taken."""
    content = observation.content
    if content is None or not content.strip():
        return _invalid("content", "it is empty; an observation needs some text")
    if observation.expires_at is not None and observation.expires_at <= now:
        return _invalid("expires_at", "the observation has expired already")
    return Result.do(
        content
        for _ in _storable("content", content)
        for _ in _within_size(content, policy)
        for _ in _fields(observation)
        for _ in _secrets(content, boundary, policy)
    )


def _storable(name: str, text: str) -> Result[None, InvalidParameter]:
    place = find_unstorable(text)
    if place is None:
        return Success(None)
    return _invalid(name, f"it has a NUL or a lone surrogate at character {place}; take it out")


def _within_size(content: str, policy: Policy) -> Result[None, InvalidParameter]:
    size, limit = len(content.encode()), policy.extraction.max_bytes
    if size <= limit:
        return Success(None)
    return _invalid("content", f"it is {size} bytes long; the policy allows {limit}; split it")


def _fields(observation: Observation) -> Result[None, InvalidParameter]:
    """Check the small fields: they are stored as given, so they may hold no secret."""
    return storable(
        source_id=observation.source_id,
        actor=observation.actor,
        tags=observation.tags,
        provenance=observation.provenance,
    )


def _secrets(content: str, boundary: Boundary, policy: Policy) -> Result[None, BoundaryDenied]:
    if policy.extraction.on_secret == "redact" or not detect(content, SECRET_KINDS):  # noqa: S105
        return Success(None)
    return Failure(BoundaryDenied(boundary, "the observation holds a secret"))


def _invalid(name: str, reason: str) -> Failure[InvalidParameter]:
    return Failure(InvalidParameter(name, reason))

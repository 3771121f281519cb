"""Draw claims from an observation; nothing is embedded or stored before it is redacted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.extraction import ExtractionResult, Refusal
from pce_memory.domain.graph import Entity, Relation, one_meaning_each
from pce_memory.domain.observation import Observation
from pce_memory.domain.policy import Policy
from pce_memory.errors import BoundaryDenied, CoreError, InvalidParameter
from pce_memory.extractor.claims import OVER_LIMIT, ClaimMaker
from pce_memory.extractor.keep import as_kept
from pce_memory.extractor.links import link
from pce_memory.extractor.sound import sound
from pce_memory.policy.boundary import well_formed
from pce_memory.policy.redaction import redact_for
from pce_memory.result import reader
from pce_memory.text.secrecy import storable

NAMED: Final = 5
"""How many refused pieces a message names before it counts the rest."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An observation as it is to be kept, what was drawn from it, and what was not, and why."""

    observation: Observation
    extraction: ExtractionResult
    refused: tuple[Refusal, ...]
    redactions: Mapping[str, int]


@reader
def extract(
    deps: CoreDeps, observation: Observation, boundary: Boundary
) -> Result[tuple[AnyClaim, ...], CoreError]:
    """Return the claims of an observation under the policy in force."""
    return extract_with_graph(observation, boundary)(deps).map(lambda found: found.claims)


@reader
def extract_with_graph(
    deps: CoreDeps,
    observation: Observation,
    boundary: Boundary,
    *,
    entities: Sequence[Entity] = (),
    relations: Sequence[Relation] = (),
) -> Result[ExtractionResult, CoreError]:
    """Return claims, evidence, and the entities and relations the text states or a caller gives.

    All or nothing: a piece whose class is outside the boundary fails the call, and so does more
    than the policy allows from one observation.
    """
    return Result.do(
        drafted.extraction
        for policy in deps.policy_store.get_current()
        for drafted in draft(
            observation, boundary, policy, entities=entities, relations=relations
        )(deps)
        for _ in _nothing_denied(drafted.refused, boundary)
        for _ in _nothing_left(drafted.refused)
    )


@reader
def draft(
    deps: CoreDeps,
    observation: Observation,
    boundary: Boundary,
    policy: Policy,
    *,
    entities: Sequence[Entity] = (),
    relations: Sequence[Relation] = (),
) -> Result[Draft, CoreError]:
    """Return what an observation comes to, piece by piece: what is refused stops nothing else."""
    return Result.do(
        drafted
        for _ in well_formed(boundary)
        for _ in storable(entities=entities, relations=relations)
        for _ in one_meaning_each(entities, relations)
        for content in sound(observation, boundary, policy, now=deps.clock())
        for drafted in Success(_drafted(deps, observation, content, boundary, policy))
        for drafted in Success(_with_graph(drafted, entities, relations))
    )


def _drafted(
    deps: CoreDeps,
    observation: Observation,
    content: str,
    boundary: Boundary,
    policy: Policy,
) -> Draft:
    redaction = redact_for(content, policy, boundary_class="pii")
    kept = as_kept(
        observation, content, redaction.text, digest=deps.digest(content), policy=policy
    )
    maker = ClaimMaker(kept, boundary, now=deps.clock(), ids=deps.ids, policy=policy)
    made = maker.make(redaction.text)
    return Draft(kept, made.extraction, made.refused, redaction.counts)


def _with_graph(
    drafted: Draft, entities: Sequence[Entity], relations: Sequence[Relation]
) -> Draft:
    linked = link(drafted.extraction, entities, relations)
    return Draft(drafted.observation, linked, drafted.refused, drafted.redactions)


def _nothing_denied(
    refused: Sequence[Refusal], boundary: Boundary
) -> Result[None, BoundaryDenied]:
    denied = [one for one in refused if one.code == BoundaryDenied.code]
    if not denied:
        return Success(None)
    named = ", ".join(f"line {one.line}: {one.reason}" for one in denied[:NAMED])
    more = f" and {len(denied) - NAMED} more" if len(denied) > NAMED else ""
    return Failure(BoundaryDenied(boundary, f"{named}{more}"))


def _nothing_left(refused: Sequence[Refusal]) -> Result[None, InvalidParameter]:
    over = next((one for one in refused if one.code == OVER_LIMIT), None)
    if over is None:
        return Success(None)
    return Failure(InvalidParameter("content", f"line {over.line}: {over.reason}"))

"""What is done before an integration writes: check the claims, and embed their texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.extraction import ExtractionResult, IntegrationOptions
from pce_memory.domain.ids import ObservationId
from pce_memory.domain.policy import Policy
from pce_memory.errors import CoreError
from pce_memory.integrator.admit import admit, beside_texts, validated_before
from pce_memory.integrator.indexing import Bulk, Indexed, index
from pce_memory.policy.escalation import awaiting
from pce_memory.result import reader
from pce_memory.store.observations import Said

DEFAULTS: Final = IntegrationOptions()


@dataclass(frozen=True, slots=True)
class Prepared:
    """Claims that may enter, with their vectors: what is left is one transaction."""

    given: ExtractionResult
    boundary: Boundary
    policy: Policy
    options: IntegrationOptions
    indexed: Indexed


@reader
def prepare(
    deps: CoreDeps,
    extraction: ExtractionResult,
    boundary: Boundary,
    policy: Policy,
    *,
    options: IntegrationOptions = DEFAULTS,
    observed: Mapping[ObservationId, Said] | None = None,
) -> Result[Prepared, CoreError]:
    """Check the claims and embed their texts, before any transaction begins.

    `observed` tells of the observations the claims were drawn from, which are yet to be written.
    A claim of theirs that is outside the boundary may come in to wait for a human, if its class
    does.
    """
    drawn = observed is not None
    check = partial(_admitted, drawn=drawn) if options.validate_invariants else _validated
    return Result.do(
        Prepared(
            extraction.model_copy(update={"claims": claims}), boundary, policy, options, indexed
        )
        for limits in Success(awaiting(boundary, policy) if drawn else boundary)
        for claims in check(extraction, limits, policy)(deps)
        for indexed in index(claims, policy, said=observed or {})(deps)
    )


@reader
def prepare_bulk(
    deps: CoreDeps, admitted: Sequence[AnyClaim], vectors: Bulk, boundary: Boundary, policy: Policy
) -> Result[Prepared, CoreError]:
    """Embed the texts of very many claims that were admitted, where they come without vectors."""
    extraction = ExtractionResult.model_construct(claims=tuple(admitted))
    return Result.do(
        Prepared(extraction, boundary, policy, DEFAULTS, indexed)
        for indexed in index(admitted, policy, said={}, bulk=vectors)(deps)
    )


@reader
def _admitted(
    deps: CoreDeps,
    extraction: ExtractionResult,
    boundary: Boundary,
    policy: Policy,
    *,
    drawn: bool,
) -> Result[tuple[AnyClaim, ...], CoreError]:
    """Return the claims with their content hashes, if all may enter with what is beside them."""
    return Result.do(
        claims
        for _ in beside_texts(extraction, drawn=drawn)
        for claims in admit(extraction.claims, boundary, policy, drawn=drawn)(deps)
    )


@reader
def _validated(
    deps: CoreDeps, extraction: ExtractionResult, boundary: Boundary, policy: Policy
) -> Result[tuple[AnyClaim, ...], CoreError]:
    return Result.do(
        claims
        for _ in beside_texts(extraction)
        for claims in validated_before(extraction.claims, boundary, policy)(deps)
    )

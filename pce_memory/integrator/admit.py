"""Which claims may enter: every offender is named, and one is enough to refuse the call."""

from collections.abc import Iterable, Iterator, Sequence

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim, anchor_of
from pce_memory.domain.extraction import ExtractionResult
from pce_memory.domain.graph import one_meaning_each
from pce_memory.domain.ids import called
from pce_memory.domain.model import SKEW
from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import stricter
from pce_memory.errors import BoundaryDenied, CoreError, InvalidParameter, InvalidScope
from pce_memory.policy.boundary import all_invariants
from pce_memory.policy.escalation import escalation_of
from pce_memory.policy.judging import Invariants, Violation, invariants_of
from pce_memory.policy.offences import Offence, denied, permitted
from pce_memory.policy.redaction import detected_class
from pce_memory.result import collect, partition, reader, refill
from pce_memory.store import claims as claim_rows
from pce_memory.store.visibility import shown_rows
from pce_memory.text.content_hash import content_hash
from pce_memory.text.detect import SECRET_KINDS, detect
from pce_memory.text.sanitize import find_unstorable
from pce_memory.text.secrecy import storable


@reader
def admit(
    deps: CoreDeps,
    claims: Sequence[AnyClaim],
    boundary: Boundary,
    policy: Policy,
    *,
    drawn: bool = False,
) -> Result[tuple[AnyClaim, ...], CoreError]:
    """Return the claims with their content hashes, if every one may enter.

    Those of a class under human review are marked as waiting for it. Claims that were `drawn` by
    the extractor have their hash, and the class of their text under the same policy, already.
    """
    return Result.do(
        judged
        for _ in _not_in_the_future(claims, deps.clock())
        for hashed in (
            Success(tuple(claims))
            if drawn
            else collect(_hashed(claim, policy) for claim in claims)
        )
        for _ in _in_scope(hashed, boundary)
        for _ in _in_class(hashed, boundary)
        for judged in _escalated(hashed, boundary, policy)
        for _ in hold(judged, boundary, policy)(deps)
    )


@reader
def admit_each(
    deps: CoreDeps, claims: Sequence[AnyClaim], boundary: Boundary, policy: Policy
) -> Result[tuple[Result[AnyClaim, CoreError], ...], CoreError]:
    """Return for each claim what `admit` returns of it alone, or why it may not enter."""
    now = deps.clock()
    alone = [_alone(claim, boundary, policy, now) for claim in claims]
    good, _ = partition(alone)
    return Result.do(
        refill(alone, _apart(good, violations, boundary))
        for invariants in _invariants(deps, boundary, policy)
        for violations in invariants.sifted(good)
    )


def _apart(
    claims: Sequence[AnyClaim], violations: Sequence[Violation], boundary: Boundary
) -> Iterator[Result[AnyClaim, CoreError]]:
    """Yield each claim, or why it is refused."""
    by_place: dict[int, list[Offence]] = {}
    for one in violations:
        by_place.setdefault(one.place, []).append((one.claim_id, one.reason))
    for place, claim in enumerate(claims):
        refused = denied(by_place.get(place, ()), boundary)
        yield refused if isinstance(refused, Failure) else Success(claim)


def _alone(
    claim: AnyClaim, boundary: Boundary, policy: Policy, now: float
) -> Result[AnyClaim, CoreError]:
    return Result.do(
        judged[0]
        for _ in storable(tags=[claim.tags])
        for _ in _not_in_the_future([claim], now)
        for hashed in _hashed(claim, policy)
        for _ in _in_scope([hashed], boundary)
        for _ in _in_class([hashed], boundary)
        for judged in _escalated([hashed], boundary, policy)
    )


@reader
def hold(
    deps: CoreDeps, claims: Sequence[AnyClaim], boundary: Boundary, policy: Policy
) -> Result[None, CoreError]:
    """Return a failure that names every claim an invariant does not hold for."""
    return permitted(deps.invariant_evaluator, claims, policy, boundary=boundary)


def _invariants(
    deps: CoreDeps, boundary: Boundary, policy: Policy
) -> Result[Invariants, CoreError]:
    return invariants_of(
        deps.invariant_evaluator, all_invariants(boundary, policy), boundary.context
    )


@reader
def validated_before(
    deps: CoreDeps, claims: Sequence[AnyClaim], boundary: Boundary, policy: Policy
) -> Result[tuple[AnyClaim, ...], CoreError]:
    """Return the claims if this file recorded each as valid under this very policy version."""
    return Result.do(
        hashed
        for hashed in collect(_hashed(claim, policy) for claim in claims)
        for _ in _in_scope(hashed, boundary)
        for _ in _in_class(hashed, boundary)
        for rows in claim_rows.validated_under(
            [str(claim.content_hash) for claim in hashed], policy.version
        )(deps)
        for visible in shown_rows(sorted(rows), boundary, policy)(deps)
        for known in Success({rows[row] for row in visible})
        for _ in denied(
            [
                (claim.id, f"not recorded as valid under policy {policy.version}")
                for claim in hashed
                if claim.content_hash not in known
            ],
            boundary,
        )
    )


def beside_texts(
    extraction: ExtractionResult, *, drawn: bool = False
) -> Result[None, InvalidParameter]:
    """Return a failure if something beside the claims' texts may not be stored as it is.

    What stands beside them is of claims of the call: nobody adds to a claim that he may not see.
    The tags and the evidence of `drawn` claims are what was found storable of their observation.
    """
    return Result.do(
        None
        for _ in storable(
            tags=[] if drawn else [claim.tags for claim in extraction.claims],
            evidences=[] if drawn else extraction.evidences,
            entities=extraction.entities,
            relations=extraction.relations,
        )
        for _ in one_meaning_each(extraction.entities, extraction.relations)
        for _ in _of_these(extraction)
    )


def _of_these(extraction: ExtractionResult) -> Result[None, InvalidParameter]:
    given = {claim.id for claim in extraction.claims}
    borne_out = {one.evidence_claim_id for one in extraction.relations if one.evidence_claim_id}
    spoken_of = {
        "evidences": {one.claim_id for one in extraction.evidences},
        "mentions": {one.claim_id for one in extraction.mentions},
        "relations": borne_out,
    }
    for name, ids in spoken_of.items():
        if ids - given:
            reason = "they speak of a claim that is not in the call; give the claim with them"
            return Failure(InvalidParameter(name, reason))
    return Success(None)


def _hashed(claim: AnyClaim, policy: Policy) -> Result[AnyClaim, InvalidParameter]:
    """Return the claim with its hash, and in the class its own text puts it in."""
    if called(claim.id) != claim.id:
        reason = f"{claim.id} is no id to give: after clm_ come 1 to 64 of A-Z a-z 0-9 _ -"
        return Failure(InvalidParameter("claim id", reason))
    if (place := find_unstorable(claim.text)) is not None:
        reason = f"the text of {claim.id} has a NUL or a lone surrogate at character {place}"
        return Failure(InvalidParameter("claim", reason))
    if not claim.text.strip():
        return Failure(InvalidParameter("claim", f"the text of {claim.id} is blank"))
    computed = content_hash(claim.text)
    if claim.content_hash not in {None, computed}:
        reason = f"the content_hash of {claim.id} is not that of its text; leave it out"
        return Failure(InvalidParameter("claim", reason))
    found = stricter(claim.boundary_class, detected_class(claim.text, policy))
    return Success(claim.model_copy(update={"content_hash": computed, "boundary_class": found}))


def _not_in_the_future(claims: Sequence[AnyClaim], now: float) -> Result[None, InvalidParameter]:
    """Refuse times to come: a claim would outlive its scope by them."""
    for claim in claims:
        if max(claim.created_at, claim.updated_at, anchor_of(claim)) > now + SKEW:
            reason = f"a time of {claim.id} is more than 5 minutes in the future"
            return Failure(InvalidParameter("claim", reason))
    return Success(None)


def _escalated(
    claims: Sequence[AnyClaim], boundary: Boundary, policy: Policy
) -> Result[tuple[AnyClaim, ...], BoundaryDenied]:
    """Return the claims, those that a human has to see marked; or why the policy denies some."""
    what = [escalation_of(claim.boundary_class, policy) for claim in claims]
    offences = [
        (claim.id, f"the policy keeps no claim of class {claim.boundary_class}")
        for claim, one in zip(claims, what, strict=True)
        if one == "deny"
    ]
    marked = tuple(
        claim.model_copy(update={"status": "review"}) if one == "human_review" else claim
        for claim, one in zip(claims, what, strict=True)
    )
    return denied(offences, boundary).map(lambda _: marked)


def _in_scope(claims: Sequence[AnyClaim], boundary: Boundary) -> Result[None, InvalidScope]:
    outside = [claim.scope for claim in claims if claim.scope not in boundary.scope]
    if not outside:
        return Success(None)
    return Failure(InvalidScope(outside[0], boundary.scope))


def _in_class(claims: Sequence[AnyClaim], boundary: Boundary) -> Result[None, BoundaryDenied]:
    return denied(
        [offence for claim in claims for offence in _offences(claim, boundary)], boundary
    )


def _offences(claim: AnyClaim, boundary: Boundary) -> Iterable[Offence]:
    # A text that holds a secret has put its claim in this class.
    if claim.boundary_class == "secret":
        found = detect(claim.text, SECRET_KINDS)
        yield claim.id, "its text holds a secret" if found else "class secret is never kept"
    elif claim.boundary_class not in boundary.boundary_classes:
        yield claim.id, f"class {claim.boundary_class} is outside the boundary"

"""What an activation returns: scored claims in a short-lived active context."""

from typing import Annotated

from pydantic import Field

from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.ids import ActiveContextIdField, ClaimIdField, PolicyVersionField
from pce_memory.domain.model import EpochSeconds, Finite, Model, Unit
from pce_memory.domain.provenance import Evidence, Provenance
from pce_memory.domain.ranking import Relevance
from pce_memory.domain.refinement import ScoreDirection
from pce_memory.domain.stamped import Warned
from pce_memory.domain.vocabulary import FusionMode, Scope


class ActiveContext(Model):
    """A disposable projection of the memory for one query."""

    id: ActiveContextIdField
    window: str | None = None
    scope: Scope
    provenance: tuple[Provenance, ...] | None = None
    expires_at: EpochSeconds
    policy_version: PolicyVersionField
    created_at: EpochSeconds


class ActiveContextItem(Model):
    """One claim of an active context; ranks count from 1."""

    ac_id: ActiveContextIdField
    claim_id: ClaimIdField
    rank: Annotated[int, Field(ge=1)]
    score: Finite | None = None


class Scores(Model):
    """Every number behind a rank. `cosine` and `bm25` are the raw values, None where absent.

    `relevance` is what the second stage says, and `window` the share of the words asked for that
    stand in the claim or around it; None where there was no second stage. `reranked` is what a
    reranker of the host's says, None where it was not asked.
    """

    text: Unit
    vector: Unit
    combined: Unit
    utility: Finite
    utility_z: Finite
    confidence: Unit
    quality: Unit
    recency: Unit
    g: Unit
    bm25: Finite | None = None
    cosine: Finite | None = None
    relevance: Unit | None = None
    window: Unit | None = None
    reranked: Unit | None = None


class ScoredClaim(Model):
    """A claim with its score, its rank from 1, its evidence and why it stands there."""

    claim: AnyClaim
    score: Finite
    rank: Annotated[int, Field(ge=1)]
    evidences: tuple[Evidence, ...] = ()
    scores: Scores | None = None
    reason: str | None = None


class ScoringParams(Model):
    """The parameters a ranking was made with; `alpha` is 0 where no query vector was at hand.

    `mode` says what was joined by it: scores (alpha) or ranks (rrf). `reranker` is the `model_id`
    of the one that judged the best; None where none did.
    """

    mode: FusionMode = "alpha"
    alpha: Unit
    k_txt: int
    k_vec: int
    k_final: int
    recency_half_life_days: float
    threshold: float
    reranker: str | None = None


class Verdict(Model):
    """Whether what was found answers: correct, ambiguous or incorrect (seed 000 §3.5).

    `relevance` is how often items like the best of these are among five that answer, `confidence`
    the mean over the best three; both in [0, 1]. `needs_external` says that an answer has to be
    looked for elsewhere. After a second pass, `score_direction` says what it made of the
    confidence, where a change below `noise_threshold`, of 100, is none.
    """

    verdict: Relevance
    relevance: Unit
    confidence: Unit
    needs_external: bool
    passes: Annotated[int, Field(ge=1, le=2)] = 1
    score_direction: ScoreDirection | None = None
    noise_threshold: Finite | None = None


class ActivationResult(Warned):
    """An active context and its items.

    `boundary` is what the query reached: the boundary it was made under, narrowed by the query and
    the policy. `saved` is False on a read-only memory; `cut_by` says why items were left out, if
    any were: `tokens` when the token budget of the searched scopes was reached. `warnings` has a
    sentence for each tag of the boundary that the policy shows nothing by its name.
    """

    active_context: ActiveContext
    items: tuple[ScoredClaim, ...]
    scoring_params: ScoringParams
    boundary: Boundary
    saved: bool = True
    cut_by: str | None = None
    below_threshold: int = 0
    verdict: Verdict | None = None

    @property
    def expires_at(self) -> float:
        """When the context expires, in UTC epoch seconds."""
        return self.active_context.expires_at

    @property
    def policy_version(self) -> str:
        """The version of the policy the activation was made under."""
        return self.active_context.policy_version

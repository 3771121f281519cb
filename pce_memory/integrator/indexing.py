"""What new claims are found by: their texts with their speakers, and the vectors of these."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps, Vector
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.ids import ClaimId, ObservationId, called
from pce_memory.domain.policy import Policy
from pce_memory.errors import CoreError, EmbedderMismatch
from pce_memory.policy.indexed import indexed_text
from pce_memory.result import fold, reader
from pce_memory.store import embeddings, events, observations
from pce_memory.store.observations import Said


@dataclass(frozen=True, slots=True)
class Indexed:
    """What of each claim is indexed, who said it, and the vectors by what is embedded.

    `in_bulk`: near duplicates are not looked for.
    """

    texts: Mapping[ClaimId, str]
    said: Mapping[ObservationId, Said]
    vectors: Mapping[str, Vector]
    in_bulk: bool = False

    def text(self, claim: AnyClaim) -> str:
        """Return what of a claim is indexed and embedded."""
        return self.texts[called(claim.id)]

    def vector(self, claim: AnyClaim) -> Vector | None:
        """Return the vector of a claim; None where the embedder failed."""
        return self.vectors.get(self.texts[called(claim.id)])


Bulk: TypeAlias = Mapping[ClaimId, Vector]
"""The vectors that come with the claims of a bulk; none where the embedder is to be asked."""


@reader
def index(
    deps: CoreDeps,
    claims: Sequence[AnyClaim],
    policy: Policy,
    *,
    said: Mapping[ObservationId, Said],
    bulk: Bulk | None = None,
) -> Result[Indexed, CoreError]:
    """Return how claims are to be found.

    `said` tells of the observations that are yet to be written; the others are looked up. Where
    the embedder fails, the claims are kept without vectors, an event says so, and `reindex` makes
    up for it.
    """
    unknown = [origin for origin in _origins(claims) if origin not in said]
    return Result.do(
        Indexed(texts, all_said, vectors, in_bulk=bulk is not None)
        for _ in embeddings.same_model()(deps)
        for stored in observations.said(unknown)(deps)
        for all_said in Success({**stored, **said})
        for texts in Success({one.id: _text(one, all_said, policy) for one in claims})
        for vectors in (
            vectors_of(deps, tuple(texts.values()), policy)
            if bulk is None
            else _vectors_in_bulk(deps, texts, policy, bulk)
        )
    )


def _vectors_in_bulk(
    deps: CoreDeps, texts: Mapping[ClaimId, str], policy: Policy, bulk: Bulk
) -> Result[Mapping[str, Vector], CoreError]:
    """Return the vectors that were given, else what the embedder says of all texts at once."""
    if not bulk:
        return vectors_of(deps, tuple(texts.values()), policy, cached=False)
    # Of claims with one text the first stands, and its vector.
    given = list(bulk.items())
    return Success({texts[one]: vector for one, vector in reversed(given) if one in texts})


def _origins(claims: Iterable[AnyClaim]) -> list[ObservationId]:
    known = (one.origin_observation_id for one in claims)
    return list(dict.fromkeys(origin for origin in known if origin is not None))


def _text(claim: AnyClaim, said: Mapping[ObservationId, Said], policy: Policy) -> str:
    origin = claim.origin_observation_id
    known = None if origin is None else said.get(origin)
    by = None if known is None else known.by
    return indexed_text(claim.text, claim.boundary_class, policy, said_by=by)


def vectors_of(
    deps: CoreDeps,
    texts: Sequence[str],
    policy: Policy,
    *,
    at: str = "integrate",
    cached: bool = True,
) -> Result[Mapping[str, Vector], CoreError]:
    """Return the vectors of texts; where the embedder fails none, and an event says so.

    An embedder of another model has not failed: its vectors are refused.
    """

    def without(error: CoreError) -> Result[Mapping[str, Vector], CoreError]:
        if isinstance(error, EmbedderMismatch):
            return Failure(error)
        payload = {"at": at, "texts": len(texts), "error": error.code}
        return events.record("search_fallback", payload, policy_version=policy.version)(deps).map(
            lambda _: {}
        )

    embed = embeddings.embed_all if cached else embeddings.embed_anew
    return fold(embed(texts)(deps), ok=Success, err=without)

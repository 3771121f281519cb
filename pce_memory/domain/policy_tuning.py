"""The sections of a policy that say how claims are made, found, ranked and judged."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from pce_memory.domain.model import Model, Unit
from pce_memory.domain.observation import StoreMode
from pce_memory.domain.policy_boundary import Duration, Ttl
from pce_memory.domain.policy_verdict import Crag
from pce_memory.domain.vocabulary import ClaimKind, FeedbackSignal, FusionMode, Scope

Candidates: TypeAlias = Annotated[int, Field(ge=1, le=10_000)]
HalfLife: TypeAlias = Annotated[float, Field(gt=0, le=36_500)]


class Extraction(Model):
    """How observations become claims."""

    store_mode: Annotated[
        StoreMode, Field(description="What is kept of an observation: raw, redact, digest_only.")
    ] = "redact"
    on_secret: Annotated[
        Literal["redact", "deny"],
        Field(description="What becomes of a text with a secret: redact it, or deny all of it."),
    ] = "redact"  # noqa: S105 - a choice, not a password
    max_bytes: Annotated[
        int, Field(ge=1, le=1 << 30, description="Longest observation, in UTF-8 bytes.")
    ] = 1 << 20
    max_claims: Annotated[
        int, Field(ge=1, le=1_000_000, description="Most claims of one observation.")
    ] = 20_000
    observation_ttl: Annotated[
        Ttl, Field(description="How long an observation's own text is kept; inf for no end.")
    ] = "30d"


class Hybrid(Model):
    """The weights and sizes of the two searches."""

    mode: Annotated[FusionMode, Field(description="Scores are joined, or the ranks of both.")] = (
        "alpha"
    )
    alpha: Annotated[
        float, Field(ge=0, le=1, description="Weight of meaning against words, 0 to 1.")
    ] = 0.65
    k_txt: Annotated[Candidates, Field(description="Candidates of the search by words.")] = 48
    k_vec: Annotated[Candidates, Field(description="Candidates of the search by meaning.")] = 96
    k_final: Annotated[Candidates, Field(description="Most claims an activation returns.")] = 12


def _by_kind() -> dict[ClaimKind, float]:
    return {"fact": 120, "task": 14, "preference": 90, "policy_hint": 365}


def _by_scope() -> dict[Scope, float]:
    return {}


class Recency(Model):
    """Half-lives of freshness; the longer of the kind's and the scope's counts."""

    half_life_days_by_kind: Mapping[ClaimKind, HalfLife] = Field(
        default_factory=_by_kind,
        description="Days by kind; the map is taken whole: a kind left out of it has the "
        "recency_half_life_days.",
        json_schema_extra={
            "default": {"fact": 120, "task": 14, "preference": 90, "policy_hint": 365}
        },
    )
    half_life_days_by_scope: Mapping[Scope, HalfLife] = Field(
        default_factory=_by_scope,
        description="Days by scope; a scope left out adds nothing.",
        examples=[{"principle": 365}],
        json_schema_extra={"default": {}},
    )


class Rerank(Model):
    """What weighs beside the match."""

    use_quality: Annotated[bool, Field(description="Whether quality weighs too.")] = False
    recency_half_life_days: Annotated[
        HalfLife, Field(description="Half-life, in days, of a kind that has none of its own.")
    ] = 30
    recency: Annotated[Recency, Field(description="Half-lives by kind and scope.")] = Recency()
    second_stage: Annotated[
        Literal["signs", "off"],
        Field(description="Whether what passed the threshold is judged again, by its signs."),
    ] = "signs"

    def half_life_days(self, kind: ClaimKind, scope: Scope) -> float:
        """Return the half-life of a claim: the longer of its kind's and its scope's.

        >>> Rerank().half_life_days("task", "principle")
        14.0
        """
        by_kind = self.recency.half_life_days_by_kind.get(kind, self.recency_half_life_days)
        return float(max(by_kind, self.recency.half_life_days_by_scope.get(scope, 0.0)))


class DynamicAlpha(Model):
    """An alpha by the form of the query, where it is enabled."""

    enabled: Annotated[
        bool, Field(description="Whether alpha depends on the form of the query.")
    ] = False
    short: Annotated[
        float, Field(ge=0, le=1, description="Alpha of one or two words, code, quotes and URLs.")
    ] = 0.4
    long: Annotated[
        float, Field(ge=0, le=1, description="Alpha of a query of long_terms words or more.")
    ] = 0.75
    long_terms: Annotated[
        int, Field(ge=3, le=1000, description="From so many words on a query is long.")
    ] = 12


class Mmr(Model):
    """Maximal marginal relevance: what is shown differs from what stands before it."""

    enabled: Annotated[bool, Field(description="Whether what is shown is chosen by MMR.")] = False
    relevance: Annotated[
        Unit, Field(description="Weight of the score against likeness to what is chosen; λ.")
    ] = 0.85
    candidates: Annotated[
        int, Field(ge=1, le=1000, description="Of so many of the best it is chosen.")
    ] = 48


class Duplicates(Model):
    """What becomes of claims that say again what a better one says."""

    same_saying: Annotated[
        Unit,
        Field(description="What a further claim of one observation counts; 1 is as much."),
    ] = 0.75
    similar: Annotated[
        float,
        Field(
            ge=0, le=1, description="From this cosine on a claim like a better one is left out."
        ),
    ] = 1.0


class RerankerUse(Model):
    """What a reranker decides, where the host brings one."""

    enabled: Annotated[
        bool, Field(description="Whether a reranker that the host brings is asked.")
    ] = True
    candidates: Annotated[
        int, Field(ge=1, le=1000, description="So many of the best are judged by it.")
    ] = 50
    weight: Annotated[
        Unit,
        Field(description="Weight of what it says against the score without it; 1 is it alone."),
    ] = 1.0


class QueryExpansion(Model):
    """Words that stand for those of a query, from dictionaries, where it is enabled."""

    enabled: Annotated[
        bool, Field(description="Whether words that mean the same are searched for too.")
    ] = False
    max_expansions: Annotated[
        int, Field(ge=0, le=100, description="Most words that are added to a query.")
    ] = 5
    include_synonyms: Annotated[
        bool, Field(description="Whether words that mean the same are added.")
    ] = True
    include_related: Annotated[
        bool, Field(description="Whether related words and translations are added.")
    ] = True
    weight: Annotated[
        float, Field(gt=0, lt=1, description="What a word counts that stands for one asked for.")
    ] = 0.4


class Retrieval(Model):
    """How claims are found, ranked and cut."""

    hybrid: Annotated[Hybrid, Field(description="Weights and sizes of the search.")] = Hybrid()
    threshold: Annotated[Unit, Field(description="Lowest score of an item, 0 to 1.")] = 0.15
    min_cosine: Annotated[
        float,
        Field(ge=-1, le=1, description="Lowest cosine of a hit that shares no word; -1 is off."),
    ] = -1.0
    text_normalizer: Annotated[
        Literal["max", "minmax"],
        Field(description="How word scores become 0 to 1: by the best, or by best and worst."),
    ] = "max"
    vector_normalizer: Annotated[
        Literal["cosine", "minmax"],
        Field(description="How cosines become 0 to 1: (cosine + 1) / 2, or by best and worst."),
    ] = "cosine"
    score_completion: Annotated[
        bool, Field(description="Whether what one search found gets the other's score too.")
    ] = True
    dynamic_alpha: Annotated[
        DynamicAlpha, Field(description="An alpha by the form of the query.")
    ] = DynamicAlpha()
    mmr: Annotated[Mmr, Field(description="Maximal marginal relevance.")] = Mmr()
    duplicates: Annotated[
        Duplicates, Field(description="What becomes of what was said already.")
    ] = Duplicates()
    query_expansion: Annotated[
        QueryExpansion, Field(description="Words that stand for those of a query.")
    ] = QueryExpansion()
    context_ttl: Annotated[
        Duration,
        Field(description="Longest life of an active context; the session's ttl caps it too."),
    ] = "24h"
    crag: Annotated[
        Crag, Field(description="Whether what is found answers, and what follows.")
    ] = Crag()
    rerank: Annotated[Rerank, Field(description="What weighs beside the match.")] = Rerank()
    reranker: Annotated[
        RerankerUse, Field(description="What a reranker decides, where the host brings one.")
    ] = RerankerUse()


class Delta(Model):
    """What one signal adds to a claim; the confidence stays in [0, 1]."""

    utility: Annotated[float, Field(ge=-100, le=100)]
    confidence: Annotated[float, Field(ge=-1, le=1)]


class HelpfulDelta(Delta):
    """A helpful claim never loses."""

    utility: Annotated[float, Field(ge=0, le=100, description="Added; not below 0.")] = 0.1
    confidence: Annotated[float, Field(ge=0, le=1, description="Added; not below 0.")] = 0.05


class HarmfulDelta(Delta):
    """A harmful claim always loses."""

    utility: Annotated[float, Field(ge=-100, lt=0, description="Added; below 0.")] = -0.2
    confidence: Annotated[float, Field(ge=-1, lt=0, description="Added; below 0.")] = -0.1


class OutdatedDelta(Delta):
    """An outdated claim never gains."""

    utility: Annotated[float, Field(ge=-100, le=0, description="Added; not above 0.")] = 0.0
    confidence: Annotated[float, Field(ge=-1, le=0, description="Added; not above 0.")] = -0.2


class DuplicateDelta(Delta):
    """A duplicate without a representative never gains."""

    utility: Annotated[float, Field(ge=-100, le=0, description="Added; not above 0.")] = -0.05
    confidence: Annotated[float, Field(ge=-1, le=0, description="Added; not above 0.")] = 0.0


class Deltas(Model):
    """What each signal of feedback adds to utility and confidence."""

    helpful: Annotated[HelpfulDelta, Field(description="It helped.")] = HelpfulDelta()
    harmful: Annotated[HarmfulDelta, Field(description="It did harm.")] = HarmfulDelta()
    outdated: Annotated[OutdatedDelta, Field(description="It no longer holds.")] = OutdatedDelta()
    duplicate: Annotated[DuplicateDelta, Field(description="It is there twice.")] = (
        DuplicateDelta()
    )

    def of(self, signal: FeedbackSignal) -> Delta:
        """Return what one signal adds."""
        deltas: dict[FeedbackSignal, Delta] = {
            "helpful": self.helpful,
            "harmful": self.harmful,
            "outdated": self.outdated,
            "duplicate": self.duplicate,
        }
        return deltas[signal]


class Critic(Model):
    """How feedback and time move the measures of a claim."""

    deltas: Annotated[Deltas, Field(description="What each signal adds.")] = Deltas()
    utility_half_life_days: Annotated[
        HalfLife, Field(description="Days in which utility halves.")
    ] = 30
    quality_half_life_days: Annotated[
        HalfLife, Field(description="Days in which quality halves.")
    ] = 120


class Limits(Model):
    """How large a request may be."""

    query_bytes: Annotated[
        int, Field(ge=1, le=1 << 20, description="Longest query, in UTF-8 bytes.")
    ] = 16_384

"""Hypothesis strategies, one for each noun; what they draw is valid unless a name says not."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import yaml
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from pce_memory import (
    Boundary,
    BoundaryClass,
    Claim,
    ClaimKind,
    Feedback,
    InvariantDefinition,
    NewObservation,
    Observation,
    Policy,
    Scope,
    parse_policy,
)
from pce_memory.domain.ids import ClaimId, FeedbackId, ObservationId
from pce_memory.domain.vocabulary import (
    BOUNDARY_CLASSES,
    CLAIM_KINDS,
    FEEDBACK_SIGNALS,
    SCOPES,
    SOURCE_TYPES,
)
from pce_memory.text.content_hash import content_hash

START: Final = 1_750_000_000.0
YEAR: Final = 365 * 86_400.0

_WHO: Final = ("Alice", "Kenji", "The build server", "Our invoice API", "Maria's team", "the cat")
_DOES: Final = (
    "prefers dark mode",
    "moved to Berlin in March",
    "retries every request three times",
    "must never deploy on Fridays",
    "needs 600 MB of memory",
    "reads logs from /var/log/app",
    "was renamed to `ledger-v2`",
    "likes C++ more than C#",
)
_WHO_JA: Final = ("健二さん", "請求API", "東京のチーム", "ビルドサーバー", "うちの猫", "マリア")
_DOES_JA: Final = (
    "は窓側の席を好む",
    "は三月にベルリンへ引っ越した",
    "は失敗したら三回まで再試行する",
    "は金曜日にデプロイしてはいけない",
    "のレート制限は毎分６００回だ",
    "は設定画面をダークモードにしている",
)


def _sentences(who: Sequence[str], does: Sequence[str], end: str) -> SearchStrategy[str]:
    return st.builds(
        lambda one, what: f"{one}{what}{end}", st.sampled_from(who), st.sampled_from(does)
    )


english: Final = _sentences(_WHO, tuple(f" {what}" for what in _DOES), ".")
japanese: Final = _sentences(_WHO_JA, _DOES_JA, "。")
sentences: Final = st.one_of(english, japanese)
"""One plain sentence; it holds nothing that is redacted."""

storable: Final = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=60
).filter(lambda text: bool(text.strip()))
"""Any text that may be kept: every script, emoji, combining and invisible characters."""

texts: Final = st.one_of(
    st.lists(sentences, min_size=1, max_size=4).map(" ".join),
    st.lists(sentences, min_size=1, max_size=4).map(lambda lines: "- " + "\n- ".join(lines)),
    storable,
)
"""What a person or a tool may say: sentences, lists, and anything else that may be kept."""

odd_texts: Final = st.one_of(
    st.sampled_from(
        [
            "",
            " \t\n\u3000 ",
            "a\0b",
            "\ud83c",
            "x\udfff y",
            "\u202eevil\u202c",
            "\u200b\u200d\ufeff",
            "cafe\u0301 or caf\u00e9",
            "'; drop table claims; --",
            "%_\\\"'`;--/*",
            "\U0001f468\u200d\U0001f469\u200d\U0001f467",
            "\r\r\n\x0b\x0c\x85\u2028",
        ]
    ),
    st.text(st.characters(), max_size=40),
)
"""What nobody would say and somebody will send; lone surrogates and NUL are among it."""

tags: Final = st.lists(
    st.sampled_from(["ui", "lang:ja", "ticket=42", "api.breaking_change", "設計"]),
    max_size=3,
    unique=True,
).map(tuple)
times: Final = st.floats(START - 3 * YEAR, START, allow_nan=False).map(lambda t: round(t, 6))
kinds: Final = st.sampled_from(CLAIM_KINDS)
scopes: Final = st.sampled_from(SCOPES)
units: Final = st.floats(0, 1, allow_nan=False)
signals: Final = st.sampled_from(FEEDBACK_SIGNALS)
open_classes: Final = st.sampled_from(BOUNDARY_CLASSES[:2])
"""The classes that the default boundary covers."""


def claim_id(number: int) -> ClaimId:
    """Return an id in the form of real ones."""
    return ClaimId(f"clm_{number:016x}")


claim_ids: Final = st.integers(1, 1 << 60).map(claim_id)


@st.composite
def claims(
    draw: st.DrawFn,
    *,
    text: SearchStrategy[str] = sentences,
    scope: SearchStrategy[Scope] = scopes,
    kind: SearchStrategy[ClaimKind] = kinds,
    boundary_class: SearchStrategy[BoundaryClass] = open_classes,
) -> Claim:
    """Draw a claim whose hash is that of its text and whose times are in order."""
    said = draw(text)
    created = draw(times)
    return Claim(
        id=draw(claim_ids),
        text=said,
        kind=draw(kind),
        scope=draw(scope),
        boundary_class=draw(boundary_class),
        quality=draw(units),
        confidence=draw(units),
        utility=draw(st.floats(-3, 3, allow_nan=False)),
        content_hash=content_hash(said),
        created_at=created,
        updated_at=created,
        recency_anchor=created,
        tags=draw(tags),
        origin_observation_id=ObservationId(f"obs_{draw(st.integers(1, 9)):016x}"),
    )


def claim_lists(
    *, min_size: int = 1, max_size: int = 6, **which: Any
) -> SearchStrategy[tuple[Claim, ...]]:
    """Draw claims with ids of their own; some may say the same."""
    return st.lists(
        claims(**which), min_size=min_size, max_size=max_size, unique_by=lambda one: one.id
    ).map(tuple)


observations: Final = st.builds(
    Observation,
    id=st.integers(1, 1 << 60).map(lambda n: ObservationId(f"obs_{n:016x}")),
    source_type=st.sampled_from(SOURCE_TYPES),
    source_id=st.none() | st.sampled_from(["docs/plan.md", "https://example.com/a", "msg-7"]),
    content=texts,
    actor=st.none() | st.sampled_from(["alice", "健二"]),
    tags=st.none() | tags,
    created_at=times,
    observed_at=st.none() | times,
)
"""An observation as a caller of the extractor makes it."""

new_observations: Final = st.builds(
    NewObservation,
    content=texts,
    source_type=st.sampled_from(SOURCE_TYPES),
    source_id=st.none() | st.sampled_from(["docs/plan.md", "https://example.com/a", "msg-7"]),
    actor=st.none() | st.sampled_from(["alice", "健二"]),
    tags=tags,
    observed_at=st.none() | times,
)
"""What `observe` and `observe_many` take."""


def _some(names: Sequence[str]) -> SearchStrategy[tuple[Any, ...]]:
    """Draw one or more of `names`, in their order."""
    return st.sets(st.sampled_from(names), min_size=1).map(
        lambda some: tuple(name for name in names if name in some)
    )


boundaries: Final = st.builds(
    Boundary,
    scope=_some(SCOPES),
    allow=_some(("answer:task", "tool:search", "tool:contact-lookup")),
    boundary_classes=_some(BOUNDARY_CLASSES),
)
"""A boundary without rules of its own. It may cover little; it is never empty."""

_OWN_RULES: Final = (
    InvariantDefinition(name="sure", applies_to=("*",), rule="claim.confidence >= 0.27"),
    InvariantDefinition(name="no_tasks", applies_to=("project",), rule='claim.kind != "task"'),
)
_open: Final = Boundary(
    scope=SCOPES,
    allow=("answer:task", "tool:search", "tool:contact-lookup", "ops"),
    boundary_classes=BOUNDARY_CLASSES[:3],
)
callers: Final = st.one_of(
    st.just(_open),
    st.builds(
        lambda scope, classes: _open.model_copy(
            update={"scope": scope, "boundary_classes": classes}
        ),
        _some(SCOPES),
        _some(BOUNDARY_CLASSES),
    ),
    st.builds(
        Boundary,
        scope=st.just(SCOPES),
        allow=_some(("answer:task", "tool:search", "tool:contact-lookup", "ops", "*", "tool:*")),
        boundary_classes=st.just(BOUNDARY_CLASSES),
        invariants=st.just(()) | st.sampled_from(_OWN_RULES).map(lambda rule: (rule,)),
        context=st.just({})
        | st.sampled_from([{"network.egress": "prod"}, {"network.egress": "lan"}]),
        actor=st.none() | st.sampled_from(["agent-7", "健二"]),
    ),
)
"""Anybody who calls: with rules and values of his own, and wildcards that open nothing."""


def feedbacks(claim: SearchStrategy[ClaimId] = claim_ids) -> SearchStrategy[Feedback]:
    """Draw feedback on a claim; a score has the sign of its signal."""

    def scored(signal: str) -> SearchStrategy[Feedback]:
        strength = st.floats(0.01, 1, allow_nan=False)
        score = strength if signal == "helpful" else strength.map(lambda size: -size)
        return st.builds(
            Feedback,
            id=st.integers(1, 1 << 60).map(lambda n: FeedbackId(f"fb_{n:016x}")),
            claim_id=claim,
            ts=times,
            signal=st.just(signal),
            score=st.none() | score,
        )

    return signals.flatmap(scored)


_CLASSES: Final[Mapping[str, object]] = {
    "public": {"allow": ["*"]},
    "internal": {"allow": ["answer:task", "tool:*"]},
    "pii": {"allow": ["tool:contact-lookup"], "redact": ["email", "phone"]},
    "secret": {"allow": [], "escalation": "deny"},
}
_ttls: Final = st.one_of(st.just("inf"), st.integers(1, 400).map(lambda days: f"{days}d"))
_ratios: Final = st.integers(0, 100).map(lambda percent: percent / 100)

_documents: Final = st.fixed_dictionaries(
    {
        "version": st.tuples(st.integers(1, 9), st.integers(0, 9)).map(
            lambda parts: f"{parts[0]}.{parts[1]}.0"
        ),
        "boundary_classes": st.just(_CLASSES),
    },
    optional={
        "scopes": st.fixed_dictionaries(
            {}, optional={name: st.fixed_dictionaries({"ttl": _ttls}) for name in SCOPES}
        ),
        "extraction": st.fixed_dictionaries(
            {"store_mode": st.sampled_from(["raw", "redact", "digest_only"])}
        ),
        "retrieval": st.fixed_dictionaries(
            {},
            optional={
                "hybrid": st.fixed_dictionaries(
                    {"alpha": _ratios, "k_final": st.integers(1, 100)}
                ),
                "threshold": _ratios,
                "text_normalizer": st.sampled_from(["max", "minmax"]),
            },
        ),
        "critic": st.fixed_dictionaries({"utility_half_life_days": st.integers(1, 400)}),
    },
)
policy_yaml: Final = _documents.map(lambda data: yaml.safe_dump(data, sort_keys=False))
"""The text of a policy that a person may have written."""
policies: Final[SearchStrategy[Policy]] = policy_yaml.map(lambda text: parse_policy(text).unwrap())

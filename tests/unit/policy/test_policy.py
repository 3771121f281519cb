"""The policy model: defaults, and what no policy may say."""

import math

import pytest
from pydantic import ValidationError

from pce_memory.domain.policy import Policy, Rerank, seconds
from tests.unit.policy.policies import CLASSES, policy


def test_durations():
    assert [seconds(ttl) for ttl in ("0s", "90s", "5m", "2h", "7d", "1w")] == [
        0,
        90,
        300,
        7_200,
        604_800,
        604_800,
    ]
    assert seconds("inf") == math.inf


def test_the_longer_half_life_counts():
    rerank = Rerank.model_validate(
        {"recency": {"half_life_days_by_scope": {"principle": 200, "project": 50}}}
    )
    assert rerank.half_life_days("task", "session") == 14
    assert rerank.half_life_days("task", "project") == 50
    assert rerank.half_life_days("fact", "project") == 120
    assert rerank.half_life_days("policy_hint", "principle") == 365


def test_a_map_of_half_lives_is_taken_whole():
    rerank = Rerank.model_validate(
        {"recency_half_life_days": 40, "recency": {"half_life_days_by_kind": {"task": 7}}}
    )
    assert rerank.half_life_days("task", "session") == 7
    assert rerank.half_life_days("fact", "session") == 40


@pytest.mark.parametrize(
    ("session", "context", "ttl"),
    [("7d", "24h", 86_400), ("1h", "24h", 3_600), ("inf", "48h", 172_800), ("0s", "24h", 0)],
)
def test_a_context_lives_as_long_as_its_session_at_most(session, context, ttl):
    one = policy(scopes={"session": {"ttl": session}}, retrieval={"context_ttl": context})
    assert one.context_ttl_seconds == ttl


def test_a_delta_keeps_what_it_does_not_say():
    deltas = policy(critic={"deltas": {"harmful": {"utility": -1}}}).critic.deltas
    assert (deltas.harmful.utility, deltas.harmful.confidence) == (-1, -0.1)
    assert deltas.of("duplicate").utility == -0.05


@pytest.mark.parametrize(
    "sections",
    [
        {"critic": {"deltas": {"helpful": {"utility": -0.1}}}},
        {"critic": {"deltas": {"helpful": {"confidence": -0.1}}}},
        {"critic": {"deltas": {"harmful": {"utility": 0}}}},
        {"critic": {"deltas": {"harmful": {"confidence": 0}}}},
        {"critic": {"deltas": {"outdated": {"confidence": 0.1}}}},
        {"critic": {"utility_half_life_days": 0}},
        {"retrieval": {"hybrid": {"alpha": float("nan")}}},
        {"retrieval": {"threshold": 1.1}},
        {"retrieval": {"min_cosine": -1.1}},
        {"scopes": {"session": {"ttl": "٣d"}}},
        {"scopes": {"session": {"ttl": "7d\n"}}},
        {"scopes": {"session": {"max_tokens": 0}}},
        {"extraction": {"max_bytes": 0}},
        {"fusion": {"rrf_k": 0}},
        {"version": "1.0"},
        {"classes": {"secret": None}},
        {"classes": {"top": {"allow": []}}},
    ],
)
def test_what_no_policy_may_say(sections):
    with pytest.raises(ValidationError):
        policy(**sections)


def test_every_class_is_required():
    for name in CLASSES:
        rest = {key: value for key, value in CLASSES.items() if key != name}
        with pytest.raises(ValidationError):
            Policy.model_validate({"version": "1.0.0", "boundary_classes": rest})

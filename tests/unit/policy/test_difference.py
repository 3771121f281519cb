"""The difference of two policies: a sentence for every key, and who sees what told by looking."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES
from pce_memory.policy.boundary import covers
from pce_memory.policy.difference import differences
from pce_memory.policy.strictness import changes
from tests.unit.policy.policies import policy
from tests.unit.policy.test_strictness import ALL, matches, read_policies

GOLDEN = Path(__file__).parents[3] / "tests" / "golden" / "policy" / "sentences.txt"

RULE = {"name": "no_break", "applies_to": ["project"], "rule": "api.breaking_change == false"}
TICKET = {"name": "ticket", "find": "CASE-[0-9]+", "replace": "[case]"}
BUG = {"name": "bug", "find": "BUG-[0-9]+", "replace": "[bug]"}
BASE: dict[str, Any] = {
    "version": "1.0.0",
    "meta": {"name": "base", "owner": "健二", "updated_at": "2025-01-01"},
    "extends": "default",
    "relax": {"limits": "it is so"},
    "boundary_classes": {
        "public": {"allow": ["*"]},
        "internal": {"allow": ["answer:task", "tool:*"], "redact": ["email"]},
        "pii": {"allow": ["tool:contact-lookup"], "redact": ["email", "phone", "ticket"], "escalation": "human_review"},
        "secret": {"allow": [], "escalation": "deny"},
    },
    "invariants": [RULE],
    "redact_policies": {"tickets": {"rules": [TICKET, BUG]}},
    "retrieval": {
        "rerank": {"recency": {"half_life_days_by_kind": {"fact": 120, "task": 14}, "half_life_days_by_scope": {"session": 1}}}
    },
}  # fmt: skip

MUTATIONS: list[tuple[str, Any]] = [
    ("version", "1.1.0"),
    ("meta.name", "other"),
    ("meta.owner", None),
    ("meta.updated_at", "2025-12-31"),
    ("extends", "team"),
    ("extends", None),
    ("relax", {"limits": "another reason"}),
    ("relax", {}),
    ("relax", {"limits": "it is so", "scopes": "so too"}),
    ("scopes.session.ttl", "3d"),
    ("scopes.session.ttl", "168h"),
    ("scopes.project.ttl", "1d"),
    ("scopes.project.ttl", "inf"),
    ("scopes.principle.ttl", "36h"),
    ("scopes.session.max_tokens", 5),
    ("scopes.project.max_tokens", None),
    ("scopes.principle.max_tokens", 999_999),
    ("boundary_classes.public.allow", []),
    ("boundary_classes.public.allow", ["*", "健二"]),
    ("boundary_classes.internal.allow", ["answer:task", "tool:*", "answer:*"]),
    ("boundary_classes.internal.allow", ["tool:*", "answer:task"]),
    ("boundary_classes.internal.allow", ["*"]),
    ("boundary_classes.pii.allow", []),
    ("boundary_classes.secret.allow", ["*"]),
    ("boundary_classes.public.redact", ["iban"]),
    ("boundary_classes.internal.redact", ["email", "iban"]),
    ("boundary_classes.pii.redact", ["email", "ticket"]),
    ("boundary_classes.pii.redact", ["phone", "ticket"]),
    ("boundary_classes.pii.redact", ["phone", "email", "ticket"]),
    ("boundary_classes.pii.redact", ["email", "phone"]),
    ("boundary_classes.secret.redact", ["email"]),
    ("boundary_classes.secret.redact", ["iban"]),
    ("boundary_classes.public.escalation", "deny"),
    ("boundary_classes.internal.escalation", "human_review"),
    ("boundary_classes.pii.escalation", None),
    ("boundary_classes.secret.escalation", "human_review"),
    ("invariants", []),
    ("invariants", [{**RULE, "applies_to": ["session", "project"]}]),
    ("invariants", [{**RULE, "applies_to": ["session"]}]),
    ("invariants", [{**RULE, "rule": "1 == 1"}]),
    ("invariants", [RULE, {"name": "変更", "applies_to": ["*"], "rule": "claim.quality >= 0.1"}]),
    ("redact_policies", {}),
    ("redact_policies", {"tickets": {"rules": [TICKET, BUG]}, "住所録": {"rules": [BUG]}}),
    ("redact_policies", {"tickets": {"rules": [TICKET]}}),
    ("redact_policies", {"tickets": {"rules": [BUG, TICKET]}}),
    ("redact_policies", {"tickets": {"rules": [TICKET, BUG, {**BUG, "name": "issue"}]}}),
    ("redact_policies", {"tickets": {"rules": [{**TICKET, "replace": "_"}, BUG]}}),
    ("extraction.store_mode", "raw"),
    ("extraction.store_mode", "digest_only"),
    ("extraction.on_secret", "deny"),
    ("extraction.max_bytes", 5),
    ("extraction.max_claims", 30_000),
    ("extraction.observation_ttl", "10d"),
    ("retrieval.hybrid.mode", "rrf"),
    ("retrieval.hybrid.alpha", 0.5),
    ("retrieval.hybrid.k_txt", 50),
    ("retrieval.hybrid.k_vec", 50),
    ("retrieval.hybrid.k_final", 50),
    ("retrieval.threshold", 0),
    ("retrieval.min_cosine", 0.25),
    ("retrieval.text_normalizer", "minmax"),
    ("retrieval.vector_normalizer", "minmax"),
    ("retrieval.score_completion", False),
    ("retrieval.dynamic_alpha.enabled", True),
    ("retrieval.dynamic_alpha.short", 0.3),
    ("retrieval.dynamic_alpha.long", 0.8),
    ("retrieval.dynamic_alpha.long_terms", 10),
    ("retrieval.mmr.enabled", True),
    ("retrieval.mmr.relevance", 0.7),
    ("retrieval.mmr.candidates", 24),
    ("retrieval.duplicates.same_saying", 1.0),
    ("retrieval.duplicates.similar", 0.97),
    ("retrieval.query_expansion.enabled", True),
    ("retrieval.query_expansion.max_expansions", 8),
    ("retrieval.query_expansion.include_synonyms", False),
    ("retrieval.query_expansion.include_related", False),
    ("retrieval.query_expansion.weight", 0.5),
    ("retrieval.context_ttl", "1h"),
    ("retrieval.rerank.second_stage", "off"),
    ("retrieval.rerank.use_quality", True),
    ("retrieval.crag.enabled", False),
    ("retrieval.crag.on_ambiguous", "expand"),
    ("retrieval.crag.on_incorrect", "drop"),
    ("retrieval.reranker.enabled", False),
    ("retrieval.reranker.candidates", 20),
    ("retrieval.reranker.weight", 0.5),
    ("retrieval.rerank.recency_half_life_days", 7),
    ("retrieval.rerank.recency.half_life_days_by_kind", {"fact": 120, "task": 7}),
    ("retrieval.rerank.recency.half_life_days_by_kind", {"task": 14}),
    ("retrieval.rerank.recency.half_life_days_by_scope", {"session": 1, "project": 2}),
    ("fusion.rrf_k", 80),
    ("fusion.beta_fuse", 0.9),
    ("fusion.weights.fulltext", 1.3),
    ("fusion.weights.semantic", 0.5),
    ("fusion.weights.original_dense", 0.5),
    ("fusion.weights.graph", 0.3),
    ("fusion.weights.code", 0.5),
    ("fusion.lane_weights", {"recall": 1.5}),
    ("fusion.pi_weights.code", 0.6),
    ("fusion.pi_weights.facet", 0.4),
    ("fusion.pi_weights.lane", 0.2),
    ("fusion.run_ttl", "1h"),
    ("critic.deltas.helpful.utility", 0.2),
    ("critic.deltas.helpful.confidence", 0),
    ("critic.deltas.harmful.utility", -1),
    ("critic.deltas.harmful.confidence", -1),
    ("critic.deltas.outdated.utility", -1),
    ("critic.deltas.outdated.confidence", -1),
    ("critic.deltas.duplicate.utility", -1),
    ("critic.deltas.duplicate.confidence", -1),
    ("critic.utility_half_life_days", 31),
    ("critic.quality_half_life_days", 0.5),
    ("refinement.max_refinement_attempts", 4),
    ("refinement.delta_threshold", 8),
    ("refinement.delta_threshold_percent", 10),
    ("refinement.noise_threshold", 4),
    ("refinement.tuning_noise_threshold", 0.3),
    ("refinement.target_score", 90),
    ("refinement.quality_threshold", 50),
    ("review.deadline", "12h"),
    ("retention.audit", "30d"),
    ("retention.audit", "inf"),
    ("retention.erasures", "30d"),
    ("retention.erasures", "inf"),
    ("retention.events", "inf"),
    ("retention.most_events", 200),
    ("limits.query_bytes", 100),
]


def changed(path: str, value: Any) -> Policy:
    data: Any = {**BASE}
    node = data
    *parts, last = path.split(".")
    for part in parts:
        node[part] = dict(node.get(part, {}))
        node = node[part]
    node[last] = value
    return Policy.model_validate(data)


BEFORE = Policy.model_validate(BASE)
SEEN = [(path, differences(BEFORE, changed(path, value))) for path, value in MUTATIONS]


def test_every_key_has_its_sentence():
    told = "".join(
        f"{one.effect:<8} {one.path}: {one.sentence}\n" for _, found in SEEN for one in found
    )
    if os.environ.get("UPDATE_GOLDEN"):
        _ = GOLDEN.write_text(told, "utf-8")
    assert told == GOLDEN.read_text("utf-8")


@pytest.mark.parametrize("key", [one for one in ALL if one != ("tests",)], ids=".".join)
def test_every_key_of_the_model_was_changed(key):
    paths = {
        change.path
        for path, value in MUTATIONS
        for change in changes(BEFORE, changed(path, value))
    }
    assert any(matches(key, path) for path in paths)


@pytest.mark.parametrize(("path", "found"), SEEN)
def test_a_change_is_told_and_names_its_key(path, found):
    assert found
    assert all(one.path.startswith(path) for one in found)


def test_what_relaxes_stands_first():
    data = {"classes": {"pii": {"allow": ["x"]}}, "scopes": {"session": {"ttl": "1d"}}}
    order = [one.effect for one in differences(policy(), policy(version="2.0.0", **data))]
    assert order == sorted(order, key=["relaxes", "tightens", "neutral"].index)
    assert set(order) == {"relaxes", "tightens", "neutral"}


def test_no_secret_is_told():
    token = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    after = policy(classes={"pii": {"allow": [token]}}, meta={"owner": token})
    told = str(differences(policy(), after))
    assert "[secret] now sees pii" in told
    assert token not in told


@settings(max_examples=200)
@given(a=read_policies, b=read_policies)
def test_there_is_a_difference_exactly_between_unequal_policies(a, b):
    assert (differences(a, b) == ()) == (a == b)
    assert differences(a, a) == ()


@settings(max_examples=200)
@given(a=read_policies, b=read_policies)
def test_who_sees_more_or_less_is_told_of_every_tag(a, b):
    told = {(one.effect, one.sentence) for one in differences(a, b)}
    tags = {
        tag
        for one in (a, b)
        for name in BOUNDARY_CLASSES
        for tag in one.boundary_classes.of(name).allow
    }
    for name in ("public", "internal", "pii"):
        for tag in {"*", *tags}:
            was, now = (covers(one.boundary_classes.of(name).allow, tag) for one in (a, b))
            who = "* (anybody)" if tag == "*" else tag
            assert (("relaxes", f"{who} now sees {name}") in told) == (now and not was)
            assert (("tightens", f"{who} no longer sees {name}") in told) == (was and not now)


@given(a=read_policies, b=read_policies)
def test_what_relaxes_one_way_does_not_the_other(a, b):
    there = {(one.path, one.sentence) for one in differences(a, b) if one.effect == "relaxes"}
    back = {(one.path, one.sentence) for one in differences(b, a) if one.effect == "relaxes"}
    assert {
        one for one in there & back if not one[0].startswith(("invariants", "redact_policies"))
    } == set()

"""The extractor under policies: what is kept of an observation, and what is refused."""

import pytest
from returns.result import Failure, Success

from pce_memory import Boundary, Memory, Observation
from pce_memory.domain.ids import ObservationId
from pce_memory.engine.module import create_core_module
from pce_memory.extractor import extract
from tests.conftest import START

KEY = "ghp_Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MDEyMzQ1"
POLICY = """
version: "3.0.0"
extraction: {{store_mode: {mode}, on_secret: {on_secret}}}
boundary_classes:
  public: {{allow: ["*"]}}
  internal: {{allow: ["answer:task"]}}
  pii: {{allow: [], redact: [{redact}]}}
  secret: {{allow: []}}
"""


def under(memory: Memory, *, mode="redact", on_secret="redact", redact="email") -> Memory:
    _ = memory.apply_policy(POLICY.format(mode=mode, on_secret=on_secret, redact=redact))
    return memory


@pytest.mark.parametrize(
    ("mode", "content", "boundary_class"),
    [
        ("raw", "Mail bob@example.com, key [secret].", "pii"),
        ("redact", "Mail [email], key [secret].", "internal"),
        ("digest_only", None, "internal"),
    ],
)
def test_what_is_kept(memory: Memory, mode: str, content: str | None, boundary_class: str) -> None:
    seen = under(memory, mode=mode).observe(f"Mail bob@example.com, key {KEY}.")
    assert seen.observation.content == content
    assert seen.observation.boundary_class == boundary_class
    assert seen.observation.content_length == 27 + len(KEY)
    assert str(seen.observation.content_digest).startswith("hmac-sha256:")
    assert [claim.text for claim in seen.claims] == ["Mail [email], key [secret]."]


def test_a_secret_can_refuse_the_whole_observation(memory: Memory) -> None:
    failed = under(memory, on_secret="deny").results.observe(f"The key is {KEY}.").failure()
    assert failed.message == "Boundary denied: the observation holds a secret"


def test_what_the_policy_does_not_redact_is_refused_alone(memory: Memory) -> None:
    seen = under(memory).observe("Call 090-1234-5678 now.\nThe shop opens at ten.\n..\n")
    assert [claim.text for claim in seen.claims] == ["The shop opens at ten."]
    assert [(one.line, one.code, one.reason) for one in seen.refused] == [
        (1, "BOUNDARY_DENIED", "its class pii is outside the boundary"),
        (3, "FRAGMENT", "it is too short to say something"),
    ]
    assert "090" not in str(seen.refused)


def test_an_invariant_refuses_claims_one_by_one(memory: Memory) -> None:
    policy = POLICY.format(mode="redact", on_secret="redact", redact="email") + (
        'invariants:\n  - {name: short_only, applies_to: ["*"], rule: "claim.text_length < 30"}\n'
    )
    _ = memory.apply_policy(policy)
    seen = memory.observe(
        "A short one. A claim that is much longer than the rule allows it to be."
    )
    assert [claim.text for claim in seen.claims] == ["A short one."]
    assert [one.reason for one in seen.refused] == ["I(B) violation: short_only"]


def test_the_pure_call_is_all_or_nothing(memory: Memory) -> None:
    observation = Observation(
        id=ObservationId("obs_1"),
        source_type="chat",
        content="Call 090-1234-5678 now.\nThe shop opens at ten.",
        created_at=START,
    )
    failed = extract(observation, under(memory).results.boundary)(memory.deps).failure()
    assert failed.message == ("Boundary denied: line 1: its class pii is outside the boundary")
    expired = observation.model_copy(update={"expires_at": START})
    assert extract(expired, memory.results.boundary)(memory.deps).failure().message == (
        "Invalid expires_at: the observation has expired already"
    )
    empty = Boundary(scope=(), allow=("x",), boundary_classes=("public",))
    assert isinstance(extract(observation, empty)(memory.deps), Failure)


def test_nothing_is_found_where_nothing_is_said(memory: Memory) -> None:
    seen = memory.observe("...\n--\n!?")
    assert seen.claims == ()
    assert {one.code for one in seen.refused} <= {"FRAGMENT"}
    observation = Observation(
        id=ObservationId("obs_1"), source_type="tool", content="...", created_at=START
    )
    assert extract(observation, memory.results.boundary)(memory.deps) == Success(())


def test_the_core_module_is_public(memory: Memory) -> None:
    module = create_core_module(memory.deps)
    policy, boundary = memory.policy(), memory.results.boundary
    observation = Observation(
        id=ObservationId("obs_1"), source_type="chat", content="Tea is at four.", created_at=START
    )
    claims = module.extractor(observation, boundary).unwrap()
    assert module.integrator(claims, boundary, policy).unwrap().created == (claims[0].id,)
    assert module.hash("  a ") == module.hash("a")
    assert module.boundary.redact("Mail bob@example.com", policy) == "Mail [email]"
    verdict = module.boundary.validate("Tea is at four.", boundary, policy).unwrap()
    assert (verdict.allowed, verdict.policy_version) == (True, policy.version)
    assert module.scoring.hybrid_fusion(1.0, 0.0, 0.65) == pytest.approx(0.35)
    assert module.scoring.rerank(0.0, 0.5, 1.0) == pytest.approx(0.6)
    assert module.scoring.recency_decay(memory.deps.clock() - 86_400 * 30, 30) == (
        pytest.approx(0.5)
    )
    assert memory.module.hash("a") == module.hash("a")

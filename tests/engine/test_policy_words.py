"""What a policy names by itself is redacted wherever it stands, whenever it was written."""

from typing import Any

import pytest

from pce_memory import Boundary, Claim, Memory
from tests.conftest import START
from tests.policies import LASTING

WIDE = Boundary(
    scope=("session", "project", "principle"),
    allow=("answer:task", "tool:contact-lookup"),
    boundary_classes=("public", "internal", "pii"),
)
NAMED = (
    LASTING.replace('"1.0.1"', '"1.1.0"')
    .replace(
        "redact_policies: {}",
        "redact_policies:\n"
        "  people: {rules: [{name: person, words: [Taro Yamada, 佐藤花子], replace: '[person]'}]}",
    )
    .replace("redact: [email,", "redact: [people, email,")
)


def claim(text: str, **fields: Any) -> Claim:
    known: dict[str, Any] = {
        "id": "clm_1",
        "text": text,
        "kind": "fact",
        "scope": "project",
        "boundary_class": "internal",
        "origin_observation_id": "obs_1",
        "created_at": START,
        "updated_at": START,
    }
    return Claim.model_validate({**known, **fields})


def texts(memory: Memory, boundary: Boundary | None = None) -> list[str]:
    return [item.claim.text for item in memory.activate("", boundary=boundary).items]


def test_names_beside_a_text_are_taken_out_under_any_boundary(lasting: Memory) -> None:
    _ = lasting.apply_policy(NAMED)
    _ = lasting.observe("The lamp is green.", actor="Taro Yamada", source_id="mail/佐藤花子")
    for boundary in (None, WIDE):
        context = lasting.activate("lamp", boundary=boundary)
        told = context.model_dump_json()
        told += str(lasting.evidence(context.items[0].claim.id, boundary=boundary))
        told += str(lasting.context(context.active_context.id, boundary=boundary))
        assert "Yamada" not in told
        assert "佐藤" not in told


@pytest.mark.parametrize(
    ("policy", "text"),
    [
        (NAMED, "Taro Yamada builds it."),
        ("org", "住所は東京都渋谷区渋谷2-21-1です。"),
        ("org", "He lives at 221B Baker Street."),
    ],
)
def test_a_claim_that_is_given_is_of_the_class_its_text_is_of(
    lasting: Memory, policy: str, text: str
) -> None:
    _ = lasting.apply_policy(policy, allow_downgrade=True)
    refused = lasting.results.integrate([claim(text)]).failure()
    assert refused.message == "Boundary denied: class pii is outside the boundary (clm_1)"
    done = lasting.integrate([claim(text)], boundary=WIDE)
    assert (*done.created, *done.queued) == ("clm_1",)
    assert texts(lasting) == []


def test_a_name_that_a_policy_learns_later_is_not_shown_any_more(lasting: Memory) -> None:
    _ = lasting.integrate([claim("Taro Yamada builds it.")])
    assert texts(lasting) == ["Taro Yamada builds it."]
    _ = lasting.apply_policy(NAMED)
    assert texts(lasting) == texts(lasting, WIDE) == ["[person] builds it."]
    assert lasting.claim("clm_1").text == "[person] builds it."
    assert lasting.explain("clm_1").redacted == {"person": 1}
    assert lasting.preview_policy(LASTING).redacted.count == 1


def test_no_time_to_come_outlives_a_scope(memory: Memory) -> None:
    for field in ("created_at", "updated_at", "recency_anchor"):
        refused = memory.results.integrate([claim("Later.", **{field: START + 400.0})]).failure()
        assert refused.message == (
            "Invalid claim: a time of clm_1 is more than 5 minutes in the future"
        )
    assert memory.integrate([claim("Soon.", recency_anchor=START + 299.0)]).created


def test_wrong_kinds_are_told_as_such(memory: Memory) -> None:
    results: Any = memory.results
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    rule = {"name": key, "applies_to": ["*"], "rule": "true"}
    limits = {"scope": ["session"], "allow": ["x"], "boundary_classes": ["public"]}
    for refused in (
        results.validate(b"x"),
        results.validate(3),
        results.erasures(b"x"),
        results.forget(actor=b"x"),
        results.forget(claim_id="clm_1", dry_run="yes"),
        results.audit(who=3),
        results.reviews.list(limit="many"),
        results.reviews.approve("rev_1", reviewer=b"x"),
        results.preview_policy("team", allow="answer:task"),
        results.preview_policy("team", allow=[3]),
        results.preview_policy("team", ids="yes"),
        results.explain("clm_1", allow="x"),
        results.activate("x", boundary={**limits, "invariants": [rule]}),
    ):
        error = refused.failure()
        assert error.code == "INVALID_PARAMETER", error
        assert key not in error.message

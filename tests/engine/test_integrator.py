"""The integrator's options, and what each does to a claim that is there already."""

import json
from typing import Any

import pytest
from returns.result import Failure

from pce_memory import Claim, IntegrationOptions, Memory
from pce_memory.errors import BoundaryDenied, DuplicateClaim, InvalidParameter
from pce_memory.text.content_hash import content_hash
from tests.conftest import START, rows

TEXT = "The archive is in the cellar."


def claim(number: int, **fields: Any) -> Claim:
    base: dict[str, Any] = {
        "id": f"clm_{number}",
        "text": TEXT,
        "kind": "fact",
        "scope": "project",
        "boundary_class": "internal",
        "origin_observation_id": f"obs_{number}",
        "created_at": START - 100,
        "updated_at": START - 100,
        "recency_anchor": START - 100,
    }
    return Claim.model_validate({**base, **fields})


OLD = {"confidence": 0.6, "quality": 0.4, "utility": 1.0, "kind": "fact"}
NEW = {
    "confidence": 0.3,
    "quality": 0.8,
    "utility": -1.0,
    "kind": "task",
    "updated_at": START - 10,
    "recency_anchor": START - 10,
}


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        ("merge", {"confidence": 0.6, "quality": 0.8, "utility": 1.0, "kind": "fact"}),
        ("replace", {"confidence": 0.3, "quality": 0.8, "utility": -1.0, "kind": "task"}),
        ("keep_newest", {"confidence": 0.3, "quality": 0.8, "utility": -1.0, "kind": "task"}),
    ],
)
def test_each_strategy(memory: Memory, strategy: str, expected: dict[str, Any]) -> None:
    options = IntegrationOptions.model_validate({"merge_strategy": strategy})
    _ = memory.integrate([claim(1, **OLD)])
    done = memory.integrate([claim(2, text=f" {TEXT} ", **NEW)], options=options)
    assert done.merged == ("clm_1",)
    found = memory.claim("clm_2")
    assert (found.id, found.text, found.created_at) == ("clm_1", TEXT, START - 100)
    assert {name: getattr(found, name) for name in expected} == expected
    assert found.updated_at == START - 10
    assert {e.observation_id for e in memory.evidence("clm_1")} == {"obs_1", "obs_2"}


def test_keep_newest_keeps_the_stored_one_if_that_is_newer(memory: Memory) -> None:
    options = IntegrationOptions(merge_strategy="keep_newest")
    _ = memory.integrate([claim(1, **NEW)])
    _ = memory.integrate([claim(2, **OLD)], options=options)
    found = memory.claim("clm_1")
    assert (found.utility, found.kind, found.updated_at) == (-1.0, "task", START - 10)


def test_a_duplicate_can_be_refused(memory: Memory) -> None:
    _ = memory.integrate([claim(1)])
    strict = IntegrationOptions(on_duplicate="error")
    refused = memory.results.integrate([claim(2)], options=strict)
    assert refused == Failure(DuplicateClaim(content_hash(TEXT), "clm_1"))
    assert rows(memory, "claims") == 1
    assert memory.results.claim("clm_2").failure().code == "UNKNOWN_CLAIM"


def test_skipping_validation_is_for_claims_that_were_valid(memory: Memory) -> None:
    skip = IntegrationOptions(validate_invariants=False)
    refused = memory.results.integrate([claim(1)], options=skip).failure()
    assert isinstance(refused, BoundaryDenied)
    assert refused.reason == "not recorded as valid under policy 0.0.0-default (clm_1)"
    _ = memory.integrate([claim(1)])
    assert memory.integrate([claim(1, confidence=0.9)], options=skip).merged == ("clm_1",)
    payloads = memory.deps.db.query("select payload from events where topic = 'integrate'")
    said = [json.loads(row["payload"])["validated"] for row in payloads.unwrap()]
    assert said == [True, False]


def test_an_id_stands_for_one_text(memory: Memory) -> None:
    _ = memory.integrate([claim(1)])
    refused = memory.results.integrate([claim(1, text="Another text.")])
    reason = "clm_1 stands for another text already; give it a new id"
    assert refused == Failure(InvalidParameter("claim id", reason))


def test_a_wrong_hash_is_refused(memory: Memory) -> None:
    refused = memory.results.integrate([claim(1, content_hash=content_hash("else"))])
    reason = "the content_hash of clm_1 is not that of its text; leave it out"
    assert refused == Failure(InvalidParameter("claim", reason))


@pytest.mark.parametrize("text", ["a\0b", "   ", "half \ud83c"])
def test_text_that_cannot_be_kept_is_refused(memory: Memory, text: str) -> None:
    given = claim(1).model_copy(update={"text": text})
    assert memory.results.integrate([given]).failure().code == "INVALID_PARAMETER"


def test_personal_data_puts_a_claim_in_its_class(lasting: Memory) -> None:
    refused = lasting.results.integrate([claim(1, text="Write to alice@example.com.")]).failure()
    assert refused.message == "Boundary denied: class pii is outside the boundary (clm_1)"
    assert "alice" not in refused.message
    wide = lasting.results.boundary.model_copy(
        update={"boundary_classes": ("internal", "pii"), "allow": ("tool:contact-lookup",)}
    )
    _ = lasting.integrate([claim(1, text="Write to alice@example.com.")], boundary=wide)
    found = lasting.activate("whom to write to", boundary=wide).items[0].claim
    assert (found.boundary_class, found.text) == ("pii", "Write to [email].")
    assert lasting.activate("whom to write to").items == ()


def test_a_secret_is_never_integrated(memory: Memory) -> None:
    key = "sk-proj-Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MDEyMzQ1Njc4OTA"
    refused = memory.results.integrate([claim(1, text=f"The key is {key}.")]).failure()
    assert refused.message == "Boundary denied: its text holds a secret (clm_1)"
    assert rows(memory, "claims") == 0


def test_the_graph_can_be_left_alone(memory: Memory) -> None:
    from pce_memory.extractor import extract_with_graph

    observation = memory.observe("nothing here").observation.model_copy(
        update={"id": "obs_9", "content": "See [[Plan B]].", "expires_at": None}
    )
    found = extract_with_graph(observation, memory.results.boundary)(memory.deps).unwrap()
    assert [entity.name for entity in found.entities] == ["Plan B"]
    _ = memory.integrate(found, options=IntegrationOptions(update_graph=False))
    assert rows(memory, "entities") == 0
    _ = memory.integrate(found)
    assert (rows(memory, "entities"), rows(memory, "claim_entities")) == (1, 1)

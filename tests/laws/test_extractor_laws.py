"""Seed 6.1: what the extractor promises for any observation under any boundary."""

from hypothesis import given, strategies as st
from returns.result import Success

from pce_memory import Boundary, Memory, Observation
from pce_memory.domain.vocabulary import stricter
from pce_memory.extractor import extract, extract_with_graph
from pce_memory.policy.redaction import detected_class
from pce_memory.text.content_hash import content_hash
from pce_memory.text.detect import SECRET_KINDS, detect
from tests.laws.test_redaction_laws import emails, phones, tokens
from tests.strategies import boundaries, observations


@given(observation=observations, boundary=boundaries)
def test_every_claim_is_in_a_class_of_the_boundary(
    memory: Memory, observation: Observation, boundary: Boundary
) -> None:  # 001 §6.1 P1
    found = extract(observation, boundary)(memory.deps)
    if isinstance(found, Success):
        assert {claim.boundary_class for claim in found.unwrap()} <= set(boundary.boundary_classes)
        assert {claim.scope for claim in found.unwrap()} <= set(boundary.scope)


@given(observation=observations, boundary=boundaries)
def test_every_claim_leads_back_to_its_observation(
    memory: Memory, observation: Observation, boundary: Boundary
) -> None:  # 001 §6.1 P2
    found = extract_with_graph(observation, boundary)(memory.deps)
    if isinstance(found, Success):
        extraction = found.unwrap()
        assert {claim.origin_observation_id for claim in extraction.claims} <= {observation.id}
        backed = {evidence.claim_id for evidence in extraction.evidences}
        assert backed == {claim.id for claim in extraction.claims}


@given(observation=observations, boundary=boundaries)
def test_content_hashes_are_distinct(
    memory: Memory, observation: Observation, boundary: Boundary
) -> None:  # 001 §6.1 P3
    found = extract(observation, boundary)(memory.deps)
    if isinstance(found, Success):
        claims = found.unwrap()
        assert len(claims) == len({claim.content_hash for claim in claims})


@given(observation=observations)
def test_the_default_boundary_takes_any_plain_text(
    memory: Memory, observation: Observation
) -> None:
    """The laws above are not empty: under the default boundary extraction succeeds."""
    found = extract(observation, memory.results.boundary)(memory.deps)
    assert isinstance(found, Success) or detect(observation.content or "")
    if isinstance(found, Success):
        assert not any(detect(claim.text, SECRET_KINDS) for claim in found.unwrap())


pieces = st.one_of(
    emails,
    phones,
    tokens,
    st.sampled_from(["The lamp is red.", "password:", "電話は", "- ", "\n", " "]),
)


@given(said=st.lists(pieces, min_size=1, max_size=8).map("".join))
def test_claims_that_were_drawn_are_as_strict_as_judged_anew(memory: Memory, said: str) -> None:
    """`observe` judges a claim once, as it is drawn: what is stored is what a look now says."""
    seen = memory.results.observe(said)
    if isinstance(seen, Success):
        for claim in seen.unwrap().claims:
            assert claim.content_hash == content_hash(claim.text)
            found = stricter("internal", detected_class(claim.text, memory.policy()))
            assert claim.boundary_class == found
            assert not detect(claim.text, SECRET_KINDS)

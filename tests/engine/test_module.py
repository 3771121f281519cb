"""The core module of a memory: its results say what they were made under."""

from pce_memory import Claim, Feedback, Memory, Query, or_raise
from pce_memory.engine.ready import default_boundary


def test_every_result_names_the_policy(memory: Memory):
    module, policy, boundary = memory.module, memory.policy(), default_boundary()
    now = memory.deps.clock()
    claim = Claim.model_validate(
        {
            "id": "clm_1",
            "text": "Ann drinks green tea.",
            "kind": "fact",
            "scope": "project",
            "boundary_class": "internal",
            "origin_observation_id": "obs_1",
            "created_at": now,
            "updated_at": now,
        }
    )
    feedback = Feedback.model_validate(
        {"id": "fb_1", "claim_id": "clm_1", "ts": now, "signal": "helpful"}
    )
    versions = {
        "integrator": or_raise(module.integrator([claim], boundary, policy)).policy_version,
        "critic": or_raise(module.critic(feedback, policy)).policy_version,
        "retriever": or_raise(
            module.retriever(Query(q="tea"), boundary, policy)
        ).active_context.policy_version,
        "boundary": or_raise(
            module.boundary.validate("Ann drinks tea.", boundary, policy)
        ).policy_version,
    }
    assert versions == dict.fromkeys(versions, policy.version)


def test_a_result_within_a_result_names_it_too(memory: Memory):
    done = memory.observe("Ann drinks green tea.")
    assert (done.policy_version, done.integration.policy_version) == (memory.policy().version,) * 2

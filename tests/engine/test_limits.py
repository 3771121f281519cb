"""What is too much for one observation, or one transaction: nothing is lost without a word."""

from itertools import pairwise

import pytest
from returns.result import Failure

from pce_memory import Memory, Observation
from pce_memory.domain.ids import ObservationId
from pce_memory.extractor import extract_with_graph
from tests.conftest import START

LAMP = "The lamp hangs in the hall."


def allowing(memory: Memory, claims: int) -> Memory:
    _ = memory.apply_policy(
        f"version: '2.0.0'\nextends: default\nextraction: {{max_claims: {claims}}}\n"
    )
    return memory


def test_fragments_do_not_count_for_the_limit_of_claims(memory: Memory) -> None:
    said = "".join(f"Lamp {n} hangs in the hall.\n" for n in range(543)) + "/\n" * 25_000
    seen = memory.observe(said)
    assert len(seen.claims) == 543
    assert len(seen.refused) == 25_000
    assert {one.code for one in seen.refused} == {"FRAGMENT"}


@pytest.mark.parametrize(
    ("said", "texts", "line"),
    [
        ("One lamp.\n/\nTwo lamps.\nThree lamps.\nFour lamps.", ["One lamp.", "Two lamps."], 4),
        (
            "照明を直す。\n。\n扉を塗る。\n\n床を拭く。窓を開ける。",
            ["照明を直す。", "扉を塗る。"],
            5,
        ),
        ("One lamp. One lamp.\nTwo lamps. One lamp. 3 lamps.", ["One lamp.", "Two lamps."], 2),
    ],
)
def test_what_is_over_the_limit_is_cut_and_the_rest_is_kept(
    memory: Memory, said: str, texts: list[str], line: int
) -> None:
    seen = allowing(memory, 2).observe(said)
    assert [claim.text for claim in seen.claims] == texts
    *_, over = seen.refused
    assert (over.code, over.line) == ("OVER_LIMIT", line)
    assert over.reason == (
        "nothing from here on is kept: the policy allows 2 claims from one observation; "
        "give the rest as another"
    )
    assert [one.code for one in seen.refused].count("OVER_LIMIT") == 1
    assert memory.observe("The door is open.").claims != ()


def test_as_many_as_the_policy_allows_are_kept_without_a_word(memory: Memory) -> None:
    seen = allowing(memory, 2).observe("One lamp.\nTwo lamps.\nOne lamp.\n/\n")
    assert [claim.text for claim in seen.claims] == ["One lamp.", "Two lamps."]
    assert [one.code for one in seen.refused] == ["FRAGMENT"]


def test_a_secret_over_the_limit_is_stored_nowhere(memory: Memory) -> None:
    key = "ghp_Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MDEyMzQ1"
    seen = allowing(memory, 1).observe(f"One lamp.\nTwo lamps.\nThe key is {key}.")
    assert key not in str(seen)
    assert "The key is [secret]." in str(seen.observation.content)


def test_a_batch_tells_what_is_over_the_limit_as_well(memory: Memory) -> None:
    done = allowing(memory, 2).observe_many([LAMP, "A lamp. B lamp. C lamp. D lamp."])
    assert (done.claims_created, done.refused, done.failed) == (3, 1, ())


def test_the_pure_call_is_all_or_nothing_about_the_limit(memory: Memory) -> None:
    observation = Observation(
        id=ObservationId("obs_1"), source_type="chat", content="A lamp.\nB lamp.", created_at=START
    )
    drawn = extract_with_graph(observation, memory.results.boundary)
    failed = drawn(allowing(memory, 1).deps)
    assert isinstance(failed, Failure)
    assert failed.failure().message.startswith("Invalid content: line 2: nothing from here on")


def test_a_batch_is_one_transaction_of_so_many_or_so_long(memory: Memory) -> None:
    told: list[int] = []
    long = [f"{LAMP} {n}\n" + "/" * 150_000 for n in range(3)]
    short = [f"{LAMP} {n}" for n in range(70)]
    _ = memory.observe_many([*long, *short], progress=told.append)
    # A long one fills a batch with what is short behind it.
    assert told[:2] == [1, 2]
    assert told[-1] == 73
    assert all(0 < after - before <= 64 for before, after in pairwise([0, *told]))


def test_claims_are_counted_once_over_batches(memory: Memory) -> None:
    long = "/" * 150_000
    done = memory.observe_many([f"{LAMP}\n{long}", LAMP, f"{LAMP}\n{long}", LAMP])
    assert (done.claims_created, done.claims_merged) == (1, 3)

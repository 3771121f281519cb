"""Faults that were reported on other memories: here they cannot happen, as a kind."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from pce_memory import Memory, MemoryFault
from pce_memory.engine.ready import default_boundary
from tests.conftest import rows

TEXT = "The invoice service runs in Frankfurt."


@pytest.mark.parametrize("times", [2, 10])
def test_the_same_text_again_is_one_claim_with_more_evidence(memory: Memory, times: int) -> None:
    ids = {memory.observe(TEXT).claims[0].id for _ in range(times)}
    assert len(ids) == 1
    assert rows(memory, "claims") == 1
    assert len(memory.evidence(ids.pop())) == times


def test_the_same_text_at_once_is_one_claim(memory_at: Callable[..., Memory]) -> None:
    memory = memory_at()
    found: list[str] = []

    def observe() -> None:
        found.extend(memory.observe(TEXT).claims[0].id for _ in range(3))

    threads = [threading.Thread(target=observe) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 12
    assert len(set(found)) == 1
    assert rows(memory, "claims") == 1
    assert len(memory.evidence(found[0])) == 12


def test_a_retry_after_a_failure_stores_once(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A call that broke in the middle of its transaction left nothing; the retry is the first."""

    class Broken(RuntimeError):
        pass

    def broken(*_: object, **__: object) -> None:
        raise Broken

    with monkeypatch.context() as patch:
        patch.setattr("pce_memory.engine.observe.remember_outcome", broken)
        with pytest.raises(Broken):
            _ = memory.observe(TEXT, idempotency_key="call-1")
    assert (rows(memory, "claims"), rows(memory, "observations")) == (0, 0)
    first = memory.observe(TEXT, idempotency_key="call-1")
    again = memory.observe(TEXT, idempotency_key="call-1")
    assert (first.replayed, again.replayed) == (False, True)
    assert again.observation == first.observation
    assert [claim.id for claim in again.claims] == [claim.id for claim in first.claims]
    assert again.integration == first.integration
    assert (rows(memory, "claims"), rows(memory, "observations")) == (1, 1)
    other = memory.results.observe("Something else.", idempotency_key="call-1").failure()
    assert other.code == "INVALID_PARAMETER"


def test_one_key_at_once_is_one_observation(memory_at: Callable[..., Memory]) -> None:
    memory = memory_at()
    seen: list[str] = []

    def observe() -> None:
        seen.append(memory.observe(TEXT, idempotency_key="k").observation.id)

    threads = [threading.Thread(target=observe) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 6
    assert len(set(seen)) == 1
    assert rows(memory, "observations") == 1


@pytest.mark.parametrize(
    "variant",
    [
        "  The invoice   service runs in Frankfurt.\n",
        "The invoice\u3000service runs in Frankfurt.",
    ],
)
def test_white_space_variants_are_the_same_claim(memory: Memory, variant: str) -> None:
    assert memory.observe(TEXT).claims[0].id == memory.observe(variant).claims[0].id


@pytest.mark.parametrize(
    "variant",
    [
        "THE INVOICE SERVICE RUNS IN FRANKFURT.",
        "Ｔｈｅ ｉｎｖｏｉｃｅ ｓｅｒｖｉｃｅ ｒｕｎｓ ｉｎ Ｆｒａｎｋｆｕｒｔ．",
        "\u300cThe invoice service runs in Frankfurt\u300d",
        "Our invoice service runs in Frankfurt.",
    ],
)
def test_near_variants_are_reported_and_never_merged(memory: Memory, variant: str) -> None:
    first = memory.observe(TEXT).claims[0]
    seen = memory.observe(variant)
    assert rows(memory, "claims") == 2
    assert [one.existing_id for one in seen.integration.similar_existing] == [first.id]


def test_near_duplicates_are_not_reported_across_scopes(memory: Memory) -> None:
    session = default_boundary().model_copy(update={"scope": ("session",)})
    _ = memory.observe(TEXT, boundary=session)
    assert memory.observe(TEXT.upper()).integration.similar_existing == ()


def test_a_merged_duplicate_takes_no_place_in_results(memory: Memory) -> None:
    kept = memory.observe("The deploy window is Tuesday morning.").claims[0]
    ghost = memory.observe("zanzibar: the deploy window is on Tuesday morning").claims[0]
    for number in range(4):
        _ = memory.observe(f"The deploy window of service {number} is open.")
    done = memory.feedback(ghost.id, "duplicate", duplicate_of=kept.id)
    assert done.merged_into == kept.id
    for query in ("zanzibar", "zanzibar deploy window Tuesday"):
        items = memory.activate(query, top_k=5).items
        assert ghost.id not in {item.claim.id for item in items}
    assert len(memory.activate("deploy window", top_k=5).items) == 5
    assert memory.claim(ghost.id).id == kept.id
    assert len(memory.evidence(kept.id)) == 2
    assert memory.observe("zanzibar: the deploy window is on Tuesday morning").claims[0].id == (
        kept.id
    )


CANARIES = [
    "sk-proj-Q2FuYXJ5Q2FuYXJ5Q2FuYXJ5Q2FuYXJ5Q2FuYXJ5",
    "ghp_Q2FuYXJ5Q2FuYXJ5Q2FuYXJ5Q2FuYXJ5Q2Fu",
    "AKIAQ2FUYXJ5Q2FUYXJ5",
    "postgres://canary:hunter2canary@db.example.com/main",
    "-----BEGIN PRIVATE KEY-----\nQ2FuYXJ5Q2FuYXJ5Q2FuYXJ5\n-----END PRIVATE KEY-----",
]


@pytest.mark.parametrize("canary", CANARIES)
def test_a_secret_is_nowhere_in_the_file(
    memory_at: Callable[..., Memory], tmp_path: Path, canary: str
) -> None:
    memory = memory_at("canary.duckdb")
    _ = memory.observe(f"My key is {canary} and 鍵は{canary}です。 Remember it well.")
    _ = memory.activate(f"what is {canary}?")
    for made in (
        memory.results.observe("x y z", source_id=canary.splitlines()[0]),
        memory.results.observe("x y z", tags=[canary.splitlines()[0].replace("@", "")]),
        memory.results.claim(canary),
        memory.results.feedback(canary, "helpful"),
    ):
        assert canary not in repr(made)
    memory.close()
    parts = [canary.encode()] if "\n" not in canary else [b"Q2FuYXJ5Q2FuYXJ5"]
    for file in tmp_path.iterdir():
        data = file.read_bytes()
        assert not any(part in data for part in parts), file.name


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("健二は来週東京へ出張する予定です。", ["京", "東京", "出張す", "東京へ出張す"]),
        ("カフェインは午後には飲まない。", ["カ", "カフ", "カフェ", "カフェイン"]),
        ("ありがとうございました", ["ありが", "ありがとう"]),
        ("用户更喜欢深色主题。", ["户", "深色", "喜欢深", "更喜欢深色主"]),
        ("ผู้ใช้ชอบโหมดมืด", ["ชอบ", "โหมดมืด", "ผู้ใช้"]),
        ("사용자는 다크 모드를 좋아한다.", ["다크", "모드를", "사용자", "좋아한다"]),
        ("Пользователь предпочитает тёмную тему.", ["тёмную", "Пользователь"]),
        ("Нужно обновить базу данных", ["базу", "БАЗУ"]),
    ],
)
def test_text_of_any_script_is_found_by_its_words(
    memory: Memory, text: str, queries: Sequence[str]
) -> None:
    wanted = memory.observe(text).claims[0].id
    _ = memory.observe("An unrelated sentence about the weather.")
    for query in queries:
        items = memory.activate(query, include_meta=True).items
        hit = next((item for item in items if item.claim.id == wanted), None)
        assert hit is not None, query
        assert hit.scores is not None
        assert hit.scores.bm25 is not None, query


def test_what_was_just_added_is_found_at_once(memory: Memory) -> None:
    for number in range(30):
        seen = memory.observe(f"The codeword of day {number} is kumquat{number}.")
        found = memory.activate(f"kumquat{number}", top_k=1).items[0]
        assert found.claim.id == seen.claims[0].id


@pytest.mark.parametrize(
    "query",
    [
        "-", "/", "\\", "'", '"', "*", "(", ")", ":", "%", "_", ";", "--", "\0", "\ud800", "🦆",
        "'; drop table claims; --", "a-b/c\\d", "550e8400-e29b-41d4-a716-446655440000", "$q",
        "{visible}", "{row_ids}", "the of and", "\u202e\u200b", "x" * 10_000, "",
    ],
)  # fmt: skip
def test_no_query_breaks_the_search(memory: Memory, query: str) -> None:
    seen = memory.observe("The ticket is 550e8400-e29b-41d4-a716-446655440000.")
    found = memory.activate(query)
    assert {item.claim.id for item in found.items} <= {claim.id for claim in seen.claims}


def test_an_identifier_with_signs_is_found(memory: Memory) -> None:
    wanted = memory.observe("Ticket 550e8400-e29b-41d4-a716-446655440000 is about billing.")
    _ = memory.observe("Ticket 123e4567-e89b-12d3-a456-426614174000 is about login.")
    found = memory.activate("550e8400-e29b-41d4-a716-446655440000", top_k=1).items[0]
    assert found.claim.id == wanted.claims[0].id


@pytest.mark.parametrize("count", [0, 1, 999, 1_000, 1_001])
def test_a_reopened_file_answers_the_same(memory_at: Callable[..., Memory], count: int) -> None:
    memory = memory_at("grown.duckdb")
    done = memory.observe_many(f"Part {n} belongs to shelf {n % 37}." for n in range(count))
    assert done.claims_created == count
    before = [(i.claim.id, i.score) for i in memory.activate("shelf 5 part").items]
    memory.close()
    again = memory_at("grown.duckdb")
    assert [(i.claim.id, i.score) for i in again.activate("shelf 5 part").items] == before
    assert len(before) == min(count, 12)


def test_scopes_and_prefix_like_names_do_not_mix(memory: Memory) -> None:
    session = default_boundary().model_copy(update={"scope": ("session",)})
    project = default_boundary().model_copy(update={"scope": ("project",)})
    mine = memory.observe("test_user likes tea.", boundary=session).claims[0]
    theirs = memory.observe("test_user1 likes tea.", boundary=project).claims[0]
    assert [i.claim.id for i in memory.activate("test_user", boundary=session).items] == [mine.id]
    assert [i.claim.id for i in memory.activate("test_user", boundary=project).items] == [
        theirs.id
    ]
    with pytest.raises(MemoryFault) as raised:
        _ = memory.claim(theirs.id, boundary=session)
    assert raised.value.error.code == "UNKNOWN_CLAIM"
    with pytest.raises(MemoryFault):
        _ = memory.feedback(theirs.id, "harmful", boundary=session)

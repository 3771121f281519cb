"""What is forgotten is gone: from every table, from the closed file, and from what was made of it."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from pce_memory import Memory, ObserveResult
from pce_memory.adapters.embedders import HashingEmbedder, from_callable
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.extraction import ExtractionResult
from pce_memory.domain.ids import EvidenceId, ObservationId
from pce_memory.domain.provenance import Evidence, Provenance
from pce_memory.text.stream import stream_of
from tests.conftest import START, FakeClock, rows, tables
from tests.engine.test_reviews import CONTACTS as WIDE, claim
from tests.index import assert_exact

Open = Callable[..., Memory]
NOW = Provenance(at="2025-06-15T15:00:00Z", actor="zebulon")


def holds(folder: Path, *words: str) -> list[tuple[str, str]]:
    """Return which of the words stand in which files of a folder."""
    return [
        (path.name, word)
        for path in sorted(folder.iterdir())
        for word in words
        if word.encode() in path.read_bytes()
    ]


def dump(memory: Memory) -> str:
    return "\n".join(
        str(memory.deps.db.query(f'select * from "{table}"').unwrap()) for table in tables(memory)
    )


def test_a_claim_leaves_no_byte_in_the_closed_file(memory_at: Open, tmp_path: Path) -> None:
    memory = memory_at()
    seen = memory.observe("The quixotrope spins at noon. The lamp is green.", actor="zebulon")
    target = next(one for one in seen.claims if "quixotrope" in one.text)
    _ = memory.activate("quixotrope")
    made = memory.distill(
        "Noon is when the quixotrope spins, so be quiet.", claim_ids=[target.id], provenance=NOW
    )
    done = memory.forget(claim_id=target.id)
    assert set(done.claims) == {target.id, *made.created}
    assert done.derived == made.created
    assert done.observations == (seen.observation.id,)
    assert done.compacted
    assert "quixotrope" not in dump(memory)
    assert [item.claim.text for item in memory.activate("").items] == ["The lamp is green."]
    memory.close()
    assert holds(tmp_path, "quixotrope") == []
    assert holds(tmp_path, "lamp is green") == [("memory.duckdb", "lamp is green")]


def test_the_file_can_be_compacted_later(memory_at: Open, tmp_path: Path) -> None:
    memory = memory_at()
    for number in range(120):
        _ = memory.observe(f"Filler number {number} says nothing of interest to anyone.")
    seen = memory.observe("The quixotrope spins at noon.")
    assert not memory.forget(claim_id=seen.claims[0].id, compact=False).compacted
    assert memory.compact()
    assert len(memory.activate("filler", top_k=100).items) == 100
    memory.close()
    assert holds(tmp_path, "quixotrope") == []


def test_all_that_somebody_said(memory_at: Open, tmp_path: Path) -> None:
    memory = memory_at()
    _ = memory.observe("The quixotrope spins. See [[Zanzibar Plan]].", actor="zebulon")
    _ = memory.observe("The lamp is green.", actor="zebulon")
    _ = memory.observe("The lamp is green.", actor="alice")
    _ = memory.observe("The door is red.", actor="alice")
    planned = memory.forget(actor="zebulon", dry_run=True)
    assert len(memory.activate("").items) >= 4
    done = memory.forget(actor="zebulon")
    assert planned.claims == done.claims
    left = sorted(item.claim.text for item in memory.activate("").items)
    assert left == ["The door is red.", "The lamp is green."]
    lamp = next(i for i in memory.activate("").items if "lamp" in i.claim.text)
    assert [one.provenance.actor for one in lamp.evidences if one.provenance] == ["alice"]
    memory.close()
    assert holds(tmp_path, "quixotrope", "zebulon", "Zanzibar") == []


def test_what_holds_every_word_of_a_query(memory: Memory) -> None:
    for text in (
        "The old address is Elm Street 5.",
        "The old lamp is green.",
        "旧住所は大阪です。",
    ):
        _ = memory.observe(text)
    assert len(memory.forget(query="old address", dry_run=True).claims) == 1
    _ = memory.forget(query="old address")
    _ = memory.forget(query="旧住所")
    assert [i.claim.text for i in memory.activate("").items] == ["The old lamp is green."]
    assert memory.results.forget(query="!?").failure().code == "INVALID_PARAMETER"


@pytest.mark.parametrize(
    ("said", "word", "other"),
    [
        ("ฉันเลี้ยงแมวสีดำที่บ้าน", "แมว", "ฉันเลี้ยงหมาที่บ้าน"),
        ("어제 고양이를 데려왔다", "고양이", "어제 강아지를 데려왔다"),
        ("ខ្ញុំមានឆ្មាពីរក្បាល", "ឆ្មា", "ខ្ញុំមានឆ្កែពីរក្បាល"),
        ("နေအိမ်မှာကြောင်ရှိတယ်", "ကြောင်", "နေအိမ်မှာခွေးရှိတယ်"),
    ],
)
def test_a_word_in_the_middle_of_a_script_without_spaces(
    memory: Memory, said: str, word: str, other: str
) -> None:
    claim, _ = (memory.observe(one).claims[0].id for one in (said, other))
    _ = memory.add_documents([{"pub_id": "1", "title": said}, {"pub_id": "2", "title": other}])
    _ = memory.fusion.rrf_search_fulltext_raw(word)
    done = memory.forget(query=word)
    assert done.claims == (claim,)
    assert len(done.documents) == 1
    assert [one.claim.text for one in memory.activate("").items] == [other]


def test_an_observation_goes_with_the_claims_that_rest_on_it_alone(memory: Memory) -> None:
    first = memory.observe("The lamp is green. The door is red.")
    _ = memory.observe("The door is red.")
    done = memory.forget(observation_id=first.observation.id)
    assert len(done.claims) == 1
    (door,) = memory.activate("").items
    assert door.claim.text == "The door is red."
    assert len(door.evidences) == 1
    missing = memory.results.forget(observation_id="obs_none").failure()
    assert missing.message == "Invalid observation_id: no observation has it"


def test_quoted_words_go_too(memory: Memory) -> None:
    quoted = Evidence(
        id=EvidenceId("evd_1"),
        claim_id=claim().id,
        observation_id=ObservationId("obs_1"),
        method="llm",
        note="heard the quixotrope",
        snippet="a quixotrope spins",
    )
    given = claim(text="Something spins in the yard.", boundary_class="internal")
    _ = memory.integrate(ExtractionResult(claims=(given,), evidences=(quoted,)))
    assert "quixotrope" in dump(memory)
    _ = memory.forget(claim_id="clm_1")
    assert "quixotrope" not in dump(memory)


def test_a_repeated_call_after_forgetting_brings_nothing_back(memory: Memory) -> None:
    text = "The quixotrope spins at noon."
    seen = memory.observe(text, idempotency_key="once")
    _ = memory.forget(observation_id=seen.observation.id)
    again = memory.observe(text, idempotency_key="once")
    assert (again.replayed, again.claims, again.observation.content) == (True, (), None)
    assert rows(memory, "claims") == 0


def test_a_boundary_forgets_only_what_it_shows(lasting: Memory) -> None:
    wide = Boundary(
        scope=("session", "project", "principle"),
        allow=("answer:task", "tool:contact-lookup"),
        boundary_classes=("public", "internal", "pii"),
    )
    _ = lasting.integrate([claim()], boundary=wide)
    narrow = lasting.results.boundary
    refused = lasting.results.forget(claim_id="clm_1", boundary=narrow).failure()
    assert refused.code == "UNKNOWN_CLAIM"
    assert lasting.forget(query="blue house", boundary=narrow).claims == ()
    assert rows(lasting, "claims") == 1
    assert lasting.forget(query="blue house", boundary=wide).claims == ("clm_1",)


@pytest.mark.parametrize(
    "wanted", [{}, {"claim_id": "clm_1", "actor": "x"}, {"claim_id": "x"}, {"nothing": 1}]
)
def test_one_thing_is_forgotten_at_a_time(memory: Memory, wanted) -> None:
    assert memory.results.forget(**wanted).failure().code in {"INVALID_PARAMETER", "INVALID_ID"}


def test_a_tombstone_digest_stays(memory: Memory) -> None:
    seen = memory.observe("The quixotrope spins at noon.")
    _ = memory.forget(claim_id=seen.claims[0].id)
    erased = memory.erasures("The quixotrope spins at noon.")
    assert {(one.subject, one.subject_id) for one in erased} == {
        ("claim", seen.claims[0].id),
        ("observation", seen.observation.id),
    }
    assert {(one.why, one.erased_at) for one in erased} == {("forgotten", START)}
    assert erased[0].digest.startswith("hmac-sha256:")
    assert memory.erasures("The quixotrope spins at one.") == ()


def test_readers_and_writers_go_on_while_the_file_is_compacted(memory_at: Open) -> None:
    memory = memory_at()
    for number in range(50):
        _ = memory.observe(f"Fact number {number} stands.")
    stop, faults = threading.Event(), []

    def work(act: Callable[[int], object]) -> None:
        turn = 0
        while not stop.is_set():
            turn += 1
            try:
                _ = act(turn)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is a fault
                faults.append(repr(error))
                return

    acts: list[Callable[[int], object]] = [
        lambda _: memory.activate("fact"),
        lambda _: memory.search("number"),
        lambda turn: memory.observe(f"New fact {turn} stands."),
    ]
    threads = [threading.Thread(target=work, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    written = [memory.compact() for _ in range(10)]
    stop.set()
    for thread in threads:
        thread.join()
    assert faults == []
    assert written == [True] * 10
    count = rows(memory, "claims")
    memory.close()
    again = memory_at()
    assert rows(again, "claims") == count > 50
    assert len(again.observe("One more fact.").integration.created) == 1


def test_a_kill_during_compaction_loses_nothing(tmp_path: Path) -> None:
    body = (
        "import sys; from pce_memory import Memory\n"
        "m = Memory.open(sys.argv[1], embedder='hashing')\n"
        "for n in range(100): m.observe(f'Fact number {n} stands.')\n"
        "print('ready', flush=True)\n"
        "while True: m.compact()\n"
    )
    path = tmp_path / "k.duckdb"
    for round_ in range(3):
        made = subprocess.Popen(
            [sys.executable, "-c", body, str(path)], stdout=subprocess.PIPE, text=True
        )
        assert made.stdout is not None
        with made.stdout as said:
            assert said.readline() == "ready\n"
            time.sleep(0.05 + 0.11 * round_)
            os.kill(made.pid, signal.SIGKILL)
            _ = made.wait()
        with Memory.open(path, embedder="hashing") as memory:
            assert rows(memory, "claims") == 100
            assert len(memory.search("fact number", k=100)) == 100
            assert min(one.name for one in tmp_path.iterdir()) == "k.duckdb"


def test_what_is_not_a_copy_of_ours_is_left_alone(memory_at: Open, tmp_path: Path) -> None:
    memory = memory_at("a.duckdb")
    made = memory.path
    memory.close()
    from pce_memory.adapters.swapping import copy_beside

    _, ours = copy_beside(made)
    _ = ours.write_bytes(b"left by a process that was killed")
    (tmp_path / ".a.duckdb.copy_of_monday.duckdb").write_bytes(b"mine")
    folder = ours.with_name(ours.name.replace("copy_", "copy_dir_"))
    folder.mkdir()
    _ = memory_at("a.duckdb").observe("The lamp is green.")
    assert sorted(one.name for one in tmp_path.iterdir() if one.name.startswith(".")) == sorted(
        [".a.duckdb.copy_of_monday.duckdb", folder.name]
    )


def test_a_long_name_is_compacted_too(memory_at: Open) -> None:
    memory = memory_at("n" * 240 + ".duckdb")
    seen = memory.observe("The quixotrope spins.")
    assert memory.forget(claim_id=seen.claims[0].id).compacted


def test_a_boundary_learns_nothing_of_an_observation_without_claims(memory: Memory) -> None:
    _ = memory.observe("ok", actor="alice")
    narrow = memory.results.boundary.model_copy(update={"boundary_classes": ("public",)})
    told = memory.forget(actor="alice", dry_run=True, boundary=narrow)
    assert (told.claims, told.observations) == ((), ())
    assert len(memory.forget(actor="alice", dry_run=True).observations) == 1


def said_before(memory: Memory, text: str, *, actor: str, source_id: str | None) -> ObserveResult:
    """Observe what zebulon said too as files of before have it: merged with his claim."""
    seen = memory.observe(text, actor="zebulon", source_id=source_id)
    change = "update observations set actor = $actor where id = $id"
    memory.deps.db.execute(change, {"actor": actor, "id": seen.observation.id}).unwrap()
    said = (
        "update observations set provenance = replace(provenance::varchar, 'zebulon', $actor)"
        "::json where id = $id"
    )
    memory.deps.db.execute(said, {"actor": actor, "id": seen.observation.id}).unwrap()
    named = (
        "update evidence set provenance = replace(provenance::varchar, 'zebulon', $actor)::json "
        "where observation_id = $id"
    )
    memory.deps.db.execute(named, {"actor": actor, "id": seen.observation.id}).unwrap()
    return seen


def test_what_others_said_too_is_theirs_and_found_as_theirs(memory: Memory) -> None:
    first = memory.observe("The lamp is green.", actor="zebulon", source_id="room-1/1")
    second = said_before(memory, "The lamp is green.", actor="alice", source_id="room-2/7")
    third = said_before(memory, "The lamp is green.", actor="bob", source_id="room-3/1")
    assert memory.search("zebulon")[0].claim.id == first.claims[0].id
    _ = memory.forget(actor="zebulon")
    (hit,) = memory.search("alice")
    assert hit.claim.origin_observation_id == second.observation.id
    assert hit.scores is None
    assert_exact(memory)
    columns = "said_by, epoch(said_at) as at, stream, saying, row_id"
    (row,) = memory.deps.db.query(f"select {columns} from claims").unwrap()
    assert (row["said_by"], row["at"]) == ("alice", START)
    assert row["stream"] == stream_of("chat", "room-2/7")
    _ = memory.forget(observation_id=second.observation.id)
    (hit,) = memory.search("bob")
    assert hit.claim.origin_observation_id == third.observation.id
    assert rows(memory, "vectors_1") == 1
    assert_exact(memory)


def test_somebody_is_forgotten_whose_observations_expired(
    memory: Memory, clock: FakeClock
) -> None:
    _ = memory.observe("The quixotrope spins.", actor="zebulon")
    memory.deps.db.execute("update observations set actor = null, provenance = null").unwrap()
    memory.deps.db.execute("update evidence set provenance = null").unwrap()
    assert len(memory.forget(actor="zebulon").claims) == 1
    assert "zebulon" not in dump(memory)


def test_the_name_goes_even_if_the_embedder_fails(memory_at: Open, tmp_path: Path) -> None:
    failing = False

    def embed(texts: Sequence[str]) -> list[list[float]]:
        if failing:
            raise RuntimeError("out of tokens")
        return [list(inner.embed(text).unwrap()) for text in texts]

    inner = HashingEmbedder(dimension=16)
    mine = from_callable(embed, model_id="mine", version="1", dimension=16)
    memory = memory_at(embedder=mine)
    _ = memory.observe("The lamp is green.", actor="zebulon")
    _ = said_before(memory, "The lamp is green.", actor="alice", source_id=None)
    failing = True
    _ = memory.forget(actor="zebulon")
    assert rows(memory, "vectors_1") == 0
    assert "zebulon" not in dump(memory)
    failing = False
    assert memory.reembed() == 1
    assert_exact(memory)
    memory.close()
    assert holds(tmp_path, "zebulon") == []


def test_a_claim_that_merges_into_a_stricter_class_is_indexed_as_that(lasting: Memory) -> None:
    text = "The archive is open to zoe@example.com on Mondays."
    given = claim(1, text, "internal")
    _ = lasting.integrate([given], boundary=WIDE)
    assert lasting.search("zoe", boundary=WIDE)
    stricter = claim(2, text, "pii")
    _ = lasting.integrate([stricter], boundary=WIDE)
    assert_exact(lasting)

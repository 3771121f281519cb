"""Another tokenizer, another policy, an older file: the index is made anew, and can be taken up."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from returns.result import Failure, Success

from pce_memory import Memory, MemoryFault
from pce_memory.engine import reindex as reindex_module
from pce_memory.engine.reindex import rebuild
from pce_memory.errors import TokenizerMismatch
from pce_memory.opening import index as opening_index
from pce_memory.store import index_state, postings
from pce_memory.store.index_state import IndexState
from pce_memory.text.tokenizer import NgramTokenizer
from pce_memory.text.tokens import TOKENIZER_ID
from tests.conftest import rows, tables
from tests.index import assert_exact, postings_of
from tests.older_files import downgrade
from tests.policies import LASTING, REDACTING

Open = Callable[..., Memory]
TEXTS = [f"The lamp of shelf {number} is green." for number in range(10)]


class Shouting:
    """A tokenizer whose terms are words in capitals."""

    id = "shouting-v1"

    def terms(self, text: str) -> list[str]:
        return text.upper().split()

    def query_terms(self, text: str) -> list[str]:
        return list(dict.fromkeys(self.terms(text)))

    def needed_terms(self, phrase: str) -> list[str]:
        return self.query_terms(phrase)


def filled(memory_at: Open, **how: object) -> Memory:
    memory = memory_at("m.duckdb", **how)
    _ = memory.observe_many(TEXTS)
    return memory


def state(memory: Memory) -> IndexState:
    return index_state.get(memory.deps.db).unwrap()


class TestAnotherTokenizer:
    @pytest.mark.parametrize("read_only", [False, True])
    def test_it_is_refused_by_name(self, memory_at: Open, read_only: bool):
        filled(memory_at).close()
        with pytest.raises(MemoryFault) as raised:
            _ = memory_at("m.duckdb", tokenizer=Shouting(), read_only=read_only)
        assert raised.value.error == TokenizerMismatch(TOKENIZER_ID, "shouting-v1")
        assert "reindex" in raised.value.error.remedy
        assert len(memory_at("m.duckdb").search("green lamp", k=20)) == 10

    def test_a_file_without_claims_takes_any(self, memory_at: Open):
        memory_at("m.duckdb").close()
        filled(memory_at, tokenizer=Shouting()).close()
        opened = Memory.try_open(memory_at("other.duckdb").path, embedder="hashing")
        assert opened.failure().code == "FILE_LOCKED"
        assert state(memory_at("m.duckdb", tokenizer=Shouting())).tokenizers == ("shouting-v1",)

    def test_it_is_changed_and_loses_nothing(
        self, memory_at: Open, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(reindex_module, "BATCH", 4)
        filled(memory_at).close()
        memory = memory_at("m.duckdb", tokenizer=Shouting(), allow_reindex=True)
        health = memory.health()
        assert (health.index, health.reasons) == (
            "reindex needed",
            ("texts were indexed by another tokenizer",),
        )
        late = memory.observe("The cellar key hangs behind the door.").claims[0]
        assert memory.search("cellar")[0].claim.id == late.id
        assert memory.health().tokenizer == f"{TOKENIZER_ID} and shouting-v1"
        steps: list[tuple[int, int]] = []
        assert memory.reindex(progress=lambda done, total: steps.append((done, total))) == 11
        assert steps == [(4, 11), (8, 11), (11, 11)]
        assert_exact(memory)
        assert memory.health().index == "ok"
        assert memory.search("SHELF")
        memory.close()
        assert Memory.try_open(memory.path, embedder="hashing") == Failure(
            TokenizerMismatch("shouting-v1", TOKENIZER_ID)
        )
        assert_exact(memory_at("m.duckdb", tokenizer=Shouting()))

    def test_a_look_leaves_no_mark(self, memory_at: Open):
        filled(memory_at).close()
        memory_at("m.duckdb", tokenizer=Shouting(), allow_reindex=True).close()
        assert memory_at("m.duckdb").health().index == "ok"

    def test_it_goes_on_where_it_stopped(self, memory_at: Open, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(reindex_module, "BATCH", 4)
        memory = filled(memory_at)
        assert reindex_module._step(memory.deps, vectors=True).unwrap() is not None
        assert memory.health().reasons == ("a reindex was begun and has not ended",)
        memory.close()
        again = memory_at("m.duckdb")
        first = again.observe("The lamp of the hall is red.", actor="zebulon").claims[0]
        again.forget(query="shelf 2", compact=False)
        steps: list[int] = []
        assert again.reindex(progress=lambda done, _: steps.append(done)) == 10
        assert steps[0] > 4
        assert_exact(again)
        assert again.search("hall")[0].claim.id == first.id

    def test_claims_that_change_meanwhile_are_in_it(
        self, memory: Memory, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(reindex_module, "BATCH", 1)
        for actor in ("zebulon", "alice"):
            memory.observe("The lamp is green.", actor=actor)
        memory.observe("The door is red.", actor="alice")
        _ = reindex_module._step(memory.deps, vectors=True).unwrap()
        memory.forget(actor="zebulon")
        for _ in range(2):  # the two claims that are left
            assert reindex_module._step(memory.deps, vectors=True).unwrap() is not None
        assert reindex_module._step(memory.deps, vectors=True) == Success(None)
        assert_exact(memory)

    def test_a_sort_under_way_gives_up(self, memory: Memory):
        db = memory.deps.db
        memory.observe("The lamp is green.")
        late = db.aside(lambda: postings._build(db)).unwrap()
        memory.reindex()
        assert postings._take_over(db, late, tries=1) == Success(0)
        assert_exact(memory)
        assert postings.sort(db) == Success(0)
        assert_exact(memory)
        assert "postings_next" not in tables(memory)


class TestAnotherPolicy:
    def test_what_it_redacts_is_found_until_a_reindex_and_no_more(self, memory_at: Open):
        memory = filled(memory_at, policy=LASTING)
        memory.apply_policy(REDACTING)
        health = memory.health()
        assert health.reasons == ("texts were indexed under other rules of redaction",)
        assert holding(memory, "lamp") == 10
        before = rows(memory, "vectors_1")
        assert memory.reindex() == 10
        assert holding(memory, "lamp") == 0
        assert_exact(memory)
        assert rows(memory, "vectors_1") == before > 0  # the old ones went
        assert memory.health().index == "ok"

    def test_a_policy_that_redacts_the_same_needs_none(self, memory_at: Open):
        memory = filled(memory_at, policy=LASTING)
        memory.apply_policy(
            LASTING.replace('"1.0.1"', '"1.0.9"').replace("redact, or deny", "one of")
        )
        assert memory.health().index == "ok"

    def test_there_and_back_is_told(self, memory_at: Open):
        memory = filled(memory_at, policy=LASTING)
        memory.apply_policy(REDACTING)
        memory.observe("The lamp of the hall is red.")
        memory.apply_policy(LASTING, allow_downgrade=True)
        assert memory.health().index == "reindex needed"
        assert memory.reindex() == 11
        assert_exact(memory)

    def test_one_that_comes_between_begins_again(
        self, memory: Memory, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(reindex_module, "BATCH", 2)
        memory.apply_policy(LASTING)
        _ = memory.observe_many(TEXTS)
        _ = reindex_module._step(memory.deps, vectors=True).unwrap()
        memory.apply_policy(REDACTING)
        memory.reindex()
        assert_exact(memory)
        assert holding(memory, "lamp") == 0


def holding(memory: Memory, word: str) -> int:
    """Return how many claims the index holds a word of."""
    from pce_memory.store import erasure

    return len(erasure.holding_all([word])(memory.deps).unwrap())


class TestAnOlderFile:
    def old(self, memory_at: Open, tokenizers: tuple[str, ...]) -> None:
        memory = filled(memory_at)
        db = memory.deps.db
        db.execute("delete from postings_delta").unwrap()
        db.execute("update claims set embedded = null, token_count = 1").unwrap()
        if tokenizers:
            index_state.put(db, IndexState(tokenizers, state(memory).redactions)).unwrap()
        else:
            db.execute("delete from meta where key like 'index_%'").unwrap()
        memory.close()

    @pytest.mark.parametrize(
        "tokenizers", [(), ("cjk-bigram-porter-v1",), ("cjk-bigram-porter-v2",)]
    )
    def test_it_is_brought_up_to_date_at_opening(
        self, memory_at: Open, tokenizers: tuple[str, ...]
    ):
        self.old(memory_at, tokenizers)
        memory = memory_at("m.duckdb")
        assert len(postings_of(memory)) > 10
        assert memory.health().index == "ok"
        assert len(memory.search("green lamp", k=20)) == 10

    def test_its_documents_are_too(self, memory_at: Open):
        """Documents kept the terms of the version before, and health said that all was well."""
        memory = memory_at("m.duckdb")
        _ = memory.add_documents([{"pub_id": "P1", "title": "Widget7 with a 🚀"}])
        db = memory.deps.db
        db.execute("delete from document_postings").unwrap()
        index_state.put(db, IndexState(("cjk-bigram-porter-v2",), ())).unwrap()
        memory.close()
        memory = memory_at("m.duckdb")
        assert memory.health().index == "ok"
        for query in ("widget 7", "🚀", "Widget7"):
            assert len(memory.fusion.search_fulltext(query, collection="documents")) == 1

    MAILS = ("aiko@example.com", "bob@example.com")

    def named_by_what_is_not_shown(self, memory_at: Open) -> None:
        """Make a file in which documents stand in the order of their addresses."""
        memory = memory_at("m.duckdb")
        _ = memory.add_documents([{"pub_id": one, "title": "lamp"} for one in self.MAILS])
        assert self.names(memory) == ["[email]"] * 2
        db = memory.deps.db
        db.execute(
            "update documents set name = value from document_ids as i where i.doc_key = documents.doc_key"
        ).unwrap()
        assert self.names(memory) == list(self.MAILS)
        memory.close()
        downgrade(memory.path, 6)

    def names(self, memory: Memory) -> list[str]:
        found = memory.deps.db.query("select name from documents order by name").unwrap()
        return [row["name"] for row in found]

    def test_its_documents_have_no_order_that_tells_what_is_not_shown(self, memory_at: Open):
        """Equal scores stood in the order of addresses until somebody ran a reindex."""
        self.named_by_what_is_not_shown(memory_at)
        memory = memory_at("m.duckdb")
        assert self.names(memory) == ["[email]"] * 2
        assert memory.health().index == "ok"

    def test_of_many_documents_health_tells(
        self, memory_at: Open, monkeypatch: pytest.MonkeyPatch
    ):
        self.named_by_what_is_not_shown(memory_at)
        monkeypatch.setattr(opening_index, "AT_ONCE", 1)
        memory = memory_at("m.duckdb")
        assert self.names(memory) == list(self.MAILS)
        assert memory.health().reasons == ("documents were indexed by an earlier version",)
        memory.close()
        with memory_at("m.duckdb", read_only=True) as reader:
            assert reader.health().index == "reindex needed"
        memory = memory_at("m.duckdb")
        _ = memory.reindex()
        assert (self.names(memory), memory.health().reasons) == (["[email]"] * 2, ())

    def test_a_file_of_today_is_left_as_it_is(
        self, memory_at: Open, monkeypatch: pytest.MonkeyPatch
    ):
        memory = memory_at("m.duckdb")
        _ = memory.add_documents([{"pub_id": "P", "title": "lamp"}])
        memory.close()
        monkeypatch.setattr(opening_index, "reindex_documents", None)
        assert memory_at("m.duckdb").health().index == "ok"

    def test_a_large_one_is_not(self, memory_at: Open, monkeypatch: pytest.MonkeyPatch):
        self.old(memory_at, ("cjk-bigram-porter-v2",))
        monkeypatch.setattr(opening_index, "AT_ONCE", 9)
        with pytest.raises(MemoryFault) as raised:
            _ = memory_at("m.duckdb")
        assert raised.value.error.code == "TOKENIZER_MISMATCH"
        memory = memory_at("m.duckdb", allow_reindex=True)
        assert memory.reindex() == 10
        assert_exact(memory)

    def test_a_reader_refuses_it(self, memory_at: Open):
        self.old(memory_at, ())
        with pytest.raises(MemoryFault) as raised:
            _ = memory_at("m.duckdb", read_only=True)
        assert raised.value.error == TokenizerMismatch("an earlier version", TOKENIZER_ID)

    def test_what_the_last_version_could_not_find_is_found(
        self, memory_at: Open, monkeypatch: pytest.MonkeyPatch
    ):
        with monkeypatch.context() as earlier:
            earlier.setattr(NgramTokenizer, "terms", lambda _, text: text.lower().split())
            memory = memory_at("m.duckdb")
            own = {claim.id for claim in memory.observe("My iPhone15 is lost 👍🏽").claims}
            index_state.put(
                memory.deps.db, IndexState(("cjk-bigram-porter-v2",), state(memory).redactions)
            ).unwrap()
            assert memory.fusion.search_fulltext("iphone") == ()
            memory.close()
        memory = memory_at("m.duckdb")
        for query in ("iphone", "iPhone 15", "👍"):
            assert set(memory.fusion.search_fulltext(query)) == own
        assert_exact(memory)


OF_ITS_OWN = {"file_bytes", "postings_unsorted", "duckdb_version", "mirror"}


class TestHealth:
    def test_it_tells_what_is_there(self, memory_at: Open):
        memory = filled(memory_at)
        told = memory.health()
        assert told.model_dump(exclude=OF_ITS_OWN) == {
            "policy_version": "0.0.0-default",
            "schema_version": 10,
            "tokenizer": TOKENIZER_ID,
            "tokenizer_in_use": TOKENIZER_ID,
            "stemmer": "snowballstemmer porter, Python",
            "embedder": "hashing-ngram 1 (384 dimensions)",
            "embedder_in_use": "hashing-ngram 1 (384 dimensions)",
            "claims": {"active": 10},
            "without_vector": 0,
            "documents": 0,
            "documents_without_vector": 0,
            "postings_sorted": 0,
            "index": "ok",
            "vectors": "ok",
            "reasons": (),
            "commits_missing": 0,
            "file": "ok",
            "deep": None,
        }
        assert told.file_bytes > 10_000
        assert told.mirror in {"not loaded", "loading", "ready"}
        assert told.postings_unsorted == len(postings_of(memory))
        assert told.duckdb_version.count(".") == 2
        memory.close()
        assert memory.results.health().failure().code == "MEMORY_CLOSED"
        assert memory_at("m.duckdb", read_only=True).health().claims == {"active": 10}

    def test_an_empty_one_is_well(self, memory: Memory):
        told = memory.health()
        assert (told.file_bytes, told.embedder, told.claims, told.index) == (0, None, {}, "ok")


@pytest.mark.slow
def test_a_kill_during_reindex_loses_nothing(tmp_path: Path):
    body = (
        "import sys, threading; from pce_memory import Memory\n"
        "from pce_memory.engine import reindex\n"
        "reindex.BATCH = 7\n"
        "m = Memory.open(sys.argv[1], embedder='hashing')\n"
        "print('ready', flush=True)\n"
        "def again():\n"
        "    while True: m.reindex()\n"
        "threading.Thread(target=again, daemon=True).start()\n"
        "n = 0\n"
        "while True:\n"
        "    n += 1\n"
        "    seen = m.observe(f'Parcel {sys.argv[2]} {n} waits on shelf {n * 7}.', actor='bob')\n"
        "    if n % 4 == 0: m.forget(claim_id=seen.claims[0].id, compact=False)\n"
        "    else: print(seen.claims[0].id, flush=True)\n"
    )
    path, told = tmp_path / "k.duckdb", set[str]()
    for round_ in range(5):
        made = subprocess.Popen(
            [sys.executable, "-c", body, str(path), str(round_)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        assert made.stdout is not None
        with made.stdout as said:
            assert said.readline() == "ready\n"
            time.sleep(0.6 + 0.41 * round_)
            os.kill(made.pid, signal.SIGKILL)
            told |= {line.strip() for line in said.read().split("\n")[:-1]}
            _ = made.wait()
        with Memory.open(path, embedder="hashing") as memory:
            assert_exact(memory)
            kept = memory.deps.db.query("select id from claims").unwrap()
            assert told <= {row["id"] for row in kept}
    assert told  # however slow the machine is, something was acknowledged
    with Memory.open(path, embedder="hashing") as memory:
        assert rebuild(memory.deps, vectors=False) == Success(rows(memory, "claims"))
        assert_exact(memory)

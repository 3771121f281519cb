"""Faults that were found by trying: each with the input that failed."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pce_memory import Boundary, Claim, Memory, MemoryFault
from pce_memory.domain.extraction import ExtractionResult
from pce_memory.domain.ids import ClaimId, EvidenceId
from pce_memory.domain.provenance import Evidence
from tests.conftest import START

Open = Callable[..., Memory]
WIDE = Boundary(
    scope=("session", "project", "principle"),
    allow=("answer:task", "tool:contact-lookup"),
    boundary_classes=("public", "internal", "pii"),
)
SESSION = {"scope": ["session"], "allow": ["answer:task"], "boundary_classes": ["internal"]}


def hidden(memory: Memory, text: str = "The vault code was changed.") -> str:
    claim = Claim.model_validate(
        {
            "id": "clm_hidden",
            "text": text,
            "kind": "fact",
            "scope": "project",
            "boundary_class": "pii",
            "utility": 3.0,
            "origin_observation_id": "obs_1",
            "created_at": START,
            "updated_at": START,
        }
    )
    return memory.integrate([claim], boundary=WIDE).created[0]


class TestBoundaries:
    def test_a_mapping_is_a_boundary(self, memory: Memory) -> None:
        _ = memory.observe("Cats like sofas.")
        found = memory.activate("cats", boundary=SESSION)  # type: ignore[arg-type]
        assert found.items == ()
        assert found.boundary.scope == ("session",)

    @pytest.mark.parametrize("wrong", ["session", 3, ["session"], {"scope": ["nowhere"]}])
    def test_what_is_no_boundary_is_refused(self, memory: Memory, wrong) -> None:
        for made in (
            memory.results.activate("cats", boundary=wrong),
            memory.results.observe("Cats like sofas.", boundary=wrong),
            memory.results.claim("clm_1", boundary=wrong),
        ):
            assert made.failure().code == "INVALID_PARAMETER"
        with pytest.raises(MemoryFault):
            _ = Memory.open(embedder="hashing", boundary=wrong)

    def test_feedback_cannot_reach_a_hidden_claim(self, lasting: Memory) -> None:
        target = hidden(lasting)
        seen = lasting.observe("The vault code is new.").claims[0]
        refused = lasting.results.feedback(seen.id, "duplicate", duplicate_of=target)
        assert refused.failure().code == "UNKNOWN_CLAIM"
        assert lasting.claim(seen.id).id == seen.id

    def test_the_same_text_as_a_hidden_claim_tells_nothing_of_it(self, lasting: Memory) -> None:
        target = hidden(lasting)
        seen = lasting.observe("The vault code was changed.")
        (claim,) = seen.claims
        assert (claim.boundary_class, claim.utility) == ("internal", 0.0)
        assert claim.id != target
        assert seen.integration.created == (claim.id,)
        assert (seen.integration.merged, seen.integration.unchanged) == ((), ())
        # It stands by itself: whoever sees both sees the stricter one, the owner's.
        assert lasting.claim(claim.id).id == claim.id
        assert len(lasting.evidence(claim.id)) == 1
        assert [hit.claim.id for hit in lasting.search("vault code")] == [claim.id]
        assert lasting.claim(target, boundary=WIDE).utility == 3.0

    def test_a_context_shows_what_the_boundary_shows(self, lasting: Memory) -> None:
        target = hidden(lasting)
        made = lasting.activate("vault code", boundary=WIDE)
        assert [item.claim.id for item in made.items] == [target]
        assert lasting.context(made.active_context.id)[1] == ()
        assert len(lasting.context(made.active_context.id, boundary=WIDE)[1]) == 1


class TestFiles:
    @pytest.mark.parametrize("name", ["a.duckdb.wal", "A.WAL", "b.duckdb.tmp"])
    def test_a_snapshot_never_takes_the_name_of_a_log(
        self, memory_at: Open, tmp_path: Path, name: str
    ) -> None:
        memory = memory_at("a.duckdb")
        _ = memory.observe("Alpha cats like sofas.")
        for overwrite in (False, True):
            with pytest.raises(MemoryFault) as raised:
                _ = memory.snapshot(tmp_path / name, overwrite=overwrite)
            assert raised.value.error.code == "PATH_UNUSABLE"

    @pytest.mark.parametrize(
        "spoil",
        [
            lambda log: bytes([log[0] ^ 255]) + log[1:],
            lambda log: b"junk" * (len(log) // 4),
            lambda log: bytes(len(log)),
        ],
        ids=["first byte", "junk", "zeros"],
    )
    def test_a_log_with_a_damaged_head_is_not_thrown_away(self, tmp_path: Path, spoil) -> None:
        body = (
            "import os, sys; from pce_memory import Memory\n"
            "m = Memory.open(sys.argv[1], embedder='hashing'); m.observe('Alpha cats.'); m.close()\n"
            "m = Memory.open(sys.argv[1], embedder='hashing'); m.observe('Beta dogs.'); os._exit(0)"
        )
        path = tmp_path / "b.duckdb"
        _ = subprocess.run([sys.executable, "-c", body, str(path)], check=True, timeout=120)
        log = tmp_path / "b.duckdb.wal"
        whole = log.read_bytes()
        log.write_bytes(spoil(whole))
        refused = Memory.try_open(path, embedder="hashing").failure()
        assert refused.code == "FILE_DAMAGED"
        assert log.read_bytes() == spoil(whole)
        log.write_bytes(whole)
        with Memory.open(path, embedder="hashing") as memory:
            assert len(memory.activate("").items) == 2

    def test_results_keep_the_file_open(self, tmp_path: Path) -> None:
        results = Memory.open(tmp_path / "a.duckdb", embedder="hashing").results
        assert results.observe("Alpha cats like sofas.").unwrap().claims
        del results
        with Memory.open(tmp_path / "a.duckdb", embedder="hashing") as again:
            assert len(again.activate("").items) == 1

    @pytest.mark.parametrize(
        "how",
        [
            {"readonly": True},
            {"polcy": "dev"},
            {"policy": "nosuch"},
            {"policy": "version: 1\n"},
            {"threads": 0},
            {"threads": 10**9},
            {"memory_limit": "-1"},
            {"clock": lambda: float("nan")},
            {"clock": lambda: None},
        ],
    )
    def test_an_option_that_is_refused_makes_no_file(self, tmp_path: Path, how) -> None:
        refused = Memory.try_open(tmp_path / "a.duckdb", **{"embedder": "hashing", **how})
        assert refused.failure().code in {"INVALID_PARAMETER", "INVALID_POLICY", "CLOCK_FAILED"}
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("path", [None, 3, b"x.db", 1.5])
    def test_a_path_of_another_kind_makes_no_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert Memory.try_open(path, embedder="hashing").failure().code == "INVALID_PARAMETER"
        assert list(tmp_path.iterdir()) == []

    def test_a_memory_in_ram_cannot_be_read_only(self) -> None:
        refused = Memory.try_open(":memory:", read_only=True, embedder="hashing").failure()
        assert refused.message == (
            "Invalid read_only: a memory in RAM is new: there is nothing to read in it"
        )

    def test_a_read_only_memory_makes_no_snapshot(self, memory_at: Open, tmp_path: Path) -> None:
        memory_at("a.duckdb").close()
        memory = memory_at("a.duckdb", read_only=True)
        refused = memory.results.snapshot(tmp_path / "b.duckdb").failure()
        assert refused.message == "Cannot snapshot: this memory was opened read-only"

    def test_links_in_a_circle(self, tmp_path: Path) -> None:
        (tmp_path / "two").symlink_to(tmp_path / "one")
        (tmp_path / "one").symlink_to(tmp_path / "two")
        assert Memory.try_open(tmp_path / "one", embedder="hashing").failure().code == (
            "PATH_UNUSABLE"
        )


class TestArguments:
    @pytest.mark.parametrize("items", ["hello", {"content": "hello"}, b"hello", None, 3, str])
    def test_one_thing_is_not_many(self, memory: Memory, items) -> None:
        refused = memory.results.observe_many(items).failure()
        assert refused.code == "INVALID_PARAMETER"

    @pytest.mark.parametrize("key", ["AKIAQ2FUYXJ5Q2FUYXJ5", "Zm9vYmFy1234Zm9v"])
    def test_an_id_made_of_a_key_is_not_shown(self, memory: Memory, key: str) -> None:
        assert key not in memory.results.claim(f"clm_{key}").failure().message
        assert key not in memory.results.claim(key).failure().message

    def test_a_fault_of_the_clock_later_on_is_a_failure(self, memory_at: Open) -> None:
        times = iter([START] * 40)
        memory = memory_at("c.duckdb", clock=lambda: next(times))
        outcome = None
        for _ in range(40):
            outcome = memory.results.observe("The clock runs down.")
            if not outcome.value_or(None):
                break
        assert outcome is not None
        assert outcome.failure().code == "CLOCK_FAILED"

    def test_a_pattern_of_a_policy_cannot_hang(self, memory: Memory) -> None:
        policy = (
            'version: "4.0.0"\nredact_policies:\n  slow:\n    rules:\n'
            '      - {name: slow, find: "a*a*a*a*z", replace: "[x]"}\nboundary_classes:\n'
            '  public: {allow: ["*"]}\n  internal: {allow: ["answer:task"], redact: [slow]}\n'
            "  pii: {allow: [], redact: [slow]}\n  secret: {allow: []}\n"
        )
        _ = memory.apply_policy(policy)
        assert memory.observe("a" * 3_000 + " is long.").claims


class TestBatches:
    def test_a_merge_that_breaks_a_rule_stops_no_other_item(self, lasting: Memory) -> None:
        from tests.policies import LASTING

        rule = "invariants:\n  - {name: nb, applies_to: [project], rule: 'claim.kind != \"task\"'}"
        policy = LASTING.replace('"1.0.1"', '"1.0.2"').replace("invariants: []", rule)
        _ = lasting.apply_policy(policy)
        task = {
            "id": "clm_1",
            "text": "Kenji likes tea.",
            "kind": "task",
            "scope": "session",
            "boundary_class": "internal",
            "origin_observation_id": "obs_1",
            "created_at": START,
            "updated_at": START,
        }
        _ = lasting.integrate([Claim.model_validate(task)])
        done = lasting.observe_many(["Maria is here.", "Kenji likes tea.", "Anna is there."])
        assert [(one.index, one.code) for one in done.failed] == [(1, "BOUNDARY_DENIED")]
        assert done.claims_created == 2

    def test_a_file_without_a_policy_is_mended_by_one(self, memory: Memory) -> None:
        for table in ("policies", "policy_history"):
            memory.deps.db.execute(f"truncate {table}").unwrap()
        assert memory.results.observe("Cats like sofas.").failure().code == "POLICY_MISSING"
        assert memory.apply_policy("default") == "0.0.0-default"
        assert memory.observe("Cats like sofas.").claims


class TestRedactedText:
    """What is not shown can be neither searched for nor guessed from a hash."""

    TEXT = "Reach the plumber at 090-1234-5678 any day."

    def stocked(self, memory: Memory) -> Memory:
        _ = hidden(memory, self.TEXT)
        return memory

    def test_its_hash_is_not_told(self, lasting: Memory) -> None:
        memory = self.stocked(lasting)
        item = memory.activate("plumber", boundary=WIDE).items[0]
        for claim in (item.claim, memory.claim(item.claim.id, boundary=WIDE)):
            assert claim.text == "Reach the plumber at [phone] any day."
            assert claim.content_hash is None

    def test_it_cannot_be_searched_for(self, lasting: Memory) -> None:
        memory = self.stocked(lasting)
        right, wrong = (
            memory.activate(f"{number} plumber", boundary=WIDE, include_meta=True).items[0]
            for number in ("090-1234-5678", "090-8765-4321")
        )
        assert right.scores is not None
        assert wrong.scores is not None
        assert right.scores.bm25 == wrong.scores.bm25
        assert memory.forget(query="090-1234-5678", dry_run=True, boundary=WIDE).claims == ()
        assert memory.forget(query="090-1234-5678", dry_run=True).claims == ("clm_hidden",)
        assert memory.reembed() == 0

    def test_a_replay_under_another_boundary_tells_nothing_of_who(self, memory: Memory) -> None:
        text = "The vault is green."
        first: Any = {"actor": "bob@example.com", "source_id": "mail/bob@example.com"}
        _ = memory.observe(text, idempotency_key="k", boundary=WIDE, **first)
        same = memory.observe(text, idempotency_key="k", boundary=WIDE, **first).observation
        assert same.actor == "bob@example.com"
        other = memory.observe(text, idempotency_key="k").observation
        assert "bob" not in other.model_dump_json()

    def test_an_observation_that_is_hidden_is_as_one_that_is_not(self, lasting: Memory) -> None:
        seen = lasting.observe("The vault code is new.", boundary=WIDE)
        narrow = WIDE.model_copy(update={"boundary_classes": ("public",)})
        for one in (seen.observation.id, "obs_none"):
            told = lasting.forget(observation_id=one, dry_run=True, boundary=narrow)
            assert (told.claims, told.observations) == ((), ())


def test_evidence_cannot_be_put_under_a_hidden_claim(lasting: Memory) -> None:
    target = hidden(lasting)
    false = Evidence(
        id=EvidenceId("evd_false"), claim_id=ClaimId(target), method="manual", note="not so"
    )
    refused = lasting.results.integrate(ExtractionResult(evidences=(false,))).failure()
    assert refused.message == (
        "Invalid evidences: they speak of a claim that is not in the call; give the claim with them"
    )
    assert len(lasting.evidence(target, boundary=WIDE)) == 1


def test_who_is_forgotten_is_a_digest_in_the_audit(memory_at: Open, tmp_path: Path) -> None:
    memory = memory_at("a.duckdb", boundary=WIDE.model_copy(update={"actor": "zebulon"}))
    _ = memory.observe("Cats like sofas.", actor="zebulon")
    _ = memory.activate("cats")
    assert len(memory.audit(who="zebulon")) == 2
    _ = memory.forget(actor="zebulon", boundary=None)
    assert len(memory.audit(who="zebulon")) >= 2
    told = memory.audit(tool="activate")[0].who
    assert told is not None
    assert told.startswith("hmac-sha256:")


def test_an_entity_id_that_another_has_stops_nothing(memory: Memory) -> None:
    first = {"id": "ent_1", "type": "Actor", "name": "Hana", "canonical_key": "k1"}
    other = {"id": "ent_1", "type": "Actor", "name": "Zoe", "canonical_key": "k2"}
    _ = memory.observe_many([{"content": "Hana builds it.", "entities": [first]}])
    done = memory.observe_many(
        ["The lamp is green.", {"content": "Zoe tests it.", "entities": [other]}, "It rains."]
    )
    assert (done.failed, done.claims_created) == ((), 3)
    names = memory.deps.db.query("select name from entities where type = 'Actor'").unwrap()
    assert sorted(row["name"] for row in names) == ["Hana", "Zoe"]


@pytest.mark.parametrize("version", ["02.0.0", "2.0.0+x", "2.0.00"])
def test_a_version_in_other_words_is_the_same_version(memory: Memory, version: str) -> None:
    from tests.policies import LASTING

    _ = memory.apply_policy(LASTING.replace('"1.0.1"', '"2.0.0"'))
    refused = memory.results.apply_policy(LASTING.replace('"1.0.1"', f'"{version}"')).failure()
    assert refused.code == "INVALID_POLICY"
    assert "raise the version" in refused.message


@pytest.mark.parametrize(
    "text",
    [
        '{"env":"A=1\\nsk-proj-Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA"}',
        '{"msg": "\\u96fb\\u8a71090-1234-5678\\u3067\\u3059"}',
        "call%20090-1234-5678",
        "&nbsp;090-1234-5678",
        "\\r\\n4111111111111111",
    ],
)
def test_what_tools_write_hides_nothing(memory: Memory, text: str) -> None:
    """The last letter of an escape is no letter that a number is glued to."""
    seen = memory.observe(text, source_type="tool")
    assert seen.redactions
    told = str(seen.claims) + str(memory.activate("").items)
    assert not any(part in told for part in ("sk-proj", "1234-5678", "1111111"))


@pytest.mark.parametrize(
    "query", ['"red"', "「会議」", "“red lamp”", '"red" -red', '"red lamp" -lamp']
)
def test_a_query_of_quotes_alone_finds_nothing_where_there_is_nothing(memory: Memory, query: str):
    # numpy took the empty list of who holds the phrase for numbers, and could not join them.
    assert memory.activate(query).items == ()
    _ = memory.observe("The red lamp.")
    if "-" in query:
        assert memory.activate(query).items == ()
    assert memory.results.search(query).unwrap() is not None


@pytest.mark.parametrize(
    ("actor", "parts"),
    [
        ("smithson@example.com", ["smithson", "smithson@example.com", "example"]),
        ("090-1234-5678", ["1234", "090-1234-5678"]),
    ],
)
def test_who_is_not_shown_an_actor_cannot_guess_it(memory: Memory, actor: str, parts: list[str]):
    # The name was indexed as it was given, and shown as [email].
    said = memory.observe("Turn nine about the lamp.", actor=actor).claims[0].id
    _ = memory.observe("Turn ten about the lamp.", actor="carol")
    for part in parts:
        words = memory.explain(part, said).search
        assert words is not None
        assert words.lanes[0].rank is None
        assert memory.explain(f"lamp -{part}", said).decided_by != "query"
    named = memory.explain("carol", memory.search("ten", k=1)[0].claim.id).search
    assert named is not None
    assert named.lanes[0].rank == 1

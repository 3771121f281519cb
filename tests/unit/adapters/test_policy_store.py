"""Policies in a file: put in force once, kept with all they rest on, compared and set, taken back."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from returns.result import Failure, Result, Success

from pce_memory import Memory, opening
from pce_memory.adapters.policy_store import FilePolicyStore
from pce_memory.domain.policy import Policy
from pce_memory.engine.policies import apply_policy, policy_history
from pce_memory.errors import DiskFull
from pce_memory.policy import bases
from pce_memory.policy.bases import packaged_text
from pce_memory.store import events

CLASSES = """\
boundary_classes:
  public: {allow: ["*"]}
  internal: {allow: ["answer:task"]}
  pii: {allow: []}
  secret: {allow: []}
"""
DEFAULT = "0.0.0-default"
TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


def text(version: str, more: str = "") -> str:
    return f'version: "{version}"\n{CLASSES}{more}'


def apply(memory: Memory, yaml: str, **how: Any) -> Result[Any, Any]:
    return apply_policy(yaml, "mine.yaml", **how)(memory.deps)


def history(memory: Memory) -> list[tuple[str, str]]:
    return [(one.version, one.action) for one in policy_history()(memory.deps).unwrap()]


def in_force(memory: Memory) -> Policy:
    return memory.deps.policy_store.get_current().unwrap()


class TestVersions:
    def test_the_same_again_changes_nothing(self, memory: Memory):
        assert apply(memory, text("2.0.0")) == Success("2.0.0")
        assert apply(memory, text("2.0.0"), approver="alice") == Success("2.0.0")
        assert history(memory) == [("2.0.0", "apply"), (DEFAULT, "apply")]

    def test_the_same_version_with_another_text_is_refused(self, memory: Memory):
        _ = apply(memory, text("2.0.0")).unwrap()
        refused = apply(memory, text("2.0.0", "limits: {query_bytes: 5}\n"), allow_downgrade=True)
        assert refused.failure().message == (
            "Invalid policy: version 2.0.0 was applied with another text; raise the version, "
            "such as to 2.0.1"
        )

    def test_a_lower_version_needs_the_flag(self, memory: Memory):
        _ = apply(memory, text("2.0.0")).unwrap()
        assert apply(memory, text("1.5.0")).failure().message == (
            "Invalid policy: version 1.5.0 is lower than 2.0.0, which is in force; raise it, such as "
            "to 2.0.1, or allow a downgrade"
        )
        assert apply(memory, text("1.5.0"), allow_downgrade=True) == Success("1.5.0")
        assert history(memory)[0] == ("1.5.0", "downgrade")
        assert in_force(memory).version == "1.5.0"

    def test_back_to_a_version_applied_before_and_forth_again(
        self, memory_at: Callable[..., Memory]
    ):
        with memory_at("m.duckdb") as memory:
            _ = apply(memory, text("2.0.0"), approver="alice").unwrap()
            _ = apply(memory, text("3.0.0"), approver="健二").unwrap()
            _ = apply(memory, text("2.0.0"), allow_downgrade=True, approver="bob").unwrap()
            assert in_force(memory).version == "2.0.0"
        with memory_at("m.duckdb") as memory:
            assert in_force(memory).version == "2.0.0"
            _ = apply(memory, text("3.0.0")).unwrap()
            rows = policy_history()(memory.deps).unwrap()
        assert [(one.seq, one.version, one.action, one.approver) for one in rows] == [
            (5, "3.0.0", "apply", None),
            (4, "2.0.0", "downgrade", "bob"),
            (3, "3.0.0", "apply", "健二"),
            (2, "2.0.0", "apply", "alice"),
            (1, DEFAULT, "apply", None),
        ]
        assert rows[1].sha256 == rows[3].sha256
        assert len({one.sha256 for one in rows}) == 3

    def test_a_version_applied_before_is_asked_for_by_its_name(self, memory: Memory):
        _ = apply(memory, text("2.0.0")).unwrap()
        _ = apply(memory, text("1.5.0"), allow_downgrade=True).unwrap()
        assert (
            memory.deps.policy_store.get_version(in_force(memory).version).unwrap().version
            == "1.5.0"
        )


class TestTheDefault:
    """The packaged default has a version of its own, below every one that a person writes."""

    @pytest.mark.parametrize("version", ["0.0.0", "0.0.1", "0.1.0", "1.0.0", "1.0.0-alpha"])
    def test_any_version_is_put_over_it(self, memory: Memory, version: str):
        assert apply(memory, text(version)) == Success(version)
        assert history(memory) == [(version, "apply"), (DEFAULT, "apply")]

    def test_a_memory_that_has_it_as_1_0_0_opens_as_before(self, memory_at: Callable[..., Memory]):
        with memory_at("old.duckdb") as memory:
            as_before(memory)
        with memory_at("old.duckdb") as memory:
            assert in_force(memory).version == "1.0.0"
            assert history(memory) == [("1.0.0", "apply")]

    def test_it_is_put_over_itself_as_it_was_called_before(self, memory_at: Callable[..., Memory]):
        with memory_at("old.duckdb") as memory:
            as_before(memory)
        with memory_at("old.duckdb", policy="default") as memory:
            assert history(memory) == [(DEFAULT, "apply"), ("1.0.0", "apply")]
            assert apply(memory, text("1.0.0")).failure().message == (
                "Invalid policy: version 1.0.0 was applied with another text; raise the version, "
                "such as to 1.0.1"
            )
            assert apply(memory, text("1.0.1")) == Success("1.0.1")

    @pytest.mark.parametrize("policy", [text("1.0.0"), text("3.0.0")])
    def test_it_is_a_downgrade_over_anything_else(self, memory: Memory, policy: str):
        _ = apply(memory, policy).unwrap()
        again = apply(memory, packaged_text("default"))
        assert again.failure().code == "INVALID_POLICY"
        assert apply(memory, packaged_text("default"), allow_downgrade=True) == Success(DEFAULT)


def as_before(memory: Memory) -> None:
    """Make the file one that was made while the packaged default was version 1.0.0."""
    yaml = (Path(__file__).parents[2] / "golden" / "default-1.0.0.yaml").read_text("utf-8")
    row = {"yaml": yaml, "sha": hashlib.sha256(yaml.encode()).hexdigest()}
    for statement in (
        "update policies set version = '1.0.0', yaml = $yaml, sha256 = $sha",
        "update policy_history set version = '1.0.0', sha256 = $sha",
    ):
        named = {name: value for name, value in row.items() if f"${name}" in statement}
        memory.deps.db.execute(statement, named).unwrap()


class TestCompareAndSet:
    def test_only_over_the_version_that_is_expected(self, memory: Memory):
        assert apply(memory, text("2.0.0"), expected_version=DEFAULT) == Success("2.0.0")
        error = apply(memory, text("3.0.0"), expected_version=DEFAULT).failure()
        assert (error.code, error.message) == (
            "POLICY_CONFLICT",
            f"Policy version {DEFAULT} was expected in force, but it is version 2.0.0",
        )
        assert in_force(memory).version == "2.0.0"

    def test_a_conflict_is_told_also_of_the_policy_in_force(self, memory: Memory):
        _ = apply(memory, text("2.0.0")).unwrap()
        assert (
            apply(memory, text("2.0.0"), expected_version=DEFAULT).failure().code
            == "POLICY_CONFLICT"
        )

    @pytest.mark.parametrize(
        ("how", "code", "message"),
        [
            ({"expected_version": "1.0"}, "INVALID_POLICY_VERSION", "Invalid policy version: 1.0. Must be valid SemVer"),
            ({"expected_version": 1}, "INVALID_PARAMETER", "Invalid expected_version: Input should be a valid string"),
            ({"approver": ""}, "INVALID_PARAMETER", "Invalid approver: String should have at least 1 character"),
            ({"approver": "a" * 257}, "INVALID_PARAMETER", "Invalid approver: String should have at most 256 characters"),
            ({"approver": "a\0"}, "INVALID_PARAMETER", "Invalid approver: it has a NUL or a lone surrogate; take it out"),
            ({"approver": TOKEN}, "INVALID_PARAMETER", "Invalid approver: it holds a secret, which is never stored; take it out"),
            ({"force": True}, "INVALID_PARAMETER", "Invalid argument: there is none of that name; the names are validate_only, expected_version, approver, allow_downgrade, bases"),
        ],
    )  # fmt: skip
    def test_what_is_asked_wrongly(self, memory: Memory, how, code, message):
        error = apply(memory, text("2.0.0"), **how).failure()
        assert (error.code, error.message) == (code, message)
        assert TOKEN not in repr(error)
        assert in_force(memory).version == DEFAULT

    def test_of_two_at_once_exactly_one_wins(self, memory: Memory):
        for round_ in range(20):
            now = in_force(memory).version
            barrier, outcomes = Barrier(2), list[Result[Any, Any]]()

            def race(
                yaml: str, now: str = now, barrier: Barrier = barrier, told: list[Any] = outcomes
            ):
                _ = barrier.wait()
                told.append(apply(memory, yaml, expected_version=now))

            threads = [
                Thread(target=race, args=(text(f"{round_ + 2}.{minor}.0"),)) for minor in (0, 1)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            won = [one for one in outcomes if isinstance(one, Success)]
            lost = [one.failure().code for one in outcomes if isinstance(one, Failure)]
            assert (len(won), lost) == (1, ["POLICY_CONFLICT"])
        assert len(history(memory)) == 21

    def test_validate_only_writes_nothing(self, memory: Memory):
        before = events.newest(limit=100)(memory.deps).unwrap()
        assert apply(memory, text("2.0.0"), validate_only=True) == Success("2.0.0")
        assert (
            apply(memory, text("0.0.0-a"), validate_only=True).failure().code == "INVALID_POLICY"
        )
        conflict = apply(memory, text("2.0.0"), validate_only=True, expected_version="9.0.0")
        assert conflict.failure().code == "POLICY_CONFLICT"
        assert history(memory) == [(DEFAULT, "apply")]
        assert events.newest(limit=100)(memory.deps).unwrap() == before

    def test_validate_only_works_where_nothing_may_be_written(
        self, memory_at: Callable[..., Memory]
    ):
        memory_at("m.duckdb").close()
        with memory_at("m.duckdb", read_only=True) as memory:
            assert apply(memory, text("2.0.0"), validate_only=True) == Success("2.0.0")
            assert apply(memory, text("2.0.0")).failure().code == "READ_ONLY"


CHILD = 'version: "2.0.0"\nextends: ./base.yaml\nscopes: {session: {ttl: 1d}}\n'


class TestBases:
    def test_a_policy_is_kept_with_what_it_rests_on(self, memory_at: Callable[..., Memory]):
        with memory_at("m.duckdb") as memory:
            _ = apply(
                memory, CHILD, bases={"base.yaml": text("1.0.0"), "other.yaml": "x"}
            ).unwrap()
            before = in_force(memory)
            [row] = memory.deps.db.query(
                "select bases from policies order by seq desc limit 1"
            ).unwrap()
        with memory_at("m.duckdb") as memory:
            assert in_force(memory) == before
        assert before.scopes.session.ttl == "1d"
        assert before.boundary_classes.internal.allow == ("answer:task",)
        assert "other.yaml" not in row["bases"]

    def test_a_later_release_of_a_packaged_one_changes_nothing_in_force(
        self, memory_at: Callable[..., Memory], monkeypatch: pytest.MonkeyPatch
    ):
        child = 'version: "2.0.0"\nextends: default\n'
        with memory_at("m.duckdb") as memory:
            _ = apply(memory, child).unwrap()
        monkeypatch.setattr(bases, "packaged_text", lambda _name: text("7.0.0"))
        with memory_at("m.duckdb") as memory:
            assert in_force(memory).boundary_classes.internal.allow == ("answer:task", "tool:*")
            assert apply(memory, child).failure().message == (
                "Invalid policy: version 2.0.0 was applied with another text or over another base; "
                "raise the version, such as to 2.0.1"
            )
            _ = apply(memory, child.replace("2.0.0", "2.1.0")).unwrap()
            assert in_force(memory).boundary_classes.internal.allow == ("answer:task",)

    def test_the_same_text_over_a_changed_base_is_another_policy(self, memory: Memory):
        _ = apply(memory, CHILD, bases={"base.yaml": text("1.0.0")}).unwrap()
        assert apply(memory, CHILD, bases={"base.yaml": text("1.0.0")}) == Success("2.0.0")
        changed = apply(memory, CHILD, bases={"base.yaml": text("1.0.0", "# a word\n")})
        assert "over another base" in changed.failure().message

    def test_a_base_is_not_looked_for_among_files(self, memory: Memory, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        _ = (tmp_path / "base.yaml").write_text(text("1.0.0"))
        error = apply(memory, CHILD).failure()
        assert error.validation_errors[0].startswith(
            "mine.yaml:2:10: extends: a file is found only where the policy itself is read from a file"
        )

    def test_the_version_of_the_base_is_taken_where_the_base_is_in_force(self, memory: Memory):
        error = apply(memory, f'version: "{DEFAULT}"\nextends: default\n').failure()
        assert error.message == (
            f"Invalid policy: version {DEFAULT} was applied with another text or over another "
            "base; raise the version, such as to 0.0.0"
        )

    def test_no_secret_is_kept_in_a_base(self, memory: Memory):
        base = text("1.0.0", f"# {TOKEN}\n")
        error = apply(memory, CHILD, bases={"base.yaml": base}).failure()
        assert error.validation_errors == (
            "base.yaml:7:1: (document): this line holds a secret, which is never stored; take it out",
        )
        assert history(memory) == [(DEFAULT, "apply")]

    def test_a_stored_base_that_is_gone_fails_closed(self, memory: Memory):
        _ = apply(memory, CHILD, bases={"base.yaml": text("1.0.0")}).unwrap()
        memory.deps.db.execute("update policies set bases = null").unwrap()
        fresh = FilePolicyStore(memory.deps.db, memory.deps.clock)
        assert fresh.get_current().failure().code == "POLICY_MISSING"


class TestFiles:
    def test_a_memory_is_opened_with_a_file_and_those_beside_it(self, memory_at, tmp_path):
        folder = tmp_path / "方針"
        folder.mkdir()
        _ = (folder / "base.yaml").write_text(text("1.0.0"), "utf-8")
        _ = (folder / "mine.yaml").write_text(CHILD, "utf-8")
        with memory_at("m.duckdb", policy=str(folder / "mine.yaml")) as memory:
            assert in_force(memory).scopes.session.ttl == "1d"
            [row] = memory.deps.db.query("select bases from policies").unwrap()
            assert str(tmp_path) not in row["bases"]
        (folder / "base.yaml").unlink()
        with memory_at("m.duckdb") as memory:
            assert in_force(memory).scopes.session.ttl == "1d"

    def test_a_base_that_changes_between_two_reads_is_read_once(self, tmp_path):
        _ = (tmp_path / "base.yaml").write_text(text("1.0.0"), "utf-8")
        _ = (tmp_path / "mine.yaml").write_text(CHILD, "utf-8")
        checked = opening.options_of(
            str(tmp_path / "m.duckdb"),
            {
                "policy": tmp_path / "mine.yaml",
                "embedder": "hashing",
                "clock": lambda: 1.0,
                "ids": lambda p: p + "1",
            },
        ).unwrap()
        _ = (tmp_path / "base.yaml").write_text("not: [a policy", "utf-8")
        opened = opening.open_memory(checked).unwrap()
        assert opened.deps.policy_store.get_current().unwrap().scopes.session.ttl == "1d"
        opened.db.close()


def test_an_event_tells_hashes_and_no_text(memory: Memory):
    _ = apply(memory, text("2.0.0", "meta: {owner: Maria}\n"), approver="健二").unwrap()
    [event] = events.newest(topic="policy")(memory.deps).unwrap()
    [newest, _] = policy_history()(memory.deps).unwrap()
    assert {key: event.payload[key] for key in ("sha256", "action", "policy_version", "seq")} == {
        "sha256": newest.sha256,
        "action": "apply",
        "policy_version": "2.0.0",
        "seq": 2,
    }
    assert "Maria" not in str(event)
    assert "健二" not in str(event)


def test_a_fault_after_the_policy_takes_it_back(memory: Memory, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(events, "record", lambda *_, **__: lambda _deps: Failure(DiskFull("x")))
    assert apply(memory, text("2.0.0")).failure().code == "DISK_FULL"
    monkeypatch.undo()
    assert history(memory) == [(DEFAULT, "apply")]
    assert in_force(memory).version == DEFAULT

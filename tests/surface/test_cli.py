"""The command line: what it prints where, its exit codes, and that no error is a traceback."""

import io
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, get_args

import pytest
from typer.testing import CliRunner, Result

from pce_memory import Boundary, Memory, __version__, errors
from pce_memory.__main__ import main
from pce_memory.surface.cli import app
from pce_memory.surface.exit_codes import exit_code
from pce_memory.surface.progress import progress

ROOT: Final = Path(__file__).parents[2]
KEY: Final = "sk-proj-" + "FAKEtest0000" * 3

COMMAND: Final = [sys.executable, "-m", "pce_memory"]
HASHING: Final = ["--embedder", "hashing"]

ERRORS: Final[dict[int, list[errors.CoreError]]] = {
    1: [
        errors.DatabaseFailed("open"),
        errors.SearchFailed("q", "why"),
        errors.EmbeddingFailed("t", "p"),
        errors.ClockFailed("nan"),
        errors.DuplicateClaim("sha256:0", "clm_1"),
        errors.BackendFailed("mine", "why"),
        errors.JudgeFailed("mine", "why"),
        errors.PortFailed("invariant_evaluator", "why"),
    ],
    2: [
        errors.InvalidParameter("top_k", "why"),
        errors.InvalidId("ClaimId", "x"),
        errors.InvalidScope("x", ("session",)),
        errors.InvalidBoundary("why"),
        errors.InvalidPolicy(("p.yaml:1:1: version: missing",)),
        errors.InvalidPolicyVersion("1"),
    ],
    3: [
        errors.BoundaryDenied(Boundary(scope=(), allow=(), boundary_classes=()), "why"),
        errors.PolicyMissing(),
        errors.PolicyConflict("1.0.0", "2.0.0"),
    ],
    4: [
        errors.UnknownClaim("clm_1"),
        errors.UnknownDocument("doc_1"),
        errors.RunNotFound("lane-1"),
    ],
    5: [
        errors.FileLocked("a.duckdb", 1),
        errors.MemoryClosed("query"),
        errors.ForkedMemory(1),
        errors.PathUnusable("a", "why"),
        errors.NotADatabase("a"),
        errors.FileDamaged("a"),
        errors.SchemaDrift(1, "why"),
        errors.EmbedderMismatch("a", "b"),
        errors.TokenizerMismatch("a", "b"),
    ],
    6: [errors.DiskFull("write"), errors.ReadOnly("write")],
}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run a command in the test's folder, with the hashing embedder where there is one."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str, **how: Any) -> Result:
        hashing = HASHING if arguments[0] in ("ingest", "activate", "demo") else []
        return CliRunner().invoke(app, [*arguments, *hashing], **how)

    return command


@pytest.fixture
def filled(run: Callable[..., Result], tmp_path: Path) -> Path:
    """A memory with three facts."""
    (tmp_path / "tea.txt").write_text(
        "Alice prefers dark mode.\nThe launch is on Friday.\n茶は熱いうちに飲む方が好きです。\n",
        "utf-8",
    )
    assert run("ingest", "tea.txt", "--db", "agent.duckdb").exit_code == 0
    return tmp_path / "agent.duckdb"


def test_every_error_has_its_exit_code():
    told = {type(error): code for code, some in ERRORS.items() for error in some}
    assert {type(e): exit_code(e) for some in ERRORS.values() for e in some} == told
    assert set(told) == set(get_args(errors.CoreError))


def test_the_version(run: Callable[..., Result]):
    assert run("--version").output == f"pce-memory {__version__}\n"


def test_help_names_the_commands(run: Callable[..., Result]):
    shown = run("--help").output
    assert all(name in shown for name in ("ingest", "activate", "demo"))


class TestIngest:
    def test_says_what_became_of_it(self, run: Callable[..., Result], tmp_path: Path):
        turns = [
            {"role": "user", "content": f"The key is {KEY} for now.", "timestamp": 1_772_442_000},
            {"role": "user", "content": "Write to someone@example.org about the tea."},
            {"role": "assistant", "content": None},
            {"role": "user", "content": "The launch is on Friday."},
            {"role": "user", "content": "The launch is on Friday."},
        ]
        (tmp_path / "chat.jsonl").write_text("\n".join(map(json.dumps, turns)))
        done = run("ingest", "chat.jsonl", "--db", "agent.duckdb")
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout.splitlines() == [
            "agent.duckdb: 1 file read",
            "observations  4 new, 0 known, 1 without text",
            "claims        3 new, 1 merged into one that was there",
            "redacted      email 1, secret 1",
            "refused       nothing",
        ]
        again = run("ingest", "chat.jsonl", "--db", "agent.duckdb")
        assert "observations  0 new, 4 known, 1 without text" in again.stdout

    def test_says_what_was_refused_and_why(self, run: Callable[..., Result], tmp_path: Path):
        policy = (ROOT / "policies" / "default.yaml").read_text("utf-8")
        rule = '{name: short, applies_to: ["*"], rule: claim.text_length < 40}'
        (tmp_path / "short.yaml").write_text(
            policy.replace("invariants: []", f"invariants: [{rule}]"), "utf-8"
        )
        (tmp_path / "a.txt").write_text(
            "A short one is kept.\nA long one is refused, " + "so " * 9 + "so."
        )
        done = run("ingest", "a.txt", "--policy", "short.yaml")
        assert done.exit_code == 0
        assert "refused       1 piece\n              1 x I(B) violation: short" in done.stdout

    def test_bad_lines_and_files_are_named_and_stop_nothing(
        self, run: Callable[..., Result], tmp_path: Path
    ):
        (tmp_path / "chat.jsonl").write_bytes(
            b'{"content": "The first is kept."}\n{oops\n{"content": "\xff"}\n'
            b'{"content": "A lone \\ud800 one."}\n{"content": "The last is kept."}\n'
        )
        done = run("ingest", "chat.jsonl", "missing.txt", "--db", "agent.duckdb")
        assert done.exit_code == 2
        assert "observations  2 new" in done.stdout
        told = [line.partition(": ")[0::2] for line in done.stderr.splitlines()]
        assert [head for head, _ in told[:-1]] == ["error [INVALID_PARAMETER]"] * 4
        assert [rest.partition(": ")[0] for _, rest in told[:-1]] == [
            "Invalid chat.jsonl:2",
            "Invalid chat.jsonl:3",
            "Invalid chat.jsonl:4",
            "Invalid missing.txt",
        ]
        assert told[-1][0].startswith("  Everything else was kept.")

    def test_a_turn_the_policy_denies_is_named(self, run: Callable[..., Result], tmp_path: Path):
        policy = (ROOT / "policies" / "default.yaml").read_text("utf-8")
        (tmp_path / "deny.yaml").write_text(policy.replace("on_secret: redact", "on_secret: deny"))
        turns = [{"text": f"The key is {KEY} for now."}, {"text": "The tea is hot."}]
        (tmp_path / "chat.jsonl").write_text("\n".join(map(json.dumps, turns)))
        done = run("ingest", "chat.jsonl", "--policy", "deny.yaml")
        assert done.exit_code == 3
        assert "observations  1 new" in done.stdout
        assert done.stderr.startswith("error [BOUNDARY_DENIED]: Boundary denied: chat.jsonl:1: ")
        assert KEY not in done.output

    def test_many_faults_are_counted(self, run: Callable[..., Result], tmp_path: Path):
        (tmp_path / "chat.jsonl").write_text("{oops\n" * 30)
        done = run("ingest", "chat.jsonl")
        assert len(done.stderr.splitlines()) == 22
        assert "and 10 more\n" in done.stderr

    def test_the_standard_input_is_told_apart(self, run: Callable[..., Result]):
        text = run("ingest", "-", "--db", "a.duckdb", input="Just some words.\nAnd more.\n")
        chat = run("ingest", "-", "--db", "b.duckdb", input='{"text": "One."}\n{"text": "Two."}\n')
        assert "observations  1 new" in text.stdout
        assert "observations  2 new" in chat.stdout

    def test_nothing_to_read_makes_no_memory(self, run: Callable[..., Result], tmp_path: Path):
        done = run("ingest", "missing.txt", "--db", "agent.duckdb")
        assert done.exit_code == 2
        assert done.stderr.startswith("error [INVALID_PARAMETER]: Invalid FILE: there is no file")
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize(
        ("options", "code", "begins"),
        [
            (
                ["--source-type", "chatt"],
                2,
                "error [INVALID_PARAMETER]: Invalid --source-type: chatt",
            ),
            (["--policy", "nobody"], 2, "error [INVALID_PARAMETER]: Invalid policy: no such file"),
            (
                ["--policy", "bad.yaml"],
                2,
                "error [INVALID_POLICY]: the policy cannot be used\nbad.yaml:",
            ),
            (["--db", "no/such/folder.duckdb"], 5, "error [PATH_UNUSABLE]: no/such/folder.duckdb"),
            (["--db", "."], 5, "error [PATH_UNUSABLE]: ."),
            (["--db", ":memory:"], 2, "error [INVALID_PARAMETER]: Invalid --db: a memory in RAM"),
            (["--db", "bad.yaml"], 5, "error [NOT_A_DATABASE]:"),
        ],
    )
    def test_bad_options(
        self,
        run: Callable[..., Result],
        tmp_path: Path,
        options: list[str],
        code: int,
        begins: str,
    ):
        (tmp_path / "a.txt").write_text("Some words.")
        (tmp_path / "bad.yaml").write_text('version: "1.0.0"\nscopess: {}\n')
        done = run("ingest", "a.txt", *options)
        assert (done.exit_code, done.stdout) == (code, "")
        assert done.stderr.startswith(begins)


@pytest.mark.usefixtures("filled")
class TestActivate:
    def test_shows_the_items_under_each_other(self, run: Callable[..., Result]):
        done = run("activate", "dark mode")
        assert (done.exit_code, done.stderr) == (0, "")
        head, first, *_ = done.stdout.splitlines()
        assert head == "rank  score  kind        scope    claim"
        assert re.fullmatch(
            r" {3}1  0\.\d{3}  preference  project  Alice prefers dark mode\.", first
        )
        assert "policy 0.0.0-default" in done.stdout
        assert "\x1b" not in done.stdout

    def test_shows_every_number(self, run: Callable[..., Result]):
        shown = run("activate", "dark mode", "--meta", "--top-k", "1").stdout
        assert "1. Alice prefers dark mode." in shown
        assert "S " in shown
        assert "tea.txt" in shown
        assert "FTS=rank:1;" in shown

    def test_prints_json(self, run: Callable[..., Result]):
        shown = run("activate", "熱い茶", "--json", "--top-k", "1").stdout
        found = json.loads(shown)
        assert found["items"][0]["claim"]["text"] == "茶は熱いうちに飲む方が好きです。"
        assert found["items"][0]["scores"] is None
        assert found["active_context"]["policy_version"] == "0.0.0-default"

    def test_says_that_nothing_was_found(self, run: Callable[..., Result]):
        done = run("activate", "anything", "--scope", "session")
        assert done.exit_code == 0
        assert done.stdout.startswith("Nothing in this memory bears on the query.")

    def test_an_empty_query_is_no_error(self, run: Callable[..., Result]):
        assert "Alice prefers dark mode." in run("activate", "").stdout

    @pytest.mark.parametrize(
        ("options", "code", "begins"),
        [
            (["x", "--top-k", "0"], 2, "error [INVALID_PARAMETER]: Invalid top_k:"),
            (
                ["x" * 100_000],
                2,
                "error [INVALID_PARAMETER]: Invalid query: it is 100000 bytes long",
            ),
            (
                ["x", "--scope", "projekt"],
                2,
                "error [INVALID_PARAMETER]: Invalid --scope: projekt",
            ),
            (["x", "--allow", "tool:none"], 3, "error [BOUNDARY_DENIED]:"),
            (["x", "--db", "missing.duckdb"], 5, "error [PATH_UNUSABLE]: missing.duckdb"),
        ],
    )
    def test_bad_options(
        self, run: Callable[..., Result], filled: Path, options: list[str], code: int, begins: str
    ):
        done = run("activate", *options)
        assert (done.exit_code, done.stdout) == (code, "")
        first, remedy = done.stderr.splitlines()
        assert first.startswith(begins)
        assert remedy.startswith("  ")
        assert not (filled.parent / "missing.duckdb").exists()

    def test_another_embedder_is_told(self, filled: Path):
        done = CliRunner().invoke(app, ["activate", "x", "--db", str(filled)])
        assert done.exit_code == 5
        assert done.stderr.startswith("error [EMBEDDER_MISMATCH]:")

    def test_a_locked_memory_names_its_holder(self, run: Callable[..., Result], filled: Path):
        with Memory.open(filled, embedder="hashing"):
            done = run("activate", "dark mode")
            other = subprocess.run(
                [*COMMAND, "activate", "x", "--db", str(filled)],
                capture_output=True,
                text=True,
                check=False,
                cwd=ROOT,
            )
        for code, told, holder in (
            (done.exit_code, done.stderr, "open in this process"),
            (other.returncode, other.stderr, f"process {os.getpid()}"),
        ):
            assert code == 5
            assert told.startswith("error [FILE_LOCKED]:")
            assert holder in told

    def test_what_steers_a_terminal_is_shown_not_sent(
        self, run: Callable[..., Result], tmp_path: Path
    ):
        (tmp_path / "a.txt").write_text("Red \x1b[31m alert \u202e here.", "utf-8")
        assert run("ingest", "a.txt").exit_code == 0
        shown = run("activate", "alert").stdout
        assert "Red \\x1b[31m alert \\u202e here." in shown


class TestInterrupted:
    def test_ctrl_c_is_told(
        self, run: Callable[..., Result], filled: Path, monkeypatch: pytest.MonkeyPatch
    ):
        def interrupted(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(Memory, "activate", interrupted)
        done = run("activate", "x", "--db", str(filled))
        assert (done.exit_code, done.stdout) == (130, "")
        assert done.stderr == "interrupted; what was finished is kept\n"

    def test_ctrl_c_while_the_command_is_loaded(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ):
        def interrupted() -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr("pce_memory.surface.cli.main", interrupted)
        with pytest.raises(SystemExit) as ended:
            main()
        assert (ended.value.code, capsys.readouterr().err) == (130, "interrupted\n")

    def test_a_fault_of_the_program_is_not_hidden(
        self, run: Callable[..., Result], filled: Path, monkeypatch: pytest.MonkeyPatch
    ):
        def broken(*_: object, **__: object) -> None:
            raise RuntimeError("a mistake of ours")

        monkeypatch.setattr(Memory, "activate", broken)
        assert str(run("activate", "x", "--db", str(filled)).exception) == "a mistake of ours"


def test_the_entry_point(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr("sys.argv", ["pce-memory", "--version"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert (ended.value.code, capsys.readouterr().out) == (0, f"pce-memory {__version__}\n")


def test_a_bar_is_drawn_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch):
    for is_terminal, drawn in ((True, True), (False, False)):
        stream = Stream(is_terminal)
        monkeypatch.setattr("sys.stderr", stream)
        with progress("chat [1].jsonl", 3) as advance:
            advance(2)
        assert ("chat [1].jsonl" in stream.getvalue()) is drawn


class Stream(io.StringIO):
    """What is written, on a terminal or not."""

    def __init__(self, is_terminal: bool) -> None:
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


class TestAsAProcess:
    def test_a_reader_that_stops_early_is_no_traceback(self, filled: Path):
        command = f"{sys.executable} -m pce_memory activate '' --db {filled} --embedder hashing"
        done = subprocess.run(
            ["bash", "-c", f"{command} | true"],
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
        )
        assert done.stderr == ""

    def test_ascii_output_is_valid_json(self, filled: Path):
        done = subprocess.run(
            [*COMMAND, "activate", "熱い茶", "--json", "--db", str(filled), *HASHING],
            capture_output=True,
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        )
        assert "茶" in json.loads(done.stdout.decode("ascii"))["items"][0]["claim"]["text"]

    @pytest.mark.skipif(shutil.which("bash") is None, reason="needs a POSIX terminal")
    def test_a_terminal_gets_a_bar_and_colour(self, filled: Path, tmp_path: Path):
        (tmp_path / "chat.jsonl").write_text('{"text": "A turn is here."}\n' * 3)
        ingest = ["ingest", str(tmp_path / "chat.jsonl"), "--db", str(filled)]
        assert "chat.jsonl" in on_a_terminal(ingest)
        assert "\x1b[2m" in on_a_terminal(["activate", "dark mode", "--db", str(filled)])

    def test_ctrl_c_ends_with_130_and_a_sound_memory(self, tmp_path: Path):
        turns = (
            json.dumps({"text": f"Fact number {n} holds for the year {n}."}) for n in range(20_000)
        )
        (tmp_path / "chat.jsonl").write_text("\n".join(turns))
        db = tmp_path / "agent.duckdb"
        process = subprocess.Popen(
            [*COMMAND, "ingest", str(tmp_path / "chat.jsonl"), "--db", str(db), *HASHING],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        # What is written stands in the log or in the file: some of it is there, and more is to come.
        wait_for(lambda: sum(map(size_of, (db, Path(f"{db}.wal")))) > 2_000_000)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=20)
        assert (process.returncode, told) == (130, "interrupted; what was finished is kept\n")
        assert not Path(f"{db}.wal").exists()
        with Memory.open(db, embedder="hashing", read_only=True) as memory:
            assert memory.policy().version == "0.0.0-default"


def on_a_terminal(arguments: list[str]) -> str:
    """Return what a command writes to a terminal."""
    ours, theirs = pty.openpty()
    heard: list[bytes] = []

    def listen() -> None:
        try:
            while chunk := os.read(ours, 4096):
                heard.append(chunk)
        except OSError:  # the other end is closed
            return

    listener = threading.Thread(target=listen)
    listener.start()
    subprocess.run(
        [*COMMAND, *arguments, *HASHING],
        stdout=theirs,
        stderr=theirs,
        check=True,
        cwd=ROOT,
        env={**os.environ, "TERM": "xterm", "NO_COLOR": ""},
    )
    os.close(theirs)
    listener.join()
    os.close(ours)
    return b"".join(heard).decode()


def size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def wait_for(happened: Callable[[], bool]) -> None:
    for _ in range(200):
        if happened():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen in ten seconds")


def test_a_query_may_begin_with_a_hyphen(run: Callable[..., Result], tmp_path: Path) -> None:
    notes = tmp_path / "lamps.txt"
    notes.write_text("The kitchen lamp is red.\n\nThe office lamp is green.\n")
    assert run("ingest", str(notes)).exit_code == 0
    for query in ("-kitchen lamp", "lamp -kitchen"):
        found = run("activate", query)
        assert found.exit_code == 0, found.output
        assert "office" in found.output
        assert "kitchen lamp" not in found.output
    assert run("activate", "lamp", "--topk", "1").exit_code == 2

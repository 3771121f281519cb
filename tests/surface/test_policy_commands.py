"""`policy show` and `policy diff`: what they print where, their exit codes, and terminals."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner, Result

from pce_memory import Memory, parse_policy
from pce_memory.adapters.embedders import from_callable
from pce_memory.domain.policy import Policy
from pce_memory.engine.policies import apply_policy
from pce_memory.policy.strictness import LISTS, RULES
from pce_memory.surface.cli import app

ROOT = Path(__file__).parents[2]
CLASSES = """\
boundary_classes:
  public: {allow: ["*"]}
  internal: {allow: ["answer:task"]}
  pii: {allow: []}
  secret: {allow: []}
"""
TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(app, ["policy", *map(str, args)])


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    def written(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        _ = path.write_text(text, "utf-8")
        return path

    return written


class TestShow:
    @pytest.mark.parametrize("name", ["default", "dev", "team", "org"])
    def test_a_packaged_policy_reads_again_as_an_equal_one(self, name):
        shown = run("show", name)
        assert (shown.exit_code, shown.stderr) == (0, "")
        text = (ROOT / "policies" / f"{name}.yaml").read_text("utf-8")
        assert parse_policy(shown.stdout).unwrap() == parse_policy(text).unwrap()

    def test_without_a_name_it_is_the_default(self):
        assert run("show").stdout == run("show", "default").stdout

    def test_a_file_and_those_it_extends(self, write):
        _ = write("lower/base.yaml", f'version: "1.0.0"\n{CLASSES}')
        mine = write(
            "方針.yaml",
            'version: "2.0.0"\nextends: lower/base.yaml\nscopes: {session: {ttl: 1d}}\n',
        )
        shown = run("show", mine)
        lines = {" ".join(line.split()) for line in shown.stdout.splitlines()}
        assert {
            f"ttl: 1d # {mine}:3",
            f'- "answer:task" # {mine.parent}/lower/base.yaml:4',
            "alpha: 0.65 # default",
            f"extends: null # {mine}:2 extends lower/base.yaml",
        } <= lines
        assert "#" not in run("show", mine, "--no-origin").stdout
        told = json.loads(run("show", mine, "--format", "json").stdout)
        assert told["policy"]["scopes"]["session"]["ttl"] == "1d"
        assert told["origin"]["scopes.session.ttl"] == f"{mine}:3"

    def test_of_a_memory_the_policy_in_force(self, memory_at, tmp_path):
        with memory_at("m.duckdb") as memory:
            child = 'version: "2.0.0"\nextends: ./b.yaml\nscopes: {session: {ttl: 1d}}\n'
            base = f'version: "1.0.0"\n{CLASSES}'
            _ = apply_policy(child, bases={"b.yaml": base})(memory.deps).unwrap()
        before = (tmp_path / "m.duckdb").read_bytes()
        shown = run("show", "--db", tmp_path / "m.duckdb")
        assert (shown.exit_code, shown.stderr) == (0, "")
        lines = {" ".join(line.split()) for line in shown.stdout.splitlines()}
        assert {'version: "2.0.0" # policy 2.0.0:1', '- "answer:task" # b.yaml:4'} <= lines
        assert (tmp_path / "m.duckdb").read_bytes() == before

    def test_whatever_embedder_the_memory_was_made_with(self, tmp_path):
        embedder = from_callable(
            lambda texts: [[1.0] for _ in texts], model_id="m", version="1", dimension=1
        )
        Memory.open(tmp_path / "m.duckdb", embedder=embedder).close()
        assert run("show", "--db", tmp_path / "m.duckdb").exit_code == 0

    def test_of_a_memory_that_is_not_there_nothing_is_made(self, tmp_path):
        shown = run("show", "--db", tmp_path / "none.duckdb")
        assert (shown.exit_code, shown.stdout) == (5, "")
        assert list(tmp_path.iterdir()) == []

    def test_of_what_is_no_memory(self, tmp_path):
        _ = (tmp_path / "m.duckdb").write_text("no database")
        assert run("show", "--db", tmp_path / "m.duckdb").exit_code == 5

    def test_of_a_memory_in_use(self, memory_at, tmp_path):
        with memory_at("m.duckdb"):
            command = [
                sys.executable,
                "-m",
                "pce_memory",
                "policy",
                "show",
                "--db",
                str(tmp_path / "m.duckdb"),
            ]
            shown = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        assert shown.returncode == 5
        assert "FILE_LOCKED" in shown.stderr

    def test_one_policy_at_a_time(self, tmp_path):
        shown = run("show", "default", "--db", tmp_path / "m.duckdb")
        assert shown.exit_code == 2
        assert "not both" in shown.stderr

    def test_faults_are_told_with_their_places(self, write):
        _ = write("base.yaml", f'version: "1.0.0"\n{CLASSES}scopes: {{sesion: {{}}}}\n')
        mine = write("mine.yaml", 'version: "2.0.0"\nextends: base.yaml\n')
        shown = run("show", mine)
        assert (shown.exit_code, shown.stdout) == (2, "")
        assert (
            f"{mine.parent}/base.yaml:7:10: scopes.sesion: unknown key; did you mean 'session'?"
            in shown.stderr
        )

    def test_the_standard_input(self):
        text = 'version: "2.0.0"\nextends: default\nmeta: {owner: 健二}\n'
        shown = CliRunner().invoke(app, ["policy", "show", "-"], input=text)
        assert '"健二"' in shown.stdout
        assert "# <stdin>:3" in shown.stdout
        told = CliRunner().invoke(app, ["policy", "diff", "default", "-"], input=text)
        assert "meta: owner none → 健二" in told.stdout
        for wrong, why in (
            ("#" + "あ" * (1 << 17), "at most 128 KiB"),
            (b"\xff", "UTF-8"),
            ("", "empty"),
        ):
            refused = CliRunner().invoke(app, ["policy", "show", "-"], input=wrong)
            assert refused.exit_code == 2
            assert why in refused.stderr

    def test_no_secret_is_shown(self, write):
        mine = write("mine.yaml", f'version: "1.0.0"\nmeta: {{owner: {TOKEN}}}\n{CLASSES}')
        for style in ("yaml", "json"):
            shown = run("show", mine, "--format", style)
            assert "[secret]" in shown.stdout
            assert TOKEN not in shown.stdout + shown.stderr


class TestDiff:
    def test_equal_policies(self, write):
        shown = run("diff", "team", "team")
        assert shown.exit_code == 0
        assert shown.stdout == "team.yaml 1.2.0 → team.yaml 1.2.0: no difference\n"
        base = write("base.yaml", f'version: "1.0.0"\n{CLASSES}')
        mine = write("mine.yaml", 'version: "1.0.0"\nextends: base.yaml\n')
        told = run("diff", base, mine)
        assert told.exit_code == 1
        assert told.stdout.splitlines()[1:] == ["  neutral   it extends base.yaml"]

    def test_what_relaxes_stands_first(self):
        shown = run("diff", "team", "org")
        assert shown.exit_code == 1
        lines = shown.stdout.splitlines()
        assert lines[0].startswith("team.yaml 1.2.0 → org.yaml 1.3.0: 2 relaxes, 4 tightens, ")
        assert lines[1:3] == [
            "  relaxes   project claims live 180 days instead of 120",
            "  relaxes   rule pii_not_in_prompt no longer holds",
        ]

    def test_json(self, write):
        mine = write(
            "mine.yaml",
            'version: "2.0.0"\nextends: default\nboundary_classes: {pii: {allow: []}}\nmeta: {name: default}\n',
        )
        told = json.loads(run("diff", "default", mine, "--format", "json").stdout)
        assert told["after"] == {"file": str(mine), "version": "2.0.0"}
        assert told["changes"][0] == {
            "effect": "tightens",
            "path": "boundary_classes.pii.allow",
            "sentence": "tool:contact-lookup no longer sees pii",
        }

    def test_one_that_cannot_be_read(self, write):
        bad = write("bad.yaml", "version: 1\n")
        for args in (("default", "nothing"), ("nothing", "default"), ("default", bad), (bad, bad)):
            shown = run("diff", *args)
            assert (shown.exit_code, shown.stdout) == (2, "")
            assert shown.stderr.startswith("error [INVALID_P")

    def test_nothing_steers_a_terminal_and_no_secret_is_told(self, write):
        text = f'version: "2.0.0"\nextends: default\nmeta: {{name: "a\\u202eb", owner: {TOKEN}}}\n'
        mine = write("a\x1b[2J.yaml", text)
        for style in ("text", "json"):
            shown = run("diff", "default", mine, "--format", style)
            assert shown.exit_code == 1
            assert all(line.isprintable() for line in shown.stdout.splitlines())
            assert TOKEN not in shown.stdout


def test_a_terminal_that_does_not_know_every_character(write):
    mine = write("mine.yaml", 'version: "2.0.0"\nextends: default\nmeta: {owner: 健二é}\n')
    for command in (["show"], ["diff", "default"], ["show", "--format", "json"]):
        shown = subprocess.run(
            [sys.executable, "-m", "pce_memory", "policy", *command, str(mine)],
            capture_output=True,
            check=False,
            cwd=ROOT,
            env={**os.environ, "PYTHONIOENCODING": "latin-1"},
        )
        text = shown.stdout.decode("latin-1")
        assert shown.returncode in (0, 1)
        assert shown.stderr == b""
        assert "\\u5065\\u4e8c" in text
        if command == ["show"]:
            assert parse_policy(text).unwrap().meta.owner == "健二é"
        if "json" in command:
            assert json.loads(text)["policy"]["meta"]["owner"] == "健二é"


class TestManual:
    README = (ROOT / "policies" / "README.md").read_text("utf-8")
    FILES: Final = dict(
        re.findall(r"^```yaml (\S+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    )
    RUNS: Final = re.findall(
        r"^```console\n\$ pce-memory policy ((?:show|diff) [^\n]*)\n(.*?)^```$",
        README,
        re.MULTILINE | re.DOTALL,
    )

    @pytest.mark.parametrize(("command", "seen"), RUNS)
    def test_a_command_prints_what_the_manual_says(self, tmp_path, monkeypatch, command, seen):
        for name, text in self.FILES.items():
            _ = (tmp_path / name).write_text(text, "utf-8")
        monkeypatch.chdir(tmp_path)
        shown = run(*command.split())
        told = shown.stdout + shown.stderr
        if seen.startswith("...\n"):
            assert seen.removeprefix("...\n").removesuffix("...\n") in told
        else:
            assert told == seen

    def test_there_are_some(self):
        assert sorted(command.split()[0] for command, _ in self.RUNS) == ["diff", "show", "show"]

    def test_the_table_of_what_is_stricter_names_every_key(self):
        table = self.README.partition("| key | stricter is |")[2].partition("\n\n")[0]
        named = {one.partition(".")[0] for one in re.findall(r"`([a-z_.*]+)`", table)}
        assert set(Policy.model_fields) - named <= {"version", "extends", "relax", "tests"}
        for path in [*RULES, *LISTS]:
            if path[0] in {"scopes", "boundary_classes", "extraction", "limits", "retention"}:
                assert f"`{'.'.join(path)}`" in table, path

"""The documents keep their promises: code runs and prints what it says, names and links exist."""

import io
import re
import tokenize
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, Final, get_args

import pytest
import typer.main

import pce_memory
from pce_memory.errors import CoreError
from pce_memory.surface.cli import app

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = sorted(
    path
    for folder in (".", "policies", "sql", "tests", "benchmarks")
    for path in (ROOT / folder).glob("*.md")
)
README: Final = (ROOT / "README.md").read_text("utf-8")

_FENCED: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r"\[[^\]]+\]\(([^)#\s]+)[^)]*\)")


def blocks(language: str) -> list[str]:
    return [body for name, body in _FENCED.findall(README) if name == language]


def promises(code: str) -> list[str]:
    """Return the comments that stand behind what a block prints: what it will print."""
    tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    found, printing = [], False
    for token in tokens:
        if token.type == tokenize.NAME:
            printing |= token.string == "print"
        elif token.type == tokenize.COMMENT and printing:
            found.append(token.string.removeprefix("#").strip())
        elif token.type == tokenize.NEWLINE:
            printing = False
    return found


def holds(promise: str, printed: list[str]) -> bool:
    """Return whether a line was printed as promised; after a colon the promise explains it."""
    return promise in printed or promise.partition(": ")[0] in printed


class TestReadme:
    @pytest.mark.slow
    def test_its_code_runs_and_prints_what_it_says(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.chdir(tmp_path)
        names: dict[str, Any] = {"__name__": "__main__"}
        kept = 0
        for code in blocks("python"):
            output = io.StringIO()
            with redirect_stdout(output):
                exec(compile(code, "README.md", "exec"), names)
            printed = output.getvalue().splitlines()
            assert [one for one in promises(code) if not holds(one, printed)] == []
            kept += len(promises(code))
        assert kept >= 4
        assert {path.name for path in tmp_path.iterdir()} == {"agent.duckdb"}

    def test_a_promise_is_found(self):
        code = "x = 1  # no promise\nprint(\n    x\n)  # 1\nprint(x)  # 2: not so\n"
        assert promises(code) == ["1", "2: not so"]
        assert [holds(one, ["1"]) for one in promises(code)] == [True, False]

    def test_it_has_a_row_for_every_error_and_no_other(self):
        told = re.findall(r"^\| ([A-Z_]+) \| .+ \|$", README, re.MULTILINE)
        assert sorted(told) == sorted(error.code for error in get_args(CoreError))

    def test_it_names_every_command(self):
        command = typer.main.get_command(app)
        names = sorted(command.commands)  # type: ignore[attr-defined]
        assert names
        assert [name for name in names if f"pce-memory {name}" not in README] == []

    def test_it_names_no_command_that_is_not_there(self):
        command = typer.main.get_command(app)
        named = re.findall(r"^\$ (?:pce-memory|python -m pce_memory) (\w+)", README, re.MULTILINE)
        known = command.commands  # type: ignore[attr-defined]
        assert set(named) - set(known) == set()

    def test_nothing_is_left_to_fill_in(self):
        assert re.findall(r"^(?:[A-Z]+_[A-Z_]+|TODO.*|TBD.*)$", README, re.MULTILINE) == []

    def test_its_line_of_fault_is_what_a_policy_says(self):
        text = "version: '1.0.0'\nboundary_classes: {}\nscopes:\n  sesion: {ttl: 7d}\n"
        faults = pce_memory.parse_policy(text, "mine.yaml").failure().validation_errors
        shown = next(fault for fault in faults if "sesion" in fault)
        assert shown in README


class TestPages:
    @pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
    def test_every_link_leads_somewhere(self, page: Path):
        links = [link for link in _LINK.findall(page.read_text("utf-8")) if "://" not in link]
        assert [link for link in links if not (page.parent / link).exists()] == []

    @pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
    def test_every_make_target_exists(self, page: Path):
        makefile = (ROOT / "Makefile").read_text("utf-8")
        targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
        named = re.findall(
            r"`make ([a-z-]+)|^\$ make ([a-z-]+)", page.read_text("utf-8"), re.MULTILINE
        )
        assert {one or other for one, other in named} - targets == set()

    def test_the_pages_are_there(self):
        assert {path.name for path in PAGES if path.parent == ROOT} >= {
            "ARCHITECTURE.md",
            "CHANGELOG.md",
            "CONTRIBUTING.md",
            "README.md",
            "SECURITY.md",
        }
        assert (ROOT / "LICENSE").read_text("utf-8").lstrip().startswith("Apache License")

    def test_the_changelog_has_this_version(self):
        log = (ROOT / "CHANGELOG.md").read_text("utf-8")
        versions = re.findall(r"^## \[?(\d+\.\d+\.\d+)", log, re.MULTILINE)
        assert versions[0] == pce_memory.__version__

"""The wheel and the sdist hold what they must, and the wheel runs where nothing else is.

`make packaging` builds both and names them in PCE_WHEEL and PCE_SDIST.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Sequence
from email.parser import Parser
from pathlib import Path
from typing import Final

import pytest

import pce_memory

ROOT: Final = Path(__file__).parents[1]
WHEEL: Final = os.environ.get("PCE_WHEEL", "")
SDIST: Final = os.environ.get("PCE_SDIST", "")
LARGEST_MB: Final = 230
PATIENCE: Final = 600

pytestmark = [
    pytest.mark.packaging,
    pytest.mark.skipif(not WHEEL or not SDIST, reason="nothing is built; see make packaging"),
]


def shipped() -> set[str]:
    """Return the files of the checkout that an install must have, as the wheel names them."""
    files = {
        path
        for folder in ("pce_memory", "sql", "policies")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    names = {path.relative_to(ROOT).as_posix() for path in files}
    return {name if name.startswith("pce_memory/") else f"pce_memory/{name}" for name in names}


class TestWheel:
    def test_it_holds_the_package_and_nothing_else(self):
        with zipfile.ZipFile(WHEEL) as wheel:
            names = {name for name in wheel.namelist() if ".dist-info/" not in name}
        assert names == shipped()

    @pytest.mark.parametrize(
        "name",
        [
            "py.typed",
            "sql/migrations/0001_core.sql",
            "sql/macros/01_time.sql",
            "sql/queries/claims.sql",
            "sql/templates/visible.sql",
            "policies/default.yaml",
            "policies/expansion/en.yaml",
            "policies/expansion/ja.yaml",
            "policies/policy.schema.json",
            "surface/demo_transcript.jsonl",
        ],
    )
    def test_it_has_what_an_install_reads(self, name: str):
        assert f"pce_memory/{name}" in shipped()

    def test_its_metadata_is_whole(self):
        with zipfile.ZipFile(WHEEL) as wheel:
            name = next(name for name in wheel.namelist() if name.endswith("dist-info/METADATA"))
            said = Parser().parsestr(wheel.read(name).decode())
            licences = [one for one in wheel.namelist() if one.endswith("licenses/LICENSE")]
        assert (said["Name"], said["Version"]) == ("pce-memory", pce_memory.__version__)
        assert (said["License-Expression"], len(licences)) == ("Apache-2.0", 1)
        needed = [line for line in said.get_all("Requires-Dist", []) if "extra ==" not in line]
        assert [
            line for line in needed if "torch" in line or "sentence-transformers" in line
        ] == []


class TestSdist:
    def test_it_can_be_built_and_tested_from(self):
        with tarfile.open(SDIST) as sdist:
            names = {name.partition("/")[2] for name in sdist.getnames()}
        own = {name.removeprefix("pce_memory/") for name in shipped()}
        missing = {name for name in own if not {name, f"pce_memory/{name}"} & names} | (
            {"LICENSE", "README.md", "Makefile", "pyproject.toml", "tests/conftest.py"} - names
        )
        assert missing == set()
        folders = {".git", ".venv", ".venv-extras", "dist", "__pycache__"}
        assert [name for name in names if folders & set(name.split("/"))] == []


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel, and what it asks for, into a new venv without pip; return its python."""
    place = tmp_path_factory.mktemp("install") / "venv"
    venv.create(place, with_pip=False, symlinks=os.name != "nt")
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    uv = shutil.which("uv")
    installer = (
        [uv, "pip", "install", "-q", "--compile-bytecode", "--python", str(python)]
        if uv
        else [sys.executable, "-m", "pip", "--python", str(python), "install", "-q"]
    )
    subprocess.run([*installer, WHEEL], check=True, timeout=PATIENCE)
    return python


def run(command: Sequence[str | Path], folder: Path) -> str:
    """Run a command in a folder of its own, without this checkout on the path."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PCE_"))}
    done = subprocess.run(
        list(command),
        cwd=folder,
        env={**environment, "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class TestInstall:
    def test_the_demo_runs_both_ways_and_says_the_same(self, installed: Path, tmp_path: Path):
        command = installed.with_name("pce-memory")
        shown = run([command, "demo"], tmp_path)
        assert "健二" in shown or "さん" in shown
        assert "[email]" in shown
        assert (
            run([installed, "-m", "pce_memory", "demo"], tmp_path).splitlines()[0]
            == (shown.splitlines()[0])
        )
        assert list(tmp_path.iterdir()) == []

    def test_it_ingests_and_activates(self, installed: Path, tmp_path: Path):
        (tmp_path / "notes.md").write_text("# Notes\n\n- Alice prefers dark mode.\n", "utf-8")
        command = installed.with_name("pce-memory")
        run([command, "ingest", "notes.md", "--db", "agent.duckdb"], tmp_path)
        shown = run(
            [command, "activate", "what does Alice like?", "--db", "agent.duckdb"], tmp_path
        )
        assert "Alice prefers dark mode." in shown

    def test_it_is_small_and_has_no_torch(self, installed: Path, tmp_path: Path):
        code = "import sysconfig; print(sysconfig.get_path('purelib'))"
        packages = Path(run([installed, "-c", code], tmp_path).strip())
        sizes: dict[str, int] = {}
        for path in packages.rglob("*"):
            if path.is_file():
                top = path.relative_to(packages).parts[0]
                sizes[top] = sizes.get(top, 0) + path.stat().st_size
        total = sum(sizes.values()) / 1e6
        largest = sorted(sizes.items(), key=lambda pair: -pair[1])[:8]
        assert total <= LARGEST_MB, [(name, round(size / 1e6)) for name, size in largest]
        heavy = {
            "torch",
            "transformers",
            "sentence_transformers",
            "pandas",
            "pytest",
            "hypothesis",
        }
        assert heavy & set(sizes) == set()

    def test_its_parts_agree(self, installed: Path, tmp_path: Path):
        checker = shutil.which("uv")
        command = (
            [checker, "pip", "check", "--python", str(installed)]
            if checker
            else [sys.executable, "-m", "pip", "--python", str(installed), "check"]
        )
        run(command, tmp_path)

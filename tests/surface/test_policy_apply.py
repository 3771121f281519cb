"""`policy apply` and `policy explain` on a real file: a dry run answers as the run would."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner, Result

from pce_memory import Memory
from pce_memory.surface.cli import app

ROOT: Final = Path(__file__).parents[2]
MANUAL: Final = (ROOT / "policies" / "README.md").read_text("utf-8")
_FOUND: Final = re.search(
    r"^## The smallest policy$.*?^```yaml\n(.*?)^```$", MANUAL, re.MULTILINE | re.DOTALL
)
assert _FOUND is not None
SMALLEST: Final = _FOUND[1]
CLASSES: Final = SMALLEST.partition("\n")[2]
TOKEN: Final = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Return a memory that was made by default, with a claim in it."""
    path = tmp_path / "agent.duckdb"
    with Memory.open(path, embedder="hashing") as memory:
        _ = memory.observe("The lamp is red.")
    return path


@pytest.fixture
def apply(db: Path, tmp_path: Path) -> Callable[..., Result]:
    """Return what applies a text as the file mine.yaml."""

    def applied(text: str, *options: str) -> Result:
        path = tmp_path / "mine.yaml"
        _ = path.write_text(text, "utf-8")
        arguments = ["policy", "apply", str(path), "--db", str(db), *options]
        return CliRunner().invoke(app, arguments)

    return applied


def written(version: str, more: str = "") -> str:
    return f'version: "{version}"\n{CLASSES}{more}'


REFUSED: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "a version with another text": (written("2.0.0", "limits: {query_bytes: 9}\n"), ()),
    "a lower version": (written("1.9.0"), ()),
    "the same version in other words": (written("2.0.0+more"), ()),
    "another version was expected": (written("3.0.0"), ("--expected-version", "1.0.0")),
    "what is expected is no version": (written("3.0.0"), ("--expected-version", "one")),
    "an approver without a name": (written("3.0.0"), ("--approver", "")),
    "an approver that is a secret": (written("3.0.0"), ("--approver", TOKEN)),
    "a fault": (written("3.0.0", "scopess: {}\n"), ()),
    "a secret": (written("3.0.0", f"meta: {{owner: {TOKEN}}}\n"), ()),
    "a base relaxed without a reason": (
        'version: "3.0.0"\nextends: default\nscopes: {session: {ttl: 9d}}\n',
        (),
    ),
    "a base that is not there": ('version: "3.0.0"\nextends: ./none.yaml\n', ()),
    "a dictionary that nobody gives": (
        written("3.0.0").replace("redact: [email, phone]", "redact: [name]"),
        (),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_dry_run_is_refused_as_the_run_is(name: str, db: Path, apply: Callable[..., Result]):
    assert apply(written("2.0.0")).exit_code == 0
    text, options = REFUSED[name]
    dry = apply(text, "--dry-run", *options)
    run = apply(text, *options)
    assert run.exit_code != 0
    assert (dry.exit_code, dry.stdout, dry.stderr) == (run.exit_code, run.stdout, run.stderr)
    with Memory.open(db, embedder="hashing", read_only=True) as memory:
        assert memory.policy().version == "2.0.0"


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (written("2.0.1"), ()),
        (written("1.9.0"), ("--allow-downgrade",)),
        (written("3.0.0"), ("--expected-version", "2.0.0", "--approver", "carol")),
        (written("2.0.0"), ()),
    ],
)
def test_a_dry_run_passes_where_the_run_does(
    text: str, options: tuple[str, ...], db: Path, apply: Callable[..., Result]
):
    assert apply(written("2.0.0")).exit_code == 0
    before = db.read_bytes()
    dry = apply(text, "--dry-run", *options)
    assert (dry.exit_code, dry.stderr) == (0, "")
    assert "nothing was changed" in dry.stdout
    assert db.read_bytes() == before
    assert apply(text, *options).exit_code == 0


def test_the_first_example_of_the_manual_works_on_a_new_memory(apply: Callable[..., Result]):
    assert 'version: "1.0.0"' in SMALLEST
    assert apply(SMALLEST, "--dry-run").exit_code == 0
    done = apply(SMALLEST)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "policy 1.0.0 is in force; before it was 0.0.0-default" in done.stdout


def test_a_memory_that_begins_with_it_or_gets_it_later_is_the_same(tmp_path: Path):
    with (
        Memory.open(tmp_path / "a.duckdb", embedder="hashing", policy=SMALLEST) as begun,
        Memory.open(tmp_path / "b.duckdb", embedder="hashing") as later,
    ):
        assert later.apply_policy(SMALLEST) == "1.0.0"
        assert later.policy() == begun.policy()


@pytest.mark.parametrize(
    ("tag", "says"),
    [
        ("answer:taks", "by its name; did you mean answer:task?; the policy knows"),
        ("チーム:支援", "by its name; the policy knows"),
        ("answer:task", None),
        ("tool:*", None),
        ("tool:search", None),
        ("*", None),
    ],
)
def test_a_dry_run_tells_a_tag_that_no_policy_knows_as_the_run_does(
    tag: str, says: str | None, apply: Callable[..., Result]
):
    text = 'version: "3.0.0"\nextends: default\n'
    dry, run = (apply(text, "--allow", tag, *more) for more in (("--dry-run",), ()))
    assert (dry.exit_code, run.exit_code) == (0, 0)
    dry_warned, run_warned = (
        [line for line in done.stdout.splitlines() if line.startswith("warning: ")]
        for done in (dry, run)
    )
    assert dry_warned == run_warned
    assert len(dry_warned) == (says is not None)
    assert says is None or says in dry_warned[0]


def test_a_tag_that_one_of_both_policies_knows_is_no_slip(apply: Callable[..., Result]):
    text = (
        'version: "3.0.0"\nextends: default\n'
        "boundary_classes: {internal: {allow: [answer:task, team:support]}}\n"
        'relax: {boundary_classes.internal.allow: "The support answers too."}\n'
    )
    for tag in ("team:support", "tool:search"):
        dry = apply(text, "--dry-run", "--allow", tag)
        assert (dry.exit_code, "warning:" in dry.stdout) == (0, False), dry.output
    assert "warning:" in apply(text, "--dry-run", "--allow", "team:suport").stdout


def test_a_preview_has_the_warnings(db: Path):
    with Memory.open(db, embedder="hashing") as memory:
        told = memory.preview_policy("team", allow=["answer:taks"])
        assert ["did you mean answer:task?" in one for one in told.warnings] == [True]
        assert memory.preview_policy("team").warnings == ()

"""The demo: the whole loop on its transcript, with nothing secret or personal left anywhere."""

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner, Result

from pce_memory import Memory
from pce_memory.surface.cli import app
from pce_memory.surface.demo import TRANSCRIPT, transcript
from pce_memory.text.detect import PII_KINDS, SECRET_KINDS, detect
from tests.conftest import tables

SAID: Final = (files("pce_memory.surface") / TRANSCRIPT).read_text("utf-8")
TURNS: Final = [json.loads(line) for line in SAID.splitlines()]
FOUND: Final = [
    (match.kind, turn["content"][match.start : match.end])
    for turn in TURNS
    for match in detect(turn["content"])
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo") / "demo.duckdb"


@pytest.fixture(scope="module")
def shown(place: Path) -> Result:
    return CliRunner().invoke(app, ["demo", "--db", str(place), "--embedder", "hashing"])


class TestTranscript:
    def test_holds_what_the_demo_is_about(self):
        kinds = [kind for kind, _ in FOUND]
        assert 55 <= len(TURNS) <= 70
        assert (kinds.count("email"), kinds.count("phone")) == (1, 1)
        assert len({kind for kind in kinds if kind in SECRET_KINDS}) == 2
        assert set(kinds) <= {"email", "phone"} | SECRET_KINDS

    def test_is_read_whole(self):
        pieces = transcript()
        assert len(pieces) == len(TURNS)
        times = [piece.item.observed_at for piece in pieces]
        assert times == sorted(times, key=lambda one: one or 0.0)

    def test_its_secrets_say_that_they_are_none(self):
        assert all("FAKE" in text for kind, text in FOUND if kind in SECRET_KINDS)


class TestOutput:
    def test_tells_every_part(self, shown: Result, place: Path):
        assert (shown.exit_code, shown.stderr) == (0, "")
        for part in (
            "1. Observed",
            "2. Redacted",
            "3. Extracted",
            "4. Activated",
            "5. Feedback",
            "6. Next",
        ):
            assert f"\n{part}" in shown.stdout
        assert "secret 2, email 1, phone 1" in shown.stdout
        assert str(place) in shown.stdout.replace("\n", "")

    def test_shows_nothing_that_was_redacted(self, shown: Result):
        assert [text for _, text in FOUND if text in shown.output] == []
        assert detect(shown.stdout, PII_KINDS | SECRET_KINDS) == ()

    def test_finds_the_preference_and_its_change(self, shown: Result):
        _, _, ranking = shown.stdout.partition("Which theme does Mika prefer?")
        ranking = ranking.partition("score = 0.15 + ")[0]
        assert "dark theme" in ranking
        assert "light theme" in ranking

    def test_finds_the_task_and_that_it_is_done(self, shown: Result):
        asked = shown.stdout.partition("A Japanese question about a task")[2].partition(
            "score = 0.15 + "
        )[0]
        assert "CSV importer" in asked
        assert "Done:" in asked

    def test_feedback_moves_the_ranking(self, shown: Result):
        again = shown.stdout.partition("The same question again")[2]
        ranks = {
            theme: re.search(rf"(\d) \(was (\d)\).*{theme} theme", again)
            for theme in ("light", "dark")
        }
        light, dark = ranks["light"], ranks["dark"]
        assert light is not None
        assert dark is not None
        assert int(light[1]) < int(light[2])
        assert int(dark[1]) >= int(dark[2])

    def test_the_same_again_but_for_ids_and_times(
        self, shown: Result, tmp_path: Path, place: Path
    ):
        other = tmp_path / "demo.duckdb"
        again = CliRunner().invoke(app, ["demo", "--db", str(other), "--embedder", "hashing"])
        assert timeless(again.stdout, other) == timeless(shown.stdout, place)


@pytest.mark.usefixtures("shown")
class TestMemory:
    def test_keeps_nothing_that_was_redacted(self, place: Path):
        raw = b"".join(path.read_bytes() for path in place.parent.iterdir())
        assert [kind for kind, text in FOUND if text.encode() in raw] == []
        with Memory.open(place, embedder="hashing", read_only=True) as memory:
            kept = "\n".join(
                str(row)
                for table in tables(memory)
                for row in memory.deps.db.query(f'select * from "{table}"').unwrap()
            )
        assert "[secret]" in kept
        assert [kind for kind, text in FOUND if text in kept] == []

    def test_never_mixes_with_a_memory_that_is_there(self, place: Path):
        again = CliRunner().invoke(app, ["demo", "--db", str(place), "--embedder", "hashing"])
        assert again.exit_code == 2
        assert again.stderr.startswith(
            "error [INVALID_PARAMETER]: Invalid --db: it is there already"
        )

    def test_its_next_commands_work(self, shown: Result, place: Path):
        for question in re.findall(r'activate "([^"]+)"', shown.stdout):
            done = CliRunner().invoke(
                app, ["activate", question, "--db", str(place), "--embedder", "hashing"]
            )
            assert done.exit_code == 0
            assert "1  0." in done.stdout


def timeless(output: str, place: Path) -> str:
    output = output.replace(str(place), "PLACE")
    return re.sub(r"in \d+\.\d s|until \d{4}-\d\d-\d\d \d\d:\d\dZ", "", output)

"""How well personal data and secrets are found, and what only resembles them is left alone.

    python -m benchmarks.redaction

Three sets, each with recall and precision by kind: pii-dev (English, beside the checkout), Japanese
cases (`redaction_ja.txt`) and secrets (`secret_cases.py`), the last two with as many look-alikes.
The held-out batches were written after the detectors and have tuned nothing.

Recall counts a planted value only if each of its letters and digits is in a find; precision counts
a find only if it is of the planted kind and at least half of it was planted.
"""

import json
import re
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks import secret_cases
from pce_memory.text.detect import ASKED_KINDS, PII_KINDS, SECRET_KINDS, detect

HERE: Final = Path(__file__).parent
PII_DEV: Final = HERE.parents[1] / "shared" / "data" / "pii-dev"
PII_DEV_KINDS: Final = {
    "EMAIL_ADDRESS": "email",
    "PHONE_NUMBER": "phone",
    "CREDIT_CARD": "credit_card",
    "IBAN_CODE": "iban",
    "IP_ADDRESS": "ip_address",
    "US_SSN": "us_ssn",
    "STREET_ADDRESS": "address",
    "ADDRESS": "address",
    "PERSON": "name",
}
SECRET: Final = "secret"
EVERY_KIND: Final = SECRET_KINDS | PII_KINDS | ASKED_KINDS


class Place(NamedTuple):
    """Something of a kind, and where."""

    kind: str
    start: int
    end: int


class Case(NamedTuple):
    """A text, and what is to be found in it."""

    text: str
    planted: tuple[Place, ...]


Finder = Callable[[str], Sequence[Place]]


@dataclass(slots=True)
class Tally:
    """What was planted of a kind and covered; what was found as this kind, and rightly."""

    planted: int = 0
    covered: int = 0
    found: int = 0
    right: int = 0

    @property
    def recall(self) -> float:
        return self.covered / self.planted if self.planted else 1.0

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 1.0


def find(text: str) -> list[Place]:
    """Return what the detectors find; all secrets are of one kind here."""
    return [
        Place(SECRET if kind in SECRET_KINDS else kind, start, end)
        for kind, start, end in detect(text, EVERY_KIND)
    ]


def score(cases: Iterable[Case], finder: Finder = find) -> dict[str, Tally]:
    """Return a tally for each kind that was planted or found; "all" is their sum."""
    tallies: defaultdict[str, Tally] = defaultdict(Tally)
    for case in cases:
        found = finder(case.text)
        for place in case.planted:
            _count(tallies, place.kind, planted=1, covered=_is_covered(case.text, place, found))
        for place in found:
            _count(tallies, place.kind, found=1, right=_is_right(place, case.planted))
    return dict(sorted(tallies.items()))


def _count(tallies: defaultdict[str, Tally], kind: str, **counts: int) -> None:
    for tally in (tallies[kind], tallies["all"]):
        for name, count in counts.items():
            setattr(tally, name, getattr(tally, name) + count)


def _is_covered(text: str, planted: Place, found: Sequence[Place]) -> bool:
    same = [one for one in found if one.kind == planted.kind]
    return all(
        any(one.start <= at < one.end for one in same)
        for at in range(planted.start, planted.end)
        if text[at].isalnum()
    )


def _is_right(found: Place, planted: Sequence[Place]) -> bool:
    shared = sum(
        max(0, min(found.end, one.end) - max(found.start, one.start))
        for one in planted
        if one.kind == found.kind
    )
    return 2 * shared >= found.end - found.start


def pii_dev() -> Iterator[Case]:
    """Yield the cases of pii-dev; kinds that nothing here detects are left out."""
    for name in ("generated_small.json", "synth_v2_first_half.json"):
        for row in json.loads((PII_DEV / name).read_text("utf-8")):
            spans = (
                Place(PII_DEV_KINDS[span["entity_type"]], span["start_position"], span["end_position"])
                for span in row["spans"]
                if span["entity_type"] in PII_DEV_KINDS
            )
            yield Case(row["full_text"], tuple(spans))


_MARK: Final = re.compile("⟦([a-z_]+):([^⟧]*)⟧")


def japanese(name: str = "redaction_ja.txt") -> Iterator[Case]:
    """Yield the Japanese cases of a file."""
    for line in (HERE / name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield marked(_unescaped(line))


def _unescaped(line: str) -> str:
    known = {"\\n": "\n", "\\t": "\t", "\\\\": "\\"}
    return re.sub(
        r"\\(?:[nt]|\\|u[0-9a-f]{4})",
        lambda found: known.get(found.group()) or chr(int(found.group()[2:], 16)),
        line,
    )


def marked(text: str) -> Case:
    """Return the case that a text with ⟦kind:value⟧ in it stands for."""
    parts: list[str] = []
    planted: list[Place] = []
    done = length = 0
    for mark in _MARK.finditer(text):
        parts += [text[done : mark.start()], mark[2]]
        length += mark.start() - done
        planted.append(Place(mark[1], length, length + len(mark[2])))
        length += len(mark[2])
        done = mark.end()
    return Case("".join([*parts, text[done:]]), tuple(planted))


def secrets(made: Iterable[secret_cases.Case]) -> Iterator[Case]:
    """Yield cases with the places of what was planted in them."""
    for text, planted in made:
        places = [(text.index(secret), secret) for _, secret in planted]
        yield Case(text, tuple(Place(SECRET, at, at + len(secret)) for at, secret in places))


def families(made: Iterable[secret_cases.Case]) -> dict[str, Tally]:
    """Return the recall of each family of secrets."""
    tallies: defaultdict[str, Tally] = defaultdict(Tally)
    for case in made:
        (one,) = score(secrets([case])).get(SECRET, Tally()), 
        for family, _ in case.planted:
            tallies[family].planted += 1
            tallies[family].covered += one.covered
    return dict(sorted(tallies.items()))


def milliseconds_per_kib(texts: Sequence[str], *, runs: int = 5) -> float:
    """Return the median of the CPU time that `detect` takes for a KiB of UTF-8."""
    size = sum(len(text.encode("utf-8")) for text in texts) / 1024
    taken: list[float] = []
    for _ in range(runs):
        begin = time.process_time()
        for text in texts:
            detect(text)
        taken.append(time.process_time() - begin)
    return statistics.median(taken) * 1e3 / size


def table(title: str, tallies: dict[str, Tally]) -> None:
    print(f"\n{title}\n\n| kind | planted | recall | found | precision |\n|---|--:|--:|--:|--:|")
    for kind, tally in tallies.items():
        recall = f"{tally.recall:.3f}" if tally.planted else "–"
        precision = f"{tally.precision:.3f}" if tally.found else "–"
        print(f"| {kind} | {tally.planted} | {recall} | {tally.found} | {precision} |")


def main() -> None:
    made = [*secret_cases.secrets(), *secret_cases.look_alikes()]
    if PII_DEV.exists():
        table("pii-dev", score(pii_dev()))
    else:
        print(f"pii-dev is not beside this checkout ({PII_DEV.parent.name}/{PII_DEV.name})")
    table("Japanese", score(japanese()))
    table("Secrets", score(secrets(made)))
    table("Secrets by family", families(secret_cases.secrets()))
    texts = [case.text for case in chain(japanese(), secrets(made))]
    print(f"\n{milliseconds_per_kib(texts):.2f} ms of CPU for a KiB of these texts")


if __name__ == "__main__":
    main()

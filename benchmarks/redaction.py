"""How well personal data and secrets are found, and what only resembles them is left alone.

    python -m benchmarks.redaction

Three sets, with recall and precision by kind: pii-dev (English, beside the checkout), Japanese
cases and secrets, the last two with as many look-alikes, in `cases/`. Secrets are made up at run
time. Each batch after the first was written when the detectors passed the one before, in other
styles. What the second and third found was mended; the fourth has mended nothing. So the first run
of each says how well the detectors do on what nobody has seen (recall, precision):

| first run | Japanese | secrets |
|---|---|---|
| first batch, before the work | .840, .994 | .891, .930 |
| second batch | .890, .956 | .972, .981 |
| third batch | .906, .967 | .969, .984 |
| fourth batch, held out | 1.0, .986 | 1.0, .984 |

Libraries were compared before any of this was written; on pii-dev e-mail, phone, card, IBAN:

| | recall | precision | ms a KiB | MB | import ms |
|---|---|---|--:|--:|--:|
| these detectors | 1.0, 1.0, 1.0, 1.0 | 1.0 each | 0.6 | 0.1 | 40 |
| presidio-analyzer 2.2.366 | 1.0, .46, .80, .91 | 1.0, .78, 1.0, 1.0 | 7.7 | 400 | 1079 |
| phonenumbers 9.0.43 | –, .36, –, – | –, 1.0, –, – | 2.2 | 48 | 33 |
| python-stdnum 2.2 | –, –, 1.0, .45 | –, –, .93, 1.0 | 0.2 | 6 | 34 |

On the first batch of secrets detect-secrets 1.5 has recall .24 and precision .98 without its
entropy plugins, .94 and .49 with them, at 2.4 and 15.7 ms a KiB. Presidio fetches a list of
domains from the network, and finds .39 of the e-mail addresses that touch Japanese. None is
lighter or better, so none is used.

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

from benchmarks import secret_cases, secret_measures
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
BATCHES: Final = {1: "first batch", 2: "second batch", 3: "third batch", 4: "held out"}
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


def find_as_labelled(text: str) -> list[Place]:
    """Return the same, with the kind that pii-dev has for all addresses."""
    return [
        Place("address", start, end) if kind in ASKED_KINDS else Place(kind, start, end)
        for kind, start, end in find(text)
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
                Place(
                    PII_DEV_KINDS[span["entity_type"]],
                    span["start_position"],
                    span["end_position"],
                )
                for span in row["spans"]
                if span["entity_type"] in PII_DEV_KINDS
            )
            yield Case(row["full_text"], tuple(spans))


_MARK: Final = re.compile("⟦([a-z_]+):([^⟧]*)⟧")


def japanese(batch: int) -> Iterator[Case]:
    """Yield the Japanese cases of a batch."""
    for line in secret_cases.lines(f"japanese_{batch}.txt"):
        if not line.startswith("#"):
            yield marked(secret_cases.unescaped(line))


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


def secrets(batch: int, *, seed: int = 1) -> Iterator[Case]:
    """Yield the cases of a batch with a secret each, and the look-alikes."""
    yield from map(_placed, secret_cases.secrets(batch, seed=seed))
    yield from map(_placed, secret_cases.look_alikes(batch, seed=seed))


def _placed(made: secret_cases.Case) -> Case:
    places = [(made.text.index(secret), secret) for _, secret in made.planted]
    return Case(made.text, tuple(Place(SECRET, at, at + len(secret)) for at, secret in places))


def families(batch: int) -> dict[str, Tally]:
    """Return how many secrets of each family were planted and covered."""
    tallies: defaultdict[str, Tally] = defaultdict(Tally)
    for made in secret_cases.secrets(batch):
        one = score([_placed(made)])[SECRET]
        for family, _ in made.planted:
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
    if PII_DEV.exists():
        table("pii-dev", score(pii_dev(), find_as_labelled))
    else:
        print(f"pii-dev is not beside this checkout ({PII_DEV.parent.name}/{PII_DEV.name})")
    for batch, note in BATCHES.items():
        table(f"Japanese, {note}", score(japanese(batch)))
        table(f"Secrets, {note}", score(secrets(batch)))
    print("\nSecrets by family, first batch\n\n| family | planted | recall |\n|---|--:|--:|")
    for family, tally in families(1).items():
        print(f"| {family} | {tally.planted} | {tally.recall:.3f} |")
    secret_measures.report()
    texts = [case.text for case in chain(japanese(1), secrets(1))]
    print(f"\n{milliseconds_per_kib(texts):.2f} ms of CPU for a KiB of these texts")


if __name__ == "__main__":
    main()

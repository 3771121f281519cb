"""Prints the centre that the vectors of e5 are measured from, as e5/centre.py holds it.

    python -m benchmarks.e5_centre [FACTS.tsv]

It is the mean of the vectors of the facts in FACTS.tsv, English and Japanese alike; the file is
that of `benchmarks.embedders`. Needs `pce-memory[e5]`.
"""

import base64
import sys
from pathlib import Path
from typing import NoReturn

from benchmarks.embedders import FACTS
from pce_memory.adapters.embedders.e5.cache import default_folder
from pce_memory.adapters.embedders.e5.embedder import PASSAGE
from pce_memory.adapters.embedders.e5.encoder import Encoder
from pce_memory.adapters.embedders.e5.parts import Parts
from pce_memory.result import fold

WIDTH = 88


def refused(reason: str) -> NoReturn:
    raise SystemExit(reason)


def _itself(encoder: Encoder) -> Encoder:
    return encoder


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else FACTS
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line]
    encoder = fold(Parts(default_folder()).encoder(), ok=_itself, err=refused)
    facts = [fact for row in rows for fact in row[:2]]
    mean = encoder.units(facts, PASSAGE).mean(axis=0)
    text = base64.b64encode(mean.astype("<f2").tobytes()).decode()
    for start in range(0, len(text), WIDTH):
        print(f'    "{text[start : start + WIDTH]}"')


if __name__ == "__main__":
    main()

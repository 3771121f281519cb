"""Measures question by question, and their differences with an interval, as Markdown."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

SEED: Final = 7
DRAWS: Final = 2_000
COMPARED: Final = ("r@5", "r@10", "nDCG@10")
FIRST: Final = "default"


@dataclass(slots=True)
class Table:
    """The measures of each variant, question by question."""

    figures: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    seconds: float = 0.0
    claims: int = 0

    def add(self, variant: str, measured: Mapping[str, float]) -> None:
        of_variant = self.figures.setdefault(variant, {})
        for name, value in measured.items():
            of_variant.setdefault(name, []).append(value)


def joined(tables: Sequence[Table]) -> Table:
    """Return the questions of several tables as those of one."""
    every = Table(seconds=sum(one.seconds for one in tables), claims=sum(t.claims for t in tables))
    for table in tables:
        for variant, figures in table.figures.items():
            of_variant = every.figures.setdefault(variant, {})
            for name, values in figures.items():
                of_variant.setdefault(name, []).extend(values)
    return every


def interval(differences: Sequence[float]) -> tuple[float, float]:
    """Return where the mean lies with 95 % if the questions are drawn anew, seeded.

    >>> interval([0.5, 0.5, 0.5])
    (0.5, 0.5)
    """
    given, chance = np.asarray(differences), np.random.default_rng(SEED)
    means = [given[chance.integers(0, len(given), len(given))].mean() for _ in range(DRAWS)]
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)


def difference(values: Sequence[float], beside: Sequence[float]) -> str:
    """Return the mean difference of the same questions with its interval.

    >>> difference([1.0, 0.5], [0.5, 0.0])
    '+.500 [+.500, +.500]'
    """
    apart = [one - other for one, other in zip(values, beside, strict=True)]
    low, high = map(_signed, interval(apart))
    return f"{_signed(statistics.fmean(apart))} [{low}, {high}]"


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("0.", ".", 1)


def show(name: str, embedder: str, table: Table) -> None:
    """Print a table; beside each variant how far it is from the default on the same questions."""
    print(f"\n### {name}, {embedder}\n")
    names = list(next(iter(table.figures.values())))
    base = table.figures.get(FIRST)
    compared = [one for one in names if one in COMPARED and base and len(table.figures) > 1]
    print("| policy | questions |", " | ".join([*names, *(f"Δ {one}" for one in compared)]), "|")
    print("|---|--:|" + "--:|" * (len(names) + len(compared)))
    for variant, figures in table.figures.items():
        cells = [f"{statistics.fmean(figures[one]):.3f}" for one in names]
        for one in compared if base else ():
            same = variant == FIRST
            cells.append("" if same or base is None else difference(figures[one], base[one]))
        print(f"| {variant} | {len(figures[names[0]])} |", " | ".join(cells), "|", flush=True)
    print(f"\n{table.claims} claims, taken in {table.seconds:.0f} s of CPU.", flush=True)

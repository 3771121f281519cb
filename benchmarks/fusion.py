"""Fusion of runs: what a blend costs beside ranx, and whether the tuning loop raises what is true.

Without `--study`, claims and runs are written, and blends of them are timed turn about with `ranx`
fusing the same runs in the same process, where it is installed. A blend reads the runs from the
file, leaves out what may not be seen, boosts, measures, and keeps the fused run with its audit
record; `ranx` has its runs in memory and returns the fused one.
"""

import argparse
import tempfile
from pathlib import Path

from benchmarks import fusion_report, fusion_speed


def main() -> None:
    """Measure, and print tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    _ = parser.add_argument("--documents", type=int, help="documents of a lane, or of the study")
    _ = parser.add_argument("--lanes", type=int, default=5)
    _ = parser.add_argument("--claims", type=int, default=30_000)
    _ = parser.add_argument("--rounds", type=int, default=25)
    _ = parser.add_argument("--study", action="store_true", help="planted relevance, not speed")
    _ = parser.add_argument("--queries", type=int, default=48)
    _ = parser.add_argument("--kinds", nargs="*", default=list(fusion_report.KINDS))
    _ = parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.study:
        found = [
            one
            for kind in given.kinds
            for one in fusion_report.study(
                kind,
                documents=given.documents or 20_000,
                queries=given.queries,
                seed=given.seed,
            )
        ]
        print("\n### all of them together")
        fusion_report.loops(found)
        return
    size = fusion_speed.Size(given.claims, given.lanes, given.documents or 10_000, given.rounds)
    with tempfile.TemporaryDirectory() as folder:
        fusion_speed.report(Path(folder) / "fusion.duckdb", size, given.seed)


if __name__ == "__main__":
    main()

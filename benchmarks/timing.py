"""Time taken: CPU of the whole process and wall, in milliseconds."""

import statistics
import time
from collections.abc import Callable, Sequence

import numpy as np


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return the milliseconds of CPU and of wall time that some work takes."""
    cpu, wall = time.process_time(), time.perf_counter()
    _ = work()
    return 1e3 * (time.process_time() - cpu), 1e3 * (time.perf_counter() - wall)


def spread(times: Sequence[tuple[float, float]]) -> list[float]:
    """Return the median and the 95th percentile of CPU, then of wall time."""
    cpu, wall = zip(*times, strict=True)
    return [*_two(cpu), *_two(wall)]


def _two(values: Sequence[float]) -> tuple[float, float]:
    return statistics.median(values), float(np.percentile(values, 95))

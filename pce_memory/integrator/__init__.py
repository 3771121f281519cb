"""Claims into the pool: invariants, merge, write, graph, one transaction."""

from pce_memory.integrator.distill import Distillation, distill
from pce_memory.integrator.integrate import (
    Prepared,
    integrate,
    integrate_extraction,
    integrate_with_options,
    prepare,
    write,
)

__all__ = [
    "Distillation",
    "Prepared",
    "distill",
    "integrate",
    "integrate_extraction",
    "integrate_with_options",
    "prepare",
    "write",
]

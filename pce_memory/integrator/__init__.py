"""Claims into the pool: invariants, merge, write, graph, one transaction."""

from pce_memory.integrator.admit import admit_each
from pce_memory.integrator.distill import Distillation, distill
from pce_memory.integrator.documents import Written, write_documents
from pce_memory.integrator.integrate import (
    integrate,
    integrate_bulk,
    integrate_extraction,
    integrate_with_options,
    write,
)
from pce_memory.integrator.planned_documents import Rules
from pce_memory.integrator.prepare import Prepared, prepare

__all__ = [
    "Distillation",
    "Prepared",
    "Rules",
    "Written",
    "admit_each",
    "distill",
    "integrate",
    "integrate_bulk",
    "integrate_extraction",
    "integrate_with_options",
    "prepare",
    "write",
    "write_documents",
]

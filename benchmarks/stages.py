"""Where the time of an activation goes: a stopwatch around each stage, taken off again after."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any, Final
from unittest.mock import patch

from pce_memory.adapters.mirror import found, searching
from pce_memory.adapters.mirror.index import Mirror
from pce_memory.adapters.mirror.searching import MirrorSearch
from pce_memory.retriever import lanes, rank
from pce_memory.store import claims, evidence

# The package has functions of the modules' names.
activate: Final = import_module("pce_memory.retriever.activate")
select: Final = import_module("pce_memory.retriever.select")
STAGES: Final[dict[str, list[tuple[Any, str]]]] = {
    "follow": [(Mirror, "view")],
    "reading": [(lanes, "read_query")],
    "mask": [(searching, "seen_in"), (select, "view")],
    "words": [(found, "hits_of"), (found.Looking, "lexical")],
    "vectors": [(MirrorSearch, "_nearest")],
    "cosines": [(MirrorSearch, "_cosines")],
    "window": [(found.Looking, "windows"), (found.Looking, "around")],
    "columns": [(searching, "columns_of"), (searching, "utilities_of")],
    "rank": [(rank, "rank")],
    "fetch": [(claims, "fetch_visible")],
    "evidence": [(evidence, "of_claims")],
    "show": [(select, "as_shown"), (select, "_first"), (select, "within_budget")],
    "save": [(activate, "_save")],
}
READERS: Final = {"view", "fetch_visible", "of_claims"}
"""Functions that return a reader: what it does is done when it is run."""


class Watches:
    """The CPU seconds of every stage."""

    def __init__(self) -> None:
        self.taken: dict[str, float] = defaultdict(float)

    def around(self, stage: str, inner: Callable[..., Any], *, reader: bool) -> Callable[..., Any]:
        """Return a function that does what another does, and counts its time."""

        def outer(*args: Any, **kwargs: Any) -> Any:
            began = time.process_time()
            try:
                return inner(*args, **kwargs)
            finally:
                self.taken[stage] += time.process_time() - began

        def deferred(*args: Any, **kwargs: Any) -> Callable[[Any], Any]:
            run = inner(*args, **kwargs)
            return lambda deps: outer_of(run, deps)

        def outer_of(run: Callable[[Any], Any], deps: Any) -> Any:
            began = time.process_time()
            try:
                return run(deps)
            finally:
                self.taken[stage] += time.process_time() - began

        return deferred if reader else outer


@contextmanager
def watched() -> Iterator[Watches]:
    """Count the time of every stage meanwhile."""
    watches = Watches()
    with ExitStack() as stack:
        for stage, places in STAGES.items():
            for owner, name in places:
                reader = name in READERS and owner is not Mirror
                made = watches.around(stage, getattr(owner, name), reader=reader)
                stack.enter_context(patch.object(owner, name, made))
        yield watches

"""A progress bar on a terminal, on stderr; nothing at all anywhere else."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TypeAlias

Advance: TypeAlias = Callable[[int], object]
"""Called with how many are done, of the total."""


@contextmanager
def progress(label: str, total: int) -> Generator[Advance]:
    """Show how far a piece of work has come while the block runs."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    # Rich is not loaded where nobody looks.
    from rich.console import Console  # noqa: PLC0415
    from rich.markup import escape  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(escape(label), total=total)
        yield lambda done: bar.update(task, completed=done)

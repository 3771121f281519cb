"""What every command shares: lines for people, and errors told with their exit code."""

import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager

import typer

from pce_memory.errors import MemoryFault
from pce_memory.surface import render
from pce_memory.surface.exit_codes import INTERRUPTED, exit_code


def say(lines: Sequence[str]) -> None:
    """Write lines to the standard output."""
    for line in lines:
        typer.echo(line)


def tell(lines: Sequence[str]) -> None:
    """Write lines to the standard error."""
    for line in lines:
        typer.echo(line, err=True)


def is_unicode() -> bool:
    """Return whether the standard output takes any character."""
    return (sys.stdout.encoding or "").casefold().replace("-", "").startswith("utf")


@contextmanager
def errors_told() -> Generator[None]:
    """Tell an error of the memory in two lines, and end with its exit code."""
    try:
        yield
    except MemoryFault as fault:
        tell(render.error_lines(fault.error))
        raise typer.Exit(exit_code(fault.error)) from None
    except KeyboardInterrupt:
        tell(["interrupted; what was finished is kept"])
        raise typer.Exit(INTERRUPTED) from None

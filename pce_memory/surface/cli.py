"""The command `pce-memory`: ingest files, activate a query, run the demo."""

import io
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand

from pce_memory import __version__
from pce_memory.domain.context import ActivationResult
from pce_memory.domain.vocabulary import SCOPES, SOURCE_TYPES, Scope, SourceType
from pce_memory.errors import CoreError, InvalidParameter, MemoryFault, PathUnusable, shown
from pce_memory.memory import IN_RAM, Memory
from pce_memory.result import fold
from pce_memory.surface import (
    policy_apply,
    policy_check,
    policy_diff,
    policy_show,
    policy_test,
    render,
)
from pce_memory.surface.exit_codes import exit_code
from pce_memory.surface.ingest import Report, ingest as ingest_from
from pce_memory.surface.policy_app import policy_app
from pce_memory.surface.progress import progress
from pce_memory.surface.reading import STDIN, Limits, Source, opened
from pce_memory.surface.telling import errors_told, is_unicode, say, tell

MOST_FAULTS_SHOWN = 20

app = typer.Typer(
    name="pce-memory",
    help="A memory for agents in one local file, under a policy people write.",
    no_args_is_help=True,
    add_completion=False,
    # A traceback with local variables could show what the memory keeps to itself.
    pretty_exceptions_enable=False,
)

app.add_typer(policy_app)
COMMANDS = (policy_apply, policy_check, policy_diff, policy_show, policy_test)
"""Modules whose commands register themselves."""

Db = Annotated[str, typer.Option("--db", help="The memory's file.")]
Embedder = Annotated[
    str,
    typer.Option(
        "--embedder",
        help="use-multilingual, e5, hashing, or sentence-transformers:NAME. A memory is opened "
        "with the one it was made with.",
    ),
]

T = TypeVar("T")


def main() -> None:
    """Run the command line; no error of the memory ends in a traceback."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character must not end the program.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    app()


def _say_version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(f"pce-memory {__version__}")
        raise typer.Exit


@app.callback()
def options(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_say_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Keep what an agent sees, and find what bears on its next step."""


@app.command()
def ingest(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            help="Texts, Markdown, or chat transcripts in JSONL (a line: role, content, "
            "timestamp; a time without a zone is UTC). - is the standard input.",
        ),
    ],
    *,
    db: Db = "agent.duckdb",
    source_type: Annotated[
        str | None, typer.Option(help="chat, tool, file, http or system, for all of it.")
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(help="default, dev, team, org, or a YAML file: put in force before reading."),
    ] = None,
    embedder: Embedder = "use-multilingual",
) -> None:
    """Read files into a memory, which is made if it is not there.

    The same file again adds nothing; a transcript that has grown adds what is new.
    """
    with errors_told():
        kind: SourceType | None = None
        if source_type is not None:
            kind = _one_of("--source-type", source_type, SOURCE_TYPES)
        _refuse_ram(db)
        _refuse_missing(files)
        with Memory.open(db, policy=policy, embedder=embedder) as memory:
            report = _ingested(memory, files, kind)
        say([f"{db}: {render.plural(len(files), 'file')} read", *report.lines()])
        _exit_for(report.faults)


def _ingested(memory: Memory, files: Sequence[str], source_type: SourceType | None) -> Report:
    extraction = memory.policy().extraction
    limits = Limits(extraction.max_bytes, extraction.max_claims)
    report = Report()
    for path in files:
        fold(
            opened(path),
            ok=lambda source: _read_into(memory, source, limits, report, source_type),
            err=report.faults.append,
        )
    return report


def _read_into(
    memory: Memory, source: Source, limits: Limits, report: Report, source_type: SourceType | None
) -> None:
    with closing(source), progress(source.name, source.size) as advance:
        ingest_from(memory, source, limits, report, advance, source_type=source_type)


def _refuse_ram(db: str | None) -> None:
    """Keep nothing where it would be gone at once."""
    if db == IN_RAM:
        reason = "a memory in RAM ends with the command; name a file"
        raise MemoryFault(InvalidParameter("--db", reason))


def _refuse_missing(files: Sequence[str]) -> None:
    """Make no memory where there is nothing to put into it."""
    if not any(path == STDIN or _is_there(path) for path in files):
        raise MemoryFault(InvalidParameter("FILE", f"there is no file {', '.join(files)}"))


class QueryCommand(TyperCommand):
    """A command whose argument may begin with a hyphen: "-kitchen lamp" leaves out kitchens."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401
        """Parse; what begins with one hyphen is no option, and with two a wrong one is told."""
        # Which module has this Context depends on the version of typer.
        ctx.ignore_unknown_options = any(one[:1] == "-" != one[1:2] for one in args)
        return super().parse_args(ctx, args)


@app.command(cls=QueryCommand)
def activate(  # noqa: PLR0913 - each is an option
    query: Annotated[
        str, typer.Argument(metavar="QUERY", help="A question or some words, in any language.")
    ],
    *,
    db: Db = "agent.duckdb",
    top_k: Annotated[int | None, typer.Option(help="At most so many items, 1 to 100.")] = None,
    scope: Annotated[
        list[str] | None, typer.Option(help="session, project or principle; may be repeated.")
    ] = None,
    allow: Annotated[
        list[str] | None, typer.Option(help="What the answer is for; may be repeated.")
    ] = None,
    meta: Annotated[bool, typer.Option("--meta", help="Show every number of a score.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    embedder: Embedder = "use-multilingual",
) -> None:
    """Show what a memory holds that bears on a query, the best first."""
    with errors_told():
        if not _is_there(db):
            reason = "there is no file; make a memory with: pce-memory ingest FILE --db PATH"
            raise MemoryFault(PathUnusable(db, reason))
        wanted: list[Scope] | None = (
            None if scope is None else [_one_of("--scope", one, SCOPES) for one in scope]
        )
        with Memory.open(db, embedder=embedder) as memory:
            found = memory.activate(
                query, top_k=top_k, scope=wanted, allow=allow, include_meta=meta
            )
        _show(found, meta=meta, as_json=as_json)


def _show(found: ActivationResult, *, meta: bool, as_json: bool) -> None:
    tell([f"warning: {one}" for one in found.warnings])
    if as_json:
        typer.echo(render.as_json(found, ascii_only=not is_unicode()))
        return
    say(render.as_text(found, render.paint_for(sys.stdout), meta=meta))


@app.command()
def demo(
    *,
    db: Annotated[
        str | None, typer.Option("--db", help="Where to make the memory; else a new folder.")
    ] = None,
    embedder: Embedder = "use-multilingual",
) -> None:
    """Show the whole loop on a week of chat, in English and Japanese."""
    from pce_memory.surface.demo import run_demo  # noqa: PLC0415

    with errors_told():
        _refuse_ram(db)
        run_demo(db, embedder=embedder, paint=render.paint_for(sys.stdout), say=typer.echo)


def _exit_for(faults: Sequence[CoreError]) -> None:
    """Tell what could not be taken, and end with the exit code of the first."""
    if not faults:
        return
    tell([render.error_lines(error)[0] for error in faults[:MOST_FAULTS_SHOWN]])
    if len(faults) > MOST_FAULTS_SHOWN:
        tell([f"and {len(faults) - MOST_FAULTS_SHOWN} more"])
    tell(["  Everything else was kept. Mend these and run it again: nothing is added twice."])
    raise typer.Exit(exit_code(faults[0]))


def _one_of(name: str, given: str, choices: tuple[T, ...]) -> T:
    for choice in choices:
        if choice == given:
            return choice
    reason = f"{shown(given)} is not one of {', '.join(map(str, choices))}"
    raise MemoryFault(InvalidParameter(name, reason))


def _is_there(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # no name that a file could have
        return False

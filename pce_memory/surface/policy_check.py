"""The commands `policy check` and `policy schema`: what is wrong with a policy, and its shape."""

from enum import StrEnum
from typing import Annotated

import typer

from pce_memory.surface.policy_app import policy_app
from pce_memory.surface.telling import errors_told, say

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE",
        help="Policies in YAML, or default, dev, team, org; - is the standard input.",
    ),
]


class Format(StrEnum):
    """How `policy check` tells what it found."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"


@policy_app.command()
def check(
    files: Files,
    *,
    style: Annotated[Format, typer.Option("--format", help="How to tell it.")] = Format.TEXT,
    strict: Annotated[bool, typer.Option("--strict", help="Let warnings fail too.")] = False,
) -> None:
    """Tell every error and warning of policies, each with its place.

    Ends with 1 if there is an error, or with --strict a warning; else with 0.
    """
    # These load the parser of policies, which no other command needs at its start.
    from pce_memory.surface.policy_files import checked_files  # noqa: PLC0415
    from pce_memory.surface.policy_formats import FORMATS, counts  # noqa: PLC0415

    with errors_told():
        checked = checked_files(files)
        say(list(FORMATS[style](checked)))
    errors, warnings = counts(checked)
    raise typer.Exit(1 if errors or (strict and warnings) else 0)


@policy_app.command()
def schema() -> None:
    """Print the JSON schema of policies, for editors that complete and check as you type."""
    import json  # noqa: PLC0415

    from pce_memory.policy.source import policy_schema  # noqa: PLC0415

    typer.echo(json.dumps(policy_schema(), indent=2, ensure_ascii=False))

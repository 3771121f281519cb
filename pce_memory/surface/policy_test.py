"""The command `policy test`: the tests a policy carries, reported as a test runner does."""

from enum import StrEnum
from typing import Annotated

import typer

from pce_memory.surface.policy_app import policy_app
from pce_memory.surface.policy_check import Files
from pce_memory.surface.telling import errors_told, say


class Report(StrEnum):
    """How `policy test` tells how the tests came out."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"


@policy_app.command("test")
def run_tests_of(
    files: Files,
    *,
    only: Annotated[
        str, typer.Option("-k", metavar="TEXT", help="Run only tests whose name holds this.")
    ] = "",
    style: Annotated[Report, typer.Option("--format", help="How to tell it.")] = Report.TEXT,
) -> None:
    """Run the tests that policies carry under the key tests.

    Ends with 0 if every test passed; with 1 if one failed, a policy cannot be read, or no test
    was run at all.
    """
    # These load the parser of policies, which no other command needs at its start.
    from pce_memory.surface.policy_files import checked_files  # noqa: PLC0415
    from pce_memory.surface.policy_trials import REPORTS, passed, run  # noqa: PLC0415

    with errors_told():
        runs = [run(file, only) for file in checked_files(files)]
        say(list(REPORTS[style](runs)))
    raise typer.Exit(0 if passed(runs) else 1)

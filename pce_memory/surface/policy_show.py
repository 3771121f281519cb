"""The command `policy show`: a policy with every key, and where each value comes from."""

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from pce_memory.errors import InvalidParameter, InvalidPolicy, MemoryFault, or_raise
from pce_memory.surface.policy_app import policy_app
from pce_memory.surface.reading import STDIN
from pce_memory.surface.telling import errors_told, is_unicode

if TYPE_CHECKING:
    from pce_memory.policy.source import Reading


class Format(StrEnum):
    """How `policy show` writes a policy."""

    YAML = "yaml"
    JSON = "json"


@policy_app.command()
def show(
    policy: Annotated[
        str | None,
        typer.Argument(
            metavar="[POLICY]",
            help="default, dev, team, org, or a YAML file; - is the standard input.",
        ),
    ] = None,
    *,
    db: Annotated[
        str | None, typer.Option("--db", help="A memory's file: show the policy in force there.")
    ] = None,
    style: Annotated[Format, typer.Option("--format", help="How to write it.")] = Format.YAML,
    origin: Annotated[
        bool, typer.Option("--origin/--no-origin", help="Say where each value comes from.")
    ] = True,
) -> None:
    """Show the policy that results: every key, what it extends joined in, defaults filled in.

    Without a policy and a memory, the packaged default is shown. What is printed is a policy that
    means the same and extends nothing.
    """
    from pce_memory.policy.effective import effective_json, effective_yaml  # noqa: PLC0415

    with errors_told():
        reading = sound(_reading(policy, db))
        if style is Format.YAML:
            typer.echo(effective_yaml(reading, origin=origin), nl=False)
        else:
            typer.echo(effective_json(reading, origin=origin, ascii_only=not is_unicode()))


def _reading(policy: str | None, db: str | None) -> "Reading":
    from pce_memory.opening.policies import policy_in_force  # noqa: PLC0415

    if db is None:
        return reading_of(policy or "default")
    if policy is not None:
        reason = "name a policy or a memory, not both; policy diff compares two"
        raise MemoryFault(InvalidParameter("--db", reason))
    return or_raise(policy_in_force(db))


def reading_of(policy: str) -> "Reading":
    """Return what a policy says that is named: a packaged one, a file, or the standard input."""
    from pce_memory.adapters.policy_files import MOST, decoded  # noqa: PLC0415
    from pce_memory.opening.policies import policy_reading  # noqa: PLC0415
    from pce_memory.policy.source import read_policy  # noqa: PLC0415

    if policy != STDIN:
        return or_raise(policy_reading(policy))
    text = decoded(sys.stdin.buffer.read(MOST)).alt(lambda why: InvalidParameter("policy", why))
    return read_policy(or_raise(text), "<stdin>")


def sound(reading: "Reading") -> "Reading":
    """Return a reading, or tell its faults and end."""
    if reading.faults:
        raise MemoryFault(InvalidPolicy(reading.rendered()))
    return reading

"""The command `policy diff`: what changes for whom from one policy to another."""

import json
from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from pce_memory.surface import render
from pce_memory.surface.policy_app import policy_app
from pce_memory.surface.policy_show import reading_of, sound
from pce_memory.surface.telling import errors_told, say

if TYPE_CHECKING:
    from pce_memory.policy.difference import Difference
    from pce_memory.policy.source import Reading

DIFFERENT = 1


class Format(StrEnum):
    """How `policy diff` tells what differs."""

    TEXT = "text"
    JSON = "json"


@policy_app.command()
def diff(
    before: Annotated[
        str, typer.Argument(metavar="A", help="default, dev, team, org, a YAML file, or -.")
    ],
    after: Annotated[str, typer.Argument(metavar="B", help="What is compared with it.")],
    *,
    style: Annotated[Format, typer.Option("--format", help="How to tell it.")] = Format.TEXT,
) -> None:
    """Tell in sentences what B changes for whom, what it relaxes first.

    Ends with 0 if both mean the same, with 1 if they differ, and with 2 if one cannot be read.
    """
    from pce_memory.policy.difference import differences  # noqa: PLC0415

    with errors_told():
        first, second = (sound(reading_of(one)) for one in (before, after))
        found = differences(*(one.policy for one in (first, second) if one.policy))
        tell = _as_json if style is Format.JSON else _as_text
        say(tell(first, second, found))
        raise typer.Exit(DIFFERENT if found else 0)


def _as_text(first: "Reading", second: "Reading", found: "tuple[Difference, ...]") -> list[str]:
    names = " → ".join(
        f"{_file(one)} {one.policy.version}" for one in (first, second) if one.policy
    )
    if not found:
        return [f"{names}: no difference"]
    counts = Counter(one.effect for one in found)
    head = ", ".join(f"{count} {effect}" for effect, count in counts.items())
    return [
        f"{names}: {head}",
        *(f"  {one.effect:<8}  {render.one_line(one.sentence)}" for one in found),
    ]


def _as_json(first: "Reading", second: "Reading", found: "tuple[Difference, ...]") -> list[str]:
    told = {
        **{
            side: {"file": _file(one), "version": one.policy.version if one.policy else None}
            for side, one in (("before", first), ("after", second))
        },
        "changes": [
            {"effect": one.effect, "path": one.path, "sentence": one.sentence} for one in found
        ],
    }
    return [json.dumps(told, indent=2)]


def _file(reading: "Reading") -> str:
    return next(iter(reading.texts))

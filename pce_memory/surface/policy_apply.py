"""The commands `policy apply` and `policy explain`: a policy on a real file."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from pce_memory.domain.vocabulary import SCOPES, Scope
from pce_memory.errors import InvalidParameter, MemoryFault, PathUnusable
from pce_memory.memory import IN_RAM, Memory
from pce_memory.policy.tags import slips_of
from pce_memory.surface.policy_app import policy_app
from pce_memory.surface.telling import errors_told, say

if TYPE_CHECKING:
    from pce_memory.domain.explanation import Explanation
    from pce_memory.domain.impact import Affected, AudienceImpact, PolicyImpact

Db = Annotated[str, typer.Option("--db", help="The memory's file.")]


Policy = Annotated[
    str, typer.Argument(metavar="POLICY", help="default, dev, team, org, or a YAML file.")
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Count what would change, and change nothing.")
]
Ids = Annotated[bool, typer.Option("--ids", help="Name the claims of a dry run.")]
Audience = Annotated[
    list[str] | None,
    typer.Option("--allow", help="Count for the holders of this tag; may be repeated."),
]
Expected = Annotated[str | None, typer.Option(help="Only if this version is in force.")]
Approver = Annotated[str | None, typer.Option(help="Who answers for it.")]
Downgrade = Annotated[bool, typer.Option("--allow-downgrade", help="Also over a higher version.")]


@policy_app.command()
def apply(  # noqa: PLR0913 - the options of a command
    policy: Policy,
    *,
    db: Db = "agent.duckdb",
    dry_run: DryRun = False,
    ids: Ids = False,
    allow: Audience = None,
    expected_version: Expected = None,
    approver: Approver = None,
    allow_downgrade: Downgrade = False,
) -> None:
    """Put a policy in force in a memory, or say what that would change."""
    with errors_told(), _opened(db, read_only=dry_run) as memory:
        given = _policy(policy)
        before = memory.policy()
        # A dry run asks first what the run would: it is refused for every reason that the run is.
        version = memory.apply_policy(
            given,
            validate_only=dry_run,
            expected_version=expected_version,
            approver=approver,
            allow_downgrade=allow_downgrade,
        )
        if dry_run:
            say(impact_lines(memory.preview_policy(given, allow=allow or (), ids=ids)))
            return
        say([f"{db}: policy {version} is in force{_since(version, before.version)}"])
        say(warning_lines(slips_of(allow or (), before, memory.policy())))


@policy_app.command()
def explain(
    claim: Annotated[str, typer.Argument(metavar="CLAIM", help="The id of a claim.")],
    *,
    db: Db = "agent.duckdb",
    allow: Annotated[
        list[str] | None, typer.Option("--allow", help="A tag of the caller; may be repeated.")
    ] = None,
    scope: Annotated[
        list[str] | None, typer.Option("--scope", help="A scope that is asked; may be repeated.")
    ] = None,
    boundary_class: Annotated[
        list[str] | None, typer.Option("--class", help="A class the caller may have; all if none.")
    ] = None,
) -> None:
    """Say why a caller sees a claim or does not, check by check. The text is not shown."""
    with errors_told(), _opened(db, read_only=True) as memory:
        boundary = memory.results.boundary.model_copy(
            update={
                "boundary_classes": tuple(boundary_class or ("public", "internal", "pii")),
            }
        )
        told = memory.explain(
            claim,
            boundary=boundary,
            allow=tuple(allow or ("answer:task",)),
            scope=cast("tuple[Scope, ...]", tuple(scope or SCOPES)),
        )
        say(explanation_lines(told))


def _since(version: str, before: str) -> str:
    return " (it was in force already)" if version == before else f"; before it was {before}"


def _opened(db: str, *, read_only: bool) -> Memory:
    if db == IN_RAM:
        raise MemoryFault(
            InvalidParameter("--db", "a memory in RAM has no claims yet; name a file")
        )
    if not Path(db).exists():
        raise MemoryFault(PathUnusable(db, "there is no such file"))
    # No text is embedded or indexed here, so the file's own model and tokenizer are not needed.
    return Memory.open(
        db, embedder="hashing", allow_reembed=True, allow_reindex=True, read_only=read_only
    )


def _policy(policy: str) -> str | Path:
    from pce_memory.policy.bases import PACKAGED  # noqa: PLC0415

    return policy if policy in PACKAGED else Path(policy)


def impact_lines(impact: "PolicyImpact") -> list[str]:
    """Return what a policy would change, in sentences."""
    lines = [f"policy {impact.version_before} -> {impact.version_after}: nothing was changed"]
    for one in impact.audiences:
        lines += _audience(one)
    groups = (
        (impact.redacted, "would be shown in other words, as redaction changes"),
        (impact.expired, "would be past the ttl of {its} scope, and erased by maintain"),
        (impact.queued, "{is} of a class whose new claims would wait for a human review"),
        (impact.denied, "{is} of a class of which no new claim would be kept"),
    )
    for group, sentence in groups:
        if group.count:
            single = group.count == 1
            words = sentence.replace("{its}", "its" if single else "their")
            lines.append(f"{_claims(group)} {words.replace('{is}', 'is' if single else 'are')}")
            lines += _named(group)
    return [*lines, *warning_lines(impact.warnings)]


def warning_lines(warnings: Sequence[str]) -> list[str]:
    """Return a line for each warning."""
    return [f"warning: {one}" for one in warnings]


def _audience(one: "AudienceImpact") -> list[str]:
    who = "anybody, under any tag," if one.tag == "*" else f"who holds {one.tag}"
    if not one.appear.count and not one.disappear.count:
        return [f"{who} sees {one.before} as before"]
    lines = [f"{who} sees {one.after} instead of {one.before}"]
    for group, verb in ((one.appear, "become visible"), (one.disappear, "become hidden")):
        if group.count:
            verb_form = verb.replace("become", "becomes") if group.count == 1 else verb
            lines += [f"  {_claims(group)} {verb_form}", *_named(group)]
    return lines


def _claims(group: "Affected") -> str:
    return f"{group.count} claim" + ("" if group.count == 1 else "s")


def _named(group: "Affected") -> list[str]:
    return [f"    {one}" for one in group.ids]


def explanation_lines(told: "Explanation") -> list[str]:
    """Return why a claim is shown or not, a line for each check."""
    lines = [
        f"{'ok  ' if one.passed else 'STOP'} {one.check}: {one.detail}" for one in told.checks
    ]
    if told.shown:
        taken = ", ".join(f"{name} {count}" for name, count in sorted(told.redacted.items()))
        end = f"shown; taken out of its text: {taken}" if taken else "shown as it is"
    else:
        end = f"hidden by {told.decided_by}"
    last = f"{told.claim_id} is {end} (policy {told.policy_version})"
    return [*lines, last, *warning_lines(told.warnings)]

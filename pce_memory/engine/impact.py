"""What a policy would change on this file, counted before it is put in force."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.ids import ClaimId
from pce_memory.domain.impact import Affected, AudienceImpact, PolicyImpact, PreviewQuery
from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, SCOPES
from pce_memory.errors import CoreError, StoreError
from pce_memory.policy.escalation import escalation_of
from pce_memory.policy.outgoing import text_out
from pce_memory.policy.tags import slips_of
from pce_memory.result import collect, reader
from pce_memory.store import claims as claim_rows, erasure, impact as rows_of_file, search
from pce_memory.store.visibility import view_if_any

CHUNK: Final = 2_000
"""So many texts are looked at together."""

ANYBODY: Final = "any-other-tag"
"""Stands for a tag that no policy names: what `*` alone shows."""


@dataclass(frozen=True, slots=True)
class Audience:
    """Who holds one tag, and the claims they see under each of two policies."""

    tag: str
    before: frozenset[int]
    after: frozenset[int]


@reader
def policy_impact(
    deps: CoreDeps, before: Policy, after: Policy, wanted: PreviewQuery
) -> Result[PolicyImpact, CoreError]:
    """Return what changes for the holders of each tag, and for the claims themselves.

    Without tags, all that either policy names. Ids are told where they are asked for.
    """

    def work() -> Result[PolicyImpact, CoreError]:
        return Result.do(
            told
            for audiences in collect(
                _audience(deps, tag, before, after)
                for tag in wanted.allow or tags_of(before, after)
            )
            for living in rows_of_file.living()(deps)
            for redacted in _redacted(deps, audiences, before, after)
            for expired in _expired(deps, living, before, after)
            for told in _told(
                deps,
                _Changes(
                    before,
                    after,
                    audiences,
                    living,
                    redacted,
                    expired,
                    slips_of(wanted.allow, before, after),
                ),
                ids=wanted.ids,
            )
        )

    return deps.db.snapshot(work)


def tags_of(*policies: Policy) -> tuple[str, ...]:
    """Return the tags and patterns that policies show classes to, each once."""
    names = (
        tag
        for policy in policies
        for name in BOUNDARY_CLASSES
        for tag in policy.boundary_classes.of(name).allow
    )
    return tuple(sorted(dict.fromkeys(names)))


@dataclass(frozen=True, slots=True)
class _Changes:
    """What two policies make of one file."""

    before: Policy
    after: Policy
    audiences: tuple[Audience, ...]
    living: Mapping[int, str]
    redacted: tuple[int, ...]
    expired: tuple[int, ...]
    slips: tuple[str, ...]


def _audience(
    deps: CoreDeps, tag: str, before: Policy, after: Policy
) -> Result[Audience, CoreError]:
    return Result.do(
        Audience(tag, first, second)
        for first in _seen(deps, tag, before)
        for second in _seen(deps, tag, after)
    )


def _seen(deps: CoreDeps, tag: str, policy: Policy) -> Result[frozenset[int], CoreError]:
    """Return what the holders of a tag see; a pattern is tried with a tag under it."""
    held = tag.removesuffix("*") + ANYBODY if tag.endswith("*") else tag
    everything = Boundary(scope=SCOPES, allow=(held,), boundary_classes=BOUNDARY_CLASSES)
    return Result.do(
        rows
        for seen in view_if_any(everything, policy)(deps)
        for rows in (
            Success(frozenset[int]())
            if seen is None
            else search.visible_rows(seen.visible)(deps).map(frozenset)
        )
    )


def _redacted(
    deps: CoreDeps, audiences: Sequence[Audience], before: Policy, after: Policy
) -> Result[tuple[int, ...], CoreError]:
    """Return the claims that both policies show, in other words."""
    if _redaction(before) == _redaction(after):
        return Success(())
    both = sorted({row for one in audiences for row in one.before & one.after})
    chunks = [both[start : start + CHUNK] for start in range(0, len(both), CHUNK)]
    return collect(_reworded(deps, chunk, before, after) for chunk in chunks).map(
        lambda groups: tuple(row for group in groups for row in group)
    )


def _redaction(policy: Policy) -> tuple[object, ...]:
    lists = (policy.boundary_classes.of(name).redact for name in BOUNDARY_CLASSES)
    return (*lists, dict(policy.redact_policies))


def _reworded(
    deps: CoreDeps, row_ids: Sequence[int], before: Policy, after: Policy
) -> Result[tuple[int, ...], StoreError]:
    def differs(claim: AnyClaim) -> bool:
        return text_out(claim, before).text != text_out(claim, after).text

    return claim_rows.fetch(row_ids, after, now=deps.clock())(deps).map(
        lambda rows: tuple(row for row, one in sorted(rows.items()) if differs(one.claim))
    )


def _expired(
    deps: CoreDeps, living: Mapping[int, str], before: Policy, after: Policy
) -> Result[tuple[int, ...], StoreError]:
    """Return the claims that live under the first policy and not under the second."""
    return Result.do(
        tuple(row for row in then if row in living and row not in now)
        for then in erasure.expired(after)(deps)
        for now in erasure.expired(before)(deps).map(frozenset)
    )


def _escalated(changes: _Changes, what: str) -> tuple[int, ...]:
    """Return the claims of classes that come under an escalation only with the second policy."""
    names = {
        name
        for name in BOUNDARY_CLASSES
        if escalation_of(name, changes.after) == what
        and escalation_of(name, changes.before) != what
    }
    return tuple(row for row, name in changes.living.items() if name in names)


def _told(deps: CoreDeps, changes: _Changes, *, ids: bool) -> Result[PolicyImpact, StoreError]:
    groups = {
        "redacted": changes.redacted,
        "expired": changes.expired,
        "queued": _escalated(changes, "human_review"),
        "denied": _escalated(changes, "deny"),
    }
    moved = [one.before ^ one.after for one in changes.audiences]
    wanted = sorted({row for group in (*groups.values(), *moved) for row in group})
    return erasure.claim_ids(wanted if ids else ())(deps).map(
        lambda known: PolicyImpact(
            version_before=changes.before.version,
            version_after=changes.after.version,
            audiences=tuple(_impact(one, known) for one in changes.audiences),
            warnings=changes.slips,
            **{name: _affected(rows, known) for name, rows in groups.items()},
        )
    )


def _impact(one: Audience, known: Mapping[int, ClaimId]) -> AudienceImpact:
    return AudienceImpact(
        tag=one.tag,
        before=len(one.before),
        after=len(one.after),
        appear=_affected(sorted(one.after - one.before), known),
        disappear=_affected(sorted(one.before - one.after), known),
    )


def _affected(rows: Iterable[int], known: Mapping[int, ClaimId]) -> Affected:
    listed = tuple(rows)
    return Affected(count=len(listed), ids=tuple(known[row] for row in listed if row in known))

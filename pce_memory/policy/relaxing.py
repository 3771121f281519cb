"""What a policy relaxes of its base: only what `relax` gives a reason for."""

import json
from collections.abc import Iterable, Iterator
from typing import Final, cast

from pce_memory.domain.boundary import InvariantDefinition
from pce_memory.domain.policy import Policy
from pce_memory.policy.faults import Loc, Located, path_of
from pce_memory.policy.merged import OWN, Node
from pce_memory.policy.strictness import ANY, LISTS, RULES, Change, changes, leaves
from pce_memory.policy.wording import suggestion

UNUSED: Final = "unused-relax"
_MOST_TAGS: Final = 8


class Relaxing:
    """One policy over its base: what its `relax` covers, and what it says for nothing."""

    def __init__(self, own: Node, base: Policy, extends: str) -> None:
        self._own = own
        self._base = base
        self._extends = extends
        self._said = _said(own)

    def covers(self, loc: Loc) -> bool:
        """Return whether a reason is given for a path, or for one it stands under."""
        return not self._said.isdisjoint(_beginnings(loc))

    def unsaid(self, policy: Policy, root: Node) -> Iterator[Located]:
        """Yield what is looser than the base without a reason."""
        for change in self._loosened(policy):
            if not self.covers(change.path):
                node, rest = root.find(_loc(change, root))
                loc = (*node.loc, *rest)
                yield Located(node.document.where(loc), path_of(loc), self._told(change))

    def unknown(self, policy: Policy) -> Iterator[Located]:
        """Yield the paths under `relax` that no key has."""
        known = _known(self._base, policy)
        for path in self._said - known:
            near = suggestion(path, sorted(known))
            is_own = path.partition(".")[0] in OWN
            reason = "is not taken over from a base" if is_own else f"no key has this path{near}"
            yield _on_key(self._own, path, reason)

    def unused(self, policy: Policy) -> Iterator[Located]:
        """Yield the paths under `relax` by which nothing is relaxed."""
        used = {one for change in self._loosened(policy) for one in _beginnings(change.path)}
        yield from _unused(self._own, self._said - used, "nothing is relaxed by this; take it out")

    def _loosened(self, policy: Policy) -> list[Change]:
        return [one for one in changes(self._base, policy) if one.effect == "relaxes"]

    def _told(self, change: Change) -> str:
        path = json.dumps(".".join(change.path), ensure_ascii=False)
        has = self._had(change)
        return (
            f"looser than '{self._extends}', {has}; keep to it, or give the reason, as in "
            f'relax: {{{path}: "the reason"}}'
        )

    def _had(self, change: Change) -> str:
        before, path = change.before, change.path
        if path[-1] == "allow":
            tags = dict(leaves(self._base))[path]
            return f"which shows {path[1]} to {_listed(tags)} only"
        if isinstance(before, InvariantDefinition):
            return f"whose rule of this name is {before.rule!r} in {_listed(before.applies_to)}"
        return f"which has {_written(before)}"


def unused_without_base(root: Node) -> tuple[Located, ...]:
    """Return every path under `relax` of a policy that extends none."""
    return tuple(_unused(root, _said(root), "there is no base to relax; take it out"))


def _unused(own: Node, paths: Iterable[str], message: str) -> Iterator[Located]:
    for path in sorted(paths):
        found = _on_key(own, path, message)
        yield Located(found.where, found.path, message, severity="warning", code=UNUSED)


def _on_key(own: Node, path: str, message: str) -> Located:
    loc = ("relax", path)
    return Located(own.document.where(loc, key=True), path_of(loc), message)


def _said(own: Node) -> frozenset[str]:
    relax = own.child("relax")
    return frozenset(relax.entries if relax else ())


def _beginnings(loc: Loc) -> set[str]:
    """Return a path and all it stands under, as `relax` writes them."""
    parts = [str(part) for part in loc]
    return {".".join(parts[:size]) for size in range(1, len(parts) + 1)}


def _known(*policies: Policy) -> frozenset[str]:
    fixed = (path[: path.index(ANY)] if ANY in path else path for path in (*RULES, *LISTS))
    found = (path for policy in policies for path, _ in leaves(policy))
    return frozenset(
        beginning
        for path in (*fixed, *found)
        if path[0] not in OWN
        for beginning in _beginnings(path)
    )


def _loc(change: Change, root: Node) -> Loc:
    """Return the place of a change among the values: a rule and a tag stand in a list."""
    path = change.path
    section = root.child(path[0])
    if path[0] == "invariants" and section and isinstance(change.before, InvariantDefinition):
        names = [one.entries["name"].content for one in section.items]
        same = isinstance(change.after, InvariantDefinition) and (
            change.after.rule == change.before.rule
        )
        return ("invariants", names.index(path[1]), "applies_to" if same else "rule")
    node, rest = root.find(path)
    if change.path[-1] == "allow" and not rest:
        return (*path, [one.content for one in node.items].index(change.after))
    return path


def _listed(tags: object) -> str:
    names = cast("tuple[str, ...]", tags)
    more = f" and {len(names) - _MOST_TAGS} more" if len(names) > _MOST_TAGS else ""
    return ", ".join(names[:_MOST_TAGS]) + more if names else "nobody"


def _written(value: object) -> str:
    """Return a plain value as it is written in a policy."""
    return value if isinstance(value, str) else json.dumps(value, default=str)

"""What of a boundary decides what is seen, and whether another boundary sees as much. Pure."""

import json
from collections.abc import Mapping
from typing import Final, TypeAlias, cast

from pce_memory.deps import Digest
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.policy import Policy
from pce_memory.policy.boundary import narrow, narrowed_to

Reach: TypeAlias = Mapping[str, object]
_LISTS: Final = ("scope", "boundary_classes", "invariants")


def reach_of(boundary: Boundary, digest: Digest) -> Reach:
    """Return what of a narrowed boundary decides what is seen; the caller's values as a digest."""
    kept = boundary.model_dump(mode="json", include={"scope", "boundary_classes", "invariants"})
    values = json.dumps(dict(boundary.context), sort_keys=True)
    return {**kept, "context": digest(values)}


def is_reach(said: object) -> bool:
    """Return whether something that a file says is a reach, as `reach_of` returns one."""
    if not isinstance(said, dict):
        return False
    reach = cast("Mapping[str, object]", said)
    lists = all(isinstance(reach.get(name), list) for name in _LISTS)
    return lists and isinstance(reach.get("context"), str)


def used_under(boundary: Boundary, policy: Policy, digest: Digest) -> str:
    """Return a digest of what a caller reaches, and who he is: ids and keys he gives are his.

    A boundary that may write and see nothing is one by itself.
    """
    reached = narrow(boundary, policy).map(lambda found: narrowed_to(boundary, found))
    reach = reach_of(reached.value_or(boundary), digest)
    return digest(json.dumps({**reach, "actor": boundary.actor}, sort_keys=True))


def covers(mine: Reach, made: Reach) -> bool:
    """Return whether one reach shows all that another shows."""
    wide = all(_items(mine, key) >= _items(made, key) for key in ("scope", "boundary_classes"))
    rules = _items(mine, "invariants")
    # A rule may look at the context of a caller: another context is another rule.
    same = not rules or mine["context"] == made["context"]
    return wide and rules <= _items(made, "invariants") and same


def _items(reach: Reach, key: str) -> frozenset[str]:
    found = reach.get(key)
    items = cast("list[object]", found) if isinstance(found, list) else []
    return frozenset(json.dumps(one, sort_keys=True) for one in items)

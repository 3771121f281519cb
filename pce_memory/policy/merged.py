"""Policies laid over each other: one tree of values, each with the file it stands in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from pce_memory.policy.document import Document
from pce_memory.policy.faults import Loc

OWN: Final = ("version", "meta", "extends", "relax", "tests")
"""What a file says of itself; a policy that extends it does not take it over."""

Relaxed: TypeAlias = Callable[[Loc], bool]
"""Whether a child says why it relaxes the value at a path."""


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands: the file, and the path in it."""

    content: object
    document: Document
    loc: Loc

    @property
    def entries(self) -> Mapping[str, "Node"]:
        """The entries of a mapping; of anything else, none."""
        return cast("Mapping[str, Node]", self.content) if isinstance(self.content, dict) else {}

    @property
    def items(self) -> list["Node"]:
        """The items of a list; of anything else, none."""
        return cast("list[Node]", self.content) if isinstance(self.content, list) else []

    @property
    def data(self) -> object:
        """The plain value."""
        if isinstance(self.content, dict):
            return {name: child.data for name, child in self.entries.items()}
        if isinstance(self.content, list):
            return [child.data for child in self.items]
        return self.content

    def child(self, part: str | int) -> "Node | None":
        """Return one entry or item."""
        if isinstance(part, str):
            return self.entries.get(part)
        return self.items[part] if part < len(self.items) else None

    def find(self, loc: Loc) -> tuple["Node", Loc]:
        """Return the nearest value to a path, and what of the path does not stand here."""
        node = self
        for size, part in enumerate(loc):
            child = node.child(part)
            if child is None:
                return node, loc[size:]
            node = child
        return node, ()


def tree(document: Document) -> Node:
    """Return the values of one file."""
    return _tree(document.data, document, ())


def _tree(data: object, document: Document, loc: Loc) -> Node:
    if isinstance(data, dict):
        entries = cast("dict[str, object]", data)
        content: object = {
            name: _tree(value, document, (*loc, name)) for name, value in entries.items()
        }
    elif isinstance(data, list):
        values = cast("list[object]", data)
        content = [_tree(value, document, (*loc, at)) for at, value in enumerate(values)]
    else:
        content = data
    return Node(content, document, loc)


def over(base: Node, child: Node, relaxed: Relaxed) -> Node:
    """Return a child laid over its base: what the child does not say, the base says.

    Single values are taken from the child, and mappings are joined key by key. What a class
    redacts and the rules of a redact policy are united, unless the child says why it relaxes
    them. Invariants are joined by name. Any other list, and a map that is taken whole, is the
    child's.
    """
    kept = {name: node for name, node in base.entries.items() if name not in OWN}
    return _over(Node(kept, base.document, base.loc), child, (), relaxed)


_WHOLE: Final = frozenset({"half_life_days_by_kind", "half_life_days_by_scope", "lane_weights"})


def _over(base: Node, child: Node, loc: Loc, relaxed: Relaxed) -> Node:
    if loc == ("invariants",) and _are_lists(base, child):
        return _by_name(base, child)
    if _is_united(loc) and not relaxed(loc):
        if child.content is None:
            return base
        if _are_lists(base, child):
            known = [one.data for one in base.items]
            new = [one for one in child.items if one.data not in known]
            return Node([*base.items, *new], child.document, child.loc)
    if not isinstance(child.content, dict) or not isinstance(base.content, dict):
        return child
    if loc and loc[-1] in _WHOLE:
        return child
    entries = dict(base.entries)
    for name, node in child.entries.items():
        under = base.entries.get(name)
        entries[name] = _over(under, node, (*loc, name), relaxed) if under else node
    return Node(entries, child.document, child.loc)


def _are_lists(base: Node, child: Node) -> bool:
    return isinstance(base.content, list) and isinstance(child.content, list)


def _is_united(loc: Loc) -> bool:
    redact = len(loc) == 3 and loc[0] == "boundary_classes" and loc[2] == "redact"  # noqa: PLR2004
    rules = len(loc) == 3 and loc[0] == "redact_policies" and loc[2] == "rules"  # noqa: PLR2004
    return redact or rules


def _by_name(base: Node, child: Node) -> Node:
    """Return the base's rules, those of the same name replaced in their place, then the new."""
    own: dict[object, Node] = {}
    for one in child.items:
        _ = own.setdefault(_name(one), one)
    theirs = {_name(one) for one in base.items}
    joined = [own.get(_name(one), one) for one in base.items]
    # A rule that stands twice in the child stays there twice, so that it is told.
    new = [one for one in child.items if _name(one) not in theirs or own[_name(one)] is not one]
    return Node([*joined, *new], child.document, child.loc)


def _name(rule: Node) -> object:
    name = rule.child("name")
    # Without a name it is like no other; the shape of it is told elsewhere.
    return name.content if name and isinstance(name.content, str) else id(rule)

"""Read a policy and those it extends, from the bottom up: each is laid over the one below it."""

import posixpath
from dataclasses import dataclass, field

from returns.result import Failure, Result, Success

from pce_memory.domain.policy import Policy
from pce_memory.policy.bases import MAX_BASES, Find, is_packaged, key_of
from pce_memory.policy.document import MAX_BYTES, Document, read_document
from pce_memory.policy.faults import Located, path_of
from pce_memory.policy.judgement import judged, judged_alone
from pce_memory.policy.merged import Node, over, tree
from pce_memory.policy.relaxing import Relaxing, unused_without_base
from pce_memory.result import fold


@dataclass(frozen=True, slots=True)
class Layer:
    """One file laid over those it extends; it has a policy exactly if it has no faults."""

    root: Node
    policy: Policy | None
    faults: tuple[Located, ...]
    unused: tuple[Located, ...] = ()


@dataclass(slots=True)
class Chain:
    """The files a policy is made of: their texts by name, and those of the bases by key."""

    name: str
    find: Find
    stored: bool = False
    texts: dict[str, str] = field(default_factory=dict[str, str])
    bases: dict[str, str] = field(default_factory=dict[str, str])

    def read(self, text: str) -> Layer:
        """Return what the first file says, over all that it extends."""
        return self._layer(text, self.name, (posixpath.basename(self.name),))

    def _layer(self, text: str, name: str, keys: tuple[str, ...]) -> Layer:
        document = read_document(text, name, stored=self.stored)
        self.texts[name] = document.text
        said = tree(document).child("extends")
        extends = said.content if said else None
        if extends is None:
            return _alone(document, stored=self.stored)
        if not isinstance(extends, str) or not extends:
            return Layer(tree(document), None, (*document.faults, *judged_alone(tree(document))))
        return fold(
            self._base(extends, keys),
            ok=lambda base: _laid(document, base, extends, stored=self.stored),
            err=lambda reason: _without_base(document, reason),
        )

    def _base(self, extends: str, keys: tuple[str, ...]) -> Result[Layer, str]:
        return Result.do(
            self._layer(text, self._told(key), (*keys, key))
            for key in key_of(extends, keys[-1])
            for _ in _reachable(key, keys)
            for found in self.find(key)
            for text in self._kept(key, found)
        )

    def _kept(self, key: str, text: str) -> Result[str, str]:
        if len(text.encode(errors="replace")) > MAX_BYTES:
            return Failure(f"the file is larger than {MAX_BYTES // 1024} KiB")
        self.bases[key] = text
        return Success(text)

    def _told(self, key: str) -> str:
        """Return what a base is called: a file by where it is, as the first one is."""
        folder = posixpath.dirname(self.name)
        return key if is_packaged(key) else posixpath.join(folder, key)


def _reachable(key: str, keys: tuple[str, ...]) -> Result[None, str]:
    if key in keys:
        circle = " -> ".join((*keys[keys.index(key) :], key))
        return Failure(f"these policies extend each other in a circle: {circle}")
    if len(keys) > MAX_BASES:
        return Failure(f"a policy stands on at most {MAX_BASES} others")
    return Success(None)


def _alone(document: Document, *, stored: bool) -> Layer:
    root = tree(document)
    policy, faults = judged(root, stored=stored)
    told = (*document.faults, *faults)
    return Layer(root, None if told else policy, told, unused_without_base(root))


def _without_base(document: Document, reason: str) -> Layer:
    root, loc = tree(document), ("extends",)
    here = Located(document.where(loc), path_of(loc), reason)
    return Layer(root, None, (*document.faults, here, *judged_alone(root)))


def _laid(document: Document, base: Layer, extends: str, *, stored: bool) -> Layer:
    own = tree(document)
    if base.policy is None:
        return Layer(own, None, (*document.faults, *judged_alone(own), *base.faults))
    relaxing = Relaxing(own, base.policy, extends)
    root = over(base.root, own, relaxing.covers)
    policy, faults = judged(root, stored=stored)
    # The base has no faults: one that shows in it comes of what this file says.
    told = [*document.faults, *(one for one in faults if one.where.file == document.name)]
    told = told or faults
    if policy is not None:
        told += [*relaxing.unknown(policy), *relaxing.unsaid(policy, root)]
    if told or policy is None:
        return Layer(root, None, tuple(told))
    return Layer(root, policy, (), tuple(relaxing.unused(policy)))

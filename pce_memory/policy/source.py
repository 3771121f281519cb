"""Read a policy from YAML: the policy, or every fault of the text with its place."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from returns.result import Failure, Result, Success

from pce_memory.domain.policy import Policy
from pce_memory.errors import InvalidPolicy
from pce_memory.policy.bases import PACKAGED, Find, packaged_only
from pce_memory.policy.document import MAX_BYTES
from pce_memory.policy.faults import Loc, Located, Sources, Where, in_order, path_of, rendered
from pce_memory.policy.inheritance import Chain
from pce_memory.policy.merged import Node
from pce_memory.text.redact import REDACTION_KINDS

__all__ = ["MAX_BYTES", "Reading", "parse_policy", "policy_schema", "read_policy"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of a policy's text and of those it extends.

    `policy` is None exactly where there are faults. `texts` has the text of every file by its
    name, the one given first; `bases` has those it extends by their key, as they were found.
    """

    policy: Policy | None
    faults: tuple[Located, ...]
    unused_relax: tuple[Located, ...]
    texts: Mapping[str, str]
    bases: Mapping[str, str]
    root: Node = field(repr=False)

    @property
    def data(self) -> object:
        """The plain values, as they stand in the files."""
        return self.root.data

    def has(self, loc: Loc) -> bool:
        """Return whether a value stands in a file, rather than being a default."""
        return self.root.find(loc)[1] == ()

    def where(self, loc: Loc, *, key: bool = False, column: int = 1) -> Where:
        """Return where a value begins, or its key, or a character of its text, from 1.

        Of what stands nowhere, the place of the nearest value around it is returned.
        """
        node, rest = self.root.find(loc)
        return node.document.where((*node.loc, *rest), key=key, column=column)

    def path(self, loc: Loc) -> str:
        """Return a path as it is called in the file that the value stands in."""
        node, rest = self.root.find(loc)
        return path_of((*node.loc, *rest))

    def excerpt(self, where: Where) -> str:
        """Return the line of a place with a caret below the column; a secret is withheld."""
        return Sources(self.texts).excerpt(where)

    def rendered(self, faults: tuple[Located, ...] | None = None) -> tuple[str, ...]:
        """Return faults as an author sees them, each with its line: these, or all there are."""
        return rendered(self.faults if faults is None else faults, self.texts)


def read_policy(
    text: str, name: str = "policy.yaml", *, find: Find = packaged_only, stored: bool = False
) -> Reading:
    """Return what a policy's text says; `name` stands before every place in it.

    `find` returns the text of a policy that this one extends, by its key: `<default>` and the like
    for a packaged one, else a path from the folder of the first file. A `stored` policy was in
    force: what a policy may no longer say is no fault of it.
    """
    chain = Chain(name, find, stored=stored)
    layer = chain.read(text)
    return Reading(
        policy=layer.policy,
        faults=in_order(layer.faults, chain.texts),
        unused_relax=in_order(layer.unused, chain.texts),
        texts=chain.texts,
        bases=chain.bases,
        root=layer.root,
    )


def parse_policy(
    text: str, name: str = "policy.yaml", *, find: Find = packaged_only
) -> Result[Policy, InvalidPolicy]:
    """Return the policy a text says, or all its faults; `name` stands before every place."""
    reading = read_policy(text, name, find=find)
    if reading.policy is None:
        return Failure(InvalidPolicy(reading.rendered()))
    return Success(reading.policy)


def policy_schema() -> dict[str, object]:
    """Return the JSON schema of a policy; what a base may say is required only without one."""
    schema = Policy.model_json_schema()
    redact = schema["$defs"]["ClassPolicy"]["properties"]["redact"]
    _offer(redact["anyOf"][0]["items"], REDACTION_KINDS)
    _offer(schema["properties"]["extends"], PACKAGED)
    classes = schema["$defs"]["BoundaryClasses"]
    required = classes.pop("required")
    allow = schema["$defs"]["ClassPolicy"].pop("required")
    every = {"required": required, "additionalProperties": {"required": allow}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "required": ["version"],
        "if": {"properties": {"extends": {"type": "string"}}, "required": ["extends"]},
        "else": {"required": ["boundary_classes"], "properties": {"boundary_classes": every}},
        "title": "pce-memory policy",
    }


def _offer(node: dict[str, Any], words: Collection[str]) -> None:
    """Let an editor complete words that may stand where any text may."""
    bare = {key: node.pop(key) for key in ("type", "minLength", "maxLength") if key in node}
    node["anyOf"] = [{"enum": sorted(words), "type": "string"}, *node.get("anyOf", [bare])]

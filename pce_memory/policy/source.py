"""Read a policy from YAML: the policy, or every fault of the text with its place."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pydantic import ValidationError
from returns.result import Failure, Result, Success

from pce_memory.domain.policy import Policy
from pce_memory.errors import InvalidPolicy
from pce_memory.policy.checks import findings
from pce_memory.policy.document import MAX_BYTES, read_document
from pce_memory.policy.faults import Loc, Located, Sources, Where, in_order, path_of, rendered
from pce_memory.policy.merged import Node, tree
from pce_memory.policy.wording import ON_KEY, worded

__all__ = ["MAX_BYTES", "Reading", "parse_policy", "policy_schema", "read_policy"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of a policy's text and of those it extends.

    `policy` is None exactly where there are faults. `texts` has the text of every file by its
    name, the one given first.
    """

    policy: Policy | None
    faults: tuple[Located, ...]
    texts: Mapping[str, str]
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


def read_policy(text: str, name: str = "policy.yaml") -> Reading:
    """Return what a policy's text says; `name` stands before every place in it."""
    document = read_document(text, name)
    root = tree(document)
    policy, faults = _judged(root)
    ordered = in_order((*document.faults, *faults), [name])
    return Reading(None if ordered else policy, ordered, {name: document.text}, root)


def parse_policy(text: str, name: str = "policy.yaml") -> Result[Policy, InvalidPolicy]:
    """Return the policy a text says, or all its faults; `name` stands before every place."""
    reading = read_policy(text, name)
    if reading.policy is None:
        return Failure(InvalidPolicy(reading.rendered()))
    return Success(reading.policy)


def policy_schema() -> dict[str, object]:
    """Return the JSON schema of a policy."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Policy.model_json_schema(),
        "title": "pce-memory policy",
    }


def _judged(root: Node) -> tuple[Policy | None, list[Located]]:
    """Return the policy that values make, and what is wrong with their shape and meaning."""
    data = root.data
    try:
        # As JSON, because a list is a tuple there and a text is still no number.
        policy = Policy.model_validate_json(json.dumps(data), strict=True)
    except ValidationError as error:
        return None, [*_shape(root, error), *_meaning(root, data)]
    return policy, [*_meaning(root, data)]


def _shape(root: Node, error: ValidationError) -> Iterator[Located]:
    for item in error.errors(include_url=False, include_input=False):
        node, rest = root.find(item["loc"])
        document = node.document
        loc = document.nearest((*node.loc, *rest))
        on_key = item["type"] in ON_KEY or item["loc"][-1:] == ("[key]",)
        if not document.is_broken(loc):
            message = worded(item, document.values[loc].raw)
            yield Located(document.where(loc, key=on_key), path_of(loc), message)


def _meaning(root: Node, data: object) -> Iterator[Located]:
    for finding in findings(data):
        node, rest = root.find(finding.loc)
        document, loc = node.document, (*node.loc, *rest)
        if not document.is_broken(loc):
            note = ""
            if finding.column > 1 and document.is_folded(loc):
                note = f" (at character {finding.column} of this text)"
            where = document.where(loc, column=finding.column)
            yield Located(where, path_of(loc), finding.message + note)

"""Judge the values of a policy: the policy they make, or what is wrong with each and where."""

import json
from collections.abc import Iterable, Iterator

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from pce_memory.domain.policy import Policy
from pce_memory.policy.checks import Finding, findings
from pce_memory.policy.faults import Located, path_of
from pce_memory.policy.merged import Node
from pce_memory.policy.wording import ON_KEY, without_echoes, worded


def judged(root: Node, *, stored: bool = False) -> tuple[Policy | None, list[Located]]:
    """Return the policy that values make, and what is wrong with their shape and meaning."""
    data = root.data
    policy, errors = _validated(data)
    return policy, [*_shape(root, errors), *_meaning(root, findings(data, stored=stored))]


def judged_alone(root: Node) -> list[Located]:
    """Return what is wrong with values in any case, whatever the base is that cannot be read."""
    data = root.data
    shape = [error for error in _validated(data)[1] if error["type"] != "missing"]
    meaning = [one for one in findings(data) if one.loc[2:3] != ("redact",)]
    return [*_shape(root, shape), *_meaning(root, meaning)]


def _validated(data: object) -> tuple[Policy | None, list[ErrorDetails]]:
    try:
        # As JSON, because a list is a tuple there and a text is still no number.
        return Policy.model_validate_json(json.dumps(data), strict=True), []
    except ValidationError as error:
        return None, without_echoes(error.errors(include_url=False, include_input=False))


def _shape(root: Node, errors: Iterable[ErrorDetails]) -> Iterator[Located]:
    for item in errors:
        node, rest = root.find(item["loc"])
        document = node.document
        loc = document.nearest((*node.loc, *rest))
        on_key = item["type"] in ON_KEY or item["loc"][-1:] == ("[key]",)
        if not document.is_broken(loc):
            message = worded(item, document.values[loc].raw)
            yield Located(document.where(loc, key=on_key), path_of(loc), message)


def _meaning(root: Node, found: Iterable[Finding]) -> Iterator[Located]:
    for finding in found:
        node, rest = root.find(finding.loc)
        document, loc = node.document, (*node.loc, *rest)
        if not document.is_broken(loc):
            note = ""
            if finding.column > 1 and document.is_folded(loc):
                note = f" (at character {finding.column} of this text)"
            where = document.where(loc, column=finding.column)
            yield Located(where, path_of(loc), finding.message + note)

"""Digests of documents: whether one holds exactly what another does, in its class or in any."""

import json
from collections.abc import Mapping

from pce_memory.deps import CoreDeps
from pce_memory.domain.document import NewDocument
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, SCOPES


def digest_of(deps: CoreDeps, document: NewDocument) -> str:
    """Return the digest of all that a document holds, under the file's key."""
    return deps.digest(_joined(_parts(document)))


def content_of(document: NewDocument) -> str:
    """Return what a document holds in any class and scope, as a text; in one order of names."""
    standing = ("scope", "boundary_class")
    return _joined({name: part for name, part in _parts(document).items() if name not in standing})


def digests_of_content(deps: CoreDeps, document: NewDocument) -> tuple[str, ...]:
    """Return the digests of what a document holds, in each scope and class that it may have."""
    parts = _parts(document)
    return tuple(
        deps.digest(_joined({**parts, "scope": _json(scope), "boundary_class": _json(level)}))
        for scope in SCOPES
        for level in BOUNDARY_CLASSES
    )


def _json(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _parts(document: NewDocument) -> dict[str, str]:
    """Return the parts of a document as JSON, so that the long ones are written once."""
    return {name: _json(part) for name, part in document.model_dump(mode="json").items()}


def _joined(parts: Mapping[str, str]) -> str:
    return f"{{{', '.join(f'{_json(name)}: {parts[name]}' for name in sorted(parts))}}}"

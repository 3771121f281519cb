"""What a row of runs says: all of it, or none where somebody edited the file. Pure."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast, get_args

from pce_memory.deps import Row
from pce_memory.domain.fused import FusionParams
from pce_memory.domain.fusion import Lane, StructuralMetrics
from pce_memory.store.reach import Reach, is_reach

_TEXTS: Final = ("run_id", "kind", "policy_version")
_MAYBE_TEXTS: Final = ("lane", "lane_name", "source", "query", "parent", "made_by")
_OF_JSON: Final = ("params", "recipe", "metrics", "history")


def run_fields(row: Row) -> Mapping[str, object]:
    """Return the fields of a run; a ValueError where the row is not one that was written."""
    fields: dict[str, Any] = dict(row)
    reach: object = json.loads(fields.pop("boundary"))
    for name in _OF_JSON:
        fields[name] = None if fields[name] is None else json.loads(fields[name])
    _expect(is_reach(reach))
    _expect(all(isinstance(fields[name], str) and fields[name] for name in _TEXTS))
    _expect(all(isinstance(fields[name], str | None) for name in _MAYBE_TEXTS))
    _expect(all(math.isfinite(fields[name]) for name in ("created_at", "expires_at")))
    _expect(fields["documents"] >= 0)
    _expect(isinstance(fields["params"], dict) and isinstance(fields["history"], list))
    _expect(all(isinstance(before, str) for before in cast("Sequence[object]", fields["history"])))
    _expect(_is_of_kind(fields))
    history = tuple(cast("Sequence[str]", fields["history"]))
    return {**fields, "history": history, "reach": cast("Reach", reach)}


def _is_of_kind(fields: Mapping[str, object]) -> bool:
    """Return whether a run has what its kind is read by; what it may not have is None."""
    params, recipe = cast("Mapping[str, object]", fields["params"]), fields["recipe"]
    if fields["kind"] == "fusion":
        _ = FusionParams.model_validate(cast("Mapping[str, object]", recipe)["params"])
        _ = StructuralMetrics.model_validate(fields["metrics"])
        delta = cast("Mapping[str, object]", recipe)["delta"]
        return isinstance(delta, dict | None)
    nothing = recipe is None and fields["metrics"] is None
    if fields["kind"] == "lane":
        return nothing and fields["lane"] in get_args(Lane) and bool(fields["source"])
    return nothing and isinstance(params.get("category"), str)


def _expect(holds: object) -> None:
    if not holds:
        message = "the row is no run that was written"
        raise ValueError(message)

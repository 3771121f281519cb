"""What callers hand over to `memory.fusion`, as nouns."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar, cast, get_args

from returns.result import Failure, Result, Success

from pce_memory.domain.fused import FusionParams, LaneContributions, LaneRequest, RunHandle
from pce_memory.domain.fusion import BlendRunInput, Lane
from pce_memory.domain.lanes import TOOLS, Collection
from pce_memory.domain.model import Model, parse
from pce_memory.domain.policy import Policy
from pce_memory.domain.representatives import Representatives, RepresentativesInput
from pce_memory.errors import InvalidParameter
from pce_memory.result import collect
from pce_memory.text.fold import caseless
from pce_memory.text.secrecy import storable, why_not_stored

M = TypeVar("M", bound=Model)
MOST_TOLD: Final = 10_000
LONGEST_NAME: Final = 128


def noun(kind: type[M], given: object) -> Result[M, InvalidParameter]:
    """Return a noun, or one made of a mapping of its fields."""
    if isinstance(given, kind):
        return Success(given)
    if isinstance(given, Mapping):
        return parse(kind, cast("Mapping[str, object]", given))
    reason = f"it is a {type(given).__name__}; give a {kind.__name__}, or a mapping of its fields"
    return Failure(InvalidParameter(kind.__name__, reason))


def one_of(
    name: str, given: object, other: str, given_so: object
) -> Result[object, InvalidParameter]:
    """Return what was given by one of two names for it.

    >>> one_of("ids", None, "pub_ids", ["P1"])
    <Success: ['P1']>
    >>> one_of("ids", ["a"], "pub_ids", ["b"]).failure().name
    'pub_ids'
    """
    if given is not None and given_so is not None:
        return Failure(InvalidParameter(other, f"it is another word for {name}; give one of them"))
    return Success(given_so if given is None else given)


def peek_fields(given: Mapping[str, object]) -> Result[Mapping[str, object], InvalidParameter]:
    """Return the arguments of a look at snippets; `count` is another word for `limit`."""
    if "count" not in given:
        return Success(given)
    fields = dict(given)
    count = fields.pop("count")
    return one_of("limit", fields.get("limit"), "count", count).map(
        lambda limit: {**fields, "limit": limit}
    )


def several(name: str, given: object) -> Result[Sequence[object], InvalidParameter]:
    """Return a list as it is; anything else is no list."""
    if isinstance(given, (list, tuple)):
        return Success(cast("Sequence[object]", given))
    return Failure(InvalidParameter(name, f"it is a {type(given).__name__}; give a list"))


def names_of(name: str, given: object) -> Result[tuple[str, ...], InvalidParameter]:
    """Return the strings of a list, each once."""
    return Result.do(
        tuple(dict.fromkeys(texts))
        for some in several(name, given)
        for texts in collect(_text(name, one) for one in some)
    )


def _text(name: str, given: object) -> Result[str, InvalidParameter]:
    if isinstance(given, str):
        return Success(given)
    return Failure(InvalidParameter(name, f"a {type(given).__name__} is in it; give strings"))


def storable_names(params: FusionParams) -> Result[None, InvalidParameter]:
    """Return a failure if a name that callers choose may not be kept with the run."""
    return storable(
        facets=params.facet_terms,
        profile=params.target_profile,
        weights=(params.lane_weights, params.facet_weights, params.category_weights),
    )


def run_input(given: object) -> Result[BlendRunInput, InvalidParameter]:
    """Return a run to blend; a handle counts 1."""
    return Success(given.weighed()) if isinstance(given, RunHandle) else noun(BlendRunInput, given)


def _by_policy(policy: Policy, given: Mapping[str, object]) -> Mapping[str, object]:
    """Return parameters of a blend: what is given, and what the policy says where it is not."""
    usual: dict[str, object] = policy.fusion.model_dump(exclude={"run_ttl"})
    for name, value in given.items():
        under = usual.get(name)
        if isinstance(value, Mapping) and isinstance(under, Mapping):
            below = cast("Mapping[str, object]", under)
            usual[name] = {**below, **cast("Mapping[str, object]", value)}
        else:
            usual[name] = value
    return usual


def params_of_blend(
    policy: Policy, runs: object, given: Mapping[str, object]
) -> Result[FusionParams, InvalidParameter]:
    """Return the parameters of a blend of runs, and of representatives where some are given."""
    return Result.do(
        params
        for lanes in several("runs", runs)
        for inputs in collect(run_input(one) for one in lanes)
        for typical in several("representatives", given.get("representatives", ()))
        for those in collect(representatives_input(one) for one in typical)
        for params in parse(
            FusionParams,
            {**_by_policy(policy, given), "runs": inputs, "representatives": those},
        )
    )


def representatives_input(given: object) -> Result[RepresentativesInput, InvalidParameter]:
    """Return representatives to blend by."""
    if isinstance(given, Representatives):
        return Success(given.given)
    return noun(RepresentativesInput, given)


def backend_name(given: object) -> Result[str, InvalidParameter]:
    """Return what a backend of the host's is called: what it finds has that as its `source`.

    >>> backend_name("documents").failure().message
    "Invalid name: claims and documents are this memory's own; leave `over` out to search them"
    """
    if not isinstance(given, str) or not given.strip() or len(given) > LONGEST_NAME:
        reason = f"give a text of 1 to {LONGEST_NAME} characters that names the backend"
        return Failure(InvalidParameter("name", reason))
    if caseless(given).strip() in get_args(Collection):
        reason = "claims and documents are this memory's own; leave `over` out to search them"
        return Failure(InvalidParameter("name", reason))
    return storable(name=given).map(lambda _: given)


def lane_of(request: LaneRequest) -> Result[Lane, InvalidParameter]:
    """Return the lane of a request, if its tool is of that lane."""
    lane = TOOLS.get(request.tool)
    if lane is None:
        return Failure(InvalidParameter("tool", f"give one of {', '.join(TOOLS)}"))
    if lane != request.lane:
        reason = f"{request.tool} is of the lane {lane}, not {request.lane}"
        return Failure(InvalidParameter("lane", reason))
    return Success(lane)


def name_of_lane(given: object, place: int) -> str:
    """Return what a lane that is no request calls itself, or where it stands.

    >>> name_of_lane({"lane_name": "recall"}, 0), name_of_lane({"lane_name": 5}, 1)
    ('recall', 'lanes.1')
    """
    name: object = None
    if isinstance(given, Mapping):
        name = cast("Mapping[str, object]", given).get("lane_name")
    said: dict[str, object] = {"lane_name": name, "tool": "", "lane": "fulltext"}
    known = parse(LaneRequest, said).map(lambda request: request.lane_name).value_or(None)
    return f"lanes.{place}" if known is None or why_not_stored(known) is not None else known


def lanes_of(lanes: object, trace_id: object) -> Result[Sequence[object], InvalidParameter]:
    """Return the lanes of a search, whatever each is, if the search may be called as it is."""
    return Result.do(given for _ in _trace_of(trace_id) for given in several("lanes", lanes))


def _trace_of(given: object) -> Result[None, InvalidParameter]:
    """Return a failure unless what a host calls a search by is a text that may be kept."""
    if given is None:
        return Success(None)
    if not isinstance(given, str) or len(given) > LONGEST_NAME:
        reason = f"give a text of at most {LONGEST_NAME} characters, or None"
        return Failure(InvalidParameter("trace_id", reason))
    return storable(trace_id=given)


def shares_of(given: object) -> Result[Mapping[str, float], InvalidParameter]:
    """Return the shares of lanes by lane_name, each in [0, 1]; None is none.

    >>> shares_of({"semantic": "x"}).failure().name
    'contributions.semantic'
    """
    fields: Mapping[str, object] = {"aggregate": {} if given is None else given}
    return (
        parse(LaneContributions, fields)
        .map(lambda made: made.aggregate)
        .alt(lambda e: replace(e, name=e.name.replace("aggregate", "contributions", 1)))
    )


def fields_of(request: LaneRequest) -> Mapping[str, object]:
    """Return the arguments of a request; `text` is another word for `query`."""
    given = dict(request.params)
    if "text" in given:
        given["query"] = given.pop("text")
    return {"lane_name": request.lane_name, **given}


def within(name: str, given: object, most: int = MOST_TOLD) -> Result[int, InvalidParameter]:
    """Return a number from 1 to a most."""
    if isinstance(given, int) and not isinstance(given, bool) and 1 <= given <= most:
        return Success(given)
    return Failure(InvalidParameter(name, f"give a whole number from 1 to {most}"))

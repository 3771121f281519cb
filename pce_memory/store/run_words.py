"""The words that runs were asked for, or are named by; and the erasure of runs by such words."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, cast, get_args

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Row
from pce_memory.domain.filters import Condition, Joined, Operator
from pce_memory.domain.fused import FusionParams
from pce_memory.domain.fusion import BlendRunInput, Lane, LaneWeights, PiWeights
from pce_memory.domain.lanes import Collection as Searched, LaneAsk, SemanticStyle, Sort
from pce_memory.domain.representatives import RepresentativesInput
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, SCOPES
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store import run_foreign, runs
from pce_memory.store.filter_tests import FIELDS
from pce_memory.store.statements import statements, with_rows

SQL: Final = statements("runs")
_MODELS: Final = (
    FusionParams,
    BlendRunInput,
    RepresentativesInput,
    LaneAsk,
    LaneWeights,
    PiWeights,
    Condition,
    Sort,
)
_OURS: Final = frozenset(
    (
        *(name for model in _MODELS for name in model.model_fields),
        *(
            value
            for kind in (Lane, Joined, Operator, Searched, SemanticStyle)
            for value in get_args(kind)
        ),
        *(*FIELDS, *SCOPES, *BOUNDARY_CLASSES),
        *("params", "delta", "facet", "asc", "desc", "from", "to", "start", "end"),
        *("truncated", "narrowed_to", "warnings", "empty", "category"),
    )
)
"""What a recipe has names for, and its fixed values: as a whole they say nothing of anybody."""
_IDS: Final = frozenset(("run_id", "run_id_lane"))


@reader
def erase_asking(deps: CoreDeps, terms: Sequence[str]) -> Result[int, StoreError]:
    """Erase the runs that asked for all of some terms, or were told them; return how many."""
    wanted = frozenset(terms)
    return Result.do(
        gone
        for rows in deps.db.query(SQL["run_queries"])
        for told in run_foreign.telling(terms)(deps)
        for asking in Success([seq for seq, held in _terms_of(deps, rows) if wanted <= held])
        for gone in runs.erase([*asking, *told])(deps)
    )


@reader
def any_run(deps: CoreDeps) -> Result[bool, StoreError]:
    """Return whether there is a run, of anybody."""
    return deps.db.query(SQL["any_run"]).map(lambda rows: bool(rows[0]["there"]))


@reader
def words_asked(deps: CoreDeps, words: Collection[str]) -> Result[frozenset[str], StoreError]:
    """Return those of these words that a run was asked for, or is named by."""
    wanted = frozenset(words)
    if not wanted:
        return Success(wanted)
    return deps.db.query(SQL["run_queries"]).map(
        lambda rows: frozenset(
            term for _, held in _terms_of(deps, rows) for term in wanted.intersection(held)
        )
    )


@reader
def words_asked_before(
    deps: CoreDeps, documents: Sequence[int]
) -> Result[frozenset[str], StoreError]:
    """Return what runs were asked for before these documents were written again.

    What an earlier version said is not known any more; such a run may have asked for it.
    """
    if not documents:
        return Success(frozenset())
    return deps.db.query(with_rows(SQL["asked_before_written_again"], documents)).map(
        lambda rows: frozenset(term for _, held in _terms_of(deps, rows) for term in held)
    )


@reader
def erase_holding(deps: CoreDeps, wanted: Collection[str]) -> Result[int, StoreError]:
    """Erase the runs that hold any of the words of `words_asked`; return how many."""
    if not wanted:
        return Success(0)
    return Result.do(
        gone
        for rows in deps.db.query(SQL["run_queries"])
        for holding in Success(
            [seq for seq, held in _terms_of(deps, rows) if not held.isdisjoint(wanted)]
        )
        for gone in runs.erase(holding)(deps)
    )


def _terms_of(deps: CoreDeps, rows: Sequence[Row]) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield the terms of what each run was asked for, its filters, codes, facets and names."""
    for row in rows:
        texts = [row["lane_name"] or "", row["query"] or ""]
        for part in ("params", "recipe"):
            texts.extend(() if row[part] is None else strings_of(json.loads(row[part])))
        yield int(row["seq"]), frozenset(deps.tokenizer.terms("\n".join(texts)))


def strings_of(value: object, name: str = "") -> Iterator[str]:
    """Yield what somebody said in a recipe: keys and values, without ids and its own names.

    >>> list(strings_of({"filters": [{"op": "in", "field": "tag", "value": ["a", 1]}]}))
    ['a']
    """
    if isinstance(value, str):
        if name not in _IDS and value not in _OURS:
            yield value
    elif isinstance(value, Mapping):
        for key, item in cast("Mapping[str, object]", value).items():
            yield from strings_of(key)
            yield from strings_of(item, key)
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            yield from strings_of(item, name)

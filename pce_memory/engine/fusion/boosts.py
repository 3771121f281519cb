"""What lifts a document in a blend beside the lanes: its codes, and the terms of the facets."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

import numpy as np
import numpy.typing as npt
from returns.context import RequiresContextResult
from returns.result import Result, Success

from pce_memory.deps import Arrays, CoreDeps
from pce_memory.domain.fused import FusionParams
from pce_memory.engine.fusion.opened import Floats, Keys, Opened
from pce_memory.engine.fusion.representatives import typical_codes
from pce_memory.engine.fusion.telling import codes_of
from pce_memory.errors import CoreError, StoreError
from pce_memory.result import collect, reader
from pce_memory.scoring import blend as scoring
from pce_memory.store import codes, erasure, run_documents, run_foreign
from pce_memory.store.codes import Codes, Profile
from pce_memory.store.document_vectors import MAIN
from pce_memory.store.run_documents import DOCUMENTS, FOREIGN
from pce_memory.text.codes import Hit, compared, hits_of

NO_WORDS: Final[frozenset[str]] = frozenset()
Mask: TypeAlias = npt.NDArray[np.bool_]
Known: TypeAlias = Callable[
    [Sequence[str]], RequiresContextResult[tuple[tuple[str, str], ...], StoreError, CoreDeps]
]
Carriers: TypeAlias = Callable[
    [Sequence[Hit], int, int], RequiresContextResult[Arrays, StoreError, CoreDeps]
]
"""Which codes a table of the file has, and which of its keys, from one to another, carry them."""


@dataclass(frozen=True, slots=True)
class Carried:
    """What the codes of documents count of those aimed at: all that are hit, and the full hits."""

    hit: Floats
    full: Floats

    def __add__(self, other: "Carried") -> "Carried":
        """Return what both count."""
        return Carried(self.hit + other.hit, self.full + other.full)


@reader
def pi_code(
    deps: CoreDeps, params: FusionParams, found: Opened, keys: Keys
) -> Result[Floats, CoreError]:
    """Return the share of the target that the codes of each document have; see `scoring.blend`.

    The target is the profile and the categories that have a representative which is seen.
    """
    wanted, seen = params.target_profile, _categories(params, found)
    weights = [params.category_weights.get(category, 1.0) for category in seen]
    total = wanted.total + sum(weights)
    if total <= 0 or not len(keys):
        return Success(np.zeros(len(keys)))
    return Result.do(
        scoring.pi_code(sum(map(np.multiply, weights, parts), start=aimed.hit), aimed.full, total)
        for aimed in (
            carried(wanted.codes, keys, found.seqs)(deps)
            if wanted.total > 0
            else Success(_nothing(keys))
        )
        for parts in collect(_likeness(deps, typical, keys, found) for typical in seen.values())
    )


def _categories(params: FusionParams, found: Opened) -> Mapping[str, Keys]:
    """Return the representatives that are seen, by category."""
    each: dict[str, list[Keys]] = {}
    for one in params.representatives:
        keys = found.runs[one.run_id].keys
        if one.category is not None and len(keys):
            each.setdefault(one.category, []).append(keys)
    return {category: np.unique(np.concatenate(some)) for category, some in sorted(each.items())}


def _likeness(
    deps: CoreDeps, typical: Keys, keys: Keys, found: Opened
) -> Result[Floats, CoreError]:
    """Return how far each document carries what is typical, from 0 to 1: itself is 1."""
    names = typical.tolist()
    return Result.do(
        np.where(np.isin(keys, typical), 1.0, np.minimum(like.hit, 1.0))
        for known in codes_of(names, found.seqs)(deps)
        for profile in Success(
            typical_codes([known.get(one, {}) for one in names], deps.code_normalizers)
        )
        for like in carried(profile, keys, found.seqs)(deps)
    )


@reader
def carried(
    deps: CoreDeps, profile: Profile, keys: Keys, runs: Sequence[int]
) -> Result[Carried, CoreError]:
    """Return what the codes of claims, of documents and of what backends told in runs count.

    A code is hit by what its taxonomy compares as equal, each once however often it is carried.
    """
    mine, beside = keys < DOCUMENTS, (keys >= DOCUMENTS) & (keys < FOREIGN)
    return Result.do(
        own + others + foreign
        for own in _stored_part(deps, profile, keys, mine, (codes.known, codes.carriers))
        for others in _stored_part(
            deps, profile, keys, beside, (run_documents.known, run_documents.carriers)
        )
        for foreign in _foreign_part(deps, profile, keys, runs)
    )


def _stored_part(
    deps: CoreDeps, profile: Profile, keys: Keys, which: Mask, store: tuple[Known, Carriers]
) -> Result[Carried, CoreError]:
    """Return what codes count that a table of the file has of some of the keys."""
    own, norms, (known_of, carriers_of) = keys[which], deps.code_normalizers, store
    if not len(own):
        return Success(_nothing(keys))
    return Result.do(
        summed(keys, found, hits)
        for known in known_of(compared(profile, norms))(deps)
        for hits in Success(tuple(hits_of(profile, known, norms)))
        for found in carriers_of(hits, int(own.min()), int(own.max()))(deps)
    )


def _nothing(keys: Keys) -> Carried:
    return Carried(np.zeros(len(keys)), np.zeros(len(keys)))


def summed(keys: Keys, found: Arrays, hits: Sequence[Hit]) -> Carried:
    """Return what each key counts of the targets that it hits, each once; the keys ascend.

    `found` has the keys that carry the code of a hit, by its place, and may have others.
    """
    if not len(found["key"]):
        return _nothing(keys)
    carriers: Keys = found["key"].astype(np.int64)
    places: Keys = found["place"].astype(np.int64)
    rows = np.minimum(np.searchsorted(keys, carriers), len(keys) - 1)
    there = keys[rows] == carriers
    rows, places = rows[there], places[there]
    full = np.array([one.is_full for one in hits], np.bool_)[places]
    weights = {one.target: one.weight for one in hits}
    # Summed from the least on, so that the order of rows and targets says nothing.
    targets = sorted(weights, key=lambda one: weights[one])
    ranks = {target: rank for rank, target in enumerate(targets)}
    ranked = np.array([ranks[one.target] for one in hits], np.int64)[places]
    worth = np.array([weights[one] for one in targets], np.float64)

    def sums(some: Keys) -> Floats:
        some = np.sort(some)
        row, rank = np.divmod(some[np.diff(some, prepend=-1) > 0], len(targets))
        return np.bincount(row, worth[rank], len(keys)).astype(np.float64, copy=False)

    each = rows * len(targets) + ranked
    return Carried(sums(each), sums(each[full]))


def _foreign_part(
    deps: CoreDeps, profile: Profile, keys: Keys, runs: Sequence[int]
) -> Result[Carried, CoreError]:
    """Return what the codes count that backends told of their documents."""

    def made(known: Mapping[int, Codes]) -> Carried:
        carried = [
            (key, (name, code))
            for key, some in known.items()
            for name, found in some.items()
            for code in found
        ]
        hits = tuple(hits_of(profile, {code for _, code in carried}, deps.code_normalizers))
        places: dict[tuple[str, str], list[int]] = {}
        for place, one in enumerate(hits):
            places.setdefault((one.taxonomy, one.code), []).append(place)
        pairs = [(key, place) for key, code in carried for place in places.get(code, ())]
        columns = np.array(pairs, np.int64).reshape(-1, 2).T
        return summed(keys, {"key": columns[0], "place": columns[1]}, hits)

    foreign: list[int] = keys[keys >= FOREIGN].tolist()
    if not foreign:
        return Success(_nothing(keys))
    return codes_of(foreign, runs)(deps).map(made)


@reader
def pi_facet(
    deps: CoreDeps, params: FusionParams, found: Opened, keys: Keys
) -> Result[Floats, CoreError]:
    """Return how far the terms of each facet stand in each document, by the facets' weights."""
    facets = [(name, terms) for name, terms in params.facet_terms.items() if terms]
    if not facets or not len(keys):
        return Success(np.zeros(len(keys)))
    weights = [params.facet_weights.get(name, 1.0) for name, _ in facets]
    return Result.do(
        scoring.pi_facet(np.stack(columns, axis=1), weights)
        for said in _foreign_words(deps, keys, found.seqs)
        for columns in collect(_coverage(deps, terms, keys, said) for _, terms in facets)
    )


def _coverage(
    deps: CoreDeps, terms: Sequence[str], keys: Keys, said: Mapping[int, frozenset[str]]
) -> Result[Floats, CoreError]:
    """Return which share of the terms of a facet each document holds, by the words of the index.

    A claim is looked at whole, a document in its title, abst and claim.
    """

    def holding(term: str) -> Result[Floats, CoreError]:
        words = deps.tokenizer.query_terms(term)
        if not words:
            return Success(np.zeros(len(keys)))
        others = [key for key, spoken in said.items() if spoken.issuperset(words)]
        return Result.do(
            np.isin(keys, np.array([*own, *beside, *others], np.int64)).astype(np.float64)
            for own in erasure.holding_all(words)(deps)
            for beside in run_documents.holding_all(words)(deps)
        )

    return collect(holding(term) for term in terms).map(
        lambda columns: np.mean(np.stack(columns, axis=1), axis=1)
    )


def _foreign_words(
    deps: CoreDeps, keys: Keys, runs: Sequence[int]
) -> Result[Mapping[int, frozenset[str]], CoreError]:
    """Return the words of what a backend told of its documents when it found them."""
    foreign: list[int] = keys[keys >= FOREIGN].tolist()
    return run_foreign.told(foreign, runs)(deps).map(
        lambda named: {
            key: NO_WORDS.union(*map(deps.tokenizer.terms, _texts(row["metadata"])))
            for key, row in named.items()
        }
    )


def _texts(metadata: Mapping[str, Any]) -> Iterable[str]:
    """Return title, abst and claim, as they stand in the metadata or in its `fields`."""
    given = metadata.get("fields")
    fields = cast("Mapping[str, object]", given if isinstance(given, Mapping) else {})
    for name in MAIN:
        text = fields.get(name, metadata.get(name))
        if isinstance(text, str):
            yield text

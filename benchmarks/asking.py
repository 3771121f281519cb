"""A memory that is asked the same under many policies: what is found is found once a question.

The lanes do not depend on what a variant changes, only the ranking does; so a ranking more costs
a millisecond. What is chosen anew among the ranked, by MMR or by likeness, is asked for as
`activate` asks. A test says that both ways give what `activate` gives.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from benchmarks.locomo import BASE
from benchmarks.quality_sets import TOP_K, Items
from pce_memory import Memory
from pce_memory.adapters.mirror import context
from pce_memory.domain.policy import Policy
from pce_memory.domain.query import Query
from pce_memory.engine.ready import default_boundary
from pce_memory.policy.source import parse_policy
from pce_memory.retriever.context import sizes_of
from pce_memory.retriever.lanes import Candidates, candidates, question
from pce_memory.retriever.rank import rank
from pce_memory.retriever.select import select
from pce_memory.scoring import second_stage
from pce_memory.store.visibility import view
from pce_memory.text.marks import asks_when

OFF: Final = "rerank: {second_stage: 'off'}"
ONE_SAYING: Final = np.array([context.SAME_PASSAGE, *[0.0] * (len(context.NEARNESS) - 1)])
LEADS: Final = (
    "select claims.row_id, evidence.source_id from claims join evidence "
    "on evidence.claim_id = claims.id where source_id is not null "
    "order by claims.row_id, evidence.created_at, evidence.id"
)


@dataclass(frozen=True, slots=True)
class Variant:
    """What differs from the default: keys of the policy, or numbers no policy has."""

    keys: str = ""
    weights: Mapping[str, float] = field(default_factory=dict[str, float])
    nearness: Any = None

    def policy(self) -> Policy:
        """Return the policy that says so."""
        return parse_policy(f'version: "1.0.1"\nretrieval: {{{self.keys}}}{BASE}').unwrap()


VARIANTS: Final = {
    "default": Variant(),
    "first-stage": Variant(f"{OFF}, duplicates: {{same_saying: 1}}"),
    "words": Variant(f"hybrid: {{alpha: 0}}, threshold: 0.0001, {OFF}"),
    "meaning": Variant(f"hybrid: {{alpha: 1}}, threshold: 0, {OFF}"),
    "minmax": Variant(
        "hybrid: {alpha: 0.5}, threshold: 0, text_normalizer: minmax, "
        f"vector_normalizer: minmax, {OFF}"
    ),
    "rrf": Variant(f"hybrid: {{mode: rrf}}, {OFF}"),
    "rrf-equal": Variant(f"hybrid: {{mode: rrf, alpha: 0.5}}, {OFF}"),
    "dynamic-alpha": Variant(f"dynamic_alpha: {{enabled: true}}, {OFF}"),
    "no-completion": Variant(f"score_completion: false, {OFF}"),
    "mmr": Variant("mmr: {enabled: true}"),
    "similar": Variant("duplicates: {similar: 0.97}"),
    "every-saying": Variant("duplicates: {same_saying: 1}"),
    "expanding": Variant("query_expansion: {enabled: true}"),
    "expanding-same": Variant("query_expansion: {enabled: true, include_related: false}"),
    "words-expanding": Variant(
        f"hybrid: {{alpha: 0}}, threshold: 0.0001, {OFF}, query_expansion: {{enabled: true}}"
    ),
    "no-cosine": Variant(weights={"COSINE": 0.0}),
    "no-window": Variant(weights={"WINDOW": 0.0}),
    "one-saying": Variant(nearness=ONE_SAYING),
    "own-words": Variant(nearness=0.0 * ONE_SAYING),
    "no-whole": Variant(weights={"WHOLE": 0.0}),
    "no-period": Variant(weights={"PERIOD": 0.0}),
    "no-asks": Variant(weights={"ASKS": 0.0}),
    "no-answers": Variant(weights={"ANSWERS": 0.0}),
    "no-timed": Variant(weights={"TIMED": 0.0}),
}


@contextmanager
def weighing(variant: Variant) -> Iterator[None]:
    """Have the second stage weigh as a variant says, for as long as it is measured."""
    given = [(second_stage, name, value) for name, value in variant.weights.items()]
    if variant.nearness is not None:
        given.append((context, "NEARNESS", variant.nearness))
    before = [(module, name, getattr(module, name)) for module, name, _ in given]
    for module, name, value in given:
        setattr(module, name, value)
    try:
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)


class Asking:
    """Asks a memory, and leads what is shown back to what it was drawn from."""

    def __init__(self, memory: Memory, variants: Mapping[str, Variant]) -> None:
        self._deps = memory.deps
        self._variants = {name: (one, one.policy()) for name, one in variants.items()}
        self._leads = leads_of(memory)
        self._policy = Variant().policy()
        self._visible = view(default_boundary(), self._policy)(self._deps).unwrap().visible

    def ask(self, text: str) -> Iterator[tuple[str, Items]]:
        """Yield for each variant the sources of what it shows, item by item."""
        found = self._found(text)
        for name, (variant, policy) in self._variants.items():
            with weighing(variant):
                again = found if variant.nearness is None else self._found(text)
                items = self._shown(text, again, policy)
            yield name, items

    def _shown(self, text: str, found: Candidates, policy: Policy) -> Items:
        chooses = policy.retrieval.mmr.enabled or policy.retrieval.duplicates.similar < 1
        if chooses or policy.retrieval.query_expansion.enabled:
            return self._chosen(text, policy)
        return self._ranked(text, found, policy)

    def _found(self, text: str) -> Candidates:
        put = question(text, self._policy)(self._deps).unwrap()
        # What was loaded meanwhile may be of an earlier state of the file.
        self._deps.search_index.follow().unwrap()
        sizes = sizes_of(self._policy, TOP_K)
        look = candidates(put, self._visible, self._policy, sizes=sizes)
        return look(self._deps).unwrap()

    def _ranked(self, text: str, found: Candidates, policy: Policy) -> Items:
        ranking = rank(found, policy, now=self._visible.now, asks_when=asks_when(text))
        rows = [ranking.row_id(int(place)) for place in ranking.order[:TOP_K]]
        # What was drawn from nothing, as distractors are, takes a place of its own.
        return [self._leads.get(row, (f"#{row}",)) for row in rows]

    def _chosen(self, text: str, policy: Policy) -> Items:
        work = select(Query(q=text, top_k=TOP_K), default_boundary(), policy)
        return [
            [source_of(one.source_id) for one in item.evidences if one.source_id is not None]
            or [item.claim.id]
            for item in work(self._deps).unwrap().items
        ]


def leads_of(memory: Memory) -> dict[int, Sequence[str]]:
    """Return for each claim the sources it leads back to, oldest first."""
    found: dict[int, list[str]] = {}
    for row in memory.deps.db.query(LEADS).unwrap():
        found.setdefault(int(row["row_id"]), []).append(source_of(str(row["source_id"])))
    return {row: tuple(dict.fromkeys(some)) for row, some in found.items()}


def source_of(source_id: str) -> str:
    """Return what a source is called in its set.

    >>> source_of("conv-26|D1:3")
    'D1:3'
    """
    return source_id.rpartition("|")[2]

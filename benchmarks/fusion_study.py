"""The three phases of a search over planted relevance: does the tuning loop raise what is true?

Documents stand in a file, every lane is the engine's own; what is planted is the corpus and an
embedder that knows its synonyms (`fusion_planted`).

- Phase 0: a wide search by words; its codes become the target profile.
- Phase 1: a precise search; of its first 25 snippets, words that many of them share and few other
  documents have are added to what is asked (in the place of the judgement of an LLM).
- Phase 2: recall, precision and meaning are blended, and the blend is tuned.
"""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pydantic import TypeAdapter

from benchmarks.fusion_planted import Asked, Corpus, asked
from benchmarks.fusion_verdicts import Step, kept_of, walked
from benchmarks.metrics import ndcg
from pce_memory import Memory
from pce_memory.domain.fused import (
    FusionResult,
    Measure,
    MutateDelta,
    Pattern,
    TargetProfile,
    TuningResult,
)
from pce_memory.scoring.suggesting import measure_of, points_of

FINAL: Final = 30
"""So many documents are what a search ends with."""
PEEKED: Final = 25
LEARNED: Final = 2
"""So many words are learned from what was peeked at."""
OVER: Final = {"collection": "documents"}
DELTAS: Final[dict[str, dict[str, object]]] = {
    "low_recall": {"lane_weights": {"recall": 1.5, "precision": 0.7}},
    "low_precision": {
        "weights": {"semantic": 0.5},
        "lane_weights": {"precision": 1.3},
        "pi_weights": {"code": 0.6},
    },
    "semantic_dominance": {
        "weights": {"semantic": 0.4, "fulltext": 1.3},
        "lane_weights": {"semantic": 0.5},
        "beta_fuse": 0.9,
    },
}
"""What each pattern would overwrite, as `suggest_mutation` has it (asserted by a test)."""
WHOLE: Final = "low_precision"
PART: Final = "low_precision, π of codes .6 alone"
PARTS: Final[dict[str, dict[str, object]]] = {
    "low_precision, semantic .5 alone": {"weights": {"semantic": 0.5}},
    "low_precision, precision 1.3 alone": {"lane_weights": {"precision": 1.3}},
    PART: {"pi_weights": {"code": 0.6}},
}
"""The parts of the pattern that is suggested most, each alone; the loop itself tries the last."""
TRIED: Final = {**DELTAS, **PARTS}


def judged_by(change: str) -> Measure:
    """Return what a change, or a part of it, is judged by."""
    pattern: Pattern = TypeAdapter[Pattern](Pattern).validate_python(change.split(",", 1)[0])
    return measure_of(pattern)


@dataclass(frozen=True, slots=True)
class Searched:
    """One topic: what each lane is worth alone, the blend, and what tuning makes of it.

    `each` has every change of the blend that was tried by itself.
    """

    topic: int
    lanes: dict[str, float]
    plain: float
    base: FusionResult
    base_truth: float
    tuned: TuningResult
    tuned_truth: float
    each: dict[str, Step]

    @property
    def loop(self) -> tuple[Step, Step]:
        """What the loop tries, one after the other, until it keeps one."""
        return self.each[WHOLE], self.each[PART]


def fill(memory: Memory, corpus: Corpus) -> None:
    """Add the documents."""
    added = memory.add_documents(
        [
            {
                "external_ids": {"pub_id": one.name},
                "fields": {"title": one.title, "abst": one.abst},
                "codes": {"fi_norm": list(one.codes)} if one.codes else {},
            }
            for one in corpus.documents
        ]
    )
    if added.failed:
        raise RuntimeError(str(added.failed[0]))


class Study:
    """Searches over one corpus, and what is true of them."""

    def __init__(self, memory: Memory, corpus: Corpus) -> None:
        self._memory = memory
        self._fusion = memory.fusion
        self._corpus = corpus
        self._frequent = Counter(
            word for one in corpus.documents for word in {*one.title.split(), *one.abst.split()}
        )

    def searched(self, topic: int, seed: int) -> Searched:
        """Go through the three phases for a topic."""
        who = asked(self._corpus.topics[topic], seed)
        profile = self.profile(who)
        wide = " ".join([who.wide, *self.learned(who)])
        found = self._fusion.run_multilane_search(
            [
                _lane("recall", wide),
                _lane("precision", who.exact),
                {
                    **_lane("semantic", who.text),
                    "tool": "rrf_search_semantic_raw",
                    "lane": "semantic",
                },
            ]
        )
        plain = self._fusion.rrf_blend_frontier(found.handles, top_k=FINAL)
        base = self._fusion.rrf_blend_frontier(found.handles, target_profile=profile, top_k=FINAL)
        tuned = self._fusion.tune(base.run_id)
        one = Searched(
            topic,
            {one.lane_name: self.truth_of_lane(one.run_id, topic) for one in found.handles},
            self.truth(plain, topic),
            base,
            self.truth(base, topic),
            tuned,
            self.truth(self._again(tuned.run_id, base), topic),
            dict(self._each(base, topic)),
        )
        agree(one)
        return one

    def profile(self, who: Asked) -> TargetProfile:
        """Phase 0: what the codes of a wide search are worth."""
        run = self._fusion.rrf_search_fulltext_raw(who.wide, top_k=200, collection="documents")
        return self._fusion.build_target_profile(self._fusion.get_provenance(run.run_id))

    def learned(self, who: Asked) -> list[str]:
        """Phase 1: words that stand out in the first snippets of a precise search."""
        run = self._fusion.rrf_search_fulltext_raw(
            who.exact, lane_name="precision", collection="documents"
        )
        page = self._fusion.peek_snippets(run.run_id, limit=PEEKED)
        texts = [
            {word for text in one.fields.values() for word in text.split()}
            for one in page.snippets
        ]
        held = Counter(word for text in texts for word in text)
        known = {*who.wide.split(), *who.exact.split()}
        worth = {
            word: count * math.log(len(self._corpus.documents) / self._frequent[word])
            for word, count in held.items()
            if count > 1 and word not in known and word in self._frequent
        }
        return sorted(worth, key=lambda word: (-worth[word], word))[:LEARNED]

    def truth(self, result: FusionResult, topic: int) -> float:
        """Return the true nDCG of the first of a fused run."""
        ranked = [one.pub_id for one in result.ranked_docs]
        return ndcg(ranked, self._corpus.relevant(topic), FINAL)

    def truth_of_lane(self, run_id: str, topic: int) -> float:
        """Return the true nDCG of the first of a lane."""
        page = self._fusion.peek_snippets(run_id, limit=FINAL, fields=["title"])
        ranked = [one.pub_id for one in page.snippets]
        return ndcg(ranked, self._corpus.relevant(topic), FINAL)

    def _again(self, run_id: str, base: FusionResult) -> FusionResult:
        """Return the first of a fused run: weighed anew with nothing changed, it is the same."""
        if run_id == base.run_id:
            return base
        return self._fusion.rrf_mutate_run(run_id, top_k=FINAL)

    def _each(self, base: FusionResult, topic: int) -> Iterator[tuple[str, Step]]:
        """Yield what each pattern, and each part, would do to a blend, whether it fits or not."""
        truth = self.truth(base, topic)
        for pattern, delta in TRIED.items():
            given = MutateDelta.model_validate(delta)
            made = self._fusion.rrf_mutate_run(base.run_id, given, top_k=FINAL)
            measure = judged_by(pattern)
            yield (
                pattern,
                Step(
                    pattern,
                    points_of(base.metrics, measure),
                    points_of(made.metrics, measure),
                    truth,
                    self.truth(made, topic),
                    whole=100 * (made.metrics.Fproxy - base.metrics.Fproxy),
                ),
            )


def agree(one: Searched) -> None:
    """Raise if the loop did something else than its steps, tried alone, say it would."""
    noise = one.tuned.steps[0].decision.noise_threshold
    expected, kept = walked(one.loop, noise), kept_of(one.loop, noise)
    done = [(step.before, step.after, step.kept) for step in one.tuned.steps]
    if done != [(step.before, step.after, step is kept) for step in expected]:
        raise RuntimeError(f"topic {one.topic}: {done} is not {expected}")


def _lane(name: str, query: str) -> dict[str, object]:
    return {
        "lane_name": name,
        "tool": "rrf_search_fulltext_raw",
        "lane": "fulltext",
        "params": {"query": query, **OVER},
    }

"""Does an activation lead back to the turns that answer a question? Measured on LoCoMo, no LLM.

    python -m benchmarks.locomo [--data FILE] [--limit N] [--embedder NAME] [--top-k K]

Each conversation goes through the public API into a memory file of its own, a turn an
observation. Each question whose evidence is in the conversation is asked by `activate`, and the
items are mapped back to turns by the source ids of their evidence. Prints Markdown.
"""

import argparse
import json
import re
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.metrics import distinct, ndcg, percentile, recall, reciprocal_rank
from pce_memory import ActivationResult, Memory, NewObservation

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "locomo-dev" / "locomo-dev.json"
CATEGORIES = {
    1: "multi-hop",
    2: "temporal",
    3: "open-domain",
    4: "single-hop",
    5: "adversarial",
}
ALL = "all"
DEPTH = 12

BASE = """
boundary_classes:
  public: {allow: ["*"]}
  internal: {allow: ["answer:task", "tool:*"]}
  pii:
    allow: ["tool:contact-lookup"]
    redact: [email, phone, credit_card, iban, my_number, ip_address]
    escalation: human_review
  secret: {allow: [], escalation: deny}
"""
# In this order: a policy's version never goes down. A threshold of 0.0001 keeps out what shares
# no word with the question: by words alone such a claim has the score 0.
VARIANTS = {
    "hybrid": "packaged default: alpha 0.65, threshold 0.15",
    "lexical": "alpha 0, threshold 0.0001",
    "vector": "alpha 1, threshold 0",
}
POLICIES = {
    "lexical": 'version: "1.0.1"\nretrieval: {hybrid: {alpha: 0}, threshold: 0.0001}' + BASE,
    "vector": 'version: "1.0.2"\nretrieval: {hybrid: {alpha: 1}, threshold: 0}' + BASE,
}


@dataclass(frozen=True, slots=True)
class Turn:
    id: str
    speaker: str
    text: str
    at: float


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conversation:
    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]
    without_evidence: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The measures of one question."""

    recall_5: float
    recall_10: float
    recall_12: float
    ndcg_12: float
    mrr: float
    items_12: float
    seconds: float


@dataclass(slots=True)
class Figures:
    """What a run gives."""

    answers: dict[str, dict[str, list[Answer]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )
    turns: int = 0
    claims: int = 0
    ingest_seconds: float = 0.0
    without_evidence: int = 0
    file_bytes: int = 0


def usable(evidence: Iterable[object], known: frozenset[str]) -> frozenset[str]:
    """Return the turns an evidence list names, as far as the conversation has them.

    >>> sorted(usable(["D8:6; D9:17", "D:11:26", "D1:1"], frozenset({"D8:6", "D9:17", "D2:2"})))
    ['D8:6', 'D9:17']
    """
    named = (one for entry in evidence for one in re.findall(r"D\d+:\d+", str(entry)))
    return frozenset(named) & known


def moment(text: str) -> float:
    """Return a session's date as epoch seconds.

    >>> moment("1:56 pm on 8 May, 2023")
    1683554160.0
    """
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC).timestamp()


def conversations(path: Path) -> Iterator[Conversation]:
    for sample in json.loads(path.read_text("utf-8")):
        turns = tuple(_turns(sample["conversation"]))
        known = frozenset(turn.id for turn in turns)
        asked = [
            Question(str(one["question"]), one["category"], usable(one.get("evidence", ()), known))
            for one in sample["qa"]
        ]
        questions = tuple(one for one in asked if one.evidence)
        name = str(sample["sample_id"])
        yield Conversation(name, turns, questions, len(asked) - len(questions))


def _turns(conversation: Mapping[str, Any]) -> Iterator[Turn]:
    for key, session in conversation.items():
        if not isinstance(session, list):
            continue
        began = moment(conversation[f"{key}_date_time"])
        for place, turn in enumerate(session):
            text = str(turn["text"])
            if turn.get("blip_caption"):
                text += f"\n[shares a picture: {turn['blip_caption']}]"
            yield Turn(turn["dia_id"], turn["speaker"], text, began + place)


def ingest(memory: Memory, conversation: Conversation, figures: Figures) -> None:
    began = time.perf_counter()
    done = memory.observe_many(
        NewObservation(
            content=turn.text,
            actor=turn.speaker,
            source_id=f"{conversation.name}/{turn.id}",
            observed_at=turn.at,
        )
        for turn in conversation.turns
    )
    figures.ingest_seconds += time.perf_counter() - began
    figures.turns += len(conversation.turns)
    figures.claims += done.claims_created
    figures.without_evidence += conversation.without_evidence
    for failed in done.failed:
        print(f"not taken: {conversation.turns[failed.index].id}: {failed.message}")


def ask(memory: Memory, question: Question, top_k: int) -> Answer:
    began = time.perf_counter()
    found = memory.activate(question.text, top_k=top_k)
    seconds = time.perf_counter() - began
    ranked, wanted = turns_of(found, top_k), question.evidence
    return Answer(
        recall_5=recall(ranked, wanted, 5),
        recall_10=recall(ranked, wanted, 10),
        recall_12=recall(ranked, wanted, 12),
        ndcg_12=ndcg(ranked, wanted, DEPTH),
        mrr=reciprocal_rank(ranked, wanted),
        items_12=recall(turns_of(found, DEPTH), wanted, top_k),
        seconds=seconds,
    )


def turns_of(found: ActivationResult, items: int) -> list[str]:
    """Return the turns that the first items lead back to, the best first."""
    return distinct(
        evidence.source_id.rpartition("/")[2]
        for item in found.items[:items]
        for evidence in item.evidences
        if evidence.source_id is not None
    )


def measure(conversation: Conversation, folder: Path, options: argparse.Namespace) -> Figures:
    figures = Figures()
    path = folder / f"{conversation.name}.duckdb"
    with Memory.open(path, embedder=options.embedder) as memory:
        _ = memory.activate("warm up")  # the model loads at its first use
        ingest(memory, conversation, figures)
        for variant in VARIANTS:
            if variant in POLICIES:
                _ = memory.apply_policy(POLICIES[variant])
            for question in conversation.questions:
                answer = ask(memory, question, options.top_k)
                for category in (CATEGORIES[question.category], ALL):
                    figures.answers[variant][category].append(answer)
    figures.file_bytes = path.stat().st_size
    return figures


def add(total: Figures, one: Figures) -> None:
    total.turns += one.turns
    total.claims += one.claims
    total.ingest_seconds += one.ingest_seconds
    total.without_evidence += one.without_evidence
    total.file_bytes += one.file_bytes
    for variant, by_category in one.answers.items():
        for category, answers in by_category.items():
            total.answers[variant][category] += answers


def quality(figures: Figures) -> Iterator[str]:
    yield "| search | category | questions | R@5 | R@10 | R@12 | nDCG@12 | MRR | R in 12 items |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|--:|"
    for variant in ("lexical", "vector", "hybrid"):
        for category in (*CATEGORIES.values(), ALL):
            answers = figures.answers[variant].get(category, [])
            if answers:
                names = ("recall_5", "recall_10", "recall_12", "ndcg_12", "mrr", "items_12")
                means = (statistics.fmean(getattr(a, name) for a in answers) for name in names)
                cells = " | ".join(f"{mean:.3f}" for mean in means)
                yield f"| {variant} | {category} | {len(answers)} | {cells} |"


def speed(figures: Figures) -> Iterator[str]:
    rate = figures.turns / figures.ingest_seconds
    yield (
        f"Ingest: {figures.turns} turns in {figures.ingest_seconds:.1f} s ({rate:.0f} turns/s), "
        f"{figures.claims} claims; files of {figures.file_bytes / 1e6:.1f} MB in all."
    )
    yield ""
    yield "| search | activate p50 ms | activate p95 ms |"
    yield "|---|--:|--:|"
    for variant in ("lexical", "vector", "hybrid"):
        took = [answer.seconds * 1e3 for answer in figures.answers[variant][ALL]]
        yield f"| {variant} | {percentile(took, 0.5):.1f} | {percentile(took, 0.95):.1f} |"


def report(figures: Figures, options: argparse.Namespace, conversations_done: int) -> None:
    print(f"LoCoMo, {conversations_done} conversations, embedder {options.embedder}\n")
    for line in (*quality(figures), "", *speed(figures), ""):
        print(line)
    for variant, how in VARIANTS.items():
        print(f"- {variant}: {how}; activate(top_k={options.top_k})")
    print(
        "- R@k, nDCG and MRR are of the distinct turns that the items lead back to, each at its "
        "first place;\n  `R in 12 items` is of the turns behind the first 12 items, however few."
    )
    print(
        f"- {figures.without_evidence} questions name no turn that exists and are left out. The "
        "caption of a shared picture is\n  part of its turn. The name of the speaker is the "
        "observation's actor, not part of its text."
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="LoCoMo through the public API.")
    _ = parser.add_argument("--data", type=Path, default=DATA)
    _ = parser.add_argument("--limit", type=int, default=None, help="at most N conversations")
    _ = parser.add_argument("--embedder", default="use-multilingual")
    _ = parser.add_argument("--top-k", type=int, default=24, help="items of an activation")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    if not options.data.is_file():
        print(f"skipped: there is no {options.data.name} beside this checkout; name it by --data")
        return
    total, done = Figures(), 0
    with tempfile.TemporaryDirectory() as folder:
        for conversation in conversations(options.data):
            if options.limit is not None and done >= options.limit:
                break
            add(total, measure(conversation, Path(folder), options))
            done += 1
    report(total, options, done)


if __name__ == "__main__":
    main()

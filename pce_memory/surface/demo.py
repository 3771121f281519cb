"""The demo: a week of a small team's chat goes in, and everything a memory does is shown on it."""

import shlex
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from pce_memory.adapters.embedders import DEFAULT
from pce_memory.domain.context import ActivationResult, ScoredClaim
from pce_memory.domain.feedback import CriticUpdateResult
from pce_memory.domain.vocabulary import FeedbackSignal
from pce_memory.errors import InvalidParameter, MemoryFault, or_raise
from pce_memory.memory import Memory
from pce_memory.surface import demo_report as report
from pce_memory.surface.ingest import observe_pieces
from pce_memory.surface.progress import progress
from pce_memory.surface.reading import Limits, Piece, read_bytes
from pce_memory.surface.render import Paint

TRANSCRIPT: Final = "demo_transcript.jsonl"
LIMITS: Final = Limits(1 << 20, 20_000)
ITEMS: Final = 4

PREFERENCE: Final = "Which theme does Mika prefer?"
QUESTIONS: Final = (
    ("An English question", PREFERENCE),
    ("A Japanese question", "バックアップは何日分ありますか？"),
    ("A Japanese question about a task told in English", "CSVの取り込みは終わりましたか？"),
)
STALE: Final = "dark theme"
CURRENT: Final = "light theme"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A signal that was given, on which item, and what it did."""

    signal: FeedbackSignal
    item: ScoredClaim
    result: CriticUpdateResult


def run_demo(db: str | None, *, embedder: str, paint: Paint, say: Callable[[str], object]) -> None:
    """Run the demo in a new memory at `db`, or in a new folder, and tell what happens."""
    place = _place(db)
    with Memory.open(place, embedder=embedder) as memory:
        told = (_told_learning, _told_activations, _told_feedback)
        _tell(say, report.opening(paint))
        for part in told:
            _tell(say, part(memory, paint))
    _tell(say, report.closing(paint, _next_commands(place, embedder), temporary=db is None))


def transcript() -> tuple[Piece, ...]:
    """Return the turns of the week."""
    raw = (files("pce_memory.surface") / TRANSCRIPT).read_bytes()
    return read_bytes(raw, TRANSCRIPT, LIMITS).pieces


def _tell(say: Callable[[str], object], lines: Sequence[str]) -> None:
    for line in lines:
        _ = say(line)


def _place(db: str | None) -> str:
    """Return where the demo's memory goes: never into one that is there."""
    if db is None:
        return str(Path(tempfile.mkdtemp(prefix="pce-memory-demo-")) / "demo.duckdb")
    if Path(db).exists():
        reason = (
            "it is there already; give the path of a new file, so that the demo's week does not "
            "mix with what the memory holds"
        )
        raise MemoryFault(InvalidParameter("--db", reason))
    return db


def _told_learning(memory: Memory, paint: Paint) -> tuple[str, ...]:
    pieces = transcript()
    began = time.perf_counter()
    with progress("observing the week", len(pieces)) as advance:
        outcomes = list(observe_pieces(memory, pieces, advance))
    took = time.perf_counter() - began
    learned = [(piece, or_raise(outcome)) for piece, outcome in outcomes]
    return (
        *report.observed(paint, learned, took),
        *report.redacted(paint, learned),
        *report.extracted(paint, memory, [seen for _, seen in learned]),
    )


def _told_activations(memory: Memory, paint: Paint) -> tuple[str, ...]:
    lines = list(report.heading(paint, "4. Activated: what bears on a question, and why"))
    for label, question in QUESTIONS:
        lines += report.activated(paint, label, question, _activate(memory, question))
    return tuple(lines)


def _activate(memory: Memory, question: str) -> ActivationResult:
    return memory.activate(question, top_k=ITEMS, include_meta=True)


def _told_feedback(memory: Memory, paint: Paint) -> tuple[str, ...]:
    before = _activate(memory, PREFERENCE)
    signals: tuple[tuple[FeedbackSignal, str], ...] = (("outdated", STALE), ("helpful", CURRENT))
    judged = [
        Judgement(signal, item, memory.feedback(item.claim.id, signal))
        for signal, words in signals
        for item in before.items
        if words in item.claim.text
    ]
    after = _activate(memory, PREFERENCE)
    lines = list(report.heading(paint, "5. Feedback: the critic moves what turned out right"))
    for one in judged:
        lines += report.judged(paint, one.signal, one.item, one.result)
    return (*lines, *report.moved(paint, PREFERENCE, before, after))


def _next_commands(place: str, embedder: str) -> tuple[str, ...]:
    options = f"--db {shlex.quote(place)}"
    if embedder != DEFAULT:
        options += f" --embedder {shlex.quote(embedder)}"
    return (
        f'pce-memory activate "who is allergic to what?" {options}',
        f'pce-memory activate "nightly backups" --meta {options}',
        f"pce-memory ingest README.md {options}",
    )

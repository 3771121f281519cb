"""What the demo says: one function a section, from results to lines."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.context import ActivationResult, ScoredClaim
from pce_memory.domain.feedback import CriticUpdateResult
from pce_memory.domain.receipt import ObserveResult
from pce_memory.domain.vocabulary import CLAIM_KINDS, SCOPES, ClaimKind
from pce_memory.errors import or_raise
from pce_memory.memory import Memory
from pce_memory.store.graph import entities_of, key_of
from pce_memory.surface.reading import Piece
from pce_memory.surface.render import Paint, counted, one_line, plural, short, table, when, width
from pce_memory.text.detect import SECRET_KINDS, detect

if TYPE_CHECKING:
    from pce_memory.domain.graph import Entity

Lines: TypeAlias = tuple[str, ...]
Learned: TypeAlias = Sequence[tuple[Piece, ObserveResult]]

MASK: Final = "[hidden]"
COLUMNS: Final = 78
EXAMPLE_COLUMNS: Final = 60
NAMES: Final = 5


def heading(paint: Paint, text: str) -> Lines:
    """Return the title of a section."""
    return "", paint.bold(text)


def opening(paint: Paint) -> Lines:
    """Say what is going to be shown."""
    return (
        paint.bold("pce-memory: a week of a small team's chat, in English and Japanese"),
        "Three people and an assistant build a reading tracker. A preference changes, a task",
        "gets done, and two keys are pasted where they should not be.",
    )


def observed(paint: Paint, learned: Learned, took: float) -> Lines:
    """Say what went in, and what came of it."""
    results = [seen for _, seen in learned]
    actors = Counter(piece.item.actor or "unknown" for piece, _ in learned)
    times = [piece.item.observed_at for piece, _ in learned if piece.item.observed_at is not None]
    made = len({claim.id for one in results for claim in one.claims})
    said_again = sum(len(one.claims) for one in results) - made
    japanese = sum(map(_is_japanese, (piece.item.content for piece, _ in learned)))
    return (
        *heading(paint, "1. Observed"),
        f"{plural(len(learned), 'turn')}, {japanese} of them in Japanese: {counted(actors)}",
        f"from {when(min(times))} to {when(max(times))}, in {took:.1f} s with the model's start",
        f"{plural(made, 'claim')} made, {said_again} said again and merged into one of them",
    )


def _is_japanese(text: str) -> bool:
    return any("\u3040" <= char <= "\u30ff" for char in text)


def redacted(paint: Paint, learned: Learned) -> Lines:
    """Show what was replaced before anything was stored, without showing it."""
    counts: Counter[str] = Counter()
    rows: list[tuple[str, str]] = []
    for piece, seen in learned:
        counts.update(seen.redactions)
        if seen.redactions:
            found = detect(piece.item.content)
            rows += [
                (", ".join(_called(match.kind) for match in found), f"said  {_masked(piece)}"),
                ("", f"kept  {_fitted(seen.observation.content or '')}"),
            ]
    return (
        *heading(paint, "2. Redacted, before anything was embedded or written"),
        counted(counts),
        *table(("what", ""), rows)[1:],
    )


def _called(kind: str) -> str:
    return f"secret: {kind.replace('_', ' ')}" if kind in SECRET_KINDS else kind


def _masked(piece: Piece) -> str:
    """Return what was said with everything that was found in it blotted out."""
    text, parts, done = piece.item.content, [""], 0
    for match in detect(text):
        parts += [text[done : match.start], MASK]
        done = match.end
    return _fitted("".join([*parts, text[done:]]))


def _fitted(text: str) -> str:
    return short(one_line(text), COLUMNS)


def extracted(paint: Paint, memory: Memory, results: Sequence[ObserveResult]) -> Lines:
    """Show the claims by kind and scope, the entities, and what was not kept."""
    claims = list({claim.id: claim for one in results for claim in one.claims}.values())
    cells = Counter((claim.kind, claim.scope) for claim in claims)
    rows: list[tuple[str, ...]] = []
    for kind in CLAIM_KINDS:
        first, *rest = _examples(claims, kind) or ("",)
        rows.append((kind, *(str(cells[kind, scope]) for scope in SCOPES), first))
        rows += [("", *("" for _ in SCOPES), example) for example in rest]
    refused = Counter(piece.reason for one in results for piece in one.refused)
    return (
        *heading(paint, "3. Extracted"),
        *table(("kind", *SCOPES, "for example"), rows, right=(1, 2, 3)),
        *_entities(memory, claims),
        *(f"not kept: {plural(count, 'piece')}, {why}" for why, count in refused.most_common()),
    )


def _examples(claims: Sequence[AnyClaim], kind: ClaimKind) -> list[str]:
    """Return one example in each language: the longest that fits."""
    texts = [one_line(claim.text) for claim in claims if claim.kind == kind]
    fitting = [text for text in texts if width(text) <= EXAMPLE_COLUMNS]
    by_language = {_is_japanese(text): text for text in sorted(fitting, key=width)}
    return [by_language[language] for language in sorted(by_language)]


def _entities(memory: Memory, claims: Sequence[AnyClaim]) -> Lines:
    found: dict[tuple[str, str], Entity] = {}
    for claim in claims:
        for entity in or_raise(entities_of(claim.id)(memory.deps)):
            _ = found.setdefault((entity.type, key_of(entity)), entity)
    by_type: dict[str, list[str]] = {}
    for entity in found.values():
        by_type.setdefault(entity.type, []).append(one_line(entity.name))
    return tuple(f"{kind}: {_first_few(names)}" for kind, names in sorted(by_type.items()))


def _first_few(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMES} more" if len(names) > NAMES else ""
    return ", ".join(names[:NAMES]) + more


def activated(paint: Paint, label: str, question: str, found: ActivationResult) -> Lines:
    """Show one activation with the numbers behind its scores."""
    params = found.scoring_params
    return (
        "",
        f"{label}: {paint.bold(question)}",
        *_ranking(paint, found.items, ["" for _ in found.items]),
        paint.dim(
            f"   score = {params.threshold:g} + {1 - params.threshold:g} x R x g, of what has "
            f"S x g >= {params.threshold:g}; policy {found.policy_version}, "
            f"until {when(found.expires_at)}"
        ),
    )


def _ranking(paint: Paint, items: Sequence[ScoredClaim], notes: Sequence[str]) -> Lines:
    rows = [
        (
            *(f"{item.rank}{note}", f"{item.score:.3f}"),
            *_numbers(item),
            short(one_line(item.claim.text), COLUMNS),
        )
        for item, note in zip(items, notes, strict=True)
    ]
    head, *body = table(("rank", "score", "R", "S", "g", "claim"), rows, right=range(5))
    indent = " " * head.index("claim")
    lines = [paint.dim(head)]
    for row, item in zip(body, items, strict=True):
        lines += [row, paint.dim(f"{indent}{item.reason or ''}")]
    return tuple(lines)


def _numbers(item: ScoredClaim) -> tuple[str, str, str]:
    scores = item.scores
    if scores is None:
        return "-", "-", "-"
    fitting = "-" if scores.relevance is None else f"{scores.relevance:.3f}"
    return fitting, f"{scores.combined:.3f}", f"{scores.g:.3f}"


def judged(paint: Paint, signal: str, item: ScoredClaim, result: CriticUpdateResult) -> Lines:
    """Say which signal was given and what it did."""
    before, after = result.previous, result.updated
    utility = f"utility {before.utility:.2f} -> {after.utility:.2f}"
    confidence = f"confidence {before.confidence:.2f} -> {after.confidence:.2f}"
    said = f"{paint.bold(signal)} on rank {item.rank}: {_fitted(item.claim.text)}"
    return said, f"   {utility}, {confidence}"


def moved(paint: Paint, question: str, before: ActivationResult, after: ActivationResult) -> Lines:
    """Show the ranking again, with the rank each claim had."""
    ranks = {item.claim.id: item.rank for item in before.items}
    notes = [f" (was {ranks.get(item.claim.id, '-')})" for item in after.items]
    return (
        "",
        f"The same question again: {paint.bold(question)}",
        *_ranking(paint, after.items, notes),
    )


def closing(paint: Paint, commands: Sequence[str], *, temporary: bool) -> Lines:
    """Say where the memory is, and what to try next."""
    advice = " When you have seen enough, delete its folder." if temporary else ""
    return (
        *heading(paint, "6. Next"),
        f"The memory is one file, and it is yours to try.{advice}",
        *(f"   {command}" for command in commands),
    )

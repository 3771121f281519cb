"""Show results as text or JSON: columns that stand under each other in any script.

Text of a memory may come from anywhere, so what could steer a terminal is shown, not sent.
"""

import json
import math
import os
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, TextIO

from pce_memory.domain.context import ActivationResult, ScoredClaim
from pce_memory.errors import CoreError, InvalidPolicy

GAP: Final = "  "
# Controls, and the marks that turn the direction of a text around.
_STEERING: Final = frozenset(
    [chr(code) for code in (*range(32), *range(127, 160), *range(0x202A, 0x202F))]
    + [chr(code) for code in range(0x2066, 0x206A)]
)
_NO_WIDTH: Final = frozenset({"Mn", "Me", "Cf"})


@dataclass(frozen=True, slots=True)
class Paint:
    """Bold and dim on a terminal; plain text everywhere else."""

    on: bool = False

    def bold(self, text: str) -> str:
        """Return the text so that it stands out."""
        return f"\x1b[1m{text}\x1b[0m" if self.on else text

    def dim(self, text: str) -> str:
        """Return the text so that it stands back."""
        return f"\x1b[2m{text}\x1b[0m" if self.on else text


def paint_for(stream: TextIO) -> Paint:
    """Return how to write to a stream: with colour only where a person looks at it."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Paint(wanted and stream.isatty())


def width(text: str) -> int:
    """Return how many columns a text takes on a terminal.

    >>> width("theme"), width("好み"), width("e\u0301")
    (5, 4, 1)
    """
    return sum(map(_columns, text))


def _columns(char: str) -> int:
    if unicodedata.category(char) in _NO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def one_line(text: str) -> str:
    r"""Return a text on one line, with nothing in it that steers a terminal.

    >>> one_line("a\nb\x1b[2J")
    'a b\\x1b[2J'
    """
    return _visible(" ".join(text.split()))


def _visible(text: str) -> str:
    return "".join(
        char.encode("unicode_escape").decode() if char in _STEERING else char for char in text
    )


def short(text: str, columns: int) -> str:
    """Return a text cut to so many columns.

    >>> short("好みの配色", 7), short("theme", 7)
    ('好みの…', 'theme')
    """
    if width(text) <= columns:
        return text
    kept = ""
    for char in text:
        if width(kept) + _columns(char) > columns - 1:
            break
        kept += char
    return f"{kept}…"


def table(
    head: Sequence[str], rows: Sequence[Sequence[str]], *, right: Iterable[int] = ()
) -> tuple[str, ...]:
    """Return lines with the columns under each other; those in `right` end together.

    >>> print(*table(("n", "text"), [("1", "好み"), ("10", "x")], right=[0]), sep="|")
     n  text| 1  好み|10  x
    """
    flush = set(right)
    widths = [max(map(width, column)) for column in zip(head, *rows, strict=True)]
    lines = (
        GAP.join(
            _padded(cell, size, right=place in flush)
            for place, (cell, size) in enumerate(zip(row, widths, strict=True))
        )
        for row in (head, *rows)
    )
    return tuple(line.rstrip() for line in lines)


def _padded(text: str, columns: int, *, right: bool) -> str:
    space = " " * (columns - width(text))
    return space + text if right else text + space


def when(seconds: float | None) -> str:
    """Return a time as people read it, in UTC.

    >>> when(0.0), when(None)
    ('1970-01-01 00:00Z', '-')
    """
    if seconds is None:
        return "-"
    moment = datetime.fromtimestamp(math.floor(seconds), UTC)
    return f"{moment:%Y-%m-%d %H:%M}Z"


def counted(counts: Mapping[str, int]) -> str:
    """Return counts by name, the largest first.

    >>> counted({"phone": 1, "email": 2})
    'email 2, phone 1'
    """
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return ", ".join(f"{name} {count}" for name, count in ordered)


def plural(count: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun.

    >>> plural(1, "turn"), plural(2, "turn"), plural(0, "entity", "entities")
    ('1 turn', '2 turns', '0 entities')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def error_lines(error: CoreError) -> tuple[str, ...]:
    """Return what is said of an error: what happened, and what to do."""
    if isinstance(error, InvalidPolicy):
        faults = [line for fault in error.validation_errors for line in fault.splitlines()]
        said = "the policy cannot be used"
        return (f"error [{error.code}]: {said}", *map(_visible, faults), f"  {error.remedy}")
    return (f"error [{error.code}]: {one_line(error.message)}", f"  {error.remedy}")


def as_json(activation: ActivationResult, *, ascii_only: bool = False) -> str:
    """Return an activation as JSON."""
    return json.dumps(activation.model_dump(mode="json"), ensure_ascii=ascii_only, indent=2)


def as_text(activation: ActivationResult, paint: Paint, *, meta: bool = False) -> tuple[str, ...]:
    """Return an activation as lines: the items, then what they were found under."""
    if not activation.items:
        return ("Nothing in this memory bears on the query.", *_footer(activation, paint))
    if meta:
        shown = tuple(line for item in activation.items for line in _with_scores(item, paint))
    else:
        shown = _listed(activation.items, paint)
    return (*shown, *_footer(activation, paint))


def _listed(items: Sequence[ScoredClaim], paint: Paint) -> tuple[str, ...]:
    rows = [
        (str(one.rank), f"{one.score:.3f}", one.claim.kind, one.claim.scope, _text(one))
        for one in items
    ]
    head, *rest = table(("rank", "score", "kind", "scope", "claim"), rows, right=(0, 1))
    return (paint.dim(head), *rest)


def _with_scores(item: ScoredClaim, paint: Paint) -> tuple[str, ...]:
    return (
        paint.bold(f"{item.rank}. {_text(item)}"),
        f"   {item.score:.3f} = {breakdown(item)}",
        paint.dim(f"   {item.claim.id}, {item.claim.kind}, {item.claim.scope}, {source_of(item)}"),
        paint.dim(f"   {item.reason or ''}"),
    )


def breakdown(item: ScoredClaim) -> str:
    """Return the numbers behind a score."""
    scores = item.scores
    if scores is None:
        return "-"
    judged = "" if scores.relevance is None else f"R {scores.relevance:.3f}, "
    return (
        f"{judged}S {scores.combined:.3f} (words {scores.text:.3f}, meaning {scores.vector:.3f}) "
        f"x g {scores.g:.3f}"
    )


def source_of(item: ScoredClaim) -> str:
    """Return where a claim comes from: the places, and who said it."""
    places = [one.source_id for one in item.evidences if one.source_id]
    actors = [
        one.provenance.actor for one in item.evidences if one.provenance and one.provenance.actor
    ]
    parts = [*dict.fromkeys(places), *(f"by {name}" for name in dict.fromkeys(actors))]
    return one_line(", ".join(parts)) or "source not given"


def _text(item: ScoredClaim) -> str:
    return one_line(item.claim.text)


def _footer(activation: ActivationResult, paint: Paint) -> tuple[str, ...]:
    context, limits = activation.active_context, activation.boundary
    found = plural(len(activation.items), "item")
    more = f" within the budget of {activation.cut_by}" if activation.cut_by else ""
    return (
        "",
        paint.dim(
            f"{found}{more}; context {context.id} until {when(context.expires_at)}, "
            f"policy {context.policy_version}"
        ),
        paint.dim(
            f"seen: {', '.join(limits.scope)}; classes {', '.join(limits.boundary_classes)}; "
            f"allowed {', '.join(limits.allow)}"
        ),
    )

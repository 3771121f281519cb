"""How one claim stands in a search: its lanes, its scores, what stopped it, what would change it.

It looks at the ranking that an activation is made of, so it can tell nothing else than that does.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from returns.result import Result

from pce_memory.deps import CoreDeps, Standing
from pce_memory.domain.context import Scores
from pce_memory.domain.explanation import Check, LaneStanding, SearchStanding
from pce_memory.domain.ids import called
from pce_memory.domain.policy import Policy
from pce_memory.domain.query import MOST_ITEMS, Query
from pce_memory.errors import CoreError
from pce_memory.result import reader
from pce_memory.retriever.context import looked_at, sizes_of
from pce_memory.retriever.lanes import sought_by
from pce_memory.retriever.select import Selection
from pce_memory.store.claims import StoredClaim

if TYPE_CHECKING:
    from pce_memory.retriever.rank import Ranking


@dataclass(frozen=True, slots=True)
class Told:
    """How a claim stands, and the checks it passed or did not on its way to the caller."""

    standing: SearchStanding
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class _Case:
    """One claim in one search; `place` is that of a candidate, `rank` that of a relevant one."""

    selection: Selection
    lanes: Standing
    policy: Policy
    sizes: tuple[int, int, int]
    place: int | None
    rank: int | None
    shown_at: int | None

    @property
    def ranking(self) -> "Ranking":
        return self.selection.ranked.all

    @property
    def limit(self) -> int:
        return self.sizes[2]


@reader
def standing(
    deps: CoreDeps, stored: StoredClaim, query: Query, selection: Selection, policy: Policy
) -> Result[Told, CoreError]:
    """Return how a visible claim stands in the search that made a selection."""
    sizes = sizes_of(policy, query.top_k)
    sought = sought_by(deps, selection.ranked.asked, sizes[0], sizes[1])
    looked = deps.search_index.standing(sought, selection.view.visible, stored.row_id)
    return looked.map(lambda lanes: _told(_case(stored, selection, lanes, policy, sizes)))


def _case(
    stored: StoredClaim,
    selection: Selection,
    lanes: Standing,
    policy: Policy,
    sizes: tuple[int, int, int],
) -> _Case:
    ranking = selection.ranked.all
    rows: list[int] = ranking.column("row_id").tolist()
    place = rows.index(stored.row_id) if stored.row_id in rows else None
    order: list[int] = ranking.order.tolist()
    shown = [item.claim.id for item in selection.items]
    return _Case(
        selection=selection,
        lanes=lanes,
        policy=policy,
        sizes=sizes,
        place=place,
        rank=1 + order.index(place) if place in order else None,
        shown_at=1 + shown.index(name) if (name := called(stored.claim.id)) in shown else None,
    )


def _told(case: _Case) -> Told:
    steps = tuple(_steps(case))
    place, ranking = case.place, case.ranking
    scores, reason = _numbers(case)
    return Told(
        SearchStanding(
            lanes=() if case.selection.ranked.asked.is_empty else _lanes(case),
            threshold=case.policy.retrieval.threshold,
            rank=case.rank,
            relevant=len(ranking),
            shown_at=case.shown_at,
            top_k=case.limit,
            change=tuple(_changes(case, [check for check in steps if not check.passed])),
            scores=scores,
            first=None if place is None else float(ranking.first[place]),
            score=None if place is None else float(ranking.score[place]),
            reason=reason,
        ),
        steps,
    )


def _numbers(case: _Case) -> tuple[Scores | None, str | None]:
    """Return the numbers of a candidate, and why it stands where it does, as an item says it."""
    from pce_memory.retriever.reasons import reasons_of, scores_of  # noqa: PLC0415 - numpy

    if case.place is None:
        return None, None
    places, now = [case.place], case.selection.view.visible.now
    scores = scores_of(case.ranking, places)
    return scores[0], next(reasons_of(case.ranking, places, scores, now=now))


def _lanes(case: _Case) -> tuple[LaneStanding, LaneStanding]:
    found, (k_txt, k_vec, _) = case.lanes, case.sizes
    return (
        LaneStanding(
            lane="words",
            score=found.bm25,
            rank=found.by_words,
            of=found.sharing,
            within=k_txt,
        ),
        LaneStanding(
            lane="meaning",
            score=found.cosine,
            rank=found.by_meaning,
            of=found.embedded,
            within=k_vec,
        ),
    )


def _steps(case: _Case) -> Iterator[Check]:
    """Yield the checks in the order the search makes them, up to the first that stops it."""
    for step in (_left_out, _candidate, _relevant, _quotation, _threshold, _differs, _first):
        check = step(case)
        yield check
        if not check.passed:
            return


def _left_out(case: _Case) -> Check:
    out = case.lanes.is_left_out
    detail = "it holds what the query leaves out" if out else "the query does not leave it out"
    return Check(check="query", passed=not out, detail=detail)


def _candidate(case: _Case) -> Check:
    if case.selection.ranked.asked.is_empty:
        detail = "a query without words asks for the claims that weigh most"
        return Check(check="candidate", passed=case.place is not None, detail=detail)
    words, meaning = _lanes(case)
    told = f"by words it is {_of(words)}, by meaning {_of(meaning)}"
    if case.place is not None and not (words.brings or meaning.brings):
        told += "; it stands beside a hit"
    return Check(check="candidate", passed=case.place is not None, detail=told)


def _of(lane: LaneStanding) -> str:
    if lane.rank is None:
        return "not found"
    return f"{_number(lane.rank)} of {lane.of} (the first {lane.within} are candidates)"


def _relevant(case: _Case) -> Check:
    least = case.policy.retrieval.min_cosine
    if case.selection.ranked.asked.is_empty:
        return Check(check="relevant", passed=True, detail="nothing is asked for")
    if case.lanes.bm25 is not None:
        wider = " or with its expansions" if case.selection.ranked.asked.wider else ""
        detail = f"it shares a word with the query{wider}"
        return Check(check="relevant", passed=True, detail=detail)
    cosine = case.lanes.cosine
    near = cosine is not None and cosine >= least
    held = "it has no vector to compare" if cosine is None else f"its cosine is {cosine:.3f}"
    detail = f"it shares no word with the query, and {held}; min_cosine is {least:.3f}"
    return Check(check="relevant", passed=near, detail=detail)


def _quotation(case: _Case) -> Check:
    found = case.ranking.found
    holds = (
        not found.is_quotation
        or found.holds is None
        or (case.place is not None and found.holds[case.place])
    )
    detail = "the query is a quotation, and it does not hold it"
    return Check(
        check="quotation", passed=holds, detail="nothing it lacks is quoted" if holds else detail
    )


def _threshold(case: _Case) -> Check:
    least = case.policy.retrieval.threshold
    first = 0.0 if case.place is None else float(case.ranking.first[case.place])
    detail = f"S·g is {first:.3f}; the threshold is {least:.3f}"
    return Check(check="threshold", passed=case.rank is not None, detail=detail)


def _differs(case: _Case) -> Check:
    chosen = case.selection.ranked.chosen
    differs = case.place in chosen.order.tolist()
    detail = "another that is shown says much the same"
    if (case.rank or 0) > looked_at(case.policy):
        detail = f"of the ranking only the first {looked_at(case.policy)} are compared"
    return Check(
        check="duplicates", passed=differs, detail="it is not passed over" if differs else detail
    )


def _first(case: _Case) -> Check:
    rank = f"it is {_number(case.rank or 1)} of {len(case.ranking)} that are relevant"
    detail = f"{rank}, and {len(case.selection.items)} are shown"
    if case.shown_at is None and case.selection.cut_by == "tokens":
        tokens = f"{detail}, as many as the token budget of the scopes holds"
        return Check(check="tokens", passed=False, detail=tokens)
    return Check(check="top_k", passed=case.shown_at is not None, detail=detail)


def _changes(case: _Case, stopped: Sequence[Check]) -> Iterator[str]:
    """Yield what would change whether it is shown."""
    if not stopped:
        yield from _hiding(case)
        return
    match stopped[0].check:
        case "query":
            yield "ask without leaving out what it holds"
        case "candidate":
            yield from _finding(case)
        case "relevant":
            yield "ask with a word that it holds"
            if case.lanes.cosine is not None:
                yield f"a min_cosine of {_floor(case.lanes.cosine)} or less"
        case "quotation":
            yield "ask without the quotation marks"
        case "threshold":
            first = 0.0 if case.place is None else float(case.ranking.first[case.place])
            yield f"a threshold of {_floor(first)} or less"
            yield "a query that shares more words with it, or comes nearer to what it means"
            yield "feedback that it was helpful, which raises g"
        case "duplicates":
            yield "mmr and duplicates.similar in the policy decide what is passed over"
        case "tokens":
            yield "a larger max_tokens of the scopes, or fewer scopes in the query"
        case _:
            yield enough(case.rank or 1)


def enough(top_k: int) -> str:
    """Say which top_k would show a claim."""
    if top_k > MOST_ITEMS:
        return f"a query that fits it better: top_k is at most {MOST_ITEMS}"
    return f"a top_k of {top_k} or more"


def _finding(case: _Case) -> Iterator[str]:
    if case.selection.ranked.asked.is_empty:
        yield "ask for something"
        return
    words, meaning = _lanes(case)
    if words.rank is None:
        yield "ask with a word that it holds"
    for lane, key in ((words, "k_txt"), (meaning, "k_vec")):
        if lane.rank is not None:
            yield f"a {key} of {lane.rank} or more"


def _hiding(case: _Case) -> Iterator[str]:
    if case.place is not None and not case.selection.ranked.asked.is_empty:
        yield f"a threshold above {_floor(float(case.ranking.first[case.place]))} would hide it"
    if case.shown_at is not None and case.shown_at > 1:
        yield f"a top_k below {case.shown_at} would hide it"


def _floor(value: float) -> str:
    """Return a number with three digits, never above it."""
    return f"{int(value * 1000) / 1000:.3f}" if value >= 0 else f"{value - 0.0005:.3f}"


def _number(place: int) -> str:
    return f"number {place}"

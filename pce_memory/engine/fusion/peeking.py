"""Snippets of what a run lists, within a budget of bytes, a page at a time."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, TypeAlias

from pydantic import Field
from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.deps.backend import SearchBackend
from pce_memory.domain.ids import ClaimId
from pce_memory.domain.model import Model
from pce_memory.domain.snippets import Snippet, SnippetMeta, SnippetPage
from pce_memory.engine.fusion.opened import Listed, opened
from pce_memory.engine.fusion.telling import Looking, Told, told
from pce_memory.engine.ready import Ready
from pce_memory.errors import CoreError, InvalidParameter
from pce_memory.result import reader
from pce_memory.store import run_documents
from pce_memory.store.visibility import rows_called, view
from pce_memory.text.secrecy import storable
from pce_memory.text.snippets import MAX_BUDGET, cut, fitting, limits, shortest, size_of

MOST: Final = 100
Backends: TypeAlias = Mapping[str, SearchBackend]


class PeekAsk(Model):
    """Which snippets, how long, and from where on: `cursor` is what the page before gave."""

    offset: Annotated[int, Field(ge=0)] = 0
    cursor: Annotated[str, Field(pattern=r"^[0-9]{1,9}$")] | None = None
    limit: Annotated[int, Field(ge=0, le=MOST)] = 30
    fields: tuple[str, ...] = ()
    per_field_chars: Mapping[str, Annotated[int, Field(ge=1)]] = {}
    budget_bytes: Annotated[int, Field(ge=1, le=MAX_BUDGET)] = MAX_BUDGET

    @property
    def start(self) -> int:
        """After which place of the run the page begins."""
        return self.offset if self.cursor is None else int(self.cursor)


@reader
def peek(
    deps: CoreDeps, run_id: str, ask: PeekAsk, ready: Ready, backends: Backends
) -> Result[SnippetPage, CoreError]:
    """Return the snippets of the documents behind a place, as many as the budget holds.

    A cursor is the place in the run of the last one shown, so that every document comes once even
    where others vanish meanwhile.
    """
    begun = deps.clock()
    return Result.do(
        _timed(page, 1000 * (deps.clock() - begun))
        for _ in storable(fields=ask.fields)
        for found in opened(deps, [run_id], ready)
        for listed in Success(found.runs[run_id])
        for keys in Success(_page_of(listed, ask))
        for who in Success(Looking(found.view, ready.policy, found.seqs, backends))
        for some in told(list(keys), who, fields=ask.fields)(deps)
        for page in _page(listed, keys, some, ask)
    )


def _timed(page: SnippetPage, milliseconds: float) -> SnippetPage:
    meta = page.meta.model_copy(update={"took_ms": max(0.0, milliseconds)})
    return page.model_copy(update={"meta": meta})


def _page_of(listed: Listed, ask: PeekAsk) -> Mapping[int, int]:
    """Return the keys of a page with their places in the run."""
    behind = listed.places > ask.start
    keys: list[int] = listed.keys[behind][: ask.limit].tolist()
    places: list[int] = listed.places[behind][: ask.limit].tolist()
    return dict(zip(keys, places, strict=True))


def _page(
    listed: Listed, places: Mapping[int, int], some: Sequence[Told], ask: PeekAsk
) -> Result[SnippetPage, CoreError]:
    def page(shown: Sequence[Snippet]) -> SnippetPage:
        # Where nothing of the page is left to see, the next one begins behind it.
        last = shown[-1].rank if shown else max(places.values(), default=ask.start)
        more = bool((listed.places > last).any()) and ask.limit > 0
        return SnippetPage(
            snippets=tuple(shown),
            meta=SnippetMeta(
                used_bytes=size_of([_as_json(item) for item in shown]),
                truncated=len(shown) < len(some),
                peek_cursor=str(last) if more else None,
                total_docs=len(listed.keys),
                retrieved=len(some),
                returned=len(shown),
            ),
        )

    return _fitting(some, places, ask).map(page)


def _fitting(
    some: Sequence[Told], places: Mapping[int, int], ask: PeekAsk
) -> Result[Sequence[Snippet], InvalidParameter]:
    """Return the first that the budget holds: at least one, as short as it may be."""
    items = [_snippet(one, places[one.key], ask) for one in some]
    shown = items[: fitting([_as_json(item) for item in items], ask.budget_bytes)]
    if shown or not items:
        return Success(shown)
    smallest = _smallest(some[0], places[some[0].key], ask)
    if smallest is None:
        reason = f"no snippet fits into {ask.budget_bytes} bytes"
        return Failure(InvalidParameter("budget_bytes", reason))
    return Success([smallest])


def _as_json(snippet: Snippet) -> Mapping[str, object]:
    return snippet.model_dump(mode="json")


def _snippet(one: Told, place: int, ask: PeekAsk) -> Snippet:
    most = limits(list(one.fields), ask.budget_bytes, ask.per_field_chars)
    return _of(one, place, {name: cut(text, most[name]) for name, text in one.fields.items()})


def _of(one: Told, place: int, fields: Mapping[str, str]) -> Snippet:
    return Snippet(
        rank=place, doc_id=one.doc_id, pub_id=one.pub_id, source=one.source, fields=fields
    )


def _smallest(one: Told, place: int, ask: PeekAsk) -> Snippet | None:
    """Return a snippet that fits: the fields as short as they may be, the last ones left out."""
    names = list(one.fields)
    for count in range(len(names), -1, -1):
        kept = {name: cut(one.fields[name], shortest(name)) for name in names[:count]}
        item = _of(one, place, kept)
        if size_of([_as_json(item)]) <= ask.budget_bytes:
            return item
    return None


@reader
def snippets(
    deps: CoreDeps, ids: Sequence[str], ask: PeekAsk, ready: Ready
) -> Result[tuple[Snippet, ...], CoreError]:
    """Return the snippets of claims and documents by their ids, as many as the budget holds.

    What is hidden is left out; ranks count what is shown.
    """
    return Result.do(
        tuple(shown)
        for _ in storable(ids=ids, fields=ask.fields)
        for seen in view(ready.boundary, ready.policy)(deps)
        for mine in rows_called([ClaimId(one) for one in ids], seen.visible)(deps)
        for beside in run_documents.keys_of(ids)(deps)
        for keys in Success(
            [
                mine[ClaimId(one)] if ClaimId(one) in mine else beside[one]
                for one in ids
                if ClaimId(one) in mine or one in beside
            ]
        )
        for found in told(keys[: ask.limit], Looking(seen, ready.policy), fields=ask.fields)(deps)
        for places in Success({one.key: rank for rank, one in enumerate(found, start=1)})
        for shown in _fitting(found, places, ask)
    )

"""The mirror of a file: loaded when it is first wanted, in the background where it is large."""

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from returns.result import Failure, Result, Success

from pce_memory.adapters.duck import DuckDatabase
from pce_memory.adapters.mirror import following, loading
from pce_memory.adapters.mirror.columns import ClaimColumns, Columns
from pce_memory.adapters.mirror.loading import Held
from pce_memory.adapters.mirror.masks import MOST_SEEN, Mask, Seen, mask_of, one_of_twins, seen_of
from pce_memory.adapters.mirror.passages import PassageLinks, Passages
from pce_memory.adapters.mirror.postings import Postings
from pce_memory.adapters.mirror.vectors import VectorView
from pce_memory.adapters.spaces import Space
from pce_memory.adapters.vectors import SqlVectorIndex
from pce_memory.deps import Version, Visibility
from pce_memory.errors import StoreError
from pce_memory.result import fold

AT_ONCE: Final = 5_000
"""A file of so many claims is read within the first search; a larger one in the background."""
MOST_GONE: Final = 0.2
"""Where a larger share of the claims has been erased, everything is read anew."""

SeenKey: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class MirrorView:
    """One state of the file, held for as long as a search takes."""

    columns: Columns
    passages: Passages
    postings: Postings
    vectors: VectorView | None
    masks: OrderedDict[SeenKey, Seen] = field(default_factory=OrderedDict[SeenKey, Seen])


class Mirror:
    """Columns, postings and vectors in memory, which follow the file commit by commit."""

    def __init__(self, db: DuckDatabase, vectors: SqlVectorIndex, *, limit: int) -> None:
        self._db = db
        self._vectors = vectors
        self._limit = limit
        self._lock = threading.RLock()
        self._held: Held | None = None
        self._space: Space | None = None
        self._view: MirrorView | None = None
        self._version: Version | None = None
        self._loader: threading.Thread | None = None
        self._stop = threading.Event()
        self._too_large: Version | None = None

    @property
    def state(self) -> str:
        """Say what is held: off, loading, ready or too large."""
        if self._limit <= 0:
            return "off"
        if self._view is not None:
            return "ready"
        return (
            "too large"
            if self._too_large is not None
            else "loading"
            if self._loader
            else "not loaded"
        )

    def close(self) -> None:
        """Stop loading, and let go of what is held."""
        self._stop.set()
        loader = self._loader
        if loader is not None and loader is not threading.current_thread():
            loader.join()
        self._view = self._held = None

    def view(self) -> Result[MirrorView | None, StoreError]:
        """Return the file as it is now; None where SQL has to answer.

        That is while it is loaded, where it is too large, and inside a transaction that has
        changed what a search reads. Call it before a snapshot begins: what was committed after
        that is not in the snapshot, and would be missed for good.
        """
        version = self._db.changes.version
        if self._limit <= 0 or self._is_too_large(version) or self._db.changes.pending:
            return Success(None)
        if version == self._version:
            return Success(self._view)
        with self._lock:
            if self._held is None or self._remade(version):
                return self._load(version)
            return self._follow(version)

    def _is_too_large(self, version: Version) -> bool:
        """Return whether the file was too large, and nothing was erased or made anew since."""
        found = self._too_large
        return found is not None and (found.erased, found.remade) == (
            version.erased,
            version.remade,
        )

    def _remade(self, version: Version) -> bool:
        return self._version is not None and self._version.remade != version.remade

    def _follow(self, version: Version) -> Result[MirrorView | None, StoreError]:
        # What was taken in by half, because a read failed, is never followed further.
        held, self._held = self._held, None
        if held is None or self._version is None:
            return Success(None)
        erased = version.erased != self._version.erased
        followed = self._db.snapshot(partial(self._followed, held, erased=erased))
        return fold(followed, ok=lambda whole: self._now(held, version, whole=whole), err=Failure)

    def _followed(self, held: Held, *, erased: bool) -> Result[bool, StoreError]:
        """Take in what changed; False where everything has to be read anew."""
        if not erased:
            return following.follow(self._db, held, self._space)
        return Result.do(
            whole and few
            for whole in following.follow(self._db, held, self._space)
            for few in self._without_erased(held)
        )

    def _now(
        self, held: Held, version: Version, *, whole: bool
    ) -> Result[MirrorView | None, StoreError]:
        if not whole or loading.bytes_of(held) > self._limit:
            return self._load(version)
        self._publish(held, version)
        return Success(self._view)

    def _without_erased(self, held: Held) -> Result[bool, StoreError]:
        def kept(gone: int) -> bool:
            return gone <= MOST_GONE * len(held.claims.columns)

        return loading.keys(self._db).map(lambda found: kept(held.claims.keep(found)))

    def _load(self, version: Version) -> Result[MirrorView | None, StoreError]:
        """Read everything: now where it is little, else in the background."""
        if self._loader is not None and self._loader.is_alive():
            return Success(None)
        self._view = self._held = None
        claims = loading.count(self._db)
        if isinstance(claims, Failure):
            return claims
        if claims.unwrap() <= AT_ONCE:
            return self._read(version).map(lambda _: self._view)
        self._loader = threading.Thread(target=self._read_aside, name="pce-mirror", daemon=True)
        self._loader.start()
        return Success(None)

    def current(self) -> MirrorView | None:
        """Return what is held, as `view` left it; None where SQL has to answer."""
        return None if self._db.changes.pending else self._view

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the background has read everything; return whether it has."""
        _ = self.view()
        loader = self._loader
        if loader is not None:
            loader.join(timeout)
        _ = self.view()
        return self._view is not None

    def _read_aside(self) -> None:
        _ = self._read(self._db.changes.version)

    def _read(self, version: Version) -> Result[None, StoreError]:
        def taken(held: Held | None) -> None:
            with self._lock:
                if held is None:
                    self._too_large = version
                elif not self._stop.is_set():
                    self._too_large = None
                    self._publish(held, version)

        return self._db.snapshot(self._everything).map(taken)

    def _publish(self, held: Held, version: Version) -> None:
        vectors = None if held.vectors is None else held.vectors.view()
        self._held = held
        self._view = MirrorView(held.claims.columns, held.passages.view(), held.postings, vectors)
        self._version = version

    def _everything(self) -> Result[Held | None, StoreError]:
        # What does not fit is not read: it may be asked again after every erasure.
        return Result.do(
            held
            for claims in loading.count(self._db)
            for marks in loading.marks(self._db)
            for held in (
                Success(None)
                if loading.room(claims, marks[1]) > self._limit
                else self._fitting(marks)
            )
        )

    def _fitting(self, marks: tuple[int, int]) -> Result[Held | None, StoreError]:
        return Result.do(
            held
            for space in self._vectors.active()
            for arrays in loading.load_columns(self._db)
            for held in self._rest(space, ClaimColumns(arrays), loading.last_change(arrays), marks)
        )

    def _rest(
        self, space: Space | None, claims: ClaimColumns, changed: int, marks: tuple[int, int]
    ) -> Result[Held | None, StoreError]:
        columns = claims.columns
        seq, count = marks
        left = self._limit - loading.room(len(columns), count)
        self._space = space
        whole = None if space is None else loading.fitting(space, len(columns), left)
        return Result.do(
            Held(claims, PassageLinks(columns), postings, vectors, changed, seq)
            for postings in loading.load_postings(self._db, columns, count)
            for vectors in (
                Success(None)
                if space is None or whole is None
                else loading.load_vectors(
                    self._db, space, columns, whole=whole, stopped=self._stop.is_set
                )
            )
        )


def seen_in(db: DuckDatabase, view: MirrorView, visible: Visibility) -> Result[Seen, StoreError]:
    """Return what of a view is visible; what invariants and filters say, SQL judges."""
    key = (visible.scopes, visible.classes, visible.status)
    steady = not visible.is_judged
    known = view.masks.get(key) if steady else None
    if known is not None and known.holds(visible.alive_since):
        return Success(known)

    def made(mask: Mask) -> Seen:
        shown = one_of_twins(view.columns, mask)
        seen = seen_of(view.columns, view.passages.head, shown, visible)
        if steady:
            view.masks[key] = seen
            while len(view.masks) > MOST_SEEN:
                _ = view.masks.popitem(last=False)
        return seen

    mask = mask_of(view.columns, visible)
    if steady:
        return Success(made(mask))
    return loading.visible_keys(db, visible).map(
        lambda keys: made(mask & _within(view.columns, keys))
    )


def _within(columns: Columns, keys: npt.NDArray[np.int64]) -> Mask:
    mask = np.zeros(len(columns), np.bool_)
    places, there = columns.places_of(keys)
    mask[places[there]] = True
    return mask

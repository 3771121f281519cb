"""Read a file into memory."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
from returns.result import Result, Success

from pce_memory.adapters.mirror.columns import BYTES_A_CLAIM, CODES, Arrays, ClaimColumns, Columns
from pce_memory.adapters.mirror.masks import BYTES_OF_MASKS
from pce_memory.adapters.mirror.passages import PassageLinks
from pce_memory.adapters.mirror.postings import BYTES_A_POSTING, Part, Postings, part_of
from pce_memory.adapters.mirror.vectors import Vectors, bytes_a_vector
from pce_memory.adapters.spaces import Space, in_space
from pce_memory.deps import Database, Visibility
from pce_memory.errors import StoreError
from pce_memory.result import collect
from pce_memory.store.statements import integers, masked, statements

SQL: Final = statements("mirror")
SEARCH: Final = statements("search")
POSTINGS_AT_ONCE: Final = 4_000_000
CLAIMS_AT_ONCE: Final = 32_768
SAMPLE: Final = 20_000
Floats: TypeAlias = npt.NDArray[np.float32]
Stopped: TypeAlias = Callable[[], bool]


@dataclass(slots=True)
class Held:
    """What is held in memory, and how far it follows the file."""

    claims: ClaimColumns
    passages: PassageLinks
    postings: Postings
    vectors: Vectors | None
    changed: int
    seq: int


def load_columns(db: Database) -> Result[Arrays, StoreError]:
    """Return the columns of all claims."""
    return columns_since(db, -1)


def count(db: Database) -> Result[int, StoreError]:
    """Return how many claims there are."""
    return db.query(SQL["count"]).map(lambda rows: int(rows[0]["n"]))


def keys(db: Database) -> Result[npt.NDArray[np.int64], StoreError]:
    """Return the keys of all claims."""
    return db.arrays(SQL["keys"]).map(lambda found: np.asarray(found["row_id"], np.int64))


def columns_since(db: Database, since: int) -> Result[Arrays, StoreError]:
    """Return the columns of the claims that changed since."""
    return db.arrays(_coded(SQL["columns"]), {"since": since})


@cache
def _coded(sql: str) -> str:
    """Return a statement with the lists of words written out: lists that are bound cost more."""
    lists = {"statuses": "status", "scopes": "scope", "classes": "boundary_class", "kinds": "kind"}
    for place, name in lists.items():
        words = ",".join(f"'{word}'" for word in CODES[name])
        sql = sql.replace(f"{{{place}}}", f"[{words}]")
    return sql


def last_change(columns: Arrays, before: int = -1) -> int:
    """Return the highest change among columns that were read."""
    return int(columns["changed"].max(initial=before))


def marks(db: Database) -> Result[tuple[int, int], StoreError]:
    """Return how far postings were written, and how many there are."""
    return db.query(SQL["marks"]).map(
        lambda rows: (int(rows[0]["seq"]), int(rows[0]["sorted"]) + int(rows[0]["unsorted"]))
    )


def load_postings(db: Database, columns: Columns, count: int) -> Result[Postings, StoreError]:
    """Return all postings, those that are sorted as one part."""
    ranges = max(1, -(-count // POSTINGS_AT_ONCE))
    width = (1 << 64) // ranges
    bounds = [(one * width, (one + 1) * width - 1) for one in range(ranges)]
    bounds[-1] = (bounds[-1][0], (1 << 64) - 1)
    return Result.do(
        Postings((_joined(parts),)).with_part(part_in(columns, unsorted))
        for parts in collect(
            db.arrays(SQL["sorted_postings"], {"first": first, "last": last}).map(
                lambda found: part_in(columns, found)
            )
            for first, last in bounds
        )
        for unsorted in db.arrays(SQL["new_postings"], {"since": -1})
    )


def load_postings_of(
    db: Database, columns: Columns, terms: Sequence[int]
) -> Result[Postings, StoreError]:
    """Return the postings of these terms alone."""
    if not terms:
        return Success(Postings())
    sql = SQL["postings_of_terms"].replace("{terms}", integers(terms))
    return db.arrays(sql).map(lambda found: Postings((part_in(columns, found),)))


def part_in(columns: Columns, found: Arrays) -> Part:
    """Return postings that were read as a part; those of claims that are not held are left out."""
    places, there = columns.places_of(found["row_id"])
    return part_of(found["term_hash"][there], places[there].astype(np.int32), found["tf"][there])


def _joined(parts: tuple[Part, ...]) -> Part:
    """Return parts of rising ranges of terms as one."""
    sizes = np.cumsum([0, *(len(part.places) for part in parts)])
    starts = [part.starts[:-1] + size for part, size in zip(parts, sizes, strict=False)]
    return Part(
        np.concatenate([part.terms for part in parts]),
        np.concatenate([*starts, sizes[-1:]]),
        np.concatenate([part.places for part in parts]),
        np.concatenate([part.tf for part in parts]),
    )


def room(columns: int, postings: int) -> int:
    """Return how many bytes columns, the masks over them and postings take."""
    return columns * (BYTES_A_CLAIM + BYTES_OF_MASKS) + postings * BYTES_A_POSTING


def bytes_of(held: Held) -> int:
    """Return how many bytes are held."""
    claims, vectors = len(held.claims.columns), held.vectors
    each = 0 if vectors is None else bytes_a_vector(vectors.dimension, whole=vectors.whole)
    return room(claims, held.postings.size) + claims * each


def fitting(space: Space, claims: int, left: int) -> bool | None:
    """Return whether vectors are kept whole in `left` bytes; None where not even bytes fit."""
    if claims * bytes_a_vector(space.dimension, whole=True) <= left:
        return True
    return False if claims * bytes_a_vector(space.dimension, whole=False) <= left else None


def load_vectors(
    db: Database, space: Space, columns: Columns, *, whole: bool, stopped: Stopped
) -> Result[Vectors, StoreError]:
    """Return the vectors of all claims; an early end leaves out the rest."""

    def filled(mean: Floats) -> Result[Vectors, StoreError]:
        vectors = Vectors(mean, whole=whole)
        return collect(_chunks(db, space, columns, vectors, stopped)).map(lambda _: vectors)

    return Result.do(
        vectors for mean in _sample_mean(db, space, columns) for vectors in filled(mean)
    )


def _chunks(
    db: Database, space: Space, columns: Columns, vectors: Vectors, stopped: Stopped
) -> Iterator[Result[None, StoreError]]:
    for start in range(0, len(columns), CLAIMS_AT_ONCE):
        if stopped():
            return
        rows = columns.row_id[start : start + CLAIMS_AT_ONCE]
        yield extend_vectors(db, space, rows, vectors)


def extend_vectors(
    db: Database, space: Space, row_ids: npt.NDArray[np.int64], vectors: Vectors
) -> Result[None, StoreError]:
    """Append the vectors of claims, which come in the order of their keys."""
    if not len(row_ids):
        return Success(None)
    params = {"first": int(row_ids[0]), "last": int(row_ids[-1])}
    return db.arrays(in_space(space, SQL["vectors"]), params).map(
        lambda found: vectors.extend(*matrix_of(found, row_ids, space.dimension))
    )


def matrix_of(
    found: Arrays, row_ids: npt.NDArray[np.int64], dimension: int
) -> tuple[npt.NDArray[np.bool_], Floats]:
    """Return which of these claims have a vector, and their vectors, row for row."""
    matrix = np.zeros((len(row_ids), dimension), np.float32)
    has = np.zeros(len(row_ids), np.bool_)
    places = np.searchsorted(row_ids, found["row_id"])
    inside = places < len(row_ids)
    inside[inside] = row_ids[places[inside]] == found["row_id"][inside]
    if inside.any():
        matrix[places[inside]] = _stacked(found["embedding"])[inside]
        has[places[inside]] = True
    return has, matrix


def _stacked(embeddings: npt.NDArray[Any]) -> Floats:
    return np.stack(list(np.ma.getdata(embeddings))).astype(np.float32, copy=False)


def _sample_mean(db: Database, space: Space, columns: Columns) -> Result[Floats, StoreError]:
    step = max(1, len(columns) // SAMPLE)
    params = {"step": step}

    def mean(found: Arrays) -> Floats:
        if not len(found["embedding"]):
            return np.zeros(space.dimension, np.float32)
        return np.asarray(_stacked(found["embedding"]).mean(axis=0), np.float32)

    return db.arrays(in_space(space, SQL["vector_sample"]), params).map(mean)


def visible_keys(db: Database, visible: Visibility) -> Result[npt.NDArray[np.int64], StoreError]:
    """Return the keys of the visible claims, as SQL judges them."""
    sql, params = masked(SEARCH["visible_rows"], visible)
    return db.arrays(sql, params).map(lambda found: np.asarray(found["row_id"], np.int64))

"""Follow what was written since a file was read into memory."""

from collections.abc import Iterator
from functools import partial
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from returns.result import Result, Success

from pce_memory.adapters.mirror import loading
from pce_memory.adapters.mirror.columns import Arrays, Columns
from pce_memory.adapters.mirror.loading import CLAIMS_AT_ONCE, Floats, Held
from pce_memory.adapters.mirror.vectors import Vectors
from pce_memory.adapters.spaces import Space, in_space
from pce_memory.deps import Database
from pce_memory.errors import StoreError
from pce_memory.result import collect
from pce_memory.store.statements import MOST_LITERALS, integers, statements

SQL: Final = statements("mirror")
Places: TypeAlias = npt.NDArray[np.int64]


def follow(db: Database, held: Held, space: Space | None) -> Result[bool, StoreError]:
    """Take in what was written since; False where it cannot be followed and has to be read anew.

    That is where an older claim was indexed again.
    """
    before = len(held.claims.columns)
    return Result.do(
        followed
        for found in loading.columns_since(db, held.changed)
        for _ in Success(held.claims.follow(found))
        for columns in Success(held.claims.columns)
        for terms in db.arrays(SQL["new_postings"], {"since": held.seq})
        for missing in _missing(db, columns, before, terms)
        for _ in _filled_in(db, held, space, found["row_id"])
        for followed in _followed(db, held, space, _joint(terms, missing), before=before)
        for followed in Success(_moved(held, found, terms) and followed)
    )


def _moved(held: Held, found: Arrays, terms: Arrays) -> bool:
    """Note how far the file was followed; return whether it can be followed further."""
    held.changed = loading.last_change(found, held.changed)
    held.seq = int(terms["seq"].max(initial=held.seq))
    held.passages.follow(held.claims.columns)
    return held.vectors is None or not held.vectors.outgrown


def _missing(
    db: Database, columns: Columns, before: int, terms: Arrays
) -> Result[Arrays | None, StoreError]:
    """Return the postings of new claims that were sorted before they were read here."""
    new = columns.row_id[before:][columns.dl[before:] > 0]
    lacking = new[~np.isin(new, terms["row_id"])]
    if not len(lacking):
        return Success(None)
    sql = SQL["postings_of_rows"].replace("{row_ids}", integers(lacking.tolist()))
    return db.arrays(sql).map(lambda found: found)


def _joint(terms: Arrays, missing: Arrays | None) -> Arrays:
    """Return both as one: they interleave, and the places of a later part are the later ones."""
    if missing is None:
        return terms
    names = ("term_hash", "row_id", "tf")
    return {name: np.concatenate([terms[name], missing[name]]) for name in names}


def _filled_in(
    db: Database, held: Held, space: Space | None, changed: npt.NDArray[np.int64]
) -> Result[None, StoreError]:
    """Take in the vectors of changed claims that were held without one.

    Whatever gives an older claim a vector says in its row what the vector is of.
    """
    if held.vectors is None or space is None:
        return Success(None)
    has = held.vectors.view().has
    places, there = held.claims.columns.places_of(changed)
    places = places[there & (places < len(has))]
    places = places[~has[places]]
    filled = _fill(db, space, places, held.claims.columns, held.vectors)
    return collect(filled).map(lambda _: None)


def _fill(
    db: Database, space: Space, places: Places, columns: Columns, vectors: Vectors
) -> Iterator[Result[None, StoreError]]:
    for start in range(0, len(places), CLAIMS_AT_ONCE):
        some = places[start : start + CLAIMS_AT_ONCE]
        keys = columns.row_id[some]
        read = _read(db, space, keys)
        yield read.map(partial(loading.matrix_of, row_ids=keys, dimension=space.dimension)).map(
            partial(_filled, vectors, some)
        )


def _filled(vectors: Vectors, places: Places, read: tuple[npt.NDArray[np.bool_], Floats]) -> None:
    vectors.fill(places, *read)


def _read(
    db: Database, space: Space, row_ids: npt.NDArray[np.int64]
) -> Result[Arrays, StoreError]:
    """Return the vectors of these claims; of many, all in the range of their keys."""
    if len(row_ids) > MOST_LITERALS:
        params = {"first": int(row_ids[0]), "last": int(row_ids[-1])}
        return db.arrays(in_space(space, SQL["vectors"]), params)
    sql = in_space(space, SQL["vectors_of_rows"])
    return db.arrays(sql.replace("{row_ids}", integers(row_ids.tolist())))


def _followed(
    db: Database, held: Held, space: Space | None, terms: Arrays, *, before: int
) -> Result[bool, StoreError]:
    columns = held.claims.columns
    part = loading.part_in(columns, terms)
    if len(part.places):
        if int(part.places.min()) < before:
            return Success(False)  # noqa: FBT003 - a value, not a flag
        held.postings = held.postings.with_part(part)
    new = columns.row_id[before:]
    if held.vectors is None or space is None:
        return Success(True)  # noqa: FBT003
    return loading.extend_vectors(db, space, new, held.vectors).map(lambda _: True)

"""The vectors of documents: a table beside that of claims for every space there is.

A document has one vector: that of its title, abst and claim, or of all its fields where it has
none of these, as its class lets them be indexed, up to `EMBEDDED` characters.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Row, Vector
from pce_memory.domain.policy import Policy
from pce_memory.domain.vocabulary import BoundaryClass
from pce_memory.errors import StoreError
from pce_memory.policy.indexed import indexed_text
from pce_memory.result import collect
from pce_memory.store.statements import statements, template, with_rows

SQL: Final = statements("document_vectors")
SPACES: Final = statements("vectors")

MAIN: Final = ("title", "abst", "claim")
EMBEDDED: Final = 4_000
"""More of a text moves its vector little, and costs as much again."""


@dataclass(frozen=True, slots=True)
class Space:
    """A space of vectors: the number that names its tables, and the dimension."""

    generation: int
    dimension: int

    def written(self, statement: str) -> str:
        """Return a statement with its `{generation}` and `{dimension}`, both integers."""
        return statement.replace("{generation}", str(self.generation)).replace(
            "{dimension}", str(self.dimension)
        )


def embedded_text(fields: Mapping[str, str], boundary_class: BoundaryClass, policy: Policy) -> str:
    """Return what of a document is embedded."""
    main = [fields[name] for name in MAIN if fields.get(name, "").strip()]
    texts = main or [fields[name] for name in sorted(fields)]
    return indexed_text("\n".join(texts)[:EMBEDDED], boundary_class, policy)


def readable(deps: CoreDeps) -> Result[Space | None, StoreError]:
    """Return the space in use if it is of the embedder at hand and has vectors of documents."""
    return Result.do(
        found
        for rows in deps.db.query(SQL["space"], _model(deps))
        for active in Success([row for row in rows if row["status"] == "active"])
        for found in (_there(deps, active) if active else Success(None))
    )


def writable(deps: CoreDeps) -> Result[Space, StoreError]:
    """Return the space that vectors of the embedder at hand go to, with a table for documents."""
    return Result.do(
        space
        for _ in deps.vector_index.prepare()
        for rows in deps.db.query(SQL["space"], _model(deps))
        for space in Success(_space(rows[0]))
        for _ in made(deps, space)
    )


def made(deps: CoreDeps, space: Space) -> Result[None, StoreError]:
    """Make the table of a space, unless it is there."""
    return Result.do(
        None
        for there in tables(deps)
        for _ in (Success(None) if space in there else _table_anew(deps, space))
    )


def _table_anew(deps: CoreDeps, space: Space) -> Result[None, StoreError]:
    """Make the table; one of another shape, in a file that somebody edited, goes."""
    return Result.do(
        None
        for _ in deps.db.execute(space.written(SPACES["drop_document_space"]))
        for _ in deps.db.execute(space.written(template("document_vectors")))
    )


def write(deps: CoreDeps, vectors: Mapping[int, Vector]) -> Result[None, StoreError]:
    """Store the vectors of documents by their keys; in a transaction."""
    if not vectors:
        return Success(None)
    return Result.do(None for space in writable(deps) for _ in write_into(deps, space, vectors))


def write_into(
    deps: CoreDeps, space: Space, vectors: Mapping[int, Vector]
) -> Result[None, StoreError]:
    """Store vectors in one space."""
    if not vectors:
        return Success(None)
    return deps.db.load(space.written(SQL["load"]), _columns(vectors))


def erase(deps: CoreDeps, doc_keys: Sequence[int]) -> Result[None, StoreError]:
    """Erase the vectors of documents, of every model, and those of the same texts in the cache."""
    return Result.do(
        None
        for spaces in tables(deps)
        for _ in collect(
            deps.db.execute(with_rows(space.written(SQL[name]), doc_keys))
            for space in spaces
            for name in ("erase_cached_like", "erase")
        )
    )


def tables(deps: CoreDeps) -> Result[tuple[Space, ...], StoreError]:
    """Return every space that has a table of vectors of documents."""
    return deps.db.query(SQL["tables"]).map(lambda rows: tuple(map(_space, rows)))


def _there(deps: CoreDeps, rows: Sequence[Row]) -> Result[Space | None, StoreError]:
    space = _space(rows[0])
    return tables(deps).map(lambda found: space if space in found else None)


def _space(row: Row) -> Space:
    return Space(int(row["generation"]), int(row["dimension"]))


def _model(deps: CoreDeps) -> dict[str, object]:
    return {"model_id": deps.embedding.model_id, "version": deps.embedding.version}


def _columns(vectors: Mapping[int, Vector]) -> Mapping[str, object]:
    import numpy as np  # noqa: PLC0415 - not at opening

    return {
        "doc_key": np.array(list(vectors), np.int64),
        "embedding": np.array(list(vectors.values()), np.float32),
    }

"""The vectors of claims in the file, searched by an exact scan: the simple, correct body."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Final, TypeAlias

from returns.result import Failure, Result, Success

from pce_memory.adapters.spaces import Space, Unembedded, as_columns, in_space
from pce_memory.adapters.vector_tables import VectorTables
from pce_memory.deps import Arrays, Database, EmbeddingProvider, Matrix, Row, Vector, Visibility
from pce_memory.deps.embedding import model_of
from pce_memory.errors import EmbedderMismatch, StoreError
from pce_memory.result import collect
from pce_memory.store.embeddings import vector_text
from pce_memory.store.statements import (
    among,
    masked,
    rows_json,
    statements,
    template,
    with_rows,
)
from pce_memory.text.tokens import term_hash

SQL: Final = statements("vectors")
VectorError: TypeAlias = StoreError
MANY: Final = 16
"""From so many vectors on they go to DuckDB as columns, below as text."""


class SqlVectorIndex:
    """Vectors in a table made for their dimension; the table is made at the first write."""

    def __init__(
        self, db: Database, provider: EmbeddingProvider, clock: Callable[[], float]
    ) -> None:
        self._db = db
        self._provider = provider
        self._clock = clock
        self.tables = VectorTables(db)

    def write(self, vectors: Sequence[tuple[int, Vector]]) -> Result[None, VectorError]:
        """Store vectors; a claim's vector never changes, so one that is there stays."""
        if not vectors:
            return Success(None)
        return Result.do(
            None for space in self.writable() for _ in self.write_into(space, vectors)
        )

    def add(self, vectors: Sequence[tuple[int, Vector]]) -> Result[None, VectorError]:
        """Store the vectors of new claims: looking for one that is there takes most of a write."""
        if not vectors:
            return Success(None)
        return Result.do(None for space in self.writable() for _ in self._added(space, vectors))

    def _added(
        self, space: Space, vectors: Sequence[tuple[int, Vector]]
    ) -> Result[None, VectorError]:
        if len(vectors) >= MANY:
            return self._db.load(in_space(space, SQL["load_new_vectors"]), as_columns(vectors))
        sql = with_rows(in_space(space, SQL["add_vectors"]), [key for key, _ in vectors])
        return self._db.execute(sql, {"vectors": [vector_text(one) for _, one in vectors]})

    def write_into(
        self, space: Space, vectors: Sequence[tuple[int, Vector]]
    ) -> Result[None, VectorError]:
        """Store vectors in one space."""
        if len(vectors) >= MANY:
            return self._db.load(in_space(space, SQL["load_vectors"]), as_columns(vectors))
        rows = [{"row_id": key, "embedding": vector_text(vector)} for key, vector in vectors]
        return self._db.execute(in_space(space, SQL["insert_vectors"]), {"rows": rows_json(rows)})

    def of_texts(self, texts: Sequence[str]) -> Result[Mapping[str, Vector], VectorError]:
        """Return the vectors of those texts that are embedded for a claim already."""
        texts_of = {term_hash(text): text for text in texts}
        return Result.do(
            {texts_of[one]: vector for one, vector in found.items()}
            for rows in self._db.query(SQL["embedded"].replace("{embedded}", among(texts_of)))
            for found in self._of_rows({int(row["row_id"]): row["embedded"] for row in rows})
        )

    def _of_rows(self, embedded: Mapping[int, int]) -> Result[Mapping[int, Vector], VectorError]:
        """Return the vectors of the provider's model of these claims, by what they are of."""
        if not embedded:
            return Success({})
        return Result.do(
            {embedded[int(row["row_id"])]: row["embedding"] for group in found for row in group}
            for spaces in self.spaces()
            for found in collect(
                self._db.query(with_rows(in_space(space, SQL["vectors_by_row"]), embedded))
                for space in spaces
                if space.of(self._provider)
            )
        )

    def prepare(self) -> Result[None, VectorError]:
        """Make the space our vectors go to, if there is none yet."""
        return self.writable().map(lambda _: None)

    def erase(self, row_ids: Sequence[int]) -> Result[None, VectorError]:
        """Remove the vectors of these claims, of every model."""
        return Result.do(
            None
            for spaces in self.spaces()
            for _ in collect(
                self._db.execute(with_rows(in_space(space, SQL[name]), row_ids))
                for space in spaces
                for name in ("erase_cached_like", "erase_vectors")
            )
        )

    def nearest(
        self, query: Vector, visible: Visibility, *, limit: int
    ) -> Result[Mapping[int, float], VectorError]:
        """Return the cosines of the `limit` visible claims nearest to `query`."""
        return Result.do(
            found
            for space in self.active()
            for found in self._nearest(space, query, visible, limit)
        )

    def cosines(
        self, query: Vector, row_ids: Sequence[int]
    ) -> Result[Mapping[int, float], VectorError]:
        """Return the cosines of the given rows to `query`; rows without a vector are absent."""
        if not row_ids:
            return Success({})
        return Result.do(
            found for space in self.active() for found in self._cosines(space, query, row_ids)
        )

    def matrix(self, row_ids: Sequence[int]) -> Result[Matrix, VectorError]:
        """Return the vectors of these rows as a numpy matrix, NaN where a claim has none."""
        return Result.do(
            matrix for space in self.active() for matrix in self._matrix(space, row_ids)
        )

    def _matrix(self, space: Space | None, row_ids: Sequence[int]) -> Result[Matrix, VectorError]:
        import numpy as np  # noqa: PLC0415 - comes in with the first search

        if space is None or not row_ids:
            return Success(np.full((len(row_ids), 1), np.nan))
        wanted = {row: place for place, row in enumerate(row_ids)}
        matrix = np.full((len(row_ids), space.dimension), np.nan)

        def filled(found: Arrays) -> Matrix:
            for row, vector in zip(found["row_id"].tolist(), found["embedding"], strict=True):
                matrix[wanted[row]] = vector
            return matrix

        sql = with_rows(in_space(space, SQL["vectors_by_row"]), row_ids)
        return self._db.arrays(sql).map(filled)

    def active(self) -> Result[Space | None, VectorError]:
        """Return the space in use; None before the first vector, and while it is not ours.

        Vectors of another model are never compared with ours: until `reembed` is done, the words
        alone decide.
        """
        return self.spaces().map(
            lambda spaces: next(
                (one for one in spaces if one.status == "active" and one.of(self._provider)), None
            )
        )

    def spaces(self) -> Result[tuple[Space, ...], VectorError]:
        """Return the space in use and those being filled, as far as they can be read."""
        return self.tables.usable()

    def writable(self) -> Result[Space, VectorError]:
        """Return the space our vectors go to; it is made where there is none.

        The first space is in use at once. One beside a space of another model is being filled.
        """
        return Result.do(
            space
            for recorded in self.tables.recorded()
            for spaces in self.tables.usable_of(recorded)
            for ours in Success([one for one in recorded if one.of(self._provider)])
            for space in (
                self._create("filling" if recorded else "active")
                if not ours
                else Success(ours[0])
                if ours[0] in spaces
                else self.tables.anew(ours[0])
            )
        )

    def promote(self, space: Space) -> Result[None, VectorError]:
        """Put a filled space in use and remove the others, in one transaction."""

        def work() -> Result[None, VectorError]:
            return Result.do(
                None
                for spaces in self.tables.recorded()
                for _ in collect(self._retire(one) for one in spaces if one != space)
                for _ in self._set_status(space, "active")
            )

        return self._db.transaction(work)

    def without_vector(
        self, space: Space, limit: int
    ) -> Result[tuple[Unembedded, ...], VectorError]:
        """Return claims that have no vector in a space yet."""
        rows = self._db.query(in_space(space, SQL["without_vector"]), {"limit": limit})
        return rows.map(lambda found: tuple(Unembedded(**row) for row in found))

    def count_without_vector(self, space: Space) -> Result[int, VectorError]:
        """Return how many claims have no vector in a space yet."""
        rows = self._db.query(in_space(space, SQL["count_without_vector"]))
        return rows.map(lambda found: int(found[0]["n"]))

    def count_missing(self) -> Result[int, VectorError]:
        """Return how many claims have no vector of the provider's model."""
        return Result.do(
            missing
            for spaces in self.spaces()
            for ours in Success([one for one in spaces if one.of(self._provider)])
            for missing in (
                self.count_without_vector(ours[0])
                if ours
                else self._db.query(SQL["count_live"]).map(lambda rows: int(rows[0]["n"]))
            )
        )

    @property
    def model(self) -> str:
        """Name the provider's model as people read it."""
        return model_of(self._provider)

    def check(self) -> Result[None, VectorError | EmbedderMismatch]:
        """Return a failure if the file's vectors are of another model than the provider's."""
        return Result.do(None for spaces in self.tables.recorded() for _ in self._same(spaces))

    def _same(self, spaces: Sequence[Space]) -> Result[None, EmbedderMismatch]:
        provider = self._provider
        used = next((one for one in spaces if one.status == "active"), None)
        if used is None or used.of(provider):
            return Success(None)
        return Failure(EmbedderMismatch(used.model, self.model))

    def _create(self, status: str) -> Result[Space, VectorError]:
        provider = self._provider

        def made(rows: Sequence[Row]) -> Space:
            generation = int(rows[0]["generation"]) + 1
            model = (provider.model_id, provider.version, provider.dimension)
            return Space(generation, *model, status)

        def work() -> Result[Space, VectorError]:
            return Result.do(
                space
                for space in self._db.query(SQL["last_generation"]).map(made)
                for _ in self._db.execute(in_space(space, template("vectors")))
                for _ in self._db.execute(SQL["insert_space"], self._record(space))
            )

        return self._db.transaction(work)

    def _retire(self, space: Space) -> Result[None, VectorError]:
        return Result.do(
            None
            for _ in self._set_status(space, "retired")
            for _ in self._db.execute(in_space(space, SQL["drop_space"]))
            for _ in self._db.execute(in_space(space, SQL["drop_document_space"]))
            for _ in self._db.execute(
                SQL["drop_cached"], {"model_id": space.model_id, "version": space.version}
            )
        )

    def _set_status(self, space: Space, status: str) -> Result[None, VectorError]:
        params = {"generation": space.generation, "status": status}
        return self._db.execute(SQL["set_space_status"], params)

    def _record(self, space: Space) -> dict[str, object]:
        return {**asdict(space), "now": self._clock()}

    def _nearest(
        self, space: Space | None, query: Vector, visible: Visibility, limit: int
    ) -> Result[Mapping[int, float], VectorError]:
        if space is None:
            return Success({})
        sql, mask = masked(in_space(space, SQL["nearest"]), visible)
        params = {**mask, "query": vector_text(query), "limit": limit}
        return self._db.query(sql, params).map(_cosines)

    def _cosines(
        self, space: Space | None, query: Vector, row_ids: Sequence[int]
    ) -> Result[Mapping[int, float], VectorError]:
        if space is None:
            return Success({})
        sql = with_rows(in_space(space, SQL["cosines"]), row_ids)
        return self._db.query(sql, {"query": vector_text(query)}).map(_cosines)


def _cosines(rows: Sequence[Row]) -> Mapping[int, float]:
    return {int(row["row_id"]): float(row["cosine"]) for row in rows}

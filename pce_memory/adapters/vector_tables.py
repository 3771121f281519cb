"""Which tables of vectors are there, and hold what the record of them says."""

from collections.abc import Sequence
from typing import Final

from returns.result import Result, Success

from pce_memory.adapters.spaces import Space, in_space
from pce_memory.deps import Database, Row
from pce_memory.errors import StoreError
from pce_memory.store.statements import statements, template

SQL: Final = statements("vectors")


class VectorTables:
    """The tables of one file; in a file that somebody edited one may be missing."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._there: frozenset[Space] = frozenset()
        self._remade: int | None = None

    def recorded(self) -> Result[tuple[Space, ...], StoreError]:
        """Return the space in use and those being filled, whether or not their tables are."""
        return self._db.query(SQL["active_space"]).map(
            lambda rows: tuple(Space(**row) for row in rows)
        )

    def usable(self) -> Result[tuple[Space, ...], StoreError]:
        """Return those whose table is there and holds vectors of their dimension.

        Where the one in use is not among them, the words alone decide.
        """
        return Result.do(
            spaces for recorded in self.recorded() for spaces in self.usable_of(recorded)
        )

    def lost(self) -> Result[tuple[Space, ...], StoreError]:
        """Return the spaces whose table is missing, or holds something else."""
        return Result.do(
            tuple(space for space in recorded if space not in usable)
            for recorded in self.recorded()
            for usable in self.usable_of(recorded)
        )

    def anew(self, space: Space) -> Result[Space, StoreError]:
        """Make the table of a space whose own is missing, or is not of its dimension."""

        def work() -> Result[Space, StoreError]:
            return Result.do(
                space
                for _ in self._db.execute(in_space(space, SQL["drop_space"]))
                for _ in self._db.execute(in_space(space, template("vectors")))
            )

        return self._db.transaction(work)

    def usable_of(self, recorded: Sequence[Space]) -> Result[tuple[Space, ...], StoreError]:
        """Return those of the recorded ones whose table is there and holds what it should."""
        version = self._db.version
        if version is not None and version.remade != self._remade:
            self._there, self._remade = frozenset(), version.remade
        if self._there.issuperset(recorded):
            return Success(tuple(recorded))

        def usable(rows: Sequence[Row]) -> tuple[Space, ...]:
            tables = {(row["generation"], row["data_type"]) for row in rows}
            spaces = tuple(one for one in recorded if (one.generation, one.type) in tables)
            self._there |= frozenset(spaces)
            return spaces

        return self._db.query(SQL["shapes"]).map(usable)

"""Look over a whole file: which claims live, and of which class they are."""

from collections.abc import Mapping
from typing import Final

from returns.result import Result

from pce_memory.deps import CoreDeps
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.statements import statements

SQL: Final = statements("impact")


@reader
def living(deps: CoreDeps) -> Result[Mapping[int, str], StoreError]:
    """Return the class of every active claim, by its key."""
    return deps.db.query(SQL["living_rows"]).map(
        lambda rows: {int(row["row_id"]): str(row["boundary_class"]) for row in rows}
    )

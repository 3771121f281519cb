"""Which taxonomies there are codes of, as far as a caller may see."""

from collections.abc import Iterable
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Visibility
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.documents import documents_masked
from pce_memory.store.statements import statements
from pce_memory.text.codes import base_of, names_of

SQL: Final = statements("taxonomies")
OF_CLAIMS: Final = ("entity", "kind", "scope", "tag")
"""What claims have codes of, always."""


@reader
def lacking(
    deps: CoreDeps, asked: Iterable[str], visible: Visibility
) -> Result[tuple[str, ...], StoreError]:
    """Return those of some taxonomies that no visible document has a code of."""
    names = sorted(set(asked))
    if not names:
        return Success(())
    every = [name for one in names for name in names_of(base_of(one))]
    sql, mask = documents_masked(SQL["taxonomies_seen"], visible)

    def absent(found: Iterable[str]) -> tuple[str, ...]:
        there = {base_of(one) for one in found}
        return tuple(one for one in names if base_of(one) not in there)

    return deps.db.query(sql, {**mask, "taxonomies": every}).map(
        lambda rows: absent(str(row["taxonomy"]) for row in rows)
    )

"""Which rows stand for what a call gives under ids that others may have used: pure.

A row is called by the id it was given under. What is equal in all that was given is one row;
something else under the same id gets a number behind it, so no id of anybody's is in the way.
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

from pce_memory.domain.ids import called, number_of, numbered

I = TypeVar("I", bound=str)  # noqa: E741 - the id type, as T is any type
V = TypeVar("V", bound=Hashable)


def row_ids(wanted: Sequence[tuple[I, V]], stored: Iterable[tuple[I, V]]) -> tuple[I, ...]:
    """Return the id of the row of each id and value: of a stored one, or of one that is new.

    >>> row_ids([("ent_a", 1), ("ent_a", 2), ("ent_b", 1)], [("ent_a", 3), ("ent_a~1", 2)])
    ('ent_a~2', 'ent_a~1', 'ent_b')
    """
    rows: dict[tuple[I, V], I] = {}
    highest: dict[I, int] = {}
    for row_id, value in stored:
        name = called(row_id)
        _ = rows.setdefault((name, value), row_id)
        highest[name] = max(highest.get(name, 0), number_of(row_id))
    return tuple(_row(rows, highest, called(row_id), value) for row_id, value in wanted)


def _row(rows: dict[tuple[I, V], I], highest: dict[I, int], name: I, value: V) -> I:
    if (name, value) not in rows:
        highest[name] = highest.get(name, -1) + 1
        rows[name, value] = numbered(name, highest[name]) if highest[name] else name
    return rows[name, value]


def in_the_way(wanted: Sequence[tuple[I, V]], stored: Iterable[tuple[I, V]]) -> list[I]:
    """Return the ids under which something else is stored, or that are given to several values.

    >>> in_the_way([("ent_a", 1), ("ent_b", 1), ("ent_c", 1), ("ent_c~1", 2)], [("ent_a", 2)])
    ['ent_a', 'ent_c']
    """
    values: dict[I, set[V]] = {}
    for row_id, value in (*wanted, *stored):
        values.setdefault(called(row_id), set()).add(value)
    return sorted(name for name, some in values.items() if len(some) > 1)

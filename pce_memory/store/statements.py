"""Load the named statements of sql/queries, and bind rows and times to them."""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Final

from pce_memory.deps import EVERY_ROW, Params, Visibility
from pce_memory.domain.vocabulary import Scope
from pce_memory.resources import resource

_NAME: Final = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


@cache
def statements(group: str) -> Mapping[str, str]:
    """Return the statements of sql/queries/`group`.sql by name.

    The first line of each is `-- group.name`, which errors name instead of the SQL.
    """
    text = (resource("sql") / "queries" / f"{group}.sql").read_text("utf-8")
    _, *parts = _NAME.split(text)
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return MappingProxyType({name: f"-- {group}.{name}\n{body.strip()}" for name, body in pairs})


@cache
def template(name: str) -> str:
    """Return sql/templates/`name`.sql; its braces take integers only."""
    text = (resource("sql") / "templates" / f"{name}.sql").read_text("utf-8")
    return f"-- template.{name}\n{text}"


def rows_json(rows: Iterable[Mapping[str, object]]) -> str:
    """Return rows as the one JSON string that a bulk statement unnests."""
    return json.dumps(list(rows), ensure_ascii=False, separators=(",", ":"))


MOST_LITERALS: Final = 512
"""A row is compared with each of so many literals; with more they become a table to join."""


def integers(values: Iterable[int]) -> str:
    """Return integers as the inside of `in (...)`: a key lookup needs literals.

    >>> integers([1, 2])
    '1,2'
    """
    return listed([str(int(value)) for value in values])


def listed(literals: Sequence[str]) -> str:
    """Return literals, safe as they are, as the inside of `in (...)`; of none, nothing is in it.

    >>> listed([])
    'null'
    """
    inside = ",".join(literals)
    if len(literals) <= MOST_LITERALS:
        return inside or "null"
    return f"from (select unnest([{inside}]))"


FEW_LITERALS: Final = 4


def among(values: Collection[int]) -> str:
    """Return the test of a column that has no index for these integers: many are one join.

    >>> among([1, 2])
    'in (1,2)'
    """
    inside = ",".join(str(int(value)) for value in values)
    if len(values) <= FEW_LITERALS:
        return f"in ({inside or 'null'})"
    return f"in (from (select unnest([{inside}]::ubigint[])))"


def with_rows(statement: str, row_ids: Iterable[int]) -> str:
    """Return the statement with `{row_ids}` written out."""
    return statement.replace("{row_ids}", integers(row_ids))


def lives(alive_since: Mapping[Scope, float]) -> Params:
    """Return the parameters that say since when a claim of each scope lives."""
    # No end is a time before all times: DuckDB orders -inf as well, but binds it as text.
    return {f"{scope}_since": max(since, -1e18) for scope, since in alive_since.items()}


def masked(statement: str, visible: Visibility) -> tuple[str, Params]:
    """Return a statement with its `{visible}` written out, and the parameters of that mask.

    The mask is fixed text: what a policy or a caller wrote reaches SQL as parameters only.
    """
    mask = template("visible").replace("{invariants}", visible.invariants.sql)
    if visible.twins:
        mask += template("one_of_twins").replace("{shown}", mask)
    if visible.filters.sql != EVERY_ROW.sql:
        mask += f"and ({visible.filters.sql})"
    params: Params = {
        "scopes": list(visible.scopes),
        "classes": list(visible.classes),
        "status": visible.status,
        "now": visible.now,
        **lives(visible.alive_since),
        "utility_half_life": visible.utility_half_life,
        "quality_half_life": visible.quality_half_life,
        **visible.invariants.params,
        **visible.filters.params,
    }
    return statement.replace("{visible}", mask), params

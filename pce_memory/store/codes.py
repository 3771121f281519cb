"""The codes that claims carry: entities, kind, scope and tags."""

import json
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from returns.result import Result, Success

from pce_memory.deps import Arrays, CoreDeps, Row, Visibility
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.statements import masked, rows_json, statements, with_rows
from pce_memory.text.codes import Hit

SQL: Final = statements("codes")
Codes: TypeAlias = Mapping[str, Sequence[str]]
Profile: TypeAlias = Mapping[str, Mapping[str, float]]


@reader
def claims_with_codes(
    deps: CoreDeps, row_ids: Sequence[int]
) -> Result[Mapping[int, Row], StoreError]:
    """Return what claims carry and are called and what decides who sees them, by row id."""
    if not row_ids:
        return Success({})
    return deps.db.query(with_rows(SQL["claims_with_codes"], row_ids)).map(
        lambda rows: {int(row["row_id"]): row for row in rows}
    )


def of_claim(row: Row) -> Codes:
    """Return the codes that such a claim carries, by taxonomy."""
    found: dict[str, Sequence[str]] = {
        "entity": sorted(row["entities"] or ()),
        "kind": [row["kind"]],
        "scope": [row["scope"]],
        "tag": sorted(json.loads(row["tags"])),
    }
    return {taxonomy: some for taxonomy, some in found.items() if some}


def by_key(rows: Sequence[tuple[int, str, str]]) -> Mapping[int, Codes]:
    """Return keys with their codes, by taxonomy."""
    found: dict[int, dict[str, list[str]]] = {}
    for key, taxonomy, code in rows:
        found.setdefault(key, {}).setdefault(taxonomy, []).append(code)
    return found


@reader
def carriers(
    deps: CoreDeps, asked: Sequence[Hit], first: int, last: int
) -> Result[Arrays, StoreError]:
    """Return key and place: which claims of a range of row ids carry which of these codes.

    A row says that once for every way it is carried, in no order.
    """
    taxonomies = sorted({one.taxonomy for one in asked})
    params = {"codes": places_of(asked), "taxonomies": taxonomies, "first": first, "last": last}
    return deps.db.arrays(SQL["carriers"], params)


def places_of(asked: Sequence[Hit]) -> str:
    """Return codes as a JSON array of place, taxonomy and code."""
    return rows_json(
        {"place": place, "taxonomy": one.taxonomy, "code": one.code}
        for place, one in enumerate(asked)
    )


@reader
def known(
    deps: CoreDeps, taxonomies: Sequence[str]
) -> Result[tuple[tuple[str, str], ...], StoreError]:
    """Return the codes of some taxonomies that any claim carries."""
    if not taxonomies:
        return Success(())
    return deps.db.query(SQL["known_codes"], {"taxonomies": list(taxonomies)}).map(pairs_of)


def pairs_of(rows: Sequence[Row]) -> tuple[tuple[str, str], ...]:
    """Return taxonomy and code of rows."""
    return tuple((str(row["taxonomy"]), str(row["code"])) for row in rows)


@reader
def hits(
    deps: CoreDeps, profile: Profile, visible: Visibility, *, limit: int
) -> Result[Arrays, StoreError]:
    """Return row_id and weight of the visible claims whose codes weigh most."""
    sql, params = masked(SQL["hits_by_code"], visible)
    return deps.db.arrays(sql, {**params, "codes": rows_of(profile), "limit": limit})


@reader
def linked(
    deps: CoreDeps, row_ids: Sequence[int], visible: Visibility
) -> Result[tuple[tuple[int, int], ...], StoreError]:
    """Return (claim, visible claim that names an entity which it names) of each of these."""
    if not row_ids:
        return Success(())
    sql, params = masked(with_rows(SQL["linked"], row_ids), visible)
    return deps.db.query(sql, params).map(
        lambda rows: tuple((int(row["seed"]), int(row["row_id"])) for row in rows)
    )


def rows_of(profile: Profile) -> str:
    """Return a profile as a JSON array of taxonomy, code and weight."""
    return rows_json(
        {"taxonomy": taxonomy, "code": code, "weight": weight}
        for taxonomy, codes in profile.items()
        for code, weight in codes.items()
    )

"""The codes that claims carry: entities, kind, scope and tags."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Final, TypeAlias

from returns.result import Result, Success

from pce_memory.deps import Arrays, CoreDeps, Params, Row, Visibility
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.fitting import list_in
from pce_memory.store.statements import masked, rows_json, statements, with_rows
from pce_memory.text.codes import Hit, aims_of, compared

SQL: Final = statements("codes")
TAG: Final = "tag"
BESIDE_TAGS: Final = frozenset({"entity", "kind", "scope"})
"""What else claims carry."""
NONE: Final[Result[Arrays | None, StoreError]] = Success(None)
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


def of_claims(rows: Mapping[int, Row]) -> Mapping[int, Codes]:
    """Return the codes that such claims carry, by taxonomy, by row id."""
    # Many claims have one and the same list of tags: it is parsed once.
    lists = {text: _tags(text) for text in {row["tags"] for row in rows.values()}}
    return {key: _of_claim(row, lists[row["tags"]]) for key, row in rows.items()}


def _tags(text: str) -> Sequence[str]:
    return sorted(map(str, list_in(text)))


def _of_claim(row: Row, tags: Sequence[str]) -> Codes:
    found: dict[str, Sequence[str]] = {
        "entity": sorted(row["entities"] or ()),
        "kind": [row["kind"]],
        "scope": [row["scope"]],
        "tag": tags,
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
    tags = {at: one for at, one in enumerate(asked) if one.taxonomy == TAG}
    others = {at: one for at, one in enumerate(asked) if one.taxonomy in BESIDE_TAGS}
    bounds = {"first": first, "last": last}
    return Result.do(
        joined(parts)
        for tagged in (_tagged(deps, {"codes": _places(tags), **bounds}) if tags else NONE)
        for named in (_named(deps, others, bounds) if others else NONE)
        for parts in Success([one for one in (tagged, named) if one is not None])
    )


def joined(parts: Sequence[Arrays]) -> Arrays:
    """Return the rows of some tables with the columns key and place, one after the other."""
    import numpy as np  # noqa: PLC0415 - not at opening

    nothing = np.empty(0, np.int64)
    if len(parts) == 1:
        return parts[0]
    return {
        name: np.concatenate([nothing, *(one[name] for one in parts)]) for name in ("key", "place")
    }


def _tagged(deps: CoreDeps, params: Params) -> Result[Arrays, StoreError]:
    """Return who carries tags; it is read again where claims have changed since."""
    version = deps.db.version
    # What was aimed at is not held as text.
    name = blake2b(f"{version} {params}".encode("utf-8", "replace")).hexdigest()
    found = None if version is None else deps.held.carriers.get(name)
    if found is not None:
        return Success(found)

    def held(read: Arrays) -> Arrays:
        if version is not None:
            deps.held.carriers.put(name, read, len(read["key"]))
        return read

    return deps.db.arrays(SQL["tag_carriers"], params).map(held)


def _named(deps: CoreDeps, asked: Mapping[int, Hit], bounds: Params) -> Result[Arrays, StoreError]:
    taxonomies = sorted({one.taxonomy for one in asked.values()})
    params = {"codes": _places(asked), "taxonomies": taxonomies, **bounds}
    return deps.db.arrays(SQL["carriers"], params)


def places_of(asked: Sequence[Hit]) -> str:
    """Return codes as a JSON array of place, taxonomy and code."""
    return _places(dict(enumerate(asked)))


def _places(asked: Mapping[int, Hit]) -> str:
    return rows_json(
        {"place": place, "taxonomy": one.taxonomy, "code": one.code}
        for place, one in asked.items()
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
    norms = deps.code_normalizers
    return Result.do(
        found
        for stored in known(compared(profile, norms))(deps)
        for codes in Success(rows_json(aims_of(profile, stored, norms)))
        for found in deps.db.arrays(sql, {**params, "codes": codes, "limit": limit})
    )


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

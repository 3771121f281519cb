"""The evidence table: why a claim is believed."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Row
from pce_memory.domain.ids import ClaimId
from pce_memory.domain.provenance import Evidence
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store.claims import literals
from pce_memory.store.fitting import fitting
from pce_memory.store.statements import rows_json, statements
from pce_memory.store.times import seconds_of

SQL: Final = statements("evidence")
_BEGIN: Final = datetime(1970, 1, 1)  # noqa: DTZ001 - as the driver returns a timestamp


@reader
def insert(deps: CoreDeps, evidences: Sequence[Evidence]) -> Result[None, StoreError]:
    """Write reasons to believe claims."""
    if not evidences:
        return Success(None)
    now = deps.clock()
    rows = [evidence.model_dump(mode="json") for evidence in evidences]
    for row in rows:
        row["created_at"] = now if row["created_at"] is None else row["created_at"]
    return deps.db.execute(SQL["insert_evidence"], {"rows": rows_json(rows)})


@reader
def of_claims(
    deps: CoreDeps, ids: Sequence[ClaimId]
) -> Result[Mapping[ClaimId, tuple[Evidence, ...]], StoreError]:
    """Return the evidence of each claim, oldest first."""
    if not ids:
        return Success({})
    sql = SQL["evidence_of_claims"].replace("{ids}", literals(ids))
    return deps.db.query(sql).map(_grouped)


@reader
def move(deps: CoreDeps, claim_id: ClaimId, *, into: ClaimId) -> Result[None, StoreError]:
    """Give a claim's evidence to the claim that stands for it."""
    return deps.db.execute(SQL["move_evidence"], {"claim_id": claim_id, "survivor": into})


def _grouped(rows: Sequence[Row]) -> Mapping[ClaimId, tuple[Evidence, ...]]:
    grouped: dict[ClaimId, tuple[Evidence, ...]] = {}
    # Sorting a dozen rows in SQL costs more than all the rest of the statement.
    in_order = sorted(rows, key=lambda row: (row["created_at"] or _BEGIN, row["id"]))
    for evidence in fitting(in_order, as_evidence):
        grouped[evidence.claim_id] = (*grouped.get(evidence.claim_id, ()), evidence)
    return grouped


def as_evidence(row: Row) -> Evidence:
    """Return a row of evidence as the model."""
    fields = dict(row)
    raw, at = row["provenance"], row["created_at"]
    fields["provenance"] = None if raw is None else json.loads(raw)
    fields["created_at"] = None if at is None else seconds_of(at)
    return Evidence.model_validate(fields)

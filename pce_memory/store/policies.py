"""The policies table: the texts that were applied; the highest `seq` is in force."""

import hashlib
from dataclasses import dataclass
from typing import Final

from returns.result import Result

from pce_memory.deps import Database, Row
from pce_memory.errors import StoreError
from pce_memory.store.statements import statements

SQL: Final = statements("policies")


@dataclass(frozen=True, slots=True)
class StoredPolicy:
    """One applied policy text."""

    seq: int
    version: str
    yaml: str
    sha256: str


def sha256_of(yaml: str) -> str:
    """Return the SHA-256 of a policy text."""
    return hashlib.sha256(yaml.encode()).hexdigest()


def current(db: Database) -> Result[StoredPolicy | None, StoreError]:
    """Return the policy in force, or None."""
    return db.query(SQL["current_policy"]).map(lambda rows: _stored(rows[0]) if rows else None)


def by_version(db: Database, version: str) -> Result[StoredPolicy | None, StoreError]:
    """Return the policy of one version, or None."""
    return db.query(SQL["policy_by_version"], {"version": version}).map(
        lambda rows: _stored(rows[0]) if rows else None
    )


def insert(db: Database, version: str, yaml: str, *, now: float) -> Result[None, StoreError]:
    """Put a policy in force."""
    params = {"version": version, "yaml": yaml, "sha256": sha256_of(yaml), "now": now}
    return db.execute(SQL["insert_policy"], params)


def _stored(row: Row) -> StoredPolicy:
    return StoredPolicy(
        seq=int(row["seq"]),
        version=row["version"],
        yaml=row["yaml"],
        sha256=row["sha256"],
    )

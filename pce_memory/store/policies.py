"""The policies table: the texts that were applied; the highest `seq` is in force."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from returns.result import Result

from pce_memory.deps import Database, Row
from pce_memory.domain.policy_record import PolicyAction, PolicyRecord
from pce_memory.errors import StoreError
from pce_memory.store.fitting import fitting, mapping_in
from pce_memory.store.statements import statements

SQL: Final = statements("policies")


@dataclass(frozen=True, slots=True)
class PolicyTexts:
    """A version, its text, and the texts of the policies it extends, by their key."""

    version: str
    yaml: str
    bases: Mapping[str, str] = field(default_factory=dict[str, str])


def sha256_of(policy: PolicyTexts) -> str:
    """Return the SHA-256 of a text; where it extends others, of all the texts together."""
    if not policy.bases:
        return hashlib.sha256(policy.yaml.encode()).hexdigest()
    texts = json.dumps([policy.yaml, sorted(policy.bases.items())])
    return hashlib.sha256(texts.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class StoredPolicy(PolicyTexts):
    """One policy that was applied; the highest `seq` is in force."""

    seq: int = 0
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class InForce:
    """How a policy is put in force: who approved it, whether it is a step back, and when."""

    approver: str | None
    action: PolicyAction
    now: float


def current(db: Database) -> Result[StoredPolicy | None, StoreError]:
    """Return the policy in force, or None."""
    return db.query(SQL["current_policy"]).map(lambda rows: _stored(rows[0]) if rows else None)


def by_version(db: Database, version: str) -> Result[StoredPolicy | None, StoreError]:
    """Return the policy of one version, or None."""
    return db.query(SQL["policy_by_version"], {"version": version}).map(
        lambda rows: _stored(rows[0]) if rows else None
    )


def put_in_force(
    db: Database, policy: PolicyTexts, how: InForce, *, known: bool
) -> Result[None, StoreError]:
    """Put a policy in force, one that is `known` once more, and write that down."""
    return Result.do(
        None
        for seq in db.query(SQL["next_policy_seq"]).map(lambda rows: int(rows[0]["seq"]))
        for _ in _put(db, policy, how, seq=seq, known=known)
        for _ in db.execute(
            SQL["insert_policy_history"],
            {
                "seq": seq,
                "version": policy.version,
                "sha256": sha256_of(policy),
                "approver": how.approver,
                "action": how.action,
                "now": how.now,
            },
        )
    )


def _put(
    db: Database, policy: PolicyTexts, how: InForce, *, seq: int, known: bool
) -> Result[None, StoreError]:
    params: dict[str, object] = {
        "seq": seq,
        "version": policy.version,
        "approver": how.approver,
        "now": how.now,
    }
    if known:
        return db.execute(SQL["return_policy"], params)
    bases = json.dumps(dict(policy.bases), ensure_ascii=False) if policy.bases else None
    params |= {"yaml": policy.yaml, "sha256": sha256_of(policy), "bases": bases}
    return db.execute(SQL["insert_policy"], params)


def history(db: Database) -> Result[tuple[PolicyRecord, ...], StoreError]:
    """Return every time that a policy was put in force, the newest first."""
    return db.query(SQL["policy_history"]).map(
        lambda rows: tuple(fitting(rows, lambda row: PolicyRecord.model_validate(dict(row))))
    )


def _stored(row: Row) -> StoredPolicy:
    # Without the texts that it extends a policy cannot be read: it is as good as not there.
    bases = (mapping_in(str(row["bases"])) if row["bases"] else None) or {}
    return StoredPolicy(
        version=row["version"],
        yaml=row["yaml"],
        bases={name: text for name, text in bases.items() if isinstance(text, str)},
        seq=int(row["seq"]),
        sha256=row["sha256"],
    )

"""Put policies in force, and tell which were."""

from collections.abc import Mapping
from typing import Unpack

from returns.result import Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.arguments import ApplyFields
from pce_memory.domain.ids import PolicyVersion
from pce_memory.domain.policy_record import PolicyRecord
from pce_memory.engine.reindex_documents import show_documents_anew
from pce_memory.errors import CoreError, StoreError
from pce_memory.policy.indexed import redaction_digest
from pce_memory.result import reader
from pce_memory.store import events, index_state, indexing, postings
from pce_memory.store.index_state import IndexState


@reader
def apply_policy(
    deps: CoreDeps, yaml: str, name: str = "policy.yaml", **how: Unpack[ApplyFields]
) -> Result[PolicyVersion, CoreError]:
    """Put a policy in force, and record that it was; `name` stands before every fault."""

    def work() -> Result[PolicyVersion, CoreError]:
        ruled = deps.policy_store.get_current().map(redaction_digest).value_or(None)
        return Result.do(
            version
            for before in deps.policy_store.history()
            for version in deps.policy_store.apply(yaml, name, **how)
            for after in deps.policy_store.history()
            for _ in (Success(None) if before[:1] == after[:1] else _recorded(deps, after[0]))
            for _ in (Success(None) if how.get("validate_only") else _indexes(deps, ruled))
        )

    if how.pop("dry_run", False):
        how["validate_only"] = True
    return work() if how.get("validate_only") else deps.db.transaction(work)


def _indexes(deps: CoreDeps, ruled: str | None) -> Result[None, CoreError]:
    """Remember under which rules of redaction claims are indexed from now on.

    Under other rules than those that `ruled` what documents are filtered by is written anew.
    """
    return Result.do(
        None
        for policy in deps.policy_store.get_current()
        for rules in Success(redaction_digest(policy))
        for claims in indexing.count_after(deps.db, postings.NOTHING)
        for _ in (
            index_state.also(deps.db, redaction=rules)
            if claims
            else index_state.put(deps.db, IndexState((deps.tokenizer.id,), (rules,)))
        )
        for _ in (Success(None) if ruled in {None, rules} else show_documents_anew(deps, policy))
    )


def _recorded(deps: CoreDeps, record: PolicyRecord) -> Result[None, StoreError]:
    payload = {"sha256": record.sha256, "action": record.action, "seq": record.seq}
    return events.record("policy", payload, policy_version=record.version)(deps)


@reader
def policy_history(deps: CoreDeps) -> Result[tuple[PolicyRecord, ...], CoreError]:
    """Return every time that a policy was put in force, the newest first."""
    return deps.policy_store.history()


def applied_with(bases: Mapping[str, str], how: ApplyFields) -> ApplyFields:
    """Return how a policy is put in force, with the texts it extends unless some were given."""
    return {"bases": bases, **how}

"""The policies of a memory file: parsed once, kept with their versions, newest in force."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from returns.result import Failure, Result, Success

from pce_memory.deps import Database
from pce_memory.domain.dictionary import Dictionary
from pce_memory.domain.ids import PolicyVersion
from pce_memory.domain.policy import Policy
from pce_memory.errors import InvalidPolicy, PolicyMissing, StoreError
from pce_memory.policy.redaction import missing_dictionaries
from pce_memory.policy.source import parse_policy
from pce_memory.store import policies
from pce_memory.store.policies import StoredPolicy
from pce_memory.text.detect import SECRET_KINDS, detect

PolicyFault: TypeAlias = PolicyMissing | StoreError


class FilePolicyStore:
    """Policies in the memory's own file. Parsing is remembered by the text's SHA-256."""

    def __init__(
        self,
        db: Database,
        clock: Callable[[], float],
        dictionaries: Mapping[str, Dictionary] = MappingProxyType({}),
    ) -> None:
        self._db = db
        self._clock = clock
        self._dictionaries = dictionaries
        self._parsed: dict[str, Policy] = {}

    def get_current(self) -> Result[Policy, PolicyFault]:
        """Return the policy in force."""
        return Result.do(
            policy
            for stored in policies.current(self._db)
            for policy in self._policy(stored, None)
        )

    def get_version(self, version: PolicyVersion) -> Result[Policy, PolicyFault]:
        """Return one policy that was applied."""
        return Result.do(
            policy
            for stored in policies.by_version(self._db, version)
            for policy in self._policy(stored, version)
        )

    def apply(
        self, yaml: str, name: str = "policy.yaml"
    ) -> Result[PolicyVersion, InvalidPolicy | StoreError]:
        """Parse a policy and put it in force; the same text again changes nothing.

        A version may come back with the same text, never with another one, and never a lower
        version than the one in force.
        """

        def work() -> Result[PolicyVersion, InvalidPolicy | StoreError]:
            return Result.do(
                policy.version
                for policy in parse_policy(yaml, name)
                for _ in found_by(policy.with_dictionaries(self._dictionaries))
                for _ in _without_secret(yaml, name)
                for known in policies.by_version(self._db, policy.version)
                for now in policies.current(self._db)
                for same in _applicable(policy.version, yaml, known=known, now=now)
                for _ in (Success(None) if same else self._insert(policy.version, yaml))
            )

        return self._db.transaction(work)

    def _insert(self, version: PolicyVersion, yaml: str) -> Result[None, StoreError]:
        return policies.insert(self._db, version, yaml, now=self._clock())

    def _policy(
        self, stored: StoredPolicy | None, version: PolicyVersion | None
    ) -> Result[Policy, PolicyMissing]:
        if stored is None:
            return Failure(PolicyMissing(version))
        known = self._parsed.get(stored.sha256)
        if known is not None:
            return Success(known)
        # A stored text was valid once; one that no longer parses is as good as none: fail closed.
        return (
            parse_policy(stored.yaml, f"policy {stored.version}")
            .map(lambda policy: policy.with_dictionaries(self._dictionaries))
            .map(lambda policy: self._parsed.setdefault(stored.sha256, policy))
            .alt(lambda _: PolicyMissing(stored.version))
        )


def found_by(policy: Policy) -> Result[None, InvalidPolicy]:
    """Return a failure if the policy redacts what only a dictionary finds that nobody gave."""
    missing = missing_dictionaries(policy)
    if not missing:
        return Success(None)
    kind = missing[0]
    return _refused(
        f"a class redacts {kind}, which only a dictionary finds: open the memory with "
        f"dictionaries={{'{kind}': ...}}, or list the {kind}s as words under redact_policies"
    )


# "password: " and the like are how a policy is written: `secret: {allow: []}`.
POLICY_SECRETS: Final = SECRET_KINDS - {"password"}


def _without_secret(yaml: str, name: str) -> Result[None, InvalidPolicy]:
    """Refuse a text with a key or token in it: a policy is stored as it is written."""
    for match in detect(yaml, POLICY_SECRETS):
        line = yaml.count("\n", 0, match.start) + 1
        reason = "this line holds a secret, which is never stored; take it out"
        return Failure(InvalidPolicy((f"{name}:{line}:1: (document): {reason}",)))
    return Success(None)


def _applicable(
    version: PolicyVersion, yaml: str, *, known: StoredPolicy | None, now: StoredPolicy | None
) -> Result[bool, InvalidPolicy]:
    """Return whether this very policy is in force already, or why it cannot be."""
    if known is not None and known.sha256 != policies.sha256_of(yaml):
        return _refused(f"version {version} was applied with another text; raise the version")
    if now is not None and precedence(version) < precedence(now.version):
        return _refused(f"version {version} is lower than {now.version}, which is in force")
    return Success(known is not None)


def _refused(reason: str) -> Failure[InvalidPolicy]:
    return Failure(InvalidPolicy((reason,)))


def precedence(version: str) -> tuple[tuple[int, ...], bool, tuple[tuple[bool, int, str], ...]]:
    """Return the sort key of a SemVer string: build metadata has no say.

    >>> precedence("1.0.0-rc.2") < precedence("1.0.0-rc.10") < precedence("1.0.0")
    True
    """
    core, _, pre = version.partition("+")[0].partition("-")
    parts = tuple(
        (not part.isdigit(), int(part) if part.isdigit() else 0, part)
        for part in pre.split(".")
        if part
    )
    return tuple(int(number) for number in core.split(".")), not pre, parts

"""The policies of a memory file: parsed once, kept with their versions, newest in force."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Final, TypeAlias, Unpack

from pydantic import Field
from returns.result import Failure, Result, Success

from pce_memory.deps import Database
from pce_memory.deps.guarding import Guarded
from pce_memory.domain.arguments import ApplyFields
from pce_memory.domain.dictionary import Dictionary
from pce_memory.domain.ids import PolicyVersion, parse_policy_version
from pce_memory.domain.model import Model, parse
from pce_memory.domain.policy import Policy
from pce_memory.domain.policy_record import PolicyAction, PolicyRecord
from pce_memory.errors import (
    InvalidParameter,
    InvalidPolicy,
    InvalidPolicyVersion,
    PolicyConflict,
    PolicyMissing,
    StoreError,
)
from pce_memory.policy.bases import kept_only, kept_or_packaged, packaged_text
from pce_memory.policy.precedence import precedence, version_above
from pce_memory.policy.redaction import missing_dictionaries
from pce_memory.policy.source import Reading, read_policy
from pce_memory.store import policies
from pce_memory.store.policies import InForce, PolicyTexts, StoredPolicy, sha256_of
from pce_memory.text.detect import SECRET_KINDS, detect
from pce_memory.text.secrecy import storable

PolicyFault: TypeAlias = PolicyMissing | StoreError

ApplyFault: TypeAlias = (
    InvalidPolicy | InvalidParameter | InvalidPolicyVersion | PolicyConflict | StoreError
)

DEFAULTS_AT_1: Final = frozenset(
    {"19ecf22af787546916de2ef2c7229758dab79c220fcd5c9300a4d805370b32bc"}
)
"""The SHA-256 of the packaged default while its version was 1.0.0: files are kept with it."""

Approver: TypeAlias = Annotated[str, Field(min_length=1, max_length=256)]


class _Asked(Model):
    """How a policy is to be put in force."""

    validate_only: bool = False
    expected_version: str | None = None
    approver: Approver | None = None
    allow_downgrade: bool = False
    bases: dict[str, str] = Field(default_factory=dict)


class FilePolicyStore(Guarded):
    """Policies in the memory's own file. Parsing is remembered by the texts' SHA-256."""

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
        self._current: tuple[int, Policy] | None = None

    def get_current(self) -> Result[Policy, PolicyFault]:
        """Return the policy in force; it is read again when one was put in force since."""
        version = self._db.version
        known = self._current
        if version is not None and known is not None and known[0] == version.policies:
            return Success(known[1])
        found = self._in_force()
        if version is not None and isinstance(found, Success):
            self._current = (version.policies, found.unwrap())
        return found

    def _in_force(self) -> Result[Policy, PolicyFault]:
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

    def reading(self) -> Result[Reading, PolicyFault]:
        """Return what the policy in force says, with the places of its values."""
        return Result.do(
            reading
            for stored in policies.current(self._db)
            for reading in (
                Failure(PolicyMissing(None)) if stored is None else Success(_reread(stored))
            )
        )

    def history(self) -> Result[tuple[PolicyRecord, ...], StoreError]:
        """Return every time that a policy was put in force, the newest first."""
        return policies.history(self._db)

    def apply(
        self, yaml: str, name: str = "policy.yaml", **how: Unpack[ApplyFields]
    ) -> Result[PolicyVersion, ApplyFault]:
        """Parse a policy and put it in force; the same one again changes nothing.

        It is kept with the texts of all that it extends. A version may come back with the same
        texts, never with others; a lower one than that in force needs `allow_downgrade`.
        """
        return Result.do(
            version
            for asked in _asked(how)
            for texts in _read(yaml, name, asked, self._dictionaries)
            for version in self._put_in_force(texts, asked)
        )

    def _put_in_force(
        self, texts: PolicyTexts, asked: _Asked
    ) -> Result[PolicyVersion, ApplyFault]:
        def work() -> Result[PolicyVersion, ApplyFault]:
            return self._applied(texts, asked)

        # The look and the write are one: of two calls at once, the second sees the first.
        return self._db.snapshot(work) if asked.validate_only else self._db.transaction(work)

    def _applied(self, texts: PolicyTexts, asked: _Asked) -> Result[PolicyVersion, ApplyFault]:
        return Result.do(
            PolicyVersion(texts.version)
            for now in policies.current(self._db)
            for _ in _expected(asked.expected_version, now)
            for known in policies.by_version(self._db, texts.version)
            for action in _action(texts, asked, known=known, now=now)
            for _ in self._put(texts, asked, action, known=known is not None)
        )

    def _put(
        self, texts: PolicyTexts, asked: _Asked, action: PolicyAction | None, *, known: bool
    ) -> Result[None, StoreError]:
        if action is None or asked.validate_only:
            return Success(None)
        how = InForce(asked.approver, action, self._clock())
        return policies.put_in_force(self._db, texts, how, known=known)

    def _policy(
        self, stored: StoredPolicy | None, version: PolicyVersion | None
    ) -> Result[Policy, PolicyMissing]:
        if stored is None:
            return Failure(PolicyMissing(version))
        known = self._parsed.get(stored.sha256)
        if known is not None:
            return Success(known)
        # Stored texts were valid once; ones that no longer parse are as good as none: fail closed.
        policy = _reread(stored).policy
        if policy is None:
            return Failure(PolicyMissing(stored.version))
        known = policy.with_dictionaries(self._dictionaries)
        return Success(self._parsed.setdefault(stored.sha256, known))


def _reread(stored: StoredPolicy) -> Reading:
    return _read_stored(stored.yaml, stored.version, tuple(stored.bases.items()))


# A process opens many memories under few policies. A reading is never changed.
@lru_cache(maxsize=4)
def _read_stored(yaml: str, version: str, bases: tuple[tuple[str, str], ...]) -> Reading:
    return read_policy(yaml, f"policy {version}", find=kept_only(dict(bases)), stored=True)


def _asked(how: ApplyFields) -> Result[_Asked, InvalidParameter | InvalidPolicyVersion]:
    return Result.do(
        asked
        for asked in parse(_Asked, how)
        for _ in storable(approver=asked.approver)
        for _ in (
            Success(None)
            if asked.expected_version is None
            else parse_policy_version(asked.expected_version)
        )
    )


def _read(
    yaml: str, name: str, asked: _Asked, dictionaries: Mapping[str, Dictionary]
) -> Result[PolicyTexts, InvalidPolicy]:
    reading = read_policy(yaml, name, find=kept_or_packaged(asked.bases))
    if reading.policy is None:
        return Failure(InvalidPolicy(reading.rendered()))
    texts = PolicyTexts(reading.policy.version, yaml, reading.bases)
    return Result.do(
        texts
        for _ in found_by(reading.policy.with_dictionaries(dictionaries))
        for _ in _without_secret(reading)
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


def _without_secret(reading: Reading) -> Result[None, InvalidPolicy]:
    """Refuse texts with a key or token in them: a policy is stored as it is written."""
    for name, text in reading.texts.items():
        for match in detect(text, POLICY_SECRETS):
            line = text.count("\n", 0, match.start) + 1
            reason = "this line holds a secret, which is never stored; take it out"
            return Failure(InvalidPolicy((f"{name}:{line}:1: (document): {reason}",)))
    return Success(None)


def _expected(version: str | None, now: StoredPolicy | None) -> Result[None, PolicyConflict]:
    in_force = now.version if now else None
    if version is None or version == in_force:
        return Success(None)
    return Failure(PolicyConflict(version, in_force))


def _action(
    texts: PolicyTexts, asked: _Asked, *, known: StoredPolicy | None, now: StoredPolicy | None
) -> Result[PolicyAction | None, InvalidPolicy]:
    """Return how this policy comes in force, None if it is, or why it cannot."""
    version = texts.version
    if known is not None and known.sha256 != sha256_of(texts):
        base = " or over another base" if texts.bases or known.bases else ""
        highest = version if now is None else max(version, now.version, key=precedence)
        return _refused(
            f"version {version} was applied with another text{base}; raise the version, such as "
            f"to {version_above(highest)}"
        )
    if now is not None and now.version == version:
        return Success(None)
    if now is None or _isversion_above(texts, now):
        return Success("apply")
    if known is None and precedence(version) == precedence(now.version):
        # Build metadata and leading zeros make another spelling, not another version.
        return _refused(f"version {version} is {now.version} in other words; raise the version")
    if asked.allow_downgrade:
        return Success("downgrade")
    return _refused(
        f"version {version} is lower than {now.version}, which is in force; raise it, such as to "
        f"{version_above(now.version)}, or allow a downgrade"
    )


def _isversion_above(texts: PolicyTexts, now: StoredPolicy) -> bool:
    higher = precedence(texts.version) > precedence(now.version)
    return higher or _is_renamed_default(texts, now)


def _is_renamed_default(texts: PolicyTexts, now: StoredPolicy) -> bool:
    """Return whether this is the packaged default, over itself as it was called before."""
    is_default = texts.yaml == packaged_text("default") and not texts.bases
    return is_default and now.sha256 in DEFAULTS_AT_1


def _refused(reason: str) -> Failure[InvalidPolicy]:
    return Failure(InvalidPolicy((reason,)))

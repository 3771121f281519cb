"""Policies put in force in any order: a model of its own says which is, and what is refused."""

from typing import Any, Final

from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from pce_memory import Memory
from pce_memory.engine.policies import apply_policy, policy_history
from pce_memory.store import events

CLASSES: Final = """\
boundary_classes:
  public: {allow: ["*"]}
  internal: {allow: ["answer:task"]}
  pii: {allow: []}
  secret: {allow: []}
"""
BASES: Final = [
    f'version: "1.0.0"\n{CLASSES}limits: {{query_bytes: {size}}}\n' for size in (50, 60)
]

versions: Final = st.integers(1, 5)
bases: Final = st.sampled_from([None, *BASES])


class Policies(RuleBasedStateMachine):
    """Versions with one of three texts: alone, or over one of two bases."""

    def __init__(self) -> None:
        super().__init__()
        self.memory = Memory.open(":memory:", embedder="hashing")
        self.known: dict[int, str | None] = {}
        self.rows: list[tuple[str, str, str | None]] = [("0.0.0-default", "apply", None)]
        self.now = 0

    @rule(
        number=versions,
        base=bases,
        downgrade=st.booleans(),
        expected=st.none() | versions,
        approver=st.none() | st.sampled_from(["alice", "健二"]),
        only=st.sampled_from([False, False, True]),
    )
    def apply(self, number: int, base: str | None, **how: Any) -> None:
        version, expected = f"{number}.1.0", how["expected"]
        text = f'version: "{version}"\n' + ("extends: ./b.yaml\n" if base else CLASSES)
        result = apply_policy(
            text,
            bases={"b.yaml": base} if base else {},
            allow_downgrade=how["downgrade"],
            expected_version=f"{expected}.1.0" if expected else None,
            approver=how["approver"],
            validate_only=how["only"],
        )(self.memory.deps)
        code = self.refusal(number, base, how["downgrade"], expected)
        assert (result.failure().code if code else result.unwrap()) == (code or version)
        if code is None and not how["only"] and number != self.now:
            action = "apply" if number > self.now else "downgrade"
            self.rows.insert(0, (version, action, how["approver"]))
            self.known[number], self.now = base, number

    def refusal(
        self, number: int, base: str | None, downgrade: bool, expected: int | None
    ) -> str | None:
        if expected and expected != self.now:
            return "POLICY_CONFLICT"
        other = number in self.known and self.known[number] != base
        return "INVALID_POLICY" if other or (number < self.now and not downgrade) else None

    @invariant()
    def the_newest_row_is_in_force(self) -> None:
        rows = policy_history()(self.memory.deps).unwrap()
        assert [(one.version, one.action, one.approver) for one in rows] == self.rows
        assert [one.seq for one in rows] == list(range(len(rows), 0, -1))
        policy = self.memory.deps.policy_store.get_current().unwrap()
        assert policy.version == rows[0].version
        base = self.known.get(self.now)
        wanted = 16384 if base is None else 50 + 10 * BASES.index(base)
        assert policy.limits.query_bytes == wanted

    @invariant()
    def every_change_is_an_event(self) -> None:
        told = events.newest(topic="policy", limit=100)(self.memory.deps).unwrap()
        rows = policy_history()(self.memory.deps).unwrap()[:-1]
        assert [one.payload["sha256"] for one in told] == [one.sha256 for one in rows]

    def teardown(self) -> None:
        self.memory.close()


TestPolicies = Policies.TestCase
TestPolicies.settings = settings(max_examples=12, stateful_step_count=20, deadline=None)

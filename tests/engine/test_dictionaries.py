"""A host's dictionaries find names and addresses wherever the policy redacts them, or nothing runs."""

from collections.abc import Iterable

import pytest

from pce_memory import MemoryFault
from pce_memory.errors import InvalidParameter, InvalidPolicy

POLICY = """version: "2.0.0"
boundary_classes:
  public: {allow: ["*"]}
  internal: {allow: ["answer:task"]}
  pii: {allow: ["answer:task"], redact: [name, address]}
  secret: {allow: []}
redact_policies:
  places:
    rules:
      - {name: address, words: [Baker Street, 神南], replace: "[address]"}
"""


class People:
    """Knows two people."""

    def find(self, text: str) -> Iterable[tuple[int, int]]:
        for name in ("Alice Smith", "山田花子"):
            at = text.find(name)
            if at >= 0:
                yield at, at + len(name)


class Broken:
    def __init__(self, *found: object) -> None:
        self.found = found

    def find(self, text: str) -> Iterable[tuple[int, int]]:
        if not self.found:
            raise RuntimeError(text)
        return self.found  # type: ignore[return-value]


def test_names_go_before_anything_is_kept(memory_at):
    memory = memory_at(policy=POLICY, dictionaries={"name": People()})
    done = memory.observe("Alice Smith moved to Baker Street. 山田花子は神南に住んでいる。")
    texts = sorted(claim.text for claim in done.claims)
    assert texts == ["[name] moved to [address].", "[name]は[address]に住んでいる。"]
    assert done.redactions == {"name": 2, "address": 2}
    items = memory.activate("moved").items
    assert [item.claim.text for item in items][:1] == ["[name] moved to [address]."]


def test_a_policy_that_needs_one_is_refused_without_it(memory_at):
    with pytest.raises(MemoryFault) as fault:
        memory_at(policy=POLICY)
    assert isinstance(fault.value.error, InvalidPolicy)
    assert "dictionaries={'name': ...}" in fault.value.error.message
    memory = memory_at()
    assert isinstance(memory.results.apply_policy(POLICY).failure(), InvalidPolicy)


def test_a_file_that_needs_one_can_be_read_without_it(memory_at):
    with memory_at(policy=POLICY, dictionaries={"name": People()}) as memory:
        [claim] = memory.observe("Alice Smith builds it in 12 minutes.").claims
        assert claim.text == "[name] builds it in 12 minutes."
    with pytest.raises(MemoryFault):
        memory_at()
    reading = memory_at(read_only=True)
    assert reading.claim(claim.id).text == "[name] builds it in 12 minutes."


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ([People()], "it is a list"),
        ({"nickname": People()}, "there is no such kind"),
        ({"name": object()}, "give objects with a method find(text)"),
    ],
)
def test_what_is_no_dictionary_is_refused(memory_at, given, reason):
    with pytest.raises(MemoryFault) as fault:
        memory_at(dictionaries=given)
    assert isinstance(fault.value.error, InvalidParameter)
    assert reason in fault.value.error.message


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (Broken(), "that of name raised RuntimeError"),
        (Broken((0, 10_000)), "that of name found a place outside the text"),
        (Broken("ab"), "that of name raised ValueError"),
        (Broken(5), "that of name raised TypeError"),
    ],
)
def test_one_that_fails_lets_nothing_through(memory_at, broken, reason):
    memory = memory_at(policy=POLICY, dictionaries={"name": broken})
    failure = memory.results.observe("Alice Smith moved.").failure()
    assert isinstance(failure, InvalidParameter)
    assert reason in failure.message
    assert "Alice" not in failure.message

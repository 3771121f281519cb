"""Good policies gone wrong: each is answered, with a place inside a file, and nothing slips in."""

import random
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import given, settings, strategies as st

from pce_memory.policy.faults import LINE_END
from pce_memory.policy.lint import check
from pce_memory.policy.source import Reading, policy_schema, read_policy
from tests.mutations import MUTATIONS, mutated
from tests.unit.policy.test_source import SMALL

POLICIES = Path(__file__).parents[3] / "policies"
TEXTS = [
    *(
        (POLICIES / f"{name}.yaml").read_text("utf-8")
        for name in ("default", "dev", "team", "org")
    ),
    SMALL,
]
SCHEMA = jsonschema.Draft202012Validator(policy_schema())


def paths(node: yaml.Node | None) -> Iterator[tuple[str, ...]]:
    """Yield the path of every key, as another reader of YAML sees them."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield (key.value,)
            yield from ((key.value, *rest) for rest in paths(value))
    elif isinstance(node, yaml.SequenceNode):
        for at, value in enumerate(node.value):
            yield from ((str(at), *rest) for rest in paths(value))


def keys_of(data: object) -> Iterator[tuple[str, ...]]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield (key,)
            yield from ((key, *rest) for rest in keys_of(value))
    elif isinstance(data, list):
        for at, value in enumerate(data):
            yield from ((str(at), *rest) for rest in keys_of(value))


def answered(text: str) -> Reading:
    """Read a text, and see that it was answered as it must be."""
    reading = read_policy(text, "p")
    checked = check(reading)
    for one in (*reading.faults, *checked.findings):
        lines = LINE_END.split(reading.texts[one.where.file])
        assert 1 <= one.where.line <= len(lines), one
        assert 1 <= one.where.column <= len(lines[one.where.line - 1]) + 1, one
    shown = reading.rendered()
    assert (reading.policy is None) == bool(reading.faults) == bool(shown)
    if reading.policy is not None:
        assert list(SCHEMA.iter_errors(reading.data)) == []
        assert sorted(keys_of(reading.data)) == sorted(
            paths(yaml.compose(text, Loader=yaml.SafeLoader))
        )
    return reading


@settings(max_examples=500, deadline=None)
@given(seed=st.integers(0, 2**32), text=st.sampled_from(TEXTS))
def test_a_mutated_policy_is_answered(seed, text):
    """Law: a policy is read, or refused with a place; no key is taken that nobody knows."""
    answered(mutated(random.Random(seed), text)[0])


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda one: one.__name__)
def test_each_mutation_makes_policies_that_are_refused(mutation):
    draw = random.Random(mutation.__name__)
    texts = [mutation(draw, draw.choice(TEXTS)) for _ in range(60)]
    assert any(answered(text).policy is None for text in texts)


@settings(max_examples=200, deadline=None)
@given(raw=st.binary(max_size=300))
def test_no_bytes_raise(raw):
    answered(raw.decode("utf-8", "surrogateescape"))

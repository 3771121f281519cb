"""The policies in the repository: they parse, say the defaults, and are documented."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from pce_memory.domain.policy import Policy
from pce_memory.policy.boundary import narrow
from pce_memory.policy.lint import Checked, check
from pce_memory.policy.precedence import precedence
from pce_memory.policy.source import parse_policy, policy_schema, read_policy
from pce_memory.policy.trial import failures, run_tests
from tests.unit.policy.policies import boundary

POLICIES = Path(__file__).parents[3] / "policies"
NAMES = ["default", "dev", "org", "team"]
Schema: TypeAlias = dict[str, Any]
README = (POLICIES / "README.md").read_text("utf-8")


def read(name: str) -> Policy:
    return parse_policy((POLICIES / f"{name}.yaml").read_text("utf-8"), f"{name}.yaml").unwrap()


def test_these_are_all():
    assert sorted(path.stem for path in POLICIES.glob("*.yaml")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_policy_parses_and_shows_the_usual_classes(name):
    reached = narrow(boundary("public", "internal", "pii", "secret"), read(name)).unwrap()
    assert reached.classes == ("public", "internal")


def test_each_template_can_be_applied_over_the_one_before():
    versions = [precedence(read(name).version) for name in ("default", "dev", "team", "org")]
    assert versions == sorted(set(versions))


def test_the_default_says_every_default():
    default = read("default")
    bare = Policy(version=default.version, boundary_classes=default.boundary_classes)
    assert default == bare.model_copy(update={"meta": default.meta, "tests": default.tests})


def keys(schema: Schema, node: Schema, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if "$ref" in node:
        node = schema["$defs"][node["$ref"].rpartition("/")[2]]
    for name, child in node.get("properties", {}).items():
        yield (*path, name)
        yield from keys(schema, child, (*path, name))
    for child in (node.get("items"), node.get("additionalProperties")):
        if isinstance(child, dict):
            yield from keys(schema, child, path)


def test_the_default_writes_out_every_key():
    schema = policy_schema()
    text = (POLICIES / "default.yaml").read_text("utf-8")
    for path in keys(schema, schema):
        assert re.search(rf"\b{path[-1]}:\s", text), path


def test_the_schema_is_current():
    file = POLICIES / "policy.schema.json"
    text = json.dumps(policy_schema(), indent=2, ensure_ascii=False) + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(text, "utf-8")
    assert file.read_text("utf-8") == text


def properties() -> Iterator[tuple[str, str, Schema, bool]]:
    """Yield every property: its model, its name, what is said of it, whether it is required."""
    schema: Schema = Policy.model_json_schema()
    for name, model in [("Policy", schema), *schema["$defs"].items()]:
        assert model["additionalProperties"] is False, name
        for key, node in model["properties"].items():
            # A section whose description is its model's own has it there.
            target = schema["$defs"][node["$ref"].rpartition("/")[2]] if "$ref" in node else {}
            yield name, key, {**target, **node}, key in model.get("required", ())


def test_an_editor_can_say_what_every_key_means():
    for model, key, node, _ in properties():
        assert len(node["description"]) > 8, (model, key)


def test_an_editor_can_say_every_default():
    assert [
        (model, key)
        for model, key, node, must in properties()
        if not must and "default" not in node
    ] == []


def test_an_editor_can_offer_words_or_an_example_for_every_text():
    for model, key, node, _ in properties():
        leaf = json.dumps({name: value for name, value in node.items() if name != "properties"})
        if '"type": "string"' in leaf:
            assert "enum" in leaf or node.get("examples"), (model, key)


@pytest.mark.parametrize("name", NAMES)
def test_an_editor_finds_the_schema(name):
    first, *_ = (POLICIES / f"{name}.yaml").read_text("utf-8").splitlines()
    [file] = re.findall(r"^# yaml-language-server: \$schema=(\S+)$", first)
    assert json.loads((POLICIES / file).read_text("utf-8"))["title"] == "pce-memory policy"
    assert first in README


@pytest.mark.parametrize("name", NAMES)
def test_its_own_tests_pass(name):
    trials = run_tests(read(name))
    assert [(one.name, one.expected, one.got) for one in failures(trials)] == []
    assert len(trials) >= 6
    assert any(not one.name.isascii() for one in trials)
    assert sum(one.name.isascii() for one in trials) >= 3


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_to_be_said_against_it(name):
    text = (POLICIES / f"{name}.yaml").read_text("utf-8")
    assert check(read_policy(text, name)) == Checked(())


def test_the_policies_of_the_readme_parse():
    blocks = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)
    assert blocks
    for block in blocks:
        if "version:" in block:
            parse_policy(block).unwrap()


def test_the_faults_of_the_readme_are_what_an_author_sees():
    pair = r"```yaml wrong\n(.*?)```\n\n```text\n(.*?)```"
    [(wrong, seen)] = re.findall(pair, README, re.DOTALL)
    faults = parse_policy(wrong, "mine.yaml").failure().validation_errors
    assert "\n".join(faults) + "\n" == seen

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
from pce_memory.policy.source import parse_policy, policy_schema
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
    versions = [
        tuple(map(int, read(name).version.split(".")))
        for name in ("default", "dev", "team", "org")
    ]
    assert versions == sorted(set(versions))


def test_the_default_says_every_default():
    default = read("default")
    bare = Policy(version=default.version, boundary_classes=default.boundary_classes)
    assert default == bare.model_copy(update={"meta": default.meta})


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


def test_the_readme_explains_every_key():
    schema = policy_schema()
    for path in keys(schema, schema):
        assert f"`{path[-1]}`" in README, path


def test_the_schema_is_current():
    file = POLICIES / "policy.schema.json"
    text = json.dumps(policy_schema(), indent=2, ensure_ascii=False) + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(text, "utf-8")
    assert file.read_text("utf-8") == text


def test_every_key_of_the_schema_is_described_and_closed():
    schema: Schema = policy_schema()
    for name, model in schema["$defs"].items():
        if name == "InvariantDefinition":
            continue
        assert model["additionalProperties"] is False
        for key, node in model["properties"].items():
            assert node.get("description") or "$ref" in node, (name, key)


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

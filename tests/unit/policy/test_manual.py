"""policies/README.md is the author's manual: its keys, defaults and examples are the models'."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import pytest
from returns.result import Success

from pce_memory.domain.policy import Policy
from pce_memory.policy.document import read_document
from pce_memory.policy.fakes import FAKES
from pce_memory.policy.lint import check
from pce_memory.policy.lint_kinds import BY_WORD, KINDS
from pce_memory.policy.source import parse_policy, read_policy
from pce_memory.policy.trial import failures, run_tests

README = (Path(__file__).parents[3] / "policies" / "README.md").read_text("utf-8")
GROUPS = {
    "session project principle": "<layer>",
    "public internal pii secret": "<class>",
    "helpful harmful outdated duplicate": "<signal>",
}
SMALLEST: dict[str, Any] = {
    "version": "1.0.0",
    "boundary_classes": {
        "public": {"allow": ["*"]},
        "internal": {"allow": ["answer:task", "tool:*"]},
        "pii": {"allow": ["tool:contact-lookup"], "redact": ["email"]},
        "secret": {"allow": []},
    },
}
ENTRIES: dict[str, dict[str, Any]] = {
    "invariants[]": {"name": "n", "applies_to": ["*"], "rule": "claim.quality > 0.1"},
    "redact_policies.<name>.rules[]": {"name": "n", "find": "x", "replace": "y"},
    "tests[]": {"name": "n", "payload": "x", "expect": "allowed"},
}
Node: TypeAlias = dict[str, Any]


class Key(NamedTuple):
    """A key as the models have it: whether it is required, else its default; none of a section."""

    required: bool
    default: object
    is_section: bool


def resolved(schema: Node, node: Node) -> Node:
    """Return what a node refers to, through `| null` and through a word beside a mapping."""
    for one in [node, *node.get("anyOf", [])]:
        if "$ref" in one:
            target: Node = schema["$defs"][one["$ref"].rpartition("/")[2]]
            return target
    return node


def keys(schema: Node, node: Node, path: str = "") -> Iterator[tuple[str, Key]]:
    """Yield every key of the schema with its path; alike siblings under one."""
    properties = node.get("properties", {})
    group = GROUPS.get(" ".join(properties))
    for name, child in properties.items():
        at = f"{path}.{group or name}".removeprefix(".")
        target = resolved(schema, child)
        is_section = "properties" in target and "anyOf" not in child
        yield at, Key(name in node.get("required", ()), child.get("default"), is_section)
        yield from keys(schema, target, at)
        extra, items = child.get("additionalProperties"), child.get("items")
        if isinstance(extra, dict) and "$ref" in extra:
            yield f"{at}.<name>", Key(required=False, default=None, is_section=True)
            yield from keys(schema, resolved(schema, extra), f"{at}.<name>")
        if isinstance(items, dict) and "$ref" in items:
            yield from keys(schema, resolved(schema, items), f"{at}[]")


def of_the_models() -> dict[str, list[Key]]:
    schema = Policy.model_json_schema()
    found: dict[str, list[Key]] = {}
    for path, key in keys(schema, schema):
        found.setdefault(path, []).append(key)
    return found


def rows() -> list[list[str]]:
    table = README.split("## Keys")[1].split("\n## ")[0]
    return [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in re.sub(r"\| (?=\|)", "|  ", table).splitlines()
        if line.startswith("| `")
    ]


def in_code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def value_of(text: str) -> object:
    document = read_document(f"x: {text}", "cell")
    assert document.faults == []
    assert isinstance(document.data, dict)
    return document.data["x"]


MODELS = of_the_models()
ROWS = {in_code(row[0])[0]: row for row in rows()}


def test_every_key_stands_once_with_its_path():
    assert sorted(in_code(row[0])[0] for row in rows()) == sorted(MODELS)


@pytest.mark.parametrize("path", MODELS)
def test_a_key_has_its_default(path):
    told, known = ROWS[path][1], MODELS[path]
    if known[0].required:
        assert told == "required"
    elif known[0].is_section:
        assert told == ""
    else:
        defaults = [value_of(text) for text in in_code(told)]
        wanted = [key.default for key in known]
        assert (defaults if len(defaults) == len(wanted) else defaults * len(wanted)) == wanted


@pytest.mark.parametrize("path", MODELS)
def test_a_key_says_what_it_does_and_in_which_unit(path):
    _, default, unit, _, what = ROWS[path]
    assert len(what) > 3
    assert (
        unit
        or not default
        or default == "required"
        or value_of(in_code(default)[0]) in (False, {})
    )


def put(data: Node, path: str, word: str, value: object) -> None:
    """Set the value at a path, with what it needs beside it; `word` stands for a group."""
    *parts, last = re.sub("<(?!name)[a-z]+>", word, path).replace("<name>", "mine").split(".")
    node, at = data, ""
    for part in parts:
        at = f"{at}.{part}".removeprefix(".")
        if part.endswith("[]"):
            entry = ENTRIES[at.replace("mine", "<name>")]
            node = node.setdefault(part.removesuffix("[]"), [dict(entry)])[0]
        else:
            node = node.setdefault(part, {})
    node[last] = value
    if last == "words":  # instead of a pattern
        del node["find"]


def examples() -> Iterator[tuple[str, str, object]]:
    names = {group: words.split() for words, group in GROUPS.items()}
    for path, row in ROWS.items():
        found = [value_of(text) for text in in_code(row[3])]
        group = next((one for one in names if one in path), None)
        words = names[group] if group else [""]
        values = found * len(words) if len(found) == 1 else found
        yield from ((path, name, value) for name, value in zip(words, values, strict=False))


@pytest.mark.parametrize(("path", "name", "value"), list(examples()))
def test_an_example_is_a_value_of_its_key(path, name, value):
    data: Node = json.loads(json.dumps(SMALLEST))
    if path.startswith("tests[].expect."):
        value, path = {path.rpartition(".")[2]: value}, "tests[].expect"
    put(data, path, name, value)
    before = parse_policy(json.dumps(SMALLEST)).unwrap()
    read = parse_policy(json.dumps(data, ensure_ascii=False))
    assert isinstance(read, Success), read.failure().validation_errors
    assert read.unwrap() != before


def test_every_key_that_takes_a_value_has_an_example():
    lists = {"invariants", "tests", "redact_policies", "redact_policies.<name>.rules"}
    without = {
        path
        for path, known in MODELS.items()
        if not known[0].is_section and not in_code(ROWS[path][3])
    }
    assert without == lists


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```yaml {kind}\n(.*?)```", README, re.DOTALL)


def laid_over_the_smallest(fragment: str) -> str:
    """Return a policy with a fragment of the manual in it."""
    rest = (
        {}
        if "boundary_classes:" in fragment
        else {"boundary_classes": SMALLEST["boundary_classes"]}
    )
    head = "".join(f"{key}: {json.dumps(value)}\n" for key, value in rest.items())
    return f'version: "1.0.0"\n{head}{fragment}'


def codes(text: str) -> set[str]:
    checked = check(read_policy(text, "p"))
    assert checked.errors == ()
    return {one.code for one in checked.warnings}


TOLD = re.findall(
    r"^\*\*(W\d+) `([a-z-]+)`\*\*: ([^\n]+)\n\n```yaml warns\n(.*?)```\n\n```yaml fine\n(.*?)```",
    README,
    re.DOTALL | re.MULTILINE,
)


def test_every_warning_is_explained():
    assert [(code, name) for code, name, *_ in TOLD] == [(kind.code, kind.name) for kind in KINDS]


@pytest.mark.parametrize(("code", "warns", "fine"), [(one[0], one[3], one[4]) for one in TOLD])
def test_the_examples_of_a_warning(code, warns, fine):
    nothing_else = {code, "W603"}
    assert code in codes(laid_over_the_smallest(warns))
    assert code not in codes(laid_over_the_smallest(fine))
    assert codes(laid_over_the_smallest(fine)) <= nothing_else


def test_the_tests_of_the_manual_pass():
    [block] = blocks("tests")
    policy = parse_policy(laid_over_the_smallest(block)).unwrap()
    trials = run_tests(policy)
    assert failures(trials) == ()
    shown = "\n".join(
        ["mine.yaml", *(f"  ok    {one.name}" for one in trials), "3 passed, 0 failed"]
    )
    assert f"$ pce-memory policy test mine.yaml\n{shown}\n" in README


def test_the_comments_of_the_manual_silence():
    [block] = blocks("ignored")
    checked = check(read_policy(block, "p"))
    assert checked.findings == ()
    assert checked.silenced == 3


def test_every_placeholder_is_named():
    section = README.split("## Tests")[1].split("\n## ")[0]
    for name in FAKES:
        assert f"`{{{{{name}}}}}`" in section or f"`{name.removeprefix('secret:')}`" in section


def test_codes_and_names_are_unique():
    assert len(BY_WORD) == 2 * len(KINDS)

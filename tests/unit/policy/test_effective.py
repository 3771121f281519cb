"""The policy that results: YAML that reads as an equal one, and says where each value stands."""

import json

from hypothesis import given, settings, strategies as st

from pce_memory.policy.bases import kept_or_packaged, packaged_text
from pce_memory.policy.effective import effective_json, effective_yaml, origins, written
from pce_memory.policy.source import Reading, read_policy
from tests.laws.test_policy_laws import layered
from tests.unit.policy.documents import parts
from tests.unit.policy.test_inheritance import BASE

CHILD = """\
version: "2.0.0"
extends: ./base.yaml
meta: {name: "日本語: yes", owner: "on"}
scopes:
  session: {ttl: 1d}
boundary_classes: {pii: {redact: [iban]}}
relax: {limits: more is asked}
limits: {query_bytes: 99999}
"""


def read(text: str) -> Reading:
    return read_policy(text, "mine.yaml", find=kept_or_packaged({"base.yaml": BASE}))


def test_every_value_says_where_it_stands():
    lines = [line.partition("  # ") for line in effective_yaml(read(CHILD)).splitlines()]
    seen = {value.strip(): origin for value, sign, origin in lines if sign}
    assert seen["ttl: 1d"] == "mine.yaml:5"
    assert seen["ttl: 120d"] == "default"
    assert seen["- email"] == "base.yaml:8"
    assert seen["- iban"] == "mine.yaml:6"
    assert seen["- name: no_pii"] == "base.yaml:11"
    assert seen['find: "CASE-[0-9]+"'] == "base.yaml:15"
    assert seen["extends: null"] == "mine.yaml:2 extends ./base.yaml"
    assert seen["query_bytes: 99999"] == "mine.yaml:8"
    assert seen['name: "日本語: yes"'] == "mine.yaml:3"
    assert seen['owner: "on"'] == "mine.yaml:3"


def test_every_line_with_a_value_has_an_origin_or_none_has():
    for line in effective_yaml(read(CHILD)).splitlines():
        assert line.endswith(":") or "  # " in line
    assert "#" not in effective_yaml(read(CHILD), origin=False)


def test_what_is_read_of_a_packaged_one_is_told_by_its_name():
    reading = read_policy('version: "2.0.0"\nextends: default\n')
    [line] = [line for line in effective_yaml(reading).splitlines() if "query_bytes" in line]
    number = (
        packaged_text("default").splitlines().index("  query_bytes: 16384           # 16 KiB") + 1
    )
    assert line.endswith(f"# <default>:{number}")


def test_json_says_the_same():
    told = json.loads(effective_json(read(CHILD)))
    assert told["policy"]["boundary_classes"]["pii"]["redact"] == ["email", "phone", "iban"]
    assert told["policy"]["extends"] is None
    assert told["origin"]["boundary_classes.pii.redact[2]"] == "mine.yaml:6"
    assert told["origin"]["retention.audit"] == "default"
    assert json.loads(effective_json(read(CHILD), origin=False)) == told["policy"]
    assert "日本語" in effective_json(read(CHILD))


def test_a_secret_is_withheld_and_nothing_steers_a_terminal():
    token = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    text = CHILD.replace("日本語: yes", f"{token}").replace('"on"', '"a\\u202eb\\u2028c"')
    reading = read_policy(text, "a\x1b[2J\n.yaml", find=kept_or_packaged({"base.yaml": BASE}))
    assert reading.policy
    for shown in (effective_yaml(reading), effective_json(reading)):
        assert token not in shown
        assert all(line.isprintable() for line in shown.split("\n"))


def test_a_policy_with_faults_has_none():
    assert effective_yaml(read("version: 1")) == ""


@settings(max_examples=200)
@given(top=parts, base=parts)
def test_it_reads_as_an_equal_policy(top, base):
    relax = {
        "relax": dict.fromkeys(
            [
                "scopes",
                "boundary_classes",
                "invariants",
                "extraction",
                "retention",
                "limits",
                "retrieval",
                "fusion",
                "redact_policies",
            ],
            "so",
        )
    }
    reading = layered({**top, **relax}, base)
    assert reading.policy
    for origin in (True, False):
        again = read_policy(effective_yaml(reading, origin=origin))
        assert again.faults == ()
        assert again.policy == reading.policy.model_copy(update={"extends": None, "relax": {}})
    assert set(origins(reading).values()) <= {"default"} | {
        f"{name}:{line + 1}"
        for name, text in reading.texts.items()
        for line in range(text.count("\n") + 1)
    } | {origins(reading)["extends"]}


@settings(max_examples=500)
@given(text=st.text(st.characters(codec="utf-8"), max_size=30) | st.sampled_from(["yes", "0.5", "1e3", "null", "7d", "~", "", " a", "a ", "- a", "a: b", "a #b", "'", '"', "\\", "0x1", "1_000", "2025-12-18", "健二", ".inf", "!a", "&a", "*a", "%a", "@a", "`a"]))  # fmt: skip
def test_a_text_reads_as_itself(text):
    line = f"meta: {{owner: {written(text)}}}\n"
    policy = 'version: "1.0.0"\nextends: default\n' + line
    read = read_policy(policy)
    assert line.rstrip("\n").isprintable()
    if read.policy:
        assert read.policy.meta.owner == text
    else:
        [fault] = read.faults
        assert fault.path == "meta.owner"
        assert fault.message in (
            "an escape writes a control or invisible character here",
            "must have at least 1 character",
        )

"""A policy over another: what it takes over, what it may not relax, and where faults are told."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from returns.result import Failure, Success

from pce_memory.adapters.policy_files import beside
from pce_memory.policy.bases import MAX_BASES, kept_or_packaged, packaged_text
from pce_memory.policy.document import MAX_BYTES
from pce_memory.policy.source import Reading, parse_policy, read_policy

BASE = """\
version: "4.0.0"
meta: {name: base, owner: security}
scopes:
  session: {ttl: 2d}
boundary_classes:
  public: {allow: ["*"]}
  internal: {allow: ["answer:task", "tool:*"], redact: [ticket]}
  pii: {allow: ["tool:contact-lookup"], redact: [email, phone], escalation: human_review}
  secret: {allow: [], escalation: deny}
invariants:
  - {name: no_pii, applies_to: [project], rule: prompt.contains_pii == false}
redact_policies:
  tickets:
    rules:
      - {name: ticket, find: 'CASE-[0-9]+', replace: "[case]"}
retrieval:
  rerank: {recency: {half_life_days_by_kind: {fact: 9, task: 3}}}
"""


def read(child: str, **bases: str) -> Reading:
    """Read a policy over `./base.yaml`, and files of other names."""
    files = {"base.yaml": BASE, **{f"{name}.yaml": text for name, text in bases.items()}}
    text = child if 'version: "' in child else 'version: "1.0.0"\nextends: ./base.yaml\n' + child
    return read_policy(text, "mine.yaml", find=kept_or_packaged(files))


def faults(reading: Reading) -> list[str]:
    return [
        f"{one.where.file}:{one.where.line}:{one.where.column}: {one.path}: {one.message}"
        for one in reading.faults
    ]


def policy(child: str, **bases: str):
    reading = read(child, **bases)
    assert faults(reading) == []
    assert reading.policy
    return reading.policy


class TestWhatIsTakenOver:
    def test_all_but_what_a_file_says_of_itself(self):
        over = policy("")
        base = parse_policy(BASE).unwrap()
        own = {"version": "1.0.0", "meta": over.meta, "extends": "./base.yaml"}
        assert over == base.model_copy(update=own)
        assert over.meta.name is None

    def test_single_values_are_overridden_and_mappings_joined(self):
        over = policy("scopes: {session: {max_tokens: 5}, project: {ttl: 1d}}")
        assert (over.scopes.session.ttl, over.scopes.session.max_tokens) == ("2d", 5)
        assert over.scopes.project.ttl == "1d"

    def test_what_a_class_shows_is_the_childs(self):
        assert policy(
            "boundary_classes: {internal: {allow: ['tool:x']}}"
        ).boundary_classes.internal.allow == ("tool:x",)

    @pytest.mark.parametrize(
        ("given", "redacted"),
        [
            ("[iban]", ("email", "phone", "iban")),
            ("[phone]", ("email", "phone")),
            ("[]", ("email", "phone")),
            ("null", ("email", "phone")),
            ("[iban, email]", ("email", "phone", "iban")),
        ],
    )
    def test_what_a_class_redacts_is_united(self, given, redacted):
        over = policy(f"boundary_classes: {{pii: {{redact: {given}}}}}")
        assert over.boundary_classes.pii.redact == redacted

    def test_invariants_are_appended(self):
        over = policy("invariants: [{name: b, applies_to: ['*'], rule: 1 == 1}]")
        assert [one.name for one in over.invariants] == ["no_pii", "b"]

    def test_an_invariant_of_the_same_name_stands_in_its_place(self):
        over = policy(
            "invariants:\n"
            "  - {name: b, applies_to: ['*'], rule: 1 == 1}\n"
            "  - {name: no_pii, applies_to: ['*'], rule: prompt.contains_pii == false}\n"
        )
        assert [(one.name, one.applies_to) for one in over.invariants] == [
            ("no_pii", ("*",)),
            ("b", ("*",)),
        ]

    def test_the_rules_of_a_redact_policy_are_united(self):
        rules = "{rules: [{name: bug, find: 'BUG-[0-9]+', replace: '[bug]'}]}"
        over = policy(f"redact_policies: {{tickets: {rules}, more: {rules}}}")
        assert [one.name for one in over.redact_policies["tickets"].rules] == ["ticket", "bug"]
        assert [one.name for one in over.redact_policies["more"].rules] == ["bug"]

    def test_a_map_that_is_taken_whole_is_taken_whole(self):
        over = policy("retrieval: {rerank: {recency: {half_life_days_by_kind: {fact: 5}}}}")
        assert over.retrieval.rerank.recency.half_life_days_by_kind == {"fact": 5}

    def test_a_name_of_the_base_may_be_redacted(self):
        assert policy(
            "boundary_classes: {public: {redact: [ticket]}}"
        ).boundary_classes.public.redact == ("ticket",)

    @pytest.mark.parametrize("name", ["default", "dev", "team", "org"])
    def test_a_packaged_policy_can_be_extended(self, name):
        over = parse_policy(f'version: "9.0.0"\nextends: {name}\n').unwrap()
        base = parse_policy(packaged_text(name)).unwrap()
        own = {"version": "9.0.0", "meta": over.meta, "extends": name, "tests": ()}
        assert over == base.model_copy(update=own)

    def test_the_texts_are_told_the_given_one_first(self):
        reading = read(
            'version: "1.0.0"\nextends: lower/a.yaml\n',
            **{"lower/a": 'version: "1.0.0"\nextends: ../base.yaml\n'},
        )
        assert faults(reading) == []
        assert list(reading.texts) == ["mine.yaml", "lower/a.yaml", "base.yaml"]
        assert list(reading.bases) == ["lower/a.yaml", "base.yaml"]

    def test_bases_are_told_by_where_the_first_file_is(self):
        child = 'version: "1.0.0"\nextends: ./base.yaml\n'
        reading = read_policy(
            child, "some/where/mine.yaml", find=kept_or_packaged({"base.yaml": BASE})
        )
        assert list(reading.texts) == ["some/where/mine.yaml", "some/where/base.yaml"]
        assert list(reading.bases) == ["base.yaml"]


LOOSER = [
    ("scopes: {session: {ttl: 3d}}", "scopes.session.ttl", "which has 2d"),
    ("scopes: {project: {ttl: inf}}", "scopes.project.ttl", "which has 120d"),
    ("scopes: {session: {max_tokens: null}}", "scopes.session.max_tokens", "which has 20000"),
    ("boundary_classes: {internal: {allow: ['tool:x', 'answer:*']}}", "boundary_classes.internal.allow", "which shows internal to answer:task, tool:* only"),
    ("boundary_classes: {secret: {allow: ['*']}}", "boundary_classes.secret.allow", "which shows secret to nobody only"),
    ("boundary_classes: {pii: {escalation: null}}", "boundary_classes.pii.escalation", "which has human_review"),
    ("boundary_classes: {secret: {escalation: human_review}}", "boundary_classes.secret.escalation", "which has deny"),
    ("invariants: [{name: no_pii, applies_to: [project], rule: 1 == 1}]", "invariants.no_pii", "whose rule of this name is 'prompt.contains_pii == false' in project"),
    ("invariants: [{name: no_pii, applies_to: [session], rule: prompt.contains_pii == false}]", "invariants.no_pii", "whose rule of this name is 'prompt.contains_pii == false' in project"),
    ("extraction: {store_mode: raw}", "extraction.store_mode", "which has redact"),
    ("extraction: {max_claims: 20001}", "extraction.max_claims", "which has 20000"),
    ("retention: {audit: 364d}", "retention.audit", "which has 365d"),
    ("limits: {query_bytes: 16385}", "limits.query_bytes", "which has 16384"),
    ("retrieval: {context_ttl: 25h}", "retrieval.context_ttl", "which has 24h"),
]  # fmt: skip

VALUES = ("3d", "inf", "null", "'answer:*'", "'*'", "human_review", "1 == 1", "[session]", "raw", "20001", "364d", "16385", "25h")  # fmt: skip


class TestWhatMayNotBeRelaxed:
    @pytest.mark.parametrize(("child", "path", "has"), LOOSER)
    def test_is_told_at_its_value_with_the_way_out(self, child, path, has):
        reading = read(child)
        assert reading.policy is None
        [fault] = reading.faults
        assert fault.message == (
            f"looser than './base.yaml', {has}; keep to it, or give the reason, as in "
            f'relax: {{"{path}": "the reason"}}'
        )
        assert (fault.where.file, fault.where.line) == ("mine.yaml", 3)
        assert child[fault.where.column - 1 :].startswith(VALUES)

    @pytest.mark.parametrize(("child", "path"), [one[:2] for one in LOOSER])
    def test_may_be_relaxed_with_the_reason(self, child, path):
        relax = f'relax: {{"{path}": "support asked for it"}}\n'
        reading = read(relax + child)
        assert faults(reading) == []
        assert reading.unused_relax == ()
        assert reading.policy
        assert dict(reading.policy.relax) == {path: "support asked for it"}

    @pytest.mark.parametrize(("child", "path"), [one[:2] for one in LOOSER])
    def test_may_be_relaxed_with_the_reason_of_a_path_above(self, child, path):
        reading = read(f'relax: {{"{path.split(".")[0]}": "it is so"}}\n{child}')
        assert (faults(reading), reading.unused_relax) == ([], ())

    def test_the_place_is_that_of_the_value(self):
        assert [
            (one.where.line, one.where.column, one.path)
            for one in read(
                "boundary_classes:\n"
                "  internal:\n"
                "    allow: [tool:x,\n"
                "      'answer:*']\n"
                "invariants:\n"
                "  - {name: other, applies_to: ['*'], rule: 1 == 1}\n"
                "  - name: no_pii\n"
                "    applies_to: [project]\n"
                "    rule: 2 == 2\n"
            ).faults
        ] == [
            (6, 7, "boundary_classes.internal.allow[1]"),
            (11, 11, "invariants[1].rule"),
        ]

    def test_with_a_reason_the_lists_are_the_childs(self):
        over = policy(
            "relax: {boundary_classes.pii.redact: none here, redact_policies.tickets: other form}\n"
            "boundary_classes: {pii: {redact: [iban]}}\n"
            "redact_policies: {tickets: {rules: [{name: ticket, find: x, replace: y}]}}\n"
        )
        assert over.boundary_classes.pii.redact == ("iban",)
        assert [one.find for one in over.redact_policies["tickets"].rules] == ["x"]

    def test_a_relax_that_relaxes_nothing_is_a_warning_at_its_key(self):
        reading = read(
            "relax:\n  limits: no reason\n  scopes.session.ttl: x\nscopes: {session: {ttl: 1d}}\n"
        )
        assert reading.policy
        assert [
            (one.where.line, one.where.column, one.code, one.severity, one.message)
            for one in reading.unused_relax
        ] == [
            (4, 3, "unused-relax", "warning", "nothing is relaxed by this; take it out"),
            (5, 3, "unused-relax", "warning", "nothing is relaxed by this; take it out"),
        ]

    def test_a_relax_without_a_base_is_a_warning(self):
        reading = read(BASE + "relax: {limits: none}\n")
        assert reading.policy
        assert [one.message for one in reading.unused_relax] == [
            "there is no base to relax; take it out"
        ]

    @pytest.mark.parametrize(
        ("relax", "fault"),
        [
            ("{scopes.sesion.ttl: x}", "3:9: relax.scopes.sesion.ttl: no key has this path; did you mean 'scopes.session.ttl'?"),
            ("{invariants.nopii: x}", "3:9: relax.invariants.nopii: no key has this path; did you mean 'invariants.no_pii'?"),
            ("{version: x}", "3:9: relax.version: is not taken over from a base"),
            ("{ああ: x}", "3:9: relax.ああ: no key has this path"),
            ("{limits: ''}", "3:17: relax.limits: must have at least 1 character"),
            ("{limits: '  '}", "3:17: relax.limits: must say why, in words"),
            ("{limits: 5}", "3:17: relax.limits: YAML reads 5 as a number; write it in quotes"),
            ("[limits]", "3:8: relax: must be a mapping of keys and values"),
            ("5", "3:8: relax: must be a mapping of keys and values"),
        ],
    )  # fmt: skip
    def test_a_relax_that_is_wrong(self, relax, fault):
        assert f"mine.yaml:{fault}" in faults(
            read(f"relax: {relax}\nlimits: {{query_bytes: 99999}}\n")
        )

    def test_three_layers_each_over_the_one_below(self):
        middle = 'version: "1.0.0"\nextends: base.yaml\nscopes: {session: {ttl: 1d}}\n'
        top = 'version: "1.0.0"\nextends: middle.yaml\nscopes: {session: {ttl: 36h}}\n'
        assert [one.split(";")[0] for one in faults(read(top, middle=middle))] == [
            "mine.yaml:3:25: scopes.session.ttl: looser than 'middle.yaml', which has 1d"
        ]

    def test_what_the_middle_relaxes_with_a_reason_holds_above_it(self):
        middle = 'version: "1.0.0"\nextends: base.yaml\nrelax: {scopes.session: long}\nscopes: {session: {ttl: 9d}}\n'
        top = 'version: "1.0.0"\nextends: middle.yaml\nscopes: {session: {ttl: 8d}}\n'
        assert faults(read(top, middle=middle)) == []

    def test_a_middle_that_relaxes_without_a_reason_is_told_in_its_own_file(self):
        middle = (
            'version: "1.0.0"\n# one line more\nextends: base.yaml\nscopes: {session: {ttl: 9d}}\n'
        )
        top = 'version: "1.0.0"\nextends: middle.yaml\nx: 1\n'
        assert [one.split(";")[0] for one in faults(read(top, middle=middle))] == [
            "mine.yaml:3:1: x: unknown key",
            "middle.yaml:4:25: scopes.session.ttl: looser than 'base.yaml', which has 2d",
        ]


class TestFaults:
    def test_of_a_base_point_into_it(self):
        bad = "# 日本語\n" + BASE.replace("ttl: 2d", "ttl: 2days")
        reading = read('version: "1.0.0"\nextends: other.yaml\n', other=bad)
        [rendered] = reading.rendered()
        assert rendered == (
            "other.yaml:5:18: scopes.session.ttl: must be a whole number with s, m, h, d or w, such as 7d, or inf\n"
            "     5 |   session: {ttl: 2days}\n"
            "       |                  ^"
        )

    def test_of_the_child_are_told_beside_those_of_the_base(self):
        reading = read(
            'version: "1"\nextends: other.yaml\nsopes: {}\nboundary_classes: {pii: {redact: [from_base]}}\n',
            other="version: 1.0\n",
        )
        assert faults(reading) == [
            'mine.yaml:1:10: version: must be SemVer in quotes: major.minor.patch, such as "1.0.0"',
            "mine.yaml:3:1: sopes: unknown key; did you mean 'scopes'?",
            "other.yaml:1:1: (document): 'boundary_classes' is missing here",
            'other.yaml:1:10: version: YAML reads 1.0 as a number; write it in quotes, such as "1.0.0"',
        ]

    def test_the_version_is_required_of_every_file(self):
        assert faults(read_policy("extends: default\n", "mine.yaml")) == [
            "mine.yaml:1:1: (document): 'version' is missing here"
        ]

    def test_keys_twice_in_the_child_and_in_the_base(self):
        reading = read("scopes: {}\nscopes: {}\n")
        assert faults(reading) == ["mine.yaml:4:1: scopes: this key stands twice"]
        reading = read(
            'version: "1.0.0"\nextends: other.yaml\n', other=BASE + "limits: {}\nlimits: {}\n"
        )
        assert faults(reading) == ["other.yaml:19:1: limits: this key stands twice"]

    def test_an_invariant_twice_in_the_child_is_told(self):
        one = "{name: x, applies_to: ['*'], rule: 1 == 1}"
        assert faults(read(f"invariants:\n  - {one}\n  - {one}\n")) == [
            "mine.yaml:5:12: invariants[1].name: another invariant has this name"
        ]

    def test_an_invariant_of_the_base_twice_in_the_child_is_told(self):
        one = "{name: no_pii, applies_to: [project], rule: prompt.contains_pii == false}"
        assert faults(read(f"invariants:\n  - {one}\n  - {one}\n")) == [
            "mine.yaml:5:12: invariants[1].name: another invariant has this name"
        ]

    @pytest.mark.parametrize("wrong", ["scopes: 5", "scopes: [a]", "boundary_classes: []", "invariants: {a: 1}", "invariants: [5, {name: 7}, {}]", "redact_policies: {tickets: 5}", "redact_policies: {tickets: {rules: 5}}", "boundary_classes: {pii: {redact: 5}}", "boundary_classes: {pii: {redact: [[a]]}}", "boundary_classes: {pii: 5}", "retrieval: null", "relax: {boundary_classes: [5]}"])  # fmt: skip
    def test_other_shapes_than_the_base_has(self, wrong):
        reading = read(wrong)
        assert reading.policy is None
        assert {(one.where.file, one.where.line) for one in reading.faults} == {("mine.yaml", 3)}

    @pytest.mark.parametrize(
        ("extends", "fault"),
        [
            ("defualt", "no packaged policy has this name; did you mean 'default'?"),
            (
                "strict",
                "no packaged policy has this name; name default, dev, team, org or a file such as ./base.yaml",
            ),
            ("./none.yaml", "a file is found only where the policy itself is read from a file"),
            (
                "https://example.com/base.yaml",
                "a policy is not fetched; name a packaged one or a file",
            ),
            ("/etc/base.yaml", "the path begins at this file's folder, such as ./base.yaml"),
            ("~/base.yaml", "the path begins at this file's folder, such as ./base.yaml"),
            ("'C:base.yaml'", "the path begins at this file's folder, such as ./base.yaml"),
            (r"lower\base.yaml", "a path is written with /, such as ./base.yaml"),
            ("../base.yaml", "the path leads out of the folder of the first file"),
            ("a/../../base.yaml", "the path leads out of the folder of the first file"),
            ("<default>", "no packaged policy has this name; did you mean 'default'?"),
            ("<default>.yaml", "a file is found only where the policy itself is read from a file"),
            ("mine.yaml", "these policies extend each other in a circle: mine.yaml -> mine.yaml"),
            (
                "./a/../mine.yaml",
                "these policies extend each other in a circle: mine.yaml -> mine.yaml",
            ),
            ("[default]", "must be default, dev, team, org or a file such as ./base.yaml"),
            ("{a: b}", "must be default, dev, team, org or a file such as ./base.yaml"),
            ("5", "must be default, dev, team, org or a file such as ./base.yaml"),
            ("true", "must be default, dev, team, org or a file such as ./base.yaml"),
            ("''", "must have at least 1 character"),
            ("'" + "a" * 257 + "'", "must have at most 256 characters"),
        ],
    )
    def test_what_may_not_be_extended(self, extends, fault):
        text = f'version: "1.0.0"\nextends: {extends}\n'
        assert f"mine.yaml:2:10: extends: {fault}" in faults(read_policy(text, "mine.yaml"))

    @pytest.mark.parametrize("nothing", ["extends: null\n", "extends:\n", "extends: ~\n", ""])
    def test_null_extends_nothing(self, nothing):
        assert policy(BASE + nothing).extends is None

    def test_a_circle_of_three(self):
        bases = {
            name: f'version: "1.0.0"\nextends: {other}.yaml\n'
            for name, other in ("ab", "bc", "ca")
        }
        reading = read('version: "1.0.0"\nextends: a.yaml\n', **bases)
        assert faults(reading) == [
            "c.yaml:2:10: extends: these policies extend each other in a circle: a.yaml -> b.yaml -> c.yaml -> a.yaml"
        ]

    def test_thirty_on_each_other(self):
        bases = {f"b{n}": f'version: "1.0.0"\nextends: b{n + 1}.yaml\n' for n in range(30)}
        reading = read('version: "1.0.0"\nextends: b0.yaml\n', **bases)
        assert faults(reading) == [
            f"b{MAX_BASES - 1}.yaml:2:10: extends: a policy stands on at most {MAX_BASES} others"
        ]

    def test_eight_on_each_other(self):
        bases = {f"b{n}": f'version: "1.0.0"\nextends: b{n + 1}.yaml\n' for n in range(7)} | {
            "b7": BASE
        }
        assert policy('version: "1.0.0"\nextends: b0.yaml\n', **bases).scopes.session.ttl == "2d"

    def test_a_packaged_policy_extends_no_file(self):
        find = kept_or_packaged({"<default>": 'version: "1.0.0"\nextends: ./mine.yaml\n'})
        [fault] = read_policy(
            'version: "1.0.0"\nextends: default\n', "mine.yaml", find=find
        ).faults
        assert (fault.where.file, fault.message) == (
            "<default>",
            "a packaged policy extends packaged ones only",
        )

    @pytest.mark.parametrize(
        "bomb",
        [
            "a: &a [x]\nb: *a\n",
            "[" * 100_000,
            "- " * 50_000,
            "a: 1\n" * 10_000,
            "\x01" * 100_000,
            "",
            "# nothing\n",
            "\ud800",
        ],
    )
    def test_bombs_in_the_base_are_told_in_the_base(self, bomb):
        reading = read('version: "1.0.0"\nextends: bomb.yaml\n', bomb=bomb)
        assert reading.policy is None
        assert {one.where.file for one in reading.faults} == {"bomb.yaml"}
        assert 1 <= len(reading.rendered()) <= 201

    def test_too_large_a_base_is_told_where_it_is_named(self):
        reading = read('version: "1.0.0"\nextends: large.yaml\n', large="#" * (MAX_BYTES + 1))
        assert faults(reading) == ["mine.yaml:2:10: extends: the file is larger than 128 KiB"]

    def test_windows_lines_and_a_mark_in_both(self):
        base = "\ufeff" + BASE.replace("\n", "\r\n")
        child = '\ufeffversion: "1.0.0"\r\nextends: w.yaml\r\nscopes: {session: {ttl: 4d}}\r\n'
        assert [one.split(";")[0] for one in faults(read(child, w=base))] == [
            "mine.yaml:3:25: scopes.session.ttl: looser than 'w.yaml', which has 2d"
        ]

    def test_no_secret_of_a_base_is_shown(self):
        token = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
        base = BASE.replace("[tool:contact-lookup]", f"[{token}]").replace(
            '"tool:contact-lookup"', f'"{token}"'
        )
        assert token in base
        reading = read(
            'version: "1.0.0"\nextends: s.yaml\nboundary_classes: {pii: {allow: [x]}}\n', s=base
        )
        assert reading.faults
        assert token not in "\n".join(reading.rendered())


class TestPlaces:
    def test_a_value_is_found_in_the_file_it_stands_in(self):
        reading = read("scopes: {project: {ttl: 1d}}\nboundary_classes: {pii: {redact: [iban]}}\n")
        places: list[tuple[Any, ...]] = [
            ("scopes", "project", "ttl"),
            ("scopes", "session", "ttl"),
            ("boundary_classes", "pii", "redact", 2),
            ("boundary_classes", "pii", "redact", 0),
            ("invariants", 0, "name"),
        ]
        assert [reading.where(loc) for loc in places] == [
            *(reading.where(loc).__class__(*where) for loc, where in zip(places, [
                ("mine.yaml", 3, 25), ("base.yaml", 4, 18), ("mine.yaml", 4, 35), ("base.yaml", 8, 50), ("base.yaml", 11, 12),
            ], strict=True)),
        ]  # fmt: skip
        assert reading.where(("scopes", "session"), key=True).line == 4
        assert (
            reading.path(("boundary_classes", "pii", "redact", 2))
            == "boundary_classes.pii.redact[0]"
        )
        assert reading.has(("scopes", "session", "ttl"))
        assert not reading.has(("scopes", "principle", "ttl"))


class TestFiles:
    def write(self, folder: Path, name: str, text: str | bytes) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def told(self, folder: Path, extends: str) -> str:
        path = self.write(folder, "mine.yaml", f'version: "1.0.0"\nextends: {extends}\n')
        reading = read_policy(path.read_text("utf-8"), "mine.yaml", find=beside(path))
        return faults(reading)[0] if reading.faults else "read"

    @pytest.mark.parametrize(
        "name", ["base.yaml", "lower/base.yml", "方針/基本.yaml", "with space.yaml"]
    )
    def test_a_file_beside_it_or_below_is_read(self, tmp_path, name):
        _ = self.write(tmp_path, name, BASE)
        assert self.told(tmp_path, f"'./{name}'") == "read"

    def test_a_file_below_may_lead_up_again(self, tmp_path):
        _ = self.write(tmp_path, "lower/a.yaml", 'version: "1.0.0"\nextends: ../base.yaml\n')
        _ = self.write(tmp_path, "base.yaml", BASE)
        assert self.told(tmp_path, "lower/a.yaml") == "read"

    def test_what_is_no_policy_file(self, tmp_path):
        _ = self.write(tmp_path, "latin.yaml", "meta: {name: café}".encode("latin-1"))
        _ = self.write(tmp_path, "binary.yaml", b"\x89PNG\r\n\x1a\n\0\0")
        _ = self.write(tmp_path, "large.yaml", "#" * (MAX_BYTES + 1))
        _ = self.write(tmp_path, "huge.yaml", "あ" * (1 << 20))
        (tmp_path / "folder.yaml").mkdir()
        at = "mine.yaml:2:10: extends: "
        assert self.told(tmp_path, "none.yaml") == at + "there is no such file"
        assert self.told(tmp_path, "none/none.yaml") == at + "there is no such file"
        assert self.told(tmp_path, "latin.yaml") == at + "it is not UTF-8 text"
        assert self.told(tmp_path, "binary.yaml") == at + "it is not UTF-8 text"
        assert self.told(tmp_path, "large.yaml") == at + "the file is larger than 128 KiB"
        assert self.told(tmp_path, "huge.yaml") == at + "the file is larger than 128 KiB"
        assert self.told(tmp_path, "folder.yaml") == at + "it is a directory, not a regular file"
        assert self.told(tmp_path, "latin.yaml/a.yaml").startswith(
            at + "the file cannot be read ("
        )

    def test_links_pipes_and_devices(self, tmp_path):
        outside = self.write(tmp_path, "outside/base.yaml", BASE)
        inside = tmp_path / "inside"
        inside.mkdir()
        (inside / "link.yaml").symlink_to(outside)
        (inside / "folder").symlink_to(outside.parent)
        (inside / "loop.yaml").symlink_to(inside / "loop.yaml")
        (inside / "zero.yaml").symlink_to("/dev/zero")
        os.mkfifo(inside / "pipe.yaml")
        at = "mine.yaml:2:10: extends: "
        link = at + "a symbolic link is not followed; name the file itself"
        for name in ("link.yaml", "folder/base.yaml", "loop.yaml", "zero.yaml"):
            assert self.told(inside, name) == link
        assert self.told(inside, "pipe.yaml") == at + "it is a pipe, not a regular file"

    def test_a_folder_that_is_a_link_itself_is_the_users_own(self, tmp_path):
        _ = self.write(tmp_path, "real/base.yaml", BASE)
        (tmp_path / "way").symlink_to(tmp_path / "real")
        assert self.told(tmp_path / "way", "base.yaml") == "read"

    def test_a_file_that_may_not_be_read(self, tmp_path, monkeypatch):
        _ = self.write(tmp_path, "shut.yaml", BASE)

        def refuse(*_: object) -> int:
            raise PermissionError(13, "no")

        monkeypatch.setattr(os, "open", refuse)
        assert beside(tmp_path / "mine.yaml")("shut.yaml") == Failure(
            "the file cannot be read (PermissionError)"
        )
        assert isinstance(beside(tmp_path / "mine.yaml")("<default>"), Success)


PARTS = st.sampled_from(
    ["..", ".", "", "inside", "base.yaml", "link.yaml", "way", "<default>.yaml", "~", "C:", "\n", " ", "方針", "outside", "a" * 90, "%2e%2e", "\u2025", "．．"]
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a policy, and one outside it that only a link leads to."""
    root = tmp_path_factory.mktemp("policies")
    (root / "inside" / "inside").mkdir(parents=True)
    (root / "outside").mkdir()
    for place in ("", "outside", "inside", "inside/inside"):
        owner = "inside" if place.startswith("inside") else "outside"
        text = BASE.replace("owner: security", f"owner: {owner}")
        _ = (root / place / "base.yaml").write_text(text, "utf-8")
    (root / "inside" / "link.yaml").symlink_to(root / "outside" / "base.yaml")
    (root / "inside" / "way").symlink_to(root / "outside")
    return root / "inside"


@settings(max_examples=400)
@given(
    parts=st.lists(PARTS, min_size=1, max_size=6), end=st.sampled_from(["", ".yaml", "/base.yaml"])
)
def test_no_path_leads_out_of_the_folder(folder, parts, end):
    extends = "/".join(parts) + end
    text = f'version: "1.0.0"\nextends: {json.dumps(extends)}\n'
    reading = read_policy(text, "mine.yaml", find=beside(folder / "mine.yaml"))
    assert all("outside" not in base for base in reading.bases.values())
    if reading.faults:
        assert {one.path for one in reading.faults} == {"extends"}
    else:
        assert "owner: inside" in next(iter(reading.bases.values()))


def test_positions_are_as_tools_read_them():
    [rendered] = read("scopes: {session: {ttl: 3d}}\n").rendered()
    assert re.match(r"mine\.yaml:3:25: scopes\.session\.ttl: looser", rendered)

"""`pce-memory policy check`, `test` and `schema`: what they print, and how they end."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from typer.testing import CliRunner, Result

from pce_memory import __version__
from pce_memory.policy.lint_kinds import KINDS
from pce_memory.policy.source import policy_schema
from pce_memory.surface.cli import app
from pce_memory.surface.policy_formats import uri_of

ROOT: Final = Path(__file__).parents[2]
GOLDEN: Final = ROOT / "tests" / "golden" / "check"
GOOD: Final = (ROOT / "policies" / "team.yaml").read_text("utf-8")
NAMES: Final = ("default", "dev", "team", "org")


def run(*arguments: str, given: bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["policy", *arguments], input=given)


def documents(result: Result) -> Any:
    return json.loads(result.stdout)


@pytest.mark.parametrize("case", ["faults", "warnings"])
@pytest.mark.parametrize("style", ["text", "json", "github", "sarif"])
def test_what_is_printed(case, style, monkeypatch):
    monkeypatch.chdir(GOLDEN)
    seen = run("check", f"{case}.yaml", "default", "--format", style).stdout
    seen = seen.replace(f'"version": "{__version__}"', '"version": "0.0.0"')
    golden = GOLDEN / f"{case}.{style}"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(seen, "utf-8")
    assert seen == golden.read_text("utf-8")


@pytest.mark.parametrize("style", ["text", "json", "junit"])
def test_how_tests_are_reported(style, monkeypatch):
    monkeypatch.chdir(GOLDEN)
    seen = run("test", "warnings.yaml", "faults.yaml", "dev", "--format", style)
    golden = GOLDEN / f"tests.{style}"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(seen.stdout, "utf-8")
    assert seen.stdout == golden.read_text("utf-8")
    assert seen.exit_code == 1


class TestCheck:
    def test_the_packaged_policies_are_without_fault(self):
        result = run("check", "--strict", *NAMES)
        assert result.stdout == "4 policies checked: 0 errors, 0 warnings\n"
        assert result.exit_code == 0

    @pytest.mark.parametrize(
        ("case", "strict", "code"),
        [("faults", False, 1), ("faults", True, 1), ("warnings", False, 0), ("warnings", True, 1)],
    )
    def test_its_exit_code(self, case, strict, code):
        options = ["--strict"] if strict else []
        assert run("check", str(GOLDEN / f"{case}.yaml"), *options).exit_code == code

    def test_an_unknown_format_is_bad_input(self):
        assert run("check", "default", "--format", "xml").exit_code == 2
        assert run("check").exit_code == 2

    def test_the_standard_input_is_read(self):
        assert run("check", "-", given=GOOD.encode()).exit_code == 0
        result = run("check", "-", given=b"x: 1\n")
        assert result.stdout.startswith("<stdin>:1:1: ")
        assert result.exit_code == 1

    def test_a_policy_that_is_named_twice_is_told_once(self):
        file = str(GOLDEN / "faults.yaml")
        assert run("check", file, file).stdout == run("check", file).stdout

    def test_a_base_is_found_beside_its_file(self, tmp_path):
        (tmp_path / "base.yaml").write_text(GOOD.replace("120d", "120x"), "utf-8")
        child = tmp_path / "mine.yaml"
        child.write_text('version: "2.0.0"\nextends: ./base.yaml\n', "utf-8")
        [found, *_] = documents(run("check", str(child), "--format", "json"))["files"][0][
            "findings"
        ]
        assert (Path(found["file"]).name, found["path"]) == ("base.yaml", "scopes.project.ttl")

    def test_every_fault_of_a_thousand(self, tmp_path):
        file = tmp_path / "many.yaml"
        file.write_text(GOOD + "".join(f"key{number}: 1\n" for number in range(1_000)), "utf-8")
        result = documents(run("check", str(file), "--format", "json"))
        assert (result["errors"], len(result["files"][0]["findings"])) == (1_000, 1_000)
        text = run("check", str(file)).stdout
        assert "and 800 more faults" in text
        assert text.endswith("1 policy checked: 1,000 errors, 0 warnings\n")


HOSTILE: Final[dict[str, bytes]] = {
    "empty": b"",
    "binary": bytes(range(256)) * 64,
    "latin-1": GOOD.encode() + "# caf\xe9\n".encode("latin-1"),
    "utf-16": GOOD.encode("utf-16"),
    "nul": b"\0" * 1_000,
    "ten megabytes": b"x: 1\n" * 2_000_000,
    "tabs": b"version: '1.0.0'\n\tscopes: {}\n",
    "deep": b"a: " + b"[" * 5_000,
    "anchors": b"a: &a [*a]\n",
    "escapes": b'version: "1.0.0"\n"\\e[2J": 1\n',
    "turned around": 'version: "1.0.0"\nx\u202ey: 1\n'.encode(),
    "wide": "🙂規約: 1\n".encode(),
    "combining": "e\u0301: 1\n".encode(),
    "surrogates": b"version: \xed\xa0\x80\n",
    "second document": GOOD.encode() + b"---\n" + GOOD.encode(),
    "merge key": GOOD.encode() + b"<<: {a: 1}\n",
    "tag": b"!!python/object/apply:os.system ['true']\n",
    "line separators": "a: 1\u2028b: 2\x85c: [\n".encode(),
}


@pytest.mark.parametrize("style", ["text", "json", "github", "sarif"])
@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_a_file_holds_is_answered_with_a_place(name, style, tmp_path):
    file = tmp_path / "hostile.yaml"
    file.write_bytes(HOSTILE[name])
    result = run("check", str(file), "--format", style)
    assert (result.exit_code, result.exception and type(result.exception)) == (1, SystemExit)
    assert (
        re.findall(
            "[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", result.stdout
        )
        == []
    )
    if style == "text":
        assert re.match(rf"{re.escape(str(file))}:\d+:\d+: ", result.stdout)
    elif style != "github":
        assert documents(result)


def test_windows_lines_and_a_byte_order_mark_are_read(tmp_path):
    file = tmp_path / "windows.yaml"
    file.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert run("check", "--strict", str(file)).exit_code == 0


def test_the_byte_that_is_no_text_has_its_place(tmp_path):
    file = tmp_path / "latin.yaml"
    file.write_bytes("名: 1\r\n規約 caf".encode() + b"\xe9\n")
    assert run("check", str(file)).stdout.splitlines()[0] == (
        f"{file}:2:7: (document): the byte 0xe9 is not UTF-8; save the file as UTF-8"
    )


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "it is a directory, not a regular file; name a file, or - for the standard input"),
        ("missing.yaml", "there is no such file, and it is none of default, dev, team, org"),
        ("a\0b", "it cannot be read (ValueError)"),
        ("x" * 300, "it cannot be read (OSError)"),
    ],
)
def test_what_is_no_file_is_told_beside_the_others(name, reason, tmp_path):
    path = str(tmp_path / name) if "\0" not in name else name
    result = run("check", path, str(GOLDEN / "faults.yaml"), "--format", "json")
    first, second = documents(result)["files"]
    assert [one["message"] for one in first["findings"]] == [reason]
    assert (first["findings"][0]["line"], first["findings"][0]["code"]) == (1, "unreadable")
    assert len(second["findings"]) > 3
    assert result.exit_code == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path):
    file = tmp_path / "shut.yaml"
    file.write_text(GOOD)
    file.chmod(0)
    assert "PermissionError" in run("check", str(file)).stdout


def test_a_file_that_changes_meanwhile_is_judged_as_it_was_read(tmp_path, monkeypatch):
    file = tmp_path / "mine.yaml"
    file.write_text(GOOD + "x: 1\n", "utf-8")
    read = Path.open

    def overwritten(path: Path, *arguments: Any, **options: Any) -> Any:
        with read(path, *arguments, **options) as opened:
            raw = opened.read()
        os.truncate(path, 0)
        return io.BytesIO(raw)

    monkeypatch.setattr(Path, "open", overwritten)
    result = run("check", str(file))
    assert "x: unknown key" in result.stdout
    assert "x: 1" in result.stdout


ODD_NAMES: Final = [
    "a b.yaml",
    "a:b,c%0A.yaml",
    "規約🙂.yaml",
    "line\nbreak.yaml",
    "\u202eback.yaml",
    "::set.yaml",
    "a#b?c.yaml",
]


@pytest.mark.parametrize("name", ODD_NAMES)
class TestOddNames:
    def checked(self, tmp_path: Path, name: str, style: str) -> Result:
        (tmp_path / name).write_text("x: 1\n", "utf-8")
        return run("check", str(tmp_path / name), "--format", style)

    def test_as_text(self, tmp_path, name):
        lines = self.checked(tmp_path, name, "text").stdout.splitlines()
        assert lines[0].endswith(":1:1: (document): 'boundary_classes' is missing here")

    def test_as_json(self, tmp_path, name):
        assert documents(self.checked(tmp_path, name, "json"))["files"][0]["file"] == str(
            tmp_path / name
        )

    def test_as_github(self, tmp_path, name):
        for line in self.checked(tmp_path, name, "github").stdout.splitlines():
            place = re.fullmatch(r"::error file=([^,:]*),line=1,col=1,title=fault::(.*)", line)
            assert place
            assert unescaped(place[1]) == str(tmp_path / name)

    def test_as_sarif(self, tmp_path, name):
        [run_] = documents(self.checked(tmp_path, name, "sarif"))["runs"]
        uri = run_["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"file://[A-Za-z0-9/._~%-]+", uri)
        assert unquote(uri.removeprefix("file://")) == str(tmp_path / name)


def unescaped(text: str) -> str:
    for code, sign in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(code, sign)
    return text


def test_a_relative_name_is_a_relative_uri():
    assert uri_of("./a b/%.yaml") == "a%20b/%25.yaml"


class TestSarif:
    def log(self, case: str) -> Any:
        return documents(run("check", str(GOLDEN / f"{case}.yaml"), "--format", "sarif"))

    @pytest.mark.parametrize("case", ["faults", "warnings"])
    def test_it_has_the_parts_of_a_log(self, case):
        log = self.log(case)
        assert log["version"] == "2.1.0"
        assert log["$schema"].endswith("sarif-2.1.0.json")
        [one] = log["runs"]
        driver = one["tool"]["driver"]
        assert (driver["name"], driver["version"]) == ("pce-memory", __version__)
        assert one["columnKind"] == "unicodeCodePoints"
        assert one["results"]
        jsonschema.validate(log, SARIF)

    def test_its_rules_are_all_kinds(self):
        rules = self.log("faults")["runs"][0]["tool"]["driver"]["rules"]
        assert [rule["id"] for rule in rules] == [
            "fault",
            "secret",
            "unreadable",
            *(kind.code for kind in KINDS),
        ]
        assert len({rule["id"] for rule in rules}) == len(rules)
        for rule in rules:
            assert rule["shortDescription"]["text"].endswith(".")

    @pytest.mark.parametrize("case", ["faults", "warnings"])
    def test_a_result_points_to_its_rule_and_place(self, case):
        [one] = self.log(case)["runs"]
        lines = (GOLDEN / f"{case}.yaml").read_text("utf-8").splitlines()
        for result in one["results"]:
            rule = one["tool"]["driver"]["rules"][result["ruleIndex"]]
            assert rule["id"] == result["ruleId"]
            assert rule["defaultConfiguration"]["level"] == result["level"]
            region = result["locations"][0]["physicalLocation"]["region"]
            assert 1 <= region["startColumn"] <= len(lines[region["startLine"] - 1]) + 1


# The parts of SARIF 2.1.0 that a log must have, and the types of those it may have.
TEXT: Final = {
    "type": "object",
    "required": ["text"],
    "properties": {"text": {"type": "string", "minLength": 1}},
}
SARIF: Final[Any] = {
    "type": "object",
    "required": ["version", "runs"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"enum": ["2.1.0"]},
        "runs": {"type": "array", "items": {"$ref": "#/$defs/run"}},
    },
    "$defs": {
        "run": {
            "type": "object",
            "required": ["tool"],
            "additionalProperties": False,
            "properties": {
                "tool": {
                    "type": "object",
                    "required": ["driver"],
                    "additionalProperties": False,
                    "properties": {"driver": {"$ref": "#/$defs/component"}},
                },
                "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                "results": {"type": "array", "items": {"$ref": "#/$defs/result"}},
            },
        },
        "component": {
            "type": "object",
            "required": ["name"],
            "additionalProperties": False,
            "properties": {
                "name": {"type": "string"},
                "version": {"type": "string"},
                "rules": {"type": "array", "uniqueItems": True, "items": {"$ref": "#/$defs/rule"}},
            },
        },
        "rule": {
            "type": "object",
            "required": ["id"],
            "additionalProperties": False,
            "properties": {
                "id": {"type": "string"},
                "name": {"type": "string"},
                "shortDescription": TEXT,
                "defaultConfiguration": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {"level": {"enum": ["none", "note", "warning", "error"]}},
                },
            },
        },
        "result": {
            "type": "object",
            "required": ["message"],
            "additionalProperties": False,
            "properties": {
                "ruleId": {"type": "string"},
                "ruleIndex": {"type": "integer", "minimum": 0},
                "level": {"enum": ["none", "note", "warning", "error"]},
                "message": TEXT,
                "locations": {"type": "array", "items": {"$ref": "#/$defs/location"}},
            },
        },
        "location": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "physicalLocation": {
                    "type": "object",
                    "required": ["artifactLocation"],
                    "additionalProperties": False,
                    "properties": {
                        "artifactLocation": {
                            "type": "object",
                            "additionalProperties": False,
                            "properties": {"uri": {"type": "string", "pattern": "^[!-~]+$"}},
                        },
                        "region": {
                            "type": "object",
                            "additionalProperties": False,
                            "properties": {
                                "startLine": {"type": "integer", "minimum": 1},
                                "startColumn": {"type": "integer", "minimum": 1},
                            },
                        },
                    },
                }
            },
        },
    },
}  # fmt: skip


class TestPolicyTests:
    def test_the_packaged_policies_pass(self):
        result = run("test", *NAMES)
        assert result.exit_code == 0
        assert re.search(r"^\d+ passed, 0 failed$", result.stdout, re.MULTILINE)

    def test_only_some_are_run(self):
        result = run("test", "team", "-k", "BREAKING")
        assert result.stdout.splitlines()[1:] == [
            "  ok    a breaking change stays out of what is kept for long",
            "1 passed, 0 failed",
        ]

    @pytest.mark.parametrize(
        "arguments", [["default", "-k", "no such test"], ["-"], ["missing.yaml"]]
    )
    def test_where_nothing_was_run_it_fails(self, arguments):
        small = GOOD.partition("\ntests:")[0]
        assert run("test", *arguments, given=small.encode()).exit_code == 1

    def test_a_policy_without_tests_fails_no_other(self, tmp_path):
        bare = tmp_path / "bare.yaml"
        bare.write_text(GOOD.partition("\ntests:")[0], "utf-8")
        result = run("test", str(bare), "team")
        assert f"{bare}\n  no tests\nteam.yaml\n" in result.stdout
        assert result.exit_code == 0

    def test_a_policy_that_cannot_be_read_fails_the_others(self):
        result = run("test", "team", str(GOLDEN / "faults.yaml"))
        assert "7 passed, 0 failed, 1 not read" in result.stdout
        assert result.exit_code == 1

    def test_no_secret_is_printed(self, tmp_path):
        file = tmp_path / "p.yaml"
        text = (
            GOOD
            + '  - {name: a key, payload: "{{secret:github}}", class: public, expect: allowed}\n'
        )
        file.write_text(text, "utf-8")
        for style in ("text", "json", "junit"):
            result = run("test", str(file), "--format", style)
            assert "a key" in result.stdout
            assert "ghp_" not in result.stdout

    def test_a_report_for_a_build_server(self):
        root = ET.fromstring(
            run("test", "team", str(GOLDEN / "warnings.yaml"), "--format", "junit").stdout
        )
        assert [(one.get("tests"), one.get("failures"), one.get("errors")) for one in root] == [
            ("7", "0", "0"),
            ("2", "1", "0"),
        ]
        [failure] = root.iter("failure")
        assert failure.get("message", "").startswith("expected allowed; got denied: ")

    def test_names_cannot_steer_a_terminal(self, tmp_path):
        file = tmp_path / "p.yaml"
        file.write_text(GOOD + '  - {name: "a\\nb\u202ec", payload: x, expect: denied}\n', "utf-8")
        for style in ("text", "json", "junit"):
            assert "\u202e" not in run("test", str(file), "--format", style).stdout


class TestSchema:
    def test_it_is_the_packaged_one(self):
        result = run("schema")
        assert result.stdout == (ROOT / "policies" / "policy.schema.json").read_text("utf-8")
        assert result.exit_code == 0

    @pytest.mark.parametrize("name", NAMES)
    def test_a_packaged_policy_is_valid_by_it(self, name):
        from pce_memory.policy.document import read_document

        text = (ROOT / "policies" / f"{name}.yaml").read_text("utf-8")
        jsonschema.Draft202012Validator(policy_schema()).validate(read_document(text, name).data)

    def test_it_underlines_what_is_wrong(self):
        from pce_memory.policy.document import read_document

        text = GOOD.replace("ttl: 7d", "tll: 7d").replace("escalation: deny", "escalation: no")
        data = read_document(text + "retrieval: {threshold: 3}\n", "p").data
        found = jsonschema.Draft202012Validator(policy_schema()).iter_errors(data)
        assert sorted("/".join(map(str, one.absolute_path)) for one in found) == [
            "boundary_classes/secret/escalation",
            "retrieval/threshold",
            "scopes/session",
        ]


def test_a_plain_terminal_is_no_traceback():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    for command in ("check", "test"):
        done = subprocess.run(
            [sys.executable, "-m", "pce_memory", "policy", command, str(GOLDEN / "warnings.yaml")],
            cwd=ROOT, env=environment, capture_output=True, check=False,
        )  # fmt: skip
        assert done.stderr == b""
        assert done.stdout.endswith((b"silenced\n", b"failed\n"))


def test_other_commands_do_not_load_the_parser():
    code = "import sys, pce_memory.surface.policy_check, pce_memory.surface.policy_test; print('yaml' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"

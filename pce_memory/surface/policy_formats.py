"""What was found in policies, for a person, a program, a pull request or a code scanner."""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import quote

from pce_memory import __version__
from pce_memory.policy.faults import Located, rendered, told_at, withheld
from pce_memory.policy.lint_kinds import BY_WORD, KINDS
from pce_memory.surface.policy_files import UNREADABLE, PolicyFile
from pce_memory.surface.render import one_line, plural

Json: TypeAlias = Mapping[str, object]

ERRORS: Final = {
    "fault": "The policy has a fault and cannot be applied.",
    "secret": "The policy holds a secret, which is never stored.",
    UNREADABLE: "The file cannot be read as a policy.",
}
"""What the codes of errors mean."""


def as_text(files: Sequence[PolicyFile]) -> Iterator[str]:
    """Yield each finding with its line, and at the end how many there are."""
    for file in files:
        yield from lines_of(file, file.findings)
    errors, warnings = counts(files)
    silenced = sum(file.checked.silenced for file in files)
    told = [plural(errors, "error"), plural(warnings, "warning")]
    told += [f"{silenced} silenced"] if silenced else []
    yield f"{plural(len(files), 'policy', 'policies')} checked: {', '.join(told)}"


def lines_of(file: PolicyFile, findings: Sequence[Located]) -> Iterator[str]:
    """Yield findings as an author sees them; of what could not be read, there is no line."""
    if file.reading:
        yield from rendered([_titled(one) for one in findings], file.reading.texts)
    else:
        yield from (f"{told_at(one.where)}: {one.path}: {_message(one)}" for one in findings)


def as_json(files: Sequence[PolicyFile]) -> Iterator[str]:
    """Yield one document; keys are added to it, and none is taken away."""
    errors, warnings = counts(files)
    document = {
        "schema": "pce-memory.policy-check/1",
        "errors": errors,
        "warnings": warnings,
        "files": [
            {
                "file": file.name,
                "version": version_of(file),
                "silenced": file.checked.silenced,
                "findings": [entry_of(one) for one in file.findings],
            }
            for file in files
        ],
    }
    yield json.dumps(document, indent=2)


def as_github(files: Sequence[PolicyFile]) -> Iterator[str]:
    """Yield workflow commands: each finding becomes a note beside its line."""
    for one in _findings(files):
        title = _property(f"{one.code} {name_of(one)}" if name_of(one) != one.code else one.code)
        place = f"file={_property(one.where.file)},line={one.where.line},col={one.where.column}"
        message = _data(f"{one.path}: {_message(one)}")
        yield f"::{one.severity} {place},title={title}::{message}"


def as_sarif(files: Sequence[PolicyFile]) -> Iterator[str]:
    """Yield a log of SARIF 2.1.0."""
    rules = [*ERRORS, *(kind.code for kind in KINDS)]
    driver = {"name": "pce-memory", "version": __version__, "rules": list(_rules())}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(one, rules) for one in _findings(files)],
    }
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    yield json.dumps(log, indent=2)


FORMATS: Final[Mapping[str, Callable[[Sequence[PolicyFile]], Iterator[str]]]] = {
    "text": as_text,
    "json": as_json,
    "github": as_github,
    "sarif": as_sarif,
}
"""How to tell it, by what `--format` says."""


def counts(files: Sequence[PolicyFile]) -> tuple[int, int]:
    """Return how many errors and warnings there are."""
    errors = sum(len(file.checked.errors) for file in files)
    return errors, sum(len(file.checked.warnings) for file in files)


def name_of(one: Located) -> str:
    """Return the name of a finding's kind."""
    kind = BY_WORD.get(one.code.lower())
    return kind.name if kind else one.code


def _findings(files: Sequence[PolicyFile]) -> Iterator[Located]:
    return (one for file in files for one in file.findings)


def _titled(one: Located) -> Located:
    if one.severity == "error":
        return one
    return replace(one, message=f"warning: {_message(one)} [{one.code} {name_of(one)}]")


def _message(one: Located) -> str:
    return one_line(withheld(one.message))


def version_of(file: PolicyFile) -> str | None:
    """Return the version of a policy that can be used."""
    policy = file.reading.policy if file.reading else None
    return policy.version if policy else None


def entry_of(one: Located) -> Json:
    """Return a finding as a document has it."""
    return {
        "file": one.where.file,
        "line": one.where.line,
        "column": one.where.column,
        "path": one.path,
        "severity": one.severity,
        "code": one.code,
        "name": name_of(one),
        "message": _message(one),
    }


def _data(text: str) -> str:
    """Escape what would end the text of a workflow command, or begin another one."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _rules() -> Iterator[Json]:
    for code, about in ERRORS.items():
        yield _rule(code, code, about, "error")
    for kind in KINDS:
        yield _rule(kind.code, kind.name, kind.about, "warning")


def _rule(code: str, name: str, about: str, level: str) -> Json:
    return {
        "id": code,
        "name": name,
        "shortDescription": {"text": about},
        "defaultConfiguration": {"level": level},
    }


def _result(one: Located, rules: Sequence[str]) -> Json:
    region = {"startLine": one.where.line, "startColumn": one.where.column}
    location = {"artifactLocation": {"uri": uri_of(one.where.file)}, "region": region}
    return {
        "ruleId": one.code,
        "ruleIndex": rules.index(one.code),
        "level": one.severity,
        "message": {"text": f"{one.path}: {_message(one)}"},
        "locations": [{"physicalLocation": location}],
    }


def uri_of(file: str) -> str:
    """Return a file's name as a URI: absolute as it is absolute, relative as it is relative.

    >>> uri_of("a b/規約:1.yaml")
    'a%20b/%E8%A6%8F%E7%B4%84%3A1.yaml'
    """
    path = quote(os.fsencode(Path(file).as_posix()))
    return f"file://{path}" if Path(file).is_absolute() else path

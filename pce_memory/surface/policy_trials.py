"""The tests of policies that were run: for a person, a program, or a build server."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pce_memory.policy.faults import Located, Where, told_at, withheld
from pce_memory.policy.trial import Trial, failures, run_tests
from pce_memory.surface.policy_files import PolicyFile
from pce_memory.surface.policy_formats import entry_of, lines_of, version_of
from pce_memory.surface.render import one_line


@dataclass(frozen=True, slots=True)
class Run:
    """The tests of one policy that were run, and where each stands; none if it has faults."""

    file: PolicyFile
    trials: tuple[Trial, ...]
    places: tuple[Where, ...]

    @property
    def errors(self) -> tuple[Located, ...]:
        """What keeps the policy from being tested."""
        return self.file.checked.errors


def run(file: PolicyFile, only: str = "") -> Run:
    """Run the tests of a policy whose names hold `only`."""
    reading = file.reading
    if reading is None or reading.policy is None or file.checked.errors:
        return Run(file, (), ())
    trials = run_tests(reading.policy, only)
    places = tuple(reading.where(("tests", trial.index)) for trial in trials)
    return Run(file, trials, places)


def passed(runs: Sequence[Run]) -> bool:
    """Return whether tests were run, none failed, and every policy could be read."""
    faulty = any(one.errors or failures(one.trials) for one in runs)
    return not faulty and any(one.trials for one in runs)


def as_text(runs: Sequence[Run]) -> Iterator[str]:
    """Yield a line for each test, more for one that failed, and how many there were."""
    for one in runs:
        yield told(one.file.name)
        if one.errors:
            yield from lines_of(one.file, one.errors)
        elif not one.trials:
            yield "  no tests"
        for trial, place in zip(one.trials, one.places, strict=True):
            yield from _told(trial, place)
    good, bad = _counts(runs)
    broken = sum(bool(one.errors) for one in runs)
    yield f"{good} passed, {bad} failed" + (f", {broken} not read" if broken else "")


def as_json(runs: Sequence[Run]) -> Iterator[str]:
    """Yield one document; keys are added to it, and none is taken away."""
    good, bad = _counts(runs)
    document = {
        "schema": "pce-memory.policy-test/1",
        "passed": good,
        "failed": bad,
        "files": [
            {
                "file": one.file.name,
                "version": version_of(one.file),
                "errors": [entry_of(error) for error in one.errors],
                "tests": [
                    _entry(trial, place)
                    for trial, place in zip(one.trials, one.places, strict=True)
                ],
            }
            for one in runs
        ],
    }
    yield json.dumps(document, indent=2)


def as_junit(runs: Sequence[Run]) -> Iterator[str]:
    """Yield a report as build servers read it; a policy with faults is a test with errors."""
    from xml.etree import ElementTree as ET  # noqa: PLC0415

    root = ET.Element("testsuites", name="pce-memory policy test")
    for one in runs:
        bad = {"failure": _counts([one])[1], "error": len(one.errors)}
        suite = ET.SubElement(root, "testsuite", name=told(one.file.name))
        suite.set("tests", str(len(one.trials) + bad["error"]))
        suite.set("failures", str(bad["failure"]))
        suite.set("errors", str(bad["error"]))
        for name, where, fault, message in _cases(one):
            case = ET.SubElement(suite, "testcase", name=name, line=str(where.line))
            case.set("classname", told(one.file.name))
            if fault:
                _ = ET.SubElement(case, fault, message=message)
    yield ET.tostring(root, encoding="us-ascii", xml_declaration=True).decode()


REPORTS: Final[Mapping[str, Callable[[Sequence[Run]], Iterator[str]]]] = {
    "text": as_text,
    "json": as_json,
    "junit": as_junit,
}
"""How to tell it, by what `--format` says."""


def told(text: str) -> str:
    """Return a text on one line, without secrets, and without what a terminal or XML chokes on."""
    line = one_line(withheld(text))
    return "".join(char if char.isprintable() else "\ufffd" for char in line)


def _told(trial: Trial, place: Where) -> Iterator[str]:
    if trial.passed:
        yield f"  ok    {told(trial.name)}"
        return
    yield f"  FAIL  {told(trial.name)} ({told_at(place)})"
    yield f"          expected  {told(trial.expected)}"
    yield f"          got       {told(trial.got)}"


def _cases(one: Run) -> Iterator[tuple[str, Where, str, str]]:
    """Yield a name, a place, what the case is (failure, error or nothing), and what is said."""
    for error in one.errors:
        yield error.path, error.where, "error", f"{told_at(error.where)}: {told(error.message)}"
    for trial, place in zip(one.trials, one.places, strict=True):
        message = f"expected {told(trial.expected)}; got {told(trial.got)}"
        yield told(trial.name), place, "" if trial.passed else "failure", message


def _entry(trial: Trial, place: Where) -> Mapping[str, object]:
    return {
        "name": told(trial.name),
        "line": place.line,
        "column": place.column,
        "passed": trial.passed,
        "expected": told(trial.expected),
        "got": told(trial.got),
    }


def _counts(runs: Sequence[Run]) -> tuple[int, int]:
    bad = sum(len(failures(one.trials)) for one in runs)
    return sum(len(one.trials) for one in runs) - bad, bad

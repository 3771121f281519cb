"""How long a check of a long policy takes, and whether bad policies are all answered with a place.

    python -m benchmarks.policy [--bad 3000] [--seed 7]

The long policy has 500 lines: invariants, patterns and tests of its own. The bad ones are made of
the packaged policies by one to three mutations each: lines dropped, repeated, moved or indented,
keys renamed, values of other types, quotes flipped, marks of YAML and odd characters put in.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from pce_memory.policy.faults import LINE_END
from pce_memory.policy.lint import check
from pce_memory.policy.source import read_policy
from pce_memory.resources import resource
from tests.mutations import mutated

LINES = 500
RUNS = 9
HEAD = """\
version: "1.0.0"
boundary_classes:
  public: {allow: ["*"]}
  internal: {allow: ["answer:task", "tool:*"]}
  pii: {allow: ["tool:contact-lookup"], redact: [email, phone, own], escalation: human_review}
  secret: {allow: [], escalation: deny}
"""


def long_policy() -> str:
    """Return a policy of 500 lines: 60 invariants, 60 patterns, and tests."""
    lines = [*HEAD.splitlines(), "invariants:"]
    for n in range(60):
        lines += [
            f"  - name: rule_{n}",
            "    applies_to: [project, principle]",
            f'    rule: claim.quality >= 0.{n + 1:02} || team.level > {n} || claim.kind == "task"',
        ]
    lines += ["redact_policies:", "  own:", "    rules:"]
    for n in range(60):
        find = f"find: 'N{n}-[0-9]{{4,8}}', replace: \"[n{n}]\", example: N{n}-12345"
        lines.append(f"      - {{name: number_{n}, {find}}}")
    lines.append("tests:")
    n = 0
    while len(lines) + 4 <= LINES:
        lines += [
            f"  - name: number {n} is redacted",
            f"    payload: 番号はN{n % 60}-1234です",
            "    context: {team.level: 100}",
            f'    expect: {{redacted: "番号は[n{n % 60}]です"}}',
        ]
        n += 1
    lines += ["# the end"] * (LINES - len(lines))
    return "\n".join(lines) + "\n"


def spent() -> float:
    """Return the CPU seconds of this process and of those it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return the median CPU and wall milliseconds of a function."""
    cpu, wall = [], []
    for _ in range(RUNS):
        begun = spent(), time.perf_counter()
        work()
        cpu.append((spent() - begun[0]) * 1e3)
        wall.append((time.perf_counter() - begun[1]) * 1e3)
    return statistics.median(cpu), statistics.median(wall)


def command(path: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "pce_memory", "policy", "check", path],
        check=True,
        capture_output=True,
    )


def speed() -> None:
    text = long_policy()
    reading = read_policy(text, "long.yaml")
    checked = check(reading)
    assert checked.findings == (), checked.findings[:3]
    print(f"A policy of {len(text.splitlines())} lines, {len(text.encode()):,} bytes:\n")
    print("| step | CPU ms | wall ms |\n|---|--:|--:|")
    for step, work in (
        ("read", lambda: read_policy(text, "long.yaml")),
        ("check of what was read", lambda: check(reading)),
        ("both", lambda: check(read_policy(text, "long.yaml"))),
    ):
        cpu, wall = timed(work)
        print(f"| {step} | {cpu:.0f} | {wall:.0f} |")
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "long.yaml")
        Path(path).write_text(text, "utf-8")
        cpu, wall = timed(lambda: command(path))
    print(f"| `pce-memory policy check`, a fresh process | {cpu:.0f} | {wall:.0f} |\n")


def has_place(text: str) -> bool | None:
    """Return whether every fault of a text has a place inside a file; None if it is a policy."""
    reading = read_policy(text, "bad.yaml")
    _ = check(reading)
    if reading.policy is not None:
        return None
    shown = reading.rendered()
    for one in reading.faults:
        lines = LINE_END.split(reading.texts[one.where.file])
        inside = 1 <= one.where.line <= len(lines)
        if not inside or not 1 <= one.where.column <= len(lines[one.where.line - 1]) + 1:
            return False
    return bool(reading.faults) and bool(shown)


def bad_policies(wanted: int, seed: int) -> bool:
    draw = random.Random(seed)
    names = ("default", "dev", "team", "org")
    texts = [(resource("policies") / f"{name}.yaml").read_text("utf-8") for name in names]
    refused: Counter[str] = Counter()
    unanswered = tried = 0
    while sum(refused.values()) < wanted:
        text, first = mutated(draw, draw.choice(texts))
        tried += 1
        match has_place(text):
            case None:
                continue
            case True:
                refused[first] += 1
            case _:
                unanswered += 1
    count = sum(refused.values())
    print(
        f"{tried:,} mutated policies, seed {seed}: {count:,} are no policy and were answered with"
    )
    print(f"a place inside the file; {unanswered} were not; the others are good.\n")
    print("| what went wrong first | refused |\n|---|--:|")
    for name, count in sorted(refused.items()):
        print(f"| {name.replace('_', ' ')} | {count} |")
    return unanswered == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    _ = parser.add_argument("--bad", type=int, default=3_000)
    _ = parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    speed()
    if not bad_policies(options.bad, options.seed):
        raise SystemExit(1)


if __name__ == "__main__":
    main()

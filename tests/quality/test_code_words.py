"""Names and signs find the claims that say them: exactly, in another spelling, and by their parts.

`code_facts.txt` has a fact a line, and behind each | what is asked for it: x an exact name, v a
name written another way, p words of plain language, n a name and its number together or apart, e
an emoji. It was written for this project.
"""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from pce_memory import Memory
from tests.quality.test_recall import WORDS_ONLY, sources

FLOORS = {"x": 0.98, "v": 0.98, "p": 0.97, "n": 0.96, "e": 0.98}


def asked_for() -> tuple[list[str], Mapping[tuple[str, str], set[int]]]:
    """Return the facts, and for each kind and query the facts that it is to find."""
    facts: list[str] = []
    wanted: dict[tuple[str, str], set[int]] = defaultdict(set)
    for line in (Path(__file__).parent / "code_facts.txt").read_text("utf-8").splitlines():
        fact, *queries = line.split(" | ")
        for query in queries:
            kind, _, text = query.strip().partition(":")
            wanted[kind, text].add(len(facts))
        facts.append(fact)
    return facts, wanted


@pytest.mark.slow
def test_names_are_found_first() -> None:
    facts, wanted = asked_for()
    first: dict[str, list[bool]] = defaultdict(list)
    with Memory.open(embedder="hashing", policy=WORDS_ONLY) as memory:
        done = memory.observe_many(
            {"content": fact, "source_id": f"fact-{number}"} for number, fact in enumerate(facts)
        )
        assert done.failed == ()
        for (kind, query), numbers in wanted.items():
            best = sources(memory, query, 12)[:1]
            first[kind].append(bool(best) and best[0] in {f"fact-{one}" for one in numbers})
    assert {
        kind: sum(hits) / len(hits) >= FLOORS[kind] for kind, hits in first.items()
    } == dict.fromkeys(FLOORS, True)

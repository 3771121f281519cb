"""What the boundary costs: `activate` at 100 k claims under masks from none to all of it.

Claims are written straight into the tables: what is measured is reading. The same queries run
under each mask, turn about, so that a noisy machine disturbs all of them alike. `none` is the same
search with a mask that lets everything through.
"""

import argparse
import random
import statistics
import time
from dataclasses import dataclass
from typing import Final
from unittest.mock import patch

from returns.result import Result

from pce_memory import Boundary, Memory
from pce_memory.domain.claim import Claim
from pce_memory.domain.ids import ClaimId, ObservationId
from pce_memory.domain.policy import Policy
from pce_memory.domain.query import Query
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, SCOPES
from pce_memory.errors import CoreError
from pce_memory.integrator.rows import new_row, standing
from pce_memory.policy.source import parse_policy
from pce_memory.resources import resource
from pce_memory.retriever.select import select
from pce_memory.store import claims as claim_rows, search, statements
from pce_memory.store.visibility import view
from pce_memory.text.tokens import terms

CLASSES: Final = BOUNDARY_CLASSES[:3]
DEFAULT: Final = (resource("policies") / "default.yaml").read_text("utf-8")
WORDS: Final = 4_000
CHUNK: Final = 5_000
# It asks for all the parameters of the mask, and lets everything through.
NO_MASK: Final = (
    "$status <> '' and len($scopes) > 0 and len($classes) > 0 "
    "and least($session_since, $project_since, $principle_since) < $now and {invariants}"
)
RULES: Final = """
invariants:
  - {name: quality, applies_to: ["*"], rule: claim.quality > 0.1}
  - {name: no_pii, applies_to: [session, project], rule: prompt.contains_pii == false}
  - {name: network, applies_to: ["*"], rule: '"prod" notin network.egress'}
"""


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    _ = parser.add_argument("--claims", type=int, default=100_000)
    _ = parser.add_argument("--queries", type=int, default=30)
    given = parser.parse_args()
    with Memory.open(":memory:", embedder="hashing", memory_limit="4GB") as memory:
        began = time.perf_counter()
        fill(memory, given.claims)
        print(f"{given.claims} claims written in {time.perf_counter() - began:.0f} s")
        report(memory, given.queries)


def fill(memory: Memory, count: int) -> None:
    """Write claims of every scope and class; a tenth of them past their time."""
    now = time.time()
    chance = random.Random(7)
    for start in range(0, count, CHUNK):
        rows: dict[int, Claim] = {}
        for number in range(start, min(start + CHUNK, count)):
            rows[number + 1] = made(number, chance, now)
        write(memory, rows, now)


def words_of(chance: random.Random, count: int) -> str:
    """Return words of which few are frequent and most are rare."""
    return " ".join(f"w{int(chance.paretovariate(0.6)) % WORDS}" for _ in range(count))


def made(number: int, chance: random.Random, now: float) -> Claim:
    """Return a claim of twelve words, some frequent and most rare."""
    age = 86_400 * (400 if chance.random() < 0.1 else chance.random() * 5)
    return Claim(
        id=ClaimId(f"clm_{number}"),
        text=f"{words_of(chance, 12)} n{number}",
        kind="fact",
        scope=chance.choice(SCOPES),
        boundary_class=chance.choice(CLASSES),
        quality=chance.random(),
        origin_observation_id=ObservationId("obs_1"),
        content_hash=f"sha256:{number:064x}",
        created_at=now - age,
        updated_at=now - age,
        recency_anchor=now - age,
    )


def write(memory: Memory, claims: dict[int, Claim], now: float) -> None:
    """Write claims, their terms and their vectors."""
    deps = memory.deps
    words = {row: terms(claim.text) for row, claim in claims.items()}
    rows = [
        new_row(one, words[one.row_id], embedded=0, policy_version="1.0.0", now=now)
        for one in standing(claims, {})
    ]
    texts = [claim.text for claim in claims.values()]

    def work() -> Result[None, CoreError]:
        return Result.do(
            None
            for vectors in deps.embedding.embed_batch(texts)
            for _ in claim_rows.insert(rows)(deps)
            for _ in search.insert_postings(words)(deps)
            for _ in deps.vector_index.write(list(zip(claims, vectors, strict=True)))
        )

    deps.db.transaction(work).unwrap()


@dataclass(frozen=True)
class Case:
    """Who asks, under which policy, and what stands in the place of the mask."""

    boundary: Boundary
    policy: Policy
    mask: str


def cases() -> dict[str, Case]:
    """Return what is measured, the search without a mask first."""
    plain = parse_policy(DEFAULT).unwrap()
    ruled = parse_policy(DEFAULT.replace("invariants: []\n", RULES)).unwrap()
    mask = statements.template("visible")
    everybody = Boundary(
        scope=SCOPES, allow=("answer:task", "tool:contact-lookup"), boundary_classes=CLASSES
    )
    narrow = Boundary(scope=("session",), allow=("answer:task",), boundary_classes=("internal",))
    allowed = everybody.model_copy(update={"context": {"network.egress": ("dev",)}})
    return {
        "none": Case(everybody, plain, NO_MASK),
        "all scopes and classes, ttl": Case(everybody, plain, mask),
        "one scope, one class, ttl": Case(narrow, plain, mask),
        "all, ttl and three invariants": Case(allowed, ruled, mask),
    }


def timed(memory: Memory, query: str, case: Case) -> float:
    """Return the CPU seconds of one search under a case."""
    with patch.object(statements, "template", lambda name: case.mask):  # noqa: ARG005
        began = time.process_time()
        found = select(Query(q=query), case.boundary, case.policy)(memory.deps)
        taken = time.process_time() - began
    _ = found.unwrap()
    return taken


def visible(memory: Memory, case: Case) -> int:
    """Return how many claims a case lets through."""
    with patch.object(statements, "template", lambda name: case.mask):  # noqa: ARG005
        seen = view(case.boundary, case.policy)(memory.deps).unwrap()
        return len(search.visible_rows(seen.visible)(memory.deps).unwrap())


def report(memory: Memory, queries: int) -> None:
    """Print the CPU time of a search under each mask, and its ratio to the search without one."""
    chance = random.Random(11)
    asked = [words_of(chance, 4) for _ in range(queries)]
    measured = cases()
    times: dict[str, list[float]] = {name: [] for name in measured}
    for query in asked:
        for name, case in measured.items():
            times[name].append(timed(memory, query, case))
    base = statistics.median(times["none"])
    print(f"{'mask':<32}{'visible':>9}{'median CPU ms':>15}{'ratio':>7}")
    for name, taken in times.items():
        middle = statistics.median(taken)
        count = visible(memory, measured[name])
        print(f"{name:<32}{count:>9}{middle * 1000:>15.1f}{middle / base:>7.2f}")


if __name__ == "__main__":
    main()

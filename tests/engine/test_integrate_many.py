"""`integrate_many`: what is refused is named and stops nothing; vectors that are brought along."""

from collections.abc import Sequence

import numpy as np
import pytest

from pce_memory import Claim, Memory, MemoryFault
from pce_memory.adapters import given as handing
from pce_memory.domain.ids import ClaimId, ObservationId
from pce_memory.engine import bulk
from tests.conftest import START, rows

SECRET = "the key is AKIAIOSFODNN7EXAMPLE"


def claim(number: int, text: str | None = None, **fields: object) -> Claim:
    made = Claim(
        id=ClaimId(f"clm_{number}"),
        text=text or f"The lamp number {number} stands in room {number * 7}.",
        kind="fact",
        scope="project",
        boundary_class="internal",
        origin_observation_id=ObservationId(f"obs_{number}"),
        created_at=START - 60.0,
        updated_at=START - 60.0,
    )
    return made.model_copy(update=fields)


def unit(count: int, dimension: int) -> np.ndarray:
    drawn = np.random.default_rng(3).standard_normal((count, dimension)).astype(np.float32)
    return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True))


def stored_vectors(memory: Memory) -> dict[str, Sequence[float]]:
    found = memory.deps.db.query("select id, embedding from vectors_1 join claims using (row_id)")
    return {row["id"]: row["embedding"] for row in found.unwrap()}


def test_faults_are_named_by_place_and_stop_nothing(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "BATCH", 4)
    told: list[int] = []
    given: list[object] = [
        claim(0),
        claim(1, SECRET),
        {"id": "clm_x"},
        claim(3, boundary_class="pii"),
        claim(4, " \t "),
        claim(0, "Another text under an id that is taken."),
        "a text",
        claim(7),
    ]
    done = memory.integrate_many(given, progress=told.append)  # type: ignore[arg-type]
    assert [(one.index, one.code) for one in done.failed] == [
        (1, "BOUNDARY_DENIED"),
        (2, "INVALID_PARAMETER"),
        (3, "BOUNDARY_DENIED"),
        (4, "INVALID_PARAMETER"),
        (5, "INVALID_PARAMETER"),
        (6, "INVALID_PARAMETER"),
    ]
    assert (done.created, rows(memory, "claims"), told) == (2, 2, [4, 8])
    assert not any("AKIA" in one.message for one in done.failed)
    denied = memory.audit(tool="integrate", decision="denied")
    assert len(denied) == 2


def test_an_id_that_comes_twice_is_told_from_the_first(memory: Memory) -> None:
    done = memory.integrate_many([claim(0), claim(1), claim(1, "Something else."), claim(2)])
    assert [one.index for one in done.failed] == [2]
    kept = memory.deps.db.query("select text from claims where id = 'clm_1'").unwrap()
    assert [row["text"] for row in kept] == [claim(1).text]


def test_vectors_that_are_given_are_those_that_are_kept(memory: Memory) -> None:
    dimension = memory.deps.embedding.dimension
    vectors = unit(40, dimension)
    done = memory.integrate_many(map(claim, range(40)), vectors=vectors)
    assert (done.created, done.failed) == (40, ())
    kept = stored_vectors(memory)
    assert all(np.array_equal(kept[f"clm_{n}"], vectors[n]) for n in range(40))


def test_without_vectors_the_embedder_is_asked(memory: Memory) -> None:
    _ = memory.integrate_many([claim(1), claim(2)])
    wanted = memory.deps.embedding.embed(claim(1).text).unwrap()
    assert np.allclose(stored_vectors(memory)["clm_1"], wanted)


@pytest.mark.parametrize("spoilt", [[1.0], None, "abc", [float("nan")] * 3, [[1.0]], [1e39, 0.0]])
def test_a_vector_that_is_none_is_the_fault_of_its_claim(memory: Memory, spoilt: object) -> None:
    vectors: list[object] = [*unit(3, memory.deps.embedding.dimension)]
    vectors[1] = spoilt
    done = memory.integrate_many([claim(n) for n in range(3)], vectors=vectors)  # type: ignore[arg-type]
    assert [(one.index, one.message.split(":")[0]) for one in done.failed] == [
        (1, "Invalid vector")
    ]
    assert done.created == 2


def test_vectors_of_another_length_or_scale_are_refused(memory: Memory) -> None:
    dimension = memory.deps.embedding.dimension
    for vectors in (unit(2, dimension + 1), 2 * unit(2, dimension)):
        done = memory.integrate_many([claim(0), claim(1)], vectors=vectors)
        assert [one.index for one in done.failed] == [0, 1]


def test_too_few_vectors_leave_claims_out_and_too_many_are_a_fault(memory: Memory) -> None:
    vectors = unit(3, memory.deps.embedding.dimension)
    done = memory.integrate_many([claim(n) for n in range(5)], vectors=vectors)
    assert [one.index for one in done.failed] == [3, 4]
    with pytest.raises(MemoryFault, match="more of them than claims"):
        _ = memory.integrate_many([claim(0)], vectors=vectors)


@pytest.mark.parametrize("given", ["text", 3, {"id": "clm_1"}, claim(1), None])
def test_what_is_not_several_claims_is_refused(memory: Memory, given: object) -> None:
    with pytest.raises(MemoryFault, match="Invalid claims"):
        _ = memory.integrate_many(given)  # type: ignore[arg-type]


def test_columns_are_the_same_with_and_without_arrow(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors = unit(20, memory.deps.embedding.dimension)
    monkeypatch.setattr(handing, "_pyarrow", lambda: None)
    _ = memory.integrate_many(map(claim, range(20)), vectors=vectors)
    plain = stored_vectors(memory)
    assert all(np.array_equal(plain[f"clm_{n}"], vectors[n]) for n in range(20))

"""A file of which somebody edited one value: every column of every table, by what is odd in it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from shutil import copy
from typing import Final, NamedTuple

import pytest
from hypothesis import settings

from pce_memory import Memory, MemoryFault
from tests.edited_files import (
    Ask,
    Edit,
    Known,
    answer,
    edits,
    filled,
    is_made,
    open_at,
    reading as asked,
    writing as written,
)

EVERY: Final = 311
"""Of the edits, so many are left out for each that is tried with the fast profile."""
PARTS: Final = 120
"""Each edit takes seconds: one part of them is tried, and all with the profile `long`."""
BORNE_OUT_BY_NOTHING: Final = frozenset(
    {
        ("reviews", "reviewer"),
        ("reviews", "note"),
        ("reviews", "reason"),
        ("reviews", "claim_id"),
        ("reviews", "policy_version"),
        ("policy_history", "approver"),
        ("policy_history", "seq"),
        ("policies", "approver"),
        ("policies", "bases"),
        ("audit", "who"),
        ("runs", "policy_version"),
        ("runs", "made_by"),
        ("runs", "lane_name"),
        ("runs", "query"),
        ("runs", "parent"),
        ("runs", "params"),
        ("runs", "history"),
        ("run_docs", "key"),
        ("run_docs", "score"),
        ("run_foreign", "metadata"),
        ("active_contexts", "provenance"),
        ("active_contexts", "span"),
        ("active_contexts", "policy_version"),
        ("active_context_items", "claim_id"),
        ("active_context_items", "score"),
        ("claims", "tags"),
        ("claims", "kind"),
        ("claims", "quality"),
        ("claims", "utility"),
        ("claims", "confidence"),
        ("claims", "said_by"),
        ("claims", "said_at"),
        ("claims", "saying"),
        ("claims", "stream"),
        ("claims", "marks"),
        ("claims", "origin_observation_id"),
        ("claims", "derived_from"),
        ("claims", "validated_under"),
        ("claims", "contains_pii"),
        ("claims", "contains_secret"),
        ("claims", "breaking_change"),
        ("claims", "superseded_by"),
        ("documents", "name"),
        ("documents", "contains_pii"),
        ("documents", "contains_secret"),
        ("documents", "breaking_change"),
        ("entities", "canonical_key"),
        ("entities", "name"),
        ("entities", "attrs"),
        ("claim_entities", "entity_id"),
        ("evidence", "observation_id"),
        ("evidence", "method"),
        ("evidence", "note"),
        ("evidence", "source_type"),
        ("evidence", "source_id"),
        ("evidence", "snippet"),
        ("evidence", "provenance"),
        ("observations", "actor"),
        ("observations", "content"),
        ("observations", "provenance"),
    }
)
"""Columns that may hold another sound value, and nothing in the file tells which was written."""


class Sample(NamedTuple):
    """A file, what its rows are called, and what was answered of it before it was edited."""

    path: Path
    known: Known
    answers: Mapping[str, str]


def said(questions: Iterator[tuple[str, Ask]]) -> dict[str, str]:
    return {name: answer(ask) for name, ask in questions}


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    path = tmp_path_factory.mktemp("edited") / "sample.duckdb"
    known = filled(path)
    before = copied(path, path.parent / "before.duckdb")
    with open_at(before) as memory:
        answers = said(asked(memory, known))
        assert kinds(memory, "lost") | kinds(memory, "repair") == set()
    return Sample(path, known, answers)


def copied(path: Path, to: Path) -> Path:
    """Copy a file; of what stands beside it only the note of commits goes with it."""
    _ = copy(path, to)
    for beside in path.parent.glob(f"{path.name}.*"):
        _ = copy(beside, to.parent / (to.name + beside.name.removeprefix(path.name)))
    return to


def kinds(memory: Memory, mend: str) -> set[str]:
    deep = memory.health(deep=True).deep
    assert deep is not None
    return {one.kind for one in deep.defects if one.mend == mend}


def check(sample: Sample, edit: Edit, path: Path) -> None:
    """Edit a copy; demand that nothing but our errors comes of it, that it is named, and mended."""
    if not is_made(copied(sample.path, path), edit):
        return
    try:
        memory = open_at(path)
    except MemoryFault:
        return  # what cannot be opened says so
    with memory:
        answers = said(asked(memory, sample.known))
        lost, wrong = kinds(memory, "lost"), kinds(memory, "repair")
        if (edit.table, edit.column) not in BORNE_OUT_BY_NOTHING:
            assert lost or wrong or answers == sample.answers
        _ = memory.repair(dry_run=True)
        _ = memory.repair(dry_run=False)
        assert kinds(memory, "repair") == set()
        _ = said(written(memory, sample.known))


def test_a_sample_of_edits_is_named_and_mended(sample: Sample, tmp_path: Path):
    every = edits(sample.path)
    assert len({(edit.table, edit.column) for edit in every}) > 200
    for edit in every[::EVERY]:
        check(sample, edit, tmp_path / "edited.duckdb")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS if settings().max_examples > 100 else 1))
def test_every_edit_is_named_and_mended(sample: Sample, tmp_path: Path, part: int):
    for edit in edits(sample.path)[part::PARTS]:
        check(sample, edit, tmp_path / "edited.duckdb")

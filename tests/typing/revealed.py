"""What the checkers must see: run by mypy only, never imported."""

from typing import assert_type

from returns.result import Result

from pce_memory import (
    ActivationResult,
    ClaimId,
    CoreError,
    Memory,
    ObserveResult,
    or_raise,
    parse_id,
)
from pce_memory.errors import InvalidId


def both_styles(memory: Memory) -> None:
    assert_type(memory.observe("text"), ObserveResult)
    assert_type(memory.results.observe("text"), Result[ObserveResult, CoreError])
    assert_type(memory.activate("query", top_k=3), ActivationResult)
    assert_type(or_raise(memory.results.activate("query")), ActivationResult)
    assert_type(Memory.open("a.duckdb"), Memory)
    assert_type(Memory.try_open("a.duckdb"), Result[Memory, CoreError])


def ids(text: str) -> None:
    assert_type(parse_id(ClaimId, text), Result[ClaimId, InvalidId])

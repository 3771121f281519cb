"""Whatever a host's clock, ids, dictionary, codes or backend raise has a name; nothing passes."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

from pce_memory.adapters.backends import GivenBackend
from pce_memory.adapters.sources import SafeDictionary, safe_clock, safe_ids, safe_normalizer
from pce_memory.errors import MemoryFault

SECRET_TEXT = "what it was given"


def ends(*_: object) -> Any:
    sys.exit(SECRET_TEXT)


def closes(*_: object) -> Any:
    raise GeneratorExit(SECRET_TEXT)


def fails(*_: object) -> Any:
    raise ValueError(SECRET_TEXT)


class Host:
    """Does the same whatever it is asked."""

    def __init__(self, does: Callable[..., Any]) -> None:
        self.find = self.fulltext_search = self.semantic_search = self.get_document = does


CALLS: dict[str, Callable[[Callable[..., Any]], object]] = {
    "clock": lambda does: safe_clock(does)(),
    "ids": lambda does: safe_ids(does)("clm_"),
    "codes": lambda does: safe_normalizer("ipc", does)("G06F"),
    "dictionary": lambda does: SafeDictionary("name", Host(does)).find("x"),
}


@pytest.mark.parametrize("does", [ends, closes, fails])
@pytest.mark.parametrize("name", CALLS)
def test_what_is_raised_becomes_an_error(name: str, does: Callable[..., Any]) -> None:
    with pytest.raises(MemoryFault) as fault:
        CALLS[name](does)
    assert SECRET_TEXT not in fault.value.error.message


@pytest.mark.parametrize("does", [ends, closes, fails])
def test_a_backend_that_raises_is_a_failure(does: Callable[..., Any]) -> None:
    backend = GivenBackend("patents", Host(does))
    for done in (
        backend.fulltext_search("x", (), 3),
        backend.semantic_search("x", "wide", 3),
        backend.get_document("x", ()),
    ):
        assert SECRET_TEXT not in done.failure().message


def test_an_interrupt_passes() -> None:
    def interrupted(*_: object) -> Any:
        raise KeyboardInterrupt

    for call in CALLS.values():
        with pytest.raises(KeyboardInterrupt):
            call(interrupted)


def test_what_ends_a_call_from_outside_passes() -> None:
    class Cancelled(BaseException):
        """As asyncio, trio and gevent end a call."""

    def cancelled(*_: object) -> Any:
        raise Cancelled

    for call in CALLS.values():
        with pytest.raises(Cancelled):
            call(cancelled)
    with pytest.raises(Cancelled):
        GivenBackend("patents", Host(cancelled)).fulltext_search("x", (), 3)

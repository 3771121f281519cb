"""A signal during a call of DuckDB: it is heard when the call has ended, and then as it came."""

import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from inspect import unwrap
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, Final, TypeAlias

End: TypeAlias = Callable[[], None]
Handler: TypeAlias = Callable[[int, FrameType | None], Any]

HELD: Final = tuple(
    int(getattr(signal, name))
    for name in ("SIGINT", "SIGTERM", "SIGALRM")
    if hasattr(signal, name)
)
"""Signals whose handlers, in Python, often raise: Ctrl-C, a polite end, a time that is up."""

# What `signal` puts around these two looks a name up for each handler, and fails at it: nine
# exceptions a statement, which take as long as a small statement itself.
_handler_of: Final = unwrap(signal.getsignal)
_handle: Final = unwrap(signal.signal)

_holding = False


def _nothing() -> None:
    """Let the call run to its end."""


@contextmanager
def interruptible(end: End = _nothing) -> Generator[None]:
    """Hold signals back until the block is left, and hand them to their handlers then.

    A handler runs wherever Python happens to be, and what it raises there the code of DuckDB that
    asks Python for something (a column to be converted, a package that may be there) can lose, or
    take for a fault of the statement. Of Ctrl-C as Python has it, `end` ends what runs in the
    block; a handler of the host's may mean something else, so it waits. Only the main thread hears
    signals.
    """
    global _holding  # noqa: PLW0603 - of the one thread that hears signals
    if _holding or current_thread() is not main_thread():
        yield
        return
    handlers = {one: given for one in HELD if callable(given := _handler_of(one))}
    came: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        came.append(number)
        if handlers[number] is signal.default_int_handler:
            end()

    try:
        _holding = True
        for one in handlers:
            _ = _handle(one, note)
        yield
    except BaseException as error:
        _restore(handlers)
        _hear(handlers, came, error)
        raise
    _restore(handlers)
    _hear(handlers, came, None)


def _restore(handlers: dict[int, Handler]) -> None:
    global _holding  # noqa: PLW0603
    _holding = False
    try:
        for one, handler in handlers.items():
            _ = _handle(one, handler)
    except BaseException:  # one that is there again has just raised: the rest all the same
        for one, handler in handlers.items():
            _ = _handle(one, handler)
        raise


def _hear(handlers: dict[int, Handler], came: list[int], error: BaseException | None) -> None:
    """Let the handlers hear what came, each signal once; what one raises comes of the error."""
    for number in dict.fromkeys(came):
        try:
            _ = handlers[number](number, None)
        except BaseException as raised:
            raise raised from error

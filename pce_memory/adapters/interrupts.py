"""Ctrl-C during a call of DuckDB: the call is ended, and then Ctrl-C is Ctrl-C."""

import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

End = Callable[[], None]


def _nothing() -> None:
    """Let the call run to its end."""


@contextmanager
def interruptible(end: End = _nothing) -> Generator[None]:
    """Hold Ctrl-C back until the block is left, and raise it then; `end` ends what runs in it.

    Python raises it wherever it happens to be, and the code of DuckDB that asks Python for
    something (a column to be converted, a package that may be there) can lose it, or take it for
    a fault of the statement. A handler of the host's own is left alone.
    """
    if not _is_ours():
        with _translated():
            yield
        return
    came = False

    def note(_number: int, _frame: FrameType | None) -> None:
        nonlocal came
        came = True
        end()

    _ = signal.signal(signal.SIGINT, note)
    try:
        yield
    except BaseException as error:
        if came:
            raise KeyboardInterrupt from error
        raise
    finally:
        _ = signal.signal(signal.SIGINT, signal.default_int_handler)
    if came:
        raise KeyboardInterrupt


def _is_ours() -> bool:
    """Return whether Ctrl-C would be raised as it comes: only the main thread may say how."""
    return (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )


@contextmanager
def _translated() -> Generator[None]:
    """DuckDB tells of an exception that a handler raised as a RuntimeError that it caused."""
    try:
        yield
    except RuntimeError as error:
        if isinstance(error.__cause__, KeyboardInterrupt):
            raise KeyboardInterrupt from error
        raise

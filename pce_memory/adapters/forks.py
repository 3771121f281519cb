"""What a child process does with the connections of the one that opened them."""

import ctypes
from collections.abc import Iterable


def never_destroyed(connections: Iterable[object]) -> None:
    """Keep the connections of a parent process from ever being destroyed in this one.

    Their destructors would wait for threads that a fork does not copy, and abort the child.
    """
    for connection in connections:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))

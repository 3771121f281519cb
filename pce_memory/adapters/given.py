"""Columns of numbers as a relation a statement can read: no row of them is ever bound."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from pce_memory.deps import Arrays

GIVEN: Final = "{given}"
"""What stands in a statement for the relation."""
_NAME: Final = "given_columns"
_MATRIX: Final = 2


class Connection(Protocol):
    """What is used of a connection."""

    def register(self, view_name: str, python_object: object) -> object:
        """Name a Python object as a relation."""
        ...

    def execute(self, query: str) -> object:
        """Run a statement."""
        ...

    def unregister(self, view_name: str) -> object:
        """Forget a name."""
        ...


def run_over(connection: Connection, sql: str, columns: Arrays) -> None:
    """Run a statement with its `{given}` written out, while the columns are there to read.

    A column is a numpy array of numbers; one of two dimensions, n x d, is a FLOAT[d] of each row.
    Arrow hands both over as they are. Without it a matrix goes as d columns: three times the work,
    and still a tenth of what binding costs.
    """
    table = _arrow(columns)
    selected = _NAME
    if table is None:
        table, selected = _plain(columns)
    _ = connection.register(_NAME, table)
    try:
        _ = connection.execute(sql.replace(GIVEN, selected))
    finally:
        _ = connection.unregister(_NAME)


def _plain(columns: Arrays) -> tuple[Mapping[str, npt.NDArray[Any]], str]:
    plain: dict[str, npt.NDArray[Any]] = {}
    names: list[str] = []
    for name, column in columns.items():
        if column.ndim == _MATRIX:
            parts = {f"{name}_{at}": column[:, at] for at in range(column.shape[1])}
            plain.update(parts)
            names.append(f"array_value({','.join(parts)}) as {name}")
        else:
            plain[name] = column
            names.append(name)
    return plain, f"(select {','.join(names)} from {_NAME})"  # noqa: S608 - names of our own


def _arrow(columns: Arrays) -> object:
    """Return the columns as an Arrow table; None where pyarrow is not installed."""
    pyarrow = _pyarrow()
    if pyarrow is None:
        return None
    made = {
        name: pyarrow.FixedSizeListArray.from_arrays(
            pyarrow.array(np.ascontiguousarray(column).ravel()), column.shape[1]
        )
        if column.ndim == _MATRIX
        else pyarrow.array(column)
        for name, column in columns.items()
    }
    return pyarrow.table(made)


@cache
def _pyarrow() -> Any:  # noqa: ANN401 - an optional package without types
    try:
        return import_module("pyarrow")
    except ImportError:
        return None

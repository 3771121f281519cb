"""What documents are handed over as: rows, columns, tables of Arrow, pandas or polars, or JSONL.

What comes out is one mapping, or one fault, for each document, in order; nothing is read before
it is asked for. A value that is None or NaN is not there.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeAlias, cast

from returns.result import Failure, Result, Success

from pce_memory.adapters.regular_file import Unopened, open_regular
from pce_memory.errors import InvalidParameter

Item: TypeAlias = Result[object, InvalidParameter]
"""What stands for one document, or why it cannot be read."""
Rows: TypeAlias = Iterator[Item]

AT_ONCE: Final = 1_000
"""So many rows of a table are turned into Python's objects at a time."""
LONGEST_LINE: Final = 64 * 1024 * 1024


def rows_of(items: object) -> Result[Rows, InvalidParameter]:
    """Return what stands for each document."""
    if isinstance(items, (str, Path)):
        return _lines(Path(items))
    if isinstance(items, Mapping):
        return _columns(cast("Mapping[str, object]", items))
    for name, read in _TABLES.items():
        # A Series of pandas has `iloc` too, and no columns.
        if hasattr(items, name) and (name != "iloc" or hasattr(items, "columns")):
            return Success(map(_row, read(items)))
    if isinstance(items, Iterable) and not isinstance(items, (bytes, bytearray)):
        return Success(map(_row, cast("Iterable[object]", items)))
    reason = f"it is a {type(items).__name__}; give rows, columns, a table or a path to JSONL"
    return Failure(InvalidParameter("items", reason))


def _row(item: object) -> Item:
    if isinstance(item, Mapping):
        return Success(_present(cast("Mapping[str, object]", item)))
    return Success(item)


def _present(row: Mapping[str, object]) -> Mapping[str, object]:
    """Return a row without the values that say that there is none."""
    return {name: value for name, value in row.items() if not _is_lacking(value)}


def _is_lacking(value: object) -> bool:
    # What pandas has for a missing value is none of Python's: NaT and NA tell by their names.
    if value is None or type(value).__name__ in {"NaTType", "NAType"}:
        return True
    return isinstance(value, float) and math.isnan(value)


def _columns(items: Mapping[str, object]) -> Result[Rows, InvalidParameter]:
    columns = {name: _column(value) for name, value in items.items()}
    wrong = next((name for name, column in columns.items() if column is None), None)
    if wrong is not None or not columns:
        reason = "a mapping has columns: give a list for every name; of one document, [document]"
        return Failure(InvalidParameter("items", reason))
    known = {name: column for name, column in columns.items() if column is not None}
    if len({len(column) for column in known.values()}) > 1:
        return Failure(InvalidParameter("items", "the columns are not of one length"))
    rows = (dict(zip(known, row, strict=True)) for row in zip(*known.values(), strict=True))
    return Success(map(_row, rows))


def _column(value: object) -> Sequence[object] | None:
    if hasattr(value, "tolist"):
        value = cast("Any", value).tolist()
    if isinstance(value, (list, tuple)):
        return cast("Sequence[object]", value)
    return None


def _of_arrow(table: Any) -> Iterator[object]:  # noqa: ANN401 - of packages without types
    for batch in table.to_batches(max_chunksize=AT_ONCE):
        yield from batch.to_pylist()


def _of_polars(table: Any) -> Iterator[object]:  # noqa: ANN401
    yield from table.iter_rows(named=True)


def _of_pandas(table: Any) -> Iterator[object]:  # noqa: ANN401
    for start in range(0, len(table), AT_ONCE):
        yield from table.iloc[start : start + AT_ONCE].to_dict("records")


_TABLES: Final = {"to_batches": _of_arrow, "iter_rows": _of_polars, "iloc": _of_pandas}


def _lines(path: Path) -> Result[Rows, InvalidParameter]:
    return open_regular(path).map(_of_lines).alt(lambda why: InvalidParameter("path", _why(why)))


def _why(fault: Unopened) -> str:
    if isinstance(fault, str):
        return fault
    if isinstance(fault, OSError):
        return f"it cannot be read ({fault.strerror or type(fault).__name__})"
    return "it is no path of a file"  # a NUL in it


def _of_lines(opened: BinaryIO) -> Rows:
    with opened:
        number = 0
        while line := opened.readline(LONGEST_LINE + 1):
            number += 1
            whole = len(line) <= LONGEST_LINE
            while len(line) > LONGEST_LINE and not line.endswith(b"\n"):
                line = opened.readline(LONGEST_LINE + 1)
            if not whole:
                yield _fault(number, "it is too long")
            elif line.strip(b"\xef\xbb\xbf \t\r\n"):
                yield _of_line(number, line)


def _of_line(number: int, line: bytes) -> Item:
    try:
        found: object = json.loads(line.decode("utf-8-sig"), parse_constant=_refuse)
    except UnicodeDecodeError:
        return _fault(number, "it is not UTF-8")
    except RecursionError:
        return _fault(number, "it is nested too deeply")
    except ValueError as error:
        place = getattr(error, "colno", None)
        return _fault(number, "it is no JSON" + (f" from character {place} on" if place else ""))
    if isinstance(found, dict):
        return Success(_present(cast("dict[str, object]", found)))
    return _fault(number, "it is no JSON object")


def _refuse(_: str) -> object:
    raise ValueError("NaN and Infinity are no JSON")


def _fault(number: int, reason: str) -> Failure[InvalidParameter]:
    return Failure(InvalidParameter(f"line {number}", reason))


def batches(rows: Rows, size: int) -> Iterator[list[tuple[int, Item]]]:
    """Yield items with their places, from 0, so many at a time."""
    numbered = enumerate(rows)
    while batch := list(islice(numbered, size)):
        yield batch

"""DuckDB tries to import pandas for every value it binds: where there is none, fail at once."""

import importlib.util
import sys
from importlib.machinery import ModuleSpec
from typing import Any


class _NoPandas:
    """Fails the import of pandas at once."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:  # noqa: ANN401, ARG004
        if name == "pandas":
            raise ModuleNotFoundError("No module named 'pandas'", name="pandas")
        return None


def fail_pandas_import_fast() -> None:
    """Let the import of pandas fail fast, if it would fail."""
    if "pandas" in sys.modules or _NoPandas in sys.meta_path:
        return
    if importlib.util.find_spec("pandas") is None:
        sys.meta_path.insert(0, _NoPandas)

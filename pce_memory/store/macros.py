"""The macros and views of sql/macros: code, not schema, applied again when they changed."""

import hashlib
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.deps import Database
from pce_memory.errors import SchemaDrift, StoreError
from pce_memory.resources import resource
from pce_memory.store import meta

KEY: Final = "macros_sha256"


def shipped_macros() -> tuple[str, str]:
    """Return the macro scripts as one, and their SHA-256."""
    folder = resource("sql") / "macros"
    files = sorted(folder.iterdir(), key=lambda file: file.name)
    script = "\n".join(file.read_text("utf-8") for file in files if file.name.endswith(".sql"))
    script = script.replace("\r\n", "\n")
    return script, hashlib.sha256(script.encode()).hexdigest()


def apply_macros(db: Database) -> Result[None, StoreError]:
    """Create or replace the macros, unless the file has these already."""
    script, digest = shipped_macros()

    def work() -> Result[None, StoreError]:
        return Result.do(
            None for _ in db.execute(f"-- macros\n{script}") for _ in meta.put(db, KEY, digest)
        )

    if meta.get(db, KEY) == Success(digest):
        return Success(None)
    return db.transaction(work)


def check_macros(db: Database) -> Result[None, SchemaDrift | StoreError]:
    """Return a failure unless the file has this version's macros."""
    _, digest = shipped_macros()
    return Result.do(None for stored in meta.get(db, KEY) for _ in _same(stored, digest))


def _same(stored: str | None, digest: str) -> Result[None, SchemaDrift]:
    if stored == digest:
        return Success(None)
    return Failure(SchemaDrift(0, "its macros are another version's; open it once for writing"))

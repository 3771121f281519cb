"""The meta table: small facts about the file itself, and its secret key."""

import hashlib
import hmac
import re
import secrets
from functools import partial
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import Database, Digest
from pce_memory.errors import StoreError
from pce_memory.store.statements import statements

SQL: Final = statements("meta")
_HMAC_KEY: Final = "digest_key"
_KEY: Final = re.compile("[0-9a-f]{64}")


def get(db: Database, key: str) -> Result[str | None, StoreError]:
    """Return the value of a key, or None."""
    return db.query(SQL["get_meta"], {"key": key}).map(
        lambda rows: str(rows[0]["value"]) if rows else None
    )


def put(db: Database, key: str, value: str) -> Result[None, StoreError]:
    """Set the value of a key."""
    return db.execute(SQL["put_meta"], {"key": key, "value": value})


def drop(db: Database, key: str) -> Result[None, StoreError]:
    """Forget a key."""
    return db.execute(SQL["drop_meta"], {"key": key})


def ensure_digest_key(db: Database) -> Result[None, StoreError]:
    """Give a file its random key: a new one, and one whose key is none any more."""
    return Result.do(
        None
        for stored in get(db, _HMAC_KEY)
        for _ in (Success(None) if _is_key(stored) else put(db, _HMAC_KEY, secrets.token_hex(32)))
    )


def file_digest(db: Database) -> Result[Digest, StoreError]:
    """Return the digest under the file's key, which never changes."""
    return get(db, _HMAC_KEY).map(
        lambda key: partial(keyed_digest, key if key is not None and _is_key(key) else "")
    )


def _is_key(stored: str | None) -> bool:
    return stored is not None and _KEY.fullmatch(stored) is not None


def keyed_digest(key: str, text: str) -> str:
    """Return the HMAC-SHA-256 of `text` under a hex key, as `hmac-sha256:` and 64 hex digits."""
    code = hmac.new(bytes.fromhex(key), text.encode("utf-8", "surrogatepass"), hashlib.sha256)
    return f"hmac-sha256:{code.hexdigest()}"

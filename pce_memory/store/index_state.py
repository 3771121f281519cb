"""What the index of a file was made by: the tokenizers, and the rules of redaction."""

import json
from dataclasses import dataclass, replace
from typing import Final

from returns.result import Result, Success

from pce_memory.deps import Database
from pce_memory.errors import StoreError
from pce_memory.store import meta
from pce_memory.store.fitting import list_in
from pce_memory.text.tokens import TOKENIZER_ID

_TOKENIZERS: Final = "index_tokenizers"
_REDACTIONS: Final = "index_redactions"
_OF_BEFORE: Final = "documents_of_before"


@dataclass(frozen=True, slots=True)
class IndexState:
    """By which tokenizers, and under which rules of redaction, claims may have been indexed.

    Of a file that an earlier version wrote neither is known.
    """

    tokenizers: tuple[str, ...] = ()
    redactions: tuple[str, ...] = ()

    @property
    def tokenizer(self) -> str:
        """Name the tokenizers as people read it."""
        return " and ".join(self.tokenizers) or "an earlier version"

    def older(self, given: str) -> bool:
        """Return whether the tokenizer given is ours, and the index an earlier version's of it.

        >>> IndexState(("cjk-bigram-porter-v1",)).older(TOKENIZER_ID)
        True
        """
        ours = TOKENIZER_ID.rstrip("0123456789")
        return given == TOKENIZER_ID and all(
            one != given and one.removeprefix(ours).isdecimal() for one in self.tokenizers
        )


def get(db: Database) -> Result[IndexState, StoreError]:
    """Return what the index of a file was made by."""
    return Result.do(
        IndexState(_names(tokenizers), _names(redactions))
        for tokenizers in meta.get(db, _TOKENIZERS)
        for redactions in meta.get(db, _REDACTIONS)
    )


def put(db: Database, state: IndexState) -> Result[None, StoreError]:
    """Write what the index of a file was made by."""
    return Result.do(
        None
        for _ in meta.put(db, _TOKENIZERS, json.dumps(state.tokenizers))
        for _ in meta.put(db, _REDACTIONS, json.dumps(state.redactions))
    )


def also(
    db: Database, *, tokenizer: str | None = None, redaction: str | None = None
) -> Result[None, StoreError]:
    """Remember that claims may be indexed in another way too from now on."""

    def joined(state: IndexState) -> IndexState:
        return replace(
            state,
            tokenizers=_with(state.tokenizers, tokenizer),
            redactions=_with(state.redactions, redaction),
        )

    return Result.do(
        None
        for state in get(db)
        for _ in (Success(None) if joined(state) == state else put(db, joined(state)))
    )


def documents_of_before(db: Database) -> Result[bool, StoreError]:
    """Return whether an earlier version indexed documents: by what it did not show, it may be."""
    return meta.get(db, _OF_BEFORE).map(lambda said: said is not None)


def documents_of_now(db: Database) -> Result[None, StoreError]:
    """Say that every document is indexed as this version does."""
    return meta.drop(db, _OF_BEFORE)


def _with(names: tuple[str, ...], one: str | None) -> tuple[str, ...]:
    return names if one is None or one in names else (*names, one)


def _names(said: str | None) -> tuple[str, ...]:
    # What cannot be read is as good as not known: `reindex` writes it anew.
    return () if said is None else tuple(map(str, list_in(said)))

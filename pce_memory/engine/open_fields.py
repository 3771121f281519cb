"""The keyword arguments by which a memory is opened."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypedDict

from pce_memory.deps import Clock, EmbeddingProvider, Ids, QualityJudge, Reranker, Tokenizer
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.dictionary import Dictionary


class OpenFields(TypedDict, total=False):
    """How to open a memory.

    read_only: look, and change nothing. embedder: its name, or an object; use-multilingual.
    tokenizer: its name, or an object; ngram. reranker: a name, an object or a function; none.
    judge: an object or a function that says how good a claim is, 0 to 100 or None; none.
    policy: the name of a packaged one, YAML text, or the path of a file to put in force.
    boundary: what calls work under that give none. memory_limit: what DuckDB may use; "1GB".
    threads: how many of DuckDB work on one statement; 1. More help large files only.
    mirror_memory: what may be held in memory beside it to search fast; "1GB", 0 for nothing.
    allow_reembed: open a file of another embedding model, to run `reembed` on it.
    allow_reindex: open a file that another tokenizer indexed, to run `reindex` on it.
    clock: returns now in UTC epoch seconds. ids: returns a new id for a prefix.
    timezone: whose days a query means by "yesterday", such as Asia/Tokyo; UTC.
    dictionaries: what finds names and addresses, by kind; needed where the policy redacts them.
    expansions: files of words that stand for each other, above the packaged ones.
    code_normalizers: what writes the codes of a taxonomy as they are compared, by its name.
    """

    read_only: bool
    embedder: str | EmbeddingProvider
    tokenizer: str | Tokenizer
    reranker: str | Reranker | Callable[[str, list[str]], object] | None
    judge: QualityJudge | Callable[[AnyClaim], object] | None
    policy: str | Path | None
    boundary: Boundary | None
    allow_reembed: bool
    allow_reindex: bool
    memory_limit: str
    mirror_memory: str | int
    threads: int
    clock: Clock
    timezone: str
    ids: Ids
    dictionaries: Mapping[str, Dictionary]
    expansions: Sequence[str | Path]
    code_normalizers: Mapping[str, Callable[[str], str]]

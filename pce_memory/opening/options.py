"""How a memory is to be opened: every option checked before a file is touched."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from difflib import get_close_matches
from pathlib import Path
from typing import Final, NamedTuple, TypedDict, cast

from returns.result import Failure, Result, Success

from pce_memory.adapters.expansions import MOST_FILES, Expansions, expansions_of
from pce_memory.adapters.sources import SafeDictionary, safe_clock, safe_ids, safe_normalizer
from pce_memory.adapters.tokenizers.naming import DEFAULT as TOKENIZER
from pce_memory.deps import Clock, EmbeddingProvider, Ids, Tokenizer
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.dictionary import DICTIONARY_KINDS, Dictionary
from pce_memory.engine.ready import as_boundary, default_boundary
from pce_memory.errors import InvalidParameter, InvalidPolicy
from pce_memory.opening.policies import PolicyText, policy_text
from pce_memory.opening.zones import zone_of
from pce_memory.text.codes import DEFAULTS, Normalizer

IN_RAM: Final = ":memory:"
MAX_THREADS: Final = 256
_SIZE: Final = re.compile(
    r"(?P<number>[1-9][0-9]{0,8}(?:\.[0-9]{1,3})?) ?(?P<unit>[KMGT]i?B)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Options:
    """How to open a memory; `policy` is the text to put in force and what faults call it."""

    path: str
    read_only: bool
    embedder: str | EmbeddingProvider
    tokenizer: str | Tokenizer
    reranker: object
    judge: object
    policy: PolicyText | None
    boundary: Boundary
    allow_reembed: bool
    allow_reindex: bool
    memory_limit: str
    mirror_memory: int
    threads: int
    clock: Clock
    timezone: tzinfo
    ids: Ids
    dictionaries: Mapping[str, Dictionary]
    expansions: Expansions
    code_normalizers: Mapping[str, Normalizer]


NAMES: Final = tuple(sorted(Options.__dataclass_fields__.keys() - {"path"}))


def options_of(
    path: object, how: Mapping[str, object]
) -> Result[Options, InvalidParameter | InvalidPolicy]:
    """Return the options, or what is wrong with the first that is wrong."""
    return Result.do(
        Options(
            path=place,
            embedder=cast("str | EmbeddingProvider", how["embedder"]),
            tokenizer=cast("str | Tokenizer", how.get("tokenizer", TOKENIZER)),
            reranker=how.get("reranker"),
            judge=how.get("judge"),
            policy=policy,
            boundary=boundary,
            **flags,
            memory_limit=room.memory_limit,
            mirror_memory=room.mirror_memory,
            threads=room.threads,
            **sources,
            dictionaries=hosts.dictionaries,
            code_normalizers=hosts.normalizers,
            expansions=hosts.expansions,
        )
        for _ in _known(how)
        for place in _path(path)
        for flags in _flags(how, place)
        for boundary in as_boundary(how.get("boundary"), default_boundary())
        for room in _room(how)
        for sources in _sources(how)
        for hosts in _hosts(how)
        for policy in policy_text(how.get("policy"))
    )


def _invalid(name: str, reason: str) -> Failure[InvalidParameter]:
    return Failure(InvalidParameter(name, reason))


def _known(how: Mapping[str, object]) -> Result[None, InvalidParameter]:
    unknown = sorted(how.keys() - set(NAMES))
    if not unknown:
        return Success(None)
    near = get_close_matches(unknown[0], NAMES, n=1)
    hint = f"did you mean {near[0]}?" if near else f"the options are {', '.join(NAMES)}"
    return _invalid("option", f"there is none of that name; {hint}")


def _path(path: object) -> Result[str, InvalidParameter]:
    if isinstance(path, str):
        return Success(path)
    if isinstance(path, Path):
        return Success(str(path))
    reason = f"it is a {type(path).__name__}; give a string or a Path, or :memory:"
    return _invalid("path", reason)


class _Flags(TypedDict):
    read_only: bool
    allow_reembed: bool
    allow_reindex: bool


def _flags(how: Mapping[str, object], place: str) -> Result[_Flags, InvalidParameter]:
    return Result.do(
        _Flags(read_only=read_only, allow_reembed=allow_reembed, allow_reindex=allow_reindex)
        for read_only in _flag("read_only", how.get("read_only", False), place)
        for allow_reembed in _flag("allow_reembed", how.get("allow_reembed", False), place)
        for allow_reindex in _flag("allow_reindex", how.get("allow_reindex", False), place)
    )


def _flag(name: str, value: object, place: str) -> Result[bool, InvalidParameter]:
    if not isinstance(value, bool):
        return _invalid(name, f"it is a {type(value).__name__}; give True or False")
    if name == "read_only" and value and place == IN_RAM:
        return _invalid(name, "a memory in RAM is new: there is nothing to read in it")
    return Success(value)


class _Room(NamedTuple):
    """What of the machine may be used."""

    memory_limit: str
    mirror_memory: int
    threads: int


def _room(how: Mapping[str, object]) -> Result[_Room, InvalidParameter]:
    return Result.do(
        _Room(memory_limit, mirror_memory, threads)
        for memory_limit in _memory_limit(how.get("memory_limit", "1GB"))
        for mirror_memory in _mirror_memory(how.get("mirror_memory", "1GB"))
        for threads in _threads(how.get("threads", 1))
    )


def _memory_limit(value: object) -> Result[str, InvalidParameter]:
    if isinstance(value, str) and _SIZE.fullmatch(value.strip()):
        return Success(value.strip())
    return _invalid("memory_limit", "give a size such as 512MB or 1GB")


def _mirror_memory(value: object) -> Result[int, InvalidParameter]:
    """Return a size in bytes; 0 is no mirror.

    >>> _mirror_memory("512MB"), _mirror_memory(0), _mirror_memory("0")
    (<Success: 512000000>, <Success: 0>, <Success: 0>)
    """
    if isinstance(value, str):
        value = 0 if value.strip() == "0" else value
    if value == 0 and not isinstance(value, bool):
        return Success(0)
    found = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None:
        return _invalid("mirror_memory", "give a size such as 512MB or 1GB, or 0 for none")
    unit = found["unit"].upper()
    base = 1024 if "I" in unit else 1000
    return Success(int(float(found["number"]) * base ** (1 + "KMGT".index(unit[0]))))


def _threads(value: object) -> Result[int, InvalidParameter]:
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MAX_THREADS:
        return Success(value)
    return _invalid("threads", f"give a whole number from 1 to {MAX_THREADS}")


class _Sources(TypedDict):
    clock: Clock
    timezone: tzinfo
    ids: Ids


def _sources(how: Mapping[str, object]) -> Result[_Sources, InvalidParameter]:
    return Result.do(
        _Sources(clock=safe_clock(clock), timezone=timezone, ids=safe_ids(ids))
        for clock in _callable("clock", how["clock"])
        for timezone in zone_of(how.get("timezone", "UTC"))
        for ids in _callable("ids", how["ids"])
    )


def _callable(name: str, value: object) -> Result[Callable[..., object], InvalidParameter]:
    if callable(value):
        return Success(value)
    return _invalid(name, f"it is a {type(value).__name__}; give something that can be called")


class _Hosts(NamedTuple):
    """What a host brings that reads texts and codes."""

    dictionaries: Mapping[str, Dictionary]
    normalizers: Mapping[str, Normalizer]
    expansions: Expansions


def _hosts(how: Mapping[str, object]) -> Result[_Hosts, InvalidParameter]:
    return Result.do(
        _Hosts(dictionaries, normalizers, expansions)
        for dictionaries in _dictionaries(how.get("dictionaries"))
        for normalizers in _normalizers(how.get("code_normalizers"))
        for expansions in _expansions(how.get("expansions"))
    )


def _dictionaries(given: object) -> Result[Mapping[str, Dictionary], InvalidParameter]:
    if given is None:
        return Success({})
    kinds = ", ".join(sorted(DICTIONARY_KINDS))
    if not isinstance(given, Mapping):
        reason = f"it is a {type(given).__name__}; give a mapping of {kinds} to objects"
        return _invalid("dictionaries", reason)
    named = cast("Mapping[object, Dictionary]", given)
    if set(named) - DICTIONARY_KINDS:
        return _invalid("dictionaries", f"there is no such kind; the kinds are {kinds}")
    if not all(callable(getattr(one, "find", None)) for one in named.values()):
        return _invalid("dictionaries", "give objects with a method find(text)")
    return Success({str(kind): SafeDictionary(str(kind), one) for kind, one in named.items()})


def _expansions(given: object) -> Result[Expansions, InvalidParameter]:
    """Return the words of files; they are read now, so that every fault is told at opening."""
    listed = () if given is None else given
    if isinstance(listed, str) or not isinstance(listed, Sequence):
        return _invalid("expansions", f"it is a {type(given).__name__}; give a list of paths")
    paths = cast("Sequence[object]", listed)
    if len(paths) > MOST_FILES:
        return _invalid("expansions", f"there are {len(paths)}; give at most {MOST_FILES} files")
    wrong = [one for one in paths if not isinstance(one, (str, Path))]
    if wrong:
        return _invalid("expansions", f"it holds a {type(wrong[0]).__name__}; give paths of files")
    return expansions_of(cast("Sequence[str | Path]", paths)).alt(
        lambda why: InvalidParameter("expansions", why)
    )


def _normalizers(given: object) -> Result[Mapping[str, Normalizer], InvalidParameter]:
    """Return how codes are compared, by taxonomy: as a host says, else as we do."""
    if given is None:
        return Success(DEFAULTS)
    if not isinstance(given, Mapping):
        reason = f"it is a {type(given).__name__}; give a mapping of taxonomies to functions"
        return _invalid("code_normalizers", reason)
    named = cast("Mapping[object, Callable[[str], object]]", given)
    if not all(isinstance(name, str) and callable(one) for name, one in named.items()):
        return _invalid("code_normalizers", "give a function for each taxonomy's name")
    safe = {str(name): safe_normalizer(str(name), one) for name, one in named.items()}
    return Success({**DEFAULTS, **safe})

"""What `extends` may name: a packaged policy, or a file beside the one that says it."""

import posixpath
import re
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from returns.result import Failure, Result, Success

from pce_memory.policy.wording import suggestion
from pce_memory.resources import resource

PACKAGED: Final = ("default", "dev", "team", "org")
MAX_BASES: Final = 8

_KEYS: Final = {f"<{name}>" for name in PACKAGED}

Find: TypeAlias = Callable[[str], Result[str, str]]
"""Returns the text of a base by its key, or why there is none."""

_DRIVE: Final = re.compile(r"[A-Za-z]:")


def key_of(extends: str, said_in: str) -> Result[str, str]:
    """Return the key of a base: `<name>` of a packaged one, else its path.

    A path is relative to the file that says it, and the key to the folder of the first file, which
    it may not leave. `said_in` is the key of the file that says it.

    >>> key_of("default", "mine.yaml"), key_of("../base.yaml", "teams/mine.yaml")
    (<Success: <default>>, <Success: base.yaml>)
    """
    reason = next((reason for wrong, reason in _WRONG if wrong(extends)), None)
    key = posixpath.normpath(posixpath.join(posixpath.dirname(said_in), extends))
    if extends in PACKAGED:
        return Success(f"<{extends}>")
    if is_packaged(said_in):
        reason = "a packaged policy extends packaged ones only"
    elif not reason and not extends.endswith((".yaml", ".yml")):
        near = suggestion(extends, list(PACKAGED))
        known = near or "; name default, dev, team, org or a file such as ./base.yaml"
        reason = f"no packaged policy has this name{known}"
    elif not reason and key.startswith("../"):
        reason = "the path leads out of the folder of the first file"
    return Failure(reason) if reason else Success(key)


_WRONG: Final[tuple[tuple[Callable[[str], object], str], ...]] = (
    (lambda path: "://" in path, "a policy is not fetched; name a packaged one or a file"),
    (
        lambda path: path.startswith(("/", "~")) or _DRIVE.match(path),
        "the path begins at this file's folder, such as ./base.yaml",
    ),
    (lambda path: "\\" in path, "a path is written with /, such as ./base.yaml"),
)


def is_packaged(key: str) -> bool:
    """Return whether a key is that of a packaged policy."""
    return key in _KEYS


def packaged_text(name: str) -> str:
    """Return the text of a packaged policy."""
    return (resource("policies") / f"{name}.yaml").read_text("utf-8")


def packaged_only(key: str) -> Result[str, str]:
    """Return the text of a packaged policy; files are not looked for."""
    if is_packaged(key):
        return Success(packaged_text(key[1:-1]))
    return Failure("a file is found only where the policy itself is read from a file")


def kept_only(bases: Mapping[str, str]) -> Find:
    """Return how bases are found among texts that were kept, and nowhere else."""
    missing = Failure("it was not kept with the policy")
    return lambda key: Success(bases[key]) if key in bases else missing


def kept_or_packaged(bases: Mapping[str, str]) -> Find:
    """Return how bases are found among texts that are given, or else packaged."""
    return lambda key: Success(bases[key]) if key in bases else packaged_only(key)

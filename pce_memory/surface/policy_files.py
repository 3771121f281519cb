"""Policies by what a command line calls them: a packaged name, a file, or - for standard input."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.adapters.policy_files import beside
from pce_memory.adapters.regular_file import Unopened, read_regular
from pce_memory.policy.bases import PACKAGED, Find, packaged_only, packaged_text
from pce_memory.policy.document import MAX_BYTES
from pce_memory.policy.faults import LINE_END, Located, Where, path_of
from pce_memory.policy.lint import Checked, check
from pce_memory.policy.source import Reading, read_policy
from pce_memory.result import fold

STDIN: Final = "-"
STDIN_NAME: Final = "<stdin>"

UNREADABLE: Final = "unreadable"
"""The code of the error that a file cannot be read."""

_HALF: Final = range(0xDC80, 0xDD00)
"""What Python reads a byte as that is no UTF-8."""


@dataclass(frozen=True, slots=True)
class PolicyFile:
    """A policy that was asked for: what was read of it, if anything, and all there is to say."""

    name: str
    reading: Reading | None
    checked: Checked

    @property
    def findings(self) -> tuple[Located, ...]:
        """Every error and warning, by place."""
        return self.checked.findings


def checked_files(paths: Iterable[str]) -> list[PolicyFile]:
    """Return each policy once, read and checked; one that cannot be read has that as its error."""
    return [_checked(path) for path in dict.fromkeys(paths)]


def _checked(path: str) -> PolicyFile:
    find = packaged_only if path in {STDIN, *PACKAGED} else beside(path)
    return fold(
        text_of(path),
        ok=lambda found: _read(*found, find),
        err=lambda fault: PolicyFile(fault.where.file, None, Checked((fault,))),
    )


def _read(text: str, name: str, find: Find) -> PolicyFile:
    reading = read_policy(text, name, find=find)
    return PolicyFile(name, reading, check(reading))


def text_of(path: str) -> Result[tuple[str, str], Located]:
    """Return a policy's text and its name in faults, or why it cannot be read, with a place."""
    if path in PACKAGED:
        return Success((packaged_text(path), f"{path}.yaml"))
    name = STDIN_NAME if path == STDIN else path
    return Result.do((text, name) for raw in _raw(path, name) for text in _decoded(raw, name))


def _raw(path: str, name: str) -> Result[bytes, Located]:
    """Return the bytes of a file, as far as a policy may reach, and one more."""
    if path == STDIN:
        return _standard_input(name)
    read = read_regular(path, most=MAX_BYTES + 1)
    return fold(read, ok=Success, err=lambda fault: _unreadable(name, _why(fault)))


def _standard_input(name: str) -> Result[bytes, Located]:
    try:
        return Success(sys.stdin.buffer.read(MAX_BYTES + 1))
    except (OSError, ValueError) as error:
        return _unreadable(name, _why(error))


def _why(fault: Unopened) -> str:
    if isinstance(fault, str):
        return f"{fault}; name a file, or - for the standard input"
    if isinstance(fault, FileNotFoundError):
        return f"there is no such file, and it is none of {', '.join(PACKAGED)}"
    return f"it cannot be read ({type(fault).__name__})"


def _decoded(raw: bytes, name: str) -> Result[str, Located]:
    if len(raw) > MAX_BYTES:
        return _unreadable(name, f"a policy has at most {MAX_BYTES // 1024} KiB")
    text = raw.decode("utf-8", "surrogateescape")
    at = next((place for place, char in enumerate(text) if ord(char) in _HALF), None)
    if at is None:
        return Success(text)
    ends = [0, *(found.end() for found in LINE_END.finditer(text, 0, at))]
    where = Where(name, len(ends), at - ends[-1] + 1)
    reason = f"the byte 0x{ord(text[at]) - 0xDC00:02x} is not UTF-8; save the file as UTF-8"
    return _unreadable(name, reason, where)


def _unreadable(name: str, reason: str, where: Where | None = None) -> Failure[Located]:
    return Failure(Located(where or Where(name, 1, 1), path_of(()), reason, "error", UNREADABLE))

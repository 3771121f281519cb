"""Find secrets by the file or command they stand in: manifests of Kubernetes, .netrc, curl."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from pce_memory.text.fold import Span
from pce_memory.text.placeholders import stands_for_a_value
from pce_memory.text.randomness import surprises

_KIND: Final = re.compile(
    r"""(?i)(?<![\w])["']?kind["']?[ \t]*:[ \t]*["']?secret["']?[ \t]*(?=[\r\n,}]|$)"""
)
_DOCUMENT: Final = re.compile(r"(?m)^---[ \t]*$")
_DATA: Final = re.compile(
    r"""(?m)^(?P<indent>[ \t]*)["']?(?P<key>data|stringData)["']?[ \t]*:[ \t]*\{?[ \t]*\r?$"""
)
_INLINE: Final = re.compile(r"""["'](?:data|stringData)["']\s?:\s?\{(?P<body>[^{}]{1,65536})\}""")
_PAIR: Final = re.compile(
    r"""["'][\w.-]{1,128}["']\s{0,4}:\s{0,4}["'](?P<value>[^"'\n]{8,65536})["']"""
)
_ENTRY: Final = re.compile(
    r"""[ \t]*["']?[\w.-]{1,128}["']?[ \t]*:[ \t]*(?P<block>[|>][+-]?[0-9]?[ \t]*$)?"""
    r"""["']?(?P<value>[^\s"'#|>][^\n"'#]*?)?["']?,?[ \t]*(?:\#.*)?$"""
)
_BASE64: Final = re.compile(r"[A-Za-z0-9+/]{10,}={0,3}")
_LEAST: Final = 8

_NETRC: Final = re.compile(
    r"(?:machine\s{1,4}\S{1,253}|default)\s{1,8}(?:(?:login|account)\s{1,4}\S{1,128}\s{1,8}){0,2}"
    r"password\s{1,4}(?P<value>\S{3,512})"
)
# What curl and its like log in with, in one line or in a command that goes on over some.
_CURL: Final = re.compile(r"(?<![\w./-])(?:curl|wget|http|https|httpie|xh)\b(?=[ \t\\])")
_USER: Final = re.compile(
    r"(?:\s-u|\s-[a-zA-Z]{0,6}u(?=[ \t])|\s--(?:proxy-)?user|\s-a|\s--auth)"
    r"(?:=|[ \t]{0,8}\\?\r?\n?[ \t]{0,8})(?P<open>[\"']?)(?P<user>[^\s:\"']{0,128}[\"']?)"
    r":[\"']?(?P<password>[^\s\"']{0,512})(?=[\"']|\s|$)"
)
_COMMAND: Final = 2000
_SHORTEST: Final = 3
_PLAIN: Final = frozenset(
    re.findall(r"\S+", "pass password pwd test token secret user username admin passwd")
)
# What docker, npm and the like keep: a name and password in base 64.
_LOGIN: Final = re.compile(
    r"""["']?(?:auth|_auth|identitytoken|_password)["']?\s{0,3}[:=]\s{0,3}["']?(?P<value>[A-Za-z0-9+/]{12,4096}={0,2})(?![\w+/])"""
)
# Who gems are fetched as, for a host whose dots are two underscores.
_BUNDLER: Final = re.compile(
    r"BUNDLE_[A-Z0-9_]{2,64}__[A-Z0-9_]{2,32}[\"']?\s?[:=]\s?[\"']?(?P<value>[^\s\"':$<>{}]{3,128}:[^\s\"'$<>{}]{3,128})"
)
# Whoever knows such an address may post there.
_WEBHOOK: Final = re.compile(
    r"https://[^\s\"'<>()「」、。]{0,128}hook[^\s\"'<>()「」、。]{16,1024}"
)
_HOOK: Final = 6
_ADDRESS: Final = re.compile(r"https?://(?P<value>[A-Za-z0-9_-]{16,256})@(?=[\w[])")
_DRAWN: Final = 3
# A connection that is told by fields: Server=…;Password=…
_FIELD: Final = re.compile(
    r"(?i)(?:^|[;\"'\s])(?:pwd|password)\s?=\s?(?P<value>[^;\"'\s<>]{4,256})(?=[;\"'])"
)


def secrets_of_files(text: str) -> Iterator[Span]:
    r"""Find what such files and commands hold.

    >>> text = "kind: Secret\ndata:\n  key: bXlwYXNzd29yZA==\n"
    >>> [text[a:b] for a, b in secrets_of_files(text)]
    ['bXlwYXNzd29yZA==']
    >>> text = "curl -u me:h0pk1ns https://x.example"
    >>> [text[a:b] for a, b in secrets_of_files(text)]
    ['h0pk1ns']
    """
    if "ecret" in text or "SECRET" in text:
        yield from _manifests(text)
    if "password" in text and ("machine" in text or "default" in text):
        yield from _values(_NETRC, text)
    if "auth" in text or "_password" in text or "identitytoken" in text:
        yield from _logins(text)
    if ";" in text and ("=" in text):
        yield from _fields(text)
    if "BUNDLE_" in text:
        yield from _values(_BUNDLER, text)
    if "hook" in text and "https://" in text:
        yield from _webhooks(text)
    if "://" in text and "@" in text:
        yield from _addresses(text)
    yield from _users(text)


def _addresses(text: str) -> Iterator[Span]:
    """Find what was drawn before the host of an address: a token in the place of a user."""
    for found in _ADDRESS.finditer(text):
        if surprises(found["value"]) >= _DRAWN:
            yield found.span("value")


def _webhooks(text: str) -> Iterator[Span]:
    for found in _WEBHOOK.finditer(text):
        if max(map(surprises, found.group().split("/"))) >= _HOOK:
            yield found.start(), found.start() + len(found.group().rstrip(".,;:"))


def _values(pattern: re.Pattern[str], text: str) -> Iterator[Span]:
    for found in pattern.finditer(text):
        if not stands_for_a_value(found["value"]):
            yield found.span("value")


def _logins(text: str) -> Iterator[Span]:
    for found in _LOGIN.finditer(text):
        value = found["value"]
        mixed = any(map(str.isdigit, value)) and any(map(str.isupper, value))
        if mixed and any(map(str.islower, value)) and not stands_for_a_value(value):
            yield found.span("value")


def _fields(text: str) -> Iterator[Span]:
    for found in _FIELD.finditer(text):
        line = text.rfind("\n", 0, found.start("value")) + 1
        before = text[max(line, found.start() - 512) : found.start() + 1].lower()
        told = any(
            field in before for field in ("server=", "data source=", "host=", "user", "uid=")
        )
        if ";" in before and told and not stands_for_a_value(found["value"]):
            yield found.span("value")


def _users(text: str) -> Iterator[Span]:
    if "curl" not in text and "wget" not in text and "http" not in text:
        return
    done = 0
    for command in _CURL.finditer(text):
        if command.start() < done:
            continue
        done = _end_of_command(text, command.end())
        for found in _USER.finditer(text, command.end(), done):
            password, user = found["password"], found["user"].strip("\"'")
            if password and not _stands_for_password(password):
                yield found.span("password")
            elif not password and user and not _stands_for_password(user) and found["open"]:
                yield found.start("user"), found.start("user") + len(user)


def _stands_for_password(value: str) -> bool:
    plain = value.strip("<>{}[]").lower()
    return len(value) < _SHORTEST or plain in _PLAIN or stands_for_a_value(value)


def _end_of_command(text: str, start: int) -> int:
    """Return where a command ends: at the end of a line that goes on with no backslash."""
    end, limit = start, min(len(text), start + _COMMAND)
    while end < limit:
        line = text.find("\n", end, limit)
        if line < 0:
            return limit
        if not text[end:line].rstrip().endswith("\\"):
            # A header on a line of its own belongs to it as well.
            following = text[line + 1 : line + 80].lstrip(" \t#")
            if not following.startswith("-"):
                return line
        end = line + 1
    return limit


def _manifests(text: str) -> Iterator[Span]:
    if not _KIND.search(text):
        return
    edges = [0, *(mark.start() for mark in _DOCUMENT.finditer(text)), len(text)]
    for start, end in pairwise(edges):
        if _KIND.search(text, start, end):
            for body in _INLINE.finditer(text, start, end):
                for pair in _PAIR.finditer(text, *body.span("body")):
                    if not stands_for_a_value(pair["value"]):
                        yield pair.span("value")
            for data in _DATA.finditer(text, start, end):
                yield from _entries(text, data, end)


def _entries(text: str, data: re.Match[str], end: int) -> Iterator[Span]:
    place, depth, block = data.end() + 1, _width(data["indent"]), False
    while place < end:
        line_end = text.find("\n", place, end)
        line_end = end if line_end < 0 else line_end
        line = text[place:line_end]
        if line.strip() and not line.lstrip().startswith("#"):
            if _width(line[: len(line) - len(line.lstrip())]) <= depth:
                return
            entry = _ENTRY.fullmatch(line.rstrip("\r"))
            if entry:
                block = entry["block"] is not None
                if entry["value"] and _is_data(entry["value"], data["key"]):
                    yield place + entry.start("value"), place + entry.end("value")
            elif block and _BASE64.fullmatch(line.strip()):
                start = place + len(line) - len(line.lstrip())
                yield start, start + len(line.strip())
        place = line_end + 1


def _width(indent: str) -> int:
    return len(indent.expandtabs(8))


def _is_data(value: str, key: str) -> bool:
    if key == "data":
        return _BASE64.fullmatch(value) is not None and not stands_for_a_value(value)
    return len(value) >= _LEAST and not stands_for_a_value(value) and " " not in value

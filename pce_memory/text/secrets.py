"""Find credentials in a folded text: one table of kinds, each linear in the text.

A token may be broken across lines where that cannot swallow prose: in bodies of a fixed length,
and before a long run of token characters.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from pce_memory.text.assignments import HINTS, JAPANESE_HINTS, assigned_secrets
from pce_memory.text.bare_tokens import bare_tokens
from pce_memory.text.broken_forms import BROKEN_FORMS, Form
from pce_memory.text.calls import call_patterns, secrets_of_calls
from pce_memory.text.columns import secrets_of_columns
from pce_memory.text.commands import command_patterns, secrets_of_commands
from pce_memory.text.elements import secrets_of_elements
from pce_memory.text.fallbacks import fallback_patterns, secrets_of_fallbacks
from pce_memory.text.fold import Span
from pce_memory.text.foreign_names import FOREIGN_HINTS
from pce_memory.text.named_secrets import name_patterns, named_secrets
from pce_memory.text.placeholders import stands_for_a_value
from pce_memory.text.private_keys import private_keys
from pce_memory.text.public_values import without_public
from pce_memory.text.quick_search import QuickSearch, quick_search
from pce_memory.text.recovery import BEGINS_OF_RECOVERY, JAPANESE_RECOVERY, recovery_secrets
from pce_memory.text.secret_files import secrets_of_files
from pce_memory.text.statements import secrets_of_directives, secrets_of_statements
from pce_memory.text.token_forms import table_tokens
from pce_memory.text.told import TOLD_HINTS, UNWRITTEN_HINTS, told_secrets

Finder = Callable[[str], Iterator[Span]]

# What documents put where a key will be: sk-xxxxxxxx, ghp_YOUR_TOKEN_HERE.
_PLACEHOLDER: Final = re.compile(
    r"[A-Za-z0-9_.-]{0,20}?(?:([xX*0.])\1{7,}"
    r"|(?i:your|my|insert|replace|change|example|dummy)[A-Za-z]*(?:[_-][A-Za-z]+)+"
    r"|[A-Z]{2,}(?:[_-][A-Z]{2,})+)"
)


def _finder(form: Form) -> Finder:
    needles = form.needles.split()

    def find(text: str) -> Iterator[Span]:
        # Most texts have none of any kind, so this is what takes time.
        if form.gate:
            may_hold = next(_opened(form.gate)(text), None) is not None
        else:
            may_hold = any(needle in text for needle in needles)
        return _found(_compiled(form.pattern), text) if may_hold else iter(())

    return find


@cache
def _opened(gate: str) -> QuickSearch:
    return quick_search([gate])


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern for the first text that may hold such a token: few ever do."""
    return re.compile(pattern)


def _found(pattern: re.Pattern[str], text: str) -> Iterator[Span]:
    for found in pattern.finditer(text):
        # Where the pattern names the secret inside a longer match, only that is the secret.
        if found.lastgroup:
            if not stands_for_a_value(found[found.lastgroup]):
                yield found.span(found.lastgroup)
        elif not _PLACEHOLDER.fullmatch(found.group()):
            yield found.span()


_LEAST_TOKEN: Final = 16
_KNOWN: Final[Mapping[str, Finder]] = MappingProxyType(
    {kind: _finder(form) for kind, form in BROKEN_FORMS.items()}
)
# The first part of a Discord token has no needle but a full stop, which any text has.
_DISCORD: Final = "[MNO][A-Za-z0-9]{6}"
# Not question marks: any other character of a text is one to `quick_search`.
_LONG_WORD: Final = f"[!->@-~]{{{_LEAST_TOKEN}}}"
_COMMANDS: Final = "wget|httpie|http"


def may_hold_a_secret(text: str) -> bool:
    """Tell whether a text has anything that a secret goes by: one pass for all kinds.

    >>> may_hold_a_secret("a walk in the park"), may_hold_a_secret("the key: AKIA")
    (False, True)
    """
    if next(_gate()(text), None) is not None:
        return True
    return not text.isascii() and any(hint in text for hint in _UNWRITTEN)


_UNWRITTEN: Final = tuple(
    dict.fromkeys([*JAPANESE_HINTS, *FOREIGN_HINTS, *UNWRITTEN_HINTS, *JAPANESE_RECOVERY])
)


@cache
def _gate() -> QuickSearch:
    needles = {needle for form in BROKEN_FORMS.values() for needle in form.needles.split()} - {"."}
    return quick_search(
        [
            _DISCORD,
            _LONG_WORD,
            _COMMANDS,
            *HINTS,
            *name_patterns(),
            *command_patterns(),
            *call_patterns(),
            *fallback_patterns(),
            *TOLD_HINTS,
            *BEGINS_OF_RECOVERY,
            "(?i)identified",
            "(?i)chpasswd",
            "Private-Lines",
            *map(re.escape, sorted(needles)),
        ]
    )


def unknown_tokens(text: str) -> Iterator[Span]:
    """Find the secrets whose form is nobody's: by a name, a file, a command, or bare."""
    finders = (
        assigned_secrets,
        named_secrets,
        secrets_of_files,
        secrets_of_commands,
        secrets_of_calls,
        secrets_of_fallbacks,
        secrets_of_statements,
        secrets_of_directives,
        secrets_of_elements,
        secrets_of_columns,
        told_secrets,
        recovery_secrets,
    )
    spans = [span for find in finders for span in find(text)]
    if _has_a_long_word(text):
        spans += bare_tokens(text)
    yield from without_public(text, spans)


def _tokens(text: str) -> Iterator[Span]:
    spans = list(_KNOWN["token"](text))
    if _has_a_long_word(text):
        spans += table_tokens(text)
    yield from without_public(text, spans)


def _has_a_long_word(text: str) -> bool:
    """Tell whether a token can stand in a text at all: most texts are words and no more."""
    if text.isascii():
        return any(len(word) >= _LEAST_TOKEN for word in text.split())
    return next(_long_words()(text), None) is not None


@cache
def _long_words() -> QuickSearch:
    return quick_search([_LONG_WORD])


SECRETS: Final[Mapping[str, Finder]] = MappingProxyType(
    {"private_key": private_keys, **_KNOWN, "token": _tokens, "password": unknown_tokens},
)
GENERAL_KINDS: Final = ("token", "password")
"""Where one of these and another kind find the same, it is of the other kind, or of the first."""

"""Find credentials in a folded text: one table of kinds, each linear in the text.

A token may be broken across lines where that cannot swallow prose: in bodies of a fixed length,
and before a long run of token characters.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple

from pce_memory.text.assignments import HINTS, JAPANESE_HINTS, assigned_secrets
from pce_memory.text.bare_tokens import bare_tokens
from pce_memory.text.columns import secrets_of_columns
from pce_memory.text.commands import command_patterns, secrets_of_commands
from pce_memory.text.elements import secrets_of_elements
from pce_memory.text.fold import Span
from pce_memory.text.named_secrets import FOREIGN_HINTS, name_patterns, named_secrets
from pce_memory.text.placeholders import stands_for_a_value
from pce_memory.text.private_keys import private_keys
from pce_memory.text.public_values import without_public
from pce_memory.text.quick_search import QuickSearch, quick_search
from pce_memory.text.recovery import BEGINS_OF_RECOVERY, JAPANESE_RECOVERY, recovery_secrets
from pce_memory.text.secret_files import secrets_of_files
from pce_memory.text.statements import secrets_of_statements
from pce_memory.text.token_forms import table_tokens
from pce_memory.text.told import TOLD_HINTS, UNWRITTEN_HINTS, told_secrets

Finder = Callable[[str], Iterator[Span]]

_START: Final = "(?<![A-Za-z0-9])"
_BREAK: Final = r"\r?\n[ \t>]{0,8}"
_WORD: Final = "[A-Za-z0-9_-]"
_ALNUM: Final = "[A-Za-z0-9]"
# The rest of a broken token: long, and not just lower-case words joined by hyphens. A short last
# piece has to look like no word at all: digits and letters of both cases.
_TAIL: Final = (
    rf"(?:{_BREAK}(?=[A-Za-z_-]{{0,15}}[0-9])(?=[A-Z0-9_-]{{0,15}}[a-z])(?=[a-z0-9_-]{{0,15}}[A-Z])"
    rf"{_WORD}{{6,15}}+(?!{_WORD}))?"
)
_REST: Final = rf"(?:{_BREAK}(?=[a-z_-]{{0,64}}[0-9A-Z]){_WORD}{{16,}}+){{0,8}}{_TAIL}"


def _fixed(prefix: str, chars: str, length: int) -> str:
    """Return the pattern of a token whose body has `length` characters, or more at its end."""
    return f"{_START}{prefix}(?:{chars}(?:{_BREAK})?){{{length - 1}}}{chars}++"


def _open(prefix: str, chars: str, least: int) -> str:
    """Return the pattern of a token of any length, `least` characters at the least."""
    body = rf"(?:{chars}{{{least},}}+|{chars}{{4,}}+(?={_BREAK}{_WORD}{{16}}))"
    return f"{_START}{prefix}{body}{_REST}"


def _sized(prefix: str, chars: str, length: int) -> str:
    """Return the pattern of a token of a known length, broken anywhere, or of a shorter one."""
    return f"{_fixed(prefix, chars, length)}|{_open(prefix, chars, 16)}"


def _long(prefix: str, chars: str, length: int) -> str:
    """Return the same for a token that may also be longer, and broken behind that length."""
    return f"{_fixed(prefix, chars, length)}{_REST}|{_open(prefix, chars, 10)}"


def _exact(chars: str, length: int) -> str:
    """Return the pattern of a part of a token that has this length and may be broken."""
    return f"(?:{chars}(?:{_BREAK})?){{{length}}}"


_JWT_PART: Final = (
    rf"(?:{_WORD}{{4,}}+|{_WORD}{{1,3}}(?={_BREAK}{_WORD}{{16}}))"
    rf"(?:{_BREAK}(?:{_WORD}{{16,}}+|{_WORD}{{1,15}}+(?=\.))){{0,20}}{_TAIL}"
)


class _Form(NamedTuple):
    """How a kind of token is written; a text without any of the needles holds none."""

    needles: str
    pattern: str


_FORMS: Final[Mapping[str, _Form]] = {
    "jwt": _Form(
        "eyJ",
        rf"(?<![A-Za-z0-9_-])eyJ{_JWT_PART}(?:{_BREAK})?\.(?:{_BREAK})?{_JWT_PART}"
        rf"(?:{_BREAK})?\.(?:(?:{_BREAK})?{_JWT_PART}(?:\.{_WORD}{{8,}}+){{0,2}})?"
        # Without a signature there is no second dot; both parts are JSON then.
        rf"|(?<![A-Za-z0-9_-])eyJ{_WORD}{{8,}}+\.eyJ{_WORD}{{8,}}+",
    ),
    "anthropic": _Form(
        "sk-ant-",
        _fixed("sk-ant-[a-z]{3,5}[0-9]{2}-", _WORD, 95) + "|" + _open("sk-ant-", _WORD, 10),
    ),
    "openai": _Form(
        "sk-",
        _open("sk-(?!ant-)(?:proj|svcacct|admin|None)-", _WORD, 12)
        # Behind another word, its own or that of a vendor, letters of one case are words too.
        + rf"|{_START}sk-(?!ant-)(?:(?:[a-z]{{2,10}}-(?:v[0-9]-)?)?(?=[a-z]{{0,64}}[0-9A-Z])"
        r"|(?<![A-Za-z0-9][-_]sk-))(?:"
        # Class names such as sk-container-text are no keys: a short one has digits.
        rf"(?=[A-Za-z]{{0,32}}[0-9]){_ALNUM}{{10,}}+|{_ALNUM}{{12,}}+(?![_-])|{_ALNUM}{{20,}}+"
        rf"|{_ALNUM}{{4,}}+(?={_BREAK}(?=[a-z]{{0,64}}[0-9A-Z]){_ALNUM}{{12}})){_REST}",
    ),
    "github": _Form(
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        _sized("gh[pousr]_", _ALNUM, 36) + "|" + _open("github_pat_", "[A-Za-z0-9_]", 20),
    ),
    "gitlab": _Form(
        "gl GR1348941",
        _long(
            "(?:gl(?:pat|ptt|dt|rtr?|cbt|oas|soat|ft|imt|agent|ffct|wt)-|GR1348941)",
            "[A-Za-z0-9_.-]",
            20,
        ),
    ),
    "slack": _Form(
        "xox xapp- hooks.slack.com",
        _open(r"(?:(?:xoxe\.)?xox[abcdeoprs]-|xapp-[0-9]-)", "[A-Za-z0-9.%-]", 10)
        + r"|https://hooks\.slack\.com/(?:services|workflows|triggers)/(?:"
        rf"T[A-Z0-9]{{8,12}}/B[A-Z0-9]{{8,12}}/{_exact(_ALNUM, 23)}{_ALNUM}"
        r"|[A-Za-z0-9/_+-]{16,}+)",
    ),
    "discord": _Form(
        "/api/webhooks/ .",
        r"https://(?:[a-z]{1,10}\.)?discord(?:app)?\.com/api/webhooks/[0-9]{8,24}/"
        rf"(?:{_exact(_WORD, 67)}{_WORD}|{_WORD}{{20,}}+)"
        # A bot's token: its number in base 64, a time, a signature.
        rf"|{_START}[MNO]{_exact(_ALNUM, 21)}{_ALNUM}{{1,6}}(?:{_BREAK})?\.(?:{_BREAK})?"
        rf"{_exact(_WORD, 5)}{_WORD}(?:{_BREAK})?\.(?:{_BREAK})?"
        rf"(?:{_exact(_WORD, 37)}{_WORD}|{_exact(_WORD, 26)}{_WORD}{{1,19}})(?!{_WORD})",
    ),
    "telegram": _Form(
        ":AA", rf"{_START}[0-9]{{8,10}}:AA{_exact(_WORD, 31)}{_WORD}{{1,2}}(?!{_WORD})"
    ),
    "aws": _Form(
        "AKIA ASIA ABIA ACCA ABSK bedrock-api-key- key KEY Key oken=",
        _fixed("(?:AKIA|ASIA|ABIA|ACCA)", "[A-Z0-9]", 16)
        + rf"|{_START}(?:ABSK[A-Za-z0-9+/]{{40,}}+|bedrock-api-key-[A-Za-z0-9+/]{{40,}}+)={{0,2}}"
        + r"|X-Amz-Security-Token=(?P<session>[A-Za-z0-9+/%]{40,}+={0,2})"
        + r"|(?i:aws|secret)_?(?i:secret)?_?(?i:access)?_?(?i:key)"
        r"""["']?(?:\s{0,3}[:=]\s{0,3}|\s)["']?(?P<aws>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])""",
    ),
    "google": _Form(
        "AIza GOCSPX- ya29. 1//0",
        _sized("AIza", _WORD, 35)
        + "|"
        + _sized("GOCSPX-", _WORD, 28)
        + "|"
        + _open(r"ya29\.", _WORD, 20)
        # Refresh tokens.
        + "|"
        + _open(rf"(?<![/:])1//0(?={_WORD}{{0,40}}[A-Z])", _WORD, 20),
    ),
    "azure": _Form(
        "Key= sig= Q~",
        r"(?:Account|SharedAccess)Key=(?P<azure>[A-Za-z0-9+/]{40,}+={0,2})"
        r"|[?&; ]sig=(?P<sas>[A-Za-z0-9+/%]{30,}+={0,2})"
        # The secret of an application in Entra ID.
        rf"|{_START}[\w.~-]{{3}}[0-9]Q~{_exact('[A-Za-z0-9_.~-]', 30)}[A-Za-z0-9_.~-]{{1,4}}+"
        "(?<![.])",
    ),
    "stripe": _Form(
        "k_live_ k_test_ whsec_",
        _long("[sr]k_(?:live|test|org)_", _ALNUM, 24) + "|" + _open("whsec_", "[A-Za-z0-9+/]", 20),
    ),
    "npm": _Form("npm_", _sized("npm_", _ALNUM, 36)),
    "pypi": _Form("pypi-", _open("pypi-AgE", _WORD, 16)),
    "huggingface": _Form("hf_ api_org_", _sized("(?:hf|api_org)_", _ALNUM, 34)),
    "sendgrid": _Form(
        "SG.",
        rf"{_START}SG\.(?:{_BREAK})?{_exact(_WORD, 22)}\.(?:{_BREAK})?{_exact(_WORD, 42)}{_WORD}++"
        rf"|{_START}SG\.{_WORD}{{16,64}}\.{_WORD}{{16,}}+{_REST}",
    ),
    "twilio": _Form("SK", rf"{_START}SK{_exact('[0-9a-f]', 31)}[0-9a-f](?!{_ALNUM})"),
    # Further services with a prefix of their own.
    "token": _Form(
        "dop_ doo_ dor_ shp lin_ ntn_ glsa_ hvs. hvb. AGE- sq0csp- figd_ PMAK- rubygems_ dckr_ "
        "ATATT3 sntrys_ pul- tskey- xai- gsk_ r8_ pplx- nvapi- dapi sq0atp- NRAK- sbp_ pscale_ "
        "lsv2_ tvly- CFPAT-",
        _open(
            r"(?:do[opr]_v1_|shp(?:at|ca|pa|ss)_|lin_api_|ntn_|glsa_|hv[sb]\.|AGE-SECRET-KEY-1"
            r"|sq0csp-|figd_|PMAK-|rubygems_|dckr_pat_|ATATT3|sntrys_|pul-|tskey-[a-z]{2,8}-"
            r"|xai-|gsk_|r8_|pplx-|nvapi-|dapi(?=[0-9a-f]{32})|sq0atp-|NRAK-|sbp_|tvly-|CFPAT-"
            r"|pscale_(?:tkn|pw)_|lsv2_(?:pt|sk)_)(?=[A-Za-z_-]{0,32}[0-9])",
            _WORD,
            20,
        ),
    ),
    "database_url": _Form(
        "://",
        r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s:@/]{0,64}:"
        # A reference to a password is not one.
        r"(?![\[<{$%*]|x+@)(?P<url>[^\s/?#]{1,256}(?:\#[^\s/?#]{0,64})?)@(?=[^\s@])",
    ),
}

# What documents put where a key will be: sk-xxxxxxxx, ghp_YOUR_TOKEN_HERE.
_PLACEHOLDER: Final = re.compile(
    r"[A-Za-z0-9_.-]{0,20}?(?:([xX*0.])\1{7,}"
    r"|(?i:your|my|insert|replace|change|example|dummy)[A-Za-z]*(?:[_-][A-Za-z]+)+"
    r"|[A-Z]{2,}(?:[_-][A-Z]{2,})+)"
)


def _finder(form: _Form) -> Finder:
    needles = form.needles.split()

    def find(text: str) -> Iterator[Span]:
        for needle in needles:  # most texts have none of any kind, so this is what takes time
            if needle in text:
                return _found(_compiled(form.pattern), text)
        return iter(())

    return find


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
    {kind: _finder(form) for kind, form in _FORMS.items()}
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
    needles = {needle for form in _FORMS.values() for needle in form.needles.split()} - {"."}
    return quick_search(
        [
            _DISCORD,
            _LONG_WORD,
            _COMMANDS,
            *HINTS,
            *name_patterns(),
            *command_patterns(),
            *TOLD_HINTS,
            *BEGINS_OF_RECOVERY,
            "(?i)identified",
            "(?i)chpasswd",
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
        secrets_of_statements,
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

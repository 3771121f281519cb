"""Tokens that stay themselves where a line is broken inside: a pattern for each family."""

from collections.abc import Mapping
from typing import Final, NamedTuple

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


class Form(NamedTuple):
    """How a kind of token is written; a text without any of the needles holds none."""

    needles: str
    pattern: str


BROKEN_FORMS: Final[Mapping[str, Form]] = {
    "jwt": Form(
        "eyJ",
        rf"(?<![A-Za-z0-9_-])eyJ{_JWT_PART}(?:{_BREAK})?\.(?:{_BREAK})?{_JWT_PART}"
        rf"(?:{_BREAK})?\.(?:(?:{_BREAK})?{_JWT_PART}(?:\.{_WORD}{{8,}}+){{0,2}})?"
        # Without a signature there is no second dot; both parts are JSON then.
        rf"|(?<![A-Za-z0-9_-])eyJ{_WORD}{{8,}}+\.eyJ{_WORD}{{8,}}+",
    ),
    "anthropic": Form(
        "sk-ant-",
        _fixed("sk-ant-[a-z]{3,5}[0-9]{2}-", _WORD, 95) + "|" + _open("sk-ant-", _WORD, 10),
    ),
    "openai": Form(
        "sk-",
        _open("sk-(?!ant-)(?:proj|svcacct|admin|None)-", _WORD, 12)
        # Behind another word, its own or that of a vendor, letters of one case are words too.
        + rf"|{_START}sk-(?!ant-)(?:(?:[a-z]{{2,10}}-(?:v[0-9]-)?)?(?=[a-z]{{0,64}}[0-9A-Z])"
        r"|(?<![A-Za-z0-9][-_]sk-))(?:"
        # Class names such as sk-container-text are no keys: a short one has digits.
        rf"(?=[A-Za-z]{{0,32}}[0-9]){_ALNUM}{{10,}}+|{_ALNUM}{{12,}}+(?![_-])|{_ALNUM}{{20,}}+"
        rf"|{_ALNUM}{{4,}}+(?={_BREAK}(?=[a-z]{{0,64}}[0-9A-Z]){_ALNUM}{{12}})){_REST}",
    ),
    "github": Form(
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        _sized("gh[pousr]_", _ALNUM, 36) + "|" + _open("github_pat_", "[A-Za-z0-9_]", 20),
    ),
    "gitlab": Form(
        "gl GR1348941",
        _long(
            "(?:gl(?:pat|ptt|dt|rtr?|cbt|oas|soat|ft|imt|agent|ffct|wt)-|GR1348941)",
            "[A-Za-z0-9_.-]",
            20,
        ),
    ),
    "slack": Form(
        "xox xapp- hooks.slack.com",
        _open(r"(?:(?:xoxe\.)?xox[abcdeoprs]-|xapp-[0-9]-)", "[A-Za-z0-9.%-]", 10)
        + r"|https://hooks\.slack\.com/(?:services|workflows|triggers)/(?:"
        rf"T[A-Z0-9]{{8,12}}/B[A-Z0-9]{{8,12}}/{_exact(_ALNUM, 23)}{_ALNUM}"
        r"|[A-Za-z0-9/_+-]{16,}+)",
    ),
    "discord": Form(
        "/api/webhooks/ .",
        r"https://(?:[a-z]{1,10}\.)?discord(?:app)?\.com/api/webhooks/[0-9]{8,24}/"
        rf"(?:{_exact(_WORD, 67)}{_WORD}|{_WORD}{{20,}}+)"
        # A bot's token: its number in base 64, a time, a signature.
        rf"|{_START}[MNO]{_exact(_ALNUM, 21)}{_ALNUM}{{1,6}}(?:{_BREAK})?\.(?:{_BREAK})?"
        rf"{_exact(_WORD, 5)}{_WORD}(?:{_BREAK})?\.(?:{_BREAK})?"
        rf"(?:{_exact(_WORD, 37)}{_WORD}|{_exact(_WORD, 26)}{_WORD}{{1,19}})(?!{_WORD})",
    ),
    "telegram": Form(
        ":AA", rf"{_START}[0-9]{{8,10}}:AA{_exact(_WORD, 31)}{_WORD}{{1,2}}(?!{_WORD})"
    ),
    "aws": Form(
        "AKIA ASIA ABIA ACCA ABSK bedrock-api-key- key KEY Key oken=",
        _fixed("(?:AKIA|ASIA|ABIA|ACCA)", "[A-Z0-9]", 16)
        + rf"|{_START}(?:ABSK[A-Za-z0-9+/]{{40,}}+|bedrock-api-key-[A-Za-z0-9+/]{{40,}}+)={{0,2}}"
        + r"|X-Amz-Security-Token=(?P<session>[A-Za-z0-9+/%]{40,}+={0,2})"
        + r"|(?i:aws|secret)_?(?i:secret)?_?(?i:access)?_?(?i:key)"
        r"""["']?(?:\s{0,3}[:=]\s{0,3}|\s)["']?(?P<aws>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])""",
    ),
    "google": Form(
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
    "azure": Form(
        "Key= sig= Q~",
        r"(?:Account|SharedAccess)Key=(?P<azure>[A-Za-z0-9+/]{40,}+={0,2})"
        r"|[?&; ]sig=(?P<sas>[A-Za-z0-9+/%]{30,}+={0,2})"
        # The secret of an application in Entra ID.
        rf"|{_START}[\w.~-]{{3}}[0-9]Q~{_exact('[A-Za-z0-9_.~-]', 30)}[A-Za-z0-9_.~-]{{1,4}}+"
        "(?<![.])",
    ),
    "stripe": Form(
        "k_live_ k_test_ whsec_",
        _long("[sr]k_(?:live|test|org)_", _ALNUM, 24) + "|" + _open("whsec_", "[A-Za-z0-9+/]", 20),
    ),
    "npm": Form("npm_", _sized("npm_", _ALNUM, 36)),
    "pypi": Form("pypi-", _open("pypi-AgE", _WORD, 16)),
    "huggingface": Form("hf_ api_org_", _sized("(?:hf|api_org)_", _ALNUM, 34)),
    "sendgrid": Form(
        "SG.",
        rf"{_START}SG\.(?:{_BREAK})?{_exact(_WORD, 22)}\.(?:{_BREAK})?{_exact(_WORD, 42)}{_WORD}++"
        rf"|{_START}SG\.{_WORD}{{16,64}}\.{_WORD}{{16,}}+{_REST}",
    ),
    "twilio": Form("SK", rf"{_START}SK{_exact('[0-9a-f]', 31)}[0-9a-f](?!{_ALNUM})"),
    # Further services with a prefix of their own.
    "token": Form(
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
    "database_url": Form(
        "://",
        r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s:@/]{0,64}:"
        # A reference to a password is not one.
        r"(?![\[<{$%*]|x+@)(?P<url>[^\s/?#]{1,256}(?:\#[^\s/?#]{0,64})?)@(?=[^\s@])",
    ),
}

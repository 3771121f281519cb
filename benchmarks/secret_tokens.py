"""Tokens of the families people leak, drawn from their forms: none of them opens anything."""

import string
from collections.abc import Callable
from random import Random
from typing import Final

ALNUM: Final = string.ascii_letters + string.digits
WORD: Final = ALNUM + "_-"
BASE64: Final = ALNUM + "+/"
HEX: Final = string.digits + "abcdef"
UPPER: Final = string.ascii_uppercase + string.digits

Maker = Callable[[Random], str]


def draw(rng: Random, chars: str, length: int) -> str:
    """Return `length` characters; none of the signs stands at an end."""
    body = [rng.choice(chars) for _ in range(length)]
    plain = [char for char in chars if char.isalnum()]
    body[0], body[-1] = rng.choice(plain), rng.choice(plain)
    return "".join(body)


def _prefixed(*forms: tuple[str, str, int]) -> Maker:
    def make(rng: Random) -> str:
        prefix, chars, length = rng.choice(forms)
        return prefix + draw(rng, chars, length)

    return make


def _openai(rng: Random) -> str:
    prefix = rng.choice(["", "proj-", "svcacct-", "admin-"])
    if not prefix:
        return f"sk-{draw(rng, ALNUM, 20)}T3BlbkFJ{draw(rng, ALNUM, 20)}"
    half = rng.choice([20, 74])
    return f"sk-{prefix}{draw(rng, WORD, half)}T3BlbkFJ{draw(rng, WORD, half)}"


def _anthropic(rng: Random) -> str:
    kind = rng.choice(["api03", "admin01", "oat01", "sid01"])
    return f"sk-ant-{kind}-{draw(rng, WORD, 93)}AA"


def _github(rng: Random) -> str:
    prefix = rng.choice(["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"])
    if prefix == "github_pat_":
        return f"{prefix}{draw(rng, ALNUM, 22)}_{draw(rng, ALNUM, 59)}"
    return prefix + draw(rng, ALNUM, 36)


def _gitlab(rng: Random) -> str:
    prefixes = ["glpat-", "gldt-", "glrt-", "glptt-", "glft-", "glimt-", "glagent-", "gloas-"]
    prefix = rng.choice([*prefixes, "glsoat-", "glcbt-", "glffct-", "GR1348941", "routable"])
    match prefix:
        case "routable":
            body = draw(rng, WORD, 27)
            return f"glpat-{body}.{draw(rng, HEX, 2)}.{draw(rng, ALNUM.lower(), 9)}"
        case "glcbt-":
            return f"glcbt-{draw(rng, HEX, 2)}_{draw(rng, WORD, 20)}"
        case "glptt-" | "glagent-":
            return prefix + draw(rng, WORD, 50)
        case "gloas-":
            return prefix + draw(rng, HEX, 64)
        case _:
            return prefix + draw(rng, WORD, 20)


def _slack(rng: Random) -> str:
    number = draw(rng, string.digits, 12)
    match rng.randrange(6):
        case 0:
            return f"xoxb-{number}-{draw(rng, string.digits, 13)}-{draw(rng, ALNUM, 24)}"
        case 1:
            return (
                f"xoxp-{number}-{number[::-1]}-{draw(rng, string.digits, 13)}-{draw(rng, HEX, 32)}"
            )
        case 2:
            return f"xapp-1-A{draw(rng, UPPER, 10)}-{number}-{draw(rng, HEX, 64)}"
        case 3:
            return f"xoxe.xoxp-1-{draw(rng, ALNUM, 160)}"
        case 4:
            return f"xoxs-{number}-{number}-{number}-{draw(rng, HEX, 10)}"
        case _:
            team, hook = draw(rng, UPPER, 10), draw(rng, UPPER, 10)
            return f"https://hooks.slack.com/services/T{team}/B{hook}/{draw(rng, ALNUM, 24)}"


def _google(rng: Random) -> str:
    match rng.randrange(4):
        case 0:
            return f"AIza{draw(rng, WORD, 35)}"
        case 1:
            return f"ya29.{draw(rng, WORD, 160)}"
        case 2:
            return f"GOCSPX-{draw(rng, WORD, 28)}"
        case _:
            return f"1//0{draw(rng, ALNUM, 1)}{draw(rng, WORD, 98)}"


def azure_secret(rng: Random) -> str:
    """Return the secret of an application in Entra ID."""
    return f"{draw(rng, ALNUM, 3)}8Q~{draw(rng, ALNUM + '_~.-', 34)}"


def _discord(rng: Random) -> str:
    if rng.random() < 0.3:
        number = draw(rng, string.digits, 18)
        return f"https://discord.com/api/webhooks/{number}/{draw(rng, WORD, 68)}"
    first = rng.choice("MNO") + draw(rng, ALNUM, 23)
    return f"{first}.{draw(rng, WORD, 6)}.{draw(rng, WORD, rng.choice([27, 38]))}"


def _telegram(rng: Random) -> str:
    return f"{draw(rng, '123456789', rng.choice([9, 10]))}:AA{draw(rng, WORD, 33)}"


def _jwt(rng: Random) -> str:
    head = rng.choice(["eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "eyJhbGciOiJSUzI1NiJ9"])
    size = rng.choice([43, 86, 342])
    return f"{head}.eyJ{draw(rng, WORD, rng.randrange(30, 200))}.{draw(rng, WORD, size)}"


def _pypi(rng: Random) -> str:
    return f"pypi-AgEIcHlwaS5vcmc{draw(rng, WORD, 150)}"


TOKENS: Final[dict[str, Maker]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "github": _github,
    "gitlab": _gitlab,
    "slack": _slack,
    "aws_id": _prefixed(("AKIA", UPPER, 16), ("ASIA", UPPER, 16)),
    "google": _google,
    "azure_secret": azure_secret,
    "stripe": _prefixed(
        ("sk_live_", ALNUM, 24),
        ("sk_test_", ALNUM, 99),
        ("rk_live_", ALNUM, 24),
        ("whsec_", ALNUM, 32),
    ),
    "npm": _prefixed(("npm_", ALNUM, 36)),
    "pypi": _pypi,
    "huggingface": _prefixed(("hf_", ALNUM, 34)),
    "sendgrid": lambda rng: f"SG.{draw(rng, WORD, 22)}.{draw(rng, WORD, 43)}",
    "twilio": _prefixed(("SK", HEX, 32)),
    "discord": _discord,
    "telegram": _telegram,
    "jwt": _jwt,
}
"""Families whose tokens are known by their own form, wherever they stand."""

"""Find the values of names that say they are secrets, in any syntax that assigns one.

`githubToken = "…"`, `X_TOKEN ?= …`, `setProperty("X_TOKEN", …)`, `<X_TOKEN>` over several lines,
`{"name": "X_TOKEN", "value": …}`: what stands between a name and its value is one pattern, and
whether the value is a secret depends on how much the name claims.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from pce_memory.text.bare_tokens import drawn_below, drawn_near
from pce_memory.text.chosen import is_chosen, is_chosen_in_quotes, is_chosen_secret
from pce_memory.text.fold import Span
from pce_memory.text.foreign_names import foreign_names
from pce_memory.text.likeness import is_about_names, is_strong
from pce_memory.text.placeholders import stands_for_a_value
from pce_memory.text.quick_search import QuickSearch, quick_search
from pce_memory.text.randomness import is_jumbled, is_random, is_uuid, surprises
from pce_memory.text.secret_links import LINK, OPENED
from pce_memory.text.secret_names import Claim, claim_of, vendor_words

# A name begins and has one of these in it: short ones as a part of their own, which no small
# letter goes on with.
_NAME: Final = (
    r"[A-Za-z0-9_$.-]*(?:(?i:passw|passphrase|passcode|secret|token|credential|authoriz|authent"
    r"|apikey|licen[cs]e|signing|encryption|contrase|kennwort|wachtwoord|bearer|webhook|accesskey"
    r"|privkey|signature|(?:root|bind|user|db|admin|smtp)pw|motdepasse|passwort|parola|haslo|losenord)"
    r"|(?i:psk|pass|pwd|pswd|pw|key|keys|auth|creds?|pat|jwt|api|access|hmac|dsn|sas|login|otp|totp|mdp"
    r"|clave|senha)(?:[^a-z]|$))"
)
_WORD: Final = re.compile(r"[A-Za-z0-9_$.-]*")
_KEY: Final = re.compile(
    r"(?i)(?:api|secret|access|private|licen[cs]e|auth|encryption|signing)[ _-]?keys?\.?\Z"
)
_BARE: Final = re.compile(r"[!#-&*+\--:=?-_a-~()]{4,128}")
_LOOKED_AT: Final = 128
# What was drawn goes on to its end.
_REST: Final = re.compile(r"[A-Za-z0-9_+/=.~-]*|")
_DIGIT: Final = re.compile("[0-9]")
# Where a value without quotes has ended.
_ENDED: Final = re.compile(r"""["')}\].]{0,3}[ \t]{0,8}(?:$|[\r\n,;|<&}]|\#|//)""")
# A phrase without quotes on a line of its own, and passwords of applications, in groups of four.
_PHRASE: Final = re.compile(r"[a-z0-9]{2,16}(?: [a-z0-9]{2,16}){1,7}(?=[ \t]{0,8}(?:\r?\n|$))")
_GROUPS: Final = re.compile(r"[a-z]{4}(?: [a-z]{4}){3}")
_LINE_BEGINS: Final = re.compile(r"(?:^|\n)[ \t]*(?:[-*] |export |ENV |set )?[A-Za-z0-9_.]*$")
# A key of a network is a password.
_NETWORK: Final = re.compile(
    r"(?i)(?:wi-?fi|wlan|wireless|network|router|pre-?shared|wpa[23]?)[ _-]key$"
)
_PAIRED: Final = re.compile(r"[A-Za-z][A-Za-z-]{1,12} [A-Za-z]{2,12}$")
_NAME_BEFORE: Final = re.compile(r"(?P<option>--?)?(?P<name>[A-Za-z][A-Za-z0-9_-]*)$")
_PAIRS: Final = re.compile(r" {1,2}[\w.]{1,32}=")
_PAIR_BEFORE: Final = re.compile(r"(?<![\w.-])[\w.-]{1,32}=[^\s=]{1,64}[ ,;]{1,2}[\w.-]{1,64}$")
_USER_BEFORE: Final = re.compile(
    r"(?:user(?:name|id)?|login|account|benutzer(?:name)?|kennung|utilisateur|identifiant|usuario"
    r"|usuário|utente|ユーザー?(?:名|ID)?|用户名?|아이디)\W{1,3}[\w.@+-]{1,64}[\s,;/|]{1,3}\w{0,16}$",
    re.IGNORECASE,
)
_ENDED_BY_TAG: Final = re.compile(r"\s{0,64}<")
_CLOSE: Final = {"“": "”", "‘": "’"}
_TRAILING: Final = ".,:;)]}([{"
_DRAWN: Final = 4
_LONG_WORD: Final = 20
_LEAST_WITH_SIGNS: Final = 20
# Of a regular expression, a format, a template.
_PATTERN: Final = re.compile(
    r"\\[a-zA-Z.]|\[[A-Za-z0-9]-|\(\?|%[sd(]|\{\{|[{(]\w*[)}]|[)\]}][*+?]"
)
_LEAST: Final = {Claim.PASSWORD: 6, Claim.SECRET: 8, Claim.TOKEN: 8, Claim.MAYBE: 12}
_LONGEST_QUOTED: Final = 4096
_CALL: Final = re.compile(r"[A-Za-z_][\w.]*\(|[A-Za-z_]\w*\[|[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)+$")
_LOCKED: Final = re.compile(r"(?i)ENC\[|\{cipher\}|\$(?:2[aby]|argon2|pbkdf2|scrypt)|sha\d+[:-]")


def named_secrets(text: str) -> Iterator[Span]:
    """Find the secrets by their names.

    >>> [text[a:b] for text in ('dbPass := "tiger8cat"', "X_TOKEN ?= a8Kd02mQ9sLp7", "key=value")
    ...  for a, b in named_secrets(text)]
    ['tiger8cat', 'a8Kd02mQ9sLp7']
    """
    done = 0
    for start, end, claim in _names(text):
        if start < done:
            continue
        place = _value(text, (start, end), claim) if claim else None
        if place is None and (claim >= Claim.TOKEN or _KEY.search(text, max(0, end - 32), end)):
            place = drawn_near(text, start, end) or drawn_below(text, end)
        if place:
            yield place
            done = place[1]


def _names(text: str) -> Iterator[tuple[int, int, Claim]]:
    for start, _ in _search()(text):
        if word := _WORD.match(text, start):
            claim = claim_of(word.group().strip("$.-"))
            if claim is Claim.MAYBE:
                claim = _claim_of_pair(text, start, word.end())
            yield *word.span(), claim
    yield from foreign_names(text)


def _claim_of_pair(text: str, start: int, end: int) -> Claim:
    """Return the claim of a name of two words, the first before it: `API key`, `Wi-Fi key`."""
    if _NETWORK.search(text, max(0, start - 16), end):
        return Claim.PASSWORD
    pair = _PAIRED.search(text, max(0, start - 16), end)
    return max(Claim.MAYBE, claim_of(pair.group().replace(" ", "_"))) if pair else Claim.MAYBE


@cache
def _search() -> QuickSearch:
    return quick_search(name_patterns())


def name_patterns() -> list[str]:
    """Return what names are looked for by: patterns for `quick_search`."""
    vendors = "|".join(sorted(vendor_words()))
    return [_NAME, rf"[A-Za-z0-9_$.-]*(?i:{vendors})[A-Za-z0-9_.-]*[\"'\])]{{0,2}}\s?[:=]"]


def _value(text: str, name: Span, claim: Claim) -> Span | None:
    """Return the value that a link leads to from the end of a name, if that is a secret."""
    link = LINK.match(text, name[1])
    opened = OPENED.match(text, link.end()) if link else None
    if link is None or opened is None:
        return None
    if claim >= Claim.SECRET and not opened["quote"] and (phrase := _phrase(text, name, link)):
        return phrase
    place = _place(text, link, opened, claim)
    if place is None or not _is_claimed(text, place, claim, link, opened):
        return None
    rest = _REST.match(text, place[1]) if place[1] - place[0] == _LOOKED_AT else None
    return place[0], rest.end() if rest else place[1]


def _phrase(text: str, name: Span, link: re.Match[str]) -> Span | None:
    """Return the rest of a line that begins with a name, where that is a phrase without quotes."""
    phrase = _PHRASE.match(text, link.end())
    if phrase is None or not _LINE_BEGINS.search(text, max(0, name[0] - 32), name[0]):
        return None
    assigned = "=" in link.group() and is_chosen(phrase.group())
    return phrase.span() if assigned or _GROUPS.fullmatch(phrase.group()) else None


def _place(text: str, link: re.Match[str], opened: re.Match[str], claim: Claim) -> Span | None:
    start = opened.end()
    if opened["quote"]:
        place = _quoted(text, opened)
    else:
        # A name without a value is followed by the next name.
        next_name = "\n" in link["space"] and not link["tag"]
        # Most that is bare behind such a name is a word: without a digit it was hardly drawn.
        word = claim is Claim.MAYBE and not _DIGIT.search(text, start, start + _LOOKED_AT)
        place = None if next_name or word else _bare(text, start)
    return None if place and link["tag"] and not _ENDED_BY_TAG.match(text, place[1]) else place


def _is_claimed(
    text: str, place: Span, claim: Claim, link: re.Match[str], opened: re.Match[str]
) -> bool:
    value, quoted = text[slice(*place)], bool(opened["quote"])
    if stands_for_a_value(value) or _LOCKED.match(value):
        return False
    sure = all(link[part] is None for part in ("gap", "cell", "call"))
    if _is_secret(value, claim, sure=sure, quoted=quoted):
        return True
    if not sure:
        return _is_beside(text, value, claim, link, place[1])
    if quoted:
        # In a list of words each is as good as the next.
        listed = link["comma"] is not None
        lone = (claim is Claim.PASSWORD and is_strong(value)) or _is_drawn_with_signs(value)
        return (not listed or lone) and _is_told_in_quotes(value, claim)
    # What code compares with is a variable.
    compared = "==" in link.group()
    return not compared and _is_ended(text, place, link) and _is_told(value, claim, link)


def _is_ended(text: str, place: Span, link: re.Match[str]) -> bool:
    """Tell whether a value without quotes ends where its field does."""
    if _ENDED.match(text, place[1]):
        return True
    if link.group() != "=":
        return False
    # An option, or a variable that is set for one command: a blank ends it, as in a list of pairs.
    name = _NAME_BEFORE.search(text, max(0, link.start() - 64), link.start())
    set_for_one = name is not None and (name["option"] is not None or name["name"].isupper())
    if text[place[1] : place[1] + 1] == " " and (
        set_for_one or _PAIR_BEFORE.search(text, max(0, link.start() - 160), link.start())
    ):
        return True
    return _PAIRS.match(text, place[1]) is not None


def _is_beside(text: str, value: str, claim: Claim, link: re.Match[str], end: int) -> bool:
    """Tell whether a value that stands behind its name, with no sign between, is a password."""
    if claim is not Claim.PASSWORD or not is_strong(value) or not is_chosen(value):
        return False
    if link["cell"]:
        return _ENDED.match(text, end) is not None
    if link["call"] or len(_DIGIT.findall(value)) > 1:
        return True
    return _USER_BEFORE.search(text, max(0, link.start() - 128), link.start()) is not None


def _is_told(value: str, claim: Claim, link: re.Match[str]) -> bool:
    """Tell whether a value without quotes, up to the end of its field, is meant as a secret."""
    if claim is Claim.PASSWORD:
        # Words are told from sentences by the sign; one behind `is` is no value.
        return is_chosen(value) and not link.group().endswith((" is ", " was ", " are ", " to "))
    return claim is Claim.SECRET and "-" in value.replace("_", "-") and is_chosen_secret(value)


def _is_told_in_quotes(value: str, claim: Claim) -> bool:
    if claim is Claim.PASSWORD:
        return is_chosen_in_quotes(value)
    if claim is Claim.SECRET:
        return is_chosen_secret(value)
    if claim is Claim.TOKEN and _is_drawn_with_signs(value):
        return True
    phrase = claim is Claim.TOKEN and " " in value and _DIGIT.search(value) is not None
    return (phrase and is_chosen_secret(value)) or _is_long_word(value, claim)


def _quoted(text: str, opened: re.Match[str]) -> Span | None:
    start, quote = opened.end(), opened["quote"]
    stop = text.find(_CLOSE.get(quote, quote), start, start + _LONGEST_QUOTED)
    value = text[start:stop]
    inner = value.strip()
    if stop < 0 or "\n" in inner:
        return None
    start += len(value) - len(value.lstrip())
    return start, start + len(inner)


def _bare(text: str, start: int) -> Span | None:
    bare = _BARE.match(text, start)
    return (start, _end_of_bare(bare)) if bare else None


def _end_of_bare(bare: re.Match[str]) -> int:
    value = bare.group()
    for sign in ("&", "<", "\\n", "%26"):
        value = value.split(sign, 1)[0]
    return bare.start() + len(value.rstrip(_TRAILING))


def _is_secret(value: str, claim: Claim, *, sure: bool, quoted: bool) -> bool:
    if len(value) < _LEAST[claim] or not value.isascii() or " " in value:
        return False
    if not (_is_drawn(value, claim, quoted=quoted) or _is_meant(value, claim, sure=sure)):
        return False
    return quoted or not _CALL.match(value) or surprises(value) >= _DRAWN


def _is_drawn(value: str, claim: Claim, *, quoted: bool) -> bool:
    if is_uuid(value):
        return claim is not Claim.MAYBE or quoted
    return is_random(value, _LEAST[claim]) or is_jumbled(value)


def _is_drawn_with_signs(value: str) -> bool:
    """Tell whether a value was drawn from all that a keyboard has, and is no pattern or format."""
    if len(value) < _LEAST_WITH_SIGNS or _PATTERN.search(value) or not value.isascii():
        return False
    signs = sum(not char.isalnum() and char != " " for char in value)
    cases = (str.isdigit, str.isupper, str.islower)
    return 4 * signs >= len(value) and all(any(map(case, value)) for case in cases)


def _is_long_word(value: str, claim: Claim) -> bool:
    """Tell whether a word in quotes is meant as a token: people make up such."""
    if not (value.isascii() and value.isalpha() and len(value) >= _LEAST[claim]):
        return False
    return len(value) >= _LONG_WORD and value.islower() and not is_about_names(value)


def _is_meant(value: str, claim: Claim, *, sure: bool) -> bool:
    if claim is Claim.MAYBE or not sure or not is_strong(value) or is_about_names(value):
        return False
    return not (_IDENTIFIER.fullmatch(value) or _PATH.fullmatch(value) or "(" in value)


_IDENTIFIER: Final = re.compile(r"[A-Za-z]++(?:[_.:/-][A-Za-z]++)*+[_.:/-]?+\d{0,2}")
_PATH: Final = re.compile(r"[\w.~-]*/[\w./~-]*|[\w-]+(?:\.[\w-]+)+")

"""Find secrets that a sentence tells: `the password was changed to …`, `… がパスワードです`.

Each language has its names of a password and what leads from one to a value. A value in a sentence
has to look made up, unless it stands in quotes or the sentence can end in nothing else.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Final

from pce_memory.text.chosen import is_chosen, is_chosen_in_quotes
from pce_memory.text.fold import Span
from pce_memory.text.likeness import is_strong
from pce_memory.text.quick_search import QuickSearch, quick_search
from pce_memory.text.randomness import is_random

_VALUE: Final = (
    r"""(?:["'`“”‘’«»„「『]{1,2}\s?"""
    r"""(?P<quoted>[^"'`“”‘’«»„「」『』\n]{2,64}?)\s?["'`”“’‘»「」』]"""
    r"""|(?P<bare>[!#-&*+\--:=?-Z^_a-z~]{3,128}))"""
)
_PIN: Final = r"(?P<pin>[0-9](?:[ -]?[0-9]){2,8})(?![0-9A-Za-z%]|[.:,/-][0-9])"
_NAME: Final = r"(?:pass(?:word|wd|phrase|code|key)?|pwd|pw|log-?in|credentials?|wi-?fi key)"
_FOR: Final = r"(?:[ ](?:for|of|on|to|at|in|you|we|i|he|she|that|from)\b[^\n:=\"'.?!]{1,48}?)?"
_EN: Final = re.compile(
    rf"""
    (?<![A-Za-z]){_NAME}s?(?:'s|{_FOR}
      (?: [ ]?[-–—](?=\s) | [ ]?\([^()\n]{{1,24}}\)[ ]?[-–—:](?=\s)
        | [ ]{{1,3}}(?:(?:will|should|must|can|to)[ ]be|is|was|are|were|has[ ]been
          |have[ ]been|had[ ]been|becomes|became|got)
          (?:[ ](?:now|still|currently|just|again|simply|therefore|reset|set|changed|updated
            |rotated|replaced|switched|moved|to|with|by|back|set[ ]up|as|this
            |following)){{0,4}}[ ]?[:=]?
        | [ ]{{1,3}}(?:now|changed|set|reset|updated)[ ]to
      ))\s{{1,3}}(?:\*\*|_)?{_VALUE}
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SET: Final = re.compile(
    rf"""
    (?:set|chang|reset|updat|rotat|switch|mak|configur)\w{{0,4}}[ ](?:(?:the|my|your|our|his
      |her|its|a|an|new|root|admin|db|database)[ ]|[\w'-]{{1,16}}[ ]){{0,4}}?{_NAME}s?
    (?:[ ](?:for|of|on)[ ][^\n:=\"']{{1,32}}?)?[ ](?:to|as|=)[ :]{{1,2}}{_VALUE}
    """,
    re.VERBOSE | re.IGNORECASE,
)
# The value comes first.
_AS: Final = re.compile(
    rf"""
    (?:use|try|enter|type|with|used|using|pick|take|pasted|put|sent|gave|added
      |set|tried)[ ]{_VALUE}[ ](?:as|for)[ ](?:the|a|your
      |my|our|his|her|its)?[ ]?(?:[\w'-]{{1,16}}[ ]){{0,2}}?{_NAME}\b
    | (?<![\w/.-]){_VALUE.replace("quoted", "first").replace("bare", "plain")}[ ](?:is|was
      |will[ ]be)[ ](?:now[ ])?(?:the|my|your|our|his|her|its)[ ]
      (?:[\w'-]{{1,16}}[ ]){{0,2}}?{_NAME}\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ASKED: Final = re.compile(
    rf"""(?<![A-Za-z]){_NAME}[^\n?？]{{0,32}}[?？]["']?\s{{1,3}}(?:[A-Za-z]{{1,12}}:\s{{1,2}}|>\s?|-\s)?(?:it(?:'s|\sis)\s|that\sis\s|sure,\s|yes,\s|はい、)?{_VALUE}""",
    re.VERBOSE | re.IGNORECASE,
)
_LOGIN: Final = re.compile(
    r"""(?:log(?:ged)?[ ]?-?in|sign[ ]in|credentials?|creds|accounts?|user(?:name)?\s?
      (?:/|and|&)\s?pass(?:word|wd)?s?|u/p|id/pw|ログイン(?:情報)?|アカウント|認証情報)
    \s?(?:as|with|are|is|for|to|using|は|:|=|：){0,2}\s{0,3}
      (?:[\w-]{1,16}[ ])?["'`]?[A-Za-z0-9_.@-]{2,64}[ ]?(?P<sign>[:/])[ ]?
      (?P<bare>[!#-&*+\--:=?-Z^_a-z~]{4,128})""",
    re.VERBOSE | re.IGNORECASE,
)
_PINS: Final = re.compile(
    rf"""(?<![A-Za-z])(?:(?:unlock|door|gate|alarm|entry|safe|lock|garage|verification
      |one-?time|otp|2fa|security|access|login|device)[ ](?:pin[ ])?code|otp|pin(?:[ ](?:code
      |number))?|passcode|cvv|cvc)
    {_FOR}[ ]?(?:(?:is|was|will[ ]be|=|:|-|は|を)(?:[ ]now)?|(?:has[ ]been|was)[ ](?:changed
      |set|reset)[ ]to)\s{{0,3}}["'「]?{_PIN}""",
    re.VERBOSE | re.IGNORECASE,
)
_JAPANESE: Final = re.compile(
    rf"""
    (?:パスワード|パスコード|パスフレーズ|暗証番号|合言葉|PW|認証コード)(?:
        [はがをには]{{0,2}}(?:以下|次|下記|こちら|これ|つぎ)(?:の(?:とおり|通り|もの)|が)?(?:です|になります|となります)?\s?[:：。、]?\s{{0,4}}
      | (?:は|が|を|には|として|も|って)[、,]?\s?(?:現在|今は|今|いま|新しく|とりあえず|全部
        |共通で|仮に)?[、,]?\s?
      | \s?[(（]
    ){_VALUE}
    """,
    re.VERBOSE,
)
_JAPANESE_FIRST: Final = re.compile(
    rf"(?:(?<![!-~])){_VALUE}\s?」?(?:が|という|って(?:いう)?|を|は|の)[^\n。、]{{0,12}}?(?:パスワード|暗証番号|パスコード|合言葉|PW)(?!の|を(?:変|忘|再)|が(?:違|変)|は(?:必|別|変))"
)
_FOREIGN: Final = re.compile(
    rf"""
    (?: (?:passwor[td]|kennwort|losungswort|pin)(?:[ ](?:für|von|des|der|zum|am
      |fürs)[ ][^\n:=.]{{1,32}}?)?[ ](?:lautet|ist|war|wurde|heißt|wird)(?:[ ](?:jetzt|nun|auf
      |zu|neu|aktuell|also)){{0,2}}
      | mots?[ ]de[ ]passe(?:[ ](?:pour|de|du|des)[ ][^\n:=.]{{1,32}}?)?[ ]?(?:[ ](?:est
        |était|sera|devient)(?:[ ](?:maintenant|désormais|changé|en)){{0,2}}|[:=])
      | (?:contraseña|clave|contrasenya|contrasena)(?:[ ](?:del?|para|da
        |do)[ ][^\n:=.]{{1,32}}?)?[ ]?(?:[ ](?:es|era|será|fue|és)(?:[ ](?:ahora|cambiada
        |a)){{0,2}}|[:=])
      | (?:senha|palavra-passe)(?:[ ](?:d[oae]|para)[ ][^\n:=.]{{1,32}}?)?[ ]?(?:[ ](?:é|e
        |era|será|foi|agora)(?:[ ](?:agora|alterada|para|é)){{0,2}}|[:=])
      | (?:password|parola[ ]d'ordine|parola[ ]chiave|parola)(?:[ ](?:del|della|per|di
        |del)[ ][^\n:=.]{{1,32}}?)?[ ](?:è|e'|era|sarà)(?:[ ](?:ora|adesso|stata|cambiata
        |in)){{0,3}}
      | (?:wachtwoord)(?:[ ](?:voor|van)[ ][^\n:=.]{{1,32}}?)?[ ]?(?:[ ](?:is|was|wordt)
        (?:[ ](?:nu|gewijzigd|in)){{0,2}}|[:=])
      | (?:пароль|кодовое[ ]слово)(?:[ ](?:от|для|к|на)[ ][^\n:=.—-]{{1,32}}?)?\s?(?:[—–:=-]
        |теперь|изменён[ ]на|изменен[ ]на|—[ ]это|это)
      | (?:hasło|haslo|lösenord(?:et)?|losenord|şifre(?:si|niz|miz|m)?|sifre|parola|heslo
        |adgangskode|salasana|jelszó|mật[ ]khẩu|passord|kata[ ]sandi|sandi|κωδικός|סיסמה
        |كلمة[ ]المرور|รหัสผ่าน)
        (?:[ ](?:to|jest|är|er|on|je|là|adalah|olarak|είναι|היא|هي|คือ))?[ ]?[:=]?
      | (?:密码|密碼|口令)(?:已?[经經]?)?(?:是|为|為|改为|改為|改成|设为|設為|设置为|變成
        |变成|换成|：|:)了?
      | (?:비밀번호|비번|암호|패스워드)(?:는|은|를|을|가|이)?(?:[ ]지금|[ ]이제)?[ ]?[:：]?
    )\s{{0,3}}{_VALUE}
    """,
    re.VERBOSE | re.IGNORECASE,
)
_FOREIGN_HINTS: Final = (
    "ароль", "кодов", "asło", "ösenord", "ifre", "jelsz", "khẩu", "κωδικ", "סיסמה", "المرور",
    "รหัสผ่าน", "密码", "密碼", "口令", "비밀번호", "비번", "암호", "패스워드", "contraseña",
)  # fmt: skip
_FOREIGN_BEGINS: Final = re.compile(
    "(?i)пароль|кодовое|hasło|lösenord|şifre|jelszó|mật khẩu|κωδικός|סיסמה|كلمة"
    "|รหัสผ่าน|密码|密碼|口令|비밀번호|비번|암호|패스워드|contraseña"
)
_BEGINS: Final = (
    r"(?i)(?:pass(?:wor[td]|wd|phrase|code|key|ord)?|pwd|pw|log-?in|credentials?"
    r"|wi-?fi key|kennwort|losungswort|mots? de passe|contrase|contrasenya"
    r"|clave|senha|palavra-passe|parola|wachtwoord|haslo|losenord|sifre|heslo"
    r"|adgangskode|salasana|kata sandi|sandi)"
)
_SETS: Final = r"(?i)(?:set|chang|reset|updat|rotat|switch|mak|configur)[a-z]{0,4} "
_ASES: Final = (
    r"(?i)(?:(?:as|for) (?:the |a |your |my |our |his |her |its )?"
    r"(?:[a-z0-9'-]{1,16} ){0,2}|(?:is|was|will be) (?:now )?(?:the|my|your|our|his|her"
    r"|its) (?:[a-z0-9'-]{1,16} ){0,2})(?:pass|pw|login|credential)"
)
_LOGINS: Final = (
    r"(?i)(?:log(?:ged)?[ -]?in|sign in|cred|account|user(?:name)? ?(?:/|and|&) ?pass|u/p|id/pw)"
)
_CODES: Final = (
    r"(?i)(?:(?:unlock|door|gate|alarm|entry|safe|lock|garage|verification|one-?time"
    r"|security|access|login|device) (?:pin )?code|otp|2fa|pin|passcode|cvv|cvc)"
)
_JAPANESE_NAMES: Final = (
    "パス",
    "暗証番号",
    "合言葉",
    "PW",
    "認証コード",
    "ログイン",
    "アカウント",
    "認証情報",
)
TOLD_HINTS: Final = (_BEGINS, _LOGINS, _CODES)
UNWRITTEN_HINTS: Final = (*_JAPANESE_NAMES, *_FOREIGN_HINTS)
_FIRST: Final = 160
_TRAILING: Final = ".,:;!?。、)]}"
# What stands at the end of a sentence or a line.
_ENDED: Final = re.compile(r"[.!]?\s*(?:$|\n)|[.!] ")
_LONG: Final = 4


def told_secrets(text: str) -> Iterator[Span]:
    """Find them.

    >>> texts = "the password was changed to pelican77 today", "das Passwort lautet pelican77"
    >>> [text[a:b] for text in texts for a, b in told_secrets(text)]
    ['pelican77', 'pelican77']
    >>> list(told_secrets("the password is required"))
    []
    """
    sentences = chain(_in_ascii(text), () if text.isascii() else _in_other_scripts(text))
    for sentence in sentences:
        yield from _secrets(text, sentence)


def _in_ascii(text: str) -> Iterator[re.Match[str]]:
    for begin, _ in _search()(text):
        for pattern in (_EN, _ASKED, _FOREIGN, _SET, _LOGIN, _PINS):
            if sentence := pattern.match(text, begin):
                yield sentence
    for begin, _ in _ends()(text):
        yield from _AS.finditer(text, max(0, begin - _FIRST), begin + _FIRST)


def _in_other_scripts(text: str) -> Iterator[re.Match[str]]:
    if any(name in text for name in _JAPANESE_NAMES):
        for pattern in (_JAPANESE, _JAPANESE_FIRST, _LOGIN, _ASKED_JAPANESE):
            yield from pattern.finditer(text)
    if any(name in text for name in _FOREIGN_HINTS):
        for name in _FOREIGN_BEGINS.finditer(text):
            if sentence := _FOREIGN.match(text, name.start()):
                yield sentence


_ASKED_JAPANESE: Final = re.compile(
    rf"(?:パスワード|暗証番号|PW)[^\n?？]{{0,16}}[?？]\s{{0,3}}(?:[A-Za-z]:\s?|はい、)?{_VALUE}"
)


def _secrets(text: str, sentence: re.Match[str]) -> Iterator[Span]:
    groups = sentence.groupdict()
    if groups.get("pin"):
        yield sentence.span("pin")
    elif quoted := next((name for name in ("quoted", "first") if groups.get(name)), None):
        if is_chosen_in_quotes(sentence[quoted].strip()) and not _is_a_saying(sentence[quoted]):
            yield sentence.span(quoted)
    elif bare := next((name for name in ("bare", "plain") if groups.get(name)), None):
        start = sentence.start(bare)
        value = sentence[bare].strip("*").rstrip(_TRAILING) or sentence[bare]
        end = start + sentence[bare].index(value) + len(value)
        # An exclamation mark may be its last sign.
        if text[end : end + 1] == "!" and is_strong(value):
            end += 1
        if _is_made_up(value) or (
            _is_announced(text, sentence, start) and _is_last_word(text, value, end)
        ):
            yield end - len(text[start:end].lstrip("*")), end


def _is_a_saying(value: str) -> bool:
    return " " in value and not value.isascii()


def _is_made_up(value: str) -> bool:
    """Tell whether a value is no word of a sentence."""
    return (
        len(value) >= _LONG
        and is_strong(value)
        and is_chosen(value)
        and not _NUMBERED.fullmatch(value)
    )


# A word with a number, as `SHA-256` or `RFC2104`, a date, a size, a version.
_NUMBERED: Final = re.compile(
    r"[A-Z]{2,8}-?\d{1,5}|v?\d[\d.,:/-]*[A-Za-z%]{0,4}|\d+-[a-z-]+|[a-z]{1,3}\d|(?:https?://|www\.).*|\d[\d,.]*[-+x/]\d.*|[\w.-]+@[\w.-]+|[\w-]+\.(?:py|md|txt|json|ya?ml|com|org|io|net|jp|env|toml|sh)"
)


def _is_announced(text: str, sentence: re.Match[str], start: int) -> bool:
    """Tell whether a sign says that a value follows, and nothing else."""
    return text[sentence.start() : start].rstrip(" *")[-1:] in {":", "：", "="}


def _is_last_word(text: str, value: str, end: int) -> bool:
    return is_chosen(value) and not is_random(value) and _ENDED.match(text, end) is not None


@cache
def _search() -> QuickSearch:
    return quick_search([_BEGINS, _SETS, _LOGINS, _CODES])


@cache
def _ends() -> QuickSearch:
    return quick_search([_ASES])

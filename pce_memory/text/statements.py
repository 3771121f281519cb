"""Find secrets in statements of SQL, of shells and of routers: each says that one follows."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from pce_memory.text.chosen import is_chosen
from pce_memory.text.elements import is_in_its_place
from pce_memory.text.fold import Span
from pce_memory.text.likeness import is_strong
from pce_memory.text.quick_search import QuickSearch, quick_search
from pce_memory.text.secret_names import Claim, claim_of

_QUOTED: Final = r"""(?P<open>["'])(?P<value>[^"'\n]{1,256})(?P=open)"""
_STATEMENTS: Final = re.compile(
    rf"""
    (?: \bIDENTIFIED\s{{1,4}}(?:WITH\s{{1,4}}[\w'"`]{{1,64}}\s{{1,4}})?(?:BY|AS)\s{{1,4}}
      (?:PASSWORD\s{{1,4}}|VALUES\s{{1,4}})?
      | \b(?:WITH|LOGIN|ENCRYPTED|UNENCRYPTED|ROLE|USER|CREATEDB|SUPERUSER|NOINHERIT
        |INHERIT)\s{{1,4}}
        (?:LOGIN\s{{1,4}})?(?:(?:UN)?ENCRYPTED\s{{1,4}})?PASSWORD\s{{0,4}}=?\s{{0,4}}
      | \b(?:CREATE|ALTER)\s{{1,4}}(?:USER|ROLE|LOGIN)\s{{1,4}}\S{{1,64}}\s{{1,4}}PASSWORD\s{{1,4}}
      | \bPASSWORD\s?\(\s?
      | \bConvertTo-SecureString\s{{1,4}}(?:-\w{{1,16}}\s{{1,4}}){{0,3}}
    ) {_QUOTED}
    # Oracle takes a word.
    | \bIDENTIFIED\s{{1,4}}BY\s{{1,4}}(?P<word>[A-Za-z0-9_$\#]{{4,64}})(?=\s{{0,4}}(?:;|$|\n
      |DEFAULT|QUOTA|ACCOUNT|REPLACE))
    # What a router or server is configured by, at the begin of a line.
    | (?:^|\n)[ \t]{{0,8}}(?:enable|username\s{{1,4}}\S{{1,64}}
      (?:\s{{1,4}}privilege\s\d{{1,2}})?|line\s\S{{1,16}}|neighbor\s\S{{1,64}})
      \s{{1,4}}(?:secret|password)\s{{1,4}}(?:0\s{{1,4}})?(?P<router>\S{{4,128}})
    # In the clear, or coded so that anybody can read it.
    | (?:^|\n)[ \t]{{0,8}}(?:[\w.:/-]{{1,64}}[ \t]{{1,4}}){{0,6}}?
      (?:password|secret|key|key-string|pre-shared-key|passphrase)[ \t]{{1,4}}
      (?:0[ \t]{{1,4}}(?P<clear>\S{{4,128}})|7[ \t]{{1,4}}(?P<coded>[0-9A-F]{{8,128}}))
      (?=[ \t]*(?:\r?\n|$))
    | \bsnmp-server\s{{1,4}}community\s{{1,4}}(?P<community>\S{{4,64}})
    | (?:^|\n)[ \t]{{0,8}}(?:rootpw|bindpw|requirepass|masterauth|AUTH(?:\s{{1,4}}default)?)
      \s{{1,4}}(?:--plaintext\s{{1,4}})?(?P<server>[^\s"']{{4,128}})(?=[ \t]*(?:\r?\n|$))
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Where one may begin.
_BEGINS: Final = (
    r"(?i)identified\s+(?:with|by|as)\s",
    r"(?i)\b(?:create|alter)\s+(?:user|role|login)\s+\S+\s+password\s",
    (
        r"(?i)(?:with|login|encrypted|unencrypted|role|user|createdb|superuser|noinherit|inherit)\s+"
        r"(?:(?:login|encrypted|unencrypted)\s+){0,2}password"
    ),
    r"(?i)password\s?\(",
    (
        r"(?i)(?:^|\n)[ \t]*(?:[\w.:/-]+[ \t]+){0,6}?(?:password|secret|key|key-string"
        r"|pre-shared-key|passphrase)[ \t]+[07][ \t]"
    ),
    "(?i)convertto-securestring",
    "(?i)snmp-server",
    (
        r"(?i)(?:^|\n)[ \t]*(?:enable|username|line|neighbor|rootpw|bindpw|requirepass|masterauth"
        r"|auth)\s"
    ),
)
_LOCKED: Final = re.compile(
    r"\*?[0-9A-Fa-f]{40,64}|\$\w{1,8}\$.*|\{\w+\}.*|SCRAM-SHA-256\$.*|md5[0-9a-f]{32}"
)


def secrets_of_statements(text: str) -> Iterator[Span]:
    """Find them.

    >>> sql = "CREATE USER app IDENTIFIED BY 'pelican'; ALTER ROLE x WITH PASSWORD '${PW}'"
    >>> [sql[a:b] for a, b in secrets_of_statements(sql)]
    ['pelican']
    """
    for begin, _ in _search()(text):
        statement = _STATEMENTS.match(text, begin)
        kind = next(name for name in _KINDS if statement[name]) if statement else ""
        if statement and is_chosen(statement[kind]) and not _LOCKED.fullmatch(statement[kind]):
            yield statement.span(kind)


@cache
def _search() -> QuickSearch:
    return quick_search(_BEGINS)


_KINDS: Final = ("value", "word", "router", "clear", "coded", "community", "server")

# A line that is a name and a value, behind the word that sets a variable, or alone.
_DIRECTIVE: Final = re.compile(
    r"(?:^|\n)[ \t]{0,8}(?P<sets>(?:ENV|SetEnv|setx|setenv|set -g?x)[ \t]{1,4}"
    r"|\(?(?:setq|defvar|defconst|defparameter|def|set|option)[ \t]{1,4}"
    r"(?=[\w.-]{1,64}[ \t]{1,8}[\"']))?"
    r"(?P<name>[A-Za-z][\w.-]{1,64})[ \t]{1,8}(?P<open>[\"'])?(?P<value>[!-~]{4,256}?)"
    r"(?(open)(?P=open))(?=[ \t)]*(?:\r?\n|$))"
)
_LEAST_ALONE: Final = 6


def secrets_of_directives(text: str) -> Iterator[Span]:
    r"""Find the values of lines such as `ENV DB_PASS pelican` and `passphrase pel1can9`.

    >>> text = "FROM x\nENV DB_PASS pelican\n"
    >>> [text[a:b] for a, b in secrets_of_directives(text)]
    ['pelican']
    """
    for begin, _ in _directives()(text):
        line = _DIRECTIVE.match(text, begin)
        if line is None:
            continue
        claim, value = claim_of(line["name"]), line["value"]
        if line["sets"]:
            if claim >= Claim.TOKEN and is_in_its_place(value, claim):
                yield line.span("value")
        elif _is_alone(line["name"], value):
            yield line.span("value")


def _is_alone(name: str, value: str) -> bool:
    named = name == "secret" or claim_of(name) in {Claim.PASSWORD, Claim.SECRET}
    made_up = len(value) >= _LEAST_ALONE and is_strong(value)
    return named and made_up and is_in_its_place(value, Claim.PASSWORD)


@cache
def _directives() -> QuickSearch:
    return quick_search(
        [
            (
                r"(?:^|\n)[ \t]*(?:ENV|SetEnv|setx|setenv|set -g?x|\(?(?:setq|def[a-z]*|set"
                r"|option))[ \t]+[A-Za-z]"
            ),
            r"(?i)(?:^|\n)[ \t]*[\w.-]*(?:pass|pw|psk|secret)[\w.-]*[ \t]+[!-~]+[ \t]*(?:\r?\n|$)",
        ]
    )

"""Find secrets in statements of SQL, of shells and of routers: each says that one follows."""

import re
from collections.abc import Iterator
from typing import Final

from pce_memory.text.chosen import is_chosen
from pce_memory.text.fold import Span

_QUOTED: Final = r"""(?P<open>["'])(?P<value>[^"'\n]{1,256})(?P=open)"""
_STATEMENTS: Final = re.compile(
    rf"""
    (?: \bIDENTIFIED\s{{1,4}}(?:WITH\s{{1,4}}[\w'"`]{{1,64}}\s{{1,4}})?(?:BY|AS)\s{{1,4}}
      (?:PASSWORD\s{{1,4}}|VALUES\s{{1,4}})?
      | \b(?:WITH|LOGIN|ENCRYPTED|UNENCRYPTED|ROLE|USER|CREATEDB|SUPERUSER|NOINHERIT
        |INHERIT)\s{{1,4}}
        (?:LOGIN\s{{1,4}})?(?:(?:UN)?ENCRYPTED\s{{1,4}})?PASSWORD\s{{0,4}}=?\s{{0,4}}
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
    | \bsnmp-server\s{{1,4}}community\s{{1,4}}(?P<community>\S{{4,64}})
    | (?:^|\n)[ \t]{{0,8}}(?:rootpw|bindpw|requirepass|masterauth|AUTH(?:\s{{1,4}}default)?)
      \s{{1,4}}(?:--plaintext\s{{1,4}})?(?P<server>[^\s"']{{4,128}})(?=[ \t]*(?:\r?\n|$))
    """,
    re.VERBOSE | re.IGNORECASE,
)
_HINTS: Final = re.compile(
    "(?i)identified|password|securestring|community|enable|username|neighbor|rootpw|bindpw|requirepass"
    "|masterauth|auth"
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
    if not _HINTS.search(text):
        return
    for found in _STATEMENTS.finditer(text):
        kind = next(name for name in _KINDS if found[name])
        if is_chosen(found[kind]) and not _LOCKED.fullmatch(found[kind]):
            yield found.span(kind)


_KINDS: Final = ("value", "word", "router", "community", "server")

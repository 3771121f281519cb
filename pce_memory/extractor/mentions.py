"""The entities a text names outright: links, people, files, addresses, issues, identifiers."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from pce_memory.domain.vocabulary import EntityType
from pce_memory.text.fold import caseless
from pce_memory.text.redact import REDACTION_KINDS

MAX_NAME: Final = 256
"""A longer name is no name."""
_MAX_IDENTIFIER: Final = 100

# Kanji and katakana may stand in a name; hiragana is the grammar around it.
_NAME: Final = r"々〆ヶ\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff"
_ASCII: Final = "A-Za-z0-9_"
_FILE_CHARS: Final = rf"[{_ASCII}{_NAME}./@+-]"

# Every branch is bounded, and what it has taken it does not give back: linear on any text.
_FOUND: Final = re.compile(
    rf"""
    (?P<fence> ^[ \t>]{{0,16}} (?P<mark>```|~~~) [^`\n]{{0,200}} $ .*?
        (?: ^[ \t>]{{0,16}} (?P=mark) | \Z ) )
    | (?P<code> (?<!`) (?P<ticks>`{{1,3}}) (?!`) [^`\n]{{1,300}}+ (?P=ticks) (?!`) )
    | (?P<link> \[\[ [^\[\]\n]{{1,600}}+ \]\] )
    | (?P<url> (?<![{_ASCII}]) [A-Za-z][A-Za-z0-9+.-]{{1,20}}+ ://
        (?: [!#-;=?-\[_a-z~] | \](?!\() ){{1,2048}}+ )
    | (?P<issue> (?<![{_ASCII}&#/.+-])
        (?: [A-Za-z0-9][A-Za-z0-9-]{{0,38}}+ / [{_ASCII}.-]{{1,100}}+ )?
        \#[1-9][0-9]{{0,6}}+ (?! [{_ASCII}] | [.,][0-9] | -[{_ASCII}] ) )
    | (?P<actor> (?<![{_ASCII}{_NAME}./@＠`+\]-]) [@＠]
        (?: [A-Za-z_][{_ASCII}-]{{0,63}}+ | [{_NAME}]{{1,16}}+ )
        (?! [{_ASCII}{_NAME}@＠/(] | [.][{_ASCII}] ) )
    | (?P<rooted> (?<![\w./@＠~<:\\)\]%=&*+-]) (?: ~ | \.{{1,2}} )? / {_FILE_CHARS}{{1,1024}}+ )
    | (?P<path> (?<![{_ASCII}./@＠~<:\\%=&?\#*+-])
        [{_ASCII}.+-]{{1,255}}+ / {_FILE_CHARS}{{1,1024}}+ )
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_FILE: Final = re.compile(
    rf"[{_ASCII}{_NAME}@+.-]*[{_ASCII}{_NAME}]"
    r"(?P<extension>\.(?:[a-z][a-z0-9]{1,7}|[A-Z][A-Z0-9]{1,7}|[chmrsvCRS]|7z))(?![A-Za-z0-9_+-])"
)
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][\w.\-:/()]*")
_KNOWN_FILE: Final = re.compile(
    r"[\w.+-]{1,200}\.(?:bash|bat|c|cc|cfg|conf|cpp|cs|css|csv|db|docx?|duckdb|env|go|h|hpp|html?|"
    r"ini|ipynb|java|jsx?|json|jsonl|kt|lock|log|lua|md|mdx|mjs|parquet|pdf|php|pl|pptx?|png|"
    r"proto|ps1|py|pyi|rb|rs|rst|scala|scss|sh|sql|svg|swift|tex|toml|tsv|tsx?|txt|vue|xlsx?|xml|"
    r"ya?ml|zig|zip|zsh)|\.(?:env|editorconfig|git(?:ignore|attributes)|dockerignore|npmrc)"
)
_URL_PARTS: Final = re.compile(
    r"(?P<scheme>https?)://(?:[^/?#@]*@)*(?P<host>[a-z0-9][a-z0-9.-]{0,252}(?::[0-9]{1,5})?)"
    r"(?P<path>/[^?#;]*)?(?=[?#;]|$)",
    re.IGNORECASE,
)
_PLACEHOLDER: Final = re.compile(rf"\[(?:{'|'.join(sorted(REDACTION_KINDS))})\]")
_TRAILING: Final = ".,:;!?'*_~"

# "@here" calls everyone, and the others are words of code and style sheets: nobody among them.
_NOBODY: Final = re.compile(
    "all|author|channel|charset|classmethod|dataclass|deprecated|everyone|here|import|keyframes|"
    "latest|media|next|override|page|param|property|returns?|see|since|staticmethod|supports|"
    "team|throws|todo|type"
)
_RANKED: Final = re.compile(
    r"\s(?:cause|choice|concern|fan|favou?rite|goal|hit|issue|pick|priority|problem|reason|rule|"
    r"song|spot|tip)\b"
)


@dataclass(frozen=True, slots=True)
class MentionedEntity:
    """An entity a text names; two with one type and one canonical key are one."""

    type: EntityType
    name: str
    canonical_key: str


def mentions(text: str) -> tuple[MentionedEntity, ...]:
    """Return what `text` names, each entity once, in order of first appearance.

    >>> [one.canonical_key for one in mentions("[[DuckDB]] は @sato が src/db.py で使う (#12)")]
    ['duckdb', 'sato', 'src/db.py', '#12']
    >>> mentions("Write to hana@example.com, not to [email].")
    ()
    """
    found: dict[tuple[EntityType, str], MentionedEntity] = {}
    for one in _named(text):
        if len(one.name) <= MAX_NAME and 0 < len(one.canonical_key) <= MAX_NAME:
            _ = found.setdefault((one.type, one.canonical_key), one)
    return tuple(found.values())


def _named(text: str) -> Iterator[MentionedEntity]:
    for match in _FOUND.finditer(text):
        read = _READERS.get(match.lastgroup or "")
        one = read(match) if read else None
        if one is not None:
            yield one


def _artifact(name: str, key: str | None = None) -> MentionedEntity:
    return MentionedEntity("Artifact", name, name if key is None else key)


def _link(match: re.Match[str]) -> MentionedEntity | None:
    name = " ".join(match.group()[2:-2].partition("|")[0].split())
    key = caseless(name)
    if not any(map(str.isalnum, key)) or key in REDACTION_KINDS:
        return None
    return MentionedEntity("Concept", name, key)


def _actor(match: re.Match[str]) -> MentionedEntity | None:
    name = match.group()[1:].rstrip("-_")
    key = caseless(name)
    return None if not key or _NOBODY.fullmatch(key) else MentionedEntity("Actor", name, key)


def _issue(match: re.Match[str]) -> MentionedEntity | None:
    name = match.group()
    digits = name[1:]
    colour = name[0] == "#" and len(digits) in {3, 6} and len(set(digits)) == 1
    if colour or (name == "#1" and _RANKED.match(match.string, match.end())):
        return None
    return _artifact(name, name.casefold())


def _code(match: re.Match[str]) -> MentionedEntity | None:
    """Return the entity of a code span: one token that is an address, a file or an identifier."""
    inside = match.group().strip("`").strip()
    if "://" in inside:
        return None if " " in inside else _url(inside)
    if inside.startswith(("/", "./", "../", "~/")):
        found = _path(inside)
        return found if found is not None and found.name == inside else None
    if not 1 < len(inside) <= _MAX_IDENTIFIER:
        return None
    if _IDENTIFIER.fullmatch(inside) or _KNOWN_FILE.fullmatch(inside):
        return _artifact(inside, inside.removesuffix("()"))
    return None


def _url(said: str) -> MentionedEntity | None:
    """Return the address without user, query and fragment: secrets like to stand there."""
    parts = _URL_PARTS.match(_balanced(said))
    if parts is None:
        return None
    path = (parts["path"] or "").rstrip(_TRAILING)
    if _PLACEHOLDER.search(path):
        return None
    address = f"{parts['scheme']}://{parts['host']}".lower()
    return _artifact(address if path == "/" else address + path)


def _balanced(said: str) -> str:
    """Return an address up to the first bracket that closes what it did not open."""
    depth = 0
    for place, char in enumerate(said):
        depth += (char in "([") - (char in ")]")
        if depth < 0:
            return said[:place].rstrip(_TRAILING)
    return said.rstrip(_TRAILING)


def _path(said: str) -> MentionedEntity | None:
    """Return the file of a run with slashes; without a root it needs an extension."""
    folder, _, last = said.rpartition("/")
    file = _FILE.match(last)
    said = f"{folder}/{file.group()}" if file else said.rstrip(".-+@/")
    root, *parts = said.split("/")
    rooted = root in {"", ".", "..", "~"}
    if not parts or "" in parts or not (file or (rooted and _deep(root, parts))):
        return None
    # "Node.js/Express.js" is a choice of two, not a file in a folder.
    if file and not rooted and all(one.endswith(file["extension"]) for one in (root, *parts)):
        return None
    key = said
    while key.startswith("./"):
        key = key.removeprefix("./")
    return _artifact(said, key)


def _deep(root: str, parts: list[str]) -> bool:
    """Tell whether a path is more than a word behind a slash, such as "/help"."""
    return root != "" or (len(parts) > 1 and "".join(parts).isascii())


_READERS: Final[Mapping[str, Callable[[re.Match[str]], MentionedEntity | None]]] = {
    "code": _code,
    "link": _link,
    "url": lambda match: _url(match.group()),
    "issue": _issue,
    "actor": _actor,
    "rooted": lambda match: _path(match.group()),
    "path": lambda match: _path(match.group()),
}

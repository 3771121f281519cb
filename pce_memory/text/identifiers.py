r"""Words of programs: `snake_case`, `CamelCase`, paths, dotted names, versions, issues, flags.

A word as it is written becomes its parts, each a term of its own, and one term for every whole
that somebody may look for: `src/app_v2/main.py` is the words src, app, v2, main and py, and the
wholes `app_v2`, `main.py` and itself. Wholes of letters are the same however they are joined:
user_id, userId, UserID and user-id all hold the whole `userid`, which is also the word userid.
"""

import re
from typing import Final, NamedTuple

from pce_memory.text.stem import stem

ASCII_WORD: Final = re.compile(
    r"(?:(?<![\w-])--(?=[A-Za-z])|\#(?=[0-9])|(?<![\w.)\]}%!?>;*])\.(?=[A-Za-z]))?"
    r"[A-Za-z0-9]++(?:(?:_++|::|://|:\\|[-./\\@#+&:])[A-Za-z0-9]++)*+"
    r"(?:\+\+(?!\+)|(?<=(?<!\w)[A-Za-z])\#)?",
    re.ASCII,
)
"""A word as it is written, with what marks it: `--flag`, `#12`, `.NET`, `C++`, `C#`. Linear."""

_WHOLE_UP_TO: Final = 512  # what is longer is data, not a name
_STEPS_UP_TO: Final = 4  # of 1.2.3.4 also 1.2 and 1.2.3
_SHORTEST_HUMP: Final = 2  # iPhone, PhD and DBus are one word each

_MARKED: Final = re.compile(r"(--|\#|\.)?(.*?)(?:\+\+|\#)?", re.DOTALL)
_STEP: Final = re.compile(r"[/\\@&+#:]+")
_BAR: Final = re.compile("[-_]+")
_HUMP: Final = re.compile("(?<=[a-z0-9])(?=[A-Z][a-z]|[A-Z]{2})|(?<=[A-Z])(?=[A-Z][a-z]{2})")
# Between digits a hyphen tells 1-23 from 12-3, and a full stop 1.23 from 12.3; "U.S." is not "us".
_UNSAID: Final = re.compile(r"_+|(?<=[a-z])-|-(?=[a-z])|(?<=[a-z][a-z])\.(?=[a-z][a-z])")
_VERSION: Final = re.compile(r"^v(?=[0-9]+\.)")
_SCHEME: Final = re.compile("[a-z][a-z0-9]*://", re.IGNORECASE)
_NUMBERS: Final = re.compile(r"[0-9]+(?:\.[0-9]+)+")
# A full stop without a space behind it ends a sentence more often than it joins these two names.
_TWO_SENTENCES: Final = re.compile(r"[a-z0-9-]*[a-z0-9]\.[A-Z][a-z]*")
_LOOSE: Final = re.compile("[A-Za-z]+(?:-[A-Za-z]+)+|[A-Za-z]+/[A-Za-z]+|[0-9]+-[0-9]+")
_HASH: Final = re.compile("(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,}")
_HASHES: Final = re.compile("[0-9A-Fa-f]+(?:-[0-9A-Fa-f]+){2,}")
_MIXED: Final = re.compile("[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])")
_WITH_HYPHENS: Final = re.compile("[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")
_NUMBERED_UP_TO: Final = 32
_NUMBERED: Final = re.compile(
    "([a-z]{2,})([0-9]{1,8})([a-z]{2,})?|([0-9]{1,8})([a-z]{2,})|[a-z]([0-9]{4,8})", re.IGNORECASE
)
_ORDINAL: Final = frozenset(("st", "nd", "rd", "th"))
_UNIT: Final = re.compile(r"#[0-9]+(?![A-Za-z0-9])|[A-Za-z0-9]+(?:(?:\+\+|#)$)?")


class Written(NamedTuple):
    """The terms of one word as it is written: its parts, and what it is as a whole.

    `loose` are the wholes of words like well-known, and/or and 20-40. They are rare, but what a
    longer question asks for is their parts: asked for too, they would outweigh the rest of it.
    `beside` are the letters and the numbers of words like iPhone15: see `numbered`.
    """

    parts: tuple[str, ...]
    wholes: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


def written(word: str) -> Written:
    """Return the terms of a word that `ASCII_WORD` matches.

    A whole of which the stemmer would change letters is there twice: `get_users` is found as well
    as get_user is, and as itself.

    >>> written("running").parts, written("iPhone").parts
    (('run',), ('iphon',))
    >>> written("getUser").parts, written("getUser").wholes, written("users_id").wholes
    (('get', 'user'), ('getus', '=getuser'), ('usersid',))
    >>> written("v1.2.3").wholes, written("#12").wholes, written("C++").wholes
    (('1.2.3', '1.2'), ('#12',), ('c++',))
    >>> written("--dry-run").wholes, written("--dry-run").loose
    (('--dryrun',), ('dryrun',))
    >>> written("https://a.example/b_c").wholes
    ('a.example', 'bc', 'a.example/bc')
    """
    if word.isalnum():
        return _of_letters(word)
    lead, body = _marked(word)
    if len(body) > _WHOLE_UP_TO:
        return Written(units(word))
    parts: list[str] = []
    wholes: list[str] = []
    loose: list[str] = []
    steps = _STEP.split(body)
    for step in steps:
        _step(step, parts, wholes, loose)
    if len(steps) > 1:
        whole = _joined(_SCHEME.sub("", body, count=1))
        (loose if _LOOSE.fullmatch(body) else wholes).append(whole)
    wholes += (unit for unit in units(word) if not unit.isalnum())
    if lead in {"--", "."}:
        wholes.append(lead + _joined(body))
    beside = _beside(body, parts) if _MIXED.search(body) else ()
    return Written(tuple(parts), _spelled(wholes), _spelled(loose), beside)


def humps(word: str) -> list[str]:
    """Return the words that capitals part; a word that would leave single letters is whole.

    >>> humps("parseJSONBody"), humps("HTTPServer"), humps("LLMs"), humps("iPhone")
    (['parse', 'JSON', 'Body'], ['HTTP', 'Server'], ['LLMs'], ['iPhone'])
    """
    if word.islower() or word.isupper() or word.isdigit():
        return [word]
    parts = _HUMP.split(word)
    return parts if min(map(len, parts)) >= _SHORTEST_HUMP else [word]


def _of_letters(word: str) -> Written:
    each = humps(word)
    beside = () if word.isalpha() else numbered(word)
    if len(each) == 1:
        return Written((stem(word.lower()),), (), (), beside)
    parts = tuple([stem(hump.lower()) for hump in each])
    beside = tuple([term for term in beside if term not in parts])
    return Written(parts, _spelled([word.lower()]), (), beside)


def numbered(word: str) -> tuple[str, ...]:
    """Return the terms of the letters and of the number that one word is written of.

    Both are found, and asked for, beside the word. A word that goes to and fro between letters and
    digits has none, nor has a single letter with a short number: those are codes, hashes, keys.

    >>> numbered("iPhone15"), numbered("16GB"), numbered("3rd"), numbered("iPhone15Pro")
    (('iphon', '15'), ('16', 'gb'), ('3',), ('iphon', '15', 'pro'))
    >>> numbered("A123456"), numbered("UserService2")
    (('123456',), ('user', 'servic', 'userservic', '2'))
    >>> [numbered(word) for word in ("H2O", "v2", "4K", "HbA1c", "deadbeef4711", "x86")]
    [(), (), (), (), (), ()]
    """
    found = _NUMBERED.fullmatch(word) if len(word) <= _NUMBERED_UP_TO else None
    if found is None or _HASH.fullmatch(word):
        return ()
    terms: list[str] = []
    for piece in found.groups():
        if piece is None or piece.lower() in _ORDINAL:
            continue
        each = humps(piece)
        if len(each) > 1:
            terms += [stem(hump.lower()) for hump in each]
        terms.append(stem(piece.lower()))
    return tuple(terms)


def units(word: str) -> tuple[str, ...]:
    """Return the terms that a quotation of a word has to match one by one; capitals part none.

    >>> units("getUser/#12"), units("src.main"), units("C++")
    (('getus', '#12'), ('src', 'main'), ('c++',))
    """
    return tuple(
        stem(unit.lower()) if unit.isalnum() else unit.lower() for unit in _UNIT.findall(word)
    )


def _marked(word: str) -> tuple[str, str]:
    """Return the flag's dashes or the full stop before a word, and the word alone."""
    found = _MARKED.fullmatch(word)
    lead, body = found.groups("") if found else ("", word)
    return lead, body


def _step(step: str, parts: list[str], wholes: list[str], loose: list[str]) -> None:
    """Add the terms of what stands between the slashes of a path."""
    names = step.split(".")
    for name in names:
        _name(name, parts, wholes, loose)
    if len(names) > 1 and not (len(names) == 2 and _TWO_SENTENCES.fullmatch(step)):  # noqa: PLR2004
        whole = _joined(step)
        wholes.append(whole)
        if _NUMBERS.fullmatch(whole):
            numbers = whole.split(".")
            last = min(len(numbers), _STEPS_UP_TO)
            wholes += (".".join(numbers[:count]) for count in range(2, last))


def _beside(body: str, parts: list[str]) -> tuple[str, ...]:
    """Return the terms beside each word of a longer one, but for those it has; a UUID has none."""
    return tuple(
        term
        for name in _WITH_HYPHENS.findall(body)
        if not _HASHES.fullmatch(name)
        for word in name.split("-")
        for term in numbered(word)
        if term not in parts
    )


def _name(name: str, parts: list[str], wholes: list[str], loose: list[str]) -> None:
    """Add the terms of what stands between full stops."""
    words = _BAR.split(name)
    count = 0
    for word in words:
        each = humps(word)
        count += len(each)
        parts += (stem(hump.lower()) for hump in each)
        if len(each) > 1 and len(words) > 1:
            wholes.append(word.lower())
    if count > 1:
        plain = count == len(words) and _LOOSE.fullmatch(name)
        (loose if plain else wholes).append(_joined(name))


def _joined(name: str) -> str:
    return _VERSION.sub("", _UNSAID.sub("", name.lower()))


def _spelled(wholes: list[str]) -> tuple[str, ...]:
    """Return wholes as terms: stemmed, so that a plain word is found by them, and as they are."""
    terms: dict[str, None] = {}
    for whole in wholes:
        if not whole.isalnum():
            terms[whole] = None
            continue
        short = stem(whole)
        terms[short] = None
        if short != whole:
            terms[f"={whole}"] = None
    return tuple(terms)


def is_code(text: str) -> bool:
    """Return whether a text has a word as programs are written in, a path or an address.

    >>> is_code("where is main.py"), is_code("getUser"), is_code("where is the lamp")
    (True, True, False)
    """
    return any(written(word).wholes for word in ASCII_WORD.findall(text))

"""What a person or a model typed to search, read: what is asked for, quoted, and left out."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from pce_memory.text.emoji import EMOJI
from pce_memory.text.phrases import needed_terms
from pce_memory.text.stop_words import without_stop_terms
from pce_memory.text.tokenizer import NGRAMS, Tokenizer

MAX_QUOTED: Final = 16
"""So many phrases and so many exclusions are read; the rest of them are words like others."""

_LONGEST: Final = 256
# A straight mark opens only where no word goes before it, and closes where none goes on: 5" is
# five inches. A hyphen leaves out only at the start of a word.
_QUOTED: Final = (
    rf"(?<![A-Za-z0-9])[\"＂](?P<straight>[^\"＂]{{1,{_LONGEST}}})[\"＂](?![A-Za-z0-9])"
    rf"|“(?P<curly>[^“”]{{1,{_LONGEST}}})”"
    rf"|「(?P<single>[^「」]{{1,{_LONGEST}}})」"
    rf"|『(?P<double>[^『』]{{1,{_LONGEST}}})』"
)
_MINUS: Final = r"(?<![^ \t\u3000])[-－]"
# Vowels and tones that stand above, below and behind letters: \w does not match them.
_INDIC: Final = (0x0900, 0x2000)
_MARKS: Final = "".join(
    char
    for char in map(chr, (*range(0x0300, _INDIC[1]), *range(0xA800, 0xAC00)))
    if unicodedata.category(char)[0] == "M"
)
_FORMS: Final = re.compile(
    rf"(?P<minus>{_MINUS})?(?:{_QUOTED})"
    rf"|{_MINUS}(?P<word>(?:[~.]?/|\#(?=[0-9]))?[^\W_][\w{_MARKS}.'’@/+#-]*|{EMOJI})"
    r"(?=[\s,;:!?)、。，．！？]|\Z)"
)
# The vowels of the scripts of India and its neighbours are letters as others are; accents are not.
_LETTERS: Final = re.compile(
    rf"[^\W\d_]|[{''.join(char for char in _MARKS if _INDIC[0] <= ord(char) < _INDIC[1])}]"
)
_CJK: Final = re.compile(
    "[\u3005-\u3007\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]"
)
_EMOJI: Final = re.compile(EMOJI)
_ISSUE: Final = re.compile(r"#[0-9]+")
_SPACES: Final = " \t\u3000"
_FEWEST_LETTERS: Final = 3
_FEWEST_CJK: Final = 2


@dataclass(frozen=True, slots=True)
class Asked:
    """A query as it was read.

    `text` is what was typed without what it leaves out: that is embedded. `terms` are what the
    lexical index is asked for, each once. `phrases` were quoted, and nothing of `excluded` may be
    in an answer; both are judged by `holds_phrase`. `is_quotation` tells whether nothing but
    phrases was asked for: a longer question mostly quotes a name that its answer need not repeat.
    """

    text: str
    terms: tuple[str, ...]
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    is_quotation: bool = False


def read_query(typed: str, tokenizer: Tokenizer = NGRAMS) -> Asked:
    r"""Return what was asked; any text is a query.

    A phrase stands in "double", “curly” or 「Japanese」 quotation marks. What is left out stands
    behind a hyphen that begins a word: a word of three letters (two of CJK, or one of each) or
    more, the number of an issue, an emoji, or a phrase. So `rm -rf`, `--flag`, `-5`, `-p8080`,
    `e-mail` and `- item` leave out nothing.

    >>> asked = read_query('"red lamp" office -kitchen')
    >>> asked.text, asked.terms, asked.phrases, asked.excluded
    ('"red lamp" office', ('red', 'lamp', 'offic'), ('red lamp',), ('kitchen',))
    >>> read_query("「退会 API」 －旧版").phrases, read_query("「退会 API」 －旧版").excluded
    (('退会 API',), ('旧版',))
    >>> read_query("rm -rf --force -5 e-mail - item").excluded, read_query("-kitchen").terms
    ((), ())
    """
    phrases: dict[str, None] = {}
    excluded: dict[str, None] = {}
    kept: list[str] = []
    done = 0
    for found in _FORMS.finditer(typed):
        said = _said(found)
        if found["minus"] is None and found["word"] is None:
            if len(phrases) < MAX_QUOTED and needed_terms(said):
                phrases[said] = None
        elif len(excluded) < MAX_QUOTED and _leaves_out(found, said, typed):
            excluded[said] = None
            kept.append(typed[done : found.start()].rstrip(_SPACES))
            done = found.end()
    text = "".join([*kept, typed[done:]]).lstrip(_SPACES) if excluded else typed
    # Of what is quoted even the words that only ask are meant.
    terms = without_stop_terms(tokenizer.query_terms(text))
    terms += (term for phrase in phrases for term in tokenizer.query_terms(phrase))
    return Asked(
        text=text,
        terms=tuple(dict.fromkeys(terms)),
        phrases=tuple(phrases),
        excluded=tuple(excluded),
        is_quotation=bool(phrases) and not needed_terms(_FORMS.sub(" ", text)),
    )


def _said(found: re.Match[str]) -> str:
    said = next(
        (group for name, group in found.groupdict().items() if group and name != "minus"), ""
    )
    return said.rstrip(".'’-") if found["word"] else said.strip()


def _leaves_out(found: re.Match[str], said: str, typed: str) -> bool:
    if _begins_line(typed, found.start()):
        return False
    if found["minus"] is not None:
        return bool(needed_terms(said))
    if _ISSUE.fullmatch(said) or _EMOJI.fullmatch(said):
        return True
    cjk = len(_CJK.findall(said))
    others = len(_LETTERS.findall(said)) - cjk
    return cjk >= _FEWEST_CJK or others >= _FEWEST_LETTERS or min(cjk, others) > 0


def _begins_line(typed: str, place: int) -> bool:
    """Tell whether a hyphen is a list's: it begins one of several lines."""
    line = typed.rfind("\n", 0, place) + 1
    return not typed[line:place].strip() and "\n" in typed.strip()

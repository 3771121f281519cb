"""Quoted phrases: whether a text holds one, and which terms every text has that does."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from pce_memory.text.emoji import emoji_in
from pce_memory.text.identifiers import units
from pce_memory.text.kana import without_final_bars
from pce_memory.text.runs import KATAKANA, MARK, Run, runs
from pce_memory.text.tokens import plain_latin

_CUT: Final = "\x1f"
_GAP: Final = "\x1e"
_PAIR: Final = 2
_OF_WORD: Final = frozenset((KATAKANA, MARK))
_BAR: Final = re.compile("[ーｰ]")
_LEADS: Final = re.compile(r"^(?:--|\.)")
# Scripts that write no spaces, and Hangul, whose endings follow a word without one.
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\ua960-\ua97f\uac00-\ud7ff]"
)


def holds_phrase(text: str, phrase: str) -> bool:
    """Tell whether the words of `phrase` stand in `text` one behind the other.

    Words are compared as the index has them: by stem, width and case, whatever stands between
    them. Of scripts without spaces a phrase is any piece, with nothing between its characters; the
    final bar of a long katakana word does not count. Emoji stand between words as signs do, but
    for a phrase that has one. A phrase without words is in no text.

    >>> holds_phrase("Runs the Auth-Server, daily", "auth server"), holds_phrase("a, b", "b a")
    (True, False)
    >>> holds_phrase("サーバー管理のＡＰＩ", "サーバ管理"), holds_phrase("機械、学習", "機械学習")
    (True, False)
    """
    emoji = next(emoji_in(phrase), None) is not None
    return any(
        f"{_CUT}{said}{_CUT}" in f"{_CUT}{whole}{_CUT}"
        for bars in ((True, False) if _BAR.search(text) or _BAR.search(phrase) else (True,))
        for whole in [_CUT.join(_units(text, bars=bars, emoji=emoji))]
        for said in _sayings(phrase, bars=bars)
    )


def needed_terms(phrase: str) -> tuple[str, ...]:
    """Return the terms that are among `terms` of every text that holds the phrase, each once.

    >>> needed_terms("auth-server"), needed_terms("サーバー管理")
    (('auth', 'server'), ('サ', 'ー', 'バ', '管', '理', 'サー', 'ーバ', '管理'))
    """
    return tuple(dict.fromkeys(term for run in runs(phrase) for term in needed_of(run)))


def loose_terms(terms: Iterable[str], query: str) -> tuple[str, ...]:
    """Return the terms of a query that are also in a text which runs on around its words.

    A script without spaces has no whole words, only their pairs: a word in the middle of a
    sentence has the same pairs, and no term of its own.

    >>> loose_terms(["แม", "มว", "แมว", "cat"], "แมว cat"), loose_terms(["سلام"], "سلام")
    (('แม', 'มว', 'cat'), ('سلام',))
    """
    whole = {run.text for run in runs(query) if run.kind == "other" and _is_unspaced(run)}
    return tuple(term for term in terms if len(term) <= _PAIR or term not in whole)


def _sayings(phrase: str, *, bars: bool) -> Iterator[str]:
    """Yield a phrase as its units: as it stands, and with nothing where it has gaps."""
    said = list(_units(phrase, bars=bars, emoji=True))
    closed = [unit for unit in said if unit != _GAP]
    if closed:
        yield _CUT.join(said)
        yield _CUT.join(closed)


def _units(text: str, *, bars: bool, emoji: bool) -> Iterator[str]:
    before = ""
    for run in runs(text):
        if run.kind == "emoji" and not emoji:
            continue
        unspaced = _is_unspaced(run)
        # Two such runs are two because something stands between them.
        if unspaced and before == run.kind:
            yield _GAP
        before = run.kind if unspaced else ""
        if run.kind == "ascii":
            yield from _LEADS.findall(run.text)
            yield from units(run.text)
        elif run.kind == "cjk":
            yield from run.text if bars else without_final_bars(run.text, run.kinds)[0]
        elif run.kind == "emoji":
            yield run.text
        elif unspaced:
            yield from run.text
        else:
            yield plain_latin(run.text)


def _is_unspaced(run: Run) -> bool:
    return run.kind == "cjk" or (run.kind == "other" and bool(_UNSPACED.search(run.text)))


def needed_of(run: Run) -> Iterator[str]:
    """Yield the terms that are in every text that holds one run of a phrase."""
    if run.kind == "ascii":
        yield from units(run.text)
    elif run.kind == "latin":
        yield plain_latin(run.text)
    elif run.kind == "emoji":
        yield run.text
    elif run.kind == "other":
        yield from (*run.text, *map("".join, pairwise(run.text)))
    else:
        text, kinds = without_final_bars(run.text, run.kinds)
        yield from text
        for (one, other), (kind, following) in zip(pairwise(text), pairwise(kinds), strict=True):
            # Where a katakana word ends, a text may have its bar.
            if kind not in _OF_WORD or following in _OF_WORD:
                yield one + other

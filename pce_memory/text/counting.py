"""How many words a text has, about: of scripts without spaces they are counted by characters."""

import re
from typing import Final

from pce_memory.text.runs import HIRAGANA, KANJI, KATAKANA, runs

_CJK_A_WORD: Final = 2
_OTHERS_A_WORD: Final = 4  # a vowel that stands above or below a letter is a character of its own
_WORDS: Final = re.compile(f"{KATAKANA}+|[{HIRAGANA}{KANJI}]+")
# Thai, Lao, Tibetan, Myanmar, Khmer.
_UNSPACED: Final = re.compile("[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff]+")


def count_words(text: str) -> int:
    """Return about how many words a text has; what stands between spaces is at least one.

    A stretch of kanji and kana counts one for two characters, one of katakana is one word,
    and an emoji beside a word is none.

    >>> count_words("where is main.py?"), count_words("サーバー管理"), count_words("解約の手続き")
    (3, 2, 3)
    >>> count_words("預算審批流程由誰負責"), count_words("กรุงเทพเป็นเมืองหลวง"), count_words("!? …")
    (5, 5, 2)
    """
    return sum(max(1, _of_piece(piece)) for piece in text.split())


def _of_piece(piece: str) -> int:
    if piece.isascii():
        return 1
    return sum(_of_run(run.kind, run.text, run.kinds) for run in runs(piece))


def _of_run(kind: str, text: str, kinds: str) -> int:
    if kind == "emoji":
        return 0
    if kind == "cjk":
        return sum(
            1 if found[0][0] == KATAKANA else max(1, len(found[0]) // _CJK_A_WORD)
            for found in _WORDS.finditer(kinds)
        )
    unspaced = sum(map(len, _UNSPACED.findall(text)))
    return max(1, unspaced // _OTHERS_A_WORD)

"""Katakana words as they are written one way or another: サーバ, サーバー; ウィルス, ウイルス."""

import re
from typing import Final

KATAKANA_WORD: Final = re.compile("kk[km]+")
"""A katakana word of a run, in the letters of `Run.kinds`."""

_LONG_WORD: Final = 4
_SMALL: Final = str.maketrans("ァィゥェォヵヶ", "アイウエオカケ")


def without_final_bar(word: str) -> str:
    """Return a katakana word without the bar at its end, which is optional from four letters on.

    >>> without_final_bar("サーバー"), without_final_bar("コピー")
    ('サーバ', 'コピー')
    """
    return word.removesuffix("ー") if len(word) >= _LONG_WORD else word


def word_key(word: str) -> str:
    """Return the one form of the ways to write a katakana word.

    The bars within go only where four letters are left: ビール is not ビル.

    >>> word_key("ユーザーインターフェース") == word_key("ユーザインタフェース")
    True
    >>> word_key("ソフトウェア"), word_key("サーバー"), word_key("パーティー")
    ('ソフトウエア', 'サーバ', 'パーテイ')
    """
    short = without_final_bar(word)
    if len(short) < _LONG_WORD:
        return short
    bare = short.replace("ー", "")
    return (bare if len(bare) >= _LONG_WORD else short).translate(_SMALL)


def without_final_bars(text: str, kinds: str) -> tuple[str, str]:
    """Return a CJK run, and its kinds, with the optional bars of its katakana words gone.

    >>> without_final_bars("サーバー管理", "kkkkcc")
    ('サーバ管理', 'kkkcc')
    """
    words = (found.span() for found in KATAKANA_WORD.finditer(kinds))
    bars = {
        end - 1 for start, end in words if without_final_bar(text[start:end]) < text[start:end]
    }
    if not bars:
        return text, kinds
    kept = [place for place in range(len(text)) if place not in bars]
    return "".join(text[place] for place in kept), "".join(kinds[place] for place in kept)

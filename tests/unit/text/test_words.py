"""Words of a list are found whatever their case, width and accents, and only where they are words."""

import pytest

from pce_memory.text.words import MAX_CHARS, word_list


def found(words: list[str], text: str) -> list[str]:
    return [text[start:end] for start, end in word_list(tuple(words)).find(text)]


@pytest.mark.parametrize(
    ("words", "text", "parts"),
    [
        (["Sato"], "Sato, SATO, sato and ｓａｔｏ", ["Sato", "SATO", "sato", "ｓａｔｏ"]),
        (["Sato"], "Satoshi, Misato, sato2, a_sato", ["sato"]),
        (["Sato"], "担当はSatoさん", ["Sato"]),
        (["佐藤"], "担当は佐藤さん、近佐藤", ["佐藤", "佐藤"]),
        (["ｻﾄｳ"], "サトウ様", ["サトウ"]),
        (["José"], "Jose Jose\u0301 José JOSÉ", ["Jose", "Jose\u0301", "José", "JOSÉ"]),
        (["de la Cruz"], "De La\nCruz, de\u3000la cruz", ["De La\nCruz", "de\u3000la cruz"]),
        (["Sa\u200bto"], "Sato S\u00adato", ["Sato", "S\u00adato"]),
        # The longer one, wherever it begins.
        (["佐藤", "佐藤健"], "佐藤健", ["佐藤健"]),
        (["a b", "a", "b cd"], "a b cd", ["a b cd"]),
        (["佐藤健", "健二郎さん"], "佐藤健二郎さん", ["佐藤健二郎さん"]),
        (["C++", ".NET"], "C++ and .NET, C++x", ["C++", ".NET", "C++"]),
        (["ß"], "ß ss", ["ß"]),
        (["İstanbul"], "istanbul İSTANBUL", ["istanbul", "İSTANBUL"]),
        (["\u200b", " "], "a \u200b b", []),
        ([], "anything", []),
        (["a"], "", []),
        (["x" * MAX_CHARS], "x" * MAX_CHARS, ["x" * MAX_CHARS]),
        (["abcdef"], "abc", []),
    ],
)
def test_find(words: list[str], text: str, parts: list[str]) -> None:
    assert found(words, text) == parts


def test_a_list_is_prepared_once() -> None:
    assert word_list(("a", "b")) is word_list(("a", "b"))


@pytest.mark.parametrize(
    ("word", "text", "found"),
    [
        ("Taro Yamada", "to Taro  Yamada now", "Taro  Yamada"),
        ("Taro Yamada", "to TARO\n\n\u3000Yamada now", "TARO\n\n\u3000Yamada"),
        ("山田太郎", "係は山田\u3000太郎です", "山田\u3000太郎"),
        ("山田 太郎", "係は山田太郎です", "山田太郎"),
        ("山田太郎", "係は山田\n太郎です", "山田\n太郎"),
    ],
)
def test_blanks_hide_no_word(word, text, found):
    assert [text[start:end] for start, end in word_list((word,)).find(text)] == [found]

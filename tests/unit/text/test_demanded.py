"""Which terms of a query every text must hold: words, not what joins them."""

import pytest
from hypothesis import given

from pce_memory.text.asked import read_query
from pce_memory.text.demanded import demanded_terms
from pce_memory.text.tokens import terms
from tests.strategies import odd_texts, sentences, storable

HOLDING = [
    ("会議が火曜日", "会議は毎週火曜日の午前に行う"),
    ("会議を火曜日に", "火曜日の会議"),
    ("設定を変更したい", "設定の変更は管理者が行う"),
    ("お金の管理", "金の管理"),
    ("ログインできない人", "ログインする人"),
    ("サーバー管理", "メールサーバの管理"),
    ("ねこがすき", "すきなのはねこ"),
    ("会议的时间", "时间：会议在星期二"),
    ("회의가 화요일에", "회의는 화요일이다"),
    ("What's Ken's lamp?", "The lamp of Ken"),
    ("don't deploy on a Friday", "Friday: we deploy no more, nor do you; don"),
    ("dry-run of the build", "a build that runs dry"),
    ("snake_case limit", "the limit of the snake, in that case"),
]
LACKING = [
    ("会議が火曜日", "会議は毎週水曜日の午前に行う"),
    ("会議が火曜日", "会は議なし、火曜日"),
    ("サーバー管理", "ブラウザの管理"),
    ("会议的时间", "会议的地点"),
    ("회의가 화요일에", "회의는 수요일이다"),
    ("Ken's lamp", "The lamp of Alice"),
]


def holds(text: str, query: str) -> bool:
    return set(demanded_terms(read_query(query))) <= set(terms(text))


@pytest.mark.parametrize(("query", "text"), HOLDING)
def test_what_joins_words_is_not_demanded(query: str, text: str):
    assert holds(text, query)


@pytest.mark.parametrize(("query", "text"), LACKING)
def test_every_word_is_demanded(query: str, text: str):
    assert not holds(text, query)


@given(query=sentences | storable | odd_texts)
def test_terms_are_demanded_where_any_are_asked_for(query: str):
    asked = read_query(query)
    demanded = demanded_terms(asked)
    assert set(demanded) <= set(asked.terms)
    assert bool(demanded) == bool(asked.terms)


@given(text=sentences | storable)
def test_a_text_holds_what_is_demanded_of_it(text: str):
    assert set(demanded_terms(read_query(text))) <= set(terms(text))


def test_terms_of_another_tokenizer_stay():
    class Words:
        id = "words@1"

        def terms(self, text: str) -> list[str]:
            return text.split()

        def query_terms(self, text: str) -> list[str]:
            return text.split()

        def needed_terms(self, phrase: str) -> list[str]:
            return phrase.split()

    asked = read_query("meeting-notes 会議室 について", Words())
    assert demanded_terms(asked) == ("meeting-notes", "会議室", "について")

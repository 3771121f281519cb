"""Whatever piece of a text is asked for, the text is found; and the stems are DuckDB's."""

import pytest
from hypothesis import given, strategies as st

from pce_memory.text.tokens import TOKENIZER_ID, query_terms, term_hash, terms

UNSPACED = {
    "japanese": "昨日はありがとうございましたサーバーの設定をカタカナで書き換えてすし屋に行く",
    "chinese": "我们决定从下个版本开始使用新的认证服务器",
    "thai": "เราตัดสินใจย้ายเซิร์ฟเวอร์ยืนยันตัวตน",
    "korean": "다음릴리스부터인증서버를옮기기로했습니다",
    "russian": "восстановление",
    "hindi": "प्रमाणीकरण",
    "arabic": "المصادقة",
    "greek": "επικύρωση",
}
PARTS = [
    ("snake_case_name", ["snake", "case", "name"]),
    ("foo-bar", ["foo", "bar"]),
    ("user@host.example", ["user", "host", "exampl"]),
    ("src/app/main.py", ["src", "app", "main", "py"]),
    ("550e8400-e29b-41d4-a716-446655440000", ["550e8400", "e29b", "41d4", "a716", "446655440000"]),
    ("camelCase", ["camelcas"]),
    ("v1.2.3", ["v1", "2", "3"]),
    ("2025年12月", ["2025", "年", "12", "月"]),
    ("ＡＢＣ１２３", ["abc123"]),
    ("don't", ["don", "t"]),
    ("running runs ran", ["run", "run", "ran"]),
    ("naïve", ["naïve", "naive"]),
    ("\u200bzero\u00adwidth\u200d", ["zerowidth"]),
    ("🎉 !!! --", []),
    ("", []),
    ("\u0301", []),
]  # fmt: skip
# What DuckDB's stem(word, 'porter') returns; equal on 460,000 words when it was compared.
STEMS = {
    "agreed": "agre", "plastered": "plaster", "motoring": "motor", "conflated": "conflat",
    "hopping": "hop", "relational": "relat", "conditional": "condit", "vietnamization": "vietnam",
    "predication": "predic", "operator": "oper", "feudalism": "feudal", "decisiveness": "decis",
    "hopefulness": "hope", "formality": "formal", "electrical": "electr", "adjustment": "adjust",
    "replacement": "replac", "dying": "dy", "skies": "ski", "policies": "polici", "happily": "happili",
}  # fmt: skip


@pytest.mark.parametrize("text", UNSPACED.values(), ids=UNSPACED.keys())
@pytest.mark.parametrize("length", [1, 2, 3, 6])
def test_any_piece_finds_the_text(text: str, length: int) -> None:
    whole = set(terms(text))
    for start in range(len(text) - length + 1):
        piece = text[start : start + length]
        asked = query_terms(piece)
        assert asked, piece
        assert whole.intersection(asked), piece


@given(st.sampled_from(sorted(UNSPACED.values())), st.data())
def test_every_pair_of_a_piece_is_in_the_text(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 2))
    end = data.draw(st.integers(start + 2, len(text)))
    pairs = {term for term in query_terms(text[start:end]) if len(term) == 2}
    assert pairs <= set(terms(text))


@pytest.mark.parametrize(("text", "expected"), PARTS)
def test_parts(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(("word", "stem"), STEMS.items())
def test_english_words_are_stemmed(word: str, stem: str) -> None:
    assert terms(word) == [stem]


def test_a_hiragana_text_is_found_by_itself() -> None:
    assert set(query_terms("ありがとう")) <= set(terms("昨日はありがとうございました"))


def test_a_query_asks_neither_for_endings_nor_for_single_kana() -> None:
    asked = query_terms("設定を変更しました")
    assert {"設定", "変更", "設", "定", "を変"} <= set(asked)
    assert not {"しま", "まし", "した", "し"} & set(asked)


def test_width_case_and_composition_do_not_matter() -> None:
    assert terms("ｻｰﾊﾞｰ API") == terms("サーバー ａｐｉ") == terms("サーハ\u3099ー Api")
    assert set(terms("サーバ")) & set(terms("サーバー")) >= {"サーバ"[:2], "サ"}


@given(st.text())
def test_a_query_asks_only_for_what_texts_are_indexed_under(text: str) -> None:
    asked = query_terms(text)
    assert set(asked) <= set(terms(text))
    assert len(asked) == len(set(asked))
    assert bool(asked) == bool(terms(text))


@given(st.text(), st.text())
def test_a_space_cuts(one: str, other: str) -> None:
    assert terms(f"{one} . {other}") == terms(one) + terms(other)


@given(st.text())
def test_terms_are_whole_words(text: str) -> None:
    for term in terms(text):
        assert term
        assert not any(map(str.isspace, term))


@given(st.text(min_size=1))
def test_a_hash_is_a_ubigint(term: str) -> None:
    assert 0 <= term_hash(term) < 2**64
    assert term_hash(term) == term_hash(term)


def test_a_changed_tokenizer_needs_a_new_id() -> None:
    # Stored postings were made by it: whoever changes these values has to change the id.
    assert TOKENIZER_ID == "cjk-bigram-porter-v1"
    golden = terms("解約APIは、サーバーのrunningを止める。ไทย 한국어 café")
    assert [term_hash(term) for term in ("解約", "api", "run")] == [
        1846445171565412800, 8416941403251092289, 10773672743070944251,
    ]  # fmt: skip
    assert len(golden) == 37


def test_a_megabyte_of_one_word_is_one_term() -> None:
    assert len(terms("a" * 2**20)) == 1
    assert len(terms("漢" * 2**18)) == 2**19 - 1

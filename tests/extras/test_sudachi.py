"""The tokenizer with a dictionary, run for real."""

import re
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from itertools import chain
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pce_memory import Memory
from pce_memory.adapters.tokenizers import SudachiTokenizer, resolve_tokenizer
from pce_memory.deps import Tokenizer
from pce_memory.text import tokens
from pce_memory.text.asked import read_query
from pce_memory.text.phrases import holds_phrase

for package in ("sudachipy", "sudachidict_small"):
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed; see make test-extras", allow_module_level=True)

pytestmark = pytest.mark.extras

SAME = [
    ("サーバー管理", "サーバ管理"), ("引越しの手続き", "引っ越しの手続"), ("シュミレーション", "シミュレーション"), ("ｻｰﾊﾞ", "サーバー"),
    ("二〇二三年", "2023年"), ("コンピュータ", "コンピューター"), ("行われました", "行う"), ("打ち合わせ", "打合せ"), ("附属", "付属"),
]  # fmt: skip
japanese = st.text(
    st.sampled_from("解約のサーバー管理は行われた人々々ｻﾊﾞ\u3099カード、。 API_v2é한ไทย\n等迄"),
    max_size=40,
)


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return resolve_tokenizer("sudachi").unwrap()


def test_its_id_names_the_dictionary_and_our_rules(tokenizer: Tokenizer) -> None:
    assert re.fullmatch(
        rf"sudachi-a-norm-kanji-v1-\d{{8}}(\.\w+)?\+{tokens.TOKENIZER_ID}", tokenizer.id
    )


def test_words_and_kanji_without_endings(tokenizer: Tokenizer) -> None:
    assert tokenizer.terms("退会の手続きをした。") == [
        "退会",
        "退",
        "会",
        "手続き",
        "手",
        "続",
        "為る",
    ]
    assert tokenizer.query_terms("何を退会した？") == ["何", "退会", "退", "会", "為る"]
    assert tokenizer.terms("は") == tokenizer.query_terms("は") == ["は"]
    assert tokenizer.query_terms("APIは") == ["api"]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_one_way_to_write_is_as_good_as_another(
    tokenizer: Tokenizer, one: str, other: str
) -> None:
    words = [[t for t in tokenizer.query_terms(text) if len(t) > 1] for text in (one, other)]
    assert set(words[0]) & set(words[1])
    assert set(words[0]) <= set(tokenizer.terms(other)) | {"手続き", "行う"}


@given(st.text(st.characters(max_codepoint=0x24F)))
def test_latin_goes_the_way_of_the_plain_install(tokenizer: Tokenizer, text: str) -> None:
    assert tokenizer.terms(text) == tokens.terms(text)
    assert tokenizer.query_terms(text) == tokens.query_terms(text)


def test_latin_within_japanese(tokenizer: Tokenizer) -> None:
    found = tokenizer.terms("関数get_user_nameのテストはrunning中、v1.2.3")
    assert set(tokens.terms("get_user_name running v1.2.3")) <= set(found)


@given(st.text() | japanese)
def test_a_query_asks_only_for_what_texts_are_indexed_under(
    tokenizer: Tokenizer, text: str
) -> None:
    asked, found = tokenizer.query_terms(text), tokenizer.terms(text)
    assert set(asked) <= set(found)
    assert len(asked) == len(set(asked))
    assert bool(asked) == bool(found) == bool(tokens.terms(text))
    assert list(found) == list(tokenizer.terms(text))
    assert not any(not term or any(map(str.isspace, term)) for term in found)


@given(japanese, japanese)
def test_what_a_phrase_needs_is_in_each_text_that_holds_it(
    tokenizer: Tokenizer, text: str, phrase: str
) -> None:
    if holds_phrase(text, phrase):
        assert set(tokenizer.needed_terms(phrase)) <= set(tokenizer.terms(text))
    assert set(tokenizer.needed_terms(text)) <= set(tokenizer.terms(text))


def test_a_query_is_read_with_it(tokenizer: Tokenizer) -> None:
    asked = read_query("サーバの「引越し手続き」 -旧版", tokenizer)
    assert asked.terms == ("サーバー", "引っ越し", "引", "越", "手続き", "手", "続")
    assert (asked.phrases, asked.excluded) == (("引越し手続き",), ("旧版",))


def test_long_and_odd_texts(tokenizer: Tokenizer) -> None:
    assert len(tokenizer.terms("漢" * 2**16)) >= 2**16
    assert tokenizer.terms("𠮷" * 20_000).count("𠮷") >= 20_000
    for text in ("\ud800漢", "\x00漢", "漢\u200b字", "🎉漢", "\u3099", "ー", "々", "ヾ"):
        assert bool(tokenizer.terms(text)) == bool(tokens.terms(text))


def test_many_threads_at_once(tokenizer: Tokenizer) -> None:
    texts = [f"サーバー管理の手続きを{number}回行った。" for number in range(200)]
    alone = [tokenizer.terms(text) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        together = list(chain.from_iterable(pool.map(tokenizer.terms, texts) for _ in range(3)))
    assert together == alone * 3
    assert isinstance(tokenizer, SudachiTokenizer)


LEFT = "退会の手続きをした。"
SHELVES = (
    LEFT,
    "退会した会員の名簿。",
    "サーバー管理の手順書。",
    "何を退会したのか、記録はない。",
)


@pytest.fixture(scope="module")
def library() -> Iterator[Memory]:
    """Four sentences, as claims and as documents, indexed by the words of the dictionary."""
    with Memory.open(embedder="hashing", tokenizer="sudachi") as memory:
        for place, text in enumerate(SHELVES):
            assert memory.observe(text).claims
            assert memory.add_documents([{"title": text, "pub_id": str(place)}]).created == 1
        yield memory


def found(memory: Memory, query: str, collection: str, lane_name: str) -> set[str]:
    how: Any = {"collection": collection, "lane_name": lane_name}
    run = memory.fusion.rrf_search_fulltext_raw(query, **how)
    page = memory.fusion.peek_snippets(run.run_id, limit=20)
    return {next(iter(one.fields.values())) for one in page.snippets}


@pytest.mark.parametrize("collection", ["claims", "documents"])
class TestThePrecisionLane:
    """It asks for every word that says something: as a sentence is cut by the dictionary."""

    @pytest.mark.parametrize(
        ("query", "places"),
        [
            ("退会の手続き", {0}),
            ("退会 手続", {0}),
            ("会員の退会", {1}),
            ("サーバ管理", {2}),
            ("サーバ管理の手続き", set()),
            ("「退会の手続き」", {0}),
            ("「手続きの退会」", set()),
            ("「サーバー」", {2}),
            ("「サーバの」", set()),
            ("「した」", {0, 1, 3}),
            ("「した」 「会員」", {1}),
            ("退会 -名簿", {0, 3}),
            ("何を退会した？", {0, 1, 3}),
        ],
    )
    def test_every_word_is_asked_for(
        self, library: Memory, collection: str, query: str, places: set[int]
    ):
        precise = found(library, query, collection, "precision")
        assert precise == {SHELVES[place] for place in places}
        assert precise <= found(library, query, collection, "recall")

    def test_what_one_word_of_finds_the_recall_lane_has(self, library: Memory, collection: str):
        assert found(library, "サーバ管理の手続き", collection, "recall") == {LEFT, SHELVES[2]}

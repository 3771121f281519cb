"""Which words of a query are looked up, and what comes of it."""

import pytest
from hypothesis import given, strategies as st

from pce_memory.domain.ranking import QueryExpansionConfig
from pce_memory.text.expansion import MOST_UNITS, thesaurus
from pce_memory.text.widening import Widened, languages, widen

KNOWN = thesaurus(
    {
        "en": {
            "ship": {"synonyms": ["send"]},
            "policy": {"synonyms": ["rule"]},
            "PR": {"synonyms": ["pull request"]},
            "pull request": {"synonyms": ["PR", "merge request"]},
            "request": {"synonyms": ["ask"]},
            "c++": {"synonyms": ["cpp"]},
            "HA": {"synonyms": ["high availability"]},
            "release": {"synonyms": ["publish"], "related": ["リリース"]},
        },
        "ja": {
            "車": {"synonyms": ["自動車"]},
            "テスト": {"synonyms": ["試験"]},
            "障害": {"synonyms": ["インシデント"]},
            "障害者": {},
            "くるま": {"synonyms": ["自動車"]},
            "リリース": {"synonyms": ["公開"], "related": ["release"]},
        },
    }
)


def asked(query: str, **how: int) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.asked, one.words) for one in widen(query, KNOWN, QueryExpansionConfig(**how))]  # type: ignore[arg-type]


@pytest.mark.parametrize("query", ["Shipped.", "shipping?", "ships!", "SHIP", "ｓｈｉｐ"])
def test_a_word_is_known_in_its_forms(query):
    assert [words for _, words in asked(query)] == [("send",)]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("policies", ["policies"]),
        ("what has Caroline done", []),
        ("HA for this", ["ha"]),
        ("two PRs", ["prs"]),
        ("c++, please", ["c++"]),
        ("shipment shippable", []),
        ("relationship", []),
        ("車で行く", ["車"]),
        ("電車で行く", []),
        ("車庫", []),
        ("テストの日", ["テスト"]),
        ("コンテスト", []),
        ("テスター", []),
        ("くるまで行く", ["くるま"]),
        ("あるくるま", []),
        ("本番障害の対応", ["障害"]),
        ("障害者の席", []),
    ],
)
def test_a_word_stands_by_itself(query, found):
    assert [one for one, _ in asked(query)] == found


def test_the_longest_takes_what_stands_in_it():
    assert asked("this pull request") == [("pull request", ("PR", "merge request"))]


def test_what_is_asked_for_is_not_added():
    assert asked("pull request or PR") == [("pull request", ("merge request",))]
    assert asked("release のリリース") == [("リリース", ("公開",)), ("release", ("publish",))]


def test_synonyms_of_all_words_come_before_what_is_related():
    assert asked("release ship", max_expansions=2) == [
        ("release", ("publish",)),
        ("ship", ("send",)),
    ]
    assert asked("release ship")[0] == ("release", ("publish", "リリース"))


def test_nothing_comes_where_nothing_may():
    assert asked("release", max_expansions=0) == asked("release", max_expansions=-1) == []
    assert asked("release", include_synonyms=False) == [("release", ("リリース",))]
    assert asked("release", include_synonyms=False, include_related=False) == []


def test_a_long_query_is_looked_up_so_far():
    assert asked("x " * (MOST_UNITS - 1) + "ship") != []
    assert asked("x " * MOST_UNITS + "ship") == []


@given(
    query=st.text() | st.lists(st.sampled_from(["ship", "車", "テスト", "PR", "、"])).map("".join)
)
def test_any_query_adds_each_word_once_and_none_it_has(query):
    found = widen(query, KNOWN, QueryExpansionConfig())
    words = [word for one in found for word in one.words]
    assert len(words) == len(set(words)) <= 5
    assert all(isinstance(one, Widened) and one.words for one in found)
    assert languages(query) in {("ja",), ("en",), ("ja", "en")}

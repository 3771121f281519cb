"""A query finds what says the same in other words, where the policy says so, and only there."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import pytest

from pce_memory import Memory, MemoryFault, Query
from pce_memory.engine.ready import default_boundary
from pce_memory.errors import InvalidParameter
from pce_memory.retriever.select import select
from tests.policies import LASTING, expanding

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pce_memory.text.expansion import Thesaurus

FACTS: Final = (
    "納期は6月30日です。",
    "The due date of the report is June 30.",
    "We run Kubernetes in two regions.",
    "健二さんはクルマで通勤している。",
    "The invoice was sent in May.",
    "The outage lasted two hours.",
    "猫は窓側の席を好む。",
    "Alice prefers dark mode.",
    "ハワイで有給休暇を三日取った。",
    "The log of the printer is in the red box.",
    "People use the sign-in page of the portal.",
)
WORDS: Final = LASTING.replace("min_cosine: -1.0", "min_cosine: 0.95")
"""What shares no word with a query is not found, however near it is."""
Opened = Callable[..., Memory]


@pytest.fixture(scope="module")
def opened() -> Iterator[Opened]:
    """Return `open(policy, **how)`: a memory that knows the facts, one for each way to open it."""
    with ExitStack() as closing:
        made: dict[str, Memory] = {}

        def memory(policy: str = expanding(WORDS), **how: Any) -> Memory:
            key = repr((policy, how))
            if key not in made:
                one = Memory.open(embedder="hashing", policy=policy, **how)
                made[key] = closing.enter_context(one)
                assert made[key].observe_many(FACTS).failed == ()
            return made[key]

        yield memory


def found(memory: Memory, query: str) -> list[str]:
    return [item.claim.text for item in memory.activate(query, top_k=100).items]


SAID_OTHERWISE: Final = [
    ("締め切りはいつ？", "納期は6月30日です。"),
    ("デッドラインはいつ", "納期は6月30日です。"),
    ("deadlines?", "The due date of the report is June 30."),
    ("k8s", "We run Kubernetes in two regions."),
    ("K8S cluster の台数", "We run Kubernetes in two regions."),
    ("車で行く人は誰ですか", "健二さんはクルマで通勤している。"),
    ("incidents", "The outage lasted two hours."),
    ("logon", "People use the sign-in page of the portal."),
]


@pytest.mark.parametrize(("query", "fact"), SAID_OTHERWISE)
@pytest.mark.parametrize("mirror", ["1GB", 0])
def test_it_is_found_where_the_policy_says_so(opened, query, fact, mirror):
    assert found(opened(mirror_memory=mirror), query)[:1] == [fact]
    assert fact not in found(opened(WORDS, mirror_memory=mirror), query)


@pytest.mark.parametrize(
    ("query", "fact"),
    [
        ("請求書", "The invoice was sent in May."),
        ("vacation", "ハワイで有給休暇を三日取った。"),
        ("システムの障害", "The outage lasted two hours."),
    ],
)
def test_what_is_said_in_the_other_language_is_a_related_word(opened, query, fact):
    assert found(opened(), query)[:1] == [fact]
    assert fact not in found(opened(expanding(WORDS, include_related=False)), query)


def test_without_synonyms_only_related_words_are_added(opened):
    memory = opened(expanding(WORDS, include_synonyms=False))
    assert found(memory, "k8s") == []
    assert found(memory, "請求書") == ["The invoice was sent in May."]


def test_so_many_words_are_added_and_no_more(opened):
    assert found(opened(expanding(WORDS, max_expansions=0)), "締め切り") == []
    # Of the words for 締め切り 納期 is the fourth.
    assert found(opened(expanding(WORDS, max_expansions=2)), "締め切り") == []
    assert found(opened(expanding(WORDS, max_expansions=4)), "締め切り") == [FACTS[0]]


@pytest.mark.parametrize(
    "query",
    [
        "「締め切り」",
        '"deadline" "k8s"',
        "障害者の席はどこ",
        "コンテストの会場",
        "電車",
        "おしめきり",
        "",
        "of the",
    ],
)
def test_what_is_quoted_or_only_a_piece_of_a_word_adds_nothing(opened, query):
    assert found(opened(), query) == found(opened(WORDS), query)


def test_what_is_left_out_is_left_out_of_what_is_added_too(opened):
    assert found(opened(), "締め切り -納期") == []


def test_the_words_that_were_asked_for_come_first(memory_at):
    memory = memory_at(policy=expanding(WORDS))
    told = ("The due date is here.", "The deadline is here, and it is here to stay for all of us.")
    assert memory.observe_many(told).failed == ()
    items = memory.activate("deadline", include_meta=True).items
    assert [item.claim.text for item in items] == [told[1], told[0]]
    asked, other = (item.scores.text for item in items)
    assert asked == 1.0
    assert 0 < other <= 0.4


def test_a_word_that_nothing_holds_leaves_the_others_their_weight(opened):
    [item] = opened().activate("k8s", include_meta=True).items
    assert item.scores.text == pytest.approx(0.4)
    [item] = opened(expanding(WORDS, weight=0.7)).activate("k8s", include_meta=True).items
    assert item.scores.text == pytest.approx(0.7)


def test_the_window_counts_a_part_too(opened):
    [item] = opened().activate("k8s", include_meta=True).items
    assert item.scores.window == pytest.approx(0.4)


def test_an_explanation_says_why(opened):
    memory = opened()
    [item] = memory.activate("k8s").items
    told = memory.explain("k8s", item.claim.id)
    assert told.shown
    detail = {one.check: one.detail for one in told.checks}["relevant"]
    assert detail == "it shares a word with the query or with its expansions"


def test_without_it_no_word_is_looked_up_and_nothing_is_sought(opened):
    def never() -> Thesaurus:
        raise AssertionError("the words were asked for")

    memory = opened(WORDS)
    asked = Query(q="When is the deadline? 締め切りはいつ")
    deps = replace(memory.deps, thesaurus=never)
    chosen = select(asked, default_boundary(), memory.policy())(deps).unwrap()
    assert chosen.ranked.asked.wider == ()
    with pytest.raises(AssertionError):
        select(asked, default_boundary(), opened().policy())(
            replace(opened().deps, thesaurus=never)
        )


class TestOwnWords:
    def test_they_are_found_above_the_packaged_ones(self, memory_at, tmp_path):
        words = tmp_path / "words.yaml"
        _ = words.write_text(
            "language: en\ngroups: [{same: [deadline, doomsday], asked: [the big one]}]", "utf-8"
        )
        memory = memory_at(policy=expanding(WORDS), expansions=[str(words)])
        told = ("Doomsday is in June.", "The due date is in June.", "We run Kubernetes.")
        assert memory.observe_many(told).failed == ()
        assert found(memory, "deadline") == [told[0]]
        assert found(memory, "What is the Big One?") == [told[0]]
        assert found(memory, "k8s") == [told[2]]

    def test_japanese_words_of_a_path(self, memory_at, tmp_path):
        words = tmp_path / "words.yaml"
        _ = words.write_text(
            "language: ja\ngroups: [{same: [青葉計画], asked: [例の件]}]", "utf-8"
        )
        memory = memory_at(policy=expanding(WORDS), expansions=(words,))
        assert memory.observe_many(["青葉計画は来週始まる。", "会議は中止。"]).failed == ()
        assert found(memory, "例の件はどうなった") == ["青葉計画は来週始まる。"]

    def test_all_faults_of_all_files_are_told_and_no_file_is_made(self, tmp_path):
        for name in ("one", "two"):
            _ = (tmp_path / f"{name}.yaml").write_text(
                "language: xx\ngroups: [{same: [zebra], zebra: []}]", "utf-8"
            )
        paths = [tmp_path / "one.yaml", tmp_path / "two.yaml", tmp_path / "none.yaml"]
        message = refused(tmp_path / "m.duckdb", paths)
        assert message.splitlines() == [
            "Invalid expansions: one.yaml:1:11: language: must be ja or en",
            "one.yaml:2:26: groups[0]: there is no such key; the keys are same, asked, related",
            "two.yaml:1:11: language: must be ja or en",
            "two.yaml:2:26: groups[0]: there is no such key; the keys are same, asked, related",
            "the file none.yaml cannot be read (FileNotFoundError)",
        ]
        assert not (tmp_path / "m.duckdb").exists()

    @pytest.mark.parametrize(
        ("given", "reason"),
        [
            ("words.yaml", "it is a str; give a list of paths"),
            (7, "it is a int; give a list of paths"),
            ([None], "it holds a NoneType; give paths of files"),
            ([7], "it holds a int; give paths of files"),
            (["w.yaml"] * 17, "there are 17; give at most 16 files"),
        ],
    )
    def test_what_is_no_list_of_paths_is_refused(self, tmp_path, given, reason):
        assert refused(tmp_path / "m.duckdb", given) == f"Invalid expansions: {reason}"


def refused(path: Path, expansions: Any) -> str:
    with pytest.raises(MemoryFault) as fault:
        _ = Memory.open(path, embedder="hashing", expansions=expansions)
    assert isinstance(fault.value.error, InvalidParameter)
    return fault.value.error.message

"""Kinds of sentences: a labelled list, the traps, and what outranks what."""

import re
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from pce_memory.domain.vocabulary import CLAIM_KINDS
from pce_memory.extractor.classify import classify_kind

LABELLED = [
    tuple(line.split("\t"))
    for line in Path(__file__).with_name("kinds.tsv").read_text("utf-8").splitlines()
]
"""(kind, sentence)"""
JAPANESE = re.compile("[\u3040-\u9fff]")


def test_the_list_is_half_japanese_and_has_each_kind():
    japanese = sum(JAPANESE.search(text) is not None for _, text in LABELLED)
    assert len(LABELLED) >= 120
    assert japanese / len(LABELLED) == pytest.approx(0.5, abs=0.05)
    assert min(Counter(kind for kind, _ in LABELLED).values()) >= 60
    assert len({text for _, text in LABELLED}) == len(LABELLED)


@pytest.mark.parametrize("japanese", [True, False])
@pytest.mark.parametrize("kind", CLAIM_KINDS)
def test_nine_of_ten_are_right(kind, japanese):
    told = [
        (label, classify_kind(text))
        for label, text in LABELLED
        if (JAPANESE.search(text) is not None) == japanese
    ]
    right = sum(label == found == kind for label, found in told)
    assert right / sum(found == kind for _, found in told) >= 0.9, "precision"
    assert right / sum(label == kind for label, _ in told) >= 0.9, "recall"


TRAPS = [
    ("fact", "I never liked him."),
    ("fact", "I have always lived here."),
    ("fact", "Always been like that."),
    ("fact", "Never mind."),
    ("fact", "Never again!"),
    ("fact", "Never had a problem with it."),
    ("fact", "The index is built at start and never again."),
    ("fact", "必ずしも必要ではない。"),
    ("fact", "禁止されていた時代の話だ。"),
    ("fact", "禁止事項は別紙にある。"),
    ("fact", "夢は世界を旅すること。"),
    ("fact", "大事なのは続けること。"),
    ("fact", "You don't need to restart."),
    ("fact", "We didn't have to wait."),
    ("fact", "I finished the migration."),
    ("fact", "移行を完了した。"),
    ("fact", "移行が完了しました。"),
    ("fact", "TODO はもう完了しました。"),
    ("fact", "[x] TODO: write the guide"),
    ("fact", "✅ Please review the guide"),
    ("fact", "完了: 金曜日までに報告書を出す"),
    ("fact", "【完了】設計書を更新してください"),
    ("fact", "TODO: write the guide (done)"),
    ("fact", "The todo list has three entries."),
    ("fact", "どうぞよろしくお願いします。"),
    ("fact", "予定は変更された。"),
    ("fact", "今日は天気がいい。"),
    ("fact", "Got 50 likes."),
    ("fact", "It looks like a bug."),
    ("fact", "Call `always_retry()` returns 3."),
    ("fact", "The page https://example.com/must-not-read is gone."),
    ("fact", "```\n# TODO: must not fail, always check\n```"),
    ("task", "必ずしもではないが、金曜までに直さなければならない。"),
    ("task", "ＴＯＤＯ：依存を更新"),
    ("task", "Don’t forget to call."),
    ("task", "The docs say TODO: fill this in"),
    ("policy_hint", "You mustn’t do that."),
    ("policy_hint", "NEVER COMMIT SECRETS"),
    ("policy_hint", "Never `git push --force` to main."),
    ("policy_hint", "テストは必須！"),
    ("fact", "You must be tired."),
    ("fact", "That must be great!"),
    ("fact", "They always make me smile, and never complain."),
    ("fact", "Always here to help."),
    ("fact", "Never give up!"),
    ("fact", "These moments remind me of home."),
    ("fact", "If you need to stop it, press q."),
    ("fact", "What do you prefer?"),
    ("fact", "Is it forbidden to park here?"),
    ("fact", "リリースしてはいけない曜日は？"),
    ("fact", "彼女の好みは？"),
    ("fact", "昔は提出しなければならなかった。"),
    ("fact", "三選禁止規定が撤廃された。"),
    ("fact", "原則として街区方式が用いられている。"),
    ("task", "見てもらえますか？"),
    ("task", "Could you check this, please?"),
    ("preference", "I don't like that."),
    ("preference", "ねこ派です"),
]


@pytest.mark.parametrize(("kind", "text"), TRAPS)
def test_traps(kind, text):
    assert classify_kind(text) == kind


ORDER = [
    ("policy_hint", "TODO: always prefer tabs; you must not use spaces."),
    ("policy_hint", "必ず好みの方を選んでください。"),
    ("task", "Please use the dark theme, I prefer it."),
    ("task", "好きな方を選んでください。"),
    ("preference", "I prefer Python 3.12."),
]


@pytest.mark.parametrize(("kind", "text"), ORDER)
def test_a_rule_comes_before_a_task_before_a_preference_before_a_fact(kind, text):
    assert classify_kind(text) == kind


@pytest.mark.parametrize("text", ["buy milk", "牛乳", "I prefer tea", "done", "```\nx = 1\n```"])
def test_an_open_checkbox_is_a_task(text):
    assert classify_kind(text, checkbox=True) == "task"


def test_a_rule_in_a_checkbox_is_a_rule():
    assert classify_kind("Never commit secrets", checkbox=True) == "policy_hint"


@given(st.text(), st.booleans())
def test_every_text_has_a_kind(text, checkbox):
    assert classify_kind(text, checkbox=checkbox) in CLAIM_KINDS


@given(st.sampled_from(LABELLED), st.sampled_from(["", " ", "\n", "　"]))
def test_space_around_changes_nothing(labelled, space):
    text = labelled[1]
    assert classify_kind(f"{space}{text}{space}") == classify_kind(text)


@pytest.mark.parametrize(
    "unit",
    ["a", "must ", "never ", "musts must a ", "必ず", "すること", "all a ", "なければ", "will ", "`",
     "i will on ", "a, ", "likes ", "までに", "の方が", "\u0300\u0316"],
)  # fmt: skip
def test_is_linear(unit):
    start = time.perf_counter()
    _ = classify_kind(unit * (1_048_576 // len(unit)))
    assert time.perf_counter() - start < 3

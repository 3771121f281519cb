"""Dictionaries of words that stand for each other: their format, all their faults, the packaged."""

import os
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from returns.result import Failure, Success

from pce_memory.adapters.expansions import Expansions, packaged_words, words_of
from pce_memory.domain.ranking import Dictionary, Synonyms
from pce_memory.policy.thesaurus_file import LANGUAGES, MAX_BYTES, parse_thesaurus
from pce_memory.resources import resource
from pce_memory.text.fold import caseless
from pce_memory.text.stop_words import STOP_TERMS
from pce_memory.text.tokenizer import NGRAMS

GOLDEN = Path(__file__).parents[2] / "golden" / "expansion" / "faults.txt"

FAULTY: dict[str, str] = {
    "nothing": "",
    "a list": "- same: [zebra]\n",
    "no keys": "{}",
    "another language": "language: zebra\ngroups: [{same: [a1]}]",
    "a list as language": "language: [en]\ngroups: [{same: [a1]}]",
    "no group": "language: en\ngroups: []",
    "groups as a mapping": "language: en\ngroups: {zebra: [quagga]}",
    "a group as text": "language: en\ngroups: [zebra]",
    "no words": "language: en\ngroups:\n  - {}\n  - {same: []}\n  - {related: [zebra]}",
    "words as text": "language: en\ngroups: [{same: zebra}]",
    "unknown keys": "language: en\nzebra: 1\ngroups: [{same: [a1], zebra: [quagga]}]",
    "what is no text": "language: en\ngroups: [{same: [12, true, null, 1.5, [zebra]]}]",
    "no letter": "language: en\ngroups: [{same: ['', ' ', '--', '。']}]",
    "too long": f"language: en\ngroups: [{{same: [{'zebra' * 13}, \"zebra\\nquagga\"]}}]",
    "twice in a group": "language: en\ngroups:\n  - {same: [zebra, ＺＥＢＲＡ], related: [Zebra]}",
    "twice in a file": "language: en\ngroups:\n  - {same: [zebra, a1]}\n  - {same: [b1], asked: [Zebra]}",
    "twice in a line": "language: en\ngroups: [{same: [zebra]}, {same: [zebra]}]",
    "a single kanji": "language: ja\ngroups: [{same: [車, 自動車], related: [犬], asked: [猫]}]",
    "a key twice": "language: en\nlanguage: en\ngroups: [{same: [a1], same: [zebra]}]",
    "an alias": "language: en\ngroups: [{same: &zebra [a1]}, *zebra]",
    "no YAML": "language: en\ngroups: [{same: [zebra]",
    "a tab": "language: en\ngroups:\n\t- {same: [zebra]}",
    "two documents": "language: en\ngroups: [{same: [a1]}]\n---\nzebra: 1",
    "an invisible character": "language: en\ngroups: [{same: [ze\x07bra]}]",
    "too many bytes": "#" * (MAX_BYTES + 1),
}  # fmt: skip


def faults(text: str) -> tuple[str, ...]:
    read = parse_thesaurus(text)
    assert isinstance(read, Failure)
    told: tuple[str, ...] = read.failure()
    return told


def test_every_fault_is_told_by_its_place():
    told = "".join(
        f"# {name}\n" + "".join(f"{one}\n" for one in faults(text))
        for name, text in FAULTY.items()
    )
    if os.environ.get("UPDATE_GOLDEN"):
        _ = GOLDEN.write_text(told, "utf-8")
    assert told == GOLDEN.read_text("utf-8")


@pytest.mark.parametrize("text", FAULTY.values(), ids=FAULTY)
def test_no_fault_shows_a_word_of_the_file(text):
    told = " ".join(faults(text)).casefold()
    assert not any(word in told for word in ("zebra", "quagga", "車", "犬", "猫"))


def test_all_faults_are_told_at_once_up_to_a_bound():
    words = ", ".join(["''"] * 300)
    told = faults(f"language: xx\ngroups: [{{same: [{words}]}}]")
    assert (len(told), told[-1]) == (201, "words.yaml: and 101 more faults")


def test_a_group_is_an_entry_for_each_word_that_is_looked_up():
    text = (
        "language: en\ngroups: [{same: [bug, defect], asked: [glitch], related: [issue, Glitch]}]"
    )
    assert parse_thesaurus(text) == Success(
        {
            "en": {
                "bug": {"synonyms": ["defect"], "related": ["issue", "Glitch"]},
                "defect": {"synonyms": ["bug"], "related": ["issue", "Glitch"]},
                "glitch": {"synonyms": ["bug", "defect"], "related": ["issue"]},
            }
        }
    )


@given(text=st.text(max_size=60) | st.text("{}[]:,- \nsameenlgugo&*!'\"#", max_size=60))
def test_any_text_is_read_or_refused(text):
    read = parse_thesaurus(text)
    assert isinstance(read, Success) or read.failure()


def folded(word: str) -> str:
    return " ".join(caseless(word).split())


def entries() -> list[tuple[str, str, Synonyms]]:
    return [
        (language, word, entry)
        for language, some in packaged_words().items()
        for word, entry in some.items()
    ]


class TestPackaged:
    def test_there_is_a_file_for_every_language_and_nothing_else(self):
        files = sorted(one.name for one in (resource("policies") / "expansion").iterdir())
        assert files == sorted(f"{language}.yaml" for language in LANGUAGES)

    def test_each_language_has_some_hundred_entries(self):
        assert {language: len(some) >= 300 for language, some in packaged_words().items()} == {
            "en": True,
            "ja": True,
        }

    def test_a_group_stands_in_one_line(self):
        for language in LANGUAGES:
            text = (resource("policies") / "expansion" / f"{language}.yaml").read_text("utf-8")
            lines = [one for one in text.splitlines() if one and not one.lstrip().startswith("#")]
            assert lines[:2] == [f"language: {language}", "groups:"]
            assert all(one.startswith("  - {same: [") and one.endswith("]}") for one in lines[2:])

    def test_no_entry_has_a_word_twice_itself_or_nothing(self):
        for _, word, entry in entries():
            listed = [folded(one) for kind in ("synonyms", "related") for one in entry[kind]]
            assert "" not in listed
            assert len({folded(word), *listed}) == 1 + len(listed), word

    def test_what_has_nothing_only_shields_a_word_that_stands_in_it(self):
        for language, word, entry in entries():
            if not entry["synonyms"] and not entry["related"]:
                inside = [one for lang, one, _ in entries() if lang == language and one in word]
                assert len(inside) > 1, word

    def test_every_word_that_is_looked_for_tells_texts_apart(self):
        for _, _, entry in entries():
            for word in (*entry["synonyms"], *entry["related"]):
                terms = NGRAMS.query_terms(word)
                telling = [one for one in terms if len(one) > 1 and one not in STOP_TERMS]
                assert telling, word

    def test_a_word_of_english_is_written_in_ascii_or_is_a_translation(self):
        for language, word, entry in entries():
            same = (word, *entry["synonyms"])
            if language == "en":
                assert all(any("a" <= char <= "z" for char in caseless(one)) for one in same), word


def merged(*files: Dictionary) -> Expansions:
    return Expansions(files)


class TestMerging:
    def test_an_entry_of_a_host_stands_in_the_place_of_the_packaged_one(self):
        own: Dictionary = {"en": {"Deadline": {"synonyms": ["D-day"], "related": []}}}
        assert merged(own)().terms["en"]["deadline"]["synonyms"] == ["D-day"]
        assert merged()().terms["en"]["deadline"]["synonyms"] == ["due date"]

    def test_of_several_files_the_first_counts(self):
        one: Dictionary = {"en": {"x1": {"synonyms": ["a1"]}}}
        other: Dictionary = {"en": {"X1": {"synonyms": ["b1"]}, "y1": {"synonyms": ["c1"]}}}
        terms = merged(one, other)().terms["en"]
        assert (terms["x1"]["synonyms"], terms["y1"]["synonyms"]) == (["a1"], ["c1"])

    def test_it_is_made_once(self):
        words = merged()
        assert words() is words()


class TestFile:
    def test_a_file_that_is_not_there_is_told_by_its_name_alone(self, tmp_path):
        told = words_of(tmp_path / "none.yaml").failure()
        assert told == "the file none.yaml cannot be read (FileNotFoundError)"

    def test_what_is_no_text(self, tmp_path):
        _ = (tmp_path / "words.yaml").write_bytes(b"\xff\xfe\x00")
        assert words_of(tmp_path / "words.yaml").failure() == "words.yaml: it is not UTF-8 text"

    def test_a_mark_of_byte_order_is_no_word(self, tmp_path):
        _ = (tmp_path / "w.yaml").write_text("\ufefflanguage: en\ngroups: [{same: [a1]}]", "utf-8")
        assert isinstance(words_of(tmp_path / "w.yaml"), Success)

    def test_a_file_that_is_too_long_is_read_no_further(self, tmp_path):
        _ = (tmp_path / "w.yaml").write_text("語" * MAX_BYTES, "utf-8")
        told = words_of(tmp_path / "w.yaml").failure()
        assert told == "w.yaml:1:1: (document): a dictionary has at most 256 KiB"

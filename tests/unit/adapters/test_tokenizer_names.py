"""A tokenizer is asked for by name; what is not there says how to get it."""

import subprocess
import sys
from importlib.metadata import PackageNotFoundError

import pytest
from hypothesis import given, strategies as st

from pce_memory.adapters.tokenizers import DEFAULT, resolve_tokenizer
from pce_memory.adapters.tokenizers.sudachi import INSTALL
from pce_memory.errors import InvalidParameter
from pce_memory.text import phrases, tokens
from pce_memory.text.tokenizer import NGRAMS


def reason(spec: str) -> str:
    error = resolve_tokenizer(spec).failure()
    assert isinstance(error, InvalidParameter)
    assert error.name == "tokenizer"
    return error.reason


def test_the_default_needs_nothing() -> None:
    assert resolve_tokenizer().unwrap() is resolve_tokenizer(DEFAULT).unwrap() is NGRAMS


def test_one_of_the_host_cuts_as_it_does_under_its_own_id() -> None:
    class Lines:
        id = "lines-v1"

        def terms(self, text: str) -> list[str]:
            return text.splitlines()

        query_terms = needed_terms = terms

    made = resolve_tokenizer(Lines()).unwrap()
    assert made.id == "lines-v1"
    assert made.terms("a\nb\na") == made.query_terms("a\nb\na") == ["a", "b", "a"]
    assert made.needed_terms("a") == ["a"]
    assert resolve_tokenizer(made).unwrap() is made


@given(st.text())
def test_the_default_is_what_the_functions_do(text: str) -> None:
    assert NGRAMS.id == tokens.TOKENIZER_ID
    assert list(NGRAMS.terms(text)) == tokens.terms(text)
    assert list(NGRAMS.query_terms(text)) == tokens.query_terms(text)
    assert NGRAMS.needed_terms(text) == phrases.needed_terms(text)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("sudachy", "sudachy is not ngram or sudachi; did you mean sudachi?"),
        ("NGRAMS", "NGRAMS is not ngram or sudachi; did you mean ngram?"),
        ("", " is not ngram or sudachi"),
        ("a secret sk-1234567890", "(22 characters, not shown) is not ngram or sudachi"),
    ],
)
def test_a_name_that_is_not_known(spec: str, expected: str) -> None:
    assert reason(spec).endswith(expected)


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (
            ModuleNotFoundError("No module named 'sudachipy'", name="sudachipy"),
            f"sudachi needs its packages: {INSTALL} (sudachipy is missing)",
        ),
        (
            PackageNotFoundError("sudachidict-small"),
            f"sudachi needs its packages: {INSTALL} (sudachidict-small is missing)",
        ),
        (
            OSError("/a/path"),
            f"sudachi cannot load its dictionary (OSError); {INSTALL} again",
        ),
    ],
)
def test_a_library_that_does_not_load(
    monkeypatch: pytest.MonkeyPatch, fault: Exception, expected: str
) -> None:
    def broken(_: str) -> None:
        raise fault

    monkeypatch.setattr("importlib.import_module", broken)
    assert reason("sudachi") == expected


def test_no_library_comes_in_unasked() -> None:
    code = (
        "import sys, pce_memory.adapters.tokenizers as t; t.resolve_tokenizer();"
        "sys.exit('sudachipy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

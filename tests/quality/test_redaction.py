"""Are personal data and secrets found, and look-alikes left alone: floors of recall and precision.

The cases are those of `python -m benchmarks.redaction`.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import redaction, secret_measures
from benchmarks.redaction import Case, Place, Tally, marked, score
from benchmarks.secret_tokens import TOKENS

RECALL, PRECISION = 0.98, 0.95


def kinds_below(tallies: dict[str, Tally], recall: float, precision: float) -> dict[str, Tally]:
    return {
        kind: tally
        for kind, tally in tallies.items()
        if tally.recall < recall or tally.precision < precision
    }


def batch(cases: list[Case]) -> tuple[int, int]:
    """Return how many cases hold something, and how many hold nothing."""
    planted = sum(bool(case.planted) for case in cases)
    return planted, len(cases) - planted


@pytest.mark.parametrize(("number", "least"), [(1, 200), (2, 60), (3, 60), (4, 60)])
def test_japanese_cases(number: int, least: int) -> None:
    cases = list(redaction.japanese(number))
    assert min(batch(cases)) >= least
    total = score(cases)["all"]
    assert (total.recall >= RECALL, total.precision >= PRECISION) == (True, True)


def test_each_kind_in_japanese() -> None:
    # Three batches together: a kind has few cases in each.
    tallies = score(case for number in (1, 2, 3) for case in redaction.japanese(number))
    assert kinds_below(tallies, RECALL, PRECISION) == {}


@pytest.mark.parametrize(("number", "least"), [(1, 200), (2, 60), (3, 60), (4, 60)])
@pytest.mark.parametrize("seed", [1, 20, 300])
def test_secrets(number: int, least: int, seed: int) -> None:
    cases = list(redaction.secrets(number, seed=seed))
    assert min(batch(cases)) >= least
    # The place a secret opens may be found as well: an address in a URL is no mistake.
    found = score(cases)[redaction.SECRET]
    assert (found.recall >= RECALL, found.precision >= PRECISION) == (True, True)


def test_every_family_of_secrets() -> None:
    found = redaction.families(1)
    assert {family: tally.recall for family, tally in found.items() if tally.recall < 1} == {}
    assert set(found) >= set(TOKENS)


@pytest.mark.parametrize("seed", [1, 20])
def test_documented_tokens_in_every_syntax(seed: int) -> None:
    by_form, by_vendor = secret_measures.recall(secret_measures.known, bare=False, seed=seed)
    assert {form: share for form, share in by_form.items() if share.value < 0.95} == {}
    assert {vendor: share for vendor, share in by_vendor.items() if share.value < 0.9} == {}
    bare, _ = secret_measures.recall(secret_measures.known, bare=True, seed=seed)
    assert bare["all"].value >= 0.95


@pytest.mark.parametrize("seed", [1, 20])
def test_tokens_of_a_vendor_nobody_told_of(seed: int) -> None:
    by_form, _ = secret_measures.recall(secret_measures.unknown, bare=False, seed=seed)
    assert by_form["all"].value >= 0.95
    bare, _ = secret_measures.recall(secret_measures.unknown, bare=True, seed=seed)
    # Nothing stands beside these, and not every vendor has a prefix.
    assert bare["all"].value >= 0.8


def test_placeholders_and_ordinary_lines_are_left_alone() -> None:
    assert secret_measures.left_alone().value >= 0.99
    finds, lines = secret_measures.false_finds()
    assert lines >= 6000
    assert finds <= 2 * lines / 1000


def test_english_sentences(shared_data: Callable[[str], Path]) -> None:
    _ = shared_data("pii-dev")
    tallies = score(redaction.pii_dev(), redaction.find_as_labelled)
    gated = ("email", "phone", "credit_card", "iban", "ip_address", "us_ssn")
    assert all(tallies[kind].planted for kind in gated)
    assert kinds_below({kind: tallies[kind] for kind in gated}, 0.95, 0.95) == {}
    # Addresses have no floor of recall; one that is found is one.
    assert tallies["address"].precision >= 0.9


def test_the_score_counts_what_it_says() -> None:
    case = marked("a ⟦email:x@y.zz⟧ and ⟦phone:090-1⟧, b")
    assert case == Case("a x@y.zz and 090-1, b", (Place("email", 2, 8), Place("phone", 13, 18)))
    found = [Place("email", 2, 7), Place("phone", 9, 18), Place("iban", 0, 1)]
    tallies = score([case], lambda _: found)
    assert tallies["email"] == Tally(planted=1, covered=0, found=1, right=1)
    assert tallies["phone"] == Tally(planted=1, covered=1, found=1, right=1)
    assert tallies["iban"] == Tally(found=1)
    assert tallies["all"] == Tally(planted=2, covered=1, found=3, right=2)
    assert score([case], lambda _: [Place("phone", 0, 18)])["phone"].right == 0

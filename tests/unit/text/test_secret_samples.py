"""Secrets in the files, code, protocols and talk of many tools and languages; and what is none."""

import pytest

from pce_memory.text.detect import SECRET_KINDS, detect
from pce_memory.text.secrets import SECRETS, may_hold_a_secret
from tests.unit.text import secret_samples, wild_samples, wild_samples_2

SETS = (wild_samples, wild_samples_2)
SAMPLES = [
    *secret_samples.COMMANDS,
    *secret_samples.APART,
    *secret_samples.WEAK,
    *secret_samples.TOLD,
    *secret_samples.JOINED,
    *(row for table in SETS for row in (*table.FILES, *table.CODE_AND_WIRE, *table.TALK)),
]
LEFT_WHOLE = [
    *secret_samples.PUBLIC,
    *secret_samples.ORDINARY,
    *(text for table in SETS for text in table.LEFT_WHOLE),
]


@pytest.mark.parametrize(("text", "secret"), SAMPLES)
def test_the_secret_is_found(text: str, secret: str) -> None:
    matches = detect(text, SECRET_KINDS)
    start = text.index(secret)
    covered = {place for match in matches for place in range(match.start, match.end)}
    assert {at for at in range(start, start + len(secret)) if text[at].isalnum()} <= covered


@pytest.mark.parametrize("text", LEFT_WHOLE)
def test_what_is_no_secret_is_left_whole(text: str) -> None:
    assert detect(text, SECRET_KINDS) == ()


@pytest.mark.parametrize(("text", "secret"), SAMPLES)
def test_no_secret_is_passed_over_by_the_quick_look(text: str, secret: str) -> None:
    assert secret
    assert may_hold_a_secret(text) or not any(list(find(text)) for find in SECRETS.values())

"""Any text is found again by each of its own words, typed as it stands there."""

from hypothesis import given, settings, strategies as st

from pce_memory import Memory
from tests.conftest import wipe
from tests.strategies import sentences

WORDS = st.sampled_from(
    [
        "iPhone15", "Room101", "A123456", "v1.2.3", "16GB", "H2O", "3rd", "utf-8", "COVID-19",
        "9f86d081884c7d65", "7c9e6679-7425-40de-944b-e07fc1f90ae7", "第3回", "iPhone15を", "Zoë12",
        "🚀", "👍🏽!", "❤️", "1️⃣", "🇯🇵🇫🇷", "👩‍👩‍👧‍👦", "🤷🏻‍♀️", "🏴\U000e0067\U000e007f", "猫🐈が",
    ]
)  # fmt: skip
ODD = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
TEXTS = st.lists(WORDS | sentences | ODD, max_size=3).map(" ".join)
# A hyphen, or a mark of quotation, says more than the words behind it.
SAID = str.maketrans("", "", '-－"＂“”「」『』')


@settings(max_examples=max(5, settings().max_examples // 2))
@given(name=WORDS, text=TEXTS, others=st.lists(sentences, max_size=2))
def test_a_text_is_found_by_each_of_its_words(
    memory: Memory, name: str, text: str, others: list[str]
) -> None:
    wipe(memory)
    _ = memory.observe_many(others)
    seen = memory.observe(f"lamp {name} {text.translate(SAID)}")
    own = {claim.id for claim in seen.claims}
    assert own
    for word in [name, *text.translate(SAID).split()]:
        # Of punctuation alone, and of what is not drawn, there is nothing to look for.
        if word == name or memory.deps.tokenizer.terms(word):
            assert own & set(memory.fusion.search_fulltext(word, top_k=100)), word

"""A reranker that the host brings: what it is given, what it decides, what becomes of its faults."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from decimal import Decimal
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from returns.result import Failure, Result, Success

from pce_memory import Boundary, Claim, Memory, MemoryFault, Reranker, RerankingFailed
from pce_memory.adapters.rerankers import checked, from_callable, resolve_reranker
from pce_memory.engine.ready import default_boundary
from pce_memory.errors import InvalidParameter
from pce_memory.scoring.rerank import sigmoid
from pce_memory.store import events
from pce_memory.text.content_hash import content_hash
from tests.conftest import wipe
from tests.policies import LASTING, REDACTING
from tests.strategies import claim_lists, sentences

KEY = "sk-proj-Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA"
LAMPS = ("The lamp in the hall is red.", "The lamp on the desk is green.", "A lamp is blue.")
CONTACTS = Boundary(
    scope=("project",),
    allow=("answer:task", "tool:contact-lookup"),
    boundary_classes=("public", "internal", "pii"),
)


class Spy:
    """A reranker that remembers what it was given, and scores by what a function says."""

    model_id = "spy@1"

    def __init__(self, says: Callable[[str], float] = lambda _: 0.0) -> None:
        self.says = says
        self.given: list[tuple[str, list[str]]] = []

    def score(self, query: str, texts: Sequence[str]) -> Result[Sequence[float], RerankingFailed]:
        self.given.append((query, list(texts)))
        return Success([self.says(text) for text in texts])

    @property
    def seen(self) -> str:
        """Everything it was ever given, as one text."""
        return "\n".join(one for query, texts in self.given for one in (query, *texts))


@pytest.fixture
def open_with(clock, ids) -> Iterator[Callable[..., Memory]]:
    """Return `open(reranker)`: a lasting memory in RAM with a reranker."""
    with ExitStack() as opened:

        def open_it(reranker: Any, **how: Any) -> Memory:
            settled = {"policy": LASTING, "embedder": "hashing", "clock": clock, "ids": ids, **how}
            return opened.enter_context(Memory.open(":memory:", reranker=reranker, **settled))

        yield open_it


def use(memory: Memory, **keys: object) -> None:
    """Put another policy in force: what it says of the reranker is what the keys say."""
    text = LASTING.replace('version: "1.0.1"', 'version: "1.0.3"')
    defaults = {"enabled": "true", "candidates": "50", "weight": "1.0"}
    for name, value in keys.items():
        text = text.replace(f"    {name}: {defaults[name]} ", f"    {name}: {value} ")
    _ = memory.apply_policy(text)


def told(memory: Memory, texts: Sequence[str] = LAMPS) -> None:
    for text in texts:
        _ = memory.observe(text)


def found(memory: Memory, query: str = "lamp", **how: Any) -> list[str]:
    return [item.claim.text for item in memory.activate(query, **how).items]


def fallbacks(memory: Memory) -> list[dict[str, object]]:
    found = events.newest(topic="search_fallback")(memory.deps).unwrap()
    return [dict(one.payload) for one in found]


class TestItDecides:
    @pytest.mark.parametrize("last", LAMPS)
    def test_its_order_decides(self, open_with, last):
        order = [*(one for one in LAMPS if one != last), last]
        memory = open_with(Spy(lambda text: -10.0 * order.index(text)))
        told(memory)
        assert found(memory) == order

    def test_a_plain_function_is_a_reranker(self, open_with):
        def by_length(query: str, texts: list[str]) -> list[int]:
            assert query == "lamp"
            return [-len(text) for text in texts]

        memory = open_with(by_length)
        told(memory)
        assert found(memory) == sorted(LAMPS, key=len)
        params = memory.activate("lamp").scoring_params
        assert params.reranker == f"function:{by_length.__qualname__}"

    def test_search_asks_it_too(self, open_with):
        memory = open_with(Spy(lambda text: float("green" in text)))
        told(memory)
        assert memory.search("lamp")[0].claim.text == LAMPS[1]

    def test_the_scores_say_what_it_said(self, open_with):
        memory = open_with(Spy({LAMPS[0]: -40.0, LAMPS[1]: 0.0, LAMPS[2]: 3.0}.__getitem__))
        told(memory)
        items = memory.activate("lamp", include_meta=True).items
        assert [item.claim.text for item in items] == [LAMPS[2], LAMPS[1], LAMPS[0]]
        said = [sigmoid(3.0), 0.5, sigmoid(-40.0)]
        assert [item.scores.reranked for item in items] == said
        wanted = [0.15 + 0.85 * (0.5 + 0.5 * one) for one in said]
        assert [item.score for item in items] == pytest.approx(wanted, abs=1e-12)
        assert items[1].reason is not None
        assert "reranked:0.50" in items[1].reason

    def test_probabilities_are_taken_as_they_are(self, open_with):
        reranker = from_callable(
            lambda _, texts: np.linspace(0.0, 1.0, len(texts)), model_id="p", probabilities=True
        )
        memory = open_with(reranker)
        told(memory)
        items = memory.activate("lamp", include_meta=True).items
        assert [item.scores.reranked for item in items] == [1.0, 0.5, 0.0]

    def test_without_one_there_is_no_number(self, open_with):
        memory = open_with(None)
        told(memory)
        result = memory.activate("lamp", include_meta=True)
        assert [item.scores.reranked for item in result.items] == [None] * 3
        assert result.scoring_params.reranker is None

    def test_what_is_not_relevant_stays_out(self, open_with):
        spy = Spy(lambda text: 10.0 * ("kettle" in text))
        memory = open_with(spy, policy=LASTING.replace("min_cosine: -1.0", "min_cosine: 1.0"))
        told(memory, [*LAMPS, "The kettle is old."])
        assert sorted(found(memory)) == sorted(LAMPS)
        assert "kettle" not in spy.seen

    def test_a_quoted_phrase_keeps_its_weight(self, open_with):
        spy = Spy(lambda text: 0.2 * ("blue" in text))
        memory = open_with(spy)
        told(memory)
        assert found(memory, 'which lamp is "on the desk" of ours')[0] == LAMPS[1]

    def test_what_nothing_asks_for_is_not_reranked(self, open_with):
        spy = Spy()
        memory = open_with(spy)
        told(memory)
        assert len(found(memory, "")) == 3
        assert len(found(memory, "   ")) == 3
        assert found(memory, "-lamp") == []
        assert spy.given == []

    def test_the_activation_and_its_event_name_it(self, open_with):
        memory = open_with(Spy(lambda _: 0.0))
        told(memory)
        assert memory.activate("lamp").scoring_params.reranker == "spy@1"
        event = events.newest(topic="activate")(memory.deps).unwrap()[0].payload
        assert event["reranker"] == "spy@1"
        assert event["reranked"] == {"avg": 0.5, "p50": 0.5, "p90": 0.5}


class TestThePolicy:
    def test_it_can_turn_it_off(self, open_with):
        spy = Spy(lambda text: float("green" in text))
        memory, plain = open_with(spy), open_with(None)
        for one in (memory, plain):
            told(one)
        assert found(memory) != found(plain)
        asked = len(spy.given)
        use(memory, enabled="false")
        result = memory.activate("lamp", include_meta=True)
        assert [item.claim.text for item in result.items] == found(plain)
        assert result.scoring_params.reranker is None
        assert len(spy.given) == asked

    def test_only_the_first_so_many_are_judged(self, open_with):
        spy = Spy(lambda text: -float(LAMPS.index(text)))
        memory, plain = open_with(spy), open_with(None)
        for one in (memory, plain):
            told(one)
        before = found(plain)
        assert before[:2] == [LAMPS[2], LAMPS[0]]
        use(memory, candidates="2")
        result = memory.activate("lamp", include_meta=True)
        assert spy.given[-1][1] == before[:2]
        assert [item.claim.text for item in result.items] == [before[1], before[0], before[2]]
        assert result.items[2].scores is not None
        assert result.items[2].scores.reranked is None
        # The least of scores stands above what was not judged.
        spy.says = lambda _: -1000.0
        assert found(memory) == before
        assert found(memory, top_k=1) == before[:1]

    def test_of_those_that_stand_level_the_ids_say_who_is_judged(self, open_with):
        spy = Spy()
        by_words = LASTING.replace("alpha: 0.65 ", "alpha: 0.0 ").replace(": signs ", ': "off" ')
        memory = open_with(spy, policy=by_words.replace("candidates: 50 ", "candidates: 2 "))
        for name in "cab":
            claim = _claim(f"Lamp {name}{name}{name}.", "project", "public")
            kept = claim.model_copy(update={"id": f"clm_{name}"})
            _ = memory.integrate([kept], boundary=_all())
        assert found(memory) == ["Lamp aaa.", "Lamp bbb.", "Lamp ccc."]
        assert spy.given == [("lamp", ["Lamp aaa.", "Lamp bbb."])]

    def test_its_weight_is_a_matter_of_the_policy(self, open_with):
        spy = Spy(lambda text: float(LAMPS.index(text)))
        memory, plain = open_with(spy), open_with(None)
        for one in (memory, plain):
            told(one)
        use(memory, weight="0.0")
        assert found(memory) == found(plain)
        assert found(memory) != sorted(LAMPS, key=LAMPS.index, reverse=True)


class TestWhatItIsGiven:
    def test_only_what_the_caller_sees(self, open_with):
        spy = Spy()
        memory = open_with(spy)
        for scope in ("session", "project", "principle"):
            for name in ("public", "internal", "pii"):
                claim = _claim(f"A lamp of {scope} and {name}.", scope, name)
                _ = memory.integrate([claim], boundary=_all())
        narrow = CONTACTS.model_copy(update={"boundary_classes": ("public", "internal")})
        shown = found(memory, boundary=narrow)
        assert sorted(shown) == [
            "A lamp of project and internal.",
            "A lamp of project and public.",
        ]
        assert sorted(spy.given[0][1]) == sorted(shown)
        assert "pii" not in spy.seen
        assert "session" not in spy.seen

    def test_texts_as_they_are_shown(self, open_with):
        spy = Spy()
        memory = open_with(spy)
        claim = _claim(
            "Write to taro@example.com about the lamp, 電話は090-1234-5678。", "project", "pii"
        )
        _ = memory.integrate([claim], boundary=_all())
        shown = found(memory, boundary=CONTACTS)
        assert shown == ["Write to [email] about the lamp, 電話は[phone]。"]
        assert spy.given == [("lamp", shown)]

    def test_what_a_policy_names_later_is_taken_out(self, open_with):
        spy = Spy()
        memory = open_with(spy)
        told(memory)
        _ = memory.apply_policy(REDACTING)
        shown = found(memory, "green lamp", boundary=_all())
        assert "lamp" not in spy.seen
        assert spy.given[-1] == ("green [thing]", shown)

    def test_the_query_is_redacted_too(self, open_with):
        spy = Spy()
        memory = open_with(spy)
        told(memory)
        assert found(memory, f"lamp of x@example.com with {KEY} and 090-1234-5678 -kitchen")
        assert spy.given[0][0].strip() == "lamp of [email] with [secret] and [phone]"

    def test_no_secret_reaches_it(self, open_with):
        spy = Spy()
        memory = open_with(spy)
        told(memory, [*LAMPS, f"The lamp has the key {KEY}."])
        for query in ("lamp", f"lamp {KEY}", "lamp key", KEY):
            _ = memory.activate(query, boundary=_all())
        assert KEY not in spy.seen
        assert "[secret]" in spy.seen

    def test_a_text_that_comes_twice_goes_once(self):
        spy = Spy(lambda text: float(len(text)))
        scores = checked(spy).unwrap().score("q", ["aa", "b", "aa", "b\0"]).unwrap()
        assert spy.given == [("q", ["aa", "b", "b "])]
        assert scores == [sigmoid(2.0), sigmoid(1.0), sigmoid(2.0), sigmoid(2.0)]

    def test_what_it_does_to_its_list_is_its_own_affair(self):
        class Clears(Spy):
            def score(self, query: str, texts: Any) -> Any:
                said = super().score(query, texts)
                texts.clear()
                return said

        assert checked(Clears()).unwrap().score("q", ["a", "b"]).unwrap() == [0.5, 0.5]

    def test_long_texts_are_cut(self):
        spy = Spy(lambda text: float(len(text)))
        assert checked(spy).unwrap().score("q" * 30_000, ["a" * 30_000]).unwrap() == [1.0]
        assert [len(spy.given[0][0]), len(spy.given[0][1][0])] == [20_000, 20_000]


def _claim(text: str, scope: str, boundary_class: str) -> Claim:
    made = {"created_at": 1_749_999_000.0, "updated_at": 1_749_999_000.0}
    return Claim.model_validate(
        {
            "id": f"clm_{content_hash(text)[-16:]}",
            "text": text,
            "kind": "fact",
            "scope": scope,
            "boundary_class": boundary_class,
            "origin_observation_id": "obs_1",
            **made,
        }
    )


def _all() -> Boundary:
    wide = {"scope": ("session", "project", "principle")}
    return CONTACTS.model_copy(update=wide)


def raises(_query: str, texts: list[str]) -> object:
    raise ValueError(f"the secret text is {texts[0]}")


def endless(_query: str, _texts: list[str]) -> Iterator[float]:
    while True:
        yield 0.5


def itself(_query: str, texts: list[str]) -> object:
    texts.clear()
    return Failure(RerankingFailed("other", "raised", "it was about the lamp"))


FAULTS: dict[str, tuple[Callable[[str, list[str]], object], str]] = {
    "raises": (raises, "raised"),
    "a fault of the memory": (lambda _, __: _memory_fault(), "raised"),
    "says so itself": (itself, "failed"),
    "fails with anything": (lambda _, texts: Failure(texts), "failed"),
    "nothing": (lambda _, __: None, "no_numbers"),
    "text": (lambda _, texts: "1" * len(texts), "no_numbers"),
    "texts": (lambda _, texts: texts, "no_numbers"),
    "a mapping": (lambda _, texts: dict.fromkeys(range(len(texts)), 1.0), "no_numbers"),
    "a set": (lambda _, texts: set(range(len(texts))), "no_numbers"),
    "truths": (lambda _, texts: [True] * len(texts), "no_numbers"),
    "rows": (lambda _, texts: np.ones((len(texts), 2)), "no_numbers"),
    "complex": (lambda _, texts: np.ones(len(texts)) * 1j, "no_numbers"),
    "a number": (lambda _, __: 1.0, "no_numbers"),
    "a scalar": (lambda _, __: np.float32(1.0), "no_numbers"),
    "a huge number": (lambda _, texts: [10**400] * len(texts), "no_numbers"),
    "none of them": (lambda _, __: [], "wrong_count"),
    "too few": (lambda _, texts: [0.5] * (len(texts) - 1), "wrong_count"),
    "too many": (lambda _, texts: np.zeros(len(texts) + 1), "wrong_count"),
    "without end": (endless, "wrong_count"),
    "NaN": (lambda _, texts: [0.5, float("nan"), 0.5][: len(texts)], "not_finite"),
    "infinite": (lambda _, texts: np.full(len(texts), np.inf), "not_finite"),
    "minus infinity": (lambda _, texts: [-float("inf")] * len(texts), "not_finite"),
}


def _memory_fault() -> object:
    raise MemoryFault(InvalidParameter("lamp", "lamp"))


class TestItsFaults:
    @pytest.mark.parametrize("name", FAULTS)
    def test_the_search_goes_on_without_it(self, open_with, name):
        function, why = FAULTS[name]
        memory, plain = open_with(from_callable(function, model_id="mine")), open_with(None)
        for one in (memory, plain):
            told(one)
        result, wanted = (one.activate("lamp", include_meta=True) for one in (memory, plain))
        shown = [(one.claim.text, one.score, one.scores) for one in result.items]
        assert shown == [(one.claim.text, one.score, one.scores) for one in wanted.items]
        assert result.scoring_params == wanted.scoring_params
        (event,) = fallbacks(memory)
        assert (event["error"], event["why"]) == ("RERANKING_FAILED", why)
        assert event["reranker"] == "mine"
        assert "lamp" not in str(event)

    @pytest.mark.parametrize("score", [1.1, -0.1])
    def test_what_is_said_to_be_a_probability_and_is_none(self, score):
        made = from_callable(lambda _, __: [score], model_id="p", probabilities=True)
        assert checked(made).unwrap().score("q", ["a"]).failure().why == "out_of_range"

    @pytest.mark.parametrize(("score", "wanted"), [(1.0 + 1e-7, 1.0), (-1e-7, 0.0)])
    def test_what_single_precision_rounds_is_a_probability(self, score, wanted):
        made = from_callable(lambda _, __: [score], model_id="p", probabilities=True)
        assert checked(made).unwrap().score("q", ["a"]).unwrap() == [wanted]

    def test_its_own_words_are_for_who_asks_it(self, open_with):
        memory = open_with(raises)
        error = memory.deps.reranker.score("q", ["lamp"]).failure()
        assert error.reason == "it raised ValueError"
        assert error.message == f"Reranking failed for provider {error.provider}: {error.reason}"
        assert "lamp" not in repr(error)

    @pytest.mark.parametrize("ends", [SystemExit, GeneratorExit])
    def test_one_that_ends_the_program_is_a_fault(self, open_with, ends):
        def leaves(_query: str, _texts: list[str]) -> object:
            raise ends

        memory = open_with(leaves)
        told(memory)
        assert sorted(found(memory)) == sorted(LAMPS)
        error = memory.deps.reranker.score("q", ["lamp"]).failure()
        assert error.reason == f"it raised {ends.__name__}"

    def test_an_interrupt_is_no_fault_of_its(self, open_with):
        def interrupted(_query: str, _texts: list[str]) -> object:
            raise KeyboardInterrupt

        memory = open_with(interrupted)
        told(memory)
        with pytest.raises(KeyboardInterrupt):
            _ = memory.activate("lamp")
        assert fallbacks(memory) == []

    def test_a_memory_that_is_only_read_falls_back_too(self, memory_at):
        with memory_at(policy=LASTING) as memory:
            told(memory)
        reading = memory_at(reranker=raises, read_only=True)
        assert sorted(found(reading)) == sorted(LAMPS)
        assert reading.activate("lamp").scoring_params.reranker is None

    @pytest.mark.parametrize(
        "numbers",
        [
            lambda n: tuple(range(n)),
            lambda n: np.arange(n, dtype=np.float32),
            lambda n: np.arange(n, dtype=np.int64),
            lambda n: list(np.arange(n, dtype=np.float16)),
            lambda n: [np.array(one) for one in range(n)],
            lambda n: (one for one in range(n)),
            lambda n: Success(range(n)),
        ],
    )
    def test_numbers_of_every_kind(self, numbers):
        reranker = resolve_reranker(lambda _, texts: numbers(len(texts))).unwrap()
        assert reranker is not None
        assert reranker.score("q", ["a", "b"]).unwrap() == [sigmoid(0.0), sigmoid(1.0)]

    def test_decimals_are_no_floats(self):
        reranker = resolve_reranker(lambda _, texts: [Decimal(1)] * len(texts)).unwrap()
        assert reranker is not None
        assert reranker.score("q", ["a"]).failure().why == "no_numbers"

    def test_nothing_to_judge(self):
        assert checked(Spy()).unwrap().score("q", []).unwrap() == ()


class TestWhileItThinks:
    def test_the_file_can_be_written_and_compacted(self, memory_at):
        memories: list[Memory] = []

        def writes(_query: str, texts: list[str]) -> list[float]:
            (memory,) = memories
            _ = memory.observe("Meanwhile somebody bought a lamp.")
            assert memory.forget(query="green").compacted
            return [0.0 for _ in texts]

        memories.append(memory_at(reranker=writes, policy=LASTING))
        told(memories[0])
        # What was erased meanwhile is not shown, whatever was said of it.
        assert sorted(found(memories[0])) == sorted([LAMPS[0], LAMPS[2]])
        assert fallbacks(memories[0]) == []

    def test_one_that_asks_the_memory_falls_back_and_ends(self, open_with):
        memories: list[Memory] = []

        def asks(_query: str, texts: list[str]) -> list[float]:
            memory = memories[0]
            use(memory, enabled="false")
            assert len(found(memory)) == 3
            return [float(LAMPS.index(text)) for text in texts]

        memories.append(open_with(asks))
        told(memories[0])
        assert found(memories[0]) == [*reversed(LAMPS)]


class TestOpening:
    @pytest.mark.parametrize(
        ("given", "reason"),
        [
            (3, "int has no score"),
            (Spy, "Spy is a class"),
            (int, "int is a class"),
            ("bge-reranker", "sentence-transformers:PATH"),
            ("sentence-transformers:", "sentence-transformers:PATH"),
            ("sentence-transformers:./nowhere", "there is no model folder"),
            (type("A", (), {"score": 3, "model_id": "a"})(), "A has no score"),
            (type("A", (), {"score": lambda *_: []})(), "its model_id"),
            (type("A", (), {"score": lambda *_: [], "model_id": "a\n"})(), "its model_id"),
            (
                type("A", (), {"score": lambda *_: [], "model_id": property(lambda _: 1 / 0)})(),
                "its model_id raised ZeroDivisionError",
            ),
        ],
    )
    def test_what_is_no_reranker_is_told(self, given, reason):
        error = Memory.try_open(":memory:", embedder="hashing", reranker=given).failure()
        assert isinstance(error, InvalidParameter)
        assert error.name == "reranker"
        assert reason in error.reason

    def test_an_object_is_a_reranker_if_it_says_so(self, open_with):
        spy: Reranker = Spy()
        memory = open_with(spy)
        assert memory.deps.reranker.model_id == "spy@1"
        safe = memory.deps.reranker
        assert resolve_reranker(safe).unwrap() is safe

    def test_a_callable_object_is_named_after_its_class(self):
        class Judge:
            def __call__(self, _query: str, texts: list[str]) -> list[int]:
                return [1] * len(texts)

        made = resolve_reranker(Judge()).unwrap()
        assert made is not None
        assert made.model_id == "function:Judge"


@pytest.fixture(scope="module")
def pair() -> Iterator[tuple[Memory, Memory, Spy]]:
    """A memory with a reranker, one without, and the reranker."""
    spy = Spy()
    how: dict[str, Any] = {
        "embedder": "hashing",
        "policy": LASTING,
        "clock": lambda: 1_750_000_000.0,
    }
    with Memory.open(reranker=spy, **how) as one, Memory.open(**how) as other:
        yield one, other, spy


LIST = claim_lists(max_size=8, boundary_class=st.sampled_from(["public", "internal", "pii"]))
QUERIES = sentences | st.sampled_from(
    ["dark mode", "デプロイ", '"dark mode" of Alice', "x@example.com"]
)


@given(given=LIST, query=QUERIES, constant=st.floats(-50, 50), k=st.sampled_from([1, 2, 100]))
def test_who_says_the_same_of_all_changes_no_order(pair, given, query, constant, k):
    memory, plain, spy = pair
    spy.says = lambda _: constant
    for one in (memory, plain):
        wipe(one)
        _ = one.integrate(given, boundary=_all())
    order = [one.claim.id for one in memory.activate(query, top_k=k).items]
    assert order == [one.claim.id for one in plain.activate(query, top_k=k).items]


@given(
    given=LIST, query=QUERIES, says=st.dictionaries(st.integers(0, 60), st.floats(-1e300, 1e300))
)
def test_whatever_it_says_the_shown_are_visible_and_their_scores_fall(pair, given, query, says):
    memory, plain, spy = pair
    spy.says = lambda text: says.get(len(text) % 60, 0.0)
    spy.given.clear()
    for one in (memory, plain):
        wipe(one)
        _ = one.integrate(given, boundary=_all())
    items = memory.activate(query, top_k=100, boundary=default_boundary()).items
    without = plain.activate(query, top_k=100, boundary=default_boundary()).items
    assert {one.claim.id for one in items} == {one.claim.id for one in without}
    assert {one.claim.boundary_class for one in items} <= {"public", "internal"}
    shown = {one.claim.text for one in items}
    assert all(set(texts) <= shown for _, texts in spy.given)
    assert all(one.score >= other.score for one, other in pairwise(items))
    assert all(0.15 <= one.score <= 1.0 for one in items)

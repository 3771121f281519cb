"""Why a claim is an answer to a query or not: as an activation has it, and nothing that it hides."""

from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from pce_memory import Boundary, Claim, Memory, MemoryFault
from pce_memory.domain.vocabulary import SCOPES
from tests.conftest import wipe
from tests.policies import LASTING
from tests.strategies import claim_lists, sentences

WIDE = Boundary(
    scope=SCOPES,
    allow=("answer:task", "tool:contact-lookup"),
    boundary_classes=("public", "internal", "pii"),
)
NARROW = Boundary(scope=SCOPES, allow=("answer:task",), boundary_classes=("public", "internal"))
QUERIES = sentences | st.sampled_from(["", "lamp -kitchen", '"red lamp"', "デプロイ", "zzzz"])


def claim(number: int, text: str, **fields: object) -> Claim:
    made = {"id": f"clm_{number:04d}", "text": text, "kind": "fact", "scope": "project"}
    more = {"boundary_class": "internal", "confidence": 0.9, "created_at": 1.7e9, **fields}
    origin = {"origin_observation_id": "obs_1", "updated_at": more["created_at"]}
    return Claim.model_validate({**made, **more, **origin})


@pytest.fixture
def lamps(memory: Memory) -> Memory:
    _ = memory.apply_policy(LASTING)
    texts = [
        "The red lamp stands in the office.",
        "The green lamp stands in the kitchen.",
        "Deploys happen on Tuesday.",
        *(f"Lamp number {number} is broken." for number in range(40)),
    ]
    _ = memory.integrate([claim(number, text) for number, text in enumerate(texts)])
    return memory


def changed(memory: Memory, version: str, *pairs: tuple[str, str]) -> None:
    text = LASTING.replace("1.0.1", version)
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    _ = memory.apply_policy(text)


def visible(memory: Memory, given: Sequence[Claim]) -> list[str]:
    found = (memory.results.claim(one.id).value_or(None) for one in given)
    return sorted({one.id for one in found if one is not None})


@given(given=claim_lists(max_size=12), query=QUERIES, top_k=st.integers(1, 5))
def test_an_explanation_says_what_an_activation_does(
    memory: Memory, given: Sequence[Claim], query: str, top_k: int
) -> None:
    wipe(memory)
    _ = memory.integrate(given)
    items = memory.activate(query, top_k=top_k, include_meta=True).items
    shown = {str(item.claim.id): item for item in items}
    for one in visible(memory, given):
        told = memory.explain(query, one, top_k=top_k)
        item = shown.get(one)
        assert told.shown == (item is not None)
        assert (told.decided_by is None) == told.shown
        assert told.decided_by == next((k.check for k in told.checks if not k.passed), None)
        assert told.search is not None
        assert told.search.shown_at == (None if item is None else item.rank)
        if item is not None:
            assert told.search.scores == item.scores
            assert told.search.score == item.score
            assert told.search.reason == item.reason
        else:
            assert told.search.change


@given(given=claim_lists(max_size=12), query=QUERIES)
def test_the_ranks_of_a_lane_count_the_visible_claims_once_each(
    memory: Memory, given: Sequence[Claim], query: str
) -> None:
    wipe(memory)
    _ = memory.integrate(given)
    ids = visible(memory, given)
    for place in (0, 1):
        lanes = [
            told.lanes[place]
            for told in (memory.explain(query, one).search for one in ids)
            if told is not None and told.lanes
        ]
        ranked = sorted(
            (one for one in lanes if one.rank is not None), key=lambda one: one.rank or 0
        )
        assert [one.rank for one in ranked] == list(range(1, len(ranked) + 1))
        assert all(one.of == len(ranked) for one in lanes)
        scores = [one.score or 0.0 for one in ranked]
        assert scores == sorted(scores, reverse=True)
        assert all(one.score is None for one in lanes if one.rank is None)


@pytest.mark.parametrize("limit", [0, "1GB"])
def test_it_tells_the_same_with_and_without_a_mirror(clock, ids, limit):
    with Memory.open(
        ":memory:", embedder="hashing", clock=clock, ids=ids, mirror_memory=limit
    ) as memory:
        _ = memory.apply_policy(LASTING)
        _ = memory.integrate([claim(number, f"Lamp number {number}.") for number in range(30)])
        told = memory.explain("lamp 7", "clm_0007")
        assert told.search is not None
        assert (told.shown, told.search.rank) == (True, 1)
        words, meaning = told.search.lanes
        assert (words.rank, words.of, words.lane) == (1, 30, "words")
        assert (meaning.rank, meaning.of, meaning.lane) == (1, 30, "meaning")


class TestWhatStoppedIt:
    def test_what_the_query_leaves_out(self, lamps):
        told = lamps.explain("lamp -kitchen", "clm_0001")
        assert (told.shown, told.decided_by) == (False, "query")
        assert told.search.change == ("ask without leaving out what it holds",)

    def test_what_the_query_quotes(self, lamps):
        told = lamps.explain('"red lamp"', "clm_0001")
        assert told.decided_by == "quotation"
        assert told.search.change == ("ask without the quotation marks",)
        assert lamps.explain('"red lamp"', "clm_0000").shown

    def test_a_larger_top_k_is_what_it_says(self, lamps):
        told = lamps.explain("lamp", "clm_0030", top_k=5)
        assert told.decided_by == "top_k"
        assert told.search.change == (f"a top_k of {told.search.rank} or more",)
        assert lamps.explain("lamp", "clm_0030", top_k=told.search.rank).shown
        assert not lamps.explain("lamp", "clm_0030", top_k=told.search.rank - 1).shown

    def test_a_top_k_that_is_advised_is_right(self, memory):
        """Lanes that grew with top_k brought six more before it with 91 than with 5."""
        _ = memory.apply_policy(LASTING)
        _ = memory.integrate(
            [claim(n, f"Lamp {n} is {'red ' * (n % 7)}and old {n % 5}.") for n in range(150)]
        )
        told = [memory.explain("red lamp", f"clm_{n:04d}", top_k=3) for n in range(0, 150, 9)]
        asked = [one for one in told if one.decided_by == "top_k"]
        assert asked
        for one in asked:
            assert one.search is not None
            (change,) = one.search.change
            if change.startswith("a top_k of"):
                enough = int(change.split()[3])
                assert memory.explain("red lamp", one.claim_id, top_k=enough).shown
            else:
                assert not memory.explain("red lamp", one.claim_id, top_k=100).shown

    @pytest.mark.parametrize("query", ["", "lamp"])
    def test_the_top_k_of_claims_that_stand_level(self, memory, query):
        """An import with one timestamp: the rank of a claim was no larger than the top_k tried."""
        given = [claim(number, f"Visible lamp number {number} in office") for number in range(20)]
        _ = memory.apply_policy(LASTING)
        _ = memory.integrate(given)
        shown = {item.claim.id for item in memory.activate(query).items}
        for one in (one.id for one in given if one.id not in shown):
            (change,) = memory.explain(query, one).search.change
            wanted = int(change.split()[3])
            for top_k, held in ((wanted, True), (wanted - 1, False)):
                ids = [item.claim.id for item in memory.activate(query, top_k=top_k).items]
                assert (one in ids) is held

    def test_a_lower_threshold_is_what_it_says(self, lamps):
        changed(lamps, "1.1.0", ("threshold: 0.15", "threshold: 0.9"))
        told = lamps.explain("red lamp", "clm_0000")
        assert told.decided_by == "threshold"
        low = told.search.change[0].split()[3]
        assert float(low) <= told.search.first
        changed(lamps, "1.2.0", ("threshold: 0.15", f"threshold: {low}"))
        assert lamps.explain("red lamp", "clm_0000").shown

    def test_a_lower_min_cosine_is_what_it_says(self, lamps):
        open_wide = ("threshold: 0.15", "threshold: 0")
        changed(lamps, "1.1.0", open_wide, ("min_cosine: -1.0", "min_cosine: 0.95"))
        told = lamps.explain("red lamp", "clm_0002", top_k=60)
        assert told.decided_by == "relevant"
        low = told.search.change[1].split()[3]
        changed(lamps, "1.2.0", open_wide, ("min_cosine: -1.0", f"min_cosine: {low}"))
        assert lamps.explain("red lamp", "clm_0002", top_k=60).shown

    def test_a_larger_lane_is_what_it_says(self, memory):
        # The searches bring 100 and 200 at least, whatever top_k is and the policy says.
        changed(memory, "1.1.0", ("threshold: 0.15", "threshold: 0"))
        numbers = range(500)
        _ = memory.integrate_many([claim(n, f"Lamp number {n} is broken.") for n in numbers])
        told = {n: memory.explain("lamp", f"clm_{n:04d}", top_k=1) for n in (150, 350, 499)}
        lacking = [one for one in told.values() if one.decided_by == "candidate"]
        assert lacking
        for one in lacking:
            words = one.search.lanes[0]
            assert (words.within, words.brings, one.search.scores) == (100, False, None)
            assert one.search.change[0] == f"a k_txt of {words.rank} or more"
        last = lacking[-1]
        rank = last.search.lanes[0].rank
        wider = (("threshold: 0.15", "threshold: 0"), ("k_txt: 48", f"k_txt: {rank}"))
        changed(memory, "1.2.0", *wider)
        assert memory.explain("lamp", last.claim_id, top_k=1).decided_by == "top_k"

    def test_what_another_says(self, lamps):
        changed(lamps, "1.1.0", ("similar: 1.0", "similar: 0.6"))
        stopped = {lamps.explain("lamp", f"clm_{one:04d}").decided_by for one in range(3, 12)}
        assert "duplicates" in stopped

    def test_the_budget_of_tokens(self, lamps):
        changed(lamps, "1.1.0", ("max_tokens: 50000", "max_tokens: 12"))
        shown = lamps.activate("lamp", scope=["project"])
        assert shown.cut_by == "tokens"
        one = lamps.explain("lamp", shown.items[0].claim.id, scope=["project"])
        assert one.shown
        rest = [f"clm_{number:04d}" for number in range(43)]
        told = [lamps.explain("lamp", one, scope=["project"]) for one in rest]
        stopped = {one.decided_by for one in told if one.search and one.search.rank}
        assert stopped == {None, "tokens"}


class TestWhoMayAsk:
    @pytest.fixture
    def hidden(self, memory: Memory) -> Memory:
        _ = memory.apply_policy(LASTING)
        card = claim(1, "Call Alice Smith at alice@example.com.", boundary_class="pii")
        _ = memory.integrate([card, claim(2, "The red lamp.", scope="session")], boundary=WIDE)
        return memory

    def test_what_a_boundary_hides_is_unknown(self, hidden):
        with pytest.raises(MemoryFault) as fault:
            _ = hidden.explain("alice", "clm_0001", boundary=NARROW)
        with pytest.raises(MemoryFault) as absent:
            _ = hidden.explain("alice", "clm_none", boundary=NARROW)
        assert fault.value.error.code == absent.value.error.code == "UNKNOWN_CLAIM"
        assert (
            fault.value.error.message.replace("clm_0001", "clm_none") == absent.value.error.message
        )
        assert hidden.audit(tool="explain", decision="denied")

    def test_no_query_can_widen_it(self, hidden):
        with pytest.raises(MemoryFault) as fault:
            _ = hidden.explain("alice", "clm_0001", boundary=NARROW, allow=["tool:contact-lookup"])
        assert fault.value.error.code == "BOUNDARY_DENIED"

    def test_who_may_see_it_is_told_what_the_query_rules_out(self, hidden):
        told = hidden.explain("alice", "clm_0001", boundary=WIDE, allow=["answer:task"])
        assert (told.shown, told.decided_by, told.search) == (False, "allow", None)
        told = hidden.explain("lamp", "clm_0002", boundary=WIDE, scope=["project"])
        assert (told.shown, told.decided_by, told.search) == (False, "scope", None)

    def test_what_is_past_its_time_is_unknown(self, memory, clock):
        _ = memory.integrate(
            [claim(1, "The red lamp.", scope="session", created_at=clock.now, kind="task")]
        )
        assert memory.explain("lamp", "clm_0001").shown
        clock.advance(days=400)
        with pytest.raises(MemoryFault) as fault:
            _ = memory.explain("lamp", "clm_0001")
        assert fault.value.error.code == "UNKNOWN_CLAIM"
        assert memory.explain("clm_0001").decided_by == "ttl"

    def test_what_waits_for_a_review_is_unknown(self, memory):
        card = claim(1, "Call Alice Smith.", boundary_class="pii", created_at=1.75e9)
        assert memory.integrate([card], boundary=WIDE).queued == ("clm_0001",)
        with pytest.raises(MemoryFault) as fault:
            _ = memory.explain("alice", "clm_0001", boundary=WIDE)
        assert fault.value.error.code == "UNKNOWN_CLAIM"

    def test_no_text_is_told(self, lamps):
        for query in ("red lamp", "lamp -kitchen", '"red lamp"', "赤いランプ"):
            told = lamps.explain(query, "clm_0001").model_dump_json()
            for word in ("kitchen", "green", "stands", query):
                assert word not in told


class TestHowItIsAsked:
    def test_by_name_and_by_place(self, lamps):
        by_name = lamps.explain(query="red lamp", claim_id="clm_0000")
        assert by_name == lamps.explain("red lamp", claim_id="clm_0000")
        assert by_name == lamps.explain("red lamp", "clm_0000")
        assert lamps.explain(claim_id="clm_0000").search is None
        assert lamps.results.explain("red lamp", "clm_0000").unwrap() == by_name

    @pytest.mark.parametrize(
        ("given", "named", "code"),
        [
            ((), {}, "INVALID_PARAMETER"),
            (("a", "b", "c"), {}, "INVALID_PARAMETER"),
            ((), {"query": "lamp"}, "INVALID_PARAMETER"),
            (("clm_0000", "red lamp"), {}, "INVALID_ID"),
            ((None, "clm_0000"), {}, "INVALID_PARAMETER"),
            ((7, "clm_0000"), {}, "INVALID_PARAMETER"),
            (("lamp", "clm_0000"), {"top_k": 0}, "INVALID_PARAMETER"),
            (("lamp", "clm_0000"), {"colour": "red"}, "INVALID_PARAMETER"),
            (("lamp", "clm_0000"), {"boundary": 3}, "INVALID_PARAMETER"),
            (("x" * 200_000, "clm_0000"), {}, "INVALID_PARAMETER"),
        ],
    )
    def test_a_wrong_call_is_a_clear_error(self, lamps, given, named, code):
        with pytest.raises(MemoryFault) as fault:
            _ = lamps.explain(*given, **named)
        assert fault.value.error.code == code

    def test_nothing_is_kept(self, lamps):
        before = lamps.deps.db.query("select count(*) as n from active_contexts").unwrap()
        _ = lamps.explain("red lamp", "clm_0000")
        assert lamps.deps.db.query("select count(*) as n from active_contexts").unwrap() == before

    def test_a_read_only_memory_explains(self, tmp_path, clock, ids):
        path = tmp_path / "memory.duckdb"
        with Memory.open(path, embedder="hashing", clock=clock, ids=ids) as memory:
            _ = memory.integrate([claim(1, "The red lamp.", created_at=clock.now)])
        with Memory.open(path, embedder="hashing", clock=clock, read_only=True) as memory:
            assert memory.explain("lamp", "clm_0001").shown

"""Every form in which something is asked, as `activate` answers it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfoNotFoundError

import pytest
from hypothesis import given, settings, strategies as st

from pce_memory import Memory, MemoryFault
from pce_memory.errors import InvalidParameter
from pce_memory.opening import zones
from tests.policies import LASTING
from tests.strategies import odd_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.conftest import CountingIds, FakeClock

FACTS: Final = (
    "The red lamp stands in the office.",
    "The lamp in the office is red and old.",
    "The red kitchen lamp is broken.",
    "Nobody painted the office door.",
    "Set `max_retry_count` to 5 in config/worker.yaml.",
    "The retry count of the worker is the maximum we allow.",
    "Issue #4711 is about the parser.",
    "Issue #4712 is about the printer.",
    "We shipped v2.10.3 on the train.",
    "We shipped v2.10.4 on the boat.",
    "class HttpRequestParser reads headers.",
    "The id is 3f2b8c1e-9d4a-4c1b-8a7e-5d6f7a8b9c0d today.",
    "サーバー管理の担当は健二さんです。",
    "請求APIの上限は毎分600回です。",
    "退会 API の仕様は旧版のままです。",
    "新しい退会 API の仕様は確定した。",
    "Ｃａｎｂｅｒｒａ の会議は中止。",
    "The iPhone15 of Mei rang.",
    "An iPhone 14 is lost.",
    "Great 👍🏽 work with the boat 🚀.",
    "The boat 🚀 sank 👩🏻‍💻.",
)


@pytest.fixture(scope="module")
def facts() -> Iterator[Memory]:
    with Memory.open(embedder="hashing", policy=LASTING) as opened:
        assert opened.observe_many(FACTS).failed == ()
        yield opened


@pytest.fixture(scope="module")
def unmirrored() -> Iterator[Memory]:
    with Memory.open(embedder="hashing", policy=LASTING, mirror_memory=0) as opened:
        assert opened.observe_many(FACTS).failed == ()
        yield opened


@pytest.fixture(scope="module")
def dynamic() -> Iterator[Memory]:
    policy = "retrieval: {dynamic_alpha: {enabled: true}}"
    policy = f'version: "1.0.1"\nextends: default\n{policy}\n'
    with Memory.open(embedder="hashing", policy=policy) as opened:
        _ = opened.observe("The red lamp stands in the office.")
        yield opened


def texts(memory: Memory, query: str, top_k: int = 100) -> list[str]:
    return [item.claim.text for item in memory.activate(query, top_k=top_k).items]


class TestPhrases:
    def test_who_holds_one_comes_first(self, facts: Memory) -> None:
        shown = texts(facts, 'where is the "red lamp" of the office')
        assert shown[0] == FACTS[0]
        assert FACTS[1] in shown[1:]  # the words, in another order

    def test_who_holds_one_comes_before_a_better_match(self, facts: Memory) -> None:
        assert texts(facts, 'old office lamp is red and "kitchen lamp"')[0] == FACTS[2]

    @pytest.mark.parametrize(
        ("query", "holders"),
        [
            ('"red lamp"', {FACTS[0]}),
            ("“Red LAMP”", {FACTS[0]}),
            ('"the office"', {FACTS[0], FACTS[1], FACTS[3]}),
            ("「退会 API」", {FACTS[14], FACTS[15]}),
            ("「サーバ管理」", {FACTS[12]}),
            ('"lamp red"', set()),
            ('"red lamp" "kitchen lamp"', {FACTS[0], FACTS[2]}),
            ('"great work"', {FACTS[19]}),
            ('"great 👍"', {FACTS[19]}),
            ('"🚀"', {FACTS[19], FACTS[20]}),
            ('"iphone 15"', set()),
            ('"the iPhone15"', {FACTS[17]}),
            ('"iphone"', {FACTS[18]}),
        ],
    )
    def test_a_quotation_shows_only_who_holds_it(
        self, facts: Memory, query: str, holders: set[str]
    ) -> None:
        assert set(texts(facts, query)) == holders


class TestWhatIsLeftOut:
    @pytest.mark.parametrize(
        ("query", "word"),
        [
            ("red lamp -kitchen", "kitchen"),
            ("lamp in the office -old -kitchen", "old"),
            ('lamp -"red kitchen"', "red kitchen"),
            ("office -door", "door"),
            ("退会 API -旧版", "旧版"),
            ("退会 API －旧版", "旧版"),
            ("boat -👍", "👍"),
            ("boat -👩‍💻", "👩"),
            ("iphone -iPhone15", "iPhone15"),
        ],
    )
    def test_is_never_shown(self, facts: Memory, query: str, word: str) -> None:
        shown = texts(facts, query)
        assert shown
        assert all(word not in text for text in shown)

    def test_alone_asks_for_nothing(self, facts: Memory) -> None:
        assert texts(facts, "-kitchen") == []

    @pytest.mark.parametrize("mirror_memory", ["1GB", 0])
    def test_takes_no_place_of_what_is_meant(self, mirror_memory: Any) -> None:
        # All that is nearest is left out: what is found by meaning alone comes after it.
        with Memory.open(embedder="hashing", policy=LASTING, mirror_memory=mirror_memory) as many:
            _ = many.observe_many([f"Gardeners like kitchens no {n}." for n in range(150)])
            _ = many.observe("Silence is golden.")
            shown = texts(many, "gardeners -kitchens", top_k=5)
            assert shown == ["Silence is golden."]

    def test_stands_beside_nothing_that_is_shown(self, clock: FakeClock) -> None:
        with Memory.open(embedder="hashing", policy=LASTING, clock=clock) as chat:
            for n, text in enumerate(["Where is the boat?", "It is with the plumber.", "I see."]):
                _ = chat.observe(text, source_id=f"r/D1:{n}", observed_at=clock.now + n)
            assert "It is with the plumber." in texts(chat, "where is the boat")
            assert "It is with the plumber." not in texts(chat, "where is the boat -plumber")

    @pytest.mark.parametrize("query", ["rm -rf", "e-mail", "--force lamp", "lamp -5", "- lamp"])
    def test_is_nothing_where_a_hyphen_is_none(self, facts: Memory, query: str) -> None:
        _ = texts(facts, query)
        if "lamp" in query:
            assert FACTS[0] in texts(facts, query)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("max_retry_count", 4),
        ("MAX_RETRY_COUNT", 4),
        ("maxRetryCount", 4),
        ("config/worker.yaml", 4),
        ("worker.yaml", 4),
        ("#4711", 6),
        ("issue 4712", 7),
        ("v2.10.3", 8),
        ("2.10.4", 9),
        ("HttpRequestParser", 10),
        ("http request parser", 10),
        ("http_request_parser", 10),
        ("3f2b8c1e-9d4a-4c1b-8a7e-5d6f7a8b9c0d", 11),
        ("サーバ管理", 12),
        ("サーバー管理", 12),
        ("ｻｰﾊﾞｰ管理", 12),
        ("請求ＡＰＩの上限", 13),
        ("請求apiの上限は６００回？", 13),
        ("請求API limit", 13),
        ("canberra", 16),
        ("ＣＡＮＢＥＲＲＡ", 16),
        ("iphone 15", 17),
        ("iPhone15", 17),
        ("iPhone14", 18),
        ("what is lost, the iphone14?", 18),
        ("👍", 19),
        ("👍🏿 work", 19),
        ("👩‍💻", 20),
    ],
)
def test_names_and_other_spellings(facts: Memory, query: str, first: int) -> None:
    assert texts(facts, query)[0] == FACTS[first]


HOSTILE: Final = [
    "",
    " \t\n\u3000",
    '"',
    '"""',
    '"red lamp',
    'red lamp"',
    '"" “” 「」',
    "「red lamp",
    "red lamp」",
    "-",
    "--",
    "- - -",
    "-lamp",
    '-"',
    '-""',
    "-「",
    '-"red lamp',
    "a-b-c -d-e- -",
    "3f2b8c1e-9d4a-4c1b-8a7e-5d6f7a8b9c0d -3f2b8c1e-9d4a-4c1b-8a7e-5d6f7a8b9c0d",
    "100% _ %_% \\ \\\\ \\' '; drop table claims; --",
    "select * from claims where 1 = 1",
    "red\0lamp",
    "\0",
    "\ud83c lamp \udfff",
    '"\ud800" -"\udfff"',
    "👍👍🏽👩‍👩‍👧‍👦",
    "-👍",
    '"👍"',
    "the of and is a",
    '"the of"',
    "-the",
    "قرأت الكتاب",
    "\u202elamp red\u202c \u200f-\u05d0\u05d1\u05d2",
    "משתמשים -כהה",
    "e\u0301" * 400,
    "ﷺ" * 100,
    "\ufeff\u200b\u200d",
    "lamp " * 2_000,
    '"lamp" ' * 1_400,
    "-lamp " * 1_600,
    "灯" * 3_300,
    "1e400 NaN inf -inf 0x7fffffffffffffff",
    "in the year 0000-00-00 and 99999-99-99, 31 February 2023, 2023年99月99日",
    "last last last week of next May before yesterday ago",
]


@pytest.mark.parametrize("query", HOSTILE, ids=range(len(HOSTILE)))
class TestHostileQueries:
    def test_are_answered(self, facts: Memory, unmirrored: Memory, query: str) -> None:
        held = facts.activate(query, top_k=100, include_meta=True).items
        assert all(0.15 <= item.score <= 1.0 for item in held)
        known = unmirrored.activate(query, top_k=100).items
        scores = {one.claim.text: one.score for one in known}
        assert {one.claim.text: one.score for one in held} == pytest.approx(scores, abs=1e-6)


@settings(max_examples=max(5, settings().max_examples))
@given(
    parts=st.lists(
        st.one_of(
            odd_texts,
            st.sampled_from(
                ['"', "-", "「", "」", "“", "lamp", "red", "退会", "API", "May", "先週", " "]
            ),
        ),
        max_size=8,
    )
)
def test_any_text_is_a_query(facts: Memory, parts: list[str]) -> None:
    query = "".join(parts)
    try:
        items = facts.activate(query, top_k=100).items
    except MemoryFault as fault:  # pragma: no cover
        pytest.fail(f"{query!r}: {fault}")
    assert all(0.15 <= item.score <= 1.0 for item in items)
    assert len({item.claim.id for item in items}) == len(items)


def moment(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


@pytest.fixture
def diary(clock: FakeClock, ids: CountingIds) -> Iterator[Callable[..., Memory]]:
    """Return `diary(*entries)`: a memory of a conversation, each entry a date and a text."""
    with Memory.open(embedder="hashing", policy=LASTING, clock=clock, ids=ids) as opened:

        def filled(*entries: tuple[str, str]) -> Memory:
            for n, (at, text) in enumerate(entries):
                _ = opened.observe(text, source_id=f"diary/D{n}:1", observed_at=moment(at))
            return opened

        yield filled


class TestTimes:
    """The clock stands at 2025-06-15, a Sunday."""

    @pytest.mark.parametrize(
        ("query", "month"),
        [
            ("What did Kenji paint in May 2023?", 5),
            ("What did Kenji paint in January 2023?", 1),
            ("Kenji paint 2023-09", 9),
            ("健二 paint 2023年5月", 5),
        ],
    )
    def test_a_month_that_is_named(
        self, diary: Callable[..., Memory], query: str, month: int
    ) -> None:
        entries = [
            (f"2023-{one:02}-10T12:00:00", f"Kenji painted picture {one}.") for one in range(1, 12)
        ]
        memory = diary(*entries)
        assert texts(memory, query)[0] == f"Kenji painted picture {month}."
        period = memory.activate(query, include_meta=True).items
        assert [item.rank for item in period] == list(range(1, len(period) + 1))

    @pytest.mark.parametrize(
        ("query", "day"),
        [
            ("先週、健二さんは何を売った？", "2025-06-04"),
            ("先月、健二さんは何を売った？", "2025-05-10"),
            ("昨日、健二さんは何を売った？", "2025-06-14"),
            ("健二さんは2024年3月に何を売った？", "2024-03-03"),
        ],
    )
    def test_a_time_told_from_now(
        self, diary: Callable[..., Memory], query: str, day: str
    ) -> None:
        days = ["2024-03-03", "2025-01-08", "2025-05-10", "2025-06-04", "2025-06-14"]
        memory = diary(*((f"{one}T12:00:00", f"健二さんは絵{one}を売った。") for one in days))
        assert texts(memory, query)[0] == f"健二さんは絵{day}を売った。"

    def test_what_was_told_soon_after_is_nearer_than_what_was_before(
        self, diary: Callable[..., Memory]
    ) -> None:
        memory = diary(
            ("2023-04-24T12:00:00", "Kenji painted the lake."),
            ("2023-06-06T12:00:00", "Kenji painted the hill."),
            ("2023-12-06T12:00:00", "Kenji painted the barn."),
        )
        shown = texts(memory, "What did Kenji paint in May 2023?")
        assert shown[0] == "Kenji painted the hill."

    def test_an_archive_counts_from_its_own_end_as_well(
        self, diary: Callable[..., Memory]
    ) -> None:
        memory = diary(
            ("2021-03-02T12:00:00", "Kenji painted the lake."),
            ("2021-05-11T12:00:00", "Kenji painted the hill."),
            ("2021-05-20T12:00:00", "Kenji went home."),
        )
        assert texts(memory, "What did Kenji paint last week?")[0] == "Kenji painted the hill."


class TestNeighbours:
    def test_an_answer_is_found_by_its_question(self, clock: FakeClock) -> None:
        with Memory.open(embedder="hashing", policy=LASTING, clock=clock) as chat:
            said = [
                ("alice", "Good morning!"),
                ("bob", "Where did you hide the spare key of the greenhouse?"),
                ("alice", "Under the third flowerpot."),
                ("bob", "Thanks."),
            ]
            for n, (actor, text) in enumerate(said):
                _ = chat.observe(
                    text, actor=actor, source_id=f"r/D1:{n}", observed_at=clock.now + 60 * n
                )
            for n in range(60):
                _ = chat.observe(f"Note {n}: buy {n} apples.", source_id=f"notes/N{n}")
            shown = texts(chat, "spare key greenhouse hide", top_k=3)
            assert "Under the third flowerpot." in shown[:2]

    def test_not_after_a_long_pause(self, clock: FakeClock) -> None:
        with Memory.open(embedder="hashing", policy=LASTING, clock=clock) as chat:
            for n, text in enumerate(["Where is the spare key?", "Under the flowerpot."]):
                at = clock.now + n * (6 * 3_600 + 1)
                _ = chat.observe(text, source_id=f"r/D1:{n}", observed_at=at)
            items = chat.activate("spare key", include_meta=True).items
            windows = {item.claim.text: item.scores.window for item in items if item.scores}
            assert windows["Where is the spare key?"] == 1.0
            assert windows.get("Under the flowerpot.", 0.0) == 0.0


class TestDynamicAlpha:
    """A query is long or short in every script."""

    @pytest.mark.parametrize(
        ("query", "alpha"),
        [
            ("lamp", 0.4),
            ("赤い灯", 0.4),
            ("サーバー管理", 0.4),
            ("กรุงเทพ", 0.4),
            ("lamps of the old office", 0.65),
            ("予算の承認は誰がしたか", 0.65),
            (
                "昨日の会議で決まった新しい予算の承認手続きについて、担当者が誰なのか教えてください",
                0.75,
            ),
            ("我们上周在会议上决定的预算审批流程由谁负责什么时候截止", 0.75),
            ("ใครเป็นผู้รับผิดชอบการอนุมัติงบประมาณที่ตัดสินใจในการประชุมสัปดาห์ที่แล้ว", 0.75),
            ("who is responsible for the approval of what we decided on last week", 0.75),
            ('who has "the red lamp"', 0.4),
            ('who is it that "approved" the budget that we decided on last week', 0.75),
        ],
    )
    def test_by_length(self, dynamic: Memory, query: str, alpha: float) -> None:
        assert dynamic.activate(query).scoring_params.alpha == alpha


class TestTimezone:
    """A day is that of the zone a memory was opened with."""

    @pytest.mark.parametrize("query", ["ハイキング 昨日", "hiking yesterday"])
    @pytest.mark.parametrize(("zone", "best"), [("Asia/Tokyo", "27 20:00"), ("UTC", "26 20:00")])
    def test_yesterday(self, zone: str, best: str, query: str) -> None:
        tokyo = timezone(timedelta(hours=9))
        now = datetime(2026, 11, 28, 8, tzinfo=tokyo).timestamp()  # the 27th in London
        said = {"26 20:00": "いい", "27 20:00": "ああ"}
        with Memory.open(embedder="hashing", clock=lambda: now, timezone=zone) as memory:
            for n, (when, word) in enumerate(said.items()):
                at = datetime.strptime(f"2026-11-{when}+0900", "%Y-%m-%d %H:%M%z").timestamp()
                _ = memory.observe(f"hiking ハイキング {word}.", observed_at=at, source_id=f"s{n}")
            # Its end is near now: of an archive, days count from its end too.
            _ = memory.observe("Tea is ready.", observed_at=now - 3600)
            found = texts(memory, query)
        assert said[best] in found[0]

    @pytest.mark.parametrize(
        "zone", ["Asia/Tokio", "", "/etc/passwd", "../UTC", "America", 9, None]
    )
    def test_what_is_no_zone(self, zone: Any) -> None:
        with pytest.raises(MemoryFault) as fault:
            _ = Memory.open(embedder="hashing", timezone=zone)
        error = fault.value.error
        assert isinstance(error, InvalidParameter)
        assert error.name == "timezone"

    def test_a_system_without_zones(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(zones, "ZoneInfo", _no_zone)
        monkeypatch.setattr(zones, "available_timezones", set)
        with pytest.raises(MemoryFault, match="tzdata"):
            _ = Memory.open(embedder="hashing", timezone="Asia/Tokyo")
        Memory.open(embedder="hashing", timezone="UTC").close()


def _no_zone(name: str) -> object:
    raise ZoneInfoNotFoundError(name)

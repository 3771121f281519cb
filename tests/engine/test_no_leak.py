"""Nothing foreign leaks: whatever is thrown at a memory comes back as one of its own errors.

Two things are asserted everywhere: the Results style returns a Result and the raising style raises
nothing but MemoryFault; and no error shows the canary, whatever part of it is looked at.
"""

import math
import pickle
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, get_args

import pytest
from returns.result import Failure, Result, Success

from pce_memory import (
    Boundary,
    Claim,
    Entity,
    EntityId,
    Feedback,
    FeedbackId,
    InvariantDefinition,
    Memory,
    MemoryFault,
    ObservationId,
    Provenance,
    Relation,
    RelationId,
)
from pce_memory.adapters.embedders import HashingEmbedder, from_callable
from pce_memory.errors import ClockFailed, CoreError, PCEError
from tests.conftest import START, rows
from tests.strategies import claim_id

Open = Callable[..., Memory]
Fields = dict[str, Any]

CANARY: Final = "Zanzibar7731quokka"
"""No detector knows it: where it is shown, a text of somebody's was shown."""

KEY: Final = claim_id(1)


def provenance() -> Provenance:
    return Provenance(at="2025-06-15T15:06:40Z")


POLICY: Final = """version: "9.0.0"
boundary_classes:
  public: {allow: ["*"]}
  internal: {allow: ["*"]}
  pii: {allow: []}
  secret: {allow: []}
"""

# Each public method with arguments that are right, by name; `claim` stands for a claim's id.
METHODS: Final[dict[str, Fields]] = {
    "observe": {
        "content": "Bob lost the key to the archive.",
        "source_type": "chat",
        "source_id": "msg-1",
        "actor": "alice",
        "tags": ("ui",),
        "observed_at": START,
        "idempotency_key": "k-1",
        "provenance": provenance(),
        "entities": (),
        "relations": (),
        "boundary": None,
    },
    "observe_many": {"items": ["Bob lost the key to the archive."], "boundary": None},
    "activate": {
        "query": "key",
        "scope": ("project",),
        "allow": ("answer:task",),
        "top_k": 3,
        "include_meta": True,
        "boundary": None,
    },
    "search": {"query": "key", "scope": ("project",), "k": 3, "boundary": None},
    "feedback": {
        "claim_id": KEY,
        "signal": "helpful",
        "score": 0.5,
        "duplicate_of": None,
        "feedback_id": "fb_1",
        "ts": START,
        "boundary": None,
    },
    "feedback_many": {
        "feedbacks": [Feedback(id=FeedbackId("fb_2"), claim_id=KEY, ts=START, signal="helpful")],
        "boundary": None,
    },
    "judge": {"claim_id": KEY, "score": 50.0, "judgement_id": "jdg_1", "boundary": None},
    "distill": {
        "text": "The key to the archive is precious.",
        "claim_ids": [KEY],
        "active_context_id": None,
        "provenance": provenance(),
        "scope": "project",
        "kind": "fact",
        "note": "of today",
        "boundary": None,
    },
    "integrate": {"claims": [], "boundary": None},
    "claim": {"claim_id": KEY, "boundary": None},
    "evidence": {"claim_id": KEY, "boundary": None},
    "context": {"active_context_id": "ac_1"},
    "apply_policy": {"yaml": POLICY},
}
PARAMETERS: Final = [(method, name) for method, fields in METHODS.items() for name in fields]
TEXTS: Final = [
    (method, name)
    for method, fields in METHODS.items()
    for name, value in fields.items()
    if isinstance(value, str)
    or value is None
    or (isinstance(value, Sequence) and all(isinstance(one, str) for one in value))
    # The faults of a policy show its lines, as they must: it is the text of who applies it.
    if name not in {"boundary", "yaml"}
]

ODD: Final = {
    "nul": f"{CANARY}\0 tail",
    "only nul": "\0",
    "surrogate": f"{CANARY} \ud83c tail",
    "surrogates in the wrong order": f"{CANARY} \udc00\ud800",
    "empty": "",
    "blank": " \t\n\u3000",
    "right to left": f"\u202e{CANARY}\u202c",
    "zero width": f"\u200b\u2060{CANARY}\ufeff",
    "quotes": f"'{CANARY}\"; drop table claims; --",
    "a secret": f"sk-proj-{CANARY}{CANARY}{CANARY}{CANARY}",
    "an address": f"{CANARY}@example.com",
    "long": f"{CANARY} " * 8_000,
    "lines": f"{CANARY}\r\n\x85\u2028{CANARY}",
}
WRONG: Final[dict[str, Any]] = {
    "none": None,
    "a number": 42,
    "a fraction": 0.5,
    "not a number": math.nan,
    "infinity": math.inf,
    "a huge number": 10**400,
    "bytes": CANARY.encode(),
    "a list": [CANARY],
    "a mapping": {CANARY: CANARY},
    "a set": {CANARY},
    "an object": object(),
    "a class": str,
    "a function": lambda: CANARY,
    "an exception": ValueError(CANARY),
    "nested": [[[CANARY]]],
    "pairs": [(CANARY, CANARY)],
}


def parts_of(error: CoreError) -> Iterator[str]:
    """Yield everything that an error may be shown as."""
    fault = MemoryFault(error)
    yield from (error.message, error.remedy, error.tag, error.code, repr(error), str(error))
    yield from (repr(dict(error.details)), repr(Failure(error)), str(fault), repr(fault))
    yield "".join(traceback.format_exception_only(fault))


def assert_clean(error: object) -> None:
    assert isinstance(error, get_args(CoreError))
    shown = [part for part in parts_of(error) if CANARY.casefold() in part.casefold()]
    assert shown == []
    assert error.message.encode("utf-8")  # a lone surrogate in it would break whoever prints it
    assert len(error.message) < 2_000


def call(memory: Memory, method: str, fields: Mapping[str, Any]) -> object:
    """Call a method in both styles, and return the error, or None; nothing else may come out."""
    result = getattr(memory.results, method)(**fields)
    assert isinstance(result, Result)
    fault = fault_of(lambda: getattr(memory, method)(**fields))
    if fault is not None:
        assert (fault.__cause__, fault.__context__) == (None, None)
        assert_clean(fault.error)
    return result.failure() if isinstance(result, Failure) else None


def fault_of(work: Callable[[], object]) -> MemoryFault | None:
    try:
        work()
    except MemoryFault as fault:
        return fault
    return None


@pytest.fixture
def stocked(memory: Memory) -> Memory:
    """A memory with the claim that METHODS speaks of, and nothing that holds the canary."""
    memory.integrate(
        [
            Claim(
                id=KEY,
                text="Alice keeps the only key to the archive.",
                kind="fact",
                scope="project",
                boundary_class="internal",
                origin_observation_id=ObservationId("obs_1"),
                created_at=START,
                updated_at=START,
            )
        ]
    )
    return memory


def with_text(value: object, text: str) -> object:
    """Return an argument with its text, or its texts, replaced."""
    if isinstance(value, str) or value is None:
        return text
    return [text, text]


class TestArguments:
    @pytest.mark.parametrize("method", METHODS)
    def test_the_right_ones_are_right(self, stocked: Memory, method: str):
        error = call(stocked, method, METHODS[method])
        assert getattr(error, "code", None) == {"context": "SEARCH_FAILED"}.get(method)

    @pytest.mark.parametrize(("method", "name"), TEXTS, ids=lambda part: part)
    def test_odd_texts(self, stocked: Memory, method: str, name: str):
        for text in ODD.values():
            fields = {**METHODS[method], name: with_text(METHODS[method][name], text)}
            error = call(stocked, method, fields)
            if error is not None:
                assert_clean(error)

    @pytest.mark.parametrize(("method", "name"), PARAMETERS, ids=lambda part: part)
    def test_wrong_kinds(self, stocked: Memory, method: str, name: str):
        before = {table: rows(stocked, table) for table in ("claims", "observations")}
        for kind, value in WRONG.items():
            if kind in allowed(method, name):
                continue
            error = call(stocked, method, {**METHODS[method], name: value})
            assert error is not None, f"{name} may be {kind}"
            assert_clean(error)
        assert {table: rows(stocked, table) for table in before} == before

    @pytest.mark.parametrize("method", METHODS)
    def test_an_argument_that_is_not_there(self, stocked: Memory, method: str):
        fields = {**METHODS[method], "no_such_argument": CANARY}
        if method in {"observe", "activate", "feedback", "judge", "distill", "apply_policy"}:
            error = call(stocked, method, fields)
            assert isinstance(error, PCEError)
            assert error.code == "INVALID_PARAMETER"
            assert_clean(error)
        else:  # where the names are fixed, the answer is Python's own
            with pytest.raises(TypeError) as told:
                call(stocked, method, fields)
            assert CANARY not in str(told.value)

    @pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, -1.0, 1e300, -(10**400)])
    @pytest.mark.parametrize(
        ("method", "name"),
        [("observe", "observed_at"), ("feedback", "ts"), ("feedback", "score"), ("search", "k")],
    )
    def test_numbers_out_of_range(self, stocked: Memory, method: str, name: str, number: float):
        if (name, number) == ("score", -1.0):
            number = -1.5
        error = call(stocked, method, {**METHODS[method], name: number})
        assert isinstance(error, PCEError)
        assert error.code == "INVALID_PARAMETER"
        assert_clean(error)


BYTES_ARE_TEXT: Final = {
    "content",
    "source_id",
    "actor",
    "idempotency_key",
    "query",
    "text",
    "note",
}
"""Where bytes are taken as the UTF-8 that they are."""


def allowed(method: str, name: str) -> set[str]:
    """Return the kinds of WRONG that are right for this parameter."""
    optional = {
        ("observe", "source_id"),
        ("observe", "actor"),
        ("observe", "observed_at"),
        ("observe", "idempotency_key"),
        ("observe", "provenance"),
        ("activate", "scope"),
        ("activate", "allow"),
        ("activate", "top_k"),
        ("search", "scope"),
        ("feedback", "score"),
        ("feedback", "duplicate_of"),
        ("feedback", "feedback_id"),
        ("feedback", "ts"),
        ("judge", "judgement_id"),
        ("distill", "active_context_id"),
        ("distill", "scope"),
        ("distill", "note"),
    }
    right = {"none"} if (method, name) in optional or name == "boundary" else set()
    if name == "tags":
        right |= {"a list", "a set"}
    if isinstance(METHODS[method][name], str) and name in BYTES_ARE_TEXT:
        right |= {"bytes"}  # UTF-8 is text
    if name in {"observed_at", "ts"}:
        right |= {"a number", "a fraction"}
    if name == "score":
        right |= {"a fraction"}
    if (method, name) == ("judge", "score"):
        right |= {"a number"}
    if name in {"k", "top_k"}:
        right |= {"a number", "none"}
    if method == "observe_many" and name == "items":
        # An item that cannot be taken is named in the answer; it stops nothing.
        right |= {"a list", "a mapping", "a set", "nested", "pairs"}
    return right


class TestItems:
    """`observe_many` names the items it could not take; it says nothing of their text."""

    @pytest.mark.parametrize("kind", [kind for kind in WRONG if kind != "bytes"])
    def test_one_of_the_wrong_kind_stops_nothing(self, stocked: Memory, kind: str):
        good = "Bob lost the key to the archive."
        done = stocked.observe_many([good, WRONG[kind], {"content": WRONG[kind]}])
        assert [one.index for one in done.failed] == [1, 2]
        assert CANARY not in repr(done.failed)
        assert rows(stocked, "observations") == 1

    @pytest.mark.parametrize("kind", ODD)
    def test_odd_texts(self, stocked: Memory, kind: str):
        done = stocked.results.observe_many([ODD[kind], {"content": ODD[kind]}]).unwrap()
        assert CANARY not in repr(done.failed)

    @pytest.mark.parametrize("items", ["Bob lost the key.", b"Bob lost the key."])
    def test_one_text_is_not_many_items(self, stocked: Memory, items: Any):
        error = call(stocked, "observe_many", {"items": items})
        assert isinstance(error, PCEError)
        assert error.code == "INVALID_PARAMETER"
        assert rows(stocked, "observations") == 0

    def test_an_iterable_that_breaks_is_the_callers(self, stocked: Memory):
        def broken() -> Iterator[str]:
            yield "Bob lost the key to the archive."
            raise LookupError("the source is gone")

        with pytest.raises(LookupError):
            stocked.observe_many(broken())
        assert stocked.observe("The memory works on as before.").claims != ()


def broken_rule(applies_to: tuple[str, ...], rule: str) -> InvariantDefinition:
    return InvariantDefinition(name="x", applies_to=applies_to, rule=rule)


class TestBoundaries:
    @pytest.mark.parametrize(
        "boundary",
        [
            Boundary(scope=(), allow=("answer:task",), boundary_classes=("public",)),
            Boundary(scope=("project",), allow=(), boundary_classes=("public",)),
            Boundary(scope=("project",), allow=("answer:task",), boundary_classes=()),
            Boundary(scope=("project",), allow=(f"{CANARY}:x",), boundary_classes=("internal",)),
            Boundary(
                scope=("project",),
                allow=("answer:task",),
                boundary_classes=("internal",),
                invariants=(broken_rule(("*",), f"== {CANARY} =="),),
            ),
            Boundary(
                scope=("project",),
                allow=("answer:task",),
                boundary_classes=("internal",),
                invariants=(broken_rule((f"{CANARY}'s",), "kind == 'fact'"),),
            ),
        ],
        ids=["no scope", "no tag", "no class", "other tag", "broken rule", "unknown scope"],
    )
    @pytest.mark.parametrize("method", ["observe", "activate", "search", "claim", "feedback"])
    def test_one_that_cannot_be_used(self, stocked: Memory, boundary: Boundary, method: str):
        error = call(stocked, method, {**METHODS[method], "boundary": boundary})
        if error is not None:
            assert_clean(error)


class Broken:
    """An embedder that raises, with what it was given in its words."""

    model_id = "broken"
    version = "1"
    dimension = 4

    def embed(self, text: str) -> object:
        raise RuntimeError(f"cannot embed {text}")

    def embed_batch(self, texts: Sequence[str]) -> object:
        raise RuntimeError(f"cannot embed {texts}")


def answering(answer: object) -> object:
    return from_callable(lambda _: answer, model_id="odd", version="1", dimension=4)


EMBEDDERS: Final[dict[str, Callable[[], object]]] = {
    "raises": Broken,
    "gives none": lambda: answering(None),
    "gives text": lambda: answering(CANARY),
    "gives nan": lambda: answering([[math.nan] * 4]),
    "gives zeros": lambda: answering([[0.0] * 4]),
    "gives too few numbers": lambda: answering([[1.0]]),
    "gives too many vectors": lambda: answering([[1.0] * 4] * 100),
    "gives a failure": lambda: answering(Failure(CANARY)),
    "raises our own fault": lambda: from_callable(
        lambda texts: (_ for _ in ()).throw(MemoryFault(ClockFailed(str(texts)))),
        model_id="odd",
        version="1",
        dimension=4,
    ),
}


NO_EMBEDDERS: Final[dict[str, Any]] = {
    "none": None,
    "a number": 42,
    "an object": object(),
    "a class": HashingEmbedder,
    "an unknown name": "no-such-model",
    "an address": f"{CANARY}@example.com",
    "no name": "",
    "bytes": b"hashing",
}


class TestEmbedders:
    @pytest.mark.parametrize("name", EMBEDDERS)
    def test_a_broken_one_costs_the_vectors_only(self, memory_at: Open, name: str):
        memory = memory_at(":memory:", embedder=EMBEDDERS[name]())
        text = f"Alice keeps the only key to {CANARY} in the archive."
        seen = memory.observe(text)
        assert [claim.text for claim in seen.claims] == [text]
        found = memory.activate("key archive")
        assert [item.claim.text for item in found.items] == [text]
        with pytest.raises(MemoryFault) as refused:
            memory.reembed()
        assert refused.value.error.code == "EMBEDDING_FAILED"
        assert_clean(refused.value.error)
        shown = memory.deps.db.query("select payload::varchar as said from events").unwrap()
        assert [row["said"] for row in shown if CANARY in row["said"]] == []

    @pytest.mark.parametrize("name", NO_EMBEDDERS)
    def test_what_is_none_is_refused(self, name: str):
        result = Memory.try_open(embedder=NO_EMBEDDERS[name])
        assert result.failure().code == "INVALID_PARAMETER"
        assert_clean(result.failure())


TIMES: Final = {
    "nan": math.nan,
    "infinity": math.inf,
    "negative": -1.0,
    "past the year 9999": 253_402_300_800.0,
    "huge": 1e300,
    "minus infinity": -math.inf,
}


class TestClocks:
    @pytest.mark.parametrize("name", TIMES)
    def test_a_new_memory_needs_a_usable_time(self, name: str):
        result = Memory.try_open(embedder="hashing", clock=lambda: TIMES[name])
        assert isinstance(result, Failure)
        assert isinstance(result.failure(), ClockFailed)

    @pytest.mark.parametrize("name", TIMES)
    @pytest.mark.parametrize("method", [*METHODS, "decay", "policy"])
    def test_every_call_needs_one(self, stocked: Memory, clock: Any, method: str, name: str):
        before = rows(stocked, "events")
        clock.now = TIMES[name]
        error = call(stocked, method, METHODS.get(method, {}))
        assert error == ClockFailed(str(TIMES[name]))
        clock.now = START
        assert rows(stocked, "events") == before

    def test_one_that_goes_back_is_borne(self, stocked: Memory, clock: Any):
        clock.now = 0.0
        seen = stocked.observe("Bob lost the key to the archive.")
        assert [claim.created_at for claim in seen.claims] == [0.0]
        assert len(stocked.activate("key archive").items) == 2


IDS: Final[dict[str, Callable[[str], Any]]] = {
    "empty": lambda _: "",
    "only the prefix": lambda prefix: prefix,
    "no prefix": lambda _: "0123456789abcdef",
    "another prefix": lambda _: "zzz_0123456789abcdef",
    "quotes": lambda prefix: f"{prefix}' or true --",
    "nul": lambda prefix: f"{prefix}\0",
    "surrogate": lambda prefix: f"{prefix}\ud83c",
    "long": lambda prefix: prefix + "x" * 500,
    "a line end": lambda prefix: f"{prefix}abc\n",
    "none": lambda _: None,
    "a number": lambda _: 7,
    "bytes": lambda prefix: prefix.encode(),
    "always the same": lambda prefix: f"{prefix}{CANARY}",
}


class TestIds:
    @pytest.mark.parametrize("name", IDS)
    def test_a_broken_source_writes_nothing_that_is_wrong(self, memory_at: Open, name: str):
        settled: list[Callable[[str], Any]] = []
        good = iter(range(1, 100_000))

        def source(prefix: str) -> Any:
            return settled[0](prefix) if settled else f"{prefix}{next(good):016x}"

        memory = memory_at("memory.duckdb", ids=source)
        first = memory.observe("Alice keeps the only key to the archive.").claims[0]
        counts = {table: rows(memory, table) for table in ("claims", "observations", "evidence")}
        settled.append(IDS[name])
        calls: dict[str, Fields] = {
            "observe": {"content": "Bob lost it. Carol found it near the archive."},
            "observe_many": {"items": ["Bob lost it. Carol found it near the archive."]},
            "activate": {"query": "key"},
            "feedback": {"claim_id": first.id, "signal": "helpful"},
            "judge": {"claim_id": first.id, "score": 50.0},
            "distill": {
                "text": "The key to the archive is precious.",
                "claim_ids": [first.id],
                "provenance": provenance(),
            },
        }
        for method, fields in calls.items():
            # A source of ids is part of the machine, not of the call: the fault may be raised.
            for style in (memory, memory.results):
                fault = fault_of(partial(getattr(style, method), **fields))
                if fault is not None:
                    assert_clean(fault.error)
        if name != "always the same":
            assert {table: rows(memory, table) for table in counts} == counts
        settled.clear()
        memory.observe("Dave bought a second key.")
        assert len(memory.search("key")) == 2


OPTIONS: Final[dict[str, Fields]] = {
    "memory_limit of words": {"memory_limit": "lots"},
    "memory_limit of a number": {"memory_limit": 5},
    "memory_limit of nothing": {"memory_limit": ""},
    "no threads": {"threads": 0},
    "fewer threads": {"threads": -3},
    "threads in words": {"threads": "two"},
    "half a thread": {"threads": 1.5},
    "policy of a number": {"policy": 42},
    "policy of bytes": {"policy": b"dev"},
    "policy with faults": {"policy": f"{CANARY}\nversion: 1.0\n"},
    "policy of no file": {"policy": "no/such/file.yaml"},
    "policy with a nul": {"policy": "a\0b"},
    "policy of a surrogate": {"policy": "\ud83c"},
    "boundary of a mapping": {"boundary": {}},
    "boundary of a word": {"boundary": "all"},
    "boundary of a number": {"boundary": 42},
    "read_only in words": {"read_only": "yes"},
    "allow_reembed in words": {"allow_reembed": "no"},
    "no clock": {"clock": None},
    "clock of a number": {"clock": 42},
    "clock of words": {"clock": lambda: "now"},
    "clock of nothing": {"clock": lambda: None},
    "no ids": {"ids": None},
    "ids of a number": {"ids": 42},
    "a slip of the pen": {"read_onyl": True},
}
NO_PATHS: Final[dict[str, Any]] = {
    "none": None,
    "a number": 42,
    "a fraction": 1.5,
    "bytes": b"memory.duckdb",
    "a list": ["memory.duckdb"],
    "an object": object(),
    "true": True,
}


class TestOpening:
    @pytest.mark.parametrize("name", OPTIONS)
    def test_options_out_of_range(self, name: str):
        how: Fields = {"embedder": "hashing", **OPTIONS[name]}
        opened = Memory.try_open(**how)
        assert isinstance(opened, Failure)
        assert opened.failure().code in {"INVALID_PARAMETER", "INVALID_POLICY", "CLOCK_FAILED"}
        assert_clean(opened.failure())

    @pytest.mark.parametrize("name", NO_PATHS)
    def test_paths_of_the_wrong_kind(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
    ):
        monkeypatch.chdir(tmp_path)
        opened = Memory.try_open(NO_PATHS[name], embedder="hashing")
        assert isinstance(opened, Failure)
        assert opened.failure().code in {"INVALID_PARAMETER", "PATH_UNUSABLE"}
        assert list(tmp_path.iterdir()) == []


SECRET: Final = "sk-proj-Zx81kQpLm2Vt93RwYb74" + "NcHs65JdGf0aTe"
SAYING: Final = f"The key is {SECRET} for now."

# Every door by which a text comes in and may be kept. `claim` is the id of a stored claim.
DOORS: Final[dict[str, Callable[[Memory, str], object]]] = {
    "content": lambda m, _: m.observe(SAYING),
    "content of many": lambda m, _: m.observe_many([SAYING, {"content": SAYING}]),
    "content as a digest": lambda m, _: m.observe(SAYING, idempotency_key="k-1"),
    "actor": lambda m, _: m.results.observe(GOOD, actor=SECRET),
    "source_id": lambda m, _: m.results.observe(GOOD, source_id=f"https://x.test/?k={SECRET}"),
    "tags": lambda m, _: m.results.observe(GOOD, tags=(SECRET,)),
    "idempotency_key": lambda m, _: m.results.observe(GOOD, idempotency_key=SECRET),
    "provenance": lambda m, _: m.results.observe(
        GOOD, provenance=Provenance(at="2025-06-15T15:06:40Z", note=SAYING, actor=SECRET)
    ),
    "name of an entity": lambda m, _: m.results.observe(GOOD, entities=[entity(name=SAYING)]),
    "facts of an entity": lambda m, _: m.results.observe(
        GOOD, entities=[entity(name="archive", attrs={"key": SECRET})]
    ),
    "facts of a relation": lambda m, _: m.results.observe(
        GOOD,
        entities=[entity(name="archive")],
        relations=[
            Relation(
                id=RelationId("rel_1"),
                src_id=EntityId("ent_1"),
                dst_id=EntityId("ent_1"),
                type="opens",
                props={"with": SECRET},
            )
        ],
    ),
    "claim": lambda m, _: m.results.integrate([claim_of(text=SAYING)]),
    "tags of a claim": lambda m, _: m.results.integrate([claim_of(tags=(SECRET,))]),
    "text of a distillation": lambda m, c: m.results.distill(
        SAYING, claim_ids=[c], provenance=provenance()
    ),
    "note of a distillation": lambda m, c: m.results.distill(
        GOOD, claim_ids=[c], provenance=provenance(), note=SAYING
    ),
    "query": lambda m, _: (m.activate(SAYING), m.search(SAYING)),
    "tags of a query": lambda m, _: m.results.activate("key", allow=(SECRET,)),
    "id of a claim": lambda m, _: m.results.claim(SECRET),
    "id of a context": lambda m, _: m.results.context(SECRET),
    "source_type": lambda m, _: m.results.observe(GOOD, source_type=SECRET),  # type: ignore[arg-type]
}
GOOD: Final = "Bob lost the key to the archive."


def entity(name: str, attrs: dict[str, Any] | None = None) -> Entity:
    return Entity(id=EntityId("ent_1"), type="Artifact", name=name, attrs=attrs)


def claim_of(text: str = GOOD, tags: tuple[str, ...] = ()) -> Claim:
    return Claim(
        id=claim_id(2),
        text=text,
        tags=tags,
        kind="fact",
        scope="project",
        boundary_class="internal",
        origin_observation_id=ObservationId("obs_1"),
        created_at=START,
        updated_at=START,
    )


class TestSecrets:
    """A secret goes in by every door; afterwards it is in no file and in no answer."""

    @pytest.mark.parametrize("door", DOORS)
    def test_it_is_nowhere(self, memory_at: Open, tmp_path: Path, door: str):
        memory = memory_at("memory.duckdb")
        claim = memory.observe("Alice keeps the only key to the archive.").claims[0]
        answer = DOORS[door](memory, claim.id)
        assert SECRET not in repr(answer)
        memory.snapshot(tmp_path / "copy.duckdb")
        memory.close()
        files = sorted(path for path in tmp_path.iterdir() if path.is_file())
        assert [path.name for path in files] == ["copy.duckdb", "memory.duckdb"]
        assert [path.name for path in files if SECRET.encode() in path.read_bytes()] == []


class TestFaults:
    def test_a_fault_travels_between_processes(self, memory: Memory):
        with pytest.raises(MemoryFault) as raised:
            memory.claim("clm_missing")
        again = pickle.loads(pickle.dumps(raised.value))
        assert (again.error, str(again)) == (raised.value.error, str(raised.value))

    def test_an_interrupt_is_no_fault(self, memory: Memory):
        def interrupt(_: int) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            memory.observe_many(["Bob lost the key to the archive."], progress=interrupt)
        assert memory.results.policy().map(lambda policy: policy.version) == Success(
            "0.0.0-default"
        )

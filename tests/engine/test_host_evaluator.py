"""An invariant evaluator of the host's: it alone judges, on write and on read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest
from returns.result import Failure, Result, Success

from pce_memory import (
    Boundary,
    Claim,
    CoreDeps,
    InvariantDefinition,
    Memory,
    NewObservation,
    Query,
    create_core_module,
    or_raise,
)
from pce_memory.domain.claim import AnyClaim
from pce_memory.domain.model import parse
from pce_memory.engine.documents import add_documents
from pce_memory.engine.explaining import explain
from pce_memory.engine.lookup import find_claim
from pce_memory.engine.many import Watch
from pce_memory.engine.observe import observe
from pce_memory.engine.ready import default_boundary
from pce_memory.errors import BoundaryDenied, PortFailed, UnknownClaim
from pce_memory.integrator.admit import admit_each
from pce_memory.policy.invariants import RuleEvaluator
from pce_memory.store import documents, embeddings
from pce_memory.store.visibility import view

TRUE = InvariantDefinition(name="anything", applies_to=("*",), rule="claim.confidence >= 0")
BOUNDARY: Boundary = default_boundary().model_copy(update={"invariants": (TRUE,)})


@dataclass(frozen=True)
class Rule:
    """What the seed's `compile` returns."""

    name: str
    applies_to: tuple[str, ...]


@dataclass
class SeedEvaluator:
    """The two functions of the seed, and no more: refuses what `refuses` says."""

    refuses: Callable[[Sequence[AnyClaim]], object]
    asked: list[list[str]] = field(default_factory=list[list[str]])

    def compile(self, definition: InvariantDefinition) -> Result[Rule, Any]:
        return Success(Rule(definition.name, definition.applies_to))

    def evaluate_all(self, _invariants: Sequence[Rule], claims: Sequence[AnyClaim]) -> Any:
        self.asked.append([one.text for one in claims])
        return Success(not self.refuses(claims))


class Overriding(RuleEvaluator):
    """The built-in evaluator with another `evaluate_all`: its `row_filter` does not speak for it."""

    def evaluate_all(self, _invariants: Sequence[Any], claims: Sequence[AnyClaim]) -> Any:
        return Success(not any("tea" in one.text for one in claims))


def about(word: str) -> Callable[[Sequence[AnyClaim]], bool]:
    return lambda claims: any(word in claim.text for claim in claims)


def claim(number: int, text: str, memory: Memory) -> Claim:
    now = memory.deps.clock()
    return Claim.model_validate(
        {
            "id": f"clm_{number}",
            "text": text,
            "kind": "fact",
            "scope": "project",
            "boundary_class": "internal",
            "origin_observation_id": "obs_1",
            "created_at": now,
            "updated_at": now,
        }
    )


def judged_by(memory: Memory, evaluator: object) -> CoreDeps:
    return replace(memory.deps, invariant_evaluator=cast("Any", evaluator))


def texts(memory: Memory) -> list[str]:
    found = memory.deps.db.query("select text from claims order by text").unwrap()
    return [str(row["text"]) for row in found]


def shown(deps: CoreDeps, memory: Memory, q: str = "green tea coffee") -> list[str]:
    result = create_core_module(deps).retriever(Query(q=q), BOUNDARY, memory.policy())
    return sorted(one.claim.text for one in or_raise(result).items)


class TestWrites:
    def test_a_no_refuses_where_the_built_in_language_says_yes(self, memory: Memory):
        evaluator = SeedEvaluator(lambda _: True)
        module = create_core_module(judged_by(memory, evaluator))
        given = [claim(1, "Ann drinks green tea.", memory)]
        refused = module.integrator(given, BOUNDARY, memory.policy()).failure()
        assert isinstance(refused, BoundaryDenied)
        assert refused.reason == "I(B) violation: anything (clm_1)"
        assert texts(memory) == []

    def test_a_yes_admits_where_the_built_in_language_says_no(self, memory: Memory):
        never = InvariantDefinition(name="never", applies_to=("*",), rule="false")
        boundary = BOUNDARY.model_copy(update={"invariants": (never,)})
        deps = judged_by(memory, SeedEvaluator(lambda _: False))
        module = create_core_module(deps)
        given = [claim(1, "Ann drinks green tea.", memory)]
        assert or_raise(module.integrator(given, boundary, memory.policy())).created == ("clm_1",)
        found = or_raise(module.retriever(Query(q="tea"), boundary, memory.policy()))
        assert [one.claim.id for one in found.items] == ["clm_1"]

    def test_a_no_without_any_invariant_refuses_too(self, memory: Memory):
        module = create_core_module(judged_by(memory, SeedEvaluator(lambda _: True)))
        given = [claim(1, "Ann drinks green tea.", memory)]
        refused = module.integrator(given, default_boundary(), memory.policy()).failure()
        assert refused.message == "Boundary denied: I(B) violation (clm_1)"

    def test_offenders_are_named_one_by_one(self, memory: Memory):
        evaluator = SeedEvaluator(about("tea"))
        module = create_core_module(judged_by(memory, evaluator))
        said = ["Ann drinks green tea.", "Bob drinks coffee.", "お茶 is tea."]
        given = [claim(number, text, memory) for number, text in enumerate(said, start=1)]
        refused = module.integrator(given, BOUNDARY, memory.policy()).failure()
        assert refused.message == "Boundary denied: I(B) violation: anything (clm_1, clm_3)"
        assert evaluator.asked[0] == said
        assert evaluator.asked[1] == said[:1]

    def test_where_none_is_refused_alone_all_are_named(self, memory: Memory):
        module = create_core_module(judged_by(memory, SeedEvaluator(lambda all_: len(all_) > 1)))
        given = [
            claim(1, "Ann drinks green tea.", memory),
            claim(2, "Bob drinks coffee.", memory),
        ]
        refused = module.integrator(given, BOUNDARY, memory.policy()).failure()
        assert refused.message == (
            "Boundary denied: I(B) violation: the claims together (clm_1, clm_2)"
        )
        assert texts(memory) == []

    def test_many_that_are_refused_together_are_refused_each(self, memory: Memory):
        deps = judged_by(memory, SeedEvaluator(lambda all_: len(all_) > 1))
        given = [claim(number, f"Ann drinks tea {number}.", memory) for number in (1, 2)]
        outcomes = or_raise(admit_each(given, BOUNDARY, memory.policy())(deps))
        assert [one.failure().message for one in outcomes] == [
            f"Boundary denied: I(B) violation: the claims together ({one.id})" for one in given
        ]

    def test_observe_keeps_what_the_evaluator_lets_pass(self, memory: Memory):
        deps = judged_by(memory, SeedEvaluator(about("tea")))
        item = or_raise(
            parse(NewObservation, {"content": "Ann drinks green tea. Bob drinks coffee at noon."})
        )
        done = or_raise(observe(item, BOUNDARY, memory.policy())(deps))
        assert [one.text for one in done.claims] == ["Bob drinks coffee at noon."]
        assert [one.reason for one in done.refused] == ["I(B) violation: anything"]
        assert texts(memory) == ["Bob drinks coffee at noon."]

    def test_observe_refuses_all_that_are_refused_together(self, memory: Memory):
        deps = judged_by(memory, SeedEvaluator(lambda all_: len(all_) > 1))
        item = or_raise(
            parse(NewObservation, {"content": "Ann drinks green tea. Bob drinks coffee at noon."})
        )
        done = or_raise(observe(item, BOUNDARY, memory.policy())(deps))
        assert [one.reason for one in done.refused] == ["I(B) violation: the claims together"] * 2
        assert texts(memory) == []

    def test_documents_are_judged_by_it(self, memory: Memory):
        deps = judged_by(memory, SeedEvaluator(about("tea")))
        rows = [
            {"external_ids": {"pub_id": "P1"}, "fields": {"title": "Green tea"}},
            {"external_ids": {"pub_id": "P2"}, "fields": {"title": "Coffee"}},
        ]
        done = or_raise(
            add_documents(deps, map(Success, rows), BOUNDARY, memory.policy(), watch=Watch())
        )
        assert (done.created, [one.message for one in done.failed]) == (
            1,
            ["Boundary denied: I(B) violation: anything"],
        )

    def test_a_document_written_twice_in_one_call_is_one(self, memory: Memory):
        deps = judged_by(memory, SeedEvaluator(lambda _: False))
        row = {"external_ids": {"pub_id": "P1"}, "fields": {"title": "Green tea"}}
        again = {**row, "fields": {"title": "Coffee"}}
        done = or_raise(
            add_documents(
                deps, map(Success, [row, again]), BOUNDARY, memory.policy(), watch=Watch()
            )
        )
        assert (done.created, done.updated) == (1, 1)

    def test_a_payload_is_judged_by_it(self, memory: Memory):
        module = create_core_module(judged_by(memory, SeedEvaluator(about("tea"))))
        verdicts = [
            or_raise(module.boundary.validate(text, BOUNDARY, memory.policy()))
            for text in ("Green tea is fine.", "Coffee is fine.")
        ]
        assert [(one.allowed, one.reason) for one in verdicts] == [
            (False, "I(B) violation: anything"),
            (True, None),
        ]


class TestReads:
    def both(self, memory: Memory) -> None:
        _ = memory.observe("Ann drinks green tea. Bob drinks coffee at noon.")

    @pytest.mark.parametrize("evaluator", [SeedEvaluator(about("tea")), Overriding()])
    def test_what_it_refuses_is_not_shown(self, memory: Memory, evaluator: object):
        self.both(memory)
        assert shown(memory.deps, memory) == [
            "Ann drinks green tea.",
            "Bob drinks coffee at noon.",
        ]
        assert shown(judged_by(memory, evaluator), memory) == ["Bob drinks coffee at noon."]

    def test_what_it_refuses_changes_no_score(self, memory_at: Callable[..., Memory]):
        alone, both = memory_at("alone.duckdb"), memory_at("both.duckdb")
        for memory in (alone, both):
            _ = memory.observe("Bob drinks coffee at noon.")
            _ = memory.observe("Cleo drinks water and coffee.")
        _ = both.observe("Ann drinks green tea and coffee, coffee, coffee.")
        deps = judged_by(both, SeedEvaluator(about("tea")))
        query, policy = Query(q="coffee drinks", include_meta=True), both.policy()
        scores = [
            [
                (one.claim.text, one.score, one.scores)
                for one in or_raise(
                    create_core_module(of).retriever(query, BOUNDARY, policy)
                ).items
            ]
            for of in (judged_by(alone, SeedEvaluator(lambda _: False)), deps)
        ]
        assert scores[0] == scores[1]
        assert len(scores[0]) == 2

    def test_each_claim_is_asked_for_alone(self, memory: Memory):
        self.both(memory)
        evaluator = SeedEvaluator(lambda all_: len(all_) > 1)
        assert len(shown(judged_by(memory, evaluator), memory)) == 2

    def test_a_claim_it_refuses_is_as_good_as_not_there(self, memory: Memory):
        self.both(memory)
        ids = {one.claim.text: one.claim.id for one in memory.activate("tea coffee").items}
        deps = judged_by(memory, SeedEvaluator(about("tea")))
        hidden = find_claim([ids["Ann drinks green tea."]], BOUNDARY, memory.policy())(deps)
        assert isinstance(hidden.failure(), UnknownClaim)
        told = or_raise(explain(ids["Ann drinks green tea."], BOUNDARY, memory.policy())(deps))
        assert (told.shown, told.decided_by) == (False, "invariant anything")

    def test_explain_names_a_refusal_by_no_invariant_alone(self, memory: Memory):
        self.both(memory)
        of = memory.activate("tea").items[0].claim.id

        class Whole(SeedEvaluator):
            def evaluate_all(self, invariants: Sequence[Rule], _claims: Sequence[AnyClaim]) -> Any:
                return Success(len(invariants) < 2)

        other = TRUE.model_copy(update={"name": "other"})
        boundary = BOUNDARY.model_copy(update={"invariants": (TRUE, other)})
        deps = judged_by(memory, Whole(lambda _: False))
        told = or_raise(explain(of, boundary, memory.policy())(deps))
        assert (told.shown, told.decided_by) == (False, "invariants")

    def test_documents_are_read_by_it(self, memory: Memory):
        titles = {"P1": "Green tea in cups", "P2": "Coffee in cups"}
        _ = memory.add_documents(
            [
                {"external_ids": {"pub_id": one}, "fields": {"title": title}}
                for one, title in titles.items()
            ]
        )
        deps = judged_by(memory, SeedEvaluator(about("tea")))
        seen = or_raise(view(BOUNDARY, memory.policy())(deps))
        vector = or_raise(embeddings.embed_query("cups")(deps))
        near = or_raise(documents.semantic(vector, seen.visible, limit=9)(deps))
        assert near.total == 1


class TestFaults:
    @pytest.mark.parametrize(
        ("said", "reason"),
        [
            (Success(None), "evaluate_all gave NoneType, not True or False"),
            (Success("yes"), "evaluate_all gave str, not True or False"),
            (1, "evaluate_all gave int, not True or False"),
            (Failure("zanzibar"), "it failed with str, which is no error of this package"),
            (ValueError("zanzibar"), "it raised ValueError"),
        ],
    )
    def test_a_fault_has_a_name_and_fails_closed(self, memory: Memory, said: object, reason: str):
        class Faulty(SeedEvaluator):
            def evaluate_all(self, *_asked: object) -> Any:
                if isinstance(said, Exception):
                    raise said
                return said

        _ = memory.observe("Bob drinks coffee at noon.")
        before = texts(memory)
        deps = judged_by(memory, Faulty(lambda _: False))
        module, policy = create_core_module(deps), memory.policy()
        fault = PortFailed("invariant_evaluator", reason)
        item = or_raise(parse(NewObservation, {"content": "Ann drinks green tea."}))
        rows = [{"fields": {"title": "Coffee"}}]
        outcomes: Mapping[str, Result[Any, Any]] = {
            "integrate": module.integrator(
                [claim(1, "Ann drinks green tea.", memory)], BOUNDARY, policy
            ),
            "observe": observe(item, BOUNDARY, policy)(deps),
            "documents": add_documents(deps, map(Success, rows), BOUNDARY, policy, watch=Watch()),
            "activate": module.retriever(Query(q="coffee"), BOUNDARY, policy),
            "validate": module.boundary.validate("Coffee.", BOUNDARY, policy),
        }
        assert {name: one.failure() for name, one in outcomes.items()} == dict.fromkeys(
            outcomes, fault
        )
        assert texts(memory) == before
        assert "zanzibar" not in fault.message

    def test_a_compile_that_gives_nothing_fails_closed(self, memory: Memory):
        class Nothing(SeedEvaluator):
            def compile(self, *_asked: object) -> Any:
                return None

        deps = judged_by(memory, Nothing(lambda _: False))
        refused = create_core_module(deps).retriever(Query(q="x"), BOUNDARY, memory.policy())
        assert refused.failure() == PortFailed("invariant_evaluator", "compile gave None")

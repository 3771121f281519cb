"""A claim is its row: what merges with what, what of equal claims is shown, and whose ids are whose."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from pce_memory import Boundary, Claim, Entity, EntityId, Memory, ObservationId, Provenance
from pce_memory.domain.ids import ClaimId
from tests.conftest import DAY, START, FakeClock, rows

Open = Callable[..., Memory]

SAID: Final = "Release day is Thursday."
ALL: Final = Boundary(
    scope=("session", "project", "principle"),
    allow=("answer:task",),
    boundary_classes=("public", "internal"),
)
PRINCIPLE: Final = ALL.model_copy(update={"scope": ("principle",)})
PROJECT: Final = ALL.model_copy(update={"scope": ("project",)})
PUBLIC: Final = ALL.model_copy(update={"boundary_classes": ("public",)})


def claim(number: int, scope: str = "principle", cls: str = "internal", text: str = SAID) -> Claim:
    return Claim(
        id=ClaimId(f"clm_{number}"),
        text=text,
        kind="fact",
        scope=scope,  # type: ignore[arg-type]
        boundary_class=cls,  # type: ignore[arg-type]
        origin_observation_id=ObservationId(f"obs_{number}"),
        created_at=START,
        updated_at=START,
    )


def test_a_caller_who_cannot_see_it_learns_nothing_and_moves_nothing(memory: Memory) -> None:
    seen = memory.observe(SAID, actor="owner", source_id="owner/1", tags=("secret-plan",))
    owned = seen.claims[0]
    before = memory.claim(owned.id)
    done = memory.integrate([claim(1)], boundary=PRINCIPLE)
    assert (done.created, done.merged, done.similar_existing) == (("clm_1",), (), ())
    mine = memory.claim("clm_1", boundary=PRINCIPLE)
    assert (mine.id, mine.tags, mine.scope) == ("clm_1", (), "principle")
    known = memory.evidence("clm_1", boundary=PRINCIPLE)
    assert [(one.source_id, one.observation_id) for one in known] == [(None, "obs_1")]
    assert [hit.claim.id for hit in memory.search("release", boundary=PRINCIPLE)] == ["clm_1"]
    assert memory.claim(owned.id) == before


class TestEqualSentences:
    def test_of_two_speakers_are_two_claims(self, memory: Memory) -> None:
        first = memory.observe(SAID, actor="alice").claims[0]
        second = memory.observe(SAID, actor="bob").claims[0]
        third = memory.observe(SAID).claims[0]
        again = memory.observe(SAID, actor="bob").integration
        assert len({first.id, second.id, third.id}) == 3
        assert again.merged == (second.id,)
        assert len(memory.search("release day")) == 3
        assert memory.search("bob")[0].claim.id == second.id

    def test_of_a_batch_too(self, memory: Memory) -> None:
        done = memory.observe_many(
            [{"content": SAID, "actor": who} for who in ("alice", "bob", "alice")]
        )
        assert (done.claims_created, rows(memory, "claims")) == (2, 2)

    def test_an_id_that_is_shown_names_its_claim(self, memory: Memory) -> None:
        seen = memory.observe(SAID, actor="alice").claims[0]
        # Who said it is forgotten with its observation.
        memory.deps.db.execute("update observations set actor = null").unwrap()
        done = memory.integrate([memory.claim(seen.id)])
        assert (done.created, rows(memory, "claims")) == ((), 1)


class TestTwins:
    """Two claims of one speaker and one text, of which each is hidden from who wrote the other."""

    @pytest.fixture
    def two(self, memory: Memory) -> Memory:
        memory.integrate([claim(1, "project")], boundary=PROJECT)
        memory.integrate([claim(2, "principle")], boundary=PRINCIPLE)
        return memory

    def test_who_sees_both_sees_the_slower(self, two: Memory) -> None:
        assert rows(two, "claims") == 2
        assert [hit.claim.id for hit in two.search("release day")] == ["clm_2"]
        assert [hit.claim.id for hit in two.search("")] == ["clm_2"]
        assert [item.claim.id for item in two.activate("release day").items] == ["clm_2"]

    def test_then_the_stricter(self, memory: Memory) -> None:
        internal = ALL.model_copy(update={"boundary_classes": ("internal",)})
        memory.integrate([claim(1, cls="public")], boundary=PUBLIC)
        memory.integrate([claim(2, cls="internal")], boundary=internal)
        assert [hit.claim.id for hit in memory.search("release day")] == ["clm_2"]
        assert [hit.claim.id for hit in memory.search("release", boundary=PUBLIC)] == ["clm_1"]

    def test_then_the_older(self, memory: Memory, clock: FakeClock) -> None:
        memory.integrate([claim(1, "project")])
        clock.advance(days=121)
        late = {"created_at": clock.now, "updated_at": clock.now}
        memory.integrate([claim(2, "project").model_copy(update=late)])
        assert rows(memory, "claims") == 2
        memory.deps.db.execute(
            "update claims set recency_anchor = utc($now), changed = nextval('changes')",
            {"now": clock.now},
        ).unwrap()
        assert [hit.claim.id for hit in memory.search("release day")] == ["clm_1"]

    def test_both_ids_keep_working(self, two: Memory) -> None:
        assert two.claim("clm_1").id == two.claim("clm_2").id == "clm_2"
        assert two.claim("clm_1", boundary=PROJECT).id == "clm_1"
        assert two.feedback("clm_1", "helpful").claim_id == "clm_2"
        assert two.judge("clm_1", score=80.0).claim_id == "clm_2"
        assert two.explain("release", "clm_1").claim_id == "clm_2"

    def test_what_is_written_merges_with_the_one_that_is_shown(self, two: Memory) -> None:
        done = two.integrate([claim(3, "project")])
        assert (done.created, done.merged) == ((), ("clm_2",))
        assert rows(two, "claims") == 2

    def test_forgetting_it_leaves_no_other(self, two: Memory) -> None:
        assert set(two.forget(claim_id="clm_1").claims) == {"clm_1", "clm_2"}
        assert (two.search("release day"), rows(two, "claims")) == ((), 0)

    def test_who_forgets_his_leaves_what_he_does_not_see(self, two: Memory) -> None:
        assert two.forget(claim_id="clm_1", boundary=PROJECT).claims == ("clm_1",)
        assert [hit.claim.id for hit in two.search("release day")] == ["clm_2"]

    @pytest.mark.parametrize("mirror_memory", ["0", "1GB"])
    def test_with_and_without_the_mirror(self, memory_at: Open, mirror_memory: str) -> None:
        memory = memory_at(mirror_memory=mirror_memory)
        memory.integrate([claim(1, "project")], boundary=PROJECT)
        memory.integrate([claim(2, "principle")], boundary=PRINCIPLE)
        memory.integrate([claim(3, "project", text="Another release day.")])
        found = [(hit.claim.id, round(hit.score, 9)) for hit in memory.search("release day")]
        assert sorted(one for one, _ in found) == ["clm_2", "clm_3"]
        assert memory.search("Thursday", boundary=PROJECT)[0].claim.id == "clm_1"


class TestIds:
    def test_one_that_a_hidden_claim_has_is_free(self, memory: Memory) -> None:
        memory.integrate([claim(1, "project", text="The lamp is green.")], boundary=PROJECT)
        done = memory.integrate([claim(1, "principle")], boundary=PRINCIPLE)
        assert done.created == ("clm_1",)
        assert memory.claim("clm_1", boundary=PRINCIPLE).text == SAID
        assert memory.claim("clm_1", boundary=PROJECT).text == "The lamp is green."
        hits = memory.search("release lamp")
        assert sorted(hit.claim.id for hit in hits) == ["clm_1", "clm_1"]
        context = memory.activate("release", boundary=PRINCIPLE).active_context
        _, items = memory.context(context.id, boundary=PRINCIPLE)
        assert [item.claim_id for item in items] == ["clm_1"]
        again = memory.integrate([claim(1, "principle")], boundary=PRINCIPLE)
        assert again.created == ()

    def test_one_that_is_shown_is_refused(self, memory: Memory) -> None:
        memory.integrate([claim(1)])
        refused = memory.results.integrate([claim(1, text="The lamp is green.")]).failure()
        assert refused.code == "INVALID_PARAMETER"

    def test_a_numbered_one_is_nobodys_to_give(self, memory: Memory) -> None:
        numbered = claim(1).model_copy(update={"id": "clm_1~1"})
        assert memory.results.integrate([numbered]).failure().code == "INVALID_PARAMETER"
        done = memory.results.integrate_many([numbered]).unwrap()
        assert [one.code for one in done.failed] == ["INVALID_PARAMETER"]
        assert memory.results.claim("clm_1~1").failure().code == "INVALID_ID"

    @pytest.mark.parametrize("hidden", [True, False])
    def test_the_number_of_one_is_told_and_taken_nowhere(
        self, lasting: Memory, hidden: bool
    ) -> None:
        if hidden:
            lasting.integrate([claim(1, "project", text="The vault is blue.")], boundary=PROJECT)
        lasting.integrate([claim(10, text="A lamp is red too.")], boundary=PRINCIPLE)
        lasting.integrate([claim(1, text="A lamp is red.")], boundary=PRINCIPLE)
        inner, results = ClaimId("clm_1~1"), lasting.results
        at = Provenance(at="2025-06-15T15:06:40+00:00")
        answers = (
            results.distill("Lamps.", claim_ids=[inner], provenance=at, boundary=PRINCIPLE),
            results.forget(claim_id=inner, dry_run=True, boundary=PRINCIPLE),
            results.feedback("clm_1", "duplicate", duplicate_of=inner, boundary=PRINCIPLE),
        )
        assert {answer.failure().code for answer in answers} <= {"UNKNOWN_CLAIM", "INVALID_ID"}
        fusion = lasting.fusion
        assert fusion.get_snippets([inner], boundary=PRINCIPLE) == ()
        by_id: list[dict[str, Any]] = [
            {"field": "id", "op": "eq", "value": name} for name in (inner, "clm_1")
        ]
        found = [
            fusion.search_fulltext("lamp", filters=[one], boundary=PRINCIPLE) for one in by_id
        ]
        assert found == [(), ("clm_1",)]
        order = fusion.search_fulltext(
            "lamp", sort={"by": "id", "order": "asc"}, boundary=PRINCIPLE
        )
        assert order == ("clm_1", "clm_10")

    def test_nor_by_the_queue_of_reviews(self, memory: Memory) -> None:
        wide = ALL.model_copy(update={"boundary_classes": ("public", "internal", "pii")})
        memory.integrate([claim(1, "project")], boundary=PROJECT)
        caller = wide.model_copy(update={"scope": ("principle",)})
        waits = claim(1, cls="pii", text="Taro lives by the lake.")
        assert memory.integrate([waits], boundary=caller).queued == ("clm_1",)
        (review,) = memory.reviews.list()
        assert review.claim_id == "clm_1"
        assert memory.reviews.approve(review.id, reviewer="carol").claim_id == "clm_1"


class TestKeys:
    """An idempotency key, an id of feedback or of a judgement is of who used it."""

    def test_another_actor_used_no_key(self, memory: Memory) -> None:
        alice, bob = (ALL.model_copy(update={"actor": who}) for who in ("alice", "bob"))
        memory.observe(SAID, idempotency_key="k", boundary=alice)
        assert memory.observe(SAID, idempotency_key="k", boundary=alice).replayed
        assert not memory.observe("Another text.", idempotency_key="k", boundary=bob).replayed
        assert not memory.observe(SAID, idempotency_key="k", boundary=PROJECT).replayed

    @pytest.mark.parametrize("text", [SAID, "健二は奈良で提灯を守る。"])
    def test_a_key_is_of_whose_words_it_was_used_for(self, memory: Memory, text: str) -> None:
        first = memory.observe(text, actor="Kenji", idempotency_key="k")
        second = memory.observe(text, actor="マリア", idempotency_key="k")
        nobody = memory.observe(text, idempotency_key="k")
        assert [one.replayed for one in (first, second, nobody)] == [False, False, False]
        assert len({one.observation.id for one in (first, second, nobody)}) == 3
        assert [second.observation.actor, nobody.observation.actor] == ["マリア", None]
        assert first.claims[0].id != second.claims[0].id
        for actor, before in (("Kenji", first), ("マリア", second), (None, nobody)):
            again = memory.observe(text, actor=actor, idempotency_key="k")
            assert (again.replayed, again.observation) == (True, before.observation)
        other = memory.results.observe("Something else.", actor="Kenji", idempotency_key="k")
        assert other.failure().code == "INVALID_PARAMETER"

    @pytest.mark.parametrize("text", [SAID, "健二は奈良で提灯を守る。"])
    def test_a_key_in_a_batch_is_of_whose_words_it_was_used_for(
        self, memory: Memory, text: str
    ) -> None:
        items = [
            {"content": text, "actor": actor, "idempotency_key": "k"}
            for actor in ("Kenji", "マリア", "Kenji")
        ]
        batch = memory.observe_many(items)
        kenji, maria, again = batch.observation_ids
        assert (kenji == again, kenji != maria, batch.replayed) == (True, True, 1)
        assert batch.claims_created == 2
        assert memory.observe_many(items).observation_ids == batch.observation_ids

    def test_a_key_of_before_is_known_under_its_boundary(self, memory: Memory) -> None:
        memory.observe(SAID, idempotency_key="k")
        boundary = memory.results.boundary
        before = memory.deps.digest(boundary.model_dump_json(exclude={"actor"}))
        memory.deps.db.execute(
            "update idempotency set key_digest = $digest, "
            "outcome = json_merge_patch(outcome, json_object('under', $under))",
            {"digest": memory.deps.digest("k"), "under": before},
        ).unwrap()
        assert memory.observe(SAID, idempotency_key="k").replayed
        assert not memory.observe(SAID, idempotency_key="k", boundary=PROJECT).replayed
        assert not memory.observe(SAID, actor="Kenji", idempotency_key="k").replayed

    @pytest.mark.parametrize("how", ["feedback", "judge"])
    def test_ids_of_another_boundary_were_never_used(self, memory: Memory, how: str) -> None:
        one, other = memory.observe("The lamp is green. The door is red.").claims

        def give(claim_id: str, boundary: Boundary | None) -> Any:
            if how == "judge":
                return memory.results.judge(
                    claim_id, score=80.0, judgement_id="jdg_1", boundary=boundary
                )
            return memory.results.feedback(
                claim_id, "helpful", feedback_id="fb_1", boundary=boundary
            )

        first = give(one.id, None).unwrap()
        assert give(one.id, None).unwrap() == first
        assert give(other.id, None).failure().code == "INVALID_PARAMETER"
        assert give(other.id, PROJECT).unwrap().claim_id == other.id


class TestForgotten:
    """What only the forgotten supported goes."""

    def test_of_two_speakers_each_has_his_own(self, memory: Memory) -> None:
        memory.observe(SAID, actor="alice", tags=("of-alice",))
        memory.observe(SAID, actor="bob", tags=("of-bob",))
        memory.forget(actor="bob")
        assert [hit.claim.tags for hit in memory.search("release day")] == [("of-alice",)]

    def test_an_observation_takes_its_tags_with_it(self, memory: Memory) -> None:
        memory.observe(SAID, actor="alice", tags=("first", "both"))
        second = memory.observe(
            SAID, actor="alice", tags=("second", "both", "api.breaking_change")
        )
        assert rows(memory, "claims") == 1
        memory.forget(observation_id=second.observation.id)
        (hit,) = memory.search("release day")
        assert hit.claim.tags == ("first", "both")
        flags = memory.deps.db.query("select breaking_change from claims").unwrap()
        assert flags == [{"breaking_change": False}]
        assert rows(memory, "support") == 1

    def test_also_the_first_of_two(self, memory: Memory) -> None:
        first = memory.observe(SAID, actor="alice", tags=("first", "both"))
        memory.observe(SAID, actor="alice", tags=("second", "both"))
        memory.forget(observation_id=first.observation.id)
        assert [hit.claim.tags for hit in memory.search("release day")] == [("both", "second")]

    def test_what_was_merged_before_is_told_by_the_observations(self, memory: Memory) -> None:
        """As a file of before has it: one claim of two speakers, nothing said of what came."""
        memory.observe(SAID, actor="alice", tags=("of-alice",))
        memory.observe(SAID, actor="alice", tags=("of-bob",))
        memory.deps.db.execute(
            "update observations set actor = 'bob' where tags::varchar like '%of-bob%'"
        ).unwrap()
        memory.deps.db.execute("delete from support").unwrap()
        memory.forget(actor="bob")
        assert [hit.claim.tags for hit in memory.search("release day")] == [("of-alice",)]

    def test_tags_of_integrated_claims_have_a_reason_too(self, memory: Memory) -> None:
        seen = memory.observe(SAID, tags=("observed",))
        told = memory.claim(seen.claims[0].id)
        memory.integrate([told.model_copy(update={"tags": ("given",)})])
        memory.forget(observation_id=memory.observe(SAID, tags=("late",)).observation.id)
        assert [set(hit.claim.tags) for hit in memory.search("release")] == [{"observed", "given"}]

    def test_entities_beside_the_text_go_with_what_brought_them(self, memory: Memory) -> None:
        from pce_memory import ExtractionResult
        from pce_memory.domain.graph import Mention

        def brought(number: int, name: str) -> ExtractionResult:
            entity = Entity(id=EntityId(f"ent_{number}"), type="Artifact", name=name)
            one = claim(number)
            return ExtractionResult(
                claims=(one,),
                entities=(entity,),
                mentions=(Mention(claim_id=one.id, entity_id=entity.id),),
            )

        first = memory.observe("It was restarted.").observation.id
        second = memory.observe("It was stopped.").observation.id
        for number, name, origin in ((1, "Atlas", first), (2, "Gateway Seven", second)):
            given = brought(number, name)
            claims = tuple(
                one.model_copy(update={"origin_observation_id": origin}) for one in given.claims
            )
            memory.integrate(given.model_copy(update={"claims": claims}))
        assert rows(memory, "entities") >= 2
        memory.forget(observation_id=second)
        names = memory.deps.db.query("select name from entities").unwrap()
        assert "Atlas" in {row["name"] for row in names}
        assert "Gateway Seven" not in {row["name"] for row in names}


OTHER: Final = "The lamp hangs in the hall."


def gone_by_hand(memory: Memory, boundary: Boundary, clock: FakeClock) -> None:
    memory.forget(claim_id="clm_5", boundary=boundary, compact=False)


def gone_with_time(memory: Memory, boundary: Boundary, clock: FakeClock) -> None:
    clock.advance(seconds=3_600)
    assert memory.maintain().claims_expired == 1


class TestTwoClaimsOfOneName:
    """Two callers gave one id; neither sees the claim of the other."""

    @pytest.mark.parametrize("mine_first", [True, False])
    @pytest.mark.parametrize("gone", [gone_by_hand, gone_with_time])
    def test_what_is_kept_of_one_does_not_go_with_the_other(
        self, memory: Memory, clock: FakeClock, gone: Callable[..., None], mine_first: bool
    ) -> None:
        session = PROJECT.model_copy(update={"scope": ("session",)})
        old = START - 7 * DAY + 60
        other = claim(5, "session", text=OTHER).model_copy(
            update={"created_at": old, "updated_at": old}
        )
        written = [(claim(5, "principle"), PRINCIPLE), (other, session)]
        for one, boundary in written if mine_first else reversed(written):
            memory.integrate([one], boundary=boundary)
        kept = memory.activate("release day", boundary=PRINCIPLE).active_context.id
        judged = memory.feedback("clm_5", "helpful", feedback_id="fb_1", boundary=PRINCIPLE)
        assert judged.claim_id == "clm_5"
        gone(memory, session, clock)
        again = memory.feedback("clm_5", "helpful", feedback_id="fb_1", boundary=PRINCIPLE)
        assert again == judged
        _, items = memory.context(kept, boundary=PRINCIPLE)
        assert [item.claim_id for item in items] == ["clm_5"]
        assert memory.claim("clm_5", boundary=PRINCIPLE).text == SAID

    def test_a_context_of_one_shows_nothing_of_the_other(self, memory: Memory) -> None:
        memory.integrate([claim(5, "principle")], boundary=PRINCIPLE)
        memory.integrate([claim(5, "project", text=OTHER)], boundary=PROJECT)
        kept = memory.activate("release day", boundary=PRINCIPLE).active_context.id
        _, items = memory.context(kept, boundary=PROJECT)
        assert items == ()
        made_of = memory.results.distill(
            "Sums up.",
            active_context_id=kept,
            provenance=Provenance(at="2025-06-15T15:06:40Z"),
            boundary=PROJECT,
        )
        assert made_of.failure().code == "INVALID_PARAMETER"

    def test_forgetting_one_forgets_what_is_kept_of_it(self, memory: Memory) -> None:
        memory.integrate([claim(5, "principle")], boundary=PRINCIPLE)
        memory.integrate([claim(5, "project", text=OTHER)], boundary=PROJECT)
        kept = memory.activate("lamp in the hall", boundary=PROJECT).active_context.id
        memory.feedback("clm_5", "helpful", feedback_id="fb_1", boundary=PROJECT)
        memory.forget(claim_id="clm_5", boundary=PROJECT, compact=False)
        assert memory.results.context(kept, boundary=PROJECT).failure().code == "SEARCH_FAILED"
        assert rows(memory, "feedback") == 0
        assert memory.claim("clm_5", boundary=PRINCIPLE).text == SAID


@pytest.mark.parametrize("more", ["", " Zed sings."])
def test_what_somebody_else_said_stays_where_his_claim_does(memory: Memory, more: str) -> None:
    memory.observe(SAID + more, actor="alice", source_id="room/1", tags=("plan",))
    other = memory.observe(SAID, actor="bob", source_id="room/2")
    done = memory.forget(actor="bob")
    assert done.observations == (other.observation.id,)
    left = memory.deps.db.query(
        "select content, source_id from observations where actor = 'alice'"
    )
    assert [tuple(row.values()) for row in left.unwrap()] == [(SAID + more, "room/1")]

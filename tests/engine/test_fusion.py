"""Lanes leave runs, runs blend, and a blend is weighed anew without a search."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import pytest
from returns.result import Failure

from pce_memory import Boundary, Entity, EntityId, Memory, MemoryFault
from pce_memory.domain.fused import FusionResult, RunHandle
from pce_memory.domain.fusion import StructuralMetrics
from pce_memory.domain.refinement import RefinementConfig
from pce_memory.domain.vocabulary import SCOPES
from pce_memory.errors import BackendFailed, InvalidParameter, RunNotFound
from pce_memory.retriever import lane_hits
from pce_memory.scoring.suggesting import suggest_mutation
from pce_memory.store import events
from pce_memory.store.visibility import view
from tests.conftest import FakeClock, rows
from tests.policies import LASTING

NARROW: Final = Boundary(scope=SCOPES, allow=("answer:task",), boundary_classes=("public",))


@pytest.fixture
def lamps(memory: Memory) -> Memory:
    """Twelve lamps in three buildings, and one line of Japanese."""
    for number in range(12):
        tags = [f"building-{number % 3}"]
        memory.observe(f"Lamp {number} hangs in the hall of building {number % 3}.", tags=tags)
    memory.observe("玄関の灯りは夜だけつける。", tags=["building-1"])
    return memory


def refused(call: Callable[[], object]) -> object:
    with pytest.raises(MemoryFault) as fault:
        call()
    return fault.value.error


def blended(memory: Memory, **how: Any) -> FusionResult:
    fusion = memory.fusion
    runs = [
        fusion.rrf_search_fulltext_raw("lamp hall"),
        fusion.rrf_search_fulltext_raw("lamp building 2", lane_name="precision"),
        fusion.rrf_search_semantic_raw("where does a lamp hang?"),
    ]
    return fusion.rrf_blend_frontier(runs, **how)


def ranking(result: FusionResult) -> list[tuple[str, float]]:
    return [(doc.doc_id, doc.score) for doc in result.ranked_docs]


class TestLanes:
    def test_recall_asks_for_any_word_and_precision_for_every(self, lamps: Memory):
        recall = lamps.fusion.rrf_search_fulltext_raw("lamp zeppelin")
        precision = lamps.fusion.rrf_search_fulltext_raw("lamp zeppelin", lane_name="precision")
        assert (recall.hit_count, precision.hit_count) == (12, 0)

    @pytest.mark.parametrize("collection", ["claims", "documents"])
    @pytest.mark.parametrize(
        ("query", "hits"),
        [("会議が火曜日", 1), ("会議が水曜日", 0), ("What's the meeting's day", 1)],
    )
    def test_precision_asks_for_no_particles(
        self, memory: Memory, query: str, hits: int, collection: Any
    ):
        for text in ("会議は毎週火曜日の午前に行う", "The day of our meeting is Tuesday."):
            _ = memory.observe(text)
            _ = memory.add_documents([{"pub_id": text[:2], "title": text}])
        run = memory.fusion.rrf_search_fulltext_raw(
            query, lane_name="precision", collection=collection
        )
        assert run.hit_count == hits

    def test_precision_asks_for_every_quoted_phrase(self, lamps: Memory):
        def found(query: str) -> int:
            run = lamps.fusion.rrf_search_fulltext_raw(query, lane_name="precision")
            return run.hit_count

        assert (found('"hall of building" lamp'), found('"building of hall" lamp')) == (12, 0)

    def test_what_a_query_leaves_out_is_left_out(self, lamps: Memory):
        assert lamps.fusion.rrf_search_fulltext_raw("lamp -hall").hit_count == 0

    def test_japanese_is_found_by_words_and_meaning(self, lamps: Memory):
        assert len(lamps.fusion.search_fulltext("灯り")) == 1
        assert (
            lamps.fusion.search_semantic("玄関の灯り")[0]
            == lamps.fusion.search_fulltext("灯り")[0]
        )

    def test_truncated_means_that_there_are_more(self, lamps: Memory):
        some = lamps.fusion.rrf_search_fulltext_raw("lamp", top_k=5)
        whole = lamps.fusion.rrf_search_fulltext_raw("lamp", top_k=12)
        assert [(one.hit_count, one.meta["truncated"]) for one in (some, whole)] == [
            (5, True),
            (12, False),
        ]

    def test_filters_go_before_the_ranking(self, lamps: Memory):
        only = [{"field": "tags", "op": "in", "value": ["building-1"]}]
        for lane in (lamps.fusion.search_fulltext, lamps.fusion.search_semantic):
            # Of the twelve, four are of building 1; top_k 4 would lose some after a ranking.
            found = lane("lamp hall building 2", filters=only, top_k=4)
            texts = [lamps.claim(one).text for one in found]
            assert len(found) == 4
            assert all("building 1" in text or "灯り" in text for text in texts)

    def test_codes_are_what_the_code_lane_looks_for(self, lamps: Memory):
        profile = {"tag": {"building-1": 2.0, "building-2": 1.0}}
        run = lamps.fusion.rrf_search_code_raw(profile)
        page = lamps.fusion.peek_snippets(run.run_id)
        kinds = ["1" if "1." in one.fields["text"] else "2" for one in page.snippets]
        assert run.hit_count == 9
        assert [
            "灯り" in one.fields["text"] or kind == "1"
            for one, kind in zip(page.snippets, kinds, strict=True)
        ] == [True] * 5 + [False] * 4

    def test_an_observation_means_the_mean_of_its_claims(self, memory: Memory):
        said = memory.observe("The lamp is red. A pump is loud in the cellar.").claims
        alone = memory.observe("The lamp is green.").claims[0]
        run = memory.fusion.rrf_search_original_dense_raw("A pump is loud in the cellar.")
        found = memory.fusion.peek_snippets(run.run_id).snippets
        scores = memory.deps.db.query("select score from run_docs order by place").unwrap()
        # What was said together is equally near; by meaning alone the first says nothing of pumps.
        assert [one.doc_id for one in found] == [*(one.id for one in said), alone.id]
        assert scores[0] == scores[1] != scores[2]

    @pytest.mark.parametrize("query", ["", "   ", "\n"])
    def test_an_empty_query_is_refused(self, lamps: Memory, query: str):
        assert isinstance(
            refused(lambda: lamps.fusion.rrf_search_fulltext_raw(query)), InvalidParameter
        )


class TestGraph:
    def test_a_claim_is_reached_over_an_entity_at_three_quarters_a_hop(self, memory: Memory):
        entities = {
            name: Entity(id=EntityId(f"ent_{name}"), type="Concept", name=name)
            for name in ("alpha", "beta")
        }
        memory.observe("The pump of alpha is loud.", entities=[entities["alpha"]])
        memory.observe(
            "Nothing in common with alpha or beta here.",
            entities=[entities["alpha"], entities["beta"]],
        )
        memory.observe("Quite another matter of beta.", entities=[entities["beta"]])
        found = memory.deps.db.query("select row_id from claims order by row_id").unwrap()
        pump, both, last = (int(row["row_id"]) for row in found)
        policy = memory.policy()
        seen = view(memory.results.boundary, policy)(memory.deps).unwrap().visible

        def walked(hops: int) -> object:
            return lane_hits._walked(memory.deps, {pump: 1.0}, seen, hops).unwrap()

        assert walked(1) == {pump: 0.75, both: 0.75}
        assert walked(2) == {pump: 0.75, both: 0.75, last: pytest.approx(0.5625)}
        assert memory.fusion.rrf_search_graph_raw("pump loud").hit_count == 3


class TestMultilane:
    def test_one_failing_lane_stops_no_other(self, lamps: Memory):
        done = lamps.fusion.run_multilane_search(
            [
                _lane("recall", "rrf_search_fulltext_raw", "fulltext", query="lamp"),
                _lane("bad", "rrf_search_fulltext_raw", "fulltext", query=""),
                _lane("mixed", "rrf_search_fulltext_raw", "semantic", text="lamp"),
                _lane("odd", "no_such_tool", "semantic", text="lamp"),
                _lane("unknown", "rrf_search_semantic_raw", "semantic", text="x", colour=1),
                _lane("semantic", "rrf_search_semantic_raw", "semantic", text="lamp"),
                _lane("none", "rrf_search_fulltext_raw", "fulltext", query="zeppelin"),
            ],
            trace_id="t-1",
        )
        assert [one.status for one in done.lanes] == [
            "success",
            *["error"] * 4,
            "success",
            "partial",
        ]
        assert {one.error_code for one in done.lanes if one.error_code} == {"INVALID_PARAMETER"}
        assert (done.success_count, done.error_count, done.trace_id) == (3, 4, "t-1")
        assert [one.lane for one in done.handles] == ["fulltext", "semantic", "fulltext"]
        assert done.lanes[0].code_summary["tag"][0] in {"building-0", "building-1", "building-2"}


def _lane(name: str, tool: str, lane: str, **params: object) -> dict[str, object]:
    return {"lane_name": name, "tool": tool, "lane": lane, "params": params}


class TestBlend:
    def test_the_score_is_the_rrf_part_boosted(self, lamps: Memory):
        result = blended(lamps, rrf_k=60, beta_fuse=1.2, pi_weights={"code": 0, "facet": 0})
        for doc in result.ranked_docs:
            lanes = len(doc.run_scores) / 3
            rrf = sum(doc.lane_scores.values())
            assert doc.score == pytest.approx(rrf * (1 + 1.2 * 0.3 * lanes))
        assert [doc.rank for doc in result.ranked_docs] == [*range(1, result.total_docs + 1)]

    def test_two_runs_of_one_lane_are_two(self, lamps: Memory):
        one = lamps.fusion.rrf_search_fulltext_raw("lamp 3", lane_name="recall")
        two = lamps.fusion.rrf_search_fulltext_raw("lamp 3", lane_name="other")
        result = lamps.fusion.rrf_blend_frontier([one.weighed(2.0), two], beta_fuse=0)
        best = result.ranked_docs[0]
        assert best.run_scores == {
            one.run_id: pytest.approx(2 / 61),
            two.run_id: pytest.approx(1 / 61),
        }

    def test_a_target_profile_raises_what_carries_its_codes(self, lamps: Memory):
        run = lamps.fusion.rrf_search_fulltext_raw("lamp hall")
        plain = lamps.fusion.rrf_blend_frontier([run])
        aimed = lamps.fusion.rrf_blend_frontier(
            [run], target_profile={"tag": {"building-2": 1.0}}, beta_fuse=100
        )
        tags = [doc.metadata["tag"] for doc in aimed.ranked_docs]
        assert tags[:4] == [["building-2"]] * 4
        assert {doc.doc_id for doc in plain.ranked_docs} == {
            doc.doc_id for doc in aimed.ranked_docs
        }

    def test_facets_raise_what_holds_their_terms(self, lamps: Memory):
        runs = [lamps.fusion.rrf_search_semantic_raw("lamp")]
        facets = {"A": ["灯り", "夜"]}
        result = lamps.fusion.rrf_blend_frontier(runs, facet_terms=facets, beta_fuse=100)
        page = lamps.fusion.get_snippets([result.ranked_docs[0].doc_id])
        assert "灯り" in page[0].fields["text"]

    def test_every_parameter_is_recorded(self, lamps: Memory):
        result = blended(lamps, weights={"semantic": 0.5}, k_grid=[1, 5])
        known = lamps.fusion.get_provenance(result.run_id).config_snapshot
        assert known["params"] == result.params.model_dump(mode="json")
        assert result.params.weights.fulltext == 1.0
        assert [point.k for point in result.frontier] == [1, 5]

    @pytest.mark.parametrize(
        "runs",
        [
            [],
            "fulltext-1",
            [{"lane": "fulltext"}],
            [{"lane": "fulltext", "run_id_lane": "fulltext-1", "weight": -1}],
        ],
    )
    def test_runs_that_are_none_are_refused(self, lamps: Memory, runs: Any):
        error = refused(lambda: lamps.fusion.rrf_blend_frontier(runs))
        assert isinstance(error, InvalidParameter)

    def test_a_run_has_to_be_of_its_lane_and_stand_once(self, lamps: Memory):
        run = lamps.fusion.rrf_search_fulltext_raw("lamp")
        wrong = {"lane": "semantic", "run_id_lane": run.run_id}
        wrongs: list[list[Any]] = [[wrong], [run, run]]
        for runs in wrongs:
            error = refused(partial(lamps.fusion.rrf_blend_frontier, runs))
            assert isinstance(error, InvalidParameter)

    def test_a_fused_run_is_no_lane(self, lamps: Memory):
        result = blended(lamps)
        again = {"lane": "fulltext", "run_id_lane": result.run_id}
        error = refused(lambda: lamps.fusion.rrf_blend_frontier([again]))
        assert error == RunNotFound(result.run_id)


class TestMutate:
    def test_nothing_is_searched(self, lamps: Memory, monkeypatch: pytest.MonkeyPatch):
        result = blended(lamps)
        index = type(lamps.deps.search_index)
        asked: list[str] = []
        for name in ("search", "nearest", "everything", "standing"):
            monkeypatch.setattr(index, name, lambda *_, name=name, **__: asked.append(name))
        embedder = type(lamps.deps.embedding)
        monkeypatch.setattr(embedder, "embed", lambda *_: asked.append("embed"))
        statements: list[str] = []
        query = type(lamps.deps.db).query

        def counted(self: Any, sql: str, params: Any = None) -> Any:
            statements.append(sql)
            return query(self, sql, params)

        monkeypatch.setattr(type(lamps.deps.db), "query", counted)
        lamps.fusion.rrf_mutate_run(result.run_id, {"rrf_k": 40})
        assert asked == []
        assert [sql for sql in statements if "postings" in sql or "vectors" in sql] == []

    def test_nothing_overwritten_changes_nothing(self, lamps: Memory):
        base = blended(lamps, facet_terms={"A": ["hall"]})
        same = lamps.fusion.rrf_mutate_run(base.run_id)
        assert ranking(same) == ranking(base)
        assert same.run_id != base.run_id

    def test_twice_is_once(self, lamps: Memory):
        delta = {"weights": {"semantic": 0.1}, "rrf_k": 40, "pi_weights": {"lane": 0.9}}
        once = lamps.fusion.rrf_mutate_run(blended(lamps).run_id, delta)
        twice = lamps.fusion.rrf_mutate_run(once.run_id, delta)
        assert ranking(twice) == ranking(once)

    def test_values_are_overwritten_key_by_key(self, lamps: Memory):
        base = blended(lamps, weights={"fulltext": 1.2})
        delta = {"weights": {"semantic": 0.4}, "lane_weights": {"recall": 1.5}}
        made = lamps.fusion.rrf_mutate_run(base.run_id, delta).params
        assert (made.weights.fulltext, made.weights.semantic) == (1.2, 0.4)
        assert made.lane_weights == {"recall": 1.5, "precision": 1.0, "semantic": 0.8}
        assert base.params.weights.semantic == 0.8

    def test_a_run_can_be_given_a_weight(self, lamps: Memory):
        base = blended(lamps)
        first = base.params.runs[0].run_id_lane
        made = lamps.fusion.rrf_mutate_run(base.run_id, {"runs": {first: 0}})
        assert all(first not in doc.run_scores for doc in made.ranked_docs)
        error = refused(lambda: lamps.fusion.rrf_mutate_run(base.run_id, {"runs": {"x": 1}}))
        assert isinstance(error, InvalidParameter)

    def test_the_lineage_is_kept_oldest_first(self, lamps: Memory):
        base = blended(lamps)
        one = lamps.fusion.rrf_mutate_run(base.run_id, {"rrf_k": 40})
        two = lamps.fusion.rrf_mutate_run(one.run_id, {"beta_fuse": 0.9})
        known = lamps.fusion.get_provenance(two.run_id)
        assert (two.parent, two.history) == (one.run_id, (base.run_id, one.run_id))
        assert known.lineage == (base.run_id, one.run_id, two.run_id)
        assert known.config_snapshot["delta"] == {"beta_fuse": 0.9}

    @pytest.mark.parametrize(
        "delta",
        [{"colour": 1}, {"weights": {"colour": 1}}, {"rrf_k": 0}, {"pi_weights": {"x": 1}}],
    )
    def test_what_cannot_be_overwritten_is_refused(self, lamps: Memory, delta: dict[str, object]):
        base = blended(lamps).run_id
        error = refused(lambda: lamps.fusion.rrf_mutate_run(base, delta))
        assert isinstance(error, InvalidParameter)

    def test_a_lane_run_is_no_base(self, lamps: Memory):
        run = lamps.fusion.rrf_search_fulltext_raw("lamp")
        assert refused(lambda: lamps.fusion.rrf_mutate_run(run.run_id)) == RunNotFound(run.run_id)


class TestProvenance:
    def test_shares_of_lanes_sum_to_one(self, lamps: Memory):
        known = lamps.fusion.get_provenance(blended(lamps).run_id, top_k_lane=3)
        shares = known.lane_contributions
        assert set(shares.aggregate) == {"recall", "precision", "semantic"}
        assert sum(shares.aggregate.values()) == pytest.approx(1)
        assert len(shares.per_doc) == 3
        for share in shares.per_doc.values():
            assert sum(share.values()) == pytest.approx(1)

    def test_metrics_are_those_of_what_may_be_seen_now(self, lamps: Memory):
        """A document that was raised to pii still counted in them."""
        _ = lamps.apply_policy(LASTING)
        rows = [{"pub_id": str(n), "title": f"hall lamp {n}", "ft": f"c{n % 2}"} for n in range(6)]
        _ = lamps.add_documents(rows)
        runs = [
            lamps.fusion.rrf_search_fulltext_raw(query, collection="documents")
            for query in ("lamp hall", "lamp 3")
        ]
        blend = lamps.fusion.rrf_blend_frontier(runs)
        assert lamps.fusion.get_provenance(blend.run_id).metrics == blend.metrics
        allow = ("answer:task", "tool:contact-lookup")
        wide = Boundary(scope=SCOPES, allow=allow, boundary_classes=("internal", "pii"))
        _ = lamps.add_documents([{**rows[0], "boundary_class": "pii"}], boundary=wide)
        known = lamps.fusion.get_provenance(blend.run_id)
        assert known.metrics != blend.metrics
        assert known.metrics == lamps.fusion.rrf_mutate_run(blend.run_id).metrics

    def test_codes_are_counted_and_make_a_profile(self, lamps: Memory):
        run = lamps.fusion.rrf_search_fulltext_raw("lamp")
        known = lamps.fusion.get_provenance(run.run_id)
        assert known.code_freqs["tag"] == {f"building-{number}": 4 for number in range(3)}
        profile = lamps.fusion.build_target_profile(known)
        assert profile == known.target_profile
        assert set(profile.codes) == {"tag"}
        assert (known.kind, known.metrics, known.lineage) == ("lane", None, (run.run_id,))

    def test_what_was_asked_is_told_only_to_who_asked(self, lamps: Memory):
        def reach(actor: str) -> Boundary:
            return Boundary(
                scope=SCOPES,
                allow=("answer:task",),
                boundary_classes=("public", "internal"),
                actor=actor,
            )

        run = lamps.fusion.rrf_search_fulltext_raw("lamp hall", boundary=reach("aiko"))
        mine, yours = (
            lamps.fusion.get_provenance(run.run_id, boundary=reach(actor)).config_snapshot
            for actor in ("aiko", "ben")
        )
        assert mine["query"] == "lamp hall"
        assert "lamp hall" not in str(yours)


class TestReach:
    def test_a_narrower_boundary_finds_no_run(self, lamps: Memory):
        result = blended(lamps)
        for read in (
            lambda: lamps.fusion.peek_snippets(result.run_id, boundary=NARROW),
            lambda: lamps.fusion.get_provenance(result.run_id, boundary=NARROW),
            lambda: lamps.fusion.rrf_mutate_run(result.run_id, boundary=NARROW),
            lambda: lamps.fusion.tune(result.run_id, boundary=NARROW),
        ):
            assert refused(read) == RunNotFound(result.run_id)

    def test_a_wider_boundary_reads_what_a_narrower_made(self, lamps: Memory):
        run = lamps.fusion.rrf_search_fulltext_raw("lamp", boundary=NARROW)
        assert lamps.fusion.get_provenance(run.run_id).run_id == run.run_id

    def test_another_policy_finds_no_run(self, lamps: Memory):
        run = lamps.fusion.rrf_search_fulltext_raw("lamp")
        lamps.apply_policy(LASTING)
        error = refused(lambda: lamps.fusion.peek_snippets(run.run_id))
        assert error == RunNotFound(run.run_id)

    def test_a_claim_that_is_hidden_meanwhile_is_not_told(self, lamps: Memory):
        result = blended(lamps)
        gone = result.ranked_docs[0].doc_id
        lamps.deps.db.execute(
            "update claims set boundary_class = 'pii' where id = $id", {"id": gone}
        ).unwrap()
        page = lamps.fusion.peek_snippets(result.run_id)
        again = lamps.fusion.rrf_mutate_run(result.run_id)
        assert gone not in {one.doc_id for one in page.snippets}
        assert gone not in {doc.doc_id for doc in again.ranked_docs}
        assert again.total_docs == result.total_docs - 1


class TestTime:
    def test_an_expired_run_is_not_there_and_maintain_erases_it(
        self, lamps: Memory, clock: FakeClock
    ):
        result = blended(lamps)
        clock.advance(11 * 3600)
        assert lamps.fusion.get_provenance(result.run_id).run_id == result.run_id
        clock.advance(3600)
        assert refused(lambda: lamps.fusion.get_provenance(result.run_id)) == RunNotFound(
            result.run_id
        )
        assert rows(lamps, "runs") == 4
        lamps.maintain()
        assert (rows(lamps, "runs"), rows(lamps, "run_docs")) == (0, 0)

    def test_a_blend_lives_no_longer_than_what_it_is_made_of(
        self, lamps: Memory, clock: FakeClock
    ):
        old = lamps.fusion.rrf_search_fulltext_raw("lamp")
        clock.advance(3600)
        new = lamps.fusion.rrf_search_semantic_raw("lamp")
        result = lamps.fusion.rrf_blend_frontier([old, new])
        assert result.expires_at == old.meta["expires_at"]


class TestForgetting:
    def test_runs_that_list_a_forgotten_claim_are_erased(self, lamps: Memory):
        only = [{"field": "tags", "op": "in", "value": ["building-0"]}]
        kept = lamps.fusion.rrf_search_fulltext_raw("lamp", filters=only)
        gone = blended(lamps)
        lamps.forget(claim_id=lamps.fusion.search_fulltext("灯り")[0])
        assert lamps.fusion.get_provenance(kept.run_id).run_id == kept.run_id
        assert refused(lambda: lamps.fusion.peek_snippets(gone.run_id)) == RunNotFound(gone.run_id)

    def test_runs_that_asked_for_forgotten_words_are_erased_with_their_blends(self, lamps: Memory):
        asked = lamps.fusion.rrf_search_fulltext_raw("灯り zeppelin")
        other = lamps.fusion.rrf_search_fulltext_raw("lamp")
        both = lamps.fusion.rrf_blend_frontier([asked, other])
        lamps.forget(query="zeppelin")
        for run_id in (asked.run_id, both.run_id):
            error = refused(partial(lamps.fusion.get_provenance, run_id))
            assert error == RunNotFound(run_id)
        assert lamps.fusion.get_provenance(other.run_id).run_id == other.run_id

    def test_what_somebody_made_goes_with_him(self, lamps: Memory):
        mine = Boundary(
            scope=SCOPES, allow=("answer:task",), boundary_classes=("public",), actor="aiko"
        )
        lamps.fusion.rrf_search_fulltext_raw("lamp", boundary=mine)
        kept = lamps.fusion.rrf_search_fulltext_raw("lamp")
        lamps.forget(actor="aiko")
        assert rows(lamps, "runs") == 1
        assert lamps.fusion.get_provenance(kept.run_id).run_id == kept.run_id

    def test_no_query_stands_in_events_or_the_audit(self, lamps: Memory):
        blended(lamps, facet_terms={"A": ["zeppelin"]})
        lamps.fusion.rrf_search_fulltext_raw("zeppelin hall")
        for table in ("events", "audit"):
            found = lamps.deps.db.query(f"select * from {table}").unwrap()
            assert "zeppelin" not in str(found)

    def test_a_secret_in_a_query_is_not_kept(self, lamps: Memory):
        key = "AKIA" + "IOSFODNN7EXAMPLE"
        run = lamps.fusion.rrf_search_fulltext_raw(f"lamp {key}")
        assert key not in str(lamps.deps.db.query("select * from runs").unwrap())
        assert run.meta["query"] == "lamp [secret]"
        error = refused(lambda: lamps.fusion.rrf_blend_frontier([run], facet_terms={"A": [key]}))
        assert isinstance(error, InvalidParameter)


class Library:
    """A search of the host's over three books."""

    books: Final = {"b1": "Lamps and how they hang", "b2": "Halls", "b3": "Pumps 設計"}

    def fulltext_search(self, query: str, _filters: Any, top_k: int) -> object:
        hits = [
            {
                "doc_id": one,
                "score": 1.0,
                "metadata": {"pub_id": f"P-{one}", "codes": {"fi": ["H05B"]}},
            }
            for one, text in self.books.items()
            if query.lower() in text.lower()
        ]
        return hits[:top_k]

    def semantic_search(self, _text: str, _feature_scope: str, _top_k: int) -> object:
        raise ConnectionError("the text is never told")

    def get_document(self, doc_id: str, _fields: Any) -> object:
        return {"title": self.books[doc_id]}


class TestBackends:
    def test_lanes_of_a_backend_blend_with_lanes_of_the_file(self, lamps: Memory):
        books = lamps.fusion.over("books", Library())
        theirs = books.rrf_search_fulltext_raw("lamps")
        ours = lamps.fusion.rrf_search_fulltext_raw("lamp")
        result = books.rrf_blend_frontier(
            [theirs, ours], target_profile={"fi": {"H05B": 1.0}}, beta_fuse=100
        )
        first = result.ranked_docs[0]
        assert (first.source, first.doc_id, first.pub_id) == ("books", "b1", "P-b1")
        assert {doc.source for doc in result.ranked_docs[1:]} == {"claims"}
        page = books.peek_snippets(result.run_id, limit=1)
        assert page.snippets[0].fields == {"title": "Lamps and how they hang"}

    def test_a_backend_that_raises_is_a_failed_lane(self, lamps: Memory):
        books = lamps.fusion.over("books", Library())
        error = refused(lambda: books.rrf_search_semantic_raw("lamps"))
        assert error == BackendFailed("books", "it raised ConnectionError")

    @pytest.mark.parametrize(
        "given",
        [
            None,
            "b1",
            [{"doc_id": "b1"}],
            [{"doc_id": "", "score": 1.0}],
            [{"doc_id": "b1", "score": float("nan")}],
            [{"doc_id": "b1", "score": 1.0, "metadata": 5}],
            [{"doc_id": "b1", "score": 1.0, "metadata": {"x": {1}}}],
            Failure("no"),
        ],
    )
    def test_what_is_no_list_of_hits_is_a_failure(self, lamps: Memory, given: object):
        library = Library()
        library.fulltext_search = lambda *_: given  # type: ignore[method-assign]
        books = lamps.fusion.over("books", library)
        error = refused(lambda: books.rrf_search_fulltext_raw("lamps"))
        assert isinstance(error, BackendFailed)


class TestTuning:
    @pytest.mark.parametrize(
        ("las", "ccw", "shape", "shares", "pattern"),
        [
            (0.5, 0.6, 0.2, {}, "healthy"),
            (0.2, 0.6, 0.2, {}, "low_recall"),
            (0.5, 0.2, 0.2, {}, "low_precision"),
            (0.4, 0.45, 0.6, {"semantic": 0.9}, "semantic_dominance"),
            (0.4, 0.45, 0.6, {"semantic": 0.5}, "approach_imbalance"),
        ],
    )
    def test_the_first_pattern_that_fits_is_suggested(self, las, ccw, shape, shares, pattern):
        proxy = 0.6 if pattern == "healthy" else 0.3
        metrics = StructuralMetrics(LAS=las, CCW=ccw, S_shape=shape, F_struct=0.5, Fproxy=proxy)
        assert suggest_mutation(metrics, shares).pattern == pattern

    def test_a_change_within_the_noise_is_gone_back_from(self, lamps: Memory):
        result = blended(lamps)
        done = lamps.fusion.tune(result.run_id)
        assert (done.run_id, done.stopped) == (result.run_id, "noise")
        step = done.steps[0]
        assert not step.kept
        assert (step.decision.score_direction, step.decision.noise_threshold) == ("stable", 0.1)

    def test_what_is_noise_the_policy_says(self, lamps: Memory):
        text = LASTING.replace('version: "1.0.1"', 'version: "1.1.0"')
        put = text.replace("noise_threshold: 0.1 ", "noise_threshold: 1.5 ")
        _ = lamps.apply_policy(put)
        result = blended(lamps)
        step = lamps.fusion.tune(result.run_id).steps[0]
        assert step.decision.noise_threshold == 1.5
        *_, event = [
            one.payload
            for one in events.newest(topic="fusion")(lamps.deps).unwrap()
            if "tuned" in one.payload
        ]
        assert (event["score_direction"], event["noise_threshold"]) == (
            step.decision.score_direction,
            1.5,
        )
        assert (event["before"], event["after"]) == (step.before, step.after)
        given = lamps.fusion.tune(result.run_id, config=RefinementConfig(noise_threshold=4))
        assert given.steps[0].decision.noise_threshold == 4
        _ = lamps.apply_policy(
            put.replace("1.1.0", "1.2.0").replace(
                "max_refinement_attempts: 2", "max_refinement_attempts: 0"
            )
        )
        again = blended(lamps)
        assert lamps.fusion.tune(again.run_id).steps == ()

    def test_a_config_of_another_kind_is_refused(self, lamps: Memory):
        result = blended(lamps)
        wrongs: list[Any] = [3, "noise_threshold", {"noise_threshold": "much"}, {"noise": 3}]
        for wrong in wrongs:
            error = refused(partial(lamps.fusion.tune, result.run_id, config=wrong))
            assert isinstance(error, InvalidParameter)
            assert error.name.startswith("config")

    def test_a_mapping_is_a_config(self, lamps: Memory):
        result = blended(lamps)
        plain = {"max_refinement_attempts": 0}
        assert lamps.fusion.tune(result.run_id, config=plain).stopped == "attempts"

    def test_an_improvement_beyond_the_noise_is_kept(self, lamps: Memory):
        result = blended(lamps, beta_fuse=2.0, target_profile={"tag": {"building-2": 1.0}})
        fine = RefinementConfig(noise_threshold=1e-9, max_refinement_attempts=2)
        done = lamps.fusion.tune(result.run_id, config=fine)
        assert [step.kept for step in done.steps] == [
            step.decision.score_direction == "improved" for step in done.steps
        ]
        assert done.metrics.Fproxy >= result.metrics.Fproxy

    def test_no_more_than_so_many_are_tried(self, lamps: Memory):
        result = blended(lamps)
        done = lamps.fusion.tune(result.run_id, config=RefinementConfig(max_refinement_attempts=0))
        assert (done.steps, done.stopped, done.run_id) == ((), "attempts", result.run_id)


def test_both_styles_say_the_same(lamps: Memory):
    run = lamps.fusion.rrf_search_fulltext_raw("lamp")
    assert lamps.results.fusion.get_provenance(run.run_id).unwrap() == lamps.fusion.get_provenance(
        run.run_id
    )
    missing = lamps.results.fusion.peek_snippets("fulltext-none")
    assert missing == Failure(RunNotFound("fulltext-none"))


def test_a_handle_is_what_a_blend_takes(lamps: Memory):
    run = lamps.fusion.rrf_search_fulltext_raw("lamp")
    assert RunHandle.model_validate(run.model_dump()) == run
    given = {"lane": "fulltext", "run_id_lane": run.run_id_lane, "weight": 1.0}
    assert ranking(lamps.fusion.rrf_blend_frontier([given])) == ranking(
        lamps.fusion.rrf_blend_frontier([run])
    )


class TestDocuments:
    @pytest.fixture
    def library(self, lamps: Memory) -> Memory:
        items = [
            {
                "external_ids": {"pub_id": f"JP-{number}"},
                "fields": {"title": f"Lamp of sort {number}", "abst": "A lamp with 灯り" * number},
                "codes": {"fi": [f"H05B{number % 2}"]},
                "boundary_class": "internal" if number else "public",
            }
            for number in range(6)
        ]
        lamps.add_documents(items)
        return lamps

    def test_lanes_over_documents_blend_with_lanes_over_claims(self, library: Memory):
        fusion = library.fusion
        runs = [
            fusion.rrf_search_fulltext_raw("lamp sort", collection="documents"),
            fusion.rrf_search_semantic_raw("lamp", collection="documents"),
            fusion.rrf_search_code_raw({"fi": {"H05B1": 1.0}}, collection="documents"),
            fusion.rrf_search_fulltext_raw("lamp"),
        ]
        result = fusion.rrf_blend_frontier(
            runs, target_profile={"fi": {"H05B1": 1.0}}, beta_fuse=100
        )
        first = result.ranked_docs[:3]
        assert [run.hit_count for run in runs] == [6, 6, 3, 12]
        assert {doc.pub_id for doc in first} == {"JP-1", "JP-3", "JP-5"}
        assert {doc.source for doc in first} == {"documents"}
        assert first[0].metadata["fi"] == ["H05B1"]
        page = fusion.peek_snippets(result.run_id, fields=["title"], limit=3)
        assert {one.fields["title"] for one in page.snippets} == {
            f"Lamp of sort {number}" for number in (1, 3, 5)
        }

    def test_documents_are_masked_as_claims_are(self, library: Memory):
        how: Any = {"collection": "documents", "boundary": NARROW}
        assert library.fusion.rrf_search_fulltext_raw("lamp", **how).hit_count == 1
        run = library.fusion.rrf_search_fulltext_raw("lamp", collection="documents")
        library.deps.db.execute("update documents set boundary_class = 'pii'").unwrap()
        assert library.fusion.peek_snippets(run.run_id).snippets == ()

    def test_filters_are_those_of_documents(self, library: Memory):
        only = [{"field": "codes.fi", "op": "in", "value": ["H05B0"]}]
        how: Any = {"collection": "documents", "filters": only}
        assert library.fusion.rrf_search_fulltext_raw("lamp", **how).hit_count == 3

    def test_a_feature_scope_narrows_and_the_run_says_so(self, library: Memory):
        _ = library.add_documents([{"pub_id": "X", "claim": "a lamp"}])
        how: Any = {"collection": "documents"}
        wide = library.fusion.rrf_search_semantic_raw("lamp", **how)
        narrow = library.fusion.rrf_search_semantic_raw("lamp", feature_scope="claims_only", **how)
        assert (wide.hit_count, narrow.hit_count) == (7, 1)
        assert narrow.meta["narrowed_to"] == ["claim"]
        assert "narrowed_to" not in wide.meta

    def test_an_entity_walk_is_of_claims(self, library: Memory):
        error = refused(
            lambda: library.fusion.rrf_search_graph_raw("lamp", collection="documents")
        )
        assert isinstance(error, InvalidParameter)

    def test_runs_that_list_a_forgotten_document_are_erased(self, library: Memory):
        run = library.fusion.rrf_search_fulltext_raw("lamp", collection="documents")
        kept = library.fusion.rrf_search_fulltext_raw("lamp")
        library.forget(query="sort")
        assert refused(lambda: library.fusion.peek_snippets(run.run_id)) == RunNotFound(run.run_id)
        assert library.fusion.get_provenance(kept.run_id).run_id == kept.run_id

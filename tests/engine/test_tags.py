"""A tag that the policy does not know is most often a slip: it is told, with the nearest known."""

import json
import pickle
from copy import copy
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner

from pce_memory import Boundary, Memory, Policy
from pce_memory.engine import running
from pce_memory.policy.source import parse_policy
from pce_memory.policy.tags import known_tags, nearest, warned_tags
from pce_memory.surface.cli import app

KNOWN: Final = "the policy knows answer:task, tool:*, tool:contact-lookup"
CLASSES: Final = ("public", "internal")
SLIP: Final = f"the policy shows no class to the tag answer:taks by its name; did you mean answer:task?; {KNOWN}"


def under(*tags: str) -> Boundary:
    return Boundary(scope=("project", "session"), allow=tags, boundary_classes=CLASSES)


@pytest.fixture
def lamp() -> Memory:
    memory = Memory.open(embedder="hashing")
    _ = memory.observe("The lamp is red.")
    return memory


def test_a_slip_in_a_boundary_is_told_by_every_result_that_can_tell(lamp: Memory) -> None:
    slip = under("answer:taks")
    found = lamp.activate("lamp", boundary=slip)
    assert (found.items, found.warnings) == ((), (SLIP,))
    assert lamp.observe("The door is blue.", boundary=slip).warnings == (SLIP,)
    assert lamp.observe_many(["The roof is grey."], boundary=slip).warnings == (SLIP,)
    claim = lamp.search("lamp")[0].claim.id
    assert lamp.explain(claim, boundary=slip).warnings == (SLIP,)
    assert lamp.explain(claim, allow=["answer:taks"]).warnings == (SLIP,)
    told = lamp.validate("A note.", boundary=slip, boundary_class="internal")
    assert told.reason == f"the policy shows class internal to no tag of the boundary; {SLIP}"


def test_slips_are_looked_for_only_where_a_result_can_tell_them(
    lamp: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[tuple[str, ...]] = []

    def counted(allow: tuple[str, ...], policy: Policy) -> tuple[str, ...]:
        looked.append(allow)
        return warned_tags(allow, policy)

    monkeypatch.setattr(running, "warned_tags", counted)
    claim = lamp.search("lamp")[0].claim.id
    assert len(looked) == 1
    _ = lamp.claim(claim), lamp.evidence(claim)
    assert len(looked) == 1
    assert lamp.observe("ドアは青い。", boundary=under("answer:taks")).warnings == (SLIP,)
    assert len(looked) == 2


def test_a_slip_is_told_by_a_search(lamp: Memory) -> None:
    slip = under("answer:taks")
    found = lamp.search("lamp", boundary=slip)
    assert (found, len(found), found.warnings) == ((), 0, (SLIP,))
    assert lamp.results.search("lamp", boundary=slip).unwrap().warnings == (SLIP,)
    both = lamp.search("lamp", boundary=under("answer:task", "answer:taks"))
    assert isinstance(both, tuple)
    assert [one.claim.text for one in both] == ["The lamp is red."]
    assert both.warnings == (SLIP,)
    plain = lamp.search("lamp")
    assert (plain, plain.warnings) == (tuple(plain), ())
    again = pickle.loads(pickle.dumps(both))
    assert (again, again.warnings) == (both, both.warnings)
    assert copy(both).warnings == (SLIP,)


def test_a_slip_is_told_by_lanes_and_by_what_they_are_blended_into(lamp: Memory) -> None:
    slip = under("answer:task", "answer:taks")
    fusion = lamp.fusion
    for ask in (fusion.search_fulltext, fusion.search_semantic):
        assert ask("lamp", boundary=slip).warnings == (SLIP,)
        assert ask("lamp").warnings == ()
    asked = {"tool": "rrf_search_fulltext_raw", "lane": "fulltext", "lane_name": "recall"}
    many = fusion.run_multilane_search([{**asked, "params": {"query": "lamp"}}], boundary=slip)
    alone = fusion.rrf_search_semantic_raw("lamp", boundary=slip)
    assert [one.meta["warnings"] for one in (*many.handles, alone)] == [[SLIP], [SLIP]]
    codes = fusion.rrf_search_code_raw({"fi": {"H01": 1.0}}, boundary=slip).meta["warnings"]
    assert isinstance(codes, list)
    assert (len(codes), codes[-1]) == (2, SLIP)
    assert "warnings" not in fusion.rrf_search_fulltext_raw("lamp").meta
    blend = fusion.rrf_blend_frontier([alone], boundary=slip)
    mutated = fusion.rrf_mutate_run(blend.run_id, {"rrf_k": 30}, boundary=slip)
    assert blend.warnings == mutated.warnings == (SLIP,)
    wide = fusion.rrf_search_fulltext_raw("lamp")
    assert fusion.rrf_blend_frontier([wide]).warnings == ()


def test_a_memory_that_is_opened_with_a_slip_tells_it(tmp_path: Path) -> None:
    with Memory.open(embedder="hashing", boundary=under("answer:taks")) as memory:
        assert memory.activate("lamp").warnings == (SLIP,)


@pytest.mark.parametrize("tag", ["answer:task", "tool:search", "tool:", "tool:contact-lookup"])
def test_a_tag_that_a_class_is_shown_to_is_no_slip(lamp: Memory, tag: str) -> None:
    assert lamp.activate("lamp", boundary=under(tag)).warnings == ()
    assert lamp.explain(lamp.observe("The lamp is red.").claims[0].id).warnings == ()


def test_one_of_several_is_told_alone(lamp: Memory) -> None:
    found = lamp.activate("lamp", boundary=under("answer:task", "answer:taks"))
    assert len(found.items) == 1
    assert found.warnings == (SLIP,)


def test_what_is_asked_beyond_the_boundary_is_told_which_tags_there_are(lamp: Memory) -> None:
    refused = lamp.results.activate("lamp", allow=["team:support"]).failure()
    assert refused.message == (
        "Boundary denied: the boundary covers no tag of the query; it has answer:task, and "
        f"{KNOWN}"
    )
    near = lamp.results.activate("lamp", allow=["tol:search"]).failure()
    assert "; did you mean tool:*?" in near.message
    payload = lamp.results.validate("A note.", allow=["team:support"]).failure()
    assert KNOWN in payload.message


def test_tags_that_open_no_class_of_the_boundary(lamp: Memory) -> None:
    closed = Boundary(scope=("project",), allow=("answer:taks",), boundary_classes=("internal",))
    refused = lamp.results.activate("lamp", boundary=closed).failure()
    assert refused.message == (
        "Boundary denied: the policy shows these tags no class of the boundary; did you mean "
        f"answer:task?; {KNOWN}"
    )


def test_a_tag_is_not_shown_where_it_may_be_somebodys(lamp: Memory) -> None:
    found = lamp.activate("lamp", boundary=under("alice@example.com"))
    assert "alice" not in str(found.warnings)
    assert "(17 characters, not shown)" in found.warnings[0]
    refused = lamp.results.activate("x", allow=["y"], boundary=under("alice@example.com"))
    assert "alice" not in refused.failure().message


def test_japanese_tags_and_a_policy_without_names() -> None:
    text = """version: "1.0.0"
boundary_classes:
  public: {allow: ["*"]}
  internal: {allow: ["回答:作業", "道具:*"]}
  pii: {allow: []}
  secret: {allow: ["vault"]}
"""
    policy = parse_policy(text).unwrap()
    assert known_tags(policy) == ("回答:作業", "道具:*")
    assert nearest(("回答:作行",), policy) == "; did you mean 回答:作業?"
    assert warned_tags(("回答:作業", "道具:検索"), policy) == ()
    assert len(warned_tags(("vault", "*"), policy)) == 2
    bare = parse_policy(text.replace('"回答:作業", "道具:*"', '"*"')).unwrap()
    assert warned_tags(("anything",), bare) == ()


def test_the_command_line_tells_both(tmp_path: Path) -> None:
    db = tmp_path / "agent.duckdb"
    with Memory.open(db, embedder="hashing") as memory:
        claim = memory.observe("The lamp is red.").claims[0].id
    explain = ["policy", "explain", claim, "--db", str(db), "--allow", "answer:taks"]
    done = CliRunner().invoke(app, explain)
    assert done.exit_code == 0
    assert f"warning: {SLIP}" in done.stdout
    asked = ["activate", "lamp", "--db", str(db), "--embedder", "hashing"]
    refused = CliRunner().invoke(app, [*asked, "--allow", "team:support"])
    assert refused.exit_code == 3
    assert KNOWN in refused.stderr
    with Memory.open(db, embedder="hashing") as memory:
        _ = memory.apply_policy(
            'version: "1.0.0"\nextends: default\nboundary_classes: {internal: {allow: ["tool:*"]}}\n'
        )
    warned = CliRunner().invoke(app, asked)
    assert warned.exit_code == 0
    assert "warning: the policy shows no class to the tag answer:task by its name" in warned.stderr
    as_json = CliRunner().invoke(app, [*asked, "--json"])
    assert "warning: the policy shows no class to the tag answer:task" in as_json.stderr
    assert json.loads(as_json.stdout)["warnings"]

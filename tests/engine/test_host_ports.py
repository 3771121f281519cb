"""Ports of the host's in a deps record: whole ones, the seed's, and some with a member missing."""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any, cast

import pytest
from returns.result import Result, Success

from pce_memory import (
    CoreDeps,
    Memory,
    MemoryFault,
    Query,
    create_core_module,
    or_raise,
)
from pce_memory.deps import MEMBERS, VectorIndex
from pce_memory.engine.ready import default_boundary
from pce_memory.engine.results import Results
from pce_memory.errors import DatabaseFailed, InvalidParameter, PolicyMissing, PortFailed

BOUNDARY = default_boundary()

SEED = ("query", "execute", "transaction")
MADE_UP = ("read_only", "version", "arrays", "load", "snapshot", "aside")
"""Members of a database that the design does not ask for: the record makes up for them."""


class SeedDatabase:
    """The three functions of the seed."""

    def __init__(self, db: Any) -> None:
        self._db = db

    def query(self, sql: str, params: Any = None) -> Any:
        return self._db.query(sql, params)

    def execute(self, sql: str, params: Any = None) -> Any:
        return self._db.execute(sql, params)

    def transaction(self, work: Callable[[], Any]) -> Any:
        return self._db.transaction(work)


class SeedPolicyStore:
    """The three functions of the seed."""

    def __init__(self, store: Any) -> None:
        self._store = store

    def get_current(self) -> Any:
        return self._store.get_current()

    def get_version(self, version: Any) -> Any:
        return self._store.get_version(version)

    def apply(self, yaml: str) -> Any:
        return self._store.apply(yaml)


def host(port: object, members: Sequence[str]) -> Any:
    """Return an object that has some members of a port, and no other."""

    def part(name: str) -> property:
        return property(lambda _: getattr(port, name))

    def call(_: object, *given: Any, **named: Any) -> Any:
        return cast("Callable[..., Any]", port)(*given, **named)

    parts = {name: call if name == "__call__" else part(name) for name in members}
    return type("Host", (), parts)()


class Judge:
    """A judge and a reranker that the record can be given."""

    model_id = "mine"

    def judge(self, _: object) -> float:
        return 50.0

    def score(self, _: str, texts: Sequence[str]) -> Result[Sequence[float], Any]:
        return Success([0.0 for _ in texts])


def whole(memory: Memory) -> CoreDeps:
    judge = Judge()
    return replace(memory.deps, judge=judge, reranker=judge)


def used(deps: CoreDeps) -> dict[str, object]:
    """Do a little of everything, and return what came of it."""
    results = Results(deps, BOUNDARY)
    seen = or_raise(results.observe("Ann drinks green tea. Bob drinks coffee.", tags=["cup"]))
    titles = [
        {"external_ids": {"pub_id": f"P{n}"}, "fields": {"title": f"Cup {n} of coffee"}}
        for n in range(20)
    ]
    stored = or_raise(results.add_documents(titles))
    found = or_raise(results.activate("coffee", top_k=3))
    judged = or_raise(results.feedback(found.items[0].claim.id, "helpful"))
    fused, codes = results.fusion, {"tag": {"cup": 1.0}}
    lanes = [
        or_raise(fused.rrf_search_fulltext_raw("coffee")),
        or_raise(fused.rrf_search_code_raw(codes)),
        or_raise(fused.rrf_search_fulltext_raw("coffee", collection="documents")),
        or_raise(fused.rrf_search_semantic_raw("coffee", collection="documents")),
        or_raise(fused.rrf_search_fulltext_raw("zanzibar", collection="documents")),
    ]
    blend = or_raise(fused.rrf_blend_frontier(lanes, target_profile=codes))
    told = or_raise(fused.get_provenance(blend.run_id))
    return {
        "observed": [one.text for one in seen.claims],
        "documents": stored.created,
        "found": [(one.claim.text, one.score) for one in found.items],
        "judged": judged.updated,
        "lanes": [one.hit_count for one in lanes],
        "blend": [(one.pub_id, one.score) for one in blend.ranked_docs if one.source != "claims"],
        "codes": told.code_freqs,
        "forgotten": len(or_raise(results.forget(query="green tea")).claims),
    }


Opens = Callable[..., Memory]


def smaller(deps: CoreDeps, way: str) -> CoreDeps:
    """Return a record with the database of the seed, or with one that lacks a further member."""
    if way == "seed":
        db = cast("Any", SeedDatabase(deps.db))
        store = cast("Any", SeedPolicyStore(deps.policy_store))
        return replace(deps, db=db, policy_store=store)
    members = [one for one in (*SEED, *MADE_UP) if one != way]
    return replace(deps, db=host(deps.db, members))


@pytest.mark.parametrize("way", ["seed", *MADE_UP])
def test_a_database_of_the_seed_does_what_a_whole_one_does(memory_at: Opens, way: str):
    wanted = used(memory_at("whole.duckdb").deps)
    assert wanted["documents"] == 20
    assert wanted["lanes"] == [1, 2, 20, 20, 0]
    assert used(smaller(memory_at("seed.duckdb").deps, way)) == wanted


def test_the_core_module_works_with_the_ports_of_the_seed(memory: Memory):
    module = create_core_module(smaller(memory.deps, "seed"))
    _ = memory.observe("Bob drinks coffee at noon.")
    found = or_raise(module.retriever(Query(q="coffee"), BOUNDARY, memory.policy()))
    assert [one.claim.text for one in found.items] == ["Bob drinks coffee at noon."]


def test_a_transaction_in_a_transaction_is_part_of_it(memory: Memory):
    begun: list[str] = []

    class Counting(SeedDatabase):
        def transaction(self, work: Callable[[], Any]) -> Any:
            begun.append("begin")
            return super().transaction(work)

    db = replace(memory.deps, db=cast("Any", Counting(memory.deps.db))).db
    done = db.transaction(lambda: db.snapshot(lambda: db.aside(lambda: Success("done"))))
    assert (done, begun) == (Success("done"), ["begin"])


def test_what_a_database_raises_is_a_database_error(memory: Memory):
    class Broken(SeedDatabase):
        def query(self, sql: str, params: Any = None) -> Any:
            raise ConnectionError(f"zanzibar {sql} {params}")

    _ = memory.observe("Bob drinks coffee at noon.")
    deps = replace(memory.deps, db=cast("Any", Broken(memory.deps.db)))
    refused = (
        create_core_module(deps).retriever(Query(q="coffee"), BOUNDARY, memory.policy()).failure()
    )
    assert isinstance(refused, DatabaseFailed)
    assert refused.message == "Database error during query (ConnectionError)"


def test_a_store_without_history_says_so(memory: Memory):
    store = smaller(memory.deps, "seed").policy_store
    assert store.get_current().unwrap() == memory.policy()
    assert store.get_version(memory.policy().version).unwrap() == memory.policy()
    kept: object = store.history().failure()
    assert kept == PortFailed("policy_store", "it has no history")
    refused = store.apply("x", validate_only=True).failure()
    assert refused == PortFailed("policy_store", "its apply knows no validate_only")


@pytest.mark.parametrize(
    ("gives", "error"),
    [
        (None, PolicyMissing()),
        (3, PortFailed("policy_store", "it gave int, not a Policy")),
        (ValueError("zanzibar"), PortFailed("policy_store", "it raised ValueError")),
    ],
)
def test_what_is_no_policy_is_refused(memory: Memory, gives: object, error: object):
    class Odd(SeedPolicyStore):
        def get_current(self) -> Any:
            if isinstance(gives, Exception):
                raise gives
            return gives

    deps = replace(memory.deps, policy_store=cast("Any", Odd(memory.deps.policy_store)))
    assert Results(deps, BOUNDARY).activate("x").failure() == error


LACKING = [(port, member) for port, members in MEMBERS.items() for member in members]


@pytest.mark.parametrize(("port", "member"), LACKING)
def test_a_port_without_what_it_needs_is_refused_by_name(memory: Memory, port: str, member: str):
    deps = whole(memory)
    lacking = host(getattr(deps, port), [one for one in MEMBERS[port] if one != member])
    with pytest.raises(MemoryFault) as refused:
        _ = replace(deps, **{port: lacking})
    assert refused.value.error == InvalidParameter("deps", f"{port} (Host) has no {member}")


@pytest.mark.parametrize("port", MEMBERS)
def test_a_port_with_all_its_members_is_taken(memory: Memory, port: str):
    deps = whole(memory)
    _ = replace(deps, **{port: host(getattr(deps, port), MEMBERS[port])})


def test_every_port_is_looked_at():
    assert set(MEMBERS) == {one.name for one in fields(CoreDeps)}


def test_all_that_is_missing_is_named_at_once(memory: Memory):
    with pytest.raises(MemoryFault) as refused:
        _ = replace(memory.deps, db=cast("Any", None), embedding=cast("Any", object()))
    assert refused.value.error.message == (
        "Invalid deps: db (NoneType) has no query, execute, transaction; embedding (object) has "
        "no model_id, version, dimension, embed, embed_batch"
    )


def test_what_a_protocol_declares_is_no_member(memory: Memory):
    class Half(VectorIndex):
        model = "mine"

    with pytest.raises(MemoryFault, match=r"vector_index \(Half\) has no write, add"):
        _ = replace(memory.deps, vector_index=cast("Any", Half)())

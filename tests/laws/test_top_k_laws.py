"""The first of a ranking are the same whatever top_k is, and whatever the policy switches on."""

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import product
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st
from returns.result import Result, Success

from pce_memory import Claim, Memory, Policy, RerankingFailed
from pce_memory.domain.query import Query
from pce_memory.engine.ready import default_boundary
from pce_memory.policy.source import parse_policy
from pce_memory.retriever.select import select
from pce_memory.retriever.verdict import select_and_judge
from pce_memory.text.content_hash import content_hash
from tests.policies import LASTING
from tests.strategies import START

CLAIMS: Final = 1_200
"""More than the searches bring together."""
WORDS: Final = [
    "lamp",
    "red",
    "green",
    "old",
    "office",
    "kitchen",
    "desk",
    "deploy",
    "friday",
    "budget",
    "report",
    "server",
    "tea",
    "kettle",
    "cat",
]
WORDS_JA: Final = ("会議", "火曜日", "請求", "机", "赤い", "猫", "予算", "東京", "午前", "窓側")
SWITCHES: Final[Mapping[str, Sequence[Any]]] = {
    "mmr": [{}, {"enabled": True}, {"enabled": True, "relevance": 0.3, "candidates": 30}],
    "duplicates": [{}, {"similar": 0.8}, {"same_saying": 1.0}],
    "rerank": [{}, {"second_stage": "off"}],
    "hybrid": [{}, {"mode": "rrf"}, {"alpha": 0.0, "k_txt": 1, "k_vec": 1, "k_final": 3}],
    "text_normalizer": ["max", "minmax"],
    "vector_normalizer": ["cosine", "minmax"],
    "crag": [{}, {"on_ambiguous": "expand"}, {"on_incorrect": "drop"}],
    "reranker": [{}, {"enabled": False}],
}
POLICIES: Final = st.fixed_dictionaries(
    {name: st.sampled_from(values) for name, values in SWITCHES.items()}
)


class Lengths:
    """A reranker that likes texts whose length is near to a multiple of seven."""

    model_id = "lengths@1"

    def score(self, query: str, texts: Sequence[str]) -> Result[Sequence[float], RerankingFailed]:
        del query
        return Success([(len(text) % 7) / 7.0 for text in texts])


def claim(number: int, draw: random.Random) -> Claim:
    words = draw.choice([WORDS, WORDS_JA])
    gap, end = (" ", ".") if words is WORDS else ("", "。")
    text = f"{gap.join(draw.choices(words, k=draw.randint(2, 9)))}{gap}{number}{end}"
    created = START - draw.choice([0.0, 0.0, 86_400.0 * draw.random()])
    return Claim.model_validate(
        {
            "id": f"clm_{draw.getrandbits(64):016x}",
            "text": text,
            "kind": draw.choice(["fact", "preference"]),
            "scope": "project",
            "boundary_class": "internal",
            "content_hash": content_hash(text),
            "utility": draw.choice([0.0, 0.0, 0.1, -0.1]),
            "confidence": draw.choice([0.5, 0.5, 0.9]),
            "quality": 0.0,
            "tags": (),
            "created_at": created,
            "updated_at": created,
            "recency_anchor": created,
            "origin_observation_id": f"obs_{number:016x}",
        }
    )


Stores = Mapping[tuple[int, str], Memory]


@pytest.fixture(scope="module")
def stores() -> Iterator[Stores]:
    """Memories of many claims by seed and by the room of their mirror; 0 is the way by SQL."""
    with ExitStack() as opened:
        of_key: dict[tuple[int, str], Memory] = {}
        for seed, mirror in product((0, 1), ("1GB", "0")):
            how: dict[str, Any] = {"embedder": "hashing", "clock": lambda: START}
            how |= {"policy": LASTING, "mirror_memory": mirror, "reranker": Lengths()}
            memory = opened.enter_context(Memory.open(":memory:", **how))
            draw = random.Random(seed)
            _ = memory.integrate_many([claim(number, draw) for number in range(CLAIMS)])
            of_key[seed, mirror] = memory
        yield of_key


def changed(keys: Mapping[str, Any]) -> Policy:
    """Return the policy of the laws with other keys of `retrieval`."""
    policy = parse_policy(LASTING).unwrap()
    retrieval = policy.retrieval
    update = {
        name: getattr(retrieval, name).model_copy(update=value)
        if isinstance(value, Mapping)
        else value
        for name, value in keys.items()
    }
    return policy.model_copy(update={"retrieval": retrieval.model_copy(update=update)})


@given(
    seed=st.integers(0, 1),
    mirror=st.sampled_from(["1GB", "0"]),
    query=st.lists(st.sampled_from([*WORDS, *WORDS_JA]), max_size=5).map(" ".join)
    | st.sampled_from(['"red lamp"', "lamp -red", "会議が火曜日"]),
    keys=POLICIES,
    some=st.integers(1, 99),
)
def test_the_first_do_not_depend_on_top_k(
    stores: Stores,
    seed: int,
    mirror: str,
    query: str,
    keys: Mapping[str, Any],
    some: int,
) -> None:
    memory, policy = stores[seed, mirror], changed(keys)

    def shown(judge: bool, top_k: int) -> list[tuple[str, float]]:
        ask, boundary = Query(q=query, top_k=top_k), default_boundary()
        if judge:
            judged = select_and_judge(ask, boundary, policy)(memory.deps).unwrap()
            items = judged.selection.items
        else:
            items = select(ask, boundary, policy)(memory.deps).unwrap().items
        return [(item.claim.id, item.score) for item in items]

    for ask in (partial(shown, True), partial(shown, False)):
        every = ask(100)
        assert ask(some) == every[:some]
        scores = [score for _, score in every]
        assert scores == sorted(scores, reverse=True)


@given(seed=st.integers(0, 1), query=st.sampled_from(["lamp red office", "会議 火曜日", ""]))
def test_no_public_call_shows_other_claims_first(stores: Stores, seed: int, query: str) -> None:
    memory = stores[seed, "1GB"]
    found = {top_k: memory.activate(query, top_k=top_k) for top_k in (1, 5, 10, 24, 100)}
    ids = {top_k: [item.claim.id for item in one.items] for top_k, one in found.items()}
    for top_k, of_top_k in ids.items():
        assert of_top_k == ids[100][:top_k]
        assert [item.claim.id for item in memory.search(query, k=top_k)] == of_top_k
    assert len({one.verdict for one in found.values()}) == 1
    assert [item.claim.id for item in memory.activate(query).items] == ids[100][:12]

"""Texts of policies as people may write them: whole ones, and parts that lie over a base."""

from collections.abc import Mapping
from typing import Any, Final

import yaml
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, SCOPES

Data = dict[str, Any]

TAGS: Final = (
    "*",
    "answer:task",
    "answer:*",
    "tool:*",
    "tool:search",
    "tool:contact-lookup",
    "健二",
)
RULES: Final = (
    "api.breaking_change == false",
    "prompt.contains_pii == false",
    'claim.kind != "task"',
)
NAMES: Final = ("no_break", "no_pii", "変更の禁止", "a.b")
FINDS: Final = (
    {"name": "ticket", "find": "CASE-[0-9]{6}", "replace": "[case]"},
    {"name": "ticket", "find": "BUG-[0-9]+", "replace": "[bug]"},
    {"name": "住所", "find": "〒[0-9]{3}-?[0-9]{4}", "replace": "[address]"},
)
KINDS: Final = ("email", "phone", "credit_card", "iban", "secret")


def mapping(**entries: SearchStrategy[Any]) -> SearchStrategy[Data]:
    """Draw a mapping that may lack any of these keys."""
    return st.fixed_dictionaries({}, optional=entries)


def listed(values: tuple[Any, ...], most: int = 4) -> SearchStrategy[list[Any]]:
    return st.lists(st.sampled_from(values), max_size=most, unique_by=str)


durations: Final = st.builds("{}{}".format, st.integers(1, 40), st.sampled_from("hdw"))
ttls: Final = st.just("inf") | durations
ratios: Final = st.integers(0, 100).map(lambda percent: percent / 100)
half_lives: Final = st.integers(1, 400) | st.floats(0.5, 400).map(lambda days: round(days, 3))

_class: Final = mapping(
    allow=listed(TAGS),
    redact=st.none() | listed(KINDS),
    escalation=st.sampled_from([None, "human_review", "deny"]),
)


def _name_of(rule: Mapping[str, Any]) -> str:
    return str(rule["name"])


_invariants: Final = st.lists(
    st.fixed_dictionaries(
        {
            "name": st.sampled_from(NAMES),
            "applies_to": listed(SCOPES).filter(bool) | st.just(["*"]),
            "rule": st.sampled_from(RULES),
        }
    ),
    max_size=3,
    unique_by=_name_of,
)
_redact_policies: Final = st.dictionaries(
    st.sampled_from(["tickets", "住所録", "x.y"]),
    st.fixed_dictionaries({"rules": listed(FINDS).filter(bool)}),
    max_size=2,
)
_words: Final = st.sampled_from(
    ["memory", "健二", 'it\'s "quoted": yes', "0.5", "null", "- x", "a #b"]
)

parts: Final[SearchStrategy[Data]] = mapping(
    meta=mapping(name=st.none() | _words, owner=_words, updated_at=_words),
    scopes=mapping(
        **{
            scope: mapping(ttl=ttls, max_tokens=st.none() | st.integers(1, 99_999))
            for scope in SCOPES
        }
    ),
    boundary_classes=mapping(**dict.fromkeys(BOUNDARY_CLASSES, _class)),
    invariants=_invariants,
    redact_policies=_redact_policies,
    extraction=mapping(
        store_mode=st.sampled_from(["raw", "redact", "digest_only"]),
        on_secret=st.sampled_from(["redact", "deny"]),
        max_bytes=st.integers(1, 1 << 22),
        max_claims=st.integers(1, 99_999),
        observation_ttl=ttls,
    ),
    retrieval=mapping(
        hybrid=mapping(
            mode=st.sampled_from(["alpha", "rrf"]),
            alpha=ratios,
            k_txt=st.integers(1, 99),
            k_final=st.integers(1, 99),
        ),
        threshold=ratios,
        min_cosine=ratios,
        text_normalizer=st.sampled_from(["max", "minmax"]),
        context_ttl=durations,
        dynamic_alpha=mapping(enabled=st.booleans(), short=ratios),
        mmr=mapping(enabled=st.booleans(), relevance=ratios),
        duplicates=mapping(same_saying=ratios),
        crag=mapping(
            enabled=st.booleans(),
            on_ambiguous=st.sampled_from(["keep", "expand"]),
            on_incorrect=st.sampled_from(["flag", "drop"]),
        ),
        reranker=mapping(enabled=st.booleans(), candidates=st.integers(1, 99), weight=ratios),
        query_expansion=mapping(
            enabled=st.booleans(),
            max_expansions=st.integers(0, 100),
            include_related=st.booleans(),
            weight=st.integers(1, 99).map(lambda percent: percent / 100),
        ),
        rerank=mapping(
            second_stage=st.sampled_from(["signs", "off"]),
            use_quality=st.booleans(),
            recency_half_life_days=half_lives,
            recency=mapping(
                half_life_days_by_kind=mapping(fact=half_lives, task=half_lives),
                half_life_days_by_scope=mapping(session=half_lives, principle=half_lives),
            ),
        ),
    ),
    fusion=mapping(
        rrf_k=st.integers(1, 120),
        beta_fuse=ratios,
        weights=mapping(semantic=ratios, code=ratios),
        lane_weights=mapping(recall=ratios, precision=ratios),
        pi_weights=mapping(code=ratios, lane=ratios),
        run_ttl=durations,
    ),
    critic=mapping(
        deltas=mapping(
            helpful=mapping(utility=ratios, confidence=ratios),
            outdated=mapping(utility=ratios.map(lambda size: -size)),
        ),
        utility_half_life_days=half_lives,
    ),
    refinement=mapping(
        max_refinement_attempts=st.integers(0, 10),
        noise_threshold=st.integers(1, 100).map(float),
        tuning_noise_threshold=st.sampled_from((0.1, 0.3, 1.0)),
        delta_threshold=ratios,
        quality_threshold=ratios,
    ),
    review=mapping(deadline=durations),
    retention=mapping(audit=ttls),
    limits=mapping(query_bytes=st.integers(1, 1 << 20)),
)
"""What a policy over another may say, without its version and what it extends."""

CLASSES: Final[Mapping[str, Any]] = {
    "public": {"allow": ["*"]},
    "internal": {"allow": ["answer:task", "tool:*"]},
    "pii": {
        "allow": ["tool:contact-lookup"],
        "redact": ["email", "phone"],
        "escalation": "human_review",
    },
    "secret": {"allow": [], "escalation": "deny"},
}


def whole(part: Data) -> Data:
    """Return a part with what every policy must have."""
    classes = part.get("boundary_classes", {})
    full = {name: {**CLASSES[name], **classes.get(name, {})} for name in BOUNDARY_CLASSES}
    return {"version": "1.0.0", **part, "boundary_classes": full}


class _Plain(yaml.SafeDumper):
    """Writes every value out: a policy has no aliases."""

    quote: str | None = None

    def ignore_aliases(self, _data: Any) -> bool:
        return True

    def represent_str(self, data: str) -> yaml.ScalarNode:
        return self.represent_scalar("tag:yaml.org,2002:str", data, style=self.quote)


class _Single(_Plain):
    quote = "'"


class _Double(_Plain):
    quote = '"'


for _dumper in (_Plain, _Single, _Double):
    _dumper.add_representer(str, _dumper.represent_str)


def written(data: Data, flow: bool | None = False, dumper: Any = _Plain, **how: Any) -> str:
    """Return the text of a policy, in one of the ways YAML is written."""
    style = {"allow_unicode": True, "sort_keys": False, "default_flow_style": flow, **how}
    return str(yaml.dump(data, Dumper=dumper, **style))


styles: Final = st.fixed_dictionaries(
    {
        "flow": st.sampled_from([False, True, None]),
        "dumper": st.sampled_from([_Plain, _Single, _Double]),
        "width": st.sampled_from([20, 80, 1000]),
    }
)
"""Ways to write YAML: over lines or in brackets, words bare or in quotes, folded or not."""

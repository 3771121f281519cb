"""Laws of policies over policies: a child sees no more than its base, and every value has a place."""

import math
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings, strategies as st

from pce_memory.domain.policy import Policy, seconds
from pce_memory.domain.vocabulary import BOUNDARY_CLASSES, SCOPES
from pce_memory.policy.bases import kept_or_packaged
from pce_memory.policy.boundary import covers
from pce_memory.policy.faults import LINE_END, Loc
from pce_memory.policy.scalars import plain_value
from pce_memory.policy.source import Reading, read_policy
from tests.unit.policy.documents import TAGS, parts, styles, whole, written

ASKED = (*TAGS, "tool:", "tool", "answer:x", "x", "answer:*y")


def layered(top: dict[str, Any], *below: dict[str, Any], **style: Any) -> Reading:
    """Read parts over each other, the last one whole: each file extends the next."""
    texts = [
        written({"version": "1.0.0", **part, "extends": f"./b{count}.yaml"}, **style)
        for count, part in enumerate((top, *below[:-1]))
    ]
    texts.append(written(whole(below[-1]), **style))
    bases = {f"b{count}.yaml": text for count, text in enumerate(texts[1:])}
    return read_policy(texts[0], "top.yaml", find=kept_or_packaged(bases))


def is_within(few: Policy, many: Policy) -> bool:
    """Return whether nobody sees, keeps or sends more under `few`; an oracle of its own."""
    for name in BOUNDARY_CLASSES:
        a, b = few.boundary_classes.of(name), many.boundary_classes.of(name)
        if any(covers(a.allow, tag) and not covers(b.allow, tag) for tag in ASKED):
            return False
        if not set(b.redact or ()) <= set(a.redact or ()):
            return False
        order = (None, "human_review", "deny")
        if order.index(a.escalation) < order.index(b.escalation):
            return False
    for scope in SCOPES:
        here, there = few.scopes.of(scope), many.scopes.of(scope)
        if seconds(here.ttl) > seconds(there.ttl):
            return False
        if (here.max_tokens or math.inf) > (there.max_tokens or math.inf):
            return False
    rules = {(one.name, one.rule, scope) for one in few.invariants for scope in scopes(one)}
    wanted = {(one.name, one.rule, scope) for one in many.invariants for scope in scopes(one)}
    patterns = {(name, *rule) for name, one in few.redact_policies.items() for rule in one.rules}
    asked = {(name, *rule) for name, one in many.redact_policies.items() for rule in one.rules}
    modes, secrets = ("raw", "redact", "digest_only"), ("redact", "deny")
    return (
        wanted <= rules
        and asked <= patterns
        and modes.index(few.extraction.store_mode) >= modes.index(many.extraction.store_mode)
        and secrets.index(few.extraction.on_secret) >= secrets.index(many.extraction.on_secret)
        and few.extraction.max_bytes <= many.extraction.max_bytes
        and few.extraction.max_claims <= many.extraction.max_claims
        and seconds(few.extraction.observation_ttl) <= seconds(many.extraction.observation_ttl)
        and seconds(few.retrieval.context_ttl) <= seconds(many.retrieval.context_ttl)
        and few.retrieval.reranker.enabled <= many.retrieval.reranker.enabled
        and seconds(few.fusion.run_ttl) <= seconds(many.fusion.run_ttl)
        and seconds(few.retention.audit) >= seconds(many.retention.audit)
        and few.limits.query_bytes <= many.limits.query_bytes
    )


def scopes(rule: Any) -> tuple[str, ...]:
    return SCOPES if "*" in rule.applies_to else rule.applies_to


@settings(max_examples=300)
@given(top=parts, base=parts)
def test_without_a_reason_a_policy_is_within_its_base(top, base):
    reading = layered(top, base)
    below = read_policy(written(whole(base))).policy
    assert below
    assert all(one.message.startswith("looser than") for one in reading.faults)
    if reading.policy:
        assert is_within(reading.policy, below)


@settings(max_examples=200)
@given(top=parts, middle=parts, base=parts)
def test_without_a_reason_three_layers_are_within_the_lowest(top, middle, base):
    # What would be looser is taken out of the middle, so that it is there at all.
    below = read_policy(written(whole(base))).policy
    kept = {key: value for key, value in middle.items() if not layered({key: value}, base).faults}
    reading = layered(top, kept, base)
    assert below
    if reading.policy:
        assert is_within(reading.policy, below)


@settings(max_examples=200)
@given(top=parts, base=parts)
def test_every_loosening_is_told_once_and_its_reason_settles_it(top, base):
    reading = layered(top, base)
    named = {
        one.message.partition('relax: {"')[2].partition('": "the reason')[0]
        for one in reading.faults
    }
    settled = layered({**top, "relax": dict.fromkeys(named, "it is so")}, base)
    assert settled.faults == ()
    assert settled.unused_relax == ()
    if named:
        below = read_policy(written(whole(base))).policy
        assert below
        assert settled.policy
        assert not is_within(settled.policy, below)


@settings(max_examples=100)
@given(base=parts)
def test_a_policy_that_says_nothing_is_its_base(base):
    reading, below = layered({}, base), read_policy(written(whole(base))).policy
    assert reading.policy
    assert below
    own = {"meta", "extends", "version"}
    assert reading.policy.model_dump(exclude=own) == below.model_dump(exclude=own)


@settings(max_examples=100)
@given(top=parts)
def test_a_policy_over_itself_changes_nothing(top):
    alone = read_policy(written(whole(top))).policy
    reading = layered(whole(top), top)
    assert reading.faults == ()
    assert alone
    assert reading.policy
    assert reading.policy.model_dump(exclude={"extends"}) == alone.model_dump(exclude={"extends"})


def leaves(data: Any, loc: Loc = ()) -> Iterator[tuple[Loc, object]]:
    if isinstance(data, dict) and data:
        for key, value in data.items():
            yield from leaves(value, (*loc, key))
    elif isinstance(data, list) and data:
        for place, value in enumerate(data):
            yield from leaves(value, (*loc, place))
    else:
        yield loc, data


@settings(max_examples=150)
@given(top=parts, middle=parts, base=parts, style=styles, windows=st.booleans())
def test_every_value_stands_where_it_is_said_to(top, middle, base, style, windows):
    relax = {"relax": {"scopes": "a", "boundary_classes.pii": "b"}}
    reading = layered(
        {**top, **relax}, middle, base, line_break="\r\n" if windows else "\n", **style
    )
    for loc, value in leaves(reading.data):
        where = reading.where(loc)
        rest = LINE_END.split(reading.texts[where.file])[where.line - 1][where.column - 1 :]
        if isinstance(value, str):
            bare = rest[1:] if rest[0] in "'\"" else rest
            # In its first word nothing is escaped or folded, but for a quote.
            word = value.split(" ")[0].split("'")[0].split('"')[0].split("\\")[0]
            assert bare.startswith(word)
        elif value in ([], {}):
            assert rest.startswith(("[]", "{}"))
        else:
            end = min((rest.find(sign) for sign in ",}]" if sign in rest), default=len(rest))
            assert plain_value(rest[:end].strip().strip("'")) == value
        if loc and isinstance(loc[-1], str):
            key = reading.where(loc, key=True)
            text = LINE_END.split(reading.texts[key.file])[key.line - 1][key.column - 1 :]
            assert text.lstrip("'\"").startswith(loc[-1])


@settings(max_examples=100)
@given(top=parts, base=parts)
def test_what_is_read_again_of_what_was_kept_is_the_same(top, base):
    reading = layered(
        {**top, "relax": {"scopes": "a", "invariants": "b", "extraction": "c"}}, base
    )
    kept = dict(reading.bases)
    again = read_policy(reading.texts["top.yaml"], "policy 1.0.0", find=kept_or_packaged(kept))
    assert again.policy == reading.policy
    assert len(again.faults) == len(reading.faults)


PIECES = st.sampled_from(
    ["", " ", "\n", ":", "- ", "'", '"', "[", "]", "{", "}", "&a ", "*a", "!!str ", "? ", "|\n", "#", "\t", "9" * 30, ".inf", "null", "true", "\\", "\0", "\u2028", "日本", "*", "<<: ", "extends", "relax: {scopes: x}", "inf", "deny", "\x85", "\r"]
)  # fmt: skip


@settings(max_examples=400)
@given(top=parts, base=parts, data=st.data())
def test_no_slip_in_any_file_raises_and_every_fault_has_its_place(top, base, data):
    texts = [
        written({"version": "1.0.0", "extends": "./base.yaml", **top}),
        written({"version": "1.0.0", "extends": "default", **base}),
    ]
    for which in data.draw(st.lists(st.sampled_from([0, 1]), min_size=1, max_size=3)):
        at = data.draw(st.integers(0, len(texts[which])))
        end = at + data.draw(st.sampled_from([0, 0, 1, 5, 40]))
        texts[which] = texts[which][:at] + data.draw(PIECES) + texts[which][end:]
    reading = read_policy(texts[0], "top.yaml", find=kept_or_packaged({"base.yaml": texts[1]}))
    assert (reading.policy is None) == bool(reading.faults)
    for fault in (*reading.faults, *reading.unused_relax):
        lines = LINE_END.split(reading.texts[fault.where.file])
        assert 1 <= fault.where.line <= len(lines)
        assert 1 <= fault.where.column <= len(lines[fault.where.line - 1]) + 1
    assert len(reading.rendered()) == len(reading.faults)
    assert all(one.where.file != "<default>" for one in reading.faults)

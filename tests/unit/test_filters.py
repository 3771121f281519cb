"""What conditions on claims and documents may say, and what is told of those that may not."""

from typing import Any

import pytest

from pce_memory.domain.dates import span_of
from pce_memory.domain.filters import Condition, Range
from pce_memory.store.filter_tests import Over
from pce_memory.store.filter_values import holds_for
from pce_memory.store.filters import compile_filters

ROW: dict[tuple[str, str], list[Any]] = {
    ("column", "scope"): ["project"],
    ("codes", "fi_norm"): ["G06V10/82", "F21V3/00"],
    ("codes", "tag"): ["a"],
    ("ids", "pub_id"): ["JP1"],
    ("dates", "filing"): [span_of("2020-06-15T12:00:00Z")[0]],  # type: ignore[index]
    ("attributes", "pages"): [12.0],
    ("attributes", "granted"): [True],
    ("attributes", "countries"): ["JP", "US"],
}


def holds(*conditions: dict[str, Any]) -> bool:
    given = [Condition.model_validate(one) for one in conditions]
    return holds_for(given, ROW, "documents").unwrap()


def refused(over: Over = "documents", **condition: Any) -> str:
    given = [Condition(field="scope", op="eq", value="project"), Condition(**condition)]
    fault = compile_filters(given, over).failure()
    assert fault == holds_for(given, {}, over).failure()
    assert fault.name == "filters.1"
    return fault.reason


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({"field": "scope", "op": "eq", "value": "project"}, True),
        ({"field": "scope", "op": "=", "value": "session"}, False),
        ({"field": "scope", "op": "neq", "value": "session"}, True),
        ({"field": "fi_norm", "op": "in", "value": ["F21V3/00", "x"]}, True),
        ({"field": "fi_norm", "op": "neq", "value": "F21V3/00"}, False),
        ({"field": "codes.fi_norm", "include_codes": ["G06V10/82"]}, True),
        (
            {"field": "fi_norm", "include_codes": ["F21V3/00"], "exclude_codes": ["G06V10/82"]},
            False,
        ),
        ({"field": "fi_norm", "include_codes": []}, False),
        ({"field": "fi_norm", "exclude_codes": []}, True),
        ({"field": "tags", "op": "eq", "value": "a"}, True),
        ({"field": "pub_id", "include_values": ["JP1"]}, True),
        ({"field": "ids.pub_id", "exclude_values": ["JP1"]}, False),
        ({"field": "dates.filing", "op": "eq", "value": "20200615"}, True),
        ({"field": "dates.filing", "op": "eq", "value": 20200615}, True),
        ({"field": "dates.filing", "op": "<=", "value": "2020-06-15"}, True),
        ({"field": "dates.filing", "op": "<=", "value": "2020-06-15T11:59:59Z"}, False),
        ({"field": "dates.filing", "op": ">=", "value": "20200616"}, False),
        ({"field": "dates.filing", "include_range": {"from": "20200101", "to": "20201231"}}, True),
        ({"field": "dates.filing", "exclude_range": {"to": "20201231"}}, False),
        ({"field": "dates.grant", "op": ">=", "value": "19000101"}, False),
        ({"field": "attributes.pages", "op": ">=", "value": 12}, True),
        ({"field": "attributes.pages", "op": "range", "value": {"from": 12.5}}, False),
        ({"field": "attributes.pages", "op": "eq", "value": "12"}, False),
        ({"field": "attributes.granted", "op": "eq", "value": True}, True),
        ({"field": "attributes.granted", "op": "eq", "value": 1}, False),
        ({"field": "attributes.countries", "op": "in", "value": ["US", 3]}, True),
        ({"field": "attributes.countries", "op": ">=", "value": "V"}, False),
        (
            {"field": "attributes.countries", "op": "range", "value": {"from": "K", "to": "V"}},
            True,
        ),
        ({"field": "attributes.countries", "include_range": {"from": "V"}}, False),
        ({"field": "attributes.countries", "exclude_range": {"to": "K"}}, False),
    ],
)
def test_every_operator(condition: dict[str, Any], expected: bool):
    assert holds(condition) is expected


YES = {"field": "scope", "op": "eq", "value": "project"}
NO = {"field": "scope", "op": "eq", "value": "session"}


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ([], True),
        ([YES, NO], False),
        ([NO, {**YES, "lop": "or"}], True),
        ([{**NO, "lop": "not"}], True),
        ([{**YES, "lop": "not"}], False),
        ([{**NO, "lop": "or"}], False),
        ([YES, {**NO, "lop": "not"}], True),
        ([YES, {**YES, "lop": "or"}, NO], False),
        ([NO, YES, {**YES, "lop": "or"}], True),
    ],
)
def test_conditions_are_joined_from_left_to_right(
    conditions: list[dict[str, Any]], expected: bool
):
    assert holds(*conditions) is expected


class TestRefusals:
    def test_unknown_fields(self):
        assert "kind" in refused(field="colour", op="eq", value=1)
        assert "colour is no field of claims" in refused(
            "claims", field="colour", op="eq", value=1
        )
        assert refused("claims", field="dates.filing", op="eq", value=1)
        assert refused(field="dates.", op="eq", value=1)
        assert "not shown" in refused(field="x" * 50 + "'; drop", op="eq", value=1)

    @pytest.mark.parametrize(
        "condition",
        [
            {},
            {"op": "eq"},
            {"value": "x"},
            {"op": "eq", "value": ["x"]},
            {"op": "eq", "value": {"from": "x"}},
            {"op": "in", "value": {"from": "x"}},
            {"op": "range", "value": "x"},
            {"op": "range", "value": {}},
            {"op": "range", "value": {"from": "a", "to": 1}},
            {"op": "eq", "value": "a\0b"},
            {"op": "eq", "value": "\ud800"},
            {"include_values": ["x"] * 10_001},
        ],
    )
    def test_what_an_attribute_cannot_be_asked(self, condition: dict[str, Any]):
        assert refused(field="attributes.a", **condition)

    def test_types(self):
        assert refused(field="scope", op="eq", value=1)
        assert refused(field="scope", op=">=", value=True)
        assert refused(field="text_length", op=">=", value="3")
        assert refused("claims", field="quality", op="eq", value=True)
        assert refused(field="created_at", op="eq", value="20230230")
        assert refused(field="dates.a", op="range", value={"from": "yesterday"})
        assert refused(field="scope", include_codes=["project"])

    @pytest.mark.parametrize(
        ("over", "field"),
        [
            *(("documents", name) for name in ("pub_id", "ids.of_mine", "fi_norm", "codes.uspc")),
            *(("documents", name) for name in ("id", "scope", "class", "kind", "tags", "entity")),
            *(("claims", name) for name in ("id", "scope", "boundary_class", "kind")),
            *(("claims", name) for name in ("tag", "codes.tag", "entity", "codes.entity")),
        ],
    )
    @pytest.mark.parametrize(
        "condition",
        [
            {"op": "range", "value": {"from": "a", "to": "b"}},
            {"op": ">=", "value": "a"},
            {"op": "<=", "value": "a"},
            {"include_range": {"from": "a"}},
            {"exclude_range": {"to": "a"}},
            {"include_values": ["a"], "exclude_range": {"to": "a"}},
        ],
    )
    def test_keys_have_no_range(self, over: Over, field: str, condition: dict[str, Any]):
        assert "has no range" in refused(over, field=field, **condition)

    def test_too_many(self):
        many = [Condition(field="scope", op="eq", value="project")] * 65
        assert "64" in compile_filters(many).failure().reason


def test_nothing_that_was_given_stands_in_the_sql():
    evil = "x') or 1=1; --"
    made = compile_filters(
        [
            Condition(field=f"attributes.{evil}", op="in", value=(evil, 1, True)),
            Condition(field=f"codes.{evil}", include_codes=(evil,)),
            Condition(
                field=f"attributes.{evil}",
                op="range",
                value=Range.model_validate({"from": evil, "to": evil}),
            ),
            Condition(field=f"ids.{evil}", op="neq", value=evil),
            Condition(field=f"dates.{evil}", op="eq", value=1),
        ],
        "documents",
    ).unwrap()
    assert "1=1" not in made.sql
    assert evil in made.params.values()

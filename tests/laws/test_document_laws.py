"""What holds of documents after any history, under any boundary, by any filter."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import given, settings, strategies as st

from pce_memory import Boundary, Claim, Memory
from pce_memory.domain.filters import Condition
from pce_memory.engine.ready import default_boundary
from pce_memory.store import documents
from pce_memory.store.filter_values import holds_for
from pce_memory.store.filters import compile_filters
from pce_memory.store.search import visible_rows
from pce_memory.store.visibility import filtered, view
from tests.conftest import wipe
from tests.documents import hits, scores, seen_by
from tests.strategies import claim_lists

WIDE = default_boundary().model_copy(
    update={
        "boundary_classes": ("public", "internal", "pii"),
        "allow": ("answer:task", "tool:contact-lookup"),
    }
)
NARROW = default_boundary()
QUERIES = ("lamp", "red lamp office", "画像認識", '"red lamp"', "lamp -office", "ランプ 装置")

WORDS = st.sampled_from(
    ["red", "lamp", "office", "red lamp", "door", "画像認識装置", "赤いランプ", "office lamp"]
)
TEXTS = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
NAMES = st.sampled_from(["P1", "P2", "P3", "P4"])
CODES = st.lists(st.sampled_from(["F1/2A", "F1/2B", "G3"]), max_size=3)
VALUES = st.sampled_from(["a", "b", "é", "日本", 1, 2.5, -3, True, False])


@st.composite
def given_documents(draw: st.DrawFn, classes: Sequence[str] = ("public", "internal")) -> Any:
    fields = draw(
        st.dictionaries(st.sampled_from(["title", "abst", "説明"]), TEXTS, min_size=1, max_size=3)
    )
    return {
        "external_ids": {"pub_id": draw(NAMES)},
        "fields": fields,
        "codes": {"fi_full": draw(CODES), "tag": draw(CODES)},
        "dates": draw(st.dictionaries(st.sampled_from("de"), st.integers(-3, 3), max_size=2)),
        "attributes": draw(
            st.dictionaries(
                st.sampled_from("xy"), VALUES | st.lists(VALUES, max_size=3), max_size=2
            )
        ),
        "scope": draw(st.sampled_from(["session", "project", "principle"])),
        "boundary_class": draw(st.sampled_from(classes)),
    }


ACTS = st.lists(
    st.tuples(st.just("add"), st.lists(given_documents(), min_size=1, max_size=4))
    | st.tuples(st.just("erase"), NAMES)
    | st.tuples(st.just("reindex"), st.none()),
    max_size=6,
)


def play(memory: Memory, acts: Sequence[tuple[str, Any]]) -> Mapping[str, Any]:
    """Do what a history says; return what is there then, by pub_id."""
    there: dict[str, Any] = {}
    for act, what in acts:
        if act == "add":
            assert memory.add_documents(what).failed == ()
            there.update({one["external_ids"]["pub_id"]: one for one in what})
        elif act == "reindex":
            _ = memory.reindex()
        elif what in there:
            _ = memory.forget(document_id=memory.publication(what).id)
            del there[what]
    return there


def found_by(memory: Memory, boundary: Boundary) -> list[Any]:
    """Return all that lanes find under a boundary, by names that any file gives alike."""
    visible = seen_by(memory, boundary)
    found = [
        scores(memory, hits(memory, query, visible, style, boosts), boundary)
        for query in QUERIES
        for style in ("recall", "precision")
        for boosts in (None, {"title": 2.0, "説明": 0.5})
    ]
    vector = memory.deps.embedding.embed("red lamp").unwrap()
    near = documents.semantic(vector, visible, limit=9)(memory.deps).unwrap()
    coded = documents.by_codes({"fi_norm": {"F1/2": 1.0, "G3": 0.3}}, visible, limit=9)
    found += [scores(memory, near, boundary)]
    found += [scores(memory, coded(memory.deps).unwrap(), boundary)]
    return found


def index_of(memory: Memory) -> list[Any]:
    """Return the index: what a document of which name has under which term."""
    rows = memory.deps.db.query(
        "select documents.name, field.name as field, term_hash, tf, dl, length "
        "from document_postings join documents using (doc_key) "
        "join document_field_names as field using (field_no) "
        "join document_fields using (doc_key, field_no) order by all"
    )
    counts = memory.deps.db.query(
        "select (select count(*) from document_postings), (select count(*) from document_fields), "
        "(select count(*) from document_values), (select count(*) from document_codes), "
        "(select count(*) from document_ids), (select count(*) from documents)"
    )
    return [*map(tuple, map(dict.values, rows.unwrap())), *counts.unwrap()[0].values()]  # type: ignore[arg-type]


@settings(max_examples=12)
@given(acts=ACTS)
def test_after_any_history_the_index_is_that_of_what_is_there(
    lasting: Memory, acts: Sequence[tuple[str, Any]]
) -> None:
    wipe(lasting)
    there = play(lasting, acts)
    after = index_of(lasting), found_by(lasting, NARROW)
    wipe(lasting)
    if there:
        _ = lasting.add_documents([there[name] for name in sorted(there, reverse=True)])
    assert (index_of(lasting), found_by(lasting, NARROW)) == after


@settings(max_examples=12)
@given(
    shown=st.lists(given_documents(), max_size=4),
    hidden=st.lists(given_documents(classes=["pii"]), min_size=1, max_size=4),
)
def test_nothing_beyond_a_boundary_changes_anything(
    lasting: Memory, shown: list[Any], hidden: list[Any]
) -> None:
    wipe(lasting)
    if shown:
        _ = lasting.add_documents(shown)
    before = found_by(lasting, NARROW)
    # To whom sees both they would be one; here they are others' documents of other names.
    renamed = [
        {**one, "external_ids": {"pub_id": f"hidden {place}"}} for place, one in enumerate(hidden)
    ]
    assert lasting.add_documents(renamed, boundary=WIDE).created == len(renamed)
    assert found_by(lasting, NARROW) == before
    if shown:
        again = lasting.add_documents([{**shown[-1], "external_ids": {"pub_id": "hidden 0"}}])
        assert again.created == 1


MOMENTS = st.integers(-3, 3)
SCOPES = st.sampled_from(["session", "project", "principle", "x' or 1"])
CODED = st.sampled_from(["F1/2", "F1/2A", "G3"])
# What each field may be compared with; now and then it is anything else.
OF_DOCUMENTS: Mapping[str, st.SearchStrategy[Any]] = {
    "scope": SCOPES,
    "class": st.sampled_from(["public", "internal", "pii"]),
    "pub_id": NAMES,
    "fi_norm": CODED,
    "codes.fi_full": CODED,
    "tags": CODED,
    "codes.none": CODED,
    "dates.d": MOMENTS,
    "dates.e": MOMENTS | st.just("19700101"),
    "attributes.x": VALUES,
    "attributes.y": VALUES,
    "text_length": st.integers(3, 12),
}
OF_CLAIMS: Mapping[str, st.SearchStrategy[Any]] = {
    "scope": SCOPES,
    "class": st.sampled_from(["public", "internal"]),
    "kind": st.sampled_from(["fact", "task"]),
    "codes.kind": st.sampled_from(["fact", "task"]),
    "tags": st.sampled_from(["a", "b", "key=value"]),
    "quality": st.sampled_from([0, 0.5, 1]),
    "confidence": st.sampled_from([0, 0.5, 1]),
    "created_at": MOMENTS | st.just("20250615"),
    "text_length": st.integers(1, 60),
}
LISTS = ("include_values", "exclude_values", "include_codes", "exclude_codes")


@st.composite
def condition(draw: st.DrawFn, fields: Mapping[str, st.SearchStrategy[Any]]) -> Condition:
    field = draw(st.sampled_from(sorted(fields)))
    value = fields[field] if draw(st.integers(0, 9)) else VALUES
    bounds = st.fixed_dictionaries({}, optional={"from": value, "to": value})
    given: dict[str, Any] = {"lop": draw(st.sampled_from(["and", "or", "not"])), "field": field}
    if draw(st.booleans()):
        given["op"] = draw(st.sampled_from(["in", "range", "eq", "neq", ">=", "<=", "="]))
        several = {"in": st.lists(value, max_size=3), "range": bounds}
        given["value"] = draw(several.get(given["op"], value))
    else:
        for name in draw(st.sets(st.sampled_from(LISTS[: 4 if value is CODED else 2]))):
            given[name] = draw(st.lists(value, max_size=3))
        if draw(st.booleans()):
            given[draw(st.sampled_from(["include_range", "exclude_range"]))] = draw(bounds)
    return Condition.model_validate(given)


def conditions(fields: Mapping[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    return st.lists(condition(fields), min_size=1, max_size=3)


def single(value: Any) -> Any:
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def values_of(stored: documents.StoredDocument) -> dict[tuple[str, str], list[Any]]:
    document = stored.document
    row: dict[tuple[str, str], list[Any]] = {
        ("column", "scope"): [document.scope],
        ("column", "boundary_class"): [document.boundary_class],
        ("column", "created_at"): [document.created_at],
        ("column", "text_length"): [float(sum(map(len, document.fields.values())))],
    }
    row |= {("ids", kind): [value] for kind, value in document.external_ids.items()}
    row |= {("codes", name): list(codes) for name, codes in document.codes.items()}
    row |= {("dates", name): [moment] for name, moment in document.dates.items()}
    for name, value in document.attributes.items():
        each = value if isinstance(value, (list, tuple)) else (value,)
        row["attributes", name] = [single(one) for one in each]
    return row


def _is_fine(result: Any) -> bool:
    return bool(result.map(lambda _: True).value_or(False))


@settings(max_examples=60)
@given(
    some=st.lists(given_documents(), min_size=1, max_size=4),
    asked=st.lists(conditions(OF_DOCUMENTS), min_size=1, max_size=12),
)
def test_filters_of_documents_say_in_sql_what_they_say_in_python(
    lasting: Memory, some: list[Any], asked: list[list[Condition]]
) -> None:
    wipe(lasting)
    _ = lasting.add_documents(some)
    visible = seen_by(lasting)
    names = ["P1", "P2", "P3", "P4"]
    every = documents.fetch(names, visible, id_type="pub_id")(lasting.deps).unwrap()
    for one in asked:
        compiled = compile_filters(one, "documents")
        judged = [holds_for(one, values_of(stored), "documents") for stored in every]
        if not _is_fine(compiled):
            assert all(each.failure() == compiled.failure() for each in judged)
            continue
        masked = filtered(visible, compiled.unwrap())
        found = documents.fetch(names, masked, id_type="pub_id")(lasting.deps).unwrap()
        expected = [s.given for s, each in zip(every, judged, strict=True) if each.unwrap()]
        assert [stored.given for stored in found] == expected, one


@settings(max_examples=60)
@given(
    claims=claim_lists(max_size=5),
    asked=st.lists(conditions(OF_CLAIMS), min_size=1, max_size=12),
)
def test_filters_of_claims_say_in_sql_what_they_say_in_python(
    lasting: Memory, claims: list[Claim], asked: list[list[Condition]]
) -> None:
    wipe(lasting)
    _ = lasting.integrate(claims)
    visible = view(NARROW, lasting.policy())(lasting.deps).unwrap().visible
    rows = lasting.deps.db.query("select row_id, id, text_length, tags from claims").unwrap()
    every = {int(row["row_id"]): (row, lasting.claim(row["id"])) for row in rows}
    for one in asked:
        compiled = compile_filters(one)
        if not _is_fine(compiled):
            assert holds_for(one, {}).failure() == compiled.failure()
            continue
        masked = filtered(visible, compiled.unwrap())
        found = set(visible_rows(masked)(lasting.deps).unwrap())
        expected = {
            row_id
            for row_id, (row, claim) in every.items()
            if holds_for(one, of_claim(row, claim)).unwrap()
        }
        assert found == expected, one


def of_claim(row: Mapping[str, Any], claim: Any) -> dict[tuple[str, str], list[Any]]:
    columns = {
        "id": claim.id,
        "scope": claim.scope,
        "boundary_class": claim.boundary_class,
        "kind": claim.kind,
        "quality": claim.quality,
        "confidence": claim.confidence,
        "created_at": claim.created_at,
        "text_length": float(row["text_length"]),
    }
    values = {("column", name): [value] for name, value in columns.items()}
    return {**values, ("tags", "tag"): json.loads(row["tags"])}

"""Documents by their keys, as they leave the engine: ids, texts and codes, redacted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast

from returns.result import Result, Success

from pce_memory.deps import CoreDeps, Row
from pce_memory.deps.backend import SearchBackend
from pce_memory.domain.document import Document
from pce_memory.domain.ids import called
from pce_memory.domain.model import Model
from pce_memory.domain.policy import Policy
from pce_memory.errors import CoreError
from pce_memory.policy.documents import document_out
from pce_memory.policy.outgoing import Clean, cleaner, text_out
from pce_memory.result import collect, reader
from pce_memory.store import claims, codes, documents, run_documents, run_foreign, run_listing
from pce_memory.store.codes import Codes
from pce_memory.store.run_documents import DOCUMENTS, FOREIGN
from pce_memory.store.runs import CLAIMS
from pce_memory.store.visibility import View

CLAIM_FIELD: Final = "text"


@dataclass(frozen=True, slots=True)
class Told:
    """A document as it leaves: what it is called, its texts, its codes."""

    key: int
    doc_id: str
    pub_id: str
    source: str
    app_id: str | None = None
    codes: Codes = field(default_factory=dict[str, Sequence[str]])
    fields: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Looking:
    """Who looks: what may be seen, the policy, which runs at, and the backends at hand."""

    view: View
    policy: Policy
    runs: Sequence[int] = ()
    backends: Mapping[str, SearchBackend] = field(default_factory=dict[str, SearchBackend])


@dataclass(frozen=True, slots=True)
class Coded:
    """The codes of documents by key, and the rows of the claims among them."""

    codes: Mapping[int, Codes]
    claims: Mapping[int, Row]


@reader
def codes_of(
    deps: CoreDeps, keys: Sequence[int], runs: Sequence[int]
) -> Result[Mapping[int, Codes], CoreError]:
    """Return the codes of documents by key; of what is hidden too, so do not show them as such.

    Of what backends have, those that were told in these runs.
    """
    return coded_of(keys, runs)(deps).map(lambda found: found.codes)


@reader
def coded_of(deps: CoreDeps, keys: Sequence[int], runs: Sequence[int]) -> Result[Coded, CoreError]:
    """Return the codes of documents, with what was read beside them; see `codes_of`."""
    own = [key for key in keys if key < DOCUMENTS]
    beside = [key for key in keys if DOCUMENTS <= key < FOREIGN]
    other = [key for key in keys if key >= FOREIGN]
    return Result.do(
        Coded(
            {
                **codes.of_claims(of_claims),
                **of_documents,
                **{key: _codes_in(row) for key, row in named.items()},
            },
            of_claims,
        )
        for of_claims in codes.claims_with_codes(own)(deps)
        for of_documents in run_documents.codes_of(beside)(deps)
        for named in run_foreign.told(other, runs)(deps)
    )


def _codes_in(row: Mapping[str, Any]) -> Codes:
    """Return the codes that a backend told of a document; what is no list of them is none."""
    given = row["metadata"].get("codes")
    if not isinstance(given, Mapping):
        return {}
    found = cast("Mapping[str, object]", given)
    return {
        name: [str(code) for code in cast("list[object]", some)]
        for name, some in found.items()
        if isinstance(some, list)
    }


@reader
def told(
    deps: CoreDeps,
    keys: Sequence[int],
    who: Looking,
    *,
    fields: Sequence[str] | None = None,
    coded: Coded | None = None,
) -> Result[tuple[Told, ...], CoreError]:
    """Return documents in order, those left out that are not visible; texts if fields are asked.

    `fields`: these; an empty list is all, None is none. `coded`: their codes, where those are read
    already.
    """
    return Result.do(
        tuple(_with_codes(one, known.codes.get(one.key, {}), shown) for one in found)
        for known in (coded_of(keys, who.runs)(deps) if coded is None else Success(coded))
        for mine in _claims(deps, [key for key in keys if key < DOCUMENTS], who, fields, known)
        for beside in _documents(
            deps, [key for key in keys if DOCUMENTS <= key < FOREIGN], who, fields
        )
        for other in _foreign(deps, [key for key in keys if key >= FOREIGN], who, fields)
        for clean in Success(cleaner(who.policy, who.view.narrowed.classes))
        for found in Success(_in_order(keys, {**mine, **beside, **other}))
        for shown in Success(_shown([known.codes.get(one.key, {}) for one in found], clean))
    )


def _in_order(keys: Sequence[int], found: Mapping[int, Told]) -> list[Told]:
    return [found[key] for key in keys if key in found]


def _shown(known: Iterable[Codes], clean: Clean) -> frozenset[str]:
    """Return the taxonomies and codes that hold nothing to take out."""
    said = {text for some in known for name, found in some.items() for text in (name, *found)}
    return frozenset(text for text in said if clean(text) == text)


def _with_codes(one: Told, known: Codes, shown: frozenset[str]) -> Told:
    """Return a document with the codes that may be shown: a code is left out whole."""
    kept = {
        taxonomy: [code for code in some if code in shown]
        for taxonomy, some in known.items()
        if taxonomy in shown
    }
    left = {name: some for name, some in kept.items() if some}
    return Told(one.key, one.doc_id, one.pub_id, one.source, one.app_id, left, one.fields)


def _claims(
    deps: CoreDeps, rows: Sequence[int], who: Looking, fields: Sequence[str] | None, known: Coded
) -> Result[Mapping[int, Told], CoreError]:
    if fields is None or (fields and CLAIM_FIELD not in fields):
        own = {row: known.claims[row] for row in rows if row in known.claims}
        return run_listing.claim_ids(own, who.view.visible)(deps).map(
            lambda found: {row: Told(row, one, one, CLAIMS) for row, one in found.items()}
        )
    return claims.fetch_visible(rows, who.view.visible)(deps).map(
        lambda found: {
            row: Told(
                row,
                called(one.claim.id),
                called(one.claim.id),
                CLAIMS,
                fields={CLAIM_FIELD: text_out(one.claim, who.policy).text},
            )
            for row, one in found.items()
        }
    )


def _documents(
    deps: CoreDeps, keys: Sequence[int], who: Looking, fields: Sequence[str] | None
) -> Result[Mapping[int, Told], CoreError]:
    if not keys:
        return Success({})
    # Where no texts are told, none are read; an empty list is all.
    some = () if fields is None else fields or None
    return Result.do(
        {
            DOCUMENTS | one.doc_key: _document(
                one.doc_key, document_out(one.document, who.policy, clean)
            )
            for one in found
        }
        for clean in Success(cleaner(who.policy, who.view.narrowed.classes))
        for ids in run_documents.ids_of(keys)(deps)
        for found in documents.fetch(list(ids.values()), who.view.visible, fields=some)(deps)
    )


def _document(doc_key: int, one: Document) -> Told:
    names = one.external_ids
    return Told(
        DOCUMENTS | doc_key,
        one.id,
        names.get("pub_id", next(iter(names.values()), one.id)),
        run_documents.SOURCE,
        app_id=names.get("app_id"),
        fields=one.fields,
    )


def _foreign(
    deps: CoreDeps, keys: Sequence[int], who: Looking, fields: Sequence[str] | None
) -> Result[Mapping[int, Told], CoreError]:
    return Result.do(
        {one.key: one for one in found}
        for named in run_foreign.told(keys, who.runs)(deps)
        for found in collect(_of_backend(row, who, fields) for row in named.values())
    )


def _of_backend(
    row: Mapping[str, Any], who: Looking, fields: Sequence[str] | None
) -> Result[Told, CoreError]:
    source, doc_id, known = str(row["source"]), str(row["doc_id"]), row["metadata"]
    app_id = known.get("app_id")
    one = Told(
        int(row["key"]),
        doc_id,
        str(known.get("pub_id", doc_id)),
        source,
        app_id=None if app_id is None else str(app_id),
    )
    backend = who.backends.get(source)
    if fields is None or backend is None:
        return Success(one)
    return backend.get_document(doc_id, list(fields)).map(
        lambda found: one if found is None else replace(one, fields=dict(found.fields))
    )


def as_json(model: Model) -> Mapping[str, object]:
    """Return a noun as what can be stored."""
    return model.model_dump(mode="json")

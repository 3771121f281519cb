"""What can be wrong with a file: in which table, what that is, and whether it can be mended."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from pce_memory.domain.health import Defect, Mend
from pce_memory.store.checking import UNFIT

NAMED: Final = 100
"""So many rows are named; the others are counted."""


class Kind(NamedTuple):
    """One thing that can be wrong with rows of a table."""

    table: str
    says: str
    mend: Mend


KINDS: Final[Mapping[str, Kind]] = {
    "claims_unfit": Kind(
        "claims", "they cannot be read, and are left out of every answer", "lost"
    ),
    "claims_of_other_words": Kind("claims", "their text is not the one that was written", "lost"),
    "claims_of_other_words_known": Kind(
        "claims",
        "their text is not the one that was written; an observation still has it",
        "repair",
    ),
    "claims_of_no_key": Kind("claims", "their key is none that a claim is given", "repair"),
    "claims_not_followed": Kind(
        "claims", "their last change has no number of a change; a search may miss them", "repair"
    ),
    "claims_of_other_twins": Kind(
        "claims", "which claims they are equal to is not what is noted of them", "repair"
    ),
    "claims_of_other_length": Kind(
        "postings", "they have more or fewer terms than they say", "repair"
    ),
    "claims_of_other_terms": Kind(
        "postings", "they are found by other terms than their own", "repair"
    ),
    "terms_of_nothing": Kind("postings", "they are keys of no claim", "repair"),
    "claims_without_vector": Kind("vectors", "they have no vector", "repair"),
    "vector_tables_lost": Kind(
        "vectors", "the table is missing or holds something else", "repair"
    ),
    "vectors_of_nothing": Kind("vectors", "they are keys of no claim", "repair"),
    "vectors_unsound": Kind("vectors", "they hold what is no number", "repair"),
    "claims_without_evidence": Kind(
        "evidence", "the observation they were drawn from is no reason to believe them", "repair"
    ),
    "evidence_of_nothing": Kind("evidence", "they are of no claim; they are removed", "repair"),
    "evidence_unfit": Kind("evidence", "they cannot be read, and are left out", "lost"),
    "observations_unfit": Kind("observations", "they cannot be read, and are left out", "lost"),
    "support_of_nothing": Kind(
        "support", "they are of no reason to believe a claim; they are removed", "repair"
    ),
    "mentions_of_nothing": Kind(
        "claim_entities", "the claim or the entity is gone; the link is removed", "repair"
    ),
    "relations_of_nothing": Kind(
        "relations", "an end of them is gone; they are removed", "repair"
    ),
    "aliases_of_nothing": Kind(
        "claim_aliases", "they lead to no claim; they are removed", "repair"
    ),
    "superseded_by_nothing": Kind("claims", "what stands for them is gone", "lost"),
    "documents_unfit": Kind("documents", "they cannot be read", "lost"),
    "documents_apart": Kind(
        "documents", "what they hold, or a part of it, stands under another key", "repair"
    ),
    "documents_of_other_contents": Kind(
        "documents",
        "a field, an id, a code, a date or an attribute is not what was written",
        "lost",
    ),
    "documents_of_other_values": Kind(
        "document_values", "they are found by more or fewer dates or attributes", "repair"
    ),
    "documents_of_other_length": Kind(
        "document_postings", "they have more or fewer terms than they say", "repair"
    ),
    "document_rows_of_nothing": Kind(
        "documents", "they are parts of no document; they are removed", "repair"
    ),
    "documents_without_vector": Kind("document_vectors", "they have no vector", "repair"),
    "document_vectors_of_nothing": Kind(
        "document_vectors", "they are keys of no document", "repair"
    ),
    "document_vectors_unsound": Kind("document_vectors", "they hold what is no number", "repair"),
    "contexts_unfit": Kind(
        "active_contexts", "they cannot be read, or lack an item; they are removed", "repair"
    ),
    "context_items_of_nothing": Kind(
        "active_context_items", "they are of no context; they are removed", "repair"
    ),
    "runs_unfit": Kind(
        "runs",
        "they cannot be read, or list more or less than they say; they are removed",
        "repair",
    ),
    "run_rows_of_nothing": Kind("run_docs", "they are of no run; they are removed", "repair"),
    **{
        f"{table}_unfit": Kind(
            table, "a column holds what it never does; answers leave them out", "lost"
        )
        for table in UNFIT
    },
}


def defects_of(
    rows: Mapping[str, Sequence[str]], counts: Mapping[str, int] | None = None
) -> tuple[Defect, ...]:
    """Return what is wrong, in the order of the table above; `counts` where not all are named."""
    many = counts or {}
    return tuple(
        Defect(
            kind=name,
            table=kind.table,
            says=kind.says,
            count=many.get(name, len(rows[name])),
            rows=tuple(rows[name][:NAMED]),
            mend=kind.mend,
        )
        for name, kind in KINDS.items()
        if rows.get(name) and many.get(name, 1)
    )

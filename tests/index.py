"""What the index of a memory holds, and what it should: made anew from the claims themselves."""

from collections import Counter
from typing import Any

from pce_memory import Memory
from pce_memory.policy.indexed import indexed_text
from pce_memory.text.tokens import term_hash

Posting = tuple[int, int, int, int]
"""term_hash, row_id, tf, dl"""


def postings_of(memory: Memory) -> list[Posting]:
    """Return every posting of the claims, in order; one that is there twice is returned twice."""
    found = memory.deps.db.query("select * from postings_of(0) order by all").unwrap()
    return [(row["term_hash"], row["row_id"], row["tf"], row["dl"]) for row in found]


def claims_of(memory: Memory) -> list[dict[str, Any]]:
    """Return what the index is made of, and what the claims keep of it, by row id."""
    found = memory.deps.db.query(
        "select row_id, text, boundary_class, said_by, token_count, embedded from claims order by 1"
    )
    return [dict(row) for row in found.unwrap()]


def texts_of(memory: Memory) -> dict[int, str]:
    """Return what of each claim is to be indexed."""
    policy = memory.policy()
    return {
        row["row_id"]: indexed_text(
            row["text"], row["boundary_class"], policy, said_by=row["said_by"]
        )
        for row in claims_of(memory)
    }


def made_anew(memory: Memory) -> list[Posting]:
    """Return the postings that the claims should have."""
    words = {
        row_id: memory.deps.tokenizer.terms(text) for row_id, text in texts_of(memory).items()
    }
    return sorted(
        (term_hash(term), row_id, times, len(some))
        for row_id, some in words.items()
        for term, times in Counter(some).items()
    )


def assert_exact(memory: Memory) -> None:
    """Assert that postings, lengths and vectors are those that the claims should have."""
    assert postings_of(memory) == made_anew(memory)
    texts = texts_of(memory)
    kept = {row["row_id"]: (row["token_count"], row["embedded"]) for row in claims_of(memory)}
    assert kept == {
        row: (len(memory.deps.tokenizer.terms(text)), term_hash(text))
        for row, text in texts.items()
    }
    assert vectors_of(memory) == {
        row: as_stored(memory.deps.embedding.embed(text).unwrap()) for row, text in texts.items()
    }


def vectors_of(memory: Memory) -> dict[int, list[float]]:
    """Return the vector of each claim, of the only space there is, to five digits."""
    spaces = memory.deps.db.query(
        "select generation from vector_spaces where status = 'active'"
    ).unwrap()
    if not spaces:
        return {}
    table = f"vectors_{spaces[0]['generation']}"
    found = memory.deps.db.query(f"select row_id, embedding from {table}").unwrap()
    return {row["row_id"]: as_stored(row["embedding"]) for row in found}


def as_stored(vector: Any) -> list[float]:
    """Return a vector to five digits."""
    return [round(float(number), 5) + 0.0 for number in vector]

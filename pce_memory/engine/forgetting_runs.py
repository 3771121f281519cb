"""The runs that hold a forgotten word: what was searched for, facets, codes and names."""

from collections.abc import Collection, Sequence

from returns.result import Result

from pce_memory.deps import CoreDeps
from pce_memory.domain.ids import ObservationId
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store import erasure, runs


@reader
def words_of(
    deps: CoreDeps,
    rows: Sequence[int],
    observations: Sequence[ObservationId],
    documents: Sequence[int],
) -> Result[frozenset[str], StoreError]:
    """Return the terms of all that is about to be erased."""
    return erasure.texts_to_erase(rows, observations, documents)(deps).map(
        lambda texts: frozenset(term for text in texts for term in deps.tokenizer.terms(text))
    )


@reader
def erase_runs_with(deps: CoreDeps, words: Collection[str]) -> Result[int, StoreError]:
    """Erase the runs that hold one of these words, if no claim or document has it any more."""
    return Result.do(
        count
        for left in erasure.terms_left(sorted(words))(deps)
        for count in runs.erase_holding(frozenset(words) - left)(deps)
    )

"""The runs that hold a forgotten word: what was searched for, facets, codes and names."""

from collections.abc import Collection, Sequence

from returns.result import Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.erasure import Forgetting
from pce_memory.domain.ids import ObservationId
from pce_memory.engine.forgetting_documents import words_to_forget
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store import claim_words, erased_words, runs
from pce_memory.text.stop_words import STOP_TERMS


@reader
def words_of(
    deps: CoreDeps,
    rows: Sequence[int],
    observations: Sequence[ObservationId],
    documents: Sequence[int],
) -> Result[frozenset[str], StoreError]:
    """Return the terms of all that is about to be erased, without those that tell of nothing."""
    return Result.do(
        frozenset(term for text in (*texts, *beside) for term in deps.tokenizer.terms(text))
        - STOP_TERMS
        for texts in erased_words.texts_to_erase(rows, observations, documents)(deps)
        for beside in claim_words.texts_beside(rows, observations)(deps)
    )


@reader
def erase_runs_asking(
    deps: CoreDeps, wanted: Forgetting, *, owner: bool
) -> Result[int, StoreError]:
    """Erase the runs that asked for the words the owner forgets."""
    terms = words_to_forget(deps, wanted.query or "")
    return runs.erase_asking(terms)(deps).map(int) if terms and owner else Success(0)


@reader
def erase_runs_with(deps: CoreDeps, words: Collection[str]) -> Result[int, StoreError]:
    """Erase the runs that hold one of these words, if no claim or document has it any more."""
    return Result.do(
        count
        for left in erased_words.terms_left(sorted(words))(deps)
        for asked in runs.words_asked(frozenset(words) - left)(deps)
        for beside in claim_words.terms_beside(sorted(asked))(deps)
        for count in runs.erase_holding(asked - beside)(deps)
    )

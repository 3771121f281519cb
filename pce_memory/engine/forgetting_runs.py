"""The runs that hold a forgotten word: what was searched for, facets, codes and names."""

from collections.abc import Collection, Sequence

from returns.result import Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.erasure import Forgetting
from pce_memory.domain.ids import ObservationId
from pce_memory.engine.forgetting_documents import words_to_forget
from pce_memory.errors import StoreError
from pce_memory.result import reader
from pce_memory.store import claim_words, document_words, erased_words, run_words
from pce_memory.store.words_held import terms_held
from pce_memory.text.stop_words import STOP_TERMS


@reader
def words_of(
    deps: CoreDeps,
    rows: Sequence[int],
    observations: Sequence[ObservationId],
    documents: Sequence[int],
) -> Result[frozenset[str], StoreError]:
    """Return the terms of all that is about to be erased, without those that tell of nothing.

    Only runs are looked for by them: where there is no run, none is returned.
    """
    return Result.do(
        words
        for there in run_words.any_run()(deps)
        for words in (
            _words_of(deps, rows, observations, documents) if there else Success(frozenset[str]())
        )
    )


def _words_of(
    deps: CoreDeps,
    rows: Sequence[int],
    observations: Sequence[ObservationId],
    documents: Sequence[int],
) -> Result[frozenset[str], StoreError]:
    return Result.do(
        frozenset(term for text in (*texts, *beside) for term in deps.tokenizer.terms(text)).union(
            earlier
        )
        - STOP_TERMS
        for earlier in run_words.words_asked_before(documents)(deps)
        for texts in erased_words.texts_to_erase(rows, observations, documents)(deps)
        for beside in claim_words.texts_beside(rows, observations)(deps)
    )


@reader
def erase_runs_asking(
    deps: CoreDeps, wanted: Forgetting, *, owner: bool
) -> Result[int, StoreError]:
    """Erase the runs that asked for the words the owner forgets."""
    terms = words_to_forget(deps, wanted.query or "")
    return run_words.erase_asking(terms)(deps).map(int) if terms and owner else Success(0)


@reader
def erase_runs_with(deps: CoreDeps, words: Collection[str]) -> Result[int, StoreError]:
    """Erase the runs that hold one of these words, if nothing else has it any more."""
    if not words:
        return Success(0)
    return Result.do(
        count
        for asked in run_words.words_asked(words)(deps)
        for left in erased_words.terms_left(sorted(asked))(deps)
        for beside in _terms_beside(deps, asked - left)
        for count in run_words.erase_holding(asked - left - beside)(deps)
    )


def _terms_beside(deps: CoreDeps, wanted: frozenset[str]) -> Result[frozenset[str], StoreError]:
    """Return those of these terms that stand in anything which is not indexed."""
    if not wanted:
        return Success(wanted)
    return Result.do(
        frozenset(term for _, held in terms_held(deps, wanted, enumerate(texts)) for term in held)
        for claimed in claim_words.texts_left()(deps)
        for documented in document_words.texts_left()(deps)
        for texts in Success((*claimed, *documented))
    )

"""What is to be forgotten because it holds the words of a query, wherever they stand in it."""

from returns.result import Failure, Result, Success

from pce_memory.deps import CoreDeps
from pce_memory.domain.boundary import Boundary
from pce_memory.domain.erasure import Forgetting
from pce_memory.domain.ids import ObservationId
from pce_memory.domain.policy import Policy
from pce_memory.engine.forgetting_documents import words_to_forget
from pce_memory.errors import CoreError, InvalidParameter, StoreError
from pce_memory.policy.outgoing import cleaner
from pce_memory.result import reader
from pce_memory.store import claim_words, graph_words, reviews
from pce_memory.store.graph_words import NO_HOLDERS, Holders
from pce_memory.store.visibility import view_if_any


@reader
def claims_to_forget(
    deps: CoreDeps, query: str, boundary: Boundary | None, policy: Policy
) -> Result[tuple[int, ...], CoreError]:
    """Return the keys of the claims that hold every word of a query; not all may be seen.

    In what leaves under a boundary. None is the owner: also in what is not indexed and does not
    leave.
    """
    terms = words_to_forget(deps, query)
    if not terms:
        return Failure(InvalidParameter("query", "it has no word to look for"))
    if boundary is None:
        return claim_words.claims_holding_all(terms, cleaner(policy, ()), owner=True)(deps).map(
            tuple
        )
    return Result.do(
        rows
        for seen in view_if_any(boundary, policy)(deps)
        for rows in (
            Success(())
            if seen is None
            else claim_words.claims_holding_all(
                terms, cleaner(policy, seen.narrowed.classes), owner=False
            )(deps)
        )
    )


@reader
def observations_to_forget(
    deps: CoreDeps, wanted: Forgetting, *, owner: bool
) -> Result[tuple[ObservationId, ...], StoreError]:
    """Return the observations that hold every word, claims or not, where the owner forgets."""
    terms = words_to_forget(deps, wanted.query or "")
    if not terms or not owner:
        return Success(())
    return claim_words.observations_holding_all(terms)(deps).map(tuple)


@reader
def holders_to_forget(
    deps: CoreDeps, wanted: Forgetting, *, owner: bool
) -> Result[Holders, StoreError]:
    """Return what else holds every word, where the owner forgets: it is nobody's alone.

    Of a claim, an observation or an actor that is what reviewers wrote of what they rejected.
    """
    if not owner:
        return Success(NO_HOLDERS)
    if wanted.query is not None:
        terms = words_to_forget(deps, wanted.query)
        return graph_words.holders(terms)(deps) if terms else Success(NO_HOLDERS)
    return _notes(deps, wanted).map(lambda notes: Holders(notes=notes))


def _notes(deps: CoreDeps, wanted: Forgetting) -> Result[tuple[str, ...], StoreError]:
    if wanted.claim_id is not None:
        return reviews.notes_of_gone(wanted.claim_id)(deps)
    sources = [*filter(None, (wanted.observation_id, wanted.actor and deps.digest(wanted.actor)))]
    return reviews.notes_of_sources(sources)(deps) if sources else Success(())

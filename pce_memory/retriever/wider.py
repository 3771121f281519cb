"""What a query is widened by where the policy says so: words that stand for those it asks for."""

from collections.abc import Sequence

from pce_memory.deps import CoreDeps, Wider
from pce_memory.domain.policy import Policy
from pce_memory.domain.ranking import QueryExpansionConfig
from pce_memory.text.asked import Asked
from pce_memory.text.tokenizer import Tokenizer
from pce_memory.text.tokens import term_hashes
from pce_memory.text.widening import widen


def wider_than(deps: CoreDeps, asked: Asked, policy: Policy) -> tuple[Wider, ...]:
    """Return the words that stand for those asked for; none for what is quoted, or not enabled."""
    how = policy.retrieval.query_expansion
    if not how.enabled:
        return ()
    config = QueryExpansionConfig(
        max_expansions=how.max_expansions,
        include_synonyms=how.include_synonyms,
        include_related=how.include_related,
    )
    terms, cut = frozenset(asked.terms), deps.tokenizer
    found = (
        Wider(
            asked=term_hashes([term for term in cut.query_terms(one.asked) if term in terms]),
            words=tuple(filter(None, (term_hashes(_terms_of(word, cut)) for word in one.words))),
            weight=how.weight,
        )
        for one in widen(_unquoted(asked), deps.thesaurus(), config)
    )
    # What asks for nothing by itself, as "who" does, has nothing that could count in part.
    return tuple(one for one in found if one.asked and one.words)


def _terms_of(word: str, cut: Tokenizer) -> Sequence[str]:
    """Return the terms of which a text has all that holds a word.

    What is written with hyphens is a word too: on-call is more than "on" and "call".
    """
    return cut.query_terms(word) if word.isascii() and " " not in word else cut.needed_terms(word)


def _unquoted(asked: Asked) -> str:
    """Return what is asked for without what is meant word for word."""
    text = asked.text
    for phrase in asked.phrases:
        text = text.replace(phrase, "\n")
    return text

"""What cuts texts and queries into terms: the port, and the tokenizer of a plain install."""

from collections.abc import Sequence
from typing import Final, Protocol

from pce_memory.text import phrases, tokens


class Tokenizer(Protocol):
    """Cuts texts into the terms they are indexed under, and queries into the terms they ask for.

    Stored terms of one `id` may be compared, others not: with another id a memory is indexed anew.
    Every text is cut, whatever it holds; a text gives the same terms each time.
    """

    @property
    def id(self) -> str:
        """The name of the rules, and the version of what they rest on."""
        ...

    def terms(self, text: str) -> Sequence[str]:
        """Return the terms of a text, as often as they occur."""
        ...

    def query_terms(self, text: str) -> Sequence[str]:
        """Return the terms that a query asks for, each once: some of `terms` of the same text."""
        ...

    def needed_terms(self, phrase: str) -> Sequence[str]:
        """Return terms, each once, that are among `terms` of every text that holds the phrase."""
        ...


class NgramTokenizer:
    """The tokenizer of a plain install: words and stems, and n-grams where no spaces are."""

    @property
    def id(self) -> str:
        """The name of the rules with their version."""
        return tokens.TOKENIZER_ID

    def terms(self, text: str) -> list[str]:
        """Return the terms of a text, as often as they occur."""
        return tokens.terms(text)

    def query_terms(self, text: str) -> list[str]:
        """Return the terms that a query asks for, each once."""
        return tokens.query_terms(text)

    def needed_terms(self, phrase: str) -> tuple[str, ...]:
        """Return terms that are in every text that holds the phrase, each once."""
        return phrases.needed_terms(phrase)


NGRAMS: Final[Tokenizer] = NgramTokenizer()
"""The one of them: it has no state."""

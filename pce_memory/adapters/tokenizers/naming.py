"""The tokenizers that can be asked for by name."""

from difflib import get_close_matches
from typing import Final

from returns.result import Failure, Result, Success

from pce_memory.adapters.tokenizers.safe import checked
from pce_memory.adapters.tokenizers.sudachi import sudachi
from pce_memory.deps import Tokenizer
from pce_memory.errors import InvalidParameter, shown
from pce_memory.text.tokenizer import NGRAMS

DEFAULT: Final = "ngram"
"""The tokenizer of a plain install."""

_SUDACHI: Final = "sudachi"
_CHOICES: Final = (DEFAULT, _SUDACHI)


def resolve_tokenizer(spec: str | Tokenizer = DEFAULT) -> Result[Tokenizer, InvalidParameter]:
    """Return the tokenizer of a name, ready to use, or the one that was given, made safe.

    >>> resolve_tokenizer("ngram").unwrap() is NGRAMS
    True
    >>> resolve_tokenizer("sudachy").failure().reason
    'sudachy is not ngram or sudachi; did you mean sudachi?'
    """
    if not isinstance(spec, str):
        return checked(spec)
    if spec == DEFAULT:
        return Success(NGRAMS)
    if spec == _SUDACHI:
        return sudachi().map(_tokenizer)
    near = get_close_matches(spec.casefold(), _CHOICES, n=1, cutoff=0.5)
    hint = f"; did you mean {near[0]}?" if near else ""
    reason = f"{shown(spec)} is not {' or '.join(_CHOICES)}{hint}"
    return Failure(InvalidParameter("tokenizer", reason))


def _tokenizer(one: Tokenizer) -> Tokenizer:
    return one

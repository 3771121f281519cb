"""Tokenizers: what cuts texts into the terms of the lexical index, behind the port Tokenizer."""

from pce_memory.adapters.tokenizers.naming import DEFAULT, resolve_tokenizer
from pce_memory.adapters.tokenizers.safe import SafeTokenizer, checked
from pce_memory.adapters.tokenizers.sudachi import SudachiTokenizer

__all__ = ["DEFAULT", "SafeTokenizer", "SudachiTokenizer", "checked", "resolve_tokenizer"]

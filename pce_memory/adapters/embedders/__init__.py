"""Embedders: what turns texts into unit vectors, behind the port EmbeddingProvider."""

from pce_memory.adapters.embedders.e5 import E5Embedder
from pce_memory.adapters.embedders.function import from_callable
from pce_memory.adapters.embedders.hashing import HashingEmbedder
from pce_memory.adapters.embedders.multilingual import MultilingualEmbedder
from pce_memory.adapters.embedders.naming import DEFAULT, resolve_embedder
from pce_memory.adapters.embedders.safe import SafeEmbedder, checked
from pce_memory.adapters.embedders.sentence_transformer import SentenceTransformerEmbedder

__all__ = [
    "DEFAULT",
    "E5Embedder",
    "HashingEmbedder",
    "MultilingualEmbedder",
    "SafeEmbedder",
    "SentenceTransformerEmbedder",
    "checked",
    "from_callable",
    "resolve_embedder",
]

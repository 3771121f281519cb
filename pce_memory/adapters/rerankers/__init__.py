"""Rerankers: what judges a query and texts together, behind the port Reranker.

No package ships the weights of a cross-encoder: the host brings them, or a function.
"""

from pce_memory.adapters.rerankers.cross_encoder import CrossEncoderReranker
from pce_memory.adapters.rerankers.function import from_callable
from pce_memory.adapters.rerankers.naming import resolve_reranker
from pce_memory.adapters.rerankers.safe import SafeReranker, checked

__all__ = [
    "CrossEncoderReranker",
    "SafeReranker",
    "checked",
    "from_callable",
    "resolve_reranker",
]

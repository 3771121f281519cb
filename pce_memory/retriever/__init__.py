"""A query into an active context: visible part → lanes → fuse → rerank → keep."""

from pce_memory.retriever.activate import activate, search

__all__ = ["activate", "search"]

"""A query into an active context: visible part → lanes → fuse → rerank → keep."""

from pce_memory.retriever.activate import activate, search
from pce_memory.retriever.select import select
from pce_memory.retriever.standing import standing

__all__ = ["activate", "search", "select", "standing"]

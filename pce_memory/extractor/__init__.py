"""Observations into claims: validate → redact → split → classify → hash."""

from pce_memory.extractor.extract import Draft, draft, extract, extract_with_graph

__all__ = ["Draft", "draft", "extract", "extract_with_graph"]

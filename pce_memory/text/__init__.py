"""Strings in, strings out: hashes, terms, detectors, redaction and budgets; no I/O."""

"""Policies and boundaries: reading, rules, and the judgement of what may pass."""

"""Lanes leave runs, runs are blended, and a blend is weighed anew without a search."""

"""Numbers in, numbers out: pure functions of the ranking, with no I/O and no deps."""

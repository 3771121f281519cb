"""The laws hold of claims of any age: nothing expires here but where a law is about it."""

import pytest

from pce_memory import Memory


@pytest.fixture
def memory(lasting: Memory) -> Memory:
    """A memory in which nothing expires and nothing waits for a human."""
    return lasting

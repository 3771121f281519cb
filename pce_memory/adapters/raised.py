"""What code of others may raise: the adapters catch it as the ports do."""

from pce_memory.deps.raised import RAISED, kind_of

__all__ = ["RAISED", "kind_of"]

"""`python -m pce_memory` is the command `pce-memory`."""

from pce_memory.surface.cli import main

if __name__ == "__main__":
    main()

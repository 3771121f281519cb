"""`python -m pce_memory` is the command `pce-memory`."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C while it is still being loaded ends as it does later."""
    try:
        from pce_memory.surface.cli import main as command  # noqa: PLC0415 - slow

        command()
    except KeyboardInterrupt:
        from pce_memory.surface.exit_codes import INTERRUPTED  # noqa: PLC0415

        _ = sys.stderr.write("interrupted\n")
        raise SystemExit(INTERRUPTED) from None


if __name__ == "__main__":
    main()

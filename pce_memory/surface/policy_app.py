"""The commands under `pce-memory policy`."""

import typer

policy_app = typer.Typer(
    name="policy",
    help="Write, check, test and compare policies.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

"""Locate sql/ and policies/: inside the wheel, or beside the package in a checkout."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def resource(folder: str) -> Traversable:
    """Return the shipped folder: "sql" or "policies".

    A folder beside the package counts only where a pyproject.toml stands too, so that a foreign
    `site-packages/sql` is never read.
    """
    package = files("pce_memory")
    if (packaged := package / folder).is_dir():
        return packaged
    checkout = Path(str(package)).parent
    if (checkout / "pyproject.toml").is_file() and (checkout / folder).is_dir():
        return checkout / folder
    raise FileNotFoundError(f"pce_memory was installed without its {folder}/ folder")

"""The remedy for a missing extra works in every way of installing: it names the packages."""

import re
import tomllib
from pathlib import Path
from typing import Final

import pytest

import pce_memory
from pce_memory.adapters import torch_process
from pce_memory.adapters.embedders.e5 import parts
from pce_memory.adapters.extras import EXTRAS, install
from pce_memory.adapters.tokenizers import sudachi

ROOT: Final = Path(__file__).parents[3]
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_extras_are_those_of_the_project() -> None:
    declared = {
        name: tuple(one.partition(";")[0] for one in requirements)
        for name, requirements in PROJECT["optional-dependencies"].items()
    }
    assert declared == EXTRAS


@pytest.mark.parametrize("remedy", [parts.INSTALL, sudachi.INSTALL, torch_process.INSTALL])
def test_a_remedy_names_no_distribution_that_an_index_may_not_have(remedy: str) -> None:
    assert remedy in map(install, EXTRAS)
    assert "pce-memory" not in remedy


def test_no_text_of_the_package_tells_to_install_an_extra_by_its_name() -> None:
    """What is printed by the package, and what README has run in a checkout."""
    files = [*Path(pce_memory.__file__).parent.rglob("*.py"), ROOT / "README.md"]
    told = re.compile(r"install ['\"]?pce-memory\[")
    assert [one.name for one in files if told.search(one.read_text("utf-8"))] == []

"""The public names: all of them, sorted, importable, and nothing else."""

import importlib
import tomllib
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

import pce_memory
from pce_memory.errors import CoreError, PCEError

ROOT = Path(__file__).parents[1]


def test_all_is_the_public_names():
    public = [
        name
        for name in dir(pce_memory)
        if not name.startswith("_") and not isinstance(getattr(pce_memory, name), ModuleType)
    ]
    assert sorted(public) == pce_memory.__all__


def test_all_is_sorted_and_has_no_name_twice():
    assert pce_memory.__all__ == sorted(set(pce_memory.__all__))


@pytest.mark.parametrize("name", pce_memory.__all__)
def test_every_name_can_be_imported(name: str):
    assert hasattr(importlib.import_module("pce_memory"), name)


def test_the_version_is_that_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert (pce_memory.__version__, version("pce-memory")) == (project["version"],) * 2


def test_the_package_is_typed():
    assert (ROOT / "pce_memory" / "py.typed").is_file()


class TestErrors:
    def test_the_union_has_every_error(self):
        # By name: a class with slots is made twice, and both are subclasses.
        made = {error.__name__ for error in PCEError.__subclasses__()}
        assert {error.__name__ for error in get_args(CoreError)} == made

    def test_every_code_and_tag_is_one_errors_own(self):
        errors = get_args(CoreError)
        assert len({error.code for error in errors}) == len(errors)
        assert len({error.tag for error in errors}) == len(errors)

    @pytest.mark.parametrize("error", get_args(CoreError), ids=lambda error: error.code)
    def test_every_error_says_what_to_do(self, error: type[PCEError]):
        assert error.tag.endswith("Error")
        assert error.code == error.code.upper()
        assert 400 <= error.status <= 599
        assert error.remedy.endswith(".")
        assert error.remedy != PCEError.remedy

    def test_every_error_is_named_in_the_map(self):
        map_of_errors = pce_memory.errors.__doc__ or ""
        unnamed = [
            e.__name__ for e in get_args(CoreError) if f" {e.__name__} " not in map_of_errors
        ]
        assert unnamed == []


def test_every_public_name_has_a_home_and_no_other():
    assert sorted(pce_memory._HOMES) == pce_memory.__all__
    for name, home in pce_memory._HOMES.items():
        assert getattr(importlib.import_module(home), name) is getattr(pce_memory, name)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = pce_memory.nothing

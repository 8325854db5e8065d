"""The page about cases names everything a case may say."""

import inspect
import sys
from pathlib import Path

import pytest

from plenipo.cases.checks import EXPECTATIONS, WORDS
from plenipo.cases.kinds import KINDS
from plenipo.cases.stage import STATE
from plenipo.cases.values import PROSE

PAGE = (Path(__file__).parents[2] / "docs" / "cases.md").read_text(encoding="utf-8")

NAMES = {*KINDS, *STATE, *EXPECTATIONS, *PROSE, *WORDS}
NAMES |= {key for kind in KINDS.values() for key in kind.inputs | kind.expects}


@pytest.mark.parametrize("name", sorted(NAMES))
def test_the_page_names_it(name: str) -> None:
    assert f"`{name}`" in PAGE


def test_every_key_a_kind_expects_can_be_compared() -> None:
    for kind in KINDS.values():
        own = inspect.getsource(sys.modules[kind.play.__module__])
        for key in () if kind.skip else kind.expects - set(EXPECTATIONS):
            assert f'"{key}"' in own, f"{kind.name} does nothing with {key}"

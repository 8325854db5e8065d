"""The page about cases names everything a case may say."""

from pathlib import Path

import pytest

from plenipo.cases.format import NOTES, POSITION
from plenipo.cases.matching import OPERATORS
from plenipo.cases.views import FACTS

PAGE = (Path(__file__).parents[2] / "docs" / "cases.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted({*NOTES, *POSITION, *OPERATORS, *FACTS, "orders", "submissions", "chance"}))
def test_the_page_names_it(name: str) -> None:
    assert f"`{name}`" in PAGE

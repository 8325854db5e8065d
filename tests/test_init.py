"""The vocabulary is flat at the top, and asking for none of it costs nothing."""

import subprocess
import sys

import pytest

import plenipo
from waiting import LIMIT


def test_every_public_name_is_where_it_is_said_to_be() -> None:
    names = vars(plenipo)["__all__"]
    assert {"Board", "Game", "load", "what_would_change"} <= set(names)
    for name in names:
        assert getattr(plenipo, name) is not None


def test_a_name_that_is_not_there_is_refused() -> None:
    with pytest.raises(AttributeError, match="module 'plenipo' has no attribute 'Chess'"):
        plenipo.Chess  # type: ignore[attr-defined]  # noqa: B018  # asking is the point


def test_importing_the_package_imports_nothing_of_it() -> None:
    code = "import sys, plenipo; print([name for name in sys.modules if name.startswith('plenipo.')])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=LIMIT)  # noqa: S603
    assert told.stdout.strip() == "[]"


def test_the_core_adjudicates_and_draws_without_numpy_and_shapely() -> None:
    code = """
import sys
sys.modules.update(dict.fromkeys(["numpy", "shapely", "numba"]))  # none of them can be imported any more
from plenipo import Dice, Game, library, load
from plenipo.charts import chart
for folder in sorted(library.VARIANTS.iterdir()):
    if not (folder / "variant.toml").is_file():
        continue
    rules = load(folder.name)
    game = Game.new(rules, Dice(bytes(32)))
    if not any(module.name == "splits" for module in rules.modules):  # a split cuts the figure, with numpy
        while game.position.phase.kind != "adjustments" and len(game.turns) < 9:
            game = game.process({})
    assert chart(folder.name).draw().startswith("<svg"), folder.name
    print(folder.name, len(game.turns))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=LIMIT)  # noqa: S603
    assert not done.stderr
    assert {"standard", "corner", "napoleonic"} <= set(done.stdout.split())

"""The vocabulary is flat at the top, and asking for none of it costs nothing."""

import ast
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import plenipo
from plenipo.engine.position import Power
from plenipo.errors import InvalidPosition, UnknownName
from waiting import LIMIT


def test_every_public_name_is_where_it_is_said_to_be() -> None:
    names = vars(plenipo)["__all__"]
    assert {"Board", "Game", "load", "what_would_change"} <= set(names)
    for name in names:
        assert getattr(plenipo, name) is not None


def test_a_name_that_is_not_there_is_refused() -> None:
    with pytest.raises(AttributeError, match="module 'plenipo' has no attribute 'Chess'"):
        plenipo.Chess  # noqa: B018  # asking is the point


def test_importing_the_package_imports_nothing_of_it() -> None:
    code = "import sys, plenipo; print([name for name in sys.modules if name.startswith('plenipo.')])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=LIMIT)  # noqa: S603
    assert told.stdout.strip() == "[]"


def test_the_core_adjudicates_and_draws_without_numpy_and_shapely() -> None:
    code = """
import sys
from importlib.metadata import version
from pathlib import Path
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


def test_completion_and_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(plenipo.__file__).read_text(encoding="utf-8"))
    checked = next(node for node in tree.body if isinstance(node, ast.If))
    imported = {
        alias.name: node.module for node in checked.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert imported == vars(plenipo)["_HOMES"]
    assert set(vars(plenipo)["__all__"]) == {*imported, "__version__"}
    assert {*imported, "__version__"} <= set(dir(plenipo))
    assert plenipo.__version__ == version("plenipo")


def test_a_plain_mapping_of_orders_is_enough() -> None:
    resolution = plenipo.adjudicate({"France": ["A PAR - BUR"]})
    assert [str(outcome.result) for outcome in resolution.outcomes if outcome.power == "France"].count("moves") == 1
    assert "<th>why</th>" in resolution._repr_html_()


def test_an_unknown_power_is_refused_with_the_likeliest() -> None:
    with pytest.raises(UnknownName, match=r"^Unknown power 'Frnace'\. Did you mean France\?$"):
        plenipo.adjudicate({"Frnace": ["A PAR - BUR"]})


def test_a_position_is_read_from_a_line_and_shown_as_its_map() -> None:
    position = plenipo.Position.parse("F1901M: France A PAR, F BRE; Germany A MUN")
    assert str(position.phase) == "Fall 1901 movement"
    assert position.units_of(Power("France")) == (
        plenipo.Unit("France", "F", "BRE"),
        plenipo.Unit("France", "A", "PAR"),
    )
    assert (position._repr_svg_() or "").startswith("<svg")
    resolution = plenipo.adjudicate({"France": ["A PAR - MUN"], "Germany": ["A MUN - PAR"]}, position)
    assert len(resolution.outcomes) == 3
    assert plenipo.draw(resolution).startswith("<svg")
    with pytest.raises(InvalidPosition, match="does not begin with a phase"):
        plenipo.Position.parse("France A PAR")
    with pytest.raises(UnknownName, match="did you mean France"):
        plenipo.Position.parse("F1901M: Frnace A PAR")


def test_a_unit_may_be_named_with_texts() -> None:
    assert plenipo.Unit("France", "F", "STP/NC").location == plenipo.Location("STP", "NC")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="is not the letter of a kind of unit"):
        plenipo.Unit("France", "army", "PAR")


def test_a_game_lists_the_legal_orders_of_a_power() -> None:
    game = plenipo.Game.new(plenipo.load("standard"))
    assert "A PAR - BUR" in map(str, game.legal_orders("French"))
    assert list(game.legal_orders("France")) == list(plenipo.legal_orders("France"))

"""Commands for boards: `import`, `new` and `map`."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from boards_in.samples import GODIP, JUDGE, SAMPLES
from boards_in.test_readers import written
from maps.figures import board_of
from plenipo import library
from plenipo.cli import app
from plenipo.maps.figure.figure_files import read_figure

ISLES = ("--from-earth", "-11", "49.5", "3", "59.5")
"""The piece of the earth round Britain and Ireland."""


def run(*args: str | Path) -> Result:
    """Call `plenipo` with `args`."""
    return CliRunner().invoke(app, [str(arg) for arg in args])


def test_a_board_is_imported_and_played(tmp_path: Path) -> None:
    written(tmp_path / "source", JUDGE)
    told = run("import", tmp_path / "source" / "isle.map", "--to", tmp_path / "mine")
    assert told.exit_code == 0, told.output
    assert "1 board is playable" in told.stdout
    assert library.load(tmp_path / "mine" / "isle").title == "Isle"


def test_every_board_of_a_checkout_is_imported_with_a_table(tmp_path: Path) -> None:
    for name, texts in SAMPLES.items():
        written(tmp_path / "source" / name, texts)
    told = run("import", tmp_path / "source", "--all", "--to", tmp_path / "mine")
    assert told.exit_code == 0, told.output
    assert "8 boards are playable" in told.stdout
    assert {*SAMPLES} <= {*told.stdout.split()}
    assert len(list((tmp_path / "mine").iterdir())) == 8


def test_of_several_boards_a_user_chooses(tmp_path: Path) -> None:
    written(tmp_path / "source", JUDGE | GODIP)
    told = run("import", tmp_path / "source", "--to", tmp_path / "mine")
    assert told.exit_code == 2
    assert "There are 2 boards" in told.stderr
    assert not (tmp_path / "mine").exists()
    assert run("import", tmp_path / "source", "--board", ".go", "--to", tmp_path / "mine").exit_code == 0


def test_a_folder_that_is_there_is_not_written_over_unless_told(tmp_path: Path) -> None:
    written(tmp_path / "source", JUDGE)
    assert run("import", tmp_path / "source", "--to", tmp_path / "mine").exit_code == 0
    (tmp_path / "mine" / "isle" / "notes.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "mine" / "isle" / "README.md").write_text("mine", encoding="utf-8")
    told = run("import", tmp_path / "source", "--to", tmp_path / "mine")
    assert "--replace" in told.stdout
    assert (tmp_path / "mine" / "isle" / "README.md").read_text("utf-8") == "mine"
    assert run("import", tmp_path / "source", "--to", tmp_path / "mine", "--replace").exit_code == 0
    assert (tmp_path / "mine" / "isle" / "README.md").read_text("utf-8").startswith("# Isle")
    assert (tmp_path / "mine" / "isle" / "notes.txt").read_text("utf-8") == "mine"


def test_a_source_without_a_board_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("nothing", encoding="utf-8")
    told = run("import", tmp_path / "a.txt", "--to", tmp_path / "mine")
    assert told.exit_code == 2
    assert "There is no board in 'a.txt'" in told.stderr
    assert run("import", tmp_path / "gone", "--to", tmp_path / "mine").exit_code == 2


def test_a_refused_board_is_named_with_its_line(tmp_path: Path) -> None:
    written(tmp_path / "source", {"isle.map": "USE gone\n"})
    told = run("import", tmp_path / "source", "--to", tmp_path / "mine")
    assert told.exit_code == 1
    assert "isle.map, line 1: 'gone' is not beside it." in told.stdout


@pytest.mark.parametrize("like", ["standard", "cline", "hundred"])
def test_a_new_variant_plays_at_once(like: str, tmp_path: Path) -> None:
    told = run("new", tmp_path / "my-game", "--like", like)
    assert told.exit_code == 0, told.output
    rules = library.load(tmp_path / "my-game")
    assert rules.title == "My game"
    assert rules.opening.units == library.load(like).opening.units
    assert run("check", tmp_path / "my-game").exit_code == 0


def test_a_new_variant_may_be_like_a_folder(tmp_path: Path) -> None:
    assert run("new", tmp_path / "one").exit_code == 0
    assert run("new", tmp_path / "deep" / "two", "--like", tmp_path / "one").exit_code == 0
    assert library.load(tmp_path / "deep" / "two").to_win == library.load("standard").to_win


def test_a_new_variant_needs_a_free_name(tmp_path: Path) -> None:
    assert run("new", tmp_path / "one").exit_code == 0
    told = run("new", tmp_path / "one")
    assert told.exit_code == 2
    assert "is there already" in told.stderr
    assert run("new", tmp_path / "a+b").exit_code == 2


def test_a_board_by_contacts_is_placed_beside_its_table(tmp_path: Path) -> None:
    written(tmp_path / "source", JUDGE)
    assert run("import", tmp_path / "source", "--to", tmp_path / "mine").exit_code == 0
    told = run("map", "place", tmp_path / "mine" / "isle")
    assert told.exit_code == 0, told.output
    assert "a layout of" in told.stdout
    assert (tmp_path / "mine" / "isle" / "figure.json").is_file()
    checked = run("map", "check", tmp_path / "mine" / "isle")
    assert "Isle: 6 spaces, drawn without a fault." in checked.stdout


def test_a_map_that_cannot_be_compiled_is_told_with_its_file(tmp_path: Path) -> None:
    assert run("map", "compile", tmp_path).exit_code == 2
    (tmp_path / "map.toml").write_text("[corners]\n", encoding="utf-8")
    told = run("map", "compile", tmp_path)
    assert told.exit_code == 2
    assert "map.toml" in told.stderr
    assert len(told.stderr.splitlines()) == 1


def test_a_board_is_made_of_the_earth_changed_in_a_drawing_program_and_read_back(tmp_path: Path) -> None:
    made = run("map", "new", tmp_path / "isles", *ISLES, "--lands", "9", "--seas", "4")
    assert made.exit_code == 0, made.output
    assert library.check(tmp_path / "isles") == []
    told = run("map", "export", tmp_path / "isles", "--layers", tmp_path / "drawn.svg")
    assert told.exit_code == 0, told.output
    again = run("import", tmp_path / "drawn.svg", "--to", tmp_path / "read")
    assert again.exit_code == 0, again.output
    ours, read = library.load(tmp_path / "isles"), library.load(tmp_path / "read" / "drawn")
    assert read.board.armies == ours.board.armies
    assert read.board.fleets == ours.board.fleets
    assert {code: space.name for code, space in read.board.spaces.items()} == {
        code: space.name for code, space in ours.board.spaces.items()
    }
    assert read.opening.units == ours.opening.units


@pytest.mark.parametrize("name", ["standard", "hundred"])
def test_a_board_of_the_library_is_exported_and_read_back_with_the_same_contacts(name: str, tmp_path: Path) -> None:
    told = run("map", "export", name, "--layers", tmp_path / "drawn.svg")
    assert told.exit_code == 0, told.output
    assert ("1 contact of the rules is no border" in told.stdout) == (name == "hundred")  # armies cross to Calais
    again = run("import", tmp_path / "drawn.svg", "--to", tmp_path / "read")
    assert again.exit_code == 0, again.output
    ours, read = library.load(name), library.load(tmp_path / "read" / "drawn")
    drawn = board_of(read_figure(library.read(name).figure))
    assert read.board.armies == drawn.armies
    assert read.board.fleets == drawn.fleets
    assert read.board.centres == ours.board.centres
    assert {code: space.name for code, space in read.board.spaces.items()} == {
        code: space.name for code, space in ours.board.spaces.items()
    }
    assert set(map(str, read.opening.units)) == set(map(str, ours.opening.units))


def test_a_board_of_contacts_has_no_shapes_to_export(tmp_path: Path) -> None:
    told = run("map", "export", "pure", "--layers", tmp_path / "drawn.svg")
    assert told.exit_code == 2
    assert told.stderr == "The board of Pure is given by its contacts, so it has no shapes to draw.\n"
    assert not (tmp_path / "drawn.svg").exists()


CROSSED = """
title = "Iceland"
seas = ["NAT"]
lands = ["EAS", "WES"]
[projection]
lat1 = 60
lat2 = 70
lat0 = 65
lon0 = -19
[frame]
west = -450
south = -350
east = 450
north = 350
[land]
close = 5
open = 5
thin = 3
island = 3000
lake = 45000
[corners]
"#/NAT" = [-19, 75]
"EAS/NAT/WES:n" = [-18.5, 66]
"EAS/NAT/WES:s" = [-18.5, 63.4]
[edges]
"EAS-WES" = { via = [[-17.5, 64.6], [-20.0, 65.2], [-20.0, 64.6], [-17.5, 65.2]] }
"""
"""A map whose only border crosses itself."""


def test_lines_that_cross_are_drawn_beside_the_map(tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text(CROSSED, encoding="utf-8")
    told = run("map", "compile", tmp_path)
    assert told.exit_code == 2
    assert "edge EAS-WES meets itself" in told.stderr
    assert "red in" in told.stderr
    assert (tmp_path / "fault.svg").read_text(encoding="utf-8").count("#d02020") == 1


def test_a_folder_that_is_there_gets_no_map_of_the_earth(tmp_path: Path) -> None:
    (tmp_path / "isles").mkdir()
    told = run("map", "new", tmp_path / "isles", *ISLES)
    assert told.exit_code == 2
    assert "is there already" in told.stderr
    told = run("map", "new", tmp_path / "nowhere", "--from-earth", "3", "49.5", "-11", "59.5")
    assert told.exit_code == 2
    assert "is no piece of the earth" in told.stderr
    assert not (tmp_path / "nowhere").exists()

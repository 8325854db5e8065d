"""Variants given by their contacts alone: the same board as from a figure, and every mistake with its line."""

from dataclasses import replace
from pathlib import Path

import pytest

from plenipo import charts, library
from plenipo.engine.board import Board, Code
from plenipo.engine.changes import Border, Closed, Split
from plenipo.errors import InvalidFigure, InvalidVariant

VARIANT = """title = "Isle"
contacts = "contacts.toml"
victory = 2
[calendar]
start = 1
cycle = [["Spring", "movement"], ["Spring", "retreats"], ["Spring", "ownership"], ["Spring", "adjustments"]]
[powers]
Red = { units = ["A UPL"] }
Blue = { units = ["F CAP/NC"] }
[spaces]
UPL = { name = "Upland", centre = true }
CAP = { name = "Cape", centre = true }
BAY = { name = "Bay" }
SOU = { name = "Sound" }
"""

CONTACTS = """[spaces]
UPL = "inland"
CAP = { kind = "coast", coasts = ["NC", "SC"] }
BAY = "sea"
SOU = "sea"
[armies]
UPL = ["CAP"]
[fleets]
BAY = ["CAP/NC", "SOU"]
SOU = ["CAP/SC"]
"""


def folder_in(tmp_path: Path, contacts: str = CONTACTS, variant: str = VARIANT) -> Path:
    folder = tmp_path / "isle"
    folder.mkdir()
    (folder / "variant.toml").write_text(variant, encoding="utf-8")
    (folder / "contacts.toml").write_text(contacts, encoding="utf-8")
    return folder


def written(board: Board) -> str:
    """The contacts of a board as a table."""
    lines = ["[spaces]"]
    for code, space in board.spaces.items():
        coasts = f", coasts = {list(map(str, space.coasts))}" if space.coasts else ""
        impassable = ", impassable = true" if space.impassable else ""
        lines.append(f'"{code}" = {{ kind = "{space.terrain}"{coasts}{impassable} }}')
    for name, table in (("armies", board.armies), ("fleets", board.fleets)):
        lines.append(f"[{name}]")
        lines += [f'"{at}" = {sorted(map(str, tos))}' for at, tos in table.items() if tos]
    return "\n".join(lines)


def test_a_board_given_by_its_contacts_is_the_one_that_follows_from_the_figure(tmp_path: Path) -> None:
    standard = library.load("standard").board
    text = (library.folder_of("standard") / "variant.toml").read_text(encoding="utf-8")
    folder = folder_in(
        tmp_path, written(standard), text.replace('figure = "figure.json"', 'contacts = "contacts.toml"')
    )
    listed = library.load(folder).board
    assert library.check(folder) == []
    assert (listed.spaces, listed.fleets) == (standard.spaces, standard.fleets)
    assert {at: tos for at, tos in standard.armies.items() if tos} == {
        at: tos for at, tos in listed.armies.items() if tos
    }


@pytest.mark.parametrize(
    ("old", "new", "line", "sentence"),
    [
        ("[armies]", "[army]", 6, "'army' is not a table of contacts;"),
        ('UPL = "inland"', 'UPL = "hill"', 2, "'spaces.UPL' has the kind 'hill'; it may be inland, coast or sea."),
        ('UPL = "inland"', "UPL = 3", 2, "'spaces.UPL' is 3; write a kind such as \"coast\"."),
        ('UPL = "inland"', 'UPP = "inland"', 2, "'UPP' is not among the spaces of isle; did you mean UPL?"),
        ('BAY = "sea"', 'BAY = { kind = "sea", at = 3 }', 4, "'spaces.BAY.at' is 3; write a point like [3, 4.5]."),
        ('BAY = "sea"', 'BAY = { kind = "sea", wet = 1 }', 4, "'spaces.BAY.wet' is not a key of a space;"),
        ('BAY = "sea"', 'BAY = { kind = "sea", coasts = ["NC", "SC"] }', 4, "only a coast has several"),
        ('["NC", "SC"]', '"NC"', 3, "'spaces.CAP.coasts' is 'NC'; write a list like"),
        ('UPL = ["CAP"]', 'UPL = "CAP"', 7, "'armies.UPL' is 'CAP'; write a list like"),
        ('UPL = ["CAP"]', 'UPL = ["CAP/NC"]', 7, "an army stands on the whole space: write CAP."),
        ('UPL = ["CAP"]', 'UPL = ["BAY"]', 7, "'armies.UPL' has 'BAY', where no army can stand: it is a sea."),
        ('UPL = ["CAP"]', 'UPL = ["CAB"]', 7, "'armies.UPL' has 'CAB', which is not a space of the board"),
        ('UPL = ["CAP"]', 'UPL = ["UPL"]', 7, "'armies.UPL' has UPL itself; a contact is between two spaces."),
        ('UPL = ["CAP"]', "", 2, "UPL touches nothing; write its contacts, or that it is impassable."),
        ('"CAP/NC"', '"CAP"', 9, "'fleets.BAY' has 'CAP'; write CAP/NC or CAP/SC."),
        ('"CAP/NC"', '"UPL"', 9, "'fleets.BAY' has 'UPL', where no fleet can stand: it is inland."),
        ("[spaces]", "[spaces", 1, "this is not TOML"),
    ],
)
def test_every_mistake_in_contacts_has_its_line_and_says_what_would_be_right(
    tmp_path: Path, old: str, new: str, line: int, sentence: str
) -> None:
    folder = folder_in(tmp_path, CONTACTS.replace(old, new, 1))
    mistakes = library.check(folder)
    fitting = [mistake for mistake in mistakes if sentence in mistake.sentence]
    assert [mistake.file.name for mistake in fitting] == ["contacts.toml"], mistakes
    assert fitting[0].line in (line, 0 if "TOML" in sentence else line)
    with pytest.raises(InvalidVariant):
        library.load(folder)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"contacts.toml"', '"other.toml"', "'contacts' names other.toml, which is not there."),
        ('"contacts.toml"', '"other.json"', "a table of contacts is a .toml file"),
        ("victory", 'figure = "figure.json"\nvictory', "'contacts' stands beside 'figure'"),
        ("[calendar]", "[modules.corners]\n[calendar]", "'corners' needs a figure"),
        ("[calendar]", "[modules.splits]\n[calendar]", "'splits' needs a figure"),
    ],
)
def test_what_does_not_go_with_contacts_is_refused_by_name(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    folder = folder_in(tmp_path, variant=VARIANT.replace(old, new, 1))
    assert any(sentence in mistake.sentence for mistake in library.check(folder)), library.check(folder)
    with pytest.raises(InvalidVariant):
        library.load(folder)


def test_spaces_of_such_a_board_close_and_are_drawn_so_and_none_is_cut(tmp_path: Path) -> None:
    folder = folder_in(tmp_path)
    rules, chart = library.load(folder), charts.chart(folder)
    closed = replace(rules.opening, units=(), owners={}, homes={}, changes=(Closed(Code("UPL")),))
    assert rules.board_at(closed).spaces[Code("UPL")].impassable
    barred = "Nobody passes the border between Cape and Upland"
    assert barred not in chart.draw()
    assert barred in chart.draw(chart.scene(closed))
    cut = Split(Code("UPL"), Border(Code("CAP")), Border(Code("CAP")), (Code("UPL 1"), Code("UPL 2")))
    with pytest.raises(InvalidFigure, match="UPL cannot be cut in two: isle is given by its contacts"):
        rules.board_at(replace(rules.opening, changes=(cut,)))


def test_a_layout_beside_the_contacts_is_taken_while_it_fits(tmp_path: Path) -> None:
    folder = folder_in(tmp_path)
    chart = charts.chart(folder)
    (folder / "figure.json").write_text(chart.figure.to_json().replace('"title":"isle"', '"title":"stored"'), "utf-8")
    (folder / "placements.json").write_text(chart.placements.to_json(), "utf-8")
    charts.chart_of.cache_clear()
    assert charts.chart(folder).figure.title == "stored"
    (folder / "contacts.toml").write_text(CONTACTS.replace('"SOU"]', '"SOU", "CAP/SC"]'), "utf-8")
    library.load(folder)
    charts.chart_of.cache_clear()
    assert charts.chart(folder).figure.title == "isle"

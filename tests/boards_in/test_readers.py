"""Every reader yields the same board from its own format, and what is imported plays."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from boards_in.samples import (
    ARMIES,
    CENTRES,
    CFG,
    FLEETS,
    HOMES,
    JUDGE,
    KINDS,
    MDF,
    NJUDGE,
    OPENING,
    SAMPLES,
    WDIPLOMACY,
)
from plenipo import library
from plenipo.boards_in import READERS, BoardSpot, ImportedBoard, SourceFiles, open_source, variant_files
from plenipo.errors import InvalidBoardFile


def written(folder: Path, texts: Mapping[str, str]) -> Path:
    """Write files into a folder and return it."""
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def source_of(texts: Mapping[str, str]) -> SourceFiles:
    """Return texts as the files of a source."""
    contents = {name: text.encode() for name, text in texts.items()}
    return SourceFiles({name: len(content) for name, content in contents.items()}, contents.__getitem__)


def only_board(texts: Mapping[str, str], reader: str) -> ImportedBoard:
    """Return the one board that a reader finds in some texts."""
    files = source_of(texts)
    (key,) = READERS[reader].find(files)
    return READERS[reader].read(files, key)


def named(board: ImportedBoard, at: BoardSpot) -> str:
    """Return a spot by the name of its space."""
    return f"{board.spaces[at.space].name} {at.coast}".strip()


def unit_named(board: ImportedBoard, unit: str) -> str:
    """Return a unit such as `F CAP/SC` by the name of its space."""
    kind, _, place = unit.partition(" ")
    code, _, coast = place.partition("/")
    return f"{kind} {named(board, BoardSpot(code, coast))}"


@pytest.mark.parametrize("reader", SAMPLES)
def test_every_reader_yields_the_isle(reader: str) -> None:
    board = only_board(SAMPLES[reader], reader)
    assert {space.name: space.kind for space in board.spaces.values()} == KINDS
    for steps, contacts in ((board.armies, ARMIES), (board.fleets, FLEETS)):
        there = {(named(board, a), named(board, b)) for a, b in steps}
        assert there == contacts | {(b, a) for a, b in contacts}
    assert {power.name: {unit_named(board, unit) for unit in power.units} for power in board.powers} == OPENING
    assert {power.name: {board.spaces[code].name for code in power.homes} for power in board.powers} == HOMES
    assert {board.spaces[code].name for code in board.centres} == CENTRES


def test_the_isle_as_messages_of_daide_is_the_same_but_for_its_names() -> None:
    board = only_board(MDF, "daide")
    other = only_board(CFG, "daide")
    assert (board.armies, board.fleets, {*board.centres}) == (other.armies, other.fleets, {*other.centres})
    assert [power.units for power in board.powers] == [power.units for power in other.powers]


@pytest.mark.parametrize("reader", SAMPLES)
def test_an_imported_board_passes_check_and_opens_as_its_source_does(reader: str, tmp_path: Path) -> None:
    board = only_board(SAMPLES[reader], reader)
    folder = written(tmp_path / "isle", variant_files(board))
    assert list(map(str, library.check(folder))) == []
    rules = library.load(folder)
    assert {str(unit.location) for unit in rules.opening.units} == {
        unit.partition(" ")[2] for power in board.powers for unit in power.units
    }
    assert sum(map(len, rules.opening.homes.values())) == 3
    assert rules.to_win == 3


YEARS = {"judge_map", "njudge", "jdip", "wdiplomacy", "godip", "diplicity", "daide"}


@pytest.mark.parametrize("reader", sorted(YEARS))
def test_the_year_of_the_source_is_kept(reader: str) -> None:
    assert only_board(SAMPLES[reader], reader).year == 1850


def test_rules_that_have_a_module_are_kept_and_others_are_named() -> None:
    board = only_board(JUDGE | {"isle.map": JUDGE["isle.map"] + "RULE BUILD_ANY HIBERNATE\n"}, "judge_map")
    assert board.build == "owned"
    assert any("HIBERNATE" in str(sentence) for sentence in board.left_out)
    assert "builds" in variant_files(board)["variant.toml"]
    assert "HIBERNATE" in variant_files(board)["README.md"]


def test_author_and_licence_stand_on_the_page_as_found() -> None:
    free = WDIPLOMACY["variants/Isle/variant.php"].replace("// a variant", "// under the GNU Affero licence, a variant")
    files = variant_files(only_board(WDIPLOMACY | {"variants/Isle/variant.php": free}, "wdiplomacy"))
    page, table = files["README.md"], files["variant.toml"]
    assert "Author: Ann Other." in page
    assert "Licence as found: AGPL-3.0." in page
    assert "on this machine only" in page
    assert 'licence = "AGPL-3.0"\nonly_here = true\n' in table


def test_a_board_under_a_free_licence_may_leave_the_machine() -> None:
    free = WDIPLOMACY["variants/Isle/variant.php"].replace("// a variant", "// under the GNU Affero licence, a variant")
    board = only_board(WDIPLOMACY | {"variants/Isle/variant.php": free}, "wdiplomacy")
    files = variant_files(replace(board, origin=replace(board.origin, licence="MIT")))
    assert 'licence = "MIT"' in files["variant.toml"]
    assert "only_here" not in files["variant.toml"]
    assert "on this machine only" not in files["README.md"]


def test_an_imported_place_is_the_wish_of_the_layout() -> None:
    board = only_board(WDIPLOMACY, "wdiplomacy")
    assert [space.at for space in board.spaces.values() if space.name == "Cape"] == [(0, -20)]
    assert "at = [0, -20]" in variant_files(board)["contacts.toml"]


def test_a_contact_in_one_direction_stays_one() -> None:
    texts = JUDGE | {
        "isle.geography": JUDGE["isle.geography"].replace("ABUTS upl cap CAP/NC NBY", "ABUTS cap CAP/NC NBY")
    }
    board = only_board(texts, "judge_map")
    known = {f"{a} {b}" for a, b in board.armies}
    assert "UPL TWN" in known
    assert not known & {"TWN UPL"}
    assert "[one_way.armies]" in variant_files(board)["contacts.toml"]


def test_a_neighbour_that_is_named_by_its_coast_is_one_for_armies_too() -> None:
    texts = JUDGE | {"isle.geography": JUDGE["isle.geography"].replace("upl cap CAP/NC por", "upl CAP/NC por")}
    board = only_board(texts, "judge_map")
    assert {"TWN CAP", "CAP TWN"} <= {f"{a} {b}" for a, b in board.armies}


def test_an_inland_space_with_fleets_is_open_to_them() -> None:
    text = WDIPLOMACY["variants/Isle/install.php"].replace("'Upland','Cape','No','Yes'", "'Upland','Town','Yes','Yes'")
    board = only_board(WDIPLOMACY | {"variants/Isle/install.php": text}, "wdiplomacy")
    assert {space.kind for space in board.spaces.values() if space.name == "Upland"} == {"coast"}


FAULTS = {
    "a map that names itself": (
        "judge_map",
        {"a.map": "USE b.map\n", "b.map": "USE a.map\n"},
        r"[ab]\.map: it names itself, over [ab]\.map\.",
    ),
    "a file that is not there": ("judge_map", {"a.map": "\nUSE gone\n"}, r"a\.map, line 2: 'gone' is not beside it\."),
    "an unknown neighbour": (
        "judge_map",
        JUDGE | {"isle.geography": JUDGE["isle.geography"].replace("ABUTS cap TWN", "ABUTS cap TWX")},
        r"line 9: 'TWX' is not a space of this board\.",
    ),
    "a space twice": (
        "njudge",
        NJUDGE | {"map.isle": NJUDGE["map.isle"].replace("Town, R twn", "Town, R cap")},
        r"map\.isle, line 4: the space 'cap' is there twice\.",
    ),
    "a border of a stranger": (
        "wdiplomacy",
        WDIPLOMACY
        | {
            "variants/Isle/install.php": WDIPLOMACY["variants/Isle/install.php"].replace(
                "('Upland','Cape'", "('Up','Cape'"
            )
        },
        r"install\.php, line 14: 'Up' is not a space of this board\.",
    ),
    "an array without an end": (
        "wdiplomacy",
        WDIPLOMACY | {"variants/Isle/install.php": "<?php\n$territoryRawData=array(array('A', 'Sea'"},
        r"install\.php, line 2: an array does not end\.",
    ),
    "a bracket that does not close": (
        "daide",
        {"a.mdf": "MDF (RED\n(CAP)"},
        r"a\.mdf, line 2: a bracket does not close\.",
    ),
    "a kind that is none": (
        "csv",
        {"a.csv": "code,kind,touches\nUPL,moor,CAP\n"},
        r"a\.csv, line 2: 'moor' is not a kind of space; write inland, coast or sea\.",
    ),
    "entities in XML": (
        "jdip",
        {"variants.xml": '<!DOCTYPE VARIANTS [<!ENTITY a "b">]><VARIANTS><VARIANT name="&a;"/></VARIANTS>'},
        r"variants\.xml: its XML declares entities or names other files\.",
    ),
    "XML that is none": ("jdip", {"variants.xml": "<VARIANTS>\n<VARIANT"}, r"variants\.xml, line 2: this is not XML\."),
    "JSON that is none": (
        "diplicity",
        {"a.json": '{"provinces": [],\n"nations": '},
        r"a\.json, line 2: this is not JSON\.",
    ),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_is_one_sentence_with_file_and_line(case: str) -> None:
    reader, texts, sentence = FAULTS[case]
    files = source_of(texts)
    keys = list(READERS[reader].find(files))
    assert keys
    with pytest.raises(InvalidBoardFile) as told:
        READERS[reader].read(files, keys[0])
    assert re.search(sentence, str(told.value)), str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1", "utf-8-sig"])
def test_the_encoding_of_a_file_is_found(encoding: str, tmp_path: Path) -> None:
    text = JUDGE["isle.geography"].replace("Upland =", "Üpland =").replace("\n", "\r\n")
    written(tmp_path, JUDGE)
    (tmp_path / "isle.geography").write_bytes(text.encode(encoding))
    files = open_source(tmp_path)
    board = READERS["judge_map"].read(files, "isle.map")
    assert board.spaces["UPL"].name == "Üpland"
    assert len(board.armies) == 2 * len(ARMIES)

"""Pictures become boards with a figure, and no picture does any harm."""

import json
import re
import struct
import zlib
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from picture_proof import agreement, answers, contacts_of, contacts_read, draw, import_again, original, render
from plenipo import library
from plenipo.boards_in import READERS, ImportChoices, ImportedBoard, SourceFiles, add_answer, variant_files
from plenipo.cli import app
from plenipo.errors import InvalidBoardFile

AROUND = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300">
<style>.wet {{ fill: #a0c8e8 }} .dry {{ fill: #f0e8c8 }}</style>
<rect class="wet" width="200" height="300"/><rect class="wet" x="200" width="200" height="300"/>
{inside}
<text x="20" y="40" font-size="10">West Sea</text><text x="380" y="40" font-size="10" text-anchor="end">East Sea</text>
<text x="140" y="150" text-anchor="middle" font-size="10">Cape</text>
<text x="205" y="150" text-anchor="middle" font-size="10">Upland</text>
<text x="265" y="150" text-anchor="middle" font-size="10">Town</text>
</svg>
"""
LAND = """\
<path fill="#d02020" d="M100,60 H180 V240 H100 Z"/><path class="dry" d="M180,60 H230 V240 H180 Z"/>
<path fill="#2040d0" d="M230,60 H300 V240 H230 Z"/>
"""
SEAS = """\
<path class="wet" d="M0,0 H199 V60 H100 V240 H199 V300 H0 Z"/>
<path class="wet" d="M400,0 H200 V59 H300 V240 H200 V300 H400 Z"/>
"""
CENTRES = "".join(f'<circle cx="{x}" cy="200" r="3"/>' for x in (140, 205, 265))
ISLE = AROUND.format(inside=LAND + CENTRES)

CONTACTS = {
    *(("A", *pair) for pair in (("Cape", "Upland"), ("Town", "Upland"))),
    *(("F", *pair) for pair in (("Cape", "Upland"), ("Town", "Upland"), ("Cape", "West Sea"), ("East Sea", "Town"))),
    *(("F", *pair) for pair in (("East Sea", "Upland"), ("Upland", "West Sea"), ("East Sea", "West Sea"))),
}


def read(content: str | bytes, choices: ImportChoices = ImportChoices(), name: str = "isle.svg") -> ImportedBoard:  # noqa: B008  # immutable
    """Return the board of a picture."""
    data = content.encode() if isinstance(content, str) else content
    files = SourceFiles({name: len(data)}, lambda _: data, name)
    reader, key = next((reader, key) for reader in READERS.values() for key in reader.find(files))
    assert reader.read_chosen is not None
    return reader.read_chosen(files, key, choices)


def named_contacts(board: ImportedBoard) -> set[tuple[str, ...]]:
    """Return the contacts of a board by the names of spaces."""
    names = {code: space.name for code, space in board.spaces.items()}
    return {(kind, *sorted((names[a], names[b]))) for kind, a, b in contacts_read(board)}


def write(folder: Path, board: ImportedBoard) -> Path:
    """Write the files of a board into a folder and return it."""
    folder.mkdir()
    for name, text in variant_files(board).items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_texts_symbols_and_fills_are_names_centres_and_homes(tmp_path: Path) -> None:
    board = read(ISLE)
    assert named_contacts(board) == CONTACTS
    assert {space.name for space in board.spaces.values() if space.centre} == {"Cape", "Upland", "Town"}
    homes = {power.name: [board.spaces[code].name for code in power.homes] for power in board.powers}
    assert homes == {"Red": ["Cape"], "Blue": ["Town"]}
    assert {space.name for space in board.spaces.values() if space.kind == "sea"} == {"West Sea", "East Sea"}
    assert library.check(write(tmp_path / "isle", board)) == []


def test_an_open_question_is_asked_once(tmp_path: Path) -> None:
    board = read(ISLE)
    (question,) = board.questions
    assert "Upland" in str(question.sentence)
    assert board.spaces[question.space].coasts == ("NC", "SC")
    kept = add_answer(board.answers, question, "one")
    again = read(ISLE, ImportChoices(answers=kept))
    assert again.questions == ()
    assert again.spaces[question.space].coasts == ()
    moved = read(ISLE.replace("H230", "H236").replace("M230", "M236"), ImportChoices(answers=kept))
    assert moved.questions == ()
    assert named_contacts(moved) == CONTACTS
    assert library.check(write(tmp_path / "isle", moved)) == []


def test_the_coast_near_a_point_is_called_as_the_answers_say() -> None:
    board = read(ISLE)
    code = board.questions[0].space
    kept = add_answer(board.answers, board.questions[0], "several")
    named = kept.replace('coasts = "several"', "coasts = { EC = [205, 235], WC = [205, 65] }")
    assert named != kept
    again = read(ISLE, ImportChoices(answers=named))
    assert again.questions == ()
    assert set(again.spaces[code].coasts) == {"EC", "WC"}
    called = {"NC": "WC", "SC": "EC"}
    steps = {(a.space, called.get(a.coast, ""), b.space, called.get(b.coast, "")) for a, b in board.fleets}
    assert {(a.space, a.coast, b.space, b.coast) for a, b in again.fleets} == steps
    assert "EC = [205, 235]" in again.answers


@pytest.mark.parametrize("coasts", ['"two"', "{ nc = [1, 2] }", "{ NC = 3 }", "7"])
def test_an_answer_about_coasts_that_is_none_is_refused(coasts: str) -> None:
    wrong = f"[spaces]\nUPL = {{ at = [205, 150], coasts = {coasts} }}\n"
    with pytest.raises(InvalidBoardFile, match="the coasts of 'UPL' are 'one', 'several', or a point at each"):
        read(ISLE, ImportChoices(answers=wrong))


def test_a_question_is_asked_again_until_an_answer_is_one_of_its_choices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = tmp_path / "isle.svg"
    picture.write_text(ISLE, encoding="utf-8")
    at_terminal = SimpleNamespace(stdin=SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("plenipo.cli.board_import.sys", at_terminal)
    told = CliRunner().invoke(app, ["import", str(picture), "--to", str(tmp_path / "made")], input="perhaps\nOne\n")
    assert told.exit_code == 0, told.output
    assert "'perhaps' is no answer; write one of these: one, several." in told.output
    assert "guessed" not in told.output
    (kept,) = tmp_path.glob("made/*/import.toml")
    assert '"one"' in kept.read_text(encoding="utf-8")


SHAPES = {
    "moved by nested transforms": ISLE.replace("<path", '<g transform="translate(-7,0)"><g transform="scale(.5)"><path')
    .replace('Z"/>', 'Z" transform="scale(2) translate(7,0)"/></g></g>'),
    "of copies by use": AROUND.format(
        inside='<defs><g id="land">' + LAND + '</g></defs><use href="#land"/>'
        '<defs><circle id="dot" r="3"/></defs>'
        + "".join(f'<use href="#dot" x="{x}" y="200"/>' for x in (140, 205, 265))
    ),
    "cut by a clip path": AROUND.format(
        inside='<clipPath id="cut"><rect x="100" y="60" width="200" height="180"/></clipPath>'
        '<g clip-path="url(#cut)">' + LAND.replace("60 H", "20 H").replace("M100", "M50").replace("H100", "H50")
        + "</g>" + CENTRES
    ),
    "with gaps": re.sub("<rect.*", SEAS, ISLE.replace("M180,60 H230 V240 H180", "M181,61 H229 V239 H181")),
    "with overlaps": ISLE.replace("M180,60 H230 V240 H180", "M176,60 H234 V240 H176"),
    "with strokes of another layer above": ISLE.replace(
        "</svg>", '<path d="M100,60 H300 V240 H100 Z M180,60 V240 M230,60 V240" fill="none" stroke="black"/></svg>'
    ),
}  # fmt: skip


@pytest.mark.parametrize("how", SHAPES)
def test_a_board_is_the_same_however_it_is_drawn(how: str) -> None:
    assert named_contacts(read(SHAPES[how])) == CONTACTS


def test_lines_without_fills_divide_a_picture() -> None:
    lines = '<path d="{}" fill="none" stroke="black"/>'
    inside = "".join(
        lines.format(d)
        for d in ("M0,0 H400 V300 H0 Z", "M100,60 H300 V240 H100 Z", "M180,60 V239", "M230,61 V240", "M200,0 V60",
                  "M200,240 V300")
    )  # fmt: skip
    board = read(AROUND.format(inside=inside + CENTRES).replace('class="wet"', 'fill="none"'))
    assert named_contacts(board) == CONTACTS


def test_layers_are_chosen_and_left_out_by_name() -> None:
    decoys = "".join(f'<rect x="{40 * i}" y="0" width="40" height="300" fill="#{i}0{i}080"/>' for i in range(1, 9))
    both = ISLE.replace("<rect", '<g id="board"><rect', 1).replace("<text", "</g><text", 1)
    picture = both.replace("</svg>", f'<g id="decoys">{decoys}</g></svg>')
    assert named_contacts(read(picture, ImportChoices(areas=("board",)))) == CONTACTS
    assert named_contacts(read(picture, ImportChoices(ignore=("Decoys",)))) == CONTACTS
    with pytest.raises(InvalidBoardFile, match="nothing in it is named or coloured 'gone'"):
        read(picture, ImportChoices(areas=("gone",)))


def feature(ring: list[list[int]], **said: object) -> dict[str, object]:
    """A polygon of GeoJSON, in degrees."""
    closed = [[x / 10, -y / 10] for x, y in [*ring, ring[0]]]
    return {"type": "Feature", "properties": said, "geometry": {"type": "Polygon", "coordinates": [closed]}}


FEATURES = [
    feature([[0, 0], [200, 0], [200, 60], [100, 60], [100, 240], [200, 240], [200, 300], [0, 300]], name="West Sea"),
    feature(
        [[200, 0], [400, 0], [400, 300], [200, 300], [200, 240], [300, 240], [300, 60], [200, 60]], name="East Sea"
    ),
    feature([[100, 60], [180, 60], [180, 240], [100, 240]], name="Cape", code="CAP", owner="Reds", centre=True),
    feature([[180, 60], [230, 60], [230, 240], [180, 240]], name="Upland", kind="land"),
    feature([[230, 60], [300, 60], [300, 240], [230, 240]], name="Town", owner="Blues", centre="yes"),
]


def test_geojson_has_names_kinds_centres_and_owners_in_its_properties(tmp_path: Path) -> None:
    text = json.dumps({"type": "FeatureCollection", "features": FEATURES})
    board = read(text, name="isle.geojson")
    assert named_contacts(board) == CONTACTS
    assert board.spaces["CAP"].name == "Cape"
    assert {power.name: len(power.homes) for power in board.powers} == {"Reds": 1, "Blues": 1}
    assert {space.name for space in board.spaces.values() if space.centre} == {"Cape", "Town"}
    assert library.check(write(tmp_path / "isle", board)) == []
    assert named_contacts(read(text, name="isle.json")) == CONTACTS


HARMLESS = {
    "a script": ISLE.replace("</svg>", "<script>alert(1)</script></svg>"),
    "another file": ISLE.replace("</svg>", '<use href="file:///etc/passwd#x"/><image href="http://x.example/"/></svg>'),
    "a copy of itself": ISLE.replace("</svg>", '<g id="a"><use href="#a"/></g></svg>'),
}


@pytest.mark.parametrize("what", HARMLESS)
def test_what_a_picture_names_elsewhere_is_left_out_and_said(what: str) -> None:
    if what == "a copy of itself":
        with pytest.raises(InvalidBoardFile, match="nested more than"):
            read(HARMLESS[what])
        return
    board = read(HARMLESS[what])
    assert named_contacts(board) == CONTACTS
    assert any("not read" in str(note) for note in board.notes)


def header(width: int, height: int) -> bytes:
    """A PNG that says its size and has no pixels."""
    size = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", size), (b"IDAT", zlib.compress(b"")), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


REFUSED = {
    "entities": ("a.svg", b'<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg>&a;</svg>', "declares entities"),
    "no XML": ("a.svg", b"<svg", "not XML"),
    "another XML": ("a.svg", b"<html/>", "not an SVG"),
    "no shapes": ("a.svg", b"<svg/>", "no shapes"),
    "a million points": (
        "a.svg", b'<svg><path d="M0,0 ' + b"L1,1 " * 1_000_000 + b'"/></svg>', "more than 600000 points"
    ),
    "a broken path": ("a.svg", b'<svg><path d="M 0 0 L 1"/></svg>', "not a path|no shapes"),
    "a hundred million pixels": ("a.png", header(10_000, 10_000), "more than 30 million pixels"),
    "no pixels": ("a.png", header(100, 100), "cannot be read|can be read"),
    "no GeoJSON": ("a.geojson", b"[", "not JSON"),
    "GeoJSON without shapes": ("a.geojson", b'{"type": "FeatureCollection", "features": [1, {}]}', "no shapes"),
    "GeoJSON of no places": (
        "a.geojson", b'{"type": "Polygon", "coordinates": [["a"]]}', "no valid coordinates"
    ),
    "text as pixels": ("a.jpg", b"hello", "can be read"),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_a_bad_picture_is_refused_in_one_sentence(what: str) -> None:
    name, content, why = REFUSED[what]
    with pytest.raises(InvalidBoardFile, match=why):
        read(content, name=name)


@pytest.mark.parametrize("name", ["a.svg", "a.png"])
def test_a_picture_of_a_hundred_megabytes_is_refused_before_it_is_read(name: str) -> None:
    def unread(path: str) -> bytes:
        raise AssertionError(path)

    files = SourceFiles({name: 100 << 20}, unread, name)
    reader = next(reader for reader in READERS.values() if list(reader.find(files)) and reader.read_chosen)
    with pytest.raises(InvalidBoardFile, match="larger than 32 megabytes"):
        reader.read(files, name)


def test_texts_in_latin_1_are_read() -> None:
    picture = '<?xml version="1.0" encoding="ISO-8859-1"?>\n' + ISLE.replace("Upland", "Ålånd")
    assert "Ålånd" in {space.name for space in read(picture.encode("latin-1")).spaces.values()}


def test_a_picture_in_a_checkout_is_no_board() -> None:
    files = SourceFiles({"docs/logo.svg": 10, "logo.png": 10}, lambda _: b"<svg/>")
    assert [key for reader in READERS.values() for key in reader.find(files)] == []


@pytest.mark.parametrize("form", ["shapes", "strokes"])
@pytest.mark.parametrize("name", ["standard", "hundred"])
def test_contacts_of_our_own_figures_come_back_from_svg(name: str, form: str, tmp_path: Path) -> None:
    truth = original(name)
    board = import_again(*render(draw(truth, form), form), answers(truth))
    assert contacts_read(board) == contacts_of(truth.board)
    assert library.check(write(tmp_path / "board", board)) == []


@pytest.mark.parametrize("name", ["standard", "hundred"])
def test_contacts_of_our_own_figures_come_back_from_pixels(name: str) -> None:
    truth = original(name)
    board = import_again(*render(draw(truth, "png-800"), "png-800"), answers(truth, 0.5))
    assert agreement(contacts_of(truth.board), contacts_read(board)) >= 0.98


def test_a_picture_is_imported_by_the_command(tmp_path: Path) -> None:
    (tmp_path / "isle.svg").write_text(ISLE, encoding="utf-8")
    command = ["import", str(tmp_path / "isle.svg"), "--to", str(tmp_path / "mine")]
    told = CliRunner().invoke(app, command)
    assert told.exit_code == 0, told.output
    assert "5 regions from the whole picture" in told.stdout
    assert "1 answer was guessed" in told.stdout
    assert library.load(tmp_path / "mine" / "isle").title == "Isle"
    assert (tmp_path / "mine" / "isle" / "placements.json").is_file()
    kept = tmp_path / "mine" / "isle" / "import.toml"
    kept.write_text(kept.read_text("utf-8").replace('"Cape"', '"Long Cape"').replace('"several"', '"one"'), "utf-8")
    told = CliRunner().invoke(app, [*command, "--replace"])
    assert told.exit_code == 0, told.output
    assert "guessed" not in told.stdout
    board = library.load(tmp_path / "mine" / "isle").board
    assert "Long Cape" in {space.name for space in board.spaces.values()}
    assert not any(space.coasts for space in board.spaces.values())


LIST = """\
code,name,kind,centre,owner,unit,touches
CAP,Cape,coast,yes,Reds,A,UPL WES
UPL,Upland,coast,,,,TOW WES EAS
TOW,Town,coast,yes,Blues,F,EAS CAP
WES,West Sea,sea,,,,
EAS,East Sea,sea,,,,
"""


def test_a_list_of_contacts_names_a_board_and_decides_what_differs(tmp_path: Path) -> None:
    (tmp_path / "isle.svg").write_text(ISLE, encoding="utf-8")
    (tmp_path / "list.csv").write_text(LIST, encoding="utf-8")
    command = ["import", str(tmp_path / "isle.svg"), "--to", str(tmp_path), "--contacts", str(tmp_path / "list.csv")]
    told = CliRunner().invoke(app, command)
    assert told.exit_code == 0, told.output
    assert "80.0 % of the listed contacts are in the picture (8 of 10); 3 are declared." in told.stdout
    assert re.search(r"A CAP - TOW is in the list alone, near 2\d\d, 1\d\d", " ".join(told.stdout.split()))
    assert "F EAS - WES is in the picture alone" in told.stdout
    rules = library.load(tmp_path / "isle")
    wanted = {("A", *pair) for pair in (("CAP", "UPL"), ("TOW", "UPL"), ("CAP", "TOW"))}
    wanted |= {
        ("F", *pair) for pair in (("CAP", "UPL"), ("TOW", "UPL"), ("CAP", "TOW"), ("CAP", "WES"), ("EAS", "TOW"))
    }
    wanted |= {("F", "UPL", "WES"), ("F", "EAS", "UPL")}
    assert contacts_of(rules.board) == wanted
    assert {str(power) for power in rules.opening.homes} == {"Reds", "Blues"}
    assert CliRunner().invoke(app, [*command[:-1], str(tmp_path / "isle.svg")]).exit_code == 2

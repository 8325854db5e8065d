"""Figures from authors: every slip is refused by name before anything is drawn."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from maps.figures import STANDARD, standard_table
from plenipo import library
from plenipo.errors import InvalidFigure
from plenipo.maps.authoring.authored import map_digest, merge, read_map, read_table

Table = dict[str, Any]


def put(key: str, name: str, value: object) -> Callable[[Table], None]:
    """A change that puts one entry into a table of the map."""

    def change(table: Table) -> None:
        table.setdefault(key, {})[name] = value

    return change


def drop(key: str, name: str | None = None) -> Callable[[Table], None]:
    """A change that drops an entry of a table of the map, or a whole table."""

    def change(table: Table) -> None:
        if name is None:
            del table[key]
        else:
            del table[key][name]

    return change


def both(*changes: Callable[[Table], None]) -> Callable[[Table], None]:
    """Several changes."""

    def change(table: Table) -> None:
        for one in changes:
            one(table)

    return change


SLIPS: dict[str, tuple[Callable[[Table], None], str]] = {
    "no frame": (drop("frame"), "no 'frame'"),
    "an unknown table": (put("colours", "SEA", "blue"), "'colours'"),
    "a frame of three sides": (drop("frame", "west"), "frame: west must be a number"),
    "an area among seas and lands": (lambda t: t["seas"].append("PAR"), "PAR is listed among both"),
    "an area listed twice": (lambda t: t["lands"].append("PAR"), "lands lists PAR twice"),
    "an area without corners": (lambda t: t["lands"].append("LUX"), "face LUX is in no corner"),
    "an unknown area in a corner": (put("corners", "BEL/BUR/LUX", [6, 49]), "corner BEL/BUR/LUX: 'LUX'"),
    "a corner unsorted": (put("corners", "BUR/BEL/PIC", [6, 49]), "corner BUR/BEL/PIC: .* as in BEL/BUR/PIC"),
    "a corner of one area": (put("corners", "BEL", [6, 49]), "corner BEL"),
    "a corner nowhere": (put("corners", "BEL/BUR/PIC", [6, 490]), "corner BEL/BUR/PIC: .* is not a place"),
    "a corner with one number": (put("corners", "BEL/BUR/PIC", [6]), "corner BEL/BUR/PIC: .* is not a place"),
    "an edge unsorted": (put("edges", "BUR-BEL", {}), "edge BUR-BEL: write its two areas sorted"),
    "an edge of three areas": (put("edges", "BEL-BUR-PIC", {}), "edge BEL-BUR-PIC"),
    "an edge to an unknown area": (put("edges", "BEL-LUX", {}), "edge BEL-LUX: 'LUX'"),
    "a shore": (put("edges", "BEL-ENG", {}), "edge BEL-ENG is a shore"),
    "an edge with an odd key": (put("edges", "BEL-BUR", {"bends": []}), "edge BEL-BUR has no 'bends'"),
    "an edge that bends and follows": (put("edges", "BEL-BUR", {"via": [], "ref": "x"}), "edge BEL-BUR has both"),
    "an edge not written": (drop("edges", "BEL-BUR"), "corner BEL/BUR/...: no edge BEL-BUR ends there"),
    "an edge without corners": (put("edges", "BEL-WAR", {}), "edge BEL-WAR has a free end: no corner"),
    "a corner lost": (drop("corners", "BEL/BUR/PIC"), "edge .* has a free end: only corner"),
    "an edge written twice": (put("edges", "BEL-BUR:n", {}), "edges BEL-BUR and BEL-BUR:n both end at corner"),
    "a third corner of a pair": (put("corners", "BEL/BUR/PIC:n", [5, 49]), "edge BEL-BUR: 3 corners hold both names"),
    "an end elsewhere": (
        put("edges", "BEL-BUR", {"ends": ["BEL/BUR/PIC", "BUR/MUN/RUH"]}),
        "edge BEL-BUR: its end 'BUR/MUN/RUH'",
    ),
    "a passage that is a sea": (put("through", "SKA", "why not"), "through: 'SKA'"),
    "a coast of a sea": (put("coasts", "SKA", {"NC": [8, 58]}), "coasts: 'SKA'"),
    "a coast nowhere": (put("coasts", "SPA", {"NC": "north"}), "coast SPA/NC"),
    "a setting of the land lost": (drop("land", "close"), "land: close must be a number"),
    "an odd base land": (
        put("land", "base", "moon"),
        "land.base is 'moon'; it must be one of land, far_east, americas",
    ),
    "an odd setting of the land": (put("land", "smooth", 3), "land has no 'smooth'"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_refused_by_name(slip: str) -> None:
    change, message = SLIPS[slip]
    table = standard_table()
    change(table)
    with pytest.raises(InvalidFigure, match=message):
        read_table(table)


def test_corners_know_where_they_lie() -> None:
    authored = read_table(standard_table())
    kinds = {name: authored.kind(name) for name in ("#/MID/NAT", "GOL/TYN/WES", "BEL/BUR/PIC", "BEL/ENG/PIC")}
    assert list(kinds.values()) == ["frame", "sea", "land", "coast"]


def extend(folder: Path, text: str) -> Path:
    path = folder / "map.toml"
    path.write_text(f'extends = "{(STANDARD / "map.toml").as_posix()}"\n{text}')
    return path


def test_a_map_that_extends_another_adds_and_replaces(tmp_path: Path) -> None:
    authored = read_map(extend(tmp_path, 'title = "Mine"\n[corners]\n"BEL/BUR/PIC" = [4.0, 50.0]\n'))
    base = read_map(STANDARD / "map.toml")
    assert authored.title == "Mine"
    assert {name for name in base.corners if authored.corners[name] != base.corners[name]} == {"BEL/BUR/PIC"}
    assert authored.edges == base.edges


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[remove]\ncorners = ["AAA/BBB/CCC"]', "remove.corners: the base has no 'AAA/BBB/CCC'"),
        ('[remove]\nframe = ["west"]', "remove.frame"),
        ('[remove]\ncorners = ["BEL/BUR/PIC"]', "free end"),
        ("[remove", "cannot be read"),
    ],
)
def test_a_map_that_extends_another_wrongly_is_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidFigure, match=message):
        read_map(extend(tmp_path, text))


def test_a_map_that_extends_itself_or_nothing_is_refused(tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text('extends = "map.toml"')
    with pytest.raises(InvalidFigure, match="extends itself"):
        read_map(tmp_path / "map.toml")
    with pytest.raises(InvalidFigure, match="cannot be read"):
        read_map(tmp_path / "none.toml")


def test_the_digest_of_a_map_counts_what_it_says_and_not_how(tmp_path: Path) -> None:
    plain = map_digest(extend(tmp_path, ""))
    assert map_digest(extend(tmp_path, "# a comment\n")) == plain
    assert map_digest(extend(tmp_path, '[corners]\n"BEL/BUR/PIC" = [4.0, 50.0]\n')) != plain


ANT = {"at": [0, -3500], "size": [1500, 400], "links": ["MID", "SPA/SC"], "reason": "far away"}


def test_a_box_is_read_with_its_links_in_order() -> None:
    table = standard_table() | {"boxes": {"ANT": ANT}}
    (box,) = read_table(table).boxes
    assert (box.code, box.at, box.size, box.reason) == ("ANT", (0, -35000), (15000, 4000), "far away")
    assert [str(link) for link in box.links] == ["MID", "SPA/SC"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"links": ["XYZ"]}, "box ANT: 'XYZ' is not among the areas"),
        ({"at": [1]}, "at is two numbers of km"),
        ({"size": ["large", 1]}, "size is two numbers of km"),
        ({"colour": "blue"}, "'colour' is missing or unknown"),
    ],
)
def test_a_box_written_wrongly_is_refused(change: Table, told: str) -> None:
    with pytest.raises(InvalidFigure, match=told):
        read_table(standard_table() | {"boxes": {"ANT": ANT | change}})


def test_a_map_extends_another_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "map.toml"
    file.write_text('extends = "standard"\n', encoding="utf-8")
    assert read_map(file) == read_map(library.folder_of("standard") / "map.toml")


def test_with_a_land_that_is_removed_goes_what_is_said_of_its_coasts() -> None:
    base = {"lands": ["BUL", "SER"], "seas": [], "coasts": {"BUL": {"EC": [1, 2]}}, "through": {"BUL": "a strait"}}
    assert merge(base, {"remove": {"lands": ["BUL"]}}) == {
        "lands": ["SER"],
        "seas": [],
        "coasts": {},
        "through": {},
    }

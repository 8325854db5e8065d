"""The maps drawn from real coasts have exactly the contacts that are published for their variants."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pytest

from clockwise import DATA
from looks import close_nodes, short_borders
from maps.figures import assert_compiled_from_map, board_of, pairs_of
from plenipo import library
from plenipo.engine.board import Board, Code, Location, Terrain, UnitKind
from plenipo.maps.figure.planar import Figure
from plenipo.maps.lettering.label_grid import FULL_WIDTH
from plenipo.maps.lettering.overlaps import overlaps
from plenipo.maps.lettering.placements import Placements

Pairs = set[tuple[str, str]]


@dataclass(frozen=True)
class PublishedMap:
    """A map by the name of its variant, and what is special on it.

    `ports` are inland spaces that a river makes coastal, and the moves of a fleet from there. `close` are pairs of
    corners nearer to each other than `corners`, `short` the borders shorter than `borders`, both in units of the map.
    """

    variant: str
    ports: Mapping[str, set[str]] = field(default_factory=dict)
    corners: int = 22
    close: Pairs = field(default_factory=set)
    borders: int = 45
    short: Pairs = field(default_factory=set)

    def __str__(self) -> str:
        return self.variant

    @cached_property
    def folder(self) -> Path:
        return library.folder_of(self.variant)

    @cached_property
    def figure(self) -> Figure:
        return Figure.from_json((self.folder / "figure.json").read_text(encoding="utf-8")).check()

    @cached_property
    def board(self) -> Board:
        return library.load(self.variant).board

    def read_published(self, kind: str) -> Pairs:
        """Return the published contacts, both ways; those of fleets with their coasts."""
        file = DATA / f"{self.variant.replace('-', '_')}_contacts.toml"
        return pairs_of(tomllib.loads(file.read_text(encoding="utf-8"))[kind])


MAPS = (
    PublishedMap(
        "ancient-mediterranean",
        ports={"BAY": {"MEM", "THB"}, "MEM": {"ALE", "BAY", "THB"}},
        short={("AUS", "TYN"), ("COR", "SAD")},
    ),
    PublishedMap(
        "balkan-wars",
        ports={"GAL": {"BES", "CST"}},
        close={
            ("AEG/CON/MAR", "AEG/MAR/SMY"),
            ("ATH/COR/SPA", "ATH/CYC/SPA"),
            ("CON/MAR/SBS", "IZM/MAR/SBS"),
        },
        borders=25,
        short={("AEG", "MAR"), ("ATH", "SPA"), ("CMS", "ION"), ("CYC", "EMS"), ("MAR", "SBS")},
    ),
    PublishedMap("hundred", short={("ATL", "MED"), ("IRI", "MIN")}),
    PublishedMap("sengoku", corners=15, borders=18),
    PublishedMap("south-america", corners=60, borders=110),
)
"""The maps; their close corners and short borders are straits and an isthmus, which are narrow by nature."""


@pytest.fixture(params=MAPS, ids=str, scope="module")
def drawn(request: pytest.FixtureRequest) -> PublishedMap:
    found: PublishedMap = request.param
    return found


def test_the_committed_figure_is_what_the_committed_map_compiles_to(drawn: PublishedMap) -> None:
    assert_compiled_from_map(drawn.figure, drawn.folder)


def test_army_contacts_are_those_that_are_published(drawn: PublishedMap) -> None:
    contacts = {(str(one), str(other)) for one, others in drawn.board.armies.items() for other in others}
    assert contacts == drawn.read_published("armies")


def test_fleet_contacts_are_those_that_are_published_coast_by_coast(drawn: PublishedMap) -> None:
    contacts = {(str(one), str(to)) for one, others in drawn.board.fleets.items() for to in others}
    assert contacts == drawn.read_published("fleets")


def test_rivers_make_ports_of_inland_spaces(drawn: PublishedMap) -> None:
    board, inland = drawn.board, board_of(drawn.figure)
    ports = {code for code, space in board.spaces.items() if space.terrain != inland.spaces[code].terrain}
    assert ports == set(drawn.ports)
    for port, moves in drawn.ports.items():
        assert board.spaces[Code(port)].terrain is Terrain.COAST
        assert {str(to) for to in board.steps(UnitKind.FLEET, Location(Code(port)))} == moves


def test_borders_and_corners_lie_far_enough_apart_to_be_read(drawn: PublishedMap) -> None:
    assert set(close_nodes(drawn.figure, drawn.corners)) <= drawn.close
    assert {pair for pair in short_borders(drawn.figure, drawn.borders) if "#" not in pair} <= drawn.short


def test_nothing_on_the_map_lies_over_another_thing(drawn: PublishedMap) -> None:
    placements = Placements.from_json((drawn.folder / "placements.json").read_text(encoding="utf-8"))
    assert overlaps(drawn.figure, drawn.board, placements, FULL_WIDTH) == []

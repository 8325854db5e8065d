"""A second, independent way to a board: from lists of what each area touches, clockwise.

The lists were written down from the rules, not from the drawn map; the map is tested against what follows from them.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from plenipo.engine.board import Board, Coast, Code, Location, Space, Terrain

DATA = Path(__file__).parent / "data"
STANDARD = Path(__file__).parents[1] / "src" / "plenipo" / "variants" / "standard"

SEAS = set("ADR AEG BAL BAR BLA BOT EAS ENG GOL HEL ION IRI MID NAT NRG NTH SKA TYN WES".split())
IMPASSABLE = {"SWI"}
THROUGH = {"KIE", "CON", "DEN", "SWE"}
Coasts = Mapping[tuple[str, str], str]
"""Which named coast a contact with a sea lies on: (area, contact) -> name."""

COASTS = {("STP", "BAR"): "NC", ("STP", "BOT"): "SC", ("BUL", "BLA"): "EC", ("BUL", "AEG"): "SC"}
COASTS |= {("SPA", "MID#n"): "NC", ("SPA", "MID#s"): "SC", ("SPA", "WES"): "SC", ("SPA", "GOL"): "SC"}
"""The named coasts of the regular board."""


def read(path: Path) -> dict[str, list[str]]:
    """Area -> its contacts, clockwise, `*` for the board edge and `#x` kept."""
    lines = (line for line in path.read_text().splitlines() if line and not line.startswith("#"))
    return {area: contacts.split() for area, contacts in (line.split(":") for line in lines)}


def bare(contact: str) -> str:
    """The area of a contact, without the mark that tells two contacts apart."""
    return contact.split("#", maxsplit=1)[0]


def army_pairs(lists: dict[str, list[str]]) -> set[frozenset[str]]:
    """Land areas with a common border."""
    land = set(lists) - SEAS - IMPASSABLE
    return {frozenset((a, bare(c))) for a in land for c in lists[a] if bare(c) in land}


def fleet_pairs(lists: dict[str, list[str]], coasts: Coasts = COASTS) -> set[frozenset[Location]]:
    """Locations a fleet may pass between: by a sea, or along a shore past the sea in which a land border ends."""
    pairs: set[frozenset[Location]] = set()

    def location(area: str, sea: str) -> Location:
        """Return the location of a fleet in `area` that touches the contact `sea` of that area."""
        return Location(Code(area), Coast(coasts.get((area, sea), "")))

    for area, contacts in lists.items():
        if area in SEAS:
            for contact in contacts:
                if contact == "*":
                    continue
                if bare(contact) in SEAS:
                    pairs.add(frozenset((Location(Code(area)), Location(Code(bare(contact))))))
            continue
        for contact in contacts:
            if bare(contact) in SEAS:
                pairs.add(frozenset((location(area, contact), Location(Code(bare(contact))))))
        for here, then in pairwise([*contacts, contacts[0]]):
            # clockwise here -> then; a land contact beside a sea contact is a shore that both share
            if bare(here) in SEAS and bare(then) not in SEAS | IMPASSABLE | {"*"}:
                other = lists[bare(then)]
                sea = other[(other.index(area) + 1) % len(other)]
                assert bare(sea) == bare(here), f"{area} and {then} disagree about {here}"
                pairs.add(frozenset((location(area, here), location(bare(then), sea))))
    return pairs


def board_of_lists(
    name: str, lists: dict[str, list[str]], table: Mapping[str, Mapping[str, Any]], coasts: Coasts = COASTS
) -> Board:
    """The board that follows from clockwise lists; `table` has the names, centres and aliases of the spaces."""
    spaces = []
    for code, info in table.items():
        wet = any(bare(c) in SEAS for c in lists[code])
        terrain = Terrain.SEA if code in SEAS else Terrain.COAST if wet else Terrain.INLAND
        named = tuple(sorted({Coast(coast) for (area, _), coast in coasts.items() if area == code}))
        aliases = tuple(info.get("aliases", ()))
        spaces.append(
            Space(Code(code), info["name"], terrain, info.get("centre", False), code in IMPASSABLE, named, aliases)
        )
    return Board.from_contacts(
        name,
        spaces,
        ((a, b) for a, b in map(sorted, army_pairs(lists))),
        ((a, b) for a, b in map(sorted, fleet_pairs(lists, coasts))),
    )


@cache
def standard_board() -> Board:
    """The regular board, from the clockwise lists."""
    table = tomllib.loads((STANDARD / "variant.toml").read_text())["spaces"]
    return board_of_lists("standard", read(DATA / "standard_clockwise.txt"), table)

"""The Cline Nine-Person board from lists of what each area touches, clockwise, as `clockwise` has the regular one.

What no plane can show is kept apart: `FLEETS_BEYOND` and `BOTH_BEYOND` are the contacts of the board that the drawn
map does not have.
"""

from collections import Counter
from functools import cache
from itertools import pairwise

from clockwise import COASTS as REGULAR_COASTS
from clockwise import DATA, IMPASSABLE, bare, read
from clockwise import SEAS as REGULAR_SEAS
from plenipo.engine.board import NO_COAST, Coast, Code, Location

SEAS = REGULAR_SEAS | {"CAS", "IND", "SAT", "SME", "WAT"}
COASTS = {
    **REGULAR_COASTS,
    ("IRA", "CAS"): "NC",
    ("IRA", "IND"): "SC",
    ("JOR", "EAS"): "WC",
    ("JOR", "IND"): "SC",
}
"""Which named coast a contact with a sea lies on."""

FLEETS_BEYOND = {("GEO", "SEV"), ("MOS", "SEV"), ("ANT", "WAT"), ("ANT", "IND")}
"""The Volga Canal and the way round Africa: fleets only."""

BOTH_BEYOND = {("NAP", "SIC"), ("CLY", "IRE")}
"""The Moses crossings: armies and fleets."""


@cache
def lists() -> dict[str, list[str]]:
    """Area -> its contacts, clockwise."""
    return read(DATA / "cline_clockwise.txt")


@cache
def table() -> dict[Location, tuple[set[str], set[Location]]]:
    """Return the destinations of armies and fleets from each location that differs from the regular board."""
    rows = {}
    for line in (DATA / "cline_contacts.txt").read_text().splitlines():
        if not line.startswith("#"):
            here, _, there = line.partition(": ")
            armies, fleets = (side.replace("-", "").split() for side in there.split("|"))
            rows[_written(here)] = set(armies), {_written(name) for name in fleets}
    return rows


def _written(name: str) -> Location:
    area, _, coast = name.rstrip(")").partition("(")
    return Location(Code(area), Coast(coast.upper()))


def army_pairs() -> set[frozenset[str]]:
    """Land areas with a common border."""
    dry = set(lists()) - SEAS - IMPASSABLE
    return {frozenset((area, bare(there))) for area in dry for there in lists()[area] if bare(there) in dry}


def fleet_pairs() -> set[frozenset[Location]]:
    """Locations a fleet may pass between: by a sea, or along a shore past the sea in which a land border begins."""
    pairs: set[frozenset[Location]] = set()
    for area, contacts in lists().items():
        for here, then in pairwise([*contacts, contacts[0]]):
            if bare(here) not in SEAS:
                continue
            pairs.add(frozenset((_at(area, here), _at(bare(here)))))
            if area not in SEAS | IMPASSABLE and bare(then) not in SEAS | IMPASSABLE | {"*"}:
                theirs = lists()[bare(then)]
                sea = theirs[(theirs.index(area) + 1) % len(theirs)]
                assert bare(sea) == bare(here), f"{area} and {then} disagree about {here}"
                pairs.add(frozenset((_at(area, here), _at(bare(then), sea))))
    return pairs


def _at(area: str, sea: str = "") -> Location:
    """Return the location of a fleet in `area` that touches the contact `sea` of that area."""
    return Location(Code(area), Coast(COASTS.get((area, sea), NO_COAST)))


def corners() -> Counter[tuple[str, ...]]:
    """Return how often the same areas meet in a point, by those areas, sorted.

    An area and two that follow each other in its list meet in a corner, unless one of the two is the board edge; so
    every corner of three areas is seen three times.
    """
    seen = Counter(
        tuple(sorted((area, bare(here), bare(then))))
        for area, contacts in lists().items()
        for here, then in pairwise([*contacts, contacts[0]])
        if "*" not in (here, then)
    )
    assert all(times % 3 == 0 for times in seen.values()), "a corner is not seen alike from its three areas"
    return Counter({areas: times // 3 for areas, times in seen.items()})


def edges_of_the_board() -> int:
    """Return the number of stretches of the board edge, which equals the number of borders that end there."""
    return sum(contacts.count("*") for contacts in lists().values())

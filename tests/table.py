"""A table to test at: standard rules on the independently written board, and positions and orders typed as text."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from clockwise import standard_board
from plenipo.engine.board import Board, Coast, Code, Corner, Location
from plenipo.engine.calendar import Calendar, Phase, PhaseKind, Step
from plenipo.engine.double_corners import Double
from plenipo.engine.facts import Fact
from plenipo.engine.hooks import Effects, RuleModule
from plenipo.engine.orders import Order
from plenipo.engine.outcome import Outcome, Resolution
from plenipo.engine.phases.step import process
from plenipo.engine.position import Dislodged, Position, Power, PowerInfo, Unit
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.reading.positions import BoardReader
from plenipo.engine.rulebook import Rulebook
from plenipo.engine.rules import Rules

HOMES = {
    "Austria": "A BUD, A VIE, F TRI",
    "England": "F EDI, F LON, A LVP",
    "France": "F BRE, A MAR, A PAR",
    "Germany": "A BER, F KIE, A MUN",
    "Italy": "F NAP, A ROM, A VEN",
    "Russia": "A MOS, F SEV, F STP/SC, A WAR",
    "Turkey": "F ANK, A CON, A SMY",
}
"""The units each power opens with."""

ADJECTIVES = "Austrian English French German Italian Russian Turkish".split()

YEAR = Calendar(
    (
        Step("Spring", PhaseKind.MOVEMENT),
        Step("Spring", PhaseKind.RETREATS),
        Step("Fall", PhaseKind.MOVEMENT),
        Step("Fall", PhaseKind.RETREATS),
        Step("Winter", PhaseKind.OWNERSHIP),
        Step("Winter", PhaseKind.ADJUSTMENTS),
    ),
    1901,
)

SPRING = Phase("Spring", 1901, PhaseKind.MOVEMENT)
FALL = Phase("Fall", 1901, PhaseKind.MOVEMENT)
WINTER = Phase("Winter", 1901, PhaseKind.ADJUSTMENTS)


@dataclass(frozen=True)
class Declares(RuleModule):
    """Declares some facts and nothing else."""

    name: ClassVar[str] = "declares"
    said: tuple[Fact, ...] = ()

    def facts(self, rules: Rules) -> Iterable[Fact]:
        return self.said


def rules_on(board: Board, rulebook: Rulebook, powers: Iterable[str] = HOMES) -> Rules:
    """Rules for the seven powers on any board, with the regular calendar."""
    infos = tuple(PowerInfo(Power(name), adjective) for name, adjective in zip(powers, ADJECTIVES, strict=False))
    blank = Rules("standard", "Diplomacy", board, infos, YEAR, rulebook, 18, Position(YEAR.first))
    if board is not standard_board():
        return blank
    homes = {
        Power(power): frozenset(unit.space for unit in units_of(blank, power, text)) for power, text in HOMES.items()
    }
    opening = Position(
        YEAR.first,
        tuple(unit for power, text in HOMES.items() for unit in units_of(blank, power, text)),
        owners={code: power for power, codes in homes.items() for code in codes},
        homes=homes,
    )
    return Rules("standard", "Diplomacy", board, infos, YEAR, rulebook, 18, opening)


@cache
def standard(edition: str = "standard", *policies: tuple[str, str]) -> Rules:
    """Standard rules under an edition, single policies chosen otherwise: `standard("1971", ("4.A.3", "intent"))`."""
    return rules_on(standard_board(), Rulebook.edition(edition, dict(policies)))


def units_of(rules: Rules, power: str, text: str) -> list[Unit]:
    """`"A BUD, F TRI"` as units of `power`."""
    refs = (notation_of(rules).unit(part) for part in text.split(",") if part.strip())
    return [Unit(Power(power), ref.kind, ref.location) for ref in refs if ref.kind]


def by_power(text: str) -> dict[str, list[str]]:
    """`France: A PAR - BUR, A MAR H` lines as power -> texts."""
    lines = (line.partition(":") for line in text.strip().splitlines() if line.strip())
    return {power.strip(): [part.strip() for part in rest.split(",") if part.strip()] for power, _, rest in lines}


def order_sets(rules: Rules, text: str, kind: PhaseKind = PhaseKind.MOVEMENT) -> dict[Power, list[Order]]:
    """Lines of orders as order sets."""
    return {
        Power(power): [notation_of(rules).read(order, kind) for order in orders]
        for power, orders in by_power(text).items()
    }


def place(
    units: str,
    phase: Phase = SPRING,
    rules: Rules | None = None,
    *,
    owners: Mapping[str, str] | None = None,
    homes: Mapping[str, str] | None = None,
    dislodged: Iterable[Dislodged] = (),
    contested: str = "",
) -> Position:
    """A position from lines of units; `owners` and `homes` are power -> codes with blanks between."""
    rules = rules or standard()
    owned = {Code(code): Power(power) for power, codes in (owners or {}).items() for code in codes.split()}
    at_home = {Power(power): frozenset(map(Code, codes.split())) for power, codes in (homes or {}).items()}
    return Position(
        phase,
        tuple(unit for power, texts in by_power(units).items() for unit in units_of(rules, power, ",".join(texts))),
        tuple(dislodged),
        frozenset(map(Code, contested.split())),
        owned,
        at_home or dict(rules.opening.homes),
    )


def judge(orders: str, units: str = "", rules: Rules | None = None, phase: Phase = SPRING) -> Resolution:
    """Judge lines of movement orders; every ordered unit stands on the board, and so do the extra `units`."""
    rules = rules or standard()
    given = order_sets(rules, orders)
    placed = [
        Unit(power, order.unit.kind, order.unit.location)
        for power, order_set in given.items()
        for order in order_set
        if not isinstance(order, tuple) and hasattr(order, "unit") and order.unit.kind
    ]
    extra = [unit for power, texts in by_power(units).items() for unit in units_of(rules, power, ",".join(texts))]
    return process(rules, Position(phase, tuple(dict.fromkeys([*placed, *extra])), homes=rules.opening.homes), given)


def outcome(resolution: Resolution, unit: str) -> Outcome:
    """The outcome of the unit written `A PAR`."""
    return next(found for found in resolution.outcomes if str(found.unit) == unit)


def results(resolution: Resolution) -> dict[str, str]:
    """Unit -> its result, with ` dislodged` added where it was."""
    return {
        str(found.unit): str(found.result) + (" dislodged" if found.dislodged_by else "")
        for found in resolution.outcomes
    }


def said(effects: Effects) -> tuple[str, ...]:
    """Return the sentences of the effects."""
    return tuple(map(str, effects.events))


def board_of(position: Position) -> dict[str, list[str]]:
    """Power -> units on the board."""
    units: dict[str, list[str]] = {}
    for unit in position.units:
        units.setdefault(unit.power, []).append(str(unit))
    return units


def owner(position: Position, code: str) -> str | None:
    """Return the owner of a centre, or None."""
    return position.owners.get(Code(code))


def spaces(locations: Iterable[Location]) -> str:
    """Locations as text with blanks between."""
    return " ".join(str(location) for location in locations)


def reader() -> BoardReader:
    """A reader of what is written about the standard board."""
    rules = standard()
    return BoardReader(rules.board, rules.power, lambda: notation_of(rules))


def corner(code: str) -> Corner | None:
    """The corner with this name, if it is the name of one."""
    if not code.startswith("["):
        return None
    areas = [area.rstrip(")").partition("(") for area in re.split("[/>]", code[1:-1])]
    touches = tuple(Location(Code(area), Coast(coast.upper())) for area, _, coast in areas)
    return Double(touches) if ">" in code else Corner(touches)

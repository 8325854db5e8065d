"""The text of droidippy and of godip's collection of its games: a position and the orders of each phase.

A game is a list of phases. Each begins with `PHASE 1901 Spring Movement`; below `POSITIONS` stand units, centres and
dislodged units (`Austria: army/dislodged ser`), below `ORDERS` an order in each line without its power
(`nap move gre via convoy`). The codes are those of the standard game in lower case. There are no results and no
messages, and the last phase is the one the game stands at, or was left at.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plenipo.engine.board import Location, UnitKind
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.history.turns import Turn
from plenipo.engine.orders import Build, Convoy, Disband, Hold, Move, Order, Remove, Retreat, Support
from plenipo.engine.outcome import Reason
from plenipo.engine.position import Position
from plenipo.engine.sentences import say
from plenipo.engine.wording import in_quotes
from plenipo.errors import InvalidRecord
from plenipo.formats.base import Format, GamePart, LoadRules
from plenipo.formats.playback import play_back
from plenipo.formats.transcript import StatedDislodged, StatedPhase, StatedPosition, StatedUnit, Transcript

__all__ = ["DROIDIPPY"]

VARIANT = "standard"

OPTIONS: Sequence[Mapping[str, Any]] = (
    {},
    {"4.D.8": "home"},
    {"4.A.3": "intent-or-land"},
    {"4.A.3": "intent-or-land", "4.D.8": "home"},
)
"""The rules by which a game may have been played: removals and convoys to adjacent places."""

_KINDS = {"Movement": PhaseKind.MOVEMENT, "Retreat": PhaseKind.RETREATS, "Adjustment": PhaseKind.ADJUSTMENTS}
_LETTERS = {"army": "A", "fleet": "F"}
_WORDS = {"A": "army", "F": "fleet"}
_FIRST = "PHASE 1901 Spring Movement"


# Reading


def _sniff(text: str) -> bool:
    head, _, rest = text.lstrip("\ufeff \n").partition("\n")
    return head.startswith("PHASE ") and len(head.split()) == 4 and rest.startswith("POSITIONS")


def _read(text: str, load: LoadRules) -> Game:
    return play_back(_transcribe(text), load, OPTIONS)


def _transcribe(text: str) -> Transcript:
    heads: list[str] = []
    parts: list[tuple[list[str], list[str]]] = []
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        line = line.strip()  # noqa: PLW2901  # blanks mean nothing
        if line.startswith("PHASE "):
            heads.append(_name(line, number))
            parts.append(([], []))
            into = parts[-1][0]
        elif line in ("POSITIONS", "ORDERS") and parts:
            into = parts[-1][line == "ORDERS"]
        elif line and parts:
            into.append(line)
        elif line:
            raise InvalidRecord(
                say("Line {number}: {line} stands before the first PHASE.", number=number, line=in_quotes(line[:60]))
            )
    phases = [
        _state_phase(head, positions, orders, last=number == len(heads))
        for number, (head, (positions, orders)) in enumerate(zip(heads, parts, strict=True), 1)
    ]
    return Transcript(VARIANT, tuple(phases))


def _name(line: str, number: int) -> str:
    words = line.split()
    if len(words) != 4 or not words[1].isdecimal() or words[3] not in _KINDS:
        raise InvalidRecord(
            say(
                "Line {number}: {line} is not a phase; it is written like {example}.",
                number=number,
                line=in_quotes(line[:60]),
                example=in_quotes(_FIRST),
            )
        )
    kind = _KINDS[words[3]]
    season = "Winter" if kind is PhaseKind.ADJUSTMENTS else words[2]
    return f"{season} {words[1]} {kind}"


def _state_phase(name: str, positions: Sequence[str], orders: Sequence[str], *, last: bool) -> StatedPhase:
    units: list[StatedUnit] = []
    fallen: list[StatedDislodged] = []
    owners: dict[str, str] = {}
    for line in positions:
        power, colon, rest = line.partition(": ")
        kind, _, place = rest.partition(" ")
        unit_type = _LETTERS.get(kind.removesuffix("/dislodged"))
        if not colon or not place or (unit_type is None and kind != "supply"):
            raise InvalidRecord(
                say(
                    "{name}: {line} is not a line of a position; it is written like 'Turkey: fleet ank'.",
                    name=name,
                    line=in_quotes(line[:60]),
                )
            )
        if unit_type is None:
            owners[place] = power
        elif kind.endswith("/dislodged"):
            fallen.append(StatedDislodged(power, f"{unit_type} {place}"))
        else:
            units.append(StatedUnit(power, f"{unit_type} {place}"))
    given: dict[str, list[str]] = {}
    whose = _owners_of_orders(units, fallen, owners, name)
    for line in orders:
        words = line.split()
        place = words[0] if words[0] not in ("build", "remove") else words[-1]
        power = whose.get(place.partition("/")[0], "")
        if not power:
            raise InvalidRecord(
                say("{name}: no power can give the order {line}.", name=name, line=in_quotes(line[:60]))
            )
        given.setdefault(power, []).append(line)
    return StatedPhase(
        name,
        StatedPosition(tuple(units), tuple(fallen), owners),
        {power: tuple(lines) for power, lines in given.items()},
        played=not last or bool(orders),
    )


def _owners_of_orders(
    units: Sequence[StatedUnit], fallen: Sequence[StatedDislodged], owners: dict[str, str], name: str
) -> dict[str, str]:
    """Return the power that gives the orders about each place: of the units there, or in a retreat the dislodged."""
    of_units = {unit.text[2:].partition("/")[0]: unit.power for unit in units}
    if name.endswith(PhaseKind.ADJUSTMENTS):
        return {**owners, **of_units}
    of_fallen = {unit.text[2:].partition("/")[0]: unit.power for unit in fallen}
    return of_fallen if name.endswith(PhaseKind.RETREATS) else of_units


# Writing


def _write(game: Game) -> str:
    if game.rules.variant != VARIANT:
        raise InvalidRecord(
            say("This format is for the standard game, and the game is one of {title}.", title=game.rules.title)
        )
    lines: list[str] = []
    for number, turn in enumerate(game.turns):
        lines += _write_phase(game.position_after(number), turn)
    return "\n".join([*lines, *_write_phase(game.position, None)]) + "\n"


def _write_phase(position: Position, turn: Turn | None) -> Iterator[str]:
    phase = position.phase
    season = "Fall" if phase.kind is PhaseKind.ADJUSTMENTS else phase.season
    kind = next((word for word, kind in _KINDS.items() if kind is phase.kind), "Movement")
    yield f"PHASE {phase.year} {season} {kind}"
    yield "POSITIONS"
    rows = [(unit.location, f"{unit.power}: {_WORDS[unit.kind]} {_place(unit.location)}") for unit in position.units]
    rows += [
        (one.unit.location, f"{one.unit.power}: {_WORDS[one.unit.kind]}/dislodged {_place(one.unit.location)}")
        for one in position.dislodged
    ]
    rows += [(Location(code), f"{power}: supply {code.lower()}") for code, power in position.owners.items()]
    yield from (row for _, row in sorted(rows))
    yield "ORDERS"
    for outcome in turn.resolution.outcomes if turn is not None else ():
        if outcome.order is not None and outcome.cause.reason is not Reason.CIVIL_DISORDER:
            text = _write_order(outcome.order)
            if text:
                yield text


def _place(location: Location) -> str:
    return str(location).lower()


def _write_order(order: Order) -> str:
    match order:
        case Hold(unit):
            return f"{_place(unit.location)} hold"
        case Move(unit, to, via):
            return f"{_place(unit.location)} move {_place(to)}{' via convoy' if via else ''}"
        case Support(unit, other, None):
            return f"{_place(unit.location)} support {_place(other.location)}"
        case Support(unit, other, to) if to is not None:
            return f"{_place(unit.location)} support {_place(other.location)} move {_place(to)}"
        case Convoy(unit, other, to):
            return f"{_place(unit.location)} convoy {_place(other.location)} move {_place(to)}"
        case Retreat(unit, to):
            return f"{_place(unit.location)} move {_place(to)}"
        case Disband(unit):
            return f"{_place(unit.location)} disband"
        case Build(unit):
            return f"build {_WORDS[unit.kind or UnitKind('A')].capitalize()} {_place(unit.location)}"
        case Remove(unit):
            return f"remove {_place(unit.location)}"
        case _:
            return ""


DROIDIPPY = Format(
    "droidippy",
    "the text of droidippy's games, as in godip-history",
    _sniff,
    _read,
    _write,
    frozenset({GamePart.ORDERS, GamePart.POSITIONS}),
    lambda line: line.startswith(_FIRST),
)

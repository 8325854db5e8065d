"""The answer of webDiplomacy's interface about a game: `game/status`, a JSON object with a list of `phases`.

Places and countries are numbers, in the order in which webDiplomacy lists them. A phase has the units with which it
begins, the owners of centres, the orders, and the messages with their times. A turn is half a year, from spring 1901.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.history.messages import Message
from plenipo.engine.history.turns import Turn
from plenipo.engine.orders import Build, Convoy, Disband, Hold, Move, Order, Remove, Retreat, Support
from plenipo.engine.outcome import Outcome, Reason
from plenipo.engine.position import Position
from plenipo.engine.sentences import say
from plenipo.errors import InvalidRecord
from plenipo.formats.base import Format, GamePart, LoadRules
from plenipo.formats.parsing import json_object
from plenipo.formats.playback import play_back
from plenipo.formats.transcript import StatedDislodged, StatedPhase, StatedPosition, StatedUnit, Transcript

__all__ = ["WEBDIPLOMACY"]

VARIANT, VARIANT_ID, START = "standard", 1, 1901
COUNTRIES = ("GLOBAL", "England", "France", "Italy", "Germany", "Austria", "Turkey", "Russia")
PLACES = (
    *("", "CLY", "EDI", "LVP", "YOR", "WAL", "LON", "POR", "SPA", "NAF", "TUN", "NAP", "ROM", "TUS", "PIE", "VEN"),
    *("APU", "GRE", "ALB", "SER", "BUL", "RUM", "CON", "SMY", "ANK", "ARM", "SYR", "SEV", "UKR", "WAR", "LVN", "MOS"),
    *("STP", "FIN", "SWE", "NWY", "DEN", "KIE", "BER", "PRU", "SIL", "MUN", "RUH", "HOL", "BEL", "PIC", "BRE", "PAR"),
    *("BUR", "MAR", "GAS", "BAR", "NRG", "NTH", "SKA", "HEL", "BAL", "BOT", "NAT", "IRI", "ENG", "MID", "WES", "GOL"),
    *("TYN", "ION", "ADR", "AEG", "EAS", "BLA", "TYO", "BOH", "VIE", "TRI", "BUD", "GAL"),
    *("SPA/NC", "SPA/SC", "STP/NC", "STP/SC", "BUL/EC", "BUL/SC"),
)
"""The places by their numbers, from 1 on, with the codes of the standard game."""

NUMBERS = {place: number for number, place in enumerate(PLACES)}

_KINDS = {"Diplomacy": "M", "Retreats": "R", "Builds": "A"}
_NAMES = {PhaseKind.MOVEMENT: "Diplomacy", PhaseKind.RETREATS: "Retreats", PhaseKind.ADJUSTMENTS: "Builds"}
_LETTERS = {"Army": "A", "Fleet": "F"}
_UNITS = {"A": "Army", "F": "Fleet"}


# Reading


def _sniff(text: str) -> bool:
    value = json_object(text)
    return value is not None and "gameID" in value and isinstance(value.get("phases"), list)


def _read(text: str, load: LoadRules) -> Game:
    value = json_object(text)
    if value is None or not isinstance(value.get("phases"), list):
        raise InvalidRecord(say("This is not an answer of game/status with a list of 'phases'."))
    if value.get("variantID", VARIANT_ID) != VARIANT_ID:
        raise InvalidRecord(
            say(
                "The game is of variant number {number} of webDiplomacy; only number 1, the standard game, is read.",
                number=value["variantID"],
            )
        )
    played = [phase for phase in value["phases"] if isinstance(phase, dict) and phase.get("phase") in _KINDS]
    phases: list[StatedPhase] = []
    messages: list[Message] = []
    for number, phase in enumerate(played):
        name = _name(phase, number)
        try:
            phases.append(_state_phase(name, phase, last=number == len(played) - 1))
            messages += _messages(name, phase)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as fault:
            raise InvalidRecord(
                say("{name}: the phase cannot be read; a number or a word in it is missing or unknown.", name=name)
            ) from fault
    over = value.get("gameOver") == "Drawn"
    return play_back(Transcript(VARIANT, tuple(phases), messages=tuple(messages), over=over), load)


def _name(phase: Mapping[str, Any], number: int) -> str:
    turn = phase.get("turn")
    if not isinstance(turn, int) or isinstance(turn, bool) or not 0 <= turn < 10_000:
        raise InvalidRecord(say("Phase {number} has no 'turn', which is a whole number from 0 on.", number=number + 1))
    kind = _KINDS[phase["phase"]]
    season = "W" if kind == "A" else "SF"[turn % 2]
    return f"{season}{START + turn // 2}{kind}"


def _place(number: int) -> str:
    if not 0 < number < len(PLACES):
        raise ValueError(number)
    return PLACES[number]


def _country(number: int) -> str:
    if not 0 < number < len(COUNTRIES):
        raise ValueError(number)
    return COUNTRIES[number]


def _state_phase(name: str, phase: Mapping[str, Any], *, last: bool) -> StatedPhase:
    units, fallen = [], []
    for unit in phase.get("units") or ():
        text = f"{_LETTERS[unit['unitType']]} {_place(unit['terrID'])}"
        power = _country(unit["countryID"])
        if unit.get("retreating") == "Yes":
            fallen.append(StatedDislodged(power, text))
        else:
            units.append(StatedUnit(power, text))
    centres = phase.get("centers")
    owners = (
        {_place(one["terrID"]): _country(one["countryID"]) for one in centres if one["countryID"]} if centres else None
    )
    position = StatedPosition(tuple(units), tuple(fallen), owners) if units else None
    orders: dict[str, list[str]] = {}
    for order in phase.get("orders") or ():
        orders.setdefault(_country(order["countryID"]), []).append(_order(order))
    given = {power: tuple(texts) for power, texts in orders.items()}
    return StatedPhase(name, position, given, played=not last or bool(given))


def _order(order: Mapping[str, Any]) -> str:
    kind = order["type"]
    if kind == "Wait":
        return "WAIVE"
    place = _place(order["terrID"])
    if kind.startswith("Build "):
        return f"{_LETTERS[kind.removeprefix('Build ')]} {place} B"
    if kind in ("Destroy", "Disband"):
        return f"{place} D"
    unit = f"{_LETTERS[order['unitType']]} {place}"
    if kind == "Hold":
        return f"{unit} H"
    to = _place(order["toTerrID"])
    if kind == "Move":
        return f"{unit} - {to}{' VIA' if order.get('viaConvoy') == 'Yes' else ''}"
    if kind == "Retreat":
        return f"{unit} R {to}"
    if kind == "Support hold":
        return f"{unit} S {to}"
    start = _place(order["fromTerrID"])
    if kind == "Support move":
        return f"{unit} S {start} - {to}"
    if kind == "Convoy":
        return f"{unit} C A {start} - {to}"
    raise ValueError(kind)


def _messages(name: str, phase: Mapping[str, Any]) -> Iterator[Message]:
    for one in phase.get("messages") or ():
        sender, recipient = (COUNTRIES[number] for number in (one["fromCountryID"], one["toCountryID"]))
        time = one.get("timeSent")
        if not isinstance(one["message"], str) or not isinstance(time, int | None):
            raise TypeError
        yield Message(sender, recipient, name, one["message"], time)


# Writing


def _write(game: Game) -> str:
    if game.rules.variant != VARIANT:
        raise InvalidRecord(
            say("This format is for the standard game, and the game is one of {title}.", title=game.rules.title)
        )
    positions = [game.position_after(number) for number in range(len(game.turns) + 1)]
    turns: list[Turn | None] = [*game.turns, None]
    phases = [_write_phase(*pair) for pair in zip(positions, turns, strict=True)]
    numbers = {position.phase.code: number for number, position in reversed(list(enumerate(positions)))}
    number = 0
    for message in game.messages:
        number = max(number, numbers.get(message.phase, number))
        ends = [COUNTRIES.index(name) if name in COUNTRIES else 0 for name in (message.sender, message.recipient)]
        phases[number]["messages"].append(
            {
                "message": message.text,
                "fromCountryID": ends[0],
                "toCountryID": ends[1],
                "timeSent": message.time,
                "phaseMarker": phases[number]["phase"],
            }
        )
    now = game.position
    over = "Drawn" if game.drawn else "Won" if game.over else "No"
    head = {"gameID": 0, "variantID": VARIANT_ID, "turn": _turn(now), "gameOver": over}
    head["phase"] = "Finished" if game.over else phases[-1]["phase"]
    return json.dumps({**head, "phases": phases}, ensure_ascii=False) + "\n"


def _turn(position: Position) -> int:
    return 2 * (position.phase.year - START) + (position.phase.season != "Spring")


def _write_phase(position: Position, turn: Turn | None) -> dict[str, Any]:
    name = _NAMES.get(position.phase.kind, "Diplomacy")
    pairs = [(unit, "No") for unit in position.units] + [(one.unit, "Yes") for one in position.dislodged]
    units = [
        {
            "unitType": _UNITS[unit.kind],
            "retreating": retreating,
            "terrID": NUMBERS[str(unit.location)],
            "countryID": COUNTRIES.index(unit.power),
        }
        for unit, retreating in pairs
    ]
    centres = [
        {"terrID": NUMBERS[code], "countryID": COUNTRIES.index(power)} for code, power in position.owners.items()
    ]
    number = _turn(position)
    outcomes = turn.resolution.outcomes if turn is not None else ()
    orders = [{"turn": number, "phase": name, **written} for outcome in outcomes if (written := _write_order(outcome))]
    return {"units": units, "orders": orders, "messages": [], "centers": centres, "turn": number, "phase": name}


def _write_order(outcome: Outcome) -> dict[str, Any]:
    order = outcome.order
    if order is None or outcome.cause.reason is Reason.CIVIL_DISORDER:
        return {}
    kind, start, to, via = _parts(order)
    if not kind:
        return {"countryID": COUNTRIES.index(outcome.power), "terrID": 0, "type": "Wait"}
    unit = getattr(order, "unit", None)
    place = str(unit.location) if unit is not None else ""
    letter = unit.kind if unit is not None and not kind.startswith("Build") else None
    return {
        "countryID": COUNTRIES.index(outcome.power),
        "terrID": NUMBERS[place],
        "unitType": _UNITS.get(letter or "", ""),
        "type": kind,
        "toTerrID": NUMBERS[to],
        "fromTerrID": NUMBERS[start],
        "viaConvoy": "Yes" if via else "No",
        "success": "Yes" if outcome.result.succeeded and not isinstance(order, Hold) else "No",
        "dislodged": "Yes" if outcome.dislodged_by is not None else "No",
    }


def _parts(order: Order) -> tuple[str, str, str, bool]:
    """Return the type of an order, where the other unit stands, where it goes, and whether it goes by convoy."""
    match order:
        case Hold():
            return "Hold", "", "", False
        case Move(_, to, via):
            return "Move", "", str(to), via
        case Retreat(_, to):
            return "Retreat", "", str(to), False
        case Support(_, other, None):
            return "Support hold", "", str(other.location), False
        case Support(_, other, to) if to is not None:
            return "Support move", str(other.location), str(to), False
        case Convoy(_, other, to):
            return "Convoy", str(other.location), str(to), False
        case Disband():
            return "Disband", "", "", False
        case Remove():
            return "Destroy", "", "", False
        case Build(unit):
            return f"Build {_UNITS[unit.kind or 'A']}", "", "", False
        case _:
            return "", "", "", False


WEBDIPLOMACY = Format(
    "webdiplomacy",
    "the answer game/status of webDiplomacy",
    _sniff,
    _read,
    _write,
    frozenset({GamePart.ORDERS, GamePart.POSITIONS, GamePart.RESULTS, GamePart.MESSAGES, GamePart.TIMES}),
)

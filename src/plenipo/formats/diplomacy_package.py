"""The saved games of the Python package `diplomacy`: a JSON object with a list of phases, on the standard map.

A phase has the position it begins with (`state`), the `orders` of each power, and for each unit a list of words about
what came of its order (`results`). Powers are written in capitals, six seas and Tyrolia have other codes than here,
and a dislodged unit has a star. The last phase is the one the game stands at, or `COMPLETED`.

A game is read by playing its orders. The package adjudicates otherwise than the rules here in a few positions: a convoy
to an adjacent place, supports of a convoyed attack on a unit of the supporter's own power, paradoxes that are none.
Where the file has another position than the one that follows from its orders, the game goes on from that of the file,
by a ruling that says what differs; so every game of the package is read whole.
Messages are not read, and there are none to write.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.history import record
from plenipo.engine.history.game import Game
from plenipo.engine.history.rulings import Edited, sealed
from plenipo.engine.orders import Waive
from plenipo.engine.outcome import Outcome, Reason, Resolution, Result
from plenipo.engine.phases import adjustments, retreats
from plenipo.engine.position import Dislodged, Position, Unit
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rules import Rules
from plenipo.engine.wording import listing
from plenipo.errors import InvalidRecord
from plenipo.formats.base import Format, LoadRules
from plenipo.formats.parsing import json_object

__all__ = ["DIPLOMACY"]

Json = Mapping[str, Any]

MAP = "standard"
"""The name of the map, in the file and here."""

COMPLETED = "COMPLETED"
"""The name of the last phase of a game that is over."""

CODES = {"GOL": "LYO", "MID": "MAO", "NAT": "NAO", "NRG": "NWG", "TYN": "TYS", "TYO": "TYR"}
"""The codes that differ: here, and in the file."""

OPTIONS: Sequence[Mapping[str, str]] = ({}, {"4.A.3": "intent-or-land"})
"""The rules by which a game may have been played: as a game from here, or as the package itself adjudicates."""

_CODE = re.compile(r"\b[A-Z]{3}\b")
_HERE = {there: here for here, there in CODES.items()}

_WORDS = {
    Result.CUT: "cut",
    Result.DISRUPTED: "disrupted",
    Result.VOID: "void",
    Result.DISBANDED: "disband",
}
"""The words for what came of an order; a move that fails has one by its reason."""

_FAILURES = {Reason.NO_CONVOY: "no convoy", Reason.CONVOY_BROKEN: "disrupted", Reason.PARADOX: "disrupted"}


def _there(what: object) -> str:
    """A text of ours with the codes of the file."""
    return _CODE.sub(lambda code: CODES.get(code[0], code[0]), str(what))


def _here(text: str) -> str:
    """A text of the file with our codes."""
    return _CODE.sub(lambda code: _HERE.get(code[0], code[0]), text)


# Writing


def _write(game: Game) -> str:
    rules = game.rules
    if rules.variant != MAP:
        raise InvalidRecord(f"This format is for the standard map, and the game is one of {rules.title}.")
    seal = record.encode_game(game, public=True)
    identity = {"id": record.digest(seal["start"])[:16], "map": MAP, "rules": []}
    phases = [_phase(rules, turn.resolution.before, identity, turn.resolution) for turn in game.turns]
    last = _phase(rules, game.position, identity, None)
    if game.over:
        last["name"] = last["state"]["name"] = COMPLETED
    return json.dumps({**identity, "phases": [*phases, last]}, ensure_ascii=False) + "\n"


def _phase(rules: Rules, position: Position, identity: Json, resolution: Resolution | None) -> dict[str, Any]:
    orders: dict[str, list[str]] = {power.upper(): [] for power in rules.names}
    results: dict[str, list[str]] = {}
    for outcome in resolution.outcomes if resolution is not None else ():
        # what a power did not order itself is not an order of the file
        if outcome.order is not None and outcome.cause.reason is not Reason.CIVIL_DISORDER:
            orders[outcome.power.upper()].append(_there(outcome.order))
        if outcome.unit is not None and not isinstance(outcome.order, Waive):
            results[_there(outcome.unit)] = _words(outcome)
    return {
        "name": position.phase.code,
        "state": _state(rules, position, identity),
        "orders": orders,
        "results": results,
        "messages": [],
    }


def _words(outcome: Outcome) -> list[str]:
    word = _WORDS.get(outcome.result, "")
    if outcome.result is Result.FAILS:
        word = _FAILURES.get(outcome.cause.reason, "bounce")
    gone = ["dislodged"] if outcome.dislodged_by is not None else []
    return [word, *gone] if word else gone or [""]


def _state(rules: Rules, position: Position, identity: Json) -> dict[str, Any]:
    state: dict[str, Any] = {"name": position.phase.code, "game_id": identity["id"], "map": MAP, "rules": []}
    state |= {key: {} for key in ("units", "retreats", "centers", "homes", "civil_disorder", "builds")}
    for power in rules.names:
        name = power.upper()
        gone = [dislodged for dislodged in position.dislodged if dislodged.unit.power == power]
        state["units"][name] = [
            *map(_there, position.units_of(power)),
            *(f"*{_there(dislodged.unit)}" for dislodged in gone),
        ]
        state["retreats"][name] = {
            _there(dislodged.unit): list(map(_there, retreats.options(rules, position, dislodged)))
            for dislodged in gone
        }
        state["centers"][name] = sorted(map(_there, position.centres_of(power)))
        state["homes"][name] = sorted(map(_there, position.homes.get(power, ())))
        state["civil_disorder"][name] = 0
        state["builds"][name] = {"count": 0, "homes": []}
        if position.phase.kind is PhaseKind.ADJUSTMENTS:
            due = adjustments.possible(rules, position, power)
            sites = adjustments.build_sites(rules, position, power) if due > 0 else ()
            state["builds"][name] = {"count": due, "homes": sorted(map(_there, sites))}
    return state


# Reading


def _matches(text: str) -> bool:
    value = json_object(text) or {}
    return "phases" in value and "format" not in value


def _read(text: str, load: LoadRules) -> Game:
    value = json_object(text)
    if value is None or not isinstance(value.get("phases"), list):
        raise InvalidRecord("The file is not a JSON object with a list of 'phases', so it is not a saved game.")
    if value.get("map", MAP) != MAP:
        raise InvalidRecord(f"The game was played on the map {value['map']!r}; only '{MAP}' can be read.")
    phases = [_checked(phase) for phase in value["phases"]]
    if not phases:
        raise InvalidRecord("The list of 'phases' is empty.")
    games: list[Game] = []
    for options in OPTIONS:
        games.append(_played(Game.new(load(MAP, options)), phases))
        if not games[-1].rulings:
            break
    return min(games, key=lambda game: len(game.rulings))


def _played(game: Game, phases: Sequence[Json]) -> Game:
    """The game with its orders played one phase after the other."""
    for phase in phases:
        if phase["name"] == COMPLETED:
            return game if game.over else game.draw(game.survivors)
        if _only_disbands(game, phase):
            continue
        game = _as_in_the_file(_reached(game, phase["name"]), phase)
        if phase is not phases[-1] or any(phase["results"].values()):
            orders = {game.rules.power(name): map(_here, texts or ()) for name, texts in phase["orders"].items()}
            game = game.process({power: tuple(texts) for power, texts in orders.items()})
    return game


def _checked(phase: object) -> dict[str, Any]:
    """A phase of the file; raises `InvalidRecord` unless everything that is read of it is what it must be."""
    if not isinstance(phase, dict) or not isinstance(phase.get("name"), str):
        raise InvalidRecord("Every one of the 'phases' must be an object with a 'name', such as S1901M.")
    state = phase.get("state")
    parts = {"orders": phase.get("orders", {}), "results": phase.get("results", {})}
    if not isinstance(state, dict):
        raise InvalidRecord(f"{phase['name']}: 'state' must be an object.")
    for key, part in (*parts.items(), *((key, state.get(key)) for key in ("units", "centers"))):
        # a power that ordered nothing may stand there with null
        if not isinstance(part, dict) or not all(_texts(texts or []) for texts in part.values()):
            raise InvalidRecord(f"{phase['name']}: '{key}' must be an object with a list of texts for each entry.")
    return {"name": phase["name"], "state": state, **parts}


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _only_disbands(game: Game, phase: Json) -> bool:
    """Whether the file plays a retreat phase that is passed over here, since no dislodged unit could go anywhere."""
    here = game.position.phase.code
    ways = phase["state"].get("retreats", {})
    bound = any(any(units.values()) for units in ways.values() if isinstance(units, dict))
    return phase["name"].endswith("R") and phase["name"] != here and not bound


def _reached(game: Game, name: str) -> Game:
    """The game at the phase `name`, where phases in which nobody had to order anything may lie between."""
    return game.process({}) if game.position.phase.code != name and name in _after(game, game.position.phase) else game


def _after(game: Game, phase: Phase) -> list[str]:
    """The codes of the phases that may follow `phase` at once or when others are passed over."""
    calendar = game.rules.calendar
    return [later.code for later in islice(calendar.after(phase), len(calendar.cycle))]


def _as_in_the_file(game: Game, phase: Json) -> Game:
    """The game in the position of the file, by a ruling if another follows from the orders.

    Raises `InvalidRecord` if the phase cannot follow, or if there can be no such position.
    """
    name, now = phase["name"], game.position.phase
    before = game.turns[-1].resolution.before.phase if game.turns else None
    if name != now.code and (before is None or name not in _after(game, before)):
        raise InvalidRecord(f"{name}: this phase does not follow; after the orders before it comes {now}.")
    differs = [] if name == now.code else [f"After the orders comes {now}."]
    differs += _differences(game, phase)
    if not differs:
        return game
    position = _stated(game, phase)
    for fault in position.faults(game.rules.board_at(position)):
        raise InvalidRecord(f"{name}: {fault}")
    return game.ruled(Edited(position, sealed(f"The position of the file, {name}. {' '.join(differs)}", "")))


def _differences(game: Game, phase: Json) -> list[str]:
    """Where the position is not that of the file, a sentence for each power and what it has."""
    rules, position, state = game.rules, game.position, phase["state"]
    # the package takes units that cannot retreat off at once
    gone = [fallen.unit for fallen in position.dislodged if retreats.options(rules, position, fallen)]
    sentences = []
    for power in rules.names:
        away = (f"*{_there(unit)}" for unit in gone if unit.power == power)
        units = sorted([*map(_there, position.units_of(power)), *away])
        for what, ours in (("units", units), ("centers", sorted(map(_there, position.centres_of(power))))):
            theirs = sorted(state[what].get(power.upper()) or ())
            if ours != theirs:
                sentences.append(
                    f"{power} has the {what} {listing(theirs) or 'none'} in the file, and after the orders before it "
                    f"{listing(ours) or 'none'}."
                )
    return sentences


def _stated(game: Game, phase: Json) -> Position:
    """The position that the file states for a phase."""
    rules, state = game.rules, phase["state"]
    notation = notation_of(rules)
    units: list[Unit] = []
    fallen: list[tuple[Unit, Sequence[str]]] = []
    for name, texts in state["units"].items():
        power = rules.power(name)
        ways = state.get("retreats", {}).get(name) or {}
        for text in texts or ():
            ref = notation.unit(_here(text.removeprefix("*")))
            if ref.kind is None:
                raise InvalidRecord(f"{phase['name']}: '{text}' is not a unit; write it like 'A PAR'.")
            unit = Unit(power, ref.kind, ref.location)
            if text.startswith("*"):
                fallen.append((unit, ways.get(text.removeprefix("*"), ())))
            else:
                units.append(unit)
    owners = {Code(_here(code)): rules.power(name) for name, codes in state["centers"].items() for code in codes or ()}
    position = Position(
        rules.calendar.read(phase["name"]),
        tuple(units),
        owners=owners,
        homes=game.position.homes,
        slots=game.position.slots,
    )
    return replace(position, dislodged=tuple(_fallen(rules, position, unit, ways) for unit, ways in fallen))


def _fallen(rules: Rules, position: Position, unit: Unit, ways: Sequence[str]) -> Dislodged:
    """A unit of the file that must retreat; whatever is not among its ways there is barred to it."""
    open_to = {_here(way).partition("/")[0] for way in ways}
    near = retreats.options(rules, position, Dislodged(unit))
    return Dislodged(unit, None, tuple(dict.fromkeys(to.space for to in near if to.space not in open_to)))


DIPLOMACY = Format("diplomacy", "saved games of the Python package diplomacy, standard map", _matches, _read, _write)

"""The saved games of the Python package `diplomacy`: a JSON object with a list of phases, on the standard map.

A phase has the position it begins with (`state`), the `orders` of each power, and for each unit a list of words about
what came of its order (`results`). Powers are written in capitals, six seas and Tyrolia have other codes than here,
and a dislodged unit has a star. The last phase is the one the game stands at, or `COMPLETED`.

A game is read by playing its orders, so it must begin with the opening and every position must be the one that follows
from the orders before it; where it is not, the file or its rules are others, and the sentence says where.
Messages are not read, and there are none to write.
"""

import json
import re
from collections.abc import Mapping
from itertools import islice
from typing import Any

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history import record
from plenipo.engine.history.game import Game
from plenipo.engine.orders import Waive
from plenipo.engine.outcome import Outcome, Reason, Resolution, Result
from plenipo.engine.phases import adjustments, retreats
from plenipo.engine.position import Position
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
    game = Game.new(load(MAP, {}))
    phases = [_checked(phase) for phase in value["phases"]]
    if not phases:
        raise InvalidRecord("The list of 'phases' is empty.")
    for phase in phases:
        if phase["name"] == COMPLETED:
            return game if game.over else game.draw(game.survivors)
        if _only_disbands(game, phase):
            continue
        game = _reached(game, phase["name"])
        _compare(game, phase)
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
    cycle = len(game.rules.calendar.cycle)
    soon = [phase.code for phase in islice(game.rules.calendar.after(game.position.phase), cycle)]
    if game.position.phase.code != name and name in soon:
        game = game.process({})
    if game.position.phase.code != name:
        raise InvalidRecord(
            f"{name}: this phase does not follow; after the orders before it comes {game.position.phase}."
        )
    return game


def _compare(game: Game, phase: Json) -> None:
    """Raise `InvalidRecord` unless the position is that of the file."""
    position, state = game.position, phase["state"]
    for power in game.rules.names:
        gone = [dislodged.unit for dislodged in position.dislodged if dislodged.unit.power == power]
        units = sorted([*map(_there, position.units_of(power)), *(f"*{_there(unit)}" for unit in gone)])
        for what, ours in (("units", units), ("centers", sorted(map(_there, position.centres_of(power))))):
            theirs = sorted(state[what].get(power.upper()) or ())
            if ours != theirs:
                raise InvalidRecord(
                    f"{phase['name']}: {power} has the {what} {listing(theirs) or 'none'} in the file, and after the "
                    f"orders before it {listing(ours) or 'none'}."
                )


DIPLOMACY = Format("diplomacy", "saved games of the Python package diplomacy, standard map", _matches, _read, _write)

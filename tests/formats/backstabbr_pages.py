"""Pages as Backstabbr has them, of a game: one for each turn, with its orders, units and centres."""

import json
from base64 import urlsafe_b64encode
from typing import Any

from plenipo.engine.board import Location
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.history.turns import Turn
from plenipo.engine.orders import Build, Convoy, Hold, Move, Order, Ref, Remove, Retreat, Support
from plenipo.engine.outcome import Outcome, Reason, Result
from plenipo.engine.position import Position
from plenipo.formats.words import FIELD_CODES

__all__ = ["address", "pages", "write_page"]

SEASONS = {"Spring": "spring", "Fall": "fall", "Winter": "winter"}


def address(season: str, year: int, game: str = "A-Game/17") -> str:
    """The address of a page."""
    return f"https://www.backstabbr.com/game/{game}/{year}/{season}"


def write_page(season: str, year: int, game: str = "A-Game/17", **data: Any) -> str:
    """The source of a page with some data."""
    name, _, number = game.partition("/")
    key = urlsafe_b64encode(f"\x08\x00game\x12{number}/{season}/{year}\x1a".encode()).decode().rstrip("=")
    lines = "\n".join(f"    var {name} = {json.dumps(value)};" for name, value in data.items())
    return f"""<!DOCTYPE html>
<!-- saved from url=(0067){address(season, year, game)} -->
<html><head><title>{name} - Backstabbr</title>
<meta property="og:title" content="{name} (Winter 1999)"></head>
<body><div id="map"><svg><path d="M0 0z"></path></svg></div>
<form><input type="hidden" name="state_key" value="{key}"></form>
<a href="/game/{game}/1901/spring">first</a>
<script>
    // NEW JAVSCRIPT!
    var stage = "COMPLETE";
{lines}
    var mapSize = "large";
    var base_url = "/game/{game}";
</script></body></html>
"""


def pages(game: Game) -> list[str]:
    """The pages of a game in the order of its turns; the last is about the turn at which it stands."""
    found: list[dict[str, Any]] = []
    for number, turn in enumerate(game.turns):
        before = turn.resolution.before
        match before.phase.kind:
            case PhaseKind.MOVEMENT:
                found.append(_data(game, before) | {"orders": _orders(game, turn)})
            case PhaseKind.RETREATS:
                _put_retreats(game, found[-1]["orders"], turn)
            case PhaseKind.ADJUSTMENTS:
                found.append(_data(game, game.position_after(number)) | {"orders": _changes(game, turn)})
            case _:
                pass
    if not game.over and game.position.phase.kind in (PhaseKind.MOVEMENT, PhaseKind.ADJUSTMENTS):
        found.append(_data(game, game.position) | {"orders": {}})
    return [write_page(**page) for page in found]


def _data(game: Game, position: Position) -> dict[str, Any]:
    units: dict[str, dict[str, Any]] = {power: {} for power in game.rules.names}
    for unit in position.units:
        coast = unit.location.coast
        kind: Any = {"type": unit.kind, "coast": coast.lower()} if coast else unit.kind
        units[unit.power][_name(game, unit.location)] = kind
    owners = {_name(game, Location(code)): power for code, power in position.owners.items()}
    season = SEASONS[position.phase.season]
    return {"season": season, "year": position.phase.year, "unitsByPlayer": units, "territories": owners}


def _name(game: Game, location: Location) -> str:
    code = FIELD_CODES.get(location.space, location.space)
    return code if game.rules.board.spaces[location.space].carries else code.title()


def _to(game: Game, key: str, location: Location | None) -> dict[str, str]:
    if location is None:
        return {}
    coast = {f"{key}_coast": location.coast.lower()} if location.coast else {}
    return {key: _name(game, location), **coast}


def _given(turn: Turn) -> list[tuple[Outcome, Order]]:
    return [
        (one, one.order)
        for one in turn.resolution.outcomes
        if one.order is not None and one.cause.reason is not Reason.CIVIL_DISORDER
    ]


def _orders(game: Game, turn: Turn) -> dict[str, Any]:
    orders: dict[str, dict[str, Any]] = {}
    fallen = {one.unit for one in turn.resolution.after.dislodged}
    for outcome in turn.resolution.outcomes:
        unit = outcome.unit
        assert unit is not None
        order = _order(game, outcome.order or Hold(unit.ref))
        order |= {"result": "SUCCEEDS" if outcome.result.succeeded else "FAILS"}
        if outcome.dislodged_by is not None and unit not in fallen:
            order["retreat"] = _disband()
        elif outcome.dislodged_by is not None:
            order["retreat"] = None
        orders.setdefault(outcome.power, {})[_name(game, unit.location)] = order
    return orders


def _disband() -> dict[str, Any]:
    return {"to": None, "type": "DISBAND", "result": "SUCCEEDS"}


def _order(game: Game, order: Order) -> dict[str, Any]:
    match order:
        case Move(_, to):
            return {"type": "MOVE", **_to(game, "to", to)}
        case Support(_, Ref(_, start), to):
            return {"type": "SUPPORT", "from": _name(game, start), **_to(game, "to", to)}
        case Convoy(_, Ref(_, start), to):
            return {"type": "CONVOY", "from": _name(game, start), **_to(game, "to", to)}
        case _:
            return {"type": "HOLD"}


def _put_retreats(game: Game, orders: dict[str, Any], turn: Turn) -> None:
    for outcome in turn.resolution.outcomes:
        unit = outcome.unit
        assert unit is not None
        retreat = _disband()
        if isinstance(outcome.order, Retreat):
            moved = outcome.result.succeeded
            retreat = {"type": "MOVE", **_to(game, "to", outcome.order.to), "result": "SUCCEEDS" if moved else "FAILS"}
        orders[outcome.power][_name(game, unit.location)]["retreat"] = retreat


def _changes(game: Game, turn: Turn) -> dict[str, Any]:
    orders: dict[str, dict[str, Any]] = {}
    for outcome, order in _given(turn):
        own = orders.setdefault(outcome.power, {})
        done = {"result": "FAILS" if outcome.result is Result.VOID else "SUCCEEDS"}
        match order:
            case Build(unit):
                coast = {"coast": unit.location.coast.lower()} if unit.location.coast else {}
                own[_name(game, unit.location)] = {"type": "BUILD", "unit_type": unit.kind, **coast, **done}
            case Remove(unit):
                own[_name(game, unit.location)] = {"type": "DISBAND", **done}
            case _:
                pass
    return orders

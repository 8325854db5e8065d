"""Plenipo: Diplomacy where the rules are a variable.

The names of the vocabulary are all here: `from plenipo import Game, load`. Each is fetched from its own module when it
is first asked for, so that a command which needs few of them starts quickly.

>>> from plenipo import Game, load
>>> game = Game.new(load("standard"))
>>> str(game.process({"France": ["A PAR - BUR"]}).position.phase)
'Fall 1901 movement'
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plenipo.engine.board import Board, Coast, Code, Corner, Location, Space, Terrain, UnitKind
    from plenipo.engine.calendar import Calendar, Phase, PhaseKind
    from plenipo.engine.history.dice import Dice, Draw
    from plenipo.engine.history.game import Game, Turn
    from plenipo.engine.history.record import decode_game, decode_position, encode_game, encode_position
    from plenipo.engine.history.submissions import Submissions
    from plenipo.engine.history.what_if import what_would_change
    from plenipo.engine.hooks import RuleModule
    from plenipo.engine.legality import Legality, LegalOrders
    from plenipo.engine.orders import (
        Build,
        Choose,
        Convoy,
        Disband,
        Hold,
        Move,
        Order,
        Ref,
        Remove,
        Retreat,
        Support,
        Waive,
    )
    from plenipo.engine.outcome import Cause, Outcome, Reason, Resolution, Result
    from plenipo.engine.phases.step import process
    from plenipo.engine.position import Dislodged, Position, Power, Unit
    from plenipo.engine.reading.notation import Notation
    from plenipo.engine.rulebook import Rulebook
    from plenipo.engine.rules import Rules
    from plenipo.library import load

_HOMES = {
    "engine.board": "Board Coast Code Corner Location Space Terrain UnitKind",
    "engine.calendar": "Calendar Phase PhaseKind",
    "engine.history.dice": "Dice Draw",
    "engine.history.game": "Game Turn",
    "engine.hooks": "RuleModule",
    "engine.legality": "LegalOrders Legality",
    "engine.reading.notation": "Notation",
    "engine.orders": "Build Choose Convoy Disband Hold Move Order Ref Remove Retreat Support Waive",
    "engine.outcome": "Cause Outcome Reason Resolution Result",
    "engine.position": "Dislodged Position Power Unit",
    "engine.history.record": "decode_game decode_position encode_game encode_position",
    "engine.rulebook": "Rulebook",
    "engine.rules": "Rules",
    "engine.phases.step": "process",
    "engine.history.submissions": "Submissions",
    "engine.history.what_if": "what_would_change",
    "library": "load",
}
"""Where each public name lives."""

__all__ = [
    "Board",
    "Build",
    "Calendar",
    "Cause",
    "Choose",
    "Coast",
    "Code",
    "Convoy",
    "Corner",
    "Dice",
    "Disband",
    "Dislodged",
    "Draw",
    "Game",
    "Hold",
    "LegalOrders",
    "Legality",
    "Location",
    "Move",
    "Notation",
    "Order",
    "Outcome",
    "Phase",
    "PhaseKind",
    "Position",
    "Power",
    "Reason",
    "Ref",
    "Remove",
    "Resolution",
    "Result",
    "Retreat",
    "RuleModule",
    "Rulebook",
    "Rules",
    "Space",
    "Submissions",
    "Support",
    "Terrain",
    "Turn",
    "Unit",
    "UnitKind",
    "Waive",
    "decode_game",
    "decode_position",
    "encode_game",
    "encode_position",
    "load",
    "process",
    "what_would_change",
]


def __getattr__(name: str) -> object:
    """The public name, from the module it lives in; raises `AttributeError` for any other."""
    for module, names in _HOMES.items():
        if name in names.split():
            return getattr(import_module(f"plenipo.{module}"), name)
    raise AttributeError(f"module 'plenipo' has no attribute '{name}'")

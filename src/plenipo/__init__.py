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
    from plenipo.engine.board import Board as Board
    from plenipo.engine.board import Coast as Coast
    from plenipo.engine.board import Code as Code
    from plenipo.engine.board import Corner as Corner
    from plenipo.engine.board import Location as Location
    from plenipo.engine.board import Space as Space
    from plenipo.engine.board import Terrain as Terrain
    from plenipo.engine.board import UnitKind as UnitKind
    from plenipo.engine.calendar import Calendar as Calendar
    from plenipo.engine.calendar import Phase as Phase
    from plenipo.engine.calendar import PhaseKind as PhaseKind
    from plenipo.engine.dice import Dice as Dice
    from plenipo.engine.dice import Draw as Draw
    from plenipo.engine.history.game import Game as Game
    from plenipo.engine.history.game import Turn as Turn
    from plenipo.engine.history.record import decode_game as decode_game
    from plenipo.engine.history.record import decode_position as decode_position
    from plenipo.engine.history.record import encode_game as encode_game
    from plenipo.engine.history.record import encode_position as encode_position
    from plenipo.engine.history.submissions import Submissions as Submissions
    from plenipo.engine.history.what_if import what_would_change as what_would_change
    from plenipo.engine.hooks import RuleModule as RuleModule
    from plenipo.engine.orders import Build as Build
    from plenipo.engine.orders import Choose as Choose
    from plenipo.engine.orders import Convoy as Convoy
    from plenipo.engine.orders import Disband as Disband
    from plenipo.engine.orders import Hold as Hold
    from plenipo.engine.orders import Move as Move
    from plenipo.engine.orders import Order as Order
    from plenipo.engine.orders import Ref as Ref
    from plenipo.engine.orders import Remove as Remove
    from plenipo.engine.orders import Retreat as Retreat
    from plenipo.engine.orders import Support as Support
    from plenipo.engine.orders import Waive as Waive
    from plenipo.engine.outcome import Cause as Cause
    from plenipo.engine.outcome import Outcome as Outcome
    from plenipo.engine.outcome import Reason as Reason
    from plenipo.engine.outcome import Resolution as Resolution
    from plenipo.engine.outcome import Result as Result
    from plenipo.engine.outcome import Waiting as Waiting
    from plenipo.engine.phases.legality import Legality as Legality
    from plenipo.engine.phases.legality import LegalOrders as LegalOrders
    from plenipo.engine.phases.step import process as process
    from plenipo.engine.position import Dislodged as Dislodged
    from plenipo.engine.position import Position as Position
    from plenipo.engine.position import Power as Power
    from plenipo.engine.position import Unit as Unit
    from plenipo.engine.reading.notation import Notation as Notation
    from plenipo.engine.rulebook import Rulebook as Rulebook
    from plenipo.engine.rules import Rules as Rules
    from plenipo.library import load as load
    from plenipo.shortcuts import adjudicate as adjudicate
    from plenipo.shortcuts import draw as draw
    from plenipo.shortcuts import legal_orders as legal_orders


__version__ = "0.1.0"
"""The version, as in pyproject.toml; reading it from the installed package would slow every start."""

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
    "Waiting",
    "Waive",
    "__version__",
    "adjudicate",
    "decode_game",
    "decode_position",
    "draw",
    "encode_game",
    "encode_position",
    "legal_orders",
    "load",
    "process",
    "what_would_change",
]

_HOMES = {
    "Board": "plenipo.engine.board",
    "Build": "plenipo.engine.orders",
    "Calendar": "plenipo.engine.calendar",
    "Cause": "plenipo.engine.outcome",
    "Choose": "plenipo.engine.orders",
    "Coast": "plenipo.engine.board",
    "Code": "plenipo.engine.board",
    "Convoy": "plenipo.engine.orders",
    "Corner": "plenipo.engine.board",
    "Dice": "plenipo.engine.dice",
    "Disband": "plenipo.engine.orders",
    "Dislodged": "plenipo.engine.position",
    "Draw": "plenipo.engine.dice",
    "Game": "plenipo.engine.history.game",
    "Hold": "plenipo.engine.orders",
    "LegalOrders": "plenipo.engine.phases.legality",
    "Legality": "plenipo.engine.phases.legality",
    "Location": "plenipo.engine.board",
    "Move": "plenipo.engine.orders",
    "Notation": "plenipo.engine.reading.notation",
    "Order": "plenipo.engine.orders",
    "Outcome": "plenipo.engine.outcome",
    "Phase": "plenipo.engine.calendar",
    "PhaseKind": "plenipo.engine.calendar",
    "Position": "plenipo.engine.position",
    "Power": "plenipo.engine.position",
    "Reason": "plenipo.engine.outcome",
    "Ref": "plenipo.engine.orders",
    "Remove": "plenipo.engine.orders",
    "Resolution": "plenipo.engine.outcome",
    "Result": "plenipo.engine.outcome",
    "Retreat": "plenipo.engine.orders",
    "RuleModule": "plenipo.engine.hooks",
    "Rulebook": "plenipo.engine.rulebook",
    "Rules": "plenipo.engine.rules",
    "Space": "plenipo.engine.board",
    "Submissions": "plenipo.engine.history.submissions",
    "Support": "plenipo.engine.orders",
    "Terrain": "plenipo.engine.board",
    "Turn": "plenipo.engine.history.game",
    "Unit": "plenipo.engine.position",
    "UnitKind": "plenipo.engine.board",
    "Waiting": "plenipo.engine.outcome",
    "Waive": "plenipo.engine.orders",
    "adjudicate": "plenipo.shortcuts",
    "decode_game": "plenipo.engine.history.record",
    "decode_position": "plenipo.engine.history.record",
    "draw": "plenipo.shortcuts",
    "encode_game": "plenipo.engine.history.record",
    "encode_position": "plenipo.engine.history.record",
    "legal_orders": "plenipo.shortcuts",
    "load": "plenipo.library",
    "process": "plenipo.engine.phases.step",
    "what_would_change": "plenipo.engine.history.what_if",
}
"""The module of each public name, as the imports above tell type checkers."""


def __getattr__(name: str) -> object:
    """Return a public name, from the module that it lives in; raises `AttributeError` for any other."""
    if name not in _HOMES:
        raise AttributeError(f"module 'plenipo' has no attribute '{name}'")
    import_module("plenipo.shortcuts")  # which gives the engine its tools
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

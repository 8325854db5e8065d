"""Plenipo: Diplomacy where the rules are a variable.

The names of the vocabulary are all here: `from plenipo import Game, load`. Each is fetched from its own module when it
is first asked for, so that a command which needs few of them starts quickly.

>>> from plenipo import Game, load
>>> game = Game.new(load("standard"))
>>> str(game.process({"France": ["A PAR - BUR"]}).position.phase)
'Fall 1901 movement'
"""

from importlib import import_module
from pathlib import Path

_IMPORTS = map(str.split, Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8").splitlines())
_HOMES = {words[3]: words[1] for words in _IMPORTS if words[:1] == ["from"]}
"""Where each public name lives, as `__init__.pyi` tells type checkers."""

__all__ = sorted(_HOMES)  # noqa: PLE0605  # the stub is the list


def __getattr__(name: str) -> object:
    """The public name, from the module it lives in; raises `AttributeError` for any other."""
    if name not in _HOMES:
        raise AttributeError(f"module 'plenipo' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)

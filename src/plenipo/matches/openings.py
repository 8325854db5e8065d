"""Named openings: the names of the first orders of a power, as a file beside the board of a variant has them."""

import tomllib
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError

from plenipo import library
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.position import Power
from plenipo.engine.sentences import say
from plenipo.errors import InvalidVariant
from plenipo.user_files import read_text

__all__ = ["FILE", "NamedOpening", "find_opening", "name_openings", "read_openings"]

FILE = "openings.toml"
"""The name of the file: a table for each power, with the orders of each opening by its name."""

_TABLES = TypeAdapter(dict[str, dict[str, list[str]]])


class NamedOpening(NamedTuple):
    """Orders of a power in its first movement that have a name."""

    power: Power
    name: str
    orders: frozenset[str]


def read_openings(variant: str | Path) -> tuple[NamedOpening, ...]:
    """Return the openings of a variant: those beside its board, which may be that of a parent; none without a file.

    Raise `InvalidVariant` for a file that is no table of orders.
    """
    file = library.read(variant).figure.with_name(FILE)
    if not file.is_file():
        return ()
    try:
        tables = _TABLES.validate_python(tomllib.loads(read_text(file)))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, ValidationError) as fault:
        raise InvalidVariant(
            say("{file} must have a table for each power, with a list of orders for each name.", file=str(file))
        ) from fault
    return tuple(
        NamedOpening(Power(power), name, frozenset(orders))
        for power, openings in tables.items()
        for name, orders in openings.items()
    )


def find_opening(openings: Sequence[NamedOpening], power: Power, orders: Collection[str]) -> str:
    """Return the name of the opening with the most orders that fits those of a power; empty if none does."""
    given = set(orders)
    fitting = [one for one in openings if one.power == power and one.orders <= given]
    return max(fitting, key=lambda one: len(one.orders)).name if fitting else ""


def name_openings(game: Game, openings: Sequence[NamedOpening]) -> dict[str, str]:
    """Return the name of each power's opening, for those that have one."""
    resolutions = (turn.resolution for turn in game.turns)
    first = next((one for one in resolutions if one.before.phase.kind is PhaseKind.MOVEMENT), None)
    if first is None:
        return {}
    given = {
        power: [str(one.order) for one in first.outcomes if one.power == power and one.order is not None]
        for power in game.rules.names
    }
    return {str(power): name for power, orders in given.items() if (name := find_opening(openings, power, orders))}

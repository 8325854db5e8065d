"""Functions for the prompt and for notebooks: each does a whole task, for the standard game unless told otherwise."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from plenipo.engine.board import Board
from plenipo.engine.dice import Dice
from plenipo.engine.display import PLUG
from plenipo.engine.history.game import Game, OrderTexts
from plenipo.engine.orders import Order
from plenipo.engine.outcome import Resolution, Waiting
from plenipo.engine.phases.legality import Legality, LegalOrders
from plenipo.engine.position import Position, Power
from plenipo.engine.reading.positions import read_position
from plenipo.engine.rules import Rules
from plenipo.engine.wording import in_quotes
from plenipo.errors import InvalidPosition, PhaseNotOver, PlenipoError

if TYPE_CHECKING:
    from plenipo.charts import Chart

__all__ = ["adjudicate", "draw", "legal_orders"]

VariantSource = Rules | str | Path
"""Rules, or the name or folder of a variant."""


def adjudicate(
    orders: Mapping[str, Sequence[str | Order]] | Mapping[Power, Sequence[str | Order]],
    position: Position | None = None,
    rules: VariantSource = "standard",
    dice: Dice | None = None,
) -> Resolution:
    """Adjudicate the orders of each power, a list or lines of text, given in a position or else in the opening.

    A power that is left out gives no orders. Raises `UnknownName` for a power that does not exist, and `PhaseNotOver`
    where the rules need something else before the phase can end.

    >>> resolution = adjudicate({"France": ["A PAR - BUR"]})
    >>> str(resolution.outcomes[7].result), str(resolution.after.phase)
    ('holds', 'Fall 1901 movement')
    """
    rules = _rules_of(rules)
    game = Game(rules, rules.opening if position is None else position, dice=dice)
    resolution = game.adjudicate(cast(OrderTexts, orders))
    if isinstance(resolution, Waiting):
        raise PhaseNotOver(resolution.sentence, resolution.powers)
    return resolution


def legal_orders(power: str, position: Position | None = None, rules: VariantSource = "standard") -> LegalOrders:
    """Return the legal orders of a power in a position, or else in the opening.

    Raises `UnknownName` for a power that does not exist.

    >>> [str(order) for order in legal_orders("England")][:2]
    ['F EDI H', 'F EDI - CLY']
    """
    rules = _rules_of(rules)
    return Legality(rules, rules.opening if position is None else position).orders_of(rules.power(power))


def draw(what: Game | Position | Resolution, rules: VariantSource = "standard", theme: str = "light") -> str:
    """Draw a game, a position or the orders of a resolution as SVG; a game brings its own rules.

    >>> draw(Position.parse("F1901M: France A PAR"))[:4]
    '<svg'
    """
    chart = _chart_of(what.rules if isinstance(what, Game) else rules)
    if isinstance(what, Resolution):
        return chart.draw(chart.scene(resolution=what), theme)
    return chart.draw(chart.scene(what.position if isinstance(what, Game) else what), theme)


def _rules_of(rules: VariantSource) -> Rules:
    from plenipo import library  # noqa: PLC0415  # not needed by callers that pass their own rules

    return rules if isinstance(rules, Rules) else library.load(rules)


def _chart_of(rules: VariantSource) -> "Chart":
    from plenipo.charts import chart  # noqa: PLC0415  # only drawing needs the maps

    return chart(rules.variant, rules.options) if isinstance(rules, Rules) else chart(rules)


class _Tools:
    """The tools that the engine is given."""

    def parse(self, text: str, rules: Any) -> Position:
        """Return the position that `text` describes: a phase, a colon, and the units of each power after semicolons."""
        phase, colon, rest = text.partition(":")
        if not colon:
            raise InvalidPosition(
                f"{in_quotes(text, 60)} does not begin with a phase; write F1901M: France A PAR, F BRE."
            )
        rules = _rules_of(rules or "standard")
        units: dict[str, list[str]] = {}
        for part in filter(None, map(str.strip, rest.split(";"))):
            words = part.split()
            # the name of a power may have several words; the first unit begins with the letter of its kind
            first = next((n for n in range(1, len(words)) if words[n].upper() in rules.board.kinds), len(words))
            name = " ".join(words[:first])
            pieces = [piece.strip() for piece in " ".join(words[first:]).split(",")]
            units.setdefault(rules.power(name), []).extend(filter(None, pieces))
        read = read_position(rules, {"phase": phase.strip(), "units": units})
        if read.reader.faults:
            raise InvalidPosition(str(read.reader.faults[0]))
        return read.position

    def svg(self, position: Position, board: Board | None) -> str | None:
        """Return the map of a position, on the standard board where the position is not known to be of another."""
        try:
            rules = _rules_of("standard" if board is None else board.name)
            here = rules.board_at(position)
            return None if any(position.faults(here)) else draw(position, rules)
        except PlenipoError:
            return None


PLUG.tools = _Tools()

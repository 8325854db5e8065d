"""An example of a plug-in: a rule module, a computer player, a variant and a format."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import ClassVar

from plenipo.engine.facts import Fact, UnitWeights, Weight
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import View
from plenipo.engine.hooks import RuleModule
from plenipo.engine.orders import Hold, Order
from plenipo.engine.phases.legality import LegalOrders
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.engine.strengths import Use
from plenipo.formats import Format, LoadRules

FORTRESS = Path(__file__).parent / "fortress"
"""The folder of the variant."""


@dataclass(frozen=True)
class StrongDefence(RuleModule):
    """Units of some powers count two and a half where they stand; `powers` says whose."""

    name: ClassVar[str] = "strong_defence"

    powers: tuple[Power, ...] = ()

    def facts(self, rules: Rules) -> Iterator[Fact]:
        """Five halves in defence, on a scale on which an ordinary unit counts two."""
        yield UnitWeights(2, tuple(Weight(5, power, Use.HOLD) for power in self.powers))


def cautious(_view: View, legal: LegalOrders, _chance: Random) -> list[Order]:
    """Lets every unit hold, and builds nothing."""
    return [order for order in legal if isinstance(order, Hold)]


def _write(game: Game) -> str:
    lines = [f"{game.rules.variant}: {' '.join(f'{key}={value}' for key, value in game.rules.options.items())}"]
    for turn in game.turns:
        lines.append(str(turn.resolution.before.phase))
        lines += [f"{power}: {order}" for power, order_set in turn.orders.items() for order in order_set]
    return "\n".join(lines) + "\n"


def _read(text: str, load: LoadRules) -> Game:
    first, *lines = text.splitlines()
    variant, _, options = first.partition(": ")
    game = Game.new(load(variant, dict(option.split("=") for option in options.split())))
    phases: list[dict[Power, list[str]]] = []
    for line in lines:
        power, colon, order = line.partition(": ")
        if colon:
            phases[-1].setdefault(Power(power), []).append(order)
        else:
            phases.append({})
    for order_sets in phases:
        game = game.process(order_sets)
    return game


def _matches(text: str) -> bool:
    return text.partition(":")[0].isalnum()


ORDERS = Format("orders", "the orders of a game, a line each", _matches, _read, _write)

"""The view: the part of a game that one power, a spectator or the game master (GM) may see; a pure function.

Everything above the engine shows views and never the game itself, so that secrecy is decided in one place:
the orders, choices and promises of a phase that is still open belong to the power that gave them. Past phases are
public, unless the rules limit the sight of a power (`Sight`) or a rule module keeps secrets; the names of powers that
have submitted something are public, but not the content. A game that is over is public.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from plenipo.engine.facts import Sight
from plenipo.engine.history.game import Game
from plenipo.engine.history.rulings import Edited, Placed
from plenipo.engine.history.sight import Eyes
from plenipo.engine.history.turns import Turns
from plenipo.engine.immutable import FrozenMap, Immutable, name_text
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import OrderSets
from plenipo.engine.position import GAME_MASTER, Position, Power
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import say
from plenipo.errors import UnknownName

__all__ = ["GM", "View", "view"]

GM = GAME_MASTER
"""The viewer that sees everything."""


@dataclass(frozen=True)
class View(Immutable):
    """A game as `who` sees it (None: a spectator).

    `turns` are the phases that are over, with all orders in them. `order_sets` are the orders of the open phase
    that may be seen. `submitted` are the powers that submitted an order set. `past` is true for a view of an earlier
    phase.
    `commitment` is that of the game's dice, whose seed is never part of a view. `rulings` are public as turns are.
    """

    who: Power | None
    rules: Rules
    position: Position
    turns: Turns
    order_sets: Mapping[Power, tuple[Order, ...]]
    submitted: tuple[Power, ...]
    past: bool = False
    drawn: tuple[Power, ...] = ()
    commitment: str | None = None
    rulings: tuple[Placed, ...] = ()
    whole: Position | None = field(default=None, repr=False, compare=False)
    """The position with its unseen part, where there is one.

    Only the powers that the phase waits for are derived from it.
    """

    def __post_init__(self) -> None:
        object.__setattr__(self, "order_sets", FrozenMap(self.order_sets))

    def __repr__(self) -> str:
        return name_text(self, f"{self.rules.variant} as {self.who or 'a spectator'} sees it, {self.position.phase}")

    @cached_property
    def may_order(self) -> tuple[Power, ...]:
        """The powers that may order something now."""
        if self.past or self.position.winners:
            return ()
        legality = Legality(self.rules, self.whole or self.position)
        return tuple(power for power in self.rules.names if legality.orders_of(power))

    @property
    def waiting_for(self) -> tuple[Power, ...]:
        """The powers that may order something now and have submitted nothing."""
        return tuple(power for power in self.may_order if power not in self.submitted)

    @property
    def over(self) -> bool:
        """True if a power has won or a draw was agreed."""
        return bool(self.position.winners)

    def at(self, turns: int) -> "View":
        """Return the view of the same viewer after the first `turns` turns, without orders of an open phase.

        Raises `UnknownName` if there are fewer turns.
        """
        if not 0 <= turns <= len(self.turns):
            raise UnknownName(
                say("The game has {number} turns: there is none numbered {turns}.", number=len(self.turns), turns=turns)
            )
        if turns == len(self.turns):
            return self
        position = self.turns.after(turns - 1) if turns else self.turns[0].resolution.before
        rulings = tuple(placed for placed in self.rulings if placed[0] <= turns)
        edited = [ruling.position for place, ruling in rulings if place == turns and isinstance(ruling, Edited)]
        return replace(
            self,
            position=edited[-1] if edited else position,
            turns=self.turns.first(turns),
            order_sets={},
            submitted=(),
            past=True,
            whole=None,
            drawn=(),
            rulings=rulings,
        )


def view(game: Game, who: Power | None, order_sets: OrderSets) -> View:
    """Return the part of `game` that `who` may see while the `order_sets` of its open phase are submitted.

    `who` is a power, `GM` for everything, or None for a spectator. Raises `UnknownName` for any other.
    """
    rules = game.rules
    if who is not None and who != GM and who not in rules.names:
        raise UnknownName(
            say("'{who}' has no seat in this game; the powers are {names}.", who=who, names=", ".join(rules.names))
        )
    sight = rules.facts.one(Sight)
    seen = View(
        who,
        rules,
        game.position,
        game.turns,
        {power: tuple(order_set) for power, order_set in order_sets.items() if who in (power, GM)},
        tuple(power for power in rules.names if power in order_sets),
        drawn=game.drawn,
        commitment=game.dice.commitment if game.dice else None,
        rulings=game.rulings,
    )
    if not rules.has_secrets or who == GM or game.over:
        return seen
    eyes = Eyes(rules, sight, who, game.start, game.turns)
    return replace(
        seen,
        position=eyes.position(game.position, len(game.turns)),
        turns=eyes.seen_turns(),
        rulings=tuple(eyes.rulings(game.rulings)),
        whole=game.position,
    )

"""A game at a terminal: the common part of playing by hand and playing a script."""

from collections.abc import Callable, Mapping, Sequence
from random import SystemRandom

from rich.rule import Rule
from rich.text import Text

from plenipo.bots import Bot, orders_of
from plenipo.cli import tables
from plenipo.cli.terminal import Terminal
from plenipo.engine.calendar import Phase
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.orders import Order
from plenipo.engine.phases import victory
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.reading.notation import Notation, notation_of
from plenipo.errors import PhaseNotOver
from plenipo.languages.current import _, in_list, in_words, name_of
from plenipo.library import plugins

__all__ = ["Session", "SessionOrderSets"]

SessionOrderSets = dict[Power, list[Order]]


class Session:
    """A game at one terminal. `save` is called with the game after every phase; `computers` play some powers."""

    def __init__(
        self,
        game: Game,
        terminal: Terminal,
        save: Callable[[Game], None] = lambda _: None,
        computers: Mapping[Power, Bot] | None = None,
    ) -> None:
        self.terminal = terminal
        self.computers = computers or {}
        self.rules = game.rules
        self._game = game
        self._save = save

    @property
    def game(self) -> Game:
        """The current game; every new value is saved."""
        return self._game

    @game.setter
    def game(self, game: Game) -> None:
        self._game = game
        self._save(game)

    @property
    def phase(self) -> Phase:
        """The phase being played."""
        return self.game.position.phase

    @property
    def notation(self) -> Notation:
        """The reader of orders, on the current board."""
        return notation_of(self.rules, self.game.position)

    @property
    def to_order(self) -> tuple[Power, ...]:
        """The powers that can give orders in this phase."""
        legality = Legality(self.rules, self.game.position)
        return tuple(power for power in self.rules.names if any(True for _ in legality.orders_of(power)))

    def collect_computer_orders(self) -> SessionOrderSets:
        """Return the orders of the computer players; report one that fails, which gives no orders."""
        order_sets: SessionOrderSets = {}
        for power in self.to_order:
            if power in self.computers:
                try:
                    seen = view(self.game, power, {})
                    order_sets[power] = orders_of(self.computers[power], seen, power, SystemRandom())
                except Exception as fault:
                    blamed = plugins.blame(fault)
                    if not blamed:
                        raise
                    self.terminal.warn(_("{fault} {power} orders nothing.", fault=blamed, power=name_of(power)))
        return order_sets

    def process(self, order_sets: Mapping[Power, Sequence[Order]]) -> None:
        """Process the phase and report it, or report a missing draw."""
        phase = self.phase
        try:
            self.game = self.game.process({**self.collect_computer_orders(), **order_sets})
        except PhaseNotOver as waiting:
            self.terminal.say(Text(in_words(waiting), "red"))
            return
        self.terminal.say(Rule(_("{phase}: results", phase=phase)))
        self.terminal.say(tables.report(self.rules, self.game.turns[-1].resolution))

    def tell_end(self) -> None:
        """Print the last line: the winner, or the state of the game."""
        position = self.game.position
        if len(position.winners) == 1:
            winner = position.winners[0]
            has = victory.score(self.rules, position).in_words(winner)
            self.terminal.say(Text(_("{power} has won with {score}.", power=name_of(winner), score=has), "bold"))
        elif position.winners:
            drawn = _("The game is a draw between {powers}.", powers=in_list(position.winners))
            self.terminal.say(Text(drawn, "bold"))
        else:
            standing = tables.standing(self.rules, position)
            text = _("No power has won yet: the game stands at {phase}, {score}.", phase=position.phase, score=standing)
            self.terminal.say(text)

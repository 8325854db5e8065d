"""Playing a script: the orders of its blocks, phase by phase, with a message for each line that cannot be played."""

from collections.abc import Iterable
from itertools import takewhile

from plenipo.cli.script import Block
from plenipo.cli.session import Session, SessionOrderSets
from plenipo.engine.calendar import Phase
from plenipo.engine.history.game import Game
from plenipo.engine.orders import Build, Declare, Enter, Order, Promise, Waive
from plenipo.engine.position import GAME_MASTER, Power
from plenipo.engine.reading.ambiguity import resolve_ambiguity
from plenipo.errors import AmbiguousOrder, PlenipoError
from plenipo.languages.current import _, in_words

__all__ = ["Follower"]


class Follower(Session):
    """A player of scripts. `name` is that of the file, for messages."""

    name: str = "the script"

    def follow(self, blocks: Iterable[Block], name: str) -> Game:
        """Play the blocks of a script and return the resulting game.

        A phase that the script leaves out is played without orders. An order that cannot be read or has no owner is
        reported with its line and left out.
        """
        self.name = name
        for block in blocks:
            if self.game.over:
                self._warn(block.number, _("the game is over; the rest is not played."))
                break
            if block.draw is not None:
                self._agree(block, block.draw)
            elif block.phase is None or self._reach(block.number, block.phase):
                self.process(self._order_sets(block))
        self.tell_end()
        return self.game

    def _warn(self, line: int, sentence: object) -> None:
        text = _("{file}, line {line}: {fault}", file=self.name, line=line, fault=in_words(sentence))
        self.terminal.warn(text)

    def _reach(self, line: int, wanted: Phase) -> bool:
        """Play on to the phase `wanted`; if the game skips it, report why and return False."""
        calendar = self.rules.calendar
        while not self.game.over and wanted in takewhile(lambda p: p.year <= wanted.year, calendar.after(self.phase)):
            before = self.phase
            self.process({})
            if self.phase == before:
                break  # the player sees why the phase waits
        if self.phase == wanted and not self.game.over:
            return True
        text = _("there is no {wanted} to play, the game stands at {phase}.", wanted=wanted, phase=self.phase)
        self._warn(line, text)
        return False

    def _order_sets(self, block: Block) -> SessionOrderSets:
        order_sets: SessionOrderSets = {}
        lines = self.notation.order_set(block.text, self.phase.kind).lines
        # orders whose meaning depends on other orders come after those
        for line in sorted(lines, key=lambda line: isinstance(line.fault, AmbiguousOrder)):
            order, power = line.order, line.power
            if power is not None and isinstance(line.fault, AmbiguousOrder):
                order = resolve_ambiguity(
                    self.rules, self.notation, self.game.position, power, line.text, line.fault, order_sets
                )
            if order is None:
                self._warn(line.number, line.fault)
                continue
            power = power or self._owner(order)
            if power is None:
                text = _("'{order}' names no power; write 'France: …' before it.", order=line.text)
                self._warn(line.number, text)
            else:
                order_sets.setdefault(power, []).append(order)
        return order_sets

    def _owner(self, order: Order) -> Power | None:
        """Return the power of an order that names none: the owner of its unit, or of the home centre."""
        if isinstance(order, Enter):
            return GAME_MASTER
        if isinstance(order, Waive | Promise | Declare):
            return None
        position, space = self.game.position, order.unit.location.space
        if isinstance(order, Build):
            return position.owners.get(space)
        dislodged, unit = position.dislodged_at(space), position.unit_at(space)
        return dislodged.unit.power if dislodged else unit.power if unit else None

    def _agree(self, block: Block, draw: str) -> None:
        try:
            named = [self.rules.power(text) for text in draw.split(",") if text.strip()]
            self.game = self.game.draw(tuple(named) or self.game.survivors)
        except PlenipoError as fault:
            self._warn(block.number, fault)

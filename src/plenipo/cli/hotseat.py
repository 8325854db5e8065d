"""The hot seat: a game in one terminal, its players taking turns at the keyboard.

Each phase shows the position, asks every power that can give orders for them, and reports the results.
Every order is checked as it is typed, by the same `OrderEntry` as in the browser.
"""

from dataclasses import dataclass
from enum import Enum

from rich.rule import Rule
from rich.text import Text

from plenipo.cli import tables
from plenipo.cli.session import Session, SessionOrderSets
from plenipo.cli.terminal import Ended
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.orders import Order
from plenipo.engine.outcome import Waiting
from plenipo.engine.position import GAME_MASTER, Power
from plenipo.engine.reading.order_entry import EntryResult, OrderEntry
from plenipo.engine.reading.vocabulary import Vocabulary
from plenipo.errors import PlenipoError
from plenipo.languages.current import _, current_language, in_list, in_words, mark, name_of, plural
from plenipo.languages.names import vocabulary_in

__all__ = ["COMMANDS", "Hotseat"]

COMMANDS = {
    "list": mark("the legal orders of all your units; `list A PAR` those of one"),
    "show": mark("the position, and the orders you have given"),
    "undo": mark("take back the last order you gave"),
    "done": mark("your orders are complete"),
    "back": mark("take back the whole last phase, for all powers"),
    "draw": mark("end the game in a draw between all surviving powers, if all players agree"),
    "quit": mark("leave the game"),
    "?": mark("this help"),
}
"""The commands a player may type instead of an order."""

_EXAMPLES = {
    PhaseKind.MOVEMENT: mark("A PAR - BUR, A PAR S A MAR - BUR, F NTH C A YOR - NWY, A PAR H"),
    PhaseKind.RETREATS: mark("A VIE R BOH (retreat), A VIE D (disband)"),
    PhaseKind.ADJUSTMENTS: mark("A PAR B (build), F STP/NC B, WAIVE, A PAR D (remove)"),
    PhaseKind.CHOICE: mark("CHOOSE LON"),
}


class _Next(Enum):
    """The next step after a line that a player typed."""

    ASK = "ask on"
    DONE = "the orders are complete"
    BACK = "take back a phase"
    OVER = "end the game"


@dataclass
class _Turn:
    """A power at the keyboard: its order entry, and its order set after each entry."""

    entry: OrderEntry
    order_sets: list[tuple[Order, ...]]

    @property
    def power(self) -> Power:
        return self.entry.power

    @property
    def order_set(self) -> tuple[Order, ...]:
        return self.order_sets[-1]


class Hotseat(Session):
    """A game at one terminal, with typed orders."""

    def play(self) -> Game:
        """Play until a power wins, a draw is agreed or the players leave; return the game at that point."""
        powers = plural("{number} power", "{number} powers", len(self.rules.names))
        wins = _("{condition} win. `?` explains what you can type.", condition=self.rules.victory_condition)
        self.terminal.say(Text.assemble((self.rules.title, "bold"), f", {powers}, {wins}"))
        try:
            while not self.game.over and self._phase():
                pass
        except Ended:
            self.terminal.say("")
        self.tell_end()
        return self.game

    # A phase

    def _phase(self) -> bool:
        """Ask every power, then process; return False if the players leave."""
        self._show_position()
        order_sets: SessionOrderSets = {}
        for power in self.to_order:
            if power in self.computers:
                continue
            turn = _Turn(OrderEntry(self.rules, self.game.position, power, vocabulary=self._vocabulary()), [()])
            following = self._ask(turn)
            self.terminal.hide()
            if following is _Next.BACK:
                self.game = self.game.undo()
                return True
            if following is _Next.OVER:
                return False
            order_sets[power] = list(turn.order_set)
        if not self._draws(order_sets):
            return False
        self.process(order_sets)
        return True

    def _vocabulary(self) -> Vocabulary | None:
        """Return the names and words of the language in use, in addition to the English ones."""
        return vocabulary_in(current_language(), self.rules.variant)

    def _draws(self, order_sets: SessionOrderSets) -> bool:
        """Ask the game master for each value that must still be drawn; return False if the game master leaves."""
        entry = OrderEntry(self.rules, self.game.position, GAME_MASTER)
        while missing := self._missing(order_sets):
            self.terminal.say(Text(in_words(missing)))
            written = self.terminal.read(f"{GAME_MASTER}> ").strip()
            if written.casefold() in {"quit", "exit"}:
                return False
            for result in entry.give_each(tuple(order_sets.get(GAME_MASTER, ())), written):
                if isinstance(result, EntryResult):
                    order_sets[GAME_MASTER] = list(result.order_set)
                else:
                    self.terminal.say(Text(in_words(result), "red"))
        return True

    def _missing(self, order_sets: SessionOrderSets) -> str:
        """Return the message about a draw that the phase waits for, empty if there is none."""
        if not self.rules.draws_by_hand:
            return ""
        resolution = self.game.adjudicate(order_sets)
        return resolution.sentence if isinstance(resolution, Waiting) else ""

    def _show_position(self) -> None:
        self.terminal.say(Rule(in_words(self.phase)))
        self.terminal.say(tables.position_of(self.rules, self.game.position))

    # A player's turn

    def _ask(self, turn: _Turn) -> _Next:
        if self.terminal.hand_over(turn.power):
            self._show_position()
        self.terminal.say(Text.assemble((name_of(turn.power), "bold"), f", {self._task(turn.entry)}"))
        following = _Next.ASK
        while following is _Next.ASK:
            following = self._line(turn, self.terminal.read(f"{name_of(turn.power)}> ").strip())
        return following

    def _line(self, turn: _Turn, written: str) -> _Next:
        """Carry out a typed line."""
        word, _blank, rest = written.partition(" ")
        following = _Next.ASK
        match word.casefold():
            case "":
                pass
            case "?" | "help":
                self._help()
            case "list":
                self._list(turn.entry, rest.strip())
            case "show":
                self._show_position()
                given = ", ".join(map(str, turn.order_set)) or _("none")
                self.terminal.say(_("Your orders: {orders}.", orders=given))
            case "undo":
                self._undo(turn)
            case "done":
                left = turn.entry.describe_missing(turn.order_set)
                self.terminal.say(in_words(left)) if left else None
                if not left or self._sure(_("Done all the same?"), default=True):
                    following = _Next.DONE
            case "quit" | "exit":
                following = _Next.OVER if self._sure(_("Leave the game?")) else _Next.ASK
            case "back" if not self.game.turns:
                self.terminal.say(_("This is the first phase; there is no turn to undo."))
            case "back":
                last = self.game.turns[-1].resolution.before.phase
                following = _Next.BACK if self._sure(_("Take back {phase}, for all powers?", phase=last)) else _Next.ASK
            case "draw" if not rest.strip():
                if self._sure(_("Do {powers} all agree to a draw?", powers=in_list(self.game.survivors))):
                    self.game = self.game.draw(self.game.survivors)
                    following = _Next.OVER
            case _:
                self._orders(turn, written)
        return following

    def _sure(self, question: str, *, default: bool = False) -> bool:
        return not self.terminal.interactive or self.terminal.agrees(question, default=default)

    def _task(self, entry: OrderEntry) -> str:
        """Describe the task of the power, as part of a sentence."""
        if entry.task:
            return _("you {task}.", task=entry.task)
        return _("order {units}.", units=in_list(entry.units))

    def _help(self) -> None:
        say = self.terminal.say
        examples = _(_EXAMPLES[self.phase.kind])
        say(_("Type orders such as {examples}; names may be written out, several parted by commas.", examples=examples))
        for command, meaning in COMMANDS.items():
            say(f"  {command:5} {_(meaning)}")

    def _list(self, entry: OrderEntry, text: str) -> None:
        orders = entry.legality.orders_of(entry.power)
        if entry.kind in (PhaseKind.ADJUSTMENTS, PhaseKind.CHOICE):
            self.terminal.say(tables.order_list(tuple(orders)))
            return
        units = orders.units
        if text:
            try:
                space = entry.notation.unit(text).location.space
            except PlenipoError as fault:
                self.terminal.say(in_words(fault))
                return
            units = tuple(unit for unit in units if unit.space == space)
            if not units:
                self.terminal.say(_("You have no unit to order in {place}.", place=space))
        for unit in units:
            self.terminal.say(Text(str(unit), "bold"))
            self.terminal.say(tables.order_list(tuple(orders.of(unit))))

    def _undo(self, turn: _Turn) -> None:
        if len(turn.order_sets) == 1:
            self.terminal.say(_("You have given no order in this phase; `back` takes back the whole last phase."))
            return
        after, before = turn.order_sets.pop(), turn.order_set
        again = [order for order in before if order not in after]
        gone = in_list(order for order in after if order not in before)
        if again:
            self.terminal.say(_("Taken back: {orders}; it is {others} again", orders=gone, others=in_list(again)))
        else:
            self.terminal.say(_("Taken back: {orders}", orders=gone))

    def _orders(self, turn: _Turn, text: str) -> None:
        """Add the orders of one typed line; report an invalid one at once and change nothing."""
        for result in turn.entry.give_each(turn.order_set, text):
            if not isinstance(result, EntryResult):
                self.terminal.say(Text(in_words(result), "red"))
                continue
            if result.order_set != turn.order_set:
                turn.order_sets.append(result.order_set)
            given = f"  {in_list(result.orders)}"
            if result.replaced:
                given += "   " + _("instead of {orders}", orders=in_list(result.replaced))
            self.terminal.say(given)
            for _known, words in map(turn.entry.words, result.orders):
                self.terminal.say(Text(in_words(words), "yellow")) if words else None

"""The hot seat: a game in one terminal, its players taking turns at the keyboard.

`Hotseat` holds the game and talks through a `Terminal`. Each phase shows the position, asks every power that has
something to do for its orders, and reports what came of them. Every order is judged as it is typed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import takewhile

from rich.rule import Rule
from rich.text import Text

from plenipo.cli import tables
from plenipo.cli.script import Block, Script
from plenipo.cli.terminal import Ended, Terminal
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.history.game import Game, notation_of
from plenipo.engine.legality import Legality
from plenipo.engine.orders import Build, Enter, Order, Promise, Waive
from plenipo.engine.phases import adjustments, victory
from plenipo.engine.position import GAME_MASTER, Power, Unit
from plenipo.engine.reading.ambiguity import meant
from plenipo.engine.reading.notation import Line, Notation
from plenipo.engine.wording import count, listing
from plenipo.errors import AmbiguousOrder, PlenipoError

__all__ = ["COMMANDS", "Hotseat"]

COMMANDS = {
    "list": "the legal orders of all your units; `list A PAR` those of one",
    "show": "the position, and the orders you have given",
    "undo": "take back the last order you gave",
    "done": "your orders are complete",
    "back": "take back the whole last phase, for all powers",
    "draw": "end the game in a draw between all who are left, if everybody agrees",
    "quit": "leave the game",
    "?": "this help",
}
"""What a player may type instead of an order."""

_EXAMPLES = {
    PhaseKind.MOVEMENT: "A PAR - BUR, A PAR S A MAR - BUR, F NTH C A YOR - NWY, A PAR H",
    PhaseKind.RETREATS: "A VIE R BOH (retreat), A VIE D (disband)",
    PhaseKind.ADJUSTMENTS: "A PAR B (build), F STP/NC B, WAIVE, A PAR D (remove)",
    PhaseKind.CHOICE: "CHOOSE LON",
}


class _Next(Enum):
    """How a player's turn ended, if not with orders."""

    BACK = "back"
    OVER = "over"
    QUIT = "quit"


@dataclass
class _Turn:
    """The orders one power has given so far: each with the unit it is for, in the order they were given."""

    power: Power
    given: list[tuple[Unit | None, Order]] = field(default_factory=list)

    @property
    def orders(self) -> list[Order]:
        return [order for _, order in self.given]

    def replaced(self, unit: Unit | None, order: Order) -> Order | None:
        """Take `order` in; returns the order for the same unit that it replaces."""
        found: Order | None = None
        for entry in list(self.given):
            same_site = isinstance(order, Build) and isinstance(entry[1], Build) and _site(entry[1]) == _site(order)
            if same_site or (unit is not None and entry[0] == unit):
                self.given.remove(entry)
                found = entry[1]
        self.given.append((unit, order))
        return found


def _site(order: Build) -> str:
    return order.unit.location.space


class Hotseat:
    """A game at one terminal. `keep` is called with the game after every phase, for saving."""

    def __init__(self, game: Game, terminal: Terminal, keep: Callable[[Game], None] = lambda _: None) -> None:
        self.game = game
        self.terminal = terminal
        self.keep = keep
        self.rules = game.rules

    @property
    def notation(self) -> Notation:
        """The reader of orders, on the board as it is now."""
        return notation_of(self.rules, self.game.position)

    @property
    def phase(self) -> Phase:
        """The phase being played."""
        return self.game.position.phase

    def play(self) -> Game:
        """Play until somebody wins, a draw is agreed or the players leave; returns the game as it then stands."""
        say = self.terminal.say
        say(
            Text.assemble(
                (self.rules.title, "bold"),
                f", {count(len(self.rules.names), 'power')}, "
                f"{self.rules.victory_condition} win. `?` explains what you can type.",
            )
        )
        try:
            while not self.game.over:
                if not self._phase():
                    break
        except Ended:
            say("")
        self.tell_end()
        return self.game

    def tell_end(self) -> None:
        """The last line: who has won, or where the game stands."""
        position = self.game.position
        if len(position.winners) == 1:
            winner = position.winners[0]
            has = victory.score(self.rules, position).told(winner)
            self.terminal.say(Text(f"{winner} has won with {has}.", "bold"))
        elif position.winners:
            self.terminal.say(Text(f"The game is a draw between {listing(position.winners)}.", "bold"))
        else:
            standing = tables.standing(self.rules, position)
            self.terminal.say(f"Nobody has won yet: the game stands at {position.phase}, {standing}.")

    # A phase

    def _phase(self) -> bool:
        """Ask every power, then judge; False if the players leave."""
        self._heading()
        sheets: dict[Power, list[Order]] = {}
        for power in self.asked():
            turn = self._ask(power)
            self.terminal.hide()
            if isinstance(turn, _Turn):
                sheets[power] = turn.orders
            elif turn is _Next.BACK:
                self.game = self.game.undo()
                self.keep(self.game)
                return True
            else:
                return False
        if not self._draws(sheets):
            return False
        self.judge(sheets)
        return True

    def _draws(self, sheets: dict[Power, list[Order]]) -> bool:
        """Ask the game master for what must still be drawn, one after the other; False if the players leave."""
        while missing := self._missing(sheets):
            self.terminal.say(Text(missing))
            written = self.terminal.read(f"{GAME_MASTER}> ").strip()
            if written.casefold() in {"quit", "exit"}:
                return False
            for line in self.notation.sheet(written, self.phase.kind).lines if written else ():
                if isinstance(line.order, Enter):
                    entered = sheets.setdefault(GAME_MASTER, [])
                    entered[:] = [other for other in entered if not _same_label(other, line.order)] + [line.order]
                else:
                    self.terminal.say(Text(str(line.fault or f"'{line.text}' is no draw."), "red"))
        return True

    def _missing(self, sheets: Mapping[Power, Sequence[Order]]) -> str:
        """The sentence that says which draw a phase waits for, empty if none."""
        if not self.rules.draws_by_hand:
            return ""
        resolution = self.game.process(sheets).turns[-1].resolution
        return resolution.errors[-1] if resolution.errors and resolution.after is resolution.before else ""

    def _heading(self) -> None:
        self.terminal.say(Rule(str(self.phase)))
        self.terminal.say(tables.position_of(self.rules, self.game.position))

    def asked(self) -> tuple[Power, ...]:
        """The powers that have something to order in this phase."""
        legality = Legality(self.rules, self.game.position)
        return tuple(power for power in self.rules.names if any(True for _ in legality.orders_of(power)))

    def judge(self, sheets: dict[Power, list[Order]]) -> None:
        """Process the phase and report it."""
        phase = self.phase
        self.game = self.game.process(sheets)
        self.keep(self.game)
        self.terminal.say(Rule(f"{phase}: results"))
        self.terminal.say(tables.report(self.rules, self.game.turns[-1].resolution))

    # A player's turn

    def _ask(self, power: Power) -> "_Turn | _Next":
        legality = Legality(self.rules, self.game.position)
        turn = _Turn(power)
        if self.terminal.hand_over(power):
            self._heading()
        self.terminal.say(Text.assemble((power, "bold"), f", {self._task(turn, legality)}"))
        while True:
            written = self.terminal.read(f"{power}> ").strip()
            word, _, rest = written.partition(" ")
            match word.casefold():
                case "":
                    continue
                case "?" | "help":
                    self._help()
                case "list":
                    self._list(legality, power, rest.strip())
                case "show":
                    self._heading()
                    self._own(turn)
                case "undo":
                    self._undo(turn)
                case "done":
                    if self._complete(turn, legality):
                        return turn
                case "quit" | "exit":
                    if self._sure("Leave the game?"):
                        return _Next.QUIT
                case "back":
                    if not self.game.turns:
                        self.terminal.say("This is the first phase; there is none to take back.")
                    elif self._sure(f"Take back {self.game.turns[-1].resolution.before.phase}, for all powers?"):
                        return _Next.BACK
                case "draw" if not rest.strip():
                    if self._draw():
                        return _Next.OVER
                case _:
                    self._orders(turn, legality, written)

    def _sure(self, question: str) -> bool:
        return not self.terminal.interactive or self.terminal.agrees(question)

    def _task(self, turn: _Turn, legality: Legality) -> str:
        """What is asked of the power, a sentence part."""
        position = self.game.position
        units = legality.orders_of(turn.power).units
        if position.phase.kind is PhaseKind.CHOICE:
            return f"choose {listing([str(choice.unit) for choice in legality.choices(turn.power)], 'or')}."
        if position.phase.kind is PhaseKind.ADJUSTMENTS:
            due = adjustments.possible(self.rules, position, turn.power)
            sites = ", ".join(adjustments.build_sites(self.rules, position, turn.power))
            if due > 0:
                return f"you may build {count(due, 'unit')}, in {sites}."
            return f"you must remove {count(-due, 'unit')} of {listing(units)}."
        verb = "retreat or disband" if position.phase.kind is PhaseKind.RETREATS else "order"
        return f"{verb} {listing(units)}."

    def _help(self) -> None:
        say = self.terminal.say
        say(f"Type orders such as {_EXAMPLES[self.phase.kind]}; names may be written out, several parted by commas.")
        for command, meaning in COMMANDS.items():
            say(f"  {command:5} {meaning}")

    def _list(self, legality: Legality, power: Power, text: str) -> None:
        orders = legality.orders_of(power)
        if self.phase.kind in (PhaseKind.ADJUSTMENTS, PhaseKind.CHOICE):
            self.terminal.say(tables.order_list(tuple(orders)))
            return
        units = orders.units
        if text:
            try:
                space = self.notation.unit(text).location.space
            except PlenipoError as fault:
                self.terminal.say(str(fault))
                return
            units = tuple(unit for unit in units if unit.space == space)
            if not units:
                self.terminal.say(f"You have no unit to order in {space}.")
        for unit in units:
            self.terminal.say(Text(str(unit), "bold"))
            self.terminal.say(tables.order_list(tuple(orders.of(unit))))

    def _own(self, turn: _Turn) -> None:
        given = ", ".join(map(str, turn.orders)) or "none"
        self.terminal.say(f"Your orders: {given}.")

    def _undo(self, turn: _Turn) -> None:
        if turn.given:
            self.terminal.say(f"Taken back: {turn.given.pop()[1]}")
        else:
            self.terminal.say("You have given no order in this phase; `back` takes back the whole last phase.")

    def _complete(self, turn: _Turn, legality: Legality) -> bool:
        """Whether the power is done, after telling what it left open."""
        left = self._left(turn, legality)
        if not left:
            return True
        self.terminal.say(left)
        return not self.terminal.interactive or self.terminal.agrees("Done all the same?", default=True)

    def _left(self, turn: _Turn, legality: Legality) -> str:
        """What becomes of what the power did not order, a sentence; empty if it ordered everything."""
        if self.phase.kind is PhaseKind.ADJUSTMENTS:
            due = adjustments.possible(self.rules, self.game.position, turn.power)
            left = abs(due) - _used(turn.orders)
            if left <= 0:
                return ""
            return (
                f"{count(left, 'build')} will be waived."
                if due > 0
                else f"{count(left, 'unit')} will be removed by the rule of civil disorder."
            )
        ordered = {unit for unit, _ in turn.given}
        idle = [unit for unit in legality.orders_of(turn.power).units if unit not in ordered]
        if not idle:
            return ""
        fate = "will be disbanded" if self.phase.kind is PhaseKind.RETREATS else "will hold"
        return f"{listing(idle)} {'has' if len(idle) == 1 else 'have'} no order and {fate}."

    def _draw(self) -> bool:
        left = self._survivors()
        if not self._sure(f"Do {listing(left)} all agree to a draw?"):
            return False
        self.game = self.game.draw(left)
        self.keep(self.game)
        return True

    def _survivors(self) -> tuple[Power, ...]:
        position = self.game.position
        return tuple(power for power in self.rules.names if position.units_of(power) or position.centres_of(power))

    def _orders(self, turn: _Turn, legality: Legality, text: str) -> None:
        """Take in the orders of one typed line; a wrong one is told at once and changes nothing."""
        for line in self.notation.sheet(text, self.phase.kind).lines:
            order = self._read(line, {turn.power: turn.orders}, turn.power)
            if order is None:
                self.terminal.say(Text(str(line.fault), "red"))
            elif line.power not in (None, turn.power):
                self.terminal.say(Text(f"'{line.text}' is written for {line.power}; it is {turn.power}'s turn.", "red"))
            else:
                self._order(turn, legality, order)

    def _read(self, line: Line, others: Mapping[Power, Sequence[Order]], power: Power | None) -> Order | None:
        """The order of a line; what its text leaves open is settled by the position and the orders of `others`."""
        if power is None or not isinstance(line.fault, AmbiguousOrder):
            return line.order
        return meant(self.rules, self.notation, self.game.position, power, line.text, line.fault, others)

    def _order(self, turn: _Turn, legality: Legality, order: Order) -> None:
        judged = legality.judge(turn.power, order)
        if judged.order is None:
            self.terminal.say(Text(f"'{order}' is not allowed: {judged.reason}", "red"))
            return
        before = list(turn.given)
        replaced = turn.replaced(judged.unit, judged.order)
        if self.phase.kind is PhaseKind.ADJUSTMENTS:
            due = abs(adjustments.possible(self.rules, self.game.position, turn.power))
            if _used(turn.orders) > due:
                turn.given = before
                self.terminal.say(Text(f"'{order}' is too much: {turn.power} has {due} and used them.", "red"))
                return
        self.terminal.say(f"  {judged.order}{f'   instead of {replaced}' if replaced else ''}")

    # Scripts

    def follow(self, script: Script, name: str) -> Game:
        """Play what `script` says; `name` is the file's, for messages. Returns the game as it then stands.

        A phase the script leaves out is played without orders. What cannot be read or has no owner is told, with its
        line, and left out.
        """
        for block in script.blocks:
            if self.game.over:
                self.terminal.warn(f"{name}, line {block.number}: the game is over; the rest is not played.")
                break
            if block.draw is not None:
                self._agree(block, name)
            elif self._reach(block, name):
                self.judge(self._sheets(block, name))
        self.tell_end()
        return self.game

    def _reach(self, block: Block, name: str) -> bool:
        """Play on to the phase of `block`; False, after telling why, if the game passes it by."""
        wanted = block.phase
        if wanted is None:
            return True
        while not self.game.over and self._comes(wanted):
            before = self.phase
            self.judge({})
            if self.phase == before:
                break  # it waits for something, which was told
        if self.phase == wanted and not self.game.over:
            return True
        self.terminal.warn(
            f"{name}, line {block.number}: there is no {wanted} to play, the game stands at {self.phase}."
        )
        return False

    def _comes(self, wanted: Phase) -> bool:
        """Whether the calendar comes to `wanted` after the phase being played."""
        to_come = takewhile(lambda phase: phase.year <= wanted.year, self.rules.calendar.after(self.phase))
        return wanted in to_come

    def _sheets(self, block: Block, name: str) -> dict[Power, list[Order]]:
        sheets: dict[Power, list[Order]] = {}
        lines = self.notation.sheet(block.text, self.phase.kind).lines
        # what needs other orders to be understood comes after them
        for line in sorted(lines, key=lambda line: isinstance(line.fault, AmbiguousOrder)):
            if line.fault is not None:
                order = self._read(line, sheets, line.power)
                if order is None or line.power is None:
                    self.terminal.warn(f"{name}, line {line.number}: {line.fault}")
                else:
                    sheets.setdefault(line.power, []).append(order)
                continue
            for power in self._givers(line, name):
                sheets.setdefault(power, []).extend([line.order] if line.order is not None else [])
        return sheets

    def _givers(self, line: Line, name: str) -> Iterator[Power]:
        """The power that gave an order: the one written with it, or else the owner of the unit or the home centre."""
        if line.power is not None:
            yield line.power
            return
        position, order = self.game.position, line.order
        owner: Power | None = None
        if isinstance(order, Enter):
            yield GAME_MASTER
            return
        if order is not None and not isinstance(order, Waive | Promise):
            space = order.unit.location.space
            unit = position.unit_at(space)
            gone = position.dislodged_at(space)
            if isinstance(order, Build):
                owner = position.owners.get(space)
            elif gone is not None:
                owner = gone.unit.power
            elif unit is not None:
                owner = unit.power
        if owner is None:
            self.terminal.warn(
                f"{name}, line {line.number}: '{line.text}' is nobody's order; write 'France: …' before it."
            )
        else:
            yield owner

    def _agree(self, block: Block, name: str) -> None:
        try:
            named = [self.rules.power(text) for text in (block.draw or "").split(",") if text.strip()]
            self.game = self.game.draw(tuple(named) or self._survivors())
            self.keep(self.game)
        except PlenipoError as fault:
            self.terminal.warn(f"{name}, line {block.number}: {fault}")


def _same_label(one: Order, other: Enter) -> bool:
    return isinstance(one, Enter) and one.label.casefold() == other.label.casefold()


def _used(orders: list[Order]) -> int:
    """How many builds or removals these orders use up."""
    return sum(order.count if isinstance(order, Waive) else 1 for order in orders)

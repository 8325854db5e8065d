"""A game: the positions and orders so far. Immutable: every step returns a new game that shares the old history."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from plenipo.engine.dice import Dice
from plenipo.engine.history.messages import Message
from plenipo.engine.history.rulings import Back, Edited, HistoryEntry, Placed, Ruling, Sealed, in_order, standing
from plenipo.engine.history.turns import Turn, Turns
from plenipo.engine.immutable import Immutable, name_text
from plenipo.engine.orders import Order
from plenipo.engine.outcome import Resolution, Waiting
from plenipo.engine.phases.commands import survives
from plenipo.engine.phases.legality import Legality, LegalOrders
from plenipo.engine.phases.step import adjudicate
from plenipo.engine.position import GAME_MASTER, Position, Power
from plenipo.engine.reading.ambiguity import read_order_sets
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import Series, say
from plenipo.engine.wording import hint, in_quotes
from plenipo.errors import GameOver, PhaseNotOver, UnknownName

__all__ = ["Game", "OrderTexts", "Turn"]

OrderTexts = Mapping[Power, Sequence[str | Order]]
"""The orders of each power: texts or orders in a list, or one text with an order in each line."""


@dataclass(frozen=True)
class Game(Immutable):
    """A game with its history: its beginning, the turns played, and so the current position.

    `process`, `undo`, `fork`, `draw`, `ruled` and `back` return another game; this one stays as it is.
    """

    rules: Rules
    start: Position
    turns: Turns = field(default_factory=Turns)
    drawn: tuple[Power, ...] = ()
    """The powers that shared a draw, if the players agreed on one after the last turn."""
    dice: Dice | None = None
    """The source of random results, if the rules need any; its commitment is part of the record."""
    sealed: str | None = None
    """The commitment to dice whose seed is not known here, because it is not published yet."""
    rulings: tuple[Placed, ...] = ()
    """The rulings of a game master, each with the number of turns before it."""
    messages: tuple[Message, ...] = ()
    """The messages of a game that was read from the file of another program, in their order."""

    def __repr__(self) -> str:
        return name_text(self, f"{self.rules.variant}: {len(self.turns)} turns, {self.position.phase}")

    @classmethod
    def new(cls, rules: Rules, dice: Dice | None = None) -> "Game":
        """Return a game at its opening."""
        return cls(rules, rules.opening, dice=dice)

    @cached_property
    def position(self) -> Position:
        """The current position."""
        position = self.position_after(len(self.turns))
        return replace(position, winners=self.drawn) if self.drawn else position

    def position_after(self, turns: int) -> Position:
        """Return the position from which the game continued after this many turns."""
        for place, ruling in reversed(self.rulings):
            if place == turns and isinstance(ruling, Edited):
                return ruling.position
        return self.turns.after(turns - 1) if turns else self.start

    @property
    def entries(self) -> Sequence[HistoryEntry]:
        """Turns and rulings in chronological order, including undone turns."""
        return tuple(in_order(self.turns, self.rulings))

    @property
    def survivors(self) -> tuple[Power, ...]:
        """The powers that have a unit or a centre left."""
        return tuple(power for power in self.rules.names if survives(self.rules, self.position, power))

    @property
    def over(self) -> bool:
        """True if a power has won or a draw was agreed."""
        return bool(self.position.winners)

    def process(self, order_sets: OrderTexts, journal: str = "") -> "Game":
        """Return the game after the orders of `order_sets`: texts or orders, a list or lines for each power.

        A missing power gave none.

        A text that cannot be read is stored in the turn all the same, and among the `refusals` of its resolution; the
        rest counts. `journal` is the head of the game log. Raises `PhaseNotOver` while something is missing without
        which the phase cannot end, and `GameOver`.
        """
        order_sets = _list_orders(order_sets)
        resolution = self.adjudicate(order_sets)
        if isinstance(resolution, Waiting):
            raise PhaseNotOver(resolution.sentence, resolution.powers)
        texts = {power: tuple(str(order) for order in order_set) for power, order_set in order_sets.items()}
        return replace(self, turns=self.turns.with_turn(Turn(texts, resolution, journal=journal)))

    def adjudicate(self, order_sets: OrderTexts) -> Resolution | Waiting:
        """Return the resolution of the orders of `order_sets`, or the reason the phase waits; the game does not change.

        Raises `UnknownName` for a power that does not exist, `GameOver`, and `TypeError` for anything but a mapping.
        """
        order_sets, position = _list_orders(order_sets), self.position
        known = {GAME_MASTER, *(info.name for info in self.rules.powers)}
        for power in order_sets:
            if power not in known:
                near = hint(power, self.rules.names)
                raise UnknownName(
                    say(
                        "Unknown power {power}. {hint}",
                        power=in_quotes(power),
                        hint=f"{near[:1].upper()}{near[1:]}",
                    )
                )
        read, unreadable = read_order_sets(self.rules, notation_of(self.rules, position), position, order_sets)
        resolution = adjudicate(self.rules, position, read, self.dice)
        return replace(resolution, refusals=(*unreadable, *resolution.refusals)) if unreadable else resolution

    def legal_orders(self, power: str) -> LegalOrders:
        """Return the legal orders of a power in this position; raises `UnknownName` for a power that does not exist."""
        return Legality(self.rules, self.position).orders_of(self.rules.power(power))

    def undo(self, count: int = 1) -> "Game":
        """Return the game without its last `count` turns, and without a draw agreed since.

        Raises `UnknownName` if there are fewer turns.
        """
        return self.fork(len(self.turns) - count)

    def fork(self, turns: int) -> "Game":
        """Return the game after its first `turns` turns; raises `UnknownName` if there are fewer."""
        if not 0 <= turns <= len(self.turns):
            raise UnknownName(
                say("The game has {number} turns: there is none numbered {turns}.", number=len(self.turns), turns=turns)
            )
        rulings = tuple(placed for placed in self.rulings if placed[0] <= turns)
        return replace(self, turns=self.turns.first(turns), drawn=(), rulings=rulings)

    def with_ruling(self, ruling: Ruling) -> "Game":
        """Return the game after a ruling."""
        return replace(self, rulings=(*self.rulings, (len(self.turns), ruling)))

    def back(self, turns: int, reason: Sealed, journal: str = "") -> "Game":
        """Return the game rolled back to its first `turns` turns; the later ones are undone, and stored in the ruling.

        Raises `UnknownName` if there is none to undo.
        """
        if turns == len(self.turns):
            raise UnknownName(say("The game has {turns} turns: there is none after them to remove.", turns=turns))
        before = self.fork(turns)
        rulings = self.rulings[len(before.rulings) :]
        undone = tuple(standing(self.turns[turns:], rulings, turns))
        return before.with_ruling(Back(turns, undone, reason, journal))

    def draw(self, powers: Sequence[Power]) -> "Game":
        """Return the game ended by agreement, shared by `powers`; raises `GameOver`, or `UnknownName` for others."""
        if self.over:
            raise GameOver(say("The game is over already."))
        unknown = [power for power in powers if power not in self.rules.names]
        if not powers:
            raise UnknownName(say("A draw needs the powers that share it."))
        if unknown:
            raise UnknownName(say("A draw is shared by powers of the game, not by {unknown}.", unknown=Series(unknown)))
        return replace(self, drawn=tuple(powers))


def _list_orders(order_sets: OrderTexts) -> OrderTexts:
    """Return order sets with a list for each power: a single text is a sequence too, of letters."""
    if not isinstance(order_sets, Mapping):
        raise TypeError(f"Orders come first, as {{'France': ['A PAR - BUR']}}, not {in_quotes(repr(order_sets))}.")
    return {power: texts.splitlines() if isinstance(texts, str) else texts for power, texts in order_sets.items()}

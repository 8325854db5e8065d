"""Trial games: a variant's opening, its calendar and its first years, so that a fault shows before a game does.

Every kind of declaration is made, and a later year in which something is scheduled is played too.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from random import Random

from plenipo.engine.budgets import affordable
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.dice import SEED_BYTES, Dice, Draw
from plenipo.engine.facts import Victory
from plenipo.engine.orders import Declare
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.commands import survives
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import OrderSets, adjudicate
from plenipo.engine.position import Position
from plenipo.engine.rules import Rules
from plenipo.engine.wording import count
from plenipo.errors import MissingDraw, PlenipoError
from plenipo.library.trial_orders import random_orders

__all__ = ["TrialFault", "troubles"]

YEARS = 5
"""For how long a variant is tried."""

MOST_PHASES = 200
"""More phases than the first years of any calendar take."""

MOST_JUMPS = 24
"""The largest number of later years to try in which something is scheduled."""

PATIENCE = 50
"""The number of attempts at a phase in which choices must go together."""

TrialFault = tuple[Sequence[str], str]
"""The path of the key that is to blame, and a sentence."""


def troubles(rules: Rules, plays: Callable[[], bool] = lambda: True) -> Iterator[TrialFault]:
    """Yield the problems that play would find with `rules`; `plays` is asked before each phase whether to play it."""
    yield from _of_victory(rules)
    yield from _of_powers(rules)
    if not rules.draws_by_hand:
        yield from _of_play(rules, plays)


def _of_victory(rules: Rules) -> Iterator[TrialFault]:
    centres = len(rules.board.centres)
    counted = not any(isinstance(fact, Victory) for facts in rules.facts.declared.values() for fact in facts)
    if counted and rules.to_win > centres:
        yield (
            ("victory",),
            f"'victory' is {rules.to_win}, and the board has {count(centres, 'centre')}: nobody can win.",
        )
    if counted and not any(step.kind is PhaseKind.OWNERSHIP for step in rules.calendar.cycle):
        why = "'calendar.cycle' never settles ownership, so no centre changes hands and nobody can win."
        yield ("calendar", "cycle"), f'{why} Add a step like ["Winter", "ownership"].'


def _of_powers(rules: Rules) -> Iterator[TrialFault]:
    opening = rules.opening
    choosing = opening.phase.kind is PhaseKind.CHOICE
    for power in rules.names:
        if not choosing and not survives(rules, opening, power):
            yield (
                ("powers", power),
                f"'powers.{power}' has neither units nor centres: it is out before the game begins.",
            )


def _of_play(rules: Rules, plays: Callable[[], bool]) -> Iterator[TrialFault]:
    """Faults of the first years of a trial game, and of every later year in which something is scheduled."""
    trial = _Trial(rules, plays)
    begun = rules.opening.phase.year
    yield from trial.play(rules.opening, begun + YEARS)
    for year in sorted(year for year in set(_years(rules.modules)) if year >= begun + YEARS)[:MOST_JUMPS]:
        if trial.broken or trial.latest is None:
            return
        if trial.reached < year:
            yield from trial.play(_at_the_end_of(rules, year - 1, trial.latest), year + 1)


def _years(value: object) -> Iterator[int]:
    """Every year that a rule module or a value in it names: what a field holds that is called `year` or `…_year`."""
    if is_dataclass(value):
        for field in fields(value):
            held = getattr(value, field.name)
            if field.name.rpartition("_")[2] == "year":
                numbers = held.values() if isinstance(held, Mapping) else (held,)
                yield from (number for number in numbers if isinstance(number, int))
            else:
                yield from _years(held)
    elif isinstance(value, Mapping):
        yield from _years(tuple(value.values()))
    elif isinstance(value, tuple):
        for item in value:
            yield from _years(item)


def _at_the_end_of(rules: Rules, year: int, position: Position) -> Position:
    """`position` as if it stood at the last orders of a year."""
    step = next(step for step in reversed(rules.calendar.cycle) if step.kind in _LAST)
    return replace(position, phase=Phase(step.season, year, step.kind))


_LAST = (PhaseKind.MOVEMENT, PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS)
"""The kinds of phase one of which every year has, so that a game may go on from it."""


class _Trial:
    """A game that is played to find faults: each power gives legal orders, and makes every declaration it may make.

    The same game is played each time. `latest` is the last position before a movement in which no power had won,
    `reached` the last year that was played, `broken` is true once the game cannot go on, or is not to.
    """

    def __init__(self, rules: Rules, plays: Callable[[], bool]) -> None:
        self.rules, self.plays = rules, plays
        self.chance = Random(0)  # noqa: S311  # only to play
        self.latest: Position | None = None
        self.reached = rules.opening.phase.year
        self.broken = False
        self._declared: Counter[Declare] = Counter()

    def play(self, position: Position, last: int) -> Iterator[TrialFault]:
        """Play on from a position until the year `last`; the faults that are found, after which it is broken."""
        for number in range(MOST_PHASES):
            if position.phase.kind is PhaseKind.MOVEMENT and not position.winners:
                self.latest = position
            self.reached = max(self.reached, position.phase.year - 1)
            if position.winners or position.phase.year >= last:
                return
            if not self.plays():
                self.broken = True
                return
            came, why = self._process_phase(position, number)
            if came is None:
                self.broken = True
                yield (), f"in {position.phase}, when it is tried out, {why}"
                return
            position = came
        self.broken = True
        yield ("calendar",), f"its first years take more than {MOST_PHASES} phases; 'calendar' does not get on."

    def _process_phase(self, position: Position, number: int) -> tuple[Position | None, str]:
        """Return the position after a phase; or None, and the reason that the game does not go on."""
        dice, missing = _DICE[number % 2], ""
        for _ in range(PATIENCE):
            try:
                came = adjudicate(self.rules, position, self._order_sets(position, number), dice)
            except (PlenipoError, MissingDraw) as fault:
                return None, str(fault)
            if isinstance(came, Resolution):
                wrong = next(came.after.faults(self.rules.board_at(came.after)), None)
                return (None, wrong) if wrong else (came.after, "")
            missing = came.sentence
            if position.phase.kind is not PhaseKind.CHOICE:
                break  # other choices may be content with one another
        return None, f"the game cannot go on: {missing}"

    def _order_sets(self, position: Position, number: int) -> OrderSets:
        """Random orders, and declarations: in one phase of all powers alike, in the next of one power alone."""
        order_sets = dict(random_orders(self.rules, position, self.chance))
        legality, powers = Legality(self.rules, position), self.rules.names
        declaring = powers if number % 2 == 0 else powers[number // 2 % len(powers) :][:1]
        offered = {power: legality.orders_of(power).declarations for power in declaring}
        chosen = self._choose_declarations(Counter(one for several in offered.values() for one in several))
        for power in declaring:
            mine = [one for one in chosen if one in offered[power]]
            self._declared.update(mine)
            orders = [one for one in order_sets.get(power, ()) if not isinstance(one, Declare)]
            order_sets[power] = affordable(self.rules, position, power, [*mine, *orders])
        return order_sets

    def _choose_declarations(self, offered: Mapping[Declare, int]) -> list[Declare]:
        """One declaration of each kind: of those tried least often the one that most powers may make."""
        kinds: dict[tuple[str, str], list[Declare]] = {}
        for one in sorted(offered, key=str):
            kinds.setdefault((one.word, one.text.partition(" ")[0]), []).append(one)
        return [min(several, key=lambda one: (self._declared[one], -offered[one])) for several in kinds.values()]


class _LuckyDice(Dice):
    """Dice by which whatever happens by odds does happen."""

    def draw(self, label: str, slips: Iterable[str]) -> Draw:
        """One of `slips`; the lowest where they are numbers from 1 on, by which odds are drawn."""
        hat = tuple(slips)
        numbers = set(hat) == {str(number) for number in range(1, len(hat) + 1)}
        return Draw(label, hat, "1") if numbers else super().draw(label, hat)


_DICE = (Dice(bytes(SEED_BYTES)), _LuckyDice(bytes(SEED_BYTES)))
"""The dice of a trial game, for alternate phases."""

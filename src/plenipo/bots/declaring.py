"""Declarations of computer players: votes, bids, gifts, special actions and secrets, made where they pay.

The open declarations come from the legal orders, as they do for the page. The needs and effects of one come from its
rule module (`Prospect`); for all others the engine plays the phase with and without them, against the same orders
of the others. The gain is in the expected share of the board, and the cost of a phase is a number of positions, so that
the same seed gives the same declarations on every machine.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random

from plenipo.bots.position_values import SHARE_WHOLE, PositionValues
from plenipo.bots.sensible import rank_later_orders, sensible
from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import SEED_BYTES, Dice
from plenipo.engine.history.view import View
from plenipo.engine.hooks import Prospect
from plenipo.engine.orders import Build, Declare, Hold, Move, Order, Ref, Remove, Retreat
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases import adjustments
from plenipo.engine.phases.legality import Legality, LegalOrders
from plenipo.engine.phases.step import adjudicate
from plenipo.engine.position import Position, Power
from plenipo.errors import PlenipoError

__all__ = ["MOST_PLAYED", "declare"]

MOST_PLAYED = 120
"""The largest number of times that a phase is played with declarations before they are chosen."""

MOST_TRIED, FINALISTS, MOST_ADDED = 24, 4, 2
"""The numbers of declarations that are tried, that are tried in all samples, and that are added to the best one."""

FEW, ALL = 2, 5
"""The numbers of samples of the others' orders that a declaration is tried in, at first and in the end."""

LEAST = SHARE_WHOLE // 500
"""The smallest gain for which something is declared, but for votes, which cost nothing."""

FADE = 85
"""The per cent of an effect that are left if it comes a year later."""

CONTESTED = 50
"""In how many of a hundred samples another power bids for the same, any of the sums that may be bid."""

CLOSE = 85
"""One of the declarations is drawn that gain so many per cent of the best gain."""

MOST_RETREATS, MOST_REMOVALS = 3, 6
"""The numbers of retreats of a unit, and of removals, that are written before their phase."""

_WORD = re.compile(r"[^\W_]+")
_SUM = re.compile(r"\d+")


def declare(
    view: View, legal: LegalOrders, orders: Sequence[Order], chance: Random, *, bound: bool = False
) -> list[Order]:
    """Return `orders` with the declarations that pay, and with their needs: a unit that holds, a build not used.

    All declarations are of those that `legal` lists. With `bound` no order is changed, since it may be promised.
    """
    offered = legal.declarations
    if not offered or view.rules.draws_by_hand:
        return list(orders)
    return _DeclarationChoice(view, legal, orders, offered, chance, bound=bound).choose()


class _DeclarationChoice:
    """A power that weighs what it may declare in the phase at hand."""

    def __init__(
        self,
        view: View,
        legal: LegalOrders,
        orders: Sequence[Order],
        offered: Sequence[Declare],
        chance: Random,
        *,
        bound: bool,
    ) -> None:
        self.view, self.rules, self.position = view, view.rules, view.position
        self.legal, self.power, self.orders, self.chance = legal, legal.power, list(orders), chance
        modules = [(module.words, module) for module in self.rules.modules if module.words]
        self.prospects: dict[Declare, Prospect] = {}
        for one in offered:
            module = next(module for words, module in modules if one.word in words)
            prospect = module.prospect(self.rules, self.position, self.power, one)
            if prospect.holds is None or (not bound and self._hold_at(prospect.holds) is not None):
                self.prospects[one] = prospect
        self.values = PositionValues(self.rules, self.position)
        self.now = self.values.shares(self.position)
        self.near = self._find_near_spaces()
        self.legality = Legality(self.rules, self.position)
        self.seeds = [chance.getrandbits(64) for _ in range(ALL)]
        self.samples: dict[int, dict[Power, list[Order]]] = {}
        self.results: dict[object, int | None] = {}

    def choose(self) -> list[Order]:
        """Return the orders with all declarations that pay."""
        ahead = {one: prospect.ahead for one, prospect in self.prospects.items() if prospect.ahead is not None}
        shown = [one for one, known in self.prospects.items() if known.position is None and known.ahead is None]
        chosen = [*self._choose_foreseen(), *self._choose_shown(shown)]
        return [*self._change_orders(chosen), *chosen, *self._write_ahead(ahead)]

    # Orders of later phases

    def _write_ahead(self, ahead: Mapping[Declare, Order]) -> list[Declare]:
        """Return the orders of later phases, in the order of preference, without the least desirable."""
        if not ahead:
            return []
        of = {order: one for one, order in ahead.items()}
        counts: dict[object, int] = {}
        written: list[Declare] = []
        for order in rank_later_orders(self.view, self.power, of, self.chance):
            kind: object = order.unit if isinstance(order, Retreat) else type(order)
            most = {Retreat: MOST_RETREATS, Remove: MOST_REMOVALS}.get(type(order), len(of))
            counts[kind] = counts.get(kind, 0) + 1
            written += [of[order]] if counts[kind] <= most else []
        return written

    # Effects that rule modules foresee

    def _choose_foreseen(self) -> list[Declare]:
        """Return the best declaration of each group whose effects are known, if it gains anything."""
        groups: dict[tuple[str, str], list[tuple[int, Declare]]] = {}
        for one, prospect in self.prospects.items():
            if prospect.position is not None:
                gain = self._weigh(prospect, prospect.position)
                groups.setdefault((one.word, _lot(one)), []).append((gain, one))
        best = [max(several, key=lambda pair: pair[0]) for several in groups.values()]
        chosen = [one for gain, one in best if gain > (0 if self.prospects[one].agreed else LEAST)]
        building = [one for one in chosen if self.prospects[one].build]
        return [one for one in chosen if one not in building[1:]]

    def _weigh(self, prospect: Prospect, after: Position) -> int:
        """Return the expected gain of a declaration whose effects are known."""
        now, then = self.now, self.values.shares(after)
        few, many = prospect.odds
        gain = (then[self.power] - now[self.power]) * few // many
        for _ in range(prospect.years):
            gain = gain * FADE // 100
        if prospect.build:
            gain -= now[self.power] - self.values.shares(self.position, without=self.power)[self.power]
        if prospect.agreed and gain > 0:
            # the gain of all powers that gain, so that they vote alike: one vote carries nothing
            gain = sum(max(0, then[power] - now[power]) for power in self.rules.names)
        return gain

    # Effects that the phase at hand shows

    def _choose_shown(self, shown: Sequence[Declare]) -> list[Declare]:
        """Return the declarations that gain most in samples of the phase, one after the other."""
        tried = self._pick_candidates(shown)
        ranked = self._rank([(one,) for one in tried], FEW)[:FINALISTS]
        final = self._rank([several for _, several in ranked], ALL)
        close = [several for gain, several in final if 100 * gain >= CLOSE * final[0][0]]
        if not close:
            return []
        chosen, gain = self.chance.choice(close), final[0][0]
        for one in [several[0] for _, several in ranked if several != chosen][:MOST_ADDED]:
            if any(_lot(one) == _lot(other) and one.word == other.word for other in chosen if _SUM.search(one.text)):
                continue
            more = self._rank([(*chosen, one)], ALL)
            if more and more[0][0] > gain + LEAST:
                (gain, chosen), *_ = more
        return list(chosen)

    def _rank(self, alternatives: Iterable[tuple[Declare, ...]], samples: int) -> list[tuple[int, tuple[Declare, ...]]]:
        """Return the sets of declarations that gain something, with their gains, the best first."""
        weighed = [(self._find_gain(several, samples), several) for several in alternatives]
        return sorted((pair for pair in weighed if pair[0] > LEAST), key=lambda pair: -pair[0])

    def _pick_candidates(self, shown: Sequence[Declare]) -> list[Declare]:
        """Return the declarations to try: of each word in turn, those about spaces that matter to the power first."""
        aims = {order.to.space for order in self.orders if isinstance(order, Move)}
        aims |= {unit.space for unit in self.legal.units} | set(self.position.centres_of(self.power))
        words: dict[str, list[tuple[int, float, Declare]]] = {}
        for one in shown:
            named = {Code(part) for part in _WORD.findall(one.text)} & self.values.spaces
            far = 0 if named & aims or not named else 1 if named & self.near else 2
            words.setdefault(one.word, []).append((far, self.chance.random(), one))
        queues = [sorted(several, key=lambda entry: entry[:2]) for several in words.values()]
        turns = (
            (entry for queue in queues for entry in queue[i : i + 1]) for i in range(max(map(len, queues), default=0))
        )
        return [one for entries in turns for _, _, one in entries][:MOST_TRIED]

    def _find_gain(self, declared: tuple[Declare, ...], samples: int) -> int:
        """Return the mean gain of declarations in samples, with others that bid for the same in some of them."""
        gains = []
        for sample in range(samples):
            bids = self._contest(declared, sample)
            with_it, without = self._play(declared, bids, sample), self._play((), bids, sample)
            gains.append(0 if with_it is None or without is None else with_it - without)
        return sum(gains) // len(gains)

    def _contest(self, declared: Sequence[Declare], sample: int) -> tuple[tuple[Power, Declare], ...]:
        """Return the bids of others for the same lots in a sample."""
        found = []
        for lot in dict.fromkeys(
            (one.word, _lot(one)) for one in declared if _SUM.fullmatch(one.text.rpartition(" ")[2])
        ):
            chance = Random(f"{self.seeds[sample]} {lot}")  # noqa: S311  # the same for the same seed
            same = [one for one in self.prospects if (one.word, _lot(one)) == lot]
            others = [other for other in self.rules.names if other != self.power and self.position.survives(other)]
            if others and chance.randrange(100) < CONTESTED:
                other, bid = chance.choice(others), chance.choice(same)
                found += [(other, bid)] if self.legality.check(other, bid).order is not None else []
        return tuple(found)

    def _play(self, declared: tuple[Declare, ...], bids: tuple[tuple[Power, Declare], ...], sample: int) -> int | None:
        """Return the expected share after the phase in a sample; None if it cannot be played, or not any more."""
        key = declared, bids, sample
        if key not in self.results and len(self.results) < MOST_PLAYED:
            order_sets: dict[Power, list[Order]] = {power: list(of) for power, of in self._sample(sample).items()}
            for power, bid in bids:
                order_sets.setdefault(power, []).append(bid)
            order_sets[self.power] = [*self._change_orders(declared), *declared]
            self.results[key] = self._play_out(order_sets, Dice(self.seeds[sample].to_bytes(SEED_BYTES)))
        return self.results.get(key)

    def _play_out(self, order_sets: Mapping[Power, Sequence[Order]], dice: Dice) -> int | None:
        """Return the expected share once the phase is over, and retreats and adjustments without orders."""
        position = self.position
        for _ in range(_MOST_PHASES):
            try:
                came = adjudicate(self.rules, position, order_sets, dice)
            except PlenipoError:
                return None  # the part of a board that a power sees may be no sound position
            if not isinstance(came, Resolution):
                return None
            position, order_sets = came.after, {}
            if position.winners or position.phase.kind not in (PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS):
                break
        return self.values.shares(position)[self.power]

    def _sample(self, sample: int) -> dict[Power, list[Order]]:
        """Return orders that the powers nearby may give, by rules of thumb."""
        if sample not in self.samples:
            chance = Random(self.seeds[sample])  # noqa: S311  # the same for the same seed
            found: dict[Power, list[Order]] = {}
            for power in self.rules.names:
                legal = self.legality.orders_of(power)
                if power != self.power and (self._is_near(power) or self.position.phase.kind is PhaseKind.CHOICE):
                    found[power] = sensible(replace(self.view, who=power), legal, chance)
            self.samples[sample] = found
        return self.samples[sample]

    def _is_near(self, power: Power) -> bool:
        """Return whether a power has a unit from which this one could be met."""
        return any(unit.space in self.near for unit in self.position.units_of(power))

    def _find_near_spaces(self) -> frozenset[Code]:
        """Return the spaces within two steps of the units and centres of the power."""
        board = self.rules.board_at(self.position)
        near = {unit.space for unit in self.legal.units} | set(self.position.centres_of(self.power))
        for _ in range(2):
            near |= {code for at in near for code in board.near.get(at, ())}
        return frozenset(near)

    # Needs of declarations

    def _change_orders(self, declared: Iterable[Declare]) -> list[Order]:
        """Return the orders, but units hold that declarations need, and a build is left out for each that takes one."""
        orders = list(self.orders)
        for prospect in (self.prospects[one] for one in declared):
            hold = None if prospect.holds is None else self._hold_at(prospect.holds)
            if hold is not None:
                orders = [*(order for order in orders if _space_of(order) != prospect.holds), hold]
            builds = [order for order in orders if isinstance(order, Build)]
            if prospect.build and len(builds) >= adjustments.due(self.rules, self.position, self.power) > 0:
                orders.remove(builds[-1])
        return orders

    def _hold_at(self, code: Code) -> Order | None:
        """Return the hold of the unit in a space, None if that is not allowed."""
        unit = self.position.unit_at(code)
        hold = None if unit is None else Hold(unit.ref)
        return hold if hold is not None and hold in self.legal else None


_MOST_PHASES = 4
"""The phases from a movement to the next one, at most so many."""


def _lot(one: Declare) -> str:
    """Return the text of a declaration without its last word, which is what is chosen: a sum, a space or a power."""
    return one.text.rpartition(" ")[0]


def _space_of(order: Order) -> Code | None:
    """Return the space of the unit that an order is for."""
    ref = getattr(order, "unit", None)
    return ref.location.space if isinstance(ref, Ref) else None

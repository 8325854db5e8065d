"""The stage of a case: what its powers, units, places and orders mean under the rules it is played by."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeVar

from plenipo.cases.values import mapping, sequence, text, texts
from plenipo.engine.board import Code, Location
from plenipo.engine.calendar import Phase, PhaseKind, Step
from plenipo.engine.history.dice import SEED_BYTES, Dice
from plenipo.engine.history.game import notation_of
from plenipo.engine.hooks import RuleModule
from plenipo.engine.legality import Legality
from plenipo.engine.orders import Order, Ref
from plenipo.engine.outcome import Outcome, Resolution, Result
from plenipo.engine.phases import ownership
from plenipo.engine.phases.step import process
from plenipo.engine.position import Dislodged, Position, Power, Unit
from plenipo.engine.reading.ambiguity import meant
from plenipo.engine.rules import Rules
from plenipo.errors import AmbiguousOrder, InvalidCase, InvalidOrder, PlenipoError
from plenipo.rulekit.hand_draws import HandDraws
from plenipo.rulekit.walkers import Walkers

__all__ = ["BOARD", "CHANCE", "STATE", "Load", "Played", "Row", "Stage", "judged", "sets_board", "sets_state"]

M = TypeVar("M", bound=RuleModule)

CHANCE = Dice(bytes(SEED_BYTES))
"""What chance decides in a case: always the same."""

Load = Callable[[str, Mapping[str, str]], Rules]
"""The rules of a variant, by its name and the options chosen."""


@dataclass(frozen=True)
class Row:
    """An order of a case: who gave it, as written, and the word expected for it, empty if none.

    `order` is None where the text cannot be read; `about` is then the unit its beginning names, if that much is clear.
    """

    power: Power
    written: str
    word: str = ""
    order: Order | None = None
    about: Ref | None = None


class Stage:
    """The rules of a case, and readers for everything a case names; each raises `InvalidCase` with the key."""

    def __init__(self, rules: Rules, base: Position | None = None, load: Load | None = None) -> None:
        self.rules = rules
        self.load = load
        """Makes the rules of a variant with options; the stage of a case in a file has it."""
        self.base = base or _nothing_about(rules.opening)
        """The position whatever a case does not say is taken from: the opening, on the board of the case."""
        self.board = rules.board_at(self.base)
        self.notation = notation_of(rules, self.base)

    def on_board_of(self, given: Mapping[str, object]) -> "Stage":
        """The stage on the board that the keys of `BOARD` describe; raises `InvalidCase` if they cannot."""
        stage = self
        for key, describe in BOARD.items():
            if key in given:
                stage = Stage(stage.rules, describe(stage, stage.base, given[key]), stage.load)
        return stage

    def at(self, position: Position) -> "Stage":
        """The stage on the board of `position`, for reading what is said of it."""
        return (
            self if position.changes == self.base.changes else Stage(self.rules, replace(position, units=()), self.load)
        )

    def without_draws(self) -> "Stage":
        """The stage on which a turn ends before its draws, if there are any: they are no part of a movement."""
        draws = any(step.kind is PhaseKind.DRAWS for step in self.rules.calendar.cycle)
        return self.by_hand() if draws else self

    def by_hand(self) -> "Stage":
        """The stage of the same game in which the game master enters what is drawn."""
        if self.rules.draws_by_hand:
            return self
        return Stage(replace(self.rules, modules=(*self.rules.modules, HandDraws("gm_entered"))), self.base, self.load)

    def module(self, wanted: type[M]) -> M:
        """The rule module of that type; raises `InvalidCase` if the game is played without it."""
        found = next((module for module in self.rules.modules if isinstance(module, wanted)), None)
        if found is None:
            raise InvalidCase(f"key 'variant': '{self.rules.variant}' is played without '{wanted.name}'.")
        return found

    def power(self, value: object, key: str) -> Power:
        """The power called `value`, in any case."""
        name = text(value, key)
        try:
            return self.rules.power(name)
        except PlenipoError as error:
            raise InvalidCase(f"key '{key}': {error}") from error

    def powers(self, value: object, key: str) -> tuple[Power, ...]:
        """Several powers."""
        return tuple(self.power(item, key) for item in sequence(value, key))

    def by_power(self, value: object, key: str) -> dict[Power, object]:
        """A mapping whose keys are powers."""
        found: dict[Power, object] = {}
        for name, item in mapping(value, key).items():
            power = self.power(name, key)
            if power in found:
                raise InvalidCase(f"key '{key}': {power} stands twice.")
            found[power] = item
        return found

    def place(self, value: object, key: str) -> Location:
        """The location called `value`."""
        name = text(value, key)
        try:
            return self.notation.location(name)
        except PlenipoError as error:
            raise InvalidCase(f"key '{key}': {error}") from error

    def places(self, value: object, key: str) -> tuple[Location, ...]:
        """Several locations."""
        return tuple(self.place(item, key) for item in sequence(value, key))

    def codes(self, value: object, key: str) -> frozenset[Code]:
        """Several spaces, whatever the coast."""
        return frozenset(place.space for place in self.places(value, key))

    def ref(self, value: object, key: str) -> Ref:
        """The unit called `value`."""
        name = text(value, key)
        try:
            return self.notation.unit(name)
        except PlenipoError as error:
            raise InvalidCase(f"key '{key}': {error}") from error

    def units(self, value: object, key: str) -> tuple[Unit, ...]:
        """The units of a mapping from power to list."""
        return tuple(
            self.unit(power, item, key)
            for power, items in self.by_power(value, key).items()
            for item in sequence(items, key)
        )

    def unit(self, power: Power, value: object, key: str) -> Unit:
        """A unit of `power`, whose letter must be written."""
        kind, location = self.ref(value, key)
        if kind is None:
            raise InvalidCase(f"key '{key}': '{value}' must begin with A or F.")
        return Unit(power, kind, location)

    def find(self, units: tuple[Unit, ...], value: object, key: str) -> Unit:
        """The unit among `units` that is called `value`."""
        ref = self.ref(value, key)
        for unit in units:
            if unit.location == ref.location and ref.kind in (None, unit.kind):
                return unit
        known = ", ".join(map(str, units)) or "none"
        raise InvalidCase(f"key '{key}': there is no unit '{value}'; the units are {known}.")

    def rows(self, value: object, kind: PhaseKind, key: str = "orders") -> tuple[Row, ...]:
        """The orders of a phase: a mapping of power to texts, or rows `[power, text]` or `[power, text, word]`.

        In a choice phase a power may have a single text.
        """
        if isinstance(value, dict):
            single = kind is PhaseKind.CHOICE
            return tuple(
                self._row(power, order, "", kind)
                for power, orders in self.by_power(value, key).items()
                for order in ([orders] if single and isinstance(orders, str) else texts(orders, key))
            )
        rows: list[Row] = []
        for item in sequence(value, key):
            parts = texts(item, key)
            if len(parts) not in (2, 3):
                raise InvalidCase(f"key '{key}': {item!r} must be [power, order] or [power, order, word].")
            word = parts[2].casefold() if len(parts) == 3 else ""
            rows.append(self._row(self.power(parts[0], key), parts[1], word, kind))
        return tuple(rows)

    def _row(self, power: Power, written: str, word: str, kind: PhaseKind) -> Row:
        try:
            return Row(power, written, word, self.notation.read(written, kind))
        except InvalidOrder:
            return Row(power, written, word, None, self._about(written))

    def completed(self, rows: tuple[Row, ...], position: Position) -> tuple[Row, ...]:
        """The rows with those read that the position makes clear, as in a game."""
        orders: dict[Power, list[Order]] = {}
        for row in rows:
            orders.setdefault(row.power, []).extend([row.order] if row.order is not None else [])
        return tuple(row if row.order is not None else self._made_clear(row, position, orders) for row in rows)

    def _made_clear(self, row: Row, position: Position, orders: Mapping[Power, Sequence[Order]]) -> Row:
        try:
            self.notation.read(row.written, position.phase.kind)
        except AmbiguousOrder as several:
            order = meant(self.rules, self.notation, position, row.power, row.written, several, orders)
            return row if order is None else replace(row, order=order, about=None)
        except InvalidOrder:
            pass
        return row

    def _about(self, written: str) -> Ref | None:
        """The unit named by the longest beginning of an order that cannot be read as a whole."""
        words = written.split()
        for count in range(len(words) - 1, 0, -1):
            try:
                return self.notation.unit(" ".join(words[:count]))
            except InvalidOrder:
                continue
        return None

    def phase(self, kind: PhaseKind, season: object = None) -> Phase:
        """The phase of `kind` in the season a label names, such as `Spring 1901`; the first of its kind without one.

        A season without such a phase means the nearest one: ownership after Fall may be settled in Winter.
        """
        every = self._every_step()
        steps = [i for i, step in enumerate(every) if step.kind is kind]
        if not steps:
            raise InvalidCase(f"key 'kind': this calendar has no phase of {kind}.")
        if season is None:
            return next(p for p in self._from_the_first() if p.kind is kind)
        name, year = self._season(text(season, "season"))
        own = [i for i in steps if every[i].season == name]
        last = max(i for i, step in enumerate(every) if step.season == name)
        nearest = own or sorted(steps, key=lambda i: abs(i - last))
        return Phase(every[nearest[0]].season, year, kind)

    def _every_step(self) -> tuple[Step, ...]:
        calendar = self.rules.calendar
        return (*calendar.opening, *calendar.cycle)

    def _from_the_first(self) -> Iterator[Phase]:
        calendar = self.rules.calendar
        yield calendar.first
        yield from calendar.after(calendar.first)

    def _season(self, label: str) -> tuple[str, int]:
        """The season and the year in `Spring 1901`, `end of Fall 1901` or `Fall 1901 retreats`."""
        known = list(dict.fromkeys(step.season for step in self._every_step()))
        match = re.match(r"(?:end of )?(\w+)(?: (\d+))?", label, re.IGNORECASE)
        name = match.group(1).capitalize() if match else ""
        if match is None or name not in known:
            raise InvalidCase(f"key 'season': '{label}' is not in this calendar, which has {', '.join(known)}.")
        return name, int(match.group(2) or self.rules.calendar.start)

    def position(self, given: Mapping[str, object], phase: Phase) -> Position:
        """The position a case describes, in `phase`; what it does not say is as in the opening, without units."""
        return self.sound(self.remembering(self.described(given, phase)))

    def described(self, given: Mapping[str, object], phase: Phase) -> Position:
        """The same before rule modules have looked at it, and perhaps not sound."""
        position = replace(
            self.base, phase=phase, units=self.units(given.get("units"), "units"), dislodged=self._dislodged(given)
        )
        for key, value in given.items():
            if key in STATE:
                position = STATE[key](self, position, value)
        return position

    def remembering(self, position: Position) -> Position:
        """`position` with what rule modules remember of the opening made what they would remember had it begun so."""
        opening = self.rules.opening.slots
        for module in self.rules.modules:
            if module.name in opening and position.slots.get(module.name) is opening[module.name]:
                begun = module.opening(self.rules, position).slots[module.name]
                position = position.with_slot(module.name, begun)
        return position

    def sound(self, position: Position) -> Position:
        """`position` itself; raises `InvalidCase` if it contradicts its board."""
        fault = next(position.faults(self.board), None)
        if fault:
            raise InvalidCase(f"key 'units': {fault}")
        return position

    def _dislodged(self, given: Mapping[str, object]) -> tuple[Dislodged, ...]:
        """Units that must retreat: `{A VIE: {owner: Austria, from: TYO}}`."""
        dislodged: list[Dislodged] = []
        for name, value in mapping(given.get("dislodged"), "dislodged").items():
            facts = mapping(value, "dislodged")
            if not {"owner"} <= set(facts) <= {"owner", "from"}:
                raise InvalidCase(f"key 'dislodged': '{name}' needs 'owner', and 'from' where the attacker came from.")
            unit = self.unit(self.power(facts["owner"], "dislodged, owner"), name, "dislodged")
            barred = (self.place(facts["from"], "dislodged, from").space,) if facts.get("from") else ()
            dislodged.append(Dislodged(unit, None, barred))
        return tuple(dislodged)

    def judge(
        self, position: Position, rows: tuple[Row, ...], papers: Mapping[Power, Sequence[Order]] = MappingProxyType({})
    ) -> Resolution:
        """Give the orders that could be read and `papers` beside them, and judge the phase."""
        sheets: dict[Power, list[Order]] = {power: list(handed_in) for power, handed_in in papers.items()}
        for row in rows:
            if row.order is not None:
                sheets.setdefault(row.power, []).append(row.order)
        return process(self.rules, position, sheets, CHANCE)

    def settled(self, position: Position) -> Position:
        """`position`, whose phase is one of ownership, after centres have changed hands and the rule modules acted."""
        after, *_ = ownership.settle(self.rules, position, position.phase)
        for module in self.rules.overriding[RuleModule.after_ownership]:
            after, *_ = module.after_ownership(self.rules, after, position.phase)
        return after


def _nothing_about(opening: Position) -> Position:
    """The opening without pieces that are nobody's: a case names those it has."""
    slots = {name: slot for name, slot in opening.slots.items() if name != Walkers.name}
    return replace(opening, slots=slots)


@dataclass(frozen=True)
class Played:
    """A case after it was played, as the expectations look at it.

    `reckoned` is the position whose builds and removals are counted; `named` the powers the case speaks of.
    """

    stage: Stage
    before: Position
    after: Position
    reckoned: Position
    rows: tuple[Row, ...] = ()
    resolution: Resolution | None = None
    named: frozenset[Power] = frozenset()
    notes: tuple[str, ...] = ()
    """What happened beside the resolution, a sentence each."""

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """What came of the orders."""
        return self.resolution.outcomes if self.resolution else ()

    @property
    def pieces(self) -> tuple[Unit, ...]:
        """The units orders were asked for: the dislodged in a retreat phase, otherwise those on the board."""
        if self.before.phase.kind is PhaseKind.RETREATS:
            return tuple(dislodged.unit for dislodged in self.before.dislodged)
        return self.before.units

    def outcome(self, unit: Unit) -> Outcome | None:
        """What came of `unit`."""
        return next((outcome for outcome in self.outcomes if outcome.unit == unit), None)

    @property
    def refusals(self) -> tuple[Row, ...]:
        """The orders that were not carried out."""
        return tuple(row for row, outcome in judged(self) if outcome is None or outcome.result is Result.VOID)


def judged(played: Played) -> list[tuple[Row, Outcome | None]]:
    """Each order with its outcome; None if it was void: not readable, not allowed, or another order counted."""
    legality = Legality(played.stage.rules, played.before)
    left = list(played.outcomes)
    found: list[tuple[Row, Outcome | None]] = []
    for row in played.rows:
        order = legality.judge(row.power, row.order).order if row.order is not None else None
        outcome = None
        if order is not None:
            outcome = next((o for o in left if o.power == row.power and o.order == order), None)
        if outcome is not None and played.before.phase.kind is PhaseKind.ADJUSTMENTS:
            left.remove(outcome)  # two equal builds are two orders, with two outcomes
        found.append((row, outcome))
    return found


State = Callable[[Stage, Position, object], Position]

BOARD: dict[str, State] = {}
"""Keys that describe how the board has changed, in the order in which they are applied; every kind understands them."""

STATE: dict[str, State] = {}
"""Keys that describe the position besides its units, and how each is put into it."""


def sets_state(key: str) -> Callable[[State], State]:
    """Register a key that describes the position; every kind of case with a position then understands it."""

    def register(function: State) -> State:
        STATE[key] = function
        return function

    return register


def sets_board(key: str) -> Callable[[State], State]:
    """Register a key that describes how the board has changed."""

    def register(function: State) -> State:
        BOARD[key] = function
        return function

    return register


@sets_state("centres")
def _centres(stage: Stage, position: Position, value: object) -> Position:
    """Power -> centres owned; nobody owns any other."""
    owners: dict[Code, Power] = {}
    for power, names in stage.by_power(value, "centres").items():
        for code in stage.codes(names, "centres"):
            if code in owners:
                raise InvalidCase(f"key 'centres': {code} is owned by {owners[code]} and by {power}.")
            owners[code] = power
    return replace(position, owners=owners)


@sets_state("homes")
def _homes(stage: Stage, position: Position, value: object) -> Position:
    """Power -> home centres; a power not named keeps those of the opening."""
    homes = {power: stage.codes(names, "homes") for power, names in stage.by_power(value, "homes").items()}
    return replace(position, homes={**position.homes, **homes})


@sets_state("initial_homes")
def _initial_homes(stage: Stage, position: Position, value: object) -> Position:
    """Power -> the homes it chose to begin with; nobody else has a home."""
    chosen = stage.by_power(value, "initial_homes")
    return replace(position, homes={power: stage.codes(names, "initial_homes") for power, names in chosen.items()})


@sets_state("contested")
def _contested(stage: Stage, position: Position, value: object) -> Position:
    """Spaces a stand-off left vacant."""
    return replace(position, contested=stage.codes(value, "contested"))

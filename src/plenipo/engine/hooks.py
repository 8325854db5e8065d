"""The hooks: every point at which a rule module can change a game.

A rule module is a value with options. It reads the position and returns changes; the engine applies them. A hook that
a module does not override changes nothing, so a module contains only the code of its own rule. The hooks, in the order
of a game:

- `check`: mistakes in the options that only the rules show;
- `facts`: everything that can be stated as a table of values (`plenipo.engine.facts`); the other hooks are code:
- `game_powers`: other powers, for instance some without a player;
- `calendar`: other steps, for instance a choice phase before the first movement;
- `board`: other spaces and contacts;
- `opening`: another first position;
- `choices`, `why_not_together`, `replaced_choices`, `missing_choices` and `after_choices`: the choices of a power in a
  choice phase, the combinations that are refused, the choices that a later one replaces, the powers that the phase
  waits for, and the effects of all choices;
- `why_no_orders`: units that take no orders;
- `why_no_retreat`: dislodged units that are destroyed instead of retreating;
- `after_moves`: effects as soon as the moves are made, before the retreats;
- `after_phase`: effects at the end of a step of the calendar;
- `why_no_notice`, `complete_declaration` and `offers`: declarations and promises that may be submitted beside
orders, and the list
  of orders to offer;
- `prospect`: the needs and effects of a declaration, for players that weigh it;
- `balances`, `budget`: the money or points of a power, and the cost of its orders;
- `foreseen`, `why_no_order_set`: the position for which a power writes its orders, and why it writes none;
- `commanders`, `order_sets`: the powers that order a unit, and the submitted orders that count;
- `after_orders`: effects when the orders of any phase have been carried out;
- `slot_seen`, `tells`: the part of the module's state and of its events that a power sees;
- `unit_as_named`: the location of a unit whose own order may state it;
- `space_lost` and `space_split`: the module's state after a space is lost or split;
- `captures`: units that capture the centre they occupy;
- `after_ownership`: effects when the ownership of centres has been updated, before the adjustments;
- `entitlement`: the number of units that a power may build up to, and the number it may keep;
- `counts_for`, `wins_with`: powers whose centres and units count for another, and powers that win with another;
- `progress`: the progress of each power, where that is neither centres nor pieces;
- `marks`: signs of the module on a picture of the board;
- `place_rules`: rules that belong to single spaces and contacts, for the map and its legend.

`claims` names the matters that a module decides alone; two modules with the same claim cannot be played together.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from plenipo.engine.amounts import count_things
from plenipo.engine.board import Board, Code
from plenipo.engine.calendar import Calendar, Phase
from plenipo.engine.changes import Split
from plenipo.engine.dice import Draw, DrawSource
from plenipo.engine.events import Event
from plenipo.engine.facts import Fact
from plenipo.engine.immutable import EMPTY, Brief
from plenipo.engine.module_memory import ModuleMemory
from plenipo.engine.orders import (
    Build,
    Choose,
    Convert,
    Convoy,
    Declare,
    Disband,
    Hold,
    Move,
    Notice,
    Order,
    Promise,
    Ref,
    Remove,
    Retreat,
    Support,
)
from plenipo.engine.outcome import Outcome
from plenipo.engine.place_rules import PlaceRule
from plenipo.engine.position import Dislodged, Position, Power, PowerInfo, Slot, Unit
from plenipo.errors import InvalidRecord

if TYPE_CHECKING:
    from plenipo.engine.reading.positions import BoardReader
    from plenipo.engine.rules import Rules

__all__ = [
    "HOOKS",
    "ORDER_WORDS",
    "Adjudication",
    "Budget",
    "Choices",
    "Declared",
    "Effects",
    "Entitlement",
    "Promises",
    "Prospect",
    "RuleModule",
    "Score",
    "SplitUnit",
    "Verdict",
]

Choices = Mapping[Power, Sequence[Choose]]
"""The legal choices of each power, in the order given; a power without a choice is left out."""


Promises = Mapping[Power, Sequence[Promise]]
"""The promises of each power in this phase, in the order given."""


Declared = Mapping[Power, Sequence[Declare]]
"""The declarations of each power in this phase, in the order given."""


class Budget(NamedTuple):
    """The cost of orders by their words (`move`, `build`, or of one unit type `build F`), and the amount available.

    `noun` is the unit of payment, in the singular; an order without a cost is free. `ways` is the extra cost of moves
    without convoy, by the two ends of the contact they use.
    """

    costs: Mapping[str, int]
    has: int
    noun: str
    ways: Mapping[frozenset[Code], int] = EMPTY

    def cost(self, order: Order) -> int:
        """Return the cost of `order`."""
        word = _WORDS.get(type(order))
        if word is None:
            return 0
        kind = order.unit.kind  # type: ignore[union-attr]  # orders with a word have a unit
        toll = 0
        if self.ways and isinstance(order, Move) and not order.via:
            toll = self.ways.get(frozenset((order.unit.location.space, order.to.space)), 0)
        return toll + self.costs.get(f"{word} {kind}", self.costs.get(word, 0))


_WORDS: Mapping[type[Order], str] = {
    Hold: "hold",
    Move: "move",
    Support: "support",
    Convoy: "convoy",
    Convert: "convert",
    Retreat: "retreat",
    Disband: "disband",
    Build: "build",
    Remove: "remove",
}

ORDER_WORDS = tuple(_WORDS.values())
"""The words of orders that may have a cost."""


class Effects(NamedTuple):
    """The effects of a rule module: the position after it, the events, and the outcomes of notices.

    Where `position` has new changes of the board, the engine calls `space_lost` or `space_split` of every module.
    """

    position: Position
    events: tuple[Event, ...] = ()
    outcomes: tuple[Outcome, ...] = ()


class Adjudication(NamedTuple):
    """The results of a phase so far, given to a rule module that adds effects of its own.

    `before` is the position in which the orders were given, `position` the current one; random results are drawn from
    `source`.
    """

    before: Position
    outcomes: Sequence[Outcome]
    position: Position
    promises: Promises
    declared: Declared
    source: DrawSource


class SplitUnit(NamedTuple):
    """A unit in a space that was split: the unit in the first half, and its double in the other.

    `second` is None where the rules add no double.
    """

    unit: Unit
    first: Unit
    second: Unit | None


class Prospect(NamedTuple):
    """The needs and effects of a declaration, for players that weigh it before they make it.

    `position` is the position at hand with all effects, as if they came at once: they come after so many `years`, and
    in so many of so many draws (`odds`). None where the phase at hand shows them when it is played. `holds` is the
    space whose unit must hold for it; with `build` it takes an unused build, and with `agreed` it takes other powers
    that declare the same. A declaration that is an order of a later phase has that order in `ahead`.
    """

    position: Position | None = None
    years: int = 0
    odds: tuple[int, int] = (1, 1)
    holds: Code | None = None
    build: bool = False
    agreed: bool = False
    ahead: Order | None = None


class Entitlement(NamedTuple):
    """The number of units a power may build up to, and the number it may keep: by default its centres for both."""

    builds: int
    keeps: int


class Verdict(NamedTuple):
    """The winners, and the sentence that names them; no winners while the game goes on."""

    powers: tuple[Power, ...] = ()
    why: str = ""


class Score(NamedTuple):
    """Each power's progress towards victory.

    `noun` is the thing that is counted, in the singular (`centre`, `point`); `enough` is the number that wins.
    """

    counts: Mapping[Power, int]
    noun: str
    enough: int

    def in_words(self, power: Power) -> str:
        """Return the progress of `power` in words.

        >>> score = Score({Power("France"): 1}, "centre", 18)
        >>> score.in_words(Power("France")), score.in_words(Power("Italy"))
        ('1 centre', '0 centres')
        """
        return count_things(self.counts.get(power, 0), self.noun)


@dataclass(frozen=True)
class RuleModule(Brief):
    """The hooks of a rule module, which change nothing by default.

    A module is a frozen dataclass whose fields are its options.
    """

    name: ClassVar[str] = ""
    """The name by which a variant names the module."""

    choice_words: ClassVar[str] = ""
    """The noun for a choice of a choice phase, in sentences to the player; empty for modules that offer no choices."""

    signs: ClassVar[Mapping[str, str]] = {}
    """The meaning of each sign that this module draws on the board, by kind; `{field}` stands for an option."""

    closing_signs: ClassVar[frozenset[str]] = frozenset()
    """The kinds of those signs that mark spaces which nothing may enter."""

    claims: ClassVar[frozenset[str]] = frozenset()
    """The matters that this module decides alone."""

    words: ClassVar[frozenset[str]] = frozenset()
    """The words, in capitals, that begin the declarations of this module."""

    needs_figure: ClassVar[bool] = False
    """True if the module needs the drawn figure of a board, and cannot be played where only contacts are given."""

    cuts: ClassVar[bool] = False
    """True if the module may split a space during play, which needs optional packages."""

    @property
    def secret_order_sets(self) -> bool:
        """True if the orders of a power stay secret when the phase is over, until they are carried out."""
        return False

    hides: ClassVar[bool] = False
    """True if the module keeps parts of the position from some powers."""

    spends: ClassVar[bool] = False
    """True if the module spends from the treasuries of another module; its hooks are called after that module's."""

    memory: ClassVar[type[ModuleMemory] | None] = None
    """The class of the value that the module remembers between phases, in the slot of its name; None for none."""

    fixed: ClassVar[frozenset[str]] = frozenset()
    """Fields that are data of a variant and not options of a game."""

    @classmethod
    def overridden(cls) -> frozenset[str]:
        """Return the names of the hooks that modules of this class override."""
        return frozenset(hook for hook in HOOKS if getattr(cls, hook) is not getattr(RuleModule, hook))

    def check(self, rules: "Rules") -> None:  # nothing to check by default
        """Check the options against the rules; raise `InvalidVariant` for those that make no sense."""

    def facts(self, rules: "Rules") -> Iterable[Fact]:
        """Return the changes of this module that can be stated as values; the same at every call."""
        return ()

    def game_powers(self, powers: tuple[PowerInfo, ...]) -> tuple[PowerInfo, ...]:
        """Return the powers of the game."""
        return powers

    def calendar(self, calendar: Calendar) -> Calendar:
        """Return the calendar of the game."""
        return calendar

    def board(self, board: Board) -> Board:
        """Return the board of the game."""
        return board

    @property
    def changes_contacts_alone(self) -> bool:
        """True if `board` changes spaces and contacts and nothing that a list of them would not tell."""
        return False

    def opening(self, rules: "Rules", position: Position) -> Position:
        """Return the first position of the game."""
        return position

    def choices(self, rules: "Rules", position: Position, power: Power) -> tuple[Choose, ...]:
        """Return the choices that `power` may make now; empty if there are none."""
        return ()

    def why_not_together(self, rules: "Rules", position: Position, power: Power, choices: Sequence[Choose]) -> str:
        """Return a sentence that says why these choices, each legal alone, exclude each other; empty if they do not."""
        return ""

    def replaced_choices(self, power: Power, choices: Sequence[Choose]) -> tuple[Choose, ...]:
        """Return those of `choices`, legal and in the order given, that a later one replaces."""
        return ()

    def missing_choices(self, rules: "Rules", position: Position, choices: Choices) -> tuple[Power, ...]:
        """Return the powers without whose choice the phase cannot end."""
        return ()

    def after_choices(self, rules: "Rules", position: Position, choices: Choices, source: DrawSource) -> Effects:
        """Return the effects of all choices together; random results are drawn from `source`."""
        return Effects(position)

    def why_no_orders(self, rules: "Rules", position: Position, unit: Unit) -> str:
        """Return a sentence that says why `unit` takes no orders in a movement phase; empty if it does."""
        return ""

    def why_not_ordered(self, rules: "Rules", position: Position, unit: Unit, order: Order) -> str:
        """Return why `unit` may not receive a possible order, or retreat to a destination; empty if it may."""
        return ""

    def why_not_carried_out(
        self, rules: "Rules", position: Position, declared: Declared, unit: Unit, order: Order
    ) -> str:
        """Return why a legal movement order is not carried out, given all declarations; empty if it is."""
        return ""

    def why_no_retreat(self, rules: "Rules", position: Position, dislodged: Dislodged) -> str:
        """Return a sentence that says why a unit just dislodged is destroyed and may not retreat; empty if it may."""
        return ""

    def after_moves(self, rules: "Rules", adjudication: Adjudication) -> Effects:
        """Return the immediate effects after the moves are made; the dislodged units have not retreated yet."""
        return Effects(adjudication.position)

    def after_orders(self, rules: "Rules", adjudication: Adjudication) -> Effects:
        """Return the immediate effects after the orders of a phase of any kind have been carried out."""
        return Effects(adjudication.position)

    def after_phase(self, rules: "Rules", position: Position, phase: Phase, source: DrawSource) -> Effects:
        """Return the effects at the end of `phase`, which may have been skipped because no power had anything to do."""
        return Effects(position)

    def why_no_notice(self, rules: "Rules", position: Position, power: Power, notice: Notice) -> str | None:
        """Return a sentence that says why `notice` is refused, empty if it is accepted; None if it is unknown."""
        return None

    def notice_words(self, rules: "Rules", position: Position, power: Power, notice: Notice) -> tuple[bool, str] | None:
        """Return, for a legal notice, whether it is understood, and a sentence to its author that says how."""
        return None

    def complete_declaration(self, rules: "Rules", position: Position, power: Power, declaration: Declare) -> Declare:
        """Complete a declaration that begins with one of `words`; raise `PlenipoError` if it is not allowed."""
        return declaration

    def offers(self, rules: "Rules", position: Position, power: Power) -> tuple[Declare, ...]:
        """Return the declarations `power` may make now, as far as they can be listed: complete, each legal alone."""
        return ()

    def prospect(self, rules: "Rules", position: Position, power: Power, declaration: Declare) -> Prospect:
        """Return what a declaration that is offered needs and leads to; by default what the phase at hand shows."""
        return Prospect()

    @property
    def noun(self) -> str:
        """The unit of the treasuries, as a singular noun; empty where there are no treasuries."""
        return ""

    def balances(self, position: Position) -> Mapping[Power, int]:
        """Return each power's balance of the currency of this module, such as money."""
        return {}

    def budget(self, rules: "Rules", position: Position, power: Power) -> Budget | None:
        """Return the costs of the orders of `power` in this phase and its funds for them; None if orders are free."""
        return None

    def foreseen(self, rules: "Rules", position: Position, power: Power) -> Position | None:
        """Return the position for which `power` writes its orders now; None where it is the current one."""
        return None

    def why_no_order_set(self, rules: "Rules", position: Position, power: Power) -> str:
        """Return a sentence that says why `power` submits no orders in this phase; empty if it does."""
        return ""

    def commanders(self, rules: "Rules", position: Position, unit: Unit) -> tuple[Power, ...] | None:
        """Return the powers that order `unit` now, highest rank first; None where this module does not decide it."""
        return None

    def rulers(self, rules: "Rules", position: Position, power: Power) -> tuple[Power, ...] | None:
        """Return the powers that order all of `power` now, also builds; None where the module does not decide it."""
        return None

    def order_sets(
        self,
        rules: "Rules",
        position: Position,
        order_sets: Mapping[Power, Sequence[Order]],
        declared: Declared,
        source: DrawSource,
    ) -> tuple[Mapping[Power, Sequence[Order]], Position]:
        """Return the submitted orders that count, by the powers they are for, and the position with stored orders."""
        return order_sets, position

    def secrets(self) -> frozenset[str] | None:
        """Return the words of declarations that only their author sees; None where this module keeps nothing secret."""
        return None

    def slot_seen(self, rules: "Rules", slot: Slot, who: Power | None) -> Slot | None:
        """Return the part of this module's slot that `who` (None for a spectator) sees, where not all is public."""
        return None

    def tells(self, rules: "Rules", position: Position, who: Power | None, told: Event | Outcome | Draw) -> bool:
        """Return whether `who` sees an event, outcome or draw; `position` is the one after it."""
        return True

    def unit_as_named(self, rules: "Rules", position: Position, unit: Unit, named: Ref) -> Unit:
        """Return `unit` at the location where its own order names it, `named`."""
        return unit

    def space_lost(self, rules: "Rules", position: Position, space: Code) -> Effects:
        """Return the change of this module's state when everything in `space` is lost."""
        return Effects(position)

    def space_split(self, rules: "Rules", position: Position, split: Split, units: Sequence[SplitUnit]) -> Effects:
        """Return the change of this module's state about a space that was split; `units` were in it."""
        return Effects(position)

    def captures(self, rules: "Rules", position: Position, unit: Unit) -> bool:
        """Return whether `unit` captures the centre it occupies."""
        return True

    def entitlement(self, rules: "Rules", position: Position, power: Power, entitlement: Entitlement) -> Entitlement:
        """Return how many units `power` may build up to and keep, given the `entitlement` without this module."""
        return entitlement

    def counts_for(self, rules: "Rules", position: Position, power: Power) -> tuple[Power, ...]:
        """Return other powers whose centres and units count for `power` in the victory conditions."""
        return ()

    def wins_with(self, rules: "Rules", position: Position, power: Power) -> tuple[Power, ...]:
        """Return the powers that win together with `power`."""
        return ()

    def progress(self, rules: "Rules", position: Position) -> Mapping[Power, int] | None:
        """Return the progress of each power in the `Victory` of this module, if the engine cannot count it itself."""
        return None

    def marks(self, rules: "Rules", position: Position) -> Mapping[Code, tuple[str, ...]]:
        """Return the signs of this module in each space of a picture: `hole`, `anarchy`, `walker I1`, `shade H2`."""
        return {}

    def place_rules(self, rules: "Rules") -> Iterable[PlaceRule]:
        """Describe the rules of this module that belong to single spaces and contacts, except those that are facts."""
        return ()

    def without_slot(self, rules: "Rules", position: Position) -> Slot | None:
        """Return this module's slot for a position from outside that has none.

        The default is the slot of the opening, if the module has one there.
        """
        return rules.opening.slots.get(self.name)

    def decode_slot(self, value: Any, reader: "BoardReader") -> Slot:
        """Return this module's slot from the JSON that it wrote; `reader` looks up the names in it.

        Raise `InvalidRecord`, `KeyError` for a missing entry, or the errors of the reader.
        """
        if self.memory is not None:
            return self.memory.from_json(value, reader)
        raise InvalidRecord(f"'{self.name}' remembers nothing, but the position has {value!r} for it.")

    def after_ownership(self, rules: "Rules", position: Position, phase: Phase) -> Effects:
        """Return the effects after the ownership of centres has been updated in `phase`."""
        return Effects(position)


HOOKS = tuple(
    name for name, value in vars(RuleModule).items() if isinstance(value, FunctionType) and not name.startswith("_")
)
"""The names of all hooks, in the order of this file."""

"""Every point at which a rule module can change a game: few, typed, all here.

A rule module is a value with options. It reads, and returns changes; the engine applies them. A hook that a module
does not override changes nothing, so a module says only what it is about. The hooks, in the order of a game:

- `facts`: everything that is a table, as values (`plenipo.engine.facts`); what follows is code:
- `game_powers`: other powers, for instance some that nobody plays;
- `calendar`: other steps, for instance a choice phase before the first movement;
- `board`: other spaces and contacts;
- `opening`: another first position;
- `choices`, `why_not_together`, `replaced_choices`, `missing_choices` and `after_choices`: what a power may choose in a
  choice phase, what of it does not go together, what a later choice replaces, who is waited for, and what comes of it;
- `why_no_orders`: which units take no orders;
- `why_no_retreat`: which dislodged units are destroyed instead of retreating;
- `after_moves`: what happens as soon as the moves are made, before the retreats;
- `after_phase`: what happens when a step of the calendar is over;
- `why_no_notice`, `declared` and `offers`: what may be submitted beside orders, and what of it can be listed;
- `purses`, `budget`: what a power has of money or points, and what orders cost it;
- `foreseen`, `why_no_order_set`: for which position a power writes its orders, and why it writes none;
- `commanders`, `order_sets`: who writes the orders of a unit, and which orders count of what was submitted;
- `after_orders`: what happens when the orders of any phase have been carried out;
- `slot_seen`, `tells`: what a power sees of what the module remembers, and of what it says happened;
- `unit_as_named`: where a unit stands, if its own order may say so;
- `space_lost` and `space_split`: what becomes of what a module remembers when a space is lost or split;
- `captures`: which units take the centre they stand in;
- `after_ownership`: what happens when ownership has been settled, before the adjustments;
- `entitlement`: how many units a power may build up to, and how many it may keep;
- `counts_for`, `wins_with`: whose centres and units count for others, and who wins where another does;
- `progress`: how much each power has of what wins, where that is neither centres nor pieces;
- `marks`: what a picture shows of it;
- `place_rules`: which of its rules belong to single spaces and ways, for the map and its legend.

`claims` names what a module decides alone; two modules that claim the same cannot be played together.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from plenipo.engine.board import Board, Code
from plenipo.engine.calendar import Calendar, Phase
from plenipo.engine.changes import Split
from plenipo.engine.dice import Draw, DrawSource
from plenipo.engine.events import Event
from plenipo.engine.facts import Fact
from plenipo.engine.immutable import EMPTY, Brief
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
from plenipo.engine.wording import count
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
    "RuleModule",
    "Score",
    "SplitUnit",
    "Verdict",
]

Choices = Mapping[Power, Sequence[Choose]]
"""The legal choices of each power, in the order given; a power that chose nothing is left out."""


Promises = Mapping[Power, Sequence[Promise]]
"""What each power promised in this phase, in the order given."""


Declared = Mapping[Power, Sequence[Declare]]
"""What each power declared in this phase, in the order given."""


class Budget(NamedTuple):
    """What orders cost by their words (`move`, `build`, or of one kind of unit `build F`), and what there is for them.

    `noun` is one of what is paid; an order without a cost is free. `ways` are what moves that are not convoyed cost
    besides, by the two ends of their ways.
    """

    costs: Mapping[str, int]
    has: int
    noun: str
    ways: Mapping[frozenset[Code], int] = EMPTY

    def cost(self, order: Order) -> int:
        """What `order` costs."""
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
"""The words of orders that may cost something."""


class Effects(NamedTuple):
    """What a rule module did: the position after it, what happened, outcomes of notices.

    Where `position` has new changes of the board, the engine asks `space_lost` or `space_split` of every module.
    """

    position: Position
    events: tuple[Event, ...] = ()
    outcomes: tuple[Outcome, ...] = ()


class Adjudication(NamedTuple):
    """What came of the orders of a phase so far, for a rule module that says what else comes of it.

    `before` is the position the orders were given in, `position` the one now; what chance must decide is drawn from
    `source`.
    """

    before: Position
    outcomes: Sequence[Outcome]
    position: Position
    promises: Promises
    declared: Declared
    source: DrawSource


class SplitUnit(NamedTuple):
    """A unit that stood in a space when that was split: itself in the first half, and its double in the other.

    `second` is None where the rules put no double.
    """

    unit: Unit
    first: Unit
    second: Unit | None


class Entitlement(NamedTuple):
    """Up to how many units a power may build, and how many it may keep; ordinarily the centres it owns, twice."""

    builds: int
    keeps: int


class Verdict(NamedTuple):
    """Who has won, and the sentence that says so; nobody while the game goes on."""

    powers: tuple[Power, ...] = ()
    why: str = ""


class Score(NamedTuple):
    """Each power's progress towards victory.

    `noun` is one of what is counted (`centre`, `point`), `enough` how many win.
    """

    counts: Mapping[Power, int]
    noun: str
    enough: int

    def in_words(self, power: Power) -> str:
        """What `power` has, in words.

        >>> score = Score({Power("France"): 1}, "centre", 18)
        >>> score.in_words(Power("France")), score.in_words(Power("Italy"))
        ('1 centre', '0 centres')
        """
        return count(self.counts.get(power, 0), self.noun)


@dataclass(frozen=True)
class RuleModule(Brief):
    """The hooks, none of which changes anything here; a module is a frozen dataclass whose fields are its options."""

    name: ClassVar[str] = ""
    """The name by which a variant names the module."""

    choice_words: ClassVar[str] = ""
    """What a player chooses in a choice phase, in sentences to him; empty for modules that offer no choices."""

    signs: ClassVar[Mapping[str, str]] = {}
    """What the signs mean that this module brings to the board, by their kind; `{field}` stands for an option."""

    closing_signs: ClassVar[frozenset[str]] = frozenset()
    """The kinds of those signs that stand in spaces which nothing may enter."""

    claims: ClassVar[frozenset[str]] = frozenset()
    """What this module decides alone."""

    words: ClassVar[frozenset[str]] = frozenset()
    """The words, in capitals, with which declarations begin that this module knows."""

    needs_figure: ClassVar[bool] = False
    """Whether it needs the drawn figure of a board, and cannot be played where only contacts are given."""

    cuts: ClassVar[bool] = False
    """Whether it may split a space in play, for which packages are needed that not everybody has installed."""

    @property
    def secret_order_sets(self) -> bool:
        """Whether what a power submitted stays with it when the phase is over, until it is carried out."""
        return False

    spends: ClassVar[bool] = False
    """Whether it takes something out of purses: its hooks are asked after those of the module that keeps these."""

    fixed: ClassVar[frozenset[str]] = frozenset()
    """Fields that are data of a variant and not options of a game."""

    @classmethod
    def overridden(cls) -> frozenset[str]:
        """The names of the hooks that modules of this class do not leave as they are."""
        return frozenset(hook for hook in HOOKS if getattr(cls, hook) is not getattr(RuleModule, hook))

    def facts(self, rules: "Rules") -> Iterable[Fact]:
        """What this module changes in rules that are a table, as values; the same whenever it is asked."""
        return ()

    def game_powers(self, powers: tuple[PowerInfo, ...]) -> tuple[PowerInfo, ...]:
        """The powers of the game."""
        return powers

    def calendar(self, calendar: Calendar) -> Calendar:
        """The calendar of the game."""
        return calendar

    def board(self, board: Board) -> Board:
        """The board of the game."""
        return board

    def opening(self, rules: "Rules", position: Position) -> Position:
        """The first position of the game."""
        return position

    def choices(self, rules: "Rules", position: Position, power: Power) -> tuple[Choose, ...]:
        """What `power` may choose now; nothing if it has nothing to choose."""
        return ()

    def why_not_together(self, rules: "Rules", position: Position, power: Power, choices: Sequence[Choose]) -> str:
        """Why these choices, each legal by itself, cannot stand together, a sentence; empty if they can."""
        return ""

    def replaced_choices(self, power: Power, choices: Sequence[Choose]) -> tuple[Choose, ...]:
        """Those of `choices`, legal and in the order given, that a later one of them takes the place of."""
        return ()

    def missing_choices(self, rules: "Rules", position: Position, choices: Choices) -> tuple[Power, ...]:
        """The powers without whose choice the phase cannot end."""
        return ()

    def after_choices(self, rules: "Rules", position: Position, choices: Choices, source: DrawSource) -> Effects:
        """What comes of all choices together; what chance must decide is drawn from `source`."""
        return Effects(position)

    def why_no_orders(self, rules: "Rules", position: Position, unit: Unit) -> str:
        """Why `unit` takes no orders in a movement phase, a sentence; empty if it does."""
        return ""

    def why_not_ordered(self, rules: "Rules", position: Position, unit: Unit, order: Order) -> str:
        """Why `unit` may not be given an order that it could carry out, or go where it retreats to; empty if it may."""
        return ""

    def why_not_carried_out(
        self, rules: "Rules", position: Position, declared: Declared, unit: Unit, order: Order
    ) -> str:
        """Why a legal order of a movement is not carried out, given all that was declared; empty if it is."""
        return ""

    def why_no_retreat(self, rules: "Rules", position: Position, dislodged: Dislodged) -> str:
        """Why a unit just dislodged is destroyed and may not retreat, a sentence; empty if it may."""
        return ""

    def after_moves(self, rules: "Rules", adjudication: Adjudication) -> Effects:
        """What happens at once when the moves have been made; the dislodged have not retreated yet."""
        return Effects(adjudication.position)

    def after_orders(self, rules: "Rules", adjudication: Adjudication) -> Effects:
        """What happens at once when the orders of a phase of any kind have been carried out."""
        return Effects(adjudication.position)

    def after_phase(self, rules: "Rules", position: Position, phase: Phase, source: DrawSource) -> Effects:
        """What happens when `phase` is over, or was passed over because nobody had anything to do."""
        return Effects(position)

    def why_no_notice(self, rules: "Rules", position: Position, power: Power, notice: Notice) -> str | None:
        """Why this module refuses `notice`, a sentence, empty if it takes it; None if it knows no such thing."""
        return None

    def notice_words(self, rules: "Rules", position: Position, power: Power, notice: Notice) -> tuple[bool, str] | None:
        """Whether a notice that may be given is understood, and how, in a sentence to who writes it."""
        return None

    def declared(self, rules: "Rules", position: Position, power: Power, declaration: Declare) -> Declare:
        """A declaration that begins with one of `words`, completed; raises `PlenipoError` if it is not allowed."""
        return declaration

    def offers(self, rules: "Rules", position: Position, power: Power) -> tuple[Declare, ...]:
        """What `power` may declare now, as far as it can be listed: complete, and each allowed by itself."""
        return ()

    @property
    def noun(self) -> str:
        """One of what is in the purses, in a word; empty where there are none."""
        return ""

    def purses(self, position: Position) -> Mapping[Power, int]:
        """What each power has of what this module counts, such as money."""
        return {}

    def budget(self, rules: "Rules", position: Position, power: Power) -> Budget | None:
        """What the orders of `power` cost in this phase, and what it has for them; None if they cost nothing."""
        return None

    def foreseen(self, rules: "Rules", position: Position, power: Power) -> Position | None:
        """The position for which `power` writes its orders now; None where it is the one that there is."""
        return None

    def why_no_order_set(self, rules: "Rules", position: Position, power: Power) -> str:
        """Why `power` submits no orders in this phase, a sentence; empty if it does."""
        return ""

    def commanders(self, rules: "Rules", position: Position, unit: Unit) -> tuple[Power, ...] | None:
        """Who orders `unit` now, the first in rank first; None where this module does not say."""
        return None

    def rulers(self, rules: "Rules", position: Position, power: Power) -> tuple[Power, ...] | None:
        """Who orders whole `power` now, its builds too; None where this module does not say."""
        return None

    def order_sets(
        self,
        rules: "Rules",
        position: Position,
        order_sets: Mapping[Power, Sequence[Order]],
        declared: Declared,
        source: DrawSource,
    ) -> tuple[Mapping[Power, Sequence[Order]], Position]:
        """The orders that count of those submitted, by the powers they are for, and the position with what is filed.

        `declared` is what was declared besides; what chance must decide is drawn from `source`.
        """
        return order_sets, position

    def secrets(self) -> frozenset[str] | None:
        """The words of declarations that stay with who wrote them; None where this module keeps nothing secret."""
        return None

    def slot_seen(self, rules: "Rules", slot: Slot, who: Power | None) -> Slot | None:
        """What `who` sees, None one who looks on, of what this module remembers, where not everything is public."""
        return None

    def tells(self, rules: "Rules", position: Position, who: Power | None, told: Event | Outcome | Draw) -> bool:
        """Whether `who` is told of something that happened or was drawn; `position` is that after it."""
        return True

    def unit_as_named(self, rules: "Rules", position: Position, unit: Unit, named: Ref) -> Unit:
        """`unit` as it stands when its own order names it `named`."""
        return unit

    def space_lost(self, rules: "Rules", position: Position, space: Code) -> Effects:
        """What happens to what this module remembers when everything in `space` is lost."""
        return Effects(position)

    def space_split(self, rules: "Rules", position: Position, split: Split, units: Sequence[SplitUnit]) -> Effects:
        """What happens to what this module remembers about a space that was split; `units` stood in it."""
        return Effects(position)

    def captures(self, rules: "Rules", position: Position, unit: Unit) -> bool:
        """Whether `unit` takes the centre it stands in."""
        return True

    def entitlement(self, rules: "Rules", position: Position, power: Power, entitlement: Entitlement) -> Entitlement:
        """What `power` may build up to and keep, given what it is without this module."""
        return entitlement

    def counts_for(self, rules: "Rules", position: Position, power: Power) -> tuple[Power, ...]:
        """Other powers whose centres and units count for `power` when it is looked who has won."""
        return ()

    def wins_with(self, rules: "Rules", position: Position, power: Power) -> tuple[Power, ...]:
        """Who else wins where `power` does."""
        return ()

    def progress(self, rules: "Rules", position: Position) -> Mapping[Power, int] | None:
        """How much each power has of what `Victory` of this module counts, if the engine cannot count it itself."""
        return None

    def marks(self, rules: "Rules", position: Position) -> Mapping[Code, tuple[str, ...]]:
        """What a picture shows of this module in each space: `hole`, `anarchy`, `walker I1`, `shade H2`."""
        return {}

    def place_rules(self, rules: "Rules") -> Iterable[PlaceRule]:
        """Describe the rules of this module that belong to single spaces and ways, but for those that are facts."""
        return ()

    def without_slot(self, rules: "Rules", position: Position) -> Slot | None:
        """Return what this module remembers of a position that came from outside without its slot.

        Unless a module makes something else of the position that is its slot of the opening, if it has one there.
        """
        return rules.opening.slots.get(self.name)

    def decode_slot(self, value: Any, reader: "BoardReader") -> Slot:
        """What this module remembers, from the JSON its slot wrote; `reader` looks up what that names.

        Raises `InvalidRecord`, `KeyError` for what is missing, or what the reader raises.
        """
        raise InvalidRecord(f"'{self.name}' remembers nothing, but the position has {value!r} for it.")

    def after_ownership(self, rules: "Rules", position: Position, phase: Phase) -> Effects:
        """What happens when ownership has been settled in `phase`."""
        return Effects(position)


HOOKS = tuple(
    name for name, value in vars(RuleModule).items() if isinstance(value, FunctionType) and not name.startswith("_")
)
"""The names of all hooks, in the order of this file."""

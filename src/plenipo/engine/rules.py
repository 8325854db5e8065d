"""The rules of one variant with its options chosen: everything about a game that does not change while it is played."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import Any, Self, TypeVar

from plenipo.engine.amounts import count_things
from plenipo.engine.board import Board
from plenipo.engine.calendar import Calendar
from plenipo.engine.changes import BoardChange, ChangedBoards, with_changes
from plenipo.engine.facts import CENTRE, DrawsByHand, Facts, HiddenKinds, Sight, Victory
from plenipo.engine.hooks import HOOKS, RuleModule
from plenipo.engine.immutable import Immutable, name_text
from plenipo.engine.place_rules import PlaceRule, place_rules_of
from plenipo.engine.position import Position, Power, PowerInfo
from plenipo.engine.rulebook import Rulebook
from plenipo.engine.sentences import Sentence, SentenceKind, say
from plenipo.engine.wording import hint, in_quotes
from plenipo.errors import FixedBoard, UnknownName

__all__ = ["Rules"]


M = TypeVar("M", bound=RuleModule)

_BOARDS_KEPT = 64
"""The number of boards cached for one game; stepping through a history returns to many of them."""


_EITHER_WAY = SentenceKind("either-way", "{one}, or {other}", note="Two ways to win.")


def _either_way(one: Sentence, other: Sentence) -> Sentence:
    return _EITHER_WAY(one=one, other=other)


@dataclass(frozen=True)
class Rules(Immutable):
    """A variant ready to play, shared by all positions of a game.

    `to_win` is the number of centres that wins, if no other power owns as many.
    `options` are the deviations from the variant's defaults, as given, for the record.
    `modules` are the rule modules in play, in the order in which their hooks are called.
    """

    variant: str
    title: str
    board: Board
    powers: tuple[PowerInfo, ...]
    calendar: Calendar
    rulebook: Rulebook
    to_win: int
    opening: Position
    options: Mapping[str, str] = field(default_factory=dict)
    modules: tuple[RuleModule, ...] = ()
    changed_boards: ChangedBoards | None = field(default=None, compare=False)
    """The source of boards that change during play; None where the board is fixed."""

    _boards: dict[tuple[BoardChange, ...], Board] = field(default_factory=dict, init=False, repr=False, compare=False)
    _recipe: tuple[Callable[..., "Rules"], tuple[Any, ...]] | None = field(
        default=None, init=False, repr=False, compare=False
    )

    def __hash__(self) -> int:
        return hash((self.variant, self.title))

    def __repr__(self) -> str:
        options = "".join(f", {key}={value}" for key, value in self.options.items())
        return name_text(self, f"{self.variant}{options}")

    def __reduce__(self) -> Any:
        return self._recipe or super().__reduce__()

    def made_by(self, load: Callable[..., "Rules"], *arguments: Any) -> Self:
        """Return these rules, which another process unpickles by calling `load` with `arguments`."""
        object.__setattr__(self, "_recipe", (load, arguments))
        return self

    def board_at(self, position: Position) -> Board:
        """Return the board of `position`: that of the variant with the changes made so far.

        Raises `FixedBoard` if there are changes and the board of these rules is fixed.
        """
        changes = position.changes
        if not changes:
            return self.board
        board = self._boards.get(changes)
        if board is None:
            if self.changed_boards is None:
                raise FixedBoard(
                    say("The board of '{variant}' is fixed, and this position has changes of it.", variant=self.variant)
                )
            board = self.changed_boards.board(changes)
            for module in self.overriding[RuleModule.board]:
                board = module.board(board)
            board = with_changes(board, changes)
            if len(self._boards) >= _BOARDS_KEPT:
                del self._boards[next(iter(self._boards))]
            self._boards[changes] = board
        return board

    @cached_property
    def facts(self) -> Facts:
        """The facts that the rule modules declare.

        Raises `InvalidVariant` where two of them contradict each other, and for options that make no sense.
        """
        for module in self.overriding[RuleModule.check]:
            module.check(self)
        return Facts({module.name: tuple(module.facts(self)) for module in self.overriding[RuleModule.facts]})

    @cached_property
    def place_rules(self) -> tuple[PlaceRule, ...]:
        """The rules that belong to single spaces and contacts, as the map shows them."""
        return place_rules_of(self)

    @cached_property
    def overriding(self) -> Mapping[Callable[..., object], tuple[RuleModule, ...]]:
        """The rule modules that override each hook (a function of `RuleModule`), in their order."""
        return {
            getattr(RuleModule, hook): tuple(module for module in self.modules if hook in module.overridden())
            for hook in HOOKS
        }

    def module(self, kind: type[M]) -> M | None:
        """Return the rule module of this class, None if it is not in play."""
        return next((module for module in self.modules if isinstance(module, kind)), None)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words that begin the declarations of this game."""
        return frozenset(word for module in self.modules for word in module.words)

    @cached_property
    def in_fog(self) -> bool:
        """True if powers see only parts of the board."""
        return self.facts.one(Sight) is not None

    @cached_property
    def has_secrets(self) -> bool:
        """True if something is not public while the game goes on, apart from the orders of the open phase."""
        return (
            self.in_fog
            or self.hidden_kinds is not None
            or self.secret_order_sets
            or any(module.secrets() is not None for module in self.modules)
        )

    @cached_property
    def hidden_kinds(self) -> HiddenKinds | None:
        """The fact that hides unit types, None where every type is public."""
        return self.facts.one(HiddenKinds)

    @cached_property
    def secret_order_sets(self) -> bool:
        """True if the orders of a power stay secret when the phase is over."""
        return any(module.secret_order_sets for module in self.modules)

    @cached_property
    def secret_words(self) -> frozenset[str]:
        """The words of declarations that only their author sees."""
        return frozenset(word for module in self.modules for word in module.secrets() or ())

    @cached_property
    def names(self) -> tuple[Power, ...]:
        """The powers with players, in the order of game reports."""
        return tuple(info.name for info in self.powers if info.played)

    @cached_property
    def unplayed_powers(self) -> frozenset[Power]:
        """The powers that have units and no player."""
        return frozenset(info.name for info in self.powers if not info.played)

    @cached_property
    def victory(self) -> Victory:
        """The victory condition: the thing counted, and the number that wins."""
        return self.facts.one(Victory) or Victory(CENTRE, self.to_win)

    @property
    def victory_condition(self) -> Sentence:
        """The victory condition in words: `18 centres`."""
        if not self.victory.ways:
            return count_things(self.victory.enough, self.victory.noun)
        return reduce(_either_way, (way.in_words(self.to_win) for way in self.victory.ways))

    @cached_property
    def draws_by_hand(self) -> bool:
        """True if the game master draws from a physical draw pile and enters the results."""
        return self.facts.one(DrawsByHand) is not None

    @cached_property
    def commanded(self) -> bool:
        """True if units may take orders from other powers than their own."""
        dynamic = self.overriding[RuleModule.commanders] or self.overriding[RuleModule.rulers]
        return self.facts.command is not None or bool(dynamic)

    @cached_property
    def _spellings(self) -> dict[str, Power]:
        return {
            word.casefold(): info.name
            for info in self.powers
            for word in (info.name, info.adjective, *info.aliases)
            if word
        }

    def power(self, text: str) -> Power:
        """Return the power meant by `text`: a name, adjective or alias in any case; raises `UnknownName` otherwise."""
        power = self._spellings.get(text.strip().casefold())
        if power is None:
            near = hint(text, self._spellings, self._spellings)
            raise UnknownName(say("{text} is not a power of this game; {near}", text=in_quotes(text), near=near))
        return power

"""Hosted games as they are answered. Everything here comes from a `GameView`, never from the game itself."""

from datetime import date, datetime
from typing import Annotated, ClassVar, Literal, Optional

from pydantic import AliasChoices, AliasPath, Field

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.choices import Role
from plenipo.engine.hooks import RuleModule
from plenipo.engine.orders import Enter, Order, Promise
from plenipo.engine.phases import adjustments, victory
from plenipo.engine.phases import step as engine
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import GAME_MASTER, Position, Power
from plenipo.engine.reading.order_entry import OrderEntry, unit_of
from plenipo.engine.reading.plan_check import doubts
from plenipo.engine.rules import Rules
from plenipo.engine.wording import count
from plenipo.server import hosted_game
from plenipo.server.hosted_game import GameView
from plenipo.server.hosting.schedule import in_words
from plenipo.server.hosting.spectators import in_words as spectators_in_words
from plenipo.server.hosting.tick import BEFORE, GameState, Holder, TimedGame
from plenipo.server.permissions import ALL_SEATS
from plenipo.server.web import models
from plenipo.server.web.about import About
from plenipo.server.web.boards import board_key
from plenipo.server.web.models import Model, Phase, Text, Turn
from plenipo.server.web.pictures import arrows

__all__ = [
    "AheadAnswer",
    "GameKeys",
    "History",
    "NewGame",
    "Options",
    "ProcessedPhases",
    "ScheduleWords",
    "Seat",
    "SeatAnswer",
    "SeatKey",
    "Sheet",
    "SheetAnswer",
    "View",
    "ViewAnswer",
    "promises_asked",
]


# Sheets


class SheetOrder(Model):
    """An order of a sheet."""

    text: str
    unit: str
    space: str

    @classmethod
    def of(cls, order: Order) -> "SheetOrder":
        """An order of the engine."""
        unit = unit_of(order)
        space = "" if not unit else order.unit.location.space  # type: ignore[union-attr]  # it has a unit
        return cls(text=str(order), unit=unit, space=space)


class Doubt(Model):
    """What is doubtful in the orders of a seat, though they are legal: which orders, and a sentence."""

    kind: Text
    orders: tuple[Text, ...]
    text: Annotated[Text, Field(validation_alias=AliasChoices("text", "sentence"))]


class Arrows(Model):
    """The orders as SVG groups of a bare picture."""

    orders: str
    signs: str


class Slip(Model):
    """A slip of a draw, or who gets a card: what is entered for it, and its name."""

    text: str
    name: str


class DrawDue(Model):
    """The draw the game master must make next: one of the slips, or those who got so many of the highest cards."""

    label: str
    cards: int
    slips: tuple[Slip, ...]


class EnteredDraw(Model):
    """A draw the game master has entered; it counts unless it was not asked for, or not yet, or cannot be."""

    text: str
    label: str
    result: str
    name: str
    counts: bool


class Drawing(Model):
    """How far the game master is with the draws of a phase; `fault` says why what he entered cannot stand."""

    entered: tuple[EnteredDraw, ...]
    due: DrawDue | None
    fault: str

    @classmethod
    def of(cls, game: GameView, sheet: hosted_game.Sheet) -> "Drawing":
        """What the game master has entered on his sheet, and what comes next."""
        entered_results, due = game.drawing or engine.Drawing()
        results = {label.casefold(): result for label, result in entered_results.items()}
        orders = [order for order in sheet.orders if isinstance(order, Enter)]
        labels = {order.label.casefold() for order in orders}
        wrong = due is not None and (not due.label or due.label.casefold() in labels)
        names = {str(code): space.name for code, space in game.rules.board_at(game.position).spaces.items()}

        def entered(order: Enter) -> EnteredDraw:
            counted = results.get(order.label.casefold())
            result = counted or order.result
            name = ", ".join(names.get(part, part) for part in result.split(", "))
            return EnteredDraw(text=str(order), label=order.label, result=result, name=name, counts=counted is not None)

        return cls(
            entered=tuple(map(entered, orders)),
            due=DrawDue(
                label=due.label,
                cards=due.cards,
                slips=tuple(Slip(text=slip, name=names.get(slip, slip)) for slip in due.slips),
            )
            if due and due.label
            else None,
            fault=str(due) if wrong else "",
        )


class Sheet(Model):
    """The orders of a seat for the open phase; `drawing` is for the game master who draws from a real hat."""

    power: str
    phase_number: int
    version: int
    ready: bool
    orders: tuple[SheetOrder, ...]
    promises: tuple[str, ...]
    missing: tuple[str, ...]
    left: str
    doubts: tuple[Doubt, ...]
    arrows: Arrows
    drawing: Drawing | None

    @classmethod
    def of(cls, game: GameView, power: Power) -> "Sheet":
        """A sheet that the viewer may see."""
        sheet = game.sheets.get(power, hosted_game.Sheet())
        entry = OrderEntry(game.rules, game.position, power)
        master = power == GAME_MASTER
        return cls(
            power=power,
            phase_number=game.phase_number,
            version=sheet.version,
            ready=sheet.ready,
            orders=tuple(SheetOrder.of(order) for order in sheet.orders if not isinstance(order, Promise)),
            promises=tuple(order.text for order in sheet.orders if isinstance(order, Promise)),
            missing=tuple(map(str, entry.missing(sheet.orders))),
            left="" if master else entry.left(sheet.orders),
            doubts=tuple(map(Doubt.model_validate, doubts(game.rules, game.position, power, sheet.orders))),
            arrows=Arrows.model_validate(arrows(game.rules, game.position, sheet.orders)),
            drawing=Drawing.of(game, sheet) if master and game.rules.draws_by_hand else None,
        )


# The view


class Seat(models.Power):
    """A power in a game, with who plays it, how it stands, and what it has to do; all of it public."""

    by: Literal["person", "computer", "nobody"]
    computer: str | None
    centres: int
    units: int
    score: int
    purse: Annotated[str, Field(description="What it has of money, in words; empty where nobody has any or sees it.")]
    to_win: int
    status: Annotated[
        Literal["waiting", "given", "ready", "asked", "nothing", "out"],
        Field(description="`asked` for others in an anonymous game, whether their orders are in or not."),
    ]
    due: int
    sites: tuple[str, ...]
    todo: str


def _seats(game: GameView) -> tuple[Seat, ...]:
    rules, position = game.rules, game.position
    score = victory.score(rules, position).counts
    purses = {
        power: count(number, module.noun)
        for module in rules.overriding[RuleModule.purses]
        for power, number in module.purses(position).items()
        if module.noun != rules.victory.noun
    }
    adjusting = position.phase.kind is PhaseKind.ADJUSTMENTS and not game.view.over
    seats = []
    for info in models.powers_of(rules):
        power = Power(info.name)
        computer = game.computers.get(power, "")
        due = adjustments.possible(rules, position, power) if adjusting else 0
        sites = tuple[str, ...](adjustments.build_sites(rules, position, power)) if due > 0 else ()
        seats.append(
            Seat(
                **info.model_dump(),
                by="nobody" if not info.played else "computer" if computer else "person",
                computer=computer or None,
                centres=len(position.centres_of(power)),
                units=len(position.units_of(power)),
                score=score.get(power, 0),
                purse=purses.get(power, ""),
                to_win=victory.needed(rules, position, power),
                status=game.statuses.get(power, "nothing"),
                due=due,
                sites=sites,
                todo="" if game.view.over else OrderEntry(rules, position, power).task,
            )
        )
    return tuple(seats)


class Viewer(Model):
    """Whose eyes see the game, the seats whose orders they may give, and whether they have the key to all seats."""

    seat: str | None
    seats: tuple[str, ...]
    all_seats: bool


class ForkOf(Model):
    """The game a what-if comes from."""

    id: str
    turn: int | None


class Asks(Model):
    """What is asked for in a phase; `about` says to the player what is chosen in a choice phase."""

    orders: bool
    choice: bool
    about: str
    promises: bool
    draws: bool

    @classmethod
    def of(cls, rules: Rules, position: Position) -> "Asks":
        """What is asked for in the phase of a position."""
        kind = position.phase.kind
        words = filter(None, (module.choice_words for module in rules.modules))
        return cls(
            orders=kind.asks_orders and kind is not PhaseKind.CHOICE,
            choice=kind is PhaseKind.CHOICE,
            about=" ".join(words) if kind is PhaseKind.CHOICE else "",
            promises=promises_asked(rules, position),
            draws=rules.draws_by_hand,
        )


def promises_asked(rules: Rules, position: Position) -> bool:
    """Whether promises may be given with the orders of this phase."""
    if position.winners or not rules.names:
        return False
    return Legality(rules, position).check(rules.names[0], Promise("a word")).order is not None


class Player(Model):
    """Somebody who sits at a game by name, and the power wished for or, once the game has begun, played."""

    number: Annotated[int, Field(description="Which tenure it is; 0 where names are hidden.")]
    name: Text
    power: Text
    kind: Literal["player", "substitute", "sitter"]
    me: Annotated[bool, Field(description="Whether it is who asks.")]
    wishes: Annotated[
        tuple[str, ...], Field(description="What he had wished to play, best first; told when the game is over.")
    ] = ()


class OwnTime(Model):
    """The own time of a seat: the seconds it has left, less what runs since an instant, or from one to come."""

    power: str
    left: float
    runs_from: datetime | None


class Away(Model):
    """Somebody because of whose absence the open phase is due later; both days are included."""

    power: str
    name: Text
    first: date
    last: date


class Time(Model):
    """What time does to a game: its state, the instants of the open phase, and for whom or what it waits."""

    state: GameState
    zone: str
    opened: datetime
    due: datetime | None
    grace_until: datetime | None
    cool_until: datetime | None
    left: Annotated[float | None, Field(description="The seconds that are left, while the game is paused.")]
    waits_for: Text
    words: tuple[Text, ...]
    vacant: tuple[str, ...]
    resumes: Annotated[datetime | None, Field(description="When a game that is paused goes on by itself.")]
    ends: Annotated[datetime | None, Field(description="The hour at which it ends as it stands.")]
    moved: Annotated[bool, Field(description="Whether the phase is due later because somebody is away.")]
    away: Annotated[tuple[Away, ...], Field(description="Because of whom, told to whoever keeps the game alone.")]
    own_time: Annotated[tuple[OwnTime, ...], Field(description="The own time of each seat, where seats have any.")]

    @classmethod
    def of(cls, game: TimedGame, view: GameView) -> "Time":
        """The instants of a game, with the own time of the seats as somebody sees it."""
        phase = game.phase
        return cls(
            state=game.state,
            zone=game.schedule.zone,
            opened=phase.opened,
            due=phase.due,
            grace_until=phase.grace_until,
            cool_until=phase.cool_until,
            left=None if phase.left is None else phase.left.total_seconds(),
            waits_for=view.waits_for,
            words=tuple[str, ...](in_words(game.schedule)),
            moved=view.moved,
            away=tuple(
                Away(power=one.power, name=one.name, first=one.days.first, last=one.days.last) for one in view.away
            ),
            resumes=game.resumes,
            ends=game.ends,
            own_time=tuple(
                OwnTime(power=power, left=own.left.total_seconds(), runs_from=own.runs_from)
                for power, own in view.own_times.items()
            ),
            vacant=tuple[str, ...](power for power, seat in game.seats.items() if seat.holder is Holder.NOBODY),
        )


class ScheduleWords(Model):
    """What a schedule means: in sentences, and when moves would be due next if a phase began now; or what is wrong."""

    words: tuple[Text, ...] = ()
    next: tuple[datetime, ...] = ()
    fault: Text = ""


class View(Model):
    """A game as a seat, all seats at once or an observer see it."""

    id: str
    name: str
    variant: str
    title: str
    options: dict[str, str]
    turn: int
    phase_number: int
    phase: Phase
    over: bool
    winners: tuple[str, ...]
    drawn: tuple[str, ...]
    to_win: int
    counted: str
    victory: str
    viewer: Viewer
    seating: Literal["hotseat", "links"]
    fork_of: ForkOf | None
    commitment: str | None
    powers: tuple[Seat, ...]
    position: models.Position
    asks: Asks
    about: About
    sheets: dict[str, Sheet]
    ahead: Annotated[dict[str, tuple[str, ...]], Field(description="The orders ahead of one's own seats.")]
    last: Turn | None
    board: str
    time: Time | None
    master: Annotated[bool, Field(description="Whether a game master rules, who can be asked about an order.")]
    late: Annotated[str, Field(description="How late one looks on, in words; empty if one sees it as it is.")]
    anonymous: Annotated[bool, Field(description="Whether who plays what is hidden until the game is over.")]
    players: tuple[Player, ...]

    @classmethod
    def of(cls, game: GameView) -> "View":
        """The whole of what somebody sees of a game."""
        rules, position = game.rules, game.position
        score = victory.score(rules, position)
        whole = game.who == GAME_MASTER
        master = game.drawing is not None
        keeps = game.all_seats and game.timed is not None and game.timed.state in BEFORE
        visible = [power for power in game.seats if whole or power == game.who or (power == GAME_MASTER and master)]
        return cls(
            id=game.id,
            name=game.name,
            variant=rules.variant,
            title=rules.title,
            options=dict(rules.options),
            turn=game.turn,
            phase_number=game.phase_number,
            phase=Phase.of(position.phase),
            over=game.view.over,
            winners=tuple[str, ...](position.winners),
            drawn=tuple[str, ...](game.view.drawn),
            to_win=score.enough,
            counted=score.noun,
            victory=rules.victory_condition,
            viewer=Viewer(
                seat=ALL_SEATS if whole else game.who,
                seats=tuple[str, ...](game.seats),
                all_seats=game.all_seats,
            ),
            seating=game.seating,
            fork_of=ForkOf(id=game.parent, turn=game.parent_turn) if game.parent else None,
            commitment=game.view.commitment,
            powers=_seats(game),
            position=models.Position.of(rules, position),
            asks=Asks.of(rules, position),
            about=About.of(rules, position),
            sheets={power: Sheet.of(game, power) for power in visible},
            ahead={str(power): texts for power, texts in game.ahead.items()},
            last=Turn.of(rules, game.view.turns[-1], game.turn - 1) if game.turn else None,
            board=board_key(position),
            time=None if game.timed is None or game.late else Time.of(game.timed, game),
            master=game.timed is not None and game.settings.keeper == "game master",
            late=spectators_in_words(game.settings.spectators, game.settings.delay) if game.late else "",
            anonymous=game.settings.anonymous,
            players=tuple(
                Player(
                    number=p.number if p.number == game.player or not game.masked or keeps else 0,
                    name=p.name,
                    power=p.power,
                    kind=p.kind,
                    me=p.number == game.player,
                    wishes=p.wishes if game.view.over else (),
                )
                for p in game.players
                if p.kind != "keeper" and p.kind != "reserve"  # noqa: PLR1714  # mypy narrows this form
            ),
        )


class SettingsAnswer(Model):
    """The game after something was to be settled otherwise, and whether all seats vote on that first."""

    voted: bool
    view: View


class ViewAnswer(Model):
    """The game after a change."""

    view: View


class GameKeys(Model):
    """The tokens of a new game, said this once: that to all seats, and those of single ones."""

    all: str
    seats: dict[str, str]


class NewGame(Model):
    """A new game."""

    id: str
    url: str
    keys: GameKeys
    links: dict[str, str]
    invitation: str = ""


class SeatKey(Model):
    """The token of a seat, said this once."""

    key: str


class SeatAnswer(Model):
    """The game after something was done with a seat, and the link of the offer if there is one, said this once."""

    view: View
    link: str


class AheadAnswer(Model):
    """The orders ahead of a seat, as they were kept."""

    orders: tuple[Text, ...]


class SheetAnswer(Model):
    """A sheet after a change, on disk, and what its writer should know."""

    sheet: Sheet
    messages: tuple[str, ...]
    processed: bool


class ProcessedPhases(Model):
    """What was played."""

    turns: tuple[int, ...]
    view: View
    results: tuple[Turn, ...]
    result: Turn


# Options


def _inner(attribute: str) -> AliasChoices:
    return AliasChoices({"space": "at"}.get(attribute, attribute), AliasPath("location", attribute))


class Node(Model):
    """A step of the tree of orders; a leaf has the order. What is empty is left out."""

    label: str
    role: Role
    at: Annotated[str | None, Field(validation_alias=_inner("space"))] = None
    coast: Annotated[str, Field(validation_alias=_inner("coast"))] = ""
    order: Text | None = None
    then: tuple["Node", ...] = ()


class Options(Model):
    """Everything a seat may order now, or with `all` every seat of the viewer."""

    lean: ClassVar[bool] = True

    phase_number: int
    power: str | None = None
    phase: Phase | None = None
    units: tuple[Text, ...]
    promises: bool
    at_once: int
    choices: tuple[Node, ...]
    all: tuple["Options", ...] | None = None

    @classmethod
    def of(cls, game: GameView) -> Optional["Options"]:
        """Everything the viewer's seats may order now; None for an observer."""
        if game.who is None:
            return None
        legality = Legality(game.rules, game.position)
        if game.who != GAME_MASTER:
            return cls._of(game, game.who, legality)
        seats = [power for power in game.seats if power in game.view.may_order]
        every = tuple(cls._of(game, power, legality) for power in seats)
        return cls(phase_number=game.phase_number, units=(), promises=False, at_once=0, choices=(), all=every)

    @classmethod
    def _of(cls, game: GameView, power: Power, legality: Legality) -> "Options":
        rules, position = game.rules, game.position
        legal = legality.orders_of(power)
        open_phase = not game.view.over and power != GAME_MASTER
        return cls.model_validate(
            {
                "phase_number": game.phase_number,
                "power": power,
                "phase": Phase.of(position.phase),
                "units": legal.units if open_phase else (),
                "promises": promises_asked(rules, position),
                "at_once": OrderEntry(rules, position, power).due if open_phase else 0,
                "choices": legal.choices() if open_phase else (),
            }
        )


# History


class Moment(Model):
    """Where a game stands before a turn, or now."""

    turn: int
    phase: Phase
    score: dict[str, int]
    board: str


class Past(Moment):
    """A turn in a line."""

    notes: tuple[Text, ...]
    failed: int
    dislodged: int
    draws: int


class History(Model):
    """All turns in a line each, and where the game is now."""

    turns: tuple[Past, ...]
    now: Moment

    @classmethod
    def of(cls, game: GameView) -> "History":
        """The history of a game."""
        turns = []
        for number, turn in enumerate(game.view.turns):
            resolution = turn.resolution
            outcomes = resolution.outcomes
            turns.append(
                Past.model_validate(
                    {
                        **_moment(game, resolution.before, number),
                        "notes": resolution.notes,
                        "failed": sum(not outcome.result.succeeded for outcome in outcomes),
                        "dislodged": sum(outcome.dislodged_by is not None for outcome in outcomes),
                        "draws": len(resolution.draws),
                    }
                )
            )
        return cls(turns=tuple(turns), now=Moment.model_validate(_moment(game, game.position, game.turn)))


def _moment(game: GameView, position: Position, turn: int) -> dict[str, object]:
    return {
        "turn": turn,
        "phase": Phase.of(position.phase),
        "score": victory.score(game.rules, position).counts,
        "board": board_key(position),
    }

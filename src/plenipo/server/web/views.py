"""The JSON models of hosted games. Every value comes from a `GameView`, never from the game itself."""

from datetime import date, datetime
from functools import reduce
from typing import Annotated, ClassVar, Literal, Optional

from pydantic import AliasChoices, AliasPath, Field

from plenipo.engine.amounts import count_things
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
from plenipo.engine.sentences import NOTHING, join_sentences
from plenipo.server import hosted_game
from plenipo.server.hosted_game import GameView
from plenipo.server.hosting.schedule import is_live
from plenipo.server.hosting.schedule_words import in_words
from plenipo.server.hosting.spectators import in_words as spectators_in_words
from plenipo.server.hosting.tick import BEFORE, GameState, Holder, TimedGame
from plenipo.server.permissions import ALL_SEATS
from plenipo.server.web import models
from plenipo.server.web.about import About
from plenipo.server.web.boards import board_key
from plenipo.server.web.models import Model, OptionalSentence, Phase, SentenceField, Text, Turn
from plenipo.server.web.pictures import arrows

__all__ = [
    "AheadAnswer",
    "GameKeysModel",
    "History",
    "LegalOrdersAnswer",
    "NewGame",
    "OrderSetAnswer",
    "ProcessedPhases",
    "ScheduleWords",
    "Seat",
    "SeatAnswer",
    "SeatKey",
    "SeatOrderSetModel",
    "View",
    "ViewAnswer",
    "promises_asked",
]


# Order sets


class OrderOfSet(Model):
    """An order of an order set."""

    text: str
    unit: str
    space: str

    @classmethod
    def of(cls, order: Order, text: str) -> "OrderOfSet":
        """Return the model of an order that is written as `text`."""
        unit = unit_of(order)
        space = "" if not unit else order.unit.location.space  # type: ignore[union-attr]  # it has a unit
        return cls(text=text, unit=unit, space=space)


class DoubtModel(Model):
    """A doubtful but legal combination of orders of a seat: the orders, and a sentence."""

    kind: Text
    orders: tuple[Text, ...]
    sentence: SentenceField


class Arrows(Model):
    """The orders as SVG groups of a bare picture."""

    orders: str
    signs: str


class Slip(Model):
    """A possible result of a draw, or the receiver of a card: the text to enter, and its name."""

    text: str
    name: str


class DrawDue(Model):
    """The draw the game master must make next: one of the results, or the receivers of the highest cards."""

    label: str
    cards: int
    slips: tuple[Slip, ...]


class EnteredDraw(Model):
    """A draw entered by the game master; it counts unless it is not needed, not yet due, or impossible."""

    text: str
    label: str
    result: str
    name: str
    counts: bool


class DrawProgressModel(Model):
    """The game master's progress with the draws of a phase; `fault` is the reason an entry is invalid."""

    entered: tuple[EnteredDraw, ...]
    due: DrawDue | None
    fault: OptionalSentence

    @classmethod
    def of(cls, game: GameView, order_set: hosted_game.SeatOrderSet) -> "DrawProgressModel":
        """Return the game master's entries in the order set, and the next draw."""
        entered_results, due = game.drawing or engine.DrawProgress()
        results = {label.casefold(): result for label, result in entered_results.items()}
        orders = [order for order in order_set.orders if isinstance(order, Enter)]
        labels = {order.label.casefold() for order in orders}
        wrong = due is not None and (not due.label or due.label.casefold() in labels)
        names = {str(code): space.name for code, space in game.rules.board_at(game.position).spaces.items()}

        def to_model(order: Enter) -> EnteredDraw:
            counted = results.get(order.label.casefold())
            result = counted or order.result
            name = ", ".join(names.get(part, part) for part in result.split(", "))
            return EnteredDraw(text=str(order), label=order.label, result=result, name=name, counts=counted is not None)

        return cls(
            entered=tuple(map(to_model, orders)),
            due=DrawDue(
                label=due.label,
                cards=due.cards,
                slips=tuple(Slip(text=slip, name=names.get(slip, slip)) for slip in due.slips),
            )
            if due and due.label
            else None,
            fault=models.SentenceModel.if_any(due.sentence if due and wrong else ""),
        )


class SeatOrderSetModel(Model):
    """The orders of a seat for the open phase; `drawing` is for a game master who draws with real dice or slips."""

    power: str
    phase_number: int
    version: int
    ready: bool
    orders: tuple[OrderOfSet, ...]
    promises: tuple[str, ...]
    missing: tuple[str, ...]
    left: OptionalSentence
    doubts: tuple[DoubtModel, ...]
    arrows: Arrows
    drawing: DrawProgressModel | None

    @classmethod
    def of(cls, game: GameView, power: Power) -> "SeatOrderSetModel":
        """Return an order set that the viewer may see."""
        order_set = game.order_sets.get(power, hosted_game.SeatOrderSet())
        entry = OrderEntry(game.rules, game.position, power)
        master = power == GAME_MASTER
        return cls(
            power=power,
            phase_number=game.phase_number,
            version=order_set.version,
            ready=order_set.ready,
            orders=tuple(
                OrderOfSet.of(order, text)
                for order, text in zip(order_set.orders, order_set.texts, strict=True)
                if not isinstance(order, Promise)
            ),
            promises=tuple(order.text for order in order_set.orders if isinstance(order, Promise)),
            missing=tuple(map(str, entry.missing(order_set.orders))),
            left=models.SentenceModel.if_any("" if master else entry.describe_missing(order_set.orders)),
            doubts=tuple(map(DoubtModel.model_validate, doubts(game.rules, game.position, power, order_set.orders))),
            arrows=Arrows.model_validate(arrows(game.rules, game.position, order_set.orders)),
            drawing=DrawProgressModel.of(game, order_set) if master and game.rules.draws_by_hand else None,
        )


# The view


class Seat(models.Power):
    """A power in a game, with its player, its state, and its tasks; all of it public."""

    by: Literal["person", "computer", "nobody"]
    computer: str | None
    centres: int
    units: int
    score: int
    balance: Annotated[
        OptionalSentence, Field(description="The treasury; null in games without money, or if it is secret.")
    ]
    to_win: int
    status: Annotated[
        Literal["waiting", "given", "ready", "asked", "nothing", "out"],
        Field(description="`asked` for others in an anonymous game, whether their orders are in or not."),
    ]
    due: int
    sites: tuple[str, ...]
    todo: OptionalSentence


def _seats(game: GameView) -> tuple[Seat, ...]:
    rules, position = game.rules, game.position
    score = victory.score(rules, position).counts
    balances: dict[str, str] = {
        power: count_things(number, module.noun)
        for module in rules.overriding[RuleModule.balances]
        for power, number in module.balances(position).items()
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
                balance=models.SentenceModel.if_any(balances.get(power, "")),
                to_win=victory.count_needed(rules, position, power),
                status=game.statuses.get(power, "nothing"),
                due=due,
                sites=sites,
                todo=models.SentenceModel.if_any("" if game.view.over else OrderEntry(rules, position, power).task),
            )
        )
    return tuple(seats)


class Former(Model):
    """The power that a former player played last, and how that ended."""

    power: str
    sentence: SentenceField


class ViewerModel(Model):
    """The viewpoint, the seats the viewer orders for, and whether the viewer has the key to all seats."""

    seat: str | None
    seats: tuple[str, ...]
    all_seats: bool
    former: Annotated[
        Former | None, Field(description="The last seat of a former player, who sees this alone; null for others.")
    ]


class ForkOf(Model):
    """The game of which this one is a what-if."""

    id: str
    turn: int | None


class Asks(Model):
    """The input that a phase needs; `about` describes the choice in a choice phase."""

    orders: bool
    choice: bool
    about: OptionalSentence
    promises: bool
    draws: bool

    @classmethod
    def of(cls, rules: Rules, position: Position) -> "Asks":
        """Return the input for the phase of a position."""
        kind = position.phase.kind
        words = reduce(join_sentences, filter(None, (module.choice_words for module in rules.modules)), NOTHING)
        return cls(
            orders=kind.asks_orders and kind is not PhaseKind.CHOICE,
            choice=kind is PhaseKind.CHOICE,
            about=models.SentenceModel.if_any(words if kind is PhaseKind.CHOICE else ""),
            promises=promises_asked(rules, position),
            draws=rules.draws_by_hand,
        )


def promises_asked(rules: Rules, position: Position) -> bool:
    """Return whether promises may be given with the orders of this phase."""
    if position.winners or not rules.names:
        return False
    return Legality(rules, position).check(rules.names[0], Promise("a word")).order is not None


class PlayerModel(Model):
    """A named player of a game, and the preferred power or, once the game has begun, the played one."""

    number: Annotated[int, Field(description="Which tenure it is; 0 where names are hidden.")]
    name: Text
    power: Text
    kind: Literal["player", "substitute", "sitter"]
    me: Annotated[bool, Field(description="True for the requesting person.")]
    preferences: Annotated[
        tuple[str, ...], Field(description="The player's preferences, best first; published after the game.")
    ] = ()


class TimeBankModel(Model):
    """The time bank of a seat: its seconds left, without those that run since an instant, or from a later one."""

    power: str
    left: float
    runs_from: datetime | None


class LeaveModel(Model):
    """A player whose leave moves the deadline of the open phase; both days are included."""

    power: str
    name: Text
    first: date
    last: date


class Time(Model):
    """The timing of a game: its state, the instants of the open phase, and the reason it waits."""

    state: GameState
    zone: str
    live: Annotated[bool, Field(description="True if movement phases last an hour at most.")]
    opened: datetime
    due: datetime | None
    grace_until: datetime | None
    cool_until: datetime | None
    left: Annotated[float | None, Field(description="The seconds that are left, while the game is paused.")]
    waits_for: Text
    reason: Annotated[models.SentenceModel, Field(description="The reason it waits, for programs that translate it.")]
    words: tuple[Text, ...]
    sentences: Annotated[
        tuple[models.SentenceModel, ...], Field(description="The same, for programs that translate them.")
    ]
    vacant: tuple[str, ...]
    resumes: Annotated[datetime | None, Field(description="The instant at which a paused game resumes automatically.")]
    ends: Annotated[datetime | None, Field(description="The hour at which it ends as it stands.")]
    moved: Annotated[bool, Field(description="True if the deadline was moved because of leave.")]
    away: Annotated[tuple[LeaveModel, ...], Field(description="The player who caused it, shown to the host only.")]
    time_bank: Annotated[
        tuple[TimeBankModel, ...], Field(description="The time bank of each seat, where seats have any.")
    ]

    @classmethod
    def of(cls, game: TimedGame, view: GameView) -> "Time":
        """Return the timing of a game, with the time banks as the viewer sees them."""
        phase, words = game.phase, in_words(game.schedule)
        return cls(
            state=game.state,
            zone=game.schedule.zone,
            live=is_live(game.schedule),
            opened=phase.opened,
            due=phase.due,
            grace_until=phase.grace_until,
            cool_until=phase.cool_until,
            left=None if phase.left is None else phase.left.total_seconds(),
            waits_for=view.waits_for,
            reason=models.SentenceModel.of(view.waits_for),
            words=tuple[str, ...](words),
            sentences=tuple(map(models.SentenceModel.of, words)),
            moved=view.moved,
            away=tuple(
                LeaveModel(power=one.power, name=one.name, first=one.days.first, last=one.days.last)
                for one in view.away
            ),
            resumes=game.resumes,
            ends=game.ends,
            time_bank=tuple(
                TimeBankModel(power=power, left=own.left.total_seconds(), runs_from=own.runs_from)
                for power, own in view.own_times.items()
            ),
            vacant=tuple[str, ...](power for power, seat in game.seats.items() if seat.holder is Holder.NOBODY),
        )


class ScheduleWords(Model):
    """A schedule in words: sentences, and the next due dates if a phase began now; or its error."""

    words: tuple[Text, ...] = ()
    sentences: tuple[models.SentenceModel, ...] = ()
    next: tuple[datetime, ...] = ()
    fault: Text = ""
    refusal: models.SentenceModel | None = None

    @classmethod
    def refuse(cls, fault: str) -> "ScheduleWords":
        """Return the error of a schedule."""
        return cls(fault=fault, refusal=models.SentenceModel.of(fault))


class View(Model):
    """A game as a seat, all seats at once or a spectator see it."""

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
    victory: SentenceField
    viewer: ViewerModel
    seating: Literal["hotseat", "links"]
    fork_of: ForkOf | None
    commitment: str | None
    powers: tuple[Seat, ...]
    position: models.Position
    asks: Asks
    about: About
    order_sets: dict[str, SeatOrderSetModel]
    ahead: Annotated[dict[str, tuple[str, ...]], Field(description="The conditional orders of your own seats.")]
    last: Turn | None
    board: str
    time: Time | None
    master: Annotated[
        bool, Field(description="True for a game with a game master, who answers questions about orders.")
    ]
    late: Annotated[str, Field(description="The spectator delay in words; empty without one.")]
    spectating: Annotated[
        models.SentenceModel | None, Field(description="The same, for programs that translate it.")
    ] = None
    anonymous: Annotated[bool, Field(description="True for an anonymous game.")]
    players: tuple[PlayerModel, ...]

    @classmethod
    def of(cls, game: GameView) -> "View":
        """Return the whole view of a game."""
        rules, position = game.rules, game.position
        score = victory.score(rules, position)
        whole = game.who == GAME_MASTER
        master = game.drawing is not None
        keeps = game.all_seats and game.timed is not None and game.timed.state in BEFORE
        spectating = spectators_in_words(game.settings.spectators, game.settings.delay) if game.late else ""
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
            victory=models.SentenceModel.of(rules.victory_condition),
            viewer=ViewerModel(
                seat=ALL_SEATS if whole else game.who,
                seats=tuple[str, ...](game.seats),
                all_seats=game.all_seats,
                former=None
                if game.former is None
                else Former(power=game.former[0], sentence=models.SentenceModel.of(game.former[1])),
            ),
            seating=game.seating,
            fork_of=ForkOf(id=game.parent, turn=game.parent_turn) if game.parent else None,
            commitment=game.view.commitment,
            powers=_seats(game),
            position=models.Position.of(rules, position),
            asks=Asks.of(rules, position),
            about=About.of(rules, position),
            order_sets={power: SeatOrderSetModel.of(game, power) for power in visible},
            ahead={str(power): texts for power, texts in game.ahead.items()},
            last=Turn.of(rules, game.view.turns[-1], game.turn - 1) if game.turn else None,
            board=board_key(position),
            time=None if game.timed is None or game.late else Time.of(game.timed, game),
            master=game.timed is not None and game.settings.host == "game master",
            late=spectating,
            spectating=models.SentenceModel.of(spectating) if spectating else None,
            anonymous=game.settings.anonymous,
            players=tuple(
                PlayerModel(
                    number=p.number if p.number == game.player or not game.masked or keeps else 0,
                    name=p.name,
                    power=p.power,
                    kind=p.kind,
                    me=p.number == game.player,
                    preferences=p.preferences if game.view.over else (),
                )
                for p in game.players
                if p.kind != "host" and p.kind != "reserve"  # noqa: PLR1714  # mypy narrows this form
            ),
        )


class SettingsAnswer(Model):
    """The game after a request to change settings, and whether all seats vote on it first."""

    voted: bool
    view: View


class ViewAnswer(Model):
    """The game after a change."""

    view: View


class GameKeysModel(Model):
    """The tokens of a new game, shown this once: that to all seats, and those of single ones."""

    all: str
    seats: dict[str, str]


class NewGame(Model):
    """A new game."""

    id: str
    url: str
    keys: GameKeysModel
    links: dict[str, str]
    invitation: str = ""


class OpenedFile(Model):
    """A game of a file that was opened: its format, what such a file does not contain, and how it differs."""

    game: NewGame
    format: str
    phases: int
    messages: int
    loses: tuple[str, ...]
    differences: int
    several: bool


class SeatKey(Model):
    """The token of a seat, shown this once."""

    key: str


class SeatAnswer(Model):
    """The game after an action on a seat, and the link of the offer if there is one, shown this once."""

    view: View
    link: str


class AheadAnswer(Model):
    """The stored conditional orders of a seat."""

    orders: tuple[Text, ...]


class OrderSetAnswer(Model):
    """The stored order set after a change, and the notices for its writer."""

    order_set: SeatOrderSetModel
    messages: tuple[SentenceField, ...]
    processed: bool


class ProcessedPhases(Model):
    """The processed phases."""

    turns: tuple[int, ...]
    view: View
    results: tuple[Turn, ...]
    result: Turn


# Options


def _inner(attribute: str) -> AliasChoices:
    return AliasChoices({"space": "at"}.get(attribute, attribute), AliasPath("location", attribute))


class Node(Model):
    """A step of the tree of orders; a leaf has the order. Empty fields are left out."""

    label: str
    role: Role
    at: Annotated[str | None, Field(validation_alias=_inner("space"))] = None
    coast: Annotated[str, Field(validation_alias=_inner("coast"))] = ""
    order: Text | None = None
    then: tuple["Node", ...] = ()


class LegalOrdersAnswer(Model):
    """The legal orders of a seat, or with `all` of every seat of the viewer."""

    lean: ClassVar[bool] = True

    phase_number: int
    power: str | None = None
    phase: Phase | None = None
    units: tuple[Text, ...]
    promises: bool
    at_once: int
    choices: tuple[Node, ...]
    all: tuple["LegalOrdersAnswer", ...] | None = None

    @classmethod
    def of(cls, game: GameView) -> Optional["LegalOrdersAnswer"]:
        """Return the legal orders of the viewer's seats; None for a spectator."""
        if game.who is None:
            return None
        legality = Legality(game.rules, game.position)
        if game.who != GAME_MASTER:
            return cls.of_power(game, game.who, legality)
        seats = [power for power in game.seats if power in game.view.may_order]
        every = tuple(cls.of_power(game, power, legality) for power in seats)
        return cls(phase_number=game.phase_number, units=(), promises=False, at_once=0, choices=(), all=every)

    @classmethod
    def of_power(cls, game: GameView, power: Power, legality: Legality) -> "LegalOrdersAnswer":
        """Return the legal orders of a power."""
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
    """The position of a game before a turn, or now."""

    turn: int
    phase: Phase
    score: dict[str, int]
    board: str


class PastTurn(Moment):
    """A turn in a line."""

    notes: tuple[SentenceField, ...]
    failed: int
    dislodged: int
    draws: int


class History(Model):
    """All turns in a line each, and the current position."""

    turns: tuple[PastTurn, ...]
    now: Moment

    @classmethod
    def of(cls, game: GameView) -> "History":
        """Return the history of a game."""
        turns = []
        for number, turn in enumerate(game.view.turns):
            resolution = turn.resolution
            outcomes = resolution.outcomes
            turns.append(
                PastTurn.model_validate(
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

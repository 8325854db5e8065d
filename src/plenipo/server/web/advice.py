"""Advice: plans for a learner in the open phase, and the review of a finished game."""

import hashlib
from dataclasses import asdict

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from plenipo import bots
from plenipo.engine.history.game import Game
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import GAME_MASTER
from plenipo.engine.sentences import SentenceKind
from plenipo.matches.accuracy import Grade, RatedOrders, list_movements, weigh_by_search
from plenipo.matches.openings import read_openings
from plenipo.matches.review import by_policy, by_standing
from plenipo.matches.review import review as make_review
from plenipo.server.errors import NoKey, NotOver, Over
from plenipo.server.hosted_game import GameView
from plenipo.server.web.cache import Payload, respond
from plenipo.server.web.context import GameId, Here, SeatName, count, respond_cached, stranger, viewer_of
from plenipo.server.web.models import Model, OptionalSentence, Phase, SentenceField
from plenipo.server.web.pictures import arrows
from plenipo.server.web.translation import language_of
from plenipo.server.web.views import Arrows

__all__ = ["Hints", "RatedOrdersModel", "Review", "read_finished_game", "router"]

_HINT_KEY_MISSING = SentenceKind("server-hint-key-missing", "Hints are for players; name your seat and send its key.")
_GAME_OVER_NO_ORDERS = SentenceKind("server-game-over-no-orders", "The game is over; it takes no more orders.")
_REVIEW_GAME_RUNNING = SentenceKind(
    "server-review-game-running", "The game is still running; it can be reviewed when it is over."
)
_REVIEW_TOO_LONG = SentenceKind(
    "server-review-too-long",
    "The game has {number} order sets; orders are rated in games of at most {most}.",
)

router = APIRouter(prefix="/api/games/{game}", tags=["advice"])

PLANS = 3
"""The number of plans shown."""

MOVEMENTS, TIMES = 3, 40
"""The movement phases of a playout, and the number of playouts."""

MOST_RATED = 1_200
"""The most order sets of a game that are rated: seven powers for 85 years."""

TOLD = 6
"""The number of turns that are reviewed in detail."""


class Plan(Model):
    """A plan for the open phase: its orders, expected gains, and possible results.

    `share` is from 0 to 1, and 0 where it is unknown. `arrows` are its orders as SVG groups of a bare picture.
    """

    orders: tuple[str, ...]
    share: float
    expects: tuple[SentenceField, ...]
    fears: tuple[SentenceField, ...]
    arrows: Arrows


class Hints(Model):
    """Plans for a power, the best first; `words` explain why there is only a simple one, and are null otherwise."""

    power: str
    phase_number: int
    plans: tuple[Plan, ...]
    words: OptionalSentence

    @classmethod
    def of(cls, game: GameView, words: str = "") -> "Hints":
        """Return plans for a viewer; simple ones if `words` give a reason. Raise `NoKey` and `Over`."""
        power = game.who
        if power is None or power == GAME_MASTER:
            raise NoKey(_HINT_KEY_MISSING())
        if game.view.over:
            raise Over(_GAME_OVER_NO_ORDERS())
        rules, position = game.rules, game.position
        legal = Legality(rules, position).orders_of(power)
        seed = hashlib.sha256(f"{game.id} {game.phase_number} {power}".encode()).digest()
        if words:
            plans = bots.simple_hints(game.view, legal)
        else:
            plans = bots.hints(game.view, legal, int.from_bytes(seed[:8], "big"), PLANS)
        return cls.model_validate(
            {
                "power": power,
                "phase_number": game.phase_number,
                "plans": tuple(
                    {
                        "orders": tuple(map(str, plan.orders)),
                        "share": round(plan.share, 3),
                        "expects": plan.expects,
                        "fears": plan.fears,
                        "arrows": arrows(rules, position, plan.orders),
                    }
                    for plan in plans
                ),
                "words": words or bots.why_slow(rules),
            }
        )


class TurningPointModel(Model):
    """A turning point of the game: the change in each power's expected share."""

    turn: int
    phase: Phase
    change: dict[str, float]


class RatedOrdersModel(Model):
    """The orders of a power in a movement, beside the best plan known at the time, which may be the orders themselves.

    `loss` is the share of the board lost against the plan, `accuracy` goes from 0 to 100.
    """

    turn: int
    power: str
    given: tuple[str, ...]
    plan: tuple[str, ...]
    loss: float
    accuracy: float
    grade: Grade

    @classmethod
    def of(cls, rated: RatedOrders) -> "RatedOrdersModel":
        """Return the model of rated orders."""
        fields = {name: value for name, value in asdict(rated).items() if name in cls.model_fields}
        return cls.model_validate({**fields, "loss": round(rated.loss, 4), "accuracy": round(rated.accuracy, 1)})


class PowerAccuracyModel(Model):
    """The accuracy of a power over the game, from 0 to 100, its movements, and how many of them had each grade."""

    power: str
    accuracy: float
    movements: int
    grades: dict[Grade, int]


class Review(Model):
    """A game looked back on: the share of the board each power could expect before each movement, and in the end.

    `turns` are the numbers of those movements and of the end, `phases` their phases. `turning` are the turns with the
    greatest changes, in the order in which they were played. `rated` are the orders of all powers, turn by turn,
    `accuracies` their means, the most accurate power first, and `accuracy` that of the game; `openings` are
    the names of the openings that have one. `words` explain why no orders are rated, and are null otherwise.
    """

    title: str
    turns: tuple[int, ...]
    phases: tuple[Phase, ...]
    shares: dict[str, tuple[float, ...]]
    turning: tuple[TurningPointModel, ...]
    rated: tuple[RatedOrdersModel, ...]
    accuracies: tuple[PowerAccuracyModel, ...]
    accuracy: float | None
    openings: dict[str, str]
    words: OptionalSentence

    @classmethod
    def of(cls, game: GameView, words: str = "") -> "Review":
        """Return the review of a game; without judgements if `words` give a reason. Raise `NotOver`."""
        played = read_finished_game(game)
        words = words or bots.why_slow(game.rules) or _why_too_long(played)
        expect = by_standing if words else by_policy(movements=MOVEMENTS, times=TIMES)
        weigh = None if words else weigh_by_search
        looked = make_review(played, expect, most=TOLD, weigh=weigh, openings=read_openings(game.rules.variant))
        turns = game.view.turns

        def phase_before(turn: int) -> Phase:
            return Phase.of(turns[turn].resolution.before.phase if turn < len(turns) else game.position.phase)

        return cls.model_validate(
            {
                **looked.to_json(),
                "phases": [phase_before(turn) for turn in looked.turns],
                "shares": {power: [round(share, 4) for share in shares] for power, shares in looked.shares.items()},
                "turning": [
                    {**asdict(one), "phase": phase_before(one.turn)}
                    for one in sorted(looked.turning, key=lambda one: one.turn)
                ],
                "rated": [RatedOrdersModel.of(one) for one in looked.rated],
                "accuracies": [{**asdict(one), "accuracy": round(one.accuracy, 1)} for one in looked.accuracies],
                "accuracy": None if looked.accuracy is None else round(looked.accuracy, 1),
                "words": words,
            }
        )


def _why_too_long(game: Game) -> str:
    """Return a sentence that says why the orders of a game are too many to be rated; empty if they are not."""
    number = len(list_movements(game)) * len(game.rules.names)
    return _REVIEW_TOO_LONG(number=number, most=MOST_RATED) if number > MOST_RATED else ""


def read_finished_game(game: GameView) -> Game:
    """Return a finished game as all may see it; raise `NotOver` while it is running."""
    if not game.view.over:
        raise NotOver(_REVIEW_GAME_RUNNING())
    turns = game.view.turns
    return Game(game.rules, turns[0].resolution.before if turns else game.position, turns, game.view.drawn)


@router.get("/hint", response_model=Hints)
def hint(request: Request, here: Here, game: GameId, seat: SeatName = None) -> Response:
    """Return three plans for the open phase, each with its hopes and risks, for the player of the seat."""
    viewer = viewer_of(request, here, game, seat)
    words = here.service.computers.why_simple()
    if words:
        # it may change without any change of the game, so it is not cached
        count(request, here, "hints")
        return respond(request, Payload.of(Hints.of(here.service.view(game, viewer.credentials, viewer.who), words)))

    def make(game: GameView) -> Hints:
        count(request, here, "hints")
        return Hints.of(game)

    return respond_cached(request, here, viewer, "hint", make)


@router.get("/review", response_model=Review)
async def review(request: Request, here: Here, game: GameId) -> Response:
    """Review a finished game: each power's expected share and accuracy, the turning points, all orders rated."""
    await run_in_threadpool(viewer_of, request, here, game, "observer")
    viewer = await run_in_threadpool(stranger, here, game)  # every viewer gets the review as a stranger sees it
    words = here.service.computers.why_simple()
    key = (viewer, "review", language_of(request), words)
    payload = here.cache.find((key, viewer.state))
    if payload is not None:
        return respond(request, payload)
    seen = await run_in_threadpool(here.service.view, game, viewer.credentials, viewer.who)
    read_finished_game(seen)  # so that a running game is refused without a turn

    def make() -> Payload:
        if not words:
            count(request, here, "analyses")
        return Payload.of(Review.of(seen, words))

    async with here.analyses.take_turn():
        payload = await run_in_threadpool(here.cache.get, (key, seen.state), make)
    return respond(request, payload)

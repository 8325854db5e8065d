"""Learn from your mistakes: movements of a finished game ordered again, and rated by the best plan known then."""

from typing import Annotated, ClassVar, NamedTuple

from fastapi import APIRouter, Body, Path, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict

from plenipo import bots
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position as EnginePosition
from plenipo.engine.position import Power
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.sentences import SentenceKind
from plenipo.languages.names import vocabulary_in
from plenipo.matches.accuracy import rate_order_set
from plenipo.server.errors import UnknownGame
from plenipo.server.hosted_game import GameView
from plenipo.server.web.advice import RatedOrdersModel, read_finished_game
from plenipo.server.web.boards import Board
from plenipo.server.web.bodies import OrderTextList
from plenipo.server.web.cache import Payload
from plenipo.server.web.context import GameId, Here, counts, respond_cached, theme_of, viewer_of
from plenipo.server.web.learn import LessonOrders
from plenipo.server.web.models import Model, OptionalSentence, Phase, Position
from plenipo.server.web.pictures import PictureLook, arrows, picture
from plenipo.server.web.rendering import render_page
from plenipo.server.web.translation import language_of_orders
from plenipo.server.web.views import Arrows, Node

__all__ = ["router"]

_NO_MOVEMENT = SentenceKind("server-no-movement", "Turn {turn} was no movement; only movements are rated.")

router = APIRouter(tags=["advice"])

MovementNumber = Annotated[int, Path(ge=0, le=2**31 - 1, description="The number of a turn, from 0.")]
PowerName = Annotated[str, Query(max_length=200, description="A power of the game.")]


class PastMovement(NamedTuple):
    """A movement of a finished game, and the power that orders in it again."""

    game: Game
    turn: int
    power: Power

    @classmethod
    def of(cls, game: GameView, turn: int, power: str) -> "PastMovement":
        """Return a movement; raise `NotOver`, `UnknownGame` and `UnknownName`."""
        played = read_finished_game(game)
        if game.find_turn(turn).resolution.before.phase.kind is not PhaseKind.MOVEMENT:
            raise UnknownGame(_NO_MOVEMENT(turn=turn))
        return cls(played, turn, game.rules.power(power))

    @property
    def position(self) -> EnginePosition:
        """The position as the power saw it."""
        return view(self.game.fork(self.turn), self.power, {}).position

    def read(self, request: Request, texts: list[str]) -> tuple[Order, ...]:
        """Return orders of the power; raise `InvalidOrder` and `IllegalOrder`."""
        vocabulary = vocabulary_in(language_of_orders(request), self.game.rules.variant)
        entry = OrderEntry(self.game.rules, self.position, self.power, vocabulary=vocabulary)
        order_set: tuple[Order, ...] = ()
        for text in texts:
            order_set = entry.give(order_set, text).order_set
        return order_set


class PastMovementModel(Model):
    """A movement to order again: the position as the power saw it, its legal orders, the board and a picture."""

    lean: ClassVar[bool] = True

    turn: int
    power: str
    phase: Phase
    position: Position
    choices: tuple[Node, ...]
    board: Board
    picture: str

    @classmethod
    def of(cls, movement: PastMovement, look: PictureLook) -> "PastMovementModel":
        """Return the model of a movement."""
        rules, position = movement.game.rules, movement.position
        return cls.model_validate(
            {
                "turn": movement.turn,
                "power": movement.power,
                "phase": Phase.of(position.phase),
                "position": Position.of(rules, position),
                "choices": Legality(rules, position).orders_of(movement.power).choices(),
                "board": Board.of(rules, position),
                "picture": picture(rules, position, look),
            }
        )


class RatedAttempt(Model):
    """New orders of a past movement, rated; `words` explain why they are not, and are null otherwise."""

    rated: RatedOrdersModel | None
    words: OptionalSentence


class PastOrdersBody(BaseModel):
    """Orders of a power in a past movement, in any spelling; a later order for a unit replaces an earlier one."""

    model_config = ConfigDict(extra="forbid")

    orders: OrderTextList = []


def _find_movement(request: Request, here: Here, game: str, turn: int, power: str) -> PastMovement:
    viewer = viewer_of(request, here, game, "observer")
    return PastMovement.of(here.service.view(game, viewer.credentials, None), turn, power)


def _look(request: Request) -> PictureLook:
    return PictureLook(theme_of(request), bare=True, language=language_of_orders(request))


@router.get("/games/{game}/learn", include_in_schema=False)
def mistakes_page(request: Request, here: Here, game: GameId) -> Response:
    """Show the page on which the mistakes of a finished game are played again; the browser asks for them."""
    look = _look(request)

    def make(game: GameView) -> Payload:
        played = read_finished_game(game)
        own = [str(power) for power in game.seats if power not in game.computers]
        return render_page(
            request,
            "mistakes.html",
            look.theme,
            game=game,
            own=own,
            board=Board.of(game.rules, played.start),
            picture=picture(game.rules, played.start, look),
        )

    return respond_cached(request, here, viewer_of(request, here, game, None), ("learn", look.theme), make)


@router.get("/api/games/{game}/review/{turn}")
def past_movement(
    request: Request, here: Here, game: GameId, turn: MovementNumber, power: PowerName
) -> PastMovementModel:
    """Return a movement of a finished game as a power saw it, to order again."""
    return PastMovementModel.of(_find_movement(request, here, game, turn, power), _look(request))


@router.post("/api/games/{game}/review/{turn}/orders")
@counts("completions")
def draw_past_orders(
    request: Request,
    here: Here,
    game: GameId,
    turn: MovementNumber,
    power: PowerName,
    body: Annotated[PastOrdersBody, Body()],
) -> LessonOrders:
    """Read orders for a movement of a finished game, and draw them; nothing is stored."""
    movement = _find_movement(request, here, game, turn, power)
    orders = movement.read(request, body.orders)
    layers = arrows(movement.game.rules, movement.position, orders)
    return LessonOrders(orders=tuple(map(str, orders)), arrows=Arrows.model_validate(layers))


@router.post("/api/games/{game}/review/{turn}")
@counts("hints")
def rate_past_orders(
    request: Request,
    here: Here,
    game: GameId,
    turn: MovementNumber,
    power: PowerName,
    body: Annotated[PastOrdersBody, Body()],
) -> RatedAttempt:
    """Rate new orders for a movement of a finished game by the best plan known at the time; nothing is stored."""
    movement = _find_movement(request, here, game, turn, power)
    orders = movement.read(request, body.orders)
    words = here.service.computers.why_simple() or bots.why_slow(movement.game.rules)
    rated = None if words else rate_order_set(movement.game, turn, movement.power, orders)
    return RatedAttempt.model_validate({"rated": rated and RatedOrdersModel.of(rated), "words": words})

"""Games in progress on the first page: a few boards as spectators see them, renewed after each phase."""

from urllib.parse import urlencode

from fastapi import APIRouter, Request

from plenipo.server.hosted_game import GameView
from plenipo.server.web.cache import Payload
from plenipo.server.web.context import Here, Services
from plenipo.server.web.models import Model, Phase, Text
from plenipo.server.web.translation import language_of

__all__ = ["LiveBoard", "find_live_boards", "router"]

MOST_BOARDS = 3
"""The most boards on the first page."""

RENEWED = 10
"""The time in seconds for which the same list is shown to everyone."""

router = APIRouter()


class LiveBoard(Model):
    """A listed game in progress as a spectator sees it; `picture` is the address of its board after `turn` turns."""

    id: str
    name: Text
    title: str
    phase: Phase
    turn: int
    picture: str

    @classmethod
    def of(cls, game: GameView) -> "LiveBoard":
        """Return the board of a game as a spectator sees it."""
        # the address of a moment, so that a browser asks for a picture only once in a phase
        look = {"seat": "observer", "legend": 0, "labels": "none", "orders": 0, "turn": game.turn}
        return cls(
            id=game.id,
            name=game.name,
            title=game.rules.title,
            phase=Phase.of(game.position.phase),
            turn=game.turn,
            picture=f"/games/{game.id}/picture.svg?{urlencode(look)}",
        )


class LiveBoards(Model):
    """A few listed games in progress."""

    boards: tuple[LiveBoard, ...]


def find_live_boards(request: Request, here: Services) -> LiveBoards:
    """Return a few games in progress that are open to all spectators: the newest of those with a turn, then others."""

    def make() -> Payload:
        games = here.service.matchmaking.list_watchable_games(None)
        shown = sorted(games, key=lambda game: not game.turn)[:MOST_BOARDS]
        return Payload.of(LiveBoards(boards=tuple(map(LiveBoard.of, shown))))

    moment = int(here.service.clock.now().timestamp()) // RENEWED
    made = here.cache.get(("live boards", moment, language_of(request)), make)
    return LiveBoards.model_validate_json(made.body)


@router.get("/api/live", tags=["games"])
def get_live_boards(request: Request, here: Here) -> LiveBoards:
    """Return the boards of the first page: a few listed games in progress, as spectators see them."""
    return find_live_boards(request, here)

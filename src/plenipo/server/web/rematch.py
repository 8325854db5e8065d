"""The rematch button of a page."""

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from plenipo.server.rematch import again
from plenipo.server.web.context import GameId, Here, counts, credentials_of, sit

__all__ = ["router"]

router = APIRouter(include_in_schema=False)


@router.post("/games/{game}/again")
@counts("games")
def play_again(request: Request, here: Here, game: GameId) -> Response:
    """Go to the lobby of a finished game's rematch, which is opened if there is none yet.

    The rematch of a game on one screen is a new game, and has no lobby.
    """
    found = again(here.service, game, credentials_of(request, here, game))
    answer = RedirectResponse(f"/games/{found.id}", 303)
    if found.tokens:
        sit(request, answer, found.id, found.tokens)
    return answer

"""The page with all games that a person runs, as host or game master, and what is due in each."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from plenipo import library
from plenipo.engine.position import GAME_MASTER
from plenipo.server.hosting.tick import BEFORE, GameState
from plenipo.server.store.games_run import GameRun, GamesRun
from plenipo.server.web.cache import respond
from plenipo.server.web.context import Here, person_of
from plenipo.server.web.rendering import render_page

__all__ = ["router"]

router = APIRouter(include_in_schema=False)

UNFINISHED = (*BEFORE, GameState.RUNNING, GameState.PAUSED)
"""The states of the games of the list."""


@dataclass(frozen=True)
class RunLine:
    """A game in the list; `draws` says whether it waits for draws, `late` whether its deadline is over."""

    game: GameRun
    title: str
    link: str
    draws: bool
    waits: tuple[str, ...]
    late: bool

    @classmethod
    def of(cls, game: GameRun, now: datetime) -> "RunLine":
        """Return the line of a game at an instant."""
        forming = game.state in BEFORE
        waits = () if forming else game.known_waits
        return cls(
            game=game,
            title=library.title_of(game.variant),
            link=f"/games/{game.id}" if forming else f"/games/{game.id}/gm-tools",
            draws=GAME_MASTER in waits,
            waits=tuple(power for power in waits if power != GAME_MASTER),
            late=game.state == GameState.RUNNING and game.due is not None and game.due <= now,
        )

    @property
    def is_due(self) -> bool:
        """True if the game needs an action of the person who runs it."""
        requested = self.game.requests and self.game.state in BEFORE
        asked = self.game.questions and self.game.master
        return bool(requested or asked or self.draws or self.game.vacant or self.late)


def sort_by_urgency(lines: Sequence[RunLine]) -> list[RunLine]:
    """Return the games that need an action first, and the others by their deadlines."""
    return sorted(
        lines,
        key=lambda line: (not line.is_due, line.game.due is None, line.game.due.timestamp() if line.game.due else 0.0),
    )


@router.get("/hosting", name="hosting")
def hosting_page(request: Request, here: Here) -> Response:
    """Show the games that the signed-in person runs; a visitor is asked to sign in."""
    person = person_of(request, here)
    if person is None:
        return RedirectResponse("/sign-in", 303)
    now = here.service.clock.now()
    games = here.service.store.of(GamesRun).of(person.id, UNFINISHED)
    lines = sort_by_urgency([RunLine.of(game, now) for game in games])
    answer = respond(request, render_page(request, "hosting.html", person=person, lines=lines))
    answer.headers["cache-control"] = "no-store"
    return answer

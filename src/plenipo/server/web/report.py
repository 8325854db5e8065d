"""Report pages for reading or printing: turns with the map, explained orders, and readable press."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from plenipo.engine.sentences import SentenceKind
from plenipo.server.errors import UnknownGame
from plenipo.server.hosted_game import Credentials, GameView
from plenipo.server.web import models
from plenipo.server.web.cache import respond
from plenipo.server.web.context import GameId, Here, SeatName, Services, count, shown_late, viewer_of
from plenipo.server.web.press import PressMessageModel, thread_readers
from plenipo.server.web.rendering import render_page

__all__ = ["router"]

_REPORT_TURN_UNKNOWN = SentenceKind(
    "server-report-turn-unknown", "The game has {turn} turns; there is no report of a turn {turn2}."
)

router = APIRouter(include_in_schema=False)

MOST_TURNS = 400
"""The most turns of one report, the newest."""

TURNS_OF_A_DRAWING = 10
"""The turns of a report that take about as long as a drawing of a map, and are counted as one."""


@router.get("/games/{game}/report", name="report")
@shown_late
def report_page(
    request: Request,
    here: Here,
    game: GameId,
    seat: SeatName = None,
    turn: Annotated[int | None, Query(ge=0, le=2**31 - 1, description="One turn; all of them, if left out.")] = None,
) -> Response:
    """Show the turns of a game as printable pages, with the viewer's visible parts; raise `UnknownGame`."""
    viewer = viewer_of(request, here, game, seat)
    view = here.service.view(game, viewer.credentials, viewer.who)
    if turn is not None and turn >= view.turn:
        raise UnknownGame(_REPORT_TURN_UNKNOWN(turn=view.turn, turn2=turn))
    numbers = range(max(0, view.turn - MOST_TURNS), view.turn) if turn is None else (turn,)
    count(request, here, *(1 + len(numbers) // TURNS_OF_A_DRAWING) * ("drawings",))
    turns = [models.Turn.of(view.rules, view.find_turn(number), number) for number in numbers]
    page = render_page(
        request,
        "report.html",
        theme="light",
        game=view,
        turns=turns,
        whole=turn is None,
        eyes=seat or "",
        messages={} if view.late else _messages(here, view, viewer.credentials),
        names={} if view.masked else {player.power: player.name for player in view.players},
        powers=view.rules.names,
    )
    answer = respond(request, page)
    answer.headers["cache-control"] = "no-store"
    return answer


def _messages(
    here: Services, game: GameView, credentials: Credentials
) -> dict[str, list[tuple[tuple[str, ...], PressMessageModel]]]:
    """Return the readable messages, each with its recipients, by the phase in which they were written.

    During the game these are the public ones; afterwards those that the viewer may read.
    """
    box = here.service.press.inbox(game.id, credentials if game.view.over else Credentials())
    found: dict[str, list[tuple[int, tuple[str, ...], PressMessageModel]]] = {}
    for thread in box.threads:
        for shown in thread.messages:
            message = PressMessageModel.of(shown, box.hosted)
            line = (shown.message.number, thread_readers(thread.key), message)
            found.setdefault(message.phase, []).append(line)
    return {
        phase: [(to, message) for _, to, message in sorted(lines, key=lambda line: line[0])]
        for phase, lines in found.items()
    }

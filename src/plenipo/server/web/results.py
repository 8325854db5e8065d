"""The result of a game for pages and programs: the sharing powers, and each seat's score with its sum."""

from typing import Annotated

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import field_serializer

from plenipo.engine.phases import victory
from plenipo.engine.sentences import SentenceKind
from plenipo.server.errors import NotOver
from plenipo.server.hosted_game import GameView
from plenipo.server.hosting.scoring import Final, format_points, score_seats
from plenipo.server.texts import translate
from plenipo.server.web.context import GameId, Here, respond_cached, viewer_of
from plenipo.server.web.models import Model, Spoken, Text

__all__ = ["router"]

_RESULT_GAME_RUNNING = SentenceKind(
    "server-result-game-running", "The game is still running; its result is shown when it is over."
)

router = APIRouter(prefix="/api", tags=["history"])


class SeatResult(Model):
    """The score of a seat."""

    power: str
    names: tuple[Text, ...]
    count: int
    points: str
    sum: Annotated[Spoken, "How the points come about, in the language of the reader."]

    @field_serializer("sum")
    def _render(self, sum: str) -> str:  # noqa: A002  # the name of the field
        return translate(sum)


class GameResult(Model):
    """The result of a game, and its scores in the agreed system, best first."""

    system: str
    counted: str
    shared: tuple[str, ...]
    conceded: bool
    seats: tuple[SeatResult, ...]

    @classmethod
    def of(cls, game: GameView) -> "GameResult":
        """Return the result of a game; raise `NotOver` for a running one."""
        if not game.view.over:
            raise NotOver(_RESULT_GAME_RUNNING())
        score = victory.score(game.rules, game.position)
        counts = {power: score.counts.get(power, 0) for power in game.rules.names}
        sharing = tuple(game.view.drawn or game.position.winners)
        names = {
            power: tuple(player.name for player in game.players if player.power == power) for power in game.rules.names
        }
        system = game.settings.scoring
        return cls(
            system=system,
            counted=score.noun,
            shared=tuple(map(str, sharing)),
            conceded=len(game.view.drawn) == 1,
            seats=tuple(
                SeatResult(
                    power=power,
                    names=names[power],
                    count=counts[power],
                    points=format_points(score.points),
                    sum=score.sum,
                )
                for power, score in score_seats(system, Final(counts, sharing)).items()
            ),
        )


@router.get("/games/{game}/result", response_model=GameResult)
def result(request: Request, here: Here, game: GameId) -> Response:
    """Return the result of a game, and each seat's score."""
    return respond_cached(request, here, viewer_of(request, here, game, "observer"), "result", GameResult.of)

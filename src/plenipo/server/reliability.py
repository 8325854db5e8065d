"""Deadlines met and missed, the results of players, and the requirements of games for new players; pure."""

from plenipo.engine.phases import victory
from plenipo.engine.position import Power
from plenipo.engine.sentences import SentenceKind
from plenipo.server.errors import SeatRefused
from plenipo.server.hosted_game import HostedGame
from plenipo.server.hosting.matchmaking import pace
from plenipo.server.hosting.scoring import Final, score_seats
from plenipo.server.hosting.settings import Settings
from plenipo.server.hosting.tick import DueChange
from plenipo.server.store.reliability import Reliability, ResultsFinal
from plenipo.server.store.values import Attendance, GameChange, StoredResult

__all__ = ["add_results", "find_attendance", "require_welcome", "results_of"]

_GAME_SIGNED_IN_ONLY = SentenceKind(
    "server-game-signed-in-only",
    "This game is for players with a sign-in method; add an email address first, under 'Sign in'.",
)
_GAME_EXPERIENCED_ONLY = SentenceKind(
    "server-game-experienced-only", "This game is for players who have met at least {share} of their deadlines here."
)
_GAME_RELIABLE_ONLY = SentenceKind(
    "server-game-reliable-only", "{asked}; you have met {met} of {due} in the last 12 months."
)

TENTHS = 10
"""The number of deadlines that the reliability required by a game refers to; a player who had fewer is new."""


def find_attendance(hosted: HostedGame, act: DueChange) -> tuple[Attendance, ...]:
    """Return who met the deadline of the open phase and who missed it, if `act` decides that.

    Players who had nothing to order, or missed the deadline during announced leave, are not counted.
    """
    timed = hosted.timed_game
    if timed is None or timed.phase.due is None or not (act.process or act.kind == "missed"):
        return ()
    given = {power: seat.given for power, seat in timed.seats.items() if seat.is_awaited}
    found = []
    for power, met in given.items():
        mine = [player for player in hosted.players if player.power == power]
        acting = hosted.sitter(power) or next(iter(mine), None)
        if acting is None or not (met or act.kind == "missed"):
            continue
        if met or not _away(hosted, acting.person):
            found.append(Attendance(acting.number, met))
    return tuple(found)


def _away(hosted: HostedGame, person: str | None) -> bool:
    """Return whether a player had announced leave for the day on which the open phase is due."""
    timing = hosted.timing
    if timing is None or timing.phase.due is None or person is None:
        return False
    day = timing.phase.due.astimezone(timing.schedule.own_zone).date()
    return any(day in days for days in hosted.absences.get(person, ()))


def results_of(hosted: HostedGame) -> tuple[StoredResult, ...]:
    """Return the result of a finished game for each player with a name, including players who left."""
    score = victory.score(hosted.rules, hosted.game.position)
    counts = {power: score.counts.get(power, 0) for power in hosted.rules.names}
    sharing = tuple(hosted.game.drawn or hosted.game.position.winners)
    points = score_seats(hosted.settings.scoring, Final(counts, sharing))
    press = hosted.settings.press.who in ("two", "groups")
    how_fast = "" if hosted.timing is None else pace(hosted.timing.schedule)
    return tuple(
        StoredResult(
            tenure.number,
            tenure.power,
            float(points[Power(tenure.power)].points),
            "left" if tenure.until is not None else tenure.kind,
            press,
            how_fast,
        )
        for tenure in hosted.tenures
        if tenure.kind in ("player", "substitute") and tenure.power
    )


def add_results(before: HostedGame, after: HostedGame, change: GameChange) -> GameChange:
    """Add to a change that ends or reopens a game with deadlines its results."""
    if after.game.over is before.game.over or after.timing is None:
        return change
    return change.with_parts(ResultsFinal(results_of(after) if after.game.over else ()))


def require_welcome(settings: Settings, known: Reliability, *, member: bool) -> None:
    """Raise `SeatRefused` for a player who is not reliable enough for a game, or cannot sign in again if it asks that.

    A player who has had fewer than ten deadlines is new.
    """
    if settings.claimed and not member:
        raise SeatRefused(_GAME_SIGNED_IN_ONLY())
    if known.due < TENTHS:
        if not settings.newcomers:
            raise SeatRefused(_GAME_EXPERIENCED_ONLY(share=TENTHS))
        return
    if known.met * TENTHS < settings.reliable * known.due:
        asked = f"This game asks for {settings.reliable} of {TENTHS} deadlines met"
        raise SeatRefused(_GAME_RELIABLE_ONLY(asked=asked, met=known.met, due=known.due))

"""The ready check: before a game begins all players confirm that they are present, or lose their seats. Pure."""

from dataclasses import replace
from datetime import datetime

from plenipo.engine.sentences import Quoted, SentenceKind
from plenipo.server.errors import Over, SeatRefused
from plenipo.server.hosted_game import HostedGame
from plenipo.server.hosting.joining import join_paragraphs
from plenipo.server.hosting.schedule_words import instant_in_words
from plenipo.server.hosting.tick import FORMING_FOR, GameState, ready_check_for
from plenipo.server.seats import TENURE, require_forming, with_reserves, without
from plenipo.server.store.seats import SeatsChanged
from plenipo.server.store.values import HERE, GameChange, Notification, StoredTenure

__all__ = ["here", "is_needed", "over", "start_ready_check"]

_PLAYERS_NONE = SentenceKind("server-players-none", "The game has no players yet; it needs at least one.")
_READY_CHECK_OPEN = SentenceKind(
    "server-ready-check-open", "The ready check is running; the game starts when all players are ready."
)
_READY_CHECK_NONE = SentenceKind(
    "server-ready-check-none", "The ready check has not started; players are still joining."
)


_READY_CHECK_SUBJECT = SentenceKind("server-ready-check-subject", "{game}: are you here?")
_READY_CHECK = SentenceKind(
    "server-ready-check-notice",
    "{game} is about to begin. Say that you are here; otherwise your seat is offered again.",
)
_READY_CHECK_BY = SentenceKind(
    "server-ready-check-notice-by",
    "{game} is about to begin. Say by {instant} that you are here; otherwise your seat is offered again.",
)


def is_needed(hosted: HostedGame) -> bool:
    """Return whether the game needs a ready check before it begins."""
    arrived = frozenset[int]() if hosted.timing is None else hosted.timing.here
    return hosted.settings.has_ready_check and any(player.number not in arrived for player in hosted.players)


def start_ready_check(hosted: HostedGame, now: datetime) -> tuple[HostedGame, GameChange, None]:
    """Start the ready check of all players; raise `Over`, and `SeatRefused` if there are no players."""
    require_forming(hosted)
    timing = hosted.timing
    if timing is None or not hosted.players:
        raise SeatRefused(_PLAYERS_NONE())
    if timing.state is GameState.READY_CHECK:
        raise SeatRefused(_READY_CHECK_OPEN())
    until = now + ready_check_for(timing.schedule)
    after = hosted.with_timing(replace(timing, state=GameState.READY_CHECK, expires=until, here=frozenset()))
    return after, GameChange(notices=_make_notices(after, after.players)), None


def here(hosted: HostedGame, number: int) -> tuple[HostedGame, GameChange, bool]:
    """Record a player's answer, and return whether all have answered; raise `Over` if there is no ready check."""
    require_forming(hosted)
    timing = hosted.timing
    if timing is None or timing.state is not GameState.READY_CHECK:
        raise Over(_READY_CHECK_NONE())
    after = hosted.with_timing(replace(timing, here=timing.here | {number}))
    return after, GameChange(), not is_needed(after)


def over(hosted: HostedGame, now: datetime) -> tuple[HostedGame, GameChange]:
    """End the ready check: absent players lose their seats, and players on the waiting list get these and are asked.

    Nothing is counted against the absent players.
    """
    timing = hosted.timing
    assert timing is not None  # noqa: S101  # only a game with deadlines has a ready check
    gone = tuple(player.number for player in hosted.players if player.number not in timing.here)
    after, moved = with_reserves(without(hosted, gone))
    if moved and len(after.players) == len(after.persons):
        after = after.with_timing(replace(timing, expires=now + ready_check_for(timing.schedule)))
    else:
        moved_on = replace(timing, state=GameState.FORMING, expires=now + FORMING_FOR, here=frozenset())
        after = after.with_timing(moved_on)
    drop = tuple(f"{TENURE}{number}" for number in gone)
    seats = SeatsChanged(forget=gone, drop_keys=drop, tenures=moved)
    return after, GameChange(parts=(seats,), notices=_make_notices(after, moved))


def _make_notices(hosted: HostedGame, players: tuple[StoredTenure, ...]) -> tuple[Notification, ...]:
    """Return the notices of the ready check."""
    timing = hosted.timing
    name = Quoted(hosted.name)
    words = _READY_CHECK(game=name)
    if timing and timing.expires:
        words = _READY_CHECK_BY(game=name, instant=instant_in_words(timing.expires, timing.schedule.zone))
    return tuple(
        Notification(
            player.person,
            f"seat ready_check {player.number}",
            _READY_CHECK_SUBJECT(game=name),
            join_paragraphs((words, f"{HERE}/games/{hosted.id}\n")),
        )
        for player in players
        if player.person is not None
    )

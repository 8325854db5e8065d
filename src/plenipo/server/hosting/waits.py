"""The reason a game waits, as a sentence."""

from plenipo.engine.position import GAME_MASTER
from plenipo.engine.sentences import Sentence, SentenceKind
from plenipo.server.hosting.schedule_words import instant_in_words
from plenipo.server.hosting.tick import (
    IN_GRACE,
    NOBODY_LEFT,
    SOMEBODY_LATE,
    SOMEBODY_MISSED,
    GameState,
    TimedGame,
)

__all__ = ["waits_for"]


def waits_for(game: TimedGame, *, named: bool = True) -> Sentence:
    """Return the reason a game waits, as a sentence; without `named` it does not reveal who is ready."""
    phase = game.phase
    if game.state is GameState.PAUSED:
        until = game.resumes and instant_in_words(game.resumes, game.schedule.zone)
        return _PAUSED_UNTIL(instant=until) if until else _PAUSED()
    if game.state is not GameState.RUNNING:
        return _STATES[game.state]()
    if not named:
        return _waits_for_somebody(game)
    if phase.cool_until is not None:
        return _ALL_READY()
    if GAME_MASTER in phase.needs:
        return _NEEDS_DRAW()
    if phase.needs:
        return _NEEDS(powers=tuple(phase.needs))
    if phase.waiting and game.late:
        return _WAITS_LATE(powers=game.late)
    if phase.waiting:
        return NOBODY_LEFT
    if phase.grace_until is not None:
        return IN_GRACE(powers=game.late)
    rich = [power for power in game.not_ready if game.seats[power].rest]
    if game.schedule.time_bank is not None and rich and phase.due is not None:
        return _WAITS_TIME_BANK(powers=game.not_ready)
    powers = game.not_ready
    if not powers:
        return _WAITS_DEADLINE() if phase.due else NOBODY_LEFT
    return (_WAITS_OR_DEADLINE if phase.due else _WAITS)(powers=powers)


_PAUSED = SentenceKind("server-paused", "The game is paused.")
_PAUSED_UNTIL = SentenceKind("server-paused-until", "The game is paused until {instant}.")
_STATES = {
    GameState.FORMING: SentenceKind("server-state-forming", "The game has not begun."),
    GameState.READY_CHECK: SentenceKind("server-state-ready-check", "The ready check is open."),
    GameState.OVER: SentenceKind("server-game-over", "The game is over."),
    GameState.CANCELLED: SentenceKind("server-state-cancelled", "The game is cancelled."),
    GameState.ABANDONED: SentenceKind("server-state-abandoned", "The game is abandoned."),
}
_ALL_READY = SentenceKind("server-all-ready", "All players are ready. To change your orders, withdraw Ready now.")
_NEEDS_DRAW = SentenceKind("server-needs-draw", "The phase cannot end before the game master has drawn.")
_NEEDS = SentenceKind("server-needs", "The phase cannot end without {powers}.")
_WAITS_LATE = SentenceKind("server-waits-late", "Waiting for {powers}, who missed the deadline.")
_WAITS_TIME_BANK = SentenceKind(
    "server-waits-time-bank", "Waiting for {powers}; after the deadline their time bank runs."
)
_WAITS_DEADLINE = SentenceKind("server-waits-deadline", "Waiting for the deadline.")
_WAITS_OR_DEADLINE = SentenceKind("server-waits-or-deadline", "Waiting for {powers} or the deadline.")
_WAITS = SentenceKind("server-waits", "Waiting for {powers}.")
_WAITS_ORDERS = SentenceKind("server-waits-orders", "Waiting for orders.")


def _waits_for_somebody(game: TimedGame) -> Sentence:
    """Return the reason a running game waits, without revealing before the deadline who is ready."""
    phase = game.phase
    if phase.waiting:
        return SOMEBODY_MISSED if game.late else NOBODY_LEFT
    if phase.grace_until is not None:
        return SOMEBODY_LATE
    return _WAITS_DEADLINE() if phase.due else _WAITS_ORDERS()

"""Permissions in a game: which viewpoint a request may have, which seat it may order for, and what else it may do.

Pure: each function takes a hosted game and the credentials of the request, and raises an error for a refusal.
"""

from datetime import datetime

from plenipo.engine.position import GAME_MASTER, Power
from plenipo.engine.sentences import SentenceKind
from plenipo.errors import PlenipoError, UnknownName
from plenipo.server.errors import NoKey, NotBegun, NotYours, Over, Stale
from plenipo.server.hosted_game import HOTSEAT, Credentials, HostedGame
from plenipo.server.hosting.tick import GameState

__all__ = [
    "ALL_SEATS",
    "OBSERVER",
    "eyes",
    "is_early",
    "now_at",
    "own_seat",
    "played_power",
    "require_all_seats",
    "require_begun",
    "require_game_master",
    "require_looker",
    "require_may_process",
    "require_not_cancelled",
    "require_phase",
]

_ALL_SEATS_KEY_ONLY = SentenceKind(
    "server-all-seats-key-only", "To see all seats at once you need the key to all seats."
)
_ALL_SEATS_KEY_MISSING = SentenceKind(
    "server-all-seats-key-missing",
    "This needs the key to all seats of the game. Open the game with the link that has it.",
)
_ALL_SEATS_KEY_WRONG = SentenceKind("server-all-seats-key-wrong", "This needs the key to all seats of the game.")
_GAME_MASTER_NONE = SentenceKind(
    "server-game-master-none", "Only a game master can make rulings and view orders, and this game has none."
)
_ORDERS_OF_OTHERS = SentenceKind(
    "server-orders-of-others", "A player cannot see the orders of others, even with the key of the game master."
)
_HOST_PLAYS = SentenceKind(
    "server-host-plays", "A host who plays cannot end a phase early; mark your orders as ready and wait."
)
_SEAT_LENT_ORDERS = SentenceKind(
    "server-seat-lent-orders", "The seat of {power} is lent to {player}; take it back to give its orders yourself."
)
_GAME_OVER = SentenceKind("server-game-over", "The game is over.")
_POWER_UNPLAYED = SentenceKind(
    "server-power-unplayed", "'{name}' is not a power with a player; the powers are {powers}."
)
_GAME_CANCELLED = SentenceKind("server-game-cancelled", "The game was cancelled before it started.")
_GAME_ABANDONED = SentenceKind("server-game-abandoned", "The game was abandoned.")
_GAME_NOT_STARTED = SentenceKind("server-game-not-started", "The game has not started; players are still joining.")
_PHASE_OVER = SentenceKind("server-phase-over", "This is for a phase that is over; {now}.")

ALL_SEATS, OBSERVER = "all", "observer"
"""The viewpoints a request may name in addition to powers: all seats at once, and a spectator."""


def eyes(hosted: HostedGame, credentials: Credentials, seat: str | None) -> Power | None:
    """Return the viewpoint for `seat`; raise `UnknownName`, `NoKey` and `NotYours`."""
    seats = hosted.seats(credentials)
    hot = credentials.all_seats and hosted.seating == HOTSEAT
    if not seat:
        return GAME_MASTER if hot else next((power for power in seats if power != GAME_MASTER), None)
    if seat == OBSERVER:
        return None
    if seat == ALL_SEATS:
        if not credentials.all_seats:
            raise NotYours(_ALL_SEATS_KEY_ONLY())
        return GAME_MASTER if hot else None
    power = seat_named(hosted, seat)
    if power == GAME_MASTER and power in seats and not hot:
        return None  # a host of other players' games orders for the game master, and sees no secrets
    if power in seats or (power in hosted.rules.names and hot):
        return power
    raise _not_opened(credentials, power)


def seat_named(hosted: HostedGame, name: str) -> Power:
    return GAME_MASTER if name == GAME_MASTER else hosted.rules.power(name[:200])


def require_all_seats(credentials: Credentials) -> None:
    """Raise `NoKey` or `NotYours` without the key to all seats."""
    if not credentials.all_seats:
        if not credentials.powers:
            raise NoKey(_ALL_SEATS_KEY_MISSING())
        raise NotYours(_ALL_SEATS_KEY_WRONG())


def _not_opened(credentials: Credentials, power: Power) -> PlenipoError:
    if not credentials.powers and not credentials.all_seats:
        return NoKey(f"The seat of {power} needs its key, and none was shown.")
    return NotYours(f"Your key does not open the seat of {power}.")


def require_game_master(hosted: HostedGame, credentials: Credentials) -> None:
    """Raise `NoKey`, `NotYours` or `NotBegun` unless the request comes from the game master of a game that has one."""
    require_all_seats(credentials)
    require_begun(hosted)
    if hosted.timing is None or hosted.settings.host != "game master":
        raise NotYours(_GAME_MASTER_NONE())


def require_looker(hosted: HostedGame, credentials: Credentials) -> None:
    """Raise `NotYours` for a game master who has a seat, and the errors of `require_game_master`."""
    require_game_master(hosted, credentials)
    if any(power in hosted.rules.names for power in credentials.powers):
        raise NotYours(_ORDERS_OF_OTHERS())


def require_may_process(hosted: HostedGame, credentials: Credentials, now: datetime) -> None:
    """Raise `NotYours` for a host who plays and would end a phase before it is due."""
    if credentials.powers and is_early(hosted, now):
        raise NotYours(_HOST_PLAYS())


def is_early(hosted: HostedGame, now: datetime) -> bool:
    """Return whether the open phase has a deadline that is not over, and the game waits for a player.

    The deadline of a paused game is never over: its time stands still, whatever instant was set before the pause.
    In an anonymous game only the deadline counts, because the answer would reveal whether the players are ready.
    """
    if hosted.timing is None:
        return False
    phase, paused = hosted.timing.phase, hosted.timing.state is GameState.PAUSED
    until = phase.grace_until or phase.due
    return until is not None and (paused or now < until) and (hosted.names_hidden or not hosted.ready)


def now_at(hosted: HostedGame) -> str:
    """Return the current phase of the game, for a sentence."""
    return f"the game is at {hosted.game.position.phase}, phase number {hosted.phase_number}"


def own_seat(hosted: HostedGame, credentials: Credentials, seat: str, phase_number: int) -> Power:
    """Return the power of the seat to order for; raise `NotBegun`, `NoKey`, `NotYours`, `Over` and `Stale`."""
    power = seat_named(hosted, seat)
    if power not in hosted.seats(credentials):
        require_begun(hosted)
        raise _not_opened(credentials, power)
    require_phase(hosted, phase_number)
    sitter = hosted.sitter(power)
    if sitter is not None and sitter.number != credentials.player:
        raise NotYours(_SEAT_LENT_ORDERS(power=power, player=hosted.public_name(sitter)))
    return power


def played_power(hosted: HostedGame, name: str) -> Power:
    """Return the power of a seat of a running game; raise `NotBegun`, `Over` and `UnknownName`."""
    require_begun(hosted)
    if hosted.game.over:
        raise Over(_GAME_OVER())
    power = hosted.rules.power(name[:200])
    if power not in hosted.rules.names:
        raise UnknownName(_POWER_UNPLAYED(name=name[:200], powers=tuple(hosted.rules.names)))
    return power


def require_not_cancelled(hosted: HostedGame) -> None:
    """Raise `Over` for a game that was cancelled before it began."""
    if hosted.is_cancelled:
        raise Over(_GAME_CANCELLED())


def require_begun(hosted: HostedGame) -> None:
    """Raise `NotBegun` while the game has not started, and `Over` if it was cancelled or abandoned."""
    require_not_cancelled(hosted)
    if hosted.is_abandoned:
        raise Over(_GAME_ABANDONED())
    if hosted.forming:
        raise NotBegun(_GAME_NOT_STARTED())


def require_phase(hosted: HostedGame, phase_number: int) -> None:
    """Raise `NotBegun`, `Over`, or `Stale` if another phase is open."""
    require_begun(hosted)
    if hosted.game.over:
        raise Over(_GAME_OVER())
    if phase_number != hosted.phase_number:
        raise Stale(_PHASE_OVER(now=now_at(hosted)))

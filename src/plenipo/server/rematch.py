"""Rematches: a lobby with the settings of a finished game, to which its players are invited.

The rematch of a game on one screen has no lobby: it begins at once, with the same computer players.
"""

from dataclasses import dataclass

from sqlalchemy import Connection

from plenipo.engine.sentences import Quoted, SentenceKind
from plenipo.server import keys, uploads
from plenipo.server.errors import NoKey, NotOver, NotYours
from plenipo.server.hosted_game import HOTSEAT, Credentials, HostedGame
from plenipo.server.hosting.joining import join_paragraphs
from plenipo.server.hosting.tick import GameState
from plenipo.server.new_games import GameKeys, NewGameRequest
from plenipo.server.permissions import require_all_seats
from plenipo.server.seats import INVITED
from plenipo.server.service import GameService
from plenipo.server.store import HERE, GameChange, Notification, SeatsChanged, StoredKey
from plenipo.server.store.notifications import tell
from plenipo.server.store.rematch import Sequels

__all__ = ["Again", "again"]

_REMATCH_KEY_MISSING = SentenceKind(
    "server-rematch-key-missing", "Only players of this game can open a rematch; send the key of your seat."
)
_REMATCH_GAME_MASTER_ONLY = SentenceKind(
    "server-rematch-game-master-only", "Only the game master can open a rematch of this game."
)
_REMATCH_GAME_RUNNING = SentenceKind("server-rematch-game-running", "A rematch can be opened when the game is over.")


_REMATCH_SUBJECT = SentenceKind("server-rematch-subject", "{game}: rematch")
_REMATCH = SentenceKind("server-rematch", "{game} is played again by the same people. Join here:")


@dataclass(frozen=True)
class Again:
    """A rematch: its id, the tokens for the player who requested it, and that player's name in the old game."""

    id: str
    tokens: tuple[str, ...]
    name: str = ""


def again(service: GameService, game_id: str, credentials: Credentials) -> Again:
    """Open the rematch of a finished game, or return the one that another player opened.

    The players and the host of the game may do so; the others are notified, with the link to join. A game on one
    screen has a new rematch each time. Raise `NotOver`, `NoKey`, and `NotYours` if the game had a game master, for
    everyone else.
    """
    hosted = service.games.load(game_id)
    _require_over(hosted)
    if not credentials.tenures and not credentials.powers and not credentials.all_seats:
        raise NoKey(_REMATCH_KEY_MISSING())
    called = next((tenure.name for tenure in hosted.tenures if tenure.number in credentials.tenures), "")
    host = None if credentials.person is None else (credentials.person, called or "the host")
    if hosted.timing is None and hosted.seating == HOTSEAT:
        require_all_seats(credentials)
        opened = service.open(_repeat(hosted, host))
        return Again(opened.id, (opened.all_seats,), called)
    known = service.store.of(Sequels).of(game_id)
    if known is not None:
        return Again(known, _make_invitation(service, known), called)
    if hosted.settings.host == "game master" and not credentials.all_seats:
        raise NotYours(_REMATCH_GAME_MASTER_ONLY())
    opened = service.open(
        NewGameRequest(
            hosted.rules.variant,
            hosted.rules.options,
            name=hosted.name,
            schedule=None if hosted.timing is None else hosted.timing.schedule,
            lobby=True,
            settings=hosted.settings,
            host=host,
        )
    )

    def notify_players(connection: Connection) -> None:
        notices = _notices(hosted, opened, credentials.person)
        tell(connection, game_id, hosted.phase_number, notices, service.clock.now(), service.store.later)

    if not service.store.of(Sequels).follow(game_id, opened.id, notify_players):
        service.store.delete(opened.id)  # another player was faster
        service.games.forget(opened.id)
        return again(service, game_id, credentials)
    return Again(opened.id, (opened.all_seats, opened.invitation), called)


def _repeat(hosted: HostedGame, host: tuple[str, str] | None) -> NewGameRequest:
    """Return the request for a game on one screen that begins like this one."""
    start = hosted.game.start
    return NewGameRequest(
        hosted.rules.variant,
        hosted.rules.options,
        {power: player for power, player in hosted.computers.items() if player},
        name=hosted.name,
        position=None if start == hosted.rules.opening else uploads.pack_position(start),
        host=host,
    )


def _require_over(hosted: HostedGame) -> None:
    timing = hosted.timing
    ended = hosted.game.over if timing is None else timing.state in (GameState.OVER, GameState.ABANDONED)
    if not ended:
        raise NotOver(_REMATCH_GAME_RUNNING())


def _make_invitation(service: GameService, game_id: str) -> tuple[str, ...]:
    """Return a new invitation to a game that has not begun; none to a game that has."""
    if not service.games.load(game_id).forming:
        return ()
    token = keys.token()

    def invite(hosted: HostedGame) -> tuple[HostedGame, GameChange, None]:
        return hosted, GameChange(parts=(SeatsChanged(add_keys=(StoredKey(keys.digest(token), INVITED),)),)), None

    service.games.change(game_id, invite)
    return (token,)


def _notices(hosted: HostedGame, opened: GameKeys, but: str | None) -> tuple[Notification, ...]:
    """Return the notices to the players and the host of the old game, except the one who asked."""
    link = f"{HERE}/games/{opened.id}/sit/{opened.invitation}"
    name = Quoted(hosted.name)
    words = join_paragraphs((_REMATCH(game=name), f"{link}\n"))
    persons = {tenure.person for tenure in hosted.tenures if tenure.until is None and tenure.person not in (None, but)}
    return tuple(
        Notification(person, "seat again", _REMATCH_SUBJECT(game=name), words)
        for person in sorted(filter(None, persons))
    )

"""Disk quotas: the limits of a server, or a game, that has used up its storage.

Orders are never refused: a full server opens no games and takes no messages, and its games are played to their end.
"""

from plenipo.engine.sentences import SentenceKind
from plenipo.server.errors import QuotaReached
from plenipo.server.store import Store

__all__ = ["require_room", "require_room_in"]

_SERVER_FULL = SentenceKind(
    "server-server-full",
    "This server has reached its storage limit. Its games go on, but new games and messages are not accepted.",
)
_GAME_FULL = SentenceKind(
    "server-game-full", "This game has reached its storage limit. You can play on, but not send messages."
)


def require_room(store: Store) -> None:
    """Raise `QuotaReached` if the server has used up its storage."""
    if store.is_full():
        raise QuotaReached(_SERVER_FULL())


def require_room_in(store: Store, game: str) -> None:
    """Raise `QuotaReached` if the server, or a game, has used up its storage."""
    require_room(store)
    if store.game_quota is not None and store.stored_size(game) >= store.game_quota:
        raise QuotaReached(_GAME_FULL())

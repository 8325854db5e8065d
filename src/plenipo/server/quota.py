"""Disk quotas: what a server, or a game, that stores as much as it may does no longer.

Orders are never refused: a full server opens no games and takes no messages, and its games are played to their end.
"""

from plenipo.server.errors import QuotaReached
from plenipo.server.store import Store

__all__ = ["require_room", "require_room_in"]


def require_room(store: Store) -> None:
    """Raise `QuotaReached` if the server stores as much as it may."""
    if store.is_full():
        raise QuotaReached(
            "This server stores as much as it may: its games go on, but it opens no new ones and takes no messages."
        )


def require_room_in(store: Store, game: str) -> None:
    """Raise `QuotaReached` if the server, or a game, stores as much as it may."""
    require_room(store)
    if store.game_quota is not None and store.stored(game) >= store.game_quota:
        raise QuotaReached("This game stores as much as it may: it is played on, but takes no more messages.")

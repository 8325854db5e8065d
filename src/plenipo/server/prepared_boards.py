"""The boards that games have just changed, drawn before somebody looks at them.

To place the names and units on a board that was split takes a good part of a second; the result is stored for all
servers on the database (see `boards`), so that no page waits for it.
"""

import logging
from collections import OrderedDict
from datetime import datetime, timedelta

from cachetools import LRUCache

from plenipo.server.boards import chart_for
from plenipo.server.errors import UnknownGame
from plenipo.server.observer import GAME
from plenipo.server.service import GameService

__all__ = ["PreparedBoards"]

_LOG = logging.getLogger("plenipo.server")

MARGIN = timedelta(seconds=10)
"""The time for which the clocks of two servers may differ, and a change may take to be stored."""

MOST = 200
"""The most games that a check finds, the newest first; a board that is left out is drawn for its first reader."""

LOADED = 20
"""The most games that are loaded in a check to find one whose board has changed."""

KNOWN = 10_000
"""The number of games whose prepared phase is remembered."""


class PreparedBoards:
    """The preparation of the changed boards of a service's games, with the phases already prepared."""

    def __init__(self, service: GameService) -> None:
        self.service = service
        self._since: datetime | None = None
        self._known: LRUCache[str, int] = LRUCache(KNOWN)
        self._waiting: OrderedDict[str, None] = OrderedDict()

    def look(self, now: datetime) -> None:
        """Note the games that ended a phase since the last check, and prepare the board of one of those that wait.

        It is one, so that games that become due meanwhile wait for one at most.
        """
        since, self._since = self._since or now, now
        for game, phase_number in self.service.store.find_games_moved_on(since - MARGIN, MOST).items():
            if self._known.get(game) != phase_number:
                self._known[game] = phase_number
                self._waiting[game] = None
        for _ in range(min(LOADED, len(self._waiting))):
            game, _none = self._waiting.popitem(last=False)
            try:
                if self._prepare(game):
                    break
            except UnknownGame:
                continue  # it was deleted since
            except Exception:  # noqa: BLE001  # whatever it was, the first reader has it drawn
                _LOG.exception("cannot prepare the board of game %s", game, extra={GAME: game})

    def _prepare(self, game: str) -> bool:
        """Draw the board of a game if it has changed, and return whether it has."""
        game_now = self.service.games.load(game).game
        if not game_now.position.changes or game_now.rules.changed_boards is None:
            return False
        chart_for(game_now.rules).at(game_now.position)
        return True

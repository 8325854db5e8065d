"""The computer players of a server, and the preparation of those that search."""

from collections.abc import Iterable, Mapping

from plenipo import bots
from plenipo.bots import Bot
from plenipo.engine.position import Power
from plenipo.library import plugins
from plenipo.server.broker import Announcement
from plenipo.server.computers import COMPUTER
from plenipo.server.games import Games
from plenipo.server.warm_up import UNTIL_THEN, Warming

__all__ = ["ComputerPlayers"]


class ComputerPlayers:
    """The computer players of the games of one store, and the preparation of those that search (`warming`)."""

    def __init__(self, games: Games, warming: Warming | None) -> None:
        self._games, self.warming = games, warming
        if warming is not None:
            warming.told = self._announce_warming

    def prepare(self, computers: Iterable[str]) -> None:
        """Start the preparation if one of these computer players needs it."""
        if self.warming is not None:
            self.warming.start_if_needed(computers)

    def warmth(self, computers: Mapping[Power, str]) -> str:
        """Return a notice about how these computers play at present, empty if there is none."""
        return self.warming.words(computers.values()) if self.warming is not None else ""

    def why_simple(self) -> str:
        """Return the reason computer players cannot search now, empty if they can, and start the preparation."""
        if self.warming is None or self.warming.ready or bots.is_compiled():
            return bots.why_simple()
        self.warming.start_if_needed(bots.LEVELS)
        return self.warming.words(bots.LEVELS) or UNTIL_THEN

    def player(self, name: str) -> Bot:
        """Return the current substitute of a computer player, or itself."""
        players = plugins.players().values
        if self.warming is not None:
            name = self.warming.player(name)
        return players.get(name, players[COMPUTER])  # a player that is no longer installed is replaced

    def _announce_warming(self) -> None:
        """Announce the progress of the preparation to listeners, for the computer players of their game."""
        found = self._games.open_each(self._games.broker.games(), lambda hosted: self.warmth(hosted.computers))
        for game_id, words in found.items():
            self._games.broker.announce(game_id, Announcement("computers", {"words": words}))

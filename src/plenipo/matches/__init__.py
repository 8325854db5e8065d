"""Matches: players against each other, game after game, and the results; below the I/O line.

`lineup` assigns the seats, `players` and `programs` make players from names, files and commands, `referee` plays a
game, `standings` sums games up, `report` shows them on a page with `plots`. `run` puts it together. `survey` describes
a board, `review` a game.
"""

from plenipo.matches.lineup import Match, lineup
from plenipo.matches.referee import Played, play
from plenipo.matches.run import play_match
from plenipo.matches.standings import Standing, standings

__all__ = ["Match", "Played", "Standing", "lineup", "play", "play_match", "standings"]

"""Matches: players against each other, game after game, and what came of it; below the I/O line.

`lineup` says who sits where, `players` and `programs` make players of names, files and commands, `referee` plays a
game, `standings` sums games up, `report` shows them on a page with `plots`. `run` puts it together. `survey` tells of a
board, `review` of a game.
"""

from plenipo.matches.lineup import Match, lineup
from plenipo.matches.referee import Played, play
from plenipo.matches.run import matched
from plenipo.matches.standings import Standing, standings

__all__ = ["Match", "Played", "Standing", "lineup", "matched", "play", "standings"]

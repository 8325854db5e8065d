"""Drawn maps: the figure, its compiler, and the board that follows from it."""

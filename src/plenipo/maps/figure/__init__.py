"""The figure of a board: its half-edges and exact geometry, and the board that is read off it."""

"""Random row numbers for rows that some viewers must not know of, since consecutive ones would reveal their count."""

import secrets
from collections.abc import Container

from sqlalchemy import Connection, Table, select

__all__ = ["HIGHEST", "draw_number", "draw_number_beside"]

HIGHEST = 999_999_999
"""The highest number that is drawn, of as many digits as a form takes."""


def draw_number(connection: Connection, table: Table, game: str) -> int:
    """Draw a number that no row of a game has; the caller holds a lock on the row of the game."""
    return draw_number_beside(set(connection.execute(select(table.c.number).where(table.c.game == game)).scalars()))


def draw_number_beside(taken: Container[int]) -> int:
    """Draw a number that is not taken."""
    while True:
        number = 1 + int.from_bytes(secrets.token_bytes(8), "big") % HIGHEST
        if number not in taken:
            return number

"""The store of the ratings of puzzles, which first answers change."""

from collections.abc import Callable

from sqlalchemy import Connection, Engine, select, text

from plenipo.puzzles.glicko import GlickoRating
from plenipo.server.store import schema

__all__ = ["PuzzleRatings"]

_KEEP = text(
    "INSERT INTO puzzle_ratings (puzzle, rating, deviation, results) VALUES (:puzzle, :rating, :deviation, 1) "
    "ON CONFLICT (puzzle) DO UPDATE SET rating = excluded.rating, deviation = excluded.deviation, "
    "results = puzzle_ratings.results + 1"
)


class PuzzleRatings:
    """The ratings of the puzzles that have been answered, in one database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def all(self) -> dict[int, GlickoRating]:
        """Return the rating of every puzzle with results, by its number."""
        table = schema.puzzle_ratings
        with self.engine.connect() as connection:
            rows = connection.execute(select(table.c.puzzle, table.c.rating, table.c.deviation))
            return {row.puzzle: GlickoRating(row.rating, row.deviation) for row in rows}

    def find(self, puzzle: int) -> GlickoRating | None:
        """Return the rating of a puzzle; None if it has no results."""
        with self.engine.connect() as connection:
            return _find(connection, puzzle)

    def add_result(self, puzzle: int, rate: Callable[[GlickoRating | None], GlickoRating]) -> None:
        """Store the rating after a result: `rate` returns it, given the one before.

        If two results arrive at the same instant, both are counted, and one of them may not change the rating.
        """
        with self.engine.begin() as connection:
            after = rate(_find(connection, puzzle))
            connection.execute(_KEEP, {"puzzle": puzzle, **after._asdict()})


def _find(connection: Connection, puzzle: int) -> GlickoRating | None:
    table = schema.puzzle_ratings
    row = connection.execute(select(table.c.rating, table.c.deviation).where(table.c.puzzle == puzzle)).first()
    return GlickoRating(row.rating, row.deviation) if row else None

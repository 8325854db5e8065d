"""The store of matchmaking: listed games, offered seats, and searches of players."""

from collections.abc import Collection, Mapping

from sqlalchemy import Engine, case, delete, func, select, union_all

from plenipo.server.store import schema

__all__ = ["MatchmakingStore"]

MOST_LISTED = 200
"""The most games of the list."""

MOST_OF_HOST = 5
"""The most games of the list that have not begun and are of one host, so that no host pushes the others off."""

MOST_WITHOUT_HOST = 50
"""The most games of the list that have not begun and have no host: they are of nobody knows how many people."""

OFFERED = "+"
"""The prefix of the power of a seat that is offered for good."""


class MatchmakingStore:
    """The listed games and the searches of players; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def list_games(self, states: Collection[str], *, members: bool, forming: Collection[str] = ()) -> tuple[str, ...]:
        """Return the listed games in these states, the newest first; with `members` those for members too.

        Games in the states `forming` are added, but only the newest `MOST_OF_HOST` of each host, and the newest
        `MOST_WITHOUT_HOST` of those without a host who has signed in.
        """
        games, tenures = schema.games, schema.tenures
        listed = games.c.listed.in_(("listed", "members") if members else ("listed",))
        hosts = (tenures.c.game == games.c.id, tenures.c.kind == "host", tenures.c.until.is_(None))
        host = select(func.min(tenures.c.person)).where(*hosts).correlate(games).scalar_subquery()
        hosted = select(games.c.id, games.c.created, host.label("host"))
        hosted_games = hosted.where(listed, games.c.state.in_(forming)).subquery()
        newest = hosted_games.c.created.desc()
        place = func.row_number().over(partition_by=hosted_games.c.host, order_by=(newest, hosted_games.c.id))
        most = case((hosted_games.c.host.is_(None), MOST_WITHOUT_HOST), else_=MOST_OF_HOST)
        numbered = select(
            hosted_games.c.id, hosted_games.c.created, place.label("place"), most.label("most")
        ).subquery()
        found = union_all(
            select(games.c.id, games.c.created).where(listed, games.c.state.in_(states)),
            select(numbered.c.id, numbered.c.created).where(numbered.c.place <= numbered.c.most),
        ).subquery()
        query = select(found.c.id).order_by(found.c.created.desc()).limit(MOST_LISTED)
        with self.engine.connect() as connection:
            return tuple(connection.execute(query).scalars())

    def list_offered_seats(self, games: Collection[str]) -> dict[str, frozenset[str]]:
        """Return the powers whose seats are offered for good, by game."""
        keys = schema.keys
        query = select(keys.c.game, keys.c.power).where(keys.c.game.in_(games), keys.c.power.startswith(OFFERED))
        found: dict[str, frozenset[str]] = {}
        with self.engine.connect() as connection:
            for row in connection.execute(query):
                found[row.game] = found.get(row.game, frozenset()) | {row.power.removeprefix(OFFERED)}
        return found

    def seek(self, person: str, wanted: Mapping[str, str] | None) -> None:
        """Store what a person looks for, in place of the earlier search; with None remove it."""
        table = schema.seekers
        with self.engine.begin() as connection:
            connection.execute(delete(table).where(table.c.person == person))
            if wanted is not None:
                connection.execute(table.insert().values(person=person, wanted=dict(wanted)))

    def sought(self, person: str | None = None) -> dict[str, dict[str, str]]:
        """Return the searches of all people, or of one, by person."""
        table = schema.seekers
        query = select(table) if person is None else select(table).where(table.c.person == person)
        with self.engine.connect() as connection:
            return {row.person: row.wanted for row in connection.execute(query)}

"""The store of people: sessions, sign-in methods, games, leave, and mail."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Column, ColumnElement, Connection, Engine, RowMapping, Table, delete, func, or_, select, update

from plenipo.server.store import schema
from plenipo.server.store.export import everything_else
from plenipo.server.store.host_presets import move_presets
from plenipo.server.store.matchmaking import MatchmakingStore
from plenipo.server.store.notes import forget_notes
from plenipo.server.store.notifications import put_post
from plenipo.server.store.receivers import receiver_of
from plenipo.server.store.subscriptions import Subscriptions
from plenipo.server.store.values import ChangeMoment, Json, NewPerson, StoredPerson, StoredPost, StoredSession

__all__ = [
    "GameOfPerson",
    "GuestKnown",
    "Merge",
    "NewPerson",
    "Persons",
    "SignInMethod",
    "StoredCode",
    "StoredPerson",
    "StoredSession",
    "keep_person",
]

LEASE = timedelta(minutes=2)
"""The time for which a worker has mail to itself before another tries."""

MOST_ADDRESSES = 1000
"""The most webhooks and browsers among which posts to different receivers are searched."""


@dataclass(frozen=True)
class Merge:
    """The seats of a guest that moved to a person: the tenures as games and numbers, and the names of the games.

    It can be undone `until` an instant.
    """

    guest: StoredPerson
    person: str
    tenures: tuple[tuple[str, int], ...]
    games: tuple[str, ...]
    until: datetime


@dataclass(frozen=True)
class SignInMethod:
    """A sign-in method: `mail` and the address in lower case, or another kind and a SHA-256 of the proof of identity.

    `name` is its owner's label. A `passkey` has a public key and a counter.
    """

    kind: str
    identifier: str
    person: str
    created: datetime
    name: str = ""
    key: str = ""
    counter: int = 0
    used: datetime | None = None


@dataclass(frozen=True)
class StoredCode:
    """A mailed code: digests of the secret of the requesting browser, of the link and of the digits."""

    asked: str
    link: str
    code: str
    mail: str
    expires: datetime
    tries: int = 0


@dataclass(frozen=True)
class GameOfPerson:
    """A game that a person plays or hosts, with the facts for a list."""

    id: str
    name: str
    variant: str
    phase: str
    state: str
    seating: str
    over: bool
    due: datetime | None
    anonymous: bool
    waits: tuple[str, ...]
    power: str
    kind: str
    tenure: int
    changed: datetime


class Persons:
    """The people in one database; safe to use from several threads."""

    left_of_sent: Mapping[str, str] = MappingProxyType({"to": "", "subject": "", "body": "", "headers": "{}"})
    """The values that overwrite a finished post, by column."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    # Persons and sessions

    def add(self, person: StoredPerson, session: StoredSession) -> None:
        """Store a new person, signed in in one browser."""
        with self.engine.begin() as connection:
            keep_person(connection, NewPerson(person, session))

    def find(self, person: str) -> StoredPerson | None:
        """Return the person with this id."""
        with self.engine.connect() as connection:
            row = connection.execute(select(schema.persons).where(schema.persons.c.id == person)).mappings().first()
            return None if row is None else _person(row)

    def list_named(self, name: str, most: int = 3) -> tuple[StoredPerson, ...]:
        """Return people with a name, in capitals or not."""
        table = schema.persons
        same = or_(table.c.name == name, func.lower(table.c.name) == name.lower())
        with self.engine.connect() as connection:
            rows = connection.execute(select(table).where(same).order_by(table.c.created, table.c.id).limit(most))
            return tuple(StoredPerson(row.id, row.name, row.created) for row in rows)

    def of_session(self, digest: str, now: datetime) -> StoredPerson | None:
        """Return the person signed in with this session; its use is recorded once a day."""
        persons, sessions = schema.persons, schema.sessions
        query = select(persons, sessions.c.used).join(sessions, sessions.c.person == persons.c.id)
        with self.engine.connect() as connection:
            row = connection.execute(query.where(sessions.c.digest == digest)).mappings().first()
        if row is None:
            return None
        if now - row["used"] > timedelta(days=1):
            with self.engine.begin() as connection:
                connection.execute(update(sessions).where(sessions.c.digest == digest).values(used=now))
        return _person(row)

    def rename(self, person: str, name: str) -> None:
        """Rename a person."""
        with self.engine.begin() as connection:
            connection.execute(update(schema.persons).where(schema.persons.c.id == person).values(name=name))

    # Browsers

    def sign_in(self, session: StoredSession) -> None:
        """Sign a person in in another browser."""
        with self.engine.begin() as connection:
            connection.execute(schema.sessions.insert().values(**asdict(session)))

    def sessions(self, person: str) -> tuple[StoredSession, ...]:
        """Return the sessions of a person, last used first."""
        table = schema.sessions
        query = select(table).where(table.c.person == person).order_by(table.c.used.desc(), table.c.created)
        with self.engine.connect() as connection:
            rows = connection.execute(query).mappings().all()
        return tuple(StoredSession(**row) for row in rows)

    def note_network(self, digest: str, network: str) -> None:
        """Record the keyed digest of the network from which a browser makes a change."""
        table = schema.sessions
        with self.engine.connect() as connection:
            known = connection.execute(select(table.c.network).where(table.c.digest == digest)).scalar_one_or_none()
        if known is not None and known != network:
            with self.engine.begin() as connection:
                connection.execute(update(table).where(table.c.digest == digest).values(network=network))

    def sign_out(self, person: str, digests: Sequence[str]) -> None:
        """Sign a person out in some browsers."""
        table = schema.sessions
        with self.engine.begin() as connection:
            connection.execute(delete(table).where(table.c.person == person, table.c.digest.in_(digests)))

    # Ways to sign in

    def ways(self, person: str) -> tuple[SignInMethod, ...]:
        """Return the sign-in methods of a person."""
        table = schema.ways
        with self.engine.connect() as connection:
            query = select(table).where(table.c.person == person).order_by(table.c.created)
            rows = connection.execute(query).mappings().all()
        return tuple(SignInMethod(**row) for row in rows)

    def is_member(self, person: str | None) -> bool:
        """Return whether a person has a sign-in method."""
        return person is not None and bool(self.ways(person))

    def way(self, kind: str, identifier: str) -> SignInMethod | None:
        """Return the sign-in method with this identifier."""
        table = schema.ways
        query = select(table).where(table.c.kind == kind, table.c.identifier == identifier)
        with self.engine.connect() as connection:
            row = connection.execute(query).mappings().first()
        return None if row is None else SignInMethod(**row)

    def owner(self, kind: str, identifier: str) -> str | None:
        """Return the owner of a sign-in method."""
        found = self.way(kind, identifier)
        return None if found is None else found.person

    def use_way(self, way: SignInMethod, counter: int, now: datetime) -> bool:
        """Record the use of a sign-in method; return whether it was not used since it was read."""
        table = schema.ways
        where = (table.c.kind == way.kind, table.c.identifier == way.identifier, table.c.counter == way.counter)
        with self.engine.begin() as connection:
            return connection.execute(update(table).where(*where).values(counter=counter, used=now)).rowcount == 1

    def add_way(self, way: SignInMethod, *, instead: bool = False) -> None:
        """Add a sign-in method to a person; with `instead` replace all others of its kind."""
        table = schema.ways
        with self.engine.begin() as connection:
            if instead:
                here = (table.c.person == way.person, table.c.kind == way.kind)
                before = connection.execute(select(table.c.identifier).where(*here)).scalars().all()
                if way.kind == "mail":
                    _forget_addresses(connection, [one for one in before if one != way.identifier])
                connection.execute(delete(table).where(*here))
            connection.execute(table.insert().values(**asdict(way)))

    def remove_way(self, person: str, kind: str, identifier: str) -> None:
        """Remove a sign-in method from a person."""
        table = schema.ways
        where = (table.c.person == person, table.c.kind == kind, table.c.identifier == identifier)
        with self.engine.begin() as connection:
            removed = connection.execute(delete(table).where(*where)).rowcount
            if removed and kind == "mail":
                _forget_addresses(connection, [identifier])

    def merge(self, guest: StoredPerson, person: str, digest: str, until: datetime) -> None:
        """Move the seats of a guest to a person; `digest` is of the token that can undo it `until` an instant.

        The guest is signed out everywhere: sharing a guest's session gives no access to an account.
        """
        tenures, merges = schema.tenures, schema.merges
        with self.engine.begin() as connection:
            _touch_games(connection, guest.id, untold=1)
            held = connection.execute(
                select(tenures.c.game, tenures.c.number).where(tenures.c.person == guest.id)
            ).all()
            connection.execute(update(tenures).where(tenures.c.person == guest.id).values(person=person))
            registered = _move_tournaments(connection, guest.id, person)
            for pairs in (schema.blocks, schema.follows):
                _merge_pairs(connection, pairs, guest.id, person)
            move_presets(connection, guest.id, person)
            connection.execute(delete(schema.persons).where(schema.persons.c.id == guest.id))
            row = {"digest": digest, "guest": guest.id, "name": guest.name, "created": guest.created}
            moved = [list(one) for one in (*held, *registered)]
            connection.execute(merges.insert().values(**row, person=person, tenures=moved, until=until))

    def merge_of(self, digest: str, now: datetime) -> Merge | None:
        """Return the merge that the token with this digest can still undo; remove expired ones."""
        merges, games = schema.merges, schema.games
        with self.engine.begin() as connection:
            connection.execute(delete(merges).where(merges.c.until <= now))
            row = connection.execute(select(merges).where(merges.c.digest == digest)).mappings().first()
            if row is None:
                return None
            tenures = tuple((game, number) for game, number in row["tenures"])
            ids = [game for game, _ in tenures]
            names = connection.execute(select(games.c.name).where(games.c.id.in_(ids)).order_by(games.c.name))
            guest = StoredPerson(row["guest"], row["name"], row["created"])
            return Merge(guest, row["person"], tenures, tuple(names.scalars()), row["until"])

    def undo_merge(self, digest: str, merge: Merge, session: StoredSession) -> bool:
        """Move the seats back to a guest where they are unchanged, and sign the guest in.

        Return False, and change nothing, if it has been undone already.
        """
        tenures, players, merges = schema.tenures, schema.tournament_players, schema.merges
        with self.engine.begin() as connection:
            if connection.execute(delete(merges).where(merges.c.digest == digest)).rowcount != 1:
                return False
            connection.execute(schema.persons.insert().values(**asdict(merge.guest)))
            for game, number in merge.tenures:
                mine = (tenures.c.game == game, tenures.c.number == number, tenures.c.person == merge.person)
                connection.execute(update(tenures).where(*mine).values(person=merge.guest.id))
                # an id is that of a game or of a tournament
                mine = (players.c.tournament == game, players.c.number == number, players.c.person == merge.person)
                connection.execute(update(players).where(*mine).values(person=merge.guest.id))
            _touch_games(connection, merge.guest.id, untold=1)
            connection.execute(schema.sessions.insert().values(**asdict(session)))
        return True

    # Codes

    def ask(self, code: StoredCode, post: StoredPost, now: datetime) -> None:
        """Store a code and the mail with it, in one transaction."""
        codes = schema.codes
        with self.engine.begin() as connection:
            connection.execute(delete(codes).where(codes.c.expires <= now))
            connection.execute(codes.insert().values(**asdict(code)))
            put_post(connection, post, now)

    def code(self, *, asked: str = "", link: str = "") -> StoredCode | None:
        """Return the code that a browser requested, or that a link has."""
        codes = schema.codes
        where = codes.c.asked == asked if asked else codes.c.link == link
        with self.engine.connect() as connection:
            row = connection.execute(select(codes).where(where)).mappings().first()
        return None if row is None else StoredCode(**row)

    def count_try(self, code: StoredCode, most: int) -> bool:
        """Count a try before it is checked; return whether it is within `most`, also for simultaneous tries."""
        codes = schema.codes
        where = (codes.c.asked == code.asked, codes.c.tries < most)
        with self.engine.begin() as connection:
            return connection.execute(update(codes).where(*where).values(tries=codes.c.tries + 1)).rowcount == 1

    def spend(self, code: StoredCode) -> bool:
        """Use a code up; return whether it was unused."""
        codes = schema.codes
        with self.engine.begin() as connection:
            return connection.execute(delete(codes).where(codes.c.asked == code.asked)).rowcount == 1

    # Games

    def games(self, person: str, most: int = 200) -> tuple[GameOfPerson, ...]:
        """Return the games that a person plays, hosts or has finished, the last changed first."""
        games, tenures = schema.games, schema.tenures
        columns = [getattr(games.c, name) for name in _LISTED]
        query = (
            select(*columns, tenures.c.power, tenures.c.kind, tenures.c.number.label("tenure"))
            .join(tenures, tenures.c.game == games.c.id)
            .where(tenures.c.person == person, tenures.c.until.is_(None))
            .order_by(games.c.changed.desc())
            .limit(most)
        )
        with self.engine.connect() as connection:
            rows = connection.execute(query).mappings().all()
        return tuple(GameOfPerson(**{**row, "waits": tuple(row["waits"])}) for row in rows)

    # Leave

    def absences(self, person: str) -> tuple[tuple[date, date], ...]:
        """Return the leave of a person as first and last days."""
        table = schema.absences
        query = select(table.c.first, table.c.last).where(table.c.person == person).order_by(table.c.first)
        with self.engine.connect() as connection:
            return tuple((row.first, row.last) for row in connection.execute(query))

    def set_absence(self, person: str, first: date, last: date | None) -> None:
        """Set the leave of a person, from a day to another; with None remove it. No notices are sent."""
        table = schema.absences
        with self.engine.begin() as connection:
            connection.execute(delete(table).where(table.c.person == person, table.c.first == first))
            if last is not None:
                connection.execute(table.insert().values(person=person, first=first, last=last))
            _touch_games(connection, person, untold=1)

    # Export and deletion

    def everything(self, person: str) -> Json:
        """Return the stored data of a person as JSON, without digests."""
        somebody = self.find(person)
        if somebody is None:
            return {}
        tenures, order_sets, messages = schema.tenures, schema.order_sets, schema.messages
        asked, reports, blocks = schema.questions, schema.reports, schema.blocks
        with self.engine.connect() as connection:
            held = connection.execute(select(tenures).where(tenures.c.person == person)).mappings().all()
            written = [
                {
                    **{key: row[key] for key in ("game", "phase_number", "power", "version", "ready", "orders")},
                    "written": row["created"].isoformat(),
                }
                for row in _rows_of_seats(
                    connection, held, order_sets.c.tenure, order_sets.c.phase_number, order_sets.c.version
                )
            ]
            sent = [
                {
                    **{key: row[key] for key in ("game", "seat", "phase", "text")},
                    "written": row["written"].isoformat(),
                }
                for row in _rows_of_seats(connection, held, messages.c.sender, messages.c.number)
            ]
            questions = [
                {key: row[key] for key in ("game", "phase", "order", "text", "answer")}
                for row in _rows_of_seats(connection, held, asked.c.tenure, asked.c.number)
            ]
            reported = connection.execute(select(reports.c.sentence).where(reports.c.by == person)).scalars().all()
            blocked = connection.execute(select(blocks.c.blocked).where(blocks.c.person == person)).scalars().all()
        told = Subscriptions(self.engine).of(person)
        return {
            **everything_else(self.engine, person),
            "messages": sent,
            "questions": questions,
            "reported": list(reported),
            "blocks": list(blocked),
            "person": {**asdict(somebody), "created": somebody.created.isoformat()},
            "ways": [
                {"kind": way.kind, "since": way.created.isoformat()}
                | ({"address": way.identifier} if way.kind == "mail" else {})
                | ({"name": way.name} if way.name else {})
                | ({"last_used": way.used.isoformat()} if way.used else {})
                for way in self.ways(person)
            ],
            "devices": [
                {"device": one.device, "since": one.created.isoformat(), "last_used": one.used.isoformat()}
                | ({"told_at": urlsplit(told[one.digest].endpoint).netloc} if one.digest in told else {})
                for one in self.sessions(person)
            ],
            "seats": [
                {key: row[key] for key in ("game", "name", "kind", "power", "since", "until", "preferences")}
                for row in held
            ],
            "orders": written,
            "absences": [f"{first}/{last}" for first, last in self.absences(person)],
            "looks_for": MatchmakingStore(self.engine).sought(person).get(person),
        }

    def delete(self, person: str, name: str) -> None:
        """Delete a person; the orders of the seats remain under `name`."""
        tenures, posts = schema.tenures, schema.posts
        with self.engine.begin() as connection:
            addresses = [way.identifier for way in self.ways(person) if way.kind == "mail"]
            _forget_addresses(connection, addresses)
            connection.execute(delete(posts).where(posts.c.person == person))
            _touch_games(connection, person)
            forget_notes(connection, person)
            connection.execute(
                update(tenures).where(tenures.c.person == person).values(name=name, person=None, preferences="[]")
            )
            players = schema.tournament_players
            connection.execute(update(players).where(players.c.person == person).values(name=name, person=None))
            connection.execute(delete(schema.persons).where(schema.persons.c.id == person))

    # Mail

    def take_posts(
        self, now: datetime, most: int = 50, *, mail_only: bool = False
    ) -> tuple[tuple[StoredPost, int], ...]:
        """Take posts that are due, each with the number of earlier attempts; other workers skip them for `LEASE`."""
        posts = schema.posts
        query = select(posts).where(posts.c.not_before <= now).order_by(posts.c.not_before).limit(most)
        if mail_only:
            query = query.where(~_goes_elsewhere())
        with self.engine.connect() as connection:
            rows = connection.execute(query).mappings().all()
        return self._lease(rows, now)

    def take_posts_elsewhere(
        self, now: datetime, most: int, busy: Collection[str] = (), slow: Collection[str] = (), most_slow: int = 0
    ) -> tuple[tuple[str, StoredPost, int], ...]:
        """Take due posts to webhooks and browsers, at most one for each receiver and none for the `busy` ones.

        At most `most_slow` of them go to `slow` receivers. Return for each the receiver (`receiver_of`), the post, and
        the number of earlier attempts. The oldest come first; the posts to one address are taken in their order.
        """
        posts, browsers = schema.posts, schema.subscriptions
        place = func.row_number().over(partition_by=posts.c.to, order_by=(posts.c.not_before, posts.c.id))
        address = func.coalesce(browsers.c.endpoint, posts.c.to)
        due = (
            select(posts.c.id, posts.c.not_before, address.label("address"), place.label("place"))
            .outerjoin(browsers, browsers.c.id == posts.c.to)
            .where(posts.c.not_before <= now, _goes_elsewhere())
            .subquery()
        )
        first = select(due.c.id, due.c.address).where(due.c.place == 1).order_by(due.c.not_before).limit(MOST_ADDRESSES)
        chosen: dict[str, str] = {}
        with self.engine.connect() as connection:
            for row in connection.execute(first):
                receiver = receiver_of(row.address)
                if len(chosen) == most or receiver in busy or receiver in chosen:
                    continue
                if receiver in slow:
                    if most_slow <= 0:
                        continue
                    most_slow -= 1
                chosen[receiver] = row.id
            found = select(posts).where(posts.c.id.in_(chosen.values()), posts.c.not_before <= now)
            rows = connection.execute(found).mappings().all()
        receivers = {post: receiver for receiver, post in chosen.items()}
        return tuple((receivers[post.id], post, tries) for post, tries in self._lease(rows, now))

    def _lease(self, rows: Iterable[RowMapping], now: datetime) -> tuple[tuple[StoredPost, int], ...]:
        """Return the posts that no other worker has taken meanwhile, for `LEASE`."""
        posts = schema.posts
        taken = []
        for row in rows:
            where = (posts.c.id == row["id"], posts.c.not_before == row["not_before"])
            with self.engine.begin() as connection:
                later = update(posts).where(*where).values(not_before=now + LEASE, tries=row["tries"] + 1)
                mine = connection.execute(later).rowcount == 1
            if mine:
                post = StoredPost(**{name: row[name] for name in _POST}, headers=json.loads(row["headers"]))
                taken.append((post, row["tries"]))
        return tuple(taken)

    def post(self, post: StoredPost, now: datetime) -> None:
        """Put mail into the outbox."""
        with self.engine.begin() as connection:
            put_post(connection, post, now)

    def mark_sent(self, post: str, now: datetime) -> None:
        """Mark mail as sent; its address, subject and text are removed."""
        posts = schema.posts
        with self.engine.begin() as connection:
            done = {"sent": now, "not_before": None, **self.left_of_sent}
            connection.execute(update(posts).where(posts.c.id == post).values(**done))

    def try_again(self, post: str, at: datetime | None) -> None:
        """Schedule another attempt for mail that could not be sent; with None give it up and remove its contents."""
        posts = schema.posts
        gone = self.left_of_sent if at is None else {}
        with self.engine.begin() as connection:
            connection.execute(update(posts).where(posts.c.id == post).values(not_before=at, **gone))


def _goes_elsewhere() -> ColumnElement[bool]:
    """Return the condition that a post goes to an address that people entered: a webhook or a browser."""
    posts = schema.posts
    return (posts.c.kind == "hook") | posts.c.headers.contains(json.dumps({"way": "push"})[1:-1])


def _forget_addresses(connection: Connection, addresses: Sequence[str]) -> None:
    """Remove mail to addresses without an owner, and codes for them."""
    connection.execute(delete(schema.posts).where(schema.posts.c.to.in_(addresses)))
    connection.execute(delete(schema.codes).where(schema.codes.c.mail.in_(addresses)))


def _move_tournaments(connection: Connection, guest: str, person: str) -> list[tuple[str, int]]:
    """Move a guest's places in tournaments to a person, but where the person has one; return those that moved."""
    players = schema.tournament_players
    held = select(players.c.tournament).where(players.c.person == person)
    mine = (players.c.person == guest, players.c.tournament.not_in(held))
    moved = [(row.tournament, row.number) for row in connection.execute(select(players).where(*mine)).all()]
    connection.execute(update(players).where(*mine).values(person=person))
    runs = schema.tournaments.c.director == guest
    connection.execute(update(schema.tournaments).where(runs).values(director=person))
    return moved


def _merge_pairs(connection: Connection, table: Table, guest: str, person: str) -> None:
    """Move the pairs of a table by and of a guest to the person, such as who blocks whom."""
    by, of = table.c
    rows = connection.execute(select(table).where(by.in_((guest, person)) | of.in_((guest, person)))).all()
    known = {tuple(row) for row in rows}
    swap = {guest: person}
    new = {(swap.get(one, one), swap.get(other, other)) for one, other in known if guest in (one, other)} - known
    if values := [{by.name: one, of.name: other} for one, other in new if one != other]:
        connection.execute(table.insert(), values)


def _touch_games(connection: Connection, person: str, untold: int = 0) -> None:
    """Let every server reload the games of a person; with 1 as `untold`, listeners are not notified."""
    games, tenures = schema.games, schema.tenures
    mine = select(tenures.c.game).where(tenures.c.person == person)
    counts = {"revision": games.c.revision + 1, "untold": games.c.untold + untold}
    connection.execute(update(games).where(games.c.id.in_(mine)).values(counts))


def _rows_of_seats(
    connection: Connection, held: Iterable[RowMapping], seat: Column[Any], *order: Column[Any]
) -> Iterator[RowMapping]:
    """Yield the rows of a table that belong to seats a person held; `seat` is its column with the number of a seat."""
    table = seat.table
    for tenure in held:
        of_seat = table.c.game == tenure["game"], seat == tenure["number"]
        yield from connection.execute(select(table).where(*of_seat).order_by(*order)).mappings()


_POST = ("id", "to", "subject", "body", "kind", "person", "game")
_LISTED = ("id", "name", "variant", "phase", "state", "seating", "over", "due", "anonymous", "waits", "changed")


@dataclass(frozen=True)
class GuestKnown:
    """The part of a change that stores the person to whom one of the new tenures belongs; write it before these."""

    guest: NewPerson

    def write(self, connection: Connection, at: ChangeMoment) -> None:  # noqa: ARG002  # a part of a change has it
        """Store the person."""
        keep_person(connection, self.guest)


def keep_person(connection: Connection, newcomer: NewPerson) -> None:
    """Store a new person, signed in in one browser."""
    connection.execute(schema.persons.insert().values(**asdict(newcomer.person)))
    connection.execute(schema.sessions.insert().values(**asdict(newcomer.session)))


def _person(row: Any) -> StoredPerson:
    return StoredPerson(row["id"], row["name"], row["created"])

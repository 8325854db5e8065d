"""The data of a person: all of it is in the download, and nothing of it is left when the account is deleted."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from plenipo.server import keys
from plenipo.server.new_games import NewGameRequest
from plenipo.server.people.accounts import Accounts
from plenipo.server.service import GameService
from plenipo.server.store import Store, schema
from plenipo.server.store.challenges import Challenge, Challenges
from plenipo.server.store.notifications import NotificationStore
from plenipo.server.store.persons import Persons, SignInMethod, StoredPerson
from plenipo.server.store.schema import metadata
from plenipo.server.store.values import StoredPost
from server.clocks import ManualClock

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
NAME, MAIL, OLD_MAIL = "Zephyrine", "zephyrine@example.org", "zephyrine-before@example.org"
NAMING = frozenset({"person", "guest", "by", "about", "blocked", "followed", "to", "mail", "tenure", "sender", "muted"})
"""The names of columns that may identify a person."""

EXPORTED = {
    "absences.person": "absences",
    "attendances.tenure": "deadlines",
    "ballots.tenure": "votes",
    "bans.by": "bans_made",
    "bans.person": "bans",
    "blocks.person": "blocks",
    "follows.person": "follows",
    "message_readers.tenure": "received",
    "host_presets.person": "presets",
    "messages.sender": "messages",
    "mail_preferences.person": "notifications",
    "marks.tenure": "read",
    "merges.person": "games_moved_here",
    "moderation.by": "moderated",
    "mutes.tenure": "muted",
    "notes.about": "notes",
    "notes.tenure": "notes",
    "notices.person": "notified",
    "posts.person": "mail",
    "posts.to": "mail",
    "questions.tenure": "questions",
    "reports.by": "reported",
    "results.tenure": "results",
    "seekers.person": "looks_for",
    "sessions.person": "devices",
    "order_sets.tenure": "orders",
    "tenures.person": "seats",
    "tournament_players.person": "tournaments",
    "tournaments.director": "tournaments_run",
    "ways.person": "ways",
}
"""The part of the download that contains each column about a person."""

LEFT_OUT = {
    "blocks.blocked": "whom another player blocks is that player's; it would say who minds",
    "follows.followed": "whom another player follows is that player's",
    "challenges.person": "a question to the browser that lasts ten minutes and holds digests alone",
    "codes.mail": "lasts fifteen minutes and holds digests alone; the address is under ways",
    "merges.guest": "the id of a guest that is gone; its name is under games_moved_here",
    "moderation.about": "a decision of moderators about a report; it would say that somebody reported",
    "motions.about": "names powers, not people",
    "motions.by": "names the power of a motion; the votes are under votes",
    "mutes.muted": "who mutes somebody is that player's; it would say who minds",
    "reports.about": "protects whoever reported",
}
"""The columns that the download leaves out, with the reason."""


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOON)


@pytest.fixture
def accounts(store: Store, clock: ManualClock) -> Accounts:
    return Accounts(store.of(Persons), clock)


def person_with_everything(accounts: Accounts, store: Store, service: GameService) -> tuple[StoredPerson, str]:
    """Make a person who stands in every column that can name one."""
    person = accounts.guest(NAME, "Firefox on Linux").person
    token = accounts.enter(person.id, None, "Firefox on Linux").token
    other = accounts.guest("Ben").person
    for kind, identifier in (("mail", OLD_MAIL), ("words", keys.digest("words"))):
        store.of(Persons).add_way(SignInMethod(kind, identifier, person.id, NOON))
    store.of(Persons).post(StoredPost("p1", OLD_MAIL, "123456 is your code", ""), NOON)
    accounts.send_code(MAIL)
    store.of(Persons).add_way(SignInMethod("mail", MAIL, person.id, NOON), instead=True)
    game = service.open(NewGameRequest("standard", {}, lobby=True))
    service.lobby.join(game.id, service.credentials(game.id, [game.invitation], person.id), NAME, "France")
    service.lobby.start(game.id, service.credentials(game.id, [game.all_seats]))
    number = next(tenure.number for tenure in service.games.load(game.id).tenures if tenure.person == person.id)
    store.of(Challenges).ask(Challenge("d" * 64, "new", person.id, "", NOON + timedelta(minutes=5)), NOON)
    store.of(Persons).post(StoredPost("p2", MAIL, f"Hello {NAME}", "body", person=person.id, game=game.id), NOON)
    store.of(Persons).merge(accounts.guest("Annie").person, person.id, "m" * 64, NOON + timedelta(days=1))
    store.of(NotificationStore).preferences(person.id)
    message = {"game": game.id, "number": 1, "id": "i", "thread": '["*"]', "sender": number, "seat": "France"}
    message |= {"once": "o", "phase_number": 1, "phase": "S1901M", "written": NOON, "grey": False, "open": True}
    motion = {"game": game.id, "number": 1, "kind": "draw", "about": "[]", "by": "France", "phase_number": 1}
    report = {"number": 1, "at": NOON, "messages": "[]", "sentence": "Rude."}
    logged = {"at": NOON, "kind": "ban", "text": "A ban.", "hash": "h"}
    ban = {"at": NOON, "until": None, "kind": "account", "reason": "Insults."}
    question = {"game": game.id, "number": 1, "tenure": number}
    rows: dict[str, dict[str, object]] = {
        "absences": {"person": person.id, "first": NOON.date(), "last": NOON.date()},
        "attendances": {"game": game.id, "phase_number": 1, "tenure": number, "met": True, "at": NOON},
        "ballots": {"game": game.id, "number": 1, "seat": "France", "tenure": number, "yes": True},
        "blocks": {"person": person.id, "blocked": other.id},
        "follows": {"person": person.id, "followed": other.id},
        "message_readers": {"game": game.id, "number": 1, "tenure": number},
        "host_presets": {"person": person.id, "name": f"{NAME}'s club", "fields": {}, "created": NOON},
        "marks": {"game": game.id, "tenure": number, "thread": "t" * 64, "number": 1},
        "mutes": {"game": game.id, "tenure": number, "muted": number + 1},
        "notes": {"game": game.id, "tenure": number, "about": "Italy", "text": f"{NAME} trusts Italy."},
        "notices": {"person": person.id, "game": game.id, "phase_number": 1, "kind": "due"},
        "results": {"game": game.id, "tenure": number, "power": "France", "score": 1.0, "came": "player"}
        | {"press": True, "ended": NOON},
        "seekers": {"person": person.id, "wanted": "{}"},
        "tournaments": {"id": "t1", "name": "Cup", "director": person.id, "created": NOON, "plan": {}},
        "tournament_players": {"tournament": "t1", "number": 1, "person": person.id, "name": NAME, "active": True},
        "order_sets": {"game": game.id, "phase_number": 1, "power": "France", "version": 1, "orders": '["A PAR H"]'}
        | {"ready": True, "created": NOON, "tenure": number},
    }
    with store.engine.begin() as connection:
        connection.execute(insert(schema.messages).values(**message, text="Bonjour", proposal="[]"))
        connection.execute(insert(schema.motions).values(**motion, moved=NOON, state="open"))
        for name, values in rows.items():
            connection.execute(insert(metadata.tables[name]).values(**_filled(name, values)))
        connection.execute(insert(schema.questions).values(**_filled("questions", question)))
        for one, by, about in ((1, person.id, other.id), (2, other.id, person.id)):
            connection.execute(insert(schema.reports).values(**{**report, "number": one}, by=by, about=about))
            connection.execute(insert(schema.moderation).values(**logged, number=one, by=by, about=about))
            connection.execute(insert(schema.bans).values(**ban, number=one, by=by, person=about))
    return person, token


def _filled(table: str, values: dict[str, object]) -> dict[str, object]:
    """Fill the columns that a row must have and a test does not care about."""
    kinds = {"INTEGER": 1, "BOOLEAN": False, "FLOAT": 0.0}
    return {
        column.name: NOON if "Instant" in repr(column.type) else kinds.get(str(column.type), "[]")
        for column in metadata.tables[table].columns
        if not column.nullable and column.server_default is None
    } | values


def test_every_column_that_names_a_person_is_in_the_download_or_left_out_for_a_reason(
    accounts: Accounts, store: Store, service: GameService
) -> None:
    naming = {
        f"{table.name}.{column.name}"
        for table in metadata.sorted_tables
        for column in table.columns
        if column.name in NAMING or any(key.target_fullname == "persons.id" for key in column.foreign_keys)
    }
    assert naming == EXPORTED.keys() | LEFT_OUT.keys()
    assert not EXPORTED.keys() & LEFT_OUT.keys()
    person, _ = person_with_everything(accounts, store, service)
    found = accounts.everything(person)
    empty = [key for key in sorted(set(EXPORTED.values())) if found.get(key) in (None, [], "")]
    assert empty == []
    assert found["mail"][0]["to"] == MAIL
    assert "Ben" not in str(found)


def test_no_column_and_no_byte_of_the_file_identifies_a_deleted_person(
    accounts: Accounts, store: Store, service: GameService, tmp_path: Path
) -> None:
    person, token = person_with_everything(accounts, store, service)
    preferences = store.of(NotificationStore).preferences(person.id)
    marks = [NAME, MAIL, OLD_MAIL, person.id, token, keys.digest(token), preferences.token, preferences.calendar]
    marks.append(keys.digest("words"))
    service.leave_every_seat(person.id)
    accounts.delete(person)
    for table in metadata.sorted_tables:
        with store.engine.connect() as connection:
            for row in connection.execute(select(table)):
                said = repr(tuple(row)).casefold()
                assert [mark for mark in marks if mark.casefold() in said] == [], table.name
    store.close()
    raw = b"".join(file.read_bytes() for file in tmp_path.glob("games.sqlite*")).lower()
    assert [mark for mark in marks if mark.casefold().encode() in raw] == []


def test_of_an_address_that_is_replaced_or_removed_no_mail_is_kept(accounts: Accounts, store: Store) -> None:
    person = accounts.guest("Anna").person
    store.of(Persons).add_way(SignInMethod("words", keys.digest("words"), person.id, NOON))
    for address, then in ((OLD_MAIL, "replace"), (MAIL, "remove")):
        store.of(Persons).add_way(SignInMethod("mail", address, person.id, NOON), instead=True)
        store.of(Persons).post(StoredPost(then, address, "123456 is your code", ""), NOON)
        accounts.send_code(address)
    accounts.remove_way(person, "mail", MAIL)
    with store.engine.connect() as connection:
        assert connection.execute(select(schema.posts.c.to)).scalars().all() == []
        assert connection.execute(select(schema.codes.c.mail)).scalars().all() == []

"""The daily digest: one notice at the person's hour with tasks and news, instead of single ones."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

import pytest
from sqlalchemy import select

from plenipo.server.hosting.notifications import KINDS, Preferences, when
from plenipo.server.people.digest import daily
from plenipo.server.people.push import message_of
from plenipo.server.store import Store, StoredPost, schema
from plenipo.server.store.notifications import NotificationStore
from plenipo.server.store.persons import Persons, StoredSession
from plenipo.server.store.subscriptions import Subscriptions
from plenipo.server.store.values import Subscription
from server.test_notifications import NOW, Table

DAY = timedelta(days=1)
BEN = "ben@example.org"


@pytest.fixture
def table(store: Store) -> Table:
    """A table where Ben, who plays Italy, is told of everything once a day at 18, and the others of nothing."""
    made = Table(store)
    telling = store.of(NotificationStore)
    for power, ways in (("Italy", ("day",)), ("France", ()), ("Turkey", ())):
        preferences = telling.preferences(made.people[power])
        telling.preference(replace(preferences, kinds=dict.fromkeys(KINDS, ways), hour=18, zone="Europe/Berlin"))
    with store.engine.begin() as connection:
        connection.execute(schema.posts.delete())
    return made


def at(table: Table, text: str) -> list[EmailMessage]:
    return table.sent(datetime.fromisoformat(text).replace(tzinfo=UTC) - table.clock.time)


def test_one_digest_at_the_chosen_hour_has_all_tasks_and_events(table: Table) -> None:
    table.process()
    table.write("France", "Italy", "Mordor")
    table.write("France", "Italy", "Mordor again")
    table.service.voting.move(table.game.id, table.who("France"), "extend")
    assert at(table, "2026-11-23T16:59") == []
    (mail,) = at(table, "2026-11-23T17:00")
    assert str(mail["To"]) == BEN
    assert str(mail["Subject"]) == "Plenipo: 1 of your games needs you"
    said = mail.get_content()
    assert said.index("What needs you:\nQuai: ") < said.index("What happened:")
    assert said.count("There are messages for you in Quai.") == 1
    assert "Put to the vote: Extend the phase by a day." in said
    assert "Mordor" not in said
    assert f"https://plenipo.example/games/{table.game.id}" in said
    assert at(table, "2026-11-24T17:00") == []  # nothing has happened since


def test_events_after_the_chosen_hour_wait_for_the_next_day(table: Table) -> None:
    table.process()
    assert len(at(table, "2026-11-23T17:00")) == 1
    table.process()
    assert at(table, "2026-11-24T16:59") == []
    assert len(at(table, "2026-11-24T17:00")) == 1


def test_messages_that_were_read_meanwhile_are_not_in_the_digest(table: Table) -> None:
    table.write("France", "Italy")
    (thread,) = table.service.press.inbox(table.game.id, table.who("Italy")).threads
    table.service.press.mark(table.game.id, table.who("Italy"), thread.key, thread.messages[-1].message.id)
    (mail,) = at(table, "2026-11-23T17:00")
    assert "messages" not in mail.get_content()
    assert "What needs you:" in mail.get_content()


def test_nothing_is_sent_if_nothing_is_left_to_say() -> None:
    assert daily(StoredPost("1", BEN, "", "", "day"), (), "UTC") is None


def test_years_of_news_are_one_post_and_a_message_that_devices_take(table: Table) -> None:
    for _ in range(6):
        table.process()
    with table.service.store.engine.connect() as connection:
        posts = connection.execute(select(schema.posts).where(schema.posts.c.to == BEN)).mappings().all()
    (post,) = posts
    lines = [json.loads(line) for line in post["body"].splitlines()]
    assert len(lines) >= 6
    assert lines[0][0] == table.game.id
    made = daily(StoredPost("1", BEN, "", post["body"], "day"), (), "UTC")
    assert made is not None
    assert len(message_of(made)) < 3900  # as much as a push message may have


def test_one_click_ends_the_daily_digest(table: Table) -> None:
    table.process()
    (mail,) = at(table, "2026-11-23T17:00")
    assert str(mail["List-Unsubscribe"]).endswith("kind=day>")


@pytest.mark.parametrize(
    ("now", "hour", "quiet", "told"),
    [
        ("2026-11-23T12:00", 18, (None, None), "2026-11-23T17:00"),
        ("2026-11-23T17:00", 18, (None, None), "2026-11-24T17:00"),
        ("2026-11-23T12:00", 6, (22, 8), "2026-11-24T07:00"),  # the hour is one of the quiet ones
        ("2026-03-28T12:00", 2, (None, None), "2026-03-29T01:00"),  # an hour that clocks skip
        ("2026-10-24T12:00", 2, (None, None), "2026-10-25T00:00"),  # and one that comes twice
    ],
)
def test_it_comes_at_the_next_such_hour_and_in_no_quiet_one(
    now: str, hour: int, quiet: tuple[int | None, int | None], told: str
) -> None:
    preferences = Preferences({"turn": frozenset({"day"})}, *quiet, "Europe/Berlin", hour)
    found = when(preferences, "turn", datetime.fromisoformat(now).replace(tzinfo=UTC))
    assert found == {"day": datetime.fromisoformat(told).replace(tzinfo=UTC)}


def test_an_account_without_mail_gets_the_daily_digest_on_its_devices(table: Table) -> None:
    store, ben = table.service.store, table.people["Italy"]
    store.of(Persons).remove_way(ben, "mail", BEN)
    store.of(Persons).sign_in(StoredSession("session", ben, "Firefox", NOW, NOW))
    store.of(Subscriptions).keep("session", Subscription("https://push.example/1", "", ""))
    table.process()
    table.process()
    with store.engine.connect() as connection:
        posts = connection.execute(select(schema.posts)).mappings().all()
    assert [json.loads(post["headers"]) for post in posts] == [{"way": "push"}]

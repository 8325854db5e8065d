"""Threats: the table of docs/running.md names tests that there are, and here are those that belong to no other file."""

import re
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from plenipo.server.errors import CodeRefused, TooOften
from plenipo.server.gm_tools import GmTools, RulingReason
from plenipo.server.hosting.notifications import KINDS
from plenipo.server.hosting.settings import settings_of
from plenipo.server.keys import digest
from plenipo.server.people.accounts import Accounts
from plenipo.server.people.digest import daily
from plenipo.server.people.push import message_of
from plenipo.server.press import Draft
from plenipo.server.store import Store, StoredPost, schema
from plenipo.server.store.notifications import NotificationStore
from plenipo.server.store.persons import Persons, StoredSession
from plenipo.server.store.subscriptions import Subscriptions
from plenipo.server.store.values import Subscription
from plenipo.server.submissions import Edit
from plenipo.server.web.app import create_app
from plenipo.server.web.context import Services
from server.clocks import ManualClock
from server.test_notifications import NOW, Table
from waiting import run_together

ROOT = Path(__file__).parents[2]


def test_every_test_that_the_table_of_threats_names_is_there() -> None:
    table = (ROOT / "docs" / "running.md").read_text(encoding="utf-8").partition("## Threats")[2]
    named = set(re.findall(r"`(test_\w+)`", table))
    assert len(named) > 25
    files = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    there = {name for text in files for name in re.findall(r"def (test_\w+)\(", text)}
    assert named <= there, named - there


# A code that is guessed


def test_of_codes_that_are_tried_at_once_no_more_than_five_count(store: Store) -> None:
    accounts = Accounts(store.of(Persons), ManualClock(NOW))
    asked = accounts.send_code("anna@example.org")
    with store.engine.connect() as connection:
        body = connection.execute(select(schema.posts.c.body)).scalar_one()
    found = re.search(r"\b(\d{6})\b", body)
    assert found
    wrong = [f"{number:06}" for number in range(100, 116) if f"{number:06}" != found[1]]
    answers = run_together(*(partial(accounts.confirm, asked, code, None) for code in wrong))
    assert all(isinstance(answer, CodeRefused) for answer in answers)
    with pytest.raises(CodeRefused, match="has expired"):
        accounts.confirm(asked, found[1], None)


def test_one_network_asks_for_twenty_codes_in_an_hour_and_no_more(store: Store) -> None:
    clock = ManualClock(NOW)
    accounts = Accounts(store.of(Persons), clock)
    for number in range(20):
        accounts.send_code(f"person{number}@example.org", "203.0.113.7")
    with pytest.raises(TooOften):
        accounts.send_code("another@example.org", "203.0.113.7")
    accounts.send_code("another@example.org", "203.0.113.8")
    clock.time += timedelta(hours=1)
    accounts.send_code("another@example.org", "203.0.113.7")


# Leaks


SECRETS = ("Mordor", "PIC", "Gondor", "Rohan")
"""Marks in private content: a message, an open order set, a sealed reason, a proposal."""


def test_no_notification_of_any_channel_has_more_than_public_facts(store: Store) -> None:
    votes = {"draw": {"secrecy": "secret", "standing": True}}
    table = Table(store, settings_of({"computer": "careless", "host": "game master", "votes": votes}))
    telling, game = store.of(NotificationStore), table.game.id
    telling.set_hook(game, "https://localhost/hook")
    for power, person in table.people.items():
        preferences = telling.preferences(person)
        telling.preference(replace(preferences, kinds=dict.fromkeys(KINDS, ("mail", "push", "day"))))
        store.of(Persons).sign_in(StoredSession(digest(power), person, "Firefox", NOW, NOW))
        store.of(Subscriptions).keep(digest(power), Subscription(f"https://push.example/{power}", "", ""))
    host = table.service.credentials(game, [table.game.all_seats])
    table.process()
    phase = table.service.games.load(game).phase_number
    table.service.orders.submit(game, table.who("France"), "France", phase, Edit(("A PAR - PIC",)))
    draft = Draft("France", ("Italy",), "Mordor for Rohan", proposal=("A VEN - PIE",))
    table.service.press.write(game, table.who("France"), draft)
    table.service.voting.move(game, table.who("France"), "draw")
    table.service.voting.move(game, table.who("Italy"), "extend")
    GmTools(table.service).remind(game, host, phase)
    GmTools(table.service).go_back(game, host, phase, 0, RulingReason("Gondor", withheld=True))
    with store.engine.connect() as connection:
        rows = connection.execute(select(schema.posts)).mappings().all()
    names = ("id", "to", "subject", "body", "kind", "person", "game")
    posts = [StoredPost(**{name: row[name] for name in names}) for row in rows]
    assert {post.kind for post in posts} >= {"turn", "message", "vote", "ruling", "reminder", "hook", "day"}
    for post in posts:
        made = post
        if post.kind == "day":
            made = daily(post, store.of(Persons).games(post.person or ""), "UTC") or post
        said = f"{made.subject}\n{made.body}\n{message_of(made).decode()}"
        for secret in (*SECRETS, "VEN - PIE", "raw"):
            assert secret not in said, (post.kind, said)


# Excessive retention


def test_no_address_of_a_network_is_kept_and_of_what_was_sent_nothing_but_that_it_was(
    store: Store, tmp_path: Path
) -> None:
    table = Table(store)
    with TestClient(create_app(table.service, loops="none"), client=("203.0.113.77", 1234)) as client:
        client.post("/sign-in", data={"mail": "dora@example.org"})
        client.post("/host", data={"variant": "standard", "your-name": "Dora", "name": "Dora"})
    table.write("France", "Italy")
    table.process()
    assert table.sent(timedelta(hours=1))
    with store.engine.connect() as connection:
        rows = connection.execute(select(schema.posts.c.body, schema.posts.c.headers)).all()
    assert {tuple(row) for row in rows} == {("", "{}")}
    store.close()
    for file in tmp_path.glob("games.sqlite*"):
        assert b"203.0.113.77" not in file.read_bytes()


# An address that leaks


def test_a_calendar_has_another_address_when_one_asks_and_the_one_before_shows_nothing(store: Store) -> None:
    table = Table(store)
    ben = table.people["Italy"]
    before = store.of(NotificationStore).preferences(ben)
    store.of(Persons).sign_in(StoredSession(digest("token"), ben, "Firefox", NOW, NOW))
    with TestClient(create_app(table.service, loops="none"), follow_redirects=False) as client:
        assert client.post("/me/calendar").status_code == 401
        client.cookies.set("session", "token")
        assert client.post("/me/calendar").status_code == 303
        after = store.of(NotificationStore).preferences(ben)
        assert client.get(f"/calendar/{before.calendar}.ics").status_code == 404
        assert client.get(f"/calendar/{after.calendar}.ics").status_code == 200
    assert after.token == before.token
    assert len(after.calendar) >= 32


# Floods


def test_of_event_streams_a_person_has_sixty_four_and_no_more(store: Store) -> None:
    table = Table(store)
    streams = Services(table.service).streams
    ben, anna = table.people["Italy"], table.people["France"]
    with ExitStack() as open_ones:
        for _ in range(64):
            open_ones.enter_context(streams.one(streams.look(ben, "203.0.113.7")))
        with pytest.raises(TooOften, match="64"):
            streams.look(ben, "203.0.113.8")
        assert streams.look(anna, "203.0.113.7") == anna
        for _ in range(64):
            open_ones.enter_context(streams.one(streams.look(None, "203.0.113.9")))
        with pytest.raises(TooOften):
            streams.look(None, "203.0.113.9")
        for _ in range(100):  # the person at this machine, whose own server it is
            open_ones.enter_context(streams.one(streams.look(None, "")))
    assert streams.look(ben, "") == ben


def test_a_stream_that_is_one_too_many_is_refused_and_one_that_ended_is_not_counted(store: Store) -> None:
    table = Table(store)
    ben = table.people["Italy"]
    store.of(Persons).sign_in(StoredSession(digest("token"), ben, "Firefox", NOW, NOW))
    app = create_app(table.service, loops="none")
    with TestClient(app, client=("203.0.113.7", 1)) as client, ExitStack() as open_ones:
        client.cookies.set("session", "token")
        streams = app.state.services.streams
        for _ in range(64):
            open_ones.enter_context(streams.one(ben))
        for address in (f"/api/games/{table.game.id}/events", "/api/me/events"):
            assert client.get(address).json()["error"]["code"] == "too_often"

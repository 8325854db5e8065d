"""Only the host sees the reason for a moved deadline: all bytes are compared of two games with different absences.

In one game Anna is away on the days on which Ben is in the other. Every answer, message and download for anyone but the
host is the same to the byte, sizes and counts included; only random values are left out.
"""

import asyncio
import re
import shutil
from collections.abc import AsyncGenerator, Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from plenipo.server import keys
from plenipo.server.broker import Broker
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.hosting.settings import settings_of
from plenipo.server.new_games import NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store, schema
from plenipo.server.store.notifications import NotificationStore
from plenipo.server.store.persons import Persons, SignInMethod, StoredPerson, StoredSession
from plenipo.server.store.subscriptions import Subscriptions
from plenipo.server.store.values import Subscription
from plenipo.server.web.app import create_app
from plenipo.server.web.context import COOKIE, SESSION, Services, Viewer
from plenipo.server.web.events import _my_stream, _stream
from plenipo.server.worker import Worker
from server.clocks import ManualClock
from server.loops import alone

START = datetime(2026, 11, 22, 12, tzinfo=UTC)
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
SCHEDULE = {"movement": {"within": "1d", "remind": ["2h"]}, "cool": "0m", "missed": {"first": "hold"}}
PEOPLE = dict(
    zip(
        ("Anna", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus"),
        ("France", "Italy", "Russia", "Austria", "England", "Germany", "Turkey"),
        strict=True,
    )
)


class Group:
    """Seven people of whom one is away, told by mail and on a device, and a host who does not play."""

    def __init__(self, store: Store, away: str, *, anonymous: bool) -> None:
        self.store, self.clock = store, ManualClock(START)
        self.service = GameService(store, Broker(), self.clock)
        self.sessions = {name: keys.token() for name in PEOPLE}
        for name, token in self.sessions.items():
            session = StoredSession(keys.digest(token), self.person(name), "A browser", START, START)
            store.of(Persons).add(StoredPerson(self.person(name), name, START), session)
            store.of(Persons).add_way(SignInMethod("mail", f"{name.lower()}@example.org", self.person(name), START))
            device = Subscription(f"https://push.example/{name}", "B" * 87, "A" * 22)
            store.of(Subscriptions).keep(keys.digest(token), device)
        schedule = schedule_of(
            {"movement": {"within": "1d", "remind": ["2h"]}, "cool": "0m", "missed": {"first": "hold"}}
        )
        how = {"deal": "drawn"} if anonymous else {}
        settings = settings_of({"absence": 7, "computer": "careless", "anonymous": anonymous, **how})
        self.keys = self.service.open(
            NewGameRequest("standard", {}, lobby=True, name="the game", schedule=schedule, settings=settings)
        )
        self.id = self.keys.id
        store.of(Persons).set_absence(self.person(away), date(2026, 11, 23), date(2026, 11, 25))
        for name, power in PEOPLE.items():
            invited = self.service.credentials(self.id, [self.keys.invitation], self.person(name))
            self.service.lobby.join(self.id, invited, name, "" if anonymous else power)
        self.client = TestClient(create_app(self.service, loops="none"), base_url="http://localhost")
        store.of(NotificationStore).set_hook(self.id, "https://hook.example/of/this")
        self.worker = Worker(self.service)

    def person(self, name: str) -> str:
        return name.lower() * 4

    def calendar(self, name: str) -> str:
        return self.store.of(NotificationStore).preferences(self.person(name)).calendar

    def plain(self, text: str) -> str:
        text = text.replace(self.id, "GAME")
        return re.sub(r"[0-9a-f]{64}|\'etag\', \'[^\']*\'|[?&]v=[0-9a-f]+|/calendar/[\w-]+", "", text)

    def ask(self, path: str, session: str = "", seat: str = "") -> str:
        cookies = {name: value for name, value in ((SESSION, session), (COOKIE, seat)) if value}
        headers = {"accept-encoding": "identity", "cookie": "; ".join(f"{k}={v}" for k, v in cookies.items())}
        answer = self.client.get(path.replace("GAME", self.id), headers=headers)
        assert answer.status_code < 500, answer.text
        return self.plain(f"{answer.status_code} {sorted(answer.headers.items())} {answer.text}")

    def posts(self) -> list[str]:
        """All that was mailed, pushed, or is told by a webhook."""
        with self.store.engine.connect() as connection:
            rows = connection.execute(select(schema.posts)).mappings().all()
        made = [f"{row['to']} {row['kind']} {row['subject']} {row['body']}" for row in rows]
        return sorted(map(self.plain, made))


ASKED = (
    "/api/games/GAME /api/games/GAME/journal /api/games/GAME/votes /api/games/GAME/history /api/games/GAME/press "
    "/games/GAME /games/GAME/report /games/GAME/picture.svg /games/GAME/feed.atom /games/GAME/feed.json "
    "/api/games/GAME/options /api/find /find / /api/me/games"
).split()


def test_the_reason_for_a_moved_date_changes_bytes_only_for_the_host(empty: Path, tmp_path: Path) -> None:
    stores = [Store(str(shutil.copy(empty, tmp_path / f"{name}.sqlite"))) for name in ("one", "other")]
    one, other = (Group(*pair, anonymous=False) for pair in zip(stores, ("Anna", "Ben"), strict=True))
    for passed in (0 * HOUR, 94 * HOUR, 2 * HOUR - 2 * MINUTE, 4 * MINUTE):  # it is near, then over
        for group in (one, other):
            group.clock.time += passed
            group.worker.look()
        for who in ("", "Cleo"):
            for path in ASKED:
                shown = [group.ask(path, group.sessions.get(who, "")) for group in (one, other)]
                assert shown[0] == shown[1], f"{path} shows {who or 'an observer'} who is away"
                assert "2026-11-25" not in shown[0]
        calendars = [group.ask(f"/calendar/{group.calendar('Cleo')}.ics") for group in (one, other)]
        assert calendars[0] == calendars[1]
        assert one.posts() == other.posts()
    assert {"reminder", "turn", "hook"} <= {post.split()[1] for post in one.posts()}
    to = {post.split()[0] for post in one.posts()}
    assert len(to) == 15, "seven by mail, seven on their devices, and the webhook of the game"
    for store in stores:
        store.close()


def test_in_an_anonymous_game_no_day_of_an_absence_leaves_the_server(store: Store) -> None:
    group = Group(store, "Anna", anonymous=True)
    group.clock.time += 4 * DAY
    group.worker.look()
    seen = [group.ask(path, group.sessions[who] if who else "") for who in ("", "Cleo") for path in ASKED]
    for shown in (*seen, *group.posts(), group.ask(f"/calendar/{group.calendar('Cleo')}.ics")):
        assert not re.search(
            r"2[345] November|2026-11-2[345]|2026112[345]T|on leave\W*from", shown.replace(group.person("Cleo"), "")
        )


def test_others_read_that_a_date_moved_and_the_host_because_of_whom(store: Store) -> None:
    group = Group(store, "Anna", anonymous=False)
    api = f"/api/games/{group.id}"
    time = group.client.get(api).json()["time"]
    assert (time["moved"], time["away"], time["due"]) == (True, [], "2026-11-26T12:00:00Z")
    host = {"authorization": f"Bearer {group.keys.all_seats}"}
    away = group.client.get(api, headers=host).json()["time"]["away"]
    assert away == [{"power": "France", "name": "Anna", "first": "2026-11-23", "last": "2026-11-25"}]
    desk = group.ask("/games/GAME/gm-tools", seat=group.keys.all_seats)
    assert "The deadline is later because Anna (France) is on leave from 23 November 2026 to 25 November 2026." in desk


def test_in_an_anonymous_game_the_host_too_reads_only_that_a_date_moved(store: Store) -> None:
    group = Group(store, "Anna", anonymous=True)
    host = {"authorization": f"Bearer {group.keys.all_seats}"}
    time = group.client.get(f"/api/games/{group.id}", headers=host).json()["time"]
    assert (time["moved"], time["away"]) == (True, [])
    desk = group.ask("/games/GAME/gm-tools", seat=group.keys.all_seats)
    assert "The deadline is later because a player is away." in desk
    assert "Anna" not in desk


def test_an_unchanged_date_is_not_shown_as_moved(store: Store) -> None:
    group = Group(store, "Anna", anonymous=False)
    group.clock.time += 4 * DAY
    group.worker.look()
    assert group.client.get(f"/api/games/{group.id}").json()["time"]["moved"] is False


async def heard(group: Group, act: Callable[[], None]) -> list[str]:
    """Return the events that a spectator and a player with the list of games receive during an action.

    A second server on the same database looks at the game too, as its readers do.
    """
    other = GameService(group.store, Broker(), group.clock)
    viewer = Viewer(group.id, other.credentials(group.id, []), None, (1, (), (), ""))
    hosts, lines = (group.service, other), asyncio.Queue[str]()

    async def listen(stream: AsyncGenerator[bytes, None]) -> None:
        async for line in stream:
            lines.put_nowait(group.plain(line.decode()))

    streams = [_stream(Services(service), lambda: viewer) for service in hosts]
    streams += [_my_stream(service, frozenset({group.id}), frozenset()) for service in hosts]
    tasks = [asyncio.create_task(listen(stream)) for stream in streams]
    told = [await lines.get() for _ in streams]  # each is greeted
    await asyncio.to_thread(act)
    for service in hosts:
        await asyncio.to_thread(service.games.catch_up)
        await asyncio.to_thread(service.games.load, group.id)
    await asyncio.sleep(0.02)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return sorted(told + [lines.get_nowait() for _ in range(lines.qsize())])


def merge(store: Store, guest: str, person: str) -> None:
    found = store.of(Persons).find(guest)
    assert found is not None
    store.of(Persons).merge(found, person, "0" * 64, START + timedelta(days=1))


def everything(group: Group) -> dict[str, str]:
    """All that an observer and another player are shown, tags and sizes among it, and all that was sent."""
    seen = {
        f"{who}{path}": f"{answer.status_code} {sorted(answer.headers.items())} {answer.text}"
        for who in ("", "Cleo")
        for path in ASKED
        for answer in [
            group.client.get(
                path.replace("GAME", group.id),
                headers={"cookie": f"{SESSION}={group.sessions[who]}" if who else "", "accept-encoding": "identity"},
            )
        ]
    }
    return {**seen, "posts": "\n".join(group.posts())}


@pytest.mark.parametrize("known", ["not at all", "by name"])
def test_no_other_player_learns_of_an_announced_leave_or_of_a_guest_who_signs_in(store: Store, known: str) -> None:
    group = Group(store, "Anna", anonymous=known == "not at all")
    before, silence = everything(group), alone(heard(group, lambda: None))
    ben = {"cookie": f"{SESSION}={group.sessions['Ben']}", "sec-fetch-site": "same-origin"}

    def says(**form: str) -> None:
        answer = group.client.post("/me/away", data=form, headers=ben, follow_redirects=False)
        assert answer.status_code == 303, answer.text

    acts: list[Callable[[], None]] = [
        lambda: says(first="2026-12-01", last="2026-12-03"),
        lambda: says(first="2026-12-01", remove="yes"),
        lambda: merge(store, group.person("Ben"), group.person("Zoe")),
    ]
    session = StoredSession(keys.digest("zoe"), group.person("Zoe"), "A browser", START, START)
    store.of(Persons).add(StoredPerson(group.person("Zoe"), "Zoe", START), session)
    for number, act in enumerate(acts):
        assert alone(heard(group, act)) == silence, number
        assert everything(group) == before, number

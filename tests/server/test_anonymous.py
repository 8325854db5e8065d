"""An anonymous game: no byte of any answer or message reveals who plays which power before the game is over."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from plenipo.server.broker import MARKS, Announcement
from plenipo.server.errors import SeatRefused
from plenipo.server.hosting.settings import settings_of
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.store.persons import Persons
from plenipo.server.web.app import create_app
from server.clocks import ManualClock
from server.test_people_pages import Browser, hosted, link_in

NAMES = ("Anna", "Benedikt", "Corbinian")
HOST, *OTHERS = NAMES
START = datetime(2026, 11, 22, 12, tzinfo=UTC)


class OfApp(Browser):
    """A browser at the door of an app that others look at too."""

    def __init__(self, app: FastAPI) -> None:
        TestClient.__init__(self, app, follow_redirects=True)


class World:
    """A server of its own with an anonymous game, whose host and two others play; computers play the rest."""

    def __init__(self, folder: Path, preferences: dict[str, str], you: str = "play", **also: str) -> None:
        self.store = Store(str(folder))
        self.clock = ManualClock(START)
        self.service = GameService(self.store, clock=self.clock)
        self.told: list[Announcement] = []
        announce = self.service.broker.announce

        def told(game: str, announcement: Announcement) -> None:
            self.told.append(announcement)
            announce(game, announcement)

        self.service.broker.announce = told  # type: ignore[method-assign]  # everything is told through it
        app = create_app(self.service)
        self.browsers = {name: OfApp(app) for name in (*NAMES, "a stranger")}
        host = self.browsers[HOST]
        more = {
            "variant": "hundred",
            "deal": "preferences",
            "anonymous": "yes",
            "listed": "listed",
            "schedule": "Every day",
            "you": you,
            **also,
        }
        self.game = hosted(host, HOST, game="the game", **more)
        link = link_in(host.get(self.game).text)
        for name in OTHERS:
            self.browsers[name].get(link)
            self.browsers[name].post(f"{self.game}/join", data={"name": name})
        for name, power in preferences.items():
            page = self.browsers[name].get(self.game).text
            number = re.search(r'action="[^"]*/preference".*?name="number" value="(\d+)"', page, re.DOTALL)
            assert number
            self.browsers[name].post(f"{self.game}/preference", data={"number": number[1], "preference": power})
        host.post(f"{self.game}/start")
        for name in preferences:
            self.browsers[name].post(f"{self.game}/here")
        self.told.clear()

    def close(self) -> None:
        self.store.close()

    def eyes(self, name: str) -> str:
        seat: str = self.browsers[name].get(f"/api{self.game}").json()["viewer"]["seat"]
        return seat

    def shown(self, name: str) -> Iterator[str]:
        """Yield every answer about the game and its people that a person can request."""
        game, api = self.game, f"/api{self.game}"
        for path in (
            *(game, f"{game}/gm-tools", f"{game}/report", f"{game}/feed.json", f"{game}/feed.atom"),
            *(api, f"{api}/journal", f"{api}/press", f"{api}/press/thread?seat=everyone", f"{api}/votes"),
            *(f"{api}/press/file", f"{api}/record", f"{api}/history", f"{api}/rulings", "/find", "/api/find"),
            *(f"{api}/options", f"{api}/result", f"{game}/questions", f"{api}?seat=observer"),
        ):
            answer = self.browsers[name].get(path)
            assert answer.status_code < 500, path
            yield f"{path}\n{answer.text}\n{answer.headers.get('etag', '')}"
        for row in self.people():
            for path in (f"/people/{row}", f"/api/people/{row}"):
                yield f"{path}\n{self.browsers[name].get(path).text}"

    def people(self) -> list[str]:
        """The ids of those at the game, by their names."""
        tenures = self.service.games.load(self.game.rpartition("/")[2]).tenures
        return [person for _, person in sorted({(t.name, t.person) for t in tenures if t.person})]

    def plain(self, name: str) -> str:
        """The same without what is drawn by lot."""
        text = "\n".join(self.shown(name)).replace(self.game.rpartition("/")[2], "GAME")
        for place, person in enumerate(self.people()):
            text = text.replace(person, f"PERSON {place}")
        return re.sub(r'"(hash|commitment|previous|id|key)": ?"[^"]*"|[0-9a-f]{16,}|W?/?"[0-9A-Za-z_-]{20,}"', "", text)

    def order(self, power: str, text: str) -> None:
        for name in NAMES:
            if self.eyes(name) == power:
                body = {"phase_number": 1, "seat": power, "orders": [text]}
                assert self.browsers[name].put(f"/api{self.game}/orders", json=body).status_code == 200

    def write(self, power: str, text: str) -> None:
        for name in NAMES:
            if self.eyes(name) == power:
                body = {"seat": power, "to": ["everyone"], "text": text}
                assert self.browsers[name].post(f"/api{self.game}/press", json=body).status_code == 201


WISHES = {HOST: "Burgundy", "Benedikt": "France", "Corbinian": "England"}
SWAPPED = {HOST: "Burgundy", "Benedikt": "England", "Corbinian": "France"}
POWERS = {"France", "England", "Burgundy"}


def lived(world: World) -> None:
    """France orders, writes and goes on; England misses its deadline and resigns, and a substitute is sought."""
    assert {world.eyes(name) for name in NAMES} == POWERS
    world.order("France", "A PAR H")
    world.order("Burgundy", "A DIJ H")
    world.write("France", "Good morning to all.")
    world.clock.time = START + timedelta(days=6)
    game = world.game.rpartition("/")[2]
    world.service.time.settle(game)
    for name in NAMES:
        if world.eyes(name) == "England":
            body = {"power": "England", "act": "resign"}
            assert world.browsers[name].post(f"/api{world.game}/seats", json=body).status_code == 200
            return


def test_two_games_with_two_players_exchanged_look_the_same_to_all_others(tmp_path: Path) -> None:
    worlds = [World(tmp_path / f"{place}.sqlite", preferences) for place, preferences in enumerate((WISHES, SWAPPED))]
    begun = [world.browsers["a stranger"].get(f"/api{world.game}").json()["players"] for world in worlds]
    assert begun[0] == begun[1]
    assert [player["power"] for player in begun[0]] == sorted(POWERS)
    for world in worlds:
        lived(world)
    for name in (HOST, "a stranger"):
        one, other = (world.plain(name) for world in worlds)
        assert one == other, next((a, b) for a, b in zip(one.splitlines(), other.splitlines(), strict=False) if a != b)
        assert len(one) > 20_000
    told = [[(what.kind, what.public) for what in world.told] for world in worlds]
    assert told[0] == told[1]
    for world in worlds:
        world.close()


def test_no_name_is_in_anything_that_others_see_or_receive(tmp_path: Path) -> None:
    world = World(tmp_path / "games.sqlite", WISHES)
    lived(world)
    for name in (HOST, "a stranger", "Benedikt"):
        for text in world.shown(name):
            if text.startswith(("/people/", "/api/people/")):
                assert not any(power in text for power in POWERS)
                continue
            for other in {*NAMES} - {name}:
                assert other not in text, f"{name} reads {other} in {text[max(0, text.find(other) - 200) :][:400]}"
            for person in world.people():
                assert person not in text
    posts = world.store.of(Persons).take_posts(world.clock.now() + timedelta(days=9))
    assert not any(name in f"{post.subject} {post.body}" for post, _ in posts for name in NAMES)
    assert not any(name in repr(what) for what in world.told for name in NAMES)
    world.close()


def test_a_game_master_without_a_seat_sees_who_plays_which_power(tmp_path: Path) -> None:
    world = World(tmp_path / "games.sqlite", {name: WISHES[name] for name in OTHERS}, "rule")
    assert all(name in world.browsers[HOST].get(f"{world.game}/gm-tools").text for name in OTHERS)
    players = world.browsers[HOST].get(f"/api{world.game}").json()["players"]
    assert {player["name"]: player["power"] for player in players} == {"Benedikt": "France", "Corbinian": "England"}
    world.close()


def test_at_the_end_all_names_are_shown_and_the_result_counts(tmp_path: Path) -> None:
    world = World(tmp_path / "games.sqlite", WISHES)
    lived(world)
    game = world.game.rpartition("/")[2]
    numbers = [world.browsers["a stranger"].get(f"/api/people/{person}").json() for person in world.people()]
    assert {(one["due"], one["games"]) for one in numbers} == {(0, 0)}
    host = world.service.credentials(game, (), world.people()[0])
    world.service.phases.draw(game, host, world.service.view(game, host, None).phase_number)
    result = world.browsers["a stranger"].get(f"/api{world.game}/result").json()
    assert {seat["power"]: seat["names"] for seat in result["seats"] if seat["names"]} == {
        "France": ["Benedikt"],
        "Burgundy": [HOST],
    }
    numbers = [world.browsers["a stranger"].get(f"/api/people/{person}").json() for person in world.people()]
    assert [(one["met"], one["due"], one["left"]) for one in numbers] == [(1, 1, 0), (1, 1, 0), (0, 1, 1)]
    world.close()


def test_a_name_that_is_there_already_is_not_refused_for_that_would_tell(service: GameService) -> None:
    host, other = Browser(service), Browser(service)
    game = hosted(host, HOST, deal="drawn", anonymous="yes")
    other.get(link_in(host.get(game).text))
    assert other.post(f"{game}/join", data={"name": HOST}).status_code == 200
    assert HOST not in Browser(service).get(game).text


@pytest.mark.parametrize("deal", ["taken", "host"])
def test_powers_are_not_taken_openly_where_names_are_hidden(deal: str) -> None:
    with pytest.raises(SeatRefused, match="cannot choose their powers openly"):
        settings_of({"anonymous": True, "deal": deal})


# Ready players


MARKED = ("waiting", "given", "ready")


def statuses(world: World, name: str) -> dict[str, str]:
    powers = world.browsers[name].get(f"/api{world.game}").json()["powers"]
    return {power["name"]: power["status"] for power in powers if power["status"] in (*MARKED, "asked")}


def test_a_player_sees_which_orders_of_their_own_are_in_and_of_no_other_seat(tmp_path: Path) -> None:
    world = World(tmp_path / "games.sqlite", WISHES)
    world.order("France", "A PAR H")
    assert statuses(world, "Benedikt") == {"Burgundy": "asked", "England": "asked", "France": "given"}
    for name in (HOST, "Corbinian"):
        assert statuses(world, name) == {**dict.fromkeys(POWERS, "asked"), world.eyes(name): "waiting"}
    assert statuses(world, "a stranger") == dict.fromkeys(POWERS, "asked")
    waits = [game["waits_for"] for game in world.browsers[HOST].get("/api/me").json()["games"]["now"]]
    assert waits == [["Burgundy"]]
    assert world.browsers[HOST].get(f"/api{world.game}").json()["time"]["waits_for"] == "Waiting for the deadline."
    world.close()


def test_a_game_master_without_a_seat_sees_ready_players_and_is_notified(tmp_path: Path) -> None:
    world = World(tmp_path / "games.sqlite", {name: WISHES[name] for name in OTHERS}, "rule")
    world.order("France", "A PAR H")
    assert statuses(world, HOST)["France"] == "given"
    assert "Waiting for" in world.browsers[HOST].get(f"{world.game}/gm-tools").text
    order_sets = [one for one in world.told if one.kind == "order_set"]
    assert [one.for_eyes(frozenset({MARKS})) for one in order_sets] != [None] * len(order_sets)
    assert [one.for_eyes(frozenset()) for one in order_sets] == [None] * len(order_sets)
    world.close()


def test_the_host_reminds_players_without_learning_their_names_or_number(tmp_path: Path) -> None:
    said = []
    for ready in (False, True):
        world = World(tmp_path / f"{ready}.sqlite", WISHES)
        if ready:
            world.order("France", "A PAR H")
            world.browsers["Benedikt"].post(f"/api{world.game}/ready", json={"phase_number": 1, "seat": "France"})
        desk = world.browsers[HOST].get(f"{world.game}/gm-tools").text
        assert "Remind players who are not ready" in desk
        assert "Waiting for</h2>" not in desk
        page = world.browsers[HOST].post(f"{world.game}/gm-tools/remind", data={"phase_number": "1"})
        entries = world.browsers[HOST].get(f"/api{world.game}/journal").json()["entries"]
        said.append((page.status_code, entries[-1]["sentence"]))
        world.close()
    assert said == [(200, "The host reminded the players who are not ready.")] * 2


def late(world: World, name: str) -> list[str]:
    """Return the game's statements to a person about late players, in every place."""
    api = f"/api{world.game}"
    entries = world.browsers[name].get(f"{api}/journal").json()["entries"]
    why = [str(one.public) for one in world.told if one.kind == "time"]
    desk = world.browsers[name].get(f"{world.game}/gm-tools").text
    return [world.browsers[name].get(api).json()["time"]["waits_for"], entries[-1]["sentence"], *why, desk]


@pytest.mark.parametrize(("missed", "after"), [("wait", "the game waits for orders"), ("extend", "it is extended")])
def test_no_late_player_is_named_while_the_phase_is_open(tmp_path: Path, missed: str, after: str) -> None:
    own = {
        "schedule": "by hand",
        "day": "Mon",
        "hour": "20:00",
        "grace": "12h",
        "extensions": "1",
        "missed-first": missed,
    }
    world = World(tmp_path / "games.sqlite", WISHES, **own)
    world.order("France", "A PAR H")
    due = datetime.fromisoformat(world.browsers[HOST].get(f"/api{world.game}").json()["time"]["due"])
    game = world.game.rpartition("/")[2]
    for passed, said in ((timedelta(minutes=1), "may still be submitted"), (timedelta(hours=13), after)):
        world.clock.time = due + passed
        world.service.time.settle(game)
        words = late(world, HOST)
        assert said in words[1]
        for text in (words[0], words[1], *words[2:-1]):
            assert not any(power in text for power in POWERS), text
        assert "Waiting for</h2>" not in words[-1]
    world.close()


def test_a_vacant_seat_is_public_and_that_its_player_is_back_is_secret_until_the_phase_ends(tmp_path: Path) -> None:
    days = {"schedule": "by hand", "day": "Mon", "hour": "20:00"}
    own = {"missed-first": "hold", "missed-then": "hold", "vacant-after": "1", **days}
    world = World(tmp_path / "games.sqlite", WISHES, **own)

    def vacant(name: str) -> list[str]:
        found: list[str] = world.browsers[name].get(f"/api{world.game}").json()["time"]["vacant"]
        return found

    def in_lists() -> tuple[bool, ...]:
        desk = world.browsers[HOST].get(f"{world.game}/gm-tools").text
        row = desk.split('<span class="gm-power">')[1 + sorted(POWERS).index("France")]
        missed = re.search(r'class="missed-count"[^>]*>(\d)', row)
        assert missed
        run, find = world.browsers[HOST].get("/hosting").text, world.browsers["a stranger"].get("/find").text
        return missed[1] == "1", "Vacant: France" in run, "power=France" in find

    for name in (HOST, "Corbinian"):
        world.order(world.eyes(name), "A DIJ H" if name == HOST else "A LON H")
    game = world.game.rpartition("/")[2]
    due = datetime.fromisoformat(world.browsers[HOST].get(f"/api{world.game}").json()["time"]["due"])
    world.clock.time = due + timedelta(minutes=1)
    world.service.time.settle(game)
    entries = world.browsers[HOST].get(f"/api{world.game}/journal").json()["entries"]
    assert entries[-1]["sentence"].startswith("France is vacant after too many NMRs in a row")
    assert [vacant(name) for name in world.browsers] == [["France"]] * 4
    assert in_lists() == (True, True, True)
    number = world.service.games.load(game).phase_number
    body = {"phase_number": number, "seat": "France", "orders": ["A PAR H"]}
    assert world.browsers["Benedikt"].put(f"/api{world.game}/orders", json=body).status_code == 200
    assert vacant("Benedikt") == []
    assert [vacant(name) for name in world.browsers if name != "Benedikt"] == [["France"]] * 3
    assert in_lists() == (True, True, True)
    world.clock.time += timedelta(days=8)
    world.service.time.settle(game)
    assert "France" not in vacant("a stranger")
    world.close()

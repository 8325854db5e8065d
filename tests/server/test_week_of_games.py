"""Ten games of one game master through a week: no phase is processed early, twice or late, and what is due is seen."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from plenipo.server.broker import Broker
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.worker import Worker
from proofs import so_many
from server.clocks import ManualClock
from server.test_people_pages import Browser, hosted, link_in

MONDAY = datetime(2026, 11, 23, 8, tzinfo=UTC)
HOUR = timedelta(hours=1)
DUE = 20
"""The hour of the day at which movements are due."""

NAMES = ("Ben", "Cleo", "Dora")
POWERS = ("Burgundy", "England", "France")


class Week:
    """A game master, three players and ten games, and the clock by which a worker processes them."""

    def __init__(self, store: Store) -> None:
        self.clock = ManualClock(MONDAY)
        self.service = GameService(store, Broker(), self.clock)
        self.worker = Worker(self.service)
        self.master, self.stranger, *players = (Browser(self.service) for _ in range(5))
        self.players = dict(zip(POWERS, players, strict=True))
        self.taken: dict[tuple[str, str], Browser] = {}
        self.games = [self._begin(f"Board {number}") for number in range(so_many(10, 2))]

    def _begin(self, title: str) -> str:
        fields = {"you": "rule", "game": title, "variant": "hundred", "schedule": "Weekdays", "zone": "UTC"}
        game = hosted(self.master, "Anna", **fields)
        link = link_in(self.master.get(game).text)
        for (power, player), name in zip(self.players.items(), NAMES, strict=True):
            player.get(link)
            assert player.post(f"{game}/join", data={"name": name, "power": power}).status_code == 200
        return game

    def show(self, game: str) -> Mapping[str, Any]:
        """A game as the game master sees it."""
        shown: Mapping[str, Any] = self.master.get(f"/api{game}").json()
        return shown

    def number(self, game: str) -> int:
        """The number of the open phase of a game."""
        return int(self.show(game)["phase_number"])

    def order(self, game: str, without: str = "") -> None:
        """Let the players whom a game waits for accept that their units hold, all but one."""
        for power in POWERS:
            if power not in self.waited_for(game) or power == without:
                continue
            body = {"phase_number": self.number(game), "seat": power}
            player = self.taken.get((game, power), self.players[power])
            for method, what, more in (("PUT", "orders", {"orders": []}), ("POST", "ready", {"ready": True})):
                answer = player.request(method, f"/api{game}/{what}", json={**body, **more})
                assert answer.status_code == 200, answer.text

    def waited_for(self, game: str) -> list[str]:
        """The powers whose orders a game lacks."""
        return [power["name"] for power in self.show(game)["powers"] if power["status"] == "waiting"]

    def list_urgent(self) -> str:
        """The games in which Anna has something to do, as her page lists them."""
        words = " ".join(re.sub(r"<[^>]*>", " ", self.master.get("/hosting").text).split())
        return words.partition(" To do ")[2].partition(" Nothing to do ")[0]

    def read_log(self, game: str) -> str:
        """The game log, a line for each entry."""
        entries = self.master.get(f"/api{game}/journal").json()["entries"]
        return "\n".join(f"{entry['at']} {entry['sentence']}" for entry in entries)

    def order_all(self) -> None:
        """Let all players order in all games, every unit to hold."""
        for game in self.games:
            self.order(game)

    def act(self, game: str, what: str, **data: str) -> str:
        """Let the game master send a form of the GM tools, and return the page that follows."""
        answer = self.master.post(f"{game}/gm-tools/{what}", data={"phase_number": str(self.number(game)), **data})
        assert answer.status_code == 200, answer.text
        return answer.text

    def pass_hours(self, hours: int) -> dict[str, list[int]]:
        """Let a worker look every quarter, and return the hours since Monday 0:00 at which each game was processed."""
        processed: dict[str, list[int]] = {game: [] for game in self.games}
        numbers = {game: self.number(game) for game in self.games}
        for _ in range(4 * hours):
            self.clock.time += HOUR / 4
            if self.worker.look():
                now = {game: self.number(game) for game in self.games}
                for game in self.games:
                    passed = self.clock.time - MONDAY.replace(hour=0)
                    processed[game] += [passed // HOUR] * (now[game] - numbers[game])
                numbers = now
        return processed


@pytest.fixture
def week(store: Store) -> Iterator[Week]:
    made = Week(store)
    yield made
    for browser in (made.master, made.stranger, *made.players.values()):
        browser.close()


def test_a_game_master_runs_ten_games_through_a_week(week: Week) -> None:
    paused, late, asked, undone = week.games[:4]
    dora, ella = week.players["France"], week.stranger
    others = [game for game in week.games if game not in (paused, late)]

    # Monday: where all are ready a phase is over after a while; the rest are due on Tuesday, but one is paused
    week.act(paused, "time", act="pause")
    for game in week.games:
        week.order(game, without="France" if game == late else "")
    assert week.pass_hours(24) == {game: [8] if game in others else [] for game in week.games}

    # Tuesday: one player misses the first deadline of a game and asks a question in another
    week.act(paused, "time", act="resume")
    for game in others:
        week.order(game, without="France" if game == asked else "")
    seat = {"phase_number": 2, "seat": "France"}
    assert dora.put(f"/api{asked}/orders", json={**seat, "orders": ["A PAR - ORL"]}).status_code == 200
    question = {**seat, "order": "A PAR - ORL", "text": "Is that a land border?"}
    number = dora.post(f"/api{asked}/questions", json=question).json()["number"]
    todo = week.list_urgent()
    assert todo.startswith("Board 2 Hundred Fall 1425 movement · due 24 November, 20:00 UTC")
    assert "1 question to answer" in todo
    assert "Board 1" not in todo
    assert week.master.post(f"/api{asked}/questions/{number}/answer", json={"text": "It is."}).status_code == 200
    processed = week.pass_hours(24)
    usual = [game for game in others if game != asked]
    assert processed == {paused: [32], late: [], asked: [44, 56], **{game: [32, 44] for game in usual}}
    todo = week.list_urgent()
    assert todo.startswith("Board 1 Hundred Spring 1425 movement · due 24 November, 20:00 UTC · waiting for France")
    assert todo.endswith("The deadline has passed")
    assert "France missed the deadline; the game waits for them." in week.read_log(late)

    # Wednesday: another player takes that seat, and two phases of a game are undone
    week.act(late, "seat", power="France", act="remove")
    assert "Vacant: France" in week.list_urgent()
    offer = re.search(r'value="http://testserver(/.*?/sit/.*?)"', week.act(late, "seat", power="France", act="offer"))
    assert offer
    ella.get(offer[1])
    assert ella.post(f"{late}/join", data={"name": "Ella"}).status_code == 200
    week.taken[late, "France"] = ella
    week.act(undone, "back", turn="1", reason="Ben sent the orders of another game.")
    assert "back to Fall 1425 movement; 2 turns undone" in week.read_log(undone)
    assert "Ella plays France from now on." in week.read_log(late)
    assert not week.list_urgent()
    week.order_all()
    assert week.pass_hours(24) == {game: [56] if game in (asked, *usual[1:]) else [56, 68] for game in week.games}

    # Thursday and Friday: all are ready in the morning; on the weekend nothing is due
    for day in (3, 4):
        week.order_all()
        assert week.pass_hours(24) == {game: [24 * day + 8] for game in week.games}
    assert not any(week.pass_hours(48).values())
    assert week.master.get("/hosting").text.count("30 November, 20:00 UTC") == len(week.games)
    assert not week.list_urgent()

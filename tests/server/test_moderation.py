"""Muting, blocking and reporting: they help the player who uses them, stay secret, and inform moderators."""

import re
from dataclasses import replace

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update

from plenipo.server.limits import RATES, Limits
from plenipo.server.service import GameService
from plenipo.server.store import Store, schema
from plenipo.server.store.counters import Counters
from plenipo.server.store.moderation import CHAIN, Moderation
from plenipo.server.store.values import entry_hash
from plenipo.server.web.app import create_app
from server.test_people_pages import hosted, link_in, mailed

MODERATOR = "mod@example.org"


class Door:
    """A server with a moderator, at which several people have browsers."""

    def __init__(self, service: GameService, store: Store) -> None:
        self.service, self.store = service, store
        self.app = create_app(service, moderators=[MODERATOR.upper()])

    def browser(self) -> TestClient:
        return TestClient(self.app, follow_redirects=True, raise_server_exceptions=False)

    def member(self, mail: str) -> TestClient:
        made = self.browser()
        made.post("/sign-in", data={"mail": mail})
        assert mail in made.post("/sign-in/code", data={"code": mailed(self.store, self.service)[0]}).text
        return made

    def game(self, host: TestClient, *others: TestClient, **more: str) -> str:
        """A game begun by a host, who plays England, with the others on the seats that come after it."""
        address = hosted(host, "Anna", variant="hundred", you="keep", **more)  # type: ignore[arg-type]  # it asks as a browser does
        link = link_in(host.get(address).text)
        for name, power, browser in zip(("Ben", "Cora"), ("England", "France"), others, strict=True):
            browser.get(link)
            assert browser.post(f"{address}/join", data={"name": name, "power": power}).status_code == 200
        host.post(f"{address}/start")
        return address


@pytest.fixture
def door(service: GameService, store: Store) -> Door:
    return Door(service, store)


def write(browser: TestClient, game: str, seat: str, to: str, text: str) -> None:
    body = {"seat": seat, "to": [to], "text": text}
    answer = browser.post(f"/api{game}/press", json=body)
    assert answer.status_code == 201, answer.text


def person_of(door: Door, game: str, seat: str) -> str:
    found = next(t.person for t in door.service.games.load(game.rpartition("/")[2]).tenures if t.power == seat)
    assert found
    return found


def test_messages_of_a_muted_player_are_folded_and_others_see_no_difference(door: Door) -> None:
    anna, ben, cora = door.browser(), door.browser(), door.member("cora@example.org")
    game = door.game(anna, ben, cora)
    thread = f"/api{game}/press/thread?seat=England&seat=France"

    def posts() -> int:
        with door.store.engine.connect() as connection:
            return len(connection.exec_driver_sql("SELECT 1 FROM posts WHERE kind = 'message'").all())

    assert cora.post(f"/api{game}/press/mute", json={"seat": "England", "muted": True}).status_code == 204
    write(ben, game, "England", "France", "You again.")
    assert posts() == 0
    (message,) = cora.get(thread).json()["messages"]
    assert (message["muted"], message["text"]) == (True, "You again.")
    assert cora.get(f"/api{game}/press").json()["threads"][0]["unread"] == 0
    assert not ben.get(thread).json()["messages"][0]["muted"]
    muted = [browser.get(f"/api{game}/press").text for browser in (anna, ben)]
    page = cora.get(f"{game}/talk?seat=England&seat=France").text
    assert "Unmute" in page
    assert cora.post(f"{game}/talk/mute", data={"seat": "England", "act": "unmute"}).status_code == 200
    assert [browser.get(f"/api{game}/press").text for browser in (anna, ben)] == muted
    assert cora.get(f"/api{game}/press").json()["threads"][0]["unread"] == 1
    write(ben, game, "England", "France", "And again.")
    assert posts() == 1
    for seat in ("France", "Narnia"):
        assert cora.post(f"/api{game}/press/mute", json={"seat": seat, "muted": True}).status_code == 422


def test_a_blocked_player_joins_no_game_of_the_host_who_blocked(door: Door) -> None:
    anna, ben, cora = door.browser(), door.browser(), door.browser()
    game = door.game(anna, ben, cora)
    ben_id = person_of(door, game, "England")
    assert "Unblock" in anna.post(f"/people/{ben_id}/block", data={"act": "block"}).text
    assert "Blocked players" in anna.get("/me").text
    second = hosted(anna, "Anna", listed="listed")  # type: ignore[arg-type]
    ben.get(link_in(anna.get(second).text))
    for answer in (
        ben.post(f"{second}/join", data={"name": "Ben"}),
        ben.post(f"/api{second}/join", json={"name": "Ben"}),
    ):
        assert (answer.status_code, "has blocked you" in answer.text) == (422, True)
    assert cora.post(f"{second}/join", data={"name": "Cora"}).status_code == 200
    assert anna.put(f"/api/me/blocks/{ben_id}", json={"blocked": False}).json() == {"blocked": []}
    assert ben.post(f"{second}/join", data={"name": "Ben"}).status_code == 200
    assert door.browser().get("/api/me/blocks").status_code == 401


def test_a_report_shows_moderators_the_messages_of_that_thread_and_nothing_else(door: Door) -> None:
    anna, ben, cora, mod = door.browser(), door.browser(), door.browser(), door.member(MODERATOR)
    game = door.game(anna, ben, cora)
    for number in range(22):
        write(ben, game, "England", "France", f"Rude words {number}.")
    write(ben, game, "England", "everyone", "Kind words.")
    where = {"thread": ["England", "France"], "seat": "England"}
    told = cora.post(f"/api{game}/press/report", json={**where, "sentence": "He is rude."})
    assert told.status_code == 204, told.text
    (report,) = mod.get("/api/moderation").json()["reports"]
    assert (report["about"], report["sentence"]) == ("Ben", "He is rude.")
    assert [message["text"] for message in report["messages"]] == [f"Rude words {number}." for number in range(2, 22)]
    page = mod.get("/moderation").text
    assert ("Rude words 21" in page, "Kind words" in page, game in page) == (True, False, False)
    for browser in (anna, ben, cora):
        assert browser.get("/moderation").status_code == browser.get("/api/moderation").status_code == 403
        assert browser.post("/moderation", data={"number": "1", "act": "close", "reason": "No."}).status_code == 403
        assert "rude" not in browser.get("/me").text
    for wrong in (
        {"sentence": " "},
        {"seat": "France", "sentence": "Me."},
        {"thread": ["England", "Burgundy"], "sentence": "?"},
    ):
        assert cora.post(f"/api{game}/press/report", json={**where, **wrong}).status_code == 422
    assert anna.post(f"/api{game}/press/report", json={**where, "sentence": "I keep it."}).status_code == 422


def test_a_game_that_cannot_be_opened_keeps_no_report_from_moderators_and_no_name_is_shown(door: Door) -> None:
    hosts = [door.browser() for _ in range(2)]
    ben, cora, mod = door.browser(), door.browser(), door.member(MODERATOR)
    games = [door.game(host, ben, cora) for host in hosts]
    for game in games:
        write(ben, game, "England", "France", "Rude words.")
        where = {"thread": ["England", "France"], "seat": "England"}
        assert cora.post(f"/api{game}/press/report", json={**where, "sentence": "Rude."}).status_code == 204
    broken = games[0].rpartition("/")[2]
    with door.store.engine.begin() as connection:
        connection.execute(update(schema.games).where(schema.games.c.id == broken).values(variant="removed-variant"))
    door.service.games.forget(broken)
    reports = mod.get("/api/moderation").json()["reports"]
    assert sorted(report["about"] for report in reports) == ["Ben", "a player"]
    assert mod.get("/moderation").status_code == 200


def test_reports_are_limited_by_network_as_well_as_by_person(door: Door) -> None:
    anna, ben, cora, dora = (door.browser() for _ in range(4))
    game = door.game(anna, ben, cora)
    write(ben, game, "England", "France", "Rude words.")
    reported = person_of(door, game, "England")
    rates = {**RATES, "reports": replace(RATES["reports"], network=3)}
    services = door.app.state.services
    services.accounts.limits = Limits(door.store.of(Counters), door.service.clock, rates)
    form = {"thread": ["England", "France"], "seat": "England", "sentence": "Rude."}
    statuses = [
        cora.post(f"/api{game}/press/report", json=form).status_code,
        cora.post(f"{game}/talk/report", data=form).status_code,
    ]
    dora.cookies.set("session", services.accounts.guest("Dora").token)
    statuses += [
        dora.post(f"/api/people/{reported}/report", json={"sentence": "Rude."}).status_code,
        dora.post(f"/people/{reported}/report", data={"sentence": "Rude."}).status_code,
        cora.post(f"/api{game}/press/report", json=form).status_code,
    ]
    assert statuses == [204, 200, 204, 429, 429]


def test_moderators_strike_a_name_end_a_listing_and_close_an_account_each_in_a_chained_journal(door: Door) -> None:
    anna, ben, cora, mod = door.browser(), door.member("ben@example.org"), door.browser(), door.member(MODERATOR)
    game = door.game(anna, ben, cora, listed="listed", ready_check="")
    anna.post(f"{game}/start")
    for browser in (ben, cora):
        browser.post(f"{game}/here")
    write(ben, game, "England", "France", "Rude words.")
    ben_id = person_of(door, game, "England")
    where = {"thread": ["England", "France"], "seat": "England", "sentence": "He is rude."}
    for _ in range(2):
        assert cora.post(f"/api{game}/press/report", json=where).status_code == 204
    for _ in range(2):
        assert cora.post(f"/people/{ben_id}/report", data={"sentence": "What a name."}).status_code == 200
    why = {"reason": "It was too much."}
    assert mod.post("/api/moderation/4", json={"act": "unlist", **why}).status_code == 422
    mod.post("/api/moderation/4", json={"act": "dismiss", **why})
    mod.post("/api/moderation/3", json={"act": "strike", **why})
    assert "Ben" not in cora.get(f"/api{game}").text + cora.get(f"/people/{ben_id}").text
    assert door.service.games.load(game.rpartition("/")[2]).settings.listed == "listed"
    mod.post("/api/moderation/2", json={"act": "unlist", **why})
    assert door.service.games.load(game.rpartition("/")[2]).settings.listed == "link"
    assert "journal-list" in mod.post("/moderation", data={"number": "1", "act": "close", **why}).text
    assert mod.post("/api/moderation/1", json={"act": "close", **why}).status_code == 422
    assert ben.get("/api/me").status_code == 401
    assert "England" in cora.get(f"/api{game}").json()["time"]["vacant"]
    ben.post("/sign-in", data={"mail": "ben@example.org"})
    refused = ben.post("/sign-in/code", data={"code": mailed(door.store, door.service)[0]})
    assert (refused.status_code, "closed the account" in refused.text) == (422, True)
    before = CHAIN
    deeds = door.store.of(Moderation).deeds()[::-1]
    for number, deed in zip((4, 3, 2, 1), deeds, strict=True):
        row = {"number": deed.number, "at": deed.at, "phase_number": number, "kind": deed.kind, "text": deed.text}
        assert deed.hash == (before := entry_hash(before, row))
    assert [deed.kind for deed in deeds] == ["dismiss", "strike", "unlist", "close"]
    assert not re.search("Ben|ben@", " ".join(deed.text for deed in deeds))


def test_a_moderator_handles_no_report_of_the_own_games_or_about_another_moderator(door: Door) -> None:
    anna, mod, cora = door.browser(), door.member(MODERATOR), door.browser()
    game = door.game(anna, mod, cora)
    write(cora, game, "France", "England", "Rude words.")
    body = {"thread": ["England", "France"], "seat": "France", "sentence": "She is rude."}
    assert mod.post(f"/api{game}/press/report", json=body).status_code == 204
    (report,) = mod.get("/api/moderation").json()["reports"]
    assert (report["barred"], report["messages"]) == (True, [])
    assert mod.post("/api/moderation/1", json={"act": "dismiss", "reason": "No."}).status_code == 422


def test_players_blocked_by_a_guest_stay_blocked_after_the_sign_in(door: Door) -> None:
    anna, ben, cora = door.browser(), door.browser(), door.browser()
    game = door.game(anna, ben, cora)
    ben_id = person_of(door, game, "England")
    door.member("anna@example.org")
    anna.put(f"/api/me/blocks/{ben_id}", json={"blocked": True})
    anna.post("/sign-in", data={"mail": "anna@example.org"})
    anna.post("/sign-in/code", data={"code": mailed(door.store, door.service)[0]})
    assert [one["name"] for one in anna.get("/api/me/blocks").json()["blocked"]] == ["Ben"]
    assert anna.get("/me/data").json()["blocks"] == [ben_id]

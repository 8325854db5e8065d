"""Rematches: one lobby for all requests, with the same settings and a link for each player."""

import re

import pytest
from fastapi.testclient import TestClient

from plenipo.engine.position import Power
from plenipo.library import load
from plenipo.server import uploads
from plenipo.server.errors import NoKey, NotOver
from plenipo.server.hosting.settings import settings_of
from plenipo.server.new_games import NewGameRequest
from plenipo.server.rematch import again
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.web.app import create_app
from server.test_notifications import Table


@pytest.fixture
def table(store: Store) -> Table:
    """A game that its three people have abandoned."""
    made = Table(store, settings_of({"computer": "careless", "scoring": "Carnage"}))
    with pytest.raises(NotOver):
        again(made.service, made.game.id, made.who("France"))
    for power in ("France", "Italy", "Turkey"):
        if made.service.voting.poll(made.game.id, made.who("France")).table.over:
            break
        made.service.voting.move(made.game.id, made.who(power), "abandon")
    made.sent()
    return made


def test_all_meet_in_one_lobby_with_the_same_settings_and_are_asked_in_once(table: Table) -> None:
    first = again(table.service, table.game.id, table.who("France"))
    hosted = table.service.games.load(first.id)
    before = table.service.games.load(table.game.id)
    assert hosted.forming
    assert (hosted.name, hosted.settings, hosted.rules.variant) == ("Quai", before.settings, "standard")
    assert hosted.press_table.policy == before.press_table.policy
    mails = table.sent()
    assert sorted(str(mail["To"]) for mail in mails) == ["ben@example.org", "cleo@example.org"]
    link = re.search(rf"https://plenipo.example/games/{first.id}/sit/(\S+)", mails[0].get_content())
    assert link is not None
    assert table.service.credentials(first.id, [link[1]]).invited
    second = again(table.service, table.game.id, table.who("Italy"))
    assert second.id == first.id
    assert table.service.credentials(first.id, second.tokens).invited
    assert not table.service.credentials(first.id, second.tokens).all_seats
    assert table.sent() == []


def test_only_players_open_a_rematch(table: Table) -> None:
    with pytest.raises(NoKey):
        again(table.service, table.game.id, table.service.credentials(table.game.id, []))
    with TestClient(create_app(table.service, loops="none"), follow_redirects=False) as client:
        assert client.post(f"/games/{table.game.id}/again").status_code == 401
        client.get(f"/games/{table.game.id}/sit/{table.game.all_seats}")
        answer = client.post(f"/games/{table.game.id}/again")
        assert answer.status_code == 303
        assert client.get(answer.headers["location"]).status_code == 200


def test_a_game_on_one_screen_begins_again_with_the_same_computer_players(store: Store) -> None:
    with TestClient(create_app(GameService(store), loops="none"), follow_redirects=False) as client:
        computers = {"England": "careless", "Italy": "careless"}
        opened = client.post("/api/games", json={"variant": "standard", "computers": computers, "name": "Sofa"}).json()
        early = client.post(f"/games/{opened['id']}/again")
        assert early.status_code == 409
        client.post(f"/api/games/{opened['id']}/draw", json={"phase_number": 1})
        places = [client.post(f"/games/{opened['id']}/again").headers["location"] for _ in range(2)]
        assert places[0] != places[1], "a game of its own each time"
        view = client.get(f"/api{places[0]}").json()
    assert (view["name"], view["turn"], view["over"], view["time"]) == ("Sofa", 0, False, None)
    assert {seat["name"]: seat["computer"] for seat in view["powers"] if seat["computer"]} == computers
    assert view["viewer"]["all_seats"], "the browser has the key of the new game"


def test_a_game_that_began_at_an_edited_position_begins_there_again(store: Store) -> None:
    service, rules = GameService(store), load("standard")
    units: dict[str, list[str]] = {**{power: [] for power in rules.names}, "France": ["A MUN"]}
    edited = uploads.edit_position(rules.opening, rules, {"units": units})
    game = service.open(NewGameRequest("standard", {}, position=uploads.pack_position(edited)))
    host = service.credentials(game.id, [game.all_seats])
    service.phases.draw(game.id, host, 1)
    assert service.games.load(again(service, game.id, host).id).game.position == edited


def test_players_with_keys_of_their_own_meet_in_a_lobby_also_without_deadlines(store: Store) -> None:
    service = GameService(store)
    game = service.open(NewGameRequest("standard", {}, seating="links"))
    host = service.credentials(game.id, [game.all_seats])
    service.phases.draw(game.id, host, 1)
    france, italy = (service.credentials(game.id, [game.seats[Power(name)]]) for name in ("France", "Italy"))
    first, second = again(service, game.id, france), again(service, game.id, italy)
    assert first.id == second.id
    assert service.games.load(first.id).forming

"""The leaderboards: people by the lower bound of their rating, by press, variant and pace."""

from datetime import UTC, datetime

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import insert

from plenipo.server.new_games import NewGameRequest
from plenipo.server.ratings import PersonRating, rank_people
from plenipo.server.service import GameService
from plenipo.server.store import schema
from plenipo.server.store.persons import StoredPerson
from server.test_moderation import Door

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.fixture
def door(service: GameService) -> Door:
    return Door(service, service.store)


def add_people(door: Door, *names: str) -> list[str]:
    """People with accounts, by name."""
    people = [StoredPerson(f"id-{name}", name, NOON) for name in names]
    with door.store.engine.begin() as connection:
        for one in people:
            row = {"id": one.id, "name": one.name, "created": one.created}
            connection.execute(insert(schema.persons).values(**row))
    return [one.id for one in people]


def add_games(door: Door, count: int, scores: dict[str, float], *, press: bool = True, pace: str = "daily") -> None:
    """Finished games of these people with these scores."""
    for _ in range(count):
        game = door.service.open(NewGameRequest("hundred", {})).id
        with door.store.engine.begin() as connection:
            for number, (person, score) in enumerate(scores.items(), 1):
                tenure = {"game": game, "number": number, "name": "x", "kind": "player", "power": "England"}
                more = {"preferences": [], "person": person, "since": 1, "until": None}
                connection.execute(insert(schema.tenures).values(**tenure, **more))
                result = {"game": game, "tenure": number, "power": "England", "score": score, "came": "player"}
                values = {**result, "press": press, "pace": pace, "ended": NOON}
                connection.execute(insert(schema.results).values(**values))


def ask(client: TestClient, query: str = "") -> list[str]:
    """The names of a leaderboard in their order."""
    return [one["name"] for one in client.get(f"/api/leaderboard{query}").json()["leaders"]]


def test_people_with_ten_games_are_ordered_and_others_are_left_out(door: Door) -> None:
    ann, bob, cid = add_people(door, "Ann", "Bob", "Cid")
    add_games(door, 10, {ann: 0.0, bob: 100.0})
    add_games(door, 9, {cid: 100.0, ann: 0.0}, press=False)
    client = door.browser()
    assert ask(client) == ["Bob", "Ann"]
    assert ask(client, "?press=no") == []
    assert ask(client, "?variant=hundred&pace=daily") == ["Bob", "Ann"]
    assert ask(client, "?variant=standard") == ask(client, "?pace=live") == []
    page = client.get("/leaderboard").text
    assert page.index("Bob") < page.index("Ann")
    assert f'href="/people/{bob}"' in page
    assert "No player has 10 such games yet." in client.get("/leaderboard?press=no").text


def test_a_deleted_account_is_not_listed(door: Door) -> None:
    ann, bob = add_people(door, "Ann", "Bob")
    add_games(door, 10, {ann: 0.0, bob: 100.0})
    accounts = door.app.state.services.accounts
    accounts.delete(accounts.persons.find(bob))
    assert ask(door.browser()) == ["Ann"]


def test_an_uncertain_rating_stands_below_a_certain_one() -> None:
    known = {"new": PersonRating(30.0, 6.0, 10), "old": PersonRating(25.0, 1.0, 90), "few": PersonRating(40.0, 1.0, 9)}
    assert [person for person, _ in rank_people(known)] == ["old", "new"]


@pytest.mark.parametrize("query", ["pace=fast", "press=loud"])
def test_a_search_that_cannot_be_is_refused_with_what_there_is(door: Door, query: str) -> None:
    answer = door.browser().get(f"/api/leaderboard?{query}")
    assert answer.status_code == 422
    name, _, value = query.partition("=")
    assert answer.json()["error"]["message"].startswith(f"'{value}' is not a {name} to search for; choose ")

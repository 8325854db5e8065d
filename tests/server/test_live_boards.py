"""Games in progress on the first page: few, public ones alone, and as spectators see them."""

from datetime import timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

from plenipo.server.new_games import GameKeys
from plenipo.server.service import GameService
from server.clocks import ManualClock
from server.test_matchmaking import begun, clock, listed, stranger

__all__ = ["clock", "stranger"]


def boards(client: TestClient) -> list[dict[str, Any]]:
    answer = client.get("/api/live")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["boards"]
    return found


def public(service: GameService, **settings: str) -> GameKeys:
    """A game in progress that all may watch."""
    return begun(service, **{"spectators": "public", **settings})[0]


def process(service: GameService, game: GameKeys) -> None:
    credentials = service.credentials(game.id, [game.all_seats])
    service.phases.process(game.id, credentials, service.games.load(game.id).phase_number)


def test_a_listed_game_in_progress_is_shown_with_its_phase_and_picture(
    service: GameService, stranger: TestClient
) -> None:
    game = public(service)
    (board,) = boards(stranger)
    assert board["id"] == game.id
    assert board["phase"]["text"] == "Spring 1901 movement"
    picture = stranger.get(board["picture"])
    assert picture.status_code == 200
    assert "<svg" in picture.text
    page = stranger.get("/").text
    assert "Games in progress" in page
    assert f'data-live="{game.id}"' in page
    assert "Frühjahr 1901" in stranger.get("/", headers={"cookie": "language=de"}).text


@pytest.mark.parametrize(
    "settings", [{"listed": "link"}, {"listed": "members"}, {"spectators": "link"}, {"spectators": "nobody"}], ids=str
)
def test_a_game_that_is_not_public_is_not_shown(
    service: GameService, stranger: TestClient, settings: dict[str, str]
) -> None:
    public(service, **settings)
    assert boards(stranger) == []
    assert "Games in progress" not in stranger.get("/").text


def test_a_game_that_forms_is_not_shown(service: GameService, stranger: TestClient) -> None:
    listed(service)
    assert boards(stranger) == []


def test_at_most_three_are_shown_and_those_with_a_turn_first(
    service: GameService, stranger: TestClient, clock: ManualClock
) -> None:
    games = []
    for _ in range(4):
        games.append(public(service))
        clock.time += timedelta(minutes=1)
    process(service, games[0])
    shown = [board["id"] for board in boards(stranger)]
    assert shown == [games[0].id, games[3].id, games[2].id]


def test_the_list_is_made_once_in_ten_seconds_for_any_number_of_readers(
    service: GameService, stranger: TestClient, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = public(service)
    calls = []
    find = service.matchmaking.list_watchable_games

    def count(person: str | None) -> Any:
        calls.append(person)
        return find(person)

    monkeypatch.setattr(service.matchmaking, "list_watchable_games", count)
    for _ in range(5):
        before = boards(stranger)
    assert len(calls) == 1
    process(service, game)
    clock.time += timedelta(seconds=11)
    (after,) = boards(stranger)
    assert after["turn"] == before[0]["turn"] + 1
    assert after["picture"] != before[0]["picture"]
    assert len(calls) == 2


def test_what_spectators_see_late_is_shown_late(service: GameService, stranger: TestClient) -> None:
    game = public(service, delay="1 phase")
    process(service, game)
    (board,) = boards(stranger)
    assert board["turn"] == 0
    assert board["phase"]["text"] == "Spring 1901 movement"
    assert stranger.get(board["picture"]).status_code == 200

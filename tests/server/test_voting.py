"""Votes at a hosted game: draws, concessions, time, seats; what is decided is carried out and stands in the record."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

from plenipo.engine.history.view import View
from plenipo.server.errors import Over
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.hosting.settings import settings_of
from plenipo.server.new_games import NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.submissions import Edit
from plenipo.server.web.votes import VotesAnswer
from plenipo.server.worker import Worker
from server.clocks import ManualClock
from server.test_press import Game


def move(game: Game, power: str, kind: str, about: list[str] | None = None, status: int = 0) -> Any:
    return game.send("votes", game.keys[power], {"kind": kind, "about": about or []}, status)


def vote(game: Game, power: str, number: int, yes: bool | None) -> Any:  # noqa: FBT001
    body = {"yes": yes}
    answer = game.client.put(f"/api/games/{game.id}/votes/{number}", json=body, headers=game.headers(game.keys[power]))
    return answer.json()


@pytest.fixture
def game(client: TestClient, service: GameService) -> Game:
    return Game(client, service, people=0)


def test_all_agree_on_a_draw_and_the_game_ends_with_it_in_the_record(game: Game, service: GameService) -> None:
    first, *others = game.powers
    found = move(game, first, "draw")
    number = found["motions"][0]["number"]
    assert [(m["title"], m["yes"], m["of"], m["mine"], m["votes"]) for m in found["motions"]] == [
        ("A draw of all surviving powers", 1, 7, True, {})
    ]
    for power in others:
        assert not service.games.load(game.id).game.over
        found = vote(game, power, number, yes=True)
    assert found["motions"][0]["state"] == "passed"
    hosted = service.games.load(game.id)
    assert set(hosted.game.drawn) == set(game.powers)
    record = game.client.get(f"/api/games/{game.id}/record").json()
    assert sorted(record["drawn"]) == sorted(game.powers)
    assert service.journal(game.id)[-1].text == "By vote: A draw of all surviving powers; 7 for it, 0 against."


def test_a_vacant_seat_neither_blocks_nor_shares(game: Game, service: GameService) -> None:
    *voting, last = game.powers
    for power in voting:
        move(game, power, "draw")
    assert not service.games.load(game.id).game.over
    game.seat("remove", last)
    assert set(service.games.load(game.id).game.drawn) == set(voting)


def test_a_vote_ends_with_the_tenure_of_its_player(game: Game, service: GameService) -> None:
    first, second, *others = game.powers
    number = move(game, first, "draw")["motions"][0]["number"]
    for power in others:
        move(game, power, "draw")
    offer = game.seat("offer", first)
    game.keys["new"] = game.accept(offer, "Fritz")
    vote(game, second, number, yes=True)
    assert not service.games.load(game.id).game.over  # the new one has not voted
    found = game.client.get(f"/api/games/{game.id}/votes", headers=game.headers(game.keys["new"])).json()
    assert found["motions"][0]["mine"] is None
    vote(game, "new", number, yes=True)
    assert service.games.load(game.id).game.over


def test_no_other_player_learns_of_a_secret_vote_before_it_passes(client: TestClient, service: GameService) -> None:
    settings = {"votes": {"draw": {"secrecy": "secret", "standing": True}}}
    game = Game(client, service, settings=settings, people=0)
    first, second, *others = game.powers
    asked = [
        f"/api/games/{game.id}",
        f"/api/games/{game.id}/votes",
        f"/games/{game.id}",
        f"/api/games/{game.id}/journal",
    ]

    def seen() -> list[bytes]:
        return [
            client.get(path, headers=game.headers(key)).content for path in asked for key in (game.keys[second], "")
        ]

    before = seen()
    move(game, first, "draw")
    assert seen() == before
    for power in others:
        move(game, power, "draw")
    assert seen() == before
    move(game, second, "draw")
    assert service.games.load(game.id).game.over
    assert service.journal(game.id)[-1].text == "By vote: A draw of all surviving powers."


def test_what_may_not_be_moved_is_refused(game: Game) -> None:
    first, second = game.powers[:2]
    for kind, about in (("draw", [first]), ("concede", [second]), ("resume", []), ("back", []), ("replace", [])):
        refused = move(game, first, kind, about, 422)["error"]
        assert refused["code"] == "motion"
        assert refused["message"].endswith(".")
    answer = game.client.post(f"/api/games/{game.id}/votes", json={"kind": "draw"})
    assert answer.status_code == 401
    assert vote(game, first, 9, yes=True)["error"]["message"] == "There is no such open motion."


@pytest.mark.parametrize(
    ("within", "title", "longer"),
    [
        ("10m", "Extend the phase by 10 minutes", timedelta(minutes=10)),
        ("1h", "Extend the phase by 10 minutes", timedelta(minutes=10)),
        ("2h", "Extend the phase by a day", timedelta(days=1)),
    ],
)
def test_an_extension_by_vote_suits_the_pace_of_the_game(
    service: GameService, within: str, title: str, longer: timedelta
) -> None:
    schedule = schedule_of({"movement": {"within": within}})
    game = service.open(NewGameRequest("standard", {}, lobby=True, schedule=schedule))
    invited = service.credentials(game.id, [game.invitation])
    token = service.lobby.join(game.id, invited, "Anna", "France")
    service.lobby.start(game.id, service.credentials(game.id, [game.all_seats]))
    anna = service.credentials(game.id, [token])
    assert title in [one.title for one in VotesAnswer.of(service.voting.poll(game.id, anna)).may]
    due = service.games.load(game.id).press_table.due
    assert due is not None
    service.voting.move(game.id, anna, "extend")
    assert service.games.load(game.id).press_table.due == due + longer
    assert service.journal(game.id)[-1].text == f"By vote: {title}; 1 for it, 0 against."


def test_time_is_paused_by_the_majority_and_motions_are_counted_at_their_time(store: Store) -> None:
    clock = ManualClock(datetime(2026, 11, 23, 12, tzinfo=UTC))
    service = GameService(store, clock=clock)
    schedule = schedule_of("Every day", "UTC")
    game = service.open(NewGameRequest("standard", {}, lobby=True, schedule=schedule, settings=settings_of({})))
    invited = service.credentials(game.id, [game.invitation])
    names = ("Anna", "Ben", "Cleo", "Dora", "Emil")
    powers = ("France", "Italy", "Russia", "Turkey", "Austria")
    people = [service.lobby.join(game.id, invited, name, power) for name, power in zip(names, powers, strict=True)]
    service.lobby.start(game.id, service.credentials(game.id, [game.all_seats]))
    anna, ben, cleo, *_ = (service.credentials(game.id, [token]) for token in people)
    service.voting.move(game.id, anna, "extend")
    (motion,) = service.voting.poll(game.id, ben).motions
    service.voting.vote(game.id, ben, motion.number, yes=True)
    service.voting.vote(game.id, cleo, motion.number, yes=False)
    due = service.games.load(game.id).press_table.due
    until = service.voting.poll(game.id, anna).motions[0].until
    assert due is not None
    assert until is not None
    clock.time = until - timedelta(seconds=1)
    Worker(service).look()
    assert service.games.load(game.id).press_table.due == due
    clock.time = until
    Worker(service).look()
    assert service.games.load(game.id).press_table.due == due + timedelta(days=1)
    assert service.voting.poll(game.id, anna).motions[0].state == "passed"
    for who in (anna, ben, cleo):
        service.voting.move(game.id, who, "abandon")
    service.voting.move(game.id, service.credentials(game.id, [people[3]]), "abandon")
    with pytest.raises(Over, match="abandoned"):
        service.orders.submit(game.id, anna, "France", 1, Edit(("A PAR H",)))


def test_a_game_goes_back_a_turn_by_vote_and_the_record_says_so(game: Game, service: GameService) -> None:
    game.send("process", game.all, {"phase_number": 1})
    for power in game.powers:
        move(game, power, "back")
    hosted = service.games.load(game.id)
    assert (hosted.turn, hosted.phase_number) == (0, 3)
    assert "back to Spring 1901" in " ".join(entry.text for entry in service.journal(game.id))


def test_computers_vote_when_all_people_agree(
    client: TestClient, service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, tuple[str, ...]]] = []

    def agrees(_seen: object, power: str, shared: tuple[str, ...]) -> bool:
        asked.append((power, shared))
        return True

    monkeypatch.setattr("plenipo.server.voting.computers_votes.agrees", agrees)
    game = Game(client, service)
    *some, last = game.powers
    for power in some:
        move(game, power, "draw")
    assert asked == []
    move(game, last, "draw")
    assert {power for power, _ in asked} == {"Italy", "Russia", "Turkey"}
    assert len(service.games.load(game.id).game.drawn) == 7


def test_motions_that_are_open_when_the_game_ends_fail_and_no_computer_is_asked(
    client: TestClient, service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []

    def agrees(view: View, _power: str, _shared: tuple[str, ...]) -> bool:
        seen.append(bool(view.drawn))
        return False

    monkeypatch.setattr("plenipo.server.voting.computers_votes.agrees", agrees)
    game = Game(client, service)
    for power in game.powers:
        move(game, power, "draw")
    service.phases.draw(game.id, Credentials((), all_seats=True), 1)
    service.voting.settle(game.id)
    found = game.client.get(f"/api/games/{game.id}/votes", headers=game.headers(game.keys[game.powers[0]])).json()
    assert [motion["state"] for motion in found["motions"]] == ["failed"]
    assert seen
    assert not any(seen)


def test_what_an_end_is_worth_is_printed_with_its_sum(client: TestClient, service: GameService) -> None:
    game = Game(client, service, settings={"scoring": "Sum of squares"}, people=0)
    address = f"/api/games/{game.id}/result"
    assert client.get(address).json()["error"]["code"] == "not_over"
    for power in game.powers:
        move(game, power, "draw")
    found = client.get(address).json()
    assert found["system"] == "Sum of squares"
    assert found["seats"][0] == {
        "power": "Russia",
        "names": ["Player b X"],
        "count": 4,
        "points": "22.86",
        "sum": "100 * 4² / 70 = 22.86",
    }
    assert sum(float(seat["points"]) for seat in found["seats"]) == pytest.approx(100, abs=0.05)


def end(game: Game) -> None:
    game.send("draw", game.all, {"phase_number": 1})


def test_private_messages_are_opened_to_the_players_when_all_of_them_agree_after_the_game(
    client: TestClient, service: GameService
) -> None:
    game = Game(client, service)  # Austria, England, France and Germany are people
    game.write("England", ["France"], "Mordor at noon")
    move(game, "Austria", "reveal", status=422)
    end(game)
    found = move(game, "Austria", "reveal")
    number = found["motions"][0]["number"]
    assert [one["kind"] for one in found["may"]] == ["reveal"]
    assert (found["motions"][0]["title"], found["motions"][0]["of"]) == ("Open the private messages", 4)
    for power in ("England", "France"):
        vote(game, power, number, yes=True)
        assert game.texts(game.keys["Austria"]) == []
    assert vote(game, "Germany", number, yes=True)["motions"][0]["state"] == "passed"
    assert game.texts(game.keys["Austria"]) == game.texts(game.keys["Germany"]) == ["Mordor at noon"]
    assert game.texts("") == game.texts(game.all) == [], "neither spectators nor the host read them"
    assert "All players agreed" in game.get("", game.keys["Austria"])["words"][-1]
    assert service.journal(game.id)[-1].text == "By vote: Open the private messages; 4 for it, 0 against."


def test_one_player_who_does_not_agree_keeps_all_messages_private(client: TestClient, service: GameService) -> None:
    game = Game(client, service)
    game.write("England", ["France"], "Mordor at noon")
    end(game)
    number = move(game, "Austria", "reveal")["motions"][0]["number"]
    for power, yes in (("England", True), ("France", True), ("Germany", False)):
        vote(game, power, number, yes=yes)
    assert game.texts(game.keys["Austria"]) == []


def test_messages_of_a_player_who_left_and_was_not_asked_stay_private(client: TestClient, service: GameService) -> None:
    game = Game(client, service)
    game.write("England", ["France"], "Written by the first England")
    game.keys["England"] = game.accept(game.seat("offer", "England", game.keys["England"]), "Fritz")
    game.write("England", ["France"], "Written by the second England")
    end(game)
    number = move(game, "Austria", "reveal")["motions"][0]["number"]
    for power in ("England", "France", "Germany"):
        vote(game, power, number, yes=True)
    assert game.texts(game.keys["Austria"]) == ["Written by the second England"]


@pytest.mark.parametrize("press", [{"preset": "Full press", "opened": "all"}, "No press", "Public press"], ids=str)
def test_where_nothing_is_private_after_the_game_nothing_is_voted_on(
    client: TestClient, service: GameService, press: Any
) -> None:
    game = Game(client, service, settings={"press": press})
    end(game)
    move(game, "Austria", "reveal", status=422)

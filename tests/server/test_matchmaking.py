"""Finding a game: which seats strangers see, taking one, and being told when there is one."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update
from sqlalchemy.exc import OperationalError

from plenipo.server.errors import NoKey, SeatRefused
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.hosting.settings import settings_of
from plenipo.server.new_games import GameKeys, NewGameRequest
from plenipo.server.people.accounts import Accounts
from plenipo.server.service import GameService
from plenipo.server.store import Store, schema
from plenipo.server.store.matchmaking import MatchmakingStore
from plenipo.server.store.persons import Persons, SignInMethod
from plenipo.server.submissions import Edit
from plenipo.server.web.app import create_app
from server.clocks import ManualClock

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
"""A Monday."""


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOON)


@pytest.fixture
def stranger(service: GameService) -> TestClient:
    return TestClient(create_app(service), raise_server_exceptions=False)


def listed(service: GameService, time: str = "Weekdays", variant: str = "standard", **settings: Any) -> GameKeys:
    """A game that strangers find."""
    chosen = settings_of({"listed": "listed", "computer": "careless", "ready_check": False, **settings})
    return service.open(NewGameRequest(variant, {}, lobby=True, schedule=schedule_of(time), settings=chosen))


def begun(service: GameService, **settings: Any) -> tuple[GameKeys, Credentials]:
    """A listed game that Anna plays as Turkey, and what she holds."""
    game = listed(service, **settings)
    anna = service.lobby.join(game.id, Credentials(all_seats=True), "Anna", "Turkey")
    service.lobby.start(game.id, service.credentials(game.id, [game.all_seats]))
    return game, service.credentials(game.id, [anna])


def found(client: TestClient, **filters: str) -> list[dict[str, Any]]:
    answer = client.get("/api/find", params=filters)
    assert answer.status_code == 200, answer.text
    seats: list[dict[str, Any]] = answer.json()["seats"]
    return seats


def spoil(service: GameService, game: str) -> None:
    """Let a game be of a variant that has been removed from the machine."""
    with service.store.engine.begin() as connection:
        connection.execute(update(schema.games).where(schema.games.c.id == game).values(variant="removed-variant"))
    service.games.forget(game)


def member(service: GameService, mail: str) -> str:
    """A person with an address."""
    person = service.store.of(Persons)
    signed = Accounts(person, service.clock).guest("Mona")
    person.add_way(SignInMethod("mail", mail, signed.person.id, service.clock.now()))
    return signed.person.id


def test_a_listed_game_is_found_publicly_and_an_unlisted_one_never(service: GameService, stranger: TestClient) -> None:
    game = listed(service, language="Deutsch")
    listed(service, listed="link")
    (seat,) = found(stranger)
    assert (seat["game"], seat["missing"], seat["power"], seat["pace"]) == (game.id, 7, "", "daily")
    assert seat["hours"] == "Mondays to Fridays at 20:00, UTC time"
    assert seat["language"] == "Deutsch"
    assert seat["missed"].startswith("If you miss a deadline, your units hold.")
    page = stranger.get("/find").text
    assert "7 more players needed" in page
    assert seat["missed"] in page


def test_a_stranger_joins_a_listed_game_and_no_unlisted_one(service: GameService, stranger: TestClient) -> None:
    game, closed = listed(service), listed(service, listed="link")
    assert "Join this game" in stranger.get(f"/games/{game.id}").text
    stranger.post(f"/games/{game.id}/join", data={"name": "Otto", "power": "France"})
    assert found(stranger)[0]["missing"] == 6
    assert "France" not in found(stranger)[0]["free"]
    assert "Join this game" not in stranger.get(f"/games/{closed.id}").text
    assert stranger.post(f"/games/{closed.id}/join", data={"name": "Otto"}).status_code == 401


def test_games_for_members_are_shown_only_to_registered_players(service: GameService, stranger: TestClient) -> None:
    game = listed(service, listed="members")
    assert found(stranger) == []
    mona = member(service, "mona@example.org")
    assert [seat.game for seat in service.matchmaking.open_seats(mona)] == [game.id]
    with pytest.raises(NoKey):
        service.lobby.join(game.id, Credentials(), "Otto")
    service.lobby.join(game.id, Credentials(person=mona), "Mona")


@pytest.mark.parametrize(
    ("filters", "which"),
    [
        ({}, "abc"),
        ({"pace": "live"}, "b"),
        ({"pace": "own pace"}, "c"),
        ({"language": "Deutsch"}, "ab"),
        ({"language": "English"}, "bc"),
        ({"press": "no"}, "c"),
        ({"press": "yes", "pace": "daily"}, "a"),
        ({"variant": "corner"}, "b"),
        ({"variant": "there is none"}, ""),
    ],
)
def test_filters_leave_what_is_looked_for(
    service: GameService, stranger: TestClient, filters: dict[str, str], which: str
) -> None:
    games = {
        listed(service, language="Deutsch").id: "a",
        listed(service, "Live", "corner").id: "b",
        listed(service, "Own pace", language="English", press="No press").id: "c",
    }
    assert "".join(sorted(games[seat["game"]] for seat in found(stranger, **filters))) == which
    if not which:
        assert "No open games match." in stranger.get("/find", params=filters).text


def test_a_filter_there_is_not_is_refused_in_a_sentence(stranger: TestClient) -> None:
    answer = stranger.get("/api/find", params={"pace": "swift"})
    assert answer.status_code == 422
    assert answer.json()["error"]["message"].startswith("'swift' is not a pace to search for; choose live, daily")
    assert stranger.get("/find", params={"language": "x" * 30}).status_code == 422


def test_a_vacant_seat_is_taken_over_from_the_list(service: GameService, stranger: TestClient) -> None:
    game, anna = begun(service)
    assert found(stranger) == []
    assert stranger.get(f"/games/{game.id}/take", params={"power": "Turkey"}).status_code == 401
    service.handover.act(game.id, anna, "Turkey", "resign")
    (seat,) = found(stranger)
    assert (seat["power"], seat["centres"], seat["missing"], seat["phase"]) == ("Turkey", 3, 0, "Spring 1901 movement")
    assert "Take over Turkey" in stranger.get("/find").text
    german = stranger.get("/find", headers={"accept-language": "de"}).text
    assert "Türkei übernehmen" in german
    assert "Frühjahr 1901" in german
    assert "Spring 1901" not in german
    page = stranger.get(seat["link"]).text
    assert seat["missed"] in page
    stranger.post(f"/games/{game.id}/take", data={"name": "Otto", "power": "Turkey"})
    assert found(stranger) == []
    view = stranger.get(f"/api/games/{game.id}").json()
    assert view["viewer"]["seats"] == ["Turkey"]
    second = TestClient(create_app(service), raise_server_exceptions=False)
    answer = second.post(f"/api/games/{game.id}/take", json={"name": "Late", "power": "Turkey"})
    assert answer.status_code == 401
    assert "Another player has taken this seat" in answer.json()["error"]["message"]


def test_a_seat_for_which_a_substitute_is_sought_is_listed_with_its_holder_still_on_it(
    service: GameService, stranger: TestClient
) -> None:
    game, anna = begun(service)
    service.handover.act(game.id, anna, "Turkey", "offer")
    assert [seat["power"] for seat in found(stranger)] == ["Turkey"]
    service.handover.act(game.id, anna, "Turkey", "withdraw")
    assert found(stranger) == []
    service.handover.act(game.id, anna, "Turkey", "offer")
    token = service.handover.take_over(game.id, Credentials(), "Turkey", "Otto")
    assert service.credentials(game.id, [token]).powers == ("Turkey",)


def test_no_player_takes_a_seat_of_an_unlisted_game_or_of_a_computer(service: GameService) -> None:
    game, anna = begun(service, listed="link")
    service.handover.act(game.id, anna, "Turkey", "resign")
    with pytest.raises(NoKey, match="not listed"):
        service.handover.take_over(game.id, Credentials(), "Turkey", "Otto")
    game, _ = begun(service)
    with pytest.raises(NoKey):
        service.handover.take_over(game.id, Credentials(), "France", "Otto")


def test_a_player_looking_for_a_seat_is_mailed_only_when_one_opens(service: GameService, clock: ManualClock) -> None:
    mona = member(service, "mona@example.org")
    service.store.of(MatchmakingStore).seek(mona, {"pace": "daily", "press": "yes"})
    listed(service, "Live")
    assert service.store.of(Persons).take_posts(clock.now()) == ()
    game, anna = begun(service)
    ((post, _),) = service.store.of(Persons).take_posts(clock.now())
    assert (post.to, post.kind) == ("mona@example.org", "open")
    assert "a seat can be taken" in post.body
    assert f"/games/{game.id}" in post.body
    service.handover.act(game.id, anna, "Turkey", "resign")
    clock.time += timedelta(days=1, hours=9)
    service.time.settle(game.id)
    told = [post for post, _ in service.store.of(Persons).take_posts(clock.now()) if post.kind == "open"]
    assert len(told) == 1  # the same game in the same phase is told of once
    service.store.of(MatchmakingStore).seek(mona, None)
    unseen = listed(service)
    later = service.store.of(Persons).take_posts(clock.now() + timedelta(hours=1))
    assert unseen.id not in {post.game for post, _ in later}


def test_notifications_need_a_sign_in_and_searches_are_deleted_with_the_account(
    service: GameService, stranger: TestClient
) -> None:
    assert stranger.post("/find/notifications", data={"pace": "live"}).status_code == 401
    listed(service)
    game = found(stranger)[0]["game"]
    stranger.post(f"/games/{game}/join", data={"name": "Otto"})
    assert stranger.post("/find/notifications", data={"pace": "swift"}).status_code == 422
    stranger.post("/find/notifications", data={"pace": "live"})
    assert "You are notified of open games. Filter: in one evening." in stranger.get("/find").text
    assert stranger.get("/me/data").json()["looks_for"]["pace"] == "live"
    stranger.post("/me/delete", data={"sure": "delete"})
    assert service.store.of(MatchmakingStore).sought() == {}


def test_a_player_who_has_seen_the_game_takes_no_other_seat_from_the_list(
    service: GameService, stranger: TestClient
) -> None:
    game = listed(service)
    stranger.post(f"/games/{game.id}/join", data={"name": "Otto", "power": "France"})
    anna = service.lobby.join(game.id, Credentials(), "Anna", "Turkey")
    service.lobby.start(game.id, service.credentials(game.id, [game.all_seats]))
    service.handover.act(game.id, service.credentials(game.id, [anna]), "Turkey", "resign")
    answer = stranger.post(f"/api/games/{game.id}/take", json={"name": "Otto", "power": "Turkey"})
    assert answer.status_code == SeatRefused.status
    assert "You have seen this game as France" in answer.json()["error"]["message"]


def test_the_list_and_the_page_of_a_person_say_nothing_of_orders_and_preferences(
    service: GameService, stranger: TestClient
) -> None:
    anna = Accounts(service.store.of(Persons), service.clock).guest("Anna").person.id
    game, forming = listed(service), listed(service, deal="preferences")
    service.lobby.join(game.id, Credentials(all_seats=True, person=anna), "Anna", "Turkey")
    service.lobby.start(game.id, service.credentials(game.id, [game.all_seats]))
    turkey = service.credentials(game.id, (), anna)
    service.handover.act(game.id, turkey, "Turkey", "offer")
    cleo = service.credentials(forming.id, [service.lobby.join(forming.id, Credentials(), "Cleo")])

    def shown() -> list[bytes]:
        pages = ("/find", "/api/find", f"/people/{anna}", f"/api/people/{anna}")
        return [stranger.get(page).content for page in pages]

    before = shown()
    service.orders.submit(game.id, turkey, "Turkey", 1, Edit(("A CON - BUL", "F ANK - BLA")))
    service.lobby.preference(forming.id, cleo, cleo.player or 0, ["Italy", "France"])
    assert shown() == before


def test_the_list_shows_the_requirements_for_joining_a_game(service: GameService, stranger: TestClient) -> None:
    listed(service, approval=True, reliable=9, newcomers=False, claimed=True)
    (seat,) = found(stranger)
    assert seat["asked"] == (
        "The host decides who joins. For players who have met at least 9 in 10 deadlines, have had ten "
        "deadlines here and can sign in again."
    )
    for page in ("/find", f"/games/{seat['game']}"):
        assert seat["asked"] in stranger.get(page).text
    listed(service)
    assert sorted(one["asked"] == "" for one in found(stranger)) == [False, True]


def test_a_player_looking_for_a_seat_is_notified_once_a_day_when_a_full_lobby_has_room_again(
    store: Store, clock: ManualClock
) -> None:
    service = GameService(store, clock=clock)
    game = listed(service, variant="hundred", deal="drawn", ready_check=True)
    mona = member(service, "mona@example.org")
    store.of(MatchmakingStore).seek(mona, {})
    host = Credentials(all_seats=True)
    for name in ("Anna", "Ben", "Cora"):
        service.lobby.join(game.id, host, name)
    for day in (0, 0, 1):
        clock.time = NOON + timedelta(days=day) / 4
        number = service.games.load(game.id).players[-1].number
        service.lobby.leave(game.id, host, number)
        service.lobby.join(game.id, host, f"Dora {number}" if day else "Dora")
    with store.engine.connect() as connection:
        told = connection.exec_driver_sql("SELECT subject FROM posts WHERE kind = 'open'").scalars().all()
    assert told == ["Hundred: a seat is open"]


def test_a_game_that_cannot_be_opened_hides_no_other_game_of_a_list(
    service: GameService, stranger: TestClient, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    (good, _), (broken, _) = begun(service, spectators="public"), begun(service, spectators="public")
    gathering, unopened = listed(service).id, listed(service).id
    for game in (broken.id, unopened):
        spoil(service, game)
    for _ in range(2):
        assert {seat["game"] for seat in found(stranger)} == {gathering}
        assert [board["id"] for board in stranger.get("/api/live").json()["boards"]] == [good.id]
        clock.time += timedelta(minutes=1)  # and the list of boards is made again
        for page in ("/", "/find"):
            assert stranger.get(page).status_code == 200, page
    warnings = [record for record in caplog.records if record.name == "plenipo.server"]
    assert sorted(record.getMessage().split(" is ")[0] for record in warnings) == sorted(
        f"game {game}" for game in (broken.id, unopened)
    )
    assert not any(record.exc_info for record in warnings)


def test_a_list_does_not_hide_that_the_database_fails(service: GameService, monkeypatch: pytest.MonkeyPatch) -> None:
    listed(service)

    def fail(_: str) -> int:
        raise OperationalError("select", {}, Exception("gone"))

    monkeypatch.setattr(service.store, "revision", fail)
    with pytest.raises(OperationalError):
        service.matchmaking.open_seats(None)


def test_an_account_is_deleted_although_one_of_its_games_cannot_be_opened(service: GameService) -> None:
    accounts = Accounts(service.store.of(Persons), service.clock)
    person = accounts.guest("Mona").person
    games = [listed(service).id for _ in range(3)]
    for game in games:
        service.lobby.join(game, Credentials(person=person.id), "Mona")
    spoil(service, games[1])
    service.leave_every_seat(person.id)
    accounts.delete(person)
    assert accounts.persons.find(person.id) is None
    assert [service.games.load(game).players for game in (games[0], games[2])] == [(), ()]


@pytest.fixture
def listed_by(service: GameService, clock: ManualClock) -> Callable[[str | None], str]:
    """A function that lists a game of a host, or without one, a minute after the game before."""

    def hosted(host: str | None) -> str:
        clock.time += timedelta(minutes=1)
        chosen = settings_of({"listed": "listed", "computer": "careless"})
        new = NewGameRequest("corner", {}, lobby=True, schedule=schedule_of("Weekdays"), settings=chosen)
        return service.open(new if host is None else replace(new, host=(host, "Nina"))).id

    return hosted


def test_a_host_of_many_games_pushes_no_other_off_the_list(
    service: GameService, listed_by: Callable[[str | None], str], stranger: TestClient
) -> None:
    mona, nina = member(service, "mona@example.org"), member(service, "nina@example.org")
    one, alone = listed_by(nina), [listed_by(None) for _ in range(2)]
    many = [listed_by(mona) for _ in range(7)]
    assert [seat["game"] for seat in found(stranger)] == [*many[:1:-1], *alone[::-1], one]


def test_games_without_a_host_are_not_counted_as_those_of_one_host(
    service: GameService, listed_by: Callable[[str | None], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, alone = listed_by(member(service, "nina@example.org")), [listed_by(None) for _ in range(7)]

    def list_games() -> list[str]:
        return [seat.game for seat in service.matchmaking.open_seats(None)]

    assert list_games() == [*alone[::-1], one]
    monkeypatch.setattr("plenipo.server.store.matchmaking.MOST_WITHOUT_HOST", 6)
    assert list_games() == [*alone[:0:-1], one]

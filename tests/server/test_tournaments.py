"""Tournaments: registration, rounds on boards, results, standings and their feed, and what is refused."""

import re

import pytest
from fastapi.testclient import TestClient

from plenipo.server.errors import TournamentRefused
from plenipo.server.people.accounts import Accounts
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.store.persons import Persons, StoredPerson, keep_person
from plenipo.server.store.tournaments import StoredTournament, TournamentStore
from plenipo.server.tournaments import NewTournament, Tournaments
from server.test_moderation import Door

NAMES = (
    "Agnes Bruno Clara Dmitri Edith Fatima Gustav Hanna Igor Judith Karim Lucia Marek Nadia Oscar Paula Quentin Rosa "
    "Stefan Teresa Ulrich Vera Wanda Xenia Yusuf Zofia Henrik Camille"
).split()
"""The names of 28 players."""


@pytest.fixture
def door(service: GameService, store: Store) -> Door:
    return Door(service, store)


def make_person(door: Door, name: str) -> StoredPerson:
    """A guest, who is signed in in a browser of their own."""
    accounts: Accounts = door.app.state.services.accounts
    guest, _ = accounts.new_guest(name, "Firefox", "192.0.2.1")
    with door.store.engine.begin() as connection:
        keep_person(connection, guest)
    return guest.person


def open_tournament(door: Door, **more: object) -> tuple[StoredPerson, str]:
    """A tournament of a director, and its id."""
    director = make_person(door, "Dora")
    values = {"name": "Spring Cup", "schedule": "Own pace", "variant": "hundred", **more}
    return director, door.service.tournaments.create(director, NewTournament(**values))  # type: ignore[arg-type]


def finish(door: Door, here: StoredTournament, round_number: int, winner: str = "") -> None:
    """End the games of a round: the players concede to the leader, or agree on a draw."""
    for board in here.boards:
        if board.round == round_number and not board.is_over:
            assert board.game is not None
            for tenure in door.service.games.load(board.game).players:
                mine = door.service.credentials(board.game, (), tenure.person)
                if not door.service.games.load(board.game).game.over and tenure.power != winner:
                    description = [winner] if winner else []
                    door.service.voting.move(board.game, mine, "concede" if winner else "draw", description)


def test_28_people_play_two_rounds_on_four_boards(door: Door) -> None:
    director, id_ = open_tournament(door, variant="standard")
    tournaments = door.service.tournaments
    for name in NAMES:
        tournaments.join(id_, make_person(door, name))
    for number in (1, 2):
        tournaments.start_round(id_, director)
        here = tournaments.find(id_)
        boards = [board for board in here.boards if board.round == number]
        assert len(boards) == 4
        assert sorted(player for board in boards for player in board.seats.values()) == list(range(1, 29))
        assert all(board.state == "running" for board in boards)
        with pytest.raises(TournamentRefused, match=f"Round {number} is not over"):
            tournaments.start_round(id_, director)
        finish(door, here, number, "Russia")
    with pytest.raises(TournamentRefused, match="All 2 rounds"):
        tournaments.start_round(id_, director)
    here = tournaments.find(id_)
    had = [(power, player) for board in here.boards for power, player in board.seats.items()]
    assert len(had) == len(set(had)) == 56
    winners = {board.seats["Russia"] for board in here.boards}
    ranked = tournaments.rank(here)
    assert {int(one.person) for one in ranked if one.points} == winners
    assert sum(one.points for one in ranked) == 800
    tournaments.end(id_, director)
    assert tournaments.find(id_).state == "over"


def test_the_page_shows_each_stage_and_the_feed_says_the_same(door: Door) -> None:
    dora, ben, stranger = door.member("dora@example.org"), door.member("ben@example.org"), door.browser()
    dora.post("/me/name", data={"name": "Dora"})
    ben.post("/me/name", data={"name": "Ben"})
    made = dora.post(
        "/tournaments",
        data={
            "name": "Cup",
            "variant": "hundred",
            "rounds": "1",
            "schedule": "Own pace",
            "description": "<b>Hello</b>",
        },
    )
    address = made.url.path
    assert "&lt;b&gt;Hello" in made.text
    assert "There are no players yet." in made.text
    assert "Sign in to take part" in stranger.get(address).text
    assert "Start round 1" not in ben.get(address).text
    for browser in (dora, ben):
        assert "Leave the tournament" in browser.post(f"{address}/join", data={"name": ""}).text
    begun = dora.post(f"{address}/round").text
    assert "Board 1" in begun
    assert "1 game goes on" in begun
    shown = stranger.get(f"/api{address}").json()
    assert (shown["head"]["state"], shown["head"]["round"], shown["director"]) == ("running", 1, "Dora")
    seats = shown["boards"][0]["seats"]
    assert sorted(filter(None, (seat["name"] for seat in seats))) == ["Ben", "Dora"]
    assert stranger.get(f"/games/{shown['boards'][0]['game']}").status_code == 200
    assert [one["id"] for one in stranger.get("/api/tournaments").json()["tournaments"]] == [shown["head"]["id"]]
    assert "Cup" in stranger.get("/tournaments").text


def test_computers_play_the_seats_that_are_left_over(door: Door) -> None:
    director, id_ = open_tournament(door)
    for name in ("Ann", "Bob"):
        door.service.tournaments.join(id_, make_person(door, name))
    door.service.tournaments.start_round(id_, director)
    (board,) = door.service.tournaments.find(id_).boards
    assert board.game is not None
    hosted = door.service.games.load(board.game)
    assert sorted(player.name for player in hosted.players) == ["Ann", "Bob"]
    assert sum(bool(computer) for computer in hosted.computers.values()) == len(hosted.rules.names) - 2


def test_a_round_that_was_cut_short_is_opened_the_rest_of_the_way(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    director, id_ = open_tournament(door)
    for name in NAMES[:6]:
        door.service.tournaments.join(id_, make_person(door, name))
    before, calls = Tournaments._open_board, []

    def open_once(*arguments: object) -> str | None:
        calls.append(arguments)
        if len(calls) > 1:
            raise RuntimeError
        return before(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Tournaments, "_open_board", open_once)
    with pytest.raises(RuntimeError):
        door.service.tournaments.start_round(id_, director)
    monkeypatch.undo()
    assert [board.has_begun for board in door.service.tournaments.find(id_).boards] == [True, False]
    door.service.tournaments.start_round(id_, director)
    boards = door.service.tournaments.find(id_).boards
    assert [board.has_begun for board in boards] == [True, True]
    assert {board.round for board in boards} == {1}


def test_who_leaves_plays_no_further_round_and_keeps_the_points(door: Door) -> None:
    director, id_ = open_tournament(door)
    people = [make_person(door, name) for name in ("Ann", "Bob", "Cid")]
    for person in people:
        door.service.tournaments.join(id_, person)
    door.service.tournaments.start_round(id_, director)
    door.service.tournaments.leave(id_, people[0])
    finish(door, door.service.tournaments.find(id_), 1)
    door.service.tournaments.start_round(id_, director)
    here = door.service.tournaments.find(id_)
    assert [sorted(board.seats.values()) for board in here.boards] == [[1, 2, 3], [2, 3]]
    door.service.tournaments.join(id_, people[0])
    assert len(door.service.tournaments.find(id_).active_players) == 3


def test_before_the_first_round_a_registration_is_deleted(door: Door) -> None:
    director, id_ = open_tournament(door)
    ann = make_person(door, "Ann")
    door.service.tournaments.join(id_, ann)
    door.service.tournaments.remove(id_, director, 1)
    assert door.service.tournaments.find(id_).players == ()
    door.service.tournaments.cancel(id_, director)
    assert door.service.tournaments.list_newest() == ()


def post(browser: TestClient, address: str, **data: str) -> tuple[int, str]:
    """The status and text of the answer to a form."""
    answer = browser.post(address, data=data)
    return answer.status_code, answer.text


def test_what_cannot_be_is_refused_on_the_page_in_a_sentence(door: Door) -> None:
    dora, ben, stranger = door.member("dora@example.org"), door.member("ben@example.org"), door.browser()
    address = dora.post("/tournaments", data={"name": "Cup", "variant": "hundred"}).url.path
    wrong = [
        (dora, "/tournaments", {"name": " "}, 422, "Give the tournament a name."),
        (dora, "/tournaments", {"name": "Admin"}, 422, "reserved"),
        (dora, "/tournaments", {"name": "x", "rounds": "99"}, 422, "of &#39;rounds&#39;"),
        (dora, "/tournaments", {"name": "x", "variant": "narnia"}, 422, "narnia"),
        (dora, "/tournaments", {"name": "x", "schedule": "never"}, 422, "never"),
        (stranger, "/tournaments", {"name": "x"}, 401, ""),
        (stranger, f"{address}/join", {"name": "x"}, 401, ""),
        (ben, f"{address}/round", {}, 403, "Only the director"),
        (ben, f"{address}/end", {}, 403, "Only the director"),
        (ben, f"{address}/cancel", {}, 403, "Only the director"),
        (ben, f"{address}/remove", {"number": "1"}, 403, "Only the director"),
        (dora, f"{address}/remove", {"number": "7"}, 422, "no such player"),
        (dora, f"{address}/round", {}, 422, "at least two players, and there are 0"),
        (dora, f"{address}/end", {}, 422, "is over or was cancelled"),
        (ben, f"{address}/leave", {}, 422, "no such player"),
        (ben, f"{address}/join", {"name": "England"}, 422, "reserved"),
        (ben, "/tournaments/none/join", {"name": "Ben"}, 404, "There is no such tournament"),
    ]
    for browser, where, data, status, words in wrong:
        got, text = post(browser, where, **data)
        assert got == status, (where, data, got, re.sub(r"<[^>]*>", " ", text)[-500:])
        assert words in text, (where, data)
    assert stranger.get("/tournaments/none").status_code == 404
    assert post(ben, f"{address}/join", name="Ben")[0] == 200
    assert "already take part" in post(ben, f"{address}/join", name="Ben")[1]


def test_a_person_runs_few_tournaments_at_once(door: Door) -> None:
    director, _ = open_tournament(door)
    for number in range(4):
        door.service.tournaments.create(director, NewTournament(f"Cup {number}"))
    with pytest.raises(TournamentRefused, match="You already run 5 tournaments"):
        door.service.tournaments.create(director, NewTournament("One more"))


def test_a_deleted_account_leaves_a_line_without_its_name(door: Door, store: Store) -> None:
    ben = door.member("ben@example.org")
    dora = door.member("dora@example.org")
    address = dora.post("/tournaments", data={"name": "Cup", "variant": "hundred"}).url.path
    post(ben, f"{address}/join", name="Ben Deleted")
    found = store.of(TournamentStore).find(address.rpartition("/")[2])
    assert found is not None
    accounts = door.app.state.services.accounts
    person = accounts.persons.find(found.players[0].person)
    assert person is not None
    accounts.delete(person)
    assert "Ben Deleted" not in dora.get(f"/api{address}").text
    assert "a player who left" in dora.get(address).text


def test_a_guest_who_signs_in_takes_part_as_the_person_of_the_account(door: Door, store: Store) -> None:
    _, id_ = open_tournament(door)
    guest = make_person(door, "Annie")
    door.service.tournaments.join(id_, guest)
    account = make_person(door, "Anna")
    now = door.service.clock.now()
    store.of(Persons).merge(guest, account.id, "m" * 64, now)
    assert [one.person for one in door.service.tournaments.find(id_).players] == [account.id]

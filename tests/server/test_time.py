"""Games with deadlines: processed on time by any server that looks, and never twice."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

from plenipo import library
from plenipo.engine.position import Power
from plenipo.server.broker import Broker
from plenipo.server.errors import NoDeadline, NotYours, Over, Stale
from plenipo.server.hosted_game import LINKS, Credentials
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.hosting.tick import GameState, Holder, TimeAct, TimedGame
from plenipo.server.new_games import GameKeys, NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.submissions import Edit
from plenipo.server.web.app import create_app
from plenipo.server.worker import Worker
from server.clocks import ManualClock
from waiting import run_together

START = datetime(2026, 11, 22, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
FRANCE, ENGLAND = Power("France"), Power("England")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(START)


def begun(
    service: GameService, variant: str = "standard", *persons: str, **parts: Any
) -> tuple[GameKeys, dict[str, Credentials]]:
    """A game by links with a deadline after four hours, and the credentials of its seats and of its host."""
    schedule = schedule_of({"movement": {"within": "4h"}, "cool": "0m", **parts})
    names = [str(power) for power in library.load(variant).names]
    computers = [name for name in names if persons and name not in persons]
    keys = service.open(NewGameRequest(variant, {}, computers, seating=LINKS, schedule=schedule))
    seats = {str(power): service.credentials(keys.id, [token]) for power, token in keys.seats.items()}
    return keys, {**seats, "host": service.credentials(keys.id, [keys.all_seats])}


def timing(service: GameService, keys: GameKeys) -> TimedGame:
    timed = service.view(keys.id, Credentials(), None).timed
    assert timed is not None
    return timed


def phase(service: GameService, keys: GameKeys) -> tuple[int, str]:
    view = service.view(keys.id, Credentials(), None)
    return view.phase_number, str(view.position.phase)


def order(service: GameService, keys: GameKeys, who: Credentials, seat: str, *texts: str, ready: bool = True) -> None:
    service.orders.submit(keys.id, who, seat, phase(service, keys)[0], Edit(texts, ready=ready))


def look_until(worker: Worker, clock: ManualClock, time: datetime) -> None:
    """Look every ten minutes until a time, as a worker does that is never away."""
    while clock.time < time:
        clock.time = min(clock.time + timedelta(minutes=10), time)
        worker.look()


def test_a_phase_is_processed_when_it_is_due_with_what_was_saved(service: GameService, clock: ManualClock) -> None:
    keys, seats = begun(service, "standard", "France", "England")
    order(service, keys, seats["France"], "France", "A PAR - BUR", ready=False)
    order(service, keys, seats["England"], "England", "F LON - ENG", ready=False)
    worker = Worker(service)
    clock.time = START + 3.9 * HOUR
    assert worker.look() == 0
    clock.time = START + 4 * HOUR
    assert worker.look() == 1
    assert phase(service, keys) == (2, "Fall 1901 movement")
    turn = service.view(keys.id, Credentials(), None).view.turns[0]
    assert turn.orders[FRANCE] == ("A PAR - BUR",)
    assert worker.look() == 0
    assert timing(service, keys).phase.due == START + 8 * HOUR


def test_a_phase_is_processed_as_soon_as_the_last_one_is_ready(service: GameService) -> None:
    keys, seats = begun(service, "standard", "France", "England")
    order(service, keys, seats["France"], "France")
    assert phase(service, keys)[0] == 1
    assert timing(service, keys).not_ready == (ENGLAND,)
    order(service, keys, seats["England"], "England")
    assert phase(service, keys)[0] == 2


def test_the_last_one_ready_may_take_it_back_while_the_phase_cools(service: GameService, clock: ManualClock) -> None:
    keys, seats = begun(service, "standard", "France", cool="10m")
    order(service, keys, seats["France"], "France")
    assert timing(service, keys).phase.cool_until == START + timedelta(minutes=10)
    service.orders.submit(keys.id, seats["France"], "France", 1, Edit(ready=False))
    assert timing(service, keys).phase.cool_until is None
    service.orders.submit(keys.id, seats["France"], "France", 1, Edit(ready=True))
    clock.time = START + timedelta(minutes=10)
    assert Worker(service).look() == 1
    assert phase(service, keys)[0] == 2


def test_two_nmrs_make_a_seat_vacant_until_its_player_orders_again(service: GameService, clock: ManualClock) -> None:
    keys, seats = begun(service, "standard", "France", "England", missed={"first": "hold", "vacant_after": 2})
    worker = Worker(service)
    for turn in (1, 2):
        order(service, keys, seats["England"], "England")
        look_until(worker, clock, START + 4 * turn * HOUR)
    assert timing(service, keys).seats[FRANCE].holder is Holder.NOBODY
    before, _ = phase(service, keys)
    order(service, keys, seats["England"], "England")  # the game no longer waits for France
    assert phase(service, keys)[0] > before
    order(service, keys, seats["France"], "France", ready=False)
    assert timing(service, keys).seats[FRANCE].holder is Holder.PERSON
    assert timing(service, keys).seats[FRANCE].missed == 0


def test_a_computer_orders_after_an_nmr_where_the_schedule_says_so(service: GameService, clock: ManualClock) -> None:
    keys, _ = begun(service, "standard", "France", missed={"first": "computer"})
    clock.time = START + 4 * HOUR
    Worker(service).look()
    turn = service.view(keys.id, Credentials(), None).view.turns[0]
    assert turn.orders[FRANCE]


def test_a_paused_game_stands_still_and_keeps_the_time_left(service: GameService, clock: ManualClock) -> None:
    keys, seats = begun(service, "standard", "France")
    clock.time = START + HOUR
    service.time.keep_time(keys.id, seats["host"], 1, TimeAct("pause"))
    clock.time = START + 100 * HOUR
    assert Worker(service).look() == 0
    assert timing(service, keys).state is GameState.PAUSED
    service.time.keep_time(keys.id, seats["host"], 1, TimeAct("resume"))
    assert timing(service, keys).phase.due == START + 103 * HOUR
    service.time.keep_time(keys.id, seats["host"], 1, TimeAct("extend", HOUR))
    assert timing(service, keys).phase.due == START + 104 * HOUR


def test_a_deadline_is_set_to_a_date_and_the_next_phase_keeps_to_the_schedule(
    service: GameService, clock: ManualClock
) -> None:
    keys, seats = begun(service, "standard", "France", missed={"first": "hold"})
    service.time.keep_time(keys.id, seats["host"], 1, TimeAct("set", until=START + 30 * HOUR))
    assert timing(service, keys).phase.due == START + 30 * HOUR
    service.time.keep_time(keys.id, seats["host"], 1, TimeAct("set", until=START + 2 * HOUR))
    worker = Worker(service)
    look_until(worker, clock, START + 2 * HOUR)
    assert phase(service, keys)[0] == 2
    assert timing(service, keys).phase.due == START + 6 * HOUR
    logged = [str(entry.statement) for entry in service.journal(keys.id)]
    assert "The deadline was moved. It is now 22 November 2026, 14:00 UTC." in logged


@pytest.mark.parametrize(
    ("until", "paused", "sentence"),
    [
        (None, False, "Name the date and time of the deadline."),
        (START, False, "has passed; choose a later hour"),
        (START + timedelta(days=4000), False, "is too far away"),
        (START + HOUR, True, "paused and its deadline stands still"),
    ],
)
def test_a_deadline_that_cannot_be_set_is_refused_in_a_sentence(
    service: GameService, *, until: datetime | None, paused: bool, sentence: str
) -> None:
    keys, seats = begun(service, "standard", "France")
    if paused:
        service.time.keep_time(keys.id, seats["host"], 1, TimeAct("pause"))
    with pytest.raises(NoDeadline, match=sentence):
        service.time.keep_time(keys.id, seats["host"], 1, TimeAct("set", until=until))
    assert timing(service, keys).phase.due == START + 4 * HOUR


def test_a_host_who_plays_sets_a_later_deadline_but_no_earlier_one(service: GameService) -> None:
    keys, _ = begun(service, "standard", "France", "Italy")
    playing_host = service.credentials(keys.id, [keys.all_seats, keys.seats[FRANCE]])
    with pytest.raises(NotYours, match="cannot move the deadline to an earlier time"):
        service.time.keep_time(keys.id, playing_host, 1, TimeAct("set", until=START + HOUR))
    service.time.keep_time(keys.id, playing_host, 1, TimeAct("set", until=START + 9 * HOUR))
    assert timing(service, keys).phase.due == START + 9 * HOUR


@pytest.mark.parametrize("hours", [2, 5, 100], ids=["before the deadline", "after it", "long after it"])
def test_a_host_who_plays_cannot_process_a_paused_phase(service: GameService, clock: ManualClock, hours: int) -> None:
    keys, _ = begun(service, "standard", "France", "Italy")
    tokens = [keys.all_seats, keys.seats[FRANCE]]
    playing_host = service.credentials(keys.id, tokens)
    service.time.keep_time(keys.id, playing_host, 1, TimeAct("pause"))
    clock.time = START + hours * HOUR
    with pytest.raises(NotYours, match="cannot end a phase early"):
        service.phases.process(keys.id, playing_host, 1)
    assert phase(service, keys)[0] == 1


def test_only_the_host_keeps_the_time_and_only_of_a_game_that_has_any(service: GameService) -> None:
    keys, seats = begun(service, "standard", "France")
    with pytest.raises(NotYours):
        service.time.keep_time(keys.id, seats["France"], 1, TimeAct("pause"))
    with pytest.raises(Stale):
        service.time.keep_time(keys.id, seats["host"], 7, TimeAct("pause"))
    service.phases.draw(keys.id, seats["host"], 1)
    with pytest.raises(Over):
        service.time.keep_time(keys.id, seats["host"], 2, TimeAct("pause"))
    untimed = service.open(NewGameRequest("standard", {}, "others", power="France"))
    with pytest.raises(NoDeadline):
        service.time.keep_time(untimed.id, service.credentials(untimed.id, [untimed.all_seats]), 1, TimeAct("pause"))


def test_a_deadline_that_passed_while_no_server_ran_is_moved_by_an_hour(store: Store, clock: ManualClock) -> None:
    first = GameService(store, Broker(), clock)
    keys, _ = begun(first, "standard", "France", missed={"first": "hold"})
    Worker(first).look()
    clock.time = START + 50 * HOUR
    second = GameService(store, Broker(), clock)
    worker = Worker(second)
    worker.look()
    assert phase(second, keys)[0] == 1
    assert timing(second, keys).phase.due == START + 51 * HOUR
    look_until(worker, clock, START + 51 * HOUR)
    assert phase(second, keys)[0] == 2


def test_several_workers_process_a_phase_once(store: Store, clock: ManualClock) -> None:
    hosts = [GameService(store, Broker(), clock) for _ in range(4)]
    games = [begun(hosts[0], "standard", "France", missed={"first": "hold"})[0] for _ in range(5)]
    clock.time = START + 4 * HOUR
    run_together(*(Worker(service).look for service in hosts))
    assert [phase(hosts[0], keys)[0] for keys in games] == [2] * 5


def test_a_game_that_waits_for_choices_names_the_missing_powers(service: GameService, clock: ManualClock) -> None:
    keys, _ = begun(service, "1897", "France", missed={"first": "hold"}, choice={"within": "1h"})
    clock.time = START + HOUR
    worker = Worker(service)
    worker.look()
    assert phase(service, keys)[0] in {1, 2}  # drawn, or waited for by name, as the variant says
    assert timing(service, keys).phase.needs or phase(service, keys)[0] == 2
    assert worker.look() == 0, "what waits for somebody is not looked at again and again"


def test_a_game_that_is_over_is_never_due_again(service: GameService, store: Store) -> None:
    keys, seats = begun(service, "standard", "France")
    service.phases.draw(keys.id, seats["host"], 1)
    assert store.due(START + 1000 * HOUR) == ()
    assert timing(service, keys).state is GameState.OVER


def test_a_game_with_deadlines_survives_a_new_server(store: Store, clock: ManualClock) -> None:
    keys, _ = begun(GameService(store, Broker(), clock), "standard", "France", movement={"at": ["Mon 20:00"]})
    other = GameService(store, Broker(), clock)
    assert timing(other, keys).phase.due == datetime(2026, 11, 23, 20, tzinfo=UTC)
    assert timing(other, keys).schedule.movement is not None


# Over the web


@pytest.fixture
def client(service: GameService) -> TestClient:
    return TestClient(create_app(service), raise_server_exceptions=False)


def test_the_interface_opens_games_with_deadlines_and_says_when_they_are_due(client: TestClient) -> None:
    body = {"variant": "standard", "seating": "links", "schedule": "Weekdays", "zone": "Europe/London"}
    game = client.post("/api/games", json=body).json()
    time = client.get(f"/api/games/{game['id']}").json()["time"]
    assert time["due"] == "2026-11-23T20:00:00Z"
    assert time["waits_for"].startswith("Waiting for")
    assert time["words"][0].startswith("Moves are due Mondays to Fridays at 20:00, London time")
    headers = {"authorization": f"Bearer {game['keys']['all']}"}
    asked = {"phase_number": 1, "action": "extend", "by": "24h"}
    answer = client.post(f"/api/games/{game['id']}/time", json=asked, headers=headers)
    assert answer.json()["view"]["time"]["due"] == "2026-11-24T20:00:00Z"


@pytest.mark.parametrize(
    ("schedule", "zone", "sentence"),
    [
        ("Weakdays", None, "'Weakdays' is not a schedule; did you mean Weekdays?"),
        ("Weekdays", "Mars/Olympus", "'Mars/Olympus' is not a time zone"),
        ({"movement": {"at": []}}, None, "A deadline needs either 'at' with hours of the week"),
        ({"movement": {"at": ["Mon 20:00"], "every": 3}}, None, "movement.every"),
    ],
)
def test_a_schedule_that_cannot_be_kept_is_refused(
    client: TestClient, schedule: object, zone: str | None, sentence: str
) -> None:
    body = {"variant": "standard", "seating": "links", "schedule": schedule, "zone": zone}
    answer = client.post("/api/games", json=body)
    assert answer.status_code == 422
    assert sentence in answer.json()["error"]["message"]

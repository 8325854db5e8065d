"""A leave extends the deadlines of games that respect it, and changes nothing else."""

from datetime import UTC, date, datetime, timedelta

import pytest

from plenipo.server.broker import Broker
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.hosting.settings import Settings
from plenipo.server.new_games import NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.store.persons import Persons, StoredPerson, StoredSession
from server.clocks import ManualClock
from server.test_people_pages import Browser, hosted

START = datetime(2026, 11, 22, 12, tzinfo=UTC)
DAY = timedelta(days=1)
ANNA = "anna" * 5


@pytest.fixture
def timed(store: Store) -> GameService:
    store.of(Persons).add(StoredPerson(ANNA, "Anna", START), StoredSession("d" * 64, ANNA, "A browser", START, START))
    return GameService(store, Broker(), ManualClock(START))


def begun(service: GameService, absence: int) -> str:
    """A game in which Anna plays and which is due a day after each phase began."""
    own = Settings.model_validate({"absence": absence})
    schedule = schedule_of({"movement": {"within": "1d"}})
    keys = service.open(NewGameRequest("standard", {}, lobby=True, schedule=schedule, settings=own))
    service.lobby.join(keys.id, service.credentials(keys.id, [keys.invitation], ANNA), "Anna", "France")
    service.lobby.start(keys.id, service.credentials(keys.id, [keys.all_seats]))
    return keys.id


def due(service: GameService, game: str) -> datetime | None:
    timed = service.view(game, service.credentials(game, []), None).timed
    assert timed is not None
    return timed.phase.due


@pytest.mark.parametrize(("absence", "days"), [(0, 1), (7, 4), (2, 3)])
def test_nothing_is_due_while_a_player_is_away_as_far_as_the_game_heeds_it(
    timed: GameService, absence: int, days: int
) -> None:
    timed.store.of(Persons).set_absence(ANNA, date(2026, 11, 23), date(2026, 11, 25))
    assert due(timed, begun(timed, absence)) == START + days * DAY


def test_a_leave_announced_later_counts_from_the_next_phase_on(timed: GameService) -> None:
    game = begun(timed, 7)
    timed.store.of(Persons).set_absence(ANNA, date(2026, 11, 23), date(2026, 11, 25))
    assert due(timed, game) == START + DAY, "what stands stays"
    number = timed.view(game, timed.credentials(game, []), None).phase_number
    master = timed.credentials(game, [], None)
    timed.phases.process(game, type(master)((), all_seats=True), number)
    assert due(timed, game) == START + 4 * DAY
    timed.store.of(Persons).set_absence(ANNA, date(2026, 11, 23), None)
    timed.phases.process(game, type(master)((), all_seats=True), number + 1)
    after = due(timed, game)
    assert after is None or after == START + DAY


def test_leaves_are_set_shown_saved_and_deleted_with_the_account(service: GameService) -> None:
    anna = Browser(service)
    hosted(anna, "Anna")
    first, last = (datetime.now(UTC).date() + days * DAY for days in (10, 12))
    page = anna.post("/me/away", data={"first": str(first), "last": str(last)}).text
    assert f"Remove leave from {first}" in page
    assert anna.get("/me/data").json()["absences"] == [f"{first}/{last}"]
    wrong = anna.post("/me/away", data={"first": str(last), "last": str(first)})
    assert (wrong.status_code, "before it begins" in wrong.text) == (422, True)
    assert anna.post("/me/away", data={"first": "never", "remove": "yes"}).status_code == 422
    assert "Remove leave from" not in anna.post("/me/away", data={"first": str(first), "remove": "yes"}).text
    anna.post("/me/away", data={"first": str(first), "last": str(last)})
    anna.post("/me/delete", data={"sure": "delete"})
    with service.store.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM absences").scalar_one() == 0


def test_a_lobby_says_whether_absences_are_heeded(service: GameService) -> None:
    anna = Browser(service)
    page = anna.get(hosted(anna, "Anna", absence="14")).text
    assert "Deadlines are moved while a player is on leave, up to 14 days a year each." in page
    assert "is away" not in anna.get(hosted(anna, "Anna")).text

"""Live games: time bank of each seat, phases that get shorter, an end at its hour, a game that goes on tomorrow."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

from plenipo.engine.position import Power
from plenipo.server.broker import Broker
from plenipo.server.errors import InvalidSchedule, MotionRefused, NoDeadline
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.matchmaking import pace
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.hosting.schedule_words import in_words
from plenipo.server.hosting.settings import settings_of
from plenipo.server.hosting.tick import TimeAct, TimedGame
from plenipo.server.hosting.waits import waits_for
from plenipo.server.new_games import NewGameRequest
from plenipo.server.seats import START_COUNTDOWN
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.submissions import Edit
from plenipo.server.web.app import create_app
from plenipo.server.worker import Worker
from server.clocks import ManualClock

START = datetime(2026, 11, 22, 19, tzinfo=UTC)
SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
FRANCE, ITALY, RUSSIA = Power("France"), Power("Italy"), Power("Russia")
NAMES = {FRANCE: "Anna", ITALY: "Ben", RUSSIA: "Cleo"}


class Evening:
    """A live game of three people and a manual clock, looked at every second of theirs that the test lets pass."""

    def __init__(self, store: Store, *, settings: dict[str, Any] | None = None, **parts: Any) -> None:
        self.clock, self.store = ManualClock(START - START_COUNTDOWN), store
        self.service = GameService(store, Broker(), self.clock)
        within = {kind: {"within": "5m"} for kind in ("movement", "retreats", "adjustments")}
        schedule = schedule_of({"cool": "0m", "time_bank": "10m", "missed": {"first": "hold"}, **within, **parts})
        new = NewGameRequest(
            "standard",
            {},
            lobby=True,
            schedule=schedule,
            settings=settings_of({"computer": "careless", **(settings or {})}),
        )
        self.keys = self.service.open(new)
        self.id = self.keys.id
        self.tokens = {
            power: self.service.lobby.join(self.id, self.as_one(self.keys.invitation), name, "" if settings else power)
            for power, name in NAMES.items()
        }
        self.host = self.as_one(self.keys.all_seats)
        self.service.lobby.start(self.id, self.host)
        self.clock.time = START
        self.worker = Worker(self.service)

    def as_one(self, *tokens: str) -> Credentials:
        return self.service.credentials(self.id, tokens)

    def player(self, power: Power) -> Credentials:
        return self.as_one(self.tokens[power])

    def after(self, passed: timedelta, *, looked: bool = True) -> "Evening":
        """Let time pass; the server looks every minute and at the end, unless `looked` is false."""
        until = self.clock.time + passed
        while looked and self.clock.time + MINUTE < until:
            self.clock.time += MINUTE
            self.worker.look()
        self.clock.time = until
        self.worker.look()
        return self

    @property
    def timed(self) -> TimedGame:
        timed = self.service.games.load(self.id).timed_game
        assert timed is not None
        return timed

    @property
    def phase(self) -> str:
        return str(self.service.games.load(self.id).game.position.phase)

    @property
    def state(self) -> str:
        return self.timed.state.value

    def ready(self, power: Power, *, ready: bool = True, token: str = "") -> None:
        hosted = self.service.games.load(self.id)
        who = self.as_one(token) if token else self.player(power)
        self.service.orders.submit(self.id, who, power, hosted.phase_number, Edit((), ready=ready))

    def left(self, power: Power) -> timedelta:
        return self.timed.time_left(power, self.clock.time)


@pytest.fixture
def evening(store: Store) -> Evening:
    return Evening(store)


def test_a_player_who_is_not_ready_at_the_deadline_uses_the_time_bank(evening: Evening) -> None:
    evening.after(2 * MINUTE).ready(ITALY)
    evening.after(5 * MINUTE + timedelta(milliseconds=17))
    assert evening.phase == "Spring 1901 movement"
    evening.ready(RUSSIA)
    evening.after(MINUTE).ready(RUSSIA, ready=False)
    evening.after(30 * SECOND).ready(RUSSIA)
    evening.after(30 * SECOND).ready(FRANCE)
    assert evening.phase == "Fall 1901 movement"
    spent = 2 * MINUTE + timedelta(milliseconds=17)
    assert [evening.left(power) for power in NAMES] == [
        10 * MINUTE - spent - 2 * MINUTE,
        10 * MINUTE,
        10 * MINUTE - spent - 30 * SECOND,
    ]


def test_an_empty_time_bank_is_an_nmr_for_a_player_without_orders(evening: Evening) -> None:
    evening.ready(ITALY)
    evening.service.orders.submit(evening.id, evening.player(RUSSIA), RUSSIA, 1, Edit(("A MOS H",)))
    evening.after(14 * MINUTE + 59 * SECOND)
    assert evening.phase == "Spring 1901 movement"
    assert waits_for(evening.timed) == "Waiting for France and Russia; after the deadline their time bank runs."
    evening.after(SECOND)
    assert evening.phase == "Fall 1901 movement"
    assert [evening.left(power) / MINUTE for power in NAMES] == [0, 10, 0]
    assert "left no orders" in evening.service.journal(evening.id)[-1].text
    assert [evening.timed.seats[power].missed for power in NAMES] == [1, 0, 0]


@pytest.mark.parametrize(
    ("then", "sentence"),
    [("wait", "missed the deadline; the game waits for them."), ("extend", "missed the deadline; it is extended.")],
)
def test_what_happens_when_time_bank_is_used_up_is_the_setting_of_missed_phases(
    store: Store, then: str, sentence: str
) -> None:
    evening = Evening(store, missed={"first": then, "then": then})
    evening.ready(ITALY)
    evening.ready(RUSSIA)
    evening.after(15 * MINUTE)
    assert evening.phase == "Spring 1901 movement"
    assert evening.service.journal(evening.id)[-1].text == f"France {sentence}"
    assert evening.left(FRANCE) == timedelta(0)


def test_the_time_bank_stands_still_in_a_pause_without_a_check(evening: Evening) -> None:
    for power in (ITALY, RUSSIA):
        evening.ready(power)
    evening.after(7 * MINUTE)
    assert evening.left(FRANCE) == 8 * MINUTE
    evening.service.time.keep_time(evening.id, evening.host, 1, TimeAct("pause"))
    evening.after(3 * HOUR, looked=False)
    assert evening.left(FRANCE) == 8 * MINUTE
    evening.service.time.keep_time(evening.id, evening.host, 1, TimeAct("resume"))
    evening.after(MINUTE)
    assert evening.left(FRANCE) == 7 * MINUTE
    evening.service.time.keep_time(evening.id, evening.host, 1, TimeAct("extend", 2 * MINUTE))
    evening.after(3 * MINUTE)
    assert evening.left(FRANCE) == 6 * MINUTE
    # the server is killed, and another begins twenty minutes later on the same store
    evening.service = GameService(evening.store, Broker(), evening.clock)
    evening.worker = Worker(evening.service)
    evening.after(20 * MINUTE, looked=False)
    assert evening.left(FRANCE) == 6 * MINUTE
    assert "no time bank was charged" in evening.service.journal(evening.id)[-1].text
    evening.after(MINUTE)
    assert evening.left(FRANCE) == 5 * MINUTE


def test_the_time_bank_belongs_to_the_seat_and_not_to_its_player(evening: Evening) -> None:
    for power in (ITALY, RUSSIA):
        evening.ready(power)
    evening.after(6 * MINUTE)
    link = evening.service.handover.act(evening.id, evening.host, "France", "offer")
    assert link is not None
    evening.after(MINUTE)
    token = evening.service.handover.accept(evening.id, evening.as_one(link), "Dora")
    assert evening.left(FRANCE) == 8 * MINUTE
    evening.after(MINUTE).ready(FRANCE, token=token)
    assert evening.left(FRANCE) == 7 * MINUTE
    # a computer plays meanwhile: the time waits for the next person
    evening.service.handover.act(evening.id, evening.host, "France", "computer")
    evening.after(7 * MINUTE)
    link = evening.service.handover.act(evening.id, evening.host, "France", "offer")
    assert link is not None
    evening.service.handover.accept(evening.id, evening.as_one(link), "Emil")
    assert evening.left(FRANCE) == 7 * MINUTE


def test_phases_get_shorter_in_the_course_of_the_game_as_the_schedule_says(store: Store) -> None:
    later = [{"after": "1m", "movement": {"within": "2m"}}, {"year": 1902, "movement": {"within": "1m"}}]
    evening = Evening(store, later=later)
    lengths = []
    while "1902" not in evening.phase:
        phase = evening.timed.phase
        assert phase.due is not None
        lengths.append((evening.phase, (phase.due - phase.opened) / MINUTE))
        evening.after(MINUTE)
        for power in NAMES:
            evening.ready(power)
    assert lengths[:2] == [("Spring 1901 movement", 5), ("Fall 1901 movement", 2)]
    assert (evening.timed.phase.due or START) - evening.timed.phase.opened == MINUTE
    assert in_words(evening.timed.schedule)[3:5] == [
        "After 1 minute of play moves are due within 2 minutes.",
        "From 1902 on moves are due within 1 minute.",
    ]


def test_a_phase_that_all_end_in_the_countdown_is_as_long_as_others_and_counts_no_play(store: Store) -> None:
    evening = Evening(store)
    evening.clock.time = START - START_COUNTDOWN
    for power in NAMES:
        evening.ready(power)
    phase = evening.timed.phase
    assert evening.phase == "Fall 1901 movement"
    assert phase.played == timedelta(0)
    assert phase.due == evening.clock.time + 5 * MINUTE


def test_a_game_ends_after_its_year_and_is_scored(store: Store) -> None:
    evening = Evening(store, end={"year": 1901})
    for _ in range(4):
        for power in NAMES:
            if not evening.service.games.load(evening.id).game.over:
                evening.ready(power)
    hosted = evening.service.games.load(evening.id)
    assert hosted.game.over
    assert len(hosted.game.drawn) == 7
    assert "The game ended after 1901, as it was set to." in [one.text for one in evening.service.journal(evening.id)]
    assert evening.service.record(evening.id, Credentials())["drawn"] == list(hosted.game.drawn)
    assert evening.service.games.load(evening.id).columns["state"] == "over"


def test_a_game_ends_at_its_hour_which_a_pause_moves(store: Store) -> None:
    evening = Evening(store, end={"at": (START + 12 * MINUTE).isoformat()})
    evening.after(2 * MINUTE)
    evening.service.time.keep_time(evening.id, evening.host, 1, TimeAct("pause"))
    evening.after(HOUR, looked=False)
    evening.service.time.keep_time(evening.id, evening.host, 1, TimeAct("resume"))
    evening.after(9 * MINUTE + 59 * SECOND)
    assert not evening.service.games.load(evening.id).game.over
    evening.after(SECOND)
    assert evening.service.games.load(evening.id).game.over
    assert evening.service.journal(evening.id)[-1].kind == "ended"


def test_a_game_that_is_not_begun_before_its_end_is_called_off(store: Store) -> None:
    clock = ManualClock(START)
    service = GameService(store, Broker(), clock)
    schedule = schedule_of({"end": {"at": (START + HOUR).isoformat()}})
    keys = service.open(NewGameRequest("standard", {}, lobby=True, schedule=schedule))
    clock.time += HOUR
    Worker(service).look()
    assert service.games.load(keys.id).is_cancelled
    assert "before the hour at which it was to end" in service.journal(keys.id)[-1].text


def test_the_game_goes_on_tomorrow_by_vote_with_what_was_due_kept(evening: Evening) -> None:
    for power in (ITALY, RUSSIA):
        evening.ready(power)
    evening.after(6 * MINUTE + 12 * SECOND)
    tomorrow = START + 24 * HOUR
    voting = evening.service.voting
    voting.move(evening.id, evening.player(ITALY), "tomorrow", goes_on=tomorrow)
    (first,) = voting.poll(evening.id, evening.player(ITALY)).motions
    evening.after(1 * SECOND)
    voting.move(evening.id, evening.player(FRANCE), "tomorrow", goes_on=tomorrow + HOUR)
    assert evening.state == "running", "these are two motions"
    titles = [motion.title for motion in titled(evening)]
    assert titles[0] == "Stop for now, and go on Monday 23 November, 20:00 (UTC)"
    voting.vote(evening.id, evening.player(RUSSIA), first.number, yes=True)
    assert waits_for(evening.timed) == "The game is paused until Monday 23 November, 19:00 (UTC)."
    left = evening.left(FRANCE)
    assert left == 10 * MINUTE - 73 * SECOND
    evening.after(23 * HOUR, looked=False)
    assert evening.state == "paused"
    evening.after(tomorrow - evening.clock.time, looked=False)
    assert (evening.state, evening.left(FRANCE)) == ("running", left)
    assert evening.service.journal(evening.id)[-1].text == "The game goes on."
    evening.after(MINUTE)
    assert evening.left(FRANCE) == left - MINUTE


def titled(evening: Evening) -> Any:
    client = TestClient(create_app(evening.service), base_url="http://localhost")
    headers = {"authorization": f"Bearer {evening.tokens[FRANCE]}"}
    found = client.get(f"/api/games/{evening.id}/votes", headers=headers).json()
    return [type("Motion", (), motion) for motion in found["motions"]]


@pytest.mark.parametrize(
    ("goes_on", "sentence"),
    [
        (START - HOUR, "Sunday 22 November, 18:00 (UTC) has passed; choose a later hour."),
        (
            START + timedelta(days=100),
            "Tuesday 2 March, 19:00 (UTC) is too far away; name an hour in the next 60 days.",
        ),
        (None, "Name the hour at which the game is to go on."),
    ],
)
def test_a_motion_to_go_on_names_an_hour_to_come(evening: Evening, goes_on: datetime | None, sentence: str) -> None:
    with pytest.raises(MotionRefused) as caught:
        evening.service.voting.move(evening.id, evening.player(FRANCE), "tomorrow", goes_on=goes_on)
    assert str(caught.value) == sentence
    if goes_on is not None:
        with pytest.raises(NoDeadline):
            evening.service.time.keep_time(evening.id, evening.host, 1, TimeAct("pause", until=goes_on))


@pytest.mark.parametrize(
    ("end", "sentence"),
    [
        ({"year": 1900}, "The game begins in 1901, so it cannot end after 1900; write 1901 or a later year."),
        (
            {"at": "2026-11-22T18:00:00Z"},
            "Sunday 22 November, 18:00 (UTC) has passed; choose a later end.",
        ),
    ],
)
def test_a_game_does_not_end_before_it_begins(store: Store, end: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidSchedule) as caught:
        Evening(store, end=end)
    assert str(caught.value) == sentence


def test_a_settled_time_bank_does_not_reveal_who_is_not_ready(store: Store) -> None:
    """Two games in which players used different times of a phase show the others the same time bank."""
    shown: list[list[bytes]] = []
    for wait in (1, 3):
        evening = Evening(store, settings={"anonymous": True, "deal": "drawn"})
        client = TestClient(create_app(evening.service), base_url="http://localhost")
        watching, acting, _ = evening.tokens.values()
        evening.after((5 + wait) * MINUTE)
        evening.ready(evening.as_one(acting).powers[0], token=acting)
        evening.after((4 - wait) * MINUTE)
        seen = []
        for token in ("", watching):
            headers = {"authorization": f"Bearer {token}"} if token else {}
            found = client.get(f"/api/games/{evening.id}", headers=headers).json()["time"]["time_bank"]
            own = evening.as_one(token).powers if token else ()
            seen.append(repr(sorted((b["left"], b["runs_from"]) for b in found if b["power"] not in own)).encode())
            assert all(b["runs_from"] for b in found if b["power"] in own)
        shown.append(seen)
    assert shown[0] == shown[1]
    assert b"(600.0, None)" in shown[0][0]


@pytest.mark.parametrize(
    ("movement", "more", "live"),
    [
        ("15m", {}, True),
        ("1h", {}, True),
        ("2h", {}, False),
        ("1d", {"retreats": {"within": "10m"}}, False),
        ("1d", {"time_bank": "15m"}, False),
    ],
)
def test_a_game_is_live_for_the_page_the_countdown_and_the_search_alike(
    store: Store, movement: str, more: dict[str, Any], *, live: bool
) -> None:
    clock = ManualClock(START)
    service = GameService(store, Broker(), clock)
    schedule = schedule_of({"movement": {"within": movement}, "missed": {"first": "hold"}, **more})
    settings = settings_of({"computer": "careless"})
    game = service.open(NewGameRequest("standard", {}, lobby=True, schedule=schedule, settings=settings))
    service.lobby.join(game.id, service.credentials(game.id, [game.invitation]), "Anna")
    service.lobby.start(game.id, service.credentials(game.id, [game.all_seats]))
    with TestClient(create_app(service, loops="none")) as client:
        time = client.get(f"/api/games/{game.id}").json()["time"]
    assert time["live"] is live
    assert (pace(schedule) == "live") is live
    assert (datetime.fromisoformat(time["opened"]) == START + START_COUNTDOWN) is live

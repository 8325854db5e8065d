"""Settings of a running game: its host may extend deadlines, other changes need the votes of all seats."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from fastapi.testclient import TestClient

from plenipo.engine.position import Power
from plenipo.server import notifications
from plenipo.server.errors import ChangeRefused, InvalidSchedule, NotYours
from plenipo.server.hosting.changes import changes_of
from plenipo.server.hosting.tick import TimeAct
from plenipo.server.service import GameService
from plenipo.server.store import Store, StoredEntry
from plenipo.server.web.app import create_app
from server.test_live import FRANCE, HOUR, ITALY, MINUTE, NAMES, RUSSIA, START, Evening

ENDS = datetime(2026, 11, 22, 23, tzinfo=UTC)


class Kept(Evening):
    """A live game whose host does not play."""

    def change(self, **values: Any) -> bool:
        """Change settings; returns whether the change needs a vote."""
        return self.service.time.change_settings(self.id, self.host, changes_of(values))

    def motions(self) -> list[dict[str, Any]]:
        client = TestClient(create_app(self.service), base_url="http://localhost")
        headers = {"authorization": f"Bearer {self.tokens[FRANCE]}"}
        found: list[dict[str, Any]] = client.get(f"/api/games/{self.id}/votes", headers=headers).json()["motions"]
        return found

    def vote_for_the_newest(self, *powers: Power) -> None:
        for power in powers:
            newest = self.service.voting.poll(self.id, self.player(power)).motions[0]
            self.service.voting.vote(self.id, self.player(power), newest.number, yes=True)

    @property
    def entries(self) -> list[str]:
        return [entry.text for entry in self.service.journal(self.id)]


@pytest.fixture
def kept(store: Store) -> Kept:
    return Kept(store, end={"at": ENDS.isoformat()})


def test_a_host_extends_every_time_bank_and_the_game_log_shows_it(kept: Kept) -> None:
    for power in (ITALY, RUSSIA):
        kept.ready(power)
    kept.after(7 * MINUTE)
    assert kept.left(FRANCE) == 8 * MINUTE
    assert not kept.change(time_bank="30m")
    assert [kept.left(power) / MINUTE for power in NAMES] == [28, 30, 30]
    assert kept.entries[-1] == (
        "The host changed the settings: each player has a time bank of 30 minutes for the whole game."
    )
    kept.after(MINUTE)
    assert kept.left(FRANCE) == 27 * MINUTE


def test_other_changes_than_more_time_need_the_votes_of_all_players(kept: Kept) -> None:
    assert kept.change(time_bank="4m", delay="2 phases", spectators="public")
    motion = kept.motions()[0]
    assert motion["title"] == (
        "Change the settings: each player has a time bank of 4 minutes for the whole game; anyone can watch; "
        "spectators see the game 2 phases late"
    )
    assert (motion["yes"], motion["of"], motion["needs"]) == (0, 3, "all")
    kept.vote_for_the_newest(FRANCE, ITALY)
    assert kept.left(FRANCE) == 10 * MINUTE
    kept.vote_for_the_newest(RUSSIA)
    hosted = kept.service.games.load(kept.id)
    assert (hosted.settings.spectators, hosted.settings.delay, kept.left(FRANCE)) == ("public", "2 phases", 4 * MINUTE)
    assert kept.entries[-1].startswith("By vote: Change the settings: each player has a time bank of 4 minutes")
    again = Kept.__new__(Kept)
    again.__dict__.update(kept.__dict__)
    again.service = type(kept.service)(kept.store, clock=kept.clock)
    assert again.service.games.load(kept.id).settings.delay == "2 phases", "it is in the store"


def test_a_later_end_is_given_and_a_sooner_one_voted_on(kept: Kept) -> None:
    assert not kept.change(end={"at": (ENDS + HOUR).isoformat()})
    assert kept.timed.ends == ENDS + HOUR
    assert not kept.change(end=None)
    assert str(kept.timed.ends) == "None"
    assert kept.change(end={"year": 1903})
    kept.vote_for_the_newest(FRANCE, ITALY, RUSSIA)
    assert kept.timed.schedule.end is not None
    assert kept.timed.schedule.end.year == 1903
    assert kept.change(end={"year": 1903, "at": ENDS.isoformat()})


def test_an_end_set_in_a_pause_comes_later_by_what_is_left_of_the_pause(kept: Kept) -> None:
    kept.service.time.keep_time(kept.id, kept.host, 1, TimeAct("pause"))
    kept.after(20 * MINUTE, looked=False)
    assert not kept.change(end={"at": (ENDS + HOUR).isoformat()})
    kept.after(10 * MINUTE, looked=False)
    kept.service.time.keep_time(kept.id, kept.host, 1, TimeAct("resume"))
    assert kept.timed.ends == ENDS + HOUR + 10 * MINUTE


def test_a_host_with_a_seat_cannot_move_the_end_of_the_game(kept: Kept) -> None:
    both = kept.as_one(kept.keys.all_seats, kept.tokens[FRANCE])
    later = changes_of({"end": {"at": (ENDS + HOUR).isoformat()}})
    assert kept.service.time.change_settings(kept.id, both, later)
    assert kept.motions()[0]["mine"] is True, "to move it is to vote for it"
    assert not kept.service.time.change_settings(kept.id, both, changes_of({"time_bank": "20m"}))


def test_players_move_such_changes_too_but_make_none(kept: Kept) -> None:
    with pytest.raises(NotYours):
        kept.service.time.change_settings(kept.id, kept.player(FRANCE), changes_of({"time_bank": "20m"}))
    changes = changes_of({"delay": "3h"})
    kept.service.voting.move(kept.id, kept.player(FRANCE), "settings", changes=changes)
    for power in (ITALY, RUSSIA):  # to move what is moved already is to vote for it
        kept.service.voting.move(kept.id, kept.player(power), "settings", changes=changes)
    assert kept.service.games.load(kept.id).settings.delay == "3h"


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"time_bank": "10m"}, "These are already the settings of the game."),
        ({"end": {"year": 1900}}, "It is 1901 in the game, so it cannot end after 1900; write 1901 or a later year."),
        (
            {"end": {"at": START.isoformat()}},
            "Sunday 22 November, 19:00 (UTC) has passed; choose a later end.",
        ),
        (
            {"scoring": "Carnage"},
            "'scoring' cannot change after the start of a game; you can change time_bank, end, spectators and delay.",
        ),
        ({"spectators": "all"}, "'all' is not a value of 'spectators': it must be 'link', 'public' or 'nobody'."),
        ({}, "Name a setting to change: time_bank, end, spectators or delay."),
    ],
)
def test_what_cannot_be_changed_is_refused_in_one_sentence(kept: Kept, values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ChangeRefused) as caught:
        kept.change(**values)
    assert str(caught.value) == sentence
    assert kept.motions() == []


def test_time_bank_where_there_is_no_deadline_is_refused(store: Store) -> None:
    pace = Kept(store, movement=None, retreats=None, adjustments=None, time_bank=None)
    with pytest.raises(InvalidSchedule, match="used after a deadline, and there is none"):
        pace.change(time_bank="5m")


def test_seats_that_had_no_time_of_their_own_get_it_whole(store: Store) -> None:
    kept = Kept(store, time_bank=None)
    kept.after(3 * MINUTE)
    assert not kept.change(time_bank="6m")
    kept.after(3 * MINUTE)
    assert kept.left(FRANCE) == 5 * MINUTE


def test_programs_and_the_gm_tools_change_settings(kept: Kept) -> None:
    client = TestClient(create_app(kept.service), base_url="http://localhost")
    headers = {"authorization": f"Bearer {kept.keys.all_seats}"}
    api = f"/api/games/{kept.id}"
    shown = client.get(api, headers=headers).json()
    answer = client.put(f"{api}/settings", json={"time_bank": "20m"}, headers=headers).json()
    assert (answer["voted"], answer["view"]["time"]["time_bank"][0]["left"]) == (False, 1200.0)
    after = client.get(api, headers=headers).json()
    assert shown["time"]["words"] != after["time"]["words"], "no answer is kept that says what was settled before"
    assert client.put(f"{api}/settings", json={"delay": "24h"}, headers=headers).json()["voted"] is True
    wrong = client.put(f"{api}/settings", json={"time_bank": "soon"}, headers=headers)
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (422, "settings")
    client.get(f"/games/{kept.id}/sit/{kept.keys.all_seats}")
    page = client.get(f"/games/{kept.id}/gm-tools").text
    assert "Change the settings: spectators see the game 1 day late. 0 of 3 in favour." in page
    form = {"time-bank": "25", "end-at": "2026-11-22T23:00", "spectators": "link", "delay": ""}
    done = client.post(f"/games/{kept.id}/gm-tools/settings", data=form)
    assert "The settings are changed, and all players are notified." in done.text
    assert kept.left(FRANCE) == 25 * MINUTE
    voted = client.post(f"/games/{kept.id}/gm-tools/settings", data={**form, "spectators": "nobody"})
    assert "The change is proposed." in voted.text
    titles = {motion["title"] for motion in kept.motions()}  # both were proposed at one instant, so either comes first
    assert titles == {
        "Change the settings: spectators see the game 1 day late",
        "Change the settings: only players can watch",
    }


def test_players_are_notified_of_changed_settings(kept: Kept) -> None:
    hosted = kept.service.games.load(kept.id)
    hosted = hosted.with_tenures(replace(hosted.players[0], person="somebody"))
    told = notifications.of_change(hosted, hosted, [StoredEntry("settings", "The host changed what was settled: so.")])
    assert [(one.person, one.subject) for one in told if one.person] == [
        ("somebody", f"{hosted.name}: changed settings")
    ]
    assert all("The host changed what was settled: so." in one.body for one in told)


def test_the_form_says_what_it_settles_about_time_bank_before_a_lobby_is_opened(store: Store) -> None:
    client = TestClient(create_app(GameService(store)), base_url="http://localhost")
    form = {"variant": "standard", "schedule": "Live"}
    words = client.post("/host/schedule", data=form).json()["words"]
    assert any(line.startswith("Each player has a time bank of 15 minutes for the whole game:") for line in words)
    assert words[-1] == "All players see the remaining time banks, and so which powers are not ready."
    for more in ({"anonymous": "yes"}, {"time_bank_shown": "settled"}):
        hidden = client.post("/host/schedule", data={**form, **more}).json()["words"]
        assert hidden[-1].startswith("The time banks of other players are shown as they were when the phase began")
    without = client.post("/host/schedule", data={**form, "time-bank": "none"}).json()["words"]
    assert not any("time bank" in line for line in without)

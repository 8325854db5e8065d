"""The presets of the page for a new game: each creates a game with exactly the settings that its cards name."""

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import expect

from browser.conftest import DESK, NewWindow
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.hosting.settings import settings_of
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.web.app import create_app
from plenipo.server.web.lobby import HOST_PRESETS

NO_CHANGES: dict[str, Any] = {"computer": "middling", "press": {"preset": "Full press", "opened": "never"}}
"""The settings of the form as it begins, where they are not those of any game."""

PLAYERS = "Play and host · First come, first served · Invitation only"
OPTIONS = "Full press · DIAS · Draw size · With the link"

SHORT = {"within": "6h", "remind": ["2h"]}
WEEKEND = {
    "movement": {"at": ["Sat 12:00", "Sun 12:00"], "least": "20h", "grace": "2h", "remind": ["6h", "1h"]},
    "retreats": SHORT,
    "adjustments": SHORT,
}

CREATED: dict[str, tuple[str, str, str, Any, dict[str, Any]]] = {
    "Friends tonight": (PLAYERS, "Live", OPTIONS, "Live", {}),
    "One phase per weekday": (PLAYERS, "Weekdays", OPTIONS, "Weekdays", {}),
    "Weekend game": (PLAYERS, "Custom schedule", OPTIONS, WEEKEND, {}),
    "Gunboat": (
        PLAYERS.replace("First come, first served", "Random · Anonymous"),
        "Weekdays",
        OPTIONS.replace("Full press", "No press"),
        "Weekdays",
        {"deal": "drawn", "anonymous": True, "press": {"preset": "No press", "opened": "never"}},
    ),
    "Run as GM": (
        PLAYERS.replace("Play and host", "Run it as game master"),
        "Weekdays",
        OPTIONS,
        "Weekdays",
        {"host": "game master"},
    ),
    "Teaching game": (
        PLAYERS.replace("served · ", "served · Careless · "),
        "No deadlines",
        OPTIONS.replace("press · ", "press · All press is public · "),
        "Own pace",
        {"computer": "careless", "press": {"preset": "Full press", "opened": "all"}},
    ),
}
"""The lines of the three cards by preset, and the schedule and the settings of the game."""


def test_all_presets_of_the_page_are_here() -> None:
    assert CREATED.keys() == HOST_PRESETS.keys()


@pytest.mark.parametrize("name", CREATED)
def test_a_preset_creates_a_game_with_exactly_the_settings_that_its_cards_name(
    window: NewWindow, tmp_path: Path, name: str
) -> None:
    players, pace, options, schedule, settings = CREATED[name]
    page = window(viewport=DESK, timezone_id="Europe/Berlin")
    page.goto("/variants/standard/host")
    page.get_by_role("button", name="Gunboat").click()  # the next preset has to take back the fields of this one
    page.get_by_role("button", name=name, exact=True).click()
    lines = page.locator(".host-card .host-line").all_text_contents()
    page.get_by_label("Your name").fill("Anna")
    with page.expect_request(lambda request: request.method == "POST" and request.url.endswith("/host")) as sent:
        page.get_by_role("button", name="Create the game").click()
    expect(page.get_by_label("Anyone with this link")).to_be_visible()
    service = GameService(Store(str(tmp_path / "games.sqlite")))
    with TestClient(create_app(service, loops="none"), follow_redirects=False) as client:
        headers = {"content-type": "application/x-www-form-urlencoded"}
        answer = client.post("/host", content=sent.value.post_data or "", headers=headers)
    hosted = service.games.load(answer.headers["location"].rpartition("/")[2])
    assert hosted.timing is not None
    assert hosted.timing.schedule == schedule_of(schedule, "Europe/Berlin")
    assert hosted.settings == settings_of({**NO_CHANGES, **settings})
    assert not any(hosted.computers.values())
    assert len(hosted.players) == (name != "Run as GM")
    assert lines == [players, pace, options]

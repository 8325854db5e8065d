"""A hosted game that begins before Christ: it ends after the year it was set to, and says so as people write it."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from plenipo.library import plugins
from plenipo.server.broker import Broker
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.new_games import NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store
from server.clocks import ManualClock

EARLY = """title = "Early"
parent = "standard"
[calendar]
start = "2 BC"
cycle = [["Spring", "movement"], ["Winter", "ownership"], ["Winter", "adjustments"]]
"""


def test_a_hosted_game_ends_after_a_year_before_christ(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "variant.toml").write_text(EARLY, encoding="utf-8")
    monkeypatch.setattr(plugins, "bank", lambda: {"early": tmp_path})
    service = GameService(store, Broker(), ManualClock(datetime(2026, 11, 22, tzinfo=UTC)))
    keys = service.open(NewGameRequest("early", {}, schedule=schedule_of({"end": {"year": -1}})))
    everybody = service.credentials(keys.id, [keys.all_seats])
    while not service.games.load(keys.id).game.over:
        hosted = service.games.load(keys.id)
        assert hosted.game.position.phase.year < 0
        service.phases.process(keys.id, everybody, hosted.phase_number)
    assert "The game ended after 1 BC, as it was set to." in [one.text for one in service.journal(keys.id)]

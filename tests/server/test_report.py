"""Report pages: a turn or a whole game for print, with messages that are open and with nothing else."""

import pytest
from fastapi.testclient import TestClient

from plenipo.server.hosting.settings import settings_of
from plenipo.server.store import Store
from plenipo.server.web.app import create_app
from server.test_notifications import Table

WORDS = "Mordor marches"


def played(store: Store, opened: str) -> Table:
    messages = {"preset": "Full press", "observers": True, "opened": opened}
    table = Table(store, settings_of({"computer": "careless", "press": messages}))
    table.write("France", "Italy", WORDS)
    table.write("France", "*", "Good **evening** <script>")
    table.process()
    return table


def test_a_turn_is_reported_with_its_map_its_orders_and_the_open_messages_alone(store: Store) -> None:
    table = played(store, "never")
    with TestClient(create_app(table.service, loops="none")) as client:
        page = client.get(f"/games/{table.game.id}/report?turn=0").text
        assert "Spring 1901 movement" in page
        assert f"/games/{table.game.id}/picture.svg?turn=0&amp;results=1" in page
        assert "France to everyone" in page
        assert "Good <strong>evening</strong> &lt;script&gt;" in page
        assert WORDS not in page
        assert client.get(f"/games/{table.game.id}/report?turn=1").status_code == 404
        client.get(f"/games/{table.game.id}/sit/{table.game.all_seats}")
        assert WORDS not in client.get(f"/games/{table.game.id}/report").text


@pytest.mark.parametrize(("opened", "shown"), [("all", True), ("players", False), ("never", False)])
def test_after_the_end_the_messages_are_in_it_that_were_to_be_opened(
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    opened: str,
    shown: bool,  # noqa: FBT001
) -> None:
    monkeypatch.setattr("plenipo.server.voting.computers_votes.agrees", lambda *_: True)
    table = played(store, opened)
    for power in ("France", "Italy", "Turkey"):
        table.service.voting.move(table.game.id, table.who(power), "draw")
    assert table.service.games.load(table.game.id).game.over
    with TestClient(create_app(table.service, loops="none")) as client:
        assert (WORDS in client.get(f"/games/{table.game.id}/report").text) is shown

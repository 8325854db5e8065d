"""Rematches: one lobby for all requests, with the same settings and a link for each player."""

import re

import pytest
from fastapi.testclient import TestClient

from plenipo.server.errors import NoKey, NotOver
from plenipo.server.hosting.settings import settings_of
from plenipo.server.rematch import again
from plenipo.server.store import Store
from plenipo.server.web.app import create_app
from server.test_notifications import Table


@pytest.fixture
def table(store: Store) -> Table:
    """A game that its three people have abandoned."""
    made = Table(store, settings_of({"computer": "careless", "scoring": "Carnage"}))
    with pytest.raises(NotOver):
        again(made.service, made.game.id, made.who("France"))
    for power in ("France", "Italy", "Turkey"):
        if made.service.voting.poll(made.game.id, made.who("France")).table.over:
            break
        made.service.voting.move(made.game.id, made.who(power), "abandon")
    made.sent()
    return made


def test_all_meet_in_one_lobby_with_the_same_settings_and_are_asked_in_once(table: Table) -> None:
    first = again(table.service, table.game.id, table.who("France"))
    hosted = table.service.games.load(first.id)
    before = table.service.games.load(table.game.id)
    assert hosted.forming
    assert (hosted.name, hosted.settings, hosted.rules.variant) == ("Quai", before.settings, "standard")
    assert hosted.press_table.policy == before.press_table.policy
    mails = table.sent()
    assert sorted(str(mail["To"]) for mail in mails) == ["ben@example.org", "cleo@example.org"]
    link = re.search(rf"https://plenipo.example/games/{first.id}/sit/(\S+)", mails[0].get_content())
    assert link is not None
    assert table.service.credentials(first.id, [link[1]]).invited
    second = again(table.service, table.game.id, table.who("Italy"))
    assert second.id == first.id
    assert table.service.credentials(first.id, second.tokens).invited
    assert not table.service.credentials(first.id, second.tokens).all_seats
    assert table.sent() == []


def test_only_players_open_a_rematch(table: Table) -> None:
    with pytest.raises(NoKey):
        again(table.service, table.game.id, table.service.credentials(table.game.id, []))
    with TestClient(create_app(table.service, loops="none"), follow_redirects=False) as client:
        assert client.post(f"/games/{table.game.id}/again").status_code == 401
        client.get(f"/games/{table.game.id}/sit/{table.game.all_seats}")
        answer = client.post(f"/games/{table.game.id}/again")
        assert answer.status_code == 303
        assert client.get(answer.headers["location"]).status_code == 200

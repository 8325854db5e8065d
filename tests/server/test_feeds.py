"""Feeds of games: the public view of each turn with its time, and nothing secret."""

from xml.etree import ElementTree as ET

from fastapi.testclient import TestClient

from plenipo.server.store import Store
from plenipo.server.store.notifications import NotificationStore
from plenipo.server.web.app import create_app
from server.test_notifications import Table

ATOM = "{http://www.w3.org/2005/Atom}"


def test_a_feed_has_each_turn_once_it_is_played_and_no_message_order_or_name(store: Store) -> None:
    table = Table(store)
    with TestClient(create_app(table.service, loops="none")) as client:
        paths = [f"/games/{table.game.id}/feed.{form}" for form in ("json", "atom")]
        before = [client.get(path).content for path in paths]
        table.write("France", "Italy", "Mordor marches")
        table.write("France", "*", "To all")
        table.service.voting.move(table.game.id, table.who("France"), "draw")
        table.service.store.of(NotificationStore).set_hook(table.game.id, "https://example.org/x")
        assert [client.get(path).content for path in paths] == before
        table.process()
        feed, atom = (client.get(path) for path in paths)
        (item,) = feed.json()["items"]
        assert item["title"] == "Spring 1901 movement"
        assert item["date_published"] == table.clock.time.isoformat()
        entries = ET.fromstring(atom.text).findall(f"{ATOM}entry")  # noqa: S314  # our own server's
        assert [entry.findtext(f"{ATOM}content") for entry in entries] == [item["content_text"]]
        for secret in ("Mordor", "To all", "Anna", "Ben", "Cleo"):
            assert secret not in feed.text + atom.text


def test_a_game_in_fog_has_no_feed(client: TestClient) -> None:
    game = client.post("/api/games", json={"variant": "fog-of-war"}).json()["id"]
    assert client.get(f"/games/{game}/feed.atom").status_code == 404

"""Players follow each other unseen, and a host invites players by name."""

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from plenipo.server.service import GameService
from plenipo.server.store import Store, schema
from plenipo.server.store.follows import Follows
from plenipo.server.store.moderation import Moderation
from plenipo.server.store.persons import Persons
from plenipo.server.web.app import create_app

FORM = {"Sec-Fetch-Site": "same-origin"}


class Browser:
    """A browser of a person, who is known by a game that they host."""

    def __init__(self, service: GameService, name: str) -> None:
        self.client = TestClient(create_app(service, loops="none"), "http://localhost", follow_redirects=False)
        self.service = service
        hosting = {"variant": "standard", "name": name, "schedule": "Own pace", "you": "play"}
        self.game = str(self.post("/host", **hosting).headers["location"])
        game_id = self.game.rpartition("/")[2]
        tenures = service.games.load(game_id).tenures
        self.id = next(one.person for one in tenures if one.person is not None)

    def post(self, path: str, **fields: str) -> Any:
        return self.client.post(path, data=fields, headers=FORM)

    def invite(self, name: str) -> Any:
        return self.post(f"{self.game}/invite", invited=name)


def list_invitations(store: Store, person: str) -> list[str]:
    """Return the kinds of invitation notices that wait for a person."""
    with store.engine.connect() as connection:
        rows = connection.execute(select(schema.notices).where(schema.notices.c.person == person)).mappings().all()
    return [row["kind"] for row in rows if row["kind"].startswith("seat invite")]


@pytest.fixture
def anna(service: GameService) -> Browser:
    return Browser(service, "Anna")


@pytest.fixture
def ben(service: GameService) -> Browser:
    return Browser(service, "Ben")


def test_a_player_is_followed_and_nobody_else_sees_it(anna: Browser, ben: Browser) -> None:
    before = ben.client.get(f"/people/{anna.id}").text, ben.client.get("/me").text
    assert anna.post(f"/people/{ben.id}/follow", act="follow").status_code == 303
    assert "You follow this player" in anna.client.get(f"/people/{ben.id}").text
    assert f'href="/people/{ben.id}">Ben</a>' in anna.client.get("/me").text
    assert before == (ben.client.get(f"/people/{anna.id}").text, ben.client.get("/me").text)
    anna.post(f"/people/{ben.id}/follow", act="unfollow")
    assert "You follow this player" not in anna.client.get(f"/people/{ben.id}").text


def test_nobody_follows_oneself_or_somebody_who_is_not_there(anna: Browser, service: GameService) -> None:
    for person in (anna.id, "nobody"):
        assert anna.post(f"/people/{person}/follow", act="follow").status_code == 303
    assert service.store.of(Follows).list_followed(anna.id) == ()


def test_a_host_invites_by_name_and_the_link_of_the_notice_opens_the_lobby(
    anna: Browser, ben: Browser, store: Store
) -> None:
    answer = anna.invite(" ben ")
    assert answer.status_code == 303
    assert "Ben is invited." in anna.client.get(answer.headers["location"]).text
    assert parse_qs(urlsplit(answer.headers["location"]).query) == {"invited": [ben.id]}
    assert len(list_invitations(store, ben.id)) == 1
    with store.engine.connect() as connection:
        bodies = connection.execute(select(schema.posts.c.body)).scalars().all()
    links = [link for body in bodies for link in re.findall(r"/games/\S+/sit/[\w-]+", body)]
    if links:  # only people with an address or a device have something to be sent
        assert ben.client.get(links[0]).status_code == 303


def test_an_invitation_is_sent_once(anna: Browser, ben: Browser, store: Store) -> None:
    anna.invite("Ben")
    anna.invite("Ben")
    assert len(list_invitations(store, ben.id)) == 1


@pytest.mark.parametrize(("name", "sentence"), [("Nobody", "No player here is called"), ("Anna", "No player here is")])
def test_who_cannot_be_meant_is_refused_in_a_sentence(anna: Browser, name: str, sentence: str) -> None:
    answer = anna.invite(name)
    assert (answer.status_code, sentence in answer.text) == (422, True)


def test_of_several_people_with_a_name_the_followed_one_is_meant(
    anna: Browser, ben: Browser, service: GameService, store: Store
) -> None:
    other = Browser(service, "Benno")
    service.store.of(Persons).rename(other.id, "Ben")
    refused = anna.invite("Ben")
    assert refused.status_code == 422
    assert "Several players are called" in refused.text
    anna.post(f"/people/{other.id}/follow", act="follow")
    assert anna.invite("Ben").status_code == 303
    assert (len(list_invitations(store, ben.id)), len(list_invitations(store, other.id))) == (0, 1)


def test_a_player_who_blocks_the_host_is_not_notified_and_the_host_does_not_learn_of_it(
    anna: Browser, ben: Browser, service: GameService, store: Store
) -> None:
    service.store.of(Moderation).block(ben.id, anna.id, on=True)
    assert anna.invite("Ben").status_code == 303
    assert list_invitations(store, ben.id) == []


def test_only_the_host_invites_and_only_before_the_game(anna: Browser, ben: Browser, service: GameService) -> None:
    assert ben.post(f"{anna.game}/invite", invited="Anna").status_code in {401, 403}
    game = anna.game.rpartition("/")[2]
    service.lobby.start(game, service.credentials(game, (), anna.id))
    assert anna.invite("Ben").status_code == 409


def test_a_guest_who_signs_in_keeps_whom_they_follow(anna: Browser, ben: Browser, service: GameService) -> None:
    anna.post(f"/people/{ben.id}/follow", act="follow")
    persons = service.store.of(Persons)
    guest = persons.find(anna.id)
    assert guest is not None
    other = Browser(service, "Cleo")
    persons.merge(guest, other.id, "0" * 64, service.clock.now())
    assert service.store.of(Follows).list_followed(other.id) == ((ben.id, "Ben"),)

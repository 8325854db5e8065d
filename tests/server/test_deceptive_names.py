"""Every way in which a name comes into the server refuses one that deceives, and then nothing has been made."""

from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient

from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.store.persons import Persons
from plenipo.server.web.app import create_app
from server.test_people_pages import Browser, hosted, link_in

LIKE_AN_OFFICE = "M0derator"
FOREIGN_POWER = "Carthage"
"""A power of a variant that comes along, and of none of the games here."""

Way = Callable[[TestClient, str, str, str], object]


def join(browser: TestClient, game: str, link: str, name: str) -> object:
    browser.get(link)
    return browser.post(f"{game}/join", data={"name": name})


def join_as_program(browser: TestClient, game: str, link: str, name: str) -> object:
    browser.get(link)
    return browser.post(f"/api{game}/join", json={"name": name})


def host_a_game(browser: TestClient, _game: str, _link: str, name: str) -> object:
    return browser.post("/host", data={"variant": "standard", "name": name, "schedule": "Own pace", "you": "keep"})


def name_a_game(browser: TestClient, _game: str, _link: str, name: str) -> object:
    body = {"variant": "standard", "name": name, "lobby": True}
    return browser.post("/api/games", json=body)


def people_in(store: Store) -> list[tuple[object, ...]]:
    with store.engine.connect() as connection:
        query = "SELECT name FROM persons UNION ALL SELECT name FROM tenures UNION ALL SELECT name FROM games"
        return sorted(tuple(row) for row in connection.exec_driver_sql(query))


@pytest.mark.parametrize("way", [join, join_as_program, host_a_game, name_a_game])
def test_a_deceptive_name_is_refused_and_leaves_nothing(service: GameService, store: Store, way: Way) -> None:
    anna, mallory = (Browser(service) for _ in range(2))
    game = hosted(anna, "Anna")
    link = link_in(anna.get(game).text)
    before = people_in(store)
    answer = way(mallory, game, link, LIKE_AN_OFFICE)
    assert "M0derator&#39; is reserved" in answer.text or "M0derator' is reserved" in answer.text  # type: ignore[attr-defined]
    assert answer.status_code == 422  # type: ignore[attr-defined]
    assert people_in(store) == before


def test_no_account_hosts_joins_or_claims_under_a_deceptive_name(service: GameService, store: Store) -> None:
    anna, ben = (Browser(service) for _ in range(2))
    game = hosted(anna, "Anna")
    ben.get(link_in(anna.get(game).text))
    hosted(ben, "Ben")
    before = people_in(store)
    for way in (join, join_as_program, host_a_game, name_a_game):
        assert way(ben, game, link_in(anna.get(game).text), LIKE_AN_OFFICE).status_code == 422  # type: ignore[attr-defined]
    assert ben.post("/me/name", data={"name": LIKE_AN_OFFICE}).status_code == 422
    assert people_in(store) == before


def test_an_account_is_not_called_like_a_power_of_any_variant_that_comes_along(service: GameService) -> None:
    anna = Browser(service)
    hosted(anna, "Anna")
    answer = anna.post("/me/name", data={"name": FOREIGN_POWER})
    assert (answer.status_code, "is reserved" in answer.text) == (422, True)
    assert anna.post("/me/name", data={"name": "Carta"}, follow_redirects=False).status_code == 303


def test_an_account_with_a_deceptive_address_gets_a_neutral_name(service: GameService, store: Store) -> None:
    accounts = create_app(service).state.services.accounts
    accounts.send_code("admin@example.org")
    (post, _), *_ = store.of(Persons).take_posts(service.clock.now())
    assert accounts.follow(post.body.partition("/sign-in/")[2].split()[0], None).person.name == "Somebody"

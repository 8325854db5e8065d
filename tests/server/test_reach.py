"""The question how a player is reached: asked after joining, until it is answered."""

import pytest
from fastapi.testclient import TestClient

from plenipo.server.hosting.notifications import KINDS
from plenipo.server.new_games import GameKeys, NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store.notifications import NotificationStore
from plenipo.server.store.persons import Persons, SignInMethod
from plenipo.server.web.app import create_app

FORM = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def game(service: GameService) -> GameKeys:
    return service.open(NewGameRequest("standard", {}, lobby=True))


@pytest.fixture
def browser(service: GameService) -> TestClient:
    return TestClient(create_app(service), base_url="http://localhost")


def join(browser: TestClient, game: GameKeys, name: str = "Anna") -> str:
    """Join by the invitation; return the page on which the player arrives."""
    browser.get(f"/games/{game.id}/sit/{game.invitation}")
    answer = browser.post(f"/games/{game.id}/join", data={"name": name}, headers=FORM)
    assert answer.status_code == 200, answer.text
    return answer.text


def test_a_stranger_is_not_asked_and_a_player_is(browser: TestClient, game: GameKeys) -> None:
    browser.get(f"/games/{game.id}/sit/{game.invitation}")
    assert 'id="reach"' not in browser.get(f"/games/{game.id}").text
    page = join(browser, game)
    assert 'id="reach"' in page
    assert "A notification when it is your turn" in page


@pytest.mark.parametrize(
    ("way", "channels", "next_page"),
    [
        ("push", ["push"], "/games/{game}"),
        ("calendar", [], "/me#calendar"),
        ("discord", [], "/games/{game}"),
        ("none", [], "/games/{game}"),
    ],
)
def test_the_answer_is_kept_and_the_question_not_asked_again(
    browser: TestClient, service: GameService, game: GameKeys, way: str, channels: list[str], next_page: str
) -> None:
    join(browser, game)
    form = {"way": way, "game": game.id}
    answer = browser.post("/me/reach", data=form, headers=FORM, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == next_page.format(game=game.id)
    person = next(one.person for one in service.games.load(game.id).tenures if one.name == "Anna")
    assert person
    kinds = service.store.of(NotificationStore).preferences(person).kinds
    assert {kind: list(ways) for kind, ways in kinds.items()} == dict.fromkeys(KINDS, channels)
    assert 'id="reach"' not in browser.get(f"/games/{game.id}").text


def test_an_address_is_confirmed_by_a_code(browser: TestClient, game: GameKeys) -> None:
    join(browser, game)
    answer = browser.post("/me/reach", data={"way": "mail", "mail": "anna@example.org", "game": game.id}, headers=FORM)
    assert 'name="code"' in answer.text
    assert "anna@example.org" in answer.text
    assert 'id="reach"' in browser.get(f"/games/{game.id}").text, "an address that is not confirmed reaches nobody"


def test_with_a_confirmed_address_mail_is_an_answer(browser: TestClient, service: GameService, game: GameKeys) -> None:
    join(browser, game)
    browser.post("/me/reach", data={"way": "mail", "mail": "anna@example.org", "game": game.id}, headers=FORM)
    person = next(one.person for one in service.games.load(game.id).tenures if one.name == "Anna")
    assert person
    service.store.of(Persons).add_way(SignInMethod("mail", "anna@example.org", person, service.clock.now()))
    assert 'id="reach"' not in browser.get(f"/games/{game.id}").text


def test_a_player_who_joins_last_is_asked_on_the_page_of_the_game(
    browser: TestClient, service: GameService, game: GameKeys
) -> None:
    invited = service.credentials(game.id, [game.invitation])
    for number in range(6):
        service.lobby.join(game.id, invited, f"Player {number}")
    page = join(browser, game)
    assert 'id="the-game"' in page, "the game has begun"
    assert f'href="/me/reach?game={game.id}"' in page
    assert 'id="reach"' in browser.get(f"/me/reach?game={game.id}").text
    browser.post("/me/reach", data={"way": "none", "game": game.id}, headers=FORM)
    assert "/me/reach" not in browser.get(f"/games/{game.id}").text


def test_bad_answers_are_refused_in_a_sentence(browser: TestClient, game: GameKeys) -> None:
    assert browser.get("/me/reach").status_code == 401
    assert browser.post("/me/reach", data={"way": "none"}, headers=FORM).status_code == 401
    join(browser, game)
    answer = browser.post("/me/reach", data={"way": "pigeon"}, headers=FORM)
    assert answer.status_code in {409, 422}
    assert "&#39;pigeon&#39; is no way to reach you; choose push, mail, calendar, discord or none." in answer.text
    answer = browser.post("/me/reach", data={"way": "mail", "mail": ""}, headers=FORM)
    assert "Enter an email address, or choose another way to be reached." in answer.text
    assert browser.get("/me/reach").status_code == 200
    odd = browser.post(
        "/me/reach", data={"way": "none", "game": "//evil.example"}, headers=FORM, follow_redirects=False
    )
    assert odd.headers["location"] == "/games/%2F%2Fevil.example"

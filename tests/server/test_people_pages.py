"""The pages about oneself: signing in, one's games, leaving; what they say to strangers, and what they keep secret."""

import re

import pytest
from fastapi.testclient import TestClient

from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.store.persons import Persons
from plenipo.server.web.app import create_app
from plenipo.server.web.context import SESSION, Services


class Browser(TestClient):
    """A browser with cookies of its own, which follows where it is led."""

    def __init__(self, service: GameService) -> None:
        super().__init__(create_app(service), raise_server_exceptions=False, follow_redirects=True)


@pytest.fixture
def anna(service: GameService) -> Browser:
    return Browser(service)


@pytest.fixture
def ben(service: GameService) -> Browser:
    return Browser(service)


def mailed(store: Store, service: GameService) -> tuple[str, str]:
    """The digits and the link of the newest mail."""
    (post, _), *_ = reversed(store.of(Persons).take_posts(service.clock.now()))
    return post.subject[:6], post.body.partition("/sign-in/")[2].split()[0]


def hosted(browser: Browser, name: str, **more: str) -> str:
    """Return the address of a game that a person hosts."""
    fields = {"variant": "standard", "name": name, "schedule": "Own pace", "you": "play", **more}
    page = browser.post("/host", data=fields)
    assert page.status_code == 200
    return page.url.path


def link_in(page: str) -> str:
    found = re.search(r'id="link" readonly value="([^"]+)"', page)
    assert found
    return found[1].removeprefix("http://testserver")


def test_the_first_page_says_what_needs_one_now(anna: Browser, ben: Browser) -> None:
    game = hosted(anna, "Anna", game="Quai d'Orsay")
    assert "waiting for players" in anna.get("/").text
    ben.post(f"{ben.get(link_in(anna.get(game).text)).url.path}/join", data={"name": "Ben"})
    anna.post(f"{game}/start")
    for browser in (anna, ben):
        page = browser.get("/").text
        assert "Your turn" in page
        assert "Quai d&#39;Orsay" in page
    mine = anna.get("/api/me").json()["games"]
    assert [(one["name"], one["my_turn"]) for one in mine["now"]] == [("Quai d'Orsay", True)]
    own = anna.get(f"/api{game}").json()["viewer"]["seat"]
    anna.post(f"/api{game}/ready", json={"phase_number": 1, "seat": own, "ready": True})
    assert "Your games" in anna.get("/").text
    assert "Your turn" not in anna.get("/").text
    assert anna.get("/api/me").json()["games"]["going_on"][0]["waits_for"] != []


def test_a_solo_game_is_on_the_page_of_its_player_and_opens_on_a_second_device(
    anna: Browser, service: GameService
) -> None:
    hosted(anna, "Anna", game="Quai d'Orsay")  # makes her a guest with a session
    address = str(anna.post("/play", data={"variant": "standard", "power": "France"}).url)
    game = address.partition("?")[0].rpartition("/")[2]
    assert f"/games/{game}" in anna.get("/").text
    offices = {one["id"]: one["office"] for one in anna.get("/api/me").json()["games"]["going_on"]}
    assert offices[game] == ""  # to play against computers is no office of a host
    phone = Browser(service)
    (session,) = [cookie.value for cookie in anna.cookies.jar if cookie.name == SESSION]
    phone.cookies.set(SESSION, session or "")
    assert '"seats":["France"]' in phone.get(f"/games/{game}?seat=France").text


def test_the_address_of_a_seat_shows_others_the_game_without_the_seat(anna: Browser, ben: Browser) -> None:
    address = anna.post("/play", data={"variant": "standard", "power": "France"}).url
    page = ben.get(f"{address.path}?seat=France")
    assert (page.status_code, page.url.query) == (200, b"")
    assert '"seats":[]' in page.text


def test_a_stranger_has_no_games_and_is_asked_to_sign_in(ben: Browser) -> None:
    assert 'id="mine"' not in ben.get("/").text
    assert ben.get("/me").url.path == "/sign-in"
    answer = ben.get("/api/me")
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "not_signed_in")
    for act in ("name", "words", "ways/remove", "sign-out", "delete"):
        assert ben.post(f"/me/{act}", data={}).status_code == 401


def test_one_comes_back_to_a_seat_from_another_browser(
    anna: Browser, ben: Browser, store: Store, service: GameService
) -> None:
    game = hosted(anna, "Anna")
    anna.post(f"{game}/start")
    anna.post("/sign-in", data={"mail": "anna@example.org"})
    page = anna.post("/sign-in/code", data={"code": mailed(store, service)[0]})
    assert "anna@example.org" in page.text
    ben.post("/sign-in", data={"mail": "anna@example.org"})
    assert "Your turn" in ben.post("/sign-in/code", data={"code": mailed(store, service)[0]}).text
    assert ben.get(f"/api{game}").json()["viewer"]["seats"] == anna.get(f"/api{game}").json()["viewer"]["seats"] != []


def test_a_link_in_a_mail_is_a_button_and_asking_for_its_page_spends_nothing(
    anna: Browser, ben: Browser, store: Store, service: GameService
) -> None:
    anna.post("/sign-in", data={"mail": "anna@example.org"})
    link = mailed(store, service)[1]
    for _ in range(3):
        assert "Sign in as <b>anna@example.org</b>" in ben.get(f"/sign-in/{link}").text
    assert ben.get("/api/me").status_code == 401  # looking at the page of a link does not sign the browser in
    assert "anna@example.org" in anna.post(f"/sign-in/{link}").text
    assert ben.get("/api/me").status_code == 401
    assert "has expired or was already used" in ben.get(f"/sign-in/{link}").text


def test_no_answer_reveals_whether_an_account_exists(
    anna: Browser, ben: Browser, store: Store, service: GameService
) -> None:
    anna.post("/sign-in", data={"mail": "anna@example.org"})
    anna.post("/sign-in/code", data={"code": mailed(store, service)[0]})
    known = ben.post("/sign-in", data={"mail": "anna@example.org"})
    unknown = ben.post("/sign-in", data={"mail": "emma@example.org"})
    assert known.content.replace(b"anna@", b"emma@") == unknown.content
    assert known.headers.keys() == unknown.headers.keys()


def test_signing_in_ends_the_session_before_and_signing_out_opens_nothing_any_more(
    anna: Browser, store: Store, service: GameService
) -> None:
    game = hosted(anna, "Anna")
    anna.post(f"{game}/start")
    first = anna.cookies["session"]
    anna.post("/sign-in", data={"mail": "anna@example.org"})
    anna.post("/sign-in/code", data={"code": mailed(store, service)[0]})
    second = anna.cookies["session"]
    assert first != second
    thief = Browser(service)
    thief.cookies.set("session", first)
    assert thief.get("/api/me").status_code == 401
    thief.cookies.set("session", second)
    assert thief.get(f"/api{game}").json()["viewer"]["seats"] != []
    anna.post("/me/sign-out")
    assert thief.get("/api/me").status_code == 401
    assert thief.get(f"/api{game}").json()["viewer"]["seats"] == []  # though it asks the same as before


def test_a_preference_changes_no_byte_of_what_others_are_shown(anna: Browser, ben: Browser) -> None:
    game = hosted(anna, "Anna", deal="preferences")
    ben.post(f"{ben.get(link_in(anna.get(game).text)).url.path}/join", data={"name": "Ben"})
    before = [anna.get(address).content for address in (game, f"/api{game}", "/", "/api/me")]
    page = ben.post(f"{game}/preference", data={"number": "3", "preference": ["Turkey", "Italy"]})
    assert "Preferences: Turkey, Italy" in page.text
    assert [anna.get(address).content for address in (game, f"/api{game}", "/", "/api/me")] == before


def test_recovery_words_are_shown_once(anna: Browser, ben: Browser, service: GameService) -> None:
    hosted(anna, "Anna")
    found = re.search(r'class="secret"><b>([a-z ]+)</b>', anna.post("/me/words").text)
    assert found
    assert found[1] not in anna.get("/me").text
    assert "Anna" in ben.post("/sign-in/words", data={"words": found[1]}).text
    stranger = Browser(service)
    assert (
        "These recovery words are not known" in stranger.post("/sign-in/words", data={"words": "a b c d e f g h"}).text
    )


def test_a_name_is_changed_and_one_that_deceives_is_refused(anna: Browser) -> None:
    hosted(anna, "Anna")
    assert "<h1>Annie</h1>" in anna.post("/me/name", data={"name": "Annie"}).text
    answer = anna.post("/me/name", data={"name": "Game Master"})
    assert (answer.status_code, "is reserved; choose another name" in answer.text) == (422, True)


def test_an_account_is_deleted_after_a_confirmation_and_nothing_of_it_is_left(anna: Browser) -> None:
    game = hosted(anna, "Anna")
    assert "if you mean it" in anna.post("/me/delete", data={"sure": "yes"}).text
    assert anna.get("/me/data").json()["seats"][0]["game"] == game.rpartition("/")[2]
    anna.post("/me/delete", data={"sure": "Delete"})
    assert anna.get("/api/me").status_code == 401


def test_the_seats_of_a_deleted_account_are_vacant(anna: Browser, ben: Browser) -> None:
    game = hosted(anna, "Anna")
    ben.post(f"{ben.get(link_in(anna.get(game).text)).url.path}/join", data={"name": "Ben"})
    forming = hosted(ben, "Ben")
    anna.post(f"{game}/start")
    (own,) = ben.get(f"/api{game}").json()["viewer"]["seats"]
    ben.post("/me/delete", data={"sure": "delete"})
    view = anna.get(f"/api{game}").json()
    assert view["time"]["vacant"] == [own]
    assert "0 of 7 players have joined" in anna.get(forming).text


def test_a_replacement_takes_the_seat_from_the_page_of_an_offer(anna: Browser, ben: Browser) -> None:
    game = hosted(anna, "Anna")
    anna.post(f"{game}/start")
    own = anna.get(f"/api{game}").json()["viewer"]["seats"][0]
    answer = anna.post(f"/api{game}/seats", json={"power": own, "act": "offer"}).json()
    page = ben.get(answer["link"])
    assert f"Play {own}" in page.text
    assert "Anna is leaving this seat" in page.text
    ben.post(f"{game}/join", data={"name": "Ben"})
    assert ben.get(f"/api{game}").json()["viewer"]["seats"] == [own]
    assert own not in anna.get(f"/api{game}").json()["viewer"]["seats"]
    entries = ben.get(f"/api{game}/journal").json()["entries"]
    assert entries[-1]["sentence"] == f"Ben plays {own} from now on."
    assert "Ben" not in entries[-1]["text"]


def test_a_game_master_does_not_play(anna: Browser, ben: Browser) -> None:
    game = hosted(anna, "Anna", you="rule")
    page = anna.get(game).text
    assert "You are the game master" in page
    assert "Join this game" not in page
    for name in ("Anna", "Somebody else"):
        refused = anna.post(f"{game}/join", data={"name": name})
        assert (refused.status_code, "The game master cannot play in the same game" in refused.text) == (422, True)
    ben.post(f"{ben.get(link_in(page)).url.path}/join", data={"name": "Ben"})
    anna.post(f"{game}/start")
    (own,) = ben.get(f"/api{game}").json()["viewer"]["seats"]
    offer = ben.post(f"/api{game}/seats", json={"power": own, "act": "offer"}).json()
    anna.get(offer["link"])
    refused = anna.post(f"{game}/join", data={"name": "Anna"})
    assert (refused.status_code, "The game master cannot play in the same game" in refused.text) == (422, True)


def test_a_role_in_a_game_is_one_of_three(anna: Browser) -> None:
    answer = anna.post("/host", data={"variant": "standard", "name": "Anna", "you": "both"})
    assert answer.status_code == 422
    assert "write play, keep or rule" in answer.text


def test_a_key_that_goes_while_a_page_is_made_is_as_good_as_none(
    anna: Browser, ben: Browser, service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = hosted(anna, "Anna")
    ben.get(link_in(anna.get(game).text))  # the invitation is kept in the browser
    anna.post(f"{game}/start")  # and goes when the game begins
    monkeypatch.setattr(service, "opens", lambda *_: True)  # as if it had been there a moment ago
    assert ben.get(game).status_code == 200
    assert ben.get(f"/api{game}").status_code == 200


def test_a_game_that_begins_while_its_page_is_made_shows_no_viewer_the_view_of_another(
    anna: Browser, ben: Browser, service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = hosted(anna, "Anna")
    ben.post(f"{ben.get(link_in(anna.get(game).text)).url.path}/join", data={"name": "Ben"})
    usual, begun = service.credentials, False

    def credentials(*given: object, **named: object) -> object:
        nonlocal begun
        found = usual(*given, **named)  # type: ignore[arg-type]
        if not begun:
            begun = True
            anna.post(f"{game}/start")
        return found

    monkeypatch.setattr(service, "credentials", credentials)
    assert 'class="variant-page lobby"' in ben.get(game).text  # the greeting of its stream says that the game has begun
    assert ben.get(f"/api{game}").json()["viewer"]["seats"] != []


def test_a_former_player_gets_the_orders_they_wrote_and_none_of_their_successors(
    anna: Browser, ben: Browser, service: GameService
) -> None:
    game = hosted(anna, "Anna")
    ben.post(f"{ben.get(link_in(anna.get(game).text)).url.path}/join", data={"name": "Ben"})
    anna.post(f"{game}/start")
    (seat,) = ben.get(f"/api{game}").json()["viewer"]["seats"]
    options = ben.get(f"/api{game}/options?seat={seat}").json()["choices"]

    def order(browser: Browser, choice: int) -> str:
        node = options[choice]
        while "order" not in node:
            node = node["then"][0]
        sent = browser.put(f"/api{game}/orders", json={"phase_number": 1, "seat": seat, "orders": [node["order"]]})
        assert sent.status_code == 200
        return str(node["order"])

    first = order(ben, 0)
    assert ben.post(f"/api{game}/seats", json={"power": seat, "act": "resign"}).status_code == 200
    offer = anna.post(f"/api{game}/seats", json={"power": seat, "act": "offer"}).json()["link"]
    clara = Browser(service)
    clara.get(offer)
    assert clara.post(f"{game}/join", data={"name": "Clara"}).status_code == 200
    second = order(clara, 1)
    assert [order_set["orders"] for order_set in ben.get("/me/data").json()["orders"]] == [[first]]
    assert [order_set["orders"][-1] for order_set in clara.get("/me/data").json()["orders"]] == [second]


def test_a_link_asked_for_elsewhere_takes_no_seat_of_a_guest(
    anna: Browser, ben: Browser, store: Store, service: GameService
) -> None:
    game = hosted(ben, "Ben", game="Quai")
    ben.post(f"{game}/start")
    for known in (False, True):  # before and after a person has signed in with the address
        anna.post("/sign-in", data={"mail": "mallory@example.org"})
        digits, link = mailed(store, service)
        page = ben.get(f"/sign-in/{link}").text
        assert "mallory@example.org" in page
        assert "Quai" in page
        assert "<button" not in page.partition("<main")[2].partition("</main>")[0]
        refused = ben.post(f"/sign-in/{link}")
        assert (refused.status_code, "requested in another browser" in refused.text) == (422, True)
        if not known:
            anna.post("/sign-in/code", data={"code": digits})
    assert "Quai" not in anna.get("/me").text
    assert ben.get(f"/api{game}").json()["viewer"]["seats"]
    assert "mallory" not in ben.get("/me").text


def test_a_link_says_what_moves_and_that_is_undone_within_a_day(
    anna: Browser, ben: Browser, store: Store, service: GameService
) -> None:
    anna.post("/sign-in", data={"mail": "anna@example.org"})
    anna.post("/sign-in/code", data={"code": mailed(store, service)[0]})
    game = hosted(ben, "Ben", game="Quai")
    ben.post(f"{game}/start")
    seats = ben.get(f"/api{game}").json()["viewer"]["seats"]
    ben.post("/sign-in", data={"mail": "anna@example.org"})
    link = mailed(store, service)[1]
    page = ben.get(f"/sign-in/{link}").text
    assert "Sign in and move my games" in page
    assert "move to the account of anna@example.org: Quai" in page
    page = ben.post(f"/sign-in/{link}").text
    assert "Games moved here" in page
    assert "Quai" in anna.get("/me").text
    assert "Games moved here" not in anna.get("/me").text, "only where it happened"
    assert "<h1>Ben</h1>" in ben.post("/me/undo").text
    assert "Quai" not in anna.get("/me").text
    assert ben.get(f"/api{game}").json()["viewer"]["seats"] == seats
    assert ben.post("/me/undo").status_code == 422


def test_over_https_a_session_without_the_prefix_is_not_read(service: GameService) -> None:
    with TestClient(create_app(service), base_url="https://testserver") as browser:
        guest = Services(service).accounts.guest("Anna").token
        browser.cookies.set("session", guest)
        assert browser.get("/api/me").status_code == 401
        browser.cookies.set("__Host-session", guest)
        answer = browser.get("/api/me")
        assert answer.status_code == 200
        assert answer.headers["strict-transport-security"] == "max-age=31536000"


def test_over_plain_http_nothing_is_said_of_https(anna: Browser) -> None:
    assert "strict-transport-security" not in anna.get("/").headers

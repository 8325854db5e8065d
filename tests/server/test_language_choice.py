"""The language that a browser or an account chooses."""

import pytest
from fastapi.testclient import TestClient

from plenipo import languages
from plenipo.engine.sentences import find_kind
from plenipo.server.texts import translate, using_language
from plenipo.server.web.translation import match_tag


def chosen(client: TestClient, language: str, back: str = "/bank") -> str:
    answer = client.post("/language", data={"language": language, "back": back}, follow_redirects=False)
    assert answer.status_code == 303
    return answer.headers["location"]


def test_a_guest_chooses_the_language_in_the_footer(client: TestClient) -> None:
    page = client.get("/bank").text
    for language in languages.available():
        assert f'value="{language}" lang="{language}"' in page
        assert languages.native_name(language) in page
    assert chosen(client, "de") == "/bank"
    assert '<html lang="de"' in client.get("/bank").text
    chosen(client, "")
    assert '<html lang="en"' in client.get("/bank").text


@pytest.mark.parametrize("language", ["xx", "../de", "de\r\nset-cookie: a=b", "x" * 300])
def test_an_unknown_language_is_not_remembered(client: TestClient, language: str) -> None:
    chosen(client, language)
    assert '<html lang="en"' in client.get("/bank").text


@pytest.mark.parametrize("back", ["https://example.org/", "//example.org", "/\\example.org", "", "me"])
def test_the_choice_leads_to_pages_of_this_server_only(client: TestClient, back: str) -> None:
    assert chosen(client, "de", back) == "/"


def test_an_account_keeps_its_language_and_brings_it_to_another_browser(client: TestClient) -> None:
    made = client.post("/host", data={"variant": "standard", "name": "Anna", "schedule": "Own pace"})
    assert made.status_code == 303
    chosen(client, "de", "/me")
    page = client.get("/me").text
    assert '<html lang="de"' in page
    assert '<option value="de" lang="de" selected>' in page
    words = page_words(client)
    other = TestClient(client.app, base_url=str(client.base_url))
    other.post("/sign-in/words", data={"words": words})
    assert other.cookies.get("language") == "de"
    assert '<html lang="de"' in other.get("/me").text


def page_words(client: TestClient) -> str:
    page = client.post("/me/words").text
    return page.partition('<p class="secret"><b>')[2].partition("</b>")[0]


def test_orders_are_typed_and_refused_in_the_language_of_the_page(client: TestClient) -> None:
    opened = client.post("/api/games", json={"variant": "standard"}).json()
    headers = {"Authorization": f"Bearer {opened['keys']['all']}"}
    body = {"phase_number": 1, "seat": "Austria", "give": ["A Wien - Galizien"]}
    address = f"/api/games/{opened['id']}/orders"
    assert client.post(address, json=body, headers=headers).status_code == 422, "English pages read English names"
    client.cookies.set("language", "de")
    done = client.post(address, json=body, headers=headers).json()["order_set"]["orders"]
    assert [one["text"] for one in done] == ["A VIE - GAL"], "orders are stored without a language"


def test_names_that_people_chose_are_never_translated() -> None:
    """A player may be called like a place, a power or a label of a page."""
    lent = find_kind("server-seat-lent-orders")
    assert lent
    with using_language("de"):
        for player in ("Vienna", "Press"):
            assert f" {player} " in f" {translate(lent(power='Turkey', player=player))} ".replace(",", " ")
            assert "Türkei" in translate(lent(power="Turkey", player=player))


def test_a_tag_of_many_parts_is_looked_at_only_at_its_beginning() -> None:
    # for each of its parts a shorter tag is tried: with all of these that would take hours
    assert match_tag("de-" + "a-" * 3_000_000) == "de"
    assert match_tag("a-" * 3_000_000) is None

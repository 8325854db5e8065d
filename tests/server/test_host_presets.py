"""Presets for new games in the account: saved, replaced, removed, exported, moved and deleted with it."""

from typing import Any

import pytest

from plenipo.server.people.accounts import Accounts
from plenipo.server.service import GameService
from plenipo.server.store.host_presets import HostPreset, HostPresets
from plenipo.server.store.persons import Persons
from server.test_people_pages import Browser, hosted

CLUB = {"schedule": "by hand", "day": ["Tue", "Fri"], "press": "No press"}


@pytest.fixture
def anna(service: GameService) -> Browser:
    browser = Browser(service)
    hosted(browser, "Anna")
    return browser


def save(browser: Browser, name: str, **fields: Any) -> Any:
    return browser.post("/api/me/presets", json={"name": name, "fields": fields})


def test_a_preset_is_offered_on_the_page_for_a_new_game_and_replaced_under_its_name(anna: Browser) -> None:
    assert save(anna, "Thursday club", **CLUB).status_code == 201
    page = anna.get("/variants/hundred/host").text
    assert 'data-saved="Thursday club"' in page
    answer = save(anna, " Thursday  club ", press="Full press").json()
    assert answer == {"presets": [{"name": "Thursday club", "fields": {"press": "Full press"}}]}
    assert anna.get("/api/me/presets").json() == answer


def test_others_see_no_preset_of_a_person(anna: Browser, service: GameService) -> None:
    save(anna, "Thursday club", **CLUB)
    ben, stranger = Browser(service), Browser(service)
    hosted(ben, "Ben")
    for browser in (ben, stranger):
        assert "Thursday" not in browser.get("/variants/standard/host").text
    assert ben.get("/api/me/presets").json() == {"presets": []}
    assert stranger.get("/api/me/presets").status_code == 401
    assert save(stranger, "x").status_code == 401
    ben.post("/me/presets/remove", data={"name": "Thursday club"})
    assert "Thursday club" in anna.get("/me").text


def test_a_preset_is_removed_on_the_account_page_and_is_in_the_download(anna: Browser) -> None:
    save(anna, "Thursday club", **CLUB)
    assert anna.get("/me/data").json()["presets"][0]["fields"] == CLUB
    assert "Thursday club" not in anna.post("/me/presets/remove", data={"name": "Thursday club"}).text


@pytest.mark.parametrize(
    ("name", "sentence"),
    [(" ", "The preset has no name"), ("x" * 41, "has 41 characters; at most 40 are allowed")],
)
def test_a_preset_without_a_usable_name_is_refused(anna: Browser, name: str, sentence: str) -> None:
    answer = save(anna, name)
    assert (answer.status_code, sentence in answer.json()["error"]["message"]) == (422, True)


def test_a_person_has_at_most_twenty_presets(anna: Browser) -> None:
    for number in range(20):
        assert save(anna, f"Preset {number}").status_code == 201
    assert save(anna, "one more").status_code == 422
    assert save(anna, "Preset 3", press="No press").status_code == 201


def test_the_presets_of_a_guest_move_to_the_account_but_replace_none(service: GameService) -> None:
    persons = service.store.of(Persons)
    accounts, presets, now = Accounts(persons, service.clock), service.store.of(HostPresets), service.clock.now()
    guest, person = accounts.guest("Anna").person, accounts.guest("Annie").person
    for owner, name, press in ((guest, "Club", "of guest"), (guest, "Live", "of guest"), (person, "Club", "own")):
        presets.keep(owner.id, HostPreset(name, {"press": press}), now, 20)
    persons.merge(guest, person.id, "m" * 64, now)
    assert {one.name: one.fields["press"] for one in presets.of(person.id)} == {"Club": "own", "Live": "of guest"}
    accounts.delete(person)
    assert presets.of(person.id) == ()

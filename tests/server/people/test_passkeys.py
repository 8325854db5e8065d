"""Signing in with a device: what counts, and that everything else is refused in the same words."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from plenipo.server.service import GameService
from plenipo.server.store import Store, schema
from plenipo.server.web.app import create_app
from server.clocks import ManualClock
from server.devices import PRESENT, VERIFIED, Device, text

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
UNKNOWN = "This passkey is not known here; use another sign-in method."
LATE = "This passkey request has expired or was already answered; try again."
UNREADABLE = "The browser sent an invalid passkey; try again."
ELSEWHERE = "Passkeys work only over https and under a host name."


class Browser(TestClient):
    """A browser at a server that is reached by https."""

    def __init__(self, service: GameService, address: str = "https://games.example.org") -> None:
        app = create_app(service, loops="none")
        super().__init__(app, address, raise_server_exceptions=False, follow_redirects=True)
        self.accounts = app.state.services.accounts

    def seated(self, name: str) -> "Browser":
        """The browser of a guest of this name."""
        secure = str(self.base_url).startswith("https")
        self.cookies.set("__Host-session" if secure else "session", self.accounts.guest(name).token)
        return self

    def hosts(self) -> None:
        self.post("/host", data={"variant": "standard", "name": "Anna", "you": "keep"})

    def add(self, device: Device, name: str = "") -> Response:
        asked = self.post("/api/me/passkeys/ask", json={})
        assert asked.status_code == 200, asked.text
        return self.post("/api/me/passkeys", json={"credential": device.made(asked.json()), "name": name})

    def asked(self) -> Any:
        return self.post("/api/sign-in/passkey/ask", json={}).json()

    def shows(self, answer: Any) -> Response:
        return self.post("/api/sign-in/passkey", json={"credential": answer})

    @property
    def name(self) -> str:
        answer = self.get("/api/me")
        return str(answer.json()["name"]) if answer.status_code == 200 else ""


def refusal(answer: Response) -> tuple[int, str, str]:
    fault = answer.json()["error"]
    return answer.status_code, fault["code"], fault["message"]


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOON)


@pytest.fixture
def anna(service: GameService) -> Browser:
    return Browser(service).seated("Anna")


@pytest.fixture
def other(service: GameService) -> Browser:
    return Browser(service)


def test_one_comes_back_with_a_device_and_says_no_name(anna: Browser, other: Browser) -> None:
    device = Device()
    assert anna.add(device, "My telephone").status_code == 204
    assert "My telephone" in anna.get("/me").text
    assert "not used yet" in anna.get("/me").text
    assert other.shows(device.answer(other.asked())).status_code == 204
    assert other.name == "Anna"
    assert "last used" in other.get("/me").text
    assert "__Host-session" in other.cookies


def test_of_several_devices_one_is_removed_and_signs_in_no_more_and_the_last_stays(
    anna: Browser, other: Browser
) -> None:
    devices = [Device(), Device()]
    for device in devices:
        anna.add(device)
    remove = re.findall(
        r'name="kind" value="(passkey)"><input type="hidden" name="identifier" value="(\w+)"', anna.get("/me").text
    )
    assert len(remove) == 2
    kind, first = remove[0]
    page = anna.post("/me/ways/remove", data={"kind": kind, "identifier": first})
    assert page.text.count("not used yet") == 1
    assert refusal(other.shows(devices[0].answer(other.asked()))) == (422, "sign_in", UNKNOWN)
    page = anna.post("/me/ways/remove", data={"kind": kind, "identifier": remove[1][1]})
    assert "make recovery words first" in page.text
    assert other.shows(devices[1].answer(other.asked())).status_code == 204


def test_the_games_of_a_guest_pass_to_the_account_that_signs_in_in_the_browser(
    anna: Browser, service: GameService
) -> None:
    device = Device()
    anna.add(device)
    anna.hosts()
    guest = Browser(service).seated("Annie")
    guest.hosts()
    before = guest.cookies["__Host-session"]
    assert guest.shows(device.answer(guest.asked())).status_code == 204
    assert guest.name == "Anna"
    assert len(guest.get("/api/me").json()["games"]["going_on"]) == 2
    thief = Browser(service)
    thief.cookies.set("__Host-session", before)
    assert thief.name == ""  # another session than before


# Refusals


def test_an_answer_counts_once(anna: Browser, other: Browser) -> None:
    device = Device()
    anna.add(device)
    answer = device.answer(other.asked())
    assert other.shows(answer).status_code == 204
    other.post("/me/sign-out")
    assert refusal(other.shows(answer)) == (422, "sign_in", LATE)
    assert other.name == ""
    asked = anna.post("/api/me/passkeys/ask", json={}).json()
    assert refusal(other.shows(device.answer(asked))) == (422, "sign_in", LATE)  # asked for something else


def test_a_device_has_ten_minutes_to_answer(anna: Browser, other: Browser, clock: ManualClock) -> None:
    device = Device()
    anna.add(device)
    asked = other.asked()
    clock.time += timedelta(minutes=10)
    assert refusal(other.shows(device.answer(asked))) == (422, "sign_in", LATE)
    asked = anna.post("/api/me/passkeys/ask", json={}).json()
    clock.time += timedelta(minutes=10)
    late = anna.post("/api/me/passkeys", json={"credential": Device().made(asked)})
    assert refusal(late) == (422, "sign_in", LATE)


def _counter_back(device: Device) -> None:
    device.counter = 0


def _set(**fields: Any) -> Callable[[Device], None]:
    def change(device: Device) -> None:
        for name, value in fields.items():
            setattr(device, name, value)

    return change


WRONG = {
    "another page": _set(origin="https://games.example.com"),
    "the same page by http": _set(origin="http://games.example.org"),
    "another port": _set(origin="https://games.example.org:8443"),
    "bound to another place": _set(place="example.com"),
    "nobody unlocked it": _set(flags=PRESENT),
    "nobody was there": _set(flags=VERIFIED),
    "a counter that went back": _counter_back,
    "an answer to another question": _set(kinds=("webauthn.get", "webauthn.create")),
    "a device nobody has": _set(id=b"x" * 32),
    "another key": lambda device: setattr(device, "key", Device().key),
    "somebody else": _set(owner=b"0" * 20),
    "nobody": _set(owner=b""),
}


def test_whatever_is_wrong_with_an_answer_is_refused_in_the_same_words(anna: Browser, other: Browser) -> None:
    for wrong, change in WRONG.items():
        device = Device()
        assert anna.add(device).status_code == 204
        change(device)
        assert refusal(other.shows(device.answer(other.asked()))) == (422, "sign_in", UNKNOWN), wrong
        assert other.name == ""


def test_a_new_device_is_looked_at_the_same_way(anna: Browser) -> None:
    for wrong in ("another page", "bound to another place", "nobody unlocked it", "an answer to another question"):
        device = Device()
        WRONG[wrong](device)
        assert refusal(anna.add(device)) == (422, "sign_in", "This device cannot be used as a passkey here."), wrong
    assert "not used yet" not in anna.get("/me").text


def test_a_device_is_added_by_the_person_asked_and_to_one_account(anna: Browser, other: Browser) -> None:
    device = Device()
    asked = anna.post("/api/me/passkeys/ask", json={}).json()
    ben = other.seated("Ben")
    stolen = ben.post("/api/me/passkeys", json={"credential": device.made(asked)})
    assert refusal(stolen) == (422, "sign_in", "Another account was asked for in this browser; try again.")
    assert anna.add(device).status_code == 204
    assert refusal(ben.add(device)) == (422, "sign_in", "Another account here already uses this sign-in method.")


def test_no_account_adds_or_removes_a_sign_in_method_long_after_signing_in(
    anna: Browser, service: GameService, clock: ManualClock
) -> None:
    anna.add(Device())
    anna.add(Device())
    guest = Browser(service).seated("Guest")
    clock.time += timedelta(hours=1)
    again = "You signed in more than an hour ago; sign in again to change this."
    assert refusal(anna.post("/api/me/passkeys/ask", json={})) == (422, "sign_in", again)
    way = re.search(r'name="identifier" value="(\w+)"', anna.get("/me").text)
    assert way
    assert again in anna.post("/me/ways/remove", data={"kind": "passkey", "identifier": way[1]}).text
    assert again in anna.post("/me/words").text
    assert guest.add(Device()).status_code == 204  # a guest has no method with which to sign in again


def test_a_stranger_is_asked_to_sign_in_first(other: Browser) -> None:
    assert refusal(other.post("/api/me/passkeys/ask", json={}))[:2] == (401, "not_signed_in")
    assert refusal(other.post("/api/me/passkeys", json={"credential": {}}))[:2] == (401, "not_signed_in")


def test_where_browsers_have_no_passkeys_none_are_offered(service: GameService) -> None:
    for address in ("http://games.example.org", "https://192.0.2.7", "http://127.0.0.1:8021"):
        browser = Browser(service, address)
        assert 'id="passkey"' not in browser.get("/sign-in").text
        assert refusal(browser.post("/api/sign-in/passkey/ask", json={})) == (422, "sign_in", ELSEWHERE), address


def test_on_the_local_machine_passkeys_need_no_https(service: GameService) -> None:
    browser = Browser(service, "http://localhost:8021").seated("Anna")
    assert 'id="passkey"' in browser.get("/sign-in").text
    device = Device(origin="http://localhost:8021", place="localhost")
    assert browser.add(device).status_code == 204
    other = Browser(service, "http://localhost:8021")
    assert other.shows(device.answer(other.asked())).status_code == 204


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.binary(max_size=60).map(text),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_a_browser_sends_ends_in_one_sentence(data: st.DataObject, anna: Browser) -> None:
    device = Device()
    for ask, show, made in (
        ("/api/me/passkeys/ask", "/api/me/passkeys", device.made),
        ("/api/sign-in/passkey/ask", "/api/sign-in/passkey", device.answer),
    ):
        answer = made(anna.post(ask, json={}).json())
        place: dict[str, Any] = answer if data.draw(st.booleans()) else answer["response"]
        place[data.draw(st.sampled_from(sorted(place)))] = data.draw(JSON)
        status, code, message = refusal(anna.post(show, json={"credential": answer}))
        assert (status, code) == (422, "sign_in"), message
        assert message.count(".") == 1


# Stored data


def test_only_the_public_key_and_a_digest_of_a_device_are_stored_and_deleted_with_the_account(
    anna: Browser, store: Store
) -> None:
    device = Device()
    anna.add(device, "Telephone of Anna")
    anna.post("/api/me/passkeys/ask", json={})
    kept = anna.get("/me/data").json()["ways"]
    assert [(one["kind"], one["name"]) for one in kept] == [("passkey", "Telephone of Anna")]
    tables = (schema.ways, schema.challenges)
    with store.engine.connect() as connection:
        rows = [tuple(row) for table in tables for row in connection.execute(select(table))]
    assert len(rows) == 2
    assert text(device.id) not in repr(rows)
    anna.post("/me/delete", data={"sure": "delete"})
    with store.engine.connect() as connection:
        assert [connection.execute(select(table)).all() for table in tables] == [[], []]

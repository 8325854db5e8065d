"""Signing in with an account elsewhere, at a provider on this machine: who comes in, and what is refused."""

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from joserfc.jwk import ECKey

from plenipo.server.keys import digest
from plenipo.server.people.provider_settings import ProviderError, providers_of
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.store.moderation import Moderation
from plenipo.server.store.persons import Persons, SignInMethod
from plenipo.server.web.app import create_app
from server.clocks import ManualClock
from server.provider import Elsewhere, elsewhere

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
NOT_BEGUN = "This sign-in was started in another browser, or too long ago; start again."
NOT_SIGNED = "The answer of Club is not signed for this server; start again."


@pytest.fixture
def there() -> Iterator[Elsewhere]:
    with elsewhere(NOON) as running:
        yield running


@pytest.fixture
def clock(there: Elsewhere) -> ManualClock:
    return there.clock


class Browser(TestClient):
    """A browser that goes to providers and comes back."""

    def __init__(self, service: GameService, there: Elsewhere) -> None:
        app = create_app(service, loops="none", provided_by=(there.discord(), there.openid()))
        super().__init__(app, "https://games.example.org", follow_redirects=True)
        self.there, self.accounts = there, app.state.services.accounts

    def seated(self, name: str) -> "Browser":
        """The browser of a guest of this name."""
        self.cookies.set("__Host-session", self.accounts.guest(name).token, "games.example.org", "/")
        return self

    def goes(self, path: str) -> str:
        """Begin; where the provider sends it back."""
        page = self.post(path)
        assert page.status_code == 200, re.findall(r"alert.*", page.text)
        found = re.search(r'href="(http://127[^"]+)"', page.text)
        assert found
        address = unescape(found[1])
        assert page.headers["refresh"] == f"0; url={address}"
        return self.there.asked(address)

    def comes(self, path: str = "/sign-in/with/discord") -> Response:
        return self.get(self.goes(path))

    @property
    def name(self) -> str:
        answer = self.get("/api/me")
        return str(answer.json()["name"]) if answer.status_code == 200 else ""

    @property
    def ways(self) -> list[Any]:
        found: list[Any] = self.get("/me/data").json()["ways"]
        return [(one["kind"], one.get("name", "")) for one in found]


@pytest.fixture
def anna(service: GameService, there: Elsewhere) -> Browser:
    return Browser(service, there)


@pytest.fixture
def other(service: GameService, there: Elsewhere) -> Browser:
    return Browser(service, there)


PATHS = ("/sign-in/with/discord", "/sign-in/with/club")


@pytest.mark.parametrize("path", PATHS)
def test_a_stranger_comes_in_by_an_account_elsewhere_and_comes_back_by_it(
    path: str, anna: Browser, other: Browser
) -> None:
    page = anna.comes(path)
    assert page.url.path == "/me", re.findall(r"alert.*", page.text)
    assert anna.name == "Anna"
    assert len(anna.get("/me/data").json()["devices"]) == 1
    other.there.name = "Somebody's new name"
    other.comes(path)
    assert other.name == "Anna"
    assert other.ways == [("provider", "Discord" if "discord" in path else "Club")]
    assert "last used" in other.get("/me").text


def test_a_guest_keeps_the_games_and_a_known_account_takes_them_over(anna: Browser, other: Browser) -> None:
    anna.seated("Annie")
    before = anna.cookies["__Host-session"]
    anna.comes()
    assert (anna.name, anna.ways) == ("Annie", [("provider", "Discord")])
    assert anna.cookies["__Host-session"] != before
    other.seated("Guest").post("/host", data={"variant": "standard", "name": "Guest", "you": "keep"})
    other.comes()
    assert other.name == "Annie"
    assert len(other.get("/api/me").json()["games"]["going_on"]) == 1


def test_an_external_account_is_linked_and_unlinked_and_never_signs_in_two_people(
    anna: Browser, other: Browser
) -> None:
    anna.seated("Annie").post("/me/words")
    assert anna.comes("/me/link/discord").url.path == "/me"
    assert anna.ways == [("words", ""), ("provider", "Discord")]
    refused = other.seated("Ben").comes("/me/link/discord")
    assert "Another account here already uses this Discord account." in refused.text
    assert other.name == "Ben"
    found = re.search(
        r'name="kind" value="provider"><input type="hidden" name="identifier" value="(\w+)"', anna.get("/me").text
    )
    assert found
    anna.post("/me/ways/remove", data={"kind": "provider", "identifier": found[1]})
    assert anna.ways == [("words", "")]
    other.comes("/me/link/discord")
    assert other.ways == [("provider", "Discord")]


def test_accounts_are_linked_within_an_hour_after_signing_in(anna: Browser, there: Elsewhere) -> None:
    anna.seated("Annie").post("/me/words")
    there.clock.time += timedelta(hours=1)
    assert "You signed in more than an hour ago" in anna.post("/me/link/discord").text


def test_no_account_is_taken_over_by_a_mail_address(anna: Browser, there: Elsewhere, store: Store) -> None:
    victim = anna.accounts.guest("Victim").person
    store.of(Persons).add_way(SignInMethod("mail", "victim@example.org", victim.id, NOON))
    for path in PATHS:
        for verified in (True, False):
            there.subject, there.mail = f"{path} {verified}", {"email_verified": verified, "verified": verified}
            there.mail["email"] = "victim@example.org"
            anna.comes(path)
            assert anna.name == "Anna"
            assert anna.ways == [("provider", "Discord" if "discord" in path else "Club")]
            anna.post("/me/sign-out")


# Refusals


def test_a_sign_in_that_did_not_begin_in_this_browser_fails(anna: Browser, other: Browser) -> None:
    back = anna.goes("/sign-in/with/discord")
    for wrong in (back.replace("state=", "state=x"), back.partition("&state")[0], back.partition("?")[0]):
        refused = anna.get(wrong)
        assert (refused.status_code, NOT_BEGUN in refused.text) == (422, True)
    assert NOT_BEGUN in other.get(back).text  # the redirect belongs to another browser
    assert NOT_BEGUN in anna.get(back).text  # and spent
    assert (anna.name, other.name) == ("", "")


def test_a_code_of_another_sign_in_is_worth_nothing(anna: Browser, other: Browser, there: Elsewhere) -> None:
    there.subject, mine = "1", other.goes("/sign-in/with/discord")
    there.subject, stolen = "2", anna.goes("/sign-in/with/discord")
    swapped = re.sub("code=[^&]+", stolen.partition("?")[2].partition("&")[0], mine)
    assert "Discord did not confirm who you are" in other.get(swapped).text  # it was asked for with another secret
    assert other.name == ""
    back = anna.goes("/sign-in/with/discord")
    assert NOT_BEGUN in anna.get(back.replace("/discord/", "/club/")).text  # a code of another provider


def test_a_returning_sign_in_is_the_one_that_left_and_in_time(anna: Browser, there: Elsewhere) -> None:
    back = anna.goes("/sign-in/with/discord")
    anna.seated("Another")
    assert NOT_BEGUN in anna.get(back).text
    back = anna.goes("/sign-in/with/discord")
    there.clock.time += timedelta(minutes=10)
    assert NOT_BEGUN in anna.get(back).text
    back = anna.goes("/sign-in/with/discord")
    assert anna.get(f"{back}&next=https://evil.example").url.path == "/me"
    assert NOT_BEGUN in anna.get(back).text  # once


def _says(**claims: Any) -> Callable[[Elsewhere], None]:
    def change(there: Elsewhere) -> None:
        there.claims = claims

    return change


def _other_key(there: Elsewhere) -> None:
    there.signs = ECKey.generate_key("P-256", {"kid": "1"})


WRONG = {
    "an answer to another question": _says(nonce="x"),
    "an answer to no question": _says(nonce=None),
    "for another server": _says(aud="others"),
    "for several, and this one not the one that asked": _says(aud=["us", "others"], azp="others"),
    "from another provider": _says(iss="https://login.example.com"),
    "too old": _says(exp=int(NOON.timestamp()) - 3600),
    "of nobody": _says(sub=""),
    "with another key": _other_key,
}


def test_what_openid_says_is_signed_for_this_server_and_this_question(anna: Browser, there: Elsewhere) -> None:
    for wrong, change in WRONG.items():
        there.claims, there.signs = {}, None
        change(there)
        refused = anna.comes("/sign-in/with/club")
        assert 'role="alert"' in refused.text, wrong
        assert refused.status_code == (503 if wrong == "of nobody" else 422), wrong
        assert anna.name == "", wrong


def _part(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@pytest.mark.parametrize("algorithm", ["none", "None", "HS256", "HS512"])
def test_an_answer_without_a_signature_or_signed_with_the_public_key_is_refused(
    anna: Browser, there: Elsewhere, algorithm: str
) -> None:
    def forge(said: dict[str, Any]) -> str:
        header = {"alg": algorithm, "kid": "1"}
        body = f"{_part(json.dumps(header).encode())}.{_part(json.dumps(said).encode())}"
        secret = there.key.as_pem(private=False)
        how = hashlib.sha512 if algorithm == "HS512" else hashlib.sha256
        signature = hmac.digest(secret, body.encode(), how) if algorithm.startswith("HS") else b""
        return f"{body}.{_part(signature)}"

    there.forged = forge
    refused = anna.comes("/sign-in/with/club")
    assert (refused.status_code, "is not signed for this server" in refused.text, anna.name) == (422, True, "")
    there.forged = None
    anna.comes("/sign-in/with/club")
    assert anna.name == "Anna"


def test_an_answer_of_one_provider_is_not_taken_back_by_another(anna: Browser) -> None:
    back = anna.goes("/sign-in/with/discord")
    assert NOT_BEGUN in anna.get(back.replace("/with/discord/", "/with/club/")).text
    assert anna.name == ""


def test_new_keys_of_a_provider_are_asked_for(anna: Browser, there: Elsewhere) -> None:
    anna.comes("/sign-in/with/club")
    there.key = ECKey.generate_key("P-256", {"kid": "1"})
    assert anna.comes("/sign-in/with/club").url.path == "/me"


def test_an_unreachable_or_refusing_provider_is_reported_in_a_sentence(anna: Browser, there: Elsewhere) -> None:
    back = anna.goes("/sign-in/with/discord")
    assert "Discord did not confirm who you are" in anna.get(re.sub("code=[^&]+", "error=access_denied", back)).text
    back = anna.goes("/sign-in/with/discord")
    there.broken = True
    answer = anna.get(back)
    assert (answer.status_code, "Discord cannot be reached now" in answer.text) == (503, True)
    answer = anna.post("/sign-in/with/club")
    assert (answer.status_code, "Club cannot be reached now" in answer.text) == (503, True)
    answer = anna.post("/sign-in/with/nobody")
    assert (answer.status_code, "There is no sign-in method" in answer.text) == (422, True)


def test_a_deleted_account_does_not_return_by_its_provider(anna: Browser, other: Browser, store: Store) -> None:
    anna.comes()
    person = anna.accounts.of(anna.cookies["__Host-session"])
    store.of(Moderation).close_ways([digest(way.identifier) for way in store.of(Persons).ways(person.id)])
    anna.post("/me/delete", data={"sure": "delete"})
    assert "The moderators of this server closed the account" in other.comes().text
    assert other.name == ""


def test_a_page_of_another_server_begins_nothing(anna: Browser) -> None:
    assert anna.post("/sign-in/with/discord", headers={"origin": "https://evil.example"}).status_code == 403


# Settings of the operator


def test_the_page_shows_what_the_operator_named_and_nothing_else(anna: Browser, service: GameService) -> None:
    assert re.findall("Sign in with (Discord|Club)<", anna.get("/sign-in").text) == ["Discord", "Club"]
    with TestClient(create_app(service, loops="none")) as plain:
        assert "External account" not in plain.get("/sign-in").text


def test_providers_are_read_from_the_environment_and_no_refusal_quotes_a_secret() -> None:
    discord, club = providers_of(
        {"PLENIPO_DISCORD": "12:a:b", "PLENIPO_OPENID": "The_Club=https://us:h%40sh@login.example.org:8443/realms/x"}
    )
    assert (discord.client, discord.secret, discord.title) == ("12", "a:b", "Discord")
    assert (club.client, club.secret, club.issuer) == ("us", "h@sh", "https://login.example.org:8443/realms/x")
    assert (club.slug, club.title) == ("the_club", "The Club")
    assert "h@sh" not in repr(club)
    assert providers_of({}) == ()
    for wrong in (
        {"PLENIPO_DISCORD": "topsecret"},
        {"PLENIPO_OPENID": "https://us:topsecret@login.example.org"},
        {"PLENIPO_OPENID": "Club=http://us:topsecret@login.example.org"},
        {"PLENIPO_OPENID": "Club=https://topsecret@login.example.org"},
        {"PLENIPO_OPENID": "Club=https://us:topsecret@a.org club=https://us:topsecret@b.org"},
    ):
        with pytest.raises(ProviderError) as refused:
            providers_of(wrong)
        assert "topsecret" not in str(refused.value)

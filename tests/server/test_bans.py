"""Bans hold on every route that changes something, say why and until when, end by themselves, and are appealed."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from plenipo.server.limits import is_this_machine
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.store.persons import Persons
from plenipo.server.web.app import PARTS, create_app
from plenipo.server.web.context import READING, is_open_to_banned
from server.clocks import ManualClock
from server.test_moderation import MODERATOR, Door, person_of, write

OPEN = {
    "/appeal",
    "/api/me/bans/{number}/appeal",
    "/api/sign-in/passkey",
    "/api/sign-in/passkey/ask",
    "/me/delete",
    "/me/sign-out",
    "/sign-in",
    "/sign-in/code",
    "/sign-in/words",
    "/sign-in/with/{slug}",
    "/sign-in/{link}",
    "/language",
    "/unsubscribe/{token}",
}
"""The routes that a banned person may use: sign in and out, leave, unsubscribe and appeal."""

REASON = "Insults in three games."


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(datetime(2026, 11, 23, 12, tzinfo=UTC))


@pytest.fixture
def door(service: GameService, store: Store) -> Door:
    return Door(service, store)


class Case:
    """A game in which Ben, who has a mail address, insults Cora, who reports Ben; and a moderator."""

    def __init__(self, door: Door) -> None:
        self.door = door
        self.anna, self.cora, self.mod = door.browser(), door.browser(), door.member(MODERATOR)
        self.mod.post("/me/name", data={"name": "Mo Derby"})
        self.ben = door.member("ben@example.org")
        self.game = door.game(self.anna, self.ben, self.cora)
        write(self.ben, self.game, "England", "France", "Rude words.")
        self.ben_id = person_of(door, self.game, "England")
        self.report()

    def report(self) -> None:
        body = {"thread": ["England", "France"], "seat": "England", "sentence": "He is rude.", "kind": "abuse"}
        assert self.cora.post(f"/api{self.game}/press/report", json=body).status_code == 204

    def ban(self, days: int | None = 7, *, networks: bool = False, number: int = 1) -> None:
        body = {"act": "ban", "reason": REASON, "days": days, "networks": networks}
        answer = self.mod.post(f"/api/moderation/{number}", json=body)
        assert answer.status_code == 200, answer.text

    def mails(self, to: str) -> list[str]:
        posts = self.door.store.of(Persons).take_posts(self.door.service.clock.now())
        return [f"{post.subject}\n{post.body}" for post, _ in posts if post.to == to]


@pytest.fixture
def case(door: Door) -> Case:
    return Case(door)


def all_routes() -> list[APIRoute]:
    return [route for part in PARTS for route in part.router.routes if isinstance(route, APIRoute)]


def changing() -> list[tuple[str, str]]:
    return sorted((method, route.path) for route in all_routes() for method in (route.methods or set()) - READING)


def test_what_is_open_to_the_banned_is_this_list() -> None:
    found = {route.path for route in all_routes() if is_open_to_banned(route.endpoint)}
    assert found == OPEN


def test_a_ban_closes_every_route_that_changes_something(case: Case) -> None:
    case.ban()
    tried = 0
    for method, path in changing():
        address = re.sub(r"\{game\}", case.game.rpartition("/")[2], path)
        address = re.sub(r"\{[a-z_]+(?::[a-z]+)?\}", "1", address)
        answer = case.ben.request(
            method, address, json={} if path.startswith("/api/") else None, follow_redirects=False
        )
        refused = answer.status_code == 403 and "is banned until" in answer.text
        assert refused == (path not in OPEN), (method, path, answer.status_code, answer.text[:200])
        tried += 1
        if path == "/me/sign-out":
            case.ben.post("/sign-in", data={"mail": "ben@example.org"})
            code = next(re.findall(r"\d{6}", mail)[0] for mail in reversed(case.mails("ben@example.org")))
            case.ben.post("/sign-in/code", data={"code": code})
        if path == "/me/delete":
            assert case.ben.get("/api/me").status_code == 200  # it asks whether one means it
    assert tried > 90


def test_a_banned_person_acts_with_no_key_to_a_seat_either(case: Case) -> None:
    kept = next(cookie.value for cookie in case.ben.cookies.jar if cookie.name == "seat")
    stranger = case.door.browser()
    body = {"seat": "England", "to": ["France"], "text": "Me again."}
    header = {"authorization": "Bearer " + str(kept).rpartition("~")[2]}
    assert stranger.post(f"/api{case.game}/press", json=body, headers=header).status_code == 201
    case.ban()
    answer = stranger.post(f"/api{case.game}/press", json=body, headers=header)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "banned")


def test_the_page_and_the_mail_about_a_ban_give_its_reason_and_end(case: Case) -> None:
    case.mails("ben@example.org")
    case.ban()
    sentence = f"This account is banned until 30 November 2026, 12:00 UTC: {REASON}"
    assert sentence in case.ben.post("/me/name", data={"name": "Benno"}).text
    assert f"The ban ends on 30 November 2026. {REASON}" in case.ben.get("/appeal").text
    assert REASON in case.ben.get("/me").text
    (mail,) = case.mails("ben@example.org")
    assert sentence in mail
    assert "/appeal" in mail
    assert case.ben.get("/me/data").json()["bans"] == [
        {
            "since": "2026-11-23T12:00:00+00:00",
            "until": "2026-11-30T12:00:00+00:00",
            "reason": REASON,
            "lifted": False,
            "appeal": None,
        }
    ]


def test_a_ban_ends_automatically(case: Case, clock: ManualClock) -> None:
    case.ban(days=3)
    clock.time += timedelta(days=3) - timedelta(seconds=1)
    assert case.ben.post("/me/name", data={"name": "Benno"}).status_code == 403
    clock.time += timedelta(seconds=1)
    assert case.ben.post("/me/name", data={"name": "Benno"}).status_code == 200
    assert "You are not banned." in case.ben.get("/appeal").text


def test_a_banned_person_appeals_once_and_a_moderator_decides(case: Case) -> None:
    case.ban(days=None)
    assert "permanent" in case.ben.get("/appeal").text
    assert "The appeal is empty" in case.ben.post("/appeal", data={"number": "1", "text": " "}).text
    assert "I am sorry" not in case.cora.get("/appeal").text
    assert case.cora.post("/appeal", data={"number": "1", "text": "Let me in."}).status_code == 422
    assert "You have appealed" in case.ben.post("/appeal", data={"number": "1", "text": "I am sorry."}).text
    assert case.ben.post("/appeal", data={"number": "1", "text": "Really."}).status_code == 422
    found = case.mod.get("/api/moderation").json()
    assert (found["appeals"], found["bans"][0]["appeal"]) == (1, "I am sorry.")
    assert "I am sorry." in case.mod.get("/moderation").text
    case.mails("ben@example.org")
    assert case.mod.post("/moderation/bans/1", data={"act": "lift", "reason": "Agreed."}).status_code == 200
    assert case.mod.get("/api/moderation").json()["appeals"] == 0
    assert case.ben.post("/me/name", data={"name": "Benno"}).status_code == 200
    (mail,) = case.mails("ben@example.org")
    assert "Your ban has ended. Agreed." in mail
    assert case.mod.post("/api/moderation/bans/1", json={"lifted": True, "reason": "Again."}).status_code == 422


def test_a_new_account_with_the_address_of_a_deleted_one_is_still_banned(case: Case) -> None:
    case.ban()
    assert case.ben.post("/me/delete", data={"sure": "delete"}).status_code == 200
    again = case.door.member("ben@example.org")
    assert again.post("/me/name", data={"name": "Bernard"}).status_code == 403
    assert "is banned" in again.get("/appeal").text


def test_a_banned_guest_takes_no_seat_along_into_an_account(case: Case) -> None:
    case.door.member("cora@example.org")
    write(case.cora, case.game, "France", "England", "Rude words, too.")
    cora_id = person_of(case.door, case.game, "France")
    case.ben.post(f"/people/{cora_id}/report", data={"sentence": "Rude.", "kind": "spam"})
    case.ban(number=2)
    case.cora.post("/sign-in", data={"mail": "cora@example.org"})
    code = next(re.findall(r"\d{6}", mail)[0] for mail in case.mails("cora@example.org"))
    case.cora.post("/sign-in/code", data={"code": code})
    assert person_of(case.door, case.game, "France") == cora_id


# Networks


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::5", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::5", "2001:db8:1:3::5", False),
        ("203.0.113.7", "::ffff:203.0.113.7", True),
        ("::ffff:203.0.113.7", "::ffff:203.0.113.8", False),
        ("203.0.113.7", "203.0.113.8", False),
    ],
)
def test_a_ban_of_a_network_counts_ipv6_by_64_bits(door: Door, one: str, other: str, same: bool) -> None:  # noqa: FBT001
    mod = door.member(MODERATOR)
    body = {"address": one, "reason": REASON, "days": 7}
    assert mod.post("/api/moderation/bans/network", json=body).status_code == 200
    for address, banned in ((one, True), (other, same)):
        browser = TestClient(door.app, client=(address, 4711), raise_server_exceptions=False)
        answer = browser.post("/host", data={"variant": "standard", "name": "Dora", "you": "keep"})
        assert ("This network is banned" in answer.text) == banned
        assert ("This network is banned" in browser.get("/appeal").text) == banned


def test_this_machine_is_no_network_however_its_address_is_written() -> None:
    assert all(is_this_machine(address) for address in ("127.0.0.1", "::1", "::ffff:127.0.0.1"))


@pytest.mark.parametrize("address", ["somewhere", "203.0.113.0/24", "2001:db8::/48", "127.0.0.1", "0.0.0.0/0", ""])
def test_a_network_that_cannot_be_banned_is_refused_in_a_sentence(door: Door, address: str) -> None:
    mod = door.member(MODERATOR)
    answer = mod.post("/api/moderation/bans/network", json={"address": address, "reason": REASON})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "report")


def test_a_moderator_bans_the_networks_of_a_person_without_an_address_being_kept(
    service: GameService, store: Store
) -> None:
    door = Door(service, store)
    case = Case(door)
    address = ("203.0.113.77", 4711)
    case.ben = TestClient(door.app, client=address, cookies=case.ben.cookies, raise_server_exceptions=False)
    assert case.ben.post("/me/name", data={"name": "Benno"}, follow_redirects=False).status_code == 303
    case.ban(networks=True)
    fresh = TestClient(door.app, client=address, raise_server_exceptions=False)
    answer = fresh.post("/host", data={"variant": "standard", "name": "Dora", "you": "keep"})
    assert "This network is banned" in answer.text or "This account is banned" in answer.text
    with store.engine.connect() as connection:
        dump = "\n".join(connection.connection.driver_connection.iterdump())  # type: ignore[union-attr]
    assert "203.0.113.77" not in dump


# Secrets from other people


def test_reports_bans_appeals_and_the_log_are_shown_to_moderators_alone(case: Case) -> None:
    stranger = case.door.browser()
    paths = [
        "/",
        "/find",
        case.game,
        f"/api{case.game}",
        f"/api{case.game}/press",
        f"/people/{case.ben_id}",
        "/me/data",
    ]
    paths += [f"/api/people/{case.ben_id}", "/api/me", "/appeal", "/api/me/bans"]

    def seen() -> dict[tuple[str, str], bytes]:
        others = {"anna": case.anna, "cora": case.cora, "stranger": stranger}
        return {(who, path): browser.get(path).content for who, browser in others.items() for path in paths}

    before = seen()
    case.ban()
    case.ben.post("/appeal", data={"number": "1", "text": "I am sorry."})
    assert seen() == before
    for browser in (case.anna, case.ben, case.cora, stranger):
        for path in ("/moderation", "/api/moderation"):
            answer = browser.get(path)
            assert answer.status_code in (401, 403)
            assert "rude" not in answer.text.casefold()
        for path, body in (
            ("/api/moderation/1", {"act": "dismiss", "reason": "No."}),
            ("/api/moderation/bans/1", {"lifted": True, "reason": "No."}),
            ("/api/moderation/bans/network", {"address": "203.0.113.1", "reason": "No."}),
        ):
            assert browser.post(path, json=body).status_code in (401, 403)


def test_a_reported_person_does_not_learn_that_or_by_whom(case: Case) -> None:
    """The same bytes after no second report, one of Anna's and one of Cora's."""
    paths = [case.game, f"/api{case.game}", f"/api{case.game}/press", f"/people/{case.ben_id}", "/me", "/me/data"]
    paths += ["/api/me", "/appeal", "/api/me/bans", f"/api{case.game}/press/thread?seat=England&seat=France"]

    def seen() -> list[bytes]:
        return [case.ben.get(path).content for path in paths]

    before = seen()
    for browser in (case.cora, case.anna):
        assert browser.post(f"/people/{case.ben_id}/report", data={"sentence": "Rude."}).status_code == 200
        assert seen() == before
    assert case.mails("ben@example.org") == [] or all("report" not in mail for mail in case.mails("ben@example.org"))


def test_the_queue_counts_and_shows_the_history_of_a_person(case: Case, clock: ManualClock) -> None:
    case.mod.post("/api/moderation/1", json={"act": "dismiss", "reason": "A first warning."})
    clock.time += timedelta(days=1)
    case.report()
    case.cora.post(f"/people/{case.ben_id}/report", data={"sentence": "And his name.", "kind": "name"})
    found = case.mod.get("/api/moderation").json()
    assert (found["open"], found["by_kind"], found["oldest"]) == (2, {"abuse": 1, "name": 1}, "2026-11-24T12:00:00Z")
    report = next(one for one in found["reports"] if one["number"] == 2)
    assert (report["thread"], report["messages"][0]["reported"]) == (["England", "France"], True)
    assert [one["number"] for one in report["history"]["reports"]] == [3, 1]
    assert report["history"]["decisions"] == ["Report 1: no action. A first warning."]
    assert found["journal"][0]["moderator"] == "Mo Derby"
    page = case.mod.get("/moderation").text
    for words in ("History: 2 earlier reports, 0 bans", "A first warning.", "Offensive or misleading name"):
        assert words in page


def test_a_report_of_no_known_kind_is_refused(case: Case) -> None:
    answer = case.cora.post(f"/api/people/{case.ben_id}/report", json={"sentence": "Rude.", "kind": "treason"})
    assert (answer.status_code, "'treason' is not a kind of report" in answer.text) == (422, True)


def test_banned_browsers_keep_reading(case: Case) -> None:
    case.ban()
    for path in (case.game, "/me", "/me/data", "/find", f"/api{case.game}"):
        assert case.ben.get(path).status_code == 200


def test_a_server_without_bans_says_so_publicly(service: GameService) -> None:
    browser = TestClient(create_app(service))
    assert browser.get("/api/me/bans").json() == {"bans": []}

"""Orders, choices and promises stay secret until they are revealed: the bytes of every answer are compared.

Two games differ only in the unrevealed order set of one power. Every answer to other viewpoints, page, picture or JSON,
must be the same to the byte, except for the random words of each game.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from plenipo import library
from plenipo.engine.orders import Promise
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.errors import PlenipoError
from plenipo.server.service import GameService
from plenipo.server.web.views import promises_asked
from proofs import share

Json = dict[str, Any]

PHASES = 4
"""The number of phases checked in each variant: choices, first moves, retreats and builds."""

WORDS = "If Narnia enters Mordor, give him 7 points."


class Table:
    """One of the two games: its id and keys."""

    def __init__(self, client: TestClient, variant: str) -> None:
        preferences = {"variant": variant, "seating": "links", "name": "the game"}
        opened = client.post("/api/games", json=preferences).json()
        client.cookies.clear()
        self.client = client
        self.id = opened["id"]
        self.table = opened["keys"]["all"]
        self.keys = opened["keys"]["seats"]

    def ask(self, path: str, key: str) -> bytes:
        """The bytes of an answer, without what is drawn by lot."""
        headers = {"authorization": f"Bearer {key}"} if key else {}
        answer = self.client.get(path.replace("GAME", self.id), headers=headers)
        assert answer.status_code < 500, answer.text
        plain = answer.text.replace(self.id, "GAME")
        for token in (self.table, *self.keys.values()):
            assert token not in plain
        return re.sub(r'"(commitment|hash|previous)": ?"[0-9a-f]{64}"', "", plain).encode()

    def give(self, seat: str, give: list[str], promises: list[str] | None = None, *, ready: bool = False) -> None:
        phase_number = self.client.get(f"/api/games/{self.id}").json()["phase_number"]
        body = {"phase_number": phase_number, "seat": seat, "give": give, "ready": ready}
        body |= {} if promises is None else {"promises": promises}
        headers = {"authorization": f"Bearer {self.keys[seat]}"}
        answer = self.client.post(f"/api/games/{self.id}/orders", json=body, headers=headers)
        assert answer.status_code == 200, answer.text

    def process(self) -> Json:
        phase_number = self.client.get(f"/api/games/{self.id}").json()["phase_number"]
        headers = {"authorization": f"Bearer {self.table}"}
        answer = self.client.post(f"/api/games/{self.id}/process", json={"phase_number": phase_number}, headers=headers)
        found: Json = answer.json()
        return found


def addresses(turn: int) -> Iterator[str]:
    """Every address that can be asked about a game."""
    api = "/api/games/GAME"
    yield from (api, f"{api}/board", f"{api}/options", f"{api}/history", f"{api}/record")
    yield from (f"{api}?seat=observer", f"{api}/complete?text=a")
    yield from ("/games/GAME", "/games/GAME?seat=observer", "/games/GAME/picture.svg", "/games/GAME/picture.svg?bare=1")
    if turn:
        yield from (f"{api}/turns/{turn - 1}", f"/games/GAME?turn={turn - 1}&results=1")


def order_sets_of(service: GameService, table: Table, power: Power) -> tuple[list[str], list[str]] | None:
    """Two different order sets a power may hand in now, None if there are not two."""
    seen = service.view(table.id, service.credentials(table.id, []), None)
    legal = Legality(seen.rules, seen.position).orders_of(power)
    orders = [str(order) for order in legal]
    return (orders[:1], orders[-1:]) if len(orders) > 1 else None


@pytest.mark.parametrize("variant", share(library.names(), 3))
def test_two_games_that_differ_in_a_secret_look_the_same_to_others(
    client: TestClient, service: GameService, variant: str
) -> None:
    rules = library.load(variant)
    one, other = Table(client, variant), Table(client, variant)
    compared = 0
    for turn in range(PHASES):
        seen = service.view(one.id, service.credentials(one.id, []), None)
        if seen.view.over:
            break
        host = next((power for power in rules.names if order_sets_of(service, one, power)), None)
        if host is None or turn != seen.turn:
            break
        pair = order_sets_of(service, one, host)
        assert pair
        promises = [WORDS] if promises_asked(rules, seen.position) else None
        one.give(host, pair[0])
        other.give(host, pair[1], promises)
        eyes = ["", next(power for power in rules.names if power != host)]
        for power in eyes:
            for address in addresses(turn):
                keys = [table.keys.get(power, "") for table in (one, other)]
                shown = [table.ask(address, key) for table, key in zip((one, other), keys, strict=True)]
                assert shown[0] == shown[1], f"{address} shows {power or 'an observer'} something of {host}"
                assert b"Mordor" not in shown[1]
                compared += 1
        # the host itself sees its own
        own = other.ask("/api/games/GAME", other.keys[host])
        assert pair[1][0].encode() in own
        if promises:
            assert b"Mordor" in own
        # the order sets are made the same, so that the games go on alike
        headers = {"authorization": f"Bearer {other.keys[host]}"}
        body = {"phase_number": seen.phase_number, "seat": host, "orders": pair[0]}
        assert client.put(f"/api/games/{other.id}/orders", json=body, headers=headers).status_code == 200
        alike(service, one, other)
        if "error" in one.process():
            break
        other.process()
    assert compared > 20


def alike(service: GameService, one: Table, other: Table) -> None:
    """Give both games the same dice, so that chance does not part them."""
    tables = [service.games.load(table.id) for table in (one, other)]
    object.__setattr__(tables[1].game, "dice", tables[0].game.dice)


@pytest.mark.parametrize("variant", share(library.names(), 3))
def test_events_tell_others_that_a_order_set_came_and_not_what_is_in_it(
    client: TestClient, service: GameService, variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(client, variant)
    rules = library.load(variant)
    host = next(power for power in rules.names if order_sets_of(service, table, power))
    pair = order_sets_of(service, table, host)
    assert pair
    told: list[Any] = []
    monkeypatch.setattr(service.broker, "announce", lambda _, event: told.append(event))
    table.give(host, pair[0])
    shown = told[0].for_eyes(frozenset())
    assert set(shown) == {"power", "status", "phase_number"}
    assert "version" in told[0].for_eyes(frozenset({host}))


def test_a_promise_is_secret_until_its_turn_is_over(client: TestClient, service: GameService) -> None:
    promising = [name for name in library.names() if "promises" in library.read(name).modules]
    table = Table(client, promising[0])
    for _ in range(4):
        seen = service.view(table.id, service.credentials(table.id, []), None)
        if promises_asked(seen.rules, seen.position):
            break
        table.process()
    host, reader = seen.rules.names[:2]
    table.give(host, [], [WORDS])
    assert str(Promise(WORDS)) not in table.ask("/api/games/GAME", table.keys[reader]).decode()
    table.process()
    assert b"Mordor" in table.ask(f"/api/games/GAME/turns/{seen.turn}", table.keys[reader])


def test_games_in_fog_that_differ_in_what_a_power_does_not_see_look_the_same_to_it(client: TestClient) -> None:
    one, other = Table(client, "fog-of-war"), Table(client, "fog-of-war")
    unseen = (
        {"Turkey": ["F ANK - BLA"], "Russia": ["A MOS - UKR"]},
        {"Turkey": ["A SMY - ARM"], "Russia": ["A MOS - LVN"]},
    )
    compared = 0
    for turn in range(2):
        for table, orders in zip((one, other), unseen, strict=True):
            table.give("France", ["A PAR - BUR"] if not turn else ["A BUR - BEL"])
            for power, texts in orders.items() if not turn else ():
                table.give(power, texts)
            table.process()
        for address in (*addresses(turn + 1), "/api/games/GAME/turns/0/why?unit=A%20PAR"):
            for power in ("", "France"):
                keys = [table.keys.get(power, "") for table in (one, other)]
                shown = [table.ask(address, key) for table, key in zip((one, other), keys, strict=True)]
                assert shown[0] == shown[1], f"{address} shows {power or 'an observer'} something of Turkey or Russia"
                assert not re.search(rb"(F BLA|A ARM|A UKR|A LVN)\b", shown[0])
                compared += 1
    assert compared > 40
    # the powers themselves see what they did
    assert b"A ARM" in other.ask("/api/games/GAME", other.keys["Turkey"])
    assert b"A ARM" not in one.ask("/api/games/GAME", one.keys["Turkey"])


def test_of_a_running_game_in_fog_there_is_neither_a_record_nor_a_fork(
    client: TestClient, service: GameService
) -> None:
    table = Table(client, "fog-of-war")
    headers = {"authorization": f"Bearer {table.keys['France']}"}
    assert client.get(f"/api/games/{table.id}/record", headers=headers).status_code == 403
    assert client.post(f"/api/games/{table.id}/fork", json={}, headers=headers).status_code in (403, 404)
    with pytest.raises(PlenipoError, match="all of it becomes public"):
        service.fork(table.id)


def test_an_order_about_a_unit_that_is_not_seen_is_answered_as_if_it_were_not_there(client: TestClient) -> None:
    one, other = Table(client, "fog-of-war"), Table(client, "fog-of-war")
    other.give("Germany", ["A MUN - BOH"])
    for table in (one, other):
        table.process()
    answers = []
    for table in (one, other):
        headers = {"authorization": f"Bearer {table.keys['France']}"}
        phase_number = client.get(f"/api/games/{table.id}").json()["phase_number"]
        body = {"phase_number": phase_number, "seat": "France", "give": ["A PAR S A BER - MUN"]}
        answer = client.post(f"/api/games/{table.id}/orders", json=body, headers=headers)
        answers.append((answer.status_code, answer.text.replace(table.id, "GAME")))
    assert answers[0] == answers[1]


def test_games_that_differ_in_a_secret_gift_look_the_same_to_those_it_does_not_concern(client: TestClient) -> None:
    one, other = Table(client, "condottieri"), Table(client, "condottieri")
    for table, gifts in ((one, ["GIVE Italy 2"]), (other, ["GIVE Italy 1"])):
        table.give("France", ["A PAR - BUR", *gifts])
        table.process()
        table.process()
    compared = 0
    for address in (*addresses(2), "/api/games/GAME/turns/0/why?unit=A%20PAR", "/api/games/GAME/turns/0"):
        for power in ("", "Turkey"):
            shown = [table.ask(address, table.keys.get(power, "")) for table in (one, other)]
            assert shown[0] == shown[1], f"{address} shows {power or 'an observer'} what France gave"
            assert b"GIVE Italy" not in shown[0]
            compared += 1
    assert compared > 20
    assert b"gave Italy 2 ducats" in one.ask("/api/games/GAME/turns/0", one.keys["Italy"])
    assert b"gave Italy 1 ducat" in other.ask("/api/games/GAME/turns/0", other.keys["France"])
    headers = {"authorization": f"Bearer {one.keys['France']}"}
    assert client.get(f"/api/games/{one.id}/record", headers=headers).status_code == 403

"""Hints for those who play, and games that are over looked back on, by the JSON interface."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from plenipo import bots
from plenipo.server.service import GameService
from plenipo.server.warm_up import UNTIL_THEN, Warming


def opened(client: TestClient, **preferences: Any) -> tuple[str, dict[str, str]]:
    made = client.post("/api/games", json={"variant": "standard", **preferences}).json()
    client.cookies.clear()
    return f"/api/games/{made['id']}", {"authorization": f"Bearer {made['keys']['all']}"}


def test_a_player_gets_different_plans_that_can_be_submitted(client: TestClient) -> None:
    game, key = opened(client)
    found = client.get(f"{game}/hint", params={"seat": "France"}, headers=key).json()
    assert (found["power"], found["phase_number"], found["words"]) == ("France", 1, None)
    plans = [frozenset(plan["orders"]) for plan in found["plans"]]
    assert 2 <= len(plans) == len(set(plans)) <= 3  # the game's seed decides how many differ
    for plan in found["plans"]:
        assert 0 < plan["share"] < 1
        assert plan["arrows"]["orders"]
        body = {"phase_number": 1, "seat": "France", "orders": plan["orders"]}
        order_set = client.put(f"{game}/orders", json=body, headers=key).json()["order_set"]
        assert sorted(order["text"] for order in order_set["orders"]) == sorted(plan["orders"])
    again = client.get(f"{game}/hint", params={"seat": "France"}, headers=key).json()
    assert again["plans"] == found["plans"]


def test_strangers_get_no_hints_and_no_player_gets_any_in_a_finished_game(client: TestClient) -> None:
    game, key = opened(client)
    assert client.get(f"{game}/hint").json()["error"]["code"] == "no_key"
    assert client.get(f"{game}/hint", params={"seat": "France"}).json()["error"]["code"] == "no_key"
    client.post(f"{game}/draw", json={"phase_number": 1}, headers=key)
    refused = client.get(f"{game}/hint", params={"seat": "France"}, headers=key).json()["error"]
    assert refused["code"] == "over"


def test_a_hint_is_simple_while_the_computers_warm_up(
    client: TestClient, service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, key = opened(client)
    monkeypatch.setattr(Warming, "start_if_needed", lambda _self, _computers: None)  # nothing is compiled here
    monkeypatch.setattr(bots, "is_compiled", lambda: False)
    service.computers.warming = Warming()
    found = client.get(f"{game}/hint", params={"seat": "France"}, headers=key).json()
    assert found["words"]["text"] == UNTIL_THEN
    assert len(found["plans"]) == 1
    service.computers.warming = None
    assert len(client.get(f"{game}/hint", params={"seat": "France"}, headers=key).json()["plans"]) > 1


def test_a_game_is_looked_back_on_when_it_is_over(client: TestClient) -> None:
    game, key = opened(client)
    for number, orders in enumerate((["A BER - KIE", "F KIE - HOL"], ["A KIE - DEN", "F HOL H"]), 1):
        body = {"phase_number": number, "seat": "Germany", "orders": orders}
        client.put(f"{game}/orders", json=body, headers=key)
        client.post(f"{game}/process", json={"phase_number": number}, headers=key)
    assert client.get(f"{game}/review").json()["error"]["code"] == "not_over"
    view = client.get(game, headers=key).json()
    client.post(f"{game}/draw", json={"phase_number": view["phase_number"]}, headers=key)
    found = client.get(f"{game}/review").json()
    assert found["turns"] == [0, 1, view["turn"]]
    assert [phase["code"] for phase in found["phases"]][:2] == ["S1901M", "F1901M"]
    assert len(found["phases"]) == 3
    for i in range(3):
        assert abs(sum(shares[i] for shares in found["shares"].values()) - 1) < 0.002
    assert {shares[-1] for shares in found["shares"].values()} == {0.1429}  # a draw is shared
    assert [turning["turn"] for turning in found["turning"]] == [0, 1]
    assert {one["turn"] for one in found["rated"]} == {0, 1}

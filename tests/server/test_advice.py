"""Hints for those who play, and games that are over looked back on, by the JSON interface."""

import asyncio
import threading
from typing import Any, cast

import httpx2
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from plenipo import bots
from plenipo.server.errors import NotOver
from plenipo.server.limits import Queue
from plenipo.server.service import GameService
from plenipo.server.warm_up import UNTIL_THEN, Warming
from plenipo.server.web import advice
from plenipo.server.web.advice import Review
from plenipo.server.web.context import Services
from server.loops import alone


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


def finished_game(client: TestClient) -> str:
    game, key = opened(client)
    client.post(f"{game}/draw", json={"phase_number": 1}, headers=key)
    return game


def test_an_analysis_is_made_once_for_all_viewers(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    game, key = opened(client)
    client.post(f"{game}/process", json={"phase_number": 1}, headers=key)
    client.post(f"{game}/draw", json={"phase_number": 2}, headers=key)
    weighed = []
    monkeypatch.setattr(advice, "weigh_by_search", lambda *_: weighed.append(1))
    answers = [client.get(f"{game}/review", headers=headers).content for headers in ({}, key, {})]
    assert len(set(answers)) == 1
    assert len(weighed) == 7  # a movement of seven powers


def test_the_orders_of_a_game_of_too_many_are_not_rated_and_a_sentence_says_so(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, key = opened(client)
    client.post(f"{game}/process", json={"phase_number": 1}, headers=key)
    client.post(f"{game}/draw", json={"phase_number": 2}, headers=key)
    monkeypatch.setattr(advice, "MOST_RATED", 6)
    found = client.get(f"{game}/review").json()
    assert found["words"]["text"] == "The game has 7 order sets; orders are rated in games of at most 6."
    assert (found["rated"], found["accuracy"], len(found["turns"])) == ([], None, 2)


def test_analyses_wait_without_a_thread_and_those_too_many_are_refused(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [finished_game(client) for _ in range(4)]
    app = cast("FastAPI", client.app)
    services: Services = app.state.services
    services.analyses = Queue(services.analyses.full, 2)
    begun, may_end, at_once, most = threading.Event(), threading.Event(), [], []

    def analyse(*_: object) -> Review:
        at_once.append(1)
        most.append(len(at_once))
        begun.set()
        assert may_end.wait(60)
        at_once.pop()
        raise NotOver("It ends like this.")

    monkeypatch.setattr(Review, "of", analyse)

    async def ask() -> tuple[list[int], int]:
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as browser:
            first = asyncio.ensure_future(browser.get(f"{games[0]}/review"))
            assert await asyncio.to_thread(begun.wait, 60)
            others = [asyncio.ensure_future(browser.get(f"{game}/review")) for game in games[1:]]
            refused = await next(asyncio.as_completed(others, timeout=60))
            assert refused.json()["error"]["message"] == "Too many games are being analysed now; try again in a moment."
            meanwhile = await browser.get("/api/variants")
            may_end.set()
            answers = await asyncio.gather(first, *others)
            return sorted(answer.status_code for answer in answers), meanwhile.status_code

    assert alone(ask()) == ([409, 409, 409, 503], 200)
    assert set(most) == {1}

"""Learn from your mistakes: past movements are rated again, and nothing is shown before the game is over."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from server.test_advice import opened

FRANCE = {"power": "France"}
STILL = ["F BRE H", "A MAR H", "A PAR H"]


def play(client: TestClient, game: str, key: dict[str, str], *turns: dict[str, list[str]]) -> None:
    for orders in turns:
        number = client.get(game, headers=key).json()["phase_number"]
        for seat, texts in orders.items():
            body = {"phase_number": number, "seat": seat, "orders": texts}
            assert client.put(f"{game}/orders", json=body, headers=key).status_code == 200
        client.post(f"{game}/process", json={"phase_number": number}, headers=key)


def end(client: TestClient, game: str, key: dict[str, str]) -> None:
    number = client.get(game, headers=key).json()["phase_number"]
    assert client.post(f"{game}/draw", json={"phase_number": number}, headers=key).status_code == 200


@pytest.fixture
def finished(client: TestClient) -> str:
    game, key = opened(client)
    play(client, game, key, {"France": STILL}, {})
    end(client, game, key)
    return game


def ask(client: TestClient, game: str) -> list[tuple[int, str]]:
    """Return the answers of every request for what a finished game shows."""
    page = game.removeprefix("/api")
    answers = [
        client.get(f"{game}/review"),
        client.get(f"{game}/review/0", params=FRANCE),
        client.post(f"{game}/review/0", params=FRANCE, json={"orders": STILL}),
        client.post(f"{game}/review/0/orders", params=FRANCE, json={"orders": STILL}),
        client.get(f"{page}/learn"),
    ]
    identifier = game.rpartition("/")[2]
    return [(answer.status_code, answer.text.replace(identifier, "GAME")) for answer in answers]


@pytest.mark.parametrize("variant", ["standard", "fog-of-war"])
def test_nothing_depends_on_a_game_that_is_not_over(client: TestClient, variant: str) -> None:
    shown = []
    for orders in (["A PAR - BUR"], ["A PAR - PIC"]):
        game, key = opened(client, variant=variant)
        play(client, game, key, {"France": orders})
        shown.append(ask(client, game))
    assert shown[0] == shown[1]
    assert {status for status, _ in shown[0]} == {409}


def test_a_movement_is_shown_as_the_power_saw_it(client: TestClient) -> None:
    game, key = opened(client, variant="fog-of-war")
    play(client, game, key, {"France": ["A PAR - BUR"]})
    end(client, game, key)
    found = client.get(f"{game}/review/0", params=FRANCE).json()
    units = {unit["power"] for unit in found["position"]["units"]}
    assert "France" in units
    assert "Turkey" not in units
    assert found["phase"]["code"] == "S1901M"
    assert {node["label"] for node in found["choices"]} >= {"A PAR", "F BRE"}
    assert found["picture"].startswith("<svg")
    assert "PAR" in found["board"]["spaces"]


def test_new_orders_are_judged_beside_the_plan_known_then(client: TestClient, finished: str) -> None:
    review = client.get(f"{finished}/review").json()
    given = next(one for one in review["rated"] if one["turn"] == 0 and one["power"] == "France")
    assert given["grade"] != "good"
    assert given["given"] == STILL

    def judge(orders: list[str]) -> Any:
        return client.post(f"{finished}/review/0", params=FRANCE, json={"orders": orders}).json()["rated"]

    assert judge(STILL) == given
    best = judge(given["plan"])
    assert (best["loss"], best["accuracy"], best["grade"]) == (0, 100, "good")
    drawn = client.post(f"{finished}/review/0/orders", params=FRANCE, json={"orders": ["par-bur"]}).json()
    assert drawn["orders"] == ["A PAR - BUR"]
    assert "<path" in drawn["arrows"]["orders"]


def test_a_review_judges_every_power_in_every_movement(client: TestClient, finished: str) -> None:
    review = client.get(f"{finished}/review").json()
    assert [(one["turn"], one["power"]) for one in review["rated"]] == [
        (turn, power) for turn in (0, 1) for power in review["shares"]
    ]
    assert all(one["loss"] >= 0 and 0 <= one["accuracy"] <= 100 for one in review["rated"])
    assert {one["power"] for one in review["accuracies"]} == set(review["shares"])
    assert sum(one["movements"] for one in review["accuracies"]) == 14
    assert 0 <= review["accuracy"] <= 100
    assert review["words"] is None


def test_refusals_say_what_would_be_right(client: TestClient, finished: str) -> None:
    def message(answer: Any) -> str:
        return str(answer.json()["error"]["message"])

    assert client.get(f"{finished}/review/9", params=FRANCE).status_code == 404
    assert "Gaul" in message(client.get(f"{finished}/review/0", params={"power": "Gaul"}))
    refused = client.post(f"{finished}/review/0", params=FRANCE, json={"orders": ["A PAR - LON"]})
    assert "LON" in message(refused)
    assert client.post(f"{finished}/review/0", params=FRANCE, json={"order": []}).status_code == 422
    assert client.get(f"{finished}/review/0").status_code == 422


def test_the_page_knows_the_seats_of_the_reader(client: TestClient, finished: str) -> None:
    page = client.get(f"{finished.removeprefix('/api')}/learn").text
    assert '"own": []' in page
    assert "Learn from your mistakes" in page

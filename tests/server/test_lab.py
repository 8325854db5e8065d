"""A lab: seven programs that know nothing but the JSON interface play a game, write messages, and take the record."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from fastapi.testclient import TestClient

from plenipo import library
from plenipo.engine.history import record
from plenipo.engine.history.verify import verify


class Program:
    """A program in a seat: its key, and what it asks."""

    def __init__(self, client: TestClient, game: str, key: str) -> None:
        self.client, self.game, self.headers = client, game, {"authorization": f"Bearer {key}"}

    def ask(self, path: str = "", method: str = "GET", **body: Any) -> Any:
        sent = body if method != "GET" else None
        answer = self.client.request(method, f"/api/games/{self.game}{path}", headers=self.headers, json=sent)
        assert answer.is_success, answer.text
        return answer.json()


def orders(choices: list[dict[str, Any]]) -> Iterator[str]:
    """Every order below a choice."""
    for choice in choices:
        if "order" in choice:
            yield choice["order"]
        yield from orders(choice.get("then", []))


def test_seven_programs_play_by_the_interface_alone_write_and_take_the_record(client: TestClient) -> None:
    settings = {"press": {"preset": "Full press", "opened": "never"}}
    opened = client.post("/api/games", json={"variant": "standard", "lobby": True, "settings": settings}).json()
    client.cookies.clear()  # programs show keys
    game, chance = opened["id"], Random(1)
    table = Program(client, game, opened["keys"]["all"])
    invited = Program(client, game, opened["invitation"].rpartition("/")[2])
    powers = [power["name"] for power in table.ask()["powers"]]
    seats = {
        power: Program(client, game, invited.ask("/join", "POST", name=f"Bot {number}", power=power)["key"])
        for number, power in enumerate(powers)
    }
    number = 1
    for _ in range(2):
        for power, program in seats.items():
            assert program.ask()["viewer"]["seats"] == [power]
            options = program.ask("/options")
            assert options["phase_number"] == number
            order_set = [chance.choice(list(orders([choice]))) for choice in options["choices"]]
            given = program.ask("/orders", "PUT", phase_number=number, seat=power, orders=order_set)
            assert {one["text"] for one in given["order_set"]["orders"]} == set(order_set)
            other = powers[powers.index(power) - 1]
            program.ask("/press", "POST", seat=power, to=[other], text=f"{power} to {other} in phase {number}")
        if table.ask()["phase_number"] == number:
            table.ask("/process", "POST", phase_number=number)
        number = table.ask()["phase_number"]
    found = seats["France"].client.get(f"/api/games/{game}/press/file?form=jsonl", headers=seats["France"].headers)
    messages = [json.loads(line) for line in found.text.splitlines()]
    assert len(messages) == 4
    assert all("France" in message["thread"] for message in messages)
    table.ask("/draw", "POST", phase_number=number)
    kept = client.get(f"/api/games/{game}/record")
    verify(kept.text, library.load)
    played = record.decode_game(kept.json(), library.load("standard"))
    assert (played.over, len(played.turns)) == (True, number - 1)

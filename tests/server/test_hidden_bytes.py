"""Hidden information stays hidden in every byte: events, sizes, ETags, history, pictures, reports and feeds.

Two games differ only in something that some viewpoints must not see, such as moves in fog or the type of a unit. Every
answer to a reader of the game is compared with its size, its headers, and the announced events.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from plenipo.server.broker import Announcement
from plenipo.server.service import GameService
from server.test_secrecy import Table, alike

ID = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.]*(Z|[+-]\d\d:?\d\d)?|\d{10}\.\d+|\b\d\d:\d\d\b")
"""Instants, which are not the same in two games."""


ELSEWHERE = ("/events", "/hint", "/picture.png")
"""Addresses left out: events, which are compared elsewhere, slow hints, and a picture that is compared as SVG."""


def everything(client: TestClient) -> Iterator[str]:
    """Every address at which a game is read: those of the interface, whichever there are, and the pages."""
    api, page = "/api/games/GAME", "/games/GAME"
    for path, methods in client.get("/api/openapi.json").json()["paths"].items():
        if "get" in methods and re.findall(r"\{(\w+)\}", path) == ["game"] and not path.endswith(ELSEWHERE):
            yield path.replace("{game}", "GAME")
    for thing in ("", "?turn=1&results=1", "/report", "/feed.json", "/feed.atom", "/talk", "/gm-tools", "/learn"):
        yield page + thing
    yield from (f"{page}/picture.svg?turn=1&results=1", f"{page}/picture.png?width=200", f"{api}/complete?text=f")
    for turn in range(2):
        yield from (f"{api}/turns/{turn}", f"{api}/turns/{turn}/why?unit=A%20PAR", f"{api}/review/{turn}?power=Turkey")


def asked(table: Table, path: str, key: str) -> tuple[int, int, list[str], str]:
    """An answer: its status, its size, which headers it has, and its text without what differs in any two games."""
    headers = {"authorization": f"Bearer {key}"} if key else {}
    answer = table.client.get(path.replace("GAME", table.id), headers=headers)
    assert answer.status_code < 500, answer.text
    text = answer.text if "png" not in answer.headers.get("content-type", "") else answer.content.hex()
    text = re.sub(r'"(commitment|hash|previous)": ?"[0-9a-f]{64}"', "", text.replace(table.id, "GAME"))
    for name, token in table.keys.items():
        text = text.replace(token, f"KEY OF {name}")
    tag = answer.headers.get("etag", "")
    if tag and "/api/" in path:  # it stands for what is shown, and for nothing else
        again = table.client.get(path.replace("GAME", table.id), headers={**headers, "if-none-match": tag})
        assert again.status_code == 304, path
        assert not again.content
    return answer.status_code, len(ID.sub("", text)), sorted(answer.headers), ID.sub("", text)


def told(service: GameService, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Announcement]]:
    """Return a list that collects the announcements from now on, each with its game."""
    heard: list[tuple[str, Announcement]] = []
    monkeypatch.setattr(service.broker, "announce", lambda game, one: heard.append((game, one)))
    return heard


def same_to(tables: tuple[Table, Table], heard: list[tuple[str, Announcement]], eyes_of: str) -> int:
    """Compare all that a power and an observer see of two games; how many answers that were."""
    compared = 0
    for power in ("", eyes_of):
        for path in dict.fromkeys(everything(tables[0].client)):
            if power and ".png" in path:
                continue  # made of the picture that is compared
            shown = [asked(table, path, table.keys.get(power, "")) for table in tables]
            at = next(
                (n for n, pair in enumerate(zip(shown[0][3], shown[1][3], strict=False)) if pair[0] != pair[1]), 0
            )
            texts = [one[3][max(0, at - 200) : at + 80] for one in shown]
            assert shown[0] == shown[1], f"{path} shows {power or 'an observer'} something: {texts}"
            compared += shown[0][0] == 200
        eyes = frozenset({power} if power else ())
        streams = [
            [
                (note.kind, ID.sub("", json.dumps(note.for_eyes(eyes), default=str).replace(game, "GAME")))
                for game, note in heard
                if game == table.id
            ]
            for table in tables
        ]
        assert streams[0] == streams[1]
        assert streams[0]
    return compared


def test_moves_in_fog_change_no_byte_for_viewers_who_do_not_see_them(
    client: TestClient, service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = told(service, monkeypatch)
    tables = Table(client, "fog-of-war"), Table(client, "fog-of-war")
    alike(service, *tables)
    unseen = (["F ANK - BLA", "A CON - BUL"], ["F ANK - ARM", "A CON - BUL"])  # the powers that must order are public
    for table, orders in zip(tables, unseen, strict=True):
        for turn in range(2):
            table.give("France", ["A PAR - BUR"] if not turn else ["A BUR - BEL"])
            table.give("Turkey", orders if not turn else [], ready=bool(turn))
            table.process()
    assert same_to(tables, heard, "France") > 20
    # Turkey itself is told
    assert asked(tables[0], "/api/games/GAME", tables[0].keys["Turkey"]) != asked(
        tables[1], "/api/games/GAME", tables[1].keys["Turkey"]
    )


def test_the_kind_of_a_unit_that_is_hidden_changes_no_byte(
    client: TestClient, service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = told(service, monkeypatch)
    tables = Table(client, "masquerade"), Table(client, "masquerade")
    alike(service, *tables)
    for table, kind in zip(tables, "AF", strict=True):
        for orders in (["A CON - BUL"], [], [f"BUILD {kind} CON"]):
            table.give("Turkey", orders)
            table.process()
    assert same_to(tables, heard, "Russia") > 20
    seen: list[Any] = [
        table.client.get(f"/api/games/{table.id}", headers={"authorization": f"Bearer {table.keys['Turkey']}"}).text
        for table in tables
    ]
    assert ["A CON" in text for text in seen] == [True, False]

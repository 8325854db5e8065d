"""Messages in a hosted game: written over the interface and read only by their recipients.

Secrecy is compared by bytes, as in `test_secrecy`: two games that differ only in a message look the same to all other
players, over pages, answers, counts, sizes, tags and events, whatever players come, leave and return.
"""

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Any

import pytest
from fastapi.testclient import TestClient

from plenipo import library
from plenipo.engine.dice import SEED_BYTES, Dice
from plenipo.server.errors import MessageRefused
from plenipo.server.hosting.press import PRESETS
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.hosting.settings import settings_of
from plenipo.server.new_games import NewGameRequest
from plenipo.server.press import Draft
from plenipo.server.service import GameService
from plenipo.server.web.app import create_app
from plenipo.server.web.message_markup import as_html, excerpt
from proofs import crossed
from server.clocks import ManualClock
from server.loops import alone

Json = dict[str, Any]

MARK = "Mordor shall be thine"


@dataclass
class Game:
    """A game with people at some of its seats, asked as they would."""

    client: TestClient
    service: GameService
    variant: str = "standard"
    settings: Json = field(default_factory=dict)
    people: int = 4

    def __post_init__(self) -> None:
        preferences = {"variant": self.variant, "lobby": True, "name": "the game", "settings": self.settings}
        opened = self.client.post("/api/games", json=preferences).json()
        self.id, self.all = opened["id"], opened["keys"]["all"]
        self.invitation = opened["invitation"].rpartition("/")[2]
        self.powers = [str(power) for power in library.load(self.variant).names][: self.people or None]
        names = ("Anna", "Ben", "Cleo", "Dora", *(f"Player {message}" for message in "abcdefghjkmnpqrstuvwxyz"))
        self.keys = {
            power: self.send("join", self.invitation, {"name": f"{name} X", "power": power})["key"]
            for name, power in zip(names, self.powers, strict=False)
        }
        if self.people:
            self.send("start", self.all, {})
        self.tokens = {self.all, self.invitation, *self.keys.values()}

    def send(self, what: str, key: str, body: Json, status: int = 0) -> Json:
        answer = self.client.post(f"/api/games/{self.id}/{what}", json=body, headers=self.headers(key))
        assert answer.status_code == status or (not status and answer.status_code < 300), answer.text
        self.client.cookies.clear()
        return answer.json() if answer.content else {}

    @staticmethod
    def headers(key: str) -> dict[str, str]:
        return {"authorization": f"Bearer {key}"} if key else {}

    def write(self, seat: str, to: list[str], text: str, key: str = "", status: int = 0, **more: Any) -> Json:
        body = {"seat": seat, "to": to, "text": text, **more}
        return self.send("press", key or self.keys[seat], body, status)

    def get(self, path: str, key: str) -> Json:
        answer = self.client.get(f"/api/games/{self.id}/press{path}", headers=self.headers(key))
        assert answer.status_code == 200, answer.text
        found: Json = answer.json()
        return found

    def texts(self, key: str) -> list[str]:
        """Return the file of all messages of a reader."""
        path = f"/api/games/{self.id}/press/file?form=jsonl"
        lines = self.client.get(path, headers=self.headers(key)).text.splitlines()
        return [json.loads(line)["text"] for line in lines]

    def seat(self, act: str, power: str, key: str = "") -> str:
        link: str = self.send("seats", key or self.all, {"power": power, "act": act})["link"]
        return link.rpartition("/")[2]

    def accept(self, offer: str, name: str) -> str:
        key: str = self.send("accept", offer, {"name": name})["key"]
        self.tokens |= {offer, key}
        return key

    def bytes_for(self, key: str) -> Iterator[tuple[str, bytes]]:
        """Yield every answer of the game to a reader, without random values."""
        api, page = f"/api/games/{self.id}", f"/games/{self.id}"
        asked = [api, f"{api}/history", f"{api}/record", f"{api}/journal", page, f"{page}/picture.svg"]
        asked += [f"{api}/press", f"{api}/press/thread?seat=everyone", f"{api}/press/file"]
        asked += [f"{api}/press/file?form=jsonl"]
        asked += [f"{api}/press/thread?seat={one}&seat={two}" for one, two in combinations(self.powers[:5], 2)]
        for path in asked:
            answer = self.client.get(path, headers=self.headers(key))
            assert answer.status_code < 500, answer.text
            headers = {k: v for k, v in answer.headers.items() if k not in {"etag", "content-length"}}
            plain = f"{answer.status_code} {headers} {answer.text}".replace(self.id, "GAME")
            for token in self.tokens:
                assert token not in plain
            plain = re.sub(r'"(commitment|hash|previous)": ?"[0-9a-f]{64}"', "", plain)
            plain = re.sub(r'"(at|opened|written|newest)": ?"[^"]*"', "", plain)
            plain = re.sub(r'"id": ?"[0-9a-f]{16}"', "", plain)
            yield path, re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*", "WHEN", plain).encode()


@pytest.fixture
def game(client: TestClient, service: GameService) -> Game:
    return Game(client, service)


# Writing and reading


def test_a_message_reaches_its_readers_and_is_counted_until_it_is_read(game: Game) -> None:
    austria, england, france, germany = game.powers
    written = game.write(england, [france], "Shall we?\n\nYours, *Ben*")
    assert written["mine"]
    assert written["html"] == "<p>Shall we?</p>\n<p>Yours, <em>Ben</em></p>"
    found = game.get("", game.keys[france])
    assert [(t["thread"], t["unread"], t["begins"]) for t in found["threads"]] == [
        ([england, france], 1, "Shall we? Yours, Ben")
    ]
    thread = game.get(f"/thread?seat={england}&seat={france}", game.keys[france])
    assert thread["readers"] == "Only England (Ben X) and you read this."
    assert [(one["seat"], one["name"], one["mine"]) for one in thread["messages"]] == [(england, "Ben X", False)]
    game.send("press/read", game.keys[france], {"thread": [france, england], "id": "none"}, 422)
    game.send("press/read", game.keys[france], {"thread": [england, france], "id": written["id"]})
    assert game.get("", game.keys[france])["threads"][0]["unread"] == 0
    assert game.get("", game.keys[england])["threads"][0]["unread"] == 0
    for stranger in (game.keys[austria], game.keys[germany], ""):
        assert game.get("", stranger)["threads"] == []
        assert game.texts(stranger) == []
    assert game.texts(game.keys[france]) == ["Shall we?\n\nYours, *Ben*"]


def test_a_message_touches_neither_the_revision_nor_what_is_kept_of_answers(game: Game, service: GameService) -> None:
    revision = service.games.revision(game.id)
    game.write("England", ["everyone"], "Hello all")
    assert service.games.revision(game.id) == revision


def test_what_is_sent_twice_is_kept_once(game: Game) -> None:
    first = game.write("England", ["France"], "Once", once="a")
    again = game.write("England", ["France"], "Once", once="a")
    assert first == again
    assert game.texts(game.keys["France"]) == ["Once"]
    game.write("England", ["France"], "Once", once="b")
    assert game.texts(game.keys["France"]) == ["Once", "Once"]


@pytest.mark.parametrize(
    ("to", "text", "sentence"),
    [
        (["Narnia"], "x", "'Narnia' has no seat in this game"),
        (["England"], "x", "needs a reader other than its sender"),
        (["Italy"], "x", "A computer plays Italy"),
        (["France"], " \n\u202e", "The message is empty"),
        (["France"], "x" * 20_001, "The message has 20001 characters; at most 20000 are allowed."),
        (["GM"], "x", "This game has no host"),
    ],
)
def test_what_cannot_be_sent_is_refused_in_one_sentence(game: Game, to: list[str], text: str, sentence: str) -> None:
    refused = game.write("England", to, text, status=422)["error"]
    assert sentence in refused["message"]
    assert refused["code"] == "message"
    assert game.texts(game.keys["England"]) == []


def test_a_message_of_a_megabyte_is_refused_before_it_is_read(game: Game) -> None:
    refused = game.write("England", ["France"], "x" * 1_000_000, status=413)["error"]
    assert refused["message"] == "The request is too large; the limit is 65536 bytes."


def test_no_player_writes_from_the_seat_of_another(game: Game) -> None:
    for key, status in ((game.keys["France"], 403), ("", 401)):
        body = {"seat": "England", "to": ["France"], "text": "forged"}
        refused = game.send("press", key, body, status)["error"]
        assert refused["code"] in {"not_yours", "no_key"}
    body = {"seat": "GM", "to": ["France"], "text": "forged"}
    game.send("press", game.keys["England"], body, 403)
    assert game.texts(game.keys["France"]) == []


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![a pixel](https://evil.example/track.gif)",
        "[click](javascript:alert(1))",
        "<javascript:alert(1)>",
        "[a bank](https://evil.example)",
        '"><svg onload=alert(1)>',
        "<a href='data:text/html,x'>x</a>",
        "data:text/html;base64,PHNjcmlwdD4=",
        "<style>@import url(https://evil.example)</style>",
        "[x]: https://evil.example\n\n[x]",
        "&#x3C;script&#x3E;",
        '<https://evil.example/" onmouseover="alert(1)>',
        "`<b>`\n\n    <iframe src=x>",
    ],
)
def test_a_message_carries_no_script_no_style_and_nothing_that_tells_it_was_read(text: str) -> None:
    made = as_html(text)
    tags = set(re.findall(r"<(\w+)", made))
    assert tags <= set("p br em strong s ul ol li blockquote code pre hr a".split())
    for tag in re.findall(r"<[^>]*>", made):
        assert re.fullmatch(
            r'</?\w+/?>|<a href="https?://[^"<>]*" rel="noopener noreferrer nofollow">|<hr>|<br>', tag
        ), tag
    for address, words in re.findall(r'<a href="([^"]*)"[^>]*>(.*?)</a>', made):
        assert words in {address, address.removesuffix("/")}  # an address is shown whole


def test_an_address_can_be_followed_and_an_excerpt_is_one_line() -> None:
    link = '<a href="https://example.org/a?b=1" rel="noopener noreferrer nofollow">https://example.org/a?b=1</a>'
    assert as_html("See https://example.org/a?b=1 now") == f"<p>See {link} now</p>"
    assert excerpt("a\n\n**b**  <c> & `d`") == "a b <c> & d"
    assert len(excerpt("word " * 100)) <= 90


def test_the_host_can_always_be_written_to_and_can_write_to_all_players(
    client: TestClient, service: GameService
) -> None:
    guest = client.post(
        "/host",
        data={"variant": "standard", "name": "Kurt", "you": "keep", "schedule": "Own pace", "press": "No press"},
    )
    game_id = guest.headers["location"].rpartition("/")[2]
    found = client.get(f"/api/games/{game_id}").json()
    assert found["id"] == game_id
    link = service.credentials(game_id, str(client.cookies.get("seat", path=f"/games/{game_id}")).split("~"))
    token = service.lobby.join(game_id, link, "Anna", "France")
    assert client.post(f"/api/games/{game_id}/start", json={}).status_code == 200
    written = client.post(f"/api/games/{game_id}/press", json={"seat": "GM", "to": ["everyone"], "text": "Welcome"})
    assert written.status_code == 201, written.text
    client.cookies.clear()
    headers = {"authorization": f"Bearer {token}"}
    found = client.get(f"/api/games/{game_id}/press", headers=headers).json()
    assert found["threads"][0]["begins"] == "Welcome"
    assert [(one["seat"], one["names"]) for one in found["to"] if not one["why_not"]] == [("GM", ["Kurt"])]
    body = {"seat": "France", "to": ["GM"], "text": "Thanks"}
    assert client.post(f"/api/games/{game_id}/press", json=body, headers=headers).status_code == 201
    refused = client.post(f"/api/games/{game_id}/press", json={**body, "to": ["everyone"]}, headers=headers)
    assert "This game has no press" in refused.json()["error"]["message"]


# Proposals


def test_proposed_orders_are_read_by_the_one_parser_and_kept_or_broken_afterwards(game: Game) -> None:
    game.write("Germany", ["France"], "Together?", proposal=["a mun-ruh", "army par to burgundy", "F BRE - MID"])
    thread = game.get("/thread?seat=France&seat=Germany", game.keys["France"])
    proposal = thread["messages"][0]["proposal"]
    assert [(one["power"], one["order"], one["mine"], one["fate"]) for one in proposal] == [
        ("Germany", "A MUN - RUH", False, "open"),
        ("France", "A PAR - BUR", True, "open"),
        ("France", "F BRE - MID", True, "open"),
    ]
    assert "<g" in thread["messages"][0]["arrows"]["orders"]
    for power, orders in (("Germany", ["A MUN - RUH"]), ("France", ["A PAR - BUR", "F BRE - ENG"])):
        game.send("orders", game.keys[power], {"phase_number": 1, "seat": power, "give": orders})
    game.send("process", game.all, {"phase_number": 1})
    thread = game.get("/thread?seat=France&seat=Germany", game.keys["France"])
    assert [one["fate"] for one in thread["messages"][0]["proposal"]] == ["kept", "kept", "broken"]
    assert thread["messages"][0]["arrows"] is None


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("A MUN - LON", "'A MUN - LON' cannot be proposed: "),
        ("rubbish", "'rubbish' cannot be proposed: "),
        ("France: A MUN - RUH", "'A MUN - RUH' cannot be proposed: "),
        ("build A PAR", "'build A PAR' cannot be proposed: "),
    ],
)
def test_illegal_orders_are_not_proposed(game: Game, line: str, sentence: str) -> None:
    refused = game.write("Germany", ["France"], "Together?", proposal=["A BER - KIE", line], status=422)["error"]
    assert sentence in refused["message"]
    assert game.texts(game.keys["France"]) == []


# Invariants 9 and 10: by bytes


@pytest.fixture
def same_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that chance does not part."""
    for module in ("lobby", "service"):
        monkeypatch.setattr(f"plenipo.server.{module}.roll_seed", lambda: Dice(b"\0" * SEED_BYTES))


def compare(one: Game, other: Game, key: str, who: str) -> None:
    """Check that every answer of the two games is the same to the byte."""
    pairs = zip(one.bytes_for(one.keys.get(key, key)), other.bytes_for(other.keys.get(key, key)), strict=True)
    for (path, before), (_, after) in pairs:
        assert before == after, f"{path} tells {who} of the message"
        assert MARK.encode() not in after
        assert len(before) == len(after)


PLACES = [name for name in library.names() if len(library.load(name).names) >= 4]


AMONG_GROUPS = [name for name in PRESETS if PRESETS[name][0].who == "groups"]


@pytest.mark.parametrize(("variant", "preset"), crossed(PLACES, AMONG_GROUPS))
@pytest.mark.usefixtures("same_dice")
def test_two_games_that_differ_in_a_message_look_the_same_to_others(
    client: TestClient, service: GameService, variant: str, preset: str
) -> None:
    one, other = (Game(client, service, variant, {"press": preset}, people=0) for _ in range(2))
    writer, reader, third, fourth = one.powers[:4]
    for game in (one, other):
        game.write(third, ["everyone"], "Good morning")
    other.write(writer, [reader], MARK)
    other.write(reader, [writer, fourth], MARK)
    compare(one, other, third, third)
    compare(one, other, "", "a stranger")
    assert other.texts(other.keys[reader]) == ["Good morning", MARK, MARK]
    # the seat is lent, returned, left and taken over: no player reads messages from before their time
    for game in (one, other):
        sitter = game.accept(game.seat("lend", reader, game.keys[reader]), "Emil")
        game.keys["sitter"] = sitter
    compare(one, other, "sitter", "a sitter")
    other.write(writer, [reader], f"{MARK}, sitter")
    assert other.texts(other.keys["sitter"]) == ["Good morning", f"{MARK}, sitter"]
    assert other.texts(other.keys[reader])[-1] == f"{MARK}, sitter"
    for game in (one, other):
        game.seat("take back", reader)
    gone = client.get(f"/api/games/{other.id}/press", headers=other.headers(other.keys["sitter"]))
    assert gone.status_code == 401
    assert (
        other.texts(other.keys[reader])[-1] == f"{MARK}, sitter"
    )  # the owner of the seat can read the sitter's messages
    for game in (one, other):
        offer = game.seat("offer", reader)
        game.seat("remove", reader)
        refused = game.write(writer, [reader], MARK, status=422)["error"]["message"]
        assert refused == f"The seat of {reader} is vacant."
        game.keys["substitute"] = game.accept(offer, "Fritz")
    compare(one, other, "substitute", "a substitute")
    compare(one, other, third, third)
    other.write(reader, [writer], f"{MARK}, again", key=other.keys["substitute"])
    assert other.texts(other.keys["substitute"]) == ["Good morning", f"{MARK}, again"]
    compare(one, other, third, third)


@pytest.mark.usefixtures("same_dice")
def test_an_anonymous_message_does_not_reveal_its_author(client: TestClient, service: GameService) -> None:
    policy = {"press": {"preset": "Full press", "grey": "allowed"}}
    one, other = (Game(client, service, settings=policy) for _ in range(2))
    writer, reader, third, other_writer = one.powers
    for game, by in ((one, writer), (other, other_writer)):
        game.write(by, ["everyone"], "Beware", unsigned=True)
        game.write(by, [reader], "Beware of three", unsigned=True)
    for power in (reader, third):
        compare(one, other, power, power)
    compare(one, other, "", "a stranger")
    seen = one.get(f"/thread?seat=unsigned&seat={reader}", one.keys[reader])
    assert [(x["seat"], x["name"], x["unsigned"], x["mine"]) for x in seen["messages"]] == [("", "", True, False)]
    assert seen["readers"] == "Only you read this; its sender is not shown."
    own = one.get(f"/thread?seat=unsigned&seat={reader}", one.keys[writer])
    assert [x["mine"] for x in own["messages"]] == [True]


def test_messages_are_opened_at_the_end_as_was_agreed(client: TestClient, service: GameService) -> None:
    for opened, reads in (("never", ()), ("players", ("player",)), ("all", ("player", "stranger"))):
        game = Game(client, service, settings={"press": {"preset": "Full press", "opened": opened, "grey": "allowed"}})
        game.write("England", ["France"], MARK)
        game.write("England", ["France"], "unsigned", unsigned=True)
        keys = {"player": game.keys["Austria"], "stranger": ""}
        assert all(game.texts(key) == [] for key in keys.values())
        game.send("draw", game.all, {"phase_number": 1})
        for who, key in keys.items():
            assert (game.texts(key) == [MARK, "unsigned"]) == (who in reads), (opened, who)
        words = game.get("", game.keys["Austria"])["words"]
        assert ("opened to the players" in words[-1]) == (opened == "players")
        assert ("published" in words[-1]) == (opened == "all")
        game.write("England", ["France"], "Well played")  # one may talk after the end


# Being told at once


async def _heard(service: GameService, game: Game, keys: dict[str, str], act: Any) -> dict[str, list[str]]:
    heard: dict[str, list[str]] = {}
    listeners = {}
    stack = []
    for who, key in keys.items():
        credentials = service.credentials(game.id, [key] if key else [])
        tenures = frozenset((game.id, number) for number in service.press.tenures(game.id, credentials))
        context = service.broker.listening(frozenset(), game.id, tenures=tenures)
        listeners[who] = context.__enter__()
        stack.append(context)
    await asyncio.to_thread(act)
    await asyncio.sleep(0.05)
    for who, listener in listeners.items():
        heard[who] = [listener.queue.get_nowait()[0] for _ in range(listener.queue.qsize())]
    for context in stack:
        context.__exit__(None, None, None)
    return heard


def test_only_the_readers_of_a_message_are_notified_of_it(game: Game, service: GameService) -> None:
    keys = {power: game.keys[power] for power in game.powers} | {"a stranger": ""}
    heard = alone(_heard(service, game, keys, lambda: game.write("England", ["France"], MARK)))
    assert heard == {"Austria": [], "England": ["message"], "France": ["message"], "Germany": [], "a stranger": []}
    heard = alone(_heard(service, game, keys, lambda: game.write("England", ["everyone"], "Hello")))
    assert [who for who, what in heard.items() if what] == game.powers


def test_readers_are_notified_of_a_message_stored_by_another_server(game: Game, service: GameService) -> None:
    elsewhere = GameService(service.store)

    def act() -> None:
        service.games.catch_up()
        service.games.listened_from_now([game.id])
        client = TestClient(create_app(elsewhere))
        Game.write(_through(game, client), "England", ["France"], MARK)
        service.games.catch_up()
        service.games.catch_up()

    keys = {power: game.keys[power] for power in game.powers}
    heard = alone(_heard(service, game, keys, act))
    assert heard == {"Austria": [], "England": ["message"], "France": ["message"], "Germany": []}


def _through(game: Game, client: TestClient) -> Game:
    other = object.__new__(Game)
    other.__dict__.update(game.__dict__, client=client)
    return other


# Time


def test_messages_close_before_the_deadline(store: Any) -> None:
    clock = ManualClock(datetime(2026, 11, 23, 12, tzinfo=UTC))
    service = GameService(store, clock=clock)
    settings = settings_of({"press": {"preset": "Full press", "closing": 60}})
    game = service.open(
        NewGameRequest("standard", {}, lobby=True, schedule=schedule_of("Weekdays", "UTC"), settings=settings)
    )
    invited = service.credentials(game.id, [game.invitation])
    tokens = [
        service.lobby.join(game.id, invited, name, power) for name, power in (("Anna", "France"), ("Ben", "Italy"))
    ]
    service.lobby.start(game.id, service.credentials(game.id, [game.all_seats]))
    anna = service.credentials(game.id, [tokens[0]])
    due = service.games.load(game.id).press_table.due
    assert due is not None
    clock.time = due - timedelta(minutes=61)
    service.press.write(game.id, anna, Draft("France", ("Italy",), "In time"))
    clock.time = due - timedelta(minutes=60)
    with pytest.raises(MessageRefused, match="Press closed 1 h before the deadline"):
        service.press.write(game.id, anna, Draft("France", ("Italy",), "Late"))


def test_the_export_of_an_account_includes_its_messages(client: TestClient, service: GameService) -> None:
    data = {"variant": "standard", "name": "Anna", "schedule": "Own pace", "draws": "named", "scoring": "Carnage"}
    game_id = client.post("/host", data=data).headers["location"].rpartition("/")[2]
    settings = service.games.load(game_id).settings
    assert (settings.votes.draws, settings.scoring) == ("named", "Carnage")
    assert client.post(f"/api/games/{game_id}/start", json={}).status_code == 200
    seat = client.get(f"/api/games/{game_id}").json()["viewer"]["seat"]
    body = {"seat": seat, "to": ["everyone"], "text": "Bonsoir"}
    assert client.post(f"/api/games/{game_id}/press", json=body).status_code == 201
    kept = client.get("/me/data").json()["messages"]
    assert [(one["game"], one["seat"], one["text"]) for one in kept] == [(game_id, seat, "Bonsoir")]

"""The chat of a game that has not begun: who writes and reads it, and what it hides."""

import re

from fastapi.testclient import TestClient

from plenipo.server.service import GameService
from plenipo.server.store.moderation import Moderation
from server.test_secret_lobbies import Lobby

TALK = ("GAME", "/apiGAME/press", "/apiGAME/press/thread?seat=everyone")


def say(lobby: Lobby, name: str, text: str) -> int:
    """Send a message as a player; return the status of the answer."""
    return lobby.browsers[name].post(f"{lobby.address}/chat", data={"text": text}).status_code


def read(lobby: Lobby, name: str) -> str:
    """Return the list of messages that a player is shown, as text."""
    found = re.search(r'id="chat-list".*?</ol>', lobby.browsers[name].get(lobby.address).text, re.DOTALL)
    return re.sub(r"<time.*?</time>|<[^>]*>", " ", found[0].partition(">")[2]) if found else ""


def as_read(lobby: Lobby) -> list[str]:
    """Return every answer with messages to the host, a player who wrote nothing and a stranger."""
    paths = [path.replace("GAME", lobby.address) for path in TALK]
    texts = [lobby.browsers[name].get(path).text for name in ("Anna", "Dora", "") for path in paths]
    random = r'"(id|written|newest)": ?"[^"]*"'
    return [re.sub(random, "", lobby.plain(text)) for text in texts]


def start(lobby: Lobby, *players: str) -> None:
    """Start the game, after the ready check."""
    lobby.browsers["Anna"].post(f"{lobby.address}/start")
    for name in players:
        lobby.browsers[name].post(f"{lobby.address}/here")


def with_dora(service: GameService, **more: str) -> Lobby:
    """Return a lobby that Dora has joined as well."""
    lobby = Lobby(service, **more)
    lobby.browsers["Dora"].post(f"{lobby.address}/join", data={"name": "Dora"})
    return lobby


def test_the_host_and_the_players_of_a_lobby_talk_and_a_stranger_reads_nothing(service: GameService) -> None:
    lobby = Lobby(service)
    assert say(lobby, "Anna", "Welcome") == say(lobby, "Ben", "<b>Tonight</b>?\u202e") == 200
    assert re.search(r"Anna\s+host\s+Welcome\s+Ben\s+&lt;b&gt;Tonight&lt;/b&gt;\?\s", read(lobby, "Cora"))
    assert "You" in read(lobby, "Ben")
    assert say(lobby, "", "Me too") == 401
    assert "Tonight" not in "".join(lobby.shown(("",), "/apiGAME/press/thread?seat=everyone"))
    assert say(lobby, "Ben", " ") == 422
    start(lobby, "Ben", "Cora")
    thread = lobby.browsers["Cora"].get(f"/api{lobby.address}/press/thread?seat=everyone").json()
    assert [(one["seat"], one["name"]) for one in thread["messages"]] == [("GM", "Anna"), ("", "Ben")]
    late = lobby.browsers["Ben"].post(f"{lobby.address}/chat", data={"text": "Late"})
    assert late.status_code == 422
    assert "The game has started" in late.text


def test_in_the_lobby_of_an_anonymous_game_no_byte_shows_who_wrote(service: GameService) -> None:
    before, after = [], []
    for name in ("Ben", "Cora"):
        lobby = with_dora(service, anonymous="yes")
        assert say(lobby, name, "Tonight?") == 200
        assert "Anonymous" in read(lobby, "Dora")
        before.append(as_read(lobby))
        lobby.browsers["Anna"].post(f"{lobby.address}/cancel")
    assert before[0] == before[1]
    for name in ("Ben", "Cora"):
        lobby = with_dora(service, anonymous="yes")
        say(lobby, name, "Tonight?")
        start(lobby, "Ben", "Cora", "Dora")
        page = lobby.browsers["Dora"].get(f"/api{lobby.address}/press/thread?seat=everyone").json()
        after.append([(one["seat"], one["name"], one["text"], one["unsigned"]) for one in page["messages"]])
    assert after[0] == after[1] == [("", "", "Tonight?", True)]


def test_in_an_anonymous_game_no_player_is_muted_by_number(service: GameService) -> None:
    lobby = with_dora(service, anonymous="yes")
    start(lobby, "Ben", "Cora", "Dora")
    numbers = [f"#{number}" for number in range(1, 9)]
    answers = [
        lobby.browsers["Dora"].post(f"{lobby.address}/talk/mute", data={"seat": number, "act": "mute"})
        for number in numbers
    ]
    assert [answer.status_code for answer in answers] == [422] * len(numbers)


def test_without_press_only_the_host_writes_in_the_lobby(service: GameService) -> None:
    lobby = Lobby(service, press="No press")
    assert say(lobby, "Anna", "Welcome") == 200
    refused = lobby.browsers["Ben"].post(f"{lobby.address}/chat", data={"text": "Hello"})
    assert (refused.status_code, "only the host can write" in refused.text) == (422, True)
    assert "Welcome" in read(lobby, "Ben")


def leave(lobby: Lobby, name: str) -> int:
    """Leave the lobby as a player; return the number that the player had."""
    form = r'/leave"><input type="hidden" name="number" value="(\d+)"'
    number = re.search(form, lobby.browsers[name].get(lobby.address).text)
    assert number
    assert lobby.browsers[name].post(f"{lobby.address}/leave", data={"number": number[1]}).status_code == 200
    return int(number[1])


def test_the_messages_of_a_player_who_leaves_a_lobby_stay_under_the_name(service: GameService) -> None:
    lobby = with_dora(service)
    say(lobby, "Dora", "I was here")
    leave(lobby, "Dora")
    refused = lobby.browsers[""].post(f"{lobby.address}/join", data={"name": "Dora"})
    assert refused.status_code == 422, "nobody else writes under the name"
    lobby.browsers[""].post(f"{lobby.address}/join", data={"name": "Emil"})
    say(lobby, "", "So am I")
    assert re.search(r"Dora\s+I was here\s+Emil\s+So am I", read(lobby, "Ben"))
    assert re.search(r"Dora\s+I was here\s+You\s+So am I", read(lobby, ""))
    leave(lobby, "")
    start(lobby, "Ben", "Cora")
    thread = lobby.browsers["Cora"].get(f"/api{lobby.address}/press/thread?seat=everyone").json()
    assert [(one["name"], one["text"]) for one in thread["messages"]] == [("Dora", "I was here"), ("Emil", "So am I")]
    players = lobby.browsers["Cora"].get(f"/api{lobby.address}").json()["players"]
    assert {one["name"] for one in players} == {"Ben", "Cora"}


def test_the_number_of_a_player_who_left_a_lobby_is_given_to_nobody(service: GameService) -> None:
    lobby = with_dora(service)
    numbers = [leave(lobby, "Dora")]
    for _ in range(3):
        lobby.browsers["Dora"].post(f"{lobby.address}/join", data={"name": "Dora"})
        numbers.append(leave(lobby, "Dora"))
    assert numbers == sorted(set(numbers))
    kept = [one for one in service.games.load(lobby.id).tenures if one.until is not None]
    assert [(one.number, one.person) for one in kept] == [(numbers[-1], None)]


def test_in_an_anonymous_lobby_no_byte_shows_whether_a_player_who_left_had_written(service: GameService) -> None:
    shown = []
    for writer in ("Ben", "Dora"):
        lobby = with_dora(service, anonymous="yes")
        say(lobby, writer, "Tonight?")
        leave(lobby, "Dora")
        lobby.browsers[""].post(f"{lobby.address}/join", data={"name": "Emil"})
        pages = [lobby.plain(lobby.browsers[name].get(lobby.address).text) for name in ("Anna", "Cora", "")]
        shown.append([*pages, *as_read(lobby)])
        lobby.browsers["Anna"].post(f"{lobby.address}/cancel")
    assert shown[0] == shown[1]


def test_a_player_of_a_lobby_is_muted_and_reported_by_name(service: GameService) -> None:
    lobby = Lobby(service)
    say(lobby, "Cora", "A hateful word")
    ben: TestClient = lobby.browsers["Ben"]
    page = ben.get(f"{lobby.address}/talk?seat=everyone").text
    writer = re.search(r'name="seat" value="(#\d+)"', page)
    assert writer
    assert ">Cora<" in page
    form = {"seat": writer[1], "thread": "everyone", "sentence": "It is hateful", "kind": "abuse"}
    assert ben.post(f"{lobby.address}/talk/report", data=form).status_code == 200
    (waiting,) = service.store.of(Moderation).reports()
    assert [(one["seat"], one["text"], one["reported"]) for one in waiting.messages] == [
        ("Cora", "A hateful word", True)
    ]
    ben.post(f"{lobby.address}/talk/mute", data={"seat": writer[1], "act": "mute"})
    assert "hateful" not in read(lobby, "Ben")
    assert "hateful" in read(lobby, "Anna")

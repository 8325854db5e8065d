"""The pages of a game that has not begun, and of a seat to take over, say nothing secret: their bytes are compared."""

import re
from collections.abc import Iterable

from fastapi.testclient import TestClient

from plenipo.server.service import GameService
from plenipo.server.store.moderation import Moderation
from plenipo.server.web.app import create_app
from server.test_people_pages import hosted, link_in

SEATS = {"Ben": "France", "Cora": "England"}
"""The powers that these players take in games with a choice of powers."""


class Lobby:
    """One of the games that are compared: its host, two who sit there, one who waits, and a stranger."""

    def __init__(self, service: GameService, **more: str) -> None:
        app = create_app(service)
        names = ("Anna", "Ben", "Cora", "Dora", "")
        self.browsers = {name: TestClient(app, follow_redirects=True, raise_server_exceptions=False) for name in names}
        settings = {"variant": "hundred", "listed": "listed", "deal": "preferences", "game": "the game", **more}
        self.address = hosted(self.browsers["Anna"], "Anna", you="keep", **settings)  # type: ignore[arg-type]  # it asks as a browser does
        link = link_in(self.browsers["Anna"].get(self.address).text)
        self.id = self.address.rpartition("/")[2]
        for name in ("Ben", "Cora"):
            self.browsers[name].get(link)
            power = SEATS[name] if more.get("deal") == "taken" else ""
            self.browsers[name].post(f"{self.address}/join", data={"name": name, "power": power})

    def preference(self, name: str, power: str) -> None:
        page = self.browsers[name].get(self.address).text
        number = re.search(r'/preference".*?name="number" value="(\d+)"', page, re.DOTALL)
        assert number
        answer = self.browsers[name].post(f"{self.address}/preference", data={"number": number[1], "preference": power})
        assert answer.status_code == 200

    def shown(self, names: Iterable[str], *more: str) -> list[str]:
        """Return every answer to these people about the game, without random values."""
        paths = (self.address, f"/api{self.address}", f"/api{self.address}/journal", "/find", "/api/find", *more)
        texts = [self.browsers[name].get(path.replace("GAME", self.address)).text for name in names for path in paths]
        return [self.plain(text) for text in texts]

    def plain(self, text: str) -> str:
        text = re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL)  # the link as a code of squares
        text = re.sub(r"/sit/[\w-]+|/people/\w+|<time.*?</time>", "", text.replace(self.id, "GAME"))
        return re.sub(r'"(hash|at|commitment|opened|due|week)": ?("[^"]*"|\[[^]]*\])|data-week="[^"]*"', "", text)


def test_preferences_are_shown_to_no_other_player(service: GameService) -> None:
    shown = []
    for power in ("France", "England"):
        lobby = Lobby(service)
        lobby.preference("Ben", power)
        shown.append(lobby.shown(("Anna", "Cora", "")))
        assert f'value="{power}" selected' in lobby.browsers["Ben"].get(lobby.address).text
        lobby.browsers["Anna"].post(f"{lobby.address}/cancel")
    assert shown[0] == shown[1]


def test_the_ready_check_shows_the_number_of_present_players_and_no_names(service: GameService) -> None:
    shown = []
    for name in ("Ben", "Cora"):
        lobby = Lobby(service)
        lobby.browsers["Anna"].post(f"{lobby.address}/start")
        lobby.browsers[name].post(f"{lobby.address}/here")
        assert "1 of 2 players are ready" in lobby.browsers[""].get(lobby.address).text
        shown.append(lobby.shown(("Anna", "")))
        lobby.browsers["Anna"].post(f"{lobby.address}/cancel")
    assert shown[0] == shown[1]


def test_a_possible_replacement_reads_no_orders_before_taking_the_seat(service: GameService) -> None:
    shown = []
    for orders in ({"France": "A PAR H", "England": "A CAL H"}, {"France": "A TOU H", "England": "F LON H"}):
        lobby = Lobby(service, deal="taken")
        lobby.browsers["Anna"].post(f"{lobby.address}/start")
        for name in ("Ben", "Cora"):
            lobby.browsers[name].post(f"{lobby.address}/here")
        api = f"/api{lobby.address}"
        for name, seat in SEATS.items():
            body = {"phase_number": 1, "seat": seat, "orders": [orders[seat]]}
            assert lobby.browsers[name].put(f"{api}/orders", json=body).status_code == 200
        lobby.browsers["Cora"].post(f"{api}/seats", json={"power": "England", "act": "resign"})
        shown.append(lobby.shown(("", "Dora", "Anna"), "GAME/take?power=England"))
        assert "Take over England" in shown[-1][3]
        assert not any(order in text for order in orders.values() for text in shown[-1])
        service.store.of(Moderation).unlist(lobby.id)
    assert shown[0] == shown[1]

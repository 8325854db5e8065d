"""Deals in hosted games: offered to computers and people, answered with reasons, judged, and hidden from others."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from fastapi.testclient import TestClient

from plenipo import bots
from plenipo.bots.deals import bargaining
from plenipo.bots.evaluation import SHARE_ONE
from plenipo.server.deals import MOST_PROPOSALS
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.warm_up import UNTIL_THEN, Warming
from plenipo.server.web.app import create_app

Json = dict[str, Any]

NOWHERE = ["BUR", "RUH", "BEL", "HOL", "MUN", "KIE", "BER", "PIE", "TYO", "VEN", "ROM", "NAP", "LON", "LVP", "EDI"]
"""Spaces that France is never to enter."""


@dataclass
class DealTable:
    """A game asked by the key of one of its seats."""

    client: TestClient
    id: str
    keys: Mapping[str, str]
    seat: str = "France"

    @classmethod
    def solo(cls, client: TestClient, **more: Any) -> "DealTable":
        """A person alone among computers."""
        body = {"variant": "standard", "computers": "others", "player": "quick", "power": "France", **more}
        made = client.post("/api/games", json=body).json()
        client.cookies.clear()
        return cls(client, made["id"], {"France": made["keys"]["all"]})

    @classmethod
    def lobby(cls, client: TestClient, **settings: Any) -> "DealTable":
        """Three people at three of the seats."""
        body = {"variant": "standard", "lobby": True, "settings": settings}
        made = client.post("/api/games", json=body).json()
        invited = {"authorization": f"Bearer {made['invitation'].rpartition('/')[2]}"}
        keys = {"host": made["keys"]["all"]}
        for power, name in {"France": "Anna", "Germany": "Ben", "England": "Cleo"}.items():
            client.cookies.clear()
            joined = client.post(
                f"/api/games/{made['id']}/join", json={"name": name, "power": power}, headers=invited
            ).json()
            keys[power] = joined["key"]
        client.cookies.clear()
        client.post(f"/api/games/{made['id']}/start", json={}, headers={"authorization": f"Bearer {keys['host']}"})
        client.cookies.clear()
        return cls(client, made["id"], keys)

    def as_power(self, seat: str) -> "DealTable":
        return DealTable(self.client, self.id, self.keys, seat)

    def ask(self, path: str, body: Json | None = None, **query: str) -> Json:
        key = self.keys.get(self.seat, "")
        headers = {"authorization": f"Bearer {key}"} if key else {}
        address = f"/api/games/{self.id}{path}"
        if body is None:
            answer = self.client.get(address, headers=headers, params=query)
        else:
            answer = self.client.post(address, headers=headers, json=body)
        self.client.cookies.clear()
        assert answer.status_code < 500
        found: Json = answer.json()
        return found

    @property
    def number(self) -> int:
        return int(self.ask("")["phase_number"])

    def deals(self) -> Json:
        return self.ask("/deals", seat=self.seat)

    def send(self, path: str, **body: Any) -> Json:
        return self.ask(f"/deals{path}", {"phase_number": self.number, "seat": self.seat, **body})

    def propose(self, partner: str, *clauses: Json) -> Json:
        return self.send("", partner=partner, clauses=list(clauses))

    def order(self, *orders: str) -> None:
        self.ask("/orders", {"phase_number": self.number, "seat": self.seat, "give": list(orders), "ready": True})

    def process(self) -> Json:
        host = self.as_power("host" if "host" in self.keys else self.seat)
        return host.ask("/process", {"phase_number": self.number})


def refusal(answer: Json) -> str:
    return str(answer["error"]["message"])


@pytest.fixture
def solo(client: TestClient) -> DealTable:
    return DealTable.solo(client)


@pytest.fixture
def willing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Computers that accept whatever is not void."""
    monkeypatch.setattr(bargaining, "LEAST_GAIN", -SHARE_ONE)


@pytest.fixture
def three(client: TestClient) -> DealTable:
    return DealTable.lobby(client)


# With computers


@pytest.mark.usefixtures("willing")
def test_a_computer_accepts_what_helps_it_and_says_why_with_figures(solo: DealTable) -> None:
    clause = {"power": "France", "keep_out": NOWHERE, "movements": 4}
    answer = solo.propose("Germany", clause)
    (deal,) = answer["deals"]
    assert (deal["state"], deal["binding"]) == ("accepted", True)
    assert " of " in deal["reason"]["text"]
    assert deal["clauses"][0]["said"]["text"].startswith("France moves nothing into ")
    assert refusal(solo.propose("Germany", clause)) == "All of this is promised already."


def test_a_computer_refuses_what_only_costs_and_says_the_same_when_asked_again(client: TestClient) -> None:
    table = DealTable.solo(client)
    clauses = ({"power": "Germany", "keep_out": ["HOL", "DEN", "BUR", "RUH", "TYO", "SIL", "BOH"], "movements": 4},)
    deals = table.propose("Germany", *clauses)["deals"]
    offer = next(one for one in deals if one["proposer"] == "France")
    assert offer["state"] == "refused"
    assert offer["reason"]["text"].startswith(("I would ", "It would "))
    assert all(one["proposer"] == "Germany" and one["state"] == "open" for one in deals if one is not offer)
    assert refusal(table.propose("Germany", *clauses)) == "You have offered this deal in this phase already."


@pytest.mark.usefixtures("willing")
def test_a_computer_that_is_asked_offers_what_helps_both_and_keeps_it(
    solo: DealTable,
) -> None:
    partner = "Germany"
    offers = solo.send("/ask", partner=partner)["deals"]
    assert {(one["proposer"], one["state"]) for one in offers} == {("Germany", "open")}
    again = solo.send("/ask", partner=partner)
    assert again["said"]["text"] == "You have all my offers for this phase."
    chosen = offers[0]
    assert chosen["reason"]
    accepted = solo.send("/answer", number=chosen["number"], accepts=True)
    assert next(one for one in accepted["deals"] if one["number"] == chosen["number"])["state"] == "accepted"
    mine = [one["order"] for one in chosen["clauses"] if one["kind"] == "order" and one["power"] == "France"]
    solo.order(*mine, *([] if mine else ["A PAR H"]))
    solo.process()
    judged = next(one for one in solo.deals()["deals"] if one["number"] == chosen["number"])
    theirs = [one for one in judged["clauses"] if one["power"] == partner and one["movements"] == 1]
    assert {one["verdict"] for one in theirs} <= {"kept", "void"}
    assert not judged["now"]


def test_a_text_to_a_computer_gets_one_honest_sentence(solo: DealTable) -> None:
    said = solo.send("/ask", partner="Germany", text="Lass uns Freunde sein, bitte!")
    assert said["said"]["text"].startswith("I do not read sentences, only clauses of deals and orders such as ")
    assert said["understood"] == []
    read = solo.send("/ask", partner="Germany", text="A MUN - RUH\nA PAR - PIC")
    assert read["said"]["text"] == (
        "I read this as orders, A MUN - RUH and A PAR - PIC; offer them as clauses, and I answer."
    )
    assert [(one["power"], one["order"]) for one in read["understood"]] == [
        ("Germany", "A MUN - RUH"),
        ("France", "A PAR - PIC"),
    ]
    assert read["deals"] == []


NONSENSE: list[tuple[str, Json, str]] = [
    ("a third power", {"power": "Italy", "show": True}, "Italy is not a partner of this deal"),
    ("an illegal order", {"power": "Germany", "order": "A MUN - PAR"}, "Germany may not order A MUN - PAR: "),
    ("an order that is none", {"power": "Germany", "order": "go west"}, "The order 'go west' is not understood: "),
    ("a space that is none", {"power": "Germany", "keep_out": ["Mordor"]}, "There is no space Mordor on the board."),
    ("no centre", {"power": "Germany", "leave": ["BUR"]}, "Burgundy is not a supply centre."),
    ("an attack on itself", {"power": "Germany", "attack": "Germany"}, "Germany is not a power that both can attack."),
    ("two promises in one", {"power": "Germany", "show": True, "attack": "Italy"}, "is no clause; one has"),
    ("nothing", {"power": "Germany"}, "is no clause; one has"),
]


@pytest.mark.parametrize(("clause", "said"), [case[1:] for case in NONSENSE], ids=[case[0] for case in NONSENSE])
def test_nonsense_gets_one_sentence_and_is_not_passed_on(solo: DealTable, clause: Json, said: str) -> None:
    assert said in refusal(solo.propose("Germany", clause))
    assert solo.deals()["deals"] == []


def test_a_flood_of_offers_ends_with_one_sentence(three: DealTable) -> None:
    codes = sorted(three.ask("/board")["spaces"])
    for code in codes[:MOST_PROPOSALS]:
        assert "deals" in three.propose("Germany", {"power": "France", "keep_out": [code]})
    assert three.deals()["left"] == 0
    answer = three.propose("Germany", {"power": "France", "keep_out": [codes[MOST_PROPOSALS]]})
    assert refusal(answer) == f"You have made {MOST_PROPOSALS} offers in this phase; wait for the next one."


def test_computers_that_make_no_deals_say_so(client: TestClient) -> None:
    table = DealTable.solo(client, player="careless")
    germany = next(one for one in table.deals()["partners"] if one["power"] == "Germany")
    assert germany["why_not"]["text"] == "The computer that plays Germany makes no deals."
    answer = table.propose("Germany", {"power": "France", "keep_out": ["BUR"]})
    assert refusal(answer) == "The computer that plays Germany makes no deals."


def test_no_computer_answers_while_they_warm_up(
    solo: DealTable, service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Warming, "start_if_needed", lambda _self, _computers: None)  # nothing is compiled here
    monkeypatch.setattr(bots, "is_compiled", lambda: False)
    service.computers.warming = Warming()
    assert refusal(solo.propose("Germany", {"power": "France", "keep_out": NOWHERE})) == UNTIL_THEN
    assert solo.deals()["deals"] == []


@pytest.mark.usefixtures("willing")
def test_shown_orders_of_a_computer_are_those_it_gives(solo: DealTable) -> None:
    answer = solo.propose(
        "Germany", {"power": "France", "keep_out": NOWHERE, "movements": 8}, {"power": "Germany", "show": True}
    )
    deal = next(one for one in answer["deals"] if one["proposer"] == "France")
    assert deal["state"] == "accepted", deal["reason"]
    (shown,) = deal["shown"]
    assert shown["power"] == "Germany"
    solo.order("A PAR H")
    played = solo.process()["result"]["orders"]["Germany"]
    assert sorted(played) == sorted(shown["orders"])
    judged = solo.deals()["deals"][-1]
    assert [one["verdict"] for one in judged["clauses"] if one["kind"] == "show"] == ["kept"]


@pytest.mark.usefixtures("willing")
def test_undone_turns_take_their_deals_with_them(solo: DealTable) -> None:
    solo.propose("Germany", {"power": "France", "keep_out": NOWHERE, "movements": 4})
    solo.order("A PAR H")
    solo.process()
    solo.propose("Germany", {"power": "France", "keep_out": ["ION"], "movements": 2})
    assert len(solo.deals()["deals"]) >= 2
    solo.ask("/undo", {"phase_number": solo.number})
    (deal,) = solo.deals()["deals"]
    assert (deal["state"], deal["binding"]) == ("accepted", True)
    assert {one["verdict"] for one in deal["clauses"]} == {""}


@pytest.mark.usefixtures("willing")
def test_deals_outlast_a_restart(solo: DealTable, store: Store) -> None:
    solo.propose("Germany", {"power": "France", "keep_out": NOWHERE, "movements": 4})
    before = solo.deals()
    with TestClient(create_app(GameService(store)), raise_server_exceptions=False) as client:
        assert DealTable(client, solo.id, solo.keys).deals() == before


# Between people


def test_an_offer_waits_for_a_person_who_accepts_it_and_what_is_broken_is_shown(three: DealTable) -> None:
    germany = three.as_power("Germany")
    three.propose("Germany", {"power": "France", "keep_out": ["BUR"]}, {"power": "Germany", "order": "A MUN - RUH"})
    (offer,) = germany.deals()["deals"]
    assert (offer["state"], offer["proposer"], bool(offer["arrows"])) == ("open", "France", True)
    assert refusal(three.send("/answer", number=offer["number"], accepts=True)).startswith("This is your own offer")
    germany.send("/answer", number=offer["number"], accepts=True)
    assert refusal(germany.send("/answer", number=offer["number"], accepts=False)).startswith("There is no such offer")
    three.order("A PAR - BUR")
    germany.order("A MUN - RUH")
    three.process()
    for one in (three, germany):
        (deal,) = one.deals()["deals"]
        assert [clause["verdict"] for clause in deal["clauses"]] == ["broken", "kept"]
        assert not deal["binding"]


def test_an_offer_is_refused_withdrawn_or_lapses(three: DealTable) -> None:
    germany = three.as_power("Germany")
    for code in ("BUR", "RUH", "BEL"):
        three.propose("Germany", {"power": "France", "keep_out": [code]})
    first, second, _ = (one["number"] for one in reversed(three.deals()["deals"]))
    germany.send("/answer", number=first, accepts=False)
    three.send("/answer", number=second, accepts=False)
    assert [one["state"] for one in reversed(germany.deals()["deals"])] == ["refused", "withdrawn", "open"]
    three.process()
    assert [one["state"] for one in reversed(germany.deals()["deals"])] == ["refused", "withdrawn", "lapsed"]


def test_a_person_shows_orders_when_it_has_some_and_must_not_change_them(three: DealTable) -> None:
    germany = three.as_power("Germany")
    three.propose("Germany", {"power": "Germany", "show": True})
    (offer,) = three.deals()["deals"]
    germany.send("/answer", number=offer["number"], accepts=True)
    assert germany.deals()["deals"][0]["must_show"]
    assert refusal(germany.send("/show", number=offer["number"])).startswith("You have given no orders yet")
    germany.order("A MUN - BUR")
    germany.send("/show", number=offer["number"])
    assert three.deals()["deals"][0]["shown"] == [{"power": "Germany", "orders": ["A MUN - BUR"]}]
    germany.order("A MUN - RUH")
    three.process()
    assert three.deals()["deals"][0]["clauses"][0]["verdict"] == "broken"


def test_nobody_else_sees_a_deal_or_that_there_is_one(three: DealTable) -> None:
    england, nobody = three.as_power("England"), three.as_power("nobody")

    def everything() -> list[Json]:
        return [england.deals(), *(who.ask(path) for who in (england, nobody) for path in ("", "/history", "/press"))]

    before = everything()
    three.propose("Germany", {"power": "France", "keep_out": ["BUR"]})
    three.as_power("Germany").send("/answer", number=three.deals()["deals"][0]["number"], accepts=True)
    assert everything() == before
    assert nobody.ask("/deals")["error"]["code"] == "no_key"
    assert nobody.ask("/deals/options", power="Germany")["error"]["code"] == "no_key"
    assert refusal(england.ask("/deals", seat="France")) == "Your key does not open the seat of France."
    number = three.deals()["deals"][0]["number"]
    assert refusal(england.send("/answer", number=number, accepts=True)).startswith("There is no such offer")
    assert refusal(england.send("/show", number=number)).startswith("In this deal you have not promised")


def test_what_a_power_promised_others_is_not_told_to_a_third(three: DealTable) -> None:
    germany, england = three.as_power("Germany"), three.as_power("England")
    three.propose("Germany", {"power": "Germany", "order": "A MUN - RUH"})
    germany.send("/answer", number=three.deals()["deals"][0]["number"], accepts=True)
    assert "deals" in england.propose("Germany", {"power": "Germany", "order": "A MUN - BUR"})
    offer = england.deals()["deals"][0]["number"]
    assert "two orders for one unit" in refusal(germany.send("/answer", number=offer, accepts=True))
    assert england.deals()["deals"][0]["state"] == "open"


def test_people_make_deals_where_the_press_lets_them_write(client: TestClient) -> None:
    table = DealTable.lobby(client, press="No press")
    germany = next(one for one in table.deals()["partners"] if one["power"] == "Germany")
    assert germany["why_not"]["text"] == "This game has no press; you can write only to the host."
    assert "no press" in refusal(table.propose("Germany", {"power": "France", "keep_out": ["BUR"]}))


# Without deals


def test_deals_are_made_in_movements_of_running_games_on_open_boards(client: TestClient) -> None:
    hidden = DealTable.solo(client, variant="fog-of-war")
    assert hidden.deals()["closed"]["text"].startswith("In this game parts of the board are hidden")
    table = DealTable.solo(client)
    table.ask("/draw", {"phase_number": table.number})
    assert table.deals()["closed"]["text"] == "The game is over; no more deals are made."
    alone = DealTable.solo(client, computers="none")
    partner = alone.deals()["partners"][0]
    assert partner["why_not"]["text"] == "Austria is played at this screen; talk to its player."


def test_the_orders_of_the_other_power_are_listed_for_clauses(solo: DealTable) -> None:
    found = solo.ask("/deals/options", seat="France", power="Germany")
    assert found["power"] == "Germany"
    assert {one["label"] for one in found["choices"]} == {"A BER", "A MUN", "F KIE"}
    assert "is not a power" in refusal(solo.ask("/deals/options", seat="France", power="Mordor"))


@pytest.mark.usefixtures("willing")
def test_a_reader_of_german_reads_the_answers_in_german(solo: DealTable) -> None:
    solo.client.headers["accept-language"] = "de"
    answer = solo.propose("Germany", {"power": "France", "keep_out": NOWHERE, "movements": 4})
    assert answer["deals"][0]["clauses"][0]["said"]["text"].startswith("Frankreich zieht ")
    assert " von " in answer["deals"][0]["reason"]["text"]
    assert answer["deals"][0]["phase"] == "Bewegungsphase Frühjahr 1901"

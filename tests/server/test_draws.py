"""The game master who draws from a real hat: what he is asked for, what he may enter and take back, and who he is."""

from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi.testclient import TestClient

from plenipo.server.broker import Broker
from plenipo.server.deadlines import BY_DICE
from plenipo.server.host import Host
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.hosting.tick import waits_for
from plenipo.server.opening import NewGame
from plenipo.server.store import Store
from plenipo.server.web import views
from server.clocks import ManualClock

Json = dict[str, Any]

BY_HAND = {"draws": "gm_entered", "majors": "France", "minors": "Belgium"}
WALKERS = {
    "IRISH 1": "BUR",
    "IRISH 2": "NTH",
    "PSYCHIATRIST 1": "GAS",
    "PSYCHIATRIST 2": "MID",
    "PSYCHIATRIST 3": "WES",
}


class Table:
    """A game in which the game master draws, at its first draws: those of a movement."""

    def __init__(self, client: TestClient, **wishes: Any) -> None:
        body = {"variant": "irish", "options": BY_HAND, **wishes}
        self.client = client
        self.opened: Json = client.post("/api/games", json=body).json()
        self.url = f"/api/games/{self.opened['id']}"
        self.table = self.opened["keys"]["all"]
        client.cookies.clear()
        while self.view()["phase"]["kind"] == "choice":
            self.process()

    def ask(self, method: str, path: str = "", key: str | None = None, body: Json | None = None) -> Any:
        headers = {} if key == "" else {"authorization": f"Bearer {key or self.table}"}
        return self.client.request(method, self.url + path, headers=headers, json=body)

    def view(self, key: str | None = None, seat: str = "") -> Json:
        answer = self.ask("GET", f"?seat={seat}", key)
        assert answer.status_code == 200, answer.text
        views.View.model_validate(answer.json())
        found: Json = answer.json()
        return found

    def drawing(self, key: str | None = None) -> Json:
        found: Json = self.view(key)["sheets"]["GM"]["drawing"]
        return found

    def hand_in(self, seat: str = "GM", key: str | None = None, **edit: Any) -> Any:
        return self.ask("POST", "/orders", key, {"phase_number": self.view()["phase_number"], "seat": seat, **edit})

    def enter(self, **draws: str) -> Json:
        """Enter draws, `_` in a label for a blank; what is asked for then."""
        give = [f"DRAW {label.replace('_', ' ')}: {result}" for label, result in draws.items()]
        answer = self.hand_in(give=give)
        assert answer.status_code == 200, answer.text
        views.SheetAnswer.model_validate(answer.json())
        found: Json = answer.json()["sheet"]["drawing"]
        return found

    def process(self) -> Any:
        return self.ask("POST", "/process", body={"phase_number": self.view()["phase_number"]})

    def to_the_slips(self) -> "Table":
        self.enter(**{label.replace(" ", "_"): place for label, place in WALKERS.items()})
        assert self.process().status_code == 200
        assert self.view()["phase"]["kind"] == "draws"
        return self


def test_each_draw_is_asked_for_with_what_is_in_the_hat(client: TestClient) -> None:
    table = Table(client).to_the_slips()
    first = table.drawing()
    assert (first["entered"], first["fault"]) == ([], "")
    assert (first["due"]["label"], first["due"]["cards"]) == ("black hole", 0)
    assert {"text": "NTH", "name": "North Sea"} in first["due"]["slips"]
    assert table.enter(black_hole="PIC")["due"]["label"] == "split"
    cards = table.enter(split="NTH")["due"]
    assert (cards["label"], cards["cards"]) == ("cards of NTH", 2)
    assert {"text": "NWY", "name": "Norway"} in cards["slips"]
    done = table.enter(cards_of_NTH="NWY, BEL")
    assert done["due"] is None
    assert [one["label"] for one in done["entered"]] == ["black hole", "split", "cards of NTH"]
    last = done["entered"][-1]
    assert (last["result"], last["name"], last["counts"]) == ("NWY, BEL", "Norway, Belgium", True)
    played = table.process().json()
    assert [draw["entered"] for draw in played["result"]["draws"]] == [True, True, True]
    assert "Picardy became a black hole." in played["result"]["notes"]
    closed = next(event for event in played["result"]["events"] if event["kind"] == "space_closed")
    assert (closed["sentence"], closed["spaces"]) == ("Picardy became a black hole.", ["PIC"])


def test_what_the_next_draw_offers_is_what_a_typed_order_may_say(client: TestClient) -> None:
    table = Table(client).to_the_slips()
    while due := table.drawing()["due"]:
        chosen = [slip["text"] for slip in due["slips"]][: max(due["cards"], 1)]
        table.enter(**{due["label"].replace(" ", "_"): ", ".join(chosen)})
    assert table.process().status_code == 200
    assert table.view()["phase"]["kind"] == "movement"


def test_a_phase_is_not_closed_before_everything_is_drawn(client: TestClient) -> None:
    table = Table(client).to_the_slips()
    refused = table.process()
    assert refused.status_code == 422
    assert refused.json()["error"]["message"].startswith("The game master must draw: 'black hole'")
    assert table.view()["phase"]["kind"] == "draws"


def test_what_was_entered_is_replaced_and_taken_back(client: TestClient) -> None:
    table = Table(client).to_the_slips()
    table.enter(black_hole="PIC", split="NTH", cards_of_NTH="NWY, BEL")
    again = table.enter(black_hole="WAL")
    assert [one["result"] for one in again["entered"]] == ["WAL", "NTH", "NWY, BEL"]
    left = table.hand_in(clear=["DRAW split: NTH"]).json()["sheet"]["drawing"]
    assert left["due"]["label"] == "split"
    assert [(one["label"], one["counts"]) for one in left["entered"]] == [("black hole", True), ("cards of NTH", False)]
    other = table.enter(split="BUR")
    assert other["due"]["label"] == "cards of BUR"


def test_what_cannot_have_come_out_is_told_and_asked_for_again(client: TestClient) -> None:
    table = Table(client).to_the_slips()
    wrong = table.enter(black_hole="Narnia")
    assert wrong["fault"].startswith("'Narnia' cannot be drawn for 'black hole'")
    assert wrong["due"]["label"] == "black hole"
    assert not wrong["entered"][0]["counts"]
    assert table.enter(black_hole="pic")["entered"][0]["result"] == "PIC"


def test_a_turn_is_taken_back_to_its_draws(client: TestClient) -> None:
    table = Table(client).to_the_slips()
    table.enter(black_hole="PIC", split="NTH", cards_of_NTH="NWY, BEL")
    table.process()
    view = table.ask("POST", "/undo", body={"phase_number": table.view()["phase_number"]}).json()["view"]
    assert view["phase"]["kind"] == "draws"
    assert [one["counts"] for one in view["sheets"]["GM"]["drawing"]["entered"]] == [True, True, True]


def test_the_page_of_the_table_has_the_draw_and_no_other_has_it(client: TestClient) -> None:
    table = Table(client).to_the_slips()
    page = f"/games/{table.opened['id']}"
    assert '"label":"black hole"' in client.get(page, headers={"authorization": f"Bearer {table.table}"}).text
    assert '"label":"black hole"' not in client.get(page).text
    assert "GM" not in table.view(key="")["sheets"]
    assert "GM" not in table.view(seat="France")["sheets"]
    assert table.hand_in(key="", give=["DRAW black hole: PIC"]).status_code == 401


def test_a_player_enters_no_draw(client: TestClient) -> None:
    table = Table(client)
    refused = table.hand_in("France", give=["DRAW IRISH 1: BUR"])
    assert refused.status_code == 422
    assert "only the game master (GM)" in refused.json()["error"]["message"]


def test_dice_ask_nobody(client: TestClient) -> None:
    table = Table(client, options={"majors": "France", "minors": "Belgium"})
    view = table.view()
    assert not view["asks"]["draws"]
    assert view["sheets"]["GM"]["drawing"] is None


# Where every seat has its own key


def seats(table: Table) -> dict[str, str]:
    found: dict[str, str] = table.opened["keys"]["seats"]
    return found


def all_ready(table: Table) -> None:
    for seat, key in seats(table).items():
        assert table.hand_in(seat, key, ready=True).status_code == 200


def test_the_key_of_the_table_draws_when_all_are_ready(client: TestClient) -> None:
    table = Table(client, seating="links")
    assert "GM" in table.view()["viewer"]["seats"]
    assert table.drawing()["due"] is None
    all_ready(table)
    assert table.view()["phase"]["kind"] == "movement"
    assert table.drawing()["due"]["label"] == "IRISH 1"
    table.enter(**{label.replace(" ", "_"): place for label, place in WALKERS.items()})
    assert table.view()["phase"]["kind"] == "movement"
    assert table.hand_in(ready=True).json()["processed"]
    assert table.view()["phase"]["kind"] == "draws"
    assert table.drawing()["due"]["label"] == "black hole"
    assert table.hand_in(ready=True).json()["processed"] is False
    table.enter(black_hole="PIC", split="NTH", cards_of_NTH="NWY, BEL")
    assert table.hand_in(ready=True).json()["processed"]
    assert table.view()["phase"]["kind"] == "movement"


def test_who_draws_for_others_sees_nothing_secret_of_theirs(client: TestClient) -> None:
    table = Table(client, seating="links")
    key = seats(table)["France"]
    assert table.hand_in("France", key, give=["A PAR - BUR"], ready=True).status_code == 200
    for path in ("", "?seat=GM", "?seat=all", "/complete?seat=GM&text=d"):
        answer = table.ask("GET", path)
        assert answer.status_code == 200
        assert "A PAR - BUR" not in answer.text
    page = client.get(f"/games/{table.opened['id']}?seat=GM", headers={"authorization": f"Bearer {table.table}"})
    assert page.status_code == 200
    assert "A PAR - BUR" not in page.text
    assert "GM" not in table.view(key)["sheets"]
    assert table.hand_in(key=key, give=["DRAW IRISH 1: BUR"]).status_code == 403


def test_dice_draw_what_a_game_master_has_not_drawn_when_the_deadline_is_over(store: Store) -> None:
    clock = ManualClock(datetime(2026, 11, 22, 12, tzinfo=UTC))
    host = Host(store, Broker(), clock)
    hour = {"within": "1h"}
    schedule = schedule_of(
        {
            **dict.fromkeys(("movement", "retreats", "adjustments", "choice"), hour),
            "draws": {**hour, "else": "dice"},
            "cool": "0m",
            "missed": {"first": "hold", "then": "hold", "vacant_after": 20},
        }
    )
    keys = host.open(NewGame("irish", BY_HAND, seating="links", schedule=schedule))
    for _ in range(12):
        if host.games.hosted(keys.id).turn > 2:
            break
        clock.time += timedelta(hours=1)
        host.go_on(keys.id)
    hosted = host.games.hosted(keys.id)
    drawn = [turn for turn in hosted.game.turns if turn.resolution.draws]
    assert drawn
    entries = [entry.text for entry in host.journal(keys.id) if entry.kind == "drawn"]
    assert entries
    dice = hosted.game.dice
    assert dice is not None
    for turn in drawn:
        for draw in turn.resolution.draws:
            label = f"{BY_DICE}|{turn.resolution.before.phase}|{draw.label.partition('|')[2]}"
            first = draw.result.split(", ")
            assert draw.entered
            assert list(dice.shuffle(label, draw.slips)[: len(first)]) == first, "everybody can draw it again"


def test_without_that_setting_the_game_waits_for_its_game_master(store: Store) -> None:
    clock = ManualClock(datetime(2026, 11, 22, 12, tzinfo=UTC))
    host = Host(store, Broker(), clock)
    hour = {"within": "1h"}
    kinds = ("movement", "retreats", "adjustments", "choice", "draws")
    missed = {"first": "hold", "then": "hold", "vacant_after": 20}
    schedule = schedule_of({**dict.fromkeys(kinds, hour), "cool": "0m", "missed": missed})
    keys = host.open(NewGame("irish", BY_HAND, seating="links", schedule=schedule))
    for _ in range(12):
        clock.time += timedelta(hours=1)
        host.go_on(keys.id)
    timed = host.games.hosted(keys.id).timed
    assert timed is not None
    assert "GM" in waits_for(timed)

"""A game master who draws physically: the draws to enter, allowed entries and corrections, and the seat itself."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

from plenipo.engine.position import GAME_MASTER, Power
from plenipo.server.broker import Broker
from plenipo.server.deadlines import BY_DICE
from plenipo.server.hosted_game import Credentials, HostedGame
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.hosting.tick import TimeAct
from plenipo.server.hosting.waits import waits_for
from plenipo.server.new_games import NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.submissions import Edit
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

    def __init__(self, client: TestClient, **preferences: Any) -> None:
        body = {"variant": "irish", "options": BY_HAND, **preferences}
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
        found: Json = self.view(key)["order_sets"]["GM"]["drawing"]
        return found

    def submit_orders(self, seat: str = "GM", key: str | None = None, **edit: Any) -> Any:
        return self.ask("POST", "/orders", key, {"phase_number": self.view()["phase_number"], "seat": seat, **edit})

    def enter(self, **draws: str) -> Json:
        """Enter draws, `_` in a label for a blank; what is asked for then."""
        give = [f"DRAW {label.replace('_', ' ')}: {result}" for label, result in draws.items()]
        answer = self.submit_orders(give=give)
        assert answer.status_code == 200, answer.text
        views.OrderSetAnswer.model_validate(answer.json())
        found: Json = answer.json()["order_set"]["drawing"]
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
    assert (first["entered"], first["fault"]) == ([], None)
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
    assert "Picardy became a black hole." in [note["text"] for note in played["result"]["notes"]]
    closed = next(event for event in played["result"]["events"] if event["kind"] == "space_closed")
    assert (closed["sentence"]["text"], closed["spaces"]) == ("Picardy became a black hole.", ["PIC"])


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
    left = table.submit_orders(clear=["DRAW split: NTH"]).json()["order_set"]["drawing"]
    assert left["due"]["label"] == "split"
    assert [(one["label"], one["counts"]) for one in left["entered"]] == [("black hole", True), ("cards of NTH", False)]
    other = table.enter(split="BUR")
    assert other["due"]["label"] == "cards of BUR"


def test_an_impossible_draw_is_reported_and_asked_for_again(client: TestClient) -> None:
    table = Table(client).to_the_slips()
    wrong = table.enter(black_hole="Narnia")
    assert wrong["fault"]["text"].startswith("'Narnia' cannot be drawn for 'black hole'")
    assert wrong["due"]["label"] == "black hole"
    assert not wrong["entered"][0]["counts"]
    assert table.enter(black_hole="pic")["entered"][0]["result"] == "PIC"


def test_a_turn_is_taken_back_to_its_draws(client: TestClient) -> None:
    table = Table(client).to_the_slips()
    table.enter(black_hole="PIC", split="NTH", cards_of_NTH="NWY, BEL")
    table.process()
    view = table.ask("POST", "/undo", body={"phase_number": table.view()["phase_number"]}).json()["view"]
    assert view["phase"]["kind"] == "draws"
    assert [one["counts"] for one in view["order_sets"]["GM"]["drawing"]["entered"]] == [True, True, True]


def test_the_page_of_the_table_has_the_draw_and_no_other_has_it(client: TestClient) -> None:
    table = Table(client).to_the_slips()
    page = f"/games/{table.opened['id']}"
    assert '"label":"black hole"' in client.get(page, headers={"authorization": f"Bearer {table.table}"}).text
    assert '"label":"black hole"' not in client.get(page).text
    assert "GM" not in table.view(key="")["order_sets"]
    assert "GM" not in table.view(seat="France")["order_sets"]
    assert table.submit_orders(key="", give=["DRAW black hole: PIC"]).status_code == 401


def test_a_player_enters_no_draw(client: TestClient) -> None:
    table = Table(client)
    refused = table.submit_orders("France", give=["DRAW IRISH 1: BUR"])
    assert refused.status_code == 422
    assert "only the game master (GM)" in refused.json()["error"]["message"]


def test_dice_need_no_game_master(client: TestClient) -> None:
    table = Table(client, options={"majors": "France", "minors": "Belgium"})
    view = table.view()
    assert not view["asks"]["draws"]
    assert view["order_sets"]["GM"]["drawing"] is None


# Games in which every seat has its own key


def seats(table: Table) -> dict[str, str]:
    found: dict[str, str] = table.opened["keys"]["seats"]
    return found


def all_ready(table: Table) -> None:
    for seat, key in seats(table).items():
        assert table.submit_orders(seat, key, ready=True).status_code == 200


def test_the_key_of_the_table_draws_when_all_are_ready(client: TestClient) -> None:
    table = Table(client, seating="links")
    assert "GM" in table.view()["viewer"]["seats"]
    assert table.drawing()["due"] is None
    all_ready(table)
    assert table.view()["phase"]["kind"] == "movement"
    assert table.drawing()["due"]["label"] == "IRISH 1"
    table.enter(**{label.replace(" ", "_"): place for label, place in WALKERS.items()})
    assert table.view()["phase"]["kind"] == "movement"
    assert table.submit_orders(ready=True).json()["processed"]
    assert table.view()["phase"]["kind"] == "draws"
    assert table.drawing()["due"]["label"] == "black hole"
    assert table.submit_orders(ready=True).json()["processed"] is False
    table.enter(black_hole="PIC", split="NTH", cards_of_NTH="NWY, BEL")
    assert table.submit_orders(ready=True).json()["processed"]
    assert table.view()["phase"]["kind"] == "movement"


def test_a_game_master_who_draws_sees_no_secrets_of_others(client: TestClient) -> None:
    table = Table(client, seating="links")
    key = seats(table)["France"]
    assert table.submit_orders("France", key, give=["A PAR - BUR"], ready=True).status_code == 200
    for path in ("", "?seat=GM", "?seat=all", "/complete?seat=GM&text=d"):
        answer = table.ask("GET", path)
        assert answer.status_code == 200
        assert "A PAR - BUR" not in answer.text
    page = client.get(f"/games/{table.opened['id']}?seat=GM", headers={"authorization": f"Bearer {table.table}"})
    assert page.status_code == 200
    assert "A PAR - BUR" not in page.text
    assert "GM" not in table.view(key)["order_sets"]
    assert table.submit_orders(key=key, give=["DRAW IRISH 1: BUR"]).status_code == 403


def test_dice_draw_what_a_game_master_has_not_drawn_when_the_deadline_is_over(store: Store) -> None:
    clock = ManualClock(datetime(2026, 11, 22, 12, tzinfo=UTC))
    service = GameService(store, Broker(), clock)
    hour = {"within": "1h"}
    schedule = schedule_of(
        {
            **dict.fromkeys(("movement", "retreats", "adjustments", "choice"), hour),
            "draws": {**hour, "else": "dice"},
            "cool": "0m",
            "missed": {"first": "hold", "then": "hold", "vacant_after": 20},
        }
    )
    keys = service.open(NewGameRequest("irish", BY_HAND, seating="links", schedule=schedule))
    for _ in range(12):
        if service.games.load(keys.id).turn > 2:
            break
        clock.time += timedelta(hours=1)
        service.time.go_on(keys.id)
    hosted = service.games.load(keys.id)
    drawn = [turn for turn in hosted.game.turns if turn.resolution.draws]
    assert drawn
    entries = [entry.text for entry in service.journal(keys.id) if entry.kind == "drawn"]
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
    service = GameService(store, Broker(), clock)
    hour = {"within": "1h"}
    kinds = ("movement", "retreats", "adjustments", "choice", "draws")
    missed = {"first": "hold", "then": "hold", "vacant_after": 20}
    schedule = schedule_of({**dict.fromkeys(kinds, hour), "cool": "0m", "missed": missed})
    keys = service.open(NewGameRequest("irish", BY_HAND, seating="links", schedule=schedule))
    for _ in range(12):
        clock.time += timedelta(hours=1)
        service.time.go_on(keys.id)
    timed = service.games.load(keys.id).timed_game
    assert timed is not None
    assert waits_for(timed) == "The phase cannot end before the game master has drawn."


# Games in which a player misses the deadline

KINDS = ("movement", "retreats", "adjustments", "choice", "draws")


class TimedTable:
    """A game by link with deadlines of an hour in which the game master draws, at its first movement."""

    def __init__(self, store: Store, missed: str = "hold", vacant_after: int = 20, **schedule: Any) -> None:
        self.clock = ManualClock(datetime(2026, 11, 22, 12, tzinfo=UTC))
        self.service = GameService(store, Broker(), self.clock)
        hour = {"within": "1h"}
        kept = {
            **dict.fromkeys(KINDS, hour),
            "cool": "0m",
            "missed": {"first": missed, "then": missed, "vacant_after": vacant_after, "extensions": 1},
            **schedule,
        }
        self.keys = self.service.open(NewGameRequest("irish", BY_HAND, seating="links", schedule=schedule_of(kept)))
        self.master = Credentials(all_seats=True)
        while self.phase == "choice":
            self.submit_orders(*map(Power, self.keys.seats), ready=True)

    @property
    def hosted(self) -> HostedGame:
        return self.service.games.load(self.keys.id)

    @property
    def phase(self) -> str:
        return self.hosted.game.position.phase.kind.value

    @property
    def view(self) -> views.View:
        return views.View.of(self.hosted.view(None, self.master))

    @property
    def due(self) -> str:
        drawing = self.view.order_sets["GM"].drawing
        return drawing.due.label if drawing is not None and drawing.due is not None else ""

    def submit_orders(self, *powers: Power, **edit: Any) -> None:
        for power in powers:
            own = Credentials((power,)) if power != GAME_MASTER else self.master
            self.service.orders.submit(self.keys.id, own, power, self.hosted.phase_number, Edit(**edit))

    def enter(self, label: str, result: str) -> None:
        self.submit_orders(GAME_MASTER, give=(f"DRAW {label}: {result}",))

    def draw_all(self) -> int:
        """Enter the first slips for every draw that is asked for in the open phase; how many there were."""
        number = self.hosted.phase_number
        for made in range(20):
            drawing = self.view.order_sets["GM"].drawing
            if self.hosted.phase_number != number or drawing is None or drawing.due is None:
                return made
            slips = [slip.text for slip in drawing.due.slips][: max(drawing.due.cards, 1)]
            self.enter(drawing.due.label, ", ".join(slips))
        return made

    def let_pass(self, hours: float = 1) -> None:
        self.clock.time += timedelta(hours=hours)
        self.service.time.go_on(self.keys.id)

    def missed(self, power: str) -> int:
        timing = self.hosted.timing
        assert timing is not None
        return timing.seats[Power(power)].missed


FRANCE, BELGIUM = Power("France"), Power("Belgium")


def test_a_missed_deadline_opens_the_draws_to_the_game_master(store: Store) -> None:
    table = TimedTable(store)
    table.submit_orders(BELGIUM, give=("A BEL - PIC",), ready=True)
    assert table.due == ""
    table.let_pass()
    assert (table.phase, table.due, table.missed("France")) == ("movement", "IRISH 1", 1)
    assert table.view.time is not None
    assert table.view.time.waits_for == "The phase cannot end before the game master has drawn."
    table.enter("IRISH 1", "PIC")
    assert (table.due, table.missed("France")) == ("IRISH 2", 1)
    assert table.draw_all() == 4
    assert table.phase == "draws"
    assert table.missed("France") == 1
    (missed,) = [entry.text for entry in table.service.journal(table.keys.id) if "left no orders" in entry.text]
    assert missed.startswith("The deadline has passed; France left no orders. The game master must draw: 'IRISH 1'")
    assert sum("must draw" in entry.text for entry in table.service.journal(table.keys.id)) == 1
    assert table.draw_all() > 1
    table.submit_orders(GAME_MASTER, ready=True)
    assert table.phase == "movement"


def test_saved_orders_that_are_not_ready_leave_the_draws_to_the_game_master_after_the_deadline(store: Store) -> None:
    table = TimedTable(store)
    table.submit_orders(FRANCE, give=("A PAR - BUR",))
    table.submit_orders(BELGIUM, ready=True)
    assert table.due == ""
    table.let_pass()
    assert table.draw_all() == 5
    assert table.phase == "draws"
    assert "A BUR" in map(str, table.hosted.game.position.units)


def test_late_orders_count_while_the_game_master_draws(store: Store) -> None:
    table = TimedTable(store)
    table.submit_orders(BELGIUM, ready=True)
    table.let_pass()
    table.enter("IRISH 1", "PIC")
    table.submit_orders(FRANCE, give=("A PAR - BUR",), ready=True)
    assert (table.due, table.missed("France")) == ("IRISH 2", 0)
    assert table.draw_all() == 4
    assert "A BUR" in map(str, table.hosted.game.position.units)


@pytest.mark.parametrize("missed", ["wait", "replace"])
def test_a_game_that_waits_for_the_late_lets_the_game_master_draw_and_process(store: Store, missed: str) -> None:
    table = TimedTable(store, missed)
    table.submit_orders(BELGIUM, ready=True)
    table.let_pass()
    assert table.draw_all() == 5
    assert table.phase == "movement", "the game waits for the player all the same"
    table.service.phases.process(table.keys.id, table.master, table.hosted.phase_number)
    assert table.phase == "draws"


def test_a_seat_that_a_computer_orders_for_once_waits_for_the_draws_alone(store: Store) -> None:
    table = TimedTable(store, "computer")
    table.submit_orders(BELGIUM, ready=True)
    table.let_pass()
    assert table.draw_all() == 5
    assert table.phase == "draws"
    ordered = table.hosted.game.turns[-1].orders
    assert ordered.get(FRANCE), "a computer ordered for the late player"


def test_a_vacant_seat_does_not_keep_the_draws_back(store: Store) -> None:
    table = TimedTable(store, vacant_after=1)
    table.submit_orders(BELGIUM, ready=True)
    table.let_pass()
    for label, place in WALKERS.items():
        table.enter(label, place)
    assert table.phase == "draws"
    table.draw_all()
    table.submit_orders(GAME_MASTER, ready=True)
    assert table.phase == "movement"
    assert table.hosted.timing is not None
    assert table.hosted.timing.seats[FRANCE].holder == "nobody"
    table.submit_orders(BELGIUM, ready=True)
    assert (table.phase, table.due) == ("movement", "IRISH 1"), "nobody is left to be waited for"
    assert table.draw_all() > 1
    table.submit_orders(GAME_MASTER, ready=True)
    assert table.phase != "movement"


def test_a_pause_keeps_the_draws_open(store: Store) -> None:
    table = TimedTable(store)
    table.let_pass()
    table.enter("IRISH 1", "PIC")
    table.service.time.keep_time(table.keys.id, table.master, table.hosted.phase_number, TimeAct("pause"))
    assert table.due == "IRISH 2"
    table.let_pass(30)
    assert table.draw_all() == 4
    assert table.phase == "movement"
    table.service.time.keep_time(table.keys.id, table.master, table.hosted.phase_number, TimeAct("resume"))
    table.let_pass(0)
    assert table.phase == "draws"


def test_a_deadline_moved_on_closes_the_draws_until_it_is_over(store: Store) -> None:
    table = TimedTable(store)
    table.let_pass()
    table.enter("IRISH 1", "PIC")
    more = TimeAct("extend", timedelta(hours=1))
    table.service.time.keep_time(table.keys.id, table.master, table.hosted.phase_number, more)
    assert table.due == ""
    table.let_pass()
    assert table.due == "IRISH 2", "what was entered stands"
    assert table.missed("France") == 2, "the players had a deadline more"


def test_an_extension_of_a_late_player_keeps_the_draws_closed_until_it_is_used_up(store: Store) -> None:
    table = TimedTable(store, "extend")
    table.submit_orders(BELGIUM, ready=True)
    table.let_pass()
    assert table.due == ""
    table.let_pass()
    assert table.due == "IRISH 1"


def test_grace_for_the_late_keeps_the_draws_closed(store: Store) -> None:
    grace = {"within": "1h", "grace": "30m"}
    table = TimedTable(store, movement=grace)
    table.let_pass()
    assert table.due == ""
    table.let_pass(0.5)
    assert table.due == "IRISH 1"


def test_dice_draw_the_rest_of_what_a_late_player_and_the_game_master_left(store: Store) -> None:
    table = TimedTable(store, draws={"within": "1h", "else": "dice"})
    table.submit_orders(BELGIUM, ready=True)
    table.let_pass()
    assert table.phase == "draws"
    assert len(table.hosted.game.turns[-1].resolution.draws) == 5


def test_processing_too_early_names_the_missing_draws_and_players(client: TestClient) -> None:
    table = Table(client, seating="links")
    all_ready(table)
    table.submit_orders("France", seats(table)["France"], ready=False)
    refused = table.process()
    assert refused.status_code == 422
    message = refused.json()["error"]["message"]
    assert message.startswith("The game master must draw: 'IRISH 1'")
    assert message.endswith("The draws open when France is ready.")

"""The desk: what a game master rules stands in the record, and every look into an order set in the journal."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plenipo import library
from plenipo.engine.history.record import entries_of
from plenipo.engine.history.verify import format_record, verify
from plenipo.engine.position import Power
from plenipo.errors import PlenipoError
from plenipo.server.broker import Broker
from plenipo.server.errors import NoKey, NotYours, RulingRefused, Stale
from plenipo.server.gm_tools import GmTools, RulingReason
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.hosting.settings import Settings
from plenipo.server.new_games import NewGameRequest
from plenipo.server.rulings import OrderCorrection
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.store.values import entry_hash
from plenipo.server.submissions import Edit
from server.clocks import ManualClock, store_by_hand

START = datetime(2026, 11, 22, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
FRANCE, MASTER = Power("France"), Credentials((), all_seats=True)
WHY = RulingReason("The order was written in two ways.")
MINE = Credentials((FRANCE,))


store = pytest.fixture(store_by_hand)


def opened(store: Store, host: str = "game master") -> tuple[GmTools, str]:
    """A game of seven persons that a game master runs, due after four hours."""
    within = {kind: {"within": "4h"} for kind in ("movement", "retreats", "adjustments")}
    schedule = schedule_of({**within, "cool": "0m", "missed": {"first": "hold", "then": "hold", "vacant_after": 9}})
    service = GameService(store, Broker(), ManualClock(START))
    own = Settings.model_validate({"host": host})
    return GmTools(service), service.open(
        NewGameRequest("standard", {}, seating="links", schedule=schedule, settings=own)
    ).id


def order(desk: GmTools, game: str, number: int, *texts: str) -> None:
    desk.service.orders.submit(game, MINE, "France", number, Edit(texts, whole=True))


def played(store: Store) -> tuple[GmTools, str]:
    """Two turns: Paris goes to Burgundy and then to Munich."""
    desk, game = opened(store)
    order(desk, game, 1, "A PAR - BUR")
    desk.process(game, MASTER, 1, "Everybody agreed.")
    order(desk, game, 2, "A BUR - MUN", "F BRE - MID")
    desk.process(game, MASTER, 2)
    return desk, game


def proved(desk: GmTools, game: str) -> list[str]:
    """The kinds of the entries of the record, which verifies, from this server and from one that opens the game."""
    texts = []
    for service in (desk.service, GameService(desk.service.store, Broker(), desk.service.clock)):
        value = service.record(game, MASTER)
        del value["computers"]
        texts.append(format_record(value))
        verify(texts[-1], library.load)
    assert texts[0] == texts[1]
    before = game
    for entry in desk.service.journal(game):
        row = {"number": entry.number, "at": entry.at, "phase_number": entry.phase_number}
        assert entry.hash == (
            before := entry_hash(before, {**row, "kind": entry.kind, "text": entry.text, "sentence": entry.sentence})
        )
    return [entry.get("ruling", "turn") for entry in entries_of(json.loads(texts[0]))]


def test_a_game_goes_back_and_its_orders_come_back_as_drafts(store: Store) -> None:
    desk, game = played(store)
    assert desk.go_back(game, MASTER, 3, 1, WHY) == 4
    view = desk.service.view(game, MINE, FRANCE)
    assert str(view.position.phase) == "Fall 1901 movement"
    assert set(view.order_sets[FRANCE].texts) == {"A BUR - MUN", "F BRE - MID"}
    assert not view.order_sets[FRANCE].ready
    assert desk.service.view(game, MASTER, None).order_sets == {}, "a game master sees no orders that he does not open"
    assert view.timed is not None
    assert view.timed.phase.due == START + 4 * HOUR
    assert proved(desk, game) == ["turn", "turn", "back"]
    order(desk, game, 4, "A BUR - RUH")
    desk.service.clock.time = START + 4 * HOUR  # type: ignore[attr-defined]
    desk.service.time.go_on(game)
    assert proved(desk, game) == ["turn", "turn", "back", "turn"]
    last = desk.service.record(game, MASTER)["entries"][-1]
    assert last["orders"]["France"] == ["A BUR - RUH"]
    assert last["journal"] == desk.service.journal(game)[-2].hash, "the head before what this turn wrote"


def test_a_turn_is_adjudicated_again_with_a_corrected_order(store: Store) -> None:
    desk, game = played(store)
    number = desk.judge_again(game, MASTER, 3, [OrderCorrection("France", "A BUR - MUN", "burgundy to ruhr")], WHY)
    view = desk.service.view(game, MINE, FRANCE)
    assert (number, view.turn) == (4, 2)
    assert view.find_turn(1).orders[FRANCE] == ("A BUR - RUH", "F BRE - MID")
    assert any(str(unit) == "A RUH" for unit in view.position.units)
    assert proved(desk, game) == ["turn", "turn", "back", "read as", "turn"]


def test_the_position_is_edited(store: Store) -> None:
    desk, game = played(store)
    desk.edit(game, MASTER, 3, {"units": {**units(desk, game), "France": ["A PIC", "F MID"]}}, WHY)
    position = desk.service.view(game, MINE, None).position
    assert {str(unit) for unit in position.units if unit.power == FRANCE} == {"A PIC", "F MID"}
    assert proved(desk, game) == ["turn", "turn", "edited"]
    again = GameService(store, Broker(), desk.service.clock).view(game, MINE, None)
    assert again.position == position


def units(desk: GmTools, game: str) -> dict[str, list[str]]:
    """The units of a game, as they are written."""
    found: dict[str, list[str]] = {}
    for unit in desk.service.view(game, MINE, None).position.units:
        found.setdefault(unit.power, []).append(str(unit))
    return found


def test_what_cannot_be_ruled_is_refused_with_the_sentence(store: Store) -> None:
    desk, game = played(store)
    for value, sentence in (
        ({"units": {"France": ["A PAR", "F PAR"]}}, "PAR"),
        ({"units": {"France": ["A NTH"]}}, "NTH"),
        ({"centres": {"France": ["BUR"]}}, "not a supply centre"),
        ({}, "nothing was changed"),
    ):
        with pytest.raises(RulingRefused, match=sentence):
            desk.edit(game, MASTER, 3, value, WHY)
    with pytest.raises(RulingRefused, match="has 2 turns"):
        desk.go_back(game, MASTER, 3, 2, WHY)
    for order_, read, sentence in (
        ("A PAR H", "A BUR - RUH", "did not order 'A PAR H'"),
        ("A BUR - MUN", "A BUR - MOS", "not allowed"),
        ("A BUR - MUN", "to the east", "is not a space"),
    ):
        with pytest.raises(RulingRefused, match=sentence):
            desk.judge_again(game, MASTER, 3, [OrderCorrection("France", order_, read)], WHY)
    with pytest.raises(RulingRefused, match="needs a reason"):
        desk.go_back(game, MASTER, 3, 1, RulingReason("  "))
    with pytest.raises(Stale):
        desk.go_back(game, MASTER, 2, 1, WHY)
    assert proved(desk, game) == ["turn", "turn"]
    assert desk.service.journal(game)[-1].kind == "processed"


def test_only_a_game_master_makes_rulings_or_views_orders(store: Store) -> None:
    desk, game = opened(store, "host")
    for who, refusal in ((MASTER, NotYours), (MINE, NotYours), (Credentials(), NoKey)):
        with pytest.raises(refusal):
            desk.go_back(game, who, 1, 0, WHY)
        with pytest.raises(refusal):
            desk.look_into(game, who, "France", 1, 1)
    with pytest.raises(NotYours):
        desk.view(game, MINE)
    assert desk.service.journal(game) == ()


def test_a_look_into_orders_names_the_entry_it_makes(store: Store) -> None:
    desk, game = opened(store)
    order(desk, game, 1, "A PAR - BUR")
    number = desk.view(game, MASTER).next_entry
    opened_ = desk.look_into(game, MASTER, "France", 1, number)
    assert (opened_.orders, opened_.entry) == (("A PAR - BUR",), number)
    entry = desk.service.journal(game)[number - 1]
    assert (entry.kind, entry.text) == ("opened", "The game master looked into the orders of France.")
    with pytest.raises(Stale, match=f"adds entry {number + 1}"):
        desk.look_into(game, MASTER, "France", 1, number)
    assert len(desk.service.journal(game)) == number


def test_a_reason_is_kept_back_until_the_game_is_over(store: Store) -> None:
    desk, game = played(store)
    desk.go_back(game, MASTER, 3, 1, RulingReason("A player was ill.", withheld=True))
    desk.go_back(game, MASTER, 4, 0, WHY)
    assert "ill" not in json.dumps(desk.service.record(game, MINE))
    assert set(desk.reasons(game).values()) == {WHY.text}
    assert proved(desk, game) == ["turn", "turn", "back", "back"]
    desk.service.phases.draw(game, MASTER, 5)
    assert "A player was ill." in json.dumps(desk.service.record(game, MINE))
    assert proved(desk, game) == ["turn", "turn", "back", "back"]


def test_a_game_that_is_over_goes_on_when_it_is_gone_back(store: Store) -> None:
    desk, game = played(store)
    desk.service.phases.draw(game, MASTER, 3)
    desk.go_back(game, MASTER, 4, 1, WHY)
    view = desk.service.view(game, MINE, FRANCE)
    assert not view.view.over
    assert view.timed is not None
    assert view.timed.state == "running"
    proved(desk, game)


def test_a_host_with_a_seat_ends_no_phase_early_and_any_other_gives_a_reason(store: Store) -> None:
    desk, game = opened(store)
    with pytest.raises(NotYours, match="cannot end a phase early"):
        desk.process(game, Credentials((FRANCE,), all_seats=True), 1)
    desk.process(game, MASTER, 1, "Everybody agreed.")
    entry = desk.service.journal(game)[-1]
    assert entry.text == (
        "The game master processed Spring 1901 movement before it was due. The reason: Everybody agreed."
    )


ACTS = st.lists(
    st.sampled_from(["order", "process", "pass", "back", "edit", "judge", "open", "pause", "draw"]), max_size=9
)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ACTS, st.data())
def test_after_any_acts_record_and_journal_verify_and_any_flipped_byte_is_found(
    store: Store, acts: list[str], data: st.DataObject
) -> None:
    desk, game = opened(store)
    for number, act in enumerate(acts):
        view = desk.service.view(game, MINE, FRANCE)
        phase, why = view.phase_number, RulingReason(f"Reason {number}.", withheld=bool(number % 2))
        try:
            if act == "order":
                order(desk, game, phase, *sorted(f"{unit} H" for unit in view.position.units if unit.power == FRANCE))
            elif act == "process":
                desk.process(game, MASTER, phase)
            elif act == "pass":
                desk.service.clock.time += 5 * HOUR  # type: ignore[attr-defined]
                desk.service.time.go_on(game)
            elif act == "back":
                desk.go_back(game, MASTER, phase, data.draw(st.integers(0, 3)), why)
            elif act == "edit":
                left = {**units(desk, game), "Austria": []}
                desk.edit(game, MASTER, phase, {"units": left}, why)
            elif act == "judge":
                given_ = view.find_turn(view.turn - 1).orders.get(FRANCE, ("",)) if view.turn else ("",)
                desk.judge_again(game, MASTER, phase, [OrderCorrection("France", given_[0], given_[0])], why)
            elif act == "open":
                desk.look_into(game, MASTER, "France", phase, desk.view(game, MASTER).next_entry)
            elif act == "draw":
                desk.service.phases.draw(game, MASTER, phase)
        except PlenipoError:
            continue
    proved(desk, game)
    value = desk.service.record(game, MASTER)
    del value["computers"]
    raw = format_record(value).encode()
    for place in data.draw(st.lists(st.integers(0, len(raw) - 1), min_size=1, max_size=2)):
        flipped = bytearray(raw)
        flipped[place] ^= 1 << data.draw(st.integers(0, 7))
        with pytest.raises((PlenipoError, UnicodeDecodeError)):
            verify(bytes(flipped).decode(), library.load)
    store.delete(game)

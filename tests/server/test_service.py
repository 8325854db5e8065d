"""The host: seats, order sets, processing, taking back, what-ifs, records."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from sqlalchemy import func, select

from plenipo.engine.position import GAME_MASTER, Power
from plenipo.errors import InvalidRecord, PhaseNotOver, PlenipoError, UnknownName
from plenipo.server import uploads
from plenipo.server.errors import NoKey, NotYours, OrderRefused, Over, Stale, UnknownGame
from plenipo.server.hosted_game import Credentials, GameView
from plenipo.server.new_games import GameKeys, NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store, schema
from plenipo.server.submissions import Edit, submit_order_set
from waiting import run_together

FRANCE, ENGLAND = Power("France"), Power("England")


def opened(service: GameService, variant: str = "standard", **preferences: Any) -> tuple[GameKeys, Credentials]:
    game = service.open(NewGameRequest(variant, preferences.pop("options", {}), **preferences))
    return game, service.credentials(game.id, [game.all_seats])


def given(
    service: GameService, game: GameKeys, holder: Credentials, seat: str, *orders: str, **more: Any
) -> tuple[str, ...]:
    phase_number = service.view(game.id, holder, None).phase_number
    return service.orders.submit(game.id, holder, seat, phase_number, Edit(orders, **more)).order_set.texts


def look(service: GameService, game: GameKeys, holder: Credentials, seat: str | None = None) -> GameView:
    return service.view(game.id, holder, service.eyes(game.id, holder, seat)[0])


# PictureLayers


def test_orders_are_given_replaced_and_taken_back(service: GameService) -> None:
    game, table = opened(service)
    assert given(service, game, table, "France", "a par-bur", "Army Marseilles supports Paris to Burgundy") == (
        "A PAR - BUR",
        "A MAR S A PAR - BUR",
    )
    assert given(service, game, table, "France", "A PAR - PIC, F BRE - MID") == (
        "A PAR - PIC",
        "A MAR S A PAR - BUR",
        "F BRE - MID",
    )
    assert given(service, game, table, "France", clear=("A MAR", "F BRE - MID")) == ("A PAR - PIC",)
    assert given(service, game, table, "France", "A MAR H", whole=True) == ("A MAR H",)
    assert given(service, game, table, "France", clear=("*",)) == ()


def test_one_wrong_order_leaves_the_order_set_as_it_was(service: GameService) -> None:
    game, table = opened(service)
    given(service, game, table, "France", "A PAR H")
    with pytest.raises(OrderRefused, match="does not reach") as refused:
        given(service, game, table, "France", "A MAR - SPA", "A PAR - MOS")
    assert (refused.value.index, refused.value.illegal) == (1, True)
    assert look(service, game, table, "France").order_sets[FRANCE].texts == ("A PAR H",)


@pytest.mark.parametrize(
    ("order", "told", "illegal"),
    [
        ("A LON H", "belongs to England", True),
        ("England: F LON H", "is written for England", True),
        ("A PAR - BRU", "BUR", False),
        ("nonsense", "nonsense", False),
        ("A PAR B", "build", False),
    ],
)
def test_the_fault_of_an_order_is_reported(service: GameService, order: str, told: str, illegal: bool) -> None:  # noqa: FBT001  # a case
    game, table = opened(service)
    with pytest.raises(OrderRefused, match=told) as refused:
        given(service, game, table, "France", order)
    assert refused.value.illegal == illegal


def test_a_second_home_takes_the_place_of_the_first(service: GameService) -> None:
    game, table = opened(service, "1897")
    given(service, game, table, "England", "LON")
    assert given(service, game, table, "England", "CHOOSE EDI") == ("CHOOSE EDI",)


def test_no_more_is_built_than_is_due(service: GameService) -> None:
    game, table = opened(service, "1897", options={"home_default": "first_listed"})
    service.phases.process(game.id, table, 1)
    assert given(service, game, table, "England", "A EDI B") == ("A EDI B",)
    assert given(service, game, table, "England", "F EDI B") == ("F EDI B",)
    with pytest.raises(OrderRefused, match="is too much: England has 1"):
        given(service, game, table, "England", "WAIVE")


def test_two_windows_on_one_seat_keep_each_others_orders_and_the_later_gets_a_message(service: GameService) -> None:
    game, table = opened(service)
    given(service, game, table, "France", "A PAR H")
    given(service, game, table, "France", "A MAR H")
    done = service.orders.submit(game.id, table, "France", 1, Edit(("A PAR - BUR",), base=1))
    assert done.order_set.texts == ("A PAR - BUR", "A MAR H")
    assert done.messages[0] == "'A PAR H' was replaced."
    assert done.messages[1].startswith("The order set had changed in another window")
    lost = service.orders.submit(game.id, table, "France", 1, Edit(("F BRE H",), whole=True, base=2))
    assert "A PAR - BUR, A MAR H were replaced" in lost.messages[0]


def test_a_order_set_is_ready_until_it_is_changed(service: GameService) -> None:
    game, table = opened(service)
    given(service, game, table, "France", "A PAR H", ready=True)
    assert look(service, game, table).statuses[FRANCE] == "ready"
    given(service, game, table, "France", "A MAR H")
    assert look(service, game, table).statuses[FRANCE] == "given"
    assert look(service, game, table).statuses[ENGLAND] == "waiting"


def test_simultaneous_orders_of_many_players_are_all_kept(service: GameService) -> None:
    game, table = opened(service)
    orders = {"France": ["A PAR H", "A MAR H", "F BRE H"], "Turkey": ["F ANK H", "A CON H", "A SMY H"]}
    run_together(
        *(
            partial(service.orders.submit, game.id, table, seat, 1, Edit((text,)))
            for seat, texts in orders.items()
            for text in texts
        )
    )
    order_sets = look(service, game, table).order_sets
    assert {power: sorted(order_set.texts) for power, order_set in order_sets.items()} == {
        seat: sorted(texts) for seat, texts in orders.items()
    }


# Processing


def test_a_phase_is_processed_once_however_many_ask(service: GameService, store: Store) -> None:
    game, table = opened(service)
    given(service, game, table, "France", "A PAR - BUR")
    hosts = [service, *(GameService(store) for _ in range(3))]
    answers = run_together(*(partial(one.phases.process, game.id, table, 1) for one in hosts))
    assert [type(answer) for answer in answers].count(Stale) == 3
    seen = look(service, game, table)
    assert (seen.turn, seen.phase_number) == (1, 2)
    assert seen.view.turns[0].orders[FRANCE] == ("A PAR - BUR",)


def test_orders_for_a_phase_that_is_over_are_refused(service: GameService) -> None:
    game, table = opened(service)
    service.phases.process(game.id, table, 1)
    with pytest.raises(Stale, match="Fall 1901 movement"):
        service.orders.submit(game.id, table, "France", 1, Edit(("A PAR H",)))


def test_another_server_on_the_same_store_sees_every_order(service: GameService, store: Store) -> None:
    game, table = opened(service)
    other = GameService(store)
    given(other, game, table, "France", "A PAR - BUR")
    given(service, game, table, "France", "A MAR H")
    assert look(other, game, table, "France").order_sets[FRANCE].texts == ("A PAR - BUR", "A MAR H")


def test_computers_play_the_other_seats_and_phases_without_persons_pass(service: GameService) -> None:
    game, table = opened(service, computers="others", power="France")
    for _ in range(12):
        seen = look(service, game, table)
        if seen.view.over or FRANCE not in seen.view.may_order:
            break
        assert seen.seats == (FRANCE,)
        service.phases.process(game.id, table, seen.phase_number)
    done = look(service, game, table)
    assert done.turn >= 12 or not done.position.survives(FRANCE)  # it gives no orders and may be eliminated
    assert any(turn.orders.get(ENGLAND) for turn in done.view.turns)


def test_with_a_link_for_each_seat_the_last_one_ready_ends_the_phase(service: GameService) -> None:
    game, table = opened(service, seating="links", computers=["Austria", "Italy", "Germany", "Russia", "Turkey"])
    france, england = (service.credentials(game.id, [game.seats[power]]) for power in (FRANCE, ENGLAND))
    first = service.orders.submit(game.id, france, "France", 1, Edit(("A PAR - BUR",), ready=True))
    assert not first.processed
    last = service.orders.submit(game.id, england, "England", 1, Edit(("F LON - NTH",), ready=True))
    assert last.processed[0] == 0
    turn = look(service, game, table).view.turns[0]
    assert (turn.orders[FRANCE], turn.orders[ENGLAND]) == (("A PAR - BUR",), ("F LON - NTH",))


def test_a_phase_that_waits_for_a_choice_is_not_processed(service: GameService) -> None:
    game, table = opened(service, "1897", options={"home_default": "wait"})
    with pytest.raises(PhaseNotOver, match="are still missing"):
        service.phases.process(game.id, table, 1)
    assert look(service, game, table).turn == 0


def test_a_turn_is_taken_back_with_its_order_sets(service: GameService) -> None:
    game, table = opened(service)
    given(service, game, table, "France", "A PAR - BUR", "A MAR S A PAR - BUR")
    service.phases.process(game.id, table, 1)
    service.phases.undo(game.id, table, 2)
    seen = look(service, game, table)
    assert (seen.turn, seen.phase_number) == (0, 3)
    assert seen.order_sets[FRANCE].texts == ("A PAR - BUR", "A MAR S A PAR - BUR")
    with pytest.raises(Over, match="first phase"):
        service.phases.undo(game.id, table, 3)
    with pytest.raises(Stale):
        service.phases.undo(game.id, table, 2)


def test_a_draw_ends_the_game_and_can_be_taken_back(service: GameService) -> None:
    game, table = opened(service)
    service.phases.draw(game.id, table, 1, ["France", "England"])
    assert look(service, game, table).position.winners == (FRANCE, ENGLAND)
    with pytest.raises(Over):
        service.phases.process(game.id, table, 2)
    service.phases.undo(game.id, table, 2)
    assert not look(service, game, table).view.over


# Seats


def test_a_key_opens_its_own_seat_and_no_other(service: GameService) -> None:
    game, table = opened(service, seating="links")
    france = service.credentials(game.id, [game.seats[FRANCE]])
    assert look(service, game, france).who == FRANCE
    with pytest.raises(NotYours, match="seat of England"):
        service.eyes(game.id, france, "England")
    with pytest.raises(NotYours):
        service.orders.submit(game.id, france, "England", 1, Edit(("F LON H",)))
    with pytest.raises(NotYours, match="key to all seats"):
        service.phases.process(game.id, france, 1)
    with pytest.raises(NotYours):
        service.orders.submit(game.id, table, "France", 1, Edit(("A PAR H",)))
    assert look(service, game, table).who is None


def test_a_request_without_a_key_is_a_spectator(service: GameService) -> None:
    game, _ = opened(service)
    nobody = service.credentials(game.id, [])
    assert look(service, game, nobody).who is None
    with pytest.raises(NoKey, match="none was shown"):
        service.orders.submit(game.id, nobody, "France", 1, Edit(("A PAR H",)))
    with pytest.raises(NoKey):
        service.phases.process(game.id, nobody, 1)


def test_a_key_of_another_game_opens_nothing(service: GameService) -> None:
    game, _ = opened(service)
    other, _ = opened(service)
    with pytest.raises(NoKey, match="does not open this game"):
        service.credentials(game.id, [other.all_seats])


def test_a_hotseat_game_can_be_viewed_as_any_power(service: GameService) -> None:
    game, table = opened(service)
    given(service, game, table, "France", "A PAR H")
    assert look(service, game, table).who == GAME_MASTER
    assert set(look(service, game, table).order_sets) == {FRANCE}
    assert not look(service, game, table, "England").order_sets
    assert not look(service, game, table, "observer").order_sets


def test_an_unknown_game_is_reported(service: GameService) -> None:
    with pytest.raises(UnknownGame, match="no game 'nope'"):
        service.view("nope", Credentials(), None)


@pytest.mark.parametrize(
    "preferences",
    [
        {"variant": "narnia"},
        {"variant": "/etc"},
        {"options": {"rulebook": "1066"}},
        {"power": "Narnia"},
        {"computers": ["Narnia"]},
        {"computers": "all"},
        {"position": "rubbish"},
    ],
)
def test_a_game_that_cannot_be_is_refused(service: GameService, preferences: dict[str, Any]) -> None:
    with pytest.raises(PlenipoError):
        opened(service, **preferences)


# What-ifs, records, shared positions


def test_a_what_if_goes_its_own_way_and_is_thrown_away(service: GameService) -> None:
    game, table = opened(service)
    given(service, game, table, "France", "A PAR - BUR")
    service.phases.process(game.id, table, 1)
    given(service, game, table, "France", "A MAR H")
    apart = service.fork(game.id, 0)
    own = service.credentials(apart.id, [apart.all_seats])
    assert (look(service, apart, own).parent, look(service, apart, own).turn) == (game.id, 0)
    given(service, apart, own, "France", "A PAR - PIC")
    service.phases.process(apart.id, own, 1)
    assert look(service, game, table).view.turns[0].orders[FRANCE] == ("A PAR - BUR",)
    with pytest.raises(NotYours, match="this is a game"):
        service.throw_away(game.id, table)
    service.throw_away(apart.id, own)
    with pytest.raises(UnknownGame):
        service.view(apart.id, own, None)


def test_a_what_if_knows_no_order_set_and_no_seed_of_the_game(service: GameService) -> None:
    game, table = opened(service)
    given(service, game, table, "France", "A PAR - BUR")
    apart = service.fork(game.id)
    own = service.credentials(apart.id, [apart.all_seats])
    assert not look(service, apart, own).order_sets
    assert service.record(apart.id, own)["seed"] != service.record(game.id, table)["seed"]


def test_a_record_makes_the_same_game_again(service: GameService) -> None:
    game, table = opened(service)
    given(service, game, table, "France", "A PAR - BUR")
    service.phases.process(game.id, table, 1)
    record = service.record(game.id, table)
    again = service.upload(uploads.check_record(record))
    assert service.record(again.id, service.credentials(again.id, [again.all_seats])) == record


def test_only_a_hotseat_record_includes_the_seed_of_a_running_game(service: GameService) -> None:
    game, table = opened(service)
    assert service.record(game.id, table)["seed"]
    assert service.record(game.id, Credentials())["seed"] is None
    service.phases.draw(game.id, table, 1)
    assert service.record(game.id, Credentials())["seed"]


def damaged(record: dict[str, Any]) -> list[dict[str, Any]]:
    turn = record["entries"][0]
    return [
        {},
        {**record, "format": "other"},
        {**record, "variant": "../../etc"},
        {**record, "variant": 5},
        {**record, "options": ["x"]},
        {**record, "entries": 5},
        {**record, "entries": [{**turn, "notes": ["changed"]}]},
        {**record, "hash": "0" * 64},
        {**record, "drawn": ["France"]},
        {**record, "seed": "00" * 32},
        {**record, "start": {**record["start"], "units": {"France": ["A NOWHERE"]}}},
        {**record, "start": None},
    ]


@pytest.mark.parametrize("number", range(12))
def test_a_damaged_record_is_refused_in_a_sentence(service: GameService, number: int) -> None:
    game, table = opened(service)
    service.phases.process(game.id, table, 1)
    bad = damaged(service.record(game.id, table))
    assert len(bad) == 12
    with pytest.raises(PlenipoError) as told:
        service.upload(uploads.check_record(bad[number]))
    assert str(told.value).endswith(".")
    assert service.store.count() == 1


def test_a_position_is_shared_as_a_link_and_played_on(service: GameService) -> None:
    game, table = opened(service)
    given(service, game, table, "France", "A PAR - BUR")
    service.phases.process(game.id, table, 1)
    here = look(service, game, table).position
    code = uploads.pack_position(here)
    on, own = opened(service, position=code)
    assert look(service, on, own).position == here
    with pytest.raises(InvalidRecord, match="copy it whole"):
        uploads.unpack_position(code[:-20], look(service, on, own).rules)
    with pytest.raises(UnknownName):
        uploads.rules_of("nowhere")


# Stored order sets


def versions(service: GameService) -> int:
    """Return the number of stored versions of order sets."""
    with service.store.engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(schema.order_sets)).scalar_one()


@pytest.mark.parametrize(
    ("variant", "seat", "orders"),
    [
        ("standard", "France", ("A PAR - BUR", "F BRE H")),
        ("cline", "France", ("A PAR H",)),
    ],
)
def test_the_same_orders_are_stored_once_and_a_ready_mark_counts_each_time(
    service: GameService, variant: str, seat: str, orders: tuple[str, ...]
) -> None:
    game, table = opened(service, variant)
    for _ in range(5):
        given(service, game, table, seat, *orders)
    assert versions(service) == 1
    given(service, game, table, seat, ready=True)
    given(service, game, table, seat, *orders, ready=True)
    assert versions(service) == 2
    assert look(service, game, table, seat).order_sets[Power(seat)].ready
    given(service, game, table, seat, *orders, ready=False)
    given(service, game, table, seat, "A PAR - GAS")
    given(service, game, table, seat, *orders)
    assert versions(service) == 5
    assert not look(service, game, table, seat).order_sets[Power(seat)].ready


def test_the_same_orders_of_another_writer_are_kept_as_theirs(service: GameService) -> None:
    game, table = opened(service)
    given(service, game, table, "France", "A PAR H")
    hosted = service.games.load(game.id)
    service.games.change(
        game.id,
        lambda before: submit_order_set(
            before, replace(table, tenures=(3,), player=3), "France", 1, Edit(("A PAR H",))
        ),
    )
    assert hosted.order_sets[FRANCE].orders == service.games.load(game.id).order_sets[FRANCE].orders
    assert versions(service) == 2

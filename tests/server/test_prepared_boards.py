"""Boards that a game has split are drawn by the worker, before a page asks for them."""

import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import NoReturn

import pytest

from plenipo import charts, library
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import encode_game
from plenipo.server.boards import StoreShelf, chart_for
from plenipo.server.broker import Broker
from plenipo.server.hosted_game import Credentials, HostedGame
from plenipo.server.prepared_boards import PreparedBoards
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.uploads import CheckedRecord
from plenipo.server.worker import Worker
from server.clocks import ManualClock
from server.test_time import START, begun, look_until, phase

REFIT = "plenipo.maps.lettering.label_search.refit"


@pytest.fixture
def clock(store: Store) -> Iterator[ManualClock]:
    clock = ManualClock(START)
    library.keep_boards(StoreShelf(store, clock))
    yield clock
    library.keep_boards(None)
    charts.chart_of.cache_clear()


@pytest.fixture
def service(store: Store, clock: ManualClock) -> GameService:
    """The games of a store, with one whose board was split while no worker ran."""
    service = GameService(store, Broker(), clock)
    game = Game.new(library.load("irish"), Dice(bytes(32)))
    while not game.position.changes:
        game = game.process({})
    hosted = service.games.load(service.upload(CheckedRecord(encode_game(game))).id)
    service.phases.process(hosted.id, Credentials(hosted.persons, all_seats=True), hosted.phase_number)
    return service


def only_game(service: GameService) -> HostedGame:
    (game,) = service.store.find_games_moved_on(START, 10)
    return service.games.load(game)


def never(*_: object) -> NoReturn:
    raise AssertionError("it is placed anew")


def test_a_board_that_a_phase_split_is_drawn_by_the_next_check(
    service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    Worker(service).look()
    charts.chart_of.cache_clear()  # as in another process, which has the store alone
    monkeypatch.setattr(REFIT, never)
    now = only_game(service).game
    chart = chart_for(now.rules)
    assert len(chart.at(now.position).placements.units) > len(chart.placements.units)


def test_a_board_is_prepared_once_for_each_phase(
    service: GameService, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    boards, prepared = PreparedBoards(service), list[str]()
    monkeypatch.setattr(boards, "_prepare", prepared.append)
    for _ in range(3):
        boards.look(clock.time)
    hosted = only_game(service)
    assert prepared == [hosted.id]
    service.phases.process(hosted.id, Credentials(hosted.persons, all_seats=True), hosted.phase_number)
    boards.look(clock.time)
    assert prepared == [hosted.id, hosted.id]


def test_a_board_that_cannot_be_drawn_keeps_no_game_from_going_on(
    service: GameService, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(REFIT, never)
    charts.chart_of.cache_clear()
    irish, worker = only_game(service), Worker(service)
    keys, _ = begun(service, missed={"first": "hold"})
    with caplog.at_level(logging.ERROR):
        worker.look()
        look_until(worker, clock, START + timedelta(hours=5))
    assert phase(service, keys)[0] == 2
    assert [record.getMessage() for record in caplog.records] == [f"cannot prepare the board of game {irish.id}"]


def test_a_game_that_was_deleted_meanwhile_is_passed_over(
    service: GameService, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = only_game(service).id
    found = service.store.find_games_moved_on(START, 10)
    service.store.delete(game)
    monkeypatch.setattr(service.store, "find_games_moved_on", lambda *_: found)
    PreparedBoards(service).look(clock.time)
    assert caplog.records == []

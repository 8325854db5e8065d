"""Boards that changed in play are kept: another process finds them, and they are the same as if it had cut them."""

import threading
import zlib
from collections.abc import Callable
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import text

from maps.cutting.test_changed_figures import IRISH, IRISH_TEXTS, any_split
from maps.lettering.test_changed_placements import irish_seats
from plenipo import library
from plenipo.engine.changes import BoardChange, Closed
from plenipo.library.boards import BOARDS
from plenipo.maps.cutting import changed_figures
from plenipo.maps.cutting.changed_figures import ChangedFigures, ResultCache
from plenipo.maps.cutting.cut import split
from plenipo.maps.lettering.changed_placements import ChangedPlacements
from plenipo.server.boards import StoreShelf
from plenipo.server.store import Store, schema
from plenipo.server.store.boards import BOARDS_KEPT, BoardStore
from server.clocks import ManualClock
from waiting import join_all, wait_until

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


def other_process(shelf: ResultCache) -> tuple[ChangedFigures, ChangedPlacements]:
    """Return the board makers of a fresh process, which share only the cache `shelf`."""
    figures = ChangedFigures(IRISH, IRISH_TEXTS, "irish", shelf)
    return figures, ChangedPlacements(figures, irish_seats())


def cut(figures: ChangedFigures, count: int) -> tuple[BoardChange, ...]:
    """So many splits, and something closed between them."""
    chance, changes = Random("shelf"), tuple[BoardChange, ...]()
    for _ in range(count):
        figure = figures.figure(changes)
        changes += (any_split(figure, chance.choice(sorted(set(figure.faces) - set(figure.offboard))), chance),)
    return (changes[0], Closed(IRISH_CLOSED), *changes[1:])


IRISH_CLOSED = next(iter(sorted(IRISH_TEXTS)))


def test_what_one_process_cut_another_finds_and_it_is_the_same(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = StoreShelf(store, ManualClock(NOW))
    figures, placements = other_process(shelf)
    changes = cut(figures, 3)
    board, figure, seats = figures.board(changes), figures.figure(changes), placements.placements(changes)

    def cut_anew(*_: object) -> None:
        raise AssertionError("it is cut anew")

    monkeypatch.setattr(changed_figures, "split", cut_anew)
    monkeypatch.setattr("plenipo.maps.lettering.label_search.refit", cut_anew)
    again, found = other_process(shelf)
    for field in fields(board):
        assert getattr(again.board(changes), field.name) == getattr(board, field.name)
    assert again.figure(changes) == figure
    assert again.texts(changes) == figures.texts(changes)
    assert found.placements(changes) == seats


def test_a_later_split_goes_on_from_what_was_kept(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = StoreShelf(store, ManualClock(NOW))
    figures, _ = other_process(shelf)
    changes = cut(figures, 3)
    figures.figure(changes[:-1])
    cuts = []

    def counted(*given: Any) -> object:
        cuts.append(given[1])
        return split(*given)

    monkeypatch.setattr(changed_figures, "split", counted)
    again, _ = other_process(shelf)
    assert again.figure(changes) == figures.figure(changes)
    assert len(cuts) == 1


def test_boards_are_kept_for_a_while(store: Store) -> None:
    clock = ManualClock(NOW)
    shelf = StoreShelf(store, clock)
    assert shelf.read("a" * 64) is None
    shelf.keep("a" * 64, lambda: "first")
    shelf.keep("a" * 64, lambda: "the same, again")
    assert shelf.read("a" * 64) == "the same, again"
    clock.time += BOARDS_KEPT + timedelta(days=1)
    shelf.keep("b" * 64, lambda: "later")
    assert (shelf.read("a" * 64), shelf.read("b" * 64)) == (None, "later")


class Broken:
    """A shelf on a disk that is gone."""

    def read(self, name: str) -> str | None:
        raise OSError(name)

    def keep(self, name: str, write: Callable[[], str]) -> None:
        raise OSError(name, write())


def looked(store: Store, query: Any) -> Any:
    """Look in a transaction of its own: within one PostgreSQL shows the activity of its first look for ever."""
    with store.engine.connect() as looking:
        return looking.execute(query).scalar_one()


def test_of_two_processes_that_keep_the_same_board_at_once_one_does(postgres: str) -> None:
    here, there = Store(postgres), Store(postgres)
    row = {"name": "halves", "created": NOW, "content": zlib.compress(b"the same")}
    waiting = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
    keeping = threading.Thread(target=there.of(BoardStore).keep, args=("halves", "the same", NOW), daemon=True)
    with here.engine.begin() as writing:
        writing.execute(schema.boards.insert().values(row))
        keeping.start()
        wait_until(lambda: looked(there, waiting))
    join_all([keeping])
    assert here.of(BoardStore).find("halves") == "the same"
    here.close()
    there.close()


def test_a_shelf_that_breaks_costs_time_and_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    library.keep_boards(Broken())
    try:
        figures, _ = other_process(BOARDS)
        changes = cut(figures, 1)
        assert figures.figure(changes)
    finally:
        library.keep_boards(None)
    assert "worked out" in caplog.text
    assert "cannot be kept" in caplog.text


DAMAGES: dict[str, Callable[[str], str | None]] = {
    "lost": lambda _: None,
    "emptied": lambda _: "",
    "cut in two": lambda text: text[: len(text) // 2],
    "altered, and still to be read": lambda text: text.replace("[1", "[2"),
    "garbage": lambda _: "\0" * 40,
}


class Damaged:
    """A shelf that damages whatever it keeps."""

    def __init__(self, damage: Callable[[str], str | None]) -> None:
        self.damage, self.texts = damage, dict[str, str]()

    def read(self, name: str) -> str | None:
        return self.damage(self.texts[name]) if name in self.texts else None

    def keep(self, name: str, write: Callable[[], str]) -> None:
        self.texts[name] = write()


@pytest.mark.parametrize("how", DAMAGES)
def test_boards_and_seats_that_were_lost_or_damaged_are_worked_out_anew(how: str) -> None:
    shelf = Damaged(DAMAGES[how])
    library.keep_boards(shelf)
    try:
        figures, placements = other_process(BOARDS)
        changes = cut(figures, 1)
        figure, seats = figures.figure(changes), placements.placements(changes)
        assert len(shelf.texts) == 2
        again, found = other_process(BOARDS)
        assert again.figure(changes) == figure
        assert found.placements(changes) == seats
    finally:
        library.keep_boards(None)

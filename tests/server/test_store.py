"""The store keeps games, on SQLite and on PostgreSQL alike."""

import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import func, select, text

from plenipo.server.store import (
    GameChange,
    HistoryChange,
    Store,
    StoredGame,
    StoredKey,
    StoredOrderSet,
    StoreError,
    default_url,
    engines,
    schema,
)
from plenipo.server.store.heartbeats import Heartbeats
from plenipo.server.store.schema import metadata
from plenipo.server.store.variant_versions import VersionStore
from waiting import run_together

OLDEST = Path(__file__).with_name("data") / "tables_0034.sql"


@pytest.fixture
def kept(address: str) -> Iterator[Store]:
    made = Store(address)
    yield made
    made.close()


def turn(number: int) -> dict[str, object]:
    return {"phase": f"phase {number}", "hash": "h" * 64, "number": number}


NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def record(*turns: int) -> dict[str, object]:
    return {"format": "plenipo-game", "ö": ["ü"], "entries": [turn(number) for number in turns]}


GAME = StoredGame(
    id="abc",
    variant="standard",
    name="A game",
    record=record(0),
    computers={"France": "", "England": "sensible"},
    phase="Fall 1901 movement",
    over=False,
)


def test_a_game_comes_back_as_it_was_kept(kept: Store) -> None:
    kept.create(GAME, [StoredKey("d" * 64), StoredKey("e" * 64, "France")], NOW)
    assert kept.read("abc") == GAME
    assert kept.revision("abc") == 1
    assert (kept.key("d" * 64), kept.key("e" * 64)) == (("abc", ""), ("abc", "France"))


def test_what_is_not_there_is_none(kept: Store) -> None:
    assert (kept.read("abc"), kept.revision("abc"), kept.key("f" * 64), kept.count()) == (None, None, None, 0)
    assert not kept.change("abc", 1, GameChange(), NOW)
    assert not kept.delete("abc")


def test_a_change_on_an_old_revision_does_nothing(kept: Store) -> None:
    kept.create(GAME, [], NOW)
    assert kept.change("abc", 1, GameChange({"France": StoredOrderSet(("A PAR H",), version=1)}), NOW)
    assert not kept.change("abc", 1, GameChange({"France": StoredOrderSet(("A PAR - BUR",), version=1)}), NOW)
    found = kept.read("abc")
    assert found is not None
    assert (found.revision, found.order_sets["France"].orders) == (2, ("A PAR H",))


def test_the_newest_order_set_of_the_phase_counts(kept: Store) -> None:
    kept.create(GAME, [], NOW)
    for version in (1, 2, 3):
        order_set = StoredOrderSet((f"order set {version}",), ready=version == 3, version=version)
        assert kept.change("abc", version, GameChange({"France": order_set}), NOW)
    found = kept.read("abc")
    assert found is not None
    assert found.order_sets == {"France": StoredOrderSet(("order set 3",), ready=True, version=3)}


def test_a_turn_is_added_and_a_new_phase_has_no_order_sets(kept: Store) -> None:
    kept.create(replace(GAME, order_sets={"France": StoredOrderSet(("A PAR H",), version=1)}), [], NOW)
    change = GameChange(history=HistoryChange(record(1), "Spring 1902 movement", over=True, keep=1))
    assert kept.change("abc", 1, change, NOW)
    found = kept.read("abc")
    assert found is not None
    assert (found.phase_number, found.order_sets, found.over) == (2, {}, True)
    assert (found.record, found.phase) == (record(0, 1), "Spring 1902 movement")


def test_turns_are_taken_back(kept: Store) -> None:
    kept.create(replace(GAME, record=record(0, 1, 2)), [], NOW)
    order_sets = {"France": StoredOrderSet(("A PAR H",), version=1)}
    assert kept.change("abc", 1, GameChange(order_sets, HistoryChange(record(), keep=1)), NOW)
    found = kept.read("abc")
    assert found is not None
    assert (found.record, found.phase_number, found.order_sets["France"].orders) == (record(0), 2, ("A PAR H",))


def test_of_many_simultaneous_changes_one_comes_first(kept: Store) -> None:
    kept.create(GAME, [], NOW)
    changes = [GameChange(history=HistoryChange(record(number), keep=1)) for number in range(1, 9)]
    answers = run_together(*(partial(kept.change, "abc", 1, change, NOW) for change in changes))
    found = kept.read("abc")
    assert found is not None
    (won,) = (number for number, answer in enumerate(answers, 1) if answer is True)
    assert found.record == record(0, won)


def test_everything_of_a_game_goes_with_it(kept: Store) -> None:
    kept.create(
        replace(GAME, order_sets={"France": StoredOrderSet(("A PAR H",), version=1)}), [StoredKey("d" * 64)], NOW
    )
    assert kept.delete("abc")
    with kept.engine.connect() as connection:
        for table in metadata.sorted_tables:
            assert connection.execute(text(f"SELECT count(*) FROM {table.name}")).scalar_one() == 0  # noqa: S608  # our names


def is_like_schema(store: Store) -> bool:
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return not compare_metadata(context, metadata)


def test_a_new_database_has_the_tables_of_the_schema(kept: Store) -> None:
    assert is_like_schema(kept)
    assert kept.is_current()


@pytest.fixture
def oldest(tmp_path: Path) -> Path:
    """A database with a game, as the oldest version wrote it that is read."""
    path = tmp_path / "oldest.sqlite"
    with closing(sqlite3.connect(path)) as plain:
        plain.executescript(OLDEST.read_text(encoding="utf-8"))
    return path


def test_a_database_of_the_oldest_version_is_migrated_with_its_games(oldest: Path) -> None:
    store = Store(str(oldest))
    assert store.read(GAME.id) == GAME
    assert store.key("digest") == (GAME.id, "")
    assert is_like_schema(store)
    assert store.is_current()
    store.close()


def test_the_versions_of_added_variants_are_moved_out_of_the_boards(oldest: Path) -> None:
    versions = [{"isle/variant.toml": "title = 2"}, {"isle/variant.toml": "title = 1"}]
    name, content = sha256(b"the files of isle").hexdigest(), zlib.compress(json.dumps(versions).encode())
    with closing(sqlite3.connect(oldest)) as plain:
        plain.execute("UPDATE games SET variant = 'isle'")
        plain.execute(
            "INSERT INTO boards (name, created, content) VALUES (?, '2026-11-01 00:00:00', ?)", (name, content)
        )
        plain.commit()
    store = Store(str(oldest))
    assert [json.loads(text) for _, text in store.of(VersionStore).find("isle")] == versions
    with store.engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(schema.boards)).scalar_one() == 0
    store.close()


def test_a_database_of_an_older_version_is_refused_in_one_sentence_and_stays(oldest: Path) -> None:
    with closing(sqlite3.connect(oldest)) as plain:
        plain.execute("UPDATE alembic_version SET version_num = '0033'")
        plain.commit()
        before = list(plain.iterdump())
    with pytest.raises(StoreError, match=r"no longer read: its tables have version 0033, .* from 0034; name"):
        Store(str(oldest))
    with closing(sqlite3.connect(oldest)) as plain:
        assert list(plain.iterdump()) == before


def test_a_game_says_when_it_was_created_and_changed(address: str) -> None:
    store = Store(address)
    store.create(GAME, [], NOW)
    store.change(GAME.id, 1, GameChange({"France": StoredOrderSet(("A PAR H",), version=1)}), NOW + timedelta(hours=1))
    with store.engine.connect() as connection:
        games = connection.execute(select(schema.games.c.created, schema.games.c.changed)).one()
        order_set = connection.execute(select(schema.order_sets.c.created)).scalar_one()
    assert [at.hour for at in (*games, order_set)] == [3, 4, 4]
    store.close()


def test_a_store_opened_again_has_its_games(address: str) -> None:
    first = Store(address)
    first.create(GAME, [], NOW)
    first.close()
    second = Store(address)
    assert second.read("abc") == GAME
    second.close()


def test_several_servers_may_start_at_once_on_a_new_database(address: str) -> None:
    def run() -> int:
        store = Store(address)
        count = store.count()
        store.close()
        return count

    assert run_together(*4 * [run]) == [0, 0, 0, 0]


class Busy:
    """A cursor whose database others are switching to the write-ahead log, so many times."""

    def __init__(self, times: int) -> None:
        self.times = times

    def execute(self, _: str) -> None:
        self.times -= 1
        if self.times >= 0:
            raise sqlite3.OperationalError("database is locked")


def test_a_switch_to_the_write_ahead_log_is_tried_again_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    cursor = Busy(3)
    engines._write_ahead(cursor)  # type: ignore[arg-type]  # it stands for one
    assert cursor.times == -1
    monkeypatch.setattr(engines, "TRIES", 0)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        engines._write_ahead(Busy(1))  # type: ignore[arg-type]  # as above


@pytest.mark.parametrize(
    "url",
    [
        "nonsense://",
        "://",
        "sqlite:////no/such/folder/games.sqlite",
        "postgresql://plenipo:secret@127.0.0.1:1/none?connect_timeout=2",
    ],
)
def test_an_unusable_database_is_reported_in_a_sentence_without_its_password(url: str) -> None:
    with pytest.raises(StoreError, match=r"^The database '.*' cannot be used: ") as told:
        Store(url)
    assert "secret" not in str(told.value)
    assert "\n" not in str(told.value)


def test_the_usual_place_is_in_the_users_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert default_url().startswith("sqlite:///")
    assert (tmp_path / "plenipo").is_dir()


def test_games_are_due_by_their_wake_those_that_wait_longest_first(kept: Store) -> None:
    for name, minutes in (("later", 9), ("first", 1), ("second", 2)):
        kept.create(replace(GAME, id=name, timing={}), [], NOW, NOW + timedelta(minutes=minutes))
    kept.create(replace(GAME, id="never"), [], NOW)
    assert kept.due(NOW) == ()
    assert kept.due(NOW + timedelta(minutes=5)) == ("first", "second")
    assert kept.change("first", 1, GameChange(columns={"timing": {"new": 1}, "wake": None}), NOW)
    assert kept.due(NOW + timedelta(minutes=9)) == ("second", "later")
    found = kept.read("first")
    assert found is not None
    assert found.timing == {"new": 1}


def test_a_heartbeat_is_when_something_was_last_done(kept: Store) -> None:
    assert kept.of(Heartbeats).beat("looking", NOW) is None
    assert kept.of(Heartbeats).beat("looking", NOW + timedelta(hours=1)) == NOW

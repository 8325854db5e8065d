"""Backups: made while people play, whole or not there at all, and looked through before they are trusted."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select
from typer.testing import CliRunner

from plenipo.cli import app
from plenipo.server.backup import BackupError, back_up, check_backup, restore
from plenipo.server.new_games import NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.store.schema import metadata
from plenipo.server.submissions import Edit
from waiting import run_in_background


@pytest.fixture
def played(service: GameService) -> GameService:
    """A store with a game of some turns, and one with people and a journal."""
    game = service.open(NewGameRequest("standard", {}))
    keys = service.credentials(game.id, [game.all_seats])
    for phase in (1, 2):
        service.phases.process(game.id, keys, phase)
    lobby = service.open(NewGameRequest("standard", {}, lobby=True))
    service.lobby.join(lobby.id, service.credentials(lobby.id, [lobby.invitation]), "Anna", "France")
    service.lobby.start(lobby.id, service.credentials(lobby.id, [lobby.all_seats]))
    return service


def test_a_backup_is_whole_and_is_put_in_place(played: GameService, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    back_up(played.store, file)
    found = check_backup(file)
    assert (found.games, found.turns, found.faults) == (2, 2, ())
    before = file.read_bytes()
    restore(file, str(tmp_path / "new.sqlite"))
    assert file.read_bytes() == before
    again = Store(str(tmp_path / "new.sqlite"))
    assert again.count() == 2
    again.close()
    for target in (tmp_path / "new.sqlite", file):
        with pytest.raises(BackupError, match="is there already"):
            restore(file, str(target))
    with pytest.raises(BackupError, match="is there already"):
        back_up(played.store, file)
    with pytest.raises(BackupError, match="into a new file or an empty PostgreSQL"):
        restore(file, "mysql://nobody@nowhere/games")
    with pytest.raises(BackupError, match="cannot be restored"):
        restore(file, "postgresql://nobody@127.0.0.1:9/games")


def test_a_database_in_memory_is_refused_in_one_sentence(tmp_path: Path) -> None:
    store = Store("sqlite://")
    with pytest.raises(BackupError, match="in memory cannot be copied"):
        back_up(store, tmp_path / "copy")
    store.close()


def play_some(service: GameService) -> str:
    """Open a lobby, start it and process a phase; return its id."""
    lobby = service.open(NewGameRequest("standard", {}, lobby=True))
    service.lobby.join(lobby.id, service.credentials(lobby.id, [lobby.invitation]), "Anna", "France")
    keys = service.credentials(lobby.id, [lobby.all_seats])
    service.lobby.start(lobby.id, keys)
    service.phases.process(lobby.id, keys, 1)
    return lobby.id


def rows_of(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of every table."""
    with store.engine.connect() as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr)
            for table in metadata.sorted_tables
        }


def test_postgresql_is_backed_up_while_people_play_and_restored_to_either_kind(postgres: str, tmp_path: Path) -> None:
    store = Store(postgres)
    service = GameService(store)
    game, ended = play_some(service), threading.Event()
    file, before = tmp_path / "backup", rows_of(store)
    back_up(store, file)
    assert rows_of(store) == before
    assert (check_backup(file).games, check_backup(file).turns, check_backup(file).faults) == (1, 1, ())

    opened = service.open(NewGameRequest("standard", {}))
    keys = service.credentials(opened.id, [opened.all_seats])

    def play() -> None:
        while not ended.is_set():
            service.orders.submit(opened.id, keys, "France", 1, Edit(("A PAR - BUR",)))

    with run_in_background(play, end=ended.set):
        back_up(store, tmp_path / "while played")
    assert check_backup(tmp_path / "while played").faults == ()
    with pytest.raises(BackupError, match="name an empty one"):
        restore(file, postgres)

    restore(file, str(tmp_path / "new.sqlite"))
    moved = Store(str(tmp_path / "new.sqlite"))
    assert rows_of(moved) == before
    moved.close()
    with store.engine.begin() as connection:
        for table in reversed(metadata.sorted_tables):
            connection.execute(table.delete())
    restore(file, postgres)
    assert rows_of(store) == before
    assert play_some(GameService(store)) != game  # rows are numbered after those that were restored
    store.close()


def test_a_backup_is_made_while_people_play(played: GameService, tmp_path: Path) -> None:
    game = played.open(NewGameRequest("standard", {}))
    keys = played.credentials(game.id, [game.all_seats])
    ended = threading.Event()

    def play() -> None:
        while not ended.is_set():
            played.orders.submit(game.id, keys, "France", 1, Edit(("A PAR - BUR",)))

    with run_in_background(play, end=ended.set):
        for number in range(5):
            back_up(played.store, tmp_path / f"backup {number}")
    assert [check_backup(tmp_path / f"backup {number}").faults for number in range(5)] == [()] * 5


def test_a_backup_cut_short_or_changed_is_found_out(played: GameService, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    back_up(played.store, whole)
    content = whole.read_bytes()
    for name, part in (("short", content[: len(content) // 2]), ("nothing", b""), ("noise", b"noise" * 1000)):
        (tmp_path / name).write_bytes(part)
        with pytest.raises(BackupError, match=r"not a whole backup|not one of games"):
            check_backup(tmp_path / name)
    with pytest.raises(BackupError, match="There is no file"):
        check_backup(tmp_path / "missing")
    for statement, fault in (
        ("UPDATE turns SET record = replace(record, 'PAR', 'BUR') WHERE number = 1", "The record of game"),
        ("UPDATE journal SET text = 'Nothing happened.' WHERE number = 1", "The journal of game"),
        ("DELETE FROM turns WHERE number = 0", "The record of game"),
    ):
        changed = tmp_path / "changed"
        changed.write_bytes(content)
        with sqlite3.connect(changed) as connection:
            connection.execute(statement)
        connection.close()
        assert check_backup(changed).faults[0].startswith(fault)


def test_the_commands_say_what_they_did(played: GameService, tmp_path: Path) -> None:
    runner, database = CliRunner(), str(played.store.url.database)
    file = str(tmp_path / "kept")
    made = runner.invoke(app, ["backup", file, "--database", database])
    assert made.output == f"2 games copied to {file}.\n"
    found = runner.invoke(app, ["restore", "--check", file])
    assert found.output == "2 games with 2 turns: every record verifies.\n"
    refused = runner.invoke(app, ["restore", file])
    assert refused.exit_code == 2
    done = runner.invoke(app, ["restore", file, "--database", str(tmp_path / "new.sqlite")])
    assert done.exit_code == 0
    (tmp_path / "cut").write_bytes(Path(file).read_bytes()[:5000])
    cut = runner.invoke(app, ["restore", "--check", str(tmp_path / "cut")])
    assert (cut.exit_code, "not a whole backup" in cut.output) == (2, True)


def damage(file: Path) -> None:
    """Overwrite the page of the turns; the database still opens."""
    with closing(sqlite3.connect(file)) as plain:
        (page,) = plain.execute("SELECT rootpage FROM sqlite_master WHERE name = 'turns'").fetchone()
        (size,) = plain.execute("PRAGMA page_size").fetchone()
    content = bytearray(file.read_bytes())
    content[(page - 1) * size : page * size] = b"\xff" * size
    file.write_bytes(content)


def test_a_damaged_database_is_not_copied_and_the_command_says_so(played: GameService, tmp_path: Path) -> None:
    whole, copy = tmp_path / "whole.sqlite", tmp_path / "copy.sqlite"
    back_up(played.store, whole)
    damage(whole)
    store = Store(str(whole))
    with pytest.raises(BackupError, match="is damaged and was not copied"):
        back_up(store, copy)
    store.close()
    done = CliRunner().invoke(app, ["backup", str(copy), "--database", str(whole)])
    assert done.exit_code != 0
    assert "damaged" in done.output
    assert "copied to" not in done.output
    assert [path.name for path in tmp_path.glob("copy*")] == []


def test_a_database_with_rows_that_refer_to_nothing_is_not_copied(played: GameService, tmp_path: Path) -> None:
    with closing(sqlite3.connect(str(played.store.url.database))) as plain:
        plain.execute("INSERT INTO seats (game, power, computer) VALUES ('nowhere', 'France', 'sensible')")
        plain.commit()
    with pytest.raises(BackupError, match="a row of 'seats' refers to nothing"):
        back_up(played.store, tmp_path / "copy")

"""`plenipo doctor`: a good installation has no fault, and each thing that is wrong is one, with what to do."""

import json
import os
import shutil
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Self

import pytest
from typer.testing import CliRunner

from plenipo import extras
from plenipo.cli import app
from plenipo.server import doctor
from plenipo.server.doctor import CheckState, Installation, examine, run_check
from plenipo.server.store import Store
from plenipo.server.store.heartbeats import Heartbeats
from plenipo.server.worker import NAME
from waiting import LIMIT

F, W, OK = CheckState.FAULT, CheckState.WARNING, CheckState.OK


@contextmanager
def answering(status: int) -> Iterator[str]:
    """The address of a server that answers every request with a status."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join(timeout=LIMIT)


@pytest.fixture
def good(tmp_path: Path) -> Installation:
    """An installation in which all is well."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    store = Store(str(folder / "games.sqlite"))
    store.of(Heartbeats).beat(NAME, datetime.now(UTC))
    store.close()
    for path in folder.iterdir():
        path.chmod(0o600)
    backups = tmp_path / "backups"
    backups.mkdir()
    (backups / "now.sqlite").write_bytes((folder / "games.sqlite").read_bytes())
    environment = {
        "PLENIPO_SMTP": "smtps://mail.example.org",
        "PLENIPO_SENDER": "Games <games@example.org>",
        "PLENIPO_MODERATORS": "anna@example.org",
    }
    return Installation(
        environment,
        str(folder / "games.sqlite"),
        ("games.example.org",),
        "https://games.example.org",
        backups=backups,
        settings=tmp_path / "plenipo.env",
        connect=False,
    )


def states(installation: Installation, check: str) -> tuple[set[CheckState], str]:
    """Return how one check ended, and all that it said."""
    found = list(run_check(check, installation))
    assert all(one.advice for one in found if one.state is not OK)
    return {one.state for one in found}, " ".join(f"{one.text} {one.advice}" for one in found)


def changed(installation: Installation, **values: object) -> Installation:
    return Installation(**{**installation.__dict__, **values})


def test_a_good_installation_has_no_fault_and_is_not_changed(good: Installation) -> None:
    assert good.database
    before = Path(good.database).read_bytes()
    found = list(examine(good))
    assert [one for one in found if one.state is F] == []
    assert {one.check for one in found} == set(doctor.CHECKS)
    assert Path(good.database).read_bytes() == before


def test_the_command_prints_a_line_for_each_check_and_fails_with_a_fault(good: Installation, tmp_path: Path) -> None:
    assert good.database
    environment = {**good.environment, "PLENIPO_DATABASE": good.database, "PLENIPO_ADDRESS": str(good.address)}
    arguments = ["doctor", "--no-connect", "--backups", str(good.backups), "--settings", str(good.settings)]
    done = CliRunner().invoke(app, arguments, env=environment)
    assert done.exit_code == 0, done.output
    assert all(line.split()[0] in {"ok", "warning"} for line in done.output.splitlines())
    done = CliRunner().invoke(app, [*arguments[:2], "--backups", str(tmp_path / "none"), "--json"], env=environment)
    assert done.exit_code == 1
    told = json.loads(done.output)
    assert told["ok"] is False
    (backups,) = (one for one in told["checks"] if one["check"] == "backups")
    assert (backups["state"], "plenipo backup" in backups["advice"]) == ("fault", True)


def test_a_missing_extra_is_named_with_the_command_that_installs_it(
    good: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "missing", lambda name, *_, **__: "missing" if name in {"png", "server"} else "")
    found, text = states(good, "extras")
    assert found == {F, W}
    assert "plenipo[server]" in text


def test_a_database_that_is_away_damaged_or_older_is_a_fault(good: Installation, tmp_path: Path) -> None:
    assert states(changed(good, database=str(tmp_path / "none.sqlite")), "database")[0] == {W}
    away, text = states(changed(good, database="postgresql://plenipo:hush@127.0.0.1:9/games"), "database")
    assert (away, "hush" in text) == ({F}, False)
    noise = tmp_path / "noise.sqlite"
    noise.write_bytes(b"noise" * 1000)
    assert states(changed(good, database=str(noise)), "database")[0] == {F}
    with closing(sqlite3.connect(str(good.database))) as plain:
        plain.execute("UPDATE alembic_version SET version_num = '0011'")
        plain.commit()
    found, text = states(good, "database")
    assert found == {F}
    assert "backup" in text
    with closing(sqlite3.connect(str(good.database))) as plain:
        assert plain.execute("SELECT version_num FROM alembic_version").fetchone() == ("0011",)


def test_postgresql_is_checked_with_its_clock(good: Installation, postgres: str) -> None:
    store = Store(postgres)
    store.of(Heartbeats).beat(NAME, datetime.now(UTC))
    store.close()
    there = changed(good, database=postgres)
    assert [states(there, name)[0] for name in ("database", "clock", "worker")] == [{OK}] * 3


def test_files_that_others_can_read_are_faults(good: Installation) -> None:
    assert good.database
    assert states(good, "data")[0] == {OK}
    Path(good.database).chmod(0o644)
    assert states(good, "data")[0] == {F}
    good.settings.write_text("PLENIPO_SMTP=smtp://user:hush@mail")
    good.settings.chmod(0o640)
    assert F in states(good, "secrets")[0]
    good.settings.chmod(0o600)
    assert states(good, "secrets")[0] == {OK}


@pytest.mark.parametrize(("free", "state"), [(10**8, F), (10**9, W), (10**10, OK)])
def test_a_nearly_full_disk_is_reported(
    good: Installation, free: int, state: CheckState, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = type("Usage", (), {"free": free})
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert states(good, "data")[0] == {state}


def test_the_public_address_the_proxy_and_the_names_are_compared(good: Installation) -> None:
    assert states(good, "origin")[0] == {OK}
    trusting = {**good.environment, "FORWARDED_ALLOW_IPS": "*"}
    assert F in states(changed(good, environment=trusting), "origin")[0]
    for address, state in ((None, W), ("games.example.org", F), ("http://games.example.org", F)):
        assert state in states(changed(good, address=address), "origin")[0]
    assert F in states(changed(good, names=("other.example.org",)), "origin")[0]


def test_the_public_address_is_asked_whether_it_is_ready(good: Installation) -> None:
    for status, state in ((200, OK), (503, F), (404, F)):
        with answering(status) as address:
            assert states(changed(good, address=address, names=(), connect=True), "origin")[0] == {state}
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        silent = f"http://127.0.0.1:{taken.getsockname()[1]}"
        assert states(changed(good, address=silent, names=(), connect=True), "origin")[0] == {F}


def test_a_server_that_does_not_learn_of_https_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    class Answer:
        status = 200

        def __init__(self, headers: dict[str, str]) -> None:
            self.headers = headers

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            pass

    for headers, state in (({}, F), ({"strict-transport-security": "max-age=1"}, OK)):
        answer = Answer(headers)
        monkeypatch.setattr(doctor, "urlopen", lambda *_, answer=answer, **__: answer)
        assert next(doctor._ask_origin("https://games.example.org")).state is state


def test_settings_of_mail_moderators_and_providers_are_read(good: Installation) -> None:
    def of(check: str, **environment: str) -> set[CheckState]:
        return states(changed(good, environment={**good.environment, **environment}), check)[0]

    assert of("mail") == {OK}
    assert of("mail", PLENIPO_SMTP="") == {W}
    assert of("mail", PLENIPO_SMTP="mail.example.org") == {F}
    assert F in of("mail", PLENIPO_SENDER="")
    assert of("moderators", PLENIPO_MODERATORS="") == {W}
    assert of("moderators", PLENIPO_MODERATORS="Anna") == {F}
    assert of("sign-in", PLENIPO_DISCORD="client") == {F}
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        dead = {**good.environment, "PLENIPO_SMTP": f"smtp://127.0.0.1:{taken.getsockname()[1]}"}
        assert states(changed(good, environment=dead, connect=True), "mail")[0] == {F}


def test_a_worker_that_stopped_or_never_ran_is_a_fault(good: Installation) -> None:
    for ago, state in ((timedelta(0), OK), (timedelta(hours=1), F), (-timedelta(hours=1), F)):
        store = Store(good.database)
        store.of(Heartbeats).beat(NAME, datetime.now(UTC) - ago)
        store.close()
        assert states(good, "worker")[0] == {state}
    with closing(sqlite3.connect(str(good.database))) as plain:
        plain.execute("DELETE FROM heartbeats")
        plain.commit()
    assert states(good, "worker")[0] == {F}


@pytest.mark.parametrize(("days", "state"), [(0, OK), (2, W), (10, F)])
def test_a_backup_has_an_age(good: Installation, days: int, state: CheckState) -> None:
    assert good.backups
    (file,) = good.backups.iterdir()
    then = datetime.now(UTC).timestamp() - 86400 * days
    os.utime(file, (then, then))
    assert states(good, "backups")[0] == {state}


def test_something_else_than_a_backup_is_a_fault(good: Installation) -> None:
    assert good.backups
    (file,) = good.backups.iterdir()
    file.write_bytes(b"nothing")
    assert states(good, "backups")[0] == {F}
    assert states(changed(good, backups=None), "backups")[0] == {W}


def test_a_check_that_fails_itself_is_a_fault_and_the_others_go_on(
    good: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Installation) -> Iterator[doctor.Finding]:
        yield from ()
        raise RuntimeError("unforeseen")

    monkeypatch.setattr(doctor, "CHECKS", {"broken": broken, "python": doctor.check_python})
    found = list(examine(good))
    assert (found[0].state, found[1].check) == (F, "python")


def test_the_settings_may_be_readable_by_root_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = tmp_path / "plenipo.env"
    settings.touch(mode=0o600)
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    database = str(tmp_path / "games.sqlite")
    told = CliRunner().invoke(app, ["doctor", "--no-connect", "--settings", str(settings), "--database", database])
    assert told.exit_code == 1
    assert "not readable" not in told.output

"""Files of a server that other users of the machine cannot read, and a console that prints no codes."""

import logging
import os
import stat
from email.message import EmailMessage
from pathlib import Path
from urllib.request import urlopen

import pytest
from sqlalchemy import select

from plenipo.server.people.mail import MailFolder, mailer_of
from plenipo.server.private_files import keep_private
from plenipo.server.store import Store, default_url, schema
from plenipo.server.store.persons import Persons
from server.serving import Running, answer_of, served
from server.test_notifications import Table

POSIX = pytest.mark.skipif(os.name != "posix", reason="Windows has no modes of files")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def mail() -> EmailMessage:
    message = EmailMessage()
    message["To"], message["Subject"], message["Message-ID"] = "anna@example.org", "256131 is your code", "<1@plenipo>"
    message.set_content("The link is https://games.example.org/sign-in/sesame")
    return message


@POSIX
def test_an_open_data_folder_is_closed_and_what_is_made_later_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = tmp_path / "plenipo"
    (folder / "mail").mkdir(parents=True)
    for name in ("games.sqlite", "games.sqlite-wal", "mail/1.eml"):
        (folder / name).touch()
        (folder / name).chmod(0o644)
    before = os.umask(0o022)
    try:
        keep_private(None)
        Store(default_url()).close()
        (folder / "later").touch()
        (folder / "deeper").mkdir()
    finally:
        os.umask(before)
    assert {mode(path) for path in (folder, folder / "mail", folder / "deeper")} == {0o700}
    assert {mode(path) for path in folder.rglob("*") if path.is_file()} == {0o600}


@POSIX
def test_a_database_elsewhere_is_closed_and_its_folder_left_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    kept, other = tmp_path / "games.sqlite", tmp_path / "other"
    for path in (kept, tmp_path / "games.sqlite-wal", other):
        path.touch()
        path.chmod(0o644)
    before = os.umask(0o022)
    try:
        keep_private(str(kept))
    finally:
        os.umask(before)
    assert [mode(path) for path in (kept, tmp_path / "games.sqlite-wal", other, tmp_path)] == [
        0o600,
        0o600,
        0o644,
        0o755,
    ]


@POSIX
def test_a_running_server_writes_files_that_no_other_user_can_read(usual_server: Running) -> None:
    answer_of(usual_server.port)
    assert mode(usual_server.database) == 0o600
    assert mode(usual_server.database.with_name("games.sqlite-wal")) == 0o600


def test_the_console_tells_no_code_unless_that_is_asked_for(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for shown in (False, True):
        mailer_of({}, tmp_path / "mail", shown=shown).send(mail())
        assert ("256131" in caplog.text, "sesame" in caplog.text, "anna@" in caplog.text) == (shown, shown, shown)
        assert "1.eml" in caplog.text
    assert caplog.records[0].levelno == logging.WARNING
    (written,) = (tmp_path / "mail").iterdir()
    assert b"256131" in written.read_bytes()


def test_a_server_without_a_mail_server_says_where_the_mail_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLENIPO_SMTP", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with served(tmp_path) as server, urlopen(f"http://127.0.0.1:{server.port}/health/live", timeout=60):
        pass
    assert f"Mail is written to files in {tmp_path / 'data' / 'plenipo' / 'mail'}" in server.said
    assert MailFolder(tmp_path).shown is False


def test_of_mail_that_was_sent_or_given_up_neither_address_nor_subject_is_kept(store: Store) -> None:
    table = Table(store)
    table.process()
    assert table.sent()
    table.process()
    posts = schema.posts
    with store.engine.connect() as connection:
        waiting = connection.execute(select(posts.c.id).where(posts.c.sent.is_(None))).scalars().all()
    for post in waiting:
        store.of(Persons).try_again(post, None)
    with store.engine.connect() as connection:
        rows = connection.execute(select(posts.c.to, posts.c.subject, posts.c.body, posts.c.headers)).all()
    assert waiting
    assert {tuple(row) for row in rows} == {("", "", "", "{}")}

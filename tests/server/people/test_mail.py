"""Mail: into a folder, to a mail server, once each, again when it fails, given up in the end."""

import email
import email.policy
import socketserver
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from plenipo.server.people.accounts import Accounts
from plenipo.server.people.mail import Folder, MailError, Outgoing, Smtp, mailer_of, send_due
from plenipo.server.store import Store
from server.clocks import ManualClock

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


class Inbox(socketserver.ThreadingTCPServer):
    """A mail server that keeps what it is given."""

    allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Session)
        self.mails: list[bytes] = []
        self.refuses = 0


class Session(socketserver.StreamRequestHandler):
    """One conversation in SMTP, as RFC 5321 has it, as far as a client needs it."""

    server: Inbox

    def say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())

    def handle(self) -> None:
        self.say("220 here")
        while line := self.rfile.readline():
            verb = line.split(maxsplit=1)[0].upper() if line.strip() else b""
            if verb == b"DATA":
                self.say("354 go on")
                text = b""
                while (part := self.rfile.readline()) != b".\r\n":
                    text += part
                self.server.mails.append(text)
                self.say("250 kept")
            elif verb == b"MAIL" and self.server.refuses:
                self.server.refuses -= 1
                self.say("451 try later")
            elif verb == b"QUIT":
                self.say("221 bye")
                return
            else:
                self.say("250 fine")


@pytest.fixture
def inbox() -> Iterator[Inbox]:
    with Inbox() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOON)


def test_mail_goes_to_a_mail_server_once_with_links_to_where_people_reach_it(
    store: Store, clock: ManualClock, inbox: Inbox
) -> None:
    Accounts(store.persons, clock).send_code("anna@example.org")
    mail = Outgoing(Smtp("127.0.0.1", inbox.server_address[1]), "https://games.example.org/", "Us <us@example.org>")
    assert send_due(store, mail, clock) == 1
    assert send_due(store, mail, clock) == 0
    (text,) = inbox.mails
    message = email.message_from_bytes(text, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    assert (message["To"], message["From"]) == ("anna@example.org", "Us <us@example.org>")
    assert "https://games.example.org/sign-in/" in message.get_content()


def test_mail_that_fails_is_tried_again_under_the_same_id_and_given_up_in_the_end(
    store: Store, clock: ManualClock, inbox: Inbox
) -> None:
    Accounts(store.persons, clock).send_code("anna@example.org")
    mail = Outgoing(Smtp("127.0.0.1", inbox.server_address[1]), "http://here")
    inbox.refuses = 1
    assert send_due(store, mail, clock) == 0
    clock.time += timedelta(minutes=2)
    assert send_due(store, mail, clock) == 1
    Accounts(store.persons, clock).send_code("ben@example.org")
    nobody = Outgoing(Smtp("127.0.0.1", 1), "http://here")
    for _ in range(6):
        assert send_due(store, nobody, clock) == 0
        clock.time += timedelta(days=1)
    assert store.persons.take_posts(clock.now()) == ()


def test_without_a_mail_server_mail_is_a_file_in_a_folder(store: Store, clock: ManualClock, tmp_path: Path) -> None:
    Accounts(store.persons, clock).send_code("anna@example.org")
    mail = Outgoing(mailer_of({}, tmp_path / "mail"), "http://127.0.0.1:8021")
    assert send_due(store, mail, clock) == 1
    (file,) = (tmp_path / "mail").glob("*.eml")
    assert b"http://127.0.0.1:8021/sign-in/" in file.read_bytes()


def test_of_two_that_send_at_once_one_sends(store: Store, clock: ManualClock, inbox: Inbox) -> None:
    accounts = Accounts(store.persons, clock)
    for number in range(8):
        accounts.send_code(f"person{number}@example.org")
    mail = Outgoing(Smtp("127.0.0.1", inbox.server_address[1]), "http://here")
    threads = [threading.Thread(target=send_due, args=(store, mail, clock)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(inbox.mails) == 8


def test_the_environment_names_the_mail_server(tmp_path: Path) -> None:
    plain = mailer_of({"PLENIPO_SMTP": "smtp://anna:p%40ss@mail.example.org"}, tmp_path)
    assert plain == Smtp("mail.example.org", 587, "anna", "p@ss", secured=False)
    secured = mailer_of({"PLENIPO_SMTP": "smtps://mail.example.org:4650"}, tmp_path)
    assert secured == Smtp("mail.example.org", 4650, secured=True)
    assert mailer_of({}, tmp_path) == Folder(tmp_path)
    for wrong in ("mail.example.org", "http://mail.example.org", "smtp://", "smtp://host:nine"):
        with pytest.raises(MailError, match="PLENIPO_SMTP is not an address"):
            mailer_of({"PLENIPO_SMTP": wrong}, tmp_path)

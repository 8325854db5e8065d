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
from sqlalchemy import insert

from plenipo.server.people import mail as mail_loop
from plenipo.server.people.accounts import Accounts
from plenipo.server.people.mail import (
    ElsewhereSender,
    MailError,
    MailFolder,
    Outgoing,
    Smtp,
    mailer_of,
    send_due,
    send_elsewhere,
    send_mail,
)
from plenipo.server.people.webhooks import Poster
from plenipo.server.store import Store, StoredPost, schema
from plenipo.server.store.metrics import collect_metrics
from plenipo.server.store.persons import Persons
from server.clocks import ManualClock
from waiting import LIMIT, run_in_background, run_together, wait_until

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def queue(store: Store, post: StoredPost, at: datetime) -> None:
    """Put a post into the outbox."""
    row = {"id": post.id, "to": post.to, "subject": post.subject, "body": post.body, "kind": post.kind}
    with store.engine.begin() as connection:
        connection.execute(insert(schema.posts).values(**row, tries=0, not_before=at))


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
    timeout = LIMIT

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
    with Inbox() as server, run_in_background(server.serve_forever, end=server.shutdown):
        yield server


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOON)


def test_mail_goes_to_a_mail_server_once_with_links_to_where_people_reach_it(
    store: Store, clock: ManualClock, inbox: Inbox
) -> None:
    Accounts(store.of(Persons), clock).send_code("anna@example.org")
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
    Accounts(store.of(Persons), clock).send_code("anna@example.org")
    mail = Outgoing(Smtp("127.0.0.1", inbox.server_address[1]), "http://here")
    inbox.refuses = 1
    assert send_due(store, mail, clock) == 0
    clock.time += timedelta(minutes=2)
    assert send_due(store, mail, clock) == 1
    Accounts(store.of(Persons), clock).send_code("ben@example.org")
    nobody = Outgoing(Smtp("127.0.0.1", 1), "http://here")
    for _ in range(6):
        assert send_due(store, nobody, clock) == 0
        clock.time += timedelta(days=1)
    assert store.of(Persons).take_posts(clock.now()) == ()


class Failing:
    """A mail server or receiver that fails in an unexpected way."""

    def send(self, message: EmailMessage) -> None:
        raise UnicodeError(message["To"])


@pytest.mark.parametrize("bad", ["https://1.1.1.1/é", f"https://{'a' * 64}.example/", "https://[::1", "&"])
def test_a_bad_address_keeps_no_other_post_from_being_sent(
    store: Store, clock: ManualClock, inbox: Inbox, bad: str
) -> None:
    for number in range(12):
        queue(store, StoredPost(f"hook{number}", bad, "", "{}", "hook"), clock.now() - timedelta(minutes=1))
    Accounts(store.of(Persons), clock).send_code("anna@example.org")
    mail = Outgoing(Smtp("127.0.0.1", inbox.server_address[1]), "http://here")
    send_due(store, mail, clock)
    assert len(inbox.mails) == 1
    for _ in range(9):
        clock.time += timedelta(days=1)
        send_due(store, mail, clock)
    assert store.of(Persons).take_posts(clock.now()) == (), "what cannot be sent is given up"


def test_a_post_that_fails_in_an_unforeseen_way_is_tried_again_and_given_up(
    store: Store, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    Accounts(store.of(Persons), clock).send_code("anna@example.org")
    for _ in range(6):
        assert send_due(store, Outgoing(Failing(), "http://here"), clock) == 0
        clock.time += timedelta(days=1)
    assert "cannot be sent and is given up" in caplog.text
    assert collect_metrics(store.engine, clock.now()).given_up == 1


class Hanging(Poster):
    """A poster to receivers that answer when they are let, but for posts whose names begin with "quick"."""

    def __init__(self) -> None:
        super().__init__()
        self.leave = threading.Event()
        self.begun: list[str] = []

    def send(self, url: str, body: str, post: str, *_: object, **__: object) -> None:
        del url, body
        self.begun.append(post)
        assert post.startswith("quick") or self.leave.wait(LIMIT)

    def list_begun(self, kind: str) -> list[str]:
        """Return the posts that were begun and whose names begin so."""
        return [post for post in self.begun if post.startswith(kind)]


def test_a_webhook_that_hangs_keeps_no_mail_waiting(store: Store, clock: ManualClock, inbox: Inbox) -> None:
    queue(store, StoredPost("hook", "https://example.org/", "", "{}", "hook"), clock.now())
    Accounts(store.of(Persons), clock).send_code("anna@example.org")
    poster = Hanging()
    mail = Outgoing(Smtp("127.0.0.1", inbox.server_address[1]), "http://here", poster=poster)
    with run_in_background(send_elsewhere, store, mail, clock, end=poster.leave.set):
        wait_until(lambda: bool(poster.begun))
        assert send_mail(store, mail, clock) == 1


def test_slow_webhooks_of_one_host_keep_no_other_webhook_waiting(
    store: Store, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_loop, "ROUND", LIMIT)
    for number in range(20):
        address = f"https://{'SLOW' if number % 2 else 'slow'}.example.org/{number}"
        queue(store, StoredPost(f"slow {number}", address, "", "{}", "hook"), clock.now() - timedelta(minutes=1))
    for number in range(10):
        queue(store, StoredPost(f"quick {number}", "https://quick.example.com/", "", "{}", "hook"), clock.now())
    poster = Hanging()
    mail = Outgoing(MailFolder(Path()), "http://here", poster=poster)
    with run_in_background(send_elsewhere, store, mail, clock, end=poster.leave.set):
        wait_until(lambda: len(poster.list_begun("quick")) == 10, within=60)
        queue(store, StoredPost("quick, later", "https://another.example.net/", "", "{}", "hook"), clock.now())
        wait_until(lambda: "quick, later" in poster.begun, within=60)
        assert len(poster.list_begun("slow")) == 1
        assert poster.list_begun("quick") == [*(f"quick {number}" for number in range(10)), "quick, later"]
    assert len(set(poster.list_begun("slow"))) == len(poster.list_begun("slow")) == 20


@pytest.mark.parametrize(
    "addresses",
    [
        [f"https://{letter}.example.org/" for letter in "abcdefgh"],
        [f"https://{letter}.example.co.uk/" for letter in "abcdefgh"],
        [f"https://203.0.113.{number}/" for number in range(8)],
        [f"https://[2001:db8:1:{number}::1]/" for number in range(8)],
        [
            "https://1.65793/",
            "https://16843009/",
            "https://0x01010101/",
            *(f"https://1.1.{n}.1/" for n in (1, 1, 1, 1, 1)),
        ],
    ],
)
def test_one_receiver_with_many_names_holds_one_thread(
    store: Store, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, addresses: list[str]
) -> None:
    monkeypatch.setattr(mail_loop, "ROUND", LIMIT)
    for number, address in enumerate(addresses):
        queue(store, StoredPost(f"slow {number}", address, "", "{}", "hook"), clock.now() - timedelta(minutes=1))
    queue(store, StoredPost("quick", "https://other.example.com/", "", "{}", "hook"), clock.now())
    poster = Hanging()
    mail = Outgoing(MailFolder(Path()), "http://here", poster=poster)
    with run_in_background(send_elsewhere, store, mail, clock, end=poster.leave.set):
        wait_until(lambda: "quick" in poster.begun, within=60)
        assert len(poster.begun) <= 2


def test_receivers_that_were_slow_share_two_threads_and_a_round_ends_without_them(
    store: Store, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_loop, "ROUND", 0.0)
    monkeypatch.setattr(mail_loop, "LOOK", 0.05)
    poster = Hanging()

    def queue_slow(turn: int) -> None:
        for number in range(8):
            post = StoredPost(f"slow {turn} {number}", f"https://slow{number}.example/", "", "{}", "hook")
            queue(store, post, clock.now() - timedelta(minutes=1))

    sender = ElsewhereSender(store, Outgoing(MailFolder(Path()), "http://here", poster=poster), clock)
    try:
        queue_slow(1)
        sender.send()  # the round ends although no receiver has answered
        wait_until(lambda: len(poster.begun) == 8)
        monkeypatch.setattr(mail_loop, "SLOW", -1.0)  # they have all kept their threads for longer
        poster.leave.set()
        wait_until(lambda: (sender.send(), not sender.busy)[1])
        monkeypatch.setattr(mail_loop, "SLOW", LIMIT)
        poster.leave.clear()
        queue_slow(2)
        queue(store, StoredPost("quick", "https://quick.example/", "", "{}", "hook"), clock.now())
        wait_until(lambda: (sender.send(), "quick" in poster.begun)[1])
        wait_until(lambda: len(poster.begun) == 11)
        assert len(sender.busy) <= 3, "eight wait, of whom two are sent to, and perhaps the quick one"
    finally:
        poster.leave.set()
        sender.close()


def test_without_a_mail_server_mail_is_a_file_in_a_folder(store: Store, clock: ManualClock, tmp_path: Path) -> None:
    Accounts(store.of(Persons), clock).send_code("anna@example.org")
    mail = Outgoing(mailer_of({}, tmp_path / "mail"), "http://127.0.0.1:8021")
    assert send_due(store, mail, clock) == 1
    (file,) = (tmp_path / "mail").glob("*.eml")
    assert b"http://127.0.0.1:8021/sign-in/" in file.read_bytes()


def test_of_two_that_send_at_once_one_sends(store: Store, clock: ManualClock, inbox: Inbox) -> None:
    accounts = Accounts(store.of(Persons), clock)
    for number in range(8):
        accounts.send_code(f"person{number}@example.org")
    mail = Outgoing(Smtp("127.0.0.1", inbox.server_address[1]), "http://here")
    run_together(*4 * [lambda: send_due(store, mail, clock)])
    assert len(inbox.mails) == 8


def test_the_environment_names_the_mail_server(tmp_path: Path) -> None:
    plain = mailer_of({"PLENIPO_SMTP": "smtp://anna:p%40ss@mail.example.org"}, tmp_path)
    assert plain == Smtp("mail.example.org", 587, "anna", "p@ss", secured=False)
    secured = mailer_of({"PLENIPO_SMTP": "smtps://mail.example.org:4650"}, tmp_path)
    assert secured == Smtp("mail.example.org", 4650, secured=True)
    assert mailer_of({}, tmp_path) == MailFolder(tmp_path)
    for wrong in ("mail.example.org", "http://mail.example.org", "smtp://", "smtp://host:nine"):
        with pytest.raises(MailError, match="PLENIPO_SMTP is not an address"):
            mailer_of({"PLENIPO_SMTP": wrong}, tmp_path)

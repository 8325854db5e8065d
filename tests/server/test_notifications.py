"""Being told: outbox, mail, unsubscribing, quiet hours, webhooks and calendars, with receivers of our own."""

import base64
import hmac
import http.client
import http.server
import json
import re
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from plenipo.engine.position import Power
from plenipo.server.deadlines import notify_vacated
from plenipo.server.gm_tools import GmTools, RulingReason
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.notifications import Preferences, at_once_or_later
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.hosting.settings import Settings, settings_of
from plenipo.server.new_games import GameKeys, NewGameRequest
from plenipo.server.people import webhooks
from plenipo.server.people.accounts import Accounts
from plenipo.server.people.mail import Outgoing, Smtp, send_due
from plenipo.server.people.webhooks import HookRefusedError, Poster, check_address, public
from plenipo.server.press import Draft
from plenipo.server.service import GameService
from plenipo.server.store import Notification, Store, StoredTenure
from plenipo.server.store.notifications import NotificationStore, tell
from plenipo.server.store.persons import Persons, SignInMethod
from plenipo.server.submissions import Edit
from plenipo.server.web.app import create_app
from plenipo.server.web.views import View
from server.clocks import ManualClock
from waiting import LIMIT

SETTINGS = settings_of({"computer": "careless"})
NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


@dataclass
class Inbox:
    """Mail as a program that sends it would keep it."""

    mail: list[EmailMessage] = field(default_factory=list)

    def send(self, message: EmailMessage) -> None:
        self.mail.append(message)


class Table:
    """A game of three people with mail addresses, on a clock that is set by hand."""

    def __init__(self, store: Store, settings: Settings = SETTINGS, host: str = "") -> None:
        self.clock = ManualClock(NOW)
        self.service = GameService(store, clock=self.clock)
        self.inbox = Inbox()
        self.mail = Outgoing(self.inbox, "https://plenipo.example")
        accounts = Accounts(store.of(Persons), self.clock)
        self.people: dict[str, str] = {}
        schedule = schedule_of("Every day", "UTC")
        office = None
        if host:
            person = accounts.guest(host).person
            store.of(Persons).add_way(SignInMethod("mail", f"{host.casefold()}@example.org", person.id, NOW))
            office = (person.id, host)
        self.game: GameKeys = self.service.open(
            NewGameRequest("standard", {}, lobby=True, schedule=schedule, name="Quai", settings=settings, host=office)
        )
        for name, power in (("Anna", "France"), ("Ben", "Italy"), ("Cleo", "Turkey")):
            person = accounts.guest(name).person
            store.of(Persons).add_way(SignInMethod("mail", f"{name.casefold()}@example.org", person.id, NOW))
            self.people[power] = person.id
            self.service.lobby.join(
                self.game.id, self.service.credentials(self.game.id, [self.game.invitation], person.id), name, power
            )
        self.service.lobby.start(self.game.id, self.service.credentials(self.game.id, [self.game.all_seats]))

    def who(self, power: str) -> Credentials:
        return self.service.credentials(self.game.id, [], self.people[power])

    def write(self, power: str, to: str, text: str = "Secret plan") -> None:
        self.service.press.write(self.game.id, self.who(power), Draft(power, (to,), text))

    def process(self) -> None:
        phase = self.service.games.load(self.game.id).phase_number
        self.service.phases.process(self.game.id, self.service.credentials(self.game.id, [self.game.all_seats]), phase)

    def sent(self, later: timedelta = timedelta(0)) -> list[EmailMessage]:
        self.clock.time += later
        self.inbox.mail.clear()
        send_due(self.service.store, self.mail, self.clock)
        return list(self.inbox.mail)


@pytest.fixture
def table(store: Store) -> Table:
    return Table(store)


def test_each_player_is_notified_once_of_a_phase_with_public_facts(table: Table) -> None:
    table.service.orders.submit(table.game.id, table.who("France"), "France", 1, Edit(("A PAR - BUR",)))
    table.sent()
    table.process()
    found = table.sent()
    assert sorted(str(mail["To"]) for mail in found) == ["anna@example.org", "ben@example.org", "cleo@example.org"]
    assert all(str(mail["Subject"]).startswith("Quai: ") for mail in found)
    assert table.sent(timedelta(hours=1)) == []


def test_a_player_who_misses_too_many_deadlines_is_notified_and_the_game_log_says_so(table: Table) -> None:
    subjects = miss_deadlines(table)
    assert subjects["Quai: you no longer play France"] == "anna@example.org"
    assert [entry.kind for entry in table.service.journal(table.game.id)].count("vacated") == 1
    assert "France" not in table.service.games.load(table.game.id).columns["waits"]
    assert former(table, table.who("France")) is None  # until a replacement comes, Anna can go on
    assert replace_france(table) == (
        "France",
        "Dora plays France from now on, in place of Anna, whose seat was vacant after too many NMRs in a row.",
    )


def test_the_host_is_notified_of_a_seat_that_is_vacant_after_nmrs(store: Store) -> None:
    table = Table(store, host="Gus")
    subjects = miss_deadlines(table)
    assert subjects["Quai: you no longer play France"] == "anna@example.org"
    assert subjects["Quai: France is vacant"] == "gus@example.org"


def test_a_host_who_loses_the_seat_is_notified_once_as_its_player(store: Store) -> None:
    table = Table(store)
    game = table.service.games.load(table.game.id)
    office = StoredTenure(99, "Anna", "host", "", table.people["France"], since=1)
    notices = notify_vacated(game.with_tenures(office), [Power("France")])
    assert [notice.person for notice in notices] == [table.people["France"]]


def miss_deadlines(table: Table) -> dict[str, str]:
    """Miss deadlines as France until its seat is vacant; return the subjects of the mail, each with its reader."""
    table.process()  # the first phase would wait for all
    subjects: dict[str, str] = {}
    for _ in range(10):
        hosted = table.service.games.load(table.game.id)
        if hosted.is_vacant(Power("France")):
            break
        assert hosted.timing is not None
        for power in {"Italy", "Turkey"} & {*hosted.may_order}:
            edit = Edit((), ready=True)
            table.service.orders.submit(table.game.id, table.who(power), power, hosted.phase_number, edit)
        table.clock.time = (hosted.timing.phase.due or table.clock.time) + timedelta(hours=3)
        table.service.time.settle(table.game.id)
        subjects |= {str(mail["Subject"]): str(mail["To"]) for mail in table.sent()}
    return subjects


def former(table: Table, who: Credentials) -> tuple[str, str] | None:
    """Return the power and the sentence that a page of the game shows a former player; None for others."""
    found = View.of(table.service.view(table.game.id, who, None)).viewer.former
    return None if found is None else (found.power, found.sentence.text)


def replace_france(table: Table) -> tuple[str, str] | None:
    """Let Dora take over France, and return what Anna is shown then."""
    host = table.service.credentials(table.game.id, [table.game.all_seats])
    offer = table.service.handover.act(table.game.id, host, "France", "offer")
    assert offer is not None
    assert former(table, table.who("Italy")) is None
    table.service.handover.accept(table.game.id, table.service.credentials(table.game.id, [offer]), "Dora")
    return former(table, table.who("France"))


def test_a_removed_player_is_notified_by_whom(table: Table) -> None:
    table.sent()
    host = table.service.credentials(table.game.id, [table.game.all_seats])
    table.service.handover.act(table.game.id, host, "France", "remove")
    (mail,) = table.sent()
    assert str(mail["To"]) == "anna@example.org"
    assert str(mail["Subject"]) == "Quai: you no longer play France"
    assert "The host of Quai has removed you" in mail.get_content()
    shown = ("France", "The host took the seat of France from Anna; France is vacant.")
    assert former(table, table.who("France")) == shown
    for other in (table.who("Italy"), Credentials()):
        assert former(table, other) is None
    assert replace_france(table) == shown  # later events change nothing


def test_the_reason_of_a_removal_is_in_the_notification_the_game_log_and_on_the_page(table: Table) -> None:
    table.sent()
    host = table.service.credentials(table.game.id, [table.game.all_seats])
    table.service.handover.act(table.game.id, host, "France", "remove", reason=" Insults\nin press. ")
    (mail,) = table.sent()
    assert "The reason: Insults in press." in mail.get_content()
    shown = "The host took the seat of France from Anna; France is vacant. The reason: Insults in press."
    assert former(table, table.who("France")) == ("France", shown)
    entry = table.service.journal(table.game.id)[-1]
    assert (entry.kind, entry.text) == ("remove", shown.replace("Anna", "<1>"))


def test_a_replaced_player_is_shown_who_plays_the_seat(table: Table) -> None:
    assert replace_france(table) == ("France", "Dora plays France from now on.")


def test_a_player_removed_by_vote_is_told_that_it_was_a_vote(table: Table) -> None:
    table.sent()
    table.service.voting.move(table.game.id, table.who("Italy"), "replace", ["France"])
    number = table.service.voting.poll(table.game.id, table.who("Turkey")).motions[-1].number
    table.service.voting.vote(table.game.id, table.who("Turkey"), number, yes=True)
    mail = next(mail for mail in table.sent() if "no longer play" in str(mail["Subject"]))
    assert "The players of Quai have voted for another player of France" in mail.get_content()
    assert former(table, table.who("France")) == (
        "France",
        "The players took the seat of France from Anna by vote; France is vacant.",
    )


def test_messages_are_gathered_and_neither_their_text_nor_their_sender_is_mailed(table: Table) -> None:
    table.sent()
    for text in ("Attack Turkey", "With all you have"):
        table.write("France", "Italy", text)
    assert table.sent() == []
    (mail,) = table.sent(timedelta(minutes=10))
    assert str(mail["To"]) == "ben@example.org"
    whole = bytes(mail).decode()
    for secret in ("Attack", "have", "France", "Anna"):
        assert secret not in whole
    table.write("France", "Italy")
    assert len(table.sent(timedelta(minutes=10))) == 1  # the next ones are told of again


def test_a_player_who_has_read_meanwhile_is_not_notified(table: Table) -> None:
    table.sent()
    table.write("France", "Italy")
    box = table.service.press.inbox(table.game.id, table.who("Italy"))
    (thread,) = box.threads
    table.service.press.mark(table.game.id, table.who("Italy"), thread.key, thread.messages[-1].message.id)
    assert table.sent(timedelta(minutes=10)) == []


def test_a_post_is_there_if_and_only_if_its_message_was_kept(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.sent()

    def fails(*_: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("plenipo.server.press.tell", fails)
        with pytest.raises(OSError, match="disk"):
            table.write("France", "Italy")
    assert table.service.press.inbox(table.game.id, table.who("Italy")).threads == ()
    assert table.sent(timedelta(minutes=10)) == []


def test_what_a_post_is_about_is_cut_and_the_whole_stands_in_it(table: Table) -> None:
    long = "Drawn between " + ", ".join(f"the power number {number}" for number in range(23))
    with table.service.store.engine.begin() as connection:
        notice = Notification(table.people["France"], "end", long, long)
        tell(connection, table.game.id, 99, [notice], NOW, lambda _preferences, _kind, now: {"mail": now})
    (mail,) = [mail for mail in table.sent() if "Drawn" in str(mail["Subject"])]
    assert len(mail["Subject"]) == 200  # as many characters as PostgreSQL takes
    assert str(mail["Subject"]).endswith("…")
    assert long in " ".join(mail.get_content().split())


def test_one_click_ends_the_mail_of_a_kind_and_looking_changes_nothing(table: Table) -> None:
    table.sent()
    table.write("France", "Italy")
    (mail,) = table.sent(timedelta(minutes=10))
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mail["References"] == f"<game-{table.game.id}@plenipo>"
    link = str(mail["List-Unsubscribe"]).strip("<>").removeprefix("https://plenipo.example")
    with TestClient(create_app(table.service, loops="none")) as client:
        assert client.get(link).status_code == 200
        table.write("France", "Italy")
        assert len(table.sent(timedelta(minutes=10))) == 1
        assert client.post(link, data={"List-Unsubscribe": "One-Click"}).status_code == 200
        table.write("France", "Italy")
        assert table.sent(timedelta(minutes=10)) == []
        assert client.post("/unsubscribe/guessed?kind=message").status_code == 404
    table.process()
    assert "ben@example.org" in [str(one["To"]) for one in table.sent()]  # other kinds are still mailed


def test_others_are_notified_of_a_vote_and_all_of_its_result(table: Table) -> None:
    table.sent()
    table.service.voting.move(table.game.id, table.who("France"), "extend")
    assert sorted((str(mail["To"]), mail.get_content().splitlines()[0]) for mail in table.sent()) == [
        ("ben@example.org", "Put to the vote: Extend the phase by a day."),
        ("cleo@example.org", "Put to the vote: Extend the phase by a day."),
    ]
    (motion,) = table.service.voting.poll(table.game.id, table.who("Italy")).motions
    table.service.voting.vote(table.game.id, table.who("Italy"), motion.number, yes=True)
    found = table.sent()
    assert len(found) == 3
    assert {mail.get_content().splitlines()[0] for mail in found} == {
        "By vote: Extend the phase by a day; 2 for it, 0 against."
    }


def test_there_is_no_notification_of_a_secret_vote_before_it_passes(store: Store) -> None:
    votes = {"draw": {"secrecy": "secret", "standing": True}}
    table = Table(store, settings_of({"computer": "careless", "votes": votes}))
    table.service.store.of(NotificationStore).set_hook(table.game.id, "https://localhost/hook")
    table.sent()
    table.service.voting.move(table.game.id, table.who("France"), "draw")
    assert table.service.store.of(Persons).take_posts(table.clock.now()) == ()


def test_the_notification_of_a_ruling_names_its_phase_and_no_withheld_reason(store: Store) -> None:
    table = Table(store, settings_of({"computer": "careless", "host": "game master"}))
    table.process()
    table.sent()
    host = table.service.credentials(table.game.id, [table.game.all_seats])
    phase = table.service.games.load(table.game.id).phase_number
    GmTools(table.service).go_back(table.game.id, host, phase, 0, RulingReason("Mordor was wrong", withheld=True))
    found = table.sent()
    assert len(found) == 3
    for mail in found:
        assert mail.get_content().startswith("The game master ruled: back to Spring 1901 movement; 1 turn undone.\n")
        assert "Mordor" not in bytes(mail).decode()
        assert str(mail["List-Unsubscribe"]).endswith("kind=ruling>")


@pytest.mark.parametrize(
    ("now", "first", "last", "told"),
    [
        ("2026-11-23T12:00", 22, 7, "2026-11-23T12:00"),
        ("2026-11-23T21:30", 22, 7, "2026-11-24T06:00"),
        ("2026-11-24T05:59", 22, 7, "2026-11-24T06:00"),
        ("2026-11-24T06:00", 22, 7, "2026-11-24T06:00"),
        ("2026-11-23T12:00", 12, 15, "2026-11-23T14:00"),
        ("2026-11-23T12:00", 5, 5, "2026-11-23T12:00"),
        ("2026-03-28T23:00", 22, 7, "2026-03-29T05:00"),  # the clocks go forward in that night
    ],
)
def test_nothing_is_mailed_in_quiet_hours(now: str, first: int, last: int, told: str) -> None:
    preferences = Preferences(quiet_from=first, quiet_until=last, zone="Europe/Berlin")
    found = at_once_or_later(preferences, datetime.fromisoformat(now).replace(tzinfo=UTC))
    assert found == datetime.fromisoformat(told).replace(tzinfo=UTC)


def test_mail_reaches_a_mail_server(table: Table) -> None:
    came: list[Any] = []

    class Handler:
        async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802  # its library's name
            came.append(envelope)
            return "250 OK"

    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        port = door.getsockname()[1]
    controller = Controller(Handler(), hostname="127.0.0.1", port=port)
    controller.start()
    try:
        table.mail = Outgoing(Smtp("127.0.0.1", port), "https://plenipo.example")
        table.write("France", "Italy")
        table.clock.time += timedelta(minutes=10)
        send_due(table.service.store, table.mail, table.clock)
    finally:
        controller.stop()
    assert "ben@example.org" in [one.rcpt_tos[0] for one in came]
    ids = [re.search(rb"^Message-ID: <(\w+)@", one.content, re.MULTILINE) for one in came]
    assert len({found[1] for found in ids if found}) == len(came)


def test_a_calendar_has_your_deadlines_at_an_address_that_cannot_be_guessed(table: Table) -> None:
    token = table.service.store.of(NotificationStore).preferences(table.people["France"]).calendar
    with TestClient(create_app(table.service, loops="none")) as client:
        answer = client.get(f"/calendar/{token}.ics")
        assert client.get("/calendar/guessed.ics").status_code == 404
    events: list[Any] = list(Calendar.from_ical(answer.content).walk("VEVENT"))
    assert [str(event["SUMMARY"]) for event in events] == ["Quai: Spring 1901 movement"]
    assert events[0]["DTSTART"].dt == table.service.games.load(table.game.id).press_table.due
    assert len(events[0].walk("VALARM")) == 1


# Webhooks


@dataclass
class Receiver:
    """A server of our own that takes what is posted, or sends one elsewhere."""

    port: int
    came: list[tuple[str, bytes]]
    poster: Poster
    status: list[int]
    headers: list[dict[str, str]] = field(default_factory=list)
    slow: list[bool] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}/hook?x=1"


@pytest.fixture
def receiver(tmp_path: Path) -> Iterator[Receiver]:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subject = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
    made = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", str(key))
    subprocess.run([*made, "-out", str(certificate), *subject], check=True, capture_output=True, timeout=LIMIT)  # noqa: S603
    came: list[tuple[str, bytes]] = []
    status = [204]
    headers: list[dict[str, str]] = []
    slow: list[bool] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # its library's name
            headers.append({name.lower(): value for name, value in self.headers.items()})
            came.append((self.path, self.rfile.read(int(self.headers["content-length"]))))
            for _ in range(600 if slow else 0):
                try:
                    self.wfile.write(b"H")
                except OSError:
                    return
                time.sleep(0.1)
            self.send_response(status[0])
            self.send_header("location", "https://localhost/elsewhere")
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    trusting = ssl.create_default_context(cafile=str(certificate))
    yield Receiver(server.server_address[1], came, Poster(trusting, private=True), status, headers, slow)
    server.shutdown()
    server.server_close()


def test_a_game_tells_a_webhook_of_its_turns_with_a_picture_and_no_secrets(table: Table, receiver: Receiver) -> None:
    table.service.store.of(NotificationStore).set_hook(table.game.id, receiver.url)
    table.mail = Outgoing(
        table.inbox,
        "https://plenipo.example",
        poster=receiver.poster,
        picture=lambda _game, turn: f"PNG {turn}".encode(),
    )
    table.write("France", "Italy", "Mordor")
    table.process()
    table.sent()
    ((path, body),) = receiver.came
    secret = base64.b64decode(
        table.service.store.of(NotificationStore).hook_secret(table.game.id).removeprefix("whsec_")
    )
    sent = receiver.headers[0]
    signed = f"{sent['webhook-id']}.{sent['webhook-timestamp']}.".encode() + body
    signature = base64.b64encode(hmac.digest(secret, signed, "sha256")).decode()
    assert sent["webhook-signature"] == f"v1,{signature}"
    assert sent["webhook-timestamp"] == str(int(table.clock.time.timestamp()))
    assert path == "/hook?x=1"
    assert b"PNG 1" in body
    message = json.loads(body.split(b"\r\n\r\n")[1].split(b"\r\n--")[0])
    assert message["content"].startswith("**Quai**: ")
    assert f"https://plenipo.example/games/{table.game.id}" in message["content"]
    assert message["allowed_mentions"] == {"parse": []}
    assert b"Mordor" not in body
    assert not any(name.encode() in body for name in ("Anna", "Ben", "Cleo"))


def test_a_webhook_that_sends_one_elsewhere_is_given_up(receiver: Receiver) -> None:
    receiver.status[0] = 302
    with pytest.raises(HookRefusedError, match="answered with a redirect"):
        receiver.poster.send(receiver.url, "{}", "1")
    receiver.status[0] = 500
    with pytest.raises(OSError, match="answered 500"):
        receiver.poster.send(receiver.url, "{}", "1")
    receiver.status[0] = 404
    with pytest.raises(HookRefusedError, match="refuses messages"):
        receiver.poster.send(receiver.url, "{}", "1")


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/hook",
        "https://user:secret@example.org/hook",
        "ftp://example.org",
        "https:///path",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://example.org:99999/",
        "https://localhost/hook",
        "https://127.0.0.1/hook",
        "https://[::1]/hook",
        "https://[::ffff:127.0.0.1]/hook",
        "https://10.0.0.1/hook",
        "https://169.254.169.254/latest/meta-data",
        "https://0.0.0.0/hook",
        "https://[64:ff9b::7f00:1]/hook",
        "https://[64:ff9b:1::a00:1]/hook",
        "https://[::7f00:1]/hook",
        "https://[fec0::1]/hook",
        "https://[3fff::1]/hook",
        "https://[5f00::1]/hook",
        "https://[2002:7f00:1::1]/hook",
    ],
)
def test_nothing_is_sent_into_our_own_network(url: str) -> None:
    with pytest.raises(HookRefusedError):
        Poster().send(url, "{}", "1")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("https://1.1.1.1/é", "has the character 'é'"),
        ("https://example.org/a b", "has the character ' '"),
        ("https://bücher.example/", "has the character 'ü'"),
        (f"https://{'a' * 64}.example.org/", "is not the name of a server"),
        ("https://a..example.org/", "is not the name of a server"),
        ("https://-a.example.org/", "is not the name of a server"),
        ("https://example.org:8443/hook", "names port 8443"),
        ("https://10.0.0.1/hook", "is in a private network"),
        ("https://user@example.org/", "begin with https://"),
        ("https://example.org/\r\nX: y", "has the character"),
        ("https://[1::2/", "is not a web address"),
    ],
)
def test_an_address_that_could_not_be_sent_to_is_refused_when_it_is_entered(url: str, words: str) -> None:
    with pytest.raises(HookRefusedError, match=re.escape(words)):
        check_address(url)


@given(st.text(max_size=90) | st.text("aé.:/[]@%-\\x00\n 127", max_size=60).map(lambda text: f"https://{text}"))
def test_whatever_is_entered_as_an_address_is_taken_or_refused_in_a_sentence(url: str) -> None:
    with suppress(HookRefusedError):
        host, port, path = check_address(url)
        http.client.HTTPSConnection(host, port)
        assert port == 443
        assert f"{host}{path}".isascii()


def test_a_receiver_that_answers_a_byte_at_a_time_is_cut_off(receiver: Receiver) -> None:
    receiver.slow.append(True)
    with pytest.raises(OSError, match=r"did not answer|closed|timed out|EOF|violation"):
        replace(receiver.poster, altogether=0.5).send(receiver.url, "{}", "1")


def test_a_slow_lookup_of_a_name_counts_for_the_time_of_a_post(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_up, elapsed = socket.getaddrinfo, [0.0]

    def look_up_slowly(*arguments: Any, **more: Any) -> Any:
        elapsed[0] += 100
        return look_up(*arguments, **more)

    monkeypatch.setattr(webhooks, "seconds", lambda: elapsed[0], raising=False)
    monkeypatch.setattr(socket, "getaddrinfo", look_up_slowly)
    with pytest.raises(OSError, match="takes too long"):
        receiver.poster.send(receiver.url, "{}", "1")
    assert receiver.came == []


def test_a_name_that_leads_inside_after_all_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    addresses = [(0, 0, 0, "", ("93.184.215.14", 443)), (0, 0, 0, "", ("192.168.0.7", 443))]
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: addresses)
    with pytest.raises(HookRefusedError, match="a private network"):
        Poster().send("https://rebinding.example/hook", "{}", "1")
    assert public("93.184.215.14")
    assert not public("fe80::1%eth0")


def test_only_the_host_says_where_a_game_tells_of_itself(table: Table) -> None:
    with TestClient(create_app(table.service, loops="none"), follow_redirects=False) as client:
        address, data = f"/games/{table.game.id}/hook", {"url": "https://discord.com/api/webhooks/1/x"}
        assert client.post(address, data=data).status_code == 401
        client.get(f"/games/{table.game.id}/sit/{table.game.all_seats}")
        assert client.post(address, data=data).status_code == 303
        assert table.service.store.of(NotificationStore).hook(table.game.id) == data["url"]
        assert client.post(address, data={"url": "http://inside/"}).status_code == 422
        assert client.post(address, data={"url": ""}).status_code == 303
        assert table.service.store.of(NotificationStore).hook(table.game.id) == ""

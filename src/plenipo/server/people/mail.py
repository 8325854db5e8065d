"""The outbox: how mail leaves the server, by SMTP or into a folder; and the loop that sends all posts."""

import asyncio
import json
import logging
import os
import smtplib
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from functools import partial
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from starlette.concurrency import run_in_threadpool

from plenipo import languages
from plenipo.engine.history.sentence_json import decode_sentence
from plenipo.errors import PlenipoError
from plenipo.server.clock import Clock, seconds
from plenipo.server.observer import POST, Watcher
from plenipo.server.people.digest import daily
from plenipo.server.people.webhooks import HookRefusedError, Poster, WebhookSignature
from plenipo.server.store import HERE, Store, StoredPost
from plenipo.server.store.notifications import DAY, LANGUAGE, LONGEST, SENTENCES, NotificationStore
from plenipo.server.store.persons import Persons
from plenipo.server.store.subscriptions import Subscriptions
from plenipo.server.texts import translate, using_language

__all__ = [
    "ElsewhereSender",
    "MailError",
    "MailFolder",
    "Mailer",
    "Outgoing",
    "Smtp",
    "mailer_of",
    "send_due",
    "send_elsewhere",
    "send_for_ever",
    "send_mail",
]

_LOG = logging.getLogger("plenipo.server")

SENDER = "Plenipo <plenipo@localhost>"
"""The default sender, without `PLENIPO_SENDER`."""

AGAIN = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=3), timedelta(hours=12))
"""The delays before further attempts to send mail."""

LOOK = 1.0
"""The seconds between two checks of the outbox."""

PATIENCE = 30
"""The seconds a mail server may take to answer."""

MOST_MAIL = 50
"""The most mails of one check."""

LONGEST_HOOK = 1900
"""The most characters of a message to a webhook; Discord takes 2000."""

AT_ONCE = 8
"""The most posts that are sent to webhooks and browsers at the same time, each to another receiver."""

AT_ONCE_SLOW = 2
"""The most of them that go to receivers that were slow before."""

SLOW = 5.0
"""The seconds after which a receiver is slow."""

MOST_SLOW = 10_000
"""The most slow receivers that are remembered."""

ROUND = 10.0
"""The seconds for which a round takes posts to webhooks and browsers; those to slow receivers go on in the next."""

PORTS = {"smtp": 587, "smtps": 465}


class MailError(PlenipoError):
    """The settings for sending mail are invalid."""


class Mailer(Protocol):
    """A way for mail to leave the server."""

    def send(self, message: EmailMessage) -> None:
        """Send mail; raise `OSError` if that is impossible now."""


@dataclass(frozen=True)
class MailFolder:
    """Mail as files, for a server without a mail server: one `.eml` a mail; if `shown`, its text on the console too."""

    path: Path
    shown: bool = False

    def send(self, message: EmailMessage) -> None:
        """Write the mail into the folder."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = str(message["Message-ID"]).strip("<>").partition("@")[0]
        file = self.path / f"{name}.eml"
        with open(file, "wb", opener=_for_its_owner) as written:
            written.write(bytes(message))
        if self.shown:
            _LOG.warning("Mail to %s, in %s: %s\n%s", message["To"], file, message["Subject"], message.get_content())
        else:
            _LOG.warning("A mail was written to %s.", file)


def _for_its_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


@dataclass(frozen=True)
class Smtp:
    """A mail server, with a secured connection unless it is on this machine."""

    host: str
    port: int
    user: str = ""
    password: str = ""
    secured: bool = False

    def send(self, message: EmailMessage) -> None:
        """Give the mail to the server."""
        context = ssl.create_default_context()
        try:
            if self.secured:
                server: smtplib.SMTP = smtplib.SMTP_SSL(self.host, self.port, timeout=PATIENCE, context=context)
            else:
                server = smtplib.SMTP(self.host, self.port, timeout=PATIENCE)
            with server:
                if not self.secured and self.host not in {"localhost", "127.0.0.1", "::1"}:
                    server.starttls(context=context)
                if self.user:
                    server.login(self.user, self.password)
                server.send_message(message)
        except smtplib.SMTPException as fault:
            raise OSError(str(fault)) from fault


def mailer_of(environment: Mapping[str, str], folder: Path, *, shown: bool = False) -> Mailer:
    """Return the mailer that `PLENIPO_SMTP` names, `smtp://user:password@host:port` or `smtps://…`; else the folder.

    With `shown`, mail in the folder is printed on the console too. Raise `MailError`.
    """
    text = environment.get("PLENIPO_SMTP", "")
    if not text:
        return MailFolder(folder, shown)
    try:
        parts = urlsplit(text)
        port = parts.port or PORTS[parts.scheme]
    except (KeyError, ValueError):
        parts, port = urlsplit(""), 0
    if not parts.hostname:
        raise MailError("PLENIPO_SMTP is not an address of a mail server; write smtp://user:password@host:587.")
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return Smtp(parts.hostname, port, user, password, secured=parts.scheme == "smtps")


@dataclass(frozen=True)
class Outgoing:
    """The senders of posts: mailer, poster, sender address, and the address of the server."""

    mailer: Mailer
    address: str
    sender: str = SENDER
    poster: Poster = field(default_factory=Poster)
    picture: Callable[[str, str], bytes] = lambda _game, _turn: b""
    """The picture of a game after a number of turns, empty if none can be drawn."""


def message_of(post: StoredPost, clock: Clock, mail: Outgoing) -> EmailMessage:
    """Return a post as mail; its id is the same in every attempt."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = mail.sender, post.to, post.subject
    message["Date"] = format_datetime(clock.now())
    message["Message-ID"] = f"<{post.id}@plenipo>"
    message["Auto-Submitted"] = "auto-generated"
    if thread := post.headers.get("thread"):
        message["References"] = message["In-Reply-To"] = f"<game-{thread}@plenipo>"
    if leave := post.headers.get("unsubscribe"):
        message["List-Unsubscribe"] = f"<{mail.address.rstrip('/')}{leave}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(post.body.replace(HERE, mail.address.rstrip("/")))
    return message


def _connect_nowhere() -> None:
    """Do nothing when a post is about to leave the server."""


def send(
    store: Store, mail: Outgoing, post: StoredPost, clock: Clock, connect: Callable[[], None] = _connect_nowhere
) -> None:
    """Send one post through its channel; call `connect` before a connection to a webhook or browser is opened.

    Raise `HookRefusedError` if it can never be sent, and `OSError` if it cannot be sent now.
    """
    with using_language(_language_of(store, post)):
        _send(store, mail, translate_post(post), clock, connect)


def _language_of(store: Store, post: StoredPost) -> str:
    """Return the language of a post: the one it names, else that of the account that it goes to, else English."""
    language = post.headers.get(LANGUAGE) or (store.of(NotificationStore).language(post.person) if post.person else "")
    return language if language in languages.available() else languages.ENGLISH


def translate_post(post: StoredPost) -> StoredPost:
    """Return a post with its subject and body in the current language."""
    if SENTENCES not in post.headers:
        return post
    subject, body = (translate(decode_sentence(one)) for one in json.loads(post.headers[SENTENCES]))
    return replace(post, subject=subject[:LONGEST], body=body)


def _send(store: Store, mail: Outgoing, post: StoredPost, clock: Clock, connect: Callable[[], None]) -> None:
    if post.kind == DAY:
        person = post.person or ""
        made = daily(post, store.of(Persons).games(person), store.of(NotificationStore).preferences(person).zone)
        if made is None:
            return
        post = made
    if post.kind == "hook":
        body = _hook_body(post).replace(HERE, mail.address.rstrip("/"))
        picture = mail.picture(post.game or "", post.subject) if post.subject else b""
        secret = post.headers.get("secret", "")
        sign = WebhookSignature(secret, clock.now()) if secret else None
        connect()
        mail.poster.send(post.to, body, post.id, picture, sign)
    elif post.headers.get("way") == "push":
        connect()
        _push(store, mail, post, clock)
    else:
        mail.mailer.send(message_of(post, clock, mail))


def _hook_body(post: StoredPost) -> str:
    """Return the message of a webhook as JSON, in the form that Discord reads."""
    return json.dumps({"content": post.body[:LONGEST_HOOK], "allowed_mentions": {"parse": []}})


def _push(store: Store, mail: Outgoing, post: StoredPost, clock: Clock) -> None:
    """Send a post to a browser, if its subscription still exists."""
    from plenipo.server.people.push import PUSH_KEY, GoneError, Signer, new_key, push  # noqa: PLC0415  # loads OpenSSL

    to = store.of(Subscriptions).find(post.to)
    if to is None:
        return
    contact = mail.address if mail.address.startswith("https:") else f"mailto:{parseaddr(mail.sender)[1]}"
    signer = Signer(store.of(Subscriptions).own_key(PUSH_KEY, new_key), contact)
    try:
        push(mail.poster, to, post, signer, clock.now())
    except GoneError:
        store.of(Subscriptions).drop(post.to)


def send_mail(store: Store, mail: Outgoing, clock: Clock) -> int:
    """Send due mail, one after the other; return the number sent."""
    done = 0
    for _ in range(MOST_MAIL):
        taken = store.of(Persons).take_posts(clock.now(), 1, mail_only=True)
        if not taken:
            break
        done += _attempt(store, mail, clock, *taken[0])
    return done


class ElsewhereSender:
    """Sends the posts to webhooks and browsers, to several receivers at the same time.

    People enter their addresses: deliberately slow ones must delay no other post, and no mail. So there is one post
    at a time for a receiver (`receiver_of`), receivers that were slow share `AT_ONCE_SLOW` threads, and posts to others
    are taken while one of these is waited for.
    """

    def __init__(self, store: Store, mail: Outgoing, clock: Clock) -> None:
        self._attempt = partial(_attempt, store, mail, clock)
        self._store, self._clock = store, clock
        self._threads = ThreadPoolExecutor(AT_ONCE)
        self._busy: dict[Future[bool], str] = {}
        self._connected: dict[str, float] = {}
        self._slow: dict[str, None] = {}
        self._guard = threading.Lock()
        self._closed = False

    @property
    def busy(self) -> frozenset[str]:
        """The receivers to which posts are being sent."""
        return frozenset(self._busy.values())

    def send(self) -> int:
        """Send due posts until none is left or the round is over; return the number sent."""
        done, ends = 0, seconds() + ROUND
        while self._take():
            done += self._wait()
            if seconds() >= ends:
                break
        return done

    def finish(self) -> int:
        """Wait for the posts that are being sent, take no others, and return the number sent."""
        self.close()
        done = 0
        while self._busy:
            done += self._wait()
        return done

    def close(self) -> None:
        """Wait for the posts that are being sent, and take no others."""
        with self._guard:
            self._closed = True
        self._threads.shutdown()

    def _take(self) -> bool:
        """Take posts for the free threads; return whether any post is being sent."""
        with self._guard:
            free = 0 if self._closed else AT_ONCE - len(self._busy)
            if free:
                for receiver, since in tuple(self._connected.items()):
                    if seconds() - since > SLOW:
                        self._slow.setdefault(receiver)
                busy = self.busy
                most_slow = AT_ONCE_SLOW - len(busy & self._slow.keys())
                persons = self._store.of(Persons)
                taken = persons.take_posts_elsewhere(self._clock.now(), free, busy, self._slow, most_slow)
                for receiver, post, tries in taken:
                    connect = partial(self._connect, receiver)
                    self._busy[self._threads.submit(self._attempt, post, tries, connect)] = receiver
        return bool(self._busy)

    def _wait(self) -> int:
        """Wait a moment for a post that is being sent; return the number sent."""
        done = 0
        for ended in wait(self._busy, LOOK, FIRST_COMPLETED).done:
            receiver = self._busy.pop(ended)
            since = self._connected.pop(receiver, None)
            if since is not None:
                self._note_time(receiver, seconds() - since)
            done += ended.result()
        return done

    def _connect(self, receiver: str) -> None:
        """Note the instant at which a receiver begins to keep a thread waiting, which drawing a picture is not."""
        self._connected[receiver] = seconds()

    def _note_time(self, receiver: str, took: float) -> None:
        """Remember a receiver that is slow, and forget one that is not."""
        if took <= SLOW:
            self._slow.pop(receiver, None)
        else:
            self._slow.setdefault(receiver)
        while len(self._slow) > MOST_SLOW:
            del self._slow[next(iter(self._slow))]


def send_elsewhere(store: Store, mail: Outgoing, clock: Clock) -> int:
    """Send the due posts to webhooks and browsers, and wait for their end; return the number sent."""
    sender = ElsewhereSender(store, mail, clock)
    return sender.send() + sender.finish()


def send_due(store: Store, mail: Outgoing, clock: Clock) -> int:
    """Send all due posts; return the number sent."""
    return send_mail(store, mail, clock) + send_elsewhere(store, mail, clock)


def _attempt(
    store: Store,
    mail: Outgoing,
    clock: Clock,
    post: StoredPost,
    tries: int,
    connect: Callable[[], None] = _connect_nowhere,
) -> bool:
    """Try to send one post; after any failure it is tried again later, and finally given up."""
    try:
        send(store, mail, post, clock, connect)
    except HookRefusedError as fault:
        _LOG.warning("post %s is given up: %s", post.id, fault, extra={POST: post.id})
        store.of(Persons).try_again(post.id, None)
    except Exception as fault:  # noqa: BLE001  # no post may keep the others from being sent
        at = clock.now() + AGAIN[tries] if tries < len(AGAIN) else None
        words = "post %s cannot be sent now: %s" if at else "post %s cannot be sent and is given up: %s"
        unforeseen = None if isinstance(fault, OSError) else fault
        _LOG.log(
            logging.ERROR if unforeseen else logging.WARNING,
            words,
            post.id,
            fault,
            extra={POST: post.id},
            exc_info=unforeseen,
        )
        store.of(Persons).try_again(post.id, at)
    else:
        store.of(Persons).mark_sent(post.id, clock.now())
        return True
    return False


async def send_for_ever(store: Store, mail: Outgoing, clock: Clock, watchers: Sequence[Watcher] = ()) -> None:
    """Run the loops that send posts, for ever; they do not wait for each other, and metrics name them."""
    elsewhere = ElsewhereSender(store, mail, clock)
    try:
        await asyncio.gather(
            _send_for_ever("posts", partial(send_mail, store, mail, clock), watchers),
            _send_for_ever("hooks", elsewhere.send, watchers),
        )
    finally:
        await run_in_threadpool(elsewhere.close)


async def _send_for_ever(name: str, send_posts: Callable[[], int], watchers: Sequence[Watcher]) -> None:
    while True:
        began = seconds()
        try:
            done = await run_in_threadpool(send_posts)
            for watcher in watchers:
                watcher.record_check(name, done, seconds() - began)
        except Exception:  # noqa: BLE001  # whatever it was, the sending must go on
            _LOG.exception("cannot look for posts to be sent")
        await asyncio.sleep(LOOK)

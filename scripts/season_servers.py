"""The servers of a season: processes that process due games, answer players and send mail, and their killing."""

import json
import os
import signal
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import Column, Engine, MetaData, Table, select
from sqlalchemy.exc import SQLAlchemyError

from plenipo import library
from plenipo.bots import votes
from plenipo.errors import PlenipoError
from plenipo.server.boards import StoreShelf
from plenipo.server.broker import Broker
from plenipo.server.gm_tools import GmTools
from plenipo.server.hosted_game import from_stored
from plenipo.server.people.mail import Outgoing, send_due
from plenipo.server.people.webhooks import Poster
from plenipo.server.service import GameService
from plenipo.server.store import GameChange, Store, StoredGame, schema
from plenipo.server.store.persons import Persons
from plenipo.server.warm_up import Warming
from plenipo.server.worker import Worker
from season_devices import DEVICE
from season_live import LIVE_STEP, noted

__all__ = [
    "FORK",
    "REMOVED_POSTS",
    "START",
    "STEP",
    "Careless",
    "Servers",
    "SharedClock",
    "keep_removed_posts",
    "opened_store",
]

START = datetime(2026, 10, 19, 8, tzinfo=UTC)
"""A week before the clocks of Europe change, and two before those of America do."""

STEP = timedelta(minutes=15)
"""The step of the clock."""

FORK = get_context("fork")
"""Servers are forked, so that each starts quickly."""


@dataclass
class SharedClock:
    """A clock that all processes of the season read, and one sets.

    It has no lock: a process killed while it reads would hold the lock for ever.
    """

    start: datetime = START
    step: timedelta = STEP
    seconds: Any = field(default_factory=lambda: FORK.Value("d", 0.0, lock=False))

    def now(self) -> datetime:
        """Return the present instant of the season."""
        return self.start + timedelta(seconds=self.seconds.value)

    def go_on(self) -> None:
        """Move the clock by a step."""
        self.seconds.value += self.step.total_seconds()


class Careless(Warming):
    """Warm-up without work: every computer player of a season is `careless`, and agrees to every end of a game."""

    def __init__(self) -> None:
        super().__init__()
        votes.agrees = lambda *_: True

    def start_if_needed(self, computers: Iterable[str]) -> None:
        """Compile nothing."""

    def player(self, name: str) -> str:  # noqa: ARG002  # the same for every name
        """Return the level that plays in place of a computer."""
        return "careless"


class WatchedStore(Store):
    """A store that logs, for every phase that ends, the record entry it is to end with and its state before.

    The entry is logged before it is written, so that no kill can hide it; its completion is logged afterwards.
    """

    log = Path()
    live = False
    """True to log the state of a game before each change, in a season of live games."""

    def change(self, game: str, revision: int, change: GameChange, now: datetime) -> bool:
        """Carry out a change, and note it if a phase ends with it."""
        before = self.read(game, whole=False) if change.history is not None or self.live else None
        if before is None or before.revision != revision:
            return super().change(game, revision, change, now)
        if self.live:
            self._note_live(before)
        if change.history is None:
            return super().change(game, revision, change, now)
        self._note({"will": game, "phase": before.phase_number, "keep": change.history.keep})
        timed = from_stored(before, lambda *_: self.turns(game, *_)).timed_game
        done = super().change(game, revision, change, now)
        if done and timed is not None:
            entries = change.history.record.get("entries", ())
            line = {
                "game": game,
                "phase": before.phase_number,
                "now": now.timestamp(),
                "due": timed.phase.due.timestamp() if timed.phase.due else None,
                "cool": timed.phase.cool_until.timestamp() if timed.phase.cool_until else None,
                "state": timed.state.value,
                "not_ready": len(timed.not_ready),
                "awaited": sum(seat.is_awaited for seat in timed.seats.values()),
                "by_hand": not entries or "ruling" in entries[0] or change.history.over,
            }
            self._note(line)
        return done

    def _note_live(self, stored: StoredGame) -> None:
        timed = from_stored(stored, lambda *_: self.turns(stored.id, *_)).timed_game
        games = schema.games
        with self.engine.connect() as connection:
            here = select(games.c.changed).where(games.c.id == stored.id, games.c.revision == stored.revision)
            changed = connection.execute(here).scalar_one_or_none()
        if timed is not None and changed is not None:
            self._note({"live": stored.id, **noted(timed, stored.revision, changed)})

    def _note(self, line: Any) -> None:
        with self.log.open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")

    def time(self) -> None:
        """Leave timing out: the season has its own clock."""


REMOVED_POSTS = Table("removed_posts", MetaData(), *[Column(one.name, one.type) for one in schema.posts.columns])
"""The posts that the servers removed, because they were sent long ago or to a guest who is gone."""


def keep_removed_posts(engine: Engine) -> None:
    """Have the database copy every post that is removed, so that the judge sees it."""
    REMOVED_POSTS.create(engine)
    names = [engine.dialect.identifier_preparer.quote(one.name) for one in REMOVED_POSTS.columns]
    copied = f"INSERT INTO removed_posts ({', '.join(names)}) VALUES ({', '.join(f'OLD.{name}' for name in names)});"  # noqa: S608  # our own names
    before = "CREATE TRIGGER keep_removed_posts BEFORE DELETE ON posts"
    if engine.dialect.name == "sqlite":
        statements = [f"{before} BEGIN {copied} END"]
    else:
        body = f"$$ BEGIN {copied} RETURN OLD; END $$"
        statements = [
            f"CREATE FUNCTION keep_removed_post() RETURNS trigger LANGUAGE plpgsql AS {body}",
            f"{before} FOR EACH ROW EXECUTE FUNCTION keep_removed_post()",
        ]
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


def opened_store(address: str, folder: Path, clock: SharedClock) -> Store:
    """Open the store in a process of the season."""
    store = WatchedStore(address)
    store.log, store.live = folder / "processed", clock.step == LIVE_STEP
    store.of(Persons).left_of_sent = {}  # the judge compares the posts sent with the notices
    library.keep_boards(StoreShelf(store, clock))
    return store


@dataclass(frozen=True)
class Receiver(Poster):
    """A receiver of mail, webhooks and web push: it logs the id, recipient, subject and time of each, a line each.

    A push service answers that a device is unknown if its address ends in `gone`.
    """

    path: Path = Path()
    clock: SharedClock = field(default_factory=SharedClock)

    def send(self, message: EmailMessage | str, *rest: Any) -> None:  # mail and webhooks
        """Take a mail, or the address, body and id of a webhook post."""
        if isinstance(message, str):
            line = {"id": rest[1], "to": message, "subject": "", "body": rest[0]}
        else:
            name = str(message["Message-ID"]).strip("<>").partition("@")[0]
            line = {"id": name, "to": message["To"], "subject": message["Subject"], "body": message.get_content()}
        self._note(line)

    def deliver(self, url: str, content: bytes, headers: Mapping[str, str], longest: int = 0) -> int:  # noqa: ARG002
        """Take a push message for a device, and decrypt it as the device does."""
        said = DEVICE.opened(content)
        self._note({"id": said["id"], "to": url, "subject": said["title"], "body": said["body"]})
        return 410 if url.endswith("gone") else 201

    def _note(self, line: dict[str, Any]) -> None:
        line["now"] = self.clock.now().timestamp()
        with self.path.open("a", encoding="utf-8") as received:
            received.write(json.dumps(line) + "\n")


def look_for_ever(address: str, folder: Path, clock: SharedClock) -> None:
    """Process due games and send mail, until this process is killed."""
    store = opened_store(address, folder, clock)
    worker = Worker(GameService(store, Broker(), clock, Careless()))
    receiver = Receiver(path=folder / "received", clock=clock)
    mail = Outgoing(receiver, "https://games.example", poster=receiver)
    while True:
        try:
            if not worker.look() and not send_due(store, mail, clock):
                time.sleep(0.004)
        except (SQLAlchemyError, OSError):  # the database is away; the driver may say so in its own way
            time.sleep(0.1)


def answer_for_ever(address: str, folder: Path, clock: SharedClock, questions: Connection) -> None:
    """Answer requests of players, until this process is killed."""
    service = GameService(opened_store(address, folder, clock), Broker(), clock, Careless())
    # so that one name finds everything
    service.gm_tools = GmTools(service)  # type: ignore[attr-defined]
    service.persons = service.store.of(Persons)  # type: ignore[attr-defined]
    while True:
        name, arguments = questions.recv()
        try:
            questions.send(("done", attrgetter(name)(service)(*arguments)))
        except PlenipoError as refusal:
            questions.send(("refused", f"{type(refusal).__name__}: {refusal}"))


@dataclass
class Servers:
    """The processes of the season, two workers and two that answer requests; any may be killed at any moment."""

    address: str
    folder: Path
    clock: SharedClock
    chance: Random
    deadly: float
    lookers: list[BaseProcess | None] = field(default_factory=lambda: [None, None])
    answerers: list[tuple[BaseProcess, Connection] | None] = field(default_factory=lambda: [None, None])
    kills: int = 0

    def start(self) -> None:
        """Start the processes that do not run."""
        given = (self.address, self.folder, self.clock)
        for place, looker in enumerate(self.lookers):
            if looker is None:
                process = FORK.Process(target=look_for_ever, args=given, daemon=True)
                process.start()
                self.lookers[place] = process
        for place, answerer in enumerate(self.answerers):
            if answerer is None:
                line, other = FORK.Pipe()
                answering = FORK.Process(target=answer_for_ever, args=(*given, other), daemon=True)
                answering.start()
                other.close()
                self.answerers[place] = answering, line

    def kill_looker(self, place: int) -> None:
        """Kill a worker without warning."""
        if (process := self.lookers[place]) is not None:
            self._kill(process)
            self.lookers[place] = None

    def kill_answerer(self, place: int) -> None:
        """Kill an answering process without warning."""
        if (answerer := self.answerers[place]) is not None:
            self._kill(answerer[0])
            answerer[1].close()
            self.answerers[place] = None

    def _kill(self, process: BaseProcess) -> None:
        with suppress(ProcessLookupError, TypeError):
            os.kill(process.pid, signal.SIGKILL)  # type: ignore[arg-type]  # it was started
        process.join()
        self.kills += 1

    def end(self) -> None:
        """Kill them all."""
        kills = self.kills
        for place in range(2):
            self.kill_looker(place)
            self.kill_answerer(place)
        self.kills = kills

    @property
    def looking(self) -> bool:
        """Tell whether a worker runs."""
        return any(looker is not None for looker in self.lookers)

    def ask(self, name: str, *arguments: object) -> tuple[str, Any]:
        """Return the answer of a process: done, refused, or gone if it was killed and the result is unknown."""
        place = self.chance.randrange(2)
        if self.answerers[place] is None:
            self.start()
        answerer = self.answerers[place]
        assert answerer is not None  # noqa: S101  # started above
        line = answerer[1]
        try:
            line.send((name, arguments))
            if self.chance.random() < self.deadly:
                if not line.poll(self.chance.random() * 0.03):
                    self.kill_answerer(place)
                    return "gone", None
                answer: tuple[str, Any] = line.recv()
                self.kill_answerer(place)
                return answer
            answer = line.recv()
        except (EOFError, OSError):
            self.kill_answerer(place)
            return "gone", None
        return answer

    def certainly(self, name: str, *arguments: object) -> tuple[str, Any]:
        """Ask until a process lives to answer."""
        ask: Callable[[], tuple[str, Any]] = partial(self.ask, name, *arguments)
        while (answer := ask())[0] == "gone":
            pass
        return answer

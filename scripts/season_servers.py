"""The servers of a season: processes that look for due games, answer people and send mail, and whoever kills them."""

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

from sqlalchemy import select
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
from plenipo.server.warm_up import Warming
from plenipo.server.worker import Worker
from season_devices import DEVICE
from season_live import LIVE_STEP, noted

__all__ = ["FORK", "START", "STEP", "Careless", "Servers", "SharedClock", "opened_store"]

START = datetime(2026, 10, 19, 8, tzinfo=UTC)
"""A week before the clocks of Europe change, and two before those of America do."""

STEP = timedelta(minutes=15)
"""How far the clock goes at once."""

FORK = get_context("fork")
"""Servers are forked, so that each starts in no time."""


@dataclass
class SharedClock:
    """A clock that all processes of the season look at, and one sets.

    It has no lock: a process that is killed while it looks would hold it for ever.
    """

    start: datetime = START
    step: timedelta = STEP
    seconds: Any = field(default_factory=lambda: FORK.Value("d", 0.0, lock=False))

    def now(self) -> datetime:
        """This instant of the season."""
        return self.start + timedelta(seconds=self.seconds.value)

    def go_on(self) -> None:
        """A step further."""
        self.seconds.value += self.step.total_seconds()


class Careless(Warming):
    """Nobody thinks ahead in a season: whoever plays for a computer is the careless one, and agrees to every end."""

    def __init__(self) -> None:
        super().__init__()
        votes.agrees = lambda *_: True

    def start_if_needed(self, computers: Iterable[str]) -> None:
        """Nothing is compiled."""

    def player(self, name: str) -> str:  # noqa: ARG002  # whoever it was
        """Who plays in place of a computer."""
        return "careless"


class WatchedStore(Store):
    """A store that logs, of every phase that ends, with which entry of the record it is to end and how it stood then.

    The entry is logged before it is written, so that no kill can hide it; that it was done is logged afterwards.
    """

    log = Path()
    live = False
    """Whether how a game stands is noted before each change: in a season of live games."""

    def change(self, game: str, revision: int, change: GameChange, now: datetime) -> bool:
        """Carry out a change, and note it if a phase ends with it."""
        before = self.read(game, whole=False) if change.record is not None or self.live else None
        if before is None or before.revision != revision:
            return super().change(game, revision, change, now)
        if self.live:
            self._note_live(before)
        if change.record is None:
            return super().change(game, revision, change, now)
        self._note({"will": game, "phase": before.phase_number, "keep": change.keep})
        timed = from_stored(before, lambda *_: self.turns(game, *_)).timed_game
        done = super().change(game, revision, change, now)
        if done and timed is not None:
            entries = (change.record or {}).get("entries", ())
            line = {
                "game": game,
                "phase": before.phase_number,
                "now": now.timestamp(),
                "due": timed.phase.due.timestamp() if timed.phase.due else None,
                "cool": timed.phase.cool_until.timestamp() if timed.phase.cool_until else None,
                "state": timed.state.value,
                "not_ready": len(timed.not_ready),
                "awaited": sum(seat.is_awaited for seat in timed.seats.values()),
                "by_hand": not entries or "ruling" in entries[0] or change.over,
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
        """The season has a clock of its own."""


def opened_store(address: str, folder: Path, clock: SharedClock) -> Store:
    """The store in a process of the season."""
    store = WatchedStore(address)
    store.log, store.live = folder / "processed", clock.step == LIVE_STEP
    store.persons.left_of_sent = {}  # the judge compares what was sent with what was to be told
    library.keep_boards(StoreShelf(store, clock))
    return store


@dataclass(frozen=True)
class Receiver(Poster):
    """Who gets mail, webhooks and web push: it notes of each its id, to whom it went, what about and when, a line each.

    Of the addresses of devices those that end in `gone` are no longer known to their push service.
    """

    path: Path = Path()
    clock: SharedClock = field(default_factory=SharedClock)

    def send(self, message: EmailMessage | str, *rest: Any) -> None:  # both kinds come here
        """Take a mail, or what a webhook is sent: its address, its body and its id."""
        if isinstance(message, str):
            line = {"id": rest[1], "to": message, "subject": "", "body": rest[0]}
        else:
            name = str(message["Message-ID"]).strip("<>").partition("@")[0]
            line = {"id": name, "to": message["To"], "subject": message["Subject"], "body": message.get_content()}
        self._note(line)

    def deliver(self, url: str, content: bytes, headers: Mapping[str, str], longest: int = 0) -> int:  # noqa: ARG002
        """Take what a device is sent, and read it as the device does."""
        said = DEVICE.opened(content)
        self._note({"id": said["id"], "to": url, "subject": said["title"], "body": said["body"]})
        return 410 if url.endswith("gone") else 201

    def _note(self, line: dict[str, Any]) -> None:
        line["now"] = self.clock.now().timestamp()
        with self.path.open("a", encoding="utf-8") as received:
            received.write(json.dumps(line) + "\n")


def look_for_ever(address: str, folder: Path, clock: SharedClock) -> None:
    """A process that does what is due and sends mail, until it is killed."""
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
    """A process that does what people ask for, until it is killed."""
    service = GameService(opened_store(address, folder, clock), Broker(), clock, Careless())
    service.gm_tools = GmTools(service)  # type: ignore[attr-defined]  # so that one name finds everything
    while True:
        name, arguments = questions.recv()
        try:
            questions.send(("done", attrgetter(name)(service)(*arguments)))
        except PlenipoError as refusal:
            questions.send(("refused", f"{type(refusal).__name__}: {refusal}"))


@dataclass
class Servers:
    """The processes of the season, two that look and two that answer; any of them may be killed at any moment."""

    address: str
    folder: Path
    clock: SharedClock
    chance: Random
    deadly: float
    lookers: list[BaseProcess | None] = field(default_factory=lambda: [None, None])
    gm_servers: list[tuple[BaseProcess, Connection] | None] = field(default_factory=lambda: [None, None])
    kills: int = 0

    def start(self) -> None:
        """Start what does not run."""
        given = (self.address, self.folder, self.clock)
        for place, looker in enumerate(self.lookers):
            if looker is None:
                process = FORK.Process(target=look_for_ever, args=given, daemon=True)
                process.start()
                self.lookers[place] = process
        for place, server in enumerate(self.gm_servers):
            if server is None:
                line, other = FORK.Pipe()
                answering = FORK.Process(target=answer_for_ever, args=(*given, other), daemon=True)
                answering.start()
                other.close()
                self.gm_servers[place] = answering, line

    def kill_looker(self, place: int) -> None:
        """Kill one that looks without a word."""
        if (process := self.lookers[place]) is not None:
            self._kill(process)
            self.lookers[place] = None

    def kill_gm_server(self, place: int) -> None:
        """Kill one that answers without a word."""
        if (server := self.gm_servers[place]) is not None:
            self._kill(server[0])
            server[1].close()
            self.gm_servers[place] = None

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
            self.kill_gm_server(place)
        self.kills = kills

    @property
    def looking(self) -> bool:
        """Whether anybody looks for due games."""
        return any(looker is not None for looker in self.lookers)

    def ask(self, name: str, *arguments: object) -> tuple[str, Any]:
        """What one that answers says: done, refused, or gone if it was killed meanwhile, so that nobody knows."""
        place = self.chance.randrange(2)
        if self.gm_servers[place] is None:
            self.start()
        server = self.gm_servers[place]
        assert server is not None  # noqa: S101  # started above
        line = server[1]
        try:
            line.send((name, arguments))
            if self.chance.random() < self.deadly:
                if not line.poll(self.chance.random() * 0.03):
                    self.kill_gm_server(place)
                    return "gone", None
                answer: tuple[str, Any] = line.recv()
                self.kill_gm_server(place)
                return answer
            answer = line.recv()
        except (EOFError, OSError):
            self.kill_gm_server(place)
            return "gone", None
        return answer

    def certainly(self, name: str, *arguments: object) -> tuple[str, Any]:
        """The same, asked until somebody lives to answer."""
        ask: Callable[[], tuple[str, Any]] = partial(self.ask, name, *arguments)
        while (answer := ask())[0] == "gone":
            pass
        return answer

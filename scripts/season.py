"""The season: computers play games of all variants by a clock of their own, and a judge keeps a ledger of every answer.

Run it with `python scripts/season.py --games 1000`. Two processes look for due games and a third takes orders; one of
them is killed again and again, and is away for a while. Some seats are late, absent for days or gone for good; keepers
move deadlines and pause; clocks change from summer to winter. What a server has acknowledged is written into a ledger,
and when each phase was processed into a log. At the end the judge counts what is missing, doubled, too early, or stands
without a name. The exit status is 1 if anything is wrong.
"""

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from typing import Any

from plenipo import library
from plenipo.bots import BOTS, orders_of
from plenipo.engine.history import record
from plenipo.engine.history.verify import verify, written
from plenipo.engine.position import Power
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.errors import PlenipoError
from plenipo.server.boards import StoreShelf
from plenipo.server.broker import Broker
from plenipo.server.host import Host
from plenipo.server.hosted import LINKS, Credentials, HostedGame, from_stored
from plenipo.server.hosting.schedule import DAYS, schedule_of
from plenipo.server.hosting.tick import GameState, TimeAct, waits_for
from plenipo.server.opening import NewGame
from plenipo.server.sheets import Edit
from plenipo.server.store import Change, Store
from plenipo.server.worker import Worker

Json = dict[str, Any]

START = datetime(2026, 10, 19, 8, tzinfo=UTC)
"""A week before the clocks of Europe change, and two before those of America do."""

STEP = timedelta(minutes=15)
"""How far the clock goes at once."""

ZONES = ("Europe/London", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kathmandu")
VARIANTS = ("standard", "standard", "1897", "corner", "cline", "napoleonic", "1897+corner", "irish")

GONE = timedelta(days=400)
"""How long somebody is away who does not come back."""

FORK = get_context("fork")
"""Servers are forked, so that each starts in no time."""


@dataclass
class SharedClock:
    """A clock that all processes of the season look at, and the judge sets."""

    seconds: Any = field(default_factory=lambda: FORK.Value("d", 0.0))

    def now(self) -> datetime:
        """This instant of the season."""
        return START + timedelta(seconds=self.seconds.value)

    def go_on(self) -> None:
        """A step further."""
        self.seconds.value += STEP.total_seconds()


class WatchedStore(Store):
    """A store that writes into a log when a phase was processed, and how it stood then."""

    log = Path()

    def change(self, game: str, revision: int, change: Change, now: datetime) -> bool:
        """Carry out a change, and note it if a phase was processed by it."""
        before = self.read(game, whole=False) if change.record is not None else None
        done = super().change(game, revision, change, now)
        if done and before is not None and before.revision == revision:
            timed = from_stored(before, lambda *_: self.turns(game, *_)).timed
            assert timed is not None  # noqa: S101  # every game of the season has a schedule
            line = {
                "game": game,
                "phase": before.phase_number,
                "now": now.timestamp(),
                "due": timed.phase.due.timestamp() if timed.phase.due else None,
                "cool": timed.phase.cool_until.timestamp() if timed.phase.cool_until else None,
                "state": timed.state.value,
                "not_ready": len(timed.not_ready),
            }
            with self.log.open("a", encoding="utf-8") as log:
                log.write(json.dumps(line) + "\n")
        return done

    def time(self) -> None:
        """The season has a clock of its own."""


def opened_store(address: str, folder: Path, clock: SharedClock) -> Store:
    """The store in a process of the season."""
    store = WatchedStore(address)
    store.log = folder / "processed"
    library.keep_boards(StoreShelf(store, clock))
    return store


# The servers


def look_for_ever(address: str, folder: Path, clock: SharedClock) -> None:
    """A process that does what is due, until it is killed."""
    os.nice(5)
    worker = Worker(Host(opened_store(address, folder, clock), Broker(), clock))
    while True:
        if not worker.look():
            time.sleep(0.004)


def answer_for_ever(address: str, folder: Path, clock: SharedClock, questions: Connection) -> None:
    """A process that takes orders and what keepers do, until it is killed."""
    host = Host(opened_store(address, folder, clock), Broker(), clock)
    while True:
        name, arguments = questions.recv()
        try:
            answer = getattr(host, name)(*arguments)
            questions.send(("done", answer if name in {"open", "hand_in"} else None))
        except PlenipoError as refusal:
            questions.send(("refused", f"{type(refusal).__name__}: {refusal}"))


@dataclass
class Servers:
    """The processes of the season; any of them may be killed at any moment."""

    address: str
    folder: Path
    clock: SharedClock
    lookers: list[BaseProcess | None] = field(default_factory=lambda: [None, None])
    desk: BaseProcess | None = None
    line: Connection | None = None
    kills: int = 0

    def start(self) -> None:
        """Start what does not run."""
        given = (self.address, self.folder, self.clock)
        for place, looker in enumerate(self.lookers):
            if looker is None:
                self.lookers[place] = FORK.Process(target=look_for_ever, args=given, daemon=True)
                self.lookers[place].start()  # type: ignore[union-attr]
        if self.desk is None:
            self.line, other = FORK.Pipe()
            self.desk = FORK.Process(target=answer_for_ever, args=(*given, other), daemon=True)
            self.desk.start()
            other.close()

    def kill(self, which: int) -> None:
        """Kill one of them without a word."""
        process = self.desk if which == len(self.lookers) else self.lookers[which]
        if process is None or process.pid is None:
            return
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
        process.join()
        self.kills += 1
        if which < len(self.lookers):
            self.lookers[which] = None
        else:
            self.desk = None

    def end(self) -> None:
        """Kill them all."""
        for which in range(len(self.lookers) + 1):
            self.kill(which)
        self.kills -= len(self.lookers) + 1

    @property
    def looking(self) -> bool:
        """Whether anybody looks for due games."""
        return any(looker is not None for looker in self.lookers)

    def ask(self, chance: Random, deadly: float, name: str, *arguments: object) -> tuple[str, Any]:
        """What the desk answers: done, refused, or gone if it was killed meanwhile, so that nobody knows."""
        if self.desk is None or self.line is None:
            self.start()
        assert self.line is not None  # noqa: S101  # started above
        try:
            self.line.send((name, arguments))
            if chance.random() < deadly:
                time.sleep(chance.random() * 0.02)
                self.kill(len(self.lookers))
            answer: tuple[str, Any] = self.line.recv()
        except (EOFError, OSError):
            return "gone", None
        return answer


# The players


@dataclass
class Seat:
    """How somebody plays: how likely he orders in time, and from when until when he does not come."""

    punctual: float
    away: tuple[datetime, datetime] | None = None

    def comes(self, chance: Random, now: datetime) -> bool:
        """Whether he sits down at his game now."""
        return not (self.away and self.away[0] <= now < self.away[1]) and chance.random() < self.punctual


@dataclass
class Playing:
    """A game of the season, and the ledger of what was acknowledged in it."""

    id: str
    seats: dict[Power, Seat]
    accepted: dict[tuple[int, Power], tuple[str, ...]] = field(default_factory=dict)
    unknown: dict[tuple[int, Power], list[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(list))
    paused: timedelta | None = None
    faults: list[str] = field(default_factory=list)


def schedule(chance: Random) -> Json:
    """A schedule as a group might choose it, some hours long."""
    hours = [f"{day} {hour:02}:30" for day in DAYS for hour in (1, 2, 13)]
    movement: Json = {"within": f"{chance.randint(2, 6)}h"} if chance.random() < 0.5 else {"at": hours, "least": "2h"}
    movement |= {"grace": chance.choice(["0m", "1h"]), "remind": ["1h"]}
    short = {"within": f"{chance.randint(1, 3)}h"}
    missed = {
        "first": chance.choice(["hold", "computer", "extend"]),
        "then": chance.choice(["hold", "hold", "computer", "extend"]),
        "vacant_after": chance.randint(1, 3),
    }
    return {
        "zone": chance.choice(ZONES),
        "early": chance.choice(["ready", "ready", "short", "never"]),
        "cool": chance.choice(["0m", "20m"]),
        "quiet": ["2026-10-24/2026-10-25"] if chance.random() < 0.2 else [],
        "movement": movement,
        "missed": missed,
        **dict.fromkeys(("retreats", "adjustments", "draws"), short),
        "choice": {"within": "4h"},
    }


def sheet_of(hosted: HostedGame, power: Power, chance: Random) -> tuple[str, ...]:
    """What a careless player would order."""
    seen = hosted.view(power, Credentials((power,))).view
    entry, sheet = OrderEntry(hosted.rules, hosted.game.position, power), ()
    for order in orders_of(BOTS["careless"], seen, power, chance):
        with suppress(PlenipoError):
            sheet = entry.give(sheet, str(order)).sheet  # type: ignore[assignment]
    return tuple(map(str, sheet))


@dataclass
class Season:
    """All of it."""

    servers: Servers
    store: Store
    host: Host
    chance: Random
    deadly: float
    games: dict[str, Playing] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def now(self) -> datetime:
        """This instant of the season."""
        return self.servers.clock.now()

    def ask(self, name: str, *arguments: object) -> tuple[str, Any]:
        """Ask the desk, and count how it answered."""
        answer = self.servers.ask(self.chance, self.deadly, name, *arguments)
        self.counts[f"{name} {answer[0]}"] += 1
        return answer

    def open(self, variant: str) -> None:
        """Open a game, with a person on most seats."""
        names = library.load(variant).names
        persons = self.chance.sample(names, min(len(names), self.chance.randint(2, 5)))
        computers = {str(power): "careless" for power in names if power not in persons}
        new = NewGame(variant, {}, computers, seating=LINKS, schedule=schedule_of(schedule(self.chance)))
        while (answer := self.ask("open", new))[0] == "gone":
            pass  # a game may have been opened that nobody knows; the judge finds it in order all the same
        assert answer[0] == "done", answer  # noqa: S101  # it is a game like any
        seats = {}
        for power in persons:
            seat = Seat(self.chance.choice([0.9, 0.5, 0.2]))
            if self.chance.random() < 0.3:
                gone = self.now + timedelta(hours=self.chance.randint(0, 100))
                days = self.chance.choice([timedelta(days=1), GONE])
                seat.away = (gone, gone + days)
            seats[power] = seat
        self.games[answer[1].id] = Playing(answer[1].id, seats)

    def play(self, playing: Playing) -> None:
        """Let some persons of a game order, and its keeper do something now and then."""
        hosted = self.host.games.hosted(playing.id)  # what the pages would show
        if hosted.game.over:
            return
        for power, seat in playing.seats.items():
            if power in hosted.may_order and seat.comes(self.chance, self.now):
                self.hand_in(playing, hosted, power)
        if self.chance.random() < 0.05:
            self.keep_time(playing, hosted)

    def hand_in(self, playing: Playing, hosted: HostedGame, power: Power) -> None:
        """Hand in a sheet, and note what came of it."""
        key = (hosted.phase_number, power)
        if (known := hosted.sheets.get(power)) and known.ready and self.chance.random() < 0.95:
            return
        texts = sheet_of(hosted, power, self.chance)
        edit = Edit(texts, whole=True, ready=self.chance.random() < 0.8)
        playing.unknown[key].append(texts)
        status, answer = self.ask("hand_in", playing.id, Credentials((power,)), str(power), key[0], edit)
        if status == "done":
            playing.accepted[key] = answer.sheet.texts
            playing.unknown[key].clear()
        elif status == "refused":
            playing.unknown[key].pop()
            if not answer.startswith(("Stale", "Over", "Busy")):
                playing.faults.append(f"{power} in phase {key[0]}: {answer}")

    def keep_time(self, playing: Playing, hosted: HostedGame) -> None:
        """Pause, go on, or move a deadline; what was acknowledged must be so."""
        assert hosted.timing is not None  # noqa: S101  # every game of the season has a schedule
        paused = hosted.timing.state is GameState.PAUSED
        act = TimeAct("resume") if paused else self.chance.choice([TimeAct("pause"), TimeAct("extend", 12 * STEP)])
        keeper = Credentials((), all_seats=True)
        before = hosted.timing.phase.due
        status, _ = self.ask("keep_time", playing.id, keeper, hosted.phase_number, act)
        after = self.host.games.hosted(playing.id)
        if status != "done" or after.timing is None or after.phase_number != hosted.phase_number:
            return
        phase = after.timing.phase
        if act.kind == "extend" and before is not None and (phase.due is None or phase.due < before + act.by):
            playing.faults.append(f"phase {hosted.phase_number}: moved to {phase.due}, not past {before + act.by}")
        until = hosted.timing.phase.grace_until or before
        if act.kind == "pause" and after.timing.state is GameState.PAUSED:
            playing.paused = phase.left
            if until is not None and phase.left != max(until - self.now, timedelta(0)):
                playing.faults.append(f"phase {hosted.phase_number}: {phase.left} were left of {until - self.now}")
        left = hosted.timing.phase.left
        again = act.kind == "resume" and after.timing.state is GameState.RUNNING and not phase.waiting
        if again and left is not None and (phase.grace_until or phase.due) != self.now + left:
            playing.faults.append(f"phase {hosted.phase_number}: a pause took time away")

    def settle(self) -> None:
        """Wait until what is due has been done, if anybody looks."""
        until = time.monotonic() + 20
        while self.servers.looking and self.store.due(self.now) and time.monotonic() < until:
            time.sleep(0.003)

    def step(self) -> None:
        """A step of the clock, with all that happens in it."""
        self.servers.clock.go_on()
        if self.chance.random() < 0.15:  # an hour or more in which nobody looks is an outage now and then
            self.servers.start()
        if self.chance.random() < self.deadly:
            time.sleep(self.chance.random() * 0.02)
            self.servers.kill(self.chance.randrange(len(self.servers.lookers)))
        self.settle()


# The judge


def judged(season: Season, log: Iterable[Mapping[str, Any]]) -> tuple[Counter[str], list[str]]:
    """What the judge counts, and a sentence for each fault."""
    store, counts = season.store, Counter[str]()
    faults = [f"{playing.id}: {fault}" for playing in season.games.values() for fault in playing.faults]
    seen = Counter((line["game"], line["phase"]) for line in log)
    faults += [
        f"{game}: phase {phase} was processed {times} times" for (game, phase), times in seen.items() if times > 1
    ]
    for line in log:
        ready = not line["not_ready"] and (line["cool"] is None or line["now"] >= line["cool"])
        due = line["due"] is not None and line["now"] >= line["due"]
        if not (ready or due) or line["state"] != "running":
            faults.append(f"{line['game']}: phase {line['phase']} was processed too early: {line}")
    counts["phases seen processed"] = len(log)  # type: ignore[arg-type]
    counts["of them before their deadline, all being ready"] = sum(
        line["due"] is not None and line["now"] < line["due"] for line in log
    )
    for playing in season.games.values():
        stored = store.read(playing.id)
        if stored is None:
            faults.append(f"{playing.id} is gone")
            continue
        game = record.decode_game(stored.record, library.load(stored.variant, stored.record["options"]))
        counts["turns"] += len(game.turns)
        counts["games over"] += game.over
        if stored.phase_number != len(game.turns) + 1:
            faults.append(f"{playing.id}: {len(game.turns)} turns, and the open phase is number {stored.phase_number}")
        for (phase, power), texts in playing.accepted.items():
            counts["sheets acknowledged"] += 1
            if phase < stored.phase_number:
                found: Sequence[str] = game.turns[phase - 1].orders.get(power, ())
            else:
                found = stored.sheets[str(power)].orders if str(power) in stored.sheets else ()
            if sorted(found) not in [sorted(given) for given in (texts, *playing.unknown[phase, power])]:
                faults.append(f"{playing.id}: the sheet of {power} in phase {phase} is lost: {texts}, not {found}")
        if phase_text := unverified(game):
            faults.append(f"{playing.id}: {phase_text}")
        faults += standing(season, playing)
    return counts, faults


def unverified(game: Any) -> str:
    """Why a game does not verify, nothing if it does."""
    try:
        verify(written(record.encode_game(game)), library.load)
    except PlenipoError as fault:
        return f"the record does not verify: {fault}"
    return ""


def standing(season: Season, playing: Playing) -> Iterable[str]:
    """A sentence if a game stands still and nobody is named, or if what is due was not done."""
    hosted = season.host.games.hosted(playing.id)
    timed = hosted.timed
    if timed is None or timed.state is not GameState.RUNNING:
        return
    due = playing.id in season.store.due(season.now, 10**6)
    wakes = playing.id in season.store.due(season.now + timedelta(days=400), 10**6)
    if due:
        yield f"{playing.id}: something is due and was not done: {timed.phase}"
    if not wakes and not (timed.late or timed.not_ready or timed.phase.needs or "Nobody is left" in waits_for(timed)):
        yield f"{playing.id}: it stands still and nobody is named: {timed.phase}"


def main() -> int:
    """Play a season, and judge it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--turns", type=int, default=8, help="how many turns each game has at least, or it is over")
    parser.add_argument("--at-once", type=int, default=40, help="how many games go on at the same time")
    parser.add_argument("--days", type=int, default=60, help="how long it lasts at most, by its own clock")
    parser.add_argument("--deadly", type=float, default=0.02, help="how likely a question kills the one who is asked")
    parser.add_argument("--database", help="an address; a file of its own if none is given")
    parser.add_argument("--variants", nargs="+", default=VARIANTS)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    wishes = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder, clock = Path(name), SharedClock()
        (folder / "processed").touch()
        address = wishes.database or str(folder / "games.sqlite")
        for variant in set(wishes.variants):
            library.load(variant)  # so that every process that is forked knows it
        Store(address).close()
        servers = Servers(address, folder, clock)
        servers.start()
        store = opened_store(address, folder, clock)
        season = Season(servers, store, Host(store, Broker(), clock), Random(wishes.seed), wishes.deadly)  # noqa: S311
        ended: set[str] = set()
        try:
            while len(ended) < wishes.games and clock.now() < START + timedelta(days=wishes.days):
                while len(season.games) < wishes.games and len(season.games) - len(ended) < wishes.at_once:
                    season.open(season.chance.choice(wishes.variants))
                for playing in season.games.values():
                    hosted = season.host.games.hosted(playing.id) if playing.id not in ended else None
                    if hosted is not None and (hosted.game.over or hosted.turn >= wishes.turns):
                        ended.add(playing.id)
                    if playing.id not in ended and season.chance.random() < 0.06:
                        season.play(playing)
                season.step()
            servers.start()
            clock.go_on()
            season.settle()
            for _ in range(30):  # what an outage moved is due again
                clock.go_on()
                season.settle()
        finally:
            servers.end()
        log = [json.loads(line) for line in (folder / "processed").read_text(encoding="utf-8").splitlines()]
        counts, faults = judged(season, log)
        store.close()
    lasted, passed = time.monotonic() - began, clock.now() - START
    print(f"{len(season.games)} games in {lasted:.0f} s, {passed.days} days by their clock; seed {wishes.seed}.")
    print(f"{servers.kills} processes were killed; " + ", ".join(f"{k}: {n}" for k, n in sorted(season.counts.items())))
    print(", ".join(f"{kind}: {number}" for kind, number in counts.items()))
    for fault in faults[:20]:
        print(f"wrong: {fault}")
    print(
        f"{len(faults)} faults: nothing lost, doubled, early or standing unnamed."
        if not faults
        else f"{len(faults)} faults."
    )
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())

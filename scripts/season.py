"""The season: computers play games of all variants by a clock of their own, and a judge keeps a ledger of every answer.

Run it with `python scripts/season.py --games 1000`. Two processes look for due games and send mail, two others do what
people ask for; one of them is killed again and again, and is away for a while. Some seats are late, absent for days or
gone for good; they are lent, resigned and taken over; people write messages with proposals and vote; hosts move
deadlines and pause, game masters look into orders, strike turns and edit positions; clocks change from summer to
winter. What a server has acknowledged is written into a ledger, and with what each phase ended into a log. At the end
the judge counts what is missing, doubled, too early, in wrong hands, or stands without a name. With
`--database postgresql` a PostgreSQL of its own is started, and that is killed once too. The exit status is 1 if
anything is wrong. With `--hostile 8` a server of pages runs besides, eight clients attack it, and others read pages;
then the status is also 1 if a hundredth of the pages took more than half a second.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

from sqlalchemy import func, select

from plenipo import library
from plenipo.server import keys
from plenipo.server.broker import Broker
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.schedule import DAYS, schedule_of
from plenipo.server.hosting.settings import settings_of
from plenipo.server.new_games import NewGameRequest
from plenipo.server.people.accounts import Accounts
from plenipo.server.service import GameService
from plenipo.server.store import Store, schema
from plenipo.server.store.persons import SignInMethod
from season_devices import DEVICE
from season_hostile import Siege, besiege, serve_for_ever
from season_judge import Judge, Told, lines_of
from season_live import LIVE_START, LIVE_STEP, live_schedule
from season_people import People, Playing
from season_servers import FORK, Careless, Servers, SharedClock, opened_store

Json = dict[str, Any]

ZONES = ("Europe/London", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kathmandu")
VARIANTS = ("standard", "standard", "1897", "corner", "cline", "napoleonic", "1897+corner", "irish")

PERSONS = 60
"""How many people there are; every third has an address for mail, and half of all are told on a device."""

LONGEST = timedelta(days=20)
"""How long a game goes on at most that nobody orders in any more, or that nobody goes on with."""

AFTERWARDS = 120
"""How many steps the clock goes on after the last game, so that what was put off is done too."""


LIVE_LONGEST = timedelta(hours=8)
"""The same of live games."""


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
        **dict.fromkeys(("retreats", "adjustments"), short),
        "draws": {**short, "else": "dice"},
        "choice": {"within": "4h"},
    }


@dataclass
class Season:
    """All of it: the servers, the games that go on, and what was answered."""

    servers: Servers
    store: Store
    service: GameService
    chance: Random
    people: People = field(init=False)
    games: dict[str, Playing] = field(default_factory=dict)
    devices: dict[str, Told] = field(default_factory=dict)
    """On what people are told, by their ids."""
    looks: set[float] = field(default_factory=set)
    """When somebody looked for due games, in a season of live games."""
    counts: Counter[str] = field(default_factory=Counter)
    siege: Siege | None = None
    """The hostile clients, if there are any."""

    def __post_init__(self) -> None:
        accounts = Accounts(self.store.persons, self.servers.clock)
        came = [accounts.guest(f"Player{number}") for number in range(PERSONS)]
        persons = [one.person.id for one in came]
        for number, one in enumerate(came[::2]):
            told = Told(keys.digest(one.token), f"{DEVICE.endpoint}{number}{'gone' if number % 5 == 0 else ''}")
            self.devices[one.person.id] = told
            self.store.subscriptions.keep(told.session, replace(DEVICE, endpoint=told.endpoint).subscription)
        for number, person in enumerate(persons[::3]):
            self.store.persons.add_way(SignInMethod("mail", f"player{number}@example.org", person, self.now))
        self.people = People(self.ask, self.service, self.chance, persons, self.servers.clock)

    @property
    def now(self) -> datetime:
        """This instant of the season."""
        return self.servers.clock.now()

    def ask(self, name: str, *arguments: object) -> tuple[str, Any]:
        """Ask one that answers, and count how."""
        answer = self.servers.ask(name, *arguments)
        self.counts[f"{name} {answer[0]}"] += 1
        return answer

    def open(self, variant: str) -> None:
        """Open a game, with people on some of its seats and computers on the others."""
        chance = self.chance
        host, *players = chance.sample(self.people.persons, 1 + chance.randint(2, 5))
        ruled = chance.random() < 0.4
        messages = {
            "who": chance.choice(["groups", "groups", "two", "everyone"]),
            "opened": chance.choice(["never", "never", "players"]),
        }
        rules: Json = {"computer": "careless", "host": "game master" if ruled else "host"}
        rules |= {} if self.live else {"absence": 5}
        rules |= {"anonymous": True, "deal": "drawn"} if chance.random() < 0.25 else {}
        settings = settings_of({**rules, "press": messages})
        name = f"Game {len(self.games)}"
        kept = live_schedule(chance, library.load(variant).opening.phase.year) if self.live else schedule(chance)
        times, called = schedule_of(kept), (host, f"Kim {host[:4]}")
        new = NewGameRequest(variant, {}, name=name, schedule=times, lobby=True, settings=settings, host=called)
        _, opened = self.servers.certainly("open", new)  # one that nobody knows of waits in its lobby
        playing = Playing(opened.id, name, host, ruled, self.now)
        for number, player in enumerate(players):
            invited = Credentials((), invited=True, person=player)
            self.servers.certainly("join", opened.id, invited, f"Sitting{number}")  # twice is refused
            playing.seats[player] = self.people.new_seat(self.now)
        if chance.random() < 0.2:
            self.store.notifications.set_hook(opened.id, "https://hook.example/of/this")
        self.servers.certainly("start", opened.id, Credentials((), all_seats=True))
        self.games[opened.id] = playing
        if self.siege is not None:
            self.siege.add_game(opened.id)

    def end(self, playing: Playing) -> None:
        """Let a game that was long enough end in a draw."""
        self.servers.start()
        self.settle()
        playing.faults += Judge(self.service, (), ()).standing(playing)
        number = self.service.games.load(playing.id).phase_number
        self.servers.certainly("draw", playing.id, Credentials((), all_seats=True), number)

    def switch_off(self) -> None:
        """Let somebody be told no more on his device, or sign out in its browser; half of all are told to the end."""
        on = [(person, told) for person, told in list(self.devices.items())[::2] if told.until is None]
        if not on:
            return
        person, told = self.chance.choice(on)
        if self.chance.random() < 0.5:
            self.store.subscriptions.end(told.session)
        else:
            self.store.persons.sign_out(person, [told.session])
        self.devices[person] = replace(told, until=self.now.timestamp())
        self.counts["devices switched off"] += 1

    @property
    def live(self) -> bool:
        """Whether its games are live ones."""
        return self.people.live

    def settle(self) -> None:
        """Wait until what is due has been done, if anybody looks; with live games, also until somebody has looked."""
        until = time.monotonic() + 20
        while self.live and self.servers.looking and not self.looked() and time.monotonic() < until:
            time.sleep(0.003)
        if self.live and self.looked():
            self.looks.add(self.now.timestamp())
        while self.servers.looking and self.store.due(self.now) and time.monotonic() < until:
            time.sleep(0.003)

    def looked(self) -> bool:
        """Whether somebody has looked for due games since the clock went on."""
        with self.store.engine.connect() as connection:
            newest = connection.execute(select(func.max(schema.heartbeats.c.at))).scalar_one_or_none()
        return newest is not None and newest.replace(tzinfo=newest.tzinfo or UTC) >= self.now

    def step(self) -> None:
        """A step of the clock, with all that happens in it."""
        self.servers.clock.go_on()
        if self.chance.random() < 0.01:
            self.switch_off()
        if self.chance.random() < 0.15:  # an hour or more in which nobody looks is an outage now and then
            self.servers.start()
        if self.live and self.chance.random() < self.servers.deadly / 2:
            self.servers.kill_looker(0)
            self.servers.kill_looker(1)
        if self.chance.random() < self.servers.deadly:
            time.sleep(self.chance.random() * 0.02)
            self.servers.kill_looker(self.chance.randrange(2))
        self.settle()

    def play(self, options: argparse.Namespace, killing_all: Iterator[None]) -> None:
        """Open games and play them, until as many as were wished for are over or time is out."""
        ended: set[str] = set()
        longest, often = (LIVE_LONGEST, 0.15) if self.live else (LONGEST, 0.06)
        out, late = self.now + timedelta(days=options.days), time.monotonic() + 60 * options.minutes
        while len(ended) < options.games and self.now < out:
            if time.monotonic() > late:
                options.games = len(self.games)
            while len(self.games) < options.games and len(self.games) - len(ended) < options.at_once:
                self.open(self.chance.choice(options.variants))
            if len(ended) >= 10:
                next(killing_all, None)
            for playing in [playing for game, playing in self.games.items() if game not in ended]:
                hosted = self.service.games.load(playing.id)
                if hosted.game.over or hosted.is_abandoned:
                    ended.add(playing.id)
                elif hosted.phase_number > options.turns or self.now - playing.since > longest:
                    self.end(playing)
                elif self.chance.random() < often:
                    self.people.play(playing, self.now)
            self.step()

    def wait(self) -> None:
        """Let the clock go on until everything that was put off is done, and all mail is sent."""
        for _ in range(AFTERWARDS):
            self.servers.start()
            self.servers.clock.go_on()
            self.settle()
        until = time.monotonic() + 300
        while time.monotonic() < until and self._mail_waits():
            time.sleep(0.1)

    def _mail_waits(self) -> bool:
        with self.store.engine.connect() as connection:
            waiting = select(schema.posts.c.id).where(schema.posts.c.not_before.is_not(None)).limit(1)
            return connection.execute(waiting).first() is not None


@contextmanager
def database(wished: str | None, folder: Path) -> Iterator[tuple[str, Iterator[None]]]:
    """The address of a database, and what kills it once and starts it again, where it is a server of its own."""
    if wished != "postgresql":
        yield wished or str(folder / "games.sqlite"), iter(())
        return
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from server import cluster  # noqa: PLC0415  # only here

    with cluster.running() as address:
        data = Path(parse_qs(urlsplit(address).query)["host"][0]) / "data"

        def kill() -> Iterator[None]:
            cluster.killed_and_started(data)
            yield

        yield address, kill()


def preferences_of() -> argparse.Namespace:
    """What the command was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--turns", type=int, default=8, help="after how many phases a game ends at the latest")
    parser.add_argument("--at-once", type=int, default=40, help="how many games go on at the same time")
    parser.add_argument("--days", type=int, default=400, help="how long it lasts at most, by its own clock")
    parser.add_argument("--minutes", type=float, default=240, help="after how many minutes no more games are opened")
    parser.add_argument("--deadly", type=float, default=0.02, help="how likely a question kills the one who is asked")
    parser.add_argument("--database", help="an address, or 'postgresql' for one of its own; a file if none is given")
    parser.add_argument("--variants", nargs="+", default=VARIANTS)
    parser.add_argument("--live", action="store_true", help="live games: minutes, time bank, ends, going on tomorrow")
    parser.add_argument("--hostile", type=int, default=0, help="how many clients attack the pages meanwhile")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    return parser.parse_args()


def main() -> int:
    """Play a season, and judge it."""
    options = preferences_of()
    began = time.monotonic()
    chance = Random(options.seed)  # noqa: S311  # nothing is hidden by it
    with tempfile.TemporaryDirectory() as name, database(options.database, Path(name)) as (address, killing_all):
        folder, clock = Path(name), SharedClock(LIVE_START, LIVE_STEP) if options.live else SharedClock()
        for file in ("processed", "received"):
            (folder / file).touch()
        for variant in set(options.variants):
            library.load(variant)  # so that every process that is forked knows it
        Store(address).close()
        servers = Servers(address, folder, clock, chance, options.deadly)
        servers.start()
        store = opened_store(address, folder, clock)
        serve = partial(serve_for_ever, partial(opened_store, address, folder, clock), clock, Careless)
        season = Season(servers, store, GameService(store, Broker(), clock, Careless()), chance)
        try:
            with besiege(options.hostile, folder, options.seed, FORK, serve) as season.siege:
                season.play(options, killing_all)
            season.wait()
        finally:
            servers.end()
        log, received = (lines_of((folder / file).read_text(encoding="utf-8")) for file in ("processed", "received"))
        judge = Judge(season.service, log, received, season.devices, season.looks)
        faults = list(judge.judged(season.games.values()))
        siege, slow = season.siege, False
        if siege is not None:
            faults += siege.faults()
            print("\n".join(siege.report()))
            slow = siege.slow
        store.close()
    lasted, hours = time.monotonic() - began, (clock.now() - clock.start) / timedelta(hours=1)
    print(f"{len(season.games)} games in {lasted:.0f} s, {hours:.0f} hours by their clock; seed {options.seed}.")
    print(f"{servers.kills} processes were killed; " + ", ".join(f"{k}: {n}" for k, n in sorted(season.counts.items())))
    print(", ".join(f"{kind}: {number}" for kind, number in judge.counts.items()))
    for fault in faults[:20]:
        print(f"wrong: {fault}")
    print(
        f"{len(faults)} faults."
        if faults
        else "0 faults: nothing lost, doubled, early, in wrong hands or standing unnamed."
    )
    return int(bool(faults) or slow)


if __name__ == "__main__":
    sys.exit(main())

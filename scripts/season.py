"""Play a season: computers play games of all variants on a simulated clock, and a judge keeps a ledger of every answer.

Run it with `python scripts/season.py --games 1000`. Two processes process due games and send mail, two others answer
requests of players; one of them is killed again and again, and stays down for a while. Some seats are late, absent for
days or gone for good; they are lent, resigned and taken over; players write messages with proposals and vote; hosts
move deadlines and pause, game masters look into orders, undo turns and edit positions; clocks change from summer to
winter time. Every change that a server acknowledged is written into a ledger, and the end of every phase into a log. At
the end the judge counts data that is missing, doubled, too early or shown to the wrong person, and games that stand
still without naming a player. With `--database postgresql` a PostgreSQL server is started, and killed again and again
too. The exit status is 1 if anything is wrong. With `--hostile 8` a page server runs in addition, eight clients attack
it, and others read pages; then the status is also 1 if a hundredth of the pages took more than half a second.
"""

import argparse
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

from sqlalchemy import func, select

from plenipo import bots, library
from plenipo.server import keys
from plenipo.server.broker import Broker
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.schedule import DAYS, schedule_of
from plenipo.server.hosting.settings import settings_of
from plenipo.server.new_games import NewGameRequest
from plenipo.server.people.accounts import Accounts
from plenipo.server.service import GameService
from plenipo.server.store import Store, schema
from plenipo.server.store.notifications import NotificationStore
from plenipo.server.store.persons import Persons, SignInMethod
from plenipo.server.store.subscriptions import Subscriptions
from season_devices import DEVICE
from season_hostile import Siege, besiege, serve_for_ever
from season_judge import Judge, NotifiedDevice, lines_of
from season_live import LIVE_START, LIVE_STEP, live_schedule
from season_people import People, Playing
from season_servers import FORK, Careless, Servers, SharedClock, keep_removed_posts, opened_store

Json = dict[str, Any]

ZONES = ("Europe/London", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kathmandu")
VARIANTS = ("standard", "standard", "1897", "corner", "cline", "napoleonic", "1897+corner", "irish")

PERSONS = 60
"""The number of players; every third has a mail address, and every second gets notifications on a device."""

LONGEST = timedelta(days=20)
"""The longest time a game goes on without any order, or after the players have left."""

AFTERWARDS = 120
"""The number of steps of the clock after the last game, so that postponed tasks are done too."""

GAMES_PER_DATABASE_KILL = 100
"""After how many more games that ended the database is killed again; the first time after ten."""

LIVE_LONGEST = timedelta(hours=8)
"""The same for live games."""


def schedule(chance: Random) -> Json:
    """Return a schedule as a group might choose it, some hours long."""
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
    """The whole season: the servers, the running games, and the answers."""

    servers: Servers
    store: Store
    service: GameService
    chance: Random
    people: People = field(init=False)
    games: dict[str, Playing] = field(default_factory=dict)
    devices: dict[str, NotifiedDevice] = field(default_factory=dict)
    """The devices that get notifications, by the ids of their players."""
    looks: set[float] = field(default_factory=set)
    """The times at which a worker looked for due games, in a season of live games."""
    counts: Counter[str] = field(default_factory=Counter)
    siege: Siege | None = None
    """The hostile clients, if there are any."""

    def __post_init__(self) -> None:
        accounts = Accounts(self.store.of(Persons), self.servers.clock)
        came = [accounts.guest(f"Player{number}") for number in range(PERSONS)]
        persons = [one.person.id for one in came]
        for number, one in enumerate(came[::2]):
            device = NotifiedDevice(
                keys.digest(one.token), f"{DEVICE.endpoint}{number}{'gone' if number % 5 == 0 else ''}"
            )
            self.devices[one.person.id] = device
            self.store.of(Subscriptions).keep(device.session, replace(DEVICE, endpoint=device.endpoint).subscription)
        for number, person in enumerate(persons[::3]):
            self.store.of(Persons).add_way(SignInMethod("mail", f"player{number}@example.org", person, self.now))
        self.people = People(self.ask, self.service, self.chance, persons, self.servers.clock)

    @property
    def now(self) -> datetime:
        """Return the present instant of the season."""
        return self.servers.clock.now()

    def ask(self, name: str, *arguments: object) -> tuple[str, Any]:
        """Ask an answering process, and count the kind of its answer."""
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
        _, opened = self.servers.certainly("open", new)  # if the answer was lost, the first one stays in its lobby
        playing = Playing(opened.id, name, host, ruled, self.now)
        for number, player in enumerate(players):
            invited = Credentials((), invited=True, person=player)
            self.servers.certainly(
                "lobby.join", opened.id, invited, f"Sitting{number}"
            )  # the second time it is refused
            playing.seats[player] = self.people.new_seat(self.now)
        if chance.random() < 0.2:
            self.store.of(NotificationStore).set_hook(opened.id, "https://hook.example/of/this")
        self.servers.certainly("lobby.start", opened.id, Credentials((), all_seats=True))
        self.games[opened.id] = playing
        if self.siege is not None:
            self.siege.add_game(opened.id)

    def end(self, playing: Playing) -> None:
        """Let a game that was long enough end in a draw."""
        self.servers.start()
        self.settle()
        playing.faults += Judge(self.service, (), ()).standing(playing)
        number = self.service.games.load(playing.id).phase_number
        self.servers.certainly("phases.draw", playing.id, Credentials((), all_seats=True), number)

    def switch_off(self) -> None:
        """Turn off notifications on a player's device, or sign it out; half of all devices stay on to the end."""
        on = [(person, told) for person, told in list(self.devices.items())[::2] if told.until is None]
        if not on:
            return
        person, told = self.chance.choice(on)
        if self.chance.random() < 0.5:
            self.store.of(Subscriptions).end(told.session)
        else:
            self.store.of(Persons).sign_out(person, [told.session])
        self.devices[person] = replace(told, until=self.now.timestamp())
        self.counts["devices switched off"] += 1

    @property
    def live(self) -> bool:
        """Tell whether its games are live games."""
        return self.people.live

    def settle(self) -> None:
        """Wait until all due tasks are done, if a worker runs; with live games, also until it has looked."""
        until = time.monotonic() + 20
        while self.live and self.servers.looking and not self.looked() and time.monotonic() < until:
            time.sleep(0.003)
        if self.live and self.looked():
            self.looks.add(self.now.timestamp())
        while self.servers.looking and self.store.due(self.now) and time.monotonic() < until:
            time.sleep(0.003)

    def looked(self) -> bool:
        """Tell whether a worker has looked for due games since the clock moved."""
        with self.store.engine.connect() as connection:
            newest = connection.execute(select(func.max(schema.heartbeats.c.at))).scalar_one_or_none()
        return newest is not None and newest.replace(tzinfo=newest.tzinfo or UTC) >= self.now

    def step(self) -> None:
        """Take a step of the clock, with everything that happens in it."""
        self.servers.clock.go_on()
        if self.chance.random() < 0.01:
            self.switch_off()
        if self.chance.random() < 0.15:  # an hour or more in which no worker runs is an outage now and then
            self.servers.start()
        if self.live and self.chance.random() < self.servers.deadly / 2:
            self.servers.kill_looker(0)
            self.servers.kill_looker(1)
        if self.chance.random() < self.servers.deadly:
            time.sleep(self.chance.random() * 0.02)
            self.servers.kill_looker(self.chance.randrange(2))
        self.settle()

    def play(self, options: argparse.Namespace, killing_all: Iterator[int]) -> None:
        """Open games and play them, until as many as requested are over or time is out."""
        ended: set[str] = set()
        longest, often = (LIVE_LONGEST, 0.15) if self.live else (LONGEST, 0.06)
        out, late = self.now + timedelta(days=options.days), time.monotonic() + 60 * options.minutes
        while len(ended) < options.games and self.now < out:
            if time.monotonic() > late:
                options.games = len(self.games)
            while len(self.games) < options.games and len(self.games) - len(ended) < options.at_once:
                self.open(self.chance.choice(options.variants))
            if len(ended) >= 10 + GAMES_PER_DATABASE_KILL * self.counts["database killed"]:
                self.counts["database killed"] += next(killing_all, 0)
            for playing in [playing for game, playing in self.games.items() if game not in ended]:
                if self.chance.random() > often:  # loading every game at every step would take most of the time
                    continue
                hosted = self.service.games.load(playing.id)
                if hosted.game.over or hosted.is_abandoned:
                    ended.add(playing.id)
                elif hosted.phase_number > options.turns or self.now - playing.since > longest:
                    self.end(playing)
                else:
                    self.people.play(playing, self.now)
            self.step()

    def wait(self) -> None:
        """Let the clock go on until all postponed tasks are done, and all mail is sent."""
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
def database(wished: str | None, folder: Path) -> Iterator[tuple[str, Iterator[int]]]:
    """Yield the address of a database, and an iterator that kills and restarts the season's own server and yields 1."""
    if wished != "postgresql":
        yield wished or str(folder / "games.sqlite"), iter(())
        return
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from server import cluster  # noqa: PLC0415  # only here

    with cluster.running() as address:
        data = Path(parse_qs(urlsplit(address).query)["host"][0]) / "data"

        def kill() -> Iterator[int]:
            while True:
                cluster.killed_and_started(data)
                yield 1

        yield address, kill()


def preferences_of() -> argparse.Namespace:
    """Parse the options of the command."""
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


def by_kind(faults: Sequence[str]) -> dict[str, list[str]]:
    """Return the faults by their words, without the numbers, names and ids in them."""
    kinds: dict[str, list[str]] = {}
    for fault in faults:
        words = re.findall(r"(?<![\w'.-])[a-z]+(?![\w'])", fault)
        kinds.setdefault(" ".join(words[:12]), []).append(fault)
    return kinds


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
        bots.why_simple()  # so that none of them imports the computer players again
        made = Store(address)
        keep_removed_posts(made.engine)
        made.close()
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
    for kind, found in sorted(by_kind(faults).items(), key=lambda pair: -len(pair[1])):
        print(f"{len(found)} wrong of the kind '{kind}':", *found[:3], sep="\n  ")
    print(
        f"{len(faults)} faults."
        if faults
        else "0 faults: nothing lost, doubled, early, in wrong hands or standing unnamed."
    )
    return int(bool(faults) or slow)


if __name__ == "__main__":
    sys.exit(main())

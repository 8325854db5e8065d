"""The judge of a season: compares the ledger of acknowledged changes with the contents of the store in the end."""

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import RowMapping, select

from plenipo import library
from plenipo.engine.history import record
from plenipo.engine.history.verify import format_record, verify
from plenipo.errors import PlenipoError
from plenipo.server.backup import journal_faults
from plenipo.server.conditional_orders import prepare_order_sets
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.tick import NOBODY_LEFT, GameState
from plenipo.server.hosting.waits import waits_for
from plenipo.server.service import GameService
from plenipo.server.store import StoredGame, schema
from plenipo.server.store.motions import Motions
from plenipo.server.store.values import Subscription
from season_live import faults_of_live, noted
from season_people import Playing
from season_servers import REMOVED_POSTS, STEP

__all__ = ["Judge", "lines_of"]

Json = Mapping[str, Any]

LATER = 2 * STEP.total_seconds()
"""The seconds of the season after a device was turned off in which a message under way may still arrive."""

OF_PHASES = ("turn", "results", "ruling", "end")
"""The kinds of notices that every player gets once for each phase."""


@dataclass(frozen=True)
class NotifiedDevice:
    """A device that gets notifications: its session, its address, and until when, in seconds."""

    session: str
    endpoint: str
    until: float | None = None

    @property
    def post(self) -> str:
        """Return the address of its posts."""
        return Subscription(self.endpoint, "", "").id

    @property
    def gone(self) -> bool:
        """Tell whether its push service has dropped it."""
        return self.endpoint.endswith("gone")

    @property
    def off(self) -> bool:
        """Tell whether its notifications are turned off at some time."""
        return self.gone or self.until is not None


class Judge:
    """Judge a season by the store at the end, the log of phases, and the mail and push received."""

    def __init__(
        self,
        service: GameService,
        log: Sequence[Json],
        received: Sequence[Json],
        devices: Mapping[str, NotifiedDevice] | None = None,
        looks: Collection[float] = (),
    ) -> None:
        self.service, self.store, self.devices = service, service.store, devices or {}
        self.live = defaultdict[str, list[Json]](list)
        for line in log:
            if "live" in line:
                self.live[line["live"]].append(line)
        self.ended = [line for line in log if "will" not in line and "live" not in line]
        self.keeps = {(line["will"], line["phase"]): line["keep"] for line in log if "will" in line}
        self.received, self.looks = received, looks
        self.counts = Counter[str]()

    def judged(self, games: Iterable[Playing]) -> Iterator[str]:
        """Yield a sentence for each fault."""
        yield from self._log()
        yield from self._posts()
        for playing in games:
            self.counts["games"] += 1
            yield from (f"{playing.id}: {fault}" for fault in (*playing.faults, *self._game(playing)))

    def _game(self, playing: Playing) -> Iterator[str]:
        stored = self.store.read(playing.id)
        if stored is None:
            yield "the game is gone"
            return
        yield from self._record(stored)
        yield from self._order_sets(playing, stored)
        yield from self._conditional_orders(playing)
        yield from self._messages(playing)
        yield from self._ballots(playing)
        yield from self.standing(playing)
        yield from self._notices(playing, stored)
        yield from journal_faults(self.store, playing.id)
        yield from self._live(playing)

    def _live(self, playing: Playing) -> Iterator[str]:
        """Yield time bank of a live game that was lost or gained, and ends and pauses that were not kept."""
        if playing.id not in self.live:
            return
        hosted, kinds = self.service.games.load(playing.id), defaultdict[float, set[str]](set)
        for entry in self.store.journal(playing.id):
            kinds[entry.at.timestamp()].add(entry.kind)
        now = (
            []
            if hosted.timed_game is None
            else [noted(hosted.timed_game, hosted.revision, self.store.times(playing.id)[0])]
        )
        self.counts["changes of live games"] += len(self.live[playing.id])
        yield from faults_of_live([*self.live[playing.id], *now], kinds, self.looks, self.counts)

    # Phases

    def _log(self) -> Iterator[str]:
        """Yield phases that ended twice or too early."""
        seen = Counter((line["game"], line["phase"]) for line in self.ended)
        for (game, phase), times in seen.items():
            if times > 1:
                yield f"{game}: phase {phase} was ended {times} times"
        for line in self.ended:
            # without an awaited player, no player is left who could reconsider
            cooled = not line["awaited"] or line["cool"] is None or line["now"] >= line["cool"]
            ready = not line["not_ready"] and cooled
            due = line["due"] is not None and line["now"] >= line["due"]
            self.counts["phases ended"] += 1
            self.counts["of them by a ruling, a vote or a draw"] += line["by_hand"]
            self.counts["of them before their deadline, all being ready"] += not due and not line["by_hand"]
            if not (ready or due or line["by_hand"]) or (line["state"] != "running" and not line["by_hand"]):
                yield f"{line['game']}: phase {line['phase']} was processed too early: {line}"

    def _record(self, stored: StoredGame) -> Iterator[str]:
        """Yield a fault if the record does not verify."""
        try:
            game = record.decode_game(stored.record, library.load(stored.variant, stored.record["options"]))
            verify(format_record(record.encode_game(game)), library.load)
        except PlenipoError as fault:
            yield f"the record does not verify: {fault}"
            return
        self.counts["turns"] += len(game.turns)
        self.counts["rulings"] += len(game.rulings)
        self.counts["games over"] += game.over

    def _order_sets(self, playing: Playing, stored: StoredGame) -> Iterator[str]:
        """Yield order sets that were acknowledged and did not count, or are missing."""
        kept: dict[tuple[int, str], list[str]] = {}
        table = schema.order_sets
        with self.store.engine.connect() as connection:
            mine = select(table).where(table.c.game == playing.id).order_by(table.c.version)
            for row in connection.execute(mine).mappings():
                kept[row["phase_number"], row["power"]] = row["orders"]
        entries = stored.record["entries"]
        for (phase, power), texts in playing.accepted.items():
            self.counts["order sets acknowledged"] += 1
            may = [sorted(given) for given in (texts, *playing.unknown[phase, power])]
            number = self.keeps.get((playing.id, phase))
            entry = entries[number] if number is not None and number < len(entries) else {}
            if phase < stored.phase_number and "orders" in entry:
                found = entry["orders"].get(str(power), ())
            else:  # the phase is open, or ended by a ruling, a vote or a draw: the order set is stored separately
                found = kept.get((phase, str(power)), [])
            if sorted(found) not in may and (phase, power) not in playing.computers:
                yield f"the order set of {power} in phase {phase} is lost: {texts}, not {found}"

    def _conditional_orders(self, playing: Playing) -> Iterator[str]:
        """Yield conditional orders that were acknowledged and are missing, or led to wrong order sets."""
        hosted, table = self.service.games.load(playing.id), schema.order_sets
        versions: dict[tuple[int, str], dict[int, list[str]]] = defaultdict(dict)
        with self.store.engine.connect() as connection:
            for row in connection.execute(select(table).where(table.c.game == playing.id)).mappings():
                versions[row["phase_number"], row["power"]][row["version"]] = row["orders"]
        for (phase, power), texts in playing.ahead.items():
            self.counts["conditional orders acknowledged"] += 1
            if phase == hosted.phase_number and not hosted.game.over:
                if hosted.ahead.get(power, ()) != texts:
                    yield f"the conditional orders of {power} in phase {phase} are lost: {texts}, not {hosted.ahead}"
                continue
            turn = self.keeps.get((playing.id, phase))
            if turn is None or hosted.game.rulings or (hosted.game.over and turn + 1 >= hosted.turn):
                continue  # it ended by a ruling, a vote or a draw, after which there may be other phases
            order_set = prepare_order_sets(hosted.game.fork(turn + 1), {power: texts}).get(power)
            found = versions[phase + 1, str(power)]
            if order_set is not None:
                self.counts["order sets made of conditional orders"] += 1
                if found.get(min(found, default=0)) is None or found.get(1, list(order_set.texts)) != list(
                    order_set.texts
                ):
                    yield f"{power} ordered {texts} ahead in phase {phase}, and phase {phase + 1} had {found}"

    def standing(self, playing: Playing) -> Iterator[str]:
        """Yield a sentence if a game stands still without naming a player, or if a due task was not done."""
        hosted, now = self.service.games.load(playing.id), self.service.clock.now()
        timed = hosted.timed_game
        if timed is None or timed.state is not GameState.RUNNING:
            return
        if playing.id in self.store.due(now, 10**6):
            yield f"a task is due and was not done: {timed.phase}"
        wakes = playing.id in self.store.due(now + timedelta(days=400), 10**6)
        named = timed.late or timed.not_ready or timed.phase.needs or waits_for(timed) == NOBODY_LEFT
        if not wakes and not named:
            yield f"it stands still and no player is named: {timed.phase}"

    # Messages and votes

    def _messages(self, playing: Playing) -> Iterator[str]:
        """Yield messages that are missing, doubled, or shown to the wrong person."""
        hosted = self.service.games.load(playing.id)
        opened = hosted.game.over and hosted.settings.press.opened != "never"
        eyes: dict[int | None, set[str]] = {}
        for tenure in hosted.tenures:
            credentials = Credentials(tenures=(tenure.number,))
            box = self.service.press.inbox(playing.id, credentials)
            texts = [shown.message.text.split()[-1] for thread in box.threads for shown in thread.messages]
            if len(texts) > len(set(texts)):
                yield f"tenure {tenure.number} has a message twice"
            eyes[tenure.number] = set(texts)
        spectator = self.service.press.inbox(playing.id, Credentials())
        seen = {shown.message.text.split()[-1] for thread in spectator.threads for shown in thread.messages}
        now = {tenure.number for tenure in hosted.tenures if tenure.until is None}
        for message in playing.messages:
            self.counts["messages acknowledged"] += message.acknowledged
            readers = {number for number, marks in eyes.items() if message.mark in marks}
            if message.mark in seen and not (opened and hosted.settings.press.opened == "all") and message.may:
                yield f"a spectator reads {message.mark}"
            if message.may is not None and not opened and not readers <= message.may:
                yield f"{message.mark} is read by {readers}, and was for {set(message.may)}"
            must = now if message.must is None else message.must
            if message.acknowledged and not must <= readers:
                yield f"{message.mark} was for {must}, and is read by {readers}"

    def _ballots(self, playing: Playing) -> Iterator[str]:
        """Yield votes that were acknowledged and are missing."""
        motions = {motion.number: motion for motion in self.store.of(Motions).of(playing.id)}
        self.counts["motions"] += len(motions)
        self.counts["motions passed"] += sum(motion.state == "passed" for motion in motions.values())
        for (number, seat), yes in playing.ballots.items():
            self.counts["votes acknowledged"] += 1
            found = motions[number].ballots.get(str(seat)) if number in motions else None
            if found is None or found[1] is not yes:
                yield f"the vote of {seat} on motion {number} is {found}, and was {yes}"

    # Posts

    def _posts(self) -> Iterator[str]:
        """Yield posts that were not sent, were sent without being stored, or are stored twice for one notice."""
        notices, ways = schema.notices, schema.ways
        with self.store.engine.connect() as connection:
            kept, removed = (connection.execute(select(table)).mappings() for table in (schema.posts, REMOVED_POSTS))
            rows = [*kept, *removed]
            noticed = connection.execute(select(notices)).mappings().all()
            mailed = set(connection.execute(select(ways.c.person).where(ways.c.kind == "mail")).scalars())
        got = Counter(line["id"] for line in self.received)
        self.counts["posts"] = len(rows)
        self.counts["of them sent again after a kill, under the same id"] = sum(times > 1 for times in got.values())
        stored = {row["id"] for row in rows}
        off = {device.post for device in self.devices.values() if device.off}
        lost = [row for row in rows if row["id"] not in got and row["to"] not in off]
        yield from (f"post {row['id']} about {row['subject']} was not sent" for row in lost)
        yield from (f"{name} was received and is no post" for name in got if name not in stored)
        expected = Counter(
            (row["person"], row["game"], row["kind"].partition(" ")[0]) for row in noticed if row["person"] in mailed
        )
        for person, device in self.devices.items():
            yield from self._pushed(person, device, rows, [row for row in noticed if row["person"] == person])
        devices = {device.post for device in self.devices.values()}
        by_phase = [row for row in rows if row["kind"] not in ("hook", "message", "mail") and row["to"] not in devices]
        found = Counter((row["person"], row["game"], row["kind"]) for row in by_phase)
        for key in expected.keys() | found.keys():
            if expected[key] != found[key]:
                yield f"{key} was notified {expected[key]} times and has {found[key]} posts"

    def _pushed(
        self, person: str, device: NotifiedDevice, posts: Sequence[RowMapping], notices: Sequence[RowMapping]
    ) -> Iterator[str]:
        """Yield notifications that a device missed, got twice, got for another player, or got while turned off."""
        came = [line for line in self.received if line["to"] == device.endpoint]
        mine = {row["id"]: row for row in posts if row["to"] == device.post}
        self.counts["notices on devices"] += len(came)
        yield from (
            f"{person} got a notification for another player: {line}" for line in came if line["id"] not in mine
        )
        until = device.until
        if device.gone and came:  # the sender is sometimes killed before it notes this
            ids = {line["id"] for line in came}
            noted = [row["sent"].timestamp() for key, row in mine.items() if key in ids and row["sent"]]
            until = min(noted, default=None)
        if until is not None:  # a message under way may still arrive
            yield from (
                f"{person} got a notification on a device that was turned off: {line}"
                for line in came
                if line["now"] > until + LATER
            )
        expected = Counter((row["game"], row["kind"].partition(" ")[0]) for row in notices)
        found = Counter((row["game"], row["kind"]) for row in mine.values() if row["kind"] != "message")
        for key in expected.keys() | found.keys():
            if found[key] > expected[key] or (found[key] < expected[key] and not device.off):
                yield f"{person} was notified {expected[key]} times of {key} and has {found[key]} posts on a device"

    def _notices(self, playing: Playing, stored: StoredGame) -> Iterator[str]:
        """Yield players who held a seat throughout and were not notified of a phase, or were notified twice."""
        notices = schema.notices
        with self.store.engine.connect() as connection:
            mine = select(notices).where(notices.c.game == playing.id, notices.c.kind.in_(OF_PHASES))
            rows = connection.execute(mine).mappings().all()
        notified: dict[tuple[str, int], int] = defaultdict(int)
        for row in rows:
            notified[row["person"], row["phase_number"]] += 1
        lent = {tenure.power for tenure in stored.tenures if tenure.kind == "sitter"}
        for tenure in stored.tenures:
            if tenure.kind == "host" or tenure.power in lent or tenure.person is None:
                continue
            for phase in range(max(2, tenure.since + 1), (tenure.until or stored.phase_number) + 1):
                self.counts["phases with a notification"] += 1
                if notified[tenure.person, phase] != 1:
                    yield f"tenure {tenure.number} was notified {notified[tenure.person, phase]} times of phase {phase}"


def lines_of(text: str) -> list[dict[str, Any]]:
    """Return the lines of a log; the last may be cut short by a kill."""
    found = []
    for line in text.splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found

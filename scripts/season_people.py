"""The players of a season: their actions in a game, and the ledger of all changes that were acknowledged to them."""

from collections import defaultdict
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from random import Random
from typing import Any

from plenipo.bots import BOTS, orders_of
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history import record
from plenipo.engine.position import GAME_MASTER, Power
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.errors import PlenipoError
from plenipo.server.conditional_orders import check_orders
from plenipo.server.errors import OrderRefused
from plenipo.server.gm_tools import RulingReason
from plenipo.server.hosted_game import Credentials, HostedGame
from plenipo.server.hosting.changes import changes_of
from plenipo.server.hosting.press import EVERYONE
from plenipo.server.hosting.tick import GameState, TimeAct
from plenipo.server.press import Draft
from plenipo.server.rulings import OrderCorrection
from plenipo.server.service import GameService
from plenipo.server.submissions import Edit
from season_live import LIVE_STEP
from season_servers import SharedClock

__all__ = ["People", "Playing", "Seat", "WrittenMessage"]

Ask = Callable[..., tuple[str, Any]]

LATE = ("Stale", "Over", "Busy", "NotBegun")
"""The refusals for a request that comes too late, which are no fault."""

NUMBERS = count(1)


@dataclass
class Seat:
    """The habits of a player: how likely they order in time, and from when until when they are away."""

    punctual: float
    away: tuple[datetime, datetime] | None = None

    def comes(self, chance: Random, now: datetime) -> bool:
        """Tell whether the player comes to the game now."""
        return not (self.away and self.away[0] <= now < self.away[1]) and chance.random() < self.punctual


@dataclass(frozen=True)
class WrittenMessage:
    """A message of the ledger: its mark, whether it was acknowledged, and the tenures that may and that must read it.

    None stands for all seats.
    """

    mark: str
    acknowledged: bool
    may: frozenset[int] | None
    must: frozenset[int] | None


@dataclass
class Playing:
    """A game of the season, and the ledger of acknowledged changes in it."""

    id: str
    name: str
    host: str
    ruled: bool
    since: datetime
    seats: dict[str, Seat] = field(default_factory=dict)
    """The habits of each person."""
    accepted: dict[tuple[int, Power], tuple[str, ...]] = field(default_factory=dict)
    unknown: dict[tuple[int, Power], list[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(list))
    messages: list[WrittenMessage] = field(default_factory=list)
    ahead: dict[tuple[int, Power], tuple[str, ...]] = field(default_factory=dict)
    """The conditional orders that were acknowledged last for a movement phase, if no later request is in doubt."""
    ballots: dict[tuple[int, Power], bool] = field(default_factory=dict)
    """The votes that were acknowledged last, if no later vote is in doubt."""
    computers: set[tuple[int, Power]] = field(default_factory=set)
    """Phases in which a computer may have taken over a seat and replaced the orders that were submitted."""
    offers: list[tuple[Power, str]] = field(default_factory=list)
    """Seats that are offered, with the token of the offer."""
    faults: list[str] = field(default_factory=list)


def order_set_of(hosted: HostedGame, power: Power, chance: Random) -> tuple[str, ...]:
    """Return the orders of a careless player."""
    seen = hosted.view(power, Credentials((power,))).view
    entry, order_set = OrderEntry(hosted.rules, hosted.game.position, power), ()
    for order in orders_of(BOTS["careless"], seen, power, chance):
        with suppress(PlenipoError):
            order_set = entry.give(order_set, str(order)).order_set  # type: ignore[assignment]
    return tuple(map(str, order_set))


def conditional_orders_of(hosted: HostedGame, power: Power, chance: Random) -> tuple[str, ...]:
    """Return the way a unit would retreat and where a power would build, as far as the rules read it."""
    position = hosted.seen_by(power)
    texts = [text for text in order_set_of(hosted, power, chance) if " - " in text]
    texts += [f"build {kind} {home}" for home in sorted(map(str, position.homes_of(power))) for kind in "AF"]
    texts += [f"{unit.kind} {unit.location} D" for unit in position.units_of(power) if chance.random() < 0.3]
    found: list[str] = []
    for text in texts:
        with suppress(OrderRefused):
            found += check_orders(hosted.rules, position, [text])
    return tuple(found)


@dataclass
class People:
    """The players, with the function that sends their requests; `persons` are the ids of those with a session."""

    ask: Ask
    service: GameService
    chance: Random
    persons: list[str]
    clock: SharedClock

    @property
    def live(self) -> bool:
        """Tell whether they play live games."""
        return self.clock.step == LIVE_STEP

    def new_seat(self, now: datetime) -> Seat:
        """Return the habits of a player who joins now."""
        seat = Seat(self.chance.choice([0.9, 0.5, 0.2]))
        if self.chance.random() < 0.3:
            gone = now + self.chance.randint(0, 100) * 4 * self.clock.step
            seat.away = (gone, gone + self.chance.choice([100 * self.clock.step, timedelta(days=400)]))
        return seat

    def as_person(self, playing: Playing, person: str | None, *tokens: str) -> Credentials:
        """Return a person's credentials at a game."""
        return self.service.credentials(playing.id, tokens, person)

    def play(self, playing: Playing, now: datetime) -> None:
        """Let the actors of each seat order, write and vote, and let the host act now and then."""
        hosted = self.service.games.load(playing.id)  # the same view as on the pages
        if hosted.game.over or hosted.is_abandoned:
            return
        for power in hosted.rules.names:
            person = hosted.actor(power)
            if person is None or not playing.seats.setdefault(person, self.new_seat(now)).comes(self.chance, now):
                continue
            if power in hosted.may_order:
                self.submit_orders(playing, hosted, power, person)
                if self.chance.random() < 0.3:
                    self.order_ahead(playing, power, person)
            if self.chance.random() < 0.5:
                self.write(playing, hosted, power, person)
            if self.chance.random() < (0.5 if self.live else 0.15):
                self.vote(playing, person)
            if self.chance.random() < 0.04:
                self.seat_goes(playing, hosted, power, person, now)
        if self.chance.random() < 0.15:
            self.take_over(playing, now)
        if self.chance.random() < 0.08:
            self.keep_time(playing)
        if playing.ruled and self.chance.random() < 0.12:
            self.rule(playing)
        if self.live and self.chance.random() < 0.02:
            self.settle_otherwise(playing)

    def submit_orders(self, playing: Playing, hosted: HostedGame, power: Power, person: str) -> None:
        """Submit an order set, and note the result."""
        key = (hosted.phase_number, power)
        if (known := hosted.order_sets.get(power)) and known.ready and self.chance.random() < 0.95:
            return
        texts = order_set_of(hosted, power, self.chance)
        edit = Edit(texts, whole=True, ready=self.chance.random() < 0.8)
        playing.unknown[key].append(texts)
        status, answer = self.ask(
            "orders.submit", playing.id, self.as_person(playing, person), str(power), key[0], edit
        )
        if status == "done":
            playing.accepted[key] = answer.order_set.texts
            playing.unknown[key].clear()
        elif status == "refused":
            playing.unknown[key].pop()
            if not answer.startswith((*LATE, "NotYours", "NoKey")):
                playing.faults.append(f"{power} in phase {key[0]}: {answer}")

    def order_ahead(self, playing: Playing, power: Power, person: str) -> None:
        """Give conditional orders with the moves; those acknowledged before must still be there."""
        hosted = self.service.games.load(playing.id)
        position, key = hosted.game.position, (hosted.phase_number, power)
        if position.phase.kind is not PhaseKind.MOVEMENT or hosted.game.over:
            return
        before = playing.ahead.pop(key, None)
        if before is not None and hosted.ahead.get(power, ()) != before:
            playing.faults.append(f"{power} in phase {key[0]} ordered {before} ahead, and has {hosted.ahead}")
        texts = conditional_orders_of(hosted, power, self.chance)
        who = self.as_person(playing, person)
        status, answer = self.ask("orders.submit_conditional", playing.id, who, str(power), key[0], texts)
        if status == "done":
            playing.ahead[key] = answer
        elif status == "refused":
            if before is not None:
                playing.ahead[key] = before
            if not answer.startswith((*LATE, "NotYours", "NoKey")):
                playing.faults.append(f"{power} orders ahead in phase {key[0]}: {answer}")

    # Messages

    def write(self, playing: Playing, hosted: HostedGame, power: Power, person: str) -> None:
        """Write a message, perhaps with a proposal; if the answer is lost, perhaps write the same once more."""
        others = [one for one in hosted.rules.names if one != power and hosted.press_table.tenures.get(one)]
        kinds: list[tuple[str, ...]] = [(EVERYONE,), (str(GAME_MASTER),)]
        if others:
            several = tuple(map(str, self.chance.sample(others, self.chance.randint(1, len(others)))))
            kinds += [(str(self.chance.choice(others)),), several]
        to, number = self.chance.choice(kinds), next(NUMBERS)
        proposal = order_set_of(hosted, power, self.chance)[:3] if self.chance.random() < 0.3 else ()
        draft = Draft(str(power), to, f"Message mark{number}.", proposal=proposal, once=f"once{number}")
        before = self._reading(playing, power, to)
        credentials = self.as_person(playing, person)
        status, answer = self.ask("press.write", playing.id, credentials, draft)
        if status == "gone" and self.chance.random() < 0.8:
            status, answer = self.ask("press.write", playing.id, credentials, draft)
        after = self._reading(playing, power, to)
        if status == "refused":
            if not answer.startswith((*LATE, "MessageRefused", "NotYours", "NoKey")):
                playing.faults.append(f"a message of {power}: {answer}")
            if draft.once and not answer.startswith("MessageRefused"):
                return
        may = None if before is None or after is None else before | after
        must = None if before is None or after is None else before & after
        playing.messages.append(WrittenMessage(f"mark{number}.", status == "done", may, must))

    def _reading(self, playing: Playing, power: Power, to: Collection[str]) -> frozenset[int] | None:
        """Return the tenures that send and receive a message with these recipients; None for all."""
        if EVERYONE in to:
            return None
        tenures = [tenure for tenure in self.service.games.load(playing.id).tenures if tenure.until is None]
        keeps = str(GAME_MASTER) in to
        return frozenset(t.number for t in tenures if t.power in {power, *to} or (keeps and t.kind == "host"))

    # Votes

    def vote(self, playing: Playing, person: str) -> None:
        """Propose a motion, or vote on an open one."""
        credentials = self.as_person(playing, person)
        poll = self.service.voting.poll(playing.id, credentials)
        motions = [motion for motion in poll.motions if motion.state == "open"]
        if poll.seat is None:
            return
        if not motions or self.chance.random() < 0.2:
            kinds = ["pause", "extend", "extend", "replace", "back", "draw", "concede"]
            kind = self.chance.choice([*kinds, "tomorrow", "tomorrow", "tomorrow"] if self.live else kinds)
            goes_on = self.clock.now() + self.chance.randint(5, 90) * self.clock.step if kind == "tomorrow" else None
            about = [str(self.chance.choice(poll.hosted.rules.names))] if kind in ("replace", "concede") else []
            self.ask(
                "voting.move", playing.id, credentials, kind, about, goes_on
            )  # this may count as a vote on an open motion
            playing.ballots = {key: yes for key, yes in playing.ballots.items() if key[1] != poll.seat}
            return
        motion = self.chance.choice(motions)
        yes = self.chance.random() < (0.95 if motion.kind in ("tomorrow", "settings") else 0.6)
        status, _ = self.ask("voting.vote", playing.id, credentials, motion.number, yes)
        if status == "done":
            playing.ballots[motion.number, poll.seat] = yes
        elif status == "gone":
            playing.ballots.pop((motion.number, poll.seat), None)

    # Seats

    def seat_goes(self, playing: Playing, hosted: HostedGame, power: Power, person: str, now: datetime) -> None:
        """Resign, lend a seat or take it back, look for a replacement, or announce a leave."""
        act = self.chance.choice(["resign", "lend", "take back", "offer", *([] if self.live else ["away"])])
        if act == "away":
            first = now.date() + timedelta(days=self.chance.randint(1, 5))
            self.ask("persons.set_absence", person, first, first + timedelta(days=self.chance.randint(0, 2)))
            return
        holder = next((tenure for tenure in hosted.players if tenure.power == power and tenure.kind != "sitter"), None)
        who = person if holder is None or act != "take back" else holder.person
        status, token = self.ask("handover.act", playing.id, self.as_person(playing, who), str(power), act)
        if status == "done" and token:
            playing.offers.append((power, token))
        if act == "resign" and self.chance.random() < 0.8:
            self.host_offers(playing, power)

    def host_offers(self, playing: Playing, power: Power) -> None:
        """Let the host look for a replacement, or have a computer play on."""
        host = self.as_person(playing, playing.host)
        act = self.chance.choice(["offer", "offer", "computer", "remove"])
        number = self.service.games.load(playing.id).phase_number
        status, token = self.ask(
            "handover.act", playing.id, host, str(power), act, *(["careless"] if act == "computer" else [])
        )
        if act == "computer" and status != "refused":
            playing.computers |= {(number, power), (self.service.games.load(playing.id).phase_number, power)}
        if status == "done" and token:
            playing.offers.append((power, token))

    def take_over(self, playing: Playing, now: datetime) -> None:
        """Let a person accept an offered seat."""
        if not playing.offers:
            return
        _, token = playing.offers.pop(self.chance.randrange(len(playing.offers)))
        newcomer = self.chance.choice(self.persons)
        if newcomer == playing.host:
            return
        with suppress(PlenipoError):  # the offer may have been withdrawn or taken
            credentials = self.as_person(playing, newcomer, token)
            if self.ask("handover.accept", playing.id, credentials, f"Newcomer{next(NUMBERS)}")[0] == "done":
                playing.seats[newcomer] = self.new_seat(now)

    # Actions of hosts and game masters

    def keep_time(self, playing: Playing) -> None:
        """Pause, go on, or move a deadline; an acknowledged change must be in effect."""
        hosted = self.service.games.load(playing.id)
        assert hosted.timing is not None  # noqa: S101  # every game of the season has a schedule
        paused = hosted.timing.state is GameState.PAUSED
        act = (
            TimeAct("resume")
            if paused
            else self.chance.choice([TimeAct("pause"), TimeAct("extend", 12 * self.clock.step)])
        )
        before, now = hosted.timing.phase.due, self.service.clock.now()
        host = self.as_person(playing, playing.host)
        status, _ = self.ask("time.keep_time", playing.id, host, hosted.phase_number, act)
        after = self.service.games.load(playing.id)
        if status != "done" or after.timing is None or after.phase_number != hosted.phase_number:
            return
        phase, left = after.timing.phase, hosted.timing.phase.left
        until = hosted.timing.phase.grace_until or before
        if act.kind == "extend" and before is not None and (phase.due is None or phase.due < before + act.by):
            playing.faults.append(f"phase {hosted.phase_number}: moved to {phase.due}, not past {before + act.by}")
        stands = act.kind == "pause" and after.timing.state is GameState.PAUSED
        if stands and until is not None and phase.left != max(until - now, timedelta(0)):
            playing.faults.append(f"phase {hosted.phase_number}: {phase.left} were left of {until - now}")
        again = act.kind == "resume" and after.timing.state is GameState.RUNNING and not phase.waiting
        if again and left is not None and (phase.grace_until or phase.due) != now + left:
            playing.faults.append(f"phase {hosted.phase_number}: a pause took time away")

    def settle_otherwise(self, playing: Playing) -> None:
        """Change the settings of a live game: a larger time bank for each seat, or a change that all vote on."""
        own = self.service.games.load(playing.id).timed_game
        before = own.schedule.time_bank if own is not None else None
        more = {"time_bank": f"{(before or timedelta(0)) // timedelta(minutes=1) + 3}m"}
        others: list[dict[str, Any]] = [
            {"delay": "1 phase"},
            {"time_bank": "5m"},
            {"end": None},
            {"spectators": "nobody"},
        ]
        changes = changes_of(more if self.chance.random() < 0.6 else self.chance.choice(others))
        self.ask("time.change_settings", playing.id, self.as_person(playing, playing.host), changes)

    def rule(self, playing: Playing) -> None:
        """Look into orders, go back, edit the position, or adjudicate a turn again."""
        hosted = self.service.games.load(playing.id)
        master, number = self.as_person(playing, playing.host), hosted.phase_number
        why = RulingReason(f"Reason {next(NUMBERS)}.", withheld=self.chance.random() < 0.3)
        kind = self.chance.choice(["look", "back", "edit", "again", "remind"])
        if kind == "look":
            power = str(self.chance.choice(hosted.rules.names))
            self.ask("gm_tools.look_into", playing.id, master, power, number, hosted.journal[0] + 1)
        elif kind == "remind":
            self.ask("gm_tools.remind", playing.id, master, number)
        elif kind == "back" and hosted.turn:
            self.ask(
                "gm_tools.go_back", playing.id, master, number, max(0, hosted.turn - self.chance.randint(1, 2)), why
            )
        elif kind == "again" and hosted.turn:
            given = [(p, text) for p, texts in hosted.game.turns[-1].orders.items() for text in texts if " - " in text]
            if given:
                power, text = self.chance.choice(given)
                reading = OrderCorrection(str(power), text, f"{text.split(' - ')[0]} H")
                self.ask("gm_tools.judge_again", playing.id, master, number, [reading], why)
        elif kind == "edit":
            value = record.encode_position(hosted.game.position)
            armed = [power for power, units in value["units"].items() if len(units) > 1]
            if armed:
                power = self.chance.choice(armed)
                units = {**value["units"], power: value["units"][power][1:]}
                self.ask("gm_tools.edit", playing.id, master, number, {"units": units}, why)

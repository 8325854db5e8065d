"""Voting in a hosted game: making motions, voting, and applying the results by the rules of `hosting.motions`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, cast

from cachetools import LRUCache
from sqlalchemy import Connection

from plenipo.bots import votes as computers_votes
from plenipo.engine.history.rulings import seal_text
from plenipo.engine.history.view import view
from plenipo.engine.phases import victory
from plenipo.engine.phases.commands import survives
from plenipo.engine.position import GAME_MASTER, Power
from plenipo.engine.sentences import Sentence, SentenceKind
from plenipo.errors import UnknownName
from plenipo.server import keys
from plenipo.server.broker import Announcement, time_event
from plenipo.server.deadlines import change_timing
from plenipo.server.errors import GameServiceError, MotionRefused, NoKey, NotYours
from plenipo.server.games import Games
from plenipo.server.hosted_game import LINKS, Credentials, HostedGame
from plenipo.server.hosting import motions
from plenipo.server.hosting.changes import Changes, changes_of
from plenipo.server.hosting.motions import ENDS, EXTENSION, LIVE_EXTENSION, Motion, MotionKind, MotionVote, VotingFacts
from plenipo.server.hosting.schedule import is_live
from plenipo.server.hosting.tick import GameState, TimeAct
from plenipo.server.notifications import of_motion
from plenipo.server.processing import end_in_draw
from plenipo.server.rulings import SealedReason, gone_back
from plenipo.server.seats import Seat
from plenipo.server.settings_changes import change_settings
from plenipo.server.store import GameChange, StoredEntry
from plenipo.server.store.motions import Motions, MotionsDecided
from plenipo.server.store.notifications import tell
from plenipo.server.store.values import StoredMotion

__all__ = ["Poll", "Voting", "table_of"]

_MOTION_SETTINGS_ONLY = SentenceKind("server-motion-settings-only", "Only a motion to change settings names changes.")
_BY_VOTE = SentenceKind("server-log-vote", "By vote: {motion}; {yes} for it, {no} against.")
_BY_SECRET_VOTE = SentenceKind("server-log-secret-vote", "By vote: {motion}.")
_MOTION_UNKNOWN = SentenceKind("server-motion-unknown", "There is no such open motion.")
_MOTION_VOTER = SentenceKind("server-motion-voter", "{seat} has no vote on this motion.")
_VOTE_KEY_MISSING = SentenceKind("server-vote-key-missing", "Only players vote; send the key of your seat.")
_VOTE_NOT_ACTING = SentenceKind("server-vote-not-acting", "Only players vote, and you have no seat now.")

MotionChange = tuple[HostedGame, GameChange, Any]


class _Undecided(Exception):  # noqa: N818  # it says that nothing is wrong
    """No motion of the game is decided."""


@dataclass(frozen=True)
class Poll:
    """The votes of a game that a viewer may see: the own seat, the motions, and the instant."""

    hosted: HostedGame
    table: VotingFacts
    seat: Power | None
    motions: tuple[Motion, ...]
    now: datetime


def table_of(hosted: HostedGame) -> VotingFacts:
    """Return the facts on which motions depend; a hotseat game has no votes."""
    position, timing = hosted.game.position, hosted.timing
    alive = frozenset(power for power in hosted.rules.names if survives(hosted.rules, position, power))
    counts = victory.score(hosted.rules, position).counts
    best = [power for power in alive if counts.get(power, 0) == max((counts.get(one, 0) for one in alive), default=0)]
    acting = {}
    for power in hosted.rules.names:
        mine = [player for player in hosted.players if player.power == power]
        actor = hosted.sitter(power) or next(iter(mine), None)
        if actor is not None:
            acting[power] = actor.number
    return VotingFacts(
        rules=hosted.settings.votes,
        seats=tuple(hosted.rules.names),
        acting=acting if hosted.seating == LINKS else {},
        computers=frozenset(power for power, computer in hosted.computers.items() if computer),
        alive=alive,
        leader=best[0] if len(best) == 1 else None,
        phase_number=hosted.phase_number,
        turns=hosted.turn,
        due=None if timing is None else timing.phase.due,
        paused=timing is not None and timing.state is GameState.PAUSED,
        timed=timing is not None,
        over=hosted.game.over or (timing is not None and timing.state in (GameState.CANCELLED, GameState.ABANDONED)),
        forming=hosted.forming,
        sealed=hosted.game.over
        and hosted.settings.press.who in ("two", "groups")
        and hosted.settings.press.opened == "never",
        live=_is_live(hosted),
    )


class Voting:
    """The votes of the games of one store; safe to use from several threads. `settle` is called after a change."""

    def __init__(self, games: Games, settle: Callable[[str], object]) -> None:
        self.games, self._settle, self._store = games, settle, games.store.of(Motions)
        self._asked: LRUCache[tuple[str, int, Power, tuple[Power, ...]], bool] = LRUCache(1000)

    # Views

    def poll(self, game_id: str, credentials: Credentials) -> Poll:
        """Return the votes of a game as the viewer may see them, the newest motion first."""
        hosted = self.games.load(game_id)
        table, now = table_of(hosted), self.games.clock.now()
        seat = _seat(table, credentials)
        mine = () if seat is None else (seat,)
        all_motions = [self._now(table, motion, now) for motion in self._motions(hosted)]
        known = tuple(motion for motion in reversed(all_motions) if motions.shown_to(table, motion, mine))
        return Poll(hosted, table, seat, known, now)

    @staticmethod
    def _now(table: VotingFacts, motion: Motion, now: datetime) -> Motion:
        """Return the motion, as failed if it ended with its phase."""
        ended = motion.state == "open" and motions.outcome(table, motion, now) == "failed"
        return replace(motion, state="failed") if ended else motion

    def _motions(self, hosted: HostedGame) -> tuple[Motion, ...]:
        return tuple(_motion(stored, hosted) for stored in self._store.of(hosted.id))

    # Motions and votes

    def move(
        self,
        game_id: str,
        credentials: Credentials,
        kind: MotionKind,
        about: Sequence[str] = (),
        goes_on: datetime | None = None,
        changes: Changes | None = None,
    ) -> None:
        """Make a motion, or vote for the same motion if it is open; raise `MotionRefused`, `NoKey` and `NotYours`.

        `goes_on` is the instant for a motion to continue tomorrow, `changes` are the new values for a motion to change
        settings, which a host may also make but votes on only with a seat. Raise `ChangeRefused` and `InvalidSchedule`
        for changes that cannot be made now.
        """
        hosted = self.games.load(game_id)
        table, now = table_of(hosted), self.games.clock.now()
        keeps = kind == "settings" and credentials.all_seats and _seat(table, credentials) is None
        seat = GAME_MASTER if keeps else _require_seat(table, credentials)
        named = _read_powers(hosted, about)
        fault = motions.why_not(table, kind, named, seat) or motions.why_not_then(kind, goes_on, now, _zone(hosted))
        if fault:
            raise MotionRefused(fault)
        if (kind == "settings") is (changes is None):
            raise MotionRefused(_MOTION_SETTINGS_ONLY())
        if changes is not None:
            change_settings(hosted, changes, now)
        wanted = (kind, set(named), goes_on, changes)
        same = [m for m in self._open(hosted, table, now) if (m.kind, set(m.about), m.goes_on, m.changes) == wanted]
        ballots: dict[str, tuple[int, bool]] = {seat: (table.acting[seat], True)} if seat in table.acting else {}
        if same:
            for one, ballot in ballots.items():
                self._store.vote(game_id, same[0].number, one, ballot)
        else:
            until = motions.find_voting_end(table, kind, now)
            moved = StoredMotion(
                0,
                kind,
                tuple(map(str, named)),
                seat,
                table.phase_number,
                now,
                until,
                ballots=ballots,
                goes_on=goes_on,
                changes=None if changes is None else changes.model_dump(mode="json", exclude_unset=True),
            )
            self._store.add(game_id, moved, partial(self._to_outbox, hosted, table))
        self._tell(game_id, table, kind)
        self.settle(game_id)

    def _to_outbox(self, hosted: HostedGame, table: VotingFacts, connection: Connection, kept: StoredMotion) -> None:
        """Put the notices of a motion into the outbox, in the transaction that stores the motion."""
        notices, store = of_motion(hosted, table, _motion(kept, hosted)), self.games.store
        tell(connection, hosted.id, hosted.phase_number, notices, self.games.clock.now(), store.later)

    def vote(self, game_id: str, credentials: Credentials, number: int, yes: bool | None) -> None:  # noqa: FBT001
        """Vote for or against a motion, or withdraw the vote; raise `MotionRefused`, `NoKey` and `NotYours`."""
        hosted = self.games.load(game_id)
        table, now = table_of(hosted), self.games.clock.now()
        seat = _require_seat(table, credentials)
        motion = next((one for one in self._open(hosted, table, now) if one.number == number), None)
        if motion is None or not motions.shown_to(table, motion, (seat,)):
            raise MotionRefused(_MOTION_UNKNOWN())
        if seat not in motions.voters(table, motion):
            raise MotionRefused(_MOTION_VOTER(seat=seat))
        self._store.vote(game_id, number, seat, None if yes is None else (table.acting[seat], yes))
        self._tell(game_id, table, motion.kind)
        self.settle(game_id)

    def _open(self, hosted: HostedGame, table: VotingFacts, now: datetime) -> list[Motion]:
        return [m for m in self._motions(hosted) if m.state == "open" and self._now(table, m, now).state == "open"]

    def _tell(self, game_id: str, table: VotingFacts, kind: MotionKind) -> None:
        """Announce a vote to listeners, unless votes of the kind are secret."""
        if table.rules.of(kind).secrecy != "secret":
            self.games.broker.announce(game_id, Announcement("vote", {}))

    # Deciding

    def find_due(self, most: int) -> tuple[str, ...]:
        """Return the games with votes that are to be counted now."""
        return self._store.due(self.games.clock.now(), most)

    def settle(self, game_id: str) -> None:
        """Apply the decided motions of a game."""
        try:
            kind = self.games.change(game_id, self._apply_decided)
        except _Undecided:
            return
        hosted = self.games.load(game_id)
        what = {"phase_number": hosted.phase_number, "turn": hosted.turn, "what": "vote"}
        self.games.broker.announce(game_id, Announcement("vote", {}))
        if kind in ENDS or kind in {"back", "abandon"}:
            self.games.broker.announce(game_id, Announcement("phase", what))
        else:
            self.games.broker.announce(game_id, Announcement("time", time_event(hosted.phase_number)))
        self._settle(game_id)

    def _apply_decided(self, hosted: HostedGame) -> MotionChange:
        """Apply the first decided motion of a game; raise `_Undecided` if there is none."""
        table, now = table_of(hosted), self.games.clock.now()
        for motion in self._motions(hosted):
            if motion.state != "open":
                continue
            result = motions.outcome(table, motion, now, self._computers(hosted, table, motion))
            if result == "failed":
                return hosted, GameChange(parts=(MotionsDecided(((motion.number, "failed"),)),)), motion.kind
            if result == "passed":
                try:
                    after, change, _ = _apply_motion(hosted, table, motion, now)
                except GameServiceError:  # it can no longer be applied
                    return hosted, GameChange(parts=(MotionsDecided(((motion.number, "failed"),)),)), motion.kind
                entry = StoredEntry("vote", _describe_result(table, motion))
                decided = MotionsDecided(((motion.number, "passed"),))
                return after, replace(change.with_parts(decided), entries=(*change.entries, entry)), motion.kind
        raise _Undecided

    def _computers(self, hosted: HostedGame, table: VotingFacts, motion: Motion) -> Mapping[Power, bool]:
        """Return the votes of computer players, once all people agree: each from the public view."""
        votes = motions.count_votes(table, motion)
        if table.over or not votes.yes or votes.no or any(seat in table.acting for seat in votes.waiting):
            return {}
        about = tuple(motion.about if motion.kind == "concede" else motions.find_sharing_powers(table, motion))
        seen = view(hosted.game, None, {})
        answers = {}
        for seat in votes.waiting:
            key = (hosted.id, hosted.phase_number, seat, about)
            if key not in self._asked:
                self._asked[key] = computers_votes.agrees(seen, seat, about)
            answers[seat] = self._asked[key]
        return answers


def _seat(table: VotingFacts, credentials: Credentials) -> Power | None:
    return next((seat for seat, tenure in table.acting.items() if tenure in credentials.tenures), None)


def _require_seat(table: VotingFacts, credentials: Credentials) -> Power:
    seat = _seat(table, credentials)
    if seat is None and not credentials.tenures and not credentials.all_seats:
        raise NoKey(_VOTE_KEY_MISSING())
    if seat is None:
        raise NotYours(_VOTE_NOT_ACTING())
    return seat


def _read_powers(hosted: HostedGame, about: Sequence[str]) -> tuple[Power, ...]:
    try:
        named = {hosted.rules.power(name[:200]) for name in about}
    except UnknownName as fault:
        raise MotionRefused(fault.sentence) from fault
    return tuple(power for power in hosted.rules.names if power in named) or tuple(named)


def _apply_motion(hosted: HostedGame, table: VotingFacts, motion: Motion, now: datetime) -> MotionChange:
    """Apply a motion that passed."""
    number = hosted.phase_number
    if motion.kind == "draw":
        return end_in_draw(hosted, number, motions.find_sharing_powers(table, motion), now)
    if motion.kind == "concede":
        return end_in_draw(hosted, number, motion.about, now)
    if motion.kind == "tomorrow":
        if fault := motions.why_not_then(motion.kind, motion.goes_on, now, motion.zone):
            raise MotionRefused(fault)
        return change_timing(hosted, number, TimeAct("pause", until=motion.goes_on), now)
    if motion.changes is not None:
        return change_settings(hosted, motion.changes, now)
    if motion.kind in {"pause", "resume", "extend"}:
        act = cast("Any", motion.kind)
        longer = LIVE_EXTENSION if motion.live else EXTENSION
        return change_timing(hosted, number, TimeAct(act, longer if act == "extend" else timedelta(0)), now)
    if motion.kind == "reveal":
        return hosted, GameChange(), None  # press asks for the votes on this motion
    if motion.kind == "replace":
        return Seat(hosted, motion.about[0]).vacate("vote")
    if motion.kind == "back":
        return gone_back(
            hosted, number, hosted.turn - 1, SealedReason(seal_text("The table voted for it.", keys.token())), now
        )
    assert hosted.timing is not None  # noqa: S101  # voters hold seats by name, in a game with timing
    return hosted.with_timing(replace(hosted.timing, state=GameState.ABANDONED)), GameChange(), None


def _describe_result(table: VotingFacts, motion: Motion) -> Sentence:
    words = motions.describe_motion(motion)
    votes = motions.count_votes(table, motion)
    if table.rules.of(motion.kind).secrecy == "secret":
        return _BY_SECRET_VOTE(motion=words)
    return _BY_VOTE(motion=words, yes=len(votes.yes), no=len(votes.no))


def _zone(hosted: HostedGame) -> str:
    return "UTC" if hosted.timing is None else hosted.timing.schedule.zone


def _is_live(hosted: HostedGame) -> bool:
    return hosted.timing is not None and is_live(hosted.timing.schedule)


def _motion(stored: StoredMotion, hosted: HostedGame) -> Motion:
    ballots = {Power(seat): MotionVote(tenure, yes) for seat, (tenure, yes) in stored.ballots.items()}
    return Motion(
        number=stored.number,
        kind=cast("MotionKind", stored.kind),
        about=tuple(map(Power, stored.about)),
        by=Power(stored.by),
        phase_number=stored.phase_number,
        moved=stored.moved,
        until=stored.until,
        state=cast("Any", stored.state),
        ballots=ballots,
        goes_on=stored.goes_on,
        zone=_zone(hosted),
        changes=None if stored.changes is None else changes_of(stored.changes),
        live=_is_live(hosted),
    )

"""The time of games: due changes, and the deadlines and settings that a host changes."""

from datetime import timedelta
from functools import partial

from plenipo.engine.sentences import SentenceKind
from plenipo.server.broker import MARKS, Announcement, time_event
from plenipo.server.computer_players import ComputerPlayers
from plenipo.server.deadlines import NothingDue, change_timing, due, require_may_set, wake_of
from plenipo.server.games import Games
from plenipo.server.hosted_game import Credentials, HostedGame
from plenipo.server.hosting.changes import Changes
from plenipo.server.hosting.tick import DueChange, TimeAct
from plenipo.server.permissions import require_all_seats
from plenipo.server.phases import MOST_ALONE
from plenipo.server.settings_changes import NeedsVoteError, by_host
from plenipo.server.store import GameChange
from plenipo.server.voting import Voting

__all__ = ["Timekeeper"]

_SETTINGS_CHANGED = SentenceKind("server-settings-changed", "The host changed the settings.")


class Timekeeper:
    """The time of the games of one store; safe to use from several threads."""

    def __init__(self, games: Games, computers: ComputerPlayers, voting: Voting) -> None:
        self.games, self._computers, self._voting = games, computers, voting

    def settle(self, game_id: str, away: timedelta = timedelta(0)) -> tuple[int, ...]:
        """Do what is due in a game, `away` being the time since the last check; return the turns this played."""
        turns: list[int] = []
        for _ in range(MOST_ALONE):
            try:
                act, number, phase_number = self.games.change(game_id, partial(self._due, away))
            except NothingDue:
                break
            if act.process:
                what = {"phase_number": phase_number, "turn": number, "what": "processed"}
                self.games.broker.announce(game_id, Announcement("phase", what))
                turns.append(number - 1)
            elif act.kind == "ended":
                what = {"phase_number": phase_number, "turn": number, "what": "drawn"}
                self.games.broker.announce(game_id, Announcement("phase", what))
            elif act.kind in ("ready_check_over", "cancelled"):
                self.games.broker.announce(game_id, Announcement("lobby", {}))
            else:
                what = time_event(phase_number, act.why)
                hidden = act.kind == "ready" and self.games.load(game_id).names_hidden
                told = Announcement("time", None, what, MARKS) if hidden else Announcement("time", what)
                self.games.broker.announce(game_id, told)
            away = timedelta(0)
        if turns:
            self._voting.settle(game_id)
        return tuple(turns)

    def _due(self, away: timedelta, hosted: HostedGame) -> tuple[HostedGame, GameChange, tuple[DueChange, int, int]]:
        return due(hosted, self.games.clock.now(), away, self._computers.player)

    def go_on(self, game_id: str, away: timedelta = timedelta(0)) -> tuple[int, ...]:
        """Do what is due in a game that is due by the store; return the turns played because of it."""
        before = self.games.revision(game_id)
        turns = self.settle(game_id, away)
        if self.games.revision(game_id) == before:
            # nothing was due after all: set its next instant, so that it is not checked again and again
            hosted = self.games.load(game_id)
            self.games.store.wake(game_id, hosted.revision, wake_of(hosted, self.games.clock.now()))
        return turns

    def keep_time(self, game_id: str, credentials: Credentials, phase_number: int, act: TimeAct) -> None:
        """Pause or resume a game, or move its deadline; raise `Stale`, `NotYours`, `Over` or `NoDeadline`.

        A host who plays cannot set the deadline to an earlier time.
        """
        require_all_seats(credentials)
        now = self.games.clock.now()

        def change(hosted: HostedGame) -> tuple[HostedGame, GameChange, HostedGame]:
            require_may_set(hosted, credentials, act)
            return change_timing(hosted, phase_number, act, now)

        hosted = self.games.change(game_id, change)
        self.games.broker.announce(game_id, Announcement("time", time_event(hosted.phase_number, act.why)))
        self.settle(game_id)

    def change_settings(self, game_id: str, credentials: Credentials, changes: Changes) -> bool:
        """Change the settings of a running game; return whether that needs a vote of all seats, which is then opened.

        The host may give more time without a vote. Raise `NoKey`, `NotYours`, `NotBegun`, `Over`, `ChangeRefused`,
        `InvalidSchedule` and `MotionRefused`.
        """
        require_all_seats(credentials)
        now = self.games.clock.now()
        try:
            hosted = self.games.change(game_id, lambda hosted: by_host(hosted, credentials, changes, now))
        except NeedsVoteError:
            self._voting.move(game_id, credentials, "settings", changes=changes)
            return True
        self.games.broker.announce(game_id, Announcement("time", time_event(hosted.phase_number, _SETTINGS_CHANGED())))
        self.settle(game_id)
        return False

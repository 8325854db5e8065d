"""The history of games: processing their phases, undoing turns, and draws."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from plenipo.errors import PhaseNotOver
from plenipo.server.broker import Announcement
from plenipo.server.computer_players import ComputerPlayers
from plenipo.server.deadlines import CANNOT_END, processed_by_hand
from plenipo.server.games import Games
from plenipo.server.hosted_game import Credentials, HostedGame
from plenipo.server.permissions import require_all_seats, require_may_process, require_phase
from plenipo.server.processing import GoneOn, end_in_draw, explain_missing, goes_on_alone, process_phase, undo_turns

__all__ = ["MOST_ALONE", "Phases"]


MOST_ALONE = 30
"""The most phases processed in a row because no person has anything to order in them."""


class Phases:
    """The phases of the games of one store; safe to use from several threads."""

    def __init__(self, games: Games, computers: ComputerPlayers) -> None:
        self.games, self._computers = games, computers

    def process(self, game_id: str, credentials: Credentials, phase_number: int, reason: str = "") -> tuple[int, ...]:
        """Process the open phase, and the next ones in which no person has anything to order; return the turns played.

        The game log of a game with deadlines has an entry about it, with the `reason`. Raise `Stale` if the phase has
        been processed already, `Over` when the game is over, `NotYours` for a host who plays before the phase is due,
        and `PhaseNotOver` if the phase cannot end yet because a choice or draw is missing.
        """
        require_all_seats(credentials)

        def by_hand(hosted: HostedGame, now: datetime) -> GoneOn:
            require_phase(hosted, phase_number)
            require_may_process(hosted, credentials, now)
            try:
                after, change, numbers = process_phase(hosted, phase_number, now, self._computers.player)
            except PhaseNotOver as fault:
                named = hosted.sees_names(credentials)
                raise (explain_missing(hosted, fault) if named else PhaseNotOver(CANNOT_END)) from fault
            return after, replace(change, entries=(*change.entries, *processed_by_hand(hosted, now, reason))), numbers

        number = self._go_on(game_id, "processed", by_hand)[1] - 1
        return (number, *self._process_following(game_id, phase_number))

    def undo(self, game_id: str, credentials: Credentials, phase_number: int) -> int:
        """Undo turns of a hotseat game, back to a phase in which a person had orders, and restore its order sets.

        Return the number of the phase that is now open. Raise `Stale`, and `Over` if there is nothing to undo.
        """
        require_all_seats(credentials)
        return self._go_on(game_id, "undone", lambda hosted, now: undo_turns(hosted, phase_number, now))[0]

    def draw(
        self, game_id: str, credentials: Credentials, phase_number: int, powers: Sequence[str] | None = None
    ) -> int:
        """End the game in a draw between `powers`, or all survivors; return the new phase number."""
        require_all_seats(credentials)
        return self._go_on(game_id, "drawn", lambda hosted, now: end_in_draw(hosted, phase_number, powers, now))[0]

    def process_alone(self, game_id: str, phase_number: int) -> tuple[int, ...]:
        """Process the open phase automatically, and the next ones in which no person has anything to order."""
        number = self._process_one(game_id, phase_number)
        return (number, *self._process_following(game_id, phase_number))

    def _process_following(self, game_id: str, phase_number: int) -> tuple[int, ...]:
        """Process the phases after a phase, in which no person has anything to order."""
        turns = list[int]()
        for further in range(1, MOST_ALONE):
            hosted = self.games.load(game_id)
            if hosted.phase_number != phase_number + further or not goes_on_alone(hosted):
                break
            turns.append(self._process_one(game_id, hosted.phase_number))
        return tuple(turns)

    def _process_one(self, game_id: str, phase_number: int) -> int:
        def make(hosted: HostedGame, now: datetime) -> GoneOn:
            return process_phase(hosted, phase_number, now, self._computers.player)

        return self._go_on(game_id, "processed", make)[1] - 1

    def _go_on(self, game_id: str, what: str, make: Callable[[HostedGame, datetime], GoneOn]) -> tuple[int, int]:
        """Change a game by `make`, announce it, and return the numbers of the phase and turn that are now open."""
        at = self.games.clock.now()
        now, turn = self.games.change(game_id, lambda hosted: make(hosted, at))
        self.games.broker.announce(game_id, Announcement("phase", {"phase_number": now, "turn": turn, "what": what}))
        return now, turn

"""The GM tools: the actions of a host or game master on a game, each recorded in the game log.

A host sees no secrets and makes no rulings. A game master makes rulings and may open order sets; the game log
shows every such access to all.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from plenipo.engine.dice import SEED_BYTES, Dice
from plenipo.engine.history.rulings import seal_text
from plenipo.engine.history.turns import Turn
from plenipo.engine.history.view import view
from plenipo.engine.outcome import Waiting
from plenipo.engine.position import GAME_MASTER, Position
from plenipo.engine.sentences import SentenceKind
from plenipo.server import keys, rulings
from plenipo.server.broker import Announcement, time_event
from plenipo.server.deadlines import reminders
from plenipo.server.errors import NotOver, RulingRefused, Stale
from plenipo.server.hosted_game import Credentials, GameView, HostedGame
from plenipo.server.order_corrections import as_read
from plenipo.server.permissions import (
    played_power,
    require_all_seats,
    require_begun,
    require_game_master,
    require_looker,
    require_phase,
)
from plenipo.server.processing import GoneOn
from plenipo.server.rulings import OrderCorrection, SealedReason
from plenipo.server.service import GameService
from plenipo.server.store import GameChange, JournalEntry, StoredEntry, StoredReading

__all__ = ["GmTools", "GmToolsView", "OpenedOrders", "Preview", "RulingReason"]

_WAITING_NONE = SentenceKind("server-waiting-none", "The game waits for no player.")
_LOG_GROWN = SentenceKind("server-log-grown", "The game log has new entries; looking adds entry {number}.")
_RULING_REASON_EMPTY = SentenceKind("server-ruling-reason-empty", "A ruling needs a reason; write it in a sentence.")
_RULING_REASON_LONG = SentenceKind(
    "server-ruling-reason-long", "The reason has {number} characters; write at most {most}."
)

Make = Callable[[HostedGame, SealedReason, datetime], GoneOn]
"""A function that applies a ruling to a game."""

LONGEST_REASON = 1000
"""The most characters of a reason."""


@dataclass(frozen=True)
class RulingReason:
    """The reason of a ruling, and whether it is published only after the game."""

    text: str
    withheld: bool = False


_REMINDED = SentenceKind("server-log-reminded", "The host reminded the players who are not ready.")
_REMINDED_BY_NAME = SentenceKind(
    "server-log-reminded-by-name", "The host reminded the players who are not ready ({number} by name)."
)
_LOOKED_INTO = SentenceKind("server-log-looked-into", "The game master looked into the orders of {power}.")
_PREVIEWED = SentenceKind("server-log-previewed", "The game master previewed the result of the submitted orders.")
_SEEN_AS = SentenceKind("server-log-seen-as", "The game master looked at the game from the viewpoint of {power}.")
_SEEN_WHOLE = SentenceKind("server-log-seen-whole", "The game master looked at the whole board.")
_RULED_READING = SentenceKind("server-ruled-reading", "The game master ruled how an order is read.")


@dataclass(frozen=True)
class OpenedOrders:
    """The orders of a power that a game master opened, and the entry of the game log about it."""

    power: str
    orders: tuple[str, ...]
    ready: bool
    entry: int


@dataclass(frozen=True)
class Preview:
    """The result of the current orders, and the entry of the game log about the preview.

    `turn` is the phase as if it were processed, None while a necessary part is missing; `missing` names it.
    Computers have not ordered yet, and dice other than the game's own are used.
    """

    phase: str
    turn: Turn | None
    missing: str
    entry: int


@dataclass(frozen=True)
class GmToolsView:
    """The GM tools' view: the game as a spectator sees it, the game log, and the allowed actions."""

    game: GameView
    journal: tuple[JournalEntry, ...]
    reasons: Mapping[str, str]
    master: bool
    plays: bool
    """True if the host has a seat in the game."""
    readings: tuple[StoredReading, ...] = ()
    """The corrections of orders of the open phase."""

    @property
    def next_entry(self) -> int:
        """The number of the next entry of the game log."""
        return len(self.journal) + 1


class GmTools:
    """The GM tools for the games of a service; safe to use from several threads."""

    def __init__(self, service: GameService) -> None:
        self.service = service

    def view(self, game_id: str, credentials: Credentials) -> GmToolsView:
        """Return the GM tools' view; raise `NoKey` or `NotYours` for anyone but the host."""
        require_all_seats(credentials)
        hosted = self.service.games.load(game_id)
        require_begun(hosted)
        game, master = hosted.view(None, credentials), hosted.settings.host == "game master"
        journal, reasons = self.service.journal(game_id), self.reasons(game_id)
        readings = hosted.readings if master and not credentials.powers else ()
        return GmToolsView(game, journal, reasons, master, bool(credentials.powers), readings)

    def reasons(self, game_id: str) -> Mapping[str, str]:
        """Return the published reasons of the rulings of a game, by their digests."""
        over = self.service.games.load(game_id).game.over
        return {one.digest: one.text for one in self.service.store.reasons(game_id) if over or not one.withheld}

    def process(self, game_id: str, credentials: Credentials, phase_number: int, reason: str = "") -> tuple[int, ...]:
        """Process the open phase now; before it is due that needs a reason, and a host who does not play."""
        return self.service.phases.process(
            game_id, credentials, phase_number, " ".join(reason.split())[:LONGEST_REASON]
        )

    def remind(self, game_id: str, credentials: Credentials, phase_number: int) -> int:
        """Remind the players who are not ready, once a phase; return their number, 0 for a host who may not know.

        Raise `Stale`, `Over` and `NotOver`.
        """
        require_all_seats(credentials)

        def change(hosted: HostedGame) -> tuple[HostedGame, GameChange, int]:
            require_phase(hosted, phase_number)
            named = hosted.sees_names(credentials)
            if named and not hosted.waited_for:
                raise NotOver(_WAITING_NONE())
            notices = reminders(hosted, hosted.waited_for, "reminder by the host")
            text = _REMINDED() if hosted.names_hidden else _REMINDED_BY_NAME(number=len(notices))
            entry = StoredEntry("reminded", text)
            return hosted, GameChange(entries=(entry,), notices=notices), len(notices) if named else 0

        told = self.service.games.change(game_id, change)
        self._tell(game_id, phase_number, _REMINDED())
        return told

    def look_into(
        self, game_id: str, credentials: Credentials, power: str, phase_number: int, entry: int
    ) -> OpenedOrders:
        """Return a power's orders in the open phase, for a game master; `entry` is the number of its game log entry.

        Raise `NotYours`, `Stale` and `Over`.
        """
        hosted = self._look(
            game_id,
            credentials,
            phase_number,
            entry,
            lambda hosted: _LOOKED_INTO(power=played_power(hosted, power)),
        )
        seat = played_power(hosted, power)
        order_set = hosted.order_sets.get(seat)
        return OpenedOrders(
            str(seat), order_set.texts if order_set else (), order_set is not None and order_set.ready, entry
        )

    def preview(self, game_id: str, credentials: Credentials, phase_number: int, entry: int) -> Preview:
        """Return the result of the current orders, for a game master; `entry` is the number of its game log entry.

        Raise `NotYours`, `Stale` and `Over`.
        """
        sentence = _PREVIEWED()
        hosted = self._look(game_id, credentials, phase_number, entry, lambda _: sentence)
        read = as_read(hosted, hosted.orders())
        # its own dice, so that the results of the game's dice stay unknown
        game = read.game if read.game.dice is None else replace(read.game, dice=Dice(secrets.token_bytes(SEED_BYTES)))
        resolution, phase = game.adjudicate(read.order_sets), str(game.position.phase)
        if isinstance(resolution, Waiting):
            return Preview(phase, None, resolution.sentence, entry)
        orders = {power: tuple(texts) for power, texts in read.order_sets.items() if power != GAME_MASTER}
        return Preview(phase, Turn(orders, resolution), "", entry)

    def seen_by(self, game_id: str, credentials: Credentials, power: str, phase_number: int, entry: int) -> GameView:
        """Return the view of a seat, without its orders, for a game master.

        In a game with hidden events, this adds entry number `entry` to the game log. Raise `NotYours` and `Stale`.
        """
        hosted = self.service.games.load(game_id)
        require_looker(hosted, credentials)
        seat = played_power(hosted, power)
        if not hosted.public:
            sentence = _SEEN_AS(power=seat)
            hosted = self._look(game_id, credentials, phase_number, entry, lambda _: sentence)
        return replace(hosted.view(seat, Credentials()), view=view(hosted.game, seat, {}), order_sets={}, ahead={})

    def whole(self, game_id: str, credentials: Credentials, phase_number: int, entry: int) -> Position:
        """Return the whole position, for a game master to edit.

        In a game with hidden events, this adds entry number `entry` to the game log. Raise `NotYours` and `Stale`.
        """
        hosted = self.service.games.load(game_id)
        require_looker(hosted, credentials)
        if not hosted.public:
            sentence = _SEEN_WHOLE()
            hosted = self._look(game_id, credentials, phase_number, entry, lambda _: sentence)
        return hosted.game.position

    def _look(
        self,
        game_id: str,
        credentials: Credentials,
        phase_number: int,
        entry: int,
        sentence: Callable[[HostedGame], str],
    ) -> HostedGame:
        """Log and announce that a game master views a secret, and return the game."""

        def change(hosted: HostedGame) -> tuple[HostedGame, GameChange, HostedGame]:
            require_looker(hosted, credentials)
            require_phase(hosted, phase_number)
            number = hosted.journal[0] + 1
            if entry != number:
                raise Stale(_LOG_GROWN(number=number))
            return hosted, GameChange(entries=(StoredEntry("opened", sentence(hosted)),)), hosted

        hosted = self.service.games.change(game_id, change)
        self._tell(game_id, phase_number, sentence(hosted))
        return hosted

    # Rulings

    def go_back(self, game_id: str, credentials: Credentials, phase_number: int, turns: int, why: RulingReason) -> int:
        """Roll back to the phase after the first `turns` turns; return the number of the open phase."""
        return self._rule(
            game_id, credentials, why, lambda hosted, *rest: rulings.gone_back(hosted, phase_number, turns, *rest)
        )

    def edit(
        self, game_id: str, credentials: Credentials, phase_number: int, value: Mapping[str, Any], why: RulingReason
    ) -> int:
        """Continue from another position, of which `value` has the changes; return the number of the open phase."""
        return self._rule(
            game_id, credentials, why, lambda hosted, *rest: rulings.edit_position(hosted, phase_number, value, *rest)
        )

    def judge_again(
        self,
        game_id: str,
        credentials: Credentials,
        phase_number: int,
        readings: Sequence[OrderCorrection],
        why: RulingReason,
    ) -> int:
        """Adjudicate the last turn again with corrected orders; return the number of the open phase."""
        return self._rule(
            game_id, credentials, why, lambda hosted, *rest: rulings.judged_again(hosted, phase_number, readings, *rest)
        )

    def read_as(
        self,
        game_id: str,
        credentials: Credentials,
        phase_number: int,
        readings: Sequence[OrderCorrection],
        why: RulingReason,
    ) -> None:
        """Correct orders of the open phase; the correction is published when the phase is processed.

        Raise `NotYours`, `Stale`, `Over` and `RulingRefused`.
        """
        reason = _seal_reason(why)

        def change(hosted: HostedGame) -> tuple[HostedGame, GameChange, None]:
            require_looker(hosted, credentials)
            return rulings.read_as_others(hosted, phase_number, readings, reason)

        self.service.games.change(game_id, change)
        self._tell(game_id, phase_number, _RULED_READING())

    def _rule(self, game_id: str, credentials: Credentials, why: RulingReason, make: Make) -> int:
        """Make a ruling by `make`; raise `NotYours`, `RulingRefused`, and the errors of `make`."""
        reason, now = _seal_reason(why), self.service.clock.now()

        def change(hosted: HostedGame) -> GoneOn:
            require_game_master(hosted, credentials)
            return make(hosted, reason, now)

        phase_number, turn = self.service.games.change(game_id, change)
        what = {"phase_number": phase_number, "turn": turn, "what": "ruled"}
        self.service.broker.announce(game_id, Announcement("phase", what))
        self.service.time.settle(game_id)
        return phase_number

    def _tell(self, game_id: str, phase_number: int, why: str) -> None:
        self.service.broker.announce(game_id, Announcement("time", time_event(phase_number, why)))


def _seal_reason(why: RulingReason) -> SealedReason:
    """Return the sealed reason of a ruling; raise `RulingRefused` for an empty or too long one."""
    text = " ".join(why.text.split())
    if not text:
        raise RulingRefused(_RULING_REASON_EMPTY())
    if len(text) > LONGEST_REASON:
        raise RulingRefused(_RULING_REASON_LONG(number=len(text), most=LONGEST_REASON))
    return SealedReason(seal_text(text, keys.token()), why.withheld)

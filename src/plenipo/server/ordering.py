"""The orders of the games of a store, as seats submit them."""

from collections.abc import Sequence
from dataclasses import replace

from plenipo.engine.position import GAME_MASTER
from plenipo.engine.sentences import SentenceKind
from plenipo.server import conditional_orders
from plenipo.server.broker import MARKS, Announcement
from plenipo.server.errors import NoDeadline
from plenipo.server.games import Games
from plenipo.server.hosted_game import LINKS, Credentials, HostedGame
from plenipo.server.permissions import own_seat
from plenipo.server.phases import Phases
from plenipo.server.store import GameChange
from plenipo.server.store.conditional_orders import ConditionalOrdersGiven
from plenipo.server.submissions import Edit, OrderSetChange, submit_order_set
from plenipo.server.timekeeping import Timekeeper

__all__ = ["Ordering"]

_CONDITIONAL_ORDERS_HOTSEAT = SentenceKind(
    "server-conditional-orders-hotseat", "A hotseat game has no conditional orders."
)


class Ordering:
    """The orders of the games of one store; safe to use from several threads."""

    def __init__(self, games: Games, time: Timekeeper, phases: Phases) -> None:
        self.games, self._time, self._phases = games, time, phases

    def submit(
        self, game_id: str, credentials: Credentials, seat: str, phase_number: int, edit: Edit
    ) -> OrderSetChange:
        """Apply an edit to an order set, all of it or nothing; when this returns it is on disk.

        Raise `Stale` if the phase is over, `NotYours`, `Over`, and `OrderRefused` for the first refused order.
        """
        hosted, done = self.games.change_game(
            game_id, lambda before: submit_order_set(before, credentials, seat, phase_number, edit)
        )
        done = replace(done, hosted=hosted)
        public = {"power": done.power, "status": done.status, "phase_number": phase_number}
        private = {**public, "version": done.order_set.version, "client": edit.client}
        self.games.broker.announce(
            game_id, Announcement("order_set", public if done.public else None, private, done.power)
        )
        if hosted.names_hidden and done.changed:
            self.games.broker.announce(game_id, Announcement("order_set", None, public, MARKS))
            self._announce_draws(game_id, hosted)
        if hosted.timing is not None:
            return replace(done, processed=self._time.settle(game_id))
        if hosted.seating == LINKS and done.order_set.ready and hosted.ready and hosted.phase_number == phase_number:
            turns = self._phases.process_alone(game_id, phase_number)
            return replace(done, processed=turns)
        return done

    def _announce_draws(self, game_id: str, hosted: HostedGame) -> None:
        """Announce to the game master that draws are due, in a game in which others do not see that all are ready."""
        if hosted.drawing.due:
            what = {"power": None, "status": None, "phase_number": hosted.phase_number}
            self.games.broker.announce(game_id, Announcement("order_set", None, what, GAME_MASTER))

    def submit_conditional(
        self,
        game_id: str,
        credentials: Credentials,
        seat: str,
        phase_number: int,
        texts: Sequence[str],
        client: str = "",
    ) -> tuple[str, ...]:
        """Store ranked conditional orders for the retreats and adjustments before the next moves, and return them.

        `client` is an id of the player's browser window, as in an `Edit`.

        Raise `Stale`, `NotYours`, `Over`, `NoDeadline` for a hotseat game, and `OrderRefused`.
        """

        def change(hosted: HostedGame) -> tuple[HostedGame, GameChange, tuple[str, ...]]:
            power = own_seat(hosted, credentials, seat, phase_number)
            if hosted.seating != LINKS or power not in hosted.rules.names:
                raise NoDeadline(_CONDITIONAL_ORDERS_HOTSEAT())
            kept = conditional_orders.check_orders(hosted.rules, hosted.seen_by(power), texts)
            everything = {**hosted.ahead, power: kept}
            left = {power: orders for power, orders in everything.items() if orders}
            stored = {str(power): orders for power, orders in left.items()}
            return hosted.with_ahead(left), GameChange(parts=(ConditionalOrdersGiven(stored),), untold=True), kept

        kept = self.games.change(game_id, change)
        private = {"power": seat, "phase_number": phase_number, "client": client}
        self.games.broker.announce(game_id, Announcement("order_set", None, private, seat))
        return kept

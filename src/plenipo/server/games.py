"""The games in memory, the one way to change them, and notices of other servers' changes."""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import TypeVar

from cachetools import LRUCache
from sqlalchemy.exc import SQLAlchemyError

from plenipo.engine.position import GAME_MASTER
from plenipo.engine.sentences import SentenceKind
from plenipo.errors import PlenipoError
from plenipo.server.broker import MARKS, Announcement, Broker
from plenipo.server.clock import Clock
from plenipo.server.deadlines import wake_of
from plenipo.server.errors import Busy, UnknownGame
from plenipo.server.hosted_game import HostedGame, encode_timing, from_stored
from plenipo.server.hosting.tick import charge_time_banks
from plenipo.server.kept_variants import KeptVariants
from plenipo.server.observer import GAME
from plenipo.server.store import GameChange, GameProgress, Json, SeatsChanged, Store
from plenipo.server.store.values import StoredDeal, chain_entries

__all__ = ["Consequence", "Games"]

_GAME_UNKNOWN = SentenceKind("server-game-unknown", "There is no game '{game_id}'.")
_TURN_TAKEN_BACK = SentenceKind("server-turn-taken-back", "That turn was undone in the meantime.")
_CHANGES_CONCURRENT = SentenceKind("server-changes-concurrent", "Too many changes arrived at once; try again.")

_LOG = logging.getLogger("plenipo.server")

T = TypeVar("T")

Consequence = Callable[[HostedGame, HostedGame, GameChange], GameChange]
"""A function of a game before and after a change, and the change, that returns the change with additions."""

ATTEMPTS = 50
"""The attempts to make a change when others come first."""

HELD = 256
"""The number of games held in memory."""

HELD_UNREADABLE = 1000
"""The most games that cannot be opened and are remembered as logged, so that each is logged once."""


class Games:
    """The games of one store that are held in memory; safe to use from several threads.

    A game is changed only by `change`, on its newest revision and in one transaction of the store. The second of two
    simultaneous changes is tried again on the result of the first, so no accepted order is lost and no phase is
    processed twice. Each of the `consequences` adds to a change what follows from it in another subject.
    """

    def __init__(self, store: Store, broker: Broker, clock: Clock, consequences: Sequence[Consequence] = ()) -> None:
        self.store, self.broker, self.clock = store, broker, clock
        self.consequences = consequences
        self._games: LRUCache[str, HostedGame] = LRUCache(HELD)
        self._announced: dict[str, GameProgress] = {}
        self._guard = Lock()
        self._logged: LRUCache[str, bool] = LRUCache(HELD_UNREADABLE)
        self.kept_variants = KeptVariants(store, clock)
        self._locks: dict[str, Lock] = {}
        self._talk: dict[str, int] = {}
        self.messages_came: Callable[[str, int], None] | None = None
        """The function called when another server has stored messages of a game, with the last number known here."""

    def revision(self, game_id: str) -> int:
        """Return the revision of a game, which grows with every change; raise `UnknownGame`."""
        revision = self.store.revision(game_id)
        if revision is None:
            raise UnknownGame(_GAME_UNKNOWN(game_id=game_id[:60]))
        return revision

    def load(self, game_id: str) -> HostedGame:
        """Return the game at its newest revision; raise `UnknownGame`."""
        revision = self.revision(game_id)
        with self._guard:
            known = self._games.get(game_id)
        if known is not None and known.revision == revision:
            if self.broker.has_listeners(game_id):
                self._note(game_id, _stand(known))
            return known
        stored = self.store.read(game_id, whole=False)
        if stored is None:
            raise UnknownGame(_GAME_UNKNOWN(game_id=game_id[:60]))
        hosted = from_stored(stored, partial(self._turns, game_id), self.kept_variants.load_rules)
        self._announce_change(game_id, _stand(hosted))
        if known is not None and self.broker.has_listeners(game_id):
            self._announce_own(known, hosted)
        self.remember(hosted)
        return hosted

    def open_each(self, game_ids: Iterable[str], make: Callable[[HostedGame], T]) -> dict[str, T]:
        """Return what `make` returns for each of some games, by id, without those that cannot be opened.

        One game that cannot be opened, such as one of a variant that was removed, must not hide the others. It is
        logged once; a game deleted meanwhile is passed over. Raise what the database raises.
        """
        made: dict[str, T] = {}
        for game_id in game_ids:
            try:
                made[game_id] = make(self.load(game_id))
            except UnknownGame:
                continue
            except SQLAlchemyError:
                raise
            except Exception as fault:  # noqa: BLE001  # whatever it was, the list needs the other games
                self._log_once(game_id, fault)
        return made

    def _log_once(self, game_id: str, fault: Exception) -> None:
        with self._guard:
            known = self._logged.get(game_id, False)
            self._logged[game_id] = True
        if not known:
            why = fault if isinstance(fault, PlenipoError) else repr(fault)
            _LOG.warning("game %s is passed over: %s", game_id, why, extra={GAME: game_id})

    def _turns(self, game_id: str, first: int, last: int) -> Sequence[Json]:
        """Return the records of some turns of a game; raise `UnknownGame` if they no longer exist."""
        turns = self.store.turns(game_id, first, last)
        if len(turns) != last - first:
            raise UnknownGame(_TURN_TAKEN_BACK())
        return turns

    def catch_up(self) -> None:
        """Find by one query the changes of other servers in games with listeners, and announce them."""
        games = self.broker.games()
        stands = self.store.stands(games)
        for game_id in games:
            if game_id in stands:
                if self._announce_change(game_id, stands[game_id]):
                    self.open_each((game_id,), lambda _: None)  # which announces what changed
                self._announce_messages(game_id, stands[game_id].talk)
            elif self._announced.pop(game_id, None) is not None:
                self.broker.announce(game_id, Announcement("gone", {}))
        with self._guard:
            for game_id in self._announced.keys() - set(games):
                del self._announced[game_id]
            for game_id in self._talk.keys() - set(games):
                del self._talk[game_id]

    def listened_from_now(self, game_ids: Sequence[str]) -> None:
        """Record the newest messages of games for which a listener is about to start."""
        for game_id, stand in self.store.stands(game_ids).items():
            self._talk.setdefault(game_id, stand.talk)

    def _announce_messages(self, game_id: str, talk: int) -> None:
        before = self._talk.get(game_id, talk)
        self._talk[game_id] = talk
        if talk > before and self.messages_came is not None:
            self.messages_came(game_id, before)

    def _announce_change(self, game_id: str, now: GameProgress) -> bool:
        """Announce the changes to a game by another server since the last announcement.

        Return whether there are changes and all of them concern single players, who alone are notified.
        """
        before = self._note(game_id, now)
        if before is None or now.announced_changes <= before.announced_changes:
            return before is not None and now.revision > before.revision
        if now.phase_number != before.phase_number:
            what = {"phase_number": now.phase_number, "turn": now.turn, "what": "elsewhere"}
            self.broker.announce(game_id, Announcement("phase", what))
        else:
            what = {"power": None, "status": None, "phase_number": now.phase_number}
            self.broker.announce(game_id, Announcement("order_set", what))
        return False

    def _announce_own(self, before: HostedGame, now: HostedGame) -> None:
        """Announce to each player their own orders submitted at another server, if others are not notified of them."""
        if now.phase_number != before.phase_number or _stand(now).announced_changes > _stand(before).announced_changes:
            return
        for power in (*now.rules.names, GAME_MASTER):
            status = now.status(power) if power in now.rules.names else "given"
            what = {"power": power, "status": status, "phase_number": now.phase_number}
            was, order_set = before.order_sets.get(power), now.order_sets.get(power)
            if was != order_set and order_set is not None:
                private = {**what, "version": order_set.version, "client": ""}
                self.broker.announce(now.id, Announcement("order_set", None, private, power))
            elif before.ahead.get(power) != now.ahead.get(power):
                self.broker.announce(now.id, Announcement("order_set", None, {**what, "client": ""}, power))
            if _deals_of(before, power) != _deals_of(now, power):
                self.broker.announce(now.id, Announcement("deal", None, {"phase_number": now.phase_number}, power))
            if now.names_hidden and power in now.rules.names and status != before.status(power):
                self.broker.announce(now.id, Announcement("order_set", None, what, MARKS))

    def _note(self, game_id: str, now: GameProgress) -> GameProgress | None:
        """Record the progress of a game known to its listeners; return the previous one, None without listeners."""
        if not self.broker.has_listeners(game_id):
            return None
        with self._guard:
            before = self._announced.get(game_id)
            if before is None or before.revision < now.revision:
                self._announced[game_id] = now
            return before

    def remember(self, hosted: HostedGame) -> None:
        """Hold a game as it is in the store now."""
        self._note(hosted.id, _stand(hosted))
        with self._guard:
            newest = self._games.get(hosted.id)
            if newest is None or newest.revision < hosted.revision:
                self._games[hosted.id] = hosted
        if newest is None or newest.game is not hosted.game:
            self.kept_variants.keep(hosted.game.rules)

    def _lock(self, game_id: str) -> Lock:
        """Return the lock of a game in this process; the store guards against other processes."""
        with self._guard:
            if len(self._locks) > HELD:
                self._locks = {name: lock for name, lock in self._locks.items() if lock.locked()}
            return self._locks.setdefault(game_id, Lock())

    def change(self, game_id: str, make: Callable[[HostedGame], tuple[HostedGame, GameChange, T]]) -> T:
        """Change a game by `make`, which returns the new game, the change to store, and the value to answer.

        Nothing is stored if `make` returns the same game with an empty change.
        """
        return self.change_game(game_id, make)[1]

    def change_game(
        self, game_id: str, make: Callable[[HostedGame], tuple[HostedGame, GameChange, T]]
    ) -> tuple[HostedGame, T]:
        """Change a game as `change` does; return the game with this change, as it is stored, beside the answer."""
        with self._lock(game_id):
            for _ in range(ATTEMPTS):
                hosted = self.load(game_id)
                after, change, answer = make(hosted)
                if after is hosted and change == GameChange():
                    return hosted, answer
                now = self.clock.now()
                if hosted.timed_game is not None and after.timed_game is not None and after.timing is not None:
                    after = after.with_timing(charge_time_banks(hosted.timed_game, after.timed_game, now))
                columns = {**change.columns, **after.columns}
                if after.timing is not None:
                    columns |= {"timing": encode_timing(after.timing), "wake": wake_of(after, now)}
                for add_consequence in self.consequences:
                    change = add_consequence(hosted, after, change)
                change = replace(change, columns=columns)
                if change.entries:
                    number = hosted.phase_number + (change.history is not None)
                    newest = chain_entries(hosted.journal, game_id, change.entries, number, now)[-1]
                    after = replace(after, journal=(newest.number, newest.hash))
                if self.store.change(game_id, hosted.revision, change, now):
                    after = after.with_revision(hosted.revision + 1, hosted.untold + change.untold)
                    self.remember(after)
                    if SeatsChanged.of(change).tenures or SeatsChanged.of(change).forget:
                        self.forget(game_id)  # read the game again, with the store's data on new people
                    return after, answer
        raise Busy(_CHANGES_CONCURRENT())

    def forget(self, game_id: str) -> None:
        """Drop a deleted game from memory."""
        with self._guard:
            self._games.pop(game_id, None)


def _deals_of(hosted: HostedGame, power: str) -> list[StoredDeal]:
    return [deal for deal in hosted.deals if power in (deal.proposer, deal.partner)]


def _stand(hosted: HostedGame) -> GameProgress:
    return GameProgress(hosted.revision, hosted.phase_number, hosted.turn, untold=hosted.untold)

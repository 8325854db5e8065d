"""Corrections: a game master's rulings that orders of the open phase count as others when it is processed. Pure.

Until then only the game master and the power see a correction, because the order is secret; the game log shows that
there was a ruling. A correction of an order that its power withdrew has no effect and is never shown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plenipo.engine.history.game import Game
from plenipo.engine.history.rulings import ReadAs, Sealed
from plenipo.engine.orders import Order
from plenipo.engine.position import Power
from plenipo.engine.sentences import Quoted, SentenceKind
from plenipo.server.hosted_game import HostedGame
from plenipo.server.store import StoredEntry, StoredReason

__all__ = ["REASONED", "AsRead", "as_read"]


REASONED = SentenceKind("server-log-reasoned", "{ruling} {reason}", note="A ruling and its reason.")
"""A ruling with the placeholder of its reason, `[digest]`, which is filled in when the game log is read."""
_RULED = SentenceKind("server-log-is-read-as", "The game master ruled: '{order}' of {power} is read as '{read}'.")


@dataclass(frozen=True)
class AsRead:
    """A game and its order sets after corrections, with the rulings, game log entries and reasons to store."""

    game: Game
    order_sets: Mapping[Power, list[str]]
    rulings: tuple[ReadAs, ...]
    entries: tuple[StoredEntry, ...]
    reasons: tuple[StoredReason, ...]


def as_read(hosted: HostedGame, order_sets: Mapping[Power, Sequence[Order]]) -> AsRead:
    """Apply the latest correction of each order that is still in the order sets."""
    game = hosted.game
    texts = {power: [str(order) for order in order_set] for power, order_set in order_sets.items()}
    rulings: list[ReadAs] = []
    entries: list[StoredEntry] = []
    reasons: dict[str, StoredReason] = {}
    for reading in {(one.power, one.order): one for one in hosted.readings}.values():
        power, reason = Power(reading.power), reading.reason
        if reading.order not in texts.get(power, ()):
            continue
        texts[power][texts[power].index(reading.order)] = reading.read
        ruling = ReadAs(power, reading.order, reading.read, Sealed(reason.digest), hosted.journal[1])
        game = game.with_ruling(ruling)
        rulings.append(ruling)
        sentence = _RULED(order=Quoted(reading.order), power=power, read=Quoted(reading.read))
        entries.append(StoredEntry("ruling", REASONED(ruling=sentence, reason=Quoted(f"[{reason.digest}]"))))
        reasons[reason.digest] = reason
    return AsRead(game, texts, tuple(rulings), tuple(entries), tuple(reasons.values()))

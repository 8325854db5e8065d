"""Orders of an open phase that a game master reads as others: they count so when the phase is processed. Pure.

Until then nobody but the game master and the power learns what they are, for the order is secret; the journal says
that he ruled. What was ruled of an order that its power took back counts for nothing, and is never told.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plenipo.engine.history.game import Game
from plenipo.engine.history.rulings import ReadAs, Sealed
from plenipo.engine.orders import Order
from plenipo.engine.position import Power
from plenipo.server.hosted_game import HostedGame
from plenipo.server.store import StoredEntry, StoredReason

__all__ = ["AsRead", "as_read"]


@dataclass(frozen=True)
class AsRead:
    """A game and its sheets as they are read, and what the record, the journal and the reasons have of that."""

    game: Game
    sheets: Mapping[Power, list[str]]
    rulings: tuple[ReadAs, ...]
    entries: tuple[StoredEntry, ...]
    reasons: tuple[StoredReason, ...]


def as_read(hosted: HostedGame, sheets: Mapping[Power, Sequence[Order]]) -> AsRead:
    """The open phase with each order read as it was ruled last, as far as the order stands."""
    game = hosted.game
    texts = {power: [str(order) for order in sheet] for power, sheet in sheets.items()}
    rulings: list[ReadAs] = []
    entries: list[StoredEntry] = []
    reasons: dict[str, StoredReason] = {}
    for reading in {(one.power, one.order): one for one in hosted.readings}.values():
        power, reason = Power(reading.power), reading.reason
        if reading.order not in texts.get(power, ()):
            continue
        texts[power][texts[power].index(reading.order)] = reading.read
        ruling = ReadAs(power, reading.order, reading.read, Sealed(reason.digest), hosted.journal[1])
        game = game.ruled(ruling)
        rulings.append(ruling)
        sentence = f"The game master ruled: '{reading.order}' of {power} is read as '{reading.read}'."
        entries.append(StoredEntry("ruling", f"{sentence} [{reason.digest}]"))
        reasons[reason.digest] = reason
    return AsRead(game, texts, tuple(rulings), tuple(entries), tuple(reasons.values()))

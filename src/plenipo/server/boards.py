"""The charts of boards; those that changed in play are kept in the store for all servers on it."""

from collections.abc import Callable

from plenipo import charts, library
from plenipo.engine.rules import Rules
from plenipo.server.clock import Clock, clock_of
from plenipo.server.store import Store
from plenipo.server.store.boards import BoardStore

__all__ = ["StoreShelf", "chart_for", "keep_boards_in"]


class StoreShelf:
    """A shelf of boards in a store."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.store, self.clock = store, clock

    def read(self, name: str) -> str | None:
        """Return the text stored under a name."""
        return self.store.of(BoardStore).find(name)

    def keep(self, name: str, write: Callable[[], str]) -> None:
        """Store the result of `write` under a name."""
        self.store.of(BoardStore).keep(name, write(), self.clock.now())


def keep_boards_in(store: Store) -> None:
    """Make this process store computed boards in a store, and look them up there."""
    library.keep_boards(StoreShelf(store, clock_of(store)))


def chart_for(rules: Rules) -> charts.Chart:
    """Return the chart of some rules; raise `InvalidVariant` if they have no map to draw."""
    return charts.chart_of(rules, library.read(rules.variant).figure)

"""The charts of boards; those that changed in play are kept in the store for all servers on it."""

from collections.abc import Callable
from threading import Lock

from cachetools import LRUCache

from plenipo import charts, library
from plenipo.engine.rules import Rules
from plenipo.errors import PlenipoError
from plenipo.library import plugins
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
    """Return the chart of some rules; raise `InvalidVariant` if they have no map to draw.

    The rules of a running game may be those of an added folder before an edit; their chart then stays as it is.
    """
    version, kept = plugins.version_of(rules.variant), library.kept_figure(rules)
    if kept is not None or not version:
        return charts.chart_of(rules, kept or library.read(rules.variant).figure)
    with _DRAWING:
        before = _DRAWN.get(rules)
    if before is not None and before[0] == version:
        return before[1]
    try:
        if before is not None and library.load(rules.variant, rules.options, as_saved=True) != rules:
            chart = before[1]
        else:
            chart = charts.chart_of(rules, library.read(rules.variant).figure, version)
    except (PlenipoError, OSError):
        if before is None:
            raise
        chart = before[1]
    with _DRAWING:
        _DRAWN[rules] = version, chart
    return chart


_DRAWN: LRUCache[Rules, tuple[tuple[int, ...], charts.Chart]] = LRUCache(64)
"""The newest charts of rules from added folders, and the times at which the files were changed."""

_DRAWING = Lock()
"""The lock held while those charts are looked up."""

"""The view each power has of a position and of the phase that led to it, from the same code as the views of players."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from plenipo import jsonlines
from plenipo.cases.views import SubmittedOrderSets, each_order_set
from plenipo.engine.history import record
from plenipo.engine.history.game import Game
from plenipo.engine.history.turns import Turn, Turns
from plenipo.engine.history.view import view
from plenipo.engine.outcome import Resolution
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.errors import PlenipoError

__all__ = ["SPECTATOR", "views_of"]

SPECTATOR = "spectator"
"""The name of a spectator."""


@dataclass(frozen=True)
class _Views(Mapping[str, Mapping[str, object]]):
    """The views of a game by viewer, each computed when needed."""

    game: Game

    def __getitem__(self, name: str) -> Mapping[str, object]:
        try:
            who = None if name == SPECTATOR else self.game.rules.power(name)
        except PlenipoError as fault:
            raise KeyError(name) from fault
        return _encode_view(self.game, who)

    def __iter__(self) -> Iterator[str]:
        return iter((*self.game.rules.names, SPECTATOR))

    def __len__(self) -> int:
        return len(self.game.rules.names) + 1


def _encode_view(game: Game, who: Power | None) -> dict[str, object]:
    """Return the position as `who` sees it, and the visible orders, results, events and draws of the played phase."""
    seen = view(game, who, {})
    shown: dict[str, object] = {
        "contested": [],
        "changes": [],
        "slots": {},
        **jsonlines.encode_position(game.rules, seen.position),
        "homes": {power: sorted(codes) for power, codes in seen.position.homes.items()},
        "orders": {},
        "results": {},
        "events": [],
        "draws": [],
    }
    for turn in seen.turns:
        came = turn.resolution
        shown |= {
            "orders": {str(power): list(texts) for power, texts in turn.orders.items()},
            "results": {str(one.unit): str(one.result) for one in came.outcomes if one.unit is not None},
            "events": [record.encode_event(event) for event in came.events],
            "draws": [record.encode_draw(draw) for draw in came.draws],
        }
    return shown


def views_of(
    rules: Rules,
    position: Position,
    order_sets: SubmittedOrderSets = (),
    resolution: Resolution | None = None,
) -> Mapping[str, Mapping[str, object]]:
    """Return the views that each power and a spectator have of `position`.

    With a `resolution`, these are views of its result, reached by the orders of `order_sets`.
    """
    game = Game(rules, position)
    if resolution is not None:
        given = {power: tuple(texts) for power, texts in each_order_set(rules, order_sets)}
        game = Game(rules, position, Turns([Turn(given, resolution)]))
    return _Views(game)

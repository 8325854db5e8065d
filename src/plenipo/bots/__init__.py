"""Computer players: a view and the legal orders in, orders out.

A player is a function of what its power may see, what it may order, and a source of chance; it keeps nothing between
phases. It works for any variant, since all it knows comes from the view and the legal orders.

Those named after a level (`plenipo.bots.levels`) think ahead on the kernel; `think` is the same with a seed and a
budget. Without Numba, and where the kernel cannot take the rules, they play by rules of thumb; `why_slow` says why.
"""

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from random import Random

from plenipo.bots.careless import careless
from plenipo.bots.sensible import sensible
from plenipo.engine.history.view import View
from plenipo.engine.legality import Legality, LegalOrders
from plenipo.engine.orders import Order
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules

__all__ = ["BOTS", "Bot", "orders_of", "think", "why_slow"]

Bot = Callable[[View, LegalOrders, Random], list[Order]]
"""What a computer player is: what its power sees, what it may order, chance -> its orders for the phase."""

SEED_BITS = 64

NAMES = ("quick", "middling", "strong", "strongest")
"""The levels, from the weakest; see `plenipo.bots.levels.LEVELS`."""


def think(view: View, legal: LegalOrders, seed: int, level: str, budget: float | None = None) -> list[Order]:
    """The orders of the power of `legal` at a level: the same for the same view, seed (64 bits) and level.

    A `budget` in milliseconds ends the thinking with the best so far. Raises `KeyError` for a level there is not.
    """
    if find_spec("numba") is None:
        return sensible(view, legal, Random(seed))
    from plenipo.bots import levels, thinking  # noqa: PLC0415  # they need Numba

    return thinking.think(view, legal, seed, levels.LEVELS[level], budget)


def why_slow(rules: Rules) -> str:
    """Why the levels play by rules of thumb under these rules, a sentence; empty if they think."""
    if find_spec("numba") is None:
        return "Numba is not installed, so the computers play by rules of thumb."
    from plenipo.bots import thinking  # noqa: PLC0415  # it needs Numba

    return thinking.why_not(rules)


def _thinking(level: str) -> Bot:
    """The computer player of a level; its seed is one draw of the chance it is given."""

    def player(view: View, legal: LegalOrders, chance: Random) -> list[Order]:
        return think(view, legal, chance.getrandbits(SEED_BITS), level)

    player.__name__ = player.__qualname__ = level
    player.__doc__ = f"Thinks ahead, {level}."
    return player


BOTS: Mapping[str, Bot] = {
    "sensible": sensible,
    "careless": careless,
    **{level: _thinking(level) for level in NAMES},
}
"""The computer players by name: by rules of thumb, anything legal, and the levels of the one that thinks."""


def orders_of(player: Bot, view: View, power: Power, chance: Random) -> list[Order]:
    """The orders of a computer player for `power`."""
    return player(view, Legality(view.rules, view.position).orders_of(power), chance)

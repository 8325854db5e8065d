"""Computer players: a view and the legal orders in, orders out.

A player is a function of the view of its power, its legal orders, and a source of chance; it keeps nothing between
phases. It works for any variant, since all it knows comes from the view and the legal orders.

Those named after a level think ahead on the kernel; `think` is the same with a seed and a budget. Persons do so too,
each in a way of its own. Without Numba, and
where the kernel cannot take the rules, they play by rules of thumb; `why_slow` says why. Their first thought compiles
for most of a minute, less for `quick`, unless `plenipo warm` has; `is_compiled` says whether it has.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from plenipo.bots.careless import careless
from plenipo.bots.declaring import declare
from plenipo.bots.hints import Hint
from plenipo.bots.hints import hints as of_plans
from plenipo.bots.sensible import sensible
from plenipo.engine.budgets import affordable
from plenipo.engine.history.view import View
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import Legality, LegalOrders
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import SentenceKind

__all__ = [
    "BOTS",
    "FIRST_COMPILED",
    "LEVELS",
    "PERSONS",
    "Bot",
    "Hint",
    "WeighedOrders",
    "estimate_shares",
    "hints",
    "is_compiled",
    "mark_compiled",
    "orders_of",
    "simple_hints",
    "think",
    "thinks",
    "weigh_orders",
    "why_simple",
    "why_slow",
]

_NUMBA_MISSING = SentenceKind("numba-missing", "Numba is not installed here, so the computers play by rules of thumb.")

Bot = Callable[[View, LegalOrders, Random], list[Order]]
"""A computer player: a function of its power's view, its legal orders and chance that returns orders for the phase."""

SEED_BITS = 64

LEVELS = {
    "quick": "A glance ahead.",
    "middling": "A turn ahead.",
    "strong": "A turn ahead, and what its neighbours look for.",
    "strongest": "A turn ahead, and what all others look for.",
}
"""The players that think ahead, from the weakest, in plain words; `plenipo.bots.levels` has what each spends."""

FIRST_COMPILED = "quick"
"""The level that is compiled first: it runs a part of the code of the others, which all run the same."""

PERSONS = {
    "raider": "Goes for others' centres.",
    "builder": "Goes for free centres.",
    "guardian": "Holds what it has.",
}
"""Players that think about as far as `middling`, and show a character; `plenipo.bots.levels` has what makes it."""


@cache
def why_simple() -> str:
    """Return the reason why no player can think ahead here, as a sentence; empty if they can."""
    try:
        from plenipo.batch import cached  # noqa: F401, PLC0415  # whether it can be had is the question
    except ImportError:
        return _NUMBA_MISSING()
    return ""


def is_compiled(level: str = "") -> bool:
    """Return whether all that thinking ahead needs, or what one level needs, has been compiled and kept.

    False where it cannot be compiled.
    """
    if why_simple():
        return False
    from plenipo.batch.cached import is_marked  # noqa: PLC0415  # it needs Numba
    from plenipo.bots.compiling import CACHE  # noqa: PLC0415

    return is_marked(CACHE) or (level == FIRST_COMPILED and is_marked(CACHE, level))


def mark_compiled(level: str = "") -> None:
    """Note that all, or what `FIRST_COMPILED` needs, has been compiled; for `plenipo.warm`, which has seen to it."""
    from plenipo.batch.cached import WHOLE, mark  # noqa: PLC0415  # it needs Numba
    from plenipo.bots.compiling import CACHE  # noqa: PLC0415

    mark(CACHE, level or WHOLE)


def think(
    view: View, legal: LegalOrders, seed: int, level: str, budget: float | None = None, *, declares: bool = True
) -> list[Order]:
    """Return the orders of the power of `legal` at a level or of a person; the same for the same view, name and seed.

    A `budget` in milliseconds of processor time ends the thinking with the best so far. With them come the declarations
    that pay, unless `declares` is false. Raises `KeyError` for a name there is not.
    """
    orders = _plan(view, legal, seed, level, budget)
    return declare(view, legal, orders, Random(seed)) if declares else orders


def _plan(view: View, legal: LegalOrders, seed: int, level: str, budget: float | None) -> list[Order]:
    """Return the orders of a level or a person, without declarations."""
    if why_simple():
        return sensible(view, legal, Random(seed))
    from plenipo.bots import levels, thinking  # noqa: PLC0415  # they need Numba

    if level in PERSONS:
        person = levels.PERSONS[level]
        return thinking.think(view, legal, seed, person.level, budget, person.styles)
    return thinking.think(view, legal, seed, levels.LEVELS[level], budget)


def hints(view: View, legal: LegalOrders, seed: int, most: int = 3) -> tuple[Hint, ...]:
    """Return up to `most` plans for the power of `legal`, the best first, each with its expected results and risks.

    Return one plan by rules of thumb where no player can think ahead, and in phases for which there is no search.
    """
    if not why_simple():
        from plenipo.bots import levels, thinking  # noqa: PLC0415  # they need Numba

        weighed = thinking.weigh_plans(view, legal, seed, levels.WEIGHING)
        if weighed is not None:
            return of_plans(view, legal, weighed.plans, weighed.samples, most)
    return simple_hints(view, legal)


def simple_hints(view: View, legal: LegalOrders) -> tuple[Hint, ...]:
    """One plan by rules of thumb, without what it expects."""
    orders = tuple(sensible(view, legal, Random(0)))
    return (Hint(orders, 0.0),) if orders else ()


def estimate_shares(
    rules: Rules, position: Position, seed: int, movements: int, times: int
) -> dict[Power, float] | None:
    """Return the share of the board each power may expect, which add up to 1; None where it cannot be estimated.

    Games are played on from the position by the policy, for so many movements, so many times.
    """
    if why_slow(rules):
        return None
    from plenipo.bots import thinking  # noqa: PLC0415  # it needs Numba

    return thinking.estimate_shares(rules, position, seed, movements, times)


class WeighedOrders(NamedTuple):
    """Given orders beside the best plan known at the time; if no plan is better, the orders are this plan."""

    given: float
    """The share of the board that the given orders promise, from 0 to 1."""
    best: float
    """The share of the board that the plan promises; never less than `given`."""
    plan: tuple[Order, ...]


def weigh_orders(view: View, legal: LegalOrders, orders: Sequence[Order], seed: int) -> WeighedOrders | None:
    """Return orders of a movement beside the best plan known then; None where nothing is searched.

    Only the view counts, never the orders of the others. The same seed has the same plans and samples.
    """
    if why_slow(view.rules):
        return None
    from plenipo.bots import thinking  # noqa: PLC0415  # it needs Numba

    weighed = thinking.weigh_orders(view, legal, orders, seed)
    return None if weighed is None else WeighedOrders(*weighed)


def why_slow(rules: Rules) -> str:
    """Return a sentence that says why the levels play by rules of thumb under these rules; empty if they think."""
    if why_simple():
        return why_simple()
    from plenipo.bots import thinking  # noqa: PLC0415  # it needs Numba

    return thinking.why_not(rules)


def _thinking(level: str, words: str) -> Bot:
    """Return the computer player of a level; its seed is one draw of the chance it is given."""

    def player(view: View, legal: LegalOrders, chance: Random) -> list[Order]:
        return think(view, legal, chance.getrandbits(SEED_BITS), level)

    player.__name__ = player.__qualname__ = level
    player.__doc__ = words
    return player


def _sensible(view: View, legal: LegalOrders, chance: Random) -> list[Order]:
    """Rules of thumb."""
    return declare(view, legal, sensible(view, legal, chance), chance)


_sensible.__name__ = _sensible.__qualname__ = "sensible"

BOTS: Mapping[str, Bot] = {
    "careless": careless,
    "sensible": _sensible,
    **{name: _thinking(name, words) for name, words in {**LEVELS, **PERSONS}.items()},
}
"""The computer players by name, from the weakest, then persons; their docstrings say in plain words how they play."""


def thinks(player: Bot) -> bool:
    """Return True if a player thinks ahead in compiled code, so that several may do so at once."""
    return not why_simple() and any(player is BOTS[name] for name in (*LEVELS, *PERSONS))


def orders_of(player: Bot, view: View, power: Power, chance: Random) -> list[Order]:
    """Return the orders of a computer player for `power`."""
    orders = player(view, Legality(view.rules, view.position).orders_of(power), chance)
    return affordable(view.rules, view.position, power, orders)

"""Computer players that make deals: a level and a style of dealing, as in `strong+deals`."""

from dataclasses import dataclass
from enum import StrEnum
from random import Random

from plenipo import bots
from plenipo.bots.deals.talks import OfferAnswer, Reply, Talks
from plenipo.bots.declaring import declare
from plenipo.engine.history.view import View
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import LegalOrders
from plenipo.engine.sentences import SentenceKind

__all__ = ["DEAL_STYLES", "JOINT", "NO_DEALS", "DealStyle", "Dealer", "Keeping", "find_dealer"]

NO_DEALS = SentenceKind("refusal-no-deals", "I make no deals here.")

JOINT = "+"
"""The mark between the level and the style in the name of a player."""

SEED_BITS = 64


class Keeping(StrEnum):
    """The cases in which a player keeps its promises."""

    ALWAYS = "always"
    IF_BETTER = "if it pays"
    """It breaks one where that brings more than the deals that it then cannot make."""
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class DealStyle:
    """A way of dealing: when promises are kept, and whether breaches are punished."""

    words: str
    keeping: Keeping
    punishes: bool = True


DEAL_STYLES = {
    "deals": DealStyle("Makes deals, and keeps them unless a breach pays.", Keeping.IF_BETTER),
    "loyal": DealStyle("Makes deals, and keeps them.", Keeping.ALWAYS),
    "trusting": DealStyle("Makes deals, keeps them, and forgives breaches.", Keeping.ALWAYS, punishes=False),
    "traitor": DealStyle("Makes deals, and orders what it likes.", Keeping.NEVER),
}
"""The styles of dealing by name; a player that is silent has a level alone."""


@dataclass(frozen=True, slots=True)
class Dealer:
    """A computer player that makes deals; like all of them it keeps nothing between phases."""

    level: str
    style: DealStyle

    def orders(self, view: View, legal: LegalOrders, chance: Random, talks: Talks) -> list[Order]:
        """Return its orders, given the deals it has made."""
        seed = chance.getrandbits(SEED_BITS)
        if bots.why_slow(view.rules):
            return bots.think(view, legal, seed, self.level)
        from plenipo.bots.deals import bargaining  # noqa: PLC0415  # it needs Numba
        from plenipo.bots.levels import LEVELS  # noqa: PLC0415  # the same

        orders = bargaining.think_with_deals(view, legal, seed, LEVELS[self.level], self.style, talks)
        bound = any(one.open_clauses for one in talks.agreements)
        return declare(view, legal, orders, Random(seed), bound=bound)  # noqa: S311  # the same for the same seed

    def negotiate(
        self, view: View, legal: LegalOrders, chance: Random, talks: Talks, *, explains: bool = False
    ) -> Reply:
        """Return its answers to the offers it has, and offers of its own; with the reasons for a person."""
        seed = chance.getrandbits(SEED_BITS)
        if bots.why_slow(view.rules):
            return Reply({offer.number: OfferAnswer(accepts=False, reason=NO_DEALS()) for offer in talks.offers})
        from plenipo.bots.deals import bargaining  # noqa: PLC0415  # it needs Numba

        return bargaining.bargain(view, legal, seed, self.style, talks, explains=explains)


def find_dealer(name: str) -> Dealer | None:
    """Return the player of a name such as `strong+deals`; None if it is no name of such a player."""
    level, _, style = name.partition(JOINT)
    if level in bots.LEVELS and style in DEAL_STYLES:
        return Dealer(level, DEAL_STYLES[style])
    return None

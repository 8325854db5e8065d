"""Chance that can be verified.

Before the first draw the SHA-256 of a secret seed is published, which commits the game to it. Each draw is made from
the HMAC-SHA-256 of a label under that seed, so that no player can influence its result and every player can repeat it
once the seed is known. Every draw is stored with its label, the content of the draw pile and the result.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from plenipo.engine.immutable import Brief
from plenipo.engine.sentences import SentenceKind, Series, say
from plenipo.engine.wording import shorten
from plenipo.errors import InvalidRecord, MissingDice, MissingDraw

__all__ = ["DECK", "SEED_BYTES", "Dice", "Draw", "DrawSource", "card_value", "lots"]

SEED_BYTES = 32
"""The length of a seed."""


RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS = ("C", "D", "H", "S")
"""Clubs, diamonds, hearts, spades, from the lowest to the highest."""

DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""The 52 cards, from the lowest to the highest: `2C`, `2D`, … `AS`."""

_NOT_IN_HAT = SentenceKind("draw-impossible", "'{entry}' cannot be drawn for '{label}'; the draw pile has {slips}.")
_NO_CARD = SentenceKind("draw-no-card", "'{entry}' is not for '{label}'; cards go to {names}.")
_CARD_TWICE = SentenceKind(
    "draw-card-twice", "'{card}' comes twice in '{entry}' for '{label}'; everybody has one card of one deck."
)
_TOO_FEW_CARDS = SentenceKind(
    "draw-too-few-cards", "'{entry}' is not enough for '{label}'; write the {number} highest, like 'NWY KS, BEL QH'."
)
_NOT_DRAWN_YET = SentenceKind(
    "draw-missing", "'{label}' has not been drawn yet; write 'DRAW {label}: …' with the result."
)


def card_value(card: str) -> int:
    """Return the rank of a card, from 0; raises `InvalidRecord` if there is no such card.

    >>> card_value("JD") < card_value("JS") < card_value("QC")
    True
    """
    if card not in DECK:
        raise InvalidRecord(say("'{card}' is not a card; write rank and suit, like 10C or KS.", card=card))
    return DECK.index(card)


def lots(many: int) -> tuple[str, ...]:
    """Return lots for this many names, from the lowest to the highest: cards of a deck, or numbers for more names.

    >>> lots(2) == DECK, lots(53)[-1]
    (True, '53')
    """
    return DECK if many <= len(DECK) else tuple(str(number) for number in range(1, many + 1))


@dataclass(frozen=True, slots=True)
class Draw(Brief):
    """One draw from a draw pile: its label, the slips in canonical order, the slip that was drawn.

    For a deal from a shuffled deck, `dealt` are the names that got a card, alphabetically, and `result` the cards in
    the same order, or numbers where there are more names than cards; `slips` is empty. `entered` says that a person
    drew and entered the result.
    """

    label: str
    slips: tuple[str, ...]
    result: str
    entered: bool = False
    dealt: tuple[str, ...] = ()

    @property
    def cards(self) -> dict[str, str]:
        """The card that each name was dealt."""
        return dict(zip(self.dealt, self.result.split(), strict=True)) if self.dealt else {}


@dataclass(frozen=True, slots=True)
class Dice:
    """A seed of 32 secret bytes; raises `InvalidRecord` for any other length.

    >>> dice = Dice(bytes(32))
    >>> dice.commitment[:16]
    '66687aadf862bd77'
    >>> dice.draw("demo", ["b", "a", "c"]) == dice.draw("demo", ["c", "b", "a"])
    True
    """

    seed: bytes

    def __post_init__(self) -> None:
        if len(self.seed) != SEED_BYTES:
            raise InvalidRecord(say("A seed has {bytes} bytes, not {number}.", bytes=SEED_BYTES, number=len(self.seed)))

    @classmethod
    def from_hex(cls, text: str) -> "Dice":
        """Return the dice of a seed in hex; raises `InvalidRecord` for any other text."""
        try:
            return cls(bytes.fromhex(text))
        except (ValueError, InvalidRecord) as fault:
            raise InvalidRecord(
                say(
                    "'{text}' is not a seed; write {digits} digits of hex.",
                    text=shorten(text, 80),
                    digits=2 * SEED_BYTES,
                )
            ) from fault

    def __repr__(self) -> str:
        return f"<dice committed to {self.commitment}>"  # never the seed itself

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed in hex, to be published before the first draw."""
        return hashlib.sha256(self.seed).hexdigest()

    def number(self, label: str, below: int) -> int:
        """Return a number from 0 to `below` - 1, each equally likely.

        The HMAC of `label|0` is taken as a number; if it falls into the uneven rest, `label|1` is tried, and so on.
        """
        size = 2**256
        fair = size - size % below
        for attempt in count():
            digest = hmac.new(self.seed, f"{label}|{attempt}".encode(), hashlib.sha256).digest()
            value = int.from_bytes(digest, "big")
            if value < fair:
                return value % below
        raise AssertionError("the attempts have no end")

    def draw(self, label: str, slips: Iterable[str]) -> Draw:
        """Draw one of `slips`, which must not be empty; their order does not matter, the label decides."""
        hat = tuple(sorted(slips))
        return Draw(label, hat, hat[self.number(label, len(hat))])

    def shuffle(self, label: str, slips: Iterable[str]) -> tuple[str, ...]:
        """Return all of `slips` in random order (Fisher-Yates, one labelled number for each place)."""
        hat = sorted(slips)
        for place in range(len(hat) - 1, 0, -1):
            other = self.number(f"{label}|{place}", place + 1)
            hat[place], hat[other] = hat[other], hat[place]
        return tuple(hat)

    def deal(self, label: str, names: Iterable[str]) -> Draw:
        """Deal each of `names`, in any order, a card of a shuffled deck, or a number from 1 where there are more."""
        dealt = tuple(sorted(names))
        return Draw(label, (), " ".join(self.shuffle(label, lots(len(dealt)))[: len(dealt)]), dealt=dealt)

    def check(self, draws: Sequence[Draw]) -> None:
        """Repeat every draw that was not entered by hand; raises `InvalidRecord` naming the first that differs."""
        for made in draws:
            if made.entered:
                continue
            again = self.deal(made.label, made.dealt) if made.dealt else self.draw(made.label, made.slips)
            if again != made:
                raise InvalidRecord(
                    say(
                        "The draw '{label}' gives '{result}', but '{recorded}' is recorded.",
                        label=made.label,
                        result=again.result,
                        recorded=made.result,
                    )
                )


@dataclass
class DrawSource:
    """The source of the slips and cards of one phase, and the log of the results.

    `where` begins every label. Slips come from the game's `dice`, or, if `entered` is not None, they are the results
    that the game master (GM) entered, by label. It is made for one phase, filled while that runs, and read then.
    """

    where: str
    dice: Dice | None = None
    entered: Mapping[str, str] | None = None
    drawn: list[Draw] = field(default_factory=list)

    def draw(self, label: str, slips: Iterable[str]) -> str:
        """Draw one of `slips`, which must not be empty; raises `MissingDraw` or `MissingDice` if none can be drawn."""
        hat = tuple(sorted(slips))
        if self.entered is None:
            made = self._dice(label).draw(self._full(label), hat)
        else:
            entry = self._entry(label, hat)
            result = next((slip for slip in hat if slip.casefold() == entry.casefold()), None)
            if result is None:
                why = _NOT_IN_HAT(entry=entry, label=label, slips=Series(hat))
                raise MissingDraw(why, label=label, slips=hat)
            made = Draw(self._full(label), hat, result, entered=True)
        self.drawn.append(made)
        return made.result

    def rank(self, label: str, names: Iterable[str], needed: int = 1) -> tuple[str, ...]:
        """Return `names` from the highest card to the lowest, of which the first `needed` count; raises as `draw` does.

        The GM enters cards, `NWY KS, BEL QH`, or the names alone, the highest first; names without a card come last.
        """
        dealt = tuple(sorted(names))
        height = {lot: place for place, lot in enumerate(lots(len(dealt)))}
        if self.entered is None:
            made = self._dice(label).deal(self._full(label), dealt)
            self.drawn.append(made)
            hands = made.cards
            return tuple(sorted(dealt, key=lambda name: height[hands[name]], reverse=True))
        wanted = min(needed, len(dealt))
        entry = self._entry(label, dealt, wanted)
        known = {name.casefold(): name for name in dealt}
        order: list[tuple[int, str]] = []
        cards: list[str] = []
        for place, item in enumerate(part.strip() for part in entry.split(",")):
            name, _, card = item.rpartition(" ")
            if name.casefold() in known and card.upper() in height:
                order.append((-height[card.upper()], known[name.casefold()]))
                cards.append(card.upper())
            elif item.casefold() in known:
                order.append((place - len(height), known[item.casefold()]))
            else:
                why = _NO_CARD(entry=item, label=label, names=Series(dealt))
                raise MissingDraw(why, label=label, slips=dealt, cards=wanted)
        first = tuple(name for _, name in sorted(order))
        for twice in (*first, *cards):
            if (*first, *cards).count(twice) > 1:
                why = _CARD_TWICE(card=twice, entry=entry, label=label)
                raise MissingDraw(why, label=label, slips=dealt, cards=wanted)
        if len(first) < wanted:
            why = _TOO_FEW_CARDS(entry=entry, label=label, number=needed)
            raise MissingDraw(why, label=label, slips=dealt, cards=wanted)
        self.drawn.append(Draw(self._full(label), dealt, ", ".join(first), entered=True))
        return first + tuple(name for name in dealt if name not in first)

    def _full(self, label: str) -> str:
        return f"{self.where}|{label}"

    def _dice(self, label: str) -> Dice:
        if self.dice is None:
            raise MissingDice(
                say(
                    "'{label}' must be drawn in {where}, and this game has no dice; give it a seed.",
                    label=label,
                    where=self.where,
                )
            )
        return self.dice

    def _entry(self, label: str, hat: tuple[str, ...], cards: int = 0) -> str:
        entries = {key.casefold(): value for key, value in (self.entered or {}).items()}
        if label.casefold() not in entries:
            why = _NOT_DRAWN_YET(label=label)
            raise MissingDraw(why, label=label, slips=hat, cards=cards)
        return entries[label.casefold()].strip()

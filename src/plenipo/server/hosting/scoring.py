"""Scoring systems: the points of each seat in a finished game, as pure functions that print their sum.

The unit counted is the one that wins in the variant: centres, pieces or points. A game won by one power alone, or
conceded to it, is a solo; all others are draws between the survivors, or between the powers that a draw names.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from plenipo.engine.position import Power
from plenipo.engine.sentences import SentenceKind
from plenipo.languages import mark

__all__ = ["SYSTEMS", "Final", "Scoring", "SeatScore", "System", "format_points", "score_seats"]

_WON_ALONE = SentenceKind("server-score-won-alone", "won alone: {points}")
_OTHER_WON = SentenceKind("server-score-other-won", "{power} won alone: 0")
_NOBODY_WON = SentenceKind("server-score-nobody-won", "nobody won alone: 0")
_NOT_IN_DRAW = SentenceKind("server-score-not-in-draw", "not in the draw: 0")
_GETS_TRIBUTE = SentenceKind("server-score-gets-tribute", "{own} + tribute {tribute} = {points}")
_PAYS_TRIBUTE = SentenceKind("server-score-pays-tribute", "{own} - tribute {tribute} = {points}")
_NOTHING_LEFT = SentenceKind("server-score-nothing-left", "nothing left: 0")


@dataclass(frozen=True)
class Final:
    """The end of a game: the count of each seat, and the powers that share the result; one alone has won."""

    counts: Mapping[Power, int]
    sharing: tuple[Power, ...]

    @property
    def solo(self) -> Power | None:
        """The power with a solo, None if there is none."""
        return self.sharing[0] if len(self.sharing) == 1 else None

    @property
    def total(self) -> int:
        """The sum of all counts."""
        return sum(self.counts.values())


@dataclass(frozen=True)
class SeatScore:
    """The points of a seat, and the sum that yields them."""

    points: Fraction
    sum: str


Scores = Mapping[Power, SeatScore]


def format_points(points: Fraction) -> str:
    """Return points as text: at most two decimal places."""
    rounded = round(points, 2)
    return f"{float(rounded):.2f}".rstrip("0").rstrip(".")


def _solo(final: Final, points: Fraction | int) -> Scores | None:
    if final.solo is None:
        return None
    return {
        power: SeatScore(Fraction(points), _WON_ALONE(points=format_points(Fraction(points))))
        if power == final.solo
        else SeatScore(Fraction(0), _OTHER_WON(power=final.solo))
        for power in final.counts
    }


def solos_only(final: Final) -> Scores:
    """Give all points to a solo; a draw scores nothing."""
    drawn = {power: SeatScore(Fraction(0), _NOBODY_WON()) for power in final.counts}
    return _solo(final, 100) or drawn


def draw_size(final: Final) -> Scores:
    """Share a hundred points equally among the powers in the draw, whatever their counts."""
    share = Fraction(100, max(1, len(final.sharing)))
    words = f"100 / {len(final.sharing)}"
    return _solo(final, 100) or {
        power: SeatScore(share, f"{words} = {format_points(share)}")
        if power in final.sharing
        else SeatScore(Fraction(0), _NOT_IN_DRAW())
        for power in final.counts
    }


def sum_of_squares(final: Final) -> Scores:
    """Share a hundred points in proportion to the squares of the counts."""
    whole = sum(count**2 for count in final.counts.values())

    def share(count: int) -> SeatScore:
        points = Fraction(100 * count**2, whole or 1)
        return SeatScore(points, f"100 * {count}² / {whole} = {format_points(points)}")

    return _solo(final, 100) or {power: share(count) for power, count in final.counts.items()}


def _places(final: Final, value: tuple[int, ...]) -> dict[Power, tuple[Fraction, str]]:
    """Return the points of each seat for its place, with their explanation.

    Equal seats share the points of their places.
    """
    ranked = sorted(final.counts, key=lambda power: -final.counts[power])
    scores = {}
    for power in ranked:
        same = [place for place, other in enumerate(ranked) if final.counts[other] == final.counts[power]]
        values = [value[place] if place < len(value) else 0 for place in same]
        points = Fraction(sum(values), len(values))
        words = format_points(points) if len(values) == 1 else f"({' + '.join(map(str, values))}) / {len(values)}"
        scores[power] = (points, words)
    return scores


def c_diplo(final: Final) -> Scores:
    """Give one point for taking part, one for each centre, and points for the first three places.

    The places give 38, 14 and 7; equals share.
    """
    value = (38, 14, 7)
    places = _places(final, value)

    def of(power: Power) -> SeatScore:
        place, words = places[power]
        points = 1 + final.counts[power] + place
        return SeatScore(points, f"1 + {final.counts[power]} + {words} = {format_points(points)}")

    return _solo(final, len(final.counts) + final.total + sum(value)) or {power: of(power) for power in final.counts}


def open_tribute(final: Final) -> Scores:
    """Give as many points as there are centres and three for each own one; all pay the leader's surplus over them.

    An eliminated power scores nothing. N equal leaders get each one part in N² of the tribute, rounded down.
    """
    base, most = final.total, max(final.counts.values(), default=0)
    leaders = [power for power, count in final.counts.items() if count == most]
    tribute = {power: (most - count if count else base) for power, count in final.counts.items() if count < most}
    paid = sum(tribute.values()) // len(leaders) ** 2 if leaders else 0

    def of(power: Power) -> SeatScore:
        count = final.counts[power]
        own = f"{base} + 3 * {count}"
        if power in leaders:
            part = f" / {len(leaders)}²" if len(leaders) > 1 else ""
            points = base + 3 * count + paid
            return SeatScore(
                Fraction(points), _GETS_TRIBUTE(own=own, tribute=f"{sum(tribute.values())}{part}", points=points)
            )
        if not count:
            return SeatScore(Fraction(0), _NOTHING_LEFT())
        points = base + 3 * count - tribute[power]
        return SeatScore(Fraction(points), _PAYS_TRIBUTE(own=own, tribute=tribute[power], points=points))

    return _solo(final, base * (len(final.counts) + 3)) or {power: of(power) for power in final.counts}


def carnage(final: Final) -> Scores:
    """Give a thousand for each place from the last up, shared by equals, and one for each centre."""
    value = tuple(1000 * place for place in range(len(final.counts), 0, -1))
    places = _places(final, value)

    def of(power: Power) -> SeatScore:
        place, words = places[power]
        points = place + final.counts[power]
        return SeatScore(points, f"{words} + {final.counts[power]} = {format_points(points)}")

    return _solo(final, sum(value) + final.total) or {power: of(power) for power in final.counts}


System = Callable[[Final], Scores]

Scoring = Literal["Draw size", "Sum of squares", "Solos only", "C-Diplo", "OpenTribute", "Carnage"]

SYSTEMS: dict[Scoring, System] = {
    "Draw size": draw_size,
    "Sum of squares": sum_of_squares,
    "Solos only": solos_only,
    "C-Diplo": c_diplo,
    "OpenTribute": open_tribute,
    "Carnage": carnage,
}
"""The systems by their names."""

NAMES = (
    mark("Draw size"),
    mark("Sum of squares"),
    mark("Solos only"),
    mark("C-Diplo"),
    mark("OpenTribute"),
    mark("Carnage"),
)
"""The names of the systems, for translators."""


def score_seats(system: Scoring, final: Final) -> dict[Power, SeatScore]:
    """Return the score of each seat in a system, best first, by name where equal."""
    scores = SYSTEMS[system](final)
    return dict(sorted(scores.items(), key=lambda item: (-item[1].points, item[0])))

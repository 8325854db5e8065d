"""The presentation of a review, as rows, sentences and a page; pure."""

from html import escape

from plenipo.engine.wording import listing
from plenipo.languages.current import mark
from plenipo.matches.accuracy import Grade, RatedOrders, find_difference
from plenipo.matches.plots import curves, page, table
from plenipo.matches.review import Review, TurningPoint

__all__ = ["ACCURACY_COLUMNS", "COLUMNS", "accuracy_rows", "html", "mistakes", "openings", "rows", "sentences"]

COLUMNS = (mark("power"), mark("at first"), mark("at best"), mark("at worst"), mark("at last"))
"""The columns of a table of each power's expected share."""

ACCURACY_COLUMNS = (mark("power"), mark("accuracy"), mark("inaccuracies"), mark("mistakes"), mark("blunders"))
"""The columns of a table of each power's accuracy."""

MOST_MISTAKES = 20
"""The largest number of mistakes on the page."""


def rows(review: Review) -> list[tuple[str, ...]]:
    """Return the powers, a row each, the best final share first."""
    ranked = sorted(review.shares.items(), key=lambda item: -item[1][-1])
    return [
        (power, *(f"{share:.2f}" for share in (shares[0], max(shares), min(shares), shares[-1])))
        for power, shares in ranked
    ]


def accuracy_rows(review: Review) -> list[tuple[str, ...]]:
    """Return the powers, a row each, the most accurate first."""
    counted = (Grade.INACCURACY, Grade.MISTAKE, Grade.BLUNDER)
    return [
        (one.power, f"{one.accuracy:.0f}", *(str(one.grades[grade]) for grade in counted)) for one in review.accuracies
    ]


def mistakes(review: Review, most: int) -> list[str]:
    """Return the orders with the greatest losses, at most so many, beside the best plans known at the time."""
    graded = sorted((one for one in review.rated if one.grade is not Grade.GOOD), key=lambda one: -one.loss)
    return [_describe_loss(one) for one in graded[:most]]


def _describe_loss(rated: RatedOrders) -> str:
    given, better = find_difference(rated)
    return (
        f"{rated.phase} (turn {rated.turn + 1}): {rated.power} lost {rated.loss:.2f} ({rated.grade}) with "
        f"{listing(given) or 'its orders'} instead of {listing(better) or 'holding'}."
    )


def openings(review: Review) -> list[str]:
    """Return the names of the openings, a sentence for each power that has one."""
    return [f"{power} opened with: {name}." for power, name in review.openings.items()]


def sentences(review: Review) -> list[str]:
    """Return the turning points, the greatest change first."""
    return [_describe_change(turning) for turning in review.turning]


def _describe_change(turning: TurningPoint) -> str:
    ranked = sorted(turning.change.items(), key=lambda item: -item[1])
    changes = listing(f"{power} {change:+.2f}" for power, change in ranked) or "little changed"
    return f"{turning.phase} (turn {turning.turn + 1}): {changes}."


def html(review: Review) -> str:
    """Return the page: a curve for each power, the turning points, the accuracies and the worst orders."""
    series = {
        power: [(float(turn), share) for turn, share in zip(review.turns, shares, strict=True)]
        for power, shares in review.shares.items()
    }
    plot = curves("Share of the board that each power could expect", series, across="turns played")
    turns = "".join(f"<li>{escape(one)}</li>\n" for one in sentences(review))
    body = (
        f"<p>What each power could expect of the board, before each movement and in the end.</p>\n{plot}"
        f"{_opening_section(review)}<h2>Key turns</h2>\n<ol>\n{turns}</ol>\n{_accuracy_section(review)}"
    )
    return page(f"Review of a game of {review.title}", body)


def _opening_section(review: Review) -> str:
    named = "".join(f"<li>{escape(one)}</li>\n" for one in openings(review))
    return f"<h2>Openings</h2>\n<ul>\n{named}</ul>\n" if named else ""


def _accuracy_section(review: Review) -> str:
    if not review.accuracies:
        return ""
    worst = "".join(f"<li>{escape(one)}</li>\n" for one in mistakes(review, MOST_MISTAKES))
    return (
        f"<h2>Accuracy</h2>\n<p>How close the orders came to the best plans known at the time: 100 is as close as "
        f"the search.</p>\n{table(ACCURACY_COLUMNS, accuracy_rows(review))}\n<ol>\n{worst}</ol>\n"
    )

"""The presentation of a review, as rows, sentences and a page; pure."""

from html import escape

from plenipo.engine.wording import listing
from plenipo.languages.current import mark
from plenipo.matches.plots import curves, page, table
from plenipo.matches.review import Review, TurningPoint

__all__ = ["ACCURACY_COLUMNS", "COLUMNS", "accuracy_rows", "html", "mistakes", "rows", "sentences"]

COLUMNS = (mark("power"), mark("at first"), mark("at best"), mark("at worst"), mark("at last"))
"""The columns of a table of each power's expected share."""

ACCURACY_COLUMNS = (mark("power"), mark("accuracy"), mark("inaccuracies"), mark("mistakes"), mark("blunders"))
"""The columns of a table of each power's accuracy."""

MOST_MISTAKES = 10
"""The most mistakes that are told, the greatest ones."""


def rows(review: Review) -> list[tuple[str, ...]]:
    """Return the powers, a row each, the best final share first."""
    ranked = sorted(review.shares.items(), key=lambda item: -item[1][-1])
    return [
        (power, *(f"{share:.2f}" for share in (shares[0], max(shares), min(shares), shares[-1])))
        for power, shares in ranked
    ]


def accuracy_rows(review: Review) -> list[tuple[str, ...]]:
    """Return the accuracy of the powers, a row each, the most accurate first."""
    return [
        (one.power, f"{one.accuracy:.0f} %", *(str(number) for number in one.grades.values()))
        for one in review.accuracy
    ]


def mistakes(review: Review) -> list[str]:
    """Return the orders with the greatest losses against the best plan known at the time, a sentence each."""
    return [
        f"{one.phase} (turn {one.turn + 1}): {one.power} lost {one.loss:.2f} ({one.grade}) with "
        f"{listing(one.given) or 'its orders'} instead of {listing(one.better) or 'holding'}."
        for one in review.judged[:MOST_MISTAKES]
    ]


def sentences(review: Review) -> list[str]:
    """Return the turning points, the greatest change first, and the missed orders."""
    return [sentence for turning in review.turning for sentence in _of(turning)]


def _of(turning: TurningPoint) -> list[str]:
    ranked = sorted(turning.change.items(), key=lambda item: -item[1])
    changes = listing(f"{power} {change:+.2f}" for power, change in ranked) or "little changed"
    told = [f"{turning.phase} (turn {turning.turn + 1}): {changes}."]
    told += [
        f"  {missed.power} would have had {missed.gain:+.2f} with {missed.better} instead of {missed.given}."
        for missed in turning.missed
    ]
    return told


def html(review: Review) -> str:
    """Return the page: a curve for each power, and the sentences."""
    series = {
        power: [(float(turn), share) for turn, share in zip(review.turns, shares, strict=True)]
        for power, shares in review.shares.items()
    }
    plot = curves("Share of the board that each power could expect", series, across="turns played")
    items = []
    for turning in review.turning:
        first, *more = _of(turning)
        items.append(f"<li>{escape(first)}{''.join(f'<br>{escape(one.strip())}' for one in more)}</li>\n")
    judged = ""
    if review.accuracy:
        told = "".join(f"<li>{escape(one)}</li>\n" for one in mistakes(review))
        judged = (
            "<h2>Accuracy</h2>\n<p>How much the orders lost against the best plan known at the time.</p>\n"
            f"{table(ACCURACY_COLUMNS, accuracy_rows(review))}\n<ol>\n{told}</ol>\n"
        )
    body = (
        f"<p>What each power could expect of the board, before each movement and in the end.</p>\n{plot}"
        f"<h2>The turns on which the game turned</h2>\n<ol>\n{''.join(items)}</ol>\n{judged}"
    )
    return page(f"Review of a game of {review.title}", body)

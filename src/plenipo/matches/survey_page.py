"""The page of a survey: tables and plots of one board, or of two side by side; pure."""

from collections.abc import Sequence
from html import escape

from plenipo.engine.wording import count
from plenipo.languages.current import mark
from plenipo.matches.plots import curves, intervals, page, table
from plenipo.matches.report import percent
from plenipo.matches.standings import Estimate
from plenipo.matches.survey import STILL, Survey

__all__ = ["COLUMNS", "by_year", "facts", "html", "rows"]

COLUMNS = (
    mark("power"),
    mark("share"),
    mark("alone %"),
    mark("alive %"),
    mark("score"),
    mark("takes first, %"),
)
"""The columns of a table of the powers."""


def rows(survey: Survey) -> list[tuple[str, ...]]:
    """Return the powers, a row each, the best share first."""
    return [
        (
            power.power,
            f"{power.share.mean:.3f}±{power.share.high - power.share.mean:.3f}",
            percent(power.solos),
            percent(power.survived),
            f"{power.score:.1f}",
            ", ".join(f"{code} {100 * part:.0f}" for code, part in power.firsts[:3]),
        )
        for power in sorted(survey.powers, key=lambda power: -power.share.mean)
    ]


def facts(survey: Survey) -> list[str]:
    """Describe the games on the board, in sentences."""
    told = [
        f"{count(survey.games, 'game')}, all seats played by '{survey.player}', "
        f"for {count(survey.most_years, 'year')} at most.",
        f"Won alone: {_part(survey.solos)}; won together: {_part(survey.shared)}; "
        f"cut off: {_part(survey.cut_off)}; no centre changed its owner in "
        f"the last {STILL} years: {_part(survey.still)}.",
    ]
    if survey.years:
        middle = survey.years[len(survey.years) // 2]
        told.append(f"A game won alone took {survey.years[0]} to {survey.years[-1]} years, {middle} in the middle.")
    told.append(
        f"Of the moves {100 * survey.failed:.0f} % failed; a game had {survey.others:.1f} supports for units of others "
        f"and {survey.convoyed:.1f} convoyed armies."
    )
    return told


def _part(estimate: Estimate) -> str:
    return f"{percent(estimate)} %"


def html(surveys: Sequence[Survey]) -> str:
    """Return the page of one survey or more; each in a column if there is room."""
    columns = "".join(f"<div>\n{_column(survey, alone=len(surveys) == 1)}</div>\n" for survey in surveys)
    title = " and ".join(survey.title for survey in surveys)
    return page(f"Survey of {title}", f'<div class="sides">\n{columns}</div>' if len(surveys) > 1 else columns)


def by_year(survey: Survey) -> str:
    """Return a plot of the mean centres of each power, a curve each."""
    return curves(
        "Centres by year",
        {power.power: [(float(year), mean) for year, mean in enumerate(power.centres)] for power in survey.powers},
        across="years played",
    )


def _column(survey: Survey, *, alone: bool) -> str:
    par = 1 / len(survey.powers)
    powers = sorted(survey.powers, key=lambda power: -power.share.mean)
    often = sorted(survey.changes.items(), key=lambda item: (-item[1], item[0]))
    parts = [
        "" if alone else f"<h2>{escape(survey.title)}</h2>\n",
        *(f"<p>{escape(sentence)}</p>\n" for sentence in facts(survey)),
        table(COLUMNS, rows(survey), last=True),
        "<h2>Share of squares by power</h2>\n",
        intervals("Share of squares by power", [(power.power, power.share) for power in powers], mark=par),
        "<h2>Games won alone by power</h2>\n",
        intervals("Games won alone by power", [(power.power, power.solos) for power in powers]),
        "<h2>Centres by year</h2>\n",
        by_year(survey),
        "<h2>Changes of owner for each centre in a game</h2>\n",
        intervals(
            "Changes of owner for each centre in a game",
            [(code, Estimate(times, 0.0, times)) for code, times in often],
        ),
        "<h2>Openings</h2>\n",
        table(
            ("power", "games", "share", "first orders"),
            [
                (power.power, str(opening.games), f"{opening.share:.3f}", opening.orders)
                for power in powers
                for opening in power.openings
            ],
            last=True,
        ),
    ]
    return "".join(parts)

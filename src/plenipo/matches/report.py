"""The page of a match: its players, standings and course; pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

from plenipo.engine.amounts import count_things
from plenipo.engine.sentences import join_sentences, say
from plenipo.languages.current import mark
from plenipo.matches.lineup import Match
from plenipo.matches.plots import curves, intervals, page, table
from plenipo.matches.referee import Played, PlayerFault, Spent
from plenipo.matches.standings import Estimate, Standing

__all__ = [
    "COLUMNS",
    "by_power",
    "cells",
    "count_deals",
    "describe_deals",
    "faults_of",
    "headline",
    "html",
    "list_unscored",
    "percent",
]

COLUMNS = (
    mark("player"),
    mark("share"),
    mark("alone %"),
    mark("alive %"),
    mark("score"),
    mark("ms"),
    mark("rating"),
)
"""The columns of a table of standings; `headline` explains them."""

NONE = "-"


def cells(standing: Standing, spent: Spent | None) -> tuple[str, ...]:
    """Return a row of the table; for a player without a score only the time."""
    time = f"{1000 * spent.seconds / spent.phases:.2f}" if spent and spent.phases else NONE
    rating = f"{standing.rating[0]:.1f}±{standing.rating[1]:.1f}" if standing.rating else NONE
    name = f"{standing.seats} {standing.player}"
    if standing.why_unscored:
        return (name, *[NONE] * (len(COLUMNS) - 3), time, NONE)
    return (
        name,
        _share(standing.share),
        percent(standing.solos),
        percent(standing.survived),
        f"{standing.score:.1f}",
        time,
        rating,
    )


def _share(estimate: Estimate) -> str:
    half = max(estimate.high - estimate.mean, estimate.mean - estimate.low)
    return f"{estimate.mean:.3f}±{half:.3f}"


def percent(estimate: Estimate) -> str:
    """Return a fraction in percent, with its interval."""
    return f"{100 * estimate.mean:.0f} ({100 * estimate.low:.0f} to {100 * estimate.high:.0f})"


def headline(match: Match, title: str, games: Sequence[Played]) -> str:
    """Describe the match in a sentence or two."""
    lengths = sorted({game.years for game in games})
    long: str = count_things(lengths[0], "year")
    if len(lengths) > 1:
        long = say("{fewest} to {most} years", fewest=lengths[0], most=lengths[-1])
    return say(
        "{games} of {title}, {long} each: {alone} won alone, {cut} cut off after {years} years. "
        "Share is that of the squares of the scores, 1 for a game won alone; par is {par}. "
        "Intervals are 95 %, and ms is the time of a movement phase.",
        games=count_things(len(games), "game"),
        title=title,
        long=long,
        alone=sum(len(game.winners) == 1 for game in games),
        cut=sum(not game.winners for game in games),
        years=match.years,
        par=f"{1 / len(match.players):.3f}",
    )


def by_power(standings: Sequence[Standing]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return a table of the share of each player in each seat: its columns, and a row for each power."""
    scored = [standing for standing in standings if not standing.why_unscored]
    powers = sorted({power for standing in scored for power in standing.by_power})
    rows = [
        (power, *(_share(one.by_power[power]) if power in one.by_power else NONE for one in scored)) for power in powers
    ]
    return (mark("power"), *(standing.player for standing in scored)), rows


def list_unscored(standings: Iterable[Standing]) -> list[str]:
    """Return the reason for each player without a score, a sentence each."""
    return [standing.why_unscored for standing in standings if standing.why_unscored]


def faults_of(games: Sequence[Played]) -> list[str]:
    """Return the first fault of each player that had any, as a sentence with their number."""
    faults: dict[str, list[str]] = {}
    for game in games:
        for fault in game.faults:
            told = say(
                "{fault} (game {game}, {phase}, {power}).",
                fault=fault.sentence.removesuffix("."),
                game=game.game,
                phase=fault.phase,
                power=fault.power,
            )
            faults.setdefault(fault.player, []).append(told)
    return [
        join_sentences(
            told[0], say("{faults} in all; the substitute ordered.", faults=count_things(len(told), "fault"))
        )
        if len(told) > 1
        else told[0]
        for told in faults.values()
    ]


class DealCount(NamedTuple):
    """The deals a player made, and the promises that it kept and broke."""

    deals: int = 0
    kept: int = 0
    broken: int = 0


def count_deals(games: Iterable[Played]) -> dict[str, DealCount]:
    """Return the deals of each player that made any; a deal of two of its seats counts once for each."""
    counts: dict[str, DealCount] = {}
    for game in games:
        for deal in game.deals:
            for power in (deal.proposer, deal.partner):
                verdicts = Counter(verdict for promising, _, verdict in deal.clauses if promising == power)
                made, kept, broken = counts.get(game.seats[power], DealCount())
                counts[game.seats[power]] = DealCount(made + 1, kept + verdicts["kept"], broken + verdicts["broken"])
    return counts


def describe_deals(games: Sequence[Played]) -> list[str]:
    """Return a sentence about the deals of each player that made any, and one about talk that was left out."""
    told: list[str] = [
        say(
            "'{player}' made {deals:.1f} deals a game and kept {kept} of {promises} promises ({percent:.0f} %).",
            player=player,
            deals=count.deals / len(games),
            kept=count.kept,
            promises=count.kept + count.broken,
            percent=100 * count.kept / max(1, count.kept + count.broken),
        )
        for player, count in count_deals(games).items()
    ]
    first: dict[str, tuple[PlayerFault, int]] = {}
    for game in games:
        for remark in game.remarks:
            one, times = first.get(remark.player, (remark, 0))
            first[remark.player] = one, times + 1
    for remark, times in first.values():
        told.append(
            say(
                "{remark} ({phase}, {power}; {times} in all were left out of the negotiations.)",
                remark=remark.sentence,
                phase=remark.phase,
                power=remark.power,
                times=count_things(times, "remark"),
            )
        )
    return told


def html(
    match: Match, title: str, games: Sequence[Played], standings: Sequence[Standing], spent: Mapping[str, Spent]
) -> str:
    """Return the page."""
    par = 1 / len(match.players)
    scored = [standing for standing in standings if not standing.why_unscored]
    parts = [
        f"<p>{escape(headline(match, title, games))}</p>\n",
        *(f"<p>{escape(sentence)}</p>\n" for sentence in list_unscored(standings)),
        table(COLUMNS, (cells(standing, spent.get(standing.player)) for standing in standings)),
        "<h2>Share of squares</h2>\n",
        intervals("Share of squares", [(one.player, one.share) for one in scored], mark=par),
        '<div class="sides">\n',
    ]
    for standing in scored:
        rows = list(standing.by_power.items())
        parts.append(f"<div><h2>{escape(standing.player)} by power</h2>\n")
        parts.append(intervals(f"Share of {standing.player} by power", rows, mark=par, most=1.0))
        parts.append("</div>\n")
    parts.append("</div>\n")
    if any(len(game.winners) == 1 for game in games):
        parts.append("<h2>Games won alone, by year</h2>\n")
        parts.append(curves("Games won alone, by year", _won_by(games, match), across="years played"))
    deals = describe_deals(games)
    if deals:
        parts.append("<h2>Deals</h2>\n<ul>\n")
        parts += [f"<li>{escape(sentence)}</li>\n" for sentence in deals]
        parts.append("</ul>\n")
    faults = faults_of(games)
    if faults:
        parts.append("<h2>Orders that could not be used</h2>\n<ul>\n")
        parts += [f"<li>{escape(fault)}</li>\n" for fault in faults]
        parts.append("</ul>\n")
    return page(f"{' against '.join(match.names)}: {title}", "".join(parts))


def _won_by(games: Sequence[Played], match: Match) -> dict[str, list[tuple[float, float]]]:
    """Return the fraction of the games won alone by each year, for each player."""
    won = {name: [0] * (match.years + 1) for name in match.names}
    for game in games:
        if len(game.winners) == 1:
            won[game.seats[game.winners[0]]][min(game.years, match.years)] += 1
    return {
        name: [(float(year), sum(years[: year + 1]) / len(games)) for year in range(match.years + 1)]
        for name, years in won.items()
    }

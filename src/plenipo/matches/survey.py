"""Statistics of games on a board: winners, first captures, changes of ownership, openings and ends; pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.phases import victory
from plenipo.engine.rules import Rules
from plenipo.matches.referee import Played
from plenipo.matches.standings import Estimate, estimate, fraction

__all__ = ["STILL", "GameFacts", "Opening", "PowerSurvey", "Survey", "collect_facts", "make_survey"]

STILL = 3
"""Number of final years without a change of ownership that make an undecided game a standstill."""

MOST_OPENINGS = 3
"""Number of openings listed for each power."""


@dataclass(frozen=True)
class GameFacts:
    """The facts of one game that a survey needs, without its orders.

    `firsts` are the first centres each power took that it did not begin with, `changes` the number of captures of each
    centre, `openings` the orders of the first movement, `centres` those of each power at the end of each year, the
    opening first, `still` the years at the end in which no centre changed hands.
    """

    played: Played
    firsts: Mapping[str, str]
    changes: Mapping[str, int]
    openings: Mapping[str, str]
    centres: Mapping[str, tuple[int, ...]]
    still: int


def collect_facts(rules: Rules, played: Played) -> GameFacts:
    """Return the facts of a game that a survey needs."""
    began = {str(power): set(map(str, rules.opening.centres_of(power))) for power in rules.names}
    owners: dict[str, str] = {str(code): str(power) for code, power in rules.opening.owners.items()}
    centres = {str(power): [list(owners.values()).count(power)] for power in rules.names}
    firsts: dict[str, str] = {}
    changes: Counter[str] = Counter()
    openings: dict[str, str] = {}
    first_year = year = last_change = rules.calendar.first.year
    for turn in played.turns:
        phase = rules.calendar.read(turn.phase)
        while year < phase.year:
            for power, counts in centres.items():
                counts.append(list(owners.values()).count(power))
            year += 1
        if phase.kind is PhaseKind.MOVEMENT and not openings:
            openings = {power: ", ".join(sorted(order_set)) for power, order_set in turn.orders.items()}
        for code, owner in turn.owners.items():
            # centres from a choice or a placement before the first move do not count as taken
            if openings:
                changes[code] += 1
                last_change = phase.year
                if owner in centres and code not in began[owner]:
                    firsts.setdefault(owner, code)
            owners[code] = owner
    for power, counts in centres.items():
        counts.append(list(owners.values()).count(power))
    return GameFacts(
        played.without_turns,
        firsts,
        changes,
        openings,
        {power: tuple(counts) for power, counts in centres.items()},
        first_year + played.years - 1 - last_change,
    )


@dataclass(frozen=True)
class Opening:
    """Orders of a first movement: the number of games with them, and the mean share of the powers that gave them."""

    orders: str
    games: int
    share: float


@dataclass(frozen=True)
class PowerSurvey:
    """A power: games won alone, share, survival and score as in a match; first centres and openings by frequency.

    `centres` is the mean number of centres at the end of each year, the opening first.
    """

    power: str
    solos: Estimate
    share: Estimate
    survived: Estimate
    score: float
    firsts: tuple[tuple[str, float], ...]
    openings: tuple[Opening, ...]
    centres: tuple[float, ...]


@dataclass(frozen=True)
class Survey:
    """A board: its powers, and statistics of the games on it.

    `solos`, `shared` and `cut_off` are the fractions of games that one power won, several won together, and no power
    won within the years; `still` the fraction that stood still. `years` are the lengths of those won alone, in their
    order. `changes` is the mean number of captures of each centre per game. `failed` is the fraction of the moves that
    failed; `others` and `convoyed` the supports for units of others and the convoyed armies of a game.
    """

    title: str
    noun: str
    player: str
    games: int
    most_years: int
    powers: tuple[PowerSurvey, ...]
    solos: Estimate
    shared: Estimate
    cut_off: Estimate
    still: Estimate
    years: tuple[int, ...]
    changes: Mapping[str, float]
    failed: float
    others: float
    convoyed: float


def make_survey(rules: Rules, player: str, years: int, games: Sequence[GameFacts]) -> Survey:
    """Return the survey of games that one player played in all seats; raise `ValueError` without games."""
    if not games:
        raise ValueError("There are no games to survey.")
    played = [game.played for game in games]
    moves = sum(one.tally["moves"] for one in played)
    centres = sorted(rules.board.centres)
    return Survey(
        rules.title,
        victory.score(rules, rules.opening).noun,
        player,
        len(games),
        years,
        tuple(_power(str(power), games) for power in rules.names),
        fraction([float(len(one.winners) == 1) for one in played]),
        fraction([float(len(one.winners) > 1) for one in played]),
        fraction([float(not one.winners) for one in played]),
        fraction([float(not game.played.winners and game.still >= STILL) for game in games]),
        tuple(sorted(one.years + 1 for one in played if len(one.winners) == 1)),
        {str(code): fmean(game.changes.get(code, 0) for game in games) for code in centres},
        sum(one.tally["failed"] for one in played) / max(1, moves),
        fmean(one.tally["others"] for one in played),
        fmean(one.tally["convoyed"] for one in played),
    )


def _power(power: str, games: Sequence[GameFacts]) -> PowerSurvey:
    played = [game.played for game in games]
    firsts = Counter(game.firsts[power] for game in games if power in game.firsts)
    shares: dict[str, list[float]] = {}
    for game in games:
        if game.openings.get(power):
            shares.setdefault(game.openings[power], []).append(game.played.shares[power])
    openings = [Opening(orders, len(results), fmean(results)) for orders, results in shares.items()]
    openings.sort(key=lambda opening: (-opening.games, opening.orders))
    length = max(len(game.centres[power]) for game in games)
    return PowerSurvey(
        power,
        fraction([float(one.winners == (power,)) for one in played]),
        estimate([one.shares[power] for one in played]),
        fraction([float(power in one.alive) for one in played]),
        fmean(one.scores.get(power, 0) for one in played),
        tuple(
            (code, count / len(games)) for code, count in sorted(firsts.items(), key=lambda item: (-item[1], item[0]))
        ),
        tuple(openings[:MOST_OPENINGS]),
        # a game that is over stays as it ended
        tuple(
            fmean(game.centres[power][min(year, len(game.centres[power]) - 1)] for game in games)
            for year in range(length)
        ),
    )

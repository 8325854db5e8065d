"""The votes of computer players: to share the game with some powers, or to concede it to one; pure functions.

A draw gives its part to each power that shares it, and nothing to the others; a concession is a draw of one. Against
that stand the promise of playing on, and the time for which the game has stood still: a computer player does not give
up a growing lead, nor play for ever behind lines that hold.
"""

from collections.abc import Iterator, Mapping, Sequence

from plenipo import bots
from plenipo.engine.history.view import View
from plenipo.engine.phases import victory
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import say
from plenipo.errors import UnknownName

__all__ = ["agrees", "still_for", "usual"]

MOVEMENTS, TIMES = 6, 8
"""The length in movements, and the number, of the playouts that estimate what a game promises."""

HOPELESS = 0.02
"""The largest expected share of the board at which a power concedes."""

BETTER = 0.03
"""A part that is so much larger than what playing on promises is taken at any time."""

PATIENCE, RELUCTANCE = 2, 8
"""Years that a game stands still until equal powers share it; and for the whole of the board that one would give up."""

TIRED = 12
"""After so many years, and as many again, patience is a year shorter."""

STILL = 9
"""A game stands still if at most one in this many of the centres or points that win has changed hands."""


def agrees(seen: View, power: Power, shared: Sequence[Power], seed: int = 0) -> bool:
    """Return True if the computer player of `power` agrees that `shared` end the game together, or win it if only one.

    `seen` is the game as a spectator sees it, between two phases or in an open one. The same game and seed give the
    same answer. Raises `UnknownName` for a power that is not in the game, and for a draw without powers.
    """
    unknown = [name for name in (power, *shared) if name not in seen.rules.names]
    if unknown or not shared:
        raise UnknownName(say("A draw is shared by powers of the game, not by {unknown}.", unknown=unknown or "nobody"))
    if not seen.position.survives(power) or tuple(shared) == (power,):
        return True
    promised = _estimate_shares(seen.rules, seen.position, seed)[power]
    if power not in shared:
        return promised <= HOPELESS
    part = 1 / len(set(shared))
    if part >= promised + BETTER:
        return True
    years = seen.position.phase.year - seen.rules.calendar.first.year
    patience = PATIENCE + RELUCTANCE * max(0.0, promised - part) - years // TIRED
    return still_for(seen) >= max(1.0, patience)


def usual(seen: View) -> tuple[tuple[Power, ...], ...]:
    """Return the usual proposals: a concession to a sole leader, a draw of all survivors; none for a sole survivor."""
    counts = victory.score(seen.rules, seen.position).counts
    alive = tuple(power for power in seen.rules.names if seen.position.survives(power))
    leaders = [power for power in alive if counts.get(power, 0) == max(counts.get(one, 0) for one in alive)]
    if len(alive) < 2:
        return ()
    return (*([(leaders[0],)] if len(leaders) == 1 else []), alive)


def still_for(seen: View) -> int:
    """Return the number of years in which almost no centre (or other measure of victory) changed owner."""
    now = victory.score(seen.rules, seen.position)
    allowed = max(1, now.enough // STILL)
    years = 0
    for before in _year_ends(seen):
        then = victory.score(seen.rules, before).counts
        gained = sum(max(0, now.counts.get(power, 0) - then.get(power, 0)) for power in seen.rules.names)
        lost = sum(max(0, then.get(power, 0) - now.counts.get(power, 0)) for power in seen.rules.names)
        out = any(before.survives(power) and not seen.position.survives(power) for power in seen.rules.names)
        if out or max(gained, lost) > allowed:
            break
        years += 1
    return years


def _year_ends(seen: View) -> Iterator[Position]:
    """Yield the positions at the ends of past years, the latest first, without that of the year just ended."""
    year = seen.position.phase.year
    for turn in reversed(seen.turns):
        before = turn.resolution.before
        if before.phase.year < year:
            if year < seen.position.phase.year:
                yield turn.resolution.after
            year = before.phase.year


def _estimate_shares(rules: Rules, position: Position, seed: int) -> Mapping[Power, float]:
    """Return the part of the board that each power may expect from playing on."""
    shares = bots.estimate_shares(rules, position, seed, MOVEMENTS, TIMES)
    if shares is not None:
        return {power: shares.get(power, 0.0) for power in rules.names}
    counts = victory.score(rules, position).counts
    total = sum(count**2 for count in counts.values()) or 1
    return {power: counts.get(power, 0) ** 2 / total for power in rules.names}

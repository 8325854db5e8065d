"""Show the value of deals: two players that deal among silent ones that think as long, and the control without deals.

    python scripts/deal_proof.py --level strong --games 140
    python scripts/deal_proof.py --level quick --variant cline --games 27 --years 12

Five matches with the same seeds and seats: two silent players (the control), two `+deals` that meet each other, two
`+loyal`, a `+traitor` with a `+trusting` partner, who does not punish, and a traitor with a `+deals` partner, who does.
The share is that of the squares of the centres; par is one part in the number of powers. Differences to the control are
in the same games.
"""

import argparse
from collections.abc import Sequence

from plan_quality import mean_of
from plenipo.matches.lineup import YEARS, Match, lineup, seats
from plenipo.matches.referee import Played, Spent
from plenipo.matches.report import count_deals
from plenipo.matches.run import play_match, rules_of

MATCHES: dict[str, tuple[str, str]] = {
    "control, silent": ("{level}", "{level}"),
    "two that deal": ("{level}+deals", "{level}+deals"),
    "two that are loyal": ("{level}+loyal", "{level}+loyal"),
    "traitor, trusted": ("{level}+traitor", "{level}+trusting"),
    "traitor, punished": ("{level}+traitor", "{level}+deals"),
}


def play(match: Match, workers: int) -> tuple[list[Played], dict[str, Spent]]:
    """Play a match."""
    games: list[Played] = []
    spent = {name: Spent() for name in match.names}
    for played, times in play_match(match, workers=workers):
        games.append(played)
        for name, time in times.items():
            spent[name].join(time)
    return games, spent


def shares_of(games: Sequence[Played], seats: Sequence[Sequence[str]]) -> list[float]:
    """Return the mean share of the given seats in each game."""
    return [sum(game.shares[power] for power in those) / len(those) for game, those in zip(games, seats, strict=True)]


def main() -> None:
    """Play the matches and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", default="strong")
    parser.add_argument("--variant", default="standard")
    parser.add_argument("--games", type=int, default=140)
    parser.add_argument("--years", type=int, default=YEARS)
    parser.add_argument("--seed", default="deals", help="any word")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--only", default="", help="the beginning of the names of the matches to play")
    given = parser.parse_args()
    seed = given.seed.encode().ljust(32, b"\0")[:32]
    places = len(rules_of(Match(given.variant, (), bytes(32))).names)
    print(f"{given.games} games each of {given.variant}, at most {given.years} years; par {1 / places:.3f}")
    control: list[float] = []
    for name, pair in MATCHES.items():
        if not name.startswith((given.only, "control")):
            continue
        one, other = (player.format(level=given.level) for player in pair)
        players = lineup([one, other, f"{places - 2} {given.level}"], places)
        match = Match(given.variant, players, seed, given.games, given.years)
        games, spent = play(match, given.workers)
        pairs = seats_of_pair(match, given.games)
        both = shares_of(games, pairs)
        first = shares_of(games, [those[:1] for those in pairs])
        line = f"{name:20} share of both {mean_of(both, 3)}, of the first {mean_of(first, 3)}"
        if control:
            line += f"; more than silent {mean_of([new - old for new, old in zip(both, control, strict=True)], 3)}"
        else:
            control = both
        for player, count in count_deals(games).items():
            whole = max(1, count.kept + count.broken)
            line += f"; {player}: {count.deals / len(games):.1f} deals a game, {100 * count.kept / whole:.0f} % kept"
        times = (f"{one} {1000 * time.seconds / max(1, time.phases):.1f}" for one, time in spent.items())
        print(f"{line}; ms {', '.join(times)}", flush=True)


def seats_of_pair(match: Match, games: int) -> list[list[str]]:
    """Return the powers of the first two players of the line-up in each game."""
    numbered = Match(match.variant, tuple(map(str, range(len(match.players)))), match.seed)
    names = rules_of(match).names
    found = []
    for game in range(games):
        taken = {player: str(power) for power, player in seats(numbered, names, game).items()}
        found.append([taken["0"], taken["1"]])
    return found


if __name__ == "__main__":
    main()

"""A match as a whole: players made ready and tried, games shared among processes, lines written and read."""

import json
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from plenipo import library
from plenipo.bots import BOTS
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidRecord
from plenipo.library import plugins
from plenipo.matches.lineup import Match, chance_of, seats, seed_of
from plenipo.matches.players import SUBSTITUTE, Asked, Function, Misplayed, Player, from_file, installed
from plenipo.matches.programs import Program
from plenipo.matches.referee import Played, Spent, play
from plenipo.spread import spread

__all__ = ["game_of", "matched", "read_games", "rules_of", "try_out", "written"]

PYTHON = ".py:"
"""What stands between a file and the function in it."""


def rules_of(match: Match) -> Rules:
    """The rules of the match; raises what `plenipo.library.load` raises."""
    if match.trust:
        plugins.trust_code()
    return library.load(match.variant, dict(match.options))


def player(match: Match, name: str) -> Player:
    """The player of a name; raises `UnknownName`."""
    source = dict(match.sources).get(name)
    if source is None:
        return installed(name, match.limit)
    file, mark, function = source.rpartition(PYTHON)
    if mark and function.isidentifier():
        return Function(name, from_file(name, Path(f"{file}.py"), function), match.limit)
    return Program.written(name, source, match.limit)


@lru_cache(maxsize=1)
def _players(match: Match) -> dict[str, Player]:
    return {name: player(match, name) for name in match.names}


def _close(players: Iterable[Player]) -> None:
    for one in players:
        if isinstance(one, Program):
            one.close()


def try_out(match: Match) -> Rules:
    """Ask every player once for orders in the opening, so that one that cannot play is told before anything is played.

    Raises `UnknownName` for a player there is none of, and `CannotPlay` for one that refuses the variant.
    """
    rules = rules_of(match)
    game = Game.new(rules, Dice(seed_of(match, 0)))
    legality = Legality(rules, game.position)
    power = next(iter(view(game, None, {}).may_order))
    chance = chance_of(seed_of(match, 0), str(game.position.phase), power)
    for one in _players(match).values():
        try:
            one.orders(Asked(view(game, power, {}), legality.orders_of(power), 0, chance))
        except Misplayed:
            pass  # the match will tell
        finally:
            _close([one])
    return rules


def one_game(match: Match, game: int) -> tuple[Played, dict[str, Spent]]:
    """Play a game of the match; a plain function of its arguments, to be called in any process."""
    rules = rules_of(match)
    players, spent = _players(match), {name: Spent() for name in match.names}
    taken: dict[Power, Player] = {power: players[name] for power, name in seats(match, rules.names, game).items()}
    try:
        played = play(
            rules,
            taken,
            installed(SUBSTITUTE, match.limit),
            number=game,
            seed=seed_of(match, game),
            years=match.years,
            spent=spent,
            voters=[power for power, one in taken.items() if one.name in BOTS] if match.votes else (),
        )
    finally:
        # a program knows nothing of other games, so that it is no matter who plays them
        _close(players.values())
    return played, spent


def matched(
    match: Match,
    *,
    workers: int = 1,
    ray: bool = False,
    told: Callable[[int, int], None] = lambda _done, _of: None,
) -> Iterator[tuple[Played, dict[str, Spent]]]:
    """Every game of the match in its order, with how long each player thought; `told` hears how far it is.

    The same match gives the same games, however many processes share them. Raises as `try_out` does.
    """
    try_out(match)
    played = spread(one_game, [(match, game) for game in range(match.games)], workers=workers, ray=ray)
    for done, game in enumerate(played, 1):
        told(done, match.games)
        yield game


def written(match: Match, played: Played) -> str:
    """A game as a JSON line, with the variant and its options."""
    return json.dumps({"variant": match.variant, "options": dict(match.options), **played.to_json()}) + "\n"


def read_games(path: Path) -> Iterator[tuple[str, dict[str, str], Played]]:
    """The games of a file of lines: the variant, its options, and the game; raises `InvalidRecord`."""
    with path.open(encoding="utf-8") as lines:
        for number, text in enumerate(lines, 1):
            try:
                content = json.loads(text)
                variant, options = content.pop("variant"), content.pop("options")
                yield variant, options, Played.of_json(content)
            except (ValueError, KeyError, TypeError, AttributeError) as fault:
                raise InvalidRecord(f"'{path}', line {number}: this is not a game of a match.") from fault


def game_of(rules: Rules, played: Played) -> Game:
    """A game that was played, played again from its orders, with the draw it ended in."""
    game = Game.new(rules, Dice(bytes.fromhex(played.seed)))
    for turn in played.turns:
        game = game.process({Power(power): sheet for power, sheet in turn.orders.items()})
    return game if game.over or not played.winners else game.draw([Power(power) for power in played.winners])

"""A match as a whole: players are prepared and tried, games shared among processes, lines written and read."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from plenipo import library, user_files
from plenipo.bots import BOTS, orders_of
from plenipo.bots.deals.dealers import JOINT
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game, Turn
from plenipo.engine.history.view import view
from plenipo.engine.outcome import Waiting
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import say
from plenipo.errors import InvalidRecord, UnknownName
from plenipo.library import plugins
from plenipo.matches.daide_programs import DaideProgram
from plenipo.matches.lineup import Match, chance_of, random_of, seats, seed_of
from plenipo.matches.players import (
    SUBSTITUTE,
    Function,
    Misplayed,
    OrderRequest,
    Player,
    find_installed_player,
    from_file,
)
from plenipo.matches.programs import DealingProgram, Program
from plenipo.matches.referee import Played, Spent, play
from plenipo.spread import spread

__all__ = ["decode_game", "encode_game", "game_of", "play_match", "read_games", "resume_match", "rules_of", "try_out"]

PYTHON = ".py:"
"""The separator between a file and the function in it."""

DEALING = f"{JOINT}deals"
"""The end of the name of a program that negotiates."""

THUMB = "sensible"
"""The player for all seats during trials; it has nothing to compile."""

MOST_TRIALS = 10
"""Number of phases searched for a movement to warm up with."""


def rules_of(match: Match) -> Rules:
    """Return the rules of the match; raise what `plenipo.library.load` raises."""
    if match.trust:
        plugins.trust_code()
    rules = library.load(match.variant, dict(match.options))
    library.check_installed(rules)
    return rules


def player(match: Match, name: str) -> Player:
    """Return the player of a name; raise `UnknownName`."""
    if name in dict(match.daide):
        return DaideProgram.from_command(name, dict(match.daide)[name], match.limit, match.warm_up)
    source, dealing = dict(match.sources).get(name), False
    if source is None and name.endswith(DEALING):
        source, dealing = dict(match.sources).get(name.removesuffix(DEALING)), True
    if source is None:
        return find_installed_player(name, match.limit)
    file, mark, function = source.rpartition(PYTHON)
    if mark and function.isidentifier():
        if dealing:
            raise UnknownName(
                say("'{name}' is a function, and makes no deals; built-in players and programs do.", name=name)
            )
        return Function(name, from_file(name, Path(f"{file}.py"), function), match.limit)
    return (DealingProgram if dealing else Program).from_command(name, source, match.limit, match.warm_up)


@lru_cache(maxsize=1)
def _players(match: Match) -> dict[str, Player]:
    """Return the players of a match, warmed up: they compile and load before a game begins.

    Raise `UnknownName`, and `CannotPlay` for a player that refuses the variant.
    """
    players = {name: player(match, name) for name in match.names}
    for asked in _trials(match):
        for one in players.values():
            with suppress(Misplayed):  # the match will tell
                one.warm_up(asked, match.warm_up)
    _close(players.values())
    return players


def _close(players: Iterable[Player]) -> None:
    for one in players:
        if isinstance(one, Program | DaideProgram):
            one.close()


def _trials(match: Match) -> Iterator[OrderRequest]:
    """Yield the first phases of a game by rules of thumb, up to the first movement in which a player may order."""
    rules, seed = rules_of(match), seed_of(match, 0)
    game = Game.new(rules, Dice(seed))
    for _ in range(MOST_TRIALS):
        phase, may_order = game.position.phase, view(game, None, {}).may_order
        chance = {power: chance_of(seed, str(phase), power) for power in may_order}
        for power in may_order[:1]:
            legal = Legality(rules, game.position).orders_of(power)
            yield OrderRequest(view(game, power, {}), legal, 0, chance[power])
        if game.over or (may_order and phase.kind is PhaseKind.MOVEMENT):
            return
        orders = {p: orders_of(BOTS[THUMB], view(game, p, {}), p, random_of(chance[p])) for p in may_order}
        came = game.adjudicate(orders)
        if isinstance(came, Waiting):
            return
        texts = {power: tuple(map(str, order_set)) for power, order_set in orders.items()}
        game = replace(game, turns=game.turns.with_turn(Turn(texts, came)))


def try_out(match: Match) -> Rules:
    """Ask every player for orders, so that one that cannot play is reported before any game.

    Raise `UnknownName` for an unknown player, and `CannotPlay` for one that refuses the variant.
    """
    _players(match)
    return rules_of(match)


def one_game(match: Match, game: int) -> tuple[Played, dict[str, Spent]]:
    """Play a game of the match; a plain function of its arguments, so that any process can call it."""
    rules = rules_of(match)
    players, spent = _players(match), {name: Spent() for name in match.names}
    taken: dict[Power, Player] = {power: players[name] for power, name in seats(match, rules.names, game).items()}
    try:
        played = play(
            rules,
            taken,
            find_installed_player(SUBSTITUTE, match.limit),
            number=game,
            seed=seed_of(match, game),
            years=match.years,
            spent=spent,
            voters=[power for power, one in taken.items() if one.name.partition(JOINT)[0] in BOTS]
            if match.votes
            else (),
        )
    finally:
        # a program knows nothing of other games, so that it is no matter who plays them
        _close(players.values())
    return played, spent


def play_match(
    match: Match,
    *,
    first: int = 0,
    workers: int = 1,
    ray: bool = False,
    told: Callable[[int, int], None] = lambda _done, _of: None,
) -> Iterator[tuple[Played, dict[str, Spent]]]:
    """Yield the games of the match in their order, from number `first` on, with the thinking time of each player.

    `told` is called with the progress. The same match gives the same games, however many processes share them. Raise as
    `try_out` does.
    """
    if first < match.games:
        try_out(match)
    played = spread(one_game, [(match, game) for game in range(first, match.games)], workers=workers, ray=ray)
    for done, game in enumerate(played, first + 1):
        told(done, match.games)
        yield game


def encode_game(match: Match, played: Played) -> str:
    """Return a game as a JSON line, with the variant and its options."""
    about = {"variant": match.variant, "options": dict(match.options), "match": match.fingerprint}
    return json.dumps({**about, **played.to_json()}) + "\n"


def decode_game(text: str) -> tuple[str, dict[str, str], Played]:
    """Return the variant, options and game of a line from `encode_game`; raise `InvalidRecord` for others."""
    try:
        content = json.loads(text)
        content.pop("match", None)
        variant, options = content.pop("variant"), content.pop("options")
        return variant, options, Played.of_json(content)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as fault:
        raise InvalidRecord(say("this is not a game of a match.")) from fault


def read_games(path: Path) -> Iterator[tuple[str, dict[str, str], Played]]:
    """Yield the games of a file of lines: the variant, its options, and the game; raise `InvalidRecord`."""
    user_files.check(path, None)
    with path.open(encoding="utf-8") as lines:
        for number, text in enumerate(lines, 1):
            try:
                yield decode_game(text)
            except InvalidRecord as fault:
                raise InvalidRecord(
                    say("'{path}', line {number}: {fault}", path=path, number=number, fault=fault)
                ) from fault


def resume_match(match: Match, path: Path) -> list[Played]:
    """Return the games of the match already in `path`, without their turns; an incomplete last line is cut off.

    The result is empty if there is no such file. Raise `InvalidRecord` for a file of another match, and `OSError`.
    """
    played: list[Played] = []
    if not path.exists():
        return played
    whole = 0
    user_files.check(path, None)
    with path.open("r+b") as lines:
        for line in lines:
            if not line.endswith(b"\n"):
                break
            _, _, game = decode_game(line.decode("utf-8", "replace"))
            if json.loads(line).get("match") != match.fingerprint or game.game != len(played):
                raise InvalidRecord(
                    say(
                        "'{path}', line {number}: this game is not the next one of this match. Resume with the "
                        "variant, players, seed, years and options it was begun with, or write to another file.",
                        path=path,
                        number=len(played) + 1,
                    )
                )
            played.append(game.without_turns)
            whole += len(line)
        lines.truncate(whole)
    return played


def game_of(rules: Rules, played: Played) -> Game:
    """Return a finished game, replayed from its orders, with the draw it ended in."""
    game = Game.new(rules, Dice(bytes.fromhex(played.seed)))
    for turn in played.turns:
        game = game.process({Power(power): order_set for power, order_set in turn.orders.items()})
    return game if game.over or not played.winners else game.draw([Power(power) for power in played.winners])

"""Games for the tests of formats: played by seeded computer players, each once, with messages if wanted."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from random import Random

from hypothesis import strategies as st

from plenipo import bots, library
from plenipo.engine.history.game import Game
from plenipo.engine.history.messages import Message
from plenipo.engine.history.view import view

__all__ = ["games", "messages", "play", "with_messages"]

TURNS = 24


@cache
def play(seed: int, variant: str = "standard", turns: int = TURNS, player: str = "careless") -> Game:
    """Return a game of computer players of at most `turns` turns."""
    game, chance = Game.new(library.load(variant)), Random(f"{variant} {seed}")
    while not game.over and len(game.turns) < turns:
        seen = {power: view(game, power, {}) for power in game.rules.names}
        orders = {
            power: bots.orders_of(bots.BOTS[player], seen[power], power, chance)
            for power in game.rules.names
            if power in seen[power].may_order
        }
        game = game.process(orders)
    return game


@st.composite
def games(draw: st.DrawFn, variant: str = "standard") -> Game:
    """Games of a few turns, some ended by a draw."""
    player = draw(st.sampled_from(["careless", "sensible"]))
    game = play(draw(st.integers(0, 5)), variant, TURNS, player)
    game = game.fork(draw(st.integers(0, len(game.turns))))
    if not game.over and draw(st.booleans()):
        game = game.draw(game.survivors)
    return game


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40)
"""Texts without control characters, which no file of others has room for."""


@st.composite
def messages(draw: st.DrawFn, game: Game, texts: st.SearchStrategy[str] = WORDS) -> Sequence[Message]:
    """Messages between powers of a game, in the order of its phases."""
    codes = [game.position_after(number).phase.code for number in range(len(game.turns) + 1)]
    chosen = sorted(draw(st.lists(st.integers(0, len(codes) - 1), max_size=6)))
    ends = st.sampled_from(game.rules.names)
    times = st.none() | st.integers(0, 2**53)
    return [
        Message(draw(ends), draw(ends | st.just("GLOBAL")), codes[number], draw(texts), draw(times))
        for number in chosen
    ]


def with_messages(game: Game, found: Sequence[Message]) -> Game:
    """Return a game with messages."""
    return replace(game, messages=tuple(found))

"""Conformance: what every variant must do, tried at length: its opening, spaces and names, games, record and picture.

Where the kernel takes a variant, its games are compared with those of the engine.
"""

from collections.abc import Collection, Iterator
from pathlib import Path
from random import Random

from plenipo import charts, library
from plenipo.engine.board import Board, Location, UnitKind
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import SEED_BYTES, Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases import adjustments
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import adjudicate, process
from plenipo.engine.position import Position
from plenipo.engine.reading.notation import Notation
from plenipo.engine.rules import Rules
from plenipo.engine.wording import listing
from plenipo.errors import PlenipoError
from plenipo.library.trial_orders import random_orders

__all__ = ["faults", "of_a_random_game", "of_the_names", "of_the_opening", "of_the_spaces"]

YEARS = 12
"""The years of a random game."""

PATIENCE = 100
"""The most times that a phase may wait for random choices."""

PHASES_OF_RECORD = 8
"""The phases of the recorded game."""

PHASES_OF_KERNEL = 24
"""The phases that the kernel plays."""


def faults(name: str | Path, games: int, years: int = YEARS) -> Iterator[str]:
    """Yield everything that is wrong with a variant without a mistake in its files, a sentence each.

    Plays so many random games of so many years. Raises as `library.load` does.
    """
    rules = library.load(name)
    yield from of_the_opening(rules)
    yield from of_the_names(rules, set(library.read(name).spaces))
    yield from of_the_spaces(rules)
    if not charts.chart(name).draw().startswith("<svg"):
        yield "it cannot be drawn."
    if rules.draws_by_hand:
        return
    for seed in range(games):
        yield from of_a_random_game(rules, seed, years)
    yield from of_the_record(rules)
    yield from of_the_kernel(rules, games)


def of_the_record(rules: Rules) -> Iterator[str]:
    """Yield a sentence if a game is not read again from its record as it was."""
    chance, game = Random(0), Game.new(rules, Dice(bytes(SEED_BYTES)))  # noqa: S311  # only to play
    for _ in range(PHASES_OF_RECORD):
        if game.position.winners:
            break
        order_sets = random_orders(rules, game.position, chance)
        if not isinstance(game.adjudicate(order_sets), Resolution):
            continue  # other choices may go together
        game = game.process({power: list(orders) for power, orders in order_sets.items()})
    if decode_game(encode_game(game), rules) != game:
        yield "the record of a game is not read as the game it was."


def of_the_kernel(rules: Rules, games: int) -> Iterator[str]:
    """Yield a sentence for every game of the kernel in which the engine comes to something else.

    Nothing where the kernel is not installed, or does not take the variant.
    """
    try:
        from plenipo.batch import Arena, UnsupportedRules  # noqa: PLC0415  # an extra
    except ImportError:
        return
    try:
        arena = Arena(rules, games, seed=bytes(SEED_BYTES), keep=range(games))
    except UnsupportedRules:
        return
    arena.play(PHASES_OF_KERNEL)
    for game in range(games):
        try:
            arena.record(game)
        except PlenipoError as fault:
            yield f"game {game} of the kernel: {fault}"


def of_the_opening(rules: Rules) -> Iterator[str]:
    """Yield a fault of the first position: it is sound, and every power has something to do, or a unit that waits."""
    opening = rules.opening
    yield from opening.faults(rules.board)
    if opening.phase != rules.calendar.first:
        yield f"the opening is {opening.phase}, but the calendar begins with {rules.calendar.first}."
    legality = Legality(rules, opening)
    for power in rules.names:
        orders = legality.orders_of(power)
        if not list(orders) and not opening.units_of(power):
            yield f"{power} has nothing to order in {opening.phase}."
        yield from (f"'{order}' of {power} is listed, but not legal." for order in orders if order not in orders)


def of_the_spaces(rules: Rules) -> Iterator[str]:
    """Yield a sentence for every location where a unit can stand and none of the game ever comes."""
    firsts = set(_first_units(rules, rules.opening))
    if list(_find_unreachable(rules.board, firsts)) and not rules.draws_by_hand:
        # some variants deal centres and units after the opening, or make kinds of others on the way
        for position in _first_positions(rules):
            firsts |= {pair for pair in _first_units(rules, position) if pair[1].space in rules.board.spaces}
    yield from _find_unreachable(rules.board, firsts)


def _find_unreachable(board: Board, firsts: Collection[tuple[UnitKind, Location]]) -> Iterator[str]:
    """Yield a sentence for every location that no unit reaches that begins at one of `firsts`."""
    reached, edge = {*firsts}, [*firsts]
    while edge:
        kind, here = edge.pop()
        steps = set(board.steps(kind, here))
        if kind in board.carriers:
            steps |= {Location(code) for code, space in board.spaces.items() if _by_sea(board, here, space.code)}
        new = {(kind, to) for to in steps} - reached
        reached |= new
        edge += new
    for space in board.spaces.values():
        standing = [(kind, place) for kind, place in board.standing.values() if place.space == space.code]
        if not space.impassable and standing and not reached.intersection(standing):
            yield f"no unit ever comes to {space.code}."
        for coast in space.coasts:
            sailing = {pair for pair in standing if pair[0] in board.sailing and pair[1].coast == coast}
            if sailing and not reached & sailing:
                kinds = listing([board.traits[kind].name for kind, _ in sorted(sailing)], "or")
                yield f"no {kinds} ever comes to {space.code}/{coast}."


def _first_units(rules: Rules, position: Position) -> Iterator[tuple[UnitKind, Location]]:
    """Yield the units of a position, and those of every kind that may be built in any home centre."""
    board = rules.board
    yield from ((unit.kind, unit.location) for unit in position.units)
    homes = {code for power in rules.names for code in position.homes_of(power)}
    for kind, place in board.standing.values():
        traits = board.traits[kind]
        if place.space in homes and traits.built and not traits.parts:
            yield kind, place


def _first_positions(rules: Rules) -> Iterator[Position]:
    """Yield the positions of two years of a random game."""
    chance, position = Random(0), rules.opening  # noqa: S311  # only to play
    dice, last = Dice(bytes(SEED_BYTES)), rules.opening.phase.year + 2
    for _ in range(PATIENCE):
        yield position
        if position.winners or position.phase.year >= last:
            return
        came = adjudicate(rules, position, random_orders(rules, position, chance), dice)
        position = came.after if isinstance(came, Resolution) else position


def _by_sea(board: Board, here: Location, code: str) -> bool:
    """Tell whether units that convoy in every sea could bring one from `here` to the space `code`."""
    ports = {port for ports in board.ports.values() for port in ports}
    return here.space in ports and code in ports


def of_the_names(rules: Rules, written: set[str]) -> Iterator[str]:
    """Yield a sentence for every code, name and alias that is not its own; `written` are spaces a person has named."""
    notation = Notation(rules.board, rules.powers)
    for space in rules.board.spaces.values():
        texts = [space.code, *((space.name, *space.aliases) if space.code in written else ())]
        wanted = [(text, Location(space.code)) for text in texts]
        wanted += [(str(location), location) for location in space.locations]
        for text, location in wanted:
            try:
                came = notation.location(text)
            except PlenipoError as fault:
                yield f"'{text}' of {space.code} is not read: {fault}"
                continue
            if came != location:
                yield f"'{text}' of {space.code} is read as {came}."
    for info in rules.powers:
        for text in filter(None, (info.name, info.adjective, *info.aliases)):
            if rules.power(text) != info.name:
                yield f"'{text}' of {info.name} is read as {rules.power(text)}."


def of_a_random_game(rules: Rules, seed: int, years: int = YEARS) -> Iterator[str]:
    """Yield what goes wrong in a game of random orders until somebody wins, or for so many years."""
    chance, position = Random(seed), rules.opening  # noqa: S311  # only to play
    dice = Dice(chance.randbytes(32))
    last, waited = position.phase.year + years, 0
    while position.phase.year < last and not position.winners:
        where = f"random game {seed}, {position.phase}"
        try:
            resolution = process(rules, position, random_orders(rules, position, chance), dice)
        except PlenipoError as fault:
            yield f"{where}: {fault}"
            return
        yield from (f"{where}: {error}" for error in resolution.errors)
        waited = waited + 1 if resolution.after.phase == position.phase else 0
        if waited == PATIENCE:
            yield f"{where}: the phase stays open, whatever is ordered."
            return
        position = resolution.after
        yield from (f"{where}: {fault}" for fault in position.faults(rules.board_at(position)))
        before, still = resolution.before, position.changes == resolution.before.changes
        # a change of the board before the movement can remove centres, so it is excluded
        if position.phase.kind is PhaseKind.MOVEMENT and before.phase.kind is PhaseKind.ADJUSTMENTS and still:
            for power in rules.names:
                if adjustments.due(rules, position, power) < 0:
                    yield f"{where}: {power} has more units than centres after the adjustments."

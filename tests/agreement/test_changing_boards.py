"""Random games of Irish Diplomacy: whatever is drawn and ordered, the board stays a map and nothing gets lost.

Each game has the seven major powers and some of the others, a new seed and twelve years; every draw is made, random
legal orders are given, and random promises with them. `make proofs` plays a hundred games, all to the end.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

import pytest

from plenipo.engine.board import Board, Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.changes import Barred, BoardChange, Closed, Founded, Joined, Opened, Razed, Split
from plenipo.engine.dice import SEED_BYTES, Dice, Draw
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_position, encode_game, encode_position
from plenipo.engine.history.verify import format_record, verify
from plenipo.engine.orders import Enter, Order, Promise
from plenipo.engine.outcome import Resolution, Result
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import GAME_MASTER, Position, Power
from plenipo.engine.rules import Rules
from plenipo.library import load
from plenipo.maps.cutting.changed_figures import ChangedFigures
from plenipo.rulekit.black_holes import holes_in
from plenipo.rulekit.points import Points
from plenipo.rulekit.walkers import PARKED, Walkers
from proofs import so_many

GAMES = so_many(100, 25)
YEARS = 12
MINORS = (
    *("Belgium", "Bulgaria", "Denmark", "Greece", "Holland", "Norway", "Portugal", "Rumania", "Serbia", "Spain"),
    *("Sweden", "Tunis", "Albania", "Iceland", "North Africa", "Switzerland"),
)


def rules_of(seed: int, **options: str) -> Rules:
    """All majors and as many minors as the seed has it, all of them in every fourth game."""
    chance = Random(seed)
    playing = [name for name in MINORS if seed % 4 == 0 or chance.random() < 0.6]
    return load("irish", {"minors": ", ".join(playing or MINORS[:1]), **options})


def random_order_sets(rules: Rules, position: Position, chance: Random) -> dict[Power, list[Order]]:
    """An order for each unit, or as many builds and removals as come; and now and then a promise."""
    legality = Legality(rules, position)
    order_sets: dict[Power, list[Order]] = {}
    for power in rules.names:
        listed = legality.orders_of(power)
        if position.phase.kind in (PhaseKind.MOVEMENT, PhaseKind.RETREATS):
            order_sets[power] = [chance.choice(list(listed.of(unit))) for unit in listed.units]
        else:
            orders = list(listed)
            chance.shuffle(orders)
            order_sets[power] = orders[:3]
        if position.phase.kind is PhaseKind.MOVEMENT and (position.units_of(power) or position.centres_of(power)):
            order_sets[power] += random_promises(rules, position, power, chance)
    return order_sets


def random_promises(rules: Rules, position: Position, power: Power, chance: Random) -> Iterator[Promise]:
    if chance.random() < 0.3:
        other = chance.choice([name for name in rules.names if name != power])
        place = chance.choice(sorted(rules.board_at(position).spaces)).partition(" ")[0]
        said = chance.choice(("enters", "doesn't enter", "leaves", "holds in", "does not attack", "is nice to"))
        yield Promise(f"If {other} {said} {place}, give them {chance.randint(1, 9)} points.")


@dataclass(frozen=True)
class Turn:
    """A processed phase with the checks that every phase must pass."""

    rules: Rules
    resolution: Resolution

    @property
    def before(self) -> Position:
        return self.resolution.before

    @property
    def after(self) -> Position:
        return self.resolution.after

    @property
    def board(self) -> Board:
        return self.rules.board_at(self.after)

    def faults(self) -> Iterator[str]:
        """Everything that is wrong."""
        yield from self.after.faults(self.board)
        yield from self.of_the_board()
        yield from self.of_the_centres()
        yield from self.of_the_pieces()
        yield from self.of_what_is_closed()
        if decode_position(encode_position(self.after), self.rules) != self.after:
            yield "the position is not what its record says."
        balances = [Points().balances(position) for position in (self.before, self.after)]
        kept = sum(balances[0].values()) == sum(balances[1].values())
        if not kept and not any(" got " in note for note in self.resolution.notes):
            yield "points came or went without an income."

    def of_the_board(self) -> Iterator[str]:
        board = self.board
        for code, tos in board.armies.items():
            yield from (f"armies go from {code} to {to} only." for to in tos if code not in board.armies.get(to, ()))
        for here, there in board.fleets.items():
            yield from (f"fleets go from {here} to {to} only." for to in there if here not in board.fleets.get(to, ()))
        touching = Counter((code, other) for code, around in board.borders.items() for other in around if other)
        yield from (f"{a} touches {b} {n} times." for (a, b), n in touching.items() if touching[b, a] != n)
        if euler(board) != euler(self.rules.board):
            yield "the contacts are not those of a plane."
        if self.after.changes != self.before.changes:
            figures = self.rules.changed_boards
            assert isinstance(figures, ChangedFigures)
            figures.figure(self.after.changes).check()

    def of_the_centres(self) -> Iterator[str]:
        """Each hole takes one centre at most, each freed province gives it back, each split makes two of one."""
        count = len(self.rules.board_at(self.before).centres)
        new = self.after.changes[len(self.before.changes) :]
        for done, change in enumerate(new):
            count += self.change_of_centres(self.before.changes + new[:done], change)
        if count != len(self.board.centres):
            yield f"there should be {count} centres, and there are {len(self.board.centres)}."
        yield from (f"{code} is owned and no centre." for code in self.after.owners if code not in self.board.centres)

    def change_of_centres(self, changes: tuple[BoardChange, ...], change: BoardChange) -> int:
        if isinstance(change, Barred | Joined):
            return 0
        if isinstance(change, Founded | Razed):
            return 1 if isinstance(change, Founded) else -1
        here = change.space in self.rules.board_at(replace(self.before, changes=changes)).centres
        opened = change.space in self.rules.board_at(replace(self.before, changes=(*changes, change))).centres
        match change:
            case Closed():
                return -1 if here else 0
            case Opened():
                return 1 if opened and not here else 0
            case Split():
                return 1 if here else 0

    def of_the_pieces(self) -> Iterator[str]:
        before, after = (len(position.units) + len(position.dislodged) for position in (self.before, self.after))
        results = Counter(outcome.result for outcome in self.resolution.outcomes)
        notes = self.resolution.notes
        came = results[Result.BUILDS] + sum(" is the double of " in note for note in notes)
        came += sum(len(note.split(" starts with ")[1].split(",")) for note in notes if " starts with " in note)
        went = results[Result.REMOVED] + results[Result.DISBANDED] + sum("was disbanded" in note for note in notes)
        walkers = sum(note.startswith(("IRISH", "PSYCHIATRIST")) for note in notes if "was annihilated" in note)
        went += sum("was annihilated" in note for note in notes) - walkers
        went += sum("was annihilated: it was in anarchy" in outcome.why for outcome in self.resolution.outcomes)
        if before + came - went != after:
            yield f"there were {before} pieces, {came} came and {went} went, and there are {after}."

    def of_what_is_closed(self) -> Iterator[str]:
        holes = set(holes_in(self.after))
        yield from (f"{unit} stands in a hole." for unit in self.after.units if unit.space in holes)
        yield from (f"{hole} is a hole and open." for hole in holes if not self.board.spaces[hole].impassable)
        if len(holes) > 6:
            yield f"there are {len(holes)} holes."
        for name, place in Walkers().walking(self.after).places.items():
            if place != PARKED and self.board.spaces[place].impassable:
                yield f"{name} stands in {place}, which is closed."


def euler(board: Board) -> int:
    """Spaces less borders plus corners; a split, with one space, three borders and two corners more, leaves it so."""
    ends = sum(other is not None for around in board.borders.values() for other in around)
    return len(board.borders) - ends // 2 + len(board.corners)


def game_of(seed: int, years: int = YEARS, **options: str) -> tuple[Game, list[str]]:
    """A random game with everything that is wrong with it."""
    rules, chance = rules_of(seed, **options), Random(seed)
    game = Game.new(rules, Dice(seed.to_bytes(SEED_BYTES, "big")))
    told: list[str] = []
    while not game.over and game.position.phase.year < rules.calendar.start + years:
        phase = game.position.phase
        game = game.process(random_order_sets(rules, game.position, chance))
        told += (f"game {seed}, {phase}: {fault}" for fault in Turn(rules, game.turns[-1].resolution).faults())
    return game, told


def again(name: str, options: Mapping[str, str]) -> Rules:
    return load(name, dict(options))


@pytest.mark.parametrize("seed", range(GAMES))
def test_in_a_random_game_the_board_stays_a_map_and_nothing_gets_lost(seed: int) -> None:
    game, told = game_of(seed, YEARS if GAMES > 4 or not seed else 6)
    assert told == []
    assert sum(isinstance(change, Split) for change in game.position.changes) >= 11
    text = format_record(encode_game(game))
    found = verify(text, again)
    assert found.game == game
    assert found.repeated > 50
    assert format_record(encode_game(found.game)) == text


def test_the_same_seed_is_the_same_game() -> None:
    first, second = (game_of(7, 2)[0] for _ in range(2))
    assert first == second
    assert game_of(8, 2)[0].position.changes != first.position.changes


def entered(draws: Sequence[Draw], where: str) -> list[Enter]:
    """Return the orders of a game master who physically drew the same results."""
    return [
        Enter(
            draw.label.removeprefix(f"{where}|"),
            ", ".join(f"{name} {card}" for name, card in draw.cards.items()) if draw.dealt else draw.result,
        )
        for draw in draws
    ]


@pytest.mark.parametrize("seed", [1, 4])
def test_draws_entered_by_hand_make_the_same_game_as_the_same_draws_of_the_dice(seed: int) -> None:
    seeded, _ = game_of(seed, 3)
    by_hand = rules_of(seed, draws="gm_entered")
    game = Game.new(by_hand)
    for turn in seeded.turns:
        before = turn.resolution.before.phase
        where = f"{before.season} {before.year}"
        notices = entered(turn.resolution.draws, where)
        walking = [notice for notice in notices if notice.label.startswith(("IRISH", "PSYCHIATRIST"))]
        game = game.process({**turn.orders, **({GAME_MASTER: list(map(str, walking))} if walking else {})})
        if game.position.phase.kind is PhaseKind.DRAWS:
            drawn = [str(notice) for notice in notices if notice not in walking]
            game = game.process({GAME_MASTER: drawn})
        assert game.position == turn.resolution.after
        assert [error for error in game.turns[-1].resolution.errors if "GM" in error] == []
    assert all(draw.entered for turn in game.turns for draw in turn.resolution.draws)
    found = verify(format_record(encode_game(game)), again)
    assert (found.repeated, found.unproved) == (0, 0)
    assert found.entered > 40


def test_what_is_wrong_is_seen() -> None:
    game, told = game_of(3, 2)
    assert told == []
    resolution = game.turns[-1].resolution
    hole = holes_in(resolution.after)[0]
    walking = Walkers().walking(resolution.after)
    lost = replace(walking, places={**walking.places, "IRISH 1": hole})
    shortened = replace(resolution.after, units=resolution.after.units[1:]).with_slot("walkers", lost)
    found = list(Turn(game.rules, replace(resolution, after=shortened)).faults())
    assert f"IRISH 1 stands in {hole}, which is closed." in found
    assert any(fault.startswith("there were ") for fault in found)
    assert Code(hole) not in game.rules.board_at(resolution.after).centres

"""What every variant must do, checked by one function: `faults` of a folder of the package, or of several together.

A folder has a README, worked cases in `cases/` and whole games in `games/`. A game is a script of orders with a
comment `# Ends: …`, the last line of what `plenipo play` says of it.
"""

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from plenipo import library
from plenipo.cases import Verdict, run_file
from plenipo.cli import app
from plenipo.engine.board import Board, Code, Location, Terrain, UnitKind
from plenipo.engine.budgets import affordable
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.hooks import Effects, RuleModule
from plenipo.engine.orders import Build, Choose, Move, Order, Remove, Support
from plenipo.engine.phases import adjustments
from plenipo.engine.phases.choosing import standing
from plenipo.engine.phases.legality import Legality, LegalOrders
from plenipo.engine.phases.step import Sheets, process
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.reading.notation import Notation
from plenipo.engine.rules import Rules
from plenipo.errors import PlenipoError
from proofs import so_many

GAMES = so_many(20, 10)  # `make proofs` plays all, `scripts/bank.py --games` as many as one likes
CHANGING_GAMES = so_many(3, 3)  # of a variant whose board changes, where a turn takes a hundred times as long
YEARS = 20
OPTION_YEARS = so_many(YEARS, 4)  # of the game with each option
END = "# Ends: "
PATIENCE = 100  # times that a phase may wait for choices drawn at random


def faults(name: str | Path, games: int | None = None, options: Mapping[str, str] | None = None) -> Iterator[str]:
    """Everything that is wrong with a variant, a sentence each; nothing if it conforms.

    With `options` the folder is left out: its cases and games say themselves what they are played with.
    """
    try:
        rules = library.load(name, options)
    except PlenipoError as fault:
        yield str(fault)
        return
    yield from of_the_opening(rules)
    yield from of_the_spaces(rules)
    yield from of_the_names(rules, set(library.read(name).spaces))
    changing = any(step.kind is PhaseKind.DRAWS for step in rules.calendar.cycle)
    usual = CHANGING_GAMES if changing else GAMES
    for seed in range(0 if rules.draws_by_hand else usual if games is None else games):
        yield from of_a_random_game(rules, seed, OPTION_YEARS if options else YEARS)
    if "+" not in str(name) and not options:  # what is played together has no folder of its own
        yield from of_the_folder(library.folder_of(name))


def of_the_opening(rules: Rules) -> Iterator[str]:
    """The first position is sound, and every power has something to do in it, or a unit that waits for its turn."""
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
    """Every location where a unit can stand is reached by some unit of the game."""
    board = rules.board
    reached = {*first_units(rules)}
    edge = list(reached)
    while edge:
        kind, here = edge.pop()
        steps = set(board.steps(kind, here))
        if kind is UnitKind.ARMY:
            steps |= {Location(code) for code, space in board.spaces.items() if by_sea(board, here, space.code)}
        new = {(kind, to) for to in steps} - reached
        reached |= new
        edge += new
    for space in board.spaces.values():
        if not space.impassable and all((kind, loc) not in reached for kind in board.kinds for loc in space.locations):
            yield f"no unit ever comes to {space.code}."
        for coast in space.coasts:
            if (UnitKind.FLEET, Location(space.code, coast)) not in reached:
                yield f"no fleet ever comes to {space.code}/{coast}."


def first_units(rules: Rules) -> Iterator[tuple[UnitKind, Location]]:
    """The units that stand in the opening, and those that may be built in any home centre."""
    yield from ((unit.kind, unit.location) for unit in rules.opening.units)
    for code in (code for power in rules.names for code in rules.opening.homes_of(power)):
        yield UnitKind.ARMY, Location(code)
        if rules.board.spaces[code].terrain is not Terrain.INLAND:
            yield from ((UnitKind.FLEET, location) for location in rules.board.spaces[code].locations)


def by_sea(board: Board, here: Location, code: str) -> bool:
    """Whether fleets in every sea could bring an army from `here` to the space `code`."""
    ports = {port for ports in board.ports.values() for port in ports}
    return here.space in ports and code in ports


def of_the_names(rules: Rules, written: set[str]) -> Iterator[str]:
    """Every code, name and alias means its own space or power; `written` are the spaces a person has named."""
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


# Random games


def of_a_random_game(rules: Rules, seed: int, years: int = YEARS) -> Iterator[str]:
    """A game of legal orders drawn at random goes on for so many years, or to a win, without an error."""
    chance, position = Random(seed), rules.opening
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
        # where the board changes before the movement, centres go with it
        if position.phase.kind is PhaseKind.MOVEMENT and before.phase.kind is PhaseKind.ADJUSTMENTS and still:
            for power in rules.names:
                if adjustments.due(rules, position, power) < 0:
                    yield f"{where}: {power} has more units than centres after the adjustments."


def random_orders(rules: Rules, position: Position, chance: Random) -> Sheets:
    """Legal orders for everybody, sometimes none for a unit or for a whole power."""
    legality, board = Legality(rules, position), rules.board_at(position)
    sheets: dict[Power, list[Order]] = {}
    moves = random_moves(board, position, chance) if position.phase.kind is PhaseKind.MOVEMENT else []
    for power in rules.names:
        orders = legality.orders_of(power)
        if chance.random() < 0.02:
            continue
        if position.phase.kind is PhaseKind.MOVEMENT:
            sheets[power] = [move for move in moves if position.unit_at(move.unit.location.space) in orders.units]
            ordered = {move.unit for move in moves}
            idle = [unit for unit in orders.units if unit.ref not in ordered]
            sheets[power] += [random_help(board, moves, orders, unit, chance) for unit in idle]
        elif position.phase.kind is PhaseKind.RETREATS:
            sheets[power] = [chance.choice(list(orders.of(unit))) for unit in orders.units if chance.random() < 0.95]
        elif position.phase.kind is PhaseKind.CHOICE:
            sheets[power] = random_choices(legality, power, list(orders), chance)
        else:
            sheets[power] = random_adjustments(board, orders, abs(adjustments.possible(rules, position, power)), chance)
        if legality.limits:  # the moves and supports above know the board alone
            sheets[power] = [order for order in sheets[power] if order in orders]
        declarations = orders.declarations
        if declarations and chance.random() < 0.5:
            sheets[power] = [*sheets[power], *chance.sample(declarations, min(2, len(declarations)))]
        sheets[power] = affordable(rules, position, power, sheets[power])
    return sheets


def random_choices(legality: Legality, power: Power, offered: list[Order], chance: Random) -> list[Order]:
    """Choices that go together, often fewer than could be made."""
    listed = [order for order in offered if isinstance(order, Choose)]
    chance.shuffle(listed)
    return list(standing(legality, power, listed[: chance.randint(1, len(listed) or 1)]))


def random_moves(board: Board, position: Position, chance: Random) -> list[Move]:
    """Moves without a convoy for about half of all units that can make one; an army on a small island cannot."""
    going = [unit for unit in position.units if chance.random() < 0.55 and board.steps(unit.kind, unit.location)]
    return [Move(unit.ref, chance.choice(sorted(board.steps(unit.kind, unit.location)))) for unit in going]


def random_help(board: Board, moves: list[Move], orders: LegalOrders, unit: Unit, chance: Random) -> Order:
    """A support of one of `moves` if the unit can give one, sometimes anything else that it may be ordered."""
    near = board.reach(unit.kind, unit.location)
    helped = [move for move in moves if move.to.space in near]
    if not helped or chance.random() < 0.2:
        return chance.choice(list(orders.of(unit)))
    move = chance.choice(helped)
    return Support(unit.ref, move.unit, move.to)


def random_adjustments(board: Board, orders: LegalOrders, due: int, chance: Random) -> list[Order]:
    """Builds in different places, or removals of different units, at most as many as are due; some count double."""
    listed = [order for order in orders if isinstance(order, Build | Remove)]
    chance.shuffle(listed)
    taken: dict[str, Build | Remove] = {}
    for order in listed:
        taken.setdefault(order.unit.location.space, order)
    left, chosen = max(0, due - (chance.random() < 0.1)), list[Order]()
    for one in taken.values():
        if left > 0:
            chosen.append(one)
            kind = one.unit.kind
            left -= board.traits[kind].upkeep if kind else 1
    return chosen


# The folder


def of_the_folder(folder: Path) -> Iterator[str]:
    """Its files have no mistake, its cases pass, its games end as they say."""
    yield from map(str, library.check(folder))
    if (name := library.load(folder).variant) != folder.name:
        yield f"{folder.name} is called '{name}' in its records."
    if not (folder / "README.md").is_file():
        yield f"{folder.name} has no README.md."
    cases = sorted((folder / "cases").glob("*.yaml"))
    if not cases:
        yield f"{folder.name} has no cases."
    load = partial(load_from, folder)
    for result in (result for file in cases for result in run_file(file, load)):
        if result.outcome is not Verdict.PASSED:
            yield str(result)
    games = sorted((folder / "games").glob("*.txt"))
    if not games:
        yield f"{folder.name} has no golden game."
    for file in games:
        yield from of_a_golden_game(file, str(folder))


def load_from(folder: Path, name: str, options: Mapping[str, str]) -> Rules:
    """The rules of a case; those of the folder itself where the case names it."""
    return library.load(folder if name == folder.name else name, options)


def of_a_golden_game(file: Path, variant: str) -> Iterator[str]:
    """The script plays without a complaint and ends as its comment says."""
    ends = [line.removeprefix(END) for line in file.read_text("utf-8").splitlines() if line.startswith(END)]
    result = CliRunner().invoke(app, ["play", variant, "--orders", str(file)], env={"COLUMNS": "300"})
    if result.exit_code:
        yield f"{file.name}: plenipo play ended with {result.exit_code}: {result.output}"
        return
    yield from (f"{file.name}: {line}" for line in result.stderr.splitlines())
    for word in ("is illegal", "was ignored"):
        yield from (f"{file.name}: {line.strip()}" for line in result.stdout.splitlines() if word in line)
    last = result.stdout.splitlines()[-1]
    if ends != [last]:
        yield f"{file.name} says that it ends '{'; '.join(ends)}', but it ends '{last}'."


# The variants


@pytest.mark.parametrize("name", [*library.names(), "1897+corner"])
def test_a_variant_conforms(name: str) -> None:
    assert list(faults(name)) == []


def choices_of(name: str) -> Iterator[dict[str, str]]:
    """One option of a variant at a time, at each choice that is not its default."""
    for option in library.options_of(name):
        choices = option.choices.split(" | ") if " | " in option.choices else []
        yield from ({option.name: choice} for choice in choices if choice != option.default)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        pytest.param(name, options, id=" ".join([name, *options, *options.values()]))
        for name in library.names()
        for options in choices_of(name)
    ],
)
def test_a_variant_conforms_whatever_is_chosen(name: str, options: dict[str, str]) -> None:
    assert list(faults(name, 1, options)) == []


@pytest.mark.parametrize("name", [name for name in library.names() if "corner" not in name])
def test_a_game_in_which_nobody_goes_to_a_corner_is_the_same_game_with_corners(name: str) -> None:
    for file in sorted((library.folder_of(name) / "games").glob("*.txt")):
        assert list(of_a_golden_game(file, f"{name}+corner")) == []


# The function itself


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of a variant that conforms."""
    return Path(shutil.copytree(library.folder_of("1897"), tmp_path / "1897"))


def told(folder: Path) -> str:
    return "\n".join(faults(folder, games=0))


def edited(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_the_copy_conforms(folder: Path) -> None:
    assert told(folder) == ""


def test_a_folder_without_golden_games_does_not_conform(folder: Path) -> None:
    shutil.rmtree(folder / "games")
    assert told(folder) == "1897 has no golden game."


def test_a_folder_without_cases_or_readme_does_not_conform(folder: Path) -> None:
    shutil.rmtree(folder / "cases")
    (folder / "README.md").unlink()
    assert told(folder) == "1897 has no README.md.\n1897 has no cases."


def test_a_golden_game_that_ends_otherwise_is_seen(folder: Path) -> None:
    game = next((folder / "games").glob("*.txt"))
    edited(game, END, f"{END}Not so: ")
    assert "says that it ends 'Not so: " in told(folder)


def test_an_order_of_a_golden_game_that_does_not_count_is_seen(folder: Path) -> None:
    game = next((folder / "games").glob("*.txt"))
    edited(game, "A LON - YOR", "A LON - SYR")
    assert "'A LON - SYR' is illegal: " in told(folder)


def test_a_line_of_a_golden_game_that_cannot_be_read_is_seen(folder: Path) -> None:
    game = next((folder / "games").glob("*.txt"))
    edited(game, "A LON - YOR", "A LON jumps YOR")
    assert "line " in told(folder)


def test_a_case_that_fails_is_seen(folder: Path) -> None:
    file = next(file for file in (folder / "cases").glob("*.yaml") if "winners: [Germany]" in file.read_text())
    edited(file, "winners: [Germany]", "winners: [England]")
    assert "winners: expected an item 'England', but it is [\"Germany\"]" in told(folder)


def test_a_mistake_in_the_definition_is_seen(folder: Path) -> None:
    edited(folder / "variant.toml", 'homes = ["BRE", "MAR", "PAR"]', 'homes = ["BRE", "MAR", "BUR"]')
    assert "'powers.France.homes': Burgundy is not a supply centre." in told(folder)


def test_a_power_with_nothing_to_do_is_seen(folder: Path) -> None:
    edited(folder / "variant.toml", 'not_allowed = ["STP"]', 'not_allowed = ["BRE", "MAR", "PAR"]')
    assert "France has nothing to order in Autumn 1897 choice." in told(folder)


def test_a_space_to_which_nobody_comes_is_seen(folder: Path) -> None:
    file = folder / "variant.toml"
    lines = file.read_text(encoding="utf-8").splitlines()
    homes = dict.fromkeys(library.load("standard").names, "[]") | {"Russia": '["MOS"]'}
    kept = [line for line in lines if line.split(" ")[0] not in homes]
    at = next(i for i, line in enumerate(kept) if line.startswith("[powers]")) + 1
    kept[at:at] = [f"{power} = {{ units = [], homes = {codes} }}" for power, codes in homes.items()]
    file.write_text("\n".join(kept), encoding="utf-8")
    assert "no unit ever comes to NTH." in told(folder)
    assert "no fleet ever comes to STP/NC." in told(folder)
    assert "no unit ever comes to LVN." not in told(folder)


def test_a_name_that_fits_two_spaces_is_seen(folder: Path) -> None:
    with (folder / "variant.toml").open("a", encoding="utf-8") as file:
        file.write('\n[spaces]\nPAR = { aliases = ["Marseilles", "Lutetia"] }\nBUR = { aliases = ["Lutetia"] }\n')
    assert "'Marseilles' of PAR is read as MAR." in told(folder)
    assert "'Lutetia' of BUR is not read: 'Lutetia' may be BUR (Burgundy) or PAR (Paris)" in told(folder)


def test_a_figure_that_is_not_sound_is_seen(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(library.folder_of("standard"), tmp_path / "board")
    edited(tmp_path / "board" / "figure.json", "PAR", "PAA")
    edited(folder / "variant.toml", 'parent = "standard"', 'parent = "board"')
    assert "figure.json, line 97: face PAA of the figure is not a space of 1897" in told(folder)


class Litter(RuleModule):
    """A rule module that leaves a unit where none can stand, and one too many."""

    def after_ownership(self, rules: Rules, position: Position, phase: Phase) -> Effects:
        stray = Unit(rules.names[phase.year % 7], UnitKind.ARMY, Location(Code("NTH")))
        return Effects(replace(position, units=(*position.units, stray)))


def test_a_random_game_that_goes_wrong_is_seen() -> None:
    rules = library.load("1897")
    assert not list(of_a_random_game(rules, 1))
    told = "\n".join(of_a_random_game(replace(rules, modules=(*rules.modules, Litter())), 1))
    assert "random game 1, Fall 1898 movement: 'A NTH' cannot stand there" in told


def test_the_random_orders_use_everything_that_may_be_ordered() -> None:
    rules, chance = library.load("1897+corner"), Random(1)
    position, dice, kinds = rules.opening, Dice(bytes(32)), set()
    for _ in range(200):
        sheets = random_orders(rules, position, chance)
        kinds |= {type(order).__name__ for sheet in sheets.values() for order in sheet}
        after = process(rules, position, sheets, dice).after
        position = rules.opening if after.winners else after
    assert kinds == {"Choose", "Hold", "Move", "Support", "Convoy", "Retreat", "Disband", "Build", "Remove"}

"""The conformance of every variant, checked by one function: `faults` of one or several folders of the package.

A folder has a README, worked cases in `cases/` and whole games in `games/`. A game is a script of orders with a comment
`# Ends: …`, the last line of the output of `plenipo play`.
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
from plenipo.cases import CaseVerdict, run_file
from plenipo.cli import app
from plenipo.conformance import of_a_random_game, of_the_names, of_the_opening, of_the_spaces
from plenipo.engine.board import Code, Location, UnitKind
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.hooks import Effects, RuleModule
from plenipo.engine.phases.step import process
from plenipo.engine.position import Position, Unit
from plenipo.engine.rules import Rules
from plenipo.errors import PlenipoError
from plenipo.library.trial_orders import random_orders
from proofs import so_many

GAMES = so_many(20, 10)  # `make proofs` plays all, `plenipo check --games` as many as one likes
CHANGING_GAMES = so_many(3, 3)  # for variants with a changing board, on which a turn takes a hundred times as long
YEARS = 20
OPTION_YEARS = so_many(YEARS, 4)  # years of the game with each option
END = "# Ends: "


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
    if "+" not in str(name) and not options:  # variants that are played together have no folder of their own
        yield from of_the_folder(library.folder_of(name))


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
        if result.outcome is not CaseVerdict.PASSED:
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
def test_a_game_without_moves_to_corners_is_the_same_game_with_corners(name: str) -> None:
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


def test_an_unreachable_space_is_found(folder: Path) -> None:
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
        order_sets = random_orders(rules, position, chance)
        kinds |= {type(order).__name__ for order_set in order_sets.values() for order in order_set}
        after = process(rules, position, order_sets, dice).after
        position = rules.opening if after.winners else after
    assert kinds == {"Choose", "Hold", "Move", "Support", "Convoy", "Retreat", "Disband", "Build", "Remove"}

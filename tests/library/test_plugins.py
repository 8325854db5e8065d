"""Plug-ins: a package from outside the tree, code beside a variant, and everything that may be wrong with either."""

import json
import shutil
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from plenipo import library
from plenipo.cli import app
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.outcome import Result as Outcome
from plenipo.engine.phases.step import process
from plenipo.engine.position import Power
from plenipo.engine.reading.notation import notation_of
from plenipo.errors import InvalidVariant, UnknownName
from plenipo.library import plugins

EXAMPLE = Path(__file__).parents[1] / "data" / "plugin_package"
AUSTRIA, GERMANY = Power("Austria"), Power("Germany")


def run(*args: object, typed: str | None = None) -> Result:
    """Call `plenipo`; what is not a refusal in a sentence is raised here."""
    return CliRunner().invoke(app, list(map(str, args)), input=typed, env={"COLUMNS": "200"}, catch_exceptions=False)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder in which packages are found as if they were installed."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    before = set(sys.modules)
    plugins.refresh()
    yield folder
    plugins.trust_code(allowed=False)
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in {"plenipo_example", "elsewhere"}:
            del sys.modules[name]
    plugins.refresh()


def install(site: Path, name: str, version: str, groups: dict[str, dict[str, str]]) -> None:
    """Write what an installer writes about a package."""
    about = site / f"{name.replace('-', '_')}-{version}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    points = (f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in entries.items()) for group, entries in groups.items())
    (about / "entry_points.txt").write_text("\n".join(points), encoding="utf-8")
    plugins.refresh()


@pytest.fixture
def example(site: Path) -> Path:
    """The example package, installed."""
    shutil.copytree(EXAMPLE / "plenipo_example", site / "plenipo_example")
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    install(site, project["name"], project["version"], project["entry-points"])
    return site


def elsewhere(site: Path, code: str, **entries: str) -> None:
    """Another package, with rule modules."""
    (site / "elsewhere.py").write_text(code, encoding="utf-8")
    install(site, "elsewhere", "0.1", {"plenipo.rule_modules": entries})


def folder(tmp_path: Path, text: str, code: str = "") -> Path:
    """A variant on disk, perhaps with code beside it."""
    variant = tmp_path / "mine"
    variant.mkdir(exist_ok=True)
    (variant / "variant.toml").write_text(f'title = "Mine"\nparent = "standard"\n{text}', encoding="utf-8")
    if code:
        (variant / "rules.py").write_text(code, encoding="utf-8")
    return variant


# A package from outside the tree


@pytest.mark.usefixtures("example")
def test_what_a_package_brings_is_listed_with_the_package() -> None:
    told = run("variants")
    rows = [line.split() for line in told.stdout.splitlines()]
    assert ["fortress", "Fortress", "7", "34", "18", "centres", "plenipo-example", "1.2"] in rows
    text = " ".join(told.stdout.split())
    for row in (
        "rule module strong_defence Units of some powers count two and a half where they stand; `powers` says whose. "
        "plenipo-example 1.2",
        "computer player cautious Lets every unit hold, and builds nothing. plenipo-example 1.2",
        "format orders the orders of a game, a line each plenipo-example 1.2",
    ):
        assert row in text
    assert told.stderr == ""


def test_without_packages_nothing_is_said_of_them() -> None:
    assert "From" not in run("variants").stdout


ATTACK = ["A BOH - VIE", "A GAL S A BOH - VIE"]


def attacked(variant: str) -> Game:
    """A game in which Germany may attack Vienna from two sides."""
    game = Game.new(library.load(variant))
    game = game.process({GERMANY: ["A MUN - BOH", "A BER - SIL"]})
    return game.process({GERMANY: ["A SIL - GAL"]})


@pytest.mark.usefixtures("example")
def test_a_variant_of_a_package_is_played_by_its_rule() -> None:
    results = {}
    for variant in ("fortress", "standard"):
        outcomes = attacked(variant).process({GERMANY: ATTACK}).turns[-1].resolution.outcomes
        results[variant] = next(outcome.result for outcome in outcomes if str(outcome.order) == ATTACK[0])
    assert results == {"fortress": Outcome.FAILS, "standard": Outcome.MOVES}


@pytest.mark.usefixtures("example")
def test_the_kernel_plays_by_the_fact_of_a_package() -> None:
    kernel = pytest.importorskip("plenipo.batch.adjudicate", exc_type=ImportError)
    game = attacked("fortress")
    notation = notation_of(game.rules)
    attack = {GERMANY: [notation.read(text, PhaseKind.MOVEMENT) for text in ATTACK]}
    slow, fast = (decide(game.rules, game.position, attack) for decide in (process, kernel.process))
    assert slow.after.units == fast.after.units == game.position.units


@pytest.mark.usefixtures("example")
def test_the_schema_and_the_options_know_a_module_of_a_package() -> None:
    options = library.schema()["properties"]["modules"]["properties"]["strong_defence"]
    assert options["$comment"] == "of plenipo-example 1.2"
    assert "powers" in options["properties"]
    assert "powers" in run("variants", "fortress").stdout
    assert "powers=('Italy',)" in str(library.load("fortress", {"powers": "Italy"}).modules)


@pytest.mark.usefixtures("example")
def test_a_mistake_in_the_options_of_a_packages_module_is_found_with_its_line(tmp_path: Path) -> None:
    told = run("check", folder(tmp_path, '[modules.strong_defence]\npowers = ["Astria"]'))
    assert told.exit_code == 1
    assert "variant.toml, line 4: 'Astria' is not a power of this variant; did you mean Austria?" in told.stdout
    assert run("check", "fortress").stdout == "0 mistakes found.\n"


@pytest.mark.usefixtures("example")
def test_a_computer_player_of_a_package_plays_at_the_terminal(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    run("play", "fortress", "--computer", "Austria=cautious", "--save", saved, typed="done\n" * 6)
    first = json.loads(saved.read_text(encoding="utf-8"))["entries"][0]
    assert sorted(first["orders"]["Austria"]) == ["A BUD H", "A VIE H", "F TRI H"]


@pytest.mark.usefixtures("example")
def test_a_format_of_a_package_is_written_and_read(tmp_path: Path) -> None:
    saved, lines, again = (tmp_path / name for name in ("game.json", "lines.txt", "again.json"))
    run("play", "fortress", "--set", "victory=5", "--save", saved, typed="a bud - ser\n" + "done\n" * 7)
    assert run("convert", saved, lines, "--to", "orders").exit_code == 0
    assert lines.read_text(encoding="utf-8").splitlines()[:3] == [
        "fortress: victory=5",
        "Spring 1901 movement",
        "Austria: A BUD - SER",
    ]
    assert run("convert", lines, again, "--to", "plenipo").exit_code == 0
    assert "A SER" in run("play", "--load", again, typed="quit\n").stdout


# Faults of a package


RAISES = "raise RuntimeError('no luck')"
NOT_ONE = "class Odd: pass"
CLASHES = """
from dataclasses import dataclass
from typing import ClassVar
from plenipo.engine.facts import UnitWeights
from plenipo.engine.hooks import RuleModule
@dataclass(frozen=True)
class Odd(RuleModule):
    name: ClassVar[str] = "odd"
    def facts(self, rules):
        yield UnitWeights(3)
"""
BREAKS = CLASHES.replace("yield UnitWeights(3)", "raise ZeroDivisionError('by nought')")


@pytest.mark.parametrize(
    ("code", "name", "sentence"),
    [
        (
            RAISES,
            "odd",
            "The rule module 'odd' of elsewhere 0.1 cannot be used: loading it raised RuntimeError: no",
        ),
        ("import nowhere_at_all", "odd", "of elsewhere 0.1 cannot be used: loading it raised ModuleNotFoundError: No"),
        ("raise SystemExit(3)", "odd", "of elsewhere 0.1 cannot be used: loading it raised SystemExit: 3."),
        (NOT_ONE, "odd", "cannot be used: elsewhere:Odd is not a rule module with the name 'odd'."),
        (CLASHES, "other", "cannot be used: elsewhere:Odd is not a rule module with the name 'other'."),
        (
            CLASHES,
            "corners",
            "'corners' of elsewhere 0.1 cannot be used: Plenipo has one of that name.",
        ),
    ],
)
def test_a_plug_in_that_cannot_be_used_is_named_and_the_rest_goes_on(
    site: Path, code: str, name: str, sentence: str
) -> None:
    elsewhere(site, code, **{name: "elsewhere:Odd"})
    told = run("variants")
    assert told.exit_code == 0
    assert sentence in told.stderr
    assert "standard" in told.stdout
    assert run("variants", "1897").exit_code == 0


def test_a_variant_that_names_a_broken_plug_in_says_why_it_is_broken(site: Path, tmp_path: Path) -> None:
    elsewhere(site, RAISES, odd="elsewhere:Odd")
    with pytest.raises(InvalidVariant, match=r"line 3: The rule module 'odd' of elsewhere 0\.1 cannot be used"):
        library.load(folder(tmp_path, "[modules.odd]"))


def test_facts_that_contradict_those_of_another_module_are_refused_with_both_names(
    example: Path, tmp_path: Path
) -> None:
    elsewhere(example, CLASHES, odd="elsewhere:Odd")
    told = run("check", folder(tmp_path, '[modules.strong_defence]\npowers = ["Italy"]\n[modules.odd]'))
    assert told.exit_code == 1
    assert "'strong_defence' and 'odd' both decide what units count: they cannot be played together." in told.stdout


def test_a_plug_in_that_raises_when_it_is_asked_is_named(site: Path, tmp_path: Path) -> None:
    elsewhere(site, BREAKS, odd="elsewhere:Odd")
    variant = folder(tmp_path, "[modules.odd]")
    sentence = "The rule module 'odd' of elsewhere 0.1 raised ZeroDivisionError: by nought."
    assert sentence in run("check", variant).stdout
    assert run("play", variant).stderr == f"{sentence}\n"


def test_a_computer_player_that_raises_orders_nothing_and_the_game_goes_on(site: Path) -> None:
    (site / "elsewhere.py").write_text("def bad(view, legal, chance):\n    return 1 / 0", encoding="utf-8")
    install(site, "elsewhere", "0.1", {"plenipo.players": {"bad": "elsewhere:bad"}})
    told = run("play", "--computer", "Austria=bad", typed="done\n" * 6)
    assert "The computer player 'bad' of elsewhere 0.1 raised ZeroDivisionError: division by zero." in told.stderr
    assert "Austria orders nothing." in told.stderr
    assert "the game stands at Fall 1901 movement" in told.stdout


@pytest.mark.usefixtures("example")
def test_a_player_or_format_there_is_none_of_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"'cautius' is not a computer player; did you mean cautious\?"):
        plugins.players()["cautius"]


# Code beside a variant


CODE = CLASHES.replace('"odd"', '"mine"')


@pytest.mark.usefixtures("site")
def test_code_beside_a_variant_is_run_only_where_it_was_allowed(tmp_path: Path) -> None:
    variant = folder(tmp_path, "[modules.mine]", CODE + f"\nopen({str(tmp_path / 'ran')!r}, 'w').close()")
    told = run("play", variant)
    assert told.exit_code == 2
    assert told.stderr.startswith(f"{variant / 'rules.py'}: this variant brings code, which would run with all your")
    assert told.stderr.endswith("allow it with --trust.\n")
    assert told.stderr.count("\n") == 1
    assert run("check", variant).exit_code == 1
    assert not (tmp_path / "ran").exists()
    assert run("check", variant, "--trust").stdout == "0 mistakes found.\n"
    assert (tmp_path / "ran").exists()
    assert library.load(variant).facts.movement.weights.scale == 3


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("1 / 0", "rules.py: running it raised ZeroDivisionError: division by zero."),
        ("def", "rules.py: running it raised SyntaxError: "),
        (CLASHES.replace('"odd"', '"corners"'), "rules.py: 'corners' is not a free name of a rule module."),
        (BREAKS.replace('"odd"', '"mine"'), "rules.py: this code raised ZeroDivisionError: by nought."),
    ],
)
@pytest.mark.usefixtures("site")
def test_faulty_code_beside_a_variant_is_reported_with_its_file(tmp_path: Path, code: str, sentence: str) -> None:
    told = run("check", folder(tmp_path, "[modules.mine]", code), "--trust")
    assert told.exit_code == 1
    assert sentence in told.stdout


@pytest.mark.usefixtures("site")
def test_code_of_one_variant_is_not_known_to_another(tmp_path: Path) -> None:
    plugins.trust_code()
    library.load(folder(tmp_path, "[modules.mine]", CODE))
    other = tmp_path / "other"
    other.mkdir()
    (other / "variant.toml").write_text('title = "Other"\nparent = "standard"\n[modules.mine]', encoding="utf-8")
    with pytest.raises(InvalidVariant, match="'mine' is not a rule module"):
        library.load(other)

"""Extras: what is missing is named before the work starts, with the command that installs it."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plenipo import bots, extras, warm
from plenipo.cli import app
from plenipo.errors import MissingExtra, PlenipoError

ROOT = Path(__file__).parents[1]
WANTED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
EVERYTHING = WANTED.pop("all")

FINDER = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] in {names!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
"""

ALL = {module for modules in extras.EXTRAS.values() for module in modules}


def without(code: str, *names: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run code in a process in which these modules are not installed."""
    finder = FINDER.format(names=set(names))
    command = [sys.executable, "-c", finder + code]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, timeout=300)  # noqa: S603  # our own code


def call(*arguments: str) -> str:
    return f"from plenipo.cli import app\napp({list(arguments)!r})"


def distributions(texts: list[str]) -> Iterator[str]:
    for text in texts:
        name = re.split(r"[\s\[><=;]", text)[0].casefold().replace("_", "-")
        if name != "plenipo":
            yield name


@pytest.mark.parametrize("extra", WANTED)
def test_an_extra_is_known_by_the_modules_of_what_it_requires(extra: str) -> None:
    brings = {name.casefold().replace("_", "-") for name in distributions(WANTED[extra])}
    there = packages_distributions()
    known = {dist.casefold().replace("_", "-") for module in extras.EXTRAS[extra] for dist in there.get(module, ())}
    assert brings - known == set()
    included = {text[8:-1] for text in WANTED[extra] if text.startswith("plenipo[")}
    assert included <= {*extras.INCLUDED.get(extra, ())}


def test_the_extra_for_everything_includes_all_others_but_ray() -> None:
    included = {text[8:-1] for text in EVERYTHING}
    assert included.union(*(extras.INCLUDED.get(extra, ()) for extra in included)) == WANTED.keys() - {"ray"}
    assert extras.EXTRAS.keys() == WANTED.keys()


@pytest.mark.parametrize("extra", [extra for extra, modules in extras.EXTRAS.items() if modules])
def test_what_is_not_there_is_a_sentence_with_its_command(extra: str) -> None:
    assert extras.missing(extra, "no_such_module_at_all", what="Juggling") == (
        f"Juggling needs the extra '{extra}'; install it with: {extras.command(extra)}."
    )
    with pytest.raises(MissingExtra, match=re.escape(f"plenipo[{extra}]")), extras.require(extra):
        raise ModuleNotFoundError("No module", name=f"{extras.EXTRAS[extra][0]}.inner")


def test_what_no_extra_brings_is_left_as_it_is() -> None:
    fault = ModuleNotFoundError("No module named 'nowhere'", name="nowhere")
    with pytest.raises(ModuleNotFoundError, match="nowhere"), extras.require("maps"):
        raise fault
    assert extras.explain(fault) == "No module named 'nowhere'"
    assert not issubclass(type(fault), PlenipoError)


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("pipx_metadata.json", "pipx install --force 'plenipo["),
        ("uv-receipt.toml", "uv tool install 'plenipo["),
        ("", "pip install 'plenipo[maps]'"),
    ],
)
def test_the_command_is_that_of_the_tool_that_made_the_environment(
    file: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if file:
        (tmp_path / file).touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert extras.command("maps").startswith(command)
    assert re.search(r"\bmaps\]'$", extras.command("maps"))


@pytest.mark.parametrize(
    ("folder", "files", "command"),
    [
        ("archive-v0/x", {"x/pyvenv.cfg": "uv = 0.9\n"}, "uvx --from 'plenipo["),
        ("archive-v0/x", {"x/pyvenv.cfg": "home = /usr\n"}, "pip install 'plenipo["),
        ("pipx/x", {"x/pipx_metadata.json": "{}", "CACHEDIR.TAG": ""}, "pipx run --spec 'plenipo["),
        ("venvs/x", {"x/pipx_metadata.json": "{}"}, "pipx install --force 'plenipo["),
    ],
)
def test_the_command_in_an_environment_for_one_run_runs_the_program_again(
    folder: str, files: dict[str, str], command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prefix = tmp_path / folder
    prefix.mkdir(parents=True)
    for name, text in files.items():
        (prefix.parent / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(sys, "prefix", str(prefix))
    assert extras.command("maps").startswith(command)
    assert extras.command("maps").endswith("maps]' plenipo" if " --" in command and "force" not in command else "]'")


TOUR = [
    (["variants"], ""),
    (["variants", "--bank"], ""),
    (["show", "--svg", "map.svg"], ""),
    (["rulebooks", "4.D.3"], ""),
    (["--licences"], ""),
    (["completions", "bash"], ""),
    (["match", "sensible", "careless", "--games", "1", "--years", "1"], ""),
    (["play", "irish", "--orders", "irish.txt", "--save", "irish.json"], "maps"),
    (["match", "sensible", "--variant", "irish", "--games", "1"], "maps"),
    (["show", "--png", "map.png"], "png"),
    (["adjudicate", "--fast"], "fast"),
    (["selfplay", "standard", "--games", "1"], "fast"),
    (["match", "sensible", "--games", "1", "--games-to", "games.parquet"], "selfplay"),
    (["match", "sensible", "--games", "1", "--ray"], "ray"),
    (["survey", "standard", "--games", "1", "--ray"], "ray"),
    (["serve"], "server"),
    (["warm"], "fast"),
    (["replay", "game.json", "game.gif"], "png"),
    (["faults", "standard"], "png"),
]


@pytest.mark.parametrize(("arguments", "extra"), TOUR, ids=str)
def test_each_command_works_with_nothing_but_the_core_or_says_at_once_what_it_needs(
    arguments: list[str], extra: str, tmp_path: Path
) -> None:
    (tmp_path / "irish.txt").write_text("Spring 1974 choice\n", encoding="utf-8")
    told = without(call(*arguments), *ALL, folder=tmp_path)
    if extra:
        assert told.returncode == 2
        assert f"needs the extra '{extra}'; install it with: " in told.stderr
        assert len(told.stderr.splitlines()) == 1
        assert told.stdout == ""
        assert sorted(file.name for file in tmp_path.iterdir()) == ["irish.txt"]
    else:
        assert told.returncode == 0, told.stderr


def test_rows_are_not_played_that_could_not_be_written(tmp_path: Path) -> None:
    arguments = ["selfplay", "standard", "--games", "1", "--out", "rows.parquet"]
    told = without(call(*arguments), "pyarrow", folder=tmp_path)
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr.startswith("Parquet needs the extra 'selfplay'; install it with: ")


@pytest.mark.parametrize(
    ("code", "extra"),
    [
        ("from plenipo.batch import Arena", "fast"),
        ("from plenipo.batch.environment import DiplomacyEnvironment", "selfplay"),
        ("from plenipo.batch.one_power import OnePowerEnvironment", "selfplay"),
    ],
)
def test_a_library_that_is_missing_is_named_by_its_extra(code: str, extra: str) -> None:
    names = {"numba"} if extra == "fast" else {"gymnasium", "pettingzoo"}
    told = without(code, *names)
    assert f"MissingExtra: The {'kernel (plenipo.batch)' if extra == 'fast' else 'environment'} needs" in told.stderr
    assert f"plenipo[{extra}]" in told.stderr


def test_the_training_example_without_pyarrow_ends_in_a_sentence(tmp_path: Path) -> None:
    example = ROOT / "examples" / "learn_evaluation.py"
    run = f"import runpy\nsys.argv[1:] = ['--games', '1']\nrunpy.run_path({str(example)!r}, run_name='__main__')"
    told = without(run, "pyarrow", folder=tmp_path)
    assert told.returncode == 1
    assert told.stderr.count("\n") == 1
    assert told.stderr.startswith("Writing the games as a data set needs the extra 'selfplay'; install it with: ")


@pytest.mark.parametrize("compiled", [True, False])
def test_the_players_are_compiled_beforehand_unless_they_are(
    compiled: bool,  # noqa: FBT001
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("numba", reason="Numba is not installed")
    done: list[bool] = []
    monkeypatch.setattr(bots, "is_compiled", lambda: compiled)
    monkeypatch.setattr(warm, "warm", lambda _told: done.append(True))
    result = CliRunner().invoke(app, ["warm"])
    assert (result.exit_code, result.stdout) == (0, "The computer players are ready.\n")
    assert bool(done) is not compiled
    assert ("most of a minute" in result.stderr) is not compiled

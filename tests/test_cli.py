"""The command line as a whole: every command starts, and every unusable call gets one sentence and exit status 2."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from plenipo import library
from plenipo.cli import app
from plenipo.engine.board import Coast, Code, Location
from plenipo.engine.rulebook import POLICIES

CASE = """
- id: a-move
  kind: movement
  units: {France: [A PAR]}
  orders: {France: [A PAR - BUR]}
  expect: {results: {A PAR: %s}}
"""


def run(*args: str | Path, typed: str | None = None) -> Result:
    """Call `plenipo` with `args`, and `typed` as standard input."""
    return CliRunner().invoke(app, [str(arg) for arg in args], input=typed)


@pytest.mark.parametrize("command", sorted(info.callback.__name__ for info in app.registered_commands if info.callback))
def test_every_command_explains_itself(command: str) -> None:
    told = run(command, "--help")
    assert told.exit_code == 0
    assert f" {command} " in told.stdout.splitlines()[0]


def test_without_a_command_the_commands_are_listed() -> None:
    told = run()
    assert told.exit_code == 2
    assert "adjudicate" in told.stdout + told.stderr


def test_the_version_is_told() -> None:
    assert run("--version").stdout == "plenipo 0.1.0\n"


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("play", "standrad"), "'standrad' is neither a variant nor a folder with one; did you mean standard?"),
        (
            ("play", "--set", "rulebook"),
            "'rulebook' is not a setting; write --set KEY=VALUE, for instance --set rulebook",
        ),
        (("play", "--set", "rulebok=1971"), "'rulebok' is not an option of Diplomacy; did you mean rulebook?"),
        (("play", "--set", "4.A.2=1066"), "'1066' is not a choice of policy 4.A.2; the choices are szykman"),
        (("play", "--orders", "/no/such/file"), "'/no/such/file' cannot be used: no such file or directory."),
        (("play", "--save", "/no/such/file"), "'/no/such/file.new' cannot be used: no such file or directory."),
        (("play", "--load", "/no/such/file"), "'/no/such/file' cannot be used: no such file or directory."),
        (("play", "--load", __file__), f"'{__file__}' is not JSON, so it is no saved game."),
        (("play", "--load", "x", "--set", "victory=3"), "A saved game keeps its options; leave out --set"),
        (("board", "standrad"), "'standrad' is neither a variant"),
        (("rulebooks", "9.Z"), "'9.Z' is not a policy; there are 4.A.1, 4.A.2"),
        (("cases", "/no/such/file"), "'/no/such/file' cannot be used: no such file or directory."),
        (("adjudicate", "/"), "'/' cannot be used: is a directory."),
    ],
)
def test_an_unusable_call_gets_one_sentence(args: tuple[str, ...], sentence: str) -> None:
    told = run(*args)
    assert told.exit_code == 2
    assert told.stdout == ""
    assert told.stderr.startswith(sentence)
    assert told.stderr.count("\n") == 1


@pytest.mark.parametrize("args", [("fly",), ("play", "--fly"), ("cases",), ("play", "standard", "twice")])
def test_a_call_that_cannot_be_understood_has_exit_status_2(args: tuple[str, ...]) -> None:
    told = run(*args)
    assert told.exit_code == 2
    assert "Error: " in told.stderr


def test_a_script_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "orders.txt"
    file.write_bytes(b"\xff\xff")
    told = run("play", "--orders", file)
    assert (told.exit_code, told.stderr) == (2, "The file is not UTF-8 text.\n")


def test_variants_lists_every_variant() -> None:
    rows = [line.split()[0] for line in run("variants").stdout.splitlines()[1:]]
    assert tuple(rows) == library.names()


def test_board_shows_every_space() -> None:
    codes = {line.split(" ")[0] for line in run("board").stdout.splitlines()[1:]} - {""}
    assert codes == set(library.load("standard").board.spaces)


@pytest.mark.parametrize("name", library.names())
def test_board_as_json_says_all_that_the_board_knows(name: str) -> None:
    rules = library.load(name)
    told = json.loads(run("board", name, "--json").stdout)
    board = rules.board
    assert told["spaces"].keys() == board.spaces.keys()
    assert {code: set(to) for code, to in told["armies"].items()} == {
        code: set(to) for code, to in board.armies.items() if not board.spaces[code].impassable
    }
    assert {text: set(to) for text, to in told["fleets"].items()} == {
        str(location): set(map(str, to)) for location, to in board.fleets.items()
    }
    assert set(told["centres"]) == board.centres
    assert told["homes"] == {power: sorted(codes) for power, codes in rules.opening.homes.items()}
    assert told["opening"]["units"].keys() <= told["powers"].keys()
    assert len(told["corners"]) == len(board.corners)


def test_board_as_json_names_coasts() -> None:
    told = json.loads(run("board", "--json").stdout)
    assert told["spaces"]["STP"]["coasts"] == ["NC", "SC"]
    there = Location(Code("STP"), Coast("NC"))
    assert set(told["fleets"]["STP/NC"]) == set(map(str, library.load("standard").board.fleets[there]))


def test_rulebooks_lists_every_policy_and_choice() -> None:
    told = run("rulebooks").stdout
    for policy in POLICIES.values():
        assert f"{policy.key}  {policy.title[:20]}" in told
        for choice in policy.choices:
            assert f"    {choice}: " in told


def test_rulebooks_tells_which_edition_chooses_what() -> None:
    told = run("rulebooks", "4.D.8").stdout
    assert "(standard, 2023)" in told.replace("\n", " ").replace("  ", " ").replace("    ", " ")
    assert "4.A.1" not in told


def test_cases_counts_and_fails_with_exit_status_1(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(CASE % "moves", encoding="utf-8")
    bad.write_text(CASE % "fails", encoding="utf-8")
    assert run("cases", good).exit_code == 0
    assert run("cases", good).stdout == "1 passed, 0 failed\n"
    both = run("cases", good, bad)
    assert both.exit_code == 1
    lines = both.stdout.splitlines()
    assert lines[-1] == "1 passed, 1 failed"
    assert lines[0].startswith(f"{bad}:2: a-move failed: ")


def test_cases_tells_of_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    file = tmp_path / "broken.yaml"
    file.write_text("- id: [", encoding="utf-8")
    told = run("cases", file)
    assert told.exit_code == 1
    assert told.stdout.splitlines()[-1] == "0 passed, 1 failed"


def test_the_installed_command_runs_and_stops_quietly_when_nobody_reads_on() -> None:
    code = "import sys; sys.argv = ['plenipo', 'adjudicate']; from plenipo.cli import app; app()"
    lines = b'{"variant": "standard", "phase": "Spring 1901", "units": {}}\n' * 3000
    with subprocess.Popen(  # noqa: S603  # our own interpreter
        [sys.executable, "-W", "error", "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(lines[: lines.index(b"\n") + 1])
        process.stdin.flush()
        # the answer comes before the input ends: nothing is held back
        assert json.loads(process.stdout.readline())["results"] == {}
        process.stdout.close()
        try:
            process.stdin.write(lines)
            process.stdin.close()
        except BrokenPipeError:
            pass
        assert process.stderr.read() == b""
        assert process.wait(20) == 1


def test_starting_imports_nothing_heavy() -> None:
    code = "import sys; import plenipo.cli; print(*sys.modules)"
    loaded = subprocess.run(  # noqa: S603  # our own interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"shapely", "numpy", "yaml", "rich.table", "plenipo.engine.movement"} & set(loaded)

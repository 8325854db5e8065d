"""The command line as a whole: every command starts, and every unusable call gets one sentence and exit status 2."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from plenipo import library
from plenipo.cli import app
from plenipo.cli.main import COMMANDS
from plenipo.engine.board import Coast, Code, Location
from plenipo.engine.rulebook import POLICIES
from waiting import LIMIT, read_line

CASE = """
- id: a-move
  units: {France: [A PAR]}
  orders: {France: [A PAR - BUR]}
  expect: {results: {A PAR: %s}}
"""


def run(*args: str | Path, typed: str | None = None) -> Result:
    """Call `plenipo` with `args`, and `typed` as standard input."""
    return CliRunner().invoke(app, [str(arg) for arg in args], input=typed)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_explains_itself(command: str) -> None:
    told = run(command, "--help")
    assert told.exit_code == 0
    assert f" {command} " in told.stdout.splitlines()[0]


def test_without_a_command_the_commands_are_listed() -> None:
    told = run()
    assert told.exit_code == 2
    assert "adjudicate" in told.stdout + told.stderr


def test_the_version_is_printed() -> None:
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
        (("play", "--load", __file__), f"'{__file__}': The file is not a JSON object, so it is not a saved game."),
        (("play", "--load", "x", "--set", "victory=3"), "A saved game keeps its options; leave out --set"),
        (("board", "standrad"), "'standrad' is neither a variant"),
        (("show",), "Where to? Write --svg FILE, --png FILE or --poster FILE, for instance --svg map.svg."),
        (("show", "standrad", "--svg", "-"), "'standrad' is neither a variant"),
        (("show", "--svg", "/no/such/map.svg"), "'/no/such/map.svg' cannot be used: no such file or directory."),
        (("show", "--png", "/no/such/map.png"), "'/no/such/map.png' cannot be used: no such file or directory."),
        (("show", "--png", "map.png", "--width", "0"), "0 is not a width of a picture; take 1 to 16384 pixels."),
        (("show", "--png", "map.png", "--width", "30000"), "30000 is not a width of a picture; take 1 to 16384 pixels"),
        (("show", "--svg", "-", "--theme", "pink"), "'pink' is not a theme"),
        (("show", "--svg", "-", "--labels", "runes"), "'runes' is not a kind of label; there are names, codes, none."),
        (("show", "--svg", "-", "--position", __file__), "The file holds no position: it must be one JSON object."),
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


@pytest.mark.parametrize("name", ["1897", "irish"])
def test_a_game_on_another_map_is_not_converted_to_a_format_that_does_not_know_it(tmp_path: Path, name: str) -> None:
    run("play", name, "--save", tmp_path / "game.json", typed="quit\n")
    told = run("convert", tmp_path / "game.json", "-")
    assert (told.exit_code, "This format is for the maps standard" in told.stderr) == (2, True)


def test_a_game_is_converted_and_can_be_gone_on_with_shown_and_converted_back(tmp_path: Path) -> None:
    ours, theirs, again = (tmp_path / name for name in ("ours.json", "theirs.json", "again.json"))
    run("play", "--save", ours, typed="a bud - ser\n" + "done\n" * 7)
    assert run("convert", ours, theirs).exit_code == 0
    assert '"name": "F1901M"' in theirs.read_text(encoding="utf-8")
    assert "A SER" in run("play", "--load", theirs, typed="quit\n").stdout
    assert run("show", "--position", theirs, "--svg", "-").stdout.startswith("<svg")
    assert run("convert", theirs, again, "--to", "plenipo").exit_code == 0
    assert run("verify", again).exit_code == 0
    told = run("convert", ours, theirs, "--to", "diplomcy")
    assert told.stderr == "'diplomcy' is not a format; did you mean diplomacy?\n"


def test_a_computer_player_takes_its_seat_at_the_terminal() -> None:
    told = run("play", "--computer", "France=careless", "--computer", "England=sensible", typed="done\n" * 5)
    lines = told.stdout.splitlines()
    assert not any(line.startswith(("France, order", "England, order")) for line in lines)
    assert any("Spring 1901 movement: results" in line for line in lines)
    assert run("play", "--computer", "France").stderr.startswith("'France' is not a setting; write --computer POWER")
    assert "did you mean careless?" in run("play", "--computer", "France=carless").stderr


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


@pytest.mark.parametrize(("name", "wins"), [("standard", (18, "centre")), ("irish", (200, "point"))])
def test_board_as_json_says_what_wins(name: str, wins: tuple[int, str]) -> None:
    told = json.loads(run("board", name, "--json").stdout)
    assert (told["to_win"], told["counted"]) == wins


def test_board_as_json_names_coasts() -> None:
    told = json.loads(run("board", "--json").stdout)
    assert told["spaces"]["STP"]["coasts"] == ["NC", "SC"]
    there = Location(Code("STP"), Coast("NC"))
    assert set(told["fleets"]["STP/NC"]) == set(map(str, library.load("standard").board.fleets[there]))


def units_in(picture: str) -> set[str]:
    """The spaces in which a picture shows a unit."""
    return set(re.findall(r'id="unit-([A-Z-]+)"', picture))


@pytest.mark.parametrize("name", library.names())
def test_show_draws_the_opening_of_every_variant(name: str, tmp_path: Path) -> None:
    file = tmp_path / "map.svg"
    told = run("show", name, "--svg", file)
    assert (told.exit_code, told.stdout, told.stderr) == (0, "", "")
    picture = file.read_text(encoding="utf-8")
    assert picture.startswith("<svg ")
    assert len(units_in(picture)) == len(library.load(name).opening.units)
    assert run("show", name, "--svg", "-").stdout == picture


def test_show_has_themes_labels_legend_and_corners() -> None:
    plain = run("show", "--svg", "-").stdout
    assert 'class="corner"' not in plain
    assert 'class="corner"' in run("show", "--svg", "-", "--corners").stdout
    assert "layer-legend" in run("show", "--svg", "-", "--legend").stdout
    assert "theme-dark" in run("show", "--svg", "-", "--theme", "dark").stdout
    assert "layer-names" not in run("show", "--svg", "-", "--labels", "none").stdout


def test_show_makes_pixels(tmp_path: Path) -> None:
    file = tmp_path / "map.png"
    assert run("show", "--png", file, "--width", "200").exit_code == 0
    picture = file.read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert int.from_bytes(picture[16:20], "big") == 200


def test_show_draws_a_line_of_json_and_what_came_of_its_orders(tmp_path: Path) -> None:
    file = tmp_path / "line.json"
    line = {
        "variant": "standard",
        "phase": "F1901M",
        "units": {"France": ["A PAR"]},
        "orders": {"France": ["A PAR - BUR"]},
    }
    file.write_text(json.dumps(line), encoding="utf-8")
    given, judged = (run("show", "--svg", "-", "--position", file, *more).stdout for more in ((), ("--results",)))
    assert units_in(given) == units_in(judged) == {"PAR"}
    assert "layer-orders" in given
    assert given != judged
    file.write_text(json.dumps({**line, "units": {"France": ["A XYZ"]}}), encoding="utf-8")
    told = run("show", "--svg", "-", "--position", file)
    assert told.exit_code == 2
    assert told.stderr.startswith("'units.France': 'XYZ' is not a space")


def test_show_draws_a_position_and_a_saved_game(tmp_path: Path) -> None:
    file, game = tmp_path / "position.json", tmp_path / "game.json"
    opening = json.loads(run("board", "--json").stdout)["opening"]
    file.write_text(json.dumps({**opening, "units": {"France": ["A GAS"]}}), encoding="utf-8")
    assert units_in(run("show", "--svg", "-", "--position", file).stdout) == {"GAS"}
    file.write_text(json.dumps({**opening, "units": 3}), encoding="utf-8")
    assert run("show", "--svg", "-", "--position", file).exit_code == 2
    run("play", "--save", game, typed="A BUD - SER\n" + "done\n" * 7)
    now, before = (run("show", "--svg", "-", "--position", game, *more).stdout for more in ((), ("--results",)))
    assert ("SER" in units_in(now), "BUD" in units_in(now)) == (True, False)
    assert ("SER" in units_in(before), "BUD" in units_in(before)) == (False, True)
    file.write_text('{"format": "chess"}', encoding="utf-8")
    assert run("show", "--svg", "-", "--position", file).stderr == "The file does not say which variant was played.\n"


def test_a_picture_three_pixels_wide_is_drawn_and_a_title_with_markup_is_written_as_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "map.png"
    told = run("show", "--svg", "-", "--png", file, "--width", "3", "--title", "<script>1</script>")
    assert told.exit_code == 0
    assert int.from_bytes(file.read_bytes()[16:20], "big") == 3
    assert "<script>" not in told.stdout
    assert "&lt;script&gt;1" in told.stdout


def test_replay_makes_a_moving_picture_of_a_saved_game(tmp_path: Path) -> None:
    game, picture = tmp_path / "game.json", tmp_path / "game.gif"
    run("play", "--save", game, typed="A BUD - SER\n" + "done\n" * 7)
    told = run("replay", game, picture, "--width", "120")
    assert (told.exit_code, told.stdout, told.stderr) == (0, "", "")
    assert picture.read_bytes().startswith(b"GIF8")
    refused = run("replay", game, tmp_path / "game.mov")
    assert refused.exit_code == 2
    assert refused.stderr.startswith("'game.mov' is not a name for a moving picture")
    large = run("replay", game, tmp_path / "large.gif", "--width", "30000")
    assert (large.exit_code, large.stderr) == (2, "30000 is not a width of a picture; take 1 to 16384 pixels.\n")
    assert not (tmp_path / "large.gif").exists()


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


def test_the_installed_command_runs_and_stops_quietly_when_its_output_is_closed() -> None:
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
        assert json.loads(read_line(process.stdout))["results"] == {}
        process.stdout.close()
        try:
            process.stdin.write(lines)
            process.stdin.close()
        except BrokenPipeError:
            pass
        assert process.stderr.read() == b""
        assert process.wait(LIMIT) == 1


def test_starting_imports_nothing_heavy_and_no_command() -> None:
    code = "import sys; import plenipo.cli; print(*sys.modules)"
    loaded = subprocess.run(  # noqa: S603  # our own interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=LIMIT
    ).stdout.split()
    commands = {f"plenipo.cli.{place.partition(':')[0]}" for place in COMMANDS.values()} - {"plenipo.cli.completions"}
    heavy = {"asyncio", "shapely", "numpy", "yaml", "rich.table", "plenipo.engine.phases.movement"}
    assert not (heavy | commands) & set(loaded)

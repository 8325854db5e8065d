"""Chance at the terminal: the seed and options of a script, and a game master who enters draws."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from plenipo.cli import app

BY_HAND = ("--set", "draws=gm_entered", "--set", "majors=France", "--set", "minors=Belgium")
WALKERS = [
    f"DRAW {name}: {place}"
    for name, place in (
        ("IRISH 1", "BUR"),
        ("IRISH 2", "NTH"),
        ("PSYCHIATRIST 1", "GAS"),
        ("PSYCHIATRIST 2", "MID"),
        ("PSYCHIATRIST 3", "WES"),
    )
]
SLIPS = ["DRAW black hole: PIC", "DRAW split: NTH", "DRAW cards of NTH: NWY KS, BEL QH"]


def play(*arguments: object, typed: str = "") -> Result:
    command = ["play", *map(str, arguments)]
    return CliRunner().invoke(app, command, input=typed, env={"COLUMNS": "300"}, catch_exceptions=False)


def script(folder: Path, *lines: str) -> Path:
    file = folder / "script.txt"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_a_script_with_a_seed_goes_the_same_way_every_time(tmp_path: Path) -> None:
    seeded = script(tmp_path, f"# Seed: {'5a' * 32}", "Spring 1974", "Fall 1974")
    first, second = (play("irish", "--orders", seeded).stdout for _ in range(2))
    assert first == second
    assert "IRISH 1 landed in" in first
    other = script(tmp_path, f"# seed: {'5b' * 32}", "Spring 1974", "Fall 1974")
    assert play("irish", "--orders", other).stdout != first


def test_a_script_may_set_options_and_the_command_line_wins(tmp_path: Path) -> None:
    settings = (f"# Seed: {'5a' * 32}", "# Set: majors=France", "# Set: minors = Belgium")
    lines = (*settings, "Fall 1974", "A BEL H", "A PAR - BUR")
    result = play("irish", "--orders", script(tmp_path, *lines))
    assert "Points: France 6, Belgium 5." in result.stdout
    told = play("irish", "--orders", script(tmp_path, *lines[:4]), "--set", "minors=Spain").stdout
    assert "Points: France 6, Spain 5." in told


@pytest.mark.parametrize("seed", ["", "abc", "5a" * 31, "no seed at all"])
def test_what_is_no_seed_is_refused(tmp_path: Path, seed: str) -> None:
    result = play("irish", "--orders", script(tmp_path, f"# Seed: {seed}", "Spring 1974"))
    assert result.exit_code == 2
    assert f"'{seed}' is not a seed; write 64 digits of hex." in result.stderr


def test_a_saved_game_keeps_its_dice_and_options(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    seeded = script(tmp_path, f"# Seed: {'5a' * 32}", "Spring 1974")
    play("irish", "--orders", seeded, "--save", saved)
    assert play("--load", saved, "--orders", seeded).exit_code == 0
    other = play("--load", saved, "--orders", script(tmp_path, f"# Seed: {'5b' * 32}", "Spring 1974"))
    assert (other.exit_code, "the script has the seed of others" in other.stderr) == (2, True)
    options = play("--load", saved, "--orders", script(tmp_path, "# Set: majors=France", "Spring 1974"))
    assert (options.exit_code, "A saved game keeps its options" in options.stderr) == (2, True)


def test_the_game_master_is_asked_for_each_draw_and_what_is_wrong_loses_nothing(tmp_path: Path) -> None:
    typed = ["done", "A PAR - BUR", "done", "done", "DRAW IRISH 1: XYZ", "A PAR H", "", *WALKERS, *SLIPS]
    saved = tmp_path / "game.json"
    result = play("irish", *BY_HAND, "--save", saved, typed="\n".join(typed))
    assert "'XYZ' cannot be drawn for 'IRISH 1'; the draw pile has ADR, AEG" in result.stdout
    assert "'A PAR H' is not allowed: " in result.stdout
    assert "A BUR of France fell into anarchy." in result.stdout
    assert "North Sea was split into North Sea 1 and North Sea 2" in result.stdout
    assert "the game stands at Fall 1974 movement" in result.stdout
    verified = CliRunner().invoke(app, ["verify", str(saved)]).stdout
    assert "8 draws were entered by the game master" in " ".join(verified.split())


def test_a_player_enters_no_draw_and_ends_no_game_by_trying() -> None:
    result = play("irish", *BY_HAND, typed="done\nDRAW IRISH 1: PAR\n")
    assert "'DRAW IRISH 1: PAR' is not allowed: only the game master (GM) enters what was drawn." in result.stdout
    assert "The game is a draw" not in result.stdout


def test_the_game_master_may_leave() -> None:
    result = play("irish", *BY_HAND, typed="done\ndone\ndone\nquit\n")
    assert "the game stands at Spring 1974 movement" in result.stdout


HEAD = ("# Set: draws=gm_entered", "# Set: majors=France", "# Set: minors=Belgium")


def test_a_script_has_the_draws_of_the_game_master(tmp_path: Path) -> None:
    lines = (
        *HEAD,
        "Spring 1974",
        "A PAR - BUR",
        *WALKERS,
        "Spring 1974 draws",
        *(f"GM: {slip}" for slip in SLIPS),
        "Fall 1974",
    )
    result = play("irish", "--orders", script(tmp_path, *lines))
    assert result.stderr == ""
    assert "Picardy became a black hole." in result.stdout


def test_a_script_without_them_ends_with_a_sentence_instead_of_waiting(tmp_path: Path) -> None:
    result = play("irish", "--orders", script(tmp_path, *HEAD, "Fall 1974", "A PAR - BUR"))
    assert "The game master must draw: 'IRISH 1' has not been drawn yet" in result.stdout
    assert "there is no Fall 1974 movement to play, the game stands at Spring 1974 movement." in result.stderr


def test_an_undue_draw_is_reported(tmp_path: Path) -> None:
    lines = (*HEAD, "Spring 1974", *WALKERS, "DRAW IRISH 7: PAR")
    result = play("irish", "--orders", script(tmp_path, *lines))
    assert "GM: 'DRAW IRISH 7: PAR' was ignored: nothing was to be drawn for 'IRISH 7'." in result.stdout


BAD = (
    "# Seed: " + "5a" * 32,
    "Spring 1974",
    "Italy: PROMISE If France is nice, give him 2 points.",
    "France: PROMISE If Italy doesn't enter (PIE), give him 2 points.",
    "Fall 1974",
)


def test_bad_promises_are_reported_and_the_game_goes_on(tmp_path: Path) -> None:
    result = play("irish", "--orders", script(tmp_path, *BAD))
    assert "The game master decides what Italy promised: 'France is nice' is not a condition; a power" in result.stdout
    assert "France owes Italy 2 points and had none: 2 points will be paid out of its next income." in result.stdout
    assert "the game stands at Spring 1975 movement" in result.stdout


def test_the_answer_to_a_typed_promise_says_how_it_is_understood() -> None:
    result = play("irish", *BY_HAND, typed="done\nPROMISE If Belgium holds in BEL, give him 2 points\n")
    told = " ".join(result.stdout.split())
    assert "Understood: France gives Belgium 2 points if Belgium holds in BEL." in told
    assert "France has 0 points now; the rest will be owed." in told


def test_the_centres_of_closed_countries_are_not_among_the_unowned_ones() -> None:
    result = play("irish", *BY_HAND, typed="done\n")
    assert "Neutral centres" not in result.stdout.partition("Belgium, choose")[0]


RICH = ("# Set: victory_points=10", "# Set: majors=France", "# Set: minors=Belgium", "Winter 1974")


def test_a_game_of_points_ends_with_points(tmp_path: Path) -> None:
    lines = play("irish", "--orders", script(tmp_path, f"# Seed: {'5a' * 32}", *RICH, "Fall 1975")).stdout.splitlines()
    scores = [line for line in lines if line.startswith("Points: ")]
    assert scores[0] == "Points: nobody has a point."
    assert scores[-1].startswith("Points: France 1")
    assert lines[-1] == f"France has won with {scores[-1].split()[2].rstrip(',')} points."


def test_a_game_of_points_goes_on_with_points(tmp_path: Path) -> None:
    before = play("irish", "--orders", script(tmp_path, f"# Seed: {'5a' * 32}", *RICH[1:3], "Spring 1974")).stdout
    assert before.splitlines()[-1].endswith("the game stands at Fall 1974 movement, and nobody has a point.")
    later = play("irish", "--orders", script(tmp_path, f"# Seed: {'5a' * 32}", *RICH[1:3], "Fall 1974")).stdout
    assert later.splitlines()[-1].endswith(", with France 6, Belgium 5.")
    shown = play("irish", "--set", "majors=France", "--set", "minors=Belgium", typed="done\n").stdout.splitlines()
    assert next(line for line in shown if line.startswith("Power ")).split()[:4] == [
        "Power",
        "Points",
        "Centres",
        "Units",
    ]


def test_a_game_of_pieces_counts_pieces(tmp_path: Path) -> None:
    lines = ("# Set: victory_measure=pieces", "Spring 1800")
    told = play("napoleonic", "--orders", script(tmp_path, *lines)).stdout.splitlines()
    assert told[-2].startswith("Pieces: ")
    assert told[-1].endswith(told[-2].removeprefix("Pieces: "))

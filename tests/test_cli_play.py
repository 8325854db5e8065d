"""Playing in the terminal: the hot seat, typed and scripted."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from plenipo import library
from plenipo.cli import app, saved
from plenipo.cli.hotseat import COMMANDS, Hotseat
from plenipo.cli.script import blocks_of
from plenipo.cli.terminal import Ended, Terminal
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.errors import InvalidRecord

WON = """
# France is quicker than the rest
Spring 1901
France: A MAR - SPA, A PAR - GAS, F BRE - MID
Fall 1901:
F MID - POR   # whose unit it is, is clear
"""
KNOWN = ("--set", "victory=5")


def run(*args: str | Path, typed: str | None = None) -> Result:
    """Call `plenipo play` with `args`, and `typed` as standard input."""
    return CliRunner().invoke(app, ["play", *map(str, args)], input=typed)


def typed(*lines: str) -> list[str]:
    """Return the output of the game for these lines, followed by the end of input."""
    told = run(typed="\n".join(lines) + "\n")
    assert told.exit_code == 0
    return told.stdout.splitlines()


def played(tmp_path: Path, script: str, *args: str) -> Result:
    """Run a script."""
    file = tmp_path / "orders.txt"
    file.write_text(script, encoding="utf-8")
    return run("--orders", file, *args)


# Typed


def test_a_game_begins_with_the_phase_the_powers_and_whose_turn_it_is() -> None:
    lines = [line.rstrip() for line in typed()]
    assert "Spring 1901 movement" in lines[1]
    assert "Russia   4        A MOS, F SEV, F STP/SC, A WAR" in lines
    assert lines[-4:-1] == ["Austria, order A BUD, F TRI and A VIE.", "Austria>", ""]
    assert lines[-1].startswith("No power has won yet: the game stands at Spring 1901 movement")


def test_an_order_is_confirmed_in_its_canonical_form() -> None:
    lines = typed("army budapest to serbia; Trieste -> Albania")
    assert {"  A BUD - SER", "  F TRI - ALB"} <= set(lines)


def test_a_later_order_replaces_an_earlier_one_for_the_same_unit() -> None:
    assert "  A BUD - RUM   instead of A BUD - SER" in typed("a bud - ser", "a bud - rum")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("a par - bur", "'A PAR - BUR' is not allowed: A PAR belongs to France, not to Austria."),
        ("a bud - par", "'A BUD - PAR' is not allowed: A BUD does not reach Paris."),
        ("a xyz h", "'xyz' is not a space of this board"),
        ("France: a bud h", "'France: a bud h' is written for France, and this is the order set of Austria."),
        ("a bud b", "'a bud b' is a build, which is ordered in an adjustment phase"),
    ],
)
def test_an_invalid_order_is_reported_at_once_and_the_rest_is_kept(line: str, sentence: str) -> None:
    lines = typed("a vie h", line, "show")
    assert any(told.startswith(sentence) for told in lines)
    assert "Your orders: A VIE H." in lines


def test_list_shows_the_legal_orders_of_a_unit_or_of_all() -> None:
    one, several = "\n".join(typed("list f tri")), "\n".join(typed("list"))
    assert "F TRI - ADR" in one
    assert "A BUD - SER" not in one
    assert "F TRI - ADR" in several
    assert "A BUD - SER" in several
    assert "You have no unit to order in PAR." in typed("list par")
    assert any(line.startswith("'xyz' is not a space") for line in typed("list xyz"))


def test_undo_takes_back_the_last_order() -> None:
    lines = typed("a vie h", "a bud - ser", "undo", "show", "undo", "undo")
    assert "Taken back: A BUD - SER" in lines
    assert "Your orders: A VIE H." in lines
    assert "You have given no order in this phase; `back` takes back the whole last phase." in lines


def test_help_names_every_command() -> None:
    lines = typed("?")
    for command in COMMANDS:
        assert any(line.startswith(f"  {command}") for line in lines)


def test_done_tells_which_units_have_no_order() -> None:
    lines = typed("a bud - ser", "done")
    assert "F TRI and A VIE have no order and will hold." in lines
    assert "England, order F EDI, F LON and A LVP." in lines


def test_after_the_last_power_every_order_has_its_sentence() -> None:
    told = typed("a vie - tyo", "done", *["done"] * 3, "a ven - tyo", *["done"] * 3)
    lines = [" ".join(line.split()) for line in told]
    assert "A VIE - TYO fails A VIE did not enter TYO: attack 1 against 1 of A VEN of" in lines
    assert any("Fall 1901 movement" in line for line in lines)


def test_back_takes_back_the_last_phase() -> None:
    lines = typed("back", *["done"] * 7, "back")
    assert "This is the first phase; there is no turn to undo." in lines
    assert lines[-1].startswith("No power has won yet: the game stands at Spring 1901 movement")


def test_draw_ends_the_game_for_all_survivors() -> None:
    lines = typed("draw")
    assert lines[-1] == "The game is a draw between Austria, England, France, Germany, Italy, Russia and Turkey."


def test_a_line_in_another_encoding_is_reported_like_any_other_invalid_order() -> None:
    told = CliRunner().invoke(app, ["play"], input=b"A BUD - S\xe9r\nA BUD - SER\n")
    assert told.exit_code == 0
    assert "  A BUD - SER" in told.stdout.splitlines()


def test_quit_leaves_at_once() -> None:
    assert typed("quit", "a bud - ser")[-1].startswith("No power has won yet")


def test_retreats_and_adjustments_are_asked_of_those_concerned() -> None:
    spring = ["a vie h", "done", *["done"] * 2, "a mun - boh", "done", "a ven - tyo", "done", *["done"] * 2]
    fall = ["done", "done", "done", "a boh - vie", "done", "a tyo s a boh - vie", "done", "f sev - rum", "done", "done"]
    retreats = ["list a vie", "a vie - boh", "a vie - gal", "done"]
    adjust = ["list", "done", "a ber b", "f kie b", "f ber b", "done", "a mos b", "f stp/nc b", "undo"]
    lines = [" ".join(line.split()) for line in typed(*spring, *fall, *retreats, *adjust)]
    assert "Austria, you must retreat or disband A VIE." in lines
    assert "'A VIE R BOH' is not allowed: the attacker of A VIE came from Bohemia." in lines
    assert "A VIE R GAL retreats A VIE retreated to GAL." in lines
    assert "Austria, you must remove 1." in lines
    assert "1 unit will be removed by the rule of civil disorder." in lines


def test_builds_are_counted_and_replaced_by_place() -> None:
    spring = ["done"] * 5 + ["f sev - rum", "done", "done"]
    lines = [
        " ".join(line.split())
        for line in typed(*spring, *["done"] * 7, "list", "f sev b", "a sev b", "waive", "a mos b", "done")
    ]
    assert "Russia, you may build 1 in SEV." in lines
    assert "A SEV B F SEV B WAIVE" in lines
    assert "A SEV B instead of F SEV B" in lines
    assert "'WAIVE' is too much: Russia has 1 and used them." in lines
    assert "A SEV B builds Russia built A SEV." in lines


def test_unused_builds_are_reported() -> None:
    spring = ["done"] * 5 + ["f sev - rum", "done", "done"]
    assert "1 build will be waived." in typed(*spring, *["done"] * 7, "done")


# A person at a terminal


class Person(Terminal):
    """A terminal with a person who types `lines`; `shown` has the prompts and the times of a hidden screen."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(interactive=True)
        self.lines = lines
        self.shown: list[str] = []

    def read(self, prompt: str) -> str:
        self.shown.append(prompt.strip())
        if not self.lines:
            raise Ended
        return self.lines.pop(0)

    def hide(self) -> None:
        self.shown.append("(hidden)")


def test_between_two_players_the_screen_is_hidden_before_and_after_the_keyboard_is_handed_over() -> None:
    person = Person(["", "a bud - ser", "done", "n", "done", "y", ""])
    Hotseat(Game.new(library.load("standard")), person).play()
    assert person.shown == [
        "Next: Austria. Press Enter when Austria alone sees the screen.",
        "(hidden)",
        "Austria>",
        "Austria>",
        "Done all the same? [Y/n]",
        "Austria>",
        "Done all the same? [Y/n]",
        "(hidden)",
        "Next: England. Press Enter when England alone sees the screen.",
        "(hidden)",
        "England>",
    ]


def test_leaving_and_drawing_are_asked_twice() -> None:
    person = Person(["", "quit", "", "draw", "n", "quit", "y"])
    game = Hotseat(Game.new(library.load("standard")), person).play()
    assert not game.over
    assert person.shown.count("Leave the game? [y/N]") == 2


# Scripted


def test_a_script_ends_with_the_winner(tmp_path: Path) -> None:
    told = played(tmp_path, WON, *KNOWN)
    assert told.exit_code == 0
    assert told.stdout.splitlines()[-1] == "France has won with 5 centres."
    assert told.stderr == ""


def test_a_script_without_a_winner_says_where_the_game_stands(tmp_path: Path) -> None:
    last = " ".join(played(tmp_path, WON).stdout.split())
    assert "No power has won yet: the game stands at Winter 1901 adjustments, with France 5" in last


def test_phases_a_script_leaves_out_are_played_without_orders(tmp_path: Path) -> None:
    told = played(tmp_path, "Spring 1903\nA PAR - BUR\n").stdout
    for phase in ("Spring 1901", "Fall 1901", "Spring 1902", "Fall 1902", "Spring 1903"):
        assert f" {phase} movement: results" in told
    assert "A PAR - BUR  moves" in told


def test_orders_before_any_heading_belong_to_the_first_phase(tmp_path: Path) -> None:
    assert "A PAR - BUR  moves" in played(tmp_path, "France:\nA PAR - BUR\n").stdout


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("Spring 1901\n\nA XYZ H", "line 3: 'XYZ' is not a space of this board"),
        ("Spring 1901\nA GAS H", "line 2: 'A GAS H' names no power; write 'France: …' before it."),
        (
            "Fall 1901\nA PAR H\nSpring 1901\nA PAR H",
            "line 3: there is no Spring 1901 movement to play, the game stands",
        ),
        ("S1901R\nA PAR D", "line 1: there is no Spring 1901 retreats to play, the game stands at Fall 1901 movement"),
        ("Draw: Frence", "line 1: 'Frence' is not a power of this game; did you mean France?"),
        ("Draw\nFall 1901", "line 2: the game is over; the rest is not played."),
    ],
)
def test_a_fault_in_a_script_is_reported_with_its_line_and_the_rest_is_played(
    tmp_path: Path, script: str, sentence: str
) -> None:
    told = played(tmp_path, script)
    assert told.exit_code == 0
    assert told.stderr.startswith(f"{tmp_path / 'orders.txt'}, {sentence}")
    assert told.stderr.count("\n") == 1


def test_a_script_may_end_in_a_draw(tmp_path: Path) -> None:
    told = played(tmp_path, "Draw: England, french")
    assert told.stdout.splitlines()[-1] == "The game is a draw between England and France."
    assert "between Austria, England" in played(tmp_path, "draw").stdout


def test_retreats_and_builds_in_a_script_find_their_owners(tmp_path: Path) -> None:
    script = """
    Spring 1901
    A MUN - BOH; A VEN - TYO; A VIE - GAL; F SEV - RUM; A GAL H
    Fall 1901
    A TYO - VIE
    Winter 1901
    F SEV B
    A ROM B
    """
    told = played(tmp_path, script)
    assert "Russia built F SEV." in told.stdout
    assert "'A GAL H' names no power" in told.stderr


def test_orders_may_stand_on_the_line_of_their_phase_as_rule_books_print_them() -> None:
    calendar = library.load("1897").calendar
    blocks = list(blocks_of("Autumn 1897 : Select London\nWinter 1897 : build A Lon\nF 1899:\nA Edi hol", calendar))
    assert [(str(block.phase), block.text.strip()) for block in blocks] == [
        ("Autumn 1897 choice", "Select London"),
        ("Winter 1897 adjustments", "build A Lon"),
        ("Fall 1899 movement", "A Edi hol"),
    ]
    assert [block.text.count("\n") for block in blocks] == [0, 1, 3]  # a line keeps its number


def test_a_script_is_cut_at_its_headings_and_keeps_its_line_numbers() -> None:
    calendar = library.load("standard").calendar
    blocks = list(blocks_of("# x\n== S1901M ==\nA PAR H\n\nF1901R:\nA PAR D # gone\nDraw: France", calendar))
    assert [(block.number, block.phase and block.phase.code, block.draw) for block in blocks] == [
        (2, "S1901M", None),
        (5, "F1901R", None),
        (7, None, "France"),
    ]
    assert blocks[0].phase
    assert blocks[0].phase.kind is PhaseKind.MOVEMENT
    assert blocks[0].text.splitlines()[2] == "A PAR H"
    assert blocks[1].text.splitlines()[5].strip() == "A PAR D"


# Saved


def test_a_game_is_saved_and_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    told = played(tmp_path, WON, "--save", str(file), *KNOWN)
    assert told.stderr == f"Saved; go on with: plenipo play --load {file}\n"
    game = saved.load(file)
    assert game.position.winners == ("France",)
    assert run("--load", file).stdout.splitlines()[-1] == "France has won with 5 centres."


def test_a_game_left_in_the_middle_goes_on_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    run("--save", file, typed="a bud - ser\n" + "done\n" * 7)
    lines = run("--load", file).stdout.splitlines()
    assert "Fall 1901 movement" in lines[1]
    assert any("A SER, F TRI, A VIE" in line for line in lines)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("[]", "is not a JSON object, so it is not a saved game"),
        ("{}", "does not say which variant was played."),
        ('{"variant": "standard", "options": {}}', "This is not a game record"),
        ('{"variant": "standard", "options": []}', "does not say which variant was played."),
    ],
)
def test_a_file_that_is_no_saved_game_is_refused(tmp_path: Path, content: str, sentence: str) -> None:
    file = tmp_path / "game.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InvalidRecord, match=sentence):
        saved.load(file)


def test_a_game_of_a_variant_outside_the_package_is_loaded_with_its_folder(tmp_path: Path) -> None:
    folder, file = tmp_path / "mine", tmp_path / "game.json"
    folder.mkdir()
    for part in ("variant.toml", "figure.json"):
        (folder / part).write_bytes((library.VARIANTS / "standard" / part).read_bytes())
    run(folder, "--save", file, typed="")
    assert run("--load", file).stderr.startswith("'mine' is neither a variant nor a folder")
    assert run(folder, "--load", file).exit_code == 0


def test_a_support_in_a_script_need_not_name_the_coast_of_a_corner(tmp_path: Path) -> None:
    script = tmp_path / "corner.txt"
    script.write_text(
        "Spring 1901\nFrance: F BRE - MID, A MAR - SPA\nFall 1901\n"
        "France: A SPA S F MID - [MID/POR/SPA], F MID - [MID/POR/SPA(nc)]\n",
        encoding="utf-8",
    )
    result = CliRunner().invoke(app, ["play", "corner", "--orders", str(script)])
    assert "A SPA supported F MID to [MID/POR/SPA(nc)]." in " ".join(result.output.split())

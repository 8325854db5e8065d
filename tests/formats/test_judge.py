"""The reports of the judges: as mails and as pages, whole games, results that differ, and what is no report."""

import html

import pytest

from formats.sample_games import play
from plenipo import library
from plenipo.engine.history.game import Game
from plenipo.engine.history.turns import Turn
from plenipo.engine.orders import Build, Convoy, Disband, Hold, Move, Order, Remove, Retreat, Support, Waive
from plenipo.engine.outcome import Outcome, Result
from plenipo.engine.position import Power
from plenipo.errors import InvalidRecord
from plenipo.formats import FORMATS
from plenipo.formats.words import list_words

JUDGE = FORMATS["judge"]
KINDS = {"A": "Army", "F": "Fleet"}
COASTS = {"NC": " (north coast)", "SC": " (south coast)", "EC": " (east coast)", "": ""}
TITLES = {"movement": "Movement results", "retreats": "Retreat orders", "adjustments": "Adjustment orders"}


def place(game: Game, location: object) -> str:
    """A place as a judge writes it."""
    space, _, coast = str(location).partition("/")
    return game.rules.board.spaces[space].name + COASTS[coast]  # type: ignore[index]  # a code is a text


def order_text(game: Game, order: Order, kind: str) -> str:
    """An order as a judge writes it."""
    unit = f"{KINDS[kind]} {place(game, order.unit.location)}" if not isinstance(order, Waive) else ""  # type: ignore[union-attr]
    match order:
        case Hold():
            return f"{unit} HOLD"
        case Move(_, to, via):
            return f"{unit} -> {place(game, to)}" + (" via convoy" if via else "")
        case Support(_, other, to):
            tail = f" -> {place(game, to)}" if to else ""
            return f"{unit} SUPPORT {KINDS[other.kind or 'A']} {place(game, other.location)}{tail}"
        case Convoy(_, other, to):
            return f"{unit} CONVOY Army {place(game, other.location)} -> {place(game, to)}"
        case Retreat(_, to):
            return f"{unit} -> {place(game, to)}"
        case Disband():
            return f"{unit} DISBAND"
        case Build() | Remove():
            verb = "Builds an army" if kind == "A" else "Builds a fleet"
            verb = verb if isinstance(order, Build) else f"Removes the {KINDS[kind].lower()}"
            return f"{verb} in {place(game, order.unit.location)}"
        case _:
            return "Build waived"


def line(game: Game, outcome: Outcome) -> str:
    """The line of a judge about an outcome."""
    kind = outcome.unit.kind if outcome.unit is not None else "A"
    order = outcome.order
    if isinstance(order, Build) and order.unit.kind:
        kind = order.unit.kind
    words = list_words(outcome)
    result = f"  (*{', '.join(words)}*)" if words and outcome.result is not Result.DISBANDED else ""
    return f"{outcome.power}: {order_text(game, order, kind) if order else ''}.{result}"


def part(game: Game, turn: Turn) -> str:
    """The part of a report about a phase."""
    phase = turn.resolution.before.phase
    lines = [f"{TITLES[phase.kind]} for {phase.season} of {phase.year}.  (sample.{phase.year})", ""]
    lines += [line(game, outcome) for outcome in turn.resolution.outcomes if outcome.order is not None]
    fallen = {one.unit for one in turn.resolution.after.dislodged}
    for outcome in turn.resolution.outcomes:
        if outcome.dislodged_by is not None and outcome.unit is not None and outcome.unit not in fallen:
            adjective = next(info.adjective for info in game.rules.powers if info.name == outcome.power)
            where = place(game, outcome.unit.location)
            lines.append(f"The {adjective} {KINDS[outcome.unit.kind]} in {where} with no valid retreats was destroyed.")
    return "\n".join(lines) + "\n\n"


def report(game: Game) -> str:
    """The reports of a whole game."""
    return "".join(part(game, turn) for turn in game.turns)


def as_page(text: str) -> str:
    """A report as a page shows it."""
    return "<html><body>" + "\n<BR>".join(html.escape(row) for row in text.split("\n")) + "</body></html>"


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("page", [False, True], ids=["mail", "page"])
def test_the_reports_of_a_game_lead_to_its_positions(seed: int, *, page: bool) -> None:
    game = play(seed, turns=16)
    text = as_page(report(game)) if page else report(game)
    assert [name for name, form in FORMATS.items() if form.sniff(text)] == ["judge"]
    again = JUDGE.read(text, library.load)
    assert again.rulings == ()
    assert [turn.resolution.after.units for turn in again.turns] == [turn.resolution.after.units for turn in game.turns]


def test_parts_may_come_in_any_order_and_twice() -> None:
    game = play(1, turns=8)
    parts = [part(game, turn) for turn in game.turns]
    again = JUDGE.read("".join(reversed(parts)) + parts[0], library.load)
    assert again.position == game.position


SWAPPED = """Movement results for Spring of 1901.

Austria: Army Vienna -> Galicia.  (*bounce*)
Russia: Army Warsaw -> Galicia.
England: Fleet London -> North Sea.
"""
"""A report in which one of two equal moves succeeds."""


def test_where_the_results_differ_the_game_goes_on_as_the_judge_says() -> None:
    game = JUDGE.read(SWAPPED, library.load)
    ((after, ruling),) = game.rulings
    assert after == 1
    assert "A WAR of Russia moves in the file." in str(ruling.reason.text)
    assert {"A GAL", "A VIE", "F NTH"} <= {str(unit) for unit in game.position.units}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The report has no part such as 'Movement results for Spring of 1901'"),
        ("Movement results for Autumn of 190", "The report has no part"),
        (SWAPPED.replace("Austria:", "Narnia:"), "'Narnia' is not a power of this game"),
        (SWAPPED + SWAPPED.replace("1901", "1907"), "this phase does not follow"),
    ],
)
def test_what_is_no_report_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises((InvalidRecord, ValueError), match=sentence):
        JUDGE.read(text, library.load)


def test_a_part_that_was_voided_does_not_count_and_the_one_after_it_does() -> None:
    lines = SWAPPED.split("\n")
    voided = [
        lines[0],
        "",
        "ED: This Version was voided due to a judge crash.",
        "",
        "Austria: Army Vienna -> Tyrolia.",
        "",
    ]
    game = JUDGE.read("\n".join([*voided, "Movement", "", "Austria: Army Vienna -> Bohemia.", ""]), library.load)
    assert [str(unit) for unit in game.position.units_of(Power("Austria"))] == ["A BOH"]


def test_an_army_that_is_convoyed_back_to_where_it_stood_is_no_difference() -> None:
    text = """Movement results for Spring of 1902.

France: Army Portugal => Mid-Atlantic Ocean => Portugal.
France: Fleet Mid-Atlantic Ocean CONVOY Army Portugal => Portugal.
"""
    assert JUDGE.read(text, library.load).rulings == ()

"""Events beside the orders and refusals, as data: the documents list every kind and code."""

import re
from pathlib import Path

import pytest

from plenipo.engine import events
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.events import CENTRE_TAKEN, GAME_WON, Event, Refusal, RefusalCode
from plenipo.engine.history.game import Game
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.step import process
from plenipo.engine.position import Power
from plenipo.library import load
from table import FALL, WINTER, order_sets, place, standard

CODE = Path(events.__file__).parents[1]
PAGE = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")
KIND = re.compile(r'EventKind\("(\w+)"\)')
FRANCE, GERMANY, ITALY = Power("France"), Power("Germany"), Power("Italy")


def rows(heading: str) -> set[str]:
    """Return the first column of the table below a heading."""
    part = PAGE.split(f"### {heading}\n")[1].split("\n## ")[0].split("\n### ")[0]
    cells = re.findall(r"^\| (`.*?) \|", part, re.MULTILINE)
    return {word for cell in cells for word in re.findall(r"`(\w+)`", cell)}


def test_every_kind_of_event_has_a_row_in_the_documents_and_no_other() -> None:
    sources = [
        path.read_text(encoding="utf-8") for room in ("engine", "rulekit") for path in (CODE / room).rglob("*.py")
    ]
    assert {kind for source in sources for kind in KIND.findall(source)} == rows("Events")


def test_every_code_of_a_refusal_has_a_row_in_the_documents_and_no_other() -> None:
    assert {str(code) for code in RefusalCode} == rows("Refusals")


def test_an_event_and_a_refusal_say_their_sentence() -> None:
    assert str(Event(GAME_WON, "France won.", (FRANCE,))) == "France won."
    assert str(Refusal(RefusalCode.ILLEGAL, "No.", FRANCE, "A PAR - LON")) == "No."


def test_a_centre_taken_names_the_powers_and_the_space() -> None:
    position = place("Italy: A TUN, F MAR", FALL, owners={"France": "MAR PAR"})
    taken = process(standard(), position, {}).events
    assert [(event.kind, event.powers, event.spaces) for event in taken] == [
        (CENTRE_TAKEN, (ITALY, FRANCE), ("MAR",)),
        (CENTRE_TAKEN, (ITALY,), ("TUN",)),
    ]


def refused(resolution: Resolution) -> list[tuple[str, str | None, str]]:
    return [(str(refusal.code), refusal.power, refusal.text) for refusal in resolution.refusals]


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        (["nonsense"], "unreadable"),
        (["F St Petersburg - Nwy of Nowhere"], "unreadable"),
        (["A PAR - LON"], "illegal"),
        (["A MUN - BUR"], "not_yours"),
        (["A GAS - BUR"], "no_unit"),
        (["A PAR - BUR", "A PAR H"], "two_orders"),
    ],
)
def test_what_is_not_accepted_has_a_code(texts: list[str], code: str) -> None:
    resolution = Game.new(standard()).process({FRANCE: texts}).turns[0].resolution
    assert refused(resolution) == [(code, FRANCE, ", ".join(texts))]


def test_the_place_of_a_fault_is_that_of_the_piece_in_the_text() -> None:
    text = "A PAR - Nowhere"
    (refusal,) = Game.new(standard()).process({FRANCE: [text]}).turns[0].resolution.refusals
    assert refusal.place is not None
    assert text[slice(*refusal.place)] == "Nowhere"


def test_an_order_of_another_phase_is_not_for_now() -> None:
    given = order_sets(standard(), "France: A PAR B", PhaseKind.ADJUSTMENTS)
    resolution = process(standard(), standard().opening, given)
    assert refused(resolution) == [("not_now", FRANCE, "A PAR B")]


def test_a_build_too_many_has_no_room() -> None:
    position = place("France: A BUR", WINTER, owners={"France": "PAR BRE"})
    given = order_sets(standard(), "France: A PAR B, F BRE B", PhaseKind.ADJUSTMENTS)
    assert refused(process(standard(), position, given)) == [("no_room", FRANCE, "F BRE B")]


def test_a_later_choice_replaces_and_choices_that_clash_do_not_go_together() -> None:
    homes = load("1897", {"home_default": "first_listed"})
    (refusal,) = Game.new(homes).process({FRANCE: ["BRE", "PAR"]}).turns[0].resolution.refusals
    assert (refusal.code, refusal.text) == (RefusalCode.REPLACED, "CHOOSE BRE")
    rules = load("napoleonic")
    england = Power("England")
    (refusal,) = Game.new(rules).process({england: ["CHOOSE A EDI", "CHOOSE F EDI"]}).turns[0].resolution.refusals
    assert (refusal.code, refusal.text) == (RefusalCode.NOT_TOGETHER, "CHOOSE F EDI")


def test_orders_for_an_unplayed_power_are_refused() -> None:
    rules = load("napoleonic", {"nine_players": "false"})
    refusals = Game.new(rules).process({Power("Neutral"): []}).turns[0].resolution.refusals
    assert [(refusal.code, refusal.power) for refusal in refusals] == [(RefusalCode.NOT_PLAYED, "Neutral")]


def test_a_draw_that_is_not_to_be_made_is_refused() -> None:
    rules = load("irish", {"minors": "Spain", "draws": "gm_entered"})
    resolution = Game.new(rules).process({Power("GM"): ["DRAW black hole: PIC"]}).turns[0].resolution
    assert refused(resolution) == [("not_drawn", "GM", "DRAW black hole: PIC")]

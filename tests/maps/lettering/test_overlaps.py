"""The check of placements: silent about good placements, and it names every kind of fault in spoiled ones."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from maps.figures import STANDARD, standard_figure, standard_texts
from plenipo.engine.board import Board, Coast, Code, Location
from plenipo.errors import InvalidFigure
from plenipo.maps.figure.board import board_from
from plenipo.maps.lettering.overlaps import overlaps
from plenipo.maps.lettering.placements import LabelPlacement, Placements


@cache
def board() -> Board:
    """The regular board."""
    return board_from(standard_figure(), standard_texts(), "standard")


@cache
def good() -> Placements:
    """Its committed placements."""
    return Placements.from_json((Path(STANDARD) / "placements.json").read_text(encoding="utf-8"))


def with_one(table: str, key: Any, value: Any) -> Placements:
    """The committed placements with one entry changed."""
    changed: dict[str, Any] = {table: {**getattr(good(), table), key: value}}
    return replace(good(), **changed)


def without(table: str, key: Any) -> Placements:
    """The committed placements with one entry left out."""
    changed: dict[str, Any] = {table: {k: v for k, v in getattr(good(), table).items() if k != key}}
    return replace(good(), **changed)


def moved(table: str, code: str, to: tuple[int, int]) -> Placements:
    """The committed placements with one name or code somewhere else."""
    lettering: LabelPlacement = getattr(good(), table)[Code(code)]
    return with_one(table, Code(code), LabelPlacement(lettering.lines, to, lettering.size))


def at(code: str, coast: str = "") -> Location:
    return Location(Code(code), Coast(coast))


def test_nothing_collides_on_the_regular_board_at_full_size() -> None:
    assert overlaps(standard_figure(), board(), good(), 1600) == []


@pytest.mark.parametrize("width", [390, 360])
def test_nothing_collides_on_a_phone(width: int) -> None:
    assert overlaps(standard_figure(), board(), good(), width) == []


def test_codes_on_a_phone_stand_clear_of_units_a_fifth_larger_as_they_are_drawn_there() -> None:
    larger = replace(good(), unit=round(1.2 * good().unit))
    assert not [fault for fault in overlaps(standard_figure(), board(), larger, 390) if "the code of" in fault]


SPOILED: dict[str, tuple[Callable[[], Placements], str]] = {
    "a name on a name": (
        lambda: moved("names", "PAR", good().names[Code("BUR")].at),
        "the name of BUR overlaps the name of PAR",
    ),
    "a name on its unit": (
        lambda: moved("names", "PAR", good().units[at("PAR")]),
        "the name of PAR overlaps the unit of PAR",
    ),
    "a name on a dislodged unit": (
        lambda: moved("names", "MUN", good().dislodged[at("MUN")]),
        "the name of MUN overlaps the dislodged unit of MUN",
    ),
    "a name on a centre mark": (
        lambda: moved("names", "MOS", good().centres[Code("MOS")]),
        "the name of MOS overlaps the centre mark of MOS",
    ),
    "a curved name on a unit": (
        lambda: with_one("units", at("ADR"), good().names[Code("ADR")].at),
        "the name of ADR overlaps the unit of ADR",
    ),
    "a unit in another province": (
        lambda: with_one("units", at("PAR"), good().units[at("MOS")]),
        "the unit of PAR stands outside PAR",
    ),
    "a unit on a unit of another province": (
        lambda: with_one("units", at("PAR"), good().units[at("BUR")]),
        "the unit of BUR overlaps the unit of PAR",
    ),
    "a fleet in the water": (
        lambda: with_one("units", at("SPA", "NC"), good().units[at("MID")]),
        "the unit of SPA/NC stands outside SPA",
    ),
    "a unit on its centre mark": (
        lambda: with_one("units", at("MUN"), good().centres[Code("MUN")]),
        "the unit of MUN overlaps the centre mark of MUN",
    ),
    "a centre mark abroad": (
        lambda: with_one("centres", Code("PAR"), good().units[at("GAS")]),
        "the centre mark of PAR stands outside PAR",
    ),
    "a name half in the sea": (
        lambda: moved("names", "POR", (good().names[Code("POR")].at[0] - 1800, good().names[Code("POR")].at[1])),
        "outside POR",
    ),
    "a name too large": (
        lambda: with_one("names", Code("RUH"), replace(good().names[Code("RUH")], size=1500)),
        "on land other than RUH",
    ),
    "a name with its letters too far apart": (
        lambda: with_one("names", Code("BLA"), replace(good().names[Code("BLA")], spacing=900)),
        "on land other than BLA",
    ),
    "a name over the frame": (
        lambda: moved("names", "NAT", (good().names[Code("NAT")].at[0], standard_figure().frame[3] - 100)),
        "the name of NAT runs over the frame",
    ),
    "no placement for a unit": (lambda: without("units", at("STP", "SC")), "a unit in STP/SC has no placement"),
    "no placement for the dislodged": (
        lambda: without("dislodged", at("KIE")),
        "a dislodged unit in KIE has no placement",
    ),
    "no code": (lambda: without("codes", Code("KIE")), "KIE has no code"),
    "no centre mark": (lambda: without("centres", Code("KIE")), "KIE has no centre mark"),
    "units of double size": (lambda: replace(good(), unit=2 * good().unit), "overlaps the unit of"),
}


@pytest.mark.parametrize(("spoil", "said"), SPOILED.values(), ids=SPOILED)
def test_a_fault_is_named(spoil: Callable[[], Placements], said: str) -> None:
    found = overlaps(standard_figure(), board(), spoil(), 1600)
    assert any(said in fault for fault in found), found


def test_a_code_on_a_code_is_found_where_codes_are_drawn() -> None:
    spoiled = moved("codes", "PAR", good().codes[Code("BUR")].at)
    assert overlaps(standard_figure(), board(), spoiled, 1600) == []
    assert any(
        "the code of BUR overlaps the code of PAR" in f for f in overlaps(standard_figure(), board(), spoiled, 390)
    )


def test_a_code_that_stands_for_a_missing_name_is_checked_at_full_size() -> None:
    code = good().codes[Code("PAR")]
    spoiled = replace(
        without("names", Code("PAR")),
        codes={**good().codes, Code("PAR"): replace(code, at=good().names[Code("BUR")].at)},
    )
    assert any("the code of PAR" in fault for fault in overlaps(standard_figure(), board(), spoiled, 1600))


def test_seats_of_another_board_are_refused() -> None:
    with pytest.raises(InvalidFigure, match="ZZZ"):
        overlaps(standard_figure(), board(), with_one("centres", Code("ZZZ"), (0, 0)), 1600)

"""The import of a drawing: division, faces, spaces and board one after the other, and the open questions."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from shapely.errors import GEOSException

from plenipo.boards_in.pictures.agreement import ContactAgreement, agree
from plenipo.boards_in.pictures.answers import PictureAnswers, PowerAnswer, SpaceAnswer, read_answers, write_answers
from plenipo.boards_in.pictures.boards import PictureBoard, build_board
from plenipo.boards_in.pictures.drawing import Drawing
from plenipo.boards_in.pictures.faces import trace_faces
from plenipo.boards_in.pictures.regions import Division, divide
from plenipo.boards_in.pictures.spaces import PictureSpace, describe_spaces, find_powers
from plenipo.boards_in.source_files import fault_at
from plenipo.boards_in.values import (
    BoardSource,
    BoardSpot,
    ImportChoices,
    ImportedBoard,
    ImportedPower,
    ImportedSpace,
    OpenQuestion,
)
from plenipo.engine.board import Board, Terrain
from plenipo.engine.sentences import Sentence, say
from plenipo.errors import InvalidFigure

__all__ = ["import_drawing"]

FINER = (1.0, 0.5, 0.25, 0.1, 0.0)
"""The tolerance is made smaller by these factors, until no borders meet that are apart in the picture."""

SHOWN = 12
"""The most differences from a list that are printed; all stand on the page of the variant."""

KINDS = {Terrain.SEA: "sea", Terrain.COAST: "coast", Terrain.INLAND: "inland"}


def import_drawing(drawing: Drawing, name: str, title: str, file: str, choices: ImportChoices) -> ImportedBoard:
    """Return the board of a drawing; raise `InvalidBoardFile`."""
    try:
        return _import(drawing, name, title, file, choices)
    except GEOSException as fault:
        raise fault_at(file, 0, say("its shapes are too tangled to be cut: {fault}", fault=str(fault)[:120])) from fault


def _import(drawing: Drawing, name: str, title: str, file: str, choices: ImportChoices) -> ImportedBoard:
    answers = read_answers(choices.answers)
    areas, ignore = choices.areas or answers.areas, choices.ignore or answers.ignore
    division = divide(drawing, areas, ignore, file)
    spaces = describe_spaces(division, drawing, answers, choices.listed)
    made, tolerance = _build(division, spaces, title, file)
    agreement = None
    if choices.listed is not None:
        made, agreement = agree(made, spaces, choices.listed)
    powers, opening_made_up = _powers(spaces, made.board, answers, choices.listed)
    kept = PictureAnswers(
        tuple(areas),
        tuple(ignore),
        {
            space.code: SpaceAnswer(space.at, space.name, space.kind, space.centre, _coasts(space, made), space.shores)
            for space in sorted(spaces, key=lambda space: space.code)
        },
        {power.name: PowerAnswer(power.homes, power.units) for power in powers},
    )
    notes = [
        say(
            "{number} regions from {layer}; gaps up to {gap} were closed, and borders moved by up to {tolerance}.",
            number=len(spaces),
            layer=division.layer or say("the whole picture"),
            gap=f"{division.gap:.2g}",
            tolerance=f"{tolerance:.2g}",
        ),
        *(note for note in drawing.notes if isinstance(note, Sentence)),
        *(_report_agreement(agreement) if agreement is not None else ()),
    ]
    if opening_made_up:
        notes.append(say("The picture shows no homes; centres and powers were made up, and stand in import.toml."))
    board = made.board
    return ImportedBoard(
        name,
        title,
        BoardSource(str(say("a picture")), file),
        {
            str(code): ImportedSpace(
                str(code), space.name, KINDS[space.terrain], space.centre, tuple(space.coasts), space.impassable
            )
            for code, space in board.spaces.items()
        },
        frozenset((BoardSpot(a), BoardSpot(b)) for a, others in board.armies.items() for b in others),
        frozenset(
            (BoardSpot(a.space, a.coast), BoardSpot(b.space, b.coast))
            for a, others in board.fleets.items()
            for b in others
        ),
        tuple(powers),
        figure=made.figure,
        declared=made.declared if agreement is None else agreement.declared,
        left_out=agreement.differences if agreement is not None else (),
        **_rules_of(choices.listed),
        notes=tuple(notes),
        questions=tuple(_questions(spaces, made)),
        answers=write_answers(kept),
    )


def _report_agreement(agreement: ContactAgreement) -> Iterator[Sentence]:
    """Yield how many contacts of a list the picture shows, and the first differences."""
    yield say(
        "{share} % of the listed contacts are in the picture ({shown} of {listed}); {declared} are declared.",
        share=f"{100 * agreement.shown / max(agreement.listed, 1):.1f}",
        shown=agreement.shown,
        listed=agreement.listed,
        declared=len(agreement.declared),
    )
    yield from agreement.differences[:SHOWN]


def _rules_of(listed: ImportedBoard | None) -> dict[str, Any]:
    """Return what a list says of the game beside its board."""
    names = ("year", "victory", "build", "first_phase")
    return {name: getattr(listed, name) for name in names} if listed is not None else {}


def _build(division: Division, spaces: Sequence[PictureSpace], title: str, file: str) -> tuple[PictureBoard, float]:
    """Return the board, with the largest tolerance at which its borders are sound."""
    source = {"picture": file.rpartition("/")[2]}
    for factor in FINER:
        tolerance = division.tolerance * factor
        try:
            return build_board(title, trace_faces(division, tolerance), spaces, source), tolerance
        except InvalidFigure as fault:
            last = fault
    raise fault_at(file, 0, say("its borders make no figure: {fault}", fault=str(last)))


def _coasts(space: PictureSpace, made: PictureBoard) -> str:
    if space.coasts or space.kind != "land":
        return space.coasts
    return "several" if space.code in {mark.space for mark in made.figure.marks} else ""


def _questions(spaces: Sequence[PictureSpace], made: PictureBoard) -> list[OpenQuestion]:
    """Return what the picture leaves open: what is water, and which shores are one coast."""
    asked = [
        OpenQuestion(
            say("Is {space} land or sea?", space=space.name), space.code, "kind", ("land", "sea", "off"), space.kind
        )
        for space in spaces
        if not space.sure and not space.fill
    ]
    fills: dict[str, list[PictureSpace]] = {}
    for space in spaces:
        if not space.sure and space.fill:
            fills.setdefault(space.fill, []).append(space)
    for fill, group in fills.items():
        codes = " ".join(space.code for space in group)
        question = say("Are the {number} spaces coloured {colour} land or sea?", number=len(group), colour=fill)
        asked.append(OpenQuestion(question, codes, "kind", ("land", "sea", "impassable", "off"), group[0].kind))
    names = {space.code: space.name for space in spaces}
    for code in made.open_coasts:
        question = say("Do ships pass through {space} (one coast), or has it several?", space=names[code])
        asked.append(OpenQuestion(question, code, "coasts", ("one", "several"), "several"))
    return asked


def _powers(
    spaces: Sequence[PictureSpace], board: Board, answers: PictureAnswers, listed: ImportedBoard | None
) -> tuple[list[ImportedPower], bool]:
    """Return the powers with their opening, and whether it had to be made up."""
    if answers.powers:
        return [
            ImportedPower(name, units=power.units, homes=power.homes) for name, power in answers.powers.items()
        ], False
    if listed is not None and listed.powers:
        return [_power_on(power, board) for power in listed.powers], False
    homes = find_powers(spaces)
    if homes:
        return [
            ImportedPower(name, units=_units(codes, board), homes=tuple(codes)) for name, codes in homes.items()
        ], False
    land = [space for space in spaces if space.kind == "land"]
    return _make_up(land, board), True


def _power_on(power: ImportedPower, board: Board) -> ImportedPower:
    """Return a power of a list with the part of its opening that can be on the board."""
    units = tuple(unit for text in power.units for unit in (text, text.partition("/")[0]) if unit in board.standing)
    homes = tuple(code for code in power.homes if code in board.centres)
    owned = None if power.owned is None else tuple(code for code in power.owned if code in board.centres)
    return replace(power, units=tuple(dict.fromkeys(units)), homes=homes, owned=owned)


def _make_up(land: Sequence[PictureSpace], board: Board) -> list[ImportedPower]:
    """Return two powers at the two ends of the land, each with one home; raise nothing where there is little land."""
    if not land:
        return []
    if not any(space.centre for space in land):
        for space in land:
            space.centre = True
    centres = [space for space in land if space.centre]
    first = min(centres, key=lambda space: (sum(space.at), space.code))
    last = max(centres, key=lambda space: (math.dist(space.at, first.at), space.code))
    ends = {"White": first.code} | ({"Black": last.code} if last is not first else {})
    return [ImportedPower(name, units=_units([code], board), homes=(code,)) for name, code in ends.items()]


def _units(homes: Sequence[str], board: Board) -> tuple[str, ...]:
    """Return an army in each home, but a fleet in the first that lies on one coast, if there are several."""
    ports = [code for code in homes if _is_port(board, code)]
    fleet = ports[0] if len(homes) > 1 and ports else ""
    return tuple(f"{'F' if code == fleet else 'A'} {code}" for code in homes)


def _is_port(board: Board, code: str) -> bool:
    return any(
        code == space and found.terrain is Terrain.COAST and not found.coasts for space, found in board.spaces.items()
    )

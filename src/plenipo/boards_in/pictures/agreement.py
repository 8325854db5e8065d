"""The agreement of a picture with a list of contacts: what what both have, and what differs where."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from plenipo.boards_in.pictures.boards import PictureBoard, texts_of
from plenipo.boards_in.pictures.spaces import PictureSpace
from plenipo.boards_in.values import BoardSpot, DeclaredContact, ImportedBoard, Steps
from plenipo.engine.board import Board, Coast, Code, Location, UnitKind
from plenipo.engine.sentences import Sentence, say
from plenipo.maps.figure.board import board_from
from plenipo.maps.figure.planar import Mark

__all__ = ["ContactAgreement", "agree"]


@dataclass(frozen=True, slots=True)
class ContactAgreement:
    """The share of the contacts of a list that a picture shows, and each difference in a sentence."""

    listed: int
    shown: int
    differences: tuple[Sentence, ...]
    declared: tuple[DeclaredContact, ...]


def agree(
    made: PictureBoard, spaces: Sequence[PictureSpace], listed: ImportedBoard
) -> tuple[PictureBoard, ContactAgreement]:
    """Return a board whose coasts are called as in a list and which declares what differs, and the agreement."""
    made = _rename_coasts(made, spaces, listed)
    board = made.board
    places = {space.code: space.at for space in spaces}
    wanted, lost = _list_contacts(board, listed)
    shown = _board_contacts(board)
    differences = list(lost)
    declared: list[DeclaredContact] = []
    for contact in sorted(wanted ^ shown):
        kind, one, other = contact
        missing = contact in wanted
        if not missing and not {one.partition("/")[0], other.partition("/")[0]} <= set(listed.spaces):
            continue
        x, y = ((places[one.partition("/")[0]][i] + places[other.partition("/")[0]][i]) / 2 for i in (0, 1))
        parts = {"unit": kind, "one": one, "other": other, "x": round(x), "y": round(y)}
        sentence = (
            say("{unit} {one} - {other} is in the list alone, near {x}, {y}", **parts)
            if missing
            else say("{unit} {one} - {other} is in the picture alone, near {x}, {y}", **parts)
        )
        differences.append(sentence)
        reason = say("the list of contacts has it") if missing else say("the list of contacts does not have it")
        declared.append(DeclaredContact((one, other), (kind,), str(reason), drop=not missing))
    number = len(wanted) + len(lost)
    agreement = ContactAgreement(number, len(wanted & shown), tuple(differences), tuple(declared))
    return made, agreement


def _board_contacts(board: Board) -> set[tuple[str, str, str]]:
    found = {("A", *sorted((str(a), str(b)))) for a, others in board.armies.items() for b in others}
    found |= {("F", *sorted((str(a), str(b)))) for a, others in board.fleets.items() for b in others}
    return {(kind, a, b) for kind, a, b in found}


def _list_contacts(board: Board, listed: ImportedBoard) -> tuple[set[tuple[str, str, str]], list[Sentence]]:
    """Return the contacts of a list that can be on the board, and a sentence for each that cannot."""
    found: set[tuple[str, str, str]] = set()
    lost: list[Sentence] = []
    for kind, steps in ((UnitKind.ARMY, listed.armies), (UnitKind.FLEET, listed.fleets)):
        for pair in sorted({tuple(sorted(pair)) for pair in steps}):
            ends = [_spot_on(board, spot, kind) for spot in pair]
            one, other = sorted(ends)
            if one and one != other:
                found.add((str(kind), one, other))
            else:
                parts = {"unit": str(kind), "one": str(pair[0]), "other": str(pair[1])}
                lost.append(say("{unit} {one} - {other} is in the list, and the picture has no such places", **parts))
    return found, lost


def _spot_on(board: Board, spot: BoardSpot, kind: UnitKind) -> str:
    """Return where a unit stands that a list has at a spot, '' if it cannot stand there."""
    for text in (str(spot), spot.space):
        code, _, coast = text.partition("/")
        if Code(code) in board.spaces and board.can_stand(kind, Location(Code(code), Coast(coast))):
            return text
    return ""


def _rename_coasts(made: PictureBoard, spaces: Sequence[PictureSpace], listed: ImportedBoard) -> PictureBoard:
    """Return the board with its coasts called as in the list: each by the neighbours that it shares most with one."""
    near: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one, other in _both_ways(listed.fleets):
        near[one.space, one.coast].add(other.space)
    names: dict[tuple[str, str], str] = {}
    for code, space in made.board.spaces.items():
        wanted = listed.spaces[str(code)].coasts if str(code) in listed.spaces else ()
        pairs = sorted(
            (-len(near[str(code), name] & _beside(made.board, code, coast)), name, str(coast))
            for name in wanted
            for coast in space.coasts
        )
        for _, name, coast in pairs:
            if (str(code), coast) not in names and name not in [n for (c, _), n in names.items() if c == str(code)]:
                names[str(code), coast] = name
    if not names:
        return made
    marks: list[Mark] = []
    for mark in made.figure.marks:
        coast = names.get((str(mark.space), str(mark.coast)), str(mark.coast))
        used = {str(m.coast) for m in marks if m.space == mark.space}
        free = coast if coast not in used else next(f"C{n}" for n in range(5, 99) if f"C{n}" not in used)
        marks.append(replace(mark, coast=Coast(free), kept=True))
    figure = replace(made.figure, marks=tuple(marks))
    board = board_from(figure, texts_of(spaces), figure.title)
    return PictureBoard(figure, board, made.declared, made.open_coasts)


def _both_ways(steps: Steps) -> Iterator[tuple[BoardSpot, BoardSpot]]:
    for one, other in steps:
        yield one, other
        yield other, one


def _beside(board: Board, code: Code, coast: Coast) -> set[str]:
    return {str(to.space) for to in board.fleets.get(Location(code, coast), ())}

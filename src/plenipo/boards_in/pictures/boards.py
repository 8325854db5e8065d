"""From faces and spaces to a board: the figure with its coasts, and the contacts that no figure can show, declared."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from plenipo.boards_in.pictures.faces import Faces
from plenipo.boards_in.pictures.spaces import PictureSpace
from plenipo.boards_in.values import DeclaredContact
from plenipo.engine.board import Board, Coast, Code, Location
from plenipo.engine.sentences import say
from plenipo.maps.figure.board import SpaceText, board_from
from plenipo.maps.figure.planar import Decoration, Figure, HalfEdge, Mark, Point
from plenipo.maps.figure.shores import halfway, name_by_compass, runs

__all__ = ["PictureBoard", "build_board", "several_shores", "texts_of"]


class PictureBoard:
    """The board of a picture: its figure, what it adds to the contacts of the figure, and the spaces with more shores.

    `open_coasts` are the codes of land with several shores of which nobody said whether they are one coast.
    """

    def __init__(
        self, figure: Figure, board: Board, declared: Sequence[DeclaredContact], open_coasts: Sequence[str]
    ) -> None:
        self.figure, self.board = figure, board
        self.declared, self.open_coasts = tuple(declared), tuple(open_coasts)
        self.notes: list[str] = []


def build_board(title: str, faces: Faces, spaces: Sequence[PictureSpace], source: Mapping[str, str]) -> PictureBoard:
    """Return the board that faces and their spaces make; raise `InvalidFigure` if the borders are not sound."""
    pieces = _Pieces(faces, spaces)
    whole = _declare(faces.figure(title, pieces.own_codes, source), spaces, pieces, faces)
    own = {own: SpaceText(own) for own in pieces.others if own in whole.faces and own not in whole.offboard}
    board = board_from(whole, texts_of(spaces) | own, title)
    if not pieces.others:
        return PictureBoard(replace(whole, decorations=pieces.islands), board, (), _open_coasts(whole, spaces))
    figure = _declare(faces.figure(title, pieces.final_codes, source), spaces, pieces, faces, final=True)
    figure = replace(figure, decorations=pieces.islands)
    shown = board_from(figure, texts_of(spaces), title)
    declared = list(_missing(board, shown, pieces))
    return PictureBoard(figure, shown, declared, _open_coasts(figure, spaces))


class _Pieces:
    """The code of each piece: of a region with several, all but the largest have codes of their own at first.

    In the final figure an island of one sea is painted on that sea, and any other further piece is no part of the
    board; what they touch is declared.
    """

    def __init__(self, faces: Faces, spaces: Sequence[PictureSpace]) -> None:
        codes = [Code(space.code) for space in spaces]
        taken = set(codes)
        self.own_codes: list[Code] = []
        self.final_codes: list[Code] = []
        self.others: dict[Code, Code] = {}
        """Further pieces by their own codes, and the spaces that they are pieces of."""
        self.off: set[Code] = set()
        islands: list[Decoration] = []
        seen: set[int] = set()
        for region in faces.regions:
            code = codes[region]
            if region in seen:
                own = next(Code(f"{code[:4]}{n}") for n in range(2, 1_000) if f"{code[:4]}{n}" not in taken)
                taken.add(own)
                self.others[own] = code
                self.own_codes.append(own)
            else:
                seen.add(region)
                self.own_codes.append(code)
        for piece, own in enumerate(self.own_codes):
            final = own
            if own in self.others:
                around = faces.neighbours(piece)
                alone = len(around) == 1 and -1 not in around
                beside = next(iter(around))
                if alone and spaces[faces.regions[beside]].kind == "sea" and self.own_codes[beside] not in self.others:
                    final = self.own_codes[beside]
                    islands.append(faces.island(piece))
                else:
                    self.off.add(own)
            self.final_codes.append(final)
        self.islands = tuple(islands)


def texts_of(spaces: Sequence[PictureSpace]) -> dict[Code, SpaceText]:
    """Return the names and centres of the spaces of the board."""
    return {Code(space.code): SpaceText(space.name, space.centre) for space in spaces if space.kind != "off"}


def _declare(
    figure: Figure, spaces: Sequence[PictureSpace], pieces: _Pieces, faces_of: Faces, *, final: bool = False
) -> Figure:
    """Return a figure with the kinds of its faces, and the shores of land that has several."""
    kinds = {Code(space.code): space.kind for space in spaces}
    if not final:
        kinds |= {own: kinds[code] for own, code in pieces.others.items()}
    faces = set(figure.faces)
    offboard = {code: "no part of the board" for code, kind in kinds.items() if kind == "off" and code in faces}
    if final:
        offboard |= {own: f"a piece of {pieces.others[own]}" for own in sorted(pieces.off) if own in faces}
    closed = {code: "not to be entered" for code, kind in kinds.items() if kind == "impassable" and code in faces}
    figure = replace(
        figure,
        seas=frozenset(code for code, kind in kinds.items() if kind == "sea" and code in faces),
        offboard=offboard,
        impassable=closed,
    )
    answers = {Code(space.code): space for space in spaces}
    through: dict[Code, str] = {}
    marks: list[Mark] = []
    for code, shores in several_shores(figure):
        if code in closed or code not in answers or answers[code].coasts == "one":
            through[code] = "ships pass through it" if code not in closed else "nobody enters it"
        else:
            known = {Coast(coast): faces_of.place(*at) for coast, at in answers[code].shores}
            marks += _marks(figure, code, shores, known)
    return replace(figure, through=through, marks=tuple(marks))


def several_shores(figure: Figure) -> Iterator[tuple[Code, list[tuple[HalfEdge, ...]]]]:
    """Yield the land faces with several unbroken shores, each with them."""
    wet = figure.seas - set(figure.offboard)
    for code, cycles in figure.faces.items():
        if code in figure.seas or code in figure.offboard:
            continue
        shores = [run for cycle in cycles for run in runs(cycle, lambda half: figure.beyond(half) in wet)]
        if len(shores) > 1:
            yield code, shores


def _marks(
    figure: Figure, code: Code, shores: Sequence[tuple[HalfEdge, ...]], known: Mapping[Coast, Point]
) -> Iterator[Mark]:
    """Yield a mark for each shore: the name of the `known` point near it, else one by the compass."""
    lines = [[point for half in shore for point in figure.line(half)] for shore in shores]
    places = [halfway(line) for line in lines]
    named: dict[int, Coast] = {}
    for coast, at in known.items():
        if free := [i for i in range(len(lines)) if i not in named]:
            named[min(free, key=lambda i: min(math.dist(at, point) for point in lines[i]))] = coast
    name_by_compass(places, named)
    for i, place in enumerate(places):
        yield Mark(code, named[i], place, "a shore of its own", kept=True)


def _open_coasts(figure: Figure, spaces: Sequence[PictureSpace]) -> list[str]:
    said = {space.code for space in spaces if space.coasts}
    return sorted({str(mark.space) for mark in figure.marks} - said)


def _missing(board: Board, shown: Board, pieces: _Pieces) -> Iterator[DeclaredContact]:
    """Yield the contacts that further pieces have and the figure does not show."""
    wanted: dict[tuple[str, str], set[str]] = defaultdict(set)

    def base(code: Code) -> Code:
        return pieces.others.get(code, code)

    for code, codes in board.armies.items():
        for other in codes:
            one, two = sorted((base(code), base(other)))
            if one != two and two not in shown.armies.get(one, ()):
                wanted[one, two].add("A")
    known = {frozenset((at.space, to.space)) for at, others in shown.fleets.items() for to in others}
    for at, others in board.fleets.items():
        for to in others:
            ends = sorted((base(at.space), base(to.space)))
            if ends[0] == ends[1] or frozenset(ends) in known:
                continue
            first, second = (_standing(shown, code) for code in ends)
            if first and second:
                wanted[first, second].add("F")
    for pair, units in sorted(wanted.items()):
        yield DeclaredContact(pair, tuple(sorted(units)), str(say("a further piece of it lies there")))


def _standing(board: Board, code: Code | str) -> str:
    """Return where a fleet in a space stands: in it, or on the first of its coasts; '' if none can be in it."""
    space = board.spaces.get(Code(code))
    if space is None or space.impassable:
        return ""
    if Location(Code(code)) in board.fleets and not space.coasts:
        return str(code)
    return f"{code}/{space.coasts[0]}" if space.coasts else ""

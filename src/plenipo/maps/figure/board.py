"""From a figure to a board: contacts, coasts, borders and corners, all read off the drawn faces.

The rules applied here are those of the rulebook, stated for a drawn map:

- an army passes between two land faces with a common border;
- a fleet passes between two seas, or a sea and a land face, with a common border;
- a fleet passes between two land faces with a common border if a sea lies at one of its ends at least;
- a coast is an unbroken run of contacts with seas round a land face, and a face with several runs has several coasts,
  except where ships pass through it (canals and straits, declared `through` in the figure), or nobody enters it;
- a box is a sea, and a fleet passes between it and what it is linked with; only its own list of borders tells of that.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from plenipo.engine.board import NO_COAST, Board, Coast, Code, Corner, Location, Space, Terrain
from plenipo.errors import InvalidFigure
from plenipo.maps.figure.planar import BEYOND, Figure, HalfEdge, Mark
from plenipo.maps.figure.shores import away2, runs

__all__ = ["SpaceText", "board_from"]


@dataclass(frozen=True, slots=True)
class SpaceText:
    """The facts of a space that a drawing cannot hold: its name, whether it is a centre, its other spellings."""

    name: str
    centre: bool = False
    aliases: tuple[str, ...] = ()
    coasts: tuple[tuple[Coast, Coast], ...] = ()
    """Other names of its coasts, each with the coast it means."""
    whole: Code | None = None
    """The province it is a part of, if that was split during play."""
    part: int = 0
    """Its number among the parts of that."""
    joined: tuple[Code, ...] = ()
    """The codes of the spaces that became parts of it during play."""


def board_from(figure: Figure, spaces: Mapping[Code, SpaceText], name: str, *, checked: bool = False) -> Board:
    """Read the board called `name` off a figure.

    `spaces` holds the text of every box and of every face that is not `offboard`. `checked` says that the figure is
    known to be sound.
    Raise InvalidFigure if the figure is unsound, if faces and boxes do not match texts one to one, if a face that can
    be entered has several shores and neither is `through` nor has a mark for each, or if a box is linked with a face of
    several coasts and not with one of them.
    """
    return _Reader(figure if checked else figure.check(), spaces, name).board()


class _Reader:
    """One reading of a figure; holds the shores of every land face while the tables are made."""

    def __init__(self, figure: Figure, spaces: Mapping[Code, SpaceText], name: str) -> None:
        self.figure, self.texts, self.name = figure, spaces, name
        self.codes = [code for code in figure.faces if code not in figure.offboard]
        self.boxes = {box.code: box for box in figure.boxes}
        for kind, codes in (("face", self.codes), ("box", self.boxes)):
            for code in codes:
                if code not in spaces:
                    raise InvalidFigure(f"{kind} {code} of the figure is not a space of {name}")
        for code in spaces:
            if code not in self.codes and code not in self.boxes:
                raise InvalidFigure(f"space {code} of {name} is neither a face nor a box of the figure")
        self.coasts: dict[Code, tuple[Coast, ...]] = {}
        self.coast_of: dict[HalfEdge, Coast] = {}
        for code in self.codes:
            if code not in figure.seas:
                self._find_coasts(code)

    def board(self) -> Board:
        """Return the board."""
        fleets = {pair for pair in self._fleet_pairs() if not {loc.space for loc in pair} & self._closed_spaces}
        spaces = [self._space(code) for code in (*self.codes, *self.boxes)]
        dry = set(self.codes) - self.figure.seas - self._closed_spaces
        armies = {arc.pair for arc in self.figure.arcs if dry.issuperset(arc.pair)}
        board = Board.from_contacts(self.name, spaces, armies, fleets | set(self._links()))
        return replace(
            board,
            fleets={loc: to for loc, to in board.fleets.items() if loc.space not in self._closed_spaces},
            borders={code: self._border(code) for code in self.codes}
            | {code: tuple(link.space for link in box.links) for code, box in self.boxes.items()},
            corners=tuple(sorted(self._corners(), key=str)),
        )

    @property
    def _closed_spaces(self) -> frozenset[Code]:
        return frozenset(self.figure.impassable)

    def _space(self, code: Code) -> Space:
        text = self.texts[code]
        dry = Terrain.COAST if code in self.codes and self._runs(code) else Terrain.INLAND
        terrain = Terrain.SEA if code in self.figure.waters else dry
        coasts = self.coasts.get(code, ())
        other_names = tuple((other, coast) for other, coast in text.coasts if coast in coasts)
        return Space(
            code,
            text.name,
            terrain,
            text.centre,
            code in self._closed_spaces,
            coasts,
            text.aliases,
            coast_aliases=other_names,
            whole=text.whole,
            part=text.part,
            joined=text.joined,
        )

    def _links(self) -> Iterator[tuple[Location, Location]]:
        """Return the contacts of fleets that no border shows."""
        for code, box in self.boxes.items():
            for link in box.links:
                coasts = self.coasts.get(link.space, ()) or (NO_COAST,)
                if link.coast not in coasts:
                    raise InvalidFigure(f"box {code} is linked with {link}; write one of its coasts, as in IRA/SC")
                yield Location(code), link

    # ------------------------------------------------------------------ coasts

    def _is_sea(self, code: Code) -> bool:
        return code in self.figure.seas and code not in self.figure.offboard

    def _runs(self, code: Code) -> list[tuple[HalfEdge, ...]]:
        """Return the unbroken runs of half-edges of a land face with a sea on the other side."""
        return [
            run
            for cycle in self.figure.faces[code]
            for run in runs(cycle, lambda half: self._is_sea(self.figure.beyond(half)))
        ]

    def _find_coasts(self, code: Code) -> None:
        runs = self._runs(code)
        marks = [mark for mark in self.figure.marks if mark.space == code]
        if code in self.figure.through or code in self._closed_spaces or len(runs) < 2:
            if marks and len(runs) < 2:
                raise InvalidFigure(f"face {code} has {len(runs)} shore and needs no mark for its {marks[0].coast}")
            named = [NO_COAST] * len(runs)
        else:
            named = self._name_runs(code, runs, marks)
            self.coasts[code] = tuple(sorted(named))
        for run, coast in zip(runs, named, strict=True):
            self.coast_of.update(dict.fromkeys(run, coast))

    def _name_runs(self, code: Code, runs: list[tuple[HalfEdge, ...]], marks: list[Mark]) -> list[Coast]:
        """Return the name of each run: that of the one mark which lies nearer to it than to any other run."""
        named: dict[int, Coast] = {}
        for mark in marks:
            away = [min(away2(mark.at, self.figure.line(half)) for half in run) for run in runs]
            nearest = away.index(min(away))
            if nearest in named:
                raise InvalidFigure(f"face {code}: one shore is marked both {named[nearest]} and {mark.coast}")
            named[nearest] = mark.coast
        for i, run in enumerate(runs):
            if i not in named:
                raise InvalidFigure(
                    f"face {code} has {len(runs)} shores, and the one from {self.figure.origin(run[0])} to "
                    f"{self.figure.target(run[-1])} has no mark; mark every shore or declare {code} through"
                )
        return [named[i] for i in range(len(runs))]

    # ------------------------------------------------------------------ contacts

    def _fleet_pairs(self) -> Iterator[tuple[Location, Location]]:
        codes, seas = set(self.codes), self.figure.seas
        for half in self.figure.half_edges:
            here, there = self.figure.face(half), self.figure.beyond(half)
            if here > there or here not in codes or there not in codes:
                continue
            if here in seas or there in seas:
                yield self._afloat(half), self._afloat(self.figure.twin(half))
                continue
            for node in {self.figure.origin(half), self.figure.target(half)}:
                for mine in self._coasts_at(node, here):
                    for other in self._coasts_at(node, there):
                        yield Location(here, mine), Location(there, other)

    def _afloat(self, half: HalfEdge) -> Location:
        """Return the location of a fleet in the face of the half-edge and by that border of it."""
        return Location(self.figure.face(half), self.coast_of.get(half, NO_COAST))

    def _coasts_at(self, node: str, code: Code) -> list[Coast]:
        """Return the coasts of a land face that reach a node: those of its half-edges there that lie on a sea."""
        coasts = set()
        for half in self.figure.rotation[node]:
            here = (h for h in (half, self.figure.twin(half)) if self.figure.face(h) == code)
            coasts |= {self.coast_of[h] for h in here if h in self.coast_of}
        return sorted(coasts)

    # ------------------------------------------------------------------ borders and corners

    def _border(self, code: Code) -> tuple[Code | None, ...]:
        """Everything the face touches, clockwise, `None` for the edge; the shores of its islands come last."""
        firsts = [stretch[0] for stretch in self.figure.stretches(code)]
        return tuple(None if self.figure.outside(half) else self.figure.beyond(half) for half in firsts)

    def _corners(self) -> Iterator[Corner]:
        """Yield every point where three or more faces of the board meet and nothing else does."""
        for node, halves in self.figure.rotation.items():
            faces = {self.figure.face(half) for half in halves}
            if len(faces) < 3 or BEYOND in faces or faces & set(self.figure.offboard):
                continue
            touches: dict[Code, set[Coast]] = defaultdict(set)
            for code in faces:
                if code in self.coasts:
                    touches[code].update(self._coasts_at(node, code))
            yield Corner(
                tuple(Location(code, coast) for code in sorted(faces) for coast in sorted(touches[code]) or [NO_COAST])
            )

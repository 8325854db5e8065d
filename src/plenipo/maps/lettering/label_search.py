"""Finding placements: where names, codes, units and centre marks stand on a drawn map.

Each space is settled separately, with the settled spaces near it fixed: candidates for the unit with its
dislodged companion, for the centre mark and for the name are weighed against each other all at once, and the
cheapest combination is taken. Small spaces come first, as they have the least choice.
So a board that changed in play is mended by settling a few spaces anew, see `refit`.

`placements_in` finds them for the figure of a folder, where an optional `placements.toml` holds hints; the same figure
always gives the same placements. `plenipo map place` writes the `placements.json` of a variant with it.
Costs are on one scale: 1 is a matter of taste, 10 is ugly, 100 is forbidden unless nothing else is left.
"""

import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
from shapely import Point as Place

from plenipo.engine.board import Board, Code, Location
from plenipo.errors import InvalidFigure
from plenipo.maps.figure.board import SpaceText, board_from
from plenipo.maps.figure.boxes import Box
from plenipo.maps.figure.figure_files import FIGURE, read_figure
from plenipo.maps.figure.planar import Figure
from plenipo.maps.lettering.candidates import breaks
from plenipo.maps.lettering.footprints import Footprint, disc, footprint_of
from plenipo.maps.lettering.label_grid import LabelGrid, Window
from plenipo.maps.lettering.placements import LabelPlacement, PlacementHints, Placements, hints_from
from plenipo.maps.lettering.small import with_leaders, with_small
from plenipo.maps.lettering.space_search import (
    GAP,
    LARGEST_CODE,
    MARK,
    RADIUS,
    SpacePlacements,
    SpaceSearch,
)
from plenipo.maps.lettering.typeface import LEADING, width_of
from plenipo.user_files import read_text

__all__ = ["find_placements", "placements_in", "refit"]

HINTS = "placements.toml"
"""The file of a folder's hints."""

BOXED = (22.0, 20.0, 18.0, 16.0, 14.0, 12.0)
"""The sizes a name may have in a box, in pixels, the best first."""


def find_placements(figure: Figure, board: Board, hints: PlacementHints | None = None) -> Placements:
    """Placements for everything on a board, found from nothing; takes some seconds on a large board.

    A space that is a corner of the figure has its unit on the corner. In a box the name stands over the unit; a box
    too small for both raises InvalidFigure.
    """
    search = _LabelSearch(LabelGrid(figure, board), hints or PlacementHints())
    search.settle(search.faces)
    search.settle(search.faces)  # once more, now that each knows what the others took
    search.add_codes(search.faces)
    placements = search.placements()
    return with_small(search.ground, with_leaders(search.ground, search.faces - placements.names.keys(), placements))


def refit(
    figure: Figure, board: Board, placements: Placements, changed: Iterable[Code], hints: PlacementHints | None = None
) -> Placements:
    """Return the placements of a changed board: only the `changed` spaces are settled again, all others stay.

    Spaces the board no longer has are dropped. A space that has no placements yet, or whose unit now stands outside its
    face, is settled whether named or not.
    """
    search = _LabelSearch(LabelGrid(figure, board), hints or PlacementHints())
    search.keep(placements, search.faces - set(changed))
    anew = search.faces - search.placed.keys()
    search.settle(anew)
    search.add_codes(anew)
    refitted = search.placements()
    refitted = with_leaders(search.ground, anew - refitted.names.keys(), refitted)
    routes = {
        ends: route
        for ends, route in placements.routes.items()
        if all(refitted.units.get(location) == placements.units.get(location) for location in ends)
    }
    # items in a small picture keep their places too, except for units that have moved
    moved = {loc: at for loc, at in placements.small_units.items() if refitted.units.get(loc) == placements.units[loc]}
    kept = replace(
        refitted,
        routes=routes,
        small_codes=placements.small_codes,
        small_centres=placements.small_centres,
        small_units=moved,
    )
    return with_small(search.ground, kept, anew)


class _LabelSearch:
    """One search: the spaces settled so far, and the ground."""

    def __init__(self, ground: LabelGrid, hints: PlacementHints) -> None:
        self.ground, self.hints = ground, hints
        self.unit, self.mark = round(RADIUS * ground.px), round(MARK * ground.px)
        self.faces = ground.board.spaces.keys() & ground.polygons.keys()
        self.placed: dict[Code, SpacePlacements] = {}
        self.begun: dict[Code, SpaceSearch] = {}

    def settle(self, codes: Collection[Code]) -> None:
        """Find the unit placements, centre mark and name of each, or its code where the name has no room."""
        for code in self._by_size(codes):
            self.placed.pop(code, None)
            settling = self._search_of(code)
            self.placed[code] = settling.best(self._find_taken_area(settling.window, codes=False))

    def add_codes(self, codes: Collection[Code]) -> None:
        """Give each space that has a name its code as well, for small maps; these stand clear of other codes only."""
        for code in self._by_size(codes):
            if self.placed[code].name is not None:
                settling = self._search_of(code)
                self.placed[code] = settling.with_code(
                    self.placed[code], self._find_taken_area(settling.window, codes=True)
                )

    def keep(self, placements: Placements, codes: Collection[Code]) -> None:
        """Take over the placements of some spaces, if they have them all and inside their faces."""
        for code in sorted(codes):
            locations = _locations(self.ground.board, code)
            whole = code in placements.codes and all(
                loc in placements.units and loc in placements.dislodged for loc in locations
            )
            face = self.ground.polygons[code]
            if whole and all(face.contains(Place(placements.units[loc])) for loc in locations):
                self.placed[code] = SpacePlacements(
                    {loc: placements.units[loc] for loc in locations},
                    {loc: placements.dislodged[loc] for loc in locations},
                    placements.centres.get(code),
                    placements.names.get(code),
                    placements.codes[code],
                )

    def placements(self) -> Placements:
        """Return the placements found."""
        placed, corners = sorted(self.placed.items()), self.ground.corners()
        units = {loc: at for _, p in placed for loc, at in p.units.items()}
        dislodged = {loc: at for _, p in placed for loc, at in p.dislodged.items()}
        aside = round(1.5 * self.unit)
        for code in sorted(self.ground.board.spaces.keys() & corners.keys()):
            x, y = corners[code]
            units[Location(code)], dislodged[Location(code)] = (x, y), (x + aside, y + aside)
        for box in self.ground.figure.boxes:
            inside = self._in_box(box)
            placed.append((box.code, inside))
            units |= inside.units
            dislodged |= inside.dislodged
        return Placements(
            names={code: p.name for code, p in placed if p.name},
            codes={code: p.code for code, p in placed if p.code},
            units=units,
            dislodged=dislodged,
            centres={code: p.centre for code, p in placed if p.centre},
            corners=corners,
            unit=self.unit,
            mark=self.mark,
        )

    def _in_box(self, box: Box) -> SpacePlacements:
        """Return the placements of a box: its unit in the middle below, the dislodged to its right, the name above."""
        px, (west, south, east, north) = self.ground.px, box.bounds
        space, gap = self.ground.board.spaces[box.code], 2 * GAP * self.ground.px
        (x, _), y = box.at, round(south + gap + self.unit)
        band = north - (y + self.unit) - gap
        ways = self.hints.lines.get(box.code) or breaks(space.name)
        fits = [
            (size * px, lines)
            for size in BOXED
            for lines in ways
            if max(width_of(line, water=True) for line in lines) * size * px <= east - west - 2 * gap
            and len(lines) * LEADING * size * px <= band
        ]
        if not fits or east - west < 8 * self.unit:
            raise InvalidFigure(f"box {box.code} is too small for its name and a unit; make it larger")
        at = (x, round(north - gap / 2 - band / 2))
        size, lines = fits[0]
        code = min(LARGEST_CODE * px, band)
        return SpacePlacements(
            {Location(box.code): (x, y)},
            {Location(box.code): (round(x + 2.1 * self.unit), y)},
            (round(x - 2.5 * self.unit), y) if space.centre else None,
            LabelPlacement(lines, at, round(size)),
            LabelPlacement((box.code,), at, round(code)),
        )

    def _find_taken_area(self, window: Window, *, codes: bool) -> Footprint:
        """Return the area that other spaces take near a window: tokens and marks, and names or else codes."""
        low, high = (window.spots(np.array([end[0]]), np.array([end[1]]))[0] for end in ((0, 0), window.own.shape))
        parts = [Footprint(boxes=np.array([box.bounds], dtype=float)) for box in self.ground.figure.boxes]
        for code, placed in self.placed.items():
            if code == window.code:
                continue
            parts += [disc(at, self.unit) for at in (*placed.units.values(), *placed.dislodged.values())]
            if placed.centre:
                parts.append(disc(placed.centre, self.mark))
            lettering = placed.code if codes else placed.name or placed.code
            if lettering:
                parts.append(footprint_of(lettering, water=code in self.ground.figure.seas))
        return Footprint.all(parts).within(low, high)

    def _search_of(self, code: Code) -> SpaceSearch:
        """Return the search for the placements of one space; begun once, since its candidates stay the same."""
        if code not in self.begun:
            self.begun[code] = SpaceSearch(self.ground, self.hints, code)
        return self.begun[code]

    def _by_size(self, codes: Collection[Code]) -> list[Code]:
        """Return the smallest face first."""
        return sorted(codes, key=lambda code: (self.ground.polygons[code].area, code))


def _locations(board: Board, code: Code) -> tuple[Location, ...]:
    space = board.spaces[code]
    bare = Location(code)
    return () if space.impassable else tuple(dict.fromkeys((bare, *space.locations)))


# ---------------------------------------------------------------------- the folder of a variant


def placements_in(folder: Path, spaces: Mapping[Code, SpaceText]) -> Placements:
    """Return the placements for the `figure.json` of a folder, whose `spaces` say what the places are called.

    Raise InvalidFigure if spaces or hints do not fit the figure, and OSError or TOMLDecodeError as reading does.
    """
    figure = read_figure(folder / FIGURE)
    hints = folder / HINTS
    table = tomllib.loads(read_text(hints)) if hints.exists() else {}
    return find_placements(figure, board_from(figure, spaces, folder.name), hints_from(table, figure))

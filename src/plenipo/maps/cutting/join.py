"""Joining two touching faces of a figure into one, with its coasts and its text.

The border between the two is removed, and every other border stays where it is, point for point. So the contacts of
all other faces stay as they are, except for the name of the removed one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from plenipo.engine.board import NO_COAST, Coast, Code, Location
from plenipo.errors import InvalidFigure
from plenipo.maps.cutting.cut import named_anew
from plenipo.maps.figure.board import SpaceText
from plenipo.maps.figure.boxes import Box
from plenipo.maps.figure.planar import Figure, HalfEdge, Mark
from plenipo.maps.figure.shores import away2, halfway, name_by_compass, runs

__all__ = ["join_faces", "with_joined"]


def join_faces(figure: Figure, code: Code, into: Code) -> Figure:
    """Return the figure in which the face `code` is a part of the face `into`.

    Shores that run on into each other are one coast. Where several are left, in a face that is not through, each keeps
    the name of a coast that is part of it, one of `into` first; a shore without such a name is named as after a split.
    Raise InvalidFigure if there are no two such faces, if they do not touch, if they are a sea and a land, or if one
    may not be entered.
    """
    for face in (code, into):
        if face not in figure.faces or face in figure.offboard:
            raise InvalidFigure(f"{face} is not a face of {figure.title}, so it becomes one with no other")
        if face in figure.impassable:
            raise InvalidFigure(f"{face} may not be entered; it becomes one with no other")
    if (code in figure.seas) != (into in figure.seas):
        raise InvalidFigure(f"{code} and {into} are a sea and a land; they cannot become one")
    if not figure.between(code, into):
        raise InvalidFigure(f"{code} and {into} do not touch; only neighbours become one")
    pair = tuple(sorted((code, into)))
    arcs = tuple(
        replace(arc, left=into if arc.left == code else arc.left, right=into if arc.right == code else arc.right)
        for arc in figure.arcs
        if arc.pair != pair
    )
    used = {name for arc in arcs for name in (arc.start, arc.end)}
    nodes = {name: at for name, at in figure.nodes.items() if name in used}
    nodes, arcs = named_anew(nodes, arcs, frozenset({code, into}))
    through = dict(figure.through)
    if code in through:
        through.setdefault(into, through[code])
        del through[code]
    merged = replace(
        figure,
        nodes=nodes,
        arcs=arcs,
        seas=figure.seas - {code},
        through=through,
        marks=tuple(mark for mark in figure.marks if mark.space not in (code, into)),
    )
    marks, coast_of = _coasts(figure, merged, code, into)
    return replace(
        merged,
        marks=(*merged.marks, *marks),
        boxes=tuple(_relink_box(box, code, into, coast_of) for box in figure.boxes),
    ).check(figure)


def with_joined(spaces: Mapping[Code, SpaceText], code: Code, into: Code) -> dict[Code, SpaceText]:
    """Return the texts of a board whose space `code` became a part of `into`, as `board_from` wants them.

    It is a centre if either was, and orders may go on calling it by the names of both. Raise InvalidFigure if there
    is no such space.
    """
    for space in (code, into):
        if space not in spaces:
            raise InvalidFigure(f"{space} is not a space of the board, so it becomes one with no other")
    gone, stays = spaces[code], spaces[into]
    whole = replace(
        stays,
        centre=stays.centre or gone.centre,
        aliases=tuple(dict.fromkeys((*stays.aliases, code, gone.name, *gone.aliases))),
        joined=(*stays.joined, *gone.joined, code),
    )
    return {space: whole if space == into else text for space, text in spaces.items() if space != code}


def _coasts(old: Figure, merged: Figure, code: Code, into: Code) -> tuple[tuple[Mark, ...], dict[Location, Coast]]:
    """Return the marks that the face now needs, and the new name of each coast that had a name."""
    before = {Location(mark.space, mark.coast): mark for mark in old.marks if mark.space in (into, code)}
    if into in old.seas:
        return (), {}

    def wet(figure: Figure) -> Iterator[tuple[Code, tuple[HalfEdge, ...]]]:
        for face in (into, code) if figure is old else (into,):
            for cycle in figure.faces[face]:
                shores = runs(cycle, lambda half: figure.beyond(half) in figure.seas - figure.offboard.keys())
                yield from ((face, shore) for shore in shores)

    parts: dict[tuple[HalfEdge, ...], Location] = {}
    for at, mark in before.items():
        own = [shore for face, shore in wet(old) if face == at.space]
        parts[min(own, key=partial(_away, old, mark))] = at
    lines = {old.line(half): at for shore, at in parts.items() for half in shore}
    shores = [shore for _, shore in wet(merged)]
    inside = [
        _sort_coasts({lines[line] for half in shore if (line := merged.line(half)) in lines}, into) for shore in shores
    ]
    if len(shores) < 2 or into in merged.through:
        return (), dict.fromkeys(before, NO_COAST)
    named: dict[int, Coast] = {}
    places = []
    for i, (shore, ats) in enumerate(zip(shores, inside, strict=True)):
        free = [at for at in ats if at.coast not in named.values()]
        if free:
            named[i] = free[0].coast
        points = tuple(point for half in shore for point in merged.line(half))
        places.append(before[free[0]].at if free else halfway(points))
    kept = frozenset(named)
    name_by_compass(places, named)
    marks = (
        Mark(into, coast, places[i], f"a shore of {into} since {code} is part of it", kept=i in kept)
        for i, coast in sorted(named.items())
    )
    return tuple(marks), {at: named[i] for i, ats in enumerate(inside) for at in ats}


def _away(figure: Figure, mark: Mark, shore: tuple[HalfEdge, ...]) -> float:
    return min(away2(mark.at, figure.line(half)) for half in shore)


def _sort_coasts(coasts: set[Location], into: Code) -> list[Location]:
    return sorted(coasts, key=lambda at: (at.space != into, at))


def _relink_box(box: Box, code: Code, into: Code, coast_of: Mapping[Location, Coast]) -> Box:
    """Return a box with its links to either face replaced by links to the new face."""
    links = (
        Location(into, coast_of.get(link, link.coast)) if link.space in (code, into) else link for link in box.links
    )
    return replace(box, links=tuple(dict.fromkeys(links)))

"""Names of faces: every closed walk of a drawn figure gets the one name all its corners and edges share.

An author names corners and edges only, so the name of a face is what the names round it have in common. Where two
names are possible (Portugal lies between corners that all name Spain too) the one that no other face needs is right.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from plenipo.engine.board import Code
from plenipo.errors import InvalidFigure
from plenipo.maps.figure.planar import BEYOND, Figure, HalfEdge, Point, codes_of
from plenipo.maps.figure.segments import area2, contains

__all__ = ["name_faces"]

Cycle = tuple[HalfEdge, ...]


def name_faces(
    blank: Figure,
    side: Callable[[HalfEdge], frozenset[Code]],
    areas: frozenset[Code],
    inside: Mapping[Code, Point],
    codes_at: Callable[[str], Sequence[Code]] = codes_of,
) -> dict[HalfEdge, Code]:
    """Return the face on the right of every half-edge of a figure whose faces are not yet named.

    `side` gives the codes that may lie on the right of a half-edge as far as its own edge can say; `areas` are all
    the names to be used, `inside` points that settle the name of the face round them. `codes_at` gives the codes of
    the faces that may meet at a node.
    Raise InvalidFigure, naming corners, where a face has no name or several, or a name no face or several.
    """
    names: dict[HalfEdge, Code] = {}
    outer: dict[Cycle, set[Code]] = {}
    holes: dict[Cycle, set[Code]] = {}
    for cycle in blank.cycles:
        sides = frozenset.intersection(*(side(half) for half in cycle))
        if sides == {BEYOND}:
            names.update(dict.fromkeys(cycle, BEYOND))
            continue
        shared = set(sides.intersection(*(codes_at(blank.origin(half)) for half in cycle)))
        if not shared:
            raise InvalidFigure(_nameless(blank, cycle, sides))
        (holes if area2(blank.ring(cycle)) > 0 else outer)[cycle] = shared
    rings = {cycle: blank.ring(cycle) for cycle in outer}
    for code, point in inside.items():
        # an island lies within the ring of its sea too, so the smallest ring is the one
        round_it = [cycle for cycle, ring in rings.items() if contains(ring, point)]
        home = min(round_it, key=lambda c: -area2(rings[c]), default=None)
        if home is None or code not in outer[home]:
            raise InvalidFigure(f"inside {code}: the face round it cannot be {code}")
        outer[home] = {code}
    sure_names = _assign_names(blank, outer, areas)
    for cycle, shared in holes.items():
        point = blank.nodes[blank.origin(cycle[0])]
        round_it = [home for home, ring in rings.items() if contains(ring, point)]
        home = min(round_it, key=lambda c: -area2(rings[c]), default=None)
        if home is None or sure_names[home] not in shared:
            raise InvalidFigure(_nameless(blank, cycle, frozenset(shared)))
        sure_names[cycle] = sure_names[home]
    for cycle, code in sure_names.items():
        names.update(dict.fromkeys(cycle, code))
    return names


def _assign_names(blank: Figure, outer: Mapping[Cycle, set[Code]], areas: frozenset[Code]) -> dict[Cycle, Code]:
    """Return one name for each outer cycle: where several are possible, the one that no other face needs."""
    names: dict[Cycle, Code] = {}
    owner: dict[Code, Cycle] = {}
    may = {cycle: set(codes) for cycle, codes in outer.items()}
    while may:
        sure = [cycle for cycle, codes in may.items() if len(codes) == 1]
        if not sure:
            cycle, codes = next(iter(may.items()))
            raise InvalidFigure(
                f"the face round {_corners(blank, cycle)} may be {' or '.join(sorted(codes))}; "
                "name a point in it under 'inside'"
            )
        for cycle in sure:
            (code,) = may.pop(cycle)
            if code in owner:
                raise InvalidFigure(
                    f"face {code} is drawn twice: round {_corners(blank, owner[code])} and round "
                    f"{_corners(blank, cycle)}"
                )
            names[cycle], owner[code] = code, cycle
        for cycle, codes in may.items():
            before = sorted(codes)
            codes -= set(owner)
            if not codes:
                raise InvalidFigure(
                    f"face {before[0]} is drawn twice: the face round {_corners(blank, cycle)} can only be "
                    f"{' or '.join(before)}, as another is already"
                )
    if missing := areas - set(owner):
        raise InvalidFigure(f"face {min(missing)} is missing: no face is left that all its corners lie on")
    return names


def _corners(blank: Figure, cycle: Cycle) -> str:
    return ", ".join(sorted({blank.origin(half) for half in cycle}))


def _nameless(blank: Figure, cycle: Cycle, sides: frozenset[Code]) -> str:
    """Describe a face whose corners share no name: the name that most of them have, and the corners without it."""
    corners: Sequence[str] = sorted({blank.origin(half) for half in cycle})
    held = Counter(code for name in corners for code in codes_of(name) if code != BEYOND)
    code = max(sorted(held), key=lambda c: (held[c], c in sides))
    others = [name for name in corners if code not in codes_of(name)]
    why = f"corner {others[0]} does not" if others else "an edge between them does not"
    return f"the face round {', '.join(corners)} has no name: most of these name {code}, but {why}"

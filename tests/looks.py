"""Measures of a good-looking map, shared by the tests of every map; distances in km."""

from itertools import combinations

from shapely import STRtree
from shapely.geometry import LineString

from plenipo.maps.figure.planar import UNIT, Figure


def short_borders(figure: Figure, shorter_than: float) -> set[tuple[str, str]]:
    """The pairs of areas that share a stretch of border shorter than this."""
    return {
        arc.pair
        for arc, line in zip(figure.arcs, figure.lines, strict=True)
        if LineString(line).length < shorter_than * UNIT
    }


def close_borders(figure: Figure, closer_than: float) -> set[tuple[str, str]]:
    """Stretches of border closer than this to one another that share neither a node nor an area."""
    lines = [LineString(line) for line in figure.lines]
    tree = STRtree(lines)
    near = set()
    for n, (arc, line) in enumerate(zip(figure.arcs, lines, strict=True)):
        for m in tree.query(line, predicate="dwithin", distance=closer_than * UNIT):
            other = figure.arcs[m]
            if m > n and not {arc.start, arc.end} & {other.start, other.end} and not set(arc.pair) & set(other.pair):
                near.add((str(arc), str(other)))
    return near


def close_nodes(figure: Figure, closer_than: float) -> list[tuple[str, str]]:
    """Nodes closer than this to one another."""
    return [
        (a, b)
        for (a, p), (b, q) in combinations(figure.nodes.items(), 2)
        if (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 < (closer_than * UNIT) ** 2
    ]

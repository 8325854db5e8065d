"""Chains of fleets: where an army could be carried, and which fleets could be needed to carry it."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from plenipo.engine.board import Board, Code, Terrain, UnitKind
from plenipo.engine.position import Unit

__all__ = ["chain_exists", "fleets_at_sea", "landings"]


def fleets_at_sea(board: Board, units: Iterable[Unit]) -> frozenset[Code]:
    """The seas in which a fleet stands that may convoy (rulebook, convoy order)."""
    spaces = board.spaces
    return frozenset(
        unit.location.space for unit in units if unit.kind is UnitKind.FLEET and spaces[unit.location.space].carries
    )


@lru_cache(maxsize=65536)
def landings(board: Board, seas: frozenset[Code], start: Code) -> Mapping[Code, frozenset[Code]]:
    """Where an army in `start` could be carried by fleets in `seas`, and by which of them.

    Returns for each destination the seas that lie on some minimal chain, one from which no fleet can be left out
    (DATC 6.G.6, 6.G.7, 6.G.19: a fleet on no such chain cannot help and shows no intent).
    """
    found: dict[Code, set[Code]] = {}
    first = board.waters.get(start, frozenset()) & seas
    if not first or board.spaces[start].terrain is not Terrain.COAST:
        return {}

    def extend(chain: tuple[Code, ...], closed: frozenset[Code], served: frozenset[Code]) -> None:
        # closed: seas that would make the chain longer than need be; served: ports earlier fleets already reach
        last = chain[-1]
        ports = board.ports[last]
        for port in ports - served:
            if port != start:
                found.setdefault(port, set()).update(chain)
        near = board.waters[last] & seas
        for sea in near - closed:
            extend((*chain, sea), closed | near, served | ports)

    for sea in first:
        extend((sea,), first, frozenset())
    return {port: frozenset(chain) for port, chain in found.items()}


@lru_cache(maxsize=65536)
def chain_exists(board: Board, seas: frozenset[Code], start: Code, end: Code) -> bool:
    """Whether fleets in `seas` form a chain from the coast of `start` to the coast of `end`."""
    edge = board.waters[start] & seas
    seen = set(edge)
    goal = board.waters[end]
    while edge:
        if edge & goal:
            return True
        edge = frozenset(to for sea in edge for to in board.waters[sea] & seas if to not in seen)
        seen |= edge
    return False

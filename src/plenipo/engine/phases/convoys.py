"""Chains of fleets: the destinations of a convoyed army, and the fleets that could be needed to convoy it."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

from plenipo.engine.board import Board, Code, Terrain, UnitKind
from plenipo.engine.position import Unit

__all__ = ["chain_exists", "fleets_at_sea", "landings", "list_landings"]

T = TypeVar("T")

REMEMBERED = 65536
"""The greatest number of answers that a board caches for one question."""


def fleets_at_sea(board: Board, units: Iterable[Unit], cargo: UnitKind = UnitKind.ARMY) -> frozenset[Code]:
    """Return the seas in which a fleet may convoy units of the type `cargo` (rulebook, convoy order)."""
    spaces, carriers = board.spaces, board.carriers.get(cargo, ())
    return frozenset(
        unit.location.space for unit in units if unit.kind in carriers and spaces[unit.location.space].carries
    )


def _get_or_compute(board: Board, question: str, about: Hashable, answer: Callable[[], T]) -> T:
    """Return `answer()` from the cache of the board; the cache ends with the board."""
    answers: dict[Hashable, T] = board.answers.setdefault(question, {})
    known = answers.get(about)
    if known is None:
        if len(answers) >= REMEMBERED:
            answers.clear()
        known = answers[about] = answer()
    return known


def landings(board: Board, seas: frozenset[Code], start: Code) -> Mapping[Code, frozenset[Code]]:
    """Return the destinations of an army in `start` convoyed by fleets in `seas`, each with the seas of its chains.

    The seas of a destination are those on some minimal chain, one from which no fleet can be left out
    (DATC 6.G.6, 6.G.7, 6.G.19: a fleet on no such chain cannot help and shows no intent).
    """
    return _get_or_compute(board, "landings", (seas, start), lambda: _landings(board, seas, start))


def list_landings(
    board: Board, seas: frozenset[Code], starts: Iterable[Code]
) -> dict[Code, Mapping[Code, frozenset[Code]]]:
    """Return the `landings` from each of several spaces."""
    return {start: landings(board, seas, start) for start in starts}


def _landings(board: Board, seas: frozenset[Code], start: Code) -> Mapping[Code, frozenset[Code]]:
    chains: dict[Code, set[Code]] = {}
    first = board.waters.get(start, frozenset()) & seas
    if not first or board.spaces[start].terrain is not Terrain.COAST:
        return {}

    def extend(chain: tuple[Code, ...], closed: frozenset[Code], served: frozenset[Code]) -> None:
        # closed: seas that would make the chain longer than need be; served: ports earlier fleets already reach
        last = chain[-1]
        ports = board.ports[last]
        for port in ports - served:
            if port != start and port not in chain:  # an army cannot be convoyed to the place of a fleet of the chain
                chains.setdefault(port, set()).update(chain)
        near = board.waters[last] & seas
        for sea in near - closed:
            extend((*chain, sea), closed | near, served | ports)

    for sea in first:
        extend((sea,), first, frozenset())
    return {port: frozenset(chain) for port, chain in chains.items()}


def chain_exists(board: Board, seas: frozenset[Code], start: Code, end: Code) -> bool:
    """Return whether fleets in `seas` form a chain from the coast of `start` to the coast of `end`."""
    about = (seas, start, end)
    return _get_or_compute(board, "chain exists", about, lambda: _chain_exists(board, *about))


def _chain_exists(board: Board, seas: frozenset[Code], start: Code, end: Code) -> bool:
    edge = board.waters[start] & seas
    seen = set(edge)
    goal = board.waters[end]
    while edge:
        if edge & goal:
            return True
        edge = frozenset(to for sea in edge for to in board.waters[sea] & seas if to not in seen)
        seen |= edge
    return False

"""No mistake of an author, and no damage to a compiled figure, gives a silently wrong board.

Two hundred seeded mistakes are made, one at a time; a quarter of each kind here, all of them in `make proofs`.
Each must be refused with the corner, edge or face named, or give exactly the board of the regular map.
"""

import json
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import pytest

from maps.figures import facts, standard_figure, standard_table, standard_texts
from plenipo.errors import InvalidFigure
from plenipo.maps.authoring.atlas import compile_figure
from plenipo.maps.authoring.authored import read_table
from plenipo.maps.figure.board import board_from
from plenipo.maps.figure.planar import Figure
from proofs import share, so_many

Table = dict[str, Any]
Mistake = Callable[[random.Random, Table], str]
"""Makes one mistake and returns the names it touches."""

NAMED = re.compile(
    r"(corners?|edges?|face|inside|shore from|round|seas|lands|names|coasts?) [#A-Z]{1,3}|"
    r"coast [A-Z]{2} of |land\.\w+ \w"
)


@cache
def regular_facts() -> tuple[object, ...]:
    """Return the facts of the regular board."""
    return facts(board_from(standard_figure(), standard_texts(), "standard"))


def judged(make: Callable[[], Figure]) -> str:
    """`same` if a figure comes out that gives the regular board, else the refusal."""
    try:
        board = board_from(make(), standard_texts(), "standard")
    except InvalidFigure as error:
        return str(error)
    assert facts(board) == regular_facts(), "a wrong board, silently"
    return "same"


def pick(rng: random.Random, names: Iterable[str]) -> str:
    """One of the names, the same on every machine."""
    return rng.choice(sorted(names))


def names(verdict: str, touched: str) -> bool:
    """Tell whether a refusal names a corner, edge or face, and an item that the mistake touched."""
    codes = re.compile("[A-Z]{3}")
    return bool(NAMED.search(verdict)) and bool(set(codes.findall(verdict)) & set(codes.findall(touched)))


# ---------------------------------------------------------------------- mistakes of an author


def corner_moved(rng: random.Random, table: Table) -> str:
    name = pick(rng, table["corners"])
    lon, lat = table["corners"][name]
    km, angle = math.exp(rng.uniform(math.log(20), math.log(250))), rng.uniform(0, 2 * math.pi)
    table["corners"][name] = [
        lon + km * math.cos(angle) / (111 * math.cos(math.radians(lat))),
        lat + km * math.sin(angle) / 111,
    ]
    return name


def corner_names_swapped(rng: random.Random, table: Table) -> str:
    corners: Table = table["corners"]
    a, b = rng.sample(sorted(corners), 2)
    table["corners"][a], table["corners"][b] = table["corners"][b], table["corners"][a]
    return a + b


def neighbouring_corner_names_swapped(rng: random.Random, table: Table) -> str:
    a = pick(rng, table["corners"])
    b = pick(rng, (b for b in table["corners"] if len(set(b.split("/")) & set(a.split("/"))) == 2))
    table["corners"][a], table["corners"][b] = table["corners"][b], table["corners"][a]
    return a + b


def corner_misspelt(rng: random.Random, table: Table) -> str:
    name = pick(rng, table["corners"])
    codes = name.partition(":")[0].split("/")
    wrong = rng.choice(sorted((set(table["seas"]) | set(table["lands"])) - set(codes)))
    if rng.random() < 0.3:
        wrong = codes[-1][:2] + rng.choice("QXZ")
    codes[rng.randrange(len(codes))] = wrong
    table["corners"]["/".join(sorted(codes))] = table["corners"].pop(name)
    return "".join([name, *codes])


def corner_removed(rng: random.Random, table: Table) -> str:
    name = pick(rng, table["corners"])
    del table["corners"][name]
    return name


def edge_removed(rng: random.Random, table: Table) -> str:
    name = pick(rng, table["edges"])
    del table["edges"][name]
    return name


def edge_rerouted(rng: random.Random, table: Table) -> str:
    name = pick(rng, table["edges"])
    far = pick(rng, table["corners"])
    table["edges"][name] = {"via": [table["corners"][far]]}
    return name


def edge_misspelt(rng: random.Random, table: Table) -> str:
    name = pick(rng, table["edges"])
    other = pick(rng, table["lands"])
    table["edges"]["-".join(sorted((name[:3], other)))] = table["edges"].pop(name)
    return name + other


def sea_flag_flipped(rng: random.Random, table: Table) -> str:
    code = pick(rng, table["seas"] + table["lands"])
    a, b = ("seas", "lands") if code in table["seas"] else ("lands", "seas")
    table[a] = [c for c in table[a] if c != code]
    table[b] = [*table[b], code]
    return code


def passage_or_coast_dropped(rng: random.Random, table: Table) -> str:
    key = rng.choice(["through", "coasts"])
    code = pick(rng, table[key])
    del table[key][code]
    return code


def coast_mark_moved(rng: random.Random, table: Table) -> str:
    space = pick(rng, table["coasts"])
    coasts = table["coasts"][space]
    name = pick(rng, set(coasts) - {"reason"})
    coasts[name] = [coasts[name][0] + rng.uniform(-4, 4), coasts[name][1] + rng.uniform(-3, 3)]
    return space


def coast_names_swapped(rng: random.Random, table: Table) -> str:
    space = pick(rng, table["coasts"])
    coasts = table["coasts"][space]
    a, b = sorted(set(coasts) - {"reason"})
    coasts[a], coasts[b] = coasts[b], coasts[a]
    return space


AUTHORED: dict[Mistake, int] = {
    corner_moved: 12,
    corner_names_swapped: 8,
    neighbouring_corner_names_swapped: 5,
    corner_misspelt: 5,
    corner_removed: 5,
    edge_removed: 5,
    edge_rerouted: 6,
    edge_misspelt: 6,
    sea_flag_flipped: 5,
    passage_or_coast_dropped: 5,
    coast_mark_moved: 5,
    coast_names_swapped: 2,
}


@pytest.mark.parametrize("mistake", AUTHORED, ids=[mistake.__name__ for mistake in AUTHORED])
def test_a_mistake_in_the_authored_map_is_refused_or_harmless(mistake: Mistake) -> None:
    rng = random.Random(f"authored {mistake.__name__}")
    for _ in range(so_many(AUTHORED[mistake], 4)):
        table = standard_table()
        touched = mistake(rng, table)
        verdict = judged(lambda table=table: compile_figure(read_table(table)))  # type: ignore[misc] # bound at once
        assert verdict == "same" or names(verdict, touched), verdict


STRAITS = [*sorted(standard_table()["land"]["fill"]), *sorted(standard_table()["land"]["cut"])]


@pytest.mark.parametrize("strait", share(STRAITS, 4))
def test_a_strait_not_filled_or_not_cut_is_refused_or_harmless(strait: str) -> None:
    table = standard_table()
    table["land"]["fill"].pop(strait, None)
    table["land"]["cut"].pop(strait, None)
    verdict = judged(lambda: compile_figure(read_table(table)))
    assert verdict == "same" or NAMED.search(verdict), verdict


# ---------------------------------------------------------------------- damage to a compiled figure


def arc_name(arc: list[Any]) -> str:
    return " ".join(arc[:4])


def node_moved(rng: random.Random, data: Table) -> str:
    name = pick(rng, data["nodes"])
    point = data["nodes"][name]
    far = rng.choice([1, 10, 100, 1000])
    point[:] = [point[0] + rng.randint(-far, far), point[1] + rng.randint(-far, far)]
    return name


def node_renamed(rng: random.Random, data: Table) -> str:
    name = pick(rng, data["nodes"])
    codes = name.partition(":")[0].split("/")
    codes[rng.randrange(len(codes))] = pick(rng, standard_figure().faces)
    new = "/".join(sorted(codes))
    data["nodes"][new] = data["nodes"].pop(name)
    for arc in data["arcs"]:
        arc[2:4] = [new if end == name else end for end in arc[2:4]]
    return name + new


def arc_dropped(rng: random.Random, data: Table) -> str:
    return arc_name(data["arcs"].pop(rng.randrange(len(data["arcs"]))))


def arc_doubled(rng: random.Random, data: Table) -> str:
    arc = rng.choice(data["arcs"])
    data["arcs"].append(arc)
    return arc_name(arc)


def sides_swapped(rng: random.Random, data: Table) -> str:
    arc = rng.choice(data["arcs"])
    arc[0], arc[1] = arc[1], arc[0]
    return arc_name(arc)


def faces_swapped(rng: random.Random, data: Table) -> str:
    a, b = rng.sample(sorted(standard_figure().faces), 2)
    for arc in data["arcs"]:
        arc[:2] = [{a: b, b: a}.get(face, face) for face in arc[:2]]
    return a + b


def face_replaced(rng: random.Random, data: Table) -> str:
    arc = rng.choice(data["arcs"])
    arc[rng.randrange(2)] = pick(rng, standard_figure().faces)
    return arc_name(arc)


def end_moved(rng: random.Random, data: Table) -> str:
    arc = rng.choice(data["arcs"])
    arc[rng.randrange(2, 4)] = pick(rng, data["nodes"])
    return arc_name(arc)


def polyline_cut(rng: random.Random, data: Table) -> str:
    arc = rng.choice([arc for arc in data["arcs"] if len(arc[4]) >= 20])
    steps = arc[4]
    start = 2 * rng.randrange(len(steps) // 2 - 1)
    del steps[start : start + 2 * rng.randint(1, 20)]
    return arc_name(arc)


def polyline_straightened(rng: random.Random, data: Table) -> str:
    arc = rng.choice([arc for arc in data["arcs"] if len(arc[4]) >= 20])
    arc[4] = []
    return arc_name(arc)


def bend_pulled(rng: random.Random, data: Table) -> str:
    arc = rng.choice([arc for arc in data["arcs"] if len(arc[4]) >= 20])
    steps = arc[4]
    at, far = 2 * rng.randrange(len(steps) // 2 - 1), rng.choice([30, 300, 3000])
    for i in (0, 1):
        step = rng.randint(-far, far)
        steps[at + i] += step
        steps[at + 2 + i] -= step
    return arc_name(arc)


COMPILED: dict[Mistake, int] = {
    node_moved: 26,
    node_renamed: 8,
    arc_dropped: 8,
    arc_doubled: 3,
    sides_swapped: 5,
    faces_swapped: 15,
    face_replaced: 7,
    end_moved: 14,
    polyline_cut: 22,
    polyline_straightened: 6,
    bend_pulled: 26,
}


@pytest.mark.parametrize("damage", COMPILED, ids=[damage.__name__ for damage in COMPILED])
def test_damage_to_the_compiled_figure_is_refused_or_harmless(damage: Mistake) -> None:
    rng = random.Random(f"compiled {damage.__name__}")
    text = standard_figure().to_json()
    for _ in range(so_many(COMPILED[damage], 4)):
        data = json.loads(text)
        touched = damage(rng, data)
        verdict = judged(lambda data=data: Figure.from_json(json.dumps(data)))  # type: ignore[misc] # bound at once
        assert verdict == "same" or names(verdict, touched), verdict


def test_there_are_two_hundred_mistakes_and_more() -> None:
    table = standard_table()["land"]
    assert sum((Counter(AUTHORED) + Counter(COMPILED)).values()) + len(table["fill"]) + len(table["cut"]) >= 200

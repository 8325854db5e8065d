"""Draw our own figures as pictures of strangers, import them again, and compare contacts.

`python scripts/picture_proof.py [VARIANT …]` draws every figure of the package without ids: as shapes, as strokes, and
as PNG of 800, 1600 and 3200 pixels with names and units, and as JPEG; and prints how many contacts come back.
"""

import argparse
import io
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

import shapely
from rich.console import Console
from rich.table import Table

from plenipo import library, raster
from plenipo.boards_in import READERS, ImportChoices, ImportedBoard, SourceFiles
from plenipo.boards_in.pictures.answers import PictureAnswers, PowerAnswer, SpaceAnswer, write_answers
from plenipo.boards_in.pictures.boards import several_shores
from plenipo.engine.board import Board, Code
from plenipo.errors import PlenipoError
from plenipo.maps.figure.board import SpaceText, board_from
from plenipo.maps.figure.figure_files import read_figure
from plenipo.maps.figure.planar import Figure

VARIANTS = Path(__file__).parents[1] / "src" / "plenipo" / "variants"
WIDTH = 1600
COLOURS = ("#d86060", "#5070c0", "#60a060", "#e0c040", "#a070b0", "#50a8a8", "#e09050", "#907050", "#c080a0", "#808840")
SEA, LAND, CLOSED = "#a8cce4", "#f0e6cc", "#b8b0a4"
FORMS = ("shapes", "strokes", "png-800", "png-1600", "png-3200", "jpeg-1600")

Contact = tuple[str, str, str]
"""A unit type and two codes in the order of the alphabet."""


@dataclass(frozen=True)
class Original:
    """A figure with its own board, which is the truth about its contacts."""

    figure: Figure
    board: Board
    homes: dict[str, tuple[str, ...]]

    @property
    def scale(self) -> float:
        """Units of the figure per pixel."""
        return (self.figure.frame[2] - self.figure.frame[0]) / WIDTH

    def pixel(self, point: Sequence[float]) -> tuple[float, float]:
        """Return a point of the figure as a point of the picture."""
        west, _, _, north = self.figure.frame
        return round((point[0] - west) / self.scale, 2), round((north - point[1]) / self.scale, 2)

    def area(self, code: Code) -> shapely.Polygon:
        """Return a face as an area of the picture."""
        outer, *holes = ([self.pixel(p) for p in self.figure.ring(cycle)] for cycle in self.figure.faces[code])
        return shapely.Polygon(outer, holes)

    def middle(self, code: Code) -> tuple[float, float]:
        """Return a point well inside of a face."""
        line = shapely.maximum_inscribed_circle(self.area(code).buffer(0), tolerance=1)
        return round(line.coords[0][0], 1), round(line.coords[0][1], 1)


def originals() -> list[str]:
    """Return the names of the variants that have a figure of their own."""
    return sorted(file.parent.name for file in VARIANTS.rglob("figure.json"))


def original(name: str) -> Original:
    """Return the figure of a variant."""
    (file,) = VARIANTS.rglob(f"{name}/figure.json")
    figure = read_figure(file)
    figure = replace(figure, boxes=())
    rules = library.load(name)
    texts = {
        code: SpaceText(rules.board.spaces[code].name, rules.board.spaces[code].centre)
        for code in figure.faces
        if code not in figure.offboard
    }
    if figure.schematic:
        figure = replace(figure, through={code: "a diagram shows no shores" for code, _ in several_shores(figure)})
    board = board_from(figure, texts, name)
    homes = {
        str(power): tuple(sorted(str(code) for code in codes if code in figure.faces))
        for power, codes in rules.opening.homes.items()
    }
    return Original(figure, board, homes)


def draw(truth: Original, form: str) -> str:
    """Return a figure as an SVG of a stranger, without ids: as `shapes` or as `strokes`, with names and centres."""
    height = round((truth.figure.frame[3] - truth.figure.frame[1]) / truth.scale, 1)
    rows = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"><g transform="translate(0,0)">']
    rows += _strokes(truth) if form == "strokes" else _shapes(truth)
    rows += _lettering(truth)
    return "\n".join([*rows, "</g></svg>"])


def _path(points: Sequence[tuple[float, float]], *, closed: bool) -> str:
    return "M" + " L".join(f"{x},{y}" for x, y in points) + ("Z" if closed else "")


def _shapes(truth: Original) -> Iterator[str]:
    owner = {code: COLOURS[i % len(COLOURS)] for i, codes in enumerate(truth.homes.values()) for code in codes}
    for code, cycles in truth.figure.faces.items():
        data = " ".join(_path([truth.pixel(p) for p in truth.figure.ring(cycle)], closed=True) for cycle in cycles)
        fill = SEA if code in truth.figure.seas else owner.get(code, LAND)
        fill = CLOSED if code in truth.figure.offboard or code in truth.figure.impassable else fill
        yield f'<path d="{data}" fill="{fill}" fill-rule="evenodd" stroke="#303030" stroke-width="1.4"/>'


def _strokes(truth: Original) -> Iterator[str]:
    for line in truth.figure.lines:
        data = _path([truth.pixel(p) for p in line], closed=False)
        yield f'<path d="{data}" fill="none" stroke="#303030" stroke-width="1.4"/>'


def _lettering(truth: Original) -> Iterator[str]:
    west, _, east, _ = truth.figure.frame
    size = max(7.0, WIDTH / 180) if east > west else 9.0
    for code, space in truth.board.spaces.items():
        x, y = truth.middle(code)
        yield (
            f'<text x="{x}" y="{y}" font-size="{size:.1f}" text-anchor="middle" fill="#202020">'
            f"{escape(space.name)}</text>"
        )
        if space.centre:
            yield f'<circle cx="{x}" cy="{y + size * 0.8:.1f}" r="3" fill="#ffffff" stroke="#000000"/>'
    for homes in truth.homes.values():
        for home in homes:
            x, y = truth.middle(Code(home))
            yield f'<rect x="{x + 6}" y="{y + 4}" width="12" height="8" fill="#802020" stroke="#000000"/>'


def answers(truth: Original, scale: float = 1.0) -> str:
    """Return the answers that a person would give about a picture: codes, kinds and coasts."""
    spaces = {}
    for code in truth.figure.faces:
        kind = "sea" if code in truth.figure.seas else "land"
        kind = "impassable" if code in truth.figure.impassable else "off" if code in truth.figure.offboard else kind
        space = truth.board.spaces.get(code)
        x, y = truth.middle(code)
        coasts = "one" if code in truth.figure.through else "several" if space and space.coasts else ""
        centre = bool(space and space.centre)
        name = space.name if space else str(code)
        spaces[str(code)] = SpaceAnswer((x * scale, y * scale), name, kind, centre, coasts)
    powers = {name: PowerAnswer(homes, tuple(f"A {code}" for code in homes)) for name, homes in truth.homes.items()}
    return write_answers(PictureAnswers(spaces=spaces, powers=powers))


def render(svg: str, form: str) -> tuple[str, bytes]:
    """Return the name and the content of the file of a form."""
    kind, _, width = form.partition("-")
    if not width:
        return "board.svg", svg.encode()
    data = raster.png(svg, int(width))
    if kind == "jpeg":
        from PIL import Image  # noqa: PLC0415  # an extra

        out = io.BytesIO()
        Image.open(io.BytesIO(data)).convert("RGB").save(out, "JPEG", quality=60)
        return "board.jpg", out.getvalue()
    return "board.png", data


def import_again(name: str, content: bytes, kept: str = "") -> ImportedBoard:
    """Return the board that is read from a picture."""
    files = SourceFiles({name: len(content)}, lambda _: content, name)
    reader, key = next((reader, key) for reader in READERS.values() for key in reader.find(files))
    read = reader.read_chosen
    return reader.read(files, key) if read is None else read(files, key, ImportChoices(answers=kept))


def contacts_of(board: Board) -> set[Contact]:
    """Return the contacts of a board, coasts not told apart."""
    found = {("A", *sorted((str(a), str(b)))) for a, others in board.armies.items() for b in others}
    found |= {("F", *sorted((str(a.space), str(b.space)))) for a, others in board.fleets.items() for b in others}
    return {(kind, a, b) for kind, a, b in found if a != b}


def contacts_read(board: ImportedBoard) -> set[Contact]:
    """Return the contacts of an import, with those that are declared, coasts not told apart."""
    found = {("A", *sorted((a.space, b.space))) for a, b in board.armies}
    found |= {("F", *sorted((a.space, b.space))) for a, b in board.fleets}
    for contact in board.declared:
        pair = sorted(text.partition("/")[0] for text in contact.between)
        found |= {(kind, pair[0], pair[1]) for kind in contact.units}
    return {(kind, a, b) for kind, a, b in found if a != b}


def agreement(wanted: set[Contact], read: set[Contact]) -> float:
    """Return the share of the contacts in either set that are in both."""
    return len(wanted & read) / max(len(wanted | read), 1)


def main() -> None:
    """Print a table of all figures and forms."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variants", nargs="*", default=originals())
    parser.add_argument("--form", action="append", choices=FORMS)
    parser.add_argument("--keep", type=Path, help="write the pictures into this folder")
    options = parser.parse_args()
    table = Table("Figure", "Form", "Spaces", "Contacts", "Agreement", "Seconds", "Missing or too many", box=None)
    for name in options.variants:
        truth = original(name)
        for form in options.form or FORMS:
            file, content = render(draw(truth, form), form)
            if options.keep:
                (options.keep / f"{name}-{form}-{file}").write_bytes(content)
            width = form.partition("-")[2]
            began = time.perf_counter()
            try:
                board = import_again(file, content, answers(truth, int(width or WIDTH) / WIDTH))
            except PlenipoError as fault:
                table.add_row(name, form, "", "", "refused", "", str(fault))
                continue
            wanted, read = contacts_of(truth.board), contacts_read(board)
            wrong = [f"-{'/'.join(c)}" for c in sorted(wanted - read)] + [
                f"+{'/'.join(c)}" for c in sorted(read - wanted)
            ]
            share = f"{100 * agreement(wanted, read):.1f} %"
            took = f"{time.perf_counter() - began:.1f}"
            table.add_row(name, form, str(len(board.spaces)), str(len(wanted)), share, took, json.dumps(wrong[:8]))
    Console(width=200).print(table)


if __name__ == "__main__":
    main()

"""Charts: everything needed to draw a variant, read from its folder; below the I/O line.

A chart is the figure, the seats on it and the look that go with the board of some rules.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from plenipo import library
from plenipo.engine.board import Board, Code
from plenipo.engine.orders import Order
from plenipo.engine.outcome import Resolution
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant, PlenipoError
from plenipo.maps.draw import Scene, Theme, draw
from plenipo.maps.planar import Figure
from plenipo.maps.seats import Seats

__all__ = ["Chart", "Scene", "Theme", "chart", "chart_of"]


@dataclass(frozen=True, eq=False)
class Chart:
    """A variant's map, ready to draw on.

    `follows` names, for a province without a centre, the centre whose owner's colour it wears.
    """

    title: str
    board: Board
    powers: tuple[Power, ...]
    opening: Position
    figure: Figure
    seats: Seats
    follows: Mapping[Code, Code] = field(default_factory=dict)

    def lands(self, position: Position) -> dict[Code, Power]:
        """Whose colour each province without a centre wears in a position."""
        return {code: position.owners[centre] for code, centre in self.follows.items() if centre in position.owners}

    def scene(
        self,
        position: Position | None = None,
        resolution: Resolution | None = None,
        orders: tuple[Order, ...] = (),
        *,
        labels: str = "names",
        corners: bool = False,
        legend: bool = True,
        marks: Mapping[Code, str] | None = None,
        focus: tuple[Code, ...] = (),
        prefix: str = "",
    ) -> Scene:
        """A scene on this chart: of a position, or of what a resolution made of the one before it, or of the opening.

        The arguments are those of `Scene`, which they become.
        """
        corners = corners or any(str(corner) in self.board.spaces for corner in self.board.corners)
        position = position or (resolution.before if resolution else self.opening)
        return Scene(
            position,
            resolution,
            orders,
            title=f"{self.title}, {position.phase}",
            labels=labels,
            corners=corners,
            legend=legend,
            marks=marks or {},
            lands=self.lands(position),
            powers=self.powers,
            focus=focus,
            prefix=prefix,
        )

    def draw(self, scene: Scene | None = None, theme: Theme | str = "light") -> str:
        """The scene, or the opening, as SVG; raises as `plenipo.maps.draw.draw` and `Theme.named` do."""
        theme = Theme.named(theme) if isinstance(theme, str) else theme
        return draw(self.figure, self.board, self.seats, scene or self.scene(), theme)


def chart(name_or_path: str | Path, options: Mapping[str, str] | None = None) -> Chart:
    """The chart of a variant, by its name or the path of its folder; the same value for the same call.

    Raises as `library.load` does, and `InvalidVariant` if the folder has no seats that fit its figure.
    """
    return chart_of(library.load(name_or_path, options), library.read(name_or_path).figure)


@lru_cache(maxsize=64)
def chart_of(rules: Rules, file: Path) -> Chart:
    """The chart for rules whose compiled figure is `file`; raises `InvalidVariant` as `chart` does.

    The seats, and a look if there is one, lie beside the figure.
    """
    folder, seats, look = file.parent, file.with_name("seats.json"), file.with_name("look.toml")
    try:
        figure = Figure.from_json(file.read_text(encoding="utf-8"))
        found = Seats.from_json(seats.read_text(encoding="utf-8"))
    except FileNotFoundError as fault:
        raise InvalidVariant(f"{folder}: the map cannot be drawn without {Path(fault.filename).name}.") from fault
    except (PlenipoError, UnicodeDecodeError) as fault:
        raise InvalidVariant(f"{folder}: {fault}") from fault
    follows = _follows(look, rules.board) if look.is_file() else {}
    if any(str(corner) in rules.board.spaces for corner in rules.board.corners):
        found = found.with_corners()
    return Chart(rules.title, rules.board, rules.names, rules.opening, figure, found, follows)


def _follows(file: Path, board: Board) -> dict[Code, Code]:
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8")).get("follows", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise InvalidVariant(f"{file}: this is not TOML: {fault}.") from fault
    for code, centre in table.items():
        if code not in board.spaces or centre not in board.centres:
            wrong = centre if code in board.spaces else code
            raise InvalidVariant(f"{file}: 'follows.{code}' names {wrong!r}; a province follows a supply centre.")
    return {Code(code): Code(centre) for code, centre in table.items()}

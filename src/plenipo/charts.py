"""Charts: everything needed to draw a variant, read from its folder; below the I/O line.

A chart is the figure, the placements on it and the look that go with the board of some rules.
"""

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from plenipo import extras, library
from plenipo.engine.board import Board, Code
from plenipo.engine.facts import Crossing
from plenipo.engine.hooks import RuleModule
from plenipo.engine.orders import Order
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases import victory
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import ENGLISH, TargetLanguage
from plenipo.errors import PlenipoError
from plenipo.library.boards import BOARDS
from plenipo.library.mistakes import FaultyFile, Mistake
from plenipo.maps.cutting.changed_figures import ChangedFigures
from plenipo.maps.draw import OrderLayers, PictureLayers, Scene, Theme, draw, order_layers, sheets
from plenipo.maps.figure.contacts import ListedBoards
from plenipo.maps.figure.figure_files import read_figure
from plenipo.maps.figure.planar import Figure, Point
from plenipo.maps.files import LOOK, look_from, placements_beside
from plenipo.maps.lettering.changed_placements import ChangedPlacements
from plenipo.maps.lettering.placements import Placements
from plenipo.user_files import read_text

__all__ = ["Chart", "PictureLayers", "Scene", "Theme", "chart", "chart_of"]

APART = "\0"
"""The separator of figure and placements in a cached text."""

LAYOUT = "layout 2"
"""The name under which laid out boards are cached; another one for another way of laying out."""


@dataclass(frozen=True, eq=False)
class Chart:
    """A variant's map, ready to draw on.

    `follows` names, for a province without a centre, the centre whose owner's colour it wears. `crossings` are the
    pairs of ways that cross by the rules in play.
    """

    title: str
    board: Board
    powers: tuple[Power, ...]
    opening: Position
    figure: Figure
    placements: Placements
    follows: Mapping[Code, Code] = field(default_factory=dict)
    crossings: tuple[Crossing, ...] = ()
    beside: Mapping[Code, Point] = field(default_factory=dict)
    """Places beside the board that have marks, such as a waiting box."""
    rules: Rules | None = None
    """The rules of the chart; without them it draws one board and no marks of rule modules."""
    changed_placements: ChangedPlacements | None = None
    """The search for placements on a changed board."""

    def at(self, position: Position) -> "Chart":
        """Return the chart of the board of `position`; this one if the board has not changed."""
        if not position.changes or self.rules is None:
            return self
        board = self.rules.board_at(position)
        if board is self.board:
            return self
        if self.changed_placements is None:
            return replace(self, board=board, placements=self._place_founded_centres(board))
        return replace(
            self,
            board=board,
            figure=self.changed_placements.figures.figure(position.changes),
            placements=self.changed_placements.placements(position.changes),
            follows=_follow_splits(self.follows, board),
        )

    def _place_founded_centres(self, board: Board) -> Placements:
        """Return the placements with marks of the centres that were founded on a board given by its contacts."""
        missing = tuple(sorted(board.centres - self.placements.centres.keys()))
        if not missing:
            return self.placements
        known = board.answers.setdefault("placements", {})
        if missing not in known:
            with extras.require("maps", "A board that changed"):
                from plenipo.maps.lettering.label_search import refit  # noqa: PLC0415  # brings numpy and shapely

            known[missing] = refit(self.figure, board, self.placements, missing)
        placements: Placements = known[missing]
        return placements

    def marks(self, position: Position) -> dict[Code, str]:
        """Return the marks of the rule modules in each space, as in `Scene.marks`."""
        words_of: dict[Code, list[str]] = {}
        if self.rules is not None:
            for module in self.rules.overriding[RuleModule.marks]:
                for code, words in module.marks(self.rules, position).items():
                    words_of.setdefault(code, []).extend(words)
        return {code: ", ".join(words) for code, words in words_of.items()}

    def lands(self, position: Position) -> dict[Code, Power]:
        """Return the power whose colour each province without a centre has in a position."""
        return {code: position.owners[centre] for code, centre in self.follows.items() if centre in position.owners}

    def homes(self, position: Position) -> dict[Code, Power]:
        """Return the power whose home land each province is: home centres and the provinces that follow them."""
        centres = {code: power for power, codes in position.homes.items() for code in codes}
        return {code: centres[centre] for code, centre in self.follows.items() if centre in centres} | centres

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
        title: str = "",
        caption: str = "",
        shape: str = "map",
        motion: bool = False,
        language: TargetLanguage = ENGLISH,
    ) -> Scene:
        """Return a scene on this chart: of a position, or of a resolution, or of the opening.

        The arguments are those of `Scene`, which they become.
        """
        position = position or (resolution.before if resolution else self.opening)
        here = self.at(position)
        corners = corners or any(space.corner for space in here.board.spaces.values())
        score = None if self.rules is None else victory.score(self.rules, position)
        counted = f" · {language.name(f'{score.noun}s')}" if score and score.noun != victory.CENTRE else ""
        return Scene(
            position,
            resolution,
            orders,
            title=title or f"{self.title}, {language.render(position.phase.as_sentence())}{counted}",
            caption=caption,
            shape=shape,
            motion=motion,
            labels=labels,
            corners=corners,
            legend=legend,
            counts=score.counts if counted and score else None,
            marks={**self.marks(position), **(marks or {})},
            lands=here.lands(position),
            homes=here.homes(position),
            powers=self.powers,
            like={info.name: info.like for info in self.rules.powers if info.like} if self.rules else {},
            focus=focus,
            crossings=self.crossings,
            place_rules=self.rules.place_rules if self.rules else (),
            prefix=prefix,
            beside=self.beside,
            language=language,
        )

    def draw(self, scene: Scene | None = None, theme: Theme | str = "light") -> str:
        """Return the scene, or the opening, as SVG, on the board of its position.

        Raises as `plenipo.maps.draw.draw` and `Theme.named` do.
        """
        theme = Theme.from_name(theme) if isinstance(theme, str) else theme
        scene = scene or self.scene()
        here = self.at(scene.position)
        return draw(here.figure, here.board, here.placements, scene, theme)

    def sheets(self, scene: Scene, theme: Theme | str = "light") -> PictureLayers:
        """Return the scene's picture in layers that lie one on the other; raise the errors of `draw`."""
        here, theme = self.at(scene.position), Theme.from_name(theme) if isinstance(theme, str) else theme
        return sheets(here.figure, here.board, here.placements, scene, theme)

    def order_layers_at(self, position: Position, orders: tuple[Order, ...], *, prefix: str = "") -> OrderLayers:
        """Return the layers of orders in a position; nothing is computed of the scene that no order shows."""
        here = self.at(position)
        scene = Scene(position, orders=orders, powers=self.powers, prefix=prefix)
        return order_layers(here.figure, here.board, here.placements, scene)

    def order_layers(self, scene: Scene) -> OrderLayers:
        """Return the layers of the scene's orders alone, as `draw` would put them into its picture."""
        here = self.at(scene.position)
        return order_layers(here.figure, here.board, here.placements, scene)


def chart(name_or_path: str | Path, options: Mapping[str, str] | None = None) -> Chart:
    """Return the chart of a variant, by its name or the path of its folder; the same value for the same call.

    Raises as `library.load` does, and `InvalidVariant` if the folder has no placements that fit its figure.
    """
    return chart_of(library.load(name_or_path, options), library.read(name_or_path).figure)


@lru_cache(maxsize=64)
def chart_of(rules: Rules, file: Path, _version: tuple[int, ...] = ()) -> Chart:
    """Return the chart for rules whose compiled figure is `file`; raise `InvalidVariant` as `chart` does.

    The placements, and a look if there is one, lie beside the figure. Files that may change have a version, so that
    they are read again.
    """
    look, figures = file.with_name(LOOK), rules.changed_boards
    figure, placements = _laid_out(figures, file) if isinstance(figures, ListedBoards) else _read_figure(file)
    with _blaming(look):
        look_text = read_text(look) if look.exists() else ""
        added = look_from(tomllib.loads(look_text), rules.board, inherited=rules.variant != file.parent.name)
    if any(space.corner for space in rules.board.spaces.values()):
        placements = placements.with_corners()
    crossings = rules.facts.all(Crossing)
    changed_placements = ChangedPlacements(figures, placements) if isinstance(figures, ChangedFigures) else None
    return Chart(
        rules.title,
        rules.board,
        rules.names,
        rules.opening,
        figure,
        placements,
        added.follows,
        crossings,
        added.beside,
        rules,
        changed_placements,
    )


def _read_figure(file: Path) -> tuple[Figure, Placements]:
    """Return the figure in a file and the placements beside it; raise the errors of reading them."""
    with _blaming(file):
        figure = read_figure(file)
    beside = placements_beside(file)
    with _blaming(beside):
        return figure, Placements.from_json(read_text(beside))


@contextmanager
def _blaming(file: Path) -> Iterator[None]:
    """Raise `FaultyFile` for any error while a file of a map is read."""
    try:
        yield
    except FileNotFoundError as fault:
        raise FaultyFile(Mistake(file, 0, f"the map cannot be drawn without {file.name}.")) from fault
    except tomllib.TOMLDecodeError as fault:
        raise FaultyFile(Mistake(file, 0, f"this is not TOML: {fault}.")) from fault
    except (PlenipoError, UnicodeDecodeError) as fault:
        raise FaultyFile(Mistake(file, 0, str(fault))) from fault


def _laid_out(boards: ListedBoards, file: Path) -> tuple[Figure, Placements]:
    """Return the figure that a board given by its contacts is laid out as, with placements.

    That takes some seconds, so what was laid out for the same board is taken from beside the contacts, or from where
    boards are kept.
    """
    stored = file.with_name("figure.json")
    if stored.is_file():
        figure, placements = _read_figure(stored)
        if figure.source.get("contacts") == boards.word:
            return figure, placements
    text = BOARDS.read(f"{LAYOUT} {boards.word}")
    if text is not None:
        first, _, second = text.partition(APART)
        return Figure.from_json(first).taken_as_proved(), Placements.from_json(second)
    with extras.require("maps", "Drawing a board that is given by its contacts"):
        from plenipo.maps.authoring.layout import laid_out  # noqa: PLC0415  # brings networkx, numpy and shapely
        from plenipo.maps.lettering.label_search import find_placements  # noqa: PLC0415  # likewise

    figure = replace(laid_out(boards.board(()), boards.seats), source={"contacts": boards.word})
    placements = find_placements(figure, boards.board(()))
    BOARDS.keep(f"{LAYOUT} {boards.word}", lambda: f"{figure.to_json()}{APART}{placements.to_json()}")
    return figure, placements


def _follow_splits(follows: Mapping[Code, Code], board: Board) -> dict[Code, Code]:
    """Map spaces to the centre they follow on a board with splits; parts follow the first part of a split centre."""
    divided: dict[Code, Code] = {}
    for code, centre in follows.items():
        now = board.became(centre)
        towns = sorted(other for other in board.centres if board.spaces[other].province == now)
        if towns:
            divided |= dict.fromkeys(
                (other for other, space in board.spaces.items() if space.province == code), towns[0]
            )
    return divided

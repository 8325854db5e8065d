"""The neutral values of an imported board: what every reader yields, whatever the format it reads."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from plenipo.boards_in.source_files import SourceFiles
from plenipo.engine.sentences import Sentence
from plenipo.maps.figure.planar import Figure

__all__ = [
    "BoardFormat",
    "BoardSource",
    "BoardSpot",
    "DeclaredContact",
    "ImportChoices",
    "ImportedBoard",
    "ImportedPower",
    "ImportedSpace",
    "OpenQuestion",
    "Steps",
]


class BoardSpot(NamedTuple):
    """A space by its code, and a coast of it, empty for none."""

    space: str
    coast: str = ""

    def __str__(self) -> str:
        return f"{self.space}/{self.coast}" if self.coast else self.space


Steps = frozenset[tuple[BoardSpot, BoardSpot]]
"""Steps of a unit type, from and to; a contact that goes both ways is there twice."""


@dataclass(frozen=True, slots=True)
class ImportedSpace:
    """A space; `kind` is inland, coast or sea, `at` a place in the picture of the source, x east and y north."""

    code: str
    name: str
    kind: str
    centre: bool = False
    coasts: tuple[str, ...] = ()
    impassable: bool = False
    aliases: tuple[str, ...] = ()
    at: tuple[float, float] | None = None
    port: bool = False
    """True for land in which a fleet convoys."""


@dataclass(frozen=True, slots=True)
class ImportedPower:
    """A power with its opening: units as `F STP/SC`, home centres, and the centres it owns if these are others."""

    name: str
    adjective: str = ""
    units: tuple[str, ...] = ()
    homes: tuple[str, ...] = ()
    owned: tuple[str, ...] | None = None
    played: bool = True


@dataclass(frozen=True, slots=True)
class DeclaredContact:
    """A contact that a figure does not show, or with `drop` one that it shows and that is none; both ways."""

    between: tuple[str, str]
    units: tuple[str, ...]
    reason: str
    drop: bool = False


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that a picture leaves open: about a space, the key of its answer, and the answers there are."""

    sentence: Sentence
    space: str
    key: str
    choices: tuple[str, ...]
    proposal: str


@dataclass(frozen=True, slots=True)
class ImportChoices:
    """The choices of a user for an import: layers, answers of an earlier import as text, and a list of contacts."""

    areas: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    answers: str = ""
    listed: "ImportedBoard | None" = None


@dataclass(frozen=True, slots=True)
class BoardSource:
    """The source of a board: the project, the file in it, and author and licence as found there."""

    project: str
    file: str
    author: str = ""
    licence: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class ImportedBoard:
    """A board with its opening, and the sentences about what was left out and why."""

    name: str
    title: str
    origin: BoardSource
    spaces: Mapping[str, ImportedSpace]
    armies: Steps
    fleets: Steps
    powers: tuple[ImportedPower, ...]
    year: int = 1901
    victory: int = 0
    """The number of centres that wins; 0 for more than half of them."""
    build: str = "home"
    """The sites of builds: `home` centres, or in any `owned` one."""
    first_phase: tuple[str, str] = ("Spring", "movement")
    neutral_units: tuple[str, ...] = ()
    left_out: tuple[Sentence, ...] = ()
    figure: Figure | None = None
    """The drawn board, if the source is a picture; then the contacts are those of the figure, and these:"""
    declared: tuple[DeclaredContact, ...] = ()
    notes: tuple[Sentence, ...] = ()
    """Sentences about how the picture was read."""
    questions: tuple[OpenQuestion, ...] = ()
    answers: str = ""
    """The text of the answers that are kept beside the board."""

    @property
    def centres(self) -> tuple[str, ...]:
        """The codes of the supply centres."""
        return tuple(code for code, space in self.spaces.items() if space.centre)


@dataclass(frozen=True, slots=True)
class BoardFormat:
    """A format of boards.

    `find` returns the keys of the boards that it sees in some files, `read` returns the board of a key and raises
    `InvalidBoardFile`.
    """

    name: str
    title: str
    find: Callable[[SourceFiles], Iterable[str]]
    read: Callable[[SourceFiles, str], ImportedBoard]
    read_chosen: Callable[[SourceFiles, str, ImportChoices], ImportedBoard] | None = None
    """The same for a format that leaves choices to the user."""

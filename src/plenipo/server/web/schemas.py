"""What may be sent to the JSON interface, and what it answers: the words of the OpenAPI document.

What is sent is checked against these; what is answered is made in `present` and only described here, and the tests
hold the two together.
"""

from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

__all__ = [
    "Adjudicate",
    "Board",
    "Completions",
    "DrawGame",
    "Failure",
    "Fork",
    "GiveOrders",
    "History",
    "NewGameBody",
    "OpenedGame",
    "Options",
    "PhaseBody",
    "Position",
    "ProcessedGame",
    "PutOrders",
    "Ready",
    "Share",
    "Shared",
    "SheetAnswer",
    "Turn",
    "Variant",
    "Variants",
    "View",
    "ViewAnswer",
    "Why",
]

Text = Annotated[str, Field(max_length=1100)]
Short = Annotated[str, Field(max_length=200)]
PhaseNumber = Annotated[
    int,
    Field(
        ge=0,
        le=2**31 - 1,
        description="The number of the phase this is meant for.",
        validation_alias=AliasChoices("phase_number", "stage"),
    ),
]
Orders = Annotated[list[Text], Field(max_length=400)]
Seat = Annotated[str, Field(max_length=200, description="The power whose sheet it is.")]
Client = Annotated[str, Field(max_length=100, description="Any word by which a window knows its own changes again.")]


class _In(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Out(BaseModel):
    model_config = ConfigDict(extra="forbid")


# What is sent


class NewGameBody(_In):
    """A game to be opened."""

    variant: Short
    options: Annotated[dict[Short, Short], Field(max_length=200)] = {}
    computers: (
        Literal["none", "others"]
        | Annotated[list[Short], Field(max_length=100)]
        | Annotated[dict[Short, Short], Field(max_length=100)]
    ) = "none"
    power: Short | None = None
    seating: Literal["hotseat", "links"] = "hotseat"
    name: Annotated[str, Field(max_length=100)] = ""
    position: Annotated[str, Field(max_length=50_000)] | None = None


class GiveOrders(_In):
    """Orders to add to a sheet, and others to take back first."""

    phase_number: PhaseNumber
    seat: Seat
    give: Orders = []
    clear: Orders = []
    promises: Orders | None = None
    ready: bool | None = None
    client: Client = ""


class PutOrders(_In):
    """A whole sheet in place of the one there is."""

    phase_number: PhaseNumber
    seat: Seat
    orders: Orders
    promises: Orders | None = None
    ready: bool | None = None
    base: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    client: Client = ""


class Ready(_In):
    """Whether a sheet is final."""

    phase_number: PhaseNumber
    seat: Seat
    ready: bool
    client: Client = ""


class PhaseBody(_In):
    """The phase that is meant."""

    phase_number: PhaseNumber


class DrawGame(_In):
    """The end of a game by agreement; `powers` left out means all who are left."""

    phase_number: PhaseNumber
    powers: Annotated[list[Short], Field(max_length=100)] | None = None


class Fork(_In):
    """Where a what-if begins: after so many turns; left out means now."""

    turn: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None


class Share(_In):
    """Which moment is shared: after so many turns; left out means now."""

    turn: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None


class Adjudicate(BaseModel):
    """A position with orders, as `plenipo adjudicate` reads it; see `docs/command-line.md`."""

    model_config = ConfigDict(extra="allow")

    variant: str
    phase: str
    units: dict[str, Any]


# What is answered


class Fault(_Out):
    """Why something is refused, in one sentence, with a stable word for programs."""

    status: int
    code: str
    message: str
    piece: str = ""
    suggestions: list[str] = []
    index: int | None = None


class Failure(_Out):
    """The answer to what is refused."""

    error: Fault


class Phase(_Out):
    """A phase."""

    text: str
    code: str
    season: str
    year: int
    kind: str


class Unit(_Out):
    """A unit."""

    text: str
    power: str
    kind: str
    space: str
    coast: str


class DislodgedUnit(Unit):
    """A unit that must retreat."""

    by: Unit | None
    retreats: list[str]


class Power(_Out):
    """A power of a variant."""

    name: str
    slug: str
    adjective: str
    tag: str
    played: bool


class Seated(Power):
    """A power in a game."""

    by: Literal["person", "computer", "nobody"]
    computer: str | None
    centres: int
    units: int
    score: int
    status: Literal["waiting", "given", "ready", "nothing", "out"]
    due: int
    sites: list[str]
    todo: str


class Option(_Out):
    """An option of a variant."""

    name: str
    default: str
    choices: str


class Variant(_Out):
    """A variant."""

    name: str
    title: str
    summary: str
    powers: list[Power]
    centres: int
    to_win: int
    counted: str
    first: Phase
    options: list[Option]
    features: list[str]
    picture: str


class Variants(_Out):
    """All variants."""

    variants: list[Variant]


class Position(_Out):
    """What stands on the board."""

    units: list[Unit]
    dislodged: list[DislodgedUnit]
    contested: list[str]
    centres: dict[str, list[str]]
    homes: dict[str, list[str]]
    marks: dict[str, str]


class GivenOrder(_Out):
    """An order of a sheet."""

    text: str
    unit: str
    space: str


class Arrows(_Out):
    """The orders as SVG groups of a bare picture."""

    orders: str
    signs: str


class Slip(_Out):
    """A slip in a hat, or who gets a card: what is entered for it, and its name."""

    text: str
    name: str


class Due(_Out):
    """The draw the game master must make next: one of the slips, or those who got so many of the highest cards."""

    label: str
    cards: int
    slips: list[Slip]


class EnteredDraw(_Out):
    """A draw the game master has entered; it counts unless it was not asked for, or not yet, or cannot be."""

    text: str
    label: str
    result: str
    name: str
    counts: bool


class Doubt(_Out):
    """What is doubtful in the orders of a seat, though they are legal: which orders, and a sentence."""

    kind: str
    orders: list[str]
    text: str


class Drawing(_Out):
    """How far the game master is with the draws of a phase; `fault` says why what he entered cannot stand."""

    entered: list[EnteredDraw]
    due: Due | None
    fault: str


class Sheet(_Out):
    """The orders of a seat for the open phase; `drawing` is for the game master who draws from a real hat."""

    power: str
    phase_number: int
    version: int
    ready: bool
    orders: list[GivenOrder]
    promises: list[str]
    missing: list[str]
    left: str
    doubts: list[Doubt]
    arrows: Arrows
    drawing: Drawing | None


class Outcome(_Out):
    """What came of an order."""

    power: str
    unit: Unit | None
    order: str | None
    result: str
    reason: str
    good: bool
    why: str
    strength: int | None
    against: int | None
    scale: int
    helpers: list[str]
    against_helpers: list[str]
    by: list[Unit]
    place: str | None
    dislodged_by: Unit | None
    retreats: list[str]


class Draw(_Out):
    """Something drawn."""

    label: str
    slips: list[str]
    result: str
    entered: bool
    cards: dict[str, str]


class Concern(_Out):
    """Something in a turn that matters to a power: `gained`, `lost`, `dislodged` …, and a sentence."""

    kind: str
    text: str


class Turn(_Out):
    """A turn that was played."""

    turn: int
    phase: Phase
    summary: list[str] = Field(description="the phase in a few sentences that name everything")
    concerns: dict[str, list[Concern]] = Field(description="what matters to each power")
    outcomes: list[Outcome]
    notes: list[str]
    errors: list[str]
    draws: list[Draw]
    orders: dict[str, list[str]]
    before: Position
    after: Position
    score: dict[str, int]


class Viewer(_Out):
    """Whose eyes see the game."""

    seat: str | None
    seats: list[str]
    all_seats: bool


class ForkOf(_Out):
    """The game a what-if comes from."""

    id: str
    turn: int


class Asks(_Out):
    """What is asked for in a phase."""

    orders: bool
    choice: bool
    about: str = Field(description="what is chosen in a choice phase, in sentences to the player")
    promises: bool
    draws: bool


class View(_Out):
    """A game as a seat, the table or an observer sees it."""

    id: str
    name: str
    variant: str
    title: str
    options: dict[str, str]
    turn: int
    phase_number: int
    phase: Phase
    over: bool
    winners: list[str]
    drawn: list[str]
    to_win: int
    counted: str
    viewer: Viewer
    seating: Literal["hotseat", "links"]
    fork_of: ForkOf | None
    commitment: str | None
    powers: list[Seated]
    position: Position
    asks: Asks
    sheets: dict[str, Sheet]
    last: Turn | None
    board: str


class ViewAnswer(_Out):
    """The game after a change."""

    view: View


class Keys(_Out):
    """The tokens of a new game, told this once."""

    all: str
    seats: dict[str, str]


class OpenedGame(_Out):
    """A new game."""

    id: str
    url: str
    keys: Keys
    links: dict[str, str]


class SheetAnswer(_Out):
    """A sheet after a change, on disk."""

    sheet: Sheet
    messages: list[str]
    processed: bool


class ProcessedGame(_Out):
    """What was played."""

    turns: list[int]
    view: View
    results: list[Turn]
    result: Turn


class SpaceOnMap(_Out):
    """A space of the board and where things stand on it, in the coordinates of the picture."""

    name: str
    terrain: Literal["inland", "coast", "sea"]
    centre: bool
    impassable: bool
    coasts: list[str]
    corner: bool
    placement: tuple[int, int] | None
    coast_placements: dict[str, tuple[int, int] | None]
    dislodged: tuple[int, int] | None
    mark: tuple[int, int] | None
    touches: list[str]


class Board(_Out):
    """A board; `focus` is the view box a power's phone opens on."""

    key: str
    view: str
    unit: int
    spaces: dict[str, SpaceOnMap]
    focus: dict[str, str]


class Node(_Out):
    """A step of the tree of orders; a leaf has the order."""

    label: str
    role: Literal["unit", "kind", "place", "order"]
    at: str | None
    coast: str
    order: str | None = None
    then: list["Node"] | None = None


class Options(_Out):
    """Everything a seat may order now, or with `all` every seat of the viewer."""

    phase_number: int
    power: str | None = None
    phase: Phase | None = None
    units: list[str] | None = None
    promises: bool | None = None
    at_once: int | None = None
    choices: list[Node] | None = None
    all: list["Options"] | None = None


class Past(_Out):
    """A turn in a line."""

    turn: int
    phase: Phase
    notes: list[str]
    failed: int
    dislodged: int
    draws: int
    score: dict[str, int]
    board: str


class Present(_Out):
    """Where a game is."""

    turn: int
    phase: Phase
    score: dict[str, int]
    board: str


class History(_Out):
    """All turns in a line each."""

    turns: list[Past]
    now: Present


class Reading(_Out):
    """What a text means."""

    order: str


class Misread(_Out):
    """Why a text means nothing, and where it goes wrong."""

    message: str
    piece: str
    start: int
    end: int
    suggestions: list[str]


class Completion(_Out):
    """An order that begins as the text does."""

    order: str
    words: str


class Completions(_Out):
    """What a text means so far, and what it may become."""

    text: str
    reading: Reading | None
    error: Misread | None
    completions: list[Completion]


class Why(_Out):
    """Why a unit fared as it did, and what would have changed it."""

    unit: str
    why: str
    sentence: str
    changes: list[list[str]]


class Shared(_Out):
    """A link to a position."""

    url: str
    code: str

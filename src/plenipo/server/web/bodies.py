"""What may be sent to the JSON interface."""

from typing import Annotated, Any, Literal

from pydantic import AliasChoices, AwareDatetime, BaseModel, ConfigDict, Field

from plenipo.server.bans import MOST_DAYS
from plenipo.server.computers import COMPUTER
from plenipo.server.hosting.changes import Changes, changes_of
from plenipo.server.hosting.motions import Kind
from plenipo.server.seats import SeatAct

__all__ = [
    "AcceptBody",
    "AdjudicateBody",
    "AheadBody",
    "AnswerBody",
    "AppealBody",
    "AskBody",
    "BackBody",
    "BlockBody",
    "DrawBody",
    "EndBanBody",
    "GiveOrders",
    "JoinBody",
    "LeaveBody",
    "LetterBody",
    "LookBody",
    "LookIntoBody",
    "ModerateBody",
    "MotionBody",
    "MuteBody",
    "NetworkBanBody",
    "NewGameBody",
    "PhaseBody",
    "PositionBody",
    "PutOrders",
    "ReadBody",
    "ReadingsBody",
    "ReadyBody",
    "ReportBody",
    "ReportLettersBody",
    "SeatActBody",
    "SeatBody",
    "SettingsBody",
    "TakeBody",
    "TimeBody",
    "TurnBody",
    "VoteBody",
]

COUNT = 2**31 - 1
"""The largest number of anything that is counted."""

Text = Annotated[str, Field(max_length=1100)]
Short = Annotated[str, Field(max_length=200)]
Orders = Annotated[list[Text], Field(max_length=400)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class NewGameBody(_Body):
    """A game to be opened."""

    variant: Short
    options: Annotated[dict[Short, Short], Field(max_length=200)] = {}
    computers: Literal["none", "others"] | Annotated[list[Short], Field(max_length=100)] = "none"
    player: Annotated[Short, Field(description="The computer player, as `plenipo.bots` names it.")] = COMPUTER
    power: Short | None = None
    seating: Literal["hotseat", "links"] = "hotseat"
    name: Annotated[str, Field(max_length=100)] = ""
    position: Annotated[str, Field(max_length=50_000)] | None = None
    schedule: Annotated[
        Short | dict[Short, Any] | None,
        Field(
            description="How time is kept: the name of a preset, or the parts of a schedule; left out, no deadlines."
        ),
    ] = None
    lobby: Annotated[bool, Field(description="Whether people sit down by name before the game begins.")] = False
    settings: Annotated[
        dict[Short, bool | int | Short | dict[Short, Any]],
        Field(max_length=20, description="How powers are dealt, who keeps it, and who may write to whom."),
    ] = {}
    zone: Annotated[Short | None, Field(description="The time zone of the schedule, such as `Europe/London`.")] = None


class PhaseBody(_Body):
    """The phase that is meant."""

    phase_number: Annotated[
        int,
        Field(
            ge=0,
            le=COUNT,
            description="The number of the phase this is meant for.",
            validation_alias=AliasChoices("phase_number", "stage"),
        ),
    ]


class SeatBody(PhaseBody):
    """The sheet that is meant, and who changes it."""

    seat: Annotated[str, Field(max_length=200, description="The power whose sheet it is.")]
    client: Annotated[
        str, Field(max_length=100, description="Any word by which a window knows its own changes again.")
    ] = ""


class GiveOrders(SeatBody):
    """Orders to add to a sheet, and others to take back first."""

    give: Orders = []
    clear: Orders = []
    promises: Orders | None = None
    ready: bool | None = None


class PutOrders(SeatBody):
    """A whole sheet in place of the one there is."""

    orders: Orders
    promises: Orders | None = None
    ready: bool | None = None
    base: Annotated[int, Field(ge=0, le=COUNT)] | None = None


class AheadBody(SeatBody):
    """Orders for the retreats and adjustments that may come of the moves, ranked."""

    orders: Annotated[list[Short], Field(max_length=400)]


class ReadyBody(SeatBody):
    """Whether a sheet is final."""

    ready: bool


class DrawBody(PhaseBody):
    """The end of a game by agreement; `powers` left out means all who are left."""

    powers: Annotated[list[Short], Field(max_length=100)] | None = None


class JoinBody(_Body):
    """Somebody who sits down; `power` left out means any."""

    name: Short
    power: Short = ""
    wishes: Annotated[list[Short], Field(max_length=100, description="Powers wished for, best first.")] = []


class AcceptBody(_Body):
    """Somebody who takes over a seat that is offered."""

    name: Short


class TakeBody(_Body):
    """Somebody who takes over an open seat of a listed game."""

    power: Short
    name: Short


class SeatActBody(_Body):
    """What is done with a seat; `computer` names the player for `computer`, empty for the usual one."""

    power: Short
    act: SeatAct
    computer: Short = ""


class LetterBody(_Body):
    """A letter: from which seat, to which others or to `everyone`; `once` keeps it from being sent twice."""

    seat: Short
    to: Annotated[list[Short], Field(min_length=1, max_length=60)]
    text: Annotated[str, Field(max_length=60_000)] = ""
    unsigned: bool = False
    proposal: Annotated[
        list[Short], Field(max_length=60, description="Orders that are proposed, of any power, one each.")
    ] = []
    once: Annotated[str, Field(max_length=40)] = ""


class SettingsBody(_Body):
    """What is to be settled otherwise in a game that goes on; what is left out stays."""

    own_time: Annotated[
        Annotated[str, Field(max_length=20)] | None,
        Field(description="How much time of its own each seat has for the whole game, such as `30m`; null for none."),
    ] = None
    end: Annotated[
        dict[Short, Any] | None, Field(description="After which `year`, or `at` which instant, it ends; null for none.")
    ] = None
    spectators: Annotated[Short, Field(description="Who looks on: `link`, `public` or `nobody`.")] = "link"
    delay: Annotated[Short, Field(description="How late: `2 phases`, `24h`, or empty.")] = ""

    @property
    def changes(self) -> Changes:
        """The same as a value; raises `ChangeRefused`."""
        return changes_of(self.model_dump(exclude_unset=True))


class MotionBody(_Body):
    """What is moved: about which powers, when the game is to go on tomorrow, or what is to be settled otherwise."""

    kind: Kind
    about: Annotated[list[Short], Field(max_length=60)] = []
    goes_on: Annotated[AwareDatetime | None, Field(strict=False)] = None
    changes: SettingsBody | None = None


class VoteBody(_Body):
    """A vote: for, against, or taken back."""

    yes: bool | None


class MuteBody(_Body):
    """Whose letters are muted, by the seat, or no longer."""

    seat: Short
    muted: bool


class BlockBody(_Body):
    """Whether somebody is blocked."""

    blocked: bool


class ReportBody(_Body):
    """What is reported, in a sentence."""

    sentence: Annotated[str, Field(max_length=2000)]
    kind: Annotated[Short, Field(description="`abuse`, `name`, `cheating`, `spam` or `other`.")] = "other"


class ReportLettersBody(ReportBody):
    """Whose letters in which thread are reported."""

    thread: Annotated[list[Short], Field(min_length=1, max_length=60)]
    seat: Short


class ModerateBody(_Body):
    """What a moderator does about a report, and why."""

    act: Short
    reason: Annotated[str, Field(max_length=2000)]
    days: Annotated[int | None, Field(ge=1, le=MOST_DAYS, description="Of a ban; null for good.")] = 7
    networks: Annotated[bool, Field(description="Whether a ban is also of the networks last used.")] = False


class NetworkBanBody(_Body):
    """Which network is banned, for how many days, and why."""

    address: Short
    reason: Annotated[str, Field(max_length=2000)]
    days: Annotated[int | None, Field(ge=1, le=MOST_DAYS, description="Null for good.")] = 7


class EndBanBody(_Body):
    """Whether a ban is lifted, or stays after an appeal, and why."""

    lifted: bool
    reason: Annotated[str, Field(max_length=2000)]


class AppealBody(_Body):
    """What somebody says against a ban."""

    text: Annotated[str, Field(max_length=4000)]


class ReadBody(_Body):
    """How far a thread is read."""

    thread: Annotated[list[Short], Field(min_length=1, max_length=60)]
    id: Annotated[str, Field(max_length=40)]


class LeaveBody(_Body):
    """Which player gets up, or is let in."""

    number: Annotated[int, Field(ge=1, le=COUNT)]


class TimeBody(PhaseBody):
    """What a keeper does to the time of a game."""

    action: Literal["pause", "resume", "extend"]
    by: Annotated[str, Field(max_length=20, description="How much longer, such as `24h`; for `extend`.")] = "24h"
    until: Annotated[
        AwareDatetime | None, Field(strict=False, description="When the game goes on by itself; for `pause`.")
    ] = None


class LookBody(PhaseBody):
    """A look at something secret, by a game master, and the number of the entry of the journal that it makes."""

    entry: Annotated[
        int, Field(ge=0, le=COUNT, description="One more than the newest entry has; a look that nobody reads is none.")
    ]


class LookIntoBody(LookBody):
    """Into whose orders is looked, or with whose eyes."""

    power: Short


class _RulingBody(PhaseBody):
    """What is ruled in which phase, and why."""

    reason: Annotated[str, Field(max_length=2000, description="A sentence, told to everybody.")]
    withheld: Annotated[bool, Field(description="Whether the reason is kept back until the game is over.")] = False


class BackBody(_RulingBody):
    """A ruling: the game goes on after its first `turns` turns; those after them are struck."""

    turns: Annotated[int, Field(ge=0, le=COUNT)]


class PositionBody(_RulingBody):
    """A ruling: the game goes on from another position; `position` has the parts that are other, as a record has them.

    Among them `units` and `centres`, each with a list for every power.
    """

    position: Annotated[dict[Short, Any], Field(max_length=20)]


class ReadingBody(_Body):
    """An order of a power, and as which it is read."""

    power: Short
    order: Text
    read: Text


class ReadingsBody(_RulingBody):
    """A ruling: orders are read as others."""

    readings: Annotated[list[ReadingBody], Field(min_length=1, max_length=60)]


class AskBody(SeatBody):
    """A question to the game master about an order of one's own."""

    order: Text
    text: Annotated[str, Field(max_length=4000)]


class AnswerBody(_Body):
    """What the game master answers."""

    text: Annotated[str, Field(max_length=4000)]


class TurnBody(_Body):
    """Which moment is meant: after so many turns; left out means now."""

    turn: Annotated[int, Field(ge=0, le=COUNT)] | None = None


class AdjudicateBody(BaseModel):
    """A position with orders, as `plenipo adjudicate` reads it; see `docs/command-line.md`."""

    model_config = ConfigDict(extra="allow")

    variant: str
    phase: str
    units: dict[str, Any]

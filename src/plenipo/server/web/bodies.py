"""The request bodies of the JSON interface."""

import json
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from plenipo.bots.deals.clauses import LONGEST, MOST_CLAUSES
from plenipo.bots.deals.notation import MOST_SPACES
from plenipo.server.bans import MOST_DAYS
from plenipo.server.computers import COMPUTER
from plenipo.server.hosting.changes import Changes, changes_of
from plenipo.server.hosting.motions import MotionKind
from plenipo.server.seats import LONGEST_REASON, SeatAct

__all__ = [
    "AS_SET",
    "AcceptBody",
    "AdjudicateBody",
    "AheadBody",
    "AnswerBody",
    "AnswerDealBody",
    "AppealBody",
    "AskBody",
    "AskPartnerBody",
    "BackBody",
    "BlockBody",
    "DealBody",
    "DealClauseBody",
    "DrawBody",
    "EndBanBody",
    "GiveOrders",
    "JoinBody",
    "LeaveBody",
    "LookBody",
    "LookIntoBody",
    "MessageBody",
    "ModerateBody",
    "MotionBody",
    "MuteBody",
    "NetworkBanBody",
    "NewGameBody",
    "NoteBody",
    "PhaseBody",
    "PositionBody",
    "PresetBody",
    "PutOrders",
    "ReadBody",
    "ReadingsBody",
    "ReadyBody",
    "ReportBody",
    "ReportMessagesBody",
    "SeatActBody",
    "SeatBody",
    "SettingsBody",
    "ShowOrdersBody",
    "StartBody",
    "TakeBody",
    "TimeBody",
    "TurnBody",
    "VoteBody",
]

COUNT = 2**31 - 1
"""The largest number in a count."""

BodyText = Annotated[str, Field(max_length=1100)]
Short = Annotated[str, Field(max_length=200)]
SpaceCodes = Annotated[list[Annotated[str, Field(max_length=20)]], Field(min_length=1, max_length=MOST_SPACES)]
OrderTextList = Annotated[list[BodyText], Field(max_length=400)]


def require_unicode(value: object) -> object:
    """Return JSON as it is; raise `ValueError` if a text in it, at any depth, has half of a surrogate pair."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as fault:
        raise ValueError("it must be a text in UTF-8") from fault
    return value


AnyJson = Annotated[Any, BeforeValidator(require_unicode)]
"""Any JSON value whose texts can be stored and sent; those of a `str` in a strict body are checked anyway."""


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class FileBody(_Body):
    """The text of a file with games, and the number of one of them."""

    text: Annotated[str, Field(max_length=8 * 1024 * 1024)]
    number: Annotated[int, Field(ge=1, le=1000)] = 1


class NewGameBody(_Body):
    """A request for a new game."""

    variant: Short
    options: Annotated[dict[Short, Short], Field(max_length=200)] = {}
    computers: Annotated[
        Literal["none", "others"]
        | Annotated[list[Short], Field(max_length=100)]
        | Annotated[dict[Short, Short], Field(max_length=100)],
        Field(description="The powers that computers play, or the computer player of each; with a lobby only these."),
    ] = "none"
    player: Annotated[Short, Field(description="The computer player, as `plenipo.bots` names it.")] = COMPUTER
    power: Short | None = None
    seating: Literal["hotseat", "links"] = "hotseat"
    name: Annotated[str, Field(max_length=100)] = ""
    position: Annotated[str, Field(max_length=50_000)] | None = None
    schedule: Annotated[
        Short | dict[Short, AnyJson] | None,
        Field(description="The deadlines: the name of a preset, or the parts of a schedule; none if left out."),
    ] = None
    lobby: Annotated[
        bool, Field(description="True for a lobby in which players join by name before the game starts.")
    ] = False
    settings: Annotated[
        dict[Short, bool | int | Short | dict[Short, AnyJson]],
        Field(max_length=20, description="The settings: how powers are assigned, the host, the press."),
    ] = {}
    zone: Annotated[Short | None, Field(description="The time zone of the schedule, such as `Europe/London`.")] = None


class PhaseBody(_Body):
    """The phase that a request is about."""

    phase_number: Annotated[
        int,
        Field(
            ge=0,
            le=COUNT,
            description="The number of the phase this is meant for.",
        ),
    ]


class SeatBody(PhaseBody):
    """The order set that a request is about, and its author."""

    seat: Annotated[str, Field(max_length=200, description="The power whose order set it is.")]
    client: Annotated[
        str, Field(max_length=100, description="Any word by which a window knows its own changes again.")
    ] = ""


class GiveOrders(SeatBody):
    """Orders to add to an order set, and others to withdraw first."""

    give: OrderTextList = []
    clear: OrderTextList = []
    promises: OrderTextList | None = None
    ready: bool | None = None


class PutOrders(SeatBody):
    """A whole order set in place of the current one."""

    orders: OrderTextList
    promises: OrderTextList | None = None
    ready: bool | None = None
    base: Annotated[int, Field(ge=0, le=COUNT)] | None = None


class AheadBody(SeatBody):
    """Conditional orders for the retreats and adjustments after the moves, ranked."""

    orders: Annotated[list[Short], Field(max_length=400)]


class ReadyBody(SeatBody):
    """The ready mark of an order set."""

    ready: bool


class DrawBody(PhaseBody):
    """A draw; without `powers` between all survivors."""

    powers: Annotated[list[Short], Field(max_length=100)] | None = None


class JoinBody(_Body):
    """A request to join; without `power` with any seat."""

    name: Short
    power: Short = ""
    preferences: Annotated[list[Short], Field(max_length=100, description="Powers wished for, best first.")] = []


class StartBody(_Body):
    """A request to start a game; `computer` takes the free seats, or the computer player of its settings if empty."""

    computer: Short = ""


AS_SET = StartBody()
"""The request to start a game as its settings say."""


class AcceptBody(_Body):
    """A request to take over an offered seat."""

    name: Short


class TakeBody(_Body):
    """A request to take over an open seat of a listed game."""

    power: Short
    name: Short


class SeatActBody(_Body):
    """An action on a seat; `computer` names the player for `computer`, empty for the default."""

    power: Short
    act: SeatAct
    computer: Short = ""
    reason: Annotated[
        str, Field(max_length=LONGEST_REASON, description="The reason of `remove`, shown in the game log.")
    ] = ""


class MessageBody(_Body):
    """A message: its seat, its recipients or `everyone`; `once` keeps it from being sent twice."""

    seat: Short
    to: Annotated[list[Short], Field(min_length=1, max_length=60)]
    text: Annotated[str, Field(max_length=60_000)] = ""
    unsigned: bool = False
    proposal: Annotated[
        list[Short], Field(max_length=60, description="Orders that are proposed, of any power, one each.")
    ] = []
    once: Annotated[str, Field(max_length=40)] = ""


class DealClauseBody(_Body):
    """A promise of one power: an order, spaces to keep out of or centres to leave, an attack, or to show its orders."""

    power: Short
    order: Short | None = None
    keep_out: SpaceCodes | None = None
    leave: SpaceCodes | None = None
    attack: Short | None = None
    show: Literal[True] | None = None
    movements: Annotated[int, Field(ge=1, le=LONGEST, description="The number of movements for which it holds.")] = 1


class DealBody(SeatBody):
    """A deal that is offered to another power."""

    partner: Short
    clauses: Annotated[list[DealClauseBody], Field(min_length=1, max_length=MOST_CLAUSES)]


class AnswerDealBody(SeatBody):
    """An answer to an offer, by its number; the power that made it withdraws it with false."""

    number: Annotated[int, Field(ge=1, le=COUNT)]
    accepts: bool


class ShowOrdersBody(SeatBody):
    """The deal in which a power promised to show its orders."""

    number: Annotated[int, Field(ge=1, le=COUNT)]


class AskPartnerBody(SeatBody):
    """A question to a computer player: for offers or, with a text, for its understanding of it."""

    partner: Short
    text: Annotated[str, Field(max_length=2000)] = ""


class SettingsBody(_Body):
    """Changes to the settings of a running game; omitted settings stay."""

    time_bank: Annotated[
        Annotated[str, Field(max_length=20)] | None,
        Field(description="The time bank of each seat for the whole game, such as `30m`; null for none."),
    ] = None
    end: Annotated[
        dict[Short, AnyJson] | None,
        Field(description="After which `year`, or `at` which instant, it ends; null for none."),
    ] = None
    spectators: Annotated[Short, Field(description="The spectators: `link`, `public` or `nobody`.")] = "link"
    delay: Annotated[Short, Field(description="The spectator delay: `2 phases`, `24h`, or empty.")] = ""

    @property
    def changes(self) -> Changes:
        """The changes as a value; raise `ChangeRefused`."""
        return changes_of(self.model_dump(exclude_unset=True))


class MotionBody(_Body):
    """A motion: the powers it names, the instant at which a pause ends, or the changed settings."""

    kind: MotionKind
    about: Annotated[list[Short], Field(max_length=60)] = []
    goes_on: Annotated[AwareDatetime | None, Field(strict=False)] = None
    changes: SettingsBody | None = None


class VoteBody(_Body):
    """A vote: for, against, or withdrawn."""

    yes: bool | None


class MuteBody(_Body):
    """A request to mute or unmute the messages of a seat."""

    seat: Short
    muted: bool


class PresetBody(_Body):
    """A preset for new games: its name, and the fields of the form that it sets."""

    name: Annotated[str, Field(max_length=200)]
    fields: Annotated[dict[Short, Short | Annotated[list[Short], Field(max_length=20)]], Field(max_length=200)]


class NoteBody(_Body):
    """A private note, and its subject: none for the game, a power, or the seats of a thread."""

    about: Annotated[list[Short], Field(max_length=60)]
    text: Annotated[str, Field(max_length=20_000)]


class BlockBody(_Body):
    """A request to block or unblock a person."""

    blocked: bool


class ReportBody(_Body):
    """A report in a sentence."""

    sentence: Annotated[str, Field(max_length=2000)]
    kind: Annotated[Short, Field(description="`abuse`, `name`, `cheating`, `spam` or `other`.")] = "other"


class ReportMessagesBody(ReportBody):
    """A report of the messages of a seat in a thread."""

    thread: Annotated[list[Short], Field(min_length=1, max_length=60)]
    seat: Short


class ModerateBody(_Body):
    """A moderator's decision about a report, with the reason."""

    act: Short
    reason: Annotated[str, Field(max_length=2000)]
    days: Annotated[int | None, Field(ge=1, le=MOST_DAYS, description="Of a ban; null for good.")] = 7
    networks: Annotated[bool, Field(description="True to ban the networks last used as well.")] = False


class NetworkBanBody(_Body):
    """A network ban, with its days and reason."""

    address: Short
    reason: Annotated[str, Field(max_length=2000)]
    days: Annotated[int | None, Field(ge=1, le=MOST_DAYS, description="Null for good.")] = 7


class EndBanBody(_Body):
    """The decision to lift a ban or to reject its appeal, with the reason."""

    lifted: bool
    reason: Annotated[str, Field(max_length=2000)]


class AppealBody(_Body):
    """The text of an appeal against a ban."""

    text: Annotated[str, Field(max_length=4000)]


class ReadBody(_Body):
    """A read mark in a thread."""

    thread: Annotated[list[Short], Field(min_length=1, max_length=60)]
    id: Annotated[str, Field(max_length=40)]


class LeaveBody(_Body):
    """The player who leaves, or who is accepted."""

    number: Annotated[int, Field(ge=1, le=COUNT)]


class TimeBody(PhaseBody):
    """A host's action on the time of a game."""

    action: Literal["pause", "resume", "extend", "set"]
    by: Annotated[str, Field(max_length=20, description="The extension, such as `24h`; for `extend`.")] = "24h"
    until: Annotated[
        AwareDatetime | None,
        Field(
            strict=False,
            description="The instant at which the game resumes automatically, for `pause`; the deadline, for `set`.",
        ),
    ] = None


class LookBody(PhaseBody):
    """A game master's view of hidden information, and the number of its entry in the game log."""

    entry: Annotated[
        int, Field(ge=0, le=COUNT, description="One more than the newest entry has; a look that nobody reads is none.")
    ]


class LookIntoBody(LookBody):
    """The seat whose orders or view a game master requests."""

    power: Short


class _RulingBody(PhaseBody):
    """A ruling on a phase, with the reason."""

    reason: Annotated[str, Field(max_length=2000, description="A sentence, told to everybody.")]
    withheld: Annotated[bool, Field(description="True to publish the reason only after the game.")] = False


class BackBody(_RulingBody):
    """A rollback: the game continues after its first `turns` turns; later ones are undone."""

    turns: Annotated[int, Field(ge=0, le=COUNT)]


class PositionBody(_RulingBody):
    """A ruling that replaces the position; `position` has the changed parts, as in a record.

    Among them `units` and `centres`, each with a list for every power.
    """

    position: Annotated[dict[Short, AnyJson], Field(max_length=20)]


class ReadingBody(_Body):
    """A correction: an order of a power, and the order it means."""

    power: Short
    order: BodyText
    read: BodyText


class ReadingsBody(_RulingBody):
    """A ruling with corrections of orders."""

    readings: Annotated[list[ReadingBody], Field(min_length=1, max_length=60)]


class AskBody(SeatBody):
    """A player's question to the game master about an own order."""

    order: BodyText
    text: Annotated[str, Field(max_length=4000)]


class AnswerBody(_Body):
    """The game master's answer."""

    text: Annotated[str, Field(max_length=4000)]


class TurnBody(_Body):
    """A moment of the game: after a number of turns; omitted means now."""

    turn: Annotated[int, Field(ge=0, le=COUNT)] | None = None


class AdjudicateBody(BaseModel):
    """A position with orders, as `plenipo adjudicate` reads it; see `docs/command-line.md`."""

    model_config = ConfigDict(extra="allow")
    _unicode = model_validator(mode="before")(require_unicode)

    variant: str
    phase: str
    units: dict[str, Any]

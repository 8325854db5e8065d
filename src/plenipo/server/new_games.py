"""New games: the request for one, and the hosted game made from it."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from plenipo.engine.dice import SEED_BYTES, Dice
from plenipo.engine.history.game import Game
from plenipo.engine.position import Power
from plenipo.engine.sentences import SentenceKind
from plenipo.errors import UnknownName
from plenipo.library import plugins
from plenipo.server import keys, uploads
from plenipo.server.computers import COMPUTER
from plenipo.server.errors import InvalidSchedule, SeatRefused
from plenipo.server.hosted_game import HOTSEAT, LINKS, HostedGame
from plenipo.server.hosting.names import name_of, require_title
from plenipo.server.hosting.schedule import Schedule
from plenipo.server.hosting.schedule_words import why_no_end
from plenipo.server.hosting.settings import USUAL, Settings
from plenipo.server.hosting.tick import FORMING_FOR, GameState, begin_game
from plenipo.server.store import Seating, StoredTenure
from plenipo.server.store.values import NewPerson

__all__ = ["GameKeys", "NewGameRequest", "hosted_of", "roll_seed"]

_POWER_UNPLAYED = SentenceKind(
    "server-power-unplayed", "'{name}' is not a power with a player; the powers are {powers}."
)
_COMPUTERS_UNKNOWN = SentenceKind(
    "server-computers-unknown",
    "'{wanted}' is not a choice of computer players; write 'others', 'none' or a list of powers.",
)

_SEATS_ALL_COMPUTERS = SentenceKind(
    "server-seats-all-computers", "Computers play every seat; leave at least one for a player."
)


@dataclass(frozen=True)
class NewGameRequest:
    """A request for a new game.

    `computers` are the powers that computers play, perhaps with the name of the computer player of each, `others` for
    all but `power`, or `none`; `player` is the computer player of those without a name. In a game with a lobby only
    powers that are named have computers from the start. `power` is the seat of the person who opens the game.
    `position` is a shared position to begin from.

    With a `schedule` its phases have deadlines; with a `lobby` players join by name before it begins. `host` is the
    host, the person who opens the game, with a name, if signed in; `guest` is set if the host is a new person.
    """

    variant: str
    options: Mapping[str, str]
    computers: str | Sequence[str] | Mapping[str, str] = "none"
    player: str = COMPUTER
    power: str | None = None
    seating: Seating = HOTSEAT
    name: str = ""
    position: str | None = None
    schedule: Schedule | None = None
    lobby: bool = False
    settings: Settings = USUAL
    host: tuple[str, str] | None = None
    guest: NewPerson | None = None


@dataclass(frozen=True)
class GameKeys:
    """The id of a new game, the token of all its seats, and those of single seats if each has its own.

    `invitation` is the token with which players join, if the game has a lobby.
    """

    id: str
    all_seats: str
    seats: Mapping[Power, str]
    invitation: str = ""


def hosted_of(new: NewGameRequest, dice: Dice, now: datetime) -> HostedGame:
    """Return the hosted game for a request.

    Raise `UnknownName`, `InvalidVariant`, `InvalidRecord`, `InvalidSchedule` for an end before the beginning, and
    `SeatRefused` for a deceptive name of the game or of its host.
    """
    rules = uploads.rules_of(new.variant, new.options)
    game = Game.new(rules, dice)
    if new.position is not None:
        game = replace(game, start=uploads.unpack_position(new.position, rules))
    person = rules.power(new.power) if new.power else rules.names[0]
    if person not in rules.names:
        raise UnknownName(_POWER_UNPLAYED(name=person, powers=tuple(rules.names)))
    computers = _computers(rules.names, rules.power, new, person)
    name = require_title(new.name) or rules.title
    hosted = HostedGame(id=keys.game_id(), name=name, game=game, computers=computers, seating=new.seating)
    if new.lobby:
        seats = dict.fromkeys(rules.names, "") if isinstance(new.computers, str) else computers
        if all(seats.values()):
            raise SeatRefused(_SEATS_ALL_COMPUTERS())
        hosted = replace(hosted, seating=LINKS, computers=seats)
    if new.schedule is not None or new.lobby:
        kind = game.position.phase.kind
        schedule, year = new.schedule or Schedule(), game.position.phase.year
        if fault := why_no_end(schedule, year, now):
            raise InvalidSchedule(fault)
        timing = begin_game(schedule, hosted.persons, kind, now, year)
        state = GameState.FORMING if new.lobby else timing.state
        expires = now + FORMING_FOR if new.lobby else None
        hosted = replace(hosted.with_timing(replace(timing, state=state, expires=expires)), settings=new.settings)
    if new.host is not None:
        host, called = new.host
        called = name_of(called, rules.names)
        hosted = hosted.with_tenures(StoredTenure(1, called, "host", person=host))
    return hosted


def _computers(
    names: Sequence[Power],
    read: Callable[[str], Power],
    new: NewGameRequest,
    person: Power,
) -> dict[Power, str]:
    wanted = new.computers
    if isinstance(wanted, str):
        if wanted not in {"none", "others"}:
            raise UnknownName(_COMPUTERS_UNKNOWN(wanted=wanted))
        seats = {power for power in names if power != person} if wanted == "others" else set()
        players = dict.fromkeys(seats, new.player)
    elif isinstance(wanted, Mapping):
        players = {read(name): player for name, player in wanted.items()}
    else:
        players = {read(name): new.player for name in wanted}
    for player in players.values():
        plugins.players()[player]  # raises for an unknown player
    return {power: players.get(power, "") for power in names}


def roll_seed() -> Dice:
    """Return dice with a new seed."""
    return Dice(secrets.token_bytes(SEED_BYTES))

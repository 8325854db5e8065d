"""New games: what is asked for, and the hosted game that it makes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.position import Power
from plenipo.errors import UnknownName
from plenipo.library import plugins
from plenipo.server import keys, uploads
from plenipo.server.computers import COMPUTER
from plenipo.server.errors import InvalidSchedule
from plenipo.server.hosted_game import HOTSEAT, LINKS, HostedGame
from plenipo.server.hosting.names import name_of, require_title
from plenipo.server.hosting.schedule import Schedule, why_no_end
from plenipo.server.hosting.settings import USUAL, Settings
from plenipo.server.hosting.tick import FORMING_FOR, GameState, begun
from plenipo.server.store import Seating, StoredTenure
from plenipo.server.store.values import NewPerson

__all__ = ["GameKeys", "NewGame", "hosted_of"]


@dataclass(frozen=True)
class NewGame:
    """What a new game is to be.

    `computers` are the powers that computers play, perhaps with the name of the player of each, `others` for all but
    `power`, or `none`; `player` is who plays those without a name. `power` is the seat of the person who opens it.
    `position` is a shared position to begin from.
    With a `schedule` its phases have deadlines; with a `lobby` people sit down by name before it begins.
    `keeper` is the person who opens it, if somebody is signed in, and what they are called; `guest` says that it is
    somebody new.
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
    keeper: tuple[str, str] | None = None
    guest: NewPerson | None = None


@dataclass(frozen=True)
class GameKeys:
    """The id of a new game, the token of all its seats, and those of single seats if each has its own.

    `invitation` is the token by which people sit down, where they do so before the game begins.
    """

    id: str
    all_seats: str
    seats: Mapping[Power, str]
    invitation: str = ""


def hosted_of(new: NewGame, dice: Dice, now: datetime) -> HostedGame:
    """The hosted game that is asked for.

    Raises `UnknownName`, `InvalidVariant`, `InvalidRecord`, `InvalidSchedule` for an end before the beginning, and
    `SeatRefused` for a name that deceives, of the game or of its host.
    """
    rules = uploads.rules_of(new.variant, new.options)
    game = Game.new(rules, dice)
    if new.position is not None:
        game = replace(game, start=uploads.unpacked(new.position, rules))
    person = rules.power(new.power) if new.power else rules.names[0]
    if person not in rules.names:
        raise UnknownName(f"'{person}' is played by nobody; the powers are {', '.join(rules.names)}.")
    computers = _computers(rules.names, rules.power, new, person)
    name = require_title(new.name) or rules.title
    hosted = HostedGame(id=keys.game_id(), name=name, game=game, computers=computers, seating=new.seating)
    if new.lobby:
        hosted = replace(hosted, seating=LINKS, computers=dict.fromkeys(rules.names, ""))
    if new.schedule is not None or new.lobby:
        kind = game.position.phase.kind
        schedule, year = new.schedule or Schedule(), game.position.phase.year
        if fault := why_no_end(schedule, year, now):
            raise InvalidSchedule(fault)
        timing = begun(schedule, hosted.persons, kind, now, year)
        state = GameState.FORMING if new.lobby else timing.state
        expires = now + FORMING_FOR if new.lobby else None
        hosted = replace(hosted.with_timing(replace(timing, state=state, expires=expires)), settings=new.settings)
    if new.keeper is not None:
        keeper, called = new.keeper
        called = name_of(called, rules.names)
        hosted = hosted.with_tenures(StoredTenure(1, called, "keeper", person=keeper))
    return hosted


def _computers(
    names: Sequence[Power],
    read: Callable[[str], Power],
    new: NewGame,
    person: Power,
) -> dict[Power, str]:
    wanted = new.computers
    if isinstance(wanted, str):
        if wanted not in {"none", "others"}:
            raise UnknownName(
                f"'{wanted}' does not say who computers play; write 'others', 'none' or a list of powers."
            )
        seats = {power for power in names if power != person} if wanted == "others" else set()
        players = dict.fromkeys(seats, new.player)
    elif isinstance(wanted, Mapping):
        players = {read(name): player for name, player in wanted.items()}
    else:
        players = {read(name): new.player for name in wanted}
    for player in players.values():
        plugins.players()[player]  # raises for a player there is none of
    return {power: players.get(power, "") for power in names}

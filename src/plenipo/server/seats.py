"""Seats: joining a game, starting it, and passing a seat from one player to another.

Pure: each function takes a hosted game and returns the new one, the change to store, and the value to answer.
A seat is held by one tenure after another; while it is lent it has two, and the sitter plays it.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from plenipo.engine.dice import Dice
from plenipo.engine.position import Power
from plenipo.engine.sentences import Quoted, SentenceKind, Series
from plenipo.server.errors import NotYours, Over, SeatRefused
from plenipo.server.hosted_game import LINKS, SOMEBODY, Credentials, HostedGame
from plenipo.server.hosting.joining import join_paragraphs
from plenipo.server.hosting.names import LEFT, name_of
from plenipo.server.hosting.schedule import is_live
from plenipo.server.hosting.seating import assign_powers, sum_of_squares
from plenipo.server.hosting.tick import FORMING_FOR, GameState, Holder, begin_game, fresh, open_phase
from plenipo.server.permissions import require_not_cancelled
from plenipo.server.store.seats import SeatsChanged
from plenipo.server.store.values import (
    HERE,
    SEATLESS,
    GameChange,
    JournalEntry,
    Notification,
    StoredEntry,
    StoredKey,
    StoredTenure,
)
from plenipo.server.texts import replace_texts

__all__ = [
    "FOR_A_WHILE",
    "FOR_GOOD",
    "INVITED",
    "LONGEST_REASON",
    "START_COUNTDOWN",
    "TENURE",
    "Newcomer",
    "Seat",
    "SeatAct",
    "admit_player",
    "find_end",
    "require_invitations",
    "with_names",
    "with_reserves",
    "without",
]

_GAME_STARTED = SentenceKind(
    "server-game-started", "The game has started; players cannot join or leave after the start."
)
_LINK_STARTED = SentenceKind("server-link-started", "This link no longer gives a seat: the game has started.")
_LINK_OVER = SentenceKind("server-link-over", "This link no longer gives a seat: the game is over.")
_GAME_MASTER_PLAYS = SentenceKind("server-game-master-plays", "The game master cannot play in the same game.")
_SEAT_HELD = SentenceKind(
    "server-seat-held", "You already play in this game or are on its waiting list; each person has one seat."
)
_WAITING_NUMBER_UNKNOWN = SentenceKind(
    "server-waiting-number-unknown", "No player on the waiting list has this number."
)
_SEATS_TAKEN = SentenceKind("server-seats-taken", "Every seat of this game is taken.")
_POWER_UNKNOWN = SentenceKind(
    "server-power-unknown", "{power} has no player in this game; choose another power, or any."
)
_POWER_TAKEN = SentenceKind("server-power-taken", "{taken} is taken; choose another power, or any.")
_PLAYERS_NONE = SentenceKind("server-players-none", "The game has no players yet; it needs at least one.")
_PLAYER_ONLY = SentenceKind("server-player-only", "Only the player of {power} can do this.")
_HOST_ONLY = SentenceKind("server-host-only", "Only the host of the game can do this.")
_PLAYER_OR_HOST_ONLY = SentenceKind("server-player-or-host-only", "Only the player of {power} or the host can do this.")
_SEAT_LENT_ALREADY = SentenceKind("server-seat-lent-already", "{power} is already lent to {player}.")
_SEAT_NOT_LENT = SentenceKind("server-seat-not-lent", "{power} is not lent.")
_SEAT_SEEN_AS_OTHER = SentenceKind(
    "server-seat-seen-as-other", "You have seen this game as {other}, so you cannot play {power} in it."
)
_SEAT_PLAYED_ALREADY = SentenceKind("server-seat-played-already", "You already play {power}.")
_CLAIM_LINK_ONLY = SentenceKind(
    "server-claim-link-only", "Only the player with the link to the seat of {power} can claim it."
)
_SEAT_CLAIMED = SentenceKind("server-seat-claimed", "{player} has already claimed {power}.")
_SEAT_HELD_ALREADY = SentenceKind(
    "server-seat-held-already", "You already play in this game; each person has one seat."
)
_SEAT_UNNAMED = SentenceKind("server-seat-unnamed", "{power} has no player with a name.")
_PLAYER_NUMBER_UNKNOWN = SentenceKind("server-player-number-unknown", "No player of the game has this number.")

_CALLED_OFF = SentenceKind("server-log-called-off", "The host called the game off before it began.")
_BEGUN = SentenceKind("server-log-begun", "The game began: {players}.")
_BEGUN_HIDDEN = SentenceKind("server-log-begun-hidden", "The game began; powers are shown when the game is over.")
_PLAYS_CLAUSE = SentenceKind("server-log-who-plays", "{player} plays {power}")
_DEALT = SentenceKind(
    "server-log-dealt", "The powers were dealt by preferences; the squared ranks add up to {squares}."
)
_RESIGNED = SentenceKind("server-log-resigned", "{player} resigned; {power} is vacant.")
_REMOVED = SentenceKind("server-log-removed", "The host took the seat of {power} from {player}; {power} is vacant.")
_REMOVED_FOR = SentenceKind(
    "server-log-removed-for",
    "The host took the seat of {power} from {player}; {power} is vacant. The reason: {reason}",
)
_REASON = SentenceKind("server-log-reason", "The reason: {reason}")
_REMOVED_SUBJECT = SentenceKind(
    "server-seat-removed", "{game}: you no longer play {power}", note="The subject of an email."
)
_REMOVED_YOU = SentenceKind(
    "server-seat-removed-why",
    "The host of {game} has removed you as the player of {power}. You can still watch the game.",
)
_VOTED_OUT = SentenceKind(
    "server-log-voted-out", "The players took the seat of {power} from {player} by vote; {power} is vacant."
)
_VOTED_OUT_YOU = SentenceKind(
    "server-seat-voted-out-why",
    "The players of {game} have voted for another player of {power} in your place. You can still watch the game.",
)
_TAKEN_BACK = SentenceKind("server-log-taken-back", "{sitter} has stopped playing {power} for {holder}.")
_SUBSTITUTE = SentenceKind("server-log-substitute", "{player} plays {power} from now on.")
_LENT = SentenceKind("server-log-lent", "{sitter} plays {power} for {holder} for a while.")
_PLAYS = SentenceKind("server-log-plays", "{player} plays {power}.")
_IN_PLACE_OF_ABSENT = SentenceKind(
    "server-log-in-place-of-absent",
    "{player} plays {power} from now on, in place of {former}, whose seat was vacant after too many NMRs in a row.",
)
_COMPUTER_PLAYS = SentenceKind("server-log-computer", "A computer plays {power} from now on.")
_SOMEBODY = SentenceKind("server-log-somebody", SOMEBODY)
_SOMEBODY_FIRST = SentenceKind(
    "server-log-somebody-first", f"{SOMEBODY[0].upper()}{SOMEBODY[1:]}", note="At the beginning of a sentence."
)
_WHO_LEFT = SentenceKind("server-log-who-left", LEFT)

INVITED, TENURE = "?", "#"
"""The mark of an invitation in the `power` column of a key, and the prefix before the number of a tenure there."""

FOR_GOOD, FOR_A_WHILE = "+", "~"
"""The prefixes there before the power whose seat a key offers."""

START_COUNTDOWN = timedelta(seconds=30)
"""The time between the start of a live game and that of its clock, in which the players look at the board."""

LONGEST_REASON = 1000
"""The longest reason for the removal of a player, in characters."""

SeatingChange = tuple[HostedGame, GameChange, None]
SeatAct = Literal["resign", "remove", "lend", "take back", "offer", "withdraw", "computer"]
"""The actions on a seat."""


@dataclass(frozen=True)
class Newcomer:
    """A player who takes a seat: the name, the digest of the player's new key, and the person if signed in.

    `keeps` means that the player holds the key to the whole game.
    """

    name: str
    digest: str
    person: str | None = None
    keeps: bool = False


def require_forming(hosted: HostedGame) -> None:
    """Raise `Over` if a game has begun, or was cancelled."""
    require_not_cancelled(hosted)
    if not hosted.forming:
        raise Over(_GAME_STARTED())


def require_invitations(hosted: HostedGame) -> None:
    """Raise `Over` if the invitations to a game have ended, because it has begun or was cancelled."""
    require_not_cancelled(hosted)
    if hosted.timing is not None and not hosted.forming:
        raise Over(_LINK_OVER() if hosted.game.over else _LINK_STARTED())


def _require_player(hosted: HostedGame, newcomer: Newcomer) -> None:
    """Raise `SeatRefused` for a game master, who does not play."""
    hosts = {tenure.person for tenure in hosted.tenures if tenure.kind == "host" and tenure.person is not None}
    if hosted.settings.host == "game master" and (newcomer.keeps or newcomer.person in hosts):
        raise SeatRefused(_GAME_MASTER_PLAYS())


def _change(
    *entries: StoredEntry,
    tenures: tuple[StoredTenure, ...] = (),
    forget: tuple[int, ...] = (),
    add_keys: tuple[StoredKey, ...] = (),
    drop_keys: tuple[str, ...] = (),
    computers: Mapping[str, str] | None = None,
) -> GameChange:
    """Return a change of seats alone, with entries for the game log."""
    seats = SeatsChanged(tenures, forget, add_keys, drop_keys, computers or {})
    return GameChange(parts=(seats,), entries=entries)


# Before the game begins


def cancel_game(hosted: HostedGame) -> SeatingChange:
    """Cancel a game before it begins, so that no player can join; raise `Over`."""
    require_forming(hosted)
    after = hosted
    if hosted.timing is not None:
        after = hosted.with_timing(replace(hosted.timing, state=GameState.CANCELLED, expires=None))
    entry = StoredEntry("cancelled", _CALLED_OFF())
    return after, _change(entry, drop_keys=(INVITED,)), None


def join_game(
    hosted: HostedGame, newcomer: Newcomer, preferences: Sequence[str], now: datetime
) -> tuple[HostedGame, GameChange, bool]:
    """Add a player to a game, and return whether every seat is taken then; raise `Over` and `SeatRefused`."""
    require_forming(hosted)
    _require_player(hosted, newcomer)
    names, players = hosted.rules.names, (*hosted.players, *hosted.reserves)
    if newcomer.person is not None and any(player.person == newcomer.person for player in players):
        raise SeatRefused(_SEAT_HELD())
    left = [one for one in hosted.tenures if one.until is not None and one.person not in (None, newcomer.person)]
    called = name_of(newcomer.name, names, _names(hosted, (*players, *left)))
    number = _next_number(hosted)
    key = StoredKey(newcomer.digest, f"{TENURE}{number}")
    tenure = StoredTenure(number, called, person=newcomer.person)
    if len(hosted.players) >= len(hosted.persons) or (hosted.settings.approval and not newcomer.keeps):
        wishing = _wishing(hosted, tenure, preferences) if hosted.settings.deal == "preferences" else tenure
        reserve = replace(wishing, kind="reserve")
        return hosted.with_tenures(reserve), _change(tenures=(reserve,), add_keys=(key,)), False
    tenure = _wishing(hosted, tenure, preferences)
    after = _with_room(hosted.with_tenures(tenure), now)
    return after, _change(tenures=(tenure,), add_keys=(key,)), _is_full(after)


def _is_full(hosted: HostedGame) -> bool:
    """Return whether every seat is taken and no ready check is open."""
    checking_presence = hosted.timing is not None and hosted.timing.state is GameState.READY_CHECK
    return len(hosted.players) == len(hosted.persons) and not checking_presence


def _with_room(hosted: HostedGame, now: datetime) -> HostedGame:
    """Restart the time for which a forming game stays open; leave other games as they are."""
    timing = hosted.timing
    forming = timing is not None and timing.state is GameState.FORMING
    return hosted.with_timing(replace(timing, expires=now + FORMING_FOR)) if forming and timing else hosted


def admit_player(hosted: HostedGame, number: int, now: datetime) -> tuple[HostedGame, GameChange, bool]:
    """Give a seat to a player of the waiting list, and return whether every seat is taken then.

    Raise `Over` and `SeatRefused`.
    """
    require_forming(hosted)
    reserve = next((tenure for tenure in hosted.reserves if tenure.number == number), None)
    if reserve is None:
        raise SeatRefused(_WAITING_NUMBER_UNKNOWN())
    if len(hosted.players) >= len(hosted.persons):
        raise SeatRefused(_SEATS_TAKEN())
    tenure = replace(reserve, kind="player")
    after = _with_room(hosted.with_tenures(tenure), now)
    return after, _change(tenures=(tenure,)), _is_full(after)


def with_reserves(hosted: HostedGame) -> tuple[HostedGame, tuple[StoredTenure, ...]]:
    """Fill free seats from the waiting list, and return the players moved; none if the host approves players."""
    free = 0 if hosted.settings.approval else len(hosted.persons) - len(hosted.players)
    moved = tuple(replace(reserve, kind="player") for reserve in hosted.reserves[:free])
    return hosted.with_tenures(*moved), moved


def set_preferences(hosted: HostedGame, number: int, preferences: Sequence[str]) -> SeatingChange:
    """Replace the power preferences of a player; raise `Over` and `SeatRefused`."""
    require_forming(hosted)
    tenure = _wishing(hosted, _player(hosted, number), preferences)
    return hosted.with_tenures(tenure), _change(tenures=(tenure,)), None


def _wishing(hosted: HostedGame, tenure: StoredTenure, preferences: Sequence[str]) -> StoredTenure:
    """Return a tenure with power preferences, in the form that the assignment of powers in the game needs."""
    deal = hosted.settings.deal
    powers = tuple(dict.fromkeys(hosted.rules.power(preference) for preference in preferences if preference))
    unknown = [power for power in powers if power not in hosted.persons]
    if unknown:
        raise SeatRefused(_POWER_UNKNOWN(power=unknown[0]))
    if deal in ("taken", "host"):
        taken = powers[0] if powers else ""
        others = {player.power for player in hosted.players if player.number != tenure.number}
        if taken and taken in others:
            raise SeatRefused(_POWER_TAKEN(taken=taken))
        return replace(tenure, power=str(taken))
    return replace(tenure, preferences=tuple(map(str, powers)) if deal == "preferences" else ())


def leave_game(hosted: HostedGame, number: int, now: datetime) -> SeatingChange:
    """Remove a player from a lobby, or from the waiting list; only their messages stay. Raise `Over`."""
    if number not in {reserve.number for reserve in hosted.reserves}:
        require_forming(hosted)
    after, moved = with_reserves(without(hosted, (number,)))
    timing = after.timing
    if timing is not None and timing.state is GameState.READY_CHECK and len(after.players) < len(after.persons):
        after = after.with_timing(replace(timing, state=GameState.FORMING, expires=now + FORMING_FOR, here=frozenset()))
    return after, _change(forget=(number,), drop_keys=(f"{TENURE}{number}",), tenures=moved), None


def without(hosted: HostedGame, numbers: Collection[int]) -> HostedGame:
    """Return the game without the tenures with these numbers."""
    return replace(hosted, tenures=tuple(tenure for tenure in hosted.tenures if tenure.number not in numbers))


def choose_computer(hosted: HostedGame, computer: str) -> SeatingChange:
    """Set the computer player that takes the free seats when the game begins; raise `Over`."""
    require_forming(hosted)
    settings = hosted.settings.model_copy(update={"computer": computer})
    return replace(hosted, settings=settings), GameChange(columns={"settings": settings.model_dump()}), None


def start_game(hosted: HostedGame, now: datetime, dice: Callable[[], Dice], computer: str) -> SeatingChange:
    """Start a game: assign the powers, give free seats to computer players, and open the first phase.

    In a live game the phase opens after a countdown.
    """
    require_forming(hosted)
    if not hosted.players or hosted.timing is None:
        raise SeatRefused(_PLAYERS_NONE())
    chance = hosted.game.dice or dice()
    deal = hosted.settings.deal
    taken = {player.number: Power(player.power) for player in hosted.players if player.power}
    open_powers = [power for power in hosted.persons if power not in taken.values()]
    preferences = {
        player.number: [Power(preference) for preference in player.preferences]
        for player in hosted.players
        if player.number not in taken
    }

    def shuffle(label: str, names: Sequence[str]) -> Sequence[str]:
        return chance.shuffle(f"seats|{label}", names)

    seats = {**taken, **assign_powers(preferences, open_powers, shuffle)}
    players = tuple(replace(player, power=str(seats[player.number])) for player in hosted.players)
    left_open = {power: computer for power in hosted.persons if power not in seats.values()}
    computers = {**hosted.computers, **left_open}
    kind = hosted.game.position.phase.kind
    year = hosted.game.position.phase.year
    opens = now + (START_COUNTDOWN if is_live(hosted.timing.schedule) else timedelta(0))
    timing = begin_game(hosted.timing.schedule, seats.values(), kind, opens, year)
    timing = open_phase(replace(timing, absences=hosted.granted_leave), kind, opens, year, first=True)
    after = replace(hosted.with_tenures(*players), computers=computers, timing=timing)
    named = Series(_PLAYS_CLAUSE(player=_sign(player), power=Power(player.power)) for player in players)
    entries = [StoredEntry("begun", _BEGUN_HIDDEN() if hosted.settings.anonymous else _BEGUN(players=named))]
    if deal == "preferences":
        squares = sum_of_squares(preferences, seats)
        entries.append(StoredEntry("dealt", _DEALT(squares=squares)))
    change = _change(
        *entries,
        tenures=players,
        computers={str(power): player for power, player in computers.items()},
        drop_keys=(INVITED,),
    )
    return after, change, None


# While it goes on


class Seat:
    """The seat of one power of a game that has begun, and the actions that pass it to another player."""

    def __init__(self, hosted: HostedGame, power: Power) -> None:
        self.hosted, self.power = hosted, power
        mine = [tenure for tenure in hosted.players if tenure.power == power]
        self.sitter = next((tenure for tenure in mine if tenure.kind == "sitter"), None)
        self.holder = next((tenure for tenure in mine if tenure.kind != "sitter"), None)

    def act(
        self, act: SeatAct, credentials: Credentials, digest: str = "", computer: str = "", reason: str = ""
    ) -> SeatingChange:
        """Perform an action on this seat; raise `NotYours` and `SeatRefused`. A removal may have a `reason`.

        The holder may resign, lend the seat, take it back, offer it to a replacement player and withdraw the offer. The
        host may do everything but resign and lend. A sitter may give the seat back.
        """
        own = self.holder is not None and self.holder.number == credentials.player
        if act in ("resign", "lend") and not own:
            raise NotYours(_PLAYER_ONLY(power=self.power))
        if act in ("remove", "computer") and not credentials.all_seats:
            raise NotYours(_HOST_ONLY())
        lent = act == "take back" and self.sitter is not None and self.sitter.number == credentials.player
        if not own and not credentials.all_seats and not lent:
            raise NotYours(_PLAYER_OR_HOST_ONLY(power=self.power))
        if act == "computer":
            return self.played_by(computer)
        if act == "resign" or act == "remove":  # noqa: PLR1714  # mypy narrows this form
            return self.vacate(act, reason if act == "remove" else "")
        return self.taken_back() if act == "take back" else self.offer(act, digest)

    def vacate(self, act: Literal["resign", "remove", "vote"], reason: str = "") -> SeatingChange:
        """Make the seat vacant: its orders so far stay, and the game does not wait for it.

        The `reason` of a removal is public.
        """
        parts = {"player": self._sign(self._require_holder(), first=act == "resign"), "power": self.power}
        text = {"resign": _RESIGNED, "remove": _REMOVED, "vote": _VOTED_OUT}[act](**parts)
        reason = " ".join(reason.split())[:LONGEST_REASON]
        if reason:
            text = _REMOVED_FOR(**parts, reason=Quoted(reason))
        kind = "resign" if act == "resign" else "remove"
        after, change, _ = self._replace_holders((), StoredEntry(kind, text), Holder.NOBODY)
        person = None if self.holder is None else self.holder.person
        if act == "resign" or person is None:
            return after, change, None
        about = {"power": self.power, "game": Quoted(self.hosted.name)}
        why = (_VOTED_OUT_YOU if act == "vote" else _REMOVED_YOU)(**about)
        because = (_REASON(reason=Quoted(reason)),) if reason else ()
        body = join_paragraphs((why, *because, f"{HERE}/games/{self.hosted.id}\n"))
        notice = Notification(person, f"seat removed {self.power}", _REMOVED_SUBJECT(**about), body)
        return after, replace(change, notices=(notice,)), None

    def offer(self, act: Literal["lend", "offer", "withdraw"], digest: str) -> SeatingChange:
        """Store a key that offers the seat for a while or for good, or withdraw all offers."""
        if act == "lend":
            if self.sitter is not None:
                raise SeatRefused(_SEAT_LENT_ALREADY(power=self.power, player=self.hosted.public_name(self.sitter)))
            self._require_holder()
        mark = FOR_A_WHILE if act == "lend" else FOR_GOOD
        both = (f"{FOR_GOOD}{self.power}", f"{FOR_A_WHILE}{self.power}")
        if act == "withdraw":
            return self.hosted, _change(drop_keys=both), None
        offer = StoredKey(digest, f"{mark}{self.power}")
        return self.hosted, _change(drop_keys=(offer.power,), add_keys=(offer,)), None

    def taken_back(self) -> SeatingChange:
        """End the sitter's tenure, so that the holder plays again."""
        if self.sitter is None:
            raise SeatRefused(_SEAT_NOT_LENT(power=self.power))
        sitter, holder = self._sign(self.sitter, first=True), self._sign(self._require_holder())
        entry = StoredEntry("taken back", _TAKEN_BACK(sitter=sitter, power=self.power, holder=holder))
        ended = self._end_tenure(self.sitter)
        change = _change(entry, tenures=(ended,), drop_keys=(f"{TENURE}{ended.number}",))
        return self.hosted.with_tenures(ended), change, None

    def accept(self, newcomer: Newcomer, *, for_good: bool) -> SeatingChange:
        """Give the seat to the player who accepted an offer, for good or while it is lent; raise `SeatRefused`.

        A player who has seen the game from another seat is refused.
        """
        hosted = self.hosted
        _require_player(hosted, newcomer)
        seen = [tenure for tenure in hosted.tenures if tenure.person is not None and tenure.person == newcomer.person]
        others = [tenure for tenure in seen if tenure.kind not in SEATLESS and tenure.power != self.power]
        if others:
            raise SeatRefused(_SEAT_SEEN_AS_OTHER(other=others[0].power, power=self.power))
        waited = tuple(self._end_tenure(tenure) for tenure in seen if tenure.kind == "reserve" and tenure.until is None)
        if any(tenure.until is None and tenure.power == self.power for tenure in seen):
            raise SeatRefused(_SEAT_PLAYED_ALREADY(power=self.power))
        before = [tenure for tenure in hosted.players if tenure.power != self.power]
        called = name_of(newcomer.name, hosted.rules.names, _names(hosted, before))
        kind: Literal["substitute", "sitter"] = "substitute" if for_good else "sitter"
        tenure = StoredTenure(
            _next_number(hosted), called, kind, str(self.power), newcomer.person, since=hosted.phase_number
        )
        key = StoredKey(newcomer.digest, f"{TENURE}{tenure.number}")
        if for_good:
            about = {"player": self._sign(tenure, first=True), "power": self.power}
            absent = self.holder if hosted.is_vacant(self.power) and not hosted.names_hidden else None
            words = _SUBSTITUTE(**about) if absent is None else _IN_PLACE_OF_ABSENT(**about, former=self._sign(absent))
            entry = StoredEntry("substitute", words)
            return self._replace_holders((*waited, tenure), entry, Holder.PERSON, (key,))
        sitter, holder = self._sign(tenure, first=True), self._sign(self._require_holder())
        entry = StoredEntry("lent", _LENT(sitter=sitter, power=self.power, holder=holder))
        change = _change(entry, tenures=(tenure,), add_keys=(key,), drop_keys=(f"{FOR_A_WHILE}{self.power}",))
        return hosted.with_tenures(tenure), change, None

    def claim(self, newcomer: Newcomer, credentials: Credentials) -> SeatingChange:
        """Record the name of a player who had only the seat's link, and revoke it; raise the errors of `accepted`."""
        hosted = self.hosted
        if self.power not in credentials.powers or hosted.seating != LINKS:
            raise NotYours(_CLAIM_LINK_ONLY(power=self.power))
        if self.holder is not None:
            raise SeatRefused(_SEAT_CLAIMED(player=_first(hosted.public_name(self.holder)), power=self.power))
        _require_player(hosted, newcomer)
        called = name_of(newcomer.name, hosted.rules.names, _names(hosted, hosted.players))
        if newcomer.person is not None and any(tenure.person == newcomer.person for tenure in hosted.players):
            raise SeatRefused(_SEAT_HELD_ALREADY())
        tenure = StoredTenure(
            _next_number(hosted), called, "player", str(self.power), newcomer.person, since=hosted.phase_number
        )
        key = StoredKey(newcomer.digest, f"{TENURE}{tenure.number}")
        entry = StoredEntry("claimed", _PLAYS(player=self._sign(tenure, first=True), power=self.power))
        change = _change(entry, tenures=(tenure,), add_keys=(key,), drop_keys=(str(self.power),))
        return hosted.with_tenures(tenure), change, None

    def played_by(self, computer: str) -> SeatingChange:
        """Replace the players of the seat by a computer player."""
        entry = StoredEntry("computer", _COMPUTER_PLAYS(power=self.power))
        return self._replace_holders((), entry, None, computer=computer)

    def _replace_holders(
        self,
        new: tuple[StoredTenure, ...],
        entry: StoredEntry,
        holder: Holder | None,
        keys: tuple[StoredKey, ...] = (),
        computer: str = "",
    ) -> SeatingChange:
        """End the tenures of this seat and add the `new` ones."""
        hosted = self.hosted
        ended = tuple(self._end_tenure(tenure) for tenure in (self.holder, self.sitter) if tenure is not None)
        offers = (f"{FOR_GOOD}{self.power}", f"{FOR_A_WHILE}{self.power}") if new or computer else ()
        after = replace(hosted.with_tenures(*ended, *new), computers={**hosted.computers, self.power: computer})
        if after.timing is not None:
            before = after.timing.seats.get(self.power) or fresh(after.timing.schedule)
            seat = replace(
                before, holder=holder or Holder.COMPUTER, missed=0, forgiven=0
            )  # the seat keeps its extensions and time bank
            after = after.with_timing(replace(after.timing, seats={**after.timing.seats, self.power: seat}))
        change = _change(
            entry,
            tenures=(*ended, *new),
            computers={str(self.power): computer},
            add_keys=keys,
            drop_keys=(*(f"{TENURE}{tenure.number}" for tenure in ended), str(self.power), *offers),
        )
        return after, change, None

    def _end_tenure(self, tenure: StoredTenure) -> StoredTenure:
        return replace(tenure, until=self.hosted.phase_number)

    def _sign(self, tenure: StoredTenure, *, first: bool = False) -> str:
        """Return the game log's sign for a player, at the beginning of a sentence (`first`) or in it.

        In an anonymous game it is the same for all.
        """
        if not self.hosted.settings.anonymous:
            return _sign(tenure)
        return _SOMEBODY_FIRST() if first else _SOMEBODY()

    def _require_holder(self) -> StoredTenure:
        if self.holder is None:
            raise SeatRefused(_SEAT_UNNAMED(power=self.power))
        return self.holder


_ENDS = frozenset({"resign", "remove", "computer", "substitute"})
"""The kinds of entries of the game log by which the tenure of a holder and that of a sitter end."""


def find_end(
    tenure: StoredTenure, tenures: Sequence[StoredTenure], journal: Sequence[JournalEntry]
) -> JournalEntry | None:
    """Return the entry of the game log by which a tenure ended; None while it lasts, or without such an entry.

    It depends on nothing that came after the end.
    """
    if tenure.until is None:
        return None
    entries = [entry for entry in journal if getattr(entry.statement, "parts", {}).get("power") == tenure.power]
    begins = {"substitute": "substitute", "sitter": "lent"}.get(tenure.kind)
    if begins is not None:
        alike = sorted(one.number for one in tenures if (one.kind, one.power) == (tenure.kind, tenure.power))
        starts = [place for place, entry in enumerate(entries) if entry.kind == begins]
        place = alike.index(tenure.number)
        entries = entries[starts[place] + 1 :] if place < len(starts) else []
    ends = _ENDS | {"taken back"} if tenure.kind == "sitter" else _ENDS
    return next((entry for entry in entries if entry.kind in ends), None)


def _sign(tenure: StoredTenure) -> Quoted:
    """Return the game log's placeholder for a player's name, which may be deleted while the log stays."""
    return Quoted(f"<{tenure.number}>")


def _first(words: str) -> str:
    """Return words with a capital letter, to begin a sentence."""
    return words[0].upper() + words[1:]


def _names(hosted: HostedGame, players: Iterable[StoredTenure]) -> list[str]:
    """Return the names a new player cannot have; none in an anonymous game, where a refusal would reveal a name."""
    return [] if hosted.settings.anonymous else [player.name for player in players]


def with_names(text: str, tenures: Sequence[StoredTenure]) -> str:
    """Return a sentence of the game log with the names of its players in place of their placeholders."""
    names: dict[str, str] = {_sign(tenure): tenure.name for tenure in tenures}

    def name(part: str) -> str:
        if re.fullmatch(r"<\d+>", part):
            return names.get(part) or _WHO_LEFT()
        return re.sub(r"<\d+>", lambda match: names.get(match[0], LEFT), part)

    return replace_texts(text, name)


def _next_number(hosted: HostedGame) -> int:
    return 1 + max((tenure.number for tenure in hosted.tenures), default=0)


def _player(hosted: HostedGame, number: int) -> StoredTenure:
    for player in hosted.players:
        if player.number == number:
            return player
    raise SeatRefused(_PLAYER_NUMBER_UNKNOWN())

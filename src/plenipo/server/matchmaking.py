"""The seats of games that strangers may take, the notices about them, and the requirements of a game."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from plenipo.engine.position import Power
from plenipo.engine.sentences import Quoted, SentenceKind
from plenipo.server import reliability
from plenipo.server.clock import Clock
from plenipo.server.errors import SeatRefused
from plenipo.server.games import Games
from plenipo.server.hosted_game import Credentials, GameView, HostedGame
from plenipo.server.hosting.joining import join_paragraphs
from plenipo.server.hosting.matchmaking import OpenSeat, wanted_of
from plenipo.server.hosting.schedule import Schedule
from plenipo.server.hosting.schedule_words import hours_in_words
from plenipo.server.hosting.settings import asked_in_words
from plenipo.server.hosting.tick import BEFORE, GameState, Holder, TimedGame
from plenipo.server.store import HERE, GameChange, Notification, SeatsChanged
from plenipo.server.store.matchmaking import OFFERED, MatchmakingStore
from plenipo.server.store.moderation import Moderation
from plenipo.server.store.persons import Persons
from plenipo.server.store.reliability import Reliability, Standings

__all__ = ["Matchmaking", "may_be_taken", "notify_seekers", "of_seats", "open_seats"]

_PLAYER_BLOCKED = SentenceKind("server-player-blocked", "The host of this game has blocked you; choose another game.")
_SEAT_OPEN_SUBJECT = SentenceKind("server-seat-open-subject", "{game}: a seat is open")
_SEAT_OPEN = SentenceKind("server-seat-open", "In {game} a seat can be taken: {title}, moves {hours}.")
_POWERS_OPEN = SentenceKind("server-powers-open", "In {game} {powers} can be taken: {title}, moves {hours}.")

YEAR = timedelta(days=365)
"""The period over which reliability is measured."""

_GOES_ON = (GameState.RUNNING, GameState.PAUSED)


def may_be_taken(hosted: HostedGame, offered: Collection[str] = ()) -> tuple[Power, ...]:
    """Return the surviving powers of a running game whose seats are vacant or `offered`."""
    return _list_open(hosted, hosted.timing, offered)


def _list_open(hosted: HostedGame, timing: TimedGame | None, offered: Collection[str]) -> tuple[Power, ...]:
    if timing is None or timing.state not in _GOES_ON or hosted.game.over:
        return ()
    vacant = {power for power, seat in timing.seats.items() if seat.holder is Holder.NOBODY}
    survives = hosted.game.position.survives
    return tuple(power for power in hosted.rules.names if (power in vacant or power in offered) and survives(power))


def open_seats(
    hosted: HostedGame, offered: Collection[str] = (), seen: HostedGame | None = None
) -> tuple[OpenSeat, ...]:
    """Return the open seats of a listed game: one entry while it has not begun, then one for each power.

    `seen` is the game as spectators see it, perhaps delayed; None if they see nothing of it.
    """
    rules, timing, position = hosted.rules, hosted.timing, (seen or hosted).game.position
    about: dict[str, Any] = {
        "game": hosted.id,
        "name": hosted.name,
        "variant": rules.variant,
        "title": rules.title,
        "phase": "" if seen is None else str(position.phase),
        "seats": len(hosted.persons if hosted.forming else rules.names),
        "schedule": timing.schedule if timing else Schedule(),
        "language": hosted.settings.language,
        "press": hosted.settings.press,
        "asked": asked_in_words(hosted.settings),
    }
    if hosted.forming:
        taken = {player.power for player in hosted.players}
        missing = len(hosted.persons) - len(hosted.players)
        free = tuple(power for power in hosted.persons if power not in taken) if hosted.settings.deal == "taken" else ()
        return (OpenSeat(**about, free=free, missing=missing),) if missing else ()
    due = None if seen is None or seen.late else hosted.columns["due"]
    public = seen is not None and seen.public
    # that a player has submitted orders for a vacant seat is a secret of an anonymous game until the phase ends
    shown = timing.without_marks() if timing is not None and hosted.names_hidden else timing
    return tuple(
        OpenSeat(**about, power=power, due=due, centres=len(position.centres_of(power)) if public else None)
        for power in _list_open(hosted, shown, offered)
    )


def of_seats(
    before: HostedGame | None,
    after: HostedGame,
    change: GameChange,
    seekers: Mapping[str, Mapping[str, str]],
    day: str = "",
) -> tuple[Notification, ...]:
    """Return the notices to people on the waiting list about newly open seats.

    `seekers` are the searches; people who have been in the game get no notice. For a seat that was left before the
    game began there is one notice a `day`.
    """
    kind = f"open {day}" if before is not None and after.forming else "open"
    new_keys = SeatsChanged.of(change).add_keys
    offers = {key.power.removeprefix(OFFERED) for key in new_keys if key.power.startswith(OFFERED)}
    known = {seat.power for seat in open_seats(before, (), before)} if before is not None else set()
    new = [seat for seat in open_seats(after, offers, after) if seat.power not in known]
    here = {tenure.person for tenure in after.tenures}
    notices = []
    for person, values in seekers.items():
        seats = [seat for seat in new if wanted_of(**values).fits(seat)]
        if not seats or person in here:
            continue
        game, title = Quoted(after.name), Quoted(after.rules.title)
        hours = hours_in_words(seats[0].schedule)
        words = _SEAT_OPEN(game=game, title=title, hours=hours)
        if not after.forming:
            powers = tuple(Power(seat.power) for seat in seats)
            words = _POWERS_OPEN(game=game, powers=powers, title=title, hours=hours)
        body = join_paragraphs((words, f"{HERE}/games/{after.id}\n"))
        notices.append(Notification(person, kind, _SEAT_OPEN_SUBJECT(game=game), body))
    return tuple(notices)


def notify_seekers(
    finding: MatchmakingStore, clock: Clock, before: HostedGame | None, after: HostedGame, change: GameChange
) -> GameChange:
    """Add to a change the notices to people who look for seats that were not open `before`."""
    seats = SeatsChanged.of(change)
    offers = before is None or bool(seats.add_keys or seats.forget)
    if after.settings.listed != "listed" or not (offers or may_be_taken(after)):
        return change
    notices = of_seats(before, after, change, finding.sought(), clock.now().date().isoformat())
    return replace(change, notices=(*change.notices, *notices))


class Matchmaking:
    """The open seats of the games of one store, and who may take them; safe to use from several threads.

    `find_visible` returns a game as its viewer may see it.
    """

    def __init__(self, games: Games, find_visible: Callable[[str, Credentials], HostedGame]) -> None:
        self.games, self._find_visible = games, find_visible
        self._store, self._standings = games.store.of(MatchmakingStore), games.store.of(Standings)
        self._persons, self._moderation = games.store.of(Persons), games.store.of(Moderation)

    def reliability(self, person: str | None) -> Reliability:
        """Return a person's reliability in the last 12 months; empty if it is not known."""
        since = self.games.clock.now() - YEAR
        return Reliability() if person is None else self._standings.reliability(person, since)

    def require_welcome(self, game_id: str, credentials: Credentials) -> None:
        """Raise `SeatRefused` for a player who does not meet the requirements of a game; its host always may join."""
        person, settings = credentials.person, self.games.load(game_id).settings
        if not credentials.all_seats:
            self.require_unblocked(game_id, person)
            reliability.require_welcome(settings, self.reliability(person), member=self._persons.is_member(person))

    def require_unblocked(self, game_id: str, person: str | None) -> None:
        """Raise `SeatRefused` for a person whom the host has blocked."""
        tenures = self.games.load(game_id).tenures
        hosts = [one.person for one in tenures if one.kind == "host" and one.until is None and one.person]
        if person is not None and hosts and self._moderation.is_blocked(person, hosts):
            raise SeatRefused(_PLAYER_BLOCKED())

    def finds(self, game_id: str, credentials: Credentials) -> bool:
        """Return whether a person finds a game without its link."""
        hosted, person = self.games.load(game_id), credentials.person
        if any(reserve.number in credentials.tenures for reserve in hosted.reserves):
            return True
        listed = hosted.settings.listed
        return listed == "listed" or (listed == "members" and self._persons.is_member(person))

    def open_seats(self, person: str | None) -> tuple[OpenSeat, ...]:
        """Return the open seats of the games that a person finds."""
        known = self._store
        ids = known.list_games(_GOES_ON, members=self._persons.is_member(person), forming=BEFORE)
        offered = known.list_offered_seats(ids)
        found = self.games.open_each(
            ids, lambda hosted: open_seats(hosted, offered.get(hosted.id, ()), self._shown_in_lists(hosted))
        )
        return tuple(seat for seats in found.values() for seat in seats)

    def _shown_in_lists(self, hosted: HostedGame) -> HostedGame | None:
        """Return a game as lists show it; None if they show nothing of it."""
        hidden = hosted.settings.spectators == "nobody" and not hosted.looked_on
        return None if hidden else self._find_visible(hosted.id, Credentials())

    def list_watchable_games(self, person: str | None) -> tuple[GameView, ...]:
        """Return the running listed games that are open to all spectators, as a spectator sees them."""
        ids = self._store.list_games(_GOES_ON, members=self._persons.is_member(person))
        found = self.games.open_each(ids, self._view_if_public)
        return tuple(view for view in found.values() if view is not None)

    def _view_if_public(self, hosted: HostedGame) -> GameView | None:
        """Return a game as a spectator sees it; None if it is not open to all spectators."""
        public = hosted.settings.spectators == "public"
        return self._find_visible(hosted.id, Credentials()).view(None, Credentials()) if public else None

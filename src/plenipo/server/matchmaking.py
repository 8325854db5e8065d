"""The seats of a game that strangers may take, and the notices about them; pure functions of hosted games."""

from collections.abc import Collection, Mapping
from typing import Any

from plenipo.engine.position import Power
from plenipo.engine.sentences import Quoted, SentenceKind
from plenipo.server.hosted_game import HostedGame
from plenipo.server.hosting.joining import join_paragraphs
from plenipo.server.hosting.matchmaking import OpenSeat, wanted_of
from plenipo.server.hosting.schedule import Schedule
from plenipo.server.hosting.schedule_words import hours_in_words
from plenipo.server.hosting.settings import asked_in_words
from plenipo.server.hosting.tick import GameState, Holder
from plenipo.server.store import HERE, GameChange, Notification, SeatsChanged
from plenipo.server.store.matchmaking import OFFERED

__all__ = ["may_be_taken", "of_seats", "open_seats"]

_SEAT_OPEN_SUBJECT = SentenceKind("server-seat-open-subject", "{game}: a seat is open")
_SEAT_OPEN = SentenceKind("server-seat-open", "In {game} a seat can be taken: {title}, moves {hours}.")
_POWERS_OPEN = SentenceKind("server-powers-open", "In {game} {powers} can be taken: {title}, moves {hours}.")

_GOES_ON = (GameState.RUNNING, GameState.PAUSED)


def may_be_taken(hosted: HostedGame, offered: Collection[str] = ()) -> tuple[Power, ...]:
    """Return the surviving powers of a running game whose seats are vacant or `offered`."""
    timing = hosted.timing
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
        "seats": len(rules.names),
        "schedule": timing.schedule if timing else Schedule(),
        "language": hosted.settings.language,
        "press": hosted.settings.press,
        "asked": asked_in_words(hosted.settings),
    }
    if hosted.forming:
        taken = {player.power for player in hosted.players}
        missing = len(rules.names) - len(hosted.players)
        free = tuple(power for power in rules.names if power not in taken) if hosted.settings.deal == "taken" else ()
        return (OpenSeat(**about, free=free, missing=missing),) if missing else ()
    due = None if seen is None or seen.late else hosted.columns["due"]
    public = seen is not None and seen.public
    return tuple(
        OpenSeat(**about, power=power, due=due, centres=len(position.centres_of(power)) if public else None)
        for power in may_be_taken(hosted, offered)
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

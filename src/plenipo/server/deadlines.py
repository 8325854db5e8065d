"""Changes of a hosted game by time: due phases, reminders, and moved deadlines. Pure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from plenipo.bots import Bot
from plenipo.engine.orders import Enter
from plenipo.engine.phases.step import drawn_by_hand
from plenipo.engine.position import GAME_MASTER, Power
from plenipo.engine.sentences import Quoted, SentenceKind
from plenipo.errors import PhaseNotOver
from plenipo.server import ready_check
from plenipo.server.errors import NoDeadline, NotYours
from plenipo.server.hosted_game import Credentials, HostedGame, SeatOrderSet
from plenipo.server.hosting.joining import join_clauses, join_lines, join_paragraphs, join_sentences
from plenipo.server.hosting.motions import why_not_then
from plenipo.server.hosting.schedule_words import instant_in_words
from plenipo.server.hosting.tick import DueChange, GameState, TimeAct, tick, waiting
from plenipo.server.permissions import is_early, require_phase
from plenipo.server.processing import end_in_draw, process_phase
from plenipo.server.reliability import find_attendance
from plenipo.server.store import HERE, GameChange, Notification, StoredEntry
from plenipo.server.store.reliability import DeadlineMet
from plenipo.server.texts import instant_with_year

__all__ = [
    "CANNOT_END",
    "NothingDue",
    "by_dice",
    "change_timing",
    "due",
    "notify_vacated",
    "processed_by_hand",
    "reminders",
    "require_may_set",
    "wake_of",
]

_DEADLINES_NONE = SentenceKind("server-deadlines-none", "This game has no deadlines.")
_DEADLINE_UNNAMED = SentenceKind("server-deadline-unnamed", "Name the date and time of the deadline.")
_DEADLINE_OF_PAUSED = SentenceKind(
    "server-deadline-of-paused", "The game is paused and its deadline stands still; resume it before you set another."
)
_EARLIER_BY_PLAYER = SentenceKind(
    "server-deadline-earlier", "A host who plays cannot move the deadline to an earlier time; it is {instant}."
)
_MOVED_TO = SentenceKind("server-log-moved-to", "It is now {instant}.")
_GOES_ON = SentenceKind("server-log-goes-on", "It goes on {instant}.")
_DRAWN = SentenceKind("server-log-drawn", "Drawn by the dice of the game, under '{text}': {orders}.")
_PROCESSED = {
    ("host", False): SentenceKind("server-log-processed", "The host processed {phase}."),
    ("host", True): SentenceKind("server-log-processed-early", "The host processed {phase} before it was due."),
    ("game master", False): SentenceKind("server-log-gm-processed", "The game master processed {phase}."),
    ("game master", True): SentenceKind(
        "server-log-gm-processed-early", "The game master processed {phase} before it was due."
    ),
}
_REASON = SentenceKind("server-log-reason", "The reason: {reason}")
_REMINDER = SentenceKind("server-reminder", "{game}: your orders for {phase}", note="The subject of an email.")
_DUE = SentenceKind("server-reminder-due", "{phase} of {game} is due on {instant}.")
_NOT_DUE = SentenceKind("server-reminder-not-due", "{phase} of {game} has no deadline.")
_NOT_READY = SentenceKind(
    "server-reminder-not-ready",
    "You play {power}, and have not said that you are ready. Orders that you have saved count anyway.",
)


_VACATED = SentenceKind(
    "server-log-vacated", "{power} is vacant after too many NMRs in a row; a replacement player can take the seat."
)
_LOST = SentenceKind("server-seat-lost", "{game}: you no longer play {power}", note="The subject of an email.")
_LOST_WHY = SentenceKind(
    "server-seat-lost-why",
    "You submitted no orders for {power} in {game} for too many phases in a row, so your seat is vacant. "
    "Until a replacement player takes it, you can go on playing.",
)
_VACANT = SentenceKind("server-seat-vacant", "{game}: {power} is vacant", note="The subject of an email.")
_VACANT_WHY = SentenceKind(
    "server-seat-vacant-why",
    "{power} in {game} is vacant after too many NMRs in a row. "
    "In the GM tools you can find a replacement player or let a computer play.",
)

BY_DICE = "for the game master"
"""The prefix of the labels of draws that the dice make in place of a game master."""


CANNOT_END = SentenceKind(
    "server-cannot-end", "The phase cannot end yet: a choice or a draw is missing, and has no default."
)()
"""The reason of a phase that cannot end, where the missing power is not named."""


class NothingDue(Exception):  # noqa: N818  # it says that nothing is wrong
    """No change of the game is due."""


def change_timing(
    hosted: HostedGame, phase_number: int, act: TimeAct, now: datetime
) -> tuple[HostedGame, GameChange, HostedGame]:
    """Return the game after a host's change to its time; raise `NoDeadline`, and errors of `require_phase`."""
    require_phase(hosted, phase_number)
    if hosted.timing is None:
        raise NoDeadline(_DEADLINES_NONE())
    if act.kind == "set" and (act.until is None or hosted.timing.state is GameState.PAUSED):
        raise NoDeadline(_DEADLINE_UNNAMED() if act.until is None else _DEADLINE_OF_PAUSED())
    if act.until is not None and (fault := why_not_then("tomorrow", act.until, now, hosted.timing.schedule.zone)):
        raise NoDeadline(fault)
    after = hosted.with_timing(act.apply(hosted.timing, now))
    until = after.timing.phase.due if after.timing is not None else None
    moved: str = _MOVED_TO(instant=instant_with_year(until)) if act.kind in ("extend", "set") and until else ""
    if act.kind == "pause" and act.until is not None:
        moved = _GOES_ON(instant=instant_in_words(act.until, hosted.timing.schedule.zone))
    return after, GameChange(entries=(StoredEntry(act.kind, join_sentences((act.why, moved))),)), after


def require_may_set(hosted: HostedGame, credentials: Credentials, act: TimeAct) -> None:
    """Raise `NotYours` for a host who plays and would set the deadline to an earlier time."""
    due = None if hosted.timing is None else hosted.timing.phase.due
    if act.kind == "set" and credentials.powers and due is not None and act.until is not None and act.until < due:
        raise NotYours(_EARLIER_BY_PLAYER(instant=instant_with_year(due)))


def _entries(act: DueChange) -> tuple[StoredEntry, ...]:
    """Return the game log's entry of a change by time; it does not reveal who is ready."""
    return () if act.kind == "ready" else (StoredEntry(act.kind, act.why),)


def wake_of(hosted: HostedGame, now: datetime) -> datetime | None:
    """Return the next instant at which time changes a game; at once if a change is due."""
    if hosted.timed_game is None:
        return None
    act, wake = tick(hosted.timed_game, now)
    return now if act else wake


def due(
    hosted: HostedGame, now: datetime, away: timedelta, player: Callable[[str], Bot]
) -> tuple[HostedGame, GameChange, tuple[DueChange, int, int]]:
    """Return the due change of a game, and who met a deadline by it; raise `NothingDue`."""
    act = None if hosted.timed_game is None else tick(hosted.timed_game, now, away)[0]
    if act is None:
        raise NothingDue
    if hosted.names_hidden and act.unnamed:
        act = replace(act, why=act.unnamed)
    after, change, numbers = _apply_act(hosted, act, now, player)
    untold = hosted.names_hidden and act.kind == "ready" and not numbers[0].process
    attended = find_attendance(hosted, act)
    change = change.with_parts(DeadlineMet(attended)) if attended else change
    return after, replace(change, untold=untold), numbers


def _apply_act(
    hosted: HostedGame, act: DueChange, now: datetime, player: Callable[[str], Bot]
) -> tuple[HostedGame, GameChange, tuple[DueChange, int, int]]:
    """Return the game after a change by time."""
    if act.kind == "ready_check_over":
        after, change = ready_check.over(hosted, now)
        return (
            after,
            replace(change, entries=(*_entries(act), *change.entries)),
            (act, hosted.turn, hosted.phase_number),
        )
    if act.kind == "ended":
        after, change, (phase_number, turn) = end_in_draw(hosted, hosted.phase_number, None, now)
        return after, replace(change, entries=_entries(act)), (act, turn, phase_number)
    if act.process:
        try:
            after, change, (phase_number, turn) = process_phase(hosted, hosted.phase_number, now, player, act)
        except PhaseNotOver as fault:
            by_lot = by_dice(hosted) if act.game.dice_draw else None
            if by_lot is not None:
                after, change, (phase_number, turn) = process_phase(by_lot, by_lot.phase_number, now, player, act)
                entries = (*change.entries, *_entries(act), _make_draw_entry(by_lot))
                return after, replace(change, entries=entries), (act, turn, phase_number)
            # a choice or a draw is missing that nothing can stand for; that is said once
            needs = map(Power, fault.powers or hosted.waited_for or hosted.persons)
            why = fault.sentence if act.kind == "ready" else join_sentences((act.why, fault.sentence))
            why = CANNOT_END if hosted.names_hidden else why
            act = replace(act, process=False, game=waiting(act.game, needs), why=why)
        else:
            vacated = tuple(
                p for p in act.game.seats if hosted.with_timing(act.game).is_vacant(p) and not hosted.is_vacant(p)
            )
            entries = (*change.entries, *_entries(act), *_log_vacated(vacated))
            notices = (*change.notices, *notify_vacated(hosted, vacated))
            return after, replace(change, entries=entries, notices=notices), (act, turn, phase_number)
    said = hosted.timing is not None and hosted.timing.phase.over
    change = GameChange(entries=_entries(act), notices=() if said else _make_notices(hosted, act))
    return hosted.with_timing(act.game), change, (act, hosted.turn, hosted.phase_number)


def by_dice(hosted: HostedGame) -> HostedGame | None:
    """Return the game with all the game master's missing draws made by the dice; None if that is not enough."""
    dice, position = hosted.game.dice, hosted.game.position
    orders = list(hosted.orders().get(GAME_MASTER, ()))
    while dice is not None:
        due = drawn_by_hand(hosted.rules, position, {**hosted.orders(), GAME_MASTER: tuple(orders)}).due
        if due is None:
            return hosted.with_order_set(GAME_MASTER, SeatOrderSet(tuple(orders), ready=True))
        if not due.label or any(isinstance(order, Enter) and order.label == due.label for order in orders):
            return None
        label = f"{BY_DICE}|{position.phase}|{due.label}"
        result = dice.shuffle(label, due.slips)[: due.cards or 1]
        orders.append(Enter(due.label, ", ".join(result)))
    return None


def _make_draw_entry(hosted: HostedGame) -> StoredEntry:
    """Return the game log's entry of draws by the dice; the seed and these labels allow anyone to verify them."""
    results = [str(order) for order in hosted.orders()[GAME_MASTER]]
    label = f"{BY_DICE}|{hosted.game.position.phase}|…"
    drawn = _DRAWN(text=Quoted(label), orders=join_clauses(results))
    return StoredEntry("drawn", drawn)


def processed_by_hand(hosted: HostedGame, now: datetime, reason: str) -> tuple[StoredEntry, ...]:
    """Return the game log's entry when a host processes the open phase; empty in a game without deadlines."""
    if hosted.timing is None:
        return ()
    kind = _PROCESSED[hosted.settings.host, is_early(hosted, now)]
    why = _REASON(reason=Quoted(reason)) if reason else ""
    return (StoredEntry("processed", join_sentences((kind(phase=hosted.game.position.phase), why))),)


def _log_vacated(vacated: Sequence[Power]) -> tuple[StoredEntry, ...]:
    """Return the game log's entries of seats that are vacant after too many NMRs."""
    return tuple(StoredEntry("vacated", _VACATED(power=power)) for power in vacated)


def notify_vacated(hosted: HostedGame, vacated: Sequence[Power]) -> tuple[Notification, ...]:
    """Return the notifications of the players who lose their seats after too many NMRs, and of the hosts.

    A host who is the lost player gets only the player's.
    """
    notices: list[Notification] = []
    hosts = {one.person for one in hosted.tenures if one.kind == "host" and one.until is None}
    for power in vacated:
        about, player = {"power": power, "game": Quoted(hosted.name)}, hosted.actor(power)
        page = f"{HERE}/games/{hosted.id}"
        texts = dict.fromkeys(hosts, (_VACANT, _VACANT_WHY, f"{page}/gm-tools\n"))
        texts[player] = (_LOST, _LOST_WHY, f"{page}\n")
        notices += [
            Notification(person, f"seat vacated {power}", subject(**about), join_paragraphs((why(**about), address)))
            for person, (subject, why, address) in texts.items()
            if person is not None
        ]
    return tuple(notices)


def _make_notices(hosted: HostedGame, act: DueChange) -> tuple[Notification, ...]:
    """Return the notices of a change by time: reminders, and that the game waits for their recipients."""
    after, phase = hosted.with_timing(act.game), act.game.phase
    if act.reminded and phase.due is not None:
        return reminders(after, act.reminded, f"reminder {min(phase.reminded)}")
    stands = phase.needs or (act.game.late if phase.waiting else ())
    return reminders(after, stands, "waited for")


def reminders(hosted: HostedGame, powers: Iterable[Power], kind: str) -> tuple[Notification, ...]:
    """Return reminders to the players of these powers that their orders are missing."""
    phase, timing = hosted.game.position.phase, hosted.timing
    about = {"phase": phase, "game": Quoted(hosted.name)}
    due = _NOT_DUE(**about)
    if timing is not None and timing.phase.due is not None:
        due = _DUE(**about, instant=instant_in_words(timing.phase.due, timing.schedule.zone))
    return tuple(
        Notification(
            person,
            kind,
            _REMINDER(**about),
            join_paragraphs((join_lines((due, _NOT_READY(power=power))), f"{HERE}/games/{hosted.id}\n")),
        )
        for power in powers
        if (person := hosted.actor(power)) is not None
    )

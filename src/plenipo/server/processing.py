"""From the open phase to the next: processing, undoing, and a draw. Pure, apart from the dice of computers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from plenipo.bots import Bot
from plenipo.engine.calendar import PhaseKind, as_year
from plenipo.engine.history import record
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import Chain
from plenipo.engine.history.rulings import HistoryEntry
from plenipo.engine.position import GAME_MASTER, Power
from plenipo.engine.sentences import SentenceKind
from plenipo.errors import PhaseNotOver
from plenipo.server import conditional_orders
from plenipo.server.computers import COMPUTER, collect_computer_orders
from plenipo.server.errors import NotYours, Over, Stale
from plenipo.server.hosted_game import HOTSEAT, HostedGame, SeatOrderSet, legal_orders
from plenipo.server.hosting.joining import join_sentences
from plenipo.server.hosting.tick import DueChange, GameState, open_phase
from plenipo.server.order_corrections import as_read
from plenipo.server.permissions import now_at, require_phase
from plenipo.server.store import GameChange, HistoryChange, StoredEntry
from plenipo.server.store.conditional_orders import ConditionalOrdersGiven
from plenipo.server.store.deals import DealsUndone
from plenipo.server.store.order_corrections import ReasonsGiven
from plenipo.server.store.values import ChangePart

__all__ = ["GoneOn", "end_in_draw", "explain_missing", "goes_on_alone", "gone_on", "process_phase", "undo_turns"]

_GAME_MOVED_ON = SentenceKind("server-game-moved-on", "The game has moved on: {now}.")
_UNDO_HOTSEAT_ONLY = SentenceKind("server-undo-hotseat-only", "Only hotseat games can undo a turn.")
_UNDO_FIRST_PHASE = SentenceKind("server-undo-first-phase", "This is the first phase; there is no turn to undo.")

GoneOn = tuple[HostedGame, GameChange, tuple[int, int]]
"""A game after a change of its history, the change to store, and the numbers of the phase and turn open now."""


def goes_on_alone(hosted: HostedGame) -> bool:
    """Return whether the open phase needs nothing from people, not even a draw by hand, but people still play."""
    position = hosted.game.position
    if hosted.game.over or position.phase.kind is PhaseKind.DRAWS or hosted.drawing.due:
        return False
    return any(map(position.survives, hosted.persons)) and set(hosted.persons).isdisjoint(hosted.may_order)


def gone_on(
    hosted: HostedGame,
    game: Game,
    order_sets: Mapping[Power, SeatOrderSet],
    now: datetime,
    new: Sequence[HistoryEntry] = (),
) -> GoneOn:
    """Return a hosted game with `game` as its history, the change to store, and the numbers of phase and turn now open.

    `new` are the entries added to the history; if there are none, the entries that the history has lost are erased.
    """
    timing = hosted.timing
    game, entries_of_end = _end_after_last_year(hosted, game) if new else (game, ())
    order_sets = {**conditional_orders.prepare_order_sets(game, hosted.ahead), **order_sets}
    left = {} if game.over or game.position.phase.kind is PhaseKind.MOVEMENT else hosted.ahead
    if timing is not None:
        state = GameState.OVER if game.over else timing.state
        timing = replace(timing, absences=hosted.granted_leave)
        timing = replace(open_phase(timing, game.position.phase.kind, now, game.position.phase.year), state=state)
        timing = replace(timing, phase=replace(timing.phase, answered=bool(order_sets)))
    chain = hosted.chain or Chain.of(record.encode_game(hosted.game))
    if new or len(game.turns) == hosted.turn:
        keep = len(chain)
    else:
        keep = len(game.entries) if game.rulings else len(game.turns)
    chain, entries = chain.extend(new, keep)
    number = hosted.phase_number + 1
    after = replace(hosted, game=game, order_sets=order_sets, phase_number=number, timing=timing, chain=chain)
    after = replace(after, ahead=left, readings=())
    parts: list[ChangePart] = [] if left == hosted.ahead else [ConditionalOrdersGiven({})]
    if any(deal.turn > after.turn for deal in hosted.deals):
        after = replace(after, deals=tuple(deal for deal in hosted.deals if deal.turn <= after.turn))
        parts.append(DealsUndone(after.turn))
    change = GameChange(
        order_sets={str(power): order_set.to_stored() for power, order_set in order_sets.items()},
        history=HistoryChange(
            chain.after(game, entries), str(game.position.phase), len(game.turns), over=game.over, keep=keep
        ),
        parts=tuple(parts),
        entries=entries_of_end,
    )
    return after, change, (after.phase_number, after.turn)


_ENDED_AFTER = SentenceKind("server-log-ended-after", "The game ended after {year}, as it was set to.")


def _end_after_last_year(hosted: HostedGame, game: Game) -> tuple[Game, tuple[StoredEntry, ...]]:
    """End a history that has passed the last year of the game, and return it with the game log entries about that."""
    end = None if hosted.timing is None else hosted.timing.schedule.end
    if end is None or end.year is None or game.over or game.position.phase.year <= end.year:
        return game, ()
    return game.draw(game.survivors), (
        StoredEntry("ended", _ENDED_AFTER(year=as_year(end.year) if end.year < 0 else str(end.year))),
    )


def process_phase(
    hosted: HostedGame, phase_number: int, now: datetime, player: Callable[[str], Bot], act: DueChange | None = None
) -> GoneOn:
    """Process the open phase; at a deadline (`act`) computer players order for the powers that it names."""
    require_phase(hosted, phase_number)
    if act is not None:
        hosted = hosted.with_timing(act.game)
        stand_ins = dict.fromkeys(act.computers, COMPUTER)
    else:
        stand_ins = {}
    order_sets = {**hosted.orders(), **collect_computer_orders(hosted, {**hosted.computers, **stand_ins}, player)}
    read = as_read(hosted, order_sets)
    game = read.game.process(read.order_sets, hosted.journal[1])
    after, change, numbers = gone_on(hosted, game, {}, now, (*read.rulings, game.turns[-1]))
    change = replace(change, entries=(*read.entries, *change.entries))
    return after, change.with_parts(ReasonsGiven(read.reasons)) if read.reasons else change, numbers


_OPEN = SentenceKind(
    "server-draws-open",
    "The draws open when {powers} is ready.",
    "The draws open when {powers} are ready.",
    count="powers",
)
_OPEN_OR_DEADLINE = SentenceKind(
    "server-draws-open-or-deadline",
    "The draws open when {powers} is ready or the deadline is over.",
    "The draws open when {powers} are ready or the deadline is over.",
    count="powers",
)


def explain_missing(hosted: HostedGame, fault: PhaseNotOver) -> PhaseNotOver:
    """Return the reason a phase cannot end, and when the draws open if the game master does not see them yet."""
    if GAME_MASTER not in fault.powers or hosted.draws_open:
        return fault
    late, timing = hosted.waited_for, hosted.timing
    kind = _OPEN_OR_DEADLINE if timing is not None and timing.phase.due is not None else _OPEN
    return PhaseNotOver(join_sentences((fault.sentence, kind(powers=tuple(late)))), fault.powers)


def undo_turns(hosted: HostedGame, phase_number: int, now: datetime) -> GoneOn:
    """Undo turns back to a phase in which a person had orders to give; raise `Stale`, `NotYours` and `Over`."""
    if phase_number != hosted.phase_number:
        raise Stale(_GAME_MOVED_ON(now=now_at(hosted)))
    if hosted.seating != HOTSEAT:
        raise NotYours(_UNDO_HOTSEAT_ONLY())
    if hosted.game.drawn:
        return gone_on(hosted, replace(hosted.game, drawn=()), {}, now)
    if not hosted.turn:
        raise Over(_UNDO_FIRST_PHASE())
    before = hosted
    while True:
        last = before.game.turns[-1]
        before = replace(before, game=before.game.undo(), order_sets={})
        ordering = any(power in before.may_order for power in before.persons)
        if not before.turn or last.orders.get(GAME_MASTER) or ordering:
            break
    persons = (*hosted.persons, GAME_MASTER)
    position = before.game.position
    order_sets = {
        power: SeatOrderSet(legal_orders(hosted.rules, position, power, texts), version=1)
        for power, texts in last.orders.items()
        if power in persons
    }
    return gone_on(hosted, before.game, order_sets, now)


def end_in_draw(hosted: HostedGame, phase_number: int, powers: Sequence[str] | None, now: datetime) -> GoneOn:
    """End the game in a draw between `powers`, or all survivors; raise the errors of `require_phase`."""
    require_phase(hosted, phase_number)
    named = tuple(dict.fromkeys(hosted.rules.power(name) for name in powers or ()))
    return gone_on(hosted, hosted.game.draw(named or hosted.game.survivors or hosted.persons), {}, now)

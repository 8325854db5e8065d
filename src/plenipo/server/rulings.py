"""The rulings of a game master: roll back, edit the position, adjudicate a turn again with corrected orders. Pure.

Each ruling has a reason, is part of the record together with the turns it undid, and is shown in the game log.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from plenipo.engine.history import record
from plenipo.engine.history.game import Game
from plenipo.engine.history.rulings import Edited, HistoryEntry, ReadAs, Sealed
from plenipo.engine.position import Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.reading.positions import read_position
from plenipo.engine.sentences import Quoted, Sentence, SentenceKind, Series
from plenipo.errors import PlenipoError
from plenipo.server.errors import RulingRefused, Stale
from plenipo.server.hosted_game import HostedGame, SeatOrderSet, legal_orders
from plenipo.server.hosting.tick import GameState
from plenipo.server.order_corrections import REASONED
from plenipo.server.permissions import now_at, played_power, require_begun, require_phase
from plenipo.server.processing import GoneOn, gone_on
from plenipo.server.store import GameChange, StoredEntry, StoredReading, StoredReason
from plenipo.server.store.order_corrections import OrdersCorrected, ReasonsGiven
from plenipo.server.texts import replace_texts

__all__ = [
    "OrderCorrection",
    "SealedReason",
    "edit_position",
    "gone_back",
    "judged_again",
    "read_as_others",
    "with_reasons",
]

_ROLLBACK_TURN_UNKNOWN = SentenceKind(
    "server-rollback-turn-unknown", "The game has {turn} turns; go back to one of the phases it has played."
)
_POSITION_UNCHANGED = SentenceKind(
    "server-position-unchanged", "The position is the same as before; nothing was changed."
)
_CORRECTION_ORDER_MISSING = SentenceKind(
    "server-correction-order-missing", "Name an order of the last turn and the order it is to be read as."
)
_CORRECTION_ORDER_UNKNOWN = SentenceKind(
    "server-correction-order-unknown", "{power} did not order '{order}' in {phase}."
)
_CORRECTION_OPEN_ORDER_MISSING = SentenceKind(
    "server-correction-open-order-missing", "Name an order of the open phase and the order it is to be read as."
)
_CORRECTION_SAME = SentenceKind(
    "server-correction-same", "'{order}' is already the order; write the other order it is to be read as."
)
_GAME_MOVED_ON = SentenceKind("server-game-moved-on", "The game has moved on: {now}.")
_CORRECTION_NOT_ALLOWED = SentenceKind(
    "server-correction-not-allowed", "'{order}' is not allowed for {power} in {phase}."
)


_RULED_BACK = SentenceKind(
    "server-log-back",
    "The game master ruled: back to {phase}; {number} turn undone.",
    "The game master ruled: back to {phase}; {number} turns undone.",
)
_RULED_EDITED = SentenceKind("server-log-edited", "The game master ruled: the position of {phase} was edited.")
_RULED_AGAIN = SentenceKind("server-log-again", "The game master ruled: {phase} adjudicated again, with {corrections}.")
_READ_AS = SentenceKind("server-log-read-as", "'{order}' of {power} read as '{read}'")
_RULED_SECRETLY = SentenceKind(
    "server-log-reading",
    "The game master ruled how an order of {powers} in {phase} is read; "
    "the ruling is published when that phase is processed.",
)


@dataclass(frozen=True)
class SealedReason:
    """The sealed reason of a ruling, and whether it is published only after the game."""

    sealed: Sealed
    withheld: bool = False

    @property
    def public_seal(self) -> Sealed:
        """The seal of the reason as the history has it, without the text, which is stored separately."""
        return self.sealed.withheld


@dataclass(frozen=True)
class OrderCorrection:
    """A correction: an order of a power in the last turn or the open phase, and the order that it counts as."""

    power: str
    order: str
    read: str


def gone_back(hosted: HostedGame, phase_number: int, turns: int, why: SealedReason, now: datetime) -> GoneOn:
    """Roll a game back to the phase after its first `turns` turns; the orders of that phase return as drafts.

    Raise `Stale`, and `RulingRefused` if there is no turn to undo.
    """
    _require(hosted, phase_number)
    if not 0 <= turns < hosted.turn:
        raise RulingRefused(_ROLLBACK_TURN_UNKNOWN(turn=hosted.turn))
    first = hosted.game.turns[turns]
    game = hosted.game.back(turns, why.public_seal, hosted.journal[1])
    drafts = _drafts(hosted, game, first.orders)
    sentence = _RULED_BACK(phase=game.position.phase, number=hosted.turn - turns)
    return _apply_ruling(hosted, game, drafts, now, (game.rulings[-1][1],), why, sentence)


def edit_position(
    hosted: HostedGame, phase_number: int, value: Mapping[str, Any], why: SealedReason, now: datetime
) -> GoneOn:
    """Replace the parts of the position that `value` names; orders that are still legal stay as drafts.

    Raise `Stale`, and `RulingRefused` with a sentence about an impossible position.
    """
    _require(hosted, phase_number)
    before, rules = hosted.game.position, hosted.rules
    whole = {**record.encode_position(before), **value}
    try:
        read = read_position(rules, whole, whole=True)
    except PlenipoError as fault:
        raise RulingRefused(fault.sentence) from fault
    for wrong in (*read.reader.faults, *read.position.faults(rules.board_at(read.position))):
        raise RulingRefused(wrong.sentence if isinstance(wrong, PlenipoError) else str(wrong))
    if read.position == before:
        raise RulingRefused(_POSITION_UNCHANGED())
    ruling = Edited(read.position, why.public_seal, hosted.journal[1])
    game = replace(hosted.game, drawn=()).with_ruling(ruling)
    drafts = _drafts(hosted, game, {power: order_set.texts for power, order_set in hosted.order_sets.items()})
    return _apply_ruling(hosted, game, drafts, now, (ruling,), why, _RULED_EDITED(phase=before.phase))


def judged_again(
    hosted: HostedGame, phase_number: int, readings: Sequence[OrderCorrection], why: SealedReason, now: datetime
) -> GoneOn:
    """Adjudicate the last turn again with some orders corrected.

    Raise `Stale`, and `RulingRefused` for an order that was not given or a correction that is invalid or not allowed.
    """
    _require(hosted, phase_number)
    if not hosted.turn or not readings:
        raise RulingRefused(_CORRECTION_ORDER_MISSING())
    turn, head = hosted.game.turns[-1], hosted.journal[1]
    game = hosted.game.back(hosted.turn - 1, why.public_seal, head)
    new: list[HistoryEntry] = [game.rulings[-1][1]]
    orders = {power: list(texts) for power, texts in turn.orders.items()}
    for reading in readings:
        power, order = hosted.rules.power(reading.power), " ".join(reading.order.split())
        if order not in orders.get(power, ()):
            raise RulingRefused(
                _CORRECTION_ORDER_UNKNOWN(power=power, order=order[:80], phase=turn.resolution.before.phase)
            )
        other = _legal(hosted, game, power, reading.read)
        orders[power][orders[power].index(order)] = other
        ruling = ReadAs(power, order, other, why.public_seal, head)
        new.append(ruling)
        game = game.with_ruling(ruling)
    try:
        game = game.process(orders, head)
    except PlenipoError as fault:
        raise RulingRefused(fault.sentence) from fault
    corrected = Series(
        _READ_AS(order=Quoted(one.order), power=one.power, read=Quoted(one.read))
        for one in new
        if isinstance(one, ReadAs)
    )
    sentence = _RULED_AGAIN(phase=turn.resolution.before.phase, corrections=corrected)
    return _apply_ruling(hosted, game, {}, now, (*new, game.turns[-1]), why, sentence)


def read_as_others(
    hosted: HostedGame, phase_number: int, readings: Sequence[OrderCorrection], why: SealedReason
) -> tuple[HostedGame, GameChange, None]:
    """Correct orders of the open phase; a correction applies if its order is still there when the phase is processed.

    Whether the order is there now is not checked, so that the game master learns nothing about the order set. Raise
    `Stale`, `Over`, and `RulingRefused` for an order that is invalid or not allowed.
    """
    require_phase(hosted, phase_number)
    if not readings:
        raise RulingRefused(_CORRECTION_OPEN_ORDER_MISSING())
    rules, phase = hosted.rules, hosted.game.position.phase
    reason = StoredReason(why.sealed.digest, why.sealed.salt, why.sealed.text or "", why.withheld)
    new = []
    for reading in readings:
        power = played_power(hosted, reading.power)
        order, other = (_legal(hosted, hosted.game, power, text) for text in (reading.order, reading.read))
        if order == other:
            raise RulingRefused(_CORRECTION_SAME(order=order))
        new.append(StoredReading(str(power), order, other, reason))
    powers = tuple(power for power in rules.names if power in {one.power for one in new})
    sentence = _RULED_SECRETLY(powers=powers, phase=phase)
    after = replace(hosted, readings=(*hosted.readings, *new))
    return after, GameChange(parts=(OrdersCorrected(tuple(new)),), entries=(StoredEntry("reading", sentence),)), None


_REASON_KEPT_BACK = SentenceKind("server-reason-kept-back", "The reason is kept back until the game is over.")
_SEALED = re.compile(r"\[([0-9a-f]{64})\]")


def with_reasons(text: str, reasons: Mapping[str, str]) -> str:
    """Return a sentence of the game log with the published reasons that it refers to."""

    def publish(part: str) -> str:
        sealed = _SEALED.fullmatch(part)
        if sealed:
            return reasons.get(sealed[1]) or _REASON_KEPT_BACK()
        return _SEALED.sub(lambda match: reasons.get(match[1], str(_REASON_KEPT_BACK())), part)

    return replace_texts(text, publish)


def _require(hosted: HostedGame, phase_number: int) -> None:
    """Raise `NotBegun` or `Stale`; a game that is over allows rulings."""
    require_begun(hosted)
    if phase_number != hosted.phase_number:
        raise Stale(_GAME_MOVED_ON(now=now_at(hosted)))


def _legal(hosted: HostedGame, game: Game, power: Power, text: str) -> str:
    """Return the completed text of an order; raise `RulingRefused` if it is not legal in the position of `game`."""
    position = game.position
    try:
        order = notation_of(hosted.rules, position).read(text, position.phase.kind)
    except PlenipoError as fault:
        raise RulingRefused(fault.sentence) from fault
    legal = legal_orders(hosted.rules, position, power, [str(order)])
    if not legal:
        raise RulingRefused(_CORRECTION_NOT_ALLOWED(order=order, power=power, phase=position.phase))
    return str(legal[0])


def _drafts(hosted: HostedGame, game: Game, orders: Mapping[Power, Sequence[str]]) -> dict[Power, SeatOrderSet]:
    """Return the orders that are legal in the position of `game` as order sets that are not ready."""
    legal = {power: legal_orders(hosted.rules, game.position, power, orders.get(power, ())) for power in hosted.persons}
    return {power: SeatOrderSet(texts, version=1) for power, texts in legal.items() if texts}


def _apply_ruling(
    hosted: HostedGame,
    game: Game,
    drafts: Mapping[Power, SeatOrderSet],
    now: datetime,
    new: Sequence[HistoryEntry],
    why: SealedReason,
    sentence: Sentence,
) -> GoneOn:
    if hosted.timing is not None and hosted.timing.state is GameState.OVER:
        hosted = hosted.with_timing(replace(hosted.timing, state=GameState.RUNNING))
    after, change, numbers = gone_on(hosted, game, drafts, now, new)
    entry = StoredEntry("ruling", REASONED(ruling=sentence, reason=Quoted(f"[{why.sealed.digest}]")))
    reason = StoredReason(why.sealed.digest, why.sealed.salt, why.sealed.text or "", why.withheld)
    return after, replace(change.with_parts(ReasonsGiven((reason,))), entries=(entry,)), numbers

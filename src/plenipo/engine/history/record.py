"""The record: positions and games as JSON, lossless, versioned, and chained by hashes.

A position is one JSON object. A game is an object with its opening and a list of turns; each turn carries the SHA-256
of its own content together with the hash before it, so that no phase can be changed unseen.
`decode_*(encode_*(x)) == x` holds for every value, and a decoded position is adjudicated like the live one.
A turn read from a record of an older version is written as it was, so that its hash stays; what is played afterwards
is written in the present version.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from plenipo.engine.board import Code, Location
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.changes import BoardChange, Closed, Split
from plenipo.engine.events import UNSPECIFIED, Event, EventKind, Refusal, RefusalCode
from plenipo.engine.history.dice import Dice, Draw
from plenipo.engine.history.game import Game, notation_of
from plenipo.engine.history.turns import Turn, Turns
from plenipo.engine.orders import Order
from plenipo.engine.outcome import Cause, Outcome, Reason, Resolution, Result
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.reading.notation import Notation
from plenipo.engine.reading.positions import read_position
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidRecord, PlenipoError

__all__ = [
    "VERSION",
    "Chain",
    "decode_game",
    "decode_position",
    "digest",
    "encode_draw",
    "encode_event",
    "encode_game",
    "encode_position",
    "encode_refusal",
    "encode_turn",
    "open_game",
]

VERSION = 2
"""The version of the format written; a reader refuses a newer one.

Version 1 has `owners` for the `centres` of a position, and of events and refusals only the sentences.
"""

FORMAT = "plenipo-game"

Json = dict[str, Any]


def digest(value: object) -> str:
    """The SHA-256, in hex, of a JSON value in its canonical form (keys sorted, no blanks, UTF-8)."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


# Small values


def _encode_unit(unit: Unit) -> list[str]:
    return [unit.power, str(unit)]


def _decode_unit(value: Sequence[str]) -> Unit:
    power, text = value
    return Unit.written(power, text)


# Positions


def _encode_change(change: BoardChange) -> Json:
    if isinstance(change, Split):
        ends = [[border.neighbour, border.number] for border in (change.start, change.end)]
        return {"split": change.space, "from": ends[0], "to": ends[1], "halves": list(change.halves)}
    return {"closed" if isinstance(change, Closed) else "opened": change.space}


def encode_position(position: Position, version: int = VERSION) -> Json:
    """A position as JSON; the changes of a board and what rule modules remember are left out where there are none."""
    further: Json = {}
    if position.changes:
        further["changes"] = [_encode_change(change) for change in position.changes]
    if position.slots:
        further["slots"] = {name: slot.to_json() for name, slot in position.slots.items()}
    units: dict[str, list[str]] = {}
    for unit in position.units:
        units.setdefault(unit.power, []).append(str(unit))
    owners: dict[str, list[str]] = {}
    for code, power in position.owners.items():
        owners.setdefault(power, []).append(code)
    return {
        "phase": str(position.phase),
        "units": units,
        "dislodged": [
            {"unit": _encode_unit(d.unit), "by": _encode_unit(d.by) if d.by else None, "barred": list(d.barred)}
            for d in position.dislodged
        ],
        "contested": sorted(position.contested),
        "owners" if version == 1 else "centres": owners,
        "homes": {power: sorted(homes) for power, homes in position.homes.items()},
        "winners": list(position.winners),
        **further,
    }


def decode_position(value: Json, rules: Rules) -> Position:
    """The position that `encode_position` wrote in a game with these `rules`.

    Raises `InvalidRecord` naming the first thing that cannot be read.
    """
    try:
        read = read_position(rules, value, whole=True)
    except PlenipoError as fault:
        raise InvalidRecord(f"The position cannot be read: {fault}") from fault
    if read.reader.faults:
        raise InvalidRecord(f"The position cannot be read: {read.reader.faults[0]}")
    return read.position


def _told(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else str(error).rstrip(".")


# Turns


def encode_event(event: Event) -> Json:
    """An event as JSON; parts that it does not have are left out."""
    parts = {
        "powers": list(event.powers),
        "spaces": list(event.spaces),
        "units": [_encode_unit(unit) for unit in event.units],
        "names": list(event.names),
        "numbers": list(event.numbers),
    }
    return {"kind": event.kind, "sentence": event.sentence, **{key: part for key, part in parts.items() if part}}


def _decode_event(value: Json) -> Event:
    return Event(
        EventKind(value["kind"]),
        value["sentence"],
        tuple(map(Power, value.get("powers", ()))),
        tuple(map(Code, value.get("spaces", ()))),
        _units(value.get("units", ())),
        tuple(value.get("names", ())),
        tuple(value.get("numbers", ())),
    )


def encode_refusal(refusal: Refusal) -> Json:
    """A refusal as JSON; `place` is where in the text the fault is, from one character up to another."""
    return {
        "code": str(refusal.code),
        "sentence": refusal.sentence,
        "power": refusal.power,
        "text": refusal.text,
        "place": list(refusal.place) if refusal.place else None,
    }


def _decode_refusal(value: Json) -> Refusal:
    start, end = value["place"] or (0, 0)
    return Refusal(
        RefusalCode(value["code"]),
        value["sentence"],
        Power(value["power"]) if value["power"] else None,
        value["text"],
        (int(start), int(end)) if value["place"] else None,
    )


def _encode_outcome(outcome: Outcome) -> Json:
    cause = outcome.cause
    return {
        "power": outcome.power,
        "unit": _encode_unit(outcome.unit) if outcome.unit else None,
        "order": str(outcome.order) if outcome.order else None,
        "result": str(outcome.result),
        "why": outcome.why,
        "cause": {
            "reason": str(cause.reason),
            "by": [_encode_unit(unit) for unit in cause.by],
            "strength": cause.strength,
            "against": cause.against,
            "helpers": [_encode_unit(unit) for unit in cause.helpers],
            "against_helpers": [_encode_unit(unit) for unit in cause.against_helpers],
            "place": cause.place,
            "detail": cause.detail,
            "scale": cause.scale,
        },
        "dislodged_by": _encode_unit(outcome.dislodged_by) if outcome.dislodged_by else None,
        "retreats": [str(to) for to in outcome.retreats],
    }


def _units(values: Sequence[Sequence[str]]) -> tuple[Unit, ...]:
    return tuple(_decode_unit(value) for value in values)


def _decode_outcome(notation: Notation, kind: PhaseKind, value: Json) -> Outcome:
    cause = value["cause"]
    return Outcome(
        Power(value["power"]),
        _decode_unit(value["unit"]) if value["unit"] else None,
        _decode_order(notation, kind, value["order"]),
        Result(value["result"]),
        Cause(
            Reason(cause["reason"]),
            _units(cause["by"]),
            cause["strength"],
            cause["against"],
            _units(cause["helpers"]),
            _units(cause["against_helpers"]),
            Code(cause["place"]) if cause["place"] else None,
            cause["detail"],
            cause["scale"],
        ),
        value["why"],
        _decode_unit(value["dislodged_by"]) if value["dislodged_by"] else None,
        tuple(Location.written(text) for text in value["retreats"]),
    )


def _decode_order(notation: Notation, kind: PhaseKind, text: str | None) -> Order | None:
    return notation.read(text, kind) if text else None


def encode_draw(draw: Draw) -> Json:
    """A draw as JSON; who was dealt which cards is there where cards were dealt."""
    content = {"label": draw.label, "slips": list(draw.slips), "result": draw.result, "entered": draw.entered}
    return {**content, "dealt": list(draw.dealt)} if draw.dealt else content


def encode_turn(turn: Turn, before: str = "") -> Json:
    """A turn as JSON, in the version it was read from; `before` is the hash of what comes before it."""
    resolution, version = turn.resolution, turn.version or VERSION
    content: Json = {
        **({} if version == 1 else {"version": version}),
        "phase": str(resolution.before.phase),
        "orders": {power: list(texts) for power, texts in turn.orders.items()},
        "outcomes": [_encode_outcome(outcome) for outcome in resolution.outcomes],
        "notes": list(resolution.notes),
        "errors": list(resolution.errors),
        **({} if version == 1 else _data_of(resolution)),
        "draws": [encode_draw(draw) for draw in resolution.draws],
        "after": encode_position(resolution.after, version),
        "previous": before,
    }
    return {**content, "hash": digest(content)}


def _data_of(resolution: Resolution) -> Json:
    return {
        "events": [encode_event(event) for event in resolution.events],
        "refusals": [encode_refusal(refusal) for refusal in resolution.refusals],
    }


def _whole(number: int, value: Json, before: str) -> Json:
    """The record of turn `number`, from 1, if it is as it was written; raises `InvalidRecord`."""
    content = {key: part for key, part in value.items() if key != "hash"}
    if value["previous"] != before or value["hash"] != digest(content):
        raise InvalidRecord(f"Turn {number}, {value['phase']}, does not match its hash: the record was changed.")
    return value


def _decode_turn(rules: Rules, value: Json, before: Position) -> Turn:
    kind = before.phase.kind
    notation = notation_of(rules, before)
    version = value.get("version", 1)
    if version == 1:
        events = tuple(Event(UNSPECIFIED, note) for note in value["notes"])
        refusals = tuple(Refusal(RefusalCode.UNSPECIFIED, error) for error in value["errors"])
    else:
        events = tuple(map(_decode_event, value["events"]))
        refusals = tuple(map(_decode_refusal, value["refusals"]))
    return Turn(
        {Power(power): tuple(texts) for power, texts in value["orders"].items()},
        Resolution(
            before,
            tuple(_decode_outcome(notation, kind, outcome) for outcome in value["outcomes"]),
            decode_position(value["after"], rules),
            events,
            refusals,
            tuple(
                Draw(
                    draw["label"],
                    tuple(draw["slips"]),
                    draw["result"],
                    draw["entered"],
                    tuple(draw.get("dealt", ())),
                )
                for draw in value["draws"]
            ),
        ),
        None if version == VERSION else version,
    )


# Games


def _head(game: Game, version: int | None) -> Json:
    version = version or (game.turns[0].version if game.turns else None) or VERSION
    return {
        "format": FORMAT,
        "version": version,
        "variant": game.rules.variant,
        "options": dict(sorted(game.rules.options.items())),
        "start": encode_position(game.start, version),
        "commitment": game.dice.commitment if game.dice else game.sealed,
    }


def encode_game(game: Game, *, public: bool = False, version: int | None = None) -> Json:
    """A game as JSON; its `hash` stands for the whole of it.

    Without `version` what comes before the turns is written in the version of the first turn.
    The seed of the dice is part of it, but for a `public` record of a game that is not over: that has only the
    commitment to the seed.
    """
    head = _head(game, version)
    chain, turns = Chain(head, (digest(head),)).extended(game)
    return {**head, "turns": turns, **chain.end(game, public=public)}


@dataclass(frozen=True)
class Chain:
    """What comes before the turns of a record, and the hash of that and then of each turn.

    With it a record is gone on with where its game has gone on, and what comes before is not written again.
    """

    head: Json
    hashes: tuple[str, ...]

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> "Chain":
        """The chain of a record, taken as it says it is."""
        head = {key: value[key] for key in _HEAD}
        return cls(head, (digest(head), *(turn["hash"] for turn in value["turns"])))

    def extended(self, game: Game, keep: int = 0) -> tuple["Chain", list[Json]]:
        """The chain of `game`, of which the first `keep` turns are those of this one, and its other turns as JSON."""
        hashes, turns = list(self.hashes[: keep + 1]), []
        for turn in game.turns[keep:]:
            turns.append(encode_turn(turn, hashes[-1]))
            hashes.append(turns[-1]["hash"])
        return Chain(self.head, tuple(hashes)), turns

    def end(self, game: Game, *, public: bool = False) -> Json:
        """What comes after the turns in the record of `game`, whose chain this is."""
        seed = game.dice.seed.hex() if game.dice and (game.over or not public) else None
        return {**_seal(self.hashes[-1], game.drawn), "seed": seed}


def _seal(last: str, drawn: Sequence[str]) -> Json:
    """The end of a record: the hash of the last turn together with how the game was ended by agreement."""
    return {"drawn": list(drawn), "hash": digest({"last": last, "drawn": list(drawn)})}


def decode_game(value: Mapping[str, Any], rules: Rules) -> Game:
    """The game that `encode_game` wrote, for the `rules` its `variant` and `options` name.

    Raises `InvalidRecord` if the format is unknown, something is missing, or a hash does not match; the message names
    the turn.
    """
    _look_at_head(value, rules)
    with _reading("game"):
        start = decode_position(value["start"], rules)
        turns: list[Turn] = []
        last, position = digest({key: value[key] for key in _HEAD}), start
        for number, turn in enumerate(value["turns"], 1):
            last = _whole(number, turn, last)["hash"]
            turns.append(_decode_turn(rules, turn, position))
            position = turns[-1].resolution.after
        return _ended(value, Game(rules, start, Turns(turns)), last)


def open_game(
    value: Mapping[str, Any], rules: Rules, hashes: Sequence[str], read: Callable[[int, int], Sequence[Json]]
) -> Game:
    """The game of a record without its turns, of which only the position of the newest is read.

    `hashes` are those of the turns, and `read` gives the records of the turns from one number, from 0, to before
    another; it is called when they are asked for, and each that is read must fit into the chain of `hashes`.
    Raises as `decode_game` does, now or then.
    """
    _look_at_head(value, rules)
    with _reading("game"):
        start = decode_position(value["start"], rules)
        chain = (digest({key: value[key] for key in _HEAD}), *hashes)
        source = _Records(rules, start, chain, read)
        game = _ended(value, Game(rules, start, Turns((), source, len(hashes))), chain[-1])
        if hashes:
            source.after(len(hashes) - 1)
        return game


class _Records:
    """Turns that are decoded when they are asked for; what two threads decode at once is the same twice."""

    def __init__(
        self, rules: Rules, start: Position, chain: Sequence[str], read: Callable[[int, int], Sequence[Json]]
    ) -> None:
        self._rules, self._start, self._chain, self._read = rules, start, chain, read
        self._positions: dict[int, Position] = {}
        self._turns: dict[int, Turn] = {}
        self._newest: tuple[int, Json] | None = None

    def turns(self, first: int, last: int) -> Sequence[Turn]:
        """The turns from number `first` to before `last`."""
        unread = [number for number in range(first, last) if number not in self._turns]
        if unread:
            records = self._records(unread[0], unread[-1] + 1)
            for number in unread:
                before = self.after(number - 1)
                with _reading("game"):
                    turn = _decode_turn(self._rules, records[number], before)
                self._turns[number] = turn
                self._positions.setdefault(number, turn.resolution.after)
        return [self._turns[number] for number in range(first, last)]

    def after(self, number: int) -> Position:
        """The position after a turn; before the first it is the opening."""
        if number < 0:
            return self._start
        known = self._positions.get(number)
        if known is None:
            value = self._records(number, number + 1)[number]
            with _reading("game"):
                known = decode_position(value["after"], self._rules)
            self._positions[number] = known
            if number == len(self._chain) - 2:
                self._newest = number, value  # it is asked for next
        return known

    def _records(self, first: int, last: int) -> dict[int, Json]:
        """The records of some turns; raises `InvalidRecord` for one that does not fit into the chain."""
        newest = self._newest
        if newest is not None and newest[0] == first == last - 1:
            return dict([newest])
        values = dict(zip(range(first, last), self._read(first, last), strict=True))
        with _reading("game"):
            for number, value in values.items():
                if _whole(number + 1, value, self._chain[number])["hash"] != self._chain[number + 1]:
                    raise InvalidRecord(f"Turn {number + 1}, {value['phase']}, is not the one the game goes on from.")
        return values


_HEAD = ("format", "version", "variant", "options", "start", "commitment")
"""What of a record comes before its turns."""


def _look_at_head(value: Mapping[str, Any], rules: Rules) -> None:
    """Raise `InvalidRecord` if this is not a record of a game with these rules."""
    if value.get("format") != FORMAT or not isinstance(value.get("version"), int) or value["version"] > VERSION:
        raise InvalidRecord(
            f"This is not a game record of format '{FORMAT}', version {VERSION} or less, but "
            f"'{value.get('format')}', version {value.get('version')}."
        )
    if value.get("variant") != rules.variant:
        raise InvalidRecord(f"The record is of variant '{value.get('variant')}', not of '{rules.variant}'.")


@contextmanager
def _reading(what: str) -> Iterator[None]:
    """While `what` is read: whatever is not of the right form is an `InvalidRecord`."""
    try:
        yield
    except InvalidRecord:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidRecord(f"The {what} cannot be read: {_told(error)}.") from error


def _ended(value: Mapping[str, Any], game: Game, last: str) -> Game:
    """The game of a record with its dice and how it was ended; `last` is the hash of its last turn."""
    drawn = value["drawn"]
    dice = _dice(value)
    if value["hash"] != _seal(last, drawn)["hash"]:
        raise InvalidRecord("The end of the game does not match its hash: the record was changed.")
    sealed = value["commitment"] if dice is None else None
    return replace(game, drawn=tuple(map(Power, drawn)), dice=dice, sealed=sealed)


def _dice(value: Mapping[str, Any]) -> Dice | None:
    """The dice of a record, if it tells the seed; raises `InvalidRecord` if that is not the one committed to."""
    if value["seed"] is None:
        return None
    dice = Dice(bytes.fromhex(value["seed"]))
    if dice.commitment != value["commitment"]:
        raise InvalidRecord("The seed is not the one the game was committed to: the record was changed.")
    return dice

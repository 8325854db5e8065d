"""The record: positions and games as JSON, lossless, versioned, and chained by hashes.

A position is one JSON object. A game is an object with its opening and a list of turns; each turn carries the SHA-256
of its own content together with the hash before it, so that no phase can be changed unseen.
`decode_*(encode_*(x)) == x` holds for every value, and a decoded position is adjudicated like the live one.
A turn read from a record of an older version is written as it was, so that its hash stays; what is played afterwards
is written in the present version.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from plenipo.engine.board import Code, Location
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.changes import BoardChange, Closed, Split
from plenipo.engine.events import UNSPECIFIED, Event, EventKind, Refusal, RefusalCode
from plenipo.engine.history.dice import Dice, Draw
from plenipo.engine.history.game import Game, Turn, notation_of
from plenipo.engine.orders import Order
from plenipo.engine.outcome import Cause, Outcome, Reason, Resolution, Result
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.reading.notation import Notation
from plenipo.engine.reading.positions import read_position
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidRecord, PlenipoError

__all__ = [
    "VERSION",
    "decode_game",
    "decode_position",
    "digest",
    "encode_draw",
    "encode_event",
    "encode_game",
    "encode_position",
    "encode_refusal",
    "encode_turn",
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


def _encode_phase(phase: Phase) -> str:
    return str(phase)


def _decode_phase(text: str) -> Phase:
    season, year, kind = text.rsplit(" ", 2)
    return Phase(season, int(year), PhaseKind(kind))


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
        "phase": _encode_phase(position.phase),
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
        "phase": _encode_phase(resolution.before.phase),
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
    previous = digest(head)
    turns = []
    for turn in game.turns:
        turns.append(encode_turn(turn, previous))
        previous = turns[-1]["hash"]
    seed = game.dice.seed.hex() if game.dice and (game.over or not public) else None
    return {**head, "turns": turns, **_seal(previous, game.drawn), "seed": seed}


def _seal(last: str, drawn: Sequence[str]) -> Json:
    """The end of a record: the hash of the last turn together with how the game was ended by agreement."""
    return {"drawn": list(drawn), "hash": digest({"last": last, "drawn": list(drawn)})}


def decode_game(value: Mapping[str, Any], rules: Rules) -> Game:
    """The game that `encode_game` wrote, for the `rules` its `variant` and `options` name.

    Raises `InvalidRecord` if the format is unknown, something is missing, or a hash does not match; the message names
    the turn.
    """
    if value.get("format") != FORMAT or not isinstance(value.get("version"), int) or value["version"] > VERSION:
        raise InvalidRecord(
            f"This is not a game record of format '{FORMAT}', version {VERSION} or less, but "
            f"'{value.get('format')}', version {value.get('version')}."
        )
    if value.get("variant") != rules.variant:
        raise InvalidRecord(f"The record is of variant '{value.get('variant')}', not of '{rules.variant}'.")
    try:
        game, last = _decode_turns(value, rules)
        drawn = value["drawn"]
        sealed = value["hash"] == _seal(last, drawn)["hash"]
        dice = _dice(value)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, InvalidRecord):
            raise
        raise InvalidRecord(f"The game cannot be read: {_told(error)}.") from error
    if not sealed:
        raise InvalidRecord("The end of the game does not match its hash: the record was changed.")
    sealed = value["commitment"] if dice is None else None
    return Game(rules, game.start, game.turns, tuple(map(Power, drawn)), dice, sealed)


def _dice(value: Mapping[str, Any]) -> Dice | None:
    """The dice of a record, if it tells the seed; raises `InvalidRecord` if that is not the one committed to."""
    if value["seed"] is None:
        return None
    dice = Dice(bytes.fromhex(value["seed"]))
    if dice.commitment != value["commitment"]:
        raise InvalidRecord("The seed is not the one the game was committed to: the record was changed.")
    return dice


def _decode_turns(value: Mapping[str, Any], rules: Rules) -> tuple[Game, str]:
    """The game without its seal, and the hash of its last turn."""
    game = Game(rules, decode_position(value["start"], rules))
    previous = digest({key: value[key] for key in ("format", "version", "variant", "options", "start", "commitment")})
    for number, turn in enumerate(value["turns"], 1):
        content = {key: part for key, part in turn.items() if key != "hash"}
        if turn["previous"] != previous or turn["hash"] != digest(content):
            raise InvalidRecord(f"Turn {number}, {turn['phase']}, does not match its hash: the record was changed.")
        previous = turn["hash"]
        game = Game(rules, game.start, (*game.turns, _decode_turn(rules, turn, game.position)))
    return game, previous

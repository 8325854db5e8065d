"""The record: positions and games as JSON, lossless, versioned, and chained by hashes.

A position is one JSON object. A game is an object with its opening and a list of entries, turns and rulings; each
contains the SHA-256 of its own content together with the hash before it, so that no phase can be changed unseen.
`decode_*(encode_*(x)) == x` holds for every value, and a decoded position is adjudicated like the original.
A turn read from a record of an older version is written in that version, so that its hash stays; later turns
are written in the current version.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from plenipo.engine.board import Code, Location
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.changes import Barred, BoardChange, Closed, Founded, Joined, Opened, Razed, Split
from plenipo.engine.dice import Dice, Draw
from plenipo.engine.events import Event, EventKind, Refusal, RefusalCode
from plenipo.engine.history.game import Game
from plenipo.engine.history.messages import Message
from plenipo.engine.history.rulings import Back, Edited, HistoryEntry, Placed, ReadAs, Ruling, Sealed, Unread
from plenipo.engine.history.sentence_json import decode_sentence, encode_sentence
from plenipo.engine.history.turns import Turn, Turns
from plenipo.engine.orders import Order
from plenipo.engine.outcome import (
    Cause,
    NoEffect,
    NotCounted,
    NotCut,
    Outcome,
    Reason,
    Resolution,
    Result,
    Uncounted,
    Uncut,
)
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.reading.notation import Notation, notation_of
from plenipo.engine.reading.positions import read_position
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import say
from plenipo.engine.wording import in_quotes
from plenipo.errors import InvalidRecord, PlenipoError

__all__ = [
    "VERSION",
    "Chain",
    "decode_game",
    "decode_position",
    "digest",
    "encode_draw",
    "encode_entry",
    "encode_event",
    "encode_game",
    "encode_position",
    "encode_refusal",
    "encode_turn",
    "entries_of",
    "open_game",
]

VERSION = 4
"""The version of the format that is written. It has sentences as kinds and parts, and so is free of language."""

TEXTS = 3
"""The version before, which is read as well: it has English sentences, and those of events and refusals twice."""

FORMAT = "plenipo-game"

Json = dict[str, Any]


def digest(value: object) -> str:
    """Return the SHA-256, in hex, of a JSON value in its canonical form (keys sorted, no blanks, UTF-8)."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


# Small values


def _encode_unit(unit: Unit) -> list[str]:
    return [unit.power, str(unit)]


def _decode_unit(value: Sequence[str]) -> Unit:
    power, text = value
    return Unit.from_text(power, text)


# Positions


def _encode_change(change: BoardChange) -> Json:
    if isinstance(change, Split):
        ends = [[border.neighbour, border.number] for border in (change.start, change.end)]
        return {"split": change.space, "from": ends[0], "to": ends[1], "halves": list(change.halves)}
    if isinstance(change, Joined):
        return {"joined": change.space, "into": change.into}
    if isinstance(change, Barred):
        return {"barred": [change.one, change.other]}
    return {_OF_SPACES[type(change)]: change.space}


_OF_SPACES: Mapping[type[BoardChange], str] = {Closed: "closed", Opened: "opened", Founded: "founded", Razed: "razed"}
"""The word for each change that consists of one space and nothing else."""


def encode_position(position: Position) -> Json:
    """Return a position as JSON; changes of the board and slots of rule modules are left out where there are none."""
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
        "centres": owners,
        "homes": {power: sorted(homes) for power, homes in position.homes.items()},
        "winners": list(position.winners),
        **further,
    }


def decode_position(value: Json, rules: Rules) -> Position:
    """Return the position that `encode_position` wrote in a game with these `rules`.

    Raises `InvalidRecord` naming the first part that cannot be read.
    """
    try:
        read = read_position(rules, value, whole=True)
    except PlenipoError as fault:
        raise InvalidRecord(say("The position cannot be read: {fault}", fault=fault)) from fault
    if read.reader.faults:
        raise InvalidRecord(say("The position cannot be read: {fault}", fault=read.reader.faults[0]))
    return read.position


def _describe_error(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else str(error).rstrip(".")


# Turns


def encode_event(event: Event, version: int = TEXTS) -> Json:
    """Return an event as JSON, without its empty parts; its sentence is in English up to version 3."""
    parts = {
        "powers": list(event.powers),
        "spaces": list(event.spaces),
        "units": [_encode_unit(unit) for unit in event.units],
        "names": list(event.names),
        "numbers": list(event.numbers),
    }
    sentence = _encode_said(event.sentence, version)
    return {"kind": event.kind, "sentence": sentence, **{key: part for key, part in parts.items() if part}}


def _encode_said(sentence: str, version: int) -> Any:
    return str(sentence) if version <= TEXTS else encode_sentence(sentence)


def _decode_event(value: Json) -> Event:
    return Event(
        EventKind(value["kind"]),
        decode_sentence(value["sentence"]),
        tuple(map(Power, value.get("powers", ()))),
        tuple(map(Code, value.get("spaces", ()))),
        _units(value.get("units", ())),
        tuple(value.get("names", ())),
        tuple(value.get("numbers", ())),
    )


def encode_refusal(refusal: Refusal, version: int = TEXTS) -> Json:
    """Return a refusal as JSON; `place` is the range of the fault in the text, from one character up to another.

    Its sentence is in English up to version 3.
    """
    return {
        "code": str(refusal.code),
        "sentence": _encode_said(refusal.sentence, version),
        "power": refusal.power,
        "text": refusal.text,
        "place": list(refusal.place) if refusal.place else None,
    }


def _decode_refusal(value: Json) -> Refusal:
    start, end = value["place"] or (0, 0)
    return Refusal(
        RefusalCode(value["code"]),
        decode_sentence(value["sentence"]),
        Power(value["power"]) if value["power"] else None,
        value["text"],
        (int(start), int(end)) if value["place"] else None,
    )


def _encode_outcome(outcome: Outcome, version: int) -> Json:
    """Return an outcome as JSON; from version 4 on it has a sentence only if that is not made from the cause."""
    if version <= TEXTS:
        why: Any = str(outcome.why)
    else:
        why = None if outcome.said is None else encode_sentence(outcome.said)
    return {
        "power": outcome.power,
        "unit": _encode_unit(outcome.unit) if outcome.unit else None,
        "order": str(outcome.order) if outcome.order else None,
        "result": str(outcome.result),
        "why": why,
        "cause": _encode_cause(outcome.cause, version),
        "dislodged_by": _encode_unit(outcome.dislodged_by) if outcome.dislodged_by else None,
        "retreats": [str(to) for to in outcome.retreats],
        **({"fall": _encode_cause(outcome.fall, version)} if outcome.fall else {}),
    }


def _encode_cause(cause: Cause, version: int) -> Json:
    """Return a cause as JSON; optional parts are included where they are not empty."""
    uncounted = [
        {
            "unit": _encode_unit(support.unit),
            "why": str(support.why),
            "against": _encode_unit(support.against) if support.against else None,
        }
        for support in cause.uncounted
    ]
    return {
        "reason": str(cause.reason),
        "by": [_encode_unit(unit) for unit in cause.by],
        "strength": cause.strength,
        "against": cause.against,
        "helpers": [_encode_unit(unit) for unit in cause.helpers],
        "against_helpers": [_encode_unit(unit) for unit in cause.against_helpers],
        "place": cause.place,
        "detail": _encode_said(cause.detail, version),
        "scale": cause.scale,
        **({"uncounted": uncounted} if uncounted else {}),
        **({"fleets": [_encode_unit(unit) for unit in cause.fleets]} if cause.fleets else {}),
        **({"met": str(cause.met)} if cause.met else {}),
        **({"uncut": [_encode_uncut(attack) for attack in cause.uncut]} if cause.uncut else {}),
        **({"no_effect": [_encode_unit(unit) for unit in cause.no_effect]} if cause.no_effect else {}),
    }


def _encode_uncut(attack: Uncut) -> Json:
    fleet = _encode_unit(attack.fleet) if attack.fleet else None
    return {"unit": _encode_unit(attack.unit), "why": str(attack.why), "fleet": fleet}


def _units(values: Sequence[Sequence[str]]) -> tuple[Unit, ...]:
    return tuple(_decode_unit(value) for value in values)


def _decode_outcome(notation: Notation, kind: PhaseKind, value: Json, version: int) -> Outcome:
    outcome = Outcome(
        Power(value["power"]),
        _decode_unit(value["unit"]) if value["unit"] else None,
        _decode_order(notation, kind, value["order"]),
        Result(value["result"]),
        _decode_cause(value["cause"]),
        None if value["why"] is None else decode_sentence(value["why"]),
        _decode_unit(value["dislodged_by"]) if value["dislodged_by"] else None,
        tuple(Location.from_text(text) for text in value["retreats"]),
        _decode_cause(value["fall"]) if "fall" in value else None,
    )
    if version > TEXTS:
        return outcome
    made = outcome._replace(said=None) if kind is PhaseKind.MOVEMENT and outcome.unit else outcome
    return made if made.why == value["why"] else outcome


def _decode_cause(value: Json) -> Cause:
    return Cause(
        Reason(value["reason"]),
        _units(value["by"]),
        value["strength"],
        value["against"],
        _units(value["helpers"]),
        _units(value["against_helpers"]),
        Code(value["place"]) if value["place"] else None,
        decode_sentence(value["detail"]) if value["detail"] else "",
        value["scale"],
        tuple(
            Uncounted(
                _decode_unit(support["unit"]),
                NotCounted(support["why"]),
                _decode_unit(support["against"]) if support["against"] else None,
            )
            for support in value.get("uncounted", ())
        ),
        _units(value.get("fleets", ())),
        Reason(value["met"]) if "met" in value else None,
        tuple(
            Uncut(
                _decode_unit(attack["unit"]),
                NotCut(attack["why"]),
                _decode_unit(attack["fleet"]) if attack["fleet"] else None,
            )
            for attack in value.get("uncut", ())
        ),
        NoEffect(*_units(value["no_effect"])) if "no_effect" in value else None,
    )


def _decode_order(notation: Notation, kind: PhaseKind, text: str | None) -> Order | None:
    return notation.read(text, kind) if text else None


def encode_draw(draw: Draw) -> Json:
    """Return a draw as JSON; the dealt cards are included where cards were dealt."""
    content = {"label": draw.label, "slips": list(draw.slips), "result": draw.result, "entered": draw.entered}
    return {**content, "dealt": list(draw.dealt)} if draw.dealt else content


def encode_turn(turn: Turn, before: str = "") -> Json:
    """Return a turn as JSON, in the version it was read from; `before` is the hash of the part before it."""
    resolution, version = turn.resolution, turn.version or VERSION
    content: Json = {
        "version": version,
        "phase": str(resolution.before.phase),
        "orders": {power: list(texts) for power, texts in turn.orders.items()},
        "outcomes": [_encode_outcome(outcome, version) for outcome in resolution.outcomes],
        **({"notes": list(resolution.notes), "errors": list(resolution.errors)} if version <= TEXTS else {}),
        "events": [encode_event(event, version) for event in resolution.events],
        "refusals": [encode_refusal(refusal, version) for refusal in resolution.refusals],
        "draws": [encode_draw(draw) for draw in resolution.draws],
        "after": encode_position(resolution.after),
        "journal": turn.journal,
        "previous": before,
    }
    return {**content, "hash": digest(content)}


def encode_entry(entry: HistoryEntry, before: str = "") -> Json:
    """Return a turn or a ruling as JSON; `before` is the hash of the part before it."""
    if isinstance(entry, Turn):
        return encode_turn(entry, before)
    content = {
        "version": VERSION,
        **_ruling_content(entry),
        "reason": entry.reason.digest,
        "journal": entry.journal,
        "previous": before,
    }
    return {**content, "hash": digest(content)}


def _ruling_content(ruling: Ruling) -> Json:
    if isinstance(ruling, Back):
        return {"ruling": "back", "keep": ruling.keep}
    if isinstance(ruling, Edited):
        return {"ruling": "edited", "after": encode_position(ruling.position)}
    return {"ruling": "read as", "power": ruling.power, "order": ruling.order, "read": ruling.read}


def _whole(number: int, value: Json, before: str) -> Json:
    """Return the record of entry `number`, from 1, if it is unchanged; raises `InvalidRecord`."""
    content = {key: part for key, part in value.items() if key != "hash"}
    if value["previous"] != before or value["hash"] != digest(content):
        raise InvalidRecord(
            say("{entry} does not match its hash: the record was changed.", entry=_name_entry(number, value))
        )
    return value


def _name_entry(number: int, value: Json) -> str:
    """Return the name of an entry in a sentence."""
    return f"Ruling {number}" if "ruling" in value else f"Turn {number}, {value['phase']},"


def _decode_turn(rules: Rules, value: Json, before: Position) -> Turn:
    kind = before.phase.kind
    notation = notation_of(rules, before)
    version = value["version"]
    if version not in (TEXTS, VERSION):
        raise InvalidRecord(
            say(
                "A turn is of version {version}; it must be {earlier} or {current}.",
                version=in_quotes(str(version)),
                earlier=TEXTS,
                current=VERSION,
            )
        )
    return Turn(
        {Power(power): tuple(texts) for power, texts in value["orders"].items()},
        Resolution(
            before,
            tuple(_decode_outcome(notation, kind, outcome, version) for outcome in value["outcomes"]),
            decode_position(value["after"], rules),
            tuple(map(_decode_event, value["events"])),
            tuple(map(_decode_refusal, value["refusals"])),
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
        value["journal"],
    )


# Games


def entries_of(value: Mapping[str, Any]) -> list[Json]:
    """Return the entries of a record."""
    entries: list[Json] = value["entries"]
    return entries


def _head(game: Game, version: int | None) -> Json:
    version = version or next((entry.version for entry in game.entries if isinstance(entry, Turn)), None) or VERSION
    return {
        "format": FORMAT,
        "version": version,
        "variant": game.rules.variant,
        "options": dict(sorted(game.rules.options.items())),
        "start": encode_position(game.start),
        "commitment": game.dice.commitment if game.dice else game.sealed,
    }


def encode_game(game: Game, *, public: bool = False, version: int | None = None) -> Json:
    """Return a game as JSON; its `hash` covers all of it.

    Without `version` the part before the turns is written in the version of the first turn. The seed of the dice is
    included, except in a `public` record of a game that is not over, which has only the commitment to the seed.
    Messages are included where there are any, outside of every hash, and never in a `public` one.
    """
    head = _head(game, version)
    chain, entries = Chain(head, (digest(head),)).extend(game.entries)
    whole = chain.record(game, entries, public=public)
    return {**whole, "messages": list(map(_encode_message, game.messages))} if game.messages and not public else whole


def _encode_message(message: Message) -> Json:
    parts = {"from": message.sender, "to": message.recipient, "phase": message.phase, "text": message.text}
    return {**parts, "time": message.time}


def _decode_message(value: Json) -> Message:
    texts = [value[key] for key in ("from", "to", "phase", "text")]
    time = value["time"]
    if not all(isinstance(text, str) for text in texts) or not isinstance(time, int | None) or isinstance(time, bool):
        raise InvalidRecord(
            say(
                "A message has a text for each of 'from', 'to', 'phase' and 'text', and a whole number or null "
                "for 'time'."
            )
        )
    sender, recipient, phase, text = texts
    return Message(sender, recipient, phase, text, time)


@dataclass(frozen=True)
class Chain:
    """The part of a record before its entries, and the hash of that and then of each entry.

    With it a record is extended as its game continues, and the earlier part is not written again.
    """

    head: Json
    hashes: tuple[str, ...]

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> "Chain":
        """Return the chain of a record, without a check of its hashes."""
        return cls.from_hashes(value, [entry["hash"] for entry in entries_of(value)])

    @classmethod
    def from_hashes(cls, value: Mapping[str, Any], hashes: Sequence[str]) -> "Chain":
        """Return the chain of a record whose entries have these hashes."""
        head = {key: value[key] for key in _HEAD}
        return cls(head, (digest(head), *hashes))

    def __len__(self) -> int:
        return len(self.hashes) - 1

    def extend(self, entries: Sequence[HistoryEntry], keep: int | None = None) -> tuple["Chain", list[Json]]:
        """Return the chain with these entries after its first `keep`, or after all, and the entries as JSON."""
        hashes, encoded = list(self.hashes[: len(self.hashes) if keep is None else keep + 1]), []
        for entry in entries:
            encoded.append(encode_entry(entry, hashes[-1]))
            hashes.append(encoded[-1]["hash"])
        return Chain(self.head, tuple(hashes)), encoded

    def end(self, game: Game, *, public: bool = False) -> Json:
        """Return the part after the entries in the record of `game`, whose chain this is."""
        seed = game.dice.seed.hex() if game.dice and (game.over or not public) else None
        return {**_seal(self.hashes[-1], game.drawn), "seed": seed}

    def record(self, game: Game, entries: Sequence[Json], *, public: bool = False) -> Json:
        """Return the record of `game`, whose chain this is, with all its entries."""
        reasons = [entry.reason for entry in game.entries if not isinstance(entry, Turn)] if game.rulings else []
        told = {reason.digest: [reason.salt, reason.text] for reason in reasons if reason.text is not None}
        told = dict(sorted(told.items()))
        return {**self.after(game, entries, public=public), **({"reasons": told} if told else {})}

    def after(self, game: Game, entries: Sequence[Json], *, public: bool = False) -> Json:
        """Return the record with these entries only, and without the reasons of rulings."""
        return {**self.head, "entries": list(entries), **self.end(game, public=public)}


def _seal(last: str, drawn: Sequence[str]) -> Json:
    """Return the end of a record: the hash of the last turn together with the agreed end of the game."""
    return {"drawn": list(drawn), "hash": digest({"last": last, "drawn": list(drawn)})}


def decode_game(value: Mapping[str, Any], rules: Rules) -> Game:
    """Return the game that `encode_game` wrote, for the `rules` its `variant` and `options` name.

    Raises `InvalidRecord` if the format is unknown, something is missing, or a hash does not match; the message names
    the entry.
    """
    _look_at_head(value, rules)
    with _reading("game"):
        game = Game(rules, decode_position(value["start"], rules))
        last, reasons = digest({key: value[key] for key in _HEAD}), _reasons(value)
        for number, entry in enumerate(entries_of(value), 1):
            last = _whole(number, entry, last)["hash"]
            game = _gone_on(game, entry, reasons)
        messages = tuple(map(_decode_message, value.get("messages", ())))
        return _with_end(value, replace(game, turns=Turns(tuple(game.turns)), messages=messages), last)


def _gone_on(game: Game, value: Json, reasons: Mapping[str, Sealed]) -> Game:
    """Return the game after one more entry of its record."""
    if "ruling" not in value:
        turn = _decode_turn(game.rules, value, game.position)
        return replace(game, turns=game.turns.with_turn(turn))
    ruling = _decode_ruling(game.rules, value, reasons)
    return (
        game.back(ruling.keep, ruling.reason, ruling.journal) if isinstance(ruling, Back) else game.with_ruling(ruling)
    )


def _decode_ruling(rules: Rules, value: Json, reasons: Mapping[str, Sealed]) -> Ruling:
    """Return a ruling; the turns that a rollback undid are not in it."""
    reason, journal = reasons.get(value["reason"], Sealed(value["reason"])), value["journal"]
    if value["ruling"] == "back":
        return Back(int(value["keep"]), (), reason, journal)
    if value["ruling"] == "edited":
        return Edited(decode_position(value["after"], rules), reason, journal)
    if value["ruling"] == "read as":
        return ReadAs(Power(value["power"]), value["order"], value["read"], reason, journal)
    raise InvalidRecord(say("'{ruling}' is not a ruling.", ruling=str(value["ruling"])[:40]))


def _reasons(value: Mapping[str, Any]) -> dict[str, Sealed]:
    """Return the reasons in a record; raises `InvalidRecord` for one that differs from the sealed one."""
    reasons = {name: Sealed(name, salt, text) for name, (salt, text) in value.get("reasons", {}).items()}
    for reason in reasons.values():
        if not reason.holds:
            raise InvalidRecord(say("The reason '{text}' is not the one that was sealed.", text=str(reason.text)[:40]))
    return reasons


def open_game(
    value: Mapping[str, Any],
    rules: Rules,
    hashes: Sequence[str],
    read: Callable[[int, int], Sequence[Json]],
    rulings: Mapping[int, Json] | None = None,
) -> Game:
    """Return the game of a record without its entries, of which only the position of the newest is read.

    `hashes` are those of the entries, and `read` returns the records of the entries from one number, from 0, to before
    another; it is called on demand, and each entry must fit into the chain of `hashes`. `rulings`
    are the records of those entries that are rulings, by their numbers.
    Raises as `decode_game` does, now or when entries are read.
    """
    _look_at_head(value, rules)
    with _reading("game"):
        start = decode_position(value["start"], rules)
        chain = (digest({key: value[key] for key in _HEAD}), *hashes)
        places, placed = _standing(start, rules, chain, rulings or {}, read, _reasons(value))
        edits = {place: ruling.position for place, ruling in placed if isinstance(ruling, Edited)}
        source = _Records(rules, start, chain, read, places, edits)
        game = Game(rules, start, Turns((), source, len(places)), rulings=placed)
        game = _with_end(value, game, chain[-1])
        if places:
            source.after(len(places) - 1)
        return game


def _standing(
    start: Position,
    rules: Rules,
    chain: Sequence[str],
    rulings: Mapping[int, Json],
    read: Callable[[int, int], Sequence[Json]],
    reasons: Mapping[str, Sealed],
) -> tuple[tuple[int, ...], tuple[Placed, ...]]:
    """Return the numbers of the entries that are turns still in force, and the rulings among them."""
    places: list[int] = []
    placed: list[Placed] = []

    def list_undone(number: int) -> Sequence[HistoryEntry]:
        game = Game(rules, start)
        with _reading("game"):
            for place, entry in enumerate(read(0, number + 1)):
                game = _gone_on(game, _whole(place + 1, entry, chain[place]), reasons)
        ruling = game.rulings[-1][1]
        return ruling.undone if isinstance(ruling, Back) else ()

    for number in range(len(chain) - 1):
        if number not in rulings:
            places.append(number)
            continue
        ruling = _decode_ruling(rules, _whole(number + 1, rulings[number], chain[number]), reasons)
        if isinstance(ruling, Back):
            del places[ruling.keep :]
            placed = [one for one in placed if one[0] <= ruling.keep]
            ruling = replace(ruling, undone=Unread(partial(list_undone, number)))
        placed.append((len(places), ruling))
    return tuple(places), tuple(placed)


class _Records:
    """Turns that are decoded on demand; two threads may decode one twice, with the same result."""

    def __init__(
        self,
        rules: Rules,
        start: Position,
        chain: Sequence[str],
        read: Callable[[int, int], Sequence[Json]],
        places: Sequence[int],
        edits: Mapping[int, Position],
    ) -> None:
        self._rules, self._start, self._chain, self._read = rules, start, chain, read
        self._places, self._edits = places, edits
        self._positions: dict[int, Position] = {}
        self._turns: dict[int, Turn] = {}
        self._newest: tuple[int, Json] | None = None

    def turns(self, first: int, last: int) -> Sequence[Turn]:
        """Return the turns from number `first` to before `last`."""
        unread = [number for number in range(first, last) if number not in self._turns]
        if unread:
            records = self._records(unread[0], unread[-1] + 1)
            for number in unread:
                before = self._edits.get(number) or self.after(number - 1)
                with _reading("game"):
                    turn = _decode_turn(self._rules, records[number], before)
                self._turns[number] = turn
                self._positions.setdefault(number, turn.resolution.after)
        return [self._turns[number] for number in range(first, last)]

    def after(self, number: int) -> Position:
        """Return the position after a turn; before the first it is the opening."""
        if number < 0:
            return self._start
        known = self._positions.get(number)
        if known is None:
            value = self._records(number, number + 1)[number]
            with _reading("game"):
                known = decode_position(value["after"], self._rules)
            self._positions[number] = known
            if number == len(self._places) - 1:
                self._newest = number, value  # it is asked for next
        return known

    def _records(self, first: int, last: int) -> dict[int, Json]:
        """Return the records of some turns; raises `InvalidRecord` for one that does not fit into the chain."""
        newest = self._newest
        if newest is not None and newest[0] == first == last - 1:
            return dict([newest])
        places = self._places[first:last]
        entries = self._read(places[0], places[-1] + 1)
        values = {number: entries[place - places[0]] for number, place in enumerate(places, first)}
        with _reading("game"):
            for (number, value), place in zip(values.items(), places, strict=True):
                if _whole(place + 1, value, self._chain[place])["hash"] != self._chain[place + 1]:
                    raise InvalidRecord(
                        say(
                            "{entry} is not the one the game goes on from.",
                            entry=_name_entry(number + 1, value),
                        )
                    )
        return values


_HEAD = ("format", "version", "variant", "options", "start", "commitment")
"""The keys of a record before its turns."""


def _look_at_head(value: Mapping[str, Any], rules: Rules) -> None:
    """Raise `InvalidRecord` if this is not a record of a game with these rules."""
    if value.get("format") != FORMAT or value.get("version") not in (TEXTS, VERSION):
        raise InvalidRecord(
            say(
                "This is not a game record of format '{format}', version {earlier} or {current}, but {found}, "
                "version {version}.",
                format=FORMAT,
                earlier=TEXTS,
                current=VERSION,
                found=in_quotes(str(value.get("format"))),
                version=in_quotes(str(value.get("version"))),
            )
        )
    if value.get("variant") != rules.variant:
        raise InvalidRecord(
            say(
                "The record is of variant {found}, not of '{variant}'.",
                found=in_quotes(str(value.get("variant"))),
                variant=rules.variant,
            )
        )


@contextmanager
def _reading(what: str) -> Iterator[None]:
    """Convert any error of form in `what` to `InvalidRecord`."""
    try:
        yield
    except InvalidRecord:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidRecord(say("The {what} cannot be read: {why}.", what=what, why=_describe_error(error))) from error


def _with_end(value: Mapping[str, Any], game: Game, last: str) -> Game:
    """Return the game of a record with its dice and its agreed end; `last` is the hash of its last turn."""
    drawn = value["drawn"]
    dice = _dice(value)
    if value["hash"] != _seal(last, drawn)["hash"]:
        raise InvalidRecord(say("The end of the game does not match its hash: the record was changed."))
    sealed = value["commitment"] if dice is None else None
    return replace(game, drawn=tuple(map(Power, drawn)), dice=dice, sealed=sealed)


def _dice(value: Mapping[str, Any]) -> Dice | None:
    """Return the dice of a record, if it has the seed; raises `InvalidRecord` for one that breaks the commitment."""
    if value["seed"] is None:
        return None
    dice = Dice(bytes.fromhex(value["seed"]))
    if dice.commitment != value["commitment"]:
        raise InvalidRecord(say("The seed is not the one the game was committed to: the record was changed."))
    return dice

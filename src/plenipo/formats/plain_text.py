"""Plenipo's plain text of a game: what a person reads, edits and sends by mail, and a program reads back.

```text
[Variant "standard"]
[Result "*"]

== Spring 1901 movement
France: A PAR - BUR {bounce}
France: F BRE - MID
> "France" to "Italy", "S1901M": "Peace?"

== Fall 1901 movement
```

Headers come first: the variant, each of its options, the result (`*`, the winner, or the powers of a draw), and the
seed of a game that is over and has chance. A phase has its orders as they were given, each with the words about its
result, and its messages; line breaks in them are written as in JSON. A phase that does not follow from the orders
before it has its position, a line for each power: `@ France: A PAR, F BRE | PAR, BRE, MAR`; a dislodged unit has a
star and the places open to it, `*A MUN (RUH, BER)`. A line that begins with `#` is a comment.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.messages import Message
from plenipo.engine.history.rulings import Edited
from plenipo.engine.history.turns import Turn
from plenipo.engine.phases import retreats
from plenipo.engine.position import Position
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.sentences import say
from plenipo.engine.wording import in_quotes
from plenipo.errors import InvalidOrder, InvalidRecord
from plenipo.formats.base import Format, GamePart, LoadRules
from plenipo.formats.playback import play_back
from plenipo.formats.transcript import StatedDislodged, StatedPhase, StatedPosition, StatedUnit, Transcript
from plenipo.formats.words import list_words

__all__ = ["PLAIN_TEXT"]

UNDECIDED = "*"
DRAW = "draw: "

_STRING = r'"(?:[^"\\]|\\.)*"'
_HEADER = re.compile(rf"\[(?P<key>[\w.-]+) (?P<value>{_STRING})\]")
_MESSAGE = re.compile(
    rf"> (?P<sender>{_STRING}) to (?P<recipient>{_STRING}), (?P<phase>{_STRING})(?:, (?P<time>-?\d+))?: "
    rf"(?P<text>{_STRING})"
)
_RESULT = re.compile(r" \{(?P<words>[a-z, ]*)\}$")
_FALLEN = re.compile(r"\*(?P<unit>[^(*,]{1,80}?) ?\((?P<ways>[^()*]{0,1000})\)")


# Writing


def _write(game: Game) -> str:
    drawn = any(turn.resolution.draws for turn in game.turns)
    if drawn and not (game.over and game.dice is not None):
        raise InvalidRecord(
            say("This game has chance and is not over, so its seed is secret; the format 'plenipo' keeps such a game.")
        )
    lines = [_header("Variant", game.rules.variant)]
    lines += [_header("Option", f"{key}={value}") for key, value in game.rules.options.items()]
    lines.append(_header("Result", _result(game)))
    if drawn and game.dice is not None:
        lines.append(_header("Seed", game.dice.seed.hex()))
    edits = {place: one.position for place, one in game.rulings if isinstance(one, Edited)}
    if game.start != game.rules.opening:
        edits.setdefault(0, game.start)
    messages = _by_turn(game)
    for number in range(len(game.turns) + 1):
        position = game.position_after(number)
        lines += ["", f"== {position.phase}"]
        if number in edits:
            lines += _position_lines(game, position)
        if number < len(game.turns):
            lines += _order_lines(game, game.turns[number])
        lines += map(_message_line, messages.get(number, ()))
    return "\n".join(lines) + "\n"


def _header(key: str, value: str) -> str:
    return f"[{key} {json.dumps(value, ensure_ascii=False)}]"


def _result(game: Game) -> str:
    if game.drawn:
        return DRAW + ", ".join(game.drawn)
    return ", ".join(game.position.winners) or UNDECIDED


def _by_turn(game: Game) -> Mapping[int, Sequence[Message]]:
    """Return the messages by the numbers of their phases; one of a phase that is not here follows the one before."""
    codes = [game.position_after(number).phase.code for number in range(len(game.turns) + 1)]
    numbers = {code: number for number, code in reversed(list(enumerate(codes)))}
    number = 0
    found: dict[int, list[Message]] = {}
    for message in game.messages:
        number = max(number, numbers.get(message.phase, number))
        found.setdefault(number, []).append(message)
    return found


def _position_lines(game: Game, position: Position) -> Iterator[str]:
    for info in game.rules.powers:
        power = info.name
        units = [*map(str, position.units_of(power))]
        for one in position.dislodged:
            if one.unit.power == power:
                ways = ", ".join(map(str, retreats.options(game.rules, position, one)))
                units.append(f"*{one.unit} ({ways})")
        yield f"@ {power}: {', '.join(units)} | {', '.join(position.centres_of(power))}"


def _order_lines(game: Game, turn: Turn) -> Iterator[str]:
    notation = notation_of(game.rules, turn.resolution.before)
    kind = turn.resolution.before.phase.kind
    words = {
        (outcome.power, outcome.unit.space): list_words(outcome)
        for outcome in turn.resolution.outcomes
        if outcome.unit is not None
    }
    for power, texts in turn.orders.items():
        for text in texts:
            line = f"{power}: {' '.join(text.split())}"
            try:
                order = notation.read(text, kind)
            except InvalidOrder:
                order = None
            unit = getattr(order, "unit", None)
            about = words.get((power, unit.location.space)) if unit is not None else None
            if about and kind is not PhaseKind.ADJUSTMENTS:
                line += f" {{{', '.join(about)}}}"
            elif line.endswith("}"):
                line += " {}"
            yield line


def _message_line(message: Message) -> str:
    ends = [json.dumps(part, ensure_ascii=False) for part in (message.sender, message.recipient, message.phase)]
    time = f", {message.time}" if message.time is not None else ""
    return f"> {ends[0]} to {ends[1]}, {ends[2]}{time}: {json.dumps(message.text, ensure_ascii=False)}"


# Reading


@dataclass
class _TextPhase:
    """A phase while its lines are read."""

    name: str
    orders: dict[str, list[str]] = field(default_factory=dict)
    units: list[StatedUnit] = field(default_factory=list)
    fallen: list[StatedDislodged] = field(default_factory=list)
    owners: dict[str, str] | None = None
    results: dict[str, frozenset[str]] = field(default_factory=dict)

    def state(self, *, last: bool) -> StatedPhase:
        """Return the phase as a part of a transcript."""
        position = None
        if self.owners is not None:
            position = StatedPosition(tuple(self.units), tuple(self.fallen), self.owners)
        orders = {power: tuple(texts) for power, texts in self.orders.items()}
        return StatedPhase(self.name, position, orders, played=not last or bool(orders))


def _sniff(text: str) -> bool:
    return text.lstrip("\ufeff \n").startswith("[Variant ")


def _read(text: str, load: LoadRules) -> Game:
    headers, transcript = _transcribe(text)
    dice = None
    if seed := headers.get("Seed"):
        try:
            dice = Dice(bytes.fromhex(seed))
        except ValueError as fault:
            raise InvalidRecord(
                say("The seed {seed} is not a number in hexadecimal.", seed=in_quotes(seed[:40]))
            ) from fault
    return play_back(transcript, load, ({},), dice)


def _transcribe(text: str) -> tuple[Mapping[str, str], Transcript]:
    headers: dict[str, str] = {}
    options: dict[str, Any] = {}
    phases: list[_TextPhase] = []
    messages: list[Message] = []
    for number, line in enumerate(text.lstrip("\ufeff").split("\n"), 1):
        line = line.rstrip()  # noqa: PLW2901  # blanks at the end mean nothing
        try:
            if not line or line.startswith("#"):
                continue
            if not phases and (header := _HEADER.fullmatch(line)):
                _read_header(header, headers, options)
            elif line.startswith("== "):
                phases.append(_TextPhase(line[3:].strip()))
            elif line.startswith("> "):
                messages.append(_read_message(line))
            else:
                _read_line_of_phase(phases, line)
        except ValueError as fault:
            raise InvalidRecord(
                say(
                    "Line {number}: {line} cannot be read; it should be a header, a phase, an order such as "
                    "'France: A PAR - BUR', a message or a position.",
                    number=number,
                    line=in_quotes(line[:60]),
                )
            ) from fault
    result = headers.get("Result", UNDECIDED)
    drawn = tuple(result.removeprefix(DRAW).split(", ")) if result.startswith(DRAW) else ()
    stated = [phase.state(last=phase is phases[-1]) for phase in phases]
    variant = headers.get("Variant", "")
    return headers, Transcript(variant, tuple(stated), options, tuple(messages), over=bool(drawn), winners=drawn)


def _read_line_of_phase(phases: Sequence[_TextPhase], line: str) -> None:
    if not phases:
        raise ValueError(line)
    if line.startswith("@ "):
        _read_position_line(phases[-1], line[2:])
    else:
        _read_order_line(phases[-1], line)


def _read_header(header: re.Match[str], headers: dict[str, str], options: dict[str, Any]) -> None:
    value = json.loads(header["value"])
    if header["key"] == "Option":
        key, _, choice = value.partition("=")
        options[key] = choice
    else:
        headers[header["key"]] = value


def _read_message(line: str) -> Message:
    found = _MESSAGE.fullmatch(line)
    if found is None:
        raise ValueError(line)
    parts = [json.loads(found[key]) for key in ("sender", "recipient", "phase", "text")]
    time = int(found["time"]) if found["time"] else None
    return Message(parts[0], parts[1], parts[2], parts[3], time)


def _read_position_line(phase: _TextPhase, line: str) -> None:
    power, colon, rest = line.partition(":")
    units, bar, centres = rest.partition("|")
    if not colon or not bar:
        raise ValueError(line)
    for fallen in _FALLEN.finditer(units):
        ways = tuple(way.strip() for way in fallen["ways"].split(",") if way.strip())
        phase.fallen.append(StatedDislodged(power, fallen["unit"], ways))
    for unit in _FALLEN.sub("", units).split(","):
        if unit.strip():
            phase.units.append(StatedUnit(power, unit.strip()))
    phase.owners = phase.owners or {}
    phase.owners |= {centre.strip(): power for centre in centres.split(",") if centre.strip()}


def _read_order_line(phase: _TextPhase, line: str) -> None:
    power, colon, text = line.partition(": ")
    if not colon:
        raise ValueError(line)
    phase.orders.setdefault(power, []).append(_RESULT.sub("", text))


PLAIN_TEXT = Format(
    "text",
    "Plenipo's plain text of a game",
    _sniff,
    _read,
    _write,
    frozenset(GamePart) - {GamePart.RULINGS},
    lambda line: line.startswith("[Variant "),
)

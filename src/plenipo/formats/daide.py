"""Logs of DAIDE: the messages of a server about one game, a message in each line, as text tokens.

`NOW ( SPR #1901 ) ( AUS AMY BUD ) …` is a position, `SCO` has the owners of the centres, `ORD` an order with its
result, `FRM` a message between powers, `DRW` the end. A line may begin with the number of a client and commas, as in
the recorded games of the package `diplomacy`. What has no part in the game is passed over, and what several clients
received counts once. The orders in the messages of a client (`17,SUB …`) count for units about which the server says
nothing, as that package does about convoyed armies.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from plenipo.daide.reports import BracketContent, describe_centres, describe_position, find_route, write_order
from plenipo.daide.tokens import Nested, Token, Tokens, as_text, balance, build, nest, parse, parts_of, token_of
from plenipo.daide.vocabulary import TokenVocabulary, map_name, phase_of, turn_of, vocabulary_of
from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.history.messages import Message
from plenipo.engine.orders import Move, Order, Support, Waive
from plenipo.engine.outcome import Outcome, Reason, Result
from plenipo.engine.position import Position
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import say
from plenipo.engine.wording import in_quotes
from plenipo.errors import InvalidMessage, InvalidOrder, InvalidRecord
from plenipo.formats.base import Format, GamePart, LoadRules
from plenipo.formats.playback import play_back
from plenipo.formats.transcript import StatedDislodged, StatedPhase, StatedPosition, StatedUnit, Transcript

__all__ = ["DAIDE"]

VARIANT = "standard"

OPENING = "S1901M"
"""The phase of messages before the first position."""

_MESSAGE = re.compile(r"\s*(NOW|SCO|ORD|FRM|DRW|SUB)\b(.*)")
_NEXT = re.compile(r",(?=[A-Z]{3}(?: ?\(|$))")
_YEAR = re.compile(r"#(?=-?\d)")
_NUMBER = re.compile(r"(?<![\w'])-?\d+")
_KINDS = {Token.AMY: "A", Token.FLT: "F"}
_VERBS = {Token.HLD: "H", Token.DSB: "D", Token.REM: "D", Token.BLD: "B"}
"""The orders of a single word."""

_TO = {Token.MTO: "-", Token.RTO: "R"}
"""The orders to a place."""

_HELP = {Token.SUP: "S", Token.CVY: "C"}
"""The orders that help another unit."""


# Reading


def _sniff(text: str) -> bool:
    return "( SPR #" in text[: 1 << 16] and any(
        head == "NOW" for line in text.split("\n", 400)[:400] for head, _ in _messages(line)
    )


def _begins(line: str) -> bool:
    return line.strip().startswith("HLO (")


def _messages(line: str) -> Iterator[tuple[str, str]]:
    """Yield the messages of a line, each with its first token; of a client only its orders."""
    pieces = _NEXT.split(line.rstrip())
    of_client = len(pieces) > 1 and not pieces[0].endswith(",")
    for piece in pieces:
        found = _MESSAGE.fullmatch(piece)
        if found is not None and (found[1] == "SUB") >= of_client:
            yield found[1], found[2]


@dataclass
class _Log:
    """The content of a log so far, in the words of its game."""

    rules: Rules
    words: TokenVocabulary
    owners: dict[str, str] | None = None
    phases: dict[str, StatedPosition] = field(default_factory=dict)
    orders: dict[str, dict[tuple[str, str], None]] = field(default_factory=dict)
    sent: dict[str, dict[tuple[str, str], str]] = field(default_factory=dict)
    messages: dict[Message, None] = field(default_factory=dict)
    over: bool = False
    winners: tuple[str, ...] = ()

    def take(self, head: str, text: str) -> None:
        """Take one message; raise `InvalidMessage`, or what comes of parts that are missing."""
        if head == "FRM":
            self._take_press(text)
            return
        parts = self._nest(text)
        if head == "SCO":
            groups = [parts_of(part) for part in parts]
            self.owners = {
                str(self.words.location(place)): self.words.power_of[token_of(group[0])]
                for group in groups
                if group[0] != Token.UNO
                for place in group[1:]
            }
        elif head == "NOW":
            self._take_position(parts)
        elif head == "ORD":
            order = parts_of(parts[1])
            if order[1:] == [Token.MTO, Token.VIA]:
                return  # the package writes this for every convoyed army; what the client sent has the destination
            self.orders.setdefault(self._phase(parts[0]), {})[self._order(order)] = None
        elif head == "SUB":
            has_turn = bool(parts) and isinstance(parts[0], list) and isinstance(parts[0][0], int)
            has_turn = has_turn and parts_of(parts[0])[0] not in self.words.power_of
            name = self._phase(parts[0]) if has_turn else next(reversed(self.phases), OPENING)
            for part in parts[has_turn:]:
                power, said = self._order(parts_of(part))
                self.sent.setdefault(name, {})[power, said.split()[1] if " " in said else ""] = said
        else:
            self.over = True
            self.winners = tuple(self.words.power_of[token_of(part)] for part in parts_of(parts[0])) if parts else ()

    def _nest(self, text: str) -> list[Nested]:
        tokens = parse(_YEAR.sub("", text), self.words.tokens)
        if not balance(tokens):
            raise InvalidMessage(say("A bracket has no partner."))
        return nest(tokens)

    def _take_press(self, text: str) -> None:
        """Take a message between powers: `( FRA ) ( AUS RUS ) ( … )`; what it says stays as it is."""
        sender, recipients, said = (piece.strip(" (") for piece in text.split(")", 2))
        now = next(reversed(self.phases), OPENING)
        for recipient in recipients.split():
            message = Message(self._name(sender), self._name(recipient), now, f"( {said}" if said else "")
            self.messages[message] = None

    def _name(self, word: str) -> str:
        return self.words.power_of.get(self.words.tokens.get(word, -1)) or word

    def _take_position(self, parts: Sequence[Nested]) -> None:
        units: list[StatedUnit] = []
        fallen: list[StatedDislodged] = []
        for part in map(parts_of, parts[1:]):
            power, text = self._unit(part[:3])
            if part[3:4] == [Token.MRT]:
                ways = tuple(str(self.words.location(place)) for place in parts_of(part[4]))
                fallen.append(StatedDislodged(power, text, ways))
            else:
                units.append(StatedUnit(power, text))
        owners = dict(self.owners) if self.owners else None
        self.phases.setdefault(self._phase(parts[0]), StatedPosition(tuple(units), tuple(fallen), owners))

    def _phase(self, part: Nested) -> str:
        return phase_of(self.rules, self.words, part).code

    def _unit(self, part: Nested) -> tuple[str, str]:
        """Return the power of a unit, and the unit as people write it."""
        power, kind, place = parts_of(part)
        letter = _KINDS[Token(token_of(kind))]
        return self.words.power_of[token_of(power)], f"{letter} {self.words.location(place)}"

    def _order(self, order: Sequence[Nested]) -> tuple[str, str]:
        """Return the power and the text of an order."""
        if order[1:] == [Token.WVE]:
            return self.words.power_of[token_of(order[0])], "WAIVE"
        power, unit = self._unit(order[0])
        verb, rest = Token(token_of(order[1])), order[2:]
        if verb in _VERBS and not rest:
            return power, f"{unit} {_VERBS[verb]}"
        if verb in _TO:
            (to,) = rest
            return power, f"{unit} {_TO[verb]} {self.words.location(to)}"
        if verb is Token.CTO:
            to, _, _ = rest
            return power, f"{unit} - {self.words.location(to)} VIA"
        other = self._unit(rest[0])[1]
        tail = f" - {self.words.location(rest[2])}" if len(rest) > 1 else ""
        return power, f"{unit} {_HELP[verb]} {other}{tail}"


def _read(text: str, load: LoadRules) -> Game:
    rules = load(VARIANT, {})
    log = _Log(rules, vocabulary_of(rules))
    for number, line in enumerate(text.split("\n"), 1):
        try:
            for head, rest in _messages(line):
                log.take(head, rest)
        except (InvalidMessage, ValueError, IndexError, KeyError) as fault:
            raise InvalidRecord(
                say(
                    "Line {number}: {line} is not a message of a DAIDE server.",
                    number=number,
                    line=in_quotes(line.strip()[:60]),
                )
            ) from fault
    if not log.phases:
        raise InvalidRecord(say("The log has no position (NOW), so it is not a saved game."))
    last = list(log.phases)[-1]
    phases = []
    for name, position in log.phases.items():
        orders: dict[str, list[str]] = {}
        for power, order in log.orders.get(name, ()):
            orders.setdefault(power, []).append(order)
        known = {order.split()[1] for texts in orders.values() for order in texts if " " in order}
        for (power, place), order in log.sent.get(name, {}).items():
            if place not in known:
                orders.setdefault(power, []).append(order)
        given = {power: tuple(texts) for power, texts in orders.items()}
        phases.append(StatedPhase(name, position, given, played=name != last or bool(given)))
    transcript = Transcript(VARIANT, tuple(phases), {}, tuple(log.messages), log.over, log.winners)
    return play_back(transcript, load)


# Writing


def _write(game: Game) -> str:
    rules = game.rules
    if rules.variant != VARIANT:
        raise InvalidRecord(
            say("This format is for the standard game, and the game is one of {title}.", title=rules.title)
        )
    words = vocabulary_of(rules)
    lines = [f"MAP ( '{map_name(rules)}' )"]
    owners = None
    for number in range(len(game.turns) + 1):
        position = game.position_after(number)
        if position.phase.kind is PhaseKind.OWNERSHIP:
            continue
        if position.owners != owners:
            lines.append(_as_line(words, describe_centres(rules, words, position)))
            owners = position.owners
        lines.append(_as_line(words, describe_position(rules, words, position)))
        for outcome in game.turns[number].resolution.outcomes if number < len(game.turns) else ():
            if outcome.order is not None and outcome.cause.reason is not Reason.CIVIL_DISORDER:
                order = _write_order(rules, words, position, outcome, outcome.order)
                if order is not None:
                    message = build(Token.ORD, turn_of(words, position.phase), order, _result(outcome))
                    lines.append(_as_line(words, message))
    if game.drawn:
        lines.append(_as_line(words, build(Token.DRW, [words.powers[power] for power in game.drawn])))
    elif game.over:
        lines.append(_as_line(words, build(Token.SLO, [words.powers[game.position.winners[0]]])))
    return "\n".join(lines) + "\n"


def _as_line(words: TokenVocabulary, message: Tokens) -> str:
    """Return a message as a log has it: `#` before numbers, and blanks inside of brackets."""
    text = as_text(message, words.names).replace("(", "( ").replace(")", " )")
    return _NUMBER.sub(r"#\g<0>", text)


def _write_order(
    rules: Rules, words: TokenVocabulary, position: Position, outcome: Outcome, order: Order
) -> BracketContent | None:
    """Return an order as DAIDE writes it; None for one that it has no words for, such as about a unit not there."""
    if isinstance(order, Waive):
        return [words.powers[outcome.power], Token.WVE.value]
    route: tuple[Code, ...] = ()
    if isinstance(order, Move) and order.via:
        board = rules.board_at(position)
        afloat = {unit.space for unit in position.units if board.spaces[unit.space].carries}
        ends = order.unit.location.space, order.to.space
        route = find_route(board, *ends, afloat) or find_route(board, *ends, set(board.waters))
        if not route:
            unit = position.unit_at(ends[0])
            here = words.unit(*unit) if unit is not None else []
            return [here, Token.CTO.value, words.place(order.to), Token.VIA.value, []]
    try:
        written = write_order(words, position, order, route)
    except InvalidOrder:
        return None
    if isinstance(order, Support) and order.to is not None:
        return [*written[:-1], words.place(order.to)]  # the protocol names the province alone; a record keeps the coast
    return written


def _result(outcome: Outcome) -> BracketContent:
    words: Mapping[Result, Token] = {
        Result.FAILS: Token.DSR if outcome.cause.reason in (Reason.NO_CONVOY, Reason.CONVOY_BROKEN) else Token.BNC,
        Result.CUT: Token.CUT,
        Result.VOID: Token.NSO,
        Result.DISRUPTED: Token.DSR,
    }
    word = words.get(outcome.result, Token.SUC).value
    return [word, Token.RET.value] if outcome.dislodged_by is not None else [word]


DAIDE = Format(
    "daide",
    "a log of a DAIDE server",
    _sniff,
    _read,
    _write,
    frozenset({GamePart.ORDERS, GamePart.POSITIONS, GamePart.RESULTS, GamePart.END}),
    _begins,
)

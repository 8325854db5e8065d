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

from plenipo.engine.board import Location
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.history.messages import Message
from plenipo.engine.orders import Build, Convoy, Disband, Hold, Move, Order, Ref, Remove, Retreat, Support
from plenipo.engine.outcome import Outcome, Reason, Result
from plenipo.engine.phases import retreats
from plenipo.engine.position import Position, Power
from plenipo.engine.sentences import say
from plenipo.engine.wording import in_quotes
from plenipo.errors import InvalidRecord
from plenipo.formats.base import Format, GamePart, LoadRules
from plenipo.formats.playback import play_back
from plenipo.formats.transcript import StatedDislodged, StatedPhase, StatedPosition, StatedUnit, Transcript

__all__ = ["DAIDE"]

VARIANT = "standard"
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
TOKENS = {"ENG": "ECH", "BOT": "GOB", "MID": "MAO", "NAT": "NAO", "NRG": "NWG", "TYN": "TYS", "TYO": "TYR"}
"""The tokens of the places that have another code in the standard game here."""

_TOKEN_OF_POWER = {name: name[:3].upper() for name in POWERS}
_NAME_OF_TOKEN = {token: name for name, token in _TOKEN_OF_POWER.items()}
_CODES = {token: code for code, token in TOKENS.items()}
_TURNS = {"SPR": "S{}M", "SUM": "S{}R", "FAL": "F{}M", "AUT": "F{}R", "WIN": "W{}A"}
_SEASONS = {"S{}M": "SPR", "S{}R": "SUM", "F{}M": "FAL", "F{}R": "AUT", "W{}A": "WIN"}
_UNITS = {"AMY": "A", "FLT": "F"}
_UNIT_TOKENS = {"A": "AMY", "F": "FLT"}
_MESSAGE = re.compile(r"\s*(NOW|SCO|ORD|FRM|DRW|SUB)\b(.*)")
_NEXT = re.compile(r",(?=[A-Z]{3}(?: ?\(|$))")
_TOKEN = re.compile(r"[()]|'[^']*'|[^\s()']+")
_DEEPEST = 40

TokenTree = str | list["TokenTree"]


# Reading


def _sniff(text: str) -> bool:
    return "( SPR #" in text[: 1 << 16] and any(
        head == "NOW" for line in text.split("\n", 400)[:400] for head, _ in _messages(line)
    )


def _begins(line: str) -> bool:
    return line.strip().startswith("HLO (")


def _tree(text: str) -> list[TokenTree]:
    """Return the tokens of a message, with a list for each bracket; raises `ValueError`."""
    stack: list[list[TokenTree]] = [[]]
    for piece in _TOKEN.findall(text):
        if piece == "(":
            stack.append([])
            if len(stack) > _DEEPEST:
                raise ValueError(text)
        elif piece == ")":
            done = stack.pop()
            stack[-1].append(done)  # an IndexError is a bracket too many
        else:
            stack[-1].append(piece)
    (whole,) = stack
    return whole


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
    """The content of a log so far."""

    owners: dict[str, str] | None = None
    phases: dict[str, StatedPosition] = field(default_factory=dict)
    orders: dict[str, dict[tuple[str, str], None]] = field(default_factory=dict)
    sent: dict[str, dict[tuple[str, str], str]] = field(default_factory=dict)
    messages: dict[Message, None] = field(default_factory=dict)
    over: bool = False
    winners: tuple[str, ...] = ()


def _read(text: str, load: LoadRules) -> Game:
    log = _Log()
    for number, line in enumerate(text.split("\n"), 1):
        try:
            for head, rest in _messages(line):
                _take(log, head, _tree(rest), rest)
        except (ValueError, IndexError, KeyError, TypeError) as fault:
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


def _take(log: _Log, head: str, parts: Sequence[TokenTree], text: str) -> None:
    """Take one message into the log."""
    if head == "SCO":
        log.owners = {
            _place(place): _NAME_OF_TOKEN[str(part[0])]
            for part in parts
            if isinstance(part, list) and part[0] != "UNO"
            for place in part[1:]
        }
    elif head == "NOW":
        name = _turn(parts[0])
        units = [_unit(part) for part in parts[1:]]
        placed = tuple(StatedUnit(power, one) for power, one, ways in units if ways is None)
        fallen = tuple(StatedDislodged(power, one, ways) for power, one, ways in units if ways is not None)
        log.phases.setdefault(name, StatedPosition(placed, fallen, dict(log.owners) if log.owners else None))
    elif head == "ORD":
        order = parts[1] if isinstance(parts[1], list) else []
        if order[1:] == ["MTO", "VIA"]:
            return  # the package writes this for every convoyed army; what the client sent has the destination
        power, said = _order(order)
        log.orders.setdefault(_turn(parts[0]), {})[power, said] = None
    elif head == "SUB":
        has_turn = bool(parts) and isinstance(parts[0], list) and str(parts[0][0]) in _TURNS
        name = _turn(parts[0]) if has_turn else next(reversed(log.phases), "S1901M")
        for part in parts[has_turn:]:
            power, said = _order(part if isinstance(part, list) else [])
            log.sent.setdefault(name, {})[power, said.split()[1] if " " in said else ""] = said
    elif head == "FRM":
        sender, recipients = (part[0] if isinstance(part, list) else part for part in parts[:2])
        ends = parts[1] if isinstance(parts[1], list) else [recipients]
        said = text.split(")", 2)[2].strip()
        now = list(log.phases)[-1] if log.phases else "S1901M"
        for recipient in ends:
            log.messages[Message(_power(sender), _power(recipient), now, said)] = None
    elif head == "DRW":
        log.over = True
        drawn = parts[0] if parts else []
        log.winners = tuple(map(_power, drawn)) if isinstance(drawn, list) else ()


def _power(token: TokenTree) -> str:
    return _NAME_OF_TOKEN.get(str(token), str(token))


def _turn(part: TokenTree) -> str:
    if not isinstance(part, list):
        raise TypeError(part)
    season, year = part
    return _TURNS[str(season)].format(int(str(year).removeprefix("#")))


def _place(part: TokenTree) -> str:
    """Return a place with our code: `GOB`, or `( STP SCS )`."""
    if isinstance(part, list):
        place, coast = part
        return f"{_place(place)}/{str(coast)[:2]}"
    return _CODES.get(part, part)


def _unit(part: TokenTree) -> tuple[str, str, tuple[str, ...] | None]:
    """Return the power and text of a unit, and the places to which it must retreat, None if it need not."""
    if not isinstance(part, list):
        raise TypeError(part)
    power, kind, place, *rest = part
    text = f"{_UNITS[str(kind)]} {_place(place)}"
    ways = tuple(map(_place, rest[1])) if rest and rest[0] == "MRT" else None
    return _NAME_OF_TOKEN[str(power)], text, ways


def _order(order: Sequence[TokenTree]) -> tuple[str, str]:
    """Return the power and the text of an order."""
    if order[1:] == ["WVE"]:
        return _NAME_OF_TOKEN[str(order[0])], "WAIVE"
    power, unit, _ = _unit(order[0])
    match order[1:]:
        case ["HLD"]:
            text = f"{unit} H"
        case ["MTO", to]:
            text = f"{unit} - {_place(to)}"
        case ["CTO", to, "VIA", _]:
            text = f"{unit} - {_place(to)} VIA"
        case ["SUP", other]:
            text = f"{unit} S {_unit(other)[1]}"
        case ["SUP", other, "MTO", to]:
            text = f"{unit} S {_unit(other)[1]} - {_place(to)}"
        case ["CVY", other, "CTO", to]:
            text = f"{unit} C {_unit(other)[1]} - {_place(to)}"
        case ["RTO", to]:
            text = f"{unit} R {_place(to)}"
        case ["DSB" | "REM"]:
            text = f"{unit} D"
        case ["BLD"]:
            text = f"{unit} B"
        case _:
            raise ValueError(order)
    return power, text


# Writing


def _write(game: Game) -> str:
    if game.rules.variant != VARIANT:
        raise InvalidRecord(
            say("This format is for the standard game, and the game is one of {title}.", title=game.rules.title)
        )
    lines = ["MAP ( 'standard' )"]
    owners = None
    for number in range(len(game.turns) + 1):
        position = game.position_after(number)
        if position.phase.kind is PhaseKind.OWNERSHIP:
            continue
        if position.owners != owners:
            lines.append(_sco(game, position))
            owners = position.owners
        lines.append(_now(game, position))
        lines += [
            f"ORD {_turn_tokens(position)} {_order_tokens(position, outcome)}"
            for outcome in (game.turns[number].resolution.outcomes if number < len(game.turns) else ())
            if outcome.order is not None and outcome.cause.reason is not Reason.CIVIL_DISORDER
        ]
    if game.drawn:
        lines.append(f"DRW ( {' '.join(_TOKEN_OF_POWER[power] for power in game.drawn)} )")
    elif game.over:
        lines.append(f"SLO ( {_TOKEN_OF_POWER[game.position.winners[0]]} )")
    return "\n".join(lines) + "\n"


def _turn_tokens(position: Position) -> str:
    phase = position.phase
    form = f"{phase.season[0]}{{}}{phase.kind[0].upper()}"
    return f"( {_SEASONS[form]} #{phase.year} )"


def _place_tokens(location: Location) -> str:
    token = TOKENS.get(location.space, location.space)
    return f"( {token} {location.coast}S )" if location.coast else token


def _sco(game: Game, position: Position) -> str:
    owned: dict[str, list[str]] = {_TOKEN_OF_POWER[power]: [] for power in POWERS}
    owned["UNO"] = []
    for code in sorted(game.rules.board.centres):
        owner = position.owners.get(code)
        owned[_TOKEN_OF_POWER[owner] if owner else "UNO"].append(_place_tokens(Location(code)))
    return "SCO " + " ".join(f"( {' '.join((power, *places))} )" for power, places in owned.items() if places)


def _now(game: Game, position: Position) -> str:
    parts = [_turn_tokens(position)]
    parts += [f"( {_unit_tokens(unit.power, unit.ref)} )" for unit in position.units]
    for one in position.dislodged:
        ways = " ".join(map(_place_tokens, retreats.options(game.rules, position, one)))
        parts.append(f"( {_unit_tokens(one.unit.power, one.unit.ref)} MRT ( {ways} ) )")
    return "NOW " + " ".join(parts)


def _unit_tokens(power: Power, ref: Ref) -> str:
    return f"{_TOKEN_OF_POWER[power]} {_UNIT_TOKENS[ref.kind or 'A']} {_place_tokens(ref.location)}"


def _order_tokens(position: Position, outcome: Outcome) -> str:
    order = outcome.order
    unit: Ref | None = getattr(order, "unit", None)
    if order is None or unit is None:
        return f"( {_TOKEN_OF_POWER[outcome.power]} WVE ) ( SUC )"
    own = f"( {_unit_tokens(outcome.power, unit)} )"
    return f"( {own} {_rest_tokens(position, order)} ) ( {_result_tokens(outcome)} )"


def _other_tokens(position: Position, other: Ref) -> str:
    unit = position.unit_at(other.location.space)
    return f"( {_unit_tokens(unit.power, unit.ref)} )" if unit is not None else "( UNO )"


def _rest_tokens(position: Position, order: Order) -> str:
    match order:
        case Move(_, to, via):
            return f"CTO {_place_tokens(to)} VIA ( )" if via else f"MTO {_place_tokens(to)}"
        case Support(_, other, None):
            return f"SUP {_other_tokens(position, other)}"
        case Support(_, other, to) if to is not None:
            return f"SUP {_other_tokens(position, other)} MTO {_place_tokens(to)}"
        case Convoy(_, other, to):
            return f"CVY {_other_tokens(position, other)} CTO {_place_tokens(to)}"
        case Retreat(_, to):
            return f"RTO {_place_tokens(to)}"
        case Disband():
            return "DSB"
        case Remove():
            return "REM"
        case Build():
            return "BLD"
        case Hold():
            return "HLD"
        case _:
            raise InvalidRecord(say("DAIDE has no order like {order}.", order=in_quotes(str(order))))


def _result_tokens(outcome: Outcome) -> str:
    words: Mapping[Result, str] = {
        Result.FAILS: "DSR" if outcome.cause.reason in (Reason.NO_CONVOY, Reason.CONVOY_BROKEN) else "BNC",
        Result.CUT: "CUT",
        Result.VOID: "NSO",
        Result.DISRUPTED: "DSR",
    }
    word = words.get(outcome.result, "SUC")
    return f"{word} RET" if outcome.dislodged_by is not None else word


DAIDE = Format(
    "daide",
    "a log of a DAIDE server",
    _sniff,
    _read,
    _write,
    frozenset({GamePart.ORDERS, GamePart.POSITIONS, GamePart.RESULTS, GamePart.END}),
    _begins,
)

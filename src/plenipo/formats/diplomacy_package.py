"""The saved games of the Python package `diplomacy`: a JSON object with a list of phases.

A map of the package is the variant here that has its board and opening (`MAPS`), or else is asked for by the name of
its file, such as `modern.map`, of which a variant is made where it is there.

A phase has the position it begins with (`state`), the `orders` of each power, and for each unit a list of words about
the result of its order (`results`). Powers are written in capitals without blanks, six seas and Tyrolia of the standard
board have other codes than here, and a dislodged unit has a star. The last phase is the one the game stands at, or
`COMPLETED`.

A game is read by playing its orders. The package adjudicates otherwise than the rules here in a few positions: a convoy
to an adjacent place, supports of a convoyed attack on a unit of the supporter's own power, paradoxes that are none.
The `messages` of a phase are kept as they are; of their senders and recipients those are translated that are powers.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.history import record
from plenipo.engine.history.game import Game
from plenipo.engine.history.messages import Message
from plenipo.engine.history.turns import Turn
from plenipo.engine.orders import Convoy, Move, Support, Waive
from plenipo.engine.outcome import Outcome, Reason, Resolution, Result
from plenipo.engine.phases import adjustments, retreats
from plenipo.engine.phases.convoys import landings
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import say
from plenipo.engine.wording import listing
from plenipo.errors import InvalidOrder, InvalidRecord
from plenipo.formats.base import Format, GamePart, LoadRules
from plenipo.formats.parsing import json_object
from plenipo.formats.playback import play_back, squeeze
from plenipo.formats.transcript import StatedDislodged, StatedPhase, StatedPosition, StatedUnit, Transcript
from plenipo.formats.words import FIELD_CODES

__all__ = ["DIPLOMACY", "MAP_SUFFIX", "encode_game", "has_agents", "powers_in_file", "transcribe"]

JsonObject = Mapping[str, Any]

MAPS: Mapping[str, str] = {
    "standard": "standard",
    "standard_age_of_empires": "age-of-empires",
    "standard_age_of_empires_2": "age-of-empires-2",
    "standard_fleet_rome": "fleet-rome",
    "standard_france_austria": "france-austria",
    "standard_germany_italy": "germany-italy",
    "pure": "pure",
}
"""The variant for each map of the package that has one; a map of the package is a board with an opening."""

_MAP_OF = {variant: name for name, variant in MAPS.items()}

MAP_SUFFIX = ".map"
"""The end of the name of a map file of the package, which is the name of the variant that is made of it."""

COMPLETED = "COMPLETED"
"""The name of the last phase of a game that is over."""

WAIVE = "WAIVE"
"""A build that is not made, as an order and among the results."""

OTHER_MAPS = {"fva": "standard_france_austria"}
"""Names of maps in files of other programs that write this format."""

_CODE = re.compile(r"\b[A-Z]{3}\b")
_MAP = re.compile(r"\w+")
_BEGINNING = re.compile(r'\s*\{(?=.{0,2000}"phases"\s*:\s*\[)(?!.{0,2000}"(format|gameID)")', re.DOTALL)

_WORDS = {
    Result.CUT: "cut",
    Result.DISRUPTED: "disrupted",
    Result.VOID: "void",
    Result.DISBANDED: "disband",
}
"""The words for the result of an order; the word for a failed move depends on its reason."""

_FAILURES = {Reason.NO_CONVOY: "no convoy", Reason.CONVOY_BROKEN: "disrupted", Reason.PARADOX: "disrupted"}


def _codes(rules: Rules) -> Mapping[str, str]:
    """Return the codes that differ in a game of `rules`: here, and in the file; a map of the package has its own."""
    return FIELD_CODES if rules.variant in _MAP_OF else {}


def _there(rules: Rules, what: object) -> str:
    """Return a text of ours with the codes of the file."""
    codes = _codes(rules)
    return _CODE.sub(lambda code: codes.get(code[0], code[0]), str(what))


def powers_in_file(rules: Rules) -> Mapping[Power, str]:
    """Return the powers, with those that have no player, and their names in the file: `NEWYORK` for New York."""
    return {info.name: squeeze(info.name) for info in rules.powers}


def _map_name(rules: Rules) -> str:
    """Return the map of the package that a game of `rules` is played on; raise `InvalidRecord` if there is none."""
    if rules.variant.endswith(MAP_SUFFIX):
        return rules.variant.removesuffix(MAP_SUFFIX)
    if rules.variant not in _MAP_OF:
        maps = listing(list(MAPS))
        raise InvalidRecord(
            say(
                "This format is for the maps {maps} and the map files of the package, and the game is one of {title}.",
                maps=maps,
                title=rules.title,
            )
        )
    return _MAP_OF[rules.variant]


def _phase_name(phase: Phase) -> str:
    """Return the name of a phase in the file, where a year has four digits: `S0901M`."""
    return f"{phase.season[:1].upper()}{phase.year:04d}{phase.kind[:1].upper()}"


# Writing


def _write(game: Game) -> str:
    return json.dumps(encode_game(game), ensure_ascii=False) + "\n"


def encode_game(game: Game) -> dict[str, Any]:
    """Return a game as the JSON object of a file; raise `InvalidRecord` if the package has no such map."""
    rules = game.rules
    seal = record.encode_game(game, public=True)
    identity = {"id": record.digest(seal["start"])[:16], "map": _map_name(rules), "rules": []}
    phases = [_encode_phase(rules, turn.resolution.before, identity, turn) for turn in game.turns]
    for phase, turn in zip(phases[1:], game.turns, strict=False):
        # a unit that cannot retreat is disbanded in the next phase, which has its result
        if not phase["name"].endswith("M"):
            phase["results"].update(
                {_there(rules, unit): ["disband"] for unit in _list_stranded(rules, turn.resolution)}
            )
    last = _encode_phase(rules, game.position, identity, None)
    if game.over:
        last["name"] = last["state"]["name"] = COMPLETED
    phases.append(last)
    _put_messages(game, phases)
    return {**identity, "phases": phases}


def _put_messages(game: Game, phases: Sequence[JsonObject]) -> None:
    """Put each message in its phase; one of a phase that is passed over here stands in that of the message before."""
    names = powers_in_file(game.rules)
    numbers = {phase["name"]: number for number, phase in reversed(list(enumerate(phases)))}
    number = 0
    for message in game.messages:
        number = numbers.get(message.phase, number)
        ends = [names.get(Power(name), name) for name in (message.sender, message.recipient)]
        phases[number]["messages"].append(
            {
                "sender": ends[0],
                "recipient": ends[1],
                "time_sent": message.time,
                "phase": message.phase,
                "message": message.text,
            }
        )


def _list_stranded(rules: Rules, resolution: Resolution) -> list[Unit]:
    """Return the units dislodged in a movement that cannot retreat."""
    after = resolution.after
    return [
        outcome.unit
        for outcome in resolution.outcomes
        if outcome.unit is not None and outcome.dislodged_by is not None
        if (fallen := after.dislodged_at(outcome.unit.space)) is None or not retreats.options(rules, after, fallen)
    ]


def _encode_phase(rules: Rules, position: Position, identity: JsonObject, turn: Turn | None) -> dict[str, Any]:
    powers = powers_in_file(rules)
    orders: dict[str, list[str]] = {name: [] for name in powers.values()}
    results: dict[str, list[str]] = {}
    given = {} if turn is None else _as_given(rules, turn)
    for outcome in turn.resolution.outcomes if turn is not None else ():
        # the file lists only orders that the power gave itself
        if outcome.order is not None and outcome.cause.reason is not Reason.CIVIL_DISORDER:
            order = outcome.order
            if isinstance(order, Support) and outcome.unit is not None:
                order = _restore_destination(order, given.get((outcome.power, outcome.unit.space)))
            if not isinstance(order, Waive):
                orders[powers[outcome.power]].append(_there(rules, order))
        if outcome.unit is not None and outcome.result is not Result.WAIVED and turn is not None:
            results[_there(rules, outcome.unit)] = _words(rules, turn.resolution, outcome)
    if turn is not None and (waived := _count_waived(rules, turn)):
        results[WAIVE] = ["void"] * waived
    return {
        "name": _phase_name(position.phase),
        "state": _state(rules, position, identity),
        "orders": orders,
        "results": results,
        "messages": [],
    }


def _count_waived(rules: Rules, turn: Turn) -> int:
    """Return the number of possible builds that were not made in a phase.

    The package counts those of powers that waived one or ordered nothing at all, and of those without a player.
    """
    resolution = turn.resolution
    if resolution.before.phase.kind is not PhaseKind.ADJUSTMENTS:
        return 0
    ordered = [one for one in resolution.outcomes if one.order is not None and one.cause.reason is Reason.ORDERED]
    waived = 0
    for power in powers_in_file(rules):
        own = [outcome for outcome in ordered if outcome.power == power]
        if not own or any(isinstance(outcome.order, Waive) for outcome in own):
            built = sum(outcome.result is Result.BUILDS for outcome in own)
            waived += max(adjustments.possible(rules, resolution.before, power), 0) - built
    return max(waived, 0)


def _restore_destination(order: Support, given: Support | None) -> Support:
    """Return the order with the place it supports a move to as it was written."""
    same = given is not None and order.to is not None and given.to is not None and given.to.space == order.to.space
    return replace(order, to=given.to) if given is not None and same else order


def _as_given(rules: Rules, turn: Turn) -> dict[tuple[Power, Code], Support]:
    """Return the supports of a turn as they were written, without the coasts added to the supported orders."""
    notation = notation_of(rules, turn.resolution.before)
    given: dict[tuple[Power, Code], Support] = {}
    for power, texts in turn.orders.items():
        for text in texts:
            with suppress(InvalidOrder):
                order = notation.read(text, turn.resolution.before.phase.kind)
                if isinstance(order, Support) and order.to is not None and order.unit.location is not None:
                    given[power, order.unit.location.space] = order
    return given


def _words(rules: Rules, resolution: Resolution, outcome: Outcome) -> list[str]:
    """Return the words about an order: none for a successful move or retreat, an empty one for a build or removal."""
    if resolution.before.phase.kind is PhaseKind.ADJUSTMENTS:
        return [""]
    word = _WORDS.get(outcome.result, "")
    if outcome.result is Result.FAILS:
        word = _FAILURES.get(outcome.cause.reason, "bounce")
        if outcome.cause.reason is Reason.NO_CONVOY and _is_adjacent(rules, resolution, outcome):
            word = "bounce"
    if isinstance(outcome.order, Support) and _counted_for_nothing(resolution, outcome, outcome.order):
        word = "void"
    if outcome.result is Result.DISBANDED and outcome.cause.reason is Reason.COLLIDED:
        return ["bounce", word]
    words = [word] if word else []
    if isinstance(outcome.order, Convoy) and _is_in_vain(rules, resolution, outcome.order, outcome.result):
        words = ["no convoy", "void"]
    return [*words, *(["dislodged"] if outcome.dislodged_by is not None else ())]


def _is_in_vain(rules: Rules, resolution: Resolution, order: Convoy, result: Result) -> bool:
    """Return True if a fleet convoys a move in vain.

    That is: the move was ordered as the fleet says, and either goes by land or the fleet is on no chain to its end.
    """
    start, to, sea = order.other.location.space, order.to.space, order.unit.location.space
    given = [one.order for one in resolution.outcomes if one.order is not None]
    if not any(isinstance(move, Move) and (move.unit.location.space, move.to.space) == (start, to) for move in given):
        return False
    if result is Result.VOID:
        return True
    convoys = [one for one in given if isinstance(one, Convoy)]
    same = {one.unit.location.space for one in convoys if (one.other.location.space, one.to.space) == (start, to)}
    return sea not in landings(rules.board_at(resolution.before), frozenset(same), start).get(to, ())


def _is_adjacent(rules: Rules, resolution: Resolution, outcome: Outcome) -> bool:
    """Return True if a unit was sent to a place that it could reach without a convoy."""
    if outcome.unit is None or not isinstance(outcome.order, Move):
        return False
    board = rules.board_at(resolution.before)
    return outcome.order.to.space in board.reach(outcome.unit.kind, outcome.unit.location)


def _counted_for_nothing(resolution: Resolution, outcome: Outcome, order: Support) -> bool:
    """Return True if a support counted for nothing.

    Either no convoy came, or the support was against a unit of the supporter's own power. The package reports the
    latter where the attack would have been the strongest with it.
    """
    if order.to is None or outcome.result not in (Result.SUPPORTS, Result.CUT):
        return False
    at = {other.unit.space: other for other in resolution.outcomes if other.unit is not None}
    attack, stayed = at.get(order.other.location.space), at.get(order.to.space)
    if attack is None or attack.result is not Result.FAILS:
        return False
    if attack.cause.reason is Reason.NO_CONVOY or outcome.result is Result.CUT:
        return attack.cause.reason is Reason.NO_CONVOY
    if (
        stayed is None
        or stayed.result is Result.MOVES
        or stayed.power != outcome.power
        or stayed.dislodged_by is not None
    ):
        return False
    if isinstance(stayed.order, Move) and attack.unit is not None and stayed.order.to.space == attack.unit.space:
        return True
    rivals = [
        other.unit.space
        for other in resolution.outcomes
        if other.unit is not None and isinstance(other.order, Move) and other.order.to.space == order.to.space
        if other is not attack and other.cause.reason not in _FAILURES
    ]
    against = [_strength(resolution, rival, order.to.space) for rival in rivals]
    hold = 1 if isinstance(stayed.order, Move) else _strength(resolution, order.to.space, None)
    return _strength(resolution, order.other.location.space, order.to.space) > max(hold, *against, 0)


def _strength(resolution: Resolution, space: Code, to: Code | None) -> int:
    """Return the strength of a unit in a move, or where it stands if `to` is None, with every support not cut."""
    helpers = [
        other
        for other in resolution.outcomes
        if other.result is Result.SUPPORTS
        and isinstance(other.order, Support)
        and other.order.other.location.space == space
        and (None if other.order.to is None else other.order.to.space) == to
    ]
    return 1 + len(helpers)


def _state(rules: Rules, position: Position, identity: JsonObject) -> dict[str, Any]:
    state: dict[str, Any] = {"name": _phase_name(position.phase), "game_id": identity["id"]}
    state |= {"map": identity["map"], "rules": []}
    there = partial(_there, rules)
    state |= {key: {} for key in ("units", "retreats", "centers", "homes", "civil_disorder", "builds")}
    for power, name in powers_in_file(rules).items():
        # the package takes units that cannot retreat off at once
        gone = [
            dislodged
            for dislodged in position.dislodged
            if dislodged.unit.power == power and retreats.options(rules, position, dislodged)
        ]
        state["units"][name] = [
            *map(there, position.units_of(power)),
            *(f"*{there(dislodged.unit)}" for dislodged in gone),
        ]
        state["retreats"][name] = {
            there(dislodged.unit): list(map(there, retreats.options(rules, position, dislodged))) for dislodged in gone
        }
        state["centers"][name] = sorted(map(there, position.centres_of(power)))
        state["homes"][name] = sorted(map(there, position.homes.get(power, ())))
        state["civil_disorder"][name] = 0
        state["builds"][name] = {"count": 0, "homes": []}
        if position.phase.kind is PhaseKind.ADJUSTMENTS:
            due = adjustments.possible(rules, position, power)
            sites = adjustments.build_sites(rules, position, power) if due > 0 else ()
            state["builds"][name] = {"count": due, "homes": sorted(map(there, sites))}
    return state


# Reading


def _sniff(text: str) -> bool:
    value = json_object(text)
    if value is None:
        return _BEGINNING.match(text) is not None
    return "phases" in value and "format" not in value and "gameID" not in value and not has_agents(value)


def has_agents(value: JsonObject) -> bool:
    """Return True for a game of AI_Diplomacy, which keeps its players beside what the package keeps."""
    phases = value.get("phases")
    if not isinstance(phases, list):
        return False
    return "final_agent_states" in value or any("state_agents" in phase for phase in phases if _is_object(phase))


def _read(text: str, load: LoadRules) -> Game:
    return play_back(transcribe(text), load)


def transcribe(text: str) -> Transcript:
    """Return the game that a file states; raise `InvalidRecord` with the place that is not as it must be."""
    value = json_object(text)
    if value is None or not isinstance(value.get("phases"), list):
        raise InvalidRecord(say("The file is not a JSON object with a list of 'phases', so it is not a saved game."))
    name = value.get("map", "standard")
    name = OTHER_MAPS.get(name, name) if isinstance(name, str) else name
    if not isinstance(name, str) or not _MAP.fullmatch(name):
        raise InvalidRecord(
            say("The game was played on the map {name!r}; the name of a map is a word such as 'standard'.", name=name)
        )
    checked = [_check_phase(phase) for phase in value["phases"]]
    if not checked:
        raise InvalidRecord(say("The list of 'phases' is empty."))
    codes = {there: here for here, there in FIELD_CODES.items()} if name in MAPS else {}
    over = next((number for number, phase in enumerate(checked) if phase["name"] == COMPLETED), None)
    phases = [_state_phase(phase, codes, last=phase is checked[-1]) for phase in checked[:over]]
    return Transcript(
        MAPS.get(name, name + MAP_SUFFIX), tuple(phases), messages=tuple(_messages(checked)), over=over is not None
    )


def _state_phase(phase: JsonObject, codes: Mapping[str, str], *, last: bool) -> StatedPhase:
    """Return a phase of the file with our codes."""

    def here(text: str) -> str:
        return _CODE.sub(lambda code: codes.get(code[0], code[0]), text)

    state, units, fallen = phase["state"], [], []
    for power, texts in state["units"].items():
        ways = (state.get("retreats") or {}).get(power) or {}
        for text in texts or ():
            if text.startswith("*"):
                to = ways.get(text.removeprefix("*"), ())
                fallen.append(StatedDislodged(power, here(text.removeprefix("*")), tuple(map(here, to))))
            else:
                units.append(StatedUnit(power, here(text)))
    owners = {here(code): power for power, codes in state["centers"].items() for code in codes or ()}
    return StatedPhase(
        phase["name"],
        StatedPosition(tuple(units), tuple(fallen), owners),
        {power: tuple(map(here, texts or ())) for power, texts in phase["orders"].items()},
        waived=len(phase["results"].get(WAIVE) or ()),
        played=not last or any(phase["results"].values()),
    )


def _messages(phases: Sequence[JsonObject]) -> Iterator[Message]:
    """Yield the messages of all phases."""
    for phase in phases:
        for message in phase["messages"]:
            when = message.get("phase") or phase["name"]
            yield Message(message["sender"], message["recipient"], when, message["message"], message.get("time_sent"))


def _check_phase(phase: object) -> dict[str, Any]:
    """Return a phase of the file; raise `InvalidRecord` unless everything that is read of it is what it must be."""
    if not isinstance(phase, dict) or not isinstance(phase.get("name"), str):
        raise InvalidRecord(say("Every one of the 'phases' must be an object with a 'name', such as S1901M."))
    state = phase.get("state")
    parts = {"orders": phase.get("orders", {}), "results": phase.get("results", {})}
    if phase["name"] == COMPLETED and state is None:
        state = {"units": {}, "centers": {}}
    if not isinstance(state, dict):
        raise InvalidRecord(say("{name}: 'state' must be an object.", name=phase["name"]))
    retreats = state.get("retreats") or {}
    ways = {f"retreats of {power}": units or {} for power, units in retreats.items()} if _is_object(retreats) else {}
    stated = ((key, state.get(key)) for key in ("units", "centers"))
    for key, part in (*parts.items(), *stated, *ways.items()):
        # a power that ordered nothing may stand there with null
        if not isinstance(part, dict) or not all(_texts(texts or []) for texts in part.values()):
            raise InvalidRecord(
                say(
                    "{name}: '{key}' must be an object with a list of texts for each entry.",
                    name=phase["name"],
                    key=key,
                )
            )
    messages = phase.get("messages") or []
    if isinstance(messages, dict):
        messages = list(messages.values())  # by their times, as in the specification of Cicero's games
    if not isinstance(messages, list) or not all(map(_is_message, messages)):
        raise InvalidRecord(
            say(
                "{name}: 'messages' must be a list of objects, each with a text as 'sender', 'recipient' and "
                "'message', and a whole number or null as 'time_sent'.",
                name=phase["name"],
            )
        )
    return {"name": phase["name"], "state": state, **parts, "messages": messages}


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _is_message(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("phase") or "", str):
        return False
    texts, time = [value.get(key) for key in ("sender", "recipient", "message")], value.get("time_sent")
    return _texts(texts) and isinstance(time, int | None) and not isinstance(time, bool)


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


DIPLOMACY = Format(
    "diplomacy",
    "saved games of the Python package diplomacy",
    _sniff,
    _read,
    _write,
    frozenset({GamePart.ORDERS, GamePart.POSITIONS, GamePart.RESULTS, GamePart.MESSAGES, GamePart.TIMES}),
)

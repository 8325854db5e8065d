"""Playback: a game from its transcript, by playing the orders of a file phase after phase.

Programs adjudicate a few positions otherwise than the rules here. Where the file has another position than the one that
follows from its orders, the game goes on from that of the file, by a ruling that says what differs; so every game is
read whole. A file without positions says by its results where units went, and is followed in the same way.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice
from typing import Any

from plenipo.engine.board import Code, Location
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.messages import Message
from plenipo.engine.history.rulings import Edited, seal_text
from plenipo.engine.history.verify import LoadRules
from plenipo.engine.orders import Move
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases import adjustments, retreats
from plenipo.engine.position import GAME_MASTER, Dislodged, Position, Power, Unit
from plenipo.engine.reading.notation import Notation, notation_of
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import say
from plenipo.engine.wording import listing
from plenipo.errors import InvalidPhase, InvalidRecord, MissingDice, PhaseNotOver
from plenipo.formats.transcript import StatedPhase, StatedPosition, Transcript

__all__ = ["OPTIONS", "play_back", "play_by", "squeeze"]

OPTIONS: Sequence[Mapping[str, Any]] = ({}, {"4.A.3": "intent-or-land"})
"""The rules by which a game may have been played: as a game from here, or with convoys that may become walks."""

MOST_PHASES = 2_000
"""The most phases of a game that is read."""

WAIVE = "WAIVE"

_ZEROS = re.compile(r"(?<=\D)0+(?=\d)")
_STAYED = frozenset({"bounce", "no convoy", "disrupted", "void"})
"""The words about a move that did not succeed."""


def squeeze(name: str) -> str:
    """Return the name of a power in capitals without blanks: NEWYORK for New York."""
    return re.sub(r"\W", "", name.upper())


def play_back(
    transcript: Transcript, load: LoadRules, options: Sequence[Mapping[str, Any]] = OPTIONS, dice: Dice | None = None
) -> Game:
    """Return the game of a transcript by the rules among `options` with which most of its positions follow.

    Raises `InvalidRecord` for a phase that cannot follow or a position that cannot be, and what `load` raises.
    """
    if len(transcript.phases) > MOST_PHASES:
        raise InvalidRecord(say("The game has more than {most} phases, which is more than is read.", most=MOST_PHASES))
    best: Game | None = None
    for more in options:
        game = play_by(load(transcript.variant, {**transcript.options, **more}), transcript, dice)
        if best is None or len(game.rulings) < len(best.rulings):
            best = game
        if not best.rulings:
            break
    if best is None:
        raise InvalidRecord(say("The file has no phases, so it is not a saved game."))
    return replace(best, messages=tuple(_translate_ends(best.rules, transcript.messages)))


def _translate_ends(rules: Rules, messages: Sequence[Message]) -> Iterator[Message]:
    """Yield messages with our names of the powers as sender and recipient."""
    names = {squeeze(name): str(info.name) for info in rules.powers for name in (info.name, *info.aliases)}
    for message in messages:
        ends = [names.get(squeeze(name), name) for name in (message.sender, message.recipient)]
        yield replace(message, sender=ends[0], recipient=ends[1])


def play_by(rules: Rules, transcript: Transcript, dice: Dice | None = None) -> Game:
    """Return the game of a transcript by certain rules, without its messages; raises `InvalidRecord`."""
    game = Game.new(rules, dice)
    for phase in transcript.phases:
        here = _find_phase(rules, phase.name)
        begins = not game.turns and phase.position is not None
        if not begins:
            if _is_passed_over(game, phase, here):
                continue
            game = _advance(game, here)
        game = _follow(game, phase, here)
        if phase.played and not game.over:
            try:
                played = game.process(_orders(game, phase))
            except (PhaseNotOver, MissingDice) as fault:
                raise InvalidRecord(say("{name}: {fault}", name=phase.name, fault=fault)) from fault
            game = _as_the_results_say(played, phase)
    if transcript.over and not game.over:
        winners = [rules.power(name) for name in transcript.winners]
        game = game.draw(winners or game.survivors)
    return game


def _find_phase(rules: Rules, name: str) -> Phase | None:
    try:
        return rules.calendar.read(_ZEROS.sub("", name))
    except InvalidPhase:
        return None


def _is_passed_over(game: Game, phase: StatedPhase, here: Phase | None) -> bool:
    """Return True for a phase that is skipped here.

    That is one without orders after the end, of retreats of units with nowhere to go, or without builds and removals.
    """
    if here is None or here == game.position.phase:
        return False
    if game.over and not any(phase.orders.values()):
        return True
    if here.kind is PhaseKind.ADJUSTMENTS:
        before = game.turns[-1].resolution.before.phase if game.turns else None
        return not any(phase.orders.values()) and before is not None and here in _between(game, before)
    if here.kind is not PhaseKind.RETREATS:
        return False
    fallen = phase.position.dislodged if phase.position is not None else ()
    if any(unit.ways for unit in fallen):
        return False
    gone = re.compile(r"disband|destroy|remove| D$", re.IGNORECASE)
    unsaid = [unit for unit in fallen if unit.ways is None]
    orders = [text for texts in phase.orders.values() for text in texts]
    return not unsaid or all(gone.search(text) for text in orders)


def _between(game: Game, before: Phase) -> Iterator[Phase]:
    """Yield the phases after `before` that were skipped on the way to the current one."""
    for phase in game.rules.calendar.after(before):
        if phase == game.position.phase:
            return
        yield phase


def _advance(game: Game, phase: Phase | None) -> Game:
    """Return the game at `phase`, after phases in which no power had to give orders."""
    while phase is not None and game.position.phase != phase and not game.over:
        if phase not in _after(game, game.position.phase):
            break
        game = game.process({})
    return game


def _after(game: Game, phase: Phase) -> list[Phase]:
    """Return the phases that may follow `phase` at once or when others are passed over."""
    calendar = game.rules.calendar
    return list(islice(calendar.after(phase), len(calendar.cycle)))


# Positions


def _follow(game: Game, phase: StatedPhase, here: Phase | None) -> Game:
    """Return the game in the position that the file states, by a ruling if another follows from the orders.

    A game that begins in another position than the variant begins there, which no ruling has to say.
    Raises `InvalidRecord` if the phase cannot follow, or if there can be no such position.
    """
    now, name = game.position.phase, phase.name
    before = game.turns[-1].resolution.before.phase if game.turns else None
    follows = here == now or (before is not None and here in _after(game, before))
    first = not game.turns and phase.position is not None
    if here is None or not (follows or first) or (here != now and phase.position is None):
        raise InvalidRecord(
            say("{name}: this phase does not follow; after the orders before it comes {now}.", name=name, now=now)
        )
    if phase.position is None:
        return game
    if game.over:
        return game
    stated = _read_position(game, phase, phase.position, here)
    differs = [] if here == now else [f"After the orders comes {now}."]
    differs += _differences(game, stated, owners=phase.position.owners is not None)
    if not differs:
        return game
    for fault in stated.faults(game.rules.board_at(stated)):
        raise InvalidRecord(say("{name}: {fault}", name=name, fault=fault))
    if first:
        return replace(game, start=stated)
    return game.with_ruling(Edited(stated, seal_text(f"The position of the file, {name}. {' '.join(differs)}", "")))


def _differences(game: Game, stated: Position, *, owners: bool) -> list[str]:
    """Return the differences between the position and a stated one, a sentence for each power and kind of thing."""
    rules, position = game.rules, game.position
    sentences = []
    said = {fallen.unit for fallen in stated.dislodged}
    for info in rules.powers:
        power = info.name
        # a unit that cannot retreat may be listed or not
        gone = [
            fallen.unit
            for fallen in position.dislodged
            if fallen.unit.power == power and (fallen.unit in said or retreats.options(rules, position, fallen))
        ]
        ours = sorted([*map(str, position.units_of(power)), *(f"*{unit}" for unit in gone)])
        away = (f"*{unit}" for unit in said if unit.power == power)
        theirs = sorted([*map(str, stated.units_of(power)), *away])
        pairs = [("units", ours, theirs)]
        if owners:
            pairs.append(("centers", sorted(position.centres_of(power)), sorted(stated.centres_of(power))))
        for what, here, there in pairs:
            if here != there:
                sentences.append(
                    f"{power} has the {what} {listing(there) or 'none'} in the file, and after the orders before it "
                    f"{listing(here) or 'none'}."
                )
    return sentences


def _read_position(game: Game, phase: StatedPhase, stated: StatedPosition, here: Phase) -> Position:
    """Return the position that a file states for a phase."""
    rules = game.rules
    notation = notation_of(rules)
    units = tuple(_read_unit(rules, notation, phase, unit.power, unit.text) for unit in stated.units)
    owners: Mapping[Code, Power] = game.position.owners
    if stated.owners is not None:
        owners = {_read_place(notation, place).space: rules.power(power) for place, power in stated.owners.items()}
    fallen = []
    known = {one.unit: one for one in game.position.dislodged}
    position = replace(game.position, phase=here, units=units, dislodged=(), contested=frozenset(), owners=owners)
    for one in stated.dislodged:
        unit = _read_unit(rules, notation, phase, one.power, one.text)
        if one.ways is None:
            barred = tuple(dict.fromkeys(_read_place(notation, place).space for place in one.barred))
            fallen.append(known.get(unit, Dislodged(unit, None, barred)))
            continue
        open_to = {_read_place(notation, way).space for way in one.ways}
        near = retreats.options(rules, position, Dislodged(unit))
        barred = tuple(dict.fromkeys(to.space for to in near if to.space not in open_to))
        fallen.append(Dislodged(unit, None, barred))
    contested = game.position.contested if any(one.ways is None for one in stated.dislodged) else frozenset()
    return replace(position, dislodged=tuple(fallen), contested=contested)


def _read_place(notation: Notation, text: str) -> Location:
    return notation.unit(text).location


def _read_unit(rules: Rules, notation: Notation, phase: StatedPhase, power: str, text: str) -> Unit:
    ref = notation.unit(text)
    if ref.kind is None:
        raise InvalidRecord(say("{name}: '{text}' is not a unit; write it like 'A PAR'.", name=phase.name, text=text))
    return Unit(rules.power(power), ref.kind, ref.location)


def _as_the_results_say(game: Game, phase: StatedPhase) -> Game:
    """Return the game after a movement as the results of a file have it, by a ruling if other units moved."""
    resolution = game.turns[-1].resolution
    if phase.results is None or resolution.before.phase.kind is not PhaseKind.MOVEMENT:
        return game
    words = _read_words(game.rules, phase.results)
    wrong = [sentence for sentence, _ in _differing_results(resolution, words)]
    if not wrong:
        return game
    after = _move_as_stated(game, resolution, words)
    text = f"The results of the file, {phase.name}. {' '.join(wrong)}"
    if any(after.faults(game.rules.board_at(after))):
        return game  # results of some units alone; the next position of the file shows what they mean
    return game.with_ruling(Edited(after, seal_text(text, "")))


def _read_words(rules: Rules, results: Mapping[str, frozenset[str]]) -> Mapping[Code, frozenset[str]]:
    """Return the words about units by the spaces they stood in."""
    notation = notation_of(rules)
    return {_read_place(notation, unit).space: words for unit, words in results.items()}


def _differing_results(
    resolution: Resolution, words: Mapping[Code, frozenset[str]]
) -> Iterator[tuple[str, tuple[Unit, Location]]]:
    """Yield a sentence for each unit that moved or was dislodged otherwise than the file says."""
    for outcome in resolution.outcomes:
        if outcome.unit is None or outcome.unit.space not in words:
            continue
        said = words[outcome.unit.space]
        moved = isinstance(outcome.order, Move) and outcome.result.succeeded
        # an army that was convoyed back to where it stood is there either way
        move = isinstance(outcome.order, Move) and outcome.order.to.space != outcome.unit.space
        if move and moved == bool(said & _STAYED):
            how = "stays" if moved else "moves"
            yield f"{outcome.unit} of {outcome.power} {how} in the file.", (outcome.unit, outcome.unit.location)
        elif (outcome.dislodged_by is not None) != bool(said & {"dislodged", "destroyed"}):
            how = "is not dislodged" if outcome.dislodged_by is not None else "is dislodged"
            yield f"{outcome.unit} of {outcome.power} {how} in the file.", (outcome.unit, outcome.unit.location)


def _move_as_stated(game: Game, resolution: Resolution, words: Mapping[Code, frozenset[str]]) -> Position:
    """Return the position after a movement in which units moved and fell as the file says."""
    units: list[Unit] = []
    fallen: list[Unit] = []
    for outcome in resolution.outcomes:
        if outcome.unit is None:
            continue
        said = words.get(outcome.unit.space, frozenset())
        if said & {"dislodged", "destroyed"}:
            if "destroyed" not in said:
                fallen.append(outcome.unit)
        elif isinstance(outcome.order, Move) and not said & _STAYED:
            units.append(outcome.unit._replace(location=outcome.order.to))
        else:
            units.append(outcome.unit)
    calendar = game.rules.calendar
    wanted = PhaseKind.RETREATS if fallen else PhaseKind.MOVEMENT
    after = game.position.phase
    for phase in islice(calendar.after(resolution.before.phase), len(calendar.cycle)):
        if phase.kind is PhaseKind.RETREATS and wanted is PhaseKind.RETREATS:
            after = phase
            break
    known = {one.unit: one for one in game.position.dislodged}
    return replace(
        game.position, phase=after, units=tuple(units), dislodged=tuple(known.get(u, Dislodged(u)) for u in fallen)
    )


# Orders


def _orders(game: Game, phase: StatedPhase) -> dict[Power, list[str]]:
    """Return the orders of a phase by our names of the powers, with builds that were waived."""
    rules, position = game.rules, game.position
    orders: dict[Power, list[str]] = {}
    for name, texts in phase.orders.items():
        power = GAME_MASTER if name == GAME_MASTER else rules.power(name)
        orders.setdefault(power, []).extend(texts)
    if position.phase.kind is PhaseKind.ADJUSTMENTS and (waived := phase.waived):
        free = {
            power: adjustments.possible(rules, position, power) - len(orders.get(power, ())) for power in rules.names
        }
        waived -= sum(max(count, 0) for power, count in free.items() if not orders.get(power))
        some = [power for power, count in free.items() if count > 0 and orders.get(power)]
        chosen = (few for size in range(len(some) + 1) for few in combinations(some, size))
        for power in next((few for few in chosen if sum(free[power] for power in few) == waived), ()):
            orders[power].append(WAIVE)
    return orders

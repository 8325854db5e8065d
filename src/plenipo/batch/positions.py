"""Positions of the engine to rows of arrays and back, without loss for everything the kernel supports."""

import numpy as np

from plenipo.batch.kinds import kind_of, owner_of
from plenipo.batch.rule_facts import Scope
from plenipo.batch.state import AFLOAT, NOT_KNOWN, State
from plenipo.batch.tables import NOBODY, Tables
from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.phases import delays
from plenipo.engine.position import Dislodged, Position, Power, Unit
from plenipo.errors import ImpossiblePosition, UnsupportedPosition

__all__ = ["decode", "encode", "units_in"]


def encode(tables: Tables, state: State, game: int, position: Position) -> None:
    """Write `position` into the row of a game, the units of each phase in the order of the position.

    The dislodged stand after the others. Raise `UnsupportedPosition` for data the arrays cannot hold and
    `ImpossiblePosition` for a contradictory position; nothing is written then.
    """
    rules = tables.rules
    if rules.board_at(position) is not tables.board and position.changes:
        raise UnsupportedPosition("The board of this position is not the one the tables were compiled for.")
    fault = next(position.faults(tables.board), None)
    if fault:
        raise ImpossiblePosition(fault)
    if position.phase.kind in (PhaseKind.CHOICE, PhaseKind.OWNERSHIP) and not position.winners:
        raise UnsupportedPosition(f"'{position.phase}' takes no orders that the kernel adjudicates.")
    if position.dislodged and position.phase.kind is not PhaseKind.RETREATS:
        lost = position.dislodged[0].unit
        raise ImpossiblePosition(f"'{lost}' is dislodged in '{position.phase}'; only in a retreat phase can it be.")
    if len(position.winners) > 1:
        raise UnsupportedPosition("The game was drawn; the kernel knows no draws.")
    step = tables.step_of(position.phase)
    units = [*position.units, *(dislodged.unit for dislodged in position.dislodged)]
    if len(units) > state.kinds.shape[1]:
        raise UnsupportedPosition(
            f"The position has {len(units)} units, and a game here has room for {state.kinds.shape[1]}."
        )
    unknown = {unit.power for unit in units} | set(position.owners.values()) | set(position.homes)
    for power in (*sorted(unknown), *position.winners):
        if power not in tables.power_number:
            raise ImpossiblePosition(f"'{power}' is not a power of '{rules.variant}'.")
    came = [_came(tables, dislodged) for dislodged in position.dislodged]
    home = _homes(tables, position)
    # everything can be written; from here on nothing fails
    count = len(units)
    state.units[game] = count
    state.kinds[game, :count] = [tables.word_of(unit.power, unit.kind) for unit in units]
    state.places[game, :count] = [tables.location_number[unit.location] for unit in units]
    state.came[game] = 0
    state.came[game, len(position.units) : count] = came
    state.contested[game] = 0
    for code in position.contested if position.dislodged else ():
        number = tables.space_number[code]
        state.contested[game, number >> 6] |= np.uint64(1 << (number & 63))
    state.owner[game] = NOBODY
    for code, power in position.owners.items():
        state.owner[game, tables.centre_number[code]] = tables.power_number[power]
    state.home[game] = NOBODY
    for code, number in home.items():
        state.home[game, tables.centre_number[code]] = number
    state.ripe[game] = _ripe(tables, position)
    state.step[game] = step
    state.year[game] = position.phase.year
    state.winner[game] = tables.power_number[position.winners[0]] if position.winners else NOBODY


def _came(tables: Tables, dislodged: Dislodged) -> int:
    """Return the attacker's origin, and whether it came by sea."""
    unit, by, barred = dislodged
    if len(barred) > 1:
        raise UnsupportedPosition(
            f"{unit} has {len(barred)} spaces barred to it; the kernel knows one, its attacker's."
        )
    if by is None and not barred:
        return NOT_KNOWN
    if by is None or (barred and by.space != barred[0]):
        location = next(loc for loc in tables.locations if loc.space == barred[0])
    else:
        location = by.location
    return 1 + tables.location_number[location] + (0 if barred else AFLOAT)


def _homes(tables: Tables, position: Position) -> dict[Code, int]:
    """Return the power whose home each centre is."""
    home: dict[Code, int] = {}
    for power, codes in position.homes.items():
        for code in codes:
            if code not in tables.space_number and tables.scope is not Scope.GAMES:
                continue  # off the board of this phase, so nothing can be built there
            if code not in tables.centre_number:
                raise UnsupportedPosition(
                    f"'{code}' is a home of {power} and no supply centre, which the kernel cannot hold."
                )
            if home.setdefault(code, tables.power_number[power]) != tables.power_number[power]:
                raise UnsupportedPosition(f"'{code}' is a home of two powers, which the kernel cannot hold.")
    return home


def _ripe(tables: Tables, position: Position) -> int:
    """Return the centres that count for builds."""
    if not tables.facts.delay:
        return 0
    ripe = delays.read_state(position).ripe
    return sum(1 << tables.centre_number[code] for code in position.owners if code in ripe)


def units_in(tables: Tables, state: State, game: int) -> tuple[Unit, ...]:
    """Return the units of a game by their columns, the dislodged where they were."""
    count = int(state.units[game])
    return tuple(
        Unit(tables.powers[owner_of(word)], tables.kinds[kind_of(word)], tables.locations[place])
        for word, place in zip(state.kinds[game, :count].tolist(), state.places[game, :count].tolist(), strict=True)
    )


def decode(tables: Tables, state: State, game: int) -> Position:
    """Return the position in the row of a game as an engine position."""
    units = units_in(tables, state, game)
    came = state.came[game, : len(units)].tolist()
    standing = tuple(unit for unit, origin in zip(units, came, strict=True) if not origin)
    at = {unit.space: unit for unit in standing}
    dislodged = tuple(
        _decode_dislodged(tables, unit, origin, at) for unit, origin in zip(units, came, strict=True) if origin
    )
    winner = int(state.winner[game])
    owner, home = state.owner[game].tolist(), state.home[game].tolist()
    homes: dict[Power, set[Code]] = {power: set() for power in tables.rules.names}
    for code, number in zip(tables.centres, home, strict=True):
        if number != NOBODY:
            homes[tables.powers[number]].add(code)
    position = Position(
        tables.phase(int(state.step[game]), int(state.year[game])),
        standing,
        dislodged,
        frozenset(
            code
            for i, code in enumerate(tables.spaces)
            if dislodged and int(state.contested[game, i >> 6]) >> (i & 63) & 1
        ),
        {code: tables.powers[number] for code, number in zip(tables.centres, owner, strict=True) if number != NOBODY},
        {power: frozenset(codes) for power, codes in homes.items()},
        () if winner == NOBODY else (tables.powers[winner],),
    )
    return _remembering(tables, position, int(state.ripe[game]))


def _decode_dislodged(tables: Tables, unit: Unit, came: int, at: dict[Code, Unit]) -> Dislodged:
    origin = (came & NOT_KNOWN) - 1
    if origin == NOT_KNOWN - 1:
        return Dislodged(unit)
    by = at[unit.space]._replace(location=tables.locations[origin]) if unit.space in at else None
    open_origin = came & AFLOAT and tables.rules.rulebook["4.A.5"] == "allowed"
    return Dislodged(unit, by, () if open_origin else (tables.locations[origin].space,))


def _remembering(tables: Tables, position: Position, ripe: int) -> Position:
    """Return the position with its memory of centres that do not count yet."""
    if not tables.facts.delay:
        return position
    held = frozenset(code for code in position.owners if ripe >> tables.centre_number[code] & 1)
    return position.with_slot(
        delays.SLOT, delays.CentreDelays(position.owners, held, delays.standing(tables.board, position))
    )

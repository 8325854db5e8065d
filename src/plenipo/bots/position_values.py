"""The value of a position to each power under any rules, in the engine's terms: the share of the board each may expect.

It counts what the evaluation of the search counts (`plenipo.bots.values`), and what that has no column for: units that
take no orders, units that others command, homes, money, and powers that win with others.
"""

from collections.abc import Mapping
from functools import cached_property

from plenipo.bots.values import COUNTED
from plenipo.engine.board import Code
from plenipo.engine.hooks import RuleModule
from plenipo.engine.phases.commands import commanders
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules

__all__ = ["SHARE_WHOLE", "PositionValues"]

HOME = 330
"""The value of a home that the power owns, in the parts of `plenipo.bots.values`: more choice when it builds."""

TREASURY = 6
"""The money of all powers together has the value of the centres of the board divided by this."""

SHARE_WHOLE = 1_000_000
"""The whole board, in shares; whole numbers are the same on every machine."""

_CENTRE, _STOOD_IN, _ALIVE, _UNIT = (COUNTED[name] for name in ("centres", "stood in", "alive", "units more"))
_HELD = [COUNTED[name] for name in ("held, fewer", "held, as many", "held, one more", "held, two more")]
_REACHED = [COUNTED[name] for name in ("reached, as many", "reached, more")]


class PositionValues:
    """The values of positions near a given one; a coin has the same value as in that one."""

    def __init__(self, rules: Rules, position: Position) -> None:
        self.rules, self._position = rules, position
        self._commanded = bool(
            rules.overriding[RuleModule.commanders] or rules.overriding[RuleModule.rulers] or rules.facts.command
        )
        self._muting = rules.overriding[RuleModule.why_no_orders]
        self._paying = rules.overriding[RuleModule.balances]

    @cached_property
    def spaces(self) -> frozenset[Code]:
        """The spaces of the board."""
        return frozenset(self.rules.board_at(self._position).spaces)

    @cached_property
    def coin(self) -> int:
        """The value of a coin, in parts of a centre; treasuries that are secret are taken to be like those seen."""
        known = list(self._balances(self._position).values())
        if not known or sum(known) <= 0:
            return 0
        total = sum(known) * len(self.rules.names) // len(known)
        return _CENTRE * len(self.rules.board_at(self._position).centres) // TREASURY // max(1, total)

    def shares(self, position: Position, without: Power | None = None) -> Mapping[Power, int]:
        """Return the share of the board that each player may expect, as if the power `without` had a unit less.

        Shares are in parts of `SHARE_WHOLE`. A power gets the share of another with which it wins, too.
        """
        names = self.rules.names
        if position.winners:
            return {power: (power in position.winners) * SHARE_WHOLE // len(position.winners) for power in names}
        strengths = self._strengths(position)
        if without is not None:
            strengths[without] -= _UNIT
        squares = {power: max(0, strengths[power]) ** 2 for power in names}
        total = sum(squares.values()) or 1
        whole = {power: square * SHARE_WHOLE // total for power, square in squares.items()}
        shared = dict(whole)
        for module in self.rules.overriding[RuleModule.wins_with]:
            for power in names:
                for other in module.wins_with(self.rules, position, power):
                    shared[other] = shared.get(other, 0) + whole[power]
        return shared

    def _balances(self, position: Position) -> Mapping[Power, int]:
        return {
            power: number
            for module in self._paying
            for power, number in module.balances(position).items()
            if power in self.rules.names
        }

    def _strengths(self, position: Position) -> dict[Power, int]:
        """Return the centres that each player may expect, in parts."""
        board, names = self.rules.board_at(position), self.rules.names
        strengths = dict.fromkeys(names, 0)
        forces, stands = self._count_forces(position, strengths)
        for code in board.centres:
            owner, force = position.owners.get(code), forces.get(code, {})
            for power in names:
                mine = force.get(power, 0)
                most = max((number for other, number in force.items() if other != power), default=0)
                if power == owner:
                    strengths[power] += _CENTRE - _UNIT
                    strengths[power] += _HELD[min(3, max(0, mine - most + 1))] if most else 0
                    strengths[power] -= _STOOD_IN * (stands.get(code, power) != power)
                elif mine and mine >= most:
                    strengths[power] += _REACHED[mine > most]
        for power, codes in position.homes.items():
            if power in strengths:
                strengths[power] += HOME * sum(position.owners.get(code) == power for code in codes)
        for power, number in self._balances(position).items():
            strengths[power] += self.coin * number
        for power in names:
            strengths[power] += _ALIVE * position.survives(power)
        return strengths

    def _count_forces(
        self, position: Position, strengths: dict[Power, int]
    ) -> tuple[dict[Code, dict[Power, int]], dict[Code, Power]]:
        """Return the units of each commander that could be in each space, and the commander of the unit there.

        Add the values of the units to `strengths`.
        """
        board = self.rules.board_at(position)
        forces: dict[Code, dict[Power, int]] = {}
        stands: dict[Code, Power] = {}
        for unit in position.units:
            who = unit.power
            if self._commanded and (by := commanders(self.rules, position, unit)):
                who = by[0]
            stands[unit.space] = who
            codes = {unit.space}
            if not any(module.why_no_orders(self.rules, position, unit) for module in self._muting):
                codes |= board.reach(unit.kind, unit.location)
            for code in codes:
                force = forces.setdefault(code, {})
                force[who] = force.get(who, 0) + 1
            if who in strengths:
                strengths[who] += _UNIT
        return forces, stands

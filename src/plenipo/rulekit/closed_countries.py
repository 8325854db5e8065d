"""Closed countries: no unit can enter the country of a power that has no player from the start."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine.board import Board, Code
from plenipo.engine.changes import Closed
from plenipo.engine.hooks import RuleModule
from plenipo.engine.position import Position, Power, PowerInfo
from plenipo.engine.sentences import say
from plenipo.errors import InvalidVariant, UnknownName

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["ClosedCountries"]


@dataclass(frozen=True)
class ClosedCountries(RuleModule):
    """The options.

    `majors` and `minors` are the powers that play; the field `countries` has the provinces of each, which are closed if
    it does not. A power in neither list and without a country just does not play. With `unplayed_majors` at
    `civil_disorder` the units of a major without a player stand on instead, and its country is open; `major_powers`
    says
    which are majors. `not_countries` names powers whose province is no country in this game: it has no player, is no
    centre, and is open.
    """

    name: ClassVar[str] = "closed_countries"
    signs: ClassVar[Mapping[str, str]] = {
        "closed": "a closed country: it has no player, and no unit may enter",
    }
    closing_signs: ClassVar[frozenset[str]] = frozenset({"closed"})
    claims: ClassVar[frozenset[str]] = frozenset({"who plays"})
    fixed: ClassVar[frozenset[str]] = frozenset({"countries", "major_powers"})

    countries: Mapping[Power, tuple[Code, ...]] = field(default_factory=dict)
    major_powers: tuple[Power, ...] = ()
    majors: tuple[Power, ...] = ()
    minors: tuple[Power, ...] = ()
    unplayed_majors: Literal["closed", "civil_disorder"] = "closed"
    not_countries: tuple[Power, ...] = ()

    def game_powers(self, powers: tuple[PowerInfo, ...]) -> tuple[PowerInfo, ...]:
        """Return the powers that are played, and without a player those that stay in civil disorder."""
        infos: list[PowerInfo] = []
        for info in powers:
            if info.name in self._played_powers:
                infos.append(info)
            elif info.name in self.major_powers and self.unplayed_majors == "civil_disorder":
                infos.append(replace(info, played=False))
        if not any(info.played for info in infos):
            raise UnknownName(say("At least one power must be played: 'majors' and 'minors' are both empty."))
        return tuple(infos)

    def board(self, board: Board) -> Board:
        """Return the board without the centres outside the countries, whole or in parts."""
        none = {code for power in self.not_countries for code in self.countries.get(power, ())}
        spaces = {
            code: replace(space, centre=False) if space.province in none else space
            for code, space in board.spaces.items()
        }
        return replace(board, spaces=spaces) if none else board

    def opening(self, rules: "Rules", position: Position) -> Position:
        """Return the position with the countries of the other powers closed, and their centres not counted."""
        known = {info.name for info in rules.powers}
        closed: list[Code] = []
        for power, codes in self.countries.items():
            for code in codes:
                if code not in rules.board.spaces:
                    raise InvalidVariant(
                        say(
                            "'{name}' gives {power} '{code}', which is not a province of the board.",
                            name=self.name,
                            power=power,
                            code=code,
                        )
                    )
            if power not in known and power not in self.not_countries:
                closed += codes
        return replace(
            position,
            changes=(*position.changes, *(Closed(code) for code in sorted(closed))),
            units=tuple(unit for unit in position.units if unit.space not in closed),
            owners={code: power for code, power in position.owners.items() if code not in closed},
        )

    def marks(self, rules: "Rules", position: Position) -> Mapping[Code, tuple[str, ...]]:
        """Return the provinces of closed countries that have not been opened since."""
        known, spaces = {info.name for info in rules.powers}, rules.board_at(position).spaces
        closed = {
            code
            for power, codes in self.countries.items()
            if power not in known and power not in self.not_countries
            for code in codes
        }
        return {code: ("closed",) for code, space in spaces.items() if space.impassable and space.province in closed}

    @property
    def _played_powers(self) -> frozenset[Power]:
        return frozenset((*self.majors, *self.minors)) - set(self.not_countries)

"""Splits: after every turn a province is drawn and cut in two, along a line that dealt cards decide.

Every province next to it gets a card, whatever it is. The line runs from the middle of the border with the highest card
to the middle of the border with the second highest; going clockwise from the first, the first half lies between them.
A unit stays in the first half and has its double in the other. A centre becomes two of one owner, a home two homes.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from plenipo.engine.board import Board, Coast, Code, Location, Terrain
from plenipo.engine.calendar import Calendar, Phase, PhaseKind
from plenipo.engine.changes import Border, Split, half_names
from plenipo.engine.dice import DrawSource
from plenipo.engine.events import UNIT_DISBANDED, Event, EventKind
from plenipo.engine.hooks import Effects, RuleModule, SplitUnit
from plenipo.engine.module_memory import ModuleMemory
from plenipo.engine.orders import Ref
from plenipo.engine.position import Dislodged, Position, Unit
from plenipo.engine.reading.positions import quote_value
from plenipo.engine.sentences import Either, SentenceKind, say
from plenipo.errors import InvalidFigure, InvalidRecord, MissingDraw
from plenipo.rulekit.black_holes import holes_in
from plenipo.rulekit.corner_matching import same_point
from plenipo.rulekit.draw_piles import NOTHING_TO_DRAW, provinces, with_draws

if TYPE_CHECKING:
    from plenipo.engine.reading.positions import BoardReader
    from plenipo.engine.rules import Rules

__all__ = [
    "COASTS_OPEN",
    "SLIP_PUT_ASIDE",
    "SPACE_SPLIT",
    "UNIT_DOUBLED",
    "UNIT_STRANDED",
    "OpenCoasts",
    "Splits",
    "divide_space",
]

SPACE_SPLIT = EventKind("space_split")
"""The first space was cut into the two others."""

UNIT_DOUBLED = EventKind("unit_doubled")
"""The second unit is the double of the first."""

UNIT_STRANDED = EventKind("unit_stranded")
"""The fleet stands where there is no coast."""

COASTS_OPEN = EventKind("coasts_open")
"""The fleet in the space may name one of the coasts in its next order."""

SLIP_PUT_ASIDE = EventKind("slip_put_aside")
"""The space was drawn and cannot be split."""

_SPLIT = SentenceKind(
    "space-split", "{place} was split into {one} and {other}, from its border with {start} to the one with {end}."
)
_DOUBLED = SentenceKind("unit-doubled", "{double} of {power} is the double of {unit}.")
_STRANDED = SentenceKind("unit-stranded", "{unit} is stranded: {place} has no coast.")
_COASTS = SentenceKind(
    "coasts-open", "{place} has several coasts: the fleet there may name {coasts} in its next order."
)
_NO_PLACE = SentenceKind("split-no-place", "{unit} of {power} was disbanded: the split left no such place for it.")

_PUT_ASIDE = SentenceKind("split-put-aside", "{place} was drawn to be split and put aside: {reason}.")
_NO_LINE = SentenceKind("split-no-line", "no line can be drawn through it")
_IS_HOLE = SentenceKind("split-is-hole", "it is a black hole")
_TOO_FEW = SentenceKind("split-too-few", "a line needs two provinces beside it")
_NONE_LEFT = SentenceKind("split-none-left", "No province is left that could be split.")
_CANNOT_SPLIT = SentenceKind("split-impossible", "'{place}' cannot be split: {reason}")


@dataclass(frozen=True)
class OpenCoasts(ModuleMemory):
    """Fleets that lost their coast in a split and may name another with their next orders: space -> its coasts."""

    coasts: Mapping[Code, tuple[Coast, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Splits(RuleModule):
    """The option `stranded_second_fleet`: the double of a fleet in a half without a coast.

    It is placed there, where it may only hold (`placed`), or not at all (`not_placed`).
    """

    name: ClassVar[str] = "splits"
    signs: ClassVar[Mapping[str, str]] = {
        "split": "half of a province that was split; it is a province of its own",
    }
    claims: ClassVar[frozenset[str]] = frozenset({"provinces that are split during play"})
    needs_figure: ClassVar[bool] = True
    cuts: ClassVar[bool] = True

    stranded_second_fleet: Literal["placed", "not_placed"] = "placed"

    def calendar(self, calendar: Calendar) -> Calendar:
        """Return the calendar with the draws of every turn."""
        return with_draws(calendar)

    def after_phase(self, rules: "Rules", position: Position, phase: Phase, source: DrawSource) -> Effects:
        """Draw a province, deal cards and split it; after a movement phase no fleet may name a coast any more."""
        if phase.kind is PhaseKind.MOVEMENT and self.name in position.slots:
            return Effects(position.with_slot(self.name, OpenCoasts()))
        if phase.kind is not PhaseKind.DRAWS:
            return Effects(position)
        spaces = rules.board_at(position).spaces
        events: list[Event] = []
        for drawn, fault_of_slip in self.draw_slips(rules, position, source):
            why_not = fault_of_slip
            if not why_not:
                try:
                    effects = self.cut(rules, position, self.line(rules, position, drawn, source))
                    return effects._replace(events=(*events, *effects.events))
                except InvalidFigure as fault:
                    if source.entered is not None:
                        raise MissingDraw(_CANNOT_SPLIT(place=drawn, reason=fault.sentence)) from fault
                    why_not = _NO_LINE()
            why = _PUT_ASIDE(place=spaces[drawn].name, reason=why_not)
            events.append(Event(SLIP_PUT_ASIDE, why, spaces=(drawn,)))
        return Effects(position, (*events, Event(NOTHING_TO_DRAW, _NONE_LEFT())))

    def draw_slips(self, rules: "Rules", position: Position, source: DrawSource) -> Iterator[tuple[Code, str]]:
        """Yield slips one after the other, each with why it cannot be split; empty if it can."""
        slips = list(provinces(rules, position))
        for attempt in count(1):
            if not slips:
                return
            code = Code(source.draw(_number_label("split", attempt), slips))
            slips.remove(code)
            yield code, self._why_not(rules, position, code)

    def cut(self, rules: "Rules", position: Position, split: Split) -> Effects:
        """Return the position after `split`, with the units there; raise `InvalidFigure` if it cannot be made."""
        before = rules.board_at(position)
        changed = replace(position, changes=(*position.changes, split))
        board = rules.board_at(changed)
        one, other = split.halves
        start, end = (before.spaces[end.neighbour].name for end in (split.start, split.end))
        names = {"one": board.spaces[one].name, "other": board.spaces[other].name}
        why = _SPLIT(place=before.spaces[split.space].name, start=start, end=end, **names)
        events = [Event(SPACE_SPLIT, why, spaces=(split.space, *split.halves))]
        units, unsettled = self._split_units(board, changed, split)
        landed = {unit.unit: unit.first for unit in units} | _beaten(board, changed, split)
        changed = divide_space(changed, split, landed)
        for unit, first, second in units:
            if second:
                changed = replace(changed, units=(*changed.units, second))
                why = _DOUBLED(double=second, power=unit.power, unit=first)
                events.append(Event(UNIT_DOUBLED, why, (unit.power,), split.halves, (first, second)))
        events += [
            Event(
                UNIT_STRANDED,
                _STRANDED(unit=unit, place=board.spaces[unit.space].name),
                (unit.power,),
                (unit.space,),
                (unit,),
            )
            for split_unit in units
            for unit in split_unit[1:]
            if unit and unit.kind in board.sailing and board.spaces[unit.space].terrain is Terrain.INLAND
        ]
        events += [
            Event(
                COASTS_OPEN,
                _COASTS(place=code, coasts=Either(coasts)),
                spaces=(code,),
                names=coasts,
            )
            for code, coasts in unsettled.items()
        ]
        slot = changed.slots.get(self.name)
        known = slot.coasts if isinstance(slot, OpenCoasts) else {}
        if unsettled or known:
            changed = changed.with_slot(self.name, OpenCoasts({**known, **unsettled}))
        changed, disbanded = _in_corners(before, board, changed, split)
        return Effects(changed, (*events, *disbanded))

    def unit_as_named(self, rules: "Rules", position: Position, unit: Unit, named: Ref) -> Unit:
        """Return a fleet that may still choose its coast on the coast that its order names, other units unchanged."""
        slot = position.slots.get(self.name)
        if isinstance(slot, OpenCoasts) and named.location.coast in slot.coasts.get(unit.space, ()):
            return unit._replace(location=named.location)
        return unit

    def space_lost(self, rules: "Rules", position: Position, space: Code) -> Effects:
        """Remove the open coasts of a lost space."""
        slot = position.slots.get(self.name)
        if not isinstance(slot, OpenCoasts) or space not in slot.coasts:
            return Effects(position)
        left = {code: coasts for code, coasts in slot.coasts.items() if code != space}
        return Effects(position.with_slot(self.name, OpenCoasts(left)))

    def decode_slot(self, value: Any, reader: "BoardReader") -> OpenCoasts:
        """Read the coasts that are still open from JSON; raise `InvalidRecord` for one that the board does not have."""
        known = OpenCoasts.from_json(value, reader)
        for code, coasts in known.coasts.items():
            for coast in coasts:
                if coast not in reader.board.spaces[code].coasts:
                    raise InvalidRecord(say("{code} has no coast {coast}.", code=code, coast=quote_value(coast)))
        return known

    def _why_not(self, rules: "Rules", position: Position, code: Code) -> str:
        """Return why a slip goes back: it is a hole, or there are not two provinces beside it; empty if it is kept."""
        if code in holes_in(position):
            return _IS_HOLE()
        near = _neighbours(rules.board_at(position), code)
        return "" if len(near) > 1 else _TOO_FEW()

    def line(self, rules: "Rules", position: Position, code: Code, source: DrawSource) -> Split:
        """Return the line that the cards decide."""
        board = rules.board_at(position)
        first, second = source.rank(f"cards of {code}", _neighbours(board, code), needed=2)[:2]
        ends = [self._border(board, code, Code(name), source) for name in (first, second)]
        return Split(code, ends[0], ends[1], half_names(code, board.spaces))

    def _border(self, board: Board, code: Code, neighbour: Code, source: DrawSource) -> Border:
        """Return the stretch of border with `neighbour`; a further card picks one of several."""
        stretches = [str(number) for number in range(1, board.borders[code].count(neighbour) + 1)]
        if len(stretches) == 1:
            return Border(neighbour)
        return Border(neighbour, int(source.rank(f"border of {code} with {neighbour}", stretches)[0]) - 1)

    def _split_units(
        self, board: Board, position: Position, split: Split
    ) -> tuple[tuple[SplitUnit, ...], dict[Code, tuple[Coast, ...]]]:
        """Return the unit in the split space and its double, and the coasts it may still choose from."""
        units_in: list[SplitUnit] = []
        unsettled: dict[Code, tuple[Coast, ...]] = {}
        for unit in position.units:
            if unit.space != split.space:
                continue
            places: list[Unit] = []
            for half in split.halves:
                location, choice = _locate_in_half(board, unit, half)
                places.append(unit._replace(location=location))
                if choice:
                    unsettled[half] = choice
            stranded = unit.kind in board.sailing and board.spaces[split.halves[1]].terrain is Terrain.INLAND
            left_out = stranded and self.stranded_second_fleet == "not_placed"
            units_in.append(SplitUnit(unit, places[0], None if left_out else places[1]))
        return tuple(units_in), unsettled


def divide_space(position: Position, split: Split, landed: Mapping[Unit, Unit]) -> Position:
    """Return `position` with the halves of a split in place of the whole: owners, homes, units, retreats.

    `landed` has the units of the split space as they stand afterwards; those it leaves out stand in the first half.
    """
    whole, halves = split.space, split.halves

    def spread(codes: frozenset[Code]) -> frozenset[Code]:
        return codes - {whole} | set(halves) if whole in codes else codes

    owners = {code: power for code, power in position.owners.items() if code != whole}
    if whole in position.owners:
        owners |= dict.fromkeys(halves, position.owners[whole])

    def move(unit: Unit) -> Unit:
        if unit.space != whole:
            return unit
        return landed.get(unit) or unit._replace(location=Location(halves[0]))

    return replace(
        position,
        units=tuple(map(move, position.units)),
        owners=owners,
        homes={power: spread(codes) for power, codes in position.homes.items()},
        contested=spread(position.contested),
        dislodged=tuple(
            Dislodged(move(d.unit), move(d.by) if d.by else None, tuple(sorted(spread(frozenset(d.barred)))))
            for d in position.dislodged
        ),
    )


def _number_label(label: str, attempt: int) -> str:
    return label if attempt == 1 else f"{label} {attempt}"


def _neighbours(board: Board, code: Code) -> tuple[Code, ...]:
    """Return the provinces next to `code`, each once."""
    return tuple(dict.fromkeys(other for other in board.borders[code] if other is not None))


def _locate_in_half(board: Board, unit: Unit, half: Code) -> tuple[Location, tuple[Coast, ...]]:
    """Return the location of a unit in a half of its space, and the coasts it may choose from.

    There is a choice only for a unit at sea whose own coast the half does not have.
    """
    space = board.spaces[half]
    if unit.kind not in board.sailing or not space.coasts:
        return Location(half), ()
    if unit.location.coast in space.coasts:
        return Location(half, unit.location.coast), ()
    clockwise = sorted(space.coasts, key=lambda coast: _first_contact(board, Location(half, coast)))
    return Location(half, clockwise[0]), tuple(clockwise)


def _first_contact(board: Board, location: Location) -> int:
    """Return the place in the borders of a half, clockwise, of the first sea its coast touches."""
    seas = {to.space for to in board.fleets.get(location, ()) if board.spaces[to.space].terrain is Terrain.SEA}
    around = board.borders[location.space]
    return min((place for place, other in enumerate(around) if other in seas), default=len(around))


def _beaten(board: Board, position: Position, split: Split) -> dict[Unit, Unit]:
    """Return the dislodged units of a space that is split before they retreat: they go on from the first half."""
    beaten = [unit for d in position.dislodged for unit in (d.unit, d.by) if unit and unit.space == split.space]
    return {unit: unit._replace(location=_locate_in_half(board, unit, split.halves[0])[0]) for unit in beaten}


def _in_corners(before: Board, board: Board, position: Position, split: Split) -> tuple[Position, list[Event]]:
    """Move units in corners of the split space to the new names of the same points.

    A unit whose point can no longer hold its type is disbanded. Returns the position and the events.
    """
    disbanded: list[Event] = []

    def stays(unit: Unit) -> Unit | None:
        if unit.space in board.spaces or unit.space not in before.spaces:
            now: Location | None = unit.location
        else:
            code = same_point(before, board, unit.space, split)
            now = None if code is None else Location(code)
        if now is None or not (board.can_stand(unit.kind, now) or position.is_stranded(board, unit)):
            why = _NO_PLACE(unit=unit, power=unit.power)
            disbanded.append(Event(UNIT_DISBANDED, why, (unit.power,), (unit.space,), (unit,)))
            return None
        return unit._replace(location=now)

    def rename(codes: Iterable[Code]) -> Iterator[Code]:
        return (same_point(before, board, code, split) or code for code in codes)

    dislodged = [(d, stays(d.unit)) for d in position.dislodged]
    return replace(
        position,
        units=tuple(unit for unit in map(stays, position.units) if unit is not None),
        dislodged=tuple(
            Dislodged(unit, d.by, tuple(sorted(rename(d.barred)))) for d, unit in dislodged if unit is not None
        ),
        contested=frozenset(rename(position.contested)),
    ), disbanded

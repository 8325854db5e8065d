"""Orders and their results as parts of a picture, in the usual symbols of the field.

An arrow is a move, dashes are a support and end in a ring on its object, waves are a convoy, an octagon is a
hold, dots are a retreat, a diamond is a choice.
A red bar ends a failed order; a red cross in a ring marks a stand-off or a broken convoy.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from plenipo.engine.board import Location
from plenipo.engine.orders import (
    Build,
    Choose,
    Convert,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Remove,
    Retreat,
    Support,
    Waive,
)
from plenipo.engine.outcome import Outcome, Reason, Result
from plenipo.engine.position import Power, Unit
from plenipo.maps.draw.arrows import AIM, Spot, bar, barbs, breach, head
from plenipo.maps.draw.base import ident_of
from plenipo.maps.draw.paths import DISC
from plenipo.maps.draw.scene import Scene
from plenipo.maps.draw.symbols import symbol_of
from plenipo.maps.draw.theme import slug
from plenipo.maps.draw.ways import MovePath, Ways, is_void

__all__ = ["OrderDrawing"]

SMALL_HEAD = 70.0
"""The length of an arrow's head in a small picture, where it lies over the units, in pips."""

SET_BACK = 40.0
"""The additional distance from a unit that stands there and is drawn larger, in pips."""

SMALL_BAR = 40.0
"""Half the length of a bar in a small picture, in pips."""


class _DrawnLine(NamedTuple):
    """A line as text, and the signs that lie over the units, each with its classes."""

    line: str
    signs: tuple[tuple[str, str], ...]


class _DrawnOrder(NamedTuple):
    """The groups of an order: its line, and the signs that lie over the units."""

    line: str
    signs: tuple[str, ...]


@dataclass(eq=False)
class OrderDrawing:
    """The orders of one scene on one map; `lines` go under the names, `signs` over the units."""

    ways: Ways
    lines: list[str] = field(default_factory=list)
    signs: list[str] = field(default_factory=list)

    @property
    def scene(self) -> Scene:
        """The scene that is drawn."""
        return self.ways.scene

    def draw_all(self) -> "OrderDrawing":
        """Draw everything: supports over the moves that they hold, so that their rings are seen."""
        entries = self.scene.given_orders
        for kinds in ((Convoy,), (Move, Retreat), (Support,), (Hold, Disband, Remove, Build, Choose, Convert)):
            for power, unit, order, outcome in entries:
                if isinstance(order, kinds):
                    self._draw(power, unit, order, outcome)
        self._waives()
        self._stand_offs()
        return self

    # ------------------------------------------------------------------ kinds

    def _draw(self, power: Power | None, unit: Unit | None, order: Order, outcome: Outcome | None) -> None:
        if not self.ways.reaches(order):
            if unit is not None:
                self._void(power, self.ways.start(unit.ref, unit))
            return
        if isinstance(order, Move):
            self._move(power, unit, order, outcome)
        elif isinstance(order, Support):
            self._support(power, order, outcome)
        elif isinstance(order, Convoy):
            self._convoy(power, order, outcome)
        elif isinstance(order, Retreat):
            self._retreat(power, unit, order, outcome)
        elif isinstance(order, Hold) and not (outcome and outcome.dislodged_by):
            kind = "order hold-order void" if _is(outcome, Result.VOID) else "order hold-order"
            self._sign(kind, "hold", power, self.ways.start(order.unit, unit), self.lines)
            if _is(outcome, Result.VOID):
                self._void(power, self.ways.start(order.unit, unit))
        elif isinstance(order, Build):
            at = self.ways.placement(order.unit.location)
            done = outcome is None or outcome.result is Result.BUILDS
            self._sign("build" if done else "failure", "plus" if done else "failure", power, _corner(at))
        elif isinstance(order, Convert):
            self._convert(power, unit, order, outcome)
        elif isinstance(order, Choose):
            self._sign("order choice", "choice", power, self.ways.start(order.unit, unit), self.lines, order)
        elif isinstance(order, Remove | Disband):
            self._sign("strike", "strike", power, self.ways.start(order.unit, unit))

    def _move(self, power: Power | None, unit: Unit | None, order: Move, outcome: Outcome | None) -> None:
        way = self.ways.of(order, unit, outcome)
        self._way("move convoyed" if way.sails else "move", power, order, way)
        if way.void:
            self._void(power, self.ways.placement(order.unit.location))

    def _way(self, kind: str, power: Power | None, order: Order, way: MovePath) -> None:
        """Return a line with its head, or with a bar over a unit in its way and the rest as a ghost."""
        drawn = self.ways.routes.get_or_compute(
            ("drawn", kind, power, order, way), lambda: self._group_way(kind, power, order, self._draw_way(way), way)
        )
        self.signs += drawn.signs
        self.lines.append(drawn.line)

    @staticmethod
    def _group_way(kind: str, power: Power | None, order: Order, drawn: _DrawnLine, way: MovePath) -> _DrawnOrder:
        more = (("failed", way.barred), ("broken", way.broken), ("void", way.void))
        kinds = " ".join(("order", kind, *(word for word, so in more if so)))
        signs = tuple(_group(sizes, power, None, sign) for sizes, sign in drawn.signs)
        return _DrawnOrder(_group(kinds, power, order, drawn.line), signs)

    def _draw_way(self, way: MovePath) -> _DrawnLine:
        text = self.ways.wave(way.line, way.areas) if way.sails else way.line.text
        under, over = f'{_rest(way)}<path class="case" d="{text}"/>', f'<path class="line" d="{text}"/>'
        if way.barred:
            across = breach if way.broken else bar
            (case, stroke), wide = _across(across(way.line)), "".join(_across(across(way.line, SMALL_BAR)))
            return _DrawnLine(under + case + over + stroke, (("ends compact small", wide),))
        if way.rest or way.void:
            return _DrawnLine(under + over, ())
        length = max(way.line.length, 1.0)
        tip = head(way.line.part(0, 1 - min(SET_BACK / length, 0.6)), SMALL_HEAD)
        small = ("ends compact small", f'<path class="head" d="{tip}"/>')
        return _DrawnLine(f'{under}{over}<path class="head" d="{head(way.line, way.head)}"/>', (small,))

    def _support(self, power: Power | None, order: Support, outcome: Outcome | None) -> None:
        kind = "support"
        if is_void(outcome):
            at = self.ways.placement(order.unit.location)
            stub = self.ways.stub(at, self.ways.placement(order.other.location)).text
            content = f'<path class="case" d="{stub}"/><path class="line" d="{stub}"/>'
            self.lines.append(_group("order support void", power, order, content))
            self._void(power, at)
            return
        if outcome and outcome.result is not Result.SUPPORTS:
            kind += " cut"
        way, wish = self.ways.line_of(order), self.ways.wish_of(order)
        if way is not None:
            x, y = way.at(1)
            content = f'<path class="case" d="{way.text}"/><path class="line" d="{way.text}"/>'
            content += f'<circle class="grip" cx="{x:.0f}" cy="{y:.0f}" r="9"/>'
            if kind == "support cut":
                across = bar(way.part(0, min(0.42, max(0.2, 40 / max(way.length, 1)))), 17)
                content += f'<path class="bar-case" d="{across}"/><path class="bar" d="{across}"/>'
            if wish is not None:
                content += f'<path class="rest" d="{wish.text}{barbs(wish)}"/>'
            self.lines.append(_group(f"order {kind}", power, order, content))

    def _convoy(self, power: Power | None, order: Convoy, outcome: Outcome | None) -> None:
        at = self.ways.placement(order.unit.location)
        void, broken = _is(outcome, Result.VOID), _is(outcome, Result.DISRUPTED)
        kind = "convoy void" if void else "convoy disrupted" if broken else "convoy"
        self._sign(f"order {kind}", "carry", power, at, self.lines, order)
        move, _ = self.ways.moves.get(order.other.location.space, (None, None))
        idle = not void and (move is None or move.to.space != order.to.space)
        if idle and (way := self.ways.waiting(order)) is not None:  # no army moves: show the planned route
            self.lines.append(_group(f"order {kind}", power, order, f'<path class="line" d="{self.ways.wave(way)}"/>'))
        if void:
            self._void(power, at)
        elif broken:
            self._sign("failure", "failure", power, _corner(at))

    def _retreat(self, power: Power | None, unit: Unit | None, order: Retreat, outcome: Outcome | None) -> None:
        way = self.ways.of(order, unit, outcome)
        self._way("retreat", power, order, way)
        if way.barred:
            self._sign("strike", "strike", power, self.ways.start(order.unit, unit))

    def _convert(self, power: Power | None, unit: Unit | None, order: Convert, outcome: Outcome | None) -> None:
        """Draw a hold with the small token of the unit's new type, or with a cross if the conversion fails."""
        at = self.ways.start(order.unit, unit)
        self._sign("order hold-order", "hold", power, at, self.lines)
        x, y = _corner(at)
        if outcome is not None and not outcome.result.succeeded:
            self._sign("failure", "failure", power, (x, y))
            return
        symbol = f"{self.scene.prefix}{symbol_of(order.into.kind or '')}"
        use = f'<use href="#{symbol}" transform="translate({x:.0f} {y:.0f}) scale(.55)"/>'
        self.signs.append(_group("unit converted", power, order, use))

    # ------------------------------------------------------------------ signs

    def _sign(
        self,
        kind: str,
        symbol: str,
        power: Power | None,
        at: Spot,
        to: list[str] | None = None,
        order: Order | None = None,
    ) -> None:
        if (beside := self._beside.get(at)) is not None:
            kind += beside
        use = f'<use href="#{self.scene.prefix}{symbol}" transform="translate({at[0]:.0f} {at[1]:.0f})"/>'
        (self.signs if to is None else to).append(_group(kind, power, order, use))

    @cached_property
    def _beside(self) -> dict[Spot, str]:
        """The class of the signs of each unit that stands elsewhere in a small picture, by where they stand."""
        return {
            spot: f" by-{self.scene.prefix}{ident_of(unit.space)}"
            for unit in self.scene.position.units
            if unit.location in self.ways.placements.small_units
            for at in (self.ways.placement(unit.location),)
            for spot in (at, _corner(at))
        }

    def _void(self, power: Power | None, at: Spot) -> None:
        self._sign("failure", "void", power, _corner(at))

    def _waives(self) -> None:
        """Draw a dashed ring on a vacant home centre of a power for each build it leaves unused."""
        used = {order.unit.location.space for _, _, order, _ in self.scene.given_orders if isinstance(order, Build)}
        position = self.scene.position
        for power, _, order, _ in self.scene.given_orders:
            if not isinstance(order, Waive) or power is None:
                continue
            homes = sorted(position.homes_of(power) & set(position.centres_of(power)))
            free = [code for code in homes if not position.unit_at(code) and code not in used]
            for code in free[: order.count]:
                used.add(code)
                self._sign("waive", "waive", power, self.ways.placement(Location(code)), None, order)

    def _stand_offs(self) -> None:
        """Draw a cross in every space left vacant by a stand-off."""
        places = {
            outcome.cause.place
            for outcome in self.scene.outcomes
            if outcome.cause.reason in (Reason.STOOD_OFF, Reason.COLLIDED) and outcome.cause.place
        }
        entered = {move.to.space for move, outcome in self.ways.moves.values() if _is(outcome, Result.MOVES)}
        for place in sorted(places - entered):
            if not self.ways.is_occupied(place):
                at = self.ways.placement(Location(place))
                self._sign("failure stand-off", "failure", None, at)


def _rest(way: MovePath) -> str:
    """Return the way that was not gone: dots, and a hollow head where it was to lead."""
    if way.rest is None:
        return ""
    short = min(AIM / max(way.rest.length, 1.0), 0.5)
    line = way.rest.part(0, 1 - short)
    return f'<path class="rest" d="{line.text}"/><path class="aim" d="{head(line, AIM)}"/>'


def _across(path: str) -> tuple[str, str]:
    """Return a bar: its background, and its stroke."""
    return f'<path class="bar-case" d="{path}"/>', f'<path class="bar" d="{path}"/>'


def _corner(at: Spot) -> Spot:
    """Return the place of a badge on a unit."""
    return at[0] + 0.72 * DISC, at[1] - 0.72 * DISC


def _is(outcome: Outcome | None, result: Result) -> bool:
    return outcome is not None and outcome.result is result


def _group(kind: str, power: Power | None, order: Order | None, content: str) -> str:
    whose = f"p-{slug(power)}" if power else "p-none"
    title = f"<title>{order}</title>" if order else ""
    return f'<g class="{kind} {whose}">{title}{content}</g>'

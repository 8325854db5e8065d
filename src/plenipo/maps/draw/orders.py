"""Orders and their results as parts of a picture, in the usual reading of the field.

An arrow is a move, dashes are support and end in a ring on what they support, waves are a convoy, an octagon is a
hold, dots are a retreat, a diamond is a choice.
A red bar ends what failed; a red cross in a ring stands where a stand-off kept all out or where a convoy went under.
"""

from dataclasses import dataclass, field
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
from plenipo.maps.draw.arrows import Spot, bar, barbs, head, wave
from plenipo.maps.draw.paths import DISC
from plenipo.maps.draw.scene import Scene
from plenipo.maps.draw.symbols import symbol_of
from plenipo.maps.draw.theme import slug
from plenipo.maps.draw.ways import Way, Ways

__all__ = ["OrderDrawing"]

SMALL_HEAD = 58.0
"""The length of an arrow's head in a small picture, where it lies over the units, in pips."""

SMALL_BAR = 40.0
"""Half the length of a bar in a small picture, in pips."""


@dataclass(eq=False)
class OrderDrawing:
    """The orders of one scene on one map; `lines` go under the names, `signs` over the units."""

    ways: Ways
    lines: list[str] = field(default_factory=list)
    signs: list[str] = field(default_factory=list)

    @property
    def scene(self) -> Scene:
        """What is drawn."""
        return self.ways.scene

    def drawn(self) -> "OrderDrawing":
        """Draw everything: supports and convoys first, so that moves lie over them."""
        entries = self.scene.given
        for kinds in ((Convoy,), (Support,), (Move, Retreat), (Hold, Disband, Remove, Build, Choose, Convert)):
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
        way, void = self.ways.of(order, unit, outcome), _is(outcome, Result.VOID)
        kind = ("move convoyed" if way.sails else "move") + (" void" if void else "")
        self._way(kind, power, order, way)
        if void:
            self._void(power, self.ways.placement(order.unit.location))

    def _way(self, kind: str, power: Power | None, order: Order, way: Way) -> None:
        """A line with its head; or with a bar, over a unit that would cover it, and the rest of the way as a ghost."""
        drawn = self.ways.routes.remembered((way, "drawn"), lambda: _drawn(way))
        self.signs += [_group(sizes, power, None, sign) for sizes, sign in drawn.signs]
        self.lines.append(_group(f"order {kind}" + (" failed" if way.barred else ""), power, order, drawn.line))

    def _support(self, power: Power | None, order: Support, outcome: Outcome | None) -> None:
        kind = "support"
        if outcome and outcome.result is not Result.SUPPORTS:
            kind += " void" if outcome.result is Result.VOID else " cut"
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
        if kind == "support void":
            self._void(power, self.ways.placement(order.unit.location))

    def _convoy(self, power: Power | None, order: Convoy, outcome: Outcome | None) -> None:
        at = self.ways.placement(order.unit.location)
        void, broken = _is(outcome, Result.VOID), _is(outcome, Result.DISRUPTED)
        kind = "convoy void" if void else "convoy disrupted" if broken else "convoy"
        self._sign(f"order {kind}", "carry", power, at, self.lines, order)
        move, _ = self.ways.moves.get(order.other.location.space, (None, None))
        if move is None or move.to.space != order.to.space:
            # nobody sails: show whom the fleet waits for
            waits = Support(order.unit, order.other)
            if (way := self.ways.line_of(waits)) is not None:
                self.lines.append(_group(f"order {kind}", power, order, f'<path class="line" d="{wave(way)}"/>'))
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
        """A hold with the small token of what the unit turns into, or with a cross where it does not."""
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
        use = f'<use href="#{self.scene.prefix}{symbol}" transform="translate({at[0]:.0f} {at[1]:.0f})"/>'
        (self.signs if to is None else to).append(_group(kind, power, order, use))

    def _void(self, power: Power | None, at: Spot) -> None:
        self._sign("failure", "void", power, _corner(at))

    def _waives(self) -> None:
        """A dashed ring on a vacant home centre of a power for each build it leaves unused."""
        used = {order.unit.location.space for _, _, order, _ in self.scene.given if isinstance(order, Build)}
        position = self.scene.position
        for power, _, order, _ in self.scene.given:
            if not isinstance(order, Waive) or power is None:
                continue
            homes = sorted(position.homes_of(power) & set(position.centres_of(power)))
            free = [code for code in homes if not position.unit_at(code) and code not in used]
            for code in free[: order.count]:
                used.add(code)
                self._sign("waive", "waive", power, self.ways.placement(Location(code)), None, order)

    def _stand_offs(self) -> None:
        """A cross in every vacant place that was fought for in vain: nobody entered it."""
        places = {
            outcome.cause.place
            for outcome in self.scene.outcomes
            if outcome.cause.reason in (Reason.STOOD_OFF, Reason.COLLIDED) and outcome.cause.place
        }
        entered = {move.to.space for move, outcome in self.ways.moves.values() if _is(outcome, Result.MOVES)}
        for place in sorted(places - entered):
            if not self.ways.occupied(place):
                at = self.ways.placement(Location(place))
                self._sign("failure stand-off", "failure", None, at)


class _Drawn(NamedTuple):
    """A line as text, and the signs that lie over the units, each with its classes."""

    line: str
    signs: tuple[tuple[str, str], ...]


def _drawn(way: Way) -> _Drawn:
    text = wave(way.line) if way.sails else way.line.text
    rest = f'<path class="rest" d="{way.rest.text}{barbs(way.rest)}"/>' if way.rest else ""
    under, over = f'{rest}<path class="case" d="{text}"/>', f'<path class="line" d="{text}"/>'
    if way.barred:
        (case, stroke), wide = _across(bar(way.line)), "".join(_across(bar(way.line, SMALL_BAR)))
        small = ("ends compact small", wide)
        if way.covered:
            return _Drawn(under + over, (("ends", case + stroke), small))
        return _Drawn(under + case + over + stroke, (small,))
    if rest:
        return _Drawn(under + over, ())
    tip = f'<path class="head" d="{head(way.line, SMALL_HEAD)}"/>'
    return _Drawn(f'{under}{over}<path class="head" d="{head(way.line)}"/>', (("ends compact small", tip),))


def _across(path: str) -> tuple[str, str]:
    """A bar: what lies under it, and its stroke."""
    return f'<path class="bar-case" d="{path}"/>', f'<path class="bar" d="{path}"/>'


def _corner(at: Spot) -> Spot:
    """Where a badge sits on a unit."""
    return at[0] + 0.72 * DISC, at[1] - 0.72 * DISC


def _is(outcome: Outcome | None, result: Result) -> bool:
    return outcome is not None and outcome.result is result


def _group(kind: str, power: Power | None, order: Order | None, content: str) -> str:
    whose = f"p-{slug(power)}" if power else "p-none"
    title = f"<title>{order}</title>" if order else ""
    return f'<g class="{kind} {whose}">{title}{content}</g>'

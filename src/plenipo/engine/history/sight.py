"""Sight: the part of a game that one power sees where not everything is public; pure functions.

Secrets of rule modules, such as treasuries, are left out too, from their slots, declarations and events.

A power sees the spaces that the fact `Sight` gives it. Anything elsewhere is left out of positions and turns, and
so is every sentence about it; nothing is put in its place. A power always knows its own actions: its orders, and
whether they succeeded. Spectators see nothing of a game in fog before the end.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from plenipo.engine.board import Board, Code, UnitKind
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Draw
from plenipo.engine.events import Event
from plenipo.engine.facts import HiddenKinds, Sight
from plenipo.engine.history.disguise import Disguise, find_disguised_spaces
from plenipo.engine.history.rulings import Back, Edited, Placed, ReadAs
from plenipo.engine.history.turns import Turn, Turns
from plenipo.engine.hooks import RuleModule
from plenipo.engine.orders import Order
from plenipo.engine.outcome import Cause, Outcome, Resolution
from plenipo.engine.position import Dislodged, Position, Power, Slot
from plenipo.engine.rules import Rules

__all__ = ["Eyes"]

Owners = Mapping[Code, Power]

_NO_KINDS = HiddenKinds("", UnitKind.ARMY)
"""The absence of disguise, where all unit types are known."""


class Eyes:
    """The sight of `who`, None for a spectator, of the turns of a game; reads turns for a `Turns`.

    `start` is the first position of the game.
    """

    def __init__(self, rules: Rules, sight: Sight | None, who: Power | None, start: Position, turns: Turns) -> None:
        self.rules, self.sight, self.who = rules, sight, who
        self._start, self._whole = start, turns
        self._owners: list[Owners] = []

    # ------------------------------------------------------------------ positions

    def spaces(self, position: Position) -> frozenset[Code]:
        """Return the spaces seen in a position; where an own unit was dislodged, also its possible retreats."""
        who, board = self.who, self.rules.board_at(position)
        if self.sight is None:
            return frozenset(board.spaces)
        if who is None:
            return frozenset()
        fleeing = [dislodged.unit for dislodged in position.dislodged if dislodged.unit.power == who]
        own = {unit.space for unit in (*position.units_of(who), *fleeing)}
        seen = own | _within(board, own, self.sight.units)
        seen |= _within(board, position.centres_of(who), self.sight.centres)
        seen |= _within(board, position.homes_of(who), self.sight.homes)
        if position.phase.kind is PhaseKind.RETREATS:
            seen |= {code for unit in fleeing for code in board.reach(unit.kind, unit.location)}
        return frozenset(seen)

    def position(self, position: Position, number: int) -> Position:
        """Return a position as it is seen, after this many turns."""
        return self._mask_position(position, self.spaces(position), self._recall_owners(number))

    def _mask_position(self, position: Position, seen: frozenset[Code], known: Owners) -> Position:
        who = self.who
        owners = {code: power for code, power in known.items() if code not in seen}
        owners |= {code: power for code, power in position.owners.items() if code in seen or power == who}
        mask = self._disguise(position)
        return replace(
            position,
            units=tuple(mask.unit(unit) for unit in position.units if unit.space in seen),
            dislodged=tuple(
                mask.dislodged_unit(_by_sight(one, seen)) for one in position.dislodged if one.unit.space in seen
            ),
            contested=position.contested & seen,
            owners=position.owners if self.sight is None or self.sight.owners == "all" else owners,
            slots=self._slots(position),
        )

    def _disguise(self, position: Position, after: Position | None = None) -> Disguise:
        """Return the disguise of units of unknown type, in a position, or from one to the one `after`."""
        fact, board = self.rules.hidden_kinds, self.rules.board_at(position)
        if fact is None:
            return Disguise(_NO_KINDS, board, self.who, frozenset())
        codes = find_disguised_spaces(self.rules, fact, position, self.who)
        return Disguise(
            fact,
            board,
            self.who,
            codes | (find_disguised_spaces(self.rules, fact, after, self.who) if after else set()),
        )

    def _slots(self, position: Position) -> Mapping[str, Slot]:
        """Return the visible part of the slots of rule modules; in fog, only of those that define it."""
        knowing = {module.name: module for module in self.rules.overriding[RuleModule.slot_seen]}
        slots: dict[str, Slot] = {}
        for name, slot in position.slots.items():
            whole = slot if self.sight is None and self.rules.hidden_kinds is None else None
            seen = knowing[name].slot_seen(self.rules, slot, self.who) if name in knowing else whole
            if seen is not None:
                slots[name] = seen
        return slots

    def _recall_owners(self, number: int) -> Owners:
        """Return the owners of centres remembered after this many turns."""
        if self.sight is None or self.sight.owners != "remembered":
            return {}
        while len(self._owners) <= number:
            turns = len(self._owners)
            position = self._whole.after(turns - 1) if turns else self._start
            before = self._owners[-1] if turns else {}
            seen = self.spaces(position)
            known = {code: power for code, power in before.items() if code not in seen and power != self.who}
            known |= {code: power for code, power in position.owners.items() if code in seen or power == self.who}
            self._owners.append(known)
        return self._owners[number]

    # ------------------------------------------------------------------ turns

    def seen_turns(self) -> Turns:
        """Return the turns as they are seen."""
        return Turns((), self, len(self._whole))

    def turns(self, first: int, last: int) -> Sequence[Turn]:
        """Return the turns from number `first` to before `last`, as they are seen."""
        return [self._turn(number) for number in range(first, last)]

    def after(self, number: int) -> Position:
        """Return the position after a turn, as it is seen."""
        return self.position(self._whole.after(number), number + 1)

    def _turn(self, number: int) -> Turn:
        turn, who = self._whole[number], self.who
        before, after = turn.resolution.before, turn.resolution.after
        seen = self.spaces(before) | self.spaces(after)
        mask = self._disguise(before, after)
        resolution = Resolution(
            self.position(before, number),
            tuple(
                mask.outcome(outcome)
                for one in turn.resolution.outcomes
                if (outcome := self._outcome(one, seen)) and self._tells(after, one)
            ),
            self.position(after, number + 1),
            tuple(
                mask.event(event)
                for event in turn.resolution.events
                if self._can_see_event(event, seen) and self._tells(after, event)
            ),
            tuple(
                mask.refusal(refusal)
                for refusal in turn.resolution.refusals
                if (refusal.power is not None and refusal.power == who) or self._public(refusal.text)
            ),
            tuple(draw for draw in turn.resolution.draws if self.sight is None and self._tells(after, draw)),
        )
        orders = {
            power: texts if power == who else tuple(text for text in texts if self._public(text))
            for power, texts in turn.orders.items()
            if power == who or self.sight is None
        }
        return Turn(orders, resolution, turn.version, turn.journal)

    def _tells(self, after: Position, told: Event | Outcome | Draw) -> bool:
        """Return whether the rule modules show the viewer an event, outcome or draw."""
        return all(
            module.tells(self.rules, after, self.who, told) for module in self.rules.overriding[RuleModule.tells]
        )

    def _public(self, text: str) -> bool:
        """Return whether another's text may be seen: not in fog, and not if it contains a secret word."""
        if self.sight is not None or self.rules.secret_order_sets or self.rules.hidden_kinds:
            return False
        written = "".join(mark if mark.isalnum() else " " for mark in text.upper()).split()
        return self.rules.secret_words.isdisjoint(written)

    def _outcome(self, outcome: Outcome, seen: frozenset[Code]) -> Outcome | None:
        """Return an outcome as it is seen: if its cause is unseen, an own one without it, another's not at all."""
        if self.sight is None:
            return outcome
        outcome = _without_side_remarks(outcome, seen)
        whole = seen.issuperset(_spaces_of(outcome))
        if outcome.power != self.who:
            return outcome if whole and outcome.unit is not None else None
        if whole:
            return outcome
        by = outcome.dislodged_by
        return outcome._replace(
            cause=Cause(outcome.cause.reason),
            said=f"{outcome.order or outcome.unit}: {outcome.result}.",
            dislodged_by=by if by is not None and by.space in seen else None,
            fall=None,
        )

    def _can_see_event(self, event: Event, seen: frozenset[Code]) -> bool:
        if self.sight is None:
            return True
        about = {*event.spaces, *(unit.space for unit in event.units)}
        public = not about and not event.powers
        return public or event.powers == (self.who,) or (bool(about) and about <= seen)

    def _all_public(self, ruling: ReadAs) -> bool:
        return self._public(f"{ruling.order} {ruling.read}")

    def rulings(self, rulings: Iterable[Placed]) -> Iterator[Placed]:
        """Yield the rulings of a game master as they are seen."""
        for number, ruling in rulings:
            if isinstance(ruling, Edited):
                yield (
                    number,
                    replace(ruling, position=self._mask_position(ruling.position, self.spaces(ruling.position), {})),
                )
            elif isinstance(ruling, Back):
                yield number, replace(ruling, undone=())
            elif not isinstance(ruling, ReadAs) or ruling.power == self.who or self._all_public(ruling):
                yield number, ruling


def _within(board: Board, codes: Iterable[Code], steps: int) -> set[Code]:
    """Return the spaces within this many steps of some spaces, including these; none with fewer than 0."""
    edge = set(codes) if steps >= 0 else set()
    seen = set(edge)
    for _ in range(steps):
        edge = {to for code in edge if code in board.spaces for to in board.near[code]} - seen
        seen |= edge
    return seen


def _by_sight(dislodged: Dislodged, seen: frozenset[Code]) -> Dislodged:
    by = dislodged.by
    barred = tuple(code for code in dislodged.barred if code in seen)
    return Dislodged(dislodged.unit, by if by is not None and by.space in seen else None, barred)


def _without_side_remarks(outcome: Outcome, seen: frozenset[Code]) -> Outcome:
    """Return an outcome without unseen attackers and rivals that changed nothing, so that what they met is shown."""
    cause = outcome.cause
    uncut = tuple(one for one in cause.uncut if one.unit.space in seen and (not one.fleet or one.fleet.space in seen))
    shown = cause.no_effect is None or all(unit.space in seen for unit in cause.no_effect)
    return outcome._replace(cause=cause._replace(uncut=uncut, no_effect=cause.no_effect if shown else None))


def _spaces_of(outcome: Outcome) -> Iterator[Code]:
    """Yield every space that an outcome mentions."""
    yield from (unit.space for unit in (outcome.unit, outcome.dislodged_by) if unit is not None)
    for cause in (outcome.cause, outcome.fall):
        if cause is not None:
            yield from (unit.space for unit in cause.units)
            yield from () if cause.place is None else (cause.place,)
    yield from _list_order_spaces(outcome.order)


def _list_order_spaces(order: Order | None) -> Iterator[Code]:
    for name in ("unit", "other"):
        ref = getattr(order, name, None)
        if ref is not None:
            yield ref.location.space
    to = getattr(order, "to", None)
    if to is not None:
        yield to.space

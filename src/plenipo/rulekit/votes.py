"""Votes: powers vote by an order for a power, a space or a proposal, and something comes of it.

`VOTE Italy` is handed in with the orders of a movement; all votes of a ballot are counted when these are carried out.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import DrawSource
from plenipo.engine.events import Event, EventKind
from plenipo.engine.facts import Fact
from plenipo.engine.hooks import Adjudication, Effects, RuleModule
from plenipo.engine.orders import Declare
from plenipo.engine.position import Position, Power, Slot, Unit
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.wording import count, hint, listing
from plenipo.errors import IllegalOrder, InvalidVariant
from plenipo.rulekit import deeds
from plenipo.rulekit.deeds import Deed

if TYPE_CHECKING:
    from plenipo.engine.reading.positions import BoardReader
    from plenipo.engine.rules import Rules

__all__ = ["VOTES_COUNTED", "Ballot", "Held", "Votes"]

VOTES_COUNTED = EventKind("votes_counted")
"""What was voted for is the name; the numbers are the votes for it and all that were given."""


@dataclass(frozen=True)
class Ballot:
    """Something that is voted on.

    Votes are for a `power`, a `space` (of those in `among`, or any centre) or one of the `proposals`, each with what
    comes of it; for a power or space that is `deed`, and `winner` says who profits: nobody, or the power voted for.
    It is held in the movements of `seasons` and of the years from `from_year` to `until_year`, at most once with
    `once`. Every power has one vote, or as many as it has `centres` or `units`. What has `most` votes carries, or what
    more than half of all votes of powers that are left are for (`majority`), or all of them (`all`), and at least
    `least`; among equals nothing does (`nobody`), or what is drawn (`lot`).
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}  # a misspelt key is reported, not passed over

    of: Literal["power", "space", "proposal"] = "power"
    among: tuple[Code, ...] = ()
    powers: tuple[Power, ...] = ()
    proposals: Mapping[str, Deed] = field(default_factory=dict)
    deed: Deed = Deed()  # noqa: RUF009  # a value that does not change
    seasons: tuple[str, ...] = ()
    from_year: int | None = None
    until_year: int | None = None
    once: bool = False
    weight: Literal["one", "centres", "units"] = "one"
    enough: Literal["most", "majority", "all"] = "most"
    least: int = 1
    equal: Literal["nobody", "lot"] = "nobody"

    def in_time(self, season: str, year: int) -> bool:
        """Whether it is held in a movement."""
        early = self.from_year is not None and year < self.from_year
        late = self.until_year is not None and year > self.until_year
        return not early and not late and (not self.seasons or season in self.seasons)


@dataclass(frozen=True)
class Held:
    """Whether the ballot has carried, and whose units take no orders in the next movement."""

    carried: bool = False
    spaces: frozenset[Code] = frozenset()
    powers: frozenset[Power] = frozenset()

    def to_json(self) -> Any:
        """The codes and names."""
        return {"carried": self.carried, "spaces": sorted(self.spaces), "powers": sorted(self.powers)}


@dataclass(frozen=True)
class Votes(RuleModule):
    """The options: the `ballot`, and whether votes are `secret` after they were counted too."""

    name: ClassVar[str] = "votes"
    claims: ClassVar[frozenset[str]] = frozenset({"votes"})
    words: ClassVar[frozenset[str]] = frozenset({"VOTE"})
    fixed: ClassVar[frozenset[str]] = frozenset({"ballot"})

    ballot: Ballot = Ballot()  # a value that does not change
    secret: bool = False

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """None; raises `InvalidVariant` for a ballot that could never carry, or that would do nothing."""
        ballot = self.ballot
        where, path = f"'{self.name}.ballot'", ("modules", self.name, "ballot")
        if ballot.of == "proposal":
            if not ballot.proposals:
                raise InvalidVariant(f"{where} is of proposals, and has none: write 'proposals'.")
            for name, deed in ballot.proposals.items():
                deeds.checked(rules, deed, f"The proposal '{name}' of {where}", space=False, power=False, profits=False)
        else:
            if ballot.proposals:
                raise InvalidVariant(f"{where} is of a {ballot.of}, and has 'proposals'; write of = \"proposal\".")
            of_power = ballot.of == "power"
            deeds.checked(rules, ballot.deed, where, space=not of_power, power=of_power, profits=of_power)
        rules.require(f"'among' of {where}", ballot.among, path=(*path, "among"))
        rules.require(f"'powers' of {where}", powers=ballot.powers, path=(*path, "powers"))
        seasons = rules.calendar.seasons(PhaseKind.MOVEMENT)
        for season in ballot.seasons:
            if season not in seasons:
                raise InvalidVariant(f"{where} names '{season}', in which nobody moves; {hint(season, seasons)}")
        if ballot.least < 1:
            raise InvalidVariant(
                f"'{self.name}.ballot.least' is {ballot.least}; it must be 1 or more.", (*path, "least")
            )
        if ballot.weight == "one" and ballot.least > len(rules.names):
            raise InvalidVariant(
                f"'{self.name}.ballot.least' is {ballot.least}: there are fewer votes.", (*path, "least")
            )
        if (ballot.until_year or 0) and (ballot.from_year or 0) > (ballot.until_year or 0):
            raise InvalidVariant(f"{where} is held from {ballot.from_year} until {ballot.until_year}: never.")
        yield from ()

    def held(self, position: Position) -> Held:
        """What is remembered of it."""
        slot = position.slots.get(self.name)
        return slot if isinstance(slot, Held) else Held()

    def open_now(self, position: Position) -> bool:
        """Whether votes are taken in the phase of a position."""
        phase, ballot = position.phase, self.ballot
        if phase.kind is not PhaseKind.MOVEMENT or not ballot.in_time(phase.season, phase.year):
            return False
        return not (ballot.once and self.held(position).carried)

    def weight(self, position: Position, power: Power) -> int:
        """How many votes a power has."""
        if not position.survives(power):
            return 0
        own = {"centres": len(position.centres_of(power)), "units": len(position.units_of(power))}
        return own.get(self.ballot.weight, 1)

    def candidates(self, rules: "Rules", position: Position) -> tuple[str, ...]:
        """What may be voted for."""
        ballot = self.ballot
        if ballot.of == "proposal":
            return tuple(ballot.proposals)
        if ballot.of == "power":
            return tuple(p for p in ballot.powers or rules.names if position.survives(p))
        board = rules.board_at(position)
        return tuple(code for code in ballot.among or sorted(board.centres) if code in board.spaces)

    def declared(self, rules: "Rules", position: Position, power: Power, declaration: Declare) -> Declare:
        """A vote for something that may be voted for."""
        if not self.open_now(position):
            raise IllegalOrder(f"there is nothing to vote on in {position.phase}.")
        if not self.weight(position, power):
            raise IllegalOrder(f"{power} has no vote.")
        candidates = self.candidates(rules, position)
        what = self._meant(rules, position, declaration.text)
        if what not in candidates:
            raise IllegalOrder(f"'{declaration.text}' is not voted on; votes are for {listing(candidates, 'or')}.")
        return Declare("VOTE", what)

    def _meant(self, rules: "Rules", position: Position, text: str) -> str:
        if self.ballot.of == "power":
            return rules.power(text)
        if self.ballot.of == "space":
            return notation_of(rules, position).location(text).space
        return next((name for name in self.ballot.proposals if name.casefold() == text.casefold()), text)

    def offers(self, rules: "Rules", position: Position, power: Power) -> tuple[Declare, ...]:
        """A vote for each."""
        if not self.open_now(position) or not self.weight(position, power):
            return ()
        return tuple(Declare("VOTE", what) for what in self.candidates(rules, position))

    def after_orders(self, rules: "Rules", adjudication: Adjudication) -> Effects:
        """The votes are counted, and what comes of them is done."""
        before, _, position, _, declared, source = adjudication
        if before.phase.kind is not PhaseKind.MOVEMENT:
            return Effects(position)
        known = replace(self.held(position), spaces=frozenset(), powers=frozenset())
        if not self.open_now(before):
            return Effects(self._with(position, known))
        given = {
            power: votes[-1].text  # the last one counts
            for power, several in declared.items()
            if (votes := [one for one in several if one.word == "VOTE"])
        }
        carried, event = self._count(rules, before, given, source)
        if carried is None:
            return Effects(self._with(position, known), (event,) if event else ())
        space, power, deed = None, None, self.ballot.deed
        if self.ballot.of == "proposal":
            deed = self.ballot.proposals[carried]
        elif self.ballot.of == "power":
            power = Power(carried)
        else:
            space = Code(carried)
        effects = deeds.done(rules, position, deed, space, power, power)
        spaces, powers = deeds.silenced(deed, space, power)
        after = self._with(effects.position, Held(carried=True, spaces=spaces, powers=powers))
        return Effects(after, (*((event,) if event else ()), *effects.events))

    def _count(
        self, rules: "Rules", before: Position, given: Mapping[Power, str], source: DrawSource
    ) -> tuple[str | None, Event | None]:
        """What carries, and what is said of it."""
        ballot, sums = self.ballot, dict[str, int]()
        for power, what in given.items():
            sums[what] = sums.get(what, 0) + self.weight(before, power)
        if not sums:
            return None, None
        most = max(sums.values())
        best = sorted(what for what, votes in sums.items() if votes == most)
        whole = sum(self.weight(before, power) for power in rules.names)
        needed = {"most": 1, "majority": whole // 2 + 1, "all": whole}[ballot.enough]
        carried: str | None = None
        if most >= max(needed, ballot.least):
            if len(best) == 1:
                carried = best[0]
            elif ballot.equal == "lot":
                carried = source.draw("what was voted for", best)
        told = listing([f"{what} {votes}" for what, votes in sorted(sums.items())])
        why = f"{carried} was voted for" if carried else "Nothing was carried"
        sentence = f"{why}, of {count(sum(sums.values()), 'vote')}: {told}."
        numbers = (sums[carried] if carried else 0, sum(sums.values()))
        return carried, Event(VOTES_COUNTED, sentence, names=(carried,) if carried else (), numbers=numbers)

    def _with(self, position: Position, held: Held) -> Position:
        if held == self.held(position):
            return position
        return position.with_slot(self.name, held)

    def why_no_orders(self, rules: "Rules", position: Position, unit: Unit) -> str:
        """A unit on which it was voted so takes no orders."""
        held = self.held(position)
        if unit.space in held.spaces or unit.power in held.powers:
            return f"{unit} takes no orders in this movement: it was voted so."
        return ""

    # What others see

    def secrets(self) -> frozenset[str] | None:
        """Votes, where they are secret."""
        return self.words if self.secret else None

    def slot_seen(self, rules: "Rules", slot: Slot, who: Power | None) -> Slot | None:
        """Everything: what was carried is public."""
        return slot

    def decode_slot(self, value: Any, reader: "BoardReader") -> Held:
        """What is remembered, from JSON."""
        whole = reader.mapping(value)
        return Held(
            whole["carried"] is True,
            frozenset(map(reader.space, reader.items(whole["spaces"]))),
            frozenset(map(reader.power, reader.items(whole["powers"]))),
        )

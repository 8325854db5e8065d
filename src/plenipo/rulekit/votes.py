"""Votes: powers vote by an order for a power, a space or a proposal, and something comes of it.

`VOTE Italy` is submitted with the orders of a movement; all votes of a ballot are counted when these are carried out.
Where several ballots are held each has a name, and a vote begins with it: `VOTE chair Italy`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from plenipo.engine.amounts import count_things
from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import DrawSource
from plenipo.engine.events import Event, EventKind
from plenipo.engine.hooks import Adjudication, Effects, Prospect, RuleModule
from plenipo.engine.orders import Declare
from plenipo.engine.position import Position, Power, Slot, Unit
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.sentences import Either, SentenceKind, say
from plenipo.errors import IllegalOrder, InvalidVariant
from plenipo.rulekit.effects import Effect, apply_effect, check_effect, find_silenced
from plenipo.rulekit.rule_entries import InTime, RuleEntry

if TYPE_CHECKING:
    from plenipo.engine.reading.positions import BoardReader
    from plenipo.engine.rules import Rules

__all__ = ["VOTES_COUNTED", "Ballot", "CarriedBallots", "Votes"]

VOTES_COUNTED = EventKind("votes_counted")
"""The name is the proposal; the numbers are the votes for it and all votes given."""

_NO_BALLOT = SentenceKind("vote-none", "there is nothing to vote on in {phase}.")
_UNKNOWN_BALLOT = SentenceKind(
    "vote-unknown-ballot", "'{text}' names no ballot that is held now; a vote begins with {ballots}."
)
_NO_VOTE = SentenceKind("vote-not-entitled", "{power} has no vote.")
_NOT_VOTED_ON = SentenceKind("vote-not-on", "'{text}' is not voted on; votes are for {choices}.")
_TALLY = SentenceKind("vote-tally", "{choice} {number}", note="The votes for one choice: 'France 3'.")
_CARRIED = SentenceKind("vote-carried", "{choice} was voted for, of {votes}: {tally}.")
_CARRIED_AS = SentenceKind("vote-carried-as", "{choice} was voted for as {ballot}, of {votes}: {tally}.")
_NONE_CARRIED = SentenceKind("vote-none-carried", "Nothing was carried, of {votes}: {tally}.")
_NONE_CARRIED_AS = SentenceKind("vote-none-carried-as", "Nothing was carried as {ballot}, of {votes}: {tally}.")
_SILENCED = SentenceKind("vote-silenced", "{unit} takes no orders in this movement: it was voted so.")


@dataclass(frozen=True)
class Ballot(InTime):
    """Something that is voted on; its `name` is a word, and needed only where there are several.

    Votes are for a `power`, a `space` (of those in `among`, or any centre) or one of the `proposals`, each with what
    comes of it; for a power or space that is `effect`, and `winner` says who profits: nobody, or the power voted for.
    It is held in the movements of `seasons` and of the years from `from_year` to `until_year`, at most once with
    `once`. Every power has one vote, or as many as it has `centres` or `units`. What has `most` votes carries, or what
    more than half of all votes of powers that are left are for (`majority`), or all of them (`all`), and at least
    `least`; among equals nothing does (`nobody`), or what is drawn (`lot`). With `others` no power votes for itself.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}  # a misspelt key is reported, not passed over

    of: Literal["power", "space", "proposal"] = "power"
    among: tuple[Code, ...] = ()
    powers: tuple[Power, ...] = ()
    proposals: Mapping[str, Effect] = field(default_factory=dict)
    effect: Effect = Effect()  # noqa: RUF009  # a value that does not change
    once: bool = False
    weight: Literal["one", "centres", "units"] = "one"
    enough: Literal["most", "majority", "all"] = "most"
    least: int = 1
    others: bool = False
    equal: Literal["nobody", "lot"] = "nobody"
    name: str = ""


@dataclass(frozen=True)
class CarriedBallots:
    """The names of the ballots that have carried, and whose units take no orders in the next movement."""

    carried: frozenset[str] = frozenset()
    spaces: frozenset[Code] = frozenset()
    powers: frozenset[Power] = frozenset()

    def to_json(self) -> Any:
        """Return the codes and names; of a ballot without a name, whether it has carried."""
        carried = bool(self.carried) if self.carried <= {""} else sorted(self.carried)
        return {"carried": carried, "spaces": sorted(self.spaces), "powers": sorted(self.powers)}


@dataclass(frozen=True)
class Votes(RuleModule):
    """The options: the `ballot` or several `ballots`, and whether votes are `secret` after they were counted too."""

    name: ClassVar[str] = "votes"
    claims: ClassVar[frozenset[str]] = frozenset({"votes"})
    words: ClassVar[frozenset[str]] = frozenset({"VOTE"})
    fixed: ClassVar[frozenset[str]] = frozenset({"ballot", "ballots"})

    ballot: Ballot = Ballot()  # a value that does not change
    ballots: tuple[Ballot, ...] = ()
    secret: bool = False

    def check(self, rules: "Rules") -> None:
        """Raise `InvalidVariant` for a ballot that could never carry, or that would do nothing."""
        if self.ballots and self.ballot != Ballot():
            raise InvalidVariant(
                say("'{name}' has 'ballot' and 'ballots'; write all of them under 'ballots'.", name=self.name)
            )
        known = set[str]()
        for ballot in self.ballots:
            if not ballot.name.isalpha() or ballot.name.casefold() in known:
                raise InvalidVariant(
                    say(
                        "'{name}.ballots' has the name '{ballot}'; each has one of its own, a word of letters.",
                        name=self.name,
                        ballot=ballot.name,
                    ),
                    ("modules", self.name, "ballots"),
                )
            known.add(ballot.name.casefold())
        key = "ballots" if self.ballots else "ballot"
        for number, ballot in enumerate(self.held_in_turn):
            path = ("modules", self.name, key, number) if self.ballots else ("modules", self.name, key)
            self._check(RuleEntry(rules, f"'{self.name}.{key}'", path), ballot)

    @property
    def held_in_turn(self) -> tuple[Ballot, ...]:
        """The ballots, in the order in which they are counted."""
        return self.ballots or (self.ballot,)

    def _check(self, at: RuleEntry, ballot: Ballot) -> None:
        if ballot.of == "proposal":
            if not ballot.proposals:
                raise at.wrong(say("is of proposals, and has none: write 'proposals'."))
            for name, effect in ballot.proposals.items():
                path = (*at.path, "proposals", name)
                proposal = RuleEntry(at.rules, f"The proposal '{name}' of {at.where}", path)
                check_effect(proposal, effect, space=False, power=False, profits=False)
        else:
            if ballot.proposals:
                raise at.wrong(
                    say("is of a {of}, and has 'proposals'; write of = \"proposal\".", of=ballot.of), "proposals"
                )
            of_power = ballot.of == "power"
            check_effect(at.part("effect"), ballot.effect, space=not of_power, power=of_power, profits=of_power)
        if ballot.others and ballot.of != "power":
            raise at.wrong(say("is of a {of}, and has 'others'; that is for votes for powers.", of=ballot.of), "others")
        at.spaces(among=ballot.among)
        at.powers(powers=ballot.powers)
        at.in_time(ballot)
        at.least(1, least=ballot.least)
        if ballot.weight == "one" and ballot.least > len(at.rules.names):
            raise at.wrong(say("has {least} as 'least', and there are fewer votes.", least=ballot.least), "least")

    def vote_results(self, position: Position) -> CarriedBallots:
        """Return the remembered results of votes."""
        slot = position.slots.get(self.name)
        return slot if isinstance(slot, CarriedBallots) else CarriedBallots()

    def open_now(self, position: Position) -> tuple[Ballot, ...]:
        """Return the ballots on which votes are taken in the phase of a position."""
        phase, carried = position.phase, self.vote_results(position).carried
        if phase.kind is not PhaseKind.MOVEMENT:
            return ()
        in_time = (ballot for ballot in self.held_in_turn if ballot.in_time(phase))
        return tuple(ballot for ballot in in_time if not (ballot.once and ballot.name in carried))

    def weight(self, ballot: Ballot, position: Position, power: Power) -> int:
        """Return the number of votes a power has on a ballot."""
        if not position.survives(power):
            return 0
        own = {"centres": len(position.centres_of(power)), "units": len(position.units_of(power))}
        return own.get(ballot.weight, 1)

    def candidates(self, rules: "Rules", ballot: Ballot, position: Position, voter: Power) -> tuple[str, ...]:
        """Return the candidates a power may vote for on a ballot."""
        if ballot.of == "proposal":
            return tuple(ballot.proposals)
        if ballot.of == "power":
            left = (power for power in ballot.powers or rules.names if position.survives(power))
            return tuple(power for power in left if power != voter or not ballot.others)
        board = rules.board_at(position)
        return tuple(code for code in ballot.among or sorted(board.centres) if code in board.spaces)

    def complete_declaration(self, rules: "Rules", position: Position, power: Power, declaration: Declare) -> Declare:
        """Return the declaration of a vote; raise `IllegalOrder` if it is not allowed."""
        open_ones = self.open_now(position)
        if not open_ones:
            raise IllegalOrder(_NO_BALLOT(phase=position.phase))
        ballot, text = open_ones[0], declaration.text
        if ballot.name:
            word, _, text = declaration.text.partition(" ")
            named = {one.name.casefold(): one for one in open_ones}
            if word.casefold() not in named:
                names = Either(one.name for one in open_ones)
                raise IllegalOrder(_UNKNOWN_BALLOT(text=declaration.text, ballots=names))
            ballot = named[word.casefold()]
        if not self.weight(ballot, position, power):
            raise IllegalOrder(_NO_VOTE(power=power))
        candidates = self.candidates(rules, ballot, position, power)
        what = _find_candidate(rules, ballot, position, text.strip())
        if what not in candidates:
            raise IllegalOrder(_NOT_VOTED_ON(text=text, choices=Either(candidates)))
        return _vote(ballot, what)

    def offers(self, rules: "Rules", position: Position, power: Power) -> tuple[Declare, ...]:
        """Return a vote for each candidate."""
        return tuple(
            _vote(ballot, what)
            for ballot in self.open_now(position)
            if self.weight(ballot, position, power)
            for what in self.candidates(rules, ballot, position, power)
        )

    def after_orders(self, rules: "Rules", adjudication: Adjudication) -> Effects:
        """Count the votes and apply their effects."""
        before, _, position, _, declared, source = adjudication
        if before.phase.kind is not PhaseKind.MOVEMENT:
            return Effects(position)
        known = replace(self.vote_results(position), spaces=frozenset(), powers=frozenset())
        events: list[Event] = []
        for ballot in self.open_now(before):
            given = {
                power: votes[-1].text[len(_start(ballot)) :]  # the last one counts
                for power, several in declared.items()
                if (votes := [one for one in several if one.word == "VOTE" and one.text.startswith(_start(ballot))])
            }
            carried, event = self._count(rules, ballot, before, given, source)
            events += [event] if event else []
            if carried is None:
                continue
            known, effects = self._carry(rules, before, ballot, carried, known, position)
            position, events = effects.position, [*events, *effects.events]
        return Effects(self._with(position, known), tuple(events))

    def _carry(
        self, rules: "Rules", before: Position, ballot: Ballot, carried: str, known: CarriedBallots, position: Position
    ) -> tuple[CarriedBallots, Effects]:
        """Return the results of votes with one more, and its effects."""
        space = Code(carried) if ballot.of == "space" else None
        power = Power(carried) if ballot.of == "power" else None
        effect = ballot.proposals[carried] if ballot.of == "proposal" else ballot.effect
        effects = apply_effect(rules, position, effect, space, power, power)
        spaces, powers = find_silenced(rules.board_at(before), effect, space, power)
        return CarriedBallots(known.carried | {ballot.name}, known.spaces | spaces, known.powers | powers), effects

    def prospect(self, rules: "Rules", position: Position, power: Power, declaration: Declare) -> Prospect:
        """Return the position in which what is voted for was carried, for which others must vote too."""
        ballot = next(one for one in self.open_now(position) if declaration.text.startswith(_start(one)))
        carried = declaration.text.removeprefix(_start(ballot))
        known, effects = self._carry(rules, position, ballot, carried, self.vote_results(position), position)
        return Prospect(self._with(effects.position, known), agreed=True)

    def _count(
        self, rules: "Rules", ballot: Ballot, before: Position, given: Mapping[Power, str], source: DrawSource
    ) -> tuple[str | None, Event | None]:
        """Return the winning proposal and the event that reports it."""
        sums = dict[str, int]()
        for power, what in given.items():
            sums[what] = sums.get(what, 0) + self.weight(ballot, before, power)
        if not sums:
            return None, None
        most = max(sums.values())
        best = sorted(what for what, votes in sums.items() if votes == most)
        whole = sum(self.weight(ballot, before, power) for power in rules.names)
        needed = {"most": 1, "majority": whole // 2 + 1, "all": whole}[ballot.enough]
        carried: str | None = None
        if most >= max(needed, ballot.least):
            if len(best) == 1:
                carried = best[0]
            elif ballot.equal == "lot":
                carried = source.draw(f"what was voted for{ballot.name and f' as {ballot.name}'}", best)
        tally = tuple(_TALLY(choice=what, number=votes) for what, votes in sorted(sums.items()))
        parts = {"votes": count_things(sum(sums.values()), "vote"), "tally": tally}
        if ballot.name:
            parts["ballot"] = ballot.name
        if carried:
            sentence = (_CARRIED_AS if ballot.name else _CARRIED)(choice=carried, **parts)
        else:
            sentence = (_NONE_CARRIED_AS if ballot.name else _NONE_CARRIED)(**parts)
        numbers = (sums[carried] if carried else 0, sum(sums.values()))
        return carried, Event(VOTES_COUNTED, sentence, names=(carried,) if carried else (), numbers=numbers)

    def _with(self, position: Position, held: CarriedBallots) -> Position:
        if held == self.vote_results(position):
            return position
        return position.with_slot(self.name, held)

    def why_no_orders(self, rules: "Rules", position: Position, unit: Unit) -> str:
        """Return why a unit that a ballot silenced takes no orders; empty for other units."""
        held = self.vote_results(position)
        if unit.space in held.spaces or unit.power in held.powers:
            return _SILENCED(unit=unit)
        return ""

    # Visibility

    def secrets(self) -> frozenset[str] | None:
        """Return the words of votes where they are secret; None where they are public."""
        return self.words if self.secret else None

    def slot_seen(self, rules: "Rules", slot: Slot, who: Power | None) -> Slot | None:
        """Return the whole slot, as the ballots that have carried are public."""
        return slot

    def decode_slot(self, value: Any, reader: "BoardReader") -> CarriedBallots:
        """Read the remembered results from JSON."""
        whole = reader.mapping(value)
        return CarriedBallots(
            frozenset({""}) if whole["carried"] is True else frozenset(map(reader.text, _names(whole, reader))),
            frozenset(map(reader.space, reader.items(whole["spaces"]))),
            frozenset(map(reader.power, reader.items(whole["powers"]))),
        )


def _names(whole: Mapping[str, object], reader: "BoardReader") -> Iterable[object]:
    """Return the names of the ballots that have carried, from JSON; none if the ballot has no name."""
    carried = whole["carried"]
    return () if isinstance(carried, bool) else reader.items(carried)


def _start(ballot: Ballot) -> str:
    """Return the beginning of a vote on a ballot."""
    return f"{ballot.name} " if ballot.name else ""


def _vote(ballot: Ballot, what: str) -> Declare:
    return Declare("VOTE", f"{_start(ballot)}{what}")


def _find_candidate(rules: "Rules", ballot: Ballot, position: Position, text: str) -> str:
    """Return the candidate that the words of a vote name."""
    if ballot.of == "power":
        return rules.power(text)
    if ballot.of == "space":
        return notation_of(rules, position).location(text).space
    return next((name for name in ballot.proposals if name.casefold() == text.casefold()), text)

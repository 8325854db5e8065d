"""Ways to win, as a list of conditions; the first one that a power meets ends the game. Or a choice of the count."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from plenipo.engine.calendar import PhaseKind, Step
from plenipo.engine.facts import CENTRE, PIECE, Fact, Victory
from plenipo.engine.hooks import RuleModule
from plenipo.engine.phases.victory import SLOT, Runs
from plenipo.engine.sentences import say
from plenipo.engine.victory_conditions import VictoryCondition
from plenipo.engine.wording import count, hint
from plenipo.errors import InvalidVariant

if TYPE_CHECKING:
    from plenipo.engine.reading.positions import BoardReader
    from plenipo.engine.rules import Rules

__all__ = ["VictoryConditions"]


@dataclass(frozen=True)
class VictoryConditions(RuleModule):
    """The option `ways` lists the ways to win; a power that meets one wins. Keys: see `VictoryCondition`.

    Without ways, `measure` is the count that wins when ownership is updated: of centres owned, or of pieces. A power
    wins with the number the variant asks for and more of them than any other.
    """

    name: ClassVar[str] = SLOT
    claims: ClassVar[frozenset[str]] = frozenset({"who wins"})
    fixed: ClassVar[frozenset[str]] = frozenset({"ways"})

    ways: tuple[VictoryCondition, ...] = ()
    measure: Literal["centres", "pieces"] = "centres"

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the ways to win and the number to show; raise `InvalidVariant` for a way that no power could meet."""
        if not self.ways:
            yield Victory(PIECE if self.measure == "pieces" else CENTRE, rules.to_win)
            return
        if self.measure == "pieces":
            raise InvalidVariant(
                say("'{name}' has ways to win and a measure; it must have one of the two.", name=self.name)
            )
        for number, way in enumerate(self.ways):
            wrong, key = next(_faults(rules, way), ("", ""))
            if wrong:
                path = ("modules", self.name, "ways", number, key)
                raise InvalidVariant(say("'{name}' has a way to win that {wrong}", name=self.name, wrong=wrong), path)
        first = self.ways[0]
        yield Victory(first.noun, _find_required(rules, first), first.shared, self.ways)

    def decode_slot(self, value: Any, reader: "BoardReader") -> Runs:
        """Read the number of checks running at which each power has met a condition, from JSON."""
        return Runs(
            {
                int(number): {reader.power(power): reader.number(looks) for power, looks in reader.mapping(of).items()}
                for number, of in reader.mapping(value).items()
                if number.isdecimal() and int(number) < len(self.ways)
            }
        )


def _find_required(rules: "Rules", way: VictoryCondition) -> int:
    """Return the number required to win, as one number for all powers where there is one."""
    total = _most(rules, way)
    if isinstance(way.enough, int):
        return way.enough
    if way.enough is None:
        return rules.to_win
    return total // 2 + 1 if way.enough == "majority" else total


def _most(rules: "Rules", way: VictoryCondition) -> int:
    """Return the highest count that a power can reach, as far as it is known before the game."""
    if way.among:
        return len(way.among)
    return len(rules.names) - 1 if way.count == "rivals" else len(rules.board.centres)


def _faults(rules: "Rules", way: VictoryCondition) -> Iterator[tuple[str, str]]:
    """Yield the faults of a way to win, each as the end of a sentence and the key to blame."""
    board, known = rules.board, [info.name for info in rules.powers]
    for power in (*way.powers, *way.each):
        if power not in known:
            yield f"names '{power}', which is not a power of this variant; {hint(power, known)}", "powers"
    members = [power for side in way.sides for power in side]
    for power in members:
        if power not in known:
            yield f"has '{power}' on a side, which is not a power of this variant; {hint(power, known)}", "sides"
        if members.count(power) > 1:
            yield f"has '{power}' on two sides; it must be on one.", "sides"
    if way.sides and way.count == "rivals":
        yield "counts rivals and has sides; what is left alone then, it does not say.", "sides"
    for code in way.among:
        if code not in board.spaces:
            yield f"names '{code}', which is not a space of the board; {hint(code, board.spaces)}", "among"
        elif way.count in ("centres", "both") and code not in board.centres:
            yield f"counts the centre '{code}', which is not a supply centre.", "among"
    if len(set(way.among)) < len(way.among):
        yield f"lists a space twice among {', '.join(way.among)}.", "among"
    if way.count == "stands" and not way.among:
        yield "counts where units stand and lists no spaces in 'among'.", "count"
    yield from _faults_of_numbers(rules, way)
    yield from _faults_of_times(rules, way)
    measures = (way.count, *way.then)
    if "points" in measures and not any("progress" in module.overridden() for module in rules.modules):
        yield "counts points, and no rule module in play gives any.", "count"


def _faults_of_numbers(rules: "Rules", way: VictoryCondition) -> Iterator[tuple[str, str]]:
    numbers = [way.enough] if isinstance(way.enough, int) else [rules.to_win] if way.enough is None else []
    most = _most(rules, way)
    bounded = way.count in ("centres", "both", "stands", "rivals") or (bool(way.among) and way.count != "value")
    for number in (*numbers, *way.each.values()):
        if number < 1:
            yield f"takes {number}; it must be 1 or more.", "enough"
        elif bounded and number > most:
            noun = {"stands": "space", "rivals": "rival"}.get(way.count, "centre")
            yield (
                f"takes {number}, and there {'is' if most == 1 else 'are'} only {count(most, noun)} to have.",
                "enough",
            )
    if way.held < 1:
        yield f"is to last for {way.held} looks; it must be 1 or more.", "held"
    if way.lead < 0:
        yield f"needs a lead of {way.lead}; it must be 0 or more.", "lead"
    if way.enough == "most" and way.lead == 0:
        yield "asks for the most with a lead of 0; the lead must be 1 or more.", "lead"


def _faults_of_times(rules: "Rules", way: VictoryCondition) -> Iterator[tuple[str, str]]:
    calendar = rules.calendar
    steps = (*calendar.opening, *calendar.cycle)
    known, whole = list(_times(steps)), [f"{step.season} {step.kind}" for step in steps]
    for text in way.after:
        if text not in known:
            yield (
                f"is checked after '{text}', which is not in the calendar; {hint(text, whole)}",
                "after",
            )
    if not way.after and not any(step.kind is PhaseKind.OWNERSHIP for step in calendar.cycle):
        yield "is checked when ownership is settled, and the calendar has no such step.", "after"
    if way.from_year is not None and way.until_year is not None and way.until_year < way.from_year:
        yield f"is checked from {way.from_year} until {way.until_year}; it must begin before it ends.", "until_year"
    if way.until_year is not None and way.until_year < calendar.start:
        yield f"is checked until {way.until_year}, and the game begins in {calendar.start}.", "until_year"


def _times(steps: Iterable[Step]) -> Iterator[str]:
    for step in steps:
        yield from (f"{step.season} {step.kind}", step.season, step.kind.value)

"""The abilities of rule modules, shown with modules that do one thing each and belong to no variant."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import pytest

from plenipo.engine.board import Board, Code
from plenipo.engine.calendar import Calendar, Phase, PhaseKind, Step
from plenipo.engine.changes import BoardChange, Border, Closed, Opened, Split
from plenipo.engine.dice import DrawSource
from plenipo.engine.events import Event, EventKind
from plenipo.engine.facts import Fact, Garrison, Victory
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, decode_position, encode_game, encode_position
from plenipo.engine.history.submissions import Submissions
from plenipo.engine.hooks import Adjudication, Choices, Effects, Entitlement, RuleModule
from plenipo.engine.orders import Choose, Ref
from plenipo.engine.phases.adjustments import due, entitlement, possible
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import advance, process
from plenipo.engine.position import Dislodged, Position, Power, PowerInfo, Unit
from plenipo.engine.reading.positions import BoardReader
from plenipo.engine.rules import Rules
from plenipo.errors import FixedBoard, IllegalOrder, InvalidRecord
from table import (
    FALL,
    SPRING,
    WINTER,
    YEAR,
    board_of,
    judge,
    order_sets,
    outcome,
    owner,
    place,
    results,
    said,
    standard,
)

FRANCE, ITALY = Power("France"), Power("Italy")


def with_modules(*modules: RuleModule, **changes: Any) -> Rules:
    return replace(standard(), modules=modules, **changes)


# State of a module


@dataclass(frozen=True)
class Count:
    """A number, as a slot."""

    number: int

    def to_json(self) -> Any:
        return self.number


@dataclass(frozen=True)
class Counter(RuleModule):
    """Counts the phases that are over, and says so."""

    name: ClassVar[str] = "counter"

    def after_phase(self, rules: Rules, position: Position, phase: Phase, source: DrawSource) -> Effects:
        known = position.slots.get(self.name)
        number = known.number + 1 if isinstance(known, Count) else 1
        return Effects(
            position.with_slot(self.name, Count(number)), (Event(EventKind("counted"), f"{phase} is over."),)
        )

    def decode_slot(self, value: Any, reader: BoardReader) -> Count:
        return Count(reader.number(value))


@dataclass(frozen=True)
class Forgetful(RuleModule):
    """Remembers nothing."""

    name: ClassVar[str] = "forgetful"


def test_a_slot_goes_from_phase_to_phase_and_comes_back_from_a_record() -> None:
    rules = with_modules(Counter())
    game = Game.new(rules).process({FRANCE: ["A PAR - BUR"]}).process({})
    assert game.position.slots["counter"] == Count(6)
    again = decode_game(encode_game(game), rules)
    assert again == game
    assert again.process({}).position.slots["counter"] == game.process({}).position.slots["counter"]


def test_a_position_that_remembers_something_else_is_another_position() -> None:
    position = standard().opening.with_slot("counter", Count(1))
    assert position != standard().opening
    assert position != standard().opening.with_slot("counter", Count(2))
    assert position == standard().opening.with_slot("counter", Count(1))


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("stranger", 3, "'stranger' is not a rule module of this game"),
        ("forgetful", 3, "'forgetful' remembers nothing, but the position has 3 for it"),
        ("counter", "three", "'three' is not a whole number"),
    ],
)
def test_a_slot_that_no_module_can_recall_is_refused(name: str, value: object, sentence: str) -> None:
    rules = with_modules(Counter(), Forgetful())
    encoded = encode_position(rules.opening)
    assert decode_position(encoded, rules) == rules.opening
    with pytest.raises(InvalidRecord, match=sentence):
        decode_position({**encoded, "slots": {name: value}}, rules)


def test_a_step_that_was_passed_over_is_over_too() -> None:
    notes = judge("France: A PAR - BUR", rules=with_modules(Counter())).notes
    assert notes == ("Spring 1901 movement is over.", "Spring 1901 retreats is over.")


# A board that changes


CHANGES: tuple[BoardChange, ...] = (
    Closed(Code("BUR")),
    Split(Code("NTH"), Border(Code("NWY")), Border(Code("ENG"), 1), (Code("NTH 1"), Code("NTH 2"))),
    Opened(Code("BUR")),
)


@dataclass
class Recorder:
    """Gives every list of changes a board of its own, and counts how often it is asked."""

    asked: list[tuple[BoardChange, ...]] = field(default_factory=list)

    def board(self, changes: tuple[BoardChange, ...]) -> Board:
        self.asked.append(changes)
        return replace(standard().board, name=f"after {len(changes)}")

    def middles(self, *_: object) -> tuple[tuple[float, float], ...]:
        return ()


@dataclass(frozen=True)
class Renames(RuleModule):
    """Writes its mark on every board."""

    name: ClassVar[str] = "renames"

    def board(self, board: Board) -> Board:
        return replace(board, name=f"{board.name}, marked")


def test_rules_without_changed_boards_refuse_a_changed_board() -> None:
    changed = replace(standard().opening, changes=CHANGES)
    with pytest.raises(FixedBoard, match="The board of 'standard' is fixed, and this position has changes of it"):
        standard().board_at(changed)
    with pytest.raises(FixedBoard, match="is fixed"):
        process(standard(), changed, {})


def test_the_board_of_a_position_is_worked_out_once_and_every_module_sees_it() -> None:
    changed_boards = Recorder()
    rules = with_modules(Renames(), changed_boards=changed_boards)
    changed = replace(rules.opening, changes=CHANGES)
    assert rules.board_at(rules.opening) is rules.board
    assert rules.board_at(changed).name == "after 3, marked"
    assert rules.board_at(replace(changed, phase=FALL)) is rules.board_at(changed)
    assert rules.board_at(replace(changed, changes=CHANGES[:1])) is not rules.board_at(changed)
    assert changed_boards.asked == [CHANGES, CHANGES[:1]]


def test_changes_come_back_from_a_record() -> None:
    rules = with_modules(changed_boards=Recorder())
    position = replace(rules.opening, changes=CHANGES)
    assert decode_position(encode_position(position), rules) == position
    assert "changes" not in encode_position(rules.opening)


def test_a_border_is_written_with_its_number_where_there_are_several() -> None:
    assert [str(Border(Code("ENG"))), str(Border(Code("ENG"), 1))] == ["ENG", "ENG (border 2)"]


# Choices


@dataclass(frozen=True)
class Pick(RuleModule):
    """Every power may pick among Paris, Brest and Marseilles, but not two that begin with the same letter."""

    name: ClassVar[str] = "pick"

    def calendar(self, calendar: Calendar) -> Calendar:
        return replace(calendar, opening=(Step("Spring", PhaseKind.CHOICE),))

    def choices(self, rules: Rules, position: Position, power: Power) -> tuple[Choose, ...]:
        if position.phase.kind is not PhaseKind.CHOICE:
            return ()
        return tuple(Choose(Ref(unit.kind, unit.location)) for unit in position.units_of(power))

    def why_not_together(self, rules: Rules, position: Position, power: Power, choices: Sequence[Choose]) -> str:
        return f"{power} may pick one only." if len(choices) > 1 else ""

    def after_choices(self, rules: Rules, position: Position, choices: Choices, source: DrawSource) -> Effects:
        picked = [(power, len(some)) for power, some in choices.items() if some]
        kind = EventKind("picked")
        return Effects(position, tuple(Event(kind, f"{power} picked {count}.", (power,)) for power, count in picked))


def picking() -> tuple[Rules, Position, tuple[Choose, ...]]:
    module = Pick()
    rules = with_modules(module, calendar=module.calendar(YEAR))
    position = replace(rules.opening, phase=rules.calendar.first)
    return rules, position, module.choices(rules, position, FRANCE)


def test_conflicting_choices_are_refused_on_submission_and_earlier_ones_stand() -> None:
    rules, position, (one, other, _) = picking()
    submissions = Submissions(rules, position).submit_orders(FRANCE, (one,))
    with pytest.raises(IllegalOrder, match="France may pick one only"):
        submissions.submit_orders(FRANCE, (one, other))
    assert submissions.order_sets[FRANCE] == (one,)


def test_of_conflicting_choices_the_first_count_when_a_phase_is_adjudicated() -> None:
    rules, position, (one, other, _) = picking()
    resolution = process(rules, position, {FRANCE: (one, other)})
    assert resolution.notes == ("France picked 1.",)
    assert resolution.errors == (f"France: '{other}' was ignored: France may pick one only.",)
    assert [str(found.order) for found in resolution.outcomes] == [str(one)]


# Units that take no orders, or that no power plays


@dataclass(frozen=True)
class Silence(RuleModule):
    """A unit in Paris takes no orders."""

    name: ClassVar[str] = "silence"

    def why_no_orders(self, rules: Rules, position: Position, unit: Unit) -> str:
        return f"{unit} hears nothing." if unit.space == "PAR" else ""


def test_the_orders_of_a_silenced_unit_do_not_count_and_it_holds() -> None:
    resolution = judge("France: A PAR - BUR, A GAS S A PAR", rules=with_modules(Silence()))
    assert results(resolution) == {"A GAS": "supports", "A PAR": "holds"}
    assert resolution.errors == ("France: 'A PAR - BUR' is illegal: A PAR hears nothing.",)
    assert board_of(resolution.after)["France"] == ["A GAS", "A PAR"]


def test_it_has_no_legal_orders_and_no_power_is_waited_for_because_of_it() -> None:
    rules = with_modules(Silence())
    alone = place("France: A PAR\nItaly: A ROM")
    assert list(Legality(rules, alone).orders_of(FRANCE)) == []
    assert Submissions(rules, alone).waiting_for == (ITALY,)
    assert list(Legality(rules, place("France: A PAR", WINTER)).orders_of(FRANCE))


def test_it_retreats_as_any_other() -> None:
    resolution = judge("Germany: A BUR - PAR, A PIC S A BUR - PAR", "France: A PAR", with_modules(Silence()))
    assert [str(to) for to in outcome(resolution, "A PAR").retreats] == ["BRE", "GAS"]


@dataclass(frozen=True)
class Sentries(RuleModule):
    """Neutral units; those in Burgundy have a standing order."""

    name: ClassVar[str] = "sentries"
    order: str = "A BUR S A MUN"

    def facts(self, rules: Rules) -> Iterable[Fact]:
        order = order_sets(rules, f"Nobody: {self.order}")[Power("Nobody")][0]
        yield Garrison(Power("Nobody"), {Code("BUR"): order})  # type: ignore[dict-item]


NOBODY = PowerInfo(Power("Nobody"), played=False)


def sentries(order: str = "A BUR S A MUN") -> Rules:
    return with_modules(Sentries(order=order), powers=(*standard().powers, NOBODY))


def test_a_power_without_a_player_is_none_of_those_that_play() -> None:
    rules = sentries()
    assert Power("Nobody") not in rules.names
    assert rules.power("nobody") == "Nobody"
    position = place("Nobody: A BUR", rules=rules)
    assert Submissions(rules, position).waiting_for == ()


def test_its_units_follow_their_standing_orders_as_far_as_those_are_legal() -> None:
    position = place("Nobody: A BUR, A MUN\nFrance: A PAR", rules=sentries())
    assert results(process(sentries(), position, {})) == {"A BUR": "supports", "A MUN": "holds", "A PAR": "holds"}
    illegal = sentries("A BUR S A NAP")
    assert results(process(illegal, position, {}))["A BUR"] == "holds"


def test_no_power_wins_by_unowned_centres() -> None:
    rules = sentries()
    owners = dict.fromkeys(sorted(rules.board.centres)[:20], Power("Nobody"))
    fall = Phase("Fall", 1901, PhaseKind.RETREATS)
    assert advance(rules, replace(place("France: A PAR", fall), owners=owners)).position.winners == ()


# After the moves


@dataclass(frozen=True)
class Doom(RuleModule):
    """A unit dislodged in Paris is lost."""

    name: ClassVar[str] = "doom"

    def why_no_retreat(self, rules: Rules, position: Position, dislodged: Dislodged) -> str:
        return f"{dislodged.unit} is lost." if dislodged.unit.space == "PAR" else ""


ATTACK = "Germany: A BUR - PAR, A PIC S A BUR - PAR"


def test_the_outcome_of_a_dislodged_unit_includes_its_fate() -> None:
    resolution = judge(ATTACK, "France: A PAR", with_modules(Doom()))
    lost = outcome(resolution, "A PAR")
    assert lost.dislodged_by
    assert lost.retreats == ()
    assert lost.why.endswith(" A PAR is lost.")
    assert resolution.after.dislodged == ()
    assert resolution.after.phase == FALL


def test_the_others_retreat() -> None:
    two = f"{ATTACK}, A MUN - RUH, A KIE S A MUN - RUH"
    resolution = judge(two, "France: A PAR, A RUH", with_modules(Doom()))
    assert [str(left.unit) for left in resolution.after.dislodged] == ["A RUH"]
    assert outcome(resolution, "A RUH").retreats


@dataclass(frozen=True)
class Witness(RuleModule):
    """Tells what it sees as soon as the moves are made, and takes the unit in Burgundy off the board."""

    name: ClassVar[str] = "witness"

    def after_moves(self, rules: Rules, adjudication: Adjudication) -> Effects:
        before, outcomes, position = adjudication.before, adjudication.outcomes, adjudication.position
        left = tuple(unit for unit in position.units if unit.space != "BUR")
        why = f"{len(before.units)} stood, {sum(o.result == 'moves' for o in outcomes)} moved."
        return Effects(replace(position, units=left), (Event(EventKind("witnessed"), why),))


def test_immediate_events_come_first_and_count() -> None:
    resolution = judge("France: A PAR - BUR, A MAR H", rules=with_modules(Counter(), Witness()))
    assert board_of(resolution.after) == {"France": ["A MAR"]}
    assert resolution.notes[:2] == ("2 stood, 1 moved.", "Spring 1901 movement is over.")


# Centres, builds, victory


@dataclass(frozen=True)
class Pacifist(RuleModule):
    """Units of this power take no centres."""

    name: ClassVar[str] = "pacifist"
    power: Power = FRANCE

    def captures(self, rules: Rules, position: Position, unit: Unit) -> bool:
        return unit.power != self.power


def test_a_unit_takes_a_centre_if_every_module_agrees() -> None:
    fall = Phase("Fall", 1901, PhaseKind.RETREATS)
    position = place("France: A SPA\nItaly: A TUN", fall)
    after = advance(with_modules(Forgetful(), Pacifist()), position)
    assert [owner(after.position, code) for code in ("SPA", "TUN")] == [None, "Italy"]
    assert said(after) == ("Italy took Tunis.",)
    after = advance(with_modules(Pacifist(ITALY), Pacifist()), position)
    assert after.position.owners == {}


@dataclass(frozen=True)
class Ration(RuleModule):
    """So much less may be built and kept."""

    name: ClassVar[str] = "ration"
    builds: int = 0
    keeps: int = 0

    def entitlement(self, rules: Rules, position: Position, power: Power, entitlement: Entitlement) -> Entitlement:
        return Entitlement(entitlement.builds - self.builds, entitlement.keeps - self.keeps)


CENTRES = {"France": "BRE MAR PAR SPA"}


@pytest.mark.parametrize(
    ("units", "builds", "keeps", "expected"),
    [
        ("A BUR, A GAS", 0, 0, 2),
        ("A BUR, A GAS", 1, 0, 1),
        ("A BUR, A GAS, A PIC", 1, 0, 0),
        ("A BUR, A GAS, A PIC, A RUH", 3, 0, 0),
        ("A BUR, A GAS, A PIC, A RUH", 0, 1, -1),
        ("A BUR, A GAS, A PIC, A RUH, A MUN", 1, 0, -1),
        ("A BUR", 4, 0, 0),
    ],
)
def test_builds_and_removals_follow_what_a_power_may_build_up_to_and_keep(
    units: str, builds: int, keeps: int, expected: int
) -> None:
    rules = with_modules(Ration(builds, keeps))
    position = place(f"France: {units}", WINTER, owners=CENTRES)
    assert entitlement(rules, position, FRANCE) == (4 - builds, 4 - keeps)
    assert due(rules, position, FRANCE) == possible(rules, position, FRANCE) == expected


def test_every_module_gets_what_the_one_before_it_found() -> None:
    position = place("France: A BUR", WINTER, owners=CENTRES)
    assert entitlement(with_modules(Ration(1, 0), Ration(1, 2)), position, FRANCE) == (2, 2)


def test_orders_for_more_than_that_do_not_count() -> None:
    rules = with_modules(Ration(builds=1))
    position = place("France: A BUR, A GAS", WINTER, owners=CENTRES)
    resolution = process(rules, position, order_sets(rules, "France: A PAR B, A MAR B", PhaseKind.ADJUSTMENTS))
    assert board_of(resolution.after)["France"] == ["A BUR", "A GAS", "A PAR"]


@dataclass(frozen=True)
class Hats(RuleModule):
    """A power with two hats wins."""

    name: ClassVar[str] = "hats"
    hats: Mapping[Power, int] = field(default_factory=dict)
    shared: bool = False

    def facts(self, rules: Rules) -> Iterable[Fact]:
        yield Victory("hat", 2, shared=self.shared)

    def progress(self, rules: Rules, position: Position) -> Mapping[Power, int]:
        return self.hats


MOST = {"France": " ".join(sorted(standard().board.centres)[:20])}


@pytest.mark.parametrize(
    ("hats", "shared", "winners", "sentence"),
    [
        ({}, False, (), ""),
        ({FRANCE: 1, ITALY: 1}, False, (), ""),
        ({FRANCE: 1, ITALY: 3}, False, (ITALY,), "Italy won the game with 3 hats."),
        ({FRANCE: 2, ITALY: 2}, False, (), ""),
        ({FRANCE: 2, ITALY: 2}, True, (FRANCE, ITALY), "France and Italy won the game with 2 hats."),
        ({FRANCE: 2, Power("Turkey"): 3}, False, (FRANCE,), "France won the game with 2 hats."),
    ],
)
def test_the_count_of_a_module_decides_the_winner_among_the_remaining_powers(
    hats: dict[Power, int], *, shared: bool, winners: tuple[Power, ...], sentence: str
) -> None:
    fall = Phase("Fall", 1901, PhaseKind.RETREATS)
    rules = with_modules(Hats(hats, shared))
    after = advance(rules, place("France: A BUR\nItaly: A ROM", fall, owners=MOST))
    assert after.position.winners == winners
    assert [str(event) for event in after.events if "won" in str(event)] == ([sentence] if sentence else [])
    assert (after.position.phase.kind is PhaseKind.OWNERSHIP) == bool(winners)


def test_it_is_looked_at_only_when_ownership_is_settled() -> None:
    rules = with_modules(Hats({FRANCE: 2}))
    assert process(rules, place("France: A BUR", SPRING), {}).after.winners == ()
    assert process(rules, place("France: A BUR", FALL), {}).after.winners == (FRANCE,)

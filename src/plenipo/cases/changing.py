"""Cases of boards that change: holes, splits, what walks about, anarchy, purses."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from plenipo.cases.checks import Report, check, expects
from plenipo.cases.format import Case
from plenipo.cases.kinds import kind, named_in, play
from plenipo.cases.stage import CHANCE, STATE, Played, Stage, sets_board, sets_state
from plenipo.cases.values import flag, integer, known_keys, mapping, sequence, text, texts
from plenipo.engine.board import Code, Terrain
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.changes import Border, Closed, Opened, Split, half_names, stem
from plenipo.engine.history.dice import DrawSource, card_value
from plenipo.engine.orders import Enter
from plenipo.engine.phases.step import with_changed_spaces
from plenipo.engine.position import GAME_MASTER, Position
from plenipo.errors import InvalidCase
from plenipo.rulekit.anarchy import Anarchy
from plenipo.rulekit.black_holes import BlackHoles, Holes, holes_in
from plenipo.rulekit.points import Points
from plenipo.rulekit.splits import Splits, divided
from plenipo.rulekit.walkers import PARKED, Walkers, Walking, enterable, landing_places

__all__: list[str] = []  # everything here is reached through the tables of kinds and expectations


# The board and the position a case begins with


@sets_board("splits")
def _splits(stage: Stage, position: Position, value: object) -> Position:
    """Splits made earlier, in order: `{split: NTH, first: NWY, second: BEL}`."""
    for item in sequence(value, "splits"):
        told = mapping(item, "splits")
        if set(told) != {"split", "first", "second"}:
            raise InvalidCase("key 'splits': each must have 'split', 'first' and 'second', and nothing else.")
        here = stage.at(position)
        code, first, second = (here.place(told[key], f"splits, {key}").space for key in ("split", "first", "second"))
        change = Split(code, Border(first), Border(second), half_names(code, here.board.spaces))
        position = divided(replace(position, changes=(*position.changes, change)), change, {})
    return position


@sets_board("closed")
def _closed(stage: Stage, position: Position, value: object) -> Position:
    """Provinces of countries nobody plays."""
    codes = sorted(stage.at(position).codes(value, "closed"))
    owners = {code: power for code, power in position.owners.items() if code not in codes}
    return replace(position, changes=(*position.changes, *map(Closed, codes)), owners=owners)


@sets_board("black_holes")
def _black_holes(stage: Stage, position: Position, value: object) -> Position:
    """Provinces that are black holes, the oldest first."""
    here = stage.at(position)
    codes = tuple(here.place(name, "black_holes").space for name in texts(value, "black_holes"))
    owners = {code: power for code, power in position.owners.items() if code not in codes}
    changed = replace(position, changes=(*position.changes, *map(Closed, codes)), owners=owners)
    return changed.with_slot(BlackHoles.name, Holes(codes))


@sets_state("anarchic")
def _anarchic(stage: Stage, position: Position, value: object) -> Position:
    """Units in anarchy."""
    units = [stage.find(position.units, name, "anarchic") for name in texts(value, "anarchic")]
    return stage.module(Anarchy).with_units(position, units)


@sets_state("walkers")
def _walkers(stage: Stage, position: Position, value: object) -> Position:
    """Walker -> where it stands."""
    places = {name: stage.place(place, "walkers").space for name, place in mapping(value, "walkers").items()}
    walking = stage.module(Walkers).walking(position)
    return position.with_slot(Walkers.name, Walking({**walking.places, **places}, walking.numbers))


@sets_state("walker_moves")
def _walker_moves(stage: Stage, position: Position, value: object) -> Position:
    """The walkers that land in this phase stand nowhere before it; where they go is entered with the orders."""
    walking = stage.module(Walkers).walking(position)
    landing = {name: PARKED for name in mapping(value, "walker_moves") if name not in walking.places}
    return position.with_slot(Walkers.name, Walking({**landing, **walking.places}, walking.numbers))


@sets_state("points_before")
def _points_before(stage: Stage, position: Position, value: object) -> Position:
    """Power -> its purse; nobody else has any points."""
    points = {power: integer(count, "points_before") for power, count in stage.by_power(value, "points_before").items()}
    return stage.module(Points).with_purses(position, points)


# What came of it


def _after(played: Played) -> Stage:
    """The stage on the board after the case, for reading what is expected of it."""
    return played.stage.at(played.after)


@expects("anarchic")
def _expects_anarchic(played: Played, value: object, report: Report) -> None:
    """The units in anarchy afterwards, all of them."""
    expected = {str(_after(played).ref(name, "anarchic")) for name in texts(value, "anarchic")}
    came = {str(unit) for unit in played.stage.module(Anarchy).units(played.after)}
    report.same("anarchic", expected, came)


@expects("walkers")
def _expects_walkers(played: Played, value: object, report: Report) -> None:
    """Walker -> where it stands afterwards; those not named are not tested."""
    came = played.stage.module(Walkers).walking(played.after).places
    for name, place in mapping(value, "walkers").items():
        report.same(name, _after(played).place(place, "walkers").space, came.get(name))


@expects("annihilated")
def _annihilated(played: Played, value: object, report: Report) -> None:
    """Units and walkers that left the board for good, without having been disbanded or removed by orders."""
    lost = {found["name"] for note in _told(played) if (found := _LOST.match(note))}
    report.same("annihilated", set(texts(value, "annihilated")), lost)


_LOST = re.compile(r"(?P<name>[^,]+?)( of [^,]+)? was annihilated\b")


def _told(played: Played) -> tuple[str, ...]:
    """Every sentence about what happened."""
    resolution = played.resolution
    if resolution is None:
        return played.notes
    fates = (part for outcome in resolution.outcomes for part in outcome.why.split(". "))
    pairs = (name for note in resolution.notes for name in _met(note))
    return (*resolution.notes, *fates, *pairs, *played.notes)


def _met(note: str) -> Iterable[str]:
    """`X and Y met …, and both were annihilated` as a sentence for each of them."""
    pair, met, _ = note.partition(" met in ")
    return (f"{name} was annihilated." for name in pair.split(" and ")) if met else ()


@expects("walkers_removed")
def _walkers_removed(played: Played, value: object, report: Report) -> None:
    report.same("walkers_removed", set(texts(value, "walkers_removed")), _removed_walkers(played))


@expects("walkers_removed_count")
def _walkers_removed_count(played: Played, value: object, report: Report) -> None:
    """Kind of walker -> how many of it are gone."""
    removed = [name.partition(" ")[0] for name in _removed_walkers(played)]
    for name, number in mapping(value, "walkers_removed_count").items():
        report.same(f"walkers_removed_count, {name}", integer(number, "walkers_removed_count"), removed.count(name))


def _removed_walkers(played: Played) -> set[str]:
    walkers = played.stage.module(Walkers)
    return set(walkers.walking(played.before).places) - set(walkers.walking(played.after).places)


@expects("black_holes")
def _expects_holes(played: Played, value: object, report: Report) -> None:
    """The black holes afterwards, all of them."""
    expected = _after(played).codes(value, "black_holes")
    report.same("black_holes", expected, set(holes_in(played.after)))


@expects("enterable")
def _enterable(played: Played, value: object, report: Report) -> None:
    stage = _after(played)
    for code in sorted(stage.codes(value, "enterable")):
        report.true(f"enterable, {code}", not stage.board.spaces[code].impassable, "expected enterable, came closed")


@expects("unowned_centres_include")
def _unowned_centres(played: Played, value: object, report: Report) -> None:
    stage = _after(played)
    for code in sorted(stage.codes(value, "unowned_centres_include")):
        report.true(f"centre {code}", code in stage.board.centres, "expected a supply centre, came none")
        report.same(f"owner of {code}", None, played.after.owners.get(code))


@expects("points")
def _points(played: Played, value: object, report: Report) -> None:
    """Power -> its purse afterwards."""
    came = played.stage.module(Points).purses(played.after)
    for power, count in played.stage.by_power(value, "points").items():
        report.same(f"points of {power}", integer(count, "points"), came.get(power, 0))


@expects("points_added")
def _points_added(played: Played, value: object, report: Report) -> None:
    """Power -> its income."""
    module = played.stage.module(Points)
    before, after = module.purses(played.before), module.purses(played.after)
    for power, count in played.stage.by_power(value, "points_added").items():
        came = after.get(power, 0) - before.get(power, 0)
        report.same(f"points added to {power}", integer(count, "points_added"), came)


@expects("halves")
def _halves(played: Played, value: object, report: Report) -> None:
    """Half -> what it touches, clockwise with its sister last, and where units in it may go; no others."""
    stage = _after(played)
    change = played.after.changes[-1]
    if not isinstance(change, Split):
        raise InvalidCase("key 'halves': nothing was split.")
    told = mapping(value, "halves")
    report.same("halves", {str(stage.place(name, "halves").space) for name in told}, set(map(str, change.halves)))
    for name, facts in told.items():
        half = stage.place(name, "halves").space
        sister = change.halves[1 - change.halves.index(half)] if half in change.halves else half
        _half(stage, half, sister, mapping(facts, "halves"), report)


def _half(stage: Stage, half: Code, sister: Code, facts: Mapping[str, object], report: Report) -> None:
    board = stage.board
    known_keys(facts, {"touches_in_order", "army_moves_to", "fleet_moves_to", "landlocked"}, f"'halves', {half}")
    if "touches_in_order" in facts:
        around = [code for code in board.borders[half] if code is not None]
        start = around.index(sister) + 1 if sister in around else 0
        came = [*around[start:], *around[:start]]
        expected = [stage.place(name, "touches_in_order").space for name in texts(facts["touches_in_order"], "halves")]
        report.same(f"touches_in_order of {half}", expected, came)
    if "army_moves_to" in facts:
        expected_codes = stage.codes(facts["army_moves_to"], "army_moves_to")
        report.same(f"army_moves_to of {half}", expected_codes, set(board.armies.get(half, ())))
    if "fleet_moves_to" in facts:
        moves = mapping(facts["fleet_moves_to"], "fleet_moves_to")
        came_locations = {str(location) for location in board.fleets if location.space == half}
        if not moves:
            report.same(f"fleet_moves_to of {half}", set(), came_locations)
        for name, places in moves.items():
            location = stage.place(name, "fleet_moves_to")
            expected_places = set(map(str, stage.places(places, "fleet_moves_to")))
            report.same(f"fleet_moves_to of {location}", expected_places, set(map(str, board.fleets.get(location, ()))))
    if "landlocked" in facts:
        inland = board.spaces[half].terrain is Terrain.INLAND
        report.same(f"landlocked, {half}", flag(facts["landlocked"], "landlocked"), inland)


@expects("stranded")
def _stranded(played: Played, value: object, report: Report) -> None:
    """Fleets left without a coast."""
    stage = _after(played)
    came = {str(unit) for unit in played.after.units if played.after.stranded(stage.board, unit)}
    report.same("stranded", {str(stage.ref(name, "stranded")) for name in texts(value, "stranded")}, came)


# Draws


@dataclass(frozen=True, kw_only=True)
class _Drawn(Played):
    """A case of draws after it was played: what was split, and the slips put back before."""

    was_split: Code | None = None
    put_back: tuple[Code, ...] = ()


@expects("split")
def _split_is(played: Played, value: object, report: Report) -> None:
    """The province that was split in the end."""
    came = played.was_split if isinstance(played, _Drawn) else None
    report.same("split", played.stage.place(value, "split").space, came)


@expects("discarded")
def _discarded(played: Played, value: object, report: Report) -> None:
    """The slips that were put back, in their order."""
    came = played.put_back if isinstance(played, _Drawn) else ()
    report.same(
        "discarded", [played.stage.place(name, "discarded").space for name in texts(value, "discarded")], [*came]
    )


_DRAWS = "unblack black_hole split split_draws cards contact_card"
_EFFECT = """annihilated units centres builds_due adjustments black_holes enterable unowned_centres_include points_added
    points split discarded halves anarchic walkers stranded homes unowned"""


@kind("draw_effect", "season units dislodged orders draws next_turn", _EFFECT)
@kind("split", "season units draws", _EFFECT)
def _draw_effect(case: Case, stage: Stage, report: Report) -> None:
    """Retreats if anybody is dislodged, then the draws the case names, then what is settled after Fall."""
    season = case.given.get("season")
    before = stage.position(case.given, stage.phase(PhaseKind.DRAWS, season))
    named = named_in(stage, case.given, before)
    position, notes = before, []
    if before.dislodged:
        retreating = replace(before, phase=_same_season(stage, before.phase, PhaseKind.RETREATS))
        rows = stage.rows(case.given.get("orders"), PhaseKind.RETREATS)
        resolution = stage.by_hand().judge(retreating, rows)
        position = resolution.after
        notes += [*resolution.notes, *(outcome.why for outcome in resolution.outcomes)]
    elif "orders" in case.given:
        raise InvalidCase("key 'orders' is for retreats here, and nobody is dislodged.")
    drawn = _draw(stage, position, mapping(case.given.get("draws"), "draws"))
    after, reckoned = drawn.after, drawn.after
    if season is not None and _last_of_year(stage, before.phase):
        settled = stage.at(after).settled(replace(after, phase=stage.phase(PhaseKind.OWNERSHIP, season)))
        after = reckoned = replace(settled, phase=stage.phase(PhaseKind.ADJUSTMENTS, season))
    played = replace(drawn, before=before, after=after, reckoned=reckoned, named=named, notes=(*notes, *drawn.notes))
    check(played, case.expect, report)
    if "next_turn" in case.given:
        _next_turn(stage.at(after), after, mapping(case.given["next_turn"], "next_turn"), report)


def _next_turn(stage: Stage, position: Position, given: dict[str, object], report: Report) -> None:
    """A movement phase on the board that the draws left."""
    known_keys(given, {"season", "units", "orders", "expect"}, "'next_turn'")
    base = replace(position, units=(), dislodged=(), phase=stage.phase(PhaseKind.MOVEMENT))
    here = Stage(stage.rules, base).by_hand()
    played = play(here, given.get("orders"), here.position(given, base.phase), frozenset())
    expect = mapping(given.get("expect"), "next_turn, expect")
    known_keys(expect, {"results", "units", "dislodged", "after_movement"}, "the 'expect' of 'next_turn'")
    check(played, expect, report)


def _same_season(stage: Stage, phase: Phase, wanted: PhaseKind) -> Phase:
    return next(
        Phase(step.season, phase.year, wanted)
        for step in stage.rules.calendar.cycle
        if step.kind is wanted and step.season == phase.season
    )


def _last_of_year(stage: Stage, phase: Phase) -> bool:
    """Whether ownership is settled before anybody moves again."""
    for later in stage.rules.calendar.after(phase):
        if later.kind is PhaseKind.OWNERSHIP:
            return True
        if later.kind is PhaseKind.MOVEMENT:
            return False
    return False


def _draw(stage: Stage, position: Position, draws: dict[str, object]) -> _Drawn:
    """The draws of one turn that a case names, in the order of a turn; those it does not name are not made."""
    known_keys(draws, frozenset(_DRAWS.split()), "'draws'")
    rules = stage.rules
    notes: list[str] = []
    if "unblack" in draws:
        freed = stage.place(draws["unblack"], "draws, unblack").space
        holes = stage.module(BlackHoles)
        hat = DrawSource("case", None, {"un-hole": freed})
        position = holes.freed(position, Code(hat.draw("un-hole", holes_in(position))))
    if "black_hole" in draws:
        hole = stage.place(draws["black_hole"], "draws, black_hole").space
        effects = stage.module(BlackHoles).swallow(rules, position, hole)
        position, events, _ = with_changed_spaces(rules, position, effects)
        notes += map(str, events)
    split: Code | None = None
    back: list[Code] = []
    slips = texts(draws["split_draws"], "draws, split_draws") if "split_draws" in draws else []
    slips += [text(draws["split"], "draws, split")] if "split" in draws else []
    if slips:
        splits = stage.module(Splits)
        codes = [stage.place(name, "draws, split").space for name in slips]
        entered = {"split" if n == 1 else f"split {n}": code for n, code in enumerate(codes, 1)}
        found: list[tuple[Code, str]] = []
        for slip in splits.drawn(rules, position, DrawSource("case", None, entered)):
            found.append(slip)
            if len(found) == len(codes):
                break
        back = [code for code, why_not in found if why_not]
        split = next((code for code, why_not in found if not why_not), None)
        if split is not None and "cards" in draws:
            line = splits.line(rules, position, split, _cards(stage, position, split, draws))
            position, events, _ = with_changed_spaces(rules, position, splits.cut(rules, position, line))
            notes += map(str, events)
    return _Drawn(stage, position, position, position, notes=tuple(notes), was_split=split, put_back=tuple(back))


def _cards(stage: Stage, position: Position, split: Code, draws: Mapping[str, object]) -> DrawSource:
    """The hat in which the cards of a case lie; every province next to the split one must have one."""
    cards = {
        stage.place(name, "cards").space: text(card, "cards") for name, card in mapping(draws["cards"], "cards").items()
    }
    board = stage.rules.board_at(position)
    near = {code for code in board.borders[split] if code is not None}
    if set(cards) != near:
        raise InvalidCase(
            f"key 'cards': a card each goes to {', '.join(sorted(near))}, not to {', '.join(sorted(cards))}."
        )
    entered = {f"cards of {split}": ", ".join(f"{code} {card}" for code, card in cards.items())}
    for name, which in mapping(draws.get("contact_card"), "contact_card").items():
        neighbour = stage.place(name, "contact_card").space
        entered[f"border of {split} with {neighbour}"] = _contact(stage, position, split, neighbour, which)
    for card in cards.values():
        card_value(card)
    return DrawSource("case", None, entered)


def _contact(stage: Stage, position: Position, split: Code, neighbour: Code, which: object) -> str:
    """The number of the border called `north` or `south`, or by its number.

    Borders are counted clockwise. Of two with the same neighbour, the northern one is that whose ends lie farther north
    on the drawn map.
    """
    changed_boards = stage.rules.changed_boards
    middles = changed_boards.middles(position.changes, split, neighbour) if changed_boards else ()
    name = text(which, "contact_card").casefold()
    if name.isdecimal() and 1 <= int(name) <= len(middles):
        return name
    if name not in ("north", "south") or not middles:
        raise InvalidCase(f"key 'contact_card': '{which}' must be north, south, or a number from 1 to {len(middles)}.")
    heights = [point[1] for point in middles]
    return str(heights.index(max(heights) if name == "north" else min(heights)) + 1)


@kind("naming", "steps", "", state=False)
def _naming(case: Case, stage: Stage, report: Report) -> None:
    """Splits one after the other, each between the first two provinces that give a line."""
    splits = stage.module(Splits)
    position = stage.base
    for item in sequence(case.given.get("steps"), "steps"):
        step = mapping(item, "steps")
        known_keys(step, {"split", "becomes"}, "a step of a naming")
        here = stage.at(position)
        code = here.place(step.get("split"), "steps, split").space
        around = list(dict.fromkeys(other for other in here.board.borders[code] if other is not None))
        line = Split(code, Border(around[0]), Border(around[len(around) // 2]), half_names(code, here.board.spaces))
        position = splits.cut(stage.rules, position, line).position
        change = position.changes[-1]
        came = [str(half) for half in change.halves] if isinstance(change, Split) else []
        report.same(f"split of {code}", texts(step.get("becomes"), "steps, becomes"), came)


@kind("draw_schedule", "steps", "", state=False)
def _draw_schedule(case: Case, stage: Stage, report: Report) -> None:
    """The holes of a game turn by turn, from its beginning."""
    holes = stage.module(BlackHoles)
    position = replace(stage.base, units=())
    steps = {
        text(mapping(s, "steps").get("end_of"), "end_of"): mapping(s, "steps")
        for s in sequence(case.given.get("steps"), "steps")
    }
    calendar = stage.rules.calendar
    for phase in calendar.after(calendar.first):
        if phase.kind is not PhaseKind.DRAWS:
            continue
        label = f"{phase.season} {phase.year}"
        before = holes_in(position)
        hat = DrawSource(label, CHANCE)
        position = holes.after_phase(stage.rules, position, phase, hat).position
        step = steps.pop(label, None)
        if step is not None:
            known_keys(step, {"end_of", "unblack", "new_hole", "holes_after"}, "a step of a schedule")
            opened = [change for change in position.changes if isinstance(change, Opened)]
            freed = sum(draw.label.endswith("|un-hole") for draw in hat.drawn)
            new = len(holes_in(position)) - len(before) + freed
            report.true(f"{label}, freed", freed <= len(opened), "a hole was freed without being opened")
            for key, came in (("unblack", freed), ("new_hole", new), ("holes_after", len(holes_in(position)))):
                if key in step:
                    report.same(f"{label}, {key}", integer(step[key], key), came)
        if not steps:
            return
        if phase.year > calendar.start + _FAR:
            raise InvalidCase(f"key 'end_of': no draws are made at the end of {', '.join(steps)}.")


_FAR = 100
"""Years after which a season that has not come will not come."""


# Walkers

_WALKED = "results units anarchic annihilated dislodged walkers_removed walkers_removed_count walkers after_movement"
_LANDING = "moves_to no_card_for draw_list_size excluded draws with_replacement"


@kind("walkers", "season units orders cards steps", f"{_WALKED} {_LANDING}")
def _walk(case: Case, stage: Stage, report: Report) -> None:
    """Movements with walkers, what cards make of a walker, or the list of places where walkers land."""
    if "steps" in case.given:
        position: Position | None = None
        for item in sequence(case.given["steps"], "steps"):
            step = mapping(item, "steps")
            expect = mapping(step.pop("expect", None), "steps, expect")
            known_keys(step, {"season", "units", "orders", *STATE}, "a step of walkers")
            known_keys(expect, frozenset(_WALKED.split()), "the 'expect' of a step")
            position = _walked(stage, step, expect, report, position)
        return
    rest = {key: value for key, value in case.expect.items() if key not in _LANDING.split()}
    if "cards" in case.given:
        _carded(stage, case, report)
    if set(case.expect) & set(_LANDING.split()) - {"moves_to", "no_card_for"}:
        _landing(stage, case, report)
    if rest or "orders" in case.given:
        _walked(stage, case.given, rest, report)


def _walked(
    stage: Stage,
    given: Mapping[str, object],
    expect: Mapping[str, object],
    report: Report,
    carried: Position | None = None,
) -> Position:
    here = Stage(stage.rules, replace(carried, units=(), dislodged=())) if carried else stage
    here = here.by_hand()
    before = here.position(given, here.phase(PhaseKind.MOVEMENT, given.get("season")))
    entries = [
        Enter(name, here.place(place, "walker_moves").space)
        for name, place in mapping(given.get("walker_moves"), "walker_moves").items()
    ]
    still = _still_walkers(here, before, {entry.label for entry in entries})
    played = play(here, given.get("orders"), still, frozenset(), {GAME_MASTER: entries})
    if played.resolution is not None and played.resolution.after.phase == before.phase:
        raise InvalidCase(f"key 'walker_moves': {'; '.join(played.resolution.errors)}")
    check(played, expect, report)
    return played.after


def _still_walkers(stage: Stage, position: Position, moving: set[str]) -> Position:
    """Without the walkers of which the case does not say where they go: they are not looked at."""
    if Walkers.name not in position.slots:
        return position
    walking = stage.module(Walkers).walking(position)
    places = {name: place for name, place in walking.places.items() if name in moving}
    return position.with_slot(Walkers.name, Walking(places, walking.numbers))


def _carded(stage: Stage, case: Case, report: Report) -> None:
    """One walker, the cards dealt round it, and where it goes."""
    position = stage.position(case.given, stage.phase(PhaseKind.MOVEMENT, case.given.get("season")))
    places = stage.module(Walkers).walking(position).places
    if len(places) != 1:
        raise InvalidCase("key 'cards': there must be one walker, so that the cards are for it.")
    ((name, place),) = places.items()
    board = stage.board
    ways = enterable(board, place)
    cards = {
        stage.place(key, "cards").space: text(card, "cards")
        for key, card in mapping(case.given["cards"], "cards").items()
    }
    if set(cards) != set(ways):
        raise InvalidCase(f"key 'cards': a card each goes to {', '.join(ways)}, not to {', '.join(sorted(cards))}.")
    hat = DrawSource("case", None, {name: ", ".join(f"{code} {card}" for code, card in cards.items())})
    if "moves_to" in case.expect:
        expected = stage.place(case.expect["moves_to"], "moves_to").space
        report.same(f"{name} goes to", expected, hat.ranked(name, ways)[0])
    if "no_card_for" in case.expect:
        near = {code for code in board.borders[place] if code is not None}
        report.same("no_card_for", stage.codes(case.expect["no_card_for"], "no_card_for"), near - set(ways))


def _landing(stage: Stage, case: Case, report: Report) -> None:
    """The list from which the first places of the walkers are drawn, and how they are drawn."""
    walkers = stage.module(Walkers)
    position = replace(stage.rules.opening, changes=stage.base.changes, units=())
    places = landing_places(stage.rules, position)
    names = walkers.walking(stage.rules.opening).places
    hat = DrawSource("case", CHANCE)
    walkers.after_moves(stage.rules, position, (), replace(position, units=()), {}, hat)
    expect = case.expect
    if "draw_list_size" in expect:
        report.same("draw_list_size", integer(expect["draw_list_size"], "draw_list_size"), len(places))
    for name in texts(expect.get("excluded"), "excluded"):
        known = name in stage.board.spaces
        listed = any(code == name or stem(code)[0] == name for code in places)
        report.true(f"excluded, {name}", not listed, f"expected not to be in the hat, came in it{'' if known else ' '}")
    if "draws" in expect:
        report.same("draws", integer(expect["draws"], "draws"), len(hat.drawn))
        report.same("walkers", len(names), len(hat.drawn))
    if "with_replacement" in expect:
        sizes = {len(draw.slips) for draw in hat.drawn}
        report.same("with_replacement", flag(expect["with_replacement"], "with_replacement"), sizes == {len(places)})

"""Cases of the kind `setup`: who plays, what is chosen before the first move, and what the board is like then."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import get_origin, get_type_hints

from plenipo.cases.checks import Report, check, expects
from plenipo.cases.choices import Chosen
from plenipo.cases.format import DEFAULT_VARIANT, Case
from plenipo.cases.kinds import kind
from plenipo.cases.stage import CHANCE, Played, Row, Stage
from plenipo.cases.values import PROSE, integer, mapping, sequence, text
from plenipo.engine.board import Board, Code, Location, UnitKind
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.submissions import Submissions
from plenipo.engine.hooks import RuleModule
from plenipo.engine.legality import Legality
from plenipo.engine.orders import Build
from plenipo.engine.outcome import Waiting
from plenipo.engine.phases.step import adjudicate
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.errors import IllegalOrder, InvalidCase, UnknownName

__all__: list[str] = []  # everything here is reached through the tables of kinds and expectations

_EXPECTS = """accepted refused centres homes centres_total victory pieces pieces_by_power powers powers_max
    majors minors minors_with_regular_centre minors_receiving_a_centre major_pieces
    neutral_centres unowned_at_start not_centres closed units_at_start_absent
    no_fleet_path multi_coast_provinces fleet_moves_to army_moves_to legal_builds"""

_KEYS = frozenset(_EXPECTS.split())

_NUMBERS = (
    "none one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()


def _plain(key: str) -> str:
    """The key of an expectation without the condition it may end in: `pieces_nine_players` is `pieces`."""
    if key in _KEYS:
        return key
    return max((plain for plain in _KEYS if key.startswith(f"{plain}_")), key=len, default=key)


@dataclass(frozen=True, kw_only=True)
class _Opened(Chosen):
    """A game when the choices of its opening are made; `whole` is the stage on which everybody plays."""

    whole: Stage


@kind("setup", "orders unplayed refused_examples", _EXPECTS, state=False, plain=_plain)
def _setup(case: Case, stage: Stage, report: Report) -> None:
    """What is chosen is handed in, a sheet a power, and revealed; a key with a condition is looked at by itself."""
    played_by = _without(stage, stage.powers(case.given.get("unplayed"), "unplayed"))
    opened = _open(stage, played_by, case.given.get("orders"))
    for key, value in case.expect.items():
        condition = key.removeprefix(_plain(key)).removeprefix("_")
        found = Report()
        looked_at = _open(stage, _under(stage, condition, key)) if condition else opened
        check(looked_at, {_plain(key): value}, found)
        report.compared += found.compared
        report.faults += [f"{key}, {fault}" if condition else fault for fault in found.faults]
    _examples(played_by, case.given.get("refused_examples"), report)


def _open(whole: Stage, stage: Stage, orders: object = None) -> _Opened:
    before = stage.base
    choosing = before.phase.kind is PhaseKind.CHOICE
    rows = stage.rows(orders, PhaseKind.CHOICE)
    if rows and not choosing:
        raise InvalidCase("key 'orders': nothing is chosen before the first move of this variant.")
    submissions = Submissions(stage.rules, before)
    turned_away: list[Row] = []
    for sheet in _sheets(rows):
        taken = _handed_in(submissions, sheet)
        if taken is None:
            turned_away += sheet
        else:
            submissions = taken
    resolution = adjudicate(stage.rules, before, submissions.sheets, CHANCE) if choosing else None
    if isinstance(resolution, Waiting):
        resolution = None
    after = resolution.after if resolution else before
    return _Opened(
        stage,
        before,
        after,
        after,
        rows,
        resolution,
        frozenset(row.power for row in rows),
        submissions=submissions,
        turned_away=tuple(turned_away),
        late=(),
        whole=whole,
    )


def _sheets(rows: tuple[Row, ...]) -> Iterator[tuple[Row, ...]]:
    for power in dict.fromkeys(row.power for row in rows):
        yield tuple(row for row in rows if row.power == power)


def _handed_in(submissions: Submissions, sheet: tuple[Row, ...]) -> Submissions | None:
    """The submissions with a power's whole sheet; None if any of it is refused."""
    orders = tuple(row.order for row in sheet if row.order is not None)
    if len(orders) < len(sheet):
        return None
    try:
        return submissions.hand_in(sheet[0].power, orders)
    except IllegalOrder:
        return None


def _examples(stage: Stage, value: object, report: Report) -> None:
    """Sheets each of which is refused: a power, its units, and `why` for readers."""
    for item in sequence(value, "refused_examples"):
        example = {key: units for key, units in mapping(item, "refused_examples").items() if key not in PROSE}
        rows = stage.rows(example, PhaseKind.CHOICE, "refused_examples")
        if not rows:
            raise InvalidCase("key 'refused_examples': an example has a power and the units it chooses.")
        for sheet in _sheets(rows):
            refused = _handed_in(Submissions(stage.rules, stage.base), sheet) is None
            told = f"{sheet[0].power}: {', '.join(row.written for row in sheet)}"
            report.true("refused_examples", refused, f"expected '{told}' to be refused, came accepted")


# The same game under other options


def _loaded(stage: Stage, options: Mapping[str, str]) -> Stage:
    if not options:
        return stage
    if stage.load is None:
        raise InvalidCase("this case cannot be played under other options: nothing loads the rules again.")
    rules = stage.load(stage.rules.variant, {**stage.rules.options, **options})
    return Stage(rules, load=stage.load)


def _who_plays(rules: Rules) -> Iterator[tuple[RuleModule, str, object]]:
    """The rule modules that decide who plays, with each of their options and its value now."""
    for module in rules.modules:
        if type(module).game_powers is not RuleModule.game_powers:
            for option in fields(module):
                if option.name not in module.fixed:
                    yield module, option.name, getattr(module, option.name)


def _switches(stage: Stage) -> Iterator[Stage]:
    """The stage as it is, and with each option changed that is about who plays and can be on or off."""
    yield stage
    for module, name, value in _who_plays(stage.rules):
        if isinstance(value, bool):
            yield _loaded(stage, {f"{module.name}.{name}": str(not value).lower()})


def _without(stage: Stage, unplayed: tuple[Power, ...]) -> Stage:
    """The stage on which these powers are not played; raises `InvalidCase` if the variant cannot do without them."""
    if not unplayed:
        return stage
    wanted = set(stage.rules.names) - set(unplayed)
    options = {
        f"{module.name}.{name}": ", ".join(power for power in value if power not in unplayed)
        for module, name, value in _who_plays(stage.rules)
        if isinstance(value, tuple) and set(value) & set(unplayed) and _lists_powers(module, name)
    }
    for other in (*([_loaded(stage, options)] if options else []), *_switches(stage)):
        if set(other.rules.names) == wanted:
            return other
    raise InvalidCase(f"key 'unplayed': this variant cannot be played without {', '.join(unplayed)}.")


def _lists_powers(module: RuleModule, option: str) -> bool:
    hint = get_type_hints(type(module))[option]
    return get_origin(hint) is tuple and Power in hint.__args__


def _under(stage: Stage, condition: str, key: str) -> Stage:
    """The stage under a condition: `nine_players`, `all_played`, or the name of an option that is then `true`."""
    if condition == "all_played":
        return max(_switches(stage), key=lambda other: len(other.rules.names))
    number = re.fullmatch(r"(\w+)_players", condition)
    if number and number[1] in (*_NUMBERS, *map(str, range(len(_NUMBERS)))):
        wanted = _NUMBERS.index(number[1]) if number[1] in _NUMBERS else int(number[1])
        for other in _switches(stage):
            if len(other.rules.names) == wanted:
                return other
        raise InvalidCase(f"key '{key}': no option of this variant lets {wanted} powers play.")
    try:
        return _loaded(stage, {condition: "true"})
    except UnknownName as error:
        raise InvalidCase(
            f"key '{key}': '{condition}' is not understood; a key may end in '_nine_players', '_all_played' or the "
            "name of an option."
        ) from error


# What is expected of an opening


def _regular(stage: Stage, variant: str = DEFAULT_VARIANT) -> Rules:
    if stage.load is None:
        raise InvalidCase(f"this case cannot be compared with '{variant}': nothing loads its rules.")
    return stage.load(variant, {})


def _unowned(played: Played) -> frozenset[Code]:
    return frozenset(played.stage.board.centres - set(played.after.owners))


@expects("victory")
def _victory(played: Played, value: object, report: Report) -> None:
    report.same("victory", integer(value, "victory"), played.stage.rules.to_win)


@expects("pieces")
def _pieces(played: Played, value: object, report: Report) -> None:
    """How many units stand on the board, or power -> its units."""
    if not isinstance(value, dict):
        report.same("pieces", integer(value, "pieces"), len(played.after.units))
        return
    for power, items in played.stage.by_power(value, "pieces").items():
        expected = frozenset(str(played.stage.unit(power, item, "pieces")) for item in sequence(items, "pieces"))
        report.same(f"pieces of {power}", expected, frozenset(map(str, played.after.units_of(power))))


@expects("pieces_by_power")
def _pieces_by_power(played: Played, value: object, report: Report) -> None:
    """Power -> how many units it has."""
    for power, number in played.stage.by_power(value, "pieces_by_power").items():
        came = len(played.after.units_of(power))
        report.same(f"pieces of {power}", integer(number, "pieces_by_power"), came)


@expects("neutral_centres")
@expects("unowned_at_start")
def _neutral(played: Played, value: object, report: Report) -> None:
    """The centres nobody owns, all of them."""
    report.same("centres nobody owns", played.stage.codes(value, "neutral_centres"), _unowned(played))


@expects("not_centres")
def _not_centres(played: Played, value: object, report: Report) -> None:
    found = played.stage.codes(value, "not_centres") & played.stage.board.centres
    report.same("not_centres", frozenset(), found)


@expects("powers")
def _powers(played: Played, value: object, report: Report) -> None:
    """The powers that are played, all of them, or how many."""
    names = played.stage.rules.names
    if isinstance(value, list):
        report.same("powers", frozenset(played.stage.powers(value, "powers")), frozenset(names))
    else:
        report.same("powers", integer(value, "powers"), len(names))


@expects("powers_max")
def _powers_max(played: Played, value: object, report: Report) -> None:
    """How many powers play if as many play as can."""
    came = max(len(other.rules.names) for other in _switches(played.stage))
    report.same("powers_max", integer(value, "powers_max"), came)


def _majors(played: Played) -> frozenset[Power]:
    return frozenset(played.stage.rules.names) & frozenset(_regular(played.stage).names)


def _minor_homes(played: Played) -> frozenset[Code]:
    """The homes of the powers that the regular game does not have."""
    others = frozenset(played.stage.rules.names) - _majors(played)
    return frozenset(code for power in others for code in played.before.homes_of(power))


@expects("majors")
def _majors_are(played: Played, value: object, report: Report) -> None:
    """The powers that the regular game has too."""
    report.same("majors", frozenset(played.stage.powers(value, "majors")), _majors(played))


@expects("minors")
def _minors_are(played: Played, value: object, report: Report) -> None:
    """The homes of the other powers."""
    report.same("minors", played.stage.codes(value, "minors"), _minor_homes(played))


@expects("minors_with_regular_centre")
def _with_regular_centre(played: Played, value: object, report: Report) -> None:
    came = _minor_homes(played) & _regular(played.stage).board.centres
    report.same("minors_with_regular_centre", played.stage.codes(value, "minors_with_regular_centre"), came)


@expects("minors_receiving_a_centre")
def _receiving(played: Played, value: object, report: Report) -> None:
    came = (_minor_homes(played) - _regular(played.stage).board.centres) & played.stage.board.centres
    report.same("minors_receiving_a_centre", played.stage.codes(value, "minors_receiving_a_centre"), came)


@expects("major_pieces")
def _major_pieces(played: Played, value: object, report: Report) -> None:
    """The name of a variant: the powers it has start with the same units there."""
    other = _regular(played.stage, text(value, "major_pieces"))
    for power in sorted(_majors(played)):
        expected = frozenset(map(str, other.opening.units_of(power)))
        report.same(f"pieces of {power}", expected, frozenset(map(str, played.after.units_of(power))))


@expects("closed")
def _closed(played: Played, value: object, report: Report) -> None:
    """The provinces nobody may enter, all of them."""
    came = frozenset(code for code, space in played.stage.board.spaces.items() if space.impassable)
    report.same("closed", played.stage.codes(value, "closed"), came)


@expects("units_at_start_absent")
def _absent(played: Played, value: object, report: Report) -> None:
    """Units that do not stand on the board, or powers that have none; also power -> units."""
    assert isinstance(played, _Opened)  # noqa: S101  # only `setup` understands this key
    stage = played.whole
    if isinstance(value, dict):
        for unit in stage.units(value, "units_at_start_absent"):
            report.true(
                f"{unit} of {unit.power}", unit not in played.after.units, "expected to be absent, came present"
            )
        return
    for item in sequence(value, "units_at_start_absent"):
        name = text(item, "units_at_start_absent")
        if re.match(r"[AFaf] ", name):
            ref = stage.ref(name, "units_at_start_absent")
            there = any(unit.ref == ref for unit in played.after.units)
        else:
            there = bool(played.after.units_of(stage.power(name, "units_at_start_absent")))
        report.true(f"units_at_start_absent, {name}", not there, "expected to be absent, came present")


# What the board is like


def _locations(board: Board, place: Location) -> tuple[Location, ...]:
    """Where a fleet may stand in the place named: on that coast, or on any if none was named."""
    everywhere = board.spaces[place.space].locations
    return tuple(at for at in everywhere if place.coast in ("", at.coast) and board.can_stand(UnitKind.FLEET, at))


@expects("no_fleet_path")
def _no_fleet_path(played: Played, value: object, report: Report) -> None:
    """Two places, or a list of such pairs, between which no fleet gets however many moves it makes."""
    items = sequence(value, "no_fleet_path")
    board = played.stage.board
    for pair in items if items and all(isinstance(item, list) for item in items) else [items]:
        ends = played.stage.places(pair, "no_fleet_path")
        if len(ends) != 2:
            raise InvalidCase(f"key 'no_fleet_path': {pair!r} must be two places.")
        seen = edge = set(_locations(board, ends[0]))
        while edge:
            beyond = {to for at in edge for to in board.steps(UnitKind.FLEET, at)}
            edge = {to for to in beyond if board.can_stand(UnitKind.FLEET, to)} - seen
            seen = seen | edge
        way = seen & set(_locations(board, ends[1]))
        report.true(f"no_fleet_path, {ends[0]} to {ends[1]}", not way, "expected no path, came one")


@expects("multi_coast_provinces")
def _multi_coast(played: Played, value: object, report: Report) -> None:
    """The provinces with several coasts, all of them."""
    came = frozenset(code for code, space in played.stage.board.spaces.items() if len(space.coasts) > 1)
    report.same("multi_coast_provinces", played.stage.codes(value, "multi_coast_provinces"), came)


def _moves_to(played: Played, value: object, key: str, unit: UnitKind, report: Report) -> None:
    """Location -> everywhere such a unit may step to, with the coast where the place has several."""
    board = played.stage.board
    for name, places in mapping(value, key).items():
        start = played.stage.place(name, key)
        if not board.can_stand(unit, start):
            coasts = ", ".join(map(str, board.spaces[start.space].locations))
            raise InvalidCase(f"key '{key}': no such unit can stand in '{name}'; the place has {coasts}.")
        expected = frozenset(map(str, played.stage.places(places, key)))
        came = frozenset(str(to) for to in board.steps(unit, start) if board.can_stand(unit, to))
        report.same(f"{key}, {start}", expected, came)


@expects("fleet_moves_to")
def _fleet_moves_to(played: Played, value: object, report: Report) -> None:
    _moves_to(played, value, "fleet_moves_to", UnitKind.FLEET, report)


@expects("army_moves_to")
def _army_moves_to(played: Played, value: object, report: Report) -> None:
    _moves_to(played, value, "army_moves_to", UnitKind.ARMY, report)


@expects("legal_builds")
def _legal_builds(played: Played, value: object, report: Report) -> None:
    """Power -> what it could build with its homes vacant, complete for each province named; empty: nothing at all."""
    stage = played.stage
    winter = replace(played.after, units=(), dislodged=(), phase=stage.phase(PhaseKind.ADJUSTMENTS))
    legality = Legality(stage.rules, winter)
    for power, items in stage.by_power(value, "legal_builds").items():
        units = [stage.unit(power, _without_verb(item), "legal_builds") for item in sequence(items, "legal_builds")]
        named = {unit.space for unit in units}
        came = {order.unit for order in legality.orders_of(power) if isinstance(order, Build)}
        inside = frozenset(str(ref) for ref in came if not named or ref.location.space in named)
        report.same(f"legal builds of {power}", frozenset(map(str, units)), inside)


def _without_verb(item: object) -> str:
    """`Build F BRE` as `F BRE`."""
    return re.sub(r"^build\s+|\s+b$", "", text(item, "legal_builds").strip(), flags=re.IGNORECASE)

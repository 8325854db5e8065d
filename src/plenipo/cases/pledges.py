"""Cases of points and promises, and of chance that can be verified."""

from collections.abc import Mapping
from dataclasses import replace

from plenipo.cases.checks import Report, check
from plenipo.cases.format import Case
from plenipo.cases.kinds import kind, named_in, play
from plenipo.cases.stage import STATE, Played, Stage
from plenipo.cases.values import flag, known_keys, mapping, sequence, text, texts
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.dice import Dice, Draw
from plenipo.engine.legality import Legality
from plenipo.engine.orders import Order, Promise
from plenipo.engine.phases.step import process
from plenipo.engine.position import Power
from plenipo.errors import InvalidOrder, InvalidRecord
from plenipo.rulekit.promises import read_promise

__all__: list[str] = []  # everything here is reached through the tables of kinds and expectations


# Points and promises


@kind("points", "season units orders promises cases", "points adjustments")
def _purses(case: Case, stage: Stage, report: Report) -> None:
    """The income of a build season, or promises judged on a movement; `cases` are several with the same beginning."""
    common = {key: value for key, value in case.given.items() if key != "cases"}
    if "cases" not in case.given:
        _points_case(stage, common, case.expect, report)
    for item in sequence(case.given.get("cases"), "cases"):
        given = mapping(item, "cases")
        expect = mapping(given.pop("expect", None), "cases, expect")
        known_keys(given, {"units", "orders", "promises", *STATE}, "'cases'")
        known_keys(expect, {"points", "adjustments"}, "the 'expect' of 'cases'")
        _points_case(stage, {**common, **given}, expect, report)


def _points_case(stage: Stage, given: Mapping[str, object], expect: Mapping[str, object], report: Report) -> None:
    season = given.get("season")
    if "promises" not in given:
        before = stage.position(given, stage.phase(PhaseKind.OWNERSHIP, season))
        after = stage.settled(before)
        check(Played(stage, before, after, after, named=named_in(stage, given, before)), expect, report)
        return
    here = stage.by_hand()
    before = here.position(given, here.phase(PhaseKind.MOVEMENT, season))
    owned = {power: codes for power, codes in here.rules.opening.homes.items() if codes}
    if "centres" not in given:
        owners = {code: power for power, codes in owned.items() for code in codes if code in here.board.centres}
        before = replace(before, owners=owners)  # who promises is in the game
    papers: dict[Power, list[Order]] = {
        power: [Promise(said) for said in texts(lines, "promises")]
        for power, lines in here.by_power(given["promises"], "promises").items()
    }
    check(play(here, given.get("orders"), before, frozenset(), papers), expect, report)


@kind("promise_text", "power", "accept for_gm", state=False)
def _promise_text(case: Case, stage: Stage, report: Report) -> None:
    """Which promises the program judges, and which it keeps for the game master."""
    power = stage.power(case.given.get("power"), "power")
    position = replace(stage.base, phase=stage.phase(PhaseKind.MOVEMENT))
    legality = Legality(stage.rules, position)
    for key, expected in (("accept", True), ("for_gm", False)):
        for said in texts(case.expect.get(key), key):
            try:
                read_promise(stage.rules, position, said)
                judged = True
            except InvalidOrder:
                judged = False
            report.true(f"{key}, '{said}'", judged is expected, "came judged" if judged else "came for the GM")
            reason = legality.judge(power, Promise(said)).reason
            report.true(f"{key}, '{said}'", not reason, f"was refused: {reason}")


# Chance


@kind("randomness", "seed_hex", "commitment replay_equal tampered_log_detected", state=False)
def _randomness(case: Case, stage: Stage, report: Report) -> None:
    """Some turns drawn with the seed of the case, repeated, and checked with one result changed."""
    dice = Dice(bytes.fromhex(text(case.given.get("seed_hex"), "seed_hex")))
    once, again = (_drawn_with(stage, dice) for _ in range(2))
    expect = case.expect
    if "commitment" in expect:
        report.same("commitment", text(expect["commitment"], "commitment").casefold(), dice.commitment)
    if "replay_equal" in expect:
        report.same("replay_equal", flag(expect["replay_equal"], "replay_equal"), bool(once) and once == again)
    if "tampered_log_detected" in expect:
        caught = all(_caught(dice, once, n) for n in range(len(once)))
        report.same("tampered_log_detected", flag(expect["tampered_log_detected"], "tampered_log_detected"), caught)


def _drawn_with(stage: Stage, dice: Dice) -> list[Draw]:
    """What is drawn in the first turns of a game in which nobody orders anything."""
    position = stage.rules.opening
    draws: list[Draw] = []
    for _ in range(_TURNS):
        resolution = process(stage.rules, position, {}, dice)
        draws += resolution.draws
        position = resolution.after
    return draws


_TURNS = 5


def _caught(dice: Dice, draws: list[Draw], n: int) -> bool:
    """Whether a change of the result of draw `n` is found."""
    made = draws[n]
    others = [slip for slip in made.slips if slip != made.result] or [" ".join(reversed(made.result.split()))]
    if others[0] == made.result:
        return True  # a single card or slip can have no other result
    try:
        dice.check([*draws[:n], replace(made, result=others[0]), *draws[n + 1 :]])
    except InvalidRecord:
        return True
    return False

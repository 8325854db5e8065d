"""Lines about a board that has changed, and with what rule modules remember."""

import json
from dataclasses import replace
from typing import Any

import pytest

from plenipo import jsonlines, library
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.jsonlines import answer
from plenipo.library import load

SPLIT = {"split": "NTH", "from": ["NWY", 0], "to": ["BEL", 0], "halves": ["NTH 1", "NTH 2"]}
HAND = {"draws": "gm_entered"}


def judged(**content: Any) -> dict[str, Any]:
    line = {"variant": "irish", "phase": "Fall 1974", "units": {"France": ["A PAR"]}, "options": HAND, **content}
    return answer(json.dumps(line), 1, load)


def test_units_and_orders_are_read_on_the_board_that_the_changes_lead_to() -> None:
    units, orders = {"England": ["F NTH 1", "F YOR"]}, {"England": ["F NTH 1 - NTH 2", "F YOR - NTH 2"]}
    found = judged(units=units, orders=orders, changes=[SPLIT])
    assert found["errors"] == []
    assert {unit: told["result"] for unit, told in found["results"].items()} == {"F NTH 1": "fails", "F YOR": "fails"}
    assert found["changes"] == [SPLIT]
    assert (
        judged(units=units)["errors"][0] == "'units.England': '1' is more than the name of a unit needs; leave it out."
    )


def test_what_modules_remember_comes_in_and_goes_out() -> None:
    slots = {"walkers": {"places": {"IRISH 1": "BUR"}, "numbers": {"IRISH": 2, "PSYCHIATRIST": 3}}}
    orders = {"France": ["A PAR - PIC"], "GM": ["DRAW IRISH 1: PIC"]}
    found = judged(slots=slots, orders=orders)
    assert found["errors"] == []
    assert found["slots"]["walkers"]["places"] == {"IRISH 1": "PIC"}
    assert found["slots"]["anarchy"] == [["France", "A PIC"]]
    assert set(judged()["slots"]["points"].values()) == {0}


def test_a_line_that_says_nothing_of_points_keeps_a_promise_as_a_debt_as_a_game_does() -> None:
    rules = library.load("irish")
    opening = Game.new(rules).position
    after_first = replace(opening, phase=Phase("Fall", 1974, PhaseKind.MOVEMENT))
    line = jsonlines.encode_position(rules, after_first)
    promise = {"Italy": ["A VEN - TYO", "PROMISE If Austria holds in TRI, give Austria 2 points."]}
    without = {key: value for key, value in line.items() if key != "slots"}
    said: tuple[dict[str, Any], ...] = ({}, {"slots": {"points": {}}})
    for slots in said:
        answer = judged(**without, **slots, orders=promise, seed="5a" * 32)
        (settled,) = answer["further"]
        assert settled["why"] == (
            "Italy owes Austria 2 points and had none: 2 points will be paid out of its next income."
        )
        assert answer["slots"]["points"]["debts"] == [["Italy", "Austria", 2]]


@pytest.mark.parametrize("name", library.names())
def test_what_a_line_leaves_unsaid_is_as_at_the_opening_of_a_game(name: str) -> None:
    rules = library.load(name)
    opening = Game.new(rules).position
    line = jsonlines.encode_position(rules, opening)
    line.pop("slots", None)
    read = jsonlines.read(line, library.load).position
    assert read.slots == {key: slot for key, slot in opening.slots.items() if key != "walkers"}


def test_an_answer_is_put_in_again_through_a_whole_turn_with_draws() -> None:
    first = judged(centers={"France": ["PAR"], "Germany": ["KIE"]}, homes={"France": ["PAR"], "Germany": ["KIE"]})
    assert first["phase"] == "Fall 1974 draws"
    draws = ["DRAW black hole: NTH", "DRAW split: KIE", "DRAW cards of KIE: DEN AS, MUN KS"]
    second = answer(json.dumps({**first, "orders": {"GM": draws}}), 2, load)
    assert second["errors"] == []
    assert second["phase"] == "Winter 1974 adjustments"
    assert second["homes"]["Germany"] == ["KIE 1", "KIE 2"]
    third = answer(json.dumps({**second, "orders": {"Germany": ["F KIE 2 B"]}}), 3, load)
    assert third["units"]["Germany"] == ["F KIE 2"]
    assert third["changes"][0] == {"closed": "NTH"}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ({"changes": "x"}, "line 1: 'changes' is 'x'; it must be a list"),
        (
            {"changes": [{"split": "NTX", **{k: SPLIT[k] for k in ("from", "to", "halves")}}]},
            "line 1: 'changes', number 1: 'NTX' is not the code of a space",
        ),
        ({"slots": {"moon": 3}}, "'slots': 'moon' is not a rule module of this game."),
        (
            {"options": {}},
            "line 1: 'black hole' must be drawn in Fall 1974, and this game has no dice; give it a seed.",
        ),
    ],
)
def test_a_line_that_cannot_be_adjudicated_is_reported(content: dict[str, Any], told: str) -> None:
    found = judged(**content)
    assert list(found) == ["errors"]
    assert told in found["errors"][0]


def test_only_a_game_with_draws_by_hand_has_orders_of_a_game_master() -> None:
    found = judged(variant="standard", phase="Fall 1901", options={}, orders={"GM": ["DRAW a: b"]})
    assert found["errors"][0].startswith("'orders': 'GM' is not a power of this game")


SEED = "5a" * 32


def test_with_a_seed_the_dice_draw_as_in_a_game_with_that_seed() -> None:
    first = judged(options={}, seed=SEED, slots={})
    made = {draw["label"]: draw for draw in first["draws"]}
    hole, split = made["Fall 1974|black hole"], made["Fall 1974|split"]
    assert made.keys() == {hole["label"], split["label"], f"Fall 1974|cards of {split['result']}"}
    assert Dice.from_hex(SEED).draw(hole["label"], hole["slips"]).result == hole["result"]
    assert judged(options={}, seed=SEED, slots={}) == first
    second = answer(json.dumps({**first, "orders": {}}), 2, load)
    assert (second["errors"], second["seed"]) == ([], SEED)


@pytest.mark.parametrize(
    ("seed", "why"), [("5a", "'5a' is not a seed; write 64 digits of hex."), (7, "'seed' is '7'; write 64 digits")]
)
def test_an_invalid_seed_is_reported(seed: object, why: str) -> None:
    assert why in judged(options={}, seed=seed)["errors"][0]


def test_what_happened_and_what_was_refused_stand_in_the_answer_as_data() -> None:
    line = {"variant": "standard", "phase": "Fall 1901", "units": {"France": ["A SPA"]}, "centres": {}}
    found = answer(json.dumps({**line, "orders": {"France": ["A SPA - LON", "A PAR - Nowhere"]}}), 1, load)
    assert found["events"] == [
        {"kind": "centre_taken", "sentence": "France took Spain.", "powers": ["France"], "spaces": ["SPA"]}
    ]
    assert found["notes"] == ["France took Spain."]
    unread, illegal = found["refusals"]
    assert (unread["code"], unread["power"], unread["text"][slice(*unread["place"])]) == (
        "unreadable",
        "France",
        "Nowhere",
    )
    assert (illegal["code"], illegal["text"], illegal["place"]) == ("illegal", "A SPA - LON", None)
    assert found["errors"] == [unread["sentence"], illegal["sentence"]]


def test_a_phase_that_cannot_end_names_the_missing_powers_and_nothing_happens() -> None:
    line = {"variant": "1897", "phase": "Autumn 1897 choice", "units": {}, "options": {"home_default": "wait"}}
    homes = {"Austria": "VIE", "England": "LON", "France": "PAR", "Germany": "BER", "Italy": "ROM", "Russia": "MOS"}
    orders = {power: [f"CHOOSE {home}"] for power, home in homes.items()}
    found = answer(json.dumps({**line, "orders": orders}), 1, load)
    assert found["waiting"] == ["Turkey"]
    assert found["errors"] == ["The choices of Turkey are still missing."]
    assert (found["results"], found["phase"]) == ({}, "Autumn 1897 choice")
    done = answer(json.dumps({**found, "orders": {**orders, "Turkey": ["CHOOSE CON"]}}), 2, load)
    assert "waiting" not in done
    assert done["centres"]["Turkey"] == ["CON"]

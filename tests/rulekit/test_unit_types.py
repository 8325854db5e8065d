"""Kinds of unit as data: what texts of the hobby ask for, each as it would be written down."""

import pickle
from collections.abc import Callable
from copy import deepcopy

import pytest

from plenipo import library
from plenipo.batch import Arena, UnsupportedRules, compile_tables
from plenipo.charts import chart_of
from plenipo.conformance import of_a_random_game, of_the_opening
from plenipo.engine.board import Code, Location, UnitKind
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position, Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant
from plenipo.server.web.completion import Completions
from table import SPRING, WINTER, judge, place

Tiny = Callable[..., Rules]

CAVALRY = 'C = { name = "cavalry", plural = "cavalry", steps = 2, symbol = "horse" }'
WINGS = 'W = { name = "wing", by = "both", steps = 2, symbol = "wing" }'
FORTS = 'G = { name = "garrison", steps = 0, symbol = "fort", strength = { hold = 2 } }'
RAIDERS = 'R = { name = "raider", like = "F", terrain = ["sea"], carries = [] }'
RIVER = 'B = { name = "barge", like = "F", terrain = ["coast"], over = ["sea"], steps = 2, carries = ["A"] }'


def module(*kinds: str, more: str = "") -> str:
    return "\n".join(["[modules.unit_types]", more, "[modules.unit_types.kinds]", *kinds])


def reached(rules: Rules, kind: str, at: str) -> set[str]:
    return {str(to) for to in rules.board.steps(UnitKind(kind), Location.from_text(at))}


def after(rules: Rules, units: str, written: str) -> dict[str, str]:
    """Which letter stands where once these orders are carried out."""
    return {unit.space: unit.kind for unit in judge(written, units, rules).after.units}


def orders(rules: Rules, position: Position, power: str) -> set[str]:
    return set(map(str, Legality(rules, position).orders_of(Power(power))))


def test_a_kind_that_moves_two_goes_wherever_two_steps_lead(tiny: Tiny) -> None:
    rules = tiny(module(CAVALRY))
    one = {str(to) for to in rules.board.steps(UnitKind.ARMY, Location(Code("PAR")))}
    two = {str(b) for a in one for b in rules.board.steps(UnitKind.ARMY, Location(Code(a)))}
    assert reached(rules, "C", "PAR") == (one | two) - {"PAR"}
    assert reached(rules, "A", "PAR") == one


def test_a_kind_that_flies_stands_on_land_and_sea_and_has_no_coast(tiny: Tiny) -> None:
    rules = tiny(module('W = { name = "wing", by = "both" }'))
    assert {"BAR", "NWY", "MOS", "BOT"} <= reached(rules, "W", "STP")
    assert "W STP/NC" not in rules.board.standing
    assert "W NTH" in rules.board.standing


def test_a_kind_that_crosses_what_it_cannot_stand_on(tiny: Tiny) -> None:
    rules = tiny(module('W = { name = "wing", by = "both", terrain = ["inland", "coast"], over = ["sea"], steps = 2 }'))
    assert "LON" in reached(rules, "W", "BEL")
    assert not {"ENG", "NTH"} & reached(rules, "W", "BEL")


def test_a_garrison_never_moves_and_holds_with_the_strength_of_two(tiny: Tiny) -> None:
    rules = tiny(module(FORTS))
    position = place("Germany: G MUN\nFrance: A BUR, A TYR", SPRING, rules)
    assert orders(rules, position, "Germany") == {"G MUN H"}
    both = "Germany: G MUN\nFrance: A BUR, A TYR"
    stood = after(rules, both, "France: A BUR - MUN, A TYR S A BUR - MUN")
    assert stood == {"MUN": "G", "BUR": "A", "TYO": "A"}


def test_kinds_that_stand_in_named_spaces_alone(tiny: Tiny) -> None:
    rules = tiny(module('G = { name = "guard", only = ["PAR", "BUR"] }'))
    assert reached(rules, "G", "PAR") == {"BUR"}
    assert {text for text in rules.board.standing if text.startswith("G ")} == {"G PAR", "G BUR"}


def test_the_carriers_of_each_unit_type_are_data(tiny: Tiny) -> None:
    text = module(
        'F = { carries = ["A", "M"] }',
        'M = { name = "marine" }',
        'R = { name = "raider", like = "F", carries = ["M"] }',
    )
    rules = tiny(text)
    position = place("England: A LON, M YOR, R NTH", SPRING, rules)
    legal = orders(rules, position, "England")
    assert "R NTH C M YOR - NWY" in legal
    assert "M YOR - NWY VIA" in legal
    assert not {order for order in legal if order.startswith(("R NTH C A", "A LON - NWY"))}
    checked = Legality(rules, position).check(
        Power("England"), notation_of(rules, position).read("R NTH C A LON - NWY", PhaseKind.MOVEMENT)
    )
    assert checked.reason == "A LON is not a marine, and only marines are convoyed."


def test_a_kind_that_is_not_convoyed(tiny: Tiny) -> None:
    rules = tiny(module(CAVALRY))
    position = place("England: C LON, F NTH", SPRING, rules)
    assert "F NTH C C LON - NWY" not in orders(rules, position, "England")
    read = notation_of(rules, position).read("C LON - NWY VIA", PhaseKind.MOVEMENT)
    assert Legality(rules, position).check(Power("England"), read).reason == "a cavalry cannot be convoyed."


@pytest.mark.parametrize("text", ["C PAR - MUN", "c par - mun", "cavalry Paris to Munich", "Cav PAR-MUN", "CPAR - MUN"])
def test_orders_name_a_kind_by_its_letter_or_its_words(tiny: Tiny, text: str) -> None:
    rules = tiny(module(CAVALRY.replace(" }", ', words = ["cav"] }')))
    assert str(notation_of(rules, rules.opening).read(text, PhaseKind.MOVEMENT)) == "C PAR - MUN"


def test_what_kinds_count_is_data_for_each_use(tiny: Tiny) -> None:
    rules = tiny(
        module('L = { name = "legion", strength = { attack = 15, prevent = 15, support = 5 } }', more="scale = 10")
    )
    assert after(rules, "France: L BUR\nGermany: A MUN", "France: L BUR - MUN")["MUN"] == "L"
    units = "France: A BUR, L TYR\nGermany: A MUN, A BER"
    stood = after(rules, units, "France: A BUR - MUN, L TYR S A BUR - MUN\nGermany: A BER S A MUN")
    assert stood["BUR"] == "A"


def test_every_kind_may_be_built_where_it_can_stand(tiny: Tiny) -> None:
    rules = tiny(module(CAVALRY, RAIDERS))
    position = place("France: A BUR", WINTER, rules, owners={"France": "PAR BRE MAR"})
    builds = orders(rules, position, "France")
    assert {"C PAR B", "A PAR B", "F BRE B", "C BRE B"} <= builds
    assert not {order for order in builds if order.startswith("R ")}


def test_armies_and_fleets_may_be_changed_and_left_out(tiny: Tiny) -> None:
    land = tiny(module("A = { steps = 2 }"))
    assert "MUN" in reached(land, "A", "PAR")
    text = module('H = { name = "hovercraft", by = "both" }', more='without = ["A", "F"]')
    powers = "\n".join(
        f"{power} = {{ units = [] }}"
        for power in ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
    )
    alone = tiny(f"[powers]\n{powers}\n" + text)
    assert alone.board.kinds == (UnitKind("H"),)


@pytest.mark.parametrize("kinds", [(CAVALRY,), (WINGS, FORTS), (RAIDERS, CAVALRY, RIVER)])
def test_games_with_kinds_are_played_and_recorded(tiny: Tiny, kinds: tuple[str, ...]) -> None:
    units = {"France": ["C PAR", "W BUR", "G MAR", "R MAO", "B BRE"]}
    letters = {text[0] for text in kinds}
    own = [text for text in units["France"] if text[0] in letters][:2]
    rules = tiny(f"[powers.France]\nunits = {own}\nhomes = ['PAR', 'BRE', 'MAR']\n" + module(*kinds))
    assert list(of_the_opening(rules)) == []
    assert list(of_a_random_game(rules, 3)) == []
    game = Game.new(rules)
    assert decode_game(encode_game(game), rules) == game


def test_a_picture_shows_each_kind_by_its_symbol_or_its_letter(tiny: Tiny) -> None:
    rules = tiny(
        "[powers.France]\nunits = ['C PAR', 'Z BRE']\nhomes = ['PAR', 'BRE', 'MAR']\n"
        + module(CAVALRY, 'Z = { name = "zouave" }')
    )
    picture = chart_of(rules, library.folder_of("standard") / "figure.json").draw()
    assert 'href="#kind-C"' in picture
    assert '<text class="kind" y="15">Z</text>' in picture
    assert "Cavalry in Paris, France" in picture


@pytest.mark.parametrize(
    "text",
    [
        module("A = { steps = 2 }"),
        module(CAVALRY, WINGS, FORTS, RAIDERS, RIVER),
        module("F = { carries = [] }"),
        module('F = { carries = ["A", "M"] }', 'M = { name = "marine" }', 'R = { name = "x", carries = ["M"] }'),
        module('C = { name = "cuirassier", built = false }', more="scale = 2"),
    ],
)
def test_the_kernel_takes_kinds_that_are_tables(tiny: Tiny, text: str) -> None:
    assert compile_tables(tiny(text)).kinds == tiny(text).board.kinds


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (module('D = { name = "pair", parts = ["A", "A"] }'), "cannot take pairs: they are made of other units."),
        (module('D = { name = "guard", upkeep = 2 }'), "cannot take guards that count as 2 units."),
        (
            module('F = { carries = ["A", "B"] }', 'B = { name = "boat", like = "F", carries = [] }'),
            "cannot take boats: they go by sea, and are convoyed as well.",
        ),
        (
            module(*(f'{letter} = {{ name = "kind {letter}" }}' for letter in "BCDEGHI")),
            "The kernel takes 8 kinds of unit, and this board has 9.",
        ),
    ],
)
def test_the_kernel_refuses_kinds_that_are_no_tables_by_name(tiny: Tiny, text: str, sentence: str) -> None:
    with pytest.raises(UnsupportedRules, match=sentence):
        compile_tables(tiny(text))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (module("C = { steps = 2 }"), "The kind 'C' has no name"),
        (module('C = { name = "x", like = "Q" }'), "'C' is like 'Q'; a kind is like A"),
        (module('C = { name = "x", carries = ["Q"] }'), "'C' carries 'Q'"),
        (module('C = { name = "x", only = ["PAX"] }'), "'C' stands only in 'PAX'; did you mean PAR?"),
        (module('C = { name = "x", terrain = ["sea"] }'), "a x can stand nowhere"),
        (module('C = { name = "x", steps = -1 }'), "'C' has -1 steps"),
        (module('C = { name = "x", stepps = 1 }'), "line 6: 'stepps' is not a key"),
        (module('Co = { name = "x" }'), "Co"),
        (module(more='without = ["A", "F"]'), "leaves no kind of unit"),
        (module('C = { name = "x", strength = { attack = 2, prevent = 1 } }'), "two of them could enter it together"),
    ],
)
def test_kinds_that_cannot_be_are_refused(tiny: Tiny, text: str, sentence: str) -> None:
    with pytest.raises(InvalidVariant, match=sentence):
        tiny(text)


def test_there_is_one_value_for_each_letter() -> None:
    kind = UnitKind("C")
    assert kind is UnitKind("C") is deepcopy(kind) is pickle.loads(pickle.dumps(kind))  # noqa: S301  # our own
    with pytest.raises(ValueError, match="one capital"):
        UnitKind("cavalry")


def test_orders_of_a_kind_are_read_out_by_its_name(tiny: Tiny) -> None:
    rules = tiny("[powers.France]\nunits = ['C PAR', 'F BRE']\nhomes = ['PAR', 'BRE']\n" + module(CAVALRY))
    entry = OrderEntry(rules, rules.opening, Power("France"))
    offered = Completions.of(entry, "c par - mu", ())
    assert [(one.order, one.words) for one in offered.completions] == [("C PAR - MUN", "Cavalry Paris to Munich")]
    assert [one.order for one in Completions.of(entry, "par - mu", ()).completions] == ["C PAR - MUN"]


def test_a_kind_that_is_not_built_comes_about_by_conversion(tiny: Tiny) -> None:
    kind = (
        '[modules.unit_types.kinds]\nD = { name = "dug-in army", steps = 0, built = false, strength = { hold = 2 } }\n'
    )
    rules = tiny(kind + '[modules.unit_types]\nconversions = [{ unit = "A", into = "D" }]\n')
    orders = Legality(rules, place("France: A BUR", WINTER, rules, owners={"France": "BRE PAR"})).orders_of(
        Power("France")
    )
    assert not [order for order in orders if "D " in str(order)]
    game = Game.new(rules).process({Power("France"): ["A PAR T D PAR"]})
    assert str(game.position.unit_at(Code("PAR"))) == "D PAR"


def test_a_kind_without_resistance_makes_way_for_any_unit_that_comes(tiny: Tiny) -> None:
    rules = tiny(module('D = { name = "depot", steps = 0, strength = { hold = 0, defend = 0 } }'))
    units = "France: D BUR, A PAR\nGermany: A MUN, A RUH"
    came = judge("Germany: A MUN - BUR", units, rules)
    assert str(came.after.unit_at(Code("BUR"))) == "A BUR"
    assert [str(fled.unit) for fled in came.after.dislodged] == []  # it has nowhere to go, as it never moves
    assert "attack 1 against hold 0" in next(one.why for one in came.outcomes if str(one.unit) == "A MUN")
    assert after(rules, units, "Germany: A MUN - BUR, A RUH - BUR")["BUR"] == "D"  # they stand each other off
    assert after(rules, units, "Germany: A MUN - BUR\nFrance: A PAR S D BUR")["BUR"] == "D"


def test_a_unit_type_that_never_attacks_enters_only_without_opposition(tiny: Tiny) -> None:
    rules = tiny(module('S = { name = "settler", strength = { attack = 0, prevent = 0, support = 0 } }'))
    units = "France: S PAR\nGermany: A MUN, S RUH"
    assert after(rules, units, "France: S PAR - BUR")["BUR"] == "S"
    assert after(rules, units, "France: S PAR - BUR\nGermany: A MUN - BUR") == {"PAR": "S", "BUR": "A", "RUH": "S"}
    assert "BUR" not in after(rules, units, "France: S PAR - BUR\nGermany: S RUH - BUR")
    assert after(rules, "France: S PAR\nGermany: A BUR", "France: S PAR - BUR\nGermany: A BUR H")["PAR"] == "S"
    assert after(rules, "France: S PAR\nGermany: A BUR", "France: S PAR - BUR\nGermany: A BUR - MUN")["BUR"] == "S"
    helped = after(rules, "France: S PAR, A GAS\nGermany: A BUR", "France: S PAR - BUR, A GAS S S PAR - BUR")
    assert helped["PAR"] == "S"  # one of support against one that stands


def test_a_kind_that_never_retreats_is_destroyed(tiny: Tiny) -> None:
    rules = tiny(module('E = { name = "envoy", retreats = false }'))
    lost = judge("Germany: A MUN - BUR, A RUH S A MUN - BUR", "France: E BUR, A PAR\nGermany: A MUN, A RUH", rules)
    assert "E BUR was destroyed: an envoy never retreats." in next(o.why for o in lost.outcomes if o.dislodged_by)
    assert lost.after.dislodged == ()


def test_the_kernel_takes_units_without_resistance_and_refuses_those_that_never_attack(tiny: Tiny) -> None:
    soft = tiny(module("A = { strength = { hold = 0 } }"))
    arena = Arena(soft, 6, seed=bytes(32), keep=range(6))
    arena.play(24)
    for game in range(6):
        arena.record(game)  # raises where the engine comes to something else
    with pytest.raises(UnsupportedRules, match="armies that attack nobody: they count 0 to enter a space"):
        compile_tables(tiny(module("A = { strength = { attack = 0 } }")))
    with pytest.raises(UnsupportedRules, match="'unit_types': units of one kind never retreat"):
        compile_tables(tiny(module("A = { retreats = false }")))


def test_a_kind_cannot_count_less_than_nothing(tiny: Tiny) -> None:
    with pytest.raises(InvalidVariant, match="The strength of 'D' has -1 as 'hold'; it must be 0 or more") as refused:
        tiny('[modules.unit_types.kinds]\nD = { name = "dummy", strength = { hold = -1 } }\n')
    assert refused.value.path == ("modules", "unit_types", "kinds", "D", "strength", "hold")

"""Boards with more put on top of a parent's, drawn or given by its contacts, and contacts that lead one way."""

from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from agree import SHAPES, Pair
from plenipo import charts, library
from plenipo.batch import compile_tables
from plenipo.boards import describe_board
from plenipo.engine.board import Code, Location
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant

ISLES = """[spaces]
ISA = { kind = "coast" }
ISB = "coast"
[armies]
ISA = ["ISB"]
[fleets]
ISA = ["NTH", "ISB"]
ISB = ["NTH", "NRG"]
[one_way.fleets]
ISB = ["BAR"]
[one_way.armies]
ISA = ["EDI"]
[remove.armies]
YOR = ["LON"]
"""
NAMES = '[spaces]\nISA = { name = "Isle A", centre = true }\nISB = { name = "Isle B", centre = true }\n'


def on_top(
    tmp_path: Path, parent: str = "standard", more: str = ISLES, variant: str = NAMES, name: str = "isles"
) -> Path:
    folder = tmp_path / name
    folder.mkdir()
    head = f'title = "Isles"\nparent = "{parent}"\nmore_contacts = "contacts.toml"\n'
    (folder / "variant.toml").write_text(head + variant, encoding="utf-8")
    (folder / "contacts.toml").write_text(more, encoding="utf-8")
    return folder


def test_spaces_and_contacts_are_put_on_top_of_a_drawn_board(tmp_path: Path) -> None:
    folder = on_top(tmp_path)
    assert library.check(folder) == []
    board, below = library.load(folder).board, library.load("standard").board
    assert board.spaces.keys() - below.spaces.keys() == {"ISA", "ISB"}
    assert board.armies[Code("ISA")] == {"ISB", "EDI"}
    assert board.armies[Code("EDI")] == below.armies[Code("EDI")]
    assert board.armies[Code("LON")] == below.armies[Code("LON")] - {"YOR"}
    assert board.fleets[Location(Code("ISB"))] == {Location(Code(code)) for code in ("NTH", "NRG", "BAR", "ISA")}
    assert board.spaces[Code("STP")].coasts == below.spaces[Code("STP")].coasts
    assert board.spaces[Code("SWI")].impassable
    same = [at for at in below.fleets if at.space not in ("NTH", "NRG", "BAR")]
    assert all(board.fleets[at] == below.fleets[at] for at in same)


def test_a_board_with_more_on_top_lies_as_the_drawing_below(tmp_path: Path) -> None:
    drawn = charts.chart(on_top(tmp_path))
    at = {location.space: place for location, place in drawn.placements.units.items()}
    assert at[Code("LON")][0] < at[Code("BER")][0] < at[Code("MOS")][0]
    assert at[Code("TUN")][1] < at[Code("ROM")][1] < at[Code("SWE")][1]
    assert at[Code("LON")][0] < at[Code("ISA")][0] < at[Code("SWE")][0]
    picture = drawn.draw()
    assert "Armies pass from Isle A to Edinburgh, and not back" in picture
    assert "Fleets pass from Isle B to Barents Sea, and not back" in picture


def test_more_is_put_on_top_of_what_was_put_on_top(tmp_path: Path) -> None:
    first = on_top(tmp_path)
    second = on_top(
        tmp_path,
        str(first),
        '[spaces]\nISA = { kind = "coast", impassable = true }\nISC = "sea"\n[fleets]\nISC = ["NTH"]\n'
        '[remove.armies]\nISA = ["ISB", "EDI"]\n[remove.fleets]\nISA = ["NTH", "ISB"]\n',
        '[spaces]\nISC = { name = "Sound" }\n',
        "sound",
    )
    assert library.check(second) == []
    board = library.load(second).board
    assert board.spaces[Code("ISA")].impassable
    assert Location(Code("NTH")) in board.fleets[Location(Code("ISC"))]


def test_a_space_that_is_removed_takes_its_contacts_along(tmp_path: Path) -> None:
    folder = on_top(tmp_path, "ancient-mediterranean", "", '[remove]\nspaces = ["CRE"]\n[powers.X]\n', "less")
    text = '[remove]\nspaces = ["COR"]\n'
    (folder / "variant.toml").write_text(
        f'title = "Less"\nparent = "ancient-mediterranean"\nmore_contacts = "contacts.toml"\n{text}', encoding="utf-8"
    )
    assert library.check(folder) == []
    assert "COR" not in library.load(folder).board.spaces


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('ISA = ["EDI"]', 'ISA = ["ISB"]', "'one_way.armies.ISA' has ISB, and 'armies' has that contact both ways"),
        ('ISB = ["BAR"]', 'ISB = ["BAR"]\nBAR = ["ISB"]', "which leads back as well; write it in 'fleets'"),
        ("[one_way.armies]", "[one_way.army]", "'one_way.army' is not a table of contacts; "),
        ('YOR = ["LON"]', 'YOR = ["PAR"]', "'remove.armies.YOR' has PAR, and there is no such contact"),
        ("[remove.armies]", "[remove.army]", "'remove.army' is not a table of contacts; "),
        ('ISA = ["NTH", "ISB"]', 'ISA = ["NTX", "ISB"]', "'fleets.ISA' has 'NTX', which is not a space of the board"),
    ],
)
def test_a_mistake_in_what_is_put_on_top_has_its_line(tmp_path: Path, old: str, new: str, why: str) -> None:
    folder = on_top(tmp_path, more=ISLES.replace(old, new))
    mistakes = library.check(folder)
    assert any(why in mistake.sentence for mistake in mistakes)
    assert all(mistake.file == folder / "contacts.toml" and mistake.line for mistake in mistakes)


def test_more_contacts_need_a_board_below(tmp_path: Path) -> None:
    folder = on_top(tmp_path)
    file = folder / "variant.toml"
    file.write_text(file.read_text(encoding="utf-8").replace('parent = "standard"\n', ""), encoding="utf-8")
    with pytest.raises(InvalidVariant, match="'more_contacts' is put on top of a parent's board"):
        library.load(folder)


# Contacts that lead one way

ENGLAND = '[powers]\nEngland = { units = ["A ISA", "A EDI", "F ISB"] }\n'


def slides(tmp_path: Path) -> Rules:
    """The standard board with a third of its contacts leading one way."""
    board, chance = library.load("standard").board, Random(5)
    away: dict[str, dict[str, list[str]]] = {"armies": {}, "fleets": {}}
    there: dict[str, dict[str, list[str]]] = {"armies": {}, "fleets": {}}
    tables = {
        "armies": {Location(a): set(map(Location, tos)) for a, tos in board.armies.items()},
        "fleets": board.fleets,
    }
    for key, table in tables.items():
        for a, b in combinations(sorted(table), 2):
            passable = not (board.spaces[a.space].impassable or board.spaces[b.space].impassable)
            if b in table[a] and passable and chance.random() < 0.33:
                away[key].setdefault(str(a), []).append(str(b))
                start, end = (a, b) if chance.random() < 0.5 else (b, a)
                there[key].setdefault(str(start), []).append(str(end))
    lines = []
    for head, whole in (("remove", away), ("one_way", there)):
        for key, table_of in whole.items():
            lines.append(f"[{head}.{key}]")
            lines += [f'"{a}" = {others}' for a, others in table_of.items()]
    return library.load(on_top(tmp_path, "standard", "\n".join(lines), "", "slides"))


def by_chance(rules: Rules, game: Game, chance: Random) -> dict[Power, list[Order]]:
    """A legal order for each unit, and so for what may be built or removed."""
    legality = Legality(rules, game.position)
    order_sets: dict[Power, list[Order]] = {}
    for power in rules.names:
        orders = list(legality.orders_of(power))
        chance.shuffle(orders)
        order_sets[power] = list({str(getattr(order, "unit", order)): order for order in orders}.values())
    return order_sets


def test_engine_and_kernel_agree_where_contacts_lead_one_way(tmp_path: Path) -> None:
    rules = slides(tmp_path)
    assert len(rules.board.one_way["land"]) > 30
    assert len(rules.board.one_way["sea"]) > 30
    compile_tables(rules)
    both = Pair(rules)
    assert [fault for seed in range(150) for fault in both.follow(seed, SHAPES[seed % len(SHAPES)])] == []
    assert both.counts["retreats"] > 0


def test_a_game_on_such_a_board_is_recorded_and_played_again(tmp_path: Path) -> None:
    rules, chance = slides(tmp_path), Random(1)
    game = Game.new(rules, Dice(bytes(32)))
    for _ in range(12):
        game = game.process(by_chance(rules, game, chance))
    assert decode_game(encode_game(game), rules) == game


def test_units_move_support_and_retreat_one_way_and_the_reason_forbids_the_way_back(tmp_path: Path) -> None:
    rules = library.load(
        on_top(tmp_path, variant=NAMES + '[powers]\nEngland = { units = ["A ISA", "A EDI", "F ISB"] }\n')
    )
    legality, power = Legality(rules, rules.opening), Power("England")
    listed = set(map(str, legality.orders_of(power)))
    assert {"A ISA - EDI", "A ISA S A EDI", "F ISB - BAR"} <= listed
    assert not {"A EDI - ISA", "A EDI S A ISA"} & listed
    back = notation_of(rules, rules.opening).read("A EDI - ISA", PhaseKind.MOVEMENT)
    reason = legality.check(power, back).reason
    assert reason.endswith("units pass from Isle A to Edinburgh, and not back.")


def test_no_army_is_convoyed_over_a_one_way_contact(tmp_path: Path) -> None:
    variant = NAMES + '[powers]\nEngland = { units = ["A ISB", "F BAR"] }\n'
    rules = library.load(on_top(tmp_path, variant=variant))
    listed = set(map(str, Legality(rules, rules.opening).orders_of(Power("England"))))
    assert not any(order.startswith(("A ISB - NWY", "F BAR C A ISB")) for order in listed)


def test_the_board_as_json_has_each_way_for_itself(tmp_path: Path) -> None:
    board = describe_board(library.load(on_top(tmp_path)))
    assert "EDI" in board["armies"]["ISA"]
    assert "ISA" not in board["armies"]["EDI"]

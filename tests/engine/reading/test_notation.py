"""Orders as the field writes them: what is read, what is refused and with which words."""

import re
from collections.abc import Callable
from functools import partial
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from clockwise import standard_board
from plenipo import load
from plenipo.engine.board import Board, Coast, Code, Location, Space, Terrain, UnitKind
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.orders import Build, Convoy, Disband, Hold, Move, Order, Ref, Remove, Retreat, Support, Waive
from plenipo.engine.position import Power, PowerInfo
from plenipo.engine.reading.lexicon import Lexicon, key_of
from plenipo.engine.reading.notation import MAX_ORDER, MAX_ORDERS, Notation, notation_of
from plenipo.engine.reading.syntax import OrderReader
from plenipo.errors import AmbiguousOrder, InvalidOrder
from table import corner
from work import calls_of

MOVEMENT, RETREATS, ADJUSTMENTS = PhaseKind.MOVEMENT, PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS
POWERS = tuple(
    PowerInfo(Power(name), adjective, aliases)
    for name, adjective, aliases in (
        ("Austria", "Austrian", ("Austria-Hungary",)),
        ("England", "English", ()),
        ("France", "French", ()),
        ("Germany", "German", ()),
        ("Sweden", "Swedish", ()),
    )
)
STANDARD = Notation(standard_board(), POWERS)

MOVEMENT_ORDERS = """
A PAR - BUR            = A PAR - BUR | a par-bur | A Par-Bur | A Par -Bur | A PAR- BUR |  A   PAR  -  BUR
A PAR - BUR            = A PAR - BUR. | a. par - bur
A PAR - BUR            = Army Paris to Burgundy | Army Paris moves to Burgundy | army paris moving to burgundy
A PAR - BUR            = A PAR m BUR | A PAR MOVE BUR
A PAR - BUR            = A PAR -> BUR | A PAR --> BUR | A PAR => BUR | A PAR→BUR | A PAR ⇒ BUR | A PAR > BUR
A PAR - BUR            = A PAR moves - BUR | A PAR into BUR
A PAR - BUR            = A PAR \u2013 BUR | A PAR\u2014BUR | A PAR \u2212 BUR | A\u00a0PAR\u00a0-\u00a0BUR
A PAR - BUR            = A PAR \u2010 BUR | \ufeffA PAR - BUR
A PAR - BUR            = aPAR - BUR | A PAR - burg | The army in Paris moves to Burgundy | A PAR - BUR,
A PAR - BUR            = A PAR - BUR;
PAR - BUR              = Par-Bur | PAR - BUR | Paris to Burgundy | paris -> burgundy | par m bur
A PAR H                = A PAR H | a par h | A PAR hold | Army Paris holds | A PAR stands | A PAR stand
A PAR H                = A PAR H. | A PAR - H | A PAR to hold
PAR H                  = par h | Paris holds
F STP/NC - BAR         = F STP/NC - BAR | F stp(nc)-bar | F STP-NC - BAR | f stp nc - bar
F STP/NC - BAR         = Fleet St. Petersburg (north coast) - Barents Sea
F STP/SC - BOT         = F STP-SC-BOT | F StP(sc)-GoB | Fleet St Petersburg South Coast to Gulf of Bothnia
F STP/SC - BOT         = F STP SCS - BOT | F STP (SC) - BOT
F MID - SPA/NC         = F MID - SPA/NC | F MAO-SPA(nc) | F Mid-Atlantic - Spain north coast
F MID - SPA/NC         = F Mid-Atlantic Ocean-Spain (nc) | F MAO-SPA-NC
F MID - IRI            = F Mid-Atlantic Ocean - Irish Sea | F Mid-Atlantic-Irish Sea
F MID - IRI            = F mid\u2011atlantic \u2013 iri
A GAS - SPA/NC         = A GAS - SPA/NC | Army Gascony to Spain (nc)
A PAR/NC - BUR         = A PAR/NC - BUR | A PAR(nc)-BUR
F RUM - BUL/SC         = F RUM - BUL/SC | F rum-bul(sc) | F RUM-BUL-SC
A PAR S A MAR - BUR    = A PAR S A MAR - BUR | a par s a mar-bur | A PAR supports A MAR to BUR
A PAR S A MAR - BUR    = A PAR sup A MAR -> BUR
A PAR S A MAR - BUR    = Army Paris supports Army Marseilles moving to Burgundy
A PAR S A MAR - BUR    = Army Paris supports Army Marseilles in moving to Burgundy
A PAR S A MAR - BUR    = Army Paris to support Army Marseilles to Burgundy
A PAR S A MAR - BUR    = Army Paris supports Army Marseilles to move to Burgundy
A PAR S A MAR - BUR    = A PAR S the army in Marseilles - BUR
A PAR S A MAR - BUR    = A PAR S French A MAR - BUR | A PAR S France's A MAR - BUR
A PAR S A MAR - BUR    = A PAR S France\u2019s A MAR - BUR | A PAR S A MAR - BUR VIA
A PAR S A MAR - BUR    = A PAR S A MAR via convoy - BUR | A PAR support move to BUR from A MAR
A PAR S A MAR - BUR    = A PAR S A MAR - GOL - WES - BUR
A PAR S MAR - BUR      = A PAR S MAR-BUR | A PAR S MAR - BUR
A PAR S MAR - BUR      = The army at Paris support move to Burgundy from Marseilles
A PAR S A BUR          = A PAR S A BUR | A PAR S A BUR H | A PAR S A BUR holding | A PAR supports A BUR to hold
A PAR S A BUR          = A PAR S A BUR - H | A PAR supports Army Burgundy in holding
A PAR S A BUR          = A PAR S Germany's A BUR | A PAR S German A BUR | A PAR S Germany A BUR
A PAR S BUR            = A PAR S BUR | a par s bur | A PAR support hold to Burgundy | A PAR S Germany's BUR
A PAR S F STP/SC - LVN = A PAR S F STP(SC) - LVN | a par s f stp sc-lvn
F NTH C A YOR - NWY    = F NTH C A YOR - NWY | f nth c a yor-nwy
F NTH C A YOR - NWY    = Fleet North Sea convoys Army Yorkshire to Norway | F NTH transports A YOR - NWY
F NTH C A YOR - NWY    = F NTH C English A YOR - NWY | F NTH C A YOR - NWY VIA | FNTH C A YOR - NWY
F NTH C A YOR - NWY    = F NTH convoy to NWY from A YOR
F NTH C YOR - NWY      = F NTH C YOR-NWY | Fleet North Sea convoy to Norway from Yorkshire
A LON - NWY VIA        = A LON - NWY VIA | a lon-nwy via | A LON - NWY via convoy | A LON-NWY by convoy
A LON - NWY VIA        = A LON - NWY by sea | A LON - NWY via sea
A LON - NWY VIA        = A LON - NWY (convoy) | A LON - NWY (via convoy) | A LON - NWY (by convoy)
A LON - NWY VIA        = A LON - NWY (VIA) | A LON - NWY by a convoy
A LON - NWY VIA        = A Lon-Nth-Nwy | A LON - NTH - NWY | A LON VIA NTH - NWY | A LON - ENG - NTH - NWY
A LON - NWY VIA        = A LON - NWY VIA NTH | A LON - NWY via NTH - SKA
A LON - NWY VIA        = A LON via convoy - NWY | A LON by sea to NWY | Army London moves via convoy to Norway
A LON - NWY VIA        = A London-North Sea-Norway | A LON VIA - NWY
A LON H                = England: A LON H | ENGLAND: a lon h | England A LON H | English A LON H
A LON H                = England's A LON holds | Austria-Hungary: A LON H
A LON - NTH            = ENGLAND A LON - NTH
LON - NTH              = England LON - NTH
SWE - NWY              = Sweden - Norway | Sweden: SWE - NWY
A SWE - NWY            = Sweden A SWE - NWY | Swedish A Sweden - Norway
F ENG - MID            = F English - MAO | F English Channel - Mid Atlantic
A TYO - MUN            = A TYR - MUN | A Tyrol-Munich
F TYN - ION            = F TYRR - ION | F Tyrrhenian Sea-Ionian Sea
"""
"""Canonical text = spellings, apart by `|`."""

RETREAT_ORDERS = """
A VIE R BOH            = A VIE R BOH | A VIE - BOH | a vie-boh | A VIE retreats to BOH | A VIE retreat - BOH
A VIE R BOH            = Army Vienna to Bohemia | A VIE R - BOH
A TYO R BOH            = A TYR R BOH | Austria: A TYR r BOH
F STP/NC R NWY         = F STP(NC) R NWY | F STP/NC - NWY
A VIE D                = A VIE D | A VIE disbands | A VIE disband | disband A VIE | A VIE remove | drop A VIE
A VIE D                = A VIE drops | Remove A VIE | d a vie
VIE D                  = Vienna disbands | VIE D
"""

ADJUSTMENT_ORDERS = """
A PAR B                = A PAR B | Build A PAR | B A PAR | build army paris | A PAR build | Army Paris builds
A PAR B                = France: Build A PAR | France build A PAR
F STP/NC B             = F STP/NC B | BUILD F STP(nc) | build fleet st petersburg north coast | B F STP-NC
A STP/NC B             = A STP/NC B | build a stp nc
PAR B                  = build paris | PAR B
A GAS D                = A GAS D | Remove A GAS | D A GAS | disband A GAS | drop a gas | A GAS removed
A GAS D                = A GAS disband | Germany's A GAS disband
SWE D                  = Sweden D | disband sweden | Sweden: Sweden D
A SWE D                = Sweden disband A SWE | Sweden: D A SWE
WAIVE                  = WAIVE | W | waive | waive build | build waive | WAIVE 1 | Sweden waive | Waive.
WAIVE 2                = WAIVE 2 | waive 2 | w 2 | waive 2 builds | build waive 2
"""


def rows(table: str, kind: PhaseKind) -> list[tuple[str, PhaseKind, str]]:
    """Text, phase and canonical text of every spelling in a table."""
    found = []
    for line in table.strip().splitlines():
        canonical, _, texts = line.partition(" = ")
        found += [(text, kind, canonical.strip()) for text in texts.split(" | ")]
    return found


READ = [*rows(MOVEMENT_ORDERS, MOVEMENT), *rows(RETREAT_ORDERS, RETREATS), *rows(ADJUSTMENT_ORDERS, ADJUSTMENTS)]


SECOND_ROUND = """
movement    | A PAR SH A BUR                     | A PAR S A BUR
movement    | A PAR SM A MAR - BUR               | A PAR S A MAR - BUR
movement    | A PAR gives support to A BUR       | A PAR S A BUR
movement    | F NTH con A YOR - NWY              | F NTH C A YOR - NWY
movement    | A LON -(C)- NWY                    | A LON - NWY VIA
movement    | A LON -C-> NWY                     | A LON - NWY VIA
movement    | A LON - NWY (C)                    | A LON - NWY VIA
movement    | A LON - NWY using F NTH            | A LON - NWY VIA
movement    | F STP-S - BOT                      | F STP/SC - BOT
movement    | F(StP)(sc)-G.of Bothnia            | F STP/SC - BOT
movement    | F Mid-Atlantic Ocean - N. Spain    | F MID - SPA/NC
movement    | A(Par)S.A(Mar)-Bur (fails)         | A PAR S A MAR - BUR
movement    | North Sea's fleet convoys London army (ENG) to NWY | F NTH C A LON - NWY
movement    | F.North Sea - Norway [bounced]     | F NTH - NWY
movement    | F.STP.sc S: Fleet BOT              | F STP/SC S F BOT
movement    | pls move a par 2 bur thx           | A PAR - BUR
movement    | Munich holds (army)                | A MUN H
retreats    | A VIE falls back to BOH            | A VIE R BOH
retreats    | A VIE retreats: BOH                | A VIE R BOH
retreats    | A VIE (dislodged) - BOH            | A VIE R BOH
retreats    | A VIE off the board                | A VIE D
adjustments | Take off A MUN                     | A MUN D
adjustments | R A MUN                            | A MUN D
adjustments | 1 build waived                     | WAIVE
"""


@pytest.mark.parametrize("row", SECOND_ROUND.strip().splitlines())
def test_shortened_verbs_notes_and_marks_of_writers_are_read(row: str) -> None:
    kind, text, canonical = (part.strip() for part in row.split("|"))
    assert str(STANDARD.read(text, PhaseKind(kind))) == canonical


@pytest.mark.parametrize(
    ("kind", "text", "orders"),
    [
        (MOVEMENT, "A PAR H A MAR - BUR F BRE - MID", ["A PAR H", "A MAR - BUR", "F BRE - MID"]),
        (MOVEMENT, "1. A PAR H 2. A MAR H", ["A PAR H", "A MAR H"]),
        (MOVEMENT, "Hello GM,\nA PAR H\n---\nA MAR H, bounced\nCheers,\nPaul", ["A PAR H", "A MAR H"]),
        (MOVEMENT, "SIGNON x y\nSubject: orders\nA PAR H\nsignoff", ["A PAR H"]),
        (MOVEMENT, "A LON - BEL via NTH, ENG", ["A LON - BEL VIA"]),
        (ADJUSTMENTS, "France (+2): A PAR, F BRE", ["A PAR B", "F BRE B"]),
        (ADJUSTMENTS, "Germany -1:\nA MUN", ["A MUN D"]),
    ],
)
def test_what_stands_round_and_between_orders_is_passed_over(kind: PhaseKind, text: str, orders: list[str]) -> None:
    order_set = STANDARD.order_set(text, kind)
    assert ([str(order) for order in order_set.orders], order_set.faults) == (orders, ())


@pytest.mark.parametrize(
    ("text", "ways"),
    [("Tyr H", ("TYN", "TYO")), ("F NTH S ENG LON", ("ENG - LON", "LON"))],
)
def test_a_text_that_two_units_may_be_meant_by_asks_which(text: str, ways: tuple[str, ...]) -> None:
    with pytest.raises(AmbiguousOrder) as asked:
        notation_of(load("standard")).read(text, MOVEMENT)
    assert asked.value.suggestions == ways


def test_a_letter_before_a_heading_is_not_lost_by_looking_twice() -> None:
    assert str(STANDARD.read("APAR S: A MAR", MOVEMENT)) == "A PAR S A MAR"


def test_a_head_of_a_mail_with_an_order_in_it_is_not_passed_over() -> None:
    assert STANDARD.order_set("Subject: A PAR - BUR", MOVEMENT).faults


@pytest.mark.parametrize(("text", "kind", "canonical"), READ)
def test_an_order_is_read_as_the_field_writes_it(text: str, kind: PhaseKind, canonical: str) -> None:
    for spelt in (text, text.upper(), text.lower(), f"  {text.replace(' ', '  ')}. "):
        assert str(STANDARD.read(spelt, kind)) == canonical


@pytest.mark.parametrize(
    ("text", "kind", "order"),
    [
        ("A PAR H", MOVEMENT, Hold(Ref(UnitKind.ARMY, Location(Code("PAR"))))),
        ("lon-nwy via", MOVEMENT, Move(Ref(None, Location(Code("LON"))), Location(Code("NWY")), via=True)),
        ("A VIE - BOH", RETREATS, Retreat(Ref(UnitKind.ARMY, Location(Code("VIE"))), Location(Code("BOH")))),
        ("A VIE D", RETREATS, Disband(Ref(UnitKind.ARMY, Location(Code("VIE"))))),
        ("A VIE D", ADJUSTMENTS, Remove(Ref(UnitKind.ARMY, Location(Code("VIE"))))),
        ("F STP/NC B", ADJUSTMENTS, Build(Ref(UnitKind.FLEET, Location(Code("STP"), Coast("NC"))))),
        ("waive 3", ADJUSTMENTS, Waive(3)),
    ],
)
def test_the_phase_decides_the_type_of_an_order(text: str, kind: PhaseKind, order: Order) -> None:
    assert STANDARD.read(text, kind) == order
    assert STANDARD.read(f"{text}.", kind) == order


REFUSED: list[tuple[str, PhaseKind, str, str]] = [
    ("A PAR jumps BUR", MOVEMENT, "jumps", "'jumps' is not an order; after a unit write -, S, C or H."),
    ("A VIE jumps", RETREATS, "jumps", "'jumps' is not an order; after a unit write - or D."),
    ("A PAR ?", ADJUSTMENTS, "?", "'?' is not an order; after a unit write B or D."),
    ("A PAR", MOVEMENT, "A PAR", "'A PAR' is a unit without an order; write -, S, C or H after it."),
    ("", MOVEMENT, "", "'' is not an order; write one such as 'A PAR H'."),
    (" . ", RETREATS, ".", "'.' is not an order; write one such as 'A PAR H'."),
    ("A PAR B", MOVEMENT, "A PAR B",
     "'A PAR B' is a build, which is ordered in an adjustment phase; this is a movement phase."),
    ("A PAR D", MOVEMENT, "A PAR D",
     "'A PAR D' is a disbandment, which is ordered in a retreat phase or an adjustment phase; "
     "this is a movement phase."),
    ("A VIE R BOH", MOVEMENT, "A VIE R BOH",
     "'A VIE R BOH' is a retreat, which is ordered in a retreat phase; this is a movement phase."),
    ("A VIE S A BOH", RETREATS, "A VIE S A BOH",
     "'A VIE S A BOH' is a support, which is ordered in a movement phase; this is a retreat phase."),
    ("F NTH C A YOR - NWY", RETREATS, "F NTH C A YOR - NWY",
     "'F NTH C A YOR - NWY' is a convoy, which is ordered in a movement phase; this is a retreat phase."),
    ("A PAR - BUR", ADJUSTMENTS, "A PAR - BUR",
     "'A PAR - BUR' is a move, which is ordered in a movement phase or a retreat phase; this is an adjustment phase."),
    ("A PAR H", ADJUSTMENTS, "A PAR H",
     "'A PAR H' is a hold, which is ordered in a movement phase; this is an adjustment phase."),
    ("waive", MOVEMENT, "waive",
     "'waive' is a waived build, which is ordered in an adjustment phase; this is a movement phase."),
    ("A PAR H", PhaseKind.OWNERSHIP, "A PAR H",
     "'A PAR H' cannot be ordered now; an ownership phase asks for no orders."),
    ("A VIE - BOH VIA", RETREATS, "A VIE - BOH VIA",
     "'A VIE - BOH VIA' goes by convoy, but a retreat never does; write 'A VIE - BOH'."),
    ("A PAR -", MOVEMENT, "A PAR -", "'A PAR -' ends where the name of a space should follow."),
    ("A PAR S", MOVEMENT, "A PAR S", "'A PAR S' does not say which unit it helps; name that unit at the end."),
    ("F NTH C A YOR", MOVEMENT, "F NTH C A YOR",
     "'F NTH C A YOR' is a convoy without a destination; write it as in 'F NTH C A YOR - NWY'."),
    ("A PAR S to BUR", MOVEMENT, "to BUR",
     "'to BUR' does not say which unit goes there; write the unit before it."),
    ("A - BUR", MOVEMENT, "A", "'A' is a unit without a space; write it as in 'A PAR'."),
    ("A PAR S F", MOVEMENT, "F", "'F' is a unit without a space; write it as in 'A PAR'."),
    ("support A PAR", MOVEMENT, "support", "'support' has no unit before it; write an order such as 'A PAR H'."),
    ("A PAR - BUR A MAR - PAR", MOVEMENT, "A MAR - PAR",
     "'A MAR - PAR' is more than the order 'A PAR - BUR' needs; leave it out."),
    ("A PAR VIA", MOVEMENT, "VIA", "'VIA' names a way but no destination; write '-' and a space after it."),
    ("A LON VIA NTH", MOVEMENT, "VIA NTH", "'VIA NTH' names a way but no destination; write '-' and a space after it."),
    ("F POR - SC", MOVEMENT, "SC", "'SC' is a coast; write its space before it, as in 'STP/NC'."),
    ("waive 0", ADJUSTMENTS, "0", "'0' is not a number of builds to waive; write 1 or more."),
    ("waive 12345", ADJUSTMENTS, "12345", "'12345' is not a number of builds to waive; write 1 or more."),
    ("Foo: A PAR H", MOVEMENT, "Foo",
     "'Foo' is not a power of this game; the powers are Austria, England, France, Germany and Sweden."),
    (": A PAR H", MOVEMENT, ":",
     "':' is not a power of this game; the powers are Austria, England, France, Germany and Sweden."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind", "piece", "message"), REFUSED)
def test_a_fault_quotes_the_piece_that_is_wrong_and_says_what_is_right(
    text: str, kind: PhaseKind, piece: str, message: str
) -> None:
    with pytest.raises(InvalidOrder) as caught:
        STANDARD.read(text, kind)
    assert str(caught.value) == message
    assert caught.value.piece == piece


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("A BURG0 - PAR", "BURG0"),
        ("A PAR - BURG0", "BURG0"),
        ("A PAR S A BURG0 - PAR", "BURG0"),
        ("A LON - NTHH - NWY", "NTHH"),
        ("A LON VIA XXX - NWY", "XXX"),
        ("A Fooland Sea - BUR", "Fooland Sea"),
        ("F STP/XC - BAR", "XC"),
        ("A PAR - D", "D"),
        ("Build A", "A"),
        ("A PAR - STP(NC", "(NC"),
    ],
)
def test_a_fault_quotes_only_the_name_that_is_wrong(text: str, piece: str) -> None:
    kind = ADJUSTMENTS if text.startswith("Build") else MOVEMENT
    with pytest.raises(InvalidOrder) as caught:
        STANDARD.read(text, kind)
    assert caught.value.piece == piece


@pytest.mark.parametrize(
    "text", ["A LIV - EDI", "A PAR - LIV", "F NTH S F NOR", "NOR - SWE", "A LON - NOR - SWE", "Fleet Nor H"]
)
def test_a_name_of_several_spaces_is_ambiguous_wherever_it_stands(text: str) -> None:
    with pytest.raises(AmbiguousOrder, match="; write one of them"):
        STANDARD.read(text, MOVEMENT)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("F TYR - ION", "F TYN - ION"),
        ("F NAP - TYR", "F NAP - TYN"),
        ("A TYR - VEN", "A TYO - VEN"),
        ("A VIE S A TYR - VEN", "A VIE S A TYO - VEN"),
        ("A ROM S F NAP - TYR", "A ROM S F NAP - TYN"),
        ("F ION S F TYR", "F ION S F TYN"),
        ("F TYR C A ROM - TUN", "F TYN C A ROM - TUN"),
        ("A ROM - TYR - TUN", "A ROM - TUN VIA"),
        ("Tyr - Ion", "TYN - ION"),
        ("Nap - Tyr", "NAP - TYN"),
        ("Tyr - Ven", "TYO - VEN"),
        ("A NORW - SWE", "A NWY - SWE"),
        ("A ROM - BUD", "A ROM - BUD"),
        ("ROM - BUD", "ROM - BUD"),
    ],
)
def test_the_kind_of_a_unit_decides_between_spaces_of_one_abbreviation(text: str, canonical: str) -> None:
    assert str(STANDARD.read(text, MOVEMENT)) == canonical
    assert str(Notation(standard_board()).read(text.lower(), MOVEMENT)) == canonical


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("A PAR - BUR - MUN",
         "'BUR - MUN' names more than one step, and Burgundy carries no convoy; write 'A PAR - BUR' or 'A PAR - MUN'."),
        ("A PAR-BUR-BUR", "'BUR-BUR' names more than one step, and Burgundy carries no convoy; write 'A PAR - BUR'."),
        ("F BRE - ENG - NTH",
         "'ENG - NTH' names more than one step, and a fleet is not convoyed; write 'F BRE - ENG' or 'F BRE - NTH'."),
        ("A PAR S A MAR - BUR - MUN",
         "'BUR - MUN' names more than one step, and Burgundy carries no convoy; "
         "write 'A PAR S A MAR - BUR' or 'A PAR S A MAR - MUN'."),
    ],
)  # fmt: skip
def test_a_path_over_land_is_asked_about(text: str, sentence: str) -> None:
    with pytest.raises(InvalidOrder) as caught:
        STANDARD.read(text, MOVEMENT)
    assert str(caught.value) == sentence
    assert not isinstance(caught.value, AmbiguousOrder)  # which a position might settle, and nothing may


@pytest.mark.parametrize("separator", [", ", "; ", "\n", " and "])
def test_a_fault_in_a_list_leaves_the_other_orders_as_they_are(separator: str) -> None:
    order_set = STANDARD.order_set(separator.join(("Build A PAR", "F XYZ", "F BRE")), ADJUSTMENTS)
    assert [str(order) for order in order_set.orders][:1] == ["A PAR B"]
    assert [fault.piece for fault in order_set.faults][:1] == ["XYZ"]
    assert len(order_set.lines) == 3
    assert ("F BRE B" in map(str, order_set.orders)) is (separator != "\n")


NORTHERN = Notation(
    Board.from_contacts(
        "northern",
        [
            Space(Code("MOR"), "Morocco", Terrain.COAST),
            Space(Code("BUR"), "Burgundy", Terrain.COAST),
            Space(Code("NTH"), "North Sea", Terrain.SEA),
            Space(Code("NAT"), "North Atlantic Ocean", Terrain.SEA),
        ],
        (),
        (),
    )
)


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("A MOR - North Africa", "North Africa"),
        ("A North Africa - MOR", "North Africa"),
        ("A North Africa", "North Africa"),
        ("A MOR S A North Africa H", "North Africa"),
        ("A MOR S A North Africa in moving to BUR", "North Africa"),
        ("A MOR - North Africa nc", "North Africa"),
        ("A MOR - North Africa/NC", "North Africa"),
        ("A MOR VIA North Africa - BUR", "North Africa"),
        ("A MOR - Burg Castle", "Burg Castle"),
        ("A Burg Castle - MOR", "Burg Castle"),
    ],
)
def test_a_name_is_unknown_as_a_whole_though_its_first_word_may_be_the_beginning_of_others(
    text: str, piece: str
) -> None:
    with pytest.raises(InvalidOrder) as caught:
        NORTHERN.read(text, MOVEMENT)
    assert not isinstance(caught.value, AmbiguousOrder)
    assert caught.value.piece == piece
    assert str(caught.value).startswith(f"'{piece}' is not a space of this board; ")


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("A Burg nc - Moroc", "A BUR/NC - MOR"),
        ("A Burg north coast - Moroc", "A BUR/NC - MOR"),
        ("A Burg (nc) - Moroc", "A BUR/NC - MOR"),
        ("A MOR S A Burg in holding", "A MOR S A BUR"),
        ("A MOR S A Burg to North At", "A MOR S A BUR - NAT"),
        ("A Burg by sea to Moroc", "A BUR - MOR VIA"),
        ("A Moroc via North Se - Burg", "A MOR - BUR VIA"),
    ],
)
def test_a_beginning_may_stand_before_a_coast_and_before_words_of_orders(text: str, canonical: str) -> None:
    assert str(NORTHERN.read(text, MOVEMENT)) == canonical


def test_without_powers_no_name_may_stand_before_an_order() -> None:
    with pytest.raises(InvalidOrder, match=r"'England' is not a power of this game; leave it out\."):
        Notation(standard_board()).read("England: A LON H", MOVEMENT)


@pytest.mark.parametrize(
    ("text", "ref"),
    [
        ("A PAR", Ref(UnitKind.ARMY, Location(Code("PAR")))),
        ("Fleet North Sea", Ref(UnitKind.FLEET, Location(Code("NTH")))),
        ("par", Ref(None, Location(Code("PAR")))),
        ("fstp(nc)", Ref(UnitKind.FLEET, Location(Code("STP"), Coast("NC")))),
        ("German army Kiel", Ref(UnitKind.ARMY, Location(Code("KIE")))),
        ("F Mid-Atlantic", Ref(UnitKind.FLEET, Location(Code("MID")))),
    ],
)
def test_a_unit_is_read_on_its_own(text: str, ref: Ref) -> None:
    assert STANDARD.unit(text) == ref


@pytest.mark.parametrize("text", ["A PAR H", "A", "", "A PAR BUR", "PAR/"])
def test_what_is_more_or_less_than_a_unit_is_refused(text: str) -> None:
    with pytest.raises(InvalidOrder):
        STANDARD.unit(text)


def test_a_letter_glued_to_a_space_is_refused_where_it_may_be_a_name() -> None:
    board = Board.from_contacts("test", [Space(Code(c), n, Terrain.COAST) for c, n in PLACES_THAT_GLUE], (), ())
    with pytest.raises(AmbiguousOrder, match=r"'Alba' may be ALN \(Albany\) or A LBA; write one of them\."):
        Notation(board).read("Alba H", MOVEMENT)


PLACES_THAT_GLUE = [("ALN", "Albany"), ("LBA", "Elba")]


# -- corners and other boards -------------------------------------------------------------------------------


def cornered() -> Board:
    """Part of a board with corners: Spain's two, one coast that needs no name, and a split sea."""
    sea, coast = Terrain.SEA, Terrain.COAST
    spaces = [
        Space(Code("MID"), "Mid-Atlantic Ocean", sea, aliases=("MAO",)),
        Space(Code("POR"), "Portugal", coast),
        Space(Code("SPA"), "Spain", coast, coasts=(Coast("NC"), Coast("SC"))),
        Space(Code("NTH 1"), "North Sea 1", sea),
        Space(Code("NTH 2"), "North Sea 2", sea),
        *(
            Space(Code(code), code, coast, corner=corner(code))
            for code in ("[MID/POR/SPA(nc)]", "[MID/POR/SPA(sc)]", "[BEL/BUR/PIC]", "[BEL/HOL/NTH 1]")
        ),
    ]
    north, south = Location(Code("[MID/POR/SPA(nc)]")), Location(Code("[MID/POR/SPA(sc)]"))
    fleets = [
        (Location(Code("SPA"), Coast("NC")), north),
        (Location(Code("SPA"), Coast("SC")), south),
        *((Location(Code(code)), end) for code in ("MID", "POR") for end in (north, south)),
    ]
    return Board.from_contacts("corners", spaces, [("POR", north.space), ("POR", south.space)], fleets)


CORNERS = Notation(cornered())


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("A [pic/bel/bur] H", "A [BEL/BUR/PIC] H"),
        ("a [BEL/BUR/PIC]-por", "A [BEL/BUR/PIC] - POR"),
        ("POR S [BUR/PIC/BEL]", "POR S [BEL/BUR/PIC]"),
        ("F MAO C A [BEL/BUR/PIC]-SPA", "F MID C A [BEL/BUR/PIC] - SPA"),
        ("F nth 1 - nth 2", "F NTH 1 - NTH 2"),
        ("F NTH1 - NTH2", "F NTH 1 - NTH 2"),
        ("F North Sea 1 S F North Sea 2 - [nth 1/hol/bel]", "F NTH 1 S F NTH 2 - [BEL/HOL/NTH 1]"),
        ("F SPA(nc) - [MID/POR/SPA]", "F SPA/NC - [MID/POR/SPA(nc)]"),
        ("F SPA/SC - [spa/por/mao]", "F SPA/SC - [MID/POR/SPA(sc)]"),
        ("F POR - [MID/POR/SPA(nc)]", "F POR - [MID/POR/SPA(nc)]"),
        ("F POR S F SPA/SC - [MID/POR/SPA]", "F POR S F SPA/SC - [MID/POR/SPA(sc)]"),
        ("F SPA/NC S F MID - [MID/POR/SPA]", "F SPA/NC S F MID - [MID/POR/SPA(nc)]"),
    ],
)
def test_corners_and_parts_of_spaces_are_places_like_others(text: str, canonical: str) -> None:
    assert str(CORNERS.read(text, MOVEMENT)) == canonical


@pytest.mark.parametrize(
    "text",
    ["F POR - [MID/POR/SPA]", "A POR - [MID/POR/SPA]", "F SPA - [MID/POR/SPA]", "F [MID/POR/SPA] H", "F NTH H"],
)
def test_a_corner_both_of_whose_readings_can_be_meant_is_ambiguous(text: str) -> None:
    with pytest.raises(AmbiguousOrder):
        CORNERS.read(text, MOVEMENT)


def test_a_retreat_too_may_leave_out_the_coast_of_a_corner_that_is_clear() -> None:
    assert str(CORNERS.read("F SPA/NC R [MID/POR/SPA]", RETREATS)) == "F SPA/NC R [MID/POR/SPA(nc)]"


# -- order sets -------------------------------------------------------------------------------------------------

ORDER_SET = """England:
A LON H
F NTH - NWY; F EDI S F NTH - NWY, A LVP XXX

Germany: A BER H, A MUN - [BEL, BUR]
FRANCE
A PAR - BUR, A PAR - PIC
English A YOR H
Foo: A BUD H
"""


def test_an_order_set_keeps_orders_and_faults_in_their_places() -> None:
    order_set = STANDARD.order_set(ORDER_SET, MOVEMENT)
    assert [(line.number, line.power, str(line.order) if line.order else None) for line in order_set.lines] == [
        (2, "England", "A LON H"),
        (3, "England", "F NTH - NWY"),
        (3, "England", "F EDI S F NTH - NWY"),
        (3, "England", None),
        (5, "Germany", "A BER H"),
        (5, "Germany", None),
        (7, "France", "A PAR - BUR"),
        (7, "France", "A PAR - PIC"),
        (8, "England", "A YOR H"),
        (9, "France", None),
    ]
    assert [fault.piece for fault in order_set.faults] == ["XXX", "[BEL, BUR]", "Foo"]
    assert len(order_set.orders) == 7
    assert order_set.lines[3].text == "A LVP XXX"


def test_a_fault_keeps_the_power_it_was_written_for() -> None:
    line = STANDARD.line("Germany: A XXX H", MOVEMENT)
    assert (line.power, line.order) == ("Germany", None)
    assert line.fault is not None
    assert line.fault.piece == "XXX"


def test_an_empty_order_set_has_no_lines() -> None:
    assert STANDARD.order_set(" \n;;, \n\n", MOVEMENT).lines == ()


def test_a_space_named_as_a_power_is_no_heading() -> None:
    order_set = STANDARD.order_set("Sweden\nSweden:\nSweden H", MOVEMENT)
    assert [(line.number, line.power) for line in order_set.lines] == [(1, None), (3, "Sweden")]


def test_an_order_set_that_is_too_long_ends_in_one_fault() -> None:
    order_set = STANDARD.order_set("A PAR H;" * (MAX_ORDERS + 5), MOVEMENT)
    assert len(order_set.orders) == MAX_ORDERS
    assert len(order_set.faults) == 1
    assert str(MAX_ORDERS) in str(order_set.faults[0])


# -- properties ---------------------------------------------------------------------------------------------

COASTS = tuple(map(Coast, ("", "", "", "NC", "SC", "EC", "WC")))


def locations(board: Board) -> st.SearchStrategy[Location]:
    """Any space with any coast, or none."""
    return st.builds(Location, st.sampled_from(sorted(board.spaces)), st.sampled_from(COASTS))


def orders(board: Board, *letters: UnitKind | None) -> st.SearchStrategy[tuple[Order, PhaseKind]]:
    """Any order of any kind, legal or not, and its phase; `letters` are those that units may have."""
    places = locations(board)
    refs = st.builds(Ref, st.sampled_from(letters or (None, UnitKind.ARMY, UnitKind.FLEET)), places)
    movement = st.one_of(
        st.builds(Hold, refs),
        st.builds(Move, refs, places, st.booleans()),
        st.builds(Support, refs, refs, st.none() | places),
        st.builds(Convoy, refs, refs, places),
    )
    retreats = st.builds(Retreat, refs, places) | st.builds(Disband, refs)
    adjustments = st.one_of(st.builds(Build, refs), st.builds(Remove, refs), st.builds(Waive, st.integers(1, 999)))
    return st.one_of(
        st.tuples(movement, st.just(MOVEMENT)),
        st.tuples(retreats, st.just(RETREATS)),
        st.tuples(adjustments, st.just(ADJUSTMENTS)),
    )


@example((Hold(Ref(None, Location(Code("HOL"), Coast("NC")))), MOVEMENT))
@given(orders(STANDARD.board))
def test_what_is_written_is_read_back(given_order: tuple[Order, PhaseKind]) -> None:
    order, kind = given_order
    for text in (str(order), str(order).lower(), f"Germany: {order}", f"{order}."):
        assert STANDARD.read(text, kind) == order


@given(orders(CORNERS.board))
def test_what_is_written_for_a_board_with_corners_is_read_back(given_order: tuple[Order, PhaseKind]) -> None:
    order, kind = given_order
    for text in (str(order), str(order).lower(), str(order).upper(), f"{order}."):
        assert CORNERS.read(text, kind) == order


LETTERS = Notation(
    Board.from_contacts("letters", [Space(Code(c), c, Terrain.COAST) for c in "A B C D F H M R S W".split()], (), ())
)


@given(orders(LETTERS.board, UnitKind.ARMY, UnitKind.FLEET))
def test_spaces_named_like_letters_of_orders_are_distinguished_from_them(given_order: tuple[Order, PhaseKind]) -> None:
    order, kind = given_order
    for text in (str(order), f"{order}."):
        assert LETTERS.read(text, kind) == order


@given(orders(STANDARD.board), st.randoms(use_true_random=False))
def test_any_alias_will_do_for_a_code(given_order: tuple[Order, PhaseKind], random: Random) -> None:
    order, kind = given_order
    spaces, rivals = STANDARD.board.spaces, Lexicon(STANDARD.board).rivals  # the kind of the unit decides between these

    def respell(match: re.Match[str]) -> str:
        space = spaces.get(Code(match.group()))
        if space is None:
            return match.group()  # VIA
        names = (space.code, space.name, space.name.upper(), *space.aliases)
        return random.choice([name for name in names if key_of(name) not in rivals])

    assert STANDARD.read(re.sub(r"\b[A-Z]{3}\b", respell, str(order)), kind) == order


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("A Rom (s) Ven-Tyo", "A ROM S VEN - TYO"),
        ("A ROM (S) A VEN", "A ROM S A VEN"),
        ("F Ionian (c) Tunis-Naples", "F ION C TUN - NAP"),
        ("F NTH (h)", "F NTH H"),
        ("F BUL (s) A CON - SMY", "F BUL S A CON - SMY"),
        ("F BUL (e) (s) A CON - SMY", "F BUL/EC S A CON - SMY"),
        ("F BUL (s) S A CON - GRE", "F BUL/SC S A CON - GRE"),
        ("F STP (s) - BOT", "F STP/SC - BOT"),
        ("A Edi hol", "A EDI H"),
        ("HOL H", "HOL H"),
        ("A BEL - HOL", "A BEL - HOL"),
        ("F North Sea (NTH) - NWY", "F NTH - NWY"),
        ("F (NTH) - (NWY)", "F NTH - NWY"),
    ],
)
def test_texts_as_rule_books_print_them_are_read(text: str, canonical: str) -> None:
    assert str(STANDARD.read(text, MOVEMENT)) == canonical


def test_a_move_without_its_hyphen_is_not_taken_for_a_hold() -> None:
    with pytest.raises(InvalidOrder, match="'HOL' is no"):
        STANDARD.read("A BEL HOL", MOVEMENT)


def test_a_choice_may_be_selected() -> None:
    assert str(STANDARD.read("Select London", PhaseKind.CHOICE)) == "CHOOSE LON"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("F SPA(nc) - MID/POR/SPA", "F SPA/NC - [MID/POR/SPA(nc)]"),
        ("F North Sea (NTH 2) - NTH 1", "F NTH 2 - NTH 1"),
        ("F NTH 1 - (NTH 2)", "F NTH 1 - NTH 2"),
    ],
)
def test_corners_need_no_brackets_and_a_code_in_parentheses_says_which_part(text: str, canonical: str) -> None:
    assert str(CORNERS.read(text, MOVEMENT)) == canonical


@pytest.mark.parametrize("text", ["F LVP - NAT/IRI/MID", "F LVP - iri/mid/nat", "F lpl-[MAO/NAT/IRI]"])
def test_the_areas_of_a_corner_stand_in_any_order(text: str) -> None:
    board = load("corner").board
    assert str(Notation(board).read(text, MOVEMENT)) == "F LVP - [IRI/MID/NAT]"


def test_a_name_of_several_words_may_begin_like_a_verb() -> None:
    assert str(STANDARD.read("W Med H", PhaseKind.MOVEMENT)) == "WES H"
    assert str(STANDARD.read("w med - tyn", PhaseKind.MOVEMENT)) == "WES - TYN"


@given(orders(STANDARD.board))
def test_spacing_and_marks_do_not_matter(given_order: tuple[Order, PhaseKind]) -> None:
    order, kind = given_order
    for text in (
        str(order).replace(" - ", "-"),
        str(order).replace(" - ", " \N{EN DASH} "),
        str(order).replace(" ", "  "),
        re.sub(r"/(\w\w)", r"(\1)", str(order)),
        re.sub(r"/(\w)C", r" (\1c)", str(order)),
    ):
        assert STANDARD.read(text, kind) == order


PIECES = (
    *"A F a PAR BUR LIV NOR stp/nc STP(NC) / ( ) [ ] - -> to via by convoy H S C D B R W".split(),
    *"waive 2 build : ; . , '".split(),
    *("Mid-Atlantic", "North Sea", "Germany's", "England", "[BEL/BUR/PIC]", "in", "from", "of", "the", "gulf", "nc"),
)


def refusal(read: Callable[[str], object], text: str) -> str | None:
    """Return the refusal of `text`, if any; other exceptions pass through."""
    try:
        read(text)
    except InvalidOrder as fault:
        return str(fault)
    return None


@given(
    st.text()
    | st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join)
    | st.lists(st.sampled_from(PIECES)).map("".join),
    st.sampled_from(PhaseKind),
)
def test_any_text_is_read_or_refused_in_one_short_sentence(text: str, kind: PhaseKind) -> None:
    for notation in (STANDARD, CORNERS):
        for message in filter(None, (refusal(partial(notation.read, kind=kind), text), refusal(notation.unit, text))):
            assert message.startswith("'")
            assert message.endswith(".")
            assert message.isprintable()
            assert len(message) < 400
        assert len(notation.order_set(text, kind).lines) <= len(text)


@given(st.lists(st.sampled_from(PIECES), max_size=10).map(" ".join), st.sampled_from((MOVEMENT, RETREATS, ADJUSTMENTS)))
def test_reading_the_canonical_text_again_changes_nothing(text: str, kind: PhaseKind) -> None:
    line = STANDARD.line(text, kind)
    if line.order is not None:
        assert STANDARD.read(str(line.order), kind) == line.order


MOST_CALLS = 40
"""The most calls per character of a text."""

MEGABYTE = 10**6


@pytest.mark.parametrize(
    "text",
    [
        "a" * MEGABYTE,
        "[" * MEGABYTE,
        "(" * MEGABYTE,
        "-" * MEGABYTE,
        ";" * MEGABYTE,
        "\n" * MEGABYTE,
        " " * MEGABYTE,
        "\N{COMBINING ACUTE ACCENT}" * MEGABYTE,
        "[/" * (MEGABYTE // 2),
        "A PAR - " * (MEGABYTE // 8),
        "x y;" * (MEGABYTE // 4),
        "A FOO H\n" * (MEGABYTE // 8),
        "".join(f"A F{n} H\n" for n in range(MEGABYTE // 10)),
        "England:\n" * (MEGABYTE // 9),
    ],
    ids=lambda text: repr(text[:8]),
)
def test_a_megabyte_of_anything_is_refused_at_once(text: str) -> None:
    for part in (text, text[:MAX_ORDER]):
        with pytest.raises(InvalidOrder) as caught:
            STANDARD.read(part, MOVEMENT)
        assert len(str(caught.value)) < 400
    assert len(STANDARD.order_set(text, MOVEMENT).lines) <= MAX_ORDERS + 1


@pytest.mark.parametrize(
    "piece",
    [
        *("a", "[", "(", "-", ";", "\n", " ", "[/", "A PAR - ", "x y;", "A FOO H\n", "England:\n"),
        *(
            "A PAR, ",
            "A PAR and ",
            "A PAR. ",
            "Build ",
            "( ( FRA AMY ",
            "(FRA AMY PAR) ",
            "- * 1. ",
            "# ",
            " //",
            "<b>",
        ),
        *(
            "via NTH ",
            "Rus. A War ",
            "France: ",
            "+ A",
            "{",
            "the ",
            "S1901M\n",
        ),
    ],
)
def test_a_long_text_takes_no_more_work_than_a_few_calls_a_character(piece: str) -> None:
    text = piece * (20_000 // len(piece))
    assert calls_of(lambda: STANDARD.order_set(text, MOVEMENT)) < 1_000 + MOST_CALLS * len(text)


MOST_CALLS_OF_MANY_READINGS = 400
"""The most calls per character of a text in which several names are ambiguous."""


@pytest.mark.parametrize("piece", ["F TYR S F TYR - TYR\n", "A NOR - NOR;", "F NOR S F NOR - NOR\n"])
def test_a_text_of_many_readings_is_read_in_a_bounded_number_of_them(piece: str) -> None:
    for length in (2_000, 20_000):
        text = piece * (length // len(piece))
        work = calls_of(partial(STANDARD.order_set, text, MOVEMENT))
        assert work < 1_000 + MOST_CALLS_OF_MANY_READINGS * len(text)


@pytest.mark.parametrize("text", ["\nA PAR H", "A PAR H\n", "\r\nA PAR H"])
def test_an_order_alone_on_an_order_set_of_several_lines_keeps_its_number(text: str) -> None:
    (line,) = STANDARD.order_set(text, MOVEMENT).lines
    assert (line.number, line.text) == (text.splitlines().index("A PAR H") + 1, "A PAR H")


@pytest.mark.parametrize("text", ["A PAR - BUR", "A PAR S A MAR - BUR", "F NTH C A YOR - NWY", "A PAR H"])
def test_an_order_as_the_engine_writes_it_is_read_without_taking_its_words_apart(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(OrderReader, "__init__")
    assert str(Notation(standard_board()).read(text, MOVEMENT)) == text

"""A room: what clients are answered, move by move, without a network."""

from dataclasses import dataclass, field

import pytest

from plenipo import Position, library
from plenipo.daide.grammar import check_from_server
from plenipo.daide.reports import SeatSummary
from plenipo.daide.room import Outbox, Room, Terms
from plenipo.daide.tokens import as_text, parse
from plenipo.daide.vocabulary import vocabulary_of
from plenipo.engine.board import Code
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.position import Power

RULES = library.load("standard")
WORDS = vocabulary_of(RULES)
KNOWN = frozenset(WORDS.names)
FRANCE, ENGLAND = Power("France"), Power("England")


@dataclass
class Table:
    """A room with clients 1 and 2, for France and England; other powers have computers."""

    game: Game = field(default_factory=lambda: Game.new(RULES))
    terms: Terms = field(default_factory=Terms)
    now: float = 0.0
    clients: int = 2

    def __post_init__(self) -> None:
        others = {power: SeatSummary("bot", "1") for power in RULES.names if power not in (FRANCE, ENGLAND)}
        codes = {FRANCE: 1234, ENGLAND: 77}
        self.room = Room(view(self.game, None, {}), WORDS, codes, "standard", self.terms, others)
        for number in range(1, self.clients + 1):
            self.room.join(number)
            self.say(number, f"NME ('c{number}') ('1')")
            self.say(number, "YES (MAP ('standard'))")
        if self.room.is_complete():
            self.told(self.room.start(self.now))

    def told(self, outbox: Outbox) -> list[tuple[int, str]]:
        for _, message in outbox:
            text = as_text(message, WORDS.names)
            if not text.startswith(("PRN", "HUH")):
                assert check_from_server(message, self.terms.level, KNOWN) is None, text
        return [(number, as_text(message, WORDS.names)) for number, message in outbox]

    def say(self, number: int, text: str) -> list[tuple[int, str]]:
        return self.told(self.room.receive(number, parse(text, WORDS.tokens), self.now))

    def ask(self, text: str, number: int = 1) -> list[str]:
        return [told for receiver, told in self.say(number, text) if receiver == number]

    def process(self) -> list[str]:
        self.game = self.game.process(dict(self.room.orders()))
        told = self.told(self.room.advance(view(self.game, None, {}), self.now))
        return [text for number, text in told if number == 1]


def at(text: str, owners: str = "") -> Table:
    """A table at a position: France's client is number 1."""
    position = Position.parse(text, RULES)
    if owners:
        lists = (part.split() for part in owners.split("; "))
        codes = {Code(code): Power(power) for power, *names in lists for code in names}
        position = Position(position.phase, position.units, position.dislodged, owners=codes, homes=RULES.opening.homes)
    return Table(Game(RULES, position))


def test_a_client_is_admitted_learns_the_map_and_plays() -> None:
    table = Table(clients=0)
    table.room.join(1)
    assert table.ask("SUB ((FRA AMY PAR) HLD)") == ["REJ (SUB ((FRA AMY PAR) HLD))"]
    assert table.ask("NME ('me') ('1')") == ["YES (NME ('me') ('1'))", "MAP ('standard')"]
    assert table.ask("NME ('me') ('1')") == ["REJ (NME ('me') ('1'))"]
    assert table.ask("MDF")[0].startswith("MDF (AUS ENG FRA GER ITA RUS TUR) (((AUS BUD TRI VIE)")
    assert table.ask("HLO") == ["REJ (HLO)"]
    assert not table.room.is_complete()
    table.ask("YES (MAP ('standard'))")
    table.room.join(2)
    table.say(2, "NME ('you') ('1')")
    table.say(2, "YES (MAP ('standard'))")
    assert table.room.is_complete()
    first = [text for number, text in table.told(table.room.start(0.0)) if number == 1]
    assert first[0] == "HLO (FRA) (1234) ((LVL 0))"
    assert first[1].startswith("SCO (AUS BUD TRI VIE)")
    assert first[2].startswith("NOW (SPR 1901) ")
    table.room.join(3)
    assert table.ask("NME ('late') ('1')", 3) == ["REJ (NME ('late') ('1'))"]


NOTES = {
    "(FRA AMY PAR) MTO BUR": "MBV",
    "(FRA AMY PAR) MTO BRE": "MBV",
    "(FRA AMY PAR) MTO SPA": "FAR",
    "(FRA AMY PAR) MTO ECH": "FAR",
    "(FRA FLT PAR) HLD": "NSU",
    "(FRA AMY BUR) HLD": "NSU",
    "(ENG FLT LON) HLD": "NYU",
    "(FRA AMY MAR) SUP (FRA AMY PAR) MTO BUR": "MBV",
    "(FRA AMY MAR) SUP (FRA AMY PAR) MTO PIC": "FAR",
    "(FRA AMY MAR) SUP (FRA AMY GAS)": "NSU",
    "(FRA AMY PAR) SUP (FRA FLT BRE)": "MBV",
    "(FRA AMY PAR) CVY (ENG AMY LVP) CTO BRE": "NSF",
    "(FRA FLT BRE) CVY (ENG AMY LVP) CTO PIC": "NAS",
    "(FRA FLT BRE) CTO PIC VIA (ECH)": "NSA",
    "(FRA AMY MAR) CTO TUN VIA (GOL)": "NSF",
    "(FRA AMY MAR) CTO TUN VIA (GAS)": "NAS",
    "(FRA AMY PAR) RTO BUR": "NRS",
    "(FRA AMY PAR) BLD": "NRS",
}


@pytest.mark.parametrize(("order", "note"), NOTES.items())
def test_an_order_is_answered_with_its_note(order: str, note: str) -> None:
    assert Table().ask(f"SUB ({order})")[0] == f"THX ({order}) ({note})"


def test_missing_orders_are_listed_until_all_are_there() -> None:
    table = Table()
    assert table.ask("SUB ((FRA AMY PAR) HLD)")[1] == "MIS (FRA FLT BRE) (FRA AMY MAR)"
    assert not table.room.is_due(0.0)
    assert table.ask("SUB ((FRA FLT BRE) HLD) ((FRA AMY MAR) HLD)") == [
        "THX ((FRA FLT BRE) HLD) (MBV)",
        "THX ((FRA AMY MAR) HLD) (MBV)",
    ]
    assert table.ask("MIS") == ["MIS"]
    assert table.room.waiting_for == (ENGLAND,)
    table.say(2, "SUB ((ENG FLT LON) HLD) ((ENG FLT EDI) HLD) ((ENG AMY LVP) HLD)")
    assert table.room.is_due(0.0)
    assert table.ask("NOT (GOF)") == ["YES (NOT (GOF))"]
    assert not table.room.is_due(0.0)
    assert table.ask("GOF") == ["YES (GOF)"]
    assert table.room.is_due(0.0)
    assert table.ask("NOT (SUB ((FRA AMY PAR) MTO BUR))") == ["REJ (NOT (SUB ((FRA AMY PAR) MTO BUR)))"]
    assert table.ask("NOT (SUB ((FRA AMY PAR) HLD))") == ["YES (NOT (SUB ((FRA AMY PAR) HLD)))"]
    assert table.ask("MIS") == ["MIS (FRA AMY PAR)"]
    assert table.ask("NOT (SUB)") == ["YES (NOT (SUB))"]
    assert table.ask("MIS") == ["MIS (FRA FLT BRE) (FRA AMY MAR) (FRA AMY PAR)"]


def test_results_name_the_order_as_it_was_written() -> None:
    table = at("S1901M: France A BRE, F ECH, F MAO, A MAR; England F LON, A WAL; Germany F NTH, A BEL")
    table.ask(
        "SUB ((FRA AMY BRE) CTO BEL VIA (ECH)) ((FRA FLT ECH) CVY (FRA AMY BRE) CTO BEL) "
        "((FRA FLT MAO) MTO (SPA NCS)) ((FRA AMY MAR) SUP (FRA FLT MAO) MTO SPA)"
    )
    table.say(2, "SUB ((ENG FLT LON) MTO ECH) ((ENG AMY WAL) SUP (ENG FLT LON))")
    told = table.process()
    assert "ORD (SPR 1901) ((FRA AMY BRE) CTO BEL VIA (ECH)) (BNC)" in told
    assert "ORD (SPR 1901) ((FRA FLT ECH) CVY (FRA AMY BRE) CTO BEL) (SUC)" in told
    assert "ORD (SPR 1901) ((FRA FLT MAO) MTO (SPA NCS)) (SUC)" in told
    assert "ORD (SPR 1901) ((FRA AMY MAR) SUP (FRA FLT MAO) MTO SPA) (SUC)" in told
    assert "ORD (SPR 1901) ((ENG FLT LON) MTO ECH) (BNC)" in told
    assert "ORD (SPR 1901) ((ENG AMY WAL) SUP (ENG FLT LON)) (NSO)" in told
    assert told[-1].startswith("NOW (FAL 1901)")
    assert table.ask("ORD") == [text for text in told if text.startswith("ORD")]
    assert table.ask("HST (SPR 1901)")[: len(told) - 1] == told[:-1]
    assert table.ask("HST (FAL 1900)") == ["REJ (HST (FAL 1900))"]


def test_a_dislodged_unit_retreats_and_a_bounced_retreat_is_told() -> None:
    table = at("S1901M: France A PAR, A BUR, A MUN; England A KIE, A BEL; Germany A RUH")
    table.ask("SUB ((FRA AMY PAR) HLD) ((FRA AMY BUR) SUP (FRA AMY MUN) MTO RUH) ((FRA AMY MUN) MTO RUH)")
    table.say(2, "SUB ((ENG AMY KIE) HLD) ((ENG AMY BEL) HLD)")
    told = table.process()
    assert "ORD (SPR 1901) ((GER AMY RUH) HLD) (RET)" in told
    assert told[-1].endswith("(GER AMY RUH MRT (HOL))")
    assert table.ask("SUB ((FRA AMY RUH) RTO HOL)")[0] == "THX ((FRA AMY RUH) RTO HOL) (NRN)"
    assert table.room.is_due(0.0)
    assert "ORD (SUM 1901) ((GER AMY RUH) DSB) (SUC)" in table.process()


def test_a_retreat_is_refused_where_it_is_not_allowed() -> None:
    table = at("S1901M: France A RUH; England A KIE; Germany A MUN, A BEL")
    table.ask("SUB ((FRA AMY RUH) HLD)")
    table.say(2, "SUB ((ENG AMY KIE) HLD)")
    table.game = table.game.process({Power("Germany"): ["A MUN - RUH", "A BEL S A MUN - RUH"]})
    table.told(table.room.advance(view(table.game, None, {}), 0.0))
    assert table.ask("SUB ((FRA AMY RUH) RTO MUN)") == [
        "THX ((FRA AMY RUH) RTO MUN) (NVR)",
        "MIS (FRA AMY RUH MRT (BUR HOL))",
    ]
    assert table.ask("SUB ((FRA AMY RUH) RTO BUR)") == ["THX ((FRA AMY RUH) RTO BUR) (MBV)"]
    assert "ORD (SUM 1901) ((FRA AMY RUH) RTO BUR) (SUC)" in table.process()


def test_builds_are_counted_waived_and_refused() -> None:
    table = at("W1901A: France A SPA; England A MAR, F ECH", "France SPA PAR BRE POR; England MAR LON")
    assert table.ask("MIS") == ["MIS (-3)"]
    refused = {"(FRA FLT PAR) BLD": "CST", "(FRA AMY MAR) BLD": "YSC", "(FRA AMY POR) BLD": "HSC"}
    refused |= {"(FRA AMY BUR) BLD": "NSC", "(ENG AMY LON) BLD": "NYU", "(FRA AMY SPA) REM": "NMR"}
    for order, note in refused.items():
        assert table.ask(f"SUB ({order})")[0] == f"THX ({order}) ({note})"
    assert table.ask("SUB ((FRA AMY PAR) BLD) (FRA WVE)")[2] == "MIS (-1)"
    assert table.ask("SUB (FRA WVE) (FRA WVE)") == ["THX (FRA WVE) (MBV)", "THX (FRA WVE) (NMB)"]
    assert table.room.is_due(0.0)
    assert table.ask("NOT (SUB (FRA WVE))") == ["YES (NOT (SUB (FRA WVE)))"]
    assert table.ask("SUB ((FRA FLT BRE) BLD)") == ["THX ((FRA FLT BRE) BLD) (MBV)"]
    told = table.process()
    for order in ("((FRA AMY PAR) BLD)", "((FRA FLT BRE) BLD)", "(FRA WVE)"):
        assert told.count(f"ORD (WIN 1901) {order} (SUC)") == 1


def test_removals_are_counted() -> None:
    table = at("W1901A: France A SPA, A PIC; England F ECH", "France PAR; England LON")
    assert table.ask("MIS") == ["MIS (1)"]
    assert table.ask("SUB ((FRA AMY PAR) BLD)")[0] == "THX ((FRA AMY PAR) BLD) (NMB)"
    assert table.ask("SUB ((FRA AMY PIC) REM) ((FRA AMY SPA) REM)") == [
        "THX ((FRA AMY PIC) REM) (MBV)",
        "THX ((FRA AMY SPA) REM) (NMR)",
    ]
    assert "ORD (WIN 1901) ((FRA AMY PIC) REM) (SUC)" in table.process()


def test_a_power_whose_builds_are_unusable_waives_them_in_time() -> None:
    table = at("W1901A: France A SPA, A PAR, A BRE; England F ECH", "France SPA PAR BRE POR; England LON")
    assert table.room.waiting_for == (FRANCE,)
    assert table.ask("SUB (FRA WVE)") == ["THX (FRA WVE) (MBV)"]
    assert table.room.is_due(0.0)
    assert "ORD (WIN 1901) (FRA WVE) (SUC)" in table.process()


def test_a_client_that_is_gone_comes_back_with_its_passcode() -> None:
    table = Table()
    assert table.told(table.room.leave(2)) == [(1, "CCD (ENG)")]
    assert table.room.waiting_for == (FRANCE,)
    table.room.join(3)
    assert table.ask("IAM (ENG) (78)", 3) == ["REJ (IAM (ENG) (78))"]
    assert table.ask("IAM (FRA) (1234)", 3) == ["REJ (IAM (FRA) (1234))"]
    assert table.say(3, "IAM (ENG) (77)") == [
        (3, "YES (IAM (ENG) (77))"),
        (1, "NOT (CCD (ENG))"),
        (3, "NOT (CCD (ENG))"),
    ]
    assert table.ask("SUB ((ENG FLT LON) HLD)", 3)[0] == "THX ((ENG FLT LON) HLD) (MBV)"


def test_passcodes_cannot_be_guessed_for_ever() -> None:
    table = Table()
    table.room.leave(2)
    table.room.join(3)
    for code in range(100, 200):
        table.ask(f"IAM (ENG) ({code})", 3)
    assert table.ask("IAM (ENG) (77)", 3) == ["REJ (IAM (ENG) (77))"]


def test_of_two_hundred_clients_that_want_to_play_there_is_a_seat_for_the_first_ones() -> None:
    table = Table(clients=0)
    for number in range(200):
        table.room.join(number)
    answers = [table.ask(f"NME ('c{number}') ('1')", number)[0][:3] for number in range(200)]
    assert answers == ["YES"] * 2 + ["REJ"] * 198


def test_press_has_a_limit_in_each_phase() -> None:
    table = Table(terms=Terms(10))
    answers = [table.ask("SND (ENG) (PRP (DRW))")[0][:3] for _ in range(501)]
    assert answers == ["YES"] * 500 + ["REJ"]


def test_an_observer_is_shown_the_game_and_may_not_order() -> None:
    table = Table()
    table.room.join(9)
    assert table.ask("OBS", 9) == ["YES (OBS)", "MAP ('standard')"]
    assert table.ask("YES (MAP ('standard'))", 9)[0] == "HLO (UNO) (0) ((LVL 0))"
    assert table.ask("SUB ((FRA AMY PAR) HLD)", 9) == ["REJ (SUB ((FRA AMY PAR) HLD))"]
    assert (9, "CCD (ENG)") in table.told(table.room.leave(2))


def test_a_deadline_is_told_and_orders_that_are_late_count_as_none() -> None:
    table = Table(terms=Terms(0, 60, 30, 30))
    assert table.ask("HLO") == ["HLO (FRA) (1234) ((LVL 0) (MTL 60) (RTL 30) (BTL 30))"]
    table.now = 20.0
    assert table.ask("TME") == ["TME (40)"]
    assert table.ask("TME (10)") == ["YES (TME (10))"]
    assert table.ask("TME (61)") == ["REJ (TME (61))"]
    assert table.told(table.room.remind(45.0)) == []
    assert table.told(table.room.remind(51.0)) == [(1, "TME (10)")]
    assert table.told(table.room.remind(52.0)) == []
    assert table.ask("NOT (TME)") == ["YES (NOT (TME))"]
    assert not table.room.is_due(59.0)
    assert table.room.is_due(60.0)
    assert set(table.process()[:2]) == {"CCD (ENG) (SPR 1901)", "CCD (FRA) (SPR 1901)"}


def test_a_draw_needs_all_that_survive_and_is_forgotten_after_the_phase() -> None:
    table = Table()
    assert table.ask("DRW") == ["YES (DRW)"]
    assert not table.room.is_draw_wanted()
    table.say(2, "DRW")
    assert table.room.is_draw_wanted()
    assert table.ask("NOT (DRW)") == ["YES (NOT (DRW))"]
    assert not table.room.is_draw_wanted()
    table.game = table.game.draw([FRANCE, ENGLAND])
    told = [text for number, text in table.told(table.room.advance(view(table.game, None, {}), 0.0)) if number == 1]
    assert told[0] == "DRW"
    assert told[-1].startswith("SMR (SPR 1901) (AUS ('bot') ('1') 3) (ENG ('c2') ('1') 3)")
    assert table.ask("SMR") == ["DRW", told[-1]]
    assert table.ask("SUB ((FRA AMY PAR) HLD)") == ["REJ (SUB ((FRA AMY PAR) HLD))"]


def test_press_reaches_those_it_is_for() -> None:
    table = Table(terms=Terms(20))
    offer = "PRP (XDO ((FRA AMY PAR) MTO PIC))"
    assert table.say(1, f"SND (ENG) ({offer})") == [
        (1, f"YES (SND (ENG) ({offer}))"),
        (2, f"FRM (FRA) (ENG) ({offer})"),
    ]
    assert table.say(2, "SND (FRA) (TRY (PRP AND XDO))")[1] == (1, "FRM (ENG) (FRA) (TRY (PRP XDO))")
    assert table.ask("SND (FRA) (PRP (DRW))") == ["REJ (SND (FRA) (PRP (DRW)))"]
    assert table.ask("SND (GER) (PRP (DRW))") == [
        "YES (SND (GER) (PRP (DRW)))",
        "FRM (GER) (FRA) (HUH (ERR PRP (DRW)))",
        "FRM (GER) (FRA) (TRY ())",
    ]
    table.room.leave(2)
    assert table.ask("SND (ENG) (PRP (DRW))") == ["CCD (ENG) (SND (ENG) (PRP (DRW)))"]


def test_press_to_an_eliminated_power_is_returned() -> None:
    position = Position.parse("S1901M: France A PAR; England F LON", RULES)
    table = Table(Game(RULES, position), Terms(10))
    assert table.ask("SND (GER) (PRP (DRW))") == ["OUT (GER) (SND (GER) (PRP (DRW)))"]


def test_brackets_and_words_out_of_place_are_returned_once() -> None:
    table = Table()
    assert table.say(1, "SUB ((FRA AMY PAR)") == [(1, "PRN (SUB ((FRA AMY PAR))")]
    assert table.say(1, "SND (ENG) (PRP (DRW))") == [(1, "HUH (ERR SND (ENG) (PRP (DRW)))")]
    assert table.say(1, "HUH (ERR NOW)") == []
    assert table.say(1, "PRN (NOW ()") == []


def test_a_client_that_orders_without_end_is_sent_off() -> None:
    table = Table()
    many = "SUB" + " ((FRA AMY PAR) HLD)" * 2_000
    assert [len(table.ask(many)) for _ in range(2)] == [2_001, 2_001]
    assert table.ask(many) == ["ADM ('server') ('more than 5000 orders in a phase')", "OFF"]
